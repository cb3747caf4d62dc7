//! Which pieces are where: the indexes of a state by cell, owner and zone.

use smallvec::{SmallVec, smallvec};

use super::digest;
use super::{CellId, CellSet, EffectError, KindId, Piece, PieceId, Place, Scope, SeatId, State, ZoneId};

/// The cells a piece covers, the first one first.
pub type Footprint = SmallVec<[CellId; 8]>;

impl State {
    /// The cells that a piece of a kind covers at a place; none off the board, and none where it does not fit on it.
    pub fn cells_at(&self, kind: KindId, place: Place) -> Footprint {
        match place {
            Place::Cell(cell) | Place::Side(cell, _) => smallvec![cell],
            Place::Posed(anchor, pose) => {
                let figure = self.declarations.figure(kind);
                figure
                    .and_then(|figure| self.board.squares(figure.lying(pose), anchor))
                    .unwrap_or_default()
            }
            Place::Off | Place::Zone(_) | Place::Aboard(_) => Footprint::new(),
        }
    }

    /// The cells that a piece covers.
    pub fn cells_of(&self, piece: &Piece) -> Footprint {
        self.cells_at(piece.kind, piece.place)
    }

    pub(super) fn check_place(&self, place: Place, kind: KindId, id: PieceId) -> Result<(), EffectError> {
        let has_figure = self.declarations.figure(kind).is_some();
        let is_there = match place {
            Place::Cell(cell) | Place::Side(cell, _) => cell.index() < self.stacks.len() && !has_figure,
            Place::Posed(..) => !self.cells_at(kind, place).is_empty(),
            Place::Zone(zone) => self.zone(zone).is_some(),
            Place::Aboard(carrier) => carrier != id && self.piece(carrier).is_some(),
            Place::Off => true,
        };
        if is_there {
            Ok(())
        } else {
            Err(EffectError::Unknown(format!(
                "a place for a piece of its kind {}",
                self.place_text(place)
            )))
        }
    }

    pub(super) fn leave(&mut self, id: PieceId, kind: KindId, owner: Option<SeatId>, place: Place) {
        if let Place::Zone(zone) = place {
            self.change_zone(zone, |pieces| pieces.retain(|other| *other != id));
            return;
        }
        for cell in self.cells_at(kind, place) {
            let Some(stack) = self.stacks.get_mut(cell) else { continue };
            if stack.len() == 1 {
                stack.clear();
                self.occupied.remove(cell);
                if let Some(cells) = owner.and_then(|seat| self.owned.get_mut(seat.index())) {
                    cells.remove(cell);
                }
                for cells in &mut self.worded {
                    cells.remove(cell);
                }
            } else {
                stack.retain(|other| *other != id);
                self.index_owners(cell);
                self.index_words(cell);
            }
        }
    }

    pub(super) fn enter(&mut self, id: PieceId, kind: KindId, owner: Option<SeatId>, place: Place, index: usize) {
        if let Place::Zone(zone) = place {
            self.change_zone(zone, |pieces| pieces.insert(index.min(pieces.len()), id));
            return;
        }
        let words = self.words_of(id);
        for cell in self.cells_at(kind, place) {
            let Some(stack) = self.stacks.get_mut(cell) else { continue };
            for word in &words {
                if let Some(cells) = self.worded.get_mut(*word) {
                    cells.insert(cell);
                }
            }
            let at = stack.iter().take_while(|other| **other < id).count();
            stack.insert(at, id);
            self.occupied.insert(cell);
            if let Some(cells) = owner.and_then(|seat| self.owned.get_mut(seat.index())) {
                cells.insert(cell);
            }
        }
    }

    pub(super) fn change_zone(&mut self, id: ZoneId, change: impl FnOnce(&mut Vec<PieceId>)) {
        let Some(zone) = self.zones.get_mut(id.index()) else { return };
        self.digests.subtract(digest::order_key(id, &zone.pieces));
        change(&mut zone.pieces);
        self.digests.add(digest::order_key(id, &zone.pieces));
    }

    /// Brings the index of owners up to date for one cell.
    pub(super) fn index_owners(&mut self, cell: CellId) {
        let Some(stack) = self.stacks.get(cell) else { return };
        for (index, cells) in self.owned.iter_mut().enumerate() {
            let owner = Some(SeatId::from_index(index));
            let is_owner = |id: &PieceId| matches!(self.pieces.get(id.index()), Some(Some(piece)) if piece.owner == owner);
            if stack.iter().any(is_owner) {
                cells.insert(cell);
            } else {
                cells.remove(cell);
            }
        }
    }

    /// Where the words that a piece has stand among all words.
    fn words_of(&self, id: PieceId) -> SmallVec<[usize; 4]> {
        if self.worded.is_empty() {
            return SmallVec::new();
        }
        let values = self.piece(id).map_or(&[][..], |piece| &piece.values);
        let values = self.declarations.properties_of(Scope::Piece).zip(values);
        values
            .filter_map(|((property, _), value)| self.declarations.word_place(property, value))
            .collect()
    }

    /// Brings the index of words up to date for one cell.
    pub(super) fn index_words(&mut self, cell: CellId) {
        for cells in &mut self.worded {
            cells.remove(cell);
        }
        for id in SmallVec::<[PieceId; 8]>::from_slice(self.pieces_at(cell)) {
            for word in self.words_of(id) {
                if let Some(cells) = self.worded.get_mut(word) {
                    cells.insert(cell);
                }
            }
        }
    }

    /// Brings the index of words up to date for all cells.
    pub(super) fn index_all_words(&mut self) {
        self.worded = vec![CellSet::empty(self.board.cell_count()); self.declarations.word_count()];
        for cell in &self.occupied.clone() {
            self.index_words(cell);
        }
    }

    pub(super) fn count_in_play(&mut self, owner: Option<SeatId>, joins: bool) {
        if let Some(count) = owner.and_then(|seat| self.in_play.get_mut(seat.index())) {
            *count = if joins { *count + 1 } else { count.saturating_sub(1) };
        }
    }

    pub(super) fn count_piece(&mut self, piece: &Piece, joins: bool) {
        if !piece.place.is_off() {
            self.count_in_play(piece.owner, joins);
        }
    }
}
