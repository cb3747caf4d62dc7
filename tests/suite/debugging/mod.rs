//! Following a strategy line by line while a match runs: where it pauses, what is to be seen there, how it goes on, and that nothing hangs.

mod endings;
mod limits;
mod pauses;

use std::sync::Arc;
use std::time::Duration;

use boardwright::client::Connection;
use boardwright::local::LocalLink;
use boardwright::model::{Board, Map, SeatId, Setup, Topology};
use boardwright::protocol::{BreakPoint, Command, FromHost, Notice, PauseReport, Reply, StepKind};
use boardwright::rules::RulesSource;
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use boardwright::server::{Claim, MatchInfo, Session, SessionHandle, SessionSetup};

const LIGHT: SeatId = SeatId(0);
const DARK: SeatId = SeatId(1);
const LONG: Option<Duration> = Some(Duration::from_secs(20));
const FILE: &str = "rulesets/markers/strategies/tried.rhai";

/// Two sides put markers onto a board of four by four, and hold a card that the other does not see.
const RULES: &str = r#"
    const TRICK = 7;

    fn ruleset() {
        #{
            seats: [#{ name: "light" }, #{ name: "dark" }],
            kinds: [#{ name: "marker" }, #{ name: "ace" }],
            zones: [#{ name: "hand", each: "seat", seen_by: "owner" }],
            phases: [#{ name: "placing" }],
            actions: [#{ name: "put", rule: "2", picks: [#{ name: "place", pick: "cell" }] }],
            endings: [#{ when: "no_actions", then: "loses", rule: "3", reason: "there is no place left" }],
        }
    }

    /// 1 Each side holds an ace.
    fn start(turn) { for seat in turn.seats { turn.create_in("hand", seat, "ace"); } }

    /// 2 A marker goes onto an empty square.
    fn put_place(view) { view.empty }

    /// 2 It stays there.
    fn do_put(turn, picked) { turn.create("marker", turn.seat, picked.place); turn.end_turn(); }
"#;

/// A call inside a line, a loop, and luck of its own. The lines are counted from the first.
const STRATEGY: &str = r#"fn decide(view, agent) {
    let sum = 0;
    for number in [1, 2, 3] {
        sum += twice(number);
    }
    agent.note("sum", sum);
    let place = agent.any(view.empty);
    agent.action("put", #{ place: place })
}

fn twice(number) {
    let result = number * 2;
    result
}
"#;

/// Leaves the choice to what it thinks of each position.
const WEIGHING: &str = r#"fn evaluate(view, agent) {
    let own = view.seat.cells;
    if view.cell("b2") in own { 50 } else { own.count }
}
"#;

fn source_of(strategy: &str) -> ScriptSource {
    let layer = Layer::new("rulesets/markers")
        .with("rules.rhai", RULES)
        .with("strategies/tried.rhai", strategy);
    ScriptSource::new(Arc::new(Sources::of(layer)), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()))
}

fn field() -> Map {
    let topology = Topology::Square {
        width: 4,
        height: 4,
        diagonals: false,
    };
    Map::new("field", "The field", topology)
}

fn setup_of(source: ScriptSource, players: &[&str]) -> SessionSetup {
    let board = Arc::new(Board::from_map(&field()).unwrap());
    let start = Setup::default().build(&board, source.declarations()).unwrap();
    SessionSetup {
        players: players.iter().map(|player| player.parse().unwrap()).collect(),
        // Nobody decides before it is said where to pause.
        is_paused: true,
        ..SessionSetup::new(Arc::new(source), start, MatchInfo::of_map(field()), 7)
    }
}

fn join(session: &SessionHandle, claim: Claim, is_host: bool) -> Connection {
    let mut client = Connection::open(Box::new(LocalLink::join(session, claim, is_host, None))).unwrap();
    client.settle().unwrap();
    client
}

/// A match with a strategy at the first seat and a person at the other, and who follows it.
struct Debugged {
    session: SessionHandle,
    client: Connection,
}

impl Debugged {
    fn of(strategy: &str) -> Self {
        Self::with(setup_of(source_of(strategy), &["tried", "human"]))
    }

    fn with(setup: SessionSetup) -> Self {
        let session = Session::spawn(setup).unwrap();
        let client = join(&session, Claim::AllPeople, true);
        Self { session, client }
    }

    fn says(&mut self, command: Command) -> &mut Self {
        let said = format!("{command:?}");
        let reply = self.client.ask(command).unwrap();
        assert!(matches!(reply, Reply::Done { .. }), "{said}: {reply:?}");
        self
    }

    fn follows(&mut self, before: bool, after: bool) -> &mut Self {
        self.says(Command::Attach {
            seat: LIGHT,
            attached: true,
            before,
            after,
        })
    }

    fn breaks_at(&mut self, lines: &[u32]) -> &mut Self {
        let point = |line: &u32| BreakPoint {
            file: "tried.rhai".to_owned(),
            line: *line,
            condition: None,
        };
        self.says(Command::BreakPoints {
            points: lines.iter().map(point).collect(),
        })
    }

    fn breaks_if(&mut self, line: u32, condition: &str) -> &mut Self {
        let point = BreakPoint {
            file: "tried.rhai".to_owned(),
            line,
            condition: Some(condition.to_owned()),
        };
        self.says(Command::BreakPoints { points: vec![point] })
    }

    fn watches(&mut self, expressions: &[&str]) -> &mut Self {
        self.says(Command::Watches {
            expressions: expressions.iter().map(|text| (*text).to_owned()).collect(),
        })
    }

    fn begins(&mut self) -> &mut Self {
        self.says(Command::Pause { paused: false })
    }

    /// Reads until something is told that is of the kind asked for.
    fn hears<T>(&mut self, wanted: impl Fn(&Notice) -> Option<T>) -> T {
        loop {
            match self.client.poll(LONG).unwrap() {
                Some(FromHost::Notice(notice)) => {
                    if let Some(found) = wanted(&notice) {
                        return found;
                    }
                }
                Some(FromHost::Answer(_)) => {}
                None => panic!("it is not told"),
            }
        }
    }

    /// Waits until what had paused goes on.
    fn is_let_go(&mut self) {
        while self.client.mirror().paused_strategy().is_some() {
            assert!(self.client.poll(LONG).unwrap().is_some(), "it does not go on");
        }
    }

    fn pauses(&mut self) -> PauseReport {
        loop {
            if let Some(report) = self.client.mirror().paused_strategy() {
                return report.clone();
            }
            assert!(self.client.poll(LONG).unwrap().is_some(), "it does not pause");
        }
    }

    /// What is told of watched expressions where it has paused, once they are these.
    fn shows_watches(&mut self, expressions: &[&str]) -> PauseReport {
        self.watches(expressions);
        loop {
            let report = self.pauses();
            if report
                .watches
                .iter()
                .map(|one| one.expression.as_str())
                .eq(expressions.iter().copied())
            {
                return report;
            }
            assert!(self.client.poll(LONG).unwrap().is_some(), "they are not told");
        }
    }

    /// The line at which it pauses after a step.
    fn steps(&mut self, step: StepKind) -> u32 {
        self.says(Command::Step { kind: step });
        self.pauses().line
    }

    /// Lets it go on to the end of the decision, and gives what it did.
    fn ends(&mut self) -> String {
        if self.client.mirror().paused_strategy().is_some() {
            self.breaks_at(&[]).says(Command::Step { kind: StepKind::Continue });
        }
        while self.client.mirror().at() < 2 {
            assert!(self.client.poll(LONG).unwrap().is_some(), "it does not act");
        }
        self.client.settle().unwrap();
        self.client.mirror().history()[1].notation.to_string()
    }
}

fn values(report: &PauseReport) -> Vec<String> {
    let line = |variable: &boardwright::protocol::Variable| format!("{} {} = {}", variable.sort, variable.name, variable.value);
    report.variables.iter().map(line).collect()
}
