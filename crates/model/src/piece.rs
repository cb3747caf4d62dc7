//! Pieces and where they are.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{CellId, DirectionId, KindId, PieceId, Pose, SeatId, SeatSet, Value, ZoneId};

/// Where a piece is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Out of play: captured, spent, or not yet in the match.
    #[default]
    Off,
    /// On a cell.
    Cell(CellId),
    /// On one side of a cell.
    Side(CellId, DirectionId),
    /// On all cells that its figure covers in a pose, the first of them this one. Only pieces of kinds with a figure lie.
    Posed(CellId, Pose),
    /// In a zone such as a hand or a deck.
    Zone(ZoneId),
    /// Carried by another piece.
    Aboard(PieceId),
}

impl Place {
    /// The cell, for pieces on a cell or on one of its sides; the first one, for pieces that lie on several.
    #[inline]
    pub fn cell(self) -> Option<CellId> {
        match self {
            Self::Cell(cell) | Self::Side(cell, _) | Self::Posed(cell, _) => Some(cell),
            Self::Off | Self::Zone(_) | Self::Aboard(_) => None,
        }
    }

    /// The zone, for pieces in one.
    #[inline]
    pub fn zone(self) -> Option<ZoneId> {
        if let Self::Zone(zone) = self { Some(zone) } else { None }
    }

    /// Whether the piece is out of play.
    #[inline]
    pub fn is_off(self) -> bool {
        self == Self::Off
    }
}

/// A piece: a counter, a card, a ship, a wall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its id, its index in the state.
    pub id: PieceId,
    /// Its sort.
    pub kind: KindId,
    /// The seat it belongs to, if any.
    pub owner: Option<SeatId>,
    /// Where it is.
    pub place: Place,
    /// The seats to whom it has been shown although its place hides it.
    #[serde(default)]
    pub revealed: SeatSet,
    /// The values of the declared piece properties, in the order of their declaration.
    #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
    pub values: SmallVec<[Value; 2]>,
}
