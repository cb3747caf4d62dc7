//! Checking the translations of a ruleset against its texts.

use std::collections::{BTreeMap, BTreeSet};

use crate::files;
use boardwright_content::{Catalog, HELP_FOLDER, MANIFEST_FILE, MAPS, RULESETS, TextsDocument, read_texts};
use boardwright_localization::{Localizer, Piece, pieces};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Declarations, Topology, ValueType, sentence};
use boardwright_ruleset::{Sources, literals};

/// Keywords of declarations that hold a blank and are not for people.
const KEYWORDS: [&str; 1] = ["no one"];

/// The program's own texts that a ruleset may translate, in parts between which something is filled in.
const PROGRAM_TEXTS: [[&str; 2]; 1] = [["", " pieces"]];

struct Text {
    /// Its letters, in parts between which something is filled in.
    parts: Vec<String>,
    place: Location,
    /// Whether people certainly read it, or it reads like text for people.
    is_for_people: bool,
}

impl Text {
    fn whole(text: &str, place: Location) -> Self {
        Self {
            parts: vec![text.to_owned()],
            place,
            is_for_people: true,
        }
    }
}

#[derive(Default)]
pub(super) struct RulesetTexts {
    texts: Vec<Text>,
}

impl RulesetTexts {
    pub(super) fn of(catalog: &Catalog, id: &str, sources: &Sources, declarations: Option<&Declarations>) -> Self {
        let mut texts = Self::default();
        for layer in &sources.layers {
            for (path, text) in layer.scripts().filter(|(path, _)| !path.starts_with("tests/")) {
                texts.script(&layer.place_of(path), text, path.starts_with("strategies/"));
            }
        }
        for entry in catalog.chain(id).unwrap_or_default() {
            if let Some(manifest) = &entry.manifest {
                let place = Location::file(format!("{RULESETS}/{}/{MANIFEST_FILE}", entry.id));
                texts.add(&manifest.title, &place);
                texts.add(&manifest.description, &place);
                manifest.plays_like.iter().for_each(|name| texts.add(name, &place));
            }
            if let Some(tutorial) = &entry.tutorial {
                let steps = tutorial.steps.iter().zip(&tutorial.places);
                steps.for_each(|(step, place)| texts.add(&step.text, place));
            }
            for id in entry.maps.keys() {
                let Ok(document) = catalog.map(&entry.id, id) else { continue };
                let map = document.map;
                let place = Location::file(format!("{MAPS}/{}/{id}.map.xml", entry.id));
                texts.add(&map.title, &place);
                let areas = map
                    .cells
                    .iter()
                    .filter(|cell| map.topology == Topology::Graph && !cell.outline.is_empty());
                areas.for_each(|cell| texts.add(&cell.name, &place));
            }
        }
        for scenario in catalog.scenarios(id).into_values() {
            let place = Location::file(scenario.file_name());
            texts.add(&scenario.title, &place);
            texts.add(&scenario.description, &place);
            let document = catalog.scenario(id, &scenario.id).ok();
            if let Some((file, text)) = document.and_then(|document| document.scenario.overlay) {
                texts.script(&format!("{MAPS}/{id}/{file}"), &text, false);
            }
        }
        for parts in PROGRAM_TEXTS {
            texts.texts.push(Text {
                parts: parts.map(str::to_owned).to_vec(),
                place: Location::file(format!("{RULESETS}/{id}")),
                is_for_people: false,
            });
        }
        if let Some(declarations) = declarations {
            texts.declarations(declarations, &Location::file(format!("{RULESETS}/{id}")));
        }
        texts
    }

    fn add(&mut self, text: &str, place: &Location) {
        if !text.is_empty() {
            self.texts.push(Text::whole(text, place.clone()));
        }
    }

    fn script(&mut self, file: &str, text: &str, is_strategy: bool) {
        // The lines of a text protocol are for programs, and the same in every language. What is said of an imported file is for authors.
        let is_for_programs = is_strategy || ["fn read_line(", "fn import_file("].iter().any(|hook| text.contains(hook));
        for literal in literals(text) {
            let is_sentence = |part: &String| part.trim().contains(' ') && part.chars().any(char::is_alphabetic);
            let has_word = |part: &String| {
                part.split(' ')
                    .any(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1)
            };
            let is_for_people = if literal.parts.len() > 1 {
                literal.parts.iter().any(|part| part.contains(' ')) && literal.parts.iter().any(has_word)
            } else {
                literal.parts.iter().any(is_sentence) && !KEYWORDS.contains(&&*literal.filled(""))
            };
            self.texts.push(Text {
                place: Location::at(file, literal.line, literal.column),
                is_for_people: is_for_people && !is_for_programs,
                parts: literal.parts,
            });
        }
    }

    /// Adds the texts of declarations, which are certainly for people; those in scripts are known with their places already.
    fn declarations(&mut self, declarations: &Declarations, otherwise: &Location) {
        let mut declared = BTreeSet::new();
        let mut declarations = declarations.clone();
        declarations.each_text(&mut |text| _ = declared.insert(text.to_string()));
        for option in declarations.options {
            if let ValueType::Choice { words } | ValueType::Subset { words } = option.value_type {
                declared.extend(words.iter().map(ToString::to_string));
            }
        }
        declared.remove("");
        // The phase of rulesets that declare none, which the program names itself.
        declared.remove(sentence!("Play").text());
        let mut known = BTreeMap::new();
        for (index, text) in self.texts.iter().enumerate().rev() {
            if let [whole] = text.parts.as_slice() {
                known.insert(whole.clone(), index);
            }
        }
        for text in declared {
            match known.get(&text).and_then(|index| self.texts.get_mut(*index)) {
                Some(known) => known.is_for_people = true,
                None => self.texts.push(Text::whole(&text, otherwise.clone())),
            }
        }
    }

    /// Whether the ruleset may produce a text, as far as can be found out.
    fn may_match(&self, of: &[Piece]) -> bool {
        let has_letters = |text: &str| text.chars().any(char::is_alphabetic);
        let mut own = of.iter().filter_map(|piece| match piece {
            Piece::Letters(letters) => Some(letters.trim()).filter(|letters| has_letters(letters)),
            Piece::Hole(..) => None,
        });
        let fills = |text: &Text| match (of, text.parts.as_slice()) {
            ([Piece::Letters(whole)], [one]) => whole == one,
            ([Piece::Letters(whole)], parts) => fits(whole, parts),
            _ => false,
        };
        let holds = |letters: &str| self.texts.iter().any(|text| text.parts.iter().any(|part| part.contains(letters)));
        self.texts.iter().any(fills) || (of.len() > 1 && own.all(holds))
    }

    /// Translations of the ruleset itself whose text it never uses.
    pub(super) fn check(&self, id: &str, sources: &Sources) -> Diagnostics {
        let (texts, found) = read_texts(sources);
        let folder = format!("{RULESETS}/{id}/");
        let is_own = |place: &Location| place.file.starts_with(&folder);
        // Faults in the documents of the ruleset itself are reported by its entry in the catalogue.
        let mut found: Diagnostics = found
            .into_iter()
            .filter(|one| one.place.as_ref().is_some_and(|place| !is_own(place)))
            .collect();
        let placed = texts.values().flatten().flat_map(TextsDocument::placed);
        for (phrase, place) in placed.filter(|(_, place)| is_own(place)) {
            if pieces(&phrase.of).is_ok_and(|of| !self.may_match(&of)) {
                let help = "write the text as it stands in the script, with {name} for each part that is filled in";
                let unused = Diagnostic::warning(Code::Unused, format!("the ruleset never says `{}`", phrase.of));
                found.push(unused.at(place.clone()).with_help(help));
            }
        }
        found
    }

    /// The texts without a translation into a language, once each, and such pages of the rule book.
    pub(super) fn untranslated(&self, language: &str, localizer: &Localizer, sources: &Sources) -> Diagnostics {
        let mut found = Diagnostics::new();
        let mut listed = BTreeSet::new();
        for own in self.texts.iter().filter(|text| text.is_for_people) {
            let text = own.parts.join("{}");
            let is_known = ["7", "Xx"].iter().any(|filled| localizer.knows(&own.parts.join(filled)));
            if !is_known && text.chars().any(char::is_alphabetic) && listed.insert(text.clone()) {
                let message = format!("not in `{language}`: {text}");
                found.push(Diagnostic::note(Code::Untranslated, message).at(own.place.clone()));
            }
        }
        let pages = files(sources, HELP_FOLDER, ".md");
        for name in pages.keys().filter(|name| !name.contains('/')) {
            if !pages.contains_key(&*format!("{language}/{name}")) {
                let path = format!("{HELP_FOLDER}{name}");
                let mut layers = sources.layers.iter().rev();
                let layer = layers.find(|layer| layer.files.contains_key(&path));
                let place = layer.map_or_else(|| (*name).to_owned(), |layer| layer.place_of(&path));
                let message = format!("the page is not in `{language}`: it would be {HELP_FOLDER}{language}/{name}");
                found.push(Diagnostic::note(Code::Untranslated, message).at(Location::file(place)));
            }
        }
        found.sort();
        found
    }
}

/// Whether a text consists of parts with something between them.
fn fits(whole: &str, parts: &[String]) -> bool {
    let is_words = parts.iter().any(|part| part.chars().any(char::is_alphabetic));
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return false;
    };
    let Some(mut rest) = whole.strip_prefix(first.as_str()) else {
        return false;
    };
    for part in parts.iter().take(parts.len() - 1).skip(1) {
        let Some((_, behind)) = rest.split_once(part.as_str()) else {
            return false;
        };
        rest = behind;
    }
    is_words && rest.ends_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_localization::{MessageCatalog, Phrase};
    use boardwright_ruleset::Layer;

    const SCRIPT: &str = "fn f() { refuse(\"1\", \"no more room\"); say(`${n} ${word} of ${m} left`, \"apples\", \"key\"); }";

    fn speech(texts: &str) -> (RulesetTexts, Sources) {
        let file = format!("<texts format=\"1\" language=\"cs\">{texts}</texts>");
        let layer = Layer::new("rulesets/x")
            .with("a.rhai", SCRIPT)
            .with("texts/cs.xml", file)
            .with("help/1.md", "# A");
        let sources = Sources::of(layer);
        (RulesetTexts::of(&Catalog::default(), "x", &sources, None), sources)
    }

    #[test]
    fn texts_that_the_ruleset_never_says_are_told() {
        let (speech, sources) = speech(
            "<text of=\"no more room\">a</text><text of=\"{n} apples\">b</text><text of=\"3 apples of 7 left\">c</text><text of=\"{n} pears\">d</text><text of=\"no room\">e</text><text of=\"{n} pieces\">f</text>",
        );
        let found = speech.check("x", &sources);
        let messages: Vec<_> = found.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(messages, ["the ruleset never says `{n} pears`", "the ruleset never says `no room`"]);
    }

    #[test]
    fn what_is_not_translated_is_listed_with_its_place() {
        let (speech, sources) = speech("");
        let phrase = |of: &str| Phrase {
            of: of.to_owned(),
            text: "x".to_owned(),
        };
        let listed = |phrases: &[Phrase]| {
            let book = Localizer::new([MessageCatalog::new("cs", phrases).into()]);
            let found = speech.untranslated("cs", &book, &sources);
            found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(listed(&[]), @r"
        rulesets/x/a.rhai:1:22: note[untranslated]: not in `cs`: no more room
        rulesets/x/a.rhai:1:43: note[untranslated]: not in `cs`: {} {} of {} left
        rulesets/x/help/1.md: note[untranslated]: the page is not in `cs`: it would be help/cs/1.md
        ");
        assert_eq!(listed(&[phrase("no more room"), phrase("{n} of {m} left")]).lines().count(), 1);
    }
}
