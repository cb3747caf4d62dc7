//! The values scripts hold: views, turns, pieces, cells, seats. Each is an id and the context it belongs to.

use std::fmt;
use std::rc::Rc;

use super::super::importing::Importing;
use super::super::value::Answer;
use super::call_context::SharedContext;
use boardwright_model::{CellId, CellSet, PieceId, SeatId, State};

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* }, $word:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name {
            pub(crate) context: SharedContext,
            $(pub(crate) $field: $type,)*
        }

        impl $name {
            pub(crate) fn new(context: &SharedContext, $($field: $type),*) -> Self {
                Self { context: Rc::clone(context), $($field),* }
            }
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
                $(self.$field == other.$field &&)* self.context.belongs_with(&other.context)
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
    /// A shape as it lies in a pose, its first square as the anchor.
    Shape { shape: boardwright_model::Shape }, "shape";
    /// A view of whatever state a pattern is used in.
    PatternView {}, "pattern view";
    /// The seat to act in whatever state a pattern is used in.
    PatternSeat {}, "pattern seat";
    /// The name of the turn in whatever state a pattern is used in.
    PatternTurnName {}, "turn name";
    /// A description of a set of cells.
    PatternCells { cells: boardwright_rules::CellsOf }, "pattern cells";
    /// What can be reached, at what cost and by which way.
    Reach { turns: super::movement::Turns, cells: CellSet, found: std::rc::Rc<boardwright_model::Reach> }, "reach";
    /// The edge between two cells.
    Edge { id: boardwright_model::EdgeId }, "edge";
    /// A displacement on a grid.
    Vector { vector: boardwright_model::Vector }, "vector";
    /// The options of the match, read by name.
    Options {}, "options";
    /// What the open question is about, read by name.
    Question {}, "question";
}

impl Cells {
    /// The cells that are found in the state of a context.
    pub(crate) fn find(context: &SharedContext, find: impl FnOnce(&State) -> CellSet) -> Answer<Self> {
        context.read(|state| Ok(Self::new(context, find(state))))
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = CellsIterator;

    fn into_iter(self) -> CellsIterator {
        CellsIterator { cells: self, next: 0 }
    }
}

/// The cells of a set one after the other: a loop that ends early has made no more of them than it was given.
pub struct CellsIterator {
    cells: Cells,
    /// The number of the first cell that was not looked at.
    next: usize,
}

impl Iterator for CellsIterator {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let (words, bits) = (self.cells.set.words(), u64::BITS as usize);
        loop {
            let word = words.get(self.next / bits)? >> (self.next % bits);
            if word != 0 {
                let found = self.next + word.trailing_zeros() as usize;
                self.next = found + 1;
                return Some(Cell::new(&self.cells.context, CellId::from_index(found)));
            }
            self.next = (self.next / bits + 1) * bits;
        }
    }
}

macro_rules! import_handles {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* };)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            pub(crate) importing: Rc<Importing>,
            $(pub(crate) $field: $type,)*
        }

        impl $name {
            pub(crate) fn new(importing: &Rc<Importing>, $($field: $type),*) -> Self {
                Self { importing: Rc::clone(importing), $($field),* }
            }
        }
    )*};
}

import_handles! {
    /// A file of another program.
    Document {};
    /// An element of it.
    Element { index: usize };
    /// Some elements of it.
    Elements { parent: usize, name: Option<Rc<str>> };
    /// What is made of it.
    Draft {};
}

impl IntoIterator for Elements {
    type Item = Element;
    type IntoIter = ElementsIterator;

    fn into_iter(self) -> ElementsIterator {
        ElementsIterator { elements: self, next: 0 }
    }
}

/// Elements one after the other.
pub struct ElementsIterator {
    elements: Elements,
    /// The position of the first child that was not looked at.
    next: usize,
}

impl Iterator for ElementsIterator {
    type Item = Element;

    fn next(&mut self) -> Option<Element> {
        let Elements { importing, parent, name } = &self.elements;
        let (place, index) = importing.children(*parent, name.as_deref(), self.next).next()?;
        self.next = place + 1;
        Some(Element::new(importing, index))
    }
}
