//! Values of scripts as the debugger shows them.

use std::fmt::Write as _;

use rhai::{Dynamic, Engine, FnPtr};

use super::super::api::handles::{Cell, Cells, Piece, Seat, View};
use super::super::errors::with_script_types;
use super::super::value::{DEPTH, show_plain, show_with};
use super::{Agent, ScriptAction};
use boardwright_model::{Pick, State};
use boardwright_rules::flow;

/// The sort of a value, as the reference calls it.
pub(super) fn sort_of(engine: &Engine, value: &Dynamic) -> String {
    let value = value.flatten_clone();
    if value.is_unit() {
        return "nothing".to_owned();
    }
    with_script_types(engine.map_type_name(value.type_name()))
}

/// A value as text of at most so many bytes.
pub(super) fn shown(engine: &Engine, value: &Dynamic, longest: usize) -> String {
    let mut out = String::new();
    show_with(&value.flatten_clone(), &mut out, DEPTH, longest, &|value, out| {
        if !show_plain(value, out) {
            out.push_str(&one(engine, value));
        }
    });
    if out.len() > longest {
        out.truncate(out.floor_char_boundary(longest));
        out.push('…');
    }
    out
}

/// A value that holds no others.
fn one(engine: &Engine, value: &Dynamic) -> String {
    if let Ok(letter) = value.as_char() {
        format!("{letter:?}")
    } else if let Some(range) = value.read_lock::<std::ops::Range<i64>>() {
        format!("{}..{}", range.start, range.end)
    } else if let Some(range) = value.read_lock::<std::ops::RangeInclusive<i64>>() {
        format!("{}..={}", range.start(), range.end())
    } else if value.read_lock::<FnPtr>().is_some() {
        "a closure".to_owned()
    } else {
        thing(value).unwrap_or_else(|| with_script_types(engine.map_type_name(value.type_name())))
    }
}

/// A thing of the match.
fn thing(value: &Dynamic) -> Option<String> {
    if let Some(cell) = value.read_lock::<Cell>() {
        return read(&cell.context, |state| state.board().cell_name(cell.id).to_owned());
    }
    if let Some(piece) = value.read_lock::<Piece>() {
        return read(&piece.context, |state| piece_text(state, &piece));
    }
    if let Some(seat) = value.read_lock::<Seat>() {
        return read(&seat.context, |state| name_of_seat(state, seat.id));
    }
    if let Some(cells) = value.read_lock::<Cells>() {
        return read(&cells.context, |state| cells_text(state, &cells));
    }
    if let Some(chosen) = value.read_lock::<ScriptAction>() {
        return read(&chosen.context, |state| flow::plain_notation(state, &chosen.action));
    }
    if let Some(agent) = value.read_lock::<Agent>() {
        return read(agent.context(), |state| {
            format!("what {} thinks with", name_of_seat(state, agent.seat()))
        });
    }
    let view = value.read_lock::<View>()?;
    let seat = view.context.seat();
    read(&view.context, |state| {
        let round = state.sequence().mark.round;
        match seat {
            Some(seat) => format!("what {} sees in round {round}", name_of_seat(state, seat)),
            None => format!("the match in round {round}"),
        }
    })
}

fn read(context: &super::SharedContext, text: impl FnOnce(&State) -> String) -> Option<String> {
    context.read(|state| Ok(text(state))).ok()
}

fn name_of_seat(state: &State, seat: boardwright_model::SeatId) -> String {
    let declared = state.declarations().seats.get(seat.index());
    declared.map_or_else(String::new, |seat| seat.name.to_string())
}

fn piece_text(state: &State, piece: &Piece) -> String {
    let mut text = String::new();
    if let Some(known) = state.piece(piece.id) {
        if let Some(owner) = known.owner {
            let _ = write!(text, "{} ", name_of_seat(state, owner));
        }
        if let Some(kind) = state.declarations().kind(known.kind) {
            let _ = write!(text, "{} ", kind.name);
        }
    }
    text.push_str(&flow::pick_text(state, &Pick::Piece(piece.id)));
    text
}

fn cells_text(state: &State, cells: &Cells) -> String {
    let names: Vec<&str> = cells.set.iter().map(|cell| state.board().cell_name(cell)).collect();
    match names.len() {
        0 => "no cell".to_owned(),
        1 => format!("1 cell: {}", names.concat()),
        count => format!("{count} cells: {}", names.join(", ")),
    }
}
