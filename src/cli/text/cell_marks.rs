//! How pieces and cells are written in one or two characters.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::{CellId, CellSight, Looks, Piece, Place, SeatId, State, TerrainId};

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

/// The most characters of a sign on the board.
const SIGN: usize = 3;
/// The most characters of a badge behind it.
const BADGE: usize = 2;

/// Signs for terrains after the first, which is a point.
const TERRAIN_SIGNS: [char; 12] = ['~', '^', '%', '#', ':', ';', '"', '=', '*', '&', '@', '$'];

/// The sign of a cell that was never seen.
const UNEXPLORED: &str = "?";
/// The colour of what is remembered.
const REMEMBERED: u32 = 0x80_80_80;

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

    /// How a cell is written: its first piece, with the number of pieces if there are more, and the sign of the ground it stands on; or
    /// the ground alone.
    pub(super) fn cell(&self, cell: CellId, empty: &str) -> Marked {
        let sight = self.state.cell_sight(cell);
        if sight == CellSight::Unexplored {
            return (UNEXPLORED.to_owned(), Some(REMEMBERED));
        }
        let shaded = |colour: Option<u32>| if sight == CellSight::Remembered { Some(REMEMBERED) } else { colour };
        let mut pieces = self.pieces_on(cell);
        let Some(first) = pieces.next() else {
            let (text, colour) = self.ground(cell).unwrap_or_else(|| (empty.to_owned(), None));
            return (text, shaded(colour));
        };
        let (mut text, colour) = self.piece(first);
        let others = pieces.count();
        if others > 0 {
            text.push_str(&(others + 1).to_string());
        } else if let Some(badge) = self.badge(first).filter(|badge| is_short(badge, BADGE)) {
            text.push_str(badge);
        }
        // What covers several cells hides what is below it.
        if matches!(first.place, Place::Cell(_))
            && let Some((sign, _)) = self.sign(cell, 1)
        {
            text.push_str(&sign);
        }
        (text, shaded(colour))
    }

    /// The ground of a cell with the badge of its look.
    fn ground(&self, cell: CellId) -> Option<Marked> {
        let badge = self.looks.and_then(|looks| looks.cells.get(&cell)?.badge.as_deref());
        let badge = badge.filter(|badge| is_short(badge, BADGE));
        match (self.sign(cell, SIGN), badge) {
            (Some((sign, colour)), badge) => Some((sign + badge.unwrap_or_default(), colour)),
            (None, Some(badge)) => Some((badge.to_owned(), None)),
            (None, None) => None,
        }
    }

    /// What the rules write on a cell, where there is room for all of it.
    pub(super) fn cell_texts(&self, cell: CellId) -> Option<String> {
        let look = self.looks?.cells.get(&cell)?;
        let texts: Vec<&str> = [&look.glyph, &look.label, &look.badge]
            .into_iter()
            .flatten()
            .map(|text| &**text)
            .collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// The sign of the ground in at most so many characters: the glyph of its look, else the label, else the sign of its terrain.
    fn sign(&self, cell: CellId, most: usize) -> Option<Marked> {
        let look = self.looks.and_then(|looks| looks.cells.get(&cell));
        let mut texts = look.into_iter().flat_map(|look| [&look.glyph, &look.label]).flatten();
        if let Some(text) = texts.find(|text| is_short(text, most)) {
            return Some((text.to_string(), None));
        }
        let terrain = self.state.terrain(cell).unwrap_or(TerrainId(0));
        let declared = self.state.declarations().terrains.get(terrain.index());
        Some((terrain_sign(terrain)?.to_string(), declared.map(|terrain| terrain.colour)))
    }

    /// What the rules write on the board and does not fit there: the badges of pieces by owner and kind, and the labels of cells.
    pub(super) fn notes(&self) -> Vec<String> {
        let board = self.state.board();
        let mut badges: Vec<(Option<SeatId>, String, &str, &str)> = Vec::new();
        for piece in self.state.pieces() {
            let (Some(cell), Some(badge)) = (piece.place.cell(), self.badge(piece)) else {
                continue;
            };
            let is_shown = is_short(badge, BADGE) && self.pieces_on(cell).count() == 1;
            if !is_shown {
                badges.push((piece.owner, self.title(piece), badge, board.cell_name(cell)));
            }
        }
        badges.sort_by(|one, other| (one.0, &one.1, one.2).cmp(&(other.0, &other.1, other.2)));
        let same_kind = badges.chunk_by(|one, next| (one.0, &one.1) == (next.0, &next.1));
        let mut notes: Vec<String> = same_kind
            .map(|pieces| {
                let title = pieces.first().map_or("", |first| &first.1);
                let same_badge = pieces.chunk_by(|one, next| one.2 == next.2);
                let texts: Vec<String> = same_badge
                    .map(|pieces| {
                        let cells: Vec<&str> = pieces.iter().map(|piece| piece.3).collect();
                        format!("{} at {}", pieces.first().map_or("", |first| first.2), cells.join(", "))
                    })
                    .collect();
                format!("{title}: {}", texts.join("; "))
            })
            .collect();
        let cells = self.looks.into_iter().flat_map(|looks| &looks.cells);
        let labels: Vec<String> = cells
            .filter_map(|(cell, look)| {
                let label = look.label.as_deref().filter(|label| !is_short(label, SIGN))?;
                Some(format!("{} {label}", board.cell_name(*cell)))
            })
            .collect();
        if !labels.is_empty() {
            notes.push(format!("Labels: {}", labels.join(", ")));
        }
        notes
    }

    /// A piece in words, with its owner. Where the kind says whose it is, as in `Black pawn`, that is not said twice.
    pub(super) fn title(&self, piece: &Piece) -> String {
        let declarations = self.state.declarations();
        let kind = declarations.kind(piece.kind).map_or("piece", |kind| &kind.title);
        let Some(seat) = piece.owner.map(|seat| declarations.seat_title(seat)) else {
            return kind.to_owned();
        };
        if kind.to_lowercase().starts_with(&seat.to_lowercase()) {
            return kind.to_owned();
        }
        format!("{seat} {}", kind.to_lowercase())
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
            legend.push((mark, self.title(piece)));
        }
        legend.sort_by(|a, b| a.1.cmp(&b.1));
        let used: BTreeSet<TerrainId> = self.state.board().cells().filter_map(|cell| self.state.terrain(cell)).collect();
        for terrain in used {
            if let (Some(sign), Some(declared)) = (terrain_sign(terrain), declarations.terrains.get(terrain.index())) {
                legend.push(((sign.to_string(), Some(declared.colour)), declared.title.to_lowercase()));
            }
        }
        let has = |sight: CellSight| self.state.board().cells().any(|cell| self.state.cell_sight(cell) == sight);
        if has(CellSight::Unexplored) {
            legend.push(((UNEXPLORED.to_owned(), Some(REMEMBERED)), "not seen yet".to_owned()));
        }
        if has(CellSight::Remembered) {
            legend.push((("grey".to_owned(), Some(REMEMBERED)), "as it was last seen".to_owned()));
        }
        legend
    }
}

fn is_short(text: &str, most: usize) -> bool {
    text.chars().count() <= most
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
