//! The program behind the window: which screen is shown, and what is under way on other threads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::{Context, Ui};

use super::content::{Content, SaveCard, Shelf};
use super::launcher::{Launcher, LauncherWish};
use super::match_screen::{MatchScreen, MatchWish};
use super::settings::Settings;
use super::texts::{self, Language};
use super::theme;
use crate::client::local::MatchChoice;
use crate::client::messages::Problem;
use crate::client::{Link, Wake};

/// Where the settings are kept.
const SETTINGS: &str = "settings";

/// What comes back from another thread.
enum Finished {
    Shelf(Shelf),
    Saves(Vec<SaveCard>),
    Match(Result<Box<dyn Link>, Vec<Problem>>, Option<MatchChoice>),
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
    Saved(String),
}

/// The program behind the window.
pub struct App {
    content: Arc<dyn Content>,
    context: Context,
    launcher: Launcher,
    running: Option<MatchScreen>,
    /// What the player likes.
    pub settings: Settings,
    system_language: Language,
    results: Receiver<Finished>,
    sender: Sender<Finished>,
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
            settings,
            system_language: Language::of_system(),
            results,
            sender,
        };
        app.refresh();
        match beginning {
            Beginning::Launcher => {}
            Beginning::Match(choice) => app.begin(choice),
            Beginning::Saved(file) => app.take_up(file),
        }
        app
    }

    /// The settings kept in the storage of the window.
    pub fn stored_settings(storage: Option<&dyn eframe::Storage>) -> Settings {
        storage.and_then(|storage| eframe::get_value(storage, SETTINGS)).unwrap_or_default()
    }

    /// The running match, if there is one.
    pub fn running(&self) -> Option<&MatchScreen> {
        self.running.as_ref()
    }

    /// Runs something on a thread of its own and takes in its result later.
    fn elsewhere(&self, work: impl FnOnce(&dyn Content, Wake) -> Finished + Send + 'static) {
        let (content, sender, context) = (Arc::clone(&self.content), self.sender.clone(), self.context.clone());
        let wake: Wake = {
            let context = context.clone();
            Arc::new(move || context.request_repaint())
        };
        let named = std::thread::Builder::new().name("content".to_owned());
        let started = named.spawn(move || {
            let result = work(&*content, wake);
            // The window may have been closed in the meantime.
            drop(sender.send(result));
            context.request_repaint();
        });
        if let Err(error) = started {
            tracing::error!("no thread could be started: {error}");
        }
    }

    fn refresh(&mut self) {
        self.launcher.shelf = None;
        self.elsewhere(|content, _| Finished::Shelf(content.shelf()));
        self.elsewhere(|content, _| Finished::Saves(content.saves()));
    }

    fn begin(&mut self, choice: MatchChoice) {
        self.launcher.is_busy = true;
        self.launcher.problems.clear();
        self.elsewhere(move |content, wake| Finished::Match(content.begin(&choice, wake), Some(choice)));
    }

    fn take_up(&mut self, file: String) {
        self.launcher.is_busy = true;
        self.launcher.problems.clear();
        self.elsewhere(move |content, wake| Finished::Match(content.take_up(&file, wake), None));
    }

    fn take_results(&mut self) {
        while let Ok(result) = self.results.try_recv() {
            match result {
                Finished::Shelf(shelf) => self.launcher.take_shelf(shelf),
                Finished::Saves(saves) => self.launcher.saves = saves,
                Finished::Match(Ok(link), choice) => {
                    self.launcher.is_busy = false;
                    self.running = MatchScreen::open(link, choice).ok();
                }
                Finished::Match(Err(problems), _) => {
                    self.launcher.is_busy = false;
                    self.launcher.problems = problems;
                }
            }
        }
    }

    /// Shows the screen.
    pub fn draw(&mut self, ui: &mut Ui) {
        texts::set_language(self.settings.language.unwrap_or(self.system_language));
        self.take_results();
        ui.ctx().set_theme(self.settings.theme);
        let mut settings = self.settings;
        if let Some(running) = &mut self.running {
            let seen = self.settings;
            let wish = running.ui(ui, &seen, |ui| settings.corner_ui(ui));
            self.settings = settings;
            match wish {
                Some(MatchWish::Leave) => {
                    self.running = None;
                    self.elsewhere(|content, _| Finished::Saves(content.saves()));
                    ui.ctx().request_repaint();
                }
                Some(MatchWish::Rematch(choice)) => self.begin(choice),
                None => {}
            }
        } else {
            let mut wishes = Vec::new();
            self.launcher.ui(ui, &mut wishes, |ui| settings.corner_ui(ui));
            self.settings = settings;
            for wish in wishes {
                match wish {
                    LauncherWish::Begin(choice) => self.begin(choice),
                    LauncherWish::TakeUp(file) => self.take_up(file),
                    LauncherWish::Refresh => self.refresh(),
                }
            }
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS, &self.settings);
    }
}
