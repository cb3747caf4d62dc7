//! An open file with everything that is shown of it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use boardwright_content::{Catalog, MAP_ENDING, SCENARIO_ENDING};
use boardwright_editing::resize::Resized;
use boardwright_editing::{
    Conflict, Document, Draft, Edit, Finding, Lattice, Place, Recovered, Renames, SaveError, Step, StepKind, SymmetryTable,
};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{CellId, Map, MapFault, SetupPlace, Topology};
use boardwright_ui::board::{BoardView, Marks};
use boardwright_ui::text;
use egui::Context;

use crate::beginning_check::BeginningCheck;
use crate::checks::{self, KnownRules, Looked};
use crate::drawn::{Drawn, cell_of};
use crate::gesture::Gesture;
use crate::outline_tool::Sketch;
use crate::outside::OutsideWatch;
use crate::overlays::Overlays;
use crate::picture::TracedPicture;
use crate::rename_offer::RenameOffer;
use crate::ruleset::Ruleset;
use crate::selection::Selection;
use crate::triggers::TriggersPane;

/// Larger boards are looked through for findings on another thread.
const MOST_CHECKED_AT_ONCE: usize = 2_000;

/// From which size of a unit on the corners of areas are shown, in points of the screen.
const ROOM_FOR_CORNERS: f32 = 24.0;

/// What was found in a draft; else what keeps it from being looked through.
type Checked = Result<Looked, Diagnostic>;

/// What was found beside a file that was opened.
#[derive(Debug)]
pub(crate) struct Found {
    /// Work that was not saved when it was open last.
    pub(crate) recovered: Option<Recovered>,
    /// Where such work is that cannot be read, or does not fit the file.
    pub(crate) set_aside: Option<PathBuf>,
    /// Whether it is open in another window, so that nothing is kept here.
    pub(crate) is_open_elsewhere: bool,
}

/// An open map or scenario.
#[derive(Debug)]
pub(crate) struct OpenFile {
    /// The file with its history.
    pub(crate) document: Document,
    /// What the editor knows of the ruleset it is for.
    pub(crate) ruleset: Rc<Ruleset>,
    /// What is shown of it.
    pub(crate) drawn: Drawn,
    /// The part of the board in sight.
    pub(crate) view: BoardView,
    /// What is marked on the board.
    pub(crate) marks: Marks,
    /// The cells and pieces that are selected.
    pub(crate) selection: Selection,
    /// The region that is painted, by its position among those of the map.
    pub(crate) region: Option<usize>,
    /// Where another program changed the same, until it is decided. Nothing is saved before.
    pub(crate) conflicts: Vec<Conflict>,
    /// Cells that are called otherwise since the file was opened, with how many steps were made then.
    renames: Vec<(usize, Renames)>,
    /// The scenarios that still say the old names, if it was not decided that they may.
    pub(crate) rename_offer: Option<RenameOffer>,
    /// What the pointer has begun.
    pub(crate) gesture: Gesture,
    /// The outline that is being drawn.
    pub(crate) sketch: Sketch,
    /// Overlays that are kept from frame to frame.
    pub(crate) overlays: Overlays,
    /// The symmetries that the board has.
    pub(crate) symmetries: Vec<SymmetryTable>,
    /// All places of the board, holes included.
    pub(crate) lattice: Lattice,
    /// The picture that it was traced from in this session.
    pub(crate) picture: Option<TracedPicture>,
    /// What is shown of its triggers.
    pub(crate) triggers: TriggersPane,
    /// What is wrong with it, or may be.
    pub(crate) findings: Vec<Finding>,
    /// What keeps it from being looked through at all.
    pub(crate) missing: Option<Diagnostic>,
    /// The finding that was gone to last.
    pub(crate) finding: Option<usize>,
    /// What other programs do to it.
    pub(crate) outside: OutsideWatch,
    /// The revision that was looked through for findings.
    checked: Option<u64>,
    /// What is being looked through for findings on another thread, and of which revision.
    checking: Option<(u64, Receiver<Checked>)>,
    /// What was found when it was looked through last.
    looked: Looked,
    /// Whether a match of it can begin.
    beginning: BeginningCheck,
    /// Whether something has changed that the board does not show yet.
    is_stale: bool,
    /// Another number after each change of more than terrain.
    pub(crate) outline_revision: u64,
}

impl OpenFile {
    /// Opens a file, with the work that was not saved when it was open last. Its history is kept beside `place`.
    ///
    /// # Errors
    /// Everything that keeps it from being read.
    pub(crate) fn open(
        path: &Path,
        place: &Path,
        ruleset: impl FnOnce(&str, &Draft) -> Rc<Ruleset>,
        map_of: impl FnOnce(&str, &str) -> Option<Arc<Map>>,
    ) -> Result<(Self, Found), Diagnostics> {
        let name = file_name(path);
        if !name.ends_with(MAP_ENDING) && !name.ends_with(SCENARIO_ENDING) {
            let error = Diagnostic::error(
                Code::Document,
                text!("edit-wrong-ending", map = MAP_ENDING, scenario = SCENARIO_ENDING),
            );
            return Err(error.at(Location::file(path.display().to_string())).into());
        }
        let opened = Document::open_with_history(path, place)?;
        let found = Found {
            recovered: opened.recovered,
            set_aside: opened.set_aside,
            is_open_elsewhere: opened.is_open_elsewhere,
        };
        Ok((Self::of(opened.document, ruleset, map_of)?, found))
    }

    /// A document that is open already.
    ///
    /// # Errors
    /// If there is no board in it.
    pub(crate) fn of(
        document: Document,
        ruleset: impl FnOnce(&str, &Draft) -> Rc<Ruleset>,
        map_of: impl FnOnce(&str, &str) -> Option<Arc<Map>>,
    ) -> Result<Self, Diagnostics> {
        let id = ruleset_of(document.path(), document.draft());
        let ruleset = ruleset(&id, document.draft());
        let map = document.draft().scenario().and_then(|scenario| map_of(&id, &scenario.map));
        let diagnostics = |faults: Vec<MapFault>| {
            let diagnostics = faults.iter().map(|fault| Diagnostic::error(Code::Document, fault.to_string()));
            diagnostics.collect::<Diagnostics>()
        };
        let drawn = Drawn::new(document.draft(), map, &ruleset).map_err(diagnostics)?;
        let lattice = Lattice::of(&drawn.sound_map()).map_err(diagnostics)?;
        let symmetries = SymmetryTable::all_of(&lattice);
        Ok(Self {
            document,
            ruleset,
            drawn,
            symmetries,
            lattice,
            view: BoardView::default().keeping_view(),
            marks: Marks::default(),
            selection: Selection::default(),
            region: None,
            conflicts: Vec::new(),
            renames: Vec::new(),
            rename_offer: None,
            gesture: Gesture::default(),
            sketch: Sketch::default(),
            overlays: Overlays::default(),
            picture: None,
            triggers: TriggersPane::default(),
            findings: Vec::new(),
            missing: None,
            finding: None,
            outside: OutsideWatch::default(),
            checked: None,
            checking: None,
            looked: Looked::default(),
            beginning: BeginningCheck::default(),
            is_stale: false,
            outline_revision: 0,
        })
    }

    /// Shows it under a ruleset that was read again.
    pub(crate) fn set_ruleset(&mut self, ruleset: Rc<Ruleset>) {
        if let Ok(drawn) = Drawn::new(self.document.draft(), Some(Arc::clone(&self.drawn.map)), &ruleset) {
            self.drawn = drawn;
        }
        self.ruleset = ruleset;
        self.checked = None;
        self.is_stale = true;
    }

    /// Saves it with some edits as another file, and goes on with that one.
    ///
    /// # Errors
    /// Everything that keeps it from being written.
    pub(crate) fn save_copy(&mut self, path: &Path, edits: Vec<Edit>) -> Result<(), SaveError> {
        self.document.save_copy(path, edits)?;
        self.outside = OutsideWatch::default();
        self.rename_offer = None;
        self.outline_revision += 1;
        self.is_stale = true;
        Ok(())
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        file_name(self.document.path())
    }

    /// What stands on its tab.
    pub(crate) fn title(&self) -> String {
        let title = self.document.draft().title();
        if title.is_empty() { self.name() } else { title.to_owned() }
    }

    /// The map, if it is one.
    pub(crate) fn map(&self) -> Option<&Map> {
        self.document.draft().map()
    }

    /// Whether it is a map.
    pub(crate) fn is_map(&self) -> bool {
        self.map().is_some()
    }

    /// The topology of the board.
    pub(crate) fn topology(&self) -> Topology {
        self.drawn.map.topology
    }

    /// Whether the board is a free graph of points or areas.
    pub(crate) fn is_graph(&self) -> bool {
        self.topology() == Topology::Graph
    }

    /// The column and row of a cell; of a free graph its position in the list of cells.
    pub(crate) fn place(&self, cell: CellId) -> Place {
        let index = || (i32::try_from(cell.index()).unwrap_or(i32::MAX), 0);
        self.drawn.board().coordinates(cell).unwrap_or_else(index)
    }

    /// The cell at a place.
    pub(crate) fn cell(&self, place: Place) -> Option<CellId> {
        if self.is_graph() {
            return usize::try_from(place.0).ok().map(CellId::from_index);
        }
        cell_of(self.drawn.board(), place)
    }

    /// The pieces on a cell, by their positions among those of the scenario, lowest first.
    pub(crate) fn pieces_on(&self, cell: CellId) -> Vec<usize> {
        let pieces = self.drawn.state.pieces_at(cell).iter();
        pieces.filter_map(|piece| self.drawn.setup_index(*piece)).collect()
    }

    /// Selects what a context menu on a cell is about: a piece of a scenario, else the cell; what is selected there already stays so.
    pub(crate) fn select_for_menu(&mut self, cell: CellId) {
        let here = if self.is_map() { Vec::new() } else { self.pieces_on(cell) };
        if here.iter().any(|piece| self.selection.pieces().contains(piece)) {
            return;
        }
        self.selection.set_pieces(here.last().copied().into_iter().collect());
        if !here.is_empty() {
            self.selection.clear_cells();
        } else if !self.selection.cells().contains(&cell) {
            self.selection.set_cells([cell].into());
        }
    }

    /// Whether a selected piece has a pose, and can be turned.
    pub(crate) fn has_posed_selected(&self) -> bool {
        let pieces = self.document.draft().scenario().map(|scenario| &scenario.setup.pieces);
        let mut selected = self.selection.pieces().iter().filter_map(|index| pieces?.get(*index));
        selected.any(|piece| matches!(piece.place, SetupPlace::Posed(..)))
    }

    /// Whether areas are large enough on the screen for their corners to be told apart.
    pub(crate) fn shows_corners(&self) -> bool {
        self.view.unit() >= ROOM_FOR_CORNERS
    }

    /// So many points of the screen in thousandths of a unit of the drawing.
    pub(crate) fn reach_in_drawing(&self, points: f32) -> i32 {
        (points / self.view.unit() * 1000.0) as i32
    }

    /// The places of the selected cells.
    pub(crate) fn selected_places(&self) -> Vec<Place> {
        self.selection.cells().iter().map(|cell| self.place(*cell)).collect()
    }

    /// Makes a step, and shows it.
    pub(crate) fn apply(&mut self, step: Step) {
        if step.is_empty() {
            return;
        }
        self.show(&step.edits);
        let renames = self.renames_of(step.kind, &step.edits);
        let before = self.document.position();
        self.document.apply(step);
        // What was undone is not made again.
        self.renames.retain(|(made, _)| *made <= before);
        self.note_renames(renames);
        self.is_stale = true;
    }

    /// Gives the board another size.
    pub(crate) fn resize(&mut self, resized: Resized) {
        let renames = Renames::from(&resized);
        self.apply(resized.step);
        self.note_renames(renames);
    }

    fn renames_of(&self, kind: StepKind, edits: &[Edit]) -> Renames {
        self.map().map(|map| Renames::of(map, kind, edits)).unwrap_or_default()
    }

    fn note_renames(&mut self, renames: Renames) {
        if !renames.is_empty() {
            self.renames.push((self.document.position(), renames));
        }
    }

    /// The cells that are called otherwise since the file was opened, or since that was decided last.
    pub(crate) fn renames(&self) -> Renames {
        let position = self.document.position();
        let made = self.renames.iter().filter(|(made, _)| *made <= position);
        made.fold(Renames::default(), |all, (_, renames)| all.then(renames))
    }

    /// How many times cells were renamed, and where in the history: what was found of it before is good as long as that is the same.
    pub(crate) fn renames_key(&self) -> (usize, usize) {
        let position = self.document.position();
        (
            self.renames.len(),
            self.renames.iter().filter(|(made, _)| *made <= position).count(),
        )
    }

    /// It is decided what becomes of the scenarios that say the old names.
    pub(crate) fn forget_renames(&mut self) {
        self.renames.clear();
        self.rename_offer = None;
    }

    /// Makes a step, and makes it one with the last one if that is of its kind.
    pub(crate) fn go_on(&mut self, step: Step) {
        let last = self.document.position().checked_sub(1);
        if last.and_then(|last| self.document.steps().nth(last)) == Some(step.kind) {
            self.extend(step.edits);
        } else {
            self.apply(step);
        }
    }

    /// Goes on with the step that was made last.
    pub(crate) fn extend(&mut self, edits: Vec<Edit>) {
        self.show(&edits);
        let renames = self.renames_of(StepKind::Other, &edits);
        self.document.extend(edits);
        self.note_renames(renames);
        self.is_stale = true;
    }

    /// Shows at once what a stroke paints; the rest when it is done.
    fn show(&mut self, edits: &[Edit]) {
        for edit in edits {
            if !matches!(edit, Edit::Terrain(_) | Edit::Edges(_)) {
                self.outline_revision += 1;
            }
            if let Edit::Terrain(changes) = edit {
                self.drawn
                    .paint(changes.iter().map(|(place, terrain)| (*place, terrain.as_deref())), false);
            }
        }
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) {
        if self.document.undo().is_some() {
            self.outline_revision += 1;
            self.is_stale = true;
        }
    }

    /// Makes the step again that was undone last.
    pub(crate) fn redo(&mut self) {
        if self.document.redo().is_some() {
            self.outline_revision += 1;
            self.is_stale = true;
        }
    }

    /// Goes to a moment of the history.
    pub(crate) fn go_to(&mut self, position: usize) {
        self.document.go_to(position);
        self.outline_revision += 1;
        self.is_stale = true;
    }

    /// Shows what has changed, unless a stroke is under way; `map_of` finds the map of a scenario.
    pub(crate) fn settle(&mut self, map_of: impl FnOnce(&str, &str) -> Option<Arc<Map>>) {
        if !self.is_stale || self.gesture.is_stroke() {
            return;
        }
        self.is_stale = false;
        let ruleset = Rc::clone(&self.ruleset);
        let map = self
            .document
            .draft()
            .scenario()
            .and_then(|scenario| map_of(&ruleset.id, &scenario.map));
        let before = Arc::clone(self.drawn.board());
        self.drawn.update(self.document.draft(), map, &ruleset);
        let board = Arc::clone(self.drawn.board());
        if !Arc::ptr_eq(&before, &board) {
            // The map of a scenario was changed, and not the scenario.
            self.checked = None;
            self.outline_revision += 1;
            let map = self.drawn.sound_map();
            // The places and links of points are in the lattice too.
            if (self.is_graph() || !self.lattice.fits(&map))
                && let Ok(lattice) = Lattice::of(&map)
            {
                self.symmetries = SymmetryTable::all_of(&lattice);
                self.lattice = lattice;
            }
        }
        let pieces = self.document.draft().scenario().map_or(0, |scenario| scenario.setup.pieces.len());
        self.selection.retain(|cell| board.contains(cell), pieces);
        let regions = self.map().map_or(0, |map| map.regions.len());
        self.region = self.region.filter(|region| *region < regions);
    }

    /// Shows what has changed also while a stroke goes on, as where points are dragged.
    pub(crate) fn redraw(&mut self) {
        let ruleset = Rc::clone(&self.ruleset);
        self.drawn.update(self.document.draft(), None, &ruleset);
    }

    /// What is outside of it may have changed, such as the map of a scenario.
    pub(crate) fn look_again(&mut self) {
        self.is_stale = true;
    }

    /// Looks through it for what is wrong, if it has changed since that was done last; large boards, and scenarios with a script, on another
    /// thread, which wakes the window.
    pub(crate) fn check(&mut self, context: &Context, catalog: &Catalog, map_of: impl FnOnce(&str, &str) -> Option<Arc<Map>>) {
        if let Some((revision, found)) = &self.checking {
            let revision = *revision;
            match found.try_recv() {
                Ok(found) => self.on_checked(revision, found),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {}
            }
            self.checking = None;
        }
        let revision = self.document.revision();
        if self.gesture.is_stroke() {
            return;
        }
        if self.checked == Some(revision) {
            self.check_beginning(context);
            return;
        }
        let map = self
            .document
            .draft()
            .scenario()
            .and_then(|scenario| map_of(&self.ruleset.id, &scenario.map));
        let rules = KnownRules {
            id: self.ruleset.id.clone(),
            declarations: self.ruleset.is_known().then(|| Arc::clone(&self.ruleset.declarations)),
            source: self.ruleset.source().cloned(),
        };
        let has_script = self.document.draft().overlay().is_some();
        if self.drawn.board().cell_count() <= MOST_CHECKED_AT_ONCE && !has_script {
            let found = checks::findings(self.document.draft(), &rules, map.as_deref(), catalog);
            self.on_checked(revision, found);
            return;
        }
        let (sender, receiver) = channel();
        let (draft, context, language) = (self.document.draft().clone(), context.clone(), boardwright_ui::texts::language());
        let catalog = catalog.clone();
        let work = move || {
            boardwright_ui::texts::set_language(language);
            let found = checks::findings(&draft, &rules, map.as_deref(), &catalog);
            if sender.send(found).is_ok() {
                context.request_repaint();
            }
        };
        match std::thread::Builder::new().name("findings".to_owned()).spawn(work) {
            Ok(_) => self.checking = Some((revision, receiver)),
            Err(_) => self.checked = Some(revision),
        }
    }

    fn on_checked(&mut self, revision: u64, found: Checked) {
        self.checked = Some(revision);
        let (looked, missing) = match found {
            Ok(looked) => (looked, None),
            Err(missing) => (Looked::default(), Some(missing)),
        };
        (self.looked, self.missing) = (looked, missing);
        // What was found of the beginning counts until that is asked again.
        self.beginning.ask_again();
        self.gather();
    }

    fn gather(&mut self) {
        self.findings.clone_from(&self.looked.findings);
        if self.may_begin() {
            self.findings.extend(self.beginning.found().iter().cloned());
        }
        self.finding = self.finding.filter(|finding| *finding < self.findings.len());
    }

    /// Whether nothing that was found keeps a match of it from beginning.
    fn may_begin(&self) -> bool {
        !self.is_map() && self.missing.is_none() && !self.looked.findings.iter().any(checks::is_error)
    }

    /// Asks on another thread whether a match of the scenario can begin, if nothing else is wrong with it.
    fn check_beginning(&mut self, context: &Context) {
        let source = match self.document.draft().overlay() {
            Some(_) => self.looked.source.as_ref(),
            None => self.ruleset.source(),
        };
        let (Some(source), Some(scenario)) = (source.filter(|_| self.may_begin()), self.document.draft().scenario()) else {
            return;
        };
        if self.beginning.ask(context, scenario, self.drawn.board(), source) {
            self.gather();
        }
    }

    /// What the board is, in a few words.
    pub(crate) fn status(&self) -> String {
        let board = self.drawn.board();
        let cells = board.all().count();
        let shape = match self.topology() {
            Topology::Hex { width, height, .. } => text!("shape-hexes", width = width, height = height),
            Topology::Square { width, height, .. } => text!("shape-squares", width = width, height = height),
            Topology::Graph => text!("shape-graph"),
        };
        text!("status-board", shape = shape, count = cells)
    }
}

/// The name of a file without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The id of the ruleset that a file is for: of maps the name of the folder it lies in.
pub(crate) fn ruleset_of(path: &Path, draft: &Draft) -> String {
    match draft {
        Draft::Scenario(scenario) if !scenario.ruleset.is_empty() => scenario.ruleset.clone(),
        Draft::Scenario(_) | Draft::Map(_) => {
            let folder = path.parent().and_then(Path::file_name);
            folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
    }
}

/// The map of a ruleset in its files.
pub(crate) fn map_in(catalog: &Catalog, ruleset: &str, id: &str) -> Option<Arc<Map>> {
    catalog.map(ruleset, id).ok().map(|document| Arc::new(document.map))
}

/// Where a new file of a ruleset is to lie in a content folder.
pub(crate) fn path_for(root: &Path, ruleset: &str, id: &str, is_map: bool) -> PathBuf {
    let ending = if is_map { MAP_ENDING } else { SCENARIO_ENDING };
    root.join("maps").join(ruleset).join(format!("{id}{ending}"))
}
