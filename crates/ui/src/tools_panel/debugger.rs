//! The debugger of strategies: seats, break points, and the state of the strategy that has paused.

use egui::text::LayoutJob;
use egui::{
    Align, Color32, FontId, Frame, Label, Layout, Margin, Panel, Rect, RichText, ScrollArea, Sense, TextEdit, TextFormat, Ui, vec2,
};

use super::TextPosition;
use crate::command::AppCommand;
use crate::keys::{self, Act, key_of, label_of};
use crate::match_controller::{DebugCommand, DecisionBreaks, MatchController};
use crate::resizable::resizable_ui;
use crate::texts::text;
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, chip_ui, from_right_ui, heading_ui, remark, seat_colour, seat_mark_ui, size, space, strong,
    title, veil,
};
use boardwright_model::{Declarations, SeatId};
use boardwright_protocol::{BreakPoint, PauseCause, PauseReport, StepKind, ThoughtLine, WatchResult};

/// The height of the state of a paused strategy: initial, least and most.
const HEIGHT: [f32; 3] = [340.0, 90.0, 620.0];
/// The height of the line of a seat.
const ROW: f32 = 22.0;
const BUTTON: f32 = 28.0;

#[derive(Debug, Default)]
pub(super) struct DebuggerPanel {
    expression: String,
    /// The condition that is being written, and of which break point.
    condition: Option<(BreakPoint, String)>,
}

impl DebuggerPanel {
    /// Shows the seats and, where one is attached, its state.
    pub(super) fn ui(&mut self, ui: &mut Ui, controller: &MatchController, commands: &mut Vec<AppCommand>) {
        let Some(declarations) = controller.mirror().declarations() else {
            return;
        };
        heading_ui(ui, Icon::Eye, &text!("debug-title"));
        // There may be many of them, and the script needs the room.
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = space::XS;
            ui.spacing_mut().interact_size.y = ROW;
            for seat in controller.strategy_seats() {
                seat_ui(ui, controller, declarations, seat, commands);
            }
        });
        if controller.debugger().is_attached() {
            let margins = Frame::NONE.inner_margin(Margin::symmetric(0, space::S as i8));
            resizable_ui(ui, Panel::bottom, "debugged strategies", HEIGHT, margins, |ui| {
                // It keeps its height when a strategy goes on, so that nothing jumps from step to step.
                ui.set_min_height(ui.available_height());
                let paused = controller.mirror().paused_strategy();
                state_ui(ui, controller, declarations, commands);
                steps_ui(ui, paused, commands);
                self.points_ui(ui, &controller.debugger().points, commands);
                if let Some(report) = paused {
                    ScrollArea::vertical()
                        .id_salt("paused")
                        .auto_shrink([false, false])
                        .show(ui, |ui| self.report_ui(ui, report, &controller.debugger().watches, commands));
                }
            });
        } else {
            ui.label(remark(text!("debug-line")));
        }
        ui.add_space(space::S);
    }

    /// The break points, each with a field for its condition.
    fn points_ui(&mut self, ui: &mut Ui, points: &[BreakPoint], commands: &mut Vec<AppCommand>) {
        if points.is_empty() {
            return;
        }
        let palette = Palette::of(ui.visuals());
        part_ui(ui, text!("debug-points"));
        for point in points {
            let known = point.condition.clone().unwrap_or_default();
            let mut written = match &self.condition {
                Some((of, written)) if of == point => written.clone(),
                _ => known.clone(),
            };
            ui.horizontal(|ui| {
                let name = point.file.rsplit('/').next().unwrap_or_default();
                let place = format!("{name}:{}", point.line);
                ui.label(code(&place).color(palette.accent));
                from_right_ui(ui, |ui| {
                    let label = text!("debug-no-point", line = point.line);
                    if ui.add(IconButton::icon(Icon::Close, label).height(18.0)).clicked() {
                        commands.push(DebugCommand::ToggleBreakPoint(point.file.clone(), point.line).into());
                    }
                    let field = TextEdit::singleline(&mut written)
                        .hint_text(text!("debug-condition-hint"))
                        .font(FontId::monospace(size::SMALL))
                        .desired_width(f32::INFINITY);
                    let field = ui.add(field).accessible_name(text!("debug-condition", line = point.line));
                    if field.changed() {
                        self.condition = Some((point.clone(), written.clone()));
                    }
                    // What was written counts when the field is left, in whatever way.
                    if field.lost_focus() {
                        self.condition = None;
                        let written = written.trim();
                        if written != known {
                            commands.push(
                                DebugCommand::SetCondition(BreakPoint {
                                    condition: (!written.is_empty()).then(|| written.to_owned()),
                                    ..point.clone()
                                })
                                .into(),
                            );
                        }
                    }
                });
            });
        }
    }

    /// The state of the strategy that has paused.
    fn report_ui(&mut self, ui: &mut Ui, report: &PauseReport, watches: &[String], commands: &mut Vec<AppCommand>) {
        let palette = Palette::of(ui.visuals());
        ui.spacing_mut().item_spacing.y = space::XS;
        if let Some(problem) = &report.problem {
            let words = text!("debug-condition-fails", problem = problem.as_str());
            ui.add(Label::new(remark(words).color(palette.danger)).wrap());
        }
        if let Some(hits) = report.hits.filter(|hits| *hits > 1) {
            ui.label(remark(text!("debug-hits", count = hits)));
        }
        if let Some(chosen) = &report.chosen {
            chip_ui(ui, &text!("debug-chosen", action = chosen.as_str()), palette.good);
        }
        if let Some(evaluated) = &report.evaluated {
            chip_ui(ui, &text!("debug-evaluated", action = evaluated.as_str()), palette.accent);
        }
        if !report.variables.is_empty() {
            part_ui(ui, text!("debug-variables"));
            for variable in &report.variables {
                value_ui(ui, &variable.name, &variable.value, palette.text).on_hover_text(&variable.sort);
            }
        }
        part_ui(ui, text!("debug-watches"));
        for watched in &report.watches {
            watched_ui(ui, watched, commands);
        }
        // Those that were just written have no value yet.
        let is_new = |expression: &&String| report.watches.iter().all(|watched| watched.expression != **expression);
        for expression in watches.iter().filter(is_new) {
            value_ui(ui, expression, "…", palette.muted);
        }
        let field = TextEdit::singleline(&mut self.expression)
            .hint_text(text!("debug-watch-hint"))
            .font(FontId::monospace(size::SMALL))
            .desired_width(f32::INFINITY);
        let field = ui.add(field).accessible_name(text!("debug-watch"));
        if keys::is_entered(ui, &field) && !self.expression.trim().is_empty() {
            let written = std::mem::take(&mut self.expression);
            commands.push(DebugCommand::AddWatch(written.trim().to_owned()).into());
            field.request_focus();
        }
        part_ui(ui, text!("debug-calls"));
        for call in &report.stack {
            let words = format!("{}({})", call.function, call.arguments.join(", "));
            let label = text!("debug-call", function = words, line = call.line);
            if ui.link(code(&label)).clicked() {
                commands.push(AppCommand::Edit(TextPosition::at_line(&call.file, call.line)));
            }
        }
        if !report.thoughts.is_empty() {
            part_ui(ui, text!("debug-thoughts"));
            thoughts_ui(ui, &report.thoughts);
        }
    }
}

/// Whether the debugger is attached to a seat, and where it pauses.
fn seat_ui(ui: &mut Ui, controller: &MatchController, declarations: &Declarations, seat: SeatId, commands: &mut Vec<AppCommand>) {
    let title = declarations.seat_title(seat);
    let player = controller.mirror().players().get(seat.index()).map_or("", String::as_str);
    let breaks = controller.debugger().of(seat);
    ui.horizontal_wrapped(|ui| {
        seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 18.0);
        let mut is_debugged = breaks.is_some();
        if ui
            .checkbox(&mut is_debugged, text!("debug-seat", seat = &*title, player = player))
            .changed()
        {
            let default = DecisionBreaks {
                before: true,
                after: false,
            };
            commands.push(DebugCommand::Attach(seat, is_debugged.then_some(default)).into());
        }
        let Some(mut breaks) = breaks else { return };
        let before = ui.checkbox(&mut breaks.before, text!("debug-before"));
        let before = before.accessible_name(text!("debug-before-of", seat = &*title));
        let after = ui.checkbox(&mut breaks.after, text!("debug-after"));
        let after = after.accessible_name(text!("debug-after-of", seat = &*title));
        if before.changed() || after.changed() {
            commands.push(DebugCommand::Attach(seat, Some(breaks)).into());
        }
    });
}

/// Which seat has paused and why, or which decides, and the button that pauses.
fn state_ui(ui: &mut Ui, controller: &MatchController, declarations: &Declarations, commands: &mut Vec<AppCommand>) {
    let mirror = controller.mirror();
    let strategies = controller.strategy_seats();
    let acting = controller.state().filter(|_| !mirror.is_paused()).map(|state| state.acting());
    let deciding = acting.and_then(|acting| acting.iter().find(|seat| strategies.contains(seat)));
    let paused = mirror.paused_strategy();
    let title = |seat: SeatId| declarations.seat_title(seat).to_string();
    let words = match (paused, deciding) {
        (Some(report), _) => {
            let seat = title(report.seat);
            let words = match report.cause {
                PauseCause::Before => text!("debug-paused-before", seat = seat),
                PauseCause::After => text!("debug-paused-after", seat = seat),
                PauseCause::BreakPoint => text!("debug-paused-break-point", seat = seat, line = report.line),
                PauseCause::Step | PauseCause::Asked => text!("debug-paused", seat = seat, line = report.line),
            };
            strong(words)
        }
        (None, Some(seat)) if controller.debugger().of(seat).is_some() => RichText::new(text!("debug-deciding", seat = title(seat))).weak(),
        (None, _) => RichText::new(text!("debug-waiting")).weak(),
    };
    ui.horizontal(|ui| {
        from_right_ui(ui, |ui| {
            let pause = IconButton::icon(Icon::Pause, text!("debug-pause")).height(BUTTON);
            if ui.add_enabled(paused.is_none(), pause).clicked() {
                commands.push(DebugCommand::Pause.into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(Label::new(words).truncate()));
        });
    });
}

const STEPS: [(Act, StepKind); 4] = [
    (Act::GoOn, StepKind::Continue),
    (Act::StepOver, StepKind::Over),
    (Act::StepInto, StepKind::Into),
    (Act::StepOut, StepKind::Out),
];

/// The buttons and keys that let a strategy go on.
fn steps_ui(ui: &mut Ui, paused: Option<&PauseReport>, commands: &mut Vec<AppCommand>) {
    if paused.is_some() {
        let pressed = STEPS.into_iter().find(|(act, _)| keys::pressed(ui, *act));
        commands.extend(pressed.map(|(_, step)| DebugCommand::Resume(step).into()));
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        for (act, step) in STEPS {
            let button = IconButton::text(label_of(act)).height(BUTTON).hint(key_of(act));
            let button = if step == StepKind::Continue {
                button.kind(ButtonKind::Primary)
            } else {
                button
            };
            if ui.add_enabled(paused.is_some(), button).clicked() {
                commands.push(DebugCommand::Resume(step).into());
            }
        }
    });
}

fn part_ui(ui: &mut Ui, words: String) {
    ui.add_space(space::XS);
    ui.label(title(words, size::SMALL).weak());
}

/// Code in small letters.
fn code(text: &str) -> RichText {
    RichText::new(text).monospace().size(size::SMALL)
}

/// A name and what it stands for.
fn value_ui(ui: &mut Ui, name: &str, value: &str, colour: Color32) -> egui::Response {
    let palette = Palette::of(ui.visuals());
    let font = FontId::monospace(size::SMALL);
    let mut job = LayoutJob::default();
    job.append(name, 0.0, TextFormat::simple(font.clone(), palette.accent));
    job.append(" = ", 0.0, TextFormat::simple(font.clone(), palette.muted));
    job.append(value, 0.0, TextFormat::simple(font, colour));
    ui.add(Label::new(job).wrap())
}

fn watched_ui(ui: &mut Ui, watched: &WatchResult, commands: &mut Vec<AppCommand>) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let label = text!("debug-unwatch", expression = watched.expression.as_str());
            if ui.add(IconButton::icon(Icon::Close, label).height(18.0)).clicked() {
                commands.push(DebugCommand::RemoveWatch(watched.expression.clone()).into());
            }
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| match (&watched.value, &watched.problem) {
                (Some(value), _) => value_ui(ui, &watched.expression, value, palette.text),
                (None, problem) => value_ui(ui, &watched.expression, problem.as_deref().unwrap_or_default(), palette.danger),
            });
        });
    });
}

/// What a strategy has said, and the actions it has weighed, with bars for their values.
fn thoughts_ui(ui: &mut Ui, thoughts: &[ThoughtLine]) {
    let palette = Palette::of(ui.visuals());
    let weighed = thoughts.iter().filter(|thought| thought.weighed);
    let values = weighed.filter_map(|thought| thought.number);
    let (least, most) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
    for thought in thoughts {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::SMALL + 6.0), Sense::hover());
        if let (true, Some(number)) = (thought.weighed, thought.number) {
            let share = if most > least {
                (number - least) as f32 / (most - least) as f32
            } else {
                1.0
            };
            let bar = Rect::from_min_size(rect.min, vec2(rect.width() * (0.04 + 0.96 * share), rect.height()));
            let fill = veil(palette.accent, if number == most { 0.34 } else { 0.16 });
            ui.painter().rect_filled(bar, 3, fill);
        }
        ui.scope_builder(egui::UiBuilder::new().max_rect(rect.shrink2(vec2(space::XS, 0.0))), |ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(number) = thought.number {
                    ui.label(code(&number.to_string()));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(RichText::new(&thought.text).size(size::SMALL)).truncate());
                });
            });
        });
    }
}
