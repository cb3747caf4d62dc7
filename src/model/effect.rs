//! The changes of a match, each small, typed and invertible.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    CellId, Decision, DecisionId, EdgeId, Fingerprint, FrameChange, Journey, Outcome, PhaseId, Piece, PieceId, Place, PropertyId, SeatId,
    SeatSet, TerrainId, TurnMark, Value, ZoneId,
};

/// What a property is set on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The match as a whole.
    Match,
    /// A seat.
    Seat(SeatId),
    /// A piece.
    Piece(PieceId),
    /// A cell.
    Cell(CellId),
    /// An edge between two cells.
    Edge(EdgeId),
}

/// One change of a match. [`State::apply`](super::State::apply) applies it and its [`inverse`](Self::inverse); nothing else writes to
/// a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// A declared property changes.
    Set {
        /// What it is set on.
        target: Target,
        /// The property.
        property: PropertyId,
        /// The value before.
        old: Value,
        /// The value after.
        new: Value,
    },
    /// A piece goes from one place to another; to [`Place::Off`] when it is captured or spent.
    Move {
        /// The piece.
        piece: PieceId,
        /// Where it was.
        from: Place,
        /// Its index there, for zones.
        #[serde(default)]
        from_index: u16,
        /// Where it is then.
        to: Place,
        /// Its index there, for zones.
        #[serde(default)]
        to_index: u16,
    },
    /// A piece comes into being, at the end of its zone if it is in one.
    Spawn(Box<Piece>),
    /// A piece stops existing. Captured pieces move off instead: they may be counted and come back.
    Unspawn {
        /// The piece as it was.
        piece: Box<Piece>,
        /// Its index in its zone.
        #[serde(default)]
        index: u16,
    },
    /// The owner of a piece changes.
    Owner {
        /// The piece.
        piece: PieceId,
        /// The owner before.
        old: Option<SeatId>,
        /// The owner after.
        new: Option<SeatId>,
    },
    /// The ground of a cell changes.
    Terrain {
        /// The cell.
        cell: CellId,
        /// The ground before.
        old: TerrainId,
        /// The ground after.
        new: TerrainId,
    },
    /// The pieces of a zone get another order.
    Reorder {
        /// The zone.
        zone: ZoneId,
        /// The order before.
        old: Arc<[PieceId]>,
        /// The order after.
        new: Arc<[PieceId]>,
    },
    /// The number of pieces that a zone holds unseen changes. Only views have such zones.
    Unseen {
        /// The zone.
        zone: ZoneId,
        /// The number before.
        old: u32,
        /// The number after.
        new: u32,
    },
    /// The set of seats to whom a piece has been shown changes.
    Reveal {
        /// The piece.
        piece: PieceId,
        /// The seats before.
        old: SeatSet,
        /// The seats after.
        new: SeatSet,
    },
    /// A question is put to seats.
    OpenDecision(Box<Decision>),
    /// A seat has answered the newest question.
    AnswerDecision {
        /// The decision.
        decision: DecisionId,
        /// The seat.
        seat: SeatId,
    },
    /// The newest question is settled.
    CloseDecision(Box<Decision>),
    /// Another phase begins.
    Phase {
        /// The phase before.
        old: PhaseId,
        /// The phase after.
        new: PhaseId,
    },
    /// Another turn begins.
    Turn {
        /// The turn before.
        old: TurnMark,
        /// The turn after.
        new: TurnMark,
        /// Whether no earlier position can come again, so that counting starts afresh.
        fresh: bool,
        /// The journey of the first piece the seat of the turn before moved in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        journey: Option<Journey>,
    },
    /// A seat is out of the match.
    Eliminate(SeatId),
    /// The match ends.
    End(Box<Outcome>),
    /// The match, ended before, goes on.
    Resume(Box<Outcome>),
    /// Something to tell players. It changes nothing.
    Note {
        /// The seats that are told.
        to: SeatSet,
        /// What they are told.
        text: Arc<str>,
    },
    /// Other rules are in force from here on.
    Rules {
        /// The rules before.
        old: Fingerprint,
        /// The rules after.
        new: Fingerprint,
        /// The declarations, if they changed as well. What is declared anew has its default everywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frames: Option<Box<FrameChange>>,
    },
}

/// What [`State::apply`](super::State::apply) carries out: an effect, or the inverse of one.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub(super) effect: &'a Effect,
    pub(super) is_inverse: bool,
}

impl Change<'_> {
    /// The change that takes this one back.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self {
            is_inverse: !self.is_inverse,
            ..self
        }
    }

    /// From what to what it leads, given the two ends of the effect.
    pub(super) fn between<T>(self, old: T, new: T) -> (T, T) {
        if self.is_inverse { (new, old) } else { (old, new) }
    }
}

impl<'a> From<&'a Effect> for Change<'a> {
    fn from(effect: &'a Effect) -> Self {
        Self { effect, is_inverse: false }
    }
}

impl Effect {
    /// The change that takes the effect back, where it was the last one applied.
    pub fn inverse(&self) -> Change<'_> {
        Change::from(self).inverse()
    }

    /// The cells it concerns, for animation and for redrawing: from and to for pieces that move.
    pub fn touches_cells(&self) -> Option<[Option<CellId>; 2]> {
        match self {
            Self::Move { from, to, .. } => Some([from.cell(), to.cell()]),
            Self::Spawn(piece) | Self::Unspawn { piece, .. } => Some([piece.place.cell(), None]),
            Self::Terrain { cell, .. }
            | Self::Set {
                target: Target::Cell(cell),
                ..
            } => Some([Some(*cell), None]),
            _ => None,
        }
    }
}

/// An effect that does not fit the state it is applied to: from a damaged file, a faulty peer, or in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EffectError {
    /// It names a piece that is not there.
    #[error("piece {} does not exist", .0.0)]
    NoPiece(PieceId),
    /// It would make a piece that is there already.
    #[error("piece {} exists already", .0.0)]
    PieceExists(PieceId),
    /// It names a cell, edge, zone, seat or property the match has not.
    #[error("{0} does not exist")]
    Unknown(String),
    /// What it takes for the state before is not the state.
    #[error("the state before is not as expected: {0}")]
    Differs(String),
}
