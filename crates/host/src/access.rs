//! Who holds which seat.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use boardwright_model::{Refusal, RefusalCode, SeatId, SeatSet, sentence};

/// A client of a match, as its transport knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClientId(pub u64);

/// Which seats each client may act for and see through. Around one screen one client holds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    held: BTreeMap<ClientId, SeatSet>,
}

impl Access {
    /// Lets a client hold a seat; whoever held it before no longer does.
    pub fn seat(&mut self, client: ClientId, seat: SeatId) {
        self.held.values_mut().for_each(|seats| *seats = seats.without(seat));
        let seats = self.held.entry(client).or_default();
        *seats = seats.with(seat);
    }

    /// Takes all seats from a client that has left.
    pub fn leave(&mut self, client: ClientId) -> SeatSet {
        self.held.remove(&client).unwrap_or_default()
    }

    /// The seats a client holds.
    pub fn seats(&self, client: ClientId) -> SeatSet {
        self.held.get(&client).copied().unwrap_or_default()
    }

    /// The seats that clients hold, without those of one of them.
    pub fn held_but_by(&self, client: ClientId) -> SeatSet {
        let others = self.held.iter().filter(|(holder, _)| **holder != client);
        others.flat_map(|(_, seats)| seats.iter()).collect()
    }

    /// Checks that a client holds a seat.
    ///
    /// # Errors
    /// A refusal if it does not.
    pub fn check(&self, client: ClientId, seat: SeatId) -> Result<(), Refusal> {
        if self.seats(client).contains(seat) {
            Ok(())
        } else {
            Err(Refusal::new(
                RefusalCode::NotYourSeat,
                sentence!("this seat is held by someone else"),
            ))
        }
    }
}
