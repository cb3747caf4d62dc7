//! What a computer player thinks: how far it has looked, what it expects, and how good it finds its position.

use egui::{Color32, Id, Label, Rect, RichText, Role, Sense, Spinner, Ui, WidgetInfo, vec2};

use super::{button_ui, send};
use crate::command::UiCommand;
use crate::percent::percent;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, from_right_ui, paint_share, remark, space};
use boardwright_protocol::{Command, Evaluation, ThinkingReport};

/// The most actions of the expected line that are written.
const MOST_ACTIONS: usize = 6;

/// Shows what a player thinks, or thought last, with a button that stops it. `colour` is that of its seat.
pub(super) fn thinking_ui(ui: &mut Ui, report: &ThinkingReport, is_thinking: bool, colour: Color32, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    ui.spacing_mut().item_spacing.y = space::XS;
    // A player that does not search has nothing to show when it has chosen.
    if !is_thinking && report.depth == 0 {
        return;
    }
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        if is_thinking {
            ui.add(Spinner::new().size(14.0).color(palette.accent));
        }
        let depth = match (is_thinking, report.depth) {
            (true, 0) => text!("thinking"),
            (true, depth) => text!("thinking-ahead", count = depth),
            (false, depth) => text!("thought-ahead", count = depth),
        };
        ui.label(remark(depth));
        from_right_ui(ui, |ui| {
            if is_thinking {
                let stop = IconButton::with_text(Icon::Stop, text!("thinking-stop")).height(26.0);
                button_ui(ui, stop.hint(text!("thinking-stop-line")), send(Command::Stop), commands);
            }
        });
    });
    let actions = report.line.iter().take(MOST_ACTIONS);
    let line: Vec<&str> = actions.map(|action| action.notation.as_str()).collect();
    if !line.is_empty() {
        let words = RichText::new(line.join("  ")).small();
        ui.add(Label::new(words).truncate());
    }
    if let Some(evaluation) = report.evaluation.filter(|_| report.depth > 0) {
        evaluation_ui(ui, evaluation, colour);
    }
}

/// A bar that is filled as far as a seat is likely to win. Where the ruleset does not say what a lead is worth, the greatest seen so far
/// nearly fills it, and none fills the half.
fn evaluation_ui(ui: &mut Ui, evaluation: Evaluation, colour: Color32) {
    let palette = Palette::of(ui.visuals());
    let (share, label) = match evaluation {
        Evaluation::Chance(thousandths) => {
            let chance = f64::from(thousandths) / 1_000.0;
            (chance as f32, text!("thinking-chance", chance = percent(chance)))
        }
        Evaluation::Points(points) => {
            let share = points as f32 / greatest_points(ui, points) as f32;
            (0.5 + 0.45 * share, text!("thinking-score", score = percent(f64::from(share))))
        }
        Evaluation::WinsIn(actions) => (1.0, text!("thinking-wins", count = actions.max(1))),
        Evaluation::LosesIn(actions) => (0.0, text!("thinking-loses", count = actions.max(1))),
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 7.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &label));
    let share = ui.ctx().animate_value_with_time(response.id, share, 0.2);
    paint_share(ui, rect, share, colour, 4);
    let middle = Rect::from_center_size(rect.center(), vec2(1.5, rect.height() + 4.0));
    ui.painter().rect_filled(middle, 0, palette.text);
    response.on_hover_text(label);
}

/// The most points seen so far, of these too.
fn greatest_points(ui: &Ui, points: i64) -> u64 {
    ui.data_mut(|data| {
        let greatest = data.get_temp_mut_or(Id::unique("greatest evaluation"), 1u64);
        *greatest = points.unsigned_abs().max(*greatest);
        *greatest
    })
}
