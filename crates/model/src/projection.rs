//! A state and its changes as one seat sees them.

use std::sync::Arc;

use super::{Action, CellSet, Effect, Pick, Piece, PieceId, Place, Scope, SeatId, SeatSet, State, Target, Zone, ZoneId, ZoneVisibility};

/// What a seat may see. Made again for each state by whoever projects it: the zones come from the declarations, the cells from the
/// rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visibility {
    seat: Option<SeatId>,
    cells: Option<CellSet>,
}

impl Visibility {
    /// What a seat sees (none for spectators, who see what everyone sees). `cells` are the cells it sees; `None` for all.
    pub fn new(seat: Option<SeatId>, cells: Option<CellSet>) -> Self {
        Self { seat, cells }
    }

    /// The seat that looks.
    pub fn seat(&self) -> Option<SeatId> {
        self.seat
    }

    /// The cells that are seen; `None` for all.
    pub fn cells(&self) -> Option<&CellSet> {
        self.cells.as_ref()
    }

    fn sees_zone(&self, state: &State, zone: ZoneId) -> bool {
        let declared = state.declarations.zones.get(zone.index());
        declared.is_some_and(|declared| match declared.visibility {
            ZoneVisibility::Everyone => true,
            ZoneVisibility::Owner => declared.owner.is_some() && declared.owner == self.seat,
            ZoneVisibility::NoOne => false,
        })
    }

    fn sees_cell(&self, cell: super::CellId) -> bool {
        self.cells.as_ref().is_none_or(|cells| cells.contains(cell))
    }

    /// Whether a piece at a place is seen. Own pieces on the board always are.
    fn sees(&self, state: &State, piece: &Piece, place: Place) -> bool {
        if self.seat.is_some_and(|seat| piece.revealed.contains(seat)) {
            return true;
        }
        match place {
            Place::Off => true,
            Place::Cell(_) | Place::Side(..) | Place::Posed(..) => {
                let is_own = self.seat.is_some() && piece.owner == self.seat;
                is_own || state.cells_at(piece.kind, place).into_iter().any(|cell| self.sees_cell(cell))
            }
            Place::Zone(zone) => self.sees_zone(state, zone),
            Place::Aboard(carrier) => {
                let carrier = state
                    .piece(carrier)
                    .filter(|carrier| carrier.id != piece.id && carrier.place != place);
                carrier.is_some_and(|carrier| self.sees(state, carrier, carrier.place))
            }
        }
    }

    /// Whether all is seen that an action picks, in the state it is chosen in.
    pub fn sees_picks(&self, state: &State, action: &Action) -> bool {
        let sees_piece = |piece: &PieceId| state.piece(*piece).is_some_and(|piece| self.sees(state, piece, piece.place));
        action.picks.iter().all(|pick| match pick {
            Pick::Cell(cell) => self.sees_cell(*cell),
            Pick::Cells(cells) => cells.iter().all(|cell| self.sees_cell(*cell)),
            Pick::Path(path) => path.iter().all(|cell| self.sees_cell(*cell)),
            Pick::Piece(piece) => sees_piece(piece),
            Pick::Pieces(pieces) => pieces.iter().all(sees_piece),
            Pick::Seat(_) | Pick::Number(_) | Pick::Choice(_) | Pick::Pose(_) | Pick::Text(_) => true,
        })
    }

    fn sees_property(&self, state: &State, target: Target, property: super::PropertyId) -> bool {
        let Some(declaration) = state.declarations.property(property) else {
            return false;
        };
        let is_mine = |owner: Option<SeatId>| !declaration.is_secret || (owner.is_some() && owner == self.seat);
        match target {
            Target::Match => is_mine(None),
            Target::Seat(seat) => is_mine(Some(seat)),
            Target::Piece(piece) => {
                let piece = state.piece(piece).filter(|piece| is_mine(piece.owner));
                piece.is_some_and(|piece| self.sees(state, piece, piece.place))
            }
            Target::Cell(cell) => is_mine(None) && self.sees_cell(cell),
            Target::Edge(edge) => {
                let (a, b) = state.board.edge_ends(edge);
                is_mine(None) && (self.sees_cell(a) || self.sees_cell(b))
            }
        }
    }
}

impl State {
    /// Whether a state with these declarations can hide anything from anyone.
    pub fn may_hide(&self) -> bool {
        self.declarations.has_fog
            || self
                .declarations
                .zones
                .iter()
                .any(|zone| zone.visibility != ZoneVisibility::Everyone)
            || self.declarations.properties.iter().any(|property| property.is_secret)
    }

    /// The state as it is seen: hidden pieces left out, secret properties at their default, the terrain of cells that are not seen as the
    /// map has it, zones that are not seen reduced to a count. Where nothing can be hidden this is the state itself, shared.
    #[must_use]
    pub fn project(self: &Arc<Self>, sight: &Visibility) -> Arc<Self> {
        if !self.may_hide() {
            return Arc::clone(self);
        }
        let mut seen = Self::clone(self);
        seen.forget_terrain(sight);
        for piece in self.pieces() {
            if sight.sees(self, piece, piece.place) {
                seen.hide_secrets(sight, piece);
            } else {
                seen.forget(piece);
            }
        }
        for (index, declaration) in self.declarations.properties.iter().enumerate() {
            let id = super::PropertyId::from_index(index);
            if declaration.scope == Scope::Cell && sight.cells.is_none() && !declaration.is_secret {
                continue;
            }
            self.each_target(id, declaration.scope, |target| {
                if !sight.sees_property(self, target, id) {
                    seen.hide(target, id);
                }
            });
        }
        Arc::new(seen)
    }

    /// Sets the terrain of cells that are not seen back to that of the map.
    fn forget_terrain(&mut self, sight: &Visibility) {
        let Some(cells) = &sight.cells else { return };
        let board = Arc::clone(&self.board);
        for cell in board.cells().filter(|cell| !cells.contains(*cell)) {
            let of_map = self.declarations.terrain_of(&board, cell);
            if let Some(old) = self.terrain(cell).filter(|terrain| *terrain != of_map) {
                drop(self.apply(&Effect::Terrain { cell, old, new: of_map }));
            }
        }
    }

    fn hide_secrets(&mut self, sight: &Visibility, piece: &Piece) {
        if piece.owner.is_some() && piece.owner == sight.seat {
            return;
        }
        let declarations = Arc::clone(&self.declarations);
        for (property, _) in declarations.properties_of(Scope::Piece).filter(|(_, declared)| declared.is_secret) {
            self.hide(Target::Piece(piece.id), property);
        }
    }

    /// Sets a property back to its default.
    fn hide(&mut self, target: Target, property: super::PropertyId) {
        let default = self.declarations.property(property).map(|declared| declared.default.clone());
        if let (Some(old), Some(new)) = (self.value(target, property).cloned(), default)
            && old != new
        {
            drop(self.apply(&Effect::Set {
                target,
                property,
                old,
                new,
            }));
        }
    }

    fn forget(&mut self, piece: &Piece) {
        let zone = piece.place.zone();
        let pieces = zone.and_then(|zone| self.zone(zone)).map_or(&[][..], Zone::pieces);
        let index = pieces.iter().position(|other| *other == piece.id);
        drop(self.apply(&Effect::Unspawn {
            piece: Box::new(piece.clone()),
            index: index.unwrap_or(0).min(usize::from(u16::MAX)) as u16,
        }));
        if let Some(zone) = zone {
            let old = self.zone(zone).map_or(0, |zone| zone.unseen);
            drop(self.apply(&Effect::Unseen { zone, old, new: old + 1 }));
        }
    }

    /// What a seat is sent of some effects, so that they lead its view from `before` to `after` (both whole states).
    ///
    /// Effects between two seen places go out as they are, a piece that comes into sight is spawned in the view, one that
    /// leaves it is forgotten, the rest stays here. `None` where that does not do (the field of sight itself changed, or a
    /// carrier came or went): then the whole view is sent.
    pub fn project_effects(before: &Self, after: &Self, effects: &[Effect], sights: (&Visibility, &Visibility)) -> Option<Vec<Effect>> {
        if !before.may_hide() {
            return Some(effects.to_vec());
        }
        let (sight, later) = sights;
        if sight != later {
            return None;
        }
        let mut state = before.clone();
        let mut sent = Vec::new();
        for effect in effects {
            let earlier = state.clone();
            state.apply(effect).ok()?;
            project_effect(&earlier, &state, effect, sight, &mut sent)?;
        }
        (state.digest() == after.digest()).then_some(sent)
    }
}

/// The view of one effect; `None` if it cannot be told apart from the rest.
fn project_effect(before: &State, after: &State, effect: &Effect, sight: &Visibility, sent: &mut Vec<Effect>) -> Option<()> {
    match effect {
        Effect::Note { to, .. } => {
            if sight.seat.map_or(*to == before.declarations.all_seats(), |seat| to.contains(seat)) {
                sent.push(effect.clone());
            }
        }
        Effect::Set { target, property, .. } => {
            if sight.sees_property(after, *target, *property) {
                sent.push(effect.clone());
            }
        }
        Effect::Reorder { zone, .. } => {
            if sight.sees_zone(after, *zone) {
                sent.push(effect.clone());
            }
        }
        Effect::Owner { piece, .. } if owner_is_all_that_changes(before, after, *piece, sight) => sent.push(effect.clone()),
        // A piece that carries others, or whose owner or audience changes, may take more than itself into or out of sight.
        Effect::Owner { .. } | Effect::Reveal { .. } => return None,
        Effect::Move { piece, from, to, .. } => {
            let piece = before.piece(*piece)?;
            let (saw, sees) = (sight.sees(before, piece, *from), sight.sees(after, after.piece(piece.id)?, *to));
            let partly_seen = |place: &Place| place.zone().is_some_and(|zone| !sight.sees_zone(before, zone));
            if !saw || !sees || partly_seen(from) || partly_seen(to) {
                return None;
            }
            sent.push(effect.clone());
        }
        Effect::Spawn(piece) | Effect::Unspawn { piece, .. } => {
            let state = if matches!(effect, Effect::Spawn(_)) { after } else { before };
            if pieces_have_secrets(state) || !sight.sees(state, piece, piece.place) {
                return None;
            }
            sent.push(effect.clone());
        }
        Effect::Turn { old, new, fresh, .. } => sent.push(Effect::Turn {
            old: *old,
            new: *new,
            fresh: *fresh,
            displacement: None,
        }),
        Effect::Terrain { cell, .. } if !sight.sees_cell(*cell) => {}
        _ => sent.push(effect.clone()),
    }
    Some(())
}

/// Whether a piece is seen before and after its owner changes, with nothing of its own or aboard it that depends on the owner.
fn owner_is_all_that_changes(before: &State, after: &State, id: super::PieceId, sight: &Visibility) -> bool {
    let is_seen = |state: &State| state.piece(id).is_some_and(|piece| sight.sees(state, piece, piece.place));
    is_seen(before) && is_seen(after) && !pieces_have_secrets(before) && !before.pieces().any(|other| other.place == Place::Aboard(id))
}

fn pieces_have_secrets(state: &State) -> bool {
    let mut declared = state.declarations.properties.iter();
    declared.any(|property| property.is_secret && property.scope == Scope::Piece)
}

/// The seats from whom nothing is hidden that one of them sees: all, where nothing can be hidden.
pub fn seats_that_see_all(state: &State) -> SeatSet {
    if state.may_hide() {
        SeatSet::EMPTY
    } else {
        state.declarations.all_seats()
    }
}
