//! The head of a match: what is played, and what can be done at any time.

use egui::{Align, Label, Layout, RichText, Ui};

use super::MatchScreen;
use boardwright_protocol::{Command, Description};
use boardwright_model::State;
use crate::keys::{Act, key_of};
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, chip_ui, size, space, title};
use crate::wish::Wish;

/// How much of the head must be left for its buttons to say their words.
const ROOM_FOR_WORDS: f32 = 620.0;
/// How much must be left for the title of the scenario, and for the round.
const ROOM_FOR_SCENARIO: f32 = 60.0;
const ROOM_FOR_ROUND: f32 = 90.0;

impl MatchScreen {
    pub(super) fn head_ui(
        &self,
        ui: &mut Ui,
        description: &Description,
        state: &State,
        wishes: &mut Vec<Wish>,
        corner: impl FnOnce(&mut Ui),
    ) {
        ui.horizontal(|ui| {
            ui.set_min_height(36.0);
            if ui.add(IconButton::icon(Icon::Back, text!("match-leave"))).clicked() {
                wishes.push(Wish::Leave);
            }
            // The buttons take what they need; the titles get what is left of the line.
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = space::XS;
                corner(ui);
                ui.add_space(space::S);
                self.tools_ui(ui, state, wishes);
                ui.add_space(space::S);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| self.titles_ui(ui, description, state));
            });
        });
    }

    pub(super) fn titles_ui(&self, ui: &mut Ui, description: &Description, state: &State) {
        let palette = Palette::of(ui.visuals());
        let mirror = self.desk.mirror();
        ui.spacing_mut().item_spacing.x = space::S;
        ui.add(Label::new(title(&description.title, size::TITLE)).truncate());
        if description.rated {
            chip_ui(ui, &text!("match-rated"), palette.accent).on_hover_text(text!("match-rated-line"));
        }
        let first = self.desk.first();
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
    }

    pub(super) fn tools_ui(&self, ui: &mut Ui, state: &State, wishes: &mut Vec<Wish>) {
        let mirror = self.desk.mirror();
        let is_narrow = ui.available_width() < ROOM_FOR_WORDS;
        let tool = |icon, label: String| {
            if is_narrow {
                IconButton::icon(icon, label)
            } else {
                IconButton::with_text(icon, label)
            }
        };
        self.tools_menu_ui(ui, state, wishes);
        if ui
            .add(IconButton::icon(Icon::Save, text!("match-save")).hint(key_of(Act::Save)))
            .clicked()
        {
            wishes.push(Wish::Save);
        }
        let label = if self.desk.awaits_hint() {
            text!("match-hint-awaited")
        } else {
            text!("match-hint")
        };
        if ui
            .add_enabled(self.can_hint(), tool(Icon::Hint, label).hint(key_of(Act::Hint)))
            .clicked()
        {
            wishes.push(Wish::Hint);
        }
        let redo = tool(Icon::Redo, text!("match-redo")).hint(key_of(Act::Redo));
        if ui.add_enabled(mirror.at() < mirror.length(), redo).clicked() {
            wishes.push(Wish::Send(Command::Redo));
        }
        let undo = tool(Icon::Undo, text!("match-undo")).hint(key_of(Act::Undo));
        if ui.add_enabled(mirror.at() > self.desk.first(), undo).clicked() {
            wishes.push(Wish::Send(Command::Undo));
        }
    }
}
