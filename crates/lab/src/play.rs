//! One match of an arena, from its beginning to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::memories::Memories;
use super::{CpuClock, MatchJob};
use boardwright_host::{HostError, Match};
use boardwright_model::{Outcome, Rejection, SeatId};
use boardwright_players::{Budget, Decision, Player, PlayerError};
use boardwright_rules::{Generator, RandomActionSampler, Request, RequestKind, is_spent};

/// The most actions of a match. One that goes on after so many counts as drawn.
pub const MOST_ACTIONS: u32 = 20_000;

/// How a match of an arena went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The number of the match in the plan.
    pub number: u64,
    /// The group of matches with the same luck.
    pub group: u64,
    /// The scenario, an index of the plan.
    pub scenario: usize,
    /// The seed of the match.
    pub seed: u64,
    /// How many actions were played.
    pub actions: u32,
    /// The time of the processor that the match took, from its first action to its end, in microseconds.
    #[serde(default)]
    pub microseconds: u64,
    /// Why it ended; empty where rules failed.
    pub reason: String,
    /// What went wrong with the rules, so that the match has no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What concerns each seat.
    pub seats: Vec<SeatRecord>,
}

/// What a match says of one of its seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatRecord {
    /// Who sat there: an index of the players of the plan.
    pub player: usize,
    /// The place it came to, 1 for the best.
    pub place: u8,
    /// Its score, where the rules keep scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// How many choices it made.
    pub choices: u32,
    /// How long it thought, in microseconds.
    pub microseconds: u64,
    /// How many nodes it searched.
    pub nodes: u64,
    /// How many of its choices another player made in its place.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replaced: u32,
    /// Why, the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mishap: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Record {
    pub(super) fn before(job: &MatchJob) -> Self {
        let seat = |player: &usize| SeatRecord {
            player: *player,
            place: 1,
            ..SeatRecord::default()
        };
        Self {
            number: job.number,
            group: job.group,
            scenario: job.scenario,
            seed: job.seed,
            seats: job.seats.iter().map(seat).collect(),
            ..Self::default()
        }
    }

    /// Which part of the other seats a seat has left behind, a shared place counting half: 1 for winning alone, 0 for being last alone.
    pub fn points(&self, seat: usize) -> f64 {
        let Some(own) = self.seats.get(seat) else { return 0.0 };
        let others = (self.seats.len() as f64 - 1.0).max(1.0);
        let halves: u32 = self
            .seats
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != seat)
            .map(|(_, other)| match other.place.cmp(&own.place) {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            })
            .sum();
        f64::from(halves) / (2.0 * others)
    }

    /// Whether a player, an index of the plan, won it alone with one of its seats.
    pub(super) fn is_won_by(&self, player: usize) -> bool {
        !self.is_drawn() && self.seats.iter().any(|seat| seat.player == player && seat.place == 1)
    }

    /// Whether the first place is shared.
    pub fn is_drawn(&self) -> bool {
        self.seats.iter().filter(|seat| seat.place == 1).count() != 1
    }
}

/// Plays a match that has begun to its end. `players` and their budgets stand in the order of the seats. Each is shown what its seat sees, and no more.
pub fn play(playing: &mut Match, job: &MatchJob, players: &mut [Box<dyn Player>], budgets: &[Budget]) -> Record {
    let mut record = Record::before(job);
    let clock = CpuClock::start();
    let mut generator = Generator::new(job.seed ^ 0x6c61_7374);
    let mut memories = Memories::of(playing);
    while let Some(seat) = playing.state().acting().first() {
        if record.actions >= MOST_ACTIONS {
            record.reason = format!("no end after {MOST_ACTIONS} actions");
            break;
        }
        let before = memories.is_needed().then(|| Arc::clone(playing.state()));
        let acted = act(playing, seat, &memories, (players, budgets), &mut record, &mut generator);
        let remembered = acted.and_then(|()| before.map_or(Ok(()), |before| memories.follow(&before, playing)));
        if let Err(failure) = remembered {
            record.failure = Some(failure);
            break;
        }
        record.actions += 1;
    }
    record.microseconds = clock.elapsed().as_micros() as u64;
    if let Some(outcome) = playing.state().outcome() {
        for (index, player) in players.iter_mut().enumerate() {
            let seat = SeatId::from_index(index);
            if let Ok(view) = memories.view(playing, seat) {
                player.see_end(playing.rules(), &view, seat);
            }
        }
        note_outcome(outcome, &mut record);
    } else if record.failure.is_none() && record.reason.is_empty() {
        record.failure = Some("nobody is to act, and the match has not ended".to_owned());
    }
    record
}

fn note_outcome(outcome: &Outcome, record: &mut Record) {
    record.reason = outcome.reason.to_string();
    for (index, seat) in record.seats.iter_mut().enumerate() {
        seat.place = outcome.places.get(index).copied().unwrap_or(1);
        seat.score = outcome.scores.get(index).copied();
    }
}

fn act(
    playing: &mut Match,
    seat: SeatId,
    memories: &Memories,
    (players, budgets): (&mut [Box<dyn Player>], &[Budget]),
    record: &mut Record,
    generator: &mut Generator,
) -> Result<(), String> {
    let seated = players.get_mut(seat.index()).zip(budgets.get(seat.index()));
    let Some(((player, budget), own)) = seated.zip(record.seats.get_mut(seat.index())) else {
        return Err("a seat has no player".to_owned());
    };
    let view = memories.view(playing, seat)?;
    let begun = Instant::now();
    let request = Request::begin(playing.rules(), RequestKind::Search);
    let chosen = player.choose(
        Decision {
            rules: playing.rules(),
            state: &view,
            seat,
            budget,
        },
        &mut |_| {},
    );
    drop(request);
    own.choices += 1;
    own.microseconds += begun.elapsed().min(Duration::from_hours(24)).as_micros() as u64;
    drop(view);
    let at = playing.journal().position();
    let mut mishap = None;
    let submitted = match chosen {
        Ok(choice) => {
            own.nodes += choice.nodes;
            mishap = choice.instead_of.map(|error| error.to_string());
            playing.submit(&choice.action, at).map(drop).map_err(Mishap::from)
        }
        Err(error) => Err(Mishap::from(error)),
    };
    if let Err(Mishap::TooSlow(fault)) = submitted {
        return Err(fault);
    }
    let result = submitted.map_err(Mishap::into_text).or_else(|refused| {
        // The view does not show everything that a refusal may rest on; and who does not choose has chosen for it.
        mishap = Some(refused);
        act_at_random(playing, seat, generator)
    });
    own.replaced += u32::from(mishap.is_some());
    own.mishap = own.mishap.take().or(mishap);
    result
}

/// Why a player did not act.
enum Mishap {
    /// The rules take longer than they may: they would do so again at every action.
    TooSlow(String),
    Other(String),
}

impl Mishap {
    fn of(rejection: Option<&Rejection>, text: String) -> Self {
        if rejection.is_some_and(is_spent) {
            Self::TooSlow(text)
        } else {
            Self::Other(text)
        }
    }

    fn into_text(self) -> String {
        match self {
            Self::TooSlow(text) | Self::Other(text) => text,
        }
    }
}

impl From<HostError> for Mishap {
    fn from(error: HostError) -> Self {
        let rejection = if let HostError::Rejected(rejection) = &error {
            Some(rejection)
        } else {
            None
        };
        Self::of(rejection, error.to_string())
    }
}

impl From<PlayerError> for Mishap {
    fn from(error: PlayerError) -> Self {
        let rejection = if let PlayerError::Rejected(rejection) = &error {
            Some(rejection)
        } else {
            None
        };
        Self::of(rejection, error.to_string())
    }
}

/// Takes any legal action for a seat; where the rules refuse one that they offer, another.
fn act_at_random(playing: &mut Match, seat: SeatId, generator: &mut Generator) -> Result<(), String> {
    let mut last = "it has no action to choose from".to_owned();
    let _request = playing.request(RequestKind::Whole);
    let mut sampler = RandomActionSampler::default();
    while let Some(action) = sampler
        .next(playing.rules(), playing.state(), seat, generator)
        .map_err(|rejection| rejection.to_string())?
    {
        match playing.submit(&action, playing.journal().position()) {
            Ok(_) => return Ok(()),
            Err(error) => last = error.to_string(),
        }
    }
    let title = playing.state().declarations().seat_title(seat);
    Err(format!("{title} cannot act: {last}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use boardwright_fixtures::{Race, Skirmish};
    use boardwright_model::{Policy, State};
    use boardwright_players::{Choice, Decision, Greedy, PlayerError, Random, Thinking};
    use boardwright_rules::RulesSource;

    fn job(seats: &[usize], seed: u64) -> MatchJob {
        MatchJob {
            number: 0,
            group: 0,
            scenario: 0,
            seats: seats.to_vec(),
            seed,
        }
    }

    /// Plays a match; gives it with its record.
    fn play_it(source: impl RulesSource + 'static, start: &State, players: &mut [Box<dyn Player>]) -> (Match, Record) {
        let mut playing = Match::begin(Arc::new(source), start.clone(), 5, Policy::default()).unwrap();
        let record = play(&mut playing, &job(&[0, 1], 5), players, &[Budget::of_level(), Budget::of_level()]);
        (playing, record)
    }

    /// Fails at every other choice, and chooses what is not legal at the others.
    struct Hopeless(u32);

    impl Player for Hopeless {
        fn name(&self) -> String {
            "hopeless".to_owned()
        }

        fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
            self.0 += 1;
            if self.0.is_multiple_of(2) {
                return Err(PlayerError::Unknown("hopeless".to_owned()));
            }
            let mut choice = Random::new(1).choose(decision, report)?;
            choice.action.seat = SeatId(1 - decision.seat.0);
            Ok(choice)
        }
    }

    #[test]
    fn a_match_is_played_to_its_end_and_can_be_played_again() {
        let start = Race::start().unwrap();
        let once = || {
            let mut players: Vec<Box<dyn Player>> = vec![Box::new(Greedy::new(1)), Box::new(Random::new(2))];
            play_it(Race::default(), &start, &mut players)
        };
        let (one, record) = once();
        let (two, _) = once();
        assert_eq!(one.journal(), two.journal());
        assert!(record.failure.is_none() && !record.is_drawn());
        // The same again with rules already made.
        let mut again = two.begin_again(State::clone(&start), 5).unwrap();
        let mut players: Vec<Box<dyn Player>> = vec![Box::new(Greedy::new(1)), Box::new(Random::new(2))];
        play(
            &mut again,
            &job(&[0, 1], 5),
            &mut players,
            &[Budget::of_level(), Budget::of_level()],
        );
        assert_eq!(one.journal(), again.journal());
        assert_eq!(record.reason, "first at the end of the track");
        assert_eq!(record.seats.iter().map(|seat| seat.choices).sum::<u32>(), record.actions);
        assert_eq!(record.seats.iter().map(|seat| seat.replaced).sum::<u32>(), 0);
    }

    #[test]
    fn who_chooses_nothing_or_nonsense_loses_only_that_choice() {
        let rules = Skirmish::new(4, 4, false).unwrap();
        let start = rules.full().unwrap();
        let mut players: Vec<Box<dyn Player>> = vec![Box::new(Hopeless(0)), Box::new(Random::new(2))];
        let (_, record) = play_it(rules, &start, &mut players);
        assert_eq!(record.failure, None);
        assert!(!record.reason.is_empty());
        let [hopeless, random] = record.seats.as_slice() else { panic!() };
        assert_eq!((hopeless.replaced, random.replaced), (hopeless.choices, 0));
        assert!(hopeless.mishap.is_some());
    }

    #[test]
    fn points_are_the_part_of_the_others_left_behind() {
        let record = |places: &[u8]| {
            let mut record = Record::before(&job(&vec![0; places.len()], 0));
            for (seat, place) in record.seats.iter_mut().zip(places) {
                seat.place = *place;
            }
            record
        };
        let points = |places: &[u8]| (0..places.len()).map(|seat| record(places).points(seat)).collect::<Vec<_>>();
        assert_eq!(points(&[1, 2]), [1.0, 0.0]);
        assert_eq!(points(&[1, 1]), [0.5, 0.5]);
        assert_eq!(points(&[2, 1, 2, 4]), [0.5, 1.0, 0.5, 0.0]);
    }
}
