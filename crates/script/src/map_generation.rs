//! Random maps: the hooks `map_grid` and `generate_map` of a ruleset, which draw on an empty board.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::Dynamic;

use super::api::call_context::CallContext;
use super::api::convert;
use super::api::handles::View;
use super::fault::Fault;
use super::hooks::{self, BoundHook};
use super::{Program, ScriptSource, compile_rules};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{
    Board, CellId, CellSet, Declarations, EdgeId, Map, MapCell, MapEdge, MapRegion, Offset, Orientation, PropertyId, Rejection, Scope,
    Seed, SetupFault, State, Target, Topology, Value,
};
use boardwright_rules::{Generator, Luck, RequestKind, RulesSource, Transaction};

/// What a generator says of a map beside terrains and properties.
#[derive(Clone, Debug, Default)]
pub(crate) struct MapSketch {
    pub(crate) regions: BTreeMap<String, CellSet>,
    pub(crate) elevations: BTreeMap<CellId, i16>,
    pub(crate) names: BTreeMap<CellId, String>,
    pub(crate) holes: Vec<CellId>,
}

impl ScriptSource {
    /// Generates a map without id and title. The same seed and options give the same map.
    ///
    /// # Errors
    /// If the rules generate none, an option is not declared or has a value that is not allowed, or the hooks are at fault.
    pub fn generate_map(&self, seed: impl Into<Seed>, options: &[(String, String)]) -> Result<Map, Diagnostics> {
        let program = compile_rules(self.sources(), self.limits())?;
        let find = |hook: &'static hooks::Hook| {
            let missing = || {
                Diagnostic::error(
                    Code::MissingHook,
                    format!("to generate maps, rules need a function {}", hook.signature()),
                )
            };
            hook.find(&program, &[]).ok_or_else(missing)
        };
        let (grid, generate) = (find(&hooks::MAP_GRID)?, find(&hooks::GENERATE_MAP)?);
        let mut declarations = Declarations::clone(RulesSource::declarations(self));
        declarations.options.clone_from(&declarations.map_options);
        let values = declarations
            .read_options(options)
            .map_err(|faults| faults.iter().map(wrong_option).collect::<Diagnostics>())?;
        let maker = Maker {
            program: &program,
            declarations: Arc::new(declarations),
            options: values,
        };
        program.meter.request.begin(RequestKind::Whole);
        let map = maker.grid(&grid).and_then(|topology| maker.draw(&generate, topology, seed.into()));
        program.meter.request.end();
        map.map_err(Diagnostics::from)
    }
}

fn wrong_option(fault: &SetupFault) -> Diagnostic {
    Diagnostic::error(Code::BadValue, fault.to_string())
}

fn fault_of(rejection: Rejection) -> Diagnostic {
    match rejection {
        Rejection::Fault(fault) => *fault,
        Rejection::Refused(refusal) => Diagnostic::error(Code::Script, format!("no map can be made so: {}", refusal.reason)),
    }
}

struct Maker<'a> {
    program: &'a Program,
    declarations: Arc<Declarations>,
    options: Vec<Value>,
}

impl Maker<'_> {
    fn board(topology: Topology) -> Result<Arc<Board>, Diagnostic> {
        let board = Board::from_map(&Map::new("generated", "Generated", topology));
        let board = board.map_err(|faults| {
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            Diagnostic::error(Code::BadValue, format!("there is no such grid: {first}"))
        });
        board.map(Arc::new)
    }

    fn empty(&self, board: &Arc<Board>) -> Arc<State> {
        Arc::new(State::empty(Arc::clone(board), Arc::clone(&self.declarations), &self.options))
    }

    /// Asks for the grid.
    fn grid(&self, hook: &BoundHook) -> Result<Topology, Diagnostic> {
        let (width, height) = (1, 1);
        let board = Self::board(Topology::Square {
            width,
            height,
            diagonals: false,
        })?;
        let context = CallContext::new(&board, &self.declarations);
        let view = View::new(&context);
        let called = context.look(&self.empty(&board), None, || hook.call(self.program, (view,)));
        let value = called.map_err(|fault| fault_of(Rejection::from(fault)))?;
        read_grid(&value).ok_or_else(|| hook.wrong_result(self.program, &value))
    }

    /// Has the map drawn on the grid.
    fn draw(&self, hook: &BoundHook, topology: Topology, seed: Seed) -> Result<Map, Diagnostic> {
        let board = Self::board(topology)?;
        let context = CallContext::new(&board, &self.declarations);
        context.sketch(Some(MapSketch::default()));
        let mut transaction = Transaction::new(self.empty(&board), Luck::Roll(Generator::new(seed)));
        let view = View::new(&context);
        let called: Result<Dynamic, Box<Fault>> = context.act(&mut transaction, None, || hook.call(self.program, (view,)));
        called.map_err(|fault| fault_of(Rejection::from(fault))).map(drop)?;
        let sketch = context.sketch(None).unwrap_or_default();
        Ok(map_of(transaction.state(), topology, &sketch))
    }
}

/// The grid that a map of `map_grid` describes.
pub(crate) fn read_grid(value: &Dynamic) -> Option<Topology> {
    let map = convert::map_entries(value)?;
    let known = ["topology", "width", "height", "orientation", "offset", "diagonals"];
    if map.keys().any(|key| !known.contains(&key.as_str())) {
        return None;
    }
    let word = |name: &str, default: &str| match map.get(name) {
        None => Some(default.to_owned()),
        Some(value) => value.as_immutable_string_ref().ok().map(|text| text.to_string()),
    };
    let size = |name: &str| u16::try_from(map.get(name)?.as_int().ok()?).ok();
    let (width, height) = (size("width")?, size("height")?);
    match word("topology", "")?.as_str() {
        "hex" => {
            let orientation = match word("orientation", "pointy")?.as_str() {
                "pointy" => Orientation::Pointy,
                "flat" => Orientation::Flat,
                _ => return None,
            };
            let offset = match word("offset", "odd")?.as_str() {
                "odd" => Offset::Odd,
                "even" => Offset::Even,
                _ => return None,
            };
            Some(Topology::Hex {
                width,
                height,
                orientation,
                offset,
            })
        }
        "square" => Some(Topology::Square {
            width,
            height,
            diagonals: map.get("diagonals").map_or(Some(false), |value| value.as_bool().ok())?,
        }),
        _ => None,
    }
}

/// The map of what was drawn on an empty board.
fn map_of(state: &State, topology: Topology, sketch: &MapSketch) -> Map {
    let (board, declarations) = (state.board(), state.declarations());
    let mut map = Map::new("generated", "Generated", topology);
    let is_there = |cell: &CellId| !sketch.holes.contains(cell);
    let name = |cell: CellId| {
        sketch
            .names
            .get(&cell)
            .map_or_else(|| board.cell_name(cell).to_owned(), String::clone)
    };
    for cell in board.cells() {
        let Some((x, y)) = board.coordinates(cell) else { continue };
        if !is_there(&cell) {
            map.cells.push(MapCell::hole(x, y));
            continue;
        }
        let terrain = state.terrain(cell).filter(|terrain| terrain.0 > 0);
        let drawn = MapCell {
            name: sketch.names.get(&cell).cloned().unwrap_or_default(),
            terrain: terrain.and_then(|terrain| Some(declarations.terrains.get(terrain.index())?.name.to_string())),
            elevation: sketch.elevations.get(&cell).copied().unwrap_or_default(),
            properties: properties(state, Target::Cell(cell), Scope::Cell, &name),
            ..MapCell::new("", x, y)
        };
        if drawn != MapCell::new("", x, y) {
            map.cells.push(drawn);
        }
    }
    for edge in (0..board.edge_count()).map(EdgeId::from_index) {
        let (a, b) = board.edge_ends(edge);
        let properties = properties(state, Target::Edge(edge), Scope::Edge, &name);
        if !properties.is_empty() && is_there(&a) && is_there(&b) {
            map.edges.push(MapEdge {
                a: name(a),
                b: name(b),
                properties,
            });
        }
    }
    for (region, cells) in &sketch.regions {
        map.regions.push(MapRegion {
            name: region.clone(),
            cells: cells.iter().filter(is_there).map(name).collect(),
        });
    }
    map
}

/// The properties that differ from their default, as authors write them.
fn properties(state: &State, target: Target, scope: Scope, name: &impl Fn(CellId) -> String) -> BTreeMap<String, String> {
    let declarations = state.declarations();
    let text = |id: PropertyId| {
        Some(match state.value(target, id)? {
            Value::Cell(cell) => name(*cell),
            Value::Seat(seat) => declarations.seats.get(seat.index())?.name.to_string(),
            Value::Kind(kind) => declarations.kind(*kind)?.name.to_string(),
            value => value.to_string(),
        })
    };
    let changed = declarations
        .properties_of(scope)
        .filter(|(id, property)| state.value(target, *id) != Some(&property.default));
    changed
        .filter_map(|(id, property)| Some((property.name.to_string(), text(id)?)))
        .collect()
}
