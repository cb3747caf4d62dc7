//! Panning, zooming and fitting, by pointer, wheel and keys.

use egui::{CursorIcon, Key, Modifiers, PointerButton, Rect, Response, Ui, vec2};

use super::camera::Camera;
use super::geometry::Geometry;

/// How far a key moves the board, in points.
const PAN: f32 = 80.0;

/// Moves the camera. `pans` is whether dragging with the first button moves the board.
pub(super) fn steer(ui: &Ui, response: &Response, camera: &mut Camera, screen: Rect, geometry: &Geometry, pans: bool) {
    camera.settle(screen, geometry.bounds);
    let by_first = pans && response.dragged_by(PointerButton::Primary);
    if by_first || response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
        camera.pan(response.drag_delta());
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let over = ui.ctx().pointer_hover_pos().filter(|pointer| screen.contains(*pointer));
    if let Some(pointer) = over.filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
        let factor = pinch * (scroll.y / 240.0).exp();
        if (factor - 1.0).abs() > f32::EPSILON {
            camera.zoom_at(screen, pointer, factor);
        }
        if scroll.x != 0.0 {
            camera.pan(vec2(scroll.x, 0.0));
        }
    }
    if !ui.ctx().text_edit_focused() {
        keys(ui, camera, screen);
    }
    camera.settle(screen, geometry.bounds);
}

fn keys(ui: &Ui, camera: &mut Camera, screen: Rect) {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let plain = |key| pressed(Modifiers::NONE, key);
    // Where the plus is on the upper half of a key, it comes with the shift key.
    if plain(Key::Plus) || plain(Key::Equals) || pressed(Modifiers::SHIFT, Key::Plus) || pressed(Modifiers::SHIFT, Key::Equals) {
        camera.zoom_at(screen, screen.center(), 1.25);
    }
    if plain(Key::Minus) {
        camera.zoom_at(screen, screen.center(), 0.8);
    }
    if plain(Key::Num0) {
        camera.fit();
    }
    let ways = [
        (Key::ArrowLeft, vec2(PAN, 0.0)),
        (Key::ArrowRight, vec2(-PAN, 0.0)),
        (Key::ArrowUp, vec2(0.0, PAN)),
        (Key::ArrowDown, vec2(0.0, -PAN)),
    ];
    for (key, way) in ways {
        if pressed(Modifiers::SHIFT, key) {
            camera.pan(way);
        }
    }
}
