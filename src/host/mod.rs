//! The authority: one match, its journal, and who may see and do what.
//!
//! Submit, undo, redo, reload and debug changes all end in one place, the pipeline of [`Match`].
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod access;
mod by_hand;
mod error;
mod event;
mod hand_words;
mod history;
mod journal;
mod matches;
mod policy;
mod reload;
mod replay;
mod rulebooks;

pub use access::{Access, ClientId};
pub use by_hand::ByHand;
pub use error::{HostError, ReloadError};
pub use event::{Cause, Event};
pub use hand_words::{Completion, WORDS_BY_HAND, complete_by_hand};
pub use journal::Journal;
pub use matches::Match;
pub use policy::{Policy, UndoPolicy};
pub use replay::{Difference, Verified, verify};
