//! The hook `import_file` of a ruleset: what a file of another program becomes.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::api::handles::{Document, Draft};
use super::value::{Answer, wrong};
use super::{ScriptSource, compile_rules, hooks};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use boardwright_model::{
    Board, ForeignDocument, ForeignFormat, ForeignPlace, Map, MapCell, MapFault, MapPlace, Scenario, Setup, SetupFault, SetupFaultKind,
    SetupItem, SetupPiece, SetupPlace, SetupTarget, SetupValue, Topology,
};
use boardwright_rules::{RequestKind, RulesSource};

/// How many faults, and how many warnings, are told.
const MOST_TOLD: usize = 100;
/// The most bytes of all that a hook makes.
const MOST_BYTES: usize = 64 << 20;

/// What a ruleset made of a file of another program.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// A map, without an id.
    pub map: Option<Map>,
    /// A scenario on that map, without ids.
    pub scenario: Option<Scenario>,
    /// Scripts of a mod, by their names.
    pub scripts: BTreeMap<String, String>,
    /// What was left out or changed, with its places.
    pub left_out: Diagnostics,
}

/// A value as a hook gives it: a text, or a cell by its column and row.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Text(String),
    At(i32, i32),
}

/// A cell of the map that is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenCell {
    pub(crate) cell: MapCell,
    pub(crate) properties: Vec<(String, Given)>,
}

/// A piece of the scenario that is made. Its place lacks the cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenPiece {
    pub(crate) piece: SetupPiece,
    pub(crate) at: Option<Given>,
    pub(crate) values: Vec<(String, Given)>,
}

/// What a scenario says beside its pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenScenario {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) seats: Vec<String>,
    pub(crate) players: Vec<(String, String)>,
    pub(crate) options: Vec<(String, String)>,
    pub(crate) values: Vec<(String, Given)>,
}

/// What the hook has made so far. The numbers are those of the elements that things were made of.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) map: Option<(usize, String, Topology)>,
    pub(crate) cells: Vec<(usize, GivenCell)>,
    pub(crate) pieces: Vec<(usize, GivenPiece)>,
    pub(crate) scenario: Option<(usize, GivenScenario)>,
    pub(crate) scripts: BTreeMap<String, String>,
}

/// What has been asked of a document.
#[derive(Debug, Default)]
struct Asked {
    elements: BTreeSet<usize>,
    attributes: BTreeSet<(usize, String)>,
}

/// An import that runs: what its handles point at.
#[derive(Debug)]
pub(crate) struct Importing {
    pub(crate) document: ForeignDocument,
    pub(crate) made: RefCell<Made>,
    asked: RefCell<Asked>,
    found: RefCell<Diagnostics>,
    /// What the hook has made, in bytes.
    bytes: Cell<usize>,
    /// The elements in which something is wrong.
    faulty: RefCell<BTreeSet<usize>>,
}

impl Importing {
    fn new(document: ForeignDocument) -> Rc<Self> {
        Rc::new(Self {
            document,
            made: RefCell::default(),
            asked: RefCell::default(),
            found: RefCell::default(),
            bytes: Cell::new(0),
            faulty: RefCell::default(),
        })
    }

    fn place(&self, element: usize) -> ForeignPlace {
        self.document.elements.get(element).map(|element| element.place).unwrap_or_default()
    }

    fn place_of(&self, element: usize, attribute: &str) -> ForeignPlace {
        let found = self.document.elements.get(element);
        let attribute = found.and_then(|found| found.attributes.get(found.find_attribute(attribute)?));
        attribute.map_or_else(|| self.place(element), |attribute| attribute.place)
    }

    /// Counts what the hook makes.
    pub(crate) fn charge(&self, bytes: usize) -> Answer<()> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        if self.bytes.get() > MOST_BYTES {
            return Err(wrong("too much is made of the file: more than 64 MiB"));
        }
        Ok(())
    }

    /// The children of an element, those of a name if there is one, from some position on; each with its position among them.
    pub(crate) fn children(&self, parent: usize, name: Option<&str>, from: usize) -> impl Iterator<Item = (usize, usize)> {
        let all = &self.document.elements;
        let children = all.get(parent).map_or(&[][..], |element| &element.children);
        let is_it = move |child: usize| name.is_none_or(|name| all.get(child).is_some_and(|child| child.name == name));
        let placed = children.iter().copied().enumerate().skip(from);
        placed.filter(move |(_, child)| is_it(*child))
    }

    /// Notes that an element is looked into.
    pub(crate) fn ask(&self, element: usize) {
        self.asked.borrow_mut().elements.insert(element);
    }

    /// The value of an attribute, which counts as read.
    pub(crate) fn read(&self, element: usize, attribute: &str) -> Option<String> {
        let mut asked = self.asked.borrow_mut();
        asked.elements.insert(element);
        asked.attributes.insert((element, attribute.to_owned()));
        let element = self.document.elements.get(element)?;
        let attribute = element.attributes.get(element.find_attribute(attribute)?)?;
        Some(attribute.value.clone())
    }

    /// Tells of the elements that share the value of an attribute with one before them. The attribute counts as read everywhere.
    pub(crate) fn check_unique(&self, attribute: &str) {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        // The root of a table has the headings.
        let others = usize::from(self.document.format == ForeignFormat::Table);
        for here in others..self.document.elements.len() {
            let is_there = self
                .document
                .elements
                .get(here)
                .and_then(|element| element.find_attribute(attribute));
            if is_there.is_none() {
                continue;
            }
            let was_asked = self.asked.borrow().elements.contains(&here);
            let value = self.read(here, attribute).unwrap_or_default();
            if !was_asked {
                self.asked.borrow_mut().elements.remove(&here);
            }
            if let Some(other) = first.get(&value) {
                let line = self.place(*other).line;
                let message = format!("two have the `{attribute}` {value:?}: the other one is in line {line}");
                self.tell(here, Some(attribute), Diagnostic::error(Code::DuplicateName, message));
            } else {
                first.insert(value, here);
            }
        }
    }

    /// An element as messages call it.
    pub(crate) fn called(&self, element: usize) -> String {
        let name = self.document.elements.get(element).map_or("", |element| &element.name);
        match self.document.format {
            ForeignFormat::Xml => format!("`<{name}>`"),
            ForeignFormat::Table => format!("the {name}"),
        }
    }

    /// Whether a fault was found in an element.
    pub(crate) fn is_faulty(&self, element: usize) -> bool {
        self.faulty.borrow().contains(&element)
    }

    /// Tells of something at an element, or at an attribute of it.
    pub(crate) fn tell(&self, element: usize, attribute: Option<&str>, told: Diagnostic) {
        self.ask(element);
        if told.severity == Severity::Error {
            self.faulty.borrow_mut().insert(element);
        }
        let place = attribute.map_or_else(|| self.place(element), |attribute| self.place_of(element, attribute));
        let mut found = self.found.borrow_mut();
        if found.count(told.severity) < MOST_TOLD {
            found.push(told.at(self.document.location(place)));
        }
    }

    /// Warns of all elements and attributes that were not asked for.
    fn tell_left_out(&self) {
        if self.document.format == ForeignFormat::Table {
            return self.tell_columns_left_out();
        }
        let mut waiting = vec![0];
        while let Some(here) = waiting.pop() {
            let Some(element) = self.document.elements.get(here) else {
                continue;
            };
            if !self.asked.borrow().elements.contains(&here) {
                self.tell(here, None, left_out(&self.called(here)));
                continue;
            }
            for attribute in &element.attributes {
                let is_read = self.asked.borrow().attributes.contains(&(here, attribute.name.clone()));
                if !is_read {
                    let what = format!("`{}` of {}", attribute.name, self.called(here));
                    self.tell(here, Some(&attribute.name), left_out(&what));
                }
            }
            waiting.extend(&element.children);
        }
    }

    fn tell_columns_left_out(&self) {
        let headings = self.document.elements.first().map_or(&[][..], |root| &root.attributes);
        for heading in headings {
            let is_read = self.asked.borrow().attributes.iter().any(|(_, name)| *name == heading.name);
            if !is_read {
                self.tell(0, Some(&heading.name), left_out(&format!("the column `{}`", heading.name)));
            }
        }
    }

    /// All that was found, in the order of the file.
    fn found(&self) -> Diagnostics {
        let mut found = self.found.borrow().clone();
        found.sort();
        found
    }
}

fn left_out(what: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnknownKey, format!("{what} is left out"))
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error(Code::BadValue, message)
}

impl ScriptSource {
    /// Whether the rules read files of other programs.
    pub fn imports_files(&self) -> bool {
        self.imports_files
    }

    /// Has the rules make maps, scenarios or scripts of a file of another program.
    ///
    /// # Errors
    /// All that is wrong in the file, with its places; or the rules read no files, or their hook is at fault.
    pub fn import(&self, document: ForeignDocument) -> Result<Imported, Diagnostics> {
        let program = compile_rules(self.sources(), self.limits())?;
        let hook = hooks::IMPORT_FILE.find(&program, &[]).ok_or_else(|| {
            let function = hooks::IMPORT_FILE.signature();
            let message = format!("to read files of other programs, rules need a function {function}");
            Diagnostic::error(Code::MissingHook, message)
        })?;
        let importing = Importing::new(document);
        program.meter.request.begin(RequestKind::Whole);
        let called = hook.call(&program, (Document::new(&importing), Draft::new(&importing)));
        program.meter.request.end();
        let mut imported = Imported::default();
        match called {
            Ok(_) => {
                Finish {
                    importing: &importing,
                    declarations: self,
                }
                .make(&mut imported);
                importing.tell_left_out();
            }
            Err(fault) => importing.found.borrow_mut().push(fault.with_calls()),
        }
        imported.left_out = importing.found();
        if imported.left_out.has_errors() {
            return Err(imported.left_out);
        }
        Ok(imported)
    }
}

/// Makes a map and a scenario of what the hook gave, and tells of what does not fit the declarations.
struct Finish<'a> {
    importing: &'a Importing,
    declarations: &'a ScriptSource,
}

impl Finish<'_> {
    fn tell(&self, element: usize, message: String) {
        self.importing.tell(element, None, error(message));
    }

    fn make(&self, imported: &mut Imported) {
        let mut made = self.importing.made.borrow_mut();
        imported.scripts = std::mem::take(&mut made.scripts);
        let Some((root, title, topology)) = made.map.clone() else {
            if let Some((element, _)) = made.pieces.first() {
                self.tell(*element, "there is no map for this piece".to_owned());
            }
            return;
        };
        let mut map = Map::new("", &*title, topology);
        map.cells = made.cells.iter().map(|(_, given)| given.cell.clone()).collect();
        let places: Vec<usize> = made.cells.iter().map(|(element, _)| *element).collect();
        let Ok(plain) = Board::from_map(&map).map_err(|faults| self.tell_map_faults(root, &places, &faults)) else {
            return;
        };
        for (cell, (element, given)) in map.cells.iter_mut().zip(&made.cells) {
            cell.properties = self.values(*element, &given.properties, &plain).into_iter().collect();
        }
        let Ok(board) = Board::from_map(&map).map_err(|faults| self.tell_map_faults(root, &places, &faults)) else {
            return;
        };
        let (at, given) = made.scenario.clone().unwrap_or((root, GivenScenario::default()));
        let has_scenario = made.scenario.is_some() || !made.pieces.is_empty();
        let setup = self.setup(&made, at, &given, &board);
        let of_cell = |cell| {
            let (x, y) = board.coordinates(cell)?;
            let index = map.cells.iter().position(|cell| (cell.x, cell.y) == (x, y))?;
            places.get(index).copied()
        };
        if let Err(faults) = setup.build(&Arc::new(board.clone()), RulesSource::declarations(self.declarations)) {
            for fault in &faults {
                let element = match fault.item {
                    SetupItem::Piece(piece) => made.pieces.get(piece).map(|(element, _)| *element),
                    SetupItem::MapCell(cell) => of_cell(cell),
                    _ => Some(at),
                };
                self.tell_setup_fault(element.unwrap_or(root), fault);
            }
        }
        imported.map = Some(map);
        imported.scenario = has_scenario.then(|| Scenario {
            title: given.title,
            description: given.description,
            players: given.players,
            setup,
            ..Scenario::default()
        });
    }

    fn tell_map_faults(&self, root: usize, cells: &[usize], faults: &[MapFault]) {
        for fault in faults {
            let element = match fault.place() {
                MapPlace::Cell(cell) => cells.get(cell).copied(),
                _ => None,
            };
            self.tell(element.unwrap_or(root), fault.to_string());
        }
    }

    /// What is wrong with an element already, and what follows from a piece that is missing for another fault, is not told again.
    fn tell_setup_fault(&self, element: usize, fault: &SetupFault) {
        let is_piece_missing = matches!(fault.kind, SetupFaultKind::Unknown { what: "piece", .. });
        let has_faults = !self.importing.faulty.borrow().is_empty();
        if self.importing.is_faulty(element) || is_piece_missing && has_faults {
            return;
        }
        self.tell(element, fault.to_string());
    }

    /// The name of a cell.
    fn cell(&self, element: usize, given: &Given, board: &Board) -> Option<String> {
        match given {
            Given::Text(text) => Some(text.clone()),
            Given::At(x, y) => {
                let cell = board.cell_at(*x, *y);
                if cell.is_none() && !self.importing.is_faulty(element) {
                    self.tell(element, format!("there is no cell in column {x}, row {y} (both counted from 0)"));
                }
                cell.map(|cell| board.cell_name(cell).to_owned())
            }
        }
    }

    fn values(&self, element: usize, given: &[(String, Given)], board: &Board) -> Vec<(String, String)> {
        let values = given
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), self.cell(element, value, board)?)));
        values.collect()
    }

    fn setup(&self, made: &Made, at: usize, given: &GivenScenario, board: &Board) -> Setup {
        let piece = |(element, given): &(usize, GivenPiece)| {
            let mut piece = given.piece.clone();
            if let Some(cell) = given.at.as_ref().and_then(|at| self.cell(*element, at, board)) {
                match &mut piece.place {
                    SetupPlace::Side(at, _) | SetupPlace::Posed(at, _) => *at = cell,
                    place => *place = SetupPlace::Cell(cell),
                }
            }
            piece.values = self.values(*element, &given.values, board);
            piece
        };
        let value = |(name, value)| SetupValue {
            target: SetupTarget::Match,
            name,
            value,
        };
        Setup {
            seats: given.seats.clone(),
            options: given.options.clone(),
            pieces: made.pieces.iter().map(piece).collect(),
            values: self.values(at, &given.values, board).into_iter().map(value).collect(),
            moment: None,
        }
    }
}
