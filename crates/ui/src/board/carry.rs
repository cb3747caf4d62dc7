//! Dragging what stands on a cell, and turning the wheel over the board.

use egui::{CursorIcon, PointerButton, Rect, Response, Ui};

use super::BoardView;
use super::scene::{Clicks, Scene};
use boardwright_model::{Board, CellId};

/// How far the wheel turns for a notch, in points.
const NOTCH: f32 = 40.0;

/// Where something was let go that had been dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Over a cell.
    On(CellId),
    /// Over none.
    Beside,
    /// Over a cell, before it was known whether there was anything to drag.
    Early {
        /// Where the drag began.
        from: CellId,
        /// Where it ended.
        to: CellId,
    },
}

/// What dragging with the first button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Drag {
    /// It moves the board.
    #[default]
    Pans,
    /// It carries what is on a cell.
    Carries(CellId),
    /// What is on a cell, or else the board: that is not known yet.
    Waits(CellId),
}

impl Drag {
    /// The cell whose pieces are with the pointer.
    pub(super) fn carried(self) -> Option<CellId> {
        match self {
            Self::Carries(cell) => Some(cell),
            Self::Pans | Self::Waits(_) => None,
        }
    }
}

impl BoardView {
    /// Dragging from a cell that can be clicked carries what is there; elsewhere it moves the board. Returns the cell from which carrying
    /// begins.
    pub(super) fn lift(&mut self, ui: &Ui, board: &Board, screen: Rect, response: &Response, scene: &Scene<'_>) -> Option<CellId> {
        if self.drag != Drag::Pans {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        let began = response.drag_started_by(PointerButton::Primary);
        let origin = match self.drag {
            Drag::Waits(cell) => Some(cell),
            _ if began => {
                let origin = ui.input(|input| input.pointer.press_origin())?;
                self.cell_at(board, screen, origin)
            }
            Drag::Pans | Drag::Carries(_) => return None,
        };
        let can_be = |cell: &CellId| scene.clicks != Clicks::Ignored && scene.marks.can_be_lifted(*cell);
        let was = self.drag;
        self.drag = match origin {
            Some(cell) if can_be(&cell) => Drag::Carries(cell),
            Some(cell) if scene.clicks == Clicks::Kept => Drag::Waits(cell),
            _ => Drag::Pans,
        };
        if was != Drag::Pans && self.drag == Drag::Pans {
            // The board catches up with the pointer.
            let so_far = response.total_drag_delta().unwrap_or_default() - response.drag_delta();
            self.camera.pan(so_far);
        }
        self.drag.carried()
    }

    /// Where what was carried is let go, when it is.
    pub(super) fn let_go(&mut self, ui: &Ui, board: &Board, screen: Rect, response: &Response) -> Option<Dropped> {
        if response.dragged() {
            return None;
        }
        let drag = std::mem::take(&mut self.drag);
        let pointer = ui.ctx().pointer_latest_pos().filter(|pointer| screen.contains(*pointer));
        let cell = pointer.and_then(|pointer| self.cell_at(board, screen, pointer));
        match (drag, cell) {
            (Drag::Pans, _) => None,
            (Drag::Carries(_), Some(cell)) => Some(Dropped::On(cell)),
            (Drag::Waits(from), Some(to)) => Some(Dropped::Early { from, to }),
            (Drag::Carries(_) | Drag::Waits(_), None) => Some(Dropped::Beside),
        }
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
