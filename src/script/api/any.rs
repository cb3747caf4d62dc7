//! Words for whatever state a pattern will be used in. They build descriptions of sets of cells, with the same names as the words
//! for the sets themselves, so that one function of a ruleset can serve both.

use rhai::plugin::*;

use std::rc::Rc;
use std::sync::Arc;

use super::super::value::{Answer, wrong};
use super::convert;
use super::handles::{AnyCells, AnyView};
use super::stage::SharedStage;
use crate::model::{RegionId, State, Value};
use crate::rules::{CellsOf, Each};

fn any_cells(stage: &SharedStage, cells: CellsOf) -> AnyCells {
    AnyCells {
        stage: Rc::clone(stage),
        cells,
    }
}

/// How deep descriptions may be nested.
const DEEPEST: usize = 64;

fn depth(cells: &CellsOf) -> usize {
    1 + match cells {
        CellsOf::Sides(of) | CellsOf::Corners(of) | CellsOf::Dilated(of, _) => depth(of),
        CellsOf::WithSidesIn(a, b, _) | CellsOf::Union(a, b) | CellsOf::Intersection(a, b) | CellsOf::Difference(a, b) => {
            depth(a).max(depth(b))
        }
        _ => 0,
    }
}

/// A description made of one other.
fn of_one(cells: &AnyCells, make: impl FnOnce(Arc<CellsOf>) -> CellsOf) -> Answer<AnyCells> {
    if depth(&cells.cells) >= DEEPEST {
        return Err(wrong("this set of cells is described in too many steps"));
    }
    Ok(any_cells(&cells.stage, make(Arc::new(cells.cells.clone()))))
}

/// A description made of two others.
fn of_two(a: &AnyCells, b: &AnyCells, make: impl FnOnce(Arc<CellsOf>, Arc<CellsOf>) -> CellsOf) -> Answer<AnyCells> {
    let other = Arc::new(b.cells.clone());
    if depth(&other) >= DEEPEST {
        return Err(wrong("this set of cells is described in too many steps"));
    }
    of_one(a, |own| make(own, other))
}

fn find_region(state: &State, name: &str) -> Answer<RegionId> {
    let region = state.board().find_region(name);
    region.ok_or_else(|| wrong(format!("the map has no region {name:?}")))
}

/// The names of the declared turns.
fn turn_names(state: &State) -> Answer<Vec<&str>> {
    let names: Vec<&str> = state.frame().turns.iter().map(|turn| &*turn.name).collect();
    if names.is_empty() {
        return Err(wrong("there are no declared turns, so a turn has no name here"));
    }
    Ok(names)
}

fn of_region(view: &AnyView, region: impl FnOnce(&State) -> Answer<Each<RegionId>>) -> Answer<AnyCells> {
    let region = view.stage.read(region)?;
    Ok(any_cells(&view.stage, CellsOf::Region(region)))
}

/// A value of a property in each of the declared turns: the name of the turn.
fn value_in_turns(view: &AnyView, property: &str) -> Answer<AnyCells> {
    let names: Vec<String> = view
        .stage
        .read(|state| Ok(turn_names(state)?.into_iter().map(str::to_owned).collect()))?;
    let mut found = None;
    let mut values: Vec<Value> = Vec::with_capacity(names.len());
    for name in names {
        let (id, value) = convert::wanted(&view.stage, property, &rhai::Dynamic::from(name))?;
        found = Some(id);
        values.push(value);
    }
    let id = found.ok_or_else(|| wrong("there are no declared turns"))?;
    Ok(any_cells(&view.stage, CellsOf::Having(id, Each::InTurn(values))))
}

#[export_module]
pub(super) mod any_views {
    use std::rc::Rc;

    use rhai::{Dynamic, INT};

    use super::super::super::value::{Answer, wrong};
    use super::super::convert;
    use super::super::handles::{AnyCells, AnyName, AnySeat, AnyView, Options};
    use super::{any_cells, find_region, of_one, of_region, of_two, turn_names, value_in_turns};
    use crate::rules::{CellsOf, Each};

    /// The options of the match, each read by its name.
    ///
    /// ```rhai
    /// fn pattern_move(view) { if view.options.must_take { [hop_over("enemy").capturing()] } else { [step()] } }
    /// ```
    #[rhai_fn(get = "options", pure)]
    pub fn options(view: &mut AnyView) -> Options {
        Options {
            stage: Rc::clone(&view.stage),
        }
    }

    /// An option of the match, read by its name: patterns of motions need no more of a view. Fails if it is not declared.
    ///
    /// ```rhai
    /// fn pattern_move(options) { if options.must_take { [hop_over("enemy").capturing()] } else { [step()] } }
    /// ```
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn option(view: &mut AnyView, name: &str) -> Answer<Dynamic> {
        view.stage.read(|state| {
            let value = state.option(name).ok_or_else(|| wrong(format!("there is no option {name:?}")))?;
            Ok(convert::to_script(&view.stage, state, value))
        })
    }

    /// All cells.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.cells)] }
    /// ```
    #[rhai_fn(get = "cells", pure)]
    pub fn cells(view: &mut AnyView) -> AnyCells {
        any_cells(&view.stage, CellsOf::All)
    }

    /// The cells without a piece.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty)] }
    /// ```
    #[rhai_fn(get = "empty", pure)]
    pub fn empty(view: &mut AnyView) -> AnyCells {
        any_cells(&view.stage, CellsOf::Empty)
    }

    /// The cells with a piece.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.cells - view.occupied)] }
    /// ```
    #[rhai_fn(get = "occupied", pure)]
    pub fn occupied(view: &mut AnyView) -> AnyCells {
        any_cells(&view.stage, CellsOf::Occupied)
    }

    /// The seat to act.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty).covering(view.seat.cells.sides)] }
    /// ```
    #[rhai_fn(get = "seat", pure)]
    pub fn seat(view: &mut AnyView) -> AnySeat {
        AnySeat {
            stage: Rc::clone(&view.stage),
        }
    }

    /// The cells with a piece of the seat to act.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty).covering(view.seat.cells.corners)] }
    /// ```
    #[rhai_fn(name = "cells", get = "cells", pure)]
    pub fn cells_of_seat(seat: &mut AnySeat) -> AnyCells {
        any_cells(&seat.stage, CellsOf::Seat)
    }

    /// The name of the turn of the round, for the words that take a name. Turns have to be declared for it.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty).covering(view.region(view.turn_name))] }
    /// ```
    #[rhai_fn(get = "turn_name", pure)]
    pub fn turn_name(view: &mut AnyView) -> AnyName {
        AnyName {
            stage: Rc::clone(&view.stage),
        }
    }

    /// The cells of a named region of the map. Fails if the map has no such region.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty).covering(view.region("centre"))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn region(view: &mut AnyView, name: &str) -> Answer<AnyCells> {
        of_region(view, |state| Ok(Each::Always(find_region(state, name)?)))
    }

    /// The cells of the region of the map that is called as the turn is. Fails if the map has none for one of the turns.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty).covering(view.region(view.turn_name))] }
    /// ```
    #[rhai_fn(name = "region", pure, return_raw)]
    pub fn region_of_turn(view: &mut AnyView, _name: AnyName) -> Answer<AnyCells> {
        of_region(view, |state| {
            let regions = turn_names(state)?.into_iter().map(|name| find_region(state, name));
            Ok(Each::InTurn(regions.collect::<Answer<_>>()?))
        })
    }

    /// The cells with a piece whose declared property has a value.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty - view.cells_where("strength", 5).sides)] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn cells_where(view: &mut AnyView, property: &str, value: Dynamic) -> Answer<AnyCells> {
        if value.read_lock::<AnyName>().is_some() {
            return value_in_turns(view, property);
        }
        let (property, value) = convert::wanted(&view.stage, property, &value)?;
        Ok(any_cells(&view.stage, CellsOf::Having(property, Each::Always(value))))
    }

    /// The cells beside the set.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty - view.seat.cells.sides)] }
    /// ```
    #[rhai_fn(get = "sides", pure, return_raw)]
    pub fn sides(cells: &mut AnyCells) -> Answer<AnyCells> {
        of_one(cells, CellsOf::Sides)
    }

    /// The cells at the corners of the set.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty).covering(view.seat.cells.corners)] }
    /// ```
    #[rhai_fn(get = "corners", pure, return_raw)]
    pub fn corners(cells: &mut AnyCells) -> Answer<AnyCells> {
        of_one(cells, CellsOf::Corners)
    }

    /// The set and all cells up to so many steps away.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty & view.occupied.dilate(2))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn dilate(cells: &mut AnyCells, steps: INT) -> Answer<AnyCells> {
        let steps = u32::try_from(steps.clamp(0, 100_000)).unwrap_or(0);
        of_one(cells, |of| CellsOf::Dilated(of, steps))
    }

    /// The cells of the set of which at least so many sides lie in another.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [lay_from("reserve").on(view.empty.with_sides_in(view.empty, 2))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn with_sides_in(cells: &mut AnyCells, other: AnyCells, least: INT) -> Answer<AnyCells> {
        let least = u8::try_from(least.clamp(0, 255)).unwrap_or(0);
        of_two(cells, &other, |own, other| CellsOf::WithSidesIn(own, other, least))
    }

    /// The cells in either set.
    #[rhai_fn(name = "|", pure, return_raw)]
    pub fn union(a: &mut AnyCells, b: AnyCells) -> Answer<AnyCells> {
        of_two(a, &b, CellsOf::Union)
    }

    /// The cells in both sets.
    #[rhai_fn(name = "&", pure, return_raw)]
    pub fn intersection(a: &mut AnyCells, b: AnyCells) -> Answer<AnyCells> {
        of_two(a, &b, CellsOf::Intersection)
    }

    /// The cells in the first set and not in the second.
    #[rhai_fn(name = "-", pure, return_raw)]
    pub fn difference(a: &mut AnyCells, b: AnyCells) -> Answer<AnyCells> {
        of_two(a, &b, CellsOf::Difference)
    }
}
