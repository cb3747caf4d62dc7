//! Who sits where, whose turn it is, who is thinking.

use egui::{Align, ComboBox, Layout, Popup, Slider, Ui, vec2};

use super::thinking::thinking_ui;
use crate::client::messages::Command;
use crate::model::{Frame, SeatId, State};
use crate::ui::desk::Desk;
use crate::ui::players::{Choice, SORTS, sort};
use crate::ui::texts::text;
use crate::ui::theme::{Icon, IconButton, MenuRow, Palette, chip_ui, heading_ui, seat_mark_ui, size, space, strong};
use crate::ui::wish::Wish;

/// Shows the seats; who plays can be changed at any time.
pub fn seats_ui(ui: &mut Ui, desk: &Desk, state: &State, wishes: &mut Vec<Wish>) {
    let mirror = desk.mirror();
    let frame = state.frame();
    let strategies = mirror.description().map_or(&[][..], |description| &description.strategies);
    ui.horizontal(|ui| {
        heading_ui(ui, Icon::Person, &text!("form-seats"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if frame.seats.len() == 2 {
                let swap = IconButton::icon(Icon::Swap, text!("seats-swap")).height(28.0);
                if ui.add(swap).clicked() {
                    wishes.push(Wish::Send(Command::Swap {
                        a: SeatId(0),
                        b: SeatId(1),
                    }));
                }
            }
            let has_computers = mirror.players().iter().any(|player| !Choice::read(player).is_person());
            if has_computers {
                let (icon, label) = if mirror.is_paused() {
                    (Icon::Play, text!("seats-go-on"))
                } else {
                    (Icon::Pause, text!("seats-wait"))
                };
                if ui.add(IconButton::icon(icon, label).height(28.0)).clicked() {
                    wishes.push(Wish::Send(Command::Pause {
                        paused: !mirror.is_paused(),
                    }));
                }
            }
        });
    });
    if mirror.players().iter().any(|player| !Choice::read(player).is_person()) {
        pace_ui(ui, mirror.pace(), wishes);
    }
    for (index, declared) in frame.seats.iter().enumerate() {
        let seat = SeatId::from_index(index);
        let palette = Palette::of(ui.visuals());
        let is_acting = state.acting().contains(seat);
        ui.horizontal(|ui| {
            seat_mark_ui(ui, Palette::seat(declared.colour, index), index, 22.0);
            let name = if is_acting {
                strong(&*declared.title)
            } else {
                egui::RichText::new(&*declared.title)
            };
            ui.label(name);
            if state.eliminated().contains(seat) {
                chip_ui(ui, &text!("seats-out"), palette.muted);
            } else if is_acting {
                chip_ui(ui, &text!("seats-to-act"), palette.accent);
            }
            let count = state.in_play(seat);
            if count > 0 {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.weak(text!("seats-pieces", count = count));
                });
            }
        });
        if let Some(player) = mirror.players().get(index) {
            let mut choice = Choice::read(player);
            let room = vec2(ui.available_width(), ui.spacing().interact_size.y);
            let row = ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
                if frame.seats.len() > 2 {
                    swap_ui(ui, frame, seat, wishes);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    player_ui(ui, &declared.title, &mut choice, strategies, ("seat", index))
                })
            });
            if row.inner.inner {
                wishes.push(Wish::Send(Command::Assign {
                    seat,
                    player: choice.text(),
                }));
            }
        }
        let is_computer = mirror.players().get(index).is_some_and(|player| !Choice::read(player).is_person());
        let now = mirror.thinking().get(&seat);
        if let Some(report) = now.or_else(|| desk.thoughts().get(&seat).filter(|_| is_computer && !mirror.is_paused())) {
            thinking_ui(ui, report, now.is_some(), Palette::seat(declared.colour, index), wishes);
        }
        ui.add_space(space::XS);
    }
}

/// A menu of the seats that one may change places with.
fn swap_ui(ui: &mut Ui, frame: &Frame, a: SeatId, wishes: &mut Vec<Wish>) {
    let button = IconButton::icon(Icon::Swap, text!("seats-swap-with", seat = frame.seat_title(a).to_string())).height(28.0);
    let button = ui.add(button);
    Popup::menu(&button).show(|ui| {
        for (index, declared) in frame.seats.iter().enumerate() {
            let b = SeatId::from_index(index);
            if b != a && ui.add(MenuRow::new(Icon::Swap, &*declared.title)).clicked() {
                wishes.push(Wish::Send(Command::Swap { a, b }));
            }
        }
    });
}

/// How long computer players wait before they act, in milliseconds.
const PACES: [u64; 5] = [0, 500, 1000, 2500, 6000];

/// The least time between an action and the next one of a computer player.
fn pace_ui(ui: &mut Ui, pace: u64, wishes: &mut Vec<Wish>) {
    let palette = Palette::of(ui.visuals());
    let name = |pace: u64| match pace {
        0 => text!("pace-at-once"),
        pace => text!("pace-seconds", seconds = pace as f64 / 1000.0),
    };
    ui.horizontal(|ui| {
        let label = egui::RichText::new(text!("pace-short")).size(size::SMALL).color(palette.muted);
        ui.label(label);
        let mut wanted = pace;
        let combo = ComboBox::from_id_salt("pace")
            .selected_text(name(pace))
            .width(96.0)
            .show_ui(ui, |ui| {
                for choice in PACES {
                    ui.selectable_value(&mut wanted, choice, name(choice));
                }
            });
        combo.response.accessible_name(text!("pace"));
        if wanted != pace {
            wishes.push(Wish::Send(Command::Pace { milliseconds: wanted }));
        }
    });
}

/// The height up to which the list of players is shown whole, in points.
const MOST_OF_LIST: f32 = 420.0;

/// A form for who plays a seat; true if it was changed.
pub fn player_ui(ui: &mut Ui, seat: &str, choice: &mut Choice, strategies: &[String], salt: impl egui::AsIdSalt) -> bool {
    let mut wanted = choice.clone();
    ui.horizontal(|ui| {
        let title = sort(&choice.word).map_or_else(|| choice.title(), |sort| (sort.title)());
        let label = text!("seats-player-of", seat = seat);
        let combo = ComboBox::from_id_salt(salt)
            .selected_text(title)
            .width(132.0)
            .height(MOST_OF_LIST)
            .show_ui(ui, |ui| {
                for sort in &SORTS {
                    let chosen = ui
                        .selectable_label(choice.word == sort.word, (sort.title)())
                        .on_hover_text((sort.line)());
                    if chosen.clicked() {
                        wanted = choice.with_word(sort.word);
                    }
                }
                for name in strategies {
                    let chosen = ui.selectable_label(choice.word == *name, text!("player-strategy", name = name.as_str()));
                    if chosen.on_hover_text(text!("player-strategy-line")).clicked() {
                        wanted = choice.with_word(name);
                    }
                }
            });
        combo.response.accessible_name(label);
        if let (Some(level), Some((low, high))) = (wanted.level.as_mut(), sort(&choice.word).and_then(|sort| sort.levels)) {
            ui.spacing_mut().slider_width = (ui.available_width() - 76.0).clamp(40.0, 110.0);
            let slider = ui.add(Slider::new(level, low..=high).step_by(1.0).update_while_editing(false));
            slider
                .on_hover_text(text!("seats-level"))
                .accessible_name(text!("seats-level-of", seat = seat));
        }
    });
    let changed = wanted != *choice;
    *choice = wanted;
    changed
}
