//! Pieces of a scenario under the pointer: put on the board, taken hold of, dragged there and back to zones.

use boardwright_editing::{Edit, Step, StepKind, setup};
use boardwright_model::{CellId, CellSet, Pose, Setup, SetupPiece, SetupPlace};

use crate::board_pane::Pane;
use crate::file::OpenFile;
use crate::gesture::{Begun, HeldPiece};
use crate::paint::set_of;
use crate::tools::Choices;

/// What is dragged from one panel to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dragged {
    /// A new piece of a kind, by its name.
    Kind(String),
    /// A piece that is off the board, by its position among those of the scenario.
    Piece(usize),
    /// The selected pieces.
    Selected,
}

/// The cells that the piece in hand would cover; none where it does not fit.
pub(crate) fn piece_reach(file: &OpenFile, choices: &Choices, cell: CellId) -> CellSet {
    let (board, declarations) = (file.drawn.board(), &file.ruleset.declarations);
    let kind = choices.kind.as_ref().and_then(|kind| declarations.find_kind(kind));
    let Some(figure) = kind.and_then(|kind| declarations.figure(kind)) else {
        return set_of(&file.lattice, [cell]);
    };
    let pose = Pose::ALL.get(choices.pose).copied().unwrap_or(Pose::UPRIGHT);
    let covered = board.squares(figure.lying(pose), cell);
    set_of(&file.lattice, covered.into_iter().flatten())
}

/// A new piece as it is chosen in the palette, for a cell.
fn new_piece(file: &OpenFile, choices: &Choices, kind: &str, cell: CellId) -> SetupPiece {
    let declarations = &file.ruleset.declarations;
    let has_shape = declarations.find_kind(kind).is_some_and(|kind| declarations.figure(kind).is_some());
    let name = file.drawn.board().cell_name(cell).to_owned();
    let place = match Pose::ALL.get(choices.pose).filter(|_| has_shape) {
        Some(pose) => SetupPlace::Posed(name, pose.word().to_owned()),
        None => SetupPlace::Cell(name),
    };
    SetupPiece {
        kind: kind.to_owned(),
        name: None,
        owner: choices.owner.clone(),
        place,
        values: Vec::new(),
    }
}

/// Adds a piece to a scenario, and selects it.
pub(crate) fn add_piece(file: &mut OpenFile, piece: SetupPiece) {
    let Some(scenario) = file.document.draft().scenario() else { return };
    let edits = setup::add_piece(scenario, piece);
    // It may come between others that are like it.
    let at = edits.iter().find_map(|edit| match edit {
        Edit::Pieces(splice) => Some(splice.at),
        _ => None,
    });
    file.selection.set_pieces(at.into_iter().collect());
    file.selection.clear_cells();
    file.apply(Step::new(StepKind::Pieces, edits));
}

impl Pane<'_> {
    /// The hand takes hold of the pieces on a cell, or else of the cell itself.
    pub(crate) fn take_hold(&mut self, cell: CellId) {
        let here: Vec<usize> = self.file.pieces_on(cell);
        let selected = here.iter().rfind(|piece| self.file.selection.pieces().contains(piece)).copied();
        let Some(index) = selected.or(here.last().copied()).filter(|_| !self.file.is_map()) else {
            self.file.selection.clear_pieces();
            if self.takes_away {
                self.file.selection.toggle_cell(cell);
            } else {
                self.file.selection.set_cells([cell].into());
            }
            return;
        };
        self.file.selection.clear_cells();
        if self.takes_away {
            self.file.selection.toggle_piece(index);
            return;
        }
        if selected.is_none() {
            self.file.selection.set_pieces([index].into());
        }
        self.file.gesture.begun = Begun::Piece(HeldPiece {
            index,
            cell,
            was_selected: selected.is_some(),
        });
    }

    /// Lets pieces go over a cell. On the cell they come from it is a click: it takes the next piece there.
    pub(crate) fn release_piece(&mut self, held: HeldPiece, to: CellId) {
        if to != held.cell {
            self.move_selected(held.cell, to);
        } else if held.was_selected {
            let here = self.file.pieces_on(to);
            let below = here.iter().rfind(|index| **index < held.index).or(here.last());
            self.file.selection.set_pieces(below.copied().into_iter().collect());
        }
    }

    /// Moves the selected pieces so that those on one cell come to another.
    fn move_selected(&mut self, from: CellId, to: CellId) {
        let file = &mut *self.file;
        let Some(scenario) = file.document.draft().scenario() else { return };
        let edits = setup::shift_pieces(scenario, &file.lattice, file.drawn.board(), file.selection.pieces(), from, to);
        let lies = |edit: &Edit| match edit {
            Edit::Pieces(splice) => splice.insert.iter().all(|piece| lies(file, piece)),
            _ => true,
        };
        if edits.iter().all(lies) {
            file.apply(Step::new(StepKind::Pieces, edits));
        }
    }

    /// Puts the piece that is chosen in the palette onto a cell, if it fits there.
    pub(crate) fn put_piece(&mut self, cell: CellId) {
        if let Some(kind) = self.choices.kind.clone() {
            self.put_kind(&kind, cell);
        }
    }

    fn put_kind(&mut self, kind: &str, cell: CellId) {
        let piece = new_piece(self.file, self.choices, kind, cell);
        if lies(self.file, &piece) {
            add_piece(self.file, piece);
        }
    }

    /// What was dragged here from beside the board comes to a cell.
    pub(crate) fn drop_piece(&mut self, dragged: &Dragged, cell: Option<CellId>) {
        let Some(cell) = cell.filter(|_| !self.file.is_map()) else { return };
        match dragged {
            Dragged::Kind(kind) => self.put_kind(kind, cell),
            Dragged::Piece(index) => {
                self.file.selection.set_pieces([*index].into());
                self.file.selection.clear_cells();
                self.move_selected(cell, cell);
            }
            // Those come from the board, and are let go there by themselves.
            Dragged::Selected => {}
        }
    }
}

/// Whether a piece fits where it stands: one with a shape has to lie on the board with all of it.
fn lies(file: &OpenFile, piece: &SetupPiece) -> bool {
    let only = Setup {
        pieces: vec![piece.clone()],
        ..Setup::default()
    };
    only.build(file.drawn.board(), &file.ruleset.declarations).is_ok()
}
