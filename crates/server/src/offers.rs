//! Offers that seats make to one another beside the rules: open until they are accepted, declined, withdrawn, or overtaken by play.

use super::failure::{Failure, ensure, refused};
use boardwright_model::{RefusalCode, SeatId, SeatSet, sentence};
use boardwright_protocol::{Offer, OfferKind};

/// The open offers of a match, at most one of a kind.
#[derive(Debug, Default)]
pub(super) struct Offers {
    open: Vec<Offer>,
    /// How many have to accept an offer to wait.
    needed_to_wait: usize,
    /// Offers that were declined, with the position at which they were: a seat may repeat one when play has gone on.
    declined: Vec<(OfferKind, SeatId, usize)>,
}

impl Offers {
    pub(super) fn open(&self) -> &[Offer] {
        &self.open
    }

    /// Checks that a seat may make an offer at a position of the match.
    pub(super) fn check(&self, kind: OfferKind, seat: SeatId, at: usize) -> Result<(), Failure> {
        ensure(self.open.iter().all(|offer| offer.offer != kind), || {
            refused(
                RefusalCode::NotNow,
                sentence!("there is such an offer already: it waits for an answer"),
            )
        })?;
        ensure(!self.declined.contains(&(kind, seat, at)), || {
            refused(
                RefusalCode::NotNow,
                sentence!("this was declined: it can be offered again when play has gone on"),
            )
        })
    }

    /// Opens an offer that some seats are to answer. All have to accept; one to wait, so many.
    pub(super) fn make(&mut self, kind: OfferKind, seat: SeatId, waiting: SeatSet, needed_to_wait: usize) {
        if kind == OfferKind::Wait {
            self.needed_to_wait = needed_to_wait;
        }
        self.open.push(Offer {
            offer: kind,
            seat,
            accepted: SeatSet::EMPTY,
            waiting,
        });
    }

    /// Accepts an offer for those of some seats that it waits for. Gives the offer, closed, if all have accepted.
    pub(super) fn accept(&mut self, kind: OfferKind, seats: SeatSet) -> Result<Option<Offer>, Failure> {
        let offer = self.awaited(kind, seats)?;
        for seat in seats.iter().filter(|seat| offer.waiting.contains(*seat)).collect::<Vec<_>>() {
            offer.waiting = offer.waiting.without(seat);
            offer.accepted = offer.accepted.with(seat);
        }
        let offer = *offer;
        let is_enough = offer.waiting.is_empty() || (kind == OfferKind::Wait && offer.accepted.count() >= self.needed_to_wait);
        Ok(if is_enough { self.close(kind) } else { None })
    }

    /// Declines an offer for some seats. Gives the seat with which it is declined; none while enough others may still accept.
    pub(super) fn decline(&mut self, kind: OfferKind, seats: SeatSet, at: usize) -> Result<Option<SeatId>, Failure> {
        let offer = self.awaited(kind, seats)?;
        let by: Vec<SeatId> = seats.iter().filter(|seat| offer.waiting.contains(*seat)).collect();
        offer.waiting = by.iter().fold(offer.waiting, |waiting, seat| waiting.without(*seat));
        let offer = *offer;
        if kind == OfferKind::Wait && offer.accepted.count() + offer.waiting.count() >= self.needed_to_wait {
            return Ok(None);
        }
        self.close(kind);
        self.note_declined(kind, offer.seat, at);
        Ok(by.first().copied())
    }

    /// Takes note that an offer of a seat was declined.
    pub(super) fn note_declined(&mut self, kind: OfferKind, seat: SeatId, at: usize) {
        self.declined.retain(|(.., then)| *then == at);
        self.declined.push((kind, seat, at));
    }

    /// Withdraws an offer that one of some seats has made.
    pub(super) fn withdraw(&mut self, kind: OfferKind, seats: SeatSet) -> Result<(), Failure> {
        let is_own = self.find(kind).is_some_and(|offer| seats.contains(offer.seat));
        ensure(is_own, || {
            refused(RefusalCode::NotNow, sentence!("there is no such offer of yours"))
        })?;
        self.close(kind);
        Ok(())
    }

    /// A seat has acted: draws that wait for it are declined with that, and what it was asked to undo is not the newest action any more. Gives the offers
    /// that are closed.
    pub(super) fn on_action(&mut self, seat: SeatId) -> Vec<Offer> {
        let closes = |offer: &mut Offer| match offer.offer {
            OfferKind::Wait => false,
            OfferKind::Undo => true,
            OfferKind::Draw => offer.waiting.contains(seat),
        };
        self.open.extract_if(.., closes).collect()
    }

    /// The match is somewhere else, or over: no offer is open any more. Whether some were.
    pub(super) fn clear(&mut self) -> bool {
        let had = !self.open.is_empty();
        self.open.clear();
        had
    }

    /// A computer player plays a seat on: what it was offered, or offered itself, is closed. Whether something was.
    pub(super) fn forget(&mut self, seat: SeatId) -> bool {
        let before = self.open.len();
        self.open.retain(|offer| offer.seat != seat && !offer.waiting.contains(seat));
        self.open.len() < before
    }

    fn find(&mut self, kind: OfferKind) -> Option<&mut Offer> {
        self.open.iter_mut().find(|offer| offer.offer == kind)
    }

    /// An offer that waits for one of some seats.
    fn awaited(&mut self, kind: OfferKind, seats: SeatSet) -> Result<&mut Offer, Failure> {
        let found = self
            .find(kind)
            .filter(|offer| seats.iter().any(|seat| offer.waiting.contains(seat)));
        found.ok_or_else(|| refused(RefusalCode::NotNow, sentence!("there is no such offer to you")))
    }

    fn close(&mut self, kind: OfferKind) -> Option<Offer> {
        self.open.extract_if(.., |offer| offer.offer == kind).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEATS: [SeatId; 4] = [SeatId(0), SeatId(1), SeatId(2), SeatId(3)];

    fn seats(seats: &[SeatId]) -> SeatSet {
        seats.iter().copied().collect()
    }

    #[test]
    fn a_draw_needs_all_and_one_who_declines_is_enough_against_it() {
        let [red, blue, green, _] = SEATS;
        let mut offers = Offers::default();
        offers.make(OfferKind::Draw, red, seats(&[blue, green]), 0);
        assert!(matches!(offers.accept(OfferKind::Draw, SeatSet::one(blue)), Ok(None)));
        assert!(offers.accept(OfferKind::Draw, SeatSet::one(blue)).is_err(), "it has answered");
        assert!(matches!(offers.accept(OfferKind::Draw, SeatSet::one(green)), Ok(Some(_))));
        offers.make(OfferKind::Draw, red, seats(&[blue, green]), 0);
        assert!(matches!(offers.decline(OfferKind::Draw, SeatSet::one(green), 3), Ok(Some(by)) if by == green));
        assert!(offers.open().is_empty());
        assert!(offers.check(OfferKind::Draw, red, 3).is_err() && offers.check(OfferKind::Draw, red, 4).is_ok());
    }

    #[test]
    fn a_vote_to_wait_needs_more_than_half_of_those_who_are_there() {
        let [red, blue, green, yellow] = SEATS;
        let mut offers = Offers::default();
        // Red is for it, and two more of four are needed.
        offers.make(OfferKind::Wait, red, seats(&[blue, green, yellow]), 2);
        assert!(matches!(offers.decline(OfferKind::Wait, SeatSet::one(blue), 1), Ok(None)));
        assert!(matches!(offers.accept(OfferKind::Wait, SeatSet::one(green)), Ok(None)));
        assert!(matches!(offers.accept(OfferKind::Wait, SeatSet::one(yellow)), Ok(Some(_))));
        offers.make(OfferKind::Wait, red, seats(&[blue, green, yellow]), 2);
        assert!(matches!(offers.decline(OfferKind::Wait, SeatSet::one(blue), 1), Ok(None)));
        assert!(
            matches!(offers.decline(OfferKind::Wait, SeatSet::one(green), 1), Ok(Some(_))),
            "two are against it"
        );
    }

    #[test]
    fn an_action_closes_what_it_answers() {
        let [red, blue, ..] = SEATS;
        let mut offers = Offers::default();
        offers.make(OfferKind::Draw, red, SeatSet::one(blue), 0);
        assert!(offers.on_action(red).is_empty(), "who offers a draw may go on");
        offers.make(OfferKind::Undo, red, SeatSet::one(blue), 0);
        let closed: Vec<OfferKind> = offers.on_action(blue).iter().map(|offer| offer.offer).collect();
        assert_eq!(closed, [OfferKind::Draw, OfferKind::Undo]);
    }
}
