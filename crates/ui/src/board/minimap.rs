//! The whole of a large board in a corner, with a frame around the part that is seen.

use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, CornerRadius, CursorIcon, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::camera::Camera;
use super::canvas::rgb;
use super::geometry::Geometry;
use super::scene::Scene;
use super::widget::Surface;
use crate::texts::text;
use crate::theme::{Palette, SeatStyle, mix, seat_style, space, veil};
use boardwright_model::{Declarations, Looks};

/// How large it is at most, in points.
const MOST: egui::Vec2 = vec2(190.0, 150.0);
/// The least number of cells for which it is shown.
const LEAST_CELLS: usize = 120;
/// It is shown when less of the board than this is seen.
const LEAST_SEEN: f32 = 0.6;

/// The little board, painted once for a state.
#[derive(Debug, Default)]
pub(super) struct Minimap {
    key: Option<Key>,
    mesh: Arc<Mesh>,
}

#[derive(Debug)]
struct Key {
    digest: u64,
    frame: Arc<Declarations>,
    looks: Arc<Looks>,
    palette: &'static Palette,
    place: Rect,
    seats: SeatStyle,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
            && Arc::ptr_eq(&self.frame, &other.frame)
            && Arc::ptr_eq(&self.looks, &other.looks)
            && std::ptr::eq(self.palette, other.palette)
            && self.place == other.place
            && self.seats == other.seats
    }
}

impl Minimap {
    /// Shows it if it is of use, and takes the camera where it is clicked. Returns the part of the screen it takes.
    pub(super) fn ui(&mut self, ui: &mut Ui, surface: &Surface<'_>, camera: &mut Camera) -> Option<Rect> {
        let Surface {
            id,
            screen,
            geometry,
            scene,
        } = *surface;
        let (bounds, seen) = (geometry.bounds, camera.seen(screen).intersect(geometry.bounds));
        let share = seen.area().max(0.0) / bounds.area().max(f32::EPSILON);
        if geometry.cells.len() < LEAST_CELLS || share > LEAST_SEEN || screen.width() < 3.0 * MOST.x || screen.height() < 2.5 * MOST.y {
            return None;
        }
        let scale = (MOST.x / bounds.width()).min(MOST.y / bounds.height());
        let size = bounds.size() * scale;
        let place = Rect::from_min_size(screen.left_top() + vec2(space::M, space::M), size);
        let response = ui.interact(place.expand(4.0), id.with("minimap"), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, text!("board-minimap")));
        let to_map = |point: egui::Pos2| place.min + (point - bounds.min) * scale;
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged()) {
            camera.look_at(bounds.min + (pointer - place.min) / scale);
        }
        if response.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        let palette = Palette::of(ui.visuals());
        let key = Key {
            digest: scene.state.digest(),
            frame: Arc::clone(scene.state.declarations()),
            looks: Arc::clone(scene.looks),
            palette,
            place,
            seats: seat_style(),
        };
        if self.key.as_ref() != Some(&key) {
            self.mesh = Arc::new(painted(geometry, scene, palette, &to_map));
            self.key = Some(key);
        }
        let painter = ui.painter_at(screen);
        let corner = CornerRadius::same(6);
        painter.rect_filled(place.expand(4.0), corner, veil(palette.surface, 0.94));
        painter.add(Shape::Mesh(Arc::clone(&self.mesh)));
        let part = Rect::from_min_max(to_map(seen.min), to_map(seen.max)).intersect(place);
        painter.rect_filled(part, CornerRadius::ZERO, veil(palette.chosen, 0.12));
        painter.rect_stroke(part, CornerRadius::ZERO, Stroke::new(1.5, palette.chosen), StrokeKind::Middle);
        painter.rect_stroke(place.expand(4.0), corner, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        Some(place.expand(4.0))
    }
}

/// Cells as rectangles in the colour of their ground, pieces as spots in that of their seat.
fn painted(geometry: &Geometry, scene: &Scene<'_>, palette: &Palette, to_map: &dyn Fn(egui::Pos2) -> egui::Pos2) -> Mesh {
    let mut mesh = Mesh::default();
    let (state, frame) = (scene.state, scene.state.declarations());
    let terrain_colour = |cell| {
        let terrain = frame.terrains.get(state.terrain(cell)?.index())?;
        Some(rgb(terrain.colour))
    };
    for cell in state.board().cells() {
        let Some(shape) = geometry.cell(cell) else { continue };
        let look = scene.looks.cells.get(&cell).and_then(|look| look.fill).map(rgb);
        let ground = look.or_else(|| terrain_colour(cell).filter(|_| scene.has_terrains()));
        let colour = ground.unwrap_or(palette.wood[0]);
        let half = shape.room.max(0.3);
        let rect = Rect::from_center_size(shape.middle, vec2(2.0 * half, 2.0 * half));
        mesh.add_colored_rect(Rect::from_min_max(to_map(rect.min), to_map(rect.max)), colour);
    }
    for piece in state.pieces() {
        let Some(shape) = piece.place.cell().and_then(|cell| geometry.cell(cell)) else {
            continue;
        };
        let owner = piece.owner.and_then(|seat| Some((seat, frame.seats.get(seat.index())?)));
        let colour = owner.map_or(palette.muted, |(seat, declared)| Palette::seat(declared.colour, seat.index()));
        let middle = to_map(shape.middle);
        for (half, colour) in [(2.4, mix(colour, Color32::BLACK, 0.6)), (1.6, colour)] {
            let corner = pos2(middle.x - half, middle.y - half);
            mesh.add_colored_rect(Rect::from_min_size(corner, vec2(2.0 * half, 2.0 * half)), colour);
        }
    }
    mesh
}
