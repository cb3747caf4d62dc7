//! Text protocols of rulesets, spoken to `boardwright serve` over TCP: clients that know nothing but the lines and the map.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::common::Bundled;
use crate::served::{Served, serve};

/// How long a line is waited for: far longer than one takes.
const LONG: Duration = Duration::from_mins(1);

/// A server that speaks a text protocol on a port that the system chooses.
struct Server {
    served: Served,
    _data: tempfile::TempDir,
}

impl Server {
    fn start(wanted: &str, options: &[&str]) -> Self {
        Self::start_with(wanted, options, &[])
    }

    /// The same with more arguments.
    fn start_with(wanted: &str, options: &[&str], arguments: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut command = serve("127.0.0.1:0", data.path());
        command.args(["--text-listen", "127.0.0.1:0", "--text-match", wanted]);
        command.args(options.iter().flat_map(|option| ["--text-option", option]));
        command.args(arguments);
        Self {
            served: Served::speaking(" is spoken at ", &mut command),
            _data: data,
        }
    }

    fn connect(&self) -> Lines {
        Lines::connect(&self.served.address)
    }
}

/// A connection of lines.
struct Lines {
    from: BufReader<TcpStream>,
    to: TcpStream,
}

impl Lines {
    fn connect(address: &str) -> Self {
        let to = TcpStream::connect(address).unwrap();
        to.set_read_timeout(Some(LONG)).unwrap();
        to.set_nodelay(true).unwrap();
        Self {
            from: BufReader::new(to.try_clone().unwrap()),
            to,
        }
    }

    fn send(&mut self, line: &str) {
        self.to.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn next(&mut self) -> String {
        let mut line = String::new();
        let read = self.from.read_line(&mut line).expect("no line came");
        assert!(read > 0, "the connection was closed");
        line.trim_end().to_owned()
    }

    #[track_caller]
    fn expect(&mut self, expected: &[&str]) {
        for line in expected {
            assert_eq!(self.next(), *line);
        }
    }
}

/// A player of the protocol of 2012, who knows the map besides.
struct Commander {
    lines: Lines,
    neighbours: Vec<Vec<usize>>,
    attacks: bool,
    id: usize,
    owner: Vec<Option<usize>>,
    armies: Vec<i64>,
    reserve: i64,
    cards: Vec<usize>,
    phase: usize,
    is_own_round: bool,
    is_waiting: bool,
    /// From where and where to, and whose attack it is.
    attack: Option<(usize, usize, usize)>,
    seen: BTreeSet<String>,
}

impl Commander {
    fn new(server: &Server, name: &str, attacks: bool) -> Self {
        let world = Bundled::read("conquest", "two");
        let board = &world.board;
        let cells = board.cells();
        let neighbours = cells.map(|cell| board.neighbours(cell).iter().map(|other| other.index()).collect());
        let neighbours: Vec<Vec<usize>> = neighbours.collect();
        let mut lines = server.connect();
        lines.send(&format!("LOGIN {name}"));
        let answer = lines.next();
        let id = answer.strip_prefix("LOGIN-ACK OK ").expect(&answer).parse().unwrap();
        Self {
            lines,
            owner: vec![None; neighbours.len()],
            armies: vec![0; neighbours.len()],
            neighbours,
            attacks,
            id,
            reserve: 0,
            cards: Vec::new(),
            phase: 0,
            is_own_round: false,
            is_waiting: false,
            attack: None,
            seen: BTreeSet::new(),
        }
    }

    fn send(&mut self, command: &str, arguments: &[usize]) {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let line = format!("{command} {} {}", self.id, arguments.join(" "));
        assert!(line.len() <= 127);
        self.lines.send(line.trim_end());
    }

    /// Plays until somebody is defeated; gives who, the commands it was sent, and which areas it knows to be whose.
    fn play(mut self) -> (usize, BTreeSet<String>, Vec<Option<usize>>) {
        self.send("READY", &[]);
        loop {
            let line = self.lines.next();
            let words: Vec<&str> = line.split(' ').collect();
            self.seen.insert(words[0].to_owned());
            let numbers: Vec<usize> = words[1..].iter().map_while(|word| word.parse().ok()).collect();
            if words[0] == "PLAYER-DEFEATED" {
                return (numbers[0], self.seen, self.owner);
            }
            self.handle(words[0], &numbers, &line);
            if self.is_own_round && !self.is_waiting {
                self.act();
            }
        }
    }

    fn handle(&mut self, command: &str, numbers: &[usize], line: &str) {
        match (command, numbers) {
            ("START-PHASE", [phase]) => self.phase = *phase,
            ("START-ROUND", [who]) => (self.is_own_round, self.is_waiting) = (*who == self.id, false),
            ("REINFORCEMENTS", [who, armies]) if *who == self.id => {
                self.reserve += *armies as i64;
                self.is_waiting = false;
            }
            ("REINFORCE", [who, area, armies]) => {
                self.owner[*area] = Some(*who);
                self.armies[*area] += *armies as i64;
                if *who == self.id {
                    self.reserve -= *armies as i64;
                    self.is_waiting = false;
                }
            }
            ("ATTACK", [who, from, to, _]) => {
                self.attack = Some((*who, *from, *to));
                if self.owner[*to] == Some(self.id) && self.armies[*to] > 1 {
                    self.send("DEFEND", &[*to, 2]);
                }
            }
            ("DICE-ROLL", dice) => self.interpret(dice),
            ("TRANSFER", [who, from, to, armies]) => {
                self.armies[*from] -= *armies as i64;
                self.armies[*to] += *armies as i64;
                self.is_waiting &= *who != self.id;
            }
            ("CARDS-EXCHANGE", [who, types @ ..]) if *who == self.id => {
                for kind in types {
                    let place = self.cards.iter().position(|card| card == kind).unwrap();
                    self.cards.remove(place);
                }
            }
            ("CARDS-ACQUIRED", [who, count, types @ ..]) => {
                assert_eq!(types.len(), if *who == self.id { *count } else { 0 }, "{line}");
                self.cards.extend(types);
            }
            ("ERROR", _) => panic!("{line}"),
            _ => {}
        }
    }

    /// It is up to clients what dice mean.
    fn interpret(&mut self, dice: &[usize]) {
        let (who, from, to) = self.attack.take().expect("dice without an attack");
        let sorted = |dice: &[usize]| {
            let mut dice: Vec<usize> = dice.iter().copied().filter(|die| *die > 0).collect();
            dice.sort_unstable_by(|one, other| other.cmp(one));
            dice
        };
        let (attack, defence) = (sorted(&dice[..3]), sorted(&dice[3..]));
        for (attacker, defender) in attack.iter().zip(&defence) {
            let loser = if attacker > defender { to } else { from };
            self.armies[loser] -= 1;
        }
        if self.armies[to] == 0 {
            self.owner[to] = Some(who);
            let movable = self.armies[from] - 1;
            if who == self.id && movable > attack.len() as i64 {
                self.send("TRANSFER", &[from, to, movable as usize]);
                return;
            }
            // The server says how many move in where there is no choice.
            self.is_waiting = who == self.id;
            return;
        }
        self.is_waiting &= who != self.id;
    }

    fn own(&self) -> Vec<usize> {
        (0..self.owner.len()).filter(|area| self.owner[*area] == Some(self.id)).collect()
    }

    fn enemies_of(&self, area: usize) -> Vec<usize> {
        let mut enemies: Vec<usize> = self.neighbours[area]
            .iter()
            .copied()
            .filter(|other| self.owner[*other] != Some(self.id))
            .collect();
        enemies.sort_by_key(|enemy| self.armies[*enemy]);
        enemies
    }

    /// The strongest own area at a border.
    fn front(&self) -> Option<usize> {
        let own = self.own().into_iter().filter(|area| !self.enemies_of(*area).is_empty());
        own.max_by_key(|area| self.armies[*area])
    }

    fn act(&mut self) {
        self.is_waiting = true;
        if self.phase == 0 {
            let free = self.owner.iter().position(Option::is_none).unwrap();
            self.send("REINFORCE", &[free, 1]);
            self.is_own_round = false;
            return self.send("END-ROUND", &[]);
        }
        let front = self.front().unwrap();
        if self.phase == 1 {
            let armies = if self.attacks { self.reserve } else { 1 };
            self.send("REINFORCE", &[front, armies as usize]);
            self.is_own_round = false;
            return self.send("END-ROUND", &[]);
        }
        if let Some(set) = self.set() {
            return self.send("CARDS-EXCHANGE", &set);
        }
        if self.reserve > 0 {
            return self.send("REINFORCE", &[front, self.reserve as usize]);
        }
        if self.attacks && self.armies[front] > 3 {
            let to = self.enemies_of(front)[0];
            return self.send("ATTACK", &[front, to, 3]);
        }
        self.is_own_round = false;
        self.send("END-ROUND", &[]);
    }

    fn set(&self) -> Option<Vec<usize>> {
        let mut by_type: BTreeMap<usize, usize> = BTreeMap::new();
        self.cards.iter().for_each(|card| *by_type.entry(*card).or_default() += 1);
        let count = |card: usize| by_type.get(&card).copied().unwrap_or(0);
        if let Some(card) = (0..3).find(|card| count(*card) >= 3) {
            return Some(vec![card; 3]);
        }
        let kinds: Vec<usize> = (0..4).filter(|card| count(*card) > 0).collect();
        (kinds.len() >= 3).then(|| kinds[..3].to_vec())
    }
}

#[test]
fn two_scripted_clients_play_the_protocol_of_2012_to_the_defeat_of_one() {
    let server = Server::start("conquest/two", &["neutral=no", "free_order=yes"]);
    let attacker = Commander::new(&server, "hrac1", true);
    let mut defender = Commander::new(&server, "hrac2", false);
    assert_eq!((attacker.id, defender.id), (0, 1));
    defender.lines.expect(&["REGISTERED-PLAYER 0 hrac1"]);
    let other = thread::spawn(|| defender.play());
    let (defeated, seen, owner) = attacker.play();
    let (also, seen_by_other, of_other) = other.join().unwrap();
    assert_eq!((defeated, also), (1, 1));
    assert!(owner.iter().all(|owner| *owner == Some(0)), "{owner:?}");
    assert_eq!(owner, of_other, "both know the same map");
    for command in [
        "ORDER",
        "START-PHASE",
        "START-ROUND",
        "REINFORCEMENTS",
        "REINFORCE",
        "ATTACK",
        "DEFEND",
        "DICE-ROLL",
        "TRANSFER",
        "CARDS-ACQUIRED",
    ] {
        assert!(seen.contains(command) && seen_by_other.contains(command), "{command}: {seen:?}");
    }
    assert!(seen.contains("REGISTERED-PLAYER"));
}

#[test]
fn names_rules_and_chat_are_those_of_the_document() {
    let server = Server::start("conquest/two", &["neutral=no"]);
    let [mut one, mut two, mut three] = [server.connect(), server.connect(), server.connect()];
    one.send("READY 0");
    one.expect(&["ERROR log in first"]);
    one.send(&format!("LOGIN {}", "x".repeat(60)));
    one.expect(&["LOGIN-ACK FAILED 1"]);
    one.send("LOGIN Ada");
    one.expect(&["LOGIN-ACK OK 0"]);
    two.send("LOGIN ada");
    two.expect(&["LOGIN-ACK FAILED 2"]);
    two.send("LOGIN Bob");
    two.expect(&["LOGIN-ACK OK 1", "REGISTERED-PLAYER 0 Ada"]);
    one.expect(&["REGISTERED-PLAYER 1 Bob"]);
    three.send("LOGIN Eve");
    three.expect(&["LOGIN-ACK FAILED 3"]);
    one.send("APPLY_RULE 0 1");
    one.send("APPLY_RULE 7 0");
    one.expect(&["ERROR there is no variant 0 of rule 7"]);
    one.send("CHAT PUBLIC 0 good luck to all");
    two.expect(&["CHAT PUBLIC 0 good luck to all"]);
    two.send("CHAT PRIVATE 1 0 thank you");
    one.expect(&["CHAT PRIVATE 1 0 thank you"]);
    one.send("READY 1");
    one.expect(&["ERROR your id is 0"]);
    one.send("READY 0");
    two.send("READY 1");
    // The areas were dealt.
    let first: Vec<String> = (0..3).map(|_| two.next()).collect();
    assert!(first[0].starts_with("ORDER "), "{first:?}");
    assert_eq!(first[1..], ["REINFORCEMENTS 0 40", "REINFORCEMENTS 1 40"]);
    let dealt: Vec<String> = (0..42).map(|_| two.next()).collect();
    assert!(
        dealt.iter().all(|line| line.starts_with("REINFORCE ") && line.ends_with(" 1")),
        "{dealt:?}"
    );
    two.expect(&["START-PHASE 1"]);
    one.send("ATTACK 0 0 1 3");
    while !one.next().starts_with("ERROR ") {}
    drop(two);
    one.expect(&["LOGOUT 1 1"]);
    // Who comes back under the same name is told everything again.
    let mut again = server.connect();
    again.send("LOGIN Bob");
    again.expect(&["LOGIN-ACK OK 1", "REGISTERED-PLAYER 0 Ada"]);
    assert_eq!(again.next(), first[0]);
}

#[test]
fn another_ruleset_speaks_a_protocol_of_its_own() {
    let server = Server::start("tic-tac-toe", &[]);
    let [mut ada, mut bob] = [server.connect(), server.connect()];
    ada.send("I AM Ada Lovelace");
    ada.expect(&["YOU ARE Crosses"]);
    bob.send("I AM Bob");
    bob.expect(&["YOU ARE Noughts", "Crosses IS Ada Lovelace"]);
    ada.expect(&["Noughts IS Bob"]);
    ada.send("GO");
    bob.send("GO");
    ada.expect(&["TURN Crosses"]);
    bob.expect(&["TURN Crosses"]);
    bob.send("MARK a1");
    let refused = bob.next();
    assert!(refused.starts_with("NO "), "{refused}");
    let marks = [
        (true, "b2"),
        (false, "a1"),
        (true, "c1"),
        (false, "a3"),
        (true, "a2"),
        (false, "b1"),
        (true, "c2"),
    ];
    for (is_ada, square) in marks {
        let who = if is_ada { "Crosses" } else { "Noughts" };
        if is_ada { &mut ada } else { &mut bob }.send(&format!("MARK {square}"));
        for client in [&mut ada, &mut bob] {
            client.expect(&[&format!("{who} MARKED {square}")]);
            let next = client.next();
            let ends = square == "c2";
            assert!(
                next.starts_with(if ends { "OVER " } else { "TURN " }) || ends && next.starts_with("TURN "),
                "{next}"
            );
        }
    }
}

#[test]
fn lines_that_are_long_binary_many_or_unended_are_answered_and_bounded() {
    let server = Server::start("tic-tac-toe", &[]);
    let mut hostile = server.connect();
    hostile.send(&"x".repeat(100_000));
    hostile.expect(&["NO the line is too long"]);
    hostile.to.write_all(b"I AM \xff\xfe\n").unwrap();
    hostile.expect(&["NO the line is no text"]);
    hostile.to.write_all(b"I AM \x1b[31mRed\n").unwrap();
    hostile.expect(&["NO the line is no text"]);
    hostile.to.write_all(b"\n\r\n  \n").unwrap();
    // A flood is answered line by line, while others are served.
    let mut flood = hostile.to.try_clone().unwrap();
    let flooding = thread::spawn(move || (0..2_000).for_each(|_| flood.write_all(b"DANCE\n").unwrap()));
    let mut other = server.connect();
    other.send("I AM Bob");
    other.expect(&["YOU ARE Crosses"]);
    for _ in 0..2_000 {
        hostile.expect(&["NO say I AM, GO, MARK, SAY or BYE"]);
    }
    flooding.join().unwrap();
    // What is half said does no harm, and the end of it is the end.
    hostile.to.write_all(b"I AM Al").unwrap();
    hostile.to.write_all(b"an\n").unwrap();
    hostile.expect(&["YOU ARE Noughts", "Crosses IS Bob"]);
    hostile.send("BYE");
    let mut rest = String::new();
    hostile.from.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    other.expect(&["Noughts IS Alan", "Noughts HAS LEFT"]);
}

/// A client that takes a seat by a line of which a byte comes now and then keeps its place for as long as a silent one, and nobody waits for it.
#[test]
fn a_line_that_trickles_holds_nobody_up_and_its_client_is_cut_off() {
    let server = Server::start_with("tic-tac-toe", &[], &["--silence", "2"]);
    let trickling = server.connect();
    let mut trickle = trickling.to.try_clone().unwrap();
    let mut trickling = trickling.from;
    let sent = thread::spawn(move || {
        // It goes on until the server has cut it off.
        while trickle.write_all(b"I").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let [mut ada, mut bob] = [server.connect(), server.connect()];
    ada.send("I AM Ada");
    ada.expect(&["YOU ARE Crosses"]);
    bob.send("I AM Bob");
    bob.expect(&["YOU ARE Noughts", "Crosses IS Ada"]);
    ada.expect(&["Noughts IS Bob"]);
    let mut said = Vec::new();
    // The end, or that what it sent was thrown away.
    drop(trickling.read_to_end(&mut said));
    assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
    sent.join().unwrap();
    // Those who have a seat stay.
    for client in [&mut ada, &mut bob] {
        client.send("GO");
    }
    ada.expect(&["TURN Crosses"]);
    bob.expect(&["TURN Crosses"]);
}
