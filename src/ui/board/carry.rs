//! Dragging what stands on a cell, and turning the wheel over the board.

use egui::{CursorIcon, PointerButton, Rect, Response, Ui};

use super::BoardView;
use super::scene::Scene;
use crate::model::{Board, CellId};

/// How far the wheel turns for a notch, in points.
const NOTCH: f32 = 40.0;

/// Where something was let go that had been dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Over a cell.
    On(CellId),
    /// Over none.
    Beside,
}

impl BoardView {
    /// Dragging from a cell that can be clicked carries what is there; elsewhere it moves the board. Returns the cell from which it
    /// begins.
    pub(super) fn lift(&mut self, ui: &Ui, board: &Board, screen: Rect, response: &Response, scene: &Scene<'_>) -> Option<CellId> {
        if self.carried.is_some() {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        if !response.drag_started_by(PointerButton::Primary) {
            return None;
        }
        let origin = ui.input(|input| input.pointer.press_origin())?;
        let marks = scene.marks;
        let can_lift = |cell: &CellId| scene.is_playable && (marks.pickable.contains(cell) || marks.sources.contains(cell));
        self.carried = self.cell_at(board, screen, origin).filter(can_lift);
        self.carried
    }

    /// Where what was carried is let go, when it is.
    pub(super) fn let_go(&mut self, ui: &Ui, board: &Board, screen: Rect, response: &Response) -> Option<Dropped> {
        if response.dragged() {
            return None;
        }
        self.carried.take()?;
        let pointer = ui.ctx().pointer_latest_pos().filter(|pointer| screen.contains(*pointer));
        let cell = pointer.and_then(|pointer| self.cell_at(board, screen, pointer));
        Some(cell.map_or(Dropped::Beside, Dropped::On))
    }

    /// The notches of the wheel over the board, where they do not make it larger or smaller.
    pub(super) fn notches(&mut self, ui: &Ui, response: &Response, scene: &Scene<'_>) -> i32 {
        if !scene.takes_wheel || !response.contains_pointer() {
            self.wheel = 0.0;
            return 0;
        }
        self.wheel += ui.input(|input| input.smooth_scroll_delta().y);
        let notches = (self.wheel / NOTCH).trunc();
        self.wheel -= notches * NOTCH;
        notches as i32
    }
}
