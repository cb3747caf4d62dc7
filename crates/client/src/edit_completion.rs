//! Completion of edit commands: those of the host, and the functions of scripts in `run`.

use boardwright_host;
use boardwright_model::{Completion, Scope, State};
use boardwright_script::line_completions;

/// What stands in front of a line of a script.
const RUN: &str = "run ";

/// Completes an edit command. `state` is the match as its author sees it.
pub fn complete_edit(line: &str, state: &State) -> Completion {
    if line.trim_start().starts_with(RUN) {
        complete_script(line, state)
    } else {
        host::complete_edit(line, state)
    }
}

/// Completes the last word of a script: behind `turn.` what a turn can do and properties of the match, behind another point what anything
/// else can do and properties of anything else.
fn complete_script(line: &str, state: &State) -> Completion {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = line.trim_end_matches(is_of_name);
    let written = line.get(before.len()..).unwrap_or_default();
    let words = line_completions();
    let of_turn = ["turn.", "view."].iter().any(|thing| {
        let front = before.strip_suffix(thing);
        front.is_some_and(|front| !front.ends_with(|letter| is_of_name(letter) || letter == '.'))
    });
    let declared = |wanted: &dyn Fn(Scope) -> bool| -> Vec<String> {
        let all = state.frame().properties.iter().filter(|property| wanted(property.scope));
        all.filter(|property| state.frame().find_property(property.scope, &property.name).is_some())
            .map(|property| property.name.to_string())
            .collect()
    };
    let (own, declared) = if of_turn {
        (&words.of_turn, declared(&|scope| scope == Scope::Match))
    } else if before.ends_with('.') {
        (&words.of_things, declared(&|scope| scope != Scope::Match))
    } else {
        (&words.plain, Vec::new())
    };
    let mut found: Vec<String> = declared.into_iter().chain(own.iter().cloned()).collect();
    found.retain(|word| word.starts_with(written) && word != written);
    found.sort();
    found.dedup();
    Completion {
        start: before.len(),
        words: found,
        then: "",
    }
}
