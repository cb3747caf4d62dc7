//! What is marked on the board.

use super::Desk;
use boardwright_protocol::SeatEvent;
use boardwright_model::{Action, CellId, Effect, Pick, PieceId, State};
use crate::board::{Ghost, Marks};

impl Desk {
    /// What is marked on the board.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let Some(state) = self.state() else {
            return marks;
        };
        marks.last = self.last.get(&self.mirror().at()).cloned().unwrap_or_default();
        marks.differing = self.differing();
        marks.foreseen = self.foreseen().cloned();
        marks.heat = self.heat().clone();
        if let Some(first) = self.mirror().hint().and_then(|report| report.line.first()) {
            marks.hint = cells_of_action(state, &first.action);
        }
        if let Some(picking) = self.picking.as_ref().filter(|_| self.may_choose()) {
            marks.chosen = picking.trail();
            marks.is_set = picking.is_set();
            marks.targets = picking.cells();
            let cell_of = |piece: PieceId| state.piece(piece)?.place.cell();
            marks.liftable = picking.first_cells();
            marks.liftable.extend(picking.first_pieces().into_iter().filter_map(cell_of));
            let cells = picking.pieces().into_iter().filter_map(cell_of);
            if marks.chosen.is_empty() {
                marks.pickable = cells.collect();
            } else {
                marks.targets.extend(cells);
            }
        }
        marks
    }

    /// The piece that is picked, where it would come to be: on the cell that was picked last, or on the one under the pointer.
    pub fn ghost(&self, hovered: Option<CellId>) -> Option<Ghost> {
        let (state, picking) = (self.state()?, self.picking.as_ref().filter(|_| self.may_choose())?);
        if let Some(laying) = picking.laying() {
            let cell = laying.cell.or(hovered)?;
            let kind = state.frame().kind(state.piece(laying.piece)?.kind)?;
            let shape = kind.figure.as_ref()?.lying(laying.pose);
            let board = state.board();
            // What reaches over the rim of the board is left out of the picture.
            let cells = board.squares(shape, cell).map_or_else(|| vec![cell], |cells| cells.to_vec());
            return Some(Ghost {
                piece: laying.piece,
                fits: laying.cell.is_some() || picking.cells().contains(&cell),
                cells,
            });
        }
        // What the rules have told of the action shows where the piece would stand.
        if self.foreseen().is_some() {
            return None;
        }
        let piece = picking.picked_pieces().into_iter().next()?;
        let trail = picking.trail();
        let ahead = hovered.filter(|cell| picking.cells().contains(cell));
        let cell = ahead.or(trail.last().copied().filter(|_| trail.len() > 1))?;
        let is_elsewhere = state.piece(piece)?.place.cell() != Some(cell);
        is_elsewhere.then(|| Ghost {
            piece,
            cells: vec![cell],
            fits: true,
        })
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
