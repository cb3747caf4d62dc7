//! A map of areas before it is one: everything that a person may still change.

use std::collections::BTreeMap;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Map, MapCell, MapLine, MapRegion, Topology};

use super::{AreaNames, Borders, FoundAreas, HalfPixels, Link, NamedArea, pivot};
use crate::progress::Stage;
use crate::{AreaConfig, Colour, ImportError, Progress};

/// How long the longer side of a map becomes, in thousandths of a unit.
const LONG_SIDE: i32 = 32_000;

/// How many thousandths of a unit half a pixel of a picture of such a size becomes: a whole number, at least 1.
pub(crate) fn scale_of(width: u32, height: u32) -> i32 {
    let longer = i32::try_from(width.max(height)).unwrap_or(LONG_SIDE).clamp(1, LONG_SIDE);
    (LONG_SIDE / (longer * 2)).max(1)
}

/// A map of areas before it is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaPlan {
    /// What scenarios call the map.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// The areas; those without an outline are left out of the map.
    pub areas: Vec<PlannedArea>,
    /// Neighbours, as positions in `areas`.
    pub neighbours: Vec<[usize; 2]>,
    /// How many thousandths of a unit a half pixel has.
    pub scale: i32,
}

/// An area of an [`AreaPlan`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedArea {
    /// Its colour in the mask.
    pub colour: Colour,
    /// What people and files call it.
    pub name: String,
    /// Its terrain, if it has one.
    pub terrain: Option<String>,
    /// The regions to which it belongs.
    pub regions: Vec<String>,
    /// Where its label and pieces go.
    pub pivot: HalfPixels,
    /// Its polygons: parts and holes.
    pub outline: Vec<Vec<HalfPixels>>,
}

impl AreaPlan {
    /// The plan of a map of all areas found: their outlines with a tolerance in pixels, neighbours that touch along at least so many sides of
    /// pixels, pivots where there is most room, and names that tell their colour.
    ///
    /// # Errors
    /// It was stopped.
    pub fn new(
        id: &str,
        title: &str,
        found: &FoundAreas,
        borders: &Borders,
        tolerance: f64,
        least_border: u32,
        progress: &mut Progress<'_>,
    ) -> Result<Self, ImportError> {
        progress.at(Stage::Simplifying, 0, 1)?;
        let outlines = borders.outlines(tolerance);
        progress.at(Stage::Simplifying, 1, 1)?;
        let count = outlines.len();
        let mut areas = Vec::with_capacity(count);
        for (place, (outline, colour)) in outlines.into_iter().zip(found.mask.colours()).enumerate() {
            progress.at(Stage::Pivots, place, count)?;
            areas.push(PlannedArea {
                colour: *colour,
                name: colour.to_string(),
                pivot: pivot(&outline, 1.0).map(|(at, _)| at).unwrap_or_default(),
                outline,
                ..PlannedArea::default()
            });
        }
        progress.at(Stage::Pivots, 1, 1)?;
        let touching = borders.touching(least_border.max(1)).into_iter();
        Ok(Self {
            id: id.to_owned(),
            title: title.to_owned(),
            areas,
            neighbours: touching.map(|touch| [usize::from(touch.a) - 1, usize::from(touch.b) - 1]).collect(),
            scale: scale_of(found.mask.width(), found.mask.height()),
        })
    }

    /// Simplifies the outlines once more. Pivots and all else stay.
    pub fn simplify(&mut self, borders: &Borders, tolerance: f64) {
        for (area, outline) in self.areas.iter_mut().zip(borders.outlines(tolerance)) {
            area.outline = outline;
        }
    }

    /// Gives areas the names of a table, and tells what does not fit: warnings, with lines of `file`.
    pub fn name(&mut self, names: &AreaNames, file: &str) -> Diagnostics {
        let mut found = Diagnostics::new();
        let warn = |line, message: String| Diagnostic::warning(Code::UnknownName, message).at(Location::at(file, line, 1));
        for named in &names.areas {
            let is_it = |area: &&mut PlannedArea| named.colour() == Some(area.colour);
            match self.areas.iter_mut().find(is_it) {
                Some(area) if !area.outline.is_empty() => {
                    if !area.take_name(named) {
                        found.push(warn(
                            named.line,
                            format!("the pivot of {:?} lies outside the area: another was chosen", named.name),
                        ));
                    }
                }
                _ => found.push(warn(
                    named.line,
                    format!("the mask has no area of the colour {} for {:?}", named.key, named.name),
                )),
            }
        }
        let is_named = |area: &PlannedArea| names.areas.iter().any(|named| named.colour() == Some(area.colour));
        for area in self.areas.iter().filter(|area| !area.outline.is_empty() && !is_named(area)) {
            let (x, y) = (area.pivot.0 / 2, area.pivot.1 / 2);
            let message = format!(
                "the area of the colour {} at pixel {x}, {y} has no name: it is called by its colour",
                area.colour
            );
            found.push(Diagnostic::warning(Code::MissingValue, message).at(Location::file(file)));
        }
        found
    }

    /// The same where keys of the table are ids of paths, which the areas have as names.
    pub fn name_by_id(&mut self, names: &AreaNames, file: &str) -> Diagnostics {
        let mut found = Diagnostics::new();
        for named in &names.areas {
            let message = match self.areas.iter_mut().find(|area| area.name == named.key) {
                Some(area) if area.outline.is_empty() => format!("the path {:?} is covered by others", named.key),
                Some(area) => {
                    if area.take_name(named) {
                        continue;
                    }
                    format!("the pivot of {:?} lies outside the area: another was chosen", named.name)
                }
                None => format!("the drawing has no path {:?}", named.key),
            };
            found.push(Diagnostic::warning(Code::UnknownName, message).at(Location::at(file, named.line, 1)));
        }
        for area in self.areas.iter_mut().filter(|area| names.nothing.contains(&area.name)) {
            area.outline.clear();
        }
        found
    }

    /// Takes over the names, pivots and neighbours of a configuration, in place of those that touch.
    pub fn configure(&mut self, config: &AreaConfig, file: &str) -> Diagnostics {
        let names = AreaNames {
            areas: config
                .areas
                .iter()
                .map(|area| NamedArea {
                    key: area.colour.to_string(),
                    name: area.name.clone(),
                    pivot: area.pivots.first().copied(),
                    ..NamedArea::default()
                })
                .collect(),
            nothing: Vec::new(),
        };
        let found = self.name(&names, file);
        self.neighbours.clear();
        let place = |of: &Self, area: usize| {
            let colour = config.areas.get(area)?.colour;
            of.areas.iter().position(|known| known.colour == colour)
        };
        for (number, area) in config.areas.iter().enumerate() {
            for other in &area.neighbours {
                if let (Some(a), Some(b)) = (place(self, number), place(self, *other)) {
                    self.join(a, b);
                }
            }
        }
        found
    }

    /// Joins areas by the links of a table. Warnings tell of those with unknown areas, with lines of `file`.
    pub fn link(&mut self, links: &[Link], file: &str) -> Diagnostics {
        let mut found = Diagnostics::new();
        for link in links {
            let [a, b] = &link.ends;
            match (self.place_of(a).ok_or(a), self.place_of(b).ok_or(b)) {
                (Ok(a), Ok(b)) => self.join(a, b),
                (Err(unknown), _) | (_, Err(unknown)) => {
                    let message = format!("the link has an unknown area {unknown:?}: it was left out");
                    found.push(Diagnostic::warning(Code::UnknownName, message).at(Location::at(file, link.line, 1)));
                }
            }
        }
        found
    }

    /// The position of the area with a name.
    fn place_of(&self, name: &str) -> Option<usize> {
        self.areas.iter().position(|area| area.name == name && !area.outline.is_empty())
    }

    /// Makes two areas neighbours, if they are not already.
    pub fn join(&mut self, a: usize, b: usize) {
        let pair = [a.min(b), a.max(b)];
        if a != b && !self.neighbours.contains(&pair) {
            self.neighbours.push(pair);
        }
    }

    /// Makes two areas strangers.
    pub fn part(&mut self, a: usize, b: usize) {
        self.neighbours.retain(|pair| *pair != [a.min(b), a.max(b)]);
    }

    /// The map. It may have faults that a person made, such as a name twice, which [`Board::from_map`](boardwright_model::Board::from_map) tells.
    pub fn build(&self) -> Map {
        let mut map = Map::new(&self.id, &self.title, Topology::Graph);
        let scaled = |(x, y): HalfPixels| (x.saturating_mul(self.scale), y.saturating_mul(self.scale));
        let is_there = |area: &&PlannedArea| !area.outline.is_empty();
        let mut regions: BTreeMap<&str, MapRegion> = BTreeMap::new();
        for area in self.areas.iter().filter(is_there) {
            let (x, y) = scaled(area.pivot);
            let outline = area.outline.iter().map(|polygon| polygon.iter().copied().map(scaled).collect());
            map.cells.push(MapCell {
                terrain: area.terrain.clone(),
                outline: outline.collect(),
                ..MapCell::new(&area.name, x, y)
            });
            for region in &area.regions {
                let known = regions.entry(region).or_default();
                known.name.clone_from(region);
                known.cells.push(area.name.clone());
            }
        }
        let mut neighbours = self.neighbours.clone();
        neighbours.sort_unstable();
        let name = |place: usize| self.areas.get(place).filter(is_there).map(|area| area.name.clone());
        let lines = neighbours.iter().filter_map(|[a, b]| Some(MapLine::new([name(*a)?, name(*b)?])));
        map.lines = lines.collect();
        map.regions = regions.into_values().collect();
        map
    }
}

impl PlannedArea {
    /// Takes over what a table says. Whether its pivot lies in the area.
    fn take_name(&mut self, named: &NamedArea) -> bool {
        self.name.clone_from(&named.name);
        self.terrain.clone_from(&named.terrain);
        self.regions.clone_from(&named.regions);
        let Some((x, y)) = named.pivot else { return true };
        // The middle of the pixel.
        let at = (x.saturating_mul(2).saturating_add(1), y.saturating_mul(2).saturating_add(1));
        let is_inside = super::holds(&self.outline, at);
        if is_inside {
            self.pivot = at;
        }
        is_inside
    }
}
