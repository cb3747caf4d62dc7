//! Reading and writing XML so that a person can act on every fault.
//!
//! Documents are not read by serde: its derived readers stop at the first thing they do not like, and have forgotten where it
//! stood. Instead a document becomes a [tree](Element) whose every element, attribute and word knows its place; the [shape](Shape) of
//! the format is checked as a whole; and then plain structs are filled from it. All three steps go on after a fault, so
//! one reading tells everything that is wrong, with line and column, and a document with a fault gives no value at all.
//!
//! What XML has and documents do not: document types and entities of one's own, processing instructions, namespaces, encodings
//! other than UTF-8. Sizes and depths have limits ([`MOST_BYTES`], [`MOST_ELEMENTS`], [`MOST_DEPTH`]).

mod comments;
mod document;
mod faults;
pub mod lists;
mod print;
mod shape;
mod source;
mod text;
mod tree;

pub use crate::ruleset::did_you_mean;
pub use comments::keep_comments;
pub use document::{Format, Upgrade, format_of, place_of, read, root_name};
pub use faults::Faults;
pub use print::Tag;
pub use shape::{AttributeShape, Child, Count, Kind, Shape, TextRule, is_id};
pub use source::{MOST_BYTES, Position, Source, Spot};
pub use tree::{Attribute, Element, MOST_DEPTH, MOST_ELEMENTS};
