//! The manifest of a ruleset, `rulesets/<id>/ruleset.xml`: what a catalogue shows before any rule is read.

use std::fmt;

use serde::Serialize;

use crate::ruleset::{Code, Diagnostics};

use super::xml::{self, AttributeShape, Count, Element, Faults, Format, Kind, Shape, Source, Tag, TextRule};

/// The name of the file.
pub const MANIFEST_FILE: &str = "ruleset.xml";

static TEXTS: [Shape; 3] = [Shape::text("description"), Shape::text("author"), Shape::text("plays_like")];
static PICTURE: Shape = Shape::plain("picture", &[AttributeShape::required("file", Kind::Name)]);
static ROOT: Shape = Shape {
    name: "ruleset",
    attributes: &[
        AttributeShape::required("id", Kind::Id),
        AttributeShape::required("title", Kind::Name),
        AttributeShape::required("version", Kind::Name),
        AttributeShape::required("licence", Kind::Name),
        AttributeShape::optional("builds_on", Kind::Id),
        AttributeShape::required("seats", Kind::Name),
        AttributeShape::optional("minutes", Kind::Number(1, 10_000)),
        AttributeShape::optional("engine_min", Kind::Name),
    ],
    children: &[
        Count::One.of(&TEXTS[0]),
        Count::Optional.of(&PICTURE),
        Count::Many.of(&TEXTS[1]),
        Count::Many.of(&TEXTS[2]),
    ],
    text: TextRule::None,
};
/// The format of manifests.
pub static MANIFEST_FORMAT: Format = Format {
    root: &ROOT,
    upgrades: &[],
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
}

/// How many seats a match may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SeatRange {
    /// At least.
    pub least: u8,
    /// At most.
    pub most: u8,
}

impl Default for SeatRange {
    fn default() -> Self {
        Self { least: 2, most: 2 }
    }
}

impl fmt::Display for SeatRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            write!(f, "{}", self.least)
        } else {
            write!(f, "{}-{}", self.least, self.most)
        }
    }
}

impl SeatRange {
    /// Reads `2` or `2-6`.
    fn parse(text: &str) -> Option<Self> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let range = Self {
            least: least.trim().parse().ok()?,
            most: most.trim().parse().ok()?,
        };
        let is_sound = range.least >= 1 && range.least <= range.most && usize::from(range.most) <= crate::model::SeatSet::MOST;
        is_sound.then_some(range)
    }
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

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// Everything that is wrong with it, also that it needs a newer program.
    pub fn read(source: &Source) -> Result<Self, Diagnostics> {
        xml::read(source, &MANIFEST_FORMAT, Self::build)
    }

    fn build(root: &Element<'_>, faults: &mut Faults) -> Option<Self> {
        let manifest = Self::fill(root, faults);
        if let Some(needed) = manifest.as_ref().and_then(|manifest| manifest.engine_min)
            && needed > Version::of_program()
        {
            let message = format!(
                "the ruleset needs version {needed} of this program, which is {}",
                Version::of_program()
            );
            faults.error(root.spot_of("engine_min"), Code::Version, message);
        }
        manifest
    }

    fn fill(root: &Element<'_>, faults: &mut Faults) -> Option<Self> {
        let mut version = |name| {
            let text = root.get(name)?;
            let version = Version::parse(text);
            if version.is_none() {
                let message = format!("`{name}`: expected a version such as 0.1.0, found {text:?}");
                faults.error(root.spot_of(name), Code::BadValue, message);
            }
            version
        };
        let (own, engine_min) = (version("version"), version("engine_min"));
        let seats = root.get("seats").and_then(SeatRange::parse);
        if let (None, Some(text)) = (seats, root.get("seats")) {
            let message = format!("`seats`: expected a number such as 2 or a range such as 2-6, at most 32, found {text:?}");
            faults.error(root.spot_of("seats"), Code::BadValue, message);
        }
        if let Some(picture) = root.first("picture").and_then(|picture| picture.attribute("file"))
            && !is_inner_path(&picture.value)
        {
            let message = format!("`file`: {:?} does not lie inside the folder of the ruleset", picture.value);
            faults.error(picture.value_spot, Code::BadValue, message);
        }
        let texts = |name| root.all(name).map(|text| text.text.clone()).collect();
        Some(Self {
            id: root.text_of("id")?,
            title: root.text_of("title")?,
            version: own?,
            licence: root.text_of("licence")?,
            builds_on: root.text_of("builds_on"),
            seats: seats?,
            minutes: root.number("minutes"),
            engine_min,
            description: root.first("description")?.text.clone(),
            picture: root.first("picture").and_then(|picture| picture.text_of("file")),
            authors: texts("author"),
            plays_like: texts("plays_like"),
        })
    }

    /// The text of the file.
    pub fn print(&self) -> String {
        let texts = |name, texts: &[String]| texts.iter().map(|text| Tag::new(name).text(text)).collect::<Vec<_>>();
        Tag::new("ruleset")
            .with("format", MANIFEST_FORMAT.version())
            .with("id", &self.id)
            .with("title", &self.title)
            .with("version", self.version)
            .with("licence", &self.licence)
            .with_some("builds_on", self.builds_on.as_ref())
            .with("seats", self.seats)
            .with_some("minutes", self.minutes)
            .with_some("engine_min", self.engine_min)
            .child(Tag::new("description").text(&self.description))
            .children(self.picture.iter().map(|file| Tag::new("picture").with("file", file)))
            .children(texts("author", &self.authors))
            .children(texts("plays_like", &self.plays_like))
            .print()
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
                engine_min: Some(Version(0, 0, 1)), description: format!("{first}\n\n{second}"),
            };
            prop_assert_eq!(Manifest::read(&Source::new("ruleset.xml", &manifest.print())), Ok(manifest));
        }
    }
}
