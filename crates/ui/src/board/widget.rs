//! The widget itself: what it keeps from frame to frame, and the order in which it is painted.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::action_preview::preview_layer;
use super::camera::Camera;
use super::canvas::Canvas;
use super::cursor::Cursor;
use super::geometry::{Drawing, Geometry, thousandths, units};
use super::layer::Layers;
use super::marks::{cursors_layer, marks_above, marks_below};
use super::minimap::Minimap;
use super::pieces::{carried_layer, travellers_layer};
use super::pointer::Pointer;
use super::scene::{Clicks, Scene};
use super::textures::Textures;
use super::tiles::{ghost_layer, hinted_layer};
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
    /// The cells in sight, with where they were seen from.
    visible: Option<(Camera, Arc<[CellId]>)>,
    cursor: Cursor,
    pointer: Pointer,
    textures: Textures,
    layers: Layers,
    minimap: Minimap,
    /// Whether one of its cells had the focus in the newest frame.
    has_focus: bool,
    /// Whether what is seen stays when the board changes.
    keeps_view: bool,
}

/// Which part of a board is seen, and how large: what is drawn for one can be painted again for an equal one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint(Camera);

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

    /// What is seen of the board stays as it is when the board becomes another one, as in an editor.
    #[must_use]
    pub fn keeping_view(mut self) -> Self {
        self.keeps_view = true;
        self
    }

    /// Which part of the board is seen, and how large.
    pub fn viewpoint(&self) -> Viewpoint {
        Viewpoint(self.camera)
    }

    /// The size of a unit, the distance between neighbours on grids, in points of the screen.
    pub fn unit(&self) -> f32 {
        self.camera.zoom()
    }

    /// Brings a cell into the middle.
    pub fn look_at(&mut self, cell: CellId) {
        let middle = self.board.as_ref().map(|(_, geometry)| geometry.middle(cell));
        if let Some(middle) = middle {
            self.camera.look_at(middle);
        }
    }

    /// Brings a cell into sight and gives it the focus, so that it is found.
    pub fn show_cell(&mut self, cell: CellId) {
        let Some((_, geometry)) = &self.board else { return };
        let room = geometry.cell(cell).map_or(0.5, |shape| shape.room);
        self.camera.keep_in_sight(geometry.middle(cell), room);
        self.cursor.go_to(cell);
    }

    /// Brings cells into sight, large enough to tell what is on them. Whether the board is known yet.
    pub fn show(&mut self, cells: &BTreeSet<CellId>) -> bool {
        let Some((_, geometry)) = &self.board else { return false };
        let shapes: Vec<_> = cells.iter().filter_map(|cell| geometry.cell(*cell)).collect();
        let part = Rect::from_points(&shapes.iter().map(|shape| shape.middle).collect::<Vec<_>>());
        let room = shapes.iter().map(|shape| shape.room).fold(f32::INFINITY, f32::min);
        if part.is_finite() && room.is_finite() {
            self.camera.show(part, room);
        }
        true
    }

    /// The cell at a point of the screen.
    pub fn cell_at(&self, point: Pos2) -> Option<CellId> {
        let (board, _) = self.board.as_ref()?;
        let (x, y) = thousandths(self.camera.to_drawing(point));
        board.hit(x, y)
    }

    /// Which point of the drawing is at a point of the screen, in thousandths of a unit.
    pub fn drawing_point(&self, point: Pos2) -> (i32, i32) {
        thousandths(self.camera.to_drawing(point))
    }

    /// Where a point of the drawing, in thousandths of a unit, is on the screen.
    pub fn screen_point(&self, point: (i32, i32)) -> Pos2 {
        self.camera.to_screen(units(point))
    }

    /// How far a piece reaches from the middle of a cell, in points of the screen.
    pub fn room_of(&self, cell: CellId) -> f32 {
        let shape = self.board.as_ref().and_then(|(_, geometry)| geometry.cell(cell));
        shape.map_or(0.0, |shape| shape.room * self.camera.zoom())
    }

    /// The cells in sight.
    pub fn visible(&self) -> Vec<CellId> {
        let geometry = self.board.as_ref().map(|(_, geometry)| geometry);
        geometry.map(|geometry| geometry.visible(self.camera.seen())).unwrap_or_default()
    }

    /// Adds the ground of a cell to a mesh as it is on the screen: its outline, or a square around a point.
    pub fn fill(&self, mesh: &mut Mesh, cell: CellId, colour: Color32) {
        let Some((_, geometry)) = &self.board else { return };
        let Some(shape) = geometry.cell(cell) else { return };
        if shape.is_point() {
            let side = 1.1 * shape.room * self.camera.zoom();
            mesh.add_colored_rect(
                Rect::from_center_size(self.camera.to_screen(shape.middle), egui::Vec2::splat(side)),
                colour,
            );
        }
        for (corners, triangles) in geometry.fills(shape) {
            let first = mesh.vertices.len() as u32;
            for corner in corners {
                mesh.colored_vertex(self.camera.to_screen(*corner), colour);
            }
            for [a, b, c] in triangles {
                mesh.add_triangle(first + a, first + b, first + c);
            }
        }
    }

    /// The lines on the screen around cells for which `is_in` holds: of a grid the sides to cells for which it does not hold, else whole
    /// outlines. Only what `cells` lists is looked at.
    pub fn rim(&self, cells: impl IntoIterator<Item = CellId>, is_in: impl Fn(CellId) -> bool) -> Vec<Vec<Pos2>> {
        let Some((board, geometry)) = &self.board else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for cell in cells.into_iter().filter(|cell| is_in(*cell)) {
            let Some(shape) = geometry.cell(cell) else { continue };
            if geometry.drawing == Drawing::Graph {
                let on_screen = |corners: &[Pos2]| {
                    let closed = corners.iter().chain(corners.first());
                    closed.map(|corner| self.camera.to_screen(*corner)).collect()
                };
                lines.extend(geometry.polygons(shape).map(|(corners, _)| on_screen(corners)));
                if shape.is_point() {
                    let (middle, radius) = (self.camera.to_screen(shape.middle), shape.room * 0.6 * self.camera.zoom());
                    let round = (0..=24).map(|step| middle + egui::Vec2::angled(step as f32 / 24.0 * std::f32::consts::TAU) * radius);
                    lines.push(round.collect());
                }
                continue;
            }
            for direction in board.directions() {
                let Some(side) = geometry.side(board, cell, direction) else {
                    continue;
                };
                if !board.step(cell, direction).is_some_and(&is_in) {
                    lines.push(side.map(|corner| self.camera.to_screen(corner)).to_vec());
                }
            }
        }
        lines
    }

    /// The side on the screen that two cells of a grid share; none if they share no more than a corner, or the board is no grid.
    pub fn shared_side(&self, a: CellId, b: CellId) -> Option<[Pos2; 2]> {
        let (board, geometry) = self.board.as_ref()?;
        if geometry.drawing == Drawing::Graph {
            return None;
        }
        let (direction, _) = board.steps(a).iter().find(|(_, to)| *to == b)?;
        let side = geometry.side(board, a, *direction)?;
        Some(side.map(|corner| self.camera.to_screen(corner)))
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
        let has_moved = known
            .as_ref()
            .is_none_or(|(known, _)| !self.keeps_view && !known.has_cells_of(board));
        if has_moved {
            self.camera = Camera::default();
            self.cursor = Cursor::default();
        }
        // What becomes known of cells while a map is explored moves nothing.
        let fits = |known: &Board, geometry: &Geometry| {
            if self.keeps_view {
                known.is_drawn_like(board)
            } else {
                known.has_cells_of(board) && geometry.fits_names_of(board)
            }
        };
        let geometry = match &known {
            Some((known, geometry)) if Arc::ptr_eq(known, board) || fits(known, geometry) => Arc::clone(geometry),
            _ => {
                // What is kept of a graph does not tell where its points are; on grids everything lies where it lay.
                self.layers = Layers::default();
                self.visible = None;
                if self.keeps_view && known.is_some() && board.width().is_none() {
                    // The next point or corner is put where it is pointed at.
                    self.camera.hold();
                }
                Arc::new(Geometry::of(board))
            }
        };
        // The board itself is kept, so that the next frame need not compare the boards cell by cell.
        self.board = Some((Arc::clone(board), Arc::clone(&geometry)));
        geometry
    }

    /// Sees to it that the board is seen. While something is drawn, nothing moves under the pointer.
    fn settle(&mut self, ui: &Ui, screen: Rect, drawing: Rect) {
        let is_drawn_on = self.keeps_view && self.camera.screen() != Rect::ZERO && ui.input(|input| input.pointer.any_down());
        if is_drawn_on {
            self.camera.stay(screen);
        } else {
            self.camera.settle(screen, drawing);
        }
    }

    fn visible_cells(&mut self, geometry: &Geometry) -> Arc<[CellId]> {
        match &self.visible {
            Some((camera, visible)) if *camera == self.camera => Arc::clone(visible),
            _ => {
                let visible: Arc<[CellId]> = geometry.visible(self.camera.seen()).into();
                self.visible = Some((self.camera, Arc::clone(&visible)));
                visible
            }
        }
    }

    /// Shows the board in all the room there is.
    pub fn ui(&mut self, ui: &mut Ui, scene: &Scene<'_>) -> BoardReply {
        let geometry = self.geometry_of(scene.state.board());
        // Tab comes to a cell, not to the board.
        let (screen, response) = ui.allocate_exact_size(ui.available_size(), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Group, true, scene.board_text()));
        self.settle(ui, screen, geometry.bounds);
        let lifted = self.pointer.drag(ui, &response, scene, &mut self.camera);
        let dropped = self.pointer.drop(ui, &response, scene, &self.camera);
        let pans = self.pointer.pans() && scene.clicks != Clicks::Drawn;
        control_camera(ui, &response, &mut self.camera, pans, !scene.takes_wheel);
        self.settle(ui, screen, geometry.bounds);
        let mut commands = self.pointer.turns(ui, &response, scene);
        let drops_from_beside = self.pointer.drops_from_beside(ui, &response);

        let visible = self.visible_cells(&geometry);
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
        let is_click = response.clicked() && scene.clicks != Clicks::Drawn;
        let clicked = match response.interact_pointer_pos().filter(|_| is_click) {
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
            if scene.clicks != Clicks::Drawn {
                self.minimap.ui(ui, &surface, &mut self.camera, true);
            }
        }
        let side_of = |cell: CellId| {
            let point = response.interact_pointer_pos().filter(|_| is_click)?;
            geometry.side_at(scene.state.board(), cell, self.camera.to_drawing(point))
        };
        let clicked = clicked.map(|cell| (cell, side_of(cell)));
        let clicked = clicked.map(|(cell, side)| self.pointer.click(cell, side, ui.input(|input| input.time)));
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

    /// Shows the minimap of a board that is drawn on, over what was painted over the board since [`ui`](Self::ui); elsewhere that shows it.
    pub fn minimap_ui(&mut self, ui: &mut Ui, scene: &Scene<'_>, board: &Response) {
        if !ui.is_rect_visible(board.rect) {
            return;
        }
        let geometry = self.geometry_of(scene.state.board());
        let surface = Surface {
            id: board.id,
            geometry: &geometry,
            scene,
        };
        // Painted again when the stroke is done.
        self.minimap.ui(ui, &surface, &mut self.camera, !board.is_pointer_button_down_on());
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
        self.layers.paint_ground(&painter);
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
        if let Some(hinted) = &scene.marks.hinted {
            hinted_layer(&canvas, hinted).paint(&painter);
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
    let has_dialog = ui.ctx().memory(|memory| memory.top_modal_layer().is_some());
    if !ui.ctx().text_edit_focused() && !has_dialog {
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
