//! Draws what lies below the pieces: the table, the slab, cells, lines and points.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::epaint::{Mesh, RectShape};
use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Shape, Stroke, StrokeKind, TextureId, Vec2, vec2};

use super::canvas::Canvas;
use super::cell_names::draw_cell_names;
use super::fog::draw_fog;
use super::geometry::Drawing;
use super::layer::{Batch, Layer};
use super::pieces::{badge, draw_picture};
use super::polygon::{outline, round_outline};
use crate::theme::{bold, ink_on, mix, rgb, seat_style, shadow, veil};
use boardwright_model::{CellId, CellLook};

/// Up to how many cells in sight each is drawn with all its lines. Beyond that they are too small for them.
const MOST_EDGED: usize = 1500;
/// The sizes of a unit in points between which the gaps that stand for lines come up: below, they would be all that is seen.
const GAPS: std::ops::Range<f32> = 7.0..14.0;
/// How many units a tile of wood takes.
pub(super) const GRAIN: f32 = 9.0;
/// How many units a tile of paper takes.
pub(super) const PAPER: f32 = 2.5;
/// How many units a tile of a picture from the art takes.
const TILE: f32 = 2.0;

/// What lies below the cells of a grid.
pub(super) fn slab_layer(canvas: &Canvas<'_>, is_edged: bool) -> Layer {
    let mut layer = Layer::default();
    draw_table(canvas, &mut layer);
    draw_slab(canvas, &mut layer);
    if !is_edged {
        draw_gaps(canvas, &mut layer);
    }
    layer
}

/// The ground of some cells of a grid, without lines.
pub(super) fn fills_layer(canvas: &Canvas<'_>, cells: &[CellId], is_edged: bool) -> Layer {
    let mut layer = Layer::default();
    draw_fills(canvas, &mut layer, cells, is_edged);
    layer
}

/// The lines around some cells of a grid.
pub(super) fn edges_layer(canvas: &Canvas<'_>, cells: &[CellId]) -> Layer {
    let mut layer = Layer::default();
    draw_edges(canvas, &mut layer, cells);
    layer
}

/// What lies on the ground of a grid: looks and names. `has_pictures` is whether the ground is made of pictures, in which there is no art.
pub(super) fn signs_layer(canvas: &Canvas<'_>, visible: &[CellId], has_pictures: bool) -> Layer {
    let mut layer = Layer::default();
    if has_pictures {
        draw_textured_cells(canvas, &mut layer, visible, gap_of(canvas, false));
    }
    draw_edge_looks(canvas, &mut layer, visible);
    draw_cell_looks(canvas, &mut layer, visible);
    draw_cell_names(canvas, &mut layer, visible);
    layer
}

/// Whether so many cells in sight are drawn with all their lines.
pub(super) fn is_edged(visible: usize) -> bool {
    visible <= MOST_EDGED
}

pub(super) fn ground_layer(canvas: &Canvas<'_>, visible: &[CellId]) -> Layer {
    let mut layer = Layer::default();
    draw_table(canvas, &mut layer);
    draw_slab(canvas, &mut layer);
    if canvas.geometry.has_areas {
        draw_shallows(canvas, &mut layer, visible);
    }
    if canvas.geometry.drawing == Drawing::Graph {
        // Links over the sea end where the areas begin.
        draw_lines(canvas, &mut layer);
    }
    if canvas.geometry.drawing != Drawing::Graph || canvas.geometry.has_areas {
        draw_filled_cells(canvas, &mut layer, visible);
    }
    if canvas.geometry.drawing == Drawing::Graph {
        draw_points(canvas, &mut layer, visible);
    }
    draw_edge_looks(canvas, &mut layer, visible);
    draw_cell_looks(canvas, &mut layer, visible);
    draw_fog(canvas, &mut layer, visible);
    draw_cell_names(canvas, &mut layer, visible);
    layer
}

fn draw_table(canvas: &Canvas<'_>, layer: &mut Layer) {
    let (middle, rim) = (canvas.palette.table, canvas.palette.table_rim);
    let screen = canvas.camera.screen();
    let mut mesh = Mesh::default();
    mesh.colored_vertex(screen.center(), middle);
    let around = [
        (0.0, 0.0),
        (0.5, 0.0),
        (1.0, 0.0),
        (1.0, 0.5),
        (1.0, 1.0),
        (0.5, 1.0),
        (0.0, 1.0),
        (0.0, 0.5),
    ];
    for (index, (x, y)) in (0_u32..).zip(around) {
        let colour = if index.is_multiple_of(2) { rim } else { mix(middle, rim, 0.55) };
        mesh.colored_vertex(screen.lerp_inside(vec2(x, y)), colour);
        mesh.add_triangle(0, index + 1, (index + 1) % 8 + 1);
    }
    layer.add(mesh);
}

/// The piece of wood that the board is cut into, or that its cells lie in.
fn draw_slab(canvas: &Canvas<'_>, layer: &mut Layer) {
    let bounds = canvas.geometry.bounds;
    let rect = Rect::from_min_max(canvas.at(bounds.min), canvas.at(bounds.max));
    let radius = canvas.grown(0.22, 4.0, 22.0);
    let corner = CornerRadius::same(radius as u8);
    for (drop, blur, share) in [(10, 30, 1.0), (3, 6, 0.8)] {
        let shadow = shadow(drop, blur, veil(canvas.palette.shadow, share));
        layer.add(shadow.as_shape(rect, corner));
    }
    let stroke = |rect: Rect, width: f32, colour: Color32| RectShape::stroke(rect, corner, Stroke::new(width, colour), StrokeKind::Inside);
    if canvas.geometry.has_areas {
        let sea = sea(canvas);
        layer.add(RectShape::filled(rect, corner, sea));
        draw_slab_texture(canvas, layer, rect, corner);
        layer.add(stroke(rect, 1.0, mix(sea, canvas.palette.line, 0.6)));
        return;
    }
    // Where cells are tiles that lie in a frame, the frame is darker than they are.
    let is_frame = matches!(canvas.geometry.drawing, Drawing::Grid { .. });
    let tint = if is_frame { Color32::from_gray(150) } else { Color32::WHITE };
    let wood = canvas.textures.wood(canvas.context, canvas.palette);
    let grain = bounds / GRAIN;
    match canvas.scene.looks.board.fill {
        Some(fill) => layer.add(RectShape::filled(rect, corner, rgb(fill))),
        None => layer.add(RectShape::filled(rect, corner, tint).with_texture(wood, grain)),
    }
    draw_slab_texture(canvas, layer, rect, corner);
    let [dark, light] = canvas.palette.engraving;
    layer.add(stroke(rect.shrink(0.5), 1.0, veil(dark, 0.55)));
    layer.add(stroke(rect.shrink(1.5), 1.5, veil(light, 0.35)));
    if !is_frame {
        let inner = rect.shrink(canvas.grown(0.16, 3.0, 14.0));
        layer.add(stroke(inner, 1.0, veil(dark, 0.28)));
        layer.add(stroke(inner.translate(vec2(0.0, 1.0)), 1.0, veil(light, 0.3)));
    }
}

/// The picture that the rules lay over what the board lies on.
fn draw_slab_texture(canvas: &Canvas<'_>, layer: &mut Layer, rect: Rect, corner: CornerRadius) {
    let texture = canvas.scene.looks.board.texture.as_ref();
    if let Some(texture) = texture.and_then(|name| tile(canvas, name)) {
        let tiles = canvas.geometry.bounds / TILE;
        layer.add(RectShape::filled(rect, corner, Color32::WHITE).with_texture(texture, tiles));
    }
}

/// A picture from the art that is laid side by side with itself.
fn tile(canvas: &Canvas<'_>, name: &str) -> Option<TextureId> {
    let side = canvas.pixels(TILE * canvas.camera.zoom());
    canvas.scene.art.tile(canvas.context, name, side)
}

pub(super) fn sea(canvas: &Canvas<'_>) -> Color32 {
    let fill = canvas.scene.looks.board.fill.map(rgb);
    fill.map_or(canvas.palette.raised, |fill| canvas.by_theme(fill))
}

/// Where the rules give the sea a colour, it is lighter along the coasts, in two steps.
fn draw_shallows(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    if canvas.scene.looks.board.fill.is_none() {
        return;
    }
    for (width, share) in [(0.62, 0.1), (0.3, 0.22)] {
        let stroke = Stroke::new(canvas.grown(width, 3.0, 60.0), mix(sea(canvas), Color32::WHITE, share));
        for shape in visible.iter().filter_map(|cell| canvas.shape(*cell)) {
            for (corners, _) in canvas.geometry.polygons(shape) {
                layer.extend(round_outline(corners.iter().map(|corner| canvas.at(*corner)).collect(), stroke));
            }
        }
    }
}

/// Squares, hexes and areas in the colour of their ground, or in wood where there is only one sort of it. The lines between many
/// small cells are the gaps between them.
fn draw_filled_cells(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let is_edged = is_edged(visible.len());
    let gap = gap_of(canvas, is_edged);
    let has_outline = |cell: &CellId| canvas.shape(*cell).is_some_and(|shape| !shape.is_point());
    let outlined: Vec<CellId> = visible.iter().copied().filter(has_outline).collect();
    if gap > 0.0 {
        draw_gaps(canvas, layer);
    }
    draw_fills(canvas, layer, &outlined, is_edged);
    if canvas.geometry.has_areas && seat_style().has_patterns {
        for cell in visible {
            if let (Some(seat), Some(ground)) = (canvas.holder(*cell), canvas.ground(*cell)) {
                canvas.wash_pattern(layer, [cell], seat, veil(ink_on(ground), 0.28));
            }
        }
    }
    if is_edged {
        draw_edges(canvas, layer, &outlined);
        draw_region_borders(canvas, layer);
    }
}

fn draw_fills(canvas: &Canvas<'_>, layer: &mut Layer, outlined: &[CellId], is_edged: bool) {
    let mut wooden = Mesh::with_texture(canvas.textures.wood(canvas.context, canvas.palette));
    let mut coloured = Mesh::with_texture(canvas.textures.paper(canvas.context));
    let mut washed = Mesh::default();
    let gap = gap_of(canvas, is_edged);
    for cell in outlined {
        if let Some(ground) = canvas.ground(*cell) {
            canvas.fill_with(&mut coloured, *cell, ground, gap, |corner| corner / PAPER);
            continue;
        }
        let shade = WoodShade::of(canvas, *cell);
        let slip = Vec2::splat(shade.slip());
        canvas.fill_with(&mut wooden, *cell, shade.tint(), gap, |corner| corner / GRAIN + slip);
        let wash = canvas.wash_of(*cell);
        if wash != Color32::TRANSPARENT {
            canvas.fill(&mut washed, *cell, wash, gap);
        }
    }
    layer.add(wooden);
    layer.add(coloured);
    layer.add(washed);
    draw_textured_cells(canvas, layer, outlined, gap);
}

/// Which board a wooden tile is sawn from: neighbours differ a little.
#[derive(Clone, Copy, Debug)]
pub(super) struct WoodShade(u8);

impl WoodShade {
    pub(super) const ALL: [Self; 3] = [Self(0), Self(1), Self(2)];

    pub(super) fn of(canvas: &Canvas<'_>, cell: CellId) -> Self {
        let (column, row) = canvas.board().coordinates(cell).unwrap_or_default();
        let shade = if canvas.geometry.drawing == (Drawing::Grid { is_square: true }) {
            (column + row).rem_euclid(2)
        } else {
            (column + row * 2).rem_euclid(3)
        };
        Self(shade as u8)
    }

    /// Its position among [`ALL`](Self::ALL).
    pub(super) fn index(self) -> usize {
        self.0.into()
    }

    pub(super) fn tint(self) -> Color32 {
        Color32::from_gray(match self.0 {
            0 => 255,
            1 => 226,
            _ => 240,
        })
    }

    /// By what share of a tile of wood it is shifted.
    pub(super) fn slip(self) -> f32 {
        f32::from(self.0) * 0.37
    }
}

/// What shows between the cells where no lines are drawn.
fn draw_gaps(canvas: &Canvas<'_>, layer: &mut Layer) {
    if let (Drawing::Grid { .. }, [dark, _]) = (canvas.geometry.drawing, canvas.palette.engraving) {
        let bounds = canvas.geometry.bounds.shrink(0.5);
        let rect = Rect::from_min_max(canvas.at(bounds.min), canvas.at(bounds.max));
        layer.add(RectShape::filled(rect, 0, veil(dark, 0.62)));
    }
}

/// The width of the gaps between cells, in points, where they stand for the lines.
pub(super) fn gap_of(canvas: &Canvas<'_>, is_edged: bool) -> f32 {
    if is_edged { 0.0 } else { 0.35 * gap_share(canvas) }
}

/// How much of the gaps is seen, 0 to 1.
fn gap_share(canvas: &Canvas<'_>) -> f32 {
    ((canvas.camera.zoom() - GAPS.start) / (GAPS.end - GAPS.start)).clamp(0.0, 1.0)
}

/// Cells whose look names a picture for their whole ground. The picture goes on from cell to cell.
fn draw_textured_cells(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId], gap: f32) {
    let mut meshes: BTreeMap<&Arc<str>, Mesh> = BTreeMap::new();
    for cell in visible {
        let name = canvas.scene.looks.cells.get(cell).and_then(|look| look.texture.as_ref());
        if let Some((name, texture)) = name.and_then(|name| Some((name, tile(canvas, name)?))) {
            let mesh = meshes.entry(name).or_insert_with(|| Mesh::with_texture(texture));
            canvas.fill_with(mesh, *cell, Color32::WHITE, gap, |corner| corner / TILE);
        }
    }
    layer.extend(meshes.into_values().map(Shape::from));
}

fn draw_edges(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let zoom = canvas.camera.zoom();
    let [dark, light] = canvas.palette.engraving;
    let width = if canvas.geometry.has_areas {
        1.6
    } else {
        canvas.grown(0.022, 0.6, 1.6)
    };
    for cell in visible {
        let Some(shape) = canvas.shape(*cell).filter(|shape| zoom * shape.bounds.width() > 5.0) else {
            continue;
        };
        let share = if canvas.ground(*cell).is_some() { 0.5 } else { 0.62 };
        let middle = canvas.at(shape.middle);
        for (corners, _) in canvas.geometry.polygons(shape) {
            let corners: Vec<Pos2> = corners.iter().map(|corner| canvas.at(*corner)).collect();
            if zoom > 26.0 && !canvas.geometry.has_areas {
                let inner = corners.iter().map(|corner| *corner + (middle - *corner).normalized() * 2.0);
                layer.extend(outline(inner.collect(), Stroke::new(1.0, veil(light, 0.22))));
            }
            layer.extend(outline(corners, Stroke::new(width, veil(dark, share))));
        }
    }
}

/// Borders between areas of different terrain are thicker: a player sees the regions of a map whoever holds what in them.
fn draw_region_borders(canvas: &Canvas<'_>, layer: &mut Layer) {
    let state = canvas.scene.state;
    let stroke = Stroke::new(canvas.grown(0.09, 2.4, 5.0), mix(canvas.palette.engraving[0], Color32::BLACK, 0.35));
    for border in &canvas.geometry.borders {
        let [one, other] = border.between;
        if state.terrain(one) != state.terrain(other) {
            layer.add(Shape::line(border.line.iter().map(|corner| canvas.at(*corner)).collect(), stroke));
        }
    }
}

/// Lines cut into the wood, each with its lit edge; between areas, ways over the sea.
fn draw_lines(canvas: &Canvas<'_>, layer: &mut Layer) {
    let [dark, light] = canvas.palette.engraving;
    let width = canvas.grown(0.045, 1.2, 4.5);
    let drawn = |offset: f32| {
        canvas.geometry.lines.iter().map(move |line| {
            let at = |point: &Pos2| canvas.at(*point) + vec2(offset * 0.6, offset);
            line.iter().map(at).collect::<Vec<_>>()
        })
    };
    if canvas.geometry.has_areas {
        let stroke = Stroke::new(width.min(2.4), veil(mix(ink_on(sea(canvas)), sea(canvas), 0.3), 0.9));
        layer.extend(drawn(0.0).flat_map(|line| Shape::dashed_line(&line, stroke, 6.0, 5.0)));
        return;
    }
    layer.extend(drawn(width * 0.45).map(|line| Shape::line(line, Stroke::new(width, veil(light, 0.55)))));
    let cut = mix(canvas.palette.wood[1], dark, 0.82);
    layer.extend(drawn(0.0).map(|line| Shape::line(line, Stroke::new(width, cut))));
}

fn draw_points(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let [dark, light] = canvas.palette.engraving;
    for cell in visible {
        let Some(shape) = canvas.shape(*cell).filter(|shape| shape.is_point()) else {
            continue;
        };
        let middle = canvas.at(shape.middle);
        let radius = (canvas.camera.zoom() * shape.room * 0.2).clamp(2.0, 13.0);
        let lit = middle + vec2(0.4, 0.9) * (radius * 0.16);
        layer.add(Shape::circle_filled(lit, radius * 1.06, veil(light, 0.65)));
        let fill = canvas.scene.looks.cells.get(cell).and_then(|look| look.fill).map_or(dark, rgb);
        layer.add(Shape::circle_filled(middle, radius, fill));
        let hollow = mix(fill, canvas.palette.wood[1], 0.22);
        layer.add(Shape::circle_filled(middle + vec2(0.0, radius * 0.18), radius * 0.72, hollow));
    }
}

/// How wide an edge is drawn whose look does not say it, in hundredths of the distance between two cells.
const EDGE_WIDTH: i32 = 8;

/// What the rules say of edges: rivers, walls, roads. Each has a darker rim, so that those that meet flow together.
fn draw_edge_looks(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let looks = canvas.scene.looks.edges.iter();
    let drawn = looks.filter_map(|(edge, look)| {
        let (one, other) = canvas.board().edge_ends(*edge);
        // Cells in sight come in their order.
        let is_seen = visible.binary_search(&one).is_ok() || visible.binary_search(&other).is_ok();
        let width = look.width.unwrap_or(EDGE_WIDTH) as f32 / 100.0;
        let stroke = Stroke::new(canvas.grown(width, 1.5, 60.0), look.fill.map_or(canvas.palette.engraving[0], rgb));
        is_seen.then(|| (edge_line(canvas, one, other), stroke, look.dashed))
    });
    let drawn: Vec<(Vec<Pos2>, Stroke, bool)> = drawn.collect();
    for is_rim in [true, false] {
        for (line, stroke, is_dashed) in &drawn {
            let stroke = if is_rim {
                Stroke::new(stroke.width * 1.5, mix(stroke.color, Color32::BLACK, 0.4))
            } else {
                *stroke
            };
            if *is_dashed {
                if !is_rim {
                    layer.extend(Shape::dashed_line(line, stroke, stroke.width * 1.6, stroke.width * 1.2));
                }
                continue;
            }
            for end in line.first().into_iter().chain(line.last()) {
                layer.add(Shape::circle_filled(*end, stroke.width / 2.0, stroke.color));
            }
            layer.add(Shape::line(line.clone(), stroke));
        }
    }
}

/// The side that two cells share on the screen; from middle to middle where they share none.
fn edge_line(canvas: &Canvas<'_>, one: CellId, other: CellId) -> Vec<Pos2> {
    let at = |points: &[Pos2]| points.iter().map(|point| canvas.at(*point)).collect();
    let mut borders = canvas.geometry.borders.iter();
    if let Some(shared) = borders.find(|border| border.between == [one, other] || border.between == [other, one]) {
        return at(&shared.line);
    }
    let (Some(first), Some(second)) = (canvas.shape(one), canvas.shape(other)) else {
        return Vec::new();
    };
    let corners = |shape| -> Vec<Pos2> {
        let polygons = canvas.geometry.polygons(shape);
        polygons.flat_map(|(corners, _)| corners.iter().copied()).collect()
    };
    let of_other = corners(second);
    let meets = |corner: &Pos2| of_other.iter().any(|found| found.distance(*corner) < SAME_CORNER);
    let side: Vec<Pos2> = corners(first).into_iter().filter(meets).collect();
    match side.as_slice() {
        [from, .., to] => at(&[*from, *to]),
        _ => at(&[first.middle, second.middle]),
    }
}

/// Corners no further apart than this, in units of the board, are one.
const SAME_CORNER: f32 = 0.01;

/// What the rules say of single cells beside their colour.
fn draw_cell_looks(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let looks = &canvas.scene.looks.cells;
    if looks.is_empty() {
        return;
    }
    let seen = || visible.iter().filter_map(|cell| Some((*cell, looks.get(cell)?)));
    let most = seen().map(|(_, look)| look.overlays.len()).max().unwrap_or(0);
    for level in 0..=most {
        let mut batch = Batch::default();
        for (cell, look) in seen() {
            let overlay = level.checked_sub(1);
            let name = overlay.map_or(look.icon.as_ref(), |overlay| look.overlays.get(overlay));
            if let Some(name) = name {
                let angle = look.facing.map_or(0.0, |degrees| (degrees as f32).to_radians());
                let radius = overlay.map_or_else(|| canvas.piece_radius(cell) * 1.1, |_| canvas.overlay_radius(cell));
                let place = (canvas.middle(cell), radius, angle);
                draw_picture(canvas, &mut batch, name, place, Color32::WHITE);
            }
        }
        batch.into_layer(layer);
    }
    for (cell, look) in seen() {
        draw_cell_signs(canvas, layer, cell, look);
    }
}

fn draw_cell_signs(canvas: &Canvas<'_>, layer: &mut Layer, cell: CellId, look: &CellLook) {
    let (middle, radius) = (canvas.middle(cell), canvas.piece_radius(cell));
    if let (Some(colour), Some(shape)) = (look.outline, canvas.shape(cell)) {
        let stroke = Stroke::new(canvas.grown(0.06, 1.2, 4.0), rgb(colour));
        if shape.is_point() {
            layer.add(Shape::circle_stroke(middle, radius * 1.05, stroke));
        }
        for (corners, _) in canvas.geometry.polygons(shape) {
            let within = corners.iter().map(|corner| middle + (canvas.at(*corner) - middle) * 0.93);
            layer.extend(outline(within.collect(), stroke));
        }
    }
    if radius < 7.0 {
        return;
    }
    let ink = canvas.ground(cell).map_or(canvas.palette.engraving[0], ink_on);
    if let Some(glyph) = &look.glyph {
        layer.text(middle, Align2::CENTER_CENTER, &**glyph, FontId::new(radius, bold()), veil(ink, 0.8));
    }
    if let Some(label) = look.label.as_ref().filter(|_| radius > 12.0) {
        let font = FontId::proportional((radius * 0.36).clamp(11.0, 15.0));
        let below = middle + vec2(0.0, radius * 0.98);
        layer.text(below, Align2::CENTER_BOTTOM, &**label, font, veil(ink, 0.85));
    }
    if let Some(text) = &look.badge {
        badge(canvas, layer, middle + vec2(0.66, -0.66) * radius, radius * 0.4, text);
    }
}
