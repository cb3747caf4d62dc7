//! The list of what was played, by rounds, with the buttons that go through it.

use egui::{Align, Color32, FontFamily, FontId, Id, Layout, Rect, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::send;
use crate::command::UiCommand;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, bold, from_right_ui, heading_ui, size, space, title, veil};
use boardwright_client::Mirror;
use boardwright_protocol::{Command, HistoryEntry};

/// How high and wide a button in the head is, in points.
const BUTTON: f32 = 28.0;

/// Shows the history; play begins at the position `first`. A click on an entry goes to the position after it. `has_bar` is whether the
/// bar for looking back is shown, which has the buttons that go through it.
pub(crate) fn history_ui(ui: &mut Ui, mirror: &Mirror, first: usize, has_bar: bool, commands: &mut Vec<UiCommand>) {
    let (at, length) = (mirror.at(), mirror.length());
    let needed = BUTTON * if has_bar { 1.0 } else { 6.0 };
    let fits = ui.horizontal(|ui| {
        heading_ui(ui, Icon::History, &text!("history"));
        let fits = ui.available_width() >= needed;
        if fits {
            from_right_ui(ui, |ui| steps_ui(ui, mirror, first, has_bar, commands));
        }
        fits
    });
    if !fits.inner {
        ui.allocate_ui_with_layout(vec2(ui.available_width(), BUTTON), Layout::right_to_left(Align::Center), |ui| {
            steps_ui(ui, mirror, first, has_bar, commands);
        });
    }
    let palette = Palette::of(ui.visuals());
    let says_something = |entry: &&HistoryEntry| {
        entry.seat.is_some() || !entry.notation.is_empty() || !entry.remarks.is_empty() || !entry.next_turn.is_empty()
    };
    let shown: Vec<_> = mirror.history().iter().filter(says_something).collect();
    if shown.is_empty() {
        ui.weak(text!("history-empty"));
        return;
    }
    // The list rolls to where it is looked at, whenever that has changed.
    let id = Id::unique("history position");
    let before = ui.data_mut(|data| data.get_temp::<usize>(id));
    ui.data_mut(|data| data.insert_temp(id, at));
    let has_changed = before != Some(at) && at < length;
    ScrollArea::vertical()
        .id_salt("history")
        .auto_shrink([false, false])
        .stick_to_bottom(at == length)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(space::XS, 2.0);
            let mut round = None;
            for entry in shown {
                if round != Some(entry.round) && entry.round > 0 {
                    round = Some(entry.round);
                    ui.add_space(space::XS);
                    ui.label(title(text!("match-round", round = entry.round), size::SMALL).color(palette.muted));
                }
                entry_ui(ui, mirror, entry, first, has_changed, commands);
            }
        });
}

/// The buttons that go through the history, from the right to the left.
fn steps_ui(ui: &mut Ui, mirror: &Mirror, first: usize, has_bar: bool, commands: &mut Vec<UiCommand>) {
    let (at, length) = (mirror.at(), mirror.length());
    ui.spacing_mut().item_spacing.x = 0.0;
    let steps = [
        (Icon::Last, text!("history-newest"), at < length, length),
        (Icon::Next, text!("history-forward"), at < length, at + 1),
        (Icon::Previous, text!("history-back"), at > first, at.saturating_sub(1)),
        (Icon::First, text!("history-beginning"), at > first, first),
    ];
    let chart = IconButton::icon(Icon::Chart, text!("chart-title")).height(BUTTON);
    if ui.add_enabled(length > first, chart).clicked() {
        commands.push(UiCommand::ShowStatistics);
    }
    let look_back = IconButton::icon(Icon::Eye, text!("history-look-back")).height(BUTTON);
    if !has_bar && ui.add_enabled(length > first, look_back).clicked() {
        commands.push(UiCommand::OpenReplay);
    }
    for (icon, label, enabled, position) in steps.into_iter().filter(|_| !has_bar) {
        if ui.add_enabled(enabled, IconButton::icon(icon, label).height(BUTTON)).clicked() {
            commands.push(send(Command::GoTo { position }));
        }
    }
}

/// The text of an entry: the notation of the ruleset, or the edit.
fn words_of(entry: &HistoryEntry) -> String {
    if !entry.by_hand {
        return entry.notation.to_string();
    }
    match entry.notation.split_once(": ") {
        Some((_, what)) => text!("history-by-hand", what = what),
        None => text!("history-changed-by-hand"),
    }
}

fn entry_ui(ui: &mut Ui, mirror: &Mirror, entry: &HistoryEntry, first: usize, has_changed: bool, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    let (at, position) = (mirror.at(), entry.event + 1);
    let (is_present, is_past) = (position == at, position <= at);
    let seat = entry
        .seat
        .and_then(|seat| Some((seat, mirror.declarations()?.seats.get(seat.index())?)));
    let text = if is_past { palette.text } else { palette.muted };
    let family = if is_present { bold() } else { FontFamily::Proportional };
    let width = ui.available_width();
    let lay_out = |words: &String, font, colour| ui.painter().layout(words.clone(), font, colour, width - 40.0);
    let mut remarks = entry.remarks.join(" · ");
    for drawn in &entry.next_turn {
        if !remarks.is_empty() {
            remarks.push('\n');
        }
        let title = mirror.declarations().map(|declarations| declarations.seat_title(drawn.seat));
        remarks.push_str(&format!("{}: {}", title.unwrap_or_default(), drawn.text));
    }
    let notation = words_of(entry);
    let galley = lay_out(&notation, FontId::new(size::BODY, family), text);
    let remark = (!remarks.is_empty()).then(|| lay_out(&remarks, FontId::proportional(size::SMALL), palette.muted));
    let height = galley.size().y + remark.as_ref().map_or(0.0, |remark| remark.size().y) + 8.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let who = seat.map_or_else(String::new, |(_, declared)| format!("{}: ", declared.title));
    response.widget_info(|| {
        let label = format!("{}. {who}{notation} {remarks}", position.saturating_sub(first));
        WidgetInfo::selected(Role::ListItem, true, is_present, label.trim_end())
    });
    if is_present && has_changed {
        response.scroll_to_me(None);
    }
    if ui.is_rect_visible(rect) {
        let fill = if is_present {
            veil(palette.accent, 0.18)
        } else if response.hovered() || response.has_focus() {
            palette.raised
        } else {
            Color32::TRANSPARENT
        };
        let painter = ui.painter();
        painter.rect_filled(rect, 6, fill);
        let middle = rect.left_top() + vec2(14.0, 4.0 + galley.size().y / 2.0);
        if let Some((seat, declared)) = seat {
            let colour = Palette::seat(declared.colour, seat.index());
            painter.circle_filled(middle, 5.0, if is_past { colour } else { veil(colour, 0.45) });
            painter.circle_stroke(middle, 5.0, Stroke::new(1.0, veil(palette.text, 0.35)));
        }
        if entry.by_hand {
            let sign = Rect::from_center_size(middle, vec2(16.0, 16.0));
            Icon::Gear.paint(painter, sign, if is_past { palette.warning } else { palette.muted });
        }
        let corner = rect.left_top() + vec2(28.0, 4.0);
        if let Some(remark) = remark {
            painter.galley(corner + vec2(0.0, galley.size().y), remark, palette.muted);
        }
        painter.galley(corner, galley, text);
    }
    if response.clicked() && !is_present {
        commands.push(send(Command::GoTo { position }));
    }
}
