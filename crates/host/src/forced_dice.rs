//! Dice that were forced by edits and have not come yet, at each position of a line of events.

use std::collections::VecDeque;

use super::{Cause, Event};
use boardwright_model::DrawKind;

/// What is asked of a line of events to know its forced dice, without going through the events: the time of an answer depends on how many
/// edits forced dice, and not on the length of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ForcedDice {
    /// How many dice were drawn up to each event, its own included.
    drawn: Vec<u64>,
    /// The events that force dice, with the faces.
    forced: Vec<(usize, Vec<u32>)>,
}

impl ForcedDice {
    pub(super) fn of<'e>(events: impl IntoIterator<Item = &'e Event>) -> Self {
        let mut found = Self::default();
        events.into_iter().for_each(|event| found.push(event));
        found
    }

    /// Adds an event at the end of the line.
    pub(super) fn push(&mut self, event: &Event) {
        let dice = event.draws.iter().map(|draw| match draw.kind {
            DrawKind::Dice { count, .. } => u64::from(count),
            _ => 0,
        });
        let drawn = self.drawn_before(self.drawn.len()) + dice.sum::<u64>();
        if let Cause::Dice { faces } = &event.cause {
            self.forced.push((self.drawn.len(), faces.clone()));
        }
        self.drawn.push(drawn);
    }

    /// Forgets the events from a position on.
    pub(super) fn truncate(&mut self, length: usize) {
        self.drawn.truncate(length);
        self.forced.retain(|(at, _)| *at < length);
    }

    /// The forced dice that have not come when so many events stand. Each die that was drawn since has used one up, whether it has that face
    /// or not.
    pub(super) fn after(&self, events: usize) -> Vec<u32> {
        let mut waiting: VecDeque<u32> = VecDeque::new();
        let mut drawn = 0;
        let mut use_up = |waiting: &mut VecDeque<u32>, now: u64| {
            let used = usize::try_from(now - drawn).unwrap_or(usize::MAX);
            waiting.drain(..waiting.len().min(used));
            drawn = now;
        };
        for (at, faces) in self.forced.iter().take_while(|(at, _)| *at < events) {
            use_up(&mut waiting, self.drawn_before(at + 1));
            waiting.extend(faces);
        }
        use_up(&mut waiting, self.drawn_before(events));
        waiting.into()
    }

    /// How many dice were drawn in the events before a position.
    fn drawn_before(&self, position: usize) -> u64 {
        let last = position.min(self.drawn.len()).checked_sub(1);
        last.and_then(|last| self.drawn.get(last)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use boardwright_model::{Draw, Fingerprint};
    use proptest::prelude::*;

    use super::*;

    /// An event in which some dice were drawn, or which forces dice.
    fn event(drawn: u16, faces: &[u32]) -> Event {
        let draw = Draw {
            kind: DrawKind::Dice { count: drawn, sides: 6 },
            purpose: "test".into(),
            result: vec![1; usize::from(drawn)].into(),
            next_turn: None,
        };
        Event {
            cause: if faces.is_empty() {
                Cause::Debug { what: String::new() }
            } else {
                Cause::Dice { faces: faces.to_vec() }
            },
            notation: "".into(),
            sentence: "".into(),
            round: 1,
            draws: if drawn == 0 { Vec::new() } else { vec![draw] },
            effects: Vec::new(),
            digest: 0,
            fingerprint: Fingerprint::default(),
            generator: 0,
            luck: None,
        }
    }

    /// The same by going through all events.
    fn waiting(events: &[Event]) -> Vec<u32> {
        let mut waiting = Vec::new();
        for event in events {
            for draw in &event.draws {
                waiting.drain(..draw.result.len().min(waiting.len()));
            }
            if let Cause::Dice { faces } = &event.cause {
                waiting.extend(faces);
            }
        }
        waiting
    }

    proptest! {
        #[test]
        fn forced_dice_are_those_that_have_not_come_at_every_position(
            line in proptest::collection::vec((0_u16..4, proptest::collection::vec(1_u32..7, 0..4)), 0..30),
            cut in 0_usize..30,
        ) {
            let events: Vec<Event> = line.iter().map(|(drawn, faces)| event(*drawn, faces)).collect();
            let mut forced = ForcedDice::of(&events);
            for position in 0..=events.len() {
                prop_assert_eq!(forced.after(position), waiting(&events[..position]));
            }
            // A line that is left and gone on with otherwise is like one that was always so.
            let cut = cut.min(events.len());
            forced.truncate(cut);
            prop_assert_eq!(&forced, &ForcedDice::of(&events[..cut]));
        }
    }
}
