//! The manifest of a ruleset, `rulesets/<id>/ruleset.xml`: what a catalogue shows before any rule is read.

use std::fmt;

use serde::Serialize;

use boardwright_model::SeatRange;
use boardwright_model::diagnostic::Code;

use super::xml::{Document, Fields, Notation, Number, Text};

/// The name of the file.
pub const MANIFEST_FILE: &str = "ruleset.xml";

pub(super) const VERSION: Notation<Version> = Notation {
    expected: "a version such as 0.1.0",
    parse: Version::parse,
    print: Version::to_string,
};
const SEATS: Notation<SeatRange> = Notation {
    expected: "a number such as 2 or a range such as 2-6, at most 32",
    parse: SeatRange::parse,
    print: SeatRange::to_string,
};

/// What is said about a ruleset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// The name of its folder: small letters, digits and hyphens.
    pub id: String,
    /// The title for players.
    pub title: String,
    /// Its own version.
    pub version: Version,
    /// The licence as an SPDX expression.
    pub licence: String,
    /// The ruleset it is laid over, for mods.
    pub builds_on: Option<String>,
    /// How many may take part.
    pub seats: SeatRange,
    /// About how long a match takes.
    pub minutes: Option<u32>,
    /// The least version of this program that it needs.
    pub engine_min: Option<Version>,
    /// What it is, in a few sentences.
    pub description: String,
    /// A picture for catalogues, a path inside the folder.
    pub picture: Option<String>,
    /// Who made it.
    pub authors: Vec<String>,
    /// Well-known games that play alike.
    pub plays_like: Vec<String>,
    /// The computer player that is asked for hints, as it is written for a seat. Without it, that of what the ruleset builds on, or else the
    /// strongest that plays any rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advisor: Option<String>,
}

/// A version: up to three numbers, the missing ones being 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Version(pub u16, pub u16, pub u16);

impl Version {
    /// The version of this program.
    pub fn of_program() -> Self {
        Self::parse(env!("CARGO_PKG_VERSION")).unwrap_or_default()
    }

    /// Reads `1`, `1.2` or `1.2.3`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(str::parse::<u16>);
        let version = Self(
            parts.next()?.ok()?,
            parts.next().transpose().ok()?.unwrap_or(0),
            parts.next().transpose().ok()?.unwrap_or(0),
        );
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl Document for Manifest {
    const NAME: &'static str = "ruleset";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("id", &Text::Id, &mut self.id);
        fields.required("title", &Text::Name, &mut self.title);
        fields.required("version", &VERSION, &mut self.version);
        fields.required("licence", &Text::Name, &mut self.licence);
        fields.optional("builds_on", &Text::Id, &mut self.builds_on);
        fields.required("seats", &SEATS, &mut self.seats);
        fields.optional("minutes", &Number(1, 10_000), &mut self.minutes);
        fields.optional("advisor", &Text::Name, &mut self.advisor);
        let engine_min = fields.optional("engine_min", &VERSION, &mut self.engine_min);
        fields.text_child("description", &mut self.description);
        fields.optional_child("picture", &mut self.picture, |fields, file| {
            let spot = fields.required("file", &Text::Name, file);
            if fields.is_whole() && !is_inner_path(file) {
                let message = format!("`file`: {file:?} does not lie inside the folder of the ruleset");
                fields.error(spot, Code::BadValue, message);
            }
        });
        fields.text_list("author", &mut self.authors);
        fields.text_list("plays_like", &mut self.plays_like);
        let program = Version::of_program();
        if let Some(needed) = self.engine_min.filter(|needed| fields.is_whole() && *needed > program) {
            let message = format!("the ruleset needs version {needed} of this program, which is {program}");
            fields.error(engine_min, Code::Version, message);
        }
    }
}

/// Whether a path with `/` between folders stays inside the folder it starts from, on every system.
pub fn is_inner_path(path: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':', '\0']);
    path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::xml::Source;
    use super::*;

    #[test]
    fn versions_and_seats_are_read_strictly() {
        assert_eq!(Version::parse("1.2"), Some(Version(1, 2, 0)));
        assert!(
            ["", "1.", "a", "1.2.3.4", "-1", "70000"]
                .iter()
                .all(|text| Version::parse(text).is_none())
        );
        assert_eq!(SeatRange::parse("2-6"), Some(SeatRange { least: 2, most: 6 }));
        assert!(["0", "3-2", "33", "two", "2-"].iter().all(|text| SeatRange::parse(text).is_none()));
    }

    #[test]
    fn paths_out_of_the_folder_are_found() {
        assert!(is_inner_path("art/card.svg"));
        for path in ["", "/a", "../a", "a/../b", "a//b", "c:\\a", "a\\b", "."] {
            assert!(!is_inner_path(path), "{path}");
        }
    }

    fn name() -> impl Strategy<Value = String> {
        "[a-zA-Zä<&\"]([ -~é]{0,10}[a-zA-Z>'])?"
    }

    proptest! {
        #[test]
        fn manifests_read_back(
            texts in [name(), name(), name(), name()], builds_on in prop::option::of("[a-z0-9]{1,5}"), least in 1..9_u8, more in 0..9_u8,
            minutes in prop::option::of(1..10_000_u32), version in any::<(u16, u16, u16)>(), picture in prop::option::of("[a-z]{1,5}"),
            authors in prop::collection::vec(name(), 0..3), plays_like in prop::collection::vec(name(), 0..3),
        ) {
            let [title, licence, first, second] = texts;
            let manifest = Manifest {
                id: "a-b-1".into(), title, licence, builds_on, minutes, picture, authors, plays_like,
                version: Version(version.0, version.1, version.2), seats: SeatRange { least, most: least + more },
                advisor: Some("mcts:9@500".into()), engine_min: Some(Version(0, 0, 1)), description: format!("{first}\n\n{second}"),
            };
            prop_assert_eq!(Manifest::read(&Source::new("ruleset.xml", &manifest.print())), Ok(manifest));
        }
    }
}
