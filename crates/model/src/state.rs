//! A match at one moment.

use std::sync::Arc;

use smallvec::SmallVec;

use super::digest::{self, Digests};
use super::edge_values::EdgeValues;
use super::position_history::PositionHistory;
use super::sight::Sight;
use super::stacks::Stacks;
use super::{
    Board, CellId, CellSet, Declarations, Outcome, Piece, PieceId, Place, PropertyId, Scope, SeatId, SeatSet, Sequence, Target, TerrainId,
    Value, ZoneId,
};

/// A zone's pieces in order, and how many more it holds that are not seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    pub(super) pieces: Vec<PieceId>,
    pub(super) unseen: u32,
}

impl Zone {
    /// The pieces that are seen, in order.
    pub fn pieces(&self) -> &[PieceId] {
        &self.pieces
    }

    /// How many more pieces it holds that are not seen.
    pub fn unseen(&self) -> u32 {
        self.unseen
    }

    /// How many pieces it holds, seen or not.
    pub fn count(&self) -> usize {
        self.pieces.len() + self.unseen as usize
    }
}

/// A match at one moment: board, pieces, properties, sequence, outcome. A state is valid: it is made from a
/// [`Setup`](super::Setup) that was checked, and only [`Effect`](super::Effect)s change it.
///
/// # Equality
/// Two states are equal when everything in them is, including which of two like pieces stands where. For "the same
/// position" as players mean it, compare [`position`](Self::position).
///
/// Cloning copies the pieces and indexes; board, declarations and the past are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Compared first: they tell nearly all states apart.
    pub(super) digests: Digests,
    pub(super) board: Arc<Board>,
    pub(super) declarations: Arc<Declarations>,
    pub(super) options: Arc<[Value]>,
    /// Shared with other states until they are changed.
    pub(super) pieces: Vec<Option<Arc<Piece>>>,
    pub(super) stacks: Stacks,
    pub(super) occupied: CellSet,
    pub(super) owned: Vec<CellSet>,
    /// The cells with a piece that has a word, by [`Declarations::word_place`].
    pub(super) worded: Vec<CellSet>,
    pub(super) in_play: Vec<u32>,
    pub(super) zones: Vec<Zone>,
    pub(super) terrains: Arc<[TerrainId]>,
    pub(super) match_values: Vec<Value>,
    pub(super) seat_values: Vec<Vec<Value>>,
    /// Of each property of cells its value on every cell.
    pub(super) cell_values: Vec<Arc<[Value]>>,
    pub(super) edge_values: Arc<EdgeValues>,
    pub(super) eliminated: SeatSet,
    pub(super) sequence: Sequence,
    pub(super) outcome: Option<Outcome>,
    pub(super) history: PositionHistory,
    /// Of views in rulesets with fog.
    pub(super) sight: Option<Box<Sight>>,
}

/// What lies under the pieces of a state: the board, its terrains, and what its edges have. It is held to see whether it is still the same.
#[derive(Clone, Debug)]
pub struct Ground {
    board: Arc<Board>,
    terrains: Arc<[TerrainId]>,
    edge_values: Arc<EdgeValues>,
}

impl Ground {
    /// That of a state.
    pub fn of(state: &State) -> Self {
        Self {
            board: Arc::clone(&state.board),
            terrains: Arc::clone(&state.terrains),
            edge_values: Arc::clone(&state.edge_values),
        }
    }

    /// Whether a state still has this very ground. It may say no where another is equal, and never yes where it differs.
    pub fn is_under(&self, state: &State) -> bool {
        Arc::ptr_eq(&self.terrains, &state.terrains)
            && Arc::ptr_eq(&self.edge_values, &state.edge_values)
            && Arc::ptr_eq(&self.board, &state.board)
    }
}

impl State {
    /// A board without pieces, every property at its default. `options` are the values of the declared options, in order;
    /// missing ones take their default.
    pub fn empty(board: Arc<Board>, declarations: Arc<Declarations>, options: &[Value]) -> Self {
        let cells = board.cell_count();
        let defaults = |scope| declarations.defaults(scope).collect::<Vec<_>>();
        let per_cell = defaults(Scope::Cell);
        let declared = declarations.options.iter().enumerate();
        let options = declared
            .map(|(index, option)| options.get(index).unwrap_or(&option.default).clone())
            .collect();
        let mut state = Self {
            options,
            pieces: Vec::new(),
            stacks: Stacks::empty(cells),
            occupied: CellSet::empty(cells),
            owned: vec![CellSet::empty(cells); declarations.seats.len()],
            worded: vec![CellSet::empty(cells); declarations.word_count()],
            in_play: vec![0; declarations.seats.len()],
            zones: vec![Zone::default(); declarations.zones.len()],
            terrains: (0..cells)
                .map(|index| declarations.terrain_of(&board, CellId::from_index(index)))
                .collect(),
            match_values: defaults(Scope::Match),
            seat_values: vec![defaults(Scope::Seat); declarations.seats.len()],
            cell_values: per_cell.iter().map(|value| vec![value.clone(); cells].into()).collect(),
            edge_values: Arc::default(),
            eliminated: SeatSet::EMPTY,
            sequence: Sequence::default(),
            outcome: None,
            history: PositionHistory::default(),
            sight: None,
            digests: Digests::default(),
            board,
            declarations,
        };
        state.digests = state.digests_from_scratch();
        state
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The declarations of the ruleset.
    #[inline]
    pub fn declarations(&self) -> &Arc<Declarations> {
        &self.declarations
    }

    /// The values of the options, in the order of their declaration.
    #[inline]
    pub fn options(&self) -> &Arc<[Value]> {
        &self.options
    }

    /// The value of a named option.
    pub fn option(&self, name: &str) -> Option<&Value> {
        self.options.get(self.declarations.find_option(name)?)
    }

    /// A piece by its id.
    #[inline]
    pub fn piece(&self, piece: PieceId) -> Option<&Piece> {
        self.pieces.get(piece.index())?.as_deref()
    }

    /// All pieces in rising order of their ids, those out of play included.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().flatten().map(|piece| &**piece)
    }

    /// The id the next piece gets.
    pub fn next_piece(&self) -> PieceId {
        PieceId::from_index(self.pieces.len())
    }

    /// The pieces on a cell or its sides, in rising order of their ids.
    #[inline]
    pub fn pieces_at(&self, cell: CellId) -> &[PieceId] {
        self.stacks.get(cell).map_or(&[], SmallVec::as_slice)
    }

    /// The lowest piece on a cell.
    #[inline]
    pub fn piece_at(&self, cell: CellId) -> Option<&Piece> {
        self.piece(*self.pieces_at(cell).first()?)
    }

    /// The cells with a piece on them.
    #[inline]
    pub fn occupied(&self) -> &CellSet {
        &self.occupied
    }

    /// The cells with a piece of a seat on them.
    #[inline]
    pub fn owned_by(&self, seat: SeatId) -> Option<&CellSet> {
        self.owned.get(seat.index())
    }

    /// The cells with a piece that has a value in a declared property.
    pub fn cells_having(&self, property: PropertyId, value: &Value) -> CellSet {
        if let Some(cells) = self
            .declarations
            .word_place(property, value)
            .and_then(|place| self.worded.get(place))
        {
            return cells.clone();
        }
        let mut cells = CellSet::empty(self.board.cell_count());
        let declared = self
            .declarations
            .property(property)
            .filter(|declared| declared.scope == Scope::Piece);
        let Some(slot) = declared.map(|declared| usize::from(declared.slot)) else {
            return cells;
        };
        for piece in self.pieces() {
            let Some(cell) = piece.place.cell().filter(|_| piece.values.get(slot) == Some(value)) else {
                continue;
            };
            match piece.place {
                Place::Posed(anchor, pose) => {
                    if let Some(figure) = self.declarations.figure(piece.kind) {
                        self.board.add_squares(figure.lying(pose), anchor, &mut cells);
                    }
                }
                _ => _ = cells.insert(cell),
            }
        }
        cells
    }

    /// How many pieces of a seat are in play, on the board or off it.
    #[inline]
    pub fn in_play(&self, seat: SeatId) -> usize {
        self.in_play.get(seat.index()).map_or(0, |count| *count as usize)
    }

    /// A zone.
    #[inline]
    pub fn zone(&self, zone: ZoneId) -> Option<&Zone> {
        self.zones.get(zone.index())
    }

    /// The ground of a cell.
    pub fn terrain(&self, cell: CellId) -> Option<TerrainId> {
        self.terrains.get(cell.index()).copied()
    }

    /// The grounds of all cells, which states share as long as none is changed.
    pub fn terrains(&self) -> &Arc<[TerrainId]> {
        &self.terrains
    }

    /// The cells of a terrain.
    pub fn cells_of_terrain(&self, terrain: TerrainId) -> CellSet {
        let is_there = self.terrains.iter().map(|known| *known == terrain);
        CellSet::from_flags(is_there).intersection(self.board.all())
    }

    /// The value of a declared property.
    pub fn value(&self, target: Target, property: PropertyId) -> Option<&Value> {
        let declaration = self.declarations.property(property)?;
        let slot = usize::from(declaration.slot);
        match (target, declaration.scope) {
            (Target::Match, Scope::Match) => self.match_values.get(slot),
            (Target::Seat(seat), Scope::Seat) => self.seat_values.get(seat.index())?.get(slot),
            (Target::Piece(piece), Scope::Piece) => self.piece(piece)?.values.get(slot),
            (Target::Cell(cell), Scope::Cell) => self.cell_values.get(slot)?.get(cell.index()),
            (Target::Edge(edge), Scope::Edge) if edge.index() < self.board.edge_count() => {
                Some(self.edge_values.get(edge, property).unwrap_or(&declaration.default))
            }
            _ => None,
        }
    }

    /// The values that the cells have in a declared property, cell after cell. Shared with the states before and after as long as none changes.
    pub fn cell_values(&self, property: PropertyId) -> Option<&Arc<[Value]>> {
        let declared = self
            .declarations
            .property(property)
            .filter(|declared| declared.scope == Scope::Cell)?;
        self.cell_values.get(usize::from(declared.slot))
    }

    /// Calls `take` with everything that has a property, but for pieces, and edges on which it has its default.
    pub(super) fn each_target(&self, property: PropertyId, scope: Scope, mut take: impl FnMut(Target)) {
        match scope {
            Scope::Match => take(Target::Match),
            Scope::Seat => self.declarations.all_seats().iter().for_each(|seat| take(Target::Seat(seat))),
            Scope::Cell => self.board.cells().for_each(|cell| take(Target::Cell(cell))),
            Scope::Edge => {
                let set = self.edge_values.keys().filter(|(_, set)| *set == property);
                set.for_each(|(edge, _)| take(Target::Edge(*edge)));
            }
            Scope::Piece => {}
        }
    }

    /// The seats that are out of the match.
    #[inline]
    pub fn eliminated(&self) -> SeatSet {
        self.eliminated
    }

    /// Round, turn, phase and open decisions.
    #[inline]
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The seats that may act now; none once the match has ended.
    #[inline]
    pub fn acting(&self) -> SeatSet {
        if self.outcome.is_some() {
            SeatSet::EMPTY
        } else {
            self.sequence.acting()
        }
    }

    /// How the match ended, if it has.
    #[inline]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// How many times the position at the beginning of this turn has stood, counting now. 0 unless the declarations count
    /// positions.
    #[inline]
    pub fn times_stood(&self) -> u32 {
        self.history.times()
    }

    /// What a seat moved in its last turn, if the declarations count positions and that turn was among the newest eight.
    pub fn last_displacement(&self, seat: SeatId) -> Option<super::Displacement> {
        self.history.displacement(seat, 8)
    }

    /// The digest of everything.
    pub fn digest(&self) -> u64 {
        self.digests.all
    }

    /// The digest without what is remembered of earlier positions: equal in a match and in a scenario made of its moment.
    pub fn digest_without_history(&self) -> u64 {
        self.digests.all.wrapping_sub(self.history.key().all)
    }

    /// The digest of the position as players mean it.
    pub fn position(&self) -> u64 {
        self.digests.position
    }

    /// The same number for pieces that players cannot tell apart: of the same kind, seat and place, with the same properties.
    pub fn likeness(&self, piece: &Piece) -> u64 {
        let key = digest::piece_key(&self.declarations, piece);
        // Pieces out of play are no part of the position.
        if piece.place.is_off() { key.all } else { key.position }
    }

    /// The digest computed again from the contents. Equal to [`digest`](Self::digest) unless memory or a file was damaged.
    pub fn digest_from_scratch(&self) -> u64 {
        self.digests_from_scratch().all
    }

    pub(super) fn digests_from_scratch(&self) -> Digests {
        let mut sum = Digests::default();
        for piece in self.pieces() {
            sum.add(digest::piece_key(&self.declarations, piece));
        }
        for (index, zone) in self.zones.iter().enumerate() {
            sum.add(digest::order_key(ZoneId::from_index(index), &zone.pieces));
            sum.add(digest::unseen_key(ZoneId::from_index(index), zone.unseen));
        }
        for (index, terrain) in self.terrains.iter().enumerate() {
            sum.add(digest::terrain_key(index, *terrain));
        }
        for (id, declaration) in self.declarations.properties.iter().enumerate() {
            let property = PropertyId::from_index(id);
            self.each_target(property, declaration.scope, |target| {
                if let Some(value) = self.value(target, property) {
                    sum.add(digest::property_key(&self.declarations, target, id, value));
                }
            });
        }
        sum.add(digest::turn_key(self.sequence.mark));
        sum.add(digest::phase_key(self.sequence.phase));
        for (depth, decision) in self.sequence.decisions.iter().enumerate() {
            sum.add(digest::decision_key(depth, decision));
        }
        sum.add(digest::eliminated_key(self.eliminated));
        if let Some(outcome) = &self.outcome {
            sum.add(digest::outcome_key(outcome));
        }
        sum.add(self.history.key());
        if let Some(sight) = &self.sight {
            sight.visible.iter().for_each(|cell| sum.add(digest::visible_key(cell)));
            let explored = sight.explored.iter().flatten();
            explored.for_each(|cell| sum.add(digest::explored_key(cell)));
        }
        sum
    }
}
