//! Files of content: folders of rulesets, maps, scenarios, saves, and their logs.
//!
//! - [`Catalog`] finds what there is to play, and [`Catalog::open`] reads all that a match needs.
//! - [`Manifest`], [`MapDocument`], [`ScenarioDocument`], [`Parameters`] are the documents that people author; [`xml`] reads them
//!   with every fault at its line and column.
//! - [`Save`] is a match with everything it needs, under a checksum.
//! - [`rewrite_map`] and [`rewrite_scenario`] change the lines of a text that say something else now, and no others.
//! - [`write_atomic`] replaces a file whole or not at all; [`FolderWatch`] tells which files change.
//!
//! It promises that a file is replaced whole or not at all, and that whatever is wrong with one is told with its line and column. It names no window,
//! no session and no player.

mod align;
mod catalog;
mod checksum;
mod documents;
mod folder_watch;
mod folders;
mod line_log;
mod locked_file;
mod manifest;
mod map_document;
mod match_log;
mod moment_document;
mod packed_sources;
mod parameters;
mod properties;
mod read_file;
mod rewrite;
mod ruleset_copy;
mod ruleset_files;
mod save_document;
mod save_summary;
mod scenario_document;
mod terrain_rows;
mod texts_document;
mod tutorial_document;
mod write_file;
pub mod xml;

pub use align::align;
pub use catalog::{Catalog, MapEntry, RulesetEntry, STANDARD_SCENARIO, STRATEGIES, ScenarioEntry};
pub use documents::{check_document, document_format, document_formats, migrate_document};
pub use folder_watch::{FolderWatch, WatchError, WatchSettings};
pub use folders::{BUNDLE_NOTE, CONTENT_VARIABLE, LIBRARY, MAPS, RULESETS, content_roots, user_content};
pub use line_log::{LineLog, LoggedLines, text_checksum};
pub use locked_file::LockedFile;
pub use manifest::{MANIFEST_FILE, Manifest, Version, is_inner_path};
pub use map_document::{MAP_ENDING, MapDocument, MapPositions, print_map};
pub use match_log::{LogEntry, MatchLog, RecoverError, drop_log, recover};
pub use packed_sources::{MOST_UNPACKED, pack_sources, unpack_sources};
pub use parameters::{Parameters, read_settings};
pub use read_file::{io_error_text, read_bytes, read_text};
pub use rewrite::{rewrite_map, rewrite_scenario};
pub use ruleset_copy::RulesetCopy;
pub use ruleset_files::LoadedScenario;
pub use save_document::{MOST_SAVE_BYTES, SAVE_ENDING, Save, SavedClock};
pub use save_summary::SaveSummary;
pub use scenario_document::{SCENARIO_ENDING, ScenarioDocument, ScenarioPart, ScenarioPositions, print_scenario};
pub use texts_document::{HELP_FOLDER, TEXTS_FOLDER, TextsDocument, read_texts};
pub use tutorial_document::{TUTORIAL_FILE, TutorialDocument, TutorialStep};
pub use write_file::{BACKUPS, WriteError, backup_path, save_map, save_scenario, write_atomic, write_document};
