//! A ruleset as a card: picture, title, a line, seats, and what is wrong with it.

use egui::{CornerRadius, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::ui::board::picture_uri;
use crate::ui::content::RulesetCard;
use crate::ui::theme::{Icon, Palette, bold, mix, size, space, veil};

/// Shows a card; a click chooses it.
pub(super) fn card_ui(ui: &mut Ui, card: &RulesetCard, is_chosen: bool, width: f32) -> Response {
    let palette = Palette::of(ui.visuals());
    let picture_height = (width * 0.625).round();
    let inner = width - 2.0 * space::L;
    let painter = ui.painter().clone();
    let title = painter.layout(card.title.clone(), FontId::new(size::TITLE, bold()), palette.text, inner);
    let line = painter.layout(shortened(&card.line, 110), FontId::proportional(size::BODY), palette.muted, inner);
    let errors = card.problems.iter().filter(|problem| problem.severity == "error").count();
    let finding = card.problems.first().map(|problem| {
        let place = if problem.line > 0 {
            format!("{}:{}:{}: ", problem.file, problem.line, problem.column)
        } else {
            String::new()
        };
        shortened(&format!("{place}{}", problem.message), 120)
    });
    let colour = if errors > 0 { palette.danger } else { palette.warning };
    let finding_galley = finding
        .clone()
        .map(|text| painter.layout(text, FontId::proportional(size::SMALL), colour, inner - 22.0));
    let facts = painter.layout(card.facts(), FontId::proportional(size::SMALL), palette.muted, inner);
    let text_height = title.size().y + line.size().y.max(54.0) + facts.size().y + 2.0 * space::S;
    let finding_height = finding_galley.as_ref().map_or(0.0, |galley| galley.size().y + space::S);
    let height = picture_height + text_height + finding_height + 2.0 * space::M;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| {
        let finding = finding.as_ref().map_or_else(String::new, |finding| format!(", {finding}"));
        WidgetInfo::selected(Role::Button, true, is_chosen, format!("{}, {}{finding}", card.title, card.facts()))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    let corner = CornerRadius::same(14);
    let drawn = rect.translate(vec2(0.0, -2.0 * over));
    let mut shadow = ui.visuals().popup_shadow;
    shadow.blur = (10.0 + 14.0 * over) as u8;
    shadow.color = veil(palette.shadow, 0.5 + 0.5 * over);
    painter.add(shadow.as_shape(drawn, corner));
    painter.rect_filled(drawn, corner, palette.surface);
    let picture = Rect::from_min_size(drawn.min, vec2(width, picture_height));
    picture_ui(ui, card, picture);
    let edge = if is_chosen {
        Stroke::new(2.5, palette.accent)
    } else {
        Stroke::new(1.0, mix(palette.line, palette.accent, over))
    };
    painter.rect_stroke(drawn, corner, edge, StrokeKind::Inside);
    let mut at = pos2(drawn.left() + space::L, picture.bottom() + space::M);
    painter.galley(at, title.clone(), palette.text);
    at.y += title.size().y + space::XS;
    painter.galley(at, line, palette.muted);
    if let Some(galley) = finding_galley {
        let top = drawn.bottom() - space::M - facts.size().y - space::S - galley.size().y;
        let sign = Rect::from_min_size(pos2(at.x, top), vec2(16.0, 16.0));
        if errors > 0 { Icon::Error } else { Icon::Warning }.paint(&painter, sign, colour);
        painter.galley(pos2(at.x + 22.0, top), galley, colour);
    }
    painter.galley(pos2(at.x, drawn.bottom() - space::M - facts.size().y), facts, palette.muted);
    response
}

fn picture_ui(ui: &Ui, card: &RulesetCard, rect: Rect) {
    let palette = Palette::of(ui.visuals());
    let top = CornerRadius {
        nw: 14,
        ne: 14,
        sw: 0,
        se: 0,
    };
    if let Some(svg) = &card.picture {
        let uri = picture_uri(ui.ctx(), svg);
        egui::Image::from_uri(uri)
            .corner_radius(top)
            .maintain_aspect_ratio(false)
            .alt_text("")
            .paint_at(ui, rect);
    } else {
        ui.painter().rect_filled(rect, top, palette.raised);
        let letter = card.title.chars().next().unwrap_or('?').to_uppercase().to_string();
        let font = FontId::new(rect.height() * 0.5, bold());
        ui.painter().text(
            rect.center(),
            egui::Align2::CENTER_CENTER,
            letter,
            font,
            mix(palette.raised, palette.muted, 0.5),
        );
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_a_word() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(shortened("two soldiers, three", 15), "two soldiers…");
        assert_eq!(shortened("äöüäöüäöü", 4), "äöüä…");
    }
}
