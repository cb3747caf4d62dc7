//! How the match went: measures of each seat at moments of the whole journal, as one viewer may know them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::Answered;
use super::hosted_match::HostedMatch;
use super::visibility_log::Viewer;
use boardwright_host::HostError;
use boardwright_model::{SeatId, State, Visibility};
use boardwright_protocol::{Measure, Reply, Series, Statistics};
use boardwright_rules::{Luck, Rules, Transaction};

const MOST_MOMENTS: usize = 257;
/// How long the rules may be asked for points. Other clients wait meanwhile.
const PATIENCE: Duration = Duration::from_millis(400);

/// A moment of the match: the number of events that stand, the round, and the state as the viewer sees it.
struct Moment {
    position: usize,
    round: u32,
    view: Arc<State>,
}

pub(super) fn statistics(game: &HostedMatch, viewer: Viewer) -> Answered {
    let moments = moments(game, viewer)?;
    let measured = Measurements::of(game.rules(), &moments);
    Ok(Reply::Statistics(Box::new(measured.statistics())))
}

/// Moments at even distances, the beginning of play and the newest among them. Each is what was seen then, undone events included.
fn moments(game: &HostedMatch, viewer: Viewer) -> Result<Vec<Moment>, HostError> {
    let events = game.journal().events();
    let first = events.iter().take_while(|event| event.action().is_none()).count();
    let distance = (events.len() - first).div_ceil(MOST_MOMENTS - 1).max(1);
    let mut walk = Transaction::new(Arc::new(game.start().clone()), Luck::Forbidden);
    let mut moments = Vec::new();
    for position in 0..=events.len() {
        let is_wanted = position >= first && ((position - first).is_multiple_of(distance) || position == events.len());
        if is_wanted {
            let state = walk.state();
            let sight = Visibility::new(viewer, game.rules().visible(state, viewer)?);
            moments.push(Moment {
                position,
                round: state.sequence().mark.round,
                view: state.project(&sight),
            });
        }
        let Some(event) = events.get(position) else { break };
        let damaged = |error| HostError::Damaged { event: position, error };
        walk.replay(&event.effects).map_err(damaged)?;
    }
    Ok(moments)
}

struct Measurements<'a> {
    moments: &'a [Moment],
    /// The moments that were reached before patience ran out.
    measured: BTreeSet<usize>,
    /// The points of each seat.
    final_scores: BTreeMap<usize, Vec<i64>>,
    /// How good each seat stands.
    scores: BTreeMap<usize, Vec<i64>>,
}

impl<'a> Measurements<'a> {
    /// Measures the ends first and then between them, so that what is known when patience runs out is spread over the whole match.
    fn of(rules: &dyn Rules, moments: &'a [Moment]) -> Self {
        let begun = Instant::now();
        let mut measurements = Self {
            moments,
            measured: BTreeSet::new(),
            final_scores: BTreeMap::new(),
            scores: BTreeMap::new(),
        };
        for place in spread(moments.len()) {
            if begun.elapsed() > PATIENCE {
                break;
            }
            measurements.measure(rules, place);
        }
        measurements
    }

    fn measure(&mut self, rules: &dyn Rules, place: usize) {
        let Some(view) = self.moments.get(place).map(|moment| &moment.view) else {
            return;
        };
        self.measured.insert(place);
        // Rules that were changed since may know nothing of how things were declared then.
        let frame = view.declarations();
        if !Arc::ptr_eq(frame, rules.declarations()) && frame != rules.declarations() {
            return;
        }
        // Rules that count no points say so by an error, as those at fault do; neither has anything to draw.
        let final_score = rules.final_scores(view).ok().filter(|points| points.len() == frame.seats.len());
        self.final_scores.extend(final_score.map(|points| (place, points)));
        if view.outcome().is_none() {
            let seats = (0..frame.seats.len()).map(SeatId::from_index);
            let scores: Option<Vec<i64>> = seats.map(|seat| rules.guidance().value(view, seat).ok()?).collect();
            self.scores.extend(scores.map(|scores| (place, scores)));
        }
    }

    fn statistics(&self) -> Statistics {
        let kept: Vec<(usize, &Moment)> = self
            .moments
            .iter()
            .enumerate()
            .filter(|(place, _)| self.measured.contains(place))
            .collect();
        let seats = self.moments.first().map_or(0, |moment| moment.view.declarations().seats.len());
        let mut series = Vec::new();
        for measure in [Measure::Points, Measure::Score, Measure::Pieces] {
            let lines: Vec<Series> = (0..seats).map(|seat| self.line(&kept, measure, seat)).collect();
            // What is the same for all seats all the time tells nothing.
            let mut values = lines.iter().flat_map(|line| &line.values).flatten();
            let first = values.next();
            if values.any(|value| Some(value) != first) {
                series.extend(lines);
            }
        }
        Statistics {
            positions: kept.iter().map(|(_, moment)| moment.position).collect(),
            rounds: kept.iter().map(|(_, moment)| moment.round).collect(),
            series,
        }
    }

    fn line(&self, kept: &[(usize, &Moment)], measure: Measure, seat: usize) -> Series {
        let id = SeatId::from_index(seat);
        let value = |(place, moment): &(usize, &Moment)| match measure {
            Measure::Points => self.final_scores.get(place)?.get(seat).copied(),
            Measure::Score => self.scores.get(place)?.get(seat).copied(),
            Measure::Pieces => Some(moment.view.in_play(id) as i64),
        };
        Series {
            seat: id,
            measure,
            values: kept.iter().map(value).collect(),
        }
    }
}

/// The numbers below a count: the first, the last, then always halfway between two given before.
fn spread(count: usize) -> Vec<usize> {
    let Some(last) = count.checked_sub(1) else {
        return Vec::new();
    };
    let mut found: Vec<usize> = if last == 0 { vec![0] } else { vec![0, last] };
    let mut step = count.next_power_of_two();
    while step > 1 {
        step /= 2;
        let between = (step..last).step_by(2 * step);
        found.extend(between);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_asked_for_from_the_ends_inwards_and_each_once() {
        assert_eq!(spread(9), [0, 8, 4, 2, 6, 1, 3, 5, 7]);
        for count in 0..40 {
            let mut all = spread(count);
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
