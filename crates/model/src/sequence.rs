//! Whose turn it is, and what is being decided.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ActionId, CellId, DecisionId, PhaseId, PieceId, SeatId, SeatSet, Value};

/// Where a match stands: round, turn, phase and the decisions that are open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequence {
    /// Round, turn and the seat whose turn it is.
    pub mark: TurnMark,
    /// The phase of the turn.
    pub phase: PhaseId,
    /// The open decisions; the last one is answered first.
    pub decisions: Vec<Decision>,
    /// The id the next decision gets.
    pub next_decision: u32,
}

/// The place of a turn in the match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMark {
    /// The round, from 1; 0 before the match begins.
    pub round: u32,
    /// The turn, from 1, counted through the whole match.
    pub turn: u32,
    /// The seat whose turn it is; none before the match begins and in turns of all seats at once.
    pub seat: Option<SeatId>,
    /// Which of the declared turns of a round it is, from 0. Without declared turns always 0.
    #[serde(default, skip_serializing_if = "is_zero_place")]
    pub place: u8,
    /// The declared turns that do not come again, because there was nothing to do in them.
    #[serde(default, skip_serializing_if = "TurnSet::is_empty")]
    pub closed: TurnSet,
    /// The seat that had the first turn, where it is not the first one: rounds begin with it. Without it, and with declared turns,
    /// they begin with the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<SeatId>,
}

fn is_zero_place(place: &u8) -> bool {
    *place == 0
}

/// A set of declared turns, by their places in the round. A round has at most 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub struct TurnSet(u32);

impl From<Vec<u8>> for TurnSet {
    fn from(places: Vec<u8>) -> Self {
        places.into_iter().fold(Self::default(), Self::with)
    }
}

impl From<TurnSet> for Vec<u8> {
    fn from(turns: TurnSet) -> Self {
        (0..TurnSet::MOST as u8).filter(|place| turns.contains(*place)).collect()
    }
}

impl TurnSet {
    /// The most turns a round may have.
    pub const MOST: usize = 32;

    /// This set and one more turn. Turns past the 32nd are ignored.
    #[must_use]
    pub fn with(self, place: u8) -> Self {
        Self(self.0 | 1u32.checked_shl(u32::from(place)).unwrap_or(0))
    }

    /// Whether the turn is in the set.
    pub fn contains(self, place: u8) -> bool {
        self.0 & Self::default().with(place).0 != 0
    }

    /// Whether no turn is in the set.
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// The bits, first turn first, for digests.
    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

/// Where a piece came from and got to in one turn of its seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Displacement {
    /// The piece.
    pub piece: PieceId,
    /// The cell it left.
    pub from: CellId,
    /// The cell it stood on at the end of the turn.
    pub to: CellId,
}

/// A question the rules put to one or several seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Its id in this match.
    pub id: DecisionId,
    /// The action that answers it.
    pub action: ActionId,
    /// The seats that were asked.
    pub asked: SeatSet,
    /// The seats that have not answered yet.
    pub waiting: SeatSet,
    /// What the question is about, for hooks and players.
    pub data: Vec<(Arc<str>, Value)>,
}

impl Sequence {
    /// The seats that may act: those that have not answered the newest decision, else the one whose turn it is.
    pub fn acting(&self) -> SeatSet {
        match (self.decisions.last(), self.mark.seat) {
            (Some(decision), _) => decision.waiting,
            (None, Some(seat)) => SeatSet::one(seat),
            (None, None) => SeatSet::EMPTY,
        }
    }

    /// The newest open decision.
    pub fn decision(&self) -> Option<&Decision> {
        self.decisions.last()
    }
}
