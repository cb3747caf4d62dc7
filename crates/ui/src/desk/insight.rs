//! What strategies think of the match: what it is worth for each seat, what single cells are worth, and how they came to their decisions.

use std::collections::{BTreeMap, VecDeque};

use super::intake::sentence;
use super::{Awaited, Desk};
use boardwright_protocol::{Command, Reply, ThoughtsReport};
use boardwright_model::{CellId, SeatId};

/// The most decisions that are kept.
const MOST_DECISIONS: usize = 40;

/// The match as it stood when something was asked about it: the digest of what is seen, and how often the rules had changed.
type Moment = (u64, u64);

/// What is known of the thoughts of strategies.
#[derive(Debug, Default)]
pub(super) struct Insight {
    /// The strategy and the moment that were asked about last, and what was answered: a worth for each seat.
    evaluated: Option<(String, Moment)>,
    worths: Vec<Option<i64>>,
    /// The strategy and the seat whose cells are to be shown on the board.
    shown: Option<(String, SeatId)>,
    mapped: Option<(String, SeatId, Moment)>,
    cells: BTreeMap<CellId, i64>,
    is_watching: bool,
    /// The decisions that were watched, newest first.
    decisions: VecDeque<ThoughtsReport>,
    /// Why there was no answer.
    trouble: Option<String>,
}

impl Desk {
    /// What a strategy thinks the match is worth for each seat, as far as it is known; asked for anew when the match has gone on.
    pub fn evaluation(&mut self, strategy: &str) -> &[Option<i64>] {
        if let Some(moment) = self.moment() {
            let wanted = Some((strategy.to_owned(), moment));
            if self.insight.evaluated != wanted {
                self.insight.evaluated = wanted;
                self.insight.trouble = None;
                let strategy = strategy.to_owned();
                self.request(Command::Evaluate { strategy }, Awaited::Evaluation);
            }
        }
        &self.insight.worths
    }

    /// Shows on the board what cells are worth to a seat in the eyes of a strategy, or nothing.
    pub fn set_heat(&mut self, shown: Option<(String, SeatId)>) {
        if self.insight.shown != shown {
            self.insight.shown = shown;
            self.insight.mapped = None;
            self.insight.cells.clear();
        }
        let (Some((strategy, seat)), Some(moment)) = (self.insight.shown.clone(), self.moment()) else {
            return;
        };
        let wanted = Some((strategy.clone(), seat, moment));
        if self.insight.mapped != wanted {
            self.insight.mapped = wanted;
            self.request(Command::HeatMap { strategy, seat }, Awaited::HeatMap);
        }
    }

    /// What cells are worth, where that is to be shown on the board.
    pub fn heat(&self) -> &BTreeMap<CellId, i64> {
        &self.insight.cells
    }

    /// Watches strategies decide, or no longer.
    pub fn set_watched(&mut self, watched: bool) {
        if self.insight.is_watching != watched {
            self.insight.is_watching = watched;
            self.send(Command::Watch { watched });
        }
    }

    /// The decisions that were watched, newest first.
    pub fn decisions(&self) -> &VecDeque<ThoughtsReport> {
        &self.insight.decisions
    }

    /// Why a strategy did not say what it thinks.
    pub fn insight_trouble(&self) -> Option<&str> {
        self.insight.trouble.as_deref()
    }

    fn moment(&self) -> Option<Moment> {
        self.state().map(|state| (state.digest(), self.reloads))
    }

    pub(super) fn take_decision(&mut self, report: ThoughtsReport) {
        self.insight.decisions.push_front(report);
        self.insight.decisions.truncate(MOST_DECISIONS);
    }

    pub(super) fn take_evaluation(&mut self, reply: Reply) {
        match reply {
            Reply::Evaluation { seats } => self.insight.worths = seats,
            reply => {
                self.insight.worths.clear();
                self.insight.trouble = trouble(reply);
            }
        }
    }

    pub(super) fn take_heat(&mut self, reply: Reply) {
        self.insight.cells.clear();
        match reply {
            Reply::HeatMap { cells } if self.insight.shown.is_some() => {
                let worths = cells.into_iter().enumerate();
                self.insight
                    .cells
                    .extend(worths.filter_map(|(cell, worth)| Some((CellId::from_index(cell), worth?))));
            }
            reply => self.insight.trouble = trouble(reply).or(self.insight.trouble.take()),
        }
    }
}

fn trouble(reply: Reply) -> Option<String> {
    match reply {
        Reply::Refused(refusal) => Some(sentence(&refusal.reason)),
        Reply::Fault(fault) => Some(fault.to_string()),
        Reply::Error { message } => Some(sentence(&message)),
        _ => None,
    }
}
