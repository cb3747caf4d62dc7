//! What the program itself says to people: sentences that a client may say in another language.

use std::fmt;
use std::sync::Arc;

/// A sentence of the program, in English. It is made by `sentence!("chosen when {at} events stood", at = 3)`: a text with the names of what
/// is filled in, so that a list of all sentences can be read out of the code and compared with the languages that clients speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence(String);

impl Sentence {
    /// A sentence that is put together already. Use `sentence!`.
    #[doc(hidden)]
    pub fn from_text(text: String) -> Self {
        Self(text)
    }

    /// Its words.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Sentence> for String {
    fn from(sentence: Sentence) -> Self {
        sentence.0
    }
}

impl From<Sentence> for Arc<str> {
    fn from(sentence: Sentence) -> Self {
        Self::from(sentence.0)
    }
}

/// A [`Sentence`]. The text is a literal, and what is filled in has names; as with `format!`, a name can be one of the surroundings.
#[macro_export]
macro_rules! sentence {
    ($text:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Sentence::from_text(format!($text $(, $name = $value)*))
    };
}
