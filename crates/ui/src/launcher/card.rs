//! A ruleset as a card: picture, title, a line, seats, and what is wrong with it.

use std::sync::Arc;

use egui::{
    Color32, Context, CornerRadius, FontId, Galley, Id, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::board::picture_uri;
use crate::texts::text;
use crate::theme::{Icon, Palette, bold, mix, size, space, veil};
use boardwright_client::content::RulesetCard;
use boardwright_model::diagnostic::{Diagnostic, Severity};

/// The height of a picture as a share of its width.
const PICTURE: f32 = 0.625;
/// How many pictures keep their address.
const MOST_PICTURES: usize = 256;
/// The longest line, in letters.
const LINE: usize = 110;
/// The diameter of the button that begins a match, and how far it keeps from the edges of the picture, in points.
const PLAY: f32 = 46.0;
const FROM_EDGE: f32 = 10.0;

struct Texts {
    title: Arc<Galley>,
    line: Arc<Galley>,
    facts: Arc<Galley>,
    finding: Option<(Arc<Galley>, Color32)>,
}

impl Texts {
    fn of(ui: &Ui, card: &RulesetCard, width: f32) -> Self {
        let palette = Palette::of(ui.visuals());
        let inner = width - 2.0 * space::L;
        let lay = |text: String, font: FontId, colour: Color32, width: f32| ui.painter().layout(text, font, colour, width);
        let colour = if card.errors() > 0 { palette.danger } else { palette.warning };
        let small = FontId::proportional(size::SMALL);
        Self {
            title: lay(card.title.clone(), FontId::new(size::TITLE, bold()), palette.text, inner),
            line: lay(shortened(&card.line, LINE), FontId::proportional(size::BODY), palette.muted, inner),
            facts: lay(facts(card), small.clone(), palette.muted, inner),
            finding: finding(card).map(|text| (lay(text, small, colour, inner - 22.0), colour)),
        }
    }

    fn height(&self, width: f32) -> f32 {
        let finding = self.finding.as_ref().map_or(0.0, |(galley, _)| galley.size().y + space::S);
        let texts = self.title.size().y + space::XS + self.line.size().y + space::S + finding + self.facts.size().y;
        (width * PICTURE).round() + texts + 2.0 * space::M
    }
}

/// The first thing that is wrong, with its place and how much more there is.
fn finding(card: &RulesetCard) -> Option<String> {
    let worst = |problem: &&Diagnostic| problem.severity == Severity::Error;
    let problem = card.problems.iter().find(worst).or(card.problems.first())?;
    let place = if problem.line() > 0 {
        format!("{}:{}:{}: ", problem.file(), problem.line(), problem.column())
    } else {
        String::new()
    };
    let first = shortened(&format!("{place}{}", problem.message.replace('`', "")), 120);
    let others = card.problems.len() - 1;
    Some(if others > 0 {
        text!("card-more-findings", first = first, count = others)
    } else {
        first
    })
}

pub(super) fn height(ui: &Ui, card: &RulesetCard, width: f32) -> f32 {
    Texts::of(ui, card, width).height(width)
}

/// What was clicked of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardClick {
    /// The card as a whole, which chooses it.
    Choose,
    /// The button that begins a match.
    Play,
}

/// Shows a card. `play` is how a match is begun from it, in words; nothing where none can be begun now.
pub(super) fn card_ui(ui: &mut Ui, card: &RulesetCard, is_chosen: bool, wanted: Vec2, play: Option<&str>) -> Option<CardClick> {
    let palette = Palette::of(ui.visuals());
    let texts = Texts::of(ui, card, wanted.x);
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    response.widget_info(|| {
        let mut label = vec![card.title.clone(), facts(card)];
        label.extend(card.builds_on.as_ref().map(|below| text!("card-mod", title = &**below)));
        label.extend(finding(card));
        WidgetInfo::selected(Role::Button, true, is_chosen, label.join(", "))
    });
    let play = play.map(|players| play_button(ui, card, picture_in(rect), players));
    let clicked = if play.as_ref().is_some_and(Response::clicked) {
        Some(CardClick::Play)
    } else {
        response.clicked().then_some(CardClick::Choose)
    };
    if !ui.is_rect_visible(rect) {
        return clicked;
    }
    let painter = ui.painter().clone();
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    let drawn = rect.translate(vec2(0.0, -2.0 * over));
    let mut shadow = ui.visuals().popup_shadow;
    shadow.blur = (10.0 + 14.0 * over) as u8;
    shadow.color = veil(palette.shadow, 0.5 + 0.5 * over);
    painter.add(shadow.as_shape(drawn, 14));
    painter.rect_filled(drawn, 14, palette.surface);
    let picture = picture_in(drawn);
    let top = CornerRadius {
        nw: 14,
        ne: 14,
        ..CornerRadius::ZERO
    };
    picture_ui(ui, card.picture.as_ref(), &card.title, picture, top);
    if let Some(below) = &card.builds_on {
        mod_sign_ui(ui, below, picture);
    }
    if !card.is_read {
        let place = Rect::from_center_size(picture.center(), vec2(28.0, 28.0));
        egui::Spinner::new().color(palette.accent).paint_at(ui, place);
    }
    let edge = if is_chosen {
        Stroke::new(2.5, palette.accent)
    } else {
        Stroke::new(1.0, mix(palette.line, palette.accent, over))
    };
    painter.rect_stroke(drawn, 14, edge, StrokeKind::Inside);
    let left = drawn.left() + space::L;
    let mut y = picture.bottom() + space::M;
    painter.galley(pos2(left, y), Arc::clone(&texts.title), palette.text);
    y += texts.title.size().y + space::XS;
    painter.galley(pos2(left, y), Arc::clone(&texts.line), palette.muted);
    let mut y = drawn.bottom() - space::M - texts.facts.size().y;
    painter.galley(pos2(left, y), Arc::clone(&texts.facts), palette.muted);
    if let Some((galley, colour)) = texts.finding {
        y -= space::S + galley.size().y;
        let sign = Rect::from_min_size(pos2(left, y), vec2(16.0, 16.0));
        let icon = if card.errors() > 0 { Icon::Error } else { Icon::Warning };
        icon.paint(&painter, sign, colour);
        painter.galley(pos2(left + 22.0, y), galley, colour);
    }
    if let Some(play) = play {
        paint_play_button(ui, &play, picture, over);
    }
    clicked
}

/// Where the picture of a card lies.
fn picture_in(card: Rect) -> Rect {
    Rect::from_min_size(card.min, vec2(card.width(), (card.width() * PICTURE).round()))
}

/// Where the button that begins a match lies in a picture.
fn play_place(picture: Rect) -> Rect {
    let middle = picture.right_bottom() - Vec2::splat(FROM_EDGE + PLAY / 2.0);
    Rect::from_center_size(middle, Vec2::splat(PLAY))
}

/// The round button in the corner of a picture that begins a match.
fn play_button(ui: &Ui, card: &RulesetCard, picture: Rect, players: &str) -> Response {
    let label = text!("card-play", title = &*card.title);
    let id = ui.scope_id().with(("play", card.id.as_str()));
    let response = ui.interact(play_place(picture), id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    response.on_hover_text(format!("{label}\n{players}"))
}

/// Draws that button. `over` is how near the pointer is to the card, between 0 and 1.
fn paint_play_button(ui: &Ui, button: &Response, picture: Rect, over: f32) {
    let palette = Palette::of(ui.visuals());
    let middle = play_place(picture).center();
    let lit = ui.ctx().animate_bool(button.id, button.hovered() || button.has_focus());
    let lightness = if button.is_pointer_button_down_on() { 0.25 } else { 0.12 * lit };
    let radius = PLAY / 2.0 - 2.0 + 2.0 * lit;
    let painter = ui.painter();
    let shadow = veil(palette.shadow, 0.6 + 0.4 * over.max(lit));
    painter.circle_filled(middle + vec2(0.0, 1.5), radius + 2.5, shadow);
    let edge = Stroke::new(2.0, palette.surface);
    painter.circle(middle, radius, mix(palette.accent, palette.text, lightness), edge);
    if button.has_focus() {
        painter.circle_stroke(middle, radius + 4.0, Stroke::new(2.0, palette.accent));
    }
    // The triangle has its weight at the left of its middle.
    let sign = Rect::from_center_size(middle + vec2(1.0, 0.0), Vec2::splat(PLAY * 0.54));
    Icon::Play.paint(painter, sign, palette.on_accent);
}

/// Over the picture of a mod: what it is laid over.
fn mod_sign_ui(ui: &Ui, below: &str, picture: Rect) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    let text = text!("card-mod", title = below);
    let mut job = egui::text::LayoutJob::simple_singleline(text, FontId::new(size::SMALL, bold()), palette.text);
    job.wrap = egui::text::TextWrapping::truncate_at_width(picture.width() - 56.0);
    let galley = painter.layout_job(job);
    let rect = Rect::from_min_size(picture.left_top() + vec2(10.0, 10.0), galley.size() + vec2(34.0, 8.0));
    painter.rect_filled(rect, 255, veil(palette.surface, 0.94));
    painter.rect_stroke(rect, 255, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let sign = Rect::from_center_size(pos2(rect.left() + 15.0, rect.center().y), vec2(15.0, 15.0));
    Icon::Layers.paint(painter, sign, palette.accent);
    let corner = pos2(rect.left() + 26.0, rect.center().y - galley.size().y / 2.0);
    painter.galley(corner, galley, palette.text);
}

/// Shows a picture, or the first letter of a title where there is none.
pub(super) fn picture_ui(ui: &Ui, picture: Option<&Arc<str>>, title: &str, rect: Rect, corner: impl Into<CornerRadius>) {
    let (palette, corner) = (Palette::of(ui.visuals()), corner.into());
    ui.painter().rect_filled(rect, corner, palette.table);
    if let Some(svg) = picture {
        let image = egui::Image::from_uri(known_uri(ui.ctx(), svg)).corner_radius(corner).alt_text("");
        // Drawn as large as fits: boards are wide or tall as they are.
        if let Some(size) = image.load_and_calc_size(ui, rect.size()) {
            image.paint_at(ui, Rect::from_center_size(rect.center(), size));
        }
    } else {
        let letter = title.chars().next().unwrap_or('?').to_uppercase().to_string();
        let font = FontId::new(rect.height() * 0.5, bold());
        let colour = mix(palette.raised, palette.muted, 0.5);
        ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, letter, font, colour);
    }
}

/// The address of a picture, which is worked out once.
fn known_uri(context: &Context, svg: &Arc<str>) -> String {
    let id = Id::unique("pictures of cards");
    let mut known: Vec<(Arc<str>, String)> = context.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    let place = known.iter().position(|(of, _)| Arc::ptr_eq(of, svg));
    let uri = place.and_then(|place| known.get(place)).map(|(_, uri)| uri.clone());
    let uri = uri.unwrap_or_else(|| {
        let uri = picture_uri(context, svg);
        // Those of cards that were read again are of no use any more.
        let surplus = (known.len() + 1).saturating_sub(MOST_PICTURES);
        known.drain(..surplus);
        known.push((Arc::clone(svg), uri.clone()));
        uri
    });
    context.data_mut(|data| data.insert_temp(id, known));
    uri
}

/// The beginning of a text that is too long, cut at a word.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most).collect();
    let kept = cut.rsplit_once(' ').map_or(cut.as_str(), |(kept, _)| kept);
    format!("{}…", kept.trim_end_matches([',', '.', ';']))
}

/// How many seats it has, and how long it takes: "2 seats, about 30 minutes".
fn facts(card: &RulesetCard) -> String {
    let Some(range) = card.seat_range else {
        return text!("facts-unreadable");
    };
    let seats = if range.least == range.most {
        text!("facts-seats", count = range.most)
    } else {
        text!("facts-seats-between", least = range.least, most = range.most)
    };
    let minutes = card.minutes.map(|minutes| text!("facts-minutes", count = minutes));
    [seats].into_iter().chain(minutes).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_a_word() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(shortened("two fortresses, three", 17), "two fortresses…");
        assert_eq!(shortened("äöüäöüäöü", 4), "äöüä…");
    }
}
