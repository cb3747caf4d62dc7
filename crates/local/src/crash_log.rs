//! The log of crashes: a panic anywhere in the program leaves an entry in a file of the user's folder, which the next start tells of once.
//!
//! An entry has the version of the program, the thread, the place, the message and, where `RUST_BACKTRACE` asks for one, the backtrace. A program
//! that is ended from outside, or by the system for want of memory, writes nothing; its match is found by the lock of its autosave.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use crate::saves::timestamp;
use boardwright_content::user_content;

/// The name of the file.
pub const CRASH_LOG: &str = "crashes.log";
/// Beside it stands how many bytes of it were told of.
const SEEN_ENDING: &str = ".seen";
/// The most that the file may have; beyond that the older entries go.
const MOST_BYTES: u64 = 256 << 10;
const MOST_ENTRY_BYTES: usize = 16 << 10;
/// The most entries of one process: rules that break down again and again say nothing new.
const MOST_ENTRIES: usize = 20;

fn file() -> Option<PathBuf> {
    user_content().map(|folder| folder.join(CRASH_LOG))
}

/// Has every panic of this process logged, beside what is done about it already.
pub fn log_panics() {
    if let Some(file) = file() {
        log_panics_to(file);
    }
}

fn log_panics_to(file: PathBuf) {
    let before = panic::take_hook();
    let written = Mutex::new(0_usize);
    panic::set_hook(Box::new(move |panic| {
        // A second panic meanwhile is not waited for.
        if let Ok(mut written) = written.try_lock()
            && *written < MOST_ENTRIES
        {
            *written += 1;
            drop(append(&file, &entry(panic)));
        }
        before(panic);
    }));
}

fn entry(panic: &PanicHookInfo<'_>) -> String {
    let thread = thread::current();
    let name = thread.name().unwrap_or("without a name");
    let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    let message = panic.payload_as_str().unwrap_or("no message");
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "{} boardwright {version}, thread {name}, at {place}: {message}\n",
        timestamp("%Y-%m-%d %H:%M:%S")
    );
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text.push_str(&format!("{backtrace}\n"));
    }
    if text.len() > MOST_ENTRY_BYTES {
        text.truncate(text.floor_char_boundary(MOST_ENTRY_BYTES));
        text.push_str("..\n");
    }
    text
}

fn append(file: &Path, entry: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    if fs::metadata(file).is_ok_and(|known| known.len() + entry.len() as u64 > MOST_BYTES) {
        let text = fs::read_to_string(file).unwrap_or_default();
        let half = text.ceil_char_boundary(text.len() / 2);
        let kept = text.get(half..).and_then(|rest| rest.split_once('\n')).map_or("", |(_, rest)| rest);
        fs::write(file, kept)?;
        // What was told of is not told again; of what is new something may be left out.
        let seen = seen(file).saturating_sub((text.len() - kept.len()) as u64);
        fs::write(seen_file(file), seen.to_string())?;
    }
    let mut log = OpenOptions::new().create(true).append(true).open(file)?;
    log.write_all(entry.as_bytes())?;
    log.sync_data()
}

fn seen_file(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(SEEN_ENDING);
    PathBuf::from(name)
}

fn seen(file: &Path) -> u64 {
    let text = fs::read_to_string(seen_file(file)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// The log, if something was added to it since this was asked last.
pub fn unseen_crashes() -> Option<PathBuf> {
    file().filter(|file| is_unseen(file))
}

fn is_unseen(file: &Path) -> bool {
    let length = fs::metadata(file).map_or(0, |known| known.len());
    let is_new = length > seen(file);
    if is_new {
        drop(fs::write(seen_file(file), length.to_string()));
    }
    is_new
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;
    use std::process::Command;

    const FILE: &str = "BOARDWRIGHT_TEST_CRASH_LOG";

    /// Run alone in a process of its own by the test below.
    #[test]
    #[ignore = "breaks down"]
    fn breaks_down() {
        let Some(file) = env::var_os(FILE) else { return };
        log_panics_to(PathBuf::from(file));
        let worker = thread::Builder::new().name("worker".to_owned());
        drop(worker.spawn(|| panic!("a worker\nbroke down")).unwrap().join());
        panic!("the whole program broke down");
    }

    #[test]
    fn a_panic_of_any_thread_is_in_the_log_and_told_of_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("made/when/needed").join(CRASH_LOG);
        let ended = Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "crash_log::tests::breaks_down"])
            .env(FILE, &file)
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        assert!(!ended.status.success());
        let text = fs::read_to_string(&file).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert!(
            text.contains(&format!("boardwright {version}, thread worker, at crates/local/src/crash_log.rs:")),
            "{text}"
        );
        assert!(
            text.contains(": a worker\nbroke down\n") && text.contains(": the whole program broke down\n"),
            "{text}"
        );
        assert!(is_unseen(&file) && !is_unseen(&file));
        append(&file, "again\n").unwrap();
        assert!(is_unseen(&file) && !is_unseen(&file));
    }

    #[test]
    fn the_log_does_not_grow_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(CRASH_LOG);
        let line = format!("{}\n", "x".repeat(1_000));
        for number in 0..600 {
            append(&file, &line).unwrap();
            assert!(number % 100 != 0 || is_unseen(&file));
        }
        append(&file, "the last\n").unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.len() as u64 <= MOST_BYTES && text.ends_with("the last\n"));
        assert!(is_unseen(&file) && !is_unseen(&file));
    }
}
