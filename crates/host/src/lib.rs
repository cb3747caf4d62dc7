//! The authority: one match, its journal, and who may see and do what.
//!
//! Submit, undo, redo, reload and manual edits all end in one place, the pipeline of [`Match`]. [`verify`] runs a journal again.
//!
//! Promised: a change happens as a whole and is recorded, or nothing happened; going back and forth in the journal leads to the very
//! states that were there, under the rules that were in force then; the same setup, seed and actions give the same digests. No file,
//! clock, thread, message or player is named here.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod access;
mod error;
mod event;
mod forced_dice;
mod history;
mod journal;
mod luck;
mod manual_edit;
mod matches;
mod reload;
mod replay;
mod rulebooks;
mod scenario_reload;

pub use access::{Access, ClientId};
pub use error::{HostError, ReloadError};
pub use event::{Cause, Event};
pub use journal::{Journal, Variation};
pub use luck::{LuckDifference, VerifiedLuck, verify_luck};
pub use matches::Match;
pub use reload::{ReloadSnapshot, TriedRules};
pub use replay::{Difference, Verified, verify};
pub use scenario_reload::ScenarioReload;
