//! What was copied, and what is done with what is selected.

use boardwright_editing::selection::{self, Clip};
use boardwright_editing::{Edit, Lattice, Splice, Step, StepKind, setup};
use boardwright_model::{CellId, CellSet, Map};

use crate::file::OpenFile;
use crate::paint::set_of;

/// Cells that were copied.
#[derive(Clone, Debug)]
pub(crate) struct Clipboard {
    clip: Clip,
    /// The terrains as rows of text, for other programs.
    text: String,
}

fn selected(file: &OpenFile) -> CellSet {
    set_of(&file.lattice, file.selection.cells().iter().copied())
}

impl Clipboard {
    /// What is selected in a file; none if that is nothing.
    pub(crate) fn of(file: &OpenFile) -> Option<Self> {
        let map = file.map()?;
        let clip = Clip::copy(map, &file.lattice, &selected(file))?;
        Some(Self { clip, text: text_of(file) })
    }

    /// What is handed to other programs.
    pub(crate) fn text(&self) -> String {
        self.text.clone()
    }

    /// Puts it where the pointer is, or else where the selection is; then it is selected.
    pub(crate) fn paste(&self, file: &mut OpenFile) {
        let Some(map) = file.map() else { return };
        let target = file.gesture.hovered.or_else(|| file.selection.cells().first().copied());
        let Some(target) = target.or_else(|| file.drawn.board().cells().next()) else {
            return;
        };
        let edits = if file.is_graph() {
            let (x, y) = file.drawn.board().position(target);
            self.clip.paste_points(map, (x + 500, y + 500))
        } else {
            self.clip.paste(map, &file.lattice, target)
        };
        let covered = self.clip.covers(&file.lattice, target);
        file.apply(Step::new(StepKind::Paste, edits));
        if !file.is_graph() {
            file.selection.set_cells(covered.iter().collect());
        }
    }
}

/// The names of the terrains of the selected cells, row by row with tabulators.
fn text_of(file: &OpenFile) -> String {
    let state = &file.drawn.state;
    let mut rows: std::collections::BTreeMap<i32, Vec<&str>> = std::collections::BTreeMap::new();
    for cell in file.selection.cells() {
        let terrain = state
            .terrain(*cell)
            .and_then(|terrain| state.declarations().terrains.get(terrain.index()));
        let name = terrain.map_or("", |terrain| &*terrain.name);
        rows.entry(file.place(*cell).1).or_default().push(name);
    }
    rows.into_values().map(|row| row.join("\t")).collect::<Vec<_>>().join("\n")
}

/// Takes away what is selected: pieces of a scenario, what is said of cells, points of a free graph, or a corner.
pub(crate) fn delete(file: &mut OpenFile) {
    if !file.selection.pieces().is_empty() {
        let Some(scenario) = file.document.draft().scenario() else { return };
        let edits = setup::remove_pieces(scenario, file.selection.pieces());
        file.selection.clear_pieces();
        file.apply(Step::new(StepKind::Pieces, edits));
        return;
    }
    let Some(map) = file.map().filter(|_| !file.selection.cells().is_empty()) else {
        return;
    };
    // A board has a cell at least.
    if file.is_graph() && file.selection.cells().len() >= map.cells.len() {
        return;
    }
    let edits = selection::clear(map, &file.lattice, &selected(file));
    let kind = if file.is_graph() { StepKind::Points } else { StepKind::Cut };
    file.apply(Step::new(kind, edits));
    if file.is_graph() {
        file.selection.clear_cells();
    }
}

/// What changes cells in their places.
type Turn = fn(&Map, &Lattice, &CellSet) -> Vec<Edit>;

/// Turns what is selected, or mirrors it.
pub(crate) fn turn(file: &mut OpenFile, mirrors: bool) {
    let Some(map) = file.map().filter(|_| !file.selection.cells().is_empty()) else {
        turn_pieces(file, mirrors);
        return;
    };
    let (kind, turned): (_, Turn) = if mirrors {
        (StepKind::Mirror, selection::mirror_cells)
    } else {
        (StepKind::Turn, selection::turn_cells)
    };
    let edits = turned(map, &file.lattice, &selected(file));
    file.apply(Step::new(kind, edits));
}

/// Turns the pieces that are selected and have shapes, or mirrors them.
fn turn_pieces(file: &mut OpenFile, mirrors: bool) {
    use boardwright_model::{Pose, SetupPlace};
    let Some(scenario) = file.document.draft().scenario() else { return };
    let turned = file.selection.pieces().iter().filter_map(|index| {
        let mut piece = scenario.setup.pieces.get(*index)?.clone();
        let SetupPlace::Posed(_, pose) = &mut piece.place else {
            return None;
        };
        let known: Pose = pose.parse().ok()?;
        let new = if mirrors { known.mirrored() } else { known.turned() };
        new.word().clone_into(pose);
        Some(Edit::Pieces(Splice::replace(*index, piece)))
    });
    let edits = turned.collect();
    file.apply(Step::new(StepKind::Pieces, edits));
}

/// Moves what is selected so that one cell comes to another.
pub(crate) fn shift(file: &mut OpenFile, from: CellId, to: CellId) {
    let Some(map) = file.map() else { return };
    let cells = selected(file);
    let covered = Clip::copy(map, &file.lattice, &cells).is_some();
    let edits = selection::move_cells(map, &file.lattice, &cells, from, to);
    let (from, to) = (file.place(from), file.place(to));
    file.apply(Step::new(StepKind::Move, edits));
    if covered {
        let moved = file
            .selected_places()
            .into_iter()
            .map(|(x, y)| (x + to.0 - from.0, y + to.1 - from.1));
        file.selection.set_cells(moved.filter_map(|place| file.cell(place)).collect());
    }
}
