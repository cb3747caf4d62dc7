//! A speaker that keeps nobody waiting: what plays the sounds runs on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::{Cue, Speaker, Volume, samples};

/// How many sounds may wait to be heard. What comes later than that would be heard too late to mean anything.
const MOST_WAITING: usize = 3;

/// Plays on a thread of its own.
#[derive(Debug)]
pub struct ThreadSpeaker {
    outbox: SyncSender<(Cue, Volume)>,
    is_there: Arc<AtomicBool>,
}

impl ThreadSpeaker {
    /// Plays each sound by a function, which says whether anything could be heard. At first it is called without a sound. None if no thread
    /// can be started.
    pub(super) fn start(mut play: impl FnMut(Option<Vec<i16>>) -> bool + Send + 'static) -> Option<Self> {
        let (outbox, inbox) = sync_channel(MOST_WAITING);
        let is_there = Arc::new(AtomicBool::new(false));
        let works = Arc::clone(&is_there);
        let body = move || {
            works.store(play(None), Ordering::Relaxed);
            for (cue, volume) in inbox {
                works.store(play(Some(samples(cue, volume))), Ordering::Relaxed);
            }
        };
        thread::Builder::new().name("sound".to_owned()).spawn(body).ok()?;
        Some(Self { outbox, is_there })
    }
}

impl Speaker for ThreadSpeaker {
    fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Relaxed)
    }

    fn play(&mut self, cues: &[Cue], volume: Volume) {
        for cue in cues {
            // Full, or its thread has ended: then nothing is heard.
            _ = self.outbox.try_send((*cue, volume));
        }
    }
}
