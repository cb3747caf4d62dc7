//! What is marked on the board.

use super::Desk;
use crate::client::messages::SeatEvent;
use crate::model::{Action, CellId, Effect, Pick, PieceId, State};
use crate::ui::board::Marks;

impl Desk {
    /// What is marked on the board.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let Some(state) = self.state() else {
            return marks;
        };
        marks.last = self.last.get(&self.mirror().at()).cloned().unwrap_or_default();
        marks.differing = self.differing();
        if let Some(first) = self.mirror().hint().and_then(|report| report.line.first()) {
            marks.hint = cells_of_action(state, &first.action);
        }
        if let Some(picking) = self.picking.as_ref().filter(|_| self.may_choose()) {
            marks.chosen = picking.trail();
            marks.targets = picking.cells();
            let cell_of = |piece: PieceId| state.piece(piece)?.place.cell();
            let cells = picking.pieces().into_iter().filter_map(cell_of);
            if marks.chosen.is_empty() {
                marks.pickable = cells.collect();
            } else {
                marks.targets.extend(cells);
            }
        }
        marks
    }
}

/// The cells an event is about: where its piece went, or what appeared.
pub(super) fn cells_of_event(event: &SeatEvent) -> Vec<CellId> {
    let picked = event.action.as_ref().and_then(|action| {
        action.picks.iter().find_map(|pick| match pick {
            Pick::Piece(piece) => Some(*piece),
            _ => None,
        })
    });
    let mut mover = picked;
    let mut cells: Vec<CellId> = Vec::new();
    for effect in &event.effects {
        match effect {
            Effect::Move { piece, from, to, .. } if to.cell().is_some() && mover.is_none_or(|mover| mover == *piece) => {
                mover = Some(*piece);
                if cells.is_empty() {
                    cells.extend(from.cell());
                }
                cells.extend(to.cell());
            }
            Effect::Spawn(piece) if mover.is_none() && cells.is_empty() => cells.extend(piece.place.cell()),
            _ => {}
        }
    }
    if cells.is_empty() {
        let picks = event.action.iter().flat_map(|action| &action.picks);
        cells.extend(picks.flat_map(cells_of_pick));
    }
    cells
}

pub(super) fn cells_of_pick(pick: &Pick) -> Vec<CellId> {
    match pick {
        Pick::Cell(cell) => vec![*cell],
        Pick::Cells(cells) => cells.clone(),
        Pick::Path(path) => path.to_vec(),
        _ => Vec::new(),
    }
}

/// The cells of an action that was not played yet.
pub(super) fn cells_of_action(state: &State, action: &Action) -> Vec<CellId> {
    let cells = |pick: &Pick| match pick {
        Pick::Piece(piece) => state.piece(*piece).and_then(|piece| piece.place.cell()).into_iter().collect(),
        Pick::Pieces(pieces) => pieces.iter().filter_map(|piece| state.piece(*piece)?.place.cell()).collect(),
        other => cells_of_pick(other),
    };
    action.picks.iter().flat_map(cells).collect()
}
