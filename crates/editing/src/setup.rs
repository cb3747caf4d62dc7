//! Scenarios: seats, players, options, pieces and properties.

use std::collections::BTreeSet;

use boardwright_model::{Scenario, SetupPiece, SetupPlace, SetupTarget, SetupValue};

use super::{Edit, Splice};

/// The cell that a piece stands on, or has its anchor on.
pub const fn cell_of(piece: &SetupPiece) -> Option<&String> {
    match &piece.place {
        SetupPlace::Cell(cell) | SetupPlace::Side(cell, _) | SetupPlace::Posed(cell, _) => Some(cell),
        SetupPlace::Off | SetupPlace::Zone(..) => None,
    }
}

/// The pieces on a cell, by their positions in the list, lowest first.
pub fn pieces_on(scenario: &Scenario, cell: &str) -> Vec<usize> {
    let pieces = scenario.setup.pieces.iter().enumerate();
    pieces
        .filter(|(_, piece)| cell_of(piece).is_some_and(|there| there == cell))
        .map(|(index, _)| index)
        .collect()
}

/// Puts a piece behind the last that differs from it in nothing but its cell, so that they share a line of the file, or else at the end.
pub fn add_piece(scenario: &Scenario, piece: SetupPiece) -> Vec<Edit> {
    let pieces = &scenario.setup.pieces;
    let is_alike = |other: &SetupPiece| {
        let are_on_cells = matches!((&other.place, &piece.place), (SetupPlace::Cell(_), SetupPlace::Cell(_)));
        are_on_cells && other.kind == piece.kind && other.owner == piece.owner && other.values == piece.values
    };
    let at = pieces.iter().rposition(is_alike).map_or(pieces.len(), |last| last + 1);
    vec![Edit::Pieces(Splice::insert(at, piece))]
}

/// Takes pieces away, given by their positions in the list.
pub fn remove_pieces(scenario: &Scenario, pieces: &BTreeSet<usize>) -> Vec<Edit> {
    let there = pieces.iter().rev().filter(|index| **index < scenario.setup.pieces.len());
    there.map(|index| Edit::Pieces(Splice::remove(*index))).collect()
}

fn change(scenario: &Scenario, pieces: &BTreeSet<usize>, change: impl Fn(&mut SetupPiece)) -> Vec<Edit> {
    let mut edits = Vec::new();
    for &index in pieces {
        let Some(old) = scenario.setup.pieces.get(index) else { continue };
        let mut new = old.clone();
        change(&mut new);
        if new != *old {
            edits.push(Edit::Pieces(Splice::replace(index, new)));
        }
    }
    edits
}

/// Moves pieces to a cell. Those on a side of a cell or in a pose keep it.
pub fn move_pieces(scenario: &Scenario, pieces: &BTreeSet<usize>, to: &str) -> Vec<Edit> {
    change(scenario, pieces, |piece| {
        piece.place = match &piece.place {
            SetupPlace::Side(_, side) => SetupPlace::Side(to.to_owned(), side.clone()),
            SetupPlace::Posed(_, pose) => SetupPlace::Posed(to.to_owned(), pose.clone()),
            SetupPlace::Cell(_) | SetupPlace::Off | SetupPlace::Zone(..) => SetupPlace::Cell(to.to_owned()),
        };
    })
}

/// Puts pieces into any place: a cell, a side, a pose, a zone, or out of play.
pub fn place_pieces(scenario: &Scenario, pieces: &BTreeSet<usize>, place: &SetupPlace) -> Vec<Edit> {
    change(scenario, pieces, |piece| piece.place.clone_from(place))
}

/// Gives pieces to a seat, or to none.
pub fn give_pieces(scenario: &Scenario, pieces: &BTreeSet<usize>, owner: Option<&str>) -> Vec<Edit> {
    change(scenario, pieces, |piece| piece.owner = owner.map(str::to_owned))
}

/// Makes pieces of another kind.
pub fn change_kind(scenario: &Scenario, pieces: &BTreeSet<usize>, kind: &str) -> Vec<Edit> {
    change(scenario, pieces, |piece| kind.clone_into(&mut piece.kind))
}

/// Gives pieces a property, or leaves them the value of their kind.
pub fn piece_property(scenario: &Scenario, pieces: &BTreeSet<usize>, name: &str, value: Option<&str>) -> Vec<Edit> {
    change(scenario, pieces, |piece| set_pair(&mut piece.values, name, value))
}

/// Sets, adds or removes a pair in a list.
fn set_pair(pairs: &mut Vec<(String, String)>, name: &str, value: Option<&str>) {
    let there = pairs.iter().position(|(other, _)| other == name);
    match (there, value) {
        (Some(index), Some(value)) => {
            if let Some(pair) = pairs.get_mut(index) {
                value.clone_into(&mut pair.1);
            }
        }
        (Some(index), None) => drop(pairs.remove(index)),
        (None, Some(value)) => pairs.push((name.to_owned(), value.to_owned())),
        (None, None) => {}
    }
}

/// What sets, adds or removes a pair in a list.
fn pair_edit(pairs: &[(String, String)], name: &str, value: Option<&str>, edit: fn(Splice<(String, String)>) -> Edit) -> Vec<Edit> {
    let there = pairs.iter().enumerate().find(|(_, (other, _))| other == name);
    let splice = match (there, value) {
        (Some((_, (_, old))), Some(value)) if old == value => return Vec::new(),
        (Some((index, _)), Some(value)) => Splice::replace(index, (name.to_owned(), value.to_owned())),
        (Some((index, _)), None) => Splice::remove(index),
        (None, Some(value)) => Splice::insert(pairs.len(), (name.to_owned(), value.to_owned())),
        (None, None) => return Vec::new(),
    };
    vec![edit(splice)]
}

/// Sets an option, or leaves it at its default.
pub fn option(scenario: &Scenario, name: &str, value: Option<&str>) -> Vec<Edit> {
    pair_edit(&scenario.setup.options, name, value, Edit::Options)
}

/// Says who usually plays a seat, or says nothing of it.
pub fn player(scenario: &Scenario, seat: &str, plays: Option<&str>) -> Vec<Edit> {
    pair_edit(&scenario.players, seat, plays, Edit::Players)
}

/// Says which seats take part, in turn order; none if all that the ruleset declares do. Who plays a seat that is out is no longer said.
pub fn seats(scenario: &Scenario, seats: &[String]) -> Vec<Edit> {
    let mut edits = Vec::new();
    if seats != scenario.setup.seats {
        edits.push(Edit::Seats(Splice {
            at: 0,
            remove: scenario.setup.seats.len(),
            insert: seats.to_vec(),
        }));
    }
    if !seats.is_empty() {
        let gone = scenario.players.iter().enumerate().filter(|(_, (seat, _))| !seats.contains(seat));
        edits.extend(gone.rev().map(|(index, _)| Edit::Players(Splice::remove(index))));
    }
    edits
}

/// Gives the match, a seat, a cell or an edge a property, or leaves it at its default.
pub fn property(scenario: &Scenario, target: &SetupTarget, name: &str, value: Option<&str>) -> Vec<Edit> {
    let values = &scenario.setup.values;
    let is_target = |other: &SetupTarget| match (other, target) {
        (SetupTarget::Edge(a, b), SetupTarget::Edge(c, d)) => (a == c && b == d) || (a == d && b == c),
        (other, target) => other == target,
    };
    let there = values
        .iter()
        .enumerate()
        .find(|(_, value)| value.name == name && is_target(&value.target));
    let new = value.map(|value| SetupValue {
        target: target.clone(),
        name: name.to_owned(),
        value: value.to_owned(),
    });
    let splice = match (there, new) {
        (Some((_, old)), Some(new)) if old.value == new.value => return Vec::new(),
        (Some((index, _)), Some(new)) => Splice::replace(index, new),
        (Some((index, _)), None) => Splice::remove(index),
        (None, Some(new)) => Splice::insert(values.len(), new),
        (None, None) => return Vec::new(),
    };
    vec![Edit::Values(splice)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Step, StepKind};

    #[test]
    fn pieces_are_put_beside_their_like_moved_given_and_taken() {
        let mut draft = Draft::Scenario(Scenario::default());
        let mut apply = |edits: &dyn Fn(&Scenario) -> Vec<Edit>| {
            let edits = edits(draft.scenario().unwrap());
            drop(Step::new(StepKind::Pieces, edits).apply(&mut draft));
            let pieces = draft.scenario().unwrap().setup.pieces.iter();
            let text = |piece: &SetupPiece| format!("{}{}", piece.kind, cell_of(piece).map_or("-", String::as_str));
            pieces.map(text).collect::<Vec<_>>().join(" ")
        };
        let piece = |kind: &str, cell: &str| SetupPiece {
            kind: kind.to_owned(),
            place: SetupPlace::Cell(cell.to_owned()),
            ..SetupPiece::default()
        };
        apply(&|scenario| add_piece(scenario, piece("k", "a1")));
        apply(&|scenario| add_piece(scenario, piece("l", "a1")));
        assert_eq!(apply(&|scenario| add_piece(scenario, piece("k", "a2"))), "ka1 ka2 la1");
        apply(&|scenario| piece_property(scenario, &[1, 2].into(), "armies", Some("3")));
        assert_eq!(apply(&|scenario| move_pieces(scenario, &[0, 1].into(), "c3")), "kc3 kc3 la1");
        assert_eq!(
            apply(&|scenario| place_pieces(scenario, &[2].into(), &SetupPlace::Off)),
            "kc3 kc3 l-"
        );
        assert_eq!(apply(&|scenario| remove_pieces(scenario, &[0, 2].into())), "kc3");
        assert_eq!(
            draft.scenario().unwrap().setup.pieces[0].values,
            [("armies".to_owned(), "3".to_owned())]
        );
    }

    #[test]
    fn values_at_their_default_are_not_listed() {
        let mut draft = Draft::Scenario(Scenario::default());
        let edge = |a: &str, b: &str| SetupTarget::Edge(a.to_owned(), b.to_owned());
        for (target, value) in [(edge("a", "b"), Some("1")), (edge("b", "a"), Some("2")), (SetupTarget::Match, None)] {
            let edits = property(draft.scenario().unwrap(), &target, "p", value);
            drop(Step::new(StepKind::Property, edits).apply(&mut draft));
        }
        let values = &draft.scenario().unwrap().setup.values;
        assert_eq!((values.len(), &*values[0].value), (1, "2"));
        let edits = property(draft.scenario().unwrap(), &edge("a", "b"), "p", None);
        drop(Step::new(StepKind::Property, edits).apply(&mut draft));
        assert!(draft.scenario().unwrap().setup.values.is_empty());
    }
}
