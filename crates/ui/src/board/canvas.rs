//! What every part of the drawing of a board needs: where things are on the screen, and shapes that several parts use.

use egui::epaint::{FontsView, Mesh, Vertex, WHITE_UV};
use egui::{Color32, Context, FontId, Pos2, Shape, Stroke, Vec2, vec2};

use super::camera::Camera;
use super::geometry::{CellShape, Drawing, Geometry};
use super::layer::Layer;
use super::scene::Scene;
use super::textures::Textures;
use crate::theme::{Palette, SeatColours, mix, place_in_pattern, rgb, seat_colour, seat_pattern, seat_style, veil};
use boardwright_model::{Board, CellId, SeatId};

/// The least radius of what stands in areas, in points, as long as no two meet.
const LEAST_TOKEN: f32 = 10.5;

/// How far brackets are from the middle of a piece, by its radius, and how long they are, by that.
const BRACKETS: f32 = 1.08;
const BRACKET_ARM: f32 = 0.42;

/// Everything that drawing one frame of a board needs. Only the textures change while it is drawn.
#[derive(Clone, Copy)]
pub(super) struct Canvas<'a> {
    pub(super) context: &'a Context,
    pub(super) palette: &'static Palette,
    pub(super) camera: &'a Camera,
    pub(super) geometry: &'a Geometry,
    pub(super) scene: &'a Scene<'a>,
    pub(super) textures: &'a Textures,
    /// In seconds.
    pub(super) now: f64,
}

impl<'a> Canvas<'a> {
    pub(super) fn board(&self) -> &'a Board {
        self.scene.state.board()
    }

    /// Whether names of cells are shown. The values of areas lie where their names would be.
    pub(super) fn shows_names(&self) -> bool {
        self.scene.shows_names && (!self.geometry.has_areas || self.scene.marks.heat_map.is_empty())
    }

    pub(super) fn at(&self, point: Pos2) -> Pos2 {
        self.camera.to_screen(point)
    }

    pub(super) fn shape(&self, cell: CellId) -> Option<&'a CellShape> {
        self.geometry.cell(cell)
    }

    pub(super) fn middle(&self, cell: CellId) -> Pos2 {
        self.at(self.geometry.middle(cell))
    }

    /// How many pixels so many points are.
    pub(super) fn pixels(&self, points: f32) -> f32 {
        points * self.context.pixels_per_point()
    }

    /// How far a piece reaches from the middle of a cell, in points of the screen.
    pub(super) fn piece_radius(&self, cell: CellId) -> f32 {
        let share = if self.geometry.drawing == Drawing::Graph && !self.geometry.has_areas {
            0.76
        } else {
            0.8
        };
        let Some(shape) = self.shape(cell) else { return 0.0 };
        let zoom = share * self.camera.zoom();
        let radius = shape.room * zoom;
        if self.geometry.has_areas && radius < LEAST_TOKEN {
            // A number on it can be read on small maps too.
            return LEAST_TOKEN.min(shape.most_room * zoom);
        }
        radius
    }

    /// How far a picture that is laid over a cell reaches from its middle: on grids over the whole cell, so that rivers and walls on its
    /// sides meet those of its neighbours.
    pub(super) fn overlay_radius(&self, cell: CellId) -> f32 {
        match self.geometry.drawing {
            Drawing::Grid { .. } => self
                .shape(cell)
                .map_or(0.0, |shape| shape.bounds.size().max_elem() / 2.0 * self.camera.zoom()),
            Drawing::Graph => self.piece_radius(cell) * 1.1,
        }
    }

    /// The colour of a cell's ground with what is laid over it.
    pub(super) fn ground(&self, cell: CellId) -> Option<Color32> {
        self.bare_ground(cell).map(|ground| ground.blend(self.wash_of(cell)))
    }

    /// What is laid over the ground of a cell.
    pub(super) fn wash_of(&self, cell: CellId) -> Color32 {
        let wash = self.scene.washes.and_then(|washes| washes.get(cell.index()));
        wash.copied().unwrap_or(Color32::TRANSPARENT)
    }

    /// The colour of a cell's ground: what the rules say, or that of its terrain where there are several.
    fn bare_ground(&self, cell: CellId) -> Option<Color32> {
        if let Some(fill) = self.scene.looks.cells.get(&cell).and_then(|look| look.fill) {
            let holder = self.holder(cell).filter(|_| seat_style().colours == SeatColours::Safe);
            return Some(holder.map_or(rgb(fill), |seat| mix(self.seat_colour(seat), Color32::WHITE, 0.5)));
        }
        if !self.scene.has_terrains() && !self.geometry.has_areas {
            return None;
        }
        Some(self.by_theme(rgb(self.scene.terrain(cell)?.colour)))
    }

    /// The same under the shade that lies on remembered cells: what is written there has to be read on it.
    pub(super) fn shaded_ground(&self, cell: CellId) -> Option<Color32> {
        let ground = self.ground(cell)?;
        Some(if self.scene.is_remembered(cell) {
            mix(ground, Color32::BLACK, 0.5)
        } else {
            ground
        })
    }

    /// A declared colour as the theme shows it.
    pub(super) fn by_theme(&self, declared: Color32) -> Color32 {
        if self.palette.is_dark() {
            mix(declared, Color32::BLACK, 0.22)
        } else {
            declared
        }
    }

    pub(super) fn seat_colour(&self, seat: SeatId) -> Color32 {
        seat_colour(self.scene.state.declarations(), seat)
    }

    /// Whose pieces alone stand on an area.
    pub(super) fn holder(&self, cell: CellId) -> Option<SeatId> {
        let state = self.scene.state;
        let mut owners = state.pieces_at(cell).iter().map(|piece| state.piece(*piece)?.owner);
        let first = owners.next().flatten().filter(|_| self.geometry.has_areas)?;
        owners.all(|owner| owner == Some(first)).then_some(first)
    }

    /// Adds the shape of a cell to a mesh, or a disc around a point. `inset` is how far from its rim, in points of the screen.
    pub(super) fn fill(&self, mesh: &mut Mesh, cell: CellId, colour: Color32, inset: f32) {
        self.fill_with(mesh, cell, colour, inset, |_| WHITE_UV);
    }

    /// The same with a texture; `uv` says where in it a point of the drawing lies.
    pub(super) fn fill_with(&self, mesh: &mut Mesh, cell: CellId, colour: Color32, inset: f32, uv: impl Fn(Pos2) -> Pos2) {
        let Some(shape) = self.shape(cell) else { return };
        let middle = self.at(shape.middle);
        if shape.is_point() {
            let uv = |point: Pos2| uv(self.camera.to_drawing(point));
            add_disc(mesh, middle, self.piece_radius(cell) * 1.2 - inset, colour, uv);
            return;
        }
        let share = 1.0 - inset / (shape.room * self.camera.zoom()).max(inset + 0.01);
        for (corners, triangles) in self.geometry.fills(shape) {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(corners.iter().map(|corner| Vertex {
                pos: middle + (self.at(*corner) - middle) * share,
                uv: uv(*corner),
                color: colour,
            }));
            for [a, b, c] in triangles {
                mesh.add_triangle(first + a, first + b, first + c);
            }
        }
    }

    pub(super) fn wash<'c>(&self, layer: &mut Layer, cells: impl IntoIterator<Item = &'c CellId>, colour: Color32) {
        let mut mesh = Mesh::default();
        for cell in cells {
            self.fill(&mut mesh, *cell, colour, 0.0);
        }
        layer.add(mesh);
    }

    /// Lays the pattern of a seat over cells.
    pub(super) fn wash_pattern<'c>(&self, layer: &mut Layer, cells: impl IntoIterator<Item = &'c CellId>, seat: SeatId, ink: Color32) {
        let hangs_on = self.at(Pos2::ZERO);
        let mut mesh = Mesh::with_texture(seat_pattern(self.context, seat.index()));
        for cell in cells {
            self.fill_with(&mut mesh, *cell, ink, 0.0, |corner| place_in_pattern(self.at(corner), hangs_on));
        }
        layer.add(mesh);
    }

    /// A broken ring.
    pub(super) fn dashed_ring(&self, layer: &mut Layer, middle: Pos2, radius: f32, colour: Color32) {
        let angles = (0..=48).map(|step| step as f32 / 48.0 * std::f32::consts::TAU);
        let round: Vec<Pos2> = angles.map(|angle| middle + Vec2::angled(angle) * radius).collect();
        let stroke = Stroke::new(self.grown(0.05, 1.5, 3.5), colour);
        layer.extend(Shape::dashed_line(&round, stroke, radius * 0.3, radius * 0.18));
    }

    /// A ring around what stands on a cell, with a dark halo so that it is seen on every ground.
    pub(super) fn ring(&self, layer: &mut Layer, cell: CellId, scale: f32, stroke: Stroke) {
        let radius = self.piece_radius(cell) * scale;
        let halo = Stroke::new(stroke.width + 2.0, veil(Color32::BLACK, 0.28));
        layer.add(Shape::circle_stroke(self.middle(cell), radius, halo));
        layer.add(Shape::circle_stroke(self.middle(cell), radius, stroke));
    }

    /// Brackets at the corners of a square around what stands on a cell, with a dark halo so that they are seen on every ground.
    pub(super) fn brackets(&self, layer: &mut Layer, cell: CellId, stroke: Stroke) {
        let (middle, reach) = (self.middle(cell), self.piece_radius(cell) * BRACKETS);
        let halo = Stroke::new(stroke.width + 2.0, veil(Color32::BLACK, 0.28));
        for corner in [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)].map(|corner| corner * reach) {
            let arm = corner * BRACKET_ARM;
            let line = [corner - vec2(arm.x, 0.0), corner, corner - vec2(0.0, arm.y)].map(|point| middle + point);
            for stroke in [halo, stroke] {
                layer.add(Shape::line(line.to_vec(), stroke));
            }
        }
    }

    /// A line around several cells, within their rim. Areas and points have a ring each.
    pub(super) fn rim(&self, layer: &mut Layer, cells: &[CellId], stroke: Stroke) {
        for cell in cells {
            let middle = self.middle(*cell);
            let mut has_sides = false;
            for direction in self.board().directions() {
                let Some(side) = self
                    .geometry
                    .side(self.board(), *cell, direction)
                    .filter(|_| self.geometry.drawing != Drawing::Graph)
                else {
                    continue;
                };
                has_sides = true;
                if self.board().step(*cell, direction).is_some_and(|other| cells.contains(&other)) {
                    continue;
                }
                let line = side.map(|corner| {
                    let corner = self.at(corner);
                    corner + (middle - corner) * 0.07
                });
                layer.add(Shape::line_segment(line, stroke));
            }
            if !has_sides {
                layer.add(Shape::circle_stroke(middle, self.piece_radius(*cell) * 1.12, stroke));
            }
        }
    }

    /// The lines from cell to cell. Where one leads around the edge of the map, it ends there and goes on at the other edge.
    pub(super) fn ways(&self, cells: &[CellId]) -> Vec<Vec<Pos2>> {
        let mut ways: Vec<Vec<Pos2>> = Vec::new();
        let mut way: Vec<Pos2> = cells.first().map(|cell| self.middle(*cell)).into_iter().collect();
        for pair in cells.windows(2) {
            let [a, b] = *pair else { continue };
            if let Some([leaves, comes]) = self.geometry.around(a, b) {
                way.push(self.at(leaves));
                ways.push(std::mem::replace(&mut way, vec![self.at(comes)]));
            }
            way.push(self.middle(b));
        }
        ways.push(way);
        ways.retain(|way| way.len() > 1);
        ways
    }

    /// How large a text is in one line.
    pub(super) fn text_size(&self, text: &str, font: &FontId) -> Vec2 {
        let layout = |fonts: &mut FontsView<'_>| fonts.layout_no_wrap(text.to_owned(), font.clone(), Color32::BLACK);
        self.context.fonts_mut(layout).size()
    }

    /// How large something is that has a size of its own but grows with the board: a share of a unit, within limits.
    pub(super) fn grown(&self, share: f32, least: f32, most: f32) -> f32 {
        (self.camera.zoom() * share).clamp(least, most)
    }
}

/// A disc of a few triangles, for washes whose rim nobody looks at.
fn add_disc(mesh: &mut Mesh, middle: Pos2, radius: f32, color: Color32, uv: impl Fn(Pos2) -> Pos2) {
    let (first, count) = (mesh.vertices.len() as u32, 28_u32);
    for step in 0..count {
        let pos = middle + Vec2::angled(step as f32 / count as f32 * std::f32::consts::TAU) * radius;
        mesh.vertices.push(Vertex { pos, uv: uv(pos), color });
    }
    for step in 1..count - 1 {
        mesh.add_triangle(first, first + step, first + step + 1);
    }
}
