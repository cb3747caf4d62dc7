//! The time that a thread has worked.

/// The time for which the system has let this thread run, in nanoseconds. `None` where the system does not tell: only Linux is asked.
pub(super) fn thread_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
