//! What is wrong with rules and other content: where, what, and the line itself with a caret.

use egui::text::LayoutJob;
use egui::{Color32, FontId, Frame, Label, Margin, RichText, ScrollArea, TextFormat, Ui};

use crate::command::{AppCommand, UiCommand};
use crate::texts::{localized, text};
use crate::theme::{Icon, IconButton, Palette, card, chip_ui, heading_with_ui, icon_ui, size, space, veil, with_code};
use crate::tools_panel::TextPosition;
use boardwright_model::diagnostic::{Diagnostic, Severity};

/// Shows a list of problems, each with a way to its place; true if the player wants it closed.
pub(crate) fn problems_ui(ui: &mut Ui, problems: &[Diagnostic], commands: &mut Vec<UiCommand>) -> bool {
    let close = IconButton::icon(Icon::Close, text!("problems-close")).height(28.0);
    let closed = heading_with_ui(ui, Icon::Warning, &counted(problems), |ui| ui.add(close)).clicked();
    ScrollArea::vertical()
        .id_salt("problems")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for problem in problems {
                if linked_problem_ui(ui, problem) {
                    commands.push(AppCommand::Edit(TextPosition::of(problem)).into());
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
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        text!("problems-none")
    } else {
        parts.join(", ")
    }
}

/// Shows one problem.
pub fn problem_ui(ui: &mut Ui, problem: &Diagnostic) {
    card_ui(ui, problem, false);
}

/// Shows one problem whose place is a link; true if it was clicked.
pub fn linked_problem_ui(ui: &mut Ui, problem: &Diagnostic) -> bool {
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
    card(veil(colour, 0.06), veil(colour, 0.35), 8, (10, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            icon_ui(ui, icon, 18.0, colour);
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
                    ui.weak(words);
                }
            }
            chip_ui(ui, problem.code.text(), colour);
        });
        ui.label(with_code(&message_of(problem), size::BODY, palette.text));
        if let Some(line) = problem.source_line() {
            source_line_ui(ui, line, problem.column(), colour);
        }
        if let Some(help) = &problem.help {
            let help = text!("problem-help", help = localized(help));
            ui.label(with_code(&help, size::SMALL, palette.muted));
        }
    });
    ui.add_space(space::XS);
    clicked
}

/// The line of the file, and below it a caret at the column.
fn source_line_ui(ui: &mut Ui, line: &str, column: u32, colour: Color32) {
    let palette = Palette::of(ui.visuals());
    let before = (column.max(1) - 1) as usize;
    let blank = |letter: char| if letter == '\t' { '\t' } else { ' ' };
    let caret: String = line.chars().take(before).map(blank).chain(['^']).collect();
    let format = |colour: Color32| TextFormat::simple(FontId::monospace(size::SMALL), colour);
    let mut job = LayoutJob::default();
    job.append(line, 0.0, format(palette.text));
    if column > 0 {
        job.append("\n", 0.0, format(palette.text));
        job.append(&caret, 0.0, format(colour));
    }
    let frame = Frame::NONE
        .fill(palette.raised)
        .corner_radius(6)
        .inner_margin(Margin::symmetric(8, 4));
    frame.show(ui, |ui| {
        // Several problems may have the same line.
        let id = ui.next_auto_id();
        ScrollArea::horizontal().id_salt(id).show(ui, |ui| ui.add(Label::new(job).extend()));
    });
}
