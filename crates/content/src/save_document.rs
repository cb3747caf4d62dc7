//! Saved matches: everything needed to go on, to step back to the beginning, and to prove what happened.
//!
//! A save holds its map, its scenario and the sources of every rules its journal was made with, so it opens anywhere and
//! after any change of the ruleset. A checksum tells damage and changes by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use boardwright_host::{Event, Journal, Variation};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Effect, Fingerprint, Map, Policy, Scenario, Seed, TimeControl, UndoPolicy, sentence};
use boardwright_ruleset::Sources;

use super::checksum::{self, CHECKSUM, PLACEHOLDER};
use super::manifest::VERSION;
use super::properties::{PLAYERS, Seen};
use super::write_file::{BACKUPS, WriteError, backup_path, write_atomic};
use super::xml::{self, Document, FLAG, Fields, Format, Notation, Number, Source, Text, Words};
use super::{MapDocument, ScenarioDocument, Version, packed_sources};

/// The ending of saved matches.
pub const SAVE_ENDING: &str = ".save.xml";
/// The most bytes a save may have. Journals of long matches take more room than anything a person writes.
pub const MOST_SAVE_BYTES: usize = 64 << 20;
/// What to do about a save that is damaged, if it was ever written over.
const EARLIER_VERSION: &str = "open an earlier version: it lies beside the file and ends in .1~, .2~ or .3~";
const UNDO: Words<UndoPolicy> = Words(&[
    ("free", UndoPolicy::Free),
    ("own-turn", UndoPolicy::OwnTurn),
    ("never", UndoPolicy::Never),
]);
const OUT_OF_TIME: Words<bool> = Words(&[("forfeits", false), ("played-on", true)]);
const TIME_CONTROL: Notation<Option<TimeControl>> = Notation {
    expected: "a time control such as `10m`, `5m+3s` or `3d/turn`",
    parse: |text| text.parse().ok().map(Some),
    print: |control| control.map_or_else(String::new, |control| control.to_string()),
};
const ENCODING: Words<()> = Words(&[("json+gzip+base64", ())]);
const WHOLE_NUMBER: Notation<u64> = Notation {
    expected: "a whole number",
    parse: |text| text.parse().ok(),
    print: u64::to_string,
};
const SEED: Notation<Seed> = Notation {
    expected: "a whole number or 64 hexadecimal digits",
    parse: |text| text.parse().ok(),
    print: Seed::to_string,
};
const DIGEST: Notation<u64> = Notation {
    expected: "16 hexadecimal digits",
    parse: |text| (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok())?,
    print: |digest| format!("{digest:016x}"),
};
const FINGERPRINT: Notation<Fingerprint> = Notation {
    expected: "64 hexadecimal digits",
    parse: Fingerprint::parse,
    print: Fingerprint::to_string,
};

/// A match as it is kept in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Save {
    /// The ruleset it is played with: that of the scenario, or a mod laid over it.
    pub ruleset: String,
    /// What people call it.
    pub title: String,
    /// The version of the program that wrote it.
    pub program: Version,
    /// When it was written, as its writer put it.
    pub saved: Option<String>,
    /// The map.
    pub map: Map,
    /// The scenario with the options in force and the text of its overlay.
    pub scenario: Scenario,
    /// Who sits where: the name of the seat and a player such as `human` or `search:5`.
    pub players: Vec<(String, String)>,
    /// What is allowed beside the rules.
    pub policy: Policy,
    /// The name of the generator of luck.
    pub generator: String,
    /// Its seed.
    pub seed: Seed,
    /// What happened, and how much of it stands.
    pub journal: Journal,
    /// The clocks, if it is played with some.
    pub clock: Option<SavedClock>,
    /// The number of the newest entry of its log that is in it, if it is an autosave; see [`MatchLog`](super::MatchLog).
    pub logged: Option<u64>,
    /// The sources of the rules in force during the match, by fingerprint.
    pub rules: BTreeMap<Fingerprint, Sources>,
}

/// The clocks of a match as they stand in a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedClock {
    /// How much time seats have.
    pub control: TimeControl,
    /// Whether a computer player plays on for a seat whose time has run out; else it forfeits.
    pub plays_on: bool,
    /// What each seat has left, in milliseconds; empty before the match has begun.
    pub left: Vec<u64>,
}

impl Save {
    /// Reads the file of a save. `name` is how diagnostics call it.
    ///
    /// # Errors
    /// A file that cannot be read, and everything that [`Save::read`] tells.
    pub fn open(path: &Path, name: &str) -> Result<Self, Diagnostics> {
        let source = Source::open_up_to(path, name, MOST_SAVE_BYTES)?;
        let has_earlier = (1..=BACKUPS).any(|number| backup_path(path, number).is_file());
        check_intact(&source, has_earlier)?;
        xml::read(&source)
    }

    /// Whether it is of a rated match that goes on: it may be resumed, and nothing in it may be shown, since it holds what players must not know.
    pub fn is_sealed(&self) -> bool {
        let ends = |effect: &Effect| matches!(effect, Effect::End(_));
        let has_ended = self.journal.applied().last().is_some_and(|event| event.effects.iter().any(ends));
        self.policy.is_rated() && !has_ended
    }

    /// Writes the file, if it can be read again by [`open`](Self::open). `backups` is how many earlier versions are kept.
    ///
    /// # Errors
    /// As [`write_document`](super::write_document), and if the match has become too large for a save.
    pub fn write(&self, path: &Path, backups: usize) -> Result<(), WriteError> {
        let mut save = self.clone();
        let used = self.journal.fingerprints();
        save.rules.retain(|fingerprint, _| used.contains(fingerprint));
        let text = save.print();
        if text.len() > MOST_SAVE_BYTES {
            return Err(WriteError::TooLarge {
                path: path.to_path_buf(),
                bytes: text.len(),
                most: MOST_SAVE_BYTES,
            });
        }
        let source = Source::new(path.display().to_string(), &text);
        match Self::read(&source) {
            Ok(read) if read == save => write_atomic(path, text.as_bytes(), backups),
            read => Err(WriteError::Unreadable(path.to_path_buf(), read.err().unwrap_or_default())),
        }
    }

    /// Whether a file is a save, or begins like one: what is written over is kept as its backup.
    pub fn is_save(path: &Path) -> bool {
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(1_024).read_to_end(&mut start));
        read.is_ok() && String::from_utf8_lossy(&start).contains("<save ")
    }
}

impl Document for Save {
    const NAME: &'static str = "save";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        let spot = fields.required(CHECKSUM, &Text::Name, &mut PLACEHOLDER.to_owned());
        if fields.is_whole() && !checksum::is_there(fields.source().text()) {
            let message = "the checksum is not one: expected 64 hexadecimal digits near the beginning of the file";
            fields.error(spot, Code::BadValue, message);
        }
        fields.required("ruleset", &Text::Id, &mut self.ruleset);
        fields.required("title", &Text::Any, &mut self.title);
        fields.required("program", &VERSION, &mut self.program);
        fields.optional("saved", &Text::Name, &mut self.saved);
        fields.optional("logged", &WHOLE_NUMBER, &mut self.logged);
        let mut map = MapDocument::from(self.map.clone());
        fields.child("map", &mut map, |fields, map| map.describe(fields));
        self.map = map.map;
        let mut scenario = ScenarioDocument::from(self.scenario.clone());
        fields.child("scenario", &mut scenario, |fields, scenario| scenario.describe(fields));
        self.scenario = scenario.scenario;
        let mut overlay = self.scenario.overlay.as_ref().map(|(_, text)| text.clone());
        fields.optional_child("overlay_text", &mut overlay, |fields, text| {
            fields.optional_text(text);
        });
        match (&mut self.scenario.overlay, overlay) {
            (Some((_, text)), Some(overlay)) => *text = overlay,
            (Some(_), None) => fields.error(fields.spot(), Code::MissingValue, "`<save>` lacks `<overlay_text>`"),
            (None, _) => {}
        }
        PLAYERS.describe(fields, &mut self.players);
        fields.child("policy", &mut self.policy, |fields, policy| {
            fields.required("undo", &UNDO, &mut policy.undo);
            fields.required("debug", &FLAG, &mut policy.debug);
            fields.required("reload", &FLAG, &mut policy.reload);
        });
        fields.child("generator", &mut self.generator, |fields, generator| {
            fields.required("name", &Text::Name, generator);
            fields.required("seed", &SEED, &mut self.seed);
        });
        describe_clock(fields, &mut self.clock);
        fields.child("journal", &mut self.journal, describe_journal);
        describe_rules(fields, &mut self.rules, &self.journal.fingerprints());
    }

    /// Reads a save. Damage or changes by hand are told by the checksum alone, for nothing in such a file can be trusted.
    fn read(source: &Source) -> Result<Self, Diagnostics> {
        check_intact(source, true)?;
        xml::read(source)
    }

    fn seal(text: String) -> String {
        checksum::seal(text)
    }
}

/// Checks that a save is as it was when it was sealed, if it has a checksum.
///
/// # Errors
/// It is not: it was damaged or changed by hand, or is of a newer format, which may be sealed in another way.
pub(super) fn check_intact(source: &Source, has_earlier: bool) -> Result<(), Diagnostics> {
    if checksum::is_intact(source.text()) != Some(false) {
        return Ok(());
    }
    if let Err(found) = xml::format_of(source, &Format::of::<Save>())
        && found.iter().any(|one| one.code == Code::Version)
    {
        return Err(found);
    }
    let message = sentence!("the file is damaged or was changed by hand: its checksum does not fit");
    let found = Diagnostic::error(Code::Document, message).at(Location::file(source.file()));
    Err(if has_earlier { found.with_help(EARLIER_VERSION) } else { found }.into())
}

fn describe_clock(fields: &mut Fields<'_>, clock: &mut Option<SavedClock>) {
    let mut written = clock.take().map(|clock| (Some(clock.control), clock.plays_on, clock.left));
    fields.optional_child("clock", &mut written, |fields, (control, plays_on, left)| {
        fields.required("control", &TIME_CONTROL, control);
        fields.required("out_of_time", &OUT_OF_TIME, plays_on);
        fields.list("seat", left, |fields, left| {
            fields.required("left", &WHOLE_NUMBER, left);
        });
    });
    *clock = written.and_then(|(control, plays_on, left)| {
        Some(SavedClock {
            control: control?,
            plays_on,
            left,
        })
    });
}

fn describe_journal(fields: &mut Fields<'_>, journal: &mut Journal) {
    let mut position = journal.position();
    let spot = fields.required("position", &Number(0, i64::MAX), &mut position);
    let mut events = events_of(journal.events());
    fields.list("event", &mut events, describe_event);
    let mut variations = Vec::new();
    flatten(journal.variations(), 0, &mut variations);
    fields.list("variation", &mut variations, describe_variation);
    let count = fields.element().map_or(events.len(), |journal| journal.all("event").count());
    if position > count {
        let message = format!("`position`: {position} is past the end, there are {count} events");
        fields.error(spot, Code::BadValue, message);
    }
    *journal = Journal::new(events.into_iter().map(Arc::new).collect(), position).with_variations(nested(variations));
}

/// A variation as it stands in the file: behind the one it leaves, which is named by its number; 0 is the line.
#[derive(Clone, Debug, Default)]
struct WrittenVariation {
    leaves: usize,
    at: usize,
    events: Vec<Event>,
}

fn describe_variation(fields: &mut Fields<'_>, variation: &mut WrittenVariation) {
    let mut leaves = Some(variation.leaves).filter(|leaves| *leaves > 0);
    fields.required("at", &Number(0, i64::MAX), &mut variation.at);
    fields.optional("leaves", &Number(1, i64::MAX), &mut leaves);
    variation.leaves = leaves.unwrap_or(0);
    fields.list("event", &mut variation.events, describe_event);
}

/// Lists variations with those that leave them, each behind the one it leaves.
fn flatten(variations: &[Variation], leaves: usize, list: &mut Vec<WrittenVariation>) {
    for variation in variations {
        list.push(WrittenVariation {
            leaves,
            at: variation.at,
            events: events_of(&variation.events),
        });
        flatten(&variation.variations, list.len(), list);
    }
}

/// The variations of the line in a list, with those that leave them. One can only leave another that stands before it.
fn nested(list: Vec<WrittenVariation>) -> Vec<Variation> {
    let mut inside: Vec<Vec<Variation>> = vec![Vec::new(); list.len() + 1];
    for (index, written) in list.into_iter().enumerate().rev() {
        let mut variations = inside.pop().unwrap_or_default();
        variations.reverse();
        let variation = Variation {
            at: written.at,
            events: written.events.into_iter().map(Arc::new).collect(),
            variations,
        };
        let place = written.leaves.min(index);
        if let Some(place) = inside.get_mut(place) {
            place.push(variation);
        }
    }
    let mut variations = inside.pop().unwrap_or_default();
    variations.reverse();
    variations
}

fn events_of(events: &[Arc<Event>]) -> Vec<Event> {
    events.iter().map(|event| (**event).clone()).collect()
}

fn describe_event(fields: &mut Fields<'_>, event: &mut Event) {
    let mut notation = event.notation.to_string();
    let mut sentence = Some(event.sentence.to_string()).filter(|sentence| !sentence.is_empty());
    fields.required("round", &Number(0, u32::MAX.into()), &mut event.round);
    fields.required("notation", &Text::Any, &mut notation);
    fields.optional("sentence", &Text::Any, &mut sentence);
    fields.required("digest", &DIGEST, &mut event.digest);
    fields.required("rules", &FINGERPRINT, &mut event.fingerprint);
    fields.required("generator", &WHOLE_NUMBER, &mut event.generator);
    event.notation = notation.into();
    event.sentence = sentence.unwrap_or_default().into();
    fields.child("cause", &mut event.cause, |fields, cause| describe_json(fields, "cause", cause));
    fields.optional_child("luck", &mut event.luck, |fields, luck| describe_json(fields, "luck", luck));
    describe_json_list(fields, "draws", &mut event.draws);
    describe_json_list(fields, "effects", &mut event.effects);
}

fn describe_json_list<T: Serialize + DeserializeOwned>(fields: &mut Fields<'_>, name: &'static str, list: &mut Vec<T>) {
    let mut filled = Some(std::mem::take(list)).filter(|list| !list.is_empty());
    fields.optional_child(name, &mut filled, |fields, list| describe_json(fields, name, list));
    *list = filled.unwrap_or_default();
}

fn describe_json<T: Serialize + DeserializeOwned>(fields: &mut Fields<'_>, name: &str, value: &mut T) {
    // Events hold nothing that JSON has no form for; should that change, the text does not read back and is not written.
    let mut text = if fields.element().is_none() {
        serde_json::to_string(value).unwrap_or_default()
    } else {
        String::new()
    };
    let spot = fields.text(&mut text);
    if fields.is_whole() {
        match serde_json::from_str(&text) {
            Ok(read) => *value = read,
            Err(error) => fields.error(spot, Code::BadValue, format!("the {name} cannot be read: {error}")),
        }
    }
}

/// `used` are the rules that events name: others are not unpacked.
fn describe_rules(fields: &mut Fields<'_>, rules: &mut BTreeMap<Fingerprint, Sources>, used: &BTreeSet<Fingerprint>) {
    let mut room = packed_sources::MOST_UNPACKED;
    let mut seen = Seen::new("rules");
    let mut list: Vec<_> = std::mem::take(rules).into_iter().collect();
    fields.list("rules", &mut list, |fields, (fingerprint, sources)| {
        let spot = fields.required("fingerprint", &FINGERPRINT, fingerprint);
        fields.required("encoding", &ENCODING, &mut ());
        let words = fields.words(|| packed_sources::pack(sources).unwrap_or_default());
        if !fields.is_whole() {
            return;
        }
        seen.add(&fingerprint.to_string(), spot, fields);
        if !used.contains(fingerprint) {
            return;
        }
        let text: String = words.into_iter().map(|(word, _)| word).collect();
        match packed_sources::unpack(&text, &mut room) {
            Ok(read) if read.fingerprint() == *fingerprint => *sources = read,
            Ok(_) => {
                let message = sentence!("the rules are not those that the fingerprint stands for");
                fields.error(fields.spot(), Code::BadValue, message);
            }
            Err(error) => fields.error(fields.spot(), Code::BadValue, sentence!("the rules cannot be read: {error}")),
        }
    });
    *rules = list.into_iter().filter(|(fingerprint, _)| used.contains(fingerprint)).collect();
}
