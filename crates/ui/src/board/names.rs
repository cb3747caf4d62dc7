//! Names of cells on the board: of rows and columns at the rim of square boards, elsewhere in the cells where there is room.

use egui::{Align2, FontId, pos2, vec2};

use super::canvas::Canvas;
use super::geometry::Drawing;
use super::layer::Layer;
use boardwright_model::{CellId, Topology};
use crate::theme::{bold, ink_on, veil};

impl Canvas<'_> {
    pub(super) fn names(&self, layer: &mut Layer, visible: &[CellId]) {
        if !self.shows_names {
            return;
        }
        let is_square = self.geometry.drawing == (Drawing::Grid { is_square: true });
        if let (true, Some((width, height))) = (is_square && self.geometry.has_default_names, self.board.topology().size()) {
            self.rim_names(layer, width, height);
        } else if self.geometry.has_areas {
            self.area_names(layer, visible);
        } else {
            self.cell_names(layer, visible);
        }
    }

    fn rim_names(&self, layer: &mut Layer, width: u16, height: u16) {
        let zoom = self.camera.zoom();
        // Of a large board that is seen from afar only every fifth or tenth name has room.
        let step = match zoom {
            zoom if zoom >= 20.0 => 1,
            zoom if zoom >= 6.0 => 5,
            _ => 10,
        };
        let font = FontId::new((zoom * 0.2).clamp(9.0, 15.0), bold());
        let colour = veil(self.palette.engraving[1], 0.9);
        let is_named = |index: &u16| step == 1 || *index == 0 || (*index + 1).is_multiple_of(step);
        for column in (0..width).filter(is_named) {
            let name = Topology::default_name(column.into(), 0).unwrap_or_default();
            let text = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
            for y in [-0.27, f32::from(height) + 0.27] {
                let place = self.at(pos2(f32::from(column) + 0.5, y));
                layer.text(place, Align2::CENTER_CENTER, text, font.clone(), colour);
            }
        }
        for row in (0..height).filter(is_named) {
            for x in [-0.27, f32::from(width) + 0.27] {
                let place = self.at(pos2(x, f32::from(row) + 0.5));
                layer.text(place, Align2::CENTER_CENTER, (row + 1).to_string(), font.clone(), colour);
            }
        }
    }

    fn cell_names(&self, layer: &mut Layer, visible: &[CellId]) {
        let zoom = self.camera.zoom();
        if zoom < 34.0 {
            return;
        }
        let font = FontId::proportional((zoom * 0.15).clamp(9.0, 13.0));
        for cell in visible {
            let Some(shape) = self.shape(*cell) else {
                continue;
            };
            if shape.is_point() && !self.scene.state.pieces_at(*cell).is_empty() {
                continue;
            }
            let offset = match self.geometry.drawing {
                Drawing::Grid { .. } => vec2(0.0, -0.36),
                // Between the lines that run to the right and to the lower right.
                Drawing::Graph => vec2(0.74, 0.27) * shape.room,
            };
            let ground = self.ground(*cell).filter(|_| !shape.is_point());
            layer.text(
                self.at(shape.middle + offset),
                Align2::CENTER_CENTER,
                self.board.cell_title(*cell),
                font.clone(),
                veil(ground.map_or(self.palette.engraving[0], ink_on), 0.75),
            );
        }
    }
}
