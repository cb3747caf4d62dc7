//! How the match ended and went, and what to do then.

use egui::{Align2, Area, CornerRadius, Frame, Id, Margin, Order, Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder, vec2};

use super::chart::{ChartPlace, chart_ui};
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::texts::{capitalized, text};
use crate::theme::{ButtonKind, Icon, IconButton, Palette, seat_mark_ui, size, space, strong, title, veil};
use boardwright_model::{Outcome, State};
use boardwright_protocol::Statistics;

/// The height the chart needs, and how much else there is above and below it.
const CHART: f32 = 110.0;
const REST: f32 = 330.0;

pub(crate) fn outcome_ui(
    ui: &Ui,
    within: Rect,
    state: &State,
    outcome: &Outcome,
    statistics: Option<&Statistics>,
    at: usize,
    commands: &mut Vec<UiCommand>,
) {
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
                .inner_margin(Margin::symmetric(24, 18))
                .shadow(ui.visuals().window_shadow)
                .show(ui, |ui| {
                    ui.set_width((within.width() - 80.0).clamp(300.0, 520.0));
                    let corner = Rect::from_min_size(ui.max_rect().right_top() + vec2(-22.0, -6.0), vec2(30.0, 30.0));
                    let close = IconButton::icon(Icon::Close, text!("outcome-close")).height(30.0);
                    let mut aside = ui.new_child(UiBuilder::new().max_rect(corner));
                    if aside.add(close).clicked() {
                        commands.push(UiCommand::ShowOutcome(false));
                    }
                    result_ui(ui, state, outcome, commands);
                    let rows = state.declarations().seats.len() as f32 * 26.0;
                    let room = within.height() - REST - rows;
                    ScrollArea::vertical()
                        .id_salt("places")
                        .max_height((within.height() - REST).max(60.0))
                        .show(ui, |ui| places_ui(ui, state, outcome));
                    if let Some(statistics) = statistics.filter(|known| !known.series.is_empty() && room > CHART) {
                        ui.add_space(space::S);
                        let place = ChartPlace {
                            frame: state.declarations(),
                            at,
                        };
                        chart_ui(ui, statistics, place, CHART.max(room.min(190.0)), commands);
                    }
                    ui.add_space(space::M);
                    centred_row_ui(ui, |ui| buttons_ui(ui, commands));
                });
        });
}

/// Who has won, and by which rule.
fn result_ui(ui: &mut Ui, state: &State, outcome: &Outcome, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    ui.vertical_centered(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(40.0, 40.0), egui::Sense::hover());
        Icon::Trophy.paint(ui.painter(), rect, palette.accent);
        ui.label(title(headline(state, outcome), size::SCREEN));
        ui.label(RichText::new(capitalized(&outcome.reason)).color(palette.muted));
        if !outcome.rule.is_empty() {
            let link = ui.link(RichText::new(text!("rule-link", rule = &*outcome.rule)).size(size::SMALL));
            if link.on_hover_text(text!("rule-link-line")).clicked() {
                commands.push(AppCommand::ShowRule(outcome.rule.to_string()).into());
            }
        }
        ui.add_space(space::XS);
    });
}

fn buttons_ui(ui: &mut Ui, commands: &mut Vec<UiCommand>) {
    ui.spacing_mut().item_spacing.x = space::S;
    let again = IconButton::with_text(Icon::Again, text!("outcome-rematch")).kind(ButtonKind::Primary);
    if ui.add(again).clicked() {
        commands.push(UiCommand::Rematch);
    }
    let watch = IconButton::with_text(Icon::Play, text!("outcome-watch")).hint(text!("outcome-watch-line"));
    if ui.add(watch).clicked() {
        commands.push(UiCommand::ShowOutcome(false));
        commands.push(UiCommand::RunReplay(true));
    }
    for (icon, label, command) in [
        (Icon::History, text!("outcome-look-back"), UiCommand::OpenReplay),
        (Icon::Save, text!("outcome-save"), MatchCommand::Save.into()),
        (Icon::Back, text!("outcome-leave"), AppCommand::Leave.into()),
    ] {
        if ui.add(IconButton::icon(icon, label).kind(ButtonKind::Plain)).clicked() {
            if command == UiCommand::OpenReplay {
                commands.push(UiCommand::ShowOutcome(false));
            }
            commands.push(command);
        }
    }
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

pub(crate) fn headline(state: &State, outcome: &Outcome) -> String {
    if outcome.is_draw() {
        return text!("outcome-draw");
    }
    // Titles of seats can be plurals, so that none is the subject of a sentence.
    let winners: Vec<_> = outcome
        .winners()
        .map(|seat| state.declarations().seat_title(seat).to_string())
        .collect();
    text!("outcome-won", seats = winners.join(&text!("outcome-and")))
}

/// The seats by their places, with their points where they are counted.
fn places_ui(ui: &mut Ui, state: &State, outcome: &Outcome) {
    let palette = Palette::of(ui.visuals());
    let mut order: Vec<usize> = (0..outcome.places.len()).collect();
    order.sort_by_key(|index| outcome.places.get(*index).copied());
    ui.spacing_mut().item_spacing.y = space::XS;
    for index in order {
        let Some(declared) = state.declarations().seats.get(index) else {
            continue;
        };
        let place = outcome.places.get(index).copied().unwrap_or(0);
        ui.horizontal(|ui| {
            ui.add_sized(
                [24.0, 20.0],
                egui::Label::new(RichText::new(text!("outcome-place", place = place)).color(palette.muted)),
            );
            seat_mark_ui(ui, Palette::seat(declared.colour, index), index, 20.0);
            ui.label(if place == 1 {
                strong(&*declared.title)
            } else {
                RichText::new(&*declared.title)
            });
            if let Some(score) = outcome.scores.get(index) {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(strong(text!("outcome-points", count = *score)));
                });
            }
        });
    }
}
