//! What steps over a board cost, as a script says it in a map.

use rhai::{Dynamic, Identifier, Map};

use super::super::value::{Answer, whole_number, wrong};
use super::call_context::SharedContext;
use super::convert;
use super::handles::Cells;
use crate::lowered::{Entries, Value as Lowered};
use boardwright_model::{CellId, CellSet, Declarations, EdgeId, PropertyId, Scope, State, Target, Value};

/// No step costs more, and nobody has more points.
const MOST_POINTS: u32 = 1_000_000;
/// No factor is greater.
const MOST_PERCENT: u32 = 10_000;
/// What changes nothing.
const WHOLE: u32 = 100;

/// What steps cost, and where they end: read from the map that a script gives.
pub(super) struct StepCosts {
    pub(super) points: Option<u32>,
    pub(super) each_turn: Option<u32>,
    pub(super) ground: GroundCosts,
    pub(super) blocked: CellSet,
    pub(super) stop_in: CellSet,
    pub(super) no_stop: CellSet,
    pub(super) at_least_one: bool,
}

/// What steps cost by the ground alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroundCosts {
    /// By terrain; a terrain without a number cannot be entered. Empty where all cost the same.
    terrains: Vec<Option<u32>>,
    uphill: u32,
    downhill: u32,
    edges: Vec<(PropertyId, u32)>,
    factors: Option<Factors>,
}

/// By how much the cost of entering a cell is multiplied, in percent. `None` stands for a step that cannot be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Factors {
    /// By terrain; empty where none is named.
    terrains: Vec<u32>,
    /// By levels up and down, from one on.
    uphill: Vec<Option<u32>>,
    downhill: Vec<Option<u32>>,
    /// By the elevation of the cell that is entered, from 0 on.
    elevation: Vec<Option<u32>>,
    edges: Vec<(PropertyId, u32)>,
}

impl StepCosts {
    pub(super) fn read(state: &State, map: &Dynamic) -> Answer<Self> {
        let read = convert::with_map(map, |map| Self::read_map(state, map));
        read.unwrap_or_else(|| Err(wrong(format!("costs are a map: #{{ points: 5 }}, not {}", map.type_name()))))
    }

    fn read_map(state: &State, map: &Map) -> Answer<Self> {
        let mut costs = Self::new(state);
        map.iter().try_for_each(|(key, value)| costs.set(state, key, value))?;
        Ok(costs)
    }

    /// The same from the map of lowered code.
    pub(super) fn of_entries(state: &State, context: &SharedContext, map: &Entries) -> Answer<Self> {
        let mut costs = Self::new(state);
        for (key, value) in map.iter() {
            match (key.as_str(), value) {
                ("blocked", Lowered::Cells(cells)) => costs.blocked = CellSet::clone(cells),
                ("stop_in", Lowered::Cells(cells)) => costs.stop_in = CellSet::clone(cells),
                ("no_stop", Lowered::Cells(cells)) => costs.no_stop = CellSet::clone(cells),
                (key, value) => costs.set(state, key, &value.clone().into_dynamic(context))?,
            }
        }
        Ok(costs)
    }

    fn new(state: &State) -> Self {
        let none = || CellSet::empty(state.board().cell_count());
        Self {
            points: None,
            each_turn: None,
            ground: GroundCosts::default(),
            blocked: none(),
            stop_in: none(),
            no_stop: none(),
            at_least_one: false,
        }
    }

    fn set(&mut self, state: &State, key: &str, value: &Dynamic) -> Answer<()> {
        let ground = &mut self.ground;
        match key {
            "points" => self.points = Some(number(key, value, MOST_POINTS)?),
            "each_turn" => self.each_turn = Some(number(key, value, MOST_POINTS)?),
            "terrain" => ground.terrains = terrains(state.declarations(), (key, value), None, MOST_POINTS, Some)?,
            "uphill" => ground.uphill = number(key, value, MOST_POINTS)?,
            "downhill" => ground.downhill = number(key, value, MOST_POINTS)?,
            "edge" => ground.edges = edges(state.declarations(), key, value, MOST_POINTS)?,
            "percent" => ground.factors = Some(table(key, value, |map| Factors::read(state.declarations(), map))?),
            "blocked" => self.blocked = cells(key, value)?,
            "stop_in" => self.stop_in = cells(key, value)?,
            "no_stop" => self.no_stop = cells(key, value)?,
            "at_least_one" => {
                let flag = value.as_bool();
                self.at_least_one = flag.map_err(|found| wrong(format!("`at_least_one` is true or false, not {found}")))?;
            }
            _ => {
                return Err(wrong(format!(
                    "costs have no key {key:?}: they have points, each_turn, terrain, uphill, downhill, edge, percent, blocked, stop_in, no_stop and \
                     at_least_one"
                )));
            }
        }
        Ok(())
    }
}

impl GroundCosts {
    /// What the step between two neighbours costs; `None` if it cannot be made.
    pub(super) fn step(&self, state: &State, from: CellId, to: CellId) -> Option<u32> {
        let mut cost = match &self.terrains[..] {
            [] => 1,
            terrains => (*terrains.get(state.terrain(to)?.index())?)?,
        };
        let board = state.board();
        let levels = |a, b| u32::try_from(board.elevation(b).saturating_sub(board.elevation(a))).unwrap_or(0);
        let (up, down) = (levels(from, to), levels(to, from));
        let needs_edge = !self.edges.is_empty() || self.factors.as_ref().is_some_and(|factors| !factors.edges.is_empty());
        let edge = if needs_edge { board.edge_between(from, to) } else { None };
        if let Some(factors) = &self.factors {
            cost = factors.multiply(cost, state, to, (up, down), edge)?;
        }
        for (per_level, levels) in [(self.uphill, up), (self.downhill, down)] {
            cost = cost.saturating_add(per_level.saturating_mul(levels));
        }
        for (property, each) in &self.edges {
            let count = edge.map_or(0, |edge| edge_count(state, edge, *property));
            cost = cost.saturating_add(each.saturating_mul(count));
        }
        Some(cost)
    }

    /// A number that no step costs less than.
    pub(super) fn least(&self) -> u32 {
        let cheapest = if self.terrains.is_empty() {
            1
        } else {
            self.terrains.iter().flatten().copied().min().unwrap_or(0)
        };
        self.factors.as_ref().map_or(cheapest, |factors| factors.least(cheapest))
    }
}

impl Factors {
    fn read(declarations: &Declarations, map: &Map) -> Answer<Self> {
        let mut factors = Self::default();
        for (key, value) in map {
            match key.as_str() {
                "terrain" => factors.terrains = terrains(declarations, (key, value), WHOLE, MOST_PERCENT, |percent| percent)?,
                "uphill" => factors.uphill = by_level(key, value)?,
                "downhill" => factors.downhill = by_level(key, value)?,
                "elevation" => factors.elevation = by_level(key, value)?,
                "edge" => factors.edges = edges(declarations, key, value, MOST_PERCENT)?,
                _ => {
                    return Err(wrong(format!(
                        "`percent` has no key {key:?}: it has terrain, uphill, downhill, elevation and edge"
                    )));
                }
            }
        }
        Ok(factors)
    }

    fn multiply(&self, cost: u32, state: &State, to: CellId, (up, down): (u32, u32), edge: Option<EdgeId>) -> Option<u32> {
        let mut product = Product::of(cost);
        if !self.terrains.is_empty() {
            product.multiply(self.terrains.get(state.terrain(to)?.index()).copied().unwrap_or(WHOLE));
        }
        // From one level on.
        for (factors, levels) in [(&self.uphill, up), (&self.downhill, down)] {
            if let Some(steeper) = levels.checked_sub(1) {
                product.multiply(at_level(factors, steeper)?);
            }
        }
        product.multiply(at_level(&self.elevation, u32::try_from(state.board().elevation(to)).unwrap_or(0))?);
        for (property, percent) in &self.edges {
            if edge.is_some_and(|edge| edge_count(state, edge, *property) > 0) {
                product.multiply(*percent);
            }
        }
        Some(product.rounded_up())
    }

    /// What is left of the cheapest cost at the least.
    fn least(&self, cost: u32) -> u32 {
        let lists = [&self.uphill, &self.downhill, &self.elevation];
        let least = lists.map(|list| list.iter().flatten().copied().min());
        let least = least.into_iter().flatten().chain(self.terrains.iter().copied().min());
        let mut product = Product::of(cost);
        for percent in least.chain(self.edges.iter().map(|(_, percent)| *percent)) {
            product.multiply(percent.min(WHOLE));
        }
        product.rounded_up()
    }
}

/// A cost that is multiplied by percents and rounded once, at the end.
struct Product {
    cost: u128,
    whole: u128,
}

impl Product {
    fn of(cost: u32) -> Self {
        Self {
            cost: cost.into(),
            whole: 1,
        }
    }

    fn multiply(&mut self, percent: u32) {
        if percent != WHOLE {
            self.cost = self.cost.saturating_mul(percent.into());
            self.whole = self.whole.saturating_mul(WHOLE.into());
        }
    }

    fn rounded_up(self) -> u32 {
        // Nearly all are small, and small numbers are divided many times faster.
        let rounded = match (u64::try_from(self.cost), u64::try_from(self.whole)) {
            (Ok(cost), Ok(whole)) => u128::from(cost.div_ceil(whole)),
            _ => self.cost.div_ceil(self.whole),
        };
        u32::try_from(rounded).unwrap_or(u32::MAX)
    }
}

/// The factor of a level; beyond the end of the list the last one counts.
fn at_level(factors: &[Option<u32>], level: u32) -> Option<u32> {
    let last = factors.len().checked_sub(1);
    let place = last.map(|last| last.min(level as usize));
    place.and_then(|place| factors.get(place)).map_or(Some(WHOLE), |factor| *factor)
}

/// What a number of an edge is, and 1 for a flag that is set.
fn edge_count(state: &State, edge: EdgeId, property: PropertyId) -> u32 {
    match state.value(Target::Edge(edge), property) {
        Some(Value::Integer(count)) => u32::try_from(*count).unwrap_or(0),
        Some(Value::Flag(true)) => 1,
        _ => 0,
    }
}

fn number(key: &str, value: &Dynamic, most: u32) -> Answer<u32> {
    whole_number(format_args!("`{key}`"), value, 0..=most)
}

fn table<R>(key: &str, value: &Dynamic, read: impl FnOnce(&Map) -> Answer<R>) -> Answer<R> {
    let wrong = || Err(wrong(format!("`{key}` is a map of costs by name, not {}", value.type_name())));
    convert::with_map(value, read).unwrap_or_else(wrong)
}

fn by_level(key: &str, value: &Dynamic) -> Answer<Vec<Option<u32>>> {
    let items = convert::list_items(value);
    let items = items.ok_or_else(|| {
        wrong(format!(
            "`{key}` of `percent` is a list of numbers by level, not {}",
            value.type_name()
        ))
    })?;
    let read = |item: &Dynamic| {
        if item.is_unit() {
            Ok(None)
        } else {
            number(key, item, MOST_PERCENT).map(Some)
        }
    };
    items.iter().map(read).collect()
}

fn cells(key: &str, value: &Dynamic) -> Answer<CellSet> {
    let found = value.read_lock::<Cells>().map(|cells| cells.set.clone());
    found.ok_or_else(|| wrong(format!("`{key}` is a set of cells, not {}", value.type_name())))
}

/// A number for each terrain, and something else for those that are left out.
fn terrains<T: Copy>(
    declarations: &Declarations,
    (key, value): (&str, &Dynamic),
    left_out: T,
    most: u32,
    made: impl Fn(u32) -> T,
) -> Answer<Vec<T>> {
    table(key, value, |costs| {
        let mut found = vec![left_out; declarations.terrains.len()];
        for (name, cost) in costs {
            let place = declarations.terrains.iter().position(|terrain| *terrain.name == **name);
            let slot = place.and_then(|place| found.get_mut(place));
            *slot.ok_or_else(|| wrong(format!("there is no terrain {:?}", name.as_str())))? = made(number(name, cost, most)?);
        }
        Ok(found)
    })
}

fn edges(declarations: &Declarations, key: &str, value: &Dynamic, most: u32) -> Answer<Vec<(PropertyId, u32)>> {
    let read = |(name, cost): (&Identifier, &Dynamic)| {
        let property = declarations.find_property(Scope::Edge, name);
        let property = property.ok_or_else(|| wrong(format!("edges have no property {:?}", name.as_str())))?;
        Ok((property, number(name, cost, most)?))
    };
    table(key, value, |costs| costs.iter().map(read).collect())
}
