//! What was picked for an action, in a few words.

use boardwright_model::{Action, CellId, Pick, PieceId, State};

/// What was picked, one after the other: pieces by their kind and where they are, cells and seats by their titles, of a path its end.
pub(super) fn picked_text(state: &State, action: &Action, localized: impl Fn(&str) -> String) -> String {
    let picks = action.picks.iter().filter_map(|pick| pick_text(state, pick, &localized));
    picks.collect::<Vec<_>>().join(", ")
}

fn pick_text(state: &State, pick: &Pick, localized: impl Fn(&str) -> String) -> Option<String> {
    let cell = |cell: &CellId| state.board().cell_title(*cell).to_owned();
    let all = |things: Vec<String>| (!things.is_empty()).then(|| things.join(" + "));
    match pick {
        Pick::Cell(picked) => Some(cell(picked)),
        Pick::Cells(cells) => all(cells.iter().map(cell).collect()),
        Pick::Path(path) => path.last().map(cell),
        Pick::Piece(piece) => piece_text(state, *piece),
        Pick::Pieces(pieces) => all(pieces.iter().filter_map(|piece| piece_text(state, *piece)).collect()),
        Pick::Seat(seat) => Some(state.declarations().seat_title(*seat).to_string()),
        Pick::Number(number) => Some(number.to_string()),
        Pick::Choice(word) => Some(localized(word)),
        Pick::Text(text) => Some(text.to_string()),
        // It is seen on the board.
        Pick::Pose(_) => None,
    }
}

fn piece_text(state: &State, piece: PieceId) -> Option<String> {
    let piece = state.piece(piece)?;
    let kind = state.declarations().kind(piece.kind)?.title.to_string();
    Some(match piece.place.cell() {
        Some(cell) => format!("{kind} ({})", state.board().cell_title(cell)),
        None => kind,
    })
}
