//! Computer players for any ruleset, of which they know nothing: they see [`Rules`](boardwright_rules::Rules), the flow of play and
//! the state or view of their seat.
//!
//! A [`PlayerSpec`] says who sits at a seat, in one word. A [`Player`] chooses an action within a [`Budget`], on the caller's
//! thread; a [`Thinker`] runs one on a thread of its own. All luck of players comes from a generator of their own, seeded by whoever makes them: a player that is asked the
//! same questions with the same seed and the same budget in depth or nodes answers the same.
//!
//! It names no ruleset, no script and no file.

mod alpha_beta;
mod alpha_beta_search;
mod auto_player;
mod budget;
mod debugger;
mod expectimax;
mod greedy;
mod iterative_deepening;
mod legal_action_cache;
mod levels;
mod limited_player;
mod low_priority;
mod max_n;
#[cfg(test)]
mod max_n_tests;
mod mcts;
mod move_ordering;
mod player;
mod prior;
mod random;
mod rules_cache;
mod spec;
mod strategist;
#[cfg(test)]
mod tests;
mod thinker;
mod transposition_table;
mod value;

pub use alpha_beta::{AlphaBeta, SearchSettings};
pub use auto_player::{AutoPlayer, WithFallback};
pub use budget::{Budget, Interrupt};
pub use debugger::{DebugSession, Debugger, DecisionBreaks, PausedStrategy};
pub use greedy::Greedy;
pub use levels::{Level, Skill};
pub use limited_player::{LimitedPlayer, PlayerLimit};
pub use max_n::{MaxN, OpponentModel};
pub use mcts::{MonteCarlo, MonteCarloSettings};
pub use player::{Choice, Decision, Player, PlayerError, Thinking};
pub use random::Random;
pub use spec::{PlayerContext, PlayerSpec, SpecError};
pub use strategist::Strategist;
pub use thinker::{Answer, Make, News, Thinker, Wake};
