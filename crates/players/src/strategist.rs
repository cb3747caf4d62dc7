//! The player that plays by a strategy written for the ruleset.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::greedy::{best_of, expected_value};
use super::{Budget, Choice, DebugSession, Debugger, Decision, Player, PlayerError, Thinking};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Action, PauseCause, Rejection, StackFrame, State};
use boardwright_rules::{
    Advice, Consultation, Generator, Luck, Pause, Remark, Rules, Settings, StrategyDebugger, Transaction, flow, strategies_of,
};

/// Asks the strategy of a ruleset. What it decides is checked; where it leaves the choice to its evaluation, every action is tried and the
/// one after which it thinks most of the state is taken.
#[derive(Clone)]
pub struct Strategist {
    name: Arc<str>,
    settings: Settings,
    shown: String,
    generator: Generator,
    debugger: Option<Arc<Debugger>>,
}

/// So many of the actions that were weighed are told.
const MOST_WEIGHED: usize = 20;

struct Weighed {
    action: Action,
    tried: u64,
    thoughts: Vec<Remark>,
}

impl fmt::Debug for Strategist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strategist({})", self.shown)
    }
}

impl Strategist {
    /// The steps a decision may take: a second or two.
    pub const OPERATIONS: u64 = 10_000_000;
    /// The time a decision may take, whatever the steps.
    pub const WALL: Duration = Duration::from_secs(5);
    /// The steps one evaluation may take, of which there may be hundreds for a decision.
    const EVALUATION_OPERATIONS: u64 = 200_000;

    /// A player by the strategy of a name. `settings` are parameters that stand at something else than in its file, `shown` is how the player
    /// is written, and the seed gives it its luck.
    pub fn new(name: &str, settings: Settings, shown: String, seed: u64) -> Self {
        Self {
            name: Arc::from(name),
            settings,
            shown,
            generator: Generator::new(seed),
            debugger: None,
        }
    }

    /// The same, which may be debugged line by line.
    #[must_use]
    pub fn with_debugger(self, debugger: Option<Arc<Debugger>>) -> Self {
        Self { debugger, ..self }
    }

    fn failed(&self, what: impl fmt::Display) -> PlayerError {
        PlayerError::Outside {
            player: self.shown.clone(),
            what: what.to_string(),
        }
    }

    /// What the strategy says of an action that the rules do not allow.
    fn illegal(&self, rules: &dyn Rules, state: &Arc<State>, advice: &Advice, why: &Rejection) -> PlayerError {
        let action = advice
            .action
            .as_ref()
            .map(|action| rules.notation(state, action))
            .unwrap_or_default();
        self.failed(Diagnostic {
            code: Code::IllegalAction,
            message: format!("chose `{action}`, which cannot be done: {why}"),
            ..advice.by.clone()
        })
    }

    /// The action after which the strategy thinks most of the state, and how many were tried.
    fn best(
        &mut self,
        rules: &dyn Rules,
        asked: &Consultation<'_>,
        budget: &Budget,
        session: Option<&DebugSession>,
    ) -> Result<Weighed, PlayerError> {
        let shared = budget.shared();
        let mut budget = shared.for_thread();
        let mut actions = flow::candidates(rules, asked.state, asked.seat)?;
        if actions.is_empty() {
            return Err(PlayerError::no_action(asked.state, asked.seat));
        }
        let luck = Luck::Roll(Generator::new(self.generator.next_seed()));
        let mut trial = Transaction::new(Arc::new(State::clone(asked.state)), luck);
        let strategies = strategies_of(rules, asked.strategy)?;
        let mut evaluate = |state: &Arc<State>| {
            let after = Consultation { state, ..asked.clone() };
            Ok(strategies.evaluate(&after)?.unwrap_or(0))
        };
        let mut values: Vec<(usize, i64)> = Vec::new();
        for (index, action) in actions.iter().enumerate() {
            if budget.tick().is_err() {
                break;
            }
            if let Some(session) = session {
                session.considers(action);
            }
            let value = expected_value(rules, &mut trial, asked.seat, action, false, &mut evaluate);
            let value = value.map_err(|rejection| self.failed(rejection))?;
            if let Some(session) = session {
                session.has_weighed(action, value);
            }
            values.extend(value.map(|value| (index, value)));
        }
        let (chosen, _) = best_of(&values, actions.len(), &mut self.generator);
        let thought = |(index, value): &(usize, i64)| Remark {
            text: Arc::from(""),
            action: actions.get(*index).cloned(),
            number: Some(*value),
        };
        Ok(Weighed {
            thoughts: best_first(values.iter().map(thought).collect()),
            action: actions.swap_remove(chosen),
            tried: budget.nodes(),
        })
    }
}

impl Player for Strategist {
    fn name(&self) -> String {
        self.shown.clone()
    }

    fn choose(&mut self, decision: Decision<'_>, _report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision {
            rules,
            state,
            seat,
            budget,
        } = decision;
        let begun = Instant::now();
        if !state.acting().contains(seat) {
            return Err(PlayerError::no_action(state, seat));
        }
        let settings = self.settings.clone();
        let name = Arc::clone(&self.name);
        let session = self.debugger.as_ref().and_then(|debugger| debugger.begin(seat, &budget.interrupt));
        let asked = Consultation {
            strategy: &name,
            settings: &settings,
            state,
            seat,
            seed: self.generator.next_seed(),
            operations: Self::OPERATIONS,
            wall: budget.time.map_or(Self::WALL, |time| time.min(Self::WALL)),
            is_watched: budget.is_watched,
            debugger: session.clone().map(|session| session as Arc<dyn StrategyDebugger>),
        };
        let advice = strategies_of(rules, &name).and_then(|strategies| strategies.consult(&asked));
        let advice = advice.map_err(|rejection| self.failed(rejection))?;
        let remarks = advice.remarks.iter().cloned();
        let (weighed, mut thoughts): (Vec<Remark>, Vec<Remark>) = remarks.partition(|one| one.action.is_some());
        thoughts.extend(best_first(weighed));
        let (action, nodes) = if let Some(action) = &advice.action {
            flow::check(rules, state, action).map_err(|why| self.illegal(rules, state, &advice, &why))?;
            (action.clone(), 0)
        } else {
            let asked = Consultation {
                operations: Self::EVALUATION_OPERATIONS,
                ..asked
            };
            let weighed = self.best(rules, &asked, budget, session.as_deref())?;
            thoughts.extend(weighed.thoughts);
            (weighed.action, weighed.tried)
        };
        if let Some(session) = session
            && !session.has_chosen(&action, decided(&advice))
        {
            return Err(self.failed("the decision was stopped"));
        }
        Ok(Choice {
            nodes,
            elapsed: begun.elapsed(),
            thoughts,
            ..Choice::of(action)
        })
    }
}

/// Actions that were weighed, the best first; not all of very many.
fn best_first(mut weighed: Vec<Remark>) -> Vec<Remark> {
    weighed.sort_by_key(|thought| std::cmp::Reverse(thought.number));
    weighed.truncate(MOST_WEIGHED);
    weighed
}

/// What is to be seen of a strategy that has decided: the function that did.
fn decided(advice: &Advice) -> Pause {
    let by = &advice.by;
    Pause {
        cause: PauseCause::After,
        stack: vec![StackFrame {
            function: by.hook.clone(),
            file: by.file().to_owned(),
            line: by.line(),
            arguments: Vec::new(),
        }],
        source_line: by.source_line().map(str::to_owned),
        variables: Vec::new(),
        watches: Vec::new(),
        remarks: advice.remarks.clone(),
        hits: None,
        problem: None,
    }
}
