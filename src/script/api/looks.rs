//! What look hooks give back: maps of texts and colours.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::super::Program;
use super::super::declare::read_colour;
use super::super::table::Table;
use super::convert::{self, list_items};
use super::handles::Cell;
use super::stage::SharedStage;
use crate::model::{BoardLook, CellLook, Looks, PieceLook, State, Vector};
use crate::rules::Rejection;

/// Why looks could not be had.
pub(crate) enum Problem {
    /// A hook refused or failed.
    Rejected(Rejection),
    /// A hook gave back something else: its name and what is expected.
    Returned(String, String),
}

type Call<'a> = dyn Fn(&str, Option<Dynamic>) -> Result<Dynamic, Rejection> + 'a;

/// Asks `look_board`, `look_cell`, `look_piece` and `panel` about everything in a view.
pub(crate) fn looks(program: &Program, stage: &SharedStage, view: &Arc<State>, call: &Call<'_>) -> Result<Looks, Problem> {
    let mut looks = Looks {
        position: view.position(),
        ..Looks::default()
    };
    let ask = |name: &str, thing: Option<Dynamic>| call(name, thing).map_err(Problem::Rejected);
    if program.has("look_board", 1) {
        let value = ask("look_board", None)?;
        if let Some(map) = entries("look_board", &value)? {
            looks.board = board_look(&map)?;
        }
    }
    if program.has("look_cell", 2) {
        for cell in view.board().cells() {
            let value = ask("look_cell", Some(Dynamic::from(convert::cell(stage, cell))))?;
            if let Some(map) = entries("look_cell", &value)? {
                looks.cells.insert(cell, cell_look(&map)?);
            }
        }
    }
    if program.has("look_piece", 2) {
        for piece in view.pieces().filter(|piece| !piece.place.is_off()) {
            let value = ask("look_piece", Some(Dynamic::from(convert::piece(stage, piece.id))))?;
            if let Some(map) = entries("look_piece", &value)? {
                looks.pieces.insert(piece.id, piece_look(&map)?);
            }
        }
    }
    if program.has("panel", 1) {
        let value = ask("panel", None)?;
        let wrong = || Problem::Returned("panel".to_owned(), "a list of pairs: [[\"label\", value], ...]".to_owned());
        for line in list_items(&value).ok_or_else(wrong)? {
            let pair = list_items(&line).ok_or_else(wrong)?;
            let [label, value] = pair.as_slice() else { return Err(wrong()) };
            looks.panel.push((Arc::from(label.to_string()), Arc::from(value.to_string())));
        }
    }
    Ok(looks)
}

fn entries(hook: &str, value: &Dynamic) -> Result<Option<Map>, Problem> {
    if value.is_unit() {
        return Ok(None);
    }
    let map = value.read_lock::<Map>().map(|map| map.clone());
    let map = map.or_else(|| value.read_lock::<Table>().and_then(|table| table.as_map().cloned()));
    map.map(Some)
        .ok_or_else(|| Problem::Returned(hook.to_owned(), "() or a map such as #{ icon: \"x.svg\" }".to_owned()))
}

/// What a hook gave back under a key, as it has to be; otherwise what was expected.
struct Entry<'a> {
    hook: &'static str,
    key: &'a str,
    value: &'a Dynamic,
}

impl Entry<'_> {
    fn wrong(&self, expected: &str) -> Problem {
        Problem::Returned(self.hook.to_owned(), format!("{expected} as {}", self.key))
    }

    fn unknown(&self, known: &str) -> Problem {
        Problem::Returned(self.hook.to_owned(), format!("{known}, not {}", self.key))
    }

    fn text(&self) -> Result<Arc<str>, Problem> {
        let text = self.value.as_immutable_string_ref().map_err(|_| self.wrong("a text"))?;
        Ok(Arc::from(text.as_str()))
    }

    fn texts(&self) -> Result<Vec<Arc<str>>, Problem> {
        let wrong = || self.wrong("a list of texts");
        let item = |item: &Dynamic| {
            item.as_immutable_string_ref()
                .map(|text| Arc::from(text.as_str()))
                .map_err(|_| wrong())
        };
        list_items(self.value).ok_or_else(wrong)?.iter().map(item).collect()
    }

    fn colour(&self) -> Result<u32, Problem> {
        read_colour(&self.text()?).ok_or_else(|| self.wrong("a colour such as \"#RRGGBB\""))
    }

    fn degrees(&self) -> Result<i32, Problem> {
        let degrees = self.value.as_int().ok().and_then(|degrees| i32::try_from(degrees).ok());
        degrees.ok_or_else(|| self.wrong("a whole number"))
    }

    /// Arrows: a cell each, or a map with the cell under `to`.
    fn vectors(&self) -> Result<Vec<Vector>, Problem> {
        let wrong = || self.wrong("a list of cells, or of maps such as #{ to: cell, fill: \"#RRGGBB\", label: \"2\" }");
        let vector = |item: &Dynamic| {
            if let Some(to) = item.read_lock::<Cell>() {
                return Ok(Vector {
                    to: to.id,
                    fill: None,
                    label: None,
                });
            }
            let map = entries(self.hook, item)?.ok_or_else(wrong)?;
            let mut vector = Vector {
                to: map
                    .get("to")
                    .and_then(|to| to.read_lock::<Cell>().map(|cell| cell.id))
                    .ok_or_else(wrong)?,
                fill: None,
                label: None,
            };
            for (key, value) in map.iter().filter(|(key, _)| *key != "to") {
                let entry = Entry { key, value, ..*self };
                match key.as_str() {
                    "fill" => vector.fill = Some(entry.colour()?),
                    "label" => vector.label = Some(entry.text()?),
                    _ => return Err(entry.unknown("to, fill or label")),
                }
            }
            Ok(vector)
        };
        list_items(self.value).ok_or_else(wrong)?.iter().map(vector).collect()
    }
}

fn board_look(map: &Map) -> Result<BoardLook, Problem> {
    let mut look = BoardLook::default();
    for (key, value) in map {
        let entry = Entry {
            hook: "look_board",
            key,
            value,
        };
        match key.as_str() {
            "fill" => look.fill = Some(entry.colour()?),
            "texture" => look.texture = Some(entry.text()?),
            _ => return Err(entry.unknown("fill or texture")),
        }
    }
    Ok(look)
}

fn cell_look(map: &Map) -> Result<CellLook, Problem> {
    let mut look = CellLook::default();
    for (key, value) in map {
        let entry = Entry {
            hook: "look_cell",
            key,
            value,
        };
        match key.as_str() {
            "fill" => look.fill = Some(entry.colour()?),
            "texture" => look.texture = Some(entry.text()?),
            "icon" => look.icon = Some(entry.text()?),
            "facing" => look.facing = Some(entry.degrees()?),
            "overlays" => look.overlays = entry.texts()?,
            "glyph" => look.glyph = Some(entry.text()?),
            "label" => look.label = Some(entry.text()?),
            "badge" => look.badge = Some(entry.text()?),
            "outline" => look.outline = Some(entry.colour()?),
            _ => return Err(entry.unknown("fill, texture, icon, facing, overlays, glyph, label, badge or outline")),
        }
    }
    Ok(look)
}

fn piece_look(map: &Map) -> Result<PieceLook, Problem> {
    let mut look = PieceLook::default();
    for (key, value) in map {
        let entry = Entry {
            hook: "look_piece",
            key,
            value,
        };
        match key.as_str() {
            "fill" => look.fill = Some(entry.colour()?),
            "icon" => look.icon = Some(entry.text()?),
            "glyph" => look.glyph = Some(entry.text()?),
            "badge" => look.badge = Some(entry.text()?),
            "facing" => look.facing = Some(entry.degrees()?),
            "outline" => look.outline = Some(entry.colour()?),
            "overlays" => look.overlays = entry.texts()?,
            "vectors" => look.vectors = entry.vectors()?,
            _ => return Err(entry.unknown("icon, glyph, fill, badge, facing, outline, overlays or vectors")),
        }
    }
    Ok(look)
}
