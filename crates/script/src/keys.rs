//! The keys that `ruleset()` may declare: the rows of the reference.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::reference::chapters::{DECLARATIONS, quoted, rows, sections};

/// The keys of declarations in a list, or of `ruleset()` itself.
pub(crate) fn keys_of(list: &str) -> &'static [String] {
    static KEYS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
        let keys = |section| rows(section).filter_map(|row| row.first().map(|cell| quoted(cell))).collect();
        sections(DECLARATIONS)
            .map(|(list, section)| (quoted(list), keys(section)))
            .collect()
    });
    KEYS.get(list).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Limits, ScriptSource};
    use super::*;
    use boardwright_ruleset::{Layer, Sources};

    /// What the actions, contests and endings of the examples need.
    const HOOKS: &str =
        "fn do_resign(turn, picked) {} fn do_rest(turn, picked) {} fn do_march(turn, picked) {} fn march_army(view) { [] } fn march_path(view, picked) { [] }
        fn do_defend(turn, picked) {} fn defend_card(view) { [] } fn do_stand(turn, picked) {}
        fn round_battle(view, sides) {} fn clash_battle(turn, round) { #{} } fn result_battle(view, sides) { \"lost\" }
        fn heat_map_danger(view) { [] } fn final_score(view) { [0, 0] }";

    /// The example of a section; none for lists inside of others.
    fn example(section: &str) -> &str {
        let example = section.split("```rhai-declaration\n").nth(1);
        example.map_or("", |rest| rest.split("```").next().unwrap())
    }

    /// All examples together.
    fn whole() -> String {
        let body: String = sections(DECLARATIONS).map(|(_, section)| example(section)).collect();
        format!("fn ruleset() {{\n#{{\n{body}}}\n}}\n{HOOKS}")
    }

    fn read(text: &str) -> Result<ScriptSource, String> {
        let sources = Sources::of(Layer::new("example").with("rules.rhai", text));
        ScriptSource::new(Arc::new(sources), Limits::default()).map_err(|problems| problems.render())
    }

    #[test]
    fn the_examples_of_declarations_are_a_ruleset_that_uses_every_key() {
        let text = whole();
        read(&text).unwrap_or_else(|problems| panic!("{problems}"));
        for (list, section) in sections(DECLARATIONS) {
            let around = match list {
                "`picks`" => "`actions`",
                "`parameters`" => "`contests`",
                other => other,
            };
            let (_, around) = sections(DECLARATIONS).find(|(other, _)| *other == around).unwrap();
            let keys = keys_of(&quoted(list));
            assert_eq!(
                keys.len(),
                section.lines().filter(|line| line.starts_with('|')).count() - 2,
                "{list}"
            );
            for key in keys {
                assert!(
                    example(around).contains(&format!("{key}: ")) || list == "`ruleset()`" && text.contains(&format!("\n{key}: ")),
                    "{list}: {key}"
                );
            }
        }
    }

    #[test]
    fn a_key_that_is_not_there_is_told_with_those_that_are() {
        let text = whole().replacen("colour: \"#b8402f\"", "color: \"#b8402f\"", 1);
        let problems = read(&text).expect_err("an unknown key");
        assert!(problems.contains("there are name, title, colour"), "{problems}");
    }
}
