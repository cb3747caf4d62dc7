//! How the match went: measures of each seat at moments of the whole journal, as one viewer may know them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::Answered;
use super::hosted_match::HostedMatch;
use super::visibility_log::Viewer;
use boardwright_host::HostError;
use boardwright_model::{Outcome, SeatId, SeatSet, State, Visibility, chances_of_leads};
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

/// What was measured at a moment.
struct Measured<'a> {
    moment: &'a Moment,
    /// The points of each seat.
    points: Option<Vec<i64>>,
    /// How likely each seat is to win, in thousandths.
    chances: Option<Vec<i64>>,
    /// How good each seat stands, where its rules say nothing of chances.
    scores: Option<Vec<i64>>,
}

pub(super) fn statistics(game: &HostedMatch, viewer: Viewer) -> Answered {
    let moments = moments(game, viewer)?;
    let begun = Instant::now();
    // The ends first and then between them, so that what is known when patience runs out is spread over the whole match.
    let places = spread(moments.len()).into_iter().take_while(|_| begun.elapsed() <= PATIENCE);
    let measured = places.filter_map(|place| Some((place, Measured::of(game.rules(), moments.get(place)?))));
    let measured: BTreeMap<usize, Measured<'_>> = measured.collect();
    let measured: Vec<&Measured<'_>> = measured.values().collect();
    let seats = moments
        .first()
        .map_or(SeatSet::EMPTY, |moment| moment.view.declarations().all_seats());
    let mut series = Vec::new();
    for measure in [Measure::Points, Measure::Chance, Measure::Score, Measure::Pieces] {
        let line = |seat| Series {
            seat,
            measure,
            values: measured.iter().map(|measured| measured.value(measure, seat)).collect(),
        };
        let lines: Vec<Series> = seats.iter().map(line).collect();
        // What is the same for all seats all the time tells nothing.
        let mut values = lines.iter().flat_map(|line| &line.values).flatten();
        let first = values.next();
        if values.any(|value| Some(value) != first) {
            series.extend(lines);
        }
    }
    Ok(Reply::Statistics(Box::new(Statistics {
        positions: measured.iter().map(|measured| measured.moment.position).collect(),
        rounds: measured.iter().map(|measured| measured.moment.round).collect(),
        series,
    })))
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

impl<'a> Measured<'a> {
    fn of(rules: &dyn Rules, moment: &'a Moment) -> Self {
        let (view, declarations) = (&moment.view, moment.view.declarations());
        let (mut points, mut chances, mut scores) = (None, None, None);
        // Rules that were changed since may know nothing of how things were declared then.
        if Arc::ptr_eq(declarations, rules.declarations()) || declarations == rules.declarations() {
            // Rules that count no points say so by an error, as those at fault do; neither has anything to draw.
            points = rules
                .final_scores(view)
                .ok()
                .filter(|points| points.len() == declarations.seats.len());
            let scored = |seat| rules.guidance().value(view, seat).ok()?;
            (chances, scores) = match (view.outcome(), declarations.value_scale) {
                (Some(outcome), Some(_)) => (Some(chances_of_outcome(outcome)), None),
                (None, Some(scale)) => (chances_of(view, scale, scored), None),
                (Some(_), None) => (None, None),
                (None, None) => (None, declarations.all_seats().iter().map(scored).collect()),
            };
        }
        Self {
            moment,
            points,
            chances,
            scores,
        }
    }

    fn value(&self, measure: Measure, seat: SeatId) -> Option<i64> {
        match measure {
            Measure::Points => self.points.as_ref()?.get(seat.index()).copied(),
            Measure::Chance => self.chances.as_ref()?.get(seat.index()).copied(),
            Measure::Score => self.scores.as_ref()?.get(seat.index()).copied(),
            Measure::Pieces => Some(self.moment.view.in_play(seat) as i64),
        }
    }
}

/// The chance of each seat, in thousandths: none of those eliminated, and of the others by their values.
fn chances_of(view: &State, scale: u32, scored: impl Fn(SeatId) -> Option<i64>) -> Option<Vec<i64>> {
    let seats = view.declarations().all_seats();
    let left: Vec<SeatId> = seats.iter().filter(|seat| !view.eliminated().contains(*seat)).collect();
    let leads: Option<Vec<i64>> = left.iter().map(|seat| scored(*seat)).collect();
    let chances = chances_of_leads(&leads?, scale);
    let of_seat = |seat: SeatId| {
        let place = left.iter().position(|known| *known == seat);
        place.and_then(|place| chances.get(place)).map_or(0, |chance| i64::from(*chance))
    };
    Some(seats.iter().map(of_seat).collect())
}

/// What became of the chances: who shares the first place shares the win.
fn chances_of_outcome(outcome: &Outcome) -> Vec<i64> {
    let won: Vec<bool> = outcome.places.iter().map(|place| *place == 1).collect();
    let winners: i64 = won.iter().map(|won| i64::from(*won)).sum();
    won.iter().map(|won| if *won { 1_000 / winners } else { 0 }).collect()
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
