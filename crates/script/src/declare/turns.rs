//! Reading the turns of a round.

use super::{Item, Reader};
use boardwright_model::{Declarations, Forfeits, Idle, SeatDeclaration, SeatId, TurnDeclaration};

impl Reader<'_> {
    /// What happens when a seat can do nothing.
    pub(super) fn idle(&mut self, item: &mut Item) -> Idle {
        let word = self.text(item, "idle");
        word.and_then(|word| self.meaning("idle", &word, &Idle::ALL)).unwrap_or_default()
    }

    /// What becomes of a seat that forfeits.
    pub(super) fn forfeits(&mut self, item: &mut Item) -> Forfeits {
        let word = self.text(item, "forfeits");
        word.and_then(|word| self.meaning("forfeits", &word, &Forfeits::ALL))
            .unwrap_or_default()
    }

    pub(super) fn turn(&mut self, item: &mut Item, declarations: &Declarations) -> TurnDeclaration {
        let (name, title) = self.name_and_title(item);
        let mut names = self.words(item, "seats");
        names.extend(self.text(item, "seat"));
        let mut seats = Vec::new();
        for seat in names {
            match declarations.find_seat(&seat) {
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
pub(super) fn complete(declarations: &mut Declarations) {
    if declarations.idle == Idle::DropsOut && declarations.turns.is_empty() {
        let turn = |(index, seat): (usize, &SeatDeclaration)| TurnDeclaration {
            name: seat.name.clone(),
            title: seat.title.clone(),
            seats: vec![SeatId::from_index(index)],
        };
        declarations.turns = declarations.seats.iter().enumerate().map(turn).collect();
    }
}
