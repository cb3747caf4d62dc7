//! From what an author wrote to a state that can be played.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{
    Board, Declarations, Effect, Piece, PieceId, Place, Pose, PropertyDeclaration, PropertyId, Scope, SeatSet, SetupMoment, State, Target,
    Value, ValueError, ValueType, ZoneId,
};

/// Pieces, options and properties as an author wrote them, by name. It may be wrong in many places at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The names of the seats that take part, in turn order; all declared ones if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<String>,
    /// Options that differ from their default: name and value.
    pub options: Vec<(String, String)>,
    /// The pieces, in the order in which they get their ids.
    pub pieces: Vec<SetupPiece>,
    /// Properties of the match, seats, cells and edges that differ from their default.
    pub values: Vec<SetupValue>,
    /// Where the match goes on, if it does not begin at its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Box<SetupMoment>>,
}

/// A piece as an author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupPiece {
    /// The name of its kind.
    pub kind: String,
    /// A name of its own, by which other pieces are put aboard it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the seat it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Where it starts.
    pub place: SetupPlace,
    /// Properties that differ from the kind's: name and value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, String)>,
}

/// Where a piece starts, as an author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupPlace {
    /// Out of play.
    #[default]
    Off,
    /// On a cell.
    Cell(String),
    /// On a side of a cell: the cell and the direction.
    Side(String, String),
    /// Posed on several cells: the first one and the pose.
    Posed(String, String),
    /// In a zone: the zone, and the seat it belongs to.
    Zone(String, Option<String>),
    /// Carried by another piece, given by its own name.
    Aboard(String),
}

/// A property as an author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupValue {
    /// What it belongs to.
    pub target: SetupTarget,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What a property belongs to, as an author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupTarget {
    /// The match.
    #[default]
    Match,
    /// A seat.
    Seat(String),
    /// A cell.
    Cell(String),
    /// The edge between two cells.
    Edge(String, String),
}

/// Something wrong in a setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SetupFault {
    /// Where.
    pub item: SetupItem,
    /// What.
    pub kind: SetupFaultKind,
}

/// A part of a setup, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants name the lists of a setup")]
pub enum SetupItem {
    Seat(usize),
    Option(usize),
    /// A cell of the map, for properties the map gives it.
    MapCell(super::CellId),
    /// An edge of the map, for properties the map gives it.
    MapEdge(super::EdgeId),
    Piece(usize),
    Value(usize),
    /// Where the match goes on.
    Moment,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum SetupFaultKind {
    #[error("there is no {what} {name:?}; known: {known}")]
    Unknown { what: &'static str, name: String, known: String },
    #[error("{name}: {error}")]
    Value { name: String, error: ValueError },
    #[error("option {0:?} is given twice")]
    Twice(String),
    #[error("seat {0:?} is named twice")]
    SeatTwice(String),
    #[error("{0:?} does not lie there: not all its cells are on the board, or it has no shape")]
    DoesNotLie(String),
    #[error("there are two pieces named {0:?}")]
    PieceTwice(String),
    #[error("{0:?} would be aboard itself")]
    AboardItself(String),
    #[error("more than 65,535 pieces")]
    TooMany,
}

fn known<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.take(13).collect();
    if names.len() > 12 {
        names.truncate(12);
        names.push("...");
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn parse(value_type: &ValueType, name: &str, text: &str) -> Read<Value> {
    value_type.parse(text).map_err(|error| SetupFaultKind::Value {
        name: name.to_owned(),
        error,
    })
}

type Read<T> = Result<T, SetupFaultKind>;

/// What was found, or else a fault that lists the names there are.
fn named<'n, T>(found: Option<T>, what: &'static str, name: &str, names: impl Iterator<Item = &'n str>) -> Read<T> {
    found.ok_or_else(|| SetupFaultKind::Unknown {
        what,
        name: name.to_owned(),
        known: known(names),
    })
}

/// Reads a value as authors write it.
pub(super) fn read_value(board: &Board, declarations: &Declarations, value_type: &ValueType, name: &str, text: &str) -> Option<Value> {
    Reader { board, declarations }.value(value_type, name, text).ok()
}

/// Everything that is wrong with a setup.
#[derive(Default)]
struct Faults(Vec<SetupFault>);

impl Faults {
    /// What was read of an item, if nothing is wrong with it.
    fn check<T>(&mut self, item: SetupItem, read: Read<T>) -> Option<T> {
        read.map_err(|kind| self.0.push(SetupFault { item, kind })).ok()
    }

    fn or<T>(self, sound: T) -> Result<T, Vec<SetupFault>> {
        if self.0.is_empty() { Ok(sound) } else { Err(self.0) }
    }
}

/// Reads names against a board and declarations.
struct Reader<'a> {
    board: &'a Board,
    declarations: &'a Declarations,
}

impl Reader<'_> {
    fn cell(&self, name: &str) -> Read<super::CellId> {
        let names = self.board.cells().map(|cell| self.board.cell_name(cell));
        named(self.board.find_cell(name), "cell", name, names)
    }

    fn seat(&self, name: &str) -> Read<super::SeatId> {
        let names = self.declarations.seats.iter().map(|seat| &*seat.name);
        named(self.declarations.find_seat(name), "seat", name, names)
    }

    fn kind(&self, name: &str) -> Read<super::KindId> {
        let names = self.declarations.kinds.iter().map(|kind| &*kind.name);
        named(self.declarations.find_kind(name), "kind", name, names)
    }

    fn zone(&self, name: &str, owner: Option<&str>) -> Read<ZoneId> {
        let owner = owner.map(|owner| self.seat(owner)).transpose()?;
        let names = self.declarations.zones.iter().map(|zone| &*zone.name);
        named(self.declarations.find_zone(name, owner), "zone", name, names)
    }

    fn place(&self, place: &SetupPlace) -> Read<Place> {
        Ok(match place {
            // What is aboard others goes there when all are there: its carrier may come later.
            SetupPlace::Off | SetupPlace::Aboard(_) => Place::Off,
            SetupPlace::Cell(cell) => Place::Cell(self.cell(cell)?),
            SetupPlace::Side(cell, direction) => {
                let names = self.board.directions().map(|direction| self.board.direction_name(direction));
                let side = named(self.board.find_direction(direction), "direction", direction, names);
                Place::Side(self.cell(cell)?, side?)
            }
            SetupPlace::Posed(cell, pose) => {
                let pose = named(pose.parse().ok(), "pose", pose, Pose::ALL.into_iter().map(Pose::word))?;
                Place::Posed(self.cell(cell)?, pose)
            }
            SetupPlace::Zone(zone, owner) => Place::Zone(self.zone(zone, owner.as_deref())?),
        })
    }

    fn property(&self, scope: Scope, name: &str) -> Read<(PropertyId, &PropertyDeclaration)> {
        let found = self.declarations.find_property(scope, name);
        let found = found.and_then(|id| Some((id, self.declarations.property(id)?)));
        let names = self.declarations.properties_of(scope).map(|(_, property)| &*property.name);
        named(found, "property", name, names)
    }

    fn value(&self, value_type: &ValueType, name: &str, text: &str) -> Read<Value> {
        let nothing = text.trim().is_empty() || text == "nothing";
        match value_type {
            ValueType::Cell if !nothing => Ok(Value::Cell(self.cell(text)?)),
            ValueType::Seat if !nothing => Ok(Value::Seat(self.seat(text)?)),
            ValueType::Kind if !nothing => Ok(Value::Kind(self.kind(text)?)),
            _ => parse(value_type, name, text),
        }
    }

    fn target(&self, target: &SetupTarget) -> Read<(Target, Scope)> {
        Ok(match target {
            SetupTarget::Match => (Target::Match, Scope::Match),
            SetupTarget::Seat(seat) => (Target::Seat(self.seat(seat)?), Scope::Seat),
            SetupTarget::Cell(cell) => (Target::Cell(self.cell(cell)?), Scope::Cell),
            SetupTarget::Edge(a, b) => {
                let edge = self.board.edge_between(self.cell(a)?, self.cell(b)?);
                let missing = || SetupFaultKind::Unknown {
                    what: "edge",
                    name: format!("{a} {b}"),
                    known: "neighbouring cells".to_owned(),
                };
                (Target::Edge(edge.ok_or_else(missing)?), Scope::Edge)
            }
        })
    }

    /// Sets the properties that the map gives its cells and edges.
    fn set_values_of_map(&self, state: &mut State, mut check: impl FnMut(SetupItem, Read<()>)) {
        for cell in self.board.cells() {
            for (name, text) in self.board.authored_properties(cell) {
                let read = self.set(state, Ok((Target::Cell(cell), Scope::Cell)), name, text);
                check(SetupItem::MapCell(cell), read);
            }
        }
        for edge in (0..self.board.edge_count()).map(super::EdgeId::from_index) {
            for (name, text) in self.board.authored_edge_properties(edge) {
                let read = self.set(state, Ok((Target::Edge(edge), Scope::Edge)), name, text);
                check(SetupItem::MapEdge(edge), read);
            }
        }
    }

    fn set(&self, state: &mut State, target: Read<(Target, Scope)>, name: &str, text: &str) -> Read<()> {
        let (target, scope) = target?;
        let (property, declared) = self.property(scope, name)?;
        let new = self.value(&declared.value_type, name, text)?;
        let old = state.value(target, property).cloned().unwrap_or_default();
        drop(state.apply(&Effect::Set {
            target,
            property,
            old,
            new,
        }));
        Ok(())
    }

    fn piece(&self, written: &SetupPiece, id: PieceId) -> Read<Piece> {
        let kind = self.kind(&written.kind)?;
        let owner = written.owner.as_deref().map(|owner| self.seat(owner)).transpose()?;
        let place = match self.place(&written.place)? {
            Place::Cell(cell) if self.declarations.figure(kind).is_some() => Place::Posed(cell, Pose::UPRIGHT),
            place => place,
        };
        let mut values = self.declarations.starting_values(kind);
        for (name, text) in &written.values {
            let (_, property) = self.property(Scope::Piece, name)?;
            let value = self.value(&property.value_type, name, text)?;
            if let Some(slot) = values.get_mut(usize::from(property.slot)) {
                *slot = value;
            }
        }
        Ok(Piece {
            id,
            kind,
            owner,
            place,
            revealed: SeatSet::EMPTY,
            values,
        })
    }
}

impl Declarations {
    /// The values of the piece properties that a new piece of a kind has.
    pub fn starting_values(&self, kind: super::KindId) -> SmallVec<[Value; 2]> {
        let mut values: SmallVec<[Value; 2]> = self.defaults(Scope::Piece).collect();
        for (id, value) in self.kind(kind).map_or(&[][..], |kind| &kind.values) {
            if let Some(slot) = self.property(*id).and_then(|property| values.get_mut(usize::from(property.slot))) {
                *slot = value.clone();
            }
        }
        values
    }

    /// Reads options as authors and players write them; those not given have their default.
    ///
    /// # Errors
    /// All options that do not exist, are given twice or have a value that is not allowed, with their index.
    pub fn read_options(&self, given: &[(String, String)]) -> Result<Vec<Value>, Vec<SetupFault>> {
        let mut values: Vec<Value> = self.options.iter().map(|option| option.default.clone()).collect();
        let mut faults = Faults::default();
        for (index, (name, text)) in given.iter().enumerate() {
            let read = || {
                let found = self.find_option(name).and_then(|id| Some((id, self.options.get(id)?)));
                let (id, option) = named(found, "option", name, self.options.iter().map(|option| &*option.name))?;
                if given.iter().take(index).any(|(other, _)| other == name) {
                    return Err(SetupFaultKind::Twice(name.clone()));
                }
                Ok((id, parse(&option.value_type, name, text)?))
            };
            if let Some((id, value)) = faults.check(SetupItem::Option(index), read())
                && let Some(slot) = values.get_mut(id)
            {
                *slot = value;
            }
        }
        faults.or(values)
    }
}

impl Setup {
    /// The declarations for the seats that take part.
    ///
    /// # Errors
    /// Every name that is that of no seat, or stands there twice.
    fn declarations(&self, declarations: &Arc<Declarations>) -> Result<Arc<Declarations>, Vec<SetupFault>> {
        if self.seats.is_empty() {
            return Ok(Arc::clone(declarations));
        }
        let mut faults = Faults::default();
        for (index, name) in self.seats.iter().enumerate() {
            let read = match declarations.find_seat(name) {
                Some(_) if self.seats.iter().take(index).any(|other| other == name) => Err(SetupFaultKind::SeatTwice(name.clone())),
                found => named(found, "seat", name, declarations.seats.iter().map(|seat| &*seat.name)),
            };
            faults.check(SetupItem::Seat(index), read);
        }
        faults.or(())?;
        let few = declarations.of_seats(self.seats.iter().map(String::as_str)).ok_or_else(Vec::new)?;
        Ok(if few == **declarations {
            Arc::clone(declarations)
        } else {
            Arc::new(few)
        })
    }

    /// The position of the piece that has a name of its own.
    fn find_piece(&self, name: &str) -> Read<usize> {
        let is_it = |piece: &SetupPiece| piece.name.as_deref() == Some(name);
        let names = self.pieces.iter().filter_map(|piece| piece.name.as_deref());
        named(self.pieces.iter().position(is_it), "piece", name, names)
    }

    /// Whether the piece at a position has a name that none before it has, and which carrier it goes aboard.
    fn carrier(&self, index: usize, piece: &SetupPiece) -> Read<Option<usize>> {
        if let Some(name) = &piece.name
            && self.find_piece(name)? != index
        {
            return Err(SetupFaultKind::PieceTwice(name.clone()));
        }
        let SetupPlace::Aboard(name) = &piece.place else { return Ok(None) };
        let carrier = self.find_piece(name)?;
        // As many steps as there are pieces lead out of every chain that is no circle.
        let mut next = Some(carrier);
        for _ in 0..self.pieces.len() {
            match next.and_then(|at| self.pieces.get(at)).map(|piece| &piece.place) {
                Some(SetupPlace::Aboard(name)) => next = self.find_piece(name).ok(),
                _ => return Ok(Some(carrier)),
            }
        }
        Err(SetupFaultKind::AboardItself(piece.kind.clone()))
    }

    /// Puts pieces aboard their carriers, once all are there.
    fn board_carriers(&self, state: &mut State, faults: &mut Faults) {
        let has_carriers = self
            .pieces
            .iter()
            .any(|piece| piece.name.is_some() || matches!(piece.place, SetupPlace::Aboard(_)));
        if !has_carriers {
            return;
        }
        let mut boarding = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let carrier = faults.check(SetupItem::Piece(index), self.carrier(index, piece)).flatten();
            boarding.extend(carrier.map(|carrier| (PieceId::from_index(index), PieceId::from_index(carrier))));
        }
        // Where a piece is missing, the positions are not their ids.
        for (piece, carrier) in boarding.into_iter().filter(|_| faults.0.is_empty()) {
            let (from, to) = (Place::Off, Place::Aboard(carrier));
            let (from_index, to_index) = (0, 0);
            let moved = Effect::Move {
                piece,
                from,
                from_index,
                to,
                to_index,
            };
            let applied = state.apply(&moved);
            debug_assert!(applied.is_ok(), "both are there");
        }
    }

    /// Makes a state: the only road from authored to playable. Its declarations are those of the seats that take part.
    ///
    /// # Errors
    /// Everything that is wrong, in the order seats, options, pieces, values.
    pub fn build(&self, board: &Arc<Board>, declarations: &Arc<Declarations>) -> Result<State, Vec<SetupFault>> {
        let mut faults = Faults::default();
        let declarations = &self.declarations(declarations).unwrap_or_else(|found| {
            faults.0.extend(found);
            Arc::clone(declarations)
        });
        let options = declarations.read_options(&self.options).unwrap_or_else(|found| {
            faults.0.extend(found);
            Vec::new()
        });
        let mut state = State::empty(Arc::clone(board), Arc::clone(declarations), &options);
        let reader = Reader { board, declarations };
        reader.set_values_of_map(&mut state, |item, read| {
            faults.check(item, read);
        });
        if self.pieces.len() > usize::from(u16::MAX) {
            faults.check(SetupItem::Piece(usize::from(u16::MAX)), Read::<()>::Err(SetupFaultKind::TooMany));
        }
        for (index, written) in self.pieces.iter().enumerate() {
            let spawned = reader.piece(written, state.next_piece()).and_then(|piece| {
                let spawned = state.apply(&Effect::Spawn(Box::new(piece)));
                spawned.map_err(|_| SetupFaultKind::DoesNotLie(written.kind.clone()))
            });
            faults.check(SetupItem::Piece(index), spawned);
        }
        self.board_carriers(&mut state, &mut faults);
        for (index, written) in self.values.iter().enumerate() {
            let read = reader.set(&mut state, reader.target(&written.target), &written.name, &written.value);
            faults.check(SetupItem::Value(index), read);
        }
        if let Some(moment) = self.moment.as_deref().filter(|_| faults.0.is_empty()) {
            let read = moment.apply(&mut state).map_err(|unknown| SetupFaultKind::Unknown {
                what: unknown.what,
                name: unknown.name,
                known: "see the ruleset and the map".to_owned(),
            });
            faults.check(SetupItem::Moment, read);
        }
        faults.or(state)
    }
}
impl State {
    /// Sets the properties that the map gives its cells and edges, but for secret ones.
    pub(super) fn set_open_values_of_map(&mut self) {
        let (board, declarations) = (Arc::clone(&self.board), Arc::clone(&self.declarations));
        let reader = Reader {
            board: &board,
            declarations: &declarations,
        };
        // What cannot be read was said when the match was set up.
        reader.set_values_of_map(self, |_, _| ());
        for (index, declared) in declarations
            .properties
            .iter()
            .enumerate()
            .filter(|(_, declared)| declared.is_secret)
        {
            let property = super::PropertyId::from_index(index);
            let mut targets = Vec::new();
            self.each_target(property, declared.scope, |target| targets.push(target));
            for target in targets {
                let old = self.value(target, property).cloned().unwrap_or_default();
                let new = declared.default.clone();
                drop(self.apply(&Effect::Set {
                    target,
                    property,
                    old,
                    new,
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::boards_for_tests::square;
    use super::super::{CellId, KindDeclaration};
    use super::*;

    fn build(pieces: &[(&str, Option<&str>, SetupPlace)]) -> Result<State, Vec<SetupFault>> {
        let kind = |name: &str| KindDeclaration {
            name: name.into(),
            title: name.into(),
            glyph: "".into(),
            values: Vec::new(),
            figure: None,
        };
        let declarations = Declarations {
            kinds: ["ship", "man"].map(kind).to_vec(),
            ..Declarations::default()
        };
        let piece = |(kind, name, place): &(&str, Option<&str>, SetupPlace)| SetupPiece {
            kind: (*kind).to_owned(),
            name: name.map(str::to_owned),
            place: place.clone(),
            ..SetupPiece::default()
        };
        let setup = Setup {
            pieces: pieces.iter().map(piece).collect(),
            ..Setup::default()
        };
        setup.build(&Arc::new(square(2, 2, false)), &Arc::new(declarations))
    }

    fn aboard(name: &str) -> SetupPlace {
        SetupPlace::Aboard(name.to_owned())
    }

    fn at(cell: &str) -> SetupPlace {
        SetupPlace::Cell(cell.to_owned())
    }

    #[test]
    fn pieces_go_aboard_others_whichever_is_listed_first() {
        let state = build(&[
            ("man", None, aboard("boat")),
            ("ship", Some("boat"), aboard("ferry")),
            ("ship", Some("ferry"), at("b1")),
        ]);
        let state = state.unwrap();
        let places: Vec<Place> = state.pieces().map(|piece| piece.place).collect();
        let ids = [PieceId(1), PieceId(2)].map(Place::Aboard);
        assert_eq!(places, [ids[0], ids[1], Place::Cell(CellId(1))]);
    }

    #[test]
    fn carriers_that_are_missing_named_twice_or_aboard_themselves_are_told() {
        let faults = |pieces: &[(&str, Option<&str>, SetupPlace)]| {
            let faults = build(pieces).unwrap_err();
            faults
                .iter()
                .map(|fault| format!("{:?}: {fault}", fault.item))
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(
            faults(&[("man", None, aboard("feri")), ("ship", Some("ferry"), at("a1"))]),
            "Piece(0): there is no piece \"feri\"; known: ferry"
        );
        assert_eq!(
            faults(&[("ship", Some("x"), at("a1")), ("ship", Some("x"), at("b1"))]),
            "Piece(1): there are two pieces named \"x\""
        );
        assert_eq!(
            faults(&[("ship", Some("x"), aboard("y")), ("ship", Some("y"), aboard("x"))]),
            "Piece(0): \"ship\" would be aboard itself\nPiece(1): \"ship\" would be aboard itself"
        );
    }
}
