//! `profile`: where the time of a ruleset's scripts goes.

mod flame_graph;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use minijinja::context;
use serde::Serialize;

use super::choice::ChoiceArguments;
use super::content::{Content, usage};
use super::output::{Out, progress};
use super::template::render;
use super::{Exit, Failure, failed, io_failure, wrong_usage};
use boardwright_host::Match;
use boardwright_lab::{MatchJob, play};
use boardwright_local::{Prepared, check_player};
use boardwright_model::{Policy, Seed, State};
use boardwright_players::{Budget, Player, PlayerContext, PlayerSpec};
use boardwright_rules::{Generator, Luck, PlayoutBuffers, Rules, RulesSource, Transaction, draw_action, flow};
use boardwright_script::{Profile, begin_profiling, end_profiling};

#[derive(Clone, Debug, Args)]
pub(super) struct ProfileArguments {
    #[command(flatten)]
    choice: ChoiceArguments,
    /// How many matches to play
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    matches: u32,
    /// The most actions of a match
    #[arg(long, default_value_t = 1_000)]
    most_actions: u32,
    /// Who plays all seats: a strategy of the ruleset, greedy, search:LEVEL and so on. Without it matches are played at random, without
    /// the time that players take
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    /// Ask for the looks of the board as well, before each action, as a window does
    #[arg(long)]
    looks: bool,
    /// How many lines and functions to list
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// Draw the calls as a flame graph into this SVG file
    #[arg(long, value_name = "FILE")]
    flame: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is reported, with times in microseconds.
#[derive(Serialize)]
struct Report {
    matches: u32,
    actions: u64,
    microseconds: u64,
    host_microseconds: u64,
    hooks: Vec<HookLine>,
    functions: Vec<FunctionLine>,
    lines: Vec<SourceLine>,
    words: Vec<WordLine>,
}

#[derive(Serialize)]
struct HookLine {
    name: String,
    calls: u64,
    by_engine: u64,
    /// The line that lowered code left to the engine.
    left_at: Option<String>,
    microseconds: u64,
    each: f64,
    share: f64,
}

#[derive(Serialize)]
struct FunctionLine {
    name: String,
    calls: u64,
    own_microseconds: u64,
    microseconds: u64,
    share: f64,
}

#[derive(Serialize)]
struct SourceLine {
    file: String,
    line: u32,
    source: String,
    microseconds: u64,
    share: f64,
}

#[derive(Serialize)]
struct WordLine {
    name: String,
    calls: u64,
    microseconds: u64,
    share: f64,
}

pub(super) fn run(content: &Content, arguments: &ProfileArguments, out: &mut Out) -> Result<Exit, Failure> {
    let prepared = arguments.choice.prepare(content)?;
    if let Some(player @ PlayerSpec::Strategy { .. }) = &arguments.player
        && let Some(wrong) = check_player(&prepared.source, &player.to_string())
    {
        return Err(usage(&wrong.into()));
    }
    let seed = arguments.choice.how.seed.map_or(0, Seed::fold);
    let bar = progress(arguments.matches as usize, "matches");
    begin_profiling();
    let mut actions = 0;
    let mut played = Ok(());
    for number in 0..arguments.matches {
        let one = match &arguments.player {
            None => play_at_random(&prepared, arguments, seed.wrapping_add(u64::from(number))),
            Some(player) => play_with(&prepared, player, seed.wrapping_add(u64::from(number))),
        };
        match one {
            Ok(count) => actions += count,
            Err(failure) => {
                played = Err(failure);
                break;
            }
        }
        bar.inc(1);
    }
    let profile = end_profiling();
    bar.finish_and_clear();
    played?;
    if let Some(file) = &arguments.flame {
        let title = format!("{}: {} matches", arguments.choice.id, arguments.matches);
        let drawing = flame_graph::draw(&title, &profile.stacks);
        fs::write(file, drawing).map_err(|error| io_failure(file, "could not be written", &error))?;
    }
    let report = report(&profile, arguments, actions);
    if arguments.json {
        out.json(&report)?;
        return Ok(Exit::Fine);
    }
    let values = context! { report => minijinja::value::Serde(&report) };
    out.text(&render("profile.txt", include_str!("templates/profile.txt"), values)?)?;
    if let Some(file) = &arguments.flame {
        out.line(format!("The flame graph is in {}", file.display()))?;
    }
    Ok(Exit::Fine)
}

/// A match at random, as players choose: each action is checked, and written down.
fn play_at_random(prepared: &Prepared, arguments: &ProfileArguments, seed: u64) -> Result<u64, Failure> {
    let start = &prepared.start;
    let rules = prepared
        .source
        .rules(start.board(), start.declarations(), start.options())
        .map_err(failed)?;
    let mut transaction = Transaction::new(Arc::new(State::clone(start)), Luck::Roll(Generator::new(seed)));
    flow::begin_scenario(&*rules, &mut transaction).map_err(failed)?;
    let (mut generator, mut room) = (Generator::new(seed), PlayoutBuffers::default());
    let mut actions = 0;
    while actions < u64::from(arguments.most_actions) {
        let state = Arc::clone(transaction.state());
        if arguments.looks {
            look(&*rules, &state);
        }
        let Some(action) = draw_action(&*rules, &state, &mut generator, &mut room).map_err(failed)? else {
            break;
        };
        drop(state);
        flow::perform_legal(&*rules, &mut transaction, &action).map_err(failed)?;
        transaction.forget();
        actions += 1;
    }
    Ok(actions)
}

fn look(rules: &dyn Rules, state: &Arc<State>) {
    if let Some(appearance) = rules.appearance() {
        for seat in state.acting().iter() {
            // What is at fault there is shown in a match.
            drop(appearance.looks(state, Some(seat)));
        }
    }
}

/// A match in which one player, made for each seat, takes all of them.
fn play_with(prepared: &Prepared, player: &PlayerSpec, seed: u64) -> Result<u64, Failure> {
    let source: Arc<dyn RulesSource> = Arc::clone(&prepared.source) as Arc<dyn RulesSource>;
    let seats = prepared.start.declarations().seats.len();
    let job = MatchJob {
        number: 0,
        group: 0,
        scenario: 0,
        seats: vec![0; seats],
        seed,
    };
    let make = |seat: usize| -> Result<Box<dyn Player>, Failure> {
        let context = PlayerContext {
            seed: job.player_seed(seat),
            source: Some(Arc::clone(&source)),
            threads: 1,
            memory_mb: 256,
            debugger: None,
        };
        player
            .build_with(&context)
            .map_err(|error| wrong_usage(format!("--player: {error}")))
    };
    let mut players: Vec<Box<dyn Player>> = (0..seats).map(make).collect::<Result<_, _>>()?;
    let budgets = vec![Budget::default(); seats];
    let mut playing = Match::begin(source, State::clone(&prepared.start), seed, Policy::default()).map_err(failed)?;
    let record = play(&mut playing, &job, &mut players, &budgets);
    match record.failure {
        Some(failure) => Err(failed(failure)),
        None => Ok(u64::from(record.actions)),
    }
}

fn report(profile: &Profile, arguments: &ProfileArguments, actions: u64) -> Report {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let scripts: Duration = profile.hooks.iter().map(|hook| hook.time).sum();
    let share = |time: Duration| time.as_secs_f64() / scripts.as_secs_f64().max(1e-9);
    let hooks = profile.hooks.iter().map(|hook| HookLine {
        name: hook.name.clone(),
        calls: hook.calls,
        by_engine: hook.by_engine,
        left_at: hook.left_at.as_ref().map(|place| format!("{}:{}", place.file, place.line)),
        microseconds: micros(hook.time),
        each: hook.time.as_secs_f64() * 1e6 / hook.calls.max(1) as f64,
        share: share(hook.time),
    });
    let functions = profile.functions.iter().take(arguments.top).map(|function| FunctionLine {
        name: function.name.clone(),
        calls: function.calls,
        own_microseconds: micros(function.own),
        microseconds: micros(function.time),
        share: share(function.own),
    });
    let lines = profile.lines.iter().take(arguments.top).map(|line| SourceLine {
        file: line.place.file.clone(),
        line: line.place.line,
        source: line
            .place
            .source_line
            .as_deref()
            .unwrap_or_default()
            .trim()
            .chars()
            .take(60)
            .collect(),
        microseconds: micros(line.time),
        share: share(line.time),
    });
    let words = profile.words.iter().take(arguments.top).map(|word| WordLine {
        name: word.name.clone(),
        calls: word.calls,
        microseconds: micros(word.time),
        share: share(word.time),
    });
    Report {
        matches: arguments.matches,
        actions,
        microseconds: micros(profile.time),
        host_microseconds: micros(profile.time.saturating_sub(scripts)),
        hooks: hooks.collect(),
        functions: functions.collect(),
        lines: lines.collect(),
        words: words.collect(),
    }
}
