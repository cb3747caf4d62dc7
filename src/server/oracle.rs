//! The odds of what players are about to begin.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::control::Answered;
use super::session::Session;
use crate::client::OddsReport;
use crate::client::messages::Reply;
use crate::host::ClientId;
use crate::model::{ActionId, Fingerprint, Pick, SeatId};
use crate::rules::odds::{Effort, Question, Rounds, odds_within};

/// The most places of a contest whose odds are worked out while the match waits; beyond that it is fought many times.
const MOST_PLACES: usize = 20_000;
/// How long it is fought: the match waits for it.
const PATIENCE: Duration = Duration::from_millis(250);
/// The seed of the luck with which it is fought: who asks the same again is told the same.
const SEED: u64 = 1;

/// Rounds of contests that were run through all their results, under the rules in force.
#[derive(Debug, Default)]
pub(super) struct Oracle {
    rules: Option<Fingerprint>,
    rounds: BTreeMap<usize, Rounds>,
}

impl Session {
    /// The odds of the contest that an action begins, judged by what the seat sees.
    pub(super) fn odds(&mut self, client: ClientId, seat: SeatId, action: ActionId, picks: &[Pick]) -> Answered {
        self.check_sight(client, Some(seat))?;
        let view = self.view_of(Some(seat));
        let rules = self.playing.rules();
        let begun = rules.contest_of(&view, seat, action, picks)?;
        let found = begun.and_then(|(index, sides)| Some((index, view.frame().contests.get(index)?, sides)));
        let Some((contest, declared, sides)) = found else {
            return Ok(Reply::Odds { odds: None });
        };
        if self.oracle.rules != Some(rules.fingerprint()) {
            self.oracle = Oracle {
                rules: Some(rules.fingerprint()),
                rounds: BTreeMap::new(),
            };
        }
        let rounds = self.oracle.rounds.entry(contest).or_default();
        let question = Question {
            contest,
            sides: &sides,
            rounds: None,
        };
        let begun = Instant::now();
        let mut effort = Effort {
            places: MOST_PLACES,
            goes_on: &mut |_| begun.elapsed() < PATIENCE,
        };
        let odds = odds_within(rounds, rules, &view, &question, SEED, &mut effort)?;
        Ok(Reply::Odds {
            odds: Some(Box::new(OddsReport::new(declared, &sides, &odds))),
        })
    }
}
