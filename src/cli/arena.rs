//! `arena`: computer players against one another, by the hundred.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::choice::{ChoiceArguments, HowArguments, options};
use super::content::{Content, usage};
use super::output::{Out, counted, estimate};
use super::ranking::{page, text, write_csv};
use super::{Exit, Failure, failed, io_failure, wrong_usage};
use boardwright_content::{BACKUPS, SAVE_ENDING, Save};
use boardwright_host::Match;
use boardwright_lab::{
    Allowance, ArenaRun, ArenaScenario, Contestant, MatchJob, Plan, PlannedScenario, Ranking, Record, ResultsError, ResultsFile, Shard,
    Sweep, ValueSample, fit_value_scale, merge, run as run_plan, swept, value_samples, write_merged,
};
use boardwright_local::{Prepared, check_player, save_of};
use boardwright_players::{Player, PlayerContext, PlayerError, PlayerSpec, WithFallback};
use boardwright_rules::RulesSource;
use boardwright_server::{MatchInfo, Program};

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
    /// stands in quotes. `search:9@2000` may try 2000 actions for a choice, `mcts:9@500` play the match on 500 times, `mcts:9@200ms` think for 200 milliseconds
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
    /// Say, too, what lead in the ruleset's `value` triples the odds of winning, as its matches went: what it declares as `value_scale`
    #[arg(long, conflicts_with = "json")]
    value_scale: bool,
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
    let (plan, records) = merge(&arguments.files)?;
    if let Some(path) = &arguments.results {
        write_merged(path, &plan, &records)?;
    }
    finish(&plan, &records, &arguments.output, out)
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Self {
        match error {
            ResultsError::Io { .. } => failed(error),
            ResultsError::Plan { .. } => wrong_usage(format!("{error}; name another file with --results")),
            ResultsError::Other { .. } | ResultsError::Contradiction { .. } => wrong_usage(error),
        }
    }
}

/// The players named, each once.
fn players(texts: &[String]) -> Result<Vec<Contestant>, Failure> {
    let mut found: Vec<Contestant> = Vec::new();
    for word in texts.iter().flat_map(|text| words(text)) {
        let contestant: Contestant = word.parse().map_err(|error| wrong_usage(format!("--players: {error}")))?;
        if found.contains(&contestant) {
            return Err(wrong_usage(format!(
                "--players: {contestant} is named twice; to let one player sit down several times, say who plays whom with --line-up"
            )));
        }
        found.push(contestant);
    }
    Ok(found)
}

/// The players of line-ups, each once, and the line-ups as indexes of them.
fn tables(texts: &[String], sweeps: &[Sweep]) -> Result<(Vec<Contestant>, Vec<Vec<usize>>), Failure> {
    let mut line_ups: Vec<Vec<Contestant>> = Vec::new();
    for text in texts {
        let line_up: Result<Vec<Contestant>, _> = words(text).iter().map(|word| word.parse()).collect();
        let line_up = line_up.map_err(|error| wrong_usage(format!("--line-up: {error}")))?;
        line_ups.extend(swept(&line_up, sweeps));
    }
    let is_idle = |sweep: &&Sweep| line_ups.iter().flatten().all(|contestant| sweep.variants(contestant).is_empty());
    if let Some(sweep) = sweeps.iter().find(is_idle) {
        let strategy = &sweep.strategy;
        return Err(wrong_usage(format!("--param {sweep}: no line-up has a strategy `{strategy}`")));
    }
    let mut found: Vec<Contestant> = Vec::new();
    let mut index_of = |contestant: Contestant| {
        let known = found.iter().position(|known| *known == contestant);
        known.unwrap_or_else(|| {
            found.push(contestant);
            found.len() - 1
        })
    };
    let tables = line_ups.into_iter().map(|line_up| line_up.into_iter().map(&mut index_of).collect());
    let tables = tables.collect();
    Ok((found, tables))
}

/// Words between commas, but for commas in quotes. The quotes around a whole word are taken off.
fn words(text: &str) -> Vec<String> {
    let mut quote = None;
    let parts = text.split(|letter| {
        match quote {
            Some(end) if letter == end => quote = None,
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            _ => {}
        }
        quote.is_none() && letter == ','
    });
    let bare = |word: &str| {
        let word = word.trim();
        let inner = ['"', '\''].iter().find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
        inner.unwrap_or(word).to_owned()
    };
    parts.map(bare).collect()
}

/// The plan, and everything of the scenarios that are played.
fn prepare(content: &Content, arguments: &ArenaArguments) -> Result<(Plan, Vec<Prepared>), Failure> {
    let mut scenarios = Vec::new();
    let mut prepared = Vec::new();
    for id in &arguments.ids {
        let choice = ChoiceArguments {
            id: id.clone(),
            how: HowArguments {
                options: arguments.options.clone(),
                ..HowArguments::default()
            },
        };
        let one = choice.prepare(content)?;
        let declarations = one.start.declarations();
        scenarios.push(PlannedScenario {
            id: format!("{}/{}", one.opened.ruleset.id, one.opened.scenario.scenario.id),
            rules: RulesSource::fingerprint(&*one.source).to_string(),
            seats: declarations.seats.iter().map(|seat| seat.name.to_string()).collect(),
            options: options(&arguments.options)?,
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
    Ok((plan, prepared))
}

/// Refuses players that are no strategies of what is played.
fn known_strategies(players: &[Contestant], prepared: &[Prepared]) -> Result<(), Failure> {
    let named = |contestant: &&Contestant| matches!(contestant.player, PlayerSpec::Strategy { .. });
    for one in prepared {
        for contestant in players.iter().filter(named) {
            if let Some(wrong) = check_player(&one.source, &contestant.player.to_string()) {
                return Err(usage(&wrong.into()));
            }
        }
    }
    Ok(())
}

fn play(content: &Content, arguments: &ArenaArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (plan, prepared) = prepare(content, arguments)?;
    let mut match_jobs = plan.match_jobs().map_err(wrong_usage)?;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    match_jobs.retain(|job| shard.has(job));
    let all = match_jobs.len();
    let results = arguments.results.as_ref().map(|path| ResultsFile::open(path, &plan));
    let mut results = results.transpose()?;
    let mut records: BTreeMap<u64, Record> = results.as_ref().map(|results| results.records().clone()).unwrap_or_default();
    match_jobs.retain(|job| !records.contains_key(&job.number));
    if let Some(folder) = &arguments.keep {
        fs::create_dir_all(folder).map_err(|error| io_failure(folder, "cannot be made", &error))?;
    }
    // Before hours of play, not behind them.
    for path in [&arguments.output.csv, &arguments.output.html].into_iter().flatten() {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|error| io_failure(path, "cannot be written", &error))?;
    }
    let contest = |one: &Prepared| ArenaScenario {
        source: Arc::clone(&one.source) as Arc<dyn RulesSource>,
        start: one.start.clone(),
    };
    let contests: Vec<ArenaScenario> = prepared.iter().map(contest).collect();
    let context = ArenaContext {
        plan: &plan,
        prepared: &prepared,
        infos: prepared.iter().map(|one| Arc::new(one.info())).collect(),
        arguments,
        samples: prepared.iter().map(|_| Mutex::default()).collect(),
    };
    context.try_players(&match_jobs)?;
    let stop = AtomicBool::new(false);
    let running = ArenaRun {
        plan: &plan,
        threads: arguments
            .jobs
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
        make: &|job, seat| context.make(job, seat),
        watch: &|job, playing| context.watch(job, playing),
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
    played?;
    finish(&plan, &records, &arguments.output, out)?;
    if arguments.value_scale {
        out.text(&context.value_scales())?;
    }
    Ok(Exit::Fine)
}

/// What the threads of an arena look things up in.
struct ArenaContext<'a> {
    plan: &'a Plan,
    prepared: &'a [Prepared],
    infos: Vec<Arc<MatchInfo>>,
    arguments: &'a ArenaArguments,
    /// By scenario, what matches said of values.
    samples: Vec<Mutex<Vec<ValueSample>>>,
}

impl ArenaContext<'_> {
    fn make(&self, job: &MatchJob, seat: usize) -> Result<Box<dyn Player>, PlayerError> {
        let seated = job.seats.get(seat).and_then(|player| self.plan.players.get(*player));
        let place = self.prepared.get(job.scenario).zip(self.infos.get(job.scenario));
        let Some((contestant, (prepared, info))) = seated.zip(place) else {
            return Err(PlayerError::Unknown(format!("seat {seat}")));
        };
        let seed = job.player_seed(seat);
        let player: Box<dyn Player> = match &contestant.player {
            PlayerSpec::Program(command) => {
                let patience = Duration::from_secs(self.arguments.patience);
                Box::new(Program::new(command, Arc::clone(info), patience))
            }
            spec => spec.build_with(&PlayerContext {
                seed,
                source: Some(Arc::clone(&prepared.source) as Arc<dyn RulesSource>),
                threads: self.arguments.threads,
                memory_mb: self.arguments.memory,
                debugger: None,
            })?,
        };
        Ok(Box::new(WithFallback::new(player, seed)))
    }

    /// Makes each player once, so that one that cannot be made is told before anything is played.
    fn try_players(&self, match_jobs: &[MatchJob]) -> Result<(), Failure> {
        for player in 0..self.plan.players.len() {
            let seat_of = |job: &MatchJob| job.seats.iter().position(|seated| *seated == player);
            let Some((job, seat)) = match_jobs.iter().find_map(|job| Some((job, seat_of(job)?))) else {
                continue;
            };
            self.make(job, seat).map_err(|error| wrong_usage(format!("--players: {error}")))?;
        }
        Ok(())
    }

    /// Sees a match that was played.
    fn watch(&self, job: &MatchJob, playing: &Match) -> Result<(), String> {
        if let Some(samples) = self.samples.get(job.scenario).filter(|_| self.arguments.value_scale) {
            let found = value_samples(playing)?;
            samples.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        }
        self.keep(job, playing)
    }

    /// The fitted value scales, a line for each scenario.
    fn value_scales(&self) -> String {
        let line = |(scenario, samples): (&PlannedScenario, &Mutex<Vec<ValueSample>>)| {
            let samples = samples.lock().unwrap_or_else(PoisonError::into_inner);
            let id = &scenario.id;
            match (samples.len(), fit_value_scale(&samples)) {
                (0, _) => format!("{id}: no value scale, for its rules have no `value`, or no match was played to its end\n"),
                (count, Some(scale)) => format!("{id}: value_scale {scale} (fitted to {count} positions)\n"),
                (count, None) => format!("{id}: no value scale, for who leads in value does not win more often ({count} positions)\n"),
            }
        };
        self.plan.scenarios.iter().zip(&self.samples).map(line).collect()
    }

    /// Keeps a match, if that is wished.
    fn keep(&self, job: &MatchJob, playing: &Match) -> Result<(), String> {
        let place = self.prepared.get(job.scenario).zip(self.infos.get(job.scenario));
        let Some((folder, (prepared, info))) = self.arguments.keep.as_ref().zip(place) else {
            return Ok(());
        };
        let scenario = &prepared.opened.scenario.scenario;
        let players = job.seats.iter().filter_map(|player| self.plan.players.get(*player));
        let record = boardwright_server::Record {
            start: &prepared.start,
            playing,
            players: &players.map(|contestant| contestant.player.clone()).collect::<Vec<_>>(),
            info,
            clocks: None,
            file: None,
            overwrite: false,
        };
        let rules = BTreeMap::from([(RulesSource::fingerprint(&*prepared.source), prepared.opened.sources.clone())]);
        let number = job.number + 1;
        let save = Save {
            title: format!("{}, match {number} of an arena", scenario.title),
            ..save_of(&record, scenario, &rules, None)
        };
        let name = format!("{}-{}-{number:06}{SAVE_ENDING}", save.ruleset, scenario.id);
        let written = save.write(&folder.join(name), BACKUPS);
        written.map(drop).map_err(|error| format!("the match cannot be kept: {error}"))
    }
}

fn finish(plan: &Plan, records: &BTreeMap<u64, Record>, output: &Output, out: &mut Out) -> Result<Exit, Failure> {
    let ranking = Ranking::of(plan, records.values());
    if let Some(path) = &output.csv {
        write_csv(path, plan, records.values())?;
    }
    if let Some(path) = &output.html {
        fs::write(path, page(plan, &ranking)?).map_err(|error| io_failure(path, "cannot be written", &error))?;
    }
    if output.json {
        out.json(&ranking)?;
    } else {
        out.text(&text(&ranking)?)?;
    }
    if let Some(first) = records.values().find(|record| record.failure.is_some()) {
        return Err(Failure::Failed(format!(
            "{} without a result; the first is {}",
            counted(ranking.failed as usize, "match").replace("matchs", "matches"),
            failed_match(plan, first)
        )));
    }
    Ok(Exit::Fine)
}

/// Which match has no result, and why. `--keep` names its file by the same number.
fn failed_match(plan: &Plan, record: &Record) -> String {
    let scenario = plan.scenarios.get(record.scenario).map(|scenario| scenario.id.as_str());
    let seated = record.seats.iter().filter_map(|seat| plan.players.get(seat.player));
    let players: Vec<String> = seated.map(ToString::to_string).collect();
    format!(
        "match {} of {} ({}), after {}: {}",
        record.number + 1,
        scenario.unwrap_or("the plan"),
        players.join(", "),
        counted(record.actions as usize, "action"),
        record.failure.as_deref().unwrap_or_default()
    )
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
