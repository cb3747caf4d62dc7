//! How pieces and cells are written in one or two characters.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::{CellId, Looks, Piece, Place, SeatId, State, TerrainId};

/// How the owner of a piece is told where there are no colours. It is chosen once a match: what a piece looks like does not depend on
/// which others happen to be on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// The glyph says enough: no two seats have pieces that look alike.
    Glyph,
    /// All pieces are of one kind: the letter of the seat.
    Seat,
    /// Two seats: large letters for the first, small ones for the second.
    Case,
    /// The glyph and the letter of the seat.
    Both,
}

/// Signs for terrains after the first, which is a point.
const TERRAIN_SIGNS: [char; 12] = ['~', '^', '%', '#', ':', ';', '"', '=', '*', '&', '@', '$'];

/// How pieces and cells of a match are written.
pub(super) struct Marks<'a> {
    state: &'a State,
    looks: Option<&'a Looks>,
    style: Style,
    letters: Vec<String>,
}

/// Something written, with its colour.
pub(super) type Marked = (String, Option<u32>);

impl<'a> Marks<'a> {
    /// `style` is the one of the match, if it is known already.
    pub(super) fn new(state: &'a State, looks: Option<&'a Looks>, style: Option<Style>) -> Self {
        let mut marks = Self {
            state,
            looks,
            style: Style::Glyph,
            letters: seat_letters(state),
        };
        marks.style = marks.choose_style(style);
        marks
    }

    /// How owners are told in this match; `None` as long as there is no piece to tell it by.
    pub(super) fn style(&self) -> Option<Style> {
        self.state.pieces().next().map(|_| self.style)
    }

    fn choose_style(&self, known: Option<Style>) -> Style {
        let (declarations, seats) = (self.state.declarations(), self.letters.len());
        let mut owners: BTreeMap<String, BTreeSet<Option<SeatId>>> = BTreeMap::new();
        for piece in self.state.pieces() {
            owners.entry(self.glyph(piece)).or_default().insert(piece.owner);
        }
        let is_told_by_glyph = seats < 2 || owners.values().all(|owners| owners.len() <= 1);
        // Unless pieces came that look like those of another.
        if let Some(style) = known.filter(|style| *style != Style::Glyph || is_told_by_glyph) {
            return style;
        }
        // Where the rules say how each piece looks, they tell the owners apart.
        let mut pieces = self.state.pieces();
        if is_told_by_glyph && pieces.all(|piece| self.own_glyph(piece).is_some()) {
            return Style::Glyph;
        }
        if seats >= 2 && declarations.kinds.len() == 1 {
            return Style::Seat;
        }
        // Who has no piece yet may get one of any kind, unless there is a kind for each.
        let here: BTreeSet<SeatId> = self.state.pieces().filter_map(|piece| piece.owner).collect();
        if is_told_by_glyph && (here.len() >= seats || declarations.kinds.len() == seats) {
            return Style::Glyph;
        }
        let declared = declarations.kinds.iter().map(|kind| kind.glyph.to_string());
        let declared = declared.filter(|glyph| !glyph.is_empty());
        let glyphs: BTreeSet<String> = owners.into_keys().chain(declared).collect();
        let is_letter = |glyph: &String| glyph.chars().all(|letter| letter.is_ascii_alphabetic());
        let large: BTreeSet<String> = glyphs.iter().map(|glyph| glyph.to_ascii_uppercase()).collect();
        if seats == 2 && glyphs.iter().all(is_letter) && large.len() == glyphs.len() {
            Style::Case
        } else {
            Style::Both
        }
    }

    /// The glyph of a piece where it is not that of its kind.
    pub(super) fn own_glyph(&self, piece: &Piece) -> Option<&str> {
        self.looks?.pieces.get(&piece.id)?.glyph.as_deref()
    }

    fn glyph(&self, piece: &Piece) -> String {
        let looked = self.own_glyph(piece);
        let declared = || self.state.declarations().kind(piece.kind).map_or("?", |kind| &kind.glyph);
        let glyph = looked.unwrap_or_else(declared);
        if glyph.is_empty() { "?".to_owned() } else { glyph.to_owned() }
    }

    pub(super) fn seat_colour(&self, seat: Option<SeatId>) -> Option<u32> {
        self.state.declarations().seats.get(seat?.index()).map(|seat| seat.colour)
    }

    pub(super) fn piece(&self, piece: &Piece) -> Marked {
        let glyph = self.glyph(piece);
        let letter = piece.owner.and_then(|seat| self.letters.get(seat.index()));
        let text = match (self.style, letter, piece.owner) {
            (Style::Seat, Some(letter), _) => letter.clone(),
            (Style::Case, _, Some(SeatId(0))) => glyph.to_ascii_uppercase(),
            (Style::Case, _, Some(_)) => glyph.to_ascii_lowercase(),
            (Style::Both, Some(letter), _) => format!("{glyph}{}", letter.to_lowercase()),
            _ => glyph,
        };
        let looked = self.looks.and_then(|looks| looks.pieces.get(&piece.id)?.fill);
        (text, looked.or_else(|| self.seat_colour(piece.owner)))
    }

    /// What stands beside a piece: a number or a state.
    pub(super) fn badge(&self, piece: &Piece) -> Option<&str> {
        self.looks?.pieces.get(&piece.id)?.badge.as_deref()
    }

    /// The pieces on a cell itself, not those on its sides.
    pub(super) fn pieces_on(&self, cell: CellId) -> impl Iterator<Item = &'a Piece> + use<'_, 'a> {
        let here = self.state.pieces_at(cell).iter().filter_map(|piece| self.state.piece(*piece));
        here.filter(|piece| matches!(piece.place, Place::Cell(_) | Place::Posed(..)))
    }

    /// How a cell is written: its first piece, with the number of pieces if there are more, or its ground.
    pub(super) fn cell(&self, cell: CellId, empty: &str) -> Marked {
        let mut pieces = self.pieces_on(cell);
        let Some(first) = pieces.next() else {
            return self.ground(cell, empty);
        };
        let (mut text, colour) = self.piece(first);
        let others = pieces.count();
        if others > 0 {
            text.push_str(&(others + 1).to_string());
        } else if let Some(badge) = self.badge(first).filter(|badge| badge.chars().count() <= 2) {
            text.push_str(badge);
        }
        (text, colour)
    }

    fn ground(&self, cell: CellId, empty: &str) -> Marked {
        let look = self.looks.and_then(|looks| looks.cells.get(&cell));
        let label = look.and_then(|look| look.label.as_deref());
        if let Some(label) = label.filter(|label| label.chars().count() <= 3) {
            return (label.to_owned(), None);
        }
        let terrain = self.state.terrain(cell).unwrap_or(TerrainId(0));
        match terrain_sign(terrain) {
            Some(sign) => {
                let declared = self.state.declarations().terrains.get(terrain.index());
                (sign.to_string(), declared.map(|terrain| terrain.colour))
            }
            None => (empty.to_owned(), None),
        }
    }

    /// What the marks on the board mean, each once.
    pub(super) fn legend(&self) -> Vec<(Marked, String)> {
        let mut legend: Vec<(Marked, String)> = Vec::new();
        let declarations = self.state.declarations();
        // What lies on several cells is told by the tray it came from.
        let is_told = |piece: &&Piece| matches!(piece.place, Place::Cell(_) | Place::Side(..));
        for piece in self.state.pieces().filter(is_told) {
            let mark = self.piece(piece);
            if legend.iter().any(|(known, _)| *known == mark) {
                continue;
            }
            let kind = declarations.kind(piece.kind).map_or("piece", |kind| &kind.title);
            let title = match piece.owner {
                Some(seat) => format!("{} {}", declarations.seat_title(seat), kind.to_lowercase()),
                None => kind.to_owned(),
            };
            legend.push((mark, title));
        }
        legend.sort_by(|a, b| a.1.cmp(&b.1));
        let used: BTreeSet<TerrainId> = self.state.board().cells().filter_map(|cell| self.state.terrain(cell)).collect();
        for terrain in used {
            if let (Some(sign), Some(declared)) = (terrain_sign(terrain), declarations.terrains.get(terrain.index())) {
                legend.push(((sign.to_string(), Some(declared.colour)), declared.title.to_lowercase()));
            }
        }
        legend
    }
}

fn terrain_sign(terrain: TerrainId) -> Option<char> {
    let index = terrain.index().checked_sub(1)?;
    TERRAIN_SIGNS.get(index % TERRAIN_SIGNS.len()).copied()
}

/// A letter for each seat: the first of its title, or its number where two titles begin alike.
fn seat_letters(state: &State) -> Vec<String> {
    let seats = &state.declarations().seats;
    let first = |title: &str| title.chars().take(1).flat_map(char::to_uppercase).collect();
    let letters: Vec<String> = seats.iter().map(|seat| first(&seat.title)).collect();
    let distinct: BTreeSet<&String> = letters.iter().collect();
    if distinct.len() == letters.len() {
        letters
    } else {
        (1..=seats.len()).map(|number| number.to_string()).collect()
    }
}
