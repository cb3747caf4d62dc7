//! What a list tells of a saved match before it is opened.

use std::path::Path;

use super::Version;
use super::checksum::CHECKSUM;
use super::save_document::{MOST_SAVE_BYTES, Save, check_intact};
use super::xml::{self, Element, Source};
use boardwright_model::Effect;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};

/// What a list tells of a saved match. Its events are counted, not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveSummary {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The title of the scenario.
    pub title: String,
    /// The version of the program that wrote it.
    pub program: Version,
    /// Who sits where: the name of the seat and a player.
    pub players: Vec<(String, String)>,
    /// How many actions stand.
    pub actions: usize,
    /// How many actions were taken back and can be done again.
    pub later: usize,
    /// Whether the match has ended where it stands.
    pub is_finished: bool,
    /// The digest of where it stands, as it is written. Two saves with the same one are of the same moment of the same match.
    pub digest: String,
}

impl SaveSummary {
    /// Reads the file of a save.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, of a newer format, or no save at all. What is wrong inside its events is told by
    /// [`Save::open`](super::Save::open) alone.
    pub fn open(path: &Path, name: &str) -> Result<Self, Diagnostics> {
        let source = Source::open_up_to(path, name, MOST_SAVE_BYTES)?;
        check_intact(&source, true)?;
        let root = xml::read_tree::<Save>(&source)?;
        Self::of(&root).ok_or_else(|| {
            let found = Diagnostic::error(Code::Document, format!("`<{}>` could not be read", root.name));
            found.at(source.place(root.spot)).into()
        })
    }

    fn of(root: &Element<'_>) -> Option<Self> {
        root.attribute(CHECKSUM)?;
        let journal = root.first("journal")?;
        let position: usize = journal.get("position")?.trim().parse().ok()?;
        let events: Vec<&Element<'_>> = journal.all("event").collect();
        let (applied, later) = events.split_at(position.min(events.len()));
        let actions = |events: &[&Element<'_>]| events.iter().filter(|event| is_action(event)).count();
        let player = |player: &Element<'_>| Some((player.get("seat")?.to_owned(), player.get("plays")?.to_owned()));
        Some(Self {
            ruleset: root.get("ruleset")?.to_owned(),
            title: root.get("title")?.to_owned(),
            program: root.get("program").and_then(Version::parse).unwrap_or_default(),
            players: root.all("player").filter_map(player).collect(),
            actions: actions(applied),
            later: actions(later),
            is_finished: applied.last().is_some_and(|event| has_ended(event)),
            digest: applied.last().and_then(|event| event.get("digest")).unwrap_or_default().to_owned(),
        })
    }
}

/// Whether a seat acted, by the beginning of the cause.
fn is_action(event: &Element<'_>) -> bool {
    let cause = event.first("cause").map(|cause| cause.text.trim_start());
    cause.is_some_and(|cause| cause.starts_with("{\"action\""))
}

fn has_ended(event: &Element<'_>) -> bool {
    let effects = event.first("effects").map(|effects| effects.text.as_str()).unwrap_or_default();
    let effects: Vec<Effect> = serde_json::from_str(effects).unwrap_or_default();
    effects.iter().any(|effect| matches!(effect, Effect::End(_)))
}
