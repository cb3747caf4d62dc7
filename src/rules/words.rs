//! Where one pick ends and the next begins in a line that a player wrote.

use crate::model::{PickKind, State};

/// The words of the first pick in a text, and the text behind them. A pick is one word, but names of cells may have blanks in them:
/// as many words are taken as make up the name of a cell, in whatever capitals. A free text takes all.
pub fn split_pick<'a>(state: &'a State, kind: PickKind, text: &'a str) -> (&'a str, &'a str) {
    let text = text.trim_start();
    let word = || {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (word, rest.trim_start())
    };
    match kind {
        PickKind::Text => (text, ""),
        PickKind::Cell | PickKind::Piece => cell_name(state, text).unwrap_or_else(word),
        PickKind::Cells => cell_names(state, text).unwrap_or_else(word),
        PickKind::Pieces | PickKind::Seat | PickKind::Number | PickKind::Choice | PickKind::Pose | PickKind::Path => word(),
    }
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
    let board = state.board();
    let named = |name: &str| {
        let exact = board.find_cell(name);
        exact.or_else(|| board.cells().find(|cell| board.cell_name(*cell).eq_ignore_ascii_case(name)))
    };
    ends(text).find_map(|end| {
        let (name, rest) = text.split_at_checked(end)?;
        Some((board.cell_name(named(name)?), rest.trim_start()))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Board, Frame, Map, MapCell, Topology};

    fn state() -> State {
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = ["Europe", "Western Europe", "North", "North Cape"]
            .map(|name| MapCell::new(name, 0, 0))
            .into();
        for (x, cell) in (0..).zip(&mut map.cells) {
            cell.x = x * 1000;
        }
        State::empty(Arc::new(Board::from_map(&map).unwrap()), Arc::new(Frame::default()), &[])
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
    fn names_in_a_list_have_commas_between_them() {
        let state = state();
        let split = |text| split_pick(&state, PickKind::Cells, text);
        assert_eq!(split("North Cape, Europe 2"), ("North Cape, Europe", "2"));
        assert_eq!(split("Europe"), ("Europe", ""));
        assert_eq!(split("Europe, Nowhere 2"), ("Europe,", "Nowhere 2"));
    }
}
