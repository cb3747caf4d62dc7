//! The widget itself: what the pointer does on the board, and the order in which it is painted.

use std::cell::RefCell;
use std::sync::Arc;

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::action_preview::preview_layer;
use super::camera::Camera;
use super::canvas::Canvas;
use super::cursor::Cursor;
use super::geometry::{Geometry, thousandths};
use super::ground::ground_layer;
use super::layer::{Key as LayerKey, Layers};
use super::marks::{cursors_layer, marks_above, marks_below};
use super::minimap::Minimap;
use super::pieces::{carried_layer, pieces_layer, travellers_layer};
use super::scene::{Clicks, Scene};
use super::textures::Textures;
use super::tiles::ghost_layer;
use crate::command::{CellClick, ChoiceCommand, Turn};
use crate::keys::{self, Act};
use crate::theme::{Palette, seat_style};
use boardwright_model::{Board, CellId};

/// The longest time between the two clicks of a double click, in seconds.
const DOUBLE_CLICK: f64 = 0.45;
/// How far the wheel turns for a notch, in points.
const NOTCH: f32 = 40.0;
/// How far a key moves the board, in points.
const PAN: f32 = 80.0;

/// A board on the screen: what the parts of the widget share.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub(super) id: Id,
    pub(super) screen: Rect,
    pub(super) geometry: &'a Geometry,
    pub(super) scene: &'a Scene<'a>,
}

/// What happened on the board in one frame.
#[derive(Debug)]
pub struct BoardReply {
    /// The cell under the pointer, or the one with the focus.
    pub hovered: Option<CellId>,
    /// What pointer and keyboard chose.
    pub commands: Vec<ChoiceCommand>,
    /// The board as a widget.
    pub response: Response,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Drag {
    #[default]
    Pans,
    Carries(CellId),
    /// It began on a cell of which the rules have not said yet whether it can be lifted.
    Waits(CellId),
}

/// What the pointer may do to the camera.
#[derive(Clone, Copy)]
struct PointerMode {
    pans: bool,
    zooms: bool,
}

/// The board widget: a camera and what is computed once for a board.
#[derive(Debug, Default)]
pub struct BoardView {
    board: Option<Arc<Board>>,
    geometry: Option<Arc<Geometry>>,
    camera: Camera,
    cursor: Cursor,
    last_click: Option<(CellId, f64)>,
    textures: Textures,
    layers: Layers,
    minimap: Minimap,
    drag: Drag,
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

    /// Shows the whole board.
    pub fn fit(&mut self) {
        self.camera.fit();
    }

    /// Scales the board around its middle.
    pub fn zoom(&mut self, screen: Rect, factor: f32) {
        self.camera.zoom_at(screen, screen.center(), factor);
    }

    /// Where a cell is on the screen.
    pub fn place_of(&self, screen: Rect, cell: CellId) -> Option<Pos2> {
        let middle = self.geometry.as_ref()?.cell(cell)?.middle;
        Some(self.camera.to_screen(screen, middle))
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
        self.cursor = Cursor::default();
        geometry
    }

    /// Shows the board in all the room there is.
    pub fn ui(&mut self, ui: &mut Ui, scene: &Scene<'_>) -> BoardReply {
        let board = Arc::clone(scene.state.board());
        let geometry = self.prepare(&board);
        // Tab comes to a cell, not to the board.
        let (screen, response) = ui.allocate_exact_size(ui.available_size(), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Group, true, scene.board_text()));
        let cell_at = |camera: &Camera, point: Pos2| cell_at(camera, &board, screen, point);
        let lifted = self.drag(ui, screen, &response, scene);
        let dropped = self.drop(ui, screen, &response, &board);
        let mode = PointerMode {
            pans: self.drag == Drag::Pans,
            zooms: !scene.takes_wheel,
        };
        control_camera(ui, &response, &mut self.camera, screen, &geometry, mode);
        let mut commands = self.turns(ui, &response, scene);

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
        let hovered = pointer.and_then(|pointer| cell_at(&self.camera, pointer));
        let mut clicked = handled.clicked;
        if response.clicked()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            clicked = cell_at(&self.camera, pointer);
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
        if clicked.is_some() || dropped.is_some() {
            ui.ctx().request_repaint();
        }
        commands.extend(lifted.map(ChoiceCommand::Lift));
        commands.extend(dropped);
        commands.extend(clicked.map(ChoiceCommand::Click));
        BoardReply {
            hovered: hovered.or(handled.focused),
            commands,
            response,
        }
    }

    /// Dragging from a cell that can be lifted carries what is there; elsewhere it pans. Returns the cell from which carrying begins.
    fn drag(&mut self, ui: &Ui, screen: Rect, response: &Response, scene: &Scene<'_>) -> Option<CellId> {
        if self.drag != Drag::Pans {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        let began = response.drag_started_by(PointerButton::Primary);
        let origin = match self.drag {
            Drag::Waits(cell) => Some(cell),
            Drag::Pans | Drag::Carries(_) if began => {
                let origin = ui.input(|input| input.pointer.press_origin())?;
                cell_at(&self.camera, scene.state.board(), screen, origin)
            }
            Drag::Pans | Drag::Carries(_) => return None,
        };
        let can_be = |cell: &CellId| scene.clicks != Clicks::Ignored && scene.marks.can_be_lifted(*cell);
        let was = self.drag;
        self.drag = match origin {
            Some(cell) if can_be(&cell) => Drag::Carries(cell),
            Some(cell) if scene.clicks == Clicks::Queued => Drag::Waits(cell),
            _ => Drag::Pans,
        };
        if was != Drag::Pans && self.drag == Drag::Pans {
            // The board catches up with the pointer.
            let so_far = response.total_drag_delta().unwrap_or_default() - response.drag_delta();
            self.camera.pan(so_far);
        }
        self.carried()
    }

    /// The cell whose pieces are with the pointer.
    fn carried(&self) -> Option<CellId> {
        match self.drag {
            Drag::Carries(cell) => Some(cell),
            Drag::Pans | Drag::Waits(_) => None,
        }
    }

    /// Ends a drag where the button is released.
    fn drop(&mut self, ui: &Ui, screen: Rect, response: &Response, board: &Board) -> Option<ChoiceCommand> {
        if response.dragged() {
            return None;
        }
        let drag = std::mem::take(&mut self.drag);
        let pointer = ui.ctx().pointer_latest_pos().filter(|pointer| screen.contains(*pointer));
        let cell = pointer.and_then(|pointer| cell_at(&self.camera, board, screen, pointer))?;
        match drag {
            Drag::Pans => None,
            Drag::Carries(_) => Some(ChoiceCommand::DropOn(cell)),
            Drag::Waits(from) => Some(ChoiceCommand::Drag(from, cell)),
        }
    }

    /// What the secondary button and the wheel do to the choice: they turn the piece that is about to be placed, where there is one.
    fn turns(&mut self, ui: &Ui, response: &Response, scene: &Scene<'_>) -> Vec<ChoiceCommand> {
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

    fn paint(&mut self, ui: &Ui, surface: &Surface<'_>, hovered: Option<CellId>, focused: Option<CellId>) {
        let Surface {
            screen, geometry, scene, ..
        } = *surface;
        let palette = Palette::of(ui.visuals());
        let now = ui.input(|input| input.time);
        let is_under_way = scene.travels.is_under_way(now);
        // The numbers of what areas are worth lie where their names would be.
        let shows_names = scene.shows_names && (!geometry.has_areas || scene.marks.heat_map.is_empty());
        let key = LayerKey {
            camera: self.camera,
            screen,
            pixels_per_point: ui.ctx().pixels_per_point(),
            palette,
            digest: scene.state.digest(),
            frame: Arc::clone(scene.state.declarations()),
            looks: Arc::clone(scene.looks),
            art: scene.art.version(),
            shows_names,
            travels: if is_under_way { scene.travels.number() } else { 0 },
            seats: seat_style(),
        };
        let carried = self.carried();
        let canvas = Canvas {
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
            let (mut ground, mut pieces) = (ground_layer(&canvas, &visible), pieces_layer(&canvas, &visible));
            ground.bake(ui.ctx());
            pieces.bake(ui.ctx());
            // A picture that is not ready yet comes in one of the next frames.
            let is_whole = !scene.art.has_waited();
            self.layers.keep(is_whole.then_some(key), ground, pieces);
        }
        let painter = ui.painter_at(screen);
        self.layers.ground.paint(&painter);
        marks_below(&canvas).paint(&painter);
        cursors_layer(&canvas, hovered, None).paint(&painter);
        self.layers.pieces.paint(&painter);
        if is_under_way {
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
        if let (Some(cell), Some(pointer)) = (carried, ui.ctx().pointer_latest_pos()) {
            carried_layer(&canvas, cell, pointer).paint(&painter);
        }
        cursors_layer(&canvas, None, focused).paint(&painter);
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
}

fn cell_at(camera: &Camera, board: &Board, screen: Rect, point: Pos2) -> Option<CellId> {
    let (x, y) = thousandths(camera.to_drawing(screen, point));
    board.hit(x, y)
}

/// Pans, zooms and fits by pointer, wheel and keys.
fn control_camera(ui: &Ui, response: &Response, camera: &mut Camera, screen: Rect, geometry: &Geometry, mode: PointerMode) {
    camera.settle(screen, geometry.bounds);
    let by_primary = mode.pans && response.dragged_by(PointerButton::Primary);
    if by_primary || response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
        camera.pan(response.drag_delta());
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let over = ui.ctx().pointer_hover_pos().filter(|pointer| screen.contains(*pointer));
    if let Some(pointer) = over.filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
        let factor = pinch * if mode.zooms { (scroll.y / 240.0).exp() } else { 1.0 };
        if (factor - 1.0).abs() > f32::EPSILON {
            camera.zoom_at(screen, pointer, factor);
        }
        if scroll.x != 0.0 {
            camera.pan(vec2(scroll.x, 0.0));
        }
    }
    if !ui.ctx().text_edit_focused() {
        camera_keys(ui, camera, screen);
    }
    camera.settle(screen, geometry.bounds);
}

fn camera_keys(ui: &Ui, camera: &mut Camera, screen: Rect) {
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
