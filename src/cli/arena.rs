//! `arena`: computer players against one another, by the hundred.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::choice::{ChoiceArguments, HowArguments};
use super::content::Content;
use super::output::{Out, counted, estimate};
use super::ranking::{show, write_csv};
use super::report::page;
use super::{Exit, Failure, io_failure};
use boardwright_content::{SAVE_ENDING, Save, Version};
use boardwright_host::Match;
use boardwright_lab::{
    Allowance, ArenaRun, ArenaScenario, Contestant, MatchJob, Plan, PlannedScenario, Ranking, Record, ResultsError, ResultsFile, Shard,
    Sweep, merge, run as run_plan, swept, write_merged,
};
use boardwright_local::Prepared;
use boardwright_players::{Player, PlayerContext, PlayerError, PlayerSpec, WithFallback};
use boardwright_rules::{Generator, RulesSource};
use boardwright_server::Program;

#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct ArenaArguments {
    #[command(subcommand)]
    then: Option<Then>,
    /// The rulesets and, after a slash, their scenarios
    #[arg(value_name = "ID[/SCENARIO]", required = true)]
    ids: Vec<String>,
    /// Who plays, separated by commas: random, greedy, search:LEVEL, mcts:LEVEL, maxn:LEVEL, paranoid:LEVEL, expectimax:LEVEL,
    /// the name of a strategy of the ruleset, or exec:COMMAND for a program of your own; levels go from 1 to 9. What holds a comma
    /// stands in quotes. `search:9@2000` may try 2000 actions for a choice, `mcts:9@500` play the match on 500 times
    #[arg(long, value_name = "A,B,..", required_unless_present = "line_ups")]
    players: Vec<String>,
    /// Who sits down together: as many players as there are seats, who change seats from match to match. May be given several times; a
    /// player may be named more than once, as in A,B,B
    #[arg(long = "line-up", value_name = "A,B,..", conflicts_with = "players")]
    line_ups: Vec<String>,
    /// Lets line-ups with a strategy play once for each value of one of its parameters: STRATEGY.PARAMETER=FROM..TO:STEP, or =VALUE,VALUE. May be
    /// given several times: then every combination plays
    #[arg(long = "param", value_name = "STRATEGY.PARAMETER=VALUES", conflicts_with = "players")]
    sweeps: Vec<Sweep>,
    /// How many matches each line-up plays in each scenario; rounded up so that everyone sits everywhere equally often
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    matches: u32,
    /// The seed of all luck: the same plan with the same seed gives the same matches, unless time is limited
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sets an option of the ruleset; `describe` lists them
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// How long a player may think about a choice, in milliseconds. Without any limit each tries as much as its level says
    #[arg(long, value_name = "MILLISECONDS")]
    time: Option<u64>,
    /// How many actions a player may try for a choice
    #[arg(long)]
    nodes: Option<u64>,
    /// How many times a player may play the match on for a choice
    #[arg(long)]
    simulations: Option<u64>,
    /// How many matches are played at the same time; without it one on each core
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// On how many threads a player may think, where it can use several
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    threads: usize,
    /// The memory a search may take, in megabytes
    #[arg(long, default_value_t = 512, value_name = "MEGABYTES")]
    memory: usize,
    /// How long a program may take for a choice where no time is set, in seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    patience: u64,
    /// Keep what is played in this file, and go on where it ends if there is one already
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Play only a part of the matches, as in 2/8, for one of several machines. `arena merge` puts the parts together
    #[arg(long, value_name = "PART/PARTS", requires = "results")]
    shard: Option<Shard>,
    /// Keep every match in this folder, to be looked at with `replay`
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// How results are shown.
#[derive(Clone, Debug, Args)]
struct Output {
    /// Write a line for each seat of each match into this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write what was found as a page with a chart into this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug, Subcommand)]
enum Then {
    /// Put the results of several machines, or of several parts, together
    Merge(MergeArguments),
}

#[derive(Clone, Debug, Args)]
struct MergeArguments {
    /// Files that were written with --results
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write all results into this file
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(content: &Content, arguments: &ArenaArguments, out: &mut Out) -> Result<Exit, Failure> {
    match &arguments.then {
        Some(Then::Merge(arguments)) => put_together(arguments, out),
        None => play(content, arguments, out),
    }
}

fn put_together(arguments: &MergeArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (plan, records) = merge(&arguments.files).map_err(|error| results_failure(&error))?;
    if let Some(path) = &arguments.results {
        write_merged(path, &plan, &records).map_err(|error| results_failure(&error))?;
    }
    finish(&plan, &records, &arguments.output, out)
}

fn results_failure(error: &ResultsError) -> Failure {
    match error {
        ResultsError::Io { .. } => Failure::Failed(error.to_string()),
        ResultsError::Plan { .. } => Failure::Usage(format!("{error}; name another file with --results")),
        ResultsError::Other { .. } | ResultsError::Contradiction { .. } => Failure::Usage(error.to_string()),
    }
}

/// The players named, each once.
fn players(texts: &[String]) -> Result<Vec<Contestant>, Failure> {
    let mut found: Vec<Contestant> = Vec::new();
    for word in texts.iter().flat_map(|text| words(text)) {
        let contestant: Contestant = word.parse().map_err(|error| Failure::Usage(format!("--players: {error}")))?;
        if found.contains(&contestant) {
            return Err(Failure::Usage(format!("--players: {contestant} is named twice")));
        }
        found.push(contestant);
    }
    Ok(found)
}

/// The players of line-ups, each once, and the line-ups as indexes of them.
fn tables(texts: &[String], sweeps: &[Sweep]) -> Result<(Vec<Contestant>, Vec<Vec<usize>>), Failure> {
    let mut line_ups: Vec<Vec<Contestant>> = Vec::new();
    for text in texts {
        let contestant = |word: String| word.parse().map_err(|error| Failure::Usage(format!("--line-up: {error}")));
        let line_up: Vec<Contestant> = words(text).into_iter().map(contestant).collect::<Result<_, _>>()?;
        line_ups.extend(swept(&line_up, sweeps));
    }
    for sweep in sweeps {
        let is_played = line_ups.iter().flatten().any(|contestant| !sweep.variants(contestant).is_empty());
        if !is_played {
            return Err(Failure::Usage(format!(
                "--param {sweep}: no line-up has a strategy `{}`",
                sweep.strategy
            )));
        }
    }
    let mut found: Vec<Contestant> = Vec::new();
    let mut tables = Vec::new();
    for line_up in line_ups {
        let mut table = Vec::new();
        for contestant in line_up {
            let known = found.iter().position(|known| *known == contestant);
            table.push(known.unwrap_or(found.len()));
            if known.is_none() {
                found.push(contestant);
            }
        }
        tables.push(table);
    }
    Ok((found, tables))
}

/// Words between commas, but for commas in quotes. The quotes around a whole word are taken off.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote: Option<char> = None;
    for letter in text.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter == ',' => {
                words.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    let bare = |word: &String| {
        let word = word.trim();
        let inner = ['"', '\''].iter().find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
        inner.unwrap_or(word).to_owned()
    };
    words.iter().map(bare).collect()
}

/// Everything of the scenarios that are played.
struct Ready {
    plan: Plan,
    prepared: Vec<Prepared>,
}

fn prepare(content: &Content, arguments: &ArenaArguments) -> Result<Ready, Failure> {
    let mut scenarios = Vec::new();
    let mut prepared = Vec::new();
    for id in &arguments.ids {
        let choice = ChoiceArguments {
            id: id.clone(),
            how: HowArguments {
                seats: Vec::new(),
                options: arguments.options.clone(),
                seed: None,
            },
        };
        let one = choice.prepare(content)?;
        let frame = one.start.declarations();
        let options = arguments.options.iter().filter_map(|option| option.split_once('='));
        scenarios.push(PlannedScenario {
            id: format!("{}/{}", one.opened.ruleset.id, one.opened.scenario.scenario.id),
            rules: RulesSource::fingerprint(&*one.source).to_string(),
            seats: frame.seats.iter().map(|seat| seat.name.to_string()).collect(),
            options: options
                .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
                .collect(),
        });
        prepared.push(one);
    }
    let (players, tables) = if arguments.line_ups.is_empty() {
        (players(&arguments.players)?, Vec::new())
    } else {
        tables(&arguments.line_ups, &arguments.sweeps)?
    };
    known_strategies(&players, &prepared)?;
    let plan = Plan {
        scenarios,
        players,
        matches: arguments.matches,
        tables,
        seed: arguments.seed,
        allowance: Allowance {
            milliseconds: arguments.time,
            nodes: arguments.nodes,
            simulations: arguments.simulations,
        },
    };
    Ok(Ready { plan, prepared })
}

/// Refuses players that are no strategies of what is played.
fn known_strategies(players: &[Contestant], prepared: &[Prepared]) -> Result<(), Failure> {
    for one in prepared {
        let known = one.source.strategies();
        for contestant in players {
            if let PlayerSpec::Strategy { name, .. } = &contestant.player
                && !known.iter().any(|strategy| **strategy == **name)
            {
                let names = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let id = &one.opened.ruleset.id;
                return Err(Failure::Usage(format!(
                    "there is no player `{name}`; the strategies of {id} are: {names}"
                )));
            }
        }
    }
    Ok(())
}

fn play(content: &Content, arguments: &ArenaArguments, out: &mut Out) -> Result<Exit, Failure> {
    let Ready { plan, prepared } = prepare(content, arguments)?;
    let mut match_jobs = plan.match_jobs().map_err(|error| Failure::Usage(error.to_string()))?;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    match_jobs.retain(|job| shard.has(job));
    let all = match_jobs.len();
    let mut results = match &arguments.results {
        Some(path) => Some(ResultsFile::open(path, &plan).map_err(|error| results_failure(&error))?),
        None => None,
    };
    let mut records: BTreeMap<u64, Record> = results.as_ref().map(|results| results.records().clone()).unwrap_or_default();
    match_jobs.retain(|job| !records.contains_key(&job.number));
    if let Some(folder) = &arguments.keep {
        fs::create_dir_all(folder).map_err(|error| io_failure(folder, "can not be made", &error))?;
    }
    // Before hours of play, not behind them.
    for path in [&arguments.output.csv, &arguments.output.html].into_iter().flatten() {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|error| io_failure(path, "can not be written", &error))?;
    }
    let contests: Vec<ArenaScenario> = prepared.iter().map(contest).collect();
    let table = Table {
        plan: &plan,
        prepared: &prepared,
        abouts: prepared.iter().map(|one| Arc::new(one.info())).collect(),
        arguments,
    };
    table.try_players(&match_jobs)?;
    let stop = AtomicBool::new(false);
    let running = ArenaRun {
        plan: &plan,
        threads: arguments
            .jobs
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
        make: &|job, seat| table.make(job, seat),
        watch: &|job, playing| table.keep(job, playing),
        stop: &stop,
    };
    let bar = estimate(all, "matches");
    bar.set_position((all - match_jobs.len()) as u64);
    bar.reset_eta();
    let played = run_plan(&running, &contests, &match_jobs, |record| -> Result<(), ResultsError> {
        if let Some(results) = &mut results {
            results.push(record.clone())?;
        }
        records.insert(record.number, record);
        bar.inc(1);
        Ok(())
    });
    bar.finish_and_clear();
    played.map_err(|error| results_failure(&error))?;
    finish(&plan, &records, &arguments.output, out)
}

fn contest(prepared: &Prepared) -> ArenaScenario {
    let source: Arc<dyn RulesSource> = prepared.source.clone();
    ArenaScenario {
        source,
        start: prepared.start.clone(),
    }
}

/// What the threads of an arena look things up in.
struct Table<'a> {
    plan: &'a Plan,
    prepared: &'a [Prepared],
    abouts: Vec<Arc<boardwright_server::MatchInfo>>,
    arguments: &'a ArenaArguments,
}

impl Table<'_> {
    fn make(&self, job: &MatchJob, seat: usize) -> Result<Box<dyn Player>, PlayerError> {
        let missing = || PlayerError::Unknown(format!("seat {seat}"));
        let seated = job.seats.get(seat).and_then(|player| self.plan.players.get(*player));
        let contestant = seated.ok_or_else(missing)?;
        let seed = job.player_seed(seat);
        let player: Box<dyn Player> = match &contestant.player {
            PlayerSpec::Program(command) => {
                let about = self.abouts.get(job.scenario).ok_or_else(missing)?;
                let patience = Duration::from_secs(self.arguments.patience);
                Box::new(Program::new(command, Arc::clone(about), patience))
            }
            spec => {
                let source = self
                    .prepared
                    .get(job.scenario)
                    .map(|one| one.source.clone() as Arc<dyn RulesSource>);
                spec.build_with(&PlayerContext {
                    seed,
                    source,
                    threads: self.arguments.threads,
                    memory_mb: self.arguments.memory,
                    follower: None,
                })?
            }
        };
        Ok(Box::new(WithFallback::new(player, seed)))
    }

    /// Makes each player once, so that one that can not be made is told before anything is played.
    fn try_players(&self, match_jobs: &[MatchJob]) -> Result<(), Failure> {
        for player in 0..self.plan.players.len() {
            let seat_of = |job: &MatchJob| job.seats.iter().position(|seated| *seated == player);
            let Some((job, seat)) = match_jobs.iter().find_map(|job| Some((job, seat_of(job)?))) else {
                continue;
            };
            let made = self.make(job, seat);
            made.map_err(|error| Failure::Usage(format!("--players: {error}")))?;
        }
        Ok(())
    }

    /// Keeps a match, if that is wished.
    fn keep(&self, job: &MatchJob, playing: &Match) -> Result<(), String> {
        let (Some(folder), Some(prepared)) = (&self.arguments.keep, self.prepared.get(job.scenario)) else {
            return Ok(());
        };
        let save = self.save(prepared, job, playing);
        let path = file_of(folder, &save, job.number);
        save.write(&path)
            .map(drop)
            .map_err(|error| format!("the match can not be kept: {error}"))
    }

    fn save(&self, prepared: &Prepared, job: &MatchJob, playing: &Match) -> Save {
        let frame = playing.state().declarations();
        let named = |(seat, player): (&boardwright_model::SeatDeclaration, &usize)| {
            let player = self.plan.players.get(*player).map(|contestant| contestant.player.to_string());
            (seat.name.to_string(), player.unwrap_or_default())
        };
        let mut scenario = prepared.opened.scenario.scenario.clone();
        let options = frame.options.iter().zip(prepared.start.options().iter());
        scenario.setup.options = options
            .map(|(declared, value)| (declared.name.to_string(), value.to_string()))
            .collect();
        Save {
            ruleset: prepared.opened.ruleset.id.clone(),
            title: format!("{}, match {} of an arena", scenario.title, job.number + 1),
            program: Version::of_program(),
            saved: None,
            map: prepared.opened.map.map.clone(),
            scenario,
            players: frame.seats.iter().zip(&job.seats).map(named).collect(),
            policy: playing.policy(),
            generator: Generator::NAME.to_owned(),
            seed: playing.seed(),
            journal: playing.journal().clone(),
            rules: BTreeMap::from([(RulesSource::fingerprint(&*prepared.source), prepared.opened.sources.clone())]),
        }
    }
}

fn file_of(folder: &Path, save: &Save, number: u64) -> PathBuf {
    folder.join(format!("{}-{}-{:06}{SAVE_ENDING}", save.ruleset, save.scenario.id, number + 1))
}

fn finish(plan: &Plan, records: &BTreeMap<u64, Record>, output: &Output, out: &mut Out) -> Result<Exit, Failure> {
    let ranking = Ranking::of(plan, records.values());
    if let Some(path) = &output.csv {
        write_csv(path, plan, records.values())?;
    }
    if let Some(path) = &output.html {
        fs::write(path, page(plan, &ranking)).map_err(|error| io_failure(path, "can not be written", &error))?;
    }
    if output.json {
        out.json(&ranking)?;
    } else {
        show(&ranking, out)?;
    }
    if ranking.failed > 0 {
        let why = ranking.failure.unwrap_or_default();
        return Err(Failure::Failed(format!(
            "{} without a result; the first: {why}",
            counted(ranking.failed as usize, "match").replace("matchs", "matches")
        )));
    }
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_told_apart_at_commas_outside_quotes() {
        assert_eq!(words("search:3, greedy"), ["search:3", "greedy"]);
        assert_eq!(words("'exec:./bot a,b',random"), ["exec:./bot a,b", "random"]);
        assert_eq!(words("exec:./bot \"a, b\""), ["exec:./bot \"a, b\""]);
        assert!(players(&["random,random".to_owned()]).is_err());
        assert!(players(&["search:10".to_owned()]).is_err());
        assert_eq!(players(&["random".to_owned(), "greedy".to_owned()]).unwrap().len(), 2);
    }
}
