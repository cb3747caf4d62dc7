//! Which part of the board is seen, and how large.

use egui::{Pos2, Rect, Vec2, vec2};

/// A view of the drawing: the point of it that lies in the middle of the window, and how many points of the screen one unit
/// takes (a unit is the distance between neighbours on grids).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    /// Where the board is shown.
    screen: Rect,
    middle: Pos2,
    zoom: f32,
    /// Whether it shows the whole board and keeps doing so when the window changes.
    is_fitted: bool,
}

/// The least and greatest size of a unit, in points.
const ZOOM: std::ops::RangeInclusive<f32> = 3.0..=240.0;
/// The greatest size of a unit when the whole board is shown.
const MOST_FITTED: f32 = 132.0;
/// Pieces of a smaller radius, in points, are too small to be told apart; and one of which they are seen well.
const LEAST_RADIUS: f32 = 12.0;
const GOOD_RADIUS: f32 = 26.0;
/// What is left free around the whole board, in points.
const RIM: f32 = 18.0;

impl Default for Camera {
    fn default() -> Self {
        Self {
            screen: Rect::ZERO,
            middle: Pos2::ZERO,
            zoom: 60.0,
            is_fitted: true,
        }
    }
}

impl Camera {
    /// How many points of the screen one unit takes.
    pub(super) fn zoom(&self) -> f32 {
        self.zoom
    }

    /// Where the board is shown.
    pub(super) fn screen(&self) -> Rect {
        self.screen
    }

    /// Shows the whole drawing from now on.
    pub(super) fn fit(&mut self) {
        self.is_fitted = true;
    }

    /// Follows the window while the whole board is shown, and keeps some of the board in sight otherwise.
    pub(super) fn settle(&mut self, screen: Rect, drawing: Rect) {
        self.screen = screen;
        if self.is_fitted {
            let size = drawing.size().max(vec2(0.01, 0.01));
            self.middle = drawing.center();
            let room = (screen.size() - vec2(RIM, RIM) * 2.0).max(screen.size() * 0.5);
            self.zoom = (room.x / size.x).min(room.y / size.y).clamp(*ZOOM.start(), MOST_FITTED);
        } else {
            self.middle = self.middle.clamp(drawing.min, drawing.max);
        }
    }

    /// The drawing stays where it is on the screen, wherever the board is shown now.
    pub(super) fn stay(&mut self, screen: Rect) {
        self.middle += (screen.center() - self.screen.center()) / self.zoom;
        self.screen = screen;
    }

    /// What is seen stays as it is, though the drawing grows or shrinks.
    pub(super) const fn hold(&mut self) {
        self.is_fitted = false;
    }

    /// Moves the board with the pointer.
    pub(super) fn pan(&mut self, by: Vec2) {
        if by != Vec2::ZERO {
            self.is_fitted = false;
            self.middle -= by / self.zoom;
        }
    }

    /// Makes everything larger or smaller, and leaves what is under the pointer there.
    pub(super) fn zoom_at(&mut self, pointer: Pos2, factor: f32) {
        let under = self.to_drawing(pointer);
        let zoom = (self.zoom * factor).clamp(*ZOOM.start(), *ZOOM.end());
        if (zoom - self.zoom).abs() > f32::EPSILON {
            self.is_fitted = false;
            self.zoom = zoom;
            self.middle = under - (pointer - self.screen.center()) / zoom;
        }
    }

    /// Brings a point of the drawing into the middle.
    pub(super) fn look_at(&mut self, point: Pos2) {
        self.is_fitted = false;
        self.middle = point;
    }

    /// Brings a part of the drawing into sight in which pieces have a radius of `room` units: larger where they are too small to be told apart.
    pub(super) fn show(&mut self, part: Rect, room: f32) {
        if room * self.zoom < LEAST_RADIUS {
            self.zoom = (GOOD_RADIUS / room.max(f32::EPSILON)).clamp(*ZOOM.start(), *ZOOM.end());
            self.look_at(part.center());
        }
        for corner in [part.min, part.max] {
            self.keep_in_sight(corner, room);
        }
    }

    /// Moves just so far that what lies around a point is seen with some room.
    pub(super) fn keep_in_sight(&mut self, point: Pos2, room: f32) {
        let seen = self.seen();
        let inner = seen.shrink((2.0 * room).min(seen.size().min_elem() / 3.0));
        let nearest = point.clamp(inner.min, inner.max);
        if nearest != point {
            self.is_fitted = false;
            self.middle += point - nearest;
        }
    }

    /// Where a point of the drawing is on the screen.
    pub(super) fn to_screen(self, point: Pos2) -> Pos2 {
        self.screen.center() + (point - self.middle) * self.zoom
    }

    /// Which point of the drawing is at a point of the screen.
    pub(super) fn to_drawing(self, point: Pos2) -> Pos2 {
        self.middle + (point - self.screen.center()) / self.zoom
    }

    /// The part of the drawing that is seen.
    pub(super) fn seen(&self) -> Rect {
        Rect::from_min_max(self.to_drawing(self.screen.min), self.to_drawing(self.screen.max))
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    const SCREEN: Rect = Rect {
        min: Pos2::new(100.0, 50.0),
        max: Pos2::new(900.0, 650.0),
    };

    #[test]
    fn zooming_leaves_what_is_under_the_pointer_there() {
        let mut camera = Camera::default();
        camera.settle(SCREEN, Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 8.0)));
        let pointer = pos2(320.0, 410.0);
        let under = camera.to_drawing(pointer);
        camera.zoom_at(pointer, 1.7);
        assert!((camera.to_drawing(pointer) - under).length() < 1e-3);
        assert!(!camera.is_fitted);
    }

    #[test]
    fn what_is_to_be_shown_is_brought_into_sight_and_made_larger_only_where_it_is_small() {
        let part = Rect::from_min_max(pos2(30.0, 20.0), pos2(31.0, 20.0));
        let mut camera = Camera::default();
        camera.settle(SCREEN, Rect::from_min_max(pos2(0.0, 0.0), pos2(40.0, 40.0)));
        camera.show(part, 0.5);
        assert!(camera.zoom() * 0.5 >= LEAST_RADIUS && camera.seen().contains_rect(part));
        let zoom = camera.zoom();
        camera.show(Rect::from_min_max(pos2(5.0, 5.0), pos2(5.0, 6.0)), 0.5);
        assert!(
            (camera.zoom() - zoom).abs() < f32::EPSILON && camera.seen().contains(pos2(5.0, 6.0)) && !camera.seen().contains_rect(part)
        );
        let mut large = Camera::default();
        large.settle(SCREEN, Rect::from_min_max(pos2(0.0, 0.0), pos2(8.0, 6.0)));
        let before = large;
        large.show(Rect::from_min_max(pos2(1.0, 1.0), pos2(7.0, 5.0)), 0.5);
        assert_eq!(large, before, "all of it is seen well");
    }

    #[test]
    fn a_drawing_that_stays_moves_nowhere_when_something_appears_above_it() {
        let mut camera = Camera::default();
        camera.settle(SCREEN, Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 8.0)));
        let before = camera.to_screen(pos2(3.0, 2.0));
        camera.stay(Rect::from_min_max(SCREEN.min + vec2(0.0, 60.0), SCREEN.max));
        assert!((camera.to_screen(pos2(3.0, 2.0)) - before).length() < 1e-3);
    }

    #[test]
    fn a_fitted_board_is_whole_in_every_window() {
        let drawing = Rect::from_min_max(pos2(-2.0, 1.0), pos2(30.0, 9.0));
        for size in [vec2(300.0, 900.0), vec2(1200.0, 200.0), vec2(50.0, 50.0)] {
            let screen = Rect::from_min_size(pos2(7.0, 9.0), size);
            let mut camera = Camera::default();
            camera.settle(screen, drawing);
            if camera.zoom() > *ZOOM.start() {
                assert!(camera.seen().expand(1e-3).contains_rect(drawing), "{size:?}");
            }
        }
    }

    #[test]
    fn the_board_cannot_be_lost_by_panning() {
        let drawing = Rect::from_min_max(pos2(0.0, 0.0), pos2(4.0, 4.0));
        let mut camera = Camera::default();
        camera.settle(SCREEN, drawing);
        camera.pan(vec2(1e6, -1e6));
        camera.settle(SCREEN, drawing);
        assert!(camera.seen().intersects(drawing));
    }
}
