//! Pieces that lie on several cells, as tiles of one colour; and ghosts: pieces where they would come to be.

use egui::epaint::Mesh;
use egui::{Color32, Pos2, Shape, Stroke, vec2};

use super::canvas::Canvas;
use super::layer::Layer;
use super::pieces::{draw_pale_piece, piece_colour};
use crate::theme::{ink_on, mix, seat_style, veil};
use boardwright_model::{CellId, DirectionId, Piece, PieceId, Place};

/// A piece where it would come to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// The piece.
    pub piece: PieceId,
    /// The cells it would cover; more than one for pieces that have a shape.
    pub cells: Vec<CellId>,
    /// Whether it may come to be there.
    pub fits: bool,
}

/// The pieces that lie on cells in sight.
pub(super) fn draw_tiles(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let state = canvas.scene.state;
    let mut drawn: Vec<PieceId> = Vec::new();
    for cell in visible {
        for piece in state.pieces_at(*cell).iter().filter_map(|piece| state.piece(*piece)) {
            if matches!(piece.place, Place::Posed(..)) && !drawn.contains(&piece.id) {
                drawn.push(piece.id);
                draw_tile(canvas, layer, piece, &state.cells_of(piece), 1.0);
            }
        }
    }
}

/// One piece as a tile of several squares: light above, dark below, and its squares told apart by faint lines.
fn draw_tile(canvas: &Canvas<'_>, layer: &mut Layer, piece: &Piece, cells: &[CellId], opacity: f32) {
    let colour = piece_colour(canvas, piece, canvas.scene.looks.pieces.get(&piece.id));
    let width = canvas.grown(0.045, 1.0, 3.0);
    let mut shadow = Mesh::default();
    for cell in cells {
        canvas.fill(&mut shadow, *cell, veil(Color32::BLACK, 0.22 * opacity), 0.0);
    }
    shadow.translate(vec2(0.0, width * 1.2));
    layer.add(shadow);
    canvas.wash(layer, cells, veil(colour, opacity));
    if let Some(seat) = piece.owner.filter(|_| seat_style().has_patterns) {
        canvas.wash_pattern(layer, cells, seat, veil(ink_on(colour), 0.35 * opacity));
    }
    for cell in cells {
        draw_bevel(canvas, layer, *cell, cells, (colour, opacity), width);
    }
}

/// The rims of a square: strong to the outside, faint to squares of the same piece.
fn draw_bevel(canvas: &Canvas<'_>, layer: &mut Layer, cell: CellId, cells: &[CellId], (colour, opacity): (Color32, f32), width: f32) {
    let middle = canvas.middle(cell);
    for (direction, other) in canvas.board().steps(cell).iter().copied().chain(rim_directions(canvas, cell)) {
        let Some(side) = canvas.geometry.side(canvas.board(), cell, direction) else {
            continue;
        };
        let side @ [a, b] = side.map(|corner| canvas.at(corner));
        let mut draw = |line: [Pos2; 2], width: f32, light: Color32, share: f32, opacity_share: f32| {
            let stroke = Stroke::new(width, veil(mix(colour, light, share), opacity_share * opacity));
            layer.add(Shape::line_segment(line, stroke));
        };
        if cells.contains(&other) && other != cell {
            draw(side, width * 0.6, Color32::BLACK, 0.3, 0.5);
            continue;
        }
        let centre = a + (b - a) / 2.0;
        let is_lit = (centre - middle).dot(vec2(-0.5, -1.0)) > 0.0;
        let inner = side.map(|corner| corner + (middle - corner) * 0.09);
        let light = if is_lit { Color32::WHITE } else { Color32::BLACK };
        draw(inner, width, light, 0.4, 0.75);
        draw(side, width, Color32::BLACK, 0.5, 1.0);
    }
}

/// The directions in which a cell has no neighbour, as if the cell were its own.
fn rim_directions(canvas: &Canvas<'_>, cell: CellId) -> impl Iterator<Item = (DirectionId, CellId)> {
    let steps = canvas.board().steps(cell);
    let is_free = move |direction: &DirectionId| steps.iter().all(|(known, _)| known != direction);
    canvas.board().directions().filter(is_free).map(move |direction| (direction, cell))
}

/// A ghost: the piece itself, paler; where it does not fit, in the colour of danger with a cross on every cell.
pub(super) fn ghost_layer(canvas: &Canvas<'_>, ghost: &Ghost) -> Layer {
    let mut layer = Layer::default();
    let Some(piece) = canvas.scene.state.piece(ghost.piece) else {
        return layer;
    };
    let kind = canvas.scene.state.declarations().kind(piece.kind);
    if kind.is_none_or(|kind| kind.figure.is_none()) {
        if let Some(cell) = ghost.cells.last() {
            let look = canvas.scene.looks.pieces.get(&piece.id);
            draw_pale_piece(canvas, &mut layer, piece, look, canvas.middle(*cell), *cell);
        }
        return layer;
    }
    if ghost.fits {
        draw_tile(canvas, &mut layer, piece, &ghost.cells, 0.78);
        canvas.rim(
            &mut layer,
            &ghost.cells,
            Stroke::new(canvas.grown(0.06, 1.5, 3.5), canvas.palette.good),
        );
        return layer;
    }
    let colour = canvas.palette.danger;
    canvas.wash(&mut layer, &ghost.cells, veil(colour, 0.38));
    for cell in &ghost.cells {
        let stroke = Stroke::new(canvas.grown(0.06, 1.5, 3.5), colour);
        layer.cross(canvas.middle(*cell), canvas.piece_radius(*cell) * 0.5, stroke);
    }
    layer
}

/// A piece that a hint places, pale, with a rim in the colour of hints.
pub(super) fn hinted_layer(canvas: &Canvas<'_>, hinted: &Ghost) -> Layer {
    let mut layer = Layer::default();
    if let Some(piece) = canvas.scene.state.piece(hinted.piece) {
        draw_tile(canvas, &mut layer, piece, &hinted.cells, 0.55);
        let width = canvas.grown(0.08, 2.0, 4.5);
        canvas.rim(&mut layer, &hinted.cells, Stroke::new(width + 2.0, veil(Color32::WHITE, 0.7)));
        canvas.rim(&mut layer, &hinted.cells, Stroke::new(width, canvas.palette.hint));
    }
    layer
}
