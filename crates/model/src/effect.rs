//! The changes of a match, each small, typed and invertible.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    CellId, Decision, DecisionId, DeclarationsChange, Displacement, EdgeId, Fingerprint, Outcome, PhaseId, Piece, PieceId, Place,
    PropertyId, SeatId, SeatSet, SightChange, TerrainId, TurnMark, Value, ZoneId,
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
#[expect(
    missing_docs,
    reason = "`old` is what was before and `new` what is after, `index` a place in the order of a zone"
)]
pub enum Effect {
    /// A declared property changes.
    Set {
        target: Target,
        property: PropertyId,
        old: Value,
        new: Value,
    },
    /// A piece goes from one place to another; to [`Place::Off`] when it is captured or spent.
    Move {
        piece: PieceId,
        from: Place,
        #[serde(default)]
        from_index: u16,
        to: Place,
        #[serde(default)]
        to_index: u16,
    },
    /// A piece comes into being, at the end of its zone if it is in one.
    Spawn(Box<Piece>),
    /// A piece stops existing. Captured pieces move off instead: they may be counted and come back.
    Unspawn {
        piece: Box<Piece>,
        #[serde(default)]
        index: u16,
    },
    /// The owner of a piece changes.
    Owner {
        piece: PieceId,
        old: Option<SeatId>,
        new: Option<SeatId>,
    },
    /// The ground of a cell changes.
    Terrain { cell: CellId, old: TerrainId, new: TerrainId },
    /// The pieces of a zone get another order.
    Reorder {
        zone: ZoneId,
        old: Arc<[PieceId]>,
        new: Arc<[PieceId]>,
    },
    /// The number of pieces that a zone holds unseen changes. Only views have such zones.
    Unseen { zone: ZoneId, old: u32, new: u32 },
    /// Cells come into sight, or go out of it. Only views in rulesets with fog have sight.
    Sight(Box<SightChange>),
    /// The set of seats to whom a piece has been shown changes.
    Reveal { piece: PieceId, old: SeatSet, new: SeatSet },
    /// A question is put to seats.
    OpenDecision(Box<Decision>),
    /// A seat has answered the newest question.
    AnswerDecision { decision: DecisionId, seat: SeatId },
    /// The newest question is settled.
    CloseDecision(Box<Decision>),
    /// Another phase begins.
    Phase { old: PhaseId, new: PhaseId },
    /// Another turn begins.
    Turn {
        old: TurnMark,
        new: TurnMark,
        /// Whether no earlier position can come again, so that counting starts afresh.
        fresh: bool,
        /// Of the first piece that the seat of the turn before moved in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        displacement: Option<Displacement>,
    },
    /// A seat is out of the match.
    Eliminate(SeatId),
    /// The match ends.
    End(Box<Outcome>),
    /// The match, ended before, goes on.
    Resume(Box<Outcome>),
    /// Something to tell players. It changes nothing.
    Note {
        to: SeatSet,
        text: Arc<str>,
        /// The cell that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cell: Option<CellId>,
    },
    /// Other rules are in force from here on.
    Rules {
        old: Fingerprint,
        new: Fingerprint,
        /// The declarations, if they changed as well. What is declared again has its default everywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        declarations: Option<Box<DeclarationsChange>>,
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
    /// The bytes of text in it, such as a note or what a question is about: what the rules can make as long as they like.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Set { new, .. } => new.text_bytes(),
            Self::Note { text, .. } => text.len(),
            Self::Spawn(piece) => piece.values.iter().map(Value::text_bytes).sum(),
            Self::OpenDecision(decision) => decision.data.iter().map(|(name, value)| name.len() + value.text_bytes()).sum(),
            Self::Reorder { new, .. } => size_of_val::<[PieceId]>(new),
            Self::End(outcome) => outcome.reason.len(),
            _ => 0,
        }
    }

    /// The change that takes the effect back, where it was the last one applied.
    pub fn inverse(&self) -> Change<'_> {
        Change::from(self).inverse()
    }
}

/// An effect that does not fit the state it is applied to: from a damaged file, a faulty peer, or in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum EffectError {
    #[error("piece {} does not exist", .0.0)]
    NoPiece(PieceId),
    #[error("piece {} exists already", .0.0)]
    PieceExists(PieceId),
    #[error("{0} does not exist")]
    Unknown(String),
    #[error("the state before is not as expected: {0}")]
    Differs(String),
}
