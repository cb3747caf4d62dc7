//! Draws what is not in sight: parchment over cells that were never seen, and a shade over those that are only remembered, each fading
//! out towards what is known better.

use std::collections::BTreeSet;

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Shape, Stroke, Vec2};

use super::canvas::Canvas;
use super::geometry::{CellShape, Drawing};
use super::layer::Layer;
use crate::theme::{mix, veil};
use boardwright_model::{CellId, CellSight};

/// How dark the shade is that lies on remembered cells.
const SHADE: f32 = 0.46;
/// Where within a cell what comes over from its neighbours has faded out, as a share of the way from its middle to its rim.
const CLEAR: f32 = 0.5;
/// How wide fog reaches over the borders of areas in each of its steps, in units, and how dense it is there.
const HAZE: [(f32, f32); 4] = [(0.34, 0.10), (0.22, 0.16), (0.13, 0.24), (0.06, 0.4)];
/// How far the fog around a point reaches, as a part of its room.
const PUFF: f32 = 1.9;

/// The two veils, from the lower to the upper.
const VEILS: [CellSight; 2] = [CellSight::Remembered, CellSight::Unexplored];

pub(super) fn draw_fog(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let state = canvas.scene.state;
    if state.visible_cells().is_none() {
        return;
    }
    for sight in VEILS {
        // What was never seen is no better known than what is remembered: the shade lies below the parchment.
        let is_veiled = |cell: CellId| state.cell_sight(cell) <= sight;
        let (colour, density) = veil_of(canvas, sight);
        match canvas.geometry.drawing {
            Drawing::Grid { .. } => draw_over_grid(canvas, layer, visible, &is_veiled, (colour, density)),
            Drawing::Graph => {
                draw_over_areas(canvas, layer, visible, &is_veiled, (colour, density));
                draw_over_points(canvas, layer, visible, &is_veiled, (colour, density));
            }
        }
    }
}

/// The colour of a veil and how dense it is.
fn veil_of(canvas: &Canvas<'_>, sight: CellSight) -> (Color32, f32) {
    let is_dark = canvas.palette.is_dark();
    match sight {
        CellSight::Unexplored if is_dark => (mix(canvas.palette.table_rim, Color32::BLACK, 0.55), 1.0),
        CellSight::Unexplored => (Color32::from_rgb(222, 207, 174), 1.0),
        CellSight::Remembered if is_dark => (Color32::from_rgb(8, 10, 18), SHADE + 0.08),
        CellSight::Remembered => (Color32::from_rgb(52, 48, 58), SHADE),
        CellSight::Visible => (Color32::TRANSPARENT, 0.0),
    }
}

type IsVeiled<'a> = &'a dyn Fn(CellId) -> bool;

/// A corner of cells, in hundredths of a unit, so that cells that share it find each other.
fn corner_key(corner: Pos2) -> (i32, i32) {
    ((corner.x * 100.0).round() as i32, (corner.y * 100.0).round() as i32)
}

fn draw_over_grid(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId], is_veiled: IsVeiled<'_>, (colour, density): (Color32, f32)) {
    let shapes = || visible.iter().filter_map(|cell| Some((*cell, canvas.shape(*cell)?)));
    let corners_of = |shape: &CellShape| canvas.geometry.polygons(shape).next().map(|(corners, _)| corners.to_vec());
    let mut veiled_corners = BTreeSet::new();
    let mut full = Mesh::default();
    let mut fading = Mesh::default();
    for (cell, shape) in shapes().filter(|(cell, _)| is_veiled(*cell)) {
        canvas.fill(&mut full, cell, veil(colour, density), 0.0);
        veiled_corners.extend(corners_of(shape).unwrap_or_default().into_iter().map(corner_key));
    }
    for (_, shape) in shapes().filter(|(cell, _)| !is_veiled(*cell)) {
        let corners = corners_of(shape).unwrap_or_default();
        let densities: Vec<f32> = corners
            .iter()
            .map(|corner| {
                if veiled_corners.contains(&corner_key(*corner)) {
                    density
                } else {
                    0.0
                }
            })
            .collect();
        if densities.iter().any(|density| *density > 0.0) {
            let outer: Vec<Pos2> = corners.iter().map(|corner| canvas.at(*corner)).collect();
            add_ring(&mut fading, canvas.at(shape.middle), &outer, &densities, colour);
        }
    }
    layer.add(full);
    layer.add(fading);
}

/// A ring from the rim of a cell inwards that fades out.
fn add_ring(mesh: &mut Mesh, middle: Pos2, rim: &[Pos2], densities: &[f32], colour: Color32) {
    let first = mesh.vertices.len() as u32;
    let count = rim.len() as u32;
    for (corner, density) in rim.iter().zip(densities) {
        let inner = middle + (*corner - middle) * CLEAR;
        for (pos, share) in [(*corner, *density), (inner, 0.0)] {
            mesh.vertices.push(Vertex {
                pos,
                uv: WHITE_UV,
                color: veil(colour, share),
            });
        }
    }
    for index in 0..count {
        let (here, next) = (first + 2 * index, first + 2 * ((index + 1) % count));
        mesh.add_triangle(here, next, here + 1);
        mesh.add_triangle(next, next + 1, here + 1);
    }
}

fn draw_over_areas(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId], is_veiled: IsVeiled<'_>, (colour, density): (Color32, f32)) {
    let is_area = |cell: &CellId| canvas.shape(*cell).is_some_and(|shape| !shape.is_point());
    let veiled: Vec<CellId> = visible.iter().copied().filter(|cell| is_area(cell) && is_veiled(*cell)).collect();
    canvas.wash(layer, &veiled, veil(colour, density));
    let borders = canvas.geometry.borders.iter();
    let fronts = borders.filter(|border| is_veiled(border.between[0]) != is_veiled(border.between[1]));
    for border in fronts {
        let line: Vec<Pos2> = border.line.iter().map(|corner| canvas.at(*corner)).collect();
        for (width, share) in HAZE {
            let stroke = Stroke::new(canvas.grown(width, 1.0, 60.0), veil(colour, share * density));
            layer.add(Shape::line(line.clone(), stroke));
        }
    }
}

fn draw_over_points(
    canvas: &Canvas<'_>,
    layer: &mut Layer,
    visible: &[CellId],
    is_veiled: IsVeiled<'_>,
    (colour, density): (Color32, f32),
) {
    let mut mesh = Mesh::default();
    for cell in visible.iter().filter(|cell| is_veiled(**cell)) {
        if let Some(shape) = canvas.shape(*cell).filter(|shape| shape.is_point()) {
            let radius = shape.room * PUFF * canvas.camera.zoom();
            add_puff(&mut mesh, canvas.at(shape.middle), radius, colour, density);
        }
    }
    layer.add(mesh);
}

/// A disc that is dense up to the half of its radius and then fades out.
fn add_puff(mesh: &mut Mesh, middle: Pos2, radius: f32, colour: Color32, density: f32) {
    const SIDES: u32 = 28;
    let first = mesh.vertices.len() as u32;
    let mut vertex = |pos: Pos2, share: f32| {
        mesh.vertices.push(Vertex {
            pos,
            uv: WHITE_UV,
            color: veil(colour, share),
        });
    };
    vertex(middle, density);
    for step in 0..SIDES {
        let way = Vec2::angled(step as f32 / SIDES as f32 * std::f32::consts::TAU) * radius;
        vertex(middle + way * 0.55, density);
        vertex(middle + way, 0.0);
    }
    for step in 0..SIDES {
        let (here, next) = (first + 1 + 2 * step, first + 1 + 2 * ((step + 1) % SIDES));
        mesh.add_triangle(first, here, next);
        mesh.add_triangle(here, here + 1, next);
        mesh.add_triangle(next, here + 1, next + 1);
    }
}
