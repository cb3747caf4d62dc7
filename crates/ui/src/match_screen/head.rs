//! The head of a match: what is played, and what can be done at any time.

use std::time::Duration;

use egui::{Align, Label, Layout, RichText, Ui};

use super::side_panels::SidePanels;
use super::{Drawing, ScreenContext, can_hint};
use crate::command::{AppCommand, MatchCommand, UiCommand, button_ui};
use crate::keys::{Act, key_of};
use crate::match_controller::MatchController;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, chip_ui, size, space, title};
use crate::toolbar::{Place, toolbar_ui};
use boardwright_protocol::Command;

/// The least width of the head with labels on its buttons.
const ROOM_FOR_WORDS: f32 = 620.0;
/// The least width for the title of the scenario, and for the round.
const ROOM_FOR_SCENARIO: f32 = 60.0;
const ROOM_FOR_ROUND: f32 = 90.0;

/// From which latency on it is felt, and from which on it counts as no answer.
const LATENCY_FELT: Duration = Duration::from_millis(250);
const LATENCY_LATE: Duration = Duration::from_secs(2);

/// Shows the head.
pub(super) fn head_ui(
    ui: &mut Ui,
    controller: &MatchController,
    panels: &SidePanels,
    context: ScreenContext<'_>,
    drawing: Drawing,
    commands: &mut Vec<UiCommand>,
) {
    ui.horizontal(|ui| {
        ui.set_min_height(36.0);
        if ui.add(IconButton::icon(Icon::Back, text!("match-leave"))).clicked() {
            commands.push(AppCommand::Leave.into());
        }
        if drawing == Drawing::Open {
            let back = IconButton::with_text(Icon::Map, text!("match-to-drawing"));
            if ui.add(back.hint(key_of(Act::TryOut))).clicked() {
                commands.push(AppCommand::ShowEditor.into());
            }
        }
        // The buttons take what they need; the titles get what is left of the line.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = space::XS;
            toolbar_ui(ui, Place::Match, commands);
            ui.add_space(space::S);
            buttons_ui(ui, controller, panels, (context, drawing), commands);
            ui.add_space(space::S);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| titles_ui(ui, controller, context));
        });
    });
}

fn titles_ui(ui: &mut Ui, controller: &MatchController, context: ScreenContext<'_>) {
    let ScreenContext { state, description, .. } = context;
    let palette = Palette::of(ui.visuals());
    let mirror = controller.mirror();
    ui.spacing_mut().item_spacing.x = space::S;
    ui.add(Label::new(title(&description.title, size::TITLE)).truncate());
    if description.rated {
        chip_ui(ui, &text!("match-rated"), palette.accent).on_hover_text(text!("match-rated-line"));
    }
    let first = controller.first();
    if mirror.at() < mirror.length() {
        chip_ui(
            ui,
            &text!(
                "match-looking-back",
                at = mirror.at() - first.min(mirror.at()),
                of = mirror.length() - first.min(mirror.length())
            ),
            palette.warning,
        );
    } else if state.sequence().mark.round > 0 && ui.available_width() > ROOM_FOR_ROUND {
        chip_ui(ui, &text!("match-round", round = state.sequence().mark.round), palette.muted);
    }
    if description.scenario_title != description.title && ui.available_width() > ROOM_FOR_SCENARIO {
        ui.add(Label::new(RichText::new(&description.scenario_title).color(palette.muted)).truncate());
    }
    if let Some(latency) = controller.latency() {
        latency_ui(ui, latency);
    }
}

/// How long the server takes to answer: nothing to think of, to be felt, or too long.
fn latency_ui(ui: &mut Ui, latency: Duration) {
    let palette = Palette::of(ui.visuals());
    let (shown, colour) = if latency < LATENCY_LATE {
        let colour = if latency < LATENCY_FELT { palette.muted } else { palette.warning };
        (text!("match-latency", milliseconds = latency.as_millis().max(1)), colour)
    } else {
        (text!("match-no-answer", seconds = latency.as_secs()), palette.danger)
    };
    chip_ui(ui, &shown, colour).on_hover_text(text!("match-latency-hint"));
}

fn buttons_ui(
    ui: &mut Ui,
    controller: &MatchController,
    panels: &SidePanels,
    (context, drawing): (ScreenContext<'_>, Drawing),
    commands: &mut Vec<UiCommand>,
) {
    let mirror = controller.mirror();
    let is_narrow = ui.available_width() < ROOM_FOR_WORDS;
    let tool = |icon, label: String| {
        if is_narrow {
            IconButton::icon(icon, label)
        } else {
            IconButton::with_text(icon, label)
        }
    };
    panels.menu_ui(ui, controller, context, drawing, commands);
    if !mirror.is_guest()
        && ui
            .add(IconButton::icon(Icon::Save, text!("match-save")).hint(key_of(Act::Save)))
            .clicked()
    {
        commands.push(MatchCommand::Save.into());
    }
    let label = if controller.thinking().awaits_hint {
        text!("match-hint-awaited")
    } else {
        text!("match-hint")
    };
    // Until a rated match is over its buttons say why they do nothing, on a server also then.
    let is_rated = context.description.rated && (context.state.outcome().is_none() || mirror.is_guest());
    let mut unrated_ui = |can: bool, button: IconButton| {
        let shown = ui.add_enabled(can && !is_rated, button);
        let shown = if is_rated {
            shown.on_disabled_hover_text(text!("match-rated-line"))
        } else {
            shown
        };
        shown.clicked()
    };
    if unrated_ui(can_hint(controller), tool(Icon::Hint, label).hint(key_of(Act::Hint))) {
        commands.push(MatchCommand::Hint.into());
    }
    let redo = tool(Icon::Redo, text!("match-redo")).hint(key_of(Act::Redo));
    if unrated_ui(mirror.at() < mirror.length(), redo) {
        commands.push(MatchCommand::Send(Command::Redo).into());
    }
    let undo = tool(Icon::Undo, text!("match-undo")).hint(key_of(Act::Undo));
    if controller.action_to_confirm().is_some() {
        // What was only picked may be taken back in any match.
        button_ui(ui, undo, super::undo(controller), commands);
    } else if unrated_ui(mirror.at() > controller.first(), undo) {
        commands.push(super::undo(controller));
    }
}
