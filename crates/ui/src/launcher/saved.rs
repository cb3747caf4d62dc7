//! Saved matches in the launcher: one to go on with, those that were cut off, and those to be watched.

use std::time::SystemTime;

use egui::{Align, CollapsingHeader, Label, Layout, Margin, Sense, Stroke, Ui, UiBuilder, Vec2, vec2};

use super::card::picture_ui;
use crate::command::{AppCommand, button_ui};
use crate::save_dialogs::{SaveFilter, SaveLines};
use crate::texts::text;
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, card, from_right_ui, icon_ui, panel_frame, remark, size, space, strong, text_width, title, veil,
};
use boardwright_client::content::{RulesetIndex, SaveCard};

/// How many matches that have ended are listed.
const MOST_FINISHED: usize = 3;
/// The size of the picture beside the match to go on with, in points.
const PICTURE: Vec2 = vec2(77.0, 48.0);
/// The least width of texts beside buttons, in points.
const LEAST_TEXT: f32 = 180.0;

/// The matches that were running when the program was killed: one in a line, several in a line that unfolds. Whether there are any.
pub(super) fn interrupted_ui(ui: &mut Ui, saves: &[SaveCard], is_busy: bool, commands: &mut Vec<AppCommand>) -> bool {
    let interrupted: Vec<&SaveCard> = saves.iter().filter(|save| save.was_cut_off && !save.is_finished()).collect();
    if interrupted.is_empty() {
        return false;
    }
    let palette = Palette::of(ui.visuals());
    let frame = card(veil(palette.warning, 0.12), veil(palette.warning, 0.6), 12, (16, 8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        if let [save] = interrupted[..] {
            return interrupted_line_ui(ui, save, is_busy, commands);
        }
        let title = text!("interrupted-several", count = interrupted.len());
        CollapsingHeader::new(strong(title)).id_salt("interrupted").show(ui, |ui| {
            for save in interrupted {
                interrupted_line_ui(ui, save, is_busy, commands);
            }
        });
    });
    ui.add_space(space::M);
    true
}

/// One of the matches that were running when the program was killed.
fn interrupted_line_ui(ui: &mut Ui, save: &SaveCard, is_busy: bool, commands: &mut Vec<AppCommand>) {
    let palette = Palette::of(ui.visuals());
    let lines = SaveLines::of(save, SystemTime::now());
    let leave = IconButton::text(text!("interrupted-leave")).hint(text!("interrupted-leave-line"));
    let resume = IconButton::with_text(Icon::Play, text!("interrupted-take-up")).kind(ButtonKind::Primary);
    let buttons = [
        (resume, !is_busy && save.content.is_ok(), AppCommand::Resume(save.file.clone())),
        (leave.kind(ButtonKind::Quiet), true, AppCommand::ForgetSave(save.file.clone())),
    ];
    let needed = text_width(ui, strong(&lines.title)).max(LEAST_TEXT);
    let sign = |ui: &mut Ui| icon_ui(ui, Icon::Warning, 20.0, palette.warning);
    with_buttons_ui(ui, 20.0 + needed, &buttons, commands, sign, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add(Label::new(strong(&lines.title)).truncate());
        ui.add(Label::new(remark(text!("interrupted-title"))).truncate())
            .on_hover_text(lines.line);
    });
}

/// A sign and texts, with buttons at the right of them; below them where the two need more room than is left, in points.
fn with_buttons_ui(
    ui: &mut Ui,
    needed: f32,
    buttons: &[(IconButton, bool, AppCommand)],
    commands: &mut Vec<AppCommand>,
    sign: impl FnOnce(&mut Ui),
    texts: impl FnOnce(&mut Ui),
) {
    let gap = ui.spacing().item_spacing.x;
    let taken: f32 = buttons.iter().map(|(button, ..)| button.width(ui) + gap).sum();
    let room = ui.available_width();
    let is_beside = needed + gap + taken <= room;
    let mut press = |ui: &mut Ui, (button, enabled, command): &(IconButton, bool, AppCommand)| {
        if ui.add_enabled(*enabled, button.clone().at_most(room)).clicked() {
            commands.push(command.clone());
        }
    };
    ui.horizontal(|ui| {
        sign(ui);
        if is_beside {
            from_right_ui(ui, |ui| {
                buttons.iter().rev().for_each(|button| press(ui, button));
                // The text has the room that the buttons leave.
                ui.with_layout(Layout::top_down(Align::Min), texts);
            });
        } else {
            ui.vertical(texts);
        }
    });
    if !is_beside {
        ui.horizontal_wrapped(|ui| buttons.iter().for_each(|button| press(ui, button)));
    }
}

/// The match to go on with.
pub(super) fn continue_ui(ui: &mut Ui, saves: &[SaveCard], shelf: Option<&RulesetIndex>, is_busy: bool, commands: &mut Vec<AppCommand>) {
    let palette = Palette::of(ui.visuals());
    let Some(save) = saves.iter().find(|save| save.can_go_on() && !save.was_cut_off) else {
        return;
    };
    let margin = Margin::symmetric(space::M as i8, space::S as i8);
    panel_frame(palette).inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let card = save.content.as_ref().ok().and_then(|content| shelf?.find(&content.ruleset));
        let resume = IconButton::with_text(Icon::Play, text!("launcher-continue")).kind(ButtonKind::Primary);
        let buttons = [(resume, !is_busy, AppCommand::Resume(save.file.clone()))];
        let lines = SaveLines::of(save, SystemTime::now());
        let text = text_width(ui, strong(&lines.title));
        let picture = card.map_or(0.0, |_| PICTURE.x + ui.spacing().item_spacing.x);
        let sign = |ui: &mut Ui| {
            if let Some(card) = card {
                let (rect, _) = ui.allocate_exact_size(PICTURE, Sense::hover());
                picture_ui(ui, card.picture.as_ref(), &card.title, rect, 4);
            }
        };
        with_buttons_ui(ui, picture + text.max(LEAST_TEXT), &buttons, commands, sign, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(Label::new(strong(lines.title)).truncate());
            ui.add(Label::new(remark(lines.line)).truncate());
        });
    });
    ui.add_space(space::M);
}

/// The matches that have ended, to be watched.
pub(super) fn finished_ui(ui: &mut Ui, saves: &[SaveCard], is_busy: bool, commands: &mut Vec<AppCommand>) {
    let palette = Palette::of(ui.visuals());
    let finished: Vec<&SaveCard> = saves.iter().filter(|save| save.is_finished()).collect();
    if finished.is_empty() {
        return;
    }
    ui.add_space(space::L);
    ui.horizontal(|ui| {
        ui.label(title(text!("launcher-replays"), size::TITLE));
        if finished.len() > MOST_FINISHED {
            let all = IconButton::text(text!("launcher-all-replays", count = finished.len())).kind(ButtonKind::Quiet);
            from_right_ui(ui, |ui| button_ui(ui, all, AppCommand::ListSaves(SaveFilter::Finished), commands));
        }
    });
    let now = SystemTime::now();
    for save in finished.into_iter().take(MOST_FINISHED) {
        let lines = SaveLines::of(save, now);
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 110.0).max(120.0);
            let (rect, _) = ui.allocate_exact_size(vec2(width, 40.0), Sense::hover());
            let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
            inside.spacing_mut().item_spacing.y = 0.0;
            inside.add(Label::new(strong(&lines.title)).truncate());
            inside.add(Label::new(remark(&lines.line)).truncate());
            let watch = IconButton::with_text(Icon::Eye, text!("open-watch")).height(30.0);
            let name = text!("launcher-watch-one", title = lines.title, line = lines.line);
            if ui.add_enabled(!is_busy, watch).accessible_name(name).clicked() {
                commands.push(AppCommand::Watch(save.file.clone()));
            }
        });
        let (start, width) = (ui.cursor().min, ui.available_width());
        ui.painter()
            .hline(start.x..=start.x + width, start.y, Stroke::new(1.0, palette.line));
    }
}
