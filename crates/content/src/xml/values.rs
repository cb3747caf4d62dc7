//! How values are written in attributes: each kind is read, checked, printed and documented in one place.

use super::lists;
use boardwright_ruleset::did_you_mean;

/// What is wrong with a value, and what to do about it.
pub type WrongValue = (String, Option<String>);

/// A way to write values of a type.
pub trait Codec<T> {
    /// Reads a value.
    ///
    /// # Errors
    /// The text does not stand for one.
    fn read(&self, text: &str) -> Result<T, WrongValue>;

    /// The text of a value.
    fn print(&self, value: &T) -> String;

    /// What the text may be, for a reference.
    fn expected(&self) -> String;

    /// Whether the text is a list, which may be broken into lines.
    fn is_list(&self) -> bool {
        false
    }
}

fn wrong<T>(expected: &str, found: &str) -> Result<T, WrongValue> {
    Err((format!("expected {expected}, found {found:?}"), None))
}

/// Texts.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    /// Any text.
    Any,
    /// Neither empty nor with blanks at its ends.
    Name,
    /// What files and folders are called; see [`is_id`].
    Id,
}

impl Codec<String> for Text {
    fn read(&self, text: &str) -> Result<String, WrongValue> {
        match self {
            Self::Name if text.is_empty() => Err(("the value is empty".to_owned(), None)),
            Self::Name if text.trim() != text => Err((format!("{text:?} begins or ends with a blank"), None)),
            Self::Id if !is_id(text) => wrong(&self.expected(), text),
            _ => Ok(text.to_owned()),
        }
    }

    fn print(&self, value: &String) -> String {
        value.clone()
    }

    fn expected(&self) -> String {
        match self {
            Self::Any => "any text",
            Self::Name => "a name",
            Self::Id => "small letters, digits and hyphens",
        }
        .to_owned()
    }
}

/// Whole numbers between two bounds, both allowed.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub i64, pub i64);

impl<T: TryFrom<i64> + ToString> Codec<T> for Number {
    fn read(&self, text: &str) -> Result<T, WrongValue> {
        let Self(least, most) = *self;
        let Ok(number) = text.trim().parse::<i64>() else {
            let is_bounded = least > i64::from(i32::MIN) && most < i64::from(i32::MAX);
            let help = is_bounded.then(|| format!("write a number from {least} to {most}"));
            return Err((format!("expected a whole number, found {text:?}"), help));
        };
        let value = T::try_from(number).ok().filter(|_| (least..=most).contains(&number));
        value.ok_or_else(|| {
            (
                format!("{text} is outside {least} to {most}"),
                Some("write a number in this range".to_owned()),
            )
        })
    }

    fn print(&self, value: &T) -> String {
        value.to_string()
    }

    fn expected(&self) -> String {
        format!("{} to {}", self.0, self.1)
    }
}

/// One of some words, each with what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Words<T: 'static>(pub &'static [(&'static str, T)]);

/// `yes` or `no`.
pub const FLAG: Words<bool> = Words(&[("yes", true), ("no", false)]);

impl<T: Copy + PartialEq> Codec<T> for Words<T> {
    fn read(&self, text: &str) -> Result<T, WrongValue> {
        let word = text.trim();
        let found = self.0.iter().find(|(known, _)| *known == word);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let help = did_you_mean(word, self.0.iter().map(|(known, _)| *known));
            (format!("expected one of {}, found {text:?}", self.expected()), help)
        })
    }

    fn print(&self, value: &T) -> String {
        let found = self.0.iter().find(|(_, known)| known == value);
        found.map_or_else(String::new, |(word, _)| (*word).to_owned())
    }

    fn expected(&self) -> String {
        self.0.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
    }
}

/// Names in one attribute; see [`lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Any number of them.
    Any,
    /// At least one.
    Filled,
}

impl Codec<Vec<String>> for List {
    fn read(&self, text: &str) -> Result<Vec<String>, WrongValue> {
        let names: Vec<String> = lists::split(text).into_iter().map(str::to_owned).collect();
        if names.is_empty() && *self == Self::Filled {
            return Err(("the list is empty".to_owned(), None));
        }
        Ok(names)
    }

    fn print(&self, value: &Vec<String>) -> String {
        lists::join(value)
    }

    fn expected(&self) -> String {
        "a list of names".to_owned()
    }

    fn is_list(&self) -> bool {
        true
    }
}

/// Values with a notation of their own.
pub struct Notation<T> {
    /// What is expected: `a version such as 0.1.0`.
    pub expected: &'static str,
    /// Reads a value.
    pub parse: fn(&str) -> Option<T>,
    /// The text of a value.
    pub print: fn(&T) -> String,
}

impl<T> Codec<T> for Notation<T> {
    fn read(&self, text: &str) -> Result<T, WrongValue> {
        (self.parse)(text).map_or_else(|| wrong(self.expected, text), Ok)
    }

    fn print(&self, value: &T) -> String {
        (self.print)(value)
    }

    fn expected(&self) -> String {
        self.expected.to_owned()
    }
}

/// Whether a text may be the name of a ruleset, map or scenario: 1 to 64 small letters, digits and single hyphens between them.
pub fn is_id(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= 64 && text.split('-').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_small_letters_digits_and_single_hyphens() {
        for id in ["a", "tic-tac-toe", "4x", "x-4"] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", "-", "a-", "-a", "a--b", "A", "a b", "a_b", "..", "a/b", "é", &"a".repeat(65)] {
            assert!(!is_id(id), "{id}");
        }
    }
}
