//! A piece as a button: its shape if it has one, its picture, or its name.

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::board::Scene;
use crate::theme::{
    Palette, SeatColours, bold, ink_on, lay_out, mix, place_in_pattern, seat_colour, seat_pattern, seat_style, size, space, veil,
};
use boardwright_model::{Piece, PieceId, Pose, SeatId, Shape};

/// The height of the button of a piece, in points.
const BUTTON: f32 = 44.0;
/// How wide the disc of a piece is on its button, in points.
const DISC: f32 = 30.0;
/// The side of a square of a shape on its button, in points.
const SQUARE: f32 = 9.0;
/// What is left free beside and above a shape on its button, both sides together, in points.
const SHAPE_MARGIN: Vec2 = vec2(14.0, 12.0);

/// Shows a piece that can be clicked. None if it is unknown here.
pub(super) fn piece_button_ui(ui: &mut Ui, scene: &Scene<'_>, id: PieceId) -> Option<Response> {
    let palette = Palette::of(ui.visuals());
    let label = scene.piece_text(id);
    let piece = scene.state.piece(id)?;
    let look = scene.looks.pieces.get(&id);
    let kind = scene.state.declarations().kind(piece.kind);
    let shape = kind.and_then(|kind| kind.figure.as_ref()).map(|figure| figure.lying(Pose::UPRIGHT));
    let icon = look.and_then(|look| look.icon.as_ref()).filter(|icon| scene.art.has(icon));
    let galley = (shape.is_none() && icon.is_none()).then(|| lay_out(ui, &label, FontId::proportional(size::BODY)));
    // What stands on the board is shown as it does there.
    let stands = piece.place.cell().is_some();
    let wanted = match (shape, &galley) {
        (Some(shape), _) => (size_of(shape) * SQUARE + SHAPE_MARGIN).max(vec2(0.0, BUTTON)),
        (None, Some(galley)) if stands => vec2(galley.size().x + DISC + 3.0 * space::S, BUTTON),
        (None, Some(galley)) => vec2(galley.size().x + 2.0 * space::M, 30.0),
        (None, None) => Vec2::splat(BUTTON),
    };
    let (rect, response) = ui.allocate_exact_size(wanted.max(vec2(26.0, 0.0)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, false, &label));
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    let fill = mix(palette.raised, palette.accent, 0.16 * over);
    let edge = mix(palette.line, palette.accent, over);
    let painter = ui.painter();
    painter.rect(rect, 7, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let colour = piece_colour(ui, scene, piece);
    if let Some(shape) = shape {
        let corner = rect.center() - size_of(shape) * SQUARE / 2.0;
        paint_shape(painter, corner, shape, SQUARE, (colour, 1.0), piece.owner);
    } else if let Some(icon) = icon {
        paint_icon(ui, scene, icon, rect.shrink(3.0), 1.0);
        if let Some(seat) = seat_of(scene, piece).filter(|_| seat_style().colours == SeatColours::Safe) {
            let ring = Stroke::new(3.0, seat_colour(scene.state.declarations(), seat));
            painter.circle_stroke(rect.center(), rect.height() / 2.0 - 4.0, ring);
        }
        if let Some(badge) = look.and_then(|look| look.badge.as_ref()) {
            let font = FontId::new(size::SMALL, bold());
            let corner = rect.right_bottom() - vec2(4.0, 2.0);
            painter.text(corner, Align2::RIGHT_BOTTOM, &**badge, font, palette.text);
        }
    } else if let Some(galley) = galley {
        let mut left = rect.center().x - galley.size().x / 2.0;
        if stands {
            let middle = pos2(rect.left() + space::S + DISC / 2.0, rect.center().y);
            painter.circle(middle, DISC / 2.0, colour, Stroke::new(1.5, mix(colour, Color32::BLACK, 0.3)));
            let glyph = look.and_then(|look| look.glyph.as_deref()).or(kind.map(|kind| &*kind.glyph));
            let font = FontId::new(size::BODY, bold());
            painter.text(middle, Align2::CENTER_CENTER, glyph.unwrap_or_default(), font, ink_on(colour));
            left = middle.x + DISC / 2.0 + space::S;
        }
        painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, palette.text);
    }
    Some(response.on_hover_text(label))
}

/// The seat of a piece, if it is one of this match.
pub(super) fn seat_of(scene: &Scene<'_>, piece: &Piece) -> Option<SeatId> {
    piece.owner.filter(|seat| seat.index() < scene.state.declarations().seats.len())
}

/// The colour of a piece: as the rules say, of its seat, or none in particular.
pub(super) fn piece_colour(ui: &Ui, scene: &Scene<'_>, piece: &Piece) -> Color32 {
    let fill = scene.looks.pieces.get(&piece.id).and_then(|look| look.fill);
    let seat = || seat_of(scene, piece).map(|seat| seat_colour(scene.state.declarations(), seat));
    fill.map(|fill| scene.fill_colour(fill))
        .or_else(seat)
        .unwrap_or(Palette::of(ui.visuals()).muted)
}

/// Draws a picture of the ruleset; false if there is none.
pub(super) fn paint_icon(ui: &Ui, scene: &Scene<'_>, icon: &str, within: Rect, opacity: f32) -> bool {
    let side = within.size().min_elem();
    let texture = scene.art.texture(ui.ctx(), icon, side * ui.ctx().pixels_per_point());
    if let Some(texture) = texture {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        let rect = Rect::from_center_size(within.center(), Vec2::splat(side));
        ui.painter().image(texture, rect, whole, veil(Color32::WHITE, opacity));
    }
    texture.is_some()
}

/// The rectangle around a shape, in squares.
pub(super) fn size_of(shape: &Shape) -> Vec2 {
    vec2(f32::from(shape.width()), f32::from(shape.height()))
}

/// Draws a shape as tiles; `corner` is the upper left of the rectangle around it. They have the pattern of a seat where patterns are shown.
pub(super) fn paint_shape(
    painter: &Painter,
    corner: Pos2,
    shape: &Shape,
    side: f32,
    (colour, opacity): (Color32, f32),
    seat: Option<SeatId>,
) {
    let offsets = shape.offsets();
    let left = offsets.iter().map(|(x, _)| *x).min().unwrap_or(0);
    let top = offsets.iter().map(|(_, y)| *y).min().unwrap_or(0);
    let squares = offsets.iter().map(|(x, y)| {
        let place = corner + vec2(f32::from(x - left), f32::from(y - top)) * side;
        Rect::from_min_size(place, Vec2::splat(side))
    });
    let squares: Vec<Rect> = squares.collect();
    let seam = Stroke::new((side * 0.06).clamp(1.0, 2.0), veil(mix(colour, Color32::BLACK, 0.42), opacity));
    let light = Stroke::new((side * 0.08).clamp(1.0, 2.0), veil(mix(colour, Color32::WHITE, 0.38), opacity));
    for square in &squares {
        painter.rect_filled(*square, 0, veil(colour, opacity));
    }
    if let Some(seat) = seat.filter(|_| seat_style().has_patterns) {
        let mut mesh = Mesh::with_texture(seat_pattern(painter.ctx(), seat.index()));
        for square in &squares {
            let uv = Rect::from_min_max(place_in_pattern(square.min, corner), place_in_pattern(square.max, corner));
            mesh.add_rect_with_uv(*square, uv, veil(ink_on(colour), 0.4 * opacity));
        }
        painter.add(mesh);
    }
    for square in &squares {
        let inner = square.shrink(seam.width);
        painter.line_segment([inner.left_bottom(), inner.left_top()], light);
        painter.line_segment([inner.left_top(), inner.right_top()], light);
        painter.rect_stroke(*square, 0, seam, StrokeKind::Inside);
    }
}
