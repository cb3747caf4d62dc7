//! Watching computer players think, and asking strategies what they think of a match.

use std::time::Duration;

use super::computers::Open;
use super::control::{Answered, error};
use super::session::Session;
use crate::client::messages::{FromHost, Notice, Reply, ThoughtLine, ThoughtsReport};
use crate::host::ClientId;
use crate::model::{Action, SeatId};
use crate::players::Thought;
use crate::rules::{Consultation, Refusal, RefusalCode, Settings, sentence};

/// The steps an evaluation may take.
const OPERATIONS: u64 = 200_000;
/// The steps that all cells together may take.
const OPERATIONS_FOR_CELLS: u64 = 2_000_000;
/// The time it may take: the match waits for it.
const WALL: Duration = Duration::from_millis(100);

impl Session {
    /// Tells a client what computer players think from now on, or no longer. Thoughts give hidden things away: only who may change the match
    /// by hand is told.
    pub(super) fn watch(&mut self, client: ClientId, watched: bool) -> Answered {
        self.check_host(client)?;
        if !self.playing.policy().debug {
            let refusal = Refusal::new(
                RefusalCode::Policy,
                sentence!("nobody may watch computer players think in this match"),
            );
            return Ok(Reply::Refused(refusal));
        }
        if watched {
            self.computers.watchers.insert(client);
        } else {
            self.computers.watchers.remove(&client);
        }
        Ok(self.done())
    }

    /// Tells those who watch what a player thought.
    pub(super) fn tell_thoughts(&mut self, open: &Open, chosen: &Action, thoughts: &[Thought]) {
        if self.computers.watchers.is_empty() || thoughts.is_empty() {
            return;
        }
        let rules = self.playing.rules();
        let line = |thought: &Thought| ThoughtLine {
            text: thought
                .action
                .as_ref()
                .map_or_else(|| thought.text.to_string(), |action| rules.notation(&open.view, action)),
            number: thought.number,
            weighed: thought.action.is_some(),
        };
        let report = ThoughtsReport {
            seat: open.seat,
            player: open.player.to_string(),
            chosen: rules.notation(&open.view, chosen),
            thoughts: thoughts.iter().map(line).collect(),
        };
        let watchers: Vec<ClientId> = self.computers.watchers.iter().copied().collect();
        for client in watchers {
            let notice = Notice::Thoughts(Box::new(report.clone()));
            self.clients.send(client, FromHost::Notice(notice));
        }
    }

    /// What is wrong with the name of a strategy, if there is none of that name.
    fn check_strategy(&self, strategy: &str) -> Option<Reply> {
        if self.about.strategies.iter().any(|known| known == strategy) {
            return None;
        }
        let known = self.about.strategies.join(", ");
        Some(error(if known.is_empty() {
            sentence!("there is no strategy `{strategy}`: the ruleset has none")
        } else {
            sentence!("there is no strategy `{strategy}`; there are: {known}")
        }))
    }

    /// What a strategy thinks each cell is worth to a seat, judged by what the client sees.
    pub(super) fn heat_map(&mut self, client: ClientId, strategy: &str, seat: SeatId) -> Answered {
        self.check_unrated(sentence!("this match is rated: nobody helps"))?;
        if let Some(wrong) = self.check_strategy(strategy) {
            return Ok(wrong);
        }
        if !self.playing.state().frame().all_seats().contains(seat) {
            return Ok(error(sentence!("there is no such seat")));
        }
        let view = self.view_of(self.access.seats(client).first());
        let cells = self.playing.rules().evaluate_cells(&Consultation {
            strategy,
            settings: &Settings::default(),
            state: &view,
            seat,
            seed: 1,
            operations: OPERATIONS_FOR_CELLS,
            wall: WALL,
            is_watched: false,
            follower: None,
        })?;
        Ok(Reply::HeatMap { cells })
    }

    /// What a strategy thinks the match is worth for each seat, judged by what the client sees.
    pub(super) fn evaluate(&mut self, client: ClientId, strategy: &str) -> Answered {
        self.check_unrated(sentence!("this match is rated: nobody helps"))?;
        if let Some(wrong) = self.check_strategy(strategy) {
            return Ok(wrong);
        }
        let view = self.view_of(self.access.seats(client).first());
        let settings = Settings::default();
        let of_seat = |seat| {
            let asked = Consultation {
                strategy,
                settings: &settings,
                state: &view,
                seat,
                seed: 1,
                operations: OPERATIONS,
                wall: WALL,
                is_watched: false,
                follower: None,
            };
            self.playing.rules().evaluate(&asked)
        };
        let left = view.frame().all_seats();
        let seats: Result<Vec<Option<i64>>, _> = left
            .iter()
            .map(|seat| {
                if view.eliminated().contains(seat) {
                    Ok(None)
                } else {
                    of_seat(seat)
                }
            })
            .collect();
        Ok(Reply::Evaluation { seats: seats? })
    }
}
