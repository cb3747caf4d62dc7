//! Further threads that take part in a search, each with rules of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::search::Search;
use super::simulation::Simulator;
use crate::budget::Stop;
use crate::low_priority::{has_low_priority, lower_priority};
use crate::rules_cache::RulesCache;
use boardwright_rules::RulesSource;

/// The threads beside the one that was asked. They wait between two questions.
pub(super) struct Workers {
    threads: Vec<Worker>,
}

struct Worker {
    questions: Option<Sender<(Arc<Search>, u64)>>,
    done: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Workers {
    /// Search goes deep, and so may scripts.
    const STACK_BYTES: usize = 16 << 20;

    /// Starts threads. Where the system gives none there are fewer.
    pub(super) fn new(count: usize, source: &Arc<dyn RulesSource>) -> Self {
        let start = |index: usize| {
            let (questions, asked) = mpsc::channel::<(Arc<Search>, u64)>();
            let (tell, done) = mpsc::channel();
            let source = Arc::clone(source);
            let has_low_priority = has_low_priority();
            let body = move || {
                if has_low_priority {
                    lower_priority();
                }
                let mut rules = RulesCache::default();
                for (search, seed) in asked {
                    let helped = catch_unwind(AssertUnwindSafe(|| help(&mut rules, &*source, &search, seed)));
                    if helped.is_err() {
                        rules.clear();
                        tracing::warn!("a thread of a search broke down");
                    }
                    // Given back before it is told: whoever asked wants the tree for itself.
                    drop(search);
                    if tell.send(()).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new()
                .name(format!("search {}", index + 2))
                .stack_size(Self::STACK_BYTES);
            let thread = thread.spawn(body).ok()?;
            Some(Worker {
                questions: Some(questions),
                done,
                thread: Some(thread),
            })
        };
        Self {
            threads: (0..count).filter_map(start).collect(),
        }
    }

    /// Lets all of them take part in a search, each with luck of its own.
    pub(super) fn begin(&self, search: &Arc<Search>, mut seed: impl FnMut() -> u64) {
        for worker in &self.threads {
            if let Some(questions) = &worker.questions {
                drop(questions.send((Arc::clone(search), seed())));
            }
        }
    }

    /// Waits until all have stopped. The budget of the search has to be ended first.
    pub(super) fn join(&self) {
        for worker in &self.threads {
            // One that is gone has stopped as well.
            worker.done.recv().ok();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &mut self.threads {
            worker.questions = None;
        }
        for worker in &mut self.threads {
            drop(worker.thread.take().map(JoinHandle::join));
        }
    }
}

fn help(cache: &mut RulesCache, source: &dyn RulesSource, search: &Search, seed: u64) {
    let rules = match cache.rules_for(source, &search.root) {
        Ok(rules) => rules,
        Err(rejection) => {
            tracing::warn!("a thread of a search has no rules: {rejection}");
            return;
        }
    };
    let mut simulator = Simulator::new(search, rules, seed);
    loop {
        match simulator.simulate() {
            Ok(()) => {}
            Err(Stop::Spent) => return,
            // The thread that was asked comes to the same, and says so.
            Err(Stop::Rejected(rejection)) => {
                tracing::debug!("a thread of a search ends: {rejection}");
                return;
            }
        }
    }
}
