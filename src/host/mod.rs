//! The authority: one match, its journal, and who may see and do what.
//!
//! Submit, undo, redo, reload and debug changes all end in one place, the pipeline of [`Match`].
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod access;
mod edit_commands;
mod error;
mod event;
mod history;
mod journal;
mod manual_edit;
mod matches;
mod policy;
mod reload;
mod replay;
mod rulebooks;

pub use access::{Access, ClientId};
pub use edit_commands::{Completion, WORDS_BY_HAND, complete_by_hand};
pub use error::{HostError, ReloadError};
pub use event::{Cause, Event};
pub use journal::Journal;
pub use manual_edit::ByHand;
pub use matches::Match;
pub use policy::{Policy, UndoPolicy};
pub use replay::{Difference, Verified, verify};
