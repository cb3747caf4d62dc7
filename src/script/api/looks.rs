//! What look hooks give back: maps of texts and colours.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::super::Program;
use super::super::declare::read_colour;
use super::super::table::Table;
use super::convert::{self, list_items};
use super::stage::SharedStage;
use crate::model::{CellLook, Looks, PieceLook, State};
use crate::rules::Rejection;

/// Why looks could not be had.
pub(crate) enum Problem {
    /// A hook refused or failed.
    Rejected(Rejection),
    /// A hook gave back something else: its name and what is expected.
    Returned(String, String),
}

type Call<'a> = dyn Fn(&str, Option<Dynamic>) -> Result<Dynamic, Rejection> + 'a;

/// Asks `look_cell`, `look_piece` and `panel` about everything in a view.
pub(crate) fn looks(program: &Program, stage: &SharedStage, view: &Arc<State>, call: &Call<'_>) -> Result<Looks, Problem> {
    let mut looks = Looks {
        position: view.position(),
        ..Looks::default()
    };
    let ask = |name: &str, thing: Option<Dynamic>| call(name, thing).map_err(Problem::Rejected);
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

fn text(hook: &str, key: &str, value: &Dynamic) -> Result<Arc<str>, Problem> {
    let wrong = || Problem::Returned(hook.to_owned(), format!("a text as {key}"));
    value
        .as_immutable_string_ref()
        .map(|text| Arc::from(text.as_str()))
        .map_err(|_| wrong())
}

fn colour(hook: &str, value: &Dynamic) -> Result<u32, Problem> {
    let wrong = || Problem::Returned(hook.to_owned(), "a colour as fill: \"#RRGGBB\"".to_owned());
    read_colour(&text(hook, "fill", value)?).ok_or_else(wrong)
}

fn cell_look(map: &Map) -> Result<CellLook, Problem> {
    let hook = "look_cell";
    let mut look = CellLook::default();
    for (key, value) in map {
        match key.as_str() {
            "fill" => look.fill = Some(colour(hook, value)?),
            "icon" => look.icon = Some(text(hook, key, value)?),
            "label" => look.label = Some(text(hook, key, value)?),
            other => return Err(Problem::Returned(hook.to_owned(), format!("fill, icon or label, not {other}"))),
        }
    }
    Ok(look)
}

fn piece_look(map: &Map) -> Result<PieceLook, Problem> {
    let hook = "look_piece";
    let mut look = PieceLook::default();
    for (key, value) in map {
        match key.as_str() {
            "fill" => look.fill = Some(colour(hook, value)?),
            "icon" => look.icon = Some(text(hook, key, value)?),
            "glyph" => look.glyph = Some(text(hook, key, value)?),
            "badge" => look.badge = Some(text(hook, key, value)?),
            "facing" => {
                let degrees = value.as_int().ok().and_then(|degrees| i32::try_from(degrees).ok());
                look.facing = Some(degrees.ok_or_else(|| Problem::Returned(hook.to_owned(), "a whole number as facing".to_owned()))?);
            }
            other => {
                return Err(Problem::Returned(
                    hook.to_owned(),
                    format!("icon, glyph, fill, badge or facing, not {other}"),
                ));
            }
        }
    }
    Ok(look)
}
