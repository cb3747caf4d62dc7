//! What strategies think of the match: a bar for each seat, the cells on the board, and the decisions as they come.

use std::collections::{BTreeMap, VecDeque};

use egui::{Align, Color32, ComboBox, Label, Layout, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::board::heat_colour;
use crate::keys::{Act, key_of};
use crate::match_controller::HeatMapSource;
use crate::texts::text;
use crate::theme::{
    Icon, IconButton, Palette, from_right_ui, heading_with_ui, label_in_ui, paint_share, remark, remark_ui, seat_mark_ui, size, space,
    strong, strong_if,
};
use boardwright_model::{CellId, Declarations, SeatId, State};
use boardwright_protocol::ThoughtsReport;

const NAME: f32 = 58.0;
const ROW: f32 = 20.0;
/// The most thoughts of a decision that are shown.
const MOST_THOUGHTS: usize = 12;

#[derive(Clone, Debug, Default)]
pub(crate) struct Insight {
    is_open: bool,
    /// The strategy that is asked; the first one if this is none.
    strategy: String,
    /// Whether the values of cells are shown on the board, and to whom; to the seat to act if nobody is named.
    shows_cells: bool,
    seat: Option<SeatId>,
    watches: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct InsightData<'a> {
    pub(crate) strategies: &'a [String],
    /// The value of the match for each seat.
    pub(crate) seat_values: &'a [Option<i64>],
    pub(crate) cell_values: &'a BTreeMap<CellId, i64>,
    /// The decisions that were watched, newest first.
    pub(crate) decisions: &'a VecDeque<ThoughtsReport>,
    pub(crate) failure: Option<&'a str>,
}

impl Insight {
    pub(crate) fn toggle(&mut self) {
        self.is_open = !self.is_open;
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(crate) fn watches(&self) -> bool {
        self.is_open && self.watches
    }

    pub(crate) fn strategy<'s>(&self, strategies: &'s [String]) -> Option<&'s String> {
        let wanted = strategies.iter().find(|data| **data == self.strategy);
        wanted.or(strategies.first()).filter(|_| self.is_open)
    }

    /// Whose cells are to be shown on the board, in the eyes of which strategy.
    pub(crate) fn shown_cells(&self, strategies: &[String], state: &State) -> Option<HeatMapSource> {
        let strategy = self.strategy(strategies).filter(|_| self.shows_cells)?;
        Some(HeatMapSource::Strategy(strategy.clone(), self.seat_shown(state)?))
    }

    fn seat_shown(&self, state: &State) -> Option<SeatId> {
        self.seat.or_else(|| state.acting().first()).or(state.sequence().mark.seat)
    }

    pub(crate) fn ui(&mut self, ui: &mut Ui, state: &State, data: InsightData<'_>) {
        ui.spacing_mut().item_spacing.y = space::S;
        ui.spacing_mut().interact_size.y = ROW;
        let close = IconButton::icon(Icon::Close, text!("insight-close"))
            .hint(key_of(Act::Insight))
            .height(24.0);
        if heading_with_ui(ui, Icon::Computer, &text!("insight-title"), |ui| ui.add(close)).clicked() {
            self.is_open = false;
        }
        let Some(strategy) = self.strategy(data.strategies).cloned() else {
            ui.add(Label::new(RichText::new(text!("insight-none")).weak()).wrap());
            return;
        };
        let combo = ComboBox::from_id_salt("insight strategy")
            .selected_text(&strategy)
            .width(ui.available_width() - space::S)
            .show_ui(ui, |ui| {
                for name in data.strategies {
                    ui.selectable_value(&mut self.strategy, name.clone(), name);
                }
            });
        combo.response.accessible_name(text!("insight-strategy"));
        self.values_ui(ui, state, data.seat_values);
        if let Some(failure) = data.failure {
            let danger = Palette::of(ui.visuals()).danger;
            ui.add(Label::new(RichText::new(failure).small().color(danger)).wrap());
        }
        ui.separator();
        ui.checkbox(&mut self.shows_cells, text!("insight-cells"));
        if self.shows_cells {
            let seat = self.seat_shown(state).map(|seat| state.declarations().seat_title(seat).to_string());
            legend_ui(ui, data.cell_values, &seat.unwrap_or_default());
        }
        ui.separator();
        ui.checkbox(&mut self.watches, text!("insight-watch"));
        if self.watches {
            decisions_ui(ui, data.decisions, state.declarations());
        }
    }

    /// A bar for each seat; a click on one shows its cells.
    fn values_ui(&mut self, ui: &mut Ui, state: &State, seat_values: &[Option<i64>]) {
        let sizes = seat_values.iter().flatten().map(|value| value.unsigned_abs());
        let greatest = sizes.fold(1, u64::max);
        let shown = self.seat_shown(state).filter(|_| self.shows_cells);
        for (index, declared) in state.declarations().seats.iter().enumerate() {
            let seat = SeatId::from_index(index);
            let value = seat_values.get(index).copied().flatten();
            let colour = Palette::seat(&state.declarations().seats, index);
            let row = ui.horizontal(|ui| {
                seat_mark_ui(ui, colour, index, 18.0);
                let name = strong_if(shown == Some(seat), &declared.title);
                label_in_ui(ui, vec2(NAME, ROW), Label::new(name).truncate());
                from_right_ui(ui, |ui| {
                    number_ui(ui, value.map_or_else(|| text!("insight-silent"), |value| value.to_string()));
                    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 9.0), Sense::hover());
                    paint_value(ui, rect, value.map_or(0.0, |value| value as f32 / greatest as f32), colour);
                });
            });
            let label = if let Some(value) = value {
                text!("insight-value", seat = &*declared.title, value = value)
            } else {
                text!("insight-no-value", seat = &*declared.title)
            };
            let clicks = ui.interact(row.response.rect, ui.scope_id().with(("insight-seat", index)), Sense::click());
            clicks.widget_info(|| WidgetInfo::selected(Role::Button, true, shown == Some(seat), &label));
            if clicks.on_hover_text(text!("insight-cells-of", seat = &*declared.title)).clicked() {
                self.seat = Some(seat);
                self.shows_cells = true;
            }
        }
    }
}

/// A bar from the middle: to the right for what is good, from -1 to 1.
fn paint_value(ui: &Ui, rect: Rect, value: f32, colour: Color32) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    painter.rect_filled(rect, 4, palette.raised);
    let end = rect.center().x + rect.width() / 2.0 * value.clamp(-1.0, 1.0);
    let from_middle = Rect::from_x_y_ranges(rect.center().x.min(end)..=rect.center().x.max(end), rect.y_range());
    painter.rect_filled(from_middle, 2, colour);
    let middle = Rect::from_center_size(rect.center(), vec2(1.5, rect.height() + 4.0));
    painter.rect_filled(middle, 0, palette.text);
}

fn number_ui(ui: &mut Ui, number: String) {
    ui.label(RichText::new(number).monospace().size(size::SMALL));
}

/// What the colours on the board mean.
fn legend_ui(ui: &mut Ui, cells: &BTreeMap<CellId, i64>, seat: &str) {
    if cells.is_empty() {
        remark_ui(ui, text!("insight-no-cells"));
        return;
    }
    ui.label(remark(text!("insight-values-for", seat = seat)));
    ui.horizontal(|ui| heat_scale_ui(ui, cells));
}

/// The colours between the least and the most of some numbers of cells, with these at its ends; the colour and the number where all are the same.
pub(crate) fn heat_scale_ui(ui: &mut Ui, cells: &BTreeMap<CellId, i64>) {
    const STEPS: usize = 24;
    let (Some(least), Some(most)) = (cells.values().min(), cells.values().max()) else {
        return;
    };
    if least < most {
        number_ui(ui, least.to_string());
    }
    from_right_ui(ui, |ui| {
        number_ui(ui, most.to_string());
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
        for step in 0..STEPS {
            let share = if least < most { step as f32 / (STEPS - 1) as f32 } else { 1.0 };
            let left = rect.left() + rect.width() * step as f32 / STEPS as f32;
            let part = Rect::from_min_size(pos2(left, rect.top()), vec2(rect.width() / STEPS as f32 + 0.5, rect.height()));
            ui.painter().rect_filled(part, 0, heat_colour(share));
        }
    });
}

/// The decisions as they came, newest first: what was chosen, what was noted, and what was weighed with its value.
fn decisions_ui(ui: &mut Ui, decisions: &VecDeque<ThoughtsReport>, declarations: &Declarations) {
    if decisions.is_empty() {
        remark_ui(ui, text!("insight-wait"));
    }
    ScrollArea::vertical()
        .id_salt("decisions")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for report in decisions {
                let seat = declarations.seat_title(report.seat).to_string();
                let title = text!("insight-decision", seat = seat, chosen = report.chosen.as_str());
                ui.add(Label::new(strong(title)).truncate());
                thoughts_ui(ui, report);
                ui.add_space(space::XS);
            }
        });
}

fn thoughts_ui(ui: &mut Ui, report: &ThoughtsReport) {
    let palette = Palette::of(ui.visuals());
    let weighed = report.thoughts.iter().filter(|thought| thought.weighed);
    let numbers = weighed.filter_map(|thought| thought.number);
    let (least, most) = numbers.fold((i64::MAX, i64::MIN), |(least, most), number| (least.min(number), most.max(number)));
    for thought in report.thoughts.iter().take(MOST_THOUGHTS) {
        ui.horizontal(|ui| {
            let mut words = RichText::new(&thought.text).small();
            if thought.chosen {
                words = words.strong();
            }
            from_right_ui(ui, |ui| {
                if let Some(number) = thought.number {
                    number_ui(ui, number.to_string());
                }
                if let (true, Some(number)) = (thought.weighed && most > least, thought.number) {
                    let share = (number.saturating_sub(least)) as f32 / (most.saturating_sub(least)) as f32;
                    let (rect, _) = ui.allocate_exact_size(vec2(46.0, 7.0), Sense::hover());
                    paint_share(ui, rect, share, palette.accent, 3);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(Label::new(words).truncate()));
            });
        });
    }
    if report.thoughts.len() > MOST_THOUGHTS {
        let more = text!("console-more", count = report.thoughts.len() - MOST_THOUGHTS);
        ui.label(remark(more));
    }
}
