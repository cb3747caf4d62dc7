//! Words for whatever state a pattern will be used in. They build descriptions of sets of cells, with the same names as the words
//! for the sets themselves, so that one function of a ruleset can serve both.

use rhai::plugin::*;

use std::sync::Arc;

use super::super::value::{Answer, wrong};
use super::convert;
use super::handles::{PatternCells, PatternView};
use boardwright_model::{RegionId, State, Value};
use boardwright_rules::{CellsOf, Each};

/// How deep descriptions may be nested.
const DEEPEST: usize = 64;

fn depth(cells: &CellsOf) -> usize {
    let (first, second) = cells.made_of();
    1 + first.into_iter().chain(second).map(depth).max().unwrap_or(0)
}

/// A description made of one other.
fn of_one(cells: &PatternCells, make: impl FnOnce(Arc<CellsOf>) -> CellsOf) -> Answer<PatternCells> {
    if depth(&cells.cells) >= DEEPEST {
        return Err(wrong("this set of cells is described in too many steps"));
    }
    Ok(PatternCells::new(&cells.context, make(Arc::new(cells.cells.clone()))))
}

/// A description made of two others.
fn of_two(a: &PatternCells, b: &PatternCells, make: impl FnOnce(Arc<CellsOf>, Arc<CellsOf>) -> CellsOf) -> Answer<PatternCells> {
    let other = Arc::new(b.cells.clone());
    if depth(&other) >= DEEPEST {
        return Err(wrong("this set of cells is described in too many steps"));
    }
    of_one(a, |own| make(own, other))
}

/// The names of the declared turns.
fn turn_names(state: &State) -> Answer<Vec<&str>> {
    let names: Vec<&str> = state.declarations().turns.iter().map(|turn| &*turn.name).collect();
    if names.is_empty() {
        return Err(wrong("there are no declared turns, so a turn has no name here"));
    }
    Ok(names)
}

fn of_region(view: &PatternView, region: impl FnOnce(&State) -> Answer<Each<RegionId>>) -> Answer<PatternCells> {
    let region = view.context.read(region)?;
    Ok(PatternCells::new(&view.context, CellsOf::Region(region)))
}

/// A value of a property in each of the declared turns: the name of the turn.
fn value_in_turns(view: &PatternView, property: &str) -> Answer<PatternCells> {
    let names: Vec<String> = view
        .context
        .read(|state| Ok(turn_names(state)?.into_iter().map(str::to_owned).collect()))?;
    let mut found = None;
    let mut values: Vec<Value> = Vec::with_capacity(names.len());
    for name in names {
        let (id, value) = convert::wanted(&view.context, boardwright_model::Scope::Piece, property, &rhai::Dynamic::from(name))?;
        found = Some(id);
        values.push(value);
    }
    let id = found.ok_or_else(|| wrong("there are no declared turns"))?;
    Ok(PatternCells::new(&view.context, CellsOf::Having(id, Each::InTurn(values))))
}

#[export_module]
pub(super) mod pattern_views {
    use rhai::{Dynamic, INT};

    use super::super::super::value::{Answer, wrong_with};
    use super::super::convert::{self, found_direction};
    use super::super::handles::{Options, PatternCells, PatternSeat, PatternTurnName, PatternView};
    use super::super::view::{find_region, find_terrain};
    use super::{of_one, of_region, of_two, turn_names, value_in_turns};
    use boardwright_rules::{CellsOf, Each};

    /// The options of the match, each read by its name.
    ///
    /// ```rhai
    /// fn pattern_move(view) { if view.options.must_take { [hop_over("enemy").capturing()] } else { [step()] } }
    /// ```
    #[rhai_fn(get = "options", pure)]
    pub fn options(view: &mut PatternView) -> Options {
        Options::new(&view.context)
    }

    /// An option of the match, read by its name: patterns of motions need no more of a view. Fails if it is not declared.
    ///
    /// ```rhai
    /// fn pattern_move(options) { if options.must_take { [hop_over("enemy").capturing()] } else { [step()] } }
    /// ```
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn option(view: &mut PatternView, name: &str) -> Answer<Dynamic> {
        view.context.read(|state| {
            let is_property = state.declarations().properties.iter().any(|declared| &*declared.name == name);
            if is_property && state.option(name).is_none() {
                let message = format!("a pattern is declared once for the whole match, and `{name}` changes in it: only options can be read here");
                let cure = format!("give the name to a word that takes it, for example `advance_along(track, {name:?})` or `view.cells_where({name:?}, value)`");
                return Err(wrong_with(message, Some(cure)));
            }
            let value = convert::found_option(state, name)?;
            Ok(convert::to_script(&view.context, state, value))
        })
    }

    /// All cells.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.cells)] }
    /// ```
    #[rhai_fn(get = "cells", pure)]
    pub fn cells(view: &mut PatternView) -> PatternCells {
        PatternCells::new(&view.context, CellsOf::All)
    }

    /// The cells without a piece.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty)] }
    /// ```
    #[rhai_fn(get = "empty", pure)]
    pub fn empty(view: &mut PatternView) -> PatternCells {
        PatternCells::new(&view.context, CellsOf::Empty)
    }

    /// The cells with a piece.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.cells - view.occupied)] }
    /// ```
    #[rhai_fn(get = "occupied", pure)]
    pub fn occupied(view: &mut PatternView) -> PatternCells {
        PatternCells::new(&view.context, CellsOf::Occupied)
    }

    /// The seat to act.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.seat.cells.sides)] }
    /// ```
    #[rhai_fn(get = "seat", pure)]
    pub fn seat(view: &mut PatternView) -> PatternSeat {
        PatternSeat::new(&view.context)
    }

    /// The cells with a piece of the seat to act.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.seat.cells.corners)] }
    /// ```
    #[rhai_fn(name = "cells", get = "cells", pure)]
    pub fn cells_of_seat(seat: &mut PatternSeat) -> PatternCells {
        PatternCells::new(&seat.context, CellsOf::Seat)
    }

    /// The name of the turn of the round, for the words that take a name. Turns have to be declared for it.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.region(view.turn_name))] }
    /// ```
    #[rhai_fn(get = "turn_name", pure)]
    pub fn turn_name(view: &mut PatternView) -> PatternTurnName {
        PatternTurnName::new(&view.context)
    }

    /// The cells of a named region of the map. Fails if the map has no such region.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.region("centre"))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn region(view: &mut PatternView, name: &str) -> Answer<PatternCells> {
        of_region(view, |state| Ok(Each::Always(find_region(state, name)?)))
    }

    /// The cells of the region of the map that is called as the turn is. Fails if the map has none for one of the turns.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.region(view.turn_name))] }
    /// ```
    #[rhai_fn(name = "region", pure, return_raw)]
    pub fn region_of_turn(view: &mut PatternView, _name: PatternTurnName) -> Answer<PatternCells> {
        of_region(view, |state| {
            let regions = turn_names(state)?.into_iter().map(|name| find_region(state, name));
            Ok(Each::InTurn(regions.collect::<Answer<_>>()?))
        })
    }

    /// The cells of a terrain. Fails if no such terrain is declared.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().within(view.terrain("land"))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn terrain(view: &mut PatternView, name: &str) -> Answer<PatternCells> {
        let terrain = view.context.read(|state| find_terrain(state, name))?;
        Ok(PatternCells::new(&view.context, CellsOf::Terrain(terrain)))
    }

    /// The cells with a piece whose declared property has a value.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty - view.cells_where("strength", 5).sides)] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn cells_where(view: &mut PatternView, property: &str, value: Dynamic) -> Answer<PatternCells> {
        if value.read_lock::<PatternTurnName>().is_some() {
            return value_in_turns(view, property);
        }
        let (property, value) = convert::wanted(&view.context, boardwright_model::Scope::Piece, property, &value)?;
        Ok(PatternCells::new(&view.context, CellsOf::Having(property, Each::Always(value))))
    }

    /// The cells to which a step in a direction leads from the set, such as those above the empty ones.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark").on(view.empty - view.empty.shift("n"))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn shift(cells: &mut PatternCells, direction: &str) -> Answer<PatternCells> {
        let direction = cells.context.read(|state| found_direction(state.board(), direction))?;
        of_one(cells, |own| CellsOf::Shifted(own, direction))
    }

    /// The cells beside the set.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty - view.seat.cells.sides)] }
    /// ```
    #[rhai_fn(get = "sides", pure, return_raw)]
    pub fn sides(cells: &mut PatternCells) -> Answer<PatternCells> {
        of_one(cells, CellsOf::Sides)
    }

    /// The cells at the corners of the set.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.seat.cells.corners)] }
    /// ```
    #[rhai_fn(get = "corners", pure, return_raw)]
    pub fn corners(cells: &mut PatternCells) -> Answer<PatternCells> {
        of_one(cells, CellsOf::Corners)
    }

    /// The set and all cells up to so many steps away.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty & view.occupied.dilate(2))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn dilate(cells: &mut PatternCells, steps: INT) -> Answer<PatternCells> {
        let steps = u32::try_from(steps.clamp(0, 100_000)).unwrap_or(0);
        of_one(cells, |of| CellsOf::Dilated(of, steps))
    }

    /// All cells that can be reached from the set by so many steps at most without leaving another.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty).covering(view.seat.cells.sides.flood(view.empty, 3))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn flood(cells: &mut PatternCells, within: PatternCells, steps: INT) -> Answer<PatternCells> {
        let steps = u32::try_from(steps.clamp(0, 100_000)).unwrap_or(0);
        of_two(cells, &within, |own, within| CellsOf::Flooded(own, within, steps))
    }

    /// The cells of the set of which at least so many sides lie in another.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty.with_sides_in(view.empty, 2))] }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn with_sides_in(cells: &mut PatternCells, other: PatternCells, least: INT) -> Answer<PatternCells> {
        let least = u8::try_from(least.clamp(0, 255)).unwrap_or(0);
        of_two(cells, &other, |own, other| CellsOf::WithSidesIn(own, other, least))
    }

    /// The cells in either set.
    #[rhai_fn(name = "|", pure, return_raw)]
    pub fn union(a: &mut PatternCells, b: PatternCells) -> Answer<PatternCells> {
        of_two(a, &b, CellsOf::Union)
    }

    /// The cells in both sets.
    #[rhai_fn(name = "&", pure, return_raw)]
    pub fn intersection(a: &mut PatternCells, b: PatternCells) -> Answer<PatternCells> {
        of_two(a, &b, CellsOf::Intersection)
    }

    /// The cells in the first set and not in the second.
    #[rhai_fn(name = "-", pure, return_raw)]
    pub fn difference(a: &mut PatternCells, b: PatternCells) -> Answer<PatternCells> {
        of_two(a, &b, CellsOf::Difference)
    }
}
