//! Words for pieces, cells, seats, sets of cells, options and questions.

use rhai::plugin::*;

use super::super::value::{Answer, wrong};
use super::stage::SharedStage;
use crate::model::{PieceId, Scope, SeatId, State, Value, ValueType};

fn read_piece<R>(stage: &SharedStage, piece: &super::handles::Piece, read: impl FnOnce(&State, &crate::model::Piece) -> R) -> Answer<R> {
    stage.read(|state| match state.piece(piece.id) {
        Some(found) => Ok(read(state, found)),
        None => Err(wrong(format!("piece {} is not there, or not seen", piece.id.0))),
    })
}

fn following(state: &State, seat: SeatId) -> SeatId {
    let count = state.frame().seats.len().max(1);
    let mut order = (1..=count).map(|offset| SeatId::from_index((seat.index() + offset) % count));
    order.find(|other| !state.eliminated().contains(*other)).unwrap_or(seat)
}

/// A declared piece property that is a number.
struct Numbers<'a> {
    state: &'a State,
    slot: usize,
}

impl<'a> Numbers<'a> {
    fn of(state: &'a State, name: &str) -> Answer<Self> {
        let property = state.frame().find_property(Scope::Piece, name);
        let declared = property.and_then(|property| state.frame().property(property));
        match declared {
            Some(declared) if matches!(declared.value_type, ValueType::Integer { .. }) => Ok(Self {
                state,
                slot: usize::from(declared.slot),
            }),
            Some(_) => Err(wrong(format!("the piece property {name:?} is no number"))),
            None => Err(wrong(format!("pieces have no property {name:?}"))),
        }
    }

    fn of_piece(&self, piece: PieceId) -> rhai::INT {
        let value = self.state.piece(piece).and_then(|piece| piece.values.get(self.slot));
        value.and_then(Value::as_integer).unwrap_or(0)
    }
}

#[export_module]
pub(super) mod pieces {
    use rhai::{Dynamic, INT, ImmutableString};

    use super::super::super::value::Answer;
    use super::super::convert;
    use super::super::handles::Piece;
    use crate::model::{Scope, Target};

    /// The number of the piece in this match.
    ///
    /// ```rhai
    /// fn look_piece(view, piece) { #{ badge: `${piece.id}` } }
    /// ```
    #[rhai_fn(get = "id", pure)]
    pub fn id(piece: &mut Piece) -> INT {
        INT::from(piece.id.0)
    }

    /// The name of its kind.
    ///
    /// ```rhai
    /// for piece in view.pieces { print(piece.kind); }
    /// ```
    #[rhai_fn(get = "kind", pure, return_raw)]
    pub fn kind(piece: &mut Piece) -> Answer<ImmutableString> {
        super::read_piece(&piece.stage, piece, |state, found| {
            state
                .frame()
                .kind(found.kind)
                .map_or_else(ImmutableString::default, |kind| (&*kind.name).into())
        })
    }

    /// The seat it belongs to, or `()`.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.owner == view.seat { print("mine"); } }
    /// ```
    #[rhai_fn(get = "owner", pure, return_raw)]
    pub fn owner(piece: &mut Piece) -> Answer<Dynamic> {
        super::read_piece(&piece.stage, piece, |_, found| {
            convert::or_unit(found.owner.map(|id| convert::seat(&piece.stage, id)))
        })
    }

    /// The cell it is on, or `()`.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.cell != () { print(piece.cell.name); } }
    /// ```
    #[rhai_fn(get = "cell", pure, return_raw)]
    pub fn cell(piece: &mut Piece) -> Answer<Dynamic> {
        super::read_piece(&piece.stage, piece, |_, found| {
            convert::or_unit(found.place.cell().map(|id| convert::cell(&piece.stage, id)))
        })
    }

    /// Whether it is out of play.
    ///
    /// ```rhai
    /// let in_play = view.pieces.filter(|piece| !piece.is_off).len;
    /// ```
    #[rhai_fn(get = "is_off", pure, return_raw)]
    pub fn is_off(piece: &mut Piece) -> Answer<bool> {
        super::read_piece(&piece.stage, piece, |_, found| found.place.is_off())
    }

    /// Whether two pieces are the same one.
    #[rhai_fn(name = "==", pure)]
    pub fn equals(a: &mut Piece, b: Piece) -> bool {
        *a == b
    }

    /// Whether two pieces are different ones.
    #[rhai_fn(name = "!=", pure)]
    pub fn differs(a: &mut Piece, b: Piece) -> bool {
        *a != b
    }

    /// A declared property, read by its name: `piece.strength`.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn property(piece: &mut Piece, name: &str) -> Answer<Dynamic> {
        convert::get_property(&piece.stage, Target::Piece(piece.id), Scope::Piece, name)
    }

    /// Sets a declared property by its name: `piece.strength -= 1`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(piece: &mut Piece, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&piece.stage, Target::Piece(piece.id), Scope::Piece, name, &value)
    }
}

#[export_module]
pub(super) mod cells_of_board {
    use rhai::{Dynamic, INT, ImmutableString};

    use super::super::super::value::{Answer, wrong};
    use super::super::convert;
    use super::super::handles::{Cell, Cells};
    use crate::model::{Scope, Target};

    /// The name of the cell.
    ///
    /// ```rhai
    /// for cell in view.empty { print(cell.name); }
    /// ```
    #[rhai_fn(get = "name", pure, return_raw)]
    pub fn name(cell: &mut Cell) -> Answer<ImmutableString> {
        cell.stage.read(|state| Ok(state.board().cell_name(cell.id).into()))
    }

    /// The column of a cell of a grid, from 0; `()` on other boards.
    ///
    /// ```rhai
    /// let column = view.cell("a1").column;
    /// ```
    #[rhai_fn(get = "column", pure, return_raw)]
    pub fn column(cell: &mut Cell) -> Answer<Dynamic> {
        cell.stage.read(|state| {
            Ok(convert::or_unit(
                state.board().coordinates(cell.id).map(|(column, _)| INT::from(column)),
            ))
        })
    }

    /// The row of a cell of a grid, from 0; `()` on other boards.
    ///
    /// ```rhai
    /// let row = view.cell("a1").row;
    /// ```
    #[rhai_fn(get = "row", pure, return_raw)]
    pub fn row(cell: &mut Cell) -> Answer<Dynamic> {
        cell.stage
            .read(|state| Ok(convert::or_unit(state.board().coordinates(cell.id).map(|(_, row)| INT::from(row)))))
    }

    /// The name of its ground.
    ///
    /// ```rhai
    /// let ground = view.cell("a1").terrain;
    /// ```
    #[rhai_fn(get = "terrain", pure, return_raw)]
    pub fn terrain(cell: &mut Cell) -> Answer<ImmutableString> {
        cell.stage.read(|state| {
            let terrain = state
                .terrain(cell.id)
                .and_then(|terrain| state.frame().terrains.get(terrain.index()));
            Ok(terrain.map_or("", |terrain| &*terrain.name).into())
        })
    }

    /// Its height on the map.
    ///
    /// ```rhai
    /// let uphill = view.cell("a1").elevation < view.cell("b1").elevation;
    /// ```
    #[rhai_fn(get = "elevation", pure, return_raw)]
    pub fn elevation(cell: &mut Cell) -> Answer<INT> {
        cell.stage.read(|state| Ok(INT::from(state.board().elevation(cell.id))))
    }

    /// The cells next to it.
    ///
    /// ```rhai
    /// let around = view.cell("a1").neighbours.count;
    /// ```
    #[rhai_fn(get = "neighbours", pure, return_raw)]
    pub fn neighbours(cell: &mut Cell) -> Answer<Cells> {
        cell.stage
            .read(|state| Ok(convert::cells(&cell.stage, state.board().neighbour_set(cell.id).into_owned())))
    }

    /// The cell next to it in a direction of the map, such as `"n"`; `()` where there is none. Fails if there is no such direction.
    ///
    /// ```rhai
    /// let above = view.cell("a1").step("n");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn step(cell: &mut Cell, direction: &str) -> Answer<Dynamic> {
        cell.stage.read(|state| {
            let board = state.board();
            let direction = board
                .find_direction(direction)
                .ok_or_else(|| wrong(format!("there is no direction {direction:?}")))?;
            Ok(convert::or_unit(
                board.step(cell.id, direction).map(|id| convert::cell(&cell.stage, id)),
            ))
        })
    }

    /// Whether two cells are the same one.
    #[rhai_fn(name = "==", pure)]
    pub fn equals(a: &mut Cell, b: Cell) -> bool {
        *a == b
    }

    /// Whether two cells are different ones.
    #[rhai_fn(name = "!=", pure)]
    pub fn differs(a: &mut Cell, b: Cell) -> bool {
        *a != b
    }

    /// A declared property, read by its name: `cell.owner`.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn property(cell: &mut Cell, name: &str) -> Answer<Dynamic> {
        convert::get_property(&cell.stage, Target::Cell(cell.id), Scope::Cell, name)
    }

    /// Sets a declared property by its name: `cell.owner = turn.seat`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(cell: &mut Cell, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&cell.stage, Target::Cell(cell.id), Scope::Cell, name, &value)
    }
}

#[export_module]
pub(super) mod seats {
    use rhai::{Dynamic, INT, ImmutableString};

    use super::super::super::value::Answer;
    use super::super::convert;
    use super::super::handles::{Cells, Seat};
    use crate::model::{CellSet, Scope, Target};

    /// The name in files.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.name); }
    /// ```
    #[rhai_fn(get = "name", pure, return_raw)]
    pub fn name(seat: &mut Seat) -> Answer<ImmutableString> {
        seat.stage
            .read(|state| Ok(state.frame().seats.get(seat.id.index()).map_or("", |seat| &*seat.name).into()))
    }

    /// The name for players.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.title); }
    /// ```
    #[rhai_fn(get = "title", pure, return_raw)]
    pub fn title(seat: &mut Seat) -> Answer<ImmutableString> {
        seat.stage.read(|state| Ok((&*state.frame().seat_title(seat.id)).into()))
    }

    /// The next seat that is still in the match, in turn order; with two seats the enemy.
    ///
    /// ```rhai
    /// for seat in view.seats { print(`after ${seat.name} comes ${seat.next.name}`); }
    /// ```
    #[rhai_fn(get = "next", pure, return_raw)]
    pub fn next(seat: &mut Seat) -> Answer<Seat> {
        seat.stage
            .read(|state| Ok(convert::seat(&seat.stage, super::following(state, seat.id))))
    }

    /// How many of its pieces are in play, on the board or off it.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.pieces_in_play); }
    /// ```
    #[rhai_fn(get = "pieces_in_play", pure, return_raw)]
    pub fn pieces_in_play(seat: &mut Seat) -> Answer<INT> {
        seat.stage
            .read(|state| Ok(INT::try_from(state.in_play(seat.id)).unwrap_or(INT::MAX)))
    }

    /// The cells with a piece of its own.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.count); }
    /// ```
    #[rhai_fn(get = "cells", pure, return_raw)]
    pub fn cells(seat: &mut Seat) -> Answer<Cells> {
        seat.stage.read(|state| {
            let owned = state
                .owned_by(seat.id)
                .cloned()
                .unwrap_or_else(|| CellSet::empty(state.board().cell_count()));
            Ok(convert::cells(&seat.stage, owned))
        })
    }

    /// Whether it is out of the match.
    ///
    /// ```rhai
    /// let left = view.seats.count(|seat| !seat.is_out);
    /// ```
    #[rhai_fn(get = "is_out", pure, return_raw)]
    pub fn is_out(seat: &mut Seat) -> Answer<bool> {
        seat.stage.read(|state| Ok(state.eliminated().contains(seat.id)))
    }

    /// Whether two seats are the same one.
    #[rhai_fn(name = "==", pure)]
    pub fn equals(a: &mut Seat, b: Seat) -> bool {
        *a == b
    }

    /// Whether two seats are different ones.
    #[rhai_fn(name = "!=", pure)]
    pub fn differs(a: &mut Seat, b: Seat) -> bool {
        *a != b
    }

    /// A declared property, read by its name: `seat.gold`.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn property(seat: &mut Seat, name: &str) -> Answer<Dynamic> {
        convert::get_property(&seat.stage, Target::Seat(seat.id), Scope::Seat, name)
    }

    /// Sets a declared property by its name: `seat.gold += 5`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(seat: &mut Seat, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&seat.stage, Target::Seat(seat.id), Scope::Seat, name, &value)
    }
}

#[export_module]
pub(super) mod sets {
    use rhai::{Dynamic, INT};

    use super::super::super::value::{Answer, wrong};
    use super::super::convert;
    use super::super::handles::{Cell, Cells};
    use crate::model::{CellId, CellSet};

    /// How many cells are in the set.
    ///
    /// ```rhai
    /// let free = view.empty.count;
    /// ```
    #[rhai_fn(get = "count", pure)]
    pub fn count(cells: &mut Cells) -> INT {
        INT::try_from(cells.set.count()).unwrap_or(INT::MAX)
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
        convert::or_unit(cells.set.first().map(|id| convert::cell(&cells.stage, id)))
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
    #[rhai_fn(name = "|", pure)]
    pub fn union(a: &mut Cells, b: Cells) -> Cells {
        convert::cells(&a.stage, a.set.union(&b.set))
    }

    /// The cells in both sets.
    ///
    /// ```rhai
    /// let none = view.empty & view.occupied;
    /// ```
    #[rhai_fn(name = "&", pure)]
    pub fn intersection(a: &mut Cells, b: Cells) -> Cells {
        convert::cells(&a.stage, a.set.intersection(&b.set))
    }

    /// The cells in the first set and not in the second.
    ///
    /// ```rhai
    /// let free = view.cells - view.occupied;
    /// ```
    #[rhai_fn(name = "-", pure)]
    pub fn difference(a: &mut Cells, b: Cells) -> Cells {
        convert::cells(&a.stage, a.set.difference(&b.set))
    }

    /// The set without one cell.
    ///
    /// ```rhai
    /// let others = view.empty - view.cell("a1");
    /// ```
    #[rhai_fn(name = "-", pure)]
    pub fn without(cells: &mut Cells, cell: Cell) -> Cells {
        let mut set = cells.set.clone();
        set.remove(cell.id);
        convert::cells(&cells.stage, set)
    }

    /// The cells next to one of the set, in it or not.
    ///
    /// ```rhai
    /// let joined = view.occupied & view.occupied.neighbours;
    /// ```
    #[rhai_fn(get = "neighbours", pure, return_raw)]
    pub fn neighbours(cells: &mut Cells) -> Answer<Cells> {
        cells.stage.read(|state| {
            let mut found = CellSet::empty(state.board().cell_count());
            for cell in &cells.set {
                found = found.union(&state.board().neighbour_set(cell));
            }
            Ok(convert::cells(&cells.stage, found))
        })
    }

    /// The cells of the set with a piece on them whose property is so great or greater.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.at_least("strength", 2).count); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn at_least(cells: &mut Cells, property: &str, least: INT) -> Answer<Cells> {
        cells.stage.read(|state| {
            let numbers = super::Numbers::of(state, property)?;
            let reaches = |cell: &CellId| state.pieces_at(*cell).iter().any(|piece| numbers.of_piece(*piece) >= least);
            let found = cells.set.iter().filter(reaches);
            Ok(convert::cells(&cells.stage, CellSet::from_cells(state.board().cell_count(), found)))
        })
    }

    /// A property of all pieces on the cells of the set, added up.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.sum("strength")); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn sum(cells: &mut Cells, property: &str) -> Answer<INT> {
        cells.stage.read(|state| {
            let numbers = super::Numbers::of(state, property)?;
            let pieces = cells.set.iter().flat_map(|cell| state.pieces_at(cell));
            Ok(pieces.fold(0, |sum: INT, piece| sum.saturating_add(numbers.of_piece(*piece))))
        })
    }

    /// Whether two sets hold the same cells.
    #[rhai_fn(name = "==", pure)]
    pub fn equals(a: &mut Cells, b: Cells) -> bool {
        *a == b
    }

    /// Whether all cells of the first set are in the second.
    ///
    /// ```rhai
    /// let is_held = view.region("centre").is_within(view.occupied);
    /// ```
    #[rhai_fn(pure)]
    pub fn is_within(a: &mut Cells, b: Cells) -> bool {
        a.set.is_subset(&b.set)
    }

    /// The set moved one cell in a direction of the map; what leaves the board is lost. Fails if there is no such direction.
    ///
    /// ```rhai
    /// let above = view.occupied.shift("n");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn shift(cells: &mut Cells, direction: &str) -> Answer<Cells> {
        cells.stage.read(|state| {
            let board = state.board();
            let direction = board
                .find_direction(direction)
                .ok_or_else(|| wrong(format!("there is no direction {direction:?}")))?;
            Ok(convert::cells(&cells.stage, board.shift(&cells.set, direction)))
        })
    }

    /// The set and all cells up to so many steps away.
    ///
    /// ```rhai
    /// let near = view.occupied.dilate(1) - view.occupied;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn dilate(cells: &mut Cells, steps: INT) -> Answer<Cells> {
        let steps = u32::try_from(steps.clamp(0, 100_000)).unwrap_or(0);
        cells
            .stage
            .read(|state| Ok(convert::cells(&cells.stage, state.board().dilate(&cells.set, steps))))
    }

    /// All cells that can be reached from the set without leaving another.
    ///
    /// ```rhai
    /// let room = view.empty.flood(view.empty);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn flood(cells: &mut Cells, within: Cells) -> Answer<Cells> {
        cells
            .stage
            .read(|state| Ok(convert::cells(&cells.stage, state.board().flood(&cells.set, &within.set))))
    }

    /// Whether the set has so many cells in a row in some direction.
    ///
    /// ```rhai
    /// for seat in view.seats { if seat.cells.has_row(3) { print(seat.name); } }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn has_row(cells: &mut Cells, length: INT) -> Answer<bool> {
        cells.stage.read(|state| {
            let board = state.board();
            let is_long = |direction| {
                let mut row = cells.set.clone();
                (1..length.clamp(1, 100_000)).all(|_| {
                    row = board.shift(&row, direction).intersection(&cells.set);
                    !row.is_empty()
                })
            };
            Ok(!cells.set.is_empty() && board.directions().any(is_long))
        })
    }
}

#[export_module]
pub(super) mod named_values {
    use rhai::Dynamic;

    use super::super::super::value::{Answer, wrong};
    use super::super::convert;
    use super::super::handles::{Options, Question};

    /// An option of the match, read by its name: `options.must_take`. Fails if it is not declared.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn option(options: &mut Options, name: &str) -> Answer<Dynamic> {
        options.stage.read(|state| {
            let value = state.option(name).ok_or_else(|| wrong(format!("there is no option {name:?}")))?;
            Ok(convert::to_script(&options.stage, state, value))
        })
    }

    /// What was passed to `ask` under a name. Fails if nothing was.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn about(question: &mut Question, name: &str) -> Answer<Dynamic> {
        question.stage.read(|state| {
            let data = state.sequence().decision().map_or(&[][..], |decision| &decision.data);
            let value = data.iter().find(|(known, _)| &**known == name).map(|(_, value)| value);
            let value = value.ok_or_else(|| wrong(format!("the question says nothing about {name:?}")))?;
            Ok(convert::to_script(&question.stage, state, value))
        })
    }
}
