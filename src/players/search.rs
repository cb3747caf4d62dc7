//! The tree below the root: alpha-beta with a principal variation, on one state that is changed and taken back.
//!
//! Worths are those for the seat that acts. They change sign only when the acting seat changes: a seat may act several times
//! in a row. Scores are always asked for the seat that searches, so that rules whose scores do not mirror each other are
//! judged from one side.

use std::sync::Arc;

use super::budget::{Meter, Spent};
use super::known::Known;
use super::ordering::{Experience, action_key};
use super::table::{Bound, Entry, Table};
use super::worth::{self, CERTAIN, WIN};
use crate::model::{Action, EndingCondition, Limit, PropertyId, SeatId, State, Target, Value};
use crate::rules::{Luck, Rejection, Rules, Transaction, flow};

/// The greatest number of actions looked ahead, whatever is extended.
pub(super) const MOST_AHEAD: usize = 120;

/// More than any worth.
pub(super) const BEYOND: i32 = WIN + 1;

/// Why a search breaks off.
#[derive(Debug)]
pub(super) enum Stop {
    Spent,
    Rejected(Box<Rejection>),
}

impl From<Spent> for Stop {
    fn from(_: Spent) -> Self {
        Self::Spent
    }
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(Box::new(rejection))
    }
}

type Found = Result<i32, Stop>;

/// The window of worths that matter: below the first something better is known, above the second it will not be allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window(pub(super) i32, pub(super) i32);

impl Window {
    /// The window that only asks whether a worth is above the lower end.
    fn closed(self) -> Self {
        Self(self.0, self.0 + 1)
    }

    fn is_closed(self) -> bool {
        self.1 <= self.0 + 1
    }
}

/// Lists kept for reuse, one set for each action ahead.
#[derive(Debug, Default)]
struct Buffers {
    actions: Vec<Action>,
    /// Rank, key and index of each action.
    order: Vec<(i32, u32, u32)>,
    line: Vec<Action>,
}

/// A search in progress.
pub(super) struct Search<'a> {
    rules: &'a dyn Rules,
    trial: Transaction,
    pub(super) meter: Meter,
    seat: SeatId,
    is_selective: bool,
    table: &'a mut Table,
    experience: &'a mut Experience,
    known: &'a mut Known,
    spare: Vec<Buffers>,
    /// Counters that end the match at a limit and are no part of the position.
    counters: Vec<(PropertyId, i64)>,
    /// Whether something was judged by its score instead of being searched to the end.
    pub(super) met_horizon: bool,
}

/// How a child is looked at.
#[derive(Clone, Copy, Debug)]
struct Look {
    depth: i32,
    ahead: usize,
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
        meter: Meter,
        is_selective: bool,
        (table, experience, known): (&'a mut Table, &'a mut Experience, &'a mut Known),
    ) -> Self {
        let frame = state.frame();
        let counter = |condition: &EndingCondition| match condition {
            EndingCondition::Reached { property, limit } if frame.property(*property).is_some_and(|declared| !declared.in_position) => {
                let limit = match limit {
                    Limit::Number(number) => Some(*number),
                    Limit::Option(index) => state.options().get(*index).and_then(Value::as_integer),
                };
                Some((*property, limit?))
            }
            _ => None,
        };
        Self {
            counters: frame.endings.iter().filter_map(|ending| counter(&ending.condition)).collect(),
            // Nobody else may hold the state: it would be copied at every action.
            trial: Transaction::new(Arc::new(state.clone()), Luck::Forbidden),
            rules,
            meter,
            seat,
            is_selective,
            table,
            experience,
            known,
            spare: Vec::new(),
            met_horizon: false,
        }
    }

    /// The worth of an action of the searching seat, looked at so many actions ahead. `None` if the rules refuse it. Where the
    /// worth lies inside the window, `line` is what follows the action.
    pub(super) fn try_root(&mut self, action: &Action, depth: i32, window: Window, line: &mut Vec<Action>) -> Result<Option<i32>, Stop> {
        self.meter.tick()?;
        let mark = self.trial.mark();
        let enemies = self.enemies(action.seat);
        if !self.perform(action)? {
            return Ok(None);
        }
        let look = Look {
            depth: depth - 1,
            ahead: 1,
            is_noisy: self.enemies(action.seat) < enemies,
        };
        let worth = self.reached(action.seat, look, window, line)?;
        self.trial.rollback(mark);
        Ok(Some(worth))
    }

    /// Carries an action out; false if the rules refuse it.
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

    /// The worth, for the seat that has just acted, of the state it has reached.
    fn reached(&mut self, seat: SeatId, look: Look, window: Window, line: &mut Vec<Action>) -> Found {
        let state = self.trial.state();
        if let Some(outcome) = state.outcome() {
            line.clear();
            return Ok(worth::of_outcome(outcome, seat, look.ahead as i32));
        }
        match state.acting().first() {
            Some(acting) if acting != seat => self.node(acting, look, Window(-window.1, -window.0), line).map(|worth| -worth),
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

    /// The score of the present state for a seat.
    fn leaf(&mut self, seat: SeatId) -> Found {
        self.met_horizon = true;
        let state = self.trial.state();
        let key = mix(state.position(), u64::from(self.seat.0));
        let score = if let Some(score) = self.table.score(key) {
            score
        } else {
            let score = worth::of_points(self.rules.score(state, self.seat)?);
            self.table.keep_score(key, score);
            score
        };
        Ok(if seat == self.seat { score } else { -score })
    }

    /// The worth of the present state for the seat that acts in it.
    fn node(&mut self, seat: SeatId, look: Look, window: Window, line: &mut Vec<Action>) -> Found {
        line.clear();
        let Look { depth, ahead, is_noisy } = look;
        let Window(alpha, beta) = window;
        // An end further away than one already known does not matter.
        let nearest_win = WIN - ahead as i32 - 1;
        if alpha >= nearest_win {
            return Ok(alpha);
        }
        if beta <= -nearest_win {
            return Ok(beta);
        }
        if ahead >= MOST_AHEAD {
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
        let known = self.table.find(key);
        let mut first = 0;
        if let Some(entry) = known {
            first = entry.action;
            let worth = from_table(entry.value, ahead);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => worth >= beta,
                Bound::AtMost => worth <= alpha,
            };
            // Where the line is asked for, it has to be gone along.
            if decides && (entry.is_whole || i32::from(entry.depth) >= depth) && window.is_closed() {
                self.met_horizon |= !entry.is_whole;
                return Ok(worth);
            }
        }
        self.branch(seat, look, window, line, Some(key), first)
    }

    /// Tries the actions of the present state.
    fn branch(&mut self, seat: SeatId, look: Look, window: Window, line: &mut Vec<Action>, key: Option<u64>, first: u32) -> Found {
        let Look { depth, ahead, .. } = look;
        let Window(mut alpha, beta) = window;
        let mut buffers = self.spare.pop().unwrap_or_default();
        self.list(seat, ahead, first, &mut buffers)?;
        let (mut best, mut best_key, mut tried) = (-BEYOND, 0, 0);
        let met_before = std::mem::take(&mut self.met_horizon);
        for (place, (rank, action_key, index)) in buffers.order.iter().enumerate() {
            let Some(action) = buffers.actions.get(*index as usize) else {
                continue;
            };
            self.meter.tick()?;
            let mark = self.trial.mark();
            let enemies = self.enemies(seat);
            if !self.perform(action)? {
                continue;
            }
            let taken = enemies.saturating_sub(self.enemies(seat));
            self.experience.note_taken(*action_key, taken);
            let child = Look {
                depth: depth - 1,
                ahead: ahead + 1,
                is_noisy: taken > 0,
            };
            let inside = Window(alpha, beta);
            let mut worth = if tried == 0 {
                self.reached(seat, child, inside, &mut buffers.line)?
            } else {
                let less = self.reduction(depth, tried, taken, *rank);
                let shallow = Look {
                    depth: child.depth - less,
                    ..child
                };
                let mut worth = self.reached(seat, shallow, inside.closed(), &mut buffers.line)?;
                if less > 0 && worth > alpha {
                    worth = self.reached(seat, child, inside.closed(), &mut buffers.line)?;
                }
                worth
            };
            if tried > 0 && worth > alpha && worth < beta {
                worth = self.reached(seat, child, inside, &mut buffers.line)?;
            }
            self.trial.rollback(mark);
            tried += 1;
            if worth <= best {
                continue;
            }
            best = worth;
            best_key = *action_key;
            if worth <= alpha {
                continue;
            }
            alpha = worth;
            if worth >= beta {
                if taken == 0 {
                    self.experience.note_killer(*action_key, ahead);
                    self.experience.note_history(*action_key, depth, true);
                    for (_, passed, _) in buffers.order.iter().take(place) {
                        self.experience.note_history(*passed, depth, false);
                    }
                }
                break;
            }
            line.clear();
            line.push(action.clone());
            line.append(&mut buffers.line);
        }
        self.spare.push(buffers);
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
                    value: to_table(best, ahead),
                    bound,
                    depth: depth.clamp(0, 255) as u8,
                    is_whole,
                    action: if bound == Bound::AtMost { 0 } else { best_key },
                },
            );
        }
        Ok(best)
    }

    /// By how much less a late, quiet action is looked ahead at first.
    fn reduction(&self, depth: i32, tried: usize, taken: usize, rank: i32) -> i32 {
        if !self.is_selective || depth < 3 || tried < 4 || taken > 0 || rank >= 800_000 {
            0
        } else if depth >= 6 && tried >= 12 {
            2
        } else {
            1
        }
    }

    /// Lists and orders the actions of a seat.
    fn list(&mut self, seat: SeatId, ahead: usize, first: u32, buffers: &mut Buffers) -> Result<(), Stop> {
        buffers.actions.clear();
        buffers.order.clear();
        let state = self.trial.state();
        self.known.list(self.rules, state, seat, &mut buffers.actions)?;
        for (index, action) in buffers.actions.iter().enumerate() {
            let key = action_key(state, action);
            let rank = self.experience.rank(state, action, key, ahead, first);
            buffers.order.push((rank, key, index as u32));
        }
        buffers
            .order
            .sort_unstable_by_key(|(rank, _, index)| (std::cmp::Reverse(*rank), *index));
        Ok(())
    }

    /// The worth of a state after a capture: the acting seat may leave it at that, or go on capturing.
    fn captures(&mut self, seat: SeatId, look: Look, window: Window) -> Found {
        let Window(mut alpha, beta) = window;
        let mut best = self.leaf(seat)?;
        if best >= beta || look.depth <= -Self::MOST_CAPTURES {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let mut buffers = self.spare.pop().unwrap_or_default();
        self.list(seat, look.ahead, 0, &mut buffers)?;
        for (_, action_key, index) in &buffers.order {
            let Some(action) = buffers.actions.get(*index as usize) else {
                continue;
            };
            self.meter.tick()?;
            let mark = self.trial.mark();
            let enemies = self.enemies(seat);
            if !self.perform(action)? {
                continue;
            }
            let taken = enemies.saturating_sub(self.enemies(seat));
            self.experience.note_taken(*action_key, taken);
            if taken > 0 || self.trial.state().outcome().is_some() {
                let child = Look {
                    depth: look.depth - 1,
                    ahead: look.ahead + 1,
                    is_noisy: taken > 0,
                };
                let worth = self.reached(seat, child, Window(alpha, beta), &mut buffers.line)?;
                best = best.max(worth);
                alpha = alpha.max(worth);
            }
            self.trial.rollback(mark);
            if alpha >= beta {
                break;
            }
        }
        self.spare.push(buffers);
        Ok(best)
    }
}

/// Ends are kept as counted from the position itself: it may be reached again by a longer or shorter way.
fn to_table(worth: i32, ahead: usize) -> i32 {
    match worth {
        CERTAIN.. => worth + ahead as i32,
        _ if worth <= -CERTAIN => worth - ahead as i32,
        _ => worth,
    }
}

fn from_table(value: i32, ahead: usize) -> i32 {
    match value {
        CERTAIN.. => value - ahead as i32,
        _ if value <= -CERTAIN => value + ahead as i32,
        _ => value,
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64)
}
