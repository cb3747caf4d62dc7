//! A client of a match: the messages it exchanges with the host, the ways they travel, and the mirror it keeps of the match.

mod connection;
mod following;
mod link;
#[cfg(feature = "io")]
pub mod local;
pub mod messages;
mod mirror;
mod stdio;

pub use connection::Connection;
pub use link::{Link, LinkClosed, LocalLink, Wake};
pub use mirror::Mirror;
pub use stdio::{LineLink, serve_lines};
