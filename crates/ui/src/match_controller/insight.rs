//! What strategies think: the value of the state for each seat, the values of single cells, and how they came to their decisions.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::requests::{Failure, Pending, Requests};
use boardwright_model::{CellId, SeatId};
use boardwright_protocol::{Command, Reply, ThoughtsReport};

/// The most decisions that are kept.
const MOST_DECISIONS: usize = 40;

/// The state of a query: its digest as seen here, and the version of the rules.
pub(super) type Moment = (u64, u64);

/// Whose numbers of cells are shown on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeatMapSource {
    /// A strategy's values for a seat.
    Strategy(String, SeatId),
    /// A heat map of the rules.
    Rules(Arc<str>),
}

/// What is known of the thoughts of strategies.
#[derive(Debug, Default)]
pub(crate) struct StrategyInsight {
    evaluated: Option<(String, Moment)>,
    seat_values: Vec<Option<i64>>,
    shown: Option<HeatMapSource>,
    /// What was requested last, for which seat, and of which state.
    mapped: Option<(HeatMapSource, Option<SeatId>, Moment)>,
    pub(crate) cell_values: BTreeMap<CellId, i64>,
    is_watching: bool,
    /// The watched decisions, newest first.
    pub(crate) decisions: VecDeque<ThoughtsReport>,
    pub(crate) failure: Option<String>,
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

    /// Shows the numbers of cells on the board, those of a heat map as `viewer` sees it, or nothing.
    pub(super) fn show_heat_map(
        &mut self,
        shown: Option<HeatMapSource>,
        viewer: Option<SeatId>,
        moment: Option<Moment>,
        requests: &mut Requests,
    ) {
        if self.shown != shown {
            self.shown = shown;
            self.mapped = None;
            self.cell_values.clear();
        }
        let (Some(source), Some(moment)) = (self.shown.clone(), moment) else {
            return;
        };
        let wanted = Some((source.clone(), viewer, moment));
        if self.mapped == wanted {
            return;
        }
        self.mapped = wanted;
        self.failure = None;
        let command = match source {
            HeatMapSource::Strategy(strategy, seat) => Command::EvaluateCells { strategy, seat },
            HeatMapSource::Rules(name) => Command::HeatMap {
                name: name.to_string(),
                seat: viewer,
            },
        };
        requests.send(command, Pending::HeatMap);
    }

    pub(super) fn watch(&mut self, watched: bool, requests: &mut Requests) {
        if self.is_watching != watched {
            self.is_watching = watched;
            requests.send(Command::Watch { watched }, Pending::Nothing);
        }
    }

    pub(super) fn add_decision(&mut self, report: ThoughtsReport) {
        self.decisions.push_front(report);
        self.decisions.truncate(MOST_DECISIONS);
    }

    pub(super) fn handle_evaluation(&mut self, reply: Result<Reply, Failure>) {
        if let Ok(Reply::Evaluation { seats }) = reply {
            self.seat_values = seats;
        } else {
            self.seat_values.clear();
            self.failure = reply.err().map(|failure| failure.text());
        }
    }

    pub(super) fn handle_heat_map(&mut self, reply: Result<Reply, Failure>) {
        self.cell_values.clear();
        match reply {
            Ok(Reply::HeatMap { cells }) if self.shown.is_some() => {
                let values = cells.into_iter().enumerate();
                self.cell_values
                    .extend(values.filter_map(|(cell, value)| Some((CellId::from_index(cell), value?))));
            }
            Ok(_) => {}
            Err(failure) => self.failure = Some(failure.text()),
        }
    }
}
