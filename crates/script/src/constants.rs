//! The constants of a program: worked out once, when it is compiled.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use rhai::{AST, Dynamic, Engine, EvalAltResult, EvalContext, Expr, FnPtr, Position, Scope, Stmt};

use super::SharedModule;
use super::api::convert::map_entries;
use super::limits::Limits;
use super::locked::{origins, variable_of};
use super::meter::Stop;
use super::parse::{global_name, without_global};
use super::table::Table;
use super::value::{Answer, weigh};

/// A quick hash for names. Names come from scripts that are limited in size, and no order depends on it.
#[derive(Default)]
pub(crate) struct NameHasher(u64);

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5);
        }
    }
}

/// Values by name.
pub(crate) type Names = HashMap<Box<str>, Dynamic, BuildHasherDefault<NameHasher>>;

/// A constant that is yet to be worked out.
pub(crate) struct Definition {
    /// What it is.
    pub(crate) value: Expr,
    /// Where it is defined.
    pub(crate) position: Position,
    /// The name under which the definition below it is known. If both are maps, they become one.
    pub(crate) below: Option<String>,
}

impl Definition {
    pub(crate) fn new(value: Expr, position: Position) -> Self {
        let below = None;
        Self { value, position, below }
    }
}

/// Constants and functions of the rules, or of one script of the library.
#[derive(Default)]
pub(crate) struct Room {
    pub(crate) definitions: BTreeMap<String, Definition>,
    pub(crate) functions: BTreeSet<String>,
    /// Names that `base::` leads to, and what they stand for.
    pub(crate) aliases: BTreeMap<String, String>,
    pub(crate) library: SharedModule,
    /// The constants that are being worked out.
    pub(crate) busy: BTreeSet<String>,
    pub(crate) ready: Names,
}

impl Room {
    /// A room in which nothing is worked out yet.
    pub(crate) fn new(library: &SharedModule, functions: BTreeSet<String>) -> Self {
        Self {
            library: library.clone(),
            functions,
            ..Self::default()
        }
    }
}

/// The constants of the rules and of every script of the library they use.
pub(crate) struct Constants {
    rooms: RefCell<BTreeMap<String, Room>>,
    /// What the rules see, once everything is worked out.
    sealed: OnceCell<Names>,
    sealed_rooms: OnceCell<BTreeMap<String, Names>>,
    /// Variables in whose insides something may grow without the engine looking at the whole.
    watched: RefCell<Watched>,
    is_watching: Cell<bool>,
    list_items: usize,
    map_keys: usize,
}

/// Names of variables.
type Watched = HashSet<Box<str>, BuildHasherDefault<NameHasher>>;

/// The room of the rules; those of the library have the names of their files.
pub(crate) const RULES: &str = "";

impl Constants {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            rooms: RefCell::default(),
            sealed: OnceCell::new(),
            sealed_rooms: OnceCell::new(),
            watched: RefCell::default(),
            is_watching: Cell::new(false),
            list_items: limits.list_items,
            map_keys: limits.map_keys,
        }
    }

    /// From now on looks at the size of what is in variables of these names whenever one is used.
    pub(crate) fn watch(&self, names: BTreeSet<String>) {
        self.is_watching.set(!names.is_empty());
        *self.watched.borrow_mut() = names.into_iter().map(String::into_boxed_str).collect();
    }

    /// Refuses a variable that has grown too large.
    fn weigh(&self, name: &str, context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> Answer<()> {
        if !self.watched.borrow().contains(name) {
            return Ok(());
        }
        let Some(value) = context.scope().get(name) else { return Ok(()) };
        let (mut items, mut keys) = (self.list_items, self.map_keys);
        weigh(value, &mut items, &mut keys).ok_or_else(|| Stop::Data.error())
    }

    pub(crate) fn add(&self, name: &str, room: Room) {
        self.rooms.borrow_mut().insert(name.to_owned(), room);
    }

    /// What a name without a place in the scope stands for. Asked by the engine for every variable.
    #[inline]
    pub(crate) fn resolve(&self, name: &str, index: usize, context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> Answer<Option<Dynamic>> {
        if self.is_watching.get() {
            self.weigh(name, context)?;
        }
        if index == 0 {
            if let Some(names) = self.sealed.get() {
                return Ok(self.look_up(names, name, context));
            }
        } else if self.sealed.get().is_some() || index <= context.scope().len() {
            return Ok(None);
        }
        self.work_out(context.engine(), room_of(context), name)
    }

    fn look_up(&self, rules: &Names, name: &str, context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> Option<Dynamic> {
        let names = match context.namespaces() {
            [_] => rules,
            _ => self.sealed_rooms.get()?.get(room_of(context))?,
        };
        // A closure finds the variables it took from around it by name, and they come first.
        let Some(value) = names.get(name) else {
            let found = origins(name).find_map(|name| context.scope().get(name));
            let constant = || names.get(variable_of(name)?).cloned();
            return found.map(Dynamic::flatten_clone).or_else(constant);
        };
        let local = context.scope().get(name);
        local.is_none_or(|local| is_same(local, value)).then(|| value.clone())
    }

    /// A constant or function of the rules by its name, once all are worked out.
    pub(crate) fn find(&self, name: &str) -> Option<Dynamic> {
        self.sealed.get()?.get(name).cloned()
    }

    /// Works a constant out if it is not yet.
    pub(crate) fn work_out(&self, engine: &Engine, room: &str, name: &str) -> Answer<Option<Dynamic>> {
        let (value, below, library, name) = {
            let mut rooms = self.rooms.borrow_mut();
            let Some(found) = rooms.get_mut(room) else { return Ok(None) };
            let name = without_global(variable_of(name).unwrap_or(name));
            let name = found.aliases.get(name).map_or(name, String::as_str).to_owned();
            let name = name.as_str();
            if let Some(value) = found.ready.get(name) {
                return Ok(Some(value.clone()));
            }
            let Some(definition) = found.definitions.get(name) else {
                let is_function = found.functions.contains(name);
                return is_function.then(|| Ok(FnPtr::new(name)?.into())).transpose();
            };
            if !found.busy.insert(name.to_owned()) {
                let message = format!("the value of `{name}` depends on itself");
                return Err(EvalAltResult::ErrorRuntime(Dynamic::from(Cycle(message)), definition.position).into());
            }
            (
                definition.value.clone(),
                definition.below.clone(),
                found.library.clone(),
                name.to_owned(),
            )
        };
        let ast = AST::new([Stmt::Expr(Box::new(value))], library);
        let mut value = engine.eval_ast_with_scope::<Dynamic>(&mut Scope::new(), &ast)?.flatten();
        if let Some(below) = below
            && let Some(lower) = self.work_out(engine, room, &below)?
        {
            value = merge(&lower, value);
        }
        let value = Table::freeze(value)?;
        if let Some(found) = self.rooms.borrow_mut().get_mut(room) {
            found.busy.remove(&name);
            found.ready.insert(name.into_boxed_str(), value.clone());
        }
        Ok(Some(value))
    }

    /// Works everything in a room out, and tells what could not be.
    pub(crate) fn work_out_all(&self, engine: &Engine, room: &str) -> Vec<(String, Position, Box<EvalAltResult>)> {
        let names: Vec<_> = {
            let rooms = self.rooms.borrow();
            let definitions = rooms.get(room).into_iter().flat_map(|room| &room.definitions);
            definitions.map(|(name, definition)| (name.clone(), definition.position)).collect()
        };
        let mut failed = Vec::new();
        for (name, position) in names {
            if let Err(error) = self.work_out(engine, room, &name) {
                if let Some(room) = self.rooms.borrow_mut().get_mut(room) {
                    room.busy.clear();
                }
                failed.push((name, position, error));
            }
        }
        failed
    }

    /// The constants of a room, by name.
    pub(crate) fn values(&self, room: &str) -> BTreeMap<String, Dynamic> {
        let rooms = self.rooms.borrow();
        let ready = rooms.get(room).into_iter().flat_map(|room| &room.ready);
        ready.map(|(name, value)| (name.to_string(), value.clone())).collect()
    }

    /// Makes the constants final. From now on looking one up is quick.
    pub(crate) fn seal(&self) {
        let mut rooms: BTreeMap<String, Names> = BTreeMap::new();
        for (name, room) in self.rooms.take() {
            let mut names = room.ready;
            let global: Vec<_> = names.iter().map(|(name, value)| (global_name(name), value.clone())).collect();
            let base: Vec<_> = room
                .aliases
                .into_iter()
                .filter_map(|(alias, name)| Some((alias, names.get(name.as_str())?.clone())))
                .collect();
            names.extend(global.into_iter().chain(base).map(|(name, value)| (name.into_boxed_str(), value)));
            for function in room.functions {
                if let Ok(pointer) = FnPtr::new(function.as_str()) {
                    names.entry(function.into_boxed_str()).or_insert_with(|| pointer.into());
                }
            }
            rooms.insert(name, names);
        }
        // Sealing happens once, at the end of compiling.
        let _ = self.sealed.set(rooms.remove(RULES).unwrap_or_default());
        let _ = self.sealed_rooms.set(rooms);
    }
}

/// Whether a variable holds a constant that a closure took from around it, rather than something else of the same name.
fn is_same(variable: &Dynamic, constant: &Dynamic) -> bool {
    if let (Some(a), Some(b)) = (variable.read_lock::<Table>(), constant.read_lock::<Table>()) {
        return a.is(&b);
    }
    if let (Some(a), Some(b)) = (variable.read_lock::<FnPtr>(), constant.read_lock::<FnPtr>()) {
        return a.fn_name() == b.fn_name();
    }
    if let (Ok(a), Ok(b)) = (variable.as_immutable_string_ref(), constant.as_immutable_string_ref()) {
        return *a == *b;
    }
    match (variable.as_int(), constant.as_int()) {
        (Ok(a), Ok(b)) => a == b,
        _ => variable.type_id() == constant.type_id() && variable.as_bool().ok() == constant.as_bool().ok(),
    }
}

/// The script whose function is running: empty for the rules.
fn room_of<'a>(context: &'a EvalContext<'_, '_, '_, '_, '_, '_>) -> &'a str {
    context.namespaces().last().and_then(|module| module.id()).unwrap_or(RULES)
}

/// Constants whose values depend on each other.
#[derive(Clone, Debug)]
pub(crate) struct Cycle(pub(crate) String);

/// The value of a constant that is defined on several layers: maps become one, key by key, and `()` takes a key away. Anything else
/// is replaced.
fn merge(below: &Dynamic, above: Dynamic) -> Dynamic {
    let (Some(mut merged), Some(upper)) = (map_entries(below), map_entries(&above)) else {
        return above;
    };
    for (key, value) in upper {
        let lower = merged.remove(&key);
        if !value.is_unit() {
            let value = match lower {
                Some(lower) => merge(&lower, value),
                None => value,
            };
            merged.insert(key, value);
        }
    }
    Dynamic::from_map(merged)
}
