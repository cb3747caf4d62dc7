//! Pieces off the board: hands, decks, reserves; and those that have a shape, on a tray.

use egui::{Align2, Color32, FontId, Pos2, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::action_picker::ActionPicker;
use crate::board::{Clicks, Scene};
use crate::command::{ChoiceCommand, UiCommand};
use crate::theme::{Palette, SeatColours, bold, ink_on, lay_out, mix, remark, remark_ui, seat_colour, seat_style, size, space, veil};
use boardwright_model::{PieceId, Pose, Shape, State, ZoneId};

/// The height of the button of a piece, in points.
const BUTTON: f32 = 44.0;
/// How wide the disc of a piece is on its button, in points.
const DISC: f32 = 30.0;
/// The side of a square of a shape on its button, in points.
const SQUARE: f32 = 9.0;
/// What is left free beside and above a shape on its button, both sides together, in points.
const SHAPE_MARGIN: Vec2 = vec2(14.0, 12.0);
/// The most height that a tray takes, in points and as a share of that of the window.
const MOST_HEIGHT: f32 = 150.0;
const MOST_SHARE: f32 = 0.185;

/// Shows the zones that hold anything; pieces that may be picked are buttons. Of the others only the number of pieces is shown.
pub(crate) fn zones_ui(ui: &mut Ui, scene: &Scene<'_>, picker: Option<&ActionPicker>, commands: &mut Vec<UiCommand>) {
    let state: &State = scene.state;
    let mut offered = picker.map(ActionPicker::pieces).unwrap_or_default();
    // Another piece can be taken in place of what was picked, as on the board.
    if let Some(picker) = picker.filter(|picker| picker.has_picked()) {
        offered.extend(picker.first_pieces());
    }
    let most_height = (ui.ctx().content_rect().height() * MOST_SHARE).min(MOST_HEIGHT);
    let picked = picker.map(ActionPicker::picked_pieces).unwrap_or_default();
    let pose = picker.and_then(ActionPicker::placement).map(|placement| placement.pose);
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    for (index, declared) in state.declarations().zones.iter().enumerate() {
        let Some(zone) = state.zone(ZoneId::from_index(index)).filter(|zone| zone.count() > 0) else {
            continue;
        };
        let owner = declared.owner.map(|seat| format!("{}, ", state.declarations().seat_title(seat)));
        let name = format!("{}{}: {}", owner.unwrap_or_default(), declared.title, zone.count());
        let is_of_use = |piece: &PieceId| offered.contains(piece) || picked.contains(piece);
        if zone.pieces().iter().any(is_of_use) {
            open.push((name, zone));
        } else {
            closed.push((name, zone));
        }
    }
    let mut said = Vec::new();
    for (name, zone) in closed {
        // The pieces of a zone are listed, unless there are many.
        let seen: Vec<String> = zone.pieces().iter().map(|piece| scene.piece_text(*piece)).collect();
        if seen.is_empty() || seen.len() > 6 {
            said.push(name);
        } else {
            said.push(format!("{name} ({})", seen.join(", ")));
        }
    }
    if !said.is_empty() {
        remark_ui(ui, said.join("   ·   "));
    }
    for (name, zone) in open {
        ScrollArea::vertical()
            .id_salt(("zone", zone.pieces().first()))
            .max_height(most_height)
            .show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
                    ui.label(remark(name));
                    ui.add_space(space::XS);
                    for piece in zone.pieces() {
                        let is_picked = picked.contains(piece);
                        // Until the rules have answered a click waits, whatever it is on.
                        let is_offered = offered.contains(piece) || is_picked || scene.clicks == Clicks::Queued;
                        let shown = pose.filter(|_| is_picked);
                        if piece_button_ui(ui, scene, *piece, is_offered, is_picked, shown).is_some_and(|button| button.clicked()) {
                            commands.push(ChoiceCommand::PickPiece(*piece).into());
                        }
                    }
                });
            });
    }
}

/// A piece as a button: its shape if it has one, its picture, or its name. None if it is unknown here.
pub(super) fn piece_button_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    id: PieceId,
    is_offered: bool,
    is_picked: bool,
    pose: Option<Pose>,
) -> Option<Response> {
    let palette = Palette::of(ui.visuals());
    let label = scene.piece_text(id);
    let piece = scene.state.piece(id)?;
    let look = scene.looks.pieces.get(&id);
    let kind = scene.state.declarations().kind(piece.kind);
    let figure = kind.and_then(|kind| kind.figure.as_ref());
    let shape = figure.map(|figure| figure.lying(pose.unwrap_or(Pose::UPRIGHT)));
    let icon = look.and_then(|look| look.icon.as_ref()).filter(|icon| scene.art.has(icon));
    let galley = (shape.is_none() && icon.is_none()).then(|| lay_out(ui, &label, FontId::proportional(size::BODY)));
    // What stands on the board is shown as it does there.
    let stands = piece.place.cell().is_some();
    let squares = |shape: &Shape| vec2(f32::from(shape.width()), f32::from(shape.height()));
    let wanted = match (figure, &galley) {
        // As large as it is upright, so that the tray, and the board above it, stay as they are while it is turned.
        (Some(figure), _) => (squares(figure.lying(Pose::UPRIGHT)) * SQUARE + SHAPE_MARGIN).max(vec2(0.0, BUTTON)),
        (None, Some(galley)) if stands => vec2(galley.size().x + DISC + 3.0 * space::S, BUTTON),
        (None, Some(galley)) => vec2(galley.size().x + 2.0 * space::M, 30.0),
        (None, None) => Vec2::splat(BUTTON),
    };
    let sense = if is_offered { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(wanted.max(vec2(26.0, 0.0)), sense);
    response.widget_info(|| WidgetInfo::selected(Role::Button, is_offered, is_picked, &label));
    let is_over = is_offered && (response.hovered() || response.has_focus());
    let over = ui.ctx().animate_bool(response.id, is_over);
    let (fill, edge) = if is_picked {
        (veil(palette.accent, 0.25), palette.accent)
    } else {
        (
            mix(palette.raised, palette.accent, 0.16 * over),
            mix(palette.line, palette.accent, over),
        )
    };
    let painter = ui.painter();
    painter.rect(rect, 7, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let opacity = if is_offered { 1.0 } else { 0.35 };
    let declarations = scene.state.declarations();
    let seat = piece.owner.filter(|seat| seat.index() < declarations.seats.len());
    let seat = seat.map(|seat| seat_colour(declarations, seat));
    let fill = look.and_then(|look| look.fill).map(|fill| scene.fill_colour(fill));
    let colour = fill.or(seat).unwrap_or(palette.muted);
    if let Some(shape) = shape {
        let squares = squares(shape);
        let side = SQUARE.min(((rect.size() - SHAPE_MARGIN) / squares).min_elem());
        let corner = rect.center() - squares * side / 2.0;
        paint_shape(ui, corner, shape.offsets(), veil(colour, opacity), side);
    } else if let Some(texture) = icon.and_then(|icon| scene.art.texture(ui.ctx(), icon, BUTTON * ui.ctx().pixels_per_point())) {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        painter.image(texture, rect.shrink(3.0), whole, veil(Color32::WHITE, opacity));
        if let Some(seat) = seat.filter(|_| seat_style().colours == SeatColours::Safe) {
            let ring = Stroke::new(3.0, veil(seat, opacity));
            painter.circle_stroke(rect.center(), rect.height() / 2.0 - 4.0, ring);
        }
        if let Some(badge) = look.and_then(|look| look.badge.as_ref()) {
            let font = FontId::new(size::SMALL, bold());
            let corner = rect.right_bottom() - vec2(4.0, 2.0);
            painter.text(corner, Align2::RIGHT_BOTTOM, &**badge, font, palette.text);
        }
    } else if let Some(galley) = galley {
        let ink = if is_offered { palette.text } else { palette.muted };
        let mut left = rect.center().x - galley.size().x / 2.0;
        if stands {
            let middle = pos2(rect.left() + space::S + DISC / 2.0, rect.center().y);
            painter.circle(middle, DISC / 2.0, colour, Stroke::new(1.5, mix(colour, Color32::BLACK, 0.3)));
            let glyph = look.and_then(|look| look.glyph.as_deref()).or(kind.map(|kind| &*kind.glyph));
            let font = FontId::new(size::BODY, bold());
            painter.text(middle, Align2::CENTER_CENTER, glyph.unwrap_or_default(), font, ink_on(colour));
            left = middle.x + DISC / 2.0 + space::S;
        }
        painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, ink);
    }
    Some(response.on_hover_text(label))
}

/// The squares of a shape; `corner` is where the upper left of the rectangle around it lies.
fn paint_shape(ui: &Ui, corner: Pos2, offsets: &[(i16, i16)], colour: Color32, side: f32) {
    let left = offsets.iter().map(|(x, _)| *x).min().unwrap_or(0);
    let top = offsets.iter().map(|(_, y)| *y).min().unwrap_or(0);
    for (x, y) in offsets {
        let place = corner + vec2(f32::from(x - left), f32::from(y - top)) * side;
        let rect = Rect::from_min_size(place, Vec2::splat(side));
        let rim = Stroke::new(1.0, mix(colour, ink_on(colour), 0.35));
        ui.painter().rect(rect, 1, colour, rim, StrokeKind::Inside);
    }
}
