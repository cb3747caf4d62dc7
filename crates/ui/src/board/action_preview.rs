//! What an action would bring about, on the board: who would stand where, what would be gone, what would show something else.

use egui::{Pos2, Shape, Stroke, vec2};

use super::canvas::Canvas;
use super::layer::Layer;
use super::pieces::{coloured_badge, draw_firm_piece, draw_pale_piece, rest_of, stacked_at};
use crate::theme::veil;
use boardwright_model::{CellId, Effect, Looks, Piece, PieceId, PieceLook, Place, State};

/// A piece as it would be, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewedPiece {
    /// The piece.
    pub piece: Piece,
    /// Its cell; the first one of a piece that covers several.
    pub cell: CellId,
    /// How it would look.
    pub look: Option<PieceLook>,
}

/// What an action would bring about, as far as it is seen on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionPreview {
    /// Pieces that would come to where they are not.
    pub coming: Vec<PreviewedPiece>,
    /// Pieces that would stay and show something else: another number, another seat.
    pub changing: Vec<PreviewedPiece>,
    /// Pieces that would be gone, and their cells.
    pub going: Vec<(PieceId, CellId)>,
}

impl ActionPreview {
    /// What some effects would bring about. None if they do not fit the state.
    pub fn of(before: &State, effects: &[Effect], looks: &Looks, looks_before: &Looks) -> Option<Self> {
        let mut after = before.clone();
        for effect in effects {
            after.apply(effect).ok()?;
        }
        let mut found = Self::default();
        for piece in after.pieces() {
            let Some(cell) = piece.place.cell() else { continue };
            let would_be = || PreviewedPiece {
                piece: piece.clone(),
                cell,
                look: looks.pieces.get(&piece.id).or_else(|| looks_before.pieces.get(&piece.id)).cloned(),
            };
            match before.piece(piece.id) {
                Some(known) if known.place == piece.place => {
                    let look = looks.pieces.get(&piece.id);
                    let is_new = look.is_some() && look != looks_before.pieces.get(&piece.id);
                    if known.owner != piece.owner || known.kind != piece.kind || is_new {
                        found.changing.push(would_be());
                    }
                }
                _ => found.coming.push(would_be()),
            }
        }
        for piece in before.pieces() {
            let stays = after.piece(piece.id).is_some_and(|piece| piece.place.cell().is_some());
            if let (Some(cell), false) = (piece.place.cell(), stays) {
                found.going.push((piece.id, cell));
            }
        }
        Some(found)
    }

    /// Whether there is nothing to be seen of it.
    pub fn is_empty(&self) -> bool {
        self.coming.is_empty() && self.changing.is_empty() && self.going.is_empty()
    }
}

/// What an action would bring about: pale pieces where some would come to be, crosses over those that would be gone.
pub(super) fn preview_layer(canvas: &Canvas<'_>, preview: &ActionPreview) -> Layer {
    let mut layer = Layer::default();
    for would_be in &preview.changing {
        let (middle, radius) = rest_of(canvas, &would_be.piece, would_be.cell);
        draw_firm_piece(canvas, &mut layer, would_be, (middle, radius));
        canvas.dashed_ring(&mut layer, middle, radius * 1.14, canvas.palette.chosen);
        let before = canvas.scene.looks.pieces.get(&would_be.piece.id).and_then(sign);
        let after = would_be.look.as_ref().and_then(sign);
        if let (Some(before), Some(after)) = (before, after)
            && before != after
        {
            let place = middle - vec2(0.0, radius * 1.14 + 13.0);
            let change = format!("{before} → {after}");
            coloured_badge(canvas, &mut layer, place, 9.0, &change, canvas.palette.chosen);
        }
    }
    for would_be in &preview.coming {
        if !matches!(would_be.piece.place, Place::Side(..) | Place::Posed(..)) {
            let (look, middle) = (would_be.look.as_ref(), canvas.middle(would_be.cell));
            draw_pale_piece(canvas, &mut layer, &would_be.piece, look, middle, would_be.cell);
        }
    }
    for (piece, cell) in &preview.going {
        let stack = canvas.scene.state.pieces_at(*cell);
        let level = stack.iter().position(|other| other == piece).unwrap_or(0);
        let middle = stacked_at(canvas, *cell, level, stack.len());
        draw_cross(canvas, &mut layer, middle, canvas.piece_radius(*cell));
    }
    layer
}

/// What a piece shows: its badge or its glyph.
fn sign(look: &PieceLook) -> Option<&str> {
    look.badge.as_deref().or(look.glyph.as_deref())
}

/// A cross over a piece, which is paled and the cross rimmed, so that it is seen on every colour.
fn draw_cross(canvas: &Canvas<'_>, layer: &mut Layer, middle: Pos2, radius: f32) {
    layer.add(Shape::circle_filled(middle, radius, veil(canvas.palette.surface, 0.5)));
    let width = canvas.grown(0.09, 2.5, 7.0);
    for (colour, width) in [(veil(canvas.palette.surface, 0.9), width + 3.0), (canvas.palette.danger, width)] {
        layer.cross(middle, radius * 0.72, Stroke::new(width, colour));
    }
}
