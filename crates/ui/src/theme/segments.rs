//! A choice among a few words that stand side by side.

use egui::{Color32, CornerRadius, FontId, Margin, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::{Palette, bold, mix, size, space};

/// Shows the words in one frame, the chosen one raised. `about` is what is chosen, for those who do not see it. True if it was changed.
pub fn segments_ui<T: PartialEq + Clone>(ui: &mut Ui, about: &str, chosen: &mut T, choices: &[(T, String)]) -> bool {
    let palette = Palette::of(ui.visuals());
    let before = chosen.clone();
    egui::Frame::NONE
        .fill(palette.raised)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::same(2))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.horizontal(|ui| {
                for (value, words) in choices {
                    let is_chosen = *chosen == *value;
                    if segment_ui(ui, about, words, is_chosen) {
                        *chosen = value.clone();
                    }
                }
            });
        });
    before != *chosen
}

fn segment_ui(ui: &mut Ui, about: &str, words: &str, is_chosen: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let family = if is_chosen { bold() } else { egui::FontFamily::Proportional };
    // As wide as the words are when they are chosen, so that nothing shifts.
    let widest = ui
        .painter()
        .layout_no_wrap(words.to_owned(), FontId::new(size::BODY, bold()), Color32::PLACEHOLDER);
    let galley = ui
        .painter()
        .layout_no_wrap(words.to_owned(), FontId::new(size::BODY, family), Color32::PLACEHOLDER);
    let (rect, response) = ui.allocate_exact_size(vec2(widest.size().x + 2.0 * space::M, 28.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_chosen, format!("{about}: {words}")));
    let corner = CornerRadius::same(6);
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    if is_chosen {
        ui.painter().rect(rect, corner, palette.accent, Stroke::NONE, StrokeKind::Inside);
    } else {
        ui.painter()
            .rect_filled(rect, corner, mix(palette.raised, palette.accent, 0.16 * over));
    }
    if response.has_focus() {
        ui.painter()
            .rect_stroke(rect.expand(1.0), corner, Stroke::new(1.5, palette.text), StrokeKind::Inside);
    }
    let ink = if is_chosen { palette.on_accent } else { palette.text };
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, ink);
    response.clicked()
}
