//! Colours for scripts: what is a comment, a text, a number, a word of the language. It follows the grammar of Rhai as far as that
//! tells these apart, also in scripts that are not right yet.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId};

use crate::theme::Palette;

const WORDS: [&str; 38] = [
    "as", "break", "case", "catch", "const", "continue", "default", "do", "else", "eval", "export", "false", "fn", "for", "global", "if",
    "import", "in", "let", "loop", "match", "new", "private", "return", "static", "switch", "sync", "this", "throw", "true", "try",
    "until", "var", "while", "with", "base", "call", "is",
];

/// What a part of a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Plain,
    Comment,
    Doc,
    Text,
    Number,
    Word,
    Call,
}

/// Cuts a script into parts, in order and without gaps. Neighbours of one sort are one part.
pub(super) fn parts(script: &str) -> Vec<(Sort, &str)> {
    let mut parts: Vec<(Sort, &str)> = Vec::new();
    let (mut begin, mut end) = (0, 0);
    while let Some(rest) = script.get(end..).filter(|rest| !rest.is_empty()) {
        let (sort, length) = next(rest);
        match parts.last() {
            Some((last, _)) if *last == sort => _ = parts.pop(),
            _ => begin = end,
        }
        end = (end + length).min(script.len());
        parts.push((sort, script.get(begin..end).unwrap_or(rest)));
    }
    parts
}

/// The sort of what a script begins with, and its length in bytes.
fn next(rest: &str) -> (Sort, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    if rest.starts_with("//") {
        let is_doc = (rest.starts_with("///") && !rest.starts_with("////")) || rest.starts_with("//!");
        let length = rest.find('\n').unwrap_or(rest.len());
        return (if is_doc { Sort::Doc } else { Sort::Comment }, length);
    }
    if rest.starts_with("/*") {
        return (Sort::Comment, comment(rest));
    }
    if rest.starts_with("#\"") || rest.starts_with("##") {
        let hashes = rest.chars().take_while(|letter| *letter == '#').count();
        let raw = rest.get(hashes..).is_some_and(|after| after.starts_with('"'));
        if raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let inside = rest.get(hashes + 1..).unwrap_or_default();
            return (Sort::Text, inside.find(&end).map_or(rest.len(), |at| hashes + 1 + at + end.len()));
        }
    }
    if matches!(first, '"' | '\'' | '`') {
        return (Sort::Text, quoted(rest, first));
    }
    if first.is_ascii_digit() {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        return (Sort::Number, rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()));
    }
    if first.is_alphabetic() || first == '_' {
        let length = rest
            .find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        let sort = if WORDS.contains(&name) {
            Sort::Word
        } else if after.trim_start_matches(' ').starts_with('(') {
            Sort::Call
        } else {
            Sort::Plain
        };
        return (sort, length);
    }
    (Sort::Plain, first.len_utf8())
}

fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(here) = rest.get(at..).filter(|here| !here.is_empty()) {
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a text. Plain texts end with their line at the latest, so that a forgotten quote does not colour the whole script.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if letter == '\\' && quote != '`' {
            is_escaped = true;
        } else if letter == quote {
            return at + 1;
        } else if letter == '\n' && quote != '`' {
            return at;
        }
    }
    rest.len()
}

pub(super) fn coloured(script: &str, palette: &Palette, font: &FontId) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (sort, part) in parts(script) {
        let format = TextFormat {
            italics: sort == Sort::Comment,
            ..TextFormat::simple(font.clone(), colour(sort, palette))
        };
        job.append(part, 0.0, format);
    }
    job
}

fn colour(sort: Sort, palette: &Palette) -> Color32 {
    match sort {
        Sort::Plain => palette.text,
        Sort::Comment => palette.muted,
        Sort::Doc => palette.good,
        Sort::Text => palette.warning,
        Sort::Number => palette.danger,
        Sort::Word => palette.hint,
        Sort::Call => palette.accent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorts(script: &str) -> Vec<(Sort, &str)> {
        let parts = parts(script);
        let whole: String = parts.iter().map(|(_, part)| *part).collect();
        assert_eq!(whole, script, "nothing may be lost");
        parts.into_iter().filter(|(sort, _)| *sort != Sort::Plain).collect()
    }

    #[test]
    fn the_parts_of_a_script_are_told_apart() {
        assert_eq!(
            sorts("/// 2 A rule.\nfn f(x) { // note\n  return g(\"a\\\"b\", 1_000) + `${x}`; }"),
            [
                (Sort::Doc, "/// 2 A rule."),
                (Sort::Word, "fn"),
                (Sort::Call, "f"),
                (Sort::Comment, "// note"),
                (Sort::Word, "return"),
                (Sort::Call, "g"),
                (Sort::Text, "\"a\\\"b\""),
                (Sort::Number, "1_000"),
                (Sort::Text, "`${x}`"),
            ]
        );
    }

    #[test]
    fn what_is_not_closed_ends_where_it_does_least_harm() {
        assert_eq!(sorts("\"open\nlet x"), [(Sort::Text, "\"open"), (Sort::Word, "let")]);
        assert_eq!(sorts("/* a /* b */ c"), [(Sort::Comment, "/* a /* b */ c")]);
        assert_eq!(sorts("`a\nb"), [(Sort::Text, "`a\nb")]);
        assert_eq!(sorts("#{ a: #\"raw \"x\" \"# }"), [(Sort::Text, "#\"raw \"x\" \"#")]);
        sorts("žluťoučký kůň \u{0} é'");
    }
}
