//! Lists and maps that are shared: what the tables of rules become when they are loaded, and what natives give.

use std::any::TypeId;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FuncRegistration, INT, ImmutableString, Map, Module, NativeCallContext, Position, RhaiFunc,
    Shared,
};

use super::api::convert::list_items;
use super::limits::Limits;
use super::lists::{Seek, register_looking};
use super::lowered::{Entries, Value as Lowered};
use super::meter::{Meter, Stop};
use super::texts::{count, position};
use super::value::{Answer, DEPTH, Items, depth, depth_inside, equal, same, wrong};

/// A list or map whose copies are cheap: they are the same table. The lists and maps in it are tables as well.
///
/// Constants of rules that are lists or maps become tables, which cannot change. What natives give as a table belongs to whoever got it:
/// it becomes a list or map of its own when it is changed.
#[derive(Clone, Debug)]
pub(crate) struct Table(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    depth: usize,
    owner: Owner,
    body: Body,
    /// What lowered code reads of a constant, once it was asked for; nothing where that is not all of it.
    lowered: OnceCell<Option<LoweredTable>>,
}

/// A table in the values of lowered code.
#[derive(Debug)]
pub(crate) enum LoweredTable {
    List(Vec<Lowered>),
    Map(Entries),
}

/// To whom a table belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// It is part of a constant.
    Constant,
    /// The function that got it from a native.
    Function,
}

#[derive(Debug)]
enum Body {
    List(Vec<Dynamic>),
    Map(Map),
}

impl Body {
    fn items(&self) -> Items<'_> {
        match self {
            Self::List(items) => Items::List(items),
            Self::Map(map) => Items::Map(map),
        }
    }
}

/// What the engine is told when an item of a table was to be replaced. It asks for that after every word on an item as well, since the
/// word may have changed the item; there, and only there, it goes on after this error.
pub(crate) const FIXED: &str = "an item of a constant";

/// The name under which the engine looks for `value[index] = item`.
const INDEX_SETTER: &str = "index$set$";

/// Words that change lists or maps, with the number of their arguments. On constants they are the fault
/// [`ConstantMutation`](boardwright_model::diagnostic::Code::ConstantMutation).
pub(crate) const CHANGES: [(&str, usize); 14] = [
    ("push", 2),
    ("append", 2),
    ("insert", 3),
    ("pop", 1),
    ("shift", 1),
    ("remove", 2),
    ("clear", 1),
    ("truncate", 2),
    ("reverse", 1),
    ("sort", 1),
    ("sort", 2),
    ("dedup", 1),
    ("set", 3),
    ("+=", 2),
];

/// No more keys than this become properties.
const MOST_KEYS: usize = 1_000;

impl Table {
    fn new(owner: Owner, body: Body) -> Self {
        let depth = depth_inside(body.items(), DEPTH) + 1;
        Self(Rc::new(Inner {
            depth,
            owner,
            body,
            lowered: OnceCell::new(),
        }))
    }

    /// A table of a list, for the function that gets it. The lists and maps in it become tables; what is nested too deep for that
    /// becomes `()`.
    pub(crate) fn list(items: Vec<Dynamic>) -> Self {
        Self::list_of(Owner::Function, items)
    }

    fn list_of(owner: Owner, items: Vec<Dynamic>) -> Self {
        Self::new(owner, Body::List(items.into_iter().map(|item| freeze_item(owner, item)).collect()))
    }

    fn map_of(owner: Owner, map: Map) -> Self {
        let entries = map.into_iter().map(|(key, value)| (key, freeze_item(owner, value)));
        Self::new(owner, Body::Map(entries.collect()))
    }

    /// The value as part of a constant: every list and map in it made a table. Other values stay as they are.
    ///
    /// # Errors
    /// If lists and maps are nested too deep in it.
    pub(crate) fn freeze(value: Dynamic) -> Answer<Dynamic> {
        if depth(&value, DEPTH) > DEPTH {
            Err(Stop::Stack.error())
        } else {
            Ok(frozen(Owner::Constant, value))
        }
    }

    /// The value with every table in it made a list or map that can be changed. `None` if that takes more than `room` items: tables
    /// in tables are shared, lists in lists are not.
    pub(crate) fn thaw(value: Dynamic, room: &mut usize) -> Option<Dynamic> {
        *room = room.checked_sub(1)?;
        Some(match value.try_cast_result::<Self>() {
            Ok(table) => match table.items() {
                Items::List(items) => Dynamic::from_array(items.iter().map(|item| Self::thaw(item.clone(), room)).collect::<Option<_>>()?),
                Items::Map(map) => {
                    let entries = map.iter().map(|(key, value)| Some((key.clone(), Self::thaw(value.clone(), room)?)));
                    Dynamic::from_map(entries.collect::<Option<_>>()?)
                }
            },
            Err(value) => value,
        })
    }

    /// How deep tables are nested in it: 1 if there are none.
    pub(crate) fn depth(&self) -> usize {
        self.0.depth
    }

    /// The items of a list.
    pub(crate) fn as_list(&self) -> Option<&[Dynamic]> {
        match &self.0.body {
            Body::List(items) => Some(items),
            Body::Map(_) => None,
        }
    }

    /// The entries of a map.
    pub(crate) fn as_map(&self) -> Option<&Map> {
        match &self.0.body {
            Body::List(_) => None,
            Body::Map(map) => Some(map),
        }
    }

    /// Whether two tables are one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// A constant in the values of lowered code, made when it is first asked for. Nothing for tables of functions, which are not asked often,
    /// and for those with values that only the engine knows.
    pub(crate) fn lowered(&self) -> Option<&LoweredTable> {
        if self.0.owner == Owner::Function {
            return None;
        }
        let made = || match self.items() {
            Items::List(list) => Some(LoweredTable::List(list.iter().map(Lowered::fixed).collect::<Option<_>>()?)),
            Items::Map(map) => {
                let keys = map.keys().map(|key| ImmutableString::from(key.as_str()));
                let values = map.values().map(Lowered::fixed).collect::<Option<_>>()?;
                Some(LoweredTable::Map(Entries::of(Rc::new(keys.collect()), values)))
            }
        };
        self.0.lowered.get_or_init(made).as_ref()
    }

    pub(crate) fn items(&self) -> Items<'_> {
        self.0.body.items()
    }

    /// The items of a list; those of a map are asked for by name.
    fn slice(&self) -> &[Dynamic] {
        self.as_list().unwrap_or_default()
    }

    fn len(&self) -> usize {
        match &self.0.body {
            Body::List(items) => items.len(),
            Body::Map(map) => map.len(),
        }
    }

    fn at(&self, index: INT) -> Answer<Dynamic> {
        let list = self.as_list().ok_or_else(|| wrong("a map has no numbered items"))?;
        let found = position(index, list.len()).and_then(|position| list.get(position).cloned());
        found.ok_or_else(|| EvalAltResult::ErrorArrayBounds(list.len(), index, Position::NONE).into())
    }

    fn key(&self, key: &str) -> Answer<Dynamic> {
        let found = self.as_map().and_then(|map| map.get(key).cloned());
        found.ok_or_else(|| EvalAltResult::ErrorPropertyNotFound(key.to_owned(), Position::NONE).into())
    }

    fn keys(&self) -> Self {
        let keys = self.as_map().into_iter().flat_map(Map::keys);
        let keys = keys.map(|key| Dynamic::from(ImmutableString::from(key.as_str())));
        Self::new(Owner::Function, Body::List(keys.collect()))
    }

    /// A list or map of its own, with the same items.
    fn own(&self) -> Dynamic {
        match &self.0.body {
            Body::List(items) => Dynamic::from_array(items.clone()),
            Body::Map(map) => Dynamic::from_map(map.clone()),
        }
    }

    fn get(&self, key: &str) -> Option<Dynamic> {
        self.as_map().and_then(|map| map.get(key).cloned())
    }
}

/// What an item of a table becomes. Deeper ones could not be worked through, or even dropped, with the stack there is.
fn freeze_item(owner: Owner, value: Dynamic) -> Dynamic {
    if depth(&value, DEPTH) < DEPTH {
        frozen(owner, value)
    } else {
        Dynamic::UNIT
    }
}

fn frozen(owner: Owner, value: Dynamic) -> Dynamic {
    let value = value.flatten();
    if value.is_array() {
        Dynamic::from(Table::list_of(owner, value.into_array().unwrap_or_default()))
    } else if value.is_map() {
        Dynamic::from(Table::map_of(owner, value.try_cast::<Map>().unwrap_or_default()))
    } else {
        let given = value.read_lock::<Table>().is_some_and(|table| table.0.owner != owner);
        if given { refrozen(owner, &value) } else { value }
    }
}

/// A table that becomes part of another: what a constant holds is constant.
fn refrozen(owner: Owner, value: &Dynamic) -> Dynamic {
    let table = value.read_lock::<Table>().map(|table| table.clone());
    match table.filter(|_| owner == Owner::Constant) {
        Some(table) => match table.items() {
            Items::List(items) => Dynamic::from(Table::list_of(owner, items.to_vec())),
            Items::Map(map) => Dynamic::from(Table::map_of(owner, map.clone())),
        },
        None => value.clone(),
    }
}

/// The items of a table, or the keys if it is a map.
#[derive(Clone, Debug)]
pub(crate) struct TableItems {
    table: Table,
    next: usize,
}

impl Iterator for TableItems {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        let found = self.table.slice().get(self.next).cloned();
        self.next += 1;
        found
    }
}

impl IntoIterator for Table {
    type Item = Dynamic;
    type IntoIter = TableItems;

    fn into_iter(self) -> TableItems {
        let table = if self.as_map().is_some() { self.keys() } else { self };
        TableItems { table, next: 0 }
    }
}

/// The keys of every map in some values, for [`register_keys`].
pub(crate) fn keys_of<'a>(values: impl IntoIterator<Item = &'a Dynamic>) -> BTreeSet<String> {
    fn gather(value: &Dynamic, seen: &mut BTreeSet<*const Inner>, keys: &mut BTreeSet<String>) {
        let Some(table) = value.read_lock::<Table>() else { return };
        // Tables hold each other many times over.
        if !seen.insert(Rc::as_ptr(&table.0)) || keys.len() > MOST_KEYS {
            return;
        }
        match table.items() {
            Items::List(list) => list.iter().for_each(|item| gather(item, seen, keys)),
            Items::Map(map) => map.iter().for_each(|(key, item)| {
                keys.insert(key.to_string());
                gather(item, seen, keys);
            }),
        }
    }
    let (mut seen, mut keys) = (BTreeSet::new(), BTreeSet::new());
    values.into_iter().for_each(|value| gather(value, &mut seen, &mut keys));
    keys
}

/// Makes `table.key` as quick as any property. Without it the engine looks for the property and fails before it asks for the key.
pub(crate) fn register_keys(engine: &mut Engine, keys: BTreeSet<String>) {
    for key in keys {
        if !["len", "is_empty"].contains(&key.as_str()) {
            let name = key.clone();
            engine.register_get(key, move |table: &mut Table| table.key(&name));
        }
    }
}

/// The error of changing a constant.
#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
fn constant(word: &str) -> Box<EvalAltResult> {
    EvalAltResult::ErrorNonPureMethodCallOnConstant(word.to_owned(), Position::NONE).into()
}

pub(crate) fn register(engine: &mut Engine, meter: &Rc<Meter>, limits: &Limits) {
    engine.register_type_with_name::<Table>("table");
    let seek = Seek::new(meter, limits);
    register_looking::<Table>(engine, &seek, Table::slice);
    let (joiner, appender) = (seek.of("+"), seek.of("append"));
    let seek = seek.of("contains");

    // These hold for maps as well.
    engine.register_fn("len", |table: &mut Table| count(table.len()));
    engine.register_get("len", |table: &mut Table| count(table.len()));
    engine.register_fn("is_empty", |table: &mut Table| table.len() == 0);
    engine.register_get("is_empty", |table: &mut Table| table.len() == 0);
    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Table, b: Table| {
        equal(&context, a.items(), b.items())
    });
    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Table, b: Array| {
        equal(&context, a.items(), Items::List(&b))
    });
    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Array, b: Table| {
        equal(&context, Items::List(a), b.items())
    });
    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Table, b: Map| {
        equal(&context, a.items(), Items::Map(&b))
    });
    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Map, b: Table| {
        equal(&context, Items::Map(a), b.items())
    });
    engine.register_fn("!=", |context: NativeCallContext<'_>, a: &mut Table, b: Table| -> Answer<bool> {
        Ok(!equal(&context, a.items(), b.items())?)
    });

    engine.register_indexer_get(|table: &mut Table, index: INT| table.at(index));
    engine.register_indexer_get(|table: &mut Table, key: &str| table.key(key));
    register_put(engine);
    engine.register_fn("get", |table: &mut Table, key: &str| table.get(key).unwrap_or(Dynamic::UNIT));
    engine.register_fn("get", |table: &mut Table, key: &str, default: Dynamic| {
        table.get(key).unwrap_or(default)
    });
    engine.register_fn(
        "contains",
        move |context: NativeCallContext<'_>, table: &mut Table, value: Dynamic| -> Answer<bool> {
            match table.items() {
                Items::List(list) => Ok(seek.index_of(&context, list, &value)?.is_some()),
                Items::Map(map) => Ok(value.as_immutable_string_ref().is_ok_and(|key| map.contains_key(key.as_str()))),
            }
        },
    );
    engine.register_fn("keys", |table: &mut Table| table.keys());
    engine.register_fn("values", |table: &mut Table| -> Table {
        let values = table.as_map().into_iter().flat_map(Map::values).cloned();
        Table::new(Owner::Function, Body::List(values.collect()))
    });
    let seek = joiner.clone();
    engine.register_fn("+", move |a: Table, b: Array| joined(&seek, a.slice(), &b));
    let seek = joiner.clone();
    engine.register_fn("+", move |a: Array, b: Table| joined(&seek, &a, b.slice()));
    engine.register_fn("+", move |a: Table, b: Table| joined(&joiner, a.slice(), b.slice()));
    engine.register_fn("append", move |list: &mut Array, other: Table| -> Answer<()> {
        appender.pay(other.len())?;
        list.extend(other.slice().iter().cloned());
        Ok(())
    });
    let items = limits.list_items;
    engine.register_fn("copy", move |table: &mut Table| -> Answer<Dynamic> {
        Table::thaw(Dynamic::from(table.clone()), &mut (items + 1)).ok_or_else(|| Stop::Data.error())
    });
    engine.register_iterator::<Table>();

    for (word, arguments) in CHANGES {
        let mut types = vec![TypeId::of::<Table>()];
        types.resize(arguments, TypeId::of::<Dynamic>());
        engine.register_raw_fn(word, types, move |context, arguments| change(&context, word, arguments));
    }
}

fn joined(seek: &Seek, a: &[Dynamic], b: &[Dynamic]) -> Answer<Array> {
    seek.pay(a.len() + b.len())?;
    Ok(a.iter().chain(b).cloned().collect())
}

/// Carries out a word that changes the table that is its first argument, unless that is a constant.
fn change(context: &NativeCallContext<'_>, word: &str, arguments: &mut [&mut Dynamic]) -> Answer<Dynamic> {
    let [target, rest @ ..] = arguments else {
        return Err(constant(word));
    };
    let mut own = own_of(target).ok_or_else(|| constant(word))?;
    let result = if word == "+=" && own.is_array() {
        let item = rest.first().map_or(Dynamic::UNIT, |item| (**item).clone());
        let items = list_items(&item).unwrap_or_else(|| vec![item]);
        own.write_lock::<Array>()
            .into_iter()
            .for_each(|mut list| list.extend(items.iter().cloned()));
        Dynamic::UNIT
    } else {
        let mut values: Vec<&mut Dynamic> = std::iter::once(&mut own).chain(rest.iter_mut().map(|value| &mut **value)).collect();
        context.call_native_fn_raw(word, true, &mut values)?
    };
    **target = own;
    Ok(result)
}

/// What a table becomes that is to be changed. `None` if it may not be.
fn own_of(target: &Dynamic) -> Option<Dynamic> {
    let table = target.read_lock::<Table>()?;
    (!target.is_read_only() && table.0.owner == Owner::Function).then(|| table.own())
}

/// Registers `table[index] = value` and `table.key = value`, which the engine calls after each word on an item as well.
fn register_put(engine: &mut Engine) {
    let mut module = Module::new();
    for index in [TypeId::of::<INT>(), TypeId::of::<ImmutableString>()] {
        let func = RhaiFunc::Method {
            func: Shared::new(|context, arguments| put(&context.ok_or_else(fixed)?, arguments)),
            has_context: true,
            // It says itself what it makes of constants.
            is_pure: true,
            is_volatile: false,
        };
        let types = [TypeId::of::<Table>(), index, TypeId::of::<Dynamic>()];
        FuncRegistration::new(INDEX_SETTER)
            .in_global_namespace()
            .set_into_module_raw(&mut module, types, func);
    }
    engine.register_global_module(module.into());
}

fn put(context: &NativeCallContext<'_>, arguments: &mut [&mut Dynamic]) -> Answer<Dynamic> {
    let [target, index, value] = arguments else { return Err(fixed()) };
    let present = {
        let table = target.read_lock::<Table>().ok_or_else(fixed)?;
        if target.is_read_only() || table.0.owner == Owner::Constant {
            return Err(fixed());
        }
        match index.as_int() {
            Ok(index) => Some(table.at(index)?),
            Err(_) => index.as_immutable_string_ref().ok().and_then(|key| table.get(&key)),
        }
    };
    if let Some(present) = present
        && same(context, &present, value)?
    {
        return Ok(Dynamic::UNIT);
    }
    let mut own = own_of(target).ok_or_else(fixed)?;
    if let Some(mut list) = own.write_lock::<Array>() {
        let found = index.as_int().ok().and_then(|index| position(index, list.len()));
        if let Some(item) = found.and_then(|at| list.get_mut(at)) {
            *item = (**value).clone();
        }
    }
    if let Some(mut map) = own.write_lock::<Map>()
        && let Ok(key) = index.as_immutable_string_ref()
    {
        map.insert(key.as_str().into(), (**value).clone());
    }
    **target = own;
    Ok(Dynamic::UNIT)
}

/// The error of replacing an item of a constant: see [`FIXED`].
#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
fn fixed() -> Box<EvalAltResult> {
    EvalAltResult::ErrorIndexingType(FIXED.to_owned(), Position::NONE).into()
}
