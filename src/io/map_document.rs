//! Maps as files, `maps/<ruleset>/<id>.map.xml`.

use std::collections::BTreeMap;

use crate::model::{Board, Map, MapCell, MapEdge, MapLine, MapRegion, Offset, Orientation, Topology};
use crate::ruleset::{Code, Diagnostic, Diagnostics};

use super::map_positions::MapPositions;
use super::properties::{self, PROPERTY};
use super::terrain_rows;
use super::xml::{self, AttributeShape, Count, Element, Faults, Format, Kind, Shape, Source, Spot, Tag, TextRule, lists};

/// The ending of map files.
pub const MAP_ENDING: &str = ".map.xml";

const COORDINATE: Kind = Kind::Number(i32::MIN as i64, i32::MAX as i64);
const SIZE: Kind = Kind::Number(1, 10_000);
const POINTY: &str = "pointy";
const ODD: &str = "odd";

static GRIDS: [Shape; 3] = [
    Shape::plain(
        "hex",
        &[
            AttributeShape::required("width", SIZE),
            AttributeShape::required("height", SIZE),
            AttributeShape::required("orientation", Kind::Word(&[POINTY, "flat"])),
            AttributeShape::required("offset", Kind::Word(&[ODD, "even"])),
        ],
    ),
    Shape::plain(
        "square",
        &[
            AttributeShape::required("width", SIZE),
            AttributeShape::required("height", SIZE),
            AttributeShape::required("diagonals", Kind::Flag),
        ],
    ),
    Shape::plain("graph", &[]),
];
static CODE: Shape = Shape::plain(
    "code",
    &[
        AttributeShape::required("text", Kind::Name),
        AttributeShape::required("terrain", Kind::Name),
    ],
);
static LEGEND: Shape = Shape {
    name: "legend",
    attributes: &[],
    children: &[Count::Many.of(&CODE)],
    text: TextRule::None,
};
static ROW: Shape = Shape::text("row");
static TERRAIN: Shape = Shape {
    name: "terrain",
    attributes: &[],
    children: &[Count::Many.of(&ROW)],
    text: TextRule::None,
};
static OUTLINE: Shape = Shape::text("outline");
static CELL: Shape = Shape {
    name: "cell",
    attributes: &[
        AttributeShape::optional("name", Kind::Name),
        AttributeShape::optional("at", Kind::Name),
        AttributeShape::optional("column", COORDINATE),
        AttributeShape::optional("row", COORDINATE),
        AttributeShape::optional("x", COORDINATE),
        AttributeShape::optional("y", COORDINATE),
        AttributeShape::optional("terrain", Kind::Name),
        AttributeShape::optional("elevation", Kind::Number(i16::MIN as i64, i16::MAX as i64)),
        AttributeShape::optional("absent", Kind::Flag),
    ],
    children: &[Count::Many.of(&PROPERTY), Count::Many.of(&OUTLINE)],
    text: TextRule::None,
};
static LINE: Shape = Shape::plain(
    "line",
    &[
        AttributeShape::optional("name", Kind::Name),
        AttributeShape::required("cells", Kind::List),
    ],
);
static REGION: Shape = Shape::plain(
    "region",
    &[
        AttributeShape::required("name", Kind::Name),
        // A region may be empty.
        AttributeShape::required("cells", Kind::Text),
    ],
);
static EDGE: Shape = Shape {
    name: "edge",
    attributes: &[AttributeShape::required("between", Kind::List)],
    children: &[Count::Many.of(&PROPERTY)],
    text: TextRule::None,
};
pub(super) static ROOT: Shape = Shape {
    name: "map",
    attributes: &[
        AttributeShape::required("id", Kind::Id),
        AttributeShape::required("title", Kind::Name),
    ],
    children: &[
        Count::Optional.of(&GRIDS[0]),
        Count::Optional.of(&GRIDS[1]),
        Count::Optional.of(&GRIDS[2]),
        Count::Optional.of(&LEGEND),
        Count::Optional.of(&TERRAIN),
        Count::Many.of(&CELL),
        Count::Many.of(&LINE),
        Count::Many.of(&REGION),
        Count::Many.of(&EDGE),
    ],
    text: TextRule::None,
};
/// The format of maps.
pub static MAP_FORMAT: Format = Format {
    root: &ROOT,
    upgrades: &[],
};

/// A map with where its parts stand in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapDocument {
    /// The map. It may be wrong; [`MapDocument::board`] tells.
    pub map: Map,
    /// Where its parts stand.
    pub positions: MapPositions,
}

impl MapDocument {
    /// Reads a map.
    ///
    /// # Errors
    /// Everything that is wrong with the document. What is wrong with the map is told by [`MapDocument::board`].
    pub fn read(source: &Source) -> Result<Self, Diagnostics> {
        xml::read(source, &MAP_FORMAT, build)
    }

    /// The board of the map.
    ///
    /// # Errors
    /// Everything that is wrong with the map.
    pub fn board(&self) -> Result<Board, Diagnostics> {
        Board::from_map(&self.map).map_err(|faults| faults.iter().map(|fault| self.positions.diagnostic(fault)).collect())
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

pub(super) fn build(root: &Element<'_>, faults: &mut Faults) -> Option<MapDocument> {
    let topology = topology(root, faults);
    let (cells, cell_spots) = cells(root, topology.map(|(topology, _)| topology), faults).into_iter().unzip();
    let (lines, line_spots) = root.all("line").filter_map(line).unzip();
    let (regions, region_spots) = root.all("region").filter_map(region).unzip();
    let edges: Vec<_> = root.all("edge").filter_map(|element| edge(element, faults)).collect();
    let (edges, edge_spots) = edges.into_iter().unzip();
    let (topology, topology_spot) = topology?;
    Some(MapDocument {
        map: Map {
            id: root.text_of("id")?,
            title: root.text_of("title")?,
            topology,
            cells,
            lines,
            regions,
            edges,
        },
        positions: MapPositions {
            source: faults.source().clone(),
            topology: topology_spot,
            cells: cell_spots,
            lines: line_spots,
            regions: region_spots,
            edges: edge_spots,
        },
    })
}

fn topology(root: &Element<'_>, faults: &mut Faults) -> Option<(Topology, Spot)> {
    let mut grids = root
        .children
        .iter()
        .filter(|child| GRIDS.iter().any(|grid| child.name == grid.name));
    let Some(grid) = grids.next() else {
        let help = Some("say how its cells lie: `<hex ..>`, `<square ..>` or `<graph/>`".to_owned());
        faults.error_with_help(root.spot, Code::MissingValue, "the map has no topology", help);
        return None;
    };
    for other in grids.filter(|other| other.name != grid.name) {
        let message = format!("the map has a `<{}>` already", grid.name);
        faults.error(other.spot, Code::DuplicateName, message);
    }
    let topology = match &*grid.name {
        "hex" => Topology::Hex {
            width: grid.number("width")?,
            height: grid.number("height")?,
            orientation: if grid.get("orientation")?.trim() == POINTY {
                Orientation::Pointy
            } else {
                Orientation::Flat
            },
            offset: if grid.get("offset")?.trim() == ODD {
                Offset::Odd
            } else {
                Offset::Even
            },
        },
        "square" => Topology::Square {
            width: grid.number("width")?,
            height: grid.number("height")?,
            diagonals: grid.flag("diagonals"),
        },
        _ => Topology::Graph,
    };
    Some((topology, grid.spot))
}

/// The cells: on grids those of the rows of terrain and those with elements of their own, in the order of rows and columns.
fn cells(root: &Element<'_>, topology: Option<Topology>, faults: &mut Faults) -> Vec<(MapCell, Spot)> {
    let rows = terrain_rows::read(root, topology, faults);
    let is_grid = topology.is_none_or(|topology| topology != Topology::Graph);
    let described: Vec<_> = root
        .all("cell")
        .filter_map(|element| Some((cell(element, is_grid, faults)?, element.spot)))
        .collect();
    if !is_grid {
        return described;
    }
    let mut by_place: BTreeMap<(i32, i32), (MapCell, Spot)> =
        rows.into_iter().map(|(cell, spot)| ((cell.y, cell.x), (cell, spot))).collect();
    let mut further = Vec::new();
    let mut is_described = std::collections::BTreeSet::new();
    for (cell, spot) in described {
        let place = (cell.y, cell.x);
        if !is_described.insert(place) {
            // Told by the board, as it is for maps that come from elsewhere.
            further.push((cell, spot));
            continue;
        }
        let of_row = by_place.get(&place).map(|(cell, _)| cell);
        if let Some(of_row) = of_row
            && (of_row.absent || cell.terrain.is_some() || cell.absent)
        {
            faults.error(spot, Code::DuplicateName, "the rows of terrain say already what is at this place");
        }
        let terrain = of_row.and_then(|of_row| of_row.terrain.clone());
        by_place.insert(
            place,
            (
                MapCell {
                    terrain: cell.terrain.clone().or(terrain),
                    ..cell
                },
                spot,
            ),
        );
    }
    by_place.into_values().chain(further).collect()
}

fn cell(element: &Element<'_>, is_grid: bool, faults: &mut Faults) -> Option<MapCell> {
    let (wrong, needed) = if is_grid {
        (["x", "y"], ["column", "row"])
    } else {
        (["column", "row"], ["x", "y"])
    };
    for name in wrong.into_iter().chain((!is_grid).then_some("at")) {
        if let Some(attribute) = element.attribute(name) {
            let (kind, use_instead) = if is_grid {
                ("grid", "`at` or `column` and `row`")
            } else {
                ("free graph", "`x` and `y`")
            };
            let message = format!("a cell of a {kind} has no attribute `{name}`");
            faults.error_with_help(attribute.spot, Code::UnknownKey, message, Some(format!("it has {use_instead}")));
        }
    }
    let (x, y) = if let Some(at) = element.get("at").filter(|_| is_grid) {
        for name in needed {
            if let Some(attribute) = element.attribute(name) {
                let message = format!("`{name}` says once more what `at` says");
                faults.error(attribute.spot, Code::DuplicateName, message);
            }
        }
        let place = Topology::parse_default_name(at);
        if place.is_none() {
            let message = format!("`at`: expected letters and a number such as c12, found {at:?}");
            faults.error(element.spot_of("at"), Code::BadValue, message);
        }
        place?
    } else {
        for name in needed.into_iter().filter(|name| element.attribute(name).is_none()) {
            let message = format!("`<cell>` lacks the attribute `{name}`");
            let help = is_grid.then(|| "or say `at`, for instance at=\"c12\"".to_owned());
            faults.error_with_help(element.spot, Code::MissingValue, message, help);
        }
        (element.number(needed[0])?, element.number(needed[1])?)
    };
    if !is_grid && element.attribute("name").is_none() {
        faults.error(element.spot, Code::MissingValue, "`<cell>` lacks the attribute `name`");
    }
    Some(MapCell {
        title: String::new(),
        name: element.text_of("name").unwrap_or_default(),
        x,
        y,
        terrain: element.text_of("terrain"),
        elevation: element.number("elevation").unwrap_or_default(),
        outline: element.all("outline").map(|part| outline(part, faults)).collect(),
        absent: element.flag("absent"),
        properties: properties::read(element, faults),
    })
}

/// Points as `x,y x,y ..`.
fn outline(element: &Element<'_>, faults: &mut Faults) -> Vec<(i32, i32)> {
    let mut points = Vec::new();
    for (word, spot) in element.words() {
        let point = word.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        match point {
            Some(point) => points.push(point),
            None => faults.error(spot, Code::BadValue, format!("expected a point such as 1500,-200, found {word:?}")),
        }
    }
    points
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn line(element: &Element<'_>) -> Option<(MapLine, Spot)> {
    let line = MapLine {
        name: element.text_of("name"),
        cells: owned(lists::split(element.get("cells")?)),
    };
    Some((line, element.spot))
}

fn region(element: &Element<'_>) -> Option<(MapRegion, Spot)> {
    let region = MapRegion {
        name: element.text_of("name")?,
        cells: owned(lists::split(element.get("cells")?)),
    };
    Some((region, element.spot))
}

fn edge(element: &Element<'_>, faults: &mut Faults) -> Option<(MapEdge, Spot)> {
    let properties = properties::read(element, faults);
    let ends = lists::split(element.get("between")?);
    let [a, b] = ends[..] else {
        let message = format!("`between`: expected two cells, found {}", ends.len());
        faults.error(element.spot_of("between"), Code::BadValue, message);
        return None;
    };
    let edge = MapEdge {
        a: a.to_owned(),
        b: b.to_owned(),
        properties,
    };
    Some((edge, element.spot))
}

/// The text of the file of a map.
pub fn print_map(map: &Map) -> String {
    tag(map, Some(MAP_FORMAT.version())).print()
}

/// The element of a map; in other documents, whose format says it all, without a version of its own.
pub(super) fn tag(map: &Map, version: Option<usize>) -> Tag {
    let (legend, rows, rest) = terrain_rows::write(map);
    Tag::new("map")
        .with_some("format", version)
        .with("id", &map.id)
        .with("title", &map.title)
        .child(topology_tag(map.topology))
        .children(legend)
        .children(rows)
        .children(rest.into_iter().map(|cell| cell_tag(&cell, map.topology)))
        .children(map.lines.iter().map(|line| {
            Tag::new("line")
                .with_some("name", line.name.as_ref())
                .with_list("cells", &line.cells)
        }))
        .children(
            map.regions
                .iter()
                .map(|region| Tag::new("region").with("name", &region.name).with_list("cells", &region.cells)),
        )
        .children(map.edges.iter().map(|edge| {
            let between = [edge.a.as_str(), edge.b.as_str()];
            Tag::new("edge")
                .with_list("between", &between)
                .children(properties::write(&edge.properties))
        }))
}

fn topology_tag(topology: Topology) -> Tag {
    match topology {
        Topology::Hex {
            width,
            height,
            orientation,
            offset,
        } => Tag::new("hex")
            .with("width", width)
            .with("height", height)
            .with("orientation", if orientation == Orientation::Pointy { POINTY } else { "flat" })
            .with("offset", if offset == Offset::Odd { ODD } else { "even" }),
        Topology::Square { width, height, diagonals } => Tag::new("square")
            .with("width", width)
            .with("height", height)
            .with("diagonals", if diagonals { "yes" } else { "no" }),
        Topology::Graph => Tag::new("graph"),
    }
}

fn cell_tag(cell: &MapCell, topology: Topology) -> Tag {
    let at = if topology == Topology::Graph {
        None
    } else {
        Topology::default_name(cell.x, cell.y)
    };
    let name = (!cell.name.is_empty()).then_some(&cell.name);
    let tag = match at {
        Some(at) => Tag::new("cell").with("at", at).with_some("name", name),
        None if topology == Topology::Graph => Tag::new("cell").with_some("name", name).with("x", cell.x).with("y", cell.y),
        None => Tag::new("cell").with("column", cell.x).with("row", cell.y).with_some("name", name),
    };
    let points = |part: &Vec<(i32, i32)>| part.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    tag.with_some("terrain", cell.terrain.as_ref())
        .with_some("elevation", (cell.elevation != 0).then_some(cell.elevation))
        .with_flag("absent", cell.absent)
        .children(properties::write(&cell.properties))
        .children(cell.outline.iter().map(|part| Tag::new("outline").text(points(part))))
}
