//! Values of lowered code: what scripts hold, without a box around each.

use std::rc::Rc;

use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use smallvec::SmallVec;

use super::super::api::call_context::SharedContext;
use super::super::api::handles;
use super::super::table::Table;
use super::super::value::depth;
use boardwright_model::{CellId, CellSet, PieceId, SeatId, Vector};

/// A value that lowered code works with. Handles belong to the context of the call; those of another context are [`Value::Other`].
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Unit,
    Bool(bool),
    Int(INT),
    Char(char),
    Text(ImmutableString),
    View,
    Options,
    Question,
    Seat(SeatId),
    Piece(PieceId),
    Cell(CellId),
    Vector(Vector),
    Cells(Rc<CellSet>),
    Reach(Rc<handles::Reach>),
    Range(Rc<Range>),
    List(Rc<List>),
    Map(Rc<Entries>),
    Table(Table),
    /// Whatever else natives take and give.
    Other(Rc<Dynamic>),
}

/// The arguments of a call from outside.
pub(crate) type Inputs = SmallVec<[Value; 4]>;

/// A range of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(super) start: INT,
    pub(super) end: INT,
    /// Whether the end is in it.
    pub(super) is_inclusive: bool,
}

impl Range {
    /// The numbers from the first up to this one, which is not in it any more; none where that is no number.
    pub(super) fn end(self) -> Option<INT> {
        if self.is_inclusive {
            self.end.checked_add(1)
        } else {
            Some(self.end)
        }
    }
}

/// What a value holds, counted as the engine counts it: items of lists, keys of maps, bytes of texts, at any depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) items: usize,
    pub(super) keys: usize,
    pub(super) bytes: usize,
}

impl Weight {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            items: self.items.saturating_add(other.items),
            keys: self.keys.saturating_add(other.keys),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self {
            items: self.items.saturating_sub(other.items),
            keys: self.keys.saturating_sub(other.keys),
            bytes: self.bytes.saturating_sub(other.bytes),
        }
    }

    const ITEM: Self = Self {
        items: 1,
        keys: 0,
        bytes: 0,
    };
    const KEY: Self = Self {
        items: 0,
        keys: 1,
        bytes: 0,
    };
}

/// The items of a list with the weight of all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    items: Vec<Value>,
    weight: Weight,
}

impl FromIterator<Value> for List {
    fn from_iter<T: IntoIterator<Item = Value>>(items: T) -> Self {
        let mut list = Self::default();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl List {
    pub(crate) fn items(&self) -> &[Value] {
        &self.items
    }

    pub(super) fn push(&mut self, item: Value) {
        self.weight = self.weight.and(item.weight()).and(Weight::ITEM);
        self.items.push(item);
    }

    pub(super) fn insert(&mut self, at: usize, item: Value) {
        self.weight = self.weight.and(item.weight()).and(Weight::ITEM);
        self.items.insert(at.min(self.items.len()), item);
    }

    /// Takes an item out.
    pub(super) fn remove(&mut self, at: usize) -> Option<Value> {
        if at >= self.items.len() {
            return None;
        }
        let item = self.items.remove(at);
        self.weight = self.weight.without(item.weight()).without(Weight::ITEM);
        Some(item)
    }

    pub(super) fn truncate(&mut self, len: usize) {
        while self.items.len() > len {
            self.remove(self.items.len() - 1);
        }
    }

    pub(super) fn reverse(&mut self) {
        self.items.reverse();
    }

    /// Changes an item.
    pub(super) fn change<R>(&mut self, at: usize, change: impl FnOnce(&mut Value) -> R) -> Option<R> {
        let item = self.items.get_mut(at)?;
        let before = item.weight();
        let result = change(item);
        self.weight = self.weight.without(before).and(item.weight());
        Some(result)
    }
}

/// The keys of a map in order. Maps that one literal made share them, so that a property is looked for once.
pub(crate) type Keys = Rc<Vec<ImmutableString>>;

/// The entries of a map in the order of their keys, with the weight of all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    keys: Keys,
    values: Vec<Value>,
    weight: Weight,
}

impl Entries {
    /// The values of keys, in the order of these.
    pub(crate) fn of(keys: Keys, values: Vec<Value>) -> Self {
        let weight = values
            .iter()
            .fold(Weight::default(), |weight, value| weight.and(value.weight()).and(Weight::KEY));
        Self { keys, values, weight }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&ImmutableString, &Value)> {
        self.keys.iter().zip(&self.values)
    }

    pub(super) fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Where a key stands among all, or where it would.
    pub(super) fn place(&self, key: &str) -> Result<usize, usize> {
        self.keys.binary_search_by(|known| known.as_str().cmp(key))
    }

    pub(super) fn at(&self, place: usize) -> Option<&Value> {
        self.values.get(place)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.place(key).ok().and_then(|place| self.at(place))
    }

    pub(super) fn insert(&mut self, key: ImmutableString, value: Value) {
        match self.place(&key) {
            Ok(place) => {
                if let Some(old) = self.values.get_mut(place) {
                    self.weight = self.weight.without(old.weight()).and(value.weight());
                    *old = value;
                }
            }
            Err(place) => {
                self.weight = self.weight.and(value.weight()).and(Weight::KEY);
                Rc::make_mut(&mut self.keys).insert(place, key);
                self.values.insert(place, value);
            }
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Value> {
        let place = self.place(key).ok()?;
        Rc::make_mut(&mut self.keys).remove(place);
        let value = self.values.remove(place);
        self.weight = self.weight.without(value.weight()).without(Weight::KEY);
        Some(value)
    }

    /// Changes the value of a key.
    pub(super) fn change<R>(&mut self, key: &str, change: impl FnOnce(&mut Value) -> R) -> Option<R> {
        let place = self.place(key).ok()?;
        let value = self.values.get_mut(place)?;
        let before = value.weight();
        let result = change(value);
        self.weight = self.weight.without(before).and(value.weight());
        Some(result)
    }
}

impl Value {
    /// Whether it is certain that there is no function in it.
    pub(super) fn holds_no_function(&self) -> bool {
        !matches!(self, Self::List(_) | Self::Map(_) | Self::Table(_) | Self::Other(_))
    }

    /// A text of a name.
    pub(crate) fn text(text: impl Into<ImmutableString>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(Rc::new(items.into_iter().collect()))
    }

    pub(crate) fn cells(cells: CellSet) -> Self {
        Self::Cells(Rc::new(cells))
    }

    pub(super) fn count(count: usize) -> Self {
        Self::Int(INT::try_from(count).unwrap_or(INT::MAX))
    }

    /// A handle, or nothing.
    pub(super) fn or_unit<T>(value: Option<T>, make: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Unit, make)
    }

    pub(super) fn weight(&self) -> Weight {
        match self {
            Self::Text(text) => Weight {
                bytes: text.len(),
                ..Weight::default()
            },
            Self::List(list) => list.weight,
            Self::Map(map) => map.weight,
            _ => Weight::default(),
        }
    }

    /// How deep lists and maps are nested in it; no more than one beyond so many levels are looked at.
    pub(in super::super) fn depth(&self, most: usize) -> usize {
        let inside = |items: &mut dyn Iterator<Item = &Self>| {
            let deepest = most.checked_sub(1).and_then(|most| items.map(|item| item.depth(most)).max());
            deepest.unwrap_or(0) + 1
        };
        match self {
            Self::List(list) => inside(&mut list.items.iter()),
            Self::Map(map) => inside(&mut map.values.iter()),
            Self::Table(table) => table.depth(),
            Self::Other(value) => depth(value, most),
            _ => 0,
        }
    }

    /// A value of the engine that is no handle.
    pub(super) fn plain(value: &Dynamic) -> Self {
        Self::of_simple(value).unwrap_or_else(|| Self::Other(Rc::new(value.clone())))
    }

    /// A value of a constant that is the same in every match; nothing for others.
    pub(in super::super) fn fixed(value: &Dynamic) -> Option<Self> {
        let table = || value.read_lock::<Table>().map(|table| Self::Table(table.clone()));
        Self::of_simple(value).or_else(table)
    }

    fn of_simple(value: &Dynamic) -> Option<Self> {
        if let Ok(number) = value.as_int() {
            return Some(Self::Int(number));
        }
        if let Ok(truth) = value.as_bool() {
            return Some(Self::Bool(truth));
        }
        if value.is_unit() {
            return Some(Self::Unit);
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Some(Self::Text(text.clone()));
        }
        value.as_char().ok().map(Self::Char)
    }

    /// A value of the engine, for the calls that work in a context.
    pub(crate) fn of(context: &SharedContext, value: &Dynamic) -> Self {
        if let Some(simple) = Self::of_simple(value) {
            return simple;
        }
        if let Some(list) = value.read_lock::<Array>() {
            return Self::list(list.iter().map(|item| Self::of(context, item)));
        }
        if let Some(map) = value.read_lock::<Map>() {
            let mut entries = Entries::default();
            for (key, value) in map.iter() {
                entries.insert(key.as_str().into(), Self::of(context, value));
            }
            return Self::Map(Rc::new(entries));
        }
        Self::of_variant(context, value).unwrap_or_else(|| Self::Other(Rc::new(value.clone())))
    }

    fn of_variant(context: &SharedContext, value: &Dynamic) -> Option<Self> {
        let is_here = |other: &SharedContext| Rc::ptr_eq(context, other);
        if let Some(piece) = value.read_lock::<handles::Piece>() {
            return is_here(&piece.context).then_some(Self::Piece(piece.id));
        }
        if let Some(cell) = value.read_lock::<handles::Cell>() {
            return is_here(&cell.context).then_some(Self::Cell(cell.id));
        }
        if let Some(seat) = value.read_lock::<handles::Seat>() {
            return is_here(&seat.context).then_some(Self::Seat(seat.id));
        }
        if let Some(table) = value.read_lock::<Table>() {
            return Some(Self::Table(table.clone()));
        }
        if let Some(cells) = value.read_lock::<handles::Cells>() {
            return is_here(&cells.context).then(|| Self::cells(cells.set.clone()));
        }
        if let Some(reach) = value.read_lock::<handles::Reach>() {
            return is_here(&reach.context).then(|| Self::Reach(Rc::new(reach.clone())));
        }
        if let Some(vector) = value.read_lock::<handles::Vector>() {
            return is_here(&vector.context).then_some(Self::Vector(vector.vector));
        }
        if let Some(view) = value.read_lock::<handles::View>() {
            return is_here(&view.context).then_some(Self::View);
        }
        if let Some(options) = value.read_lock::<handles::Options>() {
            return is_here(&options.context).then_some(Self::Options);
        }
        if let Some(question) = value.read_lock::<handles::Question>() {
            return is_here(&question.context).then_some(Self::Question);
        }
        let range = value
            .read_lock::<std::ops::Range<INT>>()
            .map(|range| (range.start, range.end, false));
        let range = range.or_else(|| {
            let range = value.read_lock::<std::ops::RangeInclusive<INT>>()?;
            Some((*range.start(), *range.end(), true))
        });
        range.map(|(start, end, is_inclusive)| Self::Range(Rc::new(Range { start, end, is_inclusive })))
    }

    /// The value as the engine and natives have it.
    pub(crate) fn into_dynamic(self, context: &SharedContext) -> Dynamic {
        match self {
            Self::Unit => Dynamic::UNIT,
            Self::Bool(truth) => Dynamic::from_bool(truth),
            Self::Int(number) => Dynamic::from_int(number),
            Self::Char(character) => Dynamic::from_char(character),
            Self::Text(text) => text.into(),
            Self::View => Dynamic::from(handles::View::new(context)),
            Self::Options => Dynamic::from(handles::Options::new(context)),
            Self::Question => Dynamic::from(handles::Question::new(context)),
            Self::Seat(id) => Dynamic::from(handles::Seat::new(context, id)),
            Self::Piece(id) => Dynamic::from(handles::Piece::new(context, id)),
            Self::Cell(id) => Dynamic::from(handles::Cell::new(context, id)),
            Self::Vector(vector) => Dynamic::from(handles::Vector::new(context, vector)),
            Self::Cells(set) => Dynamic::from(handles::Cells::new(context, Rc::unwrap_or_clone(set))),
            Self::Reach(reach) => Dynamic::from(Rc::unwrap_or_clone(reach)),
            Self::Range(range) if range.is_inclusive => Dynamic::from(range.start..=range.end),
            Self::Range(range) => Dynamic::from(range.start..range.end),
            Self::List(list) => {
                let items = list.items.iter().map(|item| item.clone().into_dynamic(context));
                Dynamic::from_array(items.collect())
            }
            Self::Map(map) => {
                let entries = map
                    .iter()
                    .map(|(key, value)| (key.as_str().into(), value.clone().into_dynamic(context)));
                Dynamic::from_map(entries.collect())
            }
            Self::Table(table) => Dynamic::from(table),
            Self::Other(value) => Rc::unwrap_or_clone(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_two_words() {
        assert_eq!(size_of::<Value>(), 16);
        assert_eq!(size_of::<super::super::code::Run>(), 16, "so a result is returned in registers");
    }

    #[test]
    fn the_weight_of_a_list_follows_what_becomes_of_it() {
        let mut list = List::default();
        list.push(Value::text("abc"));
        list.push(Value::list([Value::Int(1), Value::Int(2)]));
        let all = Weight {
            items: 4,
            keys: 0,
            bytes: 3,
        };
        assert_eq!(list.weight, all);
        list.change(1, |item| *item = Value::Unit).unwrap();
        list.remove(0).unwrap();
        assert_eq!(
            list.weight,
            Weight {
                items: 1,
                keys: 0,
                bytes: 0
            }
        );
    }
}
