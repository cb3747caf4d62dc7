//! What strategies think: the value of the state for each seat, the values of single cells, and how they came to their decisions.

use std::collections::{BTreeMap, VecDeque};

use super::requests::{Pending, Requests};
use boardwright_model::{CellId, SeatId};
use boardwright_protocol::{Command, Reply, ThoughtsReport};

/// The most decisions that are kept.
const MOST_DECISIONS: usize = 40;

/// The state of a query: its digest as seen here, and the version of the rules.
pub(super) type Moment = (u64, u64);

/// What is known of the thoughts of strategies.
#[derive(Debug, Default)]
pub(crate) struct StrategyInsight {
    evaluated: Option<(String, Moment)>,
    seat_values: Vec<Option<i64>>,
    /// The strategy and the seat whose values of cells are shown on the board.
    shown: Option<(String, SeatId)>,
    mapped: Option<(String, SeatId, Moment)>,
    cell_values: BTreeMap<CellId, i64>,
    is_watching: bool,
    /// The watched decisions, newest first.
    decisions: VecDeque<ThoughtsReport>,
    failure: Option<String>,
}

impl StrategyInsight {
    /// The value of the state for each seat, as far as it is known; requested when the match has changed.
    pub(super) fn evaluation(&mut self, strategy: &str, moment: Option<Moment>, requests: &mut Requests) -> &[Option<i64>] {
        let wanted = moment.map(|moment| (strategy.to_owned(), moment));
        if wanted.is_some() && self.evaluated != wanted {
            self.evaluated = wanted;
            self.failure = None;
            let strategy = strategy.to_owned();
            requests.send(Command::Evaluate { strategy }, Pending::Evaluation);
        }
        &self.seat_values
    }

    /// Shows the values of cells for a seat on the board, or nothing.
    pub(super) fn show_heat_map(&mut self, shown: Option<(String, SeatId)>, moment: Option<Moment>, requests: &mut Requests) {
        if self.shown != shown {
            self.shown = shown;
            self.mapped = None;
            self.cell_values.clear();
        }
        let (Some((strategy, seat)), Some(moment)) = (self.shown.clone(), moment) else {
            return;
        };
        let wanted = Some((strategy.clone(), seat, moment));
        if self.mapped != wanted {
            self.mapped = wanted;
            requests.send(Command::HeatMap { strategy, seat }, Pending::HeatMap);
        }
    }

    pub(crate) fn cell_values(&self) -> &BTreeMap<CellId, i64> {
        &self.cell_values
    }

    pub(super) fn watch(&mut self, watched: bool, requests: &mut Requests) {
        if self.is_watching != watched {
            self.is_watching = watched;
            requests.send(Command::Watch { watched }, Pending::Nothing);
        }
    }

    pub(crate) fn decisions(&self) -> &VecDeque<ThoughtsReport> {
        &self.decisions
    }

    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    pub(super) fn add_decision(&mut self, report: ThoughtsReport) {
        self.decisions.push_front(report);
        self.decisions.truncate(MOST_DECISIONS);
    }

    pub(super) fn handle_evaluation(&mut self, reply: Reply) {
        if let Reply::Evaluation { seats } = reply {
            self.seat_values = seats;
        } else {
            self.seat_values.clear();
            self.failure = super::failure_text(reply);
        }
    }

    pub(super) fn handle_heat_map(&mut self, reply: Reply) {
        self.cell_values.clear();
        match reply {
            Reply::HeatMap { cells } if self.shown.is_some() => {
                let values = cells.into_iter().enumerate();
                self.cell_values
                    .extend(values.filter_map(|(cell, value)| Some((CellId::from_index(cell), value?))));
            }
            reply => self.failure = super::failure_text(reply).or(self.failure.take()),
        }
    }
}
