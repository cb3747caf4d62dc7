//! Draws what is marked: what may be picked, what is picked, the last action, a hint. Colour is never all that tells them apart.

use egui::{Align2, Color32, FontId, Pos2, Shape, Stroke, vec2};

use super::canvas::Canvas;
use super::heat_map::{draw_heat_above, draw_heat_below};
use super::layer::{Batch, Layer};
use super::pieces::{badge, draw_faint_piece};
use super::textures::RING;
use crate::theme::{bold, ink_on, veil};
use boardwright_model::CellId;

/// Beyond this many cells that may be picked they are washed with colour instead of being marked one by one.
const MOST_MARKED: usize = 400;

/// How strong a mark is that is offered more faintly than the rest.
const FAINT: f32 = 0.5;
/// Nothing is written on targets smaller than this: nobody could read it.
const LEAST_ANNOTATED: f32 = 9.0;

pub(super) fn marks_below(canvas: &Canvas<'_>) -> Layer {
    let (marks, palette) = (canvas.scene.marks, canvas.palette);
    let mut layer = Layer::default();
    draw_heat_below(canvas, &mut layer);
    canvas.wash(&mut layer, &marks.pointed_out, veil(palette.hint, 0.34));
    canvas.wash(&mut layer, &marks.differing, veil(palette.warning, 0.38));
    for cell in &marks.differing {
        // Broken, so that it is not the colour alone that tells.
        canvas.dashed_ring(&mut layer, canvas.middle(*cell), canvas.piece_radius(*cell) * 1.2, palette.warning);
    }
    draw_marked(canvas, &mut layer);
    for (age, action) in marks.last.iter().enumerate() {
        // Those before the last are fainter.
        let share = if age == 0 { 1.0 } else { 0.6 };
        canvas.wash(&mut layer, &action.cells, veil(palette.last, 0.30 * share));
        for way in canvas.ways(&action.cells).into_iter().filter(|_| action.is_way) {
            let stroke = Stroke::new(canvas.grown(0.07, 2.0, 7.0), veil(palette.last, 0.55 * share));
            layer.add(Shape::line(way, stroke));
        }
    }
    let is_whole = |cell: &&CellId| !marks.partly_chosen.contains(cell);
    let whole: Vec<CellId> = marks.chosen.iter().filter(is_whole).copied().collect();
    canvas.wash(&mut layer, &whole, veil(palette.chosen, 0.34));
    canvas.wash(&mut layer, &marks.partly_chosen, veil(palette.chosen, 0.16));
    if let Some(held) = &marks.held {
        canvas.wash(&mut layer, &held.reach(canvas.board()), veil(palette.offered, 0.22));
    } else if marks.targets.len() > MOST_MARKED {
        canvas.wash(&mut layer, &marks.targets, veil(palette.offered, 0.3));
    }
    let ring = canvas.textures.ring(canvas.context);
    let mut batch = Batch::default();
    for cell in marks.pickable.iter().filter(|cell| !marks.chosen.contains(cell)) {
        let radius = canvas.piece_radius(*cell) * 1.09 / RING;
        batch.square(ring, canvas.middle(*cell), radius.max(4.0), palette.offered);
    }
    batch.into_layer(&mut layer);
    layer
}

pub(super) fn marks_above(canvas: &Canvas<'_>) -> Layer {
    let (marks, palette) = (canvas.scene.marks, canvas.palette);
    let mut layer = Layer::default();
    draw_last_areas(canvas, &mut layer);
    draw_removed(canvas, &mut layer);
    let on_way: Vec<CellId> = marks.chosen.iter().filter(|cell| !marks.in_sets.contains(cell)).copied().collect();
    let mut ways = if marks.is_set { Vec::new() } else { canvas.ways(&on_way) };
    let rim = |cell: Option<&CellId>| cell.map_or(0.0, |cell| canvas.piece_radius(*cell) * 1.1);
    if let Some(first) = ways.first_mut() {
        shorten(first, rim(on_way.first()));
    }
    if let Some(last) = ways.last_mut() {
        last.reverse();
        shorten(last, rim(on_way.last()));
    }
    for way in ways.into_iter().filter(|way| way.len() > 1) {
        let width = canvas.grown(0.08, 2.5, 7.0);
        layer.add(Shape::line(way.clone(), Stroke::new(width + 2.0, veil(Color32::BLACK, 0.3))));
        layer.add(Shape::line(way, Stroke::new(width, palette.chosen)));
    }
    let stroke = Stroke::new(canvas.grown(0.06, 2.5, 4.5), palette.chosen);
    for cell in &marks.earlier {
        canvas.brackets(&mut layer, *cell, stroke);
    }
    // The order of several steps is told by numbers; one alone needs none.
    let has_numbers = !marks.is_set && on_way.len() > 2;
    for (step, cell) in on_way.iter().enumerate() {
        if marks.partly_chosen.contains(cell) {
            canvas.dashed_ring(&mut layer, canvas.middle(*cell), canvas.piece_radius(*cell) * 1.1, palette.chosen);
        } else if has_numbers && step > 0 {
            draw_step(canvas, &mut layer, *cell, step);
        } else if !marks.earlier.contains(cell) {
            canvas.ring(&mut layer, *cell, 1.1, stroke);
        }
    }
    // Where the first square of a piece may lie says little to people: what the piece would cover is shown instead.
    if marks.targets.len() <= MOST_MARKED && marks.held.is_none() {
        draw_targets(canvas, &mut layer);
    }
    if marks.hinted.is_none() {
        draw_hint(canvas, &mut layer, &marks.hint);
    }
    draw_heat_above(canvas, &mut layer);
    layer
}

/// What the last action took off the board, pale and small, where nothing stands now.
fn draw_removed(canvas: &Canvas<'_>, layer: &mut Layer) {
    let newest = canvas.scene.marks.last.first();
    for removed in newest.map_or(&[][..], |action| &action.removed) {
        if !canvas.scene.state.pieces_at(removed.cell).is_empty() {
            continue;
        }
        let (middle, radius) = (canvas.middle(removed.cell), canvas.piece_radius(removed.cell));
        draw_faint_piece(canvas, layer, removed, middle);
        layer.cross(
            middle,
            radius * 0.5,
            Stroke::new(canvas.grown(0.05, 1.5, 4.0), veil(canvas.palette.danger, 0.8)),
        );
    }
}

/// The dots of cells that the rules mark.
fn draw_marked(canvas: &Canvas<'_>, layer: &mut Layer) {
    let look = &canvas.scene.looks.board;
    let colour = look.mark.map_or(canvas.palette.offered, |mark| canvas.scene.fill_colour(mark));
    for cell in &look.marked {
        let radius = (canvas.piece_radius(*cell) * 0.3).clamp(2.5, 12.0);
        let middle = canvas.middle(*cell);
        layer.add(Shape::circle_filled(middle, radius + 1.5, veil(Color32::WHITE, 0.85)));
        layer.add(Shape::circle_filled(middle, radius, colour));
    }
}

/// A line along the rim of what the last actions cover: pieces that have a shape hide a wash below them.
fn draw_last_areas(canvas: &Canvas<'_>, layer: &mut Layer) {
    let width = canvas.grown(0.055, 1.5, 3.5);
    for action in canvas.scene.marks.last.iter().filter(|action| !action.is_way) {
        canvas.rim(layer, &action.cells, Stroke::new(width + 2.0, veil(Color32::BLACK, 0.55)));
        canvas.rim(layer, &action.cells, Stroke::new(width, veil(Color32::WHITE, 0.95)));
    }
}

/// The number of a step of a path, aside of what stands or would come to stand there.
fn draw_step(canvas: &Canvas<'_>, layer: &mut Layer, cell: CellId, step: usize) {
    let (reach, radius) = (canvas.piece_radius(cell), (canvas.piece_radius(cell) * 0.42).clamp(7.0, 13.0));
    let middle = canvas.middle(cell) + vec2(0.72, -0.72) * reach;
    let shadow = middle + vec2(0.0, 1.5);
    layer.add(Shape::circle_filled(shadow, radius + 1.0, veil(Color32::BLACK, 0.35)));
    layer.add(Shape::circle_filled(middle, radius, canvas.palette.chosen));
    let font = FontId::new(radius * 1.25, bold());
    layer.text(middle, Align2::CENTER_CENTER, step.to_string(), font, ink_on(canvas.palette.chosen));
}

/// Dots on empty cells, rings around what stands on others; what the rules say of them is written in the dots, and beside the rings.
fn draw_targets(canvas: &Canvas<'_>, layer: &mut Layer) {
    let marks = canvas.scene.marks;
    let (dot, ring) = (canvas.textures.dot(canvas.context), canvas.textures.ring(canvas.context));
    let offered = canvas.palette.offered;
    let mut batch = Batch::default();
    let mut texts = Vec::new();
    // A cell of an earlier pick may have something else on it that can be picked now.
    let is_open = |cell: &&CellId| !marks.chosen.contains(cell) || marks.earlier.contains(cell);
    for cell in marks.targets.iter().filter(is_open) {
        let (middle, radius) = (canvas.middle(*cell), canvas.piece_radius(*cell));
        let annotation = marks.annotations.get(cell);
        let is_faint = annotation.is_some_and(|annotation| annotation.is_faint);
        let colour = if is_faint { veil(offered, FAINT) } else { offered };
        let text = annotation
            .map(|annotation| annotation.text.as_str())
            .filter(|text| !text.is_empty());
        let is_empty = canvas.scene.state.pieces_at(*cell).is_empty();
        if is_empty {
            // What has a text is large enough for it; of the others faint ones are smaller too, so that it is not the shade alone that tells.
            let part = if text.is_some() {
                0.5
            } else if is_faint {
                0.26
            } else {
                0.36
            };
            batch.square(dot, middle, (radius * part).clamp(3.0, 15.0), veil(colour, 0.94));
        } else {
            batch.square(ring, middle, (radius * 1.14 / RING).max(4.0), colour);
        }
        texts.extend(text.map(|text| (*cell, text, is_empty, is_faint)));
    }
    batch.into_layer(layer);
    for (cell, text, is_empty, is_faint) in texts {
        draw_annotation(canvas, layer, cell, text, (is_empty, is_faint));
    }
}

/// What the rules say of a target: in its dot, or aside of what stands there.
fn draw_annotation(canvas: &Canvas<'_>, layer: &mut Layer, cell: CellId, text: &str, (is_empty, is_faint): (bool, bool)) {
    let (middle, reach) = (canvas.middle(cell), canvas.piece_radius(cell));
    if reach < LEAST_ANNOTATED {
        return;
    }
    if is_empty {
        let font = FontId::new((reach * 0.62).clamp(8.0, 15.0), bold());
        let ink = if is_faint { Color32::WHITE } else { ink_on(canvas.palette.offered) };
        layer.text(middle, Align2::CENTER_CENTER, text.to_owned(), font, ink);
    } else {
        badge(
            canvas,
            layer,
            middle + vec2(-0.72, -0.72) * reach,
            (reach * 0.36).clamp(6.0, 12.0),
            text,
        );
    }
}

/// A broken line with an arrow, so that it is not only the colour that tells a hint.
fn draw_hint(canvas: &Canvas<'_>, layer: &mut Layer, cells: &[CellId]) {
    let Some(last) = cells.last() else {
        return;
    };
    let colour = canvas.palette.hint;
    let width = canvas.grown(0.075, 2.5, 6.0);
    if let Some(first) = cells.first() {
        canvas.ring(layer, *first, 1.14, Stroke::new(width * 0.8, colour));
    }
    let mut ways = canvas.ways(cells);
    let mut tip = None;
    if let Some([.., before, end]) = ways.last_mut().map(Vec::as_mut_slice) {
        let back = (*before - *end).normalized();
        let point = *end + back * canvas.piece_radius(*last) * 0.25;
        *end = point + back * width * 2.0;
        tip = Some((point, back));
    }
    for way in ways {
        layer.add(Shape::line(way.clone(), Stroke::new(width + 2.5, veil(Color32::WHITE, 0.5))));
        layer.extend(Shape::dashed_line(&way, Stroke::new(width, colour), width * 2.4, width * 1.2));
    }
    if let Some((tip, back)) = tip {
        layer.add(head(tip, back, width * 3.4, width * 2.0, colour));
    }
}

/// Where the pointer is, if it can pick there, and where the keyboard is.
pub(super) fn cursors_layer(canvas: &Canvas<'_>, hovered: Option<CellId>, focused: Option<CellId>) -> Layer {
    let mut layer = Layer::default();
    if let Some(cell) = hovered {
        canvas.ring(&mut layer, cell, 1.06, Stroke::new(2.0, veil(canvas.palette.offered, 0.9)));
    }
    if let Some(cell) = focused {
        canvas.ring(&mut layer, cell, 1.18, Stroke::new(2.5, canvas.palette.accent));
        canvas.ring(&mut layer, cell, 1.26, Stroke::new(1.0, canvas.palette.on_accent));
    }
    layer
}

/// Lets a line begin so much later, so that it does not lie over what stands at its beginning.
fn shorten(line: &mut Vec<Pos2>, by: f32) {
    if let [first, second, ..] = line.as_mut_slice() {
        let way = *second - *first;
        if way.length() > by {
            *first += way.normalized() * by;
        } else {
            line.remove(0);
        }
    }
}

/// The head of an arrow: `back` is where it comes from, of length 1.
pub(super) fn head(tip: Pos2, back: egui::Vec2, length: f32, half_width: f32, colour: Color32) -> Shape {
    let aside = back.rot90() * half_width;
    let corners = vec![tip, tip + back * length + aside, tip + back * length - aside];
    Shape::convex_polygon(corners, colour, Stroke::new(1.5, veil(Color32::WHITE, 0.7)))
}
