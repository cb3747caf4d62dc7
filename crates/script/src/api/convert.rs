//! Between values of the model and values of scripts.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rhai::{Dynamic, INT, ImmutableString, Map};

use super::super::lowered::Value as LoweredValue;
use super::super::table::Table;
use super::super::value::{Answer, Items, described, with_items, wrong, wrong_with};
use super::super::vocabulary::{is_word, meant};
use super::call_context::SharedContext;
use super::handles::{Cell, Cells, Piece, Seat};
use boardwright_model::{
    Action, ActionId, Board, CellId, CellSet, Declarations, DirectionId, Domain, KindId, Path, Pick, PickKind, PieceId, Pose, PropertyId,
    Scope, SeatId, State, Target, Value, ValueType,
};
use boardwright_rules::{PlayoutWeights, WeightFor};
use boardwright_ruleset::did_you_mean;

/// A value, or nothing.
pub(crate) fn or_unit<T: rhai::Variant + Clone>(value: Option<T>) -> Dynamic {
    value.map_or(Dynamic::UNIT, Dynamic::from)
}

/// No more names than this are listed.
const MOST_LISTED: usize = 12;

/// What to do about a name that stands for nothing: the one that was probably meant, or those that there are.
pub(crate) fn cure_of_name(name: &str, known: &[&str]) -> Option<String> {
    let list = || {
        // Zones of seats have one name.
        let mut seen = BTreeSet::new();
        let known: Vec<&str> = known.iter().copied().filter(|name| seen.insert(*name)).collect();
        let names: Vec<_> = known.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
        let more = if known.len() > MOST_LISTED { ", .." } else { "" };
        (!names.is_empty()).then(|| format!("there are {}{more}", names.join(", ")))
    };
    did_you_mean(name, known.iter().copied()).or_else(list)
}

/// What stands under a name; `known` are the names that there are.
pub(crate) fn found<'a, T>(found: Option<T>, what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Answer<T> {
    found.ok_or_else(|| {
        let known: Vec<&str> = known.into_iter().collect();
        wrong_with(format!("there is no {what} {name:?}"), cure_of_name(name, &known))
    })
}

pub(crate) fn found_kind(state: &State, name: &str) -> Answer<KindId> {
    let declared = state.declarations();
    found(
        declared.find_kind(name),
        "kind",
        name,
        declared.kinds.iter().map(|kind| &*kind.name),
    )
}

pub(crate) fn found_action(declared: &Declarations, name: &str) -> Answer<ActionId> {
    let names = declared.actions.iter().map(|action| &*action.name);
    found(declared.find_action(name), "action", name, names)
}

pub(crate) fn found_direction(board: &Board, name: &str) -> Answer<DirectionId> {
    let names = board.directions().map(|direction| board.direction_name(direction));
    found(board.find_direction(name), "direction", name, names)
}

pub(crate) fn found_option<'a>(state: &'a State, name: &str) -> Answer<&'a Value> {
    let names = state.declarations().options.iter().map(|option| &*option.name);
    found(state.option(name), "option", name, names)
}

/// A value of the model as scripts see it.
pub(crate) fn to_script(context: &SharedContext, state: &State, value: &Value) -> Dynamic {
    match value {
        Value::Nothing => Dynamic::UNIT,
        Value::Integer(number) => Dynamic::from_int(*number),
        Value::Flag(flag) => Dynamic::from_bool(*flag),
        Value::Text(text) => Dynamic::from(ImmutableString::from(&**text)),
        Value::Cell(id) => Dynamic::from(Cell::new(context, *id)),
        Value::Piece(id) => Dynamic::from(Piece::new(context, *id)),
        Value::Seat(id) => Dynamic::from(Seat::new(context, *id)),
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
        return found_kind(state, &name).map(Value::Kind);
    }
    plain_value(value).ok_or_else(|| wrong(format!("expected {}, found {}", value_type.describe(), described(value))))
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
    let thing = cell_id(value).map(Value::Cell);
    let thing = thing.or_else(|| piece_id(value).map(Value::Piece));
    let thing = thing.or_else(|| seat_id(value).map(Value::Seat));
    thing.or_else(|| list_of(value, plain_value).map(Value::List))
}

/// The bytes of the texts in a value, those of lists inside it included.
pub(crate) fn text_bytes(value: &Dynamic) -> usize {
    if let Ok(text) = value.as_immutable_string_ref() {
        return text.len();
    }
    list_of::<usize, Vec<usize>>(value, |item| Some(text_bytes(item))).map_or(0, |bytes| bytes.iter().sum())
}

/// The items of a list or a constant list, or the cells of a set.
pub(crate) fn items_of(value: &Dynamic) -> Option<Vec<Dynamic>> {
    if let Some(set) = value.read_lock::<Cells>() {
        return Some(set.set.iter().map(|id| Dynamic::from(Cell::new(&set.context, id))).collect());
    }
    list_items(value)
}

/// The items of a list or a constant list.
pub(crate) fn list_items(value: &Dynamic) -> Option<Vec<Dynamic>> {
    list_of(value, |item| Some(item.clone()))
}

/// The items of a list or a constant list, each read. `None` if it is no list, or if one of them is not as it has to be.
pub(crate) fn list_of<T, L: FromIterator<T>>(value: &Dynamic, read: impl Fn(&Dynamic) -> Option<T>) -> Option<L> {
    with_items(value, |items| match items {
        Items::List(list) => list.iter().map(read).collect(),
        Items::Map(_) => None,
    })?
}

/// The items of a list, each read, in their order and each once.
fn set_of<T: Ord>(value: &Dynamic, read: impl Fn(&Dynamic) -> Option<T>) -> Option<Vec<T>> {
    let mut items: Vec<T> = list_of(value, read)?;
    items.sort_unstable();
    items.dedup();
    Some(items)
}

/// The entries of a map or a constant map.
pub(crate) fn map_entries(value: &Dynamic) -> Option<Map> {
    with_map(value, Map::clone)
}

/// Looks into a map or a constant map without copying it. `None` if it is none.
pub(crate) fn with_map<R>(value: &Dynamic, look: impl FnOnce(&Map) -> R) -> Option<R> {
    with_items(value, |items| match items {
        Items::List(_) => None,
        Items::Map(map) => Some(look(map)),
    })?
}

/// The text that a value is.
pub(crate) fn text(value: &Dynamic) -> Option<Arc<str>> {
    value.as_immutable_string_ref().ok().map(|text| Arc::from(text.as_str()))
}

/// The cell that a value is.
pub(crate) fn cell_id(value: &Dynamic) -> Option<CellId> {
    value.read_lock::<Cell>().map(|cell| cell.id)
}

/// The seat that a value is.
pub(crate) fn seat_id(value: &Dynamic) -> Option<SeatId> {
    value.read_lock::<Seat>().map(|seat| seat.id)
}

fn piece_id(value: &Dynamic) -> Option<PieceId> {
    value.read_lock::<Piece>().map(|piece| piece.id)
}

/// Reads a declared property.
pub(crate) fn get_property(context: &SharedContext, target: Target, scope: Scope, name: &str) -> Answer<Dynamic> {
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
pub(crate) fn set_property(context: &SharedContext, target: Target, scope: Scope, name: &str, value: &Dynamic) -> Answer<()> {
    let given = context.read(|state| {
        let missing = || {
            if is_word(name) {
                unsettable(name)
            } else {
                unknown_property(state, scope, name)
            }
        };
        let property = state.declarations().find_property(scope, name).ok_or_else(missing)?;
        let declared = state.declarations().property(property).ok_or_else(|| unsettable(name))?;
        let value = from_script(state, value, &declared.value_type)?;
        let is_kept = !context.is_acting() && state.value(target, property) == Some(&value);
        Ok((!is_kept).then_some((property, value)))
    })?;
    // The engine hands back what a word for lists has looked at: a hook that only looks may do that.
    let Some((property, value)) = given else { return Ok(()) };
    context.change(|transaction| transaction.set(target, property, value))
}

/// An error that the engine takes for "no such setter". It also asks for setters to hand back what methods were called on, as in
/// `seat.cells.dilate(1)`, and goes on only after this error.
fn unsettable(name: &str) -> Box<rhai::EvalAltResult> {
    rhai::EvalAltResult::ErrorIndexingType(name.to_owned(), rhai::Position::NONE).into()
}

fn unknown_property(state: &State, scope: Scope, name: &str) -> Box<rhai::EvalAltResult> {
    let known: Vec<&str> = state
        .declarations()
        .properties_of(scope)
        .map(|(_, property)| &*property.name)
        .collect();
    let owner = match scope {
        Scope::Match => "the match",
        Scope::Seat => "a seat",
        Scope::Piece => "a piece",
        Scope::Cell => "a cell",
        Scope::Edge => "an edge",
    };
    let known = if known.is_empty() {
        "none is declared".to_owned()
    } else {
        format!("declared are {}", known.join(", "))
    };
    let of = match scope {
        Scope::Match => "View",
        Scope::Seat => "Seat",
        Scope::Piece => "Piece",
        Scope::Cell => "Cell",
        Scope::Edge => "Edge",
    };
    let declared = state.declarations().properties_of(scope).map(|(_, property)| &*property.name);
    wrong_with(format!("{owner} has no property {name:?}: {known}"), meant(of, name, declared))
}

/// A pick as scripts see it.
pub(crate) fn pick_to_script(context: &SharedContext, state: &State, pick: &Pick) -> Dynamic {
    let list = |items: Vec<Dynamic>| Dynamic::from(Table::list(items));
    match pick {
        Pick::Cell(id) => Dynamic::from(Cell::new(context, *id)),
        Pick::Cells(ids) => Dynamic::from(Cells::new(
            context,
            CellSet::from_cells(state.board().cell_count(), ids.iter().copied()),
        )),
        Pick::Piece(id) => Dynamic::from(Piece::new(context, *id)),
        Pick::Pieces(ids) => list(ids.iter().map(|id| Dynamic::from(Piece::new(context, *id))).collect()),
        Pick::Seat(id) => Dynamic::from(Seat::new(context, *id)),
        Pick::Number(number) => Dynamic::from_int(*number),
        Pick::Choice(text) | Pick::Text(text) => Dynamic::from(ImmutableString::from(&**text)),
        Pick::Pose(pose) => Dynamic::from(ImmutableString::from(pose.word())),
        Pick::Path(path) => list(path.iter().map(|id| Dynamic::from(Cell::new(context, *id))).collect()),
    }
}

/// A pick as lowered code has it.
pub(crate) fn pick_to_lowered(context: &SharedContext, state: &State, pick: &Pick) -> LoweredValue {
    match pick {
        Pick::Cell(id) => LoweredValue::Cell(*id),
        Pick::Cells(ids) => LoweredValue::cells(CellSet::from_cells(state.board().cell_count(), ids.iter().copied())),
        Pick::Piece(id) => LoweredValue::Piece(*id),
        Pick::Seat(id) => LoweredValue::Seat(*id),
        Pick::Number(number) => LoweredValue::Int(*number),
        Pick::Choice(text) | Pick::Text(text) => LoweredValue::text(&**text),
        Pick::Pieces(_) | Pick::Pose(_) | Pick::Path(_) => LoweredValue::of(context, &pick_to_script(context, state, pick)),
    }
}

/// What a script names as a pick of a kind. `None` if it is nothing of that kind.
pub(crate) fn to_pick(value: &Dynamic, kind: PickKind) -> Option<Pick> {
    Some(match kind {
        PickKind::Cell => Pick::Cell(cell_id(value)?),
        PickKind::Cells => Pick::Cells(match value.read_lock::<Cells>() {
            Some(cells) => cells.set.iter().collect(),
            None => set_of(value, cell_id)?,
        }),
        PickKind::Piece => Pick::Piece(piece_id(value)?),
        PickKind::Pieces => Pick::Pieces(set_of(value, piece_id)?),
        PickKind::Seat => Pick::Seat(seat_id(value)?),
        PickKind::Number => Pick::Number(value.as_int().ok()?),
        PickKind::Choice => Pick::Choice(text(value)?),
        PickKind::Text => Pick::Text(text(value)?),
        PickKind::Path => Pick::Path(list_of(value, cell_id)?),
        PickKind::Pose => Pick::Pose(pose_of(value)?),
    })
}

/// The action that a script makes of picks by name; says what it would need if some are missing, too many or of another sort.
pub(crate) fn action_of(declarations: &Declarations, seat: SeatId, id: ActionId, picks: &Map) -> Result<Action, String> {
    let declared = declarations.action(id).map_or(&[][..], |declared| &declared.picks);
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

/// The playout weights a script gives: pairs of what has to be picked and a weight. `None` if it is nothing of the kind.
pub(crate) fn to_playout_weights(state: &State, value: &Dynamic) -> Option<PlayoutWeights> {
    let mut weights = PlayoutWeights::default();
    for pair in list_items(value)? {
        let [what, number] = <[Dynamic; 2]>::try_from(list_items(&pair)?).ok()?;
        let what = match text(&what) {
            Some(word) => state.declarations().find_kind(&word).map_or(WeightFor::Word(word), WeightFor::Kind),
            None => match cell_set(state.board().cell_count(), &what) {
                Some(cells) => WeightFor::Cells(cells),
                None => WeightFor::Pieces(set_of(&what, piece_id)?),
            },
        };
        weights = weights.with(what, u32::try_from(number.as_int().ok()?).ok()?);
    }
    Some(weights)
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
pub(crate) fn domain_of(context: &SharedContext, state: &State, value: &LoweredValue, kind: PickKind) -> Option<Domain> {
    match (kind, value) {
        (PickKind::Cell, LoweredValue::Cells(cells)) => Some(Domain::Cells(CellSet::clone(cells))),
        (PickKind::Piece, LoweredValue::List(list)) => {
            let piece = |item: &LoweredValue| match item {
                LoweredValue::Piece(piece) => Some(*piece),
                _ => None,
            };
            let mut pieces: Vec<PieceId> = list.items().iter().map(piece).collect::<Option<_>>()?;
            pieces.sort_unstable();
            pieces.dedup();
            Some(Domain::Pieces(pieces))
        }
        _ => to_domain(state, &value.clone().into_dynamic(context), kind),
    }
}

fn to_domain(state: &State, value: &Dynamic, kind: PickKind) -> Option<Domain> {
    let capacity = state.board().cell_count();
    let small = |number: INT| number.clamp(0, INT::from(u16::MAX)) as u16;
    Some(match kind {
        PickKind::Cell => Domain::Cells(cell_set(capacity, value)?),
        PickKind::Cells => {
            let some = value.read_lock::<SomeOf>()?;
            Domain::SomeCells {
                of: cell_set(capacity, &some.of)?,
                min: small(some.min),
                max: small(some.max),
            }
        }
        PickKind::Piece => Domain::Pieces(set_of(value, piece_id)?),
        PickKind::Pieces => {
            let some = value.read_lock::<SomeOf>()?;
            Domain::SomePieces {
                of: set_of(&some.of, piece_id)?,
                min: small(some.min),
                max: small(some.max),
            }
        }
        PickKind::Seat => Domain::Seats(set_of(value, seat_id)?),
        PickKind::Number => {
            let numbers = value.read_lock::<Numbers>().map(|numbers| *numbers);
            let range = value.read_lock::<RangeInclusive<INT>>();
            let (min, max, step) = match (numbers, range) {
                (Some(numbers), _) => (numbers.min, numbers.max, numbers.step.max(1)),
                (None, range) => range.map(|range| (*range.start(), *range.end(), 1))?,
            };
            Domain::Numbers { min, max, step }
        }
        PickKind::Choice => Domain::Choices(list_of(value, text)?),
        PickKind::Path => Domain::Paths(set_of(value, |item| list_of::<_, Path>(item, cell_id))?),
        PickKind::Pose => Domain::Poses(set_of(value, pose_of)?),
        PickKind::Text => Domain::Text {
            max_chars: small(value.as_int().ok()?),
        },
    })
}

fn pose_of(value: &Dynamic) -> Option<Pose> {
    value.as_immutable_string_ref().ok()?.parse().ok()
}

/// A pose by its word.
pub(crate) fn pose(word: &str) -> Answer<Pose> {
    word.parse().map_err(|fault: boardwright_model::PoseFault| wrong(fault.to_string()))
}

pub(crate) fn cell_set(capacity: usize, value: &Dynamic) -> Option<CellSet> {
    if let Some(cells) = value.read_lock::<Cells>() {
        return Some(cells.set.clone());
    }
    let ids: Vec<CellId> = list_of(value, cell_id)?;
    Some(CellSet::from_cells(capacity, ids))
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

/// A number for each cell of a board from pairs: a cell or a set of cells, and the number, which is added where a cell comes more than once. `None` for what
/// is no list of such pairs.
pub(crate) fn cell_values(cell_count: usize, value: &Dynamic) -> Option<Vec<Option<i64>>> {
    let pair = |item: &Dynamic| {
        let [cells, number] = <[Dynamic; 2]>::try_from(list_items(item)?).ok()?;
        let cells = match cell_id(&cells) {
            Some(cell) => CellSet::from_cells(cell_count, [cell]),
            None => cell_set(cell_count, &cells)?,
        };
        Some((cells, number.as_int().ok()?))
    };
    let pairs: Vec<(CellSet, i64)> = list_of(value, pair)?;
    let mut values = vec![None; cell_count];
    for (cells, number) in pairs {
        for cell in &cells {
            if let Some(known) = values.get_mut(cell.index()) {
                *known = Some(known.unwrap_or(0_i64).saturating_add(number));
            }
        }
    }
    Some(values)
}
