//! What is on a board at a moment: what the painter needs, and the words for those who do not see it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::art::Art;
use super::travel::Travels;
use crate::model::{CellId, Looks, PieceId, State};

/// What is marked on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Cells with a piece that may be picked.
    pub pickable: BTreeSet<CellId>,
    /// Cells that may be picked next.
    pub targets: BTreeSet<CellId>,
    /// What was picked, in order.
    pub chosen: Vec<CellId>,
    /// The cells of the last action, in order.
    pub last: Vec<CellId>,
    /// The cells of a hint, in order.
    pub hint: Vec<CellId>,
    /// Cells that are spoken of beside the board, such as a region.
    pub pointed_out: BTreeSet<CellId>,
}

/// What is on a board at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The match, or an empty state of a map.
    pub state: &'a Arc<State>,
    /// How things look.
    pub looks: &'a Looks,
    /// The pictures.
    pub art: &'a Art,
    /// What is marked.
    pub marks: &'a Marks,
    /// Pieces on their way.
    pub travels: &'a Travels,
    /// The name of the board, read out for it.
    pub title: &'a str,
    /// Whether cells can be clicked.
    pub is_playable: bool,
    /// Whether names of cells are written on the board.
    pub shows_names: bool,
}

impl Scene<'_> {
    /// Whether the rules know several sorts of ground, so that cells are filled with its colour.
    pub fn has_terrains(&self) -> bool {
        self.state.frame().terrains.len() > 1
    }

    /// A piece in words: "red soldier".
    pub fn piece_text(&self, piece: PieceId) -> String {
        let Some(piece) = self.state.piece(piece) else {
            return String::new();
        };
        let frame = self.state.frame();
        let kind = frame.kind(piece.kind).map_or("piece", |kind| &kind.title);
        let owner = piece.owner.and_then(|seat| frame.seats.get(seat.index()));
        let name = owner.map_or_else(|| kind.to_owned(), |seat| format!("{} {kind}", seat.title));
        let badge = self.looks.pieces.get(&piece.id).and_then(|look| look.badge.as_ref());
        badge.map_or(name.to_lowercase(), |badge| format!("{} {badge}", name.to_lowercase()))
    }

    /// A cell in words: "c3, red soldier, can be picked".
    pub fn cell_text(&self, cell: CellId) -> String {
        let mut parts = vec![self.state.board().cell_name(cell).to_owned()];
        if self.has_terrains() {
            let terrain = self
                .state
                .terrain(cell)
                .and_then(|terrain| self.state.frame().terrains.get(terrain.index()));
            parts.extend(terrain.map(|terrain| terrain.title.to_lowercase()));
        }
        parts.extend(
            self.looks
                .cells
                .get(&cell)
                .and_then(|look| look.label.as_deref())
                .map(str::to_owned),
        );
        let pieces = self.state.pieces_at(cell);
        if pieces.is_empty() {
            parts.push("empty".to_owned());
        }
        parts.extend(pieces.iter().map(|piece| self.piece_text(*piece)));
        let marks = self.marks;
        let said = [
            (marks.chosen.contains(&cell), "chosen"),
            (marks.targets.contains(&cell), "can be chosen"),
            (marks.pickable.contains(&cell), "can be picked"),
            (marks.hint.contains(&cell), "hint"),
            (marks.last.contains(&cell), "last action"),
            (marks.pointed_out.contains(&cell), "pointed out"),
        ];
        parts.extend(said.iter().filter(|(holds, _)| *holds).map(|(_, words)| (*words).to_owned()));
        parts.join(", ")
    }
}
