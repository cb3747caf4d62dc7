//! Constant lists and maps: what the tables of rules become when they are loaded.

use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, ImmutableString, Map, NativeCallContext, Position};

use super::limits::Limits;
use super::lists::{Seek, register_looking};
use super::meter::{Meter, Stop};
use super::texts::{count, position};
use super::value::{Answer, DEPTH, Items, depth, depth_inside, equal, wrong};

/// A list or map that cannot change. Copies are cheap: they are the same table. The lists and maps in it are tables as well.
///
/// Constants of rules that are lists or maps become tables, and natives that give long lists to scripts give tables.
#[derive(Clone, Debug)]
pub(crate) struct Table(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    depth: usize,
    body: Body,
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

/// Words that change lists or maps. On tables they are the fault [`ConstantMutation`](boardwright_model::diagnostic::Code::ConstantMutation).
const CHANGES: [(&str, usize); 14] = [
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
    fn new(body: Body) -> Self {
        let depth = depth_inside(body.items(), DEPTH) + 1;
        Self(Rc::new(Inner { depth, body }))
    }

    /// A table of a list. The lists and maps in it become tables; what is nested too deep for that becomes `()`.
    pub(crate) fn list(items: Vec<Dynamic>) -> Self {
        Self::new(Body::List(items.into_iter().map(freeze_item).collect()))
    }

    /// A table of a map. The lists and maps in it become tables; what is nested too deep for that becomes `()`.
    pub(crate) fn map(map: Map) -> Self {
        Self::new(Body::Map(map.into_iter().map(|(key, value)| (key, freeze_item(value))).collect()))
    }

    /// The value with every list and map in it made a table. Other values stay as they are.
    ///
    /// # Errors
    /// If lists and maps are nested too deep in it.
    pub(crate) fn freeze(value: Dynamic) -> Answer<Dynamic> {
        if depth(&value, DEPTH) > DEPTH {
            Err(Stop::Stack.error())
        } else {
            Ok(frozen(value))
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
        Self::new(Body::List(
            keys.map(|key| Dynamic::from(ImmutableString::from(key.as_str()))).collect(),
        ))
    }

    fn get(&self, key: &str) -> Option<Dynamic> {
        self.as_map().and_then(|map| map.get(key).cloned())
    }
}

/// What an item of a table becomes. Deeper ones could not be worked through, or even dropped, with the stack there is.
fn freeze_item(value: Dynamic) -> Dynamic {
    if depth(&value, DEPTH) < DEPTH {
        frozen(value)
    } else {
        Dynamic::UNIT
    }
}

fn frozen(value: Dynamic) -> Dynamic {
    let value = value.flatten();
    if value.is_array() {
        Dynamic::from(Table::list(value.into_array().unwrap_or_default()))
    } else if value.is_map() {
        Dynamic::from(Table::map(value.try_cast::<Map>().unwrap_or_default()))
    } else {
        value
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
    engine.register_indexer_set(|_: &mut Table, _: INT, _: Dynamic| -> Answer<()> { Err(constant("[]")) });
    engine.register_indexer_set(|_: &mut Table, key: &str, _: Dynamic| -> Answer<()> { Err(constant(key)) });
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
        Table::new(Body::List(table.as_map().into_iter().flat_map(Map::values).cloned().collect()))
    });
    let items = limits.list_items;
    engine.register_fn("copy", move |table: &mut Table| -> Answer<Dynamic> {
        Table::thaw(Dynamic::from(table.clone()), &mut (items + 1)).ok_or_else(|| Stop::Data.error())
    });
    engine.register_iterator::<Table>();

    for (word, arguments) in CHANGES {
        match arguments {
            1 => drop(engine.register_fn(word, move |_: &mut Table| -> Answer<()> { Err(constant(word)) })),
            2 => drop(engine.register_fn(word, move |_: &mut Table, _: Dynamic| -> Answer<()> { Err(constant(word)) })),
            _ => drop(
                engine.register_fn(word, move |_: &mut Table, _: Dynamic, _: Dynamic| -> Answer<()> {
                    Err(constant(word))
                }),
            ),
        }
    }
}
