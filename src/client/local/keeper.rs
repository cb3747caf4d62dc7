//! The automatic copy of a running match: written after each change, so that nothing is lost if the program is killed.
//!
//! The thread of the match only notes what it looks like; another one writes, always the newest of what was noted, each time the
//! whole file or nothing of it. While a match runs, a file beside its copy is locked. The system lets go of the lock however
//! the program ends, so a lock file that is there and free tells of a match that was cut off.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::saves::{Kept, save};
use super::stamp::Stamp;
use crate::host::Journal;
use crate::io::write_atomic;
use crate::io::{SAVE_ENDING, Save};
use crate::model::Scenario;
use crate::rules::{Sentence, sentence};
use crate::server::KeepMatch;

/// The folder of automatic copies in that of saves.
pub const COPIES: &str = "automatic";
/// The ending of lock files, after that of saves.
const LOCK_ENDING: &str = ".running";
/// How many copies are kept; the oldest go first.
const MOST_COPIES: usize = 20;
/// The least time between two writings. Computer players may act a thousand times a second.
const REST: Duration = Duration::from_millis(150);

/// The file for the automatic copy of a match that begins now. Copies beyond `MOST_COPIES` go.
pub fn copy_file(saves: &Path, ruleset: &str, scenario: &str) -> PathBuf {
    let folder = saves.join(COPIES);
    drop_oldest(&folder);
    let stem = format!("{ruleset}-{scenario}-{}", Stamp::now().for_file());
    let names = std::iter::once(stem.clone()).chain((2..).map(|number| format!("{stem}-{number}")));
    let mut files = names.map(|name| folder.join(format!("{name}{SAVE_ENDING}")));
    // Another window may have begun the same this second.
    let is_free = |file: &PathBuf| !file.exists() && !lock_file(file).exists();
    files.find(is_free).unwrap_or_else(|| folder.join(format!("{stem}{SAVE_ENDING}")))
}

/// Whether a file is an automatic copy.
pub fn is_copy(file: &Path) -> bool {
    file.parent().and_then(Path::file_name).is_some_and(|folder| folder == COPIES)
}

/// Whether the match of a copy is running, here or in another window.
pub fn is_running(copy: &Path) -> bool {
    File::open(lock_file(copy)).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// The copies of matches that were running when their program was killed.
pub fn cut_off_copies(saves: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(saves.join(COPIES)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for lock in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let copy = lock.to_str().and_then(|path| path.strip_suffix(LOCK_ENDING)).map(PathBuf::from);
        let is_free = || File::open(&lock).is_ok_and(|file| file.try_lock().is_ok());
        if let Some(copy) = copy.filter(|_| is_free()) {
            if copy.is_file() {
                found.push(copy);
            } else {
                // Cut off before anything had happened.
                drop(fs::remove_file(&lock));
            }
        }
    }
    found.sort();
    found
}

/// Lets a copy of a match that was cut off be one like any other.
pub fn forget_copy(copy: &Path) {
    drop(fs::remove_file(lock_file(copy)));
}

fn lock_file(copy: &Path) -> PathBuf {
    let mut name = copy.as_os_str().to_owned();
    name.push(LOCK_ENDING);
    PathBuf::from(name)
}

fn drop_oldest(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let copy = |entry: fs::DirEntry| {
        let path = entry.path();
        let is_copy = path.to_str().is_some_and(|name| name.ends_with(SAVE_ENDING)) && !lock_file(&path).exists();
        is_copy.then_some((entry.metadata().ok()?.modified().ok()?, path))
    };
    let mut copies: Vec<_> = entries.filter_map(|entry| copy(entry.ok()?)).collect();
    copies.sort();
    let surplus = copies.len().saturating_sub(MOST_COPIES - 1);
    for (_, path) in copies.into_iter().take(surplus) {
        drop(fs::remove_file(path));
    }
}

/// How many copies are still being written.
static WRITERS: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Waits until the copies of matches that have ended are written, at most for some time. For the end of a program.
pub fn settle_copies(most: Duration) {
    let until = Instant::now() + most;
    let mut count = guard(&WRITERS.0);
    while *count > 0 {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        count = WRITERS.1.wait_timeout(count, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What changes from one copy to the next. The rest of the save stays.
struct Moment {
    journal: Journal,
    players: Vec<(String, String)>,
}

/// What is to be written.
#[derive(Default)]
struct Desk {
    /// The save without journal.
    frame: Option<Arc<Save>>,
    next: Option<Moment>,
    is_over: bool,
    /// What went wrong, until it was told.
    trouble: Option<Sentence>,
}

type Shared = Arc<(Mutex<Desk>, Condvar)>;

/// Writes copies until it is dropped; then it writes the last one and waits for that.
struct Keeper {
    desk: Shared,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        guard(&self.desk.0).is_over = true;
        self.desk.1.notify_all();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Keeps an automatic copy of a match in a file, from the first action on.
pub(super) fn keep(copy: PathBuf, scenario: Scenario, kept: Kept) -> KeepMatch {
    let desk = Shared::default();
    let mut keeper: Option<Keeper> = None;
    let mut has_failed = false;
    Box::new(move |record| {
        if has_failed {
            return None;
        }
        if record.playing.journal().events().iter().all(|event| event.action().is_none()) {
            return None;
        }
        if keeper.is_none() {
            match start(&copy, Arc::clone(&desk), Kept::clone(&kept)) {
                Ok(started) => keeper = Some(started),
                Err(error) => {
                    has_failed = true;
                    return Some(sentence!(
                        "no automatic copy of the match is kept: {file}: {error}",
                        file = copy.display()
                    ));
                }
            }
        }
        let mut noted = guard(&desk.0);
        if noted.frame.is_none() {
            let mut frame = save(record, &scenario, &kept, String::new());
            frame.journal = Journal::default();
            frame.rules.clear();
            noted.frame = Some(Arc::new(frame));
        }
        let seats = record.playing.state().frame().seats.iter();
        let players = seats
            .zip(record.players)
            .map(|(seat, player)| (seat.name.to_string(), player.to_string()));
        noted.next = Some(Moment {
            journal: record.playing.journal().clone(),
            players: players.collect(),
        });
        desk.1.notify_all();
        noted.trouble.take()
    })
}

fn start(copy: &Path, desk: Shared, kept: Kept) -> std::io::Result<Keeper> {
    if let Some(folder) = copy.parent() {
        fs::create_dir_all(folder)?;
    }
    let lock_path = lock_file(copy);
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path)?;
    // On a file system without locks the copy is kept all the same; it is only not told apart if the program is killed.
    drop(lock.try_lock());
    let copy = copy.to_path_buf();
    let shared = Arc::clone(&desk);
    *guard(&WRITERS.0) += 1;
    let thread = thread::Builder::new().name("automatic copy".to_owned()).spawn(move || {
        write_all(&copy, &shared, &kept);
        drop(fs::remove_file(&lock_path));
        drop(lock);
        *guard(&WRITERS.0) -= 1;
        WRITERS.1.notify_all();
    });
    match thread {
        Ok(thread) => Ok(Keeper {
            desk,
            thread: Some(thread),
        }),
        Err(error) => {
            *guard(&WRITERS.0) -= 1;
            Err(error)
        }
    }
}

/// Writes whatever is noted until the match is over and nothing is left.
fn write_all(copy: &Path, shared: &Shared, kept: &Kept) {
    let (desk, changed) = &**shared;
    loop {
        let (frame, moment, is_over) = {
            let mut noted = guard(desk);
            while noted.next.is_none() && !noted.is_over {
                noted = changed.wait(noted).unwrap_or_else(PoisonError::into_inner);
            }
            let (Some(frame), Some(moment)) = (noted.frame.clone(), noted.next.take()) else {
                return;
            };
            (frame, moment, noted.is_over)
        };
        if let Err(error) = write(copy, &frame, moment, kept) {
            guard(desk).trouble = Some(sentence!("the automatic copy could not be written: {error}"));
        }
        if !is_over {
            let noted = guard(desk);
            // Ends at once when the match is over.
            drop(changed.wait_timeout_while(noted, REST, |noted| !noted.is_over));
        }
    }
}

fn write(copy: &Path, frame: &Save, moment: Moment, kept: &Kept) -> Result<(), Sentence> {
    let rules = {
        let kept = guard(kept);
        let mut used: Vec<_> = moment.journal.events().iter().map(|event| event.fingerprint).collect();
        used.sort();
        used.dedup();
        used.into_iter()
            .filter_map(|fingerprint| Some((fingerprint, kept.get(&fingerprint)?.clone())))
            .collect()
    };
    let save = Save {
        saved: Some(Stamp::now().text()),
        journal: moment.journal,
        players: moment.players,
        rules,
        ..frame.clone()
    };
    write_atomic(copy, save.print().as_bytes(), 0).map_err(|error| sentence!("{error}: {help}", help = error.help()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_copies_stay_and_those_of_running_matches() {
        let saves = tempfile::tempdir().unwrap();
        let folder = saves.path().join(COPIES);
        fs::create_dir_all(&folder).unwrap();
        for number in 0..25 {
            let file = folder.join(format!("{number:02}{SAVE_ENDING}"));
            fs::write(&file, "").unwrap();
            let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(number);
            File::options().write(true).open(&file).unwrap().set_modified(then).unwrap();
        }
        fs::write(lock_file(&folder.join(format!("00{SAVE_ENDING}"))), "").unwrap();
        copy_file(saves.path(), "race", "standard");
        let left = |number: usize| folder.join(format!("{number:02}{SAVE_ENDING}")).exists();
        assert_eq!(
            (0..25).filter(|number| left(*number)).collect::<Vec<_>>(),
            [vec![0], (6..25).collect::<Vec<_>>()].concat()
        );
    }

    #[test]
    fn a_lock_file_that_is_free_tells_of_a_match_that_was_cut_off() {
        let saves = tempfile::tempdir().unwrap();
        let copy = copy_file(saves.path(), "race", "standard");
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, "").unwrap();
        assert_eq!(cut_off_copies(saves.path()), [] as [PathBuf; 0]);
        let lock = File::create(lock_file(&copy)).unwrap();
        lock.lock().unwrap();
        assert_eq!(cut_off_copies(saves.path()), [] as [PathBuf; 0], "it runs");
        drop(lock);
        assert_eq!(cut_off_copies(saves.path()), std::slice::from_ref(&copy));
        forget_copy(&copy);
        assert_eq!((cut_off_copies(saves.path()).len(), copy.exists()), (0, true));
    }
}
