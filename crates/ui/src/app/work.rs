//! What the program has done on other threads, so that the window never waits: looking through content, reading, opening matches.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use egui::Context;

use super::App;
use boardwright_client::{MatchChoice, Wake};
use boardwright_client::content::{Begun, BookContent, Changed, Content, SaveCard, Seen, SourceFile};
use boardwright_protocol::Problem;
use crate::match_screen::MatchScreen;
use crate::texts::{self, text};

/// What comes back from another thread.
pub(super) enum Finished {
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
pub(super) enum How {
    Begun(MatchChoice),
    TakenUp,
    Watched,
}

impl App {
    /// Runs something on a thread of its own.
    pub(super) fn elsewhere(&self, work: impl FnOnce(&dyn Content, &Outbox) + Send + 'static) {
        let outbox = Outbox {
            sender: self.sender.clone(),
            context: self.context.clone(),
        };
        let content = Arc::clone(&self.content);
        let named = std::thread::Builder::new().name("content".to_owned());
        // What is told there is told in the language of the window.
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
        self.elsewhere(move |content, outbox| {
            let mut tell = |seen| newest.load(Ordering::Relaxed) == number && outbox.put(Finished::Seen(number, seen));
            content.look_through(&mut tell);
            outbox.put(Finished::Looked(number));
        });
        self.list_saves();
    }

    pub(super) fn watch(&self) {
        let alive = Arc::downgrade(&self.alive);
        self.elsewhere(move |content, outbox| {
            content.watch(&mut |changed| {
                let told = changed == Changed::Nothing || outbox.put(Finished::Changed);
                told && alive.upgrade().is_some()
            });
        });
    }

    pub(super) fn list_saves(&self) {
        self.elsewhere(|content, outbox| _ = outbox.put(Finished::Saves(content.saves())));
    }

    pub(super) fn begin(&mut self, choice: MatchChoice) {
        self.open(How::Begun(choice.clone()), move |content, wake| content.begin(&choice, wake));
    }

    pub(super) fn take_up(&mut self, file: PathBuf, how: How) {
        self.open(how, move |content, wake| content.take_up(&file, wake));
    }

    pub(super) fn open(&mut self, how: How, begin: impl FnOnce(&dyn Content, Wake) -> Result<Begun, Vec<Problem>> + Send + 'static) {
        self.launcher.is_busy = true;
        self.launcher.problems.clear();
        self.files.problems.clear();
        self.elsewhere(move |content, outbox| {
            let result = begin(content, outbox.wake());
            outbox.put(Finished::Match(result, how));
        });
    }

    pub(super) fn take_results(&mut self) {
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
    pub(super) fn take_match(&mut self, result: Result<Begun, Vec<Problem>>, how: &How) {
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
                if matches!(how, How::Watched) {
                    screen.watch();
                }
                self.running = Some(screen);
                self.files.close();
            }
            Err(problems) if self.files.lists() => self.files.problems = problems,
            Err(problems) if self.running.is_none() && matches!(how, How::Begun(_)) => self.launcher.problems = problems,
            Err(problems) => self.trouble = problems,
        }
    }
}

/// A problem that is a text alone.
pub(super) fn plain_problem(message: String) -> Problem {
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
pub(super) struct Outbox {
    sender: Sender<Finished>,
    context: Context,
}

impl Outbox {
    /// Hands over a result; false if the window is gone.
    pub(super) fn put(&self, result: Finished) -> bool {
        let is_there = self.sender.send(result).is_ok();
        self.context.request_repaint();
        is_there
    }

    fn wake(&self) -> Wake {
        let context = self.context.clone();
        Arc::new(move || context.request_repaint())
    }
}
