//! What a strategy that is debugged may take, and how soon it is stopped.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use boardwright::model::{Board, Setup, State, Visibility};
use boardwright::model::{BreakPoint, PauseCause, Rejection};
use boardwright::players::Interrupt;
use boardwright::rules::{
    Consultation, Generator, Luck, Pause, PauseReasons, Resume, RulesSource, Settings, StrategyDebugger, Transaction, flow,
};

use super::{LIGHT, field, source_of};

/// Waits at each line it was told of.
#[derive(Debug)]
struct Slow {
    lines: Mutex<Vec<u32>>,
    waits: Duration,
    interrupt: Interrupt,
}

impl StrategyDebugger for Slow {
    fn is_over(&self) -> bool {
        self.interrupt.is_stopped()
    }

    fn pauses_at(&self, _: &str, line: u32, _: usize) -> PauseReasons {
        self.lines.lock().unwrap().push(line);
        PauseReasons {
            points: Vec::new(),
            cause: (line == 2).then_some(PauseCause::Step),
        }
    }

    fn hits(&self, _: &BreakPoint) -> u64 {
        1
    }

    fn watches(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn pause(&self, _: Pause) -> Resume {
        std::thread::sleep(self.waits);
        Resume::Go
    }
}

/// Asks a strategy that is debugged, with little time.
fn consulted(strategy: &str, debugger: Arc<Slow>) -> Result<(), Rejection> {
    let source = source_of(strategy);
    let board = Arc::new(Board::from_map(&field()).unwrap());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
    flow::begin(&*rules, &mut transaction).unwrap();
    let state: Arc<State> = transaction.state().project(&Visibility::new(Some(LIGHT), None));
    let asked = Consultation {
        strategy: "tried",
        settings: &Settings::default(),
        state: &state,
        seat: LIGHT,
        seed: 1,
        operations: 10_000_000,
        wall: Duration::from_millis(400),
        is_watched: false,
        debugger: Some(debugger),
    };
    rules.strategies().unwrap().consult(&asked).map(drop)
}

#[test]
fn the_time_of_a_decision_does_not_run_while_it_has_paused() {
    // The clock is read only by strategies that do something.
    let busy = "fn decide(view, agent) { for i in 0..300 { }\n let a = 1;\n for i in 0..300 { }\n agent.legal()[0] }";
    let slow = |waits| {
        Arc::new(Slow {
            lines: Mutex::default(),
            waits: Duration::from_millis(waits),
            interrupt: Interrupt::new(),
        })
    };
    consulted(busy, slow(600)).unwrap();
    let endless = "fn decide(view, agent) {\n let a = 1;\n while a > 0 { a += 1; }\n agent.legal()[0] }";
    let error = consulted(endless, slow(1)).unwrap_err();
    assert!(
        error.to_string().contains("longer than") || error.to_string().contains("more than"),
        "{error}"
    );
}

#[test]
fn a_strategy_at_work_that_is_debugged_ends_when_it_is_stopped() {
    for _ in 0..8 {
        assert_stops();
    }
}

/// Stops a strategy that never ends by itself.
fn assert_stops() {
    let debugger = Arc::new(Slow {
        lines: Mutex::default(),
        waits: Duration::ZERO,
        interrupt: Interrupt::new(),
    });
    let stopper = {
        let interrupt = debugger.interrupt.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(60));
            interrupt.stop();
        })
    };
    let endless = "fn decide(view, agent) {\n let a = 1;\n while true { try { a += 1; } catch { a = 0; } }\n agent.legal()[0] }";
    let result = consulted(endless, debugger);
    stopper.join().unwrap();
    assert!(result.unwrap_err().to_string().contains("stopped"));
}
