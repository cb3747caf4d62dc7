//! Panning, zooming and fitting, by pointer, wheel and keys.

use egui::{CursorIcon, PointerButton, Rect, Response, Ui, vec2};

use super::camera::Camera;
use super::geometry::Geometry;
use crate::keys::{Act, self};

/// How far a key moves the board, in points.
const PAN: f32 = 80.0;

/// What the pointer may do to the camera.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Whether dragging with the first button moves the board.
    pub(super) pans: bool,
    /// Whether the wheel makes it larger and smaller.
    pub(super) zooms: bool,
}

/// Moves the camera.
pub(super) fn steer(ui: &Ui, response: &Response, camera: &mut Camera, screen: Rect, geometry: &Geometry, manner: Manner) {
    camera.settle(screen, geometry.bounds);
    let by_first = manner.pans && response.dragged_by(PointerButton::Primary);
    if by_first || response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
        camera.pan(response.drag_delta());
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let over = ui.ctx().pointer_hover_pos().filter(|pointer| screen.contains(*pointer));
    if let Some(pointer) = over.filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
        let factor = pinch * if manner.zooms { (scroll.y / 240.0).exp() } else { 1.0 };
        if (factor - 1.0).abs() > f32::EPSILON {
            camera.zoom_at(screen, pointer, factor);
        }
        if scroll.x != 0.0 {
            camera.pan(vec2(scroll.x, 0.0));
        }
    }
    if !ui.ctx().text_edit_focused() {
        take_keys(ui, camera, screen);
    }
    camera.settle(screen, geometry.bounds);
}

fn take_keys(ui: &Ui, camera: &mut Camera, screen: Rect) {
    if keys::pressed(ui, Act::Larger) {
        camera.zoom_at(screen, screen.center(), 1.25);
    }
    if keys::pressed(ui, Act::Smaller) {
        camera.zoom_at(screen, screen.center(), 0.8);
    }
    if keys::pressed(ui, Act::Whole) {
        camera.fit();
    }
    let ways = [
        (Act::PanLeft, vec2(PAN, 0.0)),
        (Act::PanRight, vec2(-PAN, 0.0)),
        (Act::PanUp, vec2(0.0, PAN)),
        (Act::PanDown, vec2(0.0, -PAN)),
    ];
    for (act, way) in ways {
        if keys::pressed(ui, act) {
            camera.pan(way);
        }
    }
}
