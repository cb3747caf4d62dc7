//! What runs matches for clients.
//!
//! A [`Session`] is a thread that owns one match. Clients join it through a [`SessionHandle`], send
//! [`Request`](crate::client::messages::Request)s and are delivered answers and notices; whether they sit in the same process,
//! at the end of a pipe or behind a network it can not tell.

mod answers;
mod by_hand;
mod chat;
mod chronicle;
mod clients;
mod computers;
mod control;
mod following;
mod oracle;
mod play;
mod preview;
mod program;
mod session;
mod setup;
mod statistics;
mod watching;

pub use clients::{Claim, Deliver, Joined, SessionCommand, SessionHandle};
pub use control::MOST_PACE_MILLISECONDS;
pub use program::Program;
pub use session::Session;
pub use setup::{About, KeepMatch, MakePlayer, NewRules, Record, ReloadRules, SaveMatch, SessionError, SessionSetup};
