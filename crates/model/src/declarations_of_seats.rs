//! Declarations for the seats that take part in a match, where those are not all.

use std::sync::Arc;

use super::{Declarations, Ending, SeatDeclaration, SeatId, TurnDeclaration, ZoneDeclaration};

impl Declarations {
    /// These declarations for some of the seats alone, in the order in which they are named: that is the turn order. Zones of
    /// seats that do not take part are left out, and so are turns that none of them takes. `None` if a name is that of no seat.
    #[must_use]
    pub fn of_seats<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<Self> {
        let kept: Vec<SeatId> = names.into_iter().map(|name| self.find_seat(name)).collect::<Option<_>>()?;
        let number = |seat: SeatId| kept.iter().position(|other| *other == seat).map(SeatId::from_index);
        let common = |zone: &&ZoneDeclaration| zone.owner.is_none();
        let owned = |zone: &ZoneDeclaration| {
            let owner = Some(number(zone.owner?)?);
            Some(ZoneDeclaration { owner, ..zone.clone() })
        };
        // Zones of seats stand in the order of the seats, as they do where no others are declared.
        let mut zones: Vec<ZoneDeclaration> = Vec::with_capacity(self.zones.len());
        for group in self.zones.chunk_by(|a, b| a.name == b.name) {
            zones.extend(group.iter().filter(common).cloned());
            let mut of_seats: Vec<ZoneDeclaration> = group.iter().filter_map(owned).collect();
            of_seats.sort_by_key(|zone| zone.owner);
            zones.extend(of_seats);
        }
        let taken = |turn: &TurnDeclaration| TurnDeclaration {
            seats: turn.seats.iter().filter_map(|seat| number(*seat)).collect(),
            ..turn.clone()
        };
        let mut turns: Vec<TurnDeclaration> = self.turns.iter().map(taken).filter(|turn| !turn.seats.is_empty()).collect();
        // Turns that are the seats by other words follow their order; others keep that in which they are declared.
        if self.turns.iter().all(|turn| turn.seats.len() == 1) && turns.len() == kept.len() {
            turns.sort_by_key(|turn| turn.seats.first().copied());
        }
        // What concerns a seat that does not take part does not happen.
        let concerning = |ending: &Ending| match ending.seat {
            Some(seat) => number(seat).map(|seat| Ending {
                seat: Some(seat),
                ..ending.clone()
            }),
            None => Some(ending.clone()),
        };
        let is_absent = |seat: &&SeatDeclaration| self.find_seat(&seat.name).is_some_and(|seat| number(seat).is_none());
        let absent = self.seats.iter().filter(is_absent).map(|seat| Arc::clone(&seat.name));
        Some(Self {
            absent_seats: self.absent_seats.iter().cloned().chain(absent).collect(),
            endings: self.endings.iter().filter_map(concerning).collect(),
            turns,
            seats: kept.iter().filter_map(|seat| self.seats.get(seat.index()).cloned()).collect(),
            zones,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ZoneVisibility;
    use super::*;

    fn declarations() -> Declarations {
        let seat = |name: &str| SeatDeclaration {
            name: Arc::from(name),
            title: Arc::from(name),
            colour: 0,
        };
        let zone = |name: &str, owner: Option<u8>| ZoneDeclaration {
            name: Arc::from(name),
            title: Arc::from(name),
            owner: owner.map(SeatId),
            visibility: ZoneVisibility::Owner,
        };
        Declarations {
            seats: ["red", "blue", "green"].map(seat).into(),
            zones: vec![
                zone("deck", None),
                zone("hand", Some(0)),
                zone("hand", Some(1)),
                zone("hand", Some(2)),
                zone("bin", None),
            ],
            ..Declarations::default()
        }
    }

    #[test]
    fn seats_and_their_zones_come_in_the_order_in_which_they_are_named() {
        let few = declarations().of_seats(["green", "red"]).unwrap();
        assert_eq!(few.seats.iter().map(|seat| &*seat.name).collect::<Vec<_>>(), ["green", "red"]);
        assert_eq!(few.absent_seats, [Arc::from("blue")]);
        let zones: Vec<_> = few.zones.iter().map(|zone| (&*zone.name, zone.owner)).collect();
        assert_eq!(
            zones,
            [("deck", None), ("hand", Some(SeatId(0))), ("hand", Some(SeatId(1))), ("bin", None)]
        );
        assert_eq!(declarations().of_seats(["red", "blue", "green"]), Some(declarations()));
    }

    #[test]
    fn turns_are_left_to_those_who_take_part() {
        let turn = |name: &str, seats: &[u8]| TurnDeclaration {
            name: Arc::from(name),
            title: Arc::from(name),
            seats: seats.iter().copied().map(SeatId).collect(),
        };
        let names = |declarations: &Declarations| declarations.turns.iter().map(|turn| turn.name.to_string()).collect::<Vec<_>>();
        let seats = |declarations: &Declarations| declarations.turns.iter().map(|turn| turn.seats.clone()).collect::<Vec<_>>();

        let one_each = Declarations {
            turns: vec![turn("dawn", &[0]), turn("noon", &[1]), turn("dusk", &[2])],
            ..declarations()
        };
        let few = one_each.of_seats(["green", "red"]).unwrap();
        assert_eq!(names(&few), ["dusk", "dawn"]);
        assert_eq!(seats(&few), [vec![SeatId(0)], vec![SeatId(1)]]);
        assert_eq!(one_each.of_seats(["red", "blue", "green"]), Some(one_each.clone()));

        let shared = Declarations {
            turns: vec![turn("first", &[0]), turn("second", &[1]), turn("odd", &[0, 1, 2])],
            ..declarations()
        };
        let few = shared.of_seats(["green", "red"]).unwrap();
        assert_eq!(names(&few), ["first", "odd"]);
        assert_eq!(seats(&few), [vec![SeatId(1)], vec![SeatId(1), SeatId(0)]]);
    }

    #[test]
    fn a_seat_that_is_not_declared_can_not_take_part() {
        assert_eq!(declarations().of_seats(["red", "pink"]), None);
    }
}
