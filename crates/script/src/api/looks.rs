//! What look hooks give back: maps of texts and colours.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::super::declare::read_colour;
use super::super::hooks::BoundHook;
use super::super::rules::LookHooks;
use super::call_context::SharedContext;
use super::convert::{self, list_items};
use super::handles::Cell;
use boardwright_model::{BoardLook, CellLook, Looks, PieceLook, Rejection, State, Vector};

/// Why looks could not be had.
pub(crate) enum Problem<'a> {
    /// A hook refused or failed.
    Rejected(Rejection),
    /// A hook returned something else than what is expected.
    Returned(&'a BoundHook, String),
}

type Call<'a> = dyn Fn(&BoundHook, Option<Dynamic>) -> Result<Dynamic, Rejection> + 'a;

/// Asks the hooks about everything in a view.
pub(crate) fn looks<'a>(hooks: &'a LookHooks, context: &SharedContext, view: &Arc<State>, call: &Call<'_>) -> Result<Looks, Problem<'a>> {
    let mut looks = Looks {
        position: view.position(),
        ..Looks::default()
    };
    let ask = |hook: &BoundHook, thing: Option<Dynamic>| call(hook, thing).map_err(Problem::Rejected);
    if let Some(hook) = &hooks.board
        && let Some(map) = map_of(hook, &ask(hook, None)?)?
    {
        looks.board = board_look(hook, &map)?;
    }
    if let Some(hook) = &hooks.cell {
        for cell in view.board().cells() {
            let value = ask(hook, Some(Dynamic::from(convert::cell(context, cell))))?;
            if let Some(map) = map_of(hook, &value)? {
                looks.cells.insert(cell, cell_look(hook, &map)?);
            }
        }
    }
    if let Some(hook) = &hooks.piece {
        for piece in view.pieces().filter(|piece| !piece.place.is_off()) {
            let value = ask(hook, Some(Dynamic::from(convert::piece(context, piece.id))))?;
            if let Some(map) = map_of(hook, &value)? {
                looks.pieces.insert(piece.id, piece_look(hook, &map)?);
            }
        }
    }
    if let Some(hook) = &hooks.panel {
        let value = ask(hook, None)?;
        let wrong = || Problem::Returned(hook, "a list of pairs: [[\"label\", value], ...]".to_owned());
        for line in list_items(&value).ok_or_else(wrong)? {
            let pair = list_items(&line).ok_or_else(wrong)?;
            let [label, value] = pair.as_slice() else { return Err(wrong()) };
            looks.panel.push((Arc::from(label.to_string()), Arc::from(value.to_string())));
        }
    }
    Ok(looks)
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
        let text = self.value.as_immutable_string_ref().map_err(|_| self.wrong("a text"))?;
        Ok(Arc::from(text.as_str()))
    }

    fn texts(&self) -> Result<Vec<Arc<str>>, Problem<'h>> {
        let wrong = || self.wrong("a list of texts");
        let item = |item: &Dynamic| {
            item.as_immutable_string_ref()
                .map(|text| Arc::from(text.as_str()))
                .map_err(|_| wrong())
        };
        list_items(self.value).ok_or_else(wrong)?.iter().map(item).collect()
    }

    fn colour(&self) -> Result<u32, Problem<'h>> {
        read_colour(&self.text()?).ok_or_else(|| self.wrong("a colour such as \"#RRGGBB\""))
    }

    fn degrees(&self) -> Result<i32, Problem<'h>> {
        let degrees = self.value.as_int().ok().and_then(|degrees| i32::try_from(degrees).ok());
        degrees.ok_or_else(|| self.wrong("a whole number"))
    }

    /// Arrows: a cell each, or a map with the cell under `to`.
    fn vectors(&self) -> Result<Vec<Vector>, Problem<'h>> {
        let wrong = || self.wrong("a list of cells, or of maps such as #{ to: cell, fill: \"#RRGGBB\", label: \"2\" }");
        let vector = |item: &Dynamic| {
            if let Some(to) = item.read_lock::<Cell>() {
                return Ok(Vector {
                    to: to.id,
                    fill: None,
                    label: None,
                });
            }
            let map = map_of(self.hook, item)?.ok_or_else(wrong)?;
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

fn board_look<'a>(hook: &'a BoundHook, map: &Map) -> Result<BoardLook, Problem<'a>> {
    let mut look = BoardLook::default();
    for (key, value) in map {
        let entry = Entry { hook, key, value };
        match key.as_str() {
            "fill" => look.fill = Some(entry.colour()?),
            "texture" => look.texture = Some(entry.text()?),
            _ => return Err(entry.unknown("fill or texture")),
        }
    }
    Ok(look)
}

fn cell_look<'a>(hook: &'a BoundHook, map: &Map) -> Result<CellLook, Problem<'a>> {
    let mut look = CellLook::default();
    for (key, value) in map {
        let entry = Entry { hook, key, value };
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

fn piece_look<'a>(hook: &'a BoundHook, map: &Map) -> Result<PieceLook, Problem<'a>> {
    let mut look = PieceLook::default();
    for (key, value) in map {
        let entry = Entry { hook, key, value };
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
