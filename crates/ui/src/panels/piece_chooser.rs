//! The pieces of a cell in a list, when a click could mean any of them.

use std::collections::BTreeMap;

use egui::{Align2, Area, FontId, Id, Order, Pos2, Rect, ScrollArea, Ui, vec2};

use super::action_bar::title_of;
use super::button_ui;
use super::piece_button::PieceRow;
use crate::action_picker::ActionPicker;
use crate::board::Scene;
use crate::command::{ChoiceCommand, MatchCommand, UiCommand};
use crate::texts::{capitalized, text};
use crate::theme::{ButtonKind, Icon, IconButton, Palette, card, lay_out, size, space, strong};
use boardwright_model::{CellId, PieceId};

/// The least width of the list, in points, and how high it is at most beside its buttons, as a share of the window.
const LEAST_WIDTH: f32 = 170.0;
const MOST_HEIGHT: f32 = 0.6;
/// How wide a button is beside its text, and how high the list is beside its rows, in points.
const BUTTON: f32 = 54.0;
const BESIDE_ROWS: f32 = 76.0;
/// How far the list stays away from the pieces, in points.
const APART: f32 = 8.0;

/// Shows the pieces of a cell beside it: above it where there is room. `place` is the middle of the cell on the screen and how far it reaches. The
/// first one takes the focus from the board, when the list has just come up.
pub(crate) fn piece_chooser_ui(
    ui: &Ui,
    scene: &Scene<'_>,
    picker: &ActionPicker,
    (cell, pieces): (CellId, &[PieceId]),
    place: (Pos2, f32),
    takes_focus: bool,
    commands: &mut Vec<UiCommand>,
) {
    let palette = Palette::of(ui.visuals());
    let rows = rows(scene, picker, pieces);
    let is_set = picker.asks_for_set_of_pieces();
    let within = ui.ctx().content_rect().shrink(space::S);
    let (pivot, at) = beside(within, place, rows.len() as f32 * (PieceRow::HEIGHT + space::XS) + BESIDE_ROWS);
    Area::new(Id::unique("fan"))
        .order(Order::Foreground)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(within)
        .show(ui.ctx(), |ui| {
            let frame = card(palette.surface, palette.accent, 12, (8, 8)).shadow(ui.visuals().popup_shadow);
            frame.show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = space::XS;
                let heading = heading(scene, picker);
                let width = rows
                    .iter()
                    .map(|row| row.width(ui, scene))
                    .fold(buttons_width(ui, is_set), f32::max);
                ui.set_width(width);
                ui.label(strong(heading));
                let most = within.height() * MOST_HEIGHT;
                ScrollArea::vertical().max_height(most).show(ui, |ui| {
                    let mut takes_focus = takes_focus;
                    for row in &rows {
                        let Some(response) = row.ui(ui, scene, width) else { continue };
                        if row.is_enabled && std::mem::take(&mut takes_focus) {
                            response.request_focus();
                        }
                        if response.clicked() {
                            commands.push(ChoiceCommand::PickOneOf(cell, row.piece).into());
                        }
                    }
                });
                ui.horizontal(|ui| {
                    if is_set {
                        end_ui(ui, picker, commands);
                    }
                    let label = if is_set {
                        text!("piece-chooser-back")
                    } else {
                        text!("piece-chooser-close")
                    };
                    let close = IconButton::with_text(Icon::Close, label).kind(ButtonKind::Quiet).height(28.0);
                    button_ui(ui, close, MatchCommand::ClosePieceChooser, commands);
                });
            });
        });
}

/// Where a list so high stands: above the cell, below it, or else at its right.
fn beside(within: Rect, (middle, reach): (Pos2, f32), height: f32) -> (Align2, Pos2) {
    let away = reach + APART;
    if middle.y - away - height >= within.top() {
        (Align2::CENTER_BOTTOM, middle - vec2(0.0, away))
    } else if middle.y + away + height <= within.bottom() {
        (Align2::CENTER_TOP, middle + vec2(0.0, away))
    } else {
        (Align2::LEFT_CENTER, middle + vec2(away, 0.0))
    }
}

/// How wide the list has to be for its buttons.
fn buttons_width(ui: &Ui, is_set: bool) -> f32 {
    let labels = if is_set {
        vec![text!("piece-chooser-end"), text!("piece-chooser-back")]
    } else {
        vec![text!("piece-chooser-close")]
    };
    let width = |label: &String| lay_out(ui, label, FontId::proportional(size::BODY)).size().x + BUTTON;
    labels.iter().map(width).sum::<f32>().max(LEAST_WIDTH)
}

/// The button that takes a set as it is picked, where that may be: then it is played, or the next pick is asked for.
fn end_ui(ui: &mut Ui, picker: &ActionPicker, commands: &mut Vec<UiCommand>) {
    let asked = picker.asked();
    let goes_on = asked.iter().find(|step| step.may_go_on);
    let command = match goes_on {
        Some(step) => ChoiceCommand::NextPick(step.action),
        None if picker.sole().is_some() => ChoiceCommand::PlayChosen,
        None => return,
    };
    let end = IconButton::with_text(Icon::Check, text!("piece-chooser-end")).kind(ButtonKind::Primary);
    button_ui(ui, end.height(28.0), command, commands);
}

/// What is chosen: as the rules call it, or as they ask for it.
fn heading(scene: &Scene<'_>, picker: &ActionPicker) -> String {
    let asked = picker.asked();
    let mut prompts: Vec<&str> = asked.iter().map(|step| &*step.prompt).collect();
    prompts.dedup();
    match (title_of(scene.state, picker, &asked), prompts.as_slice()) {
        (Some(title), _) => title.to_string(),
        (None, [prompt]) if !prompt.is_empty() => capitalized(prompt),
        _ => text!("piece-chooser-title"),
    }
}

/// The top pieces first, as they lie. Those that look the same have their numbers.
fn rows(scene: &Scene<'_>, picker: &ActionPicker, pieces: &[PieceId]) -> Vec<PieceRow> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for piece in pieces {
        *counts.entry(scene.piece_text(*piece)).or_default() += 1;
    }
    let (open, picked) = (picker.pieces(), picker.picked_pieces());
    let is_set = picker.asks_for_set_of_pieces();
    let row = |piece: &PieceId| {
        let is_picked = picked.contains(piece);
        PieceRow {
            piece: *piece,
            number: (counts.get(&scene.piece_text(*piece)).copied().unwrap_or_default() > 1).then_some(piece.0),
            is_picked: is_set.then_some(is_picked),
            is_enabled: open.contains(piece) || (is_set && is_picked),
        }
    };
    pieces.iter().rev().map(row).collect()
}
