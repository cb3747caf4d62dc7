//! Words for sets of cells, and for shapes laid on them.

use rhai::plugin::*;
use smallvec::SmallVec;

use super::super::value::{Answer, wrong};
use boardwright_model::{Board, CellSet, PieceId, PropertyId, Scope, State, Value, ValueType};

/// The number that a declared property of pieces is, for each piece of a state.
pub(crate) fn numbers<'a>(state: &'a State, name: &str) -> Answer<impl Fn(PieceId) -> rhai::INT + use<'a>> {
    let property = state.declarations().find_property(Scope::Piece, name);
    let declared = property.and_then(|property| state.declarations().property(property));
    let slot = match declared {
        Some(declared) if matches!(declared.value_type, ValueType::Integer { .. }) => usize::from(declared.slot),
        Some(_) => return Err(wrong(format!("the piece property {name:?} is no number"))),
        None => return Err(wrong(format!("pieces have no property {name:?}"))),
    };
    Ok(move |piece| {
        let value = state.piece(piece).and_then(|piece| piece.values.get(slot));
        value.and_then(Value::as_integer).unwrap_or(0)
    })
}

/// A number of all pieces on some cells, added up; of the cells themselves where pieces have none of that name.
pub(crate) fn sum(state: &State, cells: &CellSet, name: &str) -> Answer<rhai::INT> {
    let declarations = state.declarations();
    let of_cells = declarations.find_property(Scope::Cell, name);
    let is_number = |id: &PropertyId| {
        let declared = declarations.property(*id);
        declared.is_some_and(|declared| matches!(declared.value_type, ValueType::Integer { .. }))
    };
    if declarations.find_property(Scope::Piece, name).is_none()
        && let Some(values) = of_cells.filter(is_number).and_then(|property| state.cell_values(property))
    {
        let numbers = cells.iter().filter_map(|cell| values.get(cell.index())?.as_integer());
        return Ok(numbers.fold(0, rhai::INT::saturating_add));
    }
    if declarations.find_property(Scope::Piece, name).is_none() {
        return Err(wrong(format!(
            "neither pieces nor cells have a property {name:?} that is a whole number"
        )));
    }
    let number = numbers(state, name)?;
    let found = cells.iter().flat_map(|cell| state.pieces_at(cell).iter().copied());
    let mut pieces: SmallVec<[PieceId; 32]> = found.collect();
    // A piece that lies on several of the cells counts once.
    pieces.sort_unstable();
    pieces.dedup();
    Ok(pieces.into_iter().map(number).fold(0, rhai::INT::saturating_add))
}

/// The cost of going through a set cell by cell, in operations: its cells and the words it is kept in.
pub(crate) fn by_cell(set: &CellSet) -> usize {
    set.count() / 8 + set.words().len() / 16
}

/// The cost of going through the words that a set is kept in, in operations: the same for each set of a board.
pub(crate) fn by_word(set: &CellSet) -> usize {
    set.words().len() / 32
}

/// The cost of going through the pieces on the cells of a set, however many lie on one.
pub(crate) fn by_piece(state: &State, set: &CellSet) -> usize {
    set.iter().map(|cell| state.pieces_at(cell).len()).sum::<usize>() / 4
}

/// The cost of placing a shape on a set, square by square.
fn by_square(shape: &boardwright_model::Shape, set: &CellSet) -> usize {
    shape.count().saturating_mul(set.words().len()) / 64
}

/// Whether so many cells of a set lie in a row.
pub(crate) fn has_row<E>(pay: &mut dyn FnMut(usize) -> Result<(), E>, board: &Board, set: &CellSet, length: rhai::INT) -> Result<bool, E> {
    board.has_row(set, length, &mut |from| pay(by_cell(from)))
}

#[export_module]
pub(super) mod sets {
    use std::collections::BTreeSet;

    use rhai::{Array, Dynamic, FnPtr, INT, NativeCallContext};

    use super::super::super::limits::LIST_ITEMS;
    use super::super::super::lists;
    use super::super::super::meter::{Stop, pay};
    use super::super::super::texts;
    use super::super::super::value::Answer;
    use super::super::convert::{self, found_direction, or_unit};
    use super::super::handles::{Cell, Cells, Piece};
    use super::{by_cell, by_piece, by_word};
    use boardwright_model::{CellId, CellSet, PieceId, Scope, Target};

    /// How many cells are in the set.
    ///
    /// ```rhai
    /// let free = view.empty.count;
    /// ```
    #[rhai_fn(get = "count", pure, return_raw)]
    pub fn count(context: NativeCallContext<'_>, cells: &mut Cells) -> Answer<INT> {
        pay(&context, by_word(&cells.set))?;
        Ok(texts::count(cells.set.count()))
    }

    /// Whether there is no cell in the set.
    ///
    /// ```rhai
    /// let full = view.empty.is_empty;
    /// ```
    #[rhai_fn(get = "is_empty", pure)]
    pub fn is_empty(cells: &mut Cells) -> bool {
        cells.set.is_empty()
    }

    /// Its first cell, or `()`.
    ///
    /// ```rhai
    /// let any = view.empty.first;
    /// ```
    #[rhai_fn(get = "first", pure)]
    pub fn first(cells: &mut Cells) -> Dynamic {
        or_unit(cells.set.first().map(|id| Cell::new(&cells.context, id)))
    }

    /// Whether a cell is in the set: `cell in view.empty`.
    ///
    /// ```rhai
    /// if view.cell("a1") in view.empty { print("free"); }
    /// ```
    #[rhai_fn(pure)]
    pub fn contains(cells: &mut Cells, cell: Cell) -> bool {
        cells.set.contains(cell.id)
    }

    /// The cells in either set.
    ///
    /// ```rhai
    /// let all = view.empty | view.occupied;
    /// ```
    #[rhai_fn(name = "|", pure, return_raw)]
    pub fn union(context: NativeCallContext<'_>, a: &mut Cells, b: Cells) -> Answer<Cells> {
        pay(&context, by_word(&a.set))?;
        Ok(Cells::new(&a.context, a.set.union(&b.set)))
    }

    /// The set with one cell more.
    ///
    /// ```rhai
    /// let more = view.occupied | view.cell("a1");
    /// ```
    #[rhai_fn(name = "|", pure, return_raw)]
    pub fn with(context: NativeCallContext<'_>, cells: &mut Cells, cell: Cell) -> Answer<Cells> {
        pay(&context, by_word(&cells.set))?;
        let mut set = cells.set.clone();
        set.insert(cell.id);
        Ok(Cells::new(&cells.context, set))
    }

    /// The cells in both sets.
    ///
    /// ```rhai
    /// let none = view.empty & view.occupied;
    /// ```
    #[rhai_fn(name = "&", pure, return_raw)]
    pub fn intersection(context: NativeCallContext<'_>, a: &mut Cells, b: Cells) -> Answer<Cells> {
        pay(&context, by_word(&a.set))?;
        Ok(Cells::new(&a.context, a.set.intersection(&b.set)))
    }

    /// The cells in the first set and not in the second.
    ///
    /// ```rhai
    /// let free = view.cells - view.occupied;
    /// ```
    #[rhai_fn(name = "-", pure, return_raw)]
    pub fn difference(context: NativeCallContext<'_>, a: &mut Cells, b: Cells) -> Answer<Cells> {
        pay(&context, by_word(&a.set))?;
        Ok(Cells::new(&a.context, a.set.difference(&b.set)))
    }

    /// The set without one cell.
    ///
    /// ```rhai
    /// let others = view.empty - view.cell("a1");
    /// ```
    #[rhai_fn(name = "-", pure, return_raw)]
    pub fn without(context: NativeCallContext<'_>, cells: &mut Cells, cell: Cell) -> Answer<Cells> {
        pay(&context, by_word(&cells.set))?;
        let mut set = cells.set.clone();
        set.remove(cell.id);
        Ok(Cells::new(&cells.context, set))
    }

    /// The cells next to one of the set, in it or not.
    ///
    /// ```rhai
    /// let joined = view.occupied & view.occupied.neighbours;
    /// ```
    #[rhai_fn(get = "neighbours", pure, return_raw)]
    pub fn neighbours(context: NativeCallContext<'_>, cells: &mut Cells) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        Cells::find(&cells.context, |state| {
            let found = cells.set.iter().flat_map(|cell| state.board().neighbours(cell).iter().copied());
            CellSet::from_cells(state.board().cell_count(), found)
        })
    }

    /// The cells of the set with a piece on them whose property is so great or greater.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.at_least("strength", 2).count); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn at_least(context: NativeCallContext<'_>, cells: &mut Cells, property: &str, least: INT) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        cells.context.read(|state| {
            pay(&context, by_piece(state, &cells.set))?;
            let number = super::numbers(state, property)?;
            let reaches = |cell: &CellId| state.pieces_at(*cell).iter().any(|piece| number(*piece) >= least);
            let found = CellSet::from_cells(state.board().cell_count(), cells.set.iter().filter(reaches));
            Ok(Cells::new(&cells.context, found))
        })
    }

    /// The cells of the set whose own declared property has a value.
    ///
    /// ```rhai
    /// for seat in view.seats { print(view.cells.having("owner", seat).count); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn having(context: NativeCallContext<'_>, cells: &mut Cells, property: &str, value: Dynamic) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        let (property, value) = convert::wanted(&cells.context, Scope::Cell, property, &value)?;
        cells.context.read(|state| {
            let found = cells
                .set
                .iter()
                .filter(|cell| state.value(Target::Cell(*cell), property) == Some(&value));
            Ok(Cells::new(&cells.context, CellSet::from_cells(state.board().cell_count(), found)))
        })
    }

    /// The cells of the set that lie higher than a level of elevation.
    ///
    /// ```rhai
    /// let hills = view.cells.higher_than(2);
    /// let of_level_3 = hills - hills.higher_than(3);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn higher_than(context: NativeCallContext<'_>, cells: &mut Cells, level: INT) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        Cells::find(&cells.context, |state| {
            let board = state.board();
            let found = cells.set.iter().filter(|cell| INT::from(board.elevation(*cell)) > level);
            CellSet::from_cells(board.cell_count(), found)
        })
    }

    /// The cells of the set for which a test holds. The words for terrain, regions and properties are many times faster.
    ///
    /// ```rhai
    /// let even = view.cells.filter(|cell| cell.elevation % 2 == 0);
    /// ```
    #[rhai_fn(return_raw)]
    pub fn filter(context: NativeCallContext<'_>, cells: &mut Cells, test: FnPtr) -> Answer<Cells> {
        let mut kept = cells.set.clone();
        for cell in &cells.set {
            if !lists::ask(&context, &test, &Dynamic::from(Cell::new(&cells.context, cell)))? {
                kept.remove(cell);
            }
        }
        Ok(Cells::new(&cells.context, kept))
    }

    /// What a function makes of each cell, as a list, in the order of the map.
    ///
    /// ```rhai
    /// let names = view.occupied.map(|cell| cell.name);
    /// ```
    #[rhai_fn(return_raw)]
    pub fn map(context: NativeCallContext<'_>, cells: &mut Cells, make: FnPtr) -> Answer<Array> {
        let mut made = Array::new();
        for cell in &cells.set {
            // A longer list would be refused once it is whole.
            if made.len() == LIST_ITEMS {
                return Err(Stop::Data.error());
            }
            made.push(lists::call(&context, &make, &Dynamic::from(Cell::new(&cells.context, cell)))?);
        }
        Ok(made)
    }

    /// The pieces on the cells of the set, oldest first.
    ///
    /// ```rhai
    /// let near = view.seat.cells.neighbours.pieces;
    /// ```
    #[rhai_fn(get = "pieces", pure, return_raw)]
    pub fn pieces(context: NativeCallContext<'_>, cells: &mut Cells) -> Answer<Array> {
        pay(&context, by_cell(&cells.set))?;
        cells.context.read(|state| {
            pay(&context, by_piece(state, &cells.set))?;
            let found = cells.set.iter().flat_map(|cell| state.pieces_at(cell).iter().copied());
            // A piece that lies on several of the cells is there once.
            let pieces: BTreeSet<PieceId> = found.collect();
            Ok(pieces
                .into_iter()
                .map(|piece| Dynamic::from(Piece::new(&cells.context, piece)))
                .collect())
        })
    }

    /// A property of all pieces on the cells of the set, added up; one of the cells where pieces have none of that name.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.sum("strength")); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn sum(context: NativeCallContext<'_>, cells: &mut Cells, property: &str) -> Answer<INT> {
        pay(&context, by_cell(&cells.set))?;
        cells.context.read(|state| {
            pay(&context, by_piece(state, &cells.set))?;
            super::sum(state, &cells.set, property)
        })
    }

    /// Whether two sets hold the same cells.
    #[rhai_fn(name = "==", pure, return_raw)]
    pub fn equals(context: NativeCallContext<'_>, a: &mut Cells, b: Cells) -> Answer<bool> {
        pay(&context, by_word(&a.set))?;
        Ok(*a == b)
    }

    /// Whether all cells of the first set are in the second.
    ///
    /// ```rhai
    /// let is_held = view.region("centre").is_within(view.occupied);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn is_within(context: NativeCallContext<'_>, a: &mut Cells, b: Cells) -> Answer<bool> {
        pay(&context, by_word(&a.set))?;
        Ok(a.set.is_subset(&b.set))
    }

    /// The set moved one cell in a direction of the map; what leaves the board is lost. Fails if there is no such direction.
    ///
    /// ```rhai
    /// let above = view.occupied.shift("n");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn shift(context: NativeCallContext<'_>, cells: &mut Cells, direction: &str) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        cells.context.read(|state| {
            let board = state.board();
            let direction = found_direction(board, direction)?;
            Ok(Cells::new(&cells.context, board.shift(&cells.set, direction)))
        })
    }

    /// The set and all cells up to so many steps away.
    ///
    /// ```rhai
    /// let near = view.occupied.dilate(1) - view.occupied;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn dilate(context: NativeCallContext<'_>, cells: &mut Cells, steps: INT) -> Answer<Cells> {
        cells.context.read(|state| {
            let mut grown = cells.set.clone();
            let mut rim = grown.clone();
            for _ in 0..steps {
                pay(&context, by_cell(&rim))?;
                rim = state.board().dilate(&rim, 1).difference(&grown);
                if rim.is_empty() {
                    break;
                }
                grown = grown.union(&rim);
            }
            Ok(Cells::new(&cells.context, grown))
        })
    }

    /// The cells beside the set: they share a side with one of its cells and are not in it. On free graphs the neighbours.
    ///
    /// ```rhai
    /// let free = view.empty - view.seat.cells.sides;
    /// ```
    #[rhai_fn(get = "sides", pure, return_raw)]
    pub fn sides(context: NativeCallContext<'_>, cells: &mut Cells) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        Cells::find(&cells.context, |state| state.board().sides(&cells.set))
    }

    /// The cells at the corners of the set: they share a corner with one of its cells, but no side with any, and are not in it.
    /// Only on square grids there are such cells.
    ///
    /// ```rhai
    /// let reached = view.empty & view.seat.cells.corners;
    /// ```
    #[rhai_fn(get = "corners", pure, return_raw)]
    pub fn corners(context: NativeCallContext<'_>, cells: &mut Cells) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        Cells::find(&cells.context, |state| state.board().corners(&cells.set))
    }

    /// The cells of the set of which at least so many sides lie in another. On free graphs each neighbour counts as a side.
    ///
    /// ```rhai
    /// let roomy = view.empty.with_sides_in(view.empty, 3);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn with_sides_in(context: NativeCallContext<'_>, cells: &mut Cells, other: Cells, least: INT) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        let least = u8::try_from(least.clamp(0, 255)).unwrap_or(0);
        Cells::find(&cells.context, |state| state.board().with_sides_in(&cells.set, &other.set, least))
    }

    /// All cells that can be reached from the set without leaving another.
    ///
    /// ```rhai
    /// let room = view.empty.flood(view.empty);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn flood(context: NativeCallContext<'_>, cells: &mut Cells, within: Cells) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set))?;
        Cells::find(&cells.context, |state| state.board().flood(&cells.set, &within.set))
    }

    /// All cells that can be reached from the set by so many steps at most without leaving another.
    ///
    /// ```rhai
    /// let near = view.seat.cells.sides.flood(view.empty, 3);
    /// ```
    #[rhai_fn(name = "flood", pure, return_raw)]
    pub fn flood_steps(context: NativeCallContext<'_>, cells: &mut Cells, within: Cells, steps: INT) -> Answer<Cells> {
        pay(&context, by_cell(&cells.set) + by_cell(&within.set))?;
        let steps = u32::try_from(steps.clamp(0, 100_000)).unwrap_or(0);
        Cells::find(&cells.context, |state| state.board().flood_steps(&cells.set, &within.set, steps))
    }

    /// The connected parts of the set, the largest first: within one there is a way from each cell to each other that does not leave it.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.components.len()); }
    /// ```
    #[rhai_fn(get = "components", pure, return_raw)]
    pub fn components(context: NativeCallContext<'_>, cells: &mut Cells) -> Answer<Array> {
        cells.context.read(|state| {
            let mut left = cells.set.clone();
            let mut parts = Vec::new();
            while let Some(first) = left.first() {
                let seed = CellSet::from_cells(state.board().cell_count(), [first]);
                let part = state.board().flood(&seed, &left);
                pay(&context, by_cell(&part))?;
                left.subtract(&part);
                parts.push(part);
            }
            parts.sort_by_key(|part| std::cmp::Reverse(part.count()));
            let parts = parts.into_iter().map(|part| Cells::new(&cells.context, part));
            Ok(parts.map(Dynamic::from).collect())
        })
    }

    /// The cell of the set with the greatest property of a piece on it, the first of several; `()` where no cell has a piece.
    ///
    /// ```rhai
    /// let strongest = view.occupied.most("strength");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn most(context: NativeCallContext<'_>, cells: &mut Cells, property: &str) -> Answer<Dynamic> {
        pay(&context, by_cell(&cells.set))?;
        cells.context.read(|state| {
            pay(&context, by_piece(state, &cells.set))?;
            let number = super::numbers(state, property)?;
            let of_cell = |cell: CellId| state.pieces_at(cell).iter().map(|piece| number(*piece)).max();
            let found = cells.set.iter().filter_map(|cell| Some((of_cell(cell)?, std::cmp::Reverse(cell))));
            Ok(or_unit(found.max().map(|(_, cell)| Cell::new(&cells.context, cell.0))))
        })
    }

    /// Whether the set has so many cells in a row in some direction.
    ///
    /// ```rhai
    /// for seat in view.seats { if seat.cells.has_row(3) { print(seat.name); } }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn has_row(context: NativeCallContext<'_>, cells: &mut Cells, length: INT) -> Answer<bool> {
        let mut pay = |operations| pay(&context, operations);
        cells
            .context
            .read(|state| super::has_row(&mut pay, state.board(), &cells.set, length))
    }

    /// The cells of the set that lie in a row of so many of them in some direction, such as those that have won.
    ///
    /// ```rhai
    /// for seat in view.seats { for cell in seat.cells.in_rows(3) { print(cell.name); } }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn in_rows(context: NativeCallContext<'_>, cells: &mut Cells, length: INT) -> Answer<Cells> {
        cells.context.read(|state| {
            let board = state.board();
            let mut found = CellSet::empty(board.cell_count());
            for direction in board.directions() {
                let mut row = board.ends_of_rows(&cells.set, direction, length, &mut |from| pay(&context, by_cell(from)))?;
                found.union_with(&row);
                for _ in 1..length {
                    if row.is_empty() {
                        break;
                    }
                    pay(&context, by_cell(&row))?;
                    row = board.shift(&row, board.opposite(direction));
                    found.union_with(&row);
                }
            }
            Ok(Cells::new(&cells.context, found))
        })
    }
}

#[export_module]
pub(super) mod shapes {
    use rhai::{INT, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::texts;
    use super::super::super::value::Answer;
    use super::super::handles::{Cells, Shape};
    use super::by_square;

    /// How many squares the shape covers.
    ///
    /// ```rhai
    /// for piece in view.zone("reserve", view.seat) { print(piece.shape_in("0").count); }
    /// ```
    #[rhai_fn(get = "count", pure)]
    pub fn count(shape: &mut Shape) -> INT {
        texts::count(shape.shape.count())
    }

    /// The cells on which its first square (the left one of its upper row) can lie so that all of it lies in a set.
    ///
    /// ```rhai
    /// for piece in view.zone("reserve", view.seat) { print(piece.shape_in("m90").fits(view.empty).count); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn fits(context: NativeCallContext<'_>, shape: &mut Shape, within: Cells) -> Answer<Cells> {
        pay(&context, by_square(&shape.shape, &within.set))?;
        Cells::find(&shape.context, |state| state.board().fits(&shape.shape, &within.set))
    }

    /// The cells from which its first square has one of its squares lie in a set. The others may lie anywhere, also off the board.
    ///
    /// ```rhai
    /// for piece in view.zone("reserve", view.seat) { print(piece.shape_in("0").touches(view.region("centre")).count); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn touches(context: NativeCallContext<'_>, shape: &mut Shape, set: Cells) -> Answer<Cells> {
        pay(&context, by_square(&shape.shape, &set.set))?;
        Cells::find(&shape.context, |state| state.board().touches(&shape.shape, &set.set))
    }
}
