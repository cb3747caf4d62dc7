//! A mirror behind a simulated network that loses, repeats, reorders and corrupts what the host sends. The faults follow from a seed.

use boardwright::client::{Link, MatchChoice, Mirror};
use boardwright::content::Catalog;
use boardwright::local::LocalMatch;
use boardwright::protocol::{Request, SeatEvent};

use super::*;
use crate::common::root;

/// The host's end of the network, and the mirror at the other end.
struct Network {
    link: LocalLink,
    mirror: Mirror,
    generator: Generator,
    requests: u64,
    /// How many messages were lost, repeated, reordered or corrupted.
    faults: usize,
}

impl Network {
    fn new(session: &SessionHandle, seed: u64) -> Self {
        let mut network = Self {
            link: LocalLink::join(session, Claim::Spectator, false, None),
            mirror: Mirror::new(),
            generator: Generator::new(seed),
            requests: 0,
            faults: 0,
        };
        network.ask(Mirror::opening());
        network
    }

    fn chance(&mut self, in_hundred: u32) -> bool {
        self.generator.below(100) < in_hundred
    }

    /// What the host has sent up to now.
    fn sent(&mut self) -> Vec<FromHost> {
        self.request(Command::Problems)
    }

    /// Everything that comes up to the answer to a command.
    fn request(&mut self, command: Command) -> Vec<FromHost> {
        self.requests += 1;
        let id = self.requests;
        self.link.send(Request { id, command }).unwrap();
        let mut sent = Vec::new();
        loop {
            let message = self.link.receive(LONG).unwrap().expect("no answer");
            let is_answer = matches!(&message, FromHost::Answer(answer) if answer.id == id);
            sent.push(message);
            if is_answer {
                return sent;
            }
        }
    }

    /// Asks the host, and hands its answers over as they are.
    fn ask(&mut self, commands: Vec<Command>) {
        let mut open: std::collections::VecDeque<Command> = commands.into();
        while let Some(command) = open.pop_front() {
            for message in self.request(command) {
                open.extend(self.mirror.handle(&message));
            }
        }
    }

    /// Hands notices over with faults.
    fn deliver(&mut self, mut sent: Vec<FromHost>) {
        for index in 1..sent.len() {
            if self.chance(10) {
                sent.swap(index - 1, index);
                self.faults += 1;
            }
        }
        let mut asks = Vec::new();
        for mut message in sent {
            if let FromHost::Notice(Notice::Event(event)) = &mut message
                && self.chance(15)
            {
                self.corrupt(event);
            }
            let times = match self.generator.below(10) {
                0 => 0,
                1 => 2,
                _ => 1,
            };
            self.faults += usize::from(times != 1);
            for _ in 0..times {
                asks.extend(self.mirror.handle(&message));
            }
        }
        self.ask(asks);
    }

    fn corrupt(&mut self, event: &mut SeatEvent) {
        self.faults += 1;
        if self.chance(50) && !event.effects.is_empty() {
            let index = self.generator.below(event.effects.len() as u32) as usize;
            event.effects.remove(index);
        } else {
            event.position ^= 1 << self.generator.below(64);
        }
    }

    fn deliver_faithfully(&mut self) {
        let sent = self.sent();
        for message in sent {
            let asks = self.mirror.handle(&message);
            self.ask(asks);
        }
    }

    /// Compares what the mirror knows with what the host says.
    fn check(&mut self) {
        let answers = self.request(Command::View { seat: None });
        let view = answers.iter().find_map(|message| match message {
            FromHost::Answer(answer) => match &answer.reply {
                Reply::View(view) => Some(view),
                _ => None,
            },
            FromHost::Notice(_) => None,
        });
        let view = view.expect("a view");
        let known = self.mirror.view(None).expect("a view");
        assert_eq!((known.position(), self.mirror.at()), (view.position, view.at));
        assert_eq!(known.parts(), view.state);
    }
}

/// One of the legal actions, or undo; false if there is nothing to do.
fn moves(player: &mut Connection, generator: &mut Generator) -> bool {
    if generator.below(6) == 0 {
        return matches!(player.ask(Command::Undo).unwrap(), Reply::Done { .. } | Reply::Refused(_));
    }
    let Reply::Legal { at, actions, .. } = player.ask(Command::Legal { seat: None }).unwrap() else {
        panic!("no list of actions");
    };
    if actions.is_empty() {
        return false;
    }
    let chosen = actions[generator.below(actions.len() as u32) as usize].action.clone();
    let submitted = player.ask(Command::Submit { action: chosen, at }).unwrap();
    assert!(matches!(submitted, Reply::Done { .. }), "{submitted:?}");
    true
}

fn simulate(session: &SessionHandle, player: &mut Connection, seed: u64) -> Network {
    let mut network = Network::new(session, seed);
    let mut generator = Generator::new(seed ^ 0x5EED);
    for _ in 0..40 {
        for _ in 0..=generator.below(3) {
            if !moves(player, &mut generator) {
                break;
            }
        }
        let sent = network.sent();
        network.deliver(sent);
    }
    // What was lost last is known by what comes next.
    player.ask(Command::Undo).unwrap();
    network.deliver_faithfully();
    network.check();
    network
}

#[test]
fn a_mirror_is_right_again_after_every_fault_of_the_network() {
    let (mut faults, mut resyncs, mut named) = (0, 0, 0);
    let catalog = Catalog::scan(&[root()]);
    for seed in 0..12 {
        let ruleset = ["sixteen-soldiers", "river-crossing"][seed as usize % 2];
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            players: Vec::from(["red", "blue"].map(|seat| (seat.to_owned(), "human".to_owned()))),
            seed: Some(seed.into()),
            ..MatchChoice::default()
        };
        let playing = LocalMatch::begin(&catalog, &choice).unwrap();
        let mut player = Connection::open(Box::new(playing.connect(None))).unwrap();
        player.settle().unwrap();
        let network = simulate(playing.session(), &mut player, seed);
        faults += network.faults;
        resyncs += network.mirror.resyncs();
        named += usize::from(network.mirror.difference().is_some());
    }
    assert!(faults > 200 && resyncs > 50, "{faults} faults, {resyncs} views asked for again");
    assert!(named > 0, "no difference was named");
}

#[test]
fn the_first_field_that_differs_from_the_hosts_is_named() {
    let session = Session::spawn(setup()).unwrap();
    let mut player = connect(&session, Claim::AllPeople);
    let mut network = Network::new(&session, 1);
    plays(&mut player, "run");
    let sent = network.sent();
    for mut message in sent {
        if let FromHost::Notice(Notice::Event(event)) = &mut message {
            let is_move = |effect: &boardwright::model::Effect| format!("{effect:?}").starts_with("Move");
            assert!(event.effects.iter().any(is_move), "{:?}", event.effects);
            event.effects.retain(|effect| !is_move(effect));
        }
        let asks = network.mirror.handle(&message);
        network.ask(asks);
    }
    network.check();
    let difference = network.mirror.difference().expect("a difference");
    assert!(difference.field.starts_with("pieces.0.place"), "{difference}");
    assert_eq!(difference.at, network.mirror.at());
}
