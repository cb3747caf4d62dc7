//! What a text of one language is in another: a catalog, looked up by the text itself.
//!
//! A phrase says what a text *is* (`of`) and what it *becomes*. Parts that a script fills in are holes, `{n}`, in both. A hole that is a
//! number can choose among forms as the language counts: `{n|armáda|armády|armád}`.
//!
//! It promises that a text without an entry stays as it is. It names no file and no other crate of this workspace.

mod counting;
mod template;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::counting::{counts_in, example_of};
use self::template::Template;
pub use self::template::{Piece, TemplateFault, pieces};

/// How deep what fills a hole is looked up in its turn.
const MOST_DEPTH: usize = 12;
/// So many parts of a text are looked up; the rest stays as it is.
const MOST_PARTS: u32 = 2_000;
/// What stands between the items of lists that scripts put together.
const SEPARATORS: [&str; 7] = ["\n", "; ", ": ", " · ", ", ", " = ", " / "];
/// Those of them that stand between the items of one list, rather than between a head and what it is about.
const LISTS: [&str; 4] = ["\n", "; ", " · ", ", "];
/// In longer lists only single items are looked up.
const MOST_ITEMS: usize = 16;
/// Longer texts are left as they are.
const LONGEST: usize = 4_000;

/// A text and what it becomes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// The text, as the ruleset says it.
    pub of: String,
    /// What it becomes.
    pub text: String,
}

/// The phrases of one language, ready to be looked up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageCatalog {
    language: String,
    whole: BTreeMap<String, String>,
    /// The phrases with holes, those with the most letters of their own first.
    templates: Vec<Template>,
}

impl MessageCatalog {
    /// The phrases of a language, `cs`. Of two with the same text the later one holds, so that a mod can say it otherwise than the ruleset it
    /// builds on. What is malformed is left out: readers of files have told it.
    pub fn new<'a>(language: &str, phrases: impl IntoIterator<Item = &'a Phrase>) -> Self {
        let mut all: BTreeMap<&str, &str> = BTreeMap::new();
        for phrase in phrases {
            all.insert(&phrase.of, &phrase.text);
        }
        let mut catalog = Self {
            language: language.to_owned(),
            ..Self::default()
        };
        for (of, text) in all {
            let Ok(template) = Template::new(of, text, language) else {
                continue;
            };
            match template.whole() {
                Some((of, text)) => drop(catalog.whole.insert(of, text)),
                None => catalog.templates.push(template),
            }
        }
        catalog.templates.sort_by_key(|template| std::cmp::Reverse(template.letters()));
        catalog
    }

    /// Checks a phrase of a language.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn check(phrase: &Phrase, language: &str) -> Result<(), TemplateFault> {
        Template::new(&phrase.of, &phrase.text, language).map(drop)
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.templates.is_empty()
    }

    /// The code of the language: `cs`.
    pub fn language(&self) -> &str {
        &self.language
    }
}

/// Message catalogs one above the other: what the first does not know the next may.
///
/// ```
/// use boardwright_localization::{MessageCatalog, Phrase, Localizer};
///
/// let phrase = |of: &str, text: &str| Phrase { of: of.into(), text: text.into() };
/// let catalog = MessageCatalog::new("cs", &[phrase("Red", "Červení"), phrase("{who} has {n} armies", "{who}: {n} {n|armáda|armády|armád}")]);
/// let localizer = Localizer::new([catalog.into()]);
/// assert_eq!(localizer.translate("Red has 3 armies"), "Červení: 3 armády");
/// assert_eq!(localizer.translate("Blue"), "Blue", "what nobody knows stays as it is");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Localizer {
    catalogs: Vec<std::sync::Arc<MessageCatalog>>,
}

/// How far a text has been looked up.
#[derive(Clone, Copy)]
struct Search<'s> {
    depth: usize,
    /// How many parts may still be.
    left: &'s Cell<u32>,
}

impl Search<'_> {
    fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    fn goes_on(self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0 && self.depth <= MOST_DEPTH
    }
}

/// What may fill the holes of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holes {
    /// Single items.
    Items,
    /// Lists of items as well.
    Lists,
}

/// A list that was said item by item.
struct Items {
    translated: String,
    are_all_known: bool,
}

impl Localizer {
    /// The catalogs, the one that is asked first in front.
    pub fn new(catalogs: impl IntoIterator<Item = std::sync::Arc<MessageCatalog>>) -> Self {
        Self {
            catalogs: catalogs.into_iter().filter(|catalog| !catalog.is_empty()).collect(),
        }
    }

    /// Whether all texts stay as they are.
    pub fn is_empty(&self) -> bool {
        self.catalogs.is_empty()
    }

    /// What a text becomes; the text itself where that is not known. A list that is not known as a whole is said item by item.
    pub fn translate<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // Numbers and signs, of which boards are full, are the same everywhere.
        let has_letters = || text.chars().any(char::is_alphabetic);
        if self.catalogs.is_empty() || text.len() > LONGEST || !has_letters() {
            return Cow::Borrowed(text);
        }
        let left = &Cell::new(MOST_PARTS);
        self.find(text, Search { depth: 0, left }).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// What a text becomes, if that is known of the text as a whole.
    pub fn knows(&self, text: &str) -> bool {
        let left = &Cell::new(MOST_PARTS);
        let knows = |holes| self.find_whole(text, Search { depth: 0, left }, holes).is_some();
        knows(Holes::Items) || knows(Holes::Lists)
    }

    /// The text as a whole, or item by item where all items are known; only then with a phrase whose holes take several items, for of a list
    /// that is no list of its own nobody could tell which phrase was meant.
    fn find(&self, text: &str, search: Search<'_>) -> Option<String> {
        if let Some(translated) = self.find_whole(text, search, Holes::Items) {
            return Some(translated);
        }
        let items = self.find_items(text, search);
        if let Some(Items {
            translated,
            are_all_known: true,
        }) = items
        {
            return Some(translated);
        }
        let with_lists = || self.find_whole(text, search, Holes::Lists);
        let is_list = LISTS.iter().any(|separator| text.contains(separator));
        is_list.then(with_lists).flatten().or(items.map(|items| items.translated))
    }

    fn find_whole(&self, text: &str, search: Search<'_>, holes: Holes) -> Option<String> {
        if !search.goes_on() {
            return None;
        }
        let whole = || self.catalogs.iter().find_map(|catalog| catalog.whole.get(text).cloned());
        let may_fill = |part: &str| holes == Holes::Lists || !LISTS.iter().any(|separator| part.contains(separator));
        let filled = |catalog: &MessageCatalog| {
            let translate = |part: &str| self.find(part, search.deeper());
            catalog
                .templates
                .iter()
                .find_map(|template| template.fill(text, &may_fill, &translate))
        };
        whole().or_else(|| self.catalogs.iter().find_map(|catalog| filled(catalog)))
    }

    /// A list said item by item, if any of its items is known.
    fn find_items(&self, text: &str, search: Search<'_>) -> Option<Items> {
        let separator = SEPARATORS.iter().find(|separator| text.contains(**separator))?;
        let items: Vec<&str> = text.split(separator).collect();
        let (mut translated, mut is_known, mut are_all_known, mut at) = (Vec::new(), false, true, 0);
        while let Some(rest) = items.get(at..).filter(|rest| !rest.is_empty()) {
            // What is known may itself hold what stands between items.
            let most = if items.len() > MOST_ITEMS { 1 } else { rest.len() };
            let several = (2..=most).rev().filter(|count| *count < items.len());
            let whole = |count: usize| self.find_whole(&rest.get(..count)?.join(separator), search.deeper(), Holes::Items);
            let known = several.filter_map(|count| Some((count, whole(count)?)));
            let (count, item) = known.into_iter().next().unwrap_or_else(|| {
                let item = rest.first().copied().unwrap_or_default();
                let found = self.find(item, search.deeper());
                is_known |= found.is_some();
                are_all_known &= found.is_some() || !item.chars().any(char::is_alphabetic);
                (1, found.unwrap_or_else(|| item.to_owned()))
            });
            is_known |= count > 1;
            translated.push(item);
            at += count;
        }
        let translated = translated.join(separator);
        is_known.then_some(Items { translated, are_all_known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn localizer(pairs: &[(&str, &str)]) -> Localizer {
        let all: Vec<Phrase> = pairs
            .iter()
            .map(|(of, text)| Phrase {
                of: (*of).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        Localizer::new([MessageCatalog::new("cs", &all).into()])
    }

    #[test]
    fn what_fills_a_hole_is_looked_up_in_its_turn() {
        let localizer = localizer(&[("{a} > {b} with {n}", "{a} → {b}: {n}"), ("Peru", "Peru"), ("Brazil", "Brazílie")]);
        assert_eq!(localizer.translate("Brazil > Peru with 3"), "Brazílie → Peru: 3");
        assert_eq!(localizer.translate("Chile > Brazil with 1"), "Chile → Brazílie: 1");
    }

    #[test]
    fn numbers_choose_the_form_and_texts_that_are_no_numbers_do_not_fit() {
        let localizer = localizer(&[("{n} armies", "{n} {n|armáda|armády|armád}"), ("{n} of", "{n|x|y|z}")]);
        let translated: Vec<_> = ["1 armies", "4 armies", "5 armies", "0 armies", "many armies", "2 of"]
            .map(|text| localizer.translate(text).into_owned())
            .into();
        assert_eq!(translated, ["1 armáda", "4 armády", "5 armád", "0 armád", "many armies", "y"]);
    }

    #[test]
    fn the_phrase_with_the_most_letters_of_its_own_is_taken() {
        let localizer = localizer(&[("{a} wins", "vítěz: {a}"), ("nobody wins", "nikdo"), ("{a} of {b} wins", "{b}/{a}")]);
        let translated: Vec<_> = ["Red wins", "nobody wins", "Red of Blue wins"]
            .map(|text| localizer.translate(text).into_owned())
            .into();
        assert_eq!(translated, ["vítěz: Red", "nikdo", "Blue/Red"]);
    }

    #[test]
    fn a_list_that_is_not_known_as_a_whole_is_said_item_by_item() {
        let localizer = localizer(&[("{n} areas", "{n} {n|území|území|území}"), ("Asia", "Asie"), ("Last", "Naposledy")]);
        assert_eq!(localizer.translate("3 areas, Asia, x"), "3 území, Asie, x");
        assert_eq!(localizer.translate("Last: Asia"), "Naposledy: Asie");
        assert_eq!(localizer.translate("a, b: c"), "a, b: c");
    }

    #[test]
    fn an_item_of_a_list_may_hold_what_stands_between_items() {
        let localizer = localizer(&[("full: make room", "plno: uvolněte"), ("full", "plno")]);
        assert_eq!(localizer.translate("x: full: make room: full"), "x: plno: uvolněte: plno");
    }

    #[test]
    fn a_list_is_said_item_by_item_before_a_hole_takes_several_items() {
        let localizer = localizer(&[
            ("{n} points", "{n} {n|bod|body|bodů}"),
            ("{n} left", "zbývá {n}"),
            ("{what} left", "{what} nechává"),
            ("{what} of them left behind", "{what} z nich zůstalo"),
            ("{points}, all placed", "{points}, vše položeno"),
            ("Red", "Červení"),
            ("there are {names} here", "jsou tu {names}"),
        ]);
        let translate = |text: &str| localizer.translate(text).into_owned();
        assert_eq!(translate("59 points, 9 left"), "59 bodů, zbývá 9");
        assert_eq!(translate("1 points; 9 left"), "1 bod; zbývá 9");
        assert_eq!(translate("2 points · 9 left · Red"), "2 body · zbývá 9 · Červení");
        assert_eq!(
            translate("2 points, all placed"),
            "2 body, vše položeno",
            "a separator may be the phrase's own"
        );
        assert_eq!(
            translate("Red: 2 points, all placed, 1 left"),
            "Červení: 2 body, vše položeno, zbývá 1"
        );
        assert_eq!(translate("2 points, 3 of them left behind"), "2 body, 3 z nich zůstalo");
        // Nobody knows all items, so that a phrase has to take them.
        assert_eq!(translate("there are Red, Blue here"), "jsou tu Červení, Blue");
        assert!(localizer.knows("there are a, b here") && !localizer.knows("2 points, 9 lost"));
    }

    #[test]
    fn the_first_book_that_knows_a_text_says_it() {
        let catalog = |of: &str, text: &str| {
            let phrase = Phrase {
                of: of.to_owned(),
                text: text.to_owned(),
            };
            std::sync::Arc::new(MessageCatalog::new("cs", [&phrase]))
        };
        let localizer = Localizer::new([catalog("a", "1"), catalog("a", "2"), catalog("b", "3")]);
        assert_eq!((localizer.translate("a"), localizer.translate("b")), ("1".into(), "3".into()));
        assert!(localizer.knows("b") && !localizer.knows("c") && !localizer.knows("a, b"));
    }

    #[test]
    fn of_two_phrases_for_a_text_the_later_one_holds() {
        assert_eq!(localizer(&[("Red", "Rudí"), ("Red", "Červení")]).translate("Red"), "Červení");
    }

    #[test]
    fn a_text_made_to_be_slow_is_given_up_and_stays_as_it_is() {
        let localizer = localizer(&[("{a}a{b}a{c}a{d}a{e}a{f}b", "{a}{b}{c}{d}{e}{f}")]);
        let hostile = "a".repeat(3_000);
        assert_eq!(localizer.translate(&hostile), hostile);
        let nested = "x: ".repeat(1_300);
        assert_eq!(localizer.translate(&nested), nested);
    }

    proptest::proptest! {
        #[test]
        fn no_phrase_and_no_text_breaks_the_looking_up(of in "[ab{}|, :]{0,12}", text in "[xn{}|, ]{0,12}", translated in "[ab, :{}]{0,40}") {
            let localizer = localizer(&[(&of, &text), ("{a}, {b}", "{b}, {a}"), ("{a} b {c}", "{c}{a}")]);
            let _ = localizer.translate(&translated);
            let _ = pieces(&of);
        }
    }

    #[test]
    fn braces_that_are_meant_are_doubled() {
        assert_eq!(localizer(&[("a {{b}}", "c {{d}}")]).translate("a {b}"), "c {d}");
    }
}
