//! The list of what was played, by rounds, with the buttons that go through it. The rolls of a battle are one entry that unfolds.

use std::collections::BTreeSet;

use egui::{
    Align, Button, Color32, CursorIcon, FontFamily, FontId, Galley, Id, Label, Layout, Rect, Response, Role, ScrollArea, Sense, Stroke, Ui,
    Vec2, WidgetInfo, vec2,
};

use super::send;
use crate::command::UiCommand;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, bold, from_right_ui, heading_ui, seat_colour, size, space, title, veil};
use boardwright_client::Mirror;
use boardwright_model::{CellId, Declarations, PieceId};
use boardwright_protocol::{Command, ContestPart, EntryCause, HistoryEntry, PlainPart};

/// The widest column of notations beside sentences, as a share of the list.
const MOST_NOTATION: f32 = 0.3;
/// The most actions of a variation that are listed.
const MOST_OF_VARIATION: usize = 6;
/// How high and wide a button in the head is, in points.
const BUTTON: f32 = 28.0;
/// The side of the button that shows where something happened.
const EYE: f32 = 20.0;

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
        entry.cause != EntryCause::Host || !entry.notation.is_empty() || !entry.remarks.is_empty() || !entry.next_turn.is_empty()
    };
    let shown: Vec<_> = mirror.history().iter().filter(says_something).collect();
    if shown.is_empty() {
        ui.weak(text!("history-empty"));
        return;
    }
    // The list rolls to where it is looked at, whenever that or its room has changed, or it was not shown before.
    let id = Id::unique("history position");
    let frame = ui.ctx().cumulative_frame_nr();
    let seen = (at, length, ui.available_size().round());
    let before = ui.data(|data| data.get_temp::<(_, u64)>(id));
    ui.data_mut(|data| data.insert_temp(id, (seen, frame)));
    let has_changed = before.is_none_or(|(known, last)| seen != known || last + 1 < frame);
    // The rules may have done something since that is not listed.
    let past = shown.iter().rfind(|entry| entry.event < at).or(shown.first());
    let rolls_to = past.filter(|_| has_changed).map(|entry| entry.event);
    ScrollArea::vertical()
        .id_salt("history")
        .min_scrolled_height(0.0)
        .auto_shrink([false, false])
        .stick_to_bottom(at == length)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(space::XS, 2.0);
            let mut round = None;
            let unfolded = Id::unique("history unfolded");
            let mut open: BTreeSet<usize> = ui.data(|data| data.get_temp(unfolded)).unwrap_or_default();
            for battle in battles(&shown) {
                let [began, .., last] = battle else {
                    if let [entry] = battle {
                        round_ui(ui, entry, &mut round, palette);
                        entry_ui(ui, mirror, entry, None, (first, rolls_to), commands);
                    }
                    continue;
                };
                round_ui(ui, began, &mut round, palette);
                let rolls = battle.iter().filter(|entry| entry.contest == began.contest).count();
                // What is looked at is seen.
                let is_open = open.contains(&began.event) || (began.event + 1..=last.event).contains(&at);
                let hidden = if is_open { 0 } else { battle.len() - 1 };
                for entry in battle.iter().skip(hidden) {
                    let fold = (entry.event == last.event).then_some((rolls, is_open));
                    if entry_ui(ui, mirror, entry, fold, (first, rolls_to), commands) && !open.remove(&began.event) {
                        open.insert(began.event);
                    }
                }
            }
            ui.data_mut(|data| data.insert_temp(unfolded, open));
            variations_ui(ui, mirror, first, commands);
        });
}

/// The variations that leave the line, each with the number of its first action. Where undo is free, a click makes one the line.
fn variations_ui(ui: &mut Ui, mirror: &Mirror, first: usize, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    for (variation, events) in mirror.variations().iter().enumerate() {
        let Some(begin) = events.first() else { continue };
        if variation == 0 {
            ui.add_space(space::S);
            ui.label(title(text!("history-variations"), size::SMALL).color(palette.muted));
        }
        let shown: Vec<String> = events.iter().take(MOST_OF_VARIATION).map(entry_text).collect();
        let more = if events.len() > shown.len() { " …" } else { "" };
        let line = format!("{}. {}{more}", (begin.event + 1).saturating_sub(first), shown.join(" "));
        let room = vec2(ui.available_width(), BUTTON);
        if !mirror.undoes_freely() {
            ui.add(Label::new(line).truncate());
            continue;
        }
        ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
            let delete = IconButton::icon(Icon::Trash, text!("history-variation-delete", line = line.as_str())).height(BUTTON);
            if ui.add(delete).clicked() {
                commands.push(send(Command::DeleteVariation { variation }));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let promote = ui.add(Button::new(line).frame(false).truncate());
                if promote.on_hover_text(text!("history-variation-line")).clicked() {
                    commands.push(send(Command::PromoteVariation { variation }));
                }
            });
        });
    }
}

/// The heading of a round, before its first entry.
fn round_ui(ui: &mut Ui, entry: &HistoryEntry, round: &mut Option<u32>, palette: &Palette) {
    if *round != Some(entry.round) && entry.round > 0 {
        *round = Some(entry.round);
        ui.add_space(space::XS);
        ui.label(title(text!("match-round", round = entry.round), size::SMALL).color(palette.muted));
    }
}

/// The entries one by one, but those of a battle together: its rolls, with the answers to them.
fn battles<'s, 'e>(entries: &'s [&'e HistoryEntry]) -> Vec<&'s [&'e HistoryEntry]> {
    let (mut found, mut rest) = (Vec::new(), entries);
    while let [first, others @ ..] = rest {
        let is_part = |entry: &&&HistoryEntry| {
            let is_again = entry.contest == first.contest && entry.seat == first.seat;
            entry.round == first.round && (is_again || entry.contest == Some(ContestPart::Answer))
        };
        let more = match first.contest {
            Some(ContestPart::Over(_)) => others.iter().take_while(is_part).count(),
            Some(ContestPart::Answer) | None => 0,
        };
        let rolls = rest.iter().take(more + 1).filter(|entry| entry.contest == first.contest).count();
        // A single roll is no heap that has to be folded.
        let (battle, later) = rest.split_at(if rolls > 1 { more + 1 } else { 1 });
        found.push(battle);
        rest = later;
    }
    found
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

/// The text of an entry: the notation of the action, or the edit.
fn entry_text(entry: &HistoryEntry) -> String {
    match (entry.cause, &*entry.notation) {
        (EntryCause::Edit, "") => text!("history-edited"),
        (EntryCause::Edit, command) => text!("history-edit", command = command),
        (EntryCause::Action | EntryCause::Host, notation) => notation.to_owned(),
    }
}

/// A sentence for an entry that the rules have none for: who acted, the action by its title, and what was picked. `kind_title` is the title
/// of a piece's kind.
fn plain_sentence(entry: &HistoryEntry, declarations: &Declarations, kind_title: impl Fn(PieceId) -> Option<String>) -> String {
    let text = entry_text(entry);
    let Some(seat) = entry.seat else { return text };
    let plain = entry.plain.as_ref();
    let what = match plain.and_then(|plain| Some((declarations.action(plain.action)?, &plain.picks))) {
        Some((action, picks)) => {
            let part = |part: &PlainPart| match part {
                PlainPart::Text(text) => text.replace(',', ", "),
                PlainPart::Piece(piece) => kind_title(*piece).unwrap_or_else(|| format!("#{}", piece.0)),
            };
            let picks: String = picks.iter().map(part).collect();
            format!("{} {picks}", action.title).trim_end().to_owned()
        }
        None => text,
    };
    format!("{}: {what}", declarations.seat_title(seat))
}

/// What players are told of an entry, in lines: what is about a cell has its own.
fn remark_lines(entry: &HistoryEntry, declarations: Option<&Declarations>) -> Vec<(String, Option<CellId>)> {
    let plain: Vec<&str> = entry
        .remarks
        .iter()
        .filter(|remark| remark.cell.is_none())
        .map(|remark| &*remark.text)
        .collect();
    let first = (!plain.is_empty()).then(|| (plain.join(" · "), None));
    let about_cells = entry
        .remarks
        .iter()
        .filter(|remark| remark.cell.is_some())
        .map(|remark| (remark.text.clone(), remark.cell));
    let drawn = entry.next_turn.iter().map(|drawn| {
        let title = declarations.map(|declarations| declarations.seat_title(drawn.seat));
        (format!("{}: {}", title.unwrap_or_default(), drawn.text), None)
    });
    first.into_iter().chain(about_cells).chain(drawn).collect()
}

/// A remark that is about a cell: a click on it shows the cell.
fn leads_to_ui(ui: &Ui, room: Rect, id: (usize, usize), remark: &Galley) -> Response {
    let id = ui.scope_id().with(("remark", id));
    let response = ui.interact(room, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, remark.text()));
    response.on_hover_text(text!("scoreboard-show"))
}

/// An entry: what it came to in a sentence, with its notation at the right; where the rules have no sentence, a plain one. `fold` is how many
/// rolls it stands for, and whether they are shown. Whether that is to change.
fn entry_ui(
    ui: &mut Ui,
    mirror: &Mirror,
    entry: &HistoryEntry,
    fold: Option<(usize, bool)>,
    (first, rolls_to): (usize, Option<usize>),
    commands: &mut Vec<UiCommand>,
) -> bool {
    let palette = Palette::of(ui.visuals());
    let (at, position) = (mirror.at(), entry.event + 1);
    let (is_present, is_past) = (position == at, position <= at);
    let text = if is_past { palette.text } else { palette.muted };
    let family = if is_present { bold() } else { FontFamily::Proportional };
    let width = ui.available_width();
    let lay_out = |words: &str, font, colour, width: f32| ui.painter().layout(words.to_owned(), font, colour, width);
    let notation = entry_text(entry);
    let remarks = remark_lines(entry, mirror.declarations().map(|declarations| &**declarations));
    let has_sentence = !entry.sentence.is_empty();
    let aside = has_sentence.then(|| {
        let galley = lay_out(&notation, FontId::proportional(size::SMALL), palette.muted, f32::INFINITY);
        // What does not fit into a narrow column is under the pointer.
        (galley.size().x <= width * MOST_NOTATION).then_some(galley)
    });
    let column = aside.iter().flatten().map(|galley| galley.size().x + space::S).sum::<f32>();
    let kind_title = |piece| {
        let state = mirror.main_view()?;
        Some(state.declarations().kind(state.piece(piece)?.kind)?.title.to_string())
    };
    let plain = mirror
        .declarations()
        .map_or_else(|| notation.clone(), |declarations| plain_sentence(entry, declarations, kind_title));
    let words = if has_sentence { &*entry.sentence } else { &plain };
    let galley = lay_out(words, FontId::new(size::BODY, family), text, width - 40.0 - column);
    let more = fold.map(|(rolls, is_open)| {
        let label = if is_open {
            text!("history-fold")
        } else {
            text!("history-rolls", count = rolls)
        };
        (lay_out(&label, FontId::proportional(size::SMALL), palette.accent, width), label)
    });
    let remark_galley = |(words, cell): &(String, Option<CellId>)| {
        let galley = lay_out(words, FontId::proportional(size::SMALL), palette.muted, width - 40.0);
        (galley, *cell)
    };
    let remark_galleys: Vec<_> = remarks.iter().map(remark_galley).collect();
    let below = more.as_ref().map_or(0.0, |(more, _)| more.size().y);
    // The beginning of a match has no words, but may have remarks.
    let head = if words.is_empty() { 0.0 } else { galley.size().y };
    let height = head.max(if remark_galleys.is_empty() { galley.size().y } else { 0.0 })
        + remark_galleys.iter().map(|(remark, _)| remark.size().y).sum::<f32>()
        + below
        + 8.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let seat = mirror.declarations().zip(entry.seat);
    let who = seat.map_or_else(String::new, |(declarations, seat)| format!("{}: ", declarations.seat_title(seat)));
    response.widget_info(|| {
        let sentence = if has_sentence {
            format!(", {}", entry.sentence)
        } else {
            String::new()
        };
        let remarks: Vec<&str> = remarks.iter().map(|(words, _)| &**words).collect();
        let label = format!(
            "{}. {who}{notation}{sentence} {}",
            position.saturating_sub(first),
            remarks.join(" ")
        );
        WidgetInfo::selected(Role::ListItem, true, is_present, label.trim_end())
    });
    if rolls_to == Some(entry.event) {
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
        let middle = rect.left_top() + vec2(14.0, 4.0 + head / 2.0);
        if let Some((declarations, seat)) = mirror.declarations().zip(entry.seat) {
            let colour = seat_colour(declarations, seat);
            painter.circle_filled(middle, 5.0, if is_past { colour } else { veil(colour, 0.45) });
            painter.circle_stroke(middle, 5.0, Stroke::new(1.0, veil(palette.text, 0.35)));
        }
        if entry.cause == EntryCause::Edit {
            let sign = Rect::from_center_size(middle, vec2(16.0, 16.0));
            Icon::Gear.paint(painter, sign, if is_past { palette.warning } else { palette.muted });
        }
        let corner = rect.left_top() + vec2(28.0, 4.0);
        if let Some(notation) = aside.clone().flatten() {
            let end = rect.right_top() + vec2(-6.0 - notation.size().x, 5.0);
            painter.galley(end, notation, palette.muted);
        }
        painter.galley(corner, galley, text);
        let mut place = corner + vec2(0.0, head);
        for (line, (remark, cell)) in remark_galleys.into_iter().enumerate() {
            let room = Rect::from_min_size(place, remark.size());
            let leads = cell.map(|cell| (cell, leads_to_ui(ui, room, (entry.event, line), &remark)));
            let is_over = leads
                .as_ref()
                .is_some_and(|(_, response)| response.hovered() || response.has_focus());
            place.y += remark.size().y;
            let ink = if is_over { palette.accent } else { palette.muted };
            ui.painter().galley_with_override_text_color(room.min, remark, ink);
            if let Some((cell, _)) = leads.filter(|(_, response)| response.clicked()) {
                commands.push(UiCommand::ShowCell(cell));
            }
        }
        // Where it happened, without going back in time.
        if let Some(cell) = entry.cell.filter(|_| ui.rect_contains_pointer(rect)) {
            let place = Rect::from_center_size(rect.right_top() + vec2(-EYE / 2.0 - 4.0, EYE / 2.0 + 2.0), Vec2::splat(EYE));
            ui.painter().rect_filled(place, 4, palette.raised);
            let id = ui.scope_id().with(("eye", entry.event));
            let eye = ui.interact(place, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
            eye.widget_info(|| WidgetInfo::labeled(Role::Button, true, text!("scoreboard-show")));
            let ink = if eye.hovered() { palette.accent } else { palette.muted };
            Icon::Eye.paint(ui.painter(), place.shrink(3.0), ink);
            if eye.on_hover_text(text!("scoreboard-show")).clicked() {
                commands.push(UiCommand::ShowCell(cell));
            }
        }
    }
    let is_folded = more.is_some_and(|(galley, label)| {
        let place = Rect::from_min_size(rect.left_bottom() + vec2(28.0, -4.0 - galley.size().y), galley.size());
        let id = ui.scope_id().with(("history rolls", entry.event));
        let button = ui.interact(place.expand(2.0), id, Sense::click());
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        ui.painter().galley(place.min, galley, palette.accent);
        button.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
    });
    let response = if matches!(aside, Some(None)) {
        response.on_hover_text(&notation)
    } else {
        response
    };
    if response.clicked() && !is_present {
        commands.push(send(Command::GoTo { position }));
    }
    is_folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{ActionDeclaration, ActionId, SeatDeclaration, SeatId};
    use boardwright_protocol::PlainAction;

    fn entry(event: usize, seat: u8, contest: Option<ContestPart>) -> HistoryEntry {
        HistoryEntry {
            event,
            round: 1,
            seat: Some(SeatId(seat)),
            cause: EntryCause::Action,
            notation: "x".into(),
            plain: None,
            sentence: "".into(),
            contest,
            cell: None,
            remarks: Vec::new(),
            next_turn: Vec::new(),
        }
    }

    #[test]
    fn an_action_without_a_sentence_is_said_by_the_titles_of_seat_and_action() {
        let declarations = Declarations {
            seats: vec![SeatDeclaration {
                name: "hill".into(),
                title: "Hill".into(),
                colour: 0,
            }],
            actions: vec![ActionDeclaration {
                name: "sell".into(),
                title: "Sell".into(),
                rule: "".into(),
                picks: Vec::new(),
                phases: Vec::new(),
                answers_decision: false,
                instead_of: None,
                ends_turn: true,
                is_aside: false,
                is_last_resort: false,
                is_open: false,
                begins_contest: false,
                is_confirmed: false,
            }],
            ..Declarations::default()
        };
        let kind_title = |piece| (piece == PieceId(4)).then(|| "Hay".to_owned());
        let plain = |picks| {
            let action = ActionId(0);
            Some(PlainAction { action, picks })
        };
        let text = |text: &str| PlainPart::Text(text.to_owned());
        let [hay, other] = [PieceId(4), PieceId(5)].map(PlainPart::Piece);
        let picked = plain(vec![text("North Shore "), hay, text(","), other]);
        let sentences = [picked, plain(Vec::new()), None].map(|plain| {
            let entry = HistoryEntry {
                plain,
                ..entry(0, 0, None)
            };
            plain_sentence(&entry, &declarations, kind_title)
        });
        assert_eq!(sentences, ["Hill: Sell North Shore Hay, #5", "Hill: Sell", "Hill: x"]);
    }

    #[test]
    fn the_rolls_of_a_battle_with_their_answers_are_together() {
        let over = |cell| Some(ContestPart::Over(vec![CellId(1), CellId(cell)]));
        let entries = [
            entry(0, 0, None),
            entry(1, 0, over(2)),
            entry(2, 1, Some(ContestPart::Answer)),
            entry(3, 0, over(2)),
            entry(4, 0, over(2)),
            entry(5, 0, over(3)),
            entry(6, 1, Some(ContestPart::Answer)),
            entry(7, 0, None),
        ];
        let shown: Vec<&HistoryEntry> = entries.iter().collect();
        let lengths: Vec<usize> = battles(&shown).iter().map(|battle| battle.len()).collect();
        assert_eq!(lengths, [1, 4, 1, 1, 1], "a single roll is not folded");
    }
}
