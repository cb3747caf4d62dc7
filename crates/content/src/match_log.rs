//! The log of a match: what happened since its autosave was written, an entry for each change.
//!
//! A save is written whole, which takes the longer the longer the match. The log beside it grows by a line for each change, so that every
//! change can be on disk before anybody is told of it. A line begins with a checksum; one that was cut off, and what follows it, does not count.
//! The save says which entry is the newest in it, so that it does not matter when entries are dropped that are in it already.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use boardwright_host::{Event, Journal, Variation};
use boardwright_model::Fingerprint;
use boardwright_model::diagnostic::Diagnostics;
use boardwright_ruleset::Sources;

use super::line_log::{MOST_LOG_BYTES, checked_line, read_line};
use super::save_document::{MOST_SAVE_BYTES, Save};
use super::write_file::{WriteError, sync_folder};
use super::{io_error_text, read_bytes};

/// Before the number of a log in the name of its file.
const LOG: &str = ".log-";
/// A log that has grown to this is followed by the next one.
const LARGE: u64 = 1 << 20;

/// One change of a match: how its journal became what it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Its number; the first is 1.
    pub number: u64,
    /// How many events stay.
    pub keep: usize,
    /// The events behind them.
    pub events: Vec<Arc<Event>>,
    /// How many events are applied.
    pub position: usize,
    /// The variations, where they are other than those that come of what does not stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variations: Option<Vec<Variation>>,
    /// Who plays each seat, if that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Vec<(String, String)>>,
    /// What each seat has left on its clock, in milliseconds, where there are clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Vec<u64>>,
    /// The sources of rules that came into force.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<(Fingerprint, Sources)>,
}

impl LogEntry {
    /// What leads from one journal to another.
    pub fn between(number: u64, old: &Journal, new: &Journal) -> Self {
        let same = old.events().iter().zip(new.events()).take_while(|(old, new)| old == new);
        let keep = same.count();
        let mut entry = Self {
            number,
            keep,
            events: new.events().get(keep..).unwrap_or_default().to_vec(),
            position: new.position(),
            ..Self::default()
        };
        let has_variations = [old, new].iter().any(|journal| !journal.variations().is_empty());
        if (has_variations || keep < old.events().len()) && entry.apply(old).variations() != new.variations() {
            entry.variations = Some(new.variations().to_vec());
        }
        entry
    }

    /// The journal that it leads to.
    pub fn apply(&self, journal: &Journal) -> Journal {
        let continued = journal.continued(self.keep, &self.events, self.position);
        match &self.variations {
            Some(variations) => continued.with_variations(variations.clone()),
            None => continued,
        }
    }

    fn line(&self) -> io::Result<Vec<u8>> {
        checked_line(self)
    }

    fn read(line: &[u8]) -> Option<Self> {
        read_line(line)
    }
}

impl Save {
    /// Takes up what an entry says.
    pub fn apply(&mut self, entry: LogEntry) {
        self.journal = entry.apply(&self.journal);
        self.players = entry.players.unwrap_or_else(|| std::mem::take(&mut self.players));
        self.rules.extend(entry.rules);
    }
}

/// The logs of a match that runs. Entries go into the newest.
#[derive(Debug)]
pub struct MatchLog {
    save: PathBuf,
    file: Arc<File>,
    path: PathBuf,
    index: u64,
    bytes: u64,
    /// Earlier ones, with the number of the last entry in each.
    earlier: Vec<(PathBuf, u64)>,
}

impl MatchLog {
    /// Begins a log beside a save. Those that are there stay until [`drop_up_to`](Self::drop_up_to): nothing of them is needed
    /// once the save is written, and until then it may be.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn begin(save: &Path) -> io::Result<Self> {
        let there = logs_of(save);
        let index = there.last().map_or(1, |(index, _)| index + 1);
        let (file, path) = create(save, index)?;
        Ok(Self {
            save: save.to_path_buf(),
            file,
            path,
            index,
            bytes: 0,
            earlier: there.into_iter().map(|(_, path)| (path, 0)).collect(),
        })
    }

    /// Adds an entry. It is with the system then, so that it is there when this program is killed; on disk it is once the file is
    /// synced that is returned.
    ///
    /// # Errors
    /// If it cannot be written; the log is as it was.
    pub fn append(&mut self, entry: &LogEntry) -> io::Result<Arc<File>> {
        let line = entry.line()?;
        if self.bytes > LARGE {
            let (file, path) = create(&self.save, self.index + 1)?;
            self.index += 1;
            self.earlier.push((std::mem::replace(&mut self.path, path), entry.number - 1));
            self.file = file;
            self.bytes = 0;
        }
        let written = (&*self.file).write_all(&line);
        if let Err(error) = written {
            // A part of the line may stand there.
            self.file.set_len(self.bytes)?;
            return Err(error);
        }
        self.bytes += line.len() as u64;
        Ok(Arc::clone(&self.file))
    }

    /// Deletes the logs all of whose entries are in the save, up to one of a number.
    pub fn drop_up_to(&mut self, number: u64) {
        for (path, _) in self.earlier.extract_if(.., |(_, last)| *last <= number) {
            drop(fs::remove_file(path));
        }
    }

    /// Deletes all logs: the save has everything.
    pub fn drop_all(self) {
        drop_log(&self.save);
    }
}

/// Deletes the logs beside a save.
pub fn drop_log(save: &Path) {
    for (_, path) in logs_of(save) {
        drop(fs::remove_file(path));
    }
}

fn create(save: &Path, index: u64) -> io::Result<(Arc<File>, PathBuf)> {
    let path = log_path(save, index);
    let file = OpenOptions::new().append(true).create_new(true).open(&path)?;
    sync_folder(save.parent().unwrap_or(Path::new(".")));
    Ok((Arc::new(file), path))
}

fn log_path(save: &Path, index: u64) -> PathBuf {
    let mut name = save.as_os_str().to_owned();
    name.push(format!("{LOG}{index}"));
    PathBuf::from(name)
}

/// The logs beside a save, oldest first.
fn logs_of(save: &Path) -> Vec<(u64, PathBuf)> {
    let (Some(folder), Some(name)) = (save.parent(), save.file_name().and_then(|name| name.to_str())) else {
        return Vec::new();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let index = |path: &Path| path.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix(LOG)?.parse().ok();
    let mut logs: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.path();
            Some((index(&path)?, path))
        })
        .collect();
    logs.sort();
    logs
}

/// The entries of logs that follow the one of a number, without a gap, as far as there is room for them.
fn entries(logs: &[(u64, PathBuf)], newest: u64, room: usize) -> Vec<LogEntry> {
    let mut found: BTreeMap<u64, (LogEntry, usize)> = BTreeMap::new();
    for (_, path) in logs {
        let bytes = read_bytes(path, &path.display().to_string(), MOST_LOG_BYTES).unwrap_or_default();
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        for line in lines {
            let Some(entry) = line.strip_suffix(b"\n").and_then(LogEntry::read) else {
                break;
            };
            found.insert(entry.number, (entry, line.len()));
        }
    }
    let mut taken = 0;
    let mut following = Vec::new();
    for (entry, bytes) in found.split_off(&newest.saturating_add(1)).into_values() {
        taken += bytes;
        if entry.number != newest + 1 + following.len() as u64 || taken > room {
            break;
        }
        following.push(entry);
    }
    following
}

/// Brings the save of a match that was cut off up to the end of its logs, and deletes them. Nobody may be playing it. Gives how many changes were
/// added.
///
/// # Errors
/// If the save cannot be read or written; the logs stay then.
pub fn recover(path: &Path) -> Result<usize, RecoverError> {
    let logs = logs_of(path);
    if logs.is_empty() {
        return Ok(0);
    }
    let mut save = Save::open(path, &path.display().to_string())?;
    let newest = save.logged.unwrap_or(0);
    let length = fs::metadata(path).map_or(0, |file| file.len() as usize);
    let entries = entries(&logs, newest, MOST_SAVE_BYTES.saturating_sub(length));
    let added = entries.len();
    for entry in entries {
        save.logged = Some(entry.number);
        save.apply(entry);
    }
    if added > 0 {
        save.write(path, 0)?;
    }
    for (_, log) in logs {
        fs::remove_file(&log).map_err(|error| RecoverError::Log(log, io_error_text(&error)))?;
    }
    Ok(added)
}

/// Why the log of a match could not be added to its save.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// The save cannot be read.
    #[error("{0}")]
    Read(Diagnostics),
    /// The save cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The log cannot be deleted.
    #[error("{path}: {1}", path = .0.display())]
    Log(PathBuf, String),
}

impl From<Diagnostics> for RecoverError {
    fn from(found: Diagnostics) -> Self {
        Self::Read(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(notation: &str) -> Arc<Event> {
        Arc::new(Event {
            notation: Arc::from(notation),
            ..Event::default()
        })
    }

    fn journal(notations: &[&str], position: usize) -> Journal {
        Journal::new(notations.iter().map(|notation| event(notation)).collect(), position)
    }

    #[test]
    fn entries_lead_from_one_journal_to_the_next() {
        let steps = [
            journal(&["", "a"], 2),
            journal(&["", "a", "b", "c"], 4),
            journal(&["", "a", "b", "c"], 2),
            journal(&["", "a", "d"], 3),
            journal(&[""], 1),
        ];
        let mut now = Journal::default();
        for (number, step) in steps.iter().enumerate() {
            let entry = LogEntry::between(number as u64 + 1, &now, step);
            let line = entry.line().unwrap();
            assert_eq!(LogEntry::read(line.trim_ascii_end()), Some(entry.clone()));
            now = entry.apply(&now);
            assert_eq!(now, *step);
        }
        assert_eq!(LogEntry::between(3, &steps[1], &steps[2]).events.len(), 0);
    }

    #[test]
    fn a_line_that_was_cut_off_ends_a_log_and_entries_in_the_save_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let save = folder.path().join("a.save.xml");
        let mut log = MatchLog::begin(&save).unwrap();
        for number in 1..=9 {
            drop(
                log.append(&LogEntry {
                    number,
                    ..LogEntry::default()
                })
                .unwrap(),
            );
        }
        let numbers = |newest, room| -> Vec<u64> { entries(&logs_of(&save), newest, room).iter().map(|entry| entry.number).collect() };
        assert_eq!(numbers(0, 10_000), (1..=9).collect::<Vec<_>>());
        assert_eq!(numbers(4, 10_000), [5, 6, 7, 8, 9]);
        assert_eq!(numbers(4, 200), [5, 6, 7], "there is no more room");
        assert_eq!(numbers(11, 10_000), [0; 0]);
        let path = log_path(&save, 1);
        let whole = fs::read(&path).unwrap();
        for cut in 1..whole.len() / 9 {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            assert_eq!(numbers(0, 10_000), (1..=8).collect::<Vec<_>>(), "{cut}");
        }
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        fs::write(&path, &flipped).unwrap();
        assert_eq!(numbers(0, 10_000), [1, 2, 3, 4]);
    }

    #[test]
    fn a_large_log_is_followed_by_the_next_and_deleted_when_the_save_has_its_entries() {
        let folder = tempfile::tempdir().unwrap();
        let save = folder.path().join("a.save.xml");
        let mut log = MatchLog::begin(&save).unwrap();
        let text = "x".repeat(LARGE as usize);
        for number in 1..=3 {
            let events = vec![event(&text)];
            drop(
                log.append(&LogEntry {
                    number,
                    events,
                    ..LogEntry::default()
                })
                .unwrap(),
            );
        }
        assert_eq!(logs_of(&save).len(), 3);
        log.drop_up_to(1);
        assert_eq!(logs_of(&save).iter().map(|(index, _)| *index).collect::<Vec<_>>(), [2, 3]);
        let again = MatchLog::begin(&save).unwrap();
        assert_eq!(logs_of(&save).len(), 3, "what may be needed stays");
        again.drop_all();
        assert_eq!(logs_of(&save), []);
    }
}
