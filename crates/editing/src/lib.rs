//! The map and scenario editor without its window.
//!
//! A [`Document`] is an open file: a [`Draft`] (a map or a scenario), the text it was read from, and a history that is kept beside the file.
//! It changes by [`Step`]s, which group [`Edit`]s; applying an edit gives the edit that undoes it. Saving changes only the lines of the text
//! that say something else now. The script that a scenario names is a part of the draft, and a file of its own.
//!
//! Tools make steps and change nothing themselves: [`paint`] on grids, [`selection`] for copying and moving, [`resize`], [`points`] and
//! [`outlines`] for free graphs, [`setup`] for scenarios, [`script`] for their triggers. [`findings`] tells what is wrong with a draft, with steps that mend it; [`statistics`]
//! counts. Coordinates are those of [`Map`](boardwright_model::Map): a column and a row on grids, a position in the list of cells on free graphs.
//!
//! It promises that edits, undone, give the file back byte for byte, and that a change is in the log beside the file before a call returns. It names no
//! window and no engine of scripts.

mod document;
#[cfg(test)]
mod document_tests;
mod draft;
mod edit;
mod edit_log;
mod file_texts;
pub mod findings;
mod grid_cells;
mod history;
mod lattice;
mod merge;
pub mod outlines;
pub mod paint;
pub mod points;
mod renames;
pub mod resize;
pub mod script;
pub mod selection;
pub mod setup;
pub mod statistics;
mod step;
mod symmetry;

pub use document::{Document, Opened, Recovered, SaveError, TakenIn};
pub use draft::Draft;
pub use edit::{Edit, Place, Splice};
pub use file_texts::FileTexts;
pub use findings::{Finding, Fix, Where};
pub use lattice::Lattice;
pub use merge::{Conflict, ConflictSubject, Merged, differences, merge};
pub use renames::Renames;
pub use step::{Step, StepKind};
pub use symmetry::{Symmetry, SymmetryTable};
