//! What is on a board at a moment: what the painter needs, and its texts for screen readers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use egui::{Color32, Pos2};

use super::action_preview::{ActionPreview, PreviewedPiece};
use super::art::Art;
use super::geometry::thousandths;
use super::held::HeldPiece;
use super::tiles::Ghost;
use super::travel::Travels;
use crate::texts::text;
use crate::theme::{Palette, rgb};
use boardwright_client::Translator;
use boardwright_model::{CellId, CellSight, Looks, Piece, PieceId, PieceLook, Place, State, TerrainDeclaration};

/// The newest action of a seat, as it is marked on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LastAction {
    /// Its cells: of a way in the order in which they were passed.
    pub cells: Vec<CellId>,
    /// Whether the cells are a way from one to the other.
    pub is_way: bool,
    /// What it took off the board, as it was.
    pub removed: Vec<PreviewedPiece>,
}

impl LastAction {
    /// A way from cell to cell.
    pub fn way(cells: Vec<CellId>) -> Self {
        Self {
            cells,
            is_way: true,
            removed: Vec::new(),
        }
    }

    /// Cells that something covers, or that have changed.
    pub fn area(cells: Vec<CellId>) -> Self {
        Self { cells, ..Self::default() }
    }
}

/// What the rules say of a cell that may be picked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// A short text, such as what it costs.
    pub text: String,
    /// Whether it is offered more faintly than the rest.
    pub is_faint: bool,
}

/// What is marked on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Cells with a piece that may be picked.
    pub pickable: BTreeSet<CellId>,
    /// Cells that may be picked next.
    pub targets: BTreeSet<CellId>,
    /// What the rules say of cells that may be picked.
    pub annotations: BTreeMap<CellId, Annotation>,
    /// Cells in which some of the pieces are picked that may be.
    pub partly_chosen: BTreeSet<CellId>,
    /// What was picked, in order.
    pub chosen: Vec<CellId>,
    /// Those of them that belong to earlier picks than the last one.
    pub earlier: BTreeSet<CellId>,
    /// Those of them through which no way leads, because they were picked as a set.
    pub in_sets: BTreeSet<CellId>,
    /// Whether what was picked is a set, so that its order means nothing.
    pub is_set: bool,
    /// The last action, and before it the newest ones of other seats, newest first.
    pub last: Vec<LastAction>,
    /// The cells of a hint, in order.
    pub hint: Vec<CellId>,
    /// The piece with a shape that a hint places, where it is to lie.
    pub hinted: Option<Ghost>,
    /// Cells with which an action may begin, whatever is picked now: dragging can begin on them.
    pub liftable: BTreeSet<CellId>,
    /// The piece with a shape that is with the pointer.
    pub held: Option<HeldPiece>,
    /// A piece where it would come to be.
    pub ghost: Option<Ghost>,
    /// What the action would bring about that is chosen or pointed at.
    pub preview: Option<ActionPreview>,
    /// Cells that differ from another moment of the match.
    pub differing: BTreeSet<CellId>,
    /// Cells that are spoken of beside the board, such as a region.
    pub pointed_out: BTreeSet<CellId>,
    /// The values of cells by a strategy.
    pub heat_map: BTreeMap<CellId, i64>,
}

impl Marks {
    /// Whether a click on a cell would choose there, or take back what is chosen there.
    pub fn can_be_clicked(&self, cell: CellId) -> bool {
        self.pickable.contains(&cell) || self.targets.contains(&cell) || self.chosen.contains(&cell)
    }

    /// Whether dragging from a cell carries what is there. Where the choice may go on it does not: a click that has slipped would begin
    /// the choice again.
    pub fn can_be_lifted(&self, cell: CellId) -> bool {
        let goes_on = !self.chosen.is_empty() && self.targets.contains(&cell);
        !goes_on && (self.pickable.contains(&cell) || self.liftable.contains(&cell))
    }
}

/// What becomes of clicks on cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clicks {
    /// Nothing: the board is only looked at.
    Ignored,
    /// They choose among what is marked.
    Taken,
    /// They wait until it is known what can be chosen. Until then a drag neither carries anything nor moves the board.
    Queued,
    /// They are left to whoever shows the board, as an editor that draws on it: the primary button neither chooses nor moves the board.
    /// Cells may be changed in each frame.
    Drawn,
}

/// What is on a board at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The match, or an empty state of a map.
    pub state: &'a Arc<State>,
    /// How things look.
    pub looks: &'a Arc<Looks>,
    /// The pictures.
    pub art: &'a Art,
    /// What is marked.
    pub marks: &'a Marks,
    /// Pieces on their way.
    pub travels: &'a Travels,
    /// Colours that are laid over the ground of cells, by cell; transparent, or left out at the end, where there is none.
    pub washes: Option<&'a Arc<[Color32]>>,
    /// The name of the board, read out for it.
    pub title: &'a str,
    /// What translates the names of directions; an editor shows them as they are.
    pub translator: Option<&'a Translator>,
    /// Whether cells can be clicked.
    pub clicks: Clicks,
    /// Whether names of cells are written on the board.
    pub shows_names: bool,
    /// Whether the wheel rotates the piece that is about to be placed, in place of zooming.
    pub takes_wheel: bool,
}

impl Scene<'_> {
    /// Whether anything is known of a cell.
    pub(super) fn is_explored(&self, cell: CellId) -> bool {
        self.state.cell_sight(cell) != CellSight::Unexplored
    }

    /// Whether a cell is shown as it was last seen.
    pub(super) fn is_remembered(&self, cell: CellId) -> bool {
        self.state.cell_sight(cell) == CellSight::Remembered
    }

    /// What a cell is called; nothing more is told of one that was never seen.
    fn cell_name(&self, cell: CellId) -> String {
        let board = self.state.board();
        if self.is_explored(cell) || board.coordinates(cell).is_some() {
            board.cell_title(cell).to_owned()
        } else {
            text!("board-unknown-place")
        }
    }

    /// The cell at a point of the drawing.
    pub(super) fn cell_at(&self, point: Pos2) -> Option<CellId> {
        let (x, y) = thousandths(point);
        self.state.board().hit(x, y)
    }

    /// What is declared of the ground of a cell.
    pub(super) fn terrain(&self, cell: CellId) -> Option<&TerrainDeclaration> {
        self.state.declarations().terrains.get(self.state.terrain(cell)?.index())
    }

    /// Whether the rules know several sorts of ground, so that cells are filled with its colour.
    pub fn has_terrains(&self) -> bool {
        self.state.declarations().terrains.len() > 1
    }

    /// A colour that the rules name: one that a seat has declared stands for that seat.
    pub fn fill_colour(&self, fill: u32) -> Color32 {
        let seats = &self.state.declarations().seats;
        let meant = seats.iter().position(|seat| seat.colour == fill);
        meant.map_or(rgb(fill), |index| Palette::seat(seats, index))
    }

    /// The text of the board.
    pub fn board_text(&self) -> String {
        text!("board-named", title = self.title)
    }

    /// The text of a piece: "red archer", with the side on which it stands, the number it shows and its badge.
    pub fn piece_text(&self, piece: PieceId) -> String {
        self.piece_text_with(piece, &piece_form())
    }

    fn piece_text_with(&self, piece: PieceId, form: &str) -> String {
        let look = self.looks.pieces.get(&piece);
        let piece = self.state.piece(piece);
        piece.map_or_else(String::new, |piece| self.text_for(piece, look, form))
    }

    fn text_for(&self, piece: &Piece, look: Option<&PieceLook>, form: &str) -> String {
        let declarations = self.state.declarations();
        let kind = declarations.kind(piece.kind).map_or("", |kind| &kind.title);
        let owner = piece.owner.and_then(|seat| declarations.seats.get(seat.index()));
        let name = owner.map_or_else(|| kind.to_owned(), |seat| form.replace(SEAT, &seat.title).replace(KIND, kind));
        let mut label = name.to_lowercase();
        // Of several on the sides of a cell it is the side that tells which is which.
        if let Place::Side(_, side) = piece.place {
            label.push(' ');
            let name = self.state.board().direction_name(side);
            let said = self.translator.map_or(Cow::Borrowed(name), |translator| translator.translate(name));
            label.push_str(&said.to_uppercase());
        }
        // A letter only stands for the kind; a number says how much of it there is.
        let glyph = look.and_then(|look| look.glyph.as_ref());
        let number = glyph.filter(|glyph| glyph.chars().all(|sign| sign.is_ascii_digit()));
        for part in number.into_iter().chain(look.and_then(|look| look.badge.as_ref())) {
            label.push(' ');
            label.push_str(part);
        }
        label
    }

    /// What is told of a cell under the pointer: "c3: red archer". No more than what stands there, or else the ground: marks are seen.
    pub fn short_cell_text(&self, cell: CellId) -> String {
        let name = self.cell_name(cell);
        let pieces = self.state.pieces_at(cell);
        let mut parts: Vec<String> = pieces.iter().map(|piece| self.piece_text(*piece)).collect();
        if let Some(label) = self.looks.cells.get(&cell).and_then(|look| look.label.as_deref()) {
            parts.push(label.to_owned());
        }
        // The first terrain is the default one.
        let is_special = self.state.terrain(cell).is_some_and(|terrain| terrain.index() > 0);
        if parts.is_empty()
            && let Some(terrain) = self.terrain(cell).filter(|_| is_special && self.is_explored(cell))
        {
            parts.push(terrain.title.to_string());
        }
        if let Some(value) = self.marks.heat_map.get(&cell) {
            parts.push(text!("board-value", value = *value));
        }
        match self.state.cell_sight(cell) {
            CellSight::Visible => {}
            CellSight::Remembered => parts.push(text!("board-remembered")),
            CellSight::Unexplored => parts.insert(0, text!("board-unexplored")),
        }
        if parts.is_empty() {
            name
        } else {
            format!("{name}: {}", parts.join(", "))
        }
    }

    /// The text of a cell: "c3, red archer, can be picked".
    pub fn cell_text(&self, cell: CellId) -> String {
        self.cell_text_with(cell, &CellTexts::new())
    }

    /// The same, with texts that were looked up once for many cells.
    pub(super) fn cell_text_with(&self, cell: CellId, texts: &CellTexts) -> String {
        let mut parts = vec![self.cell_name(cell)];
        let mut add = |part: &str| {
            if !part.is_empty() {
                parts.push(part.to_owned());
            }
        };
        let is_explored = self.is_explored(cell);
        match self.state.cell_sight(cell) {
            CellSight::Visible => {}
            CellSight::Remembered => add(&texts.remembered),
            CellSight::Unexplored => add(&texts.unexplored),
        }
        if let Some(terrain) = self.terrain(cell).filter(|_| self.has_terrains() && is_explored) {
            add(&terrain.title);
        }
        if let Some(look) = self.looks.cells.get(&cell) {
            for sign in [&look.label, &look.glyph, &look.badge] {
                add(sign.as_deref().unwrap_or_default());
            }
        }
        let pieces = self.state.pieces_at(cell);
        if pieces.is_empty() && is_explored {
            add(&texts.empty);
        }
        for piece in pieces {
            add(&self.piece_text_with(*piece, &texts.piece));
        }
        let marks = self.marks;
        let label = [
            (marks.chosen.contains(&cell), &texts.chosen),
            (marks.targets.contains(&cell), &texts.target),
            (marks.pickable.contains(&cell), &texts.pickable),
            (marks.hint.contains(&cell), &texts.hint),
            (marks.last.iter().any(|action| action.cells.contains(&cell)), &texts.last),
            (marks.differing.contains(&cell), &texts.differing),
            (marks.pointed_out.contains(&cell), &texts.pointed_out),
        ];
        add(marks.annotations.get(&cell).map_or("", |annotation| &annotation.text));
        for (_, word) in label.iter().filter(|(holds, _)| *holds) {
            add(word);
        }
        if let Some(preview) = &marks.preview {
            self.preview_texts(cell, preview).iter().for_each(|word| add(word));
        }
        if let Some(value) = marks.heat_map.get(&cell) {
            add(&text!("board-value", value = *value));
        }
        parts.join(", ")
    }

    /// What would come of an action on a cell.
    fn preview_texts(&self, cell: CellId, preview: &ActionPreview) -> Vec<String> {
        let mut texts = Vec::new();
        for (piece, _) in preview.going.iter().filter(|(_, place)| *place == cell) {
            texts.push(text!("board-going", piece = self.piece_text(*piece)));
        }
        let named = |pieces: &[PreviewedPiece]| {
            let here = pieces.iter().filter(|would_be| would_be.cell == cell);
            let name = |would_be: &PreviewedPiece| self.text_for(&would_be.piece, would_be.look.as_ref(), &piece_form());
            here.map(name).collect::<Vec<_>>()
        };
        texts.extend(named(&preview.coming).into_iter().map(|piece| text!("board-coming", piece = piece)));
        texts.extend(
            named(&preview.changing)
                .into_iter()
                .map(|piece| text!("board-changing", piece = piece)),
        );
        texts
    }
}

/// What stands for the title of a seat and of a kind where a piece is named.
const SEAT: &str = "{seat}";
const KIND: &str = "{kind}";

/// How a piece of a seat is named.
fn piece_form() -> String {
    text!("board-piece", seat = SEAT, kind = KIND)
}

pub(super) struct CellTexts {
    piece: String,
    empty: String,
    chosen: String,
    target: String,
    pickable: String,
    hint: String,
    last: String,
    differing: String,
    pointed_out: String,
    remembered: String,
    unexplored: String,
}

impl CellTexts {
    pub(super) fn new() -> Self {
        Self {
            piece: piece_form(),
            empty: text!("board-empty"),
            chosen: text!("board-chosen"),
            target: text!("board-target"),
            pickable: text!("board-pickable"),
            hint: text!("board-hint"),
            last: text!("board-last"),
            differing: text!("board-differing"),
            pointed_out: text!("board-pointed-out"),
            remembered: text!("board-remembered"),
            unexplored: text!("board-unexplored"),
        }
    }
}
