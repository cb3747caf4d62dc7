//! Luck that players can verify: an action in which something is drawn waits until each player has given the number for it.

use std::time::{Duration, Instant};

use super::super::failure::{Failure, ensure, error};
use super::Session;
use boardwright_host::ClientId;
use boardwright_model::{Action, Forfeit, LuckNumber, SeatId, SeatSet, action_commitment, sentence, server_number};
use boardwright_players::PlayerSpec;
use boardwright_protocol::{Answer, FromHost, Notice, Reply};

/// How long it is waited for the number of a player. Then the match goes on without, to its end.
const MOST_AWAITED: Duration = Duration::from_mins(1);

/// What waits for the numbers of its luck.
#[derive(Clone, Debug)]
pub(super) enum AwaitedChange {
    /// An action that was chosen when so many events were applied.
    Action(Action, usize),
    /// A seat forfeits.
    Forfeit(SeatId, Forfeit),
}

impl AwaitedChange {
    /// What is committed to.
    fn text(&self) -> String {
        match self {
            Self::Action(action, _) => serde_json::to_string(action).unwrap_or_default(),
            Self::Forfeit(seat, _) => format!("forfeit {}", seat.index()),
        }
    }
}

/// Something that waits for the numbers of its luck.
#[derive(Debug)]
pub(super) struct AwaitingNumbers {
    change: AwaitedChange,
    index: u32,
    /// What this host commits to its own number and to the action with.
    commitment: LuckNumber,
    /// By seat.
    numbers: Vec<Option<LuckNumber>>,
    /// The seats whose numbers are still to come.
    missing: SeatSet,
    /// Who is to be answered; nobody for a computer player.
    request: Option<(ClientId, u64)>,
    pub(super) until: Instant,
}

impl Session {
    /// Has something wait until the players have given their numbers.
    pub(super) fn await_numbers(&mut self, change: AwaitedChange) {
        let Some(record) = self.game.playing().luck_record() else { return };
        let index = record.next();
        let number = server_number(self.game.playing().seed(), index);
        self.awaiting = Some(AwaitingNumbers {
            index,
            commitment: action_commitment(number, &change.text()),
            change,
            numbers: vec![None; self.game.state().declarations().seats.len()],
            missing: record.seats().filter(|seat| self.roster.is_human(*seat)).collect(),
            request: self.request.take(),
            until: Instant::now() + MOST_AWAITED,
        });
        for client in self.roster.clients() {
            self.ask_for_numbers(client);
        }
    }

    /// Asks a client for the numbers of its seats that are still to come.
    pub(super) fn ask_for_numbers(&mut self, client: ClientId) {
        let Some(awaiting) = &self.awaiting else { return };
        let heads: Vec<LuckNumber> = self.missing_of(client).into_iter().map(|(_, head)| head).collect();
        if !heads.is_empty() {
            let notice = Notice::Reveal {
                index: awaiting.index,
                commitment: awaiting.commitment,
                heads,
            };
            self.roster.notify(client, notice);
        }
    }

    /// The seats of a client whose numbers are still to come, with the heads of their chains.
    fn missing_of(&self, client: ClientId) -> Vec<(SeatId, LuckNumber)> {
        let (Some(awaiting), Some(terms)) = (&self.awaiting, self.game.playing().luck_terms()) else {
            return Vec::new();
        };
        let held = self.roster.seats_of(client);
        let missing = awaiting.missing.iter().filter(|seat| held.contains(*seat));
        missing
            .filter_map(|seat| Some((seat, terms.heads.get(seat.index()).copied().flatten()?)))
            .collect()
    }

    /// Takes the numbers of a client. What follows from them is done when it was answered.
    pub(super) fn reveal(&mut self, client: ClientId, index: u32, numbers: &[Option<LuckNumber>]) -> Result<(), Failure> {
        let asked = self.missing_of(client);
        let is_asked = self.awaiting.as_ref().is_some_and(|awaiting| awaiting.index == index) && asked.len() == numbers.len();
        ensure(is_asked, || error(sentence!("nobody asks for these numbers now")))?;
        for ((seat, _), number) in asked.into_iter().zip(numbers) {
            let fits = |number: &LuckNumber| {
                let record = self.game.playing().luck_record();
                record.is_some_and(|record| record.is_next(seat.index(), *number))
            };
            ensure(number.as_ref().is_none_or(fits), || {
                error(sentence!("this is not the number that was committed to"))
            })?;
            if let Some(awaiting) = &mut self.awaiting {
                awaiting.missing = awaiting.missing.iter().filter(|other| *other != seat).collect();
                if let Some(slot) = awaiting.numbers.get_mut(seat.index()) {
                    *slot = *number;
                }
            }
            if number.is_none() {
                self.report_absence(seat);
            }
        }
        Ok(())
    }

    fn report_absence(&mut self, seat: SeatId) {
        let title = self.game.state().declarations().seat_title(seat).clone();
        self.roster.notify_message(sentence!(
            "{seat} has given no number for the luck of this match, which goes on without until it ends",
            seat = title
        ));
    }

    /// Does without the numbers that have not come in time.
    pub(super) fn await_no_longer(&mut self) {
        let due = self.awaiting.as_mut().filter(|awaiting| awaiting.until <= Instant::now());
        let Some(awaiting) = due else { return };
        for seat in std::mem::take(&mut awaiting.missing).iter() {
            self.report_absence(seat);
        }
    }

    /// Carries out the action that waits, if all numbers have come.
    pub(super) fn perform_awaiting(&mut self) {
        let Some(awaiting) = self.awaiting.take_if(|awaiting| awaiting.missing.is_empty()) else {
            return;
        };
        let AwaitingNumbers {
            change, numbers, request, ..
        } = awaiting;
        self.game.give_numbers(Some(numbers));
        let performed = match &change {
            AwaitedChange::Action(action, at) => self.perform(action, *at),
            AwaitedChange::Forfeit(seat, why) => self.forfeit(*seat, *why),
        };
        self.game.give_numbers(None);
        match (request, performed) {
            (Some((client, id)), performed) => {
                let reply = performed.map_or_else(|error| Failure::from(error).into(), |()| Reply::Done { at: self.game.position() });
                self.roster.send(client, FromHost::Answer(Answer { id, reply }));
            }
            (None, Err(error)) => {
                if let AwaitedChange::Action(action, _) = change {
                    let player = self.roster.player(action.seat).cloned().unwrap_or(PlayerSpec::Random);
                    self.act_at_random(action.seat, &player, &error.to_string());
                }
            }
            (None, Ok(())) => {}
        }
    }
}
