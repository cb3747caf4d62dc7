//! The form in which the settings are changed.

use egui::{Align, Label, Layout, RichText, ScrollArea, ThemePreference, Ui, vec2};

use super::{Motion, Settings, TextSize};
use crate::keys::{Act, key_of};
use crate::sound::Volume;
use crate::texts::{Language, text};
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, SEAT_COLOURS, SeatColours, from_right_ui, heading_ui, label_in_ui, seat_mark_ui, segments_ui,
    space, titled_dialog_ui,
};

/// The width of the labels before the choices, in points.
const WORDS: f32 = 150.0;
/// How high a line is, in points.
const HEIGHT: f32 = 34.0;
/// The side of the sign of a seat, in points.
const MARK: f32 = 28.0;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SettingsForm {
    is_shown: bool,
}

impl SettingsForm {
    pub(crate) fn show(&mut self) {
        self.is_shown = true;
    }

    pub(crate) fn is_shown(self) -> bool {
        self.is_shown
    }

    /// Shows the form; true if the player wants to see the keys. `has_speaker` is whether anything can be heard.
    pub(crate) fn ui(&mut self, ui: &Ui, settings: &mut Settings, has_speaker: bool) -> bool {
        if !self.is_shown {
            return false;
        }
        let window = ui.ctx().content_rect();
        let (mut is_done, mut keys) = (false, false);
        let is_open = titled_dialog_ui(ui, "settings", text!("settings"), (window.width() - 100.0).min(580.0), |ui| {
            let height = window.height() - 170.0;
            ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = space::S;
                    window_ui(ui, settings);
                    ui.separator();
                    board_ui(ui, settings);
                    ui.separator();
                    play_ui(ui, settings, has_speaker);
                });
            ui.add_space(space::M);
            ui.horizontal(|ui| {
                let map = IconButton::with_text(Icon::Keyboard, text!("keys-title")).hint(key_of(Act::Shortcuts));
                keys = ui.add(map).clicked();
                let done = IconButton::text(text!("settings-done")).kind(ButtonKind::Primary);
                is_done = from_right_ui(ui, |ui| ui.add(done)).clicked();
            });
        });
        self.is_shown = is_open && !is_done && !keys;
        keys
    }
}

/// A line of the form: what it is about, and the choice.
fn line_ui(ui: &mut Ui, words: String, choice: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(HEIGHT);
        label_in_ui(ui, vec2(WORDS, HEIGHT), Label::new(RichText::new(words).weak()).wrap());
        ui.horizontal(choice);
    });
}

/// A line with a choice among a few values.
fn choice_ui<T: PartialEq + Clone>(ui: &mut Ui, about: &str, chosen: &mut T, choices: &[(T, String)]) {
    line_ui(ui, about.to_owned(), |ui| _ = segments_ui(ui, about, chosen, choices));
}

/// A line with a box to be ticked.
fn tick_ui(ui: &mut Ui, is_on: &mut bool, words: String) {
    line_ui(ui, String::new(), |ui| _ = ui.checkbox(is_on, words));
}

fn window_ui(ui: &mut Ui, settings: &mut Settings) {
    heading_ui(ui, Icon::Eye, &text!("settings-window"));
    let themes = [
        (ThemePreference::System, text!("settings-colours-system")),
        (ThemePreference::Light, text!("settings-colours-light")),
        (ThemePreference::Dark, text!("settings-colours-dark")),
    ];
    choice_ui(ui, &text!("settings-colours"), &mut settings.theme, &themes);
    line_ui(ui, text!("settings-text-size"), |ui| {
        let size = settings.text_size;
        let smaller = IconButton::icon(Icon::ZoomOut, text!("settings-text-smaller")).hint(key_of(Act::SmallerText));
        if ui.add_enabled(size > TextSize::SMALLEST, smaller.kind(ButtonKind::Plain)).clicked() {
            settings.text_size = size.smaller();
        }
        ui.add_sized([56.0, 32.0], Label::new(text!("settings-percent", percent = size.percent())));
        let larger = IconButton::icon(Icon::ZoomIn, text!("settings-text-larger")).hint(key_of(Act::LargerText));
        if ui.add_enabled(size < TextSize::LARGEST, larger.kind(ButtonKind::Plain)).clicked() {
            settings.text_size = size.larger();
        }
    });
    let mut languages = vec![(None, text!("settings-language-system"))];
    languages.extend(Language::ALL.map(|language| (Some(language), language.name().to_owned())));
    choice_ui(ui, &text!("settings-language"), &mut settings.language, &languages);
}

fn board_ui(ui: &mut Ui, settings: &mut Settings) {
    heading_ui(ui, Icon::Layers, &text!("settings-board"));
    let colours = [
        (SeatColours::Declared, text!("settings-seats-declared")),
        (SeatColours::Safe, text!("settings-seats-safe")),
    ];
    choice_ui(ui, &text!("settings-seats"), &mut settings.seats.colours, &colours);
    line_ui(ui, String::new(), |ui| {
        ui.vertical(|ui| {
            ui.checkbox(&mut settings.seats.has_patterns, text!("settings-patterns"));
            // The colours of the rules are each ruleset's own. The room is kept for them, so that the dialog stays as large as it is.
            let row = vec2(ui.available_width(), MARK);
            ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_height(MARK);
                let shown = if settings.seats.colours == SeatColours::Safe {
                    SEAT_COLOURS.len()
                } else {
                    0
                };
                for index in 0..shown {
                    seat_mark_ui(ui, Palette::seat(&[], index), index, MARK);
                }
            });
        });
    });
    tick_ui(ui, &mut settings.shows_names, text!("settings-shows-names"));
}

fn play_ui(ui: &mut Ui, settings: &mut Settings, has_speaker: bool) {
    heading_ui(ui, Icon::Play, &text!("settings-play"));
    let volumes = [
        (Volume::Off, text!("settings-sounds-off")),
        (Volume::Quiet, text!("settings-sounds-quiet")),
        (Volume::Normal, text!("settings-sounds-normal")),
        (Volume::Loud, text!("settings-sounds-loud")),
    ];
    if has_speaker {
        choice_ui(ui, &text!("settings-sounds"), &mut settings.volume, &volumes);
    } else {
        line_ui(ui, text!("settings-sounds"), |ui| _ = ui.weak(text!("settings-sounds-none")));
    }
    let speeds = [
        (Motion::Off, text!("settings-motion-off")),
        (Motion::Slow, text!("settings-motion-slow")),
        (Motion::Normal, text!("settings-motion-normal")),
        (Motion::Fast, text!("settings-motion-fast")),
    ];
    choice_ui(ui, &text!("settings-motion"), &mut settings.motion, &speeds);
    tick_ui(ui, &mut settings.confirm_moves, text!("settings-confirm-moves"));
    tick_ui(ui, &mut settings.hands_over, text!("settings-hand-over"));
}
