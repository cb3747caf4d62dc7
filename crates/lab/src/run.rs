//! Playing a plan on all cores.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::{MatchJob, Plan, Record, play};
use boardwright_host::Match;
use boardwright_model::{Policy, State};
use boardwright_players::{Budget, Player, PlayerError};
use boardwright_rules::RulesSource;

/// Search goes deep, and so may scripts.
const STACK_BYTES: usize = 32 << 20;

/// A scenario of a plan, ready to be played.
#[derive(Clone)]
pub struct ArenaScenario {
    /// The rules.
    pub source: Arc<dyn RulesSource>,
    /// The state before the match begins.
    pub start: State,
}

impl std::fmt::Debug for ArenaScenario {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ArenaScenario({})", self.source.fingerprint().short())
    }
}

/// Makes whoever sits at a seat of a match. Called on the thread that plays the match.
pub type MakeSeat<'a> = dyn Fn(&MatchJob, usize) -> Result<Box<dyn Player>, PlayerError> + Sync + 'a;

/// Called with each match as it was played, on the thread that played it, before it is recorded.
pub type WatchMatch<'a> = dyn Fn(&MatchJob, &Match) -> Result<(), String> + Sync + 'a;

/// How a plan is played.
pub struct ArenaRun<'a> {
    /// Who plays, and how much all may think.
    pub plan: &'a Plan,
    /// On how many threads, each with a match of its own.
    pub threads: usize,
    /// Makes the players.
    pub make: &'a MakeSeat<'a>,
    /// Sees the matches.
    pub watch: &'a WatchMatch<'a>,
    /// Ends it all between two matches.
    pub stop: &'a AtomicBool,
}

impl std::fmt::Debug for ArenaRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ArenaRun({:?} on {} threads)", self.plan.allowance, self.threads)
    }
}

/// Plays matches, and hands over what is recorded of each, in the order in which they end.
///
/// # Errors
/// What `record` fails with; the matches at play are played to their ends first.
pub fn run<E>(
    running: &ArenaRun<'_>,
    contests: &[ArenaScenario],
    match_jobs: &[MatchJob],
    mut record: impl FnMut(Record) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (to, records) = mpsc::channel();
    let work = |to: &mpsc::Sender<Record>| {
        let mut last: BTreeMap<usize, Match> = BTreeMap::new();
        while !running.stop.load(Ordering::Relaxed) {
            let Some(job) = match_jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let one = catch_unwind(AssertUnwindSafe(|| play_one(running, contests, job, &mut last)));
            if to.send(one.unwrap_or_else(|_| failed(job, "it broke down"))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for number in 0..running.threads.max(1) {
            let (to, work) = (to.clone(), &work);
            let thread = thread::Builder::new().name(format!("arena {number}")).stack_size(STACK_BYTES);
            if thread.spawn_scoped(scope, move || work(&to)).is_err() {
                tracing::warn!("the system gives no further thread");
                break;
            }
        }
        drop(to);
        let mut result = Ok(());
        for played in records {
            if result.is_ok() {
                result = record(played);
                if result.is_err() {
                    running.stop.store(true, Ordering::Relaxed);
                }
            }
        }
        result
    })
}

/// Plays one match. Matches of one scenario follow one another under the same rules, so that these need not be made again.
fn play_one(running: &ArenaRun<'_>, contests: &[ArenaScenario], job: &MatchJob, last: &mut BTreeMap<usize, Match>) -> Record {
    let Some(contest) = contests.get(job.scenario) else {
        return failed(job, "the scenario is not there");
    };
    let seats = 0..job.seats.len();
    let players: Result<Vec<_>, PlayerError> = seats.map(|seat| (running.make)(job, seat)).collect();
    let mut players = match players {
        Ok(players) => players,
        Err(error) => return failed(job, &error.to_string()),
    };
    let start = contest.start.clone();
    let begun = match last.remove(&job.scenario) {
        Some(playing) => playing.begin_again(start, job.seed),
        None => Match::begin(Arc::clone(&contest.source), start, job.seed, Policy::default()),
    };
    let mut playing = match begun {
        Ok(playing) => playing,
        Err(error) => return failed(job, &error.to_string()),
    };
    let contestants = job.seats.iter().filter_map(|player| running.plan.players.get(*player));
    let budgets: Vec<Budget> = contestants.map(|contestant| contestant.budget(&running.plan.allowance)).collect();
    let mut record = play(&mut playing, job, &mut players, &budgets);
    if let Err(error) = (running.watch)(job, &playing) {
        record.failure = record.failure.or(Some(error));
    }
    last.insert(job.scenario, playing);
    record
}

fn failed(job: &MatchJob, why: &str) -> Record {
    Record {
        failure: Some(why.to_owned()),
        ..Record::before(job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allowance, PlannedScenario};
    use boardwright_fixtures::Race;

    fn plan() -> Plan {
        Plan {
            scenarios: vec![PlannedScenario {
                id: "race/standard".to_owned(),
                rules: String::new(),
                seats: vec!["red".to_owned(), "blue".to_owned()],
                options: Vec::new(),
            }],
            players: vec!["greedy".parse().unwrap(), "random".parse().unwrap()],
            matches: 40,
            tables: Vec::new(),
            seed: 3,
            allowance: Allowance::default(),
        }
    }

    fn records(threads: usize, stop_after: usize) -> Vec<Record> {
        let plan = plan();
        let match_jobs = plan.match_jobs().unwrap();
        let contest = ArenaScenario {
            source: Arc::new(Race::default()),
            start: State::clone(&Race::start().unwrap()),
        };
        let stop = AtomicBool::new(false);
        let running = ArenaRun {
            plan: &plan,
            threads,
            make: &|job, seat| plan.players[job.seats[seat]].player.build(job.player_seed(seat)),
            watch: &|_, playing| {
                if playing.state().outcome().is_some() {
                    Ok(())
                } else {
                    Err("no end".to_owned())
                }
            },
            stop: &stop,
        };
        let mut records = Vec::new();
        let result = run(&running, &[contest], &match_jobs, |record| {
            records.push(record);
            if records.len() >= stop_after { Err("enough") } else { Ok(()) }
        });
        assert_eq!(result.is_err(), stop_after <= 40);
        records.sort_by_key(|record| record.number);
        records
    }

    fn without_times(records: Vec<Record>) -> Vec<Record> {
        let mut records = records;
        for record in &mut records {
            record.microseconds = 0;
            record.seats.iter_mut().for_each(|seat| seat.microseconds = 0);
        }
        records
    }

    #[test]
    fn the_same_plan_gives_the_same_matches_on_any_number_of_threads() {
        let one = without_times(records(1, usize::MAX));
        assert_eq!(one.len(), 40);
        assert!(one.iter().all(|record| record.failure.is_none()));
        assert_eq!(one, without_times(records(3, usize::MAX)));
    }

    #[test]
    fn it_stops_when_records_can_not_be_kept() {
        assert_eq!(records(2, 5).len(), 5);
    }
}
