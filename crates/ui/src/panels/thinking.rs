//! What a computer player thinks: how far it has looked, what it expects, and how good it finds its position.

use egui::{Color32, Id, Label, Rect, RichText, Role, Sense, Spinner, Ui, WidgetInfo, vec2};

use super::{button_ui, send};
use crate::command::UiCommand;
use crate::percent::percent;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, from_right_ui, paint_share, remark, space};
use boardwright_protocol::{Command, ThinkingReport, Verdict};

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
    if report.depth > 0 {
        evaluation_ui(ui, report.score, colour);
    }
}

/// A bar that is filled by the half where a seat stands level, more where it stands better. Points of rulesets differ in size, so
/// the greatest seen so far is what nearly fills it.
fn evaluation_ui(ui: &mut Ui, score: i64, colour: Color32) {
    let palette = Palette::of(ui.visuals());
    let id = Id::unique("greatest evaluation");
    let verdict = Verdict::of(score);
    let share = match verdict {
        // Next to a certain end all points would look alike: it fills the bar, and is not remembered.
        Verdict::Wins(_) => 1.0,
        Verdict::Loses(_) => 0.0,
        Verdict::Open => {
            let greatest = ui.data_mut(|data| {
                let known: u64 = data.get_temp(id).unwrap_or(1);
                let greatest = known.max(score.unsigned_abs());
                data.insert_temp(id, greatest);
                greatest
            });
            0.5 + 0.45 * (score as f32 / greatest as f32)
        }
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 7.0), Sense::hover());
    let label = match verdict {
        Verdict::Open => text!("thinking-score", score = percent((f64::from(share) - 0.5) / 0.45)),
        Verdict::Wins(actions) => text!("thinking-wins", count = actions.max(1)),
        Verdict::Loses(actions) => text!("thinking-loses", count = actions.max(1)),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &label));
    let share = ui.ctx().animate_value_with_time(response.id, share, 0.2);
    paint_share(ui, rect, share, colour, 4);
    let middle = Rect::from_center_size(rect.center(), vec2(1.5, rect.height() + 4.0));
    ui.painter().rect_filled(middle, 0, palette.text);
    response.on_hover_text(label);
}
