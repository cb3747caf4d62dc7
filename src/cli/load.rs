//! `load`: how fast a server answers, and how much it carries.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use tokio::sync::oneshot;

use super::choice::begin_failure;
use super::content::{Content, split_id};
use super::output::Out;
use super::table::{columns, decimals};
use super::{Exit, Failure, failed};
use boardwright_client::MatchChoice;
use boardwright_content::Catalog;
use boardwright_host::Match;
use boardwright_local::prepare;
use boardwright_model::{Action, Policy};
use boardwright_network::{CreateMatch, Latencies, Limits, Load, Lobby, MatchPolicy, put_under_load, serve};
use boardwright_rules::{Generator, RandomActionSampler};
use boardwright_store::SqliteStore;

/// How often a write to the disk is measured.
const WRITES: usize = 100;
/// The bytes of each.
const WRITE_BYTES: usize = 4_096;

#[derive(Clone, Debug, Args)]
pub(super) struct LoadArguments {
    /// The address of a server, such as localhost:7474; without one a server is run in this program, and shares its processors
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    /// What is played: a ruleset and, after a slash, a scenario; without luck and computer players
    #[arg(long, value_name = "ID[/SCENARIO]")]
    new: String,
    /// How many matches are played at the same time
    #[arg(long, value_name = "COUNT", default_value = "50", value_parser = bounded())]
    matches: usize,
    /// How many actions are played in each
    #[arg(long, value_name = "COUNT", default_value = "50", value_parser = bounded())]
    actions: usize,
    /// How many matches are opened in which nothing happens
    #[arg(long, value_name = "COUNT", default_value = "100", value_parser = bounded())]
    idle: usize,
    /// How many spectators follow one match
    #[arg(long, value_name = "COUNT", default_value = "100", value_parser = bounded())]
    spectators: usize,
    /// How often somebody comes back to a match
    #[arg(long, value_name = "COUNT", default_value = "20", value_parser = bounded())]
    rejoins: usize,
    /// The folder in which the server of this program keeps its matches, and of which the disk is measured; without one a temporary one
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// How many threads run matches in the server of this program
    #[arg(long, value_name = "COUNT", value_parser = bounded())]
    threads: Option<usize>,
}

/// At most 10,000 of anything: a measurement ends.
fn bounded() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=10_000)
}

pub(super) fn run(content: &Content, arguments: &LoadArguments, out: &mut Out) -> Result<Exit, Failure> {
    let catalog = content.catalog()?;
    let (ruleset, scenario) = split_id(&arguments.new);
    let load = Load {
        wanted: CreateMatch {
            ruleset: ruleset.clone(),
            scenario: scenario.clone(),
            private: true,
            policy: MatchPolicy::Rated,
            ..CreateMatch::default()
        },
        actions: actions(&catalog, (ruleset, scenario), arguments.actions)?.into(),
        each: arguments.actions,
        matches: arguments.matches,
        idle: arguments.idle,
        spectators: arguments.spectators,
        rejoins: arguments.rejoins,
    };
    let within = match &arguments.data {
        Some(data) => tempfile::tempdir_in(data)?,
        None => tempfile::tempdir()?,
    };
    let disk = disk(within.path())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut report = if let Some(server) = &arguments.server {
        runtime.block_on(put_under_load(server, &load)).map_err(failed)?
    } else {
        let store = SqliteStore::open(&within.path().join("matches.db")).map_err(failed)?;
        let threads = arguments.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        let lobby = Lobby::new(Arc::new(store), catalog.clone(), threads.max(1), u64::MAX)?;
        let limits = Limits {
            clients: 20_000,
            messages: 0,
            ..Limits::default()
        };
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?.to_string();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = runtime.spawn(serve(listener, Arc::new(lobby), limits, async { drop(stopped.await) }));
        let report = runtime.block_on(put_under_load(&address, &load)).map_err(failed);
        drop(stop);
        runtime.block_on(served).map_err(io::Error::other)??;
        report?
    };
    report.insert(0, disk);
    let mut table = "what\tcount\ta second\tp50 ms\tp99 ms\n".to_owned();
    for found in &report {
        table += &line(found);
    }
    out.line(columns(&table).trim_end())?;
    Ok(Exit::Fine)
}

fn line(found: &Latencies) -> String {
    let milliseconds = |time: Duration| decimals(time.as_secs_f64() * 1_000.0, 2);
    format!(
        "{}\t{}\t{}\t{}\t{}\n",
        found.what,
        found.count(),
        decimals(found.per_second(), 0),
        milliseconds(found.percentile(50)),
        milliseconds(found.percentile(99))
    )
}

/// Actions at random, the same each time, as far as the match goes.
fn actions(catalog: &Catalog, (ruleset, scenario): (String, Option<String>), most: usize) -> Result<Vec<Action>, Failure> {
    let choice = MatchChoice {
        ruleset,
        scenario,
        policy: Some(Policy::RATED),
        ..MatchChoice::default()
    };
    let prepared = prepare(catalog, &choice).map_err(|error| begin_failure(error, catalog))?;
    let what = format!("{}/{}", prepared.opened.ruleset.id, prepared.opened.scenario.scenario.id);
    if let Some(computer) = prepared.players.iter().find(|player| !player.is_human()) {
        return Err(Failure::Usage(format!("{what} cannot be used: {computer} plays a seat of it")));
    }
    let mut playing = Match::begin(prepared.source, prepared.start, 1_u64, Policy::RATED).map_err(failed)?;
    let mut generator = Generator::new(1_u64);
    let mut found = Vec::new();
    while found.len() < most
        && let Some(seat) = playing.state().acting().first()
    {
        let mut sampler = RandomActionSampler::default();
        // An action that is refused is followed by another.
        loop {
            let action = sampler
                .next(playing.rules(), playing.state(), seat, &mut generator)
                .map_err(failed)?;
            let Some(action) = action else { return Ok(found) };
            let at = playing.journal().position();
            let Ok(event) = playing.submit(&action, at) else { continue };
            if !event.draws.is_empty() {
                return Err(Failure::Usage(format!("{what} cannot be used: its matches have luck")));
            }
            found.push(action);
            break;
        }
    }
    if found.is_empty() && most > 0 {
        return Err(Failure::Usage(format!(
            "{what} cannot be used: there is nothing to do at its beginning"
        )));
    }
    Ok(found)
}

/// How long the disk itself takes to keep a few bytes, written again in the same place, as a store writes its log.
fn disk(folder: &Path) -> Result<Latencies, Failure> {
    let mut file = File::create(folder.join("written"))?;
    file.write_all(&[0; WRITE_BYTES])?;
    file.sync_all()?;
    let mut times = Vec::with_capacity(WRITES);
    let all = Instant::now();
    for _ in 0..WRITES {
        let one = Instant::now();
        file.rewind()?;
        file.write_all(&[7; WRITE_BYTES])?;
        file.sync_data()?;
        times.push(one.elapsed());
    }
    Ok(Latencies::new("writes of 4 KiB kept by the disk (fdatasync)", all.elapsed(), times))
}
