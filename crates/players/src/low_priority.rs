//! Threads that think give way to those that people wait for, such as the one that draws the window.
//!
//! What a search finds follows from its budget, which counts nodes: who is given the processor first changes nothing in it.

use std::cell::Cell;

/// The priority of threads that give way, of 0 to 99. On Linux it is a niceness of 9: beside a program that takes what it can, a search still
/// gets an eighth of a core, where the least priority would leave it next to nothing.
#[cfg(any(unix, windows))]
const PRIORITY: u8 = 25;

thread_local! {
    static HAS_LOW_PRIORITY: Cell<bool> = const { Cell::new(false) };
}

/// Lets this thread give way to others from now on, as far as the system has a word for that.
pub(super) fn lower_priority() {
    HAS_LOW_PRIORITY.set(true);
    #[cfg(any(unix, windows))]
    {
        use thread_priority::{ThreadPriority, ThreadPriorityValue};
        let lower = ThreadPriorityValue::try_from(PRIORITY).map_or(ThreadPriority::Min, ThreadPriority::Crossplatform);
        if let Err(error) = lower.set_for_current() {
            tracing::debug!("a thread keeps its priority: {error:?}");
        }
    }
}

/// Whether this thread gives way. Those that it starts to share its work are to do so as well; not every system sees to that itself.
pub(super) fn has_low_priority() -> bool {
    HAS_LOW_PRIORITY.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_gives_way_does_so_alone() {
        // The nineteenth word of what the system says of a thread, behind the name in parentheses, is how nice it is.
        let nice = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let words = stat.rsplit(')').next().unwrap();
            words.split_whitespace().nth(16).unwrap().parse::<i32>().unwrap()
        };
        let before = nice();
        let lowered = std::thread::spawn(move || {
            lower_priority();
            (nice(), has_low_priority())
        });
        let (lowered, has_given_way) = lowered.join().unwrap();
        assert!(has_given_way && (lowered == 9 || before > 9), "{before} {lowered}");
        assert_eq!((nice(), has_low_priority()), (before, false));
    }
}
