//! Whether a window knows what its host knows.

use std::fmt::Write as _;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use boardwright::client::Mirror;
use boardwright::model::{SeatId, State};
use boardwright::protocol::ViewSnapshot;

use super::{Fuzz, PATIENCE};

/// How long a host may take to answer.
const LONGEST_ANSWER: Duration = Duration::from_mins(1);

impl Fuzz {
    /// Compares what the window knows of the match with what the host knows, for each view that the window has.
    pub(super) fn compares(&mut self) {
        let viewers: Vec<_> = self
            .mirror()
            .into_iter()
            .flat_map(Mirror::views)
            .map(|(viewer, _)| viewer)
            .collect();
        for viewer in viewers {
            let mut found = String::new();
            let is_same = (0..PATIENCE).any(|_| match self.difference(viewer) {
                None => true,
                Some(text) => {
                    found = text;
                    self.window.harness.step();
                    sleep(Duration::from_millis(10));
                    false
                }
            });
            assert!(is_same, "as {viewer:?} sees it: {found}");
            self.compared += 1;
        }
        if let Some(mirror) = self.mirror().filter(|_| !self.has_changed_rules) {
            assert_eq!(mirror.resyncs(), 0, "a view was led on to what the host did not mean");
        }
    }

    /// In what the window differs from the host just now; none also where the window no longer has that view.
    pub(super) fn difference(&mut self, viewer: Option<SeatId>) -> Option<String> {
        self.tap.asks(viewer);
        let begun = Instant::now();
        while !self.tap.is_answered() && self.mirror().is_some() {
            assert!(begun.elapsed() < LONGEST_ANSWER, "as {viewer:?} sees it: the host does not answer");
            self.window.harness.step();
            sleep(Duration::from_millis(1));
        }
        // The line is held: nothing reaches the window in between.
        let known = self.mirror().map(|mirror| known(mirror, viewer));
        let snapshot = self.tap.lets_go();
        match (known, snapshot) {
            (None | Some(None), _) => None,
            (Some(Some(_)), None) => Some("the host does not show it".to_owned()),
            (Some(Some(known)), Some(snapshot)) => compared(&known, &snapshot),
        }
    }
}

/// What a window knows of a match as a viewer sees it.
pub(super) struct Known {
    state: Arc<State>,
    at: usize,
    length: usize,
    players: Vec<String>,
    is_paused: bool,
}

pub(super) fn known(mirror: &Mirror, viewer: Option<SeatId>) -> Option<Known> {
    let state = mirror
        .views()
        .find(|(seat, _)| *seat == viewer)
        .map(|(_, state)| Arc::clone(state))?;
    Some(Known {
        state,
        at: mirror.at(),
        length: mirror.length(),
        players: mirror.players().to_vec(),
        is_paused: mirror.is_paused(),
    })
}

pub(super) fn compared(known: &Known, host: &ViewSnapshot) -> Option<String> {
    let mut found = String::new();
    if known.state.position() != host.position {
        _ = write!(found, "the positions differ; ");
    }
    if known.state.parts() != host.state {
        _ = write!(found, "the states differ: {:?} is not {:?}; ", known.state.parts(), host.state);
    }
    if known.state.digest_from_scratch() != known.state.digest() {
        _ = write!(found, "the digest is not that of what is there; ");
    }
    if (known.at, known.length) != (host.at, host.length) {
        let (at, length) = (known.at, known.length);
        _ = write!(found, "at {at} of {length}, the host at {} of {}; ", host.at, host.length);
    }
    if (&known.players, known.is_paused) != (&host.players, host.paused) {
        _ = write!(found, "the players differ: {:?} and {:?}; ", known.players, host.players);
    }
    (!found.is_empty()).then_some(found)
}
