//! How the match ended, and what to do then: beside the board, so that its last position is seen.

use egui::{Label, RichText, Ui, vec2};

use super::button_ui;
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::texts::{sentence, text};
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, card, from_right_ui, icon_ui, label_in_ui, seat_mark_ui, size, space, strong, strong_if, title,
    veil,
};
use boardwright_client::Mirror;
use boardwright_model::{Outcome, State};

/// Shows who has won, by which rule, the places, and what to do now.
pub(crate) fn outcome_ui(ui: &mut Ui, mirror: &Mirror, (state, outcome): (&State, &Outcome), commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    card(veil(palette.accent, 0.1), veil(palette.accent, 0.6), 10, (12, 10)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.horizontal(|ui| {
            icon_ui(ui, Icon::Trophy, 26.0, palette.accent);
            from_right_ui(ui, |ui| {
                let close = IconButton::icon(Icon::Close, text!("outcome-close")).height(24.0);
                button_ui(ui, close, UiCommand::CloseOutcome, commands);
                let room = vec2(ui.available_width(), 26.0);
                label_in_ui(ui, room, Label::new(title(headline(state, outcome), size::TITLE)).truncate());
            });
        });
        ui.add(Label::new(RichText::new(sentence(&outcome.reason)).weak()).wrap());
        if !outcome.rule.is_empty() {
            let link = ui.link(RichText::new(text!("rule-link", rule = &*outcome.rule)).small());
            if link.on_hover_text(text!("rule-link-line")).clicked() {
                commands.push(AppCommand::ShowRule(outcome.rule.to_string()).into());
            }
        }
        places_ui(ui, state, outcome);
        ui.add_space(space::XS);
        ui.horizontal_wrapped(|ui| buttons_ui(ui, mirror, commands));
    });
    ui.add_space(space::S);
}

/// What to do after the end. A guest neither begins the next match nor saves this one.
pub(super) fn buttons_ui(ui: &mut Ui, mirror: &Mirror, commands: &mut Vec<UiCommand>) {
    ui.spacing_mut().item_spacing.x = space::XS;
    let mut other = IconButton::with_text(Icon::Back, text!("outcome-new-match")).hint(text!("outcome-leave"));
    if mirror.is_guest() {
        other = other.kind(ButtonKind::Primary);
    } else {
        let again = IconButton::with_text(Icon::Again, text!("outcome-rematch")).kind(ButtonKind::Primary);
        button_ui(ui, again.height(30.0), UiCommand::Rematch, commands);
    }
    button_ui(ui, other.height(30.0), AppCommand::Leave, commands);
    let icon = |icon: Icon, label: String| IconButton::icon(icon, label).kind(ButtonKind::Plain).height(30.0);
    button_ui(ui, icon(Icon::History, text!("outcome-look-back")), UiCommand::OpenReplay, commands);
    let watch = icon(Icon::Play, text!("outcome-watch")).hint(text!("outcome-watch-line"));
    button_ui(ui, watch, UiCommand::RunReplay(true), commands);
    button_ui(ui, icon(Icon::Chart, text!("chart-title")), UiCommand::ShowStatistics, commands);
    if !mirror.is_guest() {
        button_ui(ui, icon(Icon::Save, text!("outcome-save")), MatchCommand::Save, commands);
    }
}

pub(crate) fn headline(state: &State, outcome: &Outcome) -> String {
    if outcome.is_draw() {
        return text!("outcome-draw");
    }
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
            seat_mark_ui(ui, Palette::seat(&state.declarations().seats, index), index, 20.0);
            ui.label(strong_if(place == 1, &declared.title));
            if let Some(score) = outcome.scores.get(index) {
                from_right_ui(ui, |ui| ui.label(strong(text!("outcome-points", count = *score))));
            }
        });
    }
}
