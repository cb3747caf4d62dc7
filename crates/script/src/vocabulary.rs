//! The words of the script API by name, for suggestions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::reference::{self, language_words};
use boardwright_ruleset::did_you_mean;

/// No more forms of a word than this are told.
const MOST_FORMS: usize = 3;

struct Vocabulary {
    /// How each word is written, by its name.
    forms: BTreeMap<String, Vec<String>>,
    /// The words behind a point, by what stands before it: `view`, `cell`, `list`.
    members: BTreeMap<String, BTreeSet<String>>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary {
        forms: BTreeMap::new(),
        members: BTreeMap::new(),
    };
    let words = reference::topics().into_iter().flat_map(|topic| topic.words);
    let words = words.filter(|word| !word.is_operator).map(|word| (word.name, word.signature));
    for (name, signature) in words.chain(language_words()) {
        let front = signature.split(['(', ' ']).next().unwrap_or_default();
        if let Some((owner, _)) = front.split_once('.') {
            vocabulary.members.entry(owner.to_owned()).or_default().insert(name.clone());
        }
        vocabulary.forms.entry(name).or_default().push(signature);
    }
    vocabulary
});

/// How a word of the reference is written.
pub(crate) fn forms(name: &str) -> Option<String> {
    let forms = VOCABULARY.forms.get(name)?;
    let shown: Vec<String> = forms.iter().take(MOST_FORMS).map(|form| format!("`{form}`")).collect();
    let more = if forms.len() > shown.len() { " and more" } else { "" };
    Some(format!("{}{more}", shown.join(" or ")))
}

/// Whether a name is that of a word, of whatever.
pub(crate) fn is_word(name: &str) -> bool {
    VOCABULARY.forms.contains_key(name)
}

/// What may stand before the point for a value of a type, as signatures write it.
fn owners(of: &str) -> Vec<String> {
    match of {
        "View" => vec!["view".to_owned(), "turn".to_owned()],
        "Test" => vec!["t".to_owned(), "test".to_owned()],
        "table" => vec!["list".to_owned(), "map".to_owned()],
        "text" => vec!["text".to_owned(), "string".to_owned()],
        other => vec![other.to_lowercase()],
    }
}

/// The word of a type that was probably meant.
pub(crate) fn meant<'a>(of: &str, name: &str, declared: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let owners = owners(of);
    let members = owners.iter().filter_map(|owner| VOCABULARY.members.get(owner)).flatten();
    did_you_mean(name, members.map(String::as_str).chain(declared))
}
