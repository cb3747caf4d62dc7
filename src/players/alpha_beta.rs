//! The player that searches: alpha-beta, deeper and deeper until the budget is spent.

use std::sync::Arc;

use super::known::Known;
use super::ordering::Experience;
use super::search::{BEYOND, MOST_AHEAD, Search, Stop, Window};
use super::table::Table;
use super::worth::{self, CERTAIN, WIN};
use super::{Budget, Choice, Level, Player, PlayerError, Thinking};
use crate::model::{Action, Board, Fingerprint, SeatId, State, Value};
use crate::rules::{Generator, Rejection, Rules, flow};
use crate::rules::{Sentence, sentence};

/// How an [`AlphaBeta`] player searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// The memory of its table of positions, in megabytes (2^20 bytes).
    pub table_mb: usize,
    /// Whether it looks further where pieces are taken or questions open, and less far at actions that seem poor. Without
    /// it the score is that of plain minimax at the same depth.
    pub is_selective: bool,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            table_mb: 64,
            is_selective: true,
        }
    }
}

/// Searches by alpha-beta. Plays by any rules for two seats without luck and without anything hidden.
#[derive(Debug)]
pub struct AlphaBeta {
    level: Level,
    settings: SearchSettings,
    generator: Generator,
    table: Table,
    /// For how many entries the table was made.
    entries: u64,
    experience: Experience,
    known: Known,
    /// What the table is about.
    subject: Option<(Fingerprint, Arc<Board>, Arc<[Value]>)>,
}

/// An action at the root.
struct Candidate {
    action: Action,
    /// What the rules take off its worth.
    markdown: i32,
    worth: i32,
}

impl AlphaBeta {
    /// The memory for lists of actions that scripts made, in megabytes.
    const KNOWN_MB: usize = 32;
    /// How many entries the table has room for, for each action that may be tried for one choice. One action leaves two at most, the value
    /// and the score; the rest is what earlier choices left.
    const ENTRIES_A_NODE: u64 = 16;

    /// A player of a level. The seed decides between actions of equal worth, and when low levels slip.
    pub fn new(level: Level, seed: u64) -> Self {
        Self::with_settings(level, SearchSettings::default(), seed)
    }

    /// A player with settings of its own.
    pub fn with_settings(level: Level, settings: SearchSettings, seed: u64) -> Self {
        Self {
            level,
            settings,
            generator: Generator::new(seed),
            table: Table::new(0),
            entries: 0,
            experience: Experience::new(),
            known: Known::new(Self::KNOWN_MB),
            subject: None,
        }
    }

    fn unsuitable(&self, reason: Sentence) -> PlayerError {
        PlayerError::Unsuitable {
            player: self.name(),
            reason: reason.into(),
        }
    }

    fn explain(&self, rejection: Rejection) -> PlayerError {
        match rejection.fault() {
            Some(fault) if &*fault.code == "luck" => self.unsuitable(sentence!("it does not reckon with luck, and these rules draw")),
            _ => rejection.into(),
        }
    }

    /// Empties what was learned under other rules, and makes room in the table.
    fn prepare(&mut self, rules: &dyn Rules, state: &State, budget: &Budget) {
        let entries = budget.nodes.unwrap_or(u64::MAX).saturating_mul(Self::ENTRIES_A_NODE);
        if entries > self.entries {
            self.table = Table::for_entries(self.settings.table_mb, entries);
            self.entries = entries;
        }
        let subject = (rules.fingerprint(), Arc::clone(state.board()), Arc::clone(state.options()));
        let is_same = self
            .subject
            .as_ref()
            .is_some_and(|(print, board, options)| *print == subject.0 && Arc::ptr_eq(board, &subject.1) && *options == subject.2);
        if is_same {
            self.experience.fade();
            self.table.grow_older();
        } else {
            if self.subject.is_some() {
                self.table.clear();
            }
            self.experience = Experience::new();
            self.known.clear();
            self.subject = Some(subject);
        }
    }

    /// The legal actions, in a random order but for the hints of the rules.
    fn candidates(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Candidate>, PlayerError> {
        let actions = flow::considered(rules, state, seat)?;
        let mut candidates = Vec::with_capacity(actions.len());
        for action in actions {
            let hint = worth::of_points(rules.order(state, &action)?.unwrap_or(0));
            let place = self.generator.below(candidates.len() as u32 + 1) as usize;
            candidates.push((
                hint,
                Candidate {
                    action,
                    markdown: hint.min(0),
                    worth: 0,
                },
            ));
            let last = candidates.len() - 1;
            candidates.swap(place, last);
        }
        candidates.sort_by_key(|(hint, _)| std::cmp::Reverse(*hint));
        Ok(candidates.into_iter().map(|(_, candidate)| candidate).collect())
    }
}

/// What has been found so far.
struct Best {
    action: Action,
    worth: i32,
    line: Vec<Action>,
    depth: u32,
}

/// Looks at all candidates to a depth and puts the best first, the others behind it in their order. If it is broken off,
/// `best` is the best of those looked at: the first of them was the best of the depth before.
fn deepen(search: &mut Search<'_>, candidates: &mut Vec<Candidate>, depth: u32, needs_all: bool, best: &mut Best) -> Result<(), Stop> {
    let mut alpha = -BEYOND;
    let mut first = 0;
    let mut line = Vec::new();
    let mut refused = Vec::new();
    for (index, candidate) in candidates.iter_mut().enumerate() {
        // A certain end is not marked down.
        let markdown = if alpha.abs() >= CERTAIN { 0 } else { candidate.markdown };
        let low = if needs_all { -BEYOND } else { (alpha - markdown).max(-BEYOND) };
        let mut window = Window(low, BEYOND);
        if low > -BEYOND {
            window = Window(low, low + 1);
        }
        let mut found = search.try_root(&candidate.action, depth as i32, window, &mut line)?;
        if low > -BEYOND && found.is_some_and(|worth| worth > low) {
            found = search.try_root(&candidate.action, depth as i32, Window(low, BEYOND), &mut line)?;
        }
        let Some(worth) = found else {
            refused.push(index);
            continue;
        };
        let worth = if worth.abs() >= CERTAIN { worth } else { worth + markdown };
        candidate.worth = worth;
        if worth > alpha {
            alpha = worth;
            first = index;
            best.worth = worth;
            best.action = candidate.action.clone();
            best.line.clear();
            best.line.push(candidate.action.clone());
            best.line.append(&mut line);
        }
    }
    best.depth = depth;
    if let Some(head) = candidates.get_mut(..=first) {
        head.rotate_right(1);
    }
    for index in refused.into_iter().rev() {
        // Those before the best one have moved up by one.
        let index = if index < first { index + 1 } else { index };
        if candidates.len() > 1 && index < candidates.len() {
            candidates.remove(index);
        }
    }
    Ok(())
}

impl Player for AlphaBeta {
    fn name(&self) -> String {
        format!("search:{}", self.level)
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        if state.frame().seats.len() != 2 {
            return Err(self.unsuitable(sentence!(
                "it plays between two seats, and here are {count}",
                count = state.frame().seats.len()
            )));
        }
        if state.may_hide() {
            return Err(self.unsuitable(sentence!("it has to see everything, and these rules may hide something")));
        }
        let budget = self.level.within(budget);
        let meter = budget.meter();
        let is_slip = self.generator.below(100) < self.level.skill().slips_percent;
        let mut candidates = self.candidates(rules, state, seat)?;
        let Some(first) = candidates.first().map(|candidate| candidate.action.clone()) else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut best = Best {
            line: vec![first.clone()],
            action: first,
            worth: worth::of_points(rules.score(state, seat)?),
            depth: 0,
        };
        self.prepare(rules, state, &budget);
        let most = if candidates.len() == 1 {
            0
        } else {
            budget.depth.unwrap_or(u32::MAX).min(MOST_AHEAD as u32 / 2)
        };
        let mut search = Search::new(
            rules,
            state,
            seat,
            meter,
            self.settings.is_selective,
            (&mut self.table, &mut self.experience, &mut self.known),
        );
        let mut failure = None;
        for depth in 1..=most {
            search.met_horizon = false;
            match deepen(&mut search, &mut candidates, depth, is_slip, &mut best) {
                Ok(()) => {}
                Err(Stop::Spent) => break,
                Err(Stop::Rejected(rejection)) => {
                    failure = Some(*rejection);
                    break;
                }
            }
            report(&Thinking {
                score: i64::from(best.worth),
                depth,
                nodes: search.meter.nodes(),
                line: best.line.clone(),
                elapsed: search.meter.elapsed(),
            });
            let is_certain = best.worth.abs() >= CERTAIN && WIN - best.worth.abs() <= depth as i32;
            // A depth takes several times as long as the one before.
            let is_late = budget.time.is_some_and(|time| search.meter.elapsed() > time.mul_f32(0.6));
            if is_certain || !search.met_horizon || is_late {
                break;
            }
        }
        let (nodes, elapsed) = (search.meter.nodes(), search.meter.elapsed());
        drop(search);
        if let Some(rejection) = failure {
            return Err(self.explain(rejection));
        }
        if is_slip && best.depth > 0 && best.worth < WIN - 1 {
            candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.worth));
            let better_half = candidates.len().div_ceil(2);
            let slip = candidates.swap_remove(self.generator.below(better_half as u32) as usize);
            best.line = vec![slip.action.clone()];
            best.worth = slip.worth;
            best.action = slip.action;
        }
        Ok(Choice {
            action: best.action,
            score: i64::from(best.worth),
            depth: best.depth,
            nodes,
            line: best.line,
            elapsed,
            instead_of: None,
            thoughts: Vec::new(),
        })
    }
}
