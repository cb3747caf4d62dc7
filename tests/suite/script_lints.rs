//! What is said about scripts that compile but are probably not meant so.

use boardwright::model::diagnostic::{Code, Diagnostics};
use boardwright::ruleset::{Hook, Hooks, Layer, Sources};
use boardwright::script::{Limits, compile};

fn hooks() -> Hooks {
    let by_rule = ["do_move", "do_it", "do_other", "outcome"];
    let plain = [
        "look_cell",
        "look_more",
        "look_long",
        "look_a",
        "look_b",
        "look_x",
        "look_y",
        "ruleset",
    ];
    let hook = |name: &str| Hook {
        name: name.into(),
        cites_rule: by_rule.contains(&name),
        ..Hook::default()
    };
    by_rule.into_iter().chain(plain).map(hook).collect()
}

fn lints_of(sources: &Sources) -> Diagnostics {
    let program = compile(sources, &Limits::default(), &|_| {}).unwrap_or_else(|found| panic!("{}", found.render()));
    program.lint(&hooks(), None)
}

fn lints(text: &str) -> Vec<String> {
    lints_of(&Sources::of(Layer::new("").with("a.rhai", text)))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn rules_as_they_should_be_are_clean() {
    let text = r#"
const STEPS = [5, 10];

/// 4.1 A piece moves by steps.
fn do_move(view, picked) {
    if picked.len() > STEPS[0] {
        throw refuse("4.1", "too far");
    }
    let far = STEPS.filter(|step| step > picked.len()).map(double);
    for i in 0..2 { helper(i); }
    far.len() in [1, 2] && `${far}` != ""
}

fn double(x) { x * 2 }
private fn helper(x) { -x }
fn look_cell(view, cell) { #{ fill: global::STEPS.len } }
"#;
    assert_eq!(lints(text), Vec::<String>::new());
}

#[test]
fn calls_and_names_that_lead_nowhere_are_errors_with_what_was_meant() {
    let text = "const LIMIT = 1;
fn outcome_of(x) { x + LIMIT }
/// 1 Rule.
fn outcome(view) {
    outcome_off(1);
    outcome_of(1, 2);
    view.filtr(|x| x > LIMITS);
    \"x\".trim(1);
    unheard_of()
}";
    let found = lints_of(&Sources::of(Layer::new("").with("a.rhai", text)));
    let shown: Vec<_> = found
        .iter()
        .map(|one| format!("{one} | {}", one.help.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(
        shown,
        [
            "a.rhai:5:5: error[unknown-function]: there is no function `outcome_off` | did you mean `outcome_of`?",
            "a.rhai:6:5: error[wrong-arity]: `outcome_of` takes 1 arguments here, not 2 | it is written `outcome_of(x)`",
            "a.rhai:7:10: error[unknown-function]: there is no function `filtr` | did you mean `filter`?",
            "a.rhai:7:24: error[unknown-variable]: there is no variable or constant `LIMITS` | did you mean `LIMIT`?",
            "a.rhai:8:9: error[wrong-arity]: `trim` takes 0 arguments here, not 1 | it is written `text.trim()`",
            "a.rhai:9:5: error[unknown-function]: there is no function `unheard_of` | write it, or look for a word that does it in the reference \
             (`boardwright docs`)",
        ]
    );
}

#[test]
fn what_nothing_uses_is_told() {
    let text = "const SPARE = 1;
private fn spare() { spare() }
fn loose() { 1 }
/// Without a number.
fn do_it(view) { 1 }
/// 2 With one.
fn do_other(view) { 1 }
fn otucome(view) { 1 }
fn loko_cell(view) { 1 }";
    assert_eq!(
        lints(text),
        [
            "a.rhai:1:7: warning[unused]: nothing uses the constant `SPARE`",
            "a.rhai:2:9: warning[unused]: nothing calls the private function `spare`",
            "a.rhai:3:1: warning[unused]: nothing calls `loose`, and it is no hook",
            "a.rhai:5:1: warning[missing-rule]: the comment of `do_it` does not start with the number of a rule, as others do",
            "a.rhai:8:1: warning[unknown-hook]: `otucome` is no hook, and nothing calls it",
            "a.rhai:9:1: warning[unknown-hook]: `loko_cell` is no hook, and nothing calls it",
        ]
    );
}

#[test]
fn numbers_and_length_of_functions_are_told_once() {
    let long = "    1;\n".repeat(40);
    let numbers = "fn do_it(view) { 64 + 7 }\nfn do_other(view) {\n    [1].map(|y| y + 64 + 7 + 100)\n}\n";
    let text = format!("{numbers}fn look_long() {{\n{long}}}");
    assert_eq!(
        lints(&text),
        [
            "a.rhai:1:18: warning[magic-number]: the number 64 occurs in `do_it` and in `do_other`, at a.rhai:3:21",
            "a.rhai:5:1: warning[long-function]: `look_long` has 42 lines, more than 40",
        ]
    );
}

#[test]
fn closures_that_change_what_is_around_them_and_names_of_natives_are_told() {
    let text = "fn look_a(list) { let sum = 0; list.map(|x| { sum += x; let own = x; own = 2; own }); sum }
fn filter(list) { list }
fn look_b(list) { filter(list); let look_a = 1; look_a }";
    assert_eq!(
        lints(text),
        [
            "a.rhai:1:37: error[lost-value]: `map(..)` only gives a value, and nothing takes it",
            "a.rhai:1:47: warning[shared-state]: a closure changes `sum`, which belongs to the function around it",
            "a.rhai:2:1: warning[shadows-native]: `filter` takes the place of a word of the engine, everywhere",
            "a.rhai:3:37: warning[shadows-function]: the variable `look_a` has the name of a function, which closures take instead of it",
        ]
    );
}

#[test]
fn a_comment_with_a_reason_switches_a_lint_off() {
    let text = "// allow(unused): read by people
const SPARE = 1;
/// 3 Rule.
/// allow(magic-number): the board has 64 cells
fn do_it(view) { 64 }
/// 3 Rule.
// allow(long-function)
fn do_other(view) {
    // allow(unknown-function): comes with the next version
    future(64)
}
// allow(unused): nothing here
fn look_x() { 1 }
// allow(mistake): no such lint
fn look_y() { 1 }";
    assert_eq!(
        lints(text),
        [
            "a.rhai:7:1: warning[unused-allow]: an `allow` without a reason",
            "a.rhai:12:1: warning[unused-allow]: there is nothing here that `allow(unused)` would allow",
            "a.rhai:14:1: warning[unused-allow]: there is no lint `mistake`",
        ]
    );
}

#[test]
fn layers_and_imports_are_looked_over_together() {
    let sources = Sources::of(Layer::new("base").with(
        "a.rhai",
        "const A = 1; const B = 2;\n/// 1 Rule.\nfn outcome(view) { part() + A }\nfn part() { 1 }",
    ))
    .with_layer(Layer::new("mod").with(
        "m.rhai",
        "import \"lib\" as lib;\nfn part() { base::part() + base::B + lib::f(1) + lib::N + lib::g() + lib::M }",
    ))
    .with_library(Layer::new("scripts").with("lib.rhai", "const N = 1; fn f(x) { x }"));
    let found = lints_of(&sources);
    let codes: Vec<_> = found
        .iter()
        .map(|one| (one.code, one.place.as_ref().map_or(0, |place| place.column)))
        .collect();
    assert_eq!(codes, [(Code::UnknownFunction, 64), (Code::UnknownVariable, 75)], "{found}");
}

#[test]
fn a_function_that_takes_no_place_because_of_its_parameters_is_told() {
    let base = Layer::new("base").with(
        "a.rhai",
        "/// 1 Rule.\nfn do_move(view, picked) { capture(true) + step() }\nfn capture(is_compulsory) { 1 }\nfn step() { 1 }",
    );
    let above = "fn capture() { 2 }\nfn step(far) { far }\n/// 1 Rule.\nfn outcome(view) { step(1) }";
    let found = lints_of(&Sources::of(base).with_layer(Layer::new("mod").with("m.rhai", above)));
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "mod/m.rhai:1:1: warning[wrong-arity]: nothing calls `capture()`: it does not take the place of `capture(is_compulsory)`, which \
          has another number of parameters"
        ]
    );
    assert_eq!(
        found.iter().next().and_then(|one| one.help.clone()).as_deref(),
        Some("the other one is at base/a.rhai:3:1")
    );
}

#[test]
fn a_hook_with_parameters_that_the_engine_does_not_give_is_told() {
    let hook = |(name, parameters): (&str, &[usize])| Hook {
        name: name.into(),
        parameters: parameters.into(),
        ..Hook::default()
    };
    let hooks: Hooks = [("value", &[1][..]), ("move_to", &[2, 1])].map(hook).into_iter().collect();
    let text = "fn value() { 1 }\nfn move_to(view) { 1 }\nfn move_to(view, picked) { 2 }";
    let sources = Sources::of(Layer::new("").with("a.rhai", text));
    let program = compile(&sources, &Limits::default(), &|_| {}).unwrap();
    let told: Vec<String> = program.lint(&hooks, None).iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "a.rhai:1:1: error[wrong-arity]: the engine gives the hook `value` 1 argument, not 0",
            "a.rhai:2:1: warning[wrong-arity]: nothing calls `move_to(view)`: `move_to(view, picked)` is asked instead",
        ]
    );
}

#[test]
fn a_value_that_nothing_takes_is_told() {
    let text = "fn look_a(list) {
    list.sorted();
    if list.is_empty() {
        refuse(\"1\", \"nothing is left\");
    }
    for item in list { list.contains(item); }
    list.filter(|one| one > 1)
}
fn look_b(list) {
    if list.is_empty() {
        refuse(\"1\", \"nothing is left\")
    } else {
        list.sorted();
    }
}";
    assert_eq!(
        lints(text),
        [
            "a.rhai:2:10: error[lost-value]: `sorted(..)` only gives a value, and nothing takes it",
            "a.rhai:4:9: error[lost-value]: `refuse(..)` only gives a value, and nothing takes it",
            "a.rhai:6:29: error[lost-value]: `contains(..)` only gives a value, and nothing takes it",
        ]
    );
}

#[test]
fn a_list_that_a_function_changes_for_itself_is_told_if_it_is_used_again() {
    let text = "fn grow(list) { list.push(1); }
fn empty(list) { let n = 0; while list.len > 0 { list.pop(); n += 1; } n }
fn look_a() {
    let own = [];
    grow(own);
    own.len
}
fn look_b(list) {
    grow(list);
    empty(list)
}
fn look_x() {
    let own = [1];
    let n = empty(own);
    grow(own);
    n
}";
    assert_eq!(
        lints(text),
        [
            "a.rhai:5:5: warning[changed-copy]: `grow` changes a copy of `own`: functions get copies of lists and maps",
            "a.rhai:9:5: warning[changed-copy]: `grow` changes a copy of `list`: functions get copies of lists and maps",
        ]
    );
}

#[test]
fn values_of_tables_that_are_unlike_the_others_are_told() {
    let text = "const COST = #{ wood: 1, stone: \"2\" };
const UNITS = #{
    pawn: #{ speed: 1, name: \"Pawn\" },
    knight: #{ speed: 2, name: \"Knight\" },
    rook: #{ sped: 3, name: 4 },
};
const FINE = [\"a\", 3, [1, \"x\"], #{ a: 1 }];
fn look_a() { [COST, UNITS, FINE] }";
    assert_eq!(
        lints(text),
        [
            "a.rhai:1:26: warning[mixed-table]: `COST.stone`: the text \"2\" stands beside numbers",
            "a.rhai:5:14: warning[mixed-table]: `UNITS.rook.sped`: no other entry has the key `sped`",
            "a.rhai:5:23: warning[mixed-table]: `UNITS.rook.name`: the number 4 is of another type than in the other entries",
        ]
    );
}

#[test]
fn comparisons_of_different_types_are_told() {
    let text = "fn look_a(list) {
    let count = 0;
    for item in list { count += 1; }
    if count == \"0\" { 1 } else if \"3\" < list.len() { 2 } else if list.is_empty() != 1 { 3 }
}
fn look_b(list) {
    let either = 1;
    if list.len() > 3 { either = \"many\"; }
    let made = list.map(|item| item == \"0\");
    for item in list { let own = item; if own == \"1\" { return made; } }
    // allow(mixed-comparison): shown to be false
    if 2 * 3 == \"six\" { return []; }
    either == \"many\" || list.len() == 3 || `${list}` == \"\" || either == ()
}
fn look_x(list) {
    let found = ();
    if list.len() == 2 { found = 1; }
    found == \"1\"
}
fn look_y(count) { let shown = count; shown == \"1\" || count == 1 }";
    assert_eq!(
        lints(text),
        [
            "a.rhai:4:14: warning[mixed-comparison]: a number and a text are compared, so that `==` is always false",
            "a.rhai:4:39: warning[mixed-comparison]: a text and a number are compared, so that `<` is always false",
            "a.rhai:4:82: warning[mixed-comparison]: true or false and a number are compared, so that `!=` is always true",
        ]
    );
}
