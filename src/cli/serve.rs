//! `serve`: a server for matches over the network.

use std::env;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, available_parallelism};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use tokio::sync::{Notify, mpsc};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::choice::{begin_failure, options};
use super::content::Content;
use super::output::Out;
use super::{Exit, Failure, failed};
use boardwright_client::MatchChoice;
use boardwright_content::{Catalog, user_content};
use boardwright_local::{prepare, rules_of};
use boardwright_model::diagnostic::{Diagnostic, Severity};
#[cfg(unix)]
use boardwright_network::AdminSocket;
use boardwright_network::{
    AddressLimits, Banned, Console, CreateMatch, Limits, Lobby, LobbyOptions, Moderation, Role, TextPort, Webhook, serve_with_text,
};
use boardwright_rules::RulesSource;
use boardwright_store::{PostgresStore, SqliteStore, Store};

const FILE: &str = "matches.db";
/// Bans and paused matches.
const MODERATION: &str = "moderation.json";
/// Where matches are kept if no folder is named, in that of one's own content.
pub(super) const FOLDER: &str = "server";
/// The socket of the console, in the folder in which matches are kept.
pub(super) const SOCKET: &str = "admin.sock";
/// Lines of the console that wait.
const MOST_LINES: usize = 64;
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
    /// Where matches are stored: a file, or a database that several servers share, as `postgres://USER:PASSWORD@HOST/DATABASE`; `matches.db` in the data folder if
    /// none is given
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// The address and port at which other servers that share the database reach this one; that of --listen if none is given
    #[arg(long, value_name = "ADDRESS:PORT")]
    node_address: Option<String>,
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
    /// The address and port at which the text protocol of a ruleset is spoken; none without it
    #[arg(long, value_name = "ADDRESS:PORT")]
    text_listen: Option<SocketAddr>,
    /// What is played over the text protocol: a ruleset and, after a slash, a scenario
    #[arg(long, value_name = "ID[/SCENARIO]")]
    text_match: Option<String>,
    /// Sets an option of matches over the text protocol; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(default)]
    text_option: Vec<String>,
    /// How many days a match waits for players before it is deleted; 1 if none is given
    #[arg(long, value_name = "DAYS")]
    keep_waiting: Option<NonZeroU64>,
    /// How many days a match is kept that has ended; for ever if none is given
    #[arg(long, value_name = "DAYS")]
    keep_ended: Option<NonZeroU64>,
    /// After how many seconds a computer player plays for somebody who is gone, in matches that do not say; never if none is given
    #[arg(long, value_name = "SECONDS")]
    substitute_after: Option<NonZeroU64>,
    /// Where it is told of people who are not there that it is their turn, or that their match has ended: an address that begins with http:// or https://
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
    /// The most connections of one address at the same time; 200 if none is given
    #[arg(long, value_name = "COUNT")]
    connections_per_address: Option<NonZeroUsize>,
    /// The most requests to the lobby a second from one address; 20 if none is given
    #[arg(long, value_name = "COUNT")]
    requests_per_second: Option<NonZeroU32>,
    /// The most matches that are created in an hour from one address; 60 if none is given
    #[arg(long, value_name = "COUNT")]
    matches_per_hour: Option<NonZeroU32>,
    /// The most messages of a client of a match a second, 0 for as many as come; 500 if none is given
    #[arg(long, value_name = "COUNT")]
    messages_per_second: Option<u32>,
    /// Addresses or ranges of proxies before the server: the addresses that they name in X-Forwarded-For count. the machine itself if none are given
    #[arg(long, value_name = "ADDRESSES", value_delimiter = ',')]
    trusted_proxies: Option<Vec<String>>,
    /// The socket for `boardwright admin`, which its owner alone may open; `admin.sock` in the data folder if none is given
    #[arg(long, value_name = "FILE")]
    admin_socket: Option<PathBuf>,
    /// A socket for moderators, which its group may open too: they keep order, and change no matches
    #[arg(long, value_name = "FILE")]
    moderator_socket: Option<PathBuf>,
    /// Read commands from standard input, such as `help`
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "YES")]
    console: Option<bool>,
    /// How the log is written: for people, or a JSON value a line; for people if none is given
    #[arg(long, value_name = "FORM")]
    log: Option<LogForm>,
    /// What is logged: errors, warnings as well, what happens to matches and clients, or every request; `info` if none is given
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<LogLevel>,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LogForm {
    Text,
    Json,
}

/// What is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

/// Begins the log, on standard error.
fn begin_log(form: LogForm, level: LogLevel) {
    let level = match level {
        LogLevel::Error => Level::ERROR,
        LogLevel::Warn => Level::WARN,
        LogLevel::Info => Level::INFO,
        LogLevel::Debug => Level::DEBUG,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(form == LogForm::Text && io::stderr().is_terminal());
    // What databases do with their own tables and connections is of no interest as long as it works.
    let own = Targets::new()
        .with_default(level)
        .with_target("refinery_core", level.min(Level::WARN))
        .with_target("tokio_postgres", level.min(Level::WARN));
    // The journal of systemd has times of its own.
    let has_times = env::var_os("JOURNAL_STREAM").is_some();
    drop(match form {
        LogForm::Json => log
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .finish()
            .with(own)
            .try_init(),
        LogForm::Text if has_times => log.without_time().finish().with(own).try_init(),
        LogForm::Text => log.finish().with(own).try_init(),
    });
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
            store: given.store.or(file.store),
            node_address: given.node_address.or(file.node_address),
            threads: given.threads.or(file.threads),
            most_matches: given.most_matches.or(file.most_matches),
            most_connections: given.most_connections.or(file.most_connections),
            most_clients: given.most_clients.or(file.most_clients),
            open_requests: given.open_requests.or(file.open_requests),
            silence: given.silence.or(file.silence),
            text_listen: given.text_listen.or(file.text_listen),
            text_match: given.text_match.or(file.text_match),
            text_option: if given.text_option.is_empty() {
                file.text_option
            } else {
                given.text_option
            },
            keep_waiting: given.keep_waiting.or(file.keep_waiting),
            keep_ended: given.keep_ended.or(file.keep_ended),
            substitute_after: given.substitute_after.or(file.substitute_after),
            webhook: given.webhook.or(file.webhook),
            connections_per_address: given.connections_per_address.or(file.connections_per_address),
            requests_per_second: given.requests_per_second.or(file.requests_per_second),
            matches_per_hour: given.matches_per_hour.or(file.matches_per_hour),
            messages_per_second: given.messages_per_second.or(file.messages_per_second),
            trusted_proxies: given.trusted_proxies.or(file.trusted_proxies),
            admin_socket: given.admin_socket.or(file.admin_socket),
            moderator_socket: given.moderator_socket.or(file.moderator_socket),
            console: given.console.or(file.console),
            log: given.log.or(file.log),
            log_level: given.log_level.or(file.log_level),
        })
    }
}

pub(super) fn run(content: &Content, arguments: &ServeArguments, verbose: u8, out: &mut Out) -> Result<Exit, Failure> {
    let settings = arguments.settings()?;
    let usual = if verbose > 0 { LogLevel::Debug } else { LogLevel::Info };
    begin_log(settings.log.unwrap_or(LogForm::Text), settings.log_level.unwrap_or(usual));
    let of_address = address_limits(&settings)?;
    let listen = settings.listen.map_or_else(|| LISTEN.to_owned(), |listen| listen.to_string());
    let data = match &settings.data {
        Some(data) => data.clone(),
        None => user_content()
            .ok_or_else(|| Failure::Usage("there is no folder of your own here: name one with --data".to_owned()))?
            .join(FOLDER),
    };
    make_folder(&data).map_err(|error| Failure::Failed(format!("{} cannot be made: {error}", data.display())))?;
    let catalog = sound(content.catalog()?)?;
    let served = catalog.rulesets.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
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
        messages: settings.messages_per_second.unwrap_or(default.messages),
        silence: settings
            .silence
            .map_or(default.silence, |seconds| Duration::from_secs(seconds.get().clamp(2, MOST_SILENCE))),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let listener = runtime.block_on(tokio::net::TcpListener::bind(&listen));
    let listener = listener.map_err(|error| Failure::Failed(format!("it cannot be listened at {listen}: {error}")))?;
    let (store, place, moderation) = open_store(&settings, &data, listener.local_addr()?)?;
    let lobby = Lobby::new(
        store,
        catalog.clone(),
        threads,
        settings.most_matches.map_or(100_000, NonZeroU64::get),
    )?;
    let lobby = lobby.with_options(LobbyOptions {
        substitute_after: settings.substitute_after.map(NonZeroU64::get),
        webhook: settings.webhook.clone().map(webhook).transpose()?,
        time: None,
    });
    let lobby = Arc::new(lobby.guarded(of_address, moderation));
    let stop = Arc::new(Notify::new());
    let console = |role| Console::new(Arc::clone(&lobby), role, data.join("saves"), Arc::clone(&stop));
    let text = match (settings.text_listen, &settings.text_match) {
        (None, None) => None,
        (Some(address), Some(wanted)) => {
            let wanted = text_match(&catalog, wanted, &settings.text_option)?;
            let listener = runtime.block_on(tokio::net::TcpListener::bind(address));
            let listener = listener.map_err(|error| Failure::Failed(format!("it cannot be listened at {address}: {error}")))?;
            Some(TextPort { listener, wanted })
        }
        _ => {
            let what = "--text-listen and --text-match belong together: where a text protocol is spoken, and what is played over it";
            return Err(Failure::Usage(what.to_owned()));
        }
    };
    let mut say = |text: String| {
        // A server goes on when nobody reads what it says.
        drop(out.line(text).and_then(|()| out.flush()));
    };
    say(format!("Listening at http://{}", listener.local_addr()?));
    say(format!("Matches are kept in {place}"));
    say(format!("Rulesets: {served}"));
    if let Some(TextPort { listener, wanted }) = &text {
        say(format!(
            "The text protocol of {} is spoken at {}",
            wanted.ruleset,
            listener.local_addr()?
        ));
    }
    #[cfg(unix)]
    open_sockets(&runtime, &settings, &data, &console)?;
    if settings.console.unwrap_or(false) {
        say("Commands are read from standard input: `help` lists them".to_owned());
        read_commands(&runtime, console(Role::Operator));
    }
    let stopped = async move {
        tokio::select! {
            () = stopped() => {}
            () = stop.notified() => {}
        }
    };
    runtime.block_on(serve_with_text(listener, lobby, limits, text, stopped))?;
    say("Everything is stored.".to_owned());
    Ok(Exit::Fine)
}

/// Opens what matches are stored in: it, where that is for people, and the bans that belong to it.
fn open_store(settings: &ServeSettings, data: &Path, listening: SocketAddr) -> Result<(Arc<dyn Store>, String, Moderation), Failure> {
    let own = |file: &Path, place: &Path| {
        let store = SqliteStore::open(file).map_err(failed)?;
        let moderation = Moderation::open(&data.join(MODERATION))?;
        Ok((Arc::new(store) as Arc<dyn Store>, place.display().to_string(), moderation))
    };
    let Some(given) = &settings.store else {
        return own(&data.join(FILE), data);
    };
    if !["postgres://", "postgresql://"].iter().any(|scheme| given.starts_with(scheme)) {
        if given.contains("://") {
            // Not repeated: there may be a password in it.
            return Err(Failure::Usage(
                "the store is a file, or a URL that begins with postgres://".to_owned(),
            ));
        }
        return own(Path::new(given), Path::new(given));
    }
    let address = match &settings.node_address {
        Some(address) => address.clone(),
        None if listening.ip().is_unspecified() => {
            let what = "other servers have to know where they reach this one: name an address and a port with --node-address";
            return Err(Failure::Usage(what.to_owned()));
        }
        None => listening.to_string(),
    };
    let store = PostgresStore::open(given, &address, PostgresStore::ALIVE_FOR).map_err(failed)?;
    let place = format!("{}, as the node at {address}", store.place());
    let store: Arc<dyn Store> = Arc::new(store);
    let moderation = Moderation::shared(Arc::clone(&store))?;
    Ok((store, place, moderation))
}

/// Tells an address of people who are not there.
fn webhook(url: String) -> Result<Webhook, Failure> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(Failure::Usage(format!("the webhook {url} does not begin with http:// or https://")));
    }
    Ok(Webhook::new(url, WEBHOOK_PAUSE)?)
}

/// What each address may take.
fn address_limits(settings: &ServeSettings) -> Result<AddressLimits, Failure> {
    let default = AddressLimits::default();
    let range = |text: &String| match Banned::addresses(text.trim()) {
        Ok(Banned::Addresses(range)) => Ok(range),
        Ok(Banned::Name(_)) => Err(Failure::Usage(format!("trusted-proxies: `{text}` is no address"))),
        Err(wrong) => Err(Failure::Usage(format!("trusted-proxies: {wrong}"))),
    };
    Ok(AddressLimits {
        connections: settings.connections_per_address.map_or(default.connections, NonZeroUsize::get),
        requests: settings.requests_per_second.map_or(default.requests, NonZeroU32::get),
        matches: settings.matches_per_hour.map_or(default.matches, NonZeroU32::get),
        proxies: match &settings.trusted_proxies {
            Some(proxies) => proxies.iter().map(range).collect::<Result<_, _>>()?,
            None => default.proxies,
        },
    })
}

/// Opens the sockets at which the console is reached. One that was asked for has to be there.
#[cfg(unix)]
fn open_sockets(
    runtime: &tokio::runtime::Runtime,
    settings: &ServeSettings,
    data: &Path,
    console: &impl Fn(Role) -> Console,
) -> Result<(), Failure> {
    let operators = settings.admin_socket.clone().unwrap_or_else(|| data.join(SOCKET));
    let sockets = [
        (Some(operators), Role::Operator),
        (settings.moderator_socket.clone(), Role::Moderator),
    ];
    for (path, role) in sockets {
        let Some(path) = path else { continue };
        let socket = match AdminSocket::bind(&path, role) {
            Ok(socket) => socket,
            Err(error) if role == Role::Operator && settings.admin_socket.is_none() => {
                tracing::warn!("`boardwright admin` does not reach this server: {error}");
                continue;
            }
            Err(error) => return Err(failed(error)),
        };
        let console = console(role);
        runtime.spawn(async move {
            if let Err(error) = socket.serve(console).await {
                tracing::error!("the socket {} is not listened at any more: {error}", path.display());
            }
        });
    }
    Ok(())
}

/// Carries out what is typed, and prints what comes of it.
fn read_commands(runtime: &tokio::runtime::Runtime, console: Console) {
    let (typed, lines) = mpsc::channel(MOST_LINES);
    let (said, mut texts) = mpsc::channel::<String>(MOST_LINES);
    // Reading from a terminal cannot be given up, so it is done where nobody waits for it.
    let reader = thread::Builder::new().name("console".to_owned()).spawn(move || {
        for line in io::stdin().lines().map_while(Result::ok) {
            if typed.blocking_send(line).is_err() {
                return;
            }
        }
    });
    if let Err(error) = reader {
        tracing::error!("commands are not read from standard input: {error}");
        return;
    }
    runtime.spawn(async move {
        let print = async move {
            while let Some(text) = texts.recv().await {
                drop(writeln!(io::stdout(), "{text}"));
            }
        };
        let (stops_server, ()) = tokio::join!(console.converse(lines, said), print);
        if stops_server {
            console.stop_server();
        }
    });
}

/// What is played over a text protocol.
fn text_match(catalog: &Catalog, wanted: &str, given: &[String]) -> Result<CreateMatch, Failure> {
    let (ruleset, scenario) = match wanted.split_once('/') {
        Some((ruleset, scenario)) => (ruleset, Some(scenario.to_owned())),
        None => (wanted, None),
    };
    let choice = MatchChoice {
        ruleset: ruleset.to_owned(),
        scenario: scenario.clone(),
        options: options(given)?,
        ..MatchChoice::default()
    };
    let prepared = prepare(catalog, &choice).map_err(|error| begin_failure(error, catalog))?;
    let start = &prepared.start;
    let rules = RulesSource::rules(&*prepared.source, start.board(), start.declarations(), start.options());
    if rules.map_err(failed)?.text_protocol().is_none() {
        return Err(Failure::Usage(format!(
            "{ruleset} speaks no text protocol: its scripts need the functions read_line and write_lines"
        )));
    }
    Ok(CreateMatch {
        ruleset: ruleset.to_owned(),
        scenario,
        options: choice.options.into_iter().collect(),
        ..CreateMatch::default()
    })
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
