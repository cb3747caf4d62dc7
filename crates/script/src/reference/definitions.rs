//! Definitions for editors of text that know the language, such as those with the Rhai language server.

use super::language;
use super::put;
use super::words::Topic;

pub(super) fn file(topics: &[Topic]) -> String {
    let mut out = String::from("// Definitions of the script API for text editors. Generated; see docs/script-api.md.\nmodule static;\n");
    for topic in topics {
        put(&mut out, format_args!("\n// {}\n", topic.title));
        for word in topic.words.iter().filter(|word| word.name != "[]") {
            out.push('\n');
            for line in word.summary.lines() {
                put(&mut out, format_args!("{}\n", format!("/// {line}").trim_end()));
            }
            if !word.example.is_empty() {
                out.push_str("///\n/// ```rhai\n");
                for line in word.example.lines() {
                    put(&mut out, format_args!("/// {line}\n"));
                }
                out.push_str("/// ```\n");
            }
            out.push_str(&word.definition);
            out.push('\n');
        }
    }
    for (title, entries) in language::groups() {
        put(&mut out, format_args!("\n// {title}\n"));
        for entry in &entries {
            if let Some(definition) = language::definition(entry) {
                let (help, example) = (&entry.help, &entry.example);
                put(
                    &mut out,
                    format_args!("\n/// {help}\n///\n/// ```rhai\n/// {example}\n/// ```\n{definition}\n"),
                );
            }
        }
    }
    out
}
