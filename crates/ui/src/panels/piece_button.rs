//! A piece as a button: its shape if it has one, its picture, or its name.

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::board::Scene;
use crate::theme::{
    Icon, Palette, SeatColours, bold, ink_on, lay_out, mix, place_in_pattern, seat_colour, seat_pattern, seat_style, size, space, veil,
};
use boardwright_model::{Piece, PieceId, PieceLook, Pose, SeatId, Shape};

/// How large the picture of a piece is in its row, in points.
const PICTURE: f32 = 38.0;
/// How wide the disc of a piece without a picture is, in points.
const DISC: f32 = 30.0;
/// The side of a square of a shape in its row, in points.
const SQUARE: f32 = 9.0;
/// The side of the box that tells whether a piece of a set is picked, in points.
const BOX: f32 = 18.0;

/// A piece in a list to choose from.
pub(super) struct PieceRow {
    pub(super) piece: PieceId,
    /// Its number, where nothing else tells it from another one in the list.
    pub(super) number: Option<u32>,
    /// Of a set, whether it is picked.
    pub(super) is_picked: Option<bool>,
    /// Whether it can be clicked.
    pub(super) is_enabled: bool,
}

impl PieceRow {
    /// How high a row is, in points, unless a shape in it is higher.
    pub(super) const HEIGHT: f32 = 46.0;

    /// How wide the row has to be, in points.
    pub(super) fn width(&self, ui: &Ui, scene: &Scene<'_>) -> f32 {
        let (name, owner) = self.texts(scene);
        let name = lay_out(ui, &name, FontId::new(size::BODY, bold())).size().x;
        let owner = lay_out(ui, &owner, FontId::proportional(size::SMALL)).size().x;
        let check = if self.is_picked.is_some() { BOX + space::M } else { 0.0 };
        self.picture_width(scene) + name.max(owner) + check + 3.0 * space::S
    }

    /// What it is called, with what it shows, and whose it is.
    fn texts(&self, scene: &Scene<'_>) -> (String, String) {
        let state = scene.state;
        let Some(piece) = state.piece(self.piece) else {
            return (String::new(), String::new());
        };
        let kind = state.declarations().kind(piece.kind).map_or("", |kind| &kind.title);
        let mut name = kind.to_owned();
        let badge = scene.looks.pieces.get(&self.piece).and_then(|look| look.badge.as_deref());
        for part in badge
            .map(str::to_owned)
            .into_iter()
            .chain(self.number.map(|number| format!("#{number}")))
        {
            name.push_str("  ");
            name.push_str(&part);
        }
        let owner = seat_of(scene, piece).map(|seat| state.declarations().seat_title(seat).to_string());
        (name, owner.unwrap_or_default())
    }

    fn shape<'a>(&self, scene: &'a Scene<'_>) -> Option<&'a Shape> {
        let kind = scene.state.declarations().kind(scene.state.piece(self.piece)?.kind)?;
        kind.figure.as_ref().map(|figure| figure.lying(Pose::UPRIGHT))
    }

    fn picture_width(&self, scene: &Scene<'_>) -> f32 {
        self.shape(scene).map_or(PICTURE, |shape| (size_of(shape) * SQUARE).x.max(PICTURE))
    }

    /// What is read out for it.
    fn label(&self, scene: &Scene<'_>) -> String {
        let text = scene.piece_text(self.piece);
        self.number.map_or_else(|| text.clone(), |number| format!("{text} #{number}"))
    }

    /// Shows the row so wide. None if the piece is unknown here.
    pub(super) fn ui(&self, ui: &mut Ui, scene: &Scene<'_>, width: f32) -> Option<Response> {
        let palette = Palette::of(ui.visuals());
        let piece = scene.state.piece(self.piece)?;
        let label = self.label(scene);
        let shape = self.shape(scene);
        let height = shape.map_or(Self::HEIGHT, |shape| ((size_of(shape) * SQUARE).y + space::S).max(Self::HEIGHT));
        let sense = if self.is_enabled { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(vec2(width, height), sense);
        let (is_picked, role) = match self.is_picked {
            Some(is_picked) => (is_picked, Role::CheckBox),
            None => (false, Role::Button),
        };
        response.widget_info(|| WidgetInfo::selected(role, self.is_enabled, is_picked, &label));
        let over = ui
            .ctx()
            .animate_bool(response.id, self.is_enabled && (response.hovered() || response.has_focus()));
        let fill = mix(palette.raised, palette.accent, if is_picked { 0.24 } else { 0.16 * over });
        let edge = mix(palette.line, palette.accent, if is_picked { 1.0 } else { over });
        ui.painter().rect(rect, 7, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
        let opacity = if self.is_enabled { 1.0 } else { 0.4 };
        let middle = pos2(rect.left() + space::S + self.picture_width(scene) / 2.0, rect.center().y);
        paint_picture(ui, scene, piece, (middle, opacity), shape);
        let (name, owner) = self.texts(scene);
        let left = middle.x + self.picture_width(scene) / 2.0 + space::S;
        let name = lay_out(ui, &name, FontId::new(size::BODY, bold()));
        let owner = lay_out(ui, &owner, FontId::proportional(size::SMALL));
        let below_name = if owner.is_empty() { 0.0 } else { owner.size().y };
        let top = rect.center().y - f32::midpoint(name.size().y, below_name);
        let below = top + name.size().y;
        ui.painter().galley(pos2(left, top), name, veil(palette.text, opacity));
        if !owner.is_empty() {
            ui.painter().galley(pos2(left, below), owner, veil(palette.muted, opacity));
        }
        if self.is_picked.is_some() {
            let middle = pos2(rect.right() - space::S - BOX / 2.0, rect.center().y);
            paint_box(ui, Rect::from_center_size(middle, Vec2::splat(BOX)), is_picked, opacity);
        }
        Some(response)
    }
}

/// Draws a piece as it is on the board: its shape, its picture, or a disc with its glyph.
fn paint_picture(ui: &Ui, scene: &Scene<'_>, piece: &Piece, (middle, opacity): (Pos2, f32), shape: Option<&Shape>) {
    let look = scene.looks.pieces.get(&piece.id);
    let colour = piece_colour(ui, scene, piece);
    let icon = look.and_then(|look| look.icon.as_ref()).filter(|icon| scene.art.has(icon));
    let painter = ui.painter();
    if let Some(shape) = shape {
        let corner = middle - size_of(shape) * SQUARE / 2.0;
        paint_shape(painter, corner, shape, SQUARE, (colour, opacity), piece.owner);
    } else if let Some(icon) = icon {
        let rect = Rect::from_center_size(middle, Vec2::splat(PICTURE));
        paint_icon(ui, scene, icon, rect, opacity);
        if let Some(seat) = seat_of(scene, piece).filter(|_| seat_style().colours == SeatColours::Safe) {
            let ring = Stroke::new(3.0, veil(seat_colour(scene.state.declarations(), seat), opacity));
            painter.circle_stroke(middle, PICTURE / 2.0, ring);
        }
        paint_overlays(ui, scene, look, rect, opacity);
    } else {
        let rim = Stroke::new(1.5, veil(mix(colour, Color32::BLACK, 0.3), opacity));
        painter.circle(middle, DISC / 2.0, veil(colour, opacity), rim);
        let kind = scene.state.declarations().kind(piece.kind);
        let glyph = look.and_then(|look| look.glyph.as_deref()).or(kind.map(|kind| &*kind.glyph));
        let font = FontId::new(size::BODY, bold());
        painter.text(
            middle,
            Align2::CENTER_CENTER,
            glyph.unwrap_or_default(),
            font,
            veil(ink_on(colour), opacity),
        );
        paint_overlays(ui, scene, look, Rect::from_center_size(middle, Vec2::splat(DISC)), opacity);
    }
}

/// Draws what the rules lay over a piece.
fn paint_overlays(ui: &Ui, scene: &Scene<'_>, look: Option<&PieceLook>, rect: Rect, opacity: f32) {
    for overlay in look.map_or(&[][..], |look| &look.overlays) {
        paint_icon(ui, scene, overlay, rect, opacity);
    }
}

/// Draws the box before a piece of a set.
fn paint_box(ui: &Ui, rect: Rect, is_checked: bool, opacity: f32) {
    let palette = Palette::of(ui.visuals());
    let (fill, edge) = if is_checked {
        (palette.accent, palette.accent)
    } else {
        (palette.surface, palette.muted)
    };
    let edge = Stroke::new(1.5, veil(edge, opacity));
    ui.painter().rect(rect, 4, veil(fill, opacity), edge, StrokeKind::Inside);
    if is_checked {
        Icon::Check.paint(ui.painter(), rect.shrink(2.0), palette.on_accent);
    }
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
