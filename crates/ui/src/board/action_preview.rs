//! What an action would bring about, on the board: who would stand where, what would be gone, what would show something else.

use std::sync::Arc;

use egui::{Pos2, Shape, Stroke, Vec2, vec2};

use super::canvas::Canvas;
use super::layer::Layer;
use super::pieces::{badge, draw_firm_piece, draw_pale_piece, stacked_at};
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
            let Some(cell) = piece.place.cell() else {
                continue;
            };
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
        let middle = canvas.middle(would_be.cell);
        draw_firm_piece(canvas, &mut layer, would_be, middle);
        draw_dashes(canvas, &mut layer, middle, canvas.piece_radius(would_be.cell) * 1.14);
        let shown = |look: Option<&PieceLook>| {
            look.and_then(|look| look.badge.as_ref().or(look.glyph.as_ref()))
                .map(ToString::to_string)
        };
        let before = shown(canvas.scene.looks.pieces.get(&would_be.piece.id));
        if let (Some(before), Some(after)) = (before, shown(would_be.look.as_ref()))
            && before != after
        {
            let reach = canvas.piece_radius(would_be.cell);
            let place = middle - vec2(0.0, reach * 1.14 + 13.0);
            badge(
                &mut layer,
                canvas.context,
                place,
                9.0,
                &format!("{before} → {after}"),
                canvas.palette.chosen,
            );
        }
    }
    for would_be in &preview.coming {
        if !matches!(would_be.piece.place, Place::Side(..) | Place::Posed(..)) {
            let look = would_be.look.as_ref();
            draw_pale_piece(
                canvas,
                &mut layer,
                &would_be.piece,
                look,
                canvas.middle(would_be.cell),
                Some(would_be.cell),
            );
        }
    }
    for (piece, cell) in &preview.going {
        let state: &Arc<State> = canvas.scene.state;
        let stack = state.pieces_at(*cell);
        let level = stack.iter().position(|other| other == piece).unwrap_or(0);
        draw_cross(
            canvas,
            &mut layer,
            stacked_at(canvas, *cell, level, stack.len()),
            canvas.piece_radius(*cell),
        );
    }
    layer
}

fn draw_dashes(canvas: &Canvas<'_>, layer: &mut Layer, middle: Pos2, radius: f32) {
    let round: Vec<Pos2> = (0..=48)
        .map(|step| middle + Vec2::angled(step as f32 / 48.0 * std::f32::consts::TAU) * radius)
        .collect();
    let stroke = Stroke::new(canvas.grown(0.05, 1.5, 3.5), canvas.palette.chosen);
    layer.extend(Shape::dashed_line(&round, stroke, radius * 0.3, radius * 0.18));
}

/// A cross over a piece, which is paled and the cross rimmed, so that it is seen on every colour.
fn draw_cross(canvas: &Canvas<'_>, layer: &mut Layer, middle: Pos2, radius: f32) {
    layer.add(Shape::circle_filled(middle, radius, veil(canvas.palette.surface, 0.5)));
    let reach = radius * 0.72;
    let width = canvas.grown(0.09, 2.5, 7.0);
    for (colour, width) in [(veil(canvas.palette.surface, 0.9), width + 3.0), (canvas.palette.danger, width)] {
        for way in [vec2(reach, reach), vec2(reach, -reach)] {
            layer.add(Shape::line_segment([middle - way, middle + way], Stroke::new(width, colour)));
        }
    }
}
