//! A trigger with all that is in it: its name and comment, the rows of its sentences, and its script.

use boardwright_localization::Localizer;
use boardwright_triggers::{Choices, Fault, FieldKind, FieldValue, Part, Sentence, SlotPath, Trigger};
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, Palette, card, remark, remark_ui, space, strong};
use egui::{CollapsingHeader, Id, Label, RichText, TextEdit, Ui};

use super::change::Change;
use super::sentence_list::sentence_list_ui;
use super::slots::Slots;
use super::{Pointing, TriggersPane};
use crate::values::Typed;

/// Where a trigger stands in its script.
pub(super) struct Position {
    /// Its part.
    pub(super) part: usize,
    /// Its place among the triggers, counted from 0.
    pub(super) place: usize,
    /// How many triggers there are.
    pub(super) count: usize,
}

/// What a trigger is shown with.
pub(super) struct CardContext<'a> {
    /// What fields can be chosen from.
    pub(super) choices: &'a Choices,
    /// What is wrong with it.
    pub(super) faults: &'a [Fault],
    /// The languages into which the ruleset is translated.
    pub(super) translations: &'a [(String, Localizer)],
}

/// Shows a trigger, and gives what is to be changed.
pub(super) fn trigger_card_ui(
    ui: &mut Ui,
    trigger: &Trigger,
    at: &Position,
    known: &CardContext<'_>,
    pane: &mut TriggersPane,
) -> Option<Change> {
    let salt = Id::unique("trigger card").with(at.part);
    let mut now = trigger.clone();
    if let Some(comment) = comment_ui(ui, salt.with("comment"), trigger.comment()) {
        now = now.with_comment(&comment);
    }
    for part in [Part::When, Part::If, Part::Then] {
        ui.add_space(space::XS);
        now = rows_ui(ui, &now, at.part, part, known, &mut pane.pointing).unwrap_or(now);
    }
    ui.add_space(space::XS);
    let mut once = trigger.is_once();
    if ui.checkbox(&mut once, text!("trigger-once")).changed() {
        now = now.happening_once(once);
    }
    if now != *trigger {
        return Some(Change::Set(at.part, Box::new(now)));
    }
    let change = buttons_ui(ui, at);
    let shown = CollapsingHeader::new(text!("trigger-script")).id_salt(salt.with("script"));
    shown.show(ui, |ui| {
        script_ui(ui, &trigger.print());
        if ui
            .add(IconButton::with_text(Icon::Script, text!("trigger-open-script")).height(26.0))
            .clicked()
        {
            pane.shows_script = true;
        }
    });
    change
}

/// A text of a script, to be read.
pub(super) fn script_ui(ui: &mut Ui, text: &str) {
    let palette = Palette::of(ui.visuals());
    card(palette.ground, palette.line, 6, (8, 6)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(Label::new(RichText::new(text.trim_end()).monospace().size(12.0)).wrap());
    });
}

fn buttons_ui(ui: &mut Ui, at: &Position) -> Option<Change> {
    let mut change = None;
    ui.horizontal_wrapped(|ui| {
        let small = |icon, label: String| IconButton::icon(icon, label).height(26.0);
        if ui.add(small(Icon::Layers, text!("trigger-duplicate"))).clicked() {
            change = Some(Change::Duplicate(at.part));
        }
        if ui.add_enabled(at.place > 0, small(Icon::Up, text!("trigger-up"))).clicked() {
            change = Some(Change::Move(at.part, at.place.saturating_sub(1)));
        }
        if ui
            .add_enabled(at.place + 1 < at.count, small(Icon::Down, text!("trigger-down")))
            .clicked()
        {
            change = Some(Change::Move(at.part, at.place + 1));
        }
        if ui.add(small(Icon::Trash, text!("trigger-delete"))).clicked() {
            change = Some(Change::Remove(at.part));
        }
    });
    change
}

/// The comment of a trigger, of any number of lines; it counts when its field is left.
fn comment_ui(ui: &mut Ui, salt: Id, now: &str) -> Option<String> {
    let mut typed = Typed::begin(ui, salt, now);
    let id = typed.field();
    let field = TextEdit::multiline(&mut typed.text)
        .id(id)
        .desired_rows(1)
        .desired_width(ui.available_width() - 8.0)
        .hint_text(text!("trigger-comment"));
    let field = ui.add(field);
    field.clone().accessible_name(text!("trigger-comment"));
    typed.end(ui, &field, now)
}

fn part_title(part: Part) -> String {
    match part {
        Part::If => text!("trigger-if"),
        Part::Then => text!("trigger-then"),
        Part::When | Part::Number | Part::Seat => text!("trigger-when"),
    }
}

/// The sentences of a part, each with what is done with it, and a button for one more.
fn rows_ui(
    ui: &mut Ui,
    trigger: &Trigger,
    index: usize,
    part: Part,
    known: &CardContext<'_>,
    pointing: &mut Option<Pointing>,
) -> Option<Trigger> {
    let salt = Id::unique("trigger rows").with((index, part));
    let choices = known.choices;
    let mut changed = None;
    ui.add(Label::new(strong(part_title(part))).selectable(false));
    let sentences = trigger.sentences(part);
    for (row, sentence) in sentences.iter().enumerate() {
        let place = SlotPath {
            part,
            sentence: row,
            fields: Vec::new(),
        };
        ui.horizontal_top(|ui| {
            ui.add_space(space::S);
            let buttons = if part == Part::When { 30.0 } else { 58.0 };
            let width = ui.available_width() - buttons;
            let mut slots = Slots {
                part: index,
                choices,
                when: trigger.when().form(),
                faults: known.faults,
                pointing,
            };
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing.x = 5.0;
                    let new = slots.sentence_ui(ui, sentence, &place);
                    let new = new.and_then(|(place, value)| trigger.with_value(&place, value));
                    changed = new.map(|new| adapted(new, &place, choices)).or(changed.take());
                });
            });
            let new = row_buttons_ui(ui, salt.with(row), sentences, row, part, choices);
            changed = new.and_then(|new| trigger.with_part(part, new)).or(changed.take());
        });
        translations_ui(ui, sentence, known.translations);
    }
    if part != Part::When {
        let label = if part == Part::If {
            text!("trigger-add-condition")
        } else {
            text!("trigger-add-consequence")
        };
        ui.horizontal(|ui| {
            ui.add_space(space::S);
            let button = ui.add(IconButton::with_text(Icon::Plus, label).kind(ButtonKind::Quiet).height(26.0));
            if let Some(new) = sentence_list_ui(&button, salt.with("add"), choices, part, Some(trigger.when().form())) {
                let mut all = sentences.to_vec();
                all.push(new);
                changed = trigger.with_part(part, all);
            }
        });
        if part == Part::Then && sentences.is_empty() {
            remark_ui(ui, text!("trigger-does-nothing"));
        }
    }
    changed
}

/// How the texts of a sentence read in other languages, and where they are not translated.
fn translations_ui(ui: &mut Ui, sentence: &Sentence, translations: &[(String, Localizer)]) {
    for (field, value) in sentence.form().fields.iter().zip(sentence.values()) {
        let FieldValue::Text(text) = value else { continue };
        if field.kind != FieldKind::Text || text.trim().is_empty() {
            continue;
        }
        for (language, localizer) in translations {
            let language = language.as_str();
            let label = if localizer.knows(text) {
                let translated = localizer.translate(text);
                text!("trigger-translated", language = language, text = &*translated)
            } else {
                text!("trigger-not-translated", language = language)
            };
            ui.horizontal(|ui| {
                ui.add_space(space::L);
                ui.add(Label::new(remark(label)).truncate().selectable(false));
            });
        }
    }
}

/// The value of a property has to be one of its own: where another property was chosen, it may no longer be.
fn adapted(trigger: Trigger, place: &SlotPath, choices: &Choices) -> Trigger {
    let mut sentences = trigger.sentences(place.part).to_vec();
    if let Some(sentence) = sentences.get_mut(place.sentence) {
        *sentence = choices.adapted(sentence.clone());
    }
    trigger.with_part(place.part, sentences).unwrap_or(trigger)
}

/// What is done with a sentence: another in its place, one place up, away. Gives the sentences as they are to be.
fn row_buttons_ui(ui: &mut Ui, salt: Id, sentences: &[Sentence], row: usize, part: Part, choices: &Choices) -> Option<Vec<Sentence>> {
    let small = |icon, label: String| IconButton::icon(icon, label).height(24.0);
    let mut all = sentences.to_vec();
    ui.spacing_mut().item_spacing.x = 2.0;
    if part == Part::When {
        let button = ui.add(small(Icon::Pencil, text!("trigger-change-when")));
        return sentence_list_ui(&button, salt, choices, part, None).map(|when| vec![when]);
    }
    let number = row + 1;
    if ui
        .add_enabled(row > 0, small(Icon::Up, text!("trigger-sentence-up", number = number)))
        .clicked()
    {
        all.swap(row, row.saturating_sub(1));
        return Some(all);
    }
    if ui
        .add(small(Icon::Close, text!("trigger-sentence-away", number = number)))
        .clicked()
    {
        all.remove(row);
        return Some(all);
    }
    None
}
