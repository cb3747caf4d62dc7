//! A client of a match: the messages it exchanges with the host, the ways they travel, and the mirror it keeps of the match.

mod again;
mod connection;
mod following;
#[cfg(feature = "io")]
mod hand_completion;
mod interpreter;
mod link;
#[cfg(feature = "io")]
pub mod local;
pub mod messages;
mod mirror;
mod odds_report;
mod stdio;

/// What can be said to change a match by hand: the words with their help, and how a line can go on.
pub use crate::host::{Completion, WORDS_BY_HAND};
pub use again::Again;
pub use connection::Connection;
#[cfg(feature = "io")]
pub use hand_completion::complete_by_hand;
pub use interpreter::{Interpreter, Tongue};
pub use link::{Link, LinkClosed, LocalLink, Wake};
pub use mirror::Mirror;
pub use odds_report::{ChanceReport, EndReport, OddsReport};
pub use stdio::{LineLink, serve_lines};
