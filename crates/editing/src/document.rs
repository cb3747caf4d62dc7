//! An open file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use boardwright_content::xml::{MOST_BYTES, Source};
use boardwright_content::{BACKUPS, WriteError, read_bytes, write_atomic};
use boardwright_model::diagnostic::Diagnostics;

use super::edit_log::{self, EditLog, Found, Line};
use super::file_texts::{FileTexts, script_path};
use super::history::History;
use super::merge::{Conflict, differences, merge};
use super::step::apply_all;
use super::{Draft, Edit, Step, StepKind};

/// An open map or scenario: what it says, the text it was read from, and all steps that led from there to here.
///
/// Every change is in a log beside the file before a call returns, so that nothing is lost when the program is killed. The log stays when the
/// file is saved and closed: its steps can still be undone when it is opened again. Where nothing may be written beside the file, the log lies
/// elsewhere ([`open_with_history`](Self::open_with_history)).
#[derive(Debug)]
pub struct Document {
    path: PathBuf,
    /// The file beside which the log lies: this one, or one that need not be there.
    place: PathBuf,
    /// The texts of the file as they were last read or written.
    base: FileTexts,
    draft: Draft,
    history: History,
    /// Where in the history the draft was that the file has; `None` if no step leads there.
    saved_at: Option<usize>,
    /// Texts of the file, with where in the history they were read or written.
    texts: Vec<(usize, Source)>,
    log: Option<EditLog>,
    log_fault: Option<String>,
    /// Whether there are steps of which no log knows.
    is_unlogged: bool,
    /// Where the log of somebody else was moved to.
    set_aside: Option<PathBuf>,
    revision: u64,
    /// What the file begins with before its text.
    mark: &'static [u8],
}

/// The byte order mark that some text editors write.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A document that was opened, with what was found beside its file.
#[derive(Debug)]
pub struct Opened {
    /// The document.
    pub document: Document,
    /// Work that was not saved when the file was open last, if there is any. It is in the document.
    pub recovered: Option<Recovered>,
    /// Where work is that was not saved when the file was open last and cannot be read any more, or does not fit what the file says now.
    pub set_aside: Option<PathBuf>,
    /// Whether the file is open elsewhere, in another window or another tab. Its history and what is not saved there are not here, and what is
    /// done here is not kept beside the file until it is closed there.
    pub is_open_elsewhere: bool,
}

/// Work that was not saved when a file was open last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// How many changes it is, undoing and redoing among them.
    pub changes: usize,
    /// Where it and changes that somebody else made to the file meanwhile are about the same. The recovered work stands.
    pub conflicts: Vec<Conflict>,
}

/// What was made of changes of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenIn {
    /// What was changed here: no edits where the draft says the same already.
    pub edits: Vec<Edit>,
    /// Where both sides changed the same. What is here stands.
    pub conflicts: Vec<Conflict>,
}

/// A document that was not saved. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Somebody made the file read-only.
    #[error("{path} is not saved: it is read-only", path = .0.display())]
    ReadOnly(PathBuf),
    /// The new text could not be read again.
    #[error("{0}")]
    Unreadable(Diagnostics),
    /// Somebody else changed the file, or the script beside it; their texts now. [`Document::merge_outside`] takes the changes in.
    #[error("the file was changed by another program")]
    ChangedOutside(Box<FileTexts>),
}

impl Document {
    /// Opens a file, with the work that was not saved when it was open last. If the file was changed since by another program, both are
    /// merged.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub fn open(path: &Path) -> Result<Opened, Diagnostics> {
        Self::open_with_history(path, path)
    }

    /// The same for a file beside which nothing may be written: its history lies beside `place`, which is a path that no other file has. Its folder is
    /// made with the first change.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub fn open_with_history(path: &Path, place: &Path) -> Result<Opened, Diagnostics> {
        let name = path.display().to_string();
        let bytes = read_bytes(path, &name, MOST_BYTES)?;
        let texts = FileTexts::of(path, Source::from_bytes(name, &bytes)?)?;
        let mark = if bytes.starts_with(MARK) { MARK } else { b"" };
        let found = EditLog::open(place, &texts);
        let is_open_elsewhere = found.is_err();
        let logged = match found {
            Ok(Found::Log(logged)) => *logged,
            found => {
                let set_aside = if let Ok(Found::SetAside(aside)) = found {
                    Some(aside)
                } else {
                    None
                };
                let draft = texts.draft()?;
                let mut document = Self::of(path, place, texts, draft);
                document.mark = mark;
                return Ok(Opened {
                    document,
                    recovered: None,
                    set_aside,
                    is_open_elsewhere,
                });
            }
        };
        let mut document = Self::of(path, place, logged.base.clone(), logged.draft);
        document.mark = mark;
        document.log = Some(logged.log);
        document.history = logged.history;
        document.saved_at = logged.saved_at;
        document.texts = logged.saved_at.map(|at| (at, logged.base.source)).into_iter().collect();
        let mut conflicts = Vec::new();
        if !texts.are(&document.base) {
            conflicts = document.merge_outside(&texts)?.conflicts;
        }
        let changes = logged.unsaved;
        let recovered = (changes > 0 && document.is_changed()).then_some(Recovered { changes, conflicts });
        Ok(Opened {
            document,
            recovered,
            set_aside: None,
            is_open_elsewhere,
        })
    }

    /// Makes a new file, and opens it. The script that it names is made with it, unless there is a file of that name.
    ///
    /// # Errors
    /// A file of this name is there already, or cannot be written, or what it would say could not be read again.
    pub fn create(path: &Path, draft: &Draft) -> Result<Self, SaveError> {
        let source = Source::new(path.display().to_string(), &draft.print());
        Draft::read(&source).map_err(SaveError::Unreadable)?;
        if path.exists() {
            return Err(WriteError::NotAFile(path.to_path_buf()).into());
        }
        write_new_script(path, draft)?;
        write_atomic(path, source.text().as_bytes(), 0)?;
        edit_log::delete(path);
        let texts = FileTexts::of(path, source).map_err(SaveError::Unreadable)?;
        let draft = texts.draft().map_err(SaveError::Unreadable)?;
        Ok(Self::of(path, path, texts, draft))
    }

    fn of(path: &Path, place: &Path, base: FileTexts, draft: Draft) -> Self {
        Self {
            path: path.to_path_buf(),
            place: place.to_path_buf(),
            texts: vec![(0, base.source.clone())],
            base,
            draft,
            history: History::default(),
            saved_at: Some(0),
            log: None,
            log_fault: None,
            is_unlogged: false,
            set_aside: None,
            revision: 0,
            mark: b"",
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says now.
    pub const fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The text of the file as it was last read or written.
    pub const fn source(&self) -> &Source {
        &self.base.source
    }

    /// The revision: caches of the draft compare it.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether it says something else than its file.
    pub fn is_changed(&self) -> bool {
        self.saved_at != Some(self.history.position())
    }

    /// Why the last change could not be written to the log, if it could not: it would be lost with the program.
    pub fn log_fault(&self) -> Option<&str> {
        self.log_fault.as_deref()
    }

    /// The kinds of all steps in order, those that were undone included; [`position`](Self::position) of them are made.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = StepKind> + '_ {
        self.history.kinds()
    }

    /// How many steps are made and not undone.
    pub const fn position(&self) -> usize {
        self.history.position()
    }

    /// Whether there is a step to be undone.
    pub const fn may_undo(&self) -> bool {
        self.history.position() > 0
    }

    /// Whether there is a step to be made again.
    pub const fn may_redo(&self) -> bool {
        self.history.has_redo()
    }

    /// Makes a step. One without edits is no step.
    pub fn apply(&mut self, step: Step) {
        if step.is_empty() {
            return;
        }
        self.forget_after();
        let (kind, redo) = (step.kind, step.edits.clone());
        let undo = self.history.apply(step, &mut self.draft).to_vec();
        self.changed(&Line::Step { kind, redo, undo });
    }

    /// Adds edits to the step that was made last, as a stroke goes on: both are undone together.
    pub fn extend(&mut self, edits: Vec<Edit>) {
        if edits.is_empty() {
            return;
        }
        self.forget_after();
        let position = self.history.position();
        self.texts.retain(|(at, _)| *at != position);
        self.saved_at = self.saved_at.filter(|at| *at != position);
        let redo = edits.clone();
        let undo = self.history.extend(edits, &mut self.draft);
        self.changed(&Line::More { redo, undo });
    }

    /// Undoes the last step, and tells of what kind it was.
    pub fn undo(&mut self) -> Option<StepKind> {
        let kind = self.history.undo(&mut self.draft)?;
        self.changed(&Line::Undo);
        Some(kind)
    }

    /// Makes the step again that was undone last, and tells of what kind it is.
    pub fn redo(&mut self) -> Option<StepKind> {
        let kind = self.history.redo(&mut self.draft)?;
        self.changed(&Line::Redo);
        Some(kind)
    }

    /// Goes to where so many steps are made, as far as there are any.
    pub fn go_to(&mut self, position: usize) {
        while self.position() > position && self.undo().is_some() {}
        while self.position() < position && self.redo().is_some() {}
    }

    /// What lies ahead in the history is about to be forgotten.
    fn forget_after(&mut self) {
        let position = self.history.position();
        self.texts.retain(|(at, _)| *at <= position);
        self.saved_at = self.saved_at.filter(|at| *at <= position);
    }

    fn changed(&mut self, line: &Line) {
        self.revision += 1;
        let written = self.log_change(line);
        self.is_unlogged |= written.is_err();
        self.log_fault = written.err().map(|error| boardwright_content::io_error_text(&error));
    }

    fn log_change(&mut self, line: &Line) -> io::Result<()> {
        let mut log = if let Some(log) = self.log.take() {
            log
        } else {
            if let Some(folder) = self.place.parent().filter(|_| self.place != self.path) {
                fs::create_dir_all(folder)?;
            }
            let (mut log, aside) = EditLog::begin(&self.place, &self.base)?;
            self.set_aside = aside.or(self.set_aside.take());
            if self.is_unlogged {
                log.miss();
            }
            log
        };
        let mut written = if log.can_say(line) {
            log.append(line)
        } else {
            log.miss();
            self.base_log(&mut log)
        };
        if written.is_ok() && log.is_too_large() {
            written = self.base_log(&mut log);
        }
        self.log = Some(log);
        written
    }

    /// Has a log say where the draft stands.
    fn base_log(&self, log: &mut EditLog) -> io::Result<()> {
        let base = self.base.draft().map_err(|wrong| io::Error::other(wrong.to_string()))?;
        log.rebase(&self.base, differences(&base, &self.draft))
    }

    /// Whether the file was open elsewhere when it was opened here, and no longer is: nothing was changed here, and what was not saved there is found by
    /// opening it again.
    pub fn may_be_recovered(&self) -> bool {
        self.log.is_none() && self.history.kinds().len() == 0 && edit_log::is_free(&self.place)
    }

    /// Where the log went of somebody who had the file open when it was opened here, and did not save; told once.
    pub const fn take_set_aside(&mut self) -> Option<PathBuf> {
        self.set_aside.take()
    }

    /// The text that a save would write. Where nothing was changed, and where everything was undone, it is the text of the file to the byte.
    ///
    /// # Errors
    /// Everything that keeps the text from being read again.
    pub fn text(&self) -> Result<String, Diagnostics> {
        let position = self.history.position();
        if let Some((_, source)) = self.texts.iter().find(|(at, _)| *at == position) {
            return Ok(source.text().to_owned());
        }
        self.draft.rewrite(&self.base.source)
    }

    /// Writes the file and the script that it names, as far as they have changed, and keeps the earlier ones beside them as backups.
    ///
    /// # Errors
    /// Everything that keeps it from being written, also changes of the file or its script by another program.
    pub fn save(&mut self) -> Result<(), SaveError> {
        // What cannot be read is written over; it stays as a backup.
        if let Ok(Some(theirs)) = self.changed_outside() {
            return Err(SaveError::ChangedOutside(Box::new(theirs)));
        }
        self.save_over()
    }

    /// Writes the file even if another program has changed it: what that wrote stays beside it as a backup.
    ///
    /// # Errors
    /// Everything that keeps it from being written.
    pub fn save_over(&mut self) -> Result<(), SaveError> {
        // The file is replaced, not written to: the system would not refuse.
        if fs::metadata(&self.path).is_ok_and(|file| file.permissions().readonly()) {
            return Err(SaveError::ReadOnly(self.path.clone()));
        }
        let text = self.text().map_err(SaveError::Unreadable)?;
        let texts = FileTexts {
            source: Source::new(self.base.source.file(), &text),
            script: self.draft.overlay().map(|(_, script)| script.to_owned()),
            named: self.draft.overlay().map(|(file, _)| file.to_owned()),
        };
        // The script comes first: without it the scenario could not be played.
        let is_script_written = self.save_script()?;
        if !is_script_written || text != self.base.source.text() {
            write_atomic(&self.path, &[self.mark, text.as_bytes()].concat(), BACKUPS)?;
        }
        if let Some(log) = &mut self.log {
            let written = log.rebase(&texts, Vec::new());
            self.log_fault = written.err().map(|error| boardwright_content::io_error_text(&error));
        }
        self.mark_saved(texts);
        Ok(())
    }

    /// Writes what it says with some edits, such as another id, into a new file, and goes on with that file and the history of this one, which is no
    /// longer kept for the file before. The edits are no step. The file before stays as it is.
    ///
    /// # Errors
    /// There is a file of this name, or one of the name of its script that says something else; or the new file cannot be written, or what it would
    /// say could not be read again. The document is as it was.
    pub fn save_copy(&mut self, path: &Path, edits: Vec<Edit>) -> Result<(), SaveError> {
        if path.exists() {
            return Err(WriteError::NotAFile(path.to_path_buf()).into());
        }
        let mut draft = self.draft.clone();
        drop(apply_all(edits, &mut draft));
        let text = draft.rewrite(&self.base.source).map_err(SaveError::Unreadable)?;
        write_new_script(path, &draft)?;
        let texts = FileTexts::of(path, Source::new(path.display().to_string(), &text)).map_err(SaveError::Unreadable)?;
        if texts.draft().map_err(SaveError::Unreadable)? != draft {
            let script = draft.overlay().map_or_else(PathBuf::new, |(file, _)| path.with_file_name(file));
            return Err(WriteError::NotAFile(script).into());
        }
        write_atomic(path, &[self.mark, text.as_bytes()].concat(), 0)?;
        self.path = path.to_path_buf();
        self.place = path.to_path_buf();
        self.draft = draft;
        self.revision += 1;
        // Texts from before are those of another file.
        self.texts.clear();
        self.log_fault = None;
        match self.log.take().map(|log| log.move_to(path, &texts)) {
            Some(Ok(log)) => self.log = Some(log),
            Some(Err(error)) => {
                self.is_unlogged = true;
                self.log_fault = Some(boardwright_content::io_error_text(&error));
            }
            None => {}
        }
        self.mark_saved(texts);
        Ok(())
    }

    /// Writes the script, unless its file says the same.
    fn save_script(&self) -> Result<bool, WriteError> {
        let Some((file, text)) = self.draft.overlay() else {
            return Ok(false);
        };
        let beside = script_path(&self.path, file)?;
        let there = boardwright_content::read_text(&beside, file, MOST_BYTES).ok();
        if there.as_deref() == Some(text) {
            return Ok(false);
        }
        write_atomic(&beside, text.as_bytes(), BACKUPS)?;
        Ok(true)
    }

    fn mark_saved(&mut self, texts: FileTexts) {
        let position = self.history.position();
        self.saved_at = Some(position);
        self.texts.retain(|(at, _)| *at != position);
        self.texts.push((position, texts.source.clone()));
        self.base = texts;
    }

    /// The texts of the file and its script, if another program has changed them.
    ///
    /// # Errors
    /// Why they cannot be read, such as a file that is gone.
    pub fn changed_outside(&self) -> Result<Option<FileTexts>, Diagnostics> {
        let now = FileTexts::again(&self.path, &self.base)?;
        Ok((!now.are(&self.base)).then_some(now))
    }

    /// Takes in what another program changed in the file or its script, as a step that can be undone. Where both changed the same, what is here
    /// stands, and each such place is told with the step that would take the other instead.
    ///
    /// # Errors
    /// Everything that is wrong with the other text; nothing is changed then.
    pub fn merge_outside(&mut self, theirs: &FileTexts) -> Result<TakenIn, Diagnostics> {
        let other = theirs.draft()?;
        let base = self.base.draft()?;
        let merged = merge(&base, &self.draft, &other);
        let edits = differences(&self.draft, &merged.draft);
        self.apply(Step::new(StepKind::Merge, edits.clone()));
        self.base = theirs.clone();
        self.saved_at = None;
        // Texts from before are not what the file goes on from.
        self.texts.clear();
        if self.draft == other {
            self.mark_saved(theirs.clone());
        }
        let from_theirs = differences(&other, &self.draft);
        let written = match &mut self.log {
            Some(log) => log.rebase(theirs, from_theirs),
            None => Ok(()),
        };
        self.log_fault = written.err().map(|error| boardwright_content::io_error_text(&error));
        Ok(TakenIn {
            edits,
            conflicts: merged.conflicts,
        })
    }

    #[cfg(test)]
    pub(crate) fn limit_log(&mut self, bytes: u64) {
        if let Some(log) = &mut self.log {
            log.most_bytes = bytes;
        }
    }

    /// Throws away what is kept beside the file: its history, and what was not saved.
    pub fn discard(self) {
        drop(self.log);
        edit_log::delete(&self.place);
    }
}

/// Writes the script of a new file, unless there is a file of its name.
fn write_new_script(path: &Path, draft: &Draft) -> Result<(), WriteError> {
    let Some((file, text)) = draft.overlay() else { return Ok(()) };
    let beside = script_path(path, file)?;
    if beside.exists() {
        return Ok(());
    }
    write_atomic(&beside, text.as_bytes(), 0)
}
