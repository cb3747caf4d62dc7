//! Words for looking at a match: on views and on turns alike.

use rhai::plugin::*;
use rhai::{Array, INT, NativeCallContext};

use super::super::meter::pay;
use super::super::texts::count;
use super::super::value::Answer;
use super::convert::found;
use super::handles::{Piece, View};
use boardwright_model::{Board, CellId, CellSet, PieceId, RegionId, SeatId, State, TerrainId, Zone};

/// A named region of the map.
pub(super) fn find_region(state: &State, name: &str) -> Answer<RegionId> {
    let board = state.board();
    let names = (0..board.region_count()).map(|index| board.region_name(RegionId::from_index(index)));
    found(board.find_region(name), "region", name, names)
}

/// A declared terrain.
pub(super) fn find_terrain(state: &State, name: &str) -> Answer<TerrainId> {
    let declared = state.declarations();
    let names = declared.terrains.iter().map(|terrain| &*terrain.name);
    found(declared.find_terrain(name), "terrain", name, names)
}

/// The names of the declared zones.
pub(super) fn zone_names(state: &State) -> impl Iterator<Item = &str> {
    state.declarations().zones.iter().map(|zone| &*zone.name)
}

/// Reads a zone: a common one, or that of a seat.
fn read_zone<R>(view: &View, name: &str, owner: Option<SeatId>, read: impl FnOnce(&Zone) -> R) -> Answer<R> {
    view.context.read(|state| {
        let zone = state.declarations().find_zone(name, owner).and_then(|zone| state.zone(zone));
        found(zone, "zone", name, zone_names(state)).map(read)
    })
}

fn zone_pieces(context: &NativeCallContext<'_>, view: &View, name: &str, owner: Option<SeatId>) -> Answer<Array> {
    let piece = |id: &PieceId| Dynamic::from(Piece::new(&view.context, *id));
    read_zone(view, name, owner, |zone| {
        pay(context, zone.pieces().len() / 2)?;
        Ok(zone.pieces().iter().map(piece).collect())
    })?
}

fn zone_size(view: &View, name: &str, owner: Option<SeatId>) -> Answer<INT> {
    read_zone(view, name, owner, |zone| count(zone.count()))
}

/// The sum of the distances from a cell to each of a set.
pub(crate) fn sum_of_distances(board: &Board, from: CellId, to: &CellSet) -> INT {
    let distances = to.iter().filter_map(|to| board.distance(from, to));
    distances.fold(0, |sum: INT, distance| sum.saturating_add(INT::from(distance)))
}

/// Whether a piece that goes to a cell takes back what its seat did in its last turn.
pub(crate) fn goes_back(state: &State, piece: PieceId, to: Option<CellId>) -> bool {
    let found = state.piece(piece);
    let found = found.and_then(|piece| state.last_displacement(piece.owner?).zip(piece.place.cell()));
    found.is_some_and(|(displacement, cell)| displacement.piece == piece && displacement.to == cell && Some(displacement.from) == to)
}

#[export_module]
pub(super) mod views {
    use rhai::{Array, Dynamic, INT, ImmutableString, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::value::{Answer, wrong};
    use super::super::cell_sets::by_word;
    use super::super::convert::{self, cell_id, or_unit};
    use super::super::handles::{Cell, Cells, Options, Piece, Question, Seat, View};
    use super::{find_region, goes_back, sum_of_distances};
    use boardwright_model::{CellId, CellSet, PieceId, RegionId, Scope, Target};

    /// The seat that looks, or that acts; `()` for spectators.
    ///
    /// ```rhai
    /// if view.seat == () { return; }
    /// ```
    #[rhai_fn(get = "seat", pure)]
    pub fn seat(view: &mut View) -> Dynamic {
        or_unit(view.context.seat().map(|id| Seat::new(&view.context, id)))
    }

    /// All seats, in turn order.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.name); }
    /// ```
    #[rhai_fn(get = "seats", pure, return_raw)]
    pub fn seats(view: &mut View) -> Answer<Array> {
        view.context.read(|state| {
            let seats = state.declarations().all_seats();
            let seats = seats.iter().map(|id| Seat::new(&view.context, id));
            Ok(seats.map(Dynamic::from).collect())
        })
    }

    /// The seat with a declared name. Fails if there is none.
    ///
    /// ```rhai
    /// let attacker = view.seat_named("red");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn seat_named(view: &mut View, name: &str) -> Answer<Seat> {
        let seat = view.context.read(|state| {
            let declared = state.declarations();
            let names = declared.seats.iter().map(|seat| &*seat.name);
            convert::found(declared.find_seat(name), "seat", name, names)
        })?;
        Ok(Seat::new(&view.context, seat))
    }

    /// The seats that are still in the match, in turn order.
    ///
    /// ```rhai
    /// let is_last = view.seats_left.len == 1;
    /// ```
    #[rhai_fn(get = "seats_left", pure, return_raw)]
    pub fn seats_left(view: &mut View) -> Answer<Array> {
        view.context.read(|state| {
            let seats = state.declarations().all_seats();
            let left = seats.iter().filter(|seat| !state.eliminated().contains(*seat));
            Ok(left.map(|id| Dynamic::from(Seat::new(&view.context, id))).collect())
        })
    }

    /// The seat whose turn it is, or `()`.
    ///
    /// ```rhai
    /// let mine = view.turn_of == view.seat;
    /// ```
    #[rhai_fn(get = "turn_of", pure, return_raw)]
    pub fn turn_of(view: &mut View) -> Answer<Dynamic> {
        let seat = view.context.read(|state| Ok(state.sequence().mark.seat))?;
        Ok(or_unit(seat.map(|id| Seat::new(&view.context, id))))
    }

    /// The round, from 1.
    ///
    /// ```rhai
    /// let early = view.round < 3;
    /// ```
    #[rhai_fn(get = "round", pure, return_raw)]
    pub fn round(view: &mut View) -> Answer<INT> {
        view.context.read(|state| Ok(INT::from(state.sequence().mark.round)))
    }

    /// The turn, from 1, counted through the whole match.
    ///
    /// ```rhai
    /// let first = view.turn_number == 1;
    /// ```
    #[rhai_fn(get = "turn_number", pure, return_raw)]
    pub fn turn_number(view: &mut View) -> Answer<INT> {
        view.context.read(|state| Ok(INT::from(state.sequence().mark.turn)))
    }

    /// The name of the turn of the round: what is played in it. Where no turns are declared, the name of the seat whose turn it is.
    ///
    /// ```rhai
    /// let colour = view.turn_name;
    /// ```
    #[rhai_fn(get = "turn_name", pure, return_raw)]
    pub fn turn_name(view: &mut View) -> Answer<ImmutableString> {
        view.context.read(|state| {
            let mark = state.sequence().mark;
            let seat = mark.seat.and_then(|seat| state.declarations().seats.get(seat.index()));
            let turn = state.declarations().turn(mark.place).map(|turn| &turn.name);
            Ok(turn.or(seat.map(|seat| &seat.name)).map_or("", |name| &**name).into())
        })
    }

    /// The names of the declared turns of a round, in order; of those only that still come, if others have dropped out.
    ///
    /// ```rhai
    /// for name in view.turns_left { print(name); }
    /// ```
    #[rhai_fn(get = "turns_left", pure, return_raw)]
    pub fn turns_left(view: &mut View) -> Answer<Array> {
        view.context.read(|state| {
            let closed = state.sequence().mark.closed;
            let turns = state.declarations().turns.iter().zip(0u8..);
            let left = turns.filter(|(_, place)| !closed.contains(*place));
            Ok(left.map(|(turn, _)| ImmutableString::from(&*turn.name).into()).collect())
        })
    }

    /// The name of the phase.
    ///
    /// ```rhai
    /// let name = view.phase;
    /// ```
    #[rhai_fn(get = "phase", pure, return_raw)]
    pub fn phase(view: &mut View) -> Answer<ImmutableString> {
        view.context.read(|state| {
            let phase = state.declarations().phases.get(state.sequence().phase.index());
            Ok(phase.map_or("", |phase| &*phase.name).into())
        })
    }

    /// The options of the match, each read by its name.
    ///
    /// ```rhai
    /// let compulsory = view.options.must_take;
    /// ```
    #[rhai_fn(get = "options", pure)]
    pub fn options(view: &mut View) -> Options {
        Options::new(&view.context)
    }

    /// What the open question is about, each item read by its name; `()` if none is open.
    ///
    /// ```rhai
    /// if view.question != () { print("a question is open"); }
    /// ```
    #[rhai_fn(get = "question", pure, return_raw)]
    pub fn question(view: &mut View) -> Answer<Dynamic> {
        let is_open = view.context.read(|state| Ok(state.sequence().decision().is_some()))?;
        Ok(or_unit(is_open.then(|| Question::new(&view.context))))
    }

    /// How many times the position at the beginning of this turn has stood, counting now; 0 unless `counts_positions` is
    /// declared.
    ///
    /// ```rhai
    /// let again = view.times_stood > 1;
    /// ```
    #[rhai_fn(get = "times_stood", pure, return_raw)]
    pub fn times_stood(view: &mut View) -> Answer<INT> {
        view.context.read(|state| Ok(INT::from(state.times_stood())))
    }

    /// All cells.
    ///
    /// ```rhai
    /// let size = view.cells.count;
    /// ```
    #[rhai_fn(get = "cells", pure, return_raw)]
    pub fn cells(context: NativeCallContext<'_>, view: &mut View) -> Answer<Cells> {
        pay(&context, view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&view.context, |state| state.board().all().clone())
    }

    /// The cells without a piece.
    ///
    /// ```rhai
    /// let free = view.empty.count;
    /// ```
    #[rhai_fn(get = "empty", pure, return_raw)]
    pub fn empty(context: NativeCallContext<'_>, view: &mut View) -> Answer<Cells> {
        pay(&context, view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&view.context, |state| state.board().all().difference(state.occupied()))
    }

    /// The cells with a piece.
    ///
    /// ```rhai
    /// let taken = view.occupied.count;
    /// ```
    #[rhai_fn(get = "occupied", pure, return_raw)]
    pub fn occupied(context: NativeCallContext<'_>, view: &mut View) -> Answer<Cells> {
        pay(&context, view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&view.context, |state| state.occupied().clone())
    }

    /// The cells with a piece whose declared property has a value.
    ///
    /// ```rhai
    /// let strong = view.cells_where("strength", 2);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn cells_where(context: NativeCallContext<'_>, view: &mut View, property: &str, value: Dynamic) -> Answer<Cells> {
        let (property, value) = convert::wanted(&view.context, Scope::Piece, property, &value)?;
        let count = view.context.read(|state| Ok(state.pieces().count()))?;
        pay(&context, count / 8)?;
        Cells::find(&view.context, |state| state.cells_having(property, &value))
    }

    /// The cells of a named region of the map. Fails if the map has no such region.
    ///
    /// ```rhai
    /// let held = view.region("centre") & view.occupied;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn region(context: NativeCallContext<'_>, view: &mut View, name: &str) -> Answer<Cells> {
        view.context.read(|state| {
            pay(&context, by_word(state.occupied()) + state.board().region_count() / 8)?;
            let region = find_region(state, name)?;
            Ok(Cells::new(&view.context, state.board().region(region).clone()))
        })
    }

    /// The names of the regions of the map, in its order.
    ///
    /// ```rhai
    /// for name in view.regions { print(`${name}: ${view.region(name).count}`); }
    /// ```
    #[rhai_fn(get = "regions", pure, return_raw)]
    pub fn regions(context: NativeCallContext<'_>, view: &mut View) -> Answer<Array> {
        view.context.read(|state| {
            let board = state.board();
            pay(&context, board.region_count() / 2)?;
            let names = (0..board.region_count()).map(|region| board.region_name(RegionId::from_index(region)));
            Ok(names.map(|name| ImmutableString::from(name).into()).collect())
        })
    }

    /// The cells of a terrain, as it is now. Fails if no such terrain is declared.
    ///
    /// ```rhai
    /// let coast = view.terrain("land") & view.terrain("water").neighbours;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn terrain(context: NativeCallContext<'_>, view: &mut View, name: &str) -> Answer<Cells> {
        view.context.read(|state| {
            let wanted = find_terrain(state, name)?;
            pay(&context, state.board().cell_count() / 64)?;
            Ok(Cells::new(&view.context, state.cells_of_terrain(wanted)))
        })
    }

    /// The cells in sight of the seat that looks: those for which `is_visible` holds.
    ///
    /// ```rhai
    /// let watched = view.visible_cells.count;
    /// ```
    #[rhai_fn(get = "visible_cells", pure, return_raw)]
    pub fn visible_cells(context: NativeCallContext<'_>, view: &mut View) -> Answer<Cells> {
        pay(&context, view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&view.context, |state| {
            state.visible_cells().unwrap_or_else(|| state.board().all()).clone()
        })
    }

    /// The cells that the seat that looks has ever seen: those for which `is_explored` holds.
    ///
    /// ```rhai
    /// let known = view.reach(view.cell("a1"), #{ points: 5, blocked: view.cells - view.explored_cells });
    /// ```
    #[rhai_fn(get = "explored_cells", pure, return_raw)]
    pub fn explored_cells(context: NativeCallContext<'_>, view: &mut View) -> Answer<Cells> {
        pay(&context, view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&view.context, |state| {
            state.explored_cells().unwrap_or_else(|| state.board().all()).clone()
        })
    }

    /// A set without any cell.
    ///
    /// ```rhai
    /// let found = view.no_cells;
    /// for cell in view.cells { if cell.elevation > 1 { found |= cell; } }
    /// ```
    #[rhai_fn(get = "no_cells", pure, return_raw)]
    pub fn no_cells(context: NativeCallContext<'_>, view: &mut View) -> Answer<Cells> {
        pay(&context, view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&view.context, |state| CellSet::empty(state.board().cell_count()))
    }

    /// The cells in a list of cells.
    ///
    /// ```rhai
    /// let pair = view.set_of([view.cell("a1"), view.cell("b1")]);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn set_of(context: NativeCallContext<'_>, view: &mut View, list: Array) -> Answer<Cells> {
        pay(&context, list.len() / 8 + view.context.read(|state| Ok(by_word(state.occupied())))?)?;
        let cell = |item: &Dynamic| {
            let found = item.read_lock::<Cell>().map(|cell| cell.id);
            found.ok_or_else(|| wrong(format!("`set_of` takes a list of cells; {} is in it", item.type_name())))
        };
        let ids: Vec<CellId> = list.iter().map(cell).collect::<Answer<_>>()?;
        view.context
            .read(|state| Ok(Cells::new(&view.context, CellSet::from_cells(state.board().cell_count(), ids))))
    }

    /// The cell of a name. Fails if the map has no such cell.
    ///
    /// ```rhai
    /// let corner = view.cell("a1");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn cell(view: &mut View, name: &str) -> Answer<Cell> {
        let id = view.context.read(|state| Ok(state.board().find_cell(name)))?;
        let id = id.ok_or_else(|| wrong(format!("the map has no cell {name:?}")))?;
        Ok(Cell::new(&view.context, id))
    }

    /// The cell in a column and a row of a grid, both from 0; `()` where there is none.
    ///
    /// ```rhai
    /// let centre = view.cell_at(1, 1);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn cell_at(view: &mut View, column: INT, row: INT) -> Answer<Dynamic> {
        let small = |number: INT| i32::try_from(number).unwrap_or(-1);
        let id = view.context.read(|state| Ok(state.board().cell_at(small(column), small(row))))?;
        Ok(or_unit(id.map(|id| Cell::new(&view.context, id))))
    }

    /// The piece on a cell, the oldest one if there are several; `()` if there is none.
    ///
    /// ```rhai
    /// let piece = view.piece_at(view.cell("a1"));
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn piece_at(view: &mut View, cell: Cell) -> Answer<Dynamic> {
        let id = view.context.read(|state| Ok(state.piece_at(cell.id).map(|piece| piece.id)))?;
        Ok(or_unit(id.map(|id| Piece::new(&view.context, id))))
    }

    /// The pieces on a cell, oldest first.
    ///
    /// ```rhai
    /// let stack = view.pieces_at(view.cell("a1")).len();
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn pieces_at(context: NativeCallContext<'_>, view: &mut View, cell: Cell) -> Answer<Array> {
        let piece = |id: &PieceId| Dynamic::from(Piece::new(&view.context, *id));
        view.context.read(|state| {
            let pieces = state.pieces_at(cell.id);
            pay(&context, pieces.len() / 2)?;
            Ok(pieces.iter().map(piece).collect())
        })
    }

    /// The pieces in play, oldest first.
    ///
    /// ```rhai
    /// let all = view.pieces.len();
    /// ```
    #[rhai_fn(get = "pieces", pure, return_raw)]
    pub fn pieces(context: NativeCallContext<'_>, view: &mut View) -> Answer<Array> {
        view.context.read(|state| {
            pay(&context, state.pieces().count() / 2)?;
            let in_play = state.pieces().filter(|piece| !piece.place.is_off());
            let in_play = in_play.map(|piece| Piece::new(&view.context, piece.id));
            Ok(in_play.map(Dynamic::from).collect())
        })
    }

    /// The pieces of a seat in play, oldest first.
    ///
    /// ```rhai
    /// for seat in view.seats { print(view.pieces_of(seat).len()); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn pieces_of(context: NativeCallContext<'_>, view: &mut View, seat: Seat) -> Answer<Array> {
        view.context.read(|state| {
            pay(&context, state.pieces().count() / 4)?;
            let own = state.pieces().filter(|piece| !piece.place.is_off() && piece.owner == Some(seat.id));
            Ok(own.map(|piece| Dynamic::from(Piece::new(&view.context, piece.id))).collect())
        })
    }

    /// The pieces in a zone that are seen, in order: of a common zone.
    ///
    /// ```rhai
    /// let left = view.zone("deck").len();
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn zone(context: NativeCallContext<'_>, view: &mut View, name: &str) -> Answer<Array> {
        super::zone_pieces(&context, view, name, None)
    }

    /// The pieces in a zone that are seen, in order: of the zone of a seat.
    ///
    /// ```rhai
    /// for seat in view.seats { print(view.zone("hand", seat).len()); }
    /// ```
    #[rhai_fn(name = "zone", pure, return_raw)]
    pub fn zone_of(context: NativeCallContext<'_>, view: &mut View, name: &str, seat: Seat) -> Answer<Array> {
        super::zone_pieces(&context, view, name, Some(seat.id))
    }

    /// How many pieces a common zone holds, seen or not.
    ///
    /// ```rhai
    /// let left = view.zone_count("deck");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn zone_count(view: &mut View, name: &str) -> Answer<INT> {
        super::zone_size(view, name, None)
    }

    /// How many pieces the zone of a seat holds, seen or not.
    ///
    /// ```rhai
    /// for seat in view.seats { print(view.zone_count("hand", seat)); }
    /// ```
    #[rhai_fn(name = "zone_count", pure, return_raw)]
    pub fn zone_count_of(view: &mut View, name: &str, seat: Seat) -> Answer<INT> {
        super::zone_size(view, name, Some(seat.id))
    }

    /// How many steps there are from one cell to another; `()` if there is no way.
    ///
    /// ```rhai
    /// let far = view.distance(view.cell("a1"), view.cell("c3"));
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn distance(context: NativeCallContext<'_>, view: &mut View, from: Cell, to: Cell) -> Answer<Dynamic> {
        let steps = view.context.read(|state| {
            if !state.board().has_distances() {
                pay(&context, state.board().cell_count() / 4)?;
            }
            Ok(state.board().distance(from.id, to.id))
        })?;
        Ok(or_unit(steps.map(INT::from)))
    }

    /// The sum of the distances from each cell of one set to each of another. For averages that judge how near two sides are.
    ///
    /// ```rhai
    /// let sum = view.distances(view.occupied, view.empty);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn distances(context: NativeCallContext<'_>, view: &mut View, from: Cells, to: Cells) -> Answer<INT> {
        view.context.read(|state| {
            let board = state.board();
            let mut total: INT = 0;
            for a in &from.set {
                pay(&context, to.set.count() / 8)?;
                if !board.has_distances() {
                    to.set.iter().try_for_each(|_| pay(&context, board.cell_count() / 4))?;
                }
                total = total.saturating_add(sum_of_distances(board, a, &to.set));
            }
            Ok(total)
        })
    }

    /// Whether moving a piece along a path takes back what the seat did in its last turn: the same piece goes back to where it came
    /// from. Always false unless `counts_positions` is declared.
    ///
    /// ```rhai
    /// fn prior(view, picked) { if view.takes_back(picked.piece, picked.path) { -1000 } else { 0 } }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn takes_back(context: NativeCallContext<'_>, view: &mut View, piece: Piece, path: Dynamic) -> Answer<bool> {
        let path = convert::list_items(&path);
        pay(&context, path.as_ref().map_or(0, Vec::len) / 8)?;
        let last = path.and_then(|path| cell_id(path.last()?));
        view.context.read(|state| Ok(goes_back(state, piece.id, last)))
    }

    /// A match property, read by its name: `view.quiet`. Fails if it is not declared.
    ///
    /// ```rhai
    /// let is_last = view.rounds_left == 0;
    /// ```
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn property(view: &mut View, name: &str) -> Answer<Dynamic> {
        convert::get_property(&view.context, Target::Match, Scope::Match, name)
    }
}
