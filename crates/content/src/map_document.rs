//! Maps as files, `maps/<ruleset>/<id>.map.xml`.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{Board, CellId, EdgeId, Map, MapCell, MapFault, MapPlace, Offset, Orientation, Topology};
use boardwright_ruleset::did_you_mean;

use super::properties;
use super::terrain_rows::TerrainRows;
use super::xml::{Document, Element, FLAG, Fields, List, Notation, Number, Position, Source, Spot, Text, Words};

/// The ending of map files.
pub const MAP_ENDING: &str = ".map.xml";

const COORDINATE: Number = Number(i32::MIN as i64, i32::MAX as i64);
const SIZE: Number = Number(1, 10_000);
const ORIENTATION: Words<Orientation> = Words(&[("pointy", Orientation::Pointy), ("flat", Orientation::Flat)]);
const OFFSET: Words<Offset> = Words(&[("odd", Offset::Odd), ("even", Offset::Even)]);
const PLACE: Notation<(i32, i32)> = Notation {
    expected: "letters and a number such as c12",
    parse: Topology::parse_default_name,
    print: |&(column, row)| Topology::default_name(column, row).unwrap_or_default(),
};
const GRIDS: [&str; 3] = ["hex", "square", "graph"];

/// A map with where its parts stand in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapDocument {
    /// The map. It may be wrong; [`MapDocument::board`] tells.
    pub map: Map,
    /// Where its parts stand.
    pub positions: MapPositions,
}

impl MapDocument {
    /// The board of the map.
    ///
    /// # Errors
    /// Everything that is wrong with the map.
    pub fn board(&self) -> Result<Board, Diagnostics> {
        let diagnostic = |fault: &MapFault| {
            let found = self.positions.diagnostic(fault);
            match self.names_of_cells(fault) {
                Some(names) => found.with_help(names),
                None => found,
            }
        };
        Board::from_map(&self.map).map_err(|faults| faults.iter().map(diagnostic).collect())
    }

    /// The cells there are, where a fault is that one is unknown.
    fn names_of_cells(&self, fault: &MapFault) -> Option<String> {
        let (MapFault::UnknownCellInRegion(_, _, unknown)
        | MapFault::UnknownCellInLine(_, _, unknown)
        | MapFault::UnknownCellInEdge(_, _, unknown)
        | MapFault::OffGrid(_, unknown, _)) = fault
        else {
            return None;
        };
        if let Some((width, height)) = self.map.topology.size() {
            let last = Topology::default_name(i32::from(width) - 1, i32::from(height) - 1)?;
            return Some(format!(
                "the cells of this map go from a1 to {last}, unless they have names of their own"
            ));
        }
        did_you_mean(unknown, self.map.cells.iter().map(|cell| cell.name.as_str()))
    }

    /// What is probably not meant so in the map, though it makes a board.
    pub fn doubts(&self) -> Diagnostics {
        let positions = &self.positions;
        let doubts = self.map.doubts().into_iter().map(|doubt| {
            let place = positions.source.place(positions.spot(doubt.place()));
            Diagnostic::warning(Code::BadValue, doubt.to_string()).at(place)
        });
        doubts.collect()
    }
}

impl From<Map> for MapDocument {
    fn from(map: Map) -> Self {
        Self { map, ..Self::default() }
    }
}

/// The text of the file of a map.
pub fn print_map(map: &Map) -> String {
    MapDocument::from(map.clone()).print()
}

impl Document for MapDocument {
    const NAME: &'static str = "map";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        let Self { map, positions } = self;
        positions.cells_of_regions.clear();
        positions.source = fields.source();
        fields.required("id", &Text::Id, &mut map.id);
        fields.required("title", &Text::Name, &mut map.title);
        let (mut rows, mut cells) = TerrainRows::of(map);
        let topology = describe_topology(fields, map.topology);
        let of_rows = rows.describe(fields, topology);
        let is_grid = match topology {
            Some((topology, _)) => topology != Topology::Graph,
            // Only the missing topology is told then, not each cell.
            None => !fields.element().is_some_and(has_points),
        };
        let spots = fields.list("cell", &mut cells, |fields, cell| describe_cell(fields, cell, is_grid));
        if fields.element().is_some() {
            let described = cells.into_iter().zip(spots);
            (map.cells, positions.cells) = if is_grid {
                merged(of_rows, described, fields).into_iter().unzip()
            } else {
                described.unzip()
            };
        }
        positions.lines = fields.list("line", &mut map.lines, |fields, line| {
            fields.optional("name", &Text::Name, &mut line.name);
            fields.required("cells", &List::Filled, &mut line.cells);
        });
        positions.regions = fields.list("region", &mut map.regions, |fields, region| {
            fields.required("name", &Text::Name, &mut region.name);
            fields.required("cells", &List::Any, &mut region.cells);
            let spots = fields.spots_in("cells");
            positions.cells_of_regions.push(region.cells.iter().cloned().zip(spots).collect());
        });
        positions.edges = fields.list("edge", &mut map.edges, |fields, edge| {
            let mut between = vec![edge.a.clone(), edge.b.clone()];
            let spot = fields.required("between", &List::Filled, &mut between);
            properties::describe(fields, &mut edge.properties);
            let count = between.len();
            if let Ok([a, b]) = <[String; 2]>::try_from(between) {
                (edge.a, edge.b) = (a, b);
            } else {
                fields.error(spot, Code::BadValue, format!("`between`: expected two cells, found {count}"));
            }
        });
        if let Some((topology, spot)) = topology {
            (map.topology, positions.topology) = (topology, spot);
        }
    }

    fn check(source: &Source) -> Result<Diagnostics, Diagnostics> {
        let document = Self::read(source)?;
        document.board()?;
        Ok(document.doubts())
    }
}

/// Visits the elements of which one says how the cells lie. `None` if none does, or not rightly.
fn describe_topology(fields: &mut Fields<'_>, topology: Topology) -> Option<(Topology, Spot)> {
    let (mut hex, mut square, mut graph) = (None, None, None);
    match topology {
        Topology::Hex { .. } => hex = Some(topology),
        Topology::Square { .. } => square = Some(topology),
        Topology::Graph => graph = Some(topology),
    }
    fields.optional_child("hex", &mut hex, describe_hex);
    fields.optional_child("square", &mut square, describe_square);
    fields.optional_child("graph", &mut graph, |_, _| {});
    let Some(root) = fields.element() else {
        return Some((topology, Spot::default()));
    };
    let mut grids = root.children.iter().filter(|child| GRIDS.contains(&&*child.name));
    let Some(grid) = grids.next() else {
        let help = Some("say how its cells lie: `<hex ..>`, `<square ..>` or `<graph/>`".to_owned());
        fields.error_with_help(root.spot, Code::MissingValue, "the map has no topology", help);
        return None;
    };
    for other in grids.filter(|other| other.name != grid.name) {
        let message = format!("the map has a `<{}>` already", grid.name);
        fields.error(other.spot, Code::DuplicateName, message);
    }
    Some((hex.or(square).or(graph)?, grid.spot))
}

fn describe_hex(fields: &mut Fields<'_>, grid: &mut Topology) {
    let (mut width, mut height) = grid.size().unwrap_or((1, 1));
    let (mut orientation, mut offset) = match *grid {
        Topology::Hex { orientation, offset, .. } => (orientation, offset),
        Topology::Square { .. } | Topology::Graph => (Orientation::Flat, Offset::Even),
    };
    fields.required("width", &SIZE, &mut width);
    fields.required("height", &SIZE, &mut height);
    fields.required("orientation", &ORIENTATION, &mut orientation);
    fields.required("offset", &OFFSET, &mut offset);
    *grid = Topology::Hex {
        width,
        height,
        orientation,
        offset,
    };
}

fn describe_square(fields: &mut Fields<'_>, grid: &mut Topology) {
    let (mut width, mut height) = grid.size().unwrap_or((1, 1));
    let mut diagonals = matches!(grid, Topology::Square { diagonals: true, .. });
    fields.required("width", &SIZE, &mut width);
    fields.required("height", &SIZE, &mut height);
    fields.required("diagonals", &FLAG, &mut diagonals);
    *grid = Topology::Square { width, height, diagonals };
}

/// Whether the cells of a map are written as those of a free graph are.
fn has_points(map: &Element<'_>) -> bool {
    map.all("cell").any(|cell| cell.attribute("x").is_some())
}

/// The cells of a grid, those of the rows of terrain and those with elements of their own, in the order of rows and columns.
fn merged(
    of_rows: Vec<(MapCell, Spot)>,
    described: impl Iterator<Item = (MapCell, Spot)>,
    fields: &mut Fields<'_>,
) -> Vec<(MapCell, Spot)> {
    let mut by_place: BTreeMap<(i32, i32), (MapCell, Spot)> =
        of_rows.into_iter().map(|(cell, spot)| ((cell.y, cell.x), (cell, spot))).collect();
    let mut further = Vec::new();
    let mut is_described = BTreeSet::new();
    for (mut cell, spot) in described {
        let place = (cell.y, cell.x);
        if !is_described.insert(place) {
            // Told by the board, as it is for maps that come from elsewhere.
            further.push((cell, spot));
            continue;
        }
        if let Some((of_row, _)) = by_place.get(&place) {
            if of_row.absent || cell.terrain.is_some() || cell.absent {
                let message = "the rows of terrain say already what is at this place";
                fields.error(spot, Code::DuplicateName, message);
            }
            cell.terrain = cell.terrain.or_else(|| of_row.terrain.clone());
        }
        by_place.insert(place, (cell, spot));
    }
    by_place.into_values().chain(further).collect()
}

pub(super) fn describe_cell(fields: &mut Fields<'_>, cell: &mut MapCell, is_grid: bool) {
    let place = (cell.x, cell.y);
    let mut at = Some(place).filter(|_| is_grid && Topology::default_name(cell.x, cell.y).is_some());
    let (mut column, mut row) = Some(place).filter(|_| is_grid && at.is_none()).unzip();
    let (mut x, mut y) = Some(place).filter(|_| !is_grid).unzip();
    let mut name = Some(cell.name.clone()).filter(|name| !name.is_empty());
    fields.optional("at", &PLACE, &mut at);
    fields.optional("column", &COORDINATE, &mut column);
    fields.optional("row", &COORDINATE, &mut row);
    fields.optional("name", &Text::Name, &mut name);
    fields.optional("x", &COORDINATE, &mut x);
    fields.optional("y", &COORDINATE, &mut y);
    if let Some(element) = fields.element() {
        check_place(fields, element, is_grid);
        let place = if is_grid { at.or(column.zip(row)) } else { x.zip(y) };
        if !is_grid && place.is_some() && element.attribute("name").is_none() {
            fields.error(element.spot, Code::MissingValue, "`<cell>` lacks the attribute `name`");
        }
        (cell.x, cell.y) = place.unwrap_or_default();
        cell.name = name.unwrap_or_default();
    }
    fields.optional("terrain", &Text::Name, &mut cell.terrain);
    fields.default("elevation", &Number(i16::MIN.into(), i16::MAX.into()), &mut cell.elevation);
    fields.default("absent", &FLAG, &mut cell.absent);
    properties::describe(fields, &mut cell.properties);
    fields.list("outline", &mut cell.outline, describe_outline);
}

/// Tells which attributes that say where a cell is are missing or too many.
fn check_place(fields: &mut Fields<'_>, element: &Element<'_>, is_grid: bool) {
    let (kind, wrong, needed, use_instead): (_, &[_], _, _) = if is_grid {
        ("grid", &["x", "y"], ["column", "row"], "`at` or `column` and `row`")
    } else {
        ("free graph", &["column", "row", "at"], ["x", "y"], "`x` and `y`")
    };
    for attribute in wrong.iter().filter_map(|name| element.attribute(name)) {
        let message = format!("a cell of a {kind} has no attribute `{}`", attribute.name);
        fields.error_with_help(attribute.spot, Code::UnknownKey, message, Some(format!("it has {use_instead}")));
    }
    let has_at = is_grid && element.attribute("at").is_some();
    for name in needed {
        match element.attribute(name) {
            Some(attribute) if has_at => {
                let message = format!("`{name}` says once more what `at` says");
                fields.error(attribute.spot, Code::DuplicateName, message);
            }
            None if !has_at => {
                let message = format!("`<cell>` lacks the attribute `{name}`");
                let help = is_grid.then(|| "or say `at`, for instance at=\"c12\"".to_owned());
                fields.error_with_help(element.spot, Code::MissingValue, message, help);
            }
            _ => {}
        }
    }
}

/// Visits points as `x,y x,y ..`.
fn describe_outline(fields: &mut Fields<'_>, points: &mut Vec<(i32, i32)>) {
    let print = || points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    for (word, spot) in fields.words(print) {
        match word.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?))) {
            Some(point) => points.push(point),
            None => fields.error(spot, Code::BadValue, format!("expected a point such as 1500,-200, found {word:?}")),
        }
    }
}

/// Where the parts of a map stand in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapPositions {
    source: Source,
    topology: Spot,
    cells: Vec<Spot>,
    lines: Vec<Spot>,
    regions: Vec<Spot>,
    edges: Vec<Spot>,
    /// The names of cells in the lists of the regions.
    cells_of_regions: Vec<Vec<(String, Spot)>>,
}

impl MapPositions {
    /// Line and column of a part of the map.
    pub fn locate(&self, place: MapPlace) -> Position {
        self.source.position(self.spot(place))
    }

    fn spot(&self, place: MapPlace) -> Spot {
        let (list, index) = match place {
            MapPlace::Topology => return self.topology,
            MapPlace::Cell(index) => (&self.cells, index),
            MapPlace::Line(index) => (&self.lines, index),
            MapPlace::Region(index) => (&self.regions, index),
            MapPlace::Edge(index) => (&self.edges, index),
        };
        list.get(index).copied().unwrap_or(self.topology)
    }

    /// What an author is told of a fault of the map.
    pub fn diagnostic(&self, fault: &MapFault) -> Diagnostic {
        let spot = self.cell_in_list(fault).unwrap_or_else(|| self.spot(fault.place()));
        Diagnostic::error(code_of(fault), fault.to_string()).at(self.source.place(spot))
    }

    /// Where the unknown cell stands in the list of a region.
    fn cell_in_list(&self, fault: &MapFault) -> Option<Spot> {
        let MapFault::UnknownCellInRegion(region, _, unknown) = fault else {
            return None;
        };
        let cells = self.cells_of_regions.get(*region)?;
        cells.iter().find(|(name, _)| name == unknown).map(|(_, spot)| *spot)
    }

    /// A diagnostic about the entry of a cell of the board made from the map; for cells without an entry about the sizes.
    pub fn at_cell(&self, map: &Map, board: &Board, cell: CellId, found: Diagnostic) -> Diagnostic {
        let entry = match board.coordinates(cell) {
            Some(place) => map.cells.iter().position(|entry| (entry.x, entry.y) == place),
            None => Some(cell.index()),
        };
        found.at(self.source.place(self.spot(entry.map_or(MapPlace::Topology, MapPlace::Cell))))
    }

    /// A diagnostic about the entry of an edge of the board made from the map.
    pub fn at_edge(&self, map: &Map, board: &Board, edge: EdgeId, found: Diagnostic) -> Diagnostic {
        let (a, b) = board.edge_ends(edge);
        let ends = [board.cell_name(a), board.cell_name(b)];
        let entry = map
            .edges
            .iter()
            .position(|entry| ends.contains(&entry.a.as_str()) && ends.contains(&entry.b.as_str()));
        found.at(self.source.place(self.spot(entry.map_or(MapPlace::Topology, MapPlace::Edge))))
    }
}

const fn code_of(fault: &MapFault) -> Code {
    match fault {
        MapFault::PlaceTaken { .. }
        | MapFault::CellNameTaken { .. }
        | MapFault::LineNameTaken { .. }
        | MapFault::CellTwiceInLine { .. }
        | MapFault::PairTwice { .. }
        | MapFault::RegionNameTaken { .. }
        | MapFault::CellTwiceInRegion { .. }
        | MapFault::EdgeTwice { .. } => Code::DuplicateName,
        MapFault::UnknownCellInLine { .. } | MapFault::UnknownCellInRegion { .. } | MapFault::UnknownCellInEdge { .. } => Code::UnknownName,
        _ => Code::BadValue,
    }
}
