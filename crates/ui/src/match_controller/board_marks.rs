//! The marks on the board, derived from the state of a match.

use super::MatchController;
use super::event_display::cells_of_action;
use crate::board::{Ghost, Marks};
use boardwright_model::{CellId, PieceId};

pub(crate) fn board_marks(controller: &MatchController) -> Marks {
    let mut marks = Marks::default();
    let Some(state) = controller.state() else {
        return marks;
    };
    marks.last = controller.display.last_cells(controller.mirror().at()).to_vec();
    marks.differing = controller.history.differing();
    marks.preview = controller.preview().cloned();
    marks.heat_map = controller.insight.cell_values.clone();
    if let Some(first) = controller.mirror().hint().and_then(|report| report.line.first()) {
        marks.hint = cells_of_action(state, &first.action);
    }
    if let Some(lesson) = &controller.lesson {
        marks.pointed_out = lesson.cells().iter().copied().collect();
        if let Some(missed) = lesson.missed() {
            marks.hint = cells_of_action(state, missed);
        }
    }
    if let Some(picker) = controller.picker().filter(|_| controller.may_choose()) {
        marks.chosen = picker.trail();
        marks.is_set = picker.is_set();
        marks.targets = picker.cells();
        let cell_of = |piece: PieceId| state.piece(piece)?.place.cell();
        marks.liftable = picker.first_cells();
        marks.liftable.extend(picker.first_pieces().into_iter().filter_map(cell_of));
        let cells = picker.pieces().into_iter().filter_map(cell_of);
        if marks.chosen.is_empty() {
            marks.pickable = cells.collect();
        } else {
            marks.targets.extend(cells);
        }
    }
    marks
}

/// The picked piece where it would come to be: on the cell that was picked last, or on the one under the pointer.
pub(crate) fn ghost(controller: &MatchController, hovered: Option<CellId>) -> Option<Ghost> {
    let (state, picker) = (controller.state()?, controller.picker().filter(|_| controller.may_choose())?);
    if let Some(placement) = picker.placement() {
        let cell = placement.cell.or(hovered)?;
        let kind = state.declarations().kind(state.piece(placement.piece)?.kind)?;
        let shape = kind.figure.as_ref()?.lying(placement.pose);
        // Squares beyond the rim of the board are left out of the picture.
        let squares = state.board().squares(shape, cell);
        return Some(Ghost {
            piece: placement.piece,
            fits: placement.cell.is_some() || picker.cells().contains(&cell),
            cells: squares.map_or_else(|| vec![cell], |cells| cells.to_vec()),
        });
    }
    // The preview shows where the piece would stand.
    if controller.preview().is_some() {
        return None;
    }
    let piece = picker.picked_pieces().into_iter().next()?;
    let trail = picker.trail();
    let ahead = hovered.filter(|cell| picker.cells().contains(cell));
    let cell = ahead.or(trail.last().copied().filter(|_| trail.len() > 1))?;
    let is_elsewhere = state.piece(piece)?.place.cell() != Some(cell);
    is_elsewhere.then(|| Ghost {
        piece,
        cells: vec![cell],
        fits: true,
    })
}
