//! A client of a match: the messages it exchanges with the host, the links they travel on, and the mirror it keeps of the match.
//!
//! [`Connection`] sends requests over a [`Link`], localizes what arrives ([`Translator`]) and keeps a [`Mirror`] up to date: the
//! views of the seats it holds, the history, the players, the chat. A view whose digest differs from the host's is asked for
//! again, so a mirror cannot stay wrong. A window, a terminal and a bot use the same messages.
//!
//! A [`LuckWatch`] takes a player's part in luck that can be verified, and checks what is drawn.
//!
//! What there is to play, and matches that begin, come from a [`Content`](content::Content), which whoever opens a window provides.
//!
//! It names no session, no thread of the host, no rules and no file.

mod clocks;
mod connection;
pub mod content;
mod difference;
mod line_link;
mod link;
mod luck_watch;
mod mirror;
mod repeat;
mod translator;

pub use clocks::{Clocks, clock_text};
pub use connection::Connection;
pub use content::MatchChoice;
pub use difference::Difference;
pub use line_link::LineLink;
pub use link::{Link, LinkClosed, Wake, receive_from};
pub use luck_watch::{KeepSecret, LuckReaction, LuckSecret, LuckWatch};
pub use mirror::Mirror;
pub use repeat::RepeatedAction;
pub use translator::{Locale, Translator, localize_declarations, localize_looks};
