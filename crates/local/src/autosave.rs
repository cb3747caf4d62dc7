//! The autosave: a running match is saved after each change, so that nothing is lost if the program is killed.
//!
//! The thread of the match only queues what it looks like. Another thread writes the newest that was queued, the whole file or nothing
//! of it. While a match runs, a file beside its autosave is locked. The system releases the lock however the program ends, so a lock
//! file that is there and free means that the match was interrupted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::saves::{SourceArchive, file_stem, players_of, save_of, timestamp};
use boardwright_content::xml::Document as _;
use boardwright_content::{SAVE_ENDING, Save, write_atomic};
use boardwright_host::Journal;
use boardwright_model::{Fingerprint, Scenario, Sentence, sentence};
use boardwright_server::Autosave;

/// The folder of autosaves in that of saves.
pub const AUTOSAVES: &str = "automatic";
const LOCK_ENDING: &str = ".running";
const MOST_AUTOSAVES: usize = 20;
/// How many interrupted matches are offered; older ones become ordinary autosaves, of which only the newest stay.
const MOST_INTERRUPTED: usize = 5;
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

/// The autosaves of the newest matches that were running when their program was killed, the newest first.
pub fn interrupted_autosaves(saves: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(saves.join(AUTOSAVES)).into_iter().flatten();
    let mut found = Vec::new();
    for lock in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let copy = lock.to_str().and_then(|path| path.strip_suffix(LOCK_ENDING)).map(PathBuf::from);
        let is_free = || File::open(&lock).is_ok_and(|file| file.try_lock().is_ok());
        if let Some(copy) = copy.filter(|_| is_free()) {
            let modified = fs::metadata(&copy).and_then(|file| file.modified());
            match modified {
                Ok(modified) if copy.is_file() => found.push((modified, copy)),
                // Interrupted before anything was saved.
                _ => drop(fs::remove_file(&lock)),
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

/// Marks the autosave of an interrupted match as an ordinary one.
pub fn forget_autosave(copy: &Path) {
    drop(fs::remove_file(lock_file(copy)));
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

/// What changes from one autosave of a match to the next.
struct Moment {
    journal: Journal,
    players: Vec<(String, String)>,
}

/// The thread that writes autosaves. Dropped, it writes the last one and is waited for.
struct Writer {
    moments: Option<Sender<Moment>>,
    /// What went wrong.
    troubles: Receiver<Sentence>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.moments = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Saves a match to a file after each change, from the first action on.
pub(super) fn autosave(copy: PathBuf, scenario: Scenario, archive: SourceArchive) -> Autosave {
    let mut writer = None;
    Box::new(move |record| {
        if record.playing.journal().events().iter().all(|event| event.action().is_none()) {
            return None;
        }
        let is_first = writer.is_none();
        let started = writer.get_or_insert_with(|| {
            let base = Save {
                journal: Journal::default(),
                ..save_of(record, &scenario, &BTreeMap::new(), None)
            };
            start(&copy, base, SourceArchive::clone(&archive))
        });
        match started {
            Ok(Writer { moments, troubles, .. }) => {
                let moment = Moment {
                    journal: record.playing.journal().clone(),
                    players: players_of(record),
                };
                if let Some(moments) = moments {
                    drop(moments.send(moment));
                }
                troubles.try_iter().last()
            }
            Err(error) if is_first => Some(sentence!(
                "no automatic copy of the match is kept: {file}: {error}",
                file = copy.display()
            )),
            Err(_) => None,
        }
    })
}

fn start(copy: &Path, base: Save, archive: SourceArchive) -> io::Result<Writer> {
    if let Some(folder) = copy.parent() {
        fs::create_dir_all(folder)?;
    }
    let lock_path = lock_file(copy);
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path)?;
    // On a file system without locks the autosave is written all the same; it is only not found as interrupted if the program is killed.
    drop(lock.try_lock());
    let copy = copy.to_path_buf();
    let (moments, queued) = mpsc::channel();
    let (report, troubles) = mpsc::channel();
    *guard(&WRITERS.0) += 1;
    let thread = thread::Builder::new().name("automatic copy".to_owned()).spawn(move || {
        let mut next = queued.recv().ok();
        while let Some(moment) = next {
            if let Err(error) = write(&copy, &base, moment, &archive) {
                drop(report.send(sentence!("the automatic copy could not be written: {error}")));
            }
            next = newest(&queued);
        }
        drop(fs::remove_file(&lock_path));
        drop(lock);
        *guard(&WRITERS.0) -= 1;
        WRITERS.1.notify_all();
    });
    if thread.is_err() {
        *guard(&WRITERS.0) -= 1;
    }
    Ok(Writer {
        moments: Some(moments),
        troubles,
        thread: Some(thread?),
    })
}

/// The newest moment, after the least interval; waits for one if there is none by then. None when the match is over.
fn newest(queued: &Receiver<Moment>) -> Option<Moment> {
    let until = Instant::now() + LEAST_INTERVAL;
    let mut newest = None;
    loop {
        match queued.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(moment) => newest = Some(moment),
            Err(RecvTimeoutError::Timeout) => return newest.or_else(|| queued.recv().ok()),
            Err(RecvTimeoutError::Disconnected) => return newest,
        }
    }
}

fn write(copy: &Path, base: &Save, moment: Moment, archive: &SourceArchive) -> Result<(), Sentence> {
    let used: BTreeSet<Fingerprint> = moment.journal.events().iter().map(|event| event.fingerprint).collect();
    let rules = {
        let archive = guard(archive);
        let known = used
            .into_iter()
            .filter_map(|fingerprint| Some((fingerprint, archive.get(&fingerprint)?.clone())));
        known.collect()
    };
    let save = Save {
        saved: Some(timestamp("%Y-%m-%d %H:%M:%S")),
        journal: moment.journal,
        players: moment.players,
        rules,
        ..base.clone()
    };
    write_atomic(copy, save.print().as_bytes(), 0).map_err(|error| sentence!("{error}: {help}", help = error.help()))
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
