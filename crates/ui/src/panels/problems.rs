//! What is wrong with rules and other content: where, what, and the line itself with a caret.

use egui::{Align, CornerRadius, FontId, Frame, Layout, Margin, RichText, ScrollArea, Stroke, TextFormat, Ui};

use crate::command::UiCommand;
use crate::texts::{localized, text};
use crate::theme::{Icon, IconButton, Palette, chip_ui, heading_ui, size, space, veil, with_code};
use crate::tools_panel::Place;
use boardwright_model::diagnostic::{Diagnostic, Severity};

/// Shows a list of problems, each with a way to its place; true if the player wants it closed.
pub(crate) fn problems_ui(ui: &mut Ui, problems: &[Diagnostic], commands: &mut Vec<UiCommand>) -> bool {
    let mut closed = false;
    ui.horizontal(|ui| {
        heading_ui(ui, Icon::Warning, &counted(problems));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            closed = ui
                .add(IconButton::icon(Icon::Close, text!("problems-close")).height(28.0))
                .clicked();
        });
    });
    ScrollArea::vertical()
        .id_salt("problems")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for problem in problems {
                if linked_problem_ui(ui, problem) {
                    commands.push(UiCommand::Edit(Place::of(problem)));
                }
            }
        });
    closed
}

fn counted(problems: &[Diagnostic]) -> String {
    let count = |severity: Severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let parts = [
        (errors > 0).then(|| text!("problems-errors", count = errors)),
        (warnings > 0).then(|| text!("problems-warnings", count = warnings)),
        (notes > 0).then(|| text!("problems-notes", count = notes)),
    ];
    let said: Vec<_> = parts.into_iter().flatten().collect();
    if said.is_empty() { text!("problems-none") } else { said.join(", ") }
}

/// Shows one problem.
pub fn problem_ui(ui: &mut Ui, problem: &Diagnostic) {
    card_ui(ui, problem, false);
}

/// Shows one problem whose place is a link; true if it was clicked.
pub(crate) fn linked_problem_ui(ui: &mut Ui, problem: &Diagnostic) -> bool {
    card_ui(ui, problem, problem.line() > 0)
}

/// What is wrong, with the hook in which it came up.
pub(crate) fn message_of(problem: &Diagnostic) -> String {
    let message = localized(&problem.message);
    if problem.hook.is_empty() {
        message
    } else {
        text!("fault-in-hook", message = message, hook = problem.hook.as_str())
    }
}

fn card_ui(ui: &mut Ui, problem: &Diagnostic, has_link: bool) -> bool {
    let mut clicked = false;
    let palette = Palette::of(ui.visuals());
    let (icon, colour) = match problem.severity {
        Severity::Error => (Icon::Error, palette.danger),
        Severity::Warning => (Icon::Warning, palette.warning),
        Severity::Note => (Icon::Note, palette.muted),
    };
    Frame::NONE
        .fill(veil(colour, 0.06))
        .stroke(Stroke::new(1.0, veil(colour, 0.35)))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(10, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                let (rect, _) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), egui::Sense::hover());
                icon.paint(ui.painter(), rect, colour);
                if !problem.file().is_empty() {
                    let mut place = problem.file().to_owned();
                    if problem.line() > 0 {
                        place = format!("{place}:{}:{}", problem.line(), problem.column().max(1));
                    }
                    let words = RichText::new(&place).monospace().size(size::SMALL);
                    if has_link {
                        let label = text!("problems-edit", place = place);
                        clicked = ui.link(words).on_hover_text(&label).accessible_name(label).clicked();
                    } else {
                        ui.label(words.color(palette.muted));
                    }
                }
                chip_ui(ui, problem.code.text(), colour);
            });
            ui.label(with_code(&message_of(problem), size::BODY, palette.text));
            if let Some(line) = problem.source_line() {
                source_line_ui(ui, line, problem.column(), colour);
            }
            if let Some(help) = &problem.help {
                ui.label(with_code(
                    &text!("problem-help", help = localized(help)),
                    size::SMALL,
                    palette.muted,
                ));
            }
        });
    ui.add_space(space::XS);
    clicked
}

/// The line of the file, and below it a caret at the column.
fn source_line_ui(ui: &mut Ui, line: &str, column: u32, colour: egui::Color32) {
    let palette = Palette::of(ui.visuals());
    let before = (column.max(1) - 1) as usize;
    let caret: String = line
        .chars()
        .take(before)
        .map(|letter| if letter == '\t' { '\t' } else { ' ' })
        .chain(['^'])
        .collect();
    let font = FontId::monospace(size::SMALL);
    let mut job = egui::text::LayoutJob::default();
    job.append(line, 0.0, TextFormat::simple(font.clone(), palette.text));
    if column > 0 {
        job.append("\n", 0.0, TextFormat::simple(font.clone(), palette.text));
        job.append(&caret, 0.0, TextFormat::simple(FontId::new(size::SMALL, font.family), colour));
    }
    Frame::NONE
        .fill(palette.raised)
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(8, 4))
        .show(ui, |ui| {
            // Several problems may have the same line.
            let id = ui.next_auto_id();
            ScrollArea::horizontal().id_salt(id).show(ui, |ui| {
                ui.add(egui::Label::new(job).extend());
            });
        });
}
