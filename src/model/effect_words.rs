//! Effects, targets and places in words, with the names that a state knows: for messages to people.

use super::{Effect, PieceId, Place, SeatId, SeatSet, State, Target, TurnMark, Value};

impl State {
    /// An effect in one sentence without a full stop: `piece 3 goes from c3 to c4`.
    pub fn effect_words(&self, effect: &Effect) -> String {
        let board = self.board();
        match effect {
            Effect::Set {
                target,
                property,
                old,
                new,
            } => {
                let name = self
                    .frame()
                    .property(*property)
                    .map_or_else(|| format!("property {}", property.0), |property| property.name.to_string());
                let (old, new) = (self.value_words(old), self.value_words(new));
                format!("{name} of {} goes from {old} to {new}", self.target_words(*target))
            }
            Effect::Move {
                piece,
                from,
                from_index,
                to,
                to_index,
            } => format!(
                "{} goes from {} to {}",
                piece_words(*piece),
                self.place_words_at(*from, *from_index),
                self.place_words_at(*to, *to_index)
            ),
            Effect::Spawn(piece) => {
                let owner = self.owner_words(piece.owner);
                let (kind, place) = (self.kind_words(piece.kind.index()), self.place_words(piece.place));
                format!("{} comes into being: {kind} of {owner}, {place}", piece_words(piece.id))
            }
            Effect::Unspawn { piece, .. } => format!("{} ceases to be", piece_words(piece.id)),
            Effect::Owner { piece, old, new } => {
                let (old, new) = (self.owner_words(*old), self.owner_words(*new));
                format!("{} goes over from {old} to {new}", piece_words(*piece))
            }
            Effect::Terrain { cell, old, new } => {
                let (old, new) = (self.terrain_words(old.index()), self.terrain_words(new.index()));
                format!("{} turns from {old} into {new}", board.cell_name(*cell))
            }
            Effect::Reorder { zone, new, .. } => {
                let order: Vec<String> = new.iter().map(|piece| piece.0.to_string()).collect();
                format!("{} gets the order {}", self.place_words(Place::Zone(*zone)), order.join(", "))
            }
            Effect::Unseen { zone, old, new } => {
                format!("unseen pieces go from {old} to {new}, {}", self.place_words(Place::Zone(*zone)))
            }
            Effect::Reveal { piece, new, .. } => format!("{} is shown to {}", piece_words(*piece), self.seats_words(*new)),
            Effect::OpenDecision(decision) => format!(
                "{} {} asked for {}",
                self.seats_words(decision.asked),
                if decision.asked.count() == 1 { "is" } else { "are" },
                self.action_words(decision.action.index())
            ),
            Effect::AnswerDecision { seat, .. } => format!("{} answers", self.frame().seat_title(*seat)),
            Effect::CloseDecision(decision) => format!("the question for {} is settled", self.action_words(decision.action.index())),
            Effect::Phase { new, .. } => {
                let phase = self.frame().phases.get(new.index());
                format!("phase {} begins", phase.map_or("?", |phase| &phase.name))
            }
            Effect::Turn { new, .. } => format!("{} begins", self.turn_words(new)),
            Effect::Eliminate(seat) => format!("{} is out", self.frame().seat_title(*seat)),
            Effect::End(outcome) => format!("the match ends: {}", outcome.reason),
            Effect::Resume(_) => "the match goes on".to_owned(),
            Effect::Note { to, text } => format!("{} told: {text}", self.seats_words(*to)),
            Effect::Rules { new, .. } => format!("the rules {} come into force", new.short()),
        }
    }

    /// What a property is set on.
    pub fn target_words(&self, target: Target) -> String {
        let board = self.board();
        match target {
            Target::Match => "the match".to_owned(),
            Target::Seat(seat) => self.frame().seat_title(seat).to_string(),
            Target::Piece(piece) => piece_words(piece),
            Target::Cell(cell) => format!("cell {}", board.cell_name(cell)),
            Target::Edge(edge) => {
                let (a, b) = board.edge_ends(edge);
                format!("the edge between {} and {}", board.cell_name(a), board.cell_name(b))
            }
        }
    }

    /// Where a piece is: `c3`, `in the hand of Red`, `off the board`.
    pub fn place_words(&self, place: Place) -> String {
        let board = self.board();
        match place {
            Place::Off => "off the board".to_owned(),
            Place::Cell(cell) => board.cell_name(cell).to_owned(),
            Place::Side(cell, direction) => format!("side {} of {}", direction.0, board.cell_name(cell)),
            Place::Lying(cell, pose) => format!("{} in pose {pose}", board.cell_name(cell)),
            Place::Zone(zone) => {
                let Some(declared) = self.frame().zones.get(zone.index()) else {
                    return format!("in zone {}", zone.0);
                };
                let of = declared
                    .owner
                    .map_or_else(String::new, |seat| format!(" of {}", self.frame().seat_title(seat)));
                format!("in zone {}{of}", declared.name)
            }
            Place::Aboard(piece) => format!("aboard {}", piece_words(piece)),
        }
    }

    /// The same with the place in the order of a zone, from 1.
    fn place_words_at(&self, place: Place, index: u16) -> String {
        let words = self.place_words(place);
        match place {
            Place::Zone(_) => format!("place {} {words}", u32::from(index) + 1),
            _ => words,
        }
    }

    fn value_words(&self, value: &Value) -> String {
        match value {
            Value::Cell(cell) => self.board().cell_name(*cell).to_owned(),
            Value::Piece(piece) => piece_words(*piece),
            Value::Seat(seat) => self.frame().seat_title(*seat).to_string(),
            Value::Kind(kind) => self.kind_words(kind.index()),
            Value::List(values) => {
                let words: Vec<String> = values.iter().map(|value| self.value_words(value)).collect();
                format!("[{}]", words.join(", "))
            }
            Value::Nothing | Value::Integer(_) | Value::Flag(_) | Value::Text(_) => value.to_string(),
        }
    }

    fn owner_words(&self, owner: Option<SeatId>) -> String {
        owner.map_or_else(|| "nobody".to_owned(), |seat| self.frame().seat_title(seat).to_string())
    }

    fn kind_words(&self, index: usize) -> String {
        self.frame().kinds.get(index).map_or("?", |kind| &kind.name).to_owned()
    }

    fn terrain_words(&self, index: usize) -> String {
        self.frame().terrains.get(index).map_or("?", |terrain| &terrain.name).to_owned()
    }

    fn action_words(&self, index: usize) -> String {
        self.frame().actions.get(index).map_or("?", |action| &action.name).to_owned()
    }

    fn seats_words(&self, seats: SeatSet) -> String {
        if seats == self.frame().all_seats() {
            return "everyone".to_owned();
        }
        let titles: Vec<_> = seats.iter().map(|seat| self.frame().seat_title(seat).to_string()).collect();
        if titles.is_empty() {
            "nobody".to_owned()
        } else {
            titles.join(" and ")
        }
    }

    fn turn_words(&self, mark: &TurnMark) -> String {
        let whose = mark
            .seat
            .map_or_else(String::new, |seat| format!(" of {}", self.frame().seat_title(seat)));
        format!("turn {}{whose} in round {}", mark.turn, mark.round)
    }
}

fn piece_words(piece: PieceId) -> String {
    format!("piece {}", piece.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixture::Race;
    use crate::rules::{Generator, Luck, Transaction, flow};

    #[test]
    fn what_happened_is_told_with_names() {
        let rules = Race::default();
        let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(3)));
        flow::begin(&rules, &mut transaction).unwrap();
        let action = flow::legal(&rules, transaction.state(), SeatId(0)).unwrap().remove(0);
        flow::perform(&rules, &mut transaction, &action).unwrap();
        let (effects, _) = transaction.take_record();
        let told: Vec<String> = effects.iter().map(|effect| transaction.state().effect_words(effect)).collect();
        let all = told.join("\n");
        assert!(
            told.iter().any(|words| words.contains(" goes from a") && words.contains(" to ")),
            "{all}"
        );
        for rust in ["CellId", "Some(", "{", "PieceId", "?"] {
            assert!(!all.contains(rust), "{all}");
        }
    }

    #[test]
    fn places_and_targets_have_names() {
        let state = Race::start().unwrap();
        assert_eq!(state.place_words(Place::Off), "off the board");
        assert_eq!(state.target_words(Target::Match), "the match");
        assert_eq!(state.target_words(Target::Seat(SeatId(1))), &*state.frame().seat_title(SeatId(1)));
    }
}
