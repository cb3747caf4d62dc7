//! Actions as text: the one place that prints them and reads them.
//!
//! An action is written plainly as its name and its picks, a pick by the name of what is picked. [`read_action`] also understands the
//! notation of the ruleset ([`Rules::notation`]) and picks without the name of their action.

use std::fmt::Write as _;
use std::sync::Arc;

use super::request::check_budget;
use super::{Rules, flow};
use boardwright_model::{
    Action, ActionDeclaration, ActionId, CellId, Pick, PickKind, Picks, Piece, PieceId, Refusal, RefusalCode, Rejection, SeatId, Sentence,
    State, sentence,
};

/// How much of a text is repeated in an answer, in letters.
const MOST_LETTERS: usize = 60;

/// What is written for a selection of no cells or no pieces.
const NOTHING: &str = "-";

/// An action in plain words: its name and its picks.
pub fn plain_notation(state: &State, action: &Action) -> String {
    let declared = state.declarations().action(action.action);
    let mut text = declared.map_or("?", |declared| &declared.name).to_owned();
    for pick in &action.picks {
        let pick = pick_text(state, pick);
        if !pick.is_empty() {
            let _ = write!(text, " {pick}");
        }
    }
    text
}

/// A pick as players write it: names of cells and seats; a piece by the cell it is on; several with commas between them, and a
/// selection of none as `-`. Only an empty text is written as no words at all.
pub fn pick_text(state: &State, pick: &Pick) -> String {
    let board = state.board();
    let piece_text = |piece: &PieceId| piece_text(state, *piece);
    let cell_text = |cell: &CellId| match board.cell_name(*cell) {
        "" => format!("cell {}", cell.0),
        name => name.to_owned(),
    };
    match pick {
        Pick::Cell(cell) => cell_text(cell),
        Pick::Cells(none) if none.is_empty() => NOTHING.to_owned(),
        Pick::Pieces(none) if none.is_empty() => NOTHING.to_owned(),
        Pick::Cells(cells) => cells.iter().map(cell_text).collect::<Vec<_>>().join(","),
        Pick::Piece(piece) => piece_text(piece),
        Pick::Pieces(pieces) => pieces.iter().map(piece_text).collect::<Vec<_>>().join(","),
        Pick::Seat(seat) => {
            let declared = state.declarations().seats.get(seat.index());
            declared.map_or("?", |seat| &seat.name).to_owned()
        }
        Pick::Number(number) => number.to_string(),
        Pick::Choice(word) | Pick::Text(word) => word.to_string(),
        Pick::Pose(pose) => pose.to_string(),
        Pick::Path(path) => path.iter().map(cell_text).collect::<Vec<_>>().join("-"),
    }
}

/// A part of the picks of an action in plain notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationPart<'n> {
    /// A text as it is.
    Text(&'n str),
    /// A picked piece that is written by its number, `#4`.
    Piece(PieceId),
}

/// What was picked for an action whose notation is the plain one: the text behind its name, with the pieces that are in it by their numbers.
/// `None` if the notation is the ruleset's own.
pub fn plain_picks<'n>(declared: &ActionDeclaration, action: &Action, notation: &'n str) -> Option<Vec<NotationPart<'n>>> {
    let picks = notation.strip_prefix(&*declared.name)?;
    let mut rest = if picks.is_empty() { picks } else { picks.strip_prefix(' ')? };
    let is_picked = |piece: PieceId| {
        action.picks.iter().any(|pick| match pick {
            Pick::Piece(picked) => *picked == piece,
            Pick::Pieces(picked) => picked.contains(&piece),
            _ => false,
        })
    };
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find('#')).map(|at| from + at) {
        let (before, numbered) = rest.split_at(at);
        let digits = numbered.len()
            - 1
            - numbered
                .get(1..)
                .unwrap_or_default()
                .trim_start_matches(|digit: char| digit.is_ascii_digit())
                .len();
        let piece = numbered.get(1..=digits).and_then(|number| number.parse().ok()).map(PieceId);
        let Some(piece) = piece.filter(|piece| is_picked(*piece)) else {
            from = at + 1;
            continue;
        };
        if !before.is_empty() {
            parts.push(NotationPart::Text(before));
        }
        parts.push(NotationPart::Piece(piece));
        (rest, from) = (numbered.get(1 + digits..).unwrap_or_default(), 0);
    }
    if !rest.is_empty() {
        parts.push(NotationPart::Text(rest));
    }
    Some(parts)
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
    let kind = state.declarations().kind(piece.kind).filter(|kind| kind.figure.is_some());
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
        let kind = state.declarations().kind(piece.kind);
        kind.is_some_and(|kind| kind.figure.is_some() && &*kind.name == name)
    };
    let mark = state.sequence().mark;
    let turn = state.declarations().turn(mark.place).map(|turn| &*turn.name);
    let is_own = |piece: &Piece| {
        let zone = piece.place.zone().and_then(|zone| state.declarations().zones.get(zone.index()));
        zone.is_some_and(|zone| Some(&*zone.name) == turn || (zone.owner.is_some() && zone.owner == mark.seat))
    };
    let meant = state.pieces().filter(is_meant).filter(|piece| !only_own || is_own(piece));
    meant.min_by_key(|piece| (!is_own(piece), piece.id)).map(|piece| piece.id)
}

/// The cell and the number of a piece that is written with both, `d9#7`, as notations of rulesets tell several pieces of a cell apart.
fn numbered_piece(state: &State, text: &str) -> Option<(CellId, PieceId)> {
    let (cell, number) = text.rsplit_once('#')?;
    Some((cell_named(state, cell)?, PieceId(number.parse().ok()?)))
}

/// The cell of a name, in whatever capitals if none has it exactly.
fn cell_named(state: &State, name: &str) -> Option<CellId> {
    let board = state.board();
    let exact = board.find_cell(name);
    exact.or_else(|| board.cells().find(|cell| board.cell_name(*cell).eq_ignore_ascii_case(name)))
}

/// Reads a pick as players write it. The reverse of [`pick_text`]; a piece may also be written by its cell and its number, `d9#7`.
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
            .or_else(|| {
                let (cell, piece) = numbered_piece(state, text)?;
                state.pieces_at(cell).contains(&piece).then_some(piece)
            })
            .ok_or_else(|| {
                if board.find_cell(text).is_some() {
                    wrong(sentence!("{text:?} is no cell with a piece"))
                } else if let Some((cell, PieceId(number))) = numbered_piece(state, text) {
                    let name = board.cell_name(cell);
                    wrong(sentence!("there is no piece {number} on {name}"))
                } else {
                    no_cell(text)
                }
            }),
    };
    let is_nothing = text == NOTHING && board.find_cell(NOTHING).is_none();
    let parts = || {
        let parts = text.split(',').map(str::trim);
        parts.filter(|part| !part.is_empty() && !is_nothing)
    };
    Ok(match kind {
        PickKind::Cell => Pick::Cell(cell(text)?),
        PickKind::Cells => {
            let mut cells = parts().map(cell).collect::<Result<Vec<_>, _>>()?;
            cells.sort_unstable();
            Pick::Cells(cells)
        }
        PickKind::Piece => Pick::Piece(piece(text)?),
        PickKind::Pieces => {
            let mut pieces = parts().map(piece).collect::<Result<Vec<_>, _>>()?;
            pieces.sort_unstable();
            Pick::Pieces(pieces)
        }
        PickKind::Seat => {
            let seat = state.declarations().find_seat(text);
            Pick::Seat(seat.ok_or_else(|| wrong(sentence!("{text:?} is no seat")))?)
        }
        PickKind::Number => Pick::Number(text.parse().map_err(|_| wrong(sentence!("{text:?} is no whole number")))?),
        PickKind::Choice => Pick::Choice(Arc::from(text)),
        PickKind::Pose => {
            let no_pose = || sentence!("{text:?} is no pose: 0, 90, 180 or 270, with an m before it if mirrored");
            Pick::Pose(text.parse().map_err(|_| wrong(no_pose()))?)
        }
        PickKind::Path => Pick::Path(text.split('-').map(cell).collect::<Result<_, _>>()?),
        PickKind::Text => Pick::Text(Arc::from(text)),
    })
}

/// The words of the first pick in a text, and the text behind them. A pick is one word, but names of cells may have blanks in them:
/// as many words are taken as make up the name of a cell, in whatever capitals; quotes may be put around it. A free text takes all.
pub fn split_pick<'a>(state: &'a State, kind: PickKind, text: &'a str) -> (&'a str, &'a str) {
    let text = text.trim_start();
    if kind != PickKind::Text
        && let Some((quoted, rest)) = text.strip_prefix('"').and_then(|inner| inner.split_once('"'))
    {
        let name = cell_name(state, quoted).filter(|(_, behind)| behind.is_empty());
        return (name.map_or(quoted, |(name, _)| name), rest.trim_start());
    }
    let cells = match kind {
        PickKind::Text => return (text, ""),
        PickKind::Piece => numbered_piece_text(state, text).or_else(|| cell_name(state, text)),
        PickKind::Cell => cell_name(state, text),
        PickKind::Cells => cell_names(state, text),
        PickKind::Pieces | PickKind::Seat | PickKind::Number | PickKind::Choice | PickKind::Pose | PickKind::Path => None,
    };
    cells.unwrap_or_else(|| {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (word, rest.trim_start())
    })
}

/// The ends of the words of a text that may be a name, the longest first.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let between = text.char_indices().filter(|(_, letter)| letter.is_whitespace() || *letter == ',');
    let mut ends: Vec<usize> = between.map(|(at, _)| at).chain([text.len()]).collect();
    ends.reverse();
    ends.into_iter().filter(|end| *end > 0)
}

/// The cell that a text begins with, by its name, and what follows.
fn cell_name<'a>(state: &'a State, text: &'a str) -> Option<(&'a str, &'a str)> {
    ends(text).find_map(|end| {
        let (name, rest) = text.split_at_checked(end)?;
        Some((state.board().cell_name(cell_named(state, name)?), rest.trim_start()))
    })
}

/// The piece that a text begins with, by its cell and its number, and what follows.
fn numbered_piece_text<'a>(state: &State, text: &'a str) -> Option<(&'a str, &'a str)> {
    ends(text).find_map(|end| {
        let (piece, rest) = text.split_at_checked(end)?;
        numbered_piece(state, piece).map(|_| (piece, rest.trim_start()))
    })
}

/// The cells with commas between them that a text begins with, as they are written, and what follows.
fn cell_names<'a>(state: &'a State, text: &'a str) -> Option<(&'a str, &'a str)> {
    let mut rest = text;
    loop {
        let (_, behind) = cell_name(state, rest)?;
        let Some(more) = behind.strip_prefix(',') else {
            let taken = text.len() - behind.len();
            return Some((text.get(..taken)?.trim_end(), behind));
        };
        rest = more.trim_start();
    }
}

/// Reads an action of a seat from words.
///
/// # Errors
/// A refusal that says what could not be understood or is not offered, or a fault of the rules.
pub fn read_action(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Result<Action, Rejection> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::new(RefusalCode::UnknownAction, sentence!("no action is named")).into());
    }
    let named = by_name(rules, view, seat, text);
    if let Some(Ok(action)) = &named
        && flow::check(rules, view, action).is_ok()
    {
        return Ok(action.clone());
    }
    if let Some(action) = by_notation(rules, view, seat, text)? {
        return Ok(action);
    }
    match named {
        Some(Ok(action)) => Ok(action),
        Some(Err(wrong)) => by_name_and_joined_cells(rules, view, seat, text).unwrap_or(Err(wrong)),
        None => {
            if let Some(action) = by_picks(rules, view, seat, text)? {
                return Ok(action);
            }
            let Some(cells) = cells_apart(view, text) else {
                return Err(not_understood(view, seat, text).into());
            };
            let found = by_picks(rules, view, seat, &cells)?;
            found.ok_or_else(|| why_not(rules, view, seat, &cells).unwrap_or_else(|| not_understood(view, seat, text).into()))
        }
    }
}

/// The action whose name stands before cells that are joined as notations join them: `move c4-c5`.
fn by_name_and_joined_cells(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Option<Result<Action, Rejection>> {
    let (name, joined) = text.split_once(char::is_whitespace)?;
    let cells = cells_apart(view, joined)?;
    by_name(rules, view, seat, &format!("{name} {cells}"))
}

/// The cells of a text that joins them as notations do, such as `c4-c5` or `c4xe6`, with spaces between them; `None` if it is something else.
fn cells_apart(view: &State, text: &str) -> Option<String> {
    let is_cell = |word: &str| view.board().find_cell(word).is_some() || numbered_piece(view, word).is_some();
    let is_joint = |letter: char| letter.is_whitespace() || matches!(letter, '-' | '–' | '>' | ':');
    let words = text.split(is_joint).filter(|word| !word.is_empty());
    let words = words.flat_map(|word| {
        let taken = word
            .split_once('x')
            .filter(|(from, to)| !is_cell(word) && is_cell(from) && is_cell(to));
        let (first, second) = taken.map_or((word, None), |(from, to)| (from, Some(to)));
        [Some(first), second].into_iter().flatten()
    });
    let cells: Vec<&str> = words.collect();
    (cells.len() > 1 && cells.iter().all(|word| is_cell(word))).then(|| cells.join(" "))
}

/// Why cells with spaces between them are no action now: what the first offered action says that takes cells.
fn why_not(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, cells: &str) -> Option<Rejection> {
    let takes_cells = |action: &ActionId| {
        let declared = view.declarations().action(*action);
        declared.is_some_and(|declared| {
            declared
                .picks
                .iter()
                .any(|pick| matches!(pick.kind, PickKind::Cell | PickKind::Piece))
        })
    };
    let action = flow::offered(view, seat).find(takes_cells)?;
    let read = read_picks(rules, view, seat, action, cells).and_then(|action| flow::check(rules, view, &action));
    read.err()
}

/// The action whose name the words begin with; `None` if they begin with none.
fn by_name(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Option<Result<Action, Rejection>> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let declarations = view.declarations();
    let same = |(_, declared): &(ActionId, &boardwright_model::ActionDeclaration)| declared.name.eq_ignore_ascii_case(name);
    let (action, _) = declarations.action_ids().find(same)?;
    Some(read_picks(rules, view, seat, action, rest))
}

/// The offered action that the words are the picks of. One that people confirm is not meant where the words could begin another.
fn by_picks(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Result<Option<Action>, Rejection> {
    let offered: Vec<ActionId> = flow::offered(view, seat).collect();
    let declared = |action: ActionId| view.declarations().action(action);
    let mut fault = None;
    let mut begun = Vec::new();
    let mut confirmed = None;
    for action in offered {
        let read = read_picks(rules, view, seat, action, text).and_then(|action| {
            flow::check(rules, view, &action)?;
            Ok(action)
        });
        match read {
            Ok(whole) if declared(action).is_some_and(|declared| declared.is_confirmed) => confirmed = confirmed.or(Some(whole)),
            Ok(whole) => return Ok(Some(whole)),
            // The words may be meant for another action.
            Err(wrong @ Rejection::Fault(_)) => drop(fault.get_or_insert(wrong)),
            Err(Rejection::Refused(refusal)) if refusal.code == RefusalCode::Unfinished => begun.push(action),
            Err(Rejection::Refused(_)) => {}
        }
    }
    match confirmed {
        Some(whole) if begun.is_empty() => Ok(Some(whole)),
        Some(whole) => {
            let meant = std::iter::once(whole.action).chain(begun).filter_map(declared);
            let actions: Vec<String> = meant.map(|declared| format!("{} {text}", declared.name)).collect();
            Err(several_meant(text, &actions.join("; ")).into())
        }
        None => fault.map_or(Ok(None), Err),
    }
}

fn several_meant(text: &str, actions: &str) -> Refusal {
    let reason = sentence!("{text:?} can mean more than one action: {actions}");
    Refusal::new(RefusalCode::NotOffered, reason)
}

fn read_picks(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, action: ActionId, text: &str) -> Result<Action, Rejection> {
    let declared = view.declarations().action(action).map_or(&[][..], |declared| &declared.picks);
    let mut rest = text.trim();
    let mut picks = Picks::new();
    for (index, pick) in declared.iter().enumerate() {
        let (word, tail) = split_pick(view, pick.kind, rest);
        rest = tail;
        if word.is_empty() && pick.kind != PickKind::Text {
            let domain = flow::next_domain(rules, view, seat, action, &picks)?;
            // What comes last may be left out where nothing may be picked.
            let nothing = nothing_of(pick.kind).filter(|_| index + 1 == declared.len());
            if let Some(nothing) = nothing.filter(|nothing| domain.as_ref().is_some_and(|domain| domain.contains(nothing))) {
                picks.push(nothing);
                continue;
            }
            // What was picked may not be possible, or lead nowhere: then nothing is asked.
            if domain.is_some_and(|domain| domain.is_empty())
                && let Some(last) = picks.last()
            {
                let reason = sentence!("nothing can be done with {pick} now", pick = pick_text(view, last));
                return Err(Refusal::new(RefusalCode::NotOffered, reason).into());
            }
            return Err(flow::still_to_pick(Some(pick)).into());
        }
        picks.push(read_offered_pick(rules, view, seat, action, &picks, (pick.kind, word))?);
    }
    if !rest.is_empty() {
        let reason = sentence!("nothing more is to be picked, so {rest:?} is too much");
        return Err(Refusal::new(RefusalCode::WrongPicks, reason).into());
    }
    Ok(Action { seat, action, picks })
}

/// The selection of none, of a pick of several.
fn nothing_of(kind: PickKind) -> Option<Pick> {
    match kind {
        PickKind::Cells => Some(Pick::Cells(Vec::new())),
        PickKind::Pieces => Some(Pick::Pieces(Vec::new())),
        _ => None,
    }
}

/// One pick. Of several pieces that the word may mean it takes one that is offered.
fn read_offered_pick(
    rules: &dyn Rules,
    view: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    picked: &[Pick],
    (kind, word): (PickKind, &str),
) -> Result<Pick, Rejection> {
    if kind == PickKind::Piece && !word.starts_with('#') {
        let is_meant = |piece: &&Piece| {
            let kind = view.declarations().kind(piece.kind);
            piece.place.cell().is_some_and(|cell| view.board().cell_name(cell) == word)
                || kind.is_some_and(|kind| kind.name.eq_ignore_ascii_case(word))
        };
        let domain = rules.domain(view, seat, action, picked)?;
        let meant = view.pieces().filter(is_meant).map(|piece| Pick::Piece(piece.id));
        let meant: Vec<Pick> = meant.filter(|pick| domain.contains(pick)).collect();
        if let Some(first) = meant.first() {
            if meant.iter().all(|other| are_alike_picks(view, first, other)) {
                return Ok(first.clone());
            }
            let pieces: Vec<String> = meant.iter().map(|pick| in_full(view, pick)).collect();
            let reason = sentence!("{word:?} can mean more than one piece: {pieces}", pieces = pieces.join("; "));
            return Err(Refusal::new(RefusalCode::WrongPicks, reason).into());
        }
    }
    Ok(read_pick(view, kind, word)?)
}

/// A piece by its cell and its number.
fn in_full(state: &State, pick: &Pick) -> String {
    let cell = match pick {
        Pick::Piece(id) => state.piece(*id).and_then(|piece| piece.place.cell()),
        _ => None,
    };
    let name = cell.map_or("", |cell| state.board().cell_name(cell));
    match pick {
        Pick::Piece(id) => format!("{name}#{}", id.0),
        other => pick_text(state, other),
    }
}

/// The legal action of a notation, as the ruleset or plain words write it: first exactly, then without regard to capitals.
fn by_notation(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Result<Option<Action>, Rejection> {
    let legal = flow::available(rules, view, seat)?;
    let mut near: Option<Action> = None;
    let mut same = Vec::new();
    for action in legal {
        let notation = rules.notation(view, &action);
        if notation == text || plain_notation(view, &action) == text {
            same.push(action);
        } else if near.is_none() && notation.eq_ignore_ascii_case(text) {
            near = Some(action);
        }
    }
    match same.as_slice() {
        [] => {
            // What was not written down by the rules cannot be found.
            check_budget(rules)?;
            Ok(near)
        }
        [first, others @ ..] if others.iter().all(|other| are_alike(view, first, other)) => Ok(Some(first.clone())),
        several => {
            let words: Vec<_> = several.iter().map(|action| plain_notation(view, action)).collect();
            Err(several_meant(text, &words.join("; ")).into())
        }
    }
}

/// Whether two actions differ in nothing but which of several pieces they pick that are alike: two equal cards of a hand, for instance. Then
/// either may be meant.
pub fn are_alike(state: &State, one: &Action, other: &Action) -> bool {
    (one.seat, one.action, one.picks.len()) == (other.seat, other.action, other.picks.len())
        && one
            .picks
            .iter()
            .zip(&other.picks)
            .all(|(one, other)| are_alike_picks(state, one, other))
}

fn are_alike_picks(state: &State, one: &Pick, other: &Pick) -> bool {
    let alike = |one: &PieceId, other: &PieceId| {
        let looks = |piece: &PieceId| {
            let piece = state.piece(*piece)?;
            Some((piece.kind, piece.owner, piece.place, piece.revealed, &piece.values))
        };
        one == other || looks(one).is_some_and(|seen| looks(other) == Some(seen))
    };
    match (one, other) {
        (Pick::Piece(one), Pick::Piece(other)) => alike(one, other),
        (Pick::Pieces(one), Pick::Pieces(other)) => one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other)),
        _ => one == other,
    }
}

fn not_understood(view: &State, seat: SeatId, text: &str) -> Refusal {
    if view.outcome().is_some() {
        return Refusal::new(RefusalCode::MatchOver, sentence!("the match is over"));
    }
    let fitting = flow::fitting(view, seat).filter_map(|action| view.declarations().action(action));
    let names: Vec<&str> = fitting.map(|declared| &*declared.name).collect();
    let reason = sentence!("{text:?} is no action; now there is {actions}", actions = names.join(", "));
    Refusal::new(RefusalCode::UnknownAction, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Board, Declarations, KindDeclaration, Map, MapCell, Setup, SetupPiece, SetupPlace, Topology};

    fn state() -> State {
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = ["Europe", "Western Europe", "North", "North Cape"]
            .map(|name| MapCell::new(name, 0, 0))
            .into();
        for (x, cell) in (0..).zip(&mut map.cells) {
            cell.x = x * 1000;
        }
        State::empty(Arc::new(Board::from_map(&map).unwrap()), Arc::new(Declarations::default()), &[])
    }

    #[test]
    fn the_longest_name_of_a_cell_is_taken() {
        let state = state();
        let split = |text| split_pick(&state, PickKind::Cell, text);
        assert_eq!(split("North Cape Western Europe 3"), ("North Cape", "Western Europe 3"));
        assert_eq!(split("north western europe"), ("North", "western europe"));
        assert_eq!(split("South Pole"), ("South", "Pole"));
        assert_eq!(split_pick(&state, PickKind::Number, " 3 Europe"), ("3", "Europe"));
        assert_eq!(split_pick(&state, PickKind::Text, "Europe is far"), ("Europe is far", ""));
    }

    #[test]
    fn plain_notation_is_told_from_that_of_a_ruleset_and_names_pieces_that_were_picked() {
        let declared = ActionDeclaration {
            name: "sell".into(),
            title: "Sell".into(),
            rule: "".into(),
            picks: Vec::new(),
            phases: Vec::new(),
            answers_decision: false,
            instead_of: None,
            ends_turn: true,
            is_aside: false,
            is_last_resort: false,
            is_open: false,
            begins_contest: false,
            is_confirmed: false,
        };
        let action = Action {
            seat: SeatId(0),
            action: ActionId(0),
            picks: [Pick::Cell(CellId(2)), Pick::Pieces(vec![PieceId(4), PieceId(12)])]
                .into_iter()
                .collect(),
        };
        let parts = |notation| plain_picks(&declared, &action, notation);
        let (text, piece) = (NotationPart::Text, |id| NotationPart::Piece(PieceId(id)));
        assert_eq!(
            parts("sell North Cape #4,#12"),
            Some(vec![text("North Cape "), piece(4), text(","), piece(12)])
        );
        // A number that stands in a name is no piece, and neither is one that was not picked.
        assert_eq!(parts("sell Pier #7 #4 #"), Some(vec![text("Pier #7 "), piece(4), text(" #")]));
        assert_eq!(parts("sell"), Some(Vec::new()));
        assert_eq!((parts("sells #4"), parts("North Cape - #4")), (None, None));
    }

    /// Two pieces on Western Europe, 0 and 1, and one on North, 2.
    fn with_pieces() -> State {
        let declarations = Declarations {
            kinds: vec![KindDeclaration {
                name: "ship".into(),
                title: "Ship".into(),
                glyph: "".into(),
                values: Vec::new(),
                figure: None,
            }],
            ..Declarations::default()
        };
        let piece = |cell: &str| SetupPiece {
            kind: "ship".to_owned(),
            place: SetupPlace::Cell(cell.to_owned()),
            ..SetupPiece::default()
        };
        let setup = Setup {
            pieces: ["Western Europe", "Western Europe", "North"].map(piece).into(),
            ..Setup::default()
        };
        let board = Arc::new(state().board().clone());
        setup.build(&board, &Arc::new(declarations)).unwrap()
    }

    #[test]
    fn a_piece_is_read_by_its_number_by_its_cell_and_by_both() {
        let state = with_pieces();
        let read = |text| read_pick(&state, PickKind::Piece, text).ok();
        let piece = |id| Some(Pick::Piece(PieceId(id)));
        assert_eq!(read("#1"), piece(1));
        assert_eq!(read("North"), piece(2));
        assert_eq!(read("Western Europe#1"), piece(1));
        assert_eq!(read("western europe#0"), piece(0));
        let several = read_pick(&state, PickKind::Pieces, "North#2,Western Europe#0").unwrap();
        assert_eq!(several, Pick::Pieces(vec![PieceId(0), PieceId(2)]));
        for pick in [Pick::Piece(PieceId(1)), Pick::Piece(PieceId(2)), several] {
            let kind = if matches!(pick, Pick::Piece(_)) {
                PickKind::Piece
            } else {
                PickKind::Pieces
            };
            assert_eq!(
                read_pick(&state, kind, &pick_text(&state, &pick)),
                Ok(pick),
                "what is printed is read"
            );
        }
    }

    #[test]
    fn a_number_of_a_piece_that_is_elsewhere_or_nowhere_is_refused() {
        let state = with_pieces();
        let refused = |text| read_pick(&state, PickKind::Piece, text).unwrap_err().reason.to_string();
        assert_eq!(refused("North#1"), "there is no piece 1 on North");
        assert_eq!(refused("north#7"), "there is no piece 7 on North");
        assert_eq!(refused("North#"), "\"North#\" is no cell of this board");
        assert_eq!(refused("#x"), "\"#x\" is no piece");
    }

    #[test]
    fn the_name_of_a_cell_and_a_number_are_one_pick() {
        let state = with_pieces();
        let split = |text| split_pick(&state, PickKind::Piece, text);
        assert_eq!(split("Western Europe#1 North"), ("Western Europe#1", "North"));
        assert_eq!(split("North#2"), ("North#2", ""));
        assert_eq!(split("#1 North"), ("#1", "North"));
        assert_eq!(cells_apart(&state, "North#2-Western"), None);
        assert_eq!(cells_apart(&state, "North#2-Europe").as_deref(), Some("North#2 Europe"));
    }

    #[test]
    fn names_in_a_list_have_commas_between_them() {
        let state = state();
        let split = |text| split_pick(&state, PickKind::Cells, text);
        assert_eq!(split("North Cape, Europe 2"), ("North Cape, Europe", "2"));
        assert_eq!(split("Europe"), ("Europe", ""));
        assert_eq!(split("Europe, Nowhere 2"), ("Europe,", "Nowhere 2"));
    }
}
