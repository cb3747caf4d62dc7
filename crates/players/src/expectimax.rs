//! The tree below the root: max-n or paranoid, with a chance node wherever an action draws.

use std::sync::Arc;
use std::time::Duration;

use smallvec::SmallVec;

use super::budget::{SharedBudget, Stop, ThreadBudget};
use super::iterative_deepening::DepthSearch;
use super::legal_action_cache::LegalActionCache;
use super::transposition_table::TranspositionTable;
use super::value;
use boardwright_model::diagnostic::Code;
use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_rules::{Enumeration, Generator, Luck, Mark, Rules, Transaction, flow};

type Values = SmallVec<[i64; 4]>;

const BEYOND: i64 = i64::MAX / 4;

/// Values weighed by the probability of what leads to them.
#[derive(Default)]
struct Sums(SmallVec<[f64; 4]>);

impl Sums {
    fn add(&mut self, values: &Values, part: f64) {
        self.0.resize(values.len(), 0.0);
        for (sum, value) in self.0.iter_mut().zip(values) {
            *sum += *value as f64 * part;
        }
    }

    fn whole(&self) -> Values {
        self.0.iter().map(|sum| *sum as i64).collect()
    }
}

/// What came of trying every result of an action.
enum Tried {
    /// The rules refuse it.
    Refused,
    /// There are too many results: what was looked at so far stands for nothing.
    TooMany,
    All(Sums),
}

/// What is asked after each result of an action, and whether the result is the only one.
type Look<'l, 'a> = dyn FnMut(&mut Expectimax<'a>, bool) -> Result<Values, Stop> + 'l;

struct Expectimax<'a> {
    rules: &'a dyn Rules,
    trial: Transaction,
    seat: SeatId,
    /// Whether all other seats are taken to be against the one that thinks.
    is_paranoid: bool,
    budget: ThreadBudget<'a>,
    generator: Generator,
    known_scores: TranspositionTable,
    legal_actions: LegalActionCache,
    /// Whether anything was judged by its score instead of being searched to the end.
    met_horizon: bool,
}

impl<'a> Expectimax<'a> {
    /// The most results of a chance node that are all searched: at the root, and below.
    const MOST_RESULTS: (u64, u64) = (1_300, 40);
    /// How many are sampled where there are more.
    const SAMPLES: (u32, u32) = (60, 8);
    /// The memory for scores, in megabytes.
    const SCORES_MB: usize = 4;
    /// The memory for lists of actions that scripts made, in megabytes.
    const LEGAL_ACTIONS_MB: usize = 8;
    /// How far an open question is followed beyond the depth.
    const QUESTIONS: i32 = -3;

    fn new(rules: &'a dyn Rules, state: &State, seat: SeatId, is_paranoid: bool, budget: ThreadBudget<'a>, seed: u64) -> Self {
        Self {
            rules,
            trial: Transaction::new(Arc::new(state.clone()), Luck::Forbidden),
            seat,
            is_paranoid,
            budget,
            generator: Generator::new(seed),
            known_scores: TranspositionTable::new(Self::SCORES_MB),
            legal_actions: LegalActionCache::new(Self::LEGAL_ACTIONS_MB),
            met_horizon: false,
        }
    }

    /// The value of an action for the seat that thinks, at a depth; `None` if the rules refuse it. Where it is not
    /// above `floor` any value that is not either may be given. `line` is what follows the action.
    fn try_root(&mut self, action: &Action, depth: u32, floor: Option<i64>, line: &mut Vec<Action>) -> Result<Option<i64>, Stop> {
        let depth = depth as i32 - 1;
        line.clear();
        let floor = floor.unwrap_or(-BEYOND);
        let value = self.expected(action, 0, &mut |this, is_only| {
            if this.is_paranoid {
                let window = if is_only { (floor, BEYOND) } else { (-BEYOND, BEYOND) };
                Ok(smallvec::smallvec![this.paranoid(depth, 1, window, line)?])
            } else {
                let values = this.max_n(depth, 1, line)?;
                Ok(smallvec::smallvec![this.own(&values)])
            }
        });
        match value {
            Ok(values) => Ok(values.and_then(|values| values.first().copied())),
            // What was determinized may be something the rules never come to.
            Err(Stop::Rejected(_)) if self.trial.state().may_hide() => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    fn own(&self, values: &Values) -> i64 {
        values.get(self.seat.index()).copied().unwrap_or(0)
    }

    /// The values of an action: what `look` finds after each result that luck can have, weighed by its probability. `look` is told whether
    /// the result is the only one. `None` if the rules refuse the action.
    fn expected(&mut self, action: &Action, ahead: i32, look: &mut Look<'_, 'a>) -> Result<Option<Values>, Stop> {
        let mark = self.trial.mark();
        let result = match self.all_results(action, ahead, look, mark) {
            Ok(Tried::TooMany) => {
                self.trial.rollback(mark);
                self.samples(action, ahead, look, mark)
            }
            Ok(Tried::Refused) => Ok(None),
            Ok(Tried::All(sums)) => Ok(Some(sums.whole())),
            Err(stop) => Err(stop),
        };
        self.trial.rollback(mark);
        self.trial.set_luck(Luck::Forbidden);
        result
    }

    /// Looks at every result. Whether there are too many is known after the first path, or when a later one draws what has too many.
    fn all_results(&mut self, action: &Action, ahead: i32, look: &mut Look<'_, 'a>, mark: Mark) -> Result<Tried, Stop> {
        let most = if ahead == 0 { Self::MOST_RESULTS.0 } else { Self::MOST_RESULTS.1 };
        let mut enumeration = Enumeration::default();
        let mut sums = Sums::default();
        let mut is_first = true;
        loop {
            self.budget.tick()?;
            self.trial.set_luck(Luck::Enumerate(enumeration));
            let performed = flow::perform_legal(self.rules, &mut self.trial, action);
            let luck = self.trial.set_luck(Luck::Forbidden);
            let Luck::Enumerate(used) = luck else { return Ok(Tried::Refused) };
            enumeration = used;
            match performed {
                Ok(()) => {}
                Err(Rejection::Fault(fault)) if fault.code == Code::TooManyResults => return Ok(Tried::TooMany),
                // With this result the rules refuse; others may do.
                Err(Rejection::Refused(_)) if is_first => return Ok(Tried::Refused),
                Err(rejection) => return Err(rejection.into()),
            }
            let ways = enumeration.ways();
            if is_first && ways > most {
                return Ok(Tried::TooMany);
            }
            is_first = false;
            let part = enumeration
                .probability()
                .iter()
                .fold(1.0, |part, (weight, of)| part * *weight as f64 / *of as f64);
            sums.add(&look(self, ways == 1)?, part);
            self.trial.rollback(mark);
            if !enumeration.advance() {
                return Ok(Tried::All(sums));
            }
        }
    }

    /// Looks at some results in the place of all.
    fn samples(&mut self, action: &Action, ahead: i32, look: &mut Look<'_, 'a>, mark: Mark) -> Result<Option<Values>, Stop> {
        let samples = if ahead == 0 { Self::SAMPLES.0 } else { Self::SAMPLES.1 };
        let mut sums = Sums::default();
        for _ in 0..samples {
            self.budget.tick()?;
            self.trial.set_luck(Luck::Roll(Generator::new(self.generator.next_seed())));
            let performed = flow::perform_legal(self.rules, &mut self.trial, action);
            self.trial.set_luck(Luck::Forbidden);
            match performed {
                Ok(()) => {}
                Err(Rejection::Refused(_)) => return Ok(None),
                Err(fault) => return Err(fault.into()),
            }
            sums.add(&look(self, false)?, 1.0 / f64::from(samples));
            self.trial.rollback(mark);
        }
        Ok(Some(sums.whole()))
    }

    fn score(&mut self, seat: SeatId) -> Result<i64, Stop> {
        self.met_horizon = true;
        let state = self.trial.state();
        let key = state.position().rotate_left(17) ^ u64::from(seat.0);
        if let Some(score) = self.known_scores.score(key) {
            return Ok(i64::from(score));
        }
        let score = value::of_points(value::of_state(self.rules, state, seat)?);
        self.known_scores.keep_score(key, score);
        Ok(i64::from(score))
    }

    fn scores(&mut self) -> Result<Values, Stop> {
        let seats = self.trial.state().declarations().seats.len();
        (0..seats).map(|index| self.score(SeatId::from_index(index))).collect()
    }

    /// Whether the present state is looked at no further.
    fn is_leaf(&self, depth: i32) -> bool {
        let is_asked = !self.trial.state().sequence().decisions.is_empty();
        depth <= if is_asked { Self::QUESTIONS } else { 0 }
    }

    /// The actions of the seat that acts, captures and the like first as far as the board tells.
    fn actions(&mut self, seat: SeatId) -> Result<Vec<Action>, Stop> {
        let mut actions = Vec::new();
        let state = self.trial.state();
        self.legal_actions.list(self.rules, state, seat, &mut actions)?;
        actions.sort_unstable();
        actions.dedup();
        actions.sort_by_key(|action| !super::move_ordering::lands_on_enemy(state, action));
        Ok(actions)
    }

    /// The value of the present state for the seat that thinks, if all others are against it.
    fn paranoid(&mut self, depth: i32, ahead: i32, window: (i64, i64), line: &mut Vec<Action>) -> Result<i64, Stop> {
        line.clear();
        let state = self.trial.state();
        if let Some(outcome) = state.outcome() {
            return Ok(i64::from(value::of_outcome(outcome, self.seat, ahead)));
        }
        let Some(acting) = state.acting().first().filter(|_| !self.is_leaf(depth)) else {
            return self.score(self.seat);
        };
        let is_own = acting == self.seat;
        let (mut low, mut high) = window;
        let mut best: Option<i64> = None;
        for action in self.actions(acting)? {
            let mut below = Vec::new();
            let value = self.expected(&action, ahead, &mut |this, is_only| {
                let window = if is_only { (low, high) } else { (-BEYOND, BEYOND) };
                Ok(smallvec::smallvec![this.paranoid(depth - 1, ahead + 1, window, &mut below)?])
            })?;
            let Some(value) = value.and_then(|values| values.first().copied()) else {
                continue;
            };
            let is_better = best.is_none_or(|best| if is_own { value > best } else { value < best });
            if is_better {
                best = Some(value);
                line.clear();
                line.push(action);
                line.append(&mut below);
                if is_own {
                    low = low.max(value);
                } else {
                    high = high.min(value);
                }
                if low >= high {
                    break;
                }
            }
        }
        match best {
            Some(value) => Ok(value),
            None => self.score(self.seat),
        }
    }

    /// The values of the present state for all seats, if each does what is best for itself.
    fn max_n(&mut self, depth: i32, ahead: i32, line: &mut Vec<Action>) -> Result<Values, Stop> {
        line.clear();
        let state = self.trial.state();
        let seats = state.declarations().seats.len();
        if let Some(outcome) = state.outcome() {
            let of_seat = |index| i64::from(value::of_outcome(outcome, SeatId::from_index(index), ahead));
            return Ok((0..seats).map(of_seat).collect());
        }
        let Some(acting) = state.acting().first().filter(|_| !self.is_leaf(depth)) else {
            return self.scores();
        };
        let mut best: Option<Values> = None;
        for action in self.actions(acting)? {
            let mut below = Vec::new();
            let values = self.expected(&action, ahead, &mut |this, _| this.max_n(depth - 1, ahead + 1, &mut below))?;
            let Some(values) = values else { continue };
            let own = |values: &Values| values.get(acting.index()).copied();
            if best.as_ref().is_none_or(|best| own(&values) > own(best)) {
                best = Some(values);
                line.clear();
                line.push(action);
                line.append(&mut below);
            }
        }
        match best {
            Some(values) => Ok(values),
            None => self.scores(),
        }
    }
}

pub(super) struct Worlds<'a> {
    searches: Vec<Expectimax<'a>>,
    shared: &'a SharedBudget,
}

impl<'a> Worlds<'a> {
    pub(super) fn new(
        rules: &'a dyn Rules,
        worlds: &[Arc<State>],
        (seat, is_paranoid): (SeatId, bool),
        shared: &'a SharedBudget,
        generator: &mut Generator,
    ) -> Self {
        let search = |world: &Arc<State>| Expectimax::new(rules, world, seat, is_paranoid, shared.for_thread(), generator.next_seed());
        Self {
            searches: worlds.iter().map(search).collect(),
            shared,
        }
    }
}

impl DepthSearch for Worlds<'_> {
    fn begin_depth(&mut self) {
        for search in &mut self.searches {
            search.met_horizon = false;
        }
    }

    /// The mean over the determinizations in which the action can be taken.
    fn value_of(&mut self, action: &Action, depth: u32, floor: Option<i64>, line: &mut Vec<Action>) -> Result<Option<i64>, Stop> {
        // Only what beats the best so far matters, where nothing is averaged.
        let floor = floor.filter(|_| self.searches.len() == 1);
        let (mut sum, mut count) = (0, 0);
        for search in &mut self.searches {
            if let Some(value) = search.try_root(action, depth, floor, line)? {
                sum += value;
                count += 1;
            }
        }
        Ok((count > 0).then(|| sum / count))
    }

    fn met_horizon(&self) -> bool {
        self.searches.iter().any(|search| search.met_horizon)
    }

    fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }
}
