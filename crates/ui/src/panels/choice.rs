//! The bar below the board: what is asked, what is chosen, and the buttons for what is no cell.

use egui::{Align, Layout, RichText, Ui, vec2};

use super::NumberPick;
use boardwright_model::{Action, ActionId, Domain, Outcome, Pick, State};
use crate::desk::Desk;
use crate::keys::{Act, key_of, key_of_which};
use crate::picking::{Asked, Picking};
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, seat_mark_ui, space, strong};
use crate::wish::{Turn, Wish};

/// The most words or seats that are offered as buttons side by side.
const MOST_BUTTONS: usize = 24;

/// The height of the bar, in points, as long as all fits into one row.
const HEIGHT: f32 = 36.0;

/// Shows the choice of the seat to act; of a match that has ended the result, with what to do then where that is not shown elsewhere.
pub fn choice_ui(ui: &mut Ui, desk: &Desk, state: &State, end_is_seen: bool, numbers: &mut NumberPick, wishes: &mut Vec<Wish>) {
    if let Some(action) = desk.goes_on_with().filter(|_| state.outcome().is_none()) {
        again_ui(ui, &desk.action_title(action), wishes);
        return;
    }
    let (Some(picking), None) = (desk.picking(), state.outcome()) else {
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(HEIGHT);
            if let Some(outcome) = desk.outcome(state) {
                ended_ui(ui, state, &outcome, end_is_seen, wishes);
            } else {
                waiting_ui(ui, desk, state);
            }
        });
        return;
    };
    // The buttons at the end have their room first; what is asked wraps in the rest.
    let room = vec2(ui.available_width(), HEIGHT);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        play_ui(ui, desk, picking, wishes);
        ui.with_layout(Layout::left_to_right(Align::Center).with_main_wrap(true), |ui| {
            ui.set_min_height(HEIGHT);
            asked_ui(ui, desk, state, numbers, wishes);
        });
    });
}

/// Who is to act, what is asked, and what is picked otherwise than on the board.
fn asked_ui(ui: &mut Ui, desk: &Desk, state: &State, numbers: &mut NumberPick, wishes: &mut Vec<Wish>) {
    let Some(picking) = desk.picking() else { return };
    let seat = picking.seat();
    let colour = state.frame().seats.get(seat.index()).map_or(0, |declared| declared.colour);
    seat_mark_ui(ui, Palette::seat(colour, seat.index()), seat.index(), 24.0);
    ui.label(strong(state.frame().seat_title(seat).to_string()));
    let phase = state.frame().phases.get(state.sequence().phase.index());
    if let Some(phase) = phase.filter(|_| state.frame().phases.len() > 1) {
        ui.label(RichText::new(&*phase.title).color(Palette::of(ui.visuals()).muted));
    }
    actions_ui(ui, desk, picking, wishes);
    let asked = picking.asked();
    prompts_ui(ui, picking, &asked);
    for step in &asked {
        step_ui(ui, desk, state, step, numbers, wishes);
        if matches!(step.domain, Domain::Numbers { .. }) && desk.may_go_on_with(step.action) {
            let button = IconButton::with_text(Icon::Again, text!("choice-again")).height(30.0);
            if ui.add(button.hint(key_of(Act::PlayOn))).clicked() {
                wishes.push(Wish::PickAgain(step.action, Pick::Number(numbers.value())));
            }
        }
    }
    if picking.laying().is_some() {
        pose_ui(ui, wishes);
    }
}

fn ended_ui(ui: &mut Ui, state: &State, outcome: &Outcome, is_seen: bool, wishes: &mut Vec<Wish>) {
    let palette = Palette::of(ui.visuals());
    ui.label(strong(super::outcome::headline(state, outcome)));
    ui.label(RichText::new(&*outcome.reason).color(palette.muted));
    if !is_seen {
        return;
    }
    ui.add_space(space::S);
    for (icon, label, wish) in [
        (Icon::Trophy, text!("outcome-show"), Wish::ShowOutcome),
        (Icon::Again, text!("outcome-rematch"), Wish::Rematch),
    ] {
        if ui.add(IconButton::with_text(icon, label).height(30.0)).clicked() {
            wishes.push(wish);
        }
    }
}

/// What goes on by itself, and the button that stops it.
fn again_ui(ui: &mut Ui, title: &str, wishes: &mut Vec<Wish>) {
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(HEIGHT);
        ui.label(strong(text!("choice-going-on", action = title)));
        let stop = IconButton::with_text(Icon::Stop, text!("choice-stop")).kind(ButtonKind::Primary);
        if ui.add(stop.hint(key_of(Act::Clear))).clicked() {
            wishes.push(Wish::StopAgain);
        }
    });
    ui.ctx().request_repaint_after_secs(0.1);
}

fn waiting_ui(ui: &mut Ui, desk: &Desk, state: &State) {
    let palette = Palette::of(ui.visuals());
    let acting: Vec<_> = state
        .acting()
        .iter()
        .map(|seat| state.frame().seat_title(seat).to_string())
        .collect();
    if acting.is_empty() {
        ui.label(RichText::new(text!("choice-preparing")).color(palette.muted));
        return;
    }
    if let Some(seat) = state.acting().first() {
        let colour = state.frame().seats.get(seat.index()).map_or(0, |declared| declared.colour);
        seat_mark_ui(ui, Palette::seat(colour, seat.index()), seat.index(), 24.0);
    }
    let who = acting.join(", ");
    let words = if desk.mirror().is_paused() {
        text!("choice-paused", seats = who)
    } else {
        text!("choice-to-act", seats = who)
    };
    ui.label(words);
}

/// Buttons for the declared actions, where there are several to choose from.
fn actions_ui(ui: &mut Ui, desk: &Desk, picking: &Picking, wishes: &mut Vec<Wish>) {
    for (index, (action, wish)) in choices(picking).into_iter().enumerate() {
        let title = desk.action_title(action);
        let button = IconButton::text(&title).selected(picking.wanted() == Some(action)).height(30.0);
        if ui.add(button.hint(key_of_which(Act::ChooseAction, index))).clicked() {
            wishes.push(wish);
        }
    }
}

/// The declared actions, where there are several to choose from, each with what comes of choosing it.
pub fn choices(picking: &Picking) -> Vec<(ActionId, Wish)> {
    let actions = picking.actions();
    // Once one is begun, the others are only in the way of what it asks.
    if actions.len() < 2 || picking.has_picked() {
        return Vec::new();
    }
    let mut at_once = picking.playable();
    at_once.retain(|action| action.picks.is_empty());
    let wish = |action: ActionId| {
        let whole = at_once.iter().find(|playable| playable.action == action);
        whole.map_or(Wish::Want(action), |playable| Wish::Play(playable.clone()))
    };
    actions.into_iter().map(|action| (action, wish(action))).collect()
}

fn prompts_ui(ui: &mut Ui, picking: &Picking, asked: &[Asked]) {
    let palette = Palette::of(ui.visuals());
    let mut said: Vec<String> = Vec::new();
    for step in asked.iter().filter(|step| !step.prompt.is_empty()) {
        if !said.iter().any(|known| **known == *step.prompt) {
            said.push(step.prompt.to_string());
        }
    }
    let prompt = match (said.is_empty(), picking.is_settled()) {
        (false, _) if said.len() <= 3 => capital(&said.join(" / ")),
        (false, _) => text!("choice-several"),
        (true, true) if picking.playable().is_empty() => text!("choice-nothing"),
        (true, _) => String::new(),
    };
    if !prompt.is_empty() {
        ui.label(RichText::new(prompt).color(palette.muted));
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What is picked otherwise than on the board.
fn step_ui(ui: &mut Ui, desk: &Desk, state: &State, step: &Asked, number: &mut NumberPick, wishes: &mut Vec<Wish>) {
    let pick = |pick: Pick| Wish::Pick(step.action, pick);
    match &step.domain {
        Domain::Choices(words) => {
            for word in words.iter().take(MOST_BUTTONS) {
                if ui.add(IconButton::text(desk.say(word)).height(30.0)).clicked() {
                    wishes.push(pick(Pick::Choice(word.clone())));
                }
            }
        }
        Domain::Seats(seats) => {
            for seat in seats.iter().take(MOST_BUTTONS) {
                if ui
                    .add(IconButton::text(state.frame().seat_title(*seat).to_string()).height(30.0))
                    .clicked()
                {
                    wishes.push(pick(Pick::Seat(*seat)));
                }
            }
        }
        Domain::Numbers { .. } if number.ui(ui, step) => wishes.push(pick(Pick::Number(number.value()))),
        Domain::Text { max_chars } => {
            let id = ui.scope_id().with("text");
            let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
            let edit = egui::TextEdit::singleline(&mut text)
                .char_limit(usize::from(*max_chars))
                .desired_width(200.0);
            ui.add(edit).accessible_name(text!("choice-text"));
            if ui
                .add(IconButton::with_text(Icon::Check, text!("choice-take")).height(30.0))
                .clicked()
            {
                wishes.push(pick(Pick::Text(text.as_str().into())));
                text.clear();
            }
            ui.data_mut(|data| data.insert_temp(id, text));
        }
        _ => {}
    }
    if step.may_go_on
        && ui
            .add(IconButton::with_text(Icon::Next, text!("choice-go-on")).height(30.0))
            .clicked()
    {
        wishes.push(Wish::GoOn(step.action));
    }
}

/// Buttons for a piece that is about to be laid.
fn pose_ui(ui: &mut Ui, wishes: &mut Vec<Wish>) {
    for (icon, label, act, turn) in [
        (Icon::Turn, text!("pose-turn"), Act::Turn, Turn::On),
        (Icon::Mirror, text!("pose-mirror"), Act::Mirror, Turn::Mirror),
    ] {
        if ui.add(IconButton::with_text(icon, label).hint(key_of(act)).height(30.0)).clicked() {
            wishes.push(Wish::Turn(turn));
        }
    }
}

fn play_ui(ui: &mut Ui, desk: &Desk, picking: &Picking, wishes: &mut Vec<Wish>) {
    ui.spacing_mut().item_spacing.x = space::S;
    let picked: Vec<Action> = picking.playable().into_iter().filter(|action| !action.picks.is_empty()).collect();
    match picked.as_slice() {
        [] | [_] => {
            let button = IconButton::with_text(Icon::Play, text!("choice-play")).kind(ButtonKind::Primary);
            if ui
                .add_enabled(picking.sole().is_some(), button.hint(text!("choice-play-line")))
                .clicked()
            {
                wishes.push(Wish::PlayChosen);
            }
        }
        several => {
            for action in several.iter().take(MOST_BUTTONS) {
                let title = desk.action_title(action.action);
                if ui.add(IconButton::with_text(Icon::Play, title).kind(ButtonKind::Primary)).clicked() {
                    wishes.push(Wish::Play(action.clone()));
                }
            }
        }
    }
    if picking.has_picked()
        && ui
            .add(IconButton::text(text!("choice-clear")).hint(text!("choice-clear-line")))
            .clicked()
    {
        wishes.push(Wish::Clear);
    }
}
