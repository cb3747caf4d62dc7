//! How the match went: a line for each seat over the rounds.

use egui::{Id, Role, Ui, WidgetInfo};
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, VLine};

use super::send;
use crate::command::UiCommand;
use crate::texts::text;
use crate::theme::{
    Icon, Palette, heading_ui, remark, seat_colour, seat_mark_ui, seat_style, segments_ui, size, space, titled_dialog_ui, veil,
};
use boardwright_model::Declarations;
use boardwright_protocol::{Command, Measure, Series, Statistics};

/// The most rounds whose numbers are written below the chart.
const MOST_MARKS: usize = 10;

/// What the chart needs besides the statistics.
#[derive(Clone, Copy)]
pub(crate) struct ChartPlace<'a> {
    pub(crate) declarations: &'a Declarations,
    /// The position that is shown on the board.
    pub(crate) at: usize,
}

/// Shows the chart in a dialog; false when the player wants it closed.
pub(crate) fn statistics_ui(ui: &Ui, statistics: Option<&Statistics>, place: ChartPlace<'_>, commands: &mut Vec<UiCommand>) -> bool {
    let window = ui.ctx().content_rect();
    let width = (window.width() - 120.0).min(720.0);
    titled_dialog_ui(ui, "statistics", text!("chart-title"), width, |ui| match statistics {
        None => _ = ui.spinner(),
        Some(statistics) => chart_ui(ui, statistics, place, (window.height() - 240.0).clamp(160.0, 360.0), commands),
    })
}

/// Shows the chart; a click on it goes to that moment.
pub(crate) fn chart_ui(ui: &mut Ui, statistics: &Statistics, place: ChartPlace<'_>, height: f32, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    let measures = measures(statistics);
    let id = Id::unique("chart measure");
    let known: Option<Measure> = ui.data(|data| data.get_temp(id));
    let Some(mut measure) = known.filter(|known| measures.contains(known)).or(measures.first().copied()) else {
        ui.weak(text!("chart-empty"));
        return;
    };
    ui.horizontal_wrapped(|ui| {
        if measures.len() > 1 {
            let choices: Vec<(Measure, String)> = measures.iter().map(|measure| (*measure, name(*measure))).collect();
            if segments_ui(ui, &text!("chart-measure"), &mut measure, &choices) {
                ui.data_mut(|data| data.insert_temp(id, measure));
            }
        } else {
            heading_ui(ui, Icon::Chart, &name(measure));
        }
        ui.add_space(space::S);
        for (index, seat) in place.declarations.seats.iter().enumerate() {
            seat_mark_ui(ui, Palette::seat(&place.declarations.seats, index), index, 16.0);
            ui.label(egui::RichText::new(&*seat.title).size(size::SMALL));
        }
    });
    let description = description(statistics, measure, place.declarations);
    let scale = scale(statistics, measure);
    let marks = round_marks(statistics);
    let spaced: Vec<f64> = marks.iter().map(|(position, _)| *position).collect();
    let plot = Plot::new("chart")
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_background(false)
        .show_crosshair(false)
        .grid_color(veil(palette.muted, 0.5))
        .set_margin_fraction(egui::vec2(0.025, 0.08))
        .label_formatter(|_| None)
        .x_axis_label(remark(text!("chart-rounds")))
        .x_grid_spacer(move |_| {
            let mark = |value: &f64| GridMark {
                value: *value,
                step_size: f64::MAX,
            };
            spaced.iter().map(mark).collect()
        })
        .y_axis_formatter(move |mark: GridMark, _| axis_text(measure, mark.value))
        .x_axis_formatter(move |mark: GridMark, _| {
            let known = marks.iter().find(|(position, _)| (*position - mark.value).abs() < 0.5);
            known.map_or_else(String::new, |(_, round)| text!("chart-round", round = *round))
        });
    // Chances are seen on the whole of their range.
    let plot = if measure == Measure::Chance {
        plot.include_y(0.0).include_y(100.0)
    } else {
        plot
    };
    let shown = plot.show(ui, |plot| {
        let present = VLine::new("", place.at as f64).color(veil(palette.muted, 0.8));
        plot.vline(present.width(1.0).allow_hover(false));
        for series in statistics.series.iter().filter(|series| series.measure == measure) {
            plot.line(line(statistics, series, scale, place.declarations));
        }
        plot.pointer_coordinate()
    });
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &description));
    if measure == Measure::Score {
        ui.label(remark(text!("chart-advantage-line")));
    }
    if let Some(pointer) = shown.inner {
        let away = |position: &usize| (*position as f64 - pointer.x).abs() as u64;
        if let Some(position) = statistics.positions.iter().copied().min_by_key(away) {
            let values = values_at(statistics, measure, place.declarations, position);
            if shown.response.on_hover_text_at_pointer(values).clicked() {
                commands.push(send(Command::GoTo { position }));
            }
        }
    }
}

fn line<'a>(statistics: &Statistics, series: &Series, scale: f64, declarations: &Declarations) -> Line<'a> {
    let index = series.seat.index();
    let points = statistics.positions.iter().zip(&series.values);
    let points = points.filter_map(|(position, value)| Some([*position as f64, (*value)? as f64 * scale]));
    // Lines differ by more than their colour where players want that.
    let style = match (seat_style().has_patterns, index % 4) {
        (true, 1) => LineStyle::dashed_dense(),
        (true, 2) => LineStyle::dotted_dense(),
        (true, 3) => LineStyle::dashed_loose(),
        _ => LineStyle::Solid,
    };
    let title = declarations
        .seats
        .get(index)
        .map_or_else(String::new, |seat| seat.title.to_string());
    let line = Line::new(title, points.collect::<PlotPoints<'_>>()).color(seat_colour(declarations, series.seat));
    line.width(2.2).style(style).allow_hover(false)
}

/// Where rounds begin, as far apart that their numbers have room. Rounds can be of very different length.
fn round_marks(statistics: &Statistics) -> Vec<(f64, u32)> {
    let ends = statistics.positions.first().zip(statistics.positions.last());
    let apart = ends.map_or(0, |(first, last)| last - first) as f64 / MOST_MARKS as f64;
    let mut marks: Vec<(f64, u32)> = Vec::new();
    let mut round_before = None;
    for (position, round) in statistics.positions.iter().zip(&statistics.rounds) {
        let begins = round_before.replace(*round) != Some(*round);
        let position = *position as f64;
        if begins && marks.last().is_none_or(|(last, _)| position - last >= apart) {
            marks.push((position, *round));
        }
    }
    marks
}

/// By what the values of a measure are multiplied to be shown: chances come in thousandths and are shown in percent. What rules reckon an advantage in means nothing to people: it is shown in
/// percent of the largest of the match.
fn scale(statistics: &Statistics, measure: Measure) -> f64 {
    match measure {
        Measure::Chance => return 0.1,
        Measure::Points | Measure::Pieces => return 1.0,
        Measure::Score => {}
    }
    let series = statistics.series.iter().filter(|series| series.measure == measure);
    let sizes = series.flat_map(|series| &series.values).flatten().map(|value| value.unsigned_abs());
    sizes
        .max()
        .filter(|largest| *largest > 0)
        .map_or(1.0, |largest| 100.0 / largest as f64)
}

/// What stands beside the axis: between whole numbers nothing.
fn axis_text(measure: Measure, value: f64) -> String {
    if value.fract() == 0.0 {
        shown_text(measure, value)
    } else {
        String::new()
    }
}

/// A value as it is shown: "60%" of a chance, "+60%" of an advantage, "12" of what is counted.
fn shown_text(measure: Measure, value: f64) -> String {
    let whole = value.round();
    match measure {
        Measure::Chance => text!("percent", value = format!("{whole}")),
        Measure::Score => {
            let sign = if whole > 0.0 { "+" } else { "" };
            text!("percent", value = format!("{sign}{whole}"))
        }
        Measure::Points | Measure::Pieces => format!("{whole}"),
    }
}

fn measures(statistics: &Statistics) -> Vec<Measure> {
    let mut found: Vec<Measure> = statistics.series.iter().map(|series| series.measure).collect();
    found.dedup();
    found
}

fn name(measure: Measure) -> String {
    match measure {
        Measure::Points => text!("chart-points"),
        Measure::Chance => text!("chart-chance"),
        Measure::Score => text!("chart-score"),
        Measure::Pieces => text!("chart-pieces"),
    }
}

/// The chart in a sentence, for those who do not see it: where each seat began and came to.
fn description(statistics: &Statistics, measure: Measure, declarations: &Declarations) -> String {
    let scale = scale(statistics, measure);
    let lines = statistics.series.iter().filter(|series| series.measure == measure);
    let seats = lines.filter_map(|series| {
        let title = &declarations.seats.get(series.seat.index())?.title;
        let mut known = series.values.iter().flatten();
        let first = known.next()?;
        let last = known.next_back().unwrap_or(first);
        let [first, last] = [first, last].map(|value| shown_text(measure, *value as f64 * scale));
        Some(text!("chart-line", seat = &**title, first = first, last = last))
    });
    text!("chart-said", measure = name(measure), seats = seats.collect::<Vec<_>>().join(", "))
}

fn values_at(statistics: &Statistics, measure: Measure, declarations: &Declarations, position: usize) -> String {
    let Some(place) = statistics.positions.iter().position(|known| *known == position) else {
        return String::new();
    };
    let round = statistics.rounds.get(place).copied().unwrap_or_default();
    let scale = scale(statistics, measure);
    let mut lines = vec![text!("match-round", round = round)];
    for series in statistics.series.iter().filter(|series| series.measure == measure) {
        if let (Some(seat), Some(Some(value))) = (declarations.seats.get(series.seat.index()), series.values.get(place)) {
            lines.push(format!("{}: {}", seat.title, shown_text(measure, *value as f64 * scale)));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::SeatId;

    #[test]
    fn an_advantage_is_shown_in_percent_and_what_is_counted_as_it_is() {
        let series = |measure, values: &[i64]| Series {
            seat: SeatId(0),
            measure,
            values: values.iter().copied().map(Some).collect(),
        };
        let statistics = Statistics {
            series: vec![
                series(Measure::Score, &[0, 3_000_000, -6_000_000]),
                series(Measure::Chance, &[500, 871]),
                series(Measure::Pieces, &[16, 12]),
            ],
            ..Statistics::default()
        };
        let shown = |measure, value: f64| shown_text(measure, value * scale(&statistics, measure));
        let advantages = [0.0, 3_000_000.0, -6_000_000.0].map(|value| shown(Measure::Score, value));
        assert_eq!(advantages, ["0%", "+50%", "-100%"]);
        assert_eq!(shown(Measure::Chance, 871.0), "87%", "a chance is its own percent");
        assert_eq!(shown(Measure::Pieces, 12.0), "12");
    }
}
