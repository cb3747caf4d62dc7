//! Pieces as tests write them: `"red army"`, `"red army strength=3"`, `"wall"`.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::super::api::convert::list_of;
use super::super::value::Answer;
use super::context::fail;
use boardwright_model::{Board, Declarations, Piece, Place, Pose, Scope, SetupPiece, SetupPlace, State};

/// A piece that a test speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Described {
    kind: String,
    owner: Option<String>,
    pose: Option<Pose>,
    values: Vec<(String, String)>,
}

/// Reads the words of a piece, in any order.
pub(super) fn read(declarations: &Declarations, text: &str) -> Answer<Described> {
    let mut described = Described::default();
    for word in text.split_whitespace() {
        if let Some((name, value)) = word.split_once('=') {
            described.values.push((name.to_owned(), value.to_owned()));
        } else if described.kind.is_empty() && declarations.find_kind(word).is_some() {
            word.clone_into(&mut described.kind);
        } else if described.owner.is_none() && declarations.find_seat(word).is_some() {
            described.owner = Some(word.to_owned());
        } else if let Ok(pose) = word.parse() {
            described.pose = Some(pose);
        } else {
            return Err(fail(format!("{text:?}: {word:?} is no kind, seat, pose or property=value")));
        }
    }
    if described.kind.is_empty() {
        return Err(fail(format!("{text:?} names no kind of piece")));
    }
    Ok(described)
}

/// The texts of a value: one, or a list of them.
pub(super) fn texts(value: &Dynamic, what: &str) -> Answer<Vec<String>> {
    let text = |value: &Dynamic| value.as_immutable_string_ref().ok().map(|text| text.to_string());
    let texts = text(value).map(|text| vec![text]).or_else(|| list_of(value, text));
    texts.ok_or_else(|| fail(format!("{what}: expected a text or a list of texts")))
}

/// The pieces of a set-up: cells and zones, each with what stands there.
pub(super) fn read_all(board: &Board, declarations: &Declarations, pieces: &Map) -> Answer<Vec<SetupPiece>> {
    let mut all = Vec::new();
    for (key, value) in pieces {
        let place = place(board, declarations, key)?;
        for text in texts(value, key)? {
            let described = read(declarations, &text)?;
            let owner = described.owner.or_else(|| match &place {
                SetupPlace::Zone(_, owner) => owner.clone(),
                _ => None,
            });
            all.push(SetupPiece {
                kind: described.kind,
                name: None,
                owner,
                place: match (&place, described.pose) {
                    (SetupPlace::Cell(cell), Some(pose)) => SetupPlace::Posed(cell.clone(), pose.to_string()),
                    _ => place.clone(),
                },
                values: described.values,
            });
        }
    }
    Ok(all)
}

/// A cell, one with a side of it behind, or a zone with the seat it belongs to in front.
fn place(board: &Board, declarations: &Declarations, key: &str) -> Answer<SetupPlace> {
    if board.find_cell(key).is_some() {
        return Ok(SetupPlace::Cell(key.to_owned()));
    }
    if let Some((cell, side)) = key.rsplit_once(' ')
        && board.find_cell(cell).is_some()
        && board.find_direction(side).is_some()
    {
        return Ok(SetupPlace::Side(cell.to_owned(), side.to_owned()));
    }
    let (owner, zone) = key.split_once(' ').map_or((None, key), |(owner, zone)| (Some(owner), zone));
    let seat = owner.and_then(|owner| declarations.find_seat(owner));
    if owner.is_some() == seat.is_some() && declarations.find_zone(zone, seat).is_some() {
        return Ok(SetupPlace::Zone(zone.to_owned(), owner.map(str::to_owned)));
    }
    Err(fail(format!("{key:?} is no cell of the board, no side of one and no zone")))
}

/// Whether a piece is as described. What the test leaves out does not matter, but for the owner.
pub(super) fn is_as_described(state: &State, piece: &Piece, described: &Described) -> bool {
    let declarations = state.declarations();
    let kind = declarations.kind(piece.kind).is_some_and(|kind| *kind.name == *described.kind);
    let owner = piece.owner.and_then(|owner| declarations.seats.get(owner.index()));
    let has = |(name, value): &(String, String)| {
        let property = declarations
            .find_property(Scope::Piece, name)
            .and_then(|id| declarations.property(id));
        let found = property.and_then(|property| piece.values.get(usize::from(property.slot)));
        property.is_some_and(|property| property.value_type.parse(value).ok().as_ref() == found)
    };
    let lies = described
        .pose
        .is_none_or(|pose| matches!(piece.place, Place::Posed(_, found) if found == pose));
    kind && lies && owner.map(|owner| &*owner.name) == described.owner.as_deref() && described.values.iter().all(has)
}

/// A piece in the words of tests.
pub(super) fn describe(state: &State, piece: &Piece) -> String {
    let declarations = state.declarations();
    let kind = declarations.kind(piece.kind).map_or("?", |kind| &*kind.name);
    let owner = piece.owner.and_then(|owner| declarations.seats.get(owner.index()));
    let mut text = owner.map_or_else(String::new, |owner| format!("{} ", owner.name));
    text.push_str(kind);
    if let Place::Posed(_, pose) = piece.place {
        text.extend([" ", pose.word()]);
    }
    // What the kind says goes without saying.
    let of_kind = declarations.kind(piece.kind).map_or(&[][..], |kind| &kind.values);
    for (id, property) in declarations.properties_of(Scope::Piece) {
        let default = of_kind
            .iter()
            .find(|(other, _)| *other == id)
            .map_or(&property.default, |(_, value)| value);
        if let Some(value) = piece.values.get(usize::from(property.slot)).filter(|value| *value != default) {
            text.extend([" ", &property.name, "=", &value.to_string()]);
        }
    }
    text
}

/// The pieces on a cell, in the words of tests.
pub(super) fn describe_cell(state: &State, cell: boardwright_model::CellId) -> String {
    let pieces = state.pieces_at(cell).iter().filter_map(|id| state.piece(*id));
    let texts: Vec<String> = pieces.map(|piece| describe(state, piece)).collect();
    if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") }
}

/// The name of the board's cells for messages.
pub(super) fn find_cell(state: &Arc<State>, name: &str) -> Answer<boardwright_model::CellId> {
    state
        .board()
        .find_cell(name)
        .ok_or_else(|| fail(format!("the map has no cell {name:?}")))
}
