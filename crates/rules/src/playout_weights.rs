//! Playout weights: what playouts sample actions in proportion to, without asking a script about each.

use std::sync::Arc;

use smallvec::SmallVec;

use boardwright_model::{Action, CellId, CellSet, KindId, Pick, PieceId, Place, State};

/// The weights of the actions of one sort in playouts: 1 for each, and more for what it picks; of placements multiplied by the factor of their
/// size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutWeights {
    entries: SmallVec<[(WeightFor, u32); 4]>,
    /// The factor of placements by the number of squares of what is placed; 1 where there is none.
    factors: SmallVec<[u32; 8]>,
    /// The weights for cells together: what covering one cell adds at most.
    most_of_cell: u64,
    /// Whether some weight is for kinds or pieces.
    has_pieces: bool,
}

/// What an action has to pick to get more weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightFor {
    /// Cells: for each of them that the action covers; of a path only its last cell counts.
    Cells(CellSet),
    /// A piece of a kind.
    Kind(KindId),
    /// One of some pieces.
    Pieces(Vec<PieceId>),
    /// A word.
    Word(Arc<str>),
}

impl PlayoutWeights {
    /// The greatest weight of one action.
    pub const MOST: u32 = 1 << 20;

    /// Adds weight to actions that pick something.
    #[must_use]
    pub fn with(mut self, what: WeightFor, weight: u32) -> Self {
        self.add(what, weight);
        self
    }

    /// Adds weight to actions that pick something.
    pub(super) fn add(&mut self, what: WeightFor, weight: u32) {
        let weight = weight.min(Self::MOST);
        match what {
            WeightFor::Cells(_) => self.most_of_cell += u64::from(weight),
            WeightFor::Kind(_) | WeightFor::Pieces(_) => self.has_pieces = true,
            WeightFor::Word(_) => {}
        }
        self.entries.push((what, weight));
    }

    /// Multiplies the weights of placements by factors, one for each number of squares from 0.
    #[must_use]
    pub fn times(mut self, factors: &[u32]) -> Self {
        self.factors = SmallVec::from_slice(factors);
        self
    }

    fn of_size(&self, squares: usize, weight: u64) -> u32 {
        let factor = self.factors.get(squares).map_or(1, |factor| u64::from(*factor));
        weight.saturating_mul(factor).min(u64::from(Self::MOST)) as u32
    }

    /// The weight of an action.
    pub fn of(&self, state: &State, action: &Action) -> u32 {
        if let [Pick::Piece(piece), Pick::Pose(pose), Pick::Cell(cell)] = action.picks.as_slice() {
            return self.of_placement(state, *piece, Place::Posed(*cell, *pose));
        }
        let picks = action.picks.iter();
        let more = picks.fold(0, |sum: u64, pick| sum + self.of_pick(state, pick));
        (1 + more).min(u64::from(Self::MOST)) as u32
    }

    /// The weight of a piece that goes to a cell.
    pub(super) fn of_move(&self, state: &State, piece: PieceId, to: Option<CellId>) -> u32 {
        let more = self.sum(|what| u64::from(what.is_piece(state, piece)) + u64::from(to.is_some_and(|cell| what.has_cell(cell))));
        (1 + more).min(u64::from(Self::MOST)) as u32
    }

    /// The weight of a piece that is dropped on a cell.
    pub(super) fn of_drop(&self, state: &State, cell: CellId) -> u32 {
        (1 + self.of_pick(state, &Pick::Cell(cell))).min(u64::from(Self::MOST)) as u32
    }

    /// The weight of a piece that is placed: that of each cell it covers, and of the piece.
    pub(super) fn of_placement(&self, state: &State, piece: PieceId, place: Place) -> u32 {
        let kind = state.piece(piece).map(|piece| piece.kind);
        let cells = kind.map(|kind| state.cells_at(kind, place)).unwrap_or_default();
        self.of_cells(state, piece, &cells)
    }

    /// The weight of a piece that is placed on cells.
    pub(super) fn of_cells(&self, state: &State, piece: PieceId, cells: &[CellId]) -> u32 {
        let covered = |what: &WeightFor| cells.iter().filter(|cell| what.has_cell(**cell)).count() as u64;
        let more = self.sum(|what| u64::from(what.is_piece(state, piece)) + covered(what));
        self.of_size(cells.len(), more.saturating_add(1))
    }

    /// An upper bound on the weight of placing a piece of so many squares: if all cells it covers count.
    pub(super) fn most_of_placement(&self, state: &State, piece: PieceId, squares: u32) -> u32 {
        let of_piece = if self.has_pieces {
            self.sum(|what| u64::from(what.is_piece(state, piece)))
        } else {
            0
        };
        let of_cells = self.most_of_cell.saturating_mul(u64::from(squares));
        self.of_size(squares as usize, of_cells.saturating_add(of_piece).saturating_add(1))
    }

    fn sum(&self, times: impl Fn(&WeightFor) -> u64) -> u64 {
        self.entries
            .iter()
            .map(|(what, weight)| times(what).saturating_mul(u64::from(*weight)))
            .fold(0, u64::saturating_add)
    }

    fn of_pick(&self, state: &State, pick: &Pick) -> u64 {
        self.sum(|what| match pick {
            Pick::Cell(cell) => u64::from(what.has_cell(*cell)),
            Pick::Cells(cells) => cells.iter().filter(|cell| what.has_cell(**cell)).count() as u64,
            Pick::Path(path) => u64::from(path.last().is_some_and(|cell| what.has_cell(*cell))),
            Pick::Piece(piece) => u64::from(what.is_piece(state, *piece)),
            Pick::Pieces(pieces) => pieces.iter().filter(|piece| what.is_piece(state, **piece)).count() as u64,
            Pick::Choice(word) => u64::from(matches!(what, WeightFor::Word(wanted) if wanted == word)),
            Pick::Seat(_) | Pick::Number(_) | Pick::Pose(_) | Pick::Text(_) => 0,
        })
    }
}

impl WeightFor {
    fn has_cell(&self, cell: CellId) -> bool {
        matches!(self, Self::Cells(cells) if cells.contains(cell))
    }

    fn is_piece(&self, state: &State, piece: PieceId) -> bool {
        match self {
            Self::Kind(kind) => state.piece(piece).is_some_and(|piece| piece.kind == *kind),
            Self::Pieces(pieces) => pieces.contains(&piece),
            Self::Cells(_) | Self::Word(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_fixtures::Race;
    use boardwright_model::{ActionId, SeatId};

    #[test]
    fn an_action_weighs_one_and_more_for_what_it_picks() {
        let state = Race::start().unwrap();
        let cells = CellSet::from_cells(state.board().cell_count(), [CellId(2), CellId(3)]);
        let weights = PlayoutWeights::default()
            .with(WeightFor::Cells(cells), 5)
            .with(WeightFor::Kind(KindId(0)), 20)
            .with(WeightFor::Pieces(vec![PieceId(4)]), 100)
            .with(WeightFor::Word("wait".into()), 7);
        let weight_of = |picks: &[Pick]| {
            let action = Action {
                seat: SeatId(0),
                action: ActionId(0),
                picks: picks.into(),
            };
            weights.of(&state, &action)
        };
        assert_eq!(weight_of(&[]), 1);
        assert_eq!(weight_of(&[Pick::Cell(CellId(3))]), 6);
        assert_eq!(weight_of(&[Pick::Cells(vec![CellId(1), CellId(2), CellId(3)])]), 11);
        let path = |cells: &[u16]| Pick::Path(cells.iter().map(|cell| CellId(*cell)).collect());
        assert_eq!(
            weight_of(&[Pick::Piece(PieceId(0)), path(&[2, 1])]),
            21,
            "only the end of a path counts"
        );
        assert_eq!(weight_of(&[Pick::Piece(PieceId(4)), path(&[1, 2])]), 106);
        assert_eq!(weight_of(&[Pick::Choice("wait".into())]), 8);
        assert_eq!(weights.of_move(&state, PieceId(4), Some(CellId(2))), 106);
    }

    #[test]
    fn what_is_placed_weighs_more_by_the_factor_of_its_size() {
        let state = Race::start().unwrap();
        let cells = CellSet::from_cells(state.board().cell_count(), [CellId(2), CellId(3)]);
        let weights = PlayoutWeights::default().with(WeightFor::Cells(cells), 5).times(&[1, 1, 30]);
        let weight_of = |covered: &[u16]| {
            let covered: Vec<CellId> = covered.iter().map(|cell| CellId(*cell)).collect();
            let weight = weights.of_cells(&state, PieceId(0), &covered);
            assert!(weight <= weights.most_of_placement(&state, PieceId(0), covered.len() as u32));
            weight
        };
        assert_eq!(
            [weight_of(&[1]), weight_of(&[2]), weight_of(&[1, 2]), weight_of(&[2, 3])],
            [1, 6, 180, 330]
        );
        assert_eq!(weight_of(&[1, 2, 3]), 11, "nothing is said of three squares");
        let most = PlayoutWeights::default().times(&[1, PlayoutWeights::MOST, u32::MAX]);
        assert_eq!(most.of_cells(&state, PieceId(0), &[CellId(1), CellId(2)]), PlayoutWeights::MOST);
    }
}
