//! What seats do beside the rules: resign, and offer one another a draw or to undo.

use super::super::failure::{Failure, ensure, refused};
use super::super::player_pool::advisor;
use super::Session;
use super::luck::AwaitedChange;
use boardwright_host::{ClientId, HostError};
use boardwright_model::{Evaluation, Forfeit, RefusalCode, SeatId, SeatSet, Sentence, sentence};
use boardwright_players::{Level, PlayerSpec};
use boardwright_protocol::{Notice, OfferKind};
use boardwright_rules::seats_left;

/// A computer player that finds itself no more likely to win than this, in thousandths, agrees on a draw.
const MOST_CHANCE_FOR_DRAW: u16 = 450;
/// The level of a general player that plays for somebody.
const SUBSTITUTE_LEVEL: u8 = 5;

impl Session {
    pub(super) fn resign(&mut self, client: ClientId, seat: Option<SeatId>) -> Result<(), Failure> {
        let seat = self.own_seat(client, seat)?;
        self.game.check_going_on()?;
        Ok(self.forfeit(seat, Forfeit::Resigned)?)
    }

    /// A seat forfeits, and what follows from it happens.
    pub(super) fn forfeit(&mut self, seat: SeatId, why: Forfeit) -> Result<(), HostError> {
        let update = match self.game.forfeit(seat, why) {
            Err(HostError::AwaitsNumbers) => {
                self.await_numbers(AwaitedChange::Forfeit(seat, why));
                return Ok(());
            }
            forfeited => forfeited?,
        };
        self.interrupt();
        self.notify(&update);
        if self.offers.clear() {
            self.notify_offers();
        }
        self.forfeited = self.forfeited.with(seat);
        self.follow_substitutes();
        if self.apply_newest_rules() {
            self.moved();
        }
        Ok(())
    }

    /// The computer player that plays a seat in the place of a person: the one that gives hints, if the ruleset names it, else a general one.
    pub(super) fn substitute_for(&self, seat: SeatId) -> PlayerSpec {
        if let Some(named) = &self.info.ruleset_info.advisor
            && self.pool.check(named, &self.info.ruleset_info.strategies).is_ok()
        {
            return named.clone();
        }
        let level = Level::new(SUBSTITUTE_LEVEL).unwrap_or(Level::LOWEST);
        match advisor(self.game.rules(), &self.game.view_of(Some(seat)), seat) {
            PlayerSpec::MonteCarlo(_) => PlayerSpec::MonteCarlo(level),
            _ => PlayerSpec::Search(level),
        }
    }

    pub(super) fn offer(&mut self, client: ClientId, kind: OfferKind, seat: Option<SeatId>) -> Result<(), Failure> {
        let seat = self.own_seat(client, seat)?;
        self.game.check_going_on()?;
        ensure(self.game.state().outcome().is_none(), || {
            refused(RefusalCode::MatchOver, sentence!("the match is over"))
        })?;
        match kind {
            OfferKind::Undo => {
                self.undone_with(seat)?;
            }
            OfferKind::Wait => ensure(self.absences.has_limit(), || {
                refused(RefusalCode::NotNow, sentence!("nobody is waited for"))
            })?,
            OfferKind::Draw => {}
        }
        self.offers.check(kind, seat, self.game.position())?;
        let left = seats_left(self.game.state());
        let others = left.iter().filter(|other| *other != seat);
        let (people, computers): (Vec<SeatId>, Vec<SeatId>) = others.partition(|other| self.roster.is_human(*other));
        if kind == OfferKind::Draw
            && let Some(against) = computers.into_iter().find(|computer| !self.agrees_on_draw(*computer))
        {
            self.offers.note_declined(kind, seat, self.game.position());
            self.notify_declined(kind, against);
            return Ok(());
        }
        // Who sits at the same screen is asked there.
        let held = self.roster.seats_of(client);
        let gone = self.absences.gone();
        let is_asked = |other: &SeatId| !held.contains(*other) && (kind != OfferKind::Wait || !gone.contains(*other));
        let waiting: SeatSet = people.iter().copied().filter(is_asked).collect();
        // More than half of those who are there; those at this screen are for it.
        let here = people.iter().chain([&seat]).filter(|other| !gone.contains(**other)).count();
        let needed_to_wait = (here / 2 + 1).saturating_sub(here - waiting.count().min(here));
        if waiting.is_empty() || (kind == OfferKind::Wait && needed_to_wait == 0) {
            return self.carry_out_offer(kind, seat);
        }
        self.offers.make(kind, seat, waiting, needed_to_wait);
        self.notify_offers();
        Ok(())
    }

    /// Whether the computer player of a seat agrees on a draw: if it judges, and finds itself behind. Where something can be hidden its answer would give
    /// that away.
    fn agrees_on_draw(&self, seat: SeatId) -> bool {
        if self.game.state().may_hide() {
            return false;
        }
        match self.evaluations.get(&seat) {
            None | Some(Evaluation::WinsIn(_)) => false,
            Some(Evaluation::LosesIn(_)) => true,
            Some(Evaluation::Points(lead)) => *lead < 0,
            Some(Evaluation::Chance(chance)) => *chance <= MOST_CHANCE_FOR_DRAW,
        }
    }

    pub(super) fn accept(&mut self, client: ClientId, kind: OfferKind) -> Result<(), Failure> {
        let agreed = self.offers.accept(kind, self.roster.seats_of(client))?;
        self.notify_offers();
        match agreed {
            Some(offer) => self.carry_out_offer(kind, offer.seat),
            None => Ok(()),
        }
    }

    pub(super) fn decline(&mut self, client: ClientId, kind: OfferKind) -> Result<(), Failure> {
        let by = self.offers.decline(kind, self.roster.seats_of(client), self.game.position())?;
        self.notify_offers();
        if let Some(by) = by {
            self.notify_declined(kind, by);
        }
        Ok(())
    }

    pub(super) fn withdraw(&mut self, client: ClientId, kind: OfferKind) -> Result<(), Failure> {
        self.offers.withdraw(kind, self.roster.seats_of(client))?;
        self.notify_offers();
        Ok(())
    }

    fn carry_out_offer(&mut self, kind: OfferKind, seat: SeatId) -> Result<(), Failure> {
        match kind {
            OfferKind::Draw => {
                let update = self.game.agree_draw()?;
                self.interrupt();
                self.notify(&update);
                if self.offers.clear() {
                    self.notify_offers();
                }
            }
            OfferKind::Undo => {
                let target = self.undone_with(seat)?;
                self.game.undo_agreed(target)?;
                self.apply_newest_rules();
                self.moved();
            }
            OfferKind::Wait => {
                self.absences.wait_on(self.now());
                self.notify_players();
            }
        }
        Ok(())
    }

    /// The position to which the newest action of a seat is undone, if that may be agreed upon.
    fn undone_with(&self, seat: SeatId) -> Result<usize, Failure> {
        let mut applied = self.game.journal().applied().iter();
        let newest = applied.rposition(|event| event.action().is_some_and(|action| action.seat == seat));
        let target = newest.ok_or_else(|| refused(RefusalCode::NoHistory, sentence!("there is nothing to undo")))?;
        self.game.playing().check_agreed_undo(target)?;
        Ok(target)
    }

    /// The seat for which a client does something beside the rules: the one named, or the first to act of those it holds, or the first of them.
    fn own_seat(&self, client: ClientId, seat: Option<SeatId>) -> Result<SeatId, Failure> {
        let held = self.roster.seats_of(client);
        let seat = seat.or_else(|| self.held_acting(client)).or_else(|| held.first());
        let seat = seat.ok_or_else(|| refused(RefusalCode::NotYourSeat, sentence!("you hold no seat")))?;
        self.game.check_seat(seat)?;
        self.roster.check_seat_of(client, seat)?;
        self.roster.check_plays(seat)?;
        ensure(seats_left(self.game.state()).contains(seat), || {
            refused(RefusalCode::NotYourSeat, sentence!("this seat is out of the match"))
        })?;
        Ok(seat)
    }

    /// Closes the offers that an action of a seat answers, or all when the match is over with it.
    pub(super) fn close_offers(&mut self, seat: SeatId, is_over: bool) {
        let closed = self.offers.on_action(seat);
        let has_cleared = is_over && self.offers.clear();
        if has_cleared || !closed.is_empty() {
            self.notify_offers();
        }
        for offer in closed.into_iter().filter(|offer| !is_over && offer.waiting.contains(seat)) {
            self.notify_declined(offer.offer, seat);
        }
    }

    /// Tells all clients which offers are open.
    pub(super) fn notify_offers(&mut self) {
        let offers = self.offers.open().to_vec();
        self.roster.notify_all(&Notice::Offers { offers });
    }

    fn notify_declined(&mut self, kind: OfferKind, by: SeatId) {
        let seat = self.game.state().declarations().seat_title(by).clone();
        let text: Sentence = match kind {
            OfferKind::Draw => sentence!("{seat}: no draw"),
            OfferKind::Undo => sentence!("{seat}: no undo"),
            OfferKind::Wait => sentence!("{seat}: no more waiting"),
        };
        self.roster.notify_message(text);
    }
}
