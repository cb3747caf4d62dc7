//! A window's way to its host with a tap. Over it the test asks what the host knows, and the line is held from the moment the answer
//! comes until it has been compared: nothing that happens later can make two equal things look different.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use boardwright::client::MatchChoice;
use boardwright::client::content::{BookContent, Content, SaveCard, SourceFile};
use boardwright::client::content::{ContentChange, ContentUpdate, OpenedMatch};
use boardwright::client::{Link, LinkClosed, Locale, Wake};
use boardwright::local::ContentLibrary;
use boardwright::model::SeatId;
use boardwright::model::diagnostic::Diagnostic;
use boardwright::protocol::{Answer, Command, FromHost, Notice, Reply, Request, ViewSnapshot};

/// The id of the test's own questions. The window counts from 1.
const ASKED: u64 = u64::MAX;

/// What a host says when something broke down in it.
const BREAKDOWN: &str = "broke down";

/// The question of the test and what has become of it.
#[derive(Default)]
enum Question {
    #[default]
    None,
    /// To be asked: the match as a viewer sees it.
    Wanted(Option<SeatId>),
    Asked,
    /// The line is held.
    Answered(Reply),
}

#[derive(Default)]
struct Line {
    question: Question,
    /// The number of the newest match; older ones are on their way out.
    newest: u64,
    breakdowns: Vec<String>,
    /// Whether nothing that the host says comes through.
    is_held: bool,
    /// What the window has asked in the newest match and the host has not answered; an answer that is held back is one.
    unanswered: BTreeSet<u64>,
}

/// The tap on all matches of a window.
#[derive(Clone, Default)]
pub struct Tap(Arc<Mutex<Line>>);

impl Tap {
    fn with<T>(&self, take: impl FnOnce(&mut Line) -> T) -> T {
        take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Asks for the match as a viewer sees it.
    pub fn asks(&self, viewer: Option<SeatId>) {
        self.with(|line| line.question = Question::Wanted(viewer));
    }

    /// Whether the answer has come; the line is held since.
    pub fn is_answered(&self) -> bool {
        self.with(|line| matches!(line.question, Question::Answered(_)))
    }

    /// Takes the answer and lets the line go. None if there is none, or the host did not want to tell.
    pub fn lets_go(&self) -> Option<Box<ViewSnapshot>> {
        match self.with(|line| std::mem::take(&mut line.question)) {
            Question::Answered(Reply::View(snapshot)) => Some(snapshot),
            _ => None,
        }
    }

    /// Holds back what the host says, or lets it come.
    pub fn holds_back(&self, is_held: bool) {
        self.with(|line| line.is_held = is_held);
    }

    /// Whether the host has answered all that the window asked, though its answers may be held back.
    pub fn has_all_answers(&self) -> bool {
        self.with(|line| line.unanswered.is_empty())
    }

    /// What broke down in a host.
    pub fn breakdowns(&self) -> Vec<String> {
        self.with(|line| line.breakdowns.clone())
    }
}

/// A link with the tap on it.
struct Tapped {
    link: Box<dyn Link>,
    tap: Tap,
    number: u64,
    /// What is held back, oldest first.
    held: VecDeque<FromHost>,
}

impl Tapped {
    /// What the host says next, also if it is held back.
    fn hears(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        let message = self.link.receive(timeout)?;
        if let Some(FromHost::Answer(Answer { id, .. })) = &message {
            self.tap.with(|line| line.newest == self.number && line.unanswered.remove(id));
        }
        Ok(message)
    }
}

impl Link for Tapped {
    fn latency(&self) -> Option<Duration> {
        self.link.latency()
    }

    fn send(&mut self, request: Request) -> Result<(), LinkClosed> {
        let id = request.id;
        self.link.send(request)?;
        self.tap.with(|line| line.newest == self.number && line.unanswered.insert(id));
        Ok(())
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        if self.tap.with(|line| line.is_held) {
            while let Ok(Some(message)) = self.hears(Some(Duration::ZERO)) {
                self.held.push_back(message);
            }
            return Ok(None);
        }
        if let Some(message) = self.held.pop_front() {
            return Ok(Some(message));
        }
        let number = self.number;
        let wanted = self.tap.with(|line| match line.question {
            Question::Answered(_) if line.newest == number => Err(()),
            Question::Wanted(seat) if line.newest == number => {
                line.question = Question::Asked;
                Ok(Some(seat))
            }
            _ => Ok(None),
        });
        match wanted {
            Err(()) => return Ok(None),
            Ok(Some(seat)) => self.link.send(Request {
                id: ASKED,
                command: Command::View { seat },
            })?,
            Ok(None) => {}
        }
        let message = self.hears(timeout)?;
        if let Some(FromHost::Answer(Answer { id: ASKED, reply })) = message {
            self.tap.with(|line| {
                if line.newest == number {
                    line.question = Question::Answered(reply);
                }
            });
            return Ok(None);
        }
        let said = match &message {
            Some(FromHost::Notice(Notice::Message { text })) => text,
            Some(FromHost::Answer(Answer {
                reply: Reply::Error { message },
                ..
            })) => message,
            _ => "",
        };
        if said.contains(BREAKDOWN) {
            self.tap.with(|line| line.breakdowns.push(said.to_owned()));
        }
        Ok(message)
    }
}

/// A `content_library` whose matches are tapped, and which opens nothing outside of the window.
pub struct TappedContent {
    content: ContentLibrary,
    tap: Tap,
}

impl TappedContent {
    pub fn new(root: &Path, saves: &Path, tap: Tap) -> Self {
        Self {
            content: ContentLibrary::new(vec![root.to_owned()])
                .with_pictures(boardwright::ui::thumbnail)
                .with_saves(saves.to_owned()),
            tap,
        }
    }

    fn tapped(&self, begun: OpenedMatch) -> OpenedMatch {
        let number = self.tap.with(|line| {
            line.newest += 1;
            line.question = Question::None;
            line.unanswered.clear();
            line.newest
        });
        OpenedMatch {
            link: Box::new(Tapped {
                link: begun.link,
                tap: self.tap.clone(),
                number,
                held: VecDeque::new(),
            }),
            file: begun.file,
            autosave: begun.autosave,
            tutorial: begun.tutorial,
        }
    }
}

impl Content for TappedContent {
    fn look_through(&self, locale: &Locale, first: Option<&str>, tell: &mut dyn FnMut(ContentUpdate) -> bool) {
        self.content.look_through(locale, first, tell);
    }

    fn watch(&self, tell: &mut dyn FnMut(ContentChange) -> bool) {
        self.content.watch(tell);
    }

    fn saves(&self, locale: &Locale) -> Vec<SaveCard> {
        self.content.saves(locale)
    }

    fn saves_folder(&self) -> Option<PathBuf> {
        self.content.saves_folder()
    }

    fn save_name(&self, ruleset: &str, scenario: &str) -> String {
        self.content.save_name(ruleset, scenario)
    }

    fn save_ending(&self) -> &'static str {
        self.content.save_ending()
    }

    fn settle(&self, most: Duration) {
        self.content.settle(most);
    }

    fn delete_save(&self, file: &Path) -> Result<(), String> {
        self.content.delete_save(file)
    }

    fn forget_cut_off(&self, file: &Path) {
        self.content.forget_cut_off(file);
    }

    fn begin(&self, choice: &MatchChoice, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        self.content.begin(choice, wake).map(|begun| self.tapped(begun))
    }

    fn copy_ruleset(&self, ruleset: &str, title: &str, locale: &Locale) -> Result<String, String> {
        self.content.copy_ruleset(ruleset, title, locale)
    }

    fn learn(&self, ruleset: &str, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        self.content.learn(ruleset, wake).map(|begun| self.tapped(begun))
    }

    fn resume(&self, file: &Path, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        self.content.resume(file, wake).map(|begun| self.tapped(begun))
    }

    fn resume_as(&self, autosave: &Path, ruleset: &str, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        self.content.resume_as(autosave, ruleset, wake).map(|begun| self.tapped(begun))
    }

    fn rule_book(&self, ruleset: &str, locale: &Locale) -> BookContent {
        self.content.rule_book(ruleset, locale)
    }

    fn sources(&self, ruleset: &str) -> Vec<SourceFile> {
        self.content.sources(ruleset)
    }

    fn read_source(&self, file: &SourceFile, locale: &Locale) -> Result<String, String> {
        self.content.read_source(file, locale)
    }

    fn write_source(&self, file: &SourceFile, text: &str, locale: &Locale) -> Result<(), String> {
        self.content.write_source(file, text, locale)
    }

    fn open_elsewhere(&self, _: &SourceFile) -> Result<(), String> {
        Err("a test opens nothing elsewhere".to_owned())
    }
}
