//! Changes of what is on the board and beside it: properties, pieces, grounds. They fail if what they are given is not declared, not
//! there or not allowed.
#![expect(clippy::missing_errors_doc, reason = "said above")]

use smallvec::SmallVec;

use super::{Transaction, missing};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    CellId, Effect, KindId, Piece, PieceId, Place, PropertyId, Rejection, SeatId, SeatSet, Target, TerrainId, Value, Zone, ZoneId,
};

impl Transaction {
    /// Sets a declared property, within its type and range.
    pub fn set(&mut self, target: Target, property: PropertyId, new: Value) -> Result<(), Rejection> {
        let declared = self.state.declarations().property(property);
        let declared = declared.ok_or_else(|| missing("the property"))?;
        let old = self.state.value(target, property);
        let old = old.ok_or_else(|| missing(&format!("property {}", declared.name)))?;
        if *old == new {
            return Ok(());
        }
        let checked = declared.value_type.check(&new);
        checked
            .map_err(|error| Diagnostic::error(Code::BadValue, format!("property {}: {error}", declared.name)).with_help(error.help()))?;
        let old = old.clone();
        self.apply(Effect::Set {
            target,
            property,
            old,
            new,
        })
    }

    /// Moves a piece. Into a zone it goes to `index`, or to the end (the top of a deck).
    pub fn move_piece(&mut self, piece: PieceId, to: Place, index: Option<usize>) -> Result<(), Rejection> {
        let from = self.state.piece(piece).ok_or_else(|| missing("the piece"))?.place;
        if from == to && to.zone().is_none() {
            return Ok(());
        }
        let from_index = from.zone().and_then(|zone| self.zone_index(zone, piece)).unwrap_or(0);
        let zone = to.zone().and_then(|zone| self.state.zone(zone));
        let length = zone.map_or(0, |zone| zone.pieces().len() - usize::from(from == to));
        let to_index = index.unwrap_or(length).min(length).min(usize::from(u16::MAX)) as u16;
        self.removed |= to.is_off();
        self.apply(Effect::Move {
            piece,
            from,
            from_index,
            to,
            to_index,
        })
    }

    fn zone_index(&self, zone: ZoneId, piece: PieceId) -> Option<u16> {
        let index = self.state.zone(zone)?.pieces().iter().position(|other| *other == piece)?;
        u16::try_from(index).ok()
    }

    /// Takes a piece out of play.
    pub fn remove(&mut self, piece: PieceId) -> Result<(), Rejection> {
        self.move_piece(piece, Place::Off, None)
    }

    /// Brings a new piece into play.
    pub fn spawn(&mut self, kind: KindId, owner: Option<SeatId>, place: Place) -> Result<PieceId, Rejection> {
        if owner.is_some_and(|seat| seat.index() >= self.state.declarations().seats.len()) {
            return Err(missing("the seat"));
        }
        if self.determinizes
            && let Place::Zone(zone) = place
            && let old @ 1.. = self.state.zone(zone).map_or(0, Zone::unseen)
        {
            self.apply(Effect::Unseen { zone, old, new: old - 1 })?;
        }
        let id = self.state.next_piece();
        let values = self.state.declarations().starting_values(kind);
        self.apply(Effect::Spawn(Box::new(Piece {
            id,
            kind,
            owner,
            place,
            revealed: SeatSet::EMPTY,
            values,
        })))?;
        Ok(id)
    }

    /// Gives a piece to another seat, or to none.
    pub fn set_owner(&mut self, piece: PieceId, new: Option<SeatId>) -> Result<(), Rejection> {
        let old = self.state.piece(piece).ok_or_else(|| missing("the piece"))?.owner;
        if new.is_some_and(|seat| seat.index() >= self.state.declarations().seats.len()) {
            return Err(missing("the seat"));
        }
        self.change(old, new, |old, new| Effect::Owner { piece, old, new })
    }

    /// Shows a piece to seats that its place hides it from.
    pub fn reveal(&mut self, piece: PieceId, to: SeatSet) -> Result<(), Rejection> {
        let old = self.state.piece(piece).ok_or_else(|| missing("the piece"))?.revealed;
        self.change(old, to, |old, new| Effect::Reveal { piece, old, new })
    }

    /// Changes the ground of a cell.
    pub fn set_terrain(&mut self, cell: CellId, new: TerrainId) -> Result<(), Rejection> {
        let old = self.state.terrain(cell).ok_or_else(|| missing("the cell"))?;
        if new.index() >= self.state.declarations().terrains.len() {
            return Err(missing("the terrain"));
        }
        self.change(old, new, |old, new| Effect::Terrain { cell, old, new })
    }

    /// The pieces on a cell that belong to another seat than the given one.
    pub fn enemies_at(&self, cell: CellId, seat: SeatId) -> SmallVec<[PieceId; 2]> {
        let pieces = self.state.pieces_at(cell).iter().filter_map(|id| self.state.piece(*id));
        let enemies = pieces.filter(|piece| piece.owner.is_some_and(|owner| owner != seat));
        enemies.map(|piece| piece.id).collect()
    }
}
