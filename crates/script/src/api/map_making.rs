//! Words for drawing a random map.

use rhai::plugin::*;

#[export_module]
pub(super) mod map_making {
    use rhai::INT;

    use super::super::super::value::{Answer, wrong};
    use super::super::convert::items_of;
    use super::super::handles::{Cell, View};
    use boardwright_model::CellSet;

    /// Gives some cells of a random map the name of a region; what it held before is replaced. Only in `generate_map`.
    ///
    /// ```rhai
    /// fn generate_map(turn) { turn.set_region("north", turn.cells.filter(|cell| cell.row < 2)); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set_region(turn: &mut View, name: &str, cells: rhai::Dynamic) -> Answer<()> {
        let cells = items_of(&cells).ok_or_else(|| wrong("set_region takes a set of cells, or a list of them"))?;
        let ids: Option<Vec<_>> = cells.iter().map(super::super::convert::cell_id).collect();
        let ids = ids.ok_or_else(|| wrong("set_region takes cells"))?;
        if name.trim().is_empty() {
            return Err(wrong("a region needs a name"));
        }
        let count = turn.context.read(|state| Ok(state.board().cell_count()))?;
        let mut set = CellSet::empty(count);
        for id in ids {
            set.insert(id);
        }
        turn.context.draw_map(|sketch| drop(sketch.regions.insert(name.to_owned(), set)))
    }

    /// Sets how high a cell of a random map lies. Only in `generate_map`.
    ///
    /// ```rhai
    /// fn generate_map(turn) { turn.set_elevation(turn.cell("b2"), 1); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set_elevation(turn: &mut View, cell: Cell, elevation: INT) -> Answer<()> {
        let elevation = i16::try_from(elevation).map_err(|_| wrong("an elevation is between -32768 and 32767"))?;
        turn.context.draw_map(|sketch| {
            sketch.elevations.insert(cell.id, elevation);
        })
    }

    /// Gives a cell of a random map a name of its own. Only in `generate_map`.
    ///
    /// ```rhai
    /// fn generate_map(turn) { turn.set_name(turn.cell("b2"), "Millbrook"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set_name(turn: &mut View, cell: Cell, name: &str) -> Answer<()> {
        if name.trim() != name || name.is_empty() {
            return Err(wrong("the name of a cell has no blanks at its ends, and is not empty"));
        }
        turn.context.draw_map(|sketch| drop(sketch.names.insert(cell.id, name.to_owned())))
    }

    /// Leaves a cell out of a random map: there is a hole. Only in `generate_map`.
    ///
    /// ```rhai
    /// fn generate_map(turn) { turn.leave_out(turn.cell("a1")); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn leave_out(turn: &mut View, cell: Cell) -> Answer<()> {
        turn.context.draw_map(|sketch| {
            if !sketch.holes.contains(&cell.id) {
                sketch.holes.push(cell.id);
            }
        })
    }
}
