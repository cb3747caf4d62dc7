//! The reference as a page.

use super::super::hooks::{HOOKS, Hook, STRATEGY_HOOKS};
use super::super::keys::SECTIONS;
use super::language::GROUPS;
use super::put;
use super::words::Topic;

const HEAD: &str = "# Script API

<!-- Generated from crates/script by `BLESS=1 cargo test --test suite script_reference`. Edit the functions there, not this page. -->

Rules are scripts in the language [Rhai](https://rhai.rs/book/language/). A ruleset declares its seats, pieces and actions once, in
`ruleset()`; everything else are hooks, functions that the engine finds by their names. Hooks are handed values that only they can use:
a `view` to look at a match, a `turn` to look at it and change it. `turn` has all words of `view`.

Signatures read `receiver.name(parameter: type) -> result`. A `number` is whole, a `value` is of any type, and `()` means nothing.
";

const TESTS: &str = "
Worked examples of the rules stand in `tests/*.rhai` of a ruleset; `boardwright test` runs them. Each function `test_...(t)` is a test, with a
match of its own and a doc comment that is a sentence from the rules. First it says what the match begins with, then it plays and expects.

```rhai-test
/// 3.1 An army captures by jumping over a neighbouring enemy.
fn test_jump(t) {
    t.setup(#{ a1: \"red army\", a2: \"blue army\", c3: \"blue army\" });
    t.plays(\"march a1 a3\");
    t.expect_at(\"a3\", \"red army\");
    t.expect_empty(\"a2\");
    t.expect_turn(\"blue\");
}
```

Pieces are written as their kind, the seat that owns them, and properties that differ from the default: `red army strength=3`. Actions
are written in the ruleset's own notation, as `t.legal` lists them, or in plain words: the action and its picks.
";

const STRATEGIES: &str = "
A strategy is a computer player for one ruleset: `strategies/NAME.rhai`, with its parameters in `strategies/NAME.xml`. It is laid over the rules and may call
whatever they define; what it defines again under the same name counts for itself alone. The engine asks the first of these functions that
is there. Each is handed a `view` of what its seat sees, and an `agent`.

";

const TYPES: &[(&str, &str)] = &[
    (
        "View",
        "The match as one seat sees it. Called `turn` while something is carried out: then it is the whole match, and can be changed.",
    ),
    (
        "Piece",
        "A piece, in play or out of it. Its declared properties are read as `piece.NAME`.",
    ),
    ("Cell", "A cell of the board. Its declared properties are read as `cell.NAME`."),
    (
        "Cells",
        "A set of cells. Loops over it go through its cells in the order of the map.",
    ),
    ("Seat", "A seat. Its declared properties are read as `seat.NAME`."),
    (
        "Edge",
        "The edge between two cells. Its declared properties are read as `edge.NAME`.",
    ),
    ("Reach", "What can be reached, at what cost and by which way."),
    ("Options", "The options of the match, read as `options.NAME`."),
    ("Question", "What the open question is about."),
    (
        "Shape",
        "The shape of a piece as it lies in a pose: the degrees it is turned by, with an `m` before them if it is mirrored.",
    ),
    ("Motion", "One way of moving, as a move pattern is made of."),
    ("PlacementPattern", "One way of placing pieces that have a shape."),
    (
        "PatternView",
        "A view of whatever state a pattern will be used in. It has the words of a `View` that speak of cells; what they give are \
         descriptions, which the engine works out again for each state.",
    ),
    ("PatternCells", "The description of a set of cells."),
    ("PatternSeat", "The seat to act in whatever state a pattern will be used in."),
    (
        "PatternTurnName",
        "The name of the turn in whatever state a pattern will be used in.",
    ),
    ("Numbers", "Numbers to pick from."),
    ("SomeOf", "Several things to pick from."),
    ("EndOfMatch", "How a match ends."),
    ("Agent", "What a strategy thinks with. Its parameters are read as `agent.NAME`."),
    (
        "Action",
        "An action that a strategy may choose. Its picks are read as `action.NAME`.",
    ),
    ("Odds", "What may be expected of a contest."),
    ("Test", "What a test of a ruleset works on: a match of its own."),
];

pub(super) fn page(topics: &[Topic]) -> String {
    let mut out = HEAD.to_owned();
    contents(&mut out, topics);
    hooks(&mut out);
    declarations(&mut out);
    out.push_str("\n## Types\n\n| Type | What it is |\n| --- | --- |\n");
    for (name, about) in TYPES {
        put(&mut out, format_args!("| `{name}` | {about} |\n"));
    }
    for topic in topics {
        put(&mut out, format_args!("\n## {}\n", topic.title));
        if topic.title == "Ruleset tests" {
            out.push_str(TESTS);
        }
        if topic.title == "Strategies" {
            out.push_str(STRATEGIES);
            hook_table(&mut out, STRATEGY_HOOKS);
        }
        for word in &topic.words {
            put(&mut out, format_args!("\n### `{}`\n\n{}\n", word.signature, word.summary));
            if !word.example.is_empty() {
                put(&mut out, format_args!("\n```rhai\n{}\n```\n", word.example));
            }
        }
    }
    language(&mut out);
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

fn declarations(out: &mut String) {
    out.push_str("\n## Declarations\n\nA key that is not in these tables is refused, with its line.\n");
    for section in SECTIONS {
        let title = if section.list.is_empty() { "ruleset()" } else { section.list };
        put(
            out,
            format_args!(
                "\n### `{title}`\n\n{}\n\n| Key | Value | What it says |\n| --- | --- | --- |\n",
                section.about
            ),
        );
        for key in section.keys {
            put(out, format_args!("| `{}` | {} | {} |\n", key.name, cell(key.value), cell(key.help)));
        }
        if !section.example.is_empty() {
            put(out, format_args!("\n```rhai-declaration\n{}\n```\n", section.example));
        }
    }
}

fn language(out: &mut String) {
    out.push_str(
        "\n## Language\n\nVariables (`let`), constants (`const`), `if`, `switch`, `for`, `while`, `loop`, functions and closures are those of \
         [Rhai](https://rhai.rs/book/language/). There are no files, clocks, threads, numbers with a fraction, `eval`, `Fn` or `curry`. Everything \
         that is written in the examples is true.\n",
    );
    for group in GROUPS {
        put(
            out,
            format_args!(
                "\n### {}\n\n{}\n\n| Word | Gives | What it does | Example |\n| --- | --- | --- | --- |\n",
                group.title, group.about
            ),
        );
        for entry in group.entries {
            put(
                out,
                format_args!(
                    "| `{}` | {} | {} | `{}` |\n",
                    cell(entry.word),
                    entry.gives,
                    cell(entry.help),
                    cell(entry.example)
                ),
            );
        }
    }
}
