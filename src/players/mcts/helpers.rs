//! Further threads that take part in a search, each with rules of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::climb::{Climber, Stop};
use super::search::Search;
use crate::players::made::Made;
use crate::players::yielding::{give_way, gives_way};
use crate::rules::RulesSource;

/// The threads beside the one that was asked. They wait between two questions.
pub(super) struct Helpers {
    threads: Vec<Helper>,
}

struct Helper {
    questions: Option<Sender<(Arc<Search>, u64)>>,
    done: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Helpers {
    /// Search goes deep, and so may scripts.
    const STACK_BYTES: usize = 16 << 20;

    /// Starts threads. Where the system gives none there are fewer.
    pub(super) fn new(count: usize, source: &Arc<dyn RulesSource>) -> Self {
        let start = |index: usize| {
            let (questions, asked) = mpsc::channel::<(Arc<Search>, u64)>();
            let (tell, done) = mpsc::channel();
            let source = Arc::clone(source);
            let gives_way = gives_way();
            let body = move || {
                if gives_way {
                    give_way();
                }
                let mut made = Made::default();
                for (search, seed) in asked {
                    let helped = catch_unwind(AssertUnwindSafe(|| help(&mut made, &*source, &search, seed)));
                    if helped.is_err() {
                        made.clear();
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
            Some(Helper {
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
        for helper in &self.threads {
            if let Some(questions) = &helper.questions {
                drop(questions.send((Arc::clone(search), seed())));
            }
        }
    }

    /// Waits until all have stopped. The budget of the search has to be ended first.
    pub(super) fn join(&self) {
        for helper in &self.threads {
            // One that is gone has stopped as well.
            helper.done.recv().ok();
        }
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        for helper in &mut self.threads {
            helper.questions = None;
        }
        for helper in &mut self.threads {
            drop(helper.thread.take().map(JoinHandle::join));
        }
    }
}

/// Takes part in a search until its budget is spent.
fn help(made: &mut Made, source: &dyn RulesSource, search: &Search, seed: u64) {
    let rules = match made.rules_for(source, &search.root) {
        Ok(rules) => rules,
        Err(rejection) => {
            tracing::warn!("a thread of a search has no rules: {rejection}");
            return;
        }
    };
    let mut climber = Climber::new(search, rules, seed);
    loop {
        match climber.climb() {
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
