//! Between values of the model and values of scripts.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::super::table::Table;
use super::super::value::{Answer, wrong};
use super::call_context::SharedContext;
use super::handles::{Cell, Cells, Piece, Seat};
use boardwright_model::{
    Action, ActionId, CellId, CellSet, Declarations, Domain, Path, Pick, PickKind, PieceId, Pose, PropertyId, Scope, SeatId, State, Target,
    Value, ValueType,
};
use boardwright_rules::{PlayoutWeights, WeightFor};

pub(crate) fn cell(context: &SharedContext, id: CellId) -> Cell {
    Cell {
        context: Rc::clone(context),
        id,
    }
}

pub(crate) fn piece(context: &SharedContext, id: PieceId) -> Piece {
    Piece {
        context: Rc::clone(context),
        id,
    }
}

pub(crate) fn seat(context: &SharedContext, id: SeatId) -> Seat {
    Seat {
        context: Rc::clone(context),
        id,
    }
}

pub(crate) fn cells(context: &SharedContext, set: CellSet) -> Cells {
    Cells {
        context: Rc::clone(context),
        set,
    }
}

/// A value, or nothing.
pub(crate) fn or_unit<T: rhai::Variant + Clone>(value: Option<T>) -> Dynamic {
    value.map_or(Dynamic::UNIT, Dynamic::from)
}

/// A value of the model as scripts see it.
pub(crate) fn to_script(context: &SharedContext, state: &State, value: &Value) -> Dynamic {
    match value {
        Value::Nothing => Dynamic::UNIT,
        Value::Integer(number) => Dynamic::from_int(*number),
        Value::Flag(flag) => Dynamic::from_bool(*flag),
        Value::Text(text) => Dynamic::from(ImmutableString::from(&**text)),
        Value::Cell(id) => Dynamic::from(cell(context, *id)),
        Value::Piece(id) => Dynamic::from(piece(context, *id)),
        Value::Seat(id) => Dynamic::from(seat(context, *id)),
        Value::Kind(id) => state
            .declarations()
            .kind(*id)
            .map_or(Dynamic::UNIT, |kind| Dynamic::from(ImmutableString::from(&*kind.name))),
        Value::List(values) => Dynamic::from_array(values.iter().map(|value| to_script(context, state, value)).collect()),
    }
}

/// A value of a script as the model holds it, for a property of a type.
pub(crate) fn from_script(state: &State, value: &Dynamic, value_type: &ValueType) -> Answer<Value> {
    if let (ValueType::Kind, Ok(name)) = (value_type, value.as_immutable_string_ref()) {
        let kind = state
            .declarations()
            .find_kind(&name)
            .ok_or_else(|| wrong(format!("there is no kind {:?}", name.as_str())))?;
        return Ok(Value::Kind(kind));
    }
    plain_value(value).ok_or_else(|| wrong(format!("expected {}, found {}", value_type.describe(), value.type_name())))
}

/// A value of a script as the model holds it, by its own type.
pub(crate) fn plain_value(value: &Dynamic) -> Option<Value> {
    if value.is_unit() {
        return Some(Value::Nothing);
    }
    if let Ok(number) = value.as_int() {
        return Some(Value::Integer(number));
    }
    if let Ok(flag) = value.as_bool() {
        return Some(Value::Flag(flag));
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Some(Value::text(&text));
    }
    if let Some(cell) = value.read_lock::<Cell>() {
        return Some(Value::Cell(cell.id));
    }
    if let Some(piece) = value.read_lock::<Piece>() {
        return Some(Value::Piece(piece.id));
    }
    if let Some(seat) = value.read_lock::<Seat>() {
        return Some(Value::Seat(seat.id));
    }
    let items = list_items(value)?;
    Some(Value::List(items.iter().map(plain_value).collect::<Option<Arc<[Value]>>>()?))
}

/// The items of a list or a constant list, or the cells of a set.
pub(crate) fn items_of(value: &Dynamic) -> Option<Vec<Dynamic>> {
    if let Some(set) = value.read_lock::<Cells>() {
        return Some(set.set.iter().map(|id| Dynamic::from(cell(&set.context, id))).collect());
    }
    list_items(value)
}

/// The items of a list or a constant list.
pub(crate) fn list_items(value: &Dynamic) -> Option<Vec<Dynamic>> {
    if let Some(list) = value.read_lock::<Array>() {
        return Some(list.clone());
    }
    value
        .read_lock::<Table>()
        .and_then(|table| table.as_list().map(<[Dynamic]>::to_vec))
}

/// The entries of a map or a constant map.
pub(crate) fn map_entries(value: &Dynamic) -> Option<Map> {
    if let Some(map) = value.read_lock::<Map>() {
        return Some(map.clone());
    }
    value.read_lock::<Table>().and_then(|table| table.as_map().cloned())
}

/// Reads a declared property.
pub(crate) fn get_property(context: &SharedContext, target: Target, scope: boardwright_model::Scope, name: &str) -> Answer<Dynamic> {
    context.read(|state| {
        let property = state.declarations().find_property(scope, name);
        let value = property.and_then(|property| state.value(target, property));
        value.map_or_else(
            || Err(unknown_property(state, scope, name)),
            |value| Ok(to_script(context, state, value)),
        )
    })
}

/// A declared property, and a value that it may have.
pub(crate) fn wanted(context: &SharedContext, scope: Scope, name: &str, value: &Dynamic) -> Answer<(PropertyId, Value)> {
    context.read(|state| {
        let property = state.declarations().find_property(scope, name);
        let declared = property.and_then(|id| Some((id, state.declarations().property(id)?)));
        let (id, declared) = declared.ok_or_else(|| unknown_property(state, scope, name))?;
        let value = from_script(state, value, &declared.value_type)?;
        let checked = declared.value_type.check(&value);
        checked.map_err(|error| wrong(format!("property {name}: {error}")))?;
        Ok((id, value))
    })
}

/// Sets a declared property.
pub(crate) fn set_property(
    context: &SharedContext,
    target: Target,
    scope: boardwright_model::Scope,
    name: &str,
    value: &Dynamic,
) -> Answer<()> {
    let (property, value) = context.read(|state| {
        let property = state.declarations().find_property(scope, name).ok_or_else(|| unsettable(name))?;
        let declared = state.declarations().property(property).ok_or_else(|| unsettable(name))?;
        Ok((property, from_script(state, value, &declared.value_type)?))
    })?;
    context.change(|transaction| transaction.set(target, property, value))
}

/// An error that the engine takes for "no such setter". It also asks for setters to hand back what methods were called on, as in
/// `seat.cells.dilate(1)`, and goes on only after this error.
fn unsettable(name: &str) -> Box<rhai::EvalAltResult> {
    rhai::EvalAltResult::ErrorIndexingType(name.to_owned(), rhai::Position::NONE).into()
}

fn unknown_property(state: &State, scope: boardwright_model::Scope, name: &str) -> Box<rhai::EvalAltResult> {
    let known: Vec<&str> = state
        .declarations()
        .properties_of(scope)
        .map(|(_, property)| &*property.name)
        .collect();
    let owner = match scope {
        boardwright_model::Scope::Match => "the match",
        boardwright_model::Scope::Seat => "a seat",
        boardwright_model::Scope::Piece => "a piece",
        boardwright_model::Scope::Cell => "a cell",
        boardwright_model::Scope::Edge => "an edge",
    };
    let known = if known.is_empty() {
        "none is declared".to_owned()
    } else {
        format!("declared are {}", known.join(", "))
    };
    wrong(format!("{owner} has no property {name:?}: {known}"))
}

/// A pick as scripts see it.
pub(crate) fn pick_to_script(context: &SharedContext, state: &State, pick: &Pick) -> Dynamic {
    let list = |items: Vec<Dynamic>| Dynamic::from(Table::list(items));
    match pick {
        Pick::Cell(id) => Dynamic::from(cell(context, *id)),
        Pick::Cells(ids) => Dynamic::from(cells(context, CellSet::from_cells(state.board().cell_count(), ids.iter().copied()))),
        Pick::Piece(id) => Dynamic::from(piece(context, *id)),
        Pick::Pieces(ids) => list(ids.iter().map(|id| Dynamic::from(piece(context, *id))).collect()),
        Pick::Seat(id) => Dynamic::from(seat(context, *id)),
        Pick::Number(number) => Dynamic::from_int(*number),
        Pick::Choice(text) | Pick::Text(text) => Dynamic::from(ImmutableString::from(&**text)),
        Pick::Pose(pose) => Dynamic::from(ImmutableString::from(pose.word())),
        Pick::Path(path) => list(path.iter().map(|id| Dynamic::from(cell(context, *id))).collect()),
    }
}

/// What a script names as a pick of a kind. `None` if it is nothing of that kind.
pub(crate) fn to_pick(value: &Dynamic, kind: PickKind) -> Option<Pick> {
    let cell_of = |value: &Dynamic| value.read_lock::<Cell>().map(|cell| cell.id);
    let cell_list = |value: &Dynamic| list_items(value)?.iter().map(cell_of).collect::<Option<Vec<_>>>();
    Some(match kind {
        PickKind::Cell => Pick::Cell(cell_of(value)?),
        PickKind::Cells => {
            let set = value.read_lock::<Cells>().map(|cells| cells.set.iter().collect());
            let mut cells: Vec<CellId> = set.or_else(|| cell_list(value))?;
            cells.sort_unstable();
            cells.dedup();
            Pick::Cells(cells)
        }
        PickKind::Piece => Pick::Piece(value.read_lock::<Piece>().map(|piece| piece.id)?),
        PickKind::Pieces => Pick::Pieces(piece_list(value)?),
        PickKind::Seat => Pick::Seat(value.read_lock::<Seat>().map(|seat| seat.id)?),
        PickKind::Number => Pick::Number(value.as_int().ok()?),
        PickKind::Choice => Pick::Choice(Arc::from(value.as_immutable_string_ref().ok()?.as_str())),
        PickKind::Text => Pick::Text(Arc::from(value.as_immutable_string_ref().ok()?.as_str())),
        PickKind::Path => Pick::Path(cell_list(value)?.into_iter().collect()),
        PickKind::Pose => Pick::Pose(value.as_immutable_string_ref().ok()?.parse().ok()?),
    })
}

/// The action that a script makes of picks by name; says what it would need if some are missing, too many or of another sort.
pub(crate) fn action_of(frame: &Declarations, seat: SeatId, id: ActionId, picks: &Map) -> Result<Action, String> {
    let declared = frame.action(id).map_or(&[][..], |declared| &declared.picks);
    if let Some(other) = picks.keys().find(|name| declared.iter().all(|pick| *pick.name != ***name)) {
        let names: Vec<&str> = declared.iter().map(|pick| &*pick.name).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(format!("no pick `{other}`; its picks are {names}"));
    }
    let read = declared.iter().map(|pick| {
        let value = picks.get(&*pick.name).ok_or_else(|| format!("the pick `{}`", pick.name))?;
        to_pick(value, pick.kind).ok_or_else(|| format!("a {} as its pick `{}`, not {}", word_of(pick.kind), pick.name, value.type_name()))
    });
    Ok(Action {
        seat,
        action: id,
        picks: read.collect::<Result<_, _>>()?,
    })
}

/// The word for a kind of pick in declarations.
fn word_of(kind: PickKind) -> &'static str {
    PickKind::ALL
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("pick", |(_, word)| *word)
}

/// The lots a script gives out: pairs of what has to be picked and a number. `None` if it is nothing of the kind.
pub(crate) fn to_lots(state: &State, value: &Dynamic) -> Option<PlayoutWeights> {
    let mut lots = PlayoutWeights::default();
    for pair in list_items(value)? {
        let [what, number] = <[Dynamic; 2]>::try_from(list_items(&pair)?).ok()?;
        let word = what.as_immutable_string_ref().ok().map(|word| Arc::<str>::from(word.as_str()));
        let what = match word {
            Some(word) => state.declarations().find_kind(&word).map_or(WeightFor::Word(word), WeightFor::Kind),
            None => match cell_set(state.board().cell_count(), &what) {
                Some(cells) => WeightFor::Cells(cells),
                None => WeightFor::Pieces(piece_list(&what)?),
            },
        };
        lots = lots.with(what, u32::try_from(number.as_int().ok()?).ok()?);
    }
    Some(lots)
}

/// A domain with how many things may be picked from it.
#[derive(Clone, Debug)]
pub struct SomeOf {
    pub(crate) of: Dynamic,
    pub(crate) min: INT,
    pub(crate) max: INT,
}

/// Numbers to pick from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub(crate) min: INT,
    pub(crate) max: INT,
    pub(crate) step: INT,
}

/// What a domain hook returned, as the domain of a pick. `None` if it is nothing of that kind.
pub(crate) fn to_domain(state: &State, value: &Dynamic, kind: PickKind) -> Option<Domain> {
    let capacity = state.board().cell_count();
    let small = |number: INT| number.clamp(0, INT::from(u16::MAX)) as u16;
    match kind {
        PickKind::Cell => cell_set(capacity, value).map(Domain::Cells),
        PickKind::Cells => {
            let some = value.read_lock::<SomeOf>()?;
            Some(Domain::SomeCells {
                of: cell_set(capacity, &some.of)?,
                min: small(some.min),
                max: small(some.max),
            })
        }
        PickKind::Piece => piece_list(value).map(Domain::Pieces),
        PickKind::Pieces => {
            let some = value.read_lock::<SomeOf>()?;
            Some(Domain::SomePieces {
                of: piece_list(&some.of)?,
                min: small(some.min),
                max: small(some.max),
            })
        }
        PickKind::Seat => {
            let items = list_items(value)?;
            let mut seats = items
                .iter()
                .map(|item| item.read_lock::<Seat>().map(|seat| seat.id))
                .collect::<Option<Vec<_>>>()?;
            seats.sort_unstable();
            seats.dedup();
            Some(Domain::Seats(seats))
        }
        PickKind::Number => {
            let numbers = value.read_lock::<Numbers>().map(|numbers| *numbers);
            let range = value.read_lock::<std::ops::RangeInclusive<INT>>().map(|range| Numbers {
                min: *range.start(),
                max: *range.end(),
                step: 1,
            });
            let numbers = numbers.or(range)?;
            Some(Domain::Numbers {
                min: numbers.min,
                max: numbers.max,
                step: numbers.step.max(1),
            })
        }
        PickKind::Choice => {
            let items = list_items(value)?;
            let word = |item: &Dynamic| item.as_immutable_string_ref().ok().map(|word| Arc::from(word.as_str()));
            Some(Domain::Choices(items.iter().map(word).collect::<Option<_>>()?))
        }
        PickKind::Path => {
            let items = list_items(value)?;
            let path = |item: &Dynamic| -> Option<Path> {
                list_items(item)?
                    .iter()
                    .map(|cell| cell.read_lock::<Cell>().map(|cell| cell.id))
                    .collect()
            };
            let mut paths = items.iter().map(path).collect::<Option<Vec<_>>>()?;
            paths.sort_unstable();
            paths.dedup();
            Some(Domain::Paths(paths))
        }
        PickKind::Pose => {
            let items = list_items(value)?;
            let pose = |item: &Dynamic| item.as_immutable_string_ref().ok()?.parse().ok();
            let mut poses = items.iter().map(pose).collect::<Option<Vec<Pose>>>()?;
            poses.sort_unstable();
            poses.dedup();
            Some(Domain::Poses(poses))
        }
        PickKind::Text => value.as_int().ok().map(|max| Domain::Text { max_chars: small(max) }),
    }
}

/// A pose by its word.
pub(crate) fn pose(word: &str) -> Answer<Pose> {
    word.parse().map_err(|fault: boardwright_model::PoseFault| wrong(fault.to_string()))
}

pub(crate) fn cell_set(capacity: usize, value: &Dynamic) -> Option<CellSet> {
    if let Some(cells) = value.read_lock::<Cells>() {
        return Some(cells.set.clone());
    }
    let items = list_items(value)?;
    let ids = items
        .iter()
        .map(|item| item.read_lock::<Cell>().map(|cell| cell.id))
        .collect::<Option<Vec<_>>>()?;
    Some(CellSet::from_cells(capacity, ids))
}

fn piece_list(value: &Dynamic) -> Option<Vec<PieceId>> {
    let items = list_items(value)?;
    let mut pieces = items
        .iter()
        .map(|item| item.read_lock::<Piece>().map(|piece| piece.id))
        .collect::<Option<Vec<_>>>()?;
    pieces.sort_unstable();
    pieces.dedup();
    Some(pieces)
}

/// What a domain hook has to give back for a pick.
pub(crate) fn domain_text(kind: PickKind) -> &'static str {
    match kind {
        PickKind::Cell => "cells, or a list of cells",
        PickKind::Cells => "some(cells, min, max)",
        PickKind::Piece => "a list of pieces",
        PickKind::Pieces => "some(pieces, min, max)",
        PickKind::Seat => "a list of seats",
        PickKind::Number => "numbers(min, max) or a range min..=max",
        PickKind::Choice => "a list of texts",
        PickKind::Path => "a list of paths, each a list of cells",
        PickKind::Pose => "a list of poses, such as [\"0\", \"m90\"]",
        PickKind::Text => "the greatest number of characters",
    }
}
