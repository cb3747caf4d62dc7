//! What declarations are read with: one value after the other, with a complaint at its place for each that is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::{Locate, read_colour};
use crate::api::convert::{list_items, list_of, map_entries, text};
use crate::keys::keys_of;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};

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

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }
}

impl Reader<'_> {
    pub(super) fn complain(&mut self, message: impl AsRef<str>) {
        self.complain_as(Code::BadValue, message.as_ref());
    }

    fn complain_as(&mut self, code: Code, message: &str) {
        let place = (self.locate)(&self.way);
        let way = if self.way.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.way.join("."))
        };
        self.problems.push(Diagnostic::error(code, format!("{way}{message}")).at(place));
    }

    /// Complains about the value of a key.
    pub(super) fn complain_at(&mut self, key: &str, message: impl AsRef<str>) {
        self.within(key, |reader| reader.complain(message));
    }

    pub(super) fn within<R>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> R) -> R {
        self.way.push(key.to_owned());
        let result = read(self);
        self.way.pop();
        result
    }

    /// The value of a key, if it is there and as expected.
    fn value<T>(
        &mut self,
        item: &mut Item,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Dynamic) -> Result<T, &'static str>,
    ) -> Option<T> {
        let value = item.take(key)?;
        let found = read(&value).map_err(|found| self.complain_at(key, format!("expected {expected}, found {found}")));
        found.ok()
    }

    pub(super) fn text(&mut self, item: &mut Item, key: &str) -> Option<Arc<str>> {
        self.value(item, key, "a text", |value| text(value).ok_or_else(|| value.type_name()))
    }

    pub(super) fn flag(&mut self, item: &mut Item, key: &str) -> bool {
        self.value(item, key, "true or false", Dynamic::as_bool).unwrap_or_default()
    }

    pub(super) fn integer(&mut self, item: &mut Item, key: &str) -> Option<i64> {
        self.value(item, key, "a whole number", Dynamic::as_int)
    }

    /// A text that may not be missing.
    pub(super) fn needed(&mut self, item: &mut Item, key: &str) -> Arc<str> {
        let has = item.has(key);
        self.text(item, key).unwrap_or_else(|| {
            if !has {
                self.complain(format!("{key:?} is missing"));
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
            self.complain_at(key, format!("{word:?} is none of {}", known.join(", ")));
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
            self.complain_at("colour", format!("{text:?} is no colour: write #RRGGBB"));
            default
        })
    }

    /// Reads a list of declarations, each checked for keys that nothing asked for.
    pub(super) fn list<T>(&mut self, map: &mut Item, key: &str, mut read: impl FnMut(&mut Self, &mut Item) -> T) -> Vec<T> {
        let Some(value) = map.take(key) else { return Vec::new() };
        self.within(key, |reader| {
            let Some(items) = list_items(&value) else {
                reader.complain("expected a list of declarations");
                return Vec::new();
            };
            let each = |(index, item): (usize, &Dynamic)| {
                reader.within(&index.to_string(), |reader| {
                    let Some(entries) = map_entries(item) else {
                        reader.complain("expected a declaration: #{ name: ... }");
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
            self.within(key, |reader| reader.complain_as(Code::UnknownKey, &message));
        }
    }

    /// Complains about names that are not written as names are, and about those given twice.
    pub(super) fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Arc<str>>) {
        let mut seen = BTreeSet::new();
        for name in names {
            let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if !is_word {
                self.complain(format!(
                    "{what} {name:?}: a name has small letters, digits and _ and begins with a letter"
                ));
            }
            if !seen.insert(name) {
                self.complain(format!("{what} {name:?} is declared twice"));
            }
        }
    }
}
