//! Words for vectors between the cells of grids, and for the straight lines along them.

use rhai::plugin::*;
use rhai::{Array, NativeCallContext};

use super::super::meter::pay;
use super::super::value::{Answer, wrong};
use super::handles::{Cells, Vector, View};
use boardwright_model::{Board, CellId, CellSet};

const NO_GRID: &str = "only on grids there are vectors and straight lines";
const TOO_LONG: &str = "this vector is too long";

/// What a line is asked about costs as much as it is long.
fn pay_line(context: &NativeCallContext<'_>, board: &Board, from: CellId, to: CellId) -> Answer<()> {
    pay(context, board.distance(from, to).map_or(0, |steps| steps as usize))
}

/// What the board has to say of a vector.
fn of_vector<R>(vector: &Vector, read: impl FnOnce(&Board, boardwright_model::Vector) -> Option<R>) -> Answer<R> {
    vector
        .context
        .read(|state| read(state.board(), vector.vector).ok_or_else(|| wrong(NO_GRID)))
}

/// A vector that is not too long.
fn short(vector: &Vector, made: Option<boardwright_model::Vector>) -> Answer<Vector> {
    let made = made.ok_or_else(|| wrong(TOO_LONG))?;
    Ok(Vector::new(&vector.context, made))
}

fn set_of(view: &View, board: &Board, cells: impl IntoIterator<Item = CellId>) -> Cells {
    Cells::new(&view.context, CellSet::from_cells(board.cell_count(), cells))
}

fn sets_of(view: &View, board: &Board, lists: Vec<boardwright_model::CrossedCells>) -> Array {
    lists.into_iter().map(|cells| Dynamic::from(set_of(view, board, cells))).collect()
}

#[export_module]
pub(super) mod vectors {
    use rhai::{Array, Dynamic, INT, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::value::{Answer, wrong};
    use super::super::cell_sets::by_word;
    use super::super::convert::{found_direction, or_unit};
    use super::super::handles::{Cell, Cells, Vector, View};
    use super::{NO_GRID, of_vector, pay_line, set_of, sets_of, short};

    /// The vector from the second cell to the first: `there - here`. Fails on boards that are no grid.
    ///
    /// ```rhai
    /// let course = view.cell("c2") - view.cell("a1");
    /// ```
    #[rhai_fn(name = "-", pure, return_raw)]
    pub fn from_cell(there: &mut Cell, here: Cell) -> Answer<Vector> {
        let vector = there.context.read(|state| {
            let vector = state.board().vector(here.id, there.id);
            vector.ok_or_else(|| wrong(NO_GRID))
        })?;
        Ok(Vector::new(&there.context, vector))
    }

    /// The cell that a vector leads to; `()` where the map has none.
    ///
    /// ```rhai
    /// let course = view.cell("b1") - view.cell("a1");
    /// let next = view.cell("b1") + course;
    /// ```
    #[rhai_fn(name = "+", pure, return_raw)]
    pub fn beyond(cell: &mut Cell, vector: Vector) -> Answer<Dynamic> {
        let next = cell.context.read(|state| Ok(state.board().cell_beyond(cell.id, vector.vector)))?;
        Ok(or_unit(next.map(|id| Cell::new(&cell.context, id))))
    }

    /// Both vectors, one after the other.
    ///
    /// ```rhai
    /// let course = view.vector("n") + view.vector("e");
    /// ```
    #[rhai_fn(name = "+", pure, return_raw)]
    pub fn plus(a: &mut Vector, b: Vector) -> Answer<Vector> {
        short(a, a.vector.plus(b.vector))
    }

    /// What has to be added to the second vector to get the first.
    ///
    /// ```rhai
    /// let change = view.vector("n") - view.vector("e");
    /// ```
    #[rhai_fn(name = "-", pure, return_raw)]
    pub fn minus(a: &mut Vector, b: Vector) -> Answer<Vector> {
        short(a, a.vector.plus(b.vector.back()))
    }

    /// The vector backwards.
    ///
    /// ```rhai
    /// let back = -view.vector("n");
    /// ```
    #[rhai_fn(name = "-", pure)]
    pub fn backwards(vector: &mut Vector) -> Vector {
        Vector::new(&vector.context, vector.vector.back())
    }

    /// The vector so many times as long; with a number below 0 backwards, with 0 no way at all.
    ///
    /// ```rhai
    /// let far = view.vector("n") * 3;
    /// ```
    #[rhai_fn(name = "*", pure, return_raw)]
    pub fn times(vector: &mut Vector, times: INT) -> Answer<Vector> {
        short(vector, vector.vector.times(times))
    }

    /// Whether two vectors are the same.
    #[rhai_fn(name = "==", pure)]
    pub fn equals(a: &mut Vector, b: Vector) -> bool {
        *a == b
    }

    /// Whether two vectors differ.
    #[rhai_fn(name = "!=", pure)]
    pub fn differs(a: &mut Vector, b: Vector) -> bool {
        *a != b
    }

    /// How many steps it is long: the distance between its two ends.
    ///
    /// ```rhai
    /// let speed = (view.cell("c2") - view.cell("a1")).length;
    /// ```
    #[rhai_fn(get = "length", pure, return_raw)]
    pub fn length(vector: &mut Vector) -> Answer<INT> {
        of_vector(vector, |board, vector| board.vector_length(vector).map(INT::from))
    }

    /// The vector turned clockwise: on hexes by so many sixths of a turn, on squares by so many quarters.
    ///
    /// ```rhai
    /// let right = view.vector("n").turned(1);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn turned(vector: &mut Vector, times: INT) -> Answer<Vector> {
        let turned = of_vector(vector, |board, own| board.turned_vector(own, times))?;
        Ok(Vector::new(&vector.context, turned))
    }

    /// A step in a direction of the map, such as `"n"`. Fails if there is no such direction.
    ///
    /// ```rhai
    /// let north = view.vector("n");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn vector(view: &mut View, direction: &str) -> Answer<Vector> {
        let vector = view.context.read(|state| {
            let direction = found_direction(state.board(), direction)?;
            state.board().direction_vector(direction).ok_or_else(|| wrong(NO_GRID))
        })?;
        Ok(Vector::new(&view.context, vector))
    }

    /// What a straight line from the middle of a cell to that of another crosses, in order, both ends included: a list of sets. Where the
    /// line runs along the side between two cells they are in one set. A cell that the line only touches with a corner is not crossed.
    ///
    /// ```rhai
    /// let land = view.terrain("land");
    /// let over_land = view.crossed(view.cell("a1"), view.cell("c2")).count(|cells| !(cells & land).is_empty);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn crossed(context: NativeCallContext<'_>, view: &mut View, from: Cell, to: Cell) -> Answer<Array> {
        view.context.read(|state| {
            let board = state.board();
            pay_line(&context, board, from.id, to.id)?;
            let crossed = board.crossed(from.id, to.id).ok_or_else(|| wrong(NO_GRID))?;
            Ok(sets_of(view, board, crossed))
        })
    }

    /// All cells that `crossed` gives, in one set.
    ///
    /// ```rhai
    /// let hits = (view.crossed_cells(view.cell("a1"), view.cell("c2")) & view.occupied).pieces;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn crossed_cells(context: NativeCallContext<'_>, view: &mut View, from: Cell, to: Cell) -> Answer<Cells> {
        view.context.read(|state| {
            let board = state.board();
            pay_line(&context, board, from.id, to.id)?;
            let crossed = board.crossed(from.id, to.id).ok_or_else(|| wrong(NO_GRID))?;
            Ok(set_of(view, board, crossed.into_iter().flatten()))
        })
    }

    /// The cells whose middles a straight line from the middle of a cell to that of another meets, both ends included.
    ///
    /// ```rhai
    /// let rammed = view.middles(view.cell("a1"), view.cell("c3")) & view.occupied;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn middles(context: NativeCallContext<'_>, view: &mut View, from: Cell, to: Cell) -> Answer<Cells> {
        view.context.read(|state| {
            let board = state.board();
            pay_line(&context, board, from.id, to.id)?;
            pay(&context, by_word(state.occupied()))?;
            let met = board.middles(from.id, to.id).ok_or_else(|| wrong(NO_GRID))?;
            Ok(set_of(view, board, met))
        })
    }

    /// Whether a straight line between the middles of two cells comes within a radius of the middle of a third, in thousandths of the
    /// distance between neighbours. To touch is enough.
    ///
    /// ```rhai
    /// let crashes = view.passes(view.cell("a1"), view.cell("c2"), view.cell("b1"), 450);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn passes(view: &mut View, from: Cell, to: Cell, centre: Cell, radius: INT) -> Answer<bool> {
        let radius = u32::try_from(radius).map_err(|_| wrong(format!("a radius is a whole number from 0, not {radius}")))?;
        view.context.read(|state| {
            let passes = state.board().passes(from.id, to.id, centre.id, radius);
            passes.ok_or_else(|| wrong(NO_GRID))
        })
    }
}
