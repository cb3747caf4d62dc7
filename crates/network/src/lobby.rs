//! The lobby: where matches are created, found, joined and left, and opened when somebody comes to play.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tokio::task::spawn_blocking;

use boardwright_client::MatchChoice;
use boardwright_content::xml::Document as _;
use boardwright_content::{BACKUPS, Catalog, MOST_SAVE_BYTES, MOST_UNPACKED, RulesetEntry, Save, SavedClock, pack_sources, unpack_sources};
use boardwright_local::{BeginError, CompiledRules, SavedMatch, StoredMatch, head_of, prepare_served, served_seats};
use boardwright_model::diagnostic::Severity;
use boardwright_model::{
    EventLuck, Fingerprint, LuckNumber, LuckTerms, OptionDeclaration, Policy, SeatDeclaration, SeatId, SeatSet, Seed, TimeControl,
    action_commitment, seed_commitment, server_number,
};
use boardwright_protocol::{Command, FromHost, Reply, Request};
use boardwright_rules::RulesSource;
use boardwright_ruleset::Sources;
use boardwright_server::{
    ChatEntry, Claim, ClockSetup, SeatNews, ServedPlayers, SessionError, SessionHandle, SessionPool, SessionSetup, TellSeat, TimeSource,
};
use boardwright_store::{Holder, MatchId, MatchRow, Owner, SeatChange, Seating, Status, Store, StoreError};

use super::client_list::{ClientList, ConnectedClient};
use super::first_numbers::FirstNumbers;
use super::gate::{AddressLimits, Gate};
use super::journal_writer::JournalWriters;
use super::metrics::Metrics;
use super::moderation::{Banned, Moderation, banned_text};
use super::nodes::Told;
use super::open_matches::{OpenMatches, now};
use super::passwords::Passwords;
use super::token::Token;
use super::webhook::{Webhook, WebhookMessage};

/// The most matches that a list shows.
const MOST_LISTED: usize = 500;
/// How long a lobby that is dropped waits for what is not stored yet.
const MOST_CLOSING: Duration = Duration::from_secs(10);
/// The most matches that are deleted at once.
const MOST_SWEPT: usize = 1_000;
/// The longest that somebody may be gone before a computer player plays for them, in seconds: a year.
const MOST_SUBSTITUTE_AFTER: u64 = 365 * 24 * 60 * 60;
/// The most matches with clocks that are opened when a server starts.
const MOST_TIMED: usize = 1_000_000;
/// The most lines of chat that a client says in ten seconds.
const MOST_SAID: usize = 10;
/// How often a match is asked again that was about to end.
const MOST_ASKED: usize = 5;
/// The most wishes of operators that a connection has not taken note of.
const MOST_UNREAD_ORDERS: usize = 256;
/// The most changes of seats of which whoever waits for one has not taken note; with more it looks at its match in any case.
const MOST_UNREAD_CHANGES: usize = 1_024;

/// A match that somebody wants to create.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateMatch {
    /// What it is to be called; without it like its scenario.
    #[serde(default)]
    pub name: Option<String>,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The id of the scenario; without it the standard one.
    #[serde(default)]
    pub scenario: Option<String>,
    /// Options that differ from the scenario's, by name.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Who plays which seat, by its name: `human`, or a computer player such as `search:5`. The others are played as the scenario says.
    #[serde(default)]
    pub players: BTreeMap<String, String>,
    /// Whether only those find it who know its id.
    #[serde(default)]
    pub private: bool,
    /// What is asked of whoever takes a seat or watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// What is allowed in it.
    #[serde(default)]
    pub policy: MatchPolicy,
    /// How much time seats have; without it as much as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// What becomes of a seat whose time has run out.
    #[serde(default)]
    pub out_of_time: OutOfTime,
    /// After how many seconds a computer player plays for somebody who is gone; without it as the server has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute_after: Option<u64>,
    /// Whether its luck follows from numbers of its players as well, so that they can verify it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub verifiable: bool,
}

/// What becomes of a seat whose time has run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfTime {
    /// It has lost, as if it had resigned.
    #[default]
    Forfeits,
    /// A computer player plays it on.
    PlayedOn,
}

/// What is allowed in a match beside its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchPolicy {
    /// Nothing.
    #[default]
    Rated,
    /// To take back one's own actions of the turn, behind which nothing was drawn or shown, and hints.
    Casual,
    /// The same, and whoever runs the server may edit the match and change its rules.
    Supervised,
}

impl MatchPolicy {
    /// What it allows.
    pub const fn policy(self) -> Policy {
        match self {
            Self::Rated => Policy::RATED,
            Self::Casual => Policy::CASUAL,
            Self::Supervised => Policy::SUPERVISED,
        }
    }
}

/// Somebody who wants a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinMatch {
    /// The name that others see.
    pub name: String,
    /// The name of the seat; without it the first that is free.
    #[serde(default)]
    pub seat: Option<String>,
    /// The password of the match, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// The head of the chain with whose numbers the player takes part in the luck of the match, where that can be verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckNumber>,
}

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatState {
    /// Nobody yet.
    Free,
    /// A computer player.
    Computer(String),
    /// Somebody of this name.
    Held(String),
}

/// A seat of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatSummary {
    /// Its name.
    pub name: String,
    /// Who plays it.
    pub player: SeatState,
}

/// What everyone may know of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The id of the scenario.
    pub scenario: String,
    /// `waiting`, `playing` or `ended`.
    pub status: String,
    /// What is allowed in it.
    pub policy: MatchPolicy,
    /// Whether it asks for a password.
    pub has_password: bool,
    /// How much time seats have, if that is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// What the server has committed to the seed of its luck with, where players can verify that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckNumber>,
    /// Its seats, in order.
    pub seats: Vec<SeatSummary>,
    /// When it was created, in milliseconds since 1970.
    pub created: u64,
    /// When something happened in it last, in milliseconds since 1970.
    pub changed: u64,
}

/// A ruleset that a server plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesetSummary {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its scenarios.
    pub scenarios: Vec<ScenarioSummary>,
    /// Its seats, as it declares them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatDeclaration>,
    /// What may be set before a match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionDeclaration>,
    /// The computer players of its own, which may sit at seats beside those of every ruleset.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
}

/// A scenario that a server plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioSummary {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// The names of its seats, and who plays them if nobody says otherwise.
    pub players: Vec<(String, String)>,
    /// The options that it sets, with their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
}

/// How a match was set up, as the store keeps it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Settings {
    /// The names of the seats, and the computer players that sit there.
    seats: Vec<(String, Option<String>)>,
    #[serde(default)]
    policy: MatchPolicy,
    /// The hash of its creator's token.
    #[serde(default)]
    creator: Option<[u8; 32]>,
    /// The hash of its password, in PHC form.
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    clock: Option<TimeControl>,
    #[serde(default)]
    out_of_time: OutOfTime,
    /// In seconds.
    #[serde(default)]
    substitute_after: Option<u64>,
    /// What it is committed to the seed of its luck with, where players can verify that.
    #[serde(default)]
    luck: Option<LuckNumber>,
}

/// Why the lobby says no.
#[derive(Debug, thiserror::Error)]
pub enum LobbyError {
    /// There is no such match.
    #[error("there is no such match")]
    NoMatch,
    /// What was asked for does not exist or is not allowed.
    #[error("{0}")]
    Wrong(String),
    /// The seat, or all of them, are taken.
    #[error("{0}")]
    Taken(String),
    /// The token is not the one of a seat of the match.
    #[error("the token is not of a seat of this match")]
    NoSeat,
    /// The token is not the one of the creator of the match.
    #[error("the token is not of the creator of this match")]
    NotCreator,
    /// Whoever asks is banned.
    #[error("{}", banned_text(.0))]
    Banned(String),
    /// Too much was asked for in too short a time.
    #[error("{what}: try again in {} seconds", wait.as_secs() + 1)]
    TooFast {
        /// What was too much.
        what: &'static str,
        /// How long to wait.
        wait: Duration,
    },
    /// The password is missing or wrong.
    #[error("{0}")]
    Password(&'static str),
    /// The server has as many matches as it may.
    #[error("this server has no room for another match")]
    Full,
    /// The server, or the address of a client, has as many of them as it may.
    #[error("{0}")]
    Crowded(&'static str),
    /// The store fails; it may be back soon.
    #[error("the matches cannot be read or stored at the moment")]
    Store(#[source] StoreError),
    /// Another node runs the match.
    #[error("the match is run by the node at {0}: ask that one")]
    Elsewhere(String),
    /// The match cannot be opened.
    #[error("the match cannot be opened: {0}")]
    Broken(String),
}

impl From<StoreError> for LobbyError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoMatch(_) => Self::NoMatch,
            StoreError::SeatTaken => Self::Taken("no seat is free".to_owned()),
            StoreError::NameTaken(name) => Self::Taken(format!("there is one called {name} already")),
            StoreError::NotHeld => Self::NoSeat,
            StoreError::TooLate => Self::Taken("the match has begun or ended".to_owned()),
            error => Self::Store(error),
        }
    }
}

impl From<BeginError> for LobbyError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::Choice(text) => Self::Wrong(text),
            BeginError::Content(found) => Self::Broken(found.to_string()),
            BeginError::Session(error) => error.into(),
        }
    }
}

impl From<SessionError> for LobbyError {
    fn from(error: SessionError) -> Self {
        Self::Broken(error.to_string())
    }
}

/// What a lobby does beside keeping matches.
#[derive(Clone, Debug, Default)]
pub struct LobbyOptions {
    /// After how many seconds a computer player plays for somebody who is gone, in matches that do not say; without it never.
    pub substitute_after: Option<u64>,
    /// Who is told of people who are not there that it is their turn, or that their match has ended.
    pub webhook: Option<Webhook>,
    /// What time it is, for the clocks of matches; without it that of the machine.
    pub time: Option<FakeTime>,
}

/// A clock for tests.
#[derive(Clone)]
pub struct FakeTime(pub TimeSource);

impl std::fmt::Debug for FakeTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FakeTime")
    }
}

/// Where people find matches. Clones of the `Arc` that holds it are the same lobby.
pub struct Lobby {
    offered: RwLock<Arc<Offered>>,
    /// Gone before the store: its matches store what has happened in them.
    pool: SessionPool,
    pub(super) writers: JournalWriters,
    pub(super) store: Arc<dyn Store>,
    players: ServedPlayers,
    compiled: CompiledRules,
    passwords: Passwords,
    pub(super) open: OpenMatches,
    most_matches: u64,
    options: LobbyOptions,
    pub(super) metrics: Arc<Metrics>,
    /// The first numbers of the players of matches that are about to begin.
    pub(super) first_numbers: FirstNumbers,
    /// Told the match of which a seat was taken or left.
    seats_changed: broadcast::Sender<MatchId>,
    pub(super) gate: Arc<Gate>,
    moderation: Moderation,
    pub(super) client_list: Arc<ClientList>,
    orders: broadcast::Sender<Order>,
}

/// The rulesets that can be played.
#[derive(Debug)]
struct Offered {
    catalog: Arc<Catalog>,
    /// What is told of them: their rules are compiled when somebody asks for the first time.
    summaries: OnceLock<Vec<RulesetSummary>>,
}

impl Offered {
    fn new(catalog: Catalog) -> Arc<Self> {
        Arc::new(Self {
            catalog: Arc::new(catalog),
            summaries: OnceLock::new(),
        })
    }

    fn summaries(&self) -> &[RulesetSummary] {
        self.summaries.get_or_init(|| {
            let entries = self.catalog.rulesets.values();
            let sound = entries.filter(|entry| entry.diagnostics.iter().all(|found| found.severity != Severity::Error));
            sound.map(|entry| self.summary(entry)).collect()
        })
    }

    fn summary(&self, entry: &RulesetEntry) -> RulesetSummary {
        let rules = boardwright_local::rules_of(&self.catalog, &entry.id).ok();
        let scenarios = self.catalog.scenarios(&entry.id).into_values();
        let scenarios = scenarios.filter(|scenario| !scenario.diagnostics.has_errors());
        let scenarios = scenarios.map(|scenario| ScenarioSummary {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            description: scenario.description.clone(),
            players: scenario.players.clone(),
            options: scenario.options.clone(),
        });
        let (seats, options, strategies) = match &rules {
            Some(rules) => (
                rules.declarations().seats.clone(),
                rules.declarations().options.clone(),
                rules.strategies(),
            ),
            None => Default::default(),
        };
        let (id, title) = (entry.id.clone(), entry.title().to_owned());
        RulesetSummary {
            id,
            title,
            scenarios: scenarios.collect(),
            seats,
            options,
            strategies,
        }
    }
}

/// What operators want of the connections of clients.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// They are told something: those of one match, or all.
    Announce(Option<MatchId>, Arc<str>),
    /// Those from some addresses end, with a reason.
    Disconnect(IpNet, Arc<str>),
    /// All end, for other nodes may run the matches.
    Moved,
    /// Those to the node at an address end.
    Gone(Arc<str>),
}

impl std::fmt::Debug for Lobby {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lobby({} open matches)", self.open.count())
    }
}

impl Lobby {
    /// A lobby of the matches in a store, of rulesets in a catalog. Matches run on so many threads, computer players of all matches
    /// think on as many more, and there are at most `most_matches` that have not ended.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn new(store: Arc<dyn Store>, catalog: Catalog, threads: usize, most_matches: u64) -> std::io::Result<Self> {
        let metrics = Arc::new(Metrics::new());
        Ok(Self {
            writers: JournalWriters::new(Arc::clone(&metrics))?,
            store,
            offered: RwLock::new(Offered::new(catalog)),
            pool: SessionPool::new(threads)?,
            players: ServedPlayers::new(threads),
            compiled: CompiledRules::default(),
            passwords: Passwords::default(),
            open: OpenMatches::default(),
            most_matches,
            options: LobbyOptions::default(),
            metrics,
            first_numbers: FirstNumbers::default(),
            seats_changed: broadcast::Sender::new(MOST_UNREAD_CHANGES),
            gate: Arc::default(),
            moderation: Moderation::default(),
            client_list: Arc::default(),
            orders: broadcast::Sender::new(MOST_UNREAD_ORDERS),
        })
    }

    /// The same lobby with other options.
    #[must_use]
    pub fn with_options(mut self, options: LobbyOptions) -> Self {
        self.options = options;
        self
    }

    /// Bounds what each address takes, and keeps bans.
    #[must_use]
    pub fn guarded(mut self, limits: AddressLimits, moderation: Moderation) -> Self {
        self.gate = Arc::new(Gate::new(limits));
        self.moderation = moderation;
        self
    }

    /// Who is banned, and which matches are paused.
    pub fn moderation(&self) -> &Moderation {
        &self.moderation
    }

    fn offered(&self) -> Arc<Offered> {
        Arc::clone(&self.offered.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What can be played, with what may be chosen for it. Blocks while rules are compiled, which is when it is asked for the first time.
    pub fn rulesets(&self) -> Vec<RulesetSummary> {
        self.offered().summaries().to_vec()
    }

    /// The rulesets that can be played.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.offered().catalog)
    }

    /// Plays with other rulesets from now on. Matches that have begun keep their rules.
    pub fn set_catalog(&self, catalog: Catalog) {
        *self.offered.write().unwrap_or_else(PoisonError::into_inner) = Offered::new(catalog);
    }

    /// Creates a match. Gives it with the token of its creator. Blocks.
    ///
    /// # Errors
    /// What cannot be chosen, [`LobbyError::Taken`] if there is one of that name, or [`LobbyError::Full`].
    pub fn create(&self, wanted: &CreateMatch) -> Result<(MatchSummary, Token), LobbyError> {
        let catalog = self.catalog();
        let [waiting, playing, _] = self.store.counts()?;
        if waiting + playing >= self.most_matches {
            return Err(LobbyError::Full);
        }
        if catalog.ruleset(&wanted.ruleset).is_err() {
            return Err(LobbyError::Wrong(format!("there is no ruleset `{}`", wanted.ruleset)));
        }
        if let Some(scenario) = &wanted.scenario
            && !catalog.scenarios(&wanted.ruleset).contains_key(scenario.as_str())
        {
            return Err(LobbyError::Wrong(format!(
                "there is no scenario `{scenario}` of `{}`",
                wanted.ruleset
            )));
        }
        let seed = Seed::Secret(rand::random());
        let choice = MatchChoice {
            ruleset: wanted.ruleset.clone(),
            scenario: wanted.scenario.clone(),
            players: wanted.players.clone().into_iter().collect(),
            options: wanted.options.clone().into_iter().collect(),
            seed: Some(seed),
            policy: Some(wanted.policy.policy()),
            ..MatchChoice::default()
        };
        if wanted
            .substitute_after
            .is_some_and(|seconds| !(1..=MOST_SUBSTITUTE_AFTER).contains(&seconds))
        {
            return Err(LobbyError::Wrong(format!(
                "`substitute_after` is 1 to {MOST_SUBSTITUTE_AFTER} seconds"
            )));
        }
        let given = wanted.name.as_deref().map(checked_name).transpose()?;
        let prepared = prepare_served(&catalog, &choice, &self.compiled)?;
        let seats = prepared.start.declarations().seats.iter().zip(&prepared.players);
        let seats: Vec<(String, Option<String>)> = seats
            .map(|(seat, player)| (seat.name.to_string(), (!player.is_human()).then(|| player.to_string())))
            .collect();
        let has_people = seats.iter().any(|(_, computer)| computer.is_none());
        if wanted.verifiable && !has_people {
            let why = "only computers play in this match: there is nobody to verify its luck";
            return Err(LobbyError::Wrong(why.to_owned()));
        }
        let token = Token::any();
        let settings = Settings {
            luck: wanted.verifiable.then(|| seed_commitment(seed)),
            seats,
            policy: wanted.policy,
            creator: Some(token.hash()),
            password: wanted
                .password
                .as_deref()
                .map(|password| self.passwords.hash(password))
                .transpose()?,
            clock: wanted.clock,
            out_of_time: wanted.out_of_time,
            substitute_after: wanted.substitute_after.or(self.options.substitute_after),
        };
        let title = &prepared.opened.scenario.scenario.title;
        let mut row = MatchRow {
            id: MatchId::new(rand::random()),
            name: given.clone().unwrap_or_else(|| title.clone()),
            ruleset: prepared.opened.ruleset.id.clone(),
            scenario: prepared.opened.scenario.scenario.id.clone(),
            status: if has_people { Status::Waiting } else { Status::Playing },
            is_listed: !wanted.private,
            created: now(),
            changed: now(),
            settings: serde_json::to_vec(&settings).map_err(|error| LobbyError::Broken(error.to_string()))?,
        };
        let head = packed(&head_of(&prepared, &choice))?;
        self.create_row(&mut row, &head, given.is_some())?;
        tracing::info!(match_id = %row.id, ruleset = row.ruleset, scenario = row.scenario, "a match was created");
        Ok((summary(&row, &[]), token))
    }

    /// Deletes a match that waits, for its creator. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::NotCreator`], or [`LobbyError::Taken`] if it has begun.
    pub fn cancel(&self, id: MatchId, creator: Token) -> Result<(), LobbyError> {
        self.check_creator(id, creator)?;
        self.store.cancel(id)?;
        self.seat_has_changed(id);
        Ok(())
    }

    /// Sends whoever holds a seat away, for the creator of the match. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::NotCreator`], or if there is no such seat or nobody holds it.
    pub fn kick(&self, id: MatchId, seat: &str, creator: Token) -> Result<(), LobbyError> {
        let settings = self.check_creator(id, creator)?;
        self.free(id, &settings, seat)
    }

    /// Sends whoever holds a seat away, for operators. Blocks.
    ///
    /// # Errors
    /// If there is no such seat or nobody holds it.
    pub fn free_seat(&self, id: MatchId, seat: &str) -> Result<(), LobbyError> {
        let settings = settings_of(&self.store.row(id)?);
        self.free(id, &settings, seat)
    }

    fn free(&self, id: MatchId, settings: &Settings, seat: &str) -> Result<(), LobbyError> {
        let index = settings.seats.iter().position(|(name, _)| name == seat);
        let index = index.and_then(|index| u8::try_from(index).ok());
        let names = || settings.seats.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let seat = index.ok_or_else(|| LobbyError::Wrong(format!("there is no seat `{seat}`: there are {}", names())))?;
        match self.store.seat(id, &SeatChange::Free { seat }, now()) {
            Err(StoreError::NotHeld) => Err(LobbyError::Taken("nobody holds this seat".to_owned())),
            freed => {
                self.report_match(id, &freed?);
                Ok(())
            }
        }
    }

    fn check_creator(&self, id: MatchId, creator: Token) -> Result<Settings, LobbyError> {
        let settings = settings_of(&self.store.row(id)?);
        if settings.creator == Some(creator.hash()) {
            Ok(settings)
        } else {
            Err(LobbyError::NotCreator)
        }
    }

    /// Checks the password of a match, if it has one. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::Password`].
    pub fn check_password(&self, id: MatchId, password: Option<&str>) -> Result<(), LobbyError> {
        self.passwords
            .check(settings_of(&self.store.row(id)?).password.as_deref(), password)
    }

    /// Deletes matches in which nothing has happened for too long: those that wait, and those that have ended, before times in milliseconds since 1970. Gives
    /// how many. Blocks.
    ///
    /// # Errors
    /// If the store fails.
    pub fn sweep(&self, waiting_before: u64, ended_before: u64) -> Result<usize, LobbyError> {
        let mut count = 0;
        for (status, before) in [(Status::Waiting, waiting_before), (Status::Ended, ended_before)] {
            loop {
                let swept = self.store.sweep(status, before, MOST_SWEPT)?;
                count += swept.len();
                for id in &swept {
                    tracing::info!(match_id = %id, "a match was deleted, for nothing has happened in it for long");
                    self.seat_has_changed(*id);
                }
                if swept.len() < MOST_SWEPT {
                    break;
                }
            }
        }
        Ok(count)
    }

    /// The matches of a status that everyone may find, those changed last first. Blocks.
    ///
    /// # Errors
    /// If the store fails.
    pub fn list(&self, status: Status) -> Result<Vec<MatchSummary>, LobbyError> {
        self.list_of(status, true)
    }

    /// The same, private ones too, for operators. Blocks.
    ///
    /// # Errors
    /// If the store fails.
    pub fn list_all(&self, status: Status) -> Result<Vec<MatchSummary>, LobbyError> {
        self.list_of(status, false)
    }

    fn list_of(&self, status: Status, listed: bool) -> Result<Vec<MatchSummary>, LobbyError> {
        let rows = self.store.list(status, listed, MOST_LISTED)?;
        Ok(rows.iter().map(|(row, holders)| summary(row, holders)).collect())
    }

    /// A match. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::NoMatch`].
    pub fn summary(&self, id: MatchId) -> Result<MatchSummary, LobbyError> {
        let row = self.store.row(id)?;
        Ok(summary(&row, &self.store.holders(id)?))
    }

    /// Gives a seat to somebody: its name, the token that proves it, and what the server has committed to the seed of the match with, where luck can be
    /// verified. When all seats of people are taken, the match begins. Blocks.
    ///
    /// # Errors
    /// If the seat is taken, the name is taken or none, the password is wrong, or the match has ended.
    pub fn join(&self, id: MatchId, who: &JoinMatch) -> Result<(String, Token, Option<LuckNumber>), LobbyError> {
        let row = self.store.row(id)?;
        let settings = settings_of(&row);
        self.passwords.check(settings.password.as_deref(), who.password.as_deref())?;
        let name = checked_name(&who.name)?;
        if let Some(reason) = self.moderation.ban_of_name(&name) {
            return Err(LobbyError::Banned(reason));
        }
        if let Some(wanted) = &who.seat
            && settings.seats.iter().all(|(seat, _)| seat != wanted)
        {
            return Err(LobbyError::Wrong(format!("there is no seat `{wanted}`")));
        }
        let people = settings.seats.iter().zip(0_u8..).filter(|((_, computer), _)| computer.is_none());
        let wanted = people
            .clone()
            .filter(|((seat, _), _)| who.seat.as_ref().is_none_or(|wanted| wanted == seat));
        let token = Token::any();
        let change = SeatChange::Take {
            seats: wanted.map(|(_, index)| index).collect(),
            people: people.count(),
            name: name.clone(),
            token_hash: token.hash(),
            commitment: who.luck.filter(|_| settings.luck.is_some()).map(|head| head.0),
        };
        let seating = self.store.seat(id, &change, now()).map_err(|error| match error {
            StoreError::NameTaken(_) => LobbyError::Taken(format!("there is a player called {name} in this match already")),
            StoreError::TooLate => LobbyError::Taken("the match has ended".to_owned()),
            StoreError::SeatTaken => LobbyError::Taken(match &who.seat {
                Some(seat) => format!("the seat `{seat}` is taken"),
                None => "no seat is free".to_owned(),
            }),
            error => error.into(),
        })?;
        self.report_match(id, &seating);
        let seat = settings.seats.into_iter().nth(usize::from(seating.seat));
        Ok((seat.map(|(name, _)| name).unwrap_or_default(), token, settings.luck))
    }

    /// Frees the seat of a token. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::NoSeat`] if it is the token of none.
    pub fn leave(&self, id: MatchId, token: Token) -> Result<(), LobbyError> {
        let left = self.store.seat(id, &SeatChange::Leave { token_hash: token.hash() }, now())?;
        self.report_match(id, &left);
        Ok(())
    }

    /// Tells who waits for the match, and the match if it is open, of a seat.
    fn report_match(&self, id: MatchId, seating: &Seating) {
        if let Some(slot) = self.open.find(id)
            // A match that is being opened is told when that is over.
            && let Some(handle) = slot.blocking_lock().as_ref()
        {
            handle.seat(SeatId(seating.seat), seating.name.clone());
        }
        keep_chat(Some(&self.store), id, &ChatEntry::SeatChanged(SeatId(seating.seat)));
        self.seat_has_changed(id);
    }

    pub(super) fn seat_has_changed(&self, id: MatchId) {
        // Nobody may be waiting.
        drop(self.seats_changed.send(id));
    }

    /// The matches of which seats are taken or left from now on.
    pub(super) fn seat_changes(&self) -> broadcast::Receiver<MatchId> {
        self.seats_changed.subscribe()
    }

    /// The seats of tokens, and how far the match is. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::NoSeat`] if one of them is the token of none.
    pub fn seats_of(&self, id: MatchId, tokens: &[Token]) -> Result<(SeatSet, Status), LobbyError> {
        let row = self.store.row(id)?;
        let holders = self.store.holders(id)?;
        let seat_of = |token: &Token| {
            let hash = token.hash();
            let holder = holders.iter().find(|holder| holder.token_hash == hash);
            holder.map(|holder| SeatId(holder.seat)).ok_or(LobbyError::NoSeat)
        };
        let seats = tokens.iter().map(seat_of).collect::<Result<BTreeSet<_>, _>>()?;
        Ok((seats.into_iter().collect(), row.status))
    }

    /// The session of a match. A match that does not run is opened with everything that was stored of it.
    ///
    /// # Errors
    /// [`LobbyError::NoMatch`], or why it cannot be opened.
    pub async fn open(self: &Arc<Self>, id: MatchId) -> Result<SessionHandle, LobbyError> {
        let slot = self.open.slot(id);
        let mut held = slot.lock().await;
        if let Some(handle) = held.as_ref().filter(|handle| handle.is_running()) {
            return Ok(handle.clone());
        }
        if let Owner::At(address) = self.owner(id).await? {
            return Err(LobbyError::Elsewhere(address));
        }
        if self.cluster().is_none() {
            self.open.sweep();
        }
        let lobby = Arc::clone(self);
        let stored = spawn_blocking(move || lobby.read(id)).await;
        let setup = stored.map_err(|error| LobbyError::Broken(error.to_string()))??;
        let (begun, result) = tokio::sync::oneshot::channel();
        self.pool.spawn(setup, move |result| drop(begun.send(result)));
        let result = result.await.map_err(|error| LobbyError::Broken(error.to_string()))?;
        let handle = result?;
        self.metrics.matches_opened.inc();
        self.first_numbers.forget(id);
        tracing::info!(match_id = %id, "a match was opened");
        if self.moderation.is_paused(id) {
            handle.halt(true);
        }
        *held = Some(handle.clone());
        drop(held);
        // Meanwhile this node may have been declared dead.
        if !self.open.is_known(id, &slot) {
            handle.abandon();
            return Err(LobbyError::Store(StoreError::Fenced(id)));
        }
        Ok(handle)
    }

    /// Waits until a session that is about to end has ended, so that its match can be opened again.
    pub(super) async fn wait_for_end(&self, handle: SessionHandle) {
        drop(spawn_blocking(move || handle.wait()).await);
    }

    /// A match as it is stored, and the rules that it was played under.
    fn stored(&self, id: MatchId) -> Result<(StoredMatch, BTreeMap<Fingerprint, Sources>), LobbyError> {
        self.read_stored(&self.store.load(id)?)
    }

    /// What the luck of a match follows from that is about to begin, with the first numbers of its players; none where luck is not verified.
    fn luck_of(&self, id: MatchId, row: &MatchRow, holders: &[Holder], has_begun: bool) -> Option<EventLuck> {
        let settings = settings_of(row);
        let seed = settings.luck.filter(|_| !has_begun)?;
        let heads = heads_of(settings.seats.len(), holders);
        let numbers = heads.iter().map(|head| self.first_numbers.find(id, (*head)?));
        let numbers: Vec<Option<LuckNumber>> = numbers.collect();
        // A player who has none takes no part from the beginning.
        let heads = heads
            .into_iter()
            .zip(&numbers)
            .map(|(head, number)| head.filter(|_| number.is_some()));
        let terms = LuckTerms {
            match_id: id.to_string(),
            seed,
            heads: heads.collect(),
        };
        Some(EventLuck {
            index: 0,
            numbers,
            terms: Some(Arc::new(terms)),
        })
    }

    /// What is asked of the players of a match that is about to begin: what the server commits to its own number with, and the heads of the chains of
    /// which the first number is still to come, by seat. None if luck is not verified or the match has begun. Blocks.
    ///
    /// # Errors
    /// [`LobbyError::NoMatch`].
    pub(super) fn missing_numbers(&self, id: MatchId) -> Result<Option<MissingNumbers>, LobbyError> {
        let row = self.store.row(id)?;
        let settings = settings_of(&row);
        if settings.luck.is_none() || row.status != Status::Playing {
            return Ok(None);
        }
        let stored = self.store.load(id)?;
        if stored.head_number > 0 || !stored.entries.is_empty() {
            return Ok(None);
        }
        let read = StoredMatch::read(&unpacked(&stored.head)?, 0, &[]).map_err(|found| LobbyError::Broken(found.to_string()))?;
        let commitment = action_commitment(server_number(read.seed(), 0), "begin");
        let heads = heads_of(settings.seats.len(), &stored.holders).into_iter().zip(0_u8..);
        let missing = heads.filter_map(|(head, seat)| Some((SeatId(seat), head?)));
        let missing = missing.filter(|(_, head)| !self.first_numbers.is_known(id, *head)).collect();
        Ok(Some((commitment, missing)))
    }

    /// Takes the first number of a player, or takes note that there is none.
    pub(super) fn give_first_number(&self, id: MatchId, head: LuckNumber, number: Option<LuckNumber>) {
        self.first_numbers.add(id, head, number);
        self.seat_has_changed(id);
    }

    /// Reads what is stored of a match, with the rules that it was played under.
    fn read_stored(&self, stored: &boardwright_store::StoredMatch) -> Result<(StoredMatch, BTreeMap<Fingerprint, Sources>), LobbyError> {
        let head = unpacked(&stored.head)?;
        let read = StoredMatch::read(&head, stored.head_number, &stored.entries).map_err(|found| LobbyError::Broken(found.to_string()))?;
        let mut rules = BTreeMap::new();
        let mut room = MOST_UNPACKED;
        for fingerprint in read.fingerprints() {
            if let Some(sources) = self.store.rules(&fingerprint.0)? {
                rules.insert(fingerprint, unpack_sources(&sources, &mut room).map_err(LobbyError::Broken)?);
            }
        }
        Ok((read, rules))
    }

    /// Makes a session of a match that is stored.
    fn read(&self, id: MatchId) -> Result<SessionSetup, LobbyError> {
        let stored = self.store.load(id)?;
        let settings = settings_of(&stored.row);
        let (read, rules) = self.read_stored(&stored)?;
        let luck = self.luck_of(id, &stored.row, &stored.holders, !read.journal().events().is_empty());
        let remaining = read.clocks().map(<[u64]>::to_vec);
        let writer = self.writers.open(id, Arc::downgrade(&self.store));
        let store = Box::new(move |change| writer.write(change));
        let rules_store = Arc::downgrade(&self.store);
        let store_rules = Box::new(move |fingerprint: Fingerprint, sources: &Sources| {
            let packed = pack_sources(sources).ok_or("they cannot be packed")?;
            let store = rules_store.upgrade().ok_or("the server is about to stop")?;
            store.put_rules(&fingerprint.0, &packed).map_err(|error| error.to_string())
        });
        let mut session = read.session(&self.catalog(), rules, &self.players, &self.compiled, store, store_rules)?;
        (session.setup.luck, session.setup.keeps_luck_verifiable) = (luck, true);
        session.setup.clocks = settings.clock.map(|control| ClockSetup {
            control,
            remaining,
            plays_on: settings.out_of_time == OutOfTime::PlayedOn,
        });
        session.setup.grace = settings.substitute_after.map(Duration::from_secs);
        if let Some(FakeTime(time)) = &self.options.time {
            session.setup.time = Arc::clone(time);
        }
        let holders = self.store.holders(id)?;
        let name_of = |seat: usize| {
            holders
                .iter()
                .find(|holder| usize::from(holder.seat) == seat)
                .map(|holder| holder.name.clone())
        };
        session.setup.names = (0..settings.seats.len()).map(name_of).collect();
        session.setup.tell = self.options.webhook.clone().map(|webhook| teller(id, webhook, settings));
        if let Some((fingerprint, sources)) = session.new_rules {
            self.put_rules(fingerprint, &sources)?;
        }
        let chat = self.store.chat(id)?;
        let chat_store = Arc::downgrade(&self.store);
        Ok(SessionSetup {
            span: tracing::info_span!("match", match_id = %id),
            // What a later version has written is left out.
            chat: chat.iter().filter_map(|entry| serde_json::from_slice(entry).ok()).collect(),
            chat_pace: Some(MOST_SAID),
            keep_chat: Some(Box::new(move |entry| keep_chat(chat_store.upgrade().as_ref(), id, entry))),
            ..session.setup
        })
    }

    /// The sources of rules of a match, packed.
    pub(super) fn packed_rules(&self, fingerprint: Fingerprint) -> Result<Option<Vec<u8>>, LobbyError> {
        Ok(self.store.rules(&fingerprint.0)?)
    }

    /// Opens all matches that are played with clocks: their time runs whether somebody is there or not.
    ///
    /// # Errors
    /// If the store fails. A match that cannot be opened is left out.
    pub async fn open_timed(self: &Arc<Self>) -> Result<usize, LobbyError> {
        let lobby = Arc::clone(self);
        let listed = spawn_blocking(move || {
            let mut rows = lobby.store.list(Status::Playing, false, MOST_TIMED)?;
            rows.retain(|(row, _)| settings_of(row).clock.is_some());
            // One whose players are still to give the first numbers of their luck begins when they have.
            let is_complete = |missing: Option<MissingNumbers>| missing.is_none_or(|(_, missing)| missing.is_empty());
            rows.retain(|(row, _)| lobby.missing_numbers(row.id).is_ok_and(is_complete));
            Ok::<_, StoreError>(rows)
        });
        let rows = listed.await.map_err(|error| LobbyError::Broken(error.to_string()))??;
        let mut count = 0;
        for (row, _) in &rows {
            match self.open(row.id).await {
                Ok(_) => count += 1,
                Err(LobbyError::Elsewhere(_)) => {}
                Err(error) => tracing::error!(match_id = %row.id, "its clocks do not run: {error}"),
            }
        }
        Ok(count)
    }

    /// Opens a match if it is played with clocks.
    pub(super) async fn open_if_timed(self: &Arc<Self>, id: MatchId) {
        let lobby = Arc::clone(self);
        // One whose players are still to give the first numbers of their luck begins when they have.
        let row = spawn_blocking(move || Ok((lobby.store.row(id)?, lobby.missing_numbers(id)?))).await;
        let begins = |(row, missing): &(MatchRow, Option<MissingNumbers>)| {
            let is_complete = missing.as_ref().is_none_or(|(_, missing)| missing.is_empty());
            row.status == Status::Playing && settings_of(row).clock.is_some() && is_complete
        };
        if row.is_ok_and(|row: Result<_, LobbyError>| row.is_ok_and(|row| begins(&row)))
            && let Err(error) = self.open(id).await
            && !matches!(error, LobbyError::Elsewhere(_))
        {
            tracing::error!(match_id = %id, "its clocks do not run: {error}");
        }
    }

    fn put_rules(&self, fingerprint: Fingerprint, sources: &Sources) -> Result<(), LobbyError> {
        let packed = pack_sources(sources).ok_or_else(|| LobbyError::Broken("its rules cannot be packed".to_owned()))?;
        Ok(self.store.put_rules(&fingerprint.0, &packed)?)
    }

    /// Closes all matches; none is opened any more. Blocks until everything that happened in them is stored, but no longer than `most`. How many matches
    /// have lost something that could not be stored: nobody was told of it.
    pub fn close(&self, most: Duration) -> usize {
        self.writers.give_up_at(Instant::now() + most);
        self.pool.stop();
        let lost = self.writers.close();
        if let Some(cluster) = self.cluster() {
            cluster.leave();
        }
        lost
    }

    /// The clients of matches that are connected.
    pub fn clients(&self) -> Vec<ConnectedClient> {
        self.client_list.filter(|_| true)
    }

    /// Those of one match.
    pub fn clients_of(&self, id: MatchId) -> Vec<ConnectedClient> {
        self.client_list.filter(|client| client.id == id)
    }

    /// Tells the clients of a match, or of all matches, something.
    pub fn announce(&self, id: Option<MatchId>, text: &str) {
        self.order(Order::Announce(id, text.into()));
        self.tell_nodes(&Told::Announce(id.map(|id| id.to_string()), text.to_owned()));
    }

    /// Ends the connections of clients; how many there are. Of a name there are none: whoever holds a seat keeps it.
    pub fn disconnect(&self, banned: &Banned, reason: &str) -> usize {
        let Banned::Addresses(range) = banned else { return 0 };
        let found = self.client_list.filter(|client| range.contains(&client.address));
        self.order(Order::Disconnect(*range, reason.into()));
        self.tell_nodes(&Told::Disconnect(*range, reason.to_owned()));
        found.len()
    }

    /// Bans somebody, and ends the connections of who is banned; how many there were. Blocks.
    ///
    /// # Errors
    /// If it cannot be written; then nobody is banned.
    pub fn ban(&self, banned: &Banned, reason: &str) -> std::io::Result<usize> {
        self.moderation.ban(banned, reason)?;
        self.tell_nodes(&Told::Moderation);
        Ok(self.disconnect(banned, &banned_text(reason)))
    }

    /// Lifts a ban; whether there was one. Blocks.
    ///
    /// # Errors
    /// If it cannot be written; then nothing has changed.
    pub fn unban(&self, banned: &Banned) -> std::io::Result<bool> {
        let was = self.moderation.unban(banned)?;
        self.tell_nodes(&Told::Moderation);
        Ok(was)
    }

    pub(super) fn order(&self, order: Order) {
        // Nobody may be connected.
        drop(self.orders.send(order));
    }

    /// What operators want of connections from now on.
    pub(super) fn orders(&self) -> broadcast::Receiver<Order> {
        self.orders.subscribe()
    }

    /// Pauses a match, or lets it go on; whether that is a change.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub async fn pause(self: &Arc<Self>, id: MatchId, is_paused: bool) -> Result<bool, LobbyError> {
        let lobby = Arc::clone(self);
        let changed = spawn_blocking(move || lobby.moderation.pause(id, is_paused)).await;
        let changed = changed.map_err(|error| LobbyError::Broken(error.to_string()))?;
        let changed = changed.map_err(|error| LobbyError::Wrong(format!("it cannot be written down: {error}")))?;
        self.halt_if_open(id, is_paused).await;
        self.tell_nodes(&Told::Moderation);
        Ok(changed)
    }

    /// Halts a match if it runs here, or lets it go on.
    pub(super) async fn halt_if_open(&self, id: MatchId, is_paused: bool) {
        if let Some(slot) = self.open.find(id)
            && let Some(handle) = slot.lock().await.as_ref()
        {
            handle.halt(is_paused);
        }
    }

    /// Asks a match something that only its host may, for operators. The match is opened for that.
    ///
    /// # Errors
    /// If it cannot be opened, or does not answer.
    pub async fn ask(self: &Arc<Self>, id: MatchId, command: Command) -> Result<Reply, LobbyError> {
        for _ in 0..MOST_ASKED {
            let handle = self.open(id).await?;
            let (answered, mut answers) = tokio::sync::mpsc::unbounded_channel();
            let deliver = Box::new(move |message| match message {
                FromHost::Answer(answer) => answered.send(answer.reply).is_ok(),
                FromHost::Notice(_) => true,
            });
            let joined = handle.join(Claim::Spectator, true, deliver);
            let request = Request {
                id: 1,
                command: command.clone(),
            };
            if joined.request(request)
                && let Some(reply) = answers.recv().await
            {
                return Ok(reply);
            }
            drop(joined);
            // It was about to end.
            self.wait_for_end(handle).await;
        }
        Err(LobbyError::Broken("it ends again and again".to_owned()))
    }

    /// Writes a match as a save, with everything that is hidden in it. Blocks.
    ///
    /// # Errors
    /// If it has not begun, or cannot be read or written.
    pub fn export(&self, id: MatchId, file: &Path) -> Result<(), LobbyError> {
        let save = self.save_of(id)?;
        if let Some(folder) = file.parent() {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| LobbyError::Wrong(format!("{}: {error}", folder.display())))?;
        }
        if file.is_file() && !Save::is_save(file) {
            return Err(LobbyError::Wrong(format!(
                "{} is there and is no saved match: name another file",
                file.display()
            )));
        }
        save.write(file, BACKUPS)
            .map_err(|error| LobbyError::Wrong(format!("{error}: {}", error.help())))?;
        tracing::info!(match_id = %id, "a match was saved to {}", file.display());
        Ok(())
    }

    /// A match as a save. Blocks.
    ///
    /// # Errors
    /// If it has not begun, or cannot be read.
    fn save_of(&self, id: MatchId) -> Result<Save, LobbyError> {
        let (read, rules) = self.stored(id)?;
        if read.journal().events().is_empty() {
            return Err(LobbyError::Wrong("this match has not begun: there is nothing to save".to_owned()));
        }
        let left = read.clocks().map(<[u64]>::to_vec).unwrap_or_default();
        let settings = settings_of(&self.store.row(id)?);
        let mut save = read.with_rules(rules);
        save.clock = settings.clock.map(|control| SavedClock {
            control,
            plays_on: settings.out_of_time == OutOfTime::PlayedOn,
            left,
        });
        Ok(save)
    }

    /// A match that has ended, as the text of a save, for everyone who may watch it. Blocks.
    ///
    /// # Errors
    /// If it has not ended, or the password is wrong.
    pub fn ended_save(&self, id: MatchId, password: Option<&str>) -> Result<String, LobbyError> {
        self.check_password(id, password)?;
        if self.store.row(id)?.status != Status::Ended {
            return Err(LobbyError::Taken(
                "the match has not ended: it can be saved from then on".to_owned(),
            ));
        }
        Ok(self.save_of(id)?.print())
    }

    /// Makes a match of a save. Its people have free seats, and it goes on when all of them are taken. Blocks.
    ///
    /// # Errors
    /// If the file is no save, cannot be played again, or has players that a server does not run.
    pub fn import(&self, file: &Path, name: Option<&str>) -> Result<MatchSummary, LobbyError> {
        let wrong = |why: String| LobbyError::Wrong(format!("{} is not loaded: {why}", file.display()));
        let name = name.map(checked_name).transpose()?;
        let saved = SavedMatch::open(file).map_err(|found| wrong(found.to_string()))?;
        saved.verify().map_err(wrong)?;
        let seats = served_seats(&saved).map_err(|error| wrong(error.to_string()))?;
        let policy = match saved.save.policy {
            Policy::RATED => MatchPolicy::Rated,
            Policy::CASUAL => MatchPolicy::Casual,
            _ => MatchPolicy::Supervised,
        };
        let has_ended = saved.has_ended();
        let mut save = saved.save;
        if save
            .clock
            .as_ref()
            .is_some_and(|clock| !clock.left.is_empty() && clock.left.len() != seats.len())
        {
            return Err(wrong("its `<clock>` tells of other seats than it has".to_owned()));
        }
        for (fingerprint, sources) in std::mem::take(&mut save.rules) {
            self.put_rules(fingerprint, &sources)?;
        }
        save.policy = policy.policy();
        let has_people = seats.iter().any(|(_, computer)| computer.is_none());
        let settings = Settings {
            seats,
            policy,
            clock: save.clock.as_ref().map(|clock| clock.control),
            out_of_time: match &save.clock {
                Some(clock) if clock.plays_on => OutOfTime::PlayedOn,
                _ => OutOfTime::default(),
            },
            substitute_after: self.options.substitute_after,
            ..Settings::default()
        };
        let mut row = MatchRow {
            id: MatchId::new(rand::random()),
            name: name.clone().unwrap_or_else(|| save.title.clone()),
            ruleset: save.ruleset.clone(),
            scenario: save.scenario.id.clone(),
            status: match (has_ended, has_people) {
                (true, _) => Status::Ended,
                (false, true) => Status::Waiting,
                (false, false) => Status::Playing,
            },
            is_listed: true,
            created: now(),
            changed: now(),
            settings: serde_json::to_vec(&settings).map_err(|error| LobbyError::Broken(error.to_string()))?,
        };
        self.create_row(&mut row, &packed(&save.print())?, name.is_some())?;
        tracing::info!(match_id = %row.id, ruleset = row.ruleset, "a match was loaded from {}", file.display());
        Ok(summary(&row, &[]))
    }

    /// Stores a new match. One without a name of its own, called like its scenario, is told from others by its id.
    fn create_row(&self, row: &mut MatchRow, head: &[u8], has_name: bool) -> Result<(), LobbyError> {
        match self.store.create(row, head) {
            Err(StoreError::NameTaken(_)) if !has_name => {
                row.name = format!("{} {}", row.name, row.id);
                self.store.create(row, head)?;
            }
            created => created?,
        }
        self.metrics.matches_created.inc();
        Ok(())
    }

    /// How many matches run.
    pub(super) fn running(&self) -> usize {
        self.pool.matches()
    }

    /// What is wrong with the store: it cannot be read or written, or changes wait for it. Blocks.
    pub(super) fn ailment(&self) -> Option<String> {
        if let Err(error) = self.store.counts().and_then(|_| self.store.check()) {
            return Some(error.to_string());
        }
        self.writers.is_behind().then(|| "changes of matches wait to be stored".to_owned())
    }
}

impl Drop for Lobby {
    fn drop(&mut self) {
        self.close(MOST_CLOSING);
    }
}

/// Tells the webhook of people who are not there.
fn teller(id: MatchId, webhook: Webhook, settings: Settings) -> TellSeat {
    Box::new(move |seat, name, news| {
        // A seat that nobody holds has nobody to tell.
        if let (Some(name), Some((title, _))) = (name, settings.seats.get(seat.index())) {
            webhook.send(WebhookMessage {
                match_id: id.to_string(),
                seat: title.clone(),
                name: name.to_owned(),
                event: match news {
                    SeatNews::YourTurn => "your-turn",
                    SeatNews::Ended => "ended",
                },
            });
        }
    })
}

/// What the server commits to its own first number with, and the heads of the chains of which the first number is still to come.
type MissingNumbers = (LuckNumber, Vec<(SeatId, LuckNumber)>);

/// The heads that the holders of seats have committed to.
fn heads_of(seats: usize, holders: &[Holder]) -> Vec<Option<LuckNumber>> {
    let mut heads = vec![None; seats];
    for holder in holders {
        if let Some(head) = heads.get_mut(usize::from(holder.seat)) {
            *head = holder.commitment.map(LuckNumber);
        }
    }
    heads
}

fn checked_name(name: &str) -> Result<String, LobbyError> {
    boardwright_store::checked_name(name).map_err(|wrong| LobbyError::Wrong(wrong.to_string()))
}

/// Keeps something that happened in the chat of a match.
fn keep_chat(store: Option<&Arc<dyn Store>>, id: MatchId, entry: &ChatEntry) {
    match (store, serde_json::to_vec(entry)) {
        (Some(store), Ok(entry)) => store.add_chat(id, entry),
        (Some(_), Err(error)) => tracing::error!(match_id = %id, "what was said cannot be written: {error}"),
        (None, _) => {}
    }
}

fn settings_of(row: &MatchRow) -> Settings {
    serde_json::from_slice(&row.settings).unwrap_or_else(|error| {
        tracing::error!(match_id = %row.id, "its settings cannot be read: {error}");
        Settings::default()
    })
}

fn summary(row: &MatchRow, holders: &[Holder]) -> MatchSummary {
    let holder = |seat: usize| holders.iter().find(|holder| usize::from(holder.seat) == seat);
    let settings = settings_of(row);
    let seats = settings.seats.into_iter().enumerate();
    MatchSummary {
        policy: settings.policy,
        has_password: settings.password.is_some(),
        clock: settings.clock,
        luck: settings.luck,
        id: row.id.to_string(),
        name: row.name.clone(),
        ruleset: row.ruleset.clone(),
        scenario: row.scenario.clone(),
        status: status_name(row.status).to_owned(),
        seats: seats
            .map(|(index, (name, computer))| SeatSummary {
                name,
                player: match (computer, holder(index)) {
                    (Some(computer), _) => SeatState::Computer(computer),
                    (None, Some(holder)) => SeatState::Held(holder.name.clone()),
                    (None, None) => SeatState::Free,
                },
            })
            .collect(),
        created: row.created,
        changed: row.changed,
    }
}

/// How far a match is, in one word.
pub(super) const fn status_name(status: Status) -> &'static str {
    match status {
        Status::Waiting => "waiting",
        Status::Playing => "playing",
        Status::Ended => "ended",
    }
}

impl MatchSummary {
    /// The names of its seats, in order.
    pub(super) fn seat_names(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.name.clone()).collect()
    }
}

fn packed(text: &str) -> Result<Vec<u8>, LobbyError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.map_err(|error| LobbyError::Broken(error.to_string()))
}

fn unpacked(bytes: &[u8]) -> Result<String, LobbyError> {
    let mut text = String::new();
    let mut decoder = GzDecoder::new(bytes).take(MOST_SAVE_BYTES as u64);
    let read = decoder.read_to_string(&mut text);
    read.map_err(|error| LobbyError::Broken(error.to_string()))?;
    Ok(text)
}
