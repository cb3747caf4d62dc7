//! The log of edits beside a file: every change is in it before the window shows it, and the history lives on in it when the file is closed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardwright_content::xml::Source;
use boardwright_content::{LineLog, LoggedLines, text_checksum, write_atomic};
use serde::{Deserialize, Serialize};

use super::file_texts::FileTexts;
use super::history::{History, LoggedStep};
use super::step::apply_all;
use super::{Draft, Edit, Step, StepKind};

/// A log that has grown beyond this many bytes is begun again with the draft as it is: less than what [`LineLog`] reads, so that no work is lost,
/// and little enough to be read when the file is opened.
const MOST_BYTES: u64 = 64 << 20;

/// One change of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    /// The draft is that of the text with this checksum, with these edits.
    Text {
        checksum: String,
        /// The text of the script that the text names, which lies in a file of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        script: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edits: Vec<Edit>,
        /// Whether the steps before are not those that led here.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forgets: bool,
    },
    /// A step was made.
    Step { kind: StepKind, redo: Vec<Edit>, undo: Vec<Edit> },
    /// Edits were added to the last step.
    More { redo: Vec<Edit>, undo: Vec<Edit> },
    /// The last step was undone.
    Undo,
    /// The step that was undone last was made again.
    Redo,
}

/// The log of an open file.
#[derive(Debug)]
pub(crate) struct EditLog {
    lines: LineLog<Line>,
    path: PathBuf,
    /// How many steps that are in it are made, and how many are undone: others cannot be undone or made again by a line.
    made: usize,
    undone: usize,
    /// Whether a change is missing in it, because it could not be written.
    is_partial: bool,
    /// Beyond how many bytes it is begun again.
    pub(crate) most_bytes: u64,
}

/// What was found beside a file.
#[derive(Debug)]
pub(crate) enum Found {
    Nothing,
    Log(Box<LoggedFile>),
    /// A log that could not be used was moved to this file.
    SetAside(PathBuf),
}

/// What a log says of a file.
#[derive(Debug)]
pub(crate) struct LoggedFile {
    pub(crate) log: EditLog,
    pub(crate) history: History,
    /// The texts that the draft goes out from.
    pub(crate) base: FileTexts,
    pub(crate) draft: Draft,
    /// How many changes were made since the text was written.
    pub(crate) unsaved: usize,
    /// Where in the history the draft was that of the text.
    pub(crate) saved_at: Option<usize>,
}

/// A file beside another, hidden, so that no catalogue takes it for content.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// The log beside a file.
pub(crate) fn log_path(path: &Path) -> PathBuf {
    beside(path, ".edits")
}

/// The text beside a file that its log goes out from.
fn base_path(path: &Path) -> PathBuf {
    beside(path, ".base")
}

/// Deletes what is kept beside a file.
pub(crate) fn delete(path: &Path) {
    drop(fs::remove_file(log_path(path)));
    drop(fs::remove_file(base_path(path)));
}

/// Whether there is a log beside a file that nobody has open.
pub(crate) fn is_free(path: &Path) -> bool {
    File::open(log_path(path)).is_ok_and(|log| log.try_lock_shared().is_ok())
}

/// Moves a log out of the way that cannot be used, beside those that were moved before; gives where it is then.
fn set_aside(path: &Path) -> PathBuf {
    let names = std::iter::once(String::new()).chain((2..).map(|number| number.to_string()));
    let free = names
        .map(|number| beside(path, &format!(".edits~{number}")))
        .find(|name| !name.exists());
    let log = log_path(path);
    free.filter(|aside| fs::rename(&log, aside).is_ok()).unwrap_or(log)
}

impl EditLog {
    /// Begins the log of a file whose draft is that of a text. A log of somebody who had the file open meanwhile is set aside; it tells where.
    pub(crate) fn begin(path: &Path, texts: &FileTexts) -> io::Result<(Self, Option<PathBuf>)> {
        let mut aside = None;
        let lines = match LineLog::begin(&log_path(path)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                aside = Some(set_aside(path));
                LineLog::begin(&log_path(path))
            }
            begun => begun,
        };
        let mut log = Self {
            lines: lines?,
            path: path.to_path_buf(),
            made: 0,
            undone: 0,
            is_partial: false,
            most_bytes: MOST_BYTES,
        };
        log.rebase(texts, Vec::new())?;
        Ok((log, aside))
    }

    /// Whether a line can say a change. Where it cannot, for want of the step that it is about, [`rebase`](Self::rebase) can.
    pub(crate) const fn can_say(&self, line: &Line) -> bool {
        !self.is_partial
            && match line {
                Line::Text { .. } | Line::Step { .. } => true,
                Line::More { .. } | Line::Undo => self.made > 0,
                Line::Redo => self.undone > 0,
            }
    }

    /// Whether it has grown so much that it has to be begun again.
    pub(crate) const fn is_too_large(&self) -> bool {
        self.lines.bytes() > self.most_bytes
    }

    /// A change was made that is not in it.
    pub(crate) const fn miss(&mut self) {
        self.is_partial = true;
    }

    pub(crate) fn append(&mut self, line: &Line) -> io::Result<()> {
        if let Err(error) = self.lines.append(line) {
            self.miss();
            return Err(error);
        }
        match line {
            Line::Text { .. } => {}
            Line::Step { .. } => (self.made, self.undone) = (self.made + 1, 0),
            Line::More { .. } => self.undone = 0,
            Line::Undo => (self.made, self.undone) = (self.made - 1, self.undone + 1),
            Line::Redo => (self.made, self.undone) = (self.made + 1, self.undone - 1),
        }
        Ok(())
    }

    /// Notes that the draft is that of a text with some edits. Where a change is missing before, or the log is too large, it says where the draft
    /// stands and no longer how it came there.
    pub(crate) fn rebase(&mut self, texts: &FileTexts, edits: Vec<Edit>) -> io::Result<()> {
        let (was_partial, is_too_large) = (self.is_partial, self.is_too_large());
        // Until it is written, whatever goes wrong.
        self.miss();
        let text = texts.source.text();
        write_atomic(&base_path(&self.path), text.as_bytes(), 0).map_err(|error| io::Error::other(error.to_string()))?;
        let line = Line::Text {
            checksum: text_checksum(text.as_bytes()),
            script: texts.script.clone(),
            edits,
            forgets: was_partial || is_too_large,
        };
        if is_too_large {
            self.begin_again(&line)?;
        } else {
            self.lines.append(&line)?;
        }
        if was_partial || is_too_large {
            (self.made, self.undone) = (0, 0);
        }
        self.is_partial = false;
        Ok(())
    }

    /// Goes on in a log beside another file, which begins with all that is in this one. Gives it when it says where the draft of that file stands; this
    /// one is deleted then.
    pub(crate) fn move_to(self, path: &Path, texts: &FileTexts) -> io::Result<Self> {
        let Self {
            lines,
            path: before,
            made,
            undone,
            is_partial,
            most_bytes,
        } = self;
        // Not every system lets a locked file be read.
        drop(lines);
        delete(path);
        fs::copy(log_path(&before), log_path(path))?;
        let (lines, _) = LineLog::open(&log_path(path))?.ok_or(io::ErrorKind::NotFound)?;
        let mut log = Self {
            lines,
            path: path.to_path_buf(),
            made,
            undone,
            is_partial,
            most_bytes,
        };
        log.rebase(texts, Vec::new())?;
        delete(&before);
        Ok(log)
    }

    /// Replaces the log by one with a single line. At no moment is there none.
    fn begin_again(&mut self, line: &Line) -> io::Result<()> {
        let fresh = beside(&self.path, ".edits.new");
        match fs::remove_file(&fresh) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut lines = LineLog::begin(&fresh)?;
        lines.append(line)?;
        fs::rename(&fresh, log_path(&self.path))?;
        self.lines = lines;
        // What is not saved may be large by itself; then it is not written again with each change.
        self.most_bytes = self.most_bytes.max(2 * self.lines.bytes());
        Ok(())
    }

    /// What the log beside a file says, if there is one that can be read and that goes out from a text that is still there. One that says nothing
    /// that can be used any more is set aside.
    ///
    /// # Errors
    /// Somebody has it open.
    pub(crate) fn open(path: &Path, file: &FileTexts) -> io::Result<Found> {
        match LineLog::open(&log_path(path)) {
            Ok(Some((lines, entries))) => Ok(Self::of(path, file, lines, entries)),
            Ok(None) => Ok(Found::Nothing),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(error),
            Err(_) => Ok(Found::SetAside(set_aside(path))),
        }
    }

    fn of(path: &Path, file: &FileTexts, lines: LineLog<Line>, logged: LoggedLines) -> Found {
        let is_empty = logged.is_empty();
        let base = Source::open(&base_path(path), file.source.file()).ok();
        let Some(replayed) = replay(&Arc::new(logged), base, file) else {
            let aside = set_aside(path);
            return if is_empty { Found::Nothing } else { Found::SetAside(aside) };
        };
        let Replayed {
            history,
            base,
            draft,
            unsaved,
            saved_at,
        } = replayed;
        let made = history.position();
        let log = Self {
            lines,
            path: path.to_path_buf(),
            made,
            undone: history.kinds().len() - made,
            is_partial: false,
            most_bytes: MOST_BYTES,
        };
        Found::Log(Box::new(LoggedFile {
            log,
            history,
            base,
            draft,
            unsaved,
            saved_at,
        }))
    }
}

/// What a line is about, as its beginning says: of a long history no more is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Text,
    Step(StepKind),
    More,
    Undo,
    Redo,
}

impl Tag {
    /// `None` if no program of today wrote the line.
    fn of(json: &[u8]) -> Option<Self> {
        if let Some(rest) = json.strip_prefix(br#"{"step":{"kind":"#) {
            let kind = rest.split(|byte| *byte == b',').next()?;
            return serde_json::from_slice(kind).ok().map(Self::Step);
        }
        match json {
            br#""undo""# => Some(Self::Undo),
            br#""redo""# => Some(Self::Redo),
            _ if json.starts_with(br#"{"more":"#) => Some(Self::More),
            _ if json.starts_with(br#"{"text":"#) => Some(Self::Text),
            _ => None,
        }
    }
}

/// What the lines of a log lead to.
struct Replayed {
    history: History,
    base: FileTexts,
    draft: Draft,
    unsaved: usize,
    saved_at: Option<usize>,
}

/// The steps of a log without what they do.
#[derive(Default)]
struct Steps {
    all: Vec<LoggedStep>,
    /// How many are made.
    made: usize,
    /// Where the draft was that of the text.
    saved_at: Option<usize>,
}

impl Steps {
    fn take(&mut self, log: &Arc<LoggedLines>, line: usize, tag: Tag) -> Option<()> {
        match tag {
            Tag::Text => {
                let Line::Text { edits, forgets, .. } = log.read(line)? else {
                    return None;
                };
                if forgets {
                    self.all.clear();
                    self.made = 0;
                }
                self.saved_at = edits.is_empty().then_some(self.made);
            }
            Tag::Step(kind) => {
                self.all.truncate(self.made);
                self.saved_at = self.saved_at.filter(|at| *at <= self.made);
                self.all.push(LoggedStep::new(kind, log, line));
                self.made += 1;
            }
            Tag::More => {
                self.all.truncate(self.made);
                self.saved_at = self.saved_at.filter(|at| *at < self.made);
                if let Some(step) = self.all.last_mut() {
                    step.extend(line);
                } else {
                    self.all.push(LoggedStep::new(StepKind::Other, log, line));
                    self.made += 1;
                }
            }
            Tag::Undo => self.made = self.made.checked_sub(1)?,
            Tag::Redo => {
                self.made += 1;
                if self.made > self.all.len() {
                    return None;
                }
            }
        }
        Some(())
    }
}

fn replay(log: &Arc<LoggedLines>, base: Option<Source>, file: &FileTexts) -> Option<Replayed> {
    let tags: Vec<Tag> = (0..log.len()).map(|line| Tag::of(log.json(line))).collect::<Option<_>>()?;
    let last = tags.iter().rposition(|tag| *tag == Tag::Text)?;
    let Line::Text {
        checksum, script, edits, ..
    } = log.read(last)?
    else {
        return None;
    };
    let is_of = |source: &Source| text_checksum(source.text().as_bytes()) == *checksum;
    let (base, is_cut_off) = match base {
        Some(base) if is_of(&base) => (base, false),
        // The text was saved, and the program ended before the log said so.
        Some(base) if base.text() == file.source.text() => (base, true),
        _ if is_of(&file.source) => (file.source.clone(), false),
        _ => return None,
    };
    let mut base = FileTexts {
        source: base,
        script: if is_cut_off { file.script.clone() } else { script },
        named: None,
    };
    let mut draft = base.draft().ok()?;
    base.named = draft.overlay().map(|(script, _)| script.to_owned());
    let mut unsaved = 0;
    if !is_cut_off {
        unsaved += usize::from(!edits.is_empty());
        drop(apply_all(edits, &mut draft));
    }
    // What led to the text is only listed; what came behind it is made again.
    let listed = if is_cut_off { log.len() } else { last + 1 };
    let mut steps = Steps::default();
    for (line, tag) in tags.iter().take(listed).enumerate() {
        steps.take(log, line, *tag)?;
    }
    let mut saved_at = if is_cut_off { Some(steps.made) } else { steps.saved_at };
    let mut history = History::logged(steps.all, steps.made);
    for line in listed..log.len() {
        unsaved += 1;
        match log.read(line)? {
            Line::Text { .. } => return None,
            Line::Step { kind, redo, .. } => {
                saved_at = saved_at.filter(|at| *at <= history.position());
                history.apply(Step::new(kind, redo), &mut draft);
            }
            Line::More { redo, .. } => {
                saved_at = saved_at.filter(|at| *at < history.position());
                drop(history.extend(redo, &mut draft));
            }
            Line::Undo => {
                history.undo(&mut draft)?;
            }
            Line::Redo => {
                history.redo(&mut draft)?;
            }
        }
    }
    Some(Replayed {
        history,
        base,
        draft,
        unsaved,
        saved_at,
    })
}
