//! Telling which files change while they are in use.
//!
//! A thread of its own listens to the system and hands out changed paths in batches. The usual debouncers do not do here: they forget
//! what sort of event it was, and on Linux already the reading of a changed file is one, so each reload would set off the next.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::folders::is_ignored;

/// Files with these endings are content.
const ENDINGS: [&str; 9] = ["rhai", "xml", "md", "svg", "png", "jpg", "webp", "ftl", "txt"];
/// How often it is checked whether watched folders are still the same.
const TICK: Duration = Duration::from_millis(200);
/// A batch waits for quiet, but not longer than so many times the usual wait.
const MOST_WAITS: u32 = 8;

/// How folders are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchSettings {
    /// How long it must be quiet before changes are told. Editors write a file in several steps.
    pub quiet: Duration,
    /// Whether to look at the files again and again instead of asking the system. This is done by itself where the system cannot
    /// tell.
    pub polls: bool,
    /// How often polling looks.
    pub poll_interval: Duration,
}

impl Default for WatchSettings {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(60),
            polls: false,
            poll_interval: Duration::from_millis(500),
        }
    }
}

/// Watches folders until it is dropped.
#[derive(Debug)]
pub struct FolderWatch {
    changes: Receiver<Vec<PathBuf>>,
    messages: Sender<Message>,
    note: Arc<Mutex<Option<String>>>,
    thread: Option<JoinHandle<()>>,
}

enum Message {
    Seen(notify::Result<Event>),
    /// Other folders, and whom to tell when they are watched.
    Folders(Vec<PathBuf>, Sender<()>),
    Stop,
}

impl FolderWatch {
    /// Watches folders with everything below them. A folder that is not there yet is watched as soon as it is.
    ///
    /// # Errors
    /// The system gives no thread, or neither events nor polling work.
    pub fn new(folders: &[PathBuf], settings: WatchSettings) -> Result<Self, WatchError> {
        let (messages, inbox) = mpsc::channel();
        let (batches, changes) = mpsc::channel();
        let note = Arc::new(Mutex::new(None));
        let mut worker = Worker {
            settings,
            watcher: None,
            polls: settings.polls,
            messages: messages.clone(),
            folders: Vec::new(),
            note: Arc::clone(&note),
            pending: BTreeSet::new(),
            first: Instant::now(),
            last: Instant::now(),
        };
        worker.start()?;
        // Before anything else happens: what changes from now on is told.
        worker.watch(folders);
        let thread = std::thread::Builder::new().name("folder watch".to_owned());
        let thread = thread.spawn(move || worker.run(&inbox, &batches)).map_err(WatchError::Thread)?;
        Ok(Self {
            changes,
            messages,
            note,
            thread: Some(thread),
        })
    }

    /// The changes: each message holds absolute paths, sorted, of content files and folders that were made, changed, renamed or
    /// removed. A folder stands for everything in it.
    pub const fn changes(&self) -> &Receiver<Vec<PathBuf>> {
        &self.changes
    }

    /// Everything that was told since it was last asked, without waiting.
    pub fn take(&self) -> BTreeSet<PathBuf> {
        self.changes.try_iter().flatten().collect()
    }

    /// Watches other folders. Whatever happens in them after this call is told.
    pub fn set_folders(&self, folders: Vec<PathBuf>) {
        let (done, is_done) = mpsc::channel();
        if self.messages.send(Message::Folders(folders, done)).is_ok() {
            // An error means that the thread is gone, and with it all watching.
            let _ = is_done.recv();
        }
    }

    /// What the user should know: that the folders are polled, and why.
    pub fn note(&self) -> Option<String> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for FolderWatch {
    fn drop(&mut self) {
        drop(self.messages.send(Message::Stop));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Watching that could not begin.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// No thread.
    #[error("changes of files cannot be watched: no thread")]
    Thread(#[source] std::io::Error),
    /// No way to watch.
    #[error("changes of files cannot be watched")]
    Failed(#[source] notify::Error),
}

/// A watched folder.
struct Watched {
    path: PathBuf,
    /// What it was when it was last seen; `None` while it is not there.
    identity: Option<Identity>,
}

/// What tells a folder from another that took its name.
#[derive(Clone, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        let known = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Some(Self(known.dev(), known.ino()))
        }
        #[cfg(not(unix))]
        {
            let made = known.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(Self(made.as_secs(), made.subsec_nanos().into()))
        }
    }
}

struct Worker {
    settings: WatchSettings,
    watcher: Option<Box<dyn Watcher + Send>>,
    polls: bool,
    messages: Sender<Message>,
    folders: Vec<Watched>,
    note: Arc<Mutex<Option<String>>>,
    pending: BTreeSet<PathBuf>,
    /// When the first of the pending changes came.
    first: Instant,
    /// When the last did.
    last: Instant,
}

impl Worker {
    fn start(&mut self) -> Result<(), WatchError> {
        let messages = self.messages.clone();
        let tell = move |event| drop(messages.send(Message::Seen(event)));
        if !self.polls {
            match RecommendedWatcher::new(tell.clone(), Config::default()) {
                Ok(watcher) => {
                    self.watcher = Some(Box::new(watcher));
                    return Ok(());
                }
                Err(error) => self.poll_because(&error),
            }
        }
        let config = Config::default()
            .with_poll_interval(self.settings.poll_interval)
            .with_compare_contents(true);
        self.watcher = Some(Box::new(PollWatcher::new(tell, config).map_err(WatchError::Failed)?));
        Ok(())
    }

    fn poll_because(&mut self, error: &notify::Error) {
        self.polls = true;
        let interval = self.settings.poll_interval.as_millis();
        let note = format!("changes of files are looked for every {interval} ms, because the system does not tell them: {error}");
        tracing::warn!("{note}");
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }

    /// Watches these folders and no others.
    fn watch(&mut self, folders: &[PathBuf]) {
        let wanted: BTreeSet<PathBuf> = folders
            .iter()
            .map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))
            .collect();
        let (kept, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut self.folders)
            .into_iter()
            .partition(|watched| wanted.contains(&watched.path));
        self.folders = kept;
        if let Some(watcher) = &mut self.watcher {
            for watched in gone {
                drop(watcher.unwatch(&watched.path));
            }
        }
        for path in wanted {
            if !self.folders.iter().any(|watched| watched.path == path) {
                let identity = self.watch_one(&path);
                self.folders.push(Watched { path, identity });
            }
        }
    }

    fn watch_one(&mut self, path: &Path) -> Option<Identity> {
        let identity = Identity::of(path)?;
        let watcher = self.watcher.as_mut()?;
        match watcher.watch(path, RecursiveMode::Recursive) {
            Ok(()) => Some(identity),
            // Gone in the meantime: the next look will tell.
            Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => None,
            Err(error) if !self.polls => {
                self.poll_because(&error);
                if self.start().is_ok() {
                    // What was watched is watched again by the next look.
                    self.folders.iter_mut().for_each(|watched| watched.identity = None);
                }
                None
            }
            Err(error) => {
                tracing::debug!("{} is not watched: {error}", path.display());
                None
            }
        }
    }

    /// Finds folders that came, went, or are others under the same name.
    fn look(&mut self) {
        for index in 0..self.folders.len() {
            let Some(watched) = self.folders.get(index) else { return };
            let (path, known) = (watched.path.clone(), watched.identity.clone());
            let now = Identity::of(&path);
            if now == known {
                continue;
            }
            if let Some(watcher) = self.watcher.as_mut().filter(|_| known.is_some()) {
                drop(watcher.unwatch(&path));
            }
            let identity = self.watch_one(&path);
            if identity.is_some() || known.is_some() {
                self.add(path);
            }
            if let Some(watched) = self.folders.get_mut(index) {
                watched.identity = identity;
            }
        }
    }

    fn add(&mut self, path: PathBuf) {
        self.last = Instant::now();
        if self.pending.is_empty() {
            self.first = self.last;
        }
        self.pending.insert(path);
    }

    fn seen(&mut self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                tracing::debug!("a change of files was missed: {error}");
                return;
            }
        };
        if event.need_rescan() {
            let all: Vec<_> = self.folders.iter().map(|watched| watched.path.clone()).collect();
            for path in all {
                self.add(path);
            }
        }
        let is_change = match event.kind {
            // Reading is no change.
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            _ => true,
        };
        if is_change {
            event
                .paths
                .into_iter()
                .filter(|path| is_content(path))
                .for_each(|path| self.add(path));
        }
    }

    /// How long until the pending changes are told.
    fn wait(&self) -> Option<Duration> {
        let due = (self.last + self.settings.quiet).min(self.first + self.settings.quiet * MOST_WAITS);
        (!self.pending.is_empty()).then(|| due.saturating_duration_since(Instant::now()))
    }

    fn run(mut self, inbox: &Receiver<Message>, batches: &Sender<Vec<PathBuf>>) {
        let mut looked = Instant::now();
        loop {
            match inbox.recv_timeout(self.wait().unwrap_or(TICK).min(TICK)) {
                Ok(Message::Seen(event)) => self.seen(event),
                Ok(Message::Folders(folders, done)) => {
                    self.watch(&folders);
                    let _ = done.send(());
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if looked.elapsed() >= TICK {
                self.look();
                looked = Instant::now();
            }
            if self.wait().is_some_and(|wait| wait.is_zero()) {
                let batch = std::mem::take(&mut self.pending).into_iter().collect();
                if batches.send(batch).is_err() {
                    return;
                }
            }
        }
    }
}

/// Whether a path is a content file or may be a folder.
fn is_content(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else {
        return false;
    };
    if is_ignored(name) {
        return false;
    }
    match path.extension().and_then(OsStr::to_str) {
        Some(ending) => ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)),
        // A folder, also one that is gone; a file without an ending is none.
        None => path.is_dir() || !path.exists(),
    }
}
