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
        let mut book = Self {
            language: language.to_owned(),
            ..Self::default()
        };
        for (of, text) in all {
            let Ok(template) = Template::new(of, text, language) else {
                continue;
            };
            match template.whole() {
                Some((of, text)) => drop(book.whole.insert(of, text)),
                None => book.templates.push(template),
            }
        }
        book.templates.sort_by_key(|template| std::cmp::Reverse(template.letters()));
        book
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

/// Phrasebooks one above the other: what the first does not know the next may.
///
/// ```
/// use boardwright_localization::{MessageCatalog, Phrase, Phrases};
///
/// let phrase = |of: &str, text: &str| Phrase { of: of.into(), text: text.into() };
/// let book = MessageCatalog::new("cs", &[phrase("Red", "Červení"), phrase("{who} has {n} armies", "{who}: {n} {n|armáda|armády|armád}")]);
/// let phrases = Phrases::new([book.into()]);
/// assert_eq!(phrases.say("Red has 3 armies"), "Červení: 3 armády");
/// assert_eq!(phrases.say("Blue"), "Blue", "what nobody knows stays as it is");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phrases {
    books: Vec<std::sync::Arc<MessageCatalog>>,
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

impl Phrases {
    /// The books, the one that is asked first in front.
    pub fn new(books: impl IntoIterator<Item = std::sync::Arc<MessageCatalog>>) -> Self {
        Self {
            books: books.into_iter().filter(|book| !book.is_empty()).collect(),
        }
    }

    /// Whether all texts stay as they are.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// What a text becomes; the text itself where that is not known. A list that is not known as a whole is said item by item.
    pub fn say<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // Numbers and signs, of which boards are full, are the same everywhere.
        let is_said = || text.chars().any(char::is_alphabetic);
        if self.books.is_empty() || text.len() > LONGEST || !is_said() {
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
        let whole = || self.books.iter().find_map(|book| book.whole.get(text).cloned());
        let may_fill = |part: &str| holes == Holes::Lists || !LISTS.iter().any(|separator| part.contains(separator));
        let filled = |book: &MessageCatalog| {
            let say = |part: &str| self.find(part, search.deeper());
            book.templates.iter().find_map(|template| template.fill(text, &may_fill, &say))
        };
        whole().or_else(|| self.books.iter().find_map(|book| filled(book)))
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

    fn phrases(pairs: &[(&str, &str)]) -> Phrases {
        let all: Vec<Phrase> = pairs
            .iter()
            .map(|(of, text)| Phrase {
                of: (*of).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        Phrases::new([MessageCatalog::new("cs", &all).into()])
    }

    #[test]
    fn what_fills_a_hole_is_looked_up_in_its_turn() {
        let phrases = phrases(&[("{a} > {b} with {n}", "{a} → {b}: {n}"), ("Peru", "Peru"), ("Brazil", "Brazílie")]);
        assert_eq!(phrases.say("Brazil > Peru with 3"), "Brazílie → Peru: 3");
        assert_eq!(phrases.say("Chile > Brazil with 1"), "Chile → Brazílie: 1");
    }

    #[test]
    fn numbers_choose_the_form_and_texts_that_are_no_numbers_do_not_fit() {
        let phrases = phrases(&[("{n} armies", "{n} {n|armáda|armády|armád}"), ("{n} of", "{n|x|y|z}")]);
        let translated: Vec<_> = ["1 armies", "4 armies", "5 armies", "0 armies", "many armies", "2 of"]
            .map(|text| phrases.say(text).into_owned())
            .into();
        assert_eq!(translated, ["1 armáda", "4 armády", "5 armád", "0 armád", "many armies", "y"]);
    }

    #[test]
    fn the_phrase_with_the_most_letters_of_its_own_is_taken() {
        let phrases = phrases(&[("{a} wins", "vítěz: {a}"), ("nobody wins", "nikdo"), ("{a} of {b} wins", "{b}/{a}")]);
        let translated: Vec<_> = ["Red wins", "nobody wins", "Red of Blue wins"]
            .map(|text| phrases.say(text).into_owned())
            .into();
        assert_eq!(translated, ["vítěz: Red", "nikdo", "Blue/Red"]);
    }

    #[test]
    fn a_list_that_is_not_known_as_a_whole_is_said_item_by_item() {
        let phrases = phrases(&[("{n} areas", "{n} {n|území|území|území}"), ("Asia", "Asie"), ("Last", "Naposledy")]);
        assert_eq!(phrases.say("3 areas, Asia, x"), "3 území, Asie, x");
        assert_eq!(phrases.say("Last: Asia"), "Naposledy: Asie");
        assert_eq!(phrases.say("a, b: c"), "a, b: c");
    }

    #[test]
    fn an_item_of_a_list_may_hold_what_stands_between_items() {
        let phrases = phrases(&[("full: make room", "plno: uvolněte"), ("full", "plno")]);
        assert_eq!(phrases.say("x: full: make room: full"), "x: plno: uvolněte: plno");
    }

    #[test]
    fn a_list_is_said_item_by_item_before_a_hole_takes_several_items() {
        let phrases = phrases(&[
            ("{n} points", "{n} {n|bod|body|bodů}"),
            ("{n} left", "zbývá {n}"),
            ("{what} left", "{what} nechává"),
            ("{what} of them left behind", "{what} z nich zůstalo"),
            ("{points}, all placed", "{points}, vše položeno"),
            ("Red", "Červení"),
            ("there are {names} here", "jsou tu {names}"),
        ]);
        let say = |text: &str| phrases.say(text).into_owned();
        assert_eq!(say("59 points, 9 left"), "59 bodů, zbývá 9");
        assert_eq!(say("1 points; 9 left"), "1 bod; zbývá 9");
        assert_eq!(say("2 points · 9 left · Red"), "2 body · zbývá 9 · Červení");
        assert_eq!(
            say("2 points, all placed"),
            "2 body, vše položeno",
            "a separator may be the phrase's own"
        );
        assert_eq!(say("Red: 2 points, all placed, 1 left"), "Červení: 2 body, vše položeno, zbývá 1");
        assert_eq!(say("2 points, 3 of them left behind"), "2 body, 3 z nich zůstalo");
        // Nobody knows all items, so that a phrase has to take them.
        assert_eq!(say("there are Red, Blue here"), "jsou tu Červení, Blue");
        assert!(phrases.knows("there are a, b here") && !phrases.knows("2 points, 9 lost"));
    }

    #[test]
    fn the_first_book_that_knows_a_text_says_it() {
        let book = |of: &str, text: &str| {
            let phrase = Phrase {
                of: of.to_owned(),
                text: text.to_owned(),
            };
            std::sync::Arc::new(MessageCatalog::new("cs", [&phrase]))
        };
        let phrases = Phrases::new([book("a", "1"), book("a", "2"), book("b", "3")]);
        assert_eq!((phrases.say("a"), phrases.say("b")), ("1".into(), "3".into()));
        assert!(phrases.knows("b") && !phrases.knows("c") && !phrases.knows("a, b"));
    }

    #[test]
    fn of_two_phrases_for_a_text_the_later_one_holds() {
        assert_eq!(phrases(&[("Red", "Rudí"), ("Red", "Červení")]).say("Red"), "Červení");
    }

    #[test]
    fn a_text_made_to_be_slow_is_given_up_and_stays_as_it_is() {
        let phrases = phrases(&[("{a}a{b}a{c}a{d}a{e}a{f}b", "{a}{b}{c}{d}{e}{f}")]);
        let hostile = "a".repeat(3_000);
        assert_eq!(phrases.say(&hostile), hostile);
        let nested = "x: ".repeat(1_300);
        assert_eq!(phrases.say(&nested), nested);
    }

    proptest::proptest! {
        #[test]
        fn no_phrase_and_no_text_breaks_the_looking_up(of in "[ab{}|, :]{0,12}", text in "[xn{}|, ]{0,12}", translated in "[ab, :{}]{0,40}") {
            let phrases = phrases(&[(&of, &text), ("{a}, {b}", "{b}, {a}"), ("{a} b {c}", "{c}{a}")]);
            let _ = phrases.say(&translated);
            let _ = pieces(&of);
        }
    }

    #[test]
    fn braces_that_are_meant_are_doubled() {
        assert_eq!(phrases(&[("a {{b}}", "c {{d}}")]).say("a {b}"), "c {d}");
    }
}
