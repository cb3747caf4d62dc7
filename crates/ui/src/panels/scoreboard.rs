//! The scoreboard: the `panel` of the ruleset, as a table of the seats and the other lines.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, CollapsingHeader, CursorIcon, FontId, Galley, Label, Rect, RichText, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::action_picker::ActionPicker;
use crate::command::{ChoiceCommand, UiCommand};
use crate::match_controller::MatchController;
use crate::texts::text;
use crate::theme::{
    Icon, IconButton, Palette, bold, from_right_ui, heading_ui, lay_out, paint_seat_mark, remark_ui, seat_colour, size, space, strong,
    text_width,
};
use boardwright_model::{Declarations, PanelLine, PanelSection, SeatId, State};

/// The height of a row of the table, and the side of the sign of its seat, in points.
const ROW: f32 = 22.0;
const SIGN: f32 = 16.0;
/// How many lines of sections are shown before the others are folded until they are asked for.
const MOST_OPEN: usize = 8;
/// What separates the parts of what is said of a seat.
const SEPARATOR: &str = ", ";

/// One seat of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row<'a> {
    seat: SeatId,
    title: Arc<str>,
    value: &'a str,
    /// What more is said of the seat.
    remarks: Vec<String>,
}

/// The lines of the ruleset's panel, those of seats apart from the others.
#[derive(Debug, Default, PartialEq, Eq)]
struct Scoreboard<'a> {
    rows: Vec<Row<'a>>,
    others: Vec<&'a PanelLine>,
}

impl<'a> Scoreboard<'a> {
    /// A line of a seat without a label is its row. One with a label says more of the seat.
    fn of(declarations: &Declarations, lines: &'a [PanelLine]) -> Self {
        let mut found = Self::default();
        for line in lines {
            let Some(seat) = line.seat else {
                found.others.push(line);
                continue;
            };
            if line.cell.is_some() || !line.actions.is_empty() {
                found.others.push(line);
            } else if line.label.is_empty() {
                found.rows.push(Row {
                    seat,
                    title: declarations.seat_title(seat),
                    value: &line.value,
                    remarks: Vec::new(),
                });
            } else if let Some(row) = found.rows.iter_mut().find(|row| row.seat == seat) {
                row.remarks.push(format!("{} {}", line.label, line.value));
            } else {
                found.others.push(line);
            }
        }
        found
    }
}

/// Whether the ruleset's panel has a line for a seat.
pub(crate) fn concerns_seat(sections: &[PanelSection], seat: SeatId) -> bool {
    let mut lines = sections
        .iter()
        .filter(|section| section.title.is_empty())
        .flat_map(|section| &section.lines);
    lines.any(|line| line.seat == Some(seat))
}

/// Shows the ruleset's panel: the lines before the first heading, and a part that can be folded for each section.
pub(crate) fn scoreboard_ui(ui: &mut Ui, controller: &MatchController, state: &State, is_close: bool, commands: &mut Vec<UiCommand>) {
    let sections = &controller.display().looks.panel;
    if sections.is_empty() {
        return;
    }
    ui.spacing_mut().item_spacing.y = if is_close { 2.0 } else { space::XS };
    ui.separator();
    heading_ui(ui, Icon::Note, &text!("match-scoreboard"));
    ui.spacing_mut().interact_size.y = 18.0;
    let mut shown = 0;
    for section in sections {
        if section.title.is_empty() {
            lines_ui(ui, controller, state, &section.lines, commands);
            continue;
        }
        shown += section.lines.len();
        let is_open = shown <= MOST_OPEN;
        let count = if is_open {
            String::new()
        } else {
            format!(" ({})", section.lines.len())
        };
        let heading = format!("{}{count}", section.title);
        CollapsingHeader::new(RichText::new(heading).strong())
            .id_salt(("panel section", &section.title))
            .default_open(is_open)
            .show_unindented(ui, |ui| lines_ui(ui, controller, state, &section.lines, commands));
    }
}

/// Shows lines of the panel: the seats in a table, then labels with what there is to say about each. What does not fit beside its label stands
/// below. Where there is little room the lines stand close together.
fn lines_ui(ui: &mut Ui, controller: &MatchController, state: &State, lines: &[PanelLine], commands: &mut Vec<UiCommand>) {
    let Scoreboard { rows, others } = Scoreboard::of(state.declarations(), lines);
    table_ui(ui, state, &rows);
    for line in others {
        if line.cell.is_some() || !line.actions.is_empty() {
            live_line_ui(ui, controller, state, line, commands);
            continue;
        }
        let (label, value) = (RichText::new(line.heading(state.declarations())).weak(), &*line.value);
        let needed = text_width(ui, label.clone()) + text_width(ui, strong(value)) + 2.0 * ui.spacing().item_spacing.x;
        if needed <= ui.available_width() {
            ui.horizontal(|ui| {
                ui.label(label);
                from_right_ui(ui, |ui| ui.label(strong(value)));
            });
        } else {
            ui.label(label);
            ui.horizontal_top(|ui| {
                ui.add_space(space::M);
                ui.add(Label::new(strong(value)).wrap());
            });
        }
    }
}

/// A line that leads somewhere: a click shows its cell, and buttons below it play what can be done about it.
fn live_line_ui(ui: &mut Ui, controller: &MatchController, state: &State, line: &PanelLine, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    let font = FontId::proportional(size::BODY);
    let (heading, width) = (line.heading(state.declarations()), ui.available_width());
    let sign = if line.seat.is_some() { SIGN + space::S } else { 0.0 };
    let value = ui
        .painter()
        .layout(line.value.to_string(), font.clone(), palette.text, width - sign);
    // A value that does not fit beside its heading stands below it.
    let room = width - sign - value.size().x - space::M;
    let wanted = lay_out(ui, &heading, font.clone()).size().x;
    let is_below = wanted > room && !heading.is_empty();
    let heading = ui
        .painter()
        .layout(heading, font, palette.muted, if is_below { width - sign } else { room.max(0.0) });
    let height = if is_below {
        heading.size().y + value.size().y
    } else {
        heading.size().y.max(value.size().y)
    };
    let sense = if line.cell.is_some() { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height.max(ROW)), sense);
    let role = if line.cell.is_some() { Role::Button } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, line.text(state.declarations())));
    if line.cell.is_some() && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect.expand2(vec2(space::XS, 0.0)), 4, palette.raised);
    }
    if let Some(seat) = line.seat {
        let place = Rect::from_center_size(pos2(rect.left() + SIGN / 2.0, rect.top() + ROW / 2.0), Vec2::splat(SIGN));
        paint_seat_mark(ui.painter(), place, seat_colour(state.declarations(), seat), seat.index());
    }
    let top = if is_below { rect.top() } else { rect.center().y - height / 2.0 };
    let below = if is_below { heading.size().y } else { 0.0 };
    ui.painter().galley(pos2(rect.left() + sign, top), heading, palette.muted);
    ui.painter()
        .galley(pos2(rect.right() - value.size().x, top + below), value, palette.text);
    if let Some(cell) = line.cell {
        let response = response
            .on_hover_cursor(CursorIcon::PointingHand)
            .on_hover_text(text!("scoreboard-show"));
        if response.clicked() {
            commands.push(UiCommand::ShowCell(cell));
        }
    }
    if !line.actions.is_empty() {
        let acting = controller.picker().map(ActionPicker::seat);
        ui.horizontal_wrapped(|ui| {
            ui.add_space(sign);
            for offered in &line.actions {
                let button = IconButton::text(&*offered.title).height(26.0);
                if ui.add_enabled(acting == Some(offered.action.seat), button).clicked() {
                    commands.push(ChoiceCommand::Play(offered.action.clone()).into());
                }
            }
        });
    }
}

/// A row for each seat, values right-aligned in columns.
fn table_ui(ui: &mut Ui, state: &State, rows: &[Row<'_>]) {
    let names = rows
        .iter()
        .map(|row| lay_out(ui, &row.title, FontId::proportional(size::BODY)).size().x);
    let names = SIGN + space::S + names.fold(0.0, f32::max) + space::M;
    let room = ui.available_width() - names;
    let columns = |font: f32| -> (Vec<Vec<Arc<Galley>>>, Vec<f32>) {
        let cells: Vec<Vec<Arc<Galley>>> = rows
            .iter()
            .map(|row| row.value.split(SEPARATOR).map(|cell| cell_galley(ui, cell, font)).collect())
            .collect();
        let most = cells.iter().map(Vec::len).max().unwrap_or(0);
        // Only rows with all columns say how wide these are: others may tell of a seat that is out.
        let whole = || cells.iter().filter(|row| row.len() == most);
        let width = |column: usize| {
            whole()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.size().x)
                .fold(0.0, f32::max)
        };
        let widths = (0..most).map(width).collect();
        (cells, widths)
    };
    let needed = |widths: &[f32]| widths.iter().sum::<f32>() + space::M * widths.len().saturating_sub(1) as f32;
    let (mut cells, mut widths) = columns(size::BODY);
    if needed(&widths) > room {
        (cells, widths) = columns(size::SMALL);
    }
    let is_wide = needed(&widths) > room;
    for (row, cells) in rows.iter().zip(&cells) {
        row_ui(ui, state, row, |ui, rect| {
            if is_wide {
                return;
            }
            let mut right = rect.right();
            let is_whole = cells.len() == widths.len();
            for (column, cell) in cells.iter().enumerate().rev() {
                let corner = pos2(right - cell.size().x, rect.center().y - cell.size().y / 2.0);
                ui.painter().galley(corner, Arc::clone(cell), Palette::of(ui.visuals()).text);
                let width = if is_whole { widths.get(column).copied() } else { None };
                right -= width.unwrap_or(cell.size().x) + space::M;
            }
        });
        if is_wide {
            indented_ui(ui, row.value);
        }
        for more in &row.remarks {
            indented_ui(ui, more);
        }
    }
    if !rows.is_empty() {
        ui.add_space(space::XS);
    }
}

/// The sign and the name of a seat; `add` draws what is said of it.
fn row_ui(ui: &mut Ui, state: &State, row: &Row<'_>, add: impl FnOnce(&Ui, Rect)) {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{}: {}", row.title, row.value)));
    let sign = Rect::from_center_size(pos2(rect.left() + SIGN / 2.0, rect.center().y), Vec2::splat(SIGN));
    paint_seat_mark(ui.painter(), sign, seat_colour(state.declarations(), row.seat), row.seat.index());
    let is_out = state.eliminated().contains(row.seat);
    let ink = if is_out { palette.muted } else { palette.text };
    let place = pos2(sign.right() + space::S, rect.center().y);
    let font = FontId::proportional(size::BODY);
    ui.painter().text(place, Align2::LEFT_CENTER, &row.title, font, ink);
    add(ui, rect);
}

/// What stands below a row.
fn indented_ui(ui: &mut Ui, words: &str) {
    ui.horizontal_top(|ui| {
        ui.add_space(SIGN);
        remark_ui(ui, words);
    });
}

/// A part of what is said of a seat, its number bold.
fn cell_galley(ui: &Ui, cell: &str, font: f32) -> Arc<Galley> {
    let palette = Palette::of(ui.visuals());
    let format = |is_bold: bool| {
        let family = if is_bold { bold() } else { egui::FontFamily::Proportional };
        TextFormat::simple(FontId::new(font, family), if is_bold { palette.text } else { palette.muted })
    };
    let end = cell
        .find(|letter: char| !letter.is_ascii_digit() && !"+-.%".contains(letter))
        .unwrap_or(cell.len());
    let (number, rest) = cell.split_at_checked(end).unwrap_or((cell, ""));
    let mut job = LayoutJob::default();
    job.append(number, 0.0, format(true));
    job.append(rest, 0.0, format(false));
    ui.painter().layout_job(job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::SeatDeclaration;

    #[test]
    fn lines_of_seats_are_rows_and_their_remarks_are_below_them() {
        let seat = |name: &str| SeatDeclaration {
            name: name.into(),
            title: name.into(),
            colour: 0,
        };
        let declarations = Declarations {
            seats: vec![seat("Blue"), seat("Red")],
            ..Declarations::default()
        };
        let line = |seat: Option<u8>, label: &str, value: &str| PanelLine {
            seat: seat.map(SeatId),
            label: label.into(),
            value: value.into(),
            ..PanelLine::default()
        };
        let lines = [
            line(Some(1), "", "13 areas, 31 armies"),
            line(Some(1), "holds", "Asia +7"),
            line(None, "Blue", "out"),
            line(Some(0), "waits", "2 turns"),
        ];
        let found = Scoreboard::of(&declarations, &lines);
        let rows: Vec<_> = found
            .rows
            .iter()
            .map(|row| (row.seat, &*row.title, row.value, row.remarks.join("; ")))
            .collect();
        assert_eq!(rows, [(SeatId(1), "Red", "13 areas, 31 armies", "holds Asia +7".to_owned())]);
        let others: Vec<String> = found.others.iter().map(|line| line.heading(&declarations)).collect();
        assert_eq!(others, ["Blue", "Blue waits"], "a label that is the title of a seat is a label");
        let section = |title: &str| PanelSection {
            title: title.into(),
            lines: lines.to_vec(),
        };
        let panel = [section("")];
        assert!(concerns_seat(&panel, SeatId(0)) && !concerns_seat(&panel, SeatId(2)));
        assert!(
            !concerns_seat(&[section("Units")], SeatId(0)),
            "only the table takes the place of what is counted"
        );
    }
}
