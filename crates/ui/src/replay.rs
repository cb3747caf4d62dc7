//! Watching what was played: a clock that goes through the history, without drawing anything.

/// How long an action is looked at, in seconds, at the usual speed.
const PAUSE: f64 = 1.2;

/// How fast a replay goes, in hundredths of the usual speed.
pub const SPEEDS: [u16; 4] = [50, 100, 200, 400];

/// A look at what was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replay {
    /// Whether it is asked for even while nothing is looked back at.
    pub is_open: bool,
    /// Whether it is compared with the present.
    pub compares: bool,
    /// Whether the present is shown in place of what is looked back at.
    pub shows_present: bool,
    /// The speed, one of [`SPEEDS`].
    pub speed: u16,
    /// When the next action is shown, while it runs.
    next: Option<f64>,
}

impl Default for Replay {
    fn default() -> Self {
        Self {
            is_open: false,
            compares: false,
            shows_present: false,
            speed: 100,
            next: None,
        }
    }
}

impl Replay {
    /// Whether it goes on by itself.
    pub fn is_running(&self) -> bool {
        self.next.is_some()
    }

    /// Lets it run from now on, or stop. At the end it begins anew: then that is the position to go to.
    pub fn run(&mut self, runs: bool, now: f64, first: usize, at: usize, length: usize) -> Option<usize> {
        self.next = runs.then(|| now + self.pause());
        if runs {
            self.is_open = true;
            self.shows_present = false;
        }
        (runs && at >= length && first < length).then_some(first)
    }

    fn pause(&self) -> f64 {
        PAUSE * 100.0 / f64::from(self.speed.max(1))
    }

    /// The position to go to, if it is time. `steps` are the positions after each action that can be seen, rising.
    pub fn due(&mut self, now: f64, at: usize, steps: &[usize]) -> Option<usize> {
        let next = self.next.filter(|next| *next <= now)?;
        let position = steps.iter().copied().find(|position| *position > at);
        let is_last = position.is_none() || position == steps.last().copied();
        self.next = (!is_last).then(|| f64::max(next + self.pause(), now));
        position
    }

    /// How long it takes until something is due, in seconds.
    pub fn wait(&self, now: f64) -> Option<f64> {
        self.next.map(|next| (next - now).max(0.0))
    }

    /// Back to the present: nothing is compared or running any more.
    pub fn close(&mut self) {
        let speed = self.speed;
        *self = Self { speed, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_from_action_to_action_and_stops_at_the_newest() {
        let mut replay = Replay::default();
        assert_eq!(replay.run(true, 10.0, 1, 5, 5), Some(1), "at the end it begins anew");
        let steps = [2, 3, 5];
        assert_eq!(replay.due(10.5, 1, &steps), None);
        assert_eq!(replay.due(11.3, 1, &steps), Some(2));
        assert_eq!(replay.due(11.4, 2, &steps), None, "each action is looked at for a while");
        assert_eq!(replay.due(12.5, 2, &steps), Some(3));
        assert_eq!(replay.due(14.0, 3, &steps), Some(5));
        assert!(!replay.is_running());
    }

    #[test]
    fn twice_the_speed_is_half_the_wait() {
        let mut replay = Replay {
            speed: 200,
            ..Replay::default()
        };
        assert_eq!(replay.run(true, 0.0, 0, 0, 9), None);
        assert!((replay.wait(0.0).unwrap() - 0.6).abs() < 1e-9);
        assert_eq!(replay.due(0.7, 0, &[1, 2]), Some(1));
    }
}
