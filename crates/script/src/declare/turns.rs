//! Reading the turns of a round.

use super::{Item, Reader};
use crate::keys::{self, ruleset, turns};
use boardwright_model::{Declarations, Idle, SeatId, TurnDeclaration};

impl Reader<'_> {
    /// What happens when a seat can do nothing.
    pub(super) fn idle(&mut self, item: &mut Item) -> Idle {
        let Some(word) = self.text(item, ruleset::IDLE) else {
            return Idle::default();
        };
        let found = Idle::ALL.iter().find(|(_, known)| *known == &*word).map(|(idle, _)| *idle);
        found.unwrap_or_else(|| {
            let known: Vec<&str> = Idle::ALL.iter().map(|(_, word)| *word).collect();
            self.within(ruleset::IDLE.name, |reader| {
                reader.complain(format!("{word:?} is none of {}", known.join(", ")));
            });
            Idle::default()
        })
    }

    pub(super) fn turn(&mut self, item: &mut Item, frame: &Declarations) -> TurnDeclaration {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let mut names = self.words(item, turns::SEATS);
        if let Some(seat) = self.text(item, turns::SEAT) {
            names.push(seat);
        }
        let mut seats = Vec::new();
        for seat in names {
            match frame.find_seat(&seat) {
                Some(seat) => seats.push(seat),
                None => self.complain(format!("there is no seat {seat:?}")),
            }
        }
        if seats.is_empty() {
            self.complain("whose turn it is is missing: seat, or seats that take it in turn");
        }
        TurnDeclaration { name, title, seats }
    }
}

/// Where turns drop out there have to be some: by default one a seat.
pub(super) fn complete(frame: &mut Declarations) {
    if frame.idle == Idle::DropsOut && frame.turns.is_empty() {
        let turn = |(index, seat): (usize, &boardwright_model::SeatDeclaration)| TurnDeclaration {
            name: seat.name.clone(),
            title: seat.title.clone(),
            seats: vec![SeatId::from_index(index)],
        };
        frame.turns = frame.seats.iter().enumerate().map(turn).collect();
    }
}
