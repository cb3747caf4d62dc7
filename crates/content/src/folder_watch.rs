//! Telling which files change while they are in use.
//!
//! The system's events are gathered into batches by whoever waits for them. The usual debouncers do not do here: they forget
//! what sort of event it was, and on Linux already the reading of a changed file is one, so each reload would set off the next.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::folders::is_ignored;

/// Files with these endings are content.
const ENDINGS: [&str; 9] = ["rhai", "xml", "md", "svg", "png", "jpg", "webp", "ftl", "txt"];
/// How often it is checked whether watched folders are still the same.
const TICK: Duration = Duration::from_millis(200);
/// A batch waits for quiet, but not longer than so many times that wait.
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

/// Watches folders with everything below them. A folder that is not there yet is watched as soon as it is.
pub struct FolderWatch {
    settings: WatchSettings,
    watcher: Box<dyn Watcher + Send>,
    sender: Sender<notify::Result<Event>>,
    events: Receiver<notify::Result<Event>>,
    /// The folders, each with what it was when it was last seen; `None` while it is not there.
    folders: BTreeMap<PathBuf, Option<Identity>>,
    looked: Instant,
    /// The changes that are not told yet.
    pending: BTreeSet<PathBuf>,
    /// When the first of them came.
    first: Instant,
    /// When the last did.
    last: Instant,
}

/// Watching that could not begin: neither events nor polling work.
#[derive(Debug, thiserror::Error)]
#[error("changes of files cannot be watched")]
pub struct WatchError(#[source] notify::Error);

/// What tells a folder from another that took its name.
#[derive(Clone, Copy, PartialEq, Eq)]
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

impl FolderWatch {
    /// Watches folders. Whatever changes in them from now on is told.
    ///
    /// # Errors
    /// Neither events nor polling work.
    pub fn new(folders: &[PathBuf], mut settings: WatchSettings) -> Result<Self, WatchError> {
        let (sender, events) = mpsc::channel();
        let absolute = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        let now = Instant::now();
        let mut watch = Self {
            watcher: watcher(&mut settings, &sender).map_err(WatchError)?,
            settings,
            sender,
            events,
            folders: folders.iter().map(|folder| (absolute(folder), None)).collect(),
            looked: now,
            pending: BTreeSet::new(),
            first: now,
            last: now,
        };
        watch.look();
        watch.pending.clear();
        Ok(watch)
    }

    /// Waits for changes: the absolute paths of content files and folders that were made, changed, renamed or removed. A folder stands for
    /// everything in it. None if nothing has changed within `timeout`.
    pub fn wait(&mut self, timeout: Duration) -> BTreeSet<PathBuf> {
        let deadline = Instant::now() + timeout;
        loop {
            if self.looked.elapsed() >= TICK {
                self.look();
            }
            let now = Instant::now();
            let due = (self.last + self.settings.quiet).min(self.first + self.settings.quiet * MOST_WAITS);
            let due = if self.pending.is_empty() { deadline } else { due };
            if due <= now {
                return std::mem::take(&mut self.pending);
            }
            if deadline <= now {
                return BTreeSet::new();
            }
            let next = due.min(deadline).min(self.looked + TICK);
            if let Ok(event) = self.events.recv_timeout(next - now) {
                self.seen(event);
            }
        }
    }

    /// Finds folders that came, went, or are others under the same name.
    fn look(&mut self) {
        self.looked = Instant::now();
        let folders: Vec<PathBuf> = self.folders.keys().cloned().collect();
        for path in folders {
            let known = self.folders.get(&path).copied().flatten();
            if Identity::of(&path) == known {
                continue;
            }
            if known.is_some() {
                drop(self.watcher.unwatch(&path));
            }
            let identity = self.watch(&path);
            if identity.is_some() || known.is_some() {
                self.add(path.clone());
            }
            self.folders.insert(path, identity);
        }
    }

    fn watch(&mut self, path: &Path) -> Option<Identity> {
        let identity = Identity::of(path)?;
        match self.watcher.watch(path, RecursiveMode::Recursive) {
            Ok(()) => return Some(identity),
            // Gone in the meantime: the next look will tell.
            Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => {}
            Err(error) if !self.settings.polls => {
                poll_because(&mut self.settings, &error);
                if let Ok(watcher) = watcher(&mut self.settings, &self.sender) {
                    self.watcher = watcher;
                    // What was watched is watched again by the next look.
                    self.folders.values_mut().for_each(|identity| *identity = None);
                }
            }
            Err(error) => tracing::debug!("{} is not watched: {error}", path.display()),
        }
        None
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
            let all: Vec<PathBuf> = self.folders.keys().cloned().collect();
            for path in all {
                self.add(path);
            }
        }
        // Reading is no change.
        if !matches!(event.kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write)) {
            let paths = event.paths.into_iter().filter(|path| is_content(path));
            paths.for_each(|path| self.add(path));
        }
    }
}

/// What asks the system, or else looks at the files again and again.
fn watcher(settings: &mut WatchSettings, sender: &Sender<notify::Result<Event>>) -> notify::Result<Box<dyn Watcher + Send>> {
    if !settings.polls {
        match RecommendedWatcher::new(sender.clone(), Config::default()) {
            Ok(watcher) => return Ok(Box::new(watcher)),
            Err(error) => poll_because(settings, &error),
        }
    }
    let config = Config::default()
        .with_poll_interval(settings.poll_interval)
        .with_compare_contents(true);
    Ok(Box::new(PollWatcher::new(sender.clone(), config)?))
}

fn poll_because(settings: &mut WatchSettings, error: &notify::Error) {
    settings.polls = true;
    let interval = settings.poll_interval.as_millis();
    tracing::warn!("changes of files are looked for every {interval} ms, because the system does not tell them: {error}");
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
