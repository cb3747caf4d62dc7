//! A setup that begins in the middle of a match: what a position has besides pieces, options and properties.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Board, CellId, Declarations, EdgeId, Effect, PhaseId, Piece, PieceId, Place, PropertyId, Scope, SeatId, SeatSet, Setup, SetupPiece,
    SetupPlace, SetupTarget, SetupValue, State, Target, TurnMark, TurnSet, Value, Zone, ZoneId,
};

/// Where a match goes on that does not begin at its beginning: `start` is not called, and the turn is under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupMoment {
    /// The round, from 1.
    pub round: u32,
    /// The turn, from 1, counted through the whole match.
    pub turn: u32,
    /// The seat on turn.
    pub seat: Option<String>,
    /// The declared turn of the round, where turns are declared.
    pub turn_name: Option<String>,
    /// The seat that rounds begin with, where it is not the first one.
    pub first: Option<String>,
    /// The declared turns that do not come again.
    pub closed: Vec<String>,
    /// The phase.
    pub phase: String,
    /// The seats that are out of the match.
    pub out: Vec<String>,
    /// Cells whose terrain is not that of the map.
    pub terrains: Vec<MomentTerrain>,
    /// Zones whose pieces are not in the order in which they are listed.
    pub zones: Vec<MomentZone>,
    /// Pieces that seats have been shown.
    pub pieces: Vec<MomentPiece>,
    /// Values that no text stands for, such as lists.
    pub values: Vec<MomentValue>,
}

/// Cells of a terrain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentTerrain {
    /// The name of the terrain.
    pub terrain: String,
    /// The names of the cells.
    pub cells: Vec<String>,
}

/// The order of the pieces of a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentZone {
    /// The name of the zone.
    pub zone: String,
    /// The seat it belongs to.
    pub owner: Option<String>,
    /// The pieces, by their places in the list of pieces, from 0.
    pub pieces: Vec<u32>,
}

/// What a piece has besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentPiece {
    /// Its place in the list of pieces, from 0.
    pub piece: u32,
    /// The seats to whom it has been shown although its place hides it.
    pub shown_to: Vec<String>,
}

/// A value as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentValue {
    /// The piece that has it, if it is one.
    pub piece: Option<u32>,
    /// What else has it.
    pub target: SetupTarget,
    /// The name of the property.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// Why no scenario can be made of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MomentError {
    #[error("the match is over")]
    Over,
    #[error("a question is open: it has to be answered first")]
    Question,
    #[error("the match has something that cannot be written down")]
    Differs,
}

fn seat_name(declarations: &Declarations, seat: SeatId) -> Option<String> {
    declarations.seats.get(seat.index()).map(|seat| seat.name.to_string())
}

fn seat_names(declarations: &Declarations, seats: SeatSet) -> Vec<String> {
    seats.iter().filter_map(|seat| seat_name(declarations, seat)).collect()
}

impl Setup {
    /// The setup that begins where a match stands. `self` is the one that it began with.
    ///
    /// # Errors
    /// If the match is over, waits for an answer, or has something that a setup cannot hold.
    pub fn at_moment(&self, state: &State) -> Result<Self, MomentError> {
        if state.outcome().is_some() {
            return Err(MomentError::Over);
        }
        if !state.sequence().decisions.is_empty() {
            return Err(MomentError::Question);
        }
        let mut writer = Writer {
            state,
            setup: Self {
                seats: self.seats.clone(),
                ..Self::default()
            },
            moment: SetupMoment::default(),
        };
        writer.options();
        writer.pieces()?;
        writer.values();
        writer.sequence();
        writer.setup.moment = Some(Box::new(writer.moment));
        let setup = writer.setup;
        let built = setup.build(state.board(), state.declarations()).map_err(|_| MomentError::Differs)?;
        if built.digest_without_history() == state.digest_without_history() {
            Ok(setup)
        } else {
            Err(MomentError::Differs)
        }
    }
}

struct Writer<'a> {
    state: &'a State,
    setup: Setup,
    moment: SetupMoment,
}

impl Writer<'_> {
    fn declarations(&self) -> &Declarations {
        self.state.declarations()
    }

    fn options(&mut self) {
        let declared = self.declarations().options.iter().zip(self.state.options().iter());
        let changed = declared.filter(|(option, value)| option.default != **value);
        self.setup.options = changed
            .map(|(option, value)| (option.name.to_string(), value.to_string()))
            .collect();
    }

    /// A value as authors write it, if what they write stands for it alone.
    fn text(&self, property: PropertyId, value: &Value) -> Option<String> {
        let declarations = self.declarations();
        let text = match value {
            Value::Nothing => "nothing".to_owned(),
            Value::Cell(cell) => self.state.board().cell_name(*cell).to_owned(),
            Value::Seat(seat) => seat_name(declarations, *seat)?,
            Value::Kind(kind) => declarations.kind(*kind)?.name.to_string(),
            Value::Piece(_) | Value::List(_) => return None,
            value => value.to_string(),
        };
        let declared = declarations.property(property)?;
        let read = super::setup::read_value(self.state.board(), declarations, &declared.value_type, &declared.name, &text);
        (read.as_ref() == Some(value)).then_some(text)
    }

    fn pieces(&mut self) -> Result<(), MomentError> {
        for index in 0..self.state.next_piece().index() {
            let id = PieceId::from_index(index);
            let piece = self.state.piece(id).ok_or(MomentError::Differs)?.clone();
            let written = self.piece(&piece).ok_or(MomentError::Differs)?;
            self.setup.pieces.push(written);
            if !piece.revealed.is_empty() {
                self.moment.pieces.push(MomentPiece {
                    piece: id.0,
                    shown_to: seat_names(self.declarations(), piece.revealed),
                });
            }
        }
        for index in 0..self.declarations().zones.len() {
            let id = ZoneId::from_index(index);
            let pieces = self.state.zone(id).map_or(&[][..], Zone::pieces);
            if !pieces.is_sorted() {
                let (zone, owner) = self.zone(id).ok_or(MomentError::Differs)?;
                self.moment.zones.push(MomentZone {
                    zone,
                    owner,
                    pieces: pieces.iter().map(|piece| piece.0).collect(),
                });
            }
        }
        Ok(())
    }

    fn zone(&self, zone: ZoneId) -> Option<(String, Option<String>)> {
        let declarations = self.declarations();
        let zone = declarations.zones.get(zone.index())?;
        let owner = zone.owner.map(|seat| seat_name(declarations, seat));
        Some((zone.name.to_string(), owner.flatten()))
    }

    /// The name that a carrier gets: its kind with its id.
    fn piece_name(&self, id: PieceId) -> Option<String> {
        let kind = self.declarations().kind(self.state.piece(id)?.kind)?;
        Some(format!("{}-{}", kind.name, id.0))
    }

    fn piece(&mut self, piece: &Piece) -> Option<SetupPiece> {
        let board = Arc::clone(self.state.board());
        let cell = |cell: CellId| board.cell_name(cell).to_owned();
        let place = match piece.place {
            Place::Off => SetupPlace::Off,
            Place::Aboard(carrier) => SetupPlace::Aboard(self.piece_name(carrier)?),
            Place::Cell(at) => SetupPlace::Cell(cell(at)),
            Place::Side(at, side) => SetupPlace::Side(cell(at), board.direction_name(side).to_owned()),
            Place::Posed(at, pose) => SetupPlace::Posed(cell(at), pose.word().to_owned()),
            Place::Zone(zone) => {
                let (zone, owner) = self.zone(zone)?;
                SetupPlace::Zone(zone, owner)
            }
        };
        let declarations = Arc::clone(self.state.declarations());
        let mut values = Vec::new();
        let default = declarations.starting_values(piece.kind);
        for (((id, property), value), default) in declarations.properties_of(Scope::Piece).zip(&piece.values).zip(&default) {
            if value == default {
                continue;
            }
            match self.text(id, value) {
                Some(text) => values.push((property.name.to_string(), text)),
                None => self.moment.values.push(MomentValue {
                    piece: Some(piece.id.0),
                    name: property.name.to_string(),
                    value: value.clone(),
                    ..MomentValue::default()
                }),
            }
        }
        let carries = |other: &Piece| other.place == Place::Aboard(piece.id);
        let has_passengers = self.state.pieces().any(carries);
        Some(SetupPiece {
            kind: declarations.kind(piece.kind)?.name.to_string(),
            name: has_passengers.then(|| self.piece_name(piece.id)).flatten(),
            owner: piece.owner.map(|seat| seat_name(&declarations, seat)).unwrap_or_default(),
            place,
            values,
        })
    }

    /// The properties of all but pieces, and the terrains, that are not as the map has them.
    fn values(&mut self) {
        let (state, declarations, board) = (self.state, Arc::clone(self.state.declarations()), Arc::clone(self.state.board()));
        let plain = Setup {
            options: self.setup.options.clone(),
            ..Setup::default()
        };
        let base = plain.build(&board, &declarations);
        let base = base.unwrap_or_else(|_| State::empty(Arc::clone(&board), Arc::clone(&declarations), state.options()));
        let seats = (0..declarations.seats.len()).map(SeatId::from_index);
        let seats = seats.filter_map(|seat| Some((Target::Seat(seat), Scope::Seat, SetupTarget::Seat(seat_name(&declarations, seat)?))));
        let cells = board
            .cells()
            .map(|cell| (Target::Cell(cell), Scope::Cell, SetupTarget::Cell(board.cell_name(cell).to_owned())));
        let edges = (0..board.edge_count()).map(EdgeId::from_index).map(|edge| {
            let (a, b) = board.edge_ends(edge);
            let name = |cell: CellId| board.cell_name(cell).to_owned();
            (Target::Edge(edge), Scope::Edge, SetupTarget::Edge(name(a), name(b)))
        });
        let all = std::iter::once((Target::Match, Scope::Match, SetupTarget::Match))
            .chain(seats)
            .chain(cells)
            .chain(edges);
        for (target, scope, named) in all {
            for (id, property) in declarations.properties_of(scope) {
                let value = state.value(target, id);
                let Some(value) = value.filter(|value| base.value(target, id) != Some(value)) else {
                    continue;
                };
                let (target, name) = (named.clone(), property.name.to_string());
                match self.text(id, value) {
                    Some(value) => self.setup.values.push(SetupValue { target, name, value }),
                    None => self.moment.values.push(MomentValue {
                        piece: None,
                        target,
                        name,
                        value: value.clone(),
                    }),
                }
            }
        }
        for cell in board.cells() {
            let terrain = state.terrain(cell).filter(|terrain| base.terrain(cell) != Some(*terrain));
            let Some(terrain) = terrain.and_then(|terrain| declarations.terrains.get(terrain.index())) else {
                continue;
            };
            let name = board.cell_name(cell).to_owned();
            match self.moment.terrains.iter_mut().find(|one| *one.terrain == *terrain.name) {
                Some(one) => one.cells.push(name),
                None => self.moment.terrains.push(MomentTerrain {
                    terrain: terrain.name.to_string(),
                    cells: vec![name],
                }),
            }
        }
    }

    fn sequence(&mut self) {
        let declarations = Arc::clone(self.state.declarations());
        let (mark, phase) = (self.state.sequence().mark, self.state.sequence().phase);
        let turn_name = |place: u8| declarations.turn(place).map(|turn| turn.name.to_string());
        let moment = &mut self.moment;
        (moment.round, moment.turn) = (mark.round, mark.turn);
        moment.seat = mark.seat.and_then(|seat| seat_name(&declarations, seat));
        moment.turn_name = turn_name(mark.place);
        moment.first = mark.first.and_then(|seat| seat_name(&declarations, seat));
        moment.closed = (0..32).filter(|place| mark.closed.contains(*place)).filter_map(turn_name).collect();
        moment.phase = declarations
            .phases
            .get(phase.index())
            .map_or_else(String::new, |phase| phase.name.to_string());
        moment.out = seat_names(&declarations, self.state.eliminated());
    }
}

impl SetupMoment {
    /// Brings a state that has all pieces to this moment.
    ///
    /// # Errors
    /// What of it is not there.
    pub(super) fn apply(&self, state: &mut State) -> Result<(), Unknown> {
        let (board, declarations) = (Arc::clone(state.board()), Arc::clone(state.declarations()));
        let names = Names {
            board: &board,
            declarations: &declarations,
        };
        for terrain in &self.terrains {
            let new = declarations
                .find_terrain(&terrain.terrain)
                .ok_or_else(|| Unknown::new("terrain", &terrain.terrain))?;
            for name in &terrain.cells {
                let cell = names.cell(name)?;
                let old = state.terrain(cell).unwrap_or(new);
                if old != new {
                    apply(state, &Effect::Terrain { cell, old, new })?;
                }
            }
        }
        self.place_pieces(state, names)?;
        for value in &self.values {
            let (target, scope) = match (value.piece, &value.target) {
                (Some(piece), _) => (Target::Piece(PieceId(piece)), Scope::Piece),
                (None, SetupTarget::Match) => (Target::Match, Scope::Match),
                (None, SetupTarget::Seat(seat)) => (Target::Seat(names.seat(seat)?), Scope::Seat),
                (None, SetupTarget::Cell(cell)) => (Target::Cell(names.cell(cell)?), Scope::Cell),
                (None, SetupTarget::Edge(a, b)) => {
                    let edge = board.edge_between(names.cell(a)?, names.cell(b)?);
                    (
                        Target::Edge(edge.ok_or_else(|| Unknown::new("edge", &format!("{a} {b}")))?),
                        Scope::Edge,
                    )
                }
            };
            let unknown = || Unknown::new("property", &value.name);
            let property = declarations.find_property(scope, &value.name).ok_or_else(unknown)?;
            let fits = declarations
                .property(property)
                .is_some_and(|declared| declared.value_type.check(&value.value).is_ok());
            let old = state.value(target, property).filter(|_| fits).ok_or_else(unknown)?.clone();
            let new = value.value.clone();
            apply(
                state,
                &Effect::Set {
                    target,
                    property,
                    old,
                    new,
                },
            )?;
        }
        self.go_to(state, names)
    }

    fn place_pieces(&self, state: &mut State, names: Names<'_>) -> Result<(), Unknown> {
        for piece in &self.pieces {
            let id = PieceId(piece.piece);
            let found = state.piece(id).ok_or_else(|| Unknown::new("piece", &piece.piece.to_string()))?;
            let old = found.revealed;
            let new = piece.shown_to.iter().map(|seat| names.seat(seat)).collect::<Result<SeatSet, _>>()?;
            if new != old {
                apply(state, &Effect::Reveal { piece: id, old, new })?;
            }
        }
        for order in &self.zones {
            let owner = order.owner.as_deref().map(|owner| names.seat(owner)).transpose()?;
            let zone = names
                .declarations
                .find_zone(&order.zone, owner)
                .ok_or_else(|| Unknown::new("zone", &order.zone))?;
            let old: Arc<[PieceId]> = state.zone(zone).map_or_else(Arc::default, |zone| zone.pieces().into());
            let new: Arc<[PieceId]> = order.pieces.iter().map(|piece| PieceId(*piece)).collect();
            let sorted = |pieces: &[PieceId]| {
                let mut pieces = pieces.to_vec();
                pieces.sort_unstable();
                pieces
            };
            if sorted(&old) != sorted(&new) {
                return Err(Unknown::new("order of the zone", &order.zone));
            }
            apply(state, &Effect::Reorder { zone, old, new })?;
        }
        Ok(())
    }

    /// The turn and the phase.
    fn go_to(&self, state: &mut State, names: Names<'_>) -> Result<(), Unknown> {
        for seat in &self.out {
            apply(state, &Effect::Eliminate(names.seat(seat)?))?;
        }
        let place = |name: &String| {
            let mut places = (0..32).zip(&names.declarations.turns);
            let found = places.find(|(_, turn)| *turn.name == **name).map(|(place, _)| place);
            found.ok_or_else(|| Unknown::new("turn", name))
        };
        let closed = self
            .closed
            .iter()
            .try_fold(TurnSet::default(), |closed, name| Ok(closed.with(place(name)?)))?;
        let seat = |name: &Option<String>| name.as_deref().map(|name| names.seat(name)).transpose();
        let new = TurnMark {
            round: self.round,
            turn: self.turn,
            seat: seat(&self.seat)?,
            place: self.turn_name.as_ref().map(place).transpose()?.unwrap_or(0),
            closed,
            first: seat(&self.first)?,
        };
        let old = state.sequence().mark;
        let (fresh, displacement) = (true, None);
        apply(
            state,
            &Effect::Turn {
                old,
                new,
                fresh,
                displacement,
            },
        )?;
        let phase = names.declarations.phases.iter().position(|phase| *phase.name == *self.phase);
        let new = PhaseId::from_index(phase.ok_or_else(|| Unknown::new("phase", &self.phase))?);
        let old = state.sequence().phase;
        if old == new {
            Ok(())
        } else {
            apply(state, &Effect::Phase { old, new })
        }
    }
}

/// Something that a moment names and that is not there, or does not fit.
pub(super) struct Unknown {
    pub(super) what: &'static str,
    pub(super) name: String,
}

impl Unknown {
    fn new(what: &'static str, name: &str) -> Self {
        Self {
            what,
            name: name.to_owned(),
        }
    }
}

fn apply(state: &mut State, effect: &Effect) -> Result<(), Unknown> {
    state.apply(effect).map_err(|error| Unknown::new("moment", &error.to_string()))
}

#[derive(Clone, Copy)]
struct Names<'a> {
    board: &'a Board,
    declarations: &'a Declarations,
}

impl Names<'_> {
    fn cell(self, name: &str) -> Result<CellId, Unknown> {
        self.board.find_cell(name).ok_or_else(|| Unknown::new("cell", name))
    }

    fn seat(self, name: &str) -> Result<SeatId, Unknown> {
        self.declarations.find_seat(name).ok_or_else(|| Unknown::new("seat", name))
    }
}
