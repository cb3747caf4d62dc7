//! Draws a board: the slab, cells and lines, marks, and the names of the cells. Pieces are in [`super::pieces`].

use std::collections::BTreeMap;

use egui::epaint::{Mesh, RectShape, Shadow, Vertex};
use egui::{
    Align2, Color32, ColorImage, Context, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, TextureHandle, TextureId,
    TextureOptions, pos2, vec2,
};

use super::camera::Camera;
use super::geometry::{CellShape, Drawing, Geometry};
use super::scene::Scene;
use super::wood;
use crate::model::{Board, CellId, Topology};
use crate::ui::theme::{Palette, bold, ink_on, mix, veil};

/// The textures of the board in both themes.
#[derive(Default)]
pub(super) struct Textures {
    wood: BTreeMap<bool, TextureHandle>,
    paper: Option<TextureHandle>,
}

impl std::fmt::Debug for Textures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Textures").field("count", &self.wood.len()).finish_non_exhaustive()
    }
}

/// The textures of one theme.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextureIds {
    wood: TextureId,
    paper: TextureId,
}

impl Textures {
    /// The textures of a theme, made when first asked for.
    pub(super) fn of(&mut self, context: &Context, palette: &Palette) -> TextureIds {
        let is_dark = *palette == crate::ui::theme::DARK;
        let wood = self.wood.entry(is_dark).or_insert_with(|| wood::texture(context, palette)).id();
        let paper = self.paper.get_or_insert_with(|| paper(context)).id();
        TextureIds { wood, paper }
    }
}

/// Nearly white, a little uneven: it is multiplied with the colour of the ground.
fn paper(context: &Context) -> TextureHandle {
    let side = 256_usize;
    let pixel = |index: usize| {
        let mixed = (index as u32).wrapping_mul(0x9E37_79B1) ^ 0x2545_F491;
        let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0x5BD1_E995);
        Color32::from_gray(255 - ((mixed >> 24) as u8 / 16))
    };
    let options = TextureOptions {
        wrap_mode: egui::TextureWrapMode::MirroredRepeat,
        ..TextureOptions::LINEAR
    };
    context.load_texture(
        "paper",
        ColorImage::new([side, side], (0..side * side).map(pixel).collect()),
        options,
    )
}

/// Everything that drawing one frame of a board needs.
pub(super) struct Canvas<'a> {
    pub(super) painter: Painter,
    pub(super) palette: &'static Palette,
    pub(super) camera: Camera,
    pub(super) screen: Rect,
    pub(super) geometry: &'a Geometry,
    pub(super) board: &'a Board,
    pub(super) scene: &'a Scene<'a>,
    pub(super) textures: TextureIds,
    pub(super) now: f64,
}

impl Canvas<'_> {
    /// Draws the cells in sight and what is on them.
    pub(super) fn paint(&self, visible: &[CellId], hovered: Option<CellId>, focused: Option<CellId>) {
        self.table();
        self.slab();
        match self.geometry.drawing {
            Drawing::Grid { .. } => self.filled_cells(visible),
            Drawing::Graph if self.geometry.has_areas => {
                self.filled_cells(visible);
                self.points(visible);
            }
            Drawing::Graph => {
                self.engraved_lines();
                self.points(visible);
            }
        }
        self.names(visible);
        self.marks_below();
        if let Some(cell) = hovered {
            self.ring(cell, 1.06, Stroke::new(2.0, veil(self.palette.offered, 0.9)));
        }
        self.pieces(visible);
        self.marks_above();
        if let Some(cell) = focused {
            self.ring(cell, 1.16, Stroke::new(2.5, self.palette.accent));
        }
    }

    pub(super) fn at(&self, point: Pos2) -> Pos2 {
        self.camera.to_screen(self.screen, point)
    }

    pub(super) fn shape(&self, cell: CellId) -> Option<&CellShape> {
        self.geometry.cell(cell)
    }

    /// How far a piece reaches from the middle of a cell, in points of the screen.
    pub(super) fn piece_radius(&self, cell: CellId) -> f32 {
        let share = if self.geometry.drawing == Drawing::Graph && !self.geometry.has_areas {
            0.76
        } else {
            0.8
        };
        self.shape(cell).map_or(0.0, |shape| shape.room * share * self.camera.zoom())
    }

    fn table(&self) {
        let (middle, rim) = (self.palette.table, self.palette.table_rim);
        let mut mesh = Mesh::default();
        mesh.colored_vertex(self.screen.center(), middle);
        let corners = [
            self.screen.left_top(),
            self.screen.center_top(),
            self.screen.right_top(),
            self.screen.right_center(),
            self.screen.right_bottom(),
            self.screen.center_bottom(),
            self.screen.left_bottom(),
            self.screen.left_center(),
        ];
        for (index, corner) in corners.iter().enumerate() {
            mesh.colored_vertex(*corner, if index % 2 == 0 { rim } else { mix(middle, rim, 0.55) });
            mesh.add_triangle(0, index as u32 + 1, (index as u32 + 1) % 8 + 1);
        }
        self.painter.add(mesh);
    }

    /// The piece of wood that the board is cut into, or that its cells lie in.
    fn slab(&self) {
        let bounds = self.geometry.bounds;
        let rect = Rect::from_min_max(self.at(bounds.min), self.at(bounds.max));
        let radius = (self.camera.zoom() * 0.22).clamp(4.0, 22.0);
        let corner = CornerRadius::same(radius as u8);
        for (drop, blur, share) in [(10, 30, 1.0), (3, 6, 0.8)] {
            let shadow = Shadow {
                offset: [0, drop],
                blur,
                spread: 0,
                color: veil(self.palette.shadow, share),
            };
            self.painter.add(shadow.as_shape(rect, corner));
        }
        if self.geometry.has_areas {
            self.painter.rect_filled(rect, corner, self.palette.raised);
            self.painter
                .rect_stroke(rect, corner, Stroke::new(1.0, self.palette.line), StrokeKind::Inside);
            return;
        }
        let is_frame = self.is_tray();
        let tint = if is_frame { Color32::from_gray(150) } else { Color32::WHITE };
        self.painter
            .add(RectShape::filled(rect, corner, tint).with_texture(self.textures.wood, Self::grain(bounds)));
        let [dark, light] = self.palette.engraving;
        self.painter
            .rect_stroke(rect.shrink(0.5), corner, Stroke::new(1.0, veil(dark, 0.55)), StrokeKind::Inside);
        self.painter
            .rect_stroke(rect.shrink(1.5), corner, Stroke::new(1.5, veil(light, 0.35)), StrokeKind::Inside);
        if !is_frame {
            let inner = rect.shrink((self.camera.zoom() * 0.16).clamp(3.0, 14.0));
            self.painter
                .rect_stroke(inner, corner, Stroke::new(1.0, veil(dark, 0.28)), StrokeKind::Inside);
            self.painter.rect_stroke(
                inner.translate(vec2(0.0, 1.0)),
                corner,
                Stroke::new(1.0, veil(light, 0.3)),
                StrokeKind::Inside,
            );
        }
    }

    /// Whether the cells are tiles that lie in a frame, so that the frame is darker than they are.
    fn is_tray(&self) -> bool {
        matches!(self.geometry.drawing, Drawing::Grid { .. })
    }

    fn grain(part: Rect) -> Rect {
        Rect::from_min_max((part.min.to_vec2() / 9.0).to_pos2(), (part.max.to_vec2() / 9.0).to_pos2())
    }

    fn ground(&self, cell: CellId) -> Option<Color32> {
        let colour = |declared: u32| Color32::from_rgb((declared >> 16) as u8, (declared >> 8) as u8, declared as u8);
        if let Some(fill) = self.scene.looks.cells.get(&cell).and_then(|look| look.fill) {
            return Some(colour(fill));
        }
        let frame = self.scene.state.frame();
        if !self.scene.has_terrains() && !self.geometry.has_areas {
            return None;
        }
        let terrain = frame.terrains.get(self.scene.state.terrain(cell)?.index())?;
        let declared = colour(terrain.colour);
        Some(if self.palette.ground.r() < 128 {
            mix(declared, Color32::BLACK, 0.22)
        } else {
            declared
        })
    }

    /// Squares, hexes and areas in the colour of their ground, or in wood where there is only one sort of it.
    fn filled_cells(&self, visible: &[CellId]) {
        let mut wooden = Mesh::with_texture(self.textures.wood);
        let mut coloured = Mesh::with_texture(self.textures.paper);
        let mut edges = Vec::new();
        let zoom = self.camera.zoom();
        let [dark, light] = self.palette.engraving;
        let is_square = self.geometry.drawing == (Drawing::Grid { is_square: true });
        for cell in visible {
            let Some(shape) = self.shape(*cell) else {
                continue;
            };
            let ground = self.ground(*cell);
            // Neighbouring wooden tiles differ a little, as if sawn from different boards.
            let (column, row) = self.board.coordinates(*cell).unwrap_or_default();
            let shade = if is_square {
                (column + row).rem_euclid(2)
            } else {
                (column + row * 2).rem_euclid(3)
            };
            let tint = ground.unwrap_or_else(|| Color32::from_gray([255, 226, 240][shade.rem_euclid(3) as usize]));
            let mesh = if ground.is_some() { &mut coloured } else { &mut wooden };
            for (part, triangles) in shape.outline.iter().zip(&shape.triangles) {
                let first = mesh.vertices.len() as u32;
                let slip = shade as f32 * 0.37;
                mesh.vertices.extend(part.iter().map(|corner| Vertex {
                    pos: self.at(*corner),
                    uv: if ground.is_some() {
                        (corner.to_vec2() / 2.5).to_pos2()
                    } else {
                        pos2(corner.x / 9.0 + slip, corner.y / 9.0 + slip)
                    },
                    color: tint,
                }));
                for [a, b, c] in triangles {
                    mesh.add_triangle(first + a, first + b, first + c);
                }
                if zoom * shape.bounds.width() > 5.0 {
                    let corners: Vec<Pos2> = part.iter().map(|corner| self.at(*corner)).collect();
                    if zoom > 26.0 && !self.geometry.has_areas {
                        let middle = self.at(shape.middle);
                        let inner = corners
                            .iter()
                            .map(|corner| *corner + (middle - *corner).normalized() * 2.0)
                            .collect();
                        edges.push(Shape::closed_line(inner, Stroke::new(1.0, veil(light, 0.22))));
                    }
                    let width = if self.geometry.has_areas {
                        1.6
                    } else {
                        (zoom * 0.022).clamp(0.6, 1.6)
                    };
                    edges.push(Shape::closed_line(
                        corners,
                        Stroke::new(width, veil(dark, if ground.is_some() { 0.5 } else { 0.62 })),
                    ));
                }
            }
        }
        self.painter.add(wooden);
        self.painter.add(coloured);
        self.painter.extend(edges);
        for cell in visible {
            let icon = self.scene.looks.cells.get(cell).and_then(|look| look.icon.as_ref());
            if let Some(icon) = icon {
                self.picture(
                    icon,
                    self.at(self.geometry.middle(*cell)),
                    self.piece_radius(*cell) * 1.1,
                    Color32::WHITE,
                    0.0,
                );
            }
        }
    }

    /// Lines cut into the wood, each with its lit edge.
    fn engraved_lines(&self) {
        let [dark, light] = self.palette.engraving;
        let width = (self.camera.zoom() * 0.045).clamp(1.2, 4.5);
        let drawn = |offset: f32| {
            self.geometry.lines.iter().map(move |line| {
                line.iter()
                    .map(|point| self.at(*point) + vec2(offset * 0.6, offset))
                    .collect::<Vec<_>>()
            })
        };
        for line in drawn(width * 0.45) {
            self.painter.add(Shape::line(line, Stroke::new(width, veil(light, 0.55))));
        }
        for line in drawn(0.0) {
            self.painter
                .add(Shape::line(line, Stroke::new(width, mix(self.palette.wood[1], dark, 0.82))));
        }
    }

    /// A hole at every point.
    fn points(&self, visible: &[CellId]) {
        let [dark, light] = self.palette.engraving;
        for cell in visible {
            let Some(shape) = self.shape(*cell).filter(|shape| shape.outline.is_empty()) else {
                continue;
            };
            let middle = self.at(shape.middle);
            let radius = (self.camera.zoom() * shape.room * 0.2).clamp(2.0, 13.0);
            self.painter
                .circle_filled(middle + vec2(0.4, 0.9) * (radius * 0.16), radius * 1.06, veil(light, 0.65));
            let fill = self
                .ground(*cell)
                .filter(|_| self.scene.looks.cells.contains_key(cell))
                .unwrap_or(dark);
            self.painter.circle_filled(middle, radius, fill);
            self.painter.circle_filled(
                middle + vec2(0.0, radius * 0.18),
                radius * 0.72,
                mix(fill, self.palette.wood[1], 0.22),
            );
        }
    }

    /// Names of rows and columns at the rim of square boards, of cells elsewhere where there is room for them.
    fn names(&self, visible: &[CellId]) {
        if !self.scene.shows_names {
            return;
        }
        let zoom = self.camera.zoom();
        let [dark, light] = self.palette.engraving;
        let has_default_names = self.board.cells().take(64).all(|cell| {
            self.board
                .coordinates(cell)
                .and_then(|(x, y)| Topology::default_name(x, y))
                .as_deref()
                == Some(self.board.cell_name(cell))
        });
        if self.geometry.drawing == (Drawing::Grid { is_square: true }) && has_default_names && self.board.width() != Some(0) {
            let (width, height) = (self.board.width().unwrap_or(0), self.board.height().unwrap_or(0));
            let font = FontId::new((zoom * 0.2).clamp(9.0, 15.0), bold());
            if zoom < 20.0 {
                return;
            }
            let colour = veil(light, 0.9);
            for column in 0..i32::from(width) {
                let name = Topology::default_name(column, 0).unwrap_or_default();
                let text = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
                for y in [-0.27, f32::from(height) + 0.27] {
                    let place = self.at(pos2(column as f32 + 0.5, y));
                    self.painter.text(place, Align2::CENTER_CENTER, text, font.clone(), colour);
                }
            }
            for row in 0..height {
                for x in [-0.27, f32::from(width) + 0.27] {
                    let place = self.at(pos2(x, f32::from(row) + 0.5));
                    self.painter
                        .text(place, Align2::CENTER_CENTER, (row + 1).to_string(), font.clone(), colour);
                }
            }
            return;
        }
        let is_area = self.geometry.has_areas;
        if zoom < if is_area { 24.0 } else { 44.0 } {
            return;
        }
        let font = FontId::proportional((zoom * 0.15).clamp(9.0, 13.0));
        for cell in visible {
            let Some(shape) = self.shape(*cell) else {
                continue;
            };
            let is_point = shape.outline.is_empty();
            if is_point && !self.scene.state.pieces_at(*cell).is_empty() {
                continue;
            }
            let (offset, anchor) = match self.geometry.drawing {
                Drawing::Grid { .. } => (vec2(0.0, -0.36), Align2::CENTER_CENTER),
                // Between the lines that run to the right and to the lower right.
                Drawing::Graph if is_point => (vec2(0.74, 0.27) * shape.room, Align2::CENTER_CENTER),
                Drawing::Graph => (vec2(0.0, shape.room * 0.95), Align2::CENTER_BOTTOM),
            };
            let colour = self.ground(*cell).map_or(veil(dark, 0.75), |ground| veil(ink_on(ground), 0.75));
            let place = self.at(shape.middle + offset);
            self.painter.text(place, anchor, self.board.cell_name(*cell), font.clone(), colour);
        }
    }

    /// Fills the shape of a cell, or a disc around a point.
    fn wash(&self, cell: CellId, colour: Color32) {
        let Some(shape) = self.shape(cell) else {
            return;
        };
        if shape.outline.is_empty() {
            self.painter
                .circle_filled(self.at(shape.middle), self.piece_radius(cell) * 1.2, colour);
            return;
        }
        let mut mesh = Mesh::default();
        for (part, triangles) in shape.outline.iter().zip(&shape.triangles) {
            let first = mesh.vertices.len() as u32;
            for corner in part {
                mesh.colored_vertex(self.at(*corner), colour);
            }
            for [a, b, c] in triangles {
                mesh.add_triangle(first + a, first + b, first + c);
            }
        }
        self.painter.add(mesh);
    }

    fn ring(&self, cell: CellId, scale: f32, stroke: Stroke) {
        let Some(shape) = self.shape(cell) else {
            return;
        };
        let radius = self.piece_radius(cell) * scale;
        let halo = Stroke::new(stroke.width + 2.0, veil(Color32::BLACK, 0.28));
        self.painter.circle_stroke(self.at(shape.middle), radius, halo);
        self.painter.circle_stroke(self.at(shape.middle), radius, stroke);
    }

    fn way(&self, cells: &[CellId]) -> Vec<Pos2> {
        cells.iter().map(|cell| self.at(self.geometry.middle(*cell))).collect()
    }

    fn marks_below(&self) {
        let marks = self.scene.marks;
        for cell in &marks.pointed_out {
            self.wash(*cell, veil(self.palette.hint, 0.34));
        }
        for cell in &marks.last {
            self.wash(*cell, veil(self.palette.last, 0.30));
        }
        let way = self.way(&marks.last);
        if way.len() > 1 {
            let width = (self.camera.zoom() * 0.07).clamp(2.0, 7.0);
            self.painter
                .add(Shape::line(way, Stroke::new(width, veil(self.palette.last, 0.55))));
        }
        for cell in &marks.chosen {
            self.wash(*cell, veil(self.palette.chosen, 0.34));
        }
        for cell in &marks.pickable {
            if !marks.chosen.contains(cell) {
                self.ring(
                    *cell,
                    1.09,
                    Stroke::new((self.camera.zoom() * 0.035).clamp(1.6, 3.0), self.palette.offered),
                );
            }
        }
    }

    fn marks_above(&self) {
        let marks = self.scene.marks;
        let zoom = self.camera.zoom();
        let way = self.way(&marks.chosen);
        if way.len() > 1 {
            let width = (zoom * 0.08).clamp(2.5, 7.0);
            self.painter
                .add(Shape::line(way.clone(), Stroke::new(width + 2.0, veil(Color32::BLACK, 0.3))));
            self.painter.add(Shape::line(way, Stroke::new(width, self.palette.chosen)));
        }
        if let Some(first) = marks.chosen.first() {
            self.ring(*first, 1.1, Stroke::new((zoom * 0.06).clamp(2.5, 4.5), self.palette.chosen));
        }
        for (step, cell) in marks.chosen.iter().enumerate().skip(1) {
            let (middle, radius) = (
                self.at(self.geometry.middle(*cell)),
                (self.piece_radius(*cell) * 0.5).clamp(7.0, 15.0),
            );
            self.painter
                .circle_filled(middle + vec2(0.0, 1.5), radius + 1.0, veil(Color32::BLACK, 0.35));
            self.painter.circle_filled(middle, radius, self.palette.chosen);
            self.painter.text(
                middle,
                Align2::CENTER_CENTER,
                step.to_string(),
                FontId::new(radius * 1.25, bold()),
                ink_on(self.palette.chosen),
            );
        }
        for cell in marks.targets.iter().filter(|cell| !marks.chosen.contains(cell)) {
            let middle = self.at(self.geometry.middle(*cell));
            if self.scene.state.pieces_at(*cell).is_empty() {
                let radius = (self.piece_radius(*cell) * 0.3).clamp(3.0, 13.0);
                self.painter.circle_filled(middle, radius + 1.5, veil(Color32::BLACK, 0.34));
                self.painter.circle_filled(middle, radius, veil(self.palette.offered, 0.92));
            } else {
                self.ring(*cell, 1.12, Stroke::new((zoom * 0.05).clamp(2.0, 4.0), self.palette.offered));
            }
        }
        self.hint(&marks.hint);
    }

    /// A broken line with an arrow, so that it is not only the colour that tells a hint.
    fn hint(&self, cells: &[CellId]) {
        let Some(last) = cells.last() else {
            return;
        };
        let colour = self.palette.hint;
        let width = (self.camera.zoom() * 0.075).clamp(2.5, 6.0);
        if let Some(first) = cells.first() {
            self.ring(*first, 1.14, Stroke::new(width * 0.8, colour));
        }
        let way = self.way(cells);
        if let [.., before, end] = way[..] {
            let back = (before - end).normalized();
            let tip = end + back * self.piece_radius(*last) * 0.25;
            let mut drawn = way.clone();
            if let Some(point) = drawn.last_mut() {
                *point = tip + back * width * 2.0;
            }
            self.painter
                .add(Shape::line(drawn.clone(), Stroke::new(width + 2.5, veil(Color32::WHITE, 0.5))));
            self.painter
                .extend(Shape::dashed_line(&drawn, Stroke::new(width, colour), width * 2.4, width * 1.2));
            let aside = back.rot90() * width * 2.0;
            let head = vec![tip, tip + back * width * 3.4 + aside, tip + back * width * 3.4 - aside];
            self.painter
                .add(Shape::convex_polygon(head, colour, Stroke::new(1.5, veil(Color32::WHITE, 0.7))));
        }
    }
}
