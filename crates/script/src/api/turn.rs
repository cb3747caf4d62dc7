//! Words for changing a match while something is carried out.

use rhai::plugin::*;

use std::sync::Arc;

use rhai::{INT, Map, NativeCallContext};

use super::super::meter::pay;
use super::super::value::{Answer, wrong};
use super::convert::{cell_id, found, found_action, found_kind, list_items, plain_value, text_bytes};
use super::handles::{Piece, View};
use super::view::zone_names;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{CellId, DrawKind, Place, Scope, SeatId, SeatSet, State, Target, Value, ZoneId};
use boardwright_rules::Transaction;

/// How many results are drawn, and how many bytes copied, in the time of an operation.
const DRAWN_BY_OPERATION: usize = 8;
const BYTES_OF_OPERATION: usize = 256;

/// The match property that lists what happened once.
pub(crate) const HAPPENED: &str = "happened";
/// The word that needs it.
pub(crate) const ONCE: &str = "once";

fn ask_seats(context: &NativeCallContext<'_>, turn: &View, seats: SeatSet, action: &str, about: &Map) -> Answer<()> {
    // Each question holds a copy of what it is about.
    let bytes: usize = about.iter().map(|(name, value)| name.len() + text_bytes(value)).sum();
    if bytes > Transaction::MOST_BYTES {
        return Err(wrong(format!(
            "a question holds at most {} MiB of texts",
            Transaction::MOST_BYTES >> 20
        )));
    }
    pay(context, bytes / BYTES_OF_OPERATION)?;
    let action = turn.context.read(|state| found_action(state.declarations(), action))?;
    let mut data: Vec<(Arc<str>, Value)> = Vec::with_capacity(about.len());
    for (name, value) in about {
        let value = plain_value(value).ok_or_else(|| wrong(format!("{name}: a question cannot hold this value")))?;
        data.push((Arc::from(name.as_str()), value));
    }
    turn.context.change(|transaction| transaction.ask(seats, action, data).map(drop))
}

/// A zone: a common one, or that of a seat.
pub(crate) fn find_zone(turn: &View, name: &str, owner: Option<SeatId>) -> Answer<ZoneId> {
    turn.context
        .read(|state| found(state.declarations().find_zone(name, owner), "zone", name, zone_names(state)))
}

fn move_to(turn: &View, piece: &Piece, place: Place) -> Answer<()> {
    turn.context.change(|transaction| transaction.move_piece(piece.id, place, None))
}

pub(crate) fn create_at(turn: &View, kind: &str, owner: Option<SeatId>, place: Place) -> Answer<Piece> {
    let kind = turn.context.read(|state| found_kind(state, kind))?;
    let id = turn.context.change(|transaction| transaction.spawn(kind, owner, place))?;
    Ok(Piece::new(&turn.context, id))
}

/// Rolls dice, and gives the face of each.
pub(crate) fn roll_dice(pay: &mut dyn FnMut(usize) -> Answer<()>, turn: &View, dice: &str, purpose: &str) -> Answer<Arc<[u32]>> {
    let parts = dice.trim().split_once('d');
    let count = parts.and_then(|(count, _)| if count.is_empty() { Some(1) } else { count.parse().ok() });
    let sides = parts.and_then(|(_, sides)| sides.parse().ok());
    pay(count.map_or(0, |count| usize::from(count) / DRAWN_BY_OPERATION))?;
    turn.context.change(|transaction| {
        let Some((count, sides)) = count.zip(sides) else {
            let message = format!("{dice:?} are no dice: write 2d6 for two dice with six sides");
            return Err(Diagnostic::error(Code::WrongDraw, message).into());
        };
        transaction.draw(DrawKind::Dice { count, sides }, purpose)
    })
}

/// Takes what a whole number of a cell counts, and adds one of them to each cell of a track in turn, beginning behind that cell, until none is left.
/// Gives the last cell.
pub(crate) fn sow_along(turn: &View, from: CellId, track: &[CellId], property: &str) -> Answer<CellId> {
    let property = turn.context.read(|state| {
        let known = state.declarations().properties_of(Scope::Cell).map(|(_, declared)| &*declared.name);
        found(
            state.declarations().find_property(Scope::Cell, property),
            "cell property",
            property,
            known,
        )
    })?;
    let number = |cell| {
        let read = |state: &State| state.value(Target::Cell(cell), property).and_then(Value::as_integer);
        let value = turn.context.read(|state| Ok(read(state)))?;
        value.ok_or_else(|| wrong("only whole numbers of 0 or more are sown"))
    };
    let all = usize::try_from(number(from)?).map_err(|_| wrong("only whole numbers of 0 or more are sown"))?;
    if track.is_empty() {
        return Err(wrong("the track has no cells"));
    }
    let set = |cell, value| {
        let value = Value::Integer(value);
        turn.context
            .change(|transaction| transaction.set(Target::Cell(cell), property, value))
    };
    set(from, 0)?;
    // Of a cell that is not on the track the sowing begins with its first cell.
    let begin = track.iter().position(|cell| *cell == from).map_or(0, |place| place + 1);
    let in_turn = track.iter().cycle().skip(begin).take(track.len().min(all));
    for (place, cell) in in_turn.enumerate() {
        let more = all / track.len() + usize::from(place < all % track.len());
        set(*cell, number(*cell)?.saturating_add(INT::try_from(more).unwrap_or(INT::MAX)))?;
    }
    let last = (begin + all + track.len() - 1) % track.len();
    Ok(if all == 0 { from } else { track.get(last).copied().unwrap_or(from) })
}

/// Cells of a track, as themselves or by their names.
fn track_of(turn: &View, track: &Dynamic) -> Answer<Vec<CellId>> {
    let items = list_items(track).ok_or_else(|| wrong("a track is a list of cells, or of names of cells"))?;
    let of = |item: &Dynamic| match item.as_immutable_string_ref() {
        Ok(name) => {
            let known = turn.context.read(|state| Ok(state.board().find_cell(&name)))?;
            known.ok_or_else(|| wrong(format!("there is no cell {:?}", name.as_str())))
        }
        Err(_) => cell_id(item).ok_or_else(|| wrong(format!("a track is a list of cells, or of names of cells, without {item:?}"))),
    };
    items.iter().map(of).collect()
}

#[export_module]
pub(super) mod turn {
    use std::sync::Arc;

    use rhai::{Array, Dynamic, INT, Map, NativeCallContext};

    use super::super::super::meter::pay;

    use super::super::super::texts::count;
    use super::super::super::value::{Answer, wrong};
    use super::super::convert::{self, cell_id, found, items_of, list_of, seat_id};
    use super::super::handles::{Cell, Piece, Seat, View};
    use super::super::outcomes::EndOfMatch;
    use super::super::view::find_terrain;
    use super::{DRAWN_BY_OPERATION, HAPPENED, create_at, find_zone, move_to, roll_dice, sow_along, track_of};
    use boardwright_model::{DrawKind, Pick, Place, Scope, SeatId, SeatSet, Target, Value};

    /// Moves a piece to a cell.
    ///
    /// ```rhai
    /// fn do_step(turn, picked) { turn.move_piece(picked.piece, picked.cell); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn move_piece(turn: &mut View, piece: Piece, cell: Cell) -> Answer<()> {
        move_to(turn, &piece, Place::Cell(cell.id))
    }

    /// Moves a piece to a side of a cell, named by the direction in which it lies, such as `"ne"`. Fails if the map has no such direction. It is drawn as a wall there, or small if `look_piece` gives an icon, a glyph or overlays.
    ///
    /// ```rhai
    /// fn do_step(turn, picked) { turn.move_to_side(picked.piece, picked.cell, "n"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn move_to_side(turn: &mut View, piece: Piece, cell: Cell, side: &str) -> Answer<()> {
        let side = turn.context.read(|state| convert::found_direction(state.board(), side))?;
        move_to(turn, &piece, Place::Side(cell.id, side))
    }

    /// Places a piece that has a shape, in a pose, its first square on a cell. Fails if it reaches over the border of the board; what
    /// else may lie there is up to the rules.
    ///
    /// ```rhai
    /// fn do_place(turn, picked) { turn.place_at(picked.tile, picked.pose, picked.cell); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn place_at(turn: &mut View, piece: Piece, pose: &str, cell: Cell) -> Answer<()> {
        move_to(turn, &piece, Place::Posed(cell.id, convert::pose(pose)?))
    }

    /// Moves a piece to the end of a common zone: the top of a deck.
    ///
    /// ```rhai
    /// fn do_discard(turn, picked) { turn.move_to_zone(picked.card, "discard"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn move_to_zone(turn: &mut View, piece: Piece, zone: &str) -> Answer<()> {
        move_to(turn, &piece, Place::Zone(find_zone(turn, zone, None)?))
    }

    /// Moves a piece to the end of the zone of a seat.
    ///
    /// ```rhai
    /// fn do_draw_card(turn, picked) { turn.move_to_zone(turn.zone("deck")[-1], "hand", turn.seat); }
    /// ```
    #[rhai_fn(name = "move_to_zone", return_raw)]
    pub fn move_to_zone_of(turn: &mut View, piece: Piece, zone: &str, seat: Seat) -> Answer<()> {
        move_to(turn, &piece, Place::Zone(find_zone(turn, zone, Some(seat.id))?))
    }

    /// Puts a piece aboard another.
    ///
    /// ```rhai
    /// fn do_embark(turn, picked) { turn.move_aboard(picked.army, picked.ship); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn move_aboard(turn: &mut View, piece: Piece, carrier: Piece) -> Answer<()> {
        move_to(turn, &piece, Place::Aboard(carrier.id))
    }

    /// Takes a piece out of play.
    ///
    /// ```rhai
    /// fn do_capture(turn, picked) { turn.remove(picked.piece); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn remove(turn: &mut View, piece: Piece) -> Answer<()> {
        turn.context.change(|transaction| transaction.remove(piece.id))
    }

    /// Brings a new piece of a kind into play on a cell, for a seat.
    ///
    /// ```rhai
    /// fn do_mark(turn, picked) { turn.create("mark", turn.seat, picked.cell); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn create(turn: &mut View, kind: &str, owner: Seat, cell: Cell) -> Answer<Piece> {
        create_at(turn, kind, Some(owner.id), Place::Cell(cell.id))
    }

    /// Brings a new piece of a kind into play on a cell, for no seat.
    ///
    /// ```rhai
    /// fn do_build(turn, picked) { turn.create("wall", picked.cell); }
    /// ```
    #[rhai_fn(name = "create", return_raw)]
    pub fn create_unowned(turn: &mut View, kind: &str, cell: Cell) -> Answer<Piece> {
        create_at(turn, kind, None, Place::Cell(cell.id))
    }

    /// Brings a new piece of a kind into a zone of a seat.
    ///
    /// ```rhai
    /// fn do_recruit(turn, picked) { turn.create_in("reserve", turn.seat, "army"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn create_in(turn: &mut View, zone: &str, owner: Seat, kind: &str) -> Answer<Piece> {
        create_at(turn, kind, Some(owner.id), Place::Zone(find_zone(turn, zone, Some(owner.id))?))
    }

    /// Brings a new piece of a kind into a common zone, for no seat.
    ///
    /// ```rhai
    /// fn start(turn) { turn.create_in("deck", "card"); }
    /// ```
    #[rhai_fn(name = "create_in", return_raw)]
    pub fn create_in_common(turn: &mut View, zone: &str, kind: &str) -> Answer<Piece> {
        create_at(turn, kind, None, Place::Zone(find_zone(turn, zone, None)?))
    }

    /// Gives a piece to another seat.
    ///
    /// ```rhai
    /// fn do_convert(turn, picked) { turn.give(picked.piece, turn.seat); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn give(turn: &mut View, piece: Piece, seat: Seat) -> Answer<()> {
        turn.context.change(|transaction| transaction.set_owner(piece.id, Some(seat.id)))
    }

    /// Takes a piece from its seat: it belongs to nobody.
    ///
    /// ```rhai
    /// fn do_convert(turn, picked) { turn.release(picked.piece); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn release(turn: &mut View, piece: Piece) -> Answer<()> {
        turn.context.change(|transaction| transaction.set_owner(piece.id, None))
    }

    /// Shows a piece to all seats although its place hides it.
    ///
    /// ```rhai
    /// fn do_show(turn, picked) { turn.reveal(picked.card); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn reveal(turn: &mut View, piece: Piece) -> Answer<()> {
        let all = turn.context.read(|state| Ok(state.declarations().all_seats()))?;
        turn.context.change(|transaction| transaction.reveal(piece.id, all))
    }

    /// Shows a piece to one seat although its place hides it from that seat.
    ///
    /// ```rhai
    /// fn do_peek(turn, picked) { turn.reveal(picked.card, turn.seat); }
    /// ```
    #[rhai_fn(name = "reveal", return_raw)]
    pub fn reveal_to(turn: &mut View, piece: Piece, seat: Seat) -> Answer<()> {
        let seen = turn.context.read(|state| Ok(state.piece(piece.id).map(|piece| piece.revealed)))?;
        let seen = seen.unwrap_or(SeatSet::EMPTY).with(seat.id);
        turn.context.change(|transaction| transaction.reveal(piece.id, seen))
    }

    /// Changes the ground of a cell.
    ///
    /// ```rhai
    /// fn do_flood(turn, picked) { turn.set_terrain(picked.cell, "water"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set_terrain(turn: &mut View, cell: Cell, terrain: &str) -> Answer<()> {
        let terrain = turn.context.read(|state| find_terrain(state, terrain))?;
        turn.context.change(|transaction| transaction.set_terrain(cell.id, terrain))
    }

    /// Sets a match property by its name: `turn.quiet = 0`. Fails if it is not declared or the value is outside its range.
    ///
    /// ```rhai
    /// fn enter_income(turn) { turn.rounds_left = turn.rounds_left - 1; }
    /// ```
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(turn: &mut View, name: &str, value: Dynamic) -> Answer<()> {
        convert::set_property(&turn.context, Target::Match, Scope::Match, name, &value)
    }

    /// Rolls dice, written as `"2d6"`, and gives the sum. The purpose is shown to players.
    ///
    /// ```rhai
    /// fn do_assault(turn, picked) { let strength = turn.roll("2d6", "assault"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn roll(context: NativeCallContext<'_>, turn: &mut View, dice: &str, purpose: &str) -> Answer<INT> {
        Ok(roll_dice(&mut |operations| pay(&context, operations), turn, dice, purpose)?
            .iter()
            .map(|face| INT::from(*face))
            .sum())
    }

    /// Rolls dice, written as `"3d6"`, and gives the face of each, in the order rolled.
    ///
    /// ```rhai
    /// fn do_attack(turn, picked) { let faces = turn.roll_each("3d6", "attack"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn roll_each(context: NativeCallContext<'_>, turn: &mut View, dice: &str, purpose: &str) -> Answer<Array> {
        let faces = roll_dice(&mut |operations| pay(&context, operations), turn, dice, purpose)?;
        Ok(faces.iter().map(|face| Dynamic::from_int(INT::from(*face))).collect())
    }

    /// Puts the pieces of a common zone into a random order.
    ///
    /// ```rhai
    /// fn start(turn) { turn.shuffle("deck", "the deck"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn shuffle(context: NativeCallContext<'_>, turn: &mut View, zone: &str, purpose: &str) -> Answer<()> {
        let zone = find_zone(turn, zone, None)?;
        let count = turn
            .context
            .read(|state| Ok(state.zone(zone).map_or(0, |zone| zone.pieces().len())))?;
        pay(&context, count / DRAWN_BY_OPERATION)?;
        turn.context.change(|transaction| transaction.shuffle(zone, purpose))
    }

    /// Takes one item of a list, or a cell of a set, by chance, each as likely as any other.
    ///
    /// ```rhai
    /// fn start(turn) { let first = turn.choose(turn.seats, "who begins"); turn.end_turn(first); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn choose(context: NativeCallContext<'_>, turn: &mut View, items: Dynamic, purpose: &str) -> Answer<Dynamic> {
        let items = items_of(&items).ok_or_else(|| wrong("choose takes a list or a set of cells"))?;
        pay(&context, items.len() / DRAWN_BY_OPERATION)?;
        let weights: Arc<[u32]> = vec![1; items.len()].into();
        let index = turn
            .context
            .change(|transaction| transaction.draw(DrawKind::Choose { weights }, purpose))?;
        let chosen = index.first().and_then(|index| items.get(*index as usize));
        Ok(chosen.cloned().unwrap_or(Dynamic::UNIT))
    }

    /// The items of a list, or the cells of a set, in a random order.
    ///
    /// ```rhai
    /// fn start(turn) { for cell in turn.shuffled(turn.cells, "the land") { turn.create("wall", cell); } }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn shuffled(context: NativeCallContext<'_>, turn: &mut View, items: Dynamic, purpose: &str) -> Answer<Array> {
        let items = items_of(&items).ok_or_else(|| wrong("shuffled takes a list or a set of cells"))?;
        pay(&context, items.len() / DRAWN_BY_OPERATION)?;
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let order = turn
            .context
            .change(|transaction| transaction.draw(DrawKind::Shuffle { count }, purpose))?;
        Ok(order.iter().filter_map(|index| items.get(*index as usize).cloned()).collect())
    }

    /// Puts a question to a seat, answered with an action that is declared with `answers: true`. What is passed is read by hooks as
    /// `view.question`.
    ///
    /// ```rhai
    /// fn do_attack(turn, picked) { turn.ask(picked.enemy, "defend", #{ from: picked.cell }); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn ask(context: NativeCallContext<'_>, turn: &mut View, seat: Seat, action: &str, about: Map) -> Answer<()> {
        super::ask_seats(&context, turn, SeatSet::one(seat.id), action, &about)
    }

    /// Puts a question to several seats at once.
    ///
    /// ```rhai
    /// fn enter_bidding(turn) { turn.ask(turn.seats, "bid", #{}); }
    /// ```
    #[rhai_fn(name = "ask", return_raw)]
    pub fn ask_all(context: NativeCallContext<'_>, turn: &mut View, seats: Array, action: &str, about: Map) -> Answer<()> {
        super::ask_seats(&context, turn, seats.iter().filter_map(seat_id).collect(), action, &about)
    }

    /// Whether it is the first time in the match that this is asked under this name. From then on it is not: what stands behind it happens
    /// once. Where scripts use it, the engine declares a match property `happened`, the list of these names.
    ///
    /// ```rhai
    /// fn on_turn(turn) { if turn.round == 5 && turn.once("winter") { turn.note("winter has come"); } }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn once(context: NativeCallContext<'_>, turn: &mut View, name: &str) -> Answer<bool> {
        let (property, happened) = turn.context.read(|state| {
            let property = state.declarations().find_property(Scope::Match, HAPPENED);
            let property = found(property, "match property", HAPPENED, [])?;
            let Some(Value::List(happened)) = state.value(Target::Match, property) else {
                return Err(wrong(format!("`once` needs the match property {HAPPENED} to be a list")));
            };
            Ok((property, happened.clone()))
        })?;
        pay(&context, happened.len())?;
        if happened.contains(&Value::text(name)) {
            return Ok(false);
        }
        let all: Arc<[Value]> = happened.iter().cloned().chain([Value::text(name)]).collect();
        turn.context
            .change(|transaction| transaction.set(Target::Match, property, Value::List(all)))?;
        Ok(true)
    }

    /// Tells all players something.
    ///
    /// ```rhai
    /// fn do_charge(turn, picked) { turn.note("a charge!"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn note(turn: &mut View, text: &str) -> Answer<()> {
        let all = turn.context.read(|state| Ok(state.declarations().all_seats()))?;
        turn.context.change(|transaction| transaction.note(all, text, None))
    }

    /// Tells one player something.
    ///
    /// ```rhai
    /// fn do_spy(turn, picked) { turn.note(turn.seat, "the enemy is weak here"); }
    /// ```
    #[rhai_fn(name = "note", return_raw)]
    pub fn note_to(turn: &mut View, seat: Seat, text: &str) -> Answer<()> {
        turn.context
            .change(|transaction| transaction.note(SeatSet::one(seat.id), text, None))
    }

    /// Tells all players something about a cell, which they can have shown by a click on it.
    ///
    /// ```rhai
    /// fn do_charge(turn, picked) { turn.note("a charge!", turn.cell("a1")); }
    /// ```
    #[rhai_fn(name = "note", return_raw)]
    pub fn note_at(turn: &mut View, text: &str, cell: Cell) -> Answer<()> {
        let all = turn.context.read(|state| Ok(state.declarations().all_seats()))?;
        turn.context.change(|transaction| transaction.note(all, text, Some(cell.id)))
    }

    /// Tells one player something about a cell.
    ///
    /// ```rhai
    /// fn do_spy(turn, picked) { turn.note(turn.seat, "the enemy is weak here", turn.cell("a1")); }
    /// ```
    #[rhai_fn(name = "note", return_raw)]
    pub fn note_to_at(turn: &mut View, seat: Seat, text: &str, cell: Cell) -> Answer<()> {
        turn.context
            .change(|transaction| transaction.note(SeatSet::one(seat.id), text, Some(cell.id)))
    }

    /// Carries out the pattern of the action: the piece visits the cells of the path and captures as the pattern says. Gives the number
    /// of captures. Fails in actions without such a pattern.
    ///
    /// ```rhai
    /// fn do_march(turn, picked) { let captures = turn.follow(picked.piece, picked.path); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn follow(turn: &mut View, piece: Piece, path: Dynamic) -> Answer<INT> {
        let cells = list_of(&path, cell_id).ok_or_else(|| wrong("follow takes the path that was picked"))?;
        let pattern = turn.context.pattern();
        let pattern = pattern.ok_or_else(|| wrong("this action has no pattern to follow"))?;
        let owner = turn.context.read(|state| Ok(state.piece(piece.id).and_then(|piece| piece.owner)))?;
        let seat = owner.unwrap_or(SeatId(u8::MAX));
        let picks = [Pick::Piece(piece.id), Pick::Path(cells)];
        Ok(count(turn.context.change(|transaction| pattern.follow(transaction, seat, &picks))?))
    }

    /// Carries out the pattern of an action with drops: a piece comes onto the cell, and captures as the pattern says. Gives the number of
    /// captures. Fails in actions without such a pattern.
    ///
    /// ```rhai
    /// fn do_put(turn, picked) { let captures = turn.follow(picked.cell); }
    /// ```
    #[rhai_fn(name = "follow", return_raw)]
    pub fn follow_drop(turn: &mut View, cell: Cell) -> Answer<INT> {
        let pattern = turn.context.pattern();
        let pattern = pattern.ok_or_else(|| wrong("this action has no pattern to follow"))?;
        let seat = turn.context.seat().ok_or_else(|| wrong("nobody acts here"))?;
        let picks = [Pick::Cell(cell.id)];
        Ok(count(turn.context.change(|transaction| pattern.follow(transaction, seat, &picks))?))
    }

    /// Sows: takes what a property of a cell counts, a whole number, and adds one of them to each cell of a track in turn, beginning behind
    /// that cell and around again until none is left. The track is a list of cells, or of their names; a cell that is not on it begins with
    /// the first. Gives the last cell, and the cell itself where there was nothing to sow.
    ///
    /// ```rhai
    /// fn do_sow(turn, picked) { let last = turn.sow(picked.cell, ["a1", "b1", "b2", "a2"], "grain"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn sow(context: NativeCallContext<'_>, turn: &mut View, from: Cell, track: Dynamic, property: &str) -> Answer<Cell> {
        let track = track_of(turn, &track)?;
        pay(&context, track.len() / 4)?;
        Ok(Cell::new(&turn.context, sow_along(turn, from.id, &track, property)?))
    }

    /// Ends the turn once the hook has returned. The next seat in the match follows.
    ///
    /// ```rhai
    /// fn do_pass(turn, picked) { turn.end_turn(); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn end_turn(turn: &mut View) -> Answer<()> {
        turn.context.change(|transaction| {
            transaction.end_turn(None);
            Ok(())
        })
    }

    /// Ends the turn once the hook has returned. The given seat follows; the seat whose turn it is has another one in the same round. In `start` it says
    /// who begins.
    ///
    /// ```rhai
    /// fn do_again(turn, picked) { turn.end_turn(turn.seat); }
    /// ```
    #[rhai_fn(name = "end_turn", return_raw)]
    pub fn end_turn_to(turn: &mut View, next: Seat) -> Answer<()> {
        turn.context.change(|transaction| {
            transaction.end_turn(Some(next.id));
            Ok(())
        })
    }

    /// Ends the phase once the hook has returned; after the last phase the turn ends.
    ///
    /// ```rhai
    /// fn do_done(turn, picked) { turn.next_phase(); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn next_phase(turn: &mut View) -> Answer<()> {
        turn.context.change(|transaction| {
            transaction.next_phase();
            Ok(())
        })
    }

    /// Puts a seat out of the match: it gets no more turns.
    ///
    /// ```rhai
    /// fn do_resign(turn, picked) { turn.eliminate(turn.seat); turn.end_turn(); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn eliminate(turn: &mut View, seat: Seat) -> Answer<()> {
        turn.context.change(|transaction| transaction.eliminate(seat.id))
    }

    /// Ends the match.
    ///
    /// ```rhai
    /// fn do_resign(turn, picked) { turn.end_match(win(turn.seat.next, "5.1", "resignation")); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn end_match(turn: &mut View, end: EndOfMatch) -> Answer<()> {
        let outcome = turn.context.read(|state| end.outcome(state))?;
        turn.context.change(|transaction| transaction.end(outcome))
    }
}
