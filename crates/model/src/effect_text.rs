//! Effects, targets and places in words, with the names that a state knows: for messages to people.

use super::{ActionId, Effect, KindId, PieceId, Place, SeatId, SeatSet, State, Target, TerrainId, TurnMark, Value};

impl State {
    /// An effect in one sentence without a full stop: `piece 3 goes from c3 to c4`.
    pub fn effect_text(&self, effect: &Effect) -> String {
        let board = self.board();
        match effect {
            Effect::Set {
                target,
                property,
                old,
                new,
            } => {
                let declared = self.declarations().property(*property);
                let name = declared.map_or_else(|| format!("property {}", property.0), |property| property.name.to_string());
                let (old, new) = (self.value_text(old), self.value_text(new));
                format!("{name} of {} goes from {old} to {new}", self.target_text(*target))
            }
            Effect::Move {
                piece,
                from,
                from_index,
                to,
                to_index,
            } => format!(
                "{} goes from {} to {}",
                piece_text(*piece),
                self.place_text_at(*from, *from_index),
                self.place_text_at(*to, *to_index)
            ),
            Effect::Spawn(piece) => {
                let owner = self.owner_text(piece.owner);
                let (kind, place) = (self.kind_text(piece.kind), self.place_text(piece.place));
                format!("{} comes into being: {kind} of {owner}, {place}", piece_text(piece.id))
            }
            Effect::Unspawn { piece, .. } => format!("{} ceases to be", piece_text(piece.id)),
            Effect::Owner { piece, old, new } => {
                let (old, new) = (self.owner_text(*old), self.owner_text(*new));
                format!("{} goes over from {old} to {new}", piece_text(*piece))
            }
            Effect::Terrain { cell, old, new } => {
                let (old, new) = (self.terrain_text(*old), self.terrain_text(*new));
                format!("{} turns from {old} into {new}", board.cell_name(*cell))
            }
            Effect::Reorder { zone, new, .. } => {
                let order: Vec<String> = new.iter().map(|piece| piece.0.to_string()).collect();
                format!("{} gets the order {}", self.place_text(Place::Zone(*zone)), order.join(", "))
            }
            Effect::Unseen { zone, old, new } => {
                format!("unseen pieces go from {old} to {new}, {}", self.place_text(Place::Zone(*zone)))
            }
            Effect::Sight(change) => format!(
                "{} cells come into sight and {} go out of it",
                change.gained.len(),
                change.lost.len()
            ),
            Effect::Reveal { piece, new, .. } => format!("{} is shown to {}", piece_text(*piece), self.seats_text(*new)),
            Effect::OpenDecision(decision) => format!(
                "{} {} asked for {}",
                self.seats_text(decision.asked),
                if decision.asked.count() == 1 { "is" } else { "are" },
                self.action_text(decision.action)
            ),
            Effect::AnswerDecision { seat, .. } => format!("{} answers", self.declarations().seat_title(*seat)),
            Effect::CloseDecision(decision) => format!("the question for {} is settled", self.action_text(decision.action)),
            Effect::Phase { new, .. } => {
                let phase = self.declarations().phases.get(new.index());
                format!("phase {} begins", phase.map_or("?", |phase| &phase.name))
            }
            Effect::Turn { new, .. } => format!("{} begins", self.turn_text(new)),
            Effect::Eliminate(seat) => format!("{} is out", self.declarations().seat_title(*seat)),
            Effect::End(outcome) => format!("the match ends: {}", outcome.reason),
            Effect::Resume(_) => "the match goes on".to_owned(),
            Effect::Note { to, text, .. } => format!("{} told: {text}", self.seats_text(*to)),
            Effect::Rules { new, .. } => format!("the rules {} come into force", new.short()),
        }
    }

    /// What a property is set on.
    pub fn target_text(&self, target: Target) -> String {
        let board = self.board();
        match target {
            Target::Match => "the match".to_owned(),
            Target::Seat(seat) => self.declarations().seat_title(seat).to_string(),
            Target::Piece(piece) => piece_text(piece),
            Target::Cell(cell) => format!("cell {}", board.cell_name(cell)),
            Target::Edge(edge) => {
                let (a, b) = board.edge_ends(edge);
                format!("the edge between {} and {}", board.cell_name(a), board.cell_name(b))
            }
        }
    }

    /// Where a piece is: `c3`, `in the hand of Red`, `off the board`.
    pub fn place_text(&self, place: Place) -> String {
        let board = self.board();
        match place {
            Place::Off => "off the board".to_owned(),
            Place::Cell(cell) => board.cell_name(cell).to_owned(),
            Place::Side(cell, direction) => format!("side {} of {}", direction.0, board.cell_name(cell)),
            Place::Posed(cell, pose) => format!("{} in pose {pose}", board.cell_name(cell)),
            Place::Zone(zone) => {
                let Some(declared) = self.declarations().zones.get(zone.index()) else {
                    return format!("in zone {}", zone.0);
                };
                let of = declared
                    .owner
                    .map_or_else(String::new, |seat| format!(" of {}", self.declarations().seat_title(seat)));
                format!("in zone {}{of}", declared.name)
            }
            Place::Aboard(piece) => format!("aboard {}", piece_text(piece)),
        }
    }

    /// The same with the place in the order of a zone, from 1.
    fn place_text_at(&self, place: Place, index: u16) -> String {
        let words = self.place_text(place);
        match place {
            Place::Zone(_) => format!("place {} {words}", u32::from(index) + 1),
            _ => words,
        }
    }

    fn value_text(&self, value: &Value) -> String {
        match value {
            Value::Cell(cell) => self.board().cell_name(*cell).to_owned(),
            Value::Piece(piece) => piece_text(*piece),
            Value::Seat(seat) => self.declarations().seat_title(*seat).to_string(),
            Value::Kind(kind) => self.kind_text(*kind).to_owned(),
            Value::List(values) => {
                let words: Vec<String> = values.iter().map(|value| self.value_text(value)).collect();
                format!("[{}]", words.join(", "))
            }
            Value::Nothing | Value::Integer(_) | Value::Flag(_) | Value::Text(_) => value.to_string(),
        }
    }

    fn owner_text(&self, owner: Option<SeatId>) -> String {
        owner.map_or_else(|| "nobody".to_owned(), |seat| self.declarations().seat_title(seat).to_string())
    }

    fn kind_text(&self, kind: KindId) -> &str {
        self.declarations().kind(kind).map_or("?", |kind| &kind.name)
    }

    fn terrain_text(&self, terrain: TerrainId) -> &str {
        let declared = self.declarations().terrains.get(terrain.index());
        declared.map_or("?", |terrain| &terrain.name)
    }

    fn action_text(&self, action: ActionId) -> &str {
        self.declarations().action(action).map_or("?", |action| &action.name)
    }

    fn seats_text(&self, seats: SeatSet) -> String {
        if seats == self.declarations().all_seats() {
            return "everyone".to_owned();
        }
        let titles: Vec<_> = seats.iter().map(|seat| self.declarations().seat_title(seat).to_string()).collect();
        if titles.is_empty() {
            "nobody".to_owned()
        } else {
            titles.join(" and ")
        }
    }

    fn turn_text(&self, mark: &TurnMark) -> String {
        let whose = mark
            .seat
            .map_or_else(String::new, |seat| format!(" of {}", self.declarations().seat_title(seat)));
        format!("turn {}{whose} in round {}", mark.turn, mark.round)
    }
}

fn piece_text(piece: PieceId) -> String {
    format!("piece {}", piece.0)
}
