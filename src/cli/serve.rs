//! `serve`: a server for matches over the network.

use std::fs;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use super::content::Content;
use super::output::Out;
use super::{Exit, Failure, failed};
use boardwright_content::{Catalog, user_content};
use boardwright_local::rules_of;
use boardwright_model::diagnostic::{Diagnostic, Severity};
use boardwright_network::{Limits, Lobby, LobbyOptions, Webhook, serve};
use boardwright_store::SqliteStore;

const FILE: &str = "matches.db";
const LISTEN: &str = "127.0.0.1:7474";
/// The most threads that run matches.
const MOST_THREADS: usize = 1_024;
/// How long it is waited before a webhook that failed is tried again for the first time.
const WEBHOOK_PAUSE: Duration = Duration::from_secs(1);
/// The longest that a client may be silent, in seconds: a day.
const MOST_SILENCE: u64 = 24 * 60 * 60;

/// The keys of the config file are those of the flags.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ServeSettings {
    /// The address and port to listen at; 127.0.0.1:7474 if none is given. Put a proxy with TLS before it where others than friends play
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// The folder in which matches are kept
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// How many threads run matches, and on how many more computer players think; as many as there are processors if none is given
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
    /// The most matches that have not ended; 100,000 if none is given
    #[arg(long, value_name = "COUNT")]
    most_matches: Option<NonZeroU64>,
    /// The most clients at the same time; 10,000 if none is given
    #[arg(long, value_name = "COUNT")]
    most_clients: Option<NonZeroUsize>,
    /// The most connections beside those of clients; 1,000 if none is given
    #[arg(long, value_name = "COUNT")]
    most_connections: Option<NonZeroUsize>,
    /// The most requests of a client that are not answered yet; 64 if none is given
    #[arg(long, value_name = "COUNT")]
    open_requests: Option<NonZeroUsize>,
    /// After how many seconds of silence a client counts as lost, from 2 to 86,400; 60 if none is given
    #[arg(long, value_name = "SECONDS")]
    silence: Option<NonZeroU64>,
    /// How many days a match waits for players before it is deleted; 1 if none is given
    #[arg(long, value_name = "DAYS")]
    keep_waiting: Option<NonZeroU64>,
    /// How many days a match is kept that has ended; for ever if none is given
    #[arg(long, value_name = "DAYS")]
    keep_ended: Option<NonZeroU64>,
    /// After how many seconds a computer player plays for somebody who is gone, in matches that do not say; never if none is given
    #[arg(long, value_name = "SECONDS")]
    substitute_after: Option<NonZeroU64>,
    /// Where it is told of people who are not there that it is their turn, or that their match has ended: an address that begins with http://
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
}

#[derive(Clone, Debug, Args)]
pub(super) struct ServeArguments {
    /// A file in TOML with the same settings; those on the command line count before it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: ServeSettings,
}

impl ServeArguments {
    /// The settings of the command line, and of the file where there are none.
    fn settings(&self) -> Result<ServeSettings, Failure> {
        let given = self.settings.clone();
        let Some(path) = &self.config else { return Ok(given) };
        let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let file: ServeSettings = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(ServeSettings {
            listen: given.listen.or(file.listen),
            data: given.data.or(file.data),
            threads: given.threads.or(file.threads),
            most_matches: given.most_matches.or(file.most_matches),
            most_connections: given.most_connections.or(file.most_connections),
            most_clients: given.most_clients.or(file.most_clients),
            open_requests: given.open_requests.or(file.open_requests),
            silence: given.silence.or(file.silence),
            keep_waiting: given.keep_waiting.or(file.keep_waiting),
            keep_ended: given.keep_ended.or(file.keep_ended),
            substitute_after: given.substitute_after.or(file.substitute_after),
            webhook: given.webhook.or(file.webhook),
        })
    }
}

pub(super) fn run(content: &Content, arguments: &ServeArguments, out: &mut Out) -> Result<Exit, Failure> {
    let settings = arguments.settings()?;
    let listen = settings.listen.map_or_else(|| LISTEN.to_owned(), |listen| listen.to_string());
    let data = match settings.data {
        Some(data) => data,
        None => user_content()
            .ok_or_else(|| Failure::Usage("there is no folder of your own here: name one with --data".to_owned()))?
            .join("server"),
    };
    make_folder(&data).map_err(|error| Failure::Failed(format!("{} cannot be made: {error}", data.display())))?;
    let catalog = sound(content.catalog()?)?;
    let served = catalog.rulesets.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let store = SqliteStore::open(&data.join(FILE)).map_err(failed)?;
    let threads = settings.threads.or(available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    if threads > MOST_THREADS {
        return Err(Failure::Usage(format!(
            "{threads} threads are too many: there may be {MOST_THREADS}"
        )));
    }
    let default = Limits::default();
    let days = |days: NonZeroU64| Duration::from_secs(days.get().saturating_mul(24 * 60 * 60));
    let limits = Limits {
        kept_waiting: settings.keep_waiting.map_or(default.kept_waiting, days),
        kept_ended: settings.keep_ended.map(days),
        connections: settings.most_connections.map_or(default.connections, NonZeroUsize::get),
        clients: settings.most_clients.map_or(default.clients, NonZeroUsize::get),
        open_requests: settings.open_requests.map_or(default.open_requests, NonZeroUsize::get),
        silence: settings
            .silence
            .map_or(default.silence, |seconds| Duration::from_secs(seconds.get().clamp(2, MOST_SILENCE))),
    };
    let lobby = Lobby::new(
        Arc::new(store),
        catalog.clone(),
        threads,
        settings.most_matches.map_or(100_000, NonZeroU64::get),
    )?;
    let lobby = lobby.with_options(LobbyOptions {
        substitute_after: settings.substitute_after.map(NonZeroU64::get),
        webhook: settings.webhook.map(webhook).transpose()?,
        time: None,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let listener = runtime.block_on(tokio::net::TcpListener::bind(&listen));
    let listener = listener.map_err(|error| Failure::Failed(format!("it cannot be listened at {listen}: {error}")))?;
    let mut say = |text: String| {
        // A server goes on when nobody reads what it says.
        drop(out.line(text).and_then(|()| out.flush()));
    };
    say(format!("Listening at http://{}", listener.local_addr()?));
    say(format!("Matches are kept in {}", data.display()));
    say(format!("Rulesets: {served}"));
    runtime.block_on(serve(listener, Arc::new(lobby), limits, stopped()))?;
    say("Everything is stored.".to_owned());
    Ok(Exit::Fine)
}

/// Tells an address of people who are not there.
fn webhook(url: String) -> Result<Webhook, Failure> {
    if !url.starts_with("http://") {
        return Err(Failure::Usage(format!(
            "the webhook {url} does not begin with http://: for one with TLS put a proxy before it"
        )));
    }
    Ok(Webhook::new(url, WEBHOOK_PAUSE)?)
}

/// The rulesets of a catalog whose files can be read and whose rules compile. Says which are left out, and why.
fn sound(mut catalog: Catalog) -> io::Result<Catalog> {
    let mut broken = Vec::new();
    for (id, entry) in &catalog.rulesets {
        let is_error = |found: &Diagnostic| found.severity == Severity::Error;
        let found = entry.diagnostics.iter().find(|found| is_error(found)).cloned();
        let found = found.or_else(|| rules_of(&catalog, id).err().and_then(|found| found.into_iter().find(is_error)));
        broken.extend(found.map(|found| (id.clone(), found)));
    }
    for (id, found) in broken {
        writeln!(io::stderr(), "{id} is not served: {found}")?;
        catalog.rulesets.remove(&id);
    }
    Ok(catalog)
}

/// Makes the folder in which matches are kept, with those above it. What is hidden in matches and the hashes of tokens are for its owner alone.
fn make_folder(data: &Path) -> io::Result<()> {
    let mut folder = fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        folder.mode(0o700);
    }
    folder.create(data)
}

/// Waits until somebody wants the program to stop.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    drop(tokio::signal::ctrl_c().await);
}
