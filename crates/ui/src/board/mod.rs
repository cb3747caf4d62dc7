//! The board widget: one for hexes, squares, points on lines, and areas. It draws a [`Scene`], says what was clicked, and can be
//! panned and zoomed. Every cell in sight is a node that can be focused and read out.
//!
//! What changes only with the state and the camera is kept as triangles (`layer`); marks, pieces on their way and cursors are drawn
//! anew in each frame. Only cells in sight are drawn.

mod area_names;
mod art;
mod borders;
mod camera;
mod canvas;
mod carry;
mod cursor;
mod foreseen;
mod geometry;
mod ground;
mod heat;
mod layer;
mod links;
mod marks;
mod minimap;
mod names;
mod pieces;
mod polygon;
mod scene;
mod steer;
mod textures;
mod tiles;
mod travel;
mod wood;

use std::cell::RefCell;
use std::sync::Arc;

use egui::{CursorIcon, Id, Rect, Response, Role, Sense, Ui, WidgetInfo};

pub use art::{Art, picture_uri};
pub use camera::Camera;
pub use carry::Dropped;
pub use foreseen::{Foreseen, WouldBe};
pub use geometry::Geometry;
pub use heat::heat_colour;
pub use scene::{Clicks, Marks, Scene};
pub use tiles::Ghost;
pub use travel::Travels;

use boardwright_model::{Board, CellId};
use crate::theme::{Palette, seat_style};

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

/// A board on the screen: what the parts of the widget share.
#[derive(Clone, Copy)]
struct Surface<'a> {
    id: Id,
    screen: Rect,
    geometry: &'a Geometry,
    scene: &'a Scene<'a>,
}

/// What happened on the board in one frame.
#[derive(Debug)]
pub struct BoardReply {
    /// The cell under the pointer, or the one with the focus.
    pub hovered: Option<CellId>,
    /// What was clicked.
    pub clicked: Option<CellClick>,
    /// The cell from which something began to be dragged.
    pub lifted: Option<CellId>,
    /// Where something was let go that had been dragged.
    pub dropped: Option<Dropped>,
    /// Whether the other button was clicked.
    pub is_turned: bool,
    /// By how many notches the wheel was turned, where the scene takes that.
    pub notches: i32,
    /// The board as a widget.
    pub response: Response,
}

/// The board widget: a camera and what is computed once for a board.
#[derive(Debug, Default)]
pub struct BoardView {
    board: Option<Arc<Board>>,
    geometry: Option<Arc<Geometry>>,
    camera: Camera,
    cursor: cursor::Cursor,
    /// The cell clicked last, and when.
    last_click: Option<(CellId, f64)>,
    textures: textures::Textures,
    layers: layer::Layers,
    minimap: minimap::Minimap,
    drag: carry::Drag,
    /// How far the wheel was turned that is not a whole notch yet, in points.
    wheel: f32,
    /// Whether one of its cells had the focus in the newest frame.
    has_focus: bool,
}

impl BoardView {
    /// Whether one of its cells has the focus.
    pub fn has_focus(&self) -> bool {
        self.has_focus
    }

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
        // Kept, so that the next frame need not compare the boards cell by cell.
        self.board = Some(Arc::clone(board));
        if let (true, Some(geometry)) = (is_known, &self.geometry) {
            return Arc::clone(geometry);
        }
        let geometry = Arc::new(Geometry::of(board));
        self.geometry = Some(Arc::clone(&geometry));
        self.camera = Camera::default();
        self.cursor = cursor::Cursor::default();
        geometry
    }

    /// Shows the board in all the room there is.
    pub fn ui(&mut self, ui: &mut Ui, scene: &Scene<'_>) -> BoardReply {
        let board = Arc::clone(scene.state.board());
        let geometry = self.prepare(&board);
        // Tab comes to a cell, not to the board.
        let (screen, response) = ui.allocate_exact_size(ui.available_size(), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Group, true, scene.board_words()));
        let lifted = self.lift(ui, &board, screen, &response, scene);
        let dropped = self.let_go(ui, &board, screen, &response);
        let manner = steer::Manner {
            pans: self.drag == carry::Drag::Pans,
            zooms: !scene.takes_wheel,
        };
        steer::steer(ui, &response, &mut self.camera, screen, &geometry, manner);
        let notches = self.notches(ui, &response, scene);

        let visible = geometry.visible(self.camera.seen(screen));
        let surface = Surface {
            id: response.id,
            screen,
            geometry: &geometry,
            scene,
        };
        let handled = self.cursor.ui(ui, &surface, &mut self.camera, &visible);
        self.has_focus = handled.focused.is_some();
        let pointer = ui.ctx().pointer_latest_pos().filter(|_| response.contains_pointer());
        let hovered = pointer.and_then(|pointer| self.cell_at(&board, screen, pointer));
        let mut clicked = handled.clicked;
        if response.clicked()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            clicked = self.cell_at(&board, screen, pointer);
        }
        let can_act = |cell: CellId| {
            let marks = scene.marks;
            scene.clicks != Clicks::Ignored
                && (marks.pickable.contains(&cell) || marks.targets.contains(&cell) || marks.chosen.contains(&cell))
        };
        if hovered.is_some_and(can_act) && !response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        if ui.is_rect_visible(screen) {
            self.paint(ui, &surface, hovered.filter(|cell| can_act(*cell)), handled.focused);
            self.minimap.ui(ui, &surface, &mut self.camera);
        }
        let clicked = clicked.map(|cell| self.note_click(cell, ui.input(|input| input.time)));
        BoardReply {
            hovered: hovered.or(handled.focused),
            clicked,
            lifted,
            dropped,
            is_turned: response.secondary_clicked(),
            notches,
            response,
        }
    }

    /// Where a cell is on the screen.
    pub fn place_of(&self, screen: Rect, cell: CellId) -> Option<egui::Pos2> {
        let middle = self.geometry.as_ref()?.cell(cell)?.middle;
        Some(self.camera.to_screen(screen, middle))
    }

    /// The cell at a point of the screen.
    fn cell_at(&self, board: &Board, screen: Rect, point: egui::Pos2) -> Option<CellId> {
        let (x, y) = geometry::thousandths(self.camera.to_drawing(screen, point));
        board.hit(x, y)
    }

    fn paint(&mut self, ui: &Ui, surface: &Surface<'_>, hovered: Option<CellId>, focused: Option<CellId>) {
        let Surface {
            screen, geometry, scene, ..
        } = *surface;
        let palette = Palette::of(ui.visuals());
        let now = ui.input(|input| input.time);
        let is_under_way = scene.travels.is_under_way(now);
        // The numbers of what areas are worth lie where their names would be.
        let shows_names = scene.shows_names && (!geometry.has_areas || scene.marks.heat.is_empty());
        let key = layer::Key {
            camera: self.camera,
            screen,
            pixels_per_point: ui.ctx().pixels_per_point(),
            palette,
            digest: scene.state.digest(),
            frame: Arc::clone(scene.state.frame()),
            looks: Arc::clone(scene.looks),
            art: scene.art.version(),
            shows_names,
            travels: if is_under_way { scene.travels.number() } else { 0 },
            seats: seat_style(),
        };
        let canvas = canvas::Canvas {
            context: ui.ctx(),
            palette,
            camera: self.camera,
            screen,
            geometry,
            board: scene.state.board(),
            scene,
            textures: RefCell::new(&mut self.textures),
            shows_names,
            now,
        };
        if !self.layers.is_of(&key) {
            let visible = geometry.visible(self.camera.seen(screen));
            let (mut ground, mut pieces) = (canvas.ground_layer(&visible), canvas.pieces_layer(&visible));
            ground.bake(ui.ctx());
            pieces.bake(ui.ctx());
            // A picture that is not ready yet comes in one of the next frames.
            let is_whole = !scene.art.has_waited();
            self.layers.keep(is_whole.then_some(key), ground, pieces);
        }
        let painter = ui.painter_at(screen);
        self.layers.ground.paint(&painter);
        canvas.marks_below().paint(&painter);
        canvas.cursors(hovered, None).paint(&painter);
        self.layers.pieces.paint(&painter);
        if is_under_way {
            canvas.travellers().paint(&painter);
            ui.ctx().request_repaint();
        }
        if let Some(foreseen) = &scene.marks.foreseen {
            canvas.foreseen(foreseen).paint(&painter);
        }
        if let Some(ghost) = &scene.marks.ghost {
            canvas.ghost(ghost).paint(&painter);
        }
        canvas.marks_above().paint(&painter);
        if let (Some(cell), Some(pointer)) = (self.drag.carried(), ui.ctx().pointer_latest_pos()) {
            canvas.carried(cell, pointer).paint(&painter);
        }
        canvas.cursors(None, focused).paint(&painter);
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

    /// Makes the board larger or smaller around its middle.
    pub fn zoom(&mut self, screen: Rect, factor: f32) {
        self.camera.zoom_at(screen, screen.center(), factor);
    }
}
