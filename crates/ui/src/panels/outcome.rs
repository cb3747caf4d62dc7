//! How the match ended and went, and what to do then.

use egui::{Align2, Area, Id, Label, Order, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::button_ui;
use super::chart::{ChartPlace, chart_ui};
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::texts::{capitalized, text};
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, card, from_right_ui, icon_ui, seat_mark_ui, size, space, strong, strong_if, title, veil,
};
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
            let frame = card(palette.surface, veil(palette.accent, 0.6), 16, (24, 18));
            frame.shadow(ui.visuals().window_shadow).show(ui, |ui| {
                ui.set_width((within.width() - 80.0).clamp(300.0, 520.0));
                let corner = Rect::from_min_size(ui.max_rect().right_top() + vec2(-22.0, -6.0), vec2(30.0, 30.0));
                let close = IconButton::icon(Icon::Close, text!("outcome-close")).height(30.0);
                let mut aside = ui.new_child(UiBuilder::new().max_rect(corner));
                button_ui(&mut aside, close, UiCommand::ShowOutcome(false), commands);
                result_ui(ui, state, outcome, commands);
                let declarations = state.declarations();
                let room = within.height() - REST - declarations.seats.len() as f32 * 26.0;
                ScrollArea::vertical()
                    .id_salt("places")
                    .max_height((within.height() - REST).max(60.0))
                    .show(ui, |ui| places_ui(ui, state, outcome));
                if let Some(statistics) = statistics.filter(|known| !known.series.is_empty() && room > CHART) {
                    ui.add_space(space::S);
                    chart_ui(
                        ui,
                        statistics,
                        ChartPlace { declarations, at },
                        CHART.max(room.min(190.0)),
                        commands,
                    );
                }
                ui.add_space(space::M);
                centred_row_ui(ui, |ui| buttons_ui(ui, commands));
            });
        });
}

/// Who has won, and by which rule.
fn result_ui(ui: &mut Ui, state: &State, outcome: &Outcome, commands: &mut Vec<UiCommand>) {
    ui.vertical_centered(|ui| {
        icon_ui(ui, Icon::Trophy, 40.0, Palette::of(ui.visuals()).accent);
        ui.label(title(headline(state, outcome), size::SCREEN));
        ui.weak(capitalized(&outcome.reason));
        if !outcome.rule.is_empty() {
            let link = ui.link(RichText::new(text!("rule-link", rule = &*outcome.rule)).small());
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
    button_ui(ui, again, UiCommand::Rematch, commands);
    let watch = IconButton::with_text(Icon::Play, text!("outcome-watch")).hint(text!("outcome-watch-line"));
    if ui.add(watch).clicked() {
        commands.extend([UiCommand::ShowOutcome(false), UiCommand::RunReplay(true)]);
    }
    let icon = |icon: Icon, label: String| IconButton::icon(icon, label).kind(ButtonKind::Plain);
    if ui.add(icon(Icon::History, text!("outcome-look-back"))).clicked() {
        commands.extend([UiCommand::ShowOutcome(false), UiCommand::OpenReplay]);
    }
    button_ui(ui, icon(Icon::Save, text!("outcome-save")), MatchCommand::Save, commands);
    button_ui(ui, icon(Icon::Back, text!("outcome-leave")), AppCommand::Leave, commands);
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
    let title = |seat| state.declarations().seat_title(seat).to_string();
    let winners: Vec<_> = outcome.winners().map(title).collect();
    text!("outcome-won", seats = winners.join(&text!("outcome-and")))
}

/// The seats by their places, with their points where they are counted.
fn places_ui(ui: &mut Ui, state: &State, outcome: &Outcome) {
    let mut order: Vec<usize> = (0..outcome.places.len()).collect();
    order.sort_by_key(|index| outcome.places.get(*index).copied());
    ui.spacing_mut().item_spacing.y = space::XS;
    for index in order {
        let Some(declared) = state.declarations().seats.get(index) else {
            continue;
        };
        let place = outcome.places.get(index).copied().unwrap_or(0);
        ui.horizontal(|ui| {
            let number = RichText::new(text!("outcome-place", place = place)).weak();
            ui.add_sized([24.0, 20.0], Label::new(number));
            seat_mark_ui(ui, Palette::seat(declared.colour, index), index, 20.0);
            ui.label(strong_if(place == 1, &declared.title));
            if let Some(score) = outcome.scores.get(index) {
                from_right_ui(ui, |ui| ui.label(strong(text!("outcome-points", count = *score))));
            }
        });
    }
}
