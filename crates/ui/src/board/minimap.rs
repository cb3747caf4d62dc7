//! The whole of a large board in a corner, with a frame around the part that is seen.

use egui::{
    Color32, ColorImage, CursorIcon, Pos2, Rect, Role, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

use super::camera::Camera;
use super::geometry::Geometry;
use super::layer::SceneKey;
use super::scene::Scene;
use super::widget::Surface;
use crate::texts::text;
use crate::theme::{Palette, mix, rgb, seat_colour, space, veil};
use boardwright_model::CellSight;

/// How large it is at most, in points.
const MOST: Vec2 = vec2(190.0, 150.0);
/// The least number of cells for which it is shown.
const LEAST_CELLS: usize = 120;
/// It is shown when less of the board than this is seen.
const LEAST_SEEN: f32 = 0.6;

/// The little board, painted once for a state.
#[derive(Default)]
pub(super) struct Minimap {
    picture: Option<(SceneKey, [usize; 2], TextureHandle)>,
}

impl std::fmt::Debug for Minimap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minimap").field("is_painted", &self.picture.is_some()).finish()
    }
}

impl Minimap {
    /// Shows it if it is of use, and takes the camera where it is clicked.
    /// `follows` is whether it is painted again when the state has changed.
    pub(super) fn ui(&mut self, ui: &mut Ui, surface: &Surface<'_>, camera: &mut Camera, follows: bool) {
        let Surface { id, geometry, scene } = *surface;
        let (bounds, screen) = (geometry.bounds, camera.screen());
        let seen = camera.seen().intersect(bounds);
        let share = seen.area().max(0.0) / bounds.area().max(f32::EPSILON);
        if geometry.cells.len() < LEAST_CELLS || share > LEAST_SEEN || screen.width() < 3.0 * MOST.x || screen.height() < 2.5 * MOST.y {
            return;
        }
        let scale = (MOST.x / bounds.width()).min(MOST.y / bounds.height());
        let size = bounds.size() * scale;
        let place = Rect::from_min_size(screen.left_top() + vec2(space::M, space::M), size);
        let response = ui.interact(place.expand(4.0), id.with("minimap"), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, text!("board-minimap")));
        let to_map = |point: Pos2| place.min + (point - bounds.min) * scale;
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged()) {
            camera.look_at(bounds.min + (pointer - place.min) / scale);
        }
        if response.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        let palette = Palette::of(ui.visuals());
        let scene_key = SceneKey::new(scene, palette);
        let pixels = size * ui.ctx().pixels_per_point();
        let pixels = [pixels.x.round().max(1.0) as usize, pixels.y.round().max(1.0) as usize];
        let known = self.picture.as_ref().map(|(key, pixels, _)| (key, *pixels));
        if known != Some((&scene_key, pixels)) && (follows || known.is_none()) {
            let image = painted(geometry, scene, palette, pixels, ui.ctx().pixels_per_point());
            let texture = ui.ctx().load_texture("minimap", image, TextureOptions::LINEAR);
            self.picture = Some((scene_key, pixels, texture));
        }
        let painter = ui.painter_at(screen);
        painter.rect_filled(place.expand(4.0), 6, veil(palette.surface, 0.94));
        if let Some((_, _, texture)) = &self.picture {
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            painter.image(texture.id(), place, whole, Color32::WHITE);
        }
        let part = Rect::from_min_max(to_map(seen.min), to_map(seen.max)).intersect(place);
        painter.rect_filled(part, 0, veil(palette.chosen, 0.12));
        painter.rect_stroke(part, 0, Stroke::new(1.5, palette.chosen), StrokeKind::Middle);
        painter.rect_stroke(place.expand(4.0), 6, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    }
}

/// Cells as rectangles in the colour of their ground, pieces as spots in that of their seat, which on large boards are no larger than cells.
/// `point` is how many pixels a point takes.
fn painted(geometry: &Geometry, scene: &Scene<'_>, palette: &Palette, size: [usize; 2], point: f32) -> ColorImage {
    let mut sheet = Sheet(ColorImage::filled(size, Color32::TRANSPARENT));
    let bounds = geometry.bounds;
    let scale = size[0] as f32 / bounds.width().max(f32::EPSILON);
    let to_map = |point: Pos2| ((point - bounds.min) * scale).to_pos2();
    let (state, declarations) = (scene.state, scene.state.declarations());
    for cell in state.board().cells() {
        let Some(shape) = geometry.cell(cell) else { continue };
        let look = scene.looks.cells.get(&cell).and_then(|look| look.fill);
        let terrain = scene.terrain(cell).filter(|_| scene.has_terrains());
        let fill = look.or(terrain.map(|terrain| terrain.colour));
        let colour = match state.cell_sight(cell) {
            CellSight::Visible => fill.map_or(palette.wood[0], rgb),
            CellSight::Remembered => mix(fill.map_or(palette.wood[0], rgb), Color32::BLACK, 0.45),
            CellSight::Unexplored => mix(palette.table_rim, Color32::BLACK, 0.55),
        };
        let half = shape.room.max(0.3);
        let rect = Rect::from_center_size(shape.middle, Vec2::splat(2.0 * half));
        sheet.fill(Rect::from_min_max(to_map(rect.min), to_map(rect.max)), colour);
    }
    for piece in state.pieces() {
        let Some(shape) = piece.place.cell().and_then(|cell| geometry.cell(cell)) else {
            continue;
        };
        let owner = piece.owner.filter(|seat| seat.index() < declarations.seats.len());
        let colour = owner.map_or(palette.muted, |seat| seat_colour(declarations, seat));
        let half = (shape.room * scale * 1.3).clamp(0.9 * point, 1.6 * point);
        for (half, colour) in [(half * 1.5, mix(colour, Color32::BLACK, 0.6)), (half, colour)] {
            sheet.fill(Rect::from_center_size(to_map(shape.middle), Vec2::splat(2.0 * half)), colour);
        }
    }
    sheet.0
}

/// A picture that is painted on.
struct Sheet(ColorImage);

impl Sheet {
    /// Paints the pixels whose middles lie in a rectangle.
    fn fill(&mut self, rect: Rect, colour: Color32) {
        let [width, height] = self.0.size;
        let column = |x: f32| (x.round().max(0.0) as usize).min(width);
        let row = |y: f32| (y.round().max(0.0) as usize).min(height);
        for y in row(rect.top())..row(rect.bottom()) {
            if let Some(span) = self
                .0
                .pixels
                .get_mut(y * width + column(rect.left())..y * width + column(rect.right()).max(column(rect.left())))
            {
                span.fill(colour);
            }
        }
    }
}
