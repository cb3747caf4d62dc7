//! What an action would bring about, on the board: who would stand where, what would be gone, what would show something else.

use std::sync::Arc;

use egui::{Pos2, Shape, Stroke, Vec2, vec2};

use super::canvas::Canvas;
use super::layer::Layer;
use super::pieces::badge;
use boardwright_model::{CellId, Effect, Looks, Piece, PieceId, PieceLook, Place, State};
use crate::theme::veil;

/// A piece as it would be, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct WouldBe {
    /// The piece.
    pub piece: Piece,
    /// Its cell; the first one of a piece that covers several.
    pub cell: CellId,
    /// How it would look.
    pub look: Option<PieceLook>,
}

/// What an action would bring about, as far as it is seen on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreseen {
    /// Pieces that would come to where they are not.
    pub coming: Vec<WouldBe>,
    /// Pieces that would stay and show something else: another number, another seat.
    pub changing: Vec<WouldBe>,
    /// Pieces that would be gone, and their cells.
    pub going: Vec<(PieceId, CellId)>,
}

impl Foreseen {
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
            let would_be = || WouldBe {
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

impl Canvas<'_> {
    /// What an action would bring about: pale pieces where some would come to be, crosses over those that would be gone.
    pub(super) fn foreseen(&self, foreseen: &Foreseen) -> Layer {
        let mut layer = Layer::default();
        for would_be in &foreseen.changing {
            let middle = self.middle(would_be.cell);
            self.firm_piece(&mut layer, would_be, middle);
            self.dashes(&mut layer, middle, self.piece_radius(would_be.cell) * 1.14);
            let shown = |look: Option<&PieceLook>| {
                look.and_then(|look| look.badge.as_ref().or(look.glyph.as_ref()))
                    .map(ToString::to_string)
            };
            let before = shown(self.scene.looks.pieces.get(&would_be.piece.id));
            if let (Some(before), Some(after)) = (before, shown(would_be.look.as_ref()))
                && before != after
            {
                let reach = self.piece_radius(would_be.cell);
                let place = middle - vec2(0.0, reach * 1.14 + 13.0);
                badge(
                    &mut layer,
                    self.context,
                    place,
                    9.0,
                    &format!("{before} → {after}"),
                    self.palette.chosen,
                );
            }
        }
        for would_be in &foreseen.coming {
            if !matches!(would_be.piece.place, Place::Side(..) | Place::Posed(..)) {
                let look = would_be.look.as_ref();
                self.pale_piece(&mut layer, &would_be.piece, look, self.middle(would_be.cell), Some(would_be.cell));
            }
        }
        for (piece, cell) in &foreseen.going {
            let state: &Arc<State> = self.scene.state;
            let stack = state.pieces_at(*cell);
            let level = stack.iter().position(|other| other == piece).unwrap_or(0);
            self.cross(&mut layer, self.stacked_at(*cell, level, stack.len()), self.piece_radius(*cell));
        }
        layer
    }

    /// A broken ring.
    fn dashes(&self, layer: &mut Layer, middle: Pos2, radius: f32) {
        let round: Vec<Pos2> = (0..=48)
            .map(|step| middle + Vec2::angled(step as f32 / 48.0 * std::f32::consts::TAU) * radius)
            .collect();
        let stroke = Stroke::new(self.grown(0.05, 1.5, 3.5), self.palette.chosen);
        layer.extend(Shape::dashed_line(&round, stroke, radius * 0.3, radius * 0.18));
    }

    /// A cross over a piece, which is paled and the cross rimmed, so that it is seen on every colour.
    fn cross(&self, layer: &mut Layer, middle: Pos2, radius: f32) {
        layer.add(Shape::circle_filled(middle, radius, veil(self.palette.surface, 0.5)));
        let reach = radius * 0.72;
        let width = self.grown(0.09, 2.5, 7.0);
        for (colour, width) in [(veil(self.palette.surface, 0.9), width + 3.0), (self.palette.danger, width)] {
            for way in [vec2(reach, reach), vec2(reach, -reach)] {
                layer.add(Shape::line_segment([middle - way, middle + way], Stroke::new(width, colour)));
            }
        }
    }
}
