//! What happened, in order, and how much of it stands.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::{Cause, Event};
use boardwright_model::{DrawKind, Fingerprint};

/// The events of a match and the position in them: events before the position stand, those behind it were taken back and can
/// be done again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    events: Vec<Arc<Event>>,
    position: usize,
}

impl Journal {
    /// A journal with a position in it; a position past the end is the end.
    pub fn new(events: Vec<Arc<Event>>, position: usize) -> Self {
        let position = position.min(events.len());
        Self { events, position }
    }

    /// The same events with none of them standing.
    pub(super) fn rewound(self) -> Self {
        Self { position: 0, ..self }
    }

    /// All events, those taken back included.
    pub fn events(&self) -> &[Arc<Event>] {
        &self.events
    }

    /// How many events stand.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The rules that events were made under, undone events included.
    pub fn fingerprints(&self) -> BTreeSet<Fingerprint> {
        self.events.iter().map(|event| event.fingerprint).collect()
    }

    /// The events that stand.
    pub fn standing(&self) -> &[Arc<Event>] {
        self.events.get(..self.position).unwrap_or_default()
    }

    /// The newest event that stands.
    pub fn last(&self) -> Option<&Arc<Event>> {
        self.standing().last()
    }

    /// The event that comes next when something taken back is done again.
    pub fn next(&self) -> Option<&Arc<Event>> {
        self.events.get(self.position)
    }

    /// The forced dice of events that stand which have not come yet. Each die that was drawn since has used one up, whether it has that face
    /// or not.
    pub fn forced_dice(&self) -> Vec<u32> {
        forced_dice(self.standing())
    }

    /// How many events were taken back.
    pub fn later(&self) -> usize {
        self.events.len() - self.position
    }

    /// Adds an event; events that were taken back are dropped.
    pub(super) fn push(&mut self, event: Arc<Event>) {
        self.events.truncate(self.position);
        self.events.push(event);
        self.position += 1;
    }

    pub(super) fn back(&mut self) {
        self.position = self.position.saturating_sub(1);
    }

    pub(super) fn forth(&mut self) {
        self.position = (self.position + 1).min(self.events.len());
    }

    /// The position before the newest action or manual edit that stands.
    pub fn before_last_change(&self) -> Option<usize> {
        self.standing().iter().rposition(|event| event.is_change())
    }

    /// The position after the next action or manual edit that was taken back, and after the changes of rules that follow it: they were taken
    /// back with it.
    pub fn after_next_change(&self) -> Option<usize> {
        let rest = self.events.get(self.position..).unwrap_or_default();
        let is_change = |event: &Arc<Event>| event.is_change();
        let next = rest.iter().position(is_change)? + 1;
        let following = rest.iter().skip(next).position(is_change);
        Some(following.map_or(self.events.len(), |following| self.position + next + following))
    }
}

/// The forced dice of events, without those that have come in them.
pub(super) fn forced_dice(events: &[Arc<Event>]) -> Vec<u32> {
    let mut laid: VecDeque<u32> = VecDeque::new();
    for event in events {
        for draw in &event.draws {
            if let DrawKind::Dice { count, .. } = draw.kind {
                laid.drain(..laid.len().min(usize::from(count)));
            }
        }
        if let Cause::Dice { faces } = &event.cause {
            laid.extend(faces);
        }
    }
    laid.into()
}
