//! The bar below the board: what is asked, what is chosen, and the buttons for what is no cell.

use std::sync::Arc;

use egui::{Align, Layout, Popup, PopupCloseBehavior, Separator, TextEdit, Ui, vec2};

use super::left_to_do::{asks_before, left_to_do_ui};
use super::picked_text::picked_text;
use super::{NumberPicker, button_ui};
use crate::action_picker::{ActionPicker, Asked};
use crate::command::{ChoiceCommand, MatchCommand, Turn, UiCommand};
use crate::keys::{Act, key_of, key_of_which};
use crate::match_controller::MatchController;
use crate::texts::{capitalized, sentence, text};
use crate::theme::{ButtonKind, Icon, IconButton, MenuRow, seat_colour, seat_mark_ui, space, strong};
use boardwright_client::Mirror;
use boardwright_model::{Action, ActionId, Domain, Outcome, Pick, State};

/// The most choices or seats that are offered as buttons side by side.
const MOST_BUTTONS: usize = 24;

/// The height of the bar, in points, as long as all fits into one row.
const HEIGHT: f32 = 36.0;

/// Shows the choice of the seat to act; of a match that has ended the result, with what to do then where that is not shown elsewhere.
pub(crate) fn action_bar_ui(
    ui: &mut Ui,
    controller: &MatchController,
    state: &State,
    end_is_shown: bool,
    numbers: &mut NumberPicker,
    commands: &mut Vec<UiCommand>,
) {
    if let Some(action) = controller.repeated_action().filter(|_| state.outcome().is_none()) {
        repeating_ui(ui, &controller.action_title(action), commands);
        return;
    }
    let (Some(picker), None) = (controller.picker(), state.outcome()) else {
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(HEIGHT);
            if let Some(outcome) = controller.outcome(state) {
                ended_ui(ui, controller.mirror(), (state, &outcome), end_is_shown, commands);
            } else {
                waiting_ui(ui, controller, state);
            }
        });
        return;
    };
    // The buttons at the end have their room first; what is asked wraps in the rest.
    let room = vec2(ui.available_width(), HEIGHT);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        aside_ui(ui, controller, picker, commands);
        play_ui(ui, controller, picker, commands);
        ui.with_layout(Layout::left_to_right(Align::Center).with_main_wrap(true), |ui| {
            ui.set_min_height(HEIGHT);
            asked_ui(ui, controller, picker, state, numbers, commands);
        });
    });
}

/// Who is to act, what is asked, and what is picked otherwise than on the board.
fn asked_ui(
    ui: &mut Ui,
    controller: &MatchController,
    picker: &ActionPicker,
    state: &State,
    numbers: &mut NumberPicker,
    commands: &mut Vec<UiCommand>,
) {
    let (seat, declarations) = (picker.seat(), state.declarations());
    seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 24.0);
    ui.label(strong(declarations.seat_title(seat).to_string()));
    let phase = declarations.phases.get(state.sequence().phase.index());
    if let Some(phase) = phase.filter(|_| declarations.phases.len() > 1) {
        ui.weak(&*phase.title);
    }
    actions_ui(ui, controller, picker, commands);
    let asked = picker.asked();
    titles_ui(ui, controller, state, picker, &asked);
    prompts_ui(ui, controller, picker, &asked);
    let listed = asked.iter().filter(|step| is_listed(&step.domain)).count();
    for step in &asked {
        if is_listed(&step.domain) {
            // What is meant by a seat or a word is known only with the action that it is picked for.
            let is_meant = picker.has_picked() || picker.wanted() == Some(step.action) || picker.actions().len() < 2;
            if !is_meant {
                continue;
            }
            if listed > 1 {
                ui.weak(text!("choice-for", action = controller.action_title(step.action)));
            }
        }
        step_ui(ui, controller, state, step, numbers, commands);
        if matches!(step.domain, Domain::Numbers { .. }) && controller.may_repeat(step.action) {
            let label = text!("choice-repeat", action = controller.action_title(step.action));
            let button = IconButton::with_text(Icon::Again, label).height(30.0);
            let pick = ChoiceCommand::PickRepeatedly(step.action, Pick::Number(numbers.value()));
            button_ui(ui, button.hint(key_of(Act::PlayOn)), pick, commands);
        }
    }
    if picker.placement().is_some() {
        pose_ui(ui, commands);
    }
}

/// Whether it is picked from a list beside the board, where the button does not say for which action.
fn is_listed(domain: &Domain) -> bool {
    matches!(domain, Domain::Choices(_) | Domain::Seats(_) | Domain::Text { .. })
}

fn ended_ui(ui: &mut Ui, mirror: &Mirror, (state, outcome): (&State, &Outcome), is_shown_beside: bool, commands: &mut Vec<UiCommand>) {
    ui.label(strong(super::outcome::headline(state, outcome)));
    ui.weak(capitalized(&outcome.reason));
    if !is_shown_beside {
        ui.add_space(space::S);
        super::outcome::buttons_ui(ui, mirror, commands);
    }
}

/// What goes on by itself, and the button that stops it.
fn repeating_ui(ui: &mut Ui, title: &str, commands: &mut Vec<UiCommand>) {
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(HEIGHT);
        ui.label(strong(text!("choice-repeating", action = title)));
        let stop = IconButton::with_text(Icon::Stop, text!("choice-stop")).kind(ButtonKind::Primary);
        button_ui(ui, stop.hint(key_of(Act::Clear)), MatchCommand::StopRepeating, commands);
    });
    ui.ctx().request_repaint_after_secs(0.1);
}

fn waiting_ui(ui: &mut Ui, controller: &MatchController, state: &State) {
    let declarations = state.declarations();
    let Some(first) = state.acting().first() else {
        ui.weak(text!("choice-preparing"));
        return;
    };
    seat_mark_ui(ui, seat_colour(declarations, first), first.index(), 24.0);
    let acting: Vec<_> = state
        .acting()
        .iter()
        .map(|seat| match controller.mirror().name(seat) {
            Some(name) => format!("{} ({name})", declarations.seat_title(seat)),
            None => declarations.seat_title(seat).to_string(),
        })
        .collect();
    let who = acting.join(", ");
    let words = if controller.mirror().is_paused() {
        text!("choice-paused", seats = who)
    } else {
        text!("choice-to-act", seats = who)
    };
    ui.label(words);
}

/// Buttons for the declared actions, where there are several to choose from.
fn actions_ui(ui: &mut Ui, controller: &MatchController, picker: &ActionPicker, commands: &mut Vec<UiCommand>) {
    for (index, (action, command)) in choices(picker, controller).into_iter().enumerate() {
        if controller.is_aside(action) {
            continue;
        }
        let title = controller.action_title(action);
        let button = IconButton::text(&title).selected(picker.wanted() == Some(action)).height(30.0);
        let button = button.hint(key_of_which(Act::ChooseAction, index));
        if asks_before(controller, action) && picker.refusal_of(action).is_none() {
            left_to_do_ui(ui, controller, button, (&title, command), commands);
            continue;
        }
        if offered_ui(ui, picker, action, button) {
            commands.push(command.into());
        }
    }
}

/// What stands beside the play, such as resigning or standing orders: apart from the rest, at the end of the bar. Several are a menu, so that they
/// leave the play its room.
fn aside_ui(ui: &mut Ui, controller: &MatchController, picker: &ActionPicker, commands: &mut Vec<UiCommand>) {
    let choices = choices(picker, controller).into_iter().enumerate();
    let aside: Vec<_> = choices.filter(|(_, (action, _))| controller.is_aside(*action)).collect();
    let is_wanted = |action: ActionId| picker.wanted() == Some(action);
    let key = |index| key_of_which(Act::ChooseAction, index);
    match aside.as_slice() {
        [] => return,
        [(index, (action, command))] => {
            let button = IconButton::text(controller.action_title(*action)).kind(ButtonKind::Quiet);
            let button = button.selected(is_wanted(*action)).height(30.0);
            button_ui(ui, button.hint(key(*index)), command.clone(), commands);
        }
        several => {
            let is_any_wanted = several.iter().any(|(_, (action, _))| is_wanted(*action));
            let more = IconButton::with_text(Icon::More, text!("choice-more")).kind(ButtonKind::Quiet);
            let more = ui.add(more.selected(is_any_wanted).height(30.0));
            Popup::menu(&more).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
                for (index, (action, command)) in several {
                    let row = MenuRow::new(Icon::Play, controller.action_title(*action)).key(key(*index));
                    if ui.add(row.selected(is_wanted(*action))).clicked() {
                        commands.push(command.clone().into());
                    }
                }
            });
        }
    }
    ui.add(Separator::default().vertical().shrink(4.0));
}

/// A button for an action: pale where the rules refuse it, with the reason under the pointer. Whether it was clicked.
fn offered_ui(ui: &mut Ui, picker: &ActionPicker, action: ActionId, button: IconButton) -> bool {
    match picker.refusal_of(action) {
        None => ui.add(button).clicked(),
        Some(refusal) => {
            let mut reason = sentence(&refusal.reason);
            if !refusal.rule.is_empty() {
                reason = format!("{reason} {}", text!("rule-link", rule = &*refusal.rule));
            }
            ui.add_enabled(false, button).on_disabled_hover_text(reason).clicked()
        }
    }
}

/// The declared actions, where there are several to choose from, each with what comes of choosing it, in the order in which they are shown: those
/// beside the play come last.
pub(crate) fn choices(picker: &ActionPicker, controller: &MatchController) -> Vec<(ActionId, ChoiceCommand)> {
    let mut actions = picker.actions();
    if actions.len() < 2 {
        return Vec::new();
    }
    let at_once = picker.without_picks();
    // Once one is begun, the others are only in the way of what it asks; but what takes a single click, such as an end of the turn, stays.
    if picker.has_picked() {
        let takes_a_click = |action: &ActionId| at_once.iter().any(|whole| whole.action == *action) && !controller.is_aside(*action);
        actions.retain(takes_a_click);
    }
    actions.sort_by_key(|action| controller.is_aside(*action));
    let command = |action: ActionId| {
        let whole = at_once.iter().find(|playable| playable.action == action);
        whole.map_or(ChoiceCommand::Select(action), |playable| ChoiceCommand::Play(playable.clone()))
    };
    actions.into_iter().map(|action| (action, command(action))).collect()
}

/// What is picked, where the rules have a title for it; or all that is picked of the action that is to be confirmed.
fn titles_ui(ui: &mut Ui, controller: &MatchController, state: &State, picker: &ActionPicker, asked: &[Asked]) {
    if let Some(action) = controller.action_to_confirm() {
        let picked = picked_text(state, &action, |word| controller.localized(word));
        ui.label(strong(text!(
            "choice-picked",
            action = controller.action_title(action.action),
            picks = picked
        )));
        return;
    }
    if let Some(title) = title_of(state, picker, asked) {
        ui.label(strong(&*title));
    }
}

/// The title of what is asked for, if all that could be picked has the same one.
pub(super) fn title_of(state: &State, picker: &ActionPicker, asked: &[Asked]) -> Option<Arc<str>> {
    let declared = |step: &Asked| {
        let action = state.declarations().action(step.action)?;
        Some(Arc::clone(&action.picks.get(step.place)?.title))
    };
    // Of several actions that have the first pick in common it is known later what is meant.
    let mut titles: Vec<Arc<str>> = asked.iter().filter_map(declared).collect();
    titles.dedup();
    let is_settled = picker.is_settled();
    match titles.as_slice() {
        [title] if is_settled && !title.is_empty() => Some(Arc::clone(title)),
        _ => None,
    }
}

fn prompts_ui(ui: &mut Ui, controller: &MatchController, picker: &ActionPicker, asked: &[Asked]) {
    let mut prompts: Vec<&str> = Vec::new();
    for step in asked.iter().filter(|step| !step.prompt.is_empty()) {
        if !prompts.contains(&&*step.prompt) {
            prompts.push(&step.prompt);
        }
    }
    let prompt = match (prompts.is_empty(), picker.is_settled()) {
        _ if picker.may_stop() && picker.is_set() => text!("choice-stop-set"),
        _ if picker.may_stop() => text!("choice-stop-here"),
        _ if picker.has_picked() && picker.sole().is_some_and(|action| controller.shows_odds_first(&action)) => text!("choice-after-odds"),
        _ if picker.has_picked() && controller.action_to_confirm().is_some() => text!("choice-confirm"),
        (false, _) if prompts.len() <= 3 => capitalized(&prompts.join(" / ")),
        (false, _) => text!("choice-several"),
        (true, true) if picker.playable().is_empty() => text!("choice-nothing"),
        (true, _) => String::new(),
    };
    if !prompt.is_empty() {
        ui.weak(prompt);
    }
}

/// What is picked otherwise than on the board.
fn step_ui(
    ui: &mut Ui,
    controller: &MatchController,
    state: &State,
    step: &Asked,
    number: &mut NumberPicker,
    commands: &mut Vec<UiCommand>,
) {
    let pick = |pick: Pick| UiCommand::from(ChoiceCommand::Pick(step.action, pick));
    match &step.domain {
        Domain::Choices(words) => {
            // Sides of a cell are written as on a map.
            let are_sides = words.iter().all(|word| state.board().find_direction(word).is_some());
            for word in words.iter().take(MOST_BUTTONS) {
                let picked = Pick::Choice(word.clone());
                let title = if are_sides {
                    controller.localized(word).to_uppercase()
                } else {
                    word_title(controller, state, word)
                };
                let button = picked_button(controller, step, &picked, &title);
                button_ui(ui, button, pick(picked), commands);
            }
        }
        Domain::Seats(seats) => {
            for seat in seats.iter().take(MOST_BUTTONS) {
                let picked = Pick::Seat(*seat);
                let button = picked_button(controller, step, &picked, &state.declarations().seat_title(*seat));
                button_ui(ui, button, pick(picked), commands);
            }
        }
        Domain::Numbers { .. } => {
            let take = |number: i64| {
                if step.is_last && !controller.confirms(step.action) {
                    text!("choice-play-number", action = controller.action_title(step.action), number = number)
                } else {
                    text!("choice-take-number", number = number)
                }
            };
            if number.ui(ui, step, take) {
                commands.push(pick(Pick::Number(number.value())));
            }
        }
        Domain::Text { max_chars } => {
            let id = ui.scope_id().with("text");
            let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
            let edit = TextEdit::singleline(&mut text).char_limit(usize::from(*max_chars));
            ui.add(edit.desired_width(200.0)).accessible_name(text!("choice-text"));
            let take = IconButton::with_text(Icon::Check, text!("choice-take")).height(30.0);
            if ui.add(take).clicked() {
                commands.push(pick(Pick::Text(text.as_str().into())));
                text.clear();
            }
            ui.data_mut(|data| data.insert_temp(id, text));
        }
        _ => {}
    }
    if step.may_be_none {
        let none = match step.domain {
            Domain::SomeCells { .. } => Pick::Cells(Vec::new()),
            _ => Pick::Pieces(Vec::new()),
        };
        let button = IconButton::text(text!("choice-none")).height(30.0);
        button_ui(ui, button, pick(none), commands);
    }
    if step.may_go_on {
        let next = IconButton::with_text(Icon::Next, text!("choice-go-on")).height(30.0);
        button_ui(ui, next, ChoiceCommand::NextPick(step.action), commands);
    }
}

/// A word as people read it: the title of the kind that it names, or else itself in their language.
fn word_title(controller: &MatchController, state: &State, word: &str) -> String {
    let declarations = state.declarations();
    let kind = declarations.find_kind(word).and_then(|kind| declarations.kind(kind));
    capitalized(&kind.map_or_else(|| controller.localized(word), |kind| kind.title.to_string()))
}

/// The button of something that may be picked, with what the rules say of it.
fn picked_button(controller: &MatchController, step: &Asked, pick: &Pick, title: &str) -> IconButton {
    let mark = step.marks.iter().find(|mark| mark.pick == *pick);
    let title = mark.and_then(|mark| mark.title.as_deref()).unwrap_or(title);
    let label = match mark.and_then(|mark| mark.text.as_deref()) {
        Some(said) => format!("{title} · {}", controller.localized(said)),
        None => title.to_owned(),
    };
    let kind = if mark.is_some_and(|mark| mark.faint) {
        ButtonKind::Quiet
    } else {
        ButtonKind::default()
    };
    IconButton::text(label).kind(kind).height(30.0)
}

/// Buttons for a piece that is about to be placed.
fn pose_ui(ui: &mut Ui, commands: &mut Vec<UiCommand>) {
    for (icon, label, act, turn) in [
        (Icon::Turn, text!("pose-turn"), Act::Turn, Turn::Clockwise),
        (Icon::Mirror, text!("pose-mirror"), Act::Mirror, Turn::Mirror),
    ] {
        let button = IconButton::with_text(icon, label).hint(key_of(act)).height(30.0);
        button_ui(ui, button, ChoiceCommand::Turn(turn), commands);
    }
}

fn play_ui(ui: &mut Ui, controller: &MatchController, picker: &ActionPicker, commands: &mut Vec<UiCommand>) {
    ui.spacing_mut().item_spacing.x = space::S;
    let picked: Vec<Action> = picker.playable().into_iter().filter(|action| !action.picks.is_empty()).collect();
    let primary = |label: String| IconButton::with_text(Icon::Play, label).kind(ButtonKind::Primary);
    match picked.as_slice() {
        [] => {
            // The only thing that can be done is done by one click.
            let actions = picker.actions();
            if let ([action], false) = (actions.as_slice(), picker.has_picked())
                && (picker.sole().is_some() || picker.refusal_of(*action).is_some())
                && offered_ui(
                    ui,
                    picker,
                    *action,
                    primary(controller.action_title(*action)).hint(key_of(Act::Play)),
                )
            {
                commands.push(ChoiceCommand::PlayChosen.into());
            }
        }
        [_] if picker.sole().is_some() => {
            let play = primary(text!("choice-play")).hint(text!("choice-play-line"));
            button_ui(ui, play, ChoiceCommand::PlayChosen, commands);
        }
        several => {
            for action in several.iter().take(MOST_BUTTONS) {
                // What stands beside the play is played by its button; what is confirmed is only chosen by it.
                if picker.awaits_choice(action) && controller.confirms_by_rule(action.action) {
                    let button = IconButton::text(controller.action_title(action.action)).height(30.0);
                    button_ui(ui, button, ChoiceCommand::Mean(action.action), commands);
                    continue;
                }
                let play = IconButton::with_text(Icon::Play, controller.action_title(action.action));
                button_ui(ui, play.kind(ButtonKind::Primary), ChoiceCommand::Play(action.clone()), commands);
            }
        }
    }
    if picker.has_picked() {
        let clear = IconButton::text(text!("choice-clear")).hint(text!("choice-clear-line"));
        button_ui(ui, clear, MatchCommand::ClearChoice, commands);
    }
}
