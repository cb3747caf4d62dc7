//! Reading and writing XML so that a person can act on every fault.
//!
//! A document becomes a [tree](Element) whose every element, attribute and word knows its place. The one [description](Fields) of
//! its kind then fills a value from the tree, checks it and prints it. Reading goes on after a fault, so it tells everything that is
//! wrong, with line and column, and a document with a fault gives no value at all. (The derived readers of serde stop at the first
//! fault and have forgotten where it stood.)
//!
//! What XML has and documents do not: document types and entities of one's own, processing instructions, namespaces, encodings
//! other than UTF-8. Sizes and depths have limits ([`MOST_BYTES`], [`MOST_ELEMENTS`], [`MOST_DEPTH`]).

mod comments;
mod document;
mod faults;
mod fields;
pub mod lists;
mod print;
mod rewrite;
mod source;
mod text;
mod tree;
mod values;

pub use boardwright_ruleset::did_you_mean;
pub use comments::keep_comments;
pub use document::{Document, Format, Upgrade, format_of, place_of, root_name};
pub(crate) use document::{current_tree, read, read_tree};
pub use faults::Faults;
pub(crate) use fields::print as print_fields;
pub use fields::{Fields, Outline};
pub(crate) use print::Tag;
pub(crate) use rewrite::rewrite;
pub use source::{MOST_BYTES, Position, Source, Spot};
pub use tree::{Attribute, Element, MOST_DEPTH, MOST_ELEMENTS};
pub use values::{Codec, FLAG, List, Notation, Number, Text, Words, WrongValue, is_id};
