//! The beginning of the program: what the first picture does not need waits until it is shown.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long work waits at most, where no picture is shown: a window may begin minimized.
const MOST: Duration = Duration::from_secs(1);

/// Whether the first picture with something to choose was shown. Clones are about the same window.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstPicture(Arc<(Mutex<u8>, Condvar)>);

impl FirstPicture {
    /// Notes a frame in which there is something to choose. The picture of a frame is shown before the next one begins. Whether another one
    /// is needed to know that.
    pub(super) fn on_frame(&self) -> bool {
        let (frames, shown) = &*self.0;
        let mut frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
        if *frames < 2 {
            *frames += 1;
            shown.notify_all();
        }
        *frames < 2
    }

    /// Waits until it was shown.
    pub(super) fn wait(&self) {
        let (frames, shown) = &*self.0;
        let frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
        drop(shown.wait_timeout_while(frames, MOST, |frames| *frames < 2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_waits_for_the_frame_behind_the_first_picture() {
        let picture = FirstPicture::default();
        let waiting = std::thread::spawn({
            let picture = picture.clone();
            move || picture.wait()
        });
        assert!(picture.on_frame(), "it is drawn, and not shown yet");
        assert!(!picture.on_frame());
        waiting.join().unwrap();
        picture.wait();
        assert!(!picture.on_frame());
    }
}
