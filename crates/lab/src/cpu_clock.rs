//! The time a thread has worked, which other programs on the machine do not lengthen.

use std::time::{Duration, Instant};

/// A clock that runs while its thread runs. Where the system does not tell (only Linux is asked), it is an ordinary clock.
#[derive(Clone, Copy, Debug)]
pub struct CpuClock {
    begun: Option<u64>,
    wall: Instant,
}

impl CpuClock {
    /// Starts it, for the thread it is started on.
    pub fn start() -> Self {
        Self {
            begun: thread_nanoseconds(),
            wall: Instant::now(),
        }
    }

    /// The time since, asked on the same thread.
    pub fn elapsed(&self) -> Duration {
        match self.begun.zip(thread_nanoseconds()) {
            Some((begun, now)) => Duration::from_nanos(now.saturating_sub(begun)),
            None => self.wall.elapsed(),
        }
    }

    /// Whether it tells the time of the thread, and not that of the world.
    pub fn is_of_thread(&self) -> bool {
        self.begun.is_some()
    }
}

fn thread_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_still_while_the_thread_sleeps() {
        let clock = CpuClock::start();
        if clock.is_of_thread() {
            std::thread::sleep(Duration::from_millis(60));
            assert!(clock.elapsed() < Duration::from_millis(30), "{:?}", clock.elapsed());
        }
    }
}
