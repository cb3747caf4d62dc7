//! Work on other threads, so that the window never waits: scanning content, reading files, opening matches.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use egui::Context;

use super::{App, Editing, LAST_AUTOSAVES};
use crate::match_controller::Lesson;
use crate::match_screen::MatchScreen;
use crate::screen::StartMatch;
use crate::texts::{self, text};
use boardwright_client::content::{Content, ContentChange, ContentUpdate, OpenedMatch, SourceFile};
use boardwright_client::{MatchChoice, Wake};
use boardwright_model::diagnostic::{Code, Diagnostic};

/// What the window does with a result, on its own thread.
pub(super) type Arrival = Box<dyn FnOnce(&mut App) + Send>;

#[derive(Clone, Debug)]
pub(super) enum OpenMode {
    New(Box<MatchChoice>),
    Resumed,
    Watched,
    Learned,
    /// From the editor.
    Tried,
    /// On a server.
    Online,
}

impl App {
    /// Runs something on a thread of its own.
    pub(super) fn in_background(&self, work: impl FnOnce(&dyn Content, &Outbox) + Send + 'static) {
        let outbox = Outbox {
            sender: self.sender.clone(),
            context: self.context.clone(),
        };
        let content = Arc::clone(&self.content);
        let named = std::thread::Builder::new().name("content".to_owned());
        // Texts made there are in the language of the window.
        let language = texts::language();
        let work = move || {
            texts::set_language(language);
            work(&*content, &outbox);
        };
        if let Err(error) = named.spawn(work) {
            tracing::error!("no thread could be started: {error}");
        }
    }

    /// Looks through the content again.
    pub(super) fn refresh(&mut self) {
        self.is_stale = false;
        self.launcher.is_looking = true;
        let number = self.look.fetch_add(1, Ordering::Relaxed) + 1;
        // What is chosen, or will be, is the first to be read.
        let chosen = self
            .launcher
            .chosen()
            .map(|card| card.id.as_str())
            .or_else(|| self.recents.ruleset());
        let first = chosen.map(str::to_owned);
        let (newest, first_picture) = (Arc::clone(&self.look), self.first_picture.clone());
        self.in_background(move |content, outbox| {
            let put = |arrival: Arrival| {
                outbox.put(move |app| {
                    if app.look.load(Ordering::Relaxed) == number {
                        arrival(app);
                    }
                })
            };
            content.look_through(&texts::locale(), first.as_deref(), &mut |seen| {
                let is_index = matches!(seen, ContentUpdate::RulesetIndex(_));
                let goes_on = newest.load(Ordering::Relaxed) == number && put(Box::new(|app| app.launcher.add_content(seen, &app.recents)));
                if is_index {
                    // Rules are compiled when the processor is free of the first picture.
                    first_picture.wait();
                }
                goes_on
            });
            put(Box::new(|app| app.launcher.is_looking = false));
        });
        self.list_saves();
    }

    pub(super) fn watch(&self) {
        let alive = Arc::downgrade(&self.alive);
        self.in_background(move |content, outbox| {
            content.watch(&mut |changed| {
                let is_sent = changed == ContentChange::Nothing || outbox.put(Self::on_content_change);
                is_sent && alive.upgrade().is_some()
            });
        });
    }

    fn on_content_change(&mut self) {
        self.files_changed();
        if self.running.is_some() {
            self.is_stale = true;
        } else {
            self.refresh();
        }
    }

    pub(super) fn list_saves(&self) {
        self.in_background(|content, outbox| outbox.list_saves(content));
    }

    pub(super) fn read(&mut self, file: SourceFile) {
        if self.reads.insert(file.clone()) {
            self.in_background(move |content, outbox| {
                let text = content.read_source(&file, &texts::locale());
                outbox.put(move |app| app.on_read(file, text));
            });
        }
    }

    fn on_read(&mut self, file: SourceFile, text: Result<String, String>) {
        self.reads.remove(&file);
        match text {
            Ok(text) => self.tools_panel.scripts.set_text(file.place, text),
            Err(message) => {
                self.fail(message);
                // Shown empty, it would be written over.
                self.tools_panel.tab = None;
            }
        }
    }

    /// Writes a file, unless something else is in it than what is to be written or written over: that is shown then.
    pub(super) fn write(&self, file: SourceFile, text: String, over: String) {
        self.in_background(move |content, outbox| {
            let now = content.read_source(&file, &texts::locale()).ok();
            if let Some(now) = now.filter(|now| *now != over && *now != text) {
                outbox.put(move |app| app.on_read(file, Ok(now)));
            } else if outbox.succeeds(content.write_source(&file, &text, &texts::locale())) {
                outbox.put(move |app| app.tools_panel.scripts.on_written(&file.place, text));
            }
        });
    }

    /// Copies the ruleset of a file into the user's own content. A running match goes on by the copy; one that cannot is left.
    pub(super) fn copy_ruleset(&mut self, file: &SourceFile) {
        let Some(ruleset) = file.ruleset().map(str::to_owned) else {
            return;
        };
        let card = self.launcher.shelf.as_ref().and_then(|shelf| shelf.find(&ruleset));
        let title = card.map_or_else(|| ruleset.clone(), |card| card.title.clone());
        let title = text!("new-copy-title", title = title);
        let place = file.place.clone();
        self.in_background(
            move |content, outbox| match content.copy_ruleset(&ruleset, &title, &texts::locale()) {
                Ok(copy) => {
                    let place = place.replacen(&format!("/{ruleset}/"), &format!("/{copy}/"), 1);
                    outbox.put(move |app| app.on_ruleset_copied(&ruleset, copy, place));
                }
                Err(message) => drop(outbox.succeeds(Err(message))),
            },
        );
    }

    fn on_ruleset_copied(&mut self, ruleset: &str, copy: String, place: String) {
        let autosave = self
            .running
            .as_ref()
            .and_then(|running| running.controller.autosave_for(ruleset).map(Path::to_path_buf));
        if let Some(autosave) = autosave {
            let wanted = copy.clone();
            self.leave();
            self.open(OpenMode::Resumed, move |content, wake| {
                content.settle(LAST_AUTOSAVES);
                content.resume_as(&autosave, &wanted, wake)
            });
        } else if self.running.is_some() {
            self.leave();
            self.is_online = false;
        }
        self.launcher.choose_when_known(copy.clone());
        self.own_copy = Some((copy, place));
        self.refresh();
    }

    pub(super) fn begin(&mut self, choice: MatchChoice) {
        self.open(OpenMode::New(Box::new(choice.clone())), move |content, wake| {
            content.begin(&choice, wake)
        });
    }

    pub(super) fn resume(&mut self, file: PathBuf, mode: OpenMode) {
        self.open(mode, move |content, wake| content.resume(&file, wake));
    }

    pub(super) fn learn(&mut self, ruleset: String) {
        self.open(OpenMode::Learned, move |content, wake| content.learn(&ruleset, wake));
    }

    /// Begins a match that the editor asks for, of what is drawn in it.
    pub(super) fn try_out(&mut self, start: StartMatch) {
        self.open(OpenMode::Tried, move |_, wake| start(wake));
    }

    /// Opens a match on a server.
    pub(super) fn play_online(&mut self, start: StartMatch) {
        self.open(OpenMode::Online, move |_, wake| start(wake));
    }

    fn open(&mut self, mode: OpenMode, begin: impl FnOnce(&dyn Content, Wake) -> Result<OpenedMatch, Vec<Diagnostic>> + Send + 'static) {
        self.launcher.is_busy = true;
        self.launcher.problems.clear();
        self.files.problems.clear();
        self.in_background(move |content, outbox| {
            let context = outbox.context.clone();
            let result = begin(content, Arc::new(move || context.request_repaint()));
            outbox.put(move |app| app.on_match(result, mode));
        });
    }

    /// Shows a match that was opened. One that could not be opened leaves everything as it is.
    fn on_match(&mut self, result: Result<OpenedMatch, Vec<Diagnostic>>, mode: OpenMode) {
        self.launcher.is_busy = false;
        let is_watched = matches!(mode, OpenMode::Watched);
        let is_tried = matches!(mode, OpenMode::Tried);
        let choice = match mode {
            OpenMode::New(choice) => Some(*choice),
            OpenMode::Resumed | OpenMode::Watched | OpenMode::Learned | OpenMode::Tried | OpenMode::Online => None,
        };
        match result {
            Ok(begun) => {
                let Ok(mut screen) = MatchScreen::open(begun.link, choice.clone()) else {
                    return self.fail(text!("trouble-gone"));
                };
                if let Some(choice) = &choice {
                    self.recents.note(choice);
                }
                screen
                    .controller
                    .on_opened((begun.file, begun.autosave), begun.tutorial.map(Lesson::new));
                if is_watched {
                    screen.watch();
                }
                self.running = Some(screen);
                self.is_tried = is_tried;
                if self.editing == Editing::InFront {
                    self.editing = Editing::BehindMatch;
                }
                self.files.close();
            }
            Err(problems) if self.files.lists() => self.files.problems = problems,
            Err(problems) if self.running.is_none() && choice.is_some() => self.launcher.problems = problems,
            Err(problems) => self.trouble = problems,
        }
    }

    /// Shows why something that was asked for did not work.
    fn fail(&mut self, message: String) {
        self.trouble.push(Diagnostic::error(Code::File, message));
    }
}

/// Takes results of other threads to the window and wakes it.
pub(super) struct Outbox {
    sender: Sender<Arrival>,
    context: Context,
}

impl Outbox {
    /// Hands over what is to be done with a result; false if the window is gone.
    pub(super) fn put(&self, arrival: impl FnOnce(&mut App) + Send + 'static) -> bool {
        let is_there = self.sender.send(Box::new(arrival)).is_ok();
        self.context.request_repaint();
        is_there
    }

    pub(super) fn list_saves(&self, content: &dyn Content) {
        let saves = content.saves(&texts::locale());
        self.put(move |app| app.files.saves = saves);
    }

    /// Whether something worked; if not, the window shows why.
    pub(super) fn succeeds(&self, result: Result<(), String>) -> bool {
        result.map_err(|message| self.put(move |app| app.fail(message))).is_ok()
    }
}
