//! A board as SVG.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use boardwright_model::{Board, CellId, CellLook, Declarations, DirectionId, Looks, Piece, PieceId, PieceLook, Place, State, Topology};

use crate::area_config::escaped;

/// The family of the texts, one of those the program brings.
pub(super) const FONT: &str = "Noto Sans";
/// The colour of cells without one.
const GROUND: u32 = 0x00ec_e4d3;
/// The colour around areas, where the rules say none.
const SEA: u32 = 0x00a9_c3d1;
/// How large a piece on a side of a cell is beside one in the middle.
const BESIDE: f64 = 0.4;
const INK: &str = "#2b2621";
const MARGIN: i64 = 250;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct BoardPicture<'a> {
    /// The board.
    pub board: &'a Board,
    /// The declarations of its ruleset: colours of terrain and seats, glyphs of pieces.
    pub declarations: &'a Declarations,
    /// The pieces on it, if they are to be seen.
    pub state: Option<&'a State>,
    /// How the rules say that cells and pieces look.
    pub looks: Option<&'a Looks>,
    /// The pictures of the ruleset, as SVG, by file name.
    pub art: Option<&'a BTreeMap<String, String>>,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureOptions {
    /// Pixels for the distance between two neighbouring cells of a grid, or for a thousand of a free graph's thousandths.
    pub scale: f64,
    /// Whether points and areas have their names beside them, and cells of grids those that the author gave.
    pub has_names: bool,
    /// Whether cells of grids have their coordinates.
    pub has_coordinates: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            scale: 48.0,
            has_names: true,
            has_coordinates: true,
        }
    }
}

/// The text of an SVG picture of a board.
pub fn draw_svg(picture: &BoardPicture<'_>, options: &PictureOptions) -> String {
    let bounds = picture.board.bounds();
    let (left, top) = (i64::from(bounds.min.0) - MARGIN, i64::from(bounds.min.1) - MARGIN);
    let (right, bottom) = (i64::from(bounds.max.0) + MARGIN, i64::from(bounds.max.1) + MARGIN);
    let mut sheet = Sheet::of(picture, options);
    // Points and their names need more room around them.
    let extra = sheet.radius as i64 * i64::from(sheet.has_only_points) + if sheet.has_only_points { sheet.text as i64 * 2 } else { 0 };
    let (left, top, right, bottom) = (left - extra, top - extra, right + extra, bottom + extra);
    let (width, height) = (right - left, bottom - top);
    let pixels = |length: i64| length as f64 * options.scale / 1000.0;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.1}\" height=\"{:.1}\" viewBox=\"{left} {top} {width} {height}\" font-family=\"{FONT}, sans-serif\">",
        pixels(width),
        pixels(height)
    );
    let around = picture.looks.and_then(|looks| looks.board.fill);
    let around = around.unwrap_or(if sheet.has_areas { SEA } else { 0x00ff_ffff });
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        hex(around)
    );
    sheet.art(&mut svg);
    sheet.ground(&mut svg);
    sheet.lines(&mut svg);
    sheet.edges(&mut svg);
    sheet.icons(&mut svg);
    sheet.labels(&mut svg);
    sheet.pieces(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// A picture with its sizes, in thousandths of a unit.
struct Sheet<'a> {
    picture: &'a BoardPicture<'a>,
    options: &'a PictureOptions,
    has_areas: bool,
    has_only_points: bool,
    /// The radius of a piece.
    radius: f64,
    /// The height of texts.
    text: f64,
    /// The numbers of the pictures that are drawn, by name.
    art: BTreeMap<&'a str, usize>,
}

fn text_at(svg: &mut String, text: &str, (x, y): (f64, f64), size: f64, colour: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.0}\" y=\"{y:.0}\" font-size=\"{size:.0}\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>",
        escaped(text)
    );
}

fn hex(colour: u32) -> String {
    format!("#{:06x}", colour & 0x00ff_ffff)
}

/// Black or white, whichever is read better on a colour.
fn ink_on(colour: u32) -> &'static str {
    let [_, red, green, blue] = colour.to_be_bytes().map(u32::from);
    if red * 299 + green * 587 + blue * 114 > 140_000 {
        INK
    } else {
        "#ffffff"
    }
}

impl<'a> Sheet<'a> {
    fn of(picture: &'a BoardPicture<'a>, options: &'a PictureOptions) -> Self {
        let board = picture.board;
        let is_graph = matches!(board.topology(), Topology::Graph);
        let has_areas = is_graph && board.cells().any(|cell| !board.outline(cell).is_empty());
        let bounds = board.bounds();
        let longer = f64::from((bounds.max.0 - bounds.min.0).max(bounds.max.1 - bounds.min.1));
        let (radius, text) = if has_areas {
            (longer / 75.0, longer / 85.0)
        } else if is_graph {
            let least = least_distance(board).clamp(200.0, 20_000.0);
            (least * 0.3, least * 0.2)
        } else {
            (330.0, 170.0)
        };
        Self {
            picture,
            options,
            has_areas,
            has_only_points: is_graph && !has_areas,
            radius,
            text,
            art: BTreeMap::new(),
        }
    }

    /// A picture of the ruleset: of a file name, or of one without folder and ending.
    fn find_art(&self, name: &str) -> Option<&'a str> {
        let art = self.picture.art?;
        let stem = |file: &str| file.rsplit('/').next().and_then(|file| file.strip_suffix(".svg")) == Some(name);
        let found = art
            .get(name)
            .or_else(|| art.iter().find(|(file, _)| stem(file)).map(|(_, text)| text));
        found.map(String::as_str)
    }

    /// The pictures that looks name, each once, however many cells and pieces have them.
    fn art(&mut self, svg: &mut String) {
        let Some(looks) = self.picture.looks else { return };
        let of_cells = looks.cells.values().flat_map(|look| look.icon.iter().chain(&look.overlays));
        let of_pieces = looks.pieces.values().flat_map(|look| look.icon.iter().chain(&look.overlays));
        let names: BTreeSet<&'a str> = of_cells.chain(of_pieces).map(|name| &**name).collect();
        let mut defined = String::new();
        for name in names {
            let Some(text) = self.find_art(name) else { continue };
            let number = self.art.len();
            let _ = writeln!(
                defined,
                "<image id=\"art{number}\" x=\"-100\" y=\"-100\" width=\"200\" height=\"200\" href=\"data:image/svg+xml;base64,{}\"/>",
                STANDARD.encode(text)
            );
            self.art.insert(name, number);
        }
        if !defined.is_empty() {
            let _ = write!(svg, "<defs>\n{defined}</defs>\n");
        }
    }

    fn look(&self, cell: CellId) -> Option<&CellLook> {
        self.picture.looks.and_then(|looks| looks.cells.get(&cell))
    }

    fn piece_look(&self, piece: PieceId) -> Option<&PieceLook> {
        self.picture.looks.and_then(|looks| looks.pieces.get(&piece))
    }

    fn fill(&self, cell: CellId) -> u32 {
        let terrain = self.picture.board.base_terrain_name(cell);
        let declared = self
            .picture
            .declarations
            .terrains
            .iter()
            .find(|declared| Some(&*declared.name) == terrain);
        let looked = self.look(cell).and_then(|look| look.fill);
        looked.or_else(|| declared.map(|declared| declared.colour)).unwrap_or(GROUND)
    }

    fn ground(&self, svg: &mut String) {
        let board = self.picture.board;
        let width = if self.has_areas { self.text * 0.1 } else { 25.0 };
        let _ = writeln!(
            svg,
            "<g stroke=\"{INK}\" stroke-opacity=\"0.6\" stroke-width=\"{width:.0}\" stroke-linejoin=\"round\" fill-rule=\"evenodd\">"
        );
        for cell in board.cells() {
            let outline = board.outline(cell);
            if outline.is_empty() {
                continue;
            }
            let mut path = String::new();
            for polygon in outline.iter() {
                for (place, (x, y)) in polygon.iter().enumerate() {
                    let _ = write!(path, "{}{x} {y}", if place == 0 { "M" } else { "L" });
                }
                path.push('Z');
            }
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"{}\"><title>{}</title></path>",
                hex(self.fill(cell)),
                escaped(board.cell_name(cell))
            );
        }
        svg.push_str("</g>\n");
    }

    /// The lines between points, and between areas that do not touch.
    fn lines(&self, svg: &mut String) {
        let board = self.picture.board;
        if !matches!(board.topology(), Topology::Graph) {
            return;
        }
        let corners: BTreeMap<CellId, BTreeSet<(i32, i32)>> = board
            .cells()
            .map(|cell| (cell, board.outline(cell).iter().flatten().copied().collect()))
            .collect();
        let touch = |a: CellId, b: CellId| {
            let both = corners.get(&a).zip(corners.get(&b));
            both.is_some_and(|(a, b)| a.intersection(b).nth(1).is_some())
        };
        let dash = if self.has_areas {
            format!(" stroke-dasharray=\"{0:.0} {0:.0}\"", self.text * 0.5)
        } else {
            String::new()
        };
        let width = if self.has_areas { self.text * 0.14 } else { self.radius * 0.14 };
        let _ = writeln!(svg, "<g stroke=\"{INK}\" stroke-width=\"{width:.0}\" fill=\"none\"{dash}>");
        let mut drawn = BTreeSet::new();
        for line in board.lines() {
            for (a, b) in line.cells.iter().zip(line.cells.iter().skip(1)) {
                if touch(*a, *b) || !drawn.insert((*a.min(b), *a.max(b))) {
                    continue;
                }
                let ((ax, ay), (bx, by)) = (board.position(*a), board.position(*b));
                let _ = writeln!(svg, "<path d=\"M{ax} {ay}L{bx} {by}\"/>");
            }
        }
        svg.push_str("</g>\n");
        for cell in board.cells().filter(|cell| board.outline(*cell).is_empty()) {
            let (x, y) = board.position(cell);
            let fill = hex(self.fill(cell));
            let radius = self.radius * 0.4;
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.0}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"{width:.0}\"><title>{}</title></circle>",
                escaped(board.cell_name(cell))
            );
        }
    }

    /// Rivers, walls and the like, between cells of grids.
    fn edges(&self, svg: &mut String) {
        let board = self.picture.board;
        let Some(looks) = self.picture.looks else { return };
        for (edge, look) in &looks.edges {
            let (a, b) = board.edge_ends(*edge);
            let (Some(first), Some(second)) = (board.outline(a).first().cloned(), board.outline(b).first().cloned()) else {
                continue;
            };
            let shared: Vec<(i32, i32)> = first.into_iter().filter(|corner| second.contains(corner)).collect();
            if let [(ax, ay), (bx, by)] = shared[..] {
                let colour = hex(look.fill.unwrap_or(0x003a_6ea5));
                let width = look.width.unwrap_or(12) * 10;
                let dash = if look.dashed {
                    format!(" stroke-dasharray=\"{width}\"")
                } else {
                    String::new()
                };
                let _ = writeln!(
                    svg,
                    "<path d=\"M{ax} {ay}L{bx} {by}\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"{dash}/>"
                );
            }
        }
    }

    /// A picture of the ruleset, in a square around a point.
    fn picture(&self, svg: &mut String, name: &str, (x, y): (f64, f64), half: f64, turned: i32) -> bool {
        let Some(number) = self.art.get(name) else { return false };
        let turn = if turned == 0 { String::new() } else { format!(" rotate({turned})") };
        let _ = writeln!(
            svg,
            "<use href=\"#art{number}\" transform=\"translate({x:.0} {y:.0}){turn} scale({:.3})\"/>",
            half / 100.0
        );
        true
    }

    fn icons(&self, svg: &mut String) {
        let board = self.picture.board;
        for cell in board.cells() {
            let Some(look) = self.look(cell) else { continue };
            let (x, y) = board.position(cell);
            let at = (f64::from(x), f64::from(y));
            let half = self.radius * 1.2;
            for name in look.icon.iter().chain(&look.overlays) {
                self.picture(svg, name, at, half, look.facing.unwrap_or(0));
            }
            if let Some(glyph) = &look.glyph {
                text_at(svg, glyph, (at.0, at.1 + self.text * 0.5), self.text * 1.5, ink_on(self.fill(cell)));
            }
            if let Some(label) = &look.label {
                text_at(svg, label, (at.0, at.1 + self.radius), self.text, ink_on(self.fill(cell)));
            }
        }
    }

    /// Names and coordinates.
    fn labels(&self, svg: &mut String) {
        let board = self.picture.board;
        let has_piece = |cell: CellId| self.picture.state.is_some_and(|state| !state.pieces_at(cell).is_empty());
        for cell in board.cells() {
            let name = board.cell_name(cell);
            let (x, y) = board.position(cell);
            let (x, y) = (f64::from(x), f64::from(y));
            let default = board
                .coordinates(cell)
                .and_then(|(column, row)| Topology::default_name(column, row));
            let is_default = default.as_deref() == Some(name);
            let is_shown = match &default {
                Some(_) if is_default => self.options.has_coordinates,
                _ => self.options.has_names,
            };
            if !is_shown {
                continue;
            }
            if default.is_some() {
                // At the upper end of the cell, where pieces leave room.
                text_at(
                    svg,
                    name,
                    (x, y - 310.0),
                    if is_default { self.text } else { self.text * 1.1 },
                    ink_on(self.fill(cell)),
                );
            } else if self.has_only_points {
                text_at(svg, name, (x + self.radius * 0.9, y - self.radius * 0.7), self.text, INK);
            } else {
                let below = if has_piece(cell) {
                    self.radius + self.text * 0.9
                } else {
                    self.text * 0.35
                };
                for (place, line) in lines_of(name).into_iter().enumerate() {
                    let down = y + below + place as f64 * self.text * 1.05;
                    // A light rim, so that it is read on borders too.
                    let _ = writeln!(
                        svg,
                        "<text x=\"{x:.0}\" y=\"{down:.0}\" font-size=\"{0:.0}\" text-anchor=\"middle\" fill=\"{INK}\" stroke=\"#ffffff\" stroke-opacity=\"0.75\" stroke-width=\"{1:.0}\" paint-order=\"stroke\" stroke-linejoin=\"round\">{2}</text>",
                        self.text,
                        self.text * 0.22,
                        escaped(&line)
                    );
                }
            }
        }
    }

    fn pieces(&self, svg: &mut String) {
        let (board, Some(state)) = (self.picture.board, self.picture.state) else {
            return;
        };
        for cell in board.cells() {
            let on_cell: Vec<&Piece> = state.pieces_at(cell).iter().filter_map(|piece| state.piece(*piece)).collect();
            let (beside, on_cell): (Vec<_>, Vec<_>) = on_cell.into_iter().partition(|piece| matches!(piece.place, Place::Side(..)));
            for piece in beside {
                if let Place::Side(_, direction) = piece.place
                    && let Some(at) = self.side(cell, direction)
                {
                    self.piece(svg, piece, at, self.radius * BESIDE);
                }
            }
            let count = on_cell.len();
            for (place, piece) in on_cell.into_iter().enumerate() {
                if matches!(piece.place, Place::Posed(..)) {
                    self.covered(svg, piece, cell);
                    continue;
                }
                let (x, y) = board.position(cell);
                let slip = (place as f64 - (count as f64 - 1.0) / 2.0) * self.radius * 0.5;
                self.piece(
                    svg,
                    piece,
                    (
                        f64::from(x) + slip,
                        f64::from(y) + if self.has_only_points || self.has_areas { 0.0 } else { 60.0 },
                    ),
                    self.radius,
                );
            }
        }
    }

    /// A cell that a posed piece covers.
    fn covered(&self, svg: &mut String, piece: &Piece, cell: CellId) {
        let seat = piece.owner.and_then(|seat| self.picture.declarations.seats.get(seat.index()));
        let looked = self.piece_look(piece.id).and_then(|look| look.fill);
        let fill = looked.or_else(|| seat.map(|seat| seat.colour)).unwrap_or(0x00c8_c2b8);
        let outline = self.picture.board.outline(cell);
        let corners = outline.iter().flatten().map(|(x, y)| format!("{x},{y}"));
        let points = corners.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            svg,
            "<polygon points=\"{points}\" fill=\"{}\" stroke=\"{INK}\" stroke-width=\"25\"/>",
            hex(fill)
        );
    }

    /// Where a piece on a side of a cell is drawn: inside of the middle of the side.
    fn side(&self, cell: CellId, direction: DirectionId) -> Option<(f64, f64)> {
        let outline = self.picture.board.outline(cell);
        let outline = outline.first()?;
        let corners = outline.len();
        let per_side = (self.picture.board.direction_count() / corners.max(1)).max(1);
        let from = direction.index().is_multiple_of(per_side).then_some(direction.index() / per_side)?;
        let (from, to) = (outline.get(from)?, outline.get((from + 1) % corners)?);
        let (x, y) = self.picture.board.position(cell);
        let inwards = |middle: i32, a: i32, b: i32| f64::from(middle) * 0.28 + (f64::from(a) + f64::from(b)) * 0.36;
        Some((inwards(x, from.0, to.0), inwards(y, from.1, to.1)))
    }

    fn piece(&self, svg: &mut String, piece: &Piece, (x, y): (f64, f64), radius: f64) {
        let declarations = self.picture.declarations;
        let look = self.piece_look(piece.id);
        let seat = piece.owner.and_then(|seat| declarations.seats.get(seat.index()));
        let fill = look
            .and_then(|look| look.fill)
            .or_else(|| seat.map(|seat| seat.colour))
            .unwrap_or(0x00c8_c2b8);
        let facing = look.and_then(|look| look.facing).unwrap_or(0);
        if !look
            .and_then(|look| look.icon.as_ref())
            .is_some_and(|icon| self.picture(svg, icon, (x, y), radius, facing))
        {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{radius:.0}\" fill=\"{}\" stroke=\"{INK}\" stroke-width=\"{:.0}\"/>",
                hex(fill),
                radius * 0.08
            );
            let kind = declarations.kinds.get(piece.kind.index());
            let glyph = look
                .and_then(|look| look.glyph.as_deref())
                .or(kind.map(|kind| &*kind.glyph))
                .unwrap_or("");
            text_at(svg, glyph, (x, y + radius * 0.4), radius * 1.15, ink_on(fill));
        }
        for overlay in look.into_iter().flat_map(|look| &look.overlays) {
            self.picture(svg, overlay, (x, y), radius, facing);
        }
        if let Some(badge) = look.and_then(|look| look.badge.as_ref()) {
            text_at(svg, badge, (x + radius * 0.8, y - radius * 0.6), radius * 0.7, INK);
        }
    }
}

/// A name on one line or two.
fn lines_of(name: &str) -> Vec<String> {
    let middle = name.chars().count() / 2;
    let blanks = name.char_indices().enumerate().filter(|(_, (_, letter))| *letter == ' ');
    let nearest = blanks.min_by_key(|(place, _)| place.abs_diff(middle));
    match nearest {
        Some((_, (at, _))) if name.chars().count() > 10 => {
            let (first, second) = name.split_at(at);
            vec![first.to_owned(), second.trim().to_owned()]
        }
        _ => vec![name.to_owned()],
    }
}

fn least_distance(board: &Board) -> f64 {
    let ends = board
        .lines()
        .iter()
        .flat_map(|line| line.cells.iter().zip(line.cells.iter().skip(1)));
    let length = |(a, b): (&CellId, &CellId)| {
        let ((ax, ay), (bx, by)) = (board.position(*a), board.position(*b));
        f64::from(ax - bx).hypot(f64::from(ay - by))
    };
    ends.map(length)
        .filter(|length| *length > 0.0)
        .fold(f64::INFINITY, f64::min)
        .min(1e9)
}
