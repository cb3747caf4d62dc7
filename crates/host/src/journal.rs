//! What happened, in order, how much of it stands, and the variations that were left.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Event;
use super::forced_dice::ForcedDice;
use boardwright_model::Fingerprint;

/// The most variations that are kept; beyond, the oldest is dropped.
const MOST_VARIATIONS: usize = 100;

/// The events of a match and the position in them: events before the position stand, those behind it were taken back and can
/// be done again. When play goes another way from there, they become a [`Variation`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    events: Vec<Arc<Event>>,
    position: usize,
    variations: Vec<Variation>,
    forced_dice: ForcedDice,
}

/// A line of play that was left, as chess programs keep it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// How many events of the match come before it.
    pub at: usize,
    /// Its events, at least one. The first differs from the event that the line it left has there.
    pub events: Vec<Arc<Event>>,
    /// The variations that leave this one, oldest first. Each has more events before it than this one has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Self>,
}

impl Variation {
    /// How many variations it is, with all that leave it.
    fn count(&self) -> usize {
        1 + self.variations.iter().map(Self::count).sum::<usize>()
    }
}

impl Journal {
    /// A journal with a position in it; a position past the end is the end.
    pub fn new(events: Vec<Arc<Event>>, position: usize) -> Self {
        let position = position.min(events.len());
        Self {
            forced_dice: ForcedDice::of(events.iter().map(|event| &**event)),
            events,
            position,
            variations: Vec::new(),
        }
    }

    /// The same journal with other variations.
    #[must_use]
    pub fn with_variations(self, variations: Vec<Variation>) -> Self {
        Self { variations, ..self }
    }

    /// The same events with none of them applied.
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

    /// The rules that events were made under, those of variations included.
    pub fn fingerprints(&self) -> BTreeSet<Fingerprint> {
        self.all_events().into_iter().map(|event| event.fingerprint).collect()
    }

    /// The journal in which play left this line after `keep` events and went on with others, up to a position.
    #[must_use]
    pub fn continued(&self, keep: usize, events: &[Arc<Event>], position: usize) -> Self {
        let mut journal = self.clone();
        journal.position = keep.min(journal.events.len());
        journal.leave_later();
        for event in events {
            journal.push(Arc::clone(event));
        }
        journal.position = position.min(journal.events.len());
        journal
    }

    /// The applied events: those not undone.
    pub fn applied(&self) -> &[Arc<Event>] {
        self.events.get(..self.position).unwrap_or_default()
    }

    /// The newest applied event.
    pub fn last(&self) -> Option<&Arc<Event>> {
        self.applied().last()
    }

    /// The event that comes next when an undone event is redone.
    pub fn next(&self) -> Option<&Arc<Event>> {
        self.events.get(self.position)
    }

    /// The forced dice of applied events which have not come yet. Each die that was drawn since has used one up, whether it has that face
    /// or not.
    pub fn forced_dice(&self) -> Vec<u32> {
        self.forced_dice.after(self.position)
    }

    /// How many events were taken back.
    pub fn later(&self) -> usize {
        self.events.len() - self.position
    }

    /// All events: those of the line, then those of its variations and of theirs.
    pub fn all_events(&self) -> Vec<&Arc<Event>> {
        fn add<'a>(variations: &'a [Variation], all: &mut Vec<&'a Arc<Event>>) {
            for variation in variations {
                all.extend(&variation.events);
                add(&variation.variations, all);
            }
        }
        let mut all = self.events.iter().collect();
        add(&self.variations, &mut all);
        all
    }

    /// The variations that leave this line, oldest first.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// Adds an event; events that were taken back become a variation. Variations that begin with the same event leave the line one event
    /// later.
    pub(super) fn push(&mut self, event: Arc<Event>) {
        self.leave_later();
        let follows = |variation: &mut Variation| variation.at == self.position && variation.events.first() == Some(&event);
        let following: Vec<Variation> = self.variations.extract_if(.., follows).collect();
        self.forced_dice.push(&event);
        self.events.push(event);
        self.position += 1;
        for mut variation in following {
            variation.at += 1;
            variation.events.remove(0);
            let leaves_here = |other: &mut Variation| other.at == variation.at;
            self.variations.extend(variation.variations.extract_if(.., leaves_here));
            if !variation.events.is_empty() {
                self.variations.push(variation);
            }
        }
    }

    /// Makes what was taken back a variation.
    pub(super) fn leave_later(&mut self) {
        let (at, events) = (self.position, self.events.split_off(self.position));
        self.forced_dice.truncate(at);
        if events.is_empty() {
            return;
        }
        let variations = self.variations.extract_if(.., |variation| variation.at > at).collect();
        self.variations.push(Variation { at, events, variations });
        while self.variations.len() > 1 && self.variations.iter().map(Variation::count).sum::<usize>() > MOST_VARIATIONS {
            self.variations.remove(0);
        }
    }

    /// Makes a variation the line, from where it leaves it; the rest of the line becomes a variation. The position has to be there.
    pub(super) fn promote(&mut self, index: usize) {
        let variation = self.variations.remove(index);
        self.leave_later();
        for event in variation.events {
            self.forced_dice.push(&event);
            self.events.push(event);
        }
        self.variations.extend(variation.variations);
    }

    pub(super) fn delete_variation(&mut self, index: usize) {
        self.variations.remove(index);
    }

    pub(super) fn back(&mut self) {
        self.position = self.position.saturating_sub(1);
    }

    pub(super) fn forth(&mut self) {
        self.position = (self.position + 1).min(self.events.len());
    }

    /// The position before the newest action or manual edit that stands.
    pub fn before_last_change(&self) -> Option<usize> {
        self.applied().iter().rposition(|event| event.is_change())
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
