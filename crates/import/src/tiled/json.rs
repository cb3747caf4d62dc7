//! TMJ: a map of Tiled as JSON.

use std::collections::BTreeMap;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use serde::Deserialize;
use serde_json::Value;

use super::file::{Layer, LayerKind, MOST_ITEMS, MOST_OBJECTS, Object, Shape, TiledMap, Tileset, tiles};

type Tilesets<'a> = dyn Fn(&str) -> Result<String, Diagnostic> + 'a;

#[derive(Deserialize)]
#[serde(default)]
struct JsonMap {
    orientation: String,
    staggeraxis: String,
    staggerindex: String,
    width: u32,
    height: u32,
    tilewidth: f64,
    tileheight: f64,
    hexsidelength: f64,
    infinite: bool,
    tilesets: Vec<JsonTileset>,
    layers: Vec<JsonLayer>,
}

impl Default for JsonMap {
    fn default() -> Self {
        Self {
            orientation: "orthogonal".to_owned(),
            staggeraxis: "y".to_owned(),
            staggerindex: "odd".to_owned(),
            width: 0,
            height: 0,
            tilewidth: 0.0,
            tileheight: 0.0,
            hexsidelength: 0.0,
            infinite: false,
            tilesets: Vec::new(),
            layers: Vec::new(),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonTileset {
    firstgid: u32,
    name: String,
    source: Option<String>,
    tiles: Vec<JsonTile>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonTile {
    id: u32,
    #[serde(alias = "type")]
    class: String,
    properties: Vec<JsonProperty>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonProperty {
    name: String,
    value: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonLayer {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    data: Value,
    encoding: String,
    compression: String,
    objects: Vec<JsonObject>,
    layers: Vec<JsonLayer>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonObject {
    id: u32,
    name: String,
    #[serde(alias = "type")]
    class: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    rotation: f64,
    gid: Option<u32>,
    ellipse: bool,
    point: bool,
    polygon: Option<Vec<JsonPoint>>,
    polyline: Option<Value>,
    text: Option<Value>,
    properties: Vec<JsonProperty>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonPoint {
    x: f64,
    y: f64,
}

pub(super) fn read(text: &str, file: &str, tileset: &Tilesets<'_>, found: &mut Diagnostics) -> Result<TiledMap, Diagnostic> {
    let read: JsonMap = serde_json::from_str(text).map_err(|error| {
        let place = Location::at(file, error.line() as u32, error.column() as u32);
        Diagnostic::error(Code::Syntax, format!("this is no map of Tiled: {error}")).at(place)
    })?;
    if read.infinite {
        let found = Diagnostic::error(Code::BadValue, "the map is infinite").at(Location::file(file));
        return Err(found.with_help("switch that off in its properties in Tiled"));
    }
    let mut map = TiledMap {
        orientation: read.orientation,
        stagger_axis: read.staggeraxis,
        stagger_index: read.staggerindex,
        width: read.width,
        height: read.height,
        tile_width: read.tilewidth,
        tile_height: read.tileheight,
        hex_side: read.hexsidelength,
        ..TiledMap::default()
    };
    for one in read.tilesets {
        let Some(source) = &one.source else {
            map.tilesets.push(one.named());
            continue;
        };
        let stem = source.rsplit(['/', '\\']).next().unwrap_or(source);
        let mut known = Tileset {
            first: one.firstgid,
            name: stem.split('.').next().unwrap_or(stem).to_owned(),
            ..Tileset::default()
        };
        match tileset(source).map(|text| tileset_of(&text, one.firstgid)) {
            Ok(Some(read)) => known = read,
            Ok(None) => found.push(unread(file, source, "it is no tileset as JSON")),
            Err(why) => found.push(unread(file, source, &why.message)),
        }
        map.tilesets.push(known);
    }
    lay(read.layers, file, &mut map.layers, found, 0);
    Ok(map)
}

fn unread(file: &str, source: &str, why: &str) -> Diagnostic {
    let message = format!("the tileset {source} was not read, so that its tiles are called by their numbers: {why}");
    Diagnostic::warning(Code::File, message).at(Location::file(file))
}

/// A tileset in a file of its own.
pub(super) fn tileset_of(text: &str, first: u32) -> Option<Tileset> {
    let mut read: JsonTileset = serde_json::from_str(text).ok()?;
    read.firstgid = first;
    Some(read.named())
}

impl JsonTileset {
    fn named(self) -> Tileset {
        let named = self.tiles.into_iter().filter_map(|tile| {
            let name = texts(tile.properties).remove("terrain").unwrap_or(tile.class);
            (!name.is_empty()).then_some((tile.id, name))
        });
        Tileset {
            first: self.firstgid,
            names: named.collect(),
            name: self.name,
        }
    }
}

fn texts(properties: Vec<JsonProperty>) -> BTreeMap<String, String> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    properties
        .into_iter()
        .map(|property| (property.name, text(property.value)))
        .collect()
}

fn lay(read: Vec<JsonLayer>, file: &str, layers: &mut Vec<Layer>, found: &mut Diagnostics, depth: usize) {
    for layer in read.into_iter().take(MOST_ITEMS) {
        let kind = match layer.kind.as_str() {
            "tilelayer" => match tiles_of(&layer) {
                Ok(tiles) => LayerKind::Tiles(tiles),
                Err(why) => {
                    let message = format!("layer {:?} was left out: {why}", layer.name);
                    found.push(Diagnostic::warning(Code::BadValue, message).at(Location::file(file)));
                    continue;
                }
            },
            "objectgroup" => LayerKind::Objects(layer.objects.into_iter().take(MOST_OBJECTS).map(object).collect()),
            "group" if depth < 16 => {
                lay(layer.layers, file, layers, found, depth + 1);
                continue;
            }
            "imagelayer" => LayerKind::Other("a picture"),
            _ => LayerKind::Other("of an unknown kind"),
        };
        layers.push(Layer {
            name: layer.name,
            line: 0,
            kind,
        });
    }
}

fn tiles_of(layer: &JsonLayer) -> Result<Vec<u32>, String> {
    match &layer.data {
        Value::String(text) => tiles(text, &layer.encoding, &layer.compression),
        Value::Array(numbers) => {
            let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
            let numbers: Option<Vec<u32>> = numbers.iter().map(number).collect();
            numbers.ok_or_else(|| "not all of its tiles are numbers".to_owned())
        }
        _ => Err("it has no tiles".to_owned()),
    }
}

fn object(read: JsonObject) -> Object {
    let shape = match read.polygon {
        _ if read.gid.is_some() => Shape::Tile,
        Some(points) => Shape::Polygon(points.into_iter().map(|point| (point.x, point.y)).collect()),
        None if read.ellipse => Shape::Ellipse,
        None if read.point => Shape::Point,
        None if read.polyline.is_some() => Shape::Other("a line"),
        None if read.text.is_some() => Shape::Other("a text"),
        None => Shape::Rectangle,
    };
    Object {
        id: read.id,
        name: read.name,
        class: read.class,
        line: 0,
        x: read.x,
        y: read.y,
        width: read.width,
        height: read.height,
        has_rotation: read.rotation != 0.0,
        shape,
        tile: read.gid.unwrap_or(0),
        properties: texts(read.properties),
    }
}
