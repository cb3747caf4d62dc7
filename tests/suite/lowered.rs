//! Functions in lowered form do what the engine does: same results, changes, draws and operations, on hooks of rulesets and on programs that are
//! made up.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{Bundled, bundled};
use boardwright::content::read_settings;
use boardwright::host::Match;
use boardwright::model::Policy;
use boardwright::players::{Budget, Decision, PlayerSpec};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Transaction, draw_action, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Comparison, Limits, ScriptSource, begin_comparing, compile, end_comparing};

/// Actions of each match.
const ACTIONS: usize = 60;
/// After so many actions the looks are asked for.
const LOOK_EVERY: usize = 20;

/// Plays a match at random, asks for looks and texts on the way, and runs each hook in both ways.
fn compare(game: &Bundled, seed: u64) -> Comparison {
    begin_comparing();
    let (rules, start) = game.begin(seed);
    let (mut generator, mut room) = (Generator::new(seed), PlayoutBuffers::default());
    let mut transaction = Transaction::new(start, Luck::Roll(Generator::new(seed)));
    for number in 0..ACTIONS {
        let state = Arc::clone(transaction.state());
        for seat in state.acting().iter().filter(|_| number % LOOK_EVERY == 0) {
            if let Some(appearance) = rules.appearance() {
                drop(appearance.looks(&state, Some(seat)));
            }
        }
        let Ok(Some(action)) = draw_action(&*rules, &state, &mut generator, &mut room) else {
            break;
        };
        drop(rules.notation(&state, &action));
        drop(flow::check(&*rules, &state, &action));
        if flow::perform(&*rules, &mut transaction, &action).is_err() {
            break;
        }
        drop(rules.sentence(&state, &action, transaction.state()));
    }
    end_comparing()
}

/// What was not the same in a match, once for each function.
fn differences(name: &str, comparison: &Comparison) -> Vec<String> {
    let mut told = Vec::new();
    let mut seen = BTreeSet::new();
    for [function, lowered, engine] in &comparison.differences {
        if seen.insert(function) {
            told.push(format!("{name}, {function}\n  lowered {lowered}\n  engine  {engine}\n"));
        }
    }
    told
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{}", differences.concat());
}

#[test]
fn hooks_of_bundled_rulesets_come_to_the_same_in_both_ways() {
    let mut found = Vec::new();
    let (mut lowered, mut by_engine) = (0, 0);
    for (ruleset, scenarios) in bundled() {
        for scenario in scenarios {
            let comparison = compare(&Bundled::read(&ruleset, &scenario), 1);
            for runs in comparison.runs.values() {
                lowered += runs.0;
                by_engine += runs.1;
            }
            found.extend(differences(&format!("{ruleset}/{scenario}"), &comparison));
        }
    }
    assert_none(&found);
    assert!(
        by_engine * 20 < lowered,
        "{by_engine} calls of hooks by the engine, {lowered} in lowered form"
    );
}

#[test]
fn hooks_of_measured_rulesets_come_to_the_same_in_both_ways() {
    let mut found = Vec::new();
    for ruleset in ["brandubh", "breakthrough", "dice-race", "kalah"] {
        for seed in 0..3 {
            found.extend(differences(ruleset, &compare(&Bundled::measured(ruleset, "standard"), seed)));
        }
    }
    assert_none(&found);
}

/// Has a computer player take the seats of a match for some actions, and runs each hook in both ways.
fn compare_strategy(ruleset: &str, scenario: &str, player: &str) -> Comparison {
    begin_comparing();
    let bundled = Bundled::read(ruleset, scenario);
    let sources = Arc::clone(bundled.source.sources());
    let settings = read_settings(&sources).unwrap();
    let source = ScriptSource::new(sources, Limits::default()).unwrap().with_settings(settings);
    let spec: PlayerSpec = player.parse().unwrap();
    let mut player = spec.build(1).unwrap();
    let mut playing = Match::begin(Arc::new(source), bundled.setup(), 1, Policy::default()).unwrap();
    for _ in 0..ACTIONS {
        let Some(seat) = playing.state().acting().first() else { break };
        let view = playing.view(Some(seat)).unwrap();
        let decision = Decision {
            rules: playing.rules(),
            state: &view,
            seat,
            budget: &Budget::unlimited(),
        };
        let action = player.choose(decision, &mut |_| {}).unwrap().action;
        let position = playing.journal().position();
        playing.submit(&action, position).unwrap();
    }
    end_comparing()
}

#[test]
fn strategies_come_to_the_same_in_both_ways() {
    let strategies = [
        ("conquest", "standard", "standard"),
        ("conquest", "standard", "marshal:2"),
        ("trajectory", "standard", "pilot"),
        ("trajectory", "nova", "skipper:3"),
        ("eight-kingdoms", "small", "regent:4"),
        ("eight-kingdoms", "standard", "horde"),
    ];
    let mut found = Vec::new();
    for (ruleset, scenario, player) in strategies {
        let comparison = compare_strategy(ruleset, scenario, player);
        found.extend(differences(&format!("{ruleset}, {player}"), &comparison));
        let by_engine: Vec<_> = comparison.runs.iter().filter(|(_, runs)| runs.1 > 0).collect();
        assert!(by_engine.is_empty(), "{ruleset}, {player}: the engine ran {by_engine:?}");
    }
    assert_none(&found);
}

/// Makes up programs of statements and expressions of all sorts over a few variables. One expression in fifty is of a wrong type.
struct Author<'a> {
    generator: &'a mut Generator,
    text: String,
    depth: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Truth,
    Text,
    List,
}

impl Author<'_> {
    fn below(&mut self, count: u32) -> u32 {
        self.generator.below(count)
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u32) as usize]
    }

    fn number(&mut self) -> String {
        self.expression(Sort::Number)
    }

    fn truth(&mut self) -> String {
        self.expression(Sort::Truth)
    }

    fn list(&mut self) -> String {
        self.expression(Sort::List)
    }

    fn expression(&mut self, sort: Sort) -> String {
        let sort = match self.below(50) {
            0 => [Sort::Number, Sort::Truth, Sort::Text, Sort::List][self.below(4) as usize],
            _ => sort,
        };
        if self.depth > 2 {
            let plain: &[&str] = match sort {
                Sort::Number => &["a", "b", "3", "0", "-7", "map.x", "list.len", "TABLE.one", "TABLE.rows[1]"],
                Sort::Truth => &["true", "false", "a == b", "list.is_empty", "text == \"x\""],
                Sort::Text => &["text", "\"x\"", "\"yes\"", "TABLE.names[0]"],
                Sort::List => &["list", "[]", "[1, 2]", "map.list"],
            };
            return self.pick(plain).to_owned();
        }
        self.depth += 1;
        let made = match sort {
            Sort::Number => self.number_of_parts(),
            Sort::Truth => self.truth_of_parts(),
            Sort::Text => self.text_of_parts(),
            Sort::List => self.list_of_parts(),
        };
        self.depth -= 1;
        made
    }

    fn number_of_parts(&mut self) -> String {
        match self.below(16) {
            0..4 => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]);
                format!("({} {operator} {})", self.number(), self.number())
            }
            4 => format!("({}).len", self.list()),
            5 => format!("({}).sum()", self.list()),
            6 => format!("twice({})", self.number()),
            7 => format!("(if {} {{ {} }} else {{ {} }})", self.truth(), self.number(), self.number()),
            8 => {
                let word = self.pick(&["max", "min"]);
                format!("{word}({}, {})", self.number(), self.number())
            }
            9 => format!(
                "({}).reduce(|sum, item| sum + item * {}, {})",
                self.list(),
                self.number(),
                self.number()
            ),
            10 => format!("({}).count(|item| item > {})", self.list(), self.number()),
            11 => format!("(({}).find(|item| item == {}) ?? {})", self.list(), self.number(), self.number()),
            12 => format!("list[{} % 3]", self.number()),
            13 => format!("-({})", self.number()),
            14 => {
                let key = self.pick(&["x", "none"]);
                format!("(map.get(\"{key}\", {}))", self.number())
            }
            _ => format!("({}).index_of({})", self.list(), self.number()),
        }
    }

    fn truth_of_parts(&mut self) -> String {
        match self.below(8) {
            0 => {
                let operator = self.pick(&["==", "!=", "<", ">="]);
                format!("{} {operator} {}", self.number(), self.number())
            }
            1 => format!("({} && {})", self.truth(), self.truth()),
            2 => format!("({} || {})", self.truth(), self.truth()),
            3 => format!("!({})", self.truth()),
            4 => format!("({} in {})", self.number(), self.list()),
            5 => {
                let word = self.pick(&["some", "all"]);
                format!("({}).{word}(|item| item != {})", self.list(), self.number())
            }
            6 => format!("({} in TABLE.names)", self.expression(Sort::Text)),
            _ => format!("{} == {}", self.expression(Sort::Text), self.expression(Sort::Text)),
        }
    }

    fn text_of_parts(&mut self) -> String {
        match self.below(4) {
            0 => format!("`<${{{}}}>`", self.number()),
            1 => format!("({} + {})", self.expression(Sort::Text), self.number()),
            2 => format!("({} + {})", self.expression(Sort::Text), self.expression(Sort::Text)),
            _ => format!("({}).to_string()", self.number()),
        }
    }

    fn list_of_parts(&mut self) -> String {
        match self.below(8) {
            0 => format!("[{}, {}]", self.number(), self.number()),
            1 => format!("({}).filter(|item| item != {})", self.list(), self.number()),
            2 => format!("({}).map(|item| item + {})", self.list(), self.number()),
            3 => format!("({} + {})", self.list(), self.list()),
            4 => format!("({}).sorted()", self.list()),
            5 => format!("({}).sorted_by(|item| item * {})", self.list(), self.number()),
            6 => format!("({}).part(1, {})", self.list(), self.number()),
            _ => "TABLE.rows.map(|row| row)".to_owned(),
        }
    }

    fn statement(&mut self) {
        let line = match self.below(14) {
            0..3 => {
                let target = self.pick(&["a", "b", "list[0]", "map.x", "map.y[0]", "map.z"]);
                format!("{target} = {};", self.number())
            }
            3..5 => {
                let (target, operator) = (
                    self.pick(&["a", "b", "map.x", "list[1]", "map.list[0]"]),
                    self.pick(&["+=", "-=", "*="]),
                );
                format!("{target} {operator} {};", self.number())
            }
            5 => {
                let word = self.pick(&[
                    "push(a)",
                    "pop()",
                    "insert(1, b)",
                    "remove(0)",
                    "reverse()",
                    "dedup()",
                    "sort()",
                    "append([1, 2])",
                ]);
                format!("list.{word};")
            }
            6 => {
                let word = self.pick(&["push(b)", "pop()", "reverse()", "shift()"]);
                format!("map.list.{word};")
            }
            7 => format!("let c = {}; a = c;", self.number()),
            8 => {
                let (over, then) = (
                    self.pick(&[
                        "list",
                        "0..4",
                        "1..=3",
                        "TABLE.rows",
                        "map.list",
                        "range(3, 0, -1)",
                        "range(a, 9, b)",
                        "range(b, a, 1)",
                    ]),
                    self.pick(&["break;", "continue;", "a = 0;"]),
                );
                format!("for item in {over} {{ if item == {} {{ {then} }} b += 1; }}", self.number())
            }
            9 => format!("let n = 0; while n < 3 {{ n += 1; a = {}; }}", self.number()),
            10 => format!("if {} {{ return [{}, list]; }}", self.truth(), self.number()),
            11 => format!(
                "switch {} {{ 1 => a = 1, 5 => {{ b = 2; }}, _ => {{ text = \"other\"; }} }}",
                self.number()
            ),
            12 => {
                let operator = self.pick(&["=", "+="]);
                format!("list {operator} {};", self.list())
            }
            _ => format!(
                "if {} {{ a = {}; }} else {{ text = {}; }}",
                self.truth(),
                self.number(),
                self.expression(Sort::Text)
            ),
        };
        self.text.push_str("    ");
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

#[test]
fn programs_that_are_made_up_come_to_the_same_in_both_ways() {
    let mut generator = Generator::new(2026);
    let mut found = Vec::new();
    let (mut lowered, mut compiled) = (0, 0);
    for number in 0..3_000 {
        let mut author = Author {
            generator: &mut generator,
            text: String::new(),
            depth: 0,
        };
        for _ in 0..=author.below(7) {
            author.statement();
        }
        let body = std::mem::take(&mut author.text);
        let text = format!(
            "const TABLE = #{{ one: 1, rows: [3, 5, 8], names: [\"x\", \"y\"] }};\nfn twice(x) {{ x + x }}\nfn run() {{\n    let a = 2;\n    let b = 5;\n    \
             let list = [1, 2, 3];\n    let map = #{{ x: 1, y: [2], list: [4] }};\n    let text = \"x\";\n{body}    [a, b, list, map, text]\n}}\n"
        );
        let sources = Sources::of(Layer::new("made").with("a.rhai", text.as_str()));
        // Some hold more values at once than a function may.
        let Ok(program) = compile(&sources, &Limits::default(), &|_| {}) else {
            continue;
        };
        compiled += 1;
        begin_comparing();
        drop(program.call("run", ()));
        let comparison = end_comparing();
        lowered += comparison.runs.values().map(|(lowered, _)| lowered).sum::<u64>();
        found.extend(differences(&format!("program {number}\n{text}"), &comparison));
    }
    assert!(compiled > 2_500, "{compiled} programs are sound");
    assert!(lowered > 1_500, "{lowered} came to an end");
    assert_none(&found);
}
