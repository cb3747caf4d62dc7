//! Names of cells on the board: of rows and columns at the rim of square boards, elsewhere in the cells where there is room.

use egui::{Align2, FontId, pos2, vec2};

use super::canvas::Canvas;
use super::geometry::Drawing;
use super::layer::Layer;
use crate::theme::{bold, ink_on, veil};
use boardwright_model::{CellId, Topology};

pub(super) fn draw_cell_names(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    if !canvas.shows_names() {
        return;
    }
    let is_square = canvas.geometry.drawing == (Drawing::Grid { is_square: true });
    if let (true, Some((width, height))) = (is_square && canvas.geometry.has_default_names, canvas.board().topology().size()) {
        draw_rim_names(canvas, layer, width, height);
    } else if !canvas.geometry.has_areas {
        draw_names_in_cells(canvas, layer, visible);
    }
}

fn draw_rim_names(canvas: &Canvas<'_>, layer: &mut Layer, width: u16, height: u16) {
    let zoom = canvas.camera.zoom();
    // Of a large board that is seen from afar only every fifth or tenth name has room.
    let step = match zoom {
        zoom if zoom >= 20.0 => 1,
        zoom if zoom >= 6.0 => 5,
        _ => 10,
    };
    let font = FontId::new((zoom * 0.2).clamp(11.0, 15.0), bold());
    let colour = veil(canvas.palette.engraving[1], 0.9);
    let is_named = |index: &u16| step == 1 || *index == 0 || (*index + 1).is_multiple_of(step);
    for column in (0..width).filter(is_named) {
        let name = Topology::default_name(column.into(), 0).unwrap_or_default();
        let text = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        for y in [-0.27, f32::from(height) + 0.27] {
            let place = canvas.at(pos2(f32::from(column) + 0.5, y));
            layer.text(place, Align2::CENTER_CENTER, text, font.clone(), colour);
        }
    }
    for row in (0..height).filter(is_named) {
        for x in [-0.27, f32::from(width) + 0.27] {
            let place = canvas.at(pos2(x, f32::from(row) + 0.5));
            layer.text(place, Align2::CENTER_CENTER, (row + 1).to_string(), font.clone(), colour);
        }
    }
}

fn draw_names_in_cells(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let zoom = canvas.camera.zoom();
    if zoom < 34.0 {
        return;
    }
    let font = FontId::proportional((zoom * 0.15).clamp(11.0, 14.0));
    for cell in visible.iter().filter(|cell| canvas.scene.is_explored(**cell)) {
        let has_pieces = !canvas.scene.state.pieces_at(*cell).is_empty();
        let Some(shape) = canvas.shape(*cell).filter(|shape| !(shape.is_point() && has_pieces)) else {
            continue;
        };
        let offset = match canvas.geometry.drawing {
            Drawing::Grid { .. } => vec2(0.0, -0.36),
            // Between the lines that run to the right and to the lower right.
            Drawing::Graph => vec2(0.74, 0.27) * shape.room,
        };
        let ground = canvas.shaded_ground(*cell).filter(|_| !shape.is_point());
        let colour = veil(ground.map_or(canvas.palette.engraving[0], ink_on), 0.75);
        let (place, name) = (canvas.at(shape.middle + offset), canvas.board().cell_title(*cell));
        layer.text(place, Align2::CENTER_CENTER, name, font.clone(), colour);
    }
}
