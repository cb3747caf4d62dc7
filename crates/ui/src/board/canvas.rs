//! What every part of the drawing of a board needs: where things are on the screen, and shapes that several parts use.

use std::cell::RefCell;

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Context, Pos2, Rect, Shape, Stroke};

use super::camera::Camera;
use super::geometry::{CellShape, Drawing, Geometry};
use super::layer::Layer;
use super::scene::Scene;
use super::textures::Textures;
use crate::theme::{Palette, SeatColours, mix, seat_style, veil};
use boardwright_model::{Board, CellId, SeatId};

/// Everything that drawing one frame of a board needs.
pub(super) struct Canvas<'a> {
    pub(super) context: &'a Context,
    pub(super) palette: &'static Palette,
    pub(super) camera: Camera,
    pub(super) screen: Rect,
    pub(super) geometry: &'a Geometry,
    pub(super) board: &'a Board,
    pub(super) scene: &'a Scene<'a>,
    pub(super) textures: RefCell<&'a mut Textures>,
    pub(super) shows_names: bool,
    pub(super) now: f64,
}

impl Canvas<'_> {
    pub(super) fn at(&self, point: Pos2) -> Pos2 {
        self.camera.to_screen(self.screen, point)
    }

    pub(super) fn shape(&self, cell: CellId) -> Option<&CellShape> {
        self.geometry.cell(cell)
    }

    pub(super) fn middle(&self, cell: CellId) -> Pos2 {
        self.at(self.geometry.middle(cell))
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

    /// The colour of a cell's ground: what the rules say, or that of its terrain where there are several.
    pub(super) fn ground(&self, cell: CellId) -> Option<Color32> {
        if let Some(fill) = self.scene.looks.cells.get(&cell).and_then(|look| look.fill) {
            let holder = self.holder(cell).filter(|_| seat_style().colours == SeatColours::Safe);
            return Some(holder.map_or(rgb(fill), |seat| mix(self.seat_colour(seat), Color32::WHITE, 0.5)));
        }
        if !self.scene.has_terrains() && !self.geometry.has_areas {
            return None;
        }
        let terrain = self
            .scene
            .state
            .declarations()
            .terrains
            .get(self.scene.state.terrain(cell)?.index())?;
        Some(self.by_theme(rgb(terrain.colour)))
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
        let declared = self.scene.state.declarations().seats.get(seat.index());
        Palette::seat(declared.map_or(0, |declared| declared.colour), seat.index())
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
        let Some(shape) = self.shape(cell) else {
            return;
        };
        let middle = self.at(shape.middle);
        if shape.is_point() {
            add_disc(mesh, middle, self.piece_radius(cell) * 1.2 - inset, colour);
            return;
        }
        let share = 1.0 - inset / (shape.room * self.camera.zoom()).max(inset + 0.01);
        for (corners, triangles) in self.geometry.polygons(shape) {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(corners.iter().map(|corner| Vertex {
                pos: middle + (self.at(*corner) - middle) * share,
                uv: WHITE_UV,
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

    /// A ring around what stands on a cell, with a dark halo so that it is seen on every ground.
    pub(super) fn ring(&self, layer: &mut Layer, cell: CellId, scale: f32, stroke: Stroke) {
        let radius = self.piece_radius(cell) * scale;
        let halo = Stroke::new(stroke.width + 2.0, veil(Color32::BLACK, 0.28));
        layer.add(Shape::circle_stroke(self.middle(cell), radius, halo));
        layer.add(Shape::circle_stroke(self.middle(cell), radius, stroke));
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

    /// How large something is that has a size of its own but grows with the board: a share of a unit, within limits.
    pub(super) fn grown(&self, share: f32, least: f32, most: f32) -> f32 {
        (self.camera.zoom() * share).clamp(least, most)
    }
}

/// `0xRRGGBB` as a colour.
pub(super) fn rgb(colour: u32) -> Color32 {
    Color32::from_rgb((colour >> 16) as u8, (colour >> 8) as u8, colour as u8)
}

/// A disc of a few triangles, for washes whose rim nobody looks at.
fn add_disc(mesh: &mut Mesh, middle: Pos2, radius: f32, colour: Color32) {
    let (first, count) = (mesh.vertices.len() as u32, 28_u32);
    for step in 0..count {
        let (sin, cos) = (step as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
        mesh.colored_vertex(middle + egui::vec2(cos, sin) * radius, colour);
    }
    for step in 1..count - 1 {
        mesh.add_triangle(first, first + step, first + step + 1);
    }
}
