//! Words for sight: which cells are seen from where.

use rhai::plugin::*;
use rhai::{INT, NativeCallContext};

use super::super::meter::pay;
use super::super::value::{Answer, whole_number, wrong};
use super::cell_sets::by_word;
use super::convert;
use super::grounds::Hiding;
use super::handles::{Cells, View};
use super::view::find_terrain;
use boardwright_model::{CellId, CellSet, State};

/// Nobody sees farther than any board is large.
const FARTHEST: INT = 65_536;

/// What limits sight: read from the map that a script gives.
struct SightLimits {
    /// By terrain, whether it hides what lies behind it. Empty where none does.
    opaque: Vec<bool>,
    blocking: Option<CellSet>,
    /// A cell that rises by more levels above the one from which is looked hides what lies behind it.
    rise: Option<i16>,
    plus: INT,
    least: INT,
}

impl SightLimits {
    fn read(state: &State, map: &Dynamic) -> Answer<Self> {
        let map = convert::map_entries(map)
            .ok_or_else(|| wrong(format!("what limits sight is a map: #{{ rise: 2 }}, not {}", map.type_name())))?;
        let mut limits = Self {
            opaque: Vec::new(),
            blocking: None,
            rise: None,
            plus: 0,
            least: 0,
        };
        for (key, value) in &map {
            match key.as_str() {
                "opaque" => limits.opaque = opaque(state, value)?,
                "blocking" => {
                    let set = value.read_lock::<Cells>().map(|cells| cells.set.clone());
                    limits.blocking = Some(set.ok_or_else(|| wrong(format!("`blocking` is a set of cells, not {}", value.type_name())))?);
                }
                "rise" => {
                    let levels = value.as_int().ok().and_then(|levels| i16::try_from(levels).ok());
                    limits.rise = Some(levels.ok_or_else(|| wrong(format!("`rise` is a number of levels, not {value:?}")))?);
                }
                "plus" => limits.plus = range(key, value, -FARTHEST)?,
                "least" => limits.least = range(key, value, 0)?,
                _ => {
                    return Err(wrong(format!(
                        "sight has no key {key:?}: it has opaque, blocking, rise, plus and least"
                    )));
                }
            }
        }
        Ok(limits)
    }

    /// Whether a cell hides what lies behind it from one who stands on a level.
    fn blocks(&self, state: &State, level: i16, cell: CellId) -> bool {
        let is_opaque = || {
            let terrain = state.terrain(cell).and_then(|terrain| self.opaque.get(terrain.index()));
            terrain.is_some_and(|is_opaque| *is_opaque)
        };
        let rises = |rise| state.board().elevation(cell) > level.saturating_add(rise);
        self.rise.is_some_and(rises) || is_opaque() || self.blocking.as_ref().is_some_and(|cells| cells.contains(cell))
    }
}

fn opaque(state: &State, names: &Dynamic) -> Answer<Vec<bool>> {
    let items = convert::list_items(names);
    let items = items.ok_or_else(|| wrong(format!("`opaque` is a list of names of terrains, not {}", names.type_name())))?;
    let mut found = vec![false; state.declarations().terrains.len()];
    for item in items {
        let name =
            convert::text(&item).ok_or_else(|| wrong(format!("`opaque` is a list of names of terrains; {} is in it", item.type_name())))?;
        let terrain = find_terrain(state, &name)?;
        if let Some(is_opaque) = found.get_mut(terrain.index()) {
            *is_opaque = true;
        }
    }
    Ok(found)
}

fn range(key: &str, value: &Dynamic, least: INT) -> Answer<INT> {
    whole_number(format_args!("`{key}`"), value, least..=FARTHEST)
}

/// What is seen from all cells of a set, from each as far as a function says.
fn seen_from(
    context: &NativeCallContext<'_>,
    view: &View,
    from: &CellSet,
    limits: &Dynamic,
    range_of: impl FnOnce(&State) -> Answer<Box<dyn Fn(CellId) -> INT + '_>>,
) -> Answer<Cells> {
    view.context.read(|state| {
        let limits = SightLimits::read(state, limits)?;
        let range_of = range_of(state)?;
        let board = state.board();
        pay(context, by_word(from))?;
        let mut seen = CellSet::empty(board.cell_count());
        let mut looking = Vec::new();
        for cell in from.iter().filter(|cell| board.contains(*cell)) {
            let range = range_of(cell).saturating_add(limits.plus).clamp(limits.least, FARTHEST);
            let range = u32::try_from(range).unwrap_or(0);
            pay(context, cells_up_to(range).min(board.cell_count()) / 8)?;
            looking.push((cell, range));
        }
        let look = |(cell, range): (CellId, u32), seen: &mut CellSet| {
            let level = board.elevation(cell);
            board.add_field_of_view(cell, range, |between| limits.blocks(state, level, between), seen);
        };
        if limits.blocking.is_some() {
            for from in looking {
                look(from, &mut seen);
            }
        } else {
            let find = |cell, range| {
                let mut field = CellSet::empty(board.cell_count());
                look((cell, range), &mut field);
                field
            };
            let hiding = Hiding {
                opaque: limits.opaque.clone(),
                rise: limits.rise,
            };
            let mut known = view.context.grounds().borrow_mut();
            known.add_seen(state, hiding, looking.into_iter(), find, &mut seen);
        }
        Ok(Cells::new(&view.context, seen))
    })
}

/// About how many cells lie within a range.
fn cells_up_to(range: u32) -> usize {
    let range = range as usize;
    range.saturating_mul(range).saturating_mul(4)
}

#[export_module]
pub(super) mod sight {
    use rhai::{Dynamic, INT, NativeCallContext};

    use super::super::super::value::Answer;
    use super::super::cell_sets::numbers;
    use super::super::handles::{Cell, Cells, View};
    use super::seen_from;
    use boardwright_model::CellSet;

    /// The cells that are seen from a cell, so many steps far: the cell itself, and those to which the line from middle to middle is clear.
    /// A line that runs along a side or through a corner needs only one clear cell of the two. What hides is seen itself. The map says what
    /// hides what lies behind it, and may be empty:
    ///
    /// | Key | Meaning |
    /// | --- | --- |
    /// | `opaque` | the names of terrains that hide it |
    /// | `blocking` | a set of cells that hide it |
    /// | `rise` | cells that lie more than so many levels above the one from which is looked hide it |
    /// | `plus` | is added to the range, such as -1 in rain |
    /// | `least` | the range is never less |
    ///
    /// ```rhai
    /// let seen = view.sight(view.cell("a1"), 3, #{ opaque: ["water"], rise: 2 });
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn sight(context: NativeCallContext<'_>, view: &mut View, from: Cell, range: INT, limits: Dynamic) -> Answer<Cells> {
        let count = view.context.read(|state| Ok(state.board().cell_count()))?;
        let from = CellSet::from_cells(count, [from.id]);
        seen_from(&context, view, &from, &limits, |_| Ok(Box::new(move |_| range)))
    }

    /// The cells that are seen from any cell of a set, so many steps far; see `sight(from, range, limits)`.
    ///
    /// ```rhai
    /// let seen = view.sight(view.seat.cells, 2, #{ rise: 2 });
    /// ```
    #[rhai_fn(name = "sight", pure, return_raw)]
    pub fn sight_from_cells(context: NativeCallContext<'_>, view: &mut View, from: Cells, range: INT, limits: Dynamic) -> Answer<Cells> {
        seen_from(&context, view, &from.set, &limits, |_| Ok(Box::new(move |_| range)))
    }

    /// What is seen where each piece sees as far as one of its properties says: from each cell of the set as far as the greatest one of the
    /// pieces on it. One call answers what a whole side sees.
    ///
    /// ```rhai
    /// let seen = view.sight(view.seat.cells, "strength", #{ opaque: ["water"], plus: -1, least: 1 });
    /// ```
    #[rhai_fn(name = "sight", pure, return_raw)]
    pub fn sight_by_property(
        context: NativeCallContext<'_>,
        view: &mut View,
        from: Cells,
        property: &str,
        limits: Dynamic,
    ) -> Answer<Cells> {
        seen_from(&context, view, &from.set, &limits, |state| {
            let number = numbers(state, property)?;
            Ok(Box::new(move |cell| {
                state.pieces_at(cell).iter().map(|piece| number(*piece)).max().unwrap_or(0)
            }))
        })
    }
}
