//! A small editor for the scripts and pages of a ruleset: colours, line numbers, and the errors at their lines.

use std::sync::Arc;

use egui::epaint::text::PlacedRow;
use egui::text::{CCursor, CCursorRange, LayoutJob};
use egui::{
    Align, Align2, Color32, FontId, Frame, Galley, Id, Label, Pos2, Rect, Role, ScrollArea, Sense, Shape, Stroke, TextBuffer, TextEdit, Ui,
    WidgetInfo, pos2, vec2,
};

use super::highlight::coloured;
use super::scripts::Sought;
use crate::panels::message_of;
use crate::texts::text;
use crate::theme::{Icon, Palette, card, size, space, veil, with_code};
use boardwright_model::diagnostic::{Diagnostic, Severity};

/// The room for line numbers and marks, in points.
const GUTTER: f32 = 46.0;

/// What the lines of a script are marked with, and what was clicked there.
#[derive(Debug, Default)]
pub(super) struct LineMarks {
    /// Whether a click on a line number puts a break point there.
    pub(super) may_break: bool,
    pub(super) breaks: Vec<u32>,
    /// The line at which one has paused.
    pub(super) paused: Option<u32>,
    pub(super) clicked: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Buffer {
    pub(super) text: String,
    /// The text as it is in the file.
    pub(super) saved: String,
    /// Whether another program changed the file while there are changes here. Then it is not simply written over.
    pub(super) is_overtaken: bool,
    /// What is to be seen.
    pub(super) sought: Option<Sought>,
    /// The text in the colours of the dark theme or the light one.
    coloured: Option<(bool, LayoutJob)>,
}

impl Buffer {
    pub(super) fn of(text: String) -> Self {
        Self {
            saved: text.clone(),
            text,
            ..Self::default()
        }
    }

    pub(super) fn is_changed(&self) -> bool {
        self.text != self.saved
    }

    /// Takes the text of a file as it is now. What was written here and not saved stays.
    pub(super) fn take(&mut self, text: String) {
        if self.is_changed() {
            self.is_overtaken |= text != self.saved && text != self.text;
        } else {
            self.text.clone_from(&text);
        }
        self.saved = text;
    }

    pub(super) fn on_written(&mut self, text: String) {
        self.saved = text;
        self.is_overtaken = false;
    }

    pub(super) fn discard(&mut self) {
        self.text.clone_from(&self.saved);
        self.is_overtaken = false;
    }

    /// Shows the editor in all the room there is. `problems` are those of this file; `wraps` is whether lines that are too long for the room
    /// go on in the next row, `is_fixed` whether the text can only be read.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        id: Id,
        (name, is_script, wraps, is_fixed): (&str, bool, bool, bool),
        problems: &[&Diagnostic],
        marks: &mut LineMarks,
    ) {
        let palette = Palette::of(ui.visuals());
        let font = FontId::monospace(size::BODY - 1.0);
        let sought = self.sought.take();
        if let Some(sought) = sought.as_ref().filter(|sought| sought.takes_cursor) {
            self.put_cursor(ui, id, sought.place.line, sought.place.column);
        }
        card(palette.ground, palette.line, 8, (0, 0)).show(ui, |ui| {
            let area = if wraps { ScrollArea::vertical() } else { ScrollArea::both() };
            area.id_salt((id, wraps)).auto_shrink([false, false]).show(ui, |ui| {
                let (text, cache) = (&mut self.text, &mut self.coloured);
                let mut layouter = |ui: &Ui, buffer: &dyn TextBuffer, width: f32| -> Arc<Galley> {
                    let mut job = colours(cache, buffer.as_str(), is_script, palette, &font);
                    job.wrap.max_width = if wraps { width } else { f32::INFINITY };
                    ui.painter().layout_job(job)
                };
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    let (gutter, _) = ui.allocate_exact_size(vec2(GUTTER, 0.0), Sense::hover());
                    let mut fixed;
                    let buffer: &mut dyn TextBuffer = if is_fixed {
                        fixed = text.as_str();
                        &mut fixed
                    } else {
                        text
                    };
                    let output = TextEdit::multiline(buffer)
                        .id(id)
                        .code_editor()
                        .frame(Frame::NONE)
                        .desired_width(f32::INFINITY)
                        .min_size(ui.available_size())
                        .layouter(&mut layouter)
                        .show(ui);
                    output
                        .response
                        .response
                        .widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, text!("editor-of", name = name)));
                    // The numbers stay where they are when the text is rolled sideways, and lie over it.
                    let left = gutter.left().max(ui.clip_rect().left());
                    if left > gutter.left() {
                        // The clip of the text reaches a little beyond the room of the editor.
                        let strip = Rect::from_x_y_ranges(left - space::L..=left + GUTTER, ui.clip_rect().y_range());
                        ui.painter().rect_filled(strip, 0, palette.ground);
                    }
                    let rows = Rows {
                        galley: &output.galley,
                        starts: line_starts(&output.galley),
                        top: output.galley_pos,
                        left,
                    };
                    rows.paused_ui(ui, palette, marks.paused);
                    rows.numbers_ui(ui, palette, marks, id);
                    rows.problems_ui(ui, palette, problems, id);
                    if let Some(sought) = sought {
                        rows.show_line(ui, sought.place.line);
                        if sought.takes_cursor {
                            output.response.response.request_focus();
                        }
                    }
                });
            });
        });
    }

    fn put_cursor(&self, ui: &Ui, id: Id, line: u32, column: u32) {
        let index = line.saturating_sub(1) as usize;
        let before = self.text.split_inclusive('\n').take(index);
        let before: usize = before.map(|line| line.chars().count()).sum();
        let length = self.text.lines().nth(index).map_or(0, |line| line.chars().count());
        let at = before + (column.saturating_sub(1) as usize).min(length);
        let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(at))));
        TextEdit::store_state(ui.ctx(), id, state);
    }
}

/// The colours of a text; those of the text before are kept if it is the same.
fn colours(cache: &mut Option<(bool, LayoutJob)>, text: &str, is_script: bool, palette: &Palette, font: &FontId) -> LayoutJob {
    let is_dark = palette.is_dark();
    if let Some((was_dark, job)) = cache
        && (*was_dark, job.text.as_str()) == (is_dark, text)
    {
        return job.clone();
    }
    let job = if is_script {
        coloured(text, palette, font)
    } else {
        LayoutJob::simple(text.to_owned(), font.clone(), palette.text, f32::INFINITY)
    };
    *cache = Some((is_dark, job.clone()));
    job
}

/// The first row of each line.
fn line_starts(galley: &Galley) -> Vec<usize> {
    let rows = galley.rows.iter().enumerate();
    let behind = rows.filter(|(_, row)| row.ends_with_newline).map(|(index, _)| index + 1);
    std::iter::once(0).chain(behind).collect()
}

/// The rows of a text on the screen. A line that was wrapped has several.
struct Rows<'a> {
    galley: &'a Galley,
    starts: Vec<usize>,
    top: Pos2,
    left: f32,
}

impl Rows<'_> {
    /// The rows of a line, from 1.
    fn rows_of(&self, line: u32) -> &[PlacedRow] {
        let line = line as usize;
        let first = line.checked_sub(1).and_then(|index| self.starts.get(index));
        let end = self.starts.get(line).copied().unwrap_or(self.galley.rows.len());
        first.and_then(|first| self.galley.rows.get(*first..end)).unwrap_or_default()
    }

    /// Where a line is, from 1.
    fn rect(&self, line: u32) -> Option<Rect> {
        let rows = self.rows_of(line).iter().map(PlacedRow::rect);
        Some(rows.reduce(Rect::union)?.translate(self.top.to_vec2()))
    }

    /// Where a column of a line is, from 1: the left end of its foot; behind the line, if it is not so long.
    fn place_of(&self, line: u32, column: u32) -> Option<Pos2> {
        let rows = self.rows_of(line);
        let mut before = (column as usize).checked_sub(1)?;
        for row in rows {
            if let Some(glyph) = row.row.glyphs.get(before) {
                return Some(self.top + row.pos.to_vec2() + vec2(glyph.pos.x, row.row.size.y));
            }
            before -= row.row.glyphs.len();
        }
        Some(self.top + rows.last()?.rect().right_bottom().to_vec2())
    }

    /// Tints the line at which a strategy has paused, with an arrow before it.
    fn paused_ui(&self, ui: &mut Ui, palette: &Palette, line: Option<u32>) {
        let Some((line, rect)) = line.and_then(|line| Some((line, self.rect(line)?))) else {
            return;
        };
        let whole = Rect::from_x_y_ranges(self.left..=ui.clip_rect().right(), rect.y_range());
        ui.painter().rect_filled(whole, 0, veil(palette.warning, 0.28));
        let sign = Rect::from_center_size(pos2(self.left + 8.0, rect.center().y), vec2(14.0, 14.0));
        Icon::Play.paint(ui.painter(), sign, palette.warning);
        let spot = ui.interact(sign, Id::unique("paused line"), Sense::hover());
        spot.widget_info(|| WidgetInfo::labeled(Role::Label, true, text!("editor-paused", line = line)));
    }

    fn numbers_ui(&self, ui: &Ui, palette: &Palette, marks: &mut LineMarks, id: Id) {
        let clip = ui.clip_rect();
        let font = FontId::monospace(size::SMALL - 1.0);
        for (index, row) in self.starts.iter().enumerate() {
            let Some(row) = self.galley.rows.get(*row) else { continue };
            let rect = row.rect().translate(self.top.to_vec2());
            if rect.bottom() < clip.top() || rect.top() > clip.bottom() {
                continue;
            }
            let place = pos2(self.left + GUTTER - 10.0, rect.center().y);
            let line = index as u32 + 1;
            let (number, is_break) = (line.to_string(), marks.breaks.contains(&line));
            let mut ink = veil(palette.muted, 0.8);
            if marks.may_break {
                let tag = Rect::from_x_y_ranges(self.left + 15.0..=self.left + GUTTER - 4.0, rect.y_range().shrink(1.0));
                let spot = ui.interact(tag, id.with(("line", line)), Sense::click());
                let label = text!("editor-break-point", line = line);
                spot.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_break, &label));
                if spot.clicked() {
                    marks.clicked = Some(line);
                }
                let strength = if is_break { 1.0 } else { 0.3 };
                if is_break || spot.hovered() || spot.has_focus() {
                    let fill = veil(palette.accent, strength);
                    ui.painter().rect_filled(tag, 4, fill);
                }
                if is_break {
                    ink = palette.on_accent;
                }
            }
            ui.painter().text(place, Align2::RIGHT_CENTER, number, font.clone(), ink);
        }
    }

    /// Marks the lines with problems: the line is tinted, a sign stands before it, and the place itself is underlined.
    fn problems_ui(&self, ui: &mut Ui, palette: &Palette, problems: &[&Diagnostic], id: Id) {
        for (index, problem) in problems.iter().enumerate() {
            let Some(rect) = self.rect(problem.line()) else {
                continue;
            };
            let colour = colour_of(problem, palette);
            let line = Rect::from_x_y_ranges(self.left..=ui.clip_rect().right(), rect.y_range());
            ui.painter().rect_filled(line, 0, veil(colour, 0.12));
            let row = self.rows_of(problem.line()).first().map_or(rect.height(), |row| row.row.size.y);
            let sign = Rect::from_center_size(pos2(self.left + 9.0, rect.top() + row / 2.0), vec2(12.0, 12.0));
            ui.painter().circle_filled(sign.center(), 4.5, colour);
            let spot = ui.interact(sign.expand(3.0), id.with(("problem", index)), Sense::hover());
            let label = text!("editor-problem", line = problem.line(), message = &*problem.message);
            spot.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
            spot.on_hover_ui(|ui| {
                ui.set_max_width(420.0);
                ui.add(Label::new(with_code(&message_of(problem), size::BODY, palette.text)).wrap());
                if let Some(help) = &problem.help {
                    ui.label(with_code(help, size::SMALL, palette.muted));
                }
            });
            if let Some(place) = self.place_of(problem.line(), problem.column()) {
                wave(ui, place - vec2(0.0, 1.0), 24.0, colour);
            }
        }
    }

    fn show_line(&self, ui: &Ui, line: u32) {
        if let Some(rect) = self.rect(line) {
            let wide = Rect::from_min_max(
                pos2(self.left, rect.top() - space::XXL),
                pos2(self.left + 10.0, rect.bottom() + space::XXL),
            );
            ui.scroll_to_rect(wide, Some(Align::Center));
        }
    }
}

fn colour_of(problem: &Diagnostic, palette: &Palette) -> Color32 {
    match problem.severity {
        Severity::Error => palette.danger,
        Severity::Warning => palette.warning,
        Severity::Note => palette.muted,
    }
}

/// A wavy line, as under a misspelt word.
fn wave(ui: &Ui, from: Pos2, length: f32, colour: Color32) {
    let points = (0..=(length / 3.0) as usize).map(|step| {
        let up = if step % 2 == 0 { 0.0 } else { -2.5 };
        pos2(from.x + step as f32 * 3.0, from.y + up)
    });
    ui.painter().add(Shape::line(points.collect(), Stroke::new(1.2, colour)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_program_wrote_is_taken_unless_something_was_written_here() {
        let mut buffer = Buffer::of("one".to_owned());
        buffer.take("two".to_owned());
        assert_eq!((buffer.text.as_str(), buffer.is_changed()), ("two", false));
        buffer.text.push('!');
        assert!(!buffer.is_overtaken);
        buffer.take("three".to_owned());
        assert_eq!(
            (buffer.text.as_str(), buffer.saved.as_str(), buffer.is_changed()),
            ("two!", "three", true)
        );
        assert!(buffer.is_overtaken);
        buffer.on_written("two!".to_owned());
        assert!(!buffer.is_overtaken && !buffer.is_changed());
        // What was written from here comes back as it is read again.
        buffer.text.push('!');
        buffer.take("two!!".to_owned());
        assert!(!buffer.is_overtaken && !buffer.is_changed());
    }
}
