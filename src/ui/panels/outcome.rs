//! How the match ended, and what to do then.

use egui::{Align2, Area, CornerRadius, Frame, Id, Margin, Order, Rect, Stroke, Ui, vec2};

use crate::model::{Outcome, State};
use crate::ui::texts::text;
use crate::ui::theme::{ButtonKind, Icon, IconButton, Palette, seat_mark_ui, size, space, title, veil};
use crate::ui::wish::Wish;

/// Shows the outcome over the head of a rectangle.
pub fn outcome_ui(ui: &Ui, within: Rect, state: &State, outcome: &Outcome, wishes: &mut Vec<Wish>) {
    let palette = Palette::of(ui.visuals());
    Area::new(Id::unique("outcome"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(within.center())
        .show(ui.ctx(), |ui| {
            Frame::NONE
                .fill(palette.surface)
                .stroke(Stroke::new(1.0, veil(palette.accent, 0.6)))
                .corner_radius(CornerRadius::same(16))
                .inner_margin(Margin::symmetric(28, 22))
                .shadow(ui.visuals().window_shadow)
                .show(ui, |ui| {
                    ui.set_max_width(420.0);
                    ui.vertical_centered(|ui| {
                        let (rect, _) = ui.allocate_exact_size(vec2(44.0, 44.0), egui::Sense::hover());
                        Icon::Trophy.paint(ui.painter(), rect, palette.accent);
                        ui.label(title(headline(state, outcome), size::SCREEN));
                        let reason = if outcome.rule.is_empty() {
                            outcome.reason.to_string()
                        } else {
                            text!("outcome-reason", reason = &*outcome.reason, rule = &*outcome.rule)
                        };
                        ui.label(egui::RichText::new(reason).color(palette.muted));
                        ui.add_space(space::S);
                    });
                    if !outcome.scores.is_empty() {
                        scores_ui(ui, state, outcome);
                        ui.add_space(space::S);
                    }
                    centred_row_ui(ui, |ui| {
                        if ui
                            .add(IconButton::with_text(Icon::Again, text!("outcome-rematch")).kind(ButtonKind::Primary))
                            .clicked()
                        {
                            wishes.push(Wish::Rematch);
                        }
                        if ui.add(IconButton::with_text(Icon::History, text!("outcome-look-back"))).clicked() {
                            wishes.push(Wish::OutcomeSeen);
                        }
                        if ui.add(IconButton::with_text(Icon::Back, text!("outcome-leave"))).clicked() {
                            wishes.push(Wish::Leave);
                        }
                    });
                });
        });
}

/// A row of buttons in the middle: how wide it is, is known from the frame before.
fn centred_row_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let id = ui.scope_id().with("row");
    let width: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(0.0);
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - width) / 2.0).max(0.0));
        let row = ui.scope(add).response.rect.width();
        ui.data_mut(|data| data.insert_temp(id, row));
        if (row - width).abs() > 0.5 {
            ui.ctx().request_discard("the width of a row of buttons has become known");
        }
    });
}

/// The outcome in a few words.
pub(in crate::ui) fn headline(state: &State, outcome: &Outcome) -> String {
    if outcome.is_draw() {
        return text!("outcome-draw");
    }
    // Titles of seats can be plurals, so that none is the subject of a sentence.
    let winners: Vec<_> = outcome.winners().map(|seat| state.frame().seat_title(seat).to_string()).collect();
    text!("outcome-won", seats = winners.join(&text!("outcome-and")))
}

fn scores_ui(ui: &mut Ui, state: &State, outcome: &Outcome) {
    let mut order: Vec<usize> = (0..outcome.places.len()).collect();
    order.sort_by_key(|index| outcome.places.get(*index).copied());
    for index in order {
        let Some(declared) = state.frame().seats.get(index) else {
            continue;
        };
        ui.horizontal(|ui| {
            ui.label(title(format!("{}.", outcome.places.get(index).copied().unwrap_or(0)), size::BODY));
            seat_mark_ui(ui, Palette::seat(declared.colour, index), index, 18.0);
            ui.label(&*declared.title);
            if let Some(score) = outcome.scores.get(index) {
                ui.weak(format!("{score}"));
            }
        });
    }
}
