//! The reference as a page.

use super::super::hooks::{HOOKS, Hook, STRATEGY_HOOKS};
use super::chapters::{DECLARATIONS, INTRODUCTION, LANGUAGE, STRATEGIES, TESTS, TYPES};
use super::put;
use super::words::Topic;

pub(super) fn page(topics: &[Topic]) -> String {
    let mut out = INTRODUCTION.to_owned();
    contents(&mut out, topics);
    hooks(&mut out);
    put(&mut out, format_args!("\n{DECLARATIONS}\n{TYPES}"));
    for topic in topics {
        put(&mut out, format_args!("\n## {}\n", topic.title));
        if topic.title == "Ruleset tests" {
            put(&mut out, format_args!("\n{TESTS}"));
        }
        if topic.title == "Strategies" {
            put(&mut out, format_args!("\n{STRATEGIES}\n"));
            hook_table(&mut out, STRATEGY_HOOKS);
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

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn hooks(out: &mut String) {
    out.push_str(
        "\n## Hooks\n\nWords in capitals stand for declared names: an action `march` with a pick `path` has the hooks `do_march` and `march_path`. Hooks \
         that are given a `view` only look; hooks that are given a `turn` may change things.\n\n",
    );
    hook_table(out, HOOKS);
}

fn hook_table(out: &mut String, hooks: &[&Hook]) {
    out.push_str("| Hook | Gives back | When |\n| --- | --- | --- |\n");
    for hook in hooks {
        put(
            out,
            format_args!(
                "| `{}{}` | {} | {} |\n",
                hook.name,
                cell(&hook.parameters()),
                cell(hook.gives),
                cell(hook.help)
            ),
        );
    }
}
