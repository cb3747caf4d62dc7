//! The program behind the window: which screen is shown, and what is under way on other threads.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use egui::{Context, Id, Key, Modal, Modifiers, ScrollArea, Ui};

use super::closing::Closing;
use super::content::{Begun, BookContent, Changed, Content, SaveCard, Seen, SourceFile};
use super::corner::{CornerWish, corner_ui};
use super::drawer::{Drawer, DrawerWish, Leaf, RulesInForce};
use super::files::{Files, FilesWish, Kept};
use super::launcher::{Launcher, LauncherWish, Recents};
use super::match_screen::{MatchScreen, MatchWish};
use super::panels::problem_ui;
use super::settings::Settings;
use super::texts::{self, Language, text};
use super::theme::{self, ButtonKind, IconButton, dialog_frame, size, space, title};
use crate::client::Wake;
use crate::client::local::{MatchChoice, default_file, settle_copies};
use crate::client::messages::Problem;

/// Where the settings are kept.
const SETTINGS: &str = "settings";
/// Where it is kept what was begun lately.
const RECENTS: &str = "recent";
/// How long the end of the program waits for automatic copies.
const LAST_COPIES: Duration = Duration::from_secs(3);

/// What comes back from another thread.
enum Finished {
    /// Part of a look through the content, with the number of that look.
    Seen(u64, Seen),
    /// A look through the content is over.
    Looked(u64),
    /// Files of the content have changed.
    Changed,
    Saves(Vec<SaveCard>),
    /// Something that was asked for in a dialog did not work.
    Failed(String),
    Book(BookContent),
    /// The files of a ruleset that can be edited.
    Sources(String, Vec<SourceFile>),
    /// The text of a file.
    Read(SourceFile, Result<String, String>),
    /// A text that was written into a file.
    Written(SourceFile, String),
    Match(Result<Begun, Vec<Problem>>, How),
}

/// How a match was asked for.
#[derive(Clone, Debug)]
enum How {
    Begun(MatchChoice),
    TakenUp,
    Watched,
}

/// What the window begins with.
#[derive(Clone, Debug, Default)]
pub enum Beginning {
    /// The launcher.
    #[default]
    Launcher,
    /// A match.
    Match(MatchChoice),
    /// A saved match.
    Saved(PathBuf),
}

/// The program behind the window.
pub struct App {
    content: Arc<dyn Content>,
    context: Context,
    launcher: Launcher,
    running: Option<MatchScreen>,
    files: Files,
    /// What the player likes.
    pub settings: Settings,
    recents: Recents,
    drawer: Drawer,
    /// The rule book of what is played or chosen.
    book: Option<BookContent>,
    /// The ruleset whose rule book is being read.
    reads_book: Option<String>,
    /// The ruleset whose files the drawer knows.
    files_of: Option<String>,
    /// The files that are being read.
    reads: BTreeSet<SourceFile>,
    closing: Closing,
    /// Why a match could not be opened, until it has been seen.
    trouble: Vec<Problem>,
    system_language: Language,
    /// The number of the newest look through the content; older ones end when they see it.
    look: Arc<AtomicU64>,
    /// Whether files of the content changed while a match was shown.
    is_stale: bool,
    results: Receiver<Finished>,
    sender: Sender<Finished>,
    /// Gone with the window: threads that serve it end when they see that.
    alive: Arc<()>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App")
            .field("launcher", &self.launcher)
            .field("running", &self.running)
            .finish_non_exhaustive()
    }
}

impl App {
    /// The program with some content. Theme and fonts are put into the context.
    pub fn new(context: &Context, content: Arc<dyn Content>, beginning: Beginning, settings: Settings) -> Self {
        theme::install(context);
        egui_extras::install_image_loaders(context);
        let (sender, results) = channel();
        let mut app = Self {
            content,
            context: context.clone(),
            launcher: Launcher::default(),
            running: None,
            files: Files::default(),
            settings,
            recents: Recents::default(),
            drawer: Drawer::default(),
            book: None,
            reads_book: None,
            files_of: None,
            reads: BTreeSet::new(),
            closing: Closing::default(),
            trouble: Vec::new(),
            system_language: Language::of_system(),
            look: Arc::default(),
            is_stale: false,
            results,
            sender,
            alive: Arc::default(),
        };
        app.refresh();
        app.watch();
        match beginning {
            Beginning::Launcher => {}
            Beginning::Match(choice) => app.begin(choice),
            Beginning::Saved(file) => app.take_up(file, How::TakenUp),
        }
        app
    }

    /// The same as it was when it was closed last, as far as it is in the storage of the window.
    #[must_use]
    pub fn as_stored(mut self, storage: Option<&dyn eframe::Storage>) -> Self {
        if let Some(storage) = storage {
            self.settings = eframe::get_value(storage, SETTINGS).unwrap_or(self.settings);
            self.recents = eframe::get_value(storage, RECENTS).unwrap_or_default();
        }
        self
    }

    /// The running match, if there is one.
    pub fn running(&self) -> Option<&MatchScreen> {
        self.running.as_ref()
    }

    /// Runs something on a thread of its own.
    fn elsewhere(&self, work: impl FnOnce(&dyn Content, &Outbox) + Send + 'static) {
        let outbox = Outbox {
            sender: self.sender.clone(),
            context: self.context.clone(),
        };
        let content = Arc::clone(&self.content);
        let named = std::thread::Builder::new().name("content".to_owned());
        if let Err(error) = named.spawn(move || work(&*content, &outbox)) {
            tracing::error!("no thread could be started: {error}");
        }
    }

    /// Looks through the content again.
    fn refresh(&mut self) {
        self.is_stale = false;
        self.launcher.is_looking = true;
        let number = self.look.fetch_add(1, Ordering::Relaxed) + 1;
        let newest = Arc::clone(&self.look);
        self.elsewhere(move |content, outbox| {
            let mut tell = |seen| newest.load(Ordering::Relaxed) == number && outbox.put(Finished::Seen(number, seen));
            content.look_through(&mut tell);
            outbox.put(Finished::Looked(number));
        });
        self.list_saves();
    }

    fn watch(&self) {
        let alive = Arc::downgrade(&self.alive);
        self.elsewhere(move |content, outbox| {
            content.watch(&mut |changed| {
                let told = changed == Changed::Nothing || outbox.put(Finished::Changed);
                told && alive.upgrade().is_some()
            });
        });
    }

    fn list_saves(&self) {
        self.elsewhere(|content, outbox| _ = outbox.put(Finished::Saves(content.saves())));
    }

    fn begin(&mut self, choice: MatchChoice) {
        self.open(How::Begun(choice.clone()), move |content, wake| content.begin(&choice, wake));
    }

    fn take_up(&mut self, file: PathBuf, how: How) {
        self.open(how, move |content, wake| content.take_up(&file, wake));
    }

    fn open(&mut self, how: How, begin: impl FnOnce(&dyn Content, Wake) -> Result<Begun, Vec<Problem>> + Send + 'static) {
        self.launcher.is_busy = true;
        self.launcher.problems.clear();
        self.files.problems.clear();
        self.elsewhere(move |content, outbox| {
            let result = begin(content, outbox.wake());
            outbox.put(Finished::Match(result, how));
        });
    }

    fn take_results(&mut self) {
        while let Ok(result) = self.results.try_recv() {
            match result {
                Finished::Seen(number, seen) if number == self.look.load(Ordering::Relaxed) => self.launcher.take_seen(seen),
                Finished::Looked(number) if number == self.look.load(Ordering::Relaxed) => self.launcher.is_looking = false,
                Finished::Seen(..) | Finished::Looked(_) => {}
                Finished::Changed => {
                    self.files_changed();
                    if self.running.is_some() {
                        self.is_stale = true;
                    } else {
                        self.refresh();
                    }
                }
                Finished::Book(book) => {
                    self.reads_book = None;
                    self.book = Some(book);
                }
                Finished::Sources(ruleset, files) => self.drawer.take_files(&ruleset, files),
                Finished::Read(file, text) => {
                    self.reads.remove(&file);
                    match text {
                        Ok(text) => self.drawer.take_text(&file, text),
                        Err(message) => {
                            self.trouble.push(plain_problem(message));
                            // Shown empty, it would be written over.
                            self.drawer.close();
                        }
                    }
                }
                Finished::Written(file, text) => self.drawer.take_written(&file, text),
                Finished::Saves(saves) => self.files.saves = saves,
                Finished::Failed(message) => self.trouble.push(plain_problem(message)),
                Finished::Match(result, how) => {
                    self.launcher.is_busy = false;
                    self.take_match(result, &how);
                }
            }
        }
    }

    /// Shows a match that was opened. One that could not be opened leaves everything as it is.
    fn take_match(&mut self, result: Result<Begun, Vec<Problem>>, how: &How) {
        match result {
            Ok(begun) => {
                let choice = match how {
                    How::Begun(choice) => Some(choice.clone()),
                    How::TakenUp | How::Watched => None,
                };
                let Ok(mut screen) = MatchScreen::open(begun.link, choice.clone()) else {
                    self.trouble.push(plain_problem(text!("trouble-gone")));
                    return;
                };
                if let Some(choice) = &choice {
                    self.recents.note(choice);
                }
                screen.desk_mut().file = begun.file;
                screen.desk_mut().goes_to_beginning = matches!(how, How::Watched);
                self.running = Some(screen);
                self.files.close();
            }
            Err(problems) if self.files.lists() => self.files.problems = problems,
            Err(problems) if self.running.is_none() && matches!(how, How::Begun(_)) => self.launcher.problems = problems,
            Err(problems) => self.trouble = problems,
        }
    }

    /// Shows the screen.
    pub fn draw(&mut self, ui: &mut Ui) {
        texts::set_language(self.settings.language.unwrap_or(self.system_language));
        self.take_results();
        ui.ctx().set_theme(self.settings.theme);
        self.keys(ui);
        let mut corner = Vec::new();
        self.drawer_ui(ui);
        if self.running.is_some() {
            self.match_ui(ui, &mut corner);
        } else {
            self.launcher_ui(ui, &mut corner);
        }
        for wish in corner {
            match wish {
                CornerWish::Open => self.show_open(Kept::All),
                CornerWish::SaveAs => self.show_save_as(),
                CornerWish::Book => self.drawer.toggle(Leaf::Book),
                CornerWish::Scripts => self.drawer.toggle(Leaf::Scripts),
            }
        }
        self.files_ui(ui);
        self.trouble_ui(ui);
        self.closing_ui(ui);
    }

    fn keys(&mut self, ui: &Ui) {
        if self.files.is_shown() || ui.ctx().text_edit_focused() {
            return;
        }
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::NONE, Key::F1) {
            self.drawer.toggle(Leaf::Book);
        }
        if pressed(Modifiers::NONE, Key::F4) {
            self.drawer.toggle(Leaf::Scripts);
        }
        if pressed(Modifiers::COMMAND, Key::O) {
            self.show_open(Kept::All);
        }
        if self.running.is_some() && pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::S) {
            self.show_save_as();
        }
    }

    fn show_open(&mut self, kept: Kept) {
        self.list_saves();
        self.files.show_open(kept);
    }

    fn show_save_as(&mut self) {
        let Some(running) = &self.running else {
            return;
        };
        let known = running.desk().file.clone();
        let folder = known.as_ref().and_then(|file| file.parent()).map(PathBuf::from);
        let folder = folder.or_else(|| self.content.saves_folder()).unwrap_or_default();
        let name = match (&known, running.desk().mirror().description()) {
            (Some(file), _) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            (None, Some(description)) => default_file(&description.ruleset, &description.scenario),
            (None, None) => String::new(),
        };
        let name = name.trim_end_matches(crate::io::SAVE_ENDING).to_owned();
        self.files.show_save_as(folder, name);
    }

    fn match_ui(&mut self, ui: &mut Ui, corner: &mut Vec<CornerWish>) {
        let Some(running) = &mut self.running else {
            return;
        };
        running.shows_problems = self.drawer.leaf() != Some(Leaf::Scripts);
        let mut settings = self.settings;
        let wish = running.ui(ui, &self.settings, |ui| corner_ui(ui, &mut settings, true, corner));
        self.settings = settings;
        match wish {
            Some(MatchWish::Leave) => {
                self.running = None;
                if self.is_stale {
                    self.refresh();
                }
                self.elsewhere(|content, outbox| {
                    // The copy of the match that was left is one of those to be listed.
                    settle_copies(LAST_COPIES);
                    outbox.put(Finished::Saves(content.saves()));
                });
                ui.ctx().request_repaint();
            }
            Some(MatchWish::Rematch(choice)) => self.begin(choice),
            Some(MatchWish::ShowScripts) => self.drawer.show(Leaf::Scripts),
            Some(MatchWish::Edit(place)) => self.drawer.edit(place),
            Some(MatchWish::ShowRule(number)) => self.drawer.open_rule(number),
            None => {}
        }
    }

    fn launcher_ui(&mut self, ui: &mut Ui, corner: &mut Vec<CornerWish>) {
        let mut wishes = Vec::new();
        let settings = &mut self.settings;
        self.launcher.ui(ui, &self.files.saves, &self.recents, &mut wishes, |ui| {
            corner_ui(ui, settings, false, corner);
        });
        for wish in wishes {
            match wish {
                LauncherWish::Begin(choice) => self.begin(choice),
                LauncherWish::TakeUp(file) => self.take_up(file, How::TakenUp),
                LauncherWish::Watch(file) => self.take_up(file, How::Watched),
                LauncherWish::ListSaves => self.show_open(Kept::All),
                LauncherWish::ListFinished => self.show_open(Kept::Finished),
                LauncherWish::Forget(file) => self.elsewhere(move |content, outbox| {
                    content.forget_cut_off(&file);
                    outbox.put(Finished::Saves(content.saves()));
                }),
                LauncherWish::Refresh => self.refresh(),
                LauncherWish::RuleBook => self.drawer.show(Leaf::Book),
                LauncherWish::Edit(place) => self.drawer.edit(place),
            }
        }
    }

    fn files_ui(&mut self, ui: &Ui) {
        let mut wishes = Vec::new();
        self.files.ui(ui, self.launcher.is_busy, &mut wishes);
        for wish in wishes {
            match wish {
                FilesWish::Open(file) => self.take_up(file, How::TakenUp),
                FilesWish::Watch(file) => self.take_up(file, How::Watched),
                FilesWish::SaveAs(file) => {
                    if let Some(running) = &mut self.running {
                        running.desk_mut().save_in(file);
                    }
                }
                FilesWish::Delete(file) => self.elsewhere(move |content, outbox| {
                    if let Err(message) = content.delete_save(&file) {
                        outbox.put(Finished::Failed(message));
                    }
                    outbox.put(Finished::Saves(content.saves()));
                }),
            }
        }
    }

    /// What is played, or chosen in the launcher.
    fn ruleset(&self) -> Option<String> {
        match &self.running {
            Some(running) => running.desk().mirror().description().map(|description| description.ruleset.clone()),
            None => self.launcher.chosen().map(|card| card.id.clone()),
        }
    }

    /// Files have changed: what the drawer shows of them is read again.
    fn files_changed(&mut self) {
        self.files_of = None;
        if self.running.is_none() {
            self.book = None;
        }
        for file in self.drawer.open_files() {
            self.read(file);
        }
    }

    fn read(&mut self, file: SourceFile) {
        if self.reads.insert(file.clone()) {
            self.elsewhere(move |content, outbox| {
                let text = content.read_source(&file);
                outbox.put(Finished::Read(file, text));
            });
        }
    }

    fn drawer_ui(&mut self, ui: &mut Ui) {
        let (Some(leaf), Some(ruleset)) = (self.drawer.leaf(), self.ruleset()) else {
            return;
        };
        self.find_book(&ruleset);
        if leaf == Leaf::Scripts && self.files_of.as_ref() != Some(&ruleset) {
            self.files_of = Some(ruleset.clone());
            let wanted = ruleset.clone();
            self.elsewhere(move |content, outbox| {
                let files = content.sources(&wanted);
                outbox.put(Finished::Sources(wanted, files));
            });
        }
        let problems = self.running.as_ref().map(|running| running.desk().problems());
        let card = self.launcher.chosen();
        let description = self.running.as_ref().and_then(|running| running.desk().mirror().description());
        let rules = RulesInForce {
            title: match (description, card) {
                (Some(description), _) => &description.title,
                (None, Some(card)) => &card.title,
                (None, None) => &ruleset,
            },
            is_running: self.running.is_some(),
            fingerprint: description.map(|description| description.fingerprint),
            problems: match (&problems, card) {
                (Some(problems), _) => problems,
                (None, Some(card)) => &card.problems,
                (None, None) => &[],
            },
            reloads: self.running.as_ref().map_or(&[], |running| running.desk().changes.as_slice()),
        };
        let mut wishes = Vec::new();
        let book = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        self.drawer.ui(ui, book, &rules, &mut wishes);
        for wish in wishes {
            self.grant(ui, wish);
        }
    }

    fn grant(&mut self, ui: &Ui, wish: DrawerWish) {
        match wish {
            DrawerWish::Edit(place) => self.drawer.edit(place),
            DrawerWish::Read(file) => self.read(file),
            DrawerWish::Write(file, text) => self.elsewhere(move |content, outbox| {
                _ = match content.write_source(&file, &text) {
                    Ok(()) => outbox.put(Finished::Written(file, text)),
                    Err(message) => outbox.put(Finished::Failed(message)),
                };
            }),
            DrawerWish::OpenElsewhere(file) => self.elsewhere(move |content, outbox| {
                if let Err(message) = content.open_elsewhere(&file) {
                    outbox.put(Finished::Failed(message));
                }
            }),
            DrawerWish::Browse(address) => ui.ctx().open_url(egui::OpenUrl::new_tab(address)),
        }
    }

    /// Gets the rule book of a ruleset: that of the running match comes with it, another one is read.
    fn find_book(&mut self, ruleset: &str) {
        let description = self.running.as_ref().and_then(|running| running.desk().mirror().description());
        let known = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        if let Some(description) = description {
            if known.and_then(|book| book.fingerprint) != Some(description.fingerprint) {
                self.book = Some(BookContent {
                    ruleset: description.ruleset.clone(),
                    fingerprint: Some(description.fingerprint),
                    pages: description.help.clone(),
                    rules: description.rules.clone(),
                    art: description.art.clone(),
                });
            }
        } else if known.is_none() && self.reads_book.as_deref() != Some(ruleset) {
            self.reads_book = Some(ruleset.to_owned());
            let wanted = ruleset.to_owned();
            self.elsewhere(move |content, outbox| _ = outbox.put(Finished::Book(content.rule_book(&wanted))));
        }
    }

    /// Asks about files that are not saved before the window closes.
    fn closing_ui(&mut self, ui: &Ui) {
        let unsaved = self.drawer.unsaved();
        let mut wishes = Vec::new();
        if self.closing.ui(ui, &unsaved) {
            self.drawer.save_all(&mut wishes);
        }
        for wish in wishes {
            self.grant(ui, wish);
        }
    }

    /// What went wrong where no screen has a place for it.
    fn trouble_ui(&mut self, ui: &Ui) {
        if self.trouble.is_empty() {
            return;
        }
        let modal = Modal::new(Id::unique("trouble")).frame(dialog_frame(ui)).show(ui.ctx(), |ui| {
            ui.set_width((ui.ctx().content_rect().width() - 120.0).clamp(320.0, 560.0));
            ui.label(title(text!("trouble-title"), size::TITLE));
            if self.running.is_some() {
                ui.label(text!("trouble-match-goes-on"));
            }
            ui.add_space(space::S);
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                self.trouble.iter().for_each(|problem| problem_ui(ui, problem));
            });
            let close = ui.add(IconButton::text(text!("dialog-ok")).kind(ButtonKind::Primary));
            close.clicked()
        });
        if modal.inner || modal.should_close() {
            self.trouble.clear();
        }
    }
}

/// A problem that is a text alone.
fn plain_problem(message: String) -> Problem {
    Problem {
        severity: "error".to_owned(),
        code: "file".to_owned(),
        message,
        file: String::new(),
        line: 0,
        column: 0,
        source_line: None,
        help: None,
    }
}

/// Takes results of other threads to the window and wakes it.
struct Outbox {
    sender: Sender<Finished>,
    context: Context,
}

impl Outbox {
    /// Hands over a result; false if the window is gone.
    fn put(&self, result: Finished) -> bool {
        let is_there = self.sender.send(result).is_ok();
        self.context.request_repaint();
        is_there
    }

    fn wake(&self) -> Wake {
        let context = self.context.clone();
        Arc::new(move || context.request_repaint())
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS, &self.settings);
        eframe::set_value(storage, RECENTS, &self.recents);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.running = None;
        settle_copies(LAST_COPIES);
    }
}
