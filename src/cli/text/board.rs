//! A match in characters: the board, what its marks mean, zones, and what stands beside it.

use std::fmt::Write as _;

use super::canvas::painted;
use super::cell_marks::{Marks, Style};
use super::format::wrapped;
use super::{WIDTH, graph, grid, tray};
use boardwright_model::{Looks, Piece, State, Topology, ZoneId};

/// Draws the match as a view shows it, with what the rules say beside the board. How owners are told is noted for the next time.
pub(super) fn draw(state: &State, looks: Option<&Looks>, style: &mut Option<Style>) -> String {
    let marks = Marks::new(state, looks, *style);
    *style = marks.style();
    let canvas = match state.board().topology() {
        Topology::Graph => graph::draw(state, &marks),
        Topology::Hex { .. } | Topology::Square { .. } => Some(grid::draw(state, &marks)),
    };
    let mut text = match &canvas {
        Some(canvas) => canvas.print(),
        None => graph::list(state, &marks),
    };
    text.push('\n');
    if canvas.is_some() {
        let legend: Vec<String> = marks
            .legend()
            .into_iter()
            .map(|((mark, colour), title)| format!("{} {title}", painted(&mark, colour)))
            .collect();
        if !legend.is_empty() {
            let _ = writeln!(text, "{}", legend.join("   "));
        }
        for note in marks.notes() {
            let _ = writeln!(text, "{}", wrapped(&note, WIDTH));
        }
    }
    for zone in zones(state, &marks) {
        let _ = writeln!(text, "{zone}");
    }
    for section in looks.map(|looks| &looks.panel).into_iter().flatten() {
        let lines = section.lines.iter().map(|line| {
            let words = line.text(state.declarations());
            match line.cell {
                Some(cell) => format!("{words} ({})", state.board().cell_title(cell)),
                None => words,
            }
        });
        if section.title.is_empty() {
            lines.for_each(|line| _ = writeln!(text, "{line}"));
        } else {
            // Sections may be long.
            let whole = format!("{}: {}", section.title, lines.collect::<Vec<_>>().join("; "));
            let _ = writeln!(text, "{}", wrapped(&whole, WIDTH));
        }
    }
    text
}

/// What is in the zones, as far as it is seen; empty ones are left out.
fn zones(state: &State, marks: &Marks<'_>) -> Vec<String> {
    let declarations = state.declarations();
    let mut found = Vec::new();
    for (index, declared) in declarations.zones.iter().enumerate() {
        let id = ZoneId::from_index(index);
        let Some(zone) = state.zone(id).filter(|zone| zone.count() > 0) else {
            continue;
        };
        if let Some(tray) = tray::tray(state, marks, id, WIDTH) {
            found.push(tray);
            continue;
        }
        let owner = declared.owner.map(|seat| format!("{}: ", declarations.seat_title(seat)));
        let pieces: Vec<&Piece> = zone.pieces().iter().filter_map(|piece| state.piece(*piece)).collect();
        let looks_alike = |one: &&Piece, other: &&Piece| {
            let look = |piece: &Piece| (piece.kind, piece.owner, marks.badge(piece).map(str::to_owned));
            look(one) == look(other)
        };
        let mut things: Vec<String> = pieces
            .chunk_by(looks_alike)
            .filter_map(|alike| alike_text(state, marks, alike))
            .collect();
        let unseen = zone.count() - zone.pieces().len();
        if unseen > 0 {
            things.push(format!("{unseen} unseen"));
        }
        found.push(format!("{}{}: {}", owner.unwrap_or_default(), declared.title, things.join(", ")));
    }
    found
}

/// Pieces that look alike in one word, with the numbers by which they are picked: `4 x Runner #0..#3`.
fn alike_text(state: &State, marks: &Marks<'_>, alike: &[&Piece]) -> Option<String> {
    let first = alike.first()?;
    let kind = state.declarations().kind(first.kind).map_or("piece", |kind| &kind.title);
    let badge = marks.badge(first).map_or_else(String::new, |badge| format!(" ({badge})"));
    let number = |piece: &&Piece| piece.id.0;
    let text = match alike {
        [one] => format!("{kind} #{}{badge}", one.id.0),
        [.., last]
            if number(last)
                .checked_sub(number(first))
                .is_some_and(|more| more as usize + 1 == alike.len()) =>
        {
            format!("{} x {kind} #{}..#{}{badge}", alike.len(), first.id.0, last.id.0)
        }
        several => {
            let numbers: Vec<String> = several.iter().map(|piece| format!("#{}", piece.id.0)).collect();
            format!("{} x {kind} {}{badge}", several.len(), numbers.join(" "))
        }
    };
    Some(painted(&text, marks.seat_colour(first.owner)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use boardwright_model::{
        Board, Declarations, KindDeclaration, Map, MapCell, MapLine, Offset, Orientation, PhaseDeclaration, SeatDeclaration, Setup,
        SetupPiece, SetupPlace,
    };

    fn declarations(glyphs: &[&str]) -> Arc<Declarations> {
        let seat = |name: &str, colour| SeatDeclaration {
            name: name.to_lowercase().into(),
            title: name.into(),
            colour,
        };
        let kind = |glyph: &&str| KindDeclaration {
            name: format!("kind {glyph}").into(),
            title: format!("Kind {glyph}").into(),
            glyph: (*glyph).into(),
            values: Vec::new(),
            figure: None,
        };
        Arc::new(Declarations {
            seats: vec![seat("Red", 0xff_00_00), seat("Blue", 0x00_00_ff)],
            kinds: glyphs.iter().map(kind).collect(),
            phases: vec![PhaseDeclaration {
                name: "main".into(),
                title: "Main".into(),
                automatic: false,
            }],
            ..Declarations::default()
        })
    }

    fn state(map: &Map, glyphs: &[&str], pieces: &[(&str, &str, SetupPlace)]) -> State {
        let piece = |(glyph, owner, place): &(&str, &str, SetupPlace)| SetupPiece {
            kind: format!("kind {glyph}"),
            owner: Some((*owner).to_owned()),
            place: place.clone(),
            name: None,
            values: Vec::new(),
        };
        let setup = Setup {
            pieces: pieces.iter().map(piece).collect(),
            ..Setup::default()
        };
        setup
            .build(&Arc::new(Board::from_map(map).unwrap()), &declarations(glyphs))
            .unwrap()
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn drawn(state: &State) -> String {
        plain(&draw(state, None, &mut None))
    }

    fn on(cell: &str) -> SetupPlace {
        SetupPlace::Cell(cell.to_owned())
    }

    #[test]
    fn squares_have_columns_and_rows_and_seats_are_told_by_case() {
        let topology = Topology::Square {
            width: 3,
            height: 2,
            diagonals: true,
        };
        let pieces = [("k", "red", on("a1")), ("k", "blue", on("c2")), ("r", "blue", on("b2"))];
        let state = state(&Map::new("m", "M", topology), &["k", "r"], &pieces);
        assert_eq!(
            drawn(&state),
            "   a b c\n1  K . .\n2  . r k\n\nk Blue kind k   r Blue kind r   K Red kind k\n"
        );
    }

    #[test]
    fn pieces_on_sides_stand_between_the_squares() {
        let topology = Topology::Square {
            width: 2,
            height: 2,
            diagonals: false,
        };
        let wall = |cell: &str, side: &str| SetupPlace::Side(cell.to_owned(), side.to_owned());
        let pieces = [
            ("P", "red", on("a1")),
            ("W", "red", wall("a1", "e")),
            ("W", "blue", wall("b1", "s")),
        ];
        let state = state(&Map::new("m", "M", topology), &["P", "W"], &pieces);
        let text = drawn(&state);
        assert!(text.starts_with("   a   b\n1  P | .\n       -\n2  .   .\n"), "{text}");
    }

    #[test]
    fn hexes_of_both_orientations_are_shoved() {
        let hexes = |orientation| Topology::Hex {
            width: 3,
            height: 2,
            orientation,
            offset: Offset::Odd,
        };
        let pieces = [("o", "red", on("a1")), ("o", "blue", on("b2"))];
        let pointy = state(&Map::new("m", "M", hexes(Orientation::Pointy)), &["o"], &pieces);
        let text = drawn(&pointy);
        assert!(text.starts_with("   a   b   c\n1  R   .   .\n2    .   B   .\n"), "{text}");
        let flat = state(&Map::new("m", "M", hexes(Orientation::Flat)), &["o"], &pieces);
        let text = drawn(&flat);
        assert!(text.starts_with("   a  b  c\n1  R     .\n      .\n2  .     .\n      B\n"), "{text}");
    }

    fn graph() -> Map {
        let mut map = Map::new("m", "M", Topology::Graph);
        for (name, x, y) in [("a2", 0, 0), ("b2", 10, 0), ("a1", 0, 10), ("b1", 10, 10)] {
            map.cells.push(MapCell::new(name, x, y));
        }
        for cells in [["a2", "b2"], ["a1", "b1"], ["a1", "a2"], ["a1", "b2"], ["a2", "b1"]] {
            map.lines.push(MapLine::new(cells));
        }
        map
    }

    #[test]
    fn points_are_joined_by_their_lines() {
        let pieces = [("o", "red", on("a1")), ("o", "blue", on("b2"))];
        let text = drawn(&state(&graph(), &["o"], &pieces));
        assert!(
            text.starts_with("2  +---B\n   | X\n1  R---+\n   a   b\n\nB Blue kind o   R Red kind o"),
            "{text}"
        );
        let mut named = graph();
        named.cells[0].name = "hub".to_owned();
        for line in &mut named.lines {
            line.cells
                .iter_mut()
                .filter(|cell| *cell == "a2")
                .for_each(|cell| "hub".clone_into(cell));
        }
        let text = drawn(&state(&named, &["o"], &pieces));
        assert!(text.contains("hub--") && text.contains("b1"), "{text}");
    }

    #[test]
    fn areas_are_listed_with_pieces_and_neighbours() {
        let mut map = graph();
        for cell in &mut map.cells {
            let (x, y) = (cell.x, cell.y);
            cell.outline = vec![vec![(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4)]];
        }
        let text = drawn(&state(&map, &["o"], &[("o", "red", on("a1"))]));
        assert!(text.contains("  a1  Red kind o  (a2, b2, b1)\n"), "{text}");
        assert!(text.contains("  b1  -  (a2, a1)\n"), "{text}");
    }

    #[test]
    fn how_a_piece_is_written_does_not_hang_on_who_else_is_there() {
        let topology = Topology::Square {
            width: 3,
            height: 1,
            diagonals: false,
        };
        let map = Map::new("m", "M", topology);
        let first_row = |glyphs: &[&str], pieces: &[(&str, &str, SetupPlace)], style: &mut Option<Style>| {
            let text = plain(&draw(&state(&map, glyphs, pieces), None, style));
            text.lines().nth(1).unwrap().to_owned()
        };
        for (glyphs, alone, both) in [
            (["o"].as_slice(), "1  R . .", "1  R B ."),
            (&["k", "r", "n"], "1  K . .", "1  K k ."),
            (&["*", "+", "#"], "1  *r .  .", "1  *r *b ."),
        ] {
            let red = (glyphs[0], "red", on("a1"));
            let blue = (glyphs[0], "blue", on("b1"));
            let mut style = None;
            assert_eq!(first_row(glyphs, std::slice::from_ref(&red), &mut style), alone, "{glyphs:?}");
            assert_eq!(first_row(glyphs, &[red.clone(), blue.clone()], &mut style), both, "{glyphs:?}");
            assert_eq!(first_row(glyphs, std::slice::from_ref(&red), &mut style), alone, "{glyphs:?}");
            assert_eq!(first_row(glyphs, &[red, blue], &mut None), both, "{glyphs:?}");
        }
        // A kind for each seat says enough.
        assert_eq!(first_row(&["x", "o"], &[("x", "red", on("a1"))], &mut None), "1  x . .");
    }

    #[test]
    fn pieces_have_the_colour_of_their_seat() {
        let state = state(&graph(), &["o"], &[("o", "red", on("a1"))]);
        assert!(draw(&state, None, &mut None).contains("\x1b[1;38;5;196m"));
    }
}
