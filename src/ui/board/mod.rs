//! The board widget: one for hexes, squares, points on lines, and areas. It draws a [`Scene`], says what was clicked, and can be
//! panned and zoomed. Every cell in sight is a node that can be focused and read out.

mod art;
mod camera;
mod geometry;
mod paint;
mod pieces;
mod polygon;
mod scene;
mod travel;
mod wood;

use std::sync::Arc;

use egui::{CursorIcon, Key, Modifiers, PointerButton, Rect, Response, Role, Sense, Ui, WidgetInfo};

pub use art::{Art, picture_uri};
pub use camera::Camera;
pub use geometry::Geometry;
pub use scene::{Marks, Scene};
pub use travel::Travels;

use crate::model::{Board, CellId};
use crate::ui::theme::Palette;

/// The most cells in sight that are nodes of their own. Beyond that the cells are too small to be aimed at.
const MOST_NODES: usize = 2500;
/// The longest time between the two clicks of a double click, in seconds.
const DOUBLE_CLICK: f64 = 0.45;

/// A click on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellClick {
    /// The cell.
    pub cell: CellId,
    /// Whether it is the second click in quick succession.
    pub is_double: bool,
}

/// What happened on the board in one frame.
#[derive(Debug)]
pub struct BoardReply {
    /// The cell under the pointer, or the one with the focus.
    pub hovered: Option<CellId>,
    /// What was clicked.
    pub clicked: Option<CellClick>,
    /// The board as a widget.
    pub response: Response,
}

/// The board widget: a camera and what is computed once for a board.
#[derive(Debug, Default)]
pub struct BoardView {
    board: Option<Arc<Board>>,
    geometry: Option<Arc<Geometry>>,
    camera: Camera,
    /// The cell clicked last, and when.
    last_click: Option<(CellId, f64)>,
    textures: paint::Textures,
}

impl BoardView {
    /// The camera.
    pub fn camera_mut(&mut self) -> &mut Camera {
        &mut self.camera
    }

    /// The drawing of the board that was shown last.
    pub fn geometry(&self) -> Option<&Arc<Geometry>> {
        self.geometry.as_ref()
    }

    fn prepare(&mut self, board: &Arc<Board>) -> Arc<Geometry> {
        let is_known = self.board.as_ref().is_some_and(|known| Arc::ptr_eq(known, board) || known == board);
        if let (true, Some(geometry)) = (is_known, &self.geometry) {
            return Arc::clone(geometry);
        }
        let geometry = Arc::new(Geometry::of(board));
        self.board = Some(Arc::clone(board));
        self.geometry = Some(Arc::clone(&geometry));
        self.camera = Camera::default();
        geometry
    }

    /// Shows the board in all the room there is.
    pub fn ui(&mut self, ui: &mut Ui, scene: &Scene<'_>) -> BoardReply {
        let board = Arc::clone(scene.state.board());
        let geometry = self.prepare(&board);
        let (screen, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Group, true, format!("Board: {}", scene.title)));
        self.steer(ui, &response, screen, &geometry);

        let seen = self.camera.seen(screen);
        let visible: Vec<CellId> = board
            .cells()
            .filter(|cell| geometry.cell(*cell).is_some_and(|shape| shape.bounds.intersects(seen)))
            .collect();
        let under = |camera: &Camera, position| {
            let (x, y) = geometry::thousandths(camera.to_drawing(screen, position));
            board.hit(x, y)
        };
        let pointer = ui.ctx().pointer_latest_pos().filter(|pointer| screen.contains(*pointer));
        let mut hovered = pointer
            .filter(|_| response.contains_pointer())
            .and_then(|pointer| under(&self.camera, pointer));
        let mut clicked = None;
        let mut notice = |response: &Response, own: Option<CellId>| {
            if !response.clicked() {
                return;
            }
            // By pointer the shape of the cell counts, by keyboard or from an assistive program the cell itself.
            let cell = match response.interact_pointer_pos() {
                Some(position) => under(&self.camera, position),
                None => own,
            };
            clicked = cell;
        };
        notice(&response, None);
        let mut focused = None;
        if visible.len() <= MOST_NODES {
            for cell in &visible {
                let Some(shape) = geometry.cell(*cell) else {
                    continue;
                };
                let rect = Rect::from_min_max(
                    self.camera.to_screen(screen, shape.bounds.min),
                    self.camera.to_screen(screen, shape.bounds.max),
                );
                let rect = rect.shrink(rect.width() * 0.04).intersect(screen);
                let node = ui.interact(rect, response.id.with(cell.0), Sense::click());
                let is_chosen = scene.marks.chosen.contains(cell);
                node.widget_info(|| WidgetInfo::selected(Role::Button, scene.is_playable, is_chosen, scene.cell_text(*cell)));
                notice(&node, Some(*cell));
                if node.hovered() && hovered.is_none() {
                    hovered = pointer.and_then(|pointer| under(&self.camera, pointer));
                }
                if node.has_focus() {
                    focused = Some(*cell);
                }
            }
        }
        let can_act = |cell: CellId| {
            scene.marks.pickable.contains(&cell) || scene.marks.targets.contains(&cell) || scene.marks.chosen.contains(&cell)
        };
        if scene.is_playable && hovered.is_some_and(can_act) {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        if response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        if ui.is_rect_visible(screen) {
            let palette = Palette::of(ui.visuals());
            let now = ui.input(|input| input.time);
            let canvas = paint::Canvas {
                painter: ui.painter_at(screen),
                palette,
                camera: self.camera,
                screen,
                geometry: &geometry,
                board: &board,
                scene,
                textures: self.textures.of(ui.ctx(), palette),
                now,
            };
            canvas.paint(&visible, hovered.filter(|cell| scene.is_playable && can_act(*cell)), focused);
            if scene.travels.is_under_way(now) {
                ui.ctx().request_repaint();
            }
        }
        let clicked = clicked.map(|cell| self.note_click(cell, ui.input(|input| input.time)));
        BoardReply {
            hovered: hovered.or(focused),
            clicked,
            response,
        }
    }

    /// Whether a click is the second one on the same cell. The window system counts clicks anywhere, which makes the second of two
    /// quick double clicks on different cells a triple one.
    fn note_click(&mut self, cell: CellId, now: f64) -> CellClick {
        let before = self.last_click.take();
        let is_double = before.is_some_and(|(clicked, then)| clicked == cell && now - then < DOUBLE_CLICK);
        if !is_double {
            self.last_click = Some((cell, now));
        }
        CellClick { cell, is_double }
    }

    /// Pans, zooms and fits.
    fn steer(&mut self, ui: &Ui, response: &Response, screen: Rect, geometry: &Geometry) {
        self.camera.settle(screen, geometry.bounds);
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
            self.camera.pan(response.drag_delta());
        }
        let over = ui.ctx().pointer_hover_pos().filter(|pointer| screen.contains(*pointer));
        if let Some(pointer) = over.filter(|_| ui.rect_contains_pointer(screen)) {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (scroll / 240.0).exp();
            if (factor - 1.0).abs() > f32::EPSILON {
                self.camera.zoom_at(screen, pointer, factor);
            }
        }
        if !ui.ctx().egui_wants_keyboard_input() {
            let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            let (closer, farther, whole) = (pressed(Key::Plus) || pressed(Key::Equals), pressed(Key::Minus), pressed(Key::Num0));
            if closer {
                self.camera.zoom_at(screen, screen.center(), 1.25);
            }
            if farther {
                self.camera.zoom_at(screen, screen.center(), 0.8);
            }
            if whole {
                self.camera.fit();
            }
        }
        self.camera.settle(screen, geometry.bounds);
    }

    /// Makes the board larger or smaller around its middle.
    pub fn zoom(&mut self, screen: Rect, factor: f32) {
        self.camera.zoom_at(screen, screen.center(), factor);
    }
}
