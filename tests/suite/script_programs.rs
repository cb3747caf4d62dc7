//! Programs of several layers and files: what is in force, where mistakes are, what calls cost nothing but themselves.

use std::time::Duration;

use boardwright::model::Rejection;
use boardwright::model::diagnostic::{Code, Diagnostics};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Fault, Limits, Program, Sandbox, compile};

fn layer(id: &str, files: &[(&str, &str)]) -> Layer {
    files.iter().fold(Layer::new(id), |layer, (path, text)| layer.with(*path, *text))
}

fn build(sources: &Sources) -> Result<Program, Diagnostics> {
    compile(sources, &Limits::default(), &natives)
}

fn natives(sandbox: &mut Sandbox) {
    sandbox.engine.register_fn("explode", || -> i64 { panic!("boom") });
    sandbox.engine.register_fn("nothing", || ());
}

fn one(text: &str) -> Program {
    build(&Sources::of(layer("r", &[("a.rhai", text)]))).unwrap_or_else(|found| panic!("{}", found.render()))
}

fn int(program: &Program, name: &str) -> i64 {
    program.call_as::<i64>(name, ()).unwrap_or_else(|fault| panic!("{fault}"))
}

fn fault(program: &Program, name: &str) -> Box<Fault> {
    program.call(name, ()).expect_err("a fault")
}

fn codes(sources: &Sources) -> Vec<(Code, String)> {
    let found = build(sources).err().expect("diagnostics");
    found
        .iter()
        .map(|one| (one.code, one.place.as_ref().map(ToString::to_string).unwrap_or_default()))
        .collect()
}

#[test]
fn a_function_of_a_higher_layer_is_called_by_lower_layers_too() {
    let sources = Sources::of(layer(
        "base",
        &[("a.rhai", "fn total() { part() + 1 }"), ("b.rhai", "fn part() { 10 }")],
    ))
    .with_layer(layer("mod", &[("m.rhai", "fn part() { base::part() * 2 }")]))
    .with_layer(layer("scenario", &[("s.rhai", "\nfn part() { base::part() + 100 }")]));
    assert_eq!(int(&build(&sources).unwrap(), "total"), 121);
}

#[test]
fn base_leads_past_layers_that_do_not_define_the_function() {
    let sources = Sources::of(layer("base", &[("a.rhai", "fn part(x) { x } fn part() { 1 }")]))
        .with_layer(layer("mod", &[("m.rhai", "fn other() { 0 }")]))
        .with_layer(layer(
            "top",
            &[("s.rhai", "fn part(x) { `${base::part(x)}!` } fn run() { part(7) }")],
        ));
    assert_eq!(build(&sources).unwrap().call_as::<rhai::ImmutableString>("run", ()).unwrap(), "7!");
}

#[test]
fn base_in_texts_and_comments_stays_as_it_is() {
    let sources = Sources::of(layer("base", &[("a.rhai", "fn say() { \"low\" }")])).with_layer(layer(
        "mod",
        &[(
            "m.rhai",
            "// base::nothing()\nfn say() { /* base::x */ \"base::say \" + base::say() }",
        )],
    ));
    assert_eq!(
        build(&sources).unwrap().call_as::<rhai::ImmutableString>("say", ()).unwrap(),
        "base::say low"
    );
}

#[test]
fn a_base_that_leads_nowhere_is_told() {
    let sources = Sources::of(layer("base", &[("a.rhai", "fn part() { 1 }\nconst LOW = 1;")])).with_layer(layer(
        "mod",
        &[("m.rhai", "fn run() {\n  base::run() + base::part(3) + base::HIGH\n}")],
    ));
    let wrong = Code::UnknownBase;
    let told = build(&sources).err().unwrap().render();
    assert_eq!(
        told.matches("  2 |   base::run() + base::part(3) + base::HIGH").count(),
        3,
        "{told}"
    );
    assert_eq!(
        codes(&sources),
        [
            (wrong, "mod/m.rhai:2:3".into()),
            (wrong, "mod/m.rhai:2:17".into()),
            (wrong, "mod/m.rhai:2:33".into())
        ]
    );
}

#[test]
fn constants_are_seen_plainly_from_every_file_and_closure() {
    let program = build(&Sources::of(layer(
        "r",
        &[
            ("a.rhai", "const DOUBLE = SINGLE * 2; const SINGLE = three(); fn three() { OTHER }"),
            ("b.rhai", "const OTHER = 3; const LIST = [1, 2, 3, 4];"),
            (
                "c.rhai",
                "fn run() { LIST.filter(|x| x > OTHER).len() * 100 + DOUBLE + global::SINGLE }",
            ),
        ],
    )))
    .unwrap();
    assert_eq!(int(&program, "run"), 109);
}

#[test]
fn variables_come_before_constants_of_the_same_name() {
    let program = one("const N = 100; 
        fn run() { let N = 1; let m = 2; [10, 20].map(|x| [1].map(|y| x + y + N + m).sum()).sum() + N }
        fn param(N) { N + [0].map(|x| N).sum() }
        fn start() { param(3) * 1000 + run() }");
    assert_eq!(int(&program, "start"), 6039);
}

#[test]
fn of_a_number_with_a_point_it_is_said_that_there_are_none() {
    for (number, text) in [
        ("1.5", "fn f() { let half = 1.5; }"),
        ("0.25", "fn f(x) { x * 0.25 }"),
        (".5", "fn f(x) { x + .5 }"),
        ("2.", "const A = [2., 3];"),
    ] {
        let sources = Sources::of(layer("r", &[("a.rhai", text)]));
        let found = build(&sources).err().unwrap().render();
        assert!(found.contains(&format!("`{number}` is no whole number")), "{text}: {found}");
    }
    // Other slips with points keep their own words.
    for text in ["fn f(x) { x.5 }", "fn f(x) { x[1].2 }", "fn f(x) { x. }"] {
        let found = build(&Sources::of(layer("r", &[("a.rhai", text)]))).err().unwrap().render();
        assert!(!found.contains("whole number"), "{text}: {found}");
    }
}

#[test]
fn what_can_not_be_changed_or_is_not_there_is_said_without_words_of_the_engine() {
    let told = |text: &str| fault(&one(text), "run").diagnostic.message.clone();
    assert_eq!(
        told("fn run() { let t = \"abc\"; t.len = 3; }"),
        "`len` of a text cannot be changed"
    );
    assert_eq!(told("fn run() { sort(3, [1]) }"), "`sort` does not take these values: number, list");
    assert_eq!(told("fn run() { let t = 3; t.size }"), "a number has no `size`");
}

#[test]
fn a_closure_that_takes_variables_is_used_on_the_spot() {
    for text in [
        "fn f(x) { let g = |y| x + y; g.call(1) }",
        "fn f(x) { [|y| x] }",
        "fn f(x) { #{ a: |y| x } }",
        "fn f(x) { |y| x }",
        "fn f(x) { let l = []; l.push(|y| x); l }",
        "fn f(x) { keep(|y| x) }\nfn keep(c) { c }",
        "fn f(x) { [1].map(|z| { let g = |y| x; g }) }",
        "fn f(x) { [1].map(|z| |y| x) }",
        "fn f(x) { [1].filter(|y| x) }\nfn filter(c) { c }",
        "fn f(x) { filter([1], |y| x) }\nfn filter(a, b) { b }",
        "fn f(x) { call(|y| x, 1) }",
        "const C = 1; fn f(C) { [1].map(|z| { let g = |y| C; g }) }",
    ] {
        let found = codes(&Sources::of(layer("r", &[("a.rhai", text)])));
        assert!(
            found.iter().all(|(code, _)| *code == Code::Forbidden) && !found.is_empty(),
            "{text}: {found:?}"
        );
    }
    let fine = "const C = 1; fn f(x) { let g = |y| y + C; g.call(1) + [1].map(|y| g.call(y + x)).sum() } fn start() { f(1) }";
    assert_eq!(int(&one(fine), "start"), 5);
}

#[test]
fn maps_of_constants_become_one_and_other_constants_are_replaced() {
    let sources = Sources::of(layer("base", &[(
        "a.rhai",
        "const KINDS = #{ tank: #{ attack: 3, speed: 2 }, foot: #{ attack: 1, speed: 1 } };
         const SIZE = 4; const ROW = [1, 2];
         fn run() { `${KINDS.tank.attack} ${KINDS.tank.speed} ${KINDS.keys()} ${SIZE} ${ROW}` }",
    )]))
    .with_layer(layer("mod", &[(
        "m.rhai",
        "const KINDS = #{ tank: #{ attack: 5 }, foot: (), ship: #{ attack: base::SIZE } }; const SIZE = base::SIZE + 1; const ROW = [9];",
    )]));
    let text = build(&sources).unwrap().call_as::<rhai::ImmutableString>("run", ()).unwrap();
    assert_eq!(text, r#"5 2 ["ship", "tank"] 5 [9]"#);
}

#[test]
fn constants_that_depend_on_each_other_are_told() {
    let found = codes(&Sources::of(layer(
        "r",
        &[("a.rhai", "const A = B + 1;\nconst B = A + 1;\nconst C = 1 / 0;")],
    )));
    let found: Vec<_> = found.into_iter().map(|(code, _)| code).collect();
    assert_eq!(found, [Code::ConstantCycle, Code::ConstantCycle, Code::Arithmetic]);
}

#[test]
fn tables_cannot_be_changed() {
    let program = one("const T = [1, [2, 3], #{ k: 4 }];
        fn push() { T.push(1) }
        fn put() { T[0] = 1; }
        fn deep() { T[1][0] = 1; }
        fn key() { T[2].k = 1; }
        fn local() { let t = T; t[1][1] += 1; }
        fn read() { let t = T; let sum = 0; for x in t[1] { sum += x; } sum + t[2].k + T[-1][\"k\"] }
        fn copied() { let t = T.copy(); t[1][0] = 10; t.push(5); t[1][0] + t.len() }
        fn missing() { T[2].other }
        fn beyond() { T[3] }");
    for name in ["push", "put", "deep", "key", "local"] {
        assert_eq!(
            fault(&program, name).diagnostic.code,
            Code::ConstantMutation,
            "{name}: {}",
            fault(&program, name)
        );
    }
    assert_eq!(int(&program, "read"), 13);
    assert_eq!(int(&program, "copied"), 14);
    assert_eq!(fault(&program, "missing").diagnostic.code, Code::MissingKey);
    assert_eq!(fault(&program, "beyond").diagnostic.code, Code::IndexOutOfRange);
}

#[test]
fn a_fault_in_the_third_file_of_the_second_layer_names_its_line() {
    let sources = Sources::of(layer(
        "base",
        &[
            ("a.rhai", "fn start() { step(3) }\n\n\n"),
            ("b.rhai", "fn step(n) { n }"),
            ("c.rhai", "// c"),
        ],
    ))
    .with_layer(layer(
        "mod",
        &[
            ("a.rhai", "const X = 1;\n"),
            ("b.rhai", "// nothing\n// at all"),
            ("c.rhai", "\n\nfn step(n) {\n  let list = [1];\n    list[n]\n}\n"),
        ],
    ));
    let fault = fault(&build(&sources).unwrap(), "start");
    assert_eq!(
        (fault.diagnostic.code, fault.diagnostic.hook.as_str()),
        (Code::IndexOutOfRange, "start")
    );
    let place = fault.diagnostic.place.clone().unwrap();
    assert_eq!(
        (place.to_string().as_str(), place.source_line.as_deref()),
        ("mod/c.rhai:5:10", Some("    list[n]"))
    );
    let trace: Vec<_> = fault
        .calls
        .iter()
        .map(|step| format!("{} {}", step.function, step.place.as_ref().unwrap()))
        .collect();
    assert_eq!(trace, ["step base/a.rhai:1:14"]);
    assert!(
        fault.with_calls().render().contains("  5 |     list[n]\n    |          ^"),
        "{}",
        fault.with_calls().render()
    );
}

#[test]
fn mistakes_of_all_files_are_told_with_their_lines() {
    let sources = Sources::of(layer(
        "base",
        &[
            ("a.rhai", "fn a() {\n  1 +\n}"),
            ("b.rhai", "fn fine() { 1 }"),
            ("c.rhai", "\nlet x = 1;"),
        ],
    ))
    .with_layer(layer("mod", &[("m.rhai", "fn a( {")]));
    let found = codes(&sources);
    assert_eq!(
        found,
        [
            (Code::Syntax, "base/a.rhai:3:1".into()),
            (Code::TopLevelStatement, "base/c.rhai:2:5".into()),
            (Code::Syntax, "mod/m.rhai:1:7".into()),
        ]
    );
}

#[test]
fn the_same_name_twice_in_a_layer_is_told() {
    let sources = Sources::of(layer(
        "r",
        &[
            ("a.rhai", "fn f() {1}\nconst C = 1;"),
            ("b.rhai", "\nfn f() {2}\nfn f(x) {3}\nconst C = 2;"),
        ],
    ));
    let twice = Code::DuplicateDefinition;
    assert_eq!(codes(&sources), [(twice, "r/b.rhai:2:8".into()), (twice, "r/b.rhai:4:7".into())]);
}

#[test]
fn imports_lead_into_the_library_only() {
    let library = layer(
        "scripts",
        &[
            (
                "hex/steps.rhai",
                "import \"maths\" as m;\nconst FAR = m::TWO * 3;\nfn far(x) { x + FAR + m::twice(own()) }\nprivate fn own() { 5 }",
            ),
            (
                "maths.rhai",
                "const TWO = 2;\nfn twice(x) { x * TWO }\nfn fail() {\n  let a = [];\n  a[1]\n}",
            ),
        ],
    );
    let text = "import \"hex/steps\" as steps;\nimport \"maths\" as m;\nfn run() { steps::far(100) + steps::FAR + m::twice(1) }\nfn bad() { m::fail() }";
    let program = build(&Sources::of(layer("r", &[("a.rhai", text)])).with_library(library.clone())).unwrap();
    assert_eq!(int(&program, "run"), 124);
    let fault = fault(&program, "bad");
    assert_eq!(fault.diagnostic.place.unwrap().to_string(), "scripts/maths.rhai:5:5");

    for path in ["../a", "/etc/passwd", "hex/../maths", "C:\\x", "a", "nowhere", ""] {
        let text = format!("import \"{}\" as x;\nfn f() {{ 1 }}", path.replace('\\', "\\\\"));
        let sources = Sources::of(layer("r", &[("a.rhai", text.as_str())])).with_library(library.clone());
        assert_eq!(codes(&sources), [(Code::Import, "r/a.rhai:1:1".to_owned())], "{path}");
        let help = build(&sources).err().unwrap().iter().next().unwrap().help.clone().unwrap();
        assert!(help.contains("hex/steps, maths"), "{help}");
    }
}

#[test]
fn import_cycles_are_told() {
    let library = layer(
        "scripts",
        &[
            ("a.rhai", "import \"b\" as b;\nfn a() { 1 }"),
            ("b.rhai", "fn b() { 1 }\nimport \"a\" as a;"),
        ],
    );
    let sources = Sources::of(layer("r", &[("r.rhai", "import \"a\" as a;\nfn f() { a::a() }")])).with_library(library);
    assert_eq!(codes(&sources), [(Code::ImportCycle, "scripts/b.rhai:2:1".into())]);
}

#[test]
fn a_panic_is_a_fault_and_leaves_the_program_in_use() {
    let program =
        one("fn good() { 1 }\nfn bad() { let x = 1; [1].map(|y| explode() + x) }\nfn reserved() { try { explode() } catch { 5 } }");
    for name in ["bad", "reserved", "bad"] {
        let fault = fault(&program, name);
        assert_eq!(fault.diagnostic.code, Code::Panic);
        assert!(fault.diagnostic.message.contains("boom"), "{fault}");
        assert_eq!(int(&program, "good"), 1);
    }
}

#[test]
fn a_refusal_comes_through_with_its_rule() {
    let program = one("fn no() { if true { throw refuse(\"4.3\", \"stacking limit\"); } }\nfn odd() { throw #{ a: 1 }; }");
    let fault = fault(&program, "no");
    assert_eq!(fault.diagnostic.code, Code::Refused);
    assert_eq!(&*fault.refusal().unwrap().rule, "4.3");
    assert_eq!(fault.diagnostic.message, "stacking limit (rule 4.3)");
    assert!(Rejection::from(fault).refusal().is_some());
    assert_eq!(self::fault(&program, "odd").diagnostic.code, Code::Thrown);
}

#[test]
fn what_a_function_returns_is_checked() {
    let program = one("fn text() { \"x\" }");
    let fault = program.call_as::<i64>("text", ()).unwrap_err();
    assert_eq!((fault.diagnostic.code, fault.diagnostic.place.unwrap().line), (Code::ReturnType, 1));
}

#[test]
fn prints_go_to_the_log_and_nowhere_else() {
    let program =
        one("fn talk() { for i in 0..1000 { print(`line ${i}`); } debug([1, \"two\"]); }\nfn one() { print([1, \"two\", #{ a: () }]); }");
    let _ = program.call("talk", ()).unwrap();
    let log = program.meter().take_log();
    assert_eq!((log.len(), log[3].as_str()), (200, "line 3"));
    let _ = program.call("one", ()).unwrap();
    assert_eq!(program.meter().take_log(), ["[1, \"two\", #{ a: () }]"]);
}

#[test]
fn budgets_hold_for_closures_called_by_natives() {
    let text = "const L = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20];\nfn run() { L.map(|a| L.map(|b| L.map(|c| L.count(|d| L.some(|e| false))))); }";
    let program = compile(
        &Sources::of(layer("r", &[("a.rhai", text)])),
        &Limits::default().with_budget(100_000, Duration::from_secs(20)),
        &|_| {},
    )
    .unwrap();
    let fault = fault(&program, "run");
    assert_eq!(fault.diagnostic.code, Code::BudgetOperations, "{fault}");
    assert!(program.meter().operations() < 101_000, "{}", program.meter().operations());
}

#[test]
fn lists_and_texts_have_their_words() {
    let program = one(r#"
        fn run() {
            let l = [3, 1, 2];
            l.sort();
            let out = [l, l.filter(|x| x > 1), l.map(|x| x * 2), l.reduce(|a, b| a + b, 0), l.some(|x| x == 2), l.all(|x| x > 1), l.find(|x| x > 1)];
            out.push(2 in l); out.push(l.index_of(3)); out.push(l.sum()); out.push([l.min(), l.max()]); out.push(l.join("-"));
            l.sort(|a, b| b - a); out.push(l); out.push(["bb", "a"].sorted_by(|t| t.len()));
            out.push("abc".sub_string(1, 1)); out.push("a,b".split(",")); out.push("x".repeat(3)); out.push("aXa".replace("X", "--"));
            out.push([1, [2]] == [1, [2]]); out.push(#{a: 1} == #{a: 2}); out.push("n=" + 3); out.push(l.part(1, 1)); out.push("äö".len());
            out
        }"#);
    let text = one_line(&program.call("run", ()).unwrap());
    assert_eq!(
        text,
        r#"[[1, 2, 3], [2, 3], [2, 4, 6], 6, true, false, 2, true, 2, 6, [1, 3], "1-2-3", [3, 2, 1], ["a", "bb"], "b", ["a", "b"], "xxx", "a--a", true, false, "n=3", [2], 2]"#
    );
}

fn one_line(value: &rhai::Dynamic) -> String {
    format!("{value:?}").replace('\n', "")
}

#[test]
fn a_function_of_the_same_name_but_other_parameters_does_not_matter() {
    let program = one("fn filter() { 1 } fn start() { captured(2) } const T = [1, 2, 3]; fn captured(y) { T.filter(|x| x > y).sum() }");
    assert_eq!(int(&program, "start"), 3);
}

/// Where the call of `run` in a script ends for want of a budget: the kind, the line, its text.
fn where_it_ends(text: &str, limits: &Limits) -> (Code, u32, String) {
    let sources = Sources::of(layer("r", &[("other.rhai", "fn other() { 1 }"), ("rules.rhai", text)]));
    let program = compile(&sources, limits, &natives).unwrap_or_else(|found| panic!("{}", found.render()));
    let fault = fault(&program, "run");
    assert!(
        fault.with_calls().render().contains("while running `run`"),
        "{}",
        fault.with_calls().render()
    );
    let place = fault.diagnostic.place.clone().unwrap();
    assert_eq!(place.file, "r/rules.rhai");
    (fault.diagnostic.code, place.line, place.source_line.unwrap().trim().to_owned())
}

fn short() -> Limits {
    Limits::default().with_budget(20_000, Duration::from_secs(20))
}

#[test]
fn a_spent_budget_is_told_at_the_line_that_was_being_run() {
    let ends = |text: &str| where_it_ends(text, &short());
    let endless = |line: u32, text: &str| (Code::BudgetOperations, line, text.to_owned());
    assert_eq!(
        ends("fn run() {\n    let n = 0;\n    loop {\n        n += 1;\n    }\n}"),
        endless(4, "n += 1;")
    );
    assert_eq!(ends("fn run() {\n    let n = 0;\n\n    loop { }\n}"), endless(4, "loop { }"));
    assert_eq!(
        ends("fn run() {\n    1 + dig(3)\n}\n\nfn dig(n) {\n    while n > 0 {\n        nothing(); n += 1;\n    }\n}"),
        endless(7, "nothing(); n += 1;")
    );
    // Where nothing is read that has a name, the call is told that leads there.
    assert_eq!(
        ends("fn run() {\n    let n = 0;\n    spin();\n}\n\nfn spin() {\n    loop { }\n}"),
        endless(3, "spin();")
    );
    // Also inside what a native calls.
    assert_eq!(
        ends("fn run() {\n    [1, 2].map(|n| {\n        loop {\n            n += 1;\n        }\n    })\n}"),
        endless(4, "n += 1;")
    );
}

#[test]
fn a_call_that_takes_too_long_is_told_at_the_line_that_was_being_run() {
    let limits = Limits::default().with_budget(u64::MAX, Duration::from_millis(30));
    let (code, line, text) = where_it_ends("fn run() {\n    let n = 0;\n    loop {\n        n = 1 - n;\n    }\n}", &limits);
    assert_eq!((code, line, text.as_str()), (Code::BudgetTime, 4, "n = 1 - n;"));
}

#[test]
fn calls_that_are_nested_too_deep_are_told_at_the_innermost_with_the_way_there() {
    let text = "fn run() {\n    sink(0)\n}\n\nfn sink(n) {\n    let deeper = n + 1;\n    sink(deeper)\n}";
    let (code, line, _) = where_it_ends(text, &short());
    assert_eq!((code, line), (Code::BudgetDepth, 7), "where it calls itself");
    let program = one(text);
    let told = fault(&program, "run").with_calls().render();
    assert!(told.contains("which called `sink` at r/a.rhai:2:5"), "{told}");
    assert!(told.contains("and so on through 27 more calls"), "{told}");
    assert!(told.len() < 600, "{told}");
    assert_eq!(
        int(
            &one("fn run() { down(30) } fn down(n) { if n == 0 { 7 } else { down(n - 1) } }"),
            "run"
        ),
        7
    );
}

#[test]
fn a_value_that_grows_too_large_is_told_at_its_line() {
    let (code, line, text) = where_it_ends("fn run() {\n    let l = [1, 2];\n    loop {\n        l += l;\n    }\n}", &short());
    assert_eq!((code, line, text.as_str()), (Code::BudgetSize, 4, "l += l;"));
}

#[test]
fn a_spent_budget_can_not_be_caught() {
    for text in [
        "fn run() { try { let n = 0; loop { n += 1; } } catch { } 7 }",
        "fn run() { try { let n = 0; loop { n += 1; } } catch (wrong) { throw \"mine\"; } }",
        "fn run() { let n = 0; loop { try { loop { n += 1; } } catch { } } }",
    ] {
        let program = compile(&Sources::of(layer("r", &[("a.rhai", text)])), &short(), &|_| {}).unwrap();
        let fault = fault(&program, "run");
        assert_eq!(fault.diagnostic.code, Code::BudgetOperations, "{text}: {fault}");
        assert!(program.meter().operations() < 20_200, "{text}: {}", program.meter().operations());
    }
    let text = "fn run() { try { sink(0) } catch { 7 } } fn sink(n) { sink(n + 1) }";
    assert_eq!(fault(&one(text), "run").diagnostic.code, Code::BudgetDepth);
}

#[test]
fn words_that_only_look_work_on_items_of_tables_and_on_what_natives_give() {
    let program = one("const RING = #{ south: [\"a\", \"b\", \"c\"], north: [[1, 2], [3, 4]] };
         fn run() {
             let name = \"south\";
             [
                 RING[name].index_of(\"b\"), RING.south.contains(\"c\"), RING[name].part(0, 2).len, (RING[name]).last(),
                 RING.north[0].contains(2), RING[\"north\"][1].sum(), RING.get(name).first(), RING[name].len,
             ]
         }
         fn own() {
             let keys = RING.keys();
             keys.push(\"west\");
             keys[0] = \"east\";
             let all = RING.values() + [1] + RING.south;
             [keys.len, keys[0], RING.keys().len, all.len]
         }");
    let told = |name: &str| {
        program
            .call(name, ())
            .map_or_else(|fault| panic!("{fault}"), |value| format!("{value:?}"))
    };
    assert_eq!(told("run"), "[1, true, 2, \"c\", true, 7, \"a\", 3]");
    assert_eq!(told("own"), "[3, \"east\", 2, 6]");
}

#[test]
fn constants_stay_as_they_are_whatever_is_written() {
    for written in [
        "RING.south.push(1)",
        "RING[\"south\"].push(1)",
        "RING.south[0] = 1",
        "RING[\"south\"][0] = 1",
        "RING.south = 1",
        "RING[\"south\"] = 1",
        "RING.south += 1",
        "LIST[0] = 1",
        "LIST[0] += 1",
        "LIST.push(1)",
        "LIST += 1",
        "LIST.shift()",
        "LIST[1].push(1)",
        "LIST[1][0] = 1",
        "let own = RING.south; own.push(1)",
        "const OWN = RING.keys(); OWN.push(1)",
    ] {
        let text = format!("const RING = #{{ south: [1, 2] }};\nconst LIST = [1, [2]];\nfn run() {{ {written}; }}");
        let program = one(&text);
        let fault = program.call("run", ()).expect_err(written);
        assert_eq!(fault.diagnostic.code, Code::ConstantMutation, "{written}: {fault}");
        assert!(
            fault
                .diagnostic
                .help
                .as_deref()
                .is_some_and(|cure| cure.contains("copy()") || cure.contains("`let`")),
            "{written}"
        );
    }
}

#[test]
fn a_closure_may_use_what_the_words_before_it_work_on() {
    let program = one("fn within(list, item) { list.contains(item) }
         fn run() {
             let list = [1, 2, 3];
             let map = #{ all: [1, 2], one: 1 };
             [
                 list.all(|item| within(list, item)),
                 list.filter(|item| list[0] < item).map(|item| item + list.len),
                 map.all.map(|item| item + map.one + map.all.filter(|other| other in map.all && within(list, item)).len),
                 list.map(|item| list.filter(|other| other < item && list.some(|third| third == other)).len),
                 list.len,
             ]
         }
         fn sorts() {
             let list = [3, 1, 2];
             list.sort(|a, b| a - b);
             let best = 0;
             for item in list.filter(|item| item > best) { best = item; }
             [list, best]
         }");
    let told = |name: &str| {
        program
            .call(name, ())
            .map_or_else(|fault| panic!("{fault}"), |value| format!("{value:?}"))
    };
    assert_eq!(told("run"), "[true, [5, 6], [4, 5], [0, 1, 2], 3]");
    assert_eq!(told("sorts"), "[[1, 2, 3], 3]");
}
