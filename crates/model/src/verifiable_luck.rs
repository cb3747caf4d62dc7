//! Luck that the players of a match can verify: commit and reveal.
//!
//! Before the match begins the host commits to its seed, and each player who takes part to the head of a hash chain. The luck of each event in
//! which something is drawn follows from the next number of the host, which follows from its seed, and from the next number of each
//! chain. Nobody knows all of them before the action is fixed, and nobody can choose one afterwards.
//!
//! Every hash is SHA-256 over a text: lines joined by line feeds, numbers of 256 bits as 64 hexadecimal digits. `docs/verifiable-luck.md` lists
//! them for readers of other languages.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Draw, Generator, SeatId, Seed, SeedError};

/// How many numbers a chain has: in so many events a player can take part.
pub const CHAIN_LENGTH: u32 = 16_384;
/// Of a chain every so many numbers are kept, and those between them computed when they are asked for.
const KEPT_EVERY: u32 = 128;

/// 256 bits: a number that luck is made of, or a hash that commits to one. Written as 64 hexadecimal digits.
///
/// ```
/// use boardwright_model::LuckNumber;
///
/// let number = LuckNumber([0xab; 32]);
/// assert_eq!(number.to_string().parse(), Ok(number));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct LuckNumber(pub [u8; 32]);

impl fmt::Display for LuckNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A secret of a chain must not stand in a log.
impl fmt::Debug for LuckNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LuckNumber(..)")
    }
}

impl From<LuckNumber> for String {
    fn from(number: LuckNumber) -> Self {
        number.to_string()
    }
}

impl FromStr for LuckNumber {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        match text.parse()? {
            Seed::Secret(bytes) => Ok(Self(bytes)),
            Seed::Number(_) => Err(SeedError),
        }
    }
}

impl TryFrom<String> for LuckNumber {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        text.parse()
    }
}

/// SHA-256 of lines joined by line feeds.
fn hash(lines: &[&str]) -> LuckNumber {
    LuckNumber(Sha256::digest(lines.join("\n")).into())
}

/// What a host commits to its seed with.
pub fn seed_commitment(seed: Seed) -> LuckNumber {
    hash(&["boardwright seed", &seed.to_string()])
}

/// The number of the host for an event, counted from 0 among those in which something is drawn.
pub fn server_number(seed: Seed, index: u32) -> LuckNumber {
    hash(&["boardwright number", &seed.to_string(), &index.to_string()])
}

/// What a host commits to its number and to an action with, before it asks players for theirs. `action` is the action as JSON, `begin` for the beginning of
/// the match.
pub fn action_commitment(number: LuckNumber, action: &str) -> LuckNumber {
    hash(&["boardwright action", &number.to_string(), action])
}

/// The seed of the luck of an event. `numbers` are those of the seats, in order, none for a seat that takes no part.
pub fn draw_seed(match_id: &str, index: u32, server: LuckNumber, numbers: &[Option<LuckNumber>]) -> Seed {
    let numbers = numbers
        .iter()
        .map(|number| number.map_or_else(|| "-".to_owned(), |number| number.to_string()));
    let lines: Vec<String> = [
        "boardwright luck".to_owned(),
        match_id.to_owned(),
        index.to_string(),
        server.to_string(),
    ]
    .into_iter()
    .chain(numbers)
    .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Seed::Secret(hash(&lines).0)
}

/// The number before another in a chain.
fn before(number: LuckNumber) -> LuckNumber {
    hash(&["boardwright chain", &number.to_string()])
}

/// The numbers of a player: each is the hash of the one behind it, the last one is the secret. Whoever knows the head, which is the hash of the
/// first, can check each number and guess none.
///
/// ```
/// use boardwright_model::{LuckNumber, LuckRecord, LuckTerms, NumberChain};
///
/// let chain = NumberChain::new(LuckNumber([7; 32]));
/// let terms = LuckTerms { heads: vec![Some(chain.head())], ..LuckTerms::default() };
/// let record = LuckRecord::new(&terms);
/// assert!(record.is_next(0, chain.number(0).unwrap()));
/// ```
#[derive(Clone)]
pub struct NumberChain {
    /// The secret, and every [`KEPT_EVERY`]th number before it.
    kept: Vec<LuckNumber>,
    head: LuckNumber,
}

impl fmt::Debug for NumberChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NumberChain({})", self.head)
    }
}

impl NumberChain {
    /// The chain of a secret, which has to be random.
    pub fn new(secret: LuckNumber) -> Self {
        let (mut kept, mut number) = (Vec::new(), secret);
        for step in 0..CHAIN_LENGTH {
            if step.is_multiple_of(KEPT_EVERY) {
                kept.push(number);
            }
            number = before(number);
        }
        Self { kept, head: number }
    }

    /// What commits to all its numbers.
    pub fn head(&self) -> LuckNumber {
        self.head
    }

    /// A number, from 0; none behind the last.
    pub fn number(&self, index: u32) -> Option<LuckNumber> {
        let steps = CHAIN_LENGTH.checked_sub(index + 1)?;
        let nearest = *self.kept.get((steps / KEPT_EVERY) as usize)?;
        Some((0..steps % KEPT_EVERY).fold(nearest, |number, _| before(number)))
    }
}

/// What all luck of a match follows from, as it is agreed on before the match begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LuckTerms {
    /// The id of the match, so that no number counts in two matches.
    #[serde(rename = "match")]
    pub match_id: String,
    /// What the host commits to its seed with.
    pub seed: LuckNumber,
    /// The head of each seat's chain; none where no player takes part.
    pub heads: Vec<Option<LuckNumber>>,
}

/// What the luck of an event was made of, beside the number of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLuck {
    /// Counts the events in which something is drawn, from 0.
    pub index: u32,
    /// The number of each seat; none where no player takes part, or one did not give it.
    pub numbers: Vec<Option<LuckNumber>>,
    /// What was agreed on, with the beginning of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<Arc<LuckTerms>>,
}

/// Why the luck of an event is not what was agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LuckFault {
    /// Not the next number.
    #[error("it has number {found} of the luck, and number {expected} comes next: an event is missing, or was made twice")]
    Index {
        /// The number that comes next.
        expected: u32,
        /// The one it has.
        found: u32,
    },
    /// Not as many numbers as seats.
    #[error("it has numbers of other seats than were agreed on")]
    Seats,
    /// A number that does not lead to the head of its chain.
    #[error("the number of seat {} is not the one that its player had committed to", .0.index() + 1)]
    Number(SeatId),
    /// A seat that was left out takes part again: so whether its number counts could be chosen.
    #[error("seat {} was left out, and takes part again", .0.index() + 1)]
    Back(SeatId),
}

/// Follows the numbers of a match from event to event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LuckRecord {
    next: u32,
    /// Whether the next event may be any: for who comes to a match that has begun.
    is_late: bool,
    /// The newest number of each seat that takes part: its head at first.
    newest: Vec<Option<LuckNumber>>,
    /// The index of the number behind the newest ones.
    behind: u32,
}

impl LuckRecord {
    /// The record of a match that has not begun.
    pub fn new(terms: &LuckTerms) -> Self {
        Self {
            next: 0,
            is_late: false,
            newest: terms.heads.clone(),
            behind: 0,
        }
    }

    /// The record of who comes to a match that has begun: the first event that is added may have any index.
    pub fn of_late_comer(terms: &LuckTerms) -> Self {
        Self {
            is_late: true,
            ..Self::new(terms)
        }
    }

    /// The index of the next event in which something is drawn.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The seats that still take part.
    pub fn seats(&self) -> impl Iterator<Item = SeatId> {
        let seats = self.newest.iter().zip(0_u8..).filter(|(newest, _)| newest.is_some());
        seats.map(|(_, seat)| SeatId(seat))
    }

    /// Whether this is the next number of a seat.
    pub fn is_next(&self, seat: usize, number: LuckNumber) -> bool {
        self.leads_back(seat, self.next, number)
    }

    fn leads_back(&self, seat: usize, index: u32, number: LuckNumber) -> bool {
        let steps = self.behind..=index.min(CHAIN_LENGTH);
        index < CHAIN_LENGTH && self.newest.get(seat).copied().flatten() == Some(steps.fold(number, |number, _| before(number)))
    }

    /// Adds the next event.
    ///
    /// # Errors
    /// If it is not the next one, or a number is not the one that was committed to.
    pub fn add(&mut self, luck: &EventLuck) -> Result<(), LuckFault> {
        if luck.index != self.next && !self.is_late {
            return Err(LuckFault::Index {
                expected: self.next,
                found: luck.index,
            });
        }
        if luck.numbers.len() != self.newest.len() {
            return Err(LuckFault::Seats);
        }
        for (seat, number) in luck.numbers.iter().enumerate() {
            let id = SeatId(u8::try_from(seat).unwrap_or(u8::MAX));
            match (number, self.newest.get(seat).copied().flatten()) {
                (Some(number), Some(_)) if !self.leads_back(seat, luck.index, *number) => return Err(LuckFault::Number(id)),
                (Some(_), None) => return Err(LuckFault::Back(id)),
                _ => {}
            }
        }
        self.newest.clone_from(&luck.numbers);
        self.is_late = false;
        self.next = luck.index.saturating_add(1);
        self.behind = self.next;
        Ok(())
    }
}

impl EventLuck {
    /// Finds the first draw that does not follow from the numbers: its place among the draws.
    pub fn find_wrong_draw(&self, match_id: &str, server: LuckNumber, draws: &[Draw]) -> Option<usize> {
        let mut generator = Generator::new(draw_seed(match_id, self.index, server, &self.numbers));
        draws.iter().position(|draw| generator.draw(&draw.kind) != *draw.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chains() -> [NumberChain; 2] {
        [NumberChain::new(LuckNumber([1; 32])), NumberChain::new(LuckNumber([2; 32]))]
    }

    fn event(index: u32, chains: &[NumberChain; 2]) -> EventLuck {
        EventLuck {
            index,
            numbers: chains.iter().map(|chain| chain.number(index)).collect(),
            terms: None,
        }
    }

    #[test]
    fn each_number_is_the_hash_of_the_one_behind_it_up_to_the_secret() {
        let [chain, _] = chains();
        assert_eq!(before(chain.number(0).unwrap()), chain.head());
        for index in [0, 1, 126, 127, 128, 9_999, CHAIN_LENGTH - 2] {
            assert_eq!(before(chain.number(index + 1).unwrap()), chain.number(index).unwrap(), "{index}");
        }
        assert_eq!(chain.number(CHAIN_LENGTH - 1), Some(LuckNumber([1; 32])));
        assert_eq!(chain.number(CHAIN_LENGTH), None);
    }

    /// Bots in other languages compute these: they must never change.
    #[test]
    fn the_hashes_are_those_of_the_documentation() {
        let seed = Seed::Secret([0; 32]);
        let number = server_number(seed, 3);
        let all = [
            seed_commitment(seed),
            number,
            action_commitment(number, "begin"),
            before(LuckNumber([0; 32])),
        ];
        let short = all.map(|hash| hash.to_string()[..8].to_owned());
        assert_eq!(short, ["3138e193", "0dc3958c", "c7e33d03", "27705a36"]);
        let Seed::Secret(drawn) = draw_seed("match", 3, number, &[None, Some(LuckNumber([0; 32]))]) else {
            unreachable!()
        };
        assert_eq!(LuckNumber(drawn).to_string()[..8], *"f57818da");
    }

    #[test]
    fn numbers_that_were_not_committed_to_gaps_and_seats_that_come_back_are_found() {
        let chains = chains();
        let terms = LuckTerms {
            heads: chains.iter().map(|chain| Some(chain.head())).collect(),
            ..LuckTerms::default()
        };
        let mut record = LuckRecord::new(&terms);
        record.add(&event(0, &chains)).unwrap();
        assert_eq!(
            record.clone().add(&event(2, &chains)),
            Err(LuckFault::Index { expected: 1, found: 2 })
        );
        let mut swapped = event(1, &chains);
        swapped.numbers.swap(0, 1);
        assert_eq!(record.clone().add(&swapped), Err(LuckFault::Number(SeatId(0))));
        let mut fewer = event(1, &chains);
        fewer.numbers.pop();
        assert_eq!(record.clone().add(&fewer), Err(LuckFault::Seats));
        let mut without = event(1, &chains);
        without.numbers[1] = None;
        record.add(&without).unwrap();
        let mut late = LuckRecord::of_late_comer(&terms);
        late.add(&event(5, &chains)).unwrap();
        assert_eq!(late.add(&event(7, &chains)), Err(LuckFault::Index { expected: 6, found: 7 }));
        assert_eq!(record.seats().collect::<Vec<_>>(), [SeatId(0)]);
        assert_eq!(record.add(&event(2, &chains)), Err(LuckFault::Back(SeatId(1))));
    }
}
