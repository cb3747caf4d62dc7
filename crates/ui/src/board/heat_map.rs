//! The values of cells, as colours from cold to warm and as numbers, so that colour alone does not carry them.

use egui::epaint::RectShape;
use egui::{Align2, Color32, FontId, Rect, vec2};

use super::canvas::Canvas;
use super::layer::Layer;
use crate::theme::{bold, ink_on, mix, veil};
use boardwright_model::CellId;

/// How far the colours hide the ground.
const OPACITY: f32 = 0.55;
/// The smallest radius of what stands on a cell at which numbers can be read.
const LEAST_RADIUS: f32 = 9.0;
/// The colours of the least, the middle and the most: they differ for every eye, and in how light they are.
const COLD: Color32 = Color32::from_rgb(0x2C, 0x4A, 0x9A);
const MIDDLE: Color32 = Color32::from_rgb(0xC9, 0xC2, 0xB4);
const WARM: Color32 = Color32::from_rgb(0xE8, 0x7A, 0x14);

/// The colour of a value, from 0 for the least to 1 for the most.
pub fn heat_colour(share: f32) -> Color32 {
    if share < 0.5 {
        mix(COLD, MIDDLE, share * 2.0)
    } else {
        mix(MIDDLE, WARM, share * 2.0 - 1.0)
    }
}

/// The cells with their values and the colours of these.
fn heat<'a>(canvas: &Canvas<'a>) -> impl Iterator<Item = (&'a CellId, i64, Color32)> {
    let values = &canvas.scene.marks.heat_map;
    let least = values.values().min().copied().unwrap_or_default();
    let most = values.values().max().copied().unwrap_or_default();
    let share = move |value: i64| match most.saturating_sub(least) {
        // Where all are the same, none is less than the others.
        0 => 1.0,
        range => value.saturating_sub(least) as f32 / range as f32,
    };
    values.iter().map(move |(cell, value)| (cell, *value, heat_colour(share(*value))))
}

/// Paints the cells in the colours of their values.
pub(super) fn draw_heat_below(canvas: &Canvas<'_>, layer: &mut Layer) {
    for (cell, _, colour) in heat(canvas) {
        canvas.wash(layer, [cell], veil(colour, OPACITY));
    }
}

/// The numbers, below what stands on the cells.
pub(super) fn draw_heat_above(canvas: &Canvas<'_>, layer: &mut Layer) {
    for (cell, value, colour) in heat(canvas) {
        let radius = canvas.piece_radius(*cell);
        if radius < LEAST_RADIUS {
            continue;
        }
        let side = (radius * 0.72).clamp(9.0, 15.0);
        let text = value.to_string();
        let middle = canvas.middle(*cell) + vec2(0.0, radius * 1.12);
        let field = Rect::from_center_size(middle, vec2(text.len() as f32 * side * 0.58 + 8.0, side + 3.0));
        layer.add(RectShape::filled(field.expand(1.0), 255, veil(Color32::BLACK, 0.45)));
        layer.add(RectShape::filled(field, 255, colour));
        layer.text(middle, Align2::CENTER_CENTER, text, FontId::new(side, bold()), ink_on(colour));
    }
}
