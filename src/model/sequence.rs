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
}

/// Where a piece came from and got to in one turn of its seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Journey {
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
