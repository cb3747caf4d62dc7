//! Triggers of scenarios as data: *when* something happens, and *if* something holds, *then* something is done.
//!
//! A [`Trigger`] is made of [`Sentence`]s, whose [`Form`]s stand in one table ([`FORMS`]). It is printed as a function of a script that people
//! may edit, and read back as long as it keeps its form; a [`TriggerScript`] holds a whole script, in which everything else stays as it is.
//! [`Choices`] says what the fields of a sentence can be chosen from, for a panel.
//!
//! Promised: reading a script and printing it gives its bytes back, whatever it contains, and reading a printed trigger gives the trigger back.
//! No script is run here; it names no script engine, no file and no window.

mod choices;
mod form;
mod script;
mod tokens;
mod trigger;
mod unread;

pub use choices::{Choice, Choices, Fault, FaultKind};
pub use form::{FORMS, Field, FieldKind, Form, Part, SentencePiece, Subject};
pub use script::{ScriptPart, TriggerScript};
pub use trigger::{Comparison, FieldValue, Misplaced, Sentence, SlotPath, Trigger};
pub use unread::{Unread, UnreadReason};
