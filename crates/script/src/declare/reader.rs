//! What declarations are read with: one value after the other, with a complaint at its place for each that is wrong.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::{Locate, read_colour};
use crate::api::convert::{list_items, map_entries};
use crate::keys::{self, Key, keys_of};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};

/// Reads declarations, and remembers where it is in them.
pub(super) struct Reader<'a> {
    pub(super) problems: Diagnostics,
    pub(super) way: Vec<String>,
    pub(super) locate: &'a Locate<'a>,
}

/// One declaration: its entries that were not asked for yet, and the keys it may have.
pub(super) struct Item {
    pub(super) entries: Map,
    pub(super) keys: &'static [Key],
}

impl Item {
    pub(super) fn new(entries: Map, list: &str) -> Self {
        Self {
            entries,
            keys: keys_of(list),
        }
    }

    /// Hands over the value of a key.
    pub(super) fn take(&mut self, key: Key) -> Option<Dynamic> {
        debug_assert!(
            self.keys.iter().any(|known| known.name == key.name),
            "{key:?} is not of this section"
        );
        self.entries.remove(key.name)
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.entries.contains_key(key.name)
    }
}

impl Reader<'_> {
    pub(super) fn complain(&mut self, message: impl AsRef<str>) {
        self.complain_as(Code::BadValue, message.as_ref());
    }

    pub(super) fn complain_as(&mut self, code: Code, message: &str) {
        let place = (self.locate)(&self.way);
        let way = if self.way.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.way.join("."))
        };
        self.problems.push(Diagnostic::error(code, format!("{way}{message}")).at(place));
    }

    pub(super) fn within<R>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> R) -> R {
        self.way.push(key.to_owned());
        let result = read(self);
        self.way.pop();
        result
    }

    pub(super) fn text(&mut self, item: &mut Item, key: Key) -> Option<Arc<str>> {
        let value = item.take(key)?;
        match value.as_immutable_string_ref() {
            Ok(text) => Some(Arc::from(text.as_str())),
            Err(found) => {
                self.within(key.name, |reader| reader.complain(format!("expected a text, found {found}")));
                None
            }
        }
    }

    /// A text that may not be missing.
    pub(super) fn name(&mut self, item: &mut Item, key: Key) -> Arc<str> {
        let has = item.has(key);
        self.text(item, key).unwrap_or_else(|| {
            if !has {
                self.complain(format!("{:?} is missing", key.name));
            }
            Arc::from("?")
        })
    }

    /// The title; by default the name with spaces and a capital.
    pub(super) fn title(&mut self, item: &mut Item, name: &str) -> Arc<str> {
        self.text(item, keys::TITLE).unwrap_or_else(|| {
            let mut spaced = name.replace('_', " ");
            if let Some(first) = spaced.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            Arc::from(spaced)
        })
    }

    pub(super) fn flag(&mut self, item: &mut Item, key: Key) -> bool {
        let Some(value) = item.take(key) else { return false };
        value.as_bool().unwrap_or_else(|found| {
            self.within(key.name, |reader| reader.complain(format!("expected true or false, found {found}")));
            false
        })
    }

    pub(super) fn integer(&mut self, item: &mut Item, key: Key) -> Option<i64> {
        let value = item.take(key)?;
        value
            .as_int()
            .map_err(|found| {
                self.within(key.name, |reader| {
                    reader.complain(format!("expected a whole number, found {found}"));
                });
            })
            .ok()
    }

    pub(super) fn words(&mut self, item: &mut Item, key: Key) -> Vec<Arc<str>> {
        let Some(value) = item.take(key) else { return Vec::new() };
        let texts = list_items(&value).map(|items| {
            items
                .iter()
                .map(|item| item.as_immutable_string_ref().ok().map(|text| Arc::from(text.as_str())))
                .collect::<Option<Vec<_>>>()
        });
        texts.flatten().unwrap_or_else(|| {
            self.within(key.name, |reader| reader.complain("expected a list of texts"));
            Vec::new()
        })
    }

    pub(super) fn colour(&mut self, item: &mut Item, key: Key, default: u32) -> u32 {
        let Some(text) = self.text(item, key) else { return default };
        read_colour(&text).unwrap_or_else(|| {
            self.within(key.name, |reader| reader.complain(format!("{text:?} is no colour: write #RRGGBB")));
            default
        })
    }

    /// Reads a list of declarations, each checked for keys that nothing asked for, and for names given twice.
    pub(super) fn list<T>(&mut self, map: &mut Item, key: Key, mut read: impl FnMut(&mut Self, &mut Item) -> T) -> Vec<T> {
        let Some(value) = map.take(key) else { return Vec::new() };
        self.within(key.name, |reader| {
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
                    let mut item = Item::new(entries, key.name);
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
            let known: Vec<&str> = item.keys.iter().map(|key| key.name).collect();
            let message = format!("there is no such key here; there are {}", known.join(", "));
            self.within(key, |reader| reader.complain_as(Code::UnknownKey, &message));
        }
    }

    pub(super) fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Arc<str>>) {
        let mut seen: Vec<&Arc<str>> = Vec::new();
        for name in names {
            let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if !is_word {
                self.complain(format!(
                    "{what} {name:?}: a name has small letters, digits and _ and begins with a letter"
                ));
            }
            if seen.contains(&name) {
                self.complain(format!("{what} {name:?} is declared twice"));
            }
            seen.push(name);
        }
    }
}
