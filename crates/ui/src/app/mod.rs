//! The program behind the window: which screen is shown. What is done on other threads is in `work`, what the drawer shows in `drawer`.

mod drawer;
mod work;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use egui::{Context, ScrollArea, Ui};

use self::work::{Finished, How};
use boardwright_client::MatchChoice;
use boardwright_client::content::{BookContent, Content, SourceFile};
use boardwright_local::{default_file, finish_autosaves};
use boardwright_protocol::Problem;
use crate::closing::Closing;
use crate::corner::{CornerWish, corner_ui};
use crate::drawer::{Drawer, Leaf};
use crate::files::{Files, FilesWish, Kept};
use crate::keymap::KeyMap;
use crate::keys::{Act, self};
use crate::launcher::{Launcher, LauncherWish, Recents};
use crate::match_screen::{MatchScreen, MatchWish};
use crate::panels::problem_ui;
use crate::settings::{Settings, SettingsForm};
use crate::sound::{Cue, Silence, Speaker, Volume};
use crate::texts::{Language, self, text};
use crate::theme::{ButtonKind, IconButton, dialog_ui, self, size, space, title};

/// Where the settings are kept.
const SETTINGS: &str = "settings";
/// Where it is kept what was begun lately.
const RECENTS: &str = "recent";
/// Where it is kept what the drawer shows.
const DRAWER: &str = "drawer";
/// How long the end of the program waits for automatic copies.
const LAST_COPIES: Duration = Duration::from_secs(3);

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
    /// A saved match, to be watched from its beginning.
    Watched(PathBuf),
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
    speaker: Box<dyn Speaker>,
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
    settings_form: SettingsForm,
    key_map: KeyMap,
    /// Why a match could not be opened, until it has been seen.
    trouble: Vec<Problem>,
    system_language: Language,
    /// The language in which the content was looked through.
    language: Language,
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
            speaker: Box::new(Silence),
            drawer: Drawer::default(),
            book: None,
            reads_book: None,
            files_of: None,
            reads: BTreeSet::new(),
            closing: Closing::default(),
            settings_form: SettingsForm::default(),
            key_map: KeyMap::default(),
            trouble: Vec::new(),
            system_language: Language::of_system(),
            language: Language::default(),
            look: Arc::default(),
            is_stale: false,
            results,
            sender,
            alive: Arc::default(),
        };
        texts::set_language(app.settings.language.unwrap_or(app.system_language));
        app.language = texts::language();
        app.refresh();
        app.watch();
        match beginning {
            Beginning::Launcher => {}
            Beginning::Match(choice) => app.begin(choice),
            Beginning::Saved(file) => app.take_up(file, How::TakenUp),
            Beginning::Watched(file) => app.take_up(file, How::Watched),
        }
        app
    }

    /// The same as it was when it was closed last, as far as it is in the storage of the window.
    #[must_use]
    pub fn as_stored(mut self, storage: Option<&dyn eframe::Storage>) -> Self {
        if let Some(storage) = storage {
            self.settings = eframe::get_value(storage, SETTINGS).unwrap_or(self.settings);
            self.recents = eframe::get_value(storage, RECENTS).unwrap_or_default();
            if let Some(leaf) = eframe::get_value(storage, DRAWER).flatten() {
                self.drawer.show(leaf);
            }
        }
        self
    }

    /// The same with somebody who plays its sounds; without, nothing is heard.
    #[must_use]
    pub fn with_speaker(mut self, speaker: Box<dyn Speaker>) -> Self {
        self.speaker = speaker;
        self
    }

    /// Whether rulesets are still being looked through.
    pub fn is_looking(&self) -> bool {
        self.launcher.is_looking
    }

    /// The running match, if there is one.
    pub fn running(&self) -> Option<&MatchScreen> {
        self.running.as_ref()
    }

    /// Shows the screen.
    pub fn draw(&mut self, ui: &mut Ui) {
        self.change_language();
        self.take_results();
        theme::set_seat_style(self.settings.seats);
        ui.ctx().set_theme(self.settings.theme);
        ui.ctx().options_mut(|options| options.zoom_with_keyboard = false);
        ui.ctx().set_zoom_factor(self.settings.text_size.factor());
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
                CornerWish::Settings => self.settings_form.show(),
            }
        }
        self.files_ui(ui);
        let volume = self.settings.volume;
        if self.settings_form.ui(ui, &mut self.settings, self.speaker.is_there()) {
            self.key_map.show();
        }
        if self.settings.volume != volume {
            self.sound(&[Cue::Move]);
        }
        self.key_map.ui(ui);
        self.trouble_ui(ui);
        self.closing_ui(ui);
    }

    fn keys(&mut self, ui: &Ui) {
        let settings = &mut self.settings;
        if keys::pressed(ui, Act::LargerText) {
            settings.text_size = settings.text_size.larger();
        }
        if keys::pressed(ui, Act::SmallerText) {
            settings.text_size = settings.text_size.smaller();
        }
        if self.files.is_shown() || ui.ctx().text_edit_focused() {
            return;
        }
        if keys::pressed(ui, Act::KeyMap) {
            self.key_map.toggle();
        }
        if self.key_map.is_shown() || self.settings_form.is_shown() {
            return;
        }
        if keys::pressed(ui, Act::RuleBook) {
            self.drawer.toggle(Leaf::Book);
        }
        if keys::pressed(ui, Act::Scripts) {
            self.drawer.toggle(Leaf::Scripts);
        }
        if keys::pressed(ui, Act::Open) {
            self.show_open(Kept::All);
        }
        if self.running.is_some() && keys::pressed(ui, Act::SaveAs) {
            self.show_save_as();
        }
    }

    fn sound(&mut self, cues: &[Cue]) {
        if self.settings.volume != Volume::Off && !cues.is_empty() {
            self.speaker.play(cues, self.settings.volume);
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
        let name = name.trim_end_matches(boardwright_content::SAVE_ENDING).to_owned();
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
        if let Some(place) = running.desk_mut().take_halted_at() {
            self.drawer.look_at(place);
            ui.ctx().request_repaint();
        }
        let cues = running.desk_mut().take_cues();
        self.sound(&cues);
        match wish {
            Some(MatchWish::Leave) => {
                self.running = None;
                if self.is_stale {
                    self.refresh();
                }
                self.elsewhere(|content, outbox| {
                    // The copy of the match that was left is one of those to be listed.
                    finish_autosaves(LAST_COPIES);
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

    /// Puts the language of the window in force. What the content tells is asked for again where it was told in another one.
    fn change_language(&mut self) {
        let language = self.settings.language.unwrap_or(self.system_language);
        texts::set_language(language);
        if self.language != language {
            self.language = language;
            (self.book, self.reads_book) = (None, None);
            self.refresh();
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
        let modal = dialog_ui(ui, "trouble", |ui| {
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

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS, &self.settings);
        eframe::set_value(storage, RECENTS, &self.recents);
        eframe::set_value(storage, DRAWER, &self.drawer.leaf());
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.running = None;
        finish_autosaves(LAST_COPIES);
    }
}
