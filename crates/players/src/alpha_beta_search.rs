//! The tree below the root: principal variation search on one state, with undo.
//!
//! Values are those for the seat that acts. They change sign only when the acting seat changes: a seat may act several times
//! in a row. Scores are always asked for the seat that searches, so that rules whose scores do not mirror each other are
//! judged from one side.

use std::sync::Arc;
use std::time::Duration;

use super::budget::{Stop, ThreadBudget};
use super::iterative_deepening::DepthSearch;
use super::legal_action_cache::LegalActionCache;
use super::move_ordering::{HistoryHeuristic, action_key};
use super::transposition_table::{Bound, Entry, TranspositionTable};
use super::value;
use boardwright_model::{Action, CERTAIN, EndingCondition, Limit, PropertyId, Rejection, SeatId, State, Target, Value, WIN};
use boardwright_rules::{Luck, Rules, Transaction, flow};

pub(super) const MOST_PLIES: usize = 120;

const BEYOND: i32 = WIN + 1;

type Found = Result<i32, Stop>;

/// The window of values that matter: below the first something better is known, above the second it will not be allowed.
#[derive(Clone, Copy, Debug)]
struct Window(i32, i32);

impl Window {
    /// The window that only asks whether a value is above the lower end.
    fn closed(self) -> Self {
        Self(self.0, self.0 + 1)
    }

    fn is_closed(self) -> bool {
        self.1 <= self.0 + 1
    }
}

/// Lists kept for reuse, one set for each ply.
#[derive(Debug, Default)]
struct Buffers {
    actions: Vec<Action>,
    /// Rank, key and index of each action.
    order: Vec<(i32, u32, u32)>,
    line: Vec<Action>,
}

pub(super) struct Search<'a> {
    rules: &'a dyn Rules,
    trial: Transaction,
    budget: ThreadBudget<'a>,
    seat: SeatId,
    is_selective: bool,
    table: &'a mut TranspositionTable,
    history: &'a mut HistoryHeuristic,
    legal_actions: &'a mut LegalActionCache,
    buffers: Vec<Buffers>,
    /// Counters that end the match at a limit and are no part of the position.
    counters: Vec<(PropertyId, i64)>,
    /// Whether something was judged by its score instead of being searched to the end.
    met_horizon: bool,
}

#[derive(Clone, Copy, Debug)]
struct Look {
    depth: i32,
    ply: usize,
    /// Whether the action before took pieces out of play.
    is_noisy: bool,
}

impl<'a> Search<'a> {
    /// How far captures are followed beyond the depth.
    const MOST_CAPTURES: i32 = 8;

    pub(super) fn new(
        rules: &'a dyn Rules,
        state: &State,
        seat: SeatId,
        budget: ThreadBudget<'a>,
        is_selective: bool,
        (table, history, legal_actions): (&'a mut TranspositionTable, &'a mut HistoryHeuristic, &'a mut LegalActionCache),
    ) -> Self {
        let declarations = state.declarations();
        let counter = |condition: &EndingCondition| match condition {
            EndingCondition::Reached { property, limit }
                if declarations.property(*property).is_some_and(|declared| !declared.in_position) =>
            {
                let limit = match limit {
                    Limit::Number(number) => Some(*number),
                    Limit::Option(index) => state.options().get(*index).and_then(Value::as_integer),
                };
                Some((*property, limit?))
            }
            _ => None,
        };
        Self {
            counters: declarations
                .endings
                .iter()
                .filter_map(|ending| counter(&ending.condition))
                .collect(),
            // Nobody else may hold the state: it would be copied at every action.
            trial: Transaction::new(Arc::new(state.clone()), Luck::Forbidden),
            rules,
            budget,
            seat,
            is_selective,
            table,
            history,
            legal_actions,
            buffers: Vec::new(),
            met_horizon: false,
        }
    }

    /// The value of an action of the searching seat at a depth. `None` if the rules refuse it. Where the
    /// value lies inside the window, `line` is what follows the action.
    fn try_root(&mut self, action: &Action, depth: u32, window: Window, line: &mut Vec<Action>) -> Result<Option<i32>, Stop> {
        self.budget.tick()?;
        let mark = self.trial.mark();
        let enemies = self.enemies(action.seat);
        if !self.perform(action)? {
            return Ok(None);
        }
        let look = Look {
            depth: depth as i32 - 1,
            ply: 1,
            is_noisy: self.enemies(action.seat) < enemies,
        };
        let value = self.reached(action.seat, look, window, line)?;
        self.trial.rollback(mark);
        Ok(Some(value))
    }

    fn perform(&mut self, action: &Action) -> Result<bool, Stop> {
        match flow::perform_legal(self.rules, &mut self.trial, action) {
            Ok(()) => Ok(true),
            Err(Rejection::Refused(_)) => Ok(false),
            Err(fault) => Err(fault.into()),
        }
    }

    fn enemies(&self, seat: SeatId) -> usize {
        self.trial.state().in_play(SeatId(1 - seat.0.min(1)))
    }

    /// The value, for the seat that has just acted, of the state it has reached.
    fn reached(&mut self, seat: SeatId, look: Look, window: Window, line: &mut Vec<Action>) -> Found {
        let state = self.trial.state();
        if let Some(outcome) = state.outcome() {
            line.clear();
            return Ok(value::of_outcome(outcome, seat, look.ply as i32));
        }
        match state.acting().first() {
            Some(acting) if acting != seat => self.node(acting, look, Window(-window.1, -window.0), line).map(|value| -value),
            Some(_) => self.node(seat, look, window, line),
            None => self.leaf(seat),
        }
    }

    /// The key under which a state is kept: its position and turn, and counters that are about to end the match. With the turn
    /// in it, a position that comes again later is another one, and what is kept does not depend on how it came about.
    fn key(&self, depth: i32) -> u64 {
        let state = self.trial.state();
        let mut key = mix(
            state.position(),
            u64::from(state.sequence().mark.turn) << 8 | u64::from(self.seat.0),
        );
        for (property, limit) in &self.counters {
            let value = state.value(Target::Match, *property).and_then(Value::as_integer).unwrap_or(0);
            if limit - value <= i64::from(depth) + 2 {
                key = mix(key, value as u64);
            }
        }
        key
    }

    fn leaf(&mut self, seat: SeatId) -> Found {
        self.met_horizon = true;
        let state = self.trial.state();
        let key = mix(state.position(), u64::from(self.seat.0));
        let score = if let Some(score) = self.table.score(key) {
            score
        } else {
            let score = value::of_points(value::of_state(self.rules, state, self.seat)?);
            self.table.keep_score(key, score);
            score
        };
        Ok(if seat == self.seat { score } else { -score })
    }

    /// The value of the present state for the seat that acts in it.
    fn node(&mut self, seat: SeatId, look: Look, window: Window, line: &mut Vec<Action>) -> Found {
        line.clear();
        let Look { depth, ply, is_noisy } = look;
        let Window(alpha, beta) = window;
        // An end further away than one already known does not matter.
        let nearest_win = WIN - ply as i32 - 1;
        if alpha >= nearest_win {
            return Ok(alpha);
        }
        if beta <= -nearest_win {
            return Ok(beta);
        }
        if ply >= MOST_PLIES {
            return self.leaf(seat);
        }
        if depth <= 0 {
            // In the middle of something a score says little: the question is answered first.
            let is_asked = !self.trial.state().sequence().decisions.is_empty();
            if self.is_selective && is_asked && depth > -4 {
                return self.branch(seat, look, window, line, None, 0);
            }
            return if self.is_selective && is_noisy {
                self.captures(seat, look, window)
            } else {
                self.leaf(seat)
            };
        }
        let key = self.key(depth);
        let mut first = 0;
        if let Some(entry) = self.table.find(key) {
            first = entry.action;
            let value = from_table(entry.value, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            // Where the line is asked for, it has to be gone along.
            if decides && (entry.is_whole || i32::from(entry.depth) >= depth) && window.is_closed() {
                self.met_horizon |= !entry.is_whole;
                return Ok(value);
            }
        }
        self.branch(seat, look, window, line, Some(key), first)
    }

    fn branch(&mut self, seat: SeatId, look: Look, window: Window, line: &mut Vec<Action>, key: Option<u64>, first: u32) -> Found {
        let Look { depth, ply, .. } = look;
        let Window(mut alpha, beta) = window;
        let mut buffers = self.buffers.pop().unwrap_or_default();
        self.list(seat, ply, first, &mut buffers)?;
        let (mut best, mut best_key, mut tried) = (-BEYOND, 0, 0);
        let met_before = std::mem::take(&mut self.met_horizon);
        for (place, (rank, action_key, index)) in buffers.order.iter().enumerate() {
            let Some(action) = buffers.actions.get(*index as usize) else {
                continue;
            };
            self.budget.tick()?;
            let mark = self.trial.mark();
            let enemies = self.enemies(seat);
            if !self.perform(action)? {
                continue;
            }
            let taken = enemies.saturating_sub(self.enemies(seat));
            self.history.note_taken(*action_key, taken);
            let child = Look {
                depth: depth - 1,
                ply: ply + 1,
                is_noisy: taken > 0,
            };
            let inside = Window(alpha, beta);
            let mut value = if tried == 0 {
                self.reached(seat, child, inside, &mut buffers.line)?
            } else {
                let less = self.reduction(depth, tried, taken, *rank);
                let shallow = Look {
                    depth: child.depth - less,
                    ..child
                };
                let mut value = self.reached(seat, shallow, inside.closed(), &mut buffers.line)?;
                if less > 0 && value > alpha {
                    value = self.reached(seat, child, inside.closed(), &mut buffers.line)?;
                }
                value
            };
            if tried > 0 && value > alpha && value < beta {
                value = self.reached(seat, child, inside, &mut buffers.line)?;
            }
            self.trial.rollback(mark);
            tried += 1;
            if value <= best {
                continue;
            }
            best = value;
            best_key = *action_key;
            if value <= alpha {
                continue;
            }
            alpha = value;
            if value >= beta {
                if taken == 0 {
                    self.history.note_killer(*action_key, ply);
                    self.history.note_history(*action_key, depth, true);
                    for (_, passed, _) in buffers.order.iter().take(place) {
                        self.history.note_history(*passed, depth, false);
                    }
                }
                break;
            }
            line.clear();
            line.push(action.clone());
            line.append(&mut buffers.line);
        }
        self.buffers.push(buffers);
        let is_whole = !self.met_horizon;
        self.met_horizon |= met_before;
        if tried == 0 {
            return self.leaf(seat);
        }
        if let Some(key) = key {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best > window.0 => Bound::Exact,
                _ => Bound::AtMost,
            };
            self.table.keep(
                key,
                Entry {
                    value: to_table(best, ply),
                    bound,
                    depth: depth.clamp(0, 255) as u8,
                    is_whole,
                    action: if bound == Bound::AtMost { 0 } else { best_key },
                },
            );
        }
        Ok(best)
    }

    /// Late move reduction: by how many plies a late, quiet action is searched less at first.
    fn reduction(&self, depth: i32, tried: usize, taken: usize, rank: i32) -> i32 {
        if !self.is_selective || depth < 3 || tried < 4 || taken > 0 || rank >= 800_000 {
            0
        } else if depth >= 6 && tried >= 12 {
            2
        } else {
            1
        }
    }

    fn list(&mut self, seat: SeatId, ply: usize, first: u32, buffers: &mut Buffers) -> Result<(), Stop> {
        buffers.actions.clear();
        buffers.order.clear();
        let state = self.trial.state();
        self.legal_actions.list(self.rules, state, seat, &mut buffers.actions)?;
        for (index, action) in buffers.actions.iter().enumerate() {
            let key = action_key(state, action);
            let rank = self.history.rank(state, action, key, ply, first);
            buffers.order.push((rank, key, index as u32));
        }
        buffers
            .order
            .sort_unstable_by_key(|(rank, _, index)| (std::cmp::Reverse(*rank), *index));
        Ok(())
    }

    /// The value of a state after a capture: the acting seat may leave it at that, or go on capturing.
    fn captures(&mut self, seat: SeatId, look: Look, window: Window) -> Found {
        let Window(mut alpha, beta) = window;
        let mut best = self.leaf(seat)?;
        if best >= beta || look.depth <= -Self::MOST_CAPTURES {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let mut buffers = self.buffers.pop().unwrap_or_default();
        self.list(seat, look.ply, 0, &mut buffers)?;
        for (_, action_key, index) in &buffers.order {
            let Some(action) = buffers.actions.get(*index as usize) else {
                continue;
            };
            self.budget.tick()?;
            if !self.rules.may_capture(self.trial.state(), action) {
                continue;
            }
            let mark = self.trial.mark();
            let enemies = self.enemies(seat);
            if !self.perform(action)? {
                continue;
            }
            let taken = enemies.saturating_sub(self.enemies(seat));
            self.history.note_taken(*action_key, taken);
            if taken > 0 || self.trial.state().outcome().is_some() {
                let child = Look {
                    depth: look.depth - 1,
                    ply: look.ply + 1,
                    is_noisy: taken > 0,
                };
                let value = self.reached(seat, child, Window(alpha, beta), &mut buffers.line)?;
                best = best.max(value);
                alpha = alpha.max(value);
            }
            self.trial.rollback(mark);
            if alpha >= beta {
                break;
            }
        }
        self.buffers.push(buffers);
        Ok(best)
    }
}

impl DepthSearch for Search<'_> {
    fn begin_depth(&mut self) {
        self.met_horizon = false;
    }

    fn value_of(&mut self, action: &Action, depth: u32, floor: Option<i64>, line: &mut Vec<Action>) -> Result<Option<i64>, Stop> {
        let window = Window(floor.map_or(-BEYOND, |floor| floor as i32), BEYOND);
        let mut value = None;
        if floor.is_some() {
            value = self.try_root(action, depth, window.closed(), line)?;
        }
        if floor.is_none() || value.is_some_and(|value| value > window.0) {
            value = self.try_root(action, depth, window, line)?;
        }
        Ok(value.map(i64::from))
    }

    fn met_horizon(&self) -> bool {
        self.met_horizon
    }

    fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }
}

/// Ends are kept as counted from the position itself: it may be reached again by a longer or shorter way.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        CERTAIN.. => value + ply as i32,
        _ if value <= -CERTAIN => value - ply as i32,
        _ => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        CERTAIN.. => value - ply as i32,
        _ if value <= -CERTAIN => value + ply as i32,
        _ => value,
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64)
}
