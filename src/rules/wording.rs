//! Actions and picks in words.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Refusal, RefusalCode, Sentence, sentence};
use crate::model::{Action, CellId, Pick, PickKind, Piece, PieceId, State};

/// How much of a text is repeated in an answer, in letters.
const MOST_LETTERS: usize = 60;

/// An action in plain words: its name and its picks.
pub fn plain_notation(state: &State, action: &Action) -> String {
    let declared = state.frame().action(action.action);
    let mut text = declared.map_or_else(|| "?".to_owned(), |declared| declared.name.to_string());
    for pick in &action.picks {
        let _ = write!(text, " {}", pick_text(state, pick));
    }
    text
}

/// A pick as players write it: names of cells and seats; a piece by the cell it is on.
pub fn pick_text(state: &State, pick: &Pick) -> String {
    let board = state.board();
    let piece_text = |piece: &PieceId| piece_text(state, *piece);
    let joined = |texts: Vec<String>, separator: &str| texts.join(separator);
    let cell_text = |cell: &CellId| {
        let name = board.cell_name(*cell);
        if name.is_empty() {
            format!("cell {}", cell.0)
        } else {
            name.to_owned()
        }
    };
    match pick {
        Pick::Cell(cell) => cell_text(cell),
        Pick::Cells(cells) => joined(cells.iter().map(cell_text).collect(), ","),
        Pick::Piece(piece) => piece_text(piece),
        Pick::Pieces(pieces) => joined(pieces.iter().map(piece_text).collect(), ","),
        Pick::Seat(seat) => state
            .frame()
            .seats
            .get(seat.index())
            .map_or_else(|| "?".to_owned(), |seat| seat.name.to_string()),
        Pick::Number(number) => number.to_string(),
        Pick::Choice(word) | Pick::Text(word) => word.to_string(),
        Pick::Pose(pose) => pose.to_string(),
        Pick::Path(path) => joined(path.iter().map(cell_text).collect(), "-"),
    }
}

/// A text as it is, or its beginning if it is very long.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A piece by the cell it is on, where it is alone there; a piece with a shape that waits in a zone by its kind, where it is the
/// first of it there; any other by its number.
fn piece_text(state: &State, id: PieceId) -> String {
    let Some(piece) = state.piece(id) else {
        return format!("#{}", id.0);
    };
    if let Some(cell) = piece.place.cell().filter(|cell| state.pieces_at(*cell).len() == 1) {
        return state.board().cell_name(cell).to_owned();
    }
    let kind = state.frame().kind(piece.kind).filter(|kind| kind.figure.is_some());
    let zone = piece.place.zone().and_then(|zone| state.zone(zone));
    let first = zone.and_then(|zone| {
        let mut pieces = zone.pieces().iter().filter_map(|id| state.piece(*id));
        pieces.find(|other| other.kind == piece.kind)
    });
    match (kind, first) {
        (Some(kind), Some(first)) if first.id == id => kind.name.to_string(),
        _ => format!("#{}", id.0),
    }
}

/// The piece with a shape that a kind's name stands for: first of those that wait for the seat to act or for its turn; where
/// only these count, no other.
fn piece_of_kind(state: &State, name: &str, only_own: bool) -> Option<PieceId> {
    let is_meant = |piece: &&Piece| {
        state
            .frame()
            .kind(piece.kind)
            .is_some_and(|kind| kind.figure.is_some() && &*kind.name == name)
    };
    let mark = state.sequence().mark;
    let turn = state.frame().turn(mark.place).map(|turn| &*turn.name);
    let is_own = |piece: &Piece| {
        let zone = piece.place.zone().and_then(|zone| state.frame().zones.get(zone.index()));
        zone.is_some_and(|zone| Some(&*zone.name) == turn || (zone.owner.is_some() && zone.owner == mark.seat))
    };
    let meant = state.pieces().filter(is_meant).filter(|piece| !only_own || is_own(piece));
    meant.min_by_key(|piece| (!is_own(piece), piece.id)).map(|piece| piece.id)
}

/// Reads a pick as players write it. The reverse of [`pick_text`].
///
/// # Errors
/// If the text names nothing of that kind.
pub fn read_pick(state: &State, kind: PickKind, text: &str) -> Result<Pick, Refusal> {
    let board = state.board();
    let wrong = |reason: Sentence| Refusal::new(RefusalCode::NotOffered, reason);
    let no_cell = |text: &str| wrong(sentence!("{text:?} is no cell of this board"));
    let cell = |text: &str| board.find_cell(text).ok_or_else(|| no_cell(text));
    // A kind may have the name of a cell: then a piece that waits to be laid is meant rather than one that lies there.
    let piece = |text: &str| match text.strip_prefix('#').map(str::parse) {
        Some(Ok(id)) => Ok(PieceId(id)),
        Some(Err(_)) => Err(wrong(sentence!("{text:?} is no piece"))),
        None => piece_of_kind(state, text, true)
            .or_else(|| state.pieces_at(board.find_cell(text)?).first().copied())
            .or_else(|| piece_of_kind(state, text, false))
            .ok_or_else(|| {
                if board.find_cell(text).is_some() {
                    wrong(sentence!("{text:?} is no cell with a piece"))
                } else {
                    no_cell(text)
                }
            }),
    };
    let split = |text: &str| {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    Ok(match kind {
        PickKind::Cell => Pick::Cell(cell(text)?),
        PickKind::Cells => {
            let mut cells = split(text).iter().map(|text| cell(text)).collect::<Result<Vec<_>, _>>()?;
            cells.sort_unstable();
            Pick::Cells(cells)
        }
        PickKind::Piece => Pick::Piece(piece(text)?),
        PickKind::Pieces => {
            let mut pieces = split(text).iter().map(|text| piece(text)).collect::<Result<Vec<_>, _>>()?;
            pieces.sort_unstable();
            Pick::Pieces(pieces)
        }
        PickKind::Seat => Pick::Seat(
            state
                .frame()
                .find_seat(text)
                .ok_or_else(|| wrong(sentence!("{text:?} is no seat")))?,
        ),
        PickKind::Number => Pick::Number(text.parse().map_err(|_| wrong(sentence!("{text:?} is no whole number")))?),
        PickKind::Choice => Pick::Choice(Arc::from(text)),
        PickKind::Pose => Pick::Pose(
            text.parse()
                .map_err(|_| wrong(sentence!("{text:?} is no pose: 0, 90, 180 or 270, with an m before it if mirrored")))?,
        ),
        PickKind::Path => Pick::Path(text.split('-').map(cell).collect::<Result<_, _>>()?),
        PickKind::Text => Pick::Text(Arc::from(text)),
    })
}
