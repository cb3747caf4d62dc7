//! Luck that can be verified: from where a match has it, and whether what a journal says of it holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Event, HostError, Journal, Match};
use boardwright_model::{EventLuck, LuckNumber, LuckRecord, LuckTerms, SeatId, Seed, draw_seed, seed_commitment, server_number};
use boardwright_rules::{Generator, Luck};

/// The luck of a match that can be verified.
#[derive(Clone, Debug)]
pub(super) struct MatchLuck {
    terms: Arc<LuckTerms>,
    record: LuckRecord,
    /// The numbers for the next event in which something is drawn.
    given: Option<EventLuck>,
}

impl MatchLuck {
    /// At the beginning of a match, of which something is drawn or not.
    pub(super) fn begin(first: EventLuck) -> Result<Self, HostError> {
        let terms = first.terms.clone().unwrap_or_default();
        let record = LuckRecord::new(&terms);
        record.clone().add(&first)?;
        Ok(Self {
            terms,
            record,
            given: Some(first),
        })
    }

    /// The numbers that were used for an event. What was given is given once; without draws it is not used, but at the beginning.
    pub(super) fn use_numbers(&mut self, has_draws: bool) -> Result<Option<EventLuck>, HostError> {
        let given = self.given.take();
        let used = given.filter(|given| has_draws || given.terms.is_some());
        if let Some(used) = &used {
            self.record.add(used)?;
        }
        Ok(used)
    }
}

impl Match {
    /// Where the next event has its luck from.
    pub(super) fn next_luck(&self) -> Luck {
        let Some(luck) = &self.luck else {
            return Luck::Roll(self.generator.clone());
        };
        let Some(given) = &luck.given else { return Luck::Awaited };
        let server = server_number(self.seed(), given.index);
        let seed = draw_seed(&luck.terms.match_id, given.index, server, &given.numbers);
        Luck::Roll(Generator::new(seed))
    }

    /// Which numbers come next, where luck can be verified.
    pub fn luck_record(&self) -> Option<&LuckRecord> {
        self.luck.as_ref().map(|luck| &luck.record)
    }

    /// What was agreed on for the luck of the match, where it can be verified.
    pub fn luck_terms(&self) -> Option<&Arc<LuckTerms>> {
        self.luck.as_ref().map(|luck| &luck.terms)
    }

    /// Gives the numbers for the next event in which something is drawn. They count for the next change alone; without them it is
    /// [`HostError::AwaitsNumbers`].
    pub fn give_numbers(&mut self, numbers: Option<Vec<Option<LuckNumber>>>) {
        if let Some(luck) = &mut self.luck {
            luck.given = numbers.map(|numbers| EventLuck {
                index: luck.record.next(),
                numbers,
                terms: None,
            });
        }
    }

    /// Keeps to the terms with which the journal of a match that was taken up begins: luck goes on from where its events have come to.
    ///
    /// # Errors
    /// If the numbers of its events do not fit.
    pub fn keep_luck_verifiable(&mut self) -> Result<(), HostError> {
        let Some(terms) = terms_of(&self.journal) else { return Ok(()) };
        let mut record = LuckRecord::new(&terms);
        for (_, event) in in_order(&self.journal) {
            event.luck.iter().try_for_each(|luck| record.add(luck))?;
        }
        self.luck = Some(MatchLuck {
            terms,
            record,
            given: None,
        });
        Ok(())
    }
}

/// What the luck of a match was agreed to follow from.
fn terms_of(journal: &Journal) -> Option<Arc<LuckTerms>> {
    journal.events().first()?.luck.as_ref()?.terms.clone()
}

/// The events in which something was drawn, in the order in which that was, by index and place. Those that were undone, or are of variations, were
/// made as well.
fn in_order(journal: &Journal) -> BTreeMap<(u32, usize), &Event> {
    let events = journal.all_events().into_iter().enumerate();
    let with_luck = events.filter_map(|(place, event)| Some(((event.luck.as_ref()?.index, place), &**event)));
    with_luck.collect()
}

/// The first place at which the luck of a match is not what was agreed on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LuckDifference {
    /// The seed is not the one that the host had committed to.
    #[error("the seed is not the one that was committed to: it has the hash {found}, and {committed} was committed to")]
    Seed {
        /// What was committed to.
        committed: LuckNumber,
        /// The hash of the seed.
        found: LuckNumber,
    },
    /// An event.
    #[error("event {event} ({notation}): {what}")]
    Event {
        /// The event, from 0.
        event: usize,
        /// Its notation.
        notation: Arc<str>,
        /// What is wrong.
        what: String,
    },
}

/// What a check of the luck of a match has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedLuck {
    /// What was agreed on.
    pub terms: Arc<LuckTerms>,
    /// In how many events something was drawn, the beginning included.
    pub events: usize,
    /// How many draws follow from the numbers.
    pub draws: usize,
    /// In how many of the events each seat took part, of those that had agreed to.
    pub seats: Vec<(SeatId, usize)>,
}

/// Checks the luck of a journal against what was agreed on before its beginning: the seed, the numbers of the players and each draw. None if nothing was
/// agreed on.
///
/// # Errors
/// The first difference.
pub fn verify_luck(journal: &Journal, seed: Seed) -> Result<Option<VerifiedLuck>, LuckDifference> {
    let Some(terms) = terms_of(journal) else { return Ok(None) };
    let found = seed_commitment(seed);
    if found != terms.seed {
        let committed = terms.seed;
        return Err(LuckDifference::Seed { committed, found });
    }
    let wrong = |place: usize, event: &Event, what: String| LuckDifference::Event {
        event: place,
        notation: Arc::clone(&event.notation),
        what,
    };
    for (place, event) in journal.all_events().into_iter().enumerate() {
        if event.luck.is_none() && !event.draws.is_empty() {
            return Err(wrong(
                place,
                event,
                "something is drawn without the numbers of the players".to_owned(),
            ));
        }
    }
    let mut record = LuckRecord::new(&terms);
    let mut verified = VerifiedLuck {
        events: 0,
        draws: 0,
        seats: record.seats().map(|seat| (seat, 0)).collect(),
        terms: Arc::clone(&terms),
    };
    for ((_, place), event) in in_order(journal) {
        let Some(luck) = &event.luck else { continue };
        record.add(luck).map_err(|fault| wrong(place, event, fault.to_string()))?;
        let server = server_number(seed, luck.index);
        if let Some(draw) = luck.find_wrong_draw(&terms.match_id, server, &event.draws) {
            return Err(wrong(place, event, format!("draw {} does not follow from the numbers", draw + 1)));
        }
        verified.events += 1;
        verified.draws += event.draws.len();
        for (seat, count) in &mut verified.seats {
            *count += usize::from(luck.numbers.get(seat.index()).is_some_and(Option::is_some));
        }
    }
    Ok(Some(verified))
}
