//! Pieces off the board that have no shape: a hand as cards, what others hold as backs, decks and piles as the card on top.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, FontFamily, FontId, Galley, Painter, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::piece_button::{paint_icon, piece_colour, seat_of};
use super::zones::{Picking, ZoneContents, has_shapes, zones};
use crate::action_picker::ActionPicker;
use crate::board::Scene;
use crate::command::{ChoiceCommand, UiCommand};
use crate::theme::{Palette, bold, ink_on, mix, remark, rgb, seat_colour, size, space, text_width, veil};
use boardwright_model::{Declarations, PieceId, SeatId};

/// The width of a card as a share of its height, and the least one in points.
const SHAPE: f32 = 0.84;
const LEAST_WIDTH: f32 = 56.0;
/// How far each sheet of a pile lies beside the one below it, in points.
const SHEET: f32 = 4.0;
/// How far a card that is picked, or under the pointer, is lifted, in points.
const LIFT: f32 = 7.0;
/// The height of the name below a pile, in points.
const CAPTION: f32 = 15.0;
/// From this height on a card has a title and a text; below there is room for its sign and its text.
const ROOM_FOR_TITLE: f32 = 56.0;
/// The share of the row that a hand takes before its cards lie on one another, and how much of each is in sight at least, in points.
const MOST_OF_ROW: f32 = 0.62;
const LEAST_STEP: f32 = 18.0;
/// The greatest width of the name of a zone, in points.
const MOST_CAPTION: f32 = 130.0;
/// The paper of a card, and its ink.
const PAPER: Color32 = rgb(0xFB_F6_E8);
const INK: Color32 = rgb(0x2A_25_20);

/// Shows all zones whose pieces have no shape, in one row that is as high as the room there is.
pub(crate) fn cards_ui(ui: &mut Ui, scene: &Scene<'_>, picker: Option<&ActionPicker>, own: Option<SeatId>, commands: &mut Vec<UiCommand>) {
    let picking = Picking::of(picker);
    let mut shown = zones(scene.state, &picking, own);
    shown.retain(|contents| !has_shapes(scene.state, contents.zone));
    let height = ui.available_height();
    let card_height = height - LIFT - CAPTION - 2.0;
    ScrollArea::horizontal().id_salt("cards").auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.set_height(height);
            ui.spacing_mut().item_spacing.x = space::M;
            for contents in &shown {
                if contents.is_own && !contents.zone.pieces().is_empty() {
                    hand_ui(ui, scene, contents, card_height, &picking, commands);
                } else {
                    pile_ui(ui, scene, contents, card_height);
                }
            }
        });
    });
}

/// The cards of a hand side by side, with the name of the zone below them.
fn hand_ui(ui: &mut Ui, scene: &Scene<'_>, contents: &ZoneContents<'_>, height: f32, picking: &Picking, commands: &mut Vec<UiCommand>) {
    let card = vec2((height * SHAPE).max(LEAST_WIDTH), height);
    let pieces = contents.zone.pieces();
    // Many cards lie on one another, each with its left part in sight.
    let room = ui.clip_rect().width() * MOST_OF_ROW - card.x;
    let step = (room / pieces.len().saturating_sub(1).max(1) as f32).clamp(LEAST_STEP.min(card.x), card.x + space::XS);
    let name = format!("{}: {}", contents.declared.title, pieces.len());
    let width = step * pieces.len().saturating_sub(1) as f32 + card.x;
    let width = width.max(caption_width(ui, &name));
    let (field, _) = ui.allocate_exact_size(vec2(width, ui.available_height()), Sense::hover());
    let mut on_top = None;
    for (index, piece) in pieces.iter().enumerate() {
        let corner = field.min + vec2(index as f32 * step, LIFT);
        let is_last = index + 1 == pieces.len();
        let shown = Rect::from_min_size(corner, vec2(if is_last { card.x } else { step.min(card.x) }, card.y));
        let place = Rect::from_min_size(corner, card);
        let Some(card) = card_ui(ui, scene, *piece, (place, shown), picking) else {
            continue;
        };
        if card.clicked() {
            commands.push(ChoiceCommand::PickPiece(*piece).into());
        }
        if !is_last && step < place.width() && (card.hovered() || card.has_focus()) {
            on_top = Some((*piece, place));
        }
    }
    // The card under the pointer is seen whole.
    if let Some((piece, place)) = on_top {
        let place = place.translate(vec2(0.0, -LIFT));
        paint_face(ui, scene, piece, place);
        let accent = Palette::of(ui.visuals()).accent;
        ui.painter().rect_stroke(place, 6, Stroke::new(1.5, accent), StrokeKind::Inside);
    }
    caption(ui, field, &name);
}

/// A card of a hand; the part of it that is in sight can be clicked.
fn card_ui(ui: &Ui, scene: &Scene<'_>, id: PieceId, (place, shown): (Rect, Rect), picking: &Picking) -> Option<Response> {
    let (is_offered, is_picked) = (picking.can_be_clicked(scene, id), picking.is_picked(id));
    let label = scene.piece_text(id);
    let sense = if is_offered { Sense::click() } else { Sense::hover() };
    let response = ui.interact(shown, ui.scope_id().with(("card", id)), sense);
    response.widget_info(|| WidgetInfo::selected(Role::Button, is_offered, is_picked, &label));
    let is_over = is_offered && (response.hovered() || response.has_focus());
    let lift = ui.ctx().animate_bool(response.id, is_picked || is_over) * LIFT;
    let place = place.translate(vec2(0.0, -lift));
    paint_face(ui, scene, id, place)?;
    let accent = Palette::of(ui.visuals()).accent;
    if is_picked || is_over {
        let width = if is_picked { 2.5 } else { 1.5 };
        ui.painter().rect_stroke(place, 6, Stroke::new(width, accent), StrokeKind::Inside);
    }
    Some(response.on_hover_text(label))
}

/// The front of a card: its picture or its sign, what it is, and what it says.
fn paint_face(ui: &Ui, scene: &Scene<'_>, id: PieceId, place: Rect) -> Option<()> {
    let piece = scene.state.piece(id)?;
    let kind = scene.state.declarations().kind(piece.kind)?;
    let look = scene.looks.pieces.get(&id);
    paint_paper(ui, place, PAPER);
    let painter = ui.painter().with_clip_rect(place.intersect(ui.clip_rect()));
    let has_colour = look.is_some_and(|look| look.fill.is_some()) || seat_of(scene, piece).is_some();
    let colour = if has_colour {
        mix(piece_colour(ui, scene, piece), INK, 0.25)
    } else {
        INK
    };
    let text = look.and_then(|look| look.badge.as_deref());
    let has_title = place.height() >= ROOM_FOR_TITLE;
    let lines = if has_title { 2.0 } else { 1.0 };
    let room = Rect::from_min_max(place.min, pos2(place.right(), place.bottom() - 12.0 * lines - 2.0)).shrink(3.0);
    let icon = look.and_then(|look| look.icon.as_deref());
    if !icon.is_some_and(|icon| paint_icon(ui, scene, icon, room, 1.0)) {
        let glyph = look.and_then(|look| look.glyph.as_deref()).unwrap_or(&kind.glyph);
        let font = FontId::new((room.height() * 0.8).clamp(10.0, 28.0), bold());
        painter.text(room.center(), Align2::CENTER_CENTER, glyph, font, colour);
    }
    let width = place.width() - 6.0;
    let mut bottom = place.bottom() - 3.0;
    let lines_of_text = [text, Some(&*kind.title)];
    for (index, words) in lines_of_text.into_iter().flatten().enumerate().take(lines as usize) {
        let is_text = index == 0 && text.is_some();
        let family = if is_text { FontFamily::Proportional } else { bold() };
        let galley = fitted(&painter, words, family, width);
        let corner = pos2(place.center().x - galley.size().x.min(width) / 2.0, bottom - galley.size().y);
        bottom -= galley.size().y - 2.0;
        painter.galley(corner, galley, INK);
    }
    Some(())
}

/// A line as large as it can be in a width, and cut off if it is too long at the least size.
fn fitted(painter: &Painter, words: &str, family: FontFamily, width: f32) -> Arc<Galley> {
    let galley = |size: f32| painter.layout_no_wrap(words.to_owned(), FontId::new(size, family.clone()), INK);
    let sizes = [size::SMALL, 11.0, 10.0, 9.0];
    let fits = sizes.into_iter().map(galley).find(|galley| galley.size().x <= width);
    fits.unwrap_or_else(|| {
        let mut job = LayoutJob::simple_singleline(words.to_owned(), FontId::new(9.0, family), INK);
        job.wrap = TextWrapping::truncate_at_width(width);
        painter.layout_job(job)
    })
}

fn paint_paper(ui: &Ui, place: Rect, fill: Color32) {
    let painter = ui.painter();
    painter.rect_filled(place.translate(vec2(0.0, 1.5)), 6, veil(Color32::BLACK, 0.3));
    let edge = Stroke::new(1.0, mix(fill, Color32::BLACK, 0.35));
    painter.rect(place, 6, fill, edge, StrokeKind::Inside);
}

/// Whether a seat has one zone, which its title says then.
fn has_one_zone(declarations: &Declarations, seat: SeatId) -> bool {
    declarations.zones.iter().filter(|zone| zone.owner == Some(seat)).count() == 1
}

/// A deck, a pile, or what another holds: the card on top or its back, and how many there are.
fn pile_ui(ui: &mut Ui, scene: &Scene<'_>, contents: &ZoneContents<'_>, height: f32) {
    let palette = Palette::of(ui.visuals());
    let card = vec2((height * SHAPE).max(LEAST_WIDTH), height);
    let count = contents.zone.count();
    let sheets = count.clamp(1, 3);
    let declarations = scene.state.declarations();
    let name = match contents.declared.owner {
        Some(seat) if has_one_zone(declarations, seat) => declarations.seat_title(seat).to_string(),
        Some(_) => contents.title(declarations),
        None => contents.declared.title.to_string(),
    };
    let width = (card.x + (sheets - 1) as f32 * SHEET).max(caption_width(ui, &name));
    let (field, response) = ui.allocate_exact_size(vec2(width, ui.available_height()), Sense::hover());
    let text = contents.text(scene);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    let back = contents
        .declared
        .owner
        .map_or(palette.muted, |seat| seat_colour(declarations, seat));
    let back = mix(back, Color32::BLACK, 0.18);
    let all_sheets = card.x + (sheets - 1) as f32 * SHEET;
    let left = field.center().x - all_sheets / 2.0;
    let top_card = contents.zone.pieces().last().filter(|_| contents.zone.unseen() == 0);
    for sheet in 0..sheets {
        let place = Rect::from_min_size(pos2(left + sheet as f32 * SHEET, field.top() + LIFT), card);
        let is_top = sheet + 1 == sheets;
        if is_top && top_card.is_some_and(|piece| paint_face(ui, scene, *piece, place).is_some()) {
            continue;
        }
        let fill = if top_card.is_some() {
            mix(PAPER, Color32::BLACK, 0.08)
        } else {
            back
        };
        paint_paper(ui, place, fill);
        if is_top {
            let inner = Stroke::new(1.0, veil(ink_on(back), 0.45));
            ui.painter().rect_stroke(place.shrink(4.0), 4, inner, StrokeKind::Inside);
            let font = FontId::new(size::TITLE, bold());
            ui.painter()
                .text(place.center(), Align2::CENTER_CENTER, count.to_string(), font, ink_on(back));
        }
    }
    if top_card.is_some() && count > 1 {
        let middle = pos2(left + all_sheets - 6.0, field.top() + LIFT + 6.0);
        let galley = ui
            .painter()
            .layout_no_wrap(count.to_string(), FontId::new(size::SMALL, bold()), palette.text);
        let around = Rect::from_center_size(middle, Vec2::new(galley.size().x.max(galley.size().y) + 6.0, galley.size().y));
        ui.painter()
            .rect(around, 255, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Outside);
        ui.painter().galley(around.center() - galley.size() / 2.0, galley, palette.text);
    }
    caption(ui, field, &name);
    response.on_hover_text(text);
}

/// How much room the name of a zone takes.
fn caption_width(ui: &Ui, words: &str) -> f32 {
    text_width(ui, remark(words)).min(MOST_CAPTION)
}

/// The name below the cards of a zone, in the middle of what is in sight of them.
fn caption(ui: &Ui, field: Rect, words: &str) {
    let sight = field.intersect(ui.clip_rect());
    let field = if sight.width() >= caption_width(ui, words) { sight } else { field };
    let muted = Palette::of(ui.visuals()).muted;
    let mut job = LayoutJob::simple_singleline(words.to_owned(), FontId::proportional(size::SMALL), muted);
    job.wrap = TextWrapping::truncate_at_width(field.width() + 1.0);
    let galley = ui.painter().layout_job(job);
    let corner = pos2(field.center().x - galley.size().x / 2.0, field.bottom() - galley.size().y);
    ui.painter().galley(corner, galley, muted);
}
