//! The seam between the host and a ruleset.
//!
//! [`Rules`] is what a ruleset provides: declarations and hooks. [`flow`] is how play goes on between them: legal actions,
//! carrying one out, turns, phases, decisions, endings. A [`Transaction`] is what every change is made through, [`Luck`] what every
//! draw comes from, a [`Pattern`] lists moves without asking hooks, [`odds`] enumerates contests, [`read_action`] reads what players write.
//!
//! Promised: an action happens as a whole or not at all, the same luck gives the same result everywhere, legal actions are sorted and
//! unique. Callers cannot tell whether the rules are scripts or Rust. No file, clock, thread, journal, player or screen is named here.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod appearance;
pub mod conformance;
mod contest;
mod debugger;
mod determinization;
mod endings;
pub mod flow;
mod forfeit;
mod guidance;
mod listeners;
mod listing;
mod luck;
mod notation;
pub mod odds;
mod pattern;
pub mod perft;
mod playout;
mod playout_weights;
mod request;
mod sampling;
mod shortlist;
mod standing_orders;
mod strategy;
mod text_protocol;
mod transaction;
mod turns;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use appearance::{Appearance, heat_map, looks};
pub use boardwright_model::Generator;
pub use conformance::PatternCheck;
pub use contest::{Changes, Clash, Contests, Round, Stand};
pub use debugger::{Pause, PauseReasons, Resume, StrategyDebugger};
pub use determinization::determinize;
pub use endings::check_endings;
pub use forfeit::{agree_draw, forfeit, forfeit_sentence, is_played_on, seats_left};
pub use guidance::{Guidance, HELD_BACK, NoGuidance, prior};
pub use listeners::{Listeners, Occurrence, OccurrenceKind};
pub use listing::legal_of;
pub use luck::{DrawError, Enumeration, Luck};
pub use notation::{NotationPart, are_alike, plain_picks, read_action, split_pick};
pub use pattern::{
    Advance, Around, CellsOf, Drop, Drops, Each, Enclosure, Feature, Gait, Into as IntoCell, Motion, Motions, Pattern, PatternMove,
    Placement, Placements, Prior, Sink, Track, Whose,
};
pub use playout::{PlayoutBuffers, draw_action, playout, playout_weights};
pub use playout_weights::{PlayoutWeights, WeightFor};
pub use request::{Request, RequestBudget, RequestKind, check_budget, is_spent};
pub use sampling::{RandomActionSampler, random_action};
pub use shortlist::{Shortlist, shortlist};
pub use standing_orders::{MOST_STANDING_ACTIONS, standing_action};
pub use strategy::{Advice, Consultation, Remark, Settings, Strategies, no_strategy, strategies_of};
pub use text_protocol::{LineNews, LineRequest, LoginFailure, TextProtocol};
pub use transaction::{Mark, Savepoint, Transaction};

use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    Action, ActionId, Board, CellSet, Declarations, Domain, Fingerprint, Outcome, Pick, Refusal, Rejection, SeatId, State, Value,
};

/// What a ruleset provides, as far as a match needs it; what it can do besides are traits of their own, behind the last functions. One value
/// serves one match (its options are fixed); it is not shared between threads, each thread makes its own.
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
    fn declarations(&self) -> &Arc<Declarations>;

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

    /// The pattern that lists an action's picks, if the action has one.
    fn pattern(&self, action: ActionId) -> Option<&Pattern> {
        None
    }

    /// Whether a legal action may take pieces of others out of play. True where that is not known before it is carried out.
    fn may_capture(&self, state: &State, action: &Action) -> bool {
        true
    }

    /// Appends the actions of one sort that `domain` allows, in any order, when a quicker way than asking for every domain is
    /// known. Returns whether it is.
    fn list(&self, state: &Arc<State>, seat: SeatId, action: ActionId, out: &mut Vec<Action>) -> Result<bool, Rejection> {
        let pattern = self.pattern(action);
        if let Some(pattern) = pattern {
            pattern.actions(state, seat, action, out)?;
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

    /// Called when the last turn of a round has ended.
    fn end_round(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        Ok(())
    }

    /// How the match ends, if it does in this state, whatever the declared endings say.
    fn outcome(&self, state: &Arc<State>) -> Result<Option<Outcome>, Rejection> {
        Ok(None)
    }

    /// The points of each seat, in turn order, for endings that rank by them.
    fn final_scores(&self, state: &Arc<State>) -> Result<Vec<i64>, Rejection> {
        Err(Diagnostic::error(Code::MissingHook, "an ending ranks the seats, and the rules count no points").into())
    }

    /// The cells a seat sees; `None` for all.
    fn visible(&self, state: &Arc<State>, seat: Option<SeatId>) -> Result<Option<CellSet>, Rejection> {
        Ok(None)
    }

    /// What an action came to as a sentence for people, with the states before and after it as everybody may see them; none where the
    /// rules have no sentence for it.
    fn sentence(&self, _before: &Arc<State>, _action: &Action, _after: &Arc<State>) -> Option<String> {
        None
    }

    /// The action that the standing orders of a seat call for, as it sees the match. Ask with [`standing_action`].
    fn standing_action(&self, view: &Arc<State>, seat: SeatId) -> Result<Option<Action>, Rejection> {
        Ok(None)
    }

    /// Whether the rules have a sentence for an action.
    fn has_sentence(&self, _action: ActionId) -> bool {
        false
    }

    /// An action in the ruleset's notation, seen from the state it is asked in.
    fn notation(&self, state: &Arc<State>, action: &Action) -> String {
        flow::plain_notation(state, action)
    }

    /// What the rules were found at fault with since this was last asked, each thing once: what was asked of them may have gone on
    /// without an answer (an action is left out, a notation is plain), and their author has to know all the same.
    fn take_faults(&self) -> Vec<Diagnostic> {
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

    /// The contests of the rules, if they have any whose odds can be worked out.
    fn contests(&self) -> Option<&dyn Contests> {
        None
    }

    /// What of the rules is told of what happens, if anything is.
    fn listeners(&self) -> Option<&dyn Listeners> {
        None
    }

    /// The strategies that are written for the rules.
    fn strategies(&self) -> Option<&dyn Strategies> {
        None
    }

    /// How things look, where it is not as the declarations say. Ask with [`looks`].
    fn appearance(&self) -> Option<&dyn Appearance> {
        None
    }

    /// The text protocol that the rules speak beside the program's own, if they speak one.
    fn text_protocol(&self) -> Option<&dyn TextProtocol> {
        None
    }

    /// The flag by which another thread stops what these rules are doing: once it is raised, every call is at fault. `None` where no call
    /// takes long.
    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }

    /// What runs lines of scripts, if the rules are scripts.
    fn console(&self) -> Option<&dyn Console> {
        None
    }

    /// What counts calls of the rules by requests, if the rules are scripts.
    fn request_budget(&self) -> Option<&dyn RequestBudget> {
        None
    }

    /// The hooks that say the same as patterns, to compare the two.
    fn pattern_check(&self) -> Option<&dyn PatternCheck> {
        None
    }
}

/// What runs lines of scripts against a match.
pub trait Console {
    /// Runs a line of a script against a match, for the edit command `run`. Gives what it printed.
    ///
    /// # Errors
    /// If the line is at fault.
    fn run_line(&self, transaction: &mut Transaction, line: &str) -> Result<String, Rejection>;
}

/// Makes rules as [`RulesSource::rules`] does, once and on the thread it was made on: of what was compiled there already.
pub type MakeRules = Box<dyn FnOnce(&Arc<Board>, &Arc<Declarations>, &[Value]) -> Result<Box<dyn Rules>, Diagnostic>>;

/// Something that makes rules for a board: a compiled ruleset, or a game in Rust. Shared between threads.
pub trait RulesSource: Send + Sync {
    /// The declarations, with ids in the order of declaration.
    fn declarations(&self) -> &Arc<Declarations>;

    /// The identity of the rules by content.
    fn fingerprint(&self) -> Fingerprint;

    /// A fault at the place where a list of declarations (`kinds`) has one of a name, or else where the list stands; as it is where
    /// rules do not come from files.
    fn at_declaration(&self, fault: Diagnostic, list: &str, name: &str) -> Diagnostic {
        let _ = (list, name);
        fault
    }

    /// Checks what is set for a strategy of the rules.
    ///
    /// # Errors
    /// The first parameter that it does not have, or that cannot have this value.
    fn check_settings(&self, strategy: &str, given: &Settings) -> Result<(), Diagnostic> {
        let _ = (strategy, given);
        Ok(())
    }

    /// Rules for matches on a board with these options, in the order in which the declarations list them. `declarations` are those of
    /// this source, or what [`State::reconcile`] made of it for a match that began under other rules.
    ///
    /// # Errors
    /// If the rules do not work on that board.
    fn rules(&self, board: &Arc<Board>, declarations: &Arc<Declarations>, options: &[Value]) -> Result<Box<dyn Rules>, Diagnostic>;
}
