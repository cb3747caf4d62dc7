//! What is wrong with a draft, what is doubtful, and how it can be mended.

use std::collections::BTreeMap;
use std::sync::Arc;

use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    Board, CellId, CellSet, Declarations, Map, MapFault, MapPlace, RegionId, Scenario, Sentence, Setup, SetupFault, SetupFaultKind,
    SetupItem, sentence,
};
use boardwright_ruleset::nearest;
use boardwright_triggers::{Choices, Fault, FaultKind, FieldValue, Part, Trigger, TriggerScript};

use super::paint::free_name;
use super::statistics::Starts;
use super::{Edit, Place, Splice, Step, StepKind, script, setup};

/// Something found in a draft.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is. Errors keep the draft from being played, warnings are probably mistakes, notes are hints.
    pub diagnostic: Diagnostic,
    /// What it is about.
    pub subject: Where,
    /// A way to mend it, if there is one that does not guess much.
    pub fix: Option<Fix>,
}

/// The part of a draft that a finding is about. Numbers are positions in the lists of the map or the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// The whole.
    Whole,
    /// A cell of a grid.
    Place(Place),
    /// A point or area of a free graph.
    Point(usize),
    /// Cells of the board.
    Cells(Vec<CellId>),
    /// A line.
    Line(usize),
    /// A region.
    Region(usize),
    /// An edge with properties.
    Edge(usize),
    /// A seat of the list of those that take part.
    Seat(usize),
    /// Who plays a seat.
    Player(usize),
    /// An option.
    Option(usize),
    /// A piece.
    Piece(usize),
    /// A property of the match, a seat, a cell or an edge.
    Value(usize),
    /// A part of the script, such as a trigger.
    Script(usize),
}

/// A step that mends something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a button says it.
    pub label: String,
    /// The step. It is good until the draft is changed.
    pub step: Step,
}

impl Fix {
    fn new(label: Sentence, edits: Vec<Edit>) -> Option<Self> {
        let step = Step::new(StepKind::Mend, edits);
        (!step.is_empty()).then(|| Self { label: label.into(), step })
    }

    fn remove(edit: Edit) -> Option<Self> {
        Self::new(sentence!("take it out"), vec![edit])
    }
}

impl Where {
    /// The cells of a board that it lies on, to be marked there.
    pub fn cells(&self, map: &Map, scenario: Option<&Scenario>, board: &Board) -> Vec<CellId> {
        let named = |names: &mut dyn Iterator<Item = &String>| names.filter_map(|name| board.find_cell(name)).collect();
        match self {
            Self::Whole | Self::Seat(_) | Self::Player(_) | Self::Option(_) | Self::Script(_) => Vec::new(),
            Self::Place((column, row)) => board.cell_at(*column, *row).into_iter().collect(),
            Self::Point(index) => Some(CellId::from_index(*index))
                .filter(|cell| board.contains(*cell))
                .into_iter()
                .collect(),
            Self::Cells(cells) => cells.clone(),
            Self::Line(index) => named(&mut map.lines.get(*index).iter().flat_map(|line| &line.cells)),
            Self::Region(index) => named(&mut map.regions.get(*index).iter().flat_map(|region| &region.cells)),
            Self::Edge(index) => named(&mut map.edges.get(*index).iter().flat_map(|edge| [&edge.a, &edge.b])),
            Self::Piece(index) => {
                let piece = scenario.and_then(|scenario| scenario.setup.pieces.get(*index));
                named(&mut piece.and_then(setup::cell_of).into_iter())
            }
            Self::Value(index) => {
                use boardwright_model::SetupTarget;
                match scenario
                    .and_then(|scenario| scenario.setup.values.get(*index))
                    .map(|value| &value.target)
                {
                    Some(SetupTarget::Cell(cell)) => named(&mut [cell].into_iter()),
                    Some(SetupTarget::Edge(a, b)) => named(&mut [a, b].into_iter()),
                    Some(SetupTarget::Match | SetupTarget::Seat(_)) | None => Vec::new(),
                }
            }
        }
    }
}

/// Everything that is found in a map by itself, and with the declarations of its ruleset what that does not know.
pub fn of_map(map: &Map, declarations: Option<&Arc<Declarations>>) -> Vec<Finding> {
    let mut found = Vec::new();
    match Board::from_map(map) {
        Err(faults) => found.extend(faults.iter().map(|fault| Finding {
            diagnostic: Diagnostic::error(code_of(fault), fault.to_string()),
            subject: subject_of(map, fault.place()),
            fix: mend(map, fault),
        })),
        Ok(board) => {
            let board = Arc::new(board);
            if let Some(declarations) = declarations {
                found.extend(unknown_properties(map, &board, declarations));
            }
            hints(map, &board, declarations.map(Arc::as_ref), &mut found);
        }
    }
    found.extend(map.doubts().into_iter().map(|doubt| Finding {
        diagnostic: Diagnostic::warning(Code::BadValue, doubt.to_string()),
        subject: subject_of(map, doubt.place()),
        fix: None,
    }));
    if let Some(declarations) = declarations {
        found.extend(unknown_terrains(map, declarations));
    }
    found
}

/// Everything that is found in a scenario, on the board of its map, under the declarations of its ruleset.
pub fn of_scenario(scenario: &Scenario, board: &Arc<Board>, declarations: &Arc<Declarations>) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Err(faults) = scenario.setup.build(board, declarations) {
        found.extend(faults.iter().filter_map(|fault| of_setup(scenario, declarations, fault)));
    }
    for (index, (seat, _)) in scenario.players.iter().enumerate() {
        let is_seat = declarations.find_seat(seat).is_some() && (scenario.setup.seats.is_empty() || scenario.setup.seats.contains(seat));
        if !is_seat {
            found.push(Finding {
                diagnostic: Diagnostic::error(Code::UnknownName, sentence!("no seat {seat} takes part")),
                subject: Where::Player(index),
                fix: Fix::remove(Edit::Players(Splice::remove(index))),
            });
        }
    }
    of_triggers(scenario, &Choices::of(board, declarations), &mut found);
    unfair(&Starts::of_scenario(board, scenario), &mut found);
    found
}

/// What is wrong with the triggers of a scenario that are on.
fn of_triggers(scenario: &Scenario, choices: &Choices, found: &mut Vec<Finding>) {
    let script = script::read(scenario);
    for (part, trigger) in script.triggers().filter(|(_, trigger)| !trigger.is_off()) {
        for fault in choices.faults(trigger) {
            let name = trigger.name();
            let is_dead = fault.kind == FaultKind::DoesNothing;
            let (code, message) = match &fault.kind {
                FaultKind::Missing(missing) => (
                    Code::UnknownName,
                    sentence!("the trigger {name} names {missing}, which is not there"),
                ),
                FaultKind::Empty => (Code::MissingValue, sentence!("a field of the trigger {name} is empty")),
                FaultKind::Range(least, most) => (
                    Code::BadValue,
                    sentence!("a number of the trigger {name} is not in its range: {least} to {most}"),
                ),
                FaultKind::Value(value) => (
                    Code::BadValue,
                    sentence!("the trigger {name} gives a property a value that it cannot have: {value}"),
                ),
                FaultKind::DoesNothing => (Code::MissingValue, sentence!("the trigger {name} does nothing")),
            };
            let diagnostic = if is_dead || matches!(fault.kind, FaultKind::Empty) {
                Diagnostic::warning(code, message)
            } else {
                Diagnostic::error(code, message)
            };
            found.push(Finding {
                diagnostic,
                subject: Where::Script(part),
                fix: mend_trigger(scenario, &script, part, trigger, &fault, choices),
            });
        }
    }
}

/// What mends a trigger: the name that was probably meant, else the sentence taken out, else the trigger switched off.
fn mend_trigger(
    scenario: &Scenario,
    script: &TriggerScript,
    part: usize,
    trigger: &Trigger,
    fault: &Fault,
    choices: &Choices,
) -> Option<Fix> {
    let written = |label: Sentence, trigger: Trigger| {
        let mut script = script.clone();
        script.replace(part, trigger);
        Fix::new(label, script::write(scenario, &script.print(), |_| false))
    };
    let place = &fault.place;
    let known = choices.at(trigger, place);
    let names = known.iter().filter_map(|choice| match &choice.value {
        FieldValue::Name(name) | FieldValue::Seat(Some(name)) => Some(name.as_str()),
        _ => None,
    });
    if let FaultKind::Missing(missing) = &fault.kind
        && let Some(meant) = nearest(missing, names)
        && let Some(choice) = known
            .iter()
            .find(|choice| matches!(&choice.value, FieldValue::Name(name) | FieldValue::Seat(Some(name)) if name == meant))
        && let Some(trigger) = trigger.with_value(place, choice.value.clone())
    {
        return written(sentence!("make it {meant}"), trigger);
    }
    if let (FaultKind::Range(least, most), Some(FieldValue::Number(number))) = (&fault.kind, trigger.value(place)) {
        let meant = *number.clamp(least, most);
        let trigger = trigger.with_value(place, FieldValue::Number(meant))?;
        return written(sentence!("make it {meant}"), trigger);
    }
    if matches!(place.part, Part::If | Part::Then) && trigger.sentences(place.part).len() > place.sentence {
        let mut sentences = trigger.sentences(place.part).to_vec();
        sentences.remove(place.sentence);
        return written(sentence!("take the sentence out"), trigger.with_part(place.part, sentences)?);
    }
    written(sentence!("switch the trigger off"), trigger.clone().switched_off(true))
}

fn subject_of(map: &Map, place: MapPlace) -> Where {
    match place {
        MapPlace::Topology => Where::Whole,
        MapPlace::Cell(index) => match map.cells.get(index) {
            Some(cell) if map.topology.size().is_some() => Where::Place((cell.x, cell.y)),
            _ => Where::Point(index),
        },
        MapPlace::Line(index) => Where::Line(index),
        MapPlace::Region(index) => Where::Region(index),
        MapPlace::Edge(index) => Where::Edge(index),
    }
}

const fn code_of(fault: &MapFault) -> Code {
    match fault {
        MapFault::PlaceTaken(..)
        | MapFault::CellNameTaken(..)
        | MapFault::LineNameTaken(..)
        | MapFault::CellTwiceInLine(..)
        | MapFault::PairTwice(..)
        | MapFault::RegionNameTaken(..)
        | MapFault::CellTwiceInRegion(..)
        | MapFault::EdgeTwice(..) => Code::DuplicateName,
        MapFault::UnknownCellInLine(..) | MapFault::UnknownCellInRegion(..) | MapFault::UnknownCellInEdge(..) => Code::UnknownName,
        _ => Code::BadValue,
    }
}

/// An entry of the list of cells as it should be.
fn cell_edit(map: &Map, index: usize, change: impl FnOnce(&mut boardwright_model::MapCell)) -> Vec<Edit> {
    let Some(old) = map.cells.get(index) else { return Vec::new() };
    let mut new = old.clone();
    change(&mut new);
    vec![if map.topology.size().is_some() {
        Edit::Cells(vec![((old.x, old.y), Some(new))])
    } else {
        Edit::Points(Splice::replace(index, new))
    }]
}

/// What mends a fault of a map.
fn mend(map: &Map, fault: &MapFault) -> Option<Fix> {
    let is_grid = map.topology.size().is_some();
    match fault {
        MapFault::NoCells
        | MapFault::TooManyCells(_)
        | MapFault::TooManyLines(_)
        | MapFault::TooManyRegions(_)
        | MapFault::PlaceTaken(..)
        | MapFault::TooFarOut(..)
        | MapFault::CellTwiceInLine(..) => None,
        MapFault::OffGrid(_, _, place) => Fix::remove(Edit::Cells(vec![(*place, None)])),
        MapFault::CellName(index, _) | MapFault::CellNameTaken(index, _) if is_grid => {
            let edits = cell_edit(map, *index, |cell| cell.name.clear());
            Fix::new(sentence!("call it after its place"), edits)
        }
        MapFault::CellName(index, old) | MapFault::CellNameTaken(index, old) => {
            let start: String = old.chars().filter(|letter| !letter.is_control()).take(50).collect();
            let start = if start.trim().is_empty() { "cell" } else { start.trim() };
            let name = free_name(start, |name| map.cells.iter().any(|cell| cell.name == name));
            let edits = cell_edit(map, *index, |cell| name.clone_into(&mut cell.name));
            Fix::new(sentence!("call it {name}"), edits)
        }
        MapFault::HoleInGraph(index, _) => Fix::new(sentence!("make it a cell"), cell_edit(map, *index, |cell| cell.absent = false)),
        MapFault::OutlineOnGrid(index, _) => Fix::new(
            sentence!("take the outline away"),
            cell_edit(map, *index, |cell| cell.outline.clear()),
        ),
        MapFault::OutlineTooShort(index, _, part) => {
            let edits = cell_edit(map, *index, |cell| {
                if *part < cell.outline.len() {
                    cell.outline.remove(*part);
                }
            });
            Fix::new(sentence!("take this part of the outline away"), edits)
        }
        MapFault::LineOnGrid(line) | MapFault::LineTooShort(line, _) | MapFault::PairTwice(line, ..) => {
            Fix::remove(Edit::Lines(Splice::remove(*line)))
        }
        MapFault::LineName(line, _) | MapFault::LineNameTaken(line, _) => {
            let mut new = map.lines.get(*line)?.clone();
            new.name = None;
            Fix::new(sentence!("leave its name out"), vec![Edit::Lines(Splice::replace(*line, new))])
        }
        MapFault::UnknownCellInLine(line, _, cell) => {
            let mut new = map.lines.get(*line)?.clone();
            new.cells.retain(|other| other != cell);
            Fix::new(sentence!("take {cell} out of it"), vec![Edit::Lines(Splice::replace(*line, new))])
        }
        MapFault::RegionName(region, old) | MapFault::RegionNameTaken(region, old) => {
            let start = if old.trim().is_empty() { "region" } else { old.trim() };
            let start: String = start.chars().filter(|letter| !letter.is_control()).take(50).collect();
            let name = free_name(&start, |name| map.regions.iter().any(|region| region.name == name));
            let mut new = map.regions.get(*region)?.clone();
            new.name.clone_from(&name);
            Fix::new(sentence!("call it {name}"), vec![Edit::Regions(Splice::replace(*region, new))])
        }
        MapFault::UnknownCellInRegion(region, _, cell) => {
            let cells = &map.regions.get(*region)?.cells;
            let at = cells.iter().position(|other| other == cell)?;
            Fix::new(
                sentence!("take {cell} out of it"),
                vec![Edit::RegionCells(*region, Splice::remove(at))],
            )
        }
        MapFault::CellTwiceInRegion(region, _, cell) => {
            let cells = &map.regions.get(*region)?.cells;
            let at = cells.iter().rposition(|other| other == cell)?;
            Fix::new(sentence!("name it once"), vec![Edit::RegionCells(*region, Splice::remove(at))])
        }
        MapFault::UnknownCellInEdge(edge, ..) | MapFault::NotNeighbours(edge, _) | MapFault::EdgeTwice(edge, _) => {
            Fix::remove(Edit::Edges(Splice::remove(*edge)))
        }
    }
}

/// Terrains that the ruleset does not declare, each told once.
fn unknown_terrains(map: &Map, declarations: &Declarations) -> Vec<Finding> {
    let mut cells: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, cell) in map.cells.iter().enumerate() {
        if let Some(terrain) = cell.terrain.as_deref()
            && declarations.find_terrain(terrain).is_none()
        {
            cells.entry(terrain).or_default().push(index);
        }
    }
    let finding = |(terrain, cells): (&str, Vec<usize>)| {
        let meant = nearest(terrain, declarations.terrains.iter().map(|known| &*known.name));
        let set = |index: &usize| cell_edit(map, *index, |cell| cell.terrain = meant.map(str::to_owned));
        let edits = cells.iter().flat_map(set).collect();
        let label = match meant {
            Some(meant) => sentence!("make it {meant}"),
            None => sentence!("take it out"),
        };
        Finding {
            diagnostic: Diagnostic::error(Code::UnknownName, sentence!("the ruleset declares no terrain {terrain}")),
            subject: subject_of(map, MapPlace::Cell(cells.first().copied().unwrap_or(0))),
            fix: Fix::new(label, edits),
        }
    };
    cells.into_iter().map(finding).collect()
}

/// The name that a fault of a setup is about, if it is one of a property.
fn property_of(fault: &SetupFault) -> Option<&str> {
    match &fault.kind {
        SetupFaultKind::Unknown {
            what: "property", name, ..
        }
        | SetupFaultKind::Value { name, .. } => Some(name),
        _ => None,
    }
}

fn code_of_setup(fault: &SetupFault) -> Code {
    match &fault.kind {
        SetupFaultKind::Unknown { .. } => Code::UnknownName,
        SetupFaultKind::Twice(_) | SetupFaultKind::SeatTwice(_) | SetupFaultKind::PieceTwice(_) => Code::DuplicateName,
        SetupFaultKind::Value { .. } | SetupFaultKind::DoesNotLie(_) | SetupFaultKind::AboardItself(_) | SetupFaultKind::TooMany => {
            Code::BadValue
        }
    }
}

/// Properties of cells and edges that the ruleset does not declare, or not with such values.
fn unknown_properties(map: &Map, board: &Arc<Board>, declarations: &Arc<Declarations>) -> Vec<Finding> {
    let Err(faults) = Setup::default().build(board, declarations) else {
        return Vec::new();
    };
    let finding = |fault: &SetupFault| {
        let (subject, edits) = match fault.item {
            SetupItem::MapCell(cell) => {
                let place = board.coordinates(cell);
                let index = match place {
                    Some(place) => super::grid_cells::position(&map.cells, place).ok()?,
                    None => cell.index(),
                };
                let edits = property_of(fault).map(|name| cell_edit(map, index, |cell| drop(cell.properties.remove(name))));
                (subject_of(map, MapPlace::Cell(index)), edits)
            }
            SetupItem::MapEdge(edge) => {
                let (a, b) = board.edge_ends(edge);
                let ends = [board.cell_name(a), board.cell_name(b)];
                let index = map
                    .edges
                    .iter()
                    .position(|edge| ends.contains(&&*edge.a) && ends.contains(&&*edge.b))?;
                let edits = property_of(fault).map(|name| super::paint::edge_property(map, ends, name, None));
                (Where::Edge(index), edits)
            }
            _ => return None,
        };
        Some(Finding {
            diagnostic: Diagnostic::error(code_of_setup(fault), fault.to_string()),
            subject,
            fix: edits.and_then(|edits| Fix::new(sentence!("leave the property out"), edits)),
        })
    };
    faults.iter().filter_map(finding).collect()
}

/// A fault of a scenario. Those of its map are told with the map.
fn of_setup(scenario: &Scenario, declarations: &Declarations, fault: &SetupFault) -> Option<Finding> {
    let setup = &scenario.setup;
    let meant = match &fault.kind {
        SetupFaultKind::Unknown { what: "kind", name, .. } => nearest(name, declarations.kinds.iter().map(|kind| &*kind.name)),
        SetupFaultKind::Unknown { what: "seat", name, .. } => nearest(name, declarations.seats.iter().map(|seat| &*seat.name)),
        _ => None,
    };
    let (subject, fix) = match fault.item {
        SetupItem::MapCell(_) | SetupItem::MapEdge(_) => return None,
        SetupItem::Moment => (Where::Whole, None),
        SetupItem::Seat(index) => (Where::Seat(index), Fix::remove(Edit::Seats(Splice::remove(index)))),
        SetupItem::Option(index) => (Where::Option(index), Fix::remove(Edit::Options(Splice::remove(index)))),
        SetupItem::Value(index) => (Where::Value(index), Fix::remove(Edit::Values(Splice::remove(index)))),
        SetupItem::Piece(index) => {
            let mut new = setup.pieces.get(index)?.clone();
            let fix = match (&fault.kind, meant) {
                (SetupFaultKind::Unknown { what: "kind", .. }, Some(meant)) => {
                    meant.clone_into(&mut new.kind);
                    Fix::new(sentence!("make it {meant}"), vec![Edit::Pieces(Splice::replace(index, new))])
                }
                (SetupFaultKind::Unknown { what: "seat", .. }, Some(meant)) if new.owner.is_some() => {
                    new.owner = Some(meant.to_owned());
                    Fix::new(sentence!("give it to {meant}"), vec![Edit::Pieces(Splice::replace(index, new))])
                }
                (SetupFaultKind::Unknown { what: "property", .. } | SetupFaultKind::Value { .. }, _) => {
                    let name = property_of(fault).unwrap_or_default();
                    new.values.retain(|(other, _)| other != name);
                    Fix::new(sentence!("leave the property out"), vec![Edit::Pieces(Splice::replace(index, new))])
                }
                _ => Fix::remove(Edit::Pieces(Splice::remove(index))),
            };
            (Where::Piece(index), fix)
        }
    };
    Some(Finding {
        diagnostic: Diagnostic::error(code_of_setup(fault), fault.to_string()),
        subject,
        fix,
    })
}

/// The regions of a map that no script names: `scripts` are the texts of its ruleset and of its scenarios. Where one of them asks for all regions,
/// any may be used. Those without cells are told of anyway.
pub fn unused_regions<'a>(map: &Map, scripts: impl IntoIterator<Item = &'a str>) -> Vec<Finding> {
    let with_cells = map.regions.iter().enumerate().filter(|(_, region)| !region.cells.is_empty());
    let mut unused: Vec<(usize, &str)> = with_cells.map(|(index, region)| (index, region.name.as_str())).collect();
    for script in scripts {
        if script.contains(".regions") {
            return Vec::new();
        }
        unused.retain(|(_, name)| {
            !['"', '`', '\'']
                .iter()
                .any(|quote| script.contains(&format!("{quote}{name}{quote}")))
        });
    }
    let found = |(index, name): (usize, &str)| Finding {
        diagnostic: Diagnostic::note(
            Code::BadValue,
            sentence!("no rule and no trigger names the region {name}", name = name),
        ),
        subject: Where::Region(index),
        fix: None,
    };
    unused.into_iter().map(found).collect()
}

/// What an author may not have noticed in a map that is sound.
fn hints(map: &Map, board: &Board, declarations: Option<&Declarations>, found: &mut Vec<Finding>) {
    let note = |message: Sentence, subject: Where, fix: Option<Fix>| Finding {
        diagnostic: Diagnostic::note(Code::BadValue, message),
        subject,
        fix,
    };
    let mut parts = board.components(&CellSet::from_cells(board.cell_count(), board.cells()));
    parts.sort_by_key(|part| std::cmp::Reverse(part.count()));
    for part in parts.iter().skip(1) {
        let count = part.count();
        let message = sentence!("no way leads to these cells from the rest of the board: {count}");
        found.push(note(message, Where::Cells(part.iter().collect()), None));
    }
    let mut seen: Vec<&CellSet> = Vec::new();
    for index in 0..board.region_count() {
        let (id, cells) = (RegionId::from_index(index), board.region(RegionId::from_index(index)));
        let name = board.region_name(id);
        let remove = Fix::remove(Edit::Regions(Splice::remove(index)));
        if cells.is_empty() {
            found.push(note(sentence!("the region {name} has no cells"), Where::Region(index), remove));
        } else if seen.contains(&cells) {
            found.push(note(
                sentence!("the region {name} has the cells of another"),
                Where::Region(index),
                remove,
            ));
        }
        seen.push(cells);
    }
    for (index, edge) in map.edges.iter().enumerate().filter(|(_, edge)| edge.properties.is_empty()) {
        let message = sentence!("the edge between {a} and {b} has no properties", a = edge.a, b = edge.b);
        found.push(note(message, Where::Edge(index), Fix::remove(Edit::Edges(Splice::remove(index)))));
    }
    if let Some(declarations) = declarations {
        unfair(&Starts::of_map(board, declarations), found);
    }
}

/// Seats that begin nearer to others than the rest.
fn unfair(starts: &Starts, found: &mut Vec<Finding>) {
    let to_next = starts.to_next();
    for (index, seat) in starts.seats.iter().enumerate().filter(|_| starts.seats.len() > 1) {
        if to_next.get(index) == Some(&None) {
            found.push(Finding {
                diagnostic: Diagnostic::note(Code::BadValue, sentence!("no way leads from {seat} to any other seat")),
                subject: Where::Cells(starts.cells.get(index).into_iter().flat_map(CellSet::iter).collect()),
                fix: None,
            });
        }
    }
    let known = || to_next.iter().enumerate().filter_map(|(seat, distance)| Some(((*distance)?, seat)));
    if let (Some((least, near)), Some((most, far))) = (known().min(), known().max())
        && least < most
        && let (Some(near), Some(far)) = (starts.seats.get(near), starts.seats.get(far))
    {
        let message = sentence!("{near} begins {least} steps from the next seat, but {far} begins {most} steps from it");
        found.push(Finding {
            diagnostic: Diagnostic::note(Code::BadValue, message),
            subject: Where::Cells(starts.cells.iter().flat_map(CellSet::iter).collect()),
            fix: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;
    use boardwright_model::diagnostic::Severity;
    use boardwright_model::{MapCell, MapEdge, MapLine, MapRegion, SeatDeclaration, SetupPiece, SetupPlace, TerrainDeclaration, Topology};

    fn declarations() -> Arc<Declarations> {
        let seat = |name: &str| SeatDeclaration {
            name: name.into(),
            title: name.into(),
            colour: 0,
        };
        Arc::new(Declarations {
            seats: vec![seat("red"), seat("blue")],
            terrains: vec![TerrainDeclaration {
                name: "wood".into(),
                title: "Wood".into(),
                colour: 0,
            }],
            ..Declarations::default()
        })
    }

    /// Applies fixes until there are none any more.
    fn mended(mut draft: Draft, find: impl Fn(&Draft) -> Vec<Finding>) -> (Draft, Vec<Finding>) {
        for _ in 0..50 {
            let found = find(&draft);
            let Some(fix) = found.iter().find_map(|finding| finding.fix.clone()) else {
                return (draft, found);
            };
            drop(fix.step.apply(&mut draft));
        }
        panic!("the fixes do not come to an end");
    }

    #[test]
    fn every_fault_of_these_maps_can_be_mended() {
        let mut grid = Map::new(
            "m",
            "M",
            Topology::Square {
                width: 3,
                height: 2,
                diagonals: false,
            },
        );
        let odd = MapCell {
            outline: vec![vec![(0, 0)]],
            terrain: Some("wod".to_owned()),
            ..MapCell::new("b1", 0, 0)
        };
        grid.cells = vec![odd, MapCell::new(" ", 1, 1), MapCell::new("x", 7, 1)];
        grid.lines = vec![MapLine::new(["a1", "b1"])];
        let region = |name: &str, cells: &str| MapRegion {
            name: name.to_owned(),
            cells: cells.split_whitespace().map(str::to_owned).collect(),
        };
        grid.regions = vec![
            region("r", "a2 a2 nowhere"),
            region("r", "c1"),
            region("", "c2"),
            region("same", "c2"),
        ];
        let edge = |a: &str, b: &str| MapEdge {
            a: a.to_owned(),
            b: b.to_owned(),
            ..MapEdge::default()
        };
        grid.edges = vec![edge("a2", "c1"), edge("c1", "c2"), edge("c2", "c1"), edge("c1", "y")];
        let mut graph = Map::new("m", "M", Topology::Graph);
        graph.cells = vec![
            MapCell {
                absent: true,
                ..MapCell::new("a", 0, 0)
            },
            MapCell::new("a", 1, 0),
            MapCell {
                outline: vec![vec![(0, 0)]],
                ..MapCell::new("", 2, 0)
            },
        ];
        let named = |name: &str, cells: &[&str]| MapLine {
            name: Some(name.to_owned()),
            ..MapLine::new(cells.iter().copied())
        };
        graph.lines = vec![named("l", &["a", "z", "a2"]), named("l", &["a"]), named(" ", &["a2", "a"])];
        for map in [grid, graph] {
            assert!(of_map(&map, None).len() > 6);
            let (draft, left) = mended(Draft::Map(map), |draft| of_map(draft.map().unwrap(), Some(&declarations())));
            let errors: Vec<_> = left
                .iter()
                .filter(|finding| finding.diagnostic.severity == Severity::Error)
                .collect();
            assert!(errors.is_empty(), "{errors:?}");
            assert!(Board::from_map(draft.map().unwrap()).is_ok());
        }
    }

    #[test]
    fn regions_that_no_script_names_are_told() {
        let mut map = Map::new("m", "M", Topology::Graph);
        let region = |name: &str| MapRegion {
            name: name.to_owned(),
            cells: vec!["a1".to_owned()],
        };
        map.regions = vec![region("centre"), region("ford")];
        let unused = |scripts: &[&str]| -> Vec<Where> {
            let found = unused_regions(&map, scripts.iter().copied());
            found.into_iter().map(|finding| finding.subject).collect()
        };
        assert_eq!(unused(&["turn.region(\"ford\")", "fordable"]), [Where::Region(0)]);
        assert_eq!(unused(&["for name in turn.regions {}"]), []);
        assert_eq!(unused(&["turn.region(\"ford\")", "#{ region: \"centre\" }"]), []);
    }

    #[test]
    fn hints_tell_of_islands_and_unfair_starts() {
        let mut map = Map::new(
            "m",
            "M",
            Topology::Square {
                width: 6,
                height: 1,
                diagonals: false,
            },
        );
        map.cells = vec![MapCell::hole(4, 0)];
        let found = of_map(&map, None);
        assert!(
            matches!(&found[..], [finding] if finding.subject == Where::Cells(vec![CellId(5)])),
            "{found:?}"
        );
        let board = Arc::new(Board::from_map(&Map { cells: Vec::new(), ..map }).unwrap());
        let mut scenario = Scenario::default();
        for (owner, cell) in [("red", "a1"), ("blue", "b1"), ("blue", "zz")] {
            scenario.setup.pieces.push(SetupPiece {
                owner: Some(owner.to_owned()),
                place: SetupPlace::Cell(cell.to_owned()),
                ..SetupPiece::default()
            });
        }
        let (draft, _) = mended(Draft::Scenario(scenario), |draft| {
            of_scenario(draft.scenario().unwrap(), &board, &declarations())
        });
        assert!(draft.scenario().unwrap().setup.pieces.is_empty(), "there are no such kinds");
    }
}
