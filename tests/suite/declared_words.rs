//! What rule books often say, declared and carried out by the engine: endings, actions of last resort, drops, captures in rows, sowing, tracks.

use std::sync::Arc;

use boardwright::model::{Board, Map, MapRegion, Setup, SetupPiece, SetupPlace, State, Topology};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Rules, RulesSource, Transaction, conformance, draw_action, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// Two seats drop stones, and may pass if they can drop none.
fn rules_with(endings: &str, more: &str) -> String {
    format!(
        r#"
        fn ruleset() {{
            #{{
                seats: [#{{ name: "red" }}, #{{ name: "blue" }}],
                kinds: [#{{ name: "stone" }}, #{{ name: "king" }}],
                zones: [#{{ name: "reserve", each: "seat" }}],
                actions: [
                    #{{ name: "put", rule: "1", ends_turn: true, picks: [#{{ name: "cell", pick: "cell" }}] }},
                    #{{ name: "pass", rule: "1.1", ends_turn: true, last_resort: true }},
                ],
                endings: [{endings}],
            }}
        }}

        /// 1 A stone comes onto any empty cell.
        fn pattern_put(view) {{ [{}] }}

        /// 1.1 Who cannot put one passes.
        fn do_pass(turn, picked) {{}}

        /// 2 Points.
        fn final_score(view) {{ view.seats.map(|seat| seat.cells.count) }}
        "#,
        if more.is_empty() { "drop(\"stone\")" } else { more }
    )
}

/// A match on five by five squares with regions at its edges, and pieces on some cells or in reserve.
fn begun(rules: &str, pieces: &[(&str, &str, &str)]) -> (Box<dyn Rules>, Arc<State>) {
    try_begin(rules, pieces).unwrap_or_else(|problem| panic!("{problem}"))
}

fn try_begin(rules: &str, pieces: &[(&str, &str, &str)]) -> Result<(Box<dyn Rules>, Arc<State>), String> {
    begin_with(rules, pieces, None)
}

/// The same with some of the seats alone.
fn begin_with(rules: &str, pieces: &[(&str, &str, &str)], seats: Option<&[&str]>) -> Result<(Box<dyn Rules>, Arc<State>), String> {
    let mut map = Map::new(
        "board",
        "Board",
        Topology::Square {
            width: 5,
            height: 5,
            diagonals: true,
        },
    );
    let region = |name: &str, cells: &str| MapRegion {
        name: name.to_owned(),
        cells: cells.split(' ').map(str::to_owned).collect(),
    };
    map.regions = vec![
        region("north", "a1 b1 c1 d1 e1"),
        region("south", "a5 b5 c5 d5 e5"),
        region("home", "a1 a2"),
    ];
    let board = Arc::new(Board::from_map(&map).map_err(|faults| format!("{faults:?}"))?);
    let sources = Arc::new(Sources::of(Layer::new("rules").with("rules.rhai", rules.to_owned())));
    let source = ScriptSource::new(sources, Limits::default()).map_err(|problems| problems.render())?;
    let pieces = pieces.iter().map(|(kind, owner, place)| SetupPiece {
        kind: (*kind).to_owned(),
        owner: Some((*owner).to_owned()),
        place: match *place {
            "reserve" => SetupPlace::Zone("reserve".to_owned(), Some((*owner).to_owned())),
            cell => SetupPlace::Cell(cell.to_owned()),
        },
        ..SetupPiece::default()
    });
    let setup = Setup {
        pieces: pieces.collect(),
        ..Setup::default()
    };
    let declarations = match seats {
        Some(names) => Arc::new(source.declarations().of_seats(names.iter().copied()).unwrap()),
        None => Arc::clone(source.declarations()),
    };
    let state = setup.build(&board, &declarations).unwrap();
    let rules = source.rules(&board, &declarations, &[]).map_err(|fault| fault.to_string())?;
    let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
    flow::begin(&*rules, &mut transaction).unwrap();
    Ok((rules, Arc::clone(transaction.state())))
}

/// Plays actions as they are typed, and tells how the match stands: who has won, `draw`, or nothing while it goes on.
fn played(rules: &dyn Rules, start: &Arc<State>, actions: &[&str]) -> (Arc<State>, String) {
    let mut transaction = Transaction::new(Arc::clone(start), Luck::Roll(Generator::new(1)));
    for text in actions {
        let seat = transaction.state().acting().first().unwrap_or_else(|| panic!("{text}: over"));
        let action =
            boardwright::rules::read_action(rules, transaction.state(), seat, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        flow::perform(rules, &mut transaction, &action).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    let state = Arc::clone(transaction.state());
    let outcome = state.outcome().map_or_else(String::new, |outcome| {
        let winners: Vec<&str> = (state.declarations().seats.iter().zip(&outcome.places))
            .filter(|(_, place)| **place == 1)
            .map(|(seat, _)| &*seat.name)
            .collect();
        if winners.len() > 1 { "draw".to_owned() } else { winners.join(" ") }
    });
    (state, outcome)
}

fn outcome(endings: &str, pieces: &[(&str, &str, &str)], actions: &[&str]) -> String {
    let (rules, start) = begun(&rules_with(endings, ""), pieces);
    played(&*rules, &start, actions).1
}

fn legal(rules: &dyn Rules, state: &Arc<State>) -> Vec<String> {
    let seat = state.acting().first().unwrap();
    let actions = flow::legal(rules, state, seat).unwrap();
    actions.iter().map(|action| rules.notation(state, action)).collect()
}

#[test]
fn rows_end_matches_in_any_direction() {
    let row = r#"#{ when: "row", length: 3, then: "wins", rule: "3" }"#;
    for cells in [["a1", "b1", "c1"], ["b5", "b4", "b3"], ["c3", "a1", "b2"], ["e1", "c3", "d2"]] {
        let [first, second, last] = cells.map(|cell| format!("put {cell}"));
        let so_far = [&*first, "put a4", &second, "put e5"];
        assert_eq!(outcome(row, &[], &so_far), "");
        assert_eq!(outcome(row, &[], &[&so_far[..], &[&last]].concat()), "red", "{cells:?}");
    }
    let broken = ["put a1", "put c1", "put b1", "put e5", "put d1"];
    assert_eq!(outcome(row, &[], &broken), "", "a row has no piece of the other side in it");
    let loses = row.replace("wins", "loses");
    assert_eq!(outcome(&loses, &[], &["put a1", "put a5", "put b1", "put b5", "put c1"]), "blue");
}

#[test]
fn regions_end_matches_when_they_are_entered_or_full() {
    let enters = r#"#{ when: "enters", region: "south", seat: "blue", then: "wins", rule: "3" }"#;
    assert_eq!(outcome(enters, &[], &["put a5", "put b4"]), "", "red is not meant");
    assert_eq!(outcome(enters, &[], &["put a5", "put b5"]), "blue");
    let king = r#"#{ when: "enters", region: "south", kind: "king", then: "wins", rule: "3" }"#;
    assert_eq!(outcome(king, &[], &["put a5", "put b5"]), "", "stones are not meant");
    assert_eq!(outcome(king, &[("king", "blue", "c5")], &[]), "blue", "as soon as the match begins");
    let fills = r#"#{ when: "fills", region: "home", then: "wins", rule: "3" }"#;
    assert_eq!(
        outcome(fills, &[], &["put a1", "put a2", "put c3"]),
        "",
        "half of it is the other side's"
    );
    assert_eq!(outcome(fills, &[], &["put a1", "put c3", "put a2"]), "red");
}

#[test]
fn connections_lead_from_region_to_region() {
    let connects = r#"#{ when: "connects", regions: ["north", "south"], then: "wins", rule: "3" }"#;
    let stones: Vec<(&str, &str, &str)> = ["c1", "c2", "c3", "d4"].map(|cell| ("stone", "red", cell)).into();
    assert_eq!(outcome(connects, &stones, &["put b5"]), "", "the chain has a gap");
    assert_eq!(outcome(connects, &stones, &["put d5"]), "red");
    assert_eq!(
        outcome(connects, &stones, &["put a5", "put d5", "put e5"]),
        "red",
        "beside what the other side has"
    );
    let blues: Vec<(&str, &str, &str)> = ["a1", "a2", "a4", "a5", "b1"].map(|cell| ("stone", "blue", cell)).into();
    assert_eq!(outcome(connects, &blues, &["put e3"]), "");
    assert_eq!(
        outcome(connects, &blues, &["put e3", "put b3"]),
        "blue",
        "its second stone in the north"
    );
}

#[test]
fn kinds_and_full_boards_end_matches() {
    let king = r#"#{ when: "no_pieces", kind: "king", seat: "blue", then: "loses", rule: "3" }"#;
    assert_eq!(outcome(king, &[("king", "blue", "c5")], &["put a1"]), "");
    assert_eq!(outcome(king, &[("stone", "blue", "c5")], &[]), "red");
    let full = r#"#{ when: "full", then: "draw", rule: "3" }"#;
    let cells: Vec<String> = ('a'..='e')
        .flat_map(|column| (1..=5).map(move |row| format!("{column}{row}")))
        .collect();
    let stones: Vec<(&str, &str, &str)> = cells.iter().skip(2).map(|cell| ("stone", "blue", &**cell)).collect();
    assert_eq!(outcome(full, &stones, &["put a1"]), "");
    assert_eq!(outcome(full, &stones, &["put a1", "put a2"]), "draw");
    let ranking = full.replace("draw", "ranking");
    assert_eq!(outcome(&ranking, &stones, &["put a1", "put a2"]), "blue");
}

#[test]
fn a_map_without_the_region_is_refused_with_its_name() {
    let endings = r#"#{ when: "fills", region: "nowhere", then: "wins", rule: "3" }"#;
    let told = try_begin(&rules_with(endings, ""), &[]).err().unwrap();
    assert!(
        told.contains("an ending asks for the region \"nowhere\", which the map does not have"),
        "{told}"
    );
}

#[test]
fn endings_that_make_no_sense_are_refused_where_they_stand() {
    for (ending, expected) in [
        (r#"#{ when: "row", then: "wins" }"#, "a row needs length: 2 to 65535"),
        (r#"#{ when: "row", length: 1, then: "wins" }"#, "a row needs length: 2 to 65535"),
        (
            r#"#{ when: "connects", regions: ["north"], then: "wins" }"#,
            "a connection needs regions",
        ),
        (r#"#{ when: "enters", then: "wins" }"#, "region"),
        (r#"#{ when: "full", then: "wins" }"#, "full is about no seat that could win or lose"),
        (
            r#"#{ when: "full", seat: "red", then: "draw" }"#,
            "full is about no seat: leave the key out",
        ),
        (
            r#"#{ when: "fills", region: "home", seat: "rad", then: "wins" }"#,
            "did you mean `red`?",
        ),
        (r#"#{ when: "no_pieces", kind: "kong", then: "loses" }"#, "did you mean `king`?"),
    ] {
        let told = try_begin(&rules_with(ending, ""), &[]).err().unwrap();
        assert!(told.contains(expected), "{ending}: {told}");
    }
}

#[test]
fn an_action_of_last_resort_waits_until_nothing_else_can_be_done() {
    let (rules, start) = begun(&rules_with("", r#"drop("stone").from("reserve")"#), &[("stone", "red", "reserve")]);
    assert_eq!(legal(&*rules, &start).len(), 25);
    let seat = start.acting().first().unwrap();
    let pass = boardwright::rules::read_action(&*rules, &start, seat, "pass").unwrap();
    let told = flow::check(&*rules, &start, &pass).unwrap_err().to_string();
    assert!(told.contains("Pass is for those who can do nothing else"), "{told}");
    let (state, _) = played(&*rules, &start, &["put c3"]);
    assert_eq!(legal(&*rules, &state), ["pass"], "blue has no stone");
    assert_eq!(flow::available(&*rules, &state, state.acting().first().unwrap()).unwrap().len(), 1);
    let (state, _) = played(&*rules, &state, &["pass", "pass"]);
    assert_eq!(legal(&*rules, &state), ["pass"]);
    // Playouts and candidates have the same.
    let drawn = draw_action(&*rules, &state, &mut Generator::new(1), &mut PlayoutBuffers::default()).unwrap();
    assert_eq!(rules.notation(&state, &drawn.unwrap()), "pass");
    let drawn = draw_action(&*rules, &start, &mut Generator::new(1), &mut PlayoutBuffers::default()).unwrap();
    assert!(rules.notation(&start, &drawn.unwrap()).starts_with("put "));
    assert_eq!(flow::candidates(&*rules, &start, seat).unwrap().len(), 25);
}

#[test]
fn what_is_dropped_captures_and_turns() {
    let stones = [
        ("stone", "red", "a1"),
        ("stone", "blue", "b1"),
        ("stone", "blue", "c1"),
        ("stone", "blue", "d2"),
        ("stone", "red", "d3"),
        ("king", "blue", "e2"),
    ];
    let count = |pattern: &str, action: &str| {
        let (rules, start) = begun(&rules_with("", pattern), &stones);
        let (state, _) = played(&*rules, &start, &[action]);
        let seats = state.declarations().all_seats();
        seats.iter().map(|seat| state.in_play(seat)).collect::<Vec<_>>()
    };
    assert_eq!(count(r#"drop("stone")"#, "put d1"), [3, 4]);
    assert_eq!(count(r#"drop("stone").capturing(enclosed())"#, "put d1"), [3, 3], "one alone");
    assert_eq!(count(r#"drop("stone").capturing(enclosed().in_rows())"#, "put d1"), [3, 1]);
    assert_eq!(
        count(r#"drop("stone").capturing(enclosed().in_rows().turning())"#, "put d1"),
        [6, 1]
    );
    assert_eq!(
        count(r#"drop("stone").capturing(enclosed().in_rows().of("king"))"#, "put d1"),
        [3, 4]
    );
    let (rules, start) = begun(
        &rules_with("", r#"drop("stone").capturing(enclosed().in_rows().turning()).must_capture()"#),
        &stones,
    );
    assert_eq!(legal(&*rules, &start), ["put d1"]);
    let (rules, start) = begun(
        &rules_with(
            "",
            r#"drop("stone").owned_by("blue"), drop("king").owned_by("red").on(view.region("home"))"#,
        ),
        &[],
    );
    assert_eq!(legal(&*rules, &start), ["put a1", "put a2"]);
    let (state, _) = played(&*rules, &start, &["put a1"]);
    assert_eq!(legal(&*rules, &state).len(), 24);
    for seed in 0..5 {
        conformance::random_match(&*rules, &start, seed, 60).unwrap_or_else(|breach| panic!("{breach}"));
    }
}

#[test]
fn what_a_pattern_says_of_a_seat_that_does_not_take_part_is_left_out() {
    let rules = rules_with(
        "",
        r#"drop("stone").owned_by("blue"), drop("king").owned_by("red").on(view.region("home"))"#,
    );
    let (rules, start) = begin_with(&rules, &[], Some(&["blue"])).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(legal(&*rules, &start).len(), 25);
    let motions = rules_with("", "")
        .replace("pattern_put", "pattern_go")
        .replace("name: \"put\"", "name: \"go\"")
        .replace(
            "#{ name: \"cell\", pick: \"cell\" }",
            "#{ name: \"piece\", pick: \"piece\" }, #{ name: \"way\", pick: \"path\" }",
        )
        .replace(
            "drop(\"stone\")",
            "step().owned_by(\"red\"), step().owned_by(\"blue\").along([\"n\"])",
        );
    let pieces = [("stone", "blue", "c3")];
    let (rules, start) = begin_with(&motions, &pieces, Some(&["blue"])).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(legal(&*rules, &start).len(), 1);
    let unknown = begin_with(&motions.replace("(\"red\")", "(\"pink\")"), &pieces, Some(&["blue"]));
    assert!(unknown.err().is_some_and(|told| told.contains("there is no seat `pink`")));
}

#[test]
fn drops_that_can_never_come_are_refused_when_the_rules_are_read() {
    let told = |pattern: &str, from: &str, to: &str| {
        let rules = rules_with("", pattern).replace(from, to);
        try_begin(&rules, &[]).err().unwrap_or_else(|| panic!("{pattern} is taken"))
    };
    let shape = told(r#"drop("stone")"#, r#"name: "stone""#, r#"name: "stone", shape: ["XX"]"#);
    assert!(shape.contains("stone has a shape: `place_from` places such pieces"), "{shape}");
    let capturing = told(r#"drop("stone").must_capture()"#, "", "");
    assert!(capturing.contains("without `capturing` is never possible"), "{capturing}");
    let unseen = told(
        r#"drop("stone").from("reserve")"#,
        r#"each: "seat""#,
        r#"each: "seat", seen_by: "no one""#,
    );
    assert!(unseen.contains("a zone that the seat does not see into"), "{unseen}");
    let (rules, start) = begun(&rules_with("", r#"drop("stone")"#).replace("[drop(\"stone\")]", "[]"), &[]);
    assert_eq!(legal(&*rules, &start), ["pass"], "an empty list says that nothing comes");
}

#[test]
fn what_may_says_holds_for_patterns_as_well() {
    let may = "/// 1 In later rounds.\nfn may_put(view) { view.round > 1 }";
    let (rules, start) = begun(&(rules_with("", "") + may), &[]);
    assert_eq!(legal(&*rules, &start), ["pass"]);
    let drawn = draw_action(&*rules, &start, &mut Generator::new(1), &mut PlayoutBuffers::default()).unwrap();
    assert_eq!(rules.notation(&start, &drawn.unwrap()), "pass");
    let (state, _) = played(&*rules, &start, &["pass", "pass"]);
    assert_eq!(legal(&*rules, &state).len(), 25);
    // Where it is never so, nobody can do anything, and that is told.
    let never = rules_with(r#"#{ when: "no_actions", then: "loses", rule: "3" }"#, "").replace("last_resort: true", "answers: true")
        + "/// 1 Never.\nfn may_put(view) { false }";
    let (_, start) = begun(&never, &[]);
    assert!(start.outcome().is_some());
}

#[test]
fn what_cannot_be_dropped_is_a_fault_of_the_hook_and_what_comes_belongs_to_the_seat() {
    let twice = "/// 1 Twice.\nfn do_put(turn, picked) { turn.follow(picked.cell); turn.follow(picked.cell); }";
    let (rules, start) = begun(&(rules_with("", "") + twice), &[]);
    let seat = start.acting().first().unwrap();
    let action = boardwright::rules::read_action(&*rules, &start, seat, "put a1").unwrap();
    let mut transaction = Transaction::new(Arc::clone(&start), Luck::Roll(Generator::new(1)));
    let told = flow::perform(&*rules, &mut transaction, &action).unwrap_err().to_string();
    assert!(told.contains("the pattern lets no piece come to a1 now"), "{told}");
    // Stones of anybody wait in a common zone.
    let common = rules_with("", r#"drop("stone").from("reserve")"#).replace(r#"name: "reserve", each: "seat""#, r#"name: "reserve""#)
        + "/// 1.2 One waits.\nfn start(turn) { turn.create_in(\"reserve\", \"stone\"); }";
    let (rules, start) = begun(&common, &[]);
    let (state, _) = played(&*rules, &start, &["put a1"]);
    assert_eq!(state.in_play(seat), 1);
}

#[test]
fn sowing_goes_around_a_track() {
    const SOWN: &str = r#"
        fn ruleset() {
            #{
                seats: [#{ name: "red" }, #{ name: "blue" }],
                properties: [#{ of: "cell", name: "grain", integer: 0, min: 0, max: 99 }, #{ of: "match", name: "ended", text: "" }],
                actions: [#{ name: "sow", rule: "1", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }, #{ name: "count", pick: "number" }] }],
            }
        }
        /// 1 Grain.
        fn sow_cell(view) { view.cells }
        fn sow_count(view, picked) { numbers(0, 20) }
        fn do_sow(turn, picked) {
            picked.cell.grain = picked.count;
            let last = turn.sow(picked.cell, ["a1", "b1", "c1"], "grain");
            turn.ended = last.name;
        }
        "#;
    let (rules, start) = begun(SOWN, &[]);
    let grain = |action: &str| {
        let (state, _) = played(&*rules, &start, &[action]);
        let property = |scope, name: &str| state.declarations().find_property(scope, name).unwrap();
        let of_cell = property(boardwright::model::Scope::Cell, "grain");
        let counts = ["a1", "b1", "c1", "d1"].map(|cell| {
            let cell = state.board().find_cell(cell).unwrap();
            state.value(boardwright::model::Target::Cell(cell), of_cell).unwrap().to_string()
        });
        let ended = state.value(
            boardwright::model::Target::Match,
            property(boardwright::model::Scope::Match, "ended"),
        );
        format!("{} {}", counts.join(" "), ended.unwrap())
    };
    assert_eq!(grain("sow b1 1"), "0 0 1 0 c1");
    assert_eq!(grain("sow b1 3"), "1 1 1 0 b1", "around again, into the cell itself");
    assert_eq!(grain("sow a1 8"), "2 3 3 0 c1");
    assert_eq!(grain("sow d1 2"), "1 1 0 0 b1", "from beside the track");
    assert_eq!(grain("sow a1 0"), "0 0 0 0 a1");
}

/// Runners of two seats on a track that turns a corner, by a number.
fn race(motion: &str) -> String {
    format!(
        r#"
        fn ruleset() {{
            #{{
                seats: [#{{ name: "red" }}, #{{ name: "blue" }}],
                kinds: [#{{ name: "runner" }}, #{{ name: "king" }}],
                zones: [#{{ name: "reserve", each: "seat" }}],
                properties: [#{{ of: "match", name: "die", integer: 2, min: -9, max: 9 }}, #{{ of: "match", name: "word", text: "" }}],
                actions: [
                    #{{ name: "run", rule: "1", ends_turn: true, picks: [
                        #{{ name: "runner", pick: "piece" }},
                        #{{ name: "way", pick: "path" }},
                    ] }},
                    #{{ name: "set", rule: "2", picks: [#{{ name: "die", pick: "number" }}] }},
                ],
            }}
        }}
        const TRACK = ["a1", "b1", "c1", "c2", "c3"];
        /// 1 Runners.
        fn pattern_run(view) {{ [{motion}] }}
        /// 2 Loaded dice.
        fn set_die(view) {{ numbers(-9, 9) }}
        fn do_set(turn, picked) {{ turn.die = picked.die; }}
        "#
    )
}

#[test]
fn pieces_advance_along_a_track_by_a_number() {
    let runs = |motion: &str, pieces: &[(&str, &str, &str)], die: i32| {
        let (rules, start) = begun(&race(motion), pieces);
        let (state, _) = played(&*rules, &start, &[&format!("set {die}")]);
        let mut moves = legal(&*rules, &state);
        moves.retain(|found| found.starts_with("run"));
        // What is drawn is listed, however the die fell.
        for seed in 0..20 {
            let drawn = draw_action(&*rules, &state, &mut Generator::new(seed), &mut PlayoutBuffers::default()).unwrap();
            let told = rules.notation(&state, &drawn.unwrap());
            assert!(told.starts_with("set") || moves.contains(&told), "{told}");
        }
        moves.join(", ")
    };
    let by_die = r#"advance_along(TRACK, "die")"#;
    let one = [("runner", "red", "b1")];
    assert_eq!(runs(by_die, &one, 1), "run b1 c1");
    assert_eq!(runs(by_die, &one, 3), "run b1 c3", "around the corner");
    assert_eq!(runs(by_die, &one, 4), "", "past the end");
    assert_eq!(runs(by_die, &one, -1), "run b1 a1");
    assert_eq!(runs(by_die, &one, 0), "");
    assert_eq!(runs(by_die, &[("runner", "red", "e5")], 1), "", "beside the track");
    let around = r#"advance_along(TRACK, "die").around()"#;
    assert_eq!(runs(around, &one, 4), "run b1 a1");
    assert_eq!(runs(around, &one, -9), "run b1 c1", "twice around, but for one");
    assert_eq!(runs(around, &one, 5), "run b1 b1", "a whole round");
    assert_eq!(runs(&format!("{around}.not_back()"), &one, 5), "");
    assert_eq!(runs(around, &one, 0), "");
    assert_eq!(runs("advance_along(TRACK, 2)", &one, 9), "run b1 c2", "always the same");
    let others = [("runner", "red", "a1"), ("runner", "red", "b1"), ("runner", "blue", "c1")];
    assert_eq!(runs(by_die, &others, 2), "run b1 c2", "over others, and not onto them");
    assert_eq!(
        runs(r#"advance_along(TRACK, "die").onto("empty or enemy")"#, &others, 2),
        "run a1 c1, run b1 c2"
    );
    assert_eq!(
        runs(r#"advance_along(TRACK, "die").onto("empty or enemy")"#, &others, 1),
        "run b1 c1",
        "never onto own ones"
    );
    assert_eq!(runs(r#"advance_along(TRACK, "die").owned_by("blue")"#, &one, 1), "");
    assert_eq!(runs("advance_along(TRACK, 1).times(2)", &one, 9), "run b1 c1-c2");
    assert_eq!(
        runs("advance_along(TRACK, 2).around().repeated()", &one, 9),
        "run b1 c2, run b1 c2-a1, run b1 c2-a1-c1, run b1 c2-a1-c1-c3, run b1 c2-a1-c1-c3-b1",
        "once around"
    );
    // It is carried out: what it comes to is captured, and who ends where it is promoted is promoted.
    let motion = r#"advance_along(TRACK, "die").onto("empty or enemy").promoting("king", view.region("north"))"#;
    let (rules, start) = begun(&race(motion), &others);
    let (state, _) = played(&*rules, &start, &["run a1 c1"]);
    let at = |cell: &str| {
        state
            .piece_at(state.board().find_cell(cell).unwrap())
            .map(|piece| (piece.kind.0, piece.owner.unwrap().0))
    };
    assert_eq!((at("a1"), at("c1")), (None, Some((1, 0))));
    assert_eq!(state.in_play(boardwright::model::SeatId(1)), 0);
}

#[test]
fn tracks_that_make_no_sense_are_refused_where_they_stand() {
    for (motion, told) in [
        (r#"advance_along(["a1", "z9"], 1)"#, "there is no cell `z9`"),
        (
            r#"advance_along(TRACK, "dye")"#,
            "there is no match property that counts `dye`; did you mean `die`?",
        ),
        (r#"advance_along(TRACK, "word")"#, "there is no match property that counts `word`"),
        (r#"advance_along(["a1", "b1", "a1"], 1)"#, "the track comes to \"a1\" twice"),
        ("advance_along([], 1)", "the track has no cells"),
        (
            r#"advance_along("a1", 1)"#,
            "advance_along takes a list of names of cells as its track",
        ),
        (
            "advance_along(TRACK, true)",
            "advance_along takes a number or the name of a match property",
        ),
        ("step().around()", "around belongs to advance_along"),
        (
            r#"advance_along(TRACK, 1).along(["n"])"#,
            "a motion along a track has no directions",
        ),
    ] {
        let problem = try_begin(&race(motion), &[]).err().unwrap_or_else(|| panic!("{motion} is allowed"));
        assert!(problem.contains(told), "{motion}: {problem}");
    }
}

#[test]
fn numbers_for_computer_players_are_refused_where_they_are_too_small_or_too_large() {
    for (word, told) in [
        (
            "playout_weight(view.empty, 0)",
            "the weight of `playout_weight` is a whole number from 1 to 1048576, not 0",
        ),
        (
            "playout_weight_of_size(5, -2)",
            "the factor of `playout_weight_of_size` is a whole number from 1 to 1048576, not -2",
        ),
        (
            "playout_weight_of_size(0, 3)",
            "the number of squares of `playout_weight_of_size` is a whole number from 1 to 1024, not 0",
        ),
        (
            "prior(view.empty, 2001)",
            "what `prior` adds is a whole number from -2000 to 2000, not 2001",
        ),
        ("prior_beside(view.empty, 2001)", "what `prior_beside` adds is"),
        ("prior_at_corners(view.empty, 2001)", "what `prior_at_corners` adds is"),
        (
            "prior_of_size(5, -9999999999)",
            "what `prior_of_size` adds is a whole number from -2000 to 2000, not -9999999999",
        ),
        ("prior_of_size(1025, 1)", "the number of squares of `prior_of_size` is"),
    ] {
        let rules = rules_with("", &format!(r#"place_from("reserve").{word}"#));
        let problem = try_begin(&rules, &[]).err().unwrap_or_else(|| panic!("{word} is allowed"));
        assert!(problem.contains(told), "{word}: {problem}");
    }
}

#[test]
fn what_a_function_gave_for_one_seat_is_given_to_another_only_if_it_did_not_ask() {
    const VALUES: &str = r"
        /// 3 Values.
        fn value(view) {
            let sum = 0;
            for n in 0..8 { sum += 1000 * everyone(view) + 100 * nested(view) + through(view, |one| own(one)); }
            sum / 8
        }
        /// 3.1 The same for everybody.
        fn everyone(view) { let sum = long(); view.occupied.count }
        /// 3.2 Asks by way of another function.
        fn nested(view) { let sum = long(); own(view) }
        /// 3.3 Asks by way of what it is given.
        fn through(view, ask) { let found = [view].map(ask); long() - long() + found[0] }
        fn own(view) { let sum = long(); view.seat.cells.count }
        fn long() { let sum = 0; for n in 0..30 { sum += n; } sum }
        ";
    let pieces = [("stone", "red", "a1"), ("stone", "red", "b1"), ("stone", "blue", "c1")];
    let (rules, start) = begun(&(rules_with("", "") + VALUES), &pieces);
    for _ in 0..20 {
        let of_seat = |seat| rules.guidance().value(&start, boardwright::model::SeatId(seat)).unwrap().unwrap();
        assert_eq!([of_seat(0), of_seat(1), of_seat(0)], [3202, 3101, 3202]);
    }
}
