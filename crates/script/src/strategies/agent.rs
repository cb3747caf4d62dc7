//! What a strategy thinks with: its parameters, odds, actions to choose from, trying an action out.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::api::call_context::{CallContext, SharedContext};
use super::super::api::convert::found_action;
use super::super::meter::Meter;
use super::super::value::{Answer, wrong};
use super::Shared;
use boardwright_model::{Action, CellSet, Rejection, SeatId, State, Value};
use boardwright_rules::odds::Expected;
use boardwright_rules::{Consultation, Generator, Luck, Remark, Settings, Transaction, flow, legal_of};

/// The most remarks of one decision.
const MOST_REMARKS: usize = 200;
/// What trying an action out counts, in operations of a script: about what it takes.
const TRIAL_OPERATIONS: u64 = 500;
/// What listing the legal actions counts.
const LIST_OPERATIONS: u64 = 500;
/// What working out a new place of a contest counts.
const PLACE_OPERATIONS: u64 = 30;
/// What a state that was thought of takes in memory, about.
const STATE_BYTES: usize = 8 << 10;

/// What a strategy thinks with. Handles of scripts to it are the same one.
#[derive(Clone)]
pub struct Agent(Rc<Inner>);

struct Inner {
    context: SharedContext,
    seat: SeatId,
    settings: Settings,
    shared: Rc<Shared>,
    meter: Rc<Meter>,
    generator: RefCell<Generator>,
    /// Whether anybody is told what is thought.
    is_watched: bool,
    remarks: RefCell<Vec<Remark>>,
    /// The value of a parameter for each cell, once it was asked for.
    by_cell: RefCell<BTreeMap<Box<str>, Rc<[i64]>>>,
    is_over: Cell<bool>,
}

/// A moment of thinking to go back to.
#[derive(Clone, Debug)]
pub(crate) struct AgentMoment {
    luck: Generator,
    remarks: usize,
}

/// An action that a strategy may choose.
#[derive(Clone, Debug)]
pub struct ScriptAction {
    pub(crate) context: SharedContext,
    pub(crate) action: Action,
}

impl ScriptAction {
    pub(crate) fn new(context: &SharedContext, action: Action) -> Self {
        let context = Rc::clone(context);
        Self { context, action }
    }
}

/// What may be expected of a contest.
#[derive(Clone, Debug)]
pub struct Expectation {
    pub(crate) context: SharedContext,
    pub(crate) contest: usize,
    pub(crate) expected: Arc<Expected>,
}

impl std::fmt::Debug for CallContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CallContext")
    }
}

/// What rules said, as an error of the script that asked them.
#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_box_returns,
    reason = "the form of map_err; natives return boxed errors"
)]
fn failed(rejection: Rejection) -> Box<rhai::EvalAltResult> {
    wrong(rejection.to_string())
}

impl Agent {
    pub(super) fn new(
        context: &SharedContext,
        shared: &Rc<Shared>,
        meter: &Rc<Meter>,
        settings: Settings,
        asked: &Consultation<'_>,
    ) -> Self {
        Self(Rc::new(Inner {
            context: Rc::clone(context),
            seat: asked.seat,
            settings,
            shared: Rc::clone(shared),
            meter: Rc::clone(meter),
            generator: RefCell::new(Generator::new(asked.seed)),
            is_watched: asked.is_watched || asked.debugger.is_some(),
            remarks: RefCell::default(),
            by_cell: RefCell::default(),
            is_over: Cell::new(false),
        }))
    }

    /// The decision is made: what a script has kept of this is of no use any more.
    pub(super) fn forget(&self) {
        self.0.is_over.set(true);
    }

    pub(super) fn remarks(&self) -> Vec<Remark> {
        self.0.remarks.borrow().clone()
    }

    /// Runs something of which nothing stays: neither what is remarked nor which luck was used.
    pub(super) fn quietly<R>(&self, run: impl FnOnce() -> R) -> R {
        let moment = self.moment();
        let result = run();
        self.go_back(moment);
        result
    }

    /// This moment of thinking.
    pub(crate) fn moment(&self) -> AgentMoment {
        AgentMoment {
            luck: self.0.generator.borrow().clone(),
            remarks: self.0.remarks.borrow().len(),
        }
    }

    /// Goes back to a moment: neither what was remarked since nor which luck was used stays.
    pub(crate) fn go_back(&self, moment: AgentMoment) {
        self.0.generator.replace(moment.luck);
        self.0.remarks.borrow_mut().truncate(moment.remarks);
    }

    pub(crate) fn context(&self) -> &SharedContext {
        &self.0.context
    }

    pub(crate) fn seat(&self) -> SeatId {
        self.0.seat
    }

    fn is_alive(&self) -> Answer<()> {
        if self.0.is_over.get() {
            Err(wrong("this agent belongs to a decision that is over"))
        } else {
            Ok(())
        }
    }

    /// The value of a parameter.
    pub(crate) fn value(&self, name: &str) -> Answer<&Value> {
        self.0.settings.value(name).ok_or_else(|| unknown_parameter(name))
    }

    /// The value of a parameter for one thing.
    pub(crate) fn value_of(&self, name: &str, thing: &str) -> Answer<&Value> {
        self.0.settings.value_of(name, thing).ok_or_else(|| unknown_parameter(name))
    }

    /// The values of a parameter for all cells of a set, added up.
    pub(crate) fn total(&self, name: &str, cells: &CellSet) -> Answer<i64> {
        let known = self.0.by_cell.borrow().get(name).map(Rc::clone);
        let values = if let Some(values) = known {
            values
        } else {
            let values = self.values_by_cell(name)?;
            self.0.by_cell.borrow_mut().insert(name.into(), Rc::clone(&values));
            values
        };
        let value = |cell: boardwright_model::CellId| values.get(cell.index()).copied().unwrap_or(0);
        Ok(cells.iter().fold(0, |sum: i64, cell| sum.saturating_add(value(cell))))
    }

    fn values_by_cell(&self, name: &str) -> Answer<Rc<[i64]>> {
        self.0.context.read(|state| {
            let board = state.board();
            self.0.meter.work(board.cell_count() as u64)?;
            let number = |cell| {
                let thing = board.cell_name(cell);
                let value = self.value_of(name, thing)?;
                value
                    .as_integer()
                    .ok_or_else(|| wrong(format!("the parameter {name:?} is no number for {thing}")))
            };
            board.cells().map(number).collect()
        })
    }

    /// The legal actions, or those of one name.
    pub(crate) fn legal(&self, name: Option<&str>) -> Answer<Vec<Action>> {
        self.is_alive()?;
        let state = self.0.context.state().ok_or_else(|| wrong("there is no state to look at"))?;
        let rules = self.0.shared.rules().map_err(|fault| failed(fault.into()))?;
        self.0.meter.work(LIST_OPERATIONS)?;
        let legal = match name {
            None => flow::legal(&**rules, &state, self.0.seat),
            Some(name) => {
                let wanted = found_action(state.declarations(), name)?;
                legal_of(&**rules, &state, self.0.seat, wanted)
            }
        };
        let legal = legal.map_err(failed)?;
        self.0.meter.charge(legal.len() * size_of::<Action>())?;
        self.0.meter.work(legal.len() as u64)?;
        Ok(legal)
    }

    /// The state after an action, with luck of the strategy's own.
    pub(crate) fn after(&self, state: Arc<State>, action: &Action) -> Answer<Arc<State>> {
        self.is_alive()?;
        self.0.meter.work(TRIAL_OPERATIONS)?;
        self.0.meter.charge(STATE_BYTES)?;
        let rules = self.0.shared.rules().map_err(|fault| failed(fault.into()))?;
        let seed = self.0.generator.borrow_mut().next_seed();
        let mut trial = Transaction::new(state, Luck::Roll(Generator::new(seed)));
        flow::perform(&**rules, &mut trial, action).map_err(failed)?;
        Ok(trial.into_parts().0)
    }

    /// What may be expected of a contest.
    pub(crate) fn expect(&self, contest: usize, sides: &[Value]) -> Answer<Arc<Expected>> {
        self.is_alive()?;
        let state = self.0.context.state().ok_or_else(|| wrong("there is no state to look at"))?;
        let (expected, new) = self.0.shared.expect(&state, contest, sides).map_err(failed)?;
        if new > 0 {
            self.0.meter.work(PLACE_OPERATIONS.saturating_mul(new as u64))?;
        }
        Ok(expected)
    }

    /// A number below another, by the strategy's own luck.
    pub(crate) fn below(&self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap_or(u32::MAX);
        self.0.generator.borrow_mut().below(bound) as usize
    }

    /// Whether anybody is told what is thought.
    pub(crate) fn is_watched(&self) -> bool {
        self.0.is_watched
    }

    /// Notes something about the decision.
    pub(crate) fn remark(&self, text: &str, number: Option<i64>) {
        self.say(|| Remark {
            text: Arc::from(text),
            action: None,
            number,
        });
    }

    /// Notes the value of an action. Of several values the greatest counts.
    pub(crate) fn weigh(&self, action: &Action, value: i64) {
        let mut remarks = self.0.remarks.borrow_mut();
        if let Some(known) = remarks.iter_mut().find(|known| known.action.as_ref() == Some(action)) {
            known.number = known.number.max(Some(value));
            return;
        }
        drop(remarks);
        self.say(|| Remark {
            text: Arc::from(""),
            action: Some(action.clone()),
            number: Some(value),
        });
    }

    fn say(&self, remark: impl FnOnce() -> Remark) {
        let mut remarks = self.0.remarks.borrow_mut();
        if self.0.is_watched && remarks.len() < MOST_REMARKS {
            remarks.push(remark());
        }
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
fn unknown_parameter(name: &str) -> Box<rhai::EvalAltResult> {
    wrong(format!(
        "the strategy has no parameter {name:?}: give it a value in the XML file beside the script"
    ))
}
