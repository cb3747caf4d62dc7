//! The list of triggers, with what else stands in the script in its place between them.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use boardwright_triggers::{Choices, Part, ScriptPart, Trigger, TriggerScript, Unread, UnreadReason};
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, Palette, card, from_right_ui, heading_ui, remark_ui, segments_ui, space, veil};
use egui::{
    Checkbox, CollapsingHeader, FontId, Id, Role, ScrollArea, Sense, Stroke, TextEdit, TextWrapMode, Ui, WidgetInfo, WidgetText, vec2,
};

use super::change::{self, Change};
use super::slots::{sentence_text, text_ui};
use super::trigger_card::{CardContext, Position, script_ui, trigger_card_ui};
use super::{choices_of, script_of};
use crate::editor::Ask;
use crate::file::OpenFile;
use crate::values::Typed;

/// For how long nothing is written before what was written counts.
const PAUSE: Duration = Duration::from_secs(1);
/// The height of the row of a trigger, in points.
const ROW: f32 = 32.0;

/// A trigger that is dragged to another place: its part.
struct DraggedTrigger(usize);

/// Shows the panel.
pub(crate) fn triggers_ui(ui: &mut Ui, file: &mut OpenFile, asks: &mut Vec<Ask>) {
    heading_ui(ui, Icon::Trigger, &text!("side-triggers"));
    let script = script_of(file);
    let before = file.triggers.shows_script;
    let modes = [(false, text!("triggers-list")), (true, text!("triggers-script"))];
    segments_ui(ui, &text!("side-triggers"), &mut file.triggers.shows_script, &modes);
    ui.add_space(space::S);
    let change = if before {
        whole_script_ui(ui, file, &script)
    } else {
        list_ui(ui, file, &script)
    };
    asks.extend(change.map(Ask::ChangeScript));
}

/// The whole script, to be written by hand.
fn whole_script_ui(ui: &mut Ui, file: &OpenFile, script: &TriggerScript) -> Option<Change> {
    let now = script.print();
    let salt = Id::unique("whole script").with(file.document.path());
    let mut typed = Typed::begin(ui, salt, &now);
    let id = typed.field();
    let name = file.document.draft().overlay().map(|(file, _)| file.to_owned());
    remark_ui(
        ui,
        name.map_or_else(|| text!("triggers-no-script"), |name| text!("triggers-script-file", file = name)),
    );
    let field = TextEdit::multiline(&mut typed.text)
        .id(id)
        .code_editor()
        .desired_rows(24)
        .desired_width(ui.available_width() - 8.0);
    let field = ScrollArea::horizontal().id_salt(salt).show(ui, |ui| ui.add(field)).inner;
    field.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, text!("triggers-script")));
    // It counts when it is left, also for the list.
    if !file.triggers.shows_script {
        field.surrender_focus();
    }
    // Much may be written before that, so it counts at each pause too; all that is written in one go is one step.
    let (paused, begun) = (salt.with("pause"), salt.with("begun"));
    let time = ui.input(|input| input.time);
    if field.changed() {
        ui.data_mut(|data| data.insert_temp(paused, time + PAUSE.as_secs_f64()));
        ui.ctx().request_repaint_after(PAUSE);
    }
    let goes_on = ui.data(|data| data.get_temp(begun)).unwrap_or(false);
    let is_pause = ui.data(|data| data.get_temp::<f64>(paused)).is_some_and(|pause| pause <= time);
    let is_held = field.has_focus();
    let written = typed.text.clone();
    if let Some(text) = typed.end(ui, &field, &now) {
        ui.data_mut(|data| data.remove::<bool>(begun));
        return Some(Change::Script(text, goes_on));
    }
    ui.data_mut(|data| data.insert_temp(begun, is_held && (goes_on || is_pause && written != now)));
    (is_held && is_pause && written != now).then_some(Change::Script(written, goes_on))
}

fn list_ui(ui: &mut Ui, file: &mut OpenFile, script: &Arc<TriggerScript>) -> Option<Change> {
    let choices = choices_of(file);
    let count = script.triggers().count();
    let mut change = None;
    let mut place = 0;
    if count == 0 {
        remark_ui(ui, text!("triggers-none"));
    }
    for (part, content) in script.parts().iter().enumerate() {
        match content {
            ScriptPart::Trigger(trigger, _) => {
                let at = Position { part, place, count };
                change = trigger_ui(ui, file, trigger, &at, &choices).or(change);
                place += 1;
            }
            ScriptPart::Unread(why, text) => unread_ui(ui, part, why, text, file),
            ScriptPart::Script(text) if !text.trim().is_empty() => {
                let lines = text.trim().lines().count();
                let heading = text!("triggers-by-hand", count = lines);
                CollapsingHeader::new(heading)
                    .id_salt(("script by hand", part))
                    .show(ui, |ui| script_ui(ui, text.trim_start_matches('\n')));
            }
            ScriptPart::Script(_) => {}
        }
    }
    ui.add_space(space::S);
    if ui.add(IconButton::with_text(Icon::Plus, text!("trigger-add"))).clicked() {
        change = change::first(file);
    }
    if file.triggers.is_pointing() {
        ui.add_space(space::S);
        remark_ui(ui, text!("field-pointing"));
    }
    change
}

/// The row of a trigger, and below it what is in it if it is open.
fn trigger_ui(ui: &mut Ui, file: &mut OpenFile, trigger: &Trigger, at: &Position, choices: &Choices) -> Option<Change> {
    let palette = Palette::of(ui.visuals());
    let is_open = file.triggers.open == Some(at.part);
    let faults = if trigger.is_off() { Vec::new() } else { choices.faults(trigger) };
    let edge = if is_open { palette.accent } else { palette.line };
    let mut change = None;
    let shown = card(palette.raised, edge, 8, (6, 4)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        change = row_ui(ui, file, trigger, at, is_open, !faults.is_empty());
        if is_open {
            ui.add_space(space::XS);
            let ruleset = Rc::clone(&file.ruleset);
            let known = CardContext {
                choices,
                faults: &faults,
                translations: &ruleset.translations,
            };
            let inner = trigger_card_ui(ui, trigger, at, &known, &mut file.triggers);
            change = inner.or(change.take());
        } else {
            let when = trigger
                .sentences(Part::When)
                .iter()
                .map(|when| sentence_text(choices, when))
                .collect::<String>();
            let then = trigger
                .consequences()
                .iter()
                .map(|then| sentence_text(choices, then))
                .collect::<Vec<_>>();
            let summary = text!("trigger-summary", when = when, then = then.join("; "));
            ui.add(
                egui::Label::new(egui::RichText::new(summary).color(palette.muted).size(12.5))
                    .truncate()
                    .selectable(false),
            );
        }
    });
    let target = shown.response.interact(Sense::hover());
    if target.dnd_hover_payload::<DraggedTrigger>().is_some() {
        ui.painter().rect_filled(target.rect, 8, veil(palette.accent, 0.12));
        let line = Stroke::new(2.0, palette.accent);
        ui.painter().hline(target.rect.x_range(), target.rect.top() - 1.0, line);
    }
    if let Some(dragged) = target.dnd_release_payload::<DraggedTrigger>()
        && dragged.0 != at.part
    {
        change = Some(Change::Move(dragged.0, at.place));
    }
    ui.add_space(3.0);
    change
}

/// The name of a trigger with the switch that turns it on and off. It is dragged to another place.
fn row_ui(ui: &mut Ui, file: &mut OpenFile, trigger: &Trigger, at: &Position, is_open: bool, is_wrong: bool) -> Option<Change> {
    let palette = Palette::of(ui.visuals());
    let mut change = None;
    ui.horizontal(|ui| {
        let mut is_on = !trigger.is_off();
        let switch = ui.add(Checkbox::without_text(&mut is_on));
        let label = text!("trigger-on", name = trigger.name());
        switch.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, &label));
        if switch.on_hover_text(label).changed() {
            let switched = trigger.clone().switched_off(!is_on);
            change = Some(Change::Set(at.part, Box::new(switched)));
        }
        from_right_ui(ui, |ui| {
            if is_wrong {
                boardwright_ui::theme::icon_ui(ui, Icon::Warning, 16.0, palette.danger);
            }
            if is_open {
                let fold = IconButton::icon(Icon::Up, text!("trigger-of", name = trigger.name())).height(26.0);
                if ui.add(fold).clicked() {
                    file.triggers.open = None;
                    file.triggers.stop_pointing();
                }
                let salt = Id::unique("trigger name").with(at.part);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let name = text_ui(ui, salt, trigger.name(), &text!("trigger-name"), f32::INFINITY, None);
                    change = name
                        .map(|name| Change::Set(at.part, Box::new(trigger.clone().renamed(&name))))
                        .or(change.take());
                });
                return;
            }
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW - 6.0), Sense::click_and_drag());
            response.dnd_set_drag_payload(DraggedTrigger(at.part));
            let label = text!("trigger-of", name = trigger.name());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
            ui.painter().rect_filled(rect, 6, veil(palette.accent, 0.12 * over));
            let ink = if trigger.is_off() { palette.muted } else { palette.text };
            let font = FontId::new(14.0, boardwright_ui::theme::bold());
            let galley = WidgetText::from(trigger.name()).into_galley(ui, Some(TextWrapMode::Truncate), rect.width() - 12.0, font);
            let at_left = egui::pos2(rect.left() + 6.0, rect.center().y - galley.size().y / 2.0);
            ui.painter().galley(at_left, galley, ink);
            if response.clicked() {
                file.triggers.open = Some(at.part);
                file.triggers.stop_pointing();
            }
        });
    });
    change
}

/// A trigger that cannot be read back, with why, as script.
fn unread_ui(ui: &mut Ui, part: usize, why: &Unread, text: &str, file: &mut OpenFile) {
    let palette = Palette::of(ui.visuals());
    card(palette.raised, palette.line, 8, (6, 4)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let name = text.lines().next().unwrap_or_default();
        let name = name.trim_start_matches('/').trim_start_matches([' ', '/']);
        let name = name.split_once(':').map_or(name, |(_, name)| name.trim());
        let reason = match &why.reason {
            UnreadReason::Name => text!("unread-name"),
            UnreadReason::Function => text!("unread-function"),
            UnreadReason::Hook(hook) => text!("unread-hook", name = hook.as_str()),
            UnreadReason::Unknown => text!("unread-unknown"),
            UnreadReason::Condition => text!("unread-condition"),
            UnreadReason::Consequence => text!("unread-consequence"),
            UnreadReason::Once => text!("unread-once"),
            UnreadReason::Misplaced(form) => text!("unread-misplaced", sentence = form.text_in(super::slots::language())),
        };
        let heading = text!("unread-heading", name = name);
        CollapsingHeader::new(heading).id_salt(("unread", part)).show(ui, |ui| {
            script_ui(ui, text);
            let open = IconButton::with_text(Icon::Script, text!("trigger-open-script")).kind(ButtonKind::Quiet);
            if ui.add(open.height(26.0)).clicked() {
                file.triggers.shows_script = true;
            }
        });
        remark_ui(ui, text!("unread-why", line = why.line + 1, reason = reason));
    });
    ui.add_space(3.0);
}
