//! The form in which the settings are changed.

use egui::{Align, Layout, RichText, ScrollArea, ThemePreference, Ui, vec2};

use super::{Motion, Settings, TextSize};
use crate::keys::{Act, key_of};
use crate::sound::Volume;
use crate::texts::{Language, text};
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, SEAT_COLOURS, SeatColours, dialog_ui, heading_ui, seat_mark_ui, segments_ui, size, space, title,
};

/// The width of the labels before the choices, in points.
const WORDS: f32 = 150.0;
/// How high a line is, in points.
const HEIGHT: f32 = 34.0;

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
        let (mut closes, mut keys) = (false, false);
        let modal = dialog_ui(ui, "settings", |ui| {
            ui.set_width((window.width() - 100.0).min(580.0));
            ui.horizontal(|ui| {
                ui.label(title(text!("settings"), size::TITLE));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    closes = ui.add(IconButton::icon(Icon::Close, text!("dialog-close")).height(28.0)).clicked();
                });
            });
            ui.add_space(space::S);
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
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let done = IconButton::text(text!("settings-done")).kind(ButtonKind::Primary);
                    closes |= ui.add(done).clicked();
                });
            });
        });
        if closes || keys || modal.should_close() {
            self.is_shown = false;
        }
        keys
    }
}

/// A line of the form: what it is about, and the choice.
fn line_ui(ui: &mut Ui, words: String, choice: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(HEIGHT);
        ui.allocate_ui_with_layout(vec2(WORDS, HEIGHT), Layout::left_to_right(Align::Center), |ui| {
            ui.set_width(WORDS);
            let palette = Palette::of(ui.visuals());
            ui.add(egui::Label::new(RichText::new(words).color(palette.muted)).wrap());
        });
        ui.horizontal(choice);
    });
}

fn window_ui(ui: &mut Ui, settings: &mut Settings) {
    heading_ui(ui, Icon::Eye, &text!("settings-window"));
    line_ui(ui, text!("settings-colours"), |ui| {
        let choices = [
            (ThemePreference::System, text!("settings-colours-system")),
            (ThemePreference::Light, text!("settings-colours-light")),
            (ThemePreference::Dark, text!("settings-colours-dark")),
        ];
        segments_ui(ui, &text!("settings-colours"), &mut settings.theme, &choices);
    });
    line_ui(ui, text!("settings-text-size"), |ui| {
        let size = settings.text_size;
        let smaller = IconButton::icon(Icon::ZoomOut, text!("settings-text-smaller")).kind(ButtonKind::Plain);
        if ui
            .add_enabled(size > TextSize::SMALLEST, smaller.hint(key_of(Act::SmallerText)))
            .clicked()
        {
            settings.text_size = size.smaller();
        }
        ui.add_sized([56.0, 32.0], egui::Label::new(text!("settings-percent", percent = size.percent())));
        let larger = IconButton::icon(Icon::ZoomIn, text!("settings-text-larger")).kind(ButtonKind::Plain);
        if ui
            .add_enabled(size < TextSize::LARGEST, larger.hint(key_of(Act::LargerText)))
            .clicked()
        {
            settings.text_size = size.larger();
        }
    });
    line_ui(ui, text!("settings-language"), |ui| {
        let mut choices = vec![(None, text!("settings-language-system"))];
        choices.extend(Language::ALL.map(|language| (Some(language), language.name().to_owned())));
        segments_ui(ui, &text!("settings-language"), &mut settings.language, &choices);
    });
}

fn board_ui(ui: &mut Ui, settings: &mut Settings) {
    heading_ui(ui, Icon::Layers, &text!("settings-board"));
    line_ui(ui, text!("settings-seats"), |ui| {
        let choices = [
            (SeatColours::Declared, text!("settings-seats-declared")),
            (SeatColours::Safe, text!("settings-seats-safe")),
        ];
        segments_ui(ui, &text!("settings-seats"), &mut settings.seats.colours, &choices);
    });
    line_ui(ui, String::new(), |ui| {
        ui.vertical(|ui| {
            ui.checkbox(&mut settings.seats.has_patterns, text!("settings-patterns"));
            ui.horizontal(|ui| {
                for index in 0..SEAT_COLOURS.len() {
                    seat_mark_ui(ui, Palette::seat(0, index), index, 28.0);
                }
            });
        });
    });
    line_ui(ui, String::new(), |ui| {
        ui.checkbox(&mut settings.shows_names, text!("settings-shows-names"));
    });
}

fn play_ui(ui: &mut Ui, settings: &mut Settings, has_speaker: bool) {
    heading_ui(ui, Icon::Play, &text!("settings-play"));
    line_ui(ui, text!("settings-sounds"), |ui| {
        let choices = Volume::ALL.map(|volume| {
            let words = match volume {
                Volume::Off => text!("settings-sounds-off"),
                Volume::Quiet => text!("settings-sounds-quiet"),
                Volume::Usual => text!("settings-sounds-usual"),
                Volume::Loud => text!("settings-sounds-loud"),
            };
            (volume, words)
        });
        if has_speaker {
            segments_ui(ui, &text!("settings-sounds"), &mut settings.volume, &choices);
        } else {
            let palette = Palette::of(ui.visuals());
            ui.label(RichText::new(text!("settings-sounds-none")).color(palette.muted));
        }
    });
    line_ui(ui, text!("settings-motion"), |ui| {
        let choices = Motion::ALL.map(|motion| {
            let words = match motion {
                Motion::Off => text!("settings-motion-off"),
                Motion::Slow => text!("settings-motion-slow"),
                Motion::Usual => text!("settings-motion-usual"),
                Motion::Fast => text!("settings-motion-fast"),
            };
            (motion, words)
        });
        segments_ui(ui, &text!("settings-motion"), &mut settings.motion, &choices);
    });
    line_ui(ui, String::new(), |ui| {
        ui.checkbox(&mut settings.plays_at_once, text!("settings-plays-at-once"));
    });
}
