//! Scenarios: seats, players, options, pieces and properties.

use std::collections::BTreeSet;

use boardwright_model::{Board, CellId, Scenario, SetupPiece, SetupPlace, SetupTarget, SetupValue};

use super::paint::free_name;
use super::selection::moved_cell;
use super::{Edit, Lattice, Splice};

/// The cell that a piece stands on, or has its anchor on.
pub const fn cell_of(piece: &SetupPiece) -> Option<&String> {
    match &piece.place {
        SetupPlace::Cell(cell) | SetupPlace::Side(cell, _) | SetupPlace::Posed(cell, _) => Some(cell),
        SetupPlace::Off | SetupPlace::Zone(..) | SetupPlace::Aboard(_) => None,
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
        other.name.is_none() && are_on_cells && other.kind == piece.kind && other.owner == piece.owner && other.values == piece.values
    };
    let at = pieces.iter().rposition(is_alike).map_or(pieces.len(), |last| last + 1);
    vec![Edit::Pieces(Splice::insert(at, piece))]
}

/// Takes pieces away, given by their positions in the list. What is aboard them and stays comes to where they are.
pub fn remove_pieces(scenario: &Scenario, pieces: &BTreeSet<usize>) -> Vec<Edit> {
    let all = &scenario.setup.pieces;
    let mut edits = Vec::new();
    for index in pieces {
        let Some(place) = all.get(*index).map(|piece| &piece.place) else {
            continue;
        };
        let place = remaining_place(all, pieces, place);
        let aboard = aboard(scenario, *index).into_iter().filter(|passenger| !pieces.contains(passenger));
        edits.extend(place_pieces(scenario, &aboard.collect(), place));
    }
    let there = pieces.iter().rev().filter(|index| **index < all.len());
    edits.extend(there.map(|index| Edit::Pieces(Splice::remove(*index))));
    edits
}

/// Where a place is when pieces are taken away: what was aboard one of them is where that one was.
fn remaining_place<'a>(all: &'a [SetupPiece], gone: &BTreeSet<usize>, mut place: &'a SetupPlace) -> &'a SetupPlace {
    for _ in 0..all.len() {
        let SetupPlace::Aboard(name) = place else { break };
        let carrier = all.iter().position(|piece| piece.name.as_ref() == Some(name));
        match carrier
            .filter(|carrier| gone.contains(carrier))
            .and_then(|carrier| all.get(carrier))
        {
            Some(carrier) => place = &carrier.place,
            None => break,
        }
    }
    place
}

/// The piece that carries one in the end, or that one itself, by its position in the list.
pub fn outermost(scenario: &Scenario, piece: usize) -> usize {
    let all = &scenario.setup.pieces;
    let mut outer = piece;
    for _ in 0..all.len() {
        let carrier = match all.get(outer).map(|piece| &piece.place) {
            Some(SetupPlace::Aboard(name)) => all.iter().position(|piece| piece.name.as_ref() == Some(name)),
            _ => None,
        };
        match carrier {
            Some(carrier) => outer = carrier,
            None => break,
        }
    }
    outer
}

/// The pieces that are aboard one, by their positions in the list.
pub fn aboard(scenario: &Scenario, carrier: usize) -> Vec<usize> {
    let all = &scenario.setup.pieces;
    let Some(name) = all.get(carrier).and_then(|piece| piece.name.as_ref()) else {
        return Vec::new();
    };
    let is_aboard = |piece: &SetupPiece| matches!(&piece.place, SetupPlace::Aboard(on) if on == name);
    let passengers = all.iter().enumerate().filter(|(_, piece)| is_aboard(piece));
    passengers.map(|(index, _)| index).collect()
}

/// Puts pieces aboard another one, which gets a name if it has none. Nothing if that one is aboard one of them.
pub fn put_aboard(scenario: &Scenario, pieces: &BTreeSet<usize>, carrier: usize) -> Vec<Edit> {
    let all = &scenario.setup.pieces;
    let Some(found) = all.get(carrier) else { return Vec::new() };
    let is_taken = |name: &str| all.iter().any(|piece| piece.name.as_deref() == Some(name));
    let name = found.name.clone().unwrap_or_else(|| free_name(&found.kind, is_taken));
    let mut above = Some(carrier);
    for _ in 0..all.len() {
        if above.is_some_and(|above| pieces.contains(&above)) {
            return Vec::new();
        }
        let is_above = |at: usize| above.is_some_and(|above| self::aboard(scenario, at).contains(&above));
        above = (0..all.len()).find(|at| is_above(*at));
    }
    let mut edits = change(scenario, &[carrier].into(), |piece| piece.name = Some(name.clone()));
    edits.extend(place_pieces(scenario, pieces, &SetupPlace::Aboard(name)));
    edits
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
            SetupPlace::Cell(_) | SetupPlace::Off | SetupPlace::Zone(..) | SetupPlace::Aboard(_) => SetupPlace::Cell(to.to_owned()),
        };
    })
}

/// Moves pieces together, so that those on one cell come to another: the others by as much on grids, those on the same cell on free graphs.
/// Pieces in zones and out of play come to the cell itself. Nothing is moved if one of them would leave the board; `board` is the one that
/// `lattice` has the places of, with its holes.
pub fn shift_pieces(
    scenario: &Scenario,
    lattice: &Lattice,
    board: &Board,
    pieces: &BTreeSet<usize>,
    from: CellId,
    to: CellId,
) -> Vec<Edit> {
    let target = |piece: &SetupPiece| match cell_of(piece).and_then(|name| board.find_cell(name)) {
        Some(cell) if cell == from => Some(to),
        Some(cell) if lattice.place(cell).is_none() => Some(cell),
        Some(cell) => moved_cell(lattice, cell, from, to).filter(|cell| board.contains(*cell)),
        None => Some(to),
    };
    let there = pieces.iter().filter_map(|&index| Some((index, scenario.setup.pieces.get(index)?)));
    let targets: Option<Vec<(usize, CellId)>> = there.map(|(index, piece)| Some((index, target(piece)?))).collect();
    let moved = targets.unwrap_or_default().into_iter();
    moved
        .flat_map(|(index, cell)| move_pieces(scenario, &[index].into(), board.cell_name(cell)))
        .collect()
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

/// Sets or clears the default player of a seat.
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

/// Whether two targets are the same: an edge is between its cells in either order.
fn is_same(one: &SetupTarget, other: &SetupTarget) -> bool {
    match (one, other) {
        (SetupTarget::Edge(a, b), SetupTarget::Edge(c, d)) => (a == c && b == d) || (a == d && b == c),
        (one, other) => one == other,
    }
}

/// Where a property is listed among those of a scenario, with its entry.
fn find_property<'a>(scenario: &'a Scenario, target: &SetupTarget, name: &str) -> Option<(usize, &'a SetupValue)> {
    let mut values = scenario.setup.values.iter().enumerate();
    values.find(|(_, value)| value.name == name && is_same(&value.target, target))
}

/// The value that a scenario gives a property; `None` where it says nothing of it.
pub fn property_of<'a>(scenario: &'a Scenario, target: &SetupTarget, name: &str) -> Option<&'a str> {
    find_property(scenario, target, name).map(|(_, value)| value.value.as_str())
}

/// Gives the match, a seat, a cell or an edge a property, or leaves it at its default.
pub fn property(scenario: &Scenario, target: &SetupTarget, name: &str, value: Option<&str>) -> Vec<Edit> {
    let there = find_property(scenario, target, name);
    let new = value.map(|value| SetupValue {
        target: target.clone(),
        name: name.to_owned(),
        value: value.to_owned(),
    });
    let splice = match (there, new) {
        (Some((_, old)), Some(new)) if old.value == new.value => return Vec::new(),
        (Some((index, _)), Some(new)) => Splice::replace(index, new),
        (Some((index, _)), None) => Splice::remove(index),
        (None, Some(new)) => Splice::insert(scenario.setup.values.len(), new),
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
    #[test]
    fn pieces_move_together_or_not_at_all() {
        use boardwright_model::{Map, MapCell, Offset, Orientation, Topology};
        let topology = Topology::Hex {
            width: 4,
            height: 4,
            orientation: Orientation::Pointy,
            offset: Offset::Odd,
        };
        let mut map = Map::new("m", "M", topology);
        map.cells = vec![MapCell::hole(3, 1)];
        let (board, lattice) = (Board::from_map(&map).unwrap(), Lattice::of(&map).unwrap());
        let cell = |name: &str| board.find_cell(name).unwrap();
        let mut scenario = Scenario::default();
        let place = |name: &str| SetupPlace::Cell(name.to_owned());
        for place in [place("a1"), place("b2"), SetupPlace::Off] {
            scenario.setup.pieces.push(SetupPiece {
                place,
                ..SetupPiece::default()
            });
        }
        let all: BTreeSet<usize> = (0..3).collect();
        let edits = shift_pieces(&scenario, &lattice, &board, &all, cell("a1"), cell("b3"));
        let mut draft = Draft::Scenario(scenario);
        drop(Step::new(StepKind::Pieces, edits).apply(&mut draft));
        let scenario = draft.scenario().unwrap();
        let places: Vec<_> = scenario.setup.pieces.iter().filter_map(cell_of).collect();
        // Two rows down and one column to the right, in either row.
        assert_eq!(places, ["b3", "c4", "b3"]);
        assert!(
            shift_pieces(scenario, &lattice, &board, &all, cell("b3"), cell("b4")).is_empty(),
            "c5 is outside"
        );
        assert!(shift_pieces(scenario, &lattice, &board, &[1].into(), cell("c4"), cell("c4")).is_empty());
    }
    #[test]
    fn what_is_aboard_a_piece_goes_with_it_and_comes_ashore_when_it_is_taken() {
        let mut draft = Draft::Scenario(Scenario::default());
        let mut apply = |edits: &dyn Fn(&Scenario) -> Vec<Edit>| {
            let edits = edits(draft.scenario().unwrap());
            let is_step = !edits.is_empty();
            drop(Step::new(StepKind::Pieces, edits).apply(&mut draft));
            is_step.then(|| draft.scenario().unwrap().clone())
        };
        for (kind, cell) in [("ship", "a1"), ("cart", "a1"), ("man", "b1")] {
            let piece = SetupPiece {
                kind: kind.to_owned(),
                place: SetupPlace::Cell(cell.to_owned()),
                ..SetupPiece::default()
            };
            apply(&|scenario| add_piece(scenario, piece.clone()));
        }
        apply(&|scenario| put_aboard(scenario, &[2].into(), 1));
        let loaded = apply(&|scenario| put_aboard(scenario, &[1].into(), 0)).unwrap();
        assert_eq!((aboard(&loaded, 0), aboard(&loaded, 1)), (vec![1], vec![2]));
        assert!(
            apply(&|scenario| put_aboard(scenario, &[0].into(), 2)).is_none(),
            "it would be aboard itself"
        );
        let moved = apply(&|scenario| move_pieces(scenario, &[0].into(), "c1")).unwrap();
        assert_eq!(moved.setup.pieces[1].place, SetupPlace::Aboard("ship".to_owned()));
        let left = apply(&|scenario| remove_pieces(scenario, &[0].into())).unwrap();
        assert_eq!(left.setup.pieces[0].place, SetupPlace::Cell("c1".to_owned()));
        assert_eq!(left.setup.pieces[1].place, SetupPlace::Aboard("cart".to_owned()));
    }
}
