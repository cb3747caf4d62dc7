//! What a test works on: first what its match begins with, then the match itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, Position};

use super::super::ScriptSource;
use super::super::api::call_context::{CallContext, SharedContext};
use super::super::value::Answer;
use super::{TestScenario, USUAL_SCENARIO};
use boardwright_model::{Action, Declarations, Effect, Rejection, SeatSet, Setup, SetupPiece, SetupValue, State, TurnMark};
use boardwright_rules::{Generator, Luck, Rules, RulesSource, Transaction, flow};

/// What a test is handed.
#[derive(Clone)]
pub(crate) struct TestCase(pub(crate) Rc<RefCell<TestContext>>);

/// The scenarios that were looked up so far; `None` for those that are not there.
pub(crate) type Scenarios = Rc<RefCell<BTreeMap<String, Option<TestScenario>>>>;

/// Why a test failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// The error by which a test ends.
#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
pub(crate) fn fail(message: impl Into<String>) -> Box<EvalAltResult> {
    fail_with(message, None)
}

/// The error by which a test ends, with what may help.
#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
pub(crate) fn fail_with(message: impl Into<String>, help: Option<String>) -> Box<EvalAltResult> {
    let failure = Failure {
        message: message.into(),
        help,
    };
    EvalAltResult::ErrorRuntime(Dynamic::from(failure), Position::NONE).into()
}

/// The context that a test works on.
pub(crate) struct TestContext {
    pub(super) source: Arc<ScriptSource>,
    known: Scenarios,
    /// A scenario that the test asked for and that is yet to be looked up.
    pub(super) wanted: Option<String>,
    scenario: Option<String>,
    pieces: Option<Vec<SetupPiece>>,
    options: Vec<(String, String)>,
    values: Vec<SetupValue>,
    first: Option<String>,
    /// The results of draws to come.
    laid: VecDeque<Vec<u32>>,
    generator: Option<Generator>,
    running: Option<Running>,
}

/// A match that has begun.
pub(super) struct Running {
    pub(super) rules: Box<dyn Rules>,
    pub(super) transaction: Transaction,
    pub(super) context: SharedContext,
    /// The action that was played last, with the state before it.
    pub(super) played: Option<(Arc<State>, Action)>,
    /// What was told since the last action was begun, and to whom.
    pub(super) told: Vec<(SeatSet, Arc<str>)>,
}

/// The first turn of a match that begins with a seat, or with a declared turn.
fn first_turn(declarations: &Declarations, name: &str) -> Option<TurnMark> {
    let seat = declarations.find_seat(name);
    let by_name = declarations.turns.iter().position(|turn| *turn.name == *name);
    let of_seat = || declarations.turns.iter().position(|turn| seat.is_some() && turn.seat(1) == seat);
    let place = by_name.or_else(of_seat);
    let seat = place.and_then(|place| declarations.turns.get(place)?.seat(1)).or(seat)?;
    Some(TurnMark {
        round: 1,
        turn: 1,
        seat: Some(seat),
        place: place.unwrap_or(0) as u8,
        first: Some(seat).filter(|seat| seat.0 > 0 && declarations.turns.is_empty()),
        ..TurnMark::default()
    })
}

impl Running {
    pub(super) fn state(&self) -> &Arc<State> {
        self.transaction.state()
    }
}

impl TestContext {
    pub(super) fn new(source: &Arc<ScriptSource>, known: &Scenarios) -> Self {
        Self {
            source: Arc::clone(source),
            known: Rc::clone(known),
            wanted: None,
            scenario: None,
            pieces: None,
            options: Vec::new(),
            values: Vec::new(),
            first: None,
            laid: VecDeque::new(),
            generator: None,
            running: None,
        }
    }

    pub(crate) fn declarations(&self) -> &Arc<Declarations> {
        self.source.declarations()
    }

    fn before_it_begins(&self, word: &str) -> Answer<()> {
        if self.running.is_some() {
            return Err(fail(format!("`{word}` comes before the first action and the first expectation")));
        }
        Ok(())
    }

    /// Chooses the scenario.
    pub(crate) fn choose_scenario(&mut self, name: &str) -> Answer<()> {
        self.before_it_begins("scenario")?;
        self.scenario = Some(name.to_owned());
        if let Some(source) = self.scenario_in_play()?.source {
            self.source = source;
        }
        Ok(())
    }

    /// Puts pieces on the empty board of the scenario.
    pub(crate) fn set_up(&mut self, pieces: &rhai::Map) -> Answer<()> {
        self.before_it_begins("setup")?;
        let board = self.scenario_in_play()?.board;
        self.pieces = Some(super::pieces::read_all(&board, self.declarations(), pieces)?);
        Ok(())
    }

    /// Sets an option of the match.
    pub(crate) fn set_option(&mut self, name: &str, value: String) -> Answer<()> {
        self.before_it_begins("option")?;
        self.options.retain(|(known, _)| known != name);
        self.options.push((name.to_owned(), value));
        Ok(())
    }

    /// Sets a property that the match begins with.
    pub(crate) fn set_value(&mut self, value: SetupValue) -> Answer<()> {
        self.before_it_begins("set")?;
        self.values.push(value);
        Ok(())
    }

    /// Says which seat has the first turn.
    pub(crate) fn set_first(&mut self, seat: &str) -> Answer<()> {
        self.before_it_begins("begins")?;
        self.first = Some(seat.to_owned());
        Ok(())
    }

    /// Begins the match with what is laid down.
    pub(crate) fn start(&mut self) -> Answer<()> {
        self.before_it_begins("starts")?;
        let laid = std::mem::take(&mut self.laid);
        let running = self.begin(laid)?;
        self.running = Some(running);
        Ok(())
    }

    /// Lays down the result of a draw to come.
    pub(crate) fn lay(&mut self, result: Vec<u32>) {
        self.laid.push_back(result);
    }

    /// Lets draws for which nothing is laid down follow a generator.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.generator = Some(Generator::new(seed));
    }

    /// What was laid down and not drawn.
    pub(super) fn unused_luck(&self) -> Option<String> {
        let first = self.laid.front()?;
        Some(format!("{first:?} was laid down with t.dice(..) and never drawn"))
    }

    fn scenario_in_play(&mut self) -> Answer<TestScenario> {
        let name = self.scenario.clone().unwrap_or_else(|| USUAL_SCENARIO.to_owned());
        let found = self.known.borrow().get(&name).cloned();
        match found {
            Some(Some(found)) => Ok(found),
            Some(None) => Err(fail_with(
                format!("there is no scenario {name:?}"),
                Some("name the one whose map the test is played on: t.scenario(\"...\")".to_owned()),
            )),
            None => {
                self.wanted = Some(name);
                Err(fail("the scenario is being looked up"))
            }
        }
    }

    /// The match, which begins now if it has not.
    pub(super) fn running(&mut self) -> Answer<&mut Running> {
        if self.running.is_none() {
            let running = self.begin(VecDeque::new())?;
            self.running = Some(running);
        }
        self.running.as_mut().ok_or_else(|| fail("the match has not begun"))
    }

    /// Begins the match; what is laid down serves its first draws, as far as it fits them.
    fn begin(&mut self, laid: VecDeque<Vec<u32>>) -> Answer<Running> {
        let TestScenario { board, mut setup, .. } = self.scenario_in_play()?;
        if let Some(pieces) = self.pieces.clone() {
            setup = Setup {
                seats: setup.seats,
                pieces,
                ..Setup::default()
            };
        }
        setup
            .options
            .retain(|(name, _)| self.options.iter().all(|(other, _)| other != name));
        setup.options.extend(self.options.iter().cloned());
        setup.values.extend(self.values.iter().cloned());
        let state = setup.build(&board, self.declarations()).map_err(|faults| {
            let texts: Vec<String> = faults.iter().map(|fault| fault.kind.to_string()).collect();
            fail(format!("the match cannot begin so: {}", texts.join("; ")))
        })?;
        let declarations = Arc::clone(state.declarations());
        let rules = self.source.rules(&board, &declarations, state.options());
        let rules = rules.map_err(|fault| fail(format!("the rules cannot be used: {fault}")))?;
        let generator = self.generator.clone().unwrap_or_else(|| Generator::new(1));
        let mut transaction = Transaction::new(Arc::new(state), Luck::Laid(laid, generator));
        if let Some(first) = &self.first {
            let new = first_turn(&declarations, first).ok_or_else(|| fail(format!("there is no seat and no turn {first:?}")))?;
            let turn = Effect::Turn {
                old: TurnMark::default(),
                new,
                fresh: true,
                displacement: None,
            };
            transaction.apply(turn).map_err(|rejection| fail(rejection.to_string()))?;
        }
        let begun = if self.first.is_some() {
            flow::begin(&*rules, &mut transaction)
        } else {
            flow::begin_scenario(&*rules, &mut transaction)
        };
        begun.map_err(|rejection| fail(format!("the match cannot begin: {rejection}")))?;
        transaction.forget();
        if let Luck::Laid(left, generator) = transaction.set_luck(Luck::Forbidden) {
            self.laid.extend(left);
            self.generator = self.generator.take().map(|_| generator);
        }
        Ok(Running {
            rules,
            transaction,
            context: CallContext::new(&board, &declarations),
            played: None,
            told: Vec::new(),
        })
    }

    /// Carries something out with the luck that was laid down.
    pub(super) fn with_luck(&mut self, run: impl FnOnce(&mut Running) -> Result<(), Rejection>) -> Answer<Result<(), Rejection>> {
        let luck = match &self.generator {
            Some(generator) if self.laid.is_empty() => Luck::Roll(generator.clone()),
            _ => Luck::Replay(self.laid.clone()),
        };
        let running = self.running()?;
        running.transaction.set_luck(luck);
        let result = run(running);
        let left = running.transaction.set_luck(Luck::Forbidden);
        match left {
            Luck::Replay(left) => self.laid = left,
            Luck::Roll(left) => self.generator = Some(left),
            Luck::Forbidden | Luck::Awaited | Luck::Laid(..) | Luck::Enumerate(_) => {}
        }
        Ok(result)
    }
}
