//! Draws the pieces: pictures of the ruleset, or turned discs with a glyph.

use egui::epaint::RectShape;
use egui::{Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, Vec2, vec2};

use super::action_preview::PreviewedPiece;
use super::canvas::Canvas;
use super::layer::{Batch, Layer};
use super::marks::head;
use super::tiles::draw_tiles;
use super::travel::Shown;
use crate::theme::{SeatColours, bold, ink_on, rgb, seat_pattern, seat_style, veil};
use boardwright_model::{CellId, DirectionId, Piece, PieceId, PieceLook, Place};

/// How many pieces of a stack are drawn; a number says how many there are.
const MOST_OF_A_STACK: usize = 4;
/// How large a picture on a side of a cell is beside one in the middle.
const BESIDE: f32 = 0.36;
/// How opaque a piece is drawn that is where it was last seen.
const REMEMBERED: f32 = 0.6;
/// Below this radius, in points, a piece is a spot of its colour.
const SPOT: f32 = 4.5;
/// Up to this radius, in points, there is no room for its glyph.
const LEAST_WITH_GLYPH: f32 = 6.0;
/// The least size of what is written on pieces in areas, in points.
const LEAST_NUMBER: f32 = 10.5;

/// A piece where it is drawn.
struct Placed<'a> {
    piece: &'a Piece,
    look: Option<&'a PieceLook>,
    /// Where it is on the board, below what is lifted.
    ground: Pos2,
    radius: f32,
    opacity: f32,
    lift: f32,
    /// Whether no other piece lies on it.
    is_top: bool,
}

impl<'a> Placed<'a> {
    /// A piece that stands by itself.
    fn new(canvas: &Canvas<'a>, piece: &'a Piece, ground: Pos2, radius: f32) -> Self {
        Self {
            piece,
            look: canvas.scene.looks.pieces.get(&piece.id),
            ground,
            radius,
            opacity: 1.0,
            lift: 0.0,
            is_top: true,
        }
    }

    /// Its middle, which is above the ground while it is lifted.
    fn middle(&self) -> Pos2 {
        self.ground - vec2(0.0, self.lift * self.radius * 0.22)
    }

    fn facing(&self) -> Option<f32> {
        let degrees = self.look?.facing?;
        Some((degrees as f32).to_radians())
    }
}

/// The pieces at rest on cells in sight.
pub(super) fn pieces_layer(canvas: &Canvas<'_>, visible: &[CellId]) -> Layer {
    let mut layer = Layer::default();
    draw_tiles(canvas, &mut layer, visible);
    let state = canvas.scene.state;
    let travels = canvas.scene.travels;
    let is_under_way = |piece: PieceId| travels.is_under_way(canvas.now) && travels.has(piece);
    let mut levels: [Vec<Placed<'_>>; MOST_OF_A_STACK] = Default::default();
    let mut counts = Vec::new();
    for cell in visible {
        let mut stacked: Vec<&Piece> = Vec::new();
        let mut beside: Vec<&Piece> = Vec::new();
        for piece in state.pieces_at(*cell).iter().filter_map(|piece| state.piece(*piece)) {
            match piece.place {
                Place::Posed(..) => {}
                Place::Side(..) if has_picture(canvas, piece) => beside.push(piece),
                Place::Side(cell, direction) => draw_wall(canvas, &mut layer, piece, cell, direction),
                _ => stacked.push(piece),
            }
        }
        // The top pieces are the last of a cell.
        let count = stacked.len();
        let radius = canvas.piece_radius(*cell) * if count > 1 { 0.82 } else { 1.0 };
        let drawn = stacked.into_iter().skip(count.saturating_sub(MOST_OF_A_STACK));
        for (level, (piece, placed)) in drawn.zip(&mut levels).enumerate() {
            if !is_under_way(piece.id) {
                placed.push(Placed {
                    opacity: if canvas.scene.is_remembered(*cell) { REMEMBERED } else { 1.0 },
                    is_top: level + 1 == count.min(MOST_OF_A_STACK),
                    ..Placed::new(canvas, piece, stacked_at(canvas, *cell, level, count), radius)
                });
            }
        }
        for piece in beside.into_iter().filter(|piece| !is_under_way(piece.id)) {
            if let Some((middle, radius)) = beside_at(canvas, piece, *cell)
                && let Some(level) = levels.first_mut()
            {
                level.push(Placed::new(canvas, piece, middle, radius));
            }
        }
        if count > MOST_OF_A_STACK && radius >= SPOT {
            counts.push((canvas.middle(*cell) + vec2(-0.8, -0.8) * radius, radius * 0.42, count));
        }
    }
    for level in &levels {
        draw_level(canvas, &mut layer, level);
    }
    for (place, radius, count) in counts {
        badge(canvas, &mut layer, place, radius, &count.to_string());
    }
    layer
}

/// Whether the rules say what is drawn of a piece: one on a side is a wall otherwise.
fn has_picture(canvas: &Canvas<'_>, piece: &Piece) -> bool {
    let look = canvas.scene.looks.pieces.get(&piece.id);
    look.is_some_and(|look| look.icon.is_some() || look.glyph.is_some() || !look.overlays.is_empty())
}

/// Where a piece with a picture lies on its side of a cell, and how large it is; none for one that is on no side.
fn beside_at(canvas: &Canvas<'_>, piece: &Piece, cell: CellId) -> Option<(Pos2, f32)> {
    let state = canvas.scene.state;
    let Place::Side(_, direction) = piece.place else { return None };
    let mates = state.pieces_at(cell).iter().filter_map(|mate| state.piece(*mate));
    let mates = mates.filter(|mate| mate.place == piece.place && has_picture(canvas, mate));
    let mates: Vec<PieceId> = mates.map(|mate| mate.id).collect();
    let number = mates.iter().position(|mate| *mate == piece.id)?;
    let radius = canvas.piece_radius(cell) * BESIDE;
    Some((at_side(canvas, cell, direction, (number, mates.len()), radius)?, radius))
}

/// Where a piece that stays in its cell is drawn, and how large: on its side, or else in the middle.
pub(super) fn rest_of(canvas: &Canvas<'_>, piece: &Piece, cell: CellId) -> (Pos2, f32) {
    beside_at(canvas, piece, cell).unwrap_or_else(|| (canvas.middle(cell), canvas.piece_radius(cell)))
}

/// Where the piece with a number lies of several on one side of a cell: beside one another, inside of the side.
fn at_side(canvas: &Canvas<'_>, cell: CellId, direction: DirectionId, (number, count): (usize, usize), radius: f32) -> Option<Pos2> {
    let [from, to] = canvas
        .geometry
        .side(canvas.board(), cell, direction)?
        .map(|corner| canvas.at(corner));
    let (middle, of_side) = (canvas.middle(cell), from + (to - from) / 2.0);
    let shift = number as f32 - (count as f32 - 1.0) / 2.0;
    // However many there are, they stay on their side.
    let step = (1.5 * radius).min((to - from).length() * 0.8 / count.max(1) as f32);
    Some(middle + (of_side - middle) * 0.72 + (to - from).normalized() * shift * step)
}

/// The pieces on their way, above all others.
pub(super) fn travellers_layer(canvas: &Canvas<'_>) -> Layer {
    let mut layer = Layer::default();
    for id in canvas.scene.travels.pieces() {
        let shown = canvas.scene.travels.shown(id, canvas.geometry, canvas.now);
        if let (Some(shown), Some(piece)) = (shown, canvas.scene.state.piece(id)) {
            draw_level(canvas, &mut layer, &[travelling(canvas, piece, shown)]);
        }
    }
    layer
}

/// A piece as it is dragged: at the pointer, lifted.
pub(super) fn carried_layer(canvas: &Canvas<'_>, cell: CellId, pointer: Pos2) -> Layer {
    let mut layer = Layer::default();
    let state = canvas.scene.state;
    let top = state.pieces_at(cell).last().and_then(|piece| state.piece(*piece));
    if let Some(piece) = top.filter(|piece| !matches!(piece.place, Place::Side(..) | Place::Posed(..))) {
        let look = canvas.scene.looks.pieces.get(&piece.id);
        draw_pale_piece(canvas, &mut layer, piece, look, pointer, cell);
    }
    layer
}

/// A piece that is not really there, as large as on a cell.
pub(super) fn draw_pale_piece(canvas: &Canvas<'_>, layer: &mut Layer, piece: &Piece, look: Option<&PieceLook>, middle: Pos2, cell: CellId) {
    let placed = Placed {
        look,
        opacity: 0.62,
        ..Placed::new(canvas, piece, middle, canvas.piece_radius(cell))
    };
    draw_level(canvas, layer, &[placed]);
}

/// A piece that was there.
pub(super) fn draw_faint_piece(canvas: &Canvas<'_>, layer: &mut Layer, removed: &PreviewedPiece, middle: Pos2) {
    let placed = Placed {
        look: removed.look.as_ref(),
        opacity: 0.45,
        ..Placed::new(canvas, &removed.piece, middle, canvas.piece_radius(removed.cell) * 0.75)
    };
    draw_level(canvas, layer, &[placed]);
}

/// A piece as it would be, over the one that is there.
pub(super) fn draw_firm_piece(canvas: &Canvas<'_>, layer: &mut Layer, would_be: &PreviewedPiece, (middle, radius): (Pos2, f32)) {
    let placed = Placed {
        look: would_be.look.as_ref(),
        ..Placed::new(canvas, &would_be.piece, middle, radius)
    };
    draw_level(canvas, layer, &[placed]);
}

fn travelling<'a>(canvas: &Canvas<'a>, piece: &'a Piece, shown: Shown) -> Placed<'a> {
    let rest = piece.place.cell();
    let middle = shown
        .middle
        .unwrap_or_else(|| rest.map_or(Pos2::ZERO, |cell| canvas.geometry.middle(cell)));
    let cell = rest
        .or_else(|| canvas.scene.cell_at(middle))
        .or_else(|| canvas.board().cells().next());
    let radius = cell.map_or(0.0, |cell| canvas.piece_radius(cell));
    Placed {
        opacity: shown.opacity,
        lift: shown.lift,
        ..Placed::new(canvas, piece, canvas.at(middle), radius * shown.scale * (1.0 + 0.08 * shown.lift))
    }
}

pub(super) fn stacked_at(canvas: &Canvas<'_>, cell: CellId, level: usize, count: usize) -> Pos2 {
    let middle = canvas.middle(cell);
    if count < 2 {
        return middle;
    }
    let shift = level as f32 - (count.min(MOST_OF_A_STACK) - 1) as f32 / 2.0;
    middle + vec2(shift * 0.3, -shift * 0.22) * canvas.piece_radius(cell)
}

pub(super) fn piece_colour(canvas: &Canvas<'_>, piece: &Piece, look: Option<&PieceLook>) -> Color32 {
    if let Some(fill) = look.and_then(|look| look.fill) {
        return canvas.scene.fill_colour(fill);
    }
    let seats = canvas.scene.state.declarations().seats.len();
    let owner = piece.owner.filter(|seat| seat.index() < seats);
    owner.map_or(Color32::from_rgb(0xD8, 0xCF, 0xBE), |seat| canvas.seat_colour(seat))
}

/// Pieces that do not overlap: first all shadows, then all bodies, then what is on them.
fn draw_level(canvas: &Canvas<'_>, layer: &mut Layer, pieces: &[Placed<'_>]) {
    let (mut shadows, mut bodies, mut patterns, mut overlays) = Default::default();
    let bodies_of = pieces
        .iter()
        .map(|placed| (placed, draw_body(canvas, &mut shadows, &mut bodies, placed)));
    let drawn: Vec<(&Placed<'_>, bool)> = bodies_of.collect();
    for (placed, is_picture) in &drawn {
        if seat_style().has_patterns {
            draw_pattern(canvas, &mut patterns, placed, *is_picture);
        }
        for name in placed.look.map_or(&[][..], |look| &look.overlays) {
            let tint = veil(Color32::WHITE, placed.opacity);
            draw_picture(canvas, &mut overlays, name, (placed.middle(), placed.radius, 0.0), tint);
        }
        draw_vectors(canvas, layer, placed);
    }
    shadows.into_layer(layer);
    bodies.into_layer(layer);
    if seat_style().colours == SeatColours::Safe {
        for (placed, _) in drawn.iter().filter(|(_, is_picture)| *is_picture) {
            draw_seat_ring(canvas, layer, placed);
        }
    }
    patterns.into_layer(layer);
    overlays.into_layer(layer);
    for (placed, is_picture) in drawn {
        draw_signs(canvas, layer, placed, is_picture);
    }
}

/// The shadow and the body of a piece; whether the body is a picture of the ruleset.
fn draw_body(canvas: &Canvas<'_>, shadows: &mut Batch, bodies: &mut Batch, placed: &Placed<'_>) -> bool {
    let (middle, radius, opacity) = (placed.middle(), placed.radius, placed.opacity);
    let colour = piece_colour(canvas, placed.piece, placed.look);
    if radius < SPOT {
        bodies.plain_square(placed.ground, radius.max(1.0) * 0.9, veil(colour, opacity));
        return false;
    }
    let below = middle + vec2(0.0, radius * (0.10 + 0.35 * placed.lift));
    let angle = placed.facing().unwrap_or(0.0);
    let icon = placed.look.and_then(|look| look.icon.as_ref());
    let is_picture = icon.is_some_and(|icon| {
        // The shadow of a picture has its outline: the picture itself in black, in a few sizes to soften the rim.
        for (scale, share) in [(1.10, 0.10), (1.05, 0.14), (1.0, 0.20)] {
            let tint = Color32::from_black_alpha((255.0 * share * opacity) as u8);
            draw_picture(canvas, shadows, icon, (below, radius * scale, angle), tint);
        }
        draw_picture(canvas, bodies, icon, (middle, radius, angle), veil(Color32::WHITE, opacity))
    });
    if !is_picture {
        let tint = Color32::from_white_alpha((140.0 * opacity) as u8);
        shadows.square(canvas.textures.shadow(canvas.context), below, radius * 1.24, tint);
        draw_disc(canvas, bodies, middle, radius, colour, opacity);
    }
    is_picture
}

fn draw_disc(canvas: &Canvas<'_>, batch: &mut Batch, middle: Pos2, radius: f32, colour: Color32, opacity: f32) {
    let disc = canvas.textures.disc(canvas.context, colour, canvas.pixels(2.0 * radius));
    batch.square(disc, middle, radius, veil(Color32::WHITE, opacity));
}

/// The pattern of a piece's seat: over a turned disc, or on a small one beside a picture.
fn draw_pattern(canvas: &Canvas<'_>, patterns: &mut Batch, placed: &Placed<'_>, is_picture: bool) {
    let Some(seat) = placed.piece.owner.filter(|_| placed.radius >= 2.0 * SPOT) else {
        return;
    };
    let texture = seat_pattern(canvas.context, seat.index());
    if !is_picture {
        let ink = ink_on(piece_colour(canvas, placed.piece, placed.look));
        patterns.patterned_disc(texture, placed.middle(), placed.radius * 0.92, veil(ink, 0.38 * placed.opacity));
        return;
    }
    let radius = placed.radius * 0.4;
    let middle = placed.middle() + vec2(-0.7, 0.7) * placed.radius;
    let colour = canvas.seat_colour(seat);
    draw_disc(canvas, patterns, middle, radius, colour, placed.opacity);
    patterns.patterned_disc(texture, middle, radius * 0.88, veil(ink_on(colour), 0.75 * placed.opacity));
}

/// A ring in the colour of the seat around a picture, which has colours of its own that nobody has chosen for every eye.
fn draw_seat_ring(canvas: &Canvas<'_>, layer: &mut Layer, placed: &Placed<'_>) {
    let Some(seat) = placed.piece.owner.filter(|_| placed.radius >= SPOT) else {
        return;
    };
    let width = canvas.grown(0.065, 2.0, 5.0);
    for (width, colour) in [(width + 2.0, veil(Color32::BLACK, 0.6)), (width, canvas.seat_colour(seat))] {
        let stroke = Stroke::new(width, veil(colour, placed.opacity));
        layer.add(Shape::circle_stroke(placed.middle(), placed.radius * 0.84, stroke));
    }
}

/// Glyph, facing, outline and badge of a piece.
fn draw_signs(canvas: &Canvas<'_>, layer: &mut Layer, placed: &Placed<'_>, is_picture: bool) {
    let (middle, look, radius) = (placed.middle(), placed.look, placed.radius);
    if radius < SPOT {
        return;
    }
    let ink = veil(ink_on(piece_colour(canvas, placed.piece, look)), placed.opacity);
    if !is_picture {
        let kind = canvas.scene.state.declarations().kind(placed.piece.kind);
        let glyph = look.and_then(|look| look.glyph.as_deref()).or(kind.map(|kind| &*kind.glyph));
        if let Some(glyph) =
            glyph.filter(|glyph| placed.is_top && (radius > LEAST_WITH_GLYPH || canvas.geometry.has_areas) && !glyph.is_empty())
        {
            let size = if glyph.chars().count() > 1 { radius * 0.72 } else { radius * 0.98 };
            // Numbers on areas are read, however small the map is.
            let size = if canvas.geometry.has_areas { size.max(LEAST_NUMBER) } else { size };
            layer.text(middle, Align2::CENTER_CENTER, glyph, FontId::new(size, bold()), ink);
        }
        if let Some(facing) = placed.facing() {
            let ahead = vec2(facing.sin(), -facing.cos());
            layer.add(head(middle + ahead * radius * 1.14, -ahead, radius * 0.32, radius * 0.2, ink));
        }
    }
    if let Some(outline) = look.and_then(|look| look.outline) {
        let stroke = Stroke::new(canvas.grown(0.06, 1.5, 4.0), veil(rgb(outline), placed.opacity));
        layer.add(Shape::circle_stroke(middle, radius * 1.04, stroke));
    }
    if let Some(text) = look.and_then(|look| look.badge.as_ref()).filter(|_| placed.is_top && radius > 8.0) {
        badge(canvas, layer, middle + vec2(0.72, 0.72) * radius, radius * 0.4, text);
    }
}

/// How strong an arrow is that is fainter than the rest.
const FAINT_ARROW: f32 = 0.45;

fn draw_vectors(canvas: &Canvas<'_>, layer: &mut Layer, placed: &Placed<'_>) {
    let Some(look) = placed.look.filter(|look| !look.vectors.is_empty()) else {
        return;
    };
    let own = piece_colour(canvas, placed.piece, Some(look));
    let width = canvas.grown(0.05, 1.2, 4.0);
    for vector in &look.vectors {
        let opacity = if vector.faint {
            placed.opacity * FAINT_ARROW
        } else {
            placed.opacity
        };
        let colour = veil(vector.fill.map_or(own, rgb), opacity);
        let (from, end) = (
            vector.from.map_or(placed.ground, |from| canvas.middle(from)),
            canvas.middle(vector.to),
        );
        let way = end - from;
        if way.length() < 1.0 {
            continue;
        }
        let back = -way.normalized();
        let tip = if vector.headless {
            end
        } else {
            end + back * canvas.piece_radius(vector.to) * 0.2
        };
        let line = if vector.headless {
            [from, end]
        } else {
            [from, tip + back * width * 2.0]
        };
        if vector.dashed {
            layer.extend(Shape::dashed_line(&line, Stroke::new(width, colour), width * 2.4, width * 1.8));
        } else {
            layer.add(Shape::line_segment(
                line,
                Stroke::new(width + 2.0, veil(Color32::BLACK, 0.3 * opacity)),
            ));
            layer.add(Shape::line_segment(line, Stroke::new(width, colour)));
        }
        if !vector.headless {
            layer.add(head(tip, back, width * 3.6, width * 2.1, colour));
        }
        if let Some(label) = vector.label.as_ref().filter(|_| placed.radius > 8.0) {
            badge(canvas, layer, tip - back * width * 4.0, placed.radius * 0.36, label);
        }
    }
}

/// A picture of the ruleset with its middle, its radius and the angle by which it is turned; false if there is none.
pub(super) fn draw_picture(
    canvas: &Canvas<'_>,
    batch: &mut Batch,
    name: &str,
    (middle, radius, angle): (Pos2, f32, f32),
    tint: Color32,
) -> bool {
    let texture = canvas.scene.art.texture(canvas.context, name, canvas.pixels(2.0 * radius));
    if let Some(texture) = texture {
        batch.turned_square(texture, middle, radius, tint, angle);
    }
    texture.is_some()
}

/// A piece on the side of a cell.
fn draw_wall(canvas: &Canvas<'_>, layer: &mut Layer, piece: &Piece, cell: CellId, direction: DirectionId) {
    let Some(side) = canvas.geometry.side(canvas.board(), cell, direction) else {
        return;
    };
    let colour = piece_colour(canvas, piece, canvas.scene.looks.pieces.get(&piece.id));
    let width = canvas.grown(0.12, 2.0, 12.0);
    let line = side.map(|corner| canvas.at(corner));
    let below = line.map(|point| point + vec2(0.0, 1.5));
    layer.add(Shape::line_segment(below, Stroke::new(width + 2.0, veil(Color32::BLACK, 0.35))));
    layer.add(Shape::line_segment(line, Stroke::new(width, colour)));
}

/// A short text in a rounded field.
pub(super) fn badge(canvas: &Canvas<'_>, layer: &mut Layer, middle: Pos2, radius: f32, text: &str) {
    coloured_badge(canvas, layer, middle, radius, text, canvas.palette.surface);
}

pub(super) fn coloured_badge(canvas: &Canvas<'_>, layer: &mut Layer, middle: Pos2, radius: f32, text: &str, fill: Color32) {
    let font = FontId::new((radius * 1.5).clamp(8.0, 18.0), bold());
    let size = canvas.text_size(text, &font);
    let rect = Rect::from_center_size(middle, Vec2::new(size.x.max(size.y) + 6.0, size.y));
    layer.add(RectShape::filled(rect.expand(1.0), 255, veil(Color32::BLACK, 0.4)));
    layer.add(RectShape::filled(rect, 255, fill));
    layer.text(middle, Align2::CENTER_CENTER, text, font, ink_on(fill));
}
