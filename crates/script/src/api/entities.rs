//! Words for pieces, cells, seats, options and questions.

use rhai::plugin::*;
use rhai::{Engine, Variant};

use super::super::value::{Answer, wrong, wrong_with};
use super::handles::{Cell, PatternSeat, PatternTurnName, Piece, Seat};
use boardwright_model::{SeatId, State};

fn read_piece<R>(piece: &Piece, read: impl FnOnce(&State, &boardwright_model::Piece) -> R) -> Answer<R> {
    piece.context.read(|state| match state.piece(piece.id) {
        Some(found) => Ok(read(state, found)),
        None => Err(wrong(format!("piece {} is not there, or not seen", piece.id.0))),
    })
}

pub(crate) fn following(state: &State, seat: SeatId) -> SeatId {
    let count = state.declarations().seats.len().max(1);
    let mut order = (1..=count).map(|offset| SeatId::from_index((seat.index() + offset) % count));
    order.find(|other| !state.eliminated().contains(*other)).unwrap_or(seat)
}

/// Refuses to compare seats, pieces and cells with texts, which would silently be unequal to all of them.
pub(super) fn register_comparisons_with_texts(engine: &mut Engine) {
    let (seat, piece, cell) = ("seat.name == \"red\"", "piece.kind == \"scout\"", "cell.name == \"a1\"");
    let compare = |example| format!("compare a text with a text, for example `{example}`");
    refuse_texts::<Seat>(engine, "a seat", compare(seat));
    refuse_texts::<Piece>(engine, "a piece", compare(piece));
    refuse_texts::<Cell>(engine, "a cell", compare(cell));
    let cure = "say of a motion or a drop whose it is, for example `step().owned_by(\"red\")`";
    refuse_texts::<PatternSeat>(
        engine,
        "the seat of a pattern, which is declared once for all seats,",
        cure.to_owned(),
    );
    let cure = "give `view.turn_name` to words that take a name, for example `view.region(view.turn_name)`";
    refuse_texts::<PatternTurnName>(
        engine,
        "the turn of a pattern, which is declared once for all turns,",
        cure.to_owned(),
    );
}

fn refuse_texts<T: Variant + Clone>(engine: &mut Engine, what: &'static str, cure: String) {
    let refuse = move |text: &str| -> Answer<bool> {
        let message = format!("{what} is never equal to a text, such as {text:?}");
        Err(wrong_with(message, Some(cure.clone())))
    };
    for operator in ["==", "!="] {
        let (first, second) = (refuse.clone(), refuse.clone());
        engine.register_fn(operator, move |_: T, text: &str| first(text));
        engine.register_fn(operator, move |text: &str, _: T| second(text));
    }
}

#[export_module]
pub(super) mod pieces {
    use rhai::{Array, Dynamic, INT, ImmutableString, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::value::{Answer, wrong};
    use super::super::cell_sets::by_word;
    use super::super::convert::{self, or_unit};
    use super::super::handles::{Cell, Cells, Piece, Seat, Shape};
    use super::read_piece;
    use boardwright_model::{CellSet, Place, Pose, Scope, Target};

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
        read_piece(piece, |state, found| {
            let kind = state.declarations().kind(found.kind);
            kind.map_or("", |kind| &kind.name).into()
        })
    }

    /// The seat it belongs to, or `()`.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.owner == view.seat { print("mine"); } }
    /// ```
    #[rhai_fn(get = "owner", pure, return_raw)]
    pub fn owner(piece: &mut Piece) -> Answer<Dynamic> {
        let owner = read_piece(piece, |_, found| found.owner)?;
        Ok(or_unit(owner.map(|id| Seat::new(&piece.context, id))))
    }

    /// The cell it is on, or `()`. Of a piece that lies on several the first one, row by row.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.cell != () { print(piece.cell.name); } }
    /// ```
    #[rhai_fn(get = "cell", pure, return_raw)]
    pub fn cell(piece: &mut Piece) -> Answer<Dynamic> {
        let cell = read_piece(piece, |_, found| found.place.cell())?;
        Ok(or_unit(cell.map(|id| Cell::new(&piece.context, id))))
    }

    /// The cells it covers: the one it is on, or all on which it lies.
    ///
    /// ```rhai
    /// for piece in view.pieces { print(piece.cells.count); }
    /// ```
    #[rhai_fn(get = "cells", pure, return_raw)]
    pub fn cells(context: NativeCallContext<'_>, piece: &mut Piece) -> Answer<Cells> {
        pay(&context, piece.context.read(|state| Ok(by_word(state.occupied())))?)?;
        read_piece(piece, |state, found| {
            let cells = CellSet::from_cells(state.board().cell_count(), state.cells_of(found));
            Cells::new(&piece.context, cells)
        })
    }

    /// The side of its cell that it is on, as a direction of the map such as `"ne"`; `()` if it is not on a side.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.side != () { print(`${piece.cell.name}, ${piece.side}`); } }
    /// ```
    #[rhai_fn(get = "side", pure, return_raw)]
    pub fn side(piece: &mut Piece) -> Answer<Dynamic> {
        read_piece(piece, |state, found| match found.place {
            Place::Side(_, direction) => ImmutableString::from(state.board().direction_name(direction)).into(),
            _ => Dynamic::UNIT,
        })
    }

    /// The piece that carries it, or `()`.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.carrier != () { print(`in ${piece.carrier.kind}`); } }
    /// ```
    #[rhai_fn(get = "carrier", pure, return_raw)]
    pub fn carrier(piece: &mut Piece) -> Answer<Dynamic> {
        read_piece(piece, |_, found| match found.place {
            Place::Aboard(carrier) => Dynamic::from(Piece::new(&piece.context, carrier)),
            _ => Dynamic::UNIT,
        })
    }

    /// The pieces that it carries, in the order of their numbers.
    ///
    /// ```rhai
    /// for piece in view.pieces { print(piece.cargo.len); }
    /// ```
    #[rhai_fn(get = "cargo", pure, return_raw)]
    pub fn cargo(context: NativeCallContext<'_>, piece: &mut Piece) -> Answer<Array> {
        piece.context.read(|state| {
            pay(&context, state.next_piece().index() / 16)?;
            let carried = state.pieces().filter(|other| other.place == Place::Aboard(piece.id));
            Ok(carried.map(|other| Dynamic::from(Piece::new(&piece.context, other.id))).collect())
        })
    }

    /// How it lies, if it does: the degrees it is turned by, with an `m` before them if it is mirrored; else `()`.
    ///
    /// ```rhai
    /// for piece in view.pieces { if piece.pose != () { print(piece.pose); } }
    /// ```
    #[rhai_fn(get = "pose", pure, return_raw)]
    pub fn pose(piece: &mut Piece) -> Answer<Dynamic> {
        read_piece(piece, |_, found| match found.place {
            Place::Posed(_, pose) => ImmutableString::from(pose.word()).into(),
            _ => Dynamic::UNIT,
        })
    }

    /// The poses in which it looks different: of a piece without a shape none.
    ///
    /// ```rhai
    /// for piece in view.zone("reserve", view.seat) { print(piece.poses.len()); }
    /// ```
    #[rhai_fn(get = "poses", pure, return_raw)]
    pub fn poses(piece: &mut Piece) -> Answer<Array> {
        read_piece(piece, |state, found| {
            let figure = state.declarations().kind(found.kind).and_then(|kind| kind.figure.clone());
            let word = |pose: Pose| ImmutableString::from(pose.word()).into();
            figure.map_or_else(Array::new, |figure| figure.poses().map(word).collect())
        })
    }

    /// Its shape as it lies in a pose. Fails if it has none, or if that is no pose.
    ///
    /// ```rhai
    /// for piece in view.zone("reserve", view.seat) { print(piece.shape_in("90").count); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn shape_in(piece: &mut Piece, pose: &str) -> Answer<Shape> {
        let pose = convert::pose(pose)?;
        let shape = read_piece(piece, |state, found| {
            let figure = state.declarations().kind(found.kind).and_then(|kind| kind.figure.clone());
            figure.map(|figure| figure.lying(pose).clone())
        })?;
        let shape = shape.ok_or_else(|| wrong("this piece has no shape"))?;
        Ok(Shape::new(&piece.context, shape))
    }

    /// Whether it is out of play.
    ///
    /// ```rhai
    /// let in_play = view.pieces.filter(|piece| !piece.is_off).len;
    /// ```
    #[rhai_fn(get = "is_off", pure, return_raw)]
    pub fn is_off(piece: &mut Piece) -> Answer<bool> {
        read_piece(piece, |_, found| found.place.is_off())
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
        convert::get_property(&piece.context, Target::Piece(piece.id), Scope::Piece, name)
    }

    /// Sets a declared property by its name: `piece.strength -= 1`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(piece: &mut Piece, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&piece.context, Target::Piece(piece.id), Scope::Piece, name, &value)
    }
}

#[export_module]
pub(super) mod cells_of_board {
    use rhai::{Array, Dynamic, INT, ImmutableString, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::value::Answer;
    use super::super::cell_sets::by_word;
    use super::super::convert::{self, found_direction, or_unit};
    use super::super::handles::{Cell, Cells, Edge};
    use boardwright_model::{CellSet, CellSight, RegionId, Scope, Target};

    /// The name of the cell.
    ///
    /// ```rhai
    /// for cell in view.empty { print(cell.name); }
    /// ```
    #[rhai_fn(get = "name", pure, return_raw)]
    pub fn name(cell: &mut Cell) -> Answer<ImmutableString> {
        cell.context.read(|state| Ok(state.board().cell_name(cell.id).into()))
    }

    /// The column of a cell of a grid, from 0; `()` on other boards.
    ///
    /// ```rhai
    /// let column = view.cell("a1").column;
    /// ```
    #[rhai_fn(get = "column", pure, return_raw)]
    pub fn column(cell: &mut Cell) -> Answer<Dynamic> {
        let place = cell.context.read(|state| Ok(state.board().coordinates(cell.id)))?;
        Ok(or_unit(place.map(|(column, _)| INT::from(column))))
    }

    /// The row of a cell of a grid, from 0; `()` on other boards.
    ///
    /// ```rhai
    /// let row = view.cell("a1").row;
    /// ```
    #[rhai_fn(get = "row", pure, return_raw)]
    pub fn row(cell: &mut Cell) -> Answer<Dynamic> {
        let place = cell.context.read(|state| Ok(state.board().coordinates(cell.id)))?;
        Ok(or_unit(place.map(|(_, row)| INT::from(row))))
    }

    /// The name of its ground.
    ///
    /// ```rhai
    /// let ground = view.cell("a1").terrain;
    /// ```
    #[rhai_fn(get = "terrain", pure, return_raw)]
    pub fn terrain(cell: &mut Cell) -> Answer<ImmutableString> {
        cell.context.read(|state| {
            let terrain = state.terrain(cell.id);
            let terrain = terrain.and_then(|terrain| state.declarations().terrains.get(terrain.index()));
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
        cell.context.read(|state| Ok(INT::from(state.board().elevation(cell.id))))
    }

    /// Whether it is in sight of the seat that looks. True on the whole board, which only hooks that change things see.
    ///
    /// ```rhai
    /// let watched = view.cells.filter(|cell| cell.is_visible);
    /// ```
    #[rhai_fn(get = "is_visible", pure, return_raw)]
    pub fn is_visible(cell: &mut Cell) -> Answer<bool> {
        cell.context.read(|state| Ok(state.cell_sight(cell.id) == CellSight::Visible))
    }

    /// Whether the seat that looks has ever seen it. Of a cell that was never seen neither terrain nor properties are known.
    ///
    /// ```rhai
    /// let unknown = view.cells.filter(|cell| !cell.is_explored);
    /// ```
    #[rhai_fn(get = "is_explored", pure, return_raw)]
    pub fn is_explored(cell: &mut Cell) -> Answer<bool> {
        cell.context.read(|state| Ok(state.cell_sight(cell.id) != CellSight::Unexplored))
    }

    /// The cells next to it.
    ///
    /// ```rhai
    /// let around = view.cell("a1").neighbours.count;
    /// ```
    #[rhai_fn(get = "neighbours", pure, return_raw)]
    pub fn neighbours(context: NativeCallContext<'_>, cell: &mut Cell) -> Answer<Cells> {
        pay(&context, cell.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&cell.context, |state| state.board().neighbour_set(cell.id).into_owned())
    }

    /// The cell next to it in a direction of the map, such as `"n"`; `()` where there is none. Fails if there is no such direction.
    ///
    /// ```rhai
    /// let above = view.cell("a1").step("n");
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn step(cell: &mut Cell, direction: &str) -> Answer<Dynamic> {
        let next = cell.context.read(|state| {
            let direction = found_direction(state.board(), direction)?;
            Ok(state.board().step(cell.id, direction))
        })?;
        Ok(or_unit(next.map(|id| Cell::new(&cell.context, id))))
    }

    /// The names of the regions it is in.
    ///
    /// ```rhai
    /// let is_central = "centre" in view.cell("b2").regions;
    /// ```
    #[rhai_fn(get = "regions", pure, return_raw)]
    pub fn regions(context: NativeCallContext<'_>, cell: &mut Cell) -> Answer<Array> {
        cell.context.read(|state| {
            let board = state.board();
            pay(&context, board.region_count() / 4)?;
            let all = (0..board.region_count()).map(RegionId::from_index);
            let around = all.filter(|region| board.region(*region).contains(cell.id));
            Ok(around
                .map(|region| ImmutableString::from(board.region_name(region)).into())
                .collect())
        })
    }

    /// The edge between it and a neighbour; `()` if they are not neighbours.
    ///
    /// ```rhai
    /// let edge = view.cell("a1").edge_to(view.cell("b1"));
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn edge_to(cell: &mut Cell, neighbour: Cell) -> Answer<Dynamic> {
        cell.context.read(|state| {
            let edge = state.board().edge_between(cell.id, neighbour.id);
            Ok(or_unit(edge.map(|id| Edge::new(&cell.context, id))))
        })
    }

    /// The two cells that an edge lies between.
    ///
    /// ```rhai
    /// let edge = view.cell("a1").edge_to(view.cell("b1"));
    /// let ends = edge.cells.count;
    /// ```
    #[rhai_fn(name = "cells", get = "cells", return_raw)]
    pub fn cells_of_edge(context: NativeCallContext<'_>, edge: &mut Edge) -> Answer<Cells> {
        edge.context.read(|state| {
            pay(&context, by_word(state.occupied()))?;
            let (one, other) = state.board().edge_ends(edge.id);
            let set = CellSet::from_cells(state.board().cell_count(), [one, other]);
            Ok(Cells::new(&edge.context, set))
        })
    }

    /// A declared property of an edge, read by its name: `edge.river`.
    ///
    /// ```rhai
    /// let is_ford = view.cell("a1").edge_to(view.cell("b1")).river == 1;
    /// ```
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn edge_property(edge: &mut Edge, name: &str) -> Answer<Dynamic> {
        convert::get_property(&edge.context, Target::Edge(edge.id), Scope::Edge, name)
    }

    /// Sets a declared property of an edge: `edge.bridge = true`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_edge_property(edge: &mut Edge, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&edge.context, Target::Edge(edge.id), Scope::Edge, name, &value)
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
        convert::get_property(&cell.context, Target::Cell(cell.id), Scope::Cell, name)
    }

    /// Sets a declared property by its name: `cell.owner = turn.seat`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(cell: &mut Cell, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&cell.context, Target::Cell(cell.id), Scope::Cell, name, &value)
    }
}

#[export_module]
pub(super) mod seats {
    use rhai::{Dynamic, INT, ImmutableString, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::texts::count;
    use super::super::super::value::Answer;
    use super::super::cell_sets::by_word;
    use super::super::convert;
    use super::super::handles::{Cells, Seat};
    use boardwright_model::{CellSet, Scope, Target};

    /// The name in files.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.name); }
    /// ```
    #[rhai_fn(get = "name", pure, return_raw)]
    pub fn name(seat: &mut Seat) -> Answer<ImmutableString> {
        seat.context.read(|state| {
            let declared = state.declarations().seats.get(seat.id.index());
            Ok(declared.map_or("", |declared| &*declared.name).into())
        })
    }

    /// The name for players.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.title); }
    /// ```
    #[rhai_fn(get = "title", pure, return_raw)]
    pub fn title(seat: &mut Seat) -> Answer<ImmutableString> {
        seat.context.read(|state| Ok((&*state.declarations().seat_title(seat.id)).into()))
    }

    /// The next seat that is still in the match, in turn order; with two seats the enemy.
    ///
    /// ```rhai
    /// for seat in view.seats { print(`after ${seat.name} comes ${seat.next.name}`); }
    /// ```
    #[rhai_fn(get = "next", pure, return_raw)]
    pub fn next(seat: &mut Seat) -> Answer<Seat> {
        let next = seat.context.read(|state| Ok(super::following(state, seat.id)))?;
        Ok(Seat::new(&seat.context, next))
    }

    /// How many of its pieces are in play, on the board or off it.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.pieces_in_play); }
    /// ```
    #[rhai_fn(get = "pieces_in_play", pure, return_raw)]
    pub fn pieces_in_play(seat: &mut Seat) -> Answer<INT> {
        seat.context.read(|state| Ok(count(state.in_play(seat.id))))
    }

    /// The cells with a piece of its own.
    ///
    /// ```rhai
    /// for seat in view.seats { print(seat.cells.count); }
    /// ```
    #[rhai_fn(get = "cells", pure, return_raw)]
    pub fn cells(context: NativeCallContext<'_>, seat: &mut Seat) -> Answer<Cells> {
        pay(&context, seat.context.read(|state| Ok(by_word(state.occupied())))?)?;
        Cells::find(&seat.context, |state| {
            let owned = state.owned_by(seat.id).cloned();
            owned.unwrap_or_else(|| CellSet::empty(state.board().cell_count()))
        })
    }

    /// Whether it is out of the match.
    ///
    /// ```rhai
    /// let left = view.seats.count(|seat| !seat.is_out);
    /// ```
    #[rhai_fn(get = "is_out", pure, return_raw)]
    pub fn is_out(seat: &mut Seat) -> Answer<bool> {
        seat.context.read(|state| Ok(state.eliminated().contains(seat.id)))
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
        convert::get_property(&seat.context, Target::Seat(seat.id), Scope::Seat, name)
    }

    /// Sets a declared property by its name: `seat.gold += 5`. Only while something is carried out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(seat: &mut Seat, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&seat.context, Target::Seat(seat.id), Scope::Seat, name, &value)
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
        options.context.read(|state| {
            let value = convert::found_option(state, name)?;
            Ok(convert::to_script(&options.context, state, value))
        })
    }

    /// What was passed to `ask` under a name. Fails if nothing was.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn about(question: &mut Question, name: &str) -> Answer<Dynamic> {
        question.context.read(|state| {
            let data = state.sequence().decision().map_or(&[][..], |decision| &decision.data);
            let value = data.iter().find(|(known, _)| &**known == name).map(|(_, value)| value);
            let value = value.ok_or_else(|| wrong(format!("the question says nothing about {name:?}")))?;
            Ok(convert::to_script(&question.context, state, value))
        })
    }
}
