//! The bar below the board while it is looked back: to and fro by hand and by itself, compared with the present, and on from here.

use egui::{Color32, ComboBox, RichText, Slider, Ui};

use boardwright_client::Mirror;
use boardwright_protocol::Command;
use crate::keys::{Act, key_of};
use crate::replay::{Replay, SPEEDS};
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, size, space};
use crate::wish::Wish;

/// How much room the bar needs to be one line.
const ONE_LINE: f32 = 900.0;
/// How much room the choices need beside one another with their words, and how much the last of them need in one line.
const WORDS: f32 = 520.0;
const CHOICES: f32 = 545.0;

/// Shows the bar; play begins at the position `first`.
pub fn replay_ui(ui: &mut Ui, replay: &mut Replay, mirror: &Mirror, first: usize, can_compare: bool, wishes: &mut Vec<Wish>) {
    if ui.available_width() >= ONE_LINE {
        ui.horizontal(|ui| {
            transport_ui(ui, replay, mirror, first, CHOICES, wishes);
            ui.add_space(space::M);
            more_ui(ui, replay, mirror, can_compare, wishes);
        });
    } else {
        ui.horizontal(|ui| transport_ui(ui, replay, mirror, first, 40.0, wishes));
        ui.horizontal_wrapped(|ui| more_ui(ui, replay, mirror, can_compare, wishes));
    }
}

/// To and fro. `rest` is how much room is kept free behind the slider.
fn transport_ui(ui: &mut Ui, replay: &Replay, mirror: &Mirror, first: usize, rest: f32, wishes: &mut Vec<Wish>) {
    let palette = Palette::of(ui.visuals());
    let (at, length) = (mirror.at(), mirror.length());
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 2.0);
    let mut go = |ui: &mut Ui, icon, label: String, act, enabled, position| {
        let button = IconButton::icon(icon, label).hint(key_of(act)).height(30.0);
        if ui.add_enabled(enabled, button).clicked() {
            wishes.push(Wish::Send(Command::GoTo { position }));
        }
    };
    let (back, forth) = (at.saturating_sub(1), at + 1);
    go(ui, Icon::First, text!("replay-beginning"), Act::Beginning, at > first, first);
    go(ui, Icon::Previous, text!("replay-back"), Act::StepBack, at > first, back);
    let (icon, label) = if replay.is_running() {
        (Icon::Pause, text!("replay-pause"))
    } else {
        (Icon::Play, text!("replay-run"))
    };
    let run = IconButton::icon(icon, label).hint(key_of(Act::Run)).kind(ButtonKind::Primary);
    let is_pressed = ui.add(run.height(30.0)).clicked();
    go(ui, Icon::Next, text!("replay-forward"), Act::StepForward, at < length, forth);
    go(ui, Icon::Last, text!("replay-newest"), Act::Newest, at < length, length);
    if is_pressed {
        wishes.push(Wish::Run(!replay.is_running()));
    }
    ui.spacing_mut().item_spacing.x = spacing;
    let (mut position, last) = (at.saturating_sub(first), length.saturating_sub(first));
    ui.spacing_mut().slider_width = (ui.available_width() - rest - 60.0).max(60.0);
    let slider = Slider::new(&mut position, 0..=last.max(1)).step_by(1.0).show_value(false);
    let moved = ui.add_enabled(last > 0, slider);
    let is_moved = moved.changed();
    moved.accessible_name(text!("replay-position"));
    if is_moved && position + first != at {
        wishes.push(Wish::Send(Command::GoTo {
            position: position + first,
        }));
    }
    let count = RichText::new(text!("replay-count", at = at.saturating_sub(first), of = last)).size(size::SMALL);
    ui.label(count.color(palette.muted));
}

/// Speed, comparing, going on.
fn more_ui(ui: &mut Ui, replay: &mut Replay, mirror: &Mirror, can_compare: bool, wishes: &mut Vec<Wish>) {
    let is_back = mirror.at() < mirror.length();
    let is_narrow = ui.available_width() < WORDS;
    let button = |icon, label: String| {
        if is_narrow {
            IconButton::icon(icon, label).kind(ButtonKind::Plain)
        } else {
            IconButton::with_text(icon, label)
        }
    };
    let chosen = text!("replay-times", speed = times(replay.speed));
    let combo = ComboBox::from_id_salt("replay speed")
        .selected_text(chosen)
        .width(58.0)
        .show_ui(ui, |ui| {
            for speed in SPEEDS {
                ui.selectable_value(&mut replay.speed, speed, text!("replay-times", speed = times(speed)));
            }
        });
    combo.response.accessible_name(text!("replay-speed"));
    let compare = button(Icon::Compare, text!("replay-compare"))
        .selected(replay.compares)
        .hint(text!("replay-compare-line"))
        .height(30.0);
    if ui.add_enabled(can_compare, compare).clicked() {
        wishes.push(Wish::Compare(!replay.compares));
    }
    if replay.compares && can_compare {
        let label = if replay.shows_present {
            text!("replay-show-then")
        } else {
            text!("replay-show-now")
        };
        let flip = button(Icon::Swap, label).hint(key_of(Act::Compare)).height(30.0);
        if ui.add(flip).clicked() {
            replay.shows_present = !replay.shows_present;
        }
    }
    let go_on = IconButton::with_text(Icon::Branch, text!("replay-go-on")).hint(text!("replay-go-on-line"));
    if ui.add_enabled(is_back, go_on.height(30.0)).clicked() {
        wishes.push(Wish::GoOnFromHere);
    }
    if ui.add(IconButton::icon(Icon::Close, text!("replay-close")).height(30.0)).clicked() {
        wishes.push(Wish::ToPresent);
    }
}

/// A speed as people write it: ½, 2.
fn times(speed: u16) -> String {
    match speed {
        50 => "½".to_owned(),
        speed => (f64::from(speed) / 100.0).to_string(),
    }
}

/// What stands over the board while the present is shown in place of what is looked back at.
pub fn present_sign_ui(ui: &Ui, within: egui::Rect) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let font = egui::FontId::new(size::BODY, crate::theme::bold());
    let galley = painter.layout_no_wrap(text!("replay-is-now"), font, Color32::PLACEHOLDER);
    let rect = egui::Rect::from_center_size(within.center_top() + egui::vec2(0.0, 24.0), galley.size() + egui::vec2(24.0, 10.0));
    painter.rect_filled(rect, egui::CornerRadius::same(255), palette.warning);
    painter.galley(rect.center() - galley.size() / 2.0, galley, palette.surface);
}
