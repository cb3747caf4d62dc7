//! The reference as a page.

use super::chapters::{DECLARATIONS, HOOKS, INTRODUCTION, LANGUAGE, TYPES};
use super::put;
use super::words::Topic;

pub(super) fn page(topics: &[Topic]) -> String {
    let mut out = INTRODUCTION.to_owned();
    contents(&mut out, topics);
    put(&mut out, format_args!("\n{HOOKS}\n{DECLARATIONS}\n{TYPES}"));
    for topic in topics {
        put(&mut out, format_args!("\n## {}\n", topic.title));
        if let Some(chapter) = topic.chapter {
            put(&mut out, format_args!("\n{chapter}"));
        }
        for word in &topic.words {
            put(&mut out, format_args!("\n### `{}`\n\n{}\n", word.signature, word.summary));
            if !word.example.is_empty() {
                put(&mut out, format_args!("\n```rhai\n{}\n```\n", word.example));
            }
        }
    }
    put(&mut out, format_args!("\n{LANGUAGE}"));
    out
}

fn contents(out: &mut String, topics: &[Topic]) {
    out.push('\n');
    let own = ["Hooks", "Declarations", "Types"].into_iter();
    let titles = own.chain(topics.iter().map(|topic| topic.title.as_str())).chain(["Language"]);
    for title in titles {
        let anchor: String = title
            .to_lowercase()
            .chars()
            .filter(|c| *c != ',')
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        put(out, format_args!("- [{title}](#{anchor})\n"));
    }
}
