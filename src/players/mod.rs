//! Computer players for any ruleset, of which they know nothing: they see [`Rules`](crate::rules::Rules), the flow of play and
//! the state or view of their seat.
//!
//! A [`PlayerSpec`] says who sits at a seat, in one word. A [`Player`] chooses an action within a [`Budget`], on the caller's
//! thread; a [`Thinker`] runs one on a thread of its own. All luck of players comes from a generator of their own, seeded by whoever makes them: a player that is asked the
//! same questions with the same seed and the same budget in depth or nodes answers the same.

mod ahead;
mod alpha_beta;
mod budget;
mod fallback;
pub mod fixture;
mod follower;
mod foresight;
#[cfg(test)]
mod foresight_tests;
mod greedy;
mod known;
mod levels;
mod made;
mod mcts;
mod ordering;
mod player;
mod random;
mod search;
mod spec;
mod strategist;
mod table;
#[cfg(test)]
mod tests;
mod thinker;
mod versatile;
mod worth;
mod yielding;

pub use alpha_beta::{AlphaBeta, SearchSettings};
pub use budget::{Budget, Interrupt};
pub use fallback::WithFallback;
pub use follower::{Follower, Following, Halted, HaltsAround};
pub use foresight::{Foresight, Stance};
pub use greedy::Greedy;
pub use levels::{Level, Skill};
pub use mcts::{MonteCarlo, MonteCarloSettings};
pub use player::{Choice, Player, PlayerError, Thinking, Thought};
pub use random::Random;
pub use spec::{Outfit, PlayerSpec, SpecError};
pub use strategist::Strategist;
pub use thinker::{Answer, Make, News, Thinker, Wake};
pub use versatile::Versatile;
pub use worth::Verdict;
