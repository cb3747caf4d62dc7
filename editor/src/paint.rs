//! What the tools reach on the board of a file, and the edits that follow.

use boardwright_editing::{Lattice, Step, StepKind, Symmetry, SymmetryTable, paint};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{CellId, CellSet, Map};
use boardwright_ui::text;

use crate::editor::Ask;
use crate::file::OpenFile;

/// The names of what strokes can be repeated by on the board of a file; the first repeats nothing.
pub(crate) fn symmetries(file: &OpenFile) -> Vec<String> {
    let names = file.symmetries.iter().map(|table| title(table.symmetry()));
    std::iter::once(text!("symmetry-none")).chain(names).collect()
}

/// What people call a symmetry.
fn title(symmetry: Symmetry) -> String {
    match symmetry {
        Symmetry::LeftRight => text!("symmetry-left-right"),
        Symmetry::TopBottom => text!("symmetry-top-bottom"),
        Symmetry::Both => text!("symmetry-quarters"),
        Symmetry::Diagonal => text!("symmetry-falling"),
        Symmetry::OtherDiagonal => text!("symmetry-rising"),
        Symmetry::Half => text!("symmetry-half-turn"),
        Symmetry::Thirds => text!("symmetry-thirds"),
        Symmetry::Quarters => text!("symmetry-quarter-turns"),
        Symmetry::Sixths => text!("symmetry-sixths"),
    }
}

/// Cells with those in which the chosen symmetry repeats them.
pub(crate) fn with_images(file: &OpenFile, chosen: usize, cells: &CellSet) -> CellSet {
    let table: Option<&SymmetryTable> = chosen.checked_sub(1).and_then(|index| file.symmetries.get(index));
    table.map_or_else(|| cells.clone(), |table| table.spread(cells))
}

/// Cells as a set.
pub(crate) fn set_of(lattice: &Lattice, cells: impl IntoIterator<Item = CellId>) -> CellSet {
    CellSet::from_cells(lattice.board().cell_count(), cells)
}

/// What gives a cell another name, wherever the map names it; where another cell has that name, why it does not.
pub(crate) fn rename_cell(map: &Map, file: &OpenFile, cell: CellId, name: &str) -> Ask {
    let other = file.drawn.board().find_cell(name).filter(|other| *other != cell);
    if other.is_some() {
        return Ask::Report(Diagnostic::warning(Code::DuplicateName, text!("cell-name-taken", name = name)).into());
    }
    Ask::Apply(Step::new(StepKind::Name, paint::name_cell(map, &file.lattice, cell, name)))
}
