//! What a computer player thinks: how far it has looked, what it expects, and how good it finds its position.

use egui::{Color32, Id, Rect, Role, Sense, Spinner, Ui, WidgetInfo, vec2};

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
        let line = line_of(report);
        let depth = ui.label(remark(depth));
        if !line.is_empty() {
            depth.on_hover_text(line);
        }
        from_right_ui(ui, |ui| {
            if is_thinking {
                let stop = IconButton::with_text(Icon::Stop, text!("thinking-stop")).height(26.0);
                button_ui(ui, stop.hint(text!("thinking-stop-line")), send(Command::Stop), commands);
            }
        });
    });
    if let Some(evaluation) = report.evaluation.filter(|_| report.depth > 0) {
        evaluation_ui(ui, evaluation, colour);
    }
}

/// What it expects, in the notation of the ruleset: shown to those who ask for it.
fn line_of(report: &ThinkingReport) -> String {
    let actions = report.line.iter().take(MOST_ACTIONS);
    actions.map(|action| action.notation.as_str()).collect::<Vec<_>>().join("  ")
}

/// A bar that is filled as far as a seat is likely to win. Where the ruleset declares no `value_scale`, it is compared with those seen
/// so far, and told in words.
fn evaluation_ui(ui: &mut Ui, evaluation: Evaluation, colour: Color32) {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 7.0), Sense::hover());
    let (share, label) = match evaluation {
        Evaluation::Chance(thousandths) => {
            let chance = f64::from(thousandths) / 1_000.0;
            (chance as f32, text!("thinking-chance", chance = percent(chance)))
        }
        Evaluation::Points(points) => {
            let lead = lead_share(points, mean_points(ui, response.id, points));
            (0.5 + lead / 2.0, lead_text(lead))
        }
        Evaluation::WinsIn(actions) => (1.0, text!("thinking-wins", count = actions.max(1))),
        Evaluation::LosesIn(actions) => (0.0, text!("thinking-loses", count = actions.max(1))),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &label));
    let share = ui.ctx().animate_value_with_time(response.id, share, 0.2);
    paint_share(ui, rect, share, colour, 4);
    let middle = Rect::from_center_size(rect.center(), vec2(1.5, rect.height() + 4.0));
    ui.painter().rect_filled(middle, 0, palette.text);
    response.on_hover_text(label);
}

/// How large a lead is beside the mean one, from -1 to 1: the mean one comes to a half.
fn lead_share(points: i64, mean: f64) -> f32 {
    let points = points as f64;
    if points == 0.0 {
        0.0
    } else {
        (points / (points.abs() + mean)) as f32
    }
}

fn lead_text(lead: f32) -> String {
    match lead {
        0.75.. => text!("thinking-far-ahead"),
        0.4.. => text!("thinking-well-ahead"),
        0.15.. => text!("thinking-slightly-ahead"),
        -0.15.. => text!("thinking-level"),
        -0.4.. => text!("thinking-slightly-behind"),
        -0.75.. => text!("thinking-well-behind"),
        _ => text!("thinking-far-behind"),
    }
}

/// The mean size of the leads seen so far, with the one that a bar shows. Each counts once, however long it is seen.
fn mean_points(ui: &Ui, bar: Id, points: i64) -> f64 {
    ui.data_mut(|data| {
        let shown = bar.with("lead");
        let is_new = data.get_temp(shown) != Some(points);
        data.insert_temp(shown, points);
        let (count, mean) = data.get_temp_mut_or(Id::unique("mean evaluation"), (0u32, 0.0f64));
        if is_new {
            *count = count.saturating_add(1);
            *mean += (points.unsigned_abs() as f64 - *mean) / f64::from(*count);
        }
        *mean
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_measured_by_those_seen_before() {
        let halves = [(500, 500.0), (-500, 500.0), (0, 0.0)].map(|(points, mean)| (lead_share(points, mean) * 2.0).round() as i32);
        assert_eq!(halves, [1, -1, 0]);
        assert!(lead_share(9_000, 500.0) > 0.9 && lead_share(50, 500.0) < 0.15);
    }
}
