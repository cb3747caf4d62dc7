//! The console: a line that edits the position, with completion, help and the results so far.

use egui::text::{CCursor, CCursorRange};
use egui::{Event, EventFilter, FontId, FontSelection, Id, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::command::{MatchCommand, UiCommand};
use crate::keys::{self, Act, key_of};
use crate::match_controller::ManualEdit;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, heading_with_ui, icon_ui, remark, size, space, with_code};
use boardwright_model::{Completion, EditCommand, LineCompletions, State, complete_edit};

const ROW: f32 = 20.0;
/// The height in which ways to go on are shown: two rows.
const WAYS: f32 = 52.0;
/// The most ways to go on that are shown.
const MOST_WAYS: usize = 24;

/// The line, while it is shown or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Console {
    is_open: bool,
    line: String,
    /// The history entry in the line, counted back from the newest.
    recalled: usize,
    /// What stood there before anything was recalled.
    draft: String,
    /// For how many frames the line still asks for the focus.
    wants_focus: u8,
    /// Whether it was opened in this frame: the sign that its key writes may come with the next one, and is not for the line.
    is_opening: bool,
    /// Whether the cursor is to be put behind the text.
    is_changed: bool,
    /// What was typed behind a key of the line in the same frame.
    later: Vec<Event>,
}

const KEYS: [Act; 5] = [
    Act::ConsoleSay,
    Act::ConsoleComplete,
    Act::ConsoleEarlier,
    Act::ConsoleLater,
    Act::ConsoleClose,
];

impl Console {
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    fn id() -> Id {
        Id::unique("console line")
    }

    /// Opens or closes it, if its key is pressed. In the line itself the key writes its sign, unless nothing stands there yet.
    pub(crate) fn keys(&mut self, ui: &Ui) {
        let has_focus = ui.memory(|memory| memory.has_focus(Self::id()));
        let may = if has_focus {
            self.line.is_empty()
        } else {
            !ui.ctx().text_edit_focused()
        };
        if may && keys::pressed_beside_field(ui, Act::Console) {
            self.toggle();
            self.is_opening = self.is_open;
        }
    }

    /// Opens or closes it; opened, it takes the focus.
    pub(crate) fn toggle(&mut self) {
        self.is_open = !self.is_open;
        self.wants_focus = if self.is_open { 2 } else { 0 };
    }

    /// Shows the line, how it can go on, and below what was said and answered.
    pub(crate) fn ui(&mut self, ui: &mut Ui, state: &State, words: &LineCompletions, edits: &[ManualEdit], commands: &mut Vec<UiCommand>) {
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.spacing_mut().interact_size.y = ROW;
        heading_with_ui(ui, Icon::Gear, &text!("console-title"), |ui| {
            let close = IconButton::icon(Icon::Close, text!("console-close")).height(24.0);
            if ui.add(close.hint(key_of(Act::ConsoleClose))).clicked() {
                self.is_open = false;
            }
            ui.add(Label::new(remark(text!("console-recorded"))).truncate());
        });
        keys::give_back(ui, std::mem::take(&mut self.later));
        let has_focus = ui.memory(|memory| memory.has_focus(Self::id()));
        let pressed = if has_focus { keys::first_pressed(ui, &KEYS) } else { None };
        self.line_ui(ui);
        if let Some((act, later)) = pressed {
            self.later = later;
            self.act(ui, act, state, words, edits, commands);
            ui.ctx().request_repaint();
        }
        let completion = complete_edit(&self.line, state, words);
        self.ways_ui(ui, &completion);
        ScrollArea::vertical()
            .id_salt("console")
            .min_scrolled_height(0.0)
            .auto_shrink([false, false])
            .show(ui, |ui| {
                let asks_help = self.line.trim() == "help" || (edits.is_empty() && self.line.trim().is_empty());
                if asks_help {
                    for command in EditCommand::ALL {
                        command_ui(ui, *command);
                    }
                }
                for edit in edits.iter().rev() {
                    edit_ui(ui, edit);
                }
            });
    }

    /// What a key of the line does, once what was typed before it stands there.
    fn act(&mut self, ui: &Ui, act: Act, state: &State, words: &LineCompletions, edits: &[ManualEdit], commands: &mut Vec<UiCommand>) {
        let text = self.line.trim();
        match act {
            Act::ConsoleComplete => self.complete(&complete_edit(&self.line, state, words)),
            Act::ConsoleEarlier => self.recall(edits, 1),
            Act::ConsoleLater => self.recall(edits, -1),
            Act::ConsoleSay if !text.is_empty() && text != "help" => {
                commands.push(MatchCommand::Edit(text.to_owned()).into());
                self.write(String::new());
                self.recalled = 0;
            }
            Act::ConsoleClose => {
                self.is_open = false;
                ui.memory_mut(|memory| memory.surrender_focus(Self::id()));
            }
            _ => {}
        }
    }

    fn line_ui(&mut self, ui: &mut Ui) {
        if std::mem::take(&mut self.is_changed) {
            let mut cursor = TextEdit::load_state(ui.ctx(), Self::id()).unwrap_or_default();
            let behind = CCursor::new(self.line.chars().count());
            cursor.cursor.set_char_range(Some(CCursorRange::one(behind)));
            TextEdit::store_state(ui.ctx(), Self::id(), cursor);
        }
        let edit = TextEdit::singleline(&mut self.line)
            .id(Self::id())
            .font(FontSelection::FontId(FontId::monospace(size::BODY)))
            .hint_text(text!("console-line"))
            // Every key that the line takes would otherwise lead away from it.
            .event_filter(EventFilter {
                tab: true,
                horizontal_arrows: true,
                vertical_arrows: true,
                escape: true,
            })
            .desired_width(f32::INFINITY);
        let field = ui.add(edit);
        if field.changed() {
            self.recalled = 0;
        }
        if std::mem::take(&mut self.is_opening) {
            ui.ctx().request_repaint();
        } else if self.wants_focus > 0 {
            self.wants_focus -= 1;
            field.request_focus();
            ui.ctx().request_repaint();
        }
        field.accessible_name(text!("console-line"));
    }

    /// How the line can go on, to be clicked; and what its word does.
    fn ways_ui(&mut self, ui: &mut Ui, completion: &Completion) {
        let word = self.line.split_whitespace().next().unwrap_or_default();
        if let Some(command) = EditCommand::of_word(word) {
            command_ui(ui, command);
        }
        if self.line.is_empty() || completion.words.is_empty() {
            return;
        }
        // However many they are, the panel stays as high as it is.
        let rolled = ScrollArea::vertical().id_salt("ways").max_height(WAYS).min_scrolled_height(0.0);
        rolled.show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
                for way in completion.words.iter().take(MOST_WAYS) {
                    if ui.add(IconButton::text(way).kind(ButtonKind::Plain).height(24.0)).clicked() {
                        self.take(completion, way, completion.then);
                        self.wants_focus = 2;
                    }
                }
                if completion.words.len() > MOST_WAYS {
                    let more = text!("console-more", count = completion.words.len() - MOST_WAYS);
                    ui.label(remark(more));
                }
            });
        });
    }

    /// Writes what all ways to go on have in common; of one way all of it.
    fn complete(&mut self, completion: &Completion) {
        match completion.words.as_slice() {
            [] => {}
            [only] => self.take(completion, only, completion.then),
            [first, others @ ..] => {
                let common = others.iter().fold(first.as_str(), |common, other| common_beginning(common, other));
                let written = self.line.len() - completion.start;
                if common.len() > written || (common.len() == written && !self.line.ends_with(common)) {
                    self.take(completion, common, "");
                }
            }
        }
    }

    fn take(&mut self, completion: &Completion, way: &str, then: &str) {
        let before = self.line.get(..completion.start).unwrap_or_default();
        self.write(format!("{before}{way}{then}"));
    }

    fn write(&mut self, line: String) {
        self.line = line;
        self.is_changed = true;
    }

    /// Goes back or forth in what was said.
    fn recall(&mut self, edits: &[ManualEdit], by: isize) {
        let to = self.recalled.saturating_add_signed(by).min(edits.len());
        if to == self.recalled {
            return;
        }
        if self.recalled == 0 {
            self.draft = std::mem::take(&mut self.line);
        }
        self.recalled = to;
        let line = match edits.len().checked_sub(to).and_then(|index| edits.get(index)) {
            Some(edit) if to > 0 => edit.text.clone(),
            _ => std::mem::take(&mut self.draft),
        };
        self.write(line);
    }
}

fn common_beginning<'a>(edit: &'a str, other: &str) -> &'a str {
    let same = edit.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let length = same.map(|(letter, _)| letter.len_utf8()).sum();
    edit.get(..length).unwrap_or_default()
}

fn command_ui(ui: &mut Ui, command: EditCommand) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(command.form()).monospace().size(size::SMALL));
        ui.label(remark(help_of(command)));
    });
}

/// What a command does, in the language of the window.
fn help_of(command: EditCommand) -> String {
    match command {
        EditCommand::Set => text!("console-set"),
        EditCommand::Owner => text!("console-owner"),
        EditCommand::Exchange => text!("console-exchange"),
        EditCommand::Strip => text!("console-strip"),
        EditCommand::Add => text!("console-add"),
        EditCommand::Move => text!("console-move"),
        EditCommand::Remove => text!("console-remove"),
        EditCommand::Dice => text!("console-dice"),
        EditCommand::Phase => text!("console-phase"),
        EditCommand::Turn => text!("console-turn"),
        EditCommand::Run => text!("console-run"),
    }
}

/// What was said, and what came of it.
fn edit_ui(ui: &mut Ui, edits: &ManualEdit) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        let (icon, colour) = match &edits.result {
            None => (Icon::Clock, palette.muted),
            Some(Ok(_)) => (Icon::Check, palette.good),
            Some(Err(_)) => (Icon::Error, palette.danger),
        };
        icon_ui(ui, icon, 16.0, colour);
        ui.label(RichText::new(&edits.text).monospace().size(size::SMALL));
        match &edits.result {
            Some(Ok(printed)) if !printed.is_empty() => _ = ui.small(printed),
            Some(Err(wrong)) => _ = ui.label(with_code(wrong, size::SMALL, palette.danger)),
            _ => {}
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(texts: &[&str]) -> Vec<ManualEdit> {
        let edit = |text: &&str| ManualEdit {
            text: (*text).to_owned(),
            result: None,
        };
        texts.iter().map(edit).collect()
    }

    #[test]
    fn the_arrows_go_through_what_was_said_and_back_to_what_was_being_written() {
        let edits = edits(&["turn red", "phase attack"]);
        let mut console = Console {
            line: "di".to_owned(),
            ..Console::default()
        };
        let mut lines = Vec::new();
        for by in [1, 1, 1, -1, -1, -1] {
            console.recall(&edits, by);
            lines.push(console.line.clone());
        }
        assert_eq!(lines, ["phase attack", "turn red", "turn red", "phase attack", "di", "di"]);
    }

    #[test]
    fn completion_writes_what_all_ways_have_in_common_and_a_single_way_to_its_end() {
        let words = |words: &[&str], then| Completion {
            start: 5,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            then,
        };
        let mut console = Console {
            line: "turn gr".to_owned(),
            ..Console::default()
        };
        console.complete(&words(&["green", "greyish"], " = "));
        assert_eq!(console.line, "turn gre");
        console.complete(&words(&["green", "greyish"], " = "));
        assert_eq!(console.line, "turn gre");
        console.complete(&words(&["green"], " = "));
        assert_eq!(console.line, "turn green = ");
        console.complete(&words(&[], ""));
        assert_eq!(console.line, "turn green = ");
    }
}
