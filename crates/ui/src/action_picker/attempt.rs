//! One action as far as it was picked.

use super::{Offered, Question};
use boardwright_model::{CellId, Domain, Path, Pick, Picks, PieceId};

/// A pick that is not finished: more of a path, or more of a set. In the order of the clicks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    None,
    Path(Path),
    Cells(Vec<CellId>),
    Pieces(Vec<PieceId>),
}

impl Part {
    pub(super) fn is_set(&self) -> bool {
        matches!(self, Self::Cells(_) | Self::Pieces(_))
    }

    pub(super) fn truncate(&mut self, length: usize) {
        match self {
            Self::Path(path) => path.truncate(length),
            Self::Cells(cells) => cells.truncate(length),
            Self::Pieces(pieces) => pieces.truncate(length),
            Self::None => {}
        }
        if length == 0 {
            *self = Self::None;
        }
    }

    pub(super) fn remove(&mut self, place: usize) {
        match self {
            Self::Cells(cells) if place < cells.len() => drop(cells.remove(place)),
            Self::Pieces(pieces) if place < pieces.len() => drop(pieces.remove(place)),
            _ => {}
        }
        if matches!(self, Self::Cells(cells) if cells.is_empty()) || matches!(self, Self::Pieces(pieces) if pieces.is_empty()) {
            *self = Self::None;
        }
    }
}

/// What was clicked: a cell, or a piece beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Cell(CellId),
    Piece(PieceId),
}

impl Spot {
    pub(super) fn cell(self) -> Option<CellId> {
        match self {
            Self::Cell(cell) => Some(cell),
            Self::Piece(_) => None,
        }
    }
}

/// One action as far as it was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) offered: Offered,
    pub(super) picks: Picks,
    pub(super) part: Part,
    /// What was clicked, with how many picks were made before each click.
    pub(super) trail: Vec<(Spot, usize)>,
}

impl Attempt {
    pub(super) fn new(offered: Offered) -> Self {
        Self {
            offered,
            picks: Picks::new(),
            part: Part::None,
            trail: Vec::new(),
        }
    }

    pub(super) fn question(&self) -> Option<Question> {
        (self.picks.len() < self.offered.picks).then(|| Question {
            action: self.offered.action,
            picks: self.picks.clone(),
        })
    }

    /// The picks with the unfinished one taken as it is, if its domain allows it.
    pub(super) fn finished(&self, domain: Option<&Domain>) -> Option<Picks> {
        let pick = match &self.part {
            Part::None => return None,
            Part::Path(path) => Pick::Path(path.clone()),
            Part::Cells(cells) => Pick::Cells(rising(cells)),
            Part::Pieces(pieces) => Pick::Pieces(rising(pieces)),
        };
        let is_allowed = domain.is_some_and(|domain| domain.contains(&pick));
        is_allowed.then(|| {
            let mut picks = self.picks.clone();
            picks.push(pick);
            picks
        })
    }

    pub(super) fn take(&mut self, pick: Pick) {
        self.picks.push(pick);
        self.part = Part::None;
    }
}

fn rising<T: Copy + Ord>(items: &[T]) -> Vec<T> {
    let mut sorted = items.to_vec();
    sorted.sort_unstable();
    sorted
}
