//! The seam between the host and a ruleset.
//!
//! [`Rules`] is what a ruleset provides: declarations and hooks. [`flow`] is how play goes on between them: legal actions,
//! carrying one out, turns, phases, decisions, endings. A [`Transaction`] is what every change is made through, [`Luck`] what every
//! draw comes from, a [`Pattern`] lists moves without asking hooks, [`odds`] enumerates contests, [`read_action`] reads what players write.
//!
//! Promised: an action happens as a whole or not at all, the same luck gives the same result everywhere, legal actions are sorted and
//! unique. Callers can not tell whether the rules are scripts or Rust. No file, clock, thread, journal, player or screen is named here.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod conformance;
mod contest;
mod debugger;
mod determinization;
mod endings;
pub mod fixture;
pub mod flow;
mod generator;
mod guidance;
mod listing;
mod luck;
mod notation;
pub mod odds;
mod pattern;
pub mod perft;
mod playout;
mod playout_weights;
mod sampling;
mod strategy;
mod transaction;
mod turns;

use std::sync::Arc;

pub use contest::{Changes, Round, after};
pub use debugger::{Pause, PauseReasons, Resume, StrategyDebugger};
pub use determinization::determinize;
pub use generator::Generator;
pub use guidance::{Guidance, NoGuidance, prior};
pub use listing::legal_of;
pub use luck::{DrawError, Enumeration, Luck};
pub use notation::{read_action, split_pick};
pub use pattern::{
    Around, CellsOf, Each, Feature, Gait, Into as IntoCell, Motion, Motions, Pattern, PatternMove, Placement, Placements, Prior, Sink,
    Whose,
};
pub use playout::{PlayoutBuffers, draw_action, playout};
pub use playout_weights::{PlayoutWeights, WeightFor};
pub use sampling::{RandomActionSampler, random_action};
pub use strategy::{Advice, Consultation, Remark, Settings};
pub use transaction::{Mark, Transaction};

use boardwright_model::{
    Action, ActionId, Board, CellSet, Declarations, Domain, Fault, Fingerprint, Looks, Outcome, Pick, Refusal, Rejection, SeatId, Sides,
    State, Value,
};

/// What a ruleset provides. One value serves one match (its options are fixed); it is not shared between threads, each
/// thread makes its own.
///
/// Hooks only look at states and write through transactions; they keep nothing between calls.
///
/// # Errors
/// Every function that may give a [`Rejection`] gives a fault where the rules are at fault or do not have what is asked for;
/// [`domain`](Self::domain), [`may`](Self::may) and [`carry_out`](Self::carry_out) also refuse.
#[expect(clippy::missing_errors_doc, reason = "said once, for all functions")]
#[expect(unused_variables, reason = "defaults look at nothing")]
pub trait Rules {
    /// The declarations.
    fn frame(&self) -> &Arc<Declarations>;

    /// The identity of the rules by content.
    fn fingerprint(&self) -> Fingerprint;

    /// What may be picked next for an action, after the picks already made.
    fn domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection>;

    /// Why what was picked is not offered, in the words of the rules; `None` where they have nothing to say about it.
    fn explain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Option<Refusal> {
        None
    }

    /// Whether an action can be asked at all now, before anything is picked. Only asked of actions that fit phase and
    /// decision.
    fn may(&self, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<bool, Rejection> {
        Ok(true)
    }

    /// Whether an action that has a pattern could also be picked by hooks, which then have to say the same.
    fn has_hooks_beside_pattern(&self, action: ActionId) -> bool {
        false
    }

    /// What may be picked next as hooks say it, whether or not there is a pattern. To compare the two.
    fn hook_domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection> {
        self.domain(state, seat, action, picked)
    }

    /// The pattern that lists an action's picks, if the action has one.
    fn pattern(&self, action: ActionId) -> Option<&Pattern> {
        None
    }

    /// Appends the actions of one sort that `domain` allows, in any order, when a quicker way than asking for every domain is
    /// known. Returns whether it is.
    fn list(&self, state: &Arc<State>, seat: SeatId, action: ActionId, out: &mut Vec<Action>) -> Result<bool, Rejection> {
        let pattern = self.pattern(action);
        if let Some(pattern) = pattern {
            pattern.actions(state, seat, action, out);
        }
        Ok(pattern.is_some())
    }

    /// Prepares a match: shuffles decks, deals hands.
    fn begin(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        Ok(())
    }

    /// Carries out an action whose picks are in their domains.
    fn carry_out(&self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection>;

    /// Called when a phase has begun.
    fn enter_phase(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        Ok(())
    }

    /// Called when a phase is about to end.
    fn leave_phase(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        Ok(())
    }

    /// How the match ends, if it does in this state, beyond the declared endings.
    fn outcome(&self, state: &Arc<State>) -> Result<Option<Outcome>, Rejection> {
        Ok(None)
    }

    /// The points of each seat, in turn order, for endings that rank by them.
    fn final_scores(&self, state: &Arc<State>) -> Result<Vec<i64>, Rejection> {
        Err(Fault::new("missing-hook", "an ending ranks the seats, and the rules count no points").into())
    }

    /// The cells a seat sees; `None` for all.
    fn visible(&self, state: &Arc<State>, seat: Option<SeatId>) -> Result<Option<CellSet>, Rejection> {
        Ok(None)
    }

    /// The contest that an action begins, as far as it was picked: its index, and what its sides stand at. `None` if it begins none, or that
    /// is not known yet.
    fn contest_of(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Option<(usize, Sides)>, Rejection> {
        Ok(None)
    }

    /// What the next round of a contest depends on, given what its sides stand at; `None` when it is over.
    fn contest_round(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<Option<Round>, Rejection> {
        Err(Fault::new("no-such-thing", "there is no such contest").into())
    }

    /// Draws for one round of a contest, and says what it changes.
    fn contest_clash(&self, transaction: &mut Transaction, contest: usize, round: &Round) -> Result<Changes, Rejection> {
        Err(Fault::new("no-such-thing", "there is no such contest").into())
    }

    /// The result that the sides of a contest stand for, as an index into the declared ones.
    fn contest_result(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<usize, Rejection> {
        Err(Fault::new("no-such-thing", "there is no such contest").into())
    }

    /// What a strategy written for these rules decides.
    ///
    /// # Errors
    /// If there is no such strategy, or it fails: with the place in its script.
    fn consult(&self, asked: &Consultation<'_>) -> Result<Advice, Rejection> {
        Err(no_strategy(asked.strategy).into())
    }

    /// What a strategy thinks a state is worth for a seat; `None` if it does not say.
    fn evaluate(&self, asked: &Consultation<'_>) -> Result<Option<i64>, Rejection> {
        Err(no_strategy(asked.strategy).into())
    }

    /// What a strategy thinks each cell is worth to a seat; `None` where it does not say.
    fn evaluate_cells(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection> {
        Err(no_strategy(asked.strategy).into())
    }

    /// Runs a line of a script against a match, for whoever changes it by hand. Gives what it printed.
    ///
    /// # Errors
    /// If the rules run no scripts, or the line is at fault.
    fn run_line(&self, transaction: &mut Transaction, line: &str) -> Result<String, Rejection> {
        Err(Fault::new("no-scripts", "these rules run no lines of scripts").into())
    }

    /// An action in the ruleset's notation, seen from the state it is asked in.
    fn notation(&self, state: &Arc<State>, action: &Action) -> String {
        flow::plain_notation(state, action)
    }

    /// How things look to a seat, where it is not as the declarations say.
    fn looks(&self, view: &Arc<State>, seat: Option<SeatId>) -> Result<Looks, Rejection> {
        Ok(Looks {
            position: view.position(),
            ..Looks::default()
        })
    }

    /// What the rules were found at fault with since this was last asked, each thing once: what was asked of them may have gone on
    /// without an answer (an action is left out, a notation is plain), and their author has to know all the same.
    fn take_faults(&self) -> Vec<Fault> {
        Vec::new()
    }

    /// Changes a state made under other rules so that it suits these, after a reload.
    fn migrate(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        Ok(())
    }

    /// What the rules tell computer players.
    fn guidance(&self) -> &dyn Guidance {
        &NoGuidance
    }
}

/// The fault of asking for a strategy that is not there.
pub fn no_strategy(name: &str) -> Fault {
    Fault::new("no-such-thing", format!("there is no strategy `{name}`"))
}

/// Something that makes rules for a board: a compiled ruleset, or the fixture. Shared between threads.
pub trait RulesSource: Send + Sync {
    /// The declarations, with ids in the order of declaration.
    fn frame(&self) -> &Arc<Declarations>;

    /// The identity of the rules by content.
    fn fingerprint(&self) -> Fingerprint;

    /// A fault at the place where a list of declarations (`kinds`) has one of a name, or else where the list stands; as it is where
    /// rules do not come from files.
    fn at_declaration(&self, fault: Fault, list: &str, name: &str) -> Fault {
        let _ = (list, name);
        fault
    }

    /// Rules for matches on a board with these options, in the order in which the frame declares them. `frame` is the one of
    /// this source, or what [`State::reconcile`] made of it for a match that began under other rules.
    ///
    /// # Errors
    /// If the rules do not work on that board.
    fn rules(&self, board: &Arc<Board>, frame: &Arc<Declarations>, options: &[Value]) -> Result<Box<dyn Rules>, Fault>;
}
