//! The marks on the board, derived from the state of a match.

use std::collections::{BTreeMap, BTreeSet};

use super::MatchController;
use super::event_display::cells_of_action;
use crate::action_picker::ActionPicker;
use crate::board::{Annotation, Ghost, HeldPiece, Marks};
use boardwright_model::{Action, CellId, Pick, PieceId, State};

pub(crate) fn board_marks(controller: &MatchController) -> Marks {
    let mut marks = Marks::default();
    let Some(state) = controller.state() else {
        return marks;
    };
    marks.last = controller.display.last_actions(controller.mirror().at(), controller.acting_here());
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
    marks.hinted = hinted_piece(controller);
    if let Some(hinted) = &marks.hinted {
        marks.hint.clone_from(&hinted.cells);
    }
    if let Some(picker) = controller.picker().filter(|_| controller.may_choose()) {
        marks.chosen = picker.trail();
        marks.earlier = picker.earlier_cells();
        marks.in_sets = picker.cells_of_sets();
        marks.is_set = picker.is_set();
        marks.targets = picker.cells();
        marks.held = held_piece(state, picker);
        let cell_of = |piece: PieceId| state.piece(piece)?.place.cell();
        marks.liftable = picker.first_cells();
        marks.liftable.extend(picker.first_pieces().into_iter().filter_map(cell_of));
        let cells = picker.pieces().into_iter().filter_map(cell_of);
        if marks.chosen.is_empty() {
            marks.pickable = cells.collect();
        } else {
            marks.targets.extend(cells);
        }
        marks.annotations = annotations(state, picker);
        marks.partly_chosen = partly_chosen(state, picker);
    }
    marks
}

/// What the rules say of what may be picked, by cell.
fn annotations(state: &State, picker: &ActionPicker) -> BTreeMap<CellId, Annotation> {
    let annotated = picker.marks().filter_map(|mark| {
        let cell = match &mark.pick {
            Pick::Cell(cell) => *cell,
            Pick::Piece(piece) => state.piece(*piece)?.place.cell()?,
            _ => return None,
        };
        let text = mark.text.as_deref().unwrap_or_default().to_owned();
        let is_faint = mark.faint;
        Some((cell, Annotation { text, is_faint }))
    });
    annotated.collect()
}

/// The cells in which one piece of a set is picked, and another one may still be.
fn partly_chosen(state: &State, picker: &ActionPicker) -> BTreeSet<CellId> {
    if !picker.is_set() {
        return BTreeSet::new();
    }
    let cells_of = |pieces: BTreeSet<PieceId>| -> BTreeSet<CellId> {
        let cells = pieces.into_iter().filter_map(|piece| state.piece(piece)?.place.cell());
        cells.collect()
    };
    &cells_of(picker.picked_pieces()) & &cells_of(picker.pieces())
}

/// The piece with a shape that a hint, or the step of a tutorial, places: where it is to lie.
pub(crate) fn hinted_piece(controller: &MatchController) -> Option<Ghost> {
    let state = controller.state()?;
    let asked = controller.lesson.as_ref().and_then(|lesson| lesson.asked(controller.mirror().at()));
    let hint = || controller.mirror().hint()?.line.first().map(|first| &first.action);
    placed_piece(state, asked.or_else(hint)?)
}

/// The piece with a shape that an action places, if it does.
fn placed_piece(state: &State, action: &Action) -> Option<Ghost> {
    let place = action.picks.iter().position(|pick| matches!(pick, Pick::Pose(_)))?;
    let [Pick::Piece(piece), Pick::Pose(pose), Pick::Cell(cell), ..] = *action.picks.get(place.checked_sub(1)?..)? else {
        return None;
    };
    let kind = state.declarations().kind(state.piece(piece)?.kind)?;
    let held = HeldPiece {
        piece,
        shape: kind.figure.as_ref()?.lying(pose).clone(),
        fits: BTreeSet::new(),
    };
    Some(Ghost {
        piece,
        cells: held.cells(state.board(), cell),
        fits: true,
    })
}

/// The piece with a shape that is about to be placed, as it is turned now.
fn held_piece(state: &State, picker: &ActionPicker) -> Option<HeldPiece> {
    let placement = picker.placement()?;
    let kind = state.declarations().kind(state.piece(placement.piece)?.kind)?;
    Some(HeldPiece {
        piece: placement.piece,
        shape: kind.figure.as_ref()?.lying(placement.pose).clone(),
        fits: picker.fitting_cells(),
    })
}

/// The picked piece where it would come to be: on the cell that was picked last, or on the one under the pointer.
pub(crate) fn ghost(controller: &MatchController, hovered: Option<CellId>) -> Option<Ghost> {
    let (state, picker) = (controller.state()?, controller.picker().filter(|_| controller.may_choose())?);
    if let Some(held) = held_piece(state, picker) {
        let placed = picker.placement().and_then(|placement| placement.cell);
        let cell = hovered.filter(|_| placed.is_none()).or(placed)?;
        return Some(Ghost {
            piece: held.piece,
            fits: placed.is_some() || held.fits.contains(&cell),
            cells: held.cells(state.board(), cell),
        });
    }
    // The preview shows where the piece would stand.
    if controller.preview().is_some() {
        return None;
    }
    let piece = picker.picked_pieces().into_iter().next()?;
    let trail = picker.trail();
    let ahead = hovered.filter(|cell| picker.cells().contains(cell));
    let cell = ahead.or(trail.last().copied().filter(|cell| trail.len() > 1 && picker.ends_in(*cell)))?;
    let is_elsewhere = state.piece(piece)?.place.cell() != Some(cell);
    is_elsewhere.then(|| Ghost {
        piece,
        cells: vec![cell],
        fits: true,
    })
}
