//! A client of a match: the messages it exchanges with the host, the links they travel on, and the mirror it keeps of the match.
//!
//! [`Connection`] sends requests over a [`Link`], localizes what arrives ([`Translator`]) and keeps a [`Mirror`] up to date: the
//! views of the seats it holds, the history, the players, the chat. A view whose digest differs from the host's is asked for
//! again, so a mirror can not stay wrong. A window, a terminal and a bot use the same messages.
//!
//! It names no session and no thread of the host, and outside of `local`, which composes both ends in one process, no file.

mod connection;
#[cfg(feature = "io")]
mod edit_completion;
mod line_link;
mod link;
#[cfg(feature = "io")]
pub mod local;
pub mod messages;
mod mirror;
mod repeat;
mod translator;

/// Edit commands with their help, and how a line with one can be completed.
pub use boardwright_model::{Completion, EDIT_COMMANDS};
pub use connection::Connection;
#[cfg(feature = "io")]
pub use edit_completion::complete_edit;
pub use line_link::LineLink;
pub use link::{Link, LinkClosed, Wake, receive_from};
pub use messages::{ChanceReport, EndReport, OddsReport};
pub use mirror::Mirror;
pub use repeat::RepeatedAction;
pub use translator::{Locale, Translator};
