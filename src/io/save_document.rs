//! Saved matches: everything needed to go on, to step back to the beginning, and to prove what happened.
//!
//! A save holds its map, its scenario and the sources of every rules its journal was made with, so it opens anywhere and
//! after any change of the ruleset. A checksum tells damage and changes by hand.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::host::{Event, Journal, Policy, UndoPolicy};
use crate::model::{Fingerprint, Map, Scenario};
use crate::rules::sentence;
use crate::ruleset::{Code, Diagnostic, Diagnostics, Place, Sources};

use super::checksum::{self, CHECKSUM, PLACEHOLDER};
use super::properties::Seen;
use super::write::{BACKUPS, WriteError, backup_path, write_document};
use super::xml::{self, AttributeShape, Child, Count, Element, Faults, Format, Kind, Shape, Source, Tag, TextRule};
use super::{Version, map_document, packed, scenario_document};

/// The ending of saved matches.
pub const SAVE_ENDING: &str = ".save.xml";
/// The most bytes a save may have. Journals of long matches take more room than anything a person writes.
pub const MOST_SAVE_BYTES: usize = 64 << 20;
/// What to do about a save that is damaged, if it was ever written over.
const EARLIER_VERSION: &str = "open an earlier version: it lies beside the file and ends in .1~, .2~ or .3~";
const UNDO: [(&str, UndoPolicy); 3] = [
    ("free", UndoPolicy::Free),
    ("own-turn", UndoPolicy::OwnTurn),
    ("never", UndoPolicy::Never),
];

static POLICY: Shape = Shape::plain(
    "policy",
    &[
        AttributeShape::required("undo", Kind::Word(&["free", "own-turn", "never"])),
        AttributeShape::required("debug", Kind::Flag),
        AttributeShape::required("reload", Kind::Flag),
    ],
);
static GENERATOR: Shape = Shape::plain(
    "generator",
    &[
        AttributeShape::required("name", Kind::Name),
        AttributeShape::required("seed", Kind::Name),
    ],
);
static OVERLAY_TEXT: Shape = Shape {
    name: "overlay_text",
    attributes: &[],
    children: &[],
    text: TextRule::Optional,
};
static PARTS: [Shape; 3] = [Shape::text("cause"), Shape::text("draws"), Shape::text("effects")];
static EVENT: Shape = Shape {
    name: "event",
    attributes: &[
        AttributeShape::required("round", Kind::Number(0, u32::MAX as i64)),
        AttributeShape::required("notation", Kind::Text),
        AttributeShape::required("digest", Kind::Name),
        AttributeShape::required("rules", Kind::Name),
        AttributeShape::required("generator", Kind::Name),
    ],
    children: &[
        Count::One.of(&PARTS[0]),
        Count::Optional.of(&PARTS[1]),
        Count::Optional.of(&PARTS[2]),
    ],
    text: TextRule::None,
};
static JOURNAL: Shape = Shape {
    name: "journal",
    attributes: &[AttributeShape::required("position", Kind::Number(0, i64::MAX))],
    children: &[Count::Many.of(&EVENT)],
    text: TextRule::None,
};
static RULES: Shape = Shape {
    name: "rules",
    attributes: &[
        AttributeShape::required("fingerprint", Kind::Name),
        AttributeShape::required("encoding", Kind::Word(&["json+gzip+base64"])),
    ],
    children: &[],
    text: TextRule::Required,
};
static CHILDREN: [Child; 8] = [
    Count::One.of(&map_document::ROOT),
    Count::One.of(&scenario_document::ROOT),
    Count::Optional.of(&OVERLAY_TEXT),
    Count::Many.of(&scenario_document::PLAYER),
    Count::One.of(&POLICY),
    Count::One.of(&GENERATOR),
    Count::One.of(&JOURNAL),
    Count::Many.of(&RULES),
];
static ROOT: Shape = Shape {
    name: "save",
    attributes: &[
        AttributeShape::required(CHECKSUM, Kind::Name),
        AttributeShape::required("ruleset", Kind::Id),
        AttributeShape::required("title", Kind::Text),
        AttributeShape::required("program", Kind::Name),
        AttributeShape::optional("saved", Kind::Name),
    ],
    children: &CHILDREN,
    text: TextRule::None,
};
/// The format of saved matches.
pub static SAVE_FORMAT: Format = Format {
    root: &ROOT,
    upgrades: &[],
};

/// A match as it is kept in a file.
#[derive(Clone, Debug, PartialEq)]
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
    pub seed: u64,
    /// What happened, and how much of it stands.
    pub journal: Journal,
    /// The sources of the rules in force during the match, by fingerprint.
    pub rules: BTreeMap<Fingerprint, Sources>,
}

impl Save {
    /// The fingerprint of the rules in force at the position in the journal.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.journal.last().map(|event| event.fingerprint)
    }

    /// The rules in force at the position in the journal, if they are in the save.
    pub fn present_rules(&self) -> Option<&Sources> {
        self.rules.get(&self.fingerprint()?)
    }

    /// The rules the match began with, if they are in the save. The scenario is built with them.
    pub fn first_rules(&self) -> Option<&Sources> {
        self.rules.get(&self.journal.events().first()?.fingerprint)
    }

    /// Reads a save.
    ///
    /// # Errors
    /// A newer format; damage or changes by hand, told by the checksum alone, for nothing in such a file can be trusted; or else
    /// everything that is wrong.
    pub fn read(source: &Source) -> Result<Self, Diagnostics> {
        let is_intact = check_intact(source)?;
        xml::read(source, &SAVE_FORMAT, |root, faults| {
            if is_intact.is_none() && root.attribute(CHECKSUM).is_some() {
                let message = "the checksum is not one: expected 64 hexadecimal digits near the beginning of the file";
                faults.error(root.spot_of(CHECKSUM), Code::BadValue, message);
            }
            build(root, faults)
        })
    }

    /// Reads the file of a save. `name` is how diagnostics call it.
    ///
    /// # Errors
    /// A file that cannot be read, and everything that [`Save::read`] tells.
    pub fn open(path: &Path, name: &str) -> Result<Self, Diagnostics> {
        Self::read(&Source::open_up_to(path, name, MOST_SAVE_BYTES)?).map_err(|found| {
            let has_earlier = (1..=BACKUPS).any(|number| backup_path(path, number).is_file());
            let with_true_help = |one: &Diagnostic| {
                let help = one.help.clone().filter(|help| has_earlier || help != EARLIER_VERSION);
                Diagnostic { help, ..one.clone() }
            };
            found.iter().map(with_true_help).collect()
        })
    }

    /// Writes the file, if it can be read again.
    ///
    /// # Errors
    /// As [`write_document`].
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_document(path, &self.print(), |source| Ok(Self::read(source)? == *self))
    }

    /// The text of the file.
    pub fn print(&self) -> String {
        let undo = UNDO
            .iter()
            .find(|(_, policy)| *policy == self.policy.undo)
            .map_or("", |(word, _)| word);
        let yes = |is_so| if is_so { "yes" } else { "no" };
        let policy = Tag::new("policy")
            .with("undo", undo)
            .with("debug", yes(self.policy.debug))
            .with("reload", yes(self.policy.reload));
        let generator = Tag::new("generator").with("name", &self.generator).with("seed", self.seed);
        let rules = |(fingerprint, sources)| {
            Tag::new("rules")
                .with("fingerprint", fingerprint)
                .with("encoding", "json+gzip+base64")
                .raw(packed::pack(sources).unwrap_or_default())
        };
        let overlay = self.scenario.overlay.iter().map(|(_, text)| Tag::new("overlay_text").text(text));
        let player = |(seat, plays): &(String, String)| Tag::new("player").with("seat", seat).with("plays", plays);
        let tag = Tag::new("save")
            .with("format", SAVE_FORMAT.version())
            .with(CHECKSUM, PLACEHOLDER)
            .with("ruleset", &self.ruleset)
            .with("title", &self.title)
            .with("program", self.program)
            .with_some("saved", self.saved.as_ref())
            .child(map_document::tag(&self.map, None))
            .child(scenario_document::tag(&self.scenario, None))
            .children(overlay)
            .children(self.players.iter().map(player))
            .child(policy)
            .child(generator)
            .child(
                Tag::new("journal")
                    .with("position", self.journal.position())
                    .children(self.journal.events().iter().map(|event| event_tag(event))),
            )
            .children(self.rules.iter().map(rules));
        checksum::seal(tag.print())
    }
}

/// Whether a save is as it was when it was sealed; `None` if it has no checksum.
///
/// # Errors
/// It is not: it was damaged or changed by hand, or is of a newer format, which may be sealed in another way.
pub(super) fn check_intact(source: &Source) -> Result<Option<bool>, Diagnostics> {
    let is_intact = checksum::is_intact(source.text());
    if is_intact == Some(false) {
        if let Err(found) = xml::format_of(source, &SAVE_FORMAT)
            && found.iter().any(|one| one.code == Code::Version)
        {
            return Err(found);
        }
        let found = Diagnostic::error(
            Code::Document,
            sentence!("the file is damaged or was changed by hand: its checksum does not fit"),
        )
        .at(Place::file(source.file()))
        .with_help(EARLIER_VERSION);
        return Err(found.into());
    }
    Ok(is_intact)
}

fn json(value: &impl serde::Serialize) -> String {
    // Events hold nothing that JSON has no form for; should that change, the text does not read back and is not written.
    serde_json::to_string(value).unwrap_or_default()
}

fn event_tag(event: &Event) -> Tag {
    let list = |name, is_empty: bool, text: String| (!is_empty).then(|| Tag::new(name).text(text));
    Tag::new("event")
        .with("round", event.round)
        .with("notation", &event.notation)
        .with("digest", format!("{:016x}", event.digest))
        .with("rules", event.fingerprint)
        .with("generator", event.generator)
        .child(Tag::new("cause").text(json(&event.cause)))
        .children(list("draws", event.draws.is_empty(), json(&event.draws)))
        .children(list("effects", event.effects.is_empty(), json(&event.effects)))
}

fn build(root: &Element<'_>, faults: &mut Faults) -> Option<Save> {
    let map = root.first("map").and_then(|map| map_document::build(map, faults));
    let scenario = root
        .first("scenario")
        .and_then(|scenario| scenario_document::build(scenario, faults));
    let journal = root.first("journal").and_then(|journal| read_journal(journal, faults));
    let rules = read_rules(root, faults);
    let program = value(root, "program", "a version such as 0.1.0", Version::parse, faults);
    let generator = root.first("generator");
    let seed = generator.and_then(|generator| value(generator, "seed", "a whole number", |text| text.parse().ok(), faults));
    let mut seats = Seen::new("player of seat");
    let mut players = Vec::new();
    for player in root.all("player") {
        let (Some(seat), Some(plays)) = (player.text_of("seat"), player.text_of("plays")) else {
            continue;
        };
        seats.add(&seat, player.spot_of("seat"), faults);
        players.push((seat, plays));
    }
    let policy = root.first("policy")?;
    let undo = policy.get("undo")?.trim();
    let mut scenario = scenario?.scenario;
    if let Some((_, text)) = &mut scenario.overlay {
        text.clone_from(&root.first("overlay_text")?.text);
    }
    Some(Save {
        ruleset: root.text_of("ruleset")?,
        title: root.text_of("title")?,
        program: program?,
        saved: root.text_of("saved"),
        map: map?.map,
        scenario,
        players,
        policy: Policy {
            undo: UNDO.iter().find(|(word, _)| *word == undo)?.1,
            debug: policy.flag("debug"),
            reload: policy.flag("reload"),
        },
        generator: generator?.text_of("name")?,
        seed: seed?,
        journal: journal?,
        rules,
    })
}

/// The value of an attribute, or a fault that says what was expected.
fn value<T>(element: &Element<'_>, name: &str, expected: &str, parse: impl Fn(&str) -> Option<T>, faults: &mut Faults) -> Option<T> {
    let text = element.get(name)?;
    let value = parse(text);
    if value.is_none() {
        let message = format!("`{name}`: expected {expected}, found {text:?}");
        faults.error(element.spot_of(name), Code::BadValue, message);
    }
    value
}

fn fingerprint(element: &Element<'_>, name: &str, faults: &mut Faults) -> Option<Fingerprint> {
    value(element, name, "64 hexadecimal digits", Fingerprint::parse, faults)
}

fn read_journal(journal: &Element<'_>, faults: &mut Faults) -> Option<Journal> {
    let elements = journal.all("event").count();
    let events: Vec<_> = journal
        .all("event")
        .filter_map(|event| read_event(event, faults))
        .map(Arc::new)
        .collect();
    let position: usize = journal.number("position")?;
    if position > elements {
        let message = format!("`position`: {position} is past the end, there are {elements} events");
        faults.error(journal.spot_of("position"), Code::BadValue, message);
    }
    Some(Journal::new(events, position))
}

fn read_event(event: &Element<'_>, faults: &mut Faults) -> Option<Event> {
    let digest = value(
        event,
        "digest",
        "16 hexadecimal digits",
        |text| (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok())?,
        faults,
    );
    let generator = value(event, "generator", "a whole number", |text| text.parse().ok(), faults);
    let fingerprint = fingerprint(event, "rules", faults);
    let cause = part(event, "cause", faults);
    let (draws, effects) = (part(event, "draws", faults), part(event, "effects", faults));
    Some(Event {
        cause: cause?,
        notation: event.get("notation")?.into(),
        round: event.number("round")?,
        draws: draws.unwrap_or_default(),
        effects: effects.unwrap_or_default(),
        digest: digest?,
        fingerprint: fingerprint?,
        generator: generator?,
    })
}

/// A part of an event that is written as JSON.
fn part<T: serde::de::DeserializeOwned>(event: &Element<'_>, name: &str, faults: &mut Faults) -> Option<T> {
    let element = event.first(name)?;
    match serde_json::from_str(&element.text) {
        Ok(value) => Some(value),
        Err(error) => {
            let spot = element.text_spot.unwrap_or(element.spot);
            faults.error(spot, Code::BadValue, format!("the {name} cannot be read: {error}"));
            None
        }
    }
}

fn read_rules(root: &Element<'_>, faults: &mut Faults) -> BTreeMap<Fingerprint, Sources> {
    let mut rules = BTreeMap::new();
    let mut seen = Seen::new("rules");
    for element in root.all("rules") {
        let Some(fingerprint) = fingerprint(element, "fingerprint", faults) else {
            continue;
        };
        seen.add(&fingerprint.to_string(), element.spot_of("fingerprint"), faults);
        match packed::unpack(&element.text) {
            Ok(sources) if sources.fingerprint() == fingerprint => drop(rules.insert(fingerprint, sources)),
            Ok(_) => faults.error(
                element.spot,
                Code::BadValue,
                sentence!("the rules are not those that the fingerprint stands for"),
            ),
            Err(error) => faults.error(element.spot, Code::BadValue, sentence!("the rules cannot be read: {error}")),
        }
    }
    rules
}
