//! What declarations are read with: one value after the other, with a complaint at its place for each that is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::{Locate, read_colour};
use crate::api::convert::{list_items, list_of, map_entries, text};
use crate::keys::keys_of;
use crate::value::described;
use boardwright_model::ValueError;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_ruleset::did_you_mean;

/// Reads declarations, and remembers where it is in them.
pub(super) struct Reader<'a> {
    pub(super) problems: Diagnostics,
    pub(super) way: Vec<String>,
    pub(super) locate: &'a Locate<'a>,
}

/// One declaration: its entries that were not asked for yet, and the keys it may have.
pub(super) struct Item {
    entries: Map,
    keys: &'static [String],
}

impl Item {
    pub(super) fn new(entries: Map, list: &str) -> Self {
        Self {
            entries,
            keys: keys_of(list),
        }
    }

    /// Hands over the value of a key.
    pub(super) fn take(&mut self, key: &str) -> Option<Dynamic> {
        debug_assert!(self.keys.iter().any(|known| known == key), "{key:?} is not of this section");
        self.entries.remove(key)
    }

    /// The value of a key, which stays to be taken.
    pub(super) fn get(&self, key: &str) -> Option<&Dynamic> {
        self.entries.get(key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }
}

impl Reader<'_> {
    pub(super) fn complain(&mut self, message: impl AsRef<str>) {
        self.complain_as(Code::BadValue, message.as_ref());
    }

    /// Complains about a name that stands for nothing, with those that do.
    pub(super) fn unknown_at(&mut self, key: &str, message: impl AsRef<str>, name: &str, known: &[&str]) {
        let cure = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| match known {
            [] => "none is declared".to_owned(),
            known => format!("there are {}", known.join(", ")),
        });
        self.within(key, |reader| reader.complain_with(Code::UnknownName, message.as_ref(), &cure));
    }

    fn complain_as(&mut self, code: Code, message: &str) {
        let cure = match self.way.first() {
            Some(section) => format!("`boardwright docs` says what may stand here, in the section `{section}` of Declarations"),
            None => "`boardwright docs` says what may stand here, under Declarations".to_owned(),
        };
        self.complain_with(code, message, &cure);
    }

    pub(super) fn complain_with(&mut self, code: Code, message: &str, cure: &str) {
        let place = (self.locate)(&self.way);
        let way = if self.way.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.way.join("."))
        };
        self.problems
            .push(Diagnostic::error(code, format!("{way}{message}")).at(place).with_help(cure));
    }

    /// Complains about the value of a key.
    pub(super) fn complain_at(&mut self, key: &str, message: impl AsRef<str>) {
        self.within(key, |reader| reader.complain(message));
    }

    /// Complains about a value that its type does not allow.
    pub(super) fn complain_of(&mut self, key: &str, error: &ValueError) {
        self.within(key, |reader| {
            reader.complain_with(Code::BadValue, &error.to_string(), &error.help());
        });
    }

    pub(super) fn within<R>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> R) -> R {
        self.way.push(key.to_owned());
        let result = read(self);
        self.way.pop();
        result
    }

    /// The value of a key, if it is there and as expected.
    fn value<T>(&mut self, item: &mut Item, key: &str, expected: &str, read: impl FnOnce(&Dynamic) -> Option<T>) -> Option<T> {
        let value = item.take(key)?;
        let found = read(&value);
        if found.is_none() {
            let message = format!("expected {expected}, found {}", described(&value));
            let cure = match expected {
                "a text" => "texts stand in double quotes",
                "a whole number" => "write the number without quotes",
                _ => "write `true` or `false`, without quotes",
            };
            self.within(key, |reader| reader.complain_with(Code::WrongType, &message, cure));
        }
        found
    }

    pub(super) fn text(&mut self, item: &mut Item, key: &str) -> Option<Arc<str>> {
        self.value(item, key, "a text", text)
    }

    pub(super) fn flag(&mut self, item: &mut Item, key: &str) -> bool {
        self.value(item, key, "true or false", |value| value.as_bool().ok())
            .unwrap_or_default()
    }

    pub(super) fn integer(&mut self, item: &mut Item, key: &str) -> Option<i64> {
        self.value(item, key, "a whole number", |value| value.as_int().ok())
    }

    /// A text that may not be missing.
    pub(super) fn needed(&mut self, item: &mut Item, key: &str) -> Arc<str> {
        let has = item.has(key);
        self.text(item, key).unwrap_or_else(|| {
            if !has {
                let cure = format!("write `{key}: \"..\"`");
                self.complain_with(Code::MissingValue, &format!("{key:?} is missing"), &cure);
            }
            Arc::from("?")
        })
    }

    /// The name, which may not be missing, and the title: by default the name with spaces and a capital.
    pub(super) fn name_and_title(&mut self, item: &mut Item) -> (Arc<str>, Arc<str>) {
        let name = self.needed(item, "name");
        let title = self.text(item, "title").unwrap_or_else(|| {
            let mut spaced = name.replace('_', " ");
            if let Some(first) = spaced.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            Arc::from(spaced)
        });
        (name, title)
    }

    /// What the word of a key stands for, of those that are known.
    pub(super) fn meaning<T: Copy>(&mut self, key: &str, word: &str, known: &[(T, &str)]) -> Option<T> {
        let found = known.iter().find(|(_, known)| *known == word).map(|(meaning, _)| *meaning);
        if found.is_none() {
            let known: Vec<&str> = known.iter().map(|(_, word)| *word).collect();
            let message = format!("{word:?} is none of {}", known.join(", "));
            let cure = did_you_mean(word, known.iter().copied()).unwrap_or_else(|| "write one of them".to_owned());
            self.within(key, |reader| reader.complain_with(Code::BadValue, &message, &cure));
        }
        found
    }

    pub(super) fn words(&mut self, item: &mut Item, key: &str) -> Vec<Arc<str>> {
        let Some(value) = item.take(key) else { return Vec::new() };
        list_of(&value, text).unwrap_or_else(|| {
            self.complain_at(key, "expected a list of texts");
            Vec::new()
        })
    }

    pub(super) fn colour(&mut self, item: &mut Item, default: u32) -> u32 {
        let Some(text) = self.text(item, "colour") else { return default };
        read_colour(&text).unwrap_or_else(|| {
            let message = format!("{text:?} is no colour");
            self.within("colour", |reader| {
                reader.complain_with(Code::BadValue, &message, "write \"#RRGGBB\", such as \"#c03020\" for a red");
            });
            default
        })
    }

    /// Reads a list of declarations, each checked for keys that nothing asked for.
    pub(super) fn list<T>(&mut self, map: &mut Item, key: &str, mut read: impl FnMut(&mut Self, &mut Item) -> T) -> Vec<T> {
        let Some(value) = map.take(key) else { return Vec::new() };
        self.within(key, |reader| {
            let Some(items) = list_items(&value) else {
                let cure = format!("write `{key}: [#{{ name: \"..\" }}]`");
                reader.complain_with(Code::BadValue, "expected a list of declarations", &cure);
                return Vec::new();
            };
            let each = |(index, item): (usize, &Dynamic)| {
                reader.within(&index.to_string(), |reader| {
                    let Some(entries) = map_entries(item) else {
                        let message = format!("expected a declaration, found {}", described(item));
                        reader.complain_with(Code::BadValue, &message, "write `#{ name: \"..\" }`");
                        return None;
                    };
                    let mut item = Item::new(entries, key);
                    let declared = read(reader, &mut item);
                    reader.leftover(&item);
                    Some(declared)
                })
            };
            items.iter().enumerate().filter_map(each).collect()
        })
    }

    pub(super) fn leftover(&mut self, item: &Item) {
        for key in item.entries.keys() {
            let message = format!("there is no such key here; there are {}", item.keys.join(", "));
            let cure = did_you_mean(key, item.keys.iter().map(String::as_str));
            let cure = cure.unwrap_or_else(|| "take it away; each key is explained in `boardwright docs`, under Declarations".to_owned());
            self.within(key, |reader| reader.complain_with(Code::UnknownKey, &message, &cure));
        }
    }

    /// Complains about names that are not written as names are, and about those given twice.
    pub(super) fn unique<'n>(&mut self, what: &str, list: &str, names: impl Iterator<Item = &'n Arc<str>>) {
        self.unique_at(what, list, names.enumerate());
    }

    /// The same for names with their positions in the list of declarations.
    pub(super) fn unique_at<'n>(&mut self, what: &str, list: &str, names: impl Iterator<Item = (usize, &'n Arc<str>)>) {
        let mut seen = BTreeSet::new();
        for (index, name) in names {
            let way = [list.to_owned(), index.to_string(), "name".to_owned()];
            let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            let depth = self.way.len();
            self.way.extend(way);
            // What is missing was told already.
            if !is_word && **name != *"?" {
                let cure = "what players read is the title: `#{ name: \"dark_knight\", title: \"Dark knight\" }`";
                let message = format!("{what} {name:?}: a name has small letters, digits and _ and begins with a letter");
                self.complain_with(Code::BadValue, &message, cure);
            }
            if !seen.insert(name) && **name != *"?" {
                let message = format!("{what} {name:?} is declared twice");
                self.complain_with(Code::DuplicateName, &message, "give this one another name, or take it away");
            }
            self.way.truncate(depth);
        }
    }
}
