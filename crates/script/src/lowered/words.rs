//! The words of the script API that rules use most, for lowered code. What is not here is called by way of the engine: see [`super::natives`].

use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

use rhai::{INT, ImmutableString};

use super::Names;
use super::code::{Exit, Getter, Operator, Owner, Property, Run, TABLES, Verb, Word, position};
use super::machine::{Arguments, Machine};
use super::value::{Entries, List, Range, Value};
use crate::api::cell_sets::{by_cell, by_piece, by_word, has_row, sum};
use crate::api::entities::following;
use crate::api::handles;
use crate::api::movement::reach_of;
use crate::api::turn::{create_at, find_zone, roll_dice, sow_along};
use crate::api::view::{goes_back, sum_of_distances};
use crate::table::LoweredTable;
use crate::value::Items;
use boardwright_model::{CellId, CellSet, CellSight, PieceId, Place, PropertyId, Scope, SeatId, State, Target, Value as Stored, ValueType};
use boardwright_rules::Transaction;

/// What a native gives that is called directly: nothing where the engine has to call it.
type Direct = Option<Run>;

/// What has declared properties, and the scope they are declared in.
fn target_of(object: &Value) -> Option<(Target, Scope, Owner)> {
    Some(match object {
        Value::View => (Target::Match, Scope::Match, Owner::View),
        Value::Seat(seat) => (Target::Seat(*seat), Scope::Seat, Owner::Seat),
        Value::Piece(piece) => (Target::Piece(*piece), Scope::Piece, Owner::Piece),
        Value::Cell(cell) => (Target::Cell(*cell), Scope::Cell, Owner::Cell),
        _ => return None,
    })
}

/// The declared property of a name, which is looked for once.
fn declared(names: &Rc<Names>, state: &State, property: &Property, scope: Scope, owner: Owner) -> Option<PropertyId> {
    let is_usual = std::sync::Arc::ptr_eq(state.declarations(), &names.declarations);
    if let Some((found_in, found_of, id)) = &*property.found.borrow()
        && *found_of == owner
        && is_usual
        && Rc::ptr_eq(found_in, names)
    {
        return Some(*id);
    }
    let id = state.declarations().find_property(scope, &property.name)?;
    if is_usual {
        *property.found.borrow_mut() = Some((Rc::clone(names), owner, id));
    }
    Some(id)
}

/// Whether a property of a handle is a declared one.
pub(super) fn is_declared(object: &Value, property: &Property) -> bool {
    target_of(object).is_some_and(|(.., owner)| property.natives & owner as u8 == 0)
}

/// Whether a value is one of the engine's own types, for which it has operators built in.
fn is_own(value: &Value) -> bool {
    matches!(
        value,
        Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Text(_) | Value::List(_) | Value::Map(_)
    )
}

/// Whether an operator between two values is built into the engine.
pub(super) fn is_built_in(a: &Value, b: &Value) -> bool {
    matches!(
        (a, b),
        (Value::Int(_), Value::Int(_))
            | (Value::Bool(_), Value::Bool(_))
            | (Value::Text(_), Value::Text(_))
            | (Value::Char(_), Value::Char(_))
    )
}

/// The order of two values by which lists are sorted.
pub(super) fn order(a: &Value, b: &Value) -> Run<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Ok(a.as_str().cmp(b.as_str())),
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        _ => Err(Exit::Abandon),
    }
}

/// Whether two values are equal; nothing where the engine has to say it, or it is a mistake to ask.
fn same(a: &Value, b: &Value) -> Option<bool> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Char(a), Value::Char(b)) => a == b,
        (Value::Unit, Value::Unit) => true,
        (Value::Cell(a), Value::Cell(b)) => a == b,
        (Value::Piece(a), Value::Piece(b)) => a == b,
        (Value::Seat(a), Value::Seat(b)) => a == b,
        (Value::Vector(a), Value::Vector(b)) => a == b,
        // Handles are never equal to texts, and the engine says so.
        (Value::Cell(_) | Value::Piece(_) | Value::Seat(_), Value::Text(_))
        | (Value::Text(_), Value::Cell(_) | Value::Piece(_) | Value::Seat(_)) => {
            return None;
        }
        (a, b) if is_simple(a) && is_simple(b) => false,
        // Nothing but lists and such is ever equal to them.
        (Value::List(_) | Value::Map(_) | Value::Cells(_), Value::Unit)
        | (Value::Unit, Value::List(_) | Value::Map(_) | Value::Cells(_)) => false,
        _ => return None,
    })
}

fn is_simple(value: &Value) -> bool {
    matches!(
        value,
        Value::Unit
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::Cell(_)
            | Value::Piece(_)
            | Value::Seat(_)
            | Value::Vector(_)
    )
}

fn int(value: Option<&Value>) -> Option<INT> {
    match value {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

fn text(value: Option<&Value>) -> Option<&ImmutableString> {
    match value {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

fn cell(value: Option<&Value>) -> Option<CellId> {
    match value {
        Some(Value::Cell(cell)) => Some(*cell),
        _ => None,
    }
}

fn set(value: Option<&Value>) -> Option<&Rc<CellSet>> {
    match value {
        Some(Value::Cells(cells)) => Some(cells),
        _ => None,
    }
}

impl Machine<'_> {
    /// Reads the state; an error is told by the engine.
    fn read<R>(&self, read: impl FnOnce(&State) -> Option<R>) -> Run<R> {
        let found = self.context.read(|state| Ok(read(state)));
        found.ok().flatten().ok_or(Exit::Abandon)
    }

    fn piece<R>(&self, piece: PieceId, read: impl FnOnce(&State, &boardwright_model::Piece) -> R) -> Run<R> {
        self.read(|state| Some(read(state, state.piece(piece)?)))
    }

    /// Changes the state; an error is told by the engine.
    fn alter(&self, change: impl FnOnce(&mut Transaction) -> Result<(), boardwright_model::Rejection>) -> Run {
        self.context.change(change).map_err(|_| Exit::Abandon)?;
        Ok(Value::Unit)
    }

    /// A value of the model as scripts see it.
    fn stored(&self, value: &Stored) -> Value {
        match value {
            Stored::Nothing => Value::Unit,
            Stored::Integer(number) => Value::Int(*number),
            Stored::Flag(flag) => Value::Bool(*flag),
            Stored::Text(text) => Value::text(&**text),
            Stored::Cell(id) => Value::Cell(*id),
            Stored::Piece(id) => Value::Piece(*id),
            Stored::Seat(id) => Value::Seat(*id),
            Stored::Kind(id) => Value::or_unit(self.names.kinds.get(id.index()), |name| Value::Text(name.clone())),
            Stored::List(values) => Value::list(values.iter().map(|value| self.stored(value))),
        }
    }

    /// A value as the model holds it, for a property of a type.
    fn to_store(&self, state: &State, value: &Value, value_type: &ValueType) -> Option<Stored> {
        if let (ValueType::Kind, Value::Text(name)) = (value_type, value) {
            return state.declarations().find_kind(name).map(Stored::Kind);
        }
        self.plainly(value)
    }

    fn plainly(&self, value: &Value) -> Option<Stored> {
        Some(match value {
            Value::Unit => Stored::Nothing,
            Value::Int(number) => Stored::Integer(*number),
            Value::Bool(flag) => Stored::Flag(*flag),
            Value::Text(text) => Stored::text(text),
            Value::Cell(id) => Stored::Cell(*id),
            Value::Piece(id) => Stored::Piece(*id),
            Value::Seat(id) => Stored::Seat(*id),
            Value::List(list) => Stored::List(list.items().iter().map(|item| self.plainly(item)).collect::<Option<_>>()?),
            Value::Table(table) => {
                let items = table.as_list()?.iter();
                Stored::List(
                    items
                        .map(|item| self.plainly(&Value::of(&self.context, item)))
                        .collect::<Option<_>>()?,
                )
            }
            _ => return None,
        })
    }

    /// Reads a property.
    #[inline]
    pub(super) fn get(&mut self, object: &Value, property: &Property) -> Run {
        if !self.is_profiled() {
            return self.get_unprofiled(object, property);
        }
        self.sample(None);
        let found = self.get_unprofiled(object, property);
        self.sample(Some(&property.name));
        found
    }

    fn get_unprofiled(&mut self, object: &Value, property: &Property) -> Run {
        let name = property.name.as_str();
        match object {
            Value::Map(map) => {
                self.count(1)?;
                return property.value_in(map).cloned().ok_or(Exit::Abandon);
            }
            Value::Table(table) => {
                self.count(if property.natives & TABLES == 0 { 2 } else { 1 })?;
                return match name {
                    "len" => Ok(Value::count(match table.items() {
                        Items::List(list) => list.len(),
                        Items::Map(map) => map.len(),
                    })),
                    "is_empty" => Ok(Value::Bool(match table.items() {
                        Items::List(list) => list.is_empty(),
                        Items::Map(map) => map.is_empty(),
                    })),
                    _ => match table.lowered() {
                        Some(LoweredTable::Map(map)) => property.value_in(map).cloned().ok_or(Exit::Abandon),
                        _ => self.entry(table, name),
                    },
                };
            }
            Value::Text(text) => {
                self.count(1)?;
                return match name {
                    "len" => Ok(Value::count(text.chars().count())),
                    "is_empty" => Ok(Value::Bool(text.is_empty())),
                    _ => Err(Exit::Abandon),
                };
            }
            Value::List(list) => {
                self.count(1)?;
                return match name {
                    "len" => Ok(Value::count(list.items().len())),
                    "is_empty" => Ok(Value::Bool(list.items().is_empty())),
                    _ => Err(Exit::Abandon),
                };
            }
            Value::Cells(cells) => {
                if let Some(found) = self.get_of_cells(cells, property.getter) {
                    self.count(1)?;
                    return found;
                }
            }
            Value::Reach(reach) if property.getter == Getter::Cells => {
                self.count(1)?;
                self.pay(by_word(&reach.cells))?;
                return Ok(Value::cells(reach.cells.clone()));
            }
            Value::Options => {
                self.count(2)?;
                let found = self.context.read(|state| Ok(state.option(name).map(|value| self.stored(value))));
                return found.ok().flatten().ok_or(Exit::Abandon);
            }
            Value::Question => {
                self.count(2)?;
                return self.read(|state| {
                    let data = &state.sequence().decision()?.data;
                    let (_, value) = data.iter().find(|(known, _)| **known == *name)?;
                    Some(self.stored(value))
                });
            }
            Value::Vector(vector) if name == "length" => {
                self.count(1)?;
                return self.read(|state| Some(Value::Int(INT::from(state.board().vector_length(*vector)?))));
            }
            _ => {}
        }
        if let Some((target, scope, owner)) = target_of(object) {
            if property.natives & owner as u8 == 0 {
                self.count(2)?;
                return self.read(|state| Some(self.stored(state.value(target, declared(&self.names, state, property, scope, owner)?)?)));
            }
            let found = match object {
                Value::View => self.get_of_view(property.getter),
                Value::Seat(seat) => self.get_of_seat(*seat, property.getter),
                Value::Piece(piece) => self.get_of_piece(*piece, property.getter),
                Value::Cell(cell) => self.get_of_cell(*cell, property.getter),
                _ => None,
            };
            if let Some(found) = found {
                self.count(1)?;
                return found;
            }
        }
        self.native_get(object.clone(), property)
    }

    /// A declared property by a name that is worked out.
    pub(super) fn declared(&mut self, object: &Value, name: &str) -> Run {
        let (target, scope, _) = target_of(object).ok_or(Exit::Abandon)?;
        self.read(|state| {
            let property = state.declarations().find_property(scope, name)?;
            Some(self.stored(state.value(target, property)?))
        })
    }

    /// Sets a property.
    pub(super) fn set(&mut self, object: &Value, property: &Property, value: Value) -> Run<()> {
        let Some((target, scope, owner)) = target_of(object).filter(|(.., owner)| property.natives & *owner as u8 == 0) else {
            return self.native_set(object.clone(), property, value);
        };
        self.count(2)?;
        let (id, stored) = self.read(|state| {
            let id = declared(&self.names, state, property, scope, owner)?;
            let declared = state.declarations().property(id)?;
            Some((id, self.to_store(state, &value, &declared.value_type)?))
        })?;
        self.alter(|transaction| transaction.set(target, id, stored)).map(drop)
    }

    fn get_of_view(&mut self, getter: Getter) -> Direct {
        Some(match getter {
            Getter::Seat => {
                self.reads_seat = true;
                Ok(Value::or_unit(self.context.seat(), Value::Seat))
            }
            Getter::Seats => self.read(|state| Some(self.names.all_seats(state))),
            Getter::SeatsLeft => self.read(|state| {
                let seats = state.declarations().all_seats();
                let left = seats.iter().filter(|seat| !state.eliminated().contains(*seat));
                Some(Value::list(left.map(Value::Seat)))
            }),
            Getter::TurnOf => self.read(|state| Some(Value::or_unit(state.sequence().mark.seat, Value::Seat))),
            Getter::Round => self.read(|state| Some(Value::Int(INT::from(state.sequence().mark.round)))),
            Getter::TurnNumber => self.read(|state| Some(Value::Int(INT::from(state.sequence().mark.turn)))),
            Getter::Phase => {
                let phase = self.read(|state| Some(state.sequence().phase.index()));
                let names = &self.names.phases;
                phase.map(|phase| names.get(phase).map_or_else(|| Value::text(""), |name| Value::Text(name.clone())))
            }
            Getter::Options => Ok(Value::Options),
            Getter::Question => self.read(|state| Some(state.sequence().decision().map_or(Value::Unit, |_| Value::Question))),
            Getter::Cells => self.paid(by_word, |state| state.board().all().clone()),
            Getter::Empty => self.paid(by_word, |state| state.board().all().difference(state.occupied())),
            Getter::Occupied => self.paid(by_word, |state| state.occupied().clone()),
            Getter::NoCells => self.paid(by_word, |state| CellSet::empty(state.board().cell_count())),
            Getter::Pieces => self.pieces(2, |piece| !piece.place.is_off()),
            _ => return None,
        })
    }

    /// A set of cells of the board, for the operations that the words of the board take.
    fn paid(&mut self, cost: fn(&CellSet) -> usize, find: impl FnOnce(&State) -> CellSet) -> Run {
        let (operations, found) = self.read(|state| Some((cost(state.occupied()), Value::cells(find(state)))))?;
        self.pay(operations)?;
        Ok(found)
    }

    /// Pieces in play, so many for an operation.
    fn pieces(&mut self, by: usize, keep: impl Fn(&boardwright_model::Piece) -> bool) -> Run {
        // Few are covered by the operation of the call, however many of them are there still.
        let count = self.read(|state| Some(state.next_piece().index()))?;
        if count / by >= crate::meter::LEAST_WORK as usize {
            let count = self.read(|state| Some(state.pieces().count()))?;
            self.pay(count / by)?;
        }
        let found = self.read(|state| {
            let kept = state.pieces().filter(|piece| keep(piece));
            Some(Value::list(kept.map(|piece| Value::Piece(piece.id))))
        })?;
        self.sized(found)
    }

    fn get_of_seat(&mut self, seat: SeatId, getter: Getter) -> Direct {
        Some(match getter {
            Getter::Name => Ok(self
                .names
                .seats
                .get(seat.index())
                .map_or_else(|| Value::text(""), |name| Value::Text(name.clone()))),
            Getter::Next => self.read(|state| Some(Value::Seat(following(state, seat)))),
            Getter::PiecesInPlay => self.read(|state| Some(Value::count(state.in_play(seat)))),
            Getter::Cells => self.paid(by_word, |state| {
                let owned = state.owned_by(seat).cloned();
                owned.unwrap_or_else(|| CellSet::empty(state.board().cell_count()))
            }),
            Getter::IsOut => self.read(|state| Some(Value::Bool(state.eliminated().contains(seat)))),
            _ => return None,
        })
    }

    fn get_of_piece(&mut self, piece: PieceId, getter: Getter) -> Direct {
        Some(match getter {
            Getter::Id => Ok(Value::Int(INT::from(piece.0))),
            Getter::Kind => {
                let kind = self.piece(piece, |_, found| found.kind.index());
                let names = &self.names.kinds;
                kind.map(|kind| names.get(kind).map_or_else(|| Value::text(""), |name| Value::Text(name.clone())))
            }
            Getter::Owner => self.piece(piece, |_, found| Value::or_unit(found.owner, Value::Seat)),
            Getter::Cell => self.piece(piece, |_, found| Value::or_unit(found.place.cell(), Value::Cell)),
            Getter::IsOff => self.piece(piece, |_, found| Value::Bool(found.place.is_off())),
            Getter::Side => self.piece(piece, |state, found| match found.place {
                Place::Side(_, direction) => Value::text(state.board().direction_name(direction)),
                _ => Value::Unit,
            }),
            Getter::Carrier => self.piece(piece, |_, found| match found.place {
                Place::Aboard(carrier) => Value::Piece(carrier),
                _ => Value::Unit,
            }),
            Getter::Cargo => self.cargo(piece),
            _ => return None,
        })
    }

    fn cargo(&mut self, piece: PieceId) -> Run {
        let operations = self.read(|state| Some(state.next_piece().index() / 16))?;
        self.pay(operations)?;
        self.read(|state| {
            let carried = state.pieces().filter(|other| other.place == Place::Aboard(piece));
            Some(Value::list(carried.map(|other| Value::Piece(other.id))))
        })
    }

    fn get_of_cell(&mut self, cell: CellId, getter: Getter) -> Direct {
        Some(match getter {
            Getter::Name => self.cell_name(cell),
            Getter::Terrain => {
                let terrain = self.read(|state| Some(state.terrain(cell)));
                let names = &self.names.terrains;
                terrain.map(|terrain| {
                    let name = terrain.and_then(|terrain| names.get(terrain.index()));
                    name.map_or_else(|| Value::text(""), |name| Value::Text(name.clone()))
                })
            }
            Getter::Elevation => self.read(|state| Some(Value::Int(INT::from(state.board().elevation(cell))))),
            Getter::Column => self.read(|state| {
                Some(Value::or_unit(state.board().coordinates(cell), |(column, _)| {
                    Value::Int(INT::from(column))
                }))
            }),
            Getter::Row => self.read(|state| {
                Some(Value::or_unit(state.board().coordinates(cell), |(_, row)| {
                    Value::Int(INT::from(row))
                }))
            }),
            Getter::IsVisible => self.read(|state| Some(Value::Bool(state.cell_sight(cell) == CellSight::Visible))),
            Getter::IsExplored => self.read(|state| Some(Value::Bool(state.cell_sight(cell) != CellSight::Unexplored))),
            Getter::Neighbours => self.paid(by_word, |state| state.board().neighbour_set(cell).into_owned()),
            _ => return None,
        })
    }

    fn cell_name(&self, cell: CellId) -> Run {
        let mut known = self.names.cells.borrow_mut();
        if let Some(name) = known.get(&cell.0) {
            return Ok(Value::Text(name.clone()));
        }
        let name = self.read(|state| Some(ImmutableString::from(state.board().cell_name(cell))))?;
        known.insert(cell.0, name.clone());
        Ok(Value::Text(name))
    }

    fn get_of_cells(&mut self, cells: &Rc<CellSet>, getter: Getter) -> Direct {
        Some(match getter {
            Getter::Count => self.pay(by_word(cells)).map(|()| Value::count(cells.count())),
            Getter::IsEmpty => Ok(Value::Bool(cells.is_empty())),
            Getter::First => Ok(Value::or_unit(cells.first(), Value::Cell)),
            Getter::Neighbours => self.set_of(by_cell(cells), |state| {
                let found = cells.iter().flat_map(|cell| state.board().neighbours(cell).iter().copied());
                CellSet::from_cells(state.board().cell_count(), found)
            }),
            Getter::Sides => self.set_of(by_cell(cells), |state| state.board().sides(cells)),
            Getter::Corners => self.set_of(by_cell(cells), |state| state.board().corners(cells)),
            Getter::Pieces => self.pieces_on(cells),
            _ => return None,
        })
    }

    fn set_of(&mut self, operations: usize, find: impl FnOnce(&State) -> CellSet) -> Run {
        self.pay(operations)?;
        self.read(|state| Some(Value::cells(find(state))))
    }

    fn pieces_on(&mut self, cells: &CellSet) -> Run {
        self.pay(by_cell(cells))?;
        let operations = self.read(|state| Some(by_piece(state, cells)))?;
        self.pay(operations)?;
        let found = self.read(|state| {
            let mut pieces: Vec<PieceId> = cells.iter().flat_map(|cell| state.pieces_at(cell).iter().copied()).collect();
            pieces.sort_unstable();
            pieces.dedup();
            Some(Value::list(pieces.into_iter().map(Value::Piece)))
        })?;
        self.sized(found)
    }

    /// An operator.
    pub(super) fn binary(&mut self, operator: Operator, left: Value, right: Value) -> Run {
        use Operator as Op;
        if let (Value::Int(a), Value::Int(b)) = (&left, &right) {
            return numbers(operator, *a, *b).ok_or(Exit::Abandon);
        }
        match operator {
            Op::Equal | Op::Unequal => {
                if let Some(is_same) = same(&left, &right) {
                    if !(is_own(&left) && is_own(&right)) {
                        self.count(1)?;
                    }
                    return Ok(Value::Bool(is_same == (operator == Op::Equal)));
                }
                if let (Value::Cells(a), Value::Cells(b)) = (&left, &right)
                    && operator == Op::Equal
                {
                    self.count(1)?;
                    self.pay(by_word(a))?;
                    return Ok(Value::Bool(a == b));
                }
            }
            Op::Union | Op::Intersection | Op::Subtract | Op::Add | Op::Multiply => {
                if let Some(found) = self.of_sets(operator, &left, &right) {
                    if !matches!((&left, &right), (Value::Text(_), Value::Text(_))) {
                        self.count(1)?;
                    }
                    return found;
                }
            }
            _ => {}
        }
        self.native_operator(operator, left, right)
    }

    /// Operators of sets, vectors, texts and lists.
    fn of_sets(&mut self, operator: Operator, left: &Value, right: &Value) -> Direct {
        use Operator as Op;
        Some(match (operator, left, right) {
            (Op::Union, Value::Cells(a), Value::Cells(b)) => self.pay(by_word(a)).map(|()| Value::cells(a.union(b))),
            (Op::Intersection, Value::Cells(a), Value::Cells(b)) => self.pay(by_word(a)).map(|()| Value::cells(a.intersection(b))),
            (Op::Subtract, Value::Cells(a), Value::Cells(b)) => self.pay(by_word(a)).map(|()| Value::cells(a.difference(b))),
            (Op::Union, Value::Cells(a), Value::Cell(cell)) => self.pay(by_word(a)).map(|()| {
                let mut set = (**a).clone();
                set.insert(*cell);
                Value::cells(set)
            }),
            (Op::Subtract, Value::Cells(a), Value::Cell(cell)) => self.pay(by_word(a)).map(|()| {
                let mut set = (**a).clone();
                set.remove(*cell);
                Value::cells(set)
            }),
            (Op::Subtract, Value::Cell(there), Value::Cell(here)) => {
                self.read(|state| Some(Value::Vector(state.board().vector(*here, *there)?)))
            }
            (Op::Add, Value::Cell(cell), Value::Vector(vector)) => {
                self.read(|state| Some(Value::or_unit(state.board().cell_beyond(*cell, *vector), Value::Cell)))
            }
            (Op::Add, Value::Vector(a), Value::Vector(b)) => a.plus(*b).map(Value::Vector).ok_or(Exit::Abandon),
            (Op::Subtract, Value::Vector(a), Value::Vector(b)) => a.plus(b.back()).map(Value::Vector).ok_or(Exit::Abandon),
            (Op::Multiply, Value::Vector(vector), Value::Int(times)) => vector.times(*times).map(Value::Vector).ok_or(Exit::Abandon),
            (Op::Add, Value::Text(a), Value::Text(b)) => self.joined(a, b),
            (Op::Add, Value::Text(a), Value::Int(b)) => self.joined(a, &b.to_string()),
            (Op::Add, Value::Int(a), Value::Text(b)) => self.joined(&a.to_string(), b),
            (Op::Add, Value::List(a), Value::List(b)) => {
                let operations = (a.items().len() + b.items().len()) / 8;
                let joined = a.items().iter().chain(b.items()).cloned();
                let joined = Value::list(joined);
                self.pay(operations).and_then(|()| self.sized(joined))
            }
            _ => return None,
        })
    }

    /// A value with the sign turned.
    pub(super) fn negated(&mut self, value: &Value) -> Run {
        match value {
            Value::Vector(vector) => self.count(1).map(|()| Value::Vector(vector.back())),
            _ => Err(Exit::Abandon),
        }
    }

    /// A native.
    #[inline]
    pub(super) fn word(&mut self, word: &Word, object: Value, arguments: Arguments) -> Run {
        if !self.is_profiled() {
            return self.word_unprofiled(word, object, arguments);
        }
        self.sample(None);
        let result = self.word_unprofiled(word, object, arguments);
        self.sample(Some(&word.name));
        result
    }

    fn word_unprofiled(&mut self, word: &Word, object: Value, arguments: Arguments) -> Run {
        let (name, verb) = (&*word.name, word.verb);
        let found = match &object {
            Value::View => self.word_of_view(verb, &arguments),
            Value::Cells(cells) => self.word_of_cells(cells, verb, &arguments),
            Value::List(list) => self.word_of_list(list.items(), verb, &arguments),
            Value::Map(map) => match (verb, arguments.as_slice()) {
                (Verb::Contains, [Value::Text(key)]) => Some(Ok(Value::Bool(map.get(key).is_some()))),
                (Verb::Get, [Value::Text(key)]) => Some(Ok(map.get(key).cloned().unwrap_or(Value::Unit))),
                (Verb::Get, [Value::Text(key), default]) => Some(Ok(map.get(key).unwrap_or(default).clone())),
                (Verb::Keys, []) => Some(
                    self.pay(map.iter().len() / 4)
                        .map(|()| Value::list(map.iter().map(|(key, _)| Value::Text(key.clone())))),
                ),
                (Verb::Values, []) => Some(
                    self.pay(map.iter().len() / 4)
                        .map(|()| Value::list(map.iter().map(|(_, value)| value.clone()))),
                ),
                (Verb::Len, []) => Some(Ok(Value::count(map.iter().len()))),
                (Verb::IsEmpty, []) => Some(Ok(Value::Bool(map.iter().len() == 0))),
                _ if map.get(name).is_some() => Some(Err(Exit::Abandon)),
                _ => None,
            },
            Value::Table(table) => match table.items() {
                Items::List(list) => {
                    if let Some(LoweredTable::List(items)) = table.lowered() {
                        self.word_of_list(items, verb, &arguments)
                    } else {
                        let items: Vec<Value> = list.iter().map(|item| Value::of(&self.context, item)).collect();
                        self.word_of_list(&items, verb, &arguments)
                    }
                }
                Items::Map(map) => match (verb, arguments.as_slice()) {
                    (Verb::Contains, [Value::Text(key)]) => Some(Ok(Value::Bool(map.contains_key(key.as_str())))),
                    _ => None,
                },
            },
            Value::Range(range) => match (verb, arguments.as_slice()) {
                (Verb::Contains, [Value::Int(number)]) => Some(Ok(Value::Bool(is_in(**range, *number)))),
                _ => None,
            },
            Value::Cell(cell) => match (verb, arguments.as_slice()) {
                (Verb::Step, [Value::Text(direction)]) => Some(self.read(|state| {
                    let direction = state.board().find_direction(direction)?;
                    Some(Value::or_unit(state.board().step(*cell, direction), Value::Cell))
                })),
                _ => None,
            },
            Value::Reach(reach) => self.word_of_reach(reach, verb, &arguments),
            Value::Vector(vector) => match (verb, arguments.as_slice()) {
                (Verb::Turned, [Value::Int(times)]) => {
                    Some(self.read(|state| Some(Value::Vector(state.board().turned_vector(*vector, *times)?))))
                }
                _ => None,
            },
            Value::Int(a) => match (verb, arguments.as_slice()) {
                (Verb::Min, [Value::Int(b)]) => Some(Ok(Value::Int(*a.min(b)))),
                (Verb::Max, [Value::Int(b)]) => Some(Ok(Value::Int(*a.max(b)))),
                (Verb::Abs, []) => Some(a.checked_abs().map(Value::Int).ok_or(Exit::Abandon)),
                (Verb::Sign, []) => Some(Ok(Value::Int(a.signum()))),
                (Verb::ToString, []) => Some(Ok(Value::text(a.to_string()))),
                _ => None,
            },
            Value::Text(text) => match (verb, arguments.as_slice()) {
                (Verb::Contains, [Value::Text(other)]) => Some(Ok(Value::Bool(text.contains(other.as_str())))),
                (Verb::StartsWith, [Value::Text(other)]) => Some(Ok(Value::Bool(text.starts_with(other.as_str())))),
                (Verb::EndsWith, [Value::Text(other)]) => Some(Ok(Value::Bool(text.ends_with(other.as_str())))),
                _ => None,
            },
            _ => None,
        };
        match found {
            Some(found) => {
                self.count(1)?;
                found
            }
            None => self.native_word(word, object, arguments),
        }
    }

    fn word_of_view(&mut self, verb: Verb, arguments: &[Value]) -> Direct {
        Some(match (verb, arguments) {
            (Verb::PieceAt, [Value::Cell(cell)]) => {
                self.read(|state| Some(Value::or_unit(state.piece_at(*cell), |piece| Value::Piece(piece.id))))
            }
            (Verb::PiecesAt, [Value::Cell(cell)]) => {
                let pieces = self.read(|state| Some(Value::list(state.pieces_at(*cell).iter().copied().map(Value::Piece))));
                pieces.and_then(|pieces| {
                    let Value::List(list) = &pieces else { return Ok(pieces) };
                    self.pay(list.items().len() / 2)?;
                    self.sized(pieces)
                })
            }
            (Verb::PiecesOf, [Value::Seat(seat)]) => self.pieces(4, |piece| !piece.place.is_off() && piece.owner == Some(*seat)),
            (Verb::Cell, [Value::Text(name)]) => self.read(|state| Some(Value::Cell(state.board().find_cell(name)?))),
            (Verb::CellAt, [Value::Int(column), Value::Int(row)]) => {
                let small = |number: INT| i32::try_from(number).unwrap_or(-1);
                self.read(|state| Some(Value::or_unit(state.board().cell_at(small(*column), small(*row)), Value::Cell)))
            }
            (Verb::Region, [Value::Text(name)]) => {
                let operations = self.read(|state| Some(by_word(state.occupied()) + state.board().region_count() / 8));
                operations.and_then(|operations| {
                    self.pay(operations)?;
                    self.read(|state| Some(Value::Cells(self.names.region(state.board(), name)?)))
                })
            }
            (Verb::Terrain, [Value::Text(name)]) => {
                let operations = self.read(|state| Some(state.board().cell_count() / 64));
                operations.and_then(|operations| {
                    self.pay(operations)?;
                    self.read(|state| {
                        let wanted = state.declarations().find_terrain(name)?;
                        Some(Value::Cells(self.names.terrain_set(state, wanted)))
                    })
                })
            }
            (Verb::CellsWhere, [Value::Text(property), value]) => self.cells_where(property, value),
            (Verb::Zone, [Value::Text(name)]) => self.zone_pieces(name, None),
            (Verb::Zone, [Value::Text(name), Value::Seat(seat)]) => self.zone_pieces(name, Some(*seat)),
            (Verb::ZoneCount, [Value::Text(name)]) => self.zone_count(name, None),
            (Verb::ZoneCount, [Value::Text(name), Value::Seat(seat)]) => self.zone_count(name, Some(*seat)),
            (Verb::Distance, [Value::Cell(from), Value::Cell(to)]) => {
                let operations = self.read(|state| {
                    let board = state.board();
                    Some(if board.has_distances() { 0 } else { board.cell_count() / 4 })
                });
                operations.and_then(|operations| {
                    self.pay(operations)?;
                    self.read(|state| {
                        Some(Value::or_unit(state.board().distance(*from, *to), |steps| {
                            Value::Int(INT::from(steps))
                        }))
                    })
                })
            }
            (Verb::Distances, [Value::Cells(from), Value::Cells(to)]) => {
                if !self.read(|state| Some(state.board().has_distances())).unwrap_or(false) {
                    return None;
                }
                let each = to.count() / 8;
                from.iter().try_for_each(|_| self.pay(each)).and_then(|()| {
                    self.read(|state| {
                        let sums = from.iter().map(|from| sum_of_distances(state.board(), from, to));
                        Some(Value::Int(sums.fold(0, INT::saturating_add)))
                    })
                })
            }
            (Verb::TakesBack, [Value::Piece(piece), Value::List(path)]) => self.pay(path.items().len() / 8).and_then(|()| {
                let last = cell(path.items().last());
                self.read(|state| Some(Value::Bool(goes_back(state, *piece, last))))
            }),
            (Verb::CrossedCells, [Value::Cell(from), Value::Cell(to)]) => self.line(*from, *to).and_then(|()| {
                self.read(|state| {
                    let crossed = state.board().crossed(*from, *to)?;
                    Some(Value::cells(CellSet::from_cells(
                        state.board().cell_count(),
                        crossed.into_iter().flatten(),
                    )))
                })
            }),
            (Verb::Middles, [Value::Cell(from), Value::Cell(to)]) => self.line(*from, *to).and_then(|()| {
                let operations = self.read(|state| Some(by_word(state.occupied())))?;
                self.pay(operations)?;
                self.read(|state| {
                    let met = state.board().middles(*from, *to)?;
                    Some(Value::cells(CellSet::from_cells(state.board().cell_count(), met)))
                })
            }),
            (Verb::Passes, [Value::Cell(from), Value::Cell(to), Value::Cell(centre), Value::Int(radius)]) => {
                let radius = u32::try_from(*radius).ok();
                self.read(|state| Some(Value::Bool(state.board().passes(*from, *to, *centre, radius?)?)))
            }
            (Verb::Vector, [Value::Text(direction)]) => self.read(|state| {
                let direction = state.board().find_direction(direction)?;
                Some(Value::Vector(state.board().direction_vector(direction)?))
            }),
            (Verb::SetOf, [Value::List(list)]) => self.set_of_list(list.items()),
            (Verb::Reach, [Value::Cell(from), Value::Map(costs)]) => {
                let count = self.read(|state| Some(state.board().cell_count()));
                count.and_then(|count| self.reach(&CellSet::from_cells(count, [*from]), costs))
            }
            (Verb::Reach, [Value::Cells(from), Value::Map(costs)]) => self.reach(from, costs),
            _ => return self.word_of_turn(verb, arguments),
        })
    }

    fn reach(&mut self, from: &CellSet, costs: &Entries) -> Run {
        let paid = Cell::new(0);
        let pay = |operations: usize| {
            if operations as u64 >= crate::meter::LEAST_WORK {
                paid.set(paid.get() + operations);
            }
            Ok(())
        };
        let reach = reach_of(&pay, &self.context, from, costs).map_err(|_| Exit::Abandon)?;
        self.pay(paid.get())?;
        Ok(Value::Reach(Rc::new(reach)))
    }

    fn word_of_reach(&mut self, reach: &handles::Reach, verb: Verb, arguments: &[Value]) -> Direct {
        Some(match (verb, arguments) {
            (Verb::Cost, [Value::Cell(cell)]) => Ok(Value::or_unit(reach.cost(*cell), Value::Int)),
            (Verb::PointsLeft, [Value::Cell(cell)]) => Ok(Value::or_unit(reach.points_left(*cell), Value::Int)),
            (Verb::Path, [Value::Cell(cell)]) => match reach.found.path_to(*cell) {
                None => Ok(Value::Unit),
                Some(path) => {
                    let entered = Value::list(path.iter().skip(1).copied().map(Value::Cell));
                    self.pay(path.len() / 2).and_then(|()| self.sized(entered))
                }
            },
            _ => return None,
        })
    }

    /// A line between two cells costs as much as it is long.
    fn line(&mut self, from: CellId, to: CellId) -> Run<()> {
        let operations = self.read(|state| Some(state.board().distance(from, to).map_or(0, |steps| steps as usize)))?;
        self.pay(operations)
    }

    fn set_of_list(&mut self, list: &[Value]) -> Run {
        let operations = self.read(|state| Some(list.len() / 8 + by_word(state.occupied())))?;
        self.pay(operations)?;
        let ids: Vec<CellId> = list.iter().map(|item| Self::cell(Some(item))).collect::<Run<_>>()?;
        self.read(|state| Some(Value::cells(CellSet::from_cells(state.board().cell_count(), ids))))
    }

    fn zone_pieces(&mut self, name: &str, owner: Option<SeatId>) -> Run {
        let operations = self.read(|state| {
            let zone = state.declarations().find_zone(name, owner)?;
            Some(state.zone(zone)?.pieces().len() / 2)
        })?;
        self.pay(operations)?;
        let found = self.read(|state| {
            let zone = state.declarations().find_zone(name, owner)?;
            Some(Value::list(state.zone(zone)?.pieces().iter().copied().map(Value::Piece)))
        })?;
        self.sized(found)
    }

    fn zone_count(&mut self, name: &str, owner: Option<SeatId>) -> Run {
        self.read(|state| {
            let zone = state.declarations().find_zone(name, owner)?;
            Some(Value::count(state.zone(zone)?.count()))
        })
    }

    /// Words that change the match.
    fn word_of_turn(&mut self, verb: Verb, arguments: &[Value]) -> Direct {
        let context = self.context.clone();
        let view = handles::View::new(&context);
        Some(match (verb, arguments) {
            (Verb::MovePiece, [Value::Piece(piece), Value::Cell(cell)]) => {
                self.alter(|transaction| transaction.move_piece(*piece, Place::Cell(*cell), None))
            }
            (Verb::MoveToZone, [Value::Piece(piece), Value::Text(zone)]) => {
                let zone = find_zone(&view, zone, None).map_err(|_| Exit::Abandon);
                zone.and_then(|zone| self.alter(|transaction| transaction.move_piece(*piece, Place::Zone(zone), None)))
            }
            (Verb::MoveToZone, [Value::Piece(piece), Value::Text(zone), Value::Seat(seat)]) => {
                let zone = find_zone(&view, zone, Some(*seat)).map_err(|_| Exit::Abandon);
                zone.and_then(|zone| self.alter(|transaction| transaction.move_piece(*piece, Place::Zone(zone), None)))
            }
            (Verb::Remove, [Value::Piece(piece)]) => self.alter(|transaction| transaction.remove(*piece)),
            (Verb::Create, [Value::Text(kind), Value::Seat(seat), Value::Cell(cell)]) => {
                let made = create_at(&view, kind, Some(*seat), Place::Cell(*cell));
                made.map(|piece| Value::Piece(piece.id)).map_err(|_| Exit::Abandon)
            }
            (Verb::Create, [Value::Text(kind), Value::Cell(cell)]) => {
                let made = create_at(&view, kind, None, Place::Cell(*cell));
                made.map(|piece| Value::Piece(piece.id)).map_err(|_| Exit::Abandon)
            }
            (Verb::CreateIn, [Value::Text(zone), Value::Seat(seat), Value::Text(kind)]) => {
                let zone = find_zone(&view, zone, Some(*seat));
                let made = zone.and_then(|zone| create_at(&view, kind, Some(*seat), Place::Zone(zone)));
                made.map(|piece| Value::Piece(piece.id)).map_err(|_| Exit::Abandon)
            }
            (Verb::CreateIn, [Value::Text(zone), Value::Text(kind)]) => {
                let zone = find_zone(&view, zone, None);
                let made = zone.and_then(|zone| create_at(&view, kind, None, Place::Zone(zone)));
                made.map(|piece| Value::Piece(piece.id)).map_err(|_| Exit::Abandon)
            }
            (Verb::Give, [Value::Piece(piece), Value::Seat(seat)]) => self.alter(|transaction| transaction.set_owner(*piece, Some(*seat))),
            (Verb::Release, [Value::Piece(piece)]) => self.alter(|transaction| transaction.set_owner(*piece, None)),
            (Verb::Sow, [Value::Cell(from), track, Value::Text(property)]) => {
                let track = self.track(track);
                track.and_then(|track| {
                    self.pay(track.len() / 4)?;
                    let last = sow_along(&view, *from, &track, property).map_err(|_| Exit::Abandon)?;
                    Ok(Value::Cell(last))
                })
            }
            (Verb::EndTurn, []) => self.alter(|transaction| {
                transaction.end_turn(None);
                Ok(())
            }),
            (Verb::EndTurn, [Value::Seat(next)]) => self.alter(|transaction| {
                transaction.end_turn(Some(*next));
                Ok(())
            }),
            (Verb::NextPhase, []) => self.alter(|transaction| {
                transaction.next_phase();
                Ok(())
            }),
            (Verb::Eliminate, [Value::Seat(seat)]) => self.alter(|transaction| transaction.eliminate(*seat)),
            (Verb::Roll, [Value::Text(dice), Value::Text(purpose)]) => self.roll(&view, dice, purpose).map(|faces| {
                let sum = faces.iter().map(|face| INT::from(*face)).sum();
                Value::Int(sum)
            }),
            (Verb::RollEach, [Value::Text(dice), Value::Text(purpose)]) => {
                let faces = self.roll(&view, dice, purpose);
                faces.map(|faces| Value::list(faces.iter().map(|face| Value::Int(INT::from(*face)))))
            }
            _ => return None,
        })
    }

    /// The cells of a track, which are named or not.
    fn track(&self, track: &Value) -> Run<Vec<CellId>> {
        let of = |item: &Value| match item {
            Value::Cell(cell) => Ok(*cell),
            Value::Text(name) => self.read(|state| state.board().find_cell(name)),
            _ => Err(Exit::Abandon),
        };
        match track {
            Value::List(list) => list.items().iter().map(of).collect(),
            Value::Table(table) => match table.lowered() {
                Some(LoweredTable::List(items)) => items.iter().map(of).collect(),
                _ => Err(Exit::Abandon),
            },
            _ => Err(Exit::Abandon),
        }
    }

    fn roll(&mut self, view: &handles::View, dice: &str, purpose: &str) -> Run<std::sync::Arc<[u32]>> {
        let mut operations = 0;
        let mut pay = |paid: usize| {
            operations += paid;
            Ok(())
        };
        let faces = roll_dice(&mut pay, view, dice, purpose).map_err(|_| Exit::Abandon)?;
        self.pay(operations)?;
        Ok(faces)
    }

    fn word_of_cells(&mut self, cells: &Rc<CellSet>, verb: Verb, arguments: &[Value]) -> Direct {
        let first = arguments.first();
        Some(match (verb, arguments.len()) {
            (Verb::Contains, 1) => Ok(Value::Bool(cells.contains(cell(first)?))),
            (Verb::IsWithin, 1) => {
                let other = set(first)?;
                self.pay(by_word(cells)).map(|()| Value::Bool(cells.is_subset(other)))
            }
            (Verb::Dilate, 1) => self.dilated(cells, int(first)?),
            (Verb::Shift, 1) => {
                let direction = text(first)?;
                self.pay(by_cell(cells)).and_then(|()| {
                    self.read(|state| {
                        let direction = state.board().find_direction(direction)?;
                        Some(Value::cells(state.board().shift(cells, direction)))
                    })
                })
            }
            (Verb::Flood, 1) => {
                let within = set(first)?;
                self.set_of(by_cell(cells), |state| state.board().flood(cells, within))
            }
            (Verb::Flood, 2) => {
                let (within, steps) = (set(first)?, int(arguments.get(1))?);
                let steps = u32::try_from(steps.clamp(0, 100_000)).unwrap_or(0);
                self.set_of(by_cell(cells) + by_cell(within), |state| {
                    state.board().flood_steps(cells, within, steps)
                })
            }
            (Verb::WithSidesIn, 2) => {
                let (other, least) = (set(first)?, int(arguments.get(1))?);
                let least = u8::try_from(least.clamp(0, 255)).unwrap_or(0);
                self.set_of(by_cell(cells), |state| state.board().with_sides_in(cells, other, least))
            }
            (Verb::HasRow, 1) => self.has_row(cells, int(first)?),
            (Verb::Having, 2) => {
                let (property, value) = (text(first)?, arguments.get(1)?);
                self.pay(by_cell(cells)).and_then(|()| self.having(cells, property, value))
            }
            (Verb::AtLeast, 2) => {
                let (property, least) = (text(first)?, int(arguments.get(1))?);
                self.on_cells(cells).and_then(|()| {
                    self.read(|state| {
                        let number = crate::api::cell_sets::numbers(state, property).ok()?;
                        let reaches = |cell: &CellId| state.pieces_at(*cell).iter().any(|piece| number(*piece) >= least);
                        Some(Value::cells(CellSet::from_cells(
                            state.board().cell_count(),
                            cells.iter().filter(reaches),
                        )))
                    })
                })
            }
            (Verb::Sum, 1) => {
                let property = text(first)?;
                let paid = self.on_cells(cells);
                paid.and_then(|()| self.read(|state| sum(state, cells, property).ok().map(Value::Int)))
            }
            _ => return None,
        })
    }

    /// The cells among some that have a value in a property of theirs.
    fn having(&self, cells: &CellSet, property: &str, value: &Value) -> Run {
        let (property, wanted) = self.wanted(Scope::Cell, property, value)?;
        self.read(|state| {
            let having = self.names.cells_having(state.cell_values(property)?, &wanted);
            Some(Value::cells(having.intersection(cells)))
        })
    }

    /// The cells of pieces that have a value in a property of theirs.
    fn cells_where(&mut self, property: &str, value: &Value) -> Run {
        let (property, wanted) = self.wanted(Scope::Piece, property, value)?;
        let count = self.read(|state| Some(state.pieces().count()))?;
        self.pay(count / 8)?;
        self.read(|state| Some(Value::cells(state.cells_having(property, &wanted))))
    }

    /// A declared property, and the value that is looked for in it.
    fn wanted(&self, scope: Scope, name: &str, value: &Value) -> Run<(PropertyId, Stored)> {
        self.read(|state| {
            let property = state.declarations().find_property(scope, name)?;
            let value_type = &state.declarations().property(property)?.value_type;
            let stored = self.to_store(state, value, value_type)?;
            value_type.check(&stored).ok()?;
            Some((property, stored))
        })
    }

    fn has_row(&mut self, cells: &CellSet, length: INT) -> Run {
        let board = self.read(|state| Some(std::sync::Arc::clone(state.board())))?;
        has_row(&mut |operations| self.pay(operations), &board, cells, length).map(Value::Bool)
    }

    /// Pays for going through the pieces on a set of cells.
    fn on_cells(&mut self, cells: &CellSet) -> Run<()> {
        self.pay(by_cell(cells))?;
        let operations = self.read(|state| Some(by_piece(state, cells)))?;
        self.pay(operations)
    }

    fn dilated(&mut self, cells: &CellSet, steps: INT) -> Run {
        let mut grown = cells.clone();
        let mut rim = grown.clone();
        for _ in 0..steps {
            self.pay(by_cell(&rim))?;
            rim = self.read(|state| Some(state.board().dilate(&rim, 1).difference(&grown)))?;
            if rim.is_empty() {
                break;
            }
            grown.union_with(&rim);
        }
        Ok(Value::cells(grown))
    }

    fn word_of_list(&mut self, list: &[Value], verb: Verb, arguments: &[Value]) -> Direct {
        Some(match (verb, arguments) {
            (Verb::Len, []) => Ok(Value::count(list.len())),
            (Verb::IsEmpty, []) => Ok(Value::Bool(list.is_empty())),
            (Verb::First, []) => Ok(list.first().cloned().unwrap_or(Value::Unit)),
            (Verb::Last, []) => Ok(list.last().cloned().unwrap_or(Value::Unit)),
            (Verb::Contains, [value]) => self.index_of(list, value).map(|found| Value::Bool(found.is_some())),
            (Verb::IndexOf, [value]) => self.index_of(list, value).map(|found| found.map_or(Value::Int(-1), Value::count)),
            (Verb::Part, [Value::Int(start), Value::Int(len)]) => {
                let (start, len) = (usize::try_from(*start).unwrap_or(0), usize::try_from(*len).unwrap_or(0));
                let part: Vec<Value> = list.iter().skip(start).take(len).cloned().collect();
                self.pay(part.len() / 8).map(|()| Value::list(part))
            }
            (Verb::Sum, []) => self.pay(list.len() / 8).and_then(|()| {
                let mut sum: INT = 0;
                for item in list {
                    let number = int(Some(item)).ok_or(Exit::Abandon)?;
                    sum = sum.checked_add(number).ok_or(Exit::Abandon)?;
                }
                Ok(Value::Int(sum))
            }),
            (Verb::Min, []) => self.extreme(list, Ordering::Less),
            (Verb::Max, []) => self.extreme(list, Ordering::Greater),
            (Verb::Sorted, []) => {
                let keyed = list.iter().map(|item| (item.clone(), ())).collect();
                let sorted = self.merge_sort(keyed);
                sorted.map(|sorted| Value::list(sorted.into_iter().map(|(item, ())| item)))
            }
            _ => return None,
        })
    }

    fn extreme(&mut self, list: &[Value], wanted: Ordering) -> Run {
        self.pay(list.len() / 8)?;
        let mut items = list.iter();
        let Some(mut best) = items.next() else { return Ok(Value::Unit) };
        for item in items {
            if order(item, best)? == wanted {
                best = item;
            }
        }
        Ok(best.clone())
    }

    fn index_of(&mut self, list: &[Value], value: &Value) -> Run<Option<usize>> {
        for (index, item) in list.iter().enumerate() {
            self.count(1)?;
            // In lists handles may lie beside texts.
            let is_same = same(item, value).ok_or(Exit::Abandon)?;
            if !is_own(item) && std::mem::discriminant(item) == std::mem::discriminant(value) {
                self.count(1)?;
            }
            if is_same {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Words that change a list or a map in its place. Nothing if it is no such word of such a value.
    pub(super) fn change(&mut self, value: &mut Value, word: &Word, arguments: &[Value]) -> Direct {
        match value {
            Value::List(list) => self.change_list(list, word.verb, arguments),
            Value::Map(map) => Some(match (word.verb, arguments) {
                (Verb::Set, [Value::Text(key), value]) => {
                    Rc::make_mut(map).insert(key.clone(), value.clone());
                    Ok(Value::Unit)
                }
                (Verb::Remove, [Value::Text(key)]) => Ok(Rc::make_mut(map).remove(key).unwrap_or(Value::Unit)),
                (Verb::Clear, []) => {
                    *map = Rc::default();
                    Ok(Value::Unit)
                }
                _ => return None,
            }),
            // What belongs to nobody else becomes a list when it is changed: the engine does that.
            Value::Table(_) if crate::table::CHANGES.contains(&(&*word.name, arguments.len() + 1)) => Some(Err(Exit::Abandon)),
            _ => None,
        }
    }

    fn change_list(&mut self, list: &mut Rc<List>, verb: Verb, arguments: &[Value]) -> Direct {
        Some(match (verb, arguments) {
            (Verb::Push, [item]) => {
                Rc::make_mut(list).push(item.clone());
                Ok(Value::Unit)
            }
            (Verb::Append, [Value::List(other)]) => {
                let other: Vec<Value> = other.items().to_vec();
                self.pay(other.len() / 8).map(|()| {
                    let list = Rc::make_mut(list);
                    for item in other {
                        list.push(item);
                    }
                    Value::Unit
                })
            }
            (Verb::Insert, [Value::Int(index), item]) => {
                let len = list.items().len();
                let at = if *index < 0 {
                    position(*index, len).unwrap_or(0)
                } else {
                    usize::try_from(*index).unwrap_or(len)
                };
                Rc::make_mut(list).insert(at, item.clone());
                Ok(Value::Unit)
            }
            (Verb::Pop, []) => {
                let last = list.items().len().checked_sub(1);
                Ok(last.and_then(|last| Rc::make_mut(list).remove(last)).unwrap_or(Value::Unit))
            }
            (Verb::Shift, []) => Ok(Rc::make_mut(list).remove(0).unwrap_or(Value::Unit)),
            (Verb::Remove, [Value::Int(index)]) => {
                let at = position(*index, list.items().len());
                Ok(at.and_then(|at| Rc::make_mut(list).remove(at)).unwrap_or(Value::Unit))
            }
            (Verb::Clear, []) => {
                *list = Rc::default();
                Ok(Value::Unit)
            }
            (Verb::Truncate, [Value::Int(len)]) => {
                Rc::make_mut(list).truncate(usize::try_from(*len).unwrap_or(0));
                Ok(Value::Unit)
            }
            (Verb::Reverse, []) => self.pay(list.items().len() / 8).map(|()| {
                Rc::make_mut(list).reverse();
                Value::Unit
            }),
            (Verb::Sort, []) => {
                let keyed = list.items().iter().map(|item| (item.clone(), ())).collect();
                self.merge_sort(keyed).map(|sorted| {
                    *list = Rc::new(sorted.into_iter().map(|(item, ())| item).collect());
                    Value::Unit
                })
            }
            (Verb::Dedup, []) => self.deduplicated(list.items()).map(|kept| {
                *list = Rc::new(kept.into_iter().collect());
                Value::Unit
            }),
            _ => return None,
        })
    }

    fn deduplicated(&mut self, list: &[Value]) -> Run<Vec<Value>> {
        let mut kept: Vec<Value> = Vec::with_capacity(list.len());
        for item in list {
            if self.index_of(&kept, item)?.is_none() {
                kept.push(item.clone());
            }
        }
        Ok(kept)
    }
}

fn is_in(range: Range, number: INT) -> bool {
    number >= range.start
        && if range.is_inclusive {
            number <= range.end
        } else {
            number < range.end
        }
}

/// An operator between numbers; nothing where the engine says that it cannot be worked out.
pub(super) fn numbers(operator: Operator, a: INT, b: INT) -> Option<Value> {
    Some(match operator {
        Operator::Add => Value::Int(a.checked_add(b)?),
        Operator::Subtract => Value::Int(a.checked_sub(b)?),
        Operator::Multiply => Value::Int(a.checked_mul(b)?),
        Operator::Divide => Value::Int(a.checked_div(b)?),
        Operator::Remainder => Value::Int(a.checked_rem(b)?),
        Operator::Power => Value::Int(a.checked_pow(u32::try_from(b).ok()?)?),
        Operator::Equal => Value::Bool(a == b),
        Operator::Unequal => Value::Bool(a != b),
        Operator::Less => Value::Bool(a < b),
        Operator::LessOrEqual => Value::Bool(a <= b),
        Operator::Greater => Value::Bool(a > b),
        Operator::GreaterOrEqual => Value::Bool(a >= b),
        Operator::Union => Value::Int(a | b),
        Operator::Intersection => Value::Int(a & b),
        Operator::Range | Operator::RangeInclusive => Value::Range(Rc::new(Range {
            start: a,
            end: b,
            is_inclusive: operator == Operator::RangeInclusive,
        })),
    })
}
