//! Matches that share threads. What scripts compute with belongs to the thread that made it, so a match stays on the thread on which it began;
//! a server with many matches has a few such threads, and each of them runs the matches that began on it in turn.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::handle::{EndSignal, SessionHandle, ToSession};
use super::mailbox::Mailbox;
use super::session::{STACK_BYTES, Session};
use super::setup::{SessionError, SessionSetup};

/// Tells how the beginning of a match went. Called on the thread of the match, so it must not block.
type Begun = Box<dyn FnOnce(Result<SessionHandle, SessionError>) + Send>;

/// What reaches the thread of a worker.
enum ToWorker {
    Begin {
        number: u64,
        setup: Box<SessionSetup>,
        mailbox: Mailbox,
        handle: SessionHandle,
        end: EndSignal,
        begun: Begun,
    },
    Message(u64, ToSession),
    /// Ends all its matches.
    Stop,
}

/// A thread that runs matches.
#[derive(Debug)]
struct Worker {
    to: Sender<ToWorker>,
    /// How many matches it runs, or is about to.
    matches: Arc<AtomicUsize>,
}

/// Threads that run matches. Dropped, it [stops](Self::stop).
#[derive(Debug)]
pub struct SessionPool {
    workers: Vec<Worker>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    numbers: AtomicU64,
}

impl SessionPool {
    /// A pool of so many threads, of at least one.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(count: usize) -> std::io::Result<Self> {
        let mut threads = Vec::new();
        let worker = |number: usize| {
            let (to, inbox) = mpsc::channel();
            let matches = Arc::new(AtomicUsize::new(0));
            let running = Arc::clone(&matches);
            let thread = thread::Builder::new().name(format!("matches {number}")).stack_size(STACK_BYTES);
            threads.push(thread.spawn(move || Running::new(inbox, running).run())?);
            Ok(Worker { to, matches })
        };
        let workers = (1..=count.max(1)).map(worker).collect::<std::io::Result<_>>()?;
        Ok(Self {
            workers,
            threads: Mutex::new(threads),
            numbers: AtomicU64::new(1),
        })
    }

    /// Begins a match, or resumes a saved one, on the thread with the fewest matches. `begun` is called when it has begun or failed to.
    pub fn spawn(&self, setup: SessionSetup, begun: impl FnOnce(Result<SessionHandle, SessionError>) + Send + 'static) {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let (mut setup, mut begun): (_, Begun) = (Box::new(setup), Box::new(begun));
        let mut workers: Vec<&Worker> = self.workers.iter().collect();
        workers.sort_by_key(|worker| worker.matches.load(Ordering::Relaxed));
        for worker in workers {
            let to = worker.to.clone();
            let mailbox = Mailbox::new(move |message| to.send(ToWorker::Message(number, message)).is_ok());
            let (handle, end) = SessionHandle::new(mailbox.clone());
            let begin = ToWorker::Begin {
                number,
                setup,
                mailbox,
                handle,
                end,
                begun,
            };
            worker.matches.fetch_add(1, Ordering::Relaxed);
            match worker.to.send(begin) {
                // Its thread is gone: the next one is asked.
                Err(mpsc::SendError(ToWorker::Begin {
                    setup: back, begun: told, ..
                })) => {
                    worker.matches.fetch_sub(1, Ordering::Relaxed);
                    (setup, begun) = (back, told);
                }
                _ => return,
            }
        }
        begun(Err(SessionError::Broken("the threads that run matches are gone".to_owned())));
    }

    /// How many matches run.
    pub fn matches(&self) -> usize {
        let running = self.workers.iter().map(|worker| worker.matches.load(Ordering::Relaxed));
        running.sum()
    }

    /// Ends all matches, and waits until what they had to say is delivered. None begins any more.
    pub fn stop(&self) {
        for worker in &self.workers {
            drop(worker.to.send(ToWorker::Stop));
        }
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            drop(thread.join());
        }
    }
}

impl Drop for SessionPool {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A match of a worker. The signal is dropped behind the session.
struct Entry {
    session: Session,
    due: Option<Instant>,
    _end: EndSignal,
}

/// What the thread of a worker owns.
struct Running {
    inbox: Receiver<ToWorker>,
    sessions: HashMap<u64, Entry>,
    due: BTreeSet<(Instant, u64)>,
    matches: Arc<AtomicUsize>,
}

impl Running {
    fn new(inbox: Receiver<ToWorker>, matches: Arc<AtomicUsize>) -> Self {
        Self {
            inbox,
            sessions: HashMap::new(),
            due: BTreeSet::new(),
            matches,
        }
    }

    fn run(mut self) {
        let mut is_stopping = false;
        while !is_stopping || !self.sessions.is_empty() {
            let message = match self.due.first() {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some((due, _)) => self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(ToWorker::Begin { begun, .. }) if is_stopping => {
                    self.matches.fetch_sub(1, Ordering::Relaxed);
                    begun(Err(SessionError::Stopping));
                }
                Ok(ToWorker::Begin {
                    number,
                    setup,
                    mailbox,
                    handle,
                    end,
                    begun,
                }) => match Session::begin(*setup, mailbox) {
                    Ok(session) => {
                        let entry = Entry {
                            session,
                            due: None,
                            _end: end,
                        };
                        self.sessions.insert(number, entry);
                        begun(Ok(handle));
                        self.follow(number);
                    }
                    Err(error) => {
                        self.matches.fetch_sub(1, Ordering::Relaxed);
                        begun(Err(error));
                    }
                },
                Ok(ToWorker::Message(number, message)) => {
                    if let Some(entry) = self.sessions.get_mut(&number) {
                        entry.session.handle(message);
                        self.follow(number);
                    }
                }
                Ok(ToWorker::Stop) => {
                    is_stopping = true;
                    self.sessions.values_mut().for_each(|entry| entry.session.end());
                    let all: Vec<u64> = self.sessions.keys().copied().collect();
                    for number in all {
                        self.follow(number);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some((_, number)) = self.due.first().copied()
                        && let Some(entry) = self.sessions.get_mut(&number)
                    {
                        entry.session.handle_due();
                        self.follow(number);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Takes note of when a match has something to do next, or that it is over.
    fn follow(&mut self, number: u64) {
        let Some(entry) = self.sessions.get_mut(&number) else { return };
        if let Some(due) = entry.due.take() {
            self.due.remove(&(due, number));
        }
        if entry.session.is_over() {
            self.sessions.remove(&number);
            self.matches.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        entry.due = entry.session.due();
        self.due.extend(entry.due.map(|due| (due, number)));
    }
}
