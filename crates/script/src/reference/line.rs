//! What a line of the edit command `run` can be completed from.

use std::sync::LazyLock;

use boardwright_model::LineCompletions;

use super::words::{self, Word};

/// The words for lines, in the order of their names.
pub fn line_completions() -> &'static LineCompletions {
    static WORDS: LazyLock<LineCompletions> = LazyLock::new(read);
    &WORDS
}

fn read() -> LineCompletions {
    let mut found = LineCompletions {
        plain: ["turn", "view", "print("].map(str::to_owned).into(),
        ..LineCompletions::default()
    };
    let topics = words::topics(super::super::api::topics());
    for word in topics.into_iter().flat_map(|topic| topic.words).filter(|word| !word.is_operator) {
        let (receiver, text) = receiver_and_text(&word);
        match receiver {
            Some("view" | "turn") => found.of_turn.push(text),
            Some(_) => found.of_things.push(text),
            None => found.plain.push(text),
        }
    }
    for words in [&mut found.of_turn, &mut found.of_things, &mut found.plain] {
        words.sort();
        words.dedup();
    }
    found
}

/// What a word stands behind, and how it is written.
fn receiver_and_text(word: &Word) -> (Option<&str>, String) {
    let form = word.signature.split([' ', '(']).next().unwrap_or_default();
    let takes = word.signature.get(form.len()..).is_some_and(|rest| rest.starts_with('('));
    let text = format!("{}{}", word.name, if takes { "(" } else { "" });
    (form.rsplit_once('.').map(|(receiver, _)| receiver), text)
}
