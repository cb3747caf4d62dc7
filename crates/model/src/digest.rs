//! Digests: what two peers compare to know that they hold the same state.
//!
//! Two sums of 64-bit keys are kept up to date by every effect. The *digest* covers everything. The *position* covers what
//! players would call the same position: it leaves out which of two equal pieces stands where, counters, round and turn
//! numbers, and pieces out of play. Both are the same on every platform and in every release of a file format.

use super::{
    CellId, Decision, Declarations, DirectionId, Outcome, PhaseId, Piece, PieceId, Place, Target, TerrainId, TurnMark, Value, ZoneId,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Digests {
    pub(super) all: u64,
    pub(super) position: u64,
}

impl Digests {
    pub(super) fn add(&mut self, key: Self) {
        self.all = self.all.wrapping_add(key.all);
        self.position = self.position.wrapping_add(key.position);
    }

    pub(super) fn subtract(&mut self, key: Self) {
        self.all = self.all.wrapping_sub(key.all);
        self.position = self.position.wrapping_sub(key.position);
    }

    pub(super) fn replace(&mut self, old: Self, new: Self) {
        self.subtract(old);
        self.add(new);
    }

    fn both(key: u64) -> Self {
        Self { all: key, position: key }
    }

    pub(super) fn all_only(key: u64) -> Self {
        Self { all: key, position: 0 }
    }
}

/// Folds two numbers into one. The multiplication spreads every bit of both over the whole result.
pub(super) const fn mix(a: u64, b: u64) -> u64 {
    let product = ((a ^ 0x9e37_79b9_7f4a_7c15) as u128).wrapping_mul((b ^ 0xd6e8_feb8_6659_fd93) as u128);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    let spread = (folded ^ (folded >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    spread ^ (spread >> 32)
}

const PIECE: u64 = 1;
const ORDER: u64 = 2;
const UNSEEN: u64 = 3;
const TERRAIN: u64 = 4;
const PROPERTY: u64 = 5;
const TURN: u64 = 6;
const PHASE: u64 = 7;
const DECISION: u64 = 8;
const ELIMINATED: u64 = 9;
const OUTCOME: u64 = 10;
const VISIBLE: u64 = 11;
const EXPLORED: u64 = 12;

fn text_key(text: &str) -> u64 {
    text.as_bytes().chunks(8).fold(text.len() as u64, |key, chunk| {
        let word = chunk.iter().fold(0u64, |word, byte| (word << 8) | u64::from(*byte));
        mix(key, word)
    })
}

fn value_key(value: &Value) -> u64 {
    match value {
        Value::Nothing => 17,
        Value::Integer(number) => mix(1, *number as u64),
        Value::Flag(flag) => mix(2, u64::from(*flag)),
        Value::Text(text) => mix(3, text_key(text)),
        Value::Cell(cell) => mix(4, u64::from(cell.0)),
        Value::Piece(piece) => mix(5, u64::from(piece.0)),
        Value::Seat(seat) => mix(6, u64::from(seat.0)),
        Value::Kind(kind) => mix(7, u64::from(kind.0)),
        Value::List(values) => values
            .iter()
            .fold(mix(8, values.len() as u64), |key, value| mix(key, value_key(value))),
    }
}

fn place_key(place: Place) -> u64 {
    match place {
        Place::Off => 0,
        Place::Cell(cell) => (1 << 40) | u64::from(cell.0),
        Place::Side(cell, DirectionId(direction)) => (2 << 40) | (u64::from(direction) << 16) | u64::from(cell.0),
        Place::Zone(zone) => (3 << 40) | u64::from(zone.0),
        Place::Aboard(carrier) => (4 << 40) | u64::from(carrier.0),
        Place::Posed(cell, pose) => (5 << 40) | ((pose.index() as u64) << 16) | u64::from(cell.0),
    }
}

pub(super) fn piece_key(declarations: &Declarations, piece: &Piece) -> Digests {
    let owner = piece.owner.map_or(0, |seat| u64::from(seat.0) + 1);
    let nature = (u64::from(piece.revealed.bits()) << 32) | (owner << 16) | u64::from(piece.kind.0);
    let mut position = mix(mix(PIECE, nature), place_key(piece.place));
    if piece.values.is_empty() {
        let all = mix(position, u64::from(piece.id.0));
        return Digests {
            all,
            position: if piece.place.is_off() { 0 } else { position },
        };
    }
    let mut counters = u64::from(piece.id.0);
    for ((id, property), value) in declarations.properties_of(super::Scope::Piece).zip(&piece.values) {
        if *value == property.default {
            continue;
        }
        let key = mix(u64::from(id.0), value_key(value));
        if property.in_position {
            position = mix(position, key);
        } else {
            counters = mix(counters, key);
        }
    }
    Digests {
        all: mix(position, counters),
        position: if piece.place.is_off() { 0 } else { position },
    }
}

pub(super) fn order_key(zone: ZoneId, pieces: &[PieceId]) -> Digests {
    let base = mix(ORDER, u64::from(zone.0));
    let sum = pieces.iter().enumerate().fold(0u64, |sum, (index, piece)| {
        sum.wrapping_add(mix(base, ((index as u64) << 32) | u64::from(piece.0)))
    });
    Digests::both(sum)
}

pub(super) fn unseen_key(zone: ZoneId, count: u32) -> Digests {
    Digests::both(if count == 0 {
        0
    } else {
        mix(mix(UNSEEN, u64::from(zone.0)), u64::from(count))
    })
}

pub(super) fn terrain_key(cell: usize, terrain: TerrainId) -> Digests {
    Digests::both(mix(mix(TERRAIN, cell as u64), u64::from(terrain.0)))
}

pub(super) fn visible_key(cell: CellId) -> Digests {
    Digests::both(mix(VISIBLE, u64::from(cell.0)))
}

pub(super) fn explored_key(cell: CellId) -> Digests {
    Digests::both(mix(EXPLORED, u64::from(cell.0)))
}

/// The key of a property of anything but a piece. A value that is the default counts for nothing, so that a property declared
/// later, by rules changed under a running match, leaves the digest as it is.
pub(super) fn property_key(declarations: &Declarations, target: Target, property: usize, value: &Value) -> Digests {
    let Some(declared) = declarations.properties.get(property).filter(|declared| declared.default != *value) else {
        return Digests::default();
    };
    let in_position = declared.in_position;
    let target = match target {
        Target::Match => 0,
        Target::Seat(seat) => (1 << 40) | u64::from(seat.0),
        Target::Cell(cell) => (2 << 40) | u64::from(cell.0),
        Target::Edge(edge) => (3 << 40) | u64::from(edge.0),
        Target::Piece(piece) => (4 << 40) | u64::from(piece.0),
    };
    let key = mix(mix(mix(PROPERTY, property as u64), target), value_key(value));
    if in_position { Digests::both(key) } else { Digests::all_only(key) }
}

pub(super) fn turn_key(mark: TurnMark) -> Digests {
    let seat = mark.seat.map_or(0, |seat| u64::from(seat.0) + 1);
    let position = mix(TURN, seat | (u64::from(mark.place) << 16) | (u64::from(mark.closed.bits()) << 32));
    let all = mix(position, (u64::from(mark.round) << 32) | u64::from(mark.turn));
    Digests {
        all: mark.first.map_or(all, |first| mix(all, u64::from(first.0) + 1)),
        position,
    }
}

pub(super) fn phase_key(phase: PhaseId) -> Digests {
    Digests::both(mix(PHASE, u64::from(phase.0)))
}

/// The key of an open decision at its place on the stack.
pub(super) fn decision_key(depth: usize, decision: &Decision) -> Digests {
    let asked = (u64::from(decision.asked.bits()) << 32) | u64::from(decision.waiting.bits());
    let mut position = mix(mix(DECISION, depth as u64), mix(u64::from(decision.action.0), asked));
    for (name, value) in &decision.data {
        position = mix(position, mix(text_key(name), value_key(value)));
    }
    Digests {
        all: mix(position, u64::from(decision.id.0)),
        position,
    }
}

pub(super) fn eliminated_key(seats: super::SeatSet) -> Digests {
    Digests::both(mix(ELIMINATED, u64::from(seats.bits())))
}

pub(super) fn outcome_key(outcome: &Outcome) -> Digests {
    let mut key = mix(OUTCOME, mix(text_key(&outcome.rule), text_key(&outcome.reason)));
    for place in &outcome.places {
        key = mix(key, u64::from(*place));
    }
    for score in &outcome.scores {
        key = mix(key, *score as u64);
    }
    Digests::both(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_have_different_keys() {
        assert_ne!(text_key("ab"), text_key("ba"));
        assert_ne!(text_key(""), text_key("\0"));
        assert_ne!(text_key("12345678"), text_key("123456789"));
    }
}
