//! The odds of the contest that the chosen action begins: its results, what it costs on average, and every way in which it can end.

use egui::{Color32, Label, Rect, RichText, Role, Sense, Spinner, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::keys::{Act, key_of};
use crate::percent::percent;
use crate::texts::{capitalized, decimal, text};
use crate::theme::{Icon, IconButton, Palette, from_right_ui, heading_with_ui, remark, remark_ui, space, strong};
use boardwright_model::{ContestDeclaration, State, Value};
use boardwright_protocol::{ChanceReport, EndReport, OddsReport};

const ROW: f32 = 20.0;
const CHART: f32 = 56.0;
/// A fraction with more letters than this is written in no text: it would fill the screen.
const LONGEST: usize = 240;

/// The odds, while they are shown or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OddsPanel {
    /// Shown while an action is chosen that has odds.
    #[default]
    WhereKnown,
    Open,
    Closed,
}

impl OddsPanel {
    /// Opens or closes the panel; `is_known` is whether there are odds to show.
    pub(crate) fn toggle(&mut self, is_known: bool) {
        *self = if self.is_shown(is_known) { Self::Closed } else { Self::Open };
    }

    /// Whether odds are asked for.
    pub(crate) fn asks(self) -> bool {
        self != Self::Closed
    }

    /// Whether the panel is shown; `is_known` is whether there are odds to show.
    pub(crate) fn is_shown(self, is_known: bool) -> bool {
        self == Self::Open || (self == Self::WhereKnown && is_known)
    }

    /// Shows the odds.
    pub(crate) fn ui(&mut self, ui: &mut Ui, odds: Option<&OddsReport>, is_awaited: bool, state: &State) {
        ui.spacing_mut().item_spacing = vec2(space::S, space::XS);
        ui.spacing_mut().interact_size.y = ROW;
        let palette = Palette::of(ui.visuals());
        let contests = state.declarations();
        let contest = odds.and_then(|odds| contests.contests.get(contests.find_contest(&odds.contest)?));
        let heading = contest.map_or_else(|| text!("odds-title"), |contest| text!("odds-of", contest = &*contest.title));
        heading_with_ui(ui, Icon::Dice, &heading, |ui| {
            let close = IconButton::icon(Icon::Close, text!("odds-close")).height(24.0);
            if ui.add(close.hint(key_of(Act::Odds))).clicked() {
                *self = Self::Closed;
            }
            if is_awaited {
                ui.add(Spinner::new().size(14.0).color(palette.accent));
            }
        });
        if let Some((odds, contest)) = odds.zip(contest) {
            report_ui(ui, odds, contest);
        } else {
            let text = if is_awaited { text!("odds-awaited") } else { text!("odds-none") };
            ui.add(Label::new(RichText::new(text).weak()).wrap());
        }
    }
}

fn report_ui(ui: &mut Ui, odds: &OddsReport, contest: &ContestDeclaration) {
    let palette = Palette::of(ui.visuals());
    ui.label(sides_text(contest, &odds.sides));
    shares_ui(ui, odds, contest);
    for (index, (result, chance)) in contest.results.iter().zip(&odds.results).enumerate() {
        result_ui(ui, result, chance, colour(palette, index, contest.results.len()));
    }
    for (index, side) in contest.parameters.iter().enumerate() {
        let begun = odds.sides.get(index).and_then(Value::as_integer);
        if let (Some(begun), Some(Some(mean))) = (begun, odds.means.get(index)) {
            let lost = begun as f64 - mean;
            ui.horizontal(|ui| {
                ui.label(&*side.title);
                from_right_ui(ui, |ui| {
                    ui.label(remark(text!("odds-left", left = decimal(*mean, 1))));
                    ui.label(strong(text!("odds-lost", lost = decimal(lost, 1))));
                });
            });
        }
    }
    // In a contest of one throw the results say it all.
    if odds.ends.iter().any(|end| end.sides != odds.sides) {
        chart_ui(ui, odds, contest);
    }
    let how = match odds.samples {
        None => text!("odds-exact"),
        Some(samples) => text!("odds-sampled", count = samples),
    };
    remark_ui(ui, how);
}

/// The colour of one of several results: the first is what is hoped for. Many go by degrees from what is good to what is not.
fn colour(palette: &Palette, result: usize, of: usize) -> Color32 {
    match result {
        _ if of > 3 => palette.good.lerp_to_gamma(palette.danger, result as f32 / (of - 1) as f32),
        0 => palette.good,
        1 => palette.danger,
        _ => palette.last,
    }
}

fn sides_text(contest: &ContestDeclaration, sides: &[Value]) -> String {
    let named = contest.parameters.iter().zip(sides);
    let texts: Vec<String> = named.map(|(side, value)| format!("{} {value}", side.title)).collect();
    texts.join(", ")
}

/// The results as parts of one bar.
fn shares_ui(ui: &mut Ui, odds: &OddsReport, contest: &ContestDeclaration) {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let results = contest.results.iter().zip(&odds.results);
    let labels: Vec<String> = results
        .map(|(result, chance)| format!("{result} {}", chance_text(chance)))
        .collect();
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, labels.join("; ")));
    let mut left = rect.left();
    for (index, chance) in odds.results.iter().enumerate() {
        let width = rect.width() * chance.chance as f32;
        let part = Rect::from_min_size(pos2(left, rect.top()), vec2((width - 1.0).max(0.0), rect.height()));
        ui.painter().rect_filled(part, 3, colour(palette, index, odds.results.len()));
        left += width;
    }
}

/// A result and its chance; the exact fraction under the pointer.
fn result_ui(ui: &mut Ui, result: &str, chance: &ChanceReport, colour: Color32) {
    ui.horizontal(|ui| {
        let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        ui.painter().circle_filled(dot.center(), 5.0, colour);
        ui.label(capitalized(result));
        let shown = from_right_ui(ui, |ui| ui.label(strong(chance_text(chance))));
        if let Some(fraction) = chance.fraction.as_ref().filter(|fraction| fraction.len() <= LONGEST) {
            shown.on_hover_text(fraction);
        }
    });
}

/// A chance in percent, with its error where it was sampled.
fn chance_text(chance: &ChanceReport) -> String {
    match chance.error {
        None => percent(chance.chance),
        Some(error) => format!("{} ± {}", percent(chance.chance), decimal(error * 100.0, 1)),
    }
}

/// Every way to end as a bar, from the worst to the best, as far as the order of the sides tells.
fn chart_ui(ui: &mut Ui, odds: &OddsReport, contest: &ContestDeclaration) {
    let palette = Palette::of(ui.visuals());
    let ends = in_order(&odds.ends);
    let most = ends.iter().map(|end| end.chance.chance).fold(f64::MIN_POSITIVE, f64::max);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), CHART), Sense::hover());
    let likely = ends.iter().max_by(|a, b| a.chance.chance.total_cmp(&b.chance.chance));
    let likely = likely.map_or_else(String::new, |end| end_text(end, contest));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, text!("odds-chart", count = ends.len(), likely = likely.as_str())));
    let step = rect.width() / ends.len().max(1) as f32;
    let gap = if step > 4.0 { 1.0 } else { 0.0 };
    let painter = ui.painter();
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette.line));
    for (place, end) in ends.iter().enumerate() {
        let left = rect.left() + place as f32 * step;
        let height = (rect.height() - 2.0) * (end.chance.chance / most) as f32;
        let top = pos2(left, rect.bottom() - height.max(1.0));
        let bar = Rect::from_min_max(top, pos2(left + (step - gap).max(1.0), rect.bottom()));
        painter.rect_filled(bar, 0, colour(palette, end.result, odds.results.len()));
    }
    if let Some(pointer) = response.hover_pos() {
        let place = ((pointer.x - rect.left()) / step).floor().max(0.0) as usize;
        if let Some(end) = ends.get(place) {
            response.on_hover_text_at_pointer(end_text(end, contest));
        }
    }
}

/// The ends in an order that reads well: from the last result to the first, which is hoped for; those of the first as their sides rise, the
/// others the other way round.
fn in_order(ends: &[EndReport]) -> Vec<&EndReport> {
    let mut ordered: Vec<&EndReport> = ends.iter().collect();
    ordered.sort_by(|a, b| {
        let by_sides = a.sides.cmp(&b.sides);
        let of_one_result = if a.result == 0 { by_sides } else { by_sides.reverse() };
        b.result.cmp(&a.result).then(of_one_result)
    });
    ordered
}

/// The text of a possible result: "Attackers 4, Defenders 0: 15.1%".
fn end_text(end: &EndReport, contest: &ContestDeclaration) -> String {
    format!("{}: {}", sides_text(contest, &end.sides), chance_text(&end.chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_stand_from_the_worst_to_the_best() {
        let end = |attackers, defenders| EndReport {
            sides: vec![Value::Integer(attackers), Value::Integer(defenders)],
            result: usize::from(defenders > 0),
            chance: ChanceReport {
                chance: 0.25,
                fraction: None,
                error: None,
            },
        };
        let ends = [end(0, 1), end(0, 2), end(1, 0), end(2, 0)];
        let shown: Vec<String> = in_order(&ends)
            .iter()
            .map(|end| format!("{}:{}", end.sides[0], end.sides[1]))
            .collect();
        assert_eq!(shown, ["0:2", "0:1", "1:0", "2:0"]);
    }

    #[test]
    fn what_was_sampled_says_its_error() {
        let exact = ChanceReport {
            chance: 0.371_656_378_6,
            fraction: Some("2890/7776".to_owned()),
            error: None,
        };
        assert_eq!(chance_text(&exact), "37.2%");
        let sampled = ChanceReport {
            error: Some(0.012),
            fraction: None,
            ..exact
        };
        assert_eq!(chance_text(&sampled), "37.2% ± 1.2");
    }

    #[test]
    fn what_is_nearly_certain_is_not_called_certain() {
        let labels = [0.0, 0.0004, 0.25, 0.9991, 0.99996, 1.0].map(percent);
        assert_eq!(labels, ["0%", "< 0.1%", "25%", "99.9%", "> 99.9%", "100%"]);
    }
}
