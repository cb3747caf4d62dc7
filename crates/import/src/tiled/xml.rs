//! TMX: a map of Tiled as XML.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use roxmltree::Node;

use super::file::{Layer, LayerKind, MOST_ITEMS, MOST_OBJECTS, Object, Shape, TiledMap, Tileset, tiles};
use crate::foreign_xml::{Lines, parse};

type Tilesets<'a> = dyn Fn(&str) -> Result<String, Diagnostic> + 'a;

pub(super) fn read(text: &str, file: &str, tileset: &Tilesets<'_>, found: &mut Diagnostics) -> Result<TiledMap, Diagnostic> {
    let document = parse(text, file)?;
    let lines = &Lines::of(&document);
    let root = document.root_element();
    let wrong =
        |node: Node<'_, '_>, message: String| Diagnostic::error(Code::BadValue, message).at(Location::at(file, lines.line(node), 1));
    if root.tag_name().name() != "map" {
        return Err(wrong(root, format!("this is a `<{}>` and no map of Tiled", root.tag_name().name())));
    }
    if root.attribute("infinite") == Some("1") {
        return Err(wrong(root, "the map is infinite".to_owned()).with_help("switch that off in its properties in Tiled"));
    }
    let number = |name: &str| root.attribute(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let text = |name: &str, default: &str| root.attribute(name).unwrap_or(default).to_owned();
    let mut map = TiledMap {
        orientation: text("orientation", "orthogonal"),
        stagger_axis: text("staggeraxis", "y"),
        stagger_index: text("staggerindex", "odd"),
        width: number("width") as u32,
        height: number("height") as u32,
        tile_width: number("tilewidth"),
        tile_height: number("tileheight"),
        hex_side: number("hexsidelength"),
        ..TiledMap::default()
    };
    for child in elements(root).filter(|child| child.tag_name().name() == "tileset") {
        map.tilesets.push(read_tileset(child, (file, lines), tileset, found));
    }
    read_layers(root, (file, lines), &mut map.layers, found, 0);
    Ok(map)
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element).take(MOST_ITEMS)
}

fn number_of<T: std::str::FromStr + Default>(node: Node<'_, '_>, name: &str) -> T {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn read_tileset(node: Node<'_, '_>, (file, lines): (&str, &Lines), other: &Tilesets<'_>, found: &mut Diagnostics) -> Tileset {
    let first = number_of(node, "firstgid");
    let Some(source) = node.attribute("source") else {
        return names_of(node, first);
    };
    let stem = source.rsplit(['/', '\\']).next().unwrap_or(source);
    let stem = stem.split('.').next().unwrap_or(stem);
    let unnamed = Tileset {
        first,
        name: stem.to_owned(),
        ..Tileset::default()
    };
    let text = match other(source) {
        Ok(text) => text,
        Err(why) => {
            let message = format!(
                "the tileset {source} was not read, so that its tiles are called {stem}-0 and so on: {}",
                why.message
            );
            found.push(Diagnostic::warning(Code::File, message).at(Location::at(file, lines.line(node), 1)));
            return unnamed;
        }
    };
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return super::json::tileset_of(&text, first).unwrap_or(unnamed);
    }
    match parse(&text, source) {
        Ok(document) => names_of(document.root_element(), first),
        Err(why) => {
            found.push(why);
            unnamed
        }
    }
}

fn names_of(node: Node<'_, '_>, first: u32) -> Tileset {
    let named = elements(node).filter(|tile| tile.tag_name().name() == "tile").filter_map(|tile| {
        let class = tile
            .attribute("class")
            .or_else(|| tile.attribute("type"))
            .filter(|class| !class.is_empty());
        let name = properties(tile).remove("terrain").or_else(|| class.map(str::to_owned))?;
        Some((number_of(tile, "id"), name))
    });
    Tileset {
        first,
        name: node.attribute("name").unwrap_or("tile").to_owned(),
        names: named.collect(),
    }
}

fn properties(node: Node<'_, '_>) -> std::collections::BTreeMap<String, String> {
    let lists = elements(node).filter(|child| child.tag_name().name() == "properties");
    let all = lists.flat_map(elements).filter_map(|property| {
        let value = property.attribute("value").or_else(|| property.text()).unwrap_or("");
        Some((property.attribute("name")?.to_owned(), value.to_owned()))
    });
    all.collect()
}

fn read_layers(node: Node<'_, '_>, (file, lines): (&str, &Lines), layers: &mut Vec<Layer>, found: &mut Diagnostics, depth: usize) {
    for child in elements(node) {
        let kind = match child.tag_name().name() {
            "layer" => match tiles_of(child) {
                Ok(tiles) => LayerKind::Tiles(tiles),
                Err(why) => {
                    let name = child.attribute("name").unwrap_or("");
                    let message = format!("layer {name:?} was left out: {why}");
                    found.push(Diagnostic::warning(Code::BadValue, message).at(Location::at(file, lines.line(child), 1)));
                    continue;
                }
            },
            "objectgroup" => {
                let objects = elements(child).filter(|object| object.tag_name().name() == "object");
                LayerKind::Objects(objects.take(MOST_OBJECTS).map(|node| object(node, lines)).collect())
            }
            "imagelayer" => LayerKind::Other("a picture"),
            "group" if depth < 16 => {
                read_layers(child, (file, lines), layers, found, depth + 1);
                continue;
            }
            _ => continue,
        };
        layers.push(Layer {
            name: child.attribute("name").unwrap_or("").to_owned(),
            line: lines.line(child),
            kind,
        });
    }
}

fn tiles_of(layer: Node<'_, '_>) -> Result<Vec<u32>, String> {
    let data = elements(layer)
        .find(|child| child.tag_name().name() == "data")
        .ok_or("it has no tiles")?;
    let Some(encoding) = data.attribute("encoding") else {
        return Ok(elements(data).map(|tile| number_of(tile, "gid")).collect());
    };
    tiles(data.text().unwrap_or(""), encoding, data.attribute("compression").unwrap_or(""))
}

fn object(node: Node<'_, '_>, lines: &Lines) -> Object {
    let mut object = Object {
        id: number_of(node, "id"),
        name: node.attribute("name").unwrap_or("").to_owned(),
        class: node.attribute("class").or_else(|| node.attribute("type")).unwrap_or("").to_owned(),
        line: lines.line(node),
        x: number_of(node, "x"),
        y: number_of(node, "y"),
        width: number_of(node, "width"),
        height: number_of(node, "height"),
        has_rotation: number_of::<f64>(node, "rotation") != 0.0,
        properties: properties(node),
        ..Object::default()
    };
    if let Some(tile) = node.attribute("gid") {
        object.tile = tile.parse().unwrap_or(0);
        object.shape = Shape::Tile;
        return object;
    }
    for child in elements(node) {
        object.shape = match child.tag_name().name() {
            "ellipse" => Shape::Ellipse,
            "point" => Shape::Point,
            "polygon" => Shape::Polygon(points(child.attribute("points").unwrap_or(""))),
            "polyline" => Shape::Other("a line"),
            "text" => Shape::Other("a text"),
            "capsule" => Shape::Other("a capsule"),
            _ => continue,
        };
    }
    object
}

fn points(text: &str) -> Vec<(f64, f64)> {
    let pair = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    text.split_whitespace().filter_map(pair).take(MOST_ITEMS).collect()
}
