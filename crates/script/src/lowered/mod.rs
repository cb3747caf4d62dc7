//! Hooks in a form that runs without the engine.
//!
//! The engine walks through the syntax tree of a function: it looks up each variable and function by its name, boxes each handle, and copies
//! a list whenever one is read. Lowered code has none of that: variables have places, handles are numbers, lists are shared until they are
//! changed, and the words that rules use most are called at once.
//!
//! It is the same language. What is not covered, and whatever ends in an error, is run by the engine from the beginning of the hook, with what
//! was changed taken back; so results, limits and errors are those of the engine, with its lines and columns. Operations are counted
//! alike. [`Program::run`](crate::Program) is the only place that knows of both.

mod code;
mod lower;
mod machine;
mod memo;
mod natives;
mod value;
mod words;

use std::any::TypeId;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, ImmutableString};

pub(super) use self::code::Callee;
use self::code::{Body, Getter, Native, Owner, Property, TABLES};
pub(super) use self::machine::run;
pub(super) use self::value::{Entries, Inputs, Keys, Value};
use super::Program;
use super::api::call_context::CallContext;
use super::api::handles::{self, View};
use super::strategies::{Agent, AgentMoment};
use super::table::Table;
use boardwright_model::{Board, CellId, CellSet, Declarations, Map, State, TerrainId, Topology, Value as Stored};
use boardwright_rules::Savepoint;

/// The lowered functions of a program.
#[derive(Default)]
pub(super) struct Lowered {
    callees: RefCell<Vec<Rc<Callee>>>,
    numbers: RefCell<HashMap<(ImmutableString, usize), usize>>,
    /// The handles of which a word is a property.
    getters: OnceCell<HashMap<String, u8>>,
    /// Operators that the engine works out, by their numbers.
    operators: [Native; 16],
    machine: Cell<Option<Box<machine::Memory>>>,
    /// What functions gave that only look.
    memo: RefCell<memo::Memo>,
    /// The context of calls that are given no match.
    nowhere: OnceCell<Option<Rc<CallContext>>>,
}

/// How often a function ran in lowered form, and how often the engine had to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    runs: u32,
    abandoned: u32,
}

/// After so many vain attempts a function is given up if they were more than one in so many.
const VAIN: u32 = 8;
const ONE_IN: u32 = 4;

impl Tally {
    /// Whether running it in lowered form is worth an attempt.
    pub(super) fn is_worthwhile(self) -> bool {
        self.abandoned < VAIN || self.abandoned.saturating_mul(ONE_IN) < self.runs
    }

    pub(super) fn note(&mut self, is_abandoned: bool) {
        self.runs = self.runs.saturating_add(1);
        self.abandoned = self.abandoned.saturating_add(u32::from(is_abandoned));
    }
}

impl Lowered {
    /// The number of a function that is called.
    pub(super) fn callee(&self, name: &str, parameters: usize) -> usize {
        let mut callees = self.callees.borrow_mut();
        let mut numbers = self.numbers.borrow_mut();
        *numbers.entry((name.into(), parameters)).or_insert_with(|| {
            callees.push(Rc::new(Callee::new(name, parameters)));
            callees.len() - 1
        })
    }

    /// A function of the scripts by its name.
    pub(super) fn function_of(&self, name: &str, parameters: usize) -> Rc<Callee> {
        let number = self.callee(name, parameters);
        self.function(number).unwrap_or_else(|| Rc::new(Callee::new(name, parameters)))
    }

    pub(super) fn function(&self, number: usize) -> Option<Rc<Callee>> {
        self.callees.borrow().get(number).cloned()
    }

    /// A function in lowered form, if it is covered.
    fn body<'a>(&self, program: &Program, callee: &'a Callee) -> Option<&'a Rc<Body>> {
        let lower = || lower::lower(program, self, &callee.name, callee.parameters).map(Rc::new);
        callee.body.get_or_init(lower).as_ref()
    }

    /// A property by its name.
    fn property(&self, program: &Program, name: &str) -> Property {
        let getters = self.getters.get_or_init(|| getters(program));
        Property {
            name: name.into(),
            getter: Getter::of(name),
            natives: getters.get(name).copied().unwrap_or(0),
            found: RefCell::new(None),
            place: RefCell::new(None),
            get: Native::default(),
            set: Native::default(),
        }
    }

    /// A constant of the rules.
    fn constant(value: &Dynamic) -> Value {
        match value.read_lock::<Table>() {
            Some(table) => Value::Table(table.clone()),
            None => Value::plain(value),
        }
    }
}

/// The natives that are properties of handles, by name.
fn getters(program: &Program) -> HashMap<String, u8> {
    let owners = [
        (TypeId::of::<handles::View>(), Owner::View as u8),
        (TypeId::of::<handles::Seat>(), Owner::Seat as u8),
        (TypeId::of::<handles::Piece>(), Owner::Piece as u8),
        (TypeId::of::<handles::Cell>(), Owner::Cell as u8),
        (TypeId::of::<Table>(), TABLES),
    ];
    let mut found: HashMap<String, u8> = HashMap::new();
    let of = |info: rhai::FuncInfo<'_>| {
        let name = info.metadata.name.strip_prefix("get$")?.to_owned();
        let owner = owners.iter().find(|(id, _)| info.metadata.param_types.first() == Some(id))?.1;
        Some((name, owner))
    };
    for (name, owner) in program.engine.collect_fn_metadata(None, of, true) {
        *found.entry(name).or_default() |= owner;
    }
    found
}

/// The grounds of a state, and the cells of each terrain that was asked for.
type TerrainSets = (Arc<[TerrainId]>, Vec<Option<Rc<CellSet>>>);

/// The cells with a value in a property, as long as these are its values.
#[derive(Debug)]
struct CellsHaving {
    values: Arc<[Stored]>,
    wanted: Stored,
    cells: Rc<CellSet>,
}

/// So many sets of cells with a value are kept.
const MOST_HAVING: usize = 48;

/// What a match is asked for again and again: the names that handles have, regions, the cells of terrains.
#[derive(Debug)]
pub(super) struct Names {
    declarations: Arc<Declarations>,
    board: Arc<Board>,
    /// The regions of the board that were asked for.
    regions: Vec<OnceCell<Rc<CellSet>>>,
    /// The cells of each terrain that was asked for, as long as the grounds are these.
    terrain_sets: RefCell<Option<TerrainSets>>,
    /// The cells with a value in a property that were asked for, the last ones behind.
    cells_having: RefCell<Vec<CellsHaving>>,
    /// The list of all seats.
    all_seats: Value,
    kinds: Vec<ImmutableString>,
    terrains: Vec<ImmutableString>,
    seats: Vec<ImmutableString>,
    phases: Vec<ImmutableString>,
    cells: RefCell<HashMap<u16, ImmutableString>>,
}

impl Names {
    /// Those of a match.
    pub(super) fn of(state: &State) -> Self {
        let shared = |name: &str| ImmutableString::from(name);
        let (declared, board) = (state.declarations(), state.board());
        Self {
            declarations: Arc::clone(declared),
            board: Arc::clone(board),
            regions: vec![OnceCell::new(); board.region_count()],
            terrain_sets: RefCell::default(),
            cells_having: RefCell::default(),
            all_seats: seats_of(state),
            kinds: declared.kinds.iter().map(|kind| shared(&kind.name)).collect(),
            terrains: declared.terrains.iter().map(|terrain| shared(&terrain.name)).collect(),
            seats: declared.seats.iter().map(|seat| shared(&seat.name)).collect(),
            phases: declared.phases.iter().map(|phase| shared(&phase.name)).collect(),
            cells: RefCell::default(),
        }
    }

    /// The list of all seats of a match.
    fn all_seats(&self, state: &State) -> Value {
        if Arc::ptr_eq(state.declarations(), &self.declarations) {
            self.all_seats.clone()
        } else {
            seats_of(state)
        }
    }

    /// A region of the board, if it is the board of the match and has it.
    fn region(&self, board: &Arc<Board>, name: &str) -> Option<Rc<CellSet>> {
        let region = board.find_region(name)?;
        let made = || Rc::new(board.region(region).clone());
        match self.regions.get(region.index()).filter(|_| Arc::ptr_eq(board, &self.board)) {
            Some(known) => Some(Rc::clone(known.get_or_init(made))),
            None => Some(made()),
        }
    }

    /// The cells of a terrain in a state.
    fn terrain_set(&self, state: &State, terrain: TerrainId) -> Rc<CellSet> {
        let mut known = self.terrain_sets.borrow_mut();
        if !known.as_ref().is_some_and(|(grounds, _)| Arc::ptr_eq(grounds, state.terrains())) {
            *known = Some((Arc::clone(state.terrains()), vec![None; self.terrains.len()]));
        }
        let made = || Rc::new(state.cells_of_terrain(terrain));
        match known.as_mut().and_then(|(_, sets)| sets.get_mut(terrain.index())) {
            Some(set) => Rc::clone(set.get_or_insert_with(made)),
            None => made(),
        }
    }

    /// The cells of the board that have a value in a property whose values these are.
    fn cells_having(&self, values: &Arc<[Stored]>, wanted: &Stored) -> Rc<CellSet> {
        let mut known = self.cells_having.borrow_mut();
        let is_it = |one: &CellsHaving| Arc::ptr_eq(&one.values, values) && one.wanted == *wanted;
        if let Some(found) = known.iter().rfind(|one| is_it(one)) {
            return Rc::clone(&found.cells);
        }
        let having = values.iter().enumerate().filter(|(_, value)| *value == wanted);
        let cells = having.filter_map(|(cell, _)| Some(CellId(u16::try_from(cell).ok()?)));
        let cells = Rc::new(CellSet::from_cells(values.len(), cells));
        if known.len() >= MOST_HAVING {
            known.remove(0);
        }
        known.push(CellsHaving {
            values: Arc::clone(values),
            wanted: wanted.clone(),
            cells: Rc::clone(&cells),
        });
        cells
    }
}

fn seats_of(state: &State) -> Value {
    Value::list(state.declarations().all_seats().iter().map(Value::Seat))
}

/// What was found while functions ran in both ways.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// How often each function ran in lowered form to its end, and how often the engine had to run it.
    pub runs: BTreeMap<String, (u64, u64)>,
    /// What was not the same: the function, what the lowered form came to, and what the engine.
    pub differences: Vec<[String; 3]>,
}

/// No more differences are kept.
const MOST_DIFFERENCES: usize = 50;

thread_local! {
    static COMPARISON: RefCell<Option<Comparison>> = const { RefCell::new(None) };
}

/// From now on has this thread run each function of scripts in both ways: in lowered form and by the engine. For tests.
pub fn begin_comparing() {
    COMPARISON.set(Some(Comparison::default()));
}

/// Ends what [`begin_comparing`] began, and gives what was found.
pub fn end_comparing() -> Comparison {
    COMPARISON.take().unwrap_or_default()
}

/// What a call came to, as comparisons tell it: with the numbers of handles.
pub(super) fn told(setting: Option<&Setting>, value: &Dynamic, operations: u64) -> String {
    match setting {
        Some(setting) => format!(
            "{:?}, {operations} operations, {}",
            Value::of(&setting.context, value),
            setting.changes()
        ),
        None => format!("{value:?}, {operations} operations"),
    }
}

pub(super) fn is_comparing() -> bool {
    COMPARISON.with_borrow(Option::is_some)
}

pub(super) fn note_comparison(function: &str, lowered: Option<String>, by_engine: &str) {
    COMPARISON.with_borrow_mut(|comparison| {
        let Some(comparison) = comparison else { return };
        let runs = comparison.runs.entry(function.to_owned()).or_default();
        match lowered {
            Some(lowered) => {
                runs.0 += 1;
                if lowered != by_engine && comparison.differences.len() < MOST_DIFFERENCES {
                    comparison.differences.push([function.to_owned(), lowered, by_engine.to_owned()]);
                }
            }
            None => runs.1 += 1,
        }
    });
}

/// What a call works with, and the moment at which it began: nothing of a call that is abandoned stays.
#[derive(Clone)]
pub(super) struct Setting {
    pub(super) context: Rc<CallContext>,
    savepoint: Option<Savepoint>,
    agent: Option<(Agent, AgentMoment)>,
}

impl Setting {
    /// That of a call with these arguments. Nothing where what the function changes could not be taken back: what draws maps, reads files of
    /// other programs, or plays a test.
    pub(super) fn of(program: &Program, arguments: &[Dynamic]) -> Option<Self> {
        if !arguments.iter().all(may_be_taken_back) {
            return None;
        }
        let view = arguments.iter().find_map(Dynamic::read_lock::<View>);
        let context = view.map(|view| Rc::clone(&view.context));
        let context = context.or_else(|| program.lowered.nowhere.get_or_init(nowhere).clone())?;
        if context.is_drawing() {
            return None;
        }
        let agent = arguments.iter().find_map(Dynamic::read_lock::<Agent>);
        let agent = agent.map(|agent| (agent.clone(), agent.moment()));
        Some(Self {
            savepoint: context.savepoint(),
            context,
            agent,
        })
    }

    /// Takes back what has happened since.
    pub(super) fn restore(self) {
        self.context.restore(self.savepoint);
        if let Some((agent, moment)) = self.agent {
            agent.go_back(moment);
        }
    }

    /// What has happened since, as text.
    fn changes(&self) -> String {
        let changes = self.savepoint.as_ref().map(|savepoint| self.context.changes_since(savepoint));
        changes.unwrap_or_default()
    }
}

/// Whether what a function does with an argument can be taken back.
fn may_be_taken_back(argument: &Dynamic) -> bool {
    let known = [
        TypeId::of::<View>(),
        TypeId::of::<Agent>(),
        TypeId::of::<handles::Seat>(),
        TypeId::of::<handles::Piece>(),
        TypeId::of::<handles::Cell>(),
        TypeId::of::<handles::Cells>(),
        TypeId::of::<handles::Edge>(),
        TypeId::of::<handles::Options>(),
        TypeId::of::<Table>(),
    ];
    let is_plain =
        argument.is_unit() || argument.is_int() || argument.is_bool() || argument.is_string() || argument.is_array() || argument.is_map();
    is_plain || known.contains(&argument.type_id())
}

fn nowhere() -> Option<Rc<CallContext>> {
    let topology = Topology::Square {
        width: 1,
        height: 1,
        diagonals: false,
    };
    let board = Board::from_map(&Map::new("none", "None", topology)).ok()?;
    Some(CallContext::new(&Arc::new(board), &Arc::default()))
}
