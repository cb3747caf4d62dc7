//! What is in a file of Tiled, whether it is XML or JSON.

use std::collections::BTreeMap;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::MOST_CELLS;

/// The most layers, objects, tiles of tilesets: what is more is left out.
pub(super) const MOST_ITEMS: usize = 100_000;

/// The most objects of a layer.
pub(super) const MOST_OBJECTS: usize = 10_000;

/// A file of Tiled.
#[derive(Debug, Default)]
pub(super) struct TiledMap {
    pub(super) orientation: String,
    /// `x` or `y`.
    pub(super) stagger_axis: String,
    /// `odd` or `even`.
    pub(super) stagger_index: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tile_width: f64,
    pub(super) tile_height: f64,
    /// The length of the sides of hexes that run along the axis.
    pub(super) hex_side: f64,
    pub(super) tilesets: Vec<Tileset>,
    pub(super) layers: Vec<Layer>,
}

#[derive(Debug, Default)]
pub(super) struct Tileset {
    pub(super) first: u32,
    pub(super) name: String,
    /// The names of tiles that have one.
    pub(super) names: BTreeMap<u32, String>,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) kind: LayerKind,
}

#[derive(Debug)]
pub(super) enum LayerKind {
    Tiles(Vec<u32>),
    Objects(Vec<Object>),
    /// Something that maps have not, with its article.
    Other(&'static str),
}

#[derive(Debug, Default)]
pub(super) struct Object {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) class: String,
    pub(super) line: u32,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) has_rotation: bool,
    pub(super) shape: Shape,
    /// The number of the tile of a tile object, with its flips.
    pub(super) tile: u32,
    pub(super) properties: BTreeMap<String, String>,
}

#[derive(Debug, Default)]
pub(super) enum Shape {
    #[default]
    Rectangle,
    Ellipse,
    Point,
    /// Relative to the object.
    Polygon(Vec<(f64, f64)>),
    Tile,
    Other(&'static str),
}

impl TiledMap {
    /// The name of a tile: its own, or that of its tileset with its number.
    pub(super) fn tile_name(&self, number: u32) -> Option<String> {
        let of = self
            .tilesets
            .iter()
            .filter(|tileset| tileset.first <= number)
            .max_by_key(|tileset| tileset.first)?;
        let local = number.checked_sub(of.first)?;
        Some(of.names.get(&local).cloned().unwrap_or_else(|| format!("{}-{local}", of.name)))
    }

    fn is_shifted(&self, place: u32) -> bool {
        (place % 2 == 1) == (self.stagger_index != "even")
    }

    /// The middle of a tile, in the file's pixels.
    pub(super) fn middle_of(&self, column: u32, row: u32) -> (f64, f64) {
        let (width, height) = (self.tile_width, self.tile_height);
        let (across, down) = (f64::from(column), f64::from(row));
        match self.orientation.as_str() {
            "hexagonal" | "staggered" => {
                let side = if self.orientation == "hexagonal" { self.hex_side } else { 0.0 };
                if self.stagger_axis == "x" {
                    let shift = if self.is_shifted(column) { 0.5 } else { 0.0 };
                    (across * f64::midpoint(width, side) + width / 2.0, (down + shift + 0.5) * height)
                } else {
                    let shift = if self.is_shifted(row) { 0.5 } else { 0.0 };
                    ((across + shift + 0.5) * width, down * f64::midpoint(height, side) + height / 2.0)
                }
            }
            // Objects of an isometric map are measured along its rows and columns, in heights of tiles.
            "isometric" => ((across + 0.5) * height, (down + 0.5) * height),
            _ => ((across + 0.5) * width, (down + 0.5) * height),
        }
    }

    /// The tile whose middle is nearest to a point, if the point is on the map.
    pub(super) fn tile_under(&self, (x, y): (f64, f64)) -> Option<(u32, u32)> {
        let away = |(column, row): (u32, u32)| {
            let (to_x, to_y) = self.middle_of(column, row);
            (x - to_x).powi(2) + (y - to_y).powi(2)
        };
        let all = (0..self.height).flat_map(|row| (0..self.width).map(move |column| (column, row)));
        let found = all.min_by(|a, b| away(*a).total_cmp(&away(*b)))?;
        let reach = self.tile_width.max(self.tile_height);
        (away(found) <= reach * reach).then_some(found)
    }
}

impl Object {
    pub(super) fn middle(&self) -> (f64, f64) {
        match &self.shape {
            Shape::Point => (self.x, self.y),
            // Tile objects stand on their lower left corner.
            Shape::Tile => (self.x + self.width / 2.0, self.y - self.height / 2.0),
            Shape::Polygon(points) if !points.is_empty() => {
                let count = points.len() as f64;
                let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
                (self.x + x / count, self.y + y / count)
            }
            _ => (self.x + self.width / 2.0, self.y + self.height / 2.0),
        }
    }

    /// Whether a point lies in it.
    pub(super) fn holds(&self, (x, y): (f64, f64)) -> bool {
        let (x, y) = (x - self.x, y - self.y);
        match &self.shape {
            Shape::Rectangle => (0.0..=self.width).contains(&x) && (0.0..=self.height).contains(&y),
            Shape::Ellipse => {
                let (across, down) = (self.width / 2.0, self.height / 2.0);
                across > 0.0 && down > 0.0 && ((x - across) / across).powi(2) + ((y - down) / down).powi(2) <= 1.0
            }
            Shape::Polygon(points) => {
                let sides = points.iter().zip(points.iter().cycle().skip(1));
                let crossed = sides.filter(|(a, b)| (a.1 > y) != (b.1 > y) && x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0);
                crossed.count() % 2 == 1
            }
            _ => false,
        }
    }
}

/// The tiles of a layer that are written as a text: numbers with commas, or bytes, packed or not.
pub(super) fn tiles(text: &str, encoding: &str, compression: &str) -> Result<Vec<u32>, String> {
    let text = text.trim();
    if encoding == "csv" {
        let numbers = text
            .split(',')
            .map(str::trim)
            .filter(|number| !number.is_empty())
            .take(MOST_CELLS + 1);
        return numbers
            .map(|number| number.parse().map_err(|_| format!("{number:?} is no number of a tile")))
            .collect();
    }
    if encoding != "base64" {
        return Err(format!("the encoding {encoding:?} is not known"));
    }
    let packed = STANDARD.decode(text).map_err(|error| format!("the tiles are damaged: {error}"))?;
    let most = MOST_CELLS as u64 * 4 + 4;
    let mut bytes = Vec::new();
    let unpacked = match compression {
        "" => packed.as_slice().take(most).read_to_end(&mut bytes),
        "zlib" => flate2::read::ZlibDecoder::new(packed.as_slice()).take(most).read_to_end(&mut bytes),
        "gzip" => flate2::read::GzDecoder::new(packed.as_slice()).take(most).read_to_end(&mut bytes),
        other => {
            return Err(format!(
                "tiles packed with {other} are not read; save the map with zlib, gzip or CSV"
            ));
        }
    };
    unpacked.map_err(|error| format!("the tiles are damaged: {error}"))?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("the tiles are damaged: they end within a number".to_owned());
    }
    Ok(numbers.iter().map(|number| u32::from_le_bytes(*number)).collect())
}
