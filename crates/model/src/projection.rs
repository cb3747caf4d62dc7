//! A state and its changes as one seat sees them.

use std::sync::Arc;

use super::{Action, CellSet, Pick, Piece, PieceId, Place, SeatId, State, Target, Touched, ZoneId, ZoneVisibility};

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

    /// The same as cells of a board, where there is fog.
    #[must_use]
    pub(super) fn on(&self, state: &State) -> Self {
        let all = state.board.all();
        let cells = self.cells.as_ref().map_or_else(|| all.clone(), |cells| cells.intersection(all));
        Self {
            seat: self.seat,
            cells: state.declarations.has_fog.then_some(cells),
        }
    }

    /// The same, with no more cells than another one sees as well.
    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Self {
        let cells = match (&self.cells, &other.cells) {
            (Some(one), Some(other)) => Some(one.intersection(other)),
            (one, other) => one.as_ref().or(other.as_ref()).cloned(),
        };
        Self { seat: self.seat, cells }
    }

    /// The cells that are seen; `None` for all.
    pub fn cells(&self) -> Option<&CellSet> {
        self.cells.as_ref()
    }

    pub(super) fn sees_zone(&self, state: &State, zone: ZoneId) -> bool {
        let declared = state.declarations.zones.get(zone.index());
        declared.is_some_and(|declared| match declared.visibility {
            ZoneVisibility::Everyone => true,
            ZoneVisibility::Owner => declared.owner.is_some() && declared.owner == self.seat,
            ZoneVisibility::NoOne => false,
        })
    }

    pub(super) fn sees_cell(&self, cell: super::CellId) -> bool {
        self.cells.as_ref().is_none_or(|cells| cells.contains(cell))
    }

    pub(super) fn is_own(&self, piece: &Piece) -> bool {
        self.seat.is_some() && piece.owner == self.seat
    }

    /// Whether a piece at a place is seen. Own pieces on the board always are.
    pub(super) fn sees(&self, state: &State, piece: &Piece, place: Place) -> bool {
        if self.seat.is_some_and(|seat| piece.revealed.contains(seat)) {
            return true;
        }
        match place {
            // With fog it is not seen that a piece goes out of play where nobody looks.
            Place::Off => self.cells.is_none() || self.is_own(piece),
            Place::Cell(_) | Place::Side(..) | Place::Posed(..) => {
                self.is_own(piece) || state.cells_at(piece.kind, place).into_iter().any(|cell| self.sees_cell(cell))
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

    pub(super) fn sees_property(&self, state: &State, target: Target, property: super::PropertyId) -> bool {
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

    /// The state as it is seen by someone who has seen nothing before: hidden pieces left out, secret properties at their default, zones
    /// that are not seen reduced to a count, cells out of sight as the map has them or, under a shroud, unknown. Where nothing can be
    /// hidden this is the state itself, shared.
    ///
    /// A view that remembers is kept up to date with [`update_view`](Self::update_view).
    #[must_use]
    pub fn project(self: &Arc<Self>, sight: &Visibility) -> Arc<Self> {
        if !self.may_hide() {
            return Arc::clone(self);
        }
        let mut view = self.unseen_view();
        drop(view.update_view((self, sight), (self, sight), &[], Touched::Everything));
        if !self.declarations.has_fog {
            view.adopt_history(self);
        }
        Arc::new(view)
    }

    /// Takes over the past positions of a state: those that repetition is counted in.
    pub fn adopt_history(&mut self, state: &Self) {
        let before = self.history.key();
        self.history.clone_from(&state.history);
        self.digests.replace(before, self.history.key());
    }
}
