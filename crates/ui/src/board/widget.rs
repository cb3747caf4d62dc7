//! The widget itself: what it keeps from frame to frame, and the order in which it is painted.

use std::sync::Arc;

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::action_preview::preview_layer;
use super::camera::Camera;
use super::canvas::Canvas;
use super::cursor::Cursor;
use super::geometry::Geometry;
use super::layer::Layers;
use super::marks::{cursors_layer, marks_above, marks_below};
use super::minimap::Minimap;
use super::pieces::{carried_layer, travellers_layer};
use super::pointer::Pointer;
use super::scene::{Clicks, Scene};
use super::textures::Textures;
use super::tiles::ghost_layer;
use crate::command::ChoiceCommand;
use crate::keys::{self, Act};
use crate::theme::Palette;
use boardwright_model::{Board, CellId};

/// How far a key moves the board, in points.
const PAN: f32 = 80.0;

/// A board on the screen: what the parts of the widget share.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub(super) id: Id,
    pub(super) geometry: &'a Geometry,
    pub(super) scene: &'a Scene<'a>,
}

/// What happened on the board in one frame.
#[derive(Debug)]
pub struct BoardReply {
    /// The cell under the pointer, or the one with the focus.
    pub hovered: Option<CellId>,
    /// The cell that a click would choose: the one under the pointer, or that of the first square of the piece the pointer holds.
    pub aimed: Option<CellId>,
    /// What pointer and keyboard chose.
    pub commands: Vec<ChoiceCommand>,
    /// The board as a widget.
    pub response: Response,
}

/// The board widget: a camera and what is computed once for a board.
#[derive(Debug, Default)]
pub struct BoardView {
    board: Option<(Arc<Board>, Arc<Geometry>)>,
    camera: Camera,
    cursor: Cursor,
    pointer: Pointer,
    textures: Textures,
    layers: Layers,
    minimap: Minimap,
    /// Whether one of its cells had the focus in the newest frame.
    has_focus: bool,
}

impl BoardView {
    /// Whether one of its cells has the focus.
    pub fn has_focus(&self) -> bool {
        self.has_focus
    }

    /// Shows the whole board.
    pub fn fit(&mut self) {
        self.camera.fit();
    }

    /// Scales the board around its middle.
    pub fn zoom(&mut self, factor: f32) {
        self.camera.zoom_at(self.camera.screen().center(), factor);
    }

    /// Where a cell is on the screen.
    pub fn place_of(&self, cell: CellId) -> Option<Pos2> {
        let (_, geometry) = self.board.as_ref()?;
        Some(self.camera.to_screen(geometry.cell(cell)?.middle))
    }

    /// The width of a board as a share of its height.
    pub fn shape(&mut self, board: &Arc<Board>) -> f32 {
        let size = self.geometry_of(board).bounds.size();
        size.x / size.y.max(f32::EPSILON)
    }

    /// Where the whole board lies on the screen, be it in sight or not.
    pub fn board_rect(&self) -> Option<Rect> {
        let (_, geometry) = self.board.as_ref()?;
        let corners = [geometry.bounds.min, geometry.bounds.max];
        Some(Rect::from_points(&corners.map(|corner| self.camera.to_screen(corner))))
    }

    fn geometry_of(&mut self, board: &Arc<Board>) -> Arc<Geometry> {
        let known = self.board.take();
        // What becomes known of cells while a map is explored moves nothing.
        let known = known.filter(|(known, _)| Arc::ptr_eq(known, board) || known.has_cells_of(board));
        let geometry = match known {
            Some((known, geometry)) if Arc::ptr_eq(&known, board) || geometry.fits_names_of(board) => geometry,
            Some(_) => Arc::new(Geometry::of(board)),
            None => {
                self.camera = Camera::default();
                self.cursor = Cursor::default();
                Arc::new(Geometry::of(board))
            }
        };
        // The board itself is kept, so that the next frame need not compare the boards cell by cell.
        self.board = Some((Arc::clone(board), Arc::clone(&geometry)));
        geometry
    }

    /// Shows the board in all the room there is.
    pub fn ui(&mut self, ui: &mut Ui, scene: &Scene<'_>) -> BoardReply {
        let geometry = self.geometry_of(scene.state.board());
        // Tab comes to a cell, not to the board.
        let (screen, response) = ui.allocate_exact_size(ui.available_size(), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Group, true, scene.board_text()));
        self.camera.settle(screen, geometry.bounds);
        let lifted = self.pointer.drag(ui, &response, scene, &mut self.camera);
        let dropped = self.pointer.drop(ui, &response, scene, &self.camera);
        control_camera(ui, &response, &mut self.camera, self.pointer.pans(), !scene.takes_wheel);
        self.camera.settle(screen, geometry.bounds);
        let mut commands = self.pointer.turns(ui, &response, scene);
        let drops_from_beside = self.pointer.drops_from_beside(ui, &response);

        let visible = geometry.visible(self.camera.seen());
        let surface = Surface {
            id: response.id,
            geometry: &geometry,
            scene,
        };
        let handled = self.cursor.ui(ui, &surface, &mut self.camera, &visible);
        self.has_focus = handled.focused.is_some();
        let cell_at = |point: Pos2| scene.cell_at(self.camera.to_drawing(point));
        let pointer = ui.ctx().pointer_latest_pos().filter(|_| response.contains_pointer());
        let hovered = pointer.and_then(cell_at);
        let held = scene.marks.held.as_ref().filter(|_| scene.clicks != Clicks::Ignored);
        let aim_at = |point: Pos2| match held {
            Some(held) => held.aim(scene.state.board(), &geometry, self.camera.to_drawing(point)),
            None => cell_at(point),
        };
        let aimed = pointer.and_then(aim_at);
        let clicked = match response.interact_pointer_pos().filter(|_| response.clicked()) {
            Some(pointer) => aim_at(pointer),
            None => handled.clicked,
        };
        let can_act = |cell: &CellId| scene.clicks != Clicks::Ignored && scene.marks.can_be_clicked(*cell);
        let offered = aimed.filter(can_act);
        if offered.is_some() && !response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        if ui.is_rect_visible(screen) {
            // A piece that is held shows where it goes by itself.
            self.paint(ui, &surface, offered.filter(|_| held.is_none()), handled.focused);
            self.minimap.ui(ui, &surface, &mut self.camera);
        }
        let clicked = clicked.map(|cell| self.pointer.click(cell, ui.input(|input| input.time)));
        if clicked.is_some() || dropped.is_some() {
            ui.ctx().request_repaint();
        }
        // A piece that was dragged here from the tray.
        let laid = aimed.filter(|_| drops_from_beside && held.is_some());
        commands.extend(laid.map(|cell| ChoiceCommand::DropOn(Some(cell))));
        commands.extend(lifted.map(ChoiceCommand::Lift));
        commands.extend(dropped);
        commands.extend(clicked.map(ChoiceCommand::Click));
        BoardReply {
            hovered: hovered.or(handled.focused),
            aimed: aimed.or(handled.focused),
            commands,
            response,
        }
    }

    fn paint(&mut self, ui: &Ui, surface: &Surface<'_>, hovered: Option<CellId>, focused: Option<CellId>) {
        let Surface { geometry, scene, .. } = *surface;
        let canvas = Canvas {
            context: ui.ctx(),
            palette: Palette::of(ui.visuals()),
            camera: &self.camera,
            geometry,
            scene,
            textures: &self.textures,
            now: ui.input(|input| input.time),
        };
        self.layers.update(&canvas);
        let painter = ui.painter_at(self.camera.screen());
        self.layers.ground.paint(&painter);
        marks_below(&canvas).paint(&painter);
        cursors_layer(&canvas, hovered, None).paint(&painter);
        self.layers.names.paint(&painter);
        self.layers.pieces.paint(&painter);
        if scene.travels.is_under_way(canvas.now) {
            travellers_layer(&canvas).paint(&painter);
            ui.ctx().request_repaint();
        }
        if let Some(preview) = &scene.marks.preview {
            preview_layer(&canvas, preview).paint(&painter);
        }
        if let Some(ghost) = &scene.marks.ghost {
            ghost_layer(&canvas, ghost).paint(&painter);
        }
        marks_above(&canvas).paint(&painter);
        if let (Some(cell), Some(pointer)) = (self.pointer.carried(), ui.ctx().pointer_latest_pos()) {
            carried_layer(&canvas, cell, pointer).paint(&painter);
        }
        cursors_layer(&canvas, None, focused).paint(&painter);
    }
}

/// Pans, zooms and fits by pointer, wheel and keys. `pans` is whether the primary button moves the board, `zooms` whether the wheel scales it.
fn control_camera(ui: &Ui, response: &Response, camera: &mut Camera, pans: bool, zooms: bool) {
    let by_primary = pans && response.dragged_by(PointerButton::Primary);
    if by_primary || response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
        camera.pan(response.drag_delta());
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let over = ui.ctx().pointer_hover_pos().filter(|pointer| camera.screen().contains(*pointer));
    if let Some(pointer) = over.filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
        let factor = pinch * if zooms { (scroll.y / 240.0).exp() } else { 1.0 };
        if (factor - 1.0).abs() > f32::EPSILON {
            camera.zoom_at(pointer, factor);
        }
        if scroll.x != 0.0 {
            camera.pan(vec2(scroll.x, 0.0));
        }
    }
    if !ui.ctx().text_edit_focused() {
        camera_keys(ui, camera);
    }
}

fn camera_keys(ui: &Ui, camera: &mut Camera) {
    for (act, factor) in [(Act::Larger, 1.25), (Act::Smaller, 0.8)] {
        if keys::pressed(ui, act) {
            camera.zoom_at(camera.screen().center(), factor);
        }
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
