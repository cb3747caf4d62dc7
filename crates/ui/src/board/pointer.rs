//! What the pointer does on the board: clicks, drags, and what the secondary button and the wheel turn.

use egui::{CursorIcon, PointerButton, Response, Ui};

use super::camera::Camera;
use super::scene::{Clicks, Scene};
use crate::command::{CellClick, ChoiceCommand, Turn};
use boardwright_model::{CellId, DirectionId};

/// The longest time between the two clicks of a double click, in seconds.
const DOUBLE_CLICK: f64 = 0.45;
/// How far the wheel turns for a notch, in points.
const NOTCH: f32 = 40.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Drag {
    #[default]
    Pans,
    Carries(CellId),
    /// It began on a cell of which the rules have not said yet whether it can be lifted.
    Waits(CellId),
}

/// What the pointer has begun.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    drag: Drag,
    last_click: Option<(CellId, f64)>,
    /// Whether the button was pressed beside the board and is held.
    pressed_beside: bool,
    /// How far the wheel was turned that is not a whole notch yet, in points.
    wheel: f32,
}

impl Pointer {
    /// Whether a drag moves the board.
    pub(super) fn pans(&self) -> bool {
        self.drag == Drag::Pans
    }

    /// The cell whose pieces are with the pointer.
    pub(super) fn carried(&self) -> Option<CellId> {
        match self.drag {
            Drag::Carries(cell) => Some(cell),
            Drag::Pans | Drag::Waits(_) => None,
        }
    }

    /// Dragging from a cell that can be lifted carries what is there; elsewhere it pans. Returns the cell from which carrying begins.
    pub(super) fn drag(&mut self, ui: &Ui, response: &Response, scene: &Scene<'_>, camera: &mut Camera) -> Option<CellId> {
        if self.drag != Drag::Pans {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        let origin = match self.drag {
            Drag::Waits(cell) => Some(cell),
            Drag::Pans | Drag::Carries(_) if response.drag_started_by(PointerButton::Primary) => {
                let origin = ui.input(|input| input.pointer.press_origin())?;
                scene.cell_at(camera.to_drawing(origin))
            }
            Drag::Pans | Drag::Carries(_) => return None,
        };
        let was = self.drag;
        self.drag = match origin {
            Some(cell) if scene.clicks != Clicks::Ignored && scene.marks.can_be_lifted(cell) => Drag::Carries(cell),
            Some(cell) if scene.clicks == Clicks::Queued => Drag::Waits(cell),
            _ => Drag::Pans,
        };
        if was != Drag::Pans && self.drag == Drag::Pans {
            // The board catches up with the pointer.
            let so_far = response.total_drag_delta().unwrap_or_default() - response.drag_delta();
            camera.pan(so_far);
        }
        self.carried()
    }

    /// Ends a drag where the button is released.
    pub(super) fn drop(&mut self, ui: &Ui, response: &Response, scene: &Scene<'_>, camera: &Camera) -> Option<ChoiceCommand> {
        if response.dragged() {
            return None;
        }
        let drag = std::mem::take(&mut self.drag);
        let pointer = ui.ctx().pointer_latest_pos().filter(|pointer| response.rect.contains(*pointer));
        let cell = pointer.and_then(|pointer| scene.cell_at(camera.to_drawing(pointer)));
        match drag {
            Drag::Pans => None,
            Drag::Carries(_) => Some(ChoiceCommand::DropOn(cell)),
            Drag::Waits(from) => Some(ChoiceCommand::Drag(from, cell?)),
        }
    }

    /// Whether a drag that began beside the board, such as on the tray, ends on it in this frame.
    pub(super) fn drops_from_beside(&mut self, ui: &Ui, response: &Response) -> bool {
        let (origin, is_released) = ui.input(|input| (input.pointer.press_origin(), input.pointer.primary_released()));
        let began_beside = self.pressed_beside;
        self.pressed_beside = origin.is_some_and(|origin| !response.rect.contains(origin));
        began_beside && is_released && response.contains_pointer()
    }

    /// What the secondary button and the wheel do to the choice: they turn the piece that is about to be placed, where there is one.
    pub(super) fn turns(&mut self, ui: &Ui, response: &Response, scene: &Scene<'_>) -> Vec<ChoiceCommand> {
        let mut commands = Vec::new();
        if response.secondary_clicked() {
            commands.push(match (scene.takes_wheel, ui.input(|input| input.modifiers.shift)) {
                (true, true) => ChoiceCommand::Turn(Turn::Mirror),
                (true, false) => ChoiceCommand::Turn(Turn::Clockwise),
                (false, _) => ChoiceCommand::StepBack,
            });
        }
        if !scene.takes_wheel || !response.contains_pointer() {
            self.wheel = 0.0;
            return commands;
        }
        self.wheel += ui.input(|input| input.smooth_scroll_delta().y);
        let notches = (self.wheel / NOTCH).trunc();
        self.wheel -= notches * NOTCH;
        let turn = if notches < 0.0 { Turn::Clockwise } else { Turn::Counterclockwise };
        commands.extend((0..notches.abs() as usize).map(|_| ChoiceCommand::Turn(turn)));
        commands
    }

    /// Whether a click is the second one on the same cell. The window system counts clicks anywhere, which makes the second of two
    /// quick double clicks on different cells a triple one.
    pub(super) fn click(&mut self, cell: CellId, side: Option<DirectionId>, now: f64) -> CellClick {
        let before = self.last_click.take();
        let is_double = before.is_some_and(|(clicked, then)| clicked == cell && now - then < DOUBLE_CLICK);
        if !is_double {
            self.last_click = Some((cell, now));
        }
        CellClick { cell, side, is_double }
    }
}
