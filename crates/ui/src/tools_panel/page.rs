//! Draws a page of a rule book.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontFamily, FontId, Frame, Grid, Label, Margin, RichText, ScrollArea, Ui, vec2};

use super::markdown::{Block, Picture, Shape, Span, plain};
use crate::board::Art;
use crate::theme::{Palette, bold, lay_out, mix, remark_ui, size, space, veil};

const PICTURE_WIDTH: f32 = 420.0;

/// Draws a block; returns the link that was clicked.
pub(super) fn block_ui(ui: &mut Ui, art: &Art, block: &Block) -> Option<String> {
    let palette = Palette::of(ui.visuals());
    match block {
        Block::Text(Shape::Heading(level), spans) => {
            let height = match level {
                1 => size::SCREEN - 4.0,
                2 => size::TITLE,
                _ => size::BODY,
            };
            ui.add_space(if *level == 1 { 0.0 } else { space::S });
            spans_ui(ui, spans, &FontId::new(height, bold()))
        }
        Block::Text(Shape::Paragraph, spans) => {
            let clicked = spans_ui(ui, spans, &FontId::proportional(size::BODY));
            ui.add_space(space::XS);
            clicked
        }
        Block::Text(Shape::Item(depth, number), spans) => {
            ui.horizontal_top(|ui| {
                ui.add_space(f32::from(*depth) * 18.0 + 4.0);
                let mark = number.map_or("•".to_owned(), |number| format!("{number}."));
                ui.label(RichText::new(mark).color(palette.accent));
                ui.vertical(|ui| spans_ui(ui, spans, &FontId::proportional(size::BODY))).inner
            })
            .inner
        }
        Block::Code(text) => {
            Frame::NONE
                .fill(palette.raised)
                .corner_radius(6)
                .inner_margin(Margin::same(8))
                .show(ui, |ui| ui.add(Label::new(RichText::new(text).monospace()).extend()));
            None
        }
        Block::Pictures(pictures) => {
            pictures_ui(ui, art, pictures);
            None
        }
        Block::Table(rows) => table_ui(ui, rows),
        Block::Line => {
            ui.separator();
            None
        }
    }
}

fn table_ui(ui: &mut Ui, rows: &[Vec<Vec<Span>>]) -> Option<String> {
    let mut clicked = None;
    let widths = column_widths(ui, rows);
    let id = ui.next_auto_id();
    ScrollArea::horizontal().id_salt(id).show(ui, |ui| {
        Grid::new(id).striped(true).spacing(vec2(space::L, space::XS)).show(ui, |ui| {
            for (index, row) in rows.iter().enumerate() {
                for (cell, width) in row.iter().zip(&widths) {
                    ui.vertical(|ui| {
                        ui.set_width(*width);
                        clicked = spans_ui(ui, cell, &row_font(index)).or(clicked.take());
                    });
                }
                ui.end_row();
            }
        });
    });
    clicked
}

/// The head of a table is in bold.
fn row_font(row: usize) -> FontId {
    FontId::new(size::BODY, if row == 0 { bold() } else { FontFamily::Proportional })
}

/// As wide as the columns want to be; where that is more than there is, those with long texts give way, but no word is broken.
fn column_widths(ui: &Ui, rows: &[Vec<Vec<Span>>]) -> Vec<f32> {
    let width = |text: &str, row: usize| lay_out(ui, text, row_font(row)).size().x.ceil() + 2.0;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (mut wanted, mut least) = (vec![0.0_f32; columns], vec![0.0_f32; columns]);
    for (index, row) in rows.iter().enumerate() {
        for ((cell, wanted), least) in row.iter().zip(&mut wanted).zip(&mut least) {
            let text = plain(cell);
            *wanted = wanted.max(width(&text, index));
            *least = text.split_whitespace().map(|word| width(word, index)).fold(*least, f32::max);
        }
    }
    let room = ui.available_width() - space::L * columns.saturating_sub(1) as f32;
    let (all, needed): (f32, f32) = (wanted.iter().sum(), least.iter().sum());
    let share = if all > needed {
        ((room - needed) / (all - needed)).clamp(0.0, 1.0)
    } else {
        1.0
    };
    let columns = wanted.iter().zip(&least);
    columns.map(|(wanted, least)| least + (wanted - least) * share).collect()
}

fn pictures_ui(ui: &mut Ui, art: &Art, pictures: &[Picture]) {
    let each = (ui.available_width() / pictures.len().max(1) as f32 - space::S).min(PICTURE_WIDTH);
    ui.horizontal_wrapped(|ui| {
        for picture in pictures {
            ui.vertical(|ui| {
                ui.set_width(each);
                if let Some(image) = art.image(&picture.file)
                    && let Some(size) = image.load_and_calc_size(ui, vec2(each, each))
                {
                    let image = image.fit_to_exact_size(size).corner_radius(8);
                    ui.add(image.alt_text(&picture.text));
                }
                remark_ui(ui, &picture.text);
            });
        }
    });
    ui.add_space(space::XS);
}

/// Draws spans as one text, or as pieces of a line where some of them are links.
fn spans_ui(ui: &mut Ui, spans: &[Span], font: &FontId) -> Option<String> {
    let palette = Palette::of(ui.visuals());
    if spans.iter().all(|span| span.look.link.is_none()) {
        let mut job = LayoutJob::default();
        for span in spans {
            append(&mut job, span, font, palette);
        }
        ui.add(Label::new(job).wrap());
        return None;
    }
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for span in spans {
            let mut job = LayoutJob::default();
            append(&mut job, span, font, palette);
            match &span.look.link {
                Some(link) => {
                    if ui.link(job).clicked() {
                        clicked = Some(link.clone());
                    }
                }
                None => drop(ui.label(job)),
            }
        }
    });
    clicked
}

fn append(job: &mut LayoutJob, Span { text, look }: &Span, font: &FontId, palette: &Palette) {
    let font = match (look.is_code, look.is_strong) {
        (true, _) => FontId::monospace(font.size - 1.0),
        (false, true) => FontId::new(font.size, bold()),
        (false, false) => font.clone(),
    };
    let format = TextFormat {
        italics: look.is_emphasized,
        background: if look.is_code { palette.raised } else { Color32::TRANSPARENT },
        ..TextFormat::simple(font, if look.link.is_some() { palette.accent } else { palette.text })
    };
    job.append(text, 0.0, format);
}

/// Adds a text to a job; what is searched for is marked in it.
pub(super) fn append_marked(job: &mut LayoutJob, search: &str, text: &str, format: &TextFormat, palette: &Palette) {
    let found = TextFormat {
        background: veil(palette.chosen, 0.5),
        color: mix(format.color, palette.text, 0.5),
        ..format.clone()
    };
    for (part, is_found) in parts(text, search) {
        job.append(part, 0.0, if is_found { found.clone() } else { format.clone() });
    }
}

/// A text cut where something that is searched for begins and ends. `search` is in small letters.
pub(super) fn parts<'a>(text: &'a str, search: &str) -> Vec<(&'a str, bool)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((start, end)) = find(rest, search) {
        let (before, from) = rest.split_at(start);
        let (hit, after) = from.split_at(end - start);
        if !before.is_empty() {
            parts.push((before, false));
        }
        parts.push((hit, true));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push((rest, false));
    }
    parts
}

/// Where a text in small letters first stands in another, whatever the size of its letters there.
pub(super) fn find(text: &str, search: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(start, _)| {
        let mut wanted = search.chars();
        let mut next = wanted.next();
        let rest = text.get(start..)?;
        for (offset, letter) in rest.char_indices() {
            for small in letter.to_lowercase() {
                if next != Some(small) {
                    return None;
                }
                next = wanted.next();
            }
            if next.is_none() {
                return Some((start, start + offset + letter.len_utf8()));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_for_is_found_in_letters_of_any_size() {
        assert_eq!(
            parts("A jump, JUMPS", "jump"),
            [("A ", false), ("jump", true), (", ", false), ("JUMP", true), ("S", false)]
        );
        assert_eq!(parts("Žeton žeton", "žeton"), [("Žeton", true), (" ", false), ("žeton", true)]);
        assert_eq!(parts("nothing", ""), [("nothing", false)]);
        assert_eq!(find("İstanbul", "stan"), Some((2, 6)));
    }
}
