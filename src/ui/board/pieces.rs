//! Draws the pieces: pictures of the ruleset, or turned discs with a glyph.

use egui::epaint::{Mesh, RectShape};
use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::paint::Canvas;
use super::travel::{Shown, piece_rect};
use crate::model::{CellId, DirectionId, Piece, PieceId, PieceLook, Place};
use crate::ui::theme::{Palette, bold, ink_on, mix, veil};

/// How many pieces of a stack are drawn; a number says how many there are.
const MOST_OF_A_STACK: usize = 4;

impl Canvas<'_> {
    /// Draws the pieces on cells in sight, and above them those on their way.
    pub(super) fn pieces(&self, visible: &[CellId]) {
        let state = self.scene.state;
        let shown = |piece: PieceId| self.scene.travels.shown(piece, self.geometry, self.now);
        for cell in visible {
            let (on_sides, stacked): (Vec<&Piece>, Vec<&Piece>) = state
                .pieces_at(*cell)
                .iter()
                .filter_map(|piece| state.piece(*piece))
                .partition(|piece| matches!(piece.place, Place::Side(..)));
            for piece in on_sides {
                if let Place::Side(cell, direction) = piece.place {
                    self.wall(piece, cell, direction);
                }
            }
            let count = stacked.len();
            let radius = self.stacked_radius(*cell, count);
            for (place, piece) in stacked.iter().enumerate().take(MOST_OF_A_STACK) {
                if shown(piece.id).is_none() {
                    self.piece(piece, self.stacked_at(*cell, place, count), radius, 1.0, 0.0);
                }
            }
            if count > MOST_OF_A_STACK {
                let corner = self.at(self.geometry.middle(*cell)) + vec2(radius, radius) * 0.8;
                self.badge(corner, radius * 0.42, &count.to_string(), self.palette.surface);
            }
        }
        for id in self.scene.travels.pieces() {
            let (Some(shown), Some(piece)) = (shown(id), state.piece(id)) else {
                continue;
            };
            self.travelling(piece, shown);
        }
    }

    fn travelling(&self, piece: &Piece, shown: Shown) {
        let rest = piece.place.cell().map_or(Pos2::ZERO, |cell| self.geometry.middle(cell));
        let cell = piece.place.cell().or_else(|| {
            let (x, y) = super::geometry::thousandths(shown.middle_or(rest));
            self.board.hit(x, y)
        });
        let radius = self.usual_radius(cell) * shown.scale * (1.0 + 0.08 * shown.lift);
        self.piece(piece, self.at(shown.middle_or(rest)), radius, shown.opacity, shown.lift);
    }

    fn usual_radius(&self, cell: Option<CellId>) -> f32 {
        let cell = cell.or_else(|| self.board.cells().next());
        cell.map_or(0.0, |cell| self.piece_radius(cell))
    }

    fn stacked_radius(&self, cell: CellId, count: usize) -> f32 {
        self.piece_radius(cell) * if count > 1 { 0.82 } else { 1.0 }
    }

    fn stacked_at(&self, cell: CellId, place: usize, count: usize) -> Pos2 {
        let middle = self.at(self.geometry.middle(cell));
        if count < 2 {
            return middle;
        }
        let shift = place as f32 - (count.min(MOST_OF_A_STACK) - 1) as f32 / 2.0;
        middle + vec2(shift * 0.3, -shift * 0.22) * self.piece_radius(cell)
    }

    fn piece_colour(&self, piece: &Piece, look: Option<&PieceLook>) -> Color32 {
        if let Some(fill) = look.and_then(|look| look.fill) {
            return Color32::from_rgb((fill >> 16) as u8, (fill >> 8) as u8, fill as u8);
        }
        let frame = self.scene.state.frame();
        let owner = piece.owner.and_then(|seat| Some((seat, frame.seats.get(seat.index())?)));
        owner.map_or(Color32::from_rgb(0xD8, 0xCF, 0xBE), |(seat, declared)| {
            Palette::seat(declared.colour, seat.index())
        })
    }

    fn piece(&self, piece: &Piece, middle: Pos2, radius: f32, opacity: f32, lift: f32) {
        let look = self.scene.looks.pieces.get(&piece.id);
        let middle = middle - vec2(0.0, lift * radius * 0.22);
        let facing = look
            .and_then(|look| look.facing)
            .map_or(0.0, |degrees| (degrees as f32).to_radians());
        let icon = look.and_then(|look| look.icon.as_ref());
        let drop = vec2(0.0, radius * (0.10 + 0.35 * lift));
        let is_drawn = icon.is_some_and(|icon| {
            self.picture_shadow(icon, middle + drop, radius, opacity, facing);
            self.picture(icon, middle, radius, veil(Color32::WHITE, opacity), facing)
        });
        if !is_drawn {
            self.shadow(middle + drop, radius, opacity);
            let colour = self.piece_colour(piece, look);
            let kind = self.scene.state.frame().kind(piece.kind);
            let glyph = look.and_then(|look| look.glyph.as_deref()).or(kind.map(|kind| &*kind.glyph));
            self.disc(middle, radius, colour, opacity, glyph.unwrap_or(""));
            if look.is_some_and(|look| look.facing.is_some()) {
                let (sin, cos) = facing.sin_cos();
                let ahead = vec2(sin, -cos);
                let tip = middle + ahead * radius * 1.12;
                let base = middle + ahead * radius * 0.82;
                let aside = ahead.rot90() * radius * 0.2;
                let head = vec![tip, base + aside, base - aside];
                self.painter
                    .add(Shape::convex_polygon(head, veil(ink_on(colour), opacity), Stroke::NONE));
            }
        }
        if let Some(badge) = look.and_then(|look| look.badge.as_ref()) {
            self.badge(middle + vec2(0.72, 0.72) * radius, radius * 0.4, badge, self.palette.surface);
        }
    }

    fn shadow(&self, middle: Pos2, radius: f32, opacity: f32) {
        if radius < 5.0 {
            return;
        }
        let rect = piece_rect(middle, radius * 0.96);
        let shape = RectShape::filled(
            rect,
            CornerRadius::same(radius.min(255.0) as u8),
            veil(Color32::from_black_alpha(120), opacity),
        );
        self.painter.add(shape.with_blur_width(radius * 0.34));
    }

    /// The shadow of a picture has its outline: the picture itself in black, laid over itself in a few sizes to soften the rim.
    fn picture_shadow(&self, name: &str, middle: Pos2, radius: f32, opacity: f32, angle: f32) {
        if radius < 5.0 {
            return;
        }
        for (scale, share) in [(1.10, 0.10), (1.05, 0.14), (1.0, 0.20)] {
            self.picture(
                name,
                middle,
                radius * scale,
                veil(Color32::from_black_alpha(255), share * opacity),
                angle,
            );
        }
    }

    /// A picture of the ruleset; false if there is none.
    pub(super) fn picture(&self, name: &str, middle: Pos2, radius: f32, tint: Color32, angle: f32) -> bool {
        let context = self.painter.ctx();
        let side = 2.0 * radius * context.pixels_per_point();
        let Some(texture) = self.scene.art.texture(context, name, side) else {
            return false;
        };
        let mut mesh = Mesh::with_texture(texture);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        mesh.add_rect_with_uv(piece_rect(middle, radius), whole, tint);
        if angle != 0.0 {
            mesh.rotate(egui::emath::Rot2::from_angle(angle), middle);
        }
        self.painter.add(mesh);
        true
    }

    /// A turned disc: lit from above left, with a rim and an inner ring.
    fn disc(&self, middle: Pos2, radius: f32, colour: Color32, opacity: f32, glyph: &str) {
        let faded = |colour: Color32| veil(colour, opacity);
        let ring = 40_u32;
        let mut mesh = Mesh::default();
        mesh.colored_vertex(middle - vec2(0.3, 0.36) * radius, faded(mix(colour, Color32::WHITE, 0.34)));
        for step in 0..ring {
            let (sin, cos) = (step as f32 / ring as f32 * std::f32::consts::TAU).sin_cos();
            let light = (-(cos * 0.6 + sin * 0.8) * 0.5 + 0.5).clamp(0.0, 1.0);
            let shade = mix(mix(colour, Color32::BLACK, 0.26), mix(colour, Color32::WHITE, 0.16), light);
            mesh.colored_vertex(middle + vec2(cos, sin) * radius, faded(shade));
            mesh.add_triangle(0, step + 1, (step + 1) % ring + 1);
        }
        self.painter.add(mesh);
        let rim = (radius * 0.07).clamp(0.8, 2.5);
        self.painter.circle_stroke(
            middle,
            radius - rim / 2.0,
            Stroke::new(rim, faded(mix(colour, Color32::BLACK, 0.45))),
        );
        if radius > 9.0 {
            self.painter.circle_stroke(
                middle,
                radius * 0.8,
                Stroke::new(rim * 0.8, faded(mix(colour, Color32::WHITE, 0.32))),
            );
        }
        if radius > 6.0 && !glyph.is_empty() {
            let ink = faded(ink_on(colour));
            let size = if glyph.chars().count() > 1 { radius * 0.72 } else { radius * 0.98 };
            self.painter
                .text(middle, Align2::CENTER_CENTER, glyph, FontId::new(size, bold()), ink);
        }
    }

    fn badge(&self, middle: Pos2, radius: f32, text: &str, fill: Color32) {
        let size = (radius * 1.5).clamp(8.0, 18.0);
        let galley = self
            .painter
            .layout_no_wrap(text.to_owned(), FontId::new(size, bold()), ink_on(fill));
        let rect = Rect::from_center_size(middle, galley.size().max(vec2(galley.size().y, 0.0)) + vec2(6.0, 0.0));
        self.painter
            .rect_filled(rect.expand(1.0), CornerRadius::same(255), veil(Color32::BLACK, 0.4));
        self.painter.rect_filled(rect, CornerRadius::same(255), fill);
        self.painter.galley(rect.center() - galley.size() / 2.0, galley, ink_on(fill));
    }

    /// A piece on the side of a cell.
    fn wall(&self, piece: &Piece, cell: CellId, direction: DirectionId) {
        let Some([a, b]) = self.geometry.side(self.board, cell, direction) else {
            return;
        };
        let colour = self.piece_colour(piece, self.scene.looks.pieces.get(&piece.id));
        let width = (self.camera.zoom() * 0.12).clamp(2.0, 12.0);
        let line = [self.at(a), self.at(b)];
        self.painter.line_segment(
            line.map(|point| point + vec2(0.0, 1.5)),
            Stroke::new(width + 2.0, veil(Color32::BLACK, 0.35)),
        );
        self.painter.line_segment(line, Stroke::new(width, colour));
    }
}
