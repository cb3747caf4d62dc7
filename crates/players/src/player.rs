//! What every computer player is: something that chooses an action.

use std::sync::Arc;
use std::time::Duration;

use super::Budget;
use boardwright_model::{Action, Evaluation, Rejection, SeatId, State};
use boardwright_rules::{Remark, Rules};

/// A computer player. It knows no ruleset: only hooks, the flow of play, and what its seat sees.
pub trait Player {
    /// The name, as [`PlayerSpec`](super::PlayerSpec) writes it.
    fn name(&self) -> String;

    /// Chooses one of the legal actions of a seat, within a budget. Whatever the budget, a legal action is chosen when there
    /// is one. `report` is told of progress.
    ///
    /// # Errors
    /// If the player cannot play by these rules, the seat has no action, or the rules are at fault.
    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError>;

    /// Shows the player how a match has ended, as its seat sees it. Most do not care.
    fn see_end(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) {
        let _ = (rules, state, seat);
    }
}

/// What a player is asked: an action of which seat, in what state, within what.
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    /// The rules of the match.
    pub rules: &'a dyn Rules,
    /// What the seat sees of the match.
    pub state: &'a Arc<State>,
    /// The seat that acts.
    pub seat: SeatId,
    /// How long and how far the player may think.
    pub budget: &'a Budget,
}

/// What a player has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The action.
    pub action: Action,
    /// What it expects of it for its seat; `None` from players that do not judge.
    pub evaluation: Option<Evaluation>,
    /// The depth of its search, in actions.
    pub depth: u32,
    /// The nodes it searched.
    pub nodes: u64,
    /// How it expects play to go on, beginning with the action.
    pub line: Vec<Action>,
    /// The time it took.
    pub elapsed: Duration,
    /// Why it was not the player itself that chose, but one that stood in for it.
    pub instead_of: Option<PlayerError>,
    /// What it thought, for whoever watches it; empty from players that do not say.
    pub thoughts: Vec<Remark>,
}

impl Choice {
    /// An action without anything that speaks for it.
    pub fn of(action: Action) -> Self {
        Self {
            line: vec![action.clone()],
            action,
            evaluation: None,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            instead_of: None,
            thoughts: Vec::new(),
        }
    }
}

/// How far a player has come. The fields are those of [`Choice`].
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of Choice, described there")]
pub struct Thinking {
    pub evaluation: Option<Evaluation>,
    pub depth: u32,
    pub nodes: u64,
    pub line: Vec<Action>,
    pub elapsed: Duration,
}

impl Thinking {
    /// How far a player has come that has chosen.
    pub fn of(choice: &Choice) -> Self {
        let mut line = choice.line.clone();
        if line.first() != Some(&choice.action) {
            line = vec![choice.action.clone()];
        }
        Self {
            evaluation: choice.evaluation,
            depth: choice.depth,
            nodes: choice.nodes,
            line,
            elapsed: choice.elapsed,
        }
    }
}

/// Why a player has not chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// It cannot play by these rules; another player may.
    #[error("{player} cannot play here: {reason}")]
    Unsuitable {
        /// The player.
        player: String,
        /// Why, in words for players.
        reason: String,
    },
    /// The seat has nothing to choose from.
    #[error("{seat} has no action to choose from")]
    NoAction {
        /// The title of the seat.
        seat: String,
    },
    /// The rules are at fault, or refuse what they listed.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// There is no computer player of that name.
    #[error(
        "{0} is no computer player, and no strategy of these rules: there are random, greedy, search, mcts, maxn, paranoid and expectimax"
    )]
    Unknown(String),
    /// There is no computer player of that name, and no strategy among those that there are.
    #[error(
        "{name} is no computer player, and no strategy of these rules: there are random, greedy, search, mcts, maxn, paranoid, expectimax, {strategies}"
    )]
    UnknownStrategy {
        /// What was named.
        name: String,
        /// The strategies of the rules, with commas between them.
        strategies: String,
    },
    /// A program that plays did not act as it should.
    #[error("{player}: {what}")]
    Outside {
        /// The player.
        player: String,
        /// What it did, or did not.
        what: String,
    },
    /// The player broke down. It is made again for the next choice.
    #[error("the player broke down: {0}")]
    Panicked(String),
    /// The thread of the player cannot be started.
    #[error("the thread of the player cannot be started: {0}")]
    Thread(String),
}

impl PlayerError {
    pub(super) fn no_action(state: &State, seat: SeatId) -> Self {
        Self::NoAction {
            seat: state.declarations().seat_title(seat).to_string(),
        }
    }
}
