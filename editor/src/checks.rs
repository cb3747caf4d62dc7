//! What is wrong with a draft, or may be, and where.

use std::collections::BTreeMap;
use std::sync::Arc;

use boardwright_editing::{Draft, Edit, Splice, Step, StepKind};
use boardwright_model::{Board, CellId, Declarations, Map, MapCell, MapPlace, Scenario, SetupItem, SetupPlace, Topology};
use boardwright_ui::text;
use boardwright_ui::texts::localized;

use crate::file::OpenFile;

/// Something that is wrong, or may be.
#[derive(Clone, Debug)]
pub struct Finding {
    message: String,
    is_error: bool,
    /// The name of the cell that it is about.
    cell: Option<String>,
    fixes: Vec<(String, Step)>,
}

/// Everything that is wrong with a draft, or may be. Without declarations only what needs none is looked at.
pub fn findings(draft: &Draft, declarations: Option<&Declarations>, map: Option<&Map>) -> Vec<Finding> {
    match draft {
        Draft::Map(map) => of_map(map, declarations),
        Draft::Scenario(scenario) => of_scenario(scenario, declarations, map),
    }
}

fn of_map(map: &Map, declarations: Option<&Declarations>) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Err(faults) = Board::from_map(map) {
        found.extend(faults.iter().map(|fault| Finding::new(fault.to_string(), true, named(map, fault.place()))));
    }
    found.extend(map.doubts().into_iter().map(|doubt| Finding::new(doubt.to_string(), false, named(map, doubt.place()))));
    let Some(declarations) = declarations.filter(|declarations| !declarations.terrains.is_empty()) else {
        return found;
    };
    let mut unknown: BTreeMap<&str, Vec<&MapCell>> = BTreeMap::new();
    for cell in &map.cells {
        if let Some(terrain) = cell.terrain.as_deref().filter(|terrain| declarations.find_terrain(terrain).is_none()) {
            unknown.entry(terrain).or_default().push(cell);
        }
    }
    for (terrain, cells) in unknown {
        let first = cells.first().map(|cell| name_of(map, cell));
        let message = text!("finding-terrain", terrain = terrain, count = cells.len());
        let usual = declarations.terrains.first().map(|terrain| terrain.title.to_string()).unwrap_or_default();
        let mend = (map.topology != Topology::Graph).then(|| {
            let places = cells.iter().map(|cell| ((cell.x, cell.y), None)).collect();
            (
                text!("mend-terrain", terrain = usual.as_str()),
                Step::one(StepKind::Mend, Edit::Terrain(places)),
            )
        });
        found.push(Finding {
            fixes: mend.into_iter().collect(),
            ..Finding::new(message, true, first)
        });
    }
    for (index, region) in map.regions.iter().enumerate().filter(|(_, region)| region.cells.is_empty()) {
        let message = text!("finding-empty-region", name = region.name.as_str());
        let mend = (text!("mend-region"), Step::one(StepKind::Mend, Edit::Regions(Splice::remove(index))));
        found.push(Finding {
            fixes: vec![mend],
            ..Finding::new(message, false, None)
        });
    }
    found
}

fn of_scenario(scenario: &Scenario, declarations: Option<&Declarations>, map: Option<&Map>) -> Vec<Finding> {
    let Some(map) = map else {
        return vec![Finding::new(text!("edit-no-map", map = scenario.map.as_str()), true, None)];
    };
    let (Some(declarations), Ok(board)) = (declarations, Board::from_map(map)) else {
        return Vec::new();
    };
    let declarations = Arc::new(declarations.clone());
    let Err(faults) = scenario.setup.build(&Arc::new(board), &declarations) else {
        return Vec::new();
    };
    let told = faults.iter().map(|fault| {
        let (cell, mend) = match fault.item {
            SetupItem::Piece(index) => (
                scenario.setup.pieces.get(index).and_then(|piece| match &piece.place {
                    SetupPlace::Cell(cell) | SetupPlace::Side(cell, _) | SetupPlace::Posed(cell, _) => Some(cell.clone()),
                    SetupPlace::Off | SetupPlace::Zone(..) => None,
                }),
                Some((text!("mend-piece"), Edit::Pieces(Splice::remove(index)))),
            ),
            SetupItem::Value(index) => (None, Some((text!("mend-value"), Edit::Values(Splice::remove(index))))),
            SetupItem::Option(index) => (None, Some((text!("mend-option"), Edit::Options(Splice::remove(index))))),
            SetupItem::Seat(index) => (None, Some((text!("mend-seat"), Edit::Seats(Splice::remove(index))))),
            SetupItem::MapCell(_) | SetupItem::MapEdge(_) => (None, None),
        };
        Finding {
            fixes: mend.map(|(name, edit)| (name, Step::one(StepKind::Mend, edit))).into_iter().collect(),
            ..Finding::new(fault.to_string(), true, cell)
        }
    });
    told.collect()
}

impl Finding {
    fn new(message: String, is_error: bool, cell: Option<String>) -> Self {
        Self {
            message,
            is_error,
            cell,
            fixes: Vec::new(),
        }
    }
}

/// The name of a cell of a map.
fn name_of(map: &Map, cell: &MapCell) -> String {
    let default = || Topology::default_name(cell.x, cell.y).unwrap_or_default();
    if cell.name.is_empty() && map.topology != Topology::Graph { default() } else { cell.name.clone() }
}

/// The cell that stands for a part of a map.
fn named(map: &Map, place: MapPlace) -> Option<String> {
    match place {
        MapPlace::Topology => None,
        MapPlace::Cell(index) => map.cells.get(index).map(|cell| name_of(map, cell)),
        MapPlace::Line(index) => map.lines.get(index)?.cells.first().cloned(),
        MapPlace::Region(index) => map.regions.get(index)?.cells.first().cloned(),
        MapPlace::Edge(index) => map.edges.get(index).map(|edge| edge.a.clone()),
    }
}

/// What is told of a finding.
pub fn message(finding: &Finding) -> String {
    localized(&finding.message)
}

/// Whether the file cannot be played with it.
pub fn is_error(finding: &Finding) -> bool {
    finding.is_error
}

/// What would mend it: what that is called, and the step.
pub fn fixes(finding: &Finding) -> Vec<(String, Step)> {
    finding.fixes.clone()
}

/// The cell that it is about.
pub fn cell_of(finding: &Finding, file: &OpenFile) -> Option<CellId> {
    file.drawn.board().find_cell(finding.cell.as_ref()?)
}
