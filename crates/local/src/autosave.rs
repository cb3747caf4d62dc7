//! The autosave: a running match is kept after each change, so that nothing that anybody was told of is lost if the program is killed.
//!
//! The thread of the match writes each change into a log beside the autosave and queues what the match looks like. One thread brings the log to
//! disk, once for all changes that have come meanwhile; until then nobody is told of them. Another writes the newest of what was queued as a
//! save, the whole file or nothing of it, and what is in it goes out of the log. While a match runs, a file beside its autosave is locked. The system releases the lock however the program ends, so a lock
//! file that is there and free means that the match was interrupted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::saves::{SourceArchive, file_stem, players_of, save_of, timestamp};
use boardwright_content::{LockedFile, LogEntry, MatchLog, SAVE_ENDING, Save, drop_log, io_error_text, recover};
use boardwright_host::Journal;
use boardwright_model::{Fingerprint, Scenario, Sentence, sentence};
use boardwright_server::{Autosave, Receipt, Record};

/// The folder of autosaves in that of saves.
pub const AUTOSAVES: &str = "automatic";
const LOCK_ENDING: &str = ".running";
const MOST_AUTOSAVES: usize = 20;
/// A file that was begun so long ago and is not in its place yet is not being written any more.
const HALF_WRITTEN_AFTER: Duration = Duration::from_mins(10);
/// How many interrupted matches are offered; older ones become ordinary autosaves, of which only the newest stay.
const MOST_INTERRUPTED: usize = 5;
/// How long somebody holds the lock of an autosave who only looks whether its match runs, and how often that is waited for.
const LOOK: Duration = Duration::from_millis(10);
const MOST_LOOKS: usize = 100;
/// The least time between two autosaves: computer players may act a thousand times a second.
const LEAST_INTERVAL: Duration = Duration::from_millis(150);

/// The file for the autosave of a match that begins now. Autosaves beyond `MOST_AUTOSAVES` are deleted.
pub fn autosave_file(saves: &Path, ruleset: &str, scenario: &str) -> PathBuf {
    let folder = saves.join(AUTOSAVES);
    drop_oldest(&folder);
    let stem = file_stem(ruleset, scenario);
    let names = std::iter::once(stem.clone()).chain((2..).map(|number| format!("{stem}-{number}")));
    let mut files = names.map(|name| folder.join(format!("{name}{SAVE_ENDING}")));
    // Another window may have begun the same this second.
    let is_free = |file: &PathBuf| !file.exists() && !lock_file(file).exists();
    files.find(is_free).unwrap_or_else(|| folder.join(format!("{stem}{SAVE_ENDING}")))
}

/// Whether a file is an autosave.
pub fn is_autosave(file: &Path) -> bool {
    file.parent().and_then(Path::file_name).is_some_and(|folder| folder == AUTOSAVES)
}

/// Whether the match of an autosave is running, here or in another process.
pub fn is_running(copy: &Path) -> bool {
    File::open(lock_file(copy)).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// The autosaves of the newest matches that were running when their program was killed, brought up to the last change, the newest first.
pub fn interrupted_autosaves(saves: &Path) -> Vec<PathBuf> {
    clear_half_written(saves);
    clear_half_written(&saves.join(AUTOSAVES));
    let entries = fs::read_dir(saves.join(AUTOSAVES)).into_iter().flatten();
    let mut found = Vec::new();
    for lock in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let copy = lock.to_str().and_then(|path| path.strip_suffix(LOCK_ENDING)).map(PathBuf::from);
        if let Some(copy) = copy.filter(|copy| bring_up_to_date(copy)) {
            let modified = fs::metadata(&copy).and_then(|file| file.modified());
            match modified {
                Ok(modified) if copy.is_file() => found.push((modified, copy)),
                _ => {
                    // Interrupted before anything was saved, and before anybody was told of a change.
                    drop_log(&copy);
                    drop(fs::remove_file(&lock));
                }
            }
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    let mut found: Vec<PathBuf> = found.into_iter().map(|(_, copy)| copy).collect();
    found
        .drain(MOST_INTERRUPTED.min(found.len())..)
        .for_each(|older| forget_autosave(&older));
    found
}

/// Adds the log of an autosave to it; false if its match is running. A log that cannot be added stays.
pub(super) fn bring_up_to_date(copy: &Path) -> bool {
    let lock = File::open(lock_file(copy)).ok();
    if lock.as_ref().is_some_and(|lock| lock.try_lock().is_err()) {
        return false;
    }
    if copy.is_file()
        && let Err(error) = recover(copy)
    {
        tracing::warn!("{}: what happened last cannot be added to it: {error}", copy.display());
    }
    true
}

/// Deletes what a kill has left of a save that was being written: beside autosaves whose match does not run, and elsewhere where it is old.
fn clear_half_written(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(".new")) else {
            continue;
        };
        let Some(end) = name.find(SAVE_ENDING) else { continue };
        let save = folder.join(name.get(..end + SAVE_ENDING.len()).unwrap_or(name));
        let is_interrupted = lock_file(&save).is_file() && !is_running(&save);
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_interrupted || (!is_running(&save) && age().is_some_and(|age| age > HALF_WRITTEN_AFTER)) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// Marks the autosave of an interrupted match as an ordinary one.
pub fn forget_autosave(copy: &Path) {
    drop(fs::remove_file(lock_file(copy)));
}

/// Locks a file beside an autosave, where files can be locked.
///
/// Whoever looks for interrupted matches holds the lock for a moment: that is waited for, so that the match does not pass for one of them.
fn locked(path: &Path) -> io::Result<Option<LockedFile>> {
    for _ in 0..MOST_LOOKS {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        match LockedFile::new(file) {
            Ok(lock) => return Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => thread::sleep(LOOK),
            Err(TryLockError::Error(_)) => break,
        }
    }
    Ok(None)
}

fn lock_file(copy: &Path) -> PathBuf {
    let mut name = copy.as_os_str().to_owned();
    name.push(LOCK_ENDING);
    PathBuf::from(name)
}

fn drop_oldest(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let copy = |entry: fs::DirEntry| {
        let path = entry.path();
        let is_autosave = path.to_str().is_some_and(|name| name.ends_with(SAVE_ENDING)) && !lock_file(&path).exists();
        is_autosave.then_some((entry.metadata().ok()?.modified().ok()?, path))
    };
    let mut copies: Vec<_> = entries.filter_map(|entry| copy(entry.ok()?)).collect();
    copies.sort();
    let surplus = copies.len().saturating_sub(MOST_AUTOSAVES - 1);
    for (_, path) in copies.into_iter().take(surplus) {
        drop_log(&path);
        drop(fs::remove_file(path));
    }
}

static WRITERS: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Waits until the autosaves of matches that have ended are written, at most for some time. For the end of a program.
pub fn finish_autosaves(most: Duration) {
    drop(WRITERS.1.wait_timeout_while(guard(&WRITERS.0), most, |count| *count > 0));
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves a match to a file after each change, from the first action on.
pub(super) fn autosave(copy: PathBuf, scenario: Scenario, archive: SourceArchive) -> Autosave {
    let mut keeper = Keeper {
        copy,
        scenario,
        archive,
        kept: None,
        has_complained: false,
    };
    Box::new(move |record, receipt| keeper.handle_change(record, receipt))
}

/// The thread of the match's end of its autosave.
struct Keeper {
    copy: PathBuf,
    scenario: Scenario,
    archive: SourceArchive,
    kept: Option<Kept>,
    /// Whether a failed write has been reported and none has succeeded since.
    has_complained: bool,
}

impl Keeper {
    fn handle_change(&mut self, record: &Record<'_>, receipt: Receipt) -> Option<Sentence> {
        if !record.playing.journal().events().iter().any(|event| event.is_change()) {
            return None;
        }
        let moment = Moment {
            journal: Arc::new(record.playing.journal().clone()),
            players: players_of(record),
            number: 0,
            receipts: Vec::new(),
        };
        let trouble = if let Some(kept) = &mut self.kept {
            kept.handle_change(moment, receipt, &self.archive);
            kept.troubles.try_iter().last()
        } else {
            let base = Save {
                journal: Journal::default(),
                ..save_of(record, &self.scenario, &BTreeMap::new(), None)
            };
            match Kept::begin(&self.copy, base, moment, receipt, &self.archive) {
                Ok(kept) => {
                    self.kept = Some(kept);
                    None
                }
                Err(error) => Some(Err(sentence!(
                    "no automatic copy of the match is kept: {file}: {error}",
                    file = self.copy.display()
                ))),
            }
        };
        let is_first = !self.has_complained;
        if let Some(trouble) = &trouble {
            self.has_complained = trouble.is_err();
        }
        trouble.and_then(Result::err).filter(|_| is_first)
    }
}

/// What a match looks like after a change.
struct Moment {
    journal: Arc<Journal>,
    players: Vec<(String, String)>,
    /// The number of the log entry of the change.
    number: u64,
    /// Those that wait for the save itself, because their changes are in no log.
    receipts: Vec<Receipt>,
}

/// An entry of the log that is to be brought to disk. Without a file it is in the first save.
struct Unsynced {
    file: Option<Arc<File>>,
    receipt: Receipt,
}

/// A match that is kept. Dropped, it writes the last save and waits for that.
struct Kept {
    copy: PathBuf,
    /// None where it cannot be written: then the changes since then are in the next save.
    log: Arc<Mutex<Option<MatchLog>>>,
    /// Whether a change could not be written into the log.
    is_broken: bool,
    /// The newest change that is in the save.
    saved: Arc<AtomicU64>,
    /// The match after the last change, and the rules that save and log hold.
    journal: Arc<Journal>,
    players: Vec<(String, String)>,
    rules: BTreeSet<Fingerprint>,
    number: u64,
    moments: Option<Sender<Moment>>,
    unsynced: Option<Sender<Unsynced>>,
    /// What went wrong, or that it went well again.
    troubles: Receiver<Result<(), Sentence>>,
    threads: Vec<JoinHandle<()>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.unsynced = None;
        self.moments = None;
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

impl Kept {
    fn begin(copy: &Path, base: Save, mut moment: Moment, receipt: Receipt, archive: &SourceArchive) -> io::Result<Self> {
        if let Some(folder) = copy.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock_path = lock_file(copy);
        // On a file system without locks the autosave is written all the same; it is only not found as interrupted if the program is killed.
        let lock = locked(&lock_path)?;
        let log = Arc::new(Mutex::new(Some(MatchLog::begin(copy)?)));
        // Above all numbers in a save of an earlier session that lies there.
        let number = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(1, |time| time.as_micros() as u64);
        moment.number = number;
        let (journal, players) = (Arc::clone(&moment.journal), moment.players.clone());
        let (report, troubles) = mpsc::channel();
        let (moments, queued) = mpsc::channel();
        let (unsynced, to_sync) = mpsc::channel();
        let (is_based, based) = mpsc::channel();
        let saved = Arc::new(AtomicU64::new(0));
        let writer = Writer {
            copy: copy.to_path_buf(),
            base,
            archive: SourceArchive::clone(archive),
            log: Arc::clone(&log),
            saved: Arc::clone(&saved),
            report: report.clone(),
        };
        *guard(&WRITERS.0) += 1;
        let write = move || {
            let is_whole = writer.run(&queued, &is_based);
            if is_whole {
                // All of it is in the save.
                guard(&writer.log).take().into_iter().for_each(MatchLog::drop_all);
                drop(fs::remove_file(&lock_path));
            }
            drop(lock);
            *guard(&WRITERS.0) -= 1;
            WRITERS.1.notify_all();
        };
        let writer = thread::Builder::new().name("automatic copy".to_owned()).spawn(write);
        if writer.is_err() {
            *guard(&WRITERS.0) -= 1;
        }
        let mut kept = Self {
            copy: copy.to_path_buf(),
            log,
            is_broken: false,
            saved,
            rules: journal.fingerprints(),
            journal,
            players,
            number,
            moments: Some(moments),
            unsynced: Some(unsynced),
            troubles,
            threads: vec![writer?],
        };
        let sync = move || sync(&to_sync, &based, &report);
        kept.threads
            .push(thread::Builder::new().name("automatic log".to_owned()).spawn(sync)?);
        kept.sync(None, receipt);
        kept.queue(moment);
        Ok(kept)
    }

    fn sync(&self, file: Option<Arc<File>>, receipt: Receipt) {
        if let Some(unsynced) = &self.unsynced {
            drop(unsynced.send(Unsynced { file, receipt }));
        }
    }

    fn queue(&self, moment: Moment) {
        if let Some(moments) = &self.moments {
            drop(moments.send(moment));
        }
    }

    /// Writes a change into the log and queues the match as it looks now.
    fn handle_change(&mut self, mut moment: Moment, receipt: Receipt, archive: &SourceArchive) {
        self.number += 1;
        moment.number = self.number;
        match self.append(&moment, archive) {
            Ok(file) => self.sync(Some(file), receipt),
            Err(error) => {
                if let Some(error) = error {
                    tracing::warn!("the log of the match cannot be written, each change is saved instead: {error}");
                }
                self.is_broken = true;
                *guard(&self.log) = None;
                moment.receipts.push(receipt);
            }
        }
        self.journal = Arc::clone(&moment.journal);
        self.players.clone_from(&moment.players);
        self.queue(moment);
    }

    /// Adds a change to the log; without an error where there is none to add to.
    fn append(&mut self, moment: &Moment, archive: &SourceArchive) -> Result<Arc<File>, Option<io::Error>> {
        let mut log = guard(&self.log);
        // A log begins where the save ends.
        if self.is_broken && self.saved.load(Ordering::Relaxed) + 1 >= self.number {
            *log = Some(MatchLog::begin(&self.copy)?);
            self.is_broken = false;
            self.rules = self.journal.fingerprints();
        }
        let log = log.as_mut().ok_or(None)?;
        let mut entry = LogEntry::between(self.number, &self.journal, &moment.journal);
        entry.players = (moment.players != self.players).then(|| moment.players.clone());
        let new: BTreeSet<Fingerprint> = entry.events.iter().map(|event| event.fingerprint).collect();
        for fingerprint in new {
            if self.rules.insert(fingerprint)
                && let Some(sources) = guard(archive).get(&fingerprint)
            {
                entry.rules.push((fingerprint, sources.clone()));
            }
        }
        Ok(log.append(&entry)?)
    }
}

/// Brings entries of the log to disk, all that have come meanwhile at once.
fn sync(to_sync: &Receiver<Unsynced>, based: &Receiver<()>, report: &Sender<Result<(), Sentence>>) {
    let mut is_based = false;
    while let Ok(first) = to_sync.recv() {
        let all: Vec<Unsynced> = std::iter::once(first).chain(to_sync.try_iter()).collect();
        if !is_based {
            // A log is of no use without the save that it begins at.
            let _ = based.recv();
            is_based = true;
        }
        let mut synced: Option<&Arc<File>> = None;
        for file in all.iter().filter_map(|unsynced| unsynced.file.as_ref()) {
            if synced.is_none_or(|synced| !Arc::ptr_eq(synced, file))
                && let Err(error) = file.sync_data()
            {
                drop(report.send(Err(not_written(io_error_text(&error)))));
            }
            synced = Some(file);
        }
        for unsynced in all {
            drop(unsynced.receipt);
        }
    }
}

fn not_written(error: impl std::fmt::Display) -> Sentence {
    sentence!("the automatic copy could not be written: {error}")
}

/// Writes saves on a thread of its own.
struct Writer {
    copy: PathBuf,
    base: Save,
    archive: SourceArchive,
    log: Arc<Mutex<Option<MatchLog>>>,
    saved: Arc<AtomicU64>,
    report: Sender<Result<(), Sentence>>,
}

impl Writer {
    /// Writes the newest moment again and again until the match is over. Returns whether the last one was written.
    fn run(&self, queued: &Receiver<Moment>, is_based: &Sender<()>) -> bool {
        let mut is_whole = true;
        let mut next = queued.recv().ok();
        while let Some(moment) = next {
            let begun = Instant::now();
            let number = moment.number;
            let written = self.write(moment);
            is_whole = written.is_ok();
            if is_whole {
                self.saved.store(number, Ordering::Relaxed);
                if let Some(log) = &mut *guard(&self.log) {
                    log.drop_up_to(number);
                }
            }
            drop(self.report.send(written.map_err(not_written)));
            let _ = is_based.send(());
            // Writing takes a small part of the time, however long the match has become.
            next = newest(queued, LEAST_INTERVAL.max(begun.elapsed() * 10));
        }
        is_whole
    }

    fn write(&self, moment: Moment) -> Result<(), Sentence> {
        let rules = {
            let archive = guard(&self.archive);
            let used = moment.journal.fingerprints().into_iter();
            let known = used.filter_map(|fingerprint| Some((fingerprint, archive.get(&fingerprint)?.clone())));
            known.collect()
        };
        let save = Save {
            saved: Some(timestamp("%Y-%m-%d %H:%M:%S")),
            journal: Journal::clone(&moment.journal),
            players: moment.players,
            logged: Some(moment.number),
            rules,
            ..self.base.clone()
        };
        save.write(&self.copy, 0)
            .map_err(|error| sentence!("{error}: {help}", help = error.help()))
    }
}

/// The newest moment, after the least interval; waits for one if there is none by then. None when the match is over.
fn newest(queued: &Receiver<Moment>, interval: Duration) -> Option<Moment> {
    let until = Instant::now() + interval;
    let mut newest: Option<Moment> = None;
    loop {
        match queued.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(mut moment) => {
                moment.receipts.extend(newest.into_iter().flat_map(|earlier| earlier.receipts));
                newest = Some(moment);
            }
            Err(RecvTimeoutError::Timeout) => return newest.or_else(|| queued.recv().ok()),
            Err(RecvTimeoutError::Disconnected) => return newest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_autosaves_stay_and_those_of_running_matches() {
        let saves = tempfile::tempdir().unwrap();
        let folder = saves.path().join(AUTOSAVES);
        fs::create_dir_all(&folder).unwrap();
        for number in 0..25 {
            let file = folder.join(format!("{number:02}{SAVE_ENDING}"));
            fs::write(&file, "").unwrap();
            let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(number);
            File::options().write(true).open(&file).unwrap().set_modified(then).unwrap();
        }
        fs::write(lock_file(&folder.join(format!("00{SAVE_ENDING}"))), "").unwrap();
        autosave_file(saves.path(), "race", "standard");
        let left = |number: usize| folder.join(format!("{number:02}{SAVE_ENDING}")).exists();
        assert_eq!(
            (0..25).filter(|number| left(*number)).collect::<Vec<_>>(),
            [vec![0], (6..25).collect::<Vec<_>>()].concat()
        );
    }

    #[test]
    fn only_the_newest_interrupted_matches_are_offered() {
        let saves = tempfile::tempdir().unwrap();
        let folder = saves.path().join(AUTOSAVES);
        fs::create_dir_all(&folder).unwrap();
        for number in 0..8 {
            let file = folder.join(format!("{number}{SAVE_ENDING}"));
            fs::write(&file, "").unwrap();
            fs::write(lock_file(&file), "").unwrap();
            let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(number);
            File::options().write(true).open(&file).unwrap().set_modified(then).unwrap();
        }
        let offered = [7, 6, 5, 4, 3].map(|number| folder.join(format!("{number}{SAVE_ENDING}")));
        assert_eq!(interrupted_autosaves(saves.path()), offered);
        assert!(
            !lock_file(&folder.join(format!("2{SAVE_ENDING}"))).exists(),
            "an ordinary autosave from now on"
        );
        assert!(folder.join(format!("2{SAVE_ENDING}")).exists());
    }

    #[test]
    fn a_match_that_begins_while_somebody_looks_for_interrupted_ones_has_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.running");
        let looking = File::create(&path).unwrap();
        looking.lock().unwrap();
        let begins = thread::spawn(move || locked(&path));
        drop(looking);
        assert!(begins.join().unwrap().unwrap().is_some());
    }

    #[test]
    fn a_lock_file_that_is_free_means_that_the_match_was_interrupted() {
        let saves = tempfile::tempdir().unwrap();
        let copy = autosave_file(saves.path(), "race", "standard");
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, "").unwrap();
        assert_eq!(interrupted_autosaves(saves.path()), [] as [PathBuf; 0]);
        let lock = File::create(lock_file(&copy)).unwrap();
        lock.lock().unwrap();
        assert_eq!(interrupted_autosaves(saves.path()), [] as [PathBuf; 0], "it runs");
        drop(lock);
        assert_eq!(interrupted_autosaves(saves.path()), std::slice::from_ref(&copy));
        forget_autosave(&copy);
        assert_eq!((interrupted_autosaves(saves.path()).len(), copy.exists()), (0, true));
    }
}
