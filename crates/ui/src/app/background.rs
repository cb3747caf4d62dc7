//! Work on other threads, so that the window never waits: scanning content, reading files, opening matches.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use egui::Context;

use super::App;
use crate::match_screen::MatchScreen;
use crate::texts::{self, text};
use boardwright_client::content::{BookContent, Content, ContentChange, ContentUpdate, OpenedMatch, SaveCard, SourceFile};
use boardwright_client::{MatchChoice, Wake};
use boardwright_model::diagnostic::{Code, Diagnostic};

pub(super) enum BackgroundResult {
    /// Part of a look through the content, with the number of that look.
    ContentUpdate(u64, ContentUpdate),
    Looked(u64),
    ContentChange,
    Saves(Vec<SaveCard>),
    /// Something that was asked for in a dialog did not work.
    Failed(String),
    Book(BookContent),
    /// The files of a ruleset that can be edited.
    Sources(String, Vec<SourceFile>),
    Read(SourceFile, Result<String, String>),
    Written(SourceFile, String),
    Match(Result<OpenedMatch, Vec<Diagnostic>>, OpenMode),
}

#[derive(Clone, Debug)]
pub(super) enum OpenMode {
    New(MatchChoice),
    Resumed,
    Watched,
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
        let newest = Arc::clone(&self.look);
        self.in_background(move |content, outbox| {
            let mut tell = |seen| newest.load(Ordering::Relaxed) == number && outbox.put(BackgroundResult::ContentUpdate(number, seen));
            content.look_through(&texts::locale(), &mut tell);
            outbox.put(BackgroundResult::Looked(number));
        });
        self.list_saves();
    }

    pub(super) fn watch(&self) {
        let alive = Arc::downgrade(&self.alive);
        self.in_background(move |content, outbox| {
            content.watch(&mut |changed| {
                let told = changed == ContentChange::Nothing || outbox.put(BackgroundResult::ContentChange);
                told && alive.upgrade().is_some()
            });
        });
    }

    pub(super) fn list_saves(&self) {
        self.in_background(|content, outbox| _ = outbox.put(BackgroundResult::Saves(content.saves(&texts::locale()))));
    }

    pub(super) fn begin(&mut self, choice: MatchChoice) {
        self.open(OpenMode::New(choice.clone()), move |content, wake| content.begin(&choice, wake));
    }

    pub(super) fn resume(&mut self, file: PathBuf, mode: OpenMode) {
        self.open(mode, move |content, wake| content.resume(&file, wake));
    }

    pub(super) fn open(
        &mut self,
        mode: OpenMode,
        begin: impl FnOnce(&dyn Content, Wake) -> Result<OpenedMatch, Vec<Diagnostic>> + Send + 'static,
    ) {
        self.launcher.is_busy = true;
        self.launcher.problems.clear();
        self.files.problems.clear();
        self.in_background(move |content, outbox| {
            let result = begin(content, outbox.wake());
            outbox.put(BackgroundResult::Match(result, mode));
        });
    }

    pub(super) fn handle_results(&mut self) {
        while let Ok(result) = self.results.try_recv() {
            match result {
                BackgroundResult::ContentUpdate(number, seen) if number == self.look.load(Ordering::Relaxed) => {
                    self.launcher.add_content(seen);
                }
                BackgroundResult::Looked(number) if number == self.look.load(Ordering::Relaxed) => self.launcher.is_looking = false,
                BackgroundResult::ContentUpdate(..) | BackgroundResult::Looked(_) => {}
                BackgroundResult::ContentChange => {
                    self.files_changed();
                    if self.running.is_some() {
                        self.is_stale = true;
                    } else {
                        self.refresh();
                    }
                }
                BackgroundResult::Book(book) => {
                    self.reads_book = None;
                    self.book = Some(book);
                }
                BackgroundResult::Sources(ruleset, files) => self.tools_panel.scripts_mut().set_files(&ruleset, files),
                BackgroundResult::Read(file, text) => {
                    self.reads.remove(&file);
                    match text {
                        Ok(text) => self.tools_panel.scripts_mut().set_text(file.place, text),
                        Err(message) => {
                            self.trouble.push(plain_problem(message));
                            // Shown empty, it would be written over.
                            self.tools_panel.close();
                        }
                    }
                }
                BackgroundResult::Written(file, text) => self.tools_panel.scripts_mut().on_written(&file.place, text),
                BackgroundResult::Saves(saves) => self.files.saves = saves,
                BackgroundResult::Failed(message) => self.trouble.push(plain_problem(message)),
                BackgroundResult::Match(result, mode) => {
                    self.launcher.is_busy = false;
                    self.handle_match(result, &mode);
                }
            }
        }
    }

    /// Shows a match that was opened. One that could not be opened leaves everything as it is.
    pub(super) fn handle_match(&mut self, result: Result<OpenedMatch, Vec<Diagnostic>>, mode: &OpenMode) {
        match result {
            Ok(begun) => {
                let choice = match mode {
                    OpenMode::New(choice) => Some(choice.clone()),
                    OpenMode::Resumed | OpenMode::Watched => None,
                };
                let Ok(mut screen) = MatchScreen::open(begun.link, choice.clone()) else {
                    self.trouble.push(plain_problem(text!("trouble-gone")));
                    return;
                };
                if let Some(choice) = &choice {
                    self.recents.note(choice);
                }
                screen.controller_mut().set_file(begun.file);
                if matches!(mode, OpenMode::Watched) {
                    screen.watch();
                }
                self.running = Some(screen);
                self.files.close();
            }
            Err(problems) if self.files.lists() => self.files.problems = problems,
            Err(problems) if self.running.is_none() && matches!(mode, OpenMode::New(_)) => self.launcher.problems = problems,
            Err(problems) => self.trouble = problems,
        }
    }
}

/// A problem that is a text alone.
pub(super) fn plain_problem(message: String) -> Diagnostic {
    Diagnostic::error(Code::File, message)
}

/// Takes results of other threads to the window and wakes it.
pub(super) struct Outbox {
    sender: Sender<BackgroundResult>,
    context: Context,
}

impl Outbox {
    /// Hands over a result; false if the window is gone.
    pub(super) fn put(&self, result: BackgroundResult) -> bool {
        let is_there = self.sender.send(result).is_ok();
        self.context.request_repaint();
        is_there
    }

    fn wake(&self) -> Wake {
        let context = self.context.clone();
        Arc::new(move || context.request_repaint())
    }
}
