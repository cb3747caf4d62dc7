//! The values scripts hold: views, turns, pieces, cells, seats. Each is an id and the stage it belongs to.

use std::fmt;
use std::rc::Rc;

use super::stage::SharedStage;
use crate::model::{CellId, CellSet, PieceId, SeatId};

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* }, $word:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name {
            pub(crate) stage: SharedStage,
            $(pub(crate) $field: $type,)*
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($word)?;
                $(write!(f, " {:?}", self.$field)?;)*
                Ok(())
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field &&)* Rc::ptr_eq(&self.stage, &other.stage)
            }
        }
    )*};
}

handles! {
    /// The match as the seat that looks sees it; while something is carried out, the match being changed.
    View {}, "view";
    /// A piece.
    Piece { id: PieceId }, "piece";
    /// A cell.
    Cell { id: CellId }, "cell";
    /// A seat.
    Seat { id: SeatId }, "seat";
    /// A set of cells.
    Cells { set: CellSet }, "cells";
    /// The options of the match, read by name.
    Options {}, "options";
    /// What the open question is about, read by name.
    Question {}, "question";
}
