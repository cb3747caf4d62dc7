//! Whether a match of a scenario can begin. Rules are asked on another thread: their hooks may fail, and take their time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use boardwright_editing::Finding;
use boardwright_model::{Board, Scenario};
use boardwright_script::ScriptSource;
use egui::Context;

use crate::checks;

/// How long nothing is changed before the rules are asked.
const QUIET: Duration = Duration::from_millis(300);

/// Whether a match of a scenario can begin, as it was asked last.
#[derive(Debug, Default)]
pub(crate) struct BeginningCheck {
    found: Vec<Finding>,
    state: Progress,
    /// What runs on another thread. Nothing else is asked before it has ended, so that slow rules never take more than one thread.
    running: Option<Running>,
}

/// How far the answer about the present draft is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    /// It is asked for soon, unless more is drawn.
    #[default]
    Due,
    /// It is asked for since the draft has not changed from this moment on.
    Waiting(Instant),
    /// The thread that runs is about it.
    Asked,
    /// It is there.
    Done,
}

#[derive(Debug)]
struct Running {
    found: Receiver<Vec<Finding>>,
    is_superseded: Arc<AtomicBool>,
}

impl BeginningCheck {
    /// What keeps a match from beginning, as it was found last.
    pub(crate) fn found(&self) -> &[Finding] {
        &self.found
    }

    /// The draft has changed: the rules are to be asked again, and what is being asked is given up.
    pub(crate) fn ask_again(&mut self) {
        self.state = Progress::Due;
        self.give_up();
    }

    fn give_up(&self) {
        if let Some(running) = &self.running {
            running.is_superseded.store(true, Ordering::Relaxed);
        }
    }

    /// Asks about a scenario, once and when nothing has changed for a moment; whether there is a new answer.
    pub(crate) fn ask(&mut self, context: &Context, scenario: &Scenario, board: &Arc<Board>, source: &Arc<ScriptSource>) -> bool {
        if self.state == Progress::Done {
            return false;
        }
        if let Some(running) = &self.running {
            let found = match running.found.try_recv() {
                Err(TryRecvError::Empty) => return false,
                Ok(found) => found,
                Err(TryRecvError::Disconnected) => Vec::new(),
            };
            self.running = None;
            if self.state == Progress::Asked {
                self.found = found;
                self.state = Progress::Done;
                return true;
            }
        }
        let since = match self.state {
            Progress::Waiting(since) => since,
            _ => Instant::now(),
        };
        self.state = Progress::Waiting(since);
        let left = QUIET.saturating_sub(since.elapsed());
        if !left.is_zero() {
            context.request_repaint_after(left);
            return false;
        }
        let (sender, found) = channel();
        let is_superseded = Arc::new(AtomicBool::new(false));
        let running = Running {
            found,
            is_superseded: Arc::clone(&is_superseded),
        };
        let (scenario, board, source, context) = (scenario.clone(), Arc::clone(board), Arc::clone(source), context.clone());
        let work = move || {
            let is_wanted = || !is_superseded.load(Ordering::Relaxed);
            let found = checks::of_beginning(&scenario, &board, &source, &is_wanted);
            if sender.send(found).is_ok() {
                context.request_repaint();
            }
        };
        self.state = match std::thread::Builder::new().name("beginning".to_owned()).spawn(work) {
            Ok(_) => {
                self.running = Some(running);
                Progress::Asked
            }
            Err(_) => Progress::Done,
        };
        false
    }
}

impl Drop for BeginningCheck {
    fn drop(&mut self) {
        self.give_up();
    }
}
