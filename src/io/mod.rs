//! Files: the only layer that touches them.
//!
//! - [`Catalog`] finds what there is to play, and [`Catalog::open`] reads all that a match needs.
//! - [`Manifest`], [`MapDocument`], [`ScenarioDocument`], [`Parameters`] are the documents that people author; [`xml`] reads them
//!   with every fault at its line and column.
//! - [`Save`] is a match with everything it needs, under a checksum.
//! - [`mod@write`] replaces a file whole or not at all; [`watch`] tells which files change.

mod catalog;
mod checksum;
mod documents;
mod editable;
mod folders;
mod manifest;
mod map_document;
mod open;
mod packed;
mod parameters;
mod plain;
mod properties;
pub mod read;
mod save_document;
mod save_summary;
mod scenario_document;
mod terrain_rows;
mod texts_document;
pub mod watch;
pub mod write;
pub mod xml;

pub use catalog::{Catalog, MapEntry, RulesetEntry, STANDARD_SCENARIO, STRATEGIES, ScenarioEntry};
pub use documents::{DocumentKind, check_document, migrate_document, rewrite_document};
pub use folders::{CONTENT_VARIABLE, LIBRARY, MAPS, RULESETS, content_roots, user_content};
pub use manifest::{MANIFEST_FILE, Manifest, SeatRange, Version, is_inner_path};
pub use map_document::{MAP_ENDING, MapDocument, MapPositions, print_map};
pub use open::Opened;
pub use parameters::{Parameters, read_settings};
pub use plain::plain;
pub use read::{ReadError, read_bytes, read_text};
pub use save_document::{MOST_SAVE_BYTES, SAVE_ENDING, Save};
pub use save_summary::SaveSummary;
pub use scenario_document::{SCENARIO_ENDING, ScenarioDocument, ScenarioPart, ScenarioPositions, print_scenario};
pub use texts_document::{HELP_FOLDER, TEXTS_FOLDER, TextsDocument, read_phrases, read_texts};
pub use watch::{FolderWatch, WatchError, WatchSettings};
pub use write::{WriteError, WriteStep, save_map, save_scenario, write_atomic, write_document};
