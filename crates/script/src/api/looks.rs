//! What look hooks give back: maps of texts and colours.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::super::declare::read_colour;
use super::super::hooks::BoundHook;
use super::super::limits::{LOOKS_BYTES, MARKS_MADE};
use super::super::rules::LookHooks;
use super::call_context::SharedContext;
use super::convert::{self, cell_id, list_items, list_of, seat_id};
use super::handles::{Cell, Cells, Edge, Piece};
use boardwright_model::{
    Action, Arrow, BoardLook, CellId, CellLook, Domain, EdgeId, EdgeLook, Looks, PanelAction, PanelLine, PanelSection, Pick, PickKind,
    PickMark, PieceLook, Rejection, SeatId, State,
};

/// What hooks are to say of what may be picked.
const MARKS: &str = "a list of pairs of a pick, or a set of cells, and a text or a map such as #{ text: \"2\", faint: true }";

/// What hooks are to say beside the board.
const LINES: &str = "a list of lines: [\"label\", value], [seat, value], [seat, \"label\", value], or a map such as #{ label: \"Camp\", value: 2, cell: cell }";

/// Makes an action of its name and its picks by name.
type ActionOf<'a> = dyn Fn(&Map) -> Option<Action> + 'a;

/// Why looks could not be had.
pub(crate) enum Problem<'a> {
    /// A hook refused or failed.
    Rejected(Rejection),
    /// With what this hook returned, the looks have grown too large.
    TooLarge(&'a BoundHook),
    /// A hook returned something else than what is expected.
    Returned(&'a BoundHook, String),
}

type Call<'a> = dyn Fn(&BoundHook, Option<Dynamic>) -> Result<Dynamic, Rejection> + 'a;

/// Asks the hooks about everything in a view. `action_of` makes the actions that are offered to the seat that looks.
pub(crate) fn looks<'a>(
    hooks: &'a LookHooks,
    context: &SharedContext,
    (view, seat): (&Arc<State>, Option<SeatId>),
    call: &Call<'_>,
    action_of: &ActionOf<'_>,
) -> Result<Looks, Problem<'a>> {
    let mut looks = Looks {
        position: view.position(),
        ..Looks::default()
    };
    let mut bytes = 0;
    let mut ask = |hook: &'a BoundHook, thing: Option<Dynamic>| {
        let value = call(hook, thing).map_err(Problem::Rejected)?;
        bytes += weight(&value);
        if bytes > LOOKS_BYTES {
            Err(Problem::TooLarge(hook))
        } else {
            Ok(value)
        }
    };
    if let Some(hook) = &hooks.board
        && let Some(map) = map_of(hook, &ask(hook, None)?)?
    {
        looks.board = board_look(hook, &map)?;
    }
    if let Some(hook) = &hooks.cell {
        for cell in view.board().cells() {
            let value = ask(hook, Some(Dynamic::from(Cell::new(context, cell))))?;
            if let Some(map) = map_of(hook, &value)? {
                looks.cells.insert(cell, cell_look(hook, &map)?);
            }
        }
    }
    if let Some(hook) = &hooks.edge {
        for edge in (0..view.board().edge_count()).map(EdgeId::from_index) {
            let value = ask(hook, Some(Dynamic::from(Edge::new(context, edge))))?;
            if let Some(map) = map_of(hook, &value)? {
                looks.edges.insert(edge, edge_look(hook, &map)?);
            }
        }
    }
    if let Some(hook) = &hooks.piece {
        for piece in view.pieces().filter(|piece| !piece.place.is_off()) {
            let value = ask(hook, Some(Dynamic::from(Piece::new(context, piece.id))))?;
            if let Some(map) = map_of(hook, &value)? {
                looks.pieces.insert(piece.id, piece_look(hook, &map)?);
            }
        }
    }
    if let Some(hook) = &hooks.panel {
        looks.panel = panel(hook, &ask(hook, None)?, action_of)?;
    }
    if let Some(hook) = &hooks.left_to_do
        && seat.is_some_and(|seat| view.acting().contains(seat))
    {
        let items = list_items(&ask(hook, None)?).ok_or_else(|| Problem::Returned(hook, LINES.to_owned()))?;
        let lines = items.iter().map(|item| line(hook, item, action_of));
        looks.left_to_do = lines.collect::<Result<_, _>>()?;
    }
    Ok(looks)
}

/// The sections of the panel: a text begins one.
fn panel<'a>(hook: &'a BoundHook, value: &Dynamic, action_of: &ActionOf<'_>) -> Result<Vec<PanelSection>, Problem<'a>> {
    let mut sections: Vec<PanelSection> = Vec::new();
    for item in list_items(value).ok_or_else(|| Problem::Returned(hook, LINES.to_owned()))? {
        if let Some(title) = convert::text(&item) {
            sections.push(PanelSection { title, lines: Vec::new() });
            continue;
        }
        let line = line(hook, &item, action_of)?;
        match sections.last_mut() {
            Some(section) => section.lines.push(line),
            None => sections.push(PanelSection {
                title: Arc::default(),
                lines: vec![line],
            }),
        }
    }
    sections.retain(|section| !section.lines.is_empty());
    Ok(sections)
}

/// A line beside the board: a list of what it says, or a map.
fn line<'a>(hook: &'a BoundHook, item: &Dynamic, action_of: &ActionOf<'_>) -> Result<PanelLine, Problem<'a>> {
    let wrong = || Problem::Returned(hook, LINES.to_owned());
    if let Some(map) = convert::map_entries(item) {
        return line_of_map(hook, &map, action_of);
    }
    let items = list_items(item).ok_or_else(wrong)?;
    let (seat, label, value) = match items.as_slice() {
        [seat, label, value] => (Some(seat_id(seat).ok_or_else(wrong)?), label.to_string(), value),
        [first, value] => match seat_id(first) {
            Some(seat) => (Some(seat), String::new(), value),
            None => (None, first.to_string(), value),
        },
        _ => return Err(wrong()),
    };
    Ok(PanelLine {
        seat,
        label: label.into(),
        value: value.to_string().into(),
        ..PanelLine::default()
    })
}

fn line_of_map<'a>(hook: &'a BoundHook, map: &Map, action_of: &ActionOf<'_>) -> Result<PanelLine, Problem<'a>> {
    let mut line = PanelLine::default();
    for (key, value) in map {
        let entry = Entry { hook, key, value };
        match key.as_str() {
            "seat" => line.seat = Some(seat_id(value).ok_or_else(|| entry.wrong("a seat"))?),
            "label" => line.label = entry.text()?,
            "value" => line.value = value.to_string().into(),
            "cell" => line.cell = Some(cell_id(value).ok_or_else(|| entry.wrong("a cell"))?),
            "actions" => {
                let action = |item: &Dynamic| {
                    let [title, action] = <[Dynamic; 2]>::try_from(list_items(item)?).ok()?;
                    Some(PanelAction {
                        title: convert::text(&title)?,
                        action: action_of(&convert::map_entries(&action)?)?,
                    })
                };
                line.actions = list_of(value, action)
                    .ok_or_else(|| entry.wrong("a list of pairs of a title and an action of the seat, such as [\"Accept\", #{ action: \"accept\", offer: offer }],"))?;
            }
            _ => return Err(entry.unknown("seat, label, value, cell or actions")),
        }
    }
    Ok(line)
}

/// About how many bytes a look takes: those of its texts, and of the lists that hold them.
fn weight(value: &Dynamic) -> usize {
    const ITEM: usize = 32;
    if let Ok(text) = value.as_immutable_string_ref() {
        return text.len() + ITEM;
    }
    let of_items = convert::list_of::<usize, Vec<usize>>(value, |item| Some(weight(item)));
    let of_map = || convert::map_entries(value).map(|map| map.values().map(weight).sum());
    of_items.map(|items| items.iter().sum()).or_else(of_map).unwrap_or(ITEM)
}

fn map_of<'a>(hook: &'a BoundHook, value: &Dynamic) -> Result<Option<Map>, Problem<'a>> {
    if value.is_unit() {
        return Ok(None);
    }
    let wrong = || Problem::Returned(hook, "() or a map such as #{ icon: \"x.svg\" }".to_owned());
    convert::map_entries(value).map(Some).ok_or_else(wrong)
}

/// What a hook gave back under a key, as it has to be; otherwise what was expected.
#[derive(Clone, Copy)]
struct Entry<'a, 'h> {
    hook: &'h BoundHook,
    key: &'a str,
    value: &'a Dynamic,
}

impl<'h> Entry<'_, 'h> {
    fn wrong(&self, expected: &str) -> Problem<'h> {
        Problem::Returned(self.hook, format!("{expected} as {}", self.key))
    }

    fn unknown(&self, known: &str) -> Problem<'h> {
        Problem::Returned(self.hook, format!("{known}, not {}", self.key))
    }

    fn text(&self) -> Result<Arc<str>, Problem<'h>> {
        convert::text(self.value).ok_or_else(|| self.wrong("a text"))
    }

    fn texts(&self) -> Result<Vec<Arc<str>>, Problem<'h>> {
        list_of(self.value, convert::text).ok_or_else(|| self.wrong("a list of texts"))
    }

    fn colour(&self) -> Result<u32, Problem<'h>> {
        read_colour(&self.text()?).ok_or_else(|| self.wrong("a colour such as \"#RRGGBB\""))
    }

    fn cells(&self) -> Result<Vec<CellId>, Problem<'h>> {
        let cells = convert::items_of(self.value).and_then(|items| items.iter().map(cell_id).collect());
        cells.ok_or_else(|| self.wrong("cells"))
    }

    fn degrees(&self) -> Result<i32, Problem<'h>> {
        let degrees = self.value.as_int().ok().and_then(|degrees| i32::try_from(degrees).ok());
        degrees.ok_or_else(|| self.wrong("a whole number"))
    }

    fn hundredths(&self) -> Result<i32, Problem<'h>> {
        let width = self.value.as_int().ok().filter(|width| (1..=100).contains(width));
        width.map(|width| width as i32).ok_or_else(|| self.wrong("a number from 1 to 100"))
    }

    fn flag(&self) -> Result<bool, Problem<'h>> {
        self.value.as_bool().map_err(|_| self.wrong("true or false"))
    }

    /// Arrows: a cell each, or a map with the cell under `to`.
    fn vectors(&self) -> Result<Vec<Arrow>, Problem<'h>> {
        let wrong = || self.wrong("a list of cells, or of maps such as #{ to: cell, from: cell, fill: \"#RRGGBB\", label: \"2\" }");
        let vector = |item: &Dynamic| {
            if let Some(to) = cell_id(item) {
                return Ok(Arrow::to(to));
            }
            let map = map_of(self.hook, item)?.ok_or_else(wrong)?;
            let mut vector = Arrow::to(map.get("to").and_then(cell_id).ok_or_else(wrong)?);
            for (key, value) in map.iter().filter(|(key, _)| *key != "to") {
                let entry = Entry { key, value, ..*self };
                match key.as_str() {
                    "fill" => vector.fill = Some(entry.colour()?),
                    "label" => vector.label = Some(entry.text()?),
                    "from" => vector.from = Some(cell_id(value).ok_or_else(|| entry.wrong("a cell"))?),
                    "faint" => vector.faint = entry.flag()?,
                    "dashed" => vector.dashed = entry.flag()?,
                    "headless" => vector.headless = entry.flag()?,
                    _ => return Err(entry.unknown("to, from, fill, label, faint, dashed or headless")),
                }
            }
            Ok(vector)
        };
        list_items(self.value).ok_or_else(wrong)?.iter().map(vector).collect()
    }
}

/// Functions that read a look, each field by a method of [`Entry`].
macro_rules! look_readers {
    ($($name:ident -> $look:ident { $($field:ident: $read:ident),* }, $known:literal;)*) => {$(
        fn $name<'a>(hook: &'a BoundHook, map: &Map) -> Result<$look, Problem<'a>> {
            let mut look = $look::default();
            for (key, value) in map {
                let entry = Entry { hook, key, value };
                match key.as_str() {
                    $(key if key == stringify!($field) => look.$field = entry.$read()?.into(),)*
                    _ => return Err(entry.unknown($known)),
                }
            }
            Ok(look)
        }
    )*};
}

/// What a hook says to stand beside the picks of a domain: pairs of one of them, or a set of cells, and what stands there. Of pairs for the same
/// pick the last counts, and what cannot be picked is passed over.
pub(crate) fn pick_marks<'h>(hook: &'h BoundHook, domain: &Domain, value: &Dynamic) -> Result<Vec<PickMark>, Problem<'h>> {
    let wrong = || Problem::Returned(hook, MARKS.to_owned());
    let mut marks = BTreeMap::new();
    let (mut count, mut bytes) = (0, 0);
    for item in convert::list_items(value).ok_or_else(wrong)? {
        let pair = convert::list_items(&item).and_then(|pair| <[Dynamic; 2]>::try_from(pair).ok());
        let [what, mark] = pair.ok_or_else(wrong)?;
        let mark = mark_of(hook, &mark)?;
        for pick in picks_of(domain, &what).ok_or_else(wrong)? {
            count += 1;
            bytes += [&mark.title, &mark.text]
                .into_iter()
                .flatten()
                .map(|text| text.len())
                .sum::<usize>();
            if count > MARKS_MADE || bytes > LOOKS_BYTES {
                return Err(Problem::TooLarge(hook));
            }
            let Mark { title, text, faint } = mark.clone();
            marks.insert(pick.clone(), PickMark { pick, title, text, faint });
        }
    }
    let says_something = |mark: &PickMark| mark.faint || mark.title.is_some() || mark.text.is_some();
    Ok(marks.into_values().filter(says_something).collect())
}

/// The picks of a domain that are meant by one of them, or by a set of cells. `None` if that is something else.
fn picks_of(domain: &Domain, what: &Dynamic) -> Option<Vec<Pick>> {
    let (kind, set) = match domain {
        Domain::Cells(cells) => (PickKind::Cell, what.read_lock::<Cells>().map(|set| set.set.intersection(cells))),
        Domain::Pieces(_) => (PickKind::Piece, None),
        Domain::Choices(_) => (PickKind::Choice, None),
        Domain::Seats(_) => (PickKind::Seat, None),
        // The others are not shown one by one.
        _ => return Some(Vec::new()),
    };
    if let Some(set) = set {
        return Some(set.iter().map(Pick::Cell).collect());
    }
    let pick = convert::to_pick(what, kind)?;
    let is_offered = match (domain, &pick) {
        (Domain::Cells(cells), Pick::Cell(cell)) => cells.contains(*cell),
        (Domain::Pieces(pieces), Pick::Piece(piece)) => pieces.contains(piece),
        (Domain::Choices(words), Pick::Choice(word)) => words.contains(word),
        (Domain::Seats(seats), Pick::Seat(seat)) => seats.contains(seat),
        _ => false,
    };
    Some(is_offered.then_some(pick).into_iter().collect())
}

/// What stands beside a pick.
#[derive(Clone, Default)]
struct Mark {
    title: Option<Arc<str>>,
    text: Option<Arc<str>>,
    faint: bool,
}

fn mark_of<'h>(hook: &'h BoundHook, value: &Dynamic) -> Result<Mark, Problem<'h>> {
    let mut mark = Mark {
        text: convert::text(value),
        ..Mark::default()
    };
    if mark.text.is_none() {
        for (key, value) in &map_of(hook, value)?.ok_or_else(|| Problem::Returned(hook, MARKS.to_owned()))? {
            let entry = Entry { hook, key, value };
            match key.as_str() {
                "title" => mark.title = Some(entry.text()?),
                "text" => mark.text = Some(entry.text()?),
                "faint" => mark.faint = entry.flag()?,
                _ => return Err(entry.unknown("title, text or faint")),
            }
        }
    }
    for text in [&mut mark.title, &mut mark.text] {
        text.take_if(|text| text.is_empty());
    }
    Ok(mark)
}

look_readers! {
    board_look -> BoardLook { fill: colour, texture: text, marked: cells, mark: colour },
        "fill, texture, marked or mark";
    cell_look -> CellLook {
        fill: colour, texture: text, icon: text, facing: degrees, overlays: texts, glyph: text, label: text, badge: text, outline: colour
    },
        "fill, texture, icon, facing, overlays, glyph, label, badge or outline";
    edge_look -> EdgeLook { fill: colour, width: hundredths, dashed: flag },
        "fill, width or dashed";
    piece_look -> PieceLook {
        fill: colour, icon: text, glyph: text, badge: text, facing: degrees, outline: colour, overlays: texts, vectors: vectors
    },
        "icon, glyph, fill, badge, facing, outline, overlays or vectors";
}
