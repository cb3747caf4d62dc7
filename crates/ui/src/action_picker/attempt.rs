//! One action as far as it was picked.

use super::{DomainQuery, Offered};
use boardwright_model::{CellId, Domain, Pick, Picks, PieceId};

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
    /// A pick that is not finished: a path or a set that may get more, in the order of the clicks.
    pub(super) part: Option<Pick>,
    /// What was clicked, with how many picks were made before each click.
    pub(super) trail: Vec<(Spot, usize)>,
}

impl Attempt {
    pub(super) fn new(offered: Offered) -> Self {
        Self {
            offered,
            picks: Picks::new(),
            part: None,
            trail: Vec::new(),
        }
    }

    pub(super) fn query(&self) -> Option<DomainQuery> {
        (self.picks.len() < self.offered.picks).then(|| DomainQuery {
            action: self.offered.action,
            picks: self.picks.clone(),
        })
    }

    pub(super) fn is_set(&self) -> bool {
        matches!(self.part, Some(Pick::Cells(_) | Pick::Pieces(_)))
    }

    /// The cells of the unfinished pick.
    pub(super) fn part_cells(&self) -> &[CellId] {
        match &self.part {
            Some(Pick::Path(path)) => path,
            Some(Pick::Cells(cells)) => cells,
            _ => &[],
        }
    }

    /// The pieces of the unfinished pick.
    pub(super) fn part_pieces(&self) -> &[PieceId] {
        match &self.part {
            Some(Pick::Pieces(pieces)) => pieces,
            _ => &[],
        }
    }

    /// Keeps so much of the unfinished pick.
    pub(super) fn truncate_part(&mut self, length: usize) {
        match &mut self.part {
            _ if length == 0 => self.part = None,
            Some(Pick::Path(path)) => path.truncate(length),
            Some(Pick::Cells(cells)) => cells.truncate(length),
            Some(Pick::Pieces(pieces)) => pieces.truncate(length),
            _ => {}
        }
    }

    /// Takes one out of an unfinished set.
    pub(super) fn remove_from_part(&mut self, place: usize) {
        match &mut self.part {
            Some(Pick::Cells(cells)) if place < cells.len() => drop(cells.remove(place)),
            Some(Pick::Pieces(pieces)) if place < pieces.len() => drop(pieces.remove(place)),
            _ => {}
        }
        if self.part_cells().is_empty() && self.part_pieces().is_empty() {
            self.part = None;
        }
    }

    /// The picks with the unfinished one taken as it is, if its domain allows it.
    pub(super) fn finished(&self, domain: Option<&Domain>) -> Option<Picks> {
        let mut pick = self.part.clone()?;
        match &mut pick {
            Pick::Cells(cells) => cells.sort_unstable(),
            Pick::Pieces(pieces) => pieces.sort_unstable(),
            _ => {}
        }
        domain?.contains(&pick).then(|| {
            let mut picks = self.picks.clone();
            picks.push(pick);
            picks
        })
    }

    pub(super) fn take(&mut self, pick: Pick) {
        self.picks.push(pick);
        self.part = None;
    }
}
