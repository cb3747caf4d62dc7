//! The editor: the files that are open, and the panels around the board.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use boardwright_content::{Catalog, MAP_ENDING, SCENARIO_ENDING};
use boardwright_editing::points::{self, Alignment};
use boardwright_editing::resize::Resized;
use boardwright_editing::{Document, Draft, Edit, SaveError, Step, StepKind, Where, differences, outlines, setup};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{CellId, Map, SetupPiece, SetupPlace, Topology};
use boardwright_ui::keys::{self, Act, key_of};
use boardwright_ui::texts::language;
use boardwright_ui::theme::{Palette, space};
use boardwright_ui::{EditRequest, Language, MatchBehind, Screen, ScreenCommand, text};
use egui::{CentralPanel, Context, Frame, Id, Margin, Panel, Ui};

use crate::clipboard::Clipboard;
use crate::conflicts::Chosen;
use crate::dialogs::Dialog;
use crate::file::{OpenFile, map_in};
use crate::new_file::{Made, NewMap, NewScenario};
use crate::outline_tool::Sketch;
use crate::own_copy::{self, Bundled, OwnCopy};
use crate::picture::{PictureImport, PictureRequest, TracedPicture, is_picture};
use crate::random_map::RandomMap;
use crate::ruleset::{Ruleset, localize_catalog};
use crate::tools::{Choices, Side, Tool};
use crate::trial::Trial;
use crate::triggers::{self, Change};

/// How many recent files are remembered.
const MOST_RECENT: usize = 12;

/// How far apart the places are onto which points are put, in thousandths of a unit.
const SNAP: i32 = 500;

/// What a panel asks for.
#[derive(Debug)]
pub(crate) enum Ask {
    /// The dialog for a new file.
    New(EditRequest),
    /// The list of files.
    Open,
    /// A file.
    OpenPath(PathBuf),
    /// Another of the open files.
    Show(usize),
    /// One of the open files is to be closed.
    Close(usize),
    /// The same whatever it says.
    CloseAnyway(usize),
    /// The file shown is to be saved.
    Save,
    /// The same; of what belongs to the program a copy is to be saved.
    SaveOrCopy,
    /// A copy of a file that belongs to the program is to be saved, and drawing to go on there.
    SaveCopy(PathBuf),
    /// Files are to be made and opened.
    Make(Made),
    /// A map is to be made of a picture.
    Import(PictureRequest),
    /// What was made of the picture.
    Imported(Box<(PictureRequest, Result<TracedPicture, Diagnostics>)>),
    /// Diagnostics, to be shown as notices.
    Report(Diagnostics),
    /// The dialog for a random map in place of the one shown.
    Randomize,
    /// A step of the file shown.
    Apply(Step),
    /// A step that goes on with the last one: both are undone together.
    GoOn(Step),
    /// The last step is to be undone.
    Undo,
    /// The step that was undone last is to be made again.
    Redo,
    /// A moment of the history.
    GoTo(usize),
    /// What another program changed in the file shown is to be taken in.
    Merge,
    /// One of the conflicts of the file shown is decided.
    Decide(usize, Chosen),
    /// All of them are.
    DecideAll(Chosen),
    /// A match of what is drawn.
    TryOut,
    /// The match that goes on behind the editor.
    ShowMatch,
    /// The dialog in which the size is changed.
    Resize,
    /// The board is to have another size.
    ApplyResize(Box<Resized>),
    /// Scenarios that name cells of the map by old names are to follow.
    RenameInScenarios,
    /// They are to stay as they are.
    LeaveNames,
    /// The cell of the next problem.
    NextProblem,
    /// A problem.
    Finding(usize),
    /// The selected cells, to be copied.
    Copy,
    /// The selected cells, to be cut.
    Cut,
    /// What was copied.
    Paste,
    /// What is selected is to be turned.
    Turn,
    /// What is selected is to be mirrored.
    Mirror,
    /// What is selected is to be deleted.
    Delete,
    /// Everything is to be selected.
    SelectAll,
    /// The selected points are to be brought into line.
    Align(Alignment),
    /// The selected points are to be put onto a grid.
    Snap,
    /// A part of an area is to be taken away: the positions of both.
    RemovePart(usize, usize),
    /// A piece is to be added to the scenario.
    AddPiece(Box<SetupPiece>),
    /// Pieces are to be put somewhere, by their positions among those of the scenario.
    PlacePieces(BTreeSet<usize>, SetupPlace),
    /// Pieces are to be selected, by their positions among those of the scenario.
    SelectPieces(BTreeSet<usize>),
    /// The script of the scenario is to be changed.
    ChangeScript(Change),
    /// A cell was clicked for a field of a trigger.
    PointAt(CellId),
    /// Something the window does.
    Window(ScreenCommand),
}

impl Ask {
    /// A step, which may go on with the last one.
    pub(crate) const fn of(step: Step, goes_on: bool) -> Self {
        if goes_on { Self::GoOn(step) } else { Self::Apply(step) }
    }
}

/// The editor.
#[derive(Debug)]
pub struct Editor {
    context: Context,
    roots: Vec<PathBuf>,
    /// What the program brings: nothing is written there.
    bundled: Option<Bundled>,
    /// What there is, with titles in the language of the window.
    catalog: Catalog,
    language: Language,
    /// Rulesets by their ids, with the scenarios whose scripts are laid over them.
    rulesets: BTreeMap<(String, Option<String>), Rc<Ruleset>>,
    files: Vec<OpenFile>,
    current: usize,
    choices: Choices,
    clipboard: Option<Clipboard>,
    dialog: Dialog,
    /// The form of the map that is being made of a picture, or was made last.
    last_form: Option<NewMap>,
    /// The match that was begun of what is drawn.
    trial: Option<Trial>,
    behind: Behind,
    /// What went wrong, or is to be known, until it was read.
    notices: Vec<Notice>,
    commands: Vec<ScreenCommand>,
    /// What keys asked for while a field had the focus: it comes behind what is said by leaving the field.
    deferred: Vec<Ask>,
}

/// What goes on behind the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    Nothing,
    /// A match that was begun of what is drawn.
    Trial,
    /// A match that was begun elsewhere: it is there again when the editor is left.
    Match,
}

/// Something to be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Something went wrong.
    Problem(Diagnostic),
    /// Something is good to know.
    Note(String),
    /// What another program did to a file.
    Outside(PathBuf, String),
    /// This file belongs to the program, and is not written over.
    Bundled(PathBuf),
}

impl Notice {
    /// The file that it is about, where it makes no sense beside another.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Problem(_) | Self::Note(_) => None,
            Self::Outside(path, _) | Self::Bundled(path) => Some(path),
        }
    }
}

impl Editor {
    /// An editor over some content folders, best first; one of them may be the program's own, in which nothing is written.
    pub fn new(context: &Context, roots: Vec<PathBuf>, bundled: Option<Bundled>) -> Self {
        Self {
            context: context.clone(),
            catalog: scan(&roots),
            language: language(),
            roots,
            bundled,
            rulesets: BTreeMap::new(),
            files: Vec::new(),
            current: 0,
            choices: Choices::default(),
            clipboard: None,
            dialog: Dialog::None,
            last_form: None,
            trial: None,
            behind: Behind::Nothing,
            notices: Vec::new(),
            commands: Vec::new(),
            deferred: Vec::new(),
        }
    }

    /// The file that is shown.
    fn file(&self) -> Option<&OpenFile> {
        self.files.get(self.current)
    }

    /// The ruleset that a draft is for: with the script of the scenario, or of the scenarios in which the map is played if all have one.
    fn ruleset(&mut self, id: &str, draft: &Draft) -> Rc<Ruleset> {
        let (context, catalog) = (&self.context, &self.catalog);
        let scenario = match draft {
            Draft::Scenario(scenario) => scenario.overlay.is_some().then(|| scenario.id.clone()),
            Draft::Map(map) => scripted_scenario(catalog, id, &map.id),
        };
        let known = self.rulesets.entry((id.to_owned(), scenario.clone()));
        Rc::clone(known.or_insert_with(|| Rc::new(Ruleset::read(context, catalog, id, scenario.as_deref()))))
    }

    /// Reads the rulesets again, and shows the open files under them.
    fn read_rulesets(&mut self) {
        self.catalog = scan(&self.roots);
        self.rulesets.clear();
        let mut files = std::mem::take(&mut self.files);
        for file in &mut files {
            let ruleset = self.ruleset(&file.ruleset.id, file.document.draft());
            file.set_ruleset(ruleset);
        }
        self.files = files;
        self.fit_tool();
    }

    /// The content folder in which files of a ruleset are made: the one in which it lies, unless that is the program's own; else that of the user's own
    /// content, if files are looked for there.
    fn root_for(&self, ruleset: &str) -> PathBuf {
        let is_own = |root: &&PathBuf| self.bundled.as_ref().is_none_or(|bundled| bundled.folder != **root);
        let folder = self.catalog.rulesets.get(ruleset).map(|entry| &entry.folder);
        let beside = folder.and_then(|folder| self.roots.iter().filter(is_own).find(|root| folder.starts_with(root)));
        let of_user = boardwright_content::user_content();
        let known = of_user.clone().filter(|folder| self.roots.contains(folder));
        let first = || self.roots.iter().find(is_own).cloned();
        let found = beside.cloned().or(known).or_else(first).or(of_user);
        found.unwrap_or_default()
    }

    /// Opens a file, or shows it if it is open; what keeps it from being opened is told, and what is open stays.
    fn open_file(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        if let Some(index) = self.files.iter().position(|file| file.document.path() == path) {
            self.current = index;
            return;
        }
        match self.read(&path) {
            Ok(file) => self.add(file),
            Err(found) => self.notices.extend(found.into_iter().map(Notice::Problem)),
        }
    }

    /// Beside which path the history of a file is kept.
    fn history_of(&self, path: &Path) -> PathBuf {
        let elsewhere = self.bundled.as_ref().and_then(|bundled| bundled.history_of(path));
        elsewhere.unwrap_or_else(|| path.to_path_buf())
    }

    fn is_bundled(&self, path: &Path) -> bool {
        self.bundled.as_ref().is_some_and(|bundled| bundled.has(path))
    }

    fn read(&mut self, path: &Path) -> Result<OpenFile, Diagnostics> {
        let maps = self.open_maps();
        let place = self.history_of(path);
        let mut ruleset = None;
        let (mut file, found) = {
            let this = std::cell::RefCell::new(&mut *self);
            OpenFile::open(
                path,
                &place,
                |id, draft| {
                    let read = this.borrow_mut().ruleset(id, draft);
                    ruleset = Some(Rc::clone(&read));
                    read
                },
                |ruleset, id| maps.find(&this.borrow().catalog, ruleset, id),
            )?
        };
        if found.is_open_elsewhere {
            self.notices.push(Notice::Note(text!("edit-open-elsewhere", file = file.name())));
        }
        if let Some(aside) = &found.set_aside {
            let aside = aside.display().to_string();
            self.notices
                .push(Notice::Note(text!("edit-set-aside", file = file.name(), aside = aside)));
        }
        if let Some(recovered) = found.recovered {
            self.notices
                .push(Notice::Note(text!("edit-recovered", file = file.name(), count = recovered.changes)));
            file.conflicts = recovered.conflicts;
        }
        if let Some(ruleset) = ruleset.filter(|ruleset| !ruleset.is_known()) {
            self.notices.extend(ruleset.findings.iter().take(1).cloned().map(Notice::Problem));
        }
        Ok(file)
    }

    fn add(&mut self, file: OpenFile) {
        self.note_recent(file.document.path());
        if self
            .choices
            .terrain
            .as_ref()
            .is_some_and(|terrain| file.ruleset.declarations.find_terrain(terrain).is_none())
        {
            self.choices.terrain = None;
        }
        self.files.push(file);
        self.current = self.files.len() - 1;
        self.fit_tool();
    }

    /// Lays the tool away that does not work on the file shown.
    fn fit_tool(&mut self) {
        let Some(file) = self.files.get(self.current) else { return };
        if !self.choices.tool.fits(file) {
            self.choices.tool = Tool::default();
        }
        self.choices.edge_brush.fit(file);
        let declared = &file.ruleset.declarations;
        if self.choices.kind.as_ref().is_none_or(|kind| declared.find_kind(kind).is_none()) {
            self.choices.kind = declared.kinds.first().map(|kind| kind.name.to_string());
        }
        if self.choices.owner.as_ref().is_some_and(|owner| declared.find_seat(owner).is_none()) {
            self.choices.owner = None;
        }
    }

    /// The maps that are open, as they are drawn now.
    fn open_maps(&self) -> OpenMaps {
        let maps = self.files.iter().filter_map(|file| {
            let map = Arc::clone(&file.drawn.map);
            file.is_map().then(|| ((file.ruleset.id.clone(), map.id.clone()), map))
        });
        OpenMaps(maps.collect())
    }

    fn note_recent(&self, path: &Path) {
        let path = path.display().to_string();
        self.context.data_mut(|data| {
            let recent = data.get_persisted_mut_or_default::<Vec<String>>(Id::unique("recent drawings"));
            recent.retain(|known| *known != path);
            recent.insert(0, path);
            recent.truncate(MOST_RECENT);
        });
    }

    /// The files that were open last, the newest first.
    fn recent(&self) -> Vec<PathBuf> {
        let recent = self
            .context
            .data_mut(|data| data.get_persisted::<Vec<String>>(Id::unique("recent drawings")));
        let paths = recent.unwrap_or_default().into_iter().map(PathBuf::from);
        paths.filter(|path| path.is_file()).collect()
    }

    fn handle(&mut self, ask: Ask) {
        match ask {
            Ask::New(request) => self.request(request),
            Ask::Open => self.dialog = Dialog::open(),
            Ask::OpenPath(path) if is_picture(&path) => self.take_picture(&path),
            Ask::OpenPath(path) => self.open_file(&path),
            Ask::Show(index) => {
                self.current = index.min(self.files.len().saturating_sub(1));
                self.fit_tool();
            }
            Ask::Close(index) => {
                let is_changed = self.files.get(index).is_some_and(|file| file.document.is_changed());
                if is_changed {
                    self.dialog = Dialog::Close(index);
                } else {
                    self.close(index);
                }
            }
            Ask::CloseAnyway(index) => self.close(index),
            Ask::Save => self.save(self.current),
            Ask::SaveOrCopy => self.save_or_copy(self.current),
            Ask::SaveCopy(path) => {
                // Its tab may be closed by now.
                self.open_file(&path);
                if let Some(index) = self.files.iter().position(|file| file.document.path() == path) {
                    self.save_copy(index);
                }
            }
            Ask::Make(made) => self.make(made),
            Ask::Import(request) => match PictureImport::begin(request, &self.context) {
                Ok(import) => self.dialog = Dialog::Import(import),
                Err(error) => self.fail(&error.to_string()),
            },
            Ask::Imported(imported) => self.show_imported(*imported),
            Ask::Report(found) => self.notices.extend(found.into_iter().map(Notice::Problem)),
            Ask::Randomize => self.dialog = Dialog::Random(RandomMap::default()),
            Ask::Merge => self.merge(),
            Ask::Decide(index, chosen) => self.decide(index..index.saturating_add(1), chosen),
            Ask::DecideAll(chosen) => self.decide(0..usize::MAX, chosen),
            Ask::TryOut => self.try_out(),
            Ask::ShowMatch => self.show_match(),
            Ask::Resize => {
                if let Some(dialog) = self.files.get(self.current).and_then(|file| Dialog::resize(file.topology())) {
                    self.dialog = dialog;
                }
            }
            Ask::RenameInScenarios => self.rename_in_scenarios(),
            Ask::Window(command) => self.commands.push(command),
            Ask::Copy | Ask::Cut => {
                if let Some(file) = self.files.get_mut(self.current) {
                    if let Some(copied) = Clipboard::of(file) {
                        self.context.copy_text(copied.text());
                        self.clipboard = Some(copied);
                    }
                    if matches!(ask, Ask::Cut) {
                        crate::clipboard::delete(file);
                    }
                }
            }
            Ask::Paste => {
                if let (Some(file), Some(clipboard)) = (self.files.get_mut(self.current), &self.clipboard) {
                    clipboard.paste(file);
                }
            }
            Ask::Turn | Ask::Mirror => {
                let mirrors = matches!(ask, Ask::Mirror);
                if let Some(file) = self.files.get_mut(self.current) {
                    if !file.is_map() && file.selection.pieces().is_empty() {
                        self.choices.turn_pose(mirrors);
                    } else {
                        crate::clipboard::turn(file, mirrors);
                    }
                }
            }
            Ask::Delete => {
                if let Some(file) = self.files.get_mut(self.current) {
                    if file.sketch.is_begun() {
                        file.sketch.step_back();
                    } else {
                        crate::clipboard::delete(file);
                    }
                }
            }
            Ask::NextProblem | Ask::Finding(_) => {
                self.choices.side = Side::Problems;
                if let Some(file) = self.files.get_mut(self.current).filter(|file| !file.findings.is_empty()) {
                    let next = file.finding.map_or(0, |finding| (finding + 1) % file.findings.len());
                    let index = if let Ask::Finding(index) = ask { index } else { next };
                    file.finding = Some(index);
                    if let Some(Where::Script(part)) = file.findings.get(index).map(|finding| finding.subject.clone()) {
                        triggers::show(file, part);
                        self.choices.side = Side::Triggers;
                    }
                    let cells = file.findings.get(index).map(|finding| crate::checks::cells_of(finding, file));
                    let cells = cells.unwrap_or_default();
                    if let Some(cell) = cells.first() {
                        if !file.view.visible().contains(cell) {
                            file.view.look_at(*cell);
                        }
                        file.selection.clear_pieces();
                        file.selection.set_cells(cells.into_iter().collect());
                    }
                }
            }
            Ask::Apply(_)
            | Ask::ApplyResize(_)
            | Ask::LeaveNames
            | Ask::GoOn(_)
            | Ask::Undo
            | Ask::Redo
            | Ask::GoTo(_)
            | Ask::SelectAll
            | Ask::Align(_)
            | Ask::Snap
            | Ask::RemovePart(..)
            | Ask::AddPiece(_)
            | Ask::PlacePieces(..)
            | Ask::SelectPieces(_)
            | Ask::ChangeScript(_)
            | Ask::PointAt(_) => {
                if let Some(file) = self.files.get_mut(self.current) {
                    on_file(file, ask);
                }
            }
        }
    }

    fn close(&mut self, index: usize) {
        if index < self.files.len() {
            self.files.remove(index);
            if self.current > index || self.current >= self.files.len() {
                self.current = self.current.saturating_sub(1);
            }
            self.fit_tool();
        }
    }

    /// Saves a file. What the program brings is not written over.
    fn save(&mut self, index: usize) {
        let bundled = self.bundled.clone();
        let Some(file) = self.files.get_mut(index) else { return };
        let path = file.document.path();
        if bundled.is_some_and(|bundled| bundled.has(path)) {
            self.notices.push(Notice::Bundled(path.to_path_buf()));
            return;
        }
        if !file.conflicts.is_empty() {
            // Saving would decide them.
            return;
        }
        match file.document.save() {
            Ok(()) => {
                self.catalog = scan(&self.roots);
                self.files.iter_mut().for_each(OpenFile::look_again);
                self.commands.push(ScreenCommand::Refresh);
            }
            Err(SaveError::ChangedOutside(_)) => self.dialog = Dialog::ChangedOutside,
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// Saves a file; of what belongs to the program a copy.
    fn save_or_copy(&mut self, index: usize) {
        if self.files.get(index).is_some_and(|file| self.is_bundled(file.document.path())) {
            self.save_copy(index);
        } else {
            self.save(index);
        }
    }

    /// Saves copies of a file that belongs to the program and of what it is played with in the user's own content. Tabs in which they are open go on
    /// there, with their histories.
    fn save_copy(&mut self, index: usize) {
        let (Some(file), Some(bundled)) = (self.files.get(index), &self.bundled) else {
            return;
        };
        let asked = file.document.path().to_path_buf();
        let copies = own_copy::copies(file, &self.files, &self.catalog, bundled, |ruleset| self.root_for(ruleset));
        let are_decided = |file: &OpenFile| file.conflicts.is_empty() || copies.iter().all(|copy| copy.from != file.document.path());
        if !self.files.iter().all(are_decided) {
            // Saving would decide them.
            return;
        }
        for copy in &copies {
            if let Err(reason) = self.make_copy(copy) {
                self.fail(&text!("edit-no-copy", reason = reason));
                break;
            }
            self.notices
                .retain(|notice| !matches!(notice, Notice::Bundled(path) if *path == copy.from));
            if copy.from == asked {
                self.note_recent(&copy.to);
                let file = copy.to.display().to_string();
                self.notices.push(Notice::Note(text!("edit-copied", file = file)));
            }
        }
        self.read_rulesets();
        self.files.iter_mut().for_each(OpenFile::look_again);
        self.commands.push(ScreenCommand::Refresh);
    }

    fn make_copy(&mut self, copy: &OwnCopy) -> Result<(), String> {
        if let Some(folder) = copy.to.parent() {
            std::fs::create_dir_all(folder).map_err(|error| boardwright_content::io_error_text(&error))?;
        }
        let place = self.history_of(&copy.from);
        let saved = if let Some(file) = self.files.iter_mut().find(|file| file.document.path() == copy.from) {
            file.save_copy(&copy.to, copy.edits(&file.document))
        } else {
            let opened = Document::open_with_history(&copy.from, &place).map_err(|found| found.to_string())?;
            let mut document = opened.document;
            let edits = copy.edits(&document);
            document.save_copy(&copy.to, edits)
        };
        saved.map_err(|error| error.to_string())
    }

    /// Takes in what another program changed in the file shown, and tells it.
    fn merge(&mut self) {
        let Some(file) = self.files.get_mut(self.current) else { return };
        let merged = match file.document.changed_outside() {
            Ok(None) => return,
            Ok(Some(theirs)) => file.document.merge_outside(&theirs),
            Err(found) => Err(found),
        };
        let path = file.document.path().to_path_buf();
        let changed = match &merged {
            Ok(taken) => crate::outside::changed_file(file.document.draft(), &taken.edits),
            Err(_) => None,
        };
        let name = changed.unwrap_or_else(|| file.name());
        self.notices
            .retain(|notice| !matches!(notice, Notice::Outside(of, _) if *of == path));
        match merged {
            Ok(taken) => {
                file.conflicts = taken.conflicts;
                file.look_again();
                if !taken.edits.is_empty() {
                    let what = crate::outside::edits_text(&taken.edits);
                    let message = text!("outside-merged", file = name, what = what, key = key_of(Act::DrawUndo));
                    self.notices.push(Notice::Outside(path, message));
                }
            }
            Err(found) => {
                let reason = found.iter().next().map(|found| boardwright_ui::texts::localized(&found.message));
                let reason = reason.unwrap_or_default();
                let message = text!("outside-unreadable", file = name, reason = reason);
                self.notices.push(Notice::Outside(path, message));
            }
        }
    }

    /// Looks whether another program has written the file shown. While it is to be chosen between what both changed, that comes first.
    fn look_outside(&mut self, ui: &Ui) {
        let Some(file) = self.files.get_mut(self.current) else { return };
        if !matches!(self.dialog, Dialog::None) || !file.conflicts.is_empty() || file.gesture.is_stroke() {
            return;
        }
        let now = ui.input(|input| input.time);
        let is_due = file.outside.is_due(now);
        let has_changed = file.outside.has_changed(&file.document, now);
        ui.ctx().request_repaint_after(file.outside.due_in(now));
        if has_changed {
            self.merge();
        }
        if is_due {
            self.look_for_lost_work();
        }
    }

    /// What was not saved in another window is here when that is gone.
    fn look_for_lost_work(&mut self) {
        let Some(file) = self.files.get_mut(self.current) else { return };
        if let Some(aside) = file.document.take_set_aside() {
            let aside = aside.display().to_string();
            let note = text!("edit-other-set-aside", file = file.name(), aside = aside);
            self.notices.push(Notice::Note(note));
        } else if file.document.may_be_recovered() {
            let path = file.document.path().to_owned();
            if let Ok(read) = self.read(&path)
                && let Some(file) = self.files.get_mut(self.current)
            {
                *file = read;
            }
        }
    }

    /// Decides some of the conflicts of the file shown. What was chosen of the other side is one step, which can be undone.
    fn decide(&mut self, which: Range<usize>, chosen: Chosen) {
        let Some(file) = self.files.get_mut(self.current) else { return };
        let end = which.end.min(file.conflicts.len());
        let decided: Vec<_> = file.conflicts.drain(which.start.min(end)..end).collect();
        if chosen == Chosen::Theirs {
            let mut draft = file.document.draft().clone();
            for conflict in decided {
                drop(conflict.take_theirs(&draft).apply(&mut draft));
            }
            file.apply(Step::new(StepKind::Merge, differences(file.document.draft(), &draft)));
        }
    }

    /// Has the scenarios that name cells of the map shown by old names follow. Each is open then, changed and not saved, so that it can be undone.
    fn rename_in_scenarios(&mut self) {
        let map = self.current;
        let Some(offer) = self.files.get_mut(map).and_then(|file| file.rename_offer.take()) else {
            return;
        };
        let (mut changed, mut gone) = (Vec::new(), 0);
        for (path, title) in &offer.scenarios {
            self.open_file(path);
            let opened = self.files.iter_mut().find(|file| file.document.path() == path);
            // What keeps it from being opened has been told.
            let Some(file) = opened else { continue };
            let Some(scenario) = file.document.draft().scenario() else {
                continue;
            };
            let before = scenario.setup.pieces.len() + scenario.setup.values.len();
            let edits = offer.renames.edits(scenario);
            file.apply(Step::new(StepKind::Name, edits));
            if let Some(scenario) = file.document.draft().scenario() {
                gone += before.saturating_sub(scenario.setup.pieces.len() + scenario.setup.values.len());
                if offer.renames.are_in_script(scenario) {
                    self.notices.push(Notice::Note(text!("renamed-script", title = title.as_str())));
                }
            }
            changed.push(title.as_str());
        }
        let mut message = text!("renamed-done", count = changed.len(), titles = changed.join(", "));
        if gone > 0 {
            message = format!("{message} {}", text!("renamed-gone", count = gone));
        }
        self.notices.push(Notice::Note(message));
        self.current = map.min(self.files.len().saturating_sub(1));
        if let Some(file) = self.files.get_mut(map) {
            file.forget_renames();
        }
        self.fit_tool();
    }

    fn fail(&mut self, message: &str) {
        self.notices.push(Notice::Problem(Diagnostic::error(Code::File, message)));
    }

    fn make(&mut self, made: Made) {
        for (path, draft) in made.files {
            if let Some(folder) = path.parent()
                && let Err(error) = std::fs::create_dir_all(folder)
            {
                self.fail(&error.to_string());
                return;
            }
            if let Err(error) = Document::create(&path, &draft) {
                self.fail(&error.to_string());
                return;
            }
            self.catalog = scan(&self.roots);
            self.open_file(&path);
        }
        self.commands.push(ScreenCommand::Refresh);
    }

    /// A picture was dropped: a map can be made of it.
    fn take_picture(&mut self, path: &Path) {
        if !matches!(self.dialog, Dialog::NewMap(_)) {
            self.request(EditRequest::NewMap(String::new()));
        }
        if let Dialog::NewMap(form) = &mut self.dialog {
            form.take_picture(path);
        }
    }

    /// Opens the map that was traced from a picture, or tells why there is none.
    fn show_imported(&mut self, (request, traced): (PictureRequest, Result<TracedPicture, Diagnostics>)) {
        let traced = match traced {
            Ok(traced) => traced,
            Err(found) => {
                match self.last_form.take() {
                    // What was filled in stays, to be mended.
                    Some(form) => self.dialog = Dialog::NewMap(form.refused(&found)),
                    None => self.notices.extend(found.into_iter().map(Notice::Problem)),
                }
                return;
            }
        };
        let files = vec![(request.path.clone(), Draft::Map(traced.map()))];
        self.make(Made { files });
        let path = std::path::absolute(&request.path).unwrap_or(request.path);
        if let Some(file) = self.files.get_mut(self.current).filter(|file| file.document.path() == path) {
            file.picture = Some(traced);
            self.choices.side = Side::Picture;
        }
    }

    /// Shows the match of the file shown; where there is none yet, one is begun.
    fn try_out(&mut self) {
        let maps = self.open_maps();
        let Some(file) = self.files.get(self.current) else { return };
        let map = |ruleset: &str, id: &str| maps.find(&self.catalog, ruleset, id);
        if self.trial.as_ref().is_some_and(|trial| trial.was_seen() && trial.is_of(file)) {
            return self.show_match();
        }
        let path = file.document.path();
        let exports = path.parent().filter(|_| !self.is_bundled(path)).map(Path::to_path_buf);
        match Trial::prepare(&self.catalog, &self.roots, file, &map, exports) {
            Ok(trial) => {
                self.commands.push(ScreenCommand::Play(trial.start()));
                self.trial = Some(trial);
            }
            Err(message) => self.fail(&message),
        }
    }

    /// Shows the match that goes on behind the editor, with what was drawn a moment ago.
    fn show_match(&mut self) {
        self.update_trial();
        self.commands.push(ScreenCommand::ShowMatch);
    }

    /// Lets what was drawn since flow into the match that was begun of it.
    fn update_trial(&mut self) {
        let Some(trial) = &mut self.trial else { return };
        let drafts = self.files.iter().map(|file| (file.ruleset.id.as_str(), file.document.draft()));
        if let Err(message) = trial.update(drafts) {
            self.fail(&message);
        }
    }

    /// Notes the match that goes on behind the editor, and what it makes of the changes.
    fn see_match(&mut self, behind: Option<MatchBehind<'_>>) {
        self.behind = match behind {
            None => Behind::Nothing,
            Some(MatchBehind { is_own: true, .. }) => Behind::Trial,
            Some(_) => Behind::Match,
        };
        let Some(trial) = &mut self.trial else { return };
        let Some(behind) = behind.filter(|behind| behind.is_own) else {
            // It may be beginning.
            if trial.was_seen() {
                self.trial = None;
            }
            return;
        };
        self.notices.extend(trial.news(behind.problems).cloned().map(Notice::Problem));
        let is_stroke = self.files.get(self.current).is_some_and(|file| file.gesture.is_stroke());
        let revisions = self.files.iter().map(|file| file.document.revision()).sum();
        match trial.due_in(revisions) {
            Some(Duration::ZERO) if !is_stroke => self.update_trial(),
            Some(wait) => self.context.request_repaint_after(wait),
            None => {}
        }
    }

    fn request(&mut self, request: EditRequest) {
        let first = || self.catalog.rulesets.keys().next().cloned().unwrap_or_default();
        let current = || self.file().map_or_else(first, |file| file.ruleset.id.clone());
        match request {
            EditRequest::Anything => {}
            EditRequest::File(path) => self.open_file(&path),
            EditRequest::NewMap(ruleset) if ruleset.is_empty() => self.dialog = Dialog::NewMap(NewMap::new(current())),
            EditRequest::NewMap(ruleset) => self.dialog = Dialog::NewMap(NewMap::new(ruleset)),
            EditRequest::NewScenario(ruleset) if ruleset.is_empty() => {
                let form = match self.file().and_then(|file| Some((file.ruleset.id.clone(), file.map()?.id.clone()))) {
                    Some((ruleset, map)) => NewScenario::on_map(ruleset, map),
                    None => NewScenario::new(current()),
                };
                self.dialog = Dialog::NewScenario(Box::new(form));
            }
            EditRequest::NewScenario(ruleset) => self.dialog = Dialog::NewScenario(Box::new(NewScenario::new(ruleset))),
            EditRequest::Copy(ruleset, scenario) => match self.catalog.scenario(&ruleset, &scenario) {
                Ok(document) => self.dialog = Dialog::NewScenario(Box::new(NewScenario::copy_of(document.scenario))),
                Err(found) => self.notices.extend(found.into_iter().map(Notice::Problem)),
            },
            EditRequest::Scenario(ruleset, scenario) => self.open_played(&ruleset, &scenario, false),
            EditRequest::MapOf(ruleset, scenario) => self.open_played(&ruleset, &scenario, true),
        }
    }

    /// Opens the scenario of a match, or its map. Of what the program brings a copy is made, and of a match of a drawing the drawing is shown.
    fn open_played(&mut self, ruleset: &str, scenario: &str, is_map: bool) {
        let found = self.catalog.scenario(ruleset, scenario);
        let map = found.as_ref().map_or(scenario, |document| &document.scenario.map);
        let (name, ending) = if is_map { (map, MAP_ENDING) } else { (scenario, SCENARIO_ENDING) };
        let path = self.catalog.path_of(&format!("maps/{ruleset}/{name}{ending}"));
        match (path, found) {
            (Some(path), _) if !self.is_bundled(&path) => self.open_file(&path),
            (_, Ok(document)) => {
                self.notices.push(Notice::Note(text!("edit-bundled-copy")));
                self.dialog = Dialog::NewScenario(Box::new(NewScenario::copy_of(document.scenario)));
            }
            (_, Err(found)) => self.notices.extend(found.into_iter().map(Notice::Problem)),
        }
    }

    /// Shows the editor in all the room there is.
    fn draw(&mut self, ui: &mut Ui, has_keys: bool) {
        let mut asks = Vec::new();
        let deferred = std::mem::take(&mut self.deferred);
        if has_keys && matches!(self.dialog, Dialog::None) {
            self.keys(ui, &mut asks);
        }
        let palette = Palette::of(ui.visuals());
        let surface = |x: f32, y: f32| Frame::NONE.fill(palette.surface).inner_margin(Margin::symmetric(x as i8, y as i8));
        Panel::top("editor head").frame(surface(space::S, space::XS)).show(ui, |ui| {
            crate::head::head_ui(ui, &self.files, self.current, self.behind, &mut asks);
        });
        if let Some(file) = self.files.get_mut(self.current) {
            Panel::bottom("editor status").frame(surface(space::M, 3.0)).show(ui, |ui| {
                crate::status_line::status_line_ui(ui, file, &mut self.choices);
            });
            let is_narrow = ui.available_width() < 1100.0;
            Panel::left("editor tools")
                .exact_size(46.0)
                .resizable(false)
                .frame(surface(5.0, space::S))
                .show(ui, |ui| {
                    crate::tool_strip::tool_strip_ui(ui, file, &mut self.choices);
                });
            // Triggers need room for sentences, and none of the palette.
            let shows_triggers = self.choices.side == Side::Triggers && !file.is_map();
            let palette_panel = Panel::left("editor palette")
                .exact_size(if is_narrow { 168.0 } else { 204.0 })
                .resizable(false)
                .frame(surface(space::S, space::S));
            if !(shows_triggers && is_narrow) {
                palette_panel.show(ui, |ui| crate::palette::palette_ui(ui, file, &mut self.choices, &mut asks));
            }
            Panel::right("editor side")
                .exact_size(side_width(shows_triggers, is_narrow))
                .resizable(false)
                .frame(surface(space::M, space::S))
                .show(ui, |ui| crate::side::side_ui(ui, file, &mut self.choices, &mut asks));
            CentralPanel::no_frame().frame(Frame::NONE.fill(palette.ground)).show(ui, |ui| {
                crate::notices::notices_ui(ui, &mut self.notices, Some(file.document.path()), &mut asks);
                crate::conflicts::conflicts_ui(ui, &file.conflicts, &mut asks);
                crate::rename_offer::rename_offer_ui(ui, file, &mut asks);
                crate::board_pane::board_ui(ui, file, &mut self.choices, has_keys, &mut asks);
            });
        } else {
            let recent = self.recent();
            CentralPanel::no_frame().frame(Frame::NONE.fill(palette.ground)).show(ui, |ui| {
                crate::notices::notices_ui(ui, &mut self.notices, None, &mut asks);
                crate::welcome::welcome_ui(ui, &self.catalog, &recent, &mut asks);
            });
        }
        self.dialogs_ui(ui, &mut asks);
        asks.extend(ui.input(|input| {
            let dropped = input.raw.dropped_files.iter();
            dropped.map(|file| Ask::OpenPath(file.path().to_path_buf())).collect::<Vec<_>>()
        }));
        for ask in asks.into_iter().chain(deferred) {
            self.handle(ask);
        }
        self.look_outside(ui);
        crate::rename_offer::look(&mut self.files, self.current, &self.catalog);
        let maps = self.open_maps();
        let catalog = &self.catalog;
        if let Some(file) = self.files.get_mut(self.current) {
            file.settle(|ruleset, id| maps.find(catalog, ruleset, id));
            file.check(ui.ctx(), catalog, |ruleset, id| maps.find(catalog, ruleset, id));
        }
    }

    fn dialogs_ui(&mut self, ui: &mut Ui, asks: &mut Vec<Ask>) {
        let mut dialog = std::mem::replace(&mut self.dialog, Dialog::None);
        let maps = self.open_maps();
        let recent = if matches!(dialog, Dialog::Open { .. }) {
            self.recent()
        } else {
            Vec::new()
        };
        let rules = match (&dialog, self.file()) {
            (Dialog::NewMap(form), _) => {
                let (ruleset, empty) = (form.ruleset().to_owned(), Map::new("", "", Topology::Graph));
                self.ruleset(&ruleset, &Draft::Map(empty))
            }
            (Dialog::Random(_), Some(file)) => Rc::clone(&file.ruleset),
            _ => Rc::default(),
        };
        let map_of = |ruleset: &str, id: &str| maps.find(&self.catalog, ruleset, id);
        let root_for = |ruleset: &str| self.root_for(ruleset);
        let file = self.files.get(self.current);
        let stays = dialog.ui(ui, &self.catalog, &rules, &recent, file, &self.files, &root_for, &map_of, asks);
        if stays {
            self.dialog = dialog;
        } else if let Some(form) = dialog.into_form() {
            self.last_form = Some(form);
        }
    }

    fn keys(&mut self, ui: &Ui, asks: &mut Vec<Ask>) {
        if ui.ctx().memory(|memory| memory.top_modal_layer().is_some()) {
            return;
        }
        let of_files = [
            (Act::SaveDrawing, Ask::Save),
            (Act::TryOut, Ask::TryOut),
            (Act::Open, Ask::Open),
            (Act::NewFile, Ask::New(EditRequest::NewMap(String::new()))),
            (Act::NewScenario, Ask::New(EditRequest::NewScenario(String::new()))),
            (Act::CloseFile, Ask::Close(self.current)),
            (Act::NextFile, Ask::Show(self.current + 1)),
            (Act::PreviousFile, Ask::Show(self.current.saturating_sub(1))),
            (Act::NextProblem, Ask::NextProblem),
        ];
        if ui.ctx().text_edit_focused() {
            let pressed = of_files.into_iter().filter(|(act, _)| keys::pressed_while_writing(ui, *act));
            self.deferred.extend(pressed.map(|(_, ask)| ask));
            // What was written so far counts first.
            if !self.deferred.is_empty()
                && let Some(field) = ui.memory(egui::Memory::focused)
            {
                ui.memory_mut(|memory| memory.surrender_focus(field));
                ui.ctx().request_repaint();
            }
            return;
        }
        asks.extend(of_files.into_iter().filter_map(|(act, ask)| keys::pressed(ui, act).then_some(ask)));
        let simple = [
            (Act::DrawUndo, Ask::Undo),
            (Act::DrawRedo, Ask::Redo),
            (Act::CopyCells, Ask::Copy),
            (Act::CutCells, Ask::Cut),
            (Act::PasteCells, Ask::Paste),
            (Act::TurnCells, Ask::Turn),
            (Act::MirrorCells, Ask::Mirror),
            (Act::DeleteDrawn, Ask::Delete),
            (Act::SelectAll, Ask::SelectAll),
        ];
        asks.extend(simple.into_iter().filter_map(|(act, ask)| keys::pressed(ui, act).then_some(ask)));
        let Some(file) = self.files.get_mut(self.current) else { return };
        for (tool, _, act) in Tool::ALL {
            if keys::pressed(ui, act) && tool.fits(file) {
                self.choices.tool = tool;
            }
        }
        let choices = &mut self.choices;
        if file.sketch.is_begun() && keys::pressed(ui, Act::ClickCell) {
            crate::outline_tool::close(file, false);
        }
        if keys::pressed(ui, Act::LeaveTool) {
            if file.sketch.is_begun() {
                file.sketch = Sketch::default();
            } else if file.gesture.is_idle() {
                file.selection.clear();
            }
            file.gesture.cancel();
            file.triggers.stop_pointing();
        }
        if keys::pressed(ui, Act::BrushSmaller) {
            choices.size = choices.size.saturating_sub(1).max(1);
        }
        if keys::pressed(ui, Act::BrushLarger) {
            choices.size = (choices.size + 1).min(crate::tools::MOST_SIZE);
        }
        if keys::pressed(ui, Act::Symmetry) {
            choices.symmetry = (choices.symmetry + 1) % crate::paint::symmetries(file).len().max(1);
        }
        if let Some(which) = keys::pressed_which(ui, Act::Swatch) {
            crate::palette::choose(file, choices, which);
        }
        for (act, shown) in [
            (Act::ShowGrid, &mut choices.shows_names),
            (Act::ShowRegions, &mut choices.shows_regions),
            (Act::ShowHeights, &mut choices.shows_heights),
        ] {
            if keys::pressed(ui, act) {
                *shown = !*shown;
            }
        }
    }
}

/// The first scenario on a map, if all that are on it have scripts of their own: these may declare what the map is made of.
fn scripted_scenario(catalog: &Catalog, ruleset: &str, map: &str) -> Option<String> {
    let on_map = catalog.scenarios(ruleset).into_values().filter(|scenario| scenario.map == map);
    let read = |id: &String| catalog.scenario(ruleset, id).ok();
    let all: Vec<String> = on_map.map(|scenario| scenario.id.clone()).collect();
    let has_script = |id: &String| read(id).is_some_and(|document| document.scenario.overlay.is_some());
    all.iter().all(has_script).then(|| all.first().cloned()).flatten()
}

/// The width of the panel on the right, in points.
const fn side_width(shows_triggers: bool, is_narrow: bool) -> f32 {
    match (shows_triggers, is_narrow) {
        (true, true) => 400.0,
        (true, false) => 440.0,
        (false, true) => 248.0,
        (false, false) => 292.0,
    }
}

/// What concerns the file alone.
fn on_file(file: &mut OpenFile, ask: Ask) {
    match ask {
        Ask::Apply(step) => file.apply(step),
        Ask::ApplyResize(resized) => file.resize(*resized),
        Ask::LeaveNames => file.forget_renames(),
        Ask::GoOn(step) => file.go_on(step),
        Ask::Undo => file.undo(),
        Ask::Redo => file.redo(),
        Ask::GoTo(position) => file.go_to(position),
        Ask::SelectAll if file.is_map() => file.selection.set_cells(file.drawn.board().cells().collect()),
        Ask::SelectAll => {
            let board = Arc::clone(file.drawn.board());
            file.selection
                .set_pieces(board.cells().flat_map(|cell| file.pieces_on(cell)).collect());
        }
        Ask::Align(alignment) => on_points(file, |map, chosen| points::align_points(map, chosen, alignment)),
        Ask::Snap => on_points(file, |map, chosen| points::snap_points(map, chosen, SNAP)),
        Ask::RemovePart(area, part) => {
            let edits = file.map().map(|map| outlines::remove_part(map, area, part));
            file.apply(Step::new(StepKind::Outline, edits.unwrap_or_default()));
        }
        Ask::AddPiece(piece) => crate::piece_tools::add_piece(file, *piece),
        Ask::PlacePieces(pieces, place) => {
            if let Some(scenario) = file.document.draft().scenario() {
                let edits = setup::place_pieces(scenario, &pieces, &place);
                file.selection.set_pieces(pieces);
                file.apply(Step::new(StepKind::Pieces, edits));
            }
        }
        Ask::ChangeScript(change) => triggers::apply(file, change),
        Ask::PointAt(cell) => {
            if let Some(change) = triggers::point(file, cell) {
                triggers::apply(file, change);
            }
        }
        Ask::SelectPieces(pieces) => {
            file.selection.clear_cells();
            file.selection.set_pieces(pieces);
        }
        _ => {}
    }
}

/// Changes the selected points of a free graph.
fn on_points(file: &mut OpenFile, change: impl Fn(&Map, &BTreeSet<usize>) -> Vec<Edit>) {
    let chosen = file.selection.cells().iter().map(|cell| cell.index()).collect();
    if let Some(map) = file.map().filter(|_| file.is_graph()) {
        let edits = change(map, &chosen);
        file.apply(Step::new(StepKind::Points, edits));
    }
}

/// Maps as they are drawn in open files, by ruleset and id.
#[derive(Debug)]
pub(crate) struct OpenMaps(BTreeMap<(String, String), Arc<Map>>);

impl OpenMaps {
    /// The map of a scenario: as it is drawn, else as it is in its file.
    pub(crate) fn find(&self, catalog: &Catalog, ruleset: &str, id: &str) -> Option<Arc<Map>> {
        let drawn = self.0.get(&(ruleset.to_owned(), id.to_owned()));
        drawn.cloned().or_else(|| map_in(catalog, ruleset, id))
    }
}

impl Screen for Editor {
    fn open(&mut self, request: EditRequest) {
        self.catalog = scan(&self.roots);
        self.rulesets.clear();
        self.request(request);
    }

    fn ui(&mut self, ui: &mut Ui, has_keys: bool, behind: Option<MatchBehind<'_>>) -> Vec<ScreenCommand> {
        if self.language != language() {
            self.language = language();
            self.read_rulesets();
        }
        self.see_match(behind);
        self.draw(ui, has_keys);
        std::mem::take(&mut self.commands)
    }

    fn title(&self) -> String {
        self.file().map_or_else(String::new, OpenFile::title)
    }

    fn unsaved(&self) -> Vec<String> {
        let changed = self.files.iter().filter(|file| file.document.is_changed());
        changed.map(OpenFile::name).collect()
    }

    fn save_all(&mut self) {
        for index in 0..self.files.len() {
            if self.files.get(index).is_some_and(|file| file.document.is_changed()) {
                self.save_or_copy(index);
            }
        }
    }
}

/// What there is in some content folders, with titles in the language of the window.
fn scan(roots: &[PathBuf]) -> Catalog {
    let mut catalog = Catalog::scan(roots);
    localize_catalog(&mut catalog);
    catalog
}

/// Whether a file is one that the editor opens.
pub(crate) fn is_drawing(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.ends_with(MAP_ENDING) || name.ends_with(SCENARIO_ENDING)
}
