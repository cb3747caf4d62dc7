//! One newtype for every kind of thing that can be pointed at.
//!
//! Ids are small integers: an index into the list in which the thing was declared (kinds, seats, zones, ... in the
//! [`Declarations`](super::Declarations); cells, edges, regions in the [`Board`](super::Board); pieces in the
//! [`State`](super::State)). Authors and players use names; names are resolved once, when files and declarations are read.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $repr);

        impl $name {
            /// The position of the thing in the list that declares it.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the thing at a position of the list that declares it.
            ///
            /// Positions past the range of the id give its largest value, which no list reaches: readers of files refuse
            /// longer lists.
            #[inline]
            pub const fn from_index(index: usize) -> Self {
                if index > <$repr>::MAX as usize { Self(<$repr>::MAX) } else { Self(index as $repr) }
            }
        }
    )*};
}

ids! {
    /// A cell of the board: a hex, a square, a point or an area.
    CellId(u16);
    /// An unordered pair of neighbouring cells.
    EdgeId(u32);
    /// A way of leaving a cell: one of the sides of a grid's cells, or one sense of a line drawn on a free graph.
    DirectionId(u16);
    /// A named set of cells.
    RegionId(u16);
    /// A sort of ground.
    TerrainId(u8);
    /// A sort of piece.
    KindId(u16);
    /// A piece in play. Ids are given out in order and never used again in the same match.
    PieceId(u32);
    /// A slot that may act.
    #[derive(Default)]
    SeatId(u8);
    /// A place off the board that holds pieces in an order: a hand, a deck, a reserve.
    ZoneId(u16);
    /// A declared property of the match, a seat, a piece, a cell or an edge.
    PropertyId(u16);
    /// A declared phase of a turn.
    #[derive(Default)]
    PhaseId(u8);
    /// A declared sort of action.
    ActionId(u8);
    /// An open question put to one or several seats.
    DecisionId(u32);
}
