//! Matches of a store: as bytes that a server keeps, a head and an entry for each change, and back to a session.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::reload::reload;
use crate::saves::{SavedMatch, SourceArchive, players_of, sources_of};
use crate::{BeginError, CompiledRules, Prepared, any_seed, info, players};
use boardwright_client::MatchChoice;
use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{Catalog, LogEntry, Save, Version};
use boardwright_host::Journal;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Fingerprint, Scenario, Seed, Sentence, State, sentence};
use boardwright_players::PlayerSpec;
use boardwright_rules::{Generator, RulesSource};
use boardwright_ruleset::Sources;
use boardwright_server::{Autosave, MatchInfo, Receipt, ReloadRules, ServedPlayers, SessionSetup};

/// What diagnostics call the head of a stored match.
const HEAD: &str = "the stored match";

/// A change of a match that is to be stored.
#[derive(Debug)]
pub struct StoredChange {
    /// Its number.
    pub number: u64,
    /// The change.
    pub entry: Vec<u8>,
    /// Whether the match has ended with it.
    pub has_ended: bool,
    /// Dropped when the change is on disk.
    pub receipt: Receipt,
}

/// Stores a change.
pub type StoreChange = Box<dyn FnMut(StoredChange) + Send>;

/// Stores the sources of rules that may come into force, or says why it cannot. It may block.
pub type StoreRules = Box<dyn FnMut(Fingerprint, &Sources) -> Result<(), String> + Send>;

/// The head of a match that has not begun: what was chosen, with the seed of its luck.
pub fn head_of(prepared: &Prepared, choice: &MatchChoice) -> String {
    let opened = &prepared.opened;
    let declarations = prepared.start.declarations();
    let options = declarations.options.iter().zip(prepared.start.options().iter());
    let mut scenario = opened.scenario.scenario.clone();
    scenario.setup.options = options
        .map(|(option, value)| (option.name.to_string(), value.to_string()))
        .collect();
    let seats = declarations.seats.iter().zip(&prepared.players);
    let save = Save {
        ruleset: opened.ruleset.id.clone(),
        title: scenario.title.clone(),
        program: Version::of_program(),
        saved: None,
        map: opened.map.map.clone(),
        scenario,
        players: seats.map(|(seat, player)| (seat.name.to_string(), player.to_string())).collect(),
        policy: choice.policy.unwrap_or_else(|| prepared.policy()),
        generator: Generator::NAME.to_owned(),
        seed: choice.seed.unwrap_or_else(any_seed),
        journal: Journal::default(),
        clock: None,
        logged: None,
        rules: BTreeMap::new(),
    };
    save.print()
}

/// A stored match, read and ready to run.
pub struct StoredMatch {
    save: Save,
    /// The number of its newest entry.
    number: u64,
    clocks: Option<Vec<u64>>,
}

impl std::fmt::Debug for StoredMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StoredMatch({}, entry {})", self.save.title, self.number)
    }
}

impl StoredMatch {
    /// Reads the head and the entries behind it, of which the first has the number after `head_number`.
    ///
    /// # Errors
    /// What is wrong with the head, or which entry cannot be read.
    pub fn read(head: &str, head_number: u64, entries: &[Vec<u8>]) -> Result<Self, Diagnostics> {
        let mut save = Save::read(&Source::new(HEAD.to_owned(), head))?;
        let mut number = head_number;
        let mut clocks = save.clock.as_ref().map(|clock| clock.left.clone()).filter(|left| !left.is_empty());
        for entry in entries {
            number += 1;
            let entry: LogEntry =
                serde_json::from_slice(entry).map_err(|error| wrong(sentence!("entry {number} cannot be read: {error}")))?;
            if entry.number != number {
                return Err(wrong(sentence!(
                    "entry {number} says that it is entry {found}",
                    found = entry.number
                )));
            }
            clocks = entry.clocks.clone().or(clocks);
            save.apply(entry);
        }
        Ok(Self { save, number, clocks })
    }

    /// The rules that it was played under so far; none before it has begun.
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        self.save.journal.fingerprints().into_iter().collect()
    }

    /// What each seat has left on its clock, in milliseconds, where there are clocks.
    pub fn clocks(&self) -> Option<&[u64]> {
        self.clocks.as_deref()
    }

    /// The seed of its luck.
    pub fn seed(&self) -> Seed {
        self.save.seed
    }

    /// What happened, and how much of it stands.
    pub fn journal(&self) -> &Journal {
        &self.save.journal
    }

    /// The whole match as a file.
    pub fn with_rules(mut self, rules: BTreeMap<Fingerprint, Sources>) -> Save {
        self.save.rules = rules;
        self.save
    }

    /// A session of the match. It is played with `rules`, those that [`fingerprints`](Self::fingerprints) names; one that has not begun is played
    /// with the rules that the catalog has now. `served` makes its computer players, and `compiled` has the rules of other matches. `store` is given each change; players are told of it when its
    /// receipt is dropped. Where the policy of the match allows it, its rules may be read again from the catalog; `store_rules` is given them before they come
    /// into force.
    ///
    /// # Errors
    /// If rules are missing or broken, the journal does not fit, or a player is a program: whoever wrote the match, none is started here.
    pub fn session(
        self,
        catalog: &Catalog,
        rules: BTreeMap<Fingerprint, Sources>,
        served: &ServedPlayers,
        compiled: &CompiledRules,
        store: StoreChange,
        store_rules: StoreRules,
    ) -> Result<StoredSession, BeginError> {
        let number = self.number;
        if self.save.journal.events().is_empty() {
            return self.begin(catalog, served, compiled, store, store_rules);
        }
        let known = self.save.journal.clone();
        let players = self.save.players.clone();
        check_served(&players)?;
        let saved = SavedMatch::with(self.with_rules(rules), HEAD, compiled)?;
        let SavedMatch {
            save,
            start,
            source,
            sources,
        } = saved;
        let title = catalog.ruleset(&save.ruleset).map_or(save.ruleset.as_str(), |entry| entry.title());
        let info = info(&save.ruleset, title, &save.scenario, &save.map, compiled.ruleset_info(&source));
        let reload = save
            .policy
            .reload
            .then(|| reader(catalog, &info, &save.scenario, &start, save.rules, store_rules));
        let used = sources.iter().map(|source| source.fingerprint()).collect();
        let setup = SessionSetup {
            players: crate::players::of_save(start.declarations(), &save.players)?,
            journal: Some(save.journal),
            earlier: sources,
            policy: save.policy,
            autosave: Some(keeper(known, players, number, store)),
            reload,
            most_held: None,
            make_player: served.maker(),
            ..SessionSetup::new(Arc::clone(&source) as Arc<dyn RulesSource>, start, info, save.seed)
        };
        Ok(StoredSession {
            setup,
            new_rules: None,
            used,
        })
    }

    fn begin(
        self,
        catalog: &Catalog,
        served: &ServedPlayers,
        compiled: &CompiledRules,
        store: StoreChange,
        store_rules: StoreRules,
    ) -> Result<StoredSession, BeginError> {
        let save = self.save;
        let choice = MatchChoice {
            ruleset: save.ruleset.clone(),
            scenario: Some(save.scenario.id.clone()),
            players: save.players.clone(),
            options: save.scenario.setup.options.clone(),
            seed: Some(save.seed),
            policy: Some(save.policy),
            ..MatchChoice::default()
        };
        let prepared = crate::prepare_served(catalog, &choice, compiled)?;
        let info = prepared.info_with(compiled.ruleset_info(&prepared.source));
        let fingerprint = RulesSource::fingerprint(&*prepared.source);
        let sources = prepared.opened.sources;
        let reload = save.policy.reload.then(|| {
            let rules = BTreeMap::from([(fingerprint, sources.clone())]);
            let scenario = &prepared.opened.scenario.scenario;
            reader(catalog, &info, scenario, &prepared.start, rules, store_rules)
        });
        let setup = SessionSetup {
            reload,
            players: prepared.players,
            policy: save.policy,
            autosave: Some(keeper(Journal::default(), save.players, self.number, store)),
            most_held: None,
            make_player: served.maker(),
            ..SessionSetup::new(
                Arc::clone(&prepared.source) as Arc<dyn RulesSource>,
                prepared.start,
                info,
                save.seed,
            )
        };
        Ok(StoredSession {
            setup,
            new_rules: Some((fingerprint, sources)),
            used: vec![fingerprint],
        })
    }
}

/// What a session of a stored match begins with.
pub struct StoredSession {
    /// For the session.
    pub setup: SessionSetup,
    /// The rules that it begins with, if it has not begun before: they are to be stored before the session begins.
    pub new_rules: Option<(Fingerprint, Sources)>,
    /// The rules that it is played with.
    pub used: Vec<Fingerprint>,
}

/// Reads the rules of a match again. They are stored before they come into force: the match could not be opened again without them.
fn reader(
    catalog: &Catalog,
    info: &MatchInfo,
    scenario: &Scenario,
    begun: &State,
    rules: BTreeMap<Fingerprint, Sources>,
    mut store: StoreRules,
) -> ReloadRules {
    let archive: SourceArchive = Arc::new(Mutex::new(rules));
    let mut read = reload(catalog.clone(), info.clone(), scenario.clone(), begun, Arc::clone(&archive));
    Box::new(move |in_force| {
        let found = read(in_force)?;
        let fingerprint = found.0.source.fingerprint();
        if let Some(sources) = sources_of(&archive, &fingerprint) {
            store(fingerprint, &sources)
                .map_err(|why| vec![Diagnostic::error(Code::Document, format!("the rules cannot be stored: {why}"))])?;
        }
        Ok(found)
    })
}

/// The seats of a saved match by name, each with the computer player that plays it or none for a person, for a server that goes on with it.
///
/// # Errors
/// If a player is a program: a server starts none.
pub fn served_seats(saved: &SavedMatch) -> Result<Vec<(String, Option<String>)>, BeginError> {
    check_served(&saved.save.players)?;
    let declarations = saved.start.declarations();
    let players = crate::players::of_save(declarations, &saved.save.players)?;
    let seats = declarations.seats.iter().zip(players);
    Ok(seats
        .map(|(seat, player)| (seat.name.to_string(), (!player.is_human()).then(|| player.to_string())))
        .collect())
}

fn check_served(players: &[(String, String)]) -> Result<(), BeginError> {
    // What is no player is told when the players are read.
    let read: Vec<PlayerSpec> = players.iter().filter_map(|(_, player)| player.parse().ok()).collect();
    players::check_served(&read)
}

fn wrong(message: Sentence) -> Diagnostics {
    Diagnostic::error(Code::Document, message).at(Location::file(HEAD)).into()
}

/// Makes an entry of each change.
fn keeper(mut known: Journal, mut players: Vec<(String, String)>, mut number: u64, mut store: StoreChange) -> Autosave {
    Box::new(move |record, receipt| {
        let journal = record.playing.journal();
        number += 1;
        let mut entry = LogEntry::between(number, &known, journal);
        let now = players_of(record);
        if now != players {
            entry.players = Some(now.clone());
            players = now;
        }
        known = journal.clone();
        entry.clocks.clone_from(&record.clocks);
        match serde_json::to_vec(&entry) {
            Ok(entry) => {
                store(StoredChange {
                    number,
                    entry,
                    has_ended: record.playing.state().outcome().is_some(),
                    receipt,
                });
                None
            }
            Err(error) => Some(sentence!("the match cannot be stored: {error}")),
        }
    })
}
