//! Maps of the Tiled editor: TMX (XML) and TMJ (JSON), orthogonal, hexagonal and staggered.
//!
//! Tile layers become terrain, the upper over the lower; cells without a tile become holes. Objects become regions (rectangles, ellipses and
//! polygons), names of cells (points) and pieces (tile objects, and what has the class `piece`).

mod file;
mod json;
mod xml;

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Map, MapCell, MapRegion, Offset, Orientation, SetupPiece, SetupPlace, Topology};

use file::{Layer, LayerKind, Object, Shape, TiledMap};

use crate::ImportError;

/// The most cells, holes included; more make no board.
const MOST_CELLS: usize = boardwright_model::MOST_CELLS;
/// The bits of a tile's number that say how it is turned.
const FLIPS: u32 = 0xf000_0000;
/// The most places that are told for a layer one by one.
const MOST_TOLD: usize = 3;
/// The most corners that are compared with middles of cells, for all regions together.
const MOST_COMPARED: u64 = 2_000_000_000;

/// What was read out of a file of Tiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TiledImport {
    /// The board.
    pub map: Map,
    /// The pieces on it, for a scenario.
    pub pieces: Vec<SetupPiece>,
    /// What could not be carried over, and where it is.
    pub left_out: Diagnostics,
}

/// How a file of Tiled is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TiledOptions {
    /// What scenarios call the map.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// The terrain of tiles whose name (class, property `terrain`, or tileset and number, as in `ground-3`) is not that of a terrain.
    pub legend: BTreeMap<String, String>,
}

/// Reads a file of Tiled, XML or JSON by what is in it. `tileset` gives the text of another file that it names, if it is at hand.
///
/// # Errors
/// What keeps a map from being made of it.
pub fn read_tiled(
    text: &str,
    file: &str,
    options: &TiledOptions,
    tileset: &dyn Fn(&str) -> Result<String, Diagnostic>,
) -> Result<TiledImport, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Diagnostics::new();
    let read = if text.trim_start().starts_with('<') {
        xml::read(text, file, tileset, &mut found)?
    } else {
        json::read(text, file, tileset, &mut found)?
    };
    let mut importer = Importer {
        tiled: &read,
        file,
        options,
        map: Map::new(&options.id, &options.title, Topology::Graph),
        pieces: Vec::new(),
        found,
        places: BTreeMap::new(),
        compared: 0,
    };
    importer.board()?;
    importer.objects();
    let Importer {
        mut map,
        pieces,
        mut found,
        ..
    } = importer;
    map.cells
        .retain(|cell| cell.absent || cell.terrain.is_some() || !cell.name.is_empty());
    found.sort();
    Ok(TiledImport {
        map,
        pieces,
        left_out: found,
    })
}

struct Importer<'a> {
    tiled: &'a TiledMap,
    file: &'a str,
    options: &'a TiledOptions,
    map: Map,
    pieces: Vec<SetupPiece>,
    found: Diagnostics,
    /// The place in the list of cells by column and row of the board.
    places: BTreeMap<(i32, i32), usize>,
    compared: u64,
}

impl Importer<'_> {
    fn report(&mut self, line: u32, message: String) {
        self.found
            .push(Diagnostic::warning(Code::BadValue, message).at(Location::at(self.file, line, u32::from(line > 0))));
    }

    /// Column and row on the board of a tile of the file.
    fn place(&self, column: u32, row: u32) -> (i32, i32) {
        let (column, row) = (column as i32, row as i32);
        if self.tiled.orientation != "staggered" {
            return (column, row);
        }
        // A staggered map is squares that stand on a corner: rows of squares run down to the right, columns down to the left.
        let (across, along, shift) = if self.tiled.stagger_axis == "x" {
            (row, column, i32::from((column % 2 == 1) == (self.tiled.stagger_index == "odd")))
        } else {
            (column, row, i32::from((row % 2 == 1) == (self.tiled.stagger_index == "odd")))
        };
        let even = i32::from(self.tiled.stagger_index != "odd");
        let wide = 2 * across + shift;
        let (x, y) = if self.tiled.stagger_axis == "x" {
            (along, wide)
        } else {
            (wide, along)
        };
        let (first, second) = ((x + y + even).div_euclid(2), (y - x + even).div_euclid(2));
        let most = if self.tiled.stagger_axis == "x" {
            self.tiled.width as i32
        } else {
            self.tiled.width as i32 * 2
        };
        (first, second + most / 2)
    }

    /// The cells and their terrain.
    fn board(&mut self) -> Result<(), ImportError> {
        let (width, height) = (self.tiled.width, self.tiled.height);
        let is_board = width > 0 && height > 0 && u64::from(width) * u64::from(height) <= MOST_CELLS as u64;
        if !is_board {
            let message = format!("the map has {width} x {height} tiles; a board has 1 to {MOST_CELLS} cells");
            return Err(Diagnostic::error(Code::BadValue, message).at(Location::file(self.file)).into());
        }
        self.topology()?;
        let mut terrains: BTreeMap<(u32, u32), String> = BTreeMap::new();
        let tiled = self.tiled;
        for layer in &tiled.layers {
            if let LayerKind::Tiles(tiles) = &layer.kind {
                self.lay(layer, tiles, &mut terrains);
            }
        }
        let all = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let mut by_place: BTreeMap<(i32, i32), Option<String>> = BTreeMap::new();
        for (column, row) in all {
            by_place.insert(self.place(column, row), terrains.get(&(column, row)).cloned());
        }
        // A staggered map is a slanted part of a grid of squares: the rest are holes.
        let (left, top) = (
            by_place.keys().map(|(x, _)| *x).min().unwrap_or(0),
            by_place.keys().map(|(_, y)| *y).min().unwrap_or(0),
        );
        let (right, bottom) = (
            by_place.keys().map(|(x, _)| *x).max().unwrap_or(0),
            by_place.keys().map(|(_, y)| *y).max().unwrap_or(0),
        );
        if let Topology::Square { width, height, .. } = &mut self.map.topology {
            (*width, *height) = ((right - left + 1) as u16, (bottom - top + 1) as u16);
        }
        if (right - left + 1) as usize * (bottom - top + 1) as usize > MOST_CELLS {
            let message = format!("the board would have more than {MOST_CELLS} cells, holes included");
            return Err(Diagnostic::error(Code::BadValue, message).at(Location::file(self.file)).into());
        }
        for y in top..=bottom {
            for x in left..=right {
                let (column, row) = (x - left, y - top);
                let cell = match by_place.get(&(x, y)) {
                    Some(Some(terrain)) => MapCell {
                        terrain: Some(terrain.clone()),
                        ..MapCell::new("", column, row)
                    },
                    _ => MapCell::hole(column, row),
                };
                self.places.insert((x, y), self.map.cells.len());
                self.map.cells.push(cell);
            }
        }
        if self.map.cells.iter().all(|cell| cell.absent) {
            let message = "no layer has a tile";
            return Err(Diagnostic::error(Code::MissingValue, message).at(Location::file(self.file)).into());
        }
        Ok(())
    }

    fn topology(&mut self) -> Result<(), ImportError> {
        let (width, height) = (self.tiled.width as u16, self.tiled.height as u16);
        let square = Topology::Square {
            width,
            height,
            diagonals: false,
        };
        self.map.topology = match self.tiled.orientation.as_str() {
            "orthogonal" => square,
            "isometric" => {
                self.report(0, "an isometric map becomes squares seen from above".to_owned());
                square
            }
            "staggered" => {
                self.report(
                    0,
                    "a staggered map becomes squares seen from above, with holes around them".to_owned(),
                );
                square
            }
            "hexagonal" => Topology::Hex {
                width,
                height,
                orientation: if self.tiled.stagger_axis == "x" {
                    Orientation::Flat
                } else {
                    Orientation::Pointy
                },
                offset: if self.tiled.stagger_index == "even" {
                    Offset::Even
                } else {
                    Offset::Odd
                },
            },
            other => {
                let message = format!("a map of the orientation {other:?} is not known");
                return Err(Diagnostic::error(Code::BadValue, message).at(Location::file(self.file)).into());
            }
        };
        Ok(())
    }

    /// Lays a layer of tiles over those below it.
    fn lay(&mut self, layer: &Layer, tiles: &[u32], terrains: &mut BTreeMap<(u32, u32), String>) {
        let (width, height) = (self.tiled.width, self.tiled.height);
        if tiles.len() != width as usize * height as usize {
            self.report(
                layer.line,
                format!(
                    "layer {:?} has {} tiles instead of {width} x {height}: it was left out",
                    layer.name,
                    tiles.len()
                ),
            );
            return;
        }
        let mut flipped = Vec::new();
        let mut unknown: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for (place, tile) in tiles.iter().enumerate() {
            let at = (place as u32 % width, place as u32 / width);
            let number = tile & !FLIPS;
            if number == 0 {
                continue;
            }
            if tile & FLIPS != 0 {
                flipped.push(at);
            }
            match self.tiled.tile_name(number) {
                Some(name) => {
                    let terrain = self.options.legend.get(&name).cloned().unwrap_or(name);
                    terrains.insert(at, terrain);
                }
                None => {
                    unknown.entry(number).or_insert(at);
                }
            }
        }
        let places = |all: &[(u32, u32)]| {
            let messages = all
                .iter()
                .take(MOST_TOLD)
                .map(|(column, row)| format!("column {}, row {}", column + 1, row + 1));
            let messages = messages.collect::<Vec<_>>().join("; ");
            if all.len() > MOST_TOLD {
                format!("{messages}; and {} more", all.len() - MOST_TOLD)
            } else {
                messages
            }
        };
        if !flipped.is_empty() {
            let message = format!(
                "layer {:?} has tiles that are flipped or turned, which a terrain is not: {}",
                layer.name,
                places(&flipped)
            );
            self.report(layer.line, message);
        }
        for (number, at) in unknown {
            let message = format!(
                "layer {:?} has tiles of no tileset, number {number}, first at {}",
                layer.name,
                places(&[at])
            );
            self.report(layer.line, message);
        }
    }

    /// Regions, names and pieces.
    fn objects(&mut self) {
        let tiled = self.tiled;
        for layer in &tiled.layers {
            match &layer.kind {
                LayerKind::Tiles(_) => {}
                LayerKind::Objects(objects) => {
                    for object in objects {
                        self.object(layer, object);
                    }
                }
                LayerKind::Other(kind) => self.report(layer.line, format!("layer {:?} is {kind}: it was left out", layer.name)),
            }
        }
    }

    fn object(&mut self, layer: &Layer, object: &Object) {
        let of = format!("object {} ({:?}) of layer {:?}", object.id, object.name, layer.name);
        if object.has_rotation && !matches!(object.shape, Shape::Point) {
            self.report(object.line, format!("{of} is rotated: it is read as if it were not"));
        }
        let class = object.class.to_lowercase();
        match (&object.shape, class.as_str()) {
            (Shape::Tile, _) | (_, "piece") => self.piece(&of, object),
            (Shape::Rectangle | Shape::Ellipse | Shape::Polygon(_), "region" | "") => self.region(&of, object),
            (Shape::Point, "name" | "") => self.name(&of, object),
            (Shape::Other(kind), _) => self.report(object.line, format!("{of} is {kind}: it was left out")),
            (_, class) => self.report(
                object.line,
                format!("{of} is of the class {class:?}, which is none of region, name, piece: it was left out"),
            ),
        }
    }

    /// The cell under a point of the file, as a position in the list of cells.
    fn cell_under(&self, point: (f64, f64)) -> Option<usize> {
        let (column, row) = self.tiled.tile_under(point)?;
        let cell = *self.places.get(&self.place(column, row))?;
        Some(cell).filter(|cell| self.map.cells.get(*cell).is_some_and(|cell| !cell.absent))
    }

    fn cell_name(&self, cell: usize) -> String {
        let Some(cell) = self.map.cells.get(cell) else {
            return String::new();
        };
        if cell.name.is_empty() {
            Topology::default_name(cell.x, cell.y).unwrap_or_default()
        } else {
            cell.name.clone()
        }
    }

    fn name(&mut self, of: &str, object: &Object) {
        if object.name.is_empty() {
            self.report(object.line, format!("{of} is a point without a name: it was left out"));
            return;
        }
        let is_taken = self.map.cells.iter().any(|cell| cell.name == object.name);
        match self.cell_under(object.middle()).and_then(|cell| self.map.cells.get_mut(cell)) {
            Some(cell) if !is_taken => cell.name.clone_from(&object.name),
            Some(_) => self.report(object.line, format!("{of} names a second cell so: it was left out")),
            None => self.report(object.line, format!("{of} lies on no cell: it was left out")),
        }
    }

    fn region(&mut self, of: &str, object: &Object) {
        if object.name.is_empty() {
            self.report(object.line, format!("{of} is a region without a name: it was left out"));
            return;
        }
        let tiled = self.tiled;
        let corners = if let Shape::Polygon(points) = &object.shape {
            points.len() as u64 + 1
        } else {
            1
        };
        self.compared += corners * u64::from(tiled.width) * u64::from(tiled.height);
        if self.compared > MOST_COMPARED {
            self.report(
                object.line,
                format!("{of} was left out: there are too many regions with too many corners"),
            );
            return;
        }
        let all = (0..tiled.height).flat_map(|row| (0..tiled.width).map(move |column| (column, row)));
        let inside = all.filter(|(column, row)| object.holds(tiled.middle_of(*column, *row)));
        let cells: BTreeSet<usize> = inside
            .filter_map(|(column, row)| self.places.get(&self.place(column, row)).copied())
            .collect();
        let is_cell = |cell: &usize| self.map.cells.get(*cell).is_some_and(|cell| !cell.absent);
        let names: Vec<String> = cells.into_iter().filter(is_cell).map(|cell| self.cell_name(cell)).collect();
        if names.is_empty() {
            self.report(object.line, format!("{of} holds the middle of no cell: it was left out"));
        } else if let Some(known) = self.map.regions.iter_mut().find(|region| region.name == object.name) {
            // A region of several objects.
            for name in names {
                if !known.cells.contains(&name) {
                    known.cells.push(name);
                }
            }
        } else {
            self.map.regions.push(MapRegion {
                name: object.name.clone(),
                cells: names,
            });
        }
    }

    fn piece(&mut self, of: &str, object: &Object) {
        let kind = object
            .properties
            .get("kind")
            .cloned()
            .or_else(|| Some(object.name.clone()).filter(|name| !name.is_empty()));
        let kind = kind.or_else(|| self.tiled.tile_name(object.tile & !FLIPS));
        let Some(kind) = kind else {
            self.report(object.line, format!("{of} is a piece without a kind: it was left out"));
            return;
        };
        if object.tile & FLIPS != 0 {
            self.report(object.line, format!("{of} is flipped, which a piece is not"));
        }
        let Some(cell) = self.cell_under(object.middle()) else {
            self.report(object.line, format!("{of} lies on no cell: it was left out"));
            return;
        };
        let is_value = |(name, _): &(&String, &String)| !matches!(name.as_str(), "kind" | "owner");
        let values = object
            .properties
            .iter()
            .filter(is_value)
            .map(|(name, value)| (name.clone(), value.clone()));
        self.pieces.push(SetupPiece {
            kind,
            name: None,
            owner: object.properties.get("owner").cloned(),
            place: SetupPlace::Cell(self.cell_name(cell)),
            values: values.collect(),
        });
    }
}

#[cfg(test)]
mod tests;
