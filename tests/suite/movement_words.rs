//! The words for movement that costs points: what each key of `reach` means, on every topology, and what is said of wrong ones.

use std::sync::Arc;

use boardwright::model::{Board, Map, MapCell, MapEdge, MapLine, MapRegion, Offset, Orientation, Setup, SetupItem, Topology};
use boardwright::rules::RulesSource;
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource, TestResult, TestScenario, run_tests};

const RULES: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "army" }],
        terrains: [#{ name: "land" }, #{ name: "wood" }, #{ name: "water" }],
        properties: [
            #{ of: "cell", name: "holder", seat: () },
            #{ of: "piece", name: "sees", integer: 1, min: 0, max: 9 },
            #{ of: "edge", name: "river", integer: 0, min: 0, max: 9 },
            #{ of: "edge", name: "wall", flag: false },
        ],
        actions: [#{ name: "bridge" }, #{ name: "take" }],
    }
}
fn do_bridge(turn, picked) {
    let edge = turn.cell("a1").edge_to(turn.cell("b1"));
    edge.river = 0;
    edge.wall = true;
}
fn do_take(turn, picked) {
    let cell = turn.cell("c1");
    cell.holder = turn.seat;
}
"#;

/// Six hexes in a row: b1 is wood, c1 a hill, e1 a higher one, f1 water; a river of 2 lies between a1 and b1, a wall between d1 and e1.
fn row() -> Map {
    let topology = Topology::Hex {
        width: 6,
        height: 1,
        orientation: Orientation::Pointy,
        offset: Offset::Odd,
    };
    let mut map = Map::new("board", "Board", topology);
    for (column, terrain, elevation) in [(1, "wood", 0), (2, "land", 1), (4, "land", 3), (5, "water", 0)] {
        map.cells.push(MapCell {
            terrain: Some(terrain.to_owned()),
            elevation,
            ..MapCell::new("", column, 0)
        });
    }
    for (a, b, name, value) in [("a1", "b1", "river", "2"), ("d1", "e1", "wall", "yes")] {
        map.edges.push(MapEdge {
            a: a.to_owned(),
            b: b.to_owned(),
            properties: [(name.to_owned(), value.to_owned())].into(),
        });
    }
    map.regions = vec![
        MapRegion {
            name: "west".to_owned(),
            cells: ["a1", "b1"].map(str::to_owned).to_vec(),
        },
        MapRegion {
            name: "ends".to_owned(),
            cells: ["a1", "f1"].map(str::to_owned).to_vec(),
        },
    ];
    map
}

fn source() -> Arc<ScriptSource> {
    let sources = Sources::of(Layer::new("rules").with("rules.rhai", RULES));
    Arc::new(ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn run(map: &Map, body: &str) -> TestResult {
    let board = Arc::new(Board::from_map(map).unwrap());
    let find = |id: &str| (id == "standard").then(|| TestScenario::plain(Arc::clone(&board), Setup::default()));
    // The match begins with the first look at it, so what sets it up comes before that.
    let (setup, body) = body.split_once("// Then:\n").unwrap_or(("", body));
    let text = format!("/// 1 A test.\nfn test_it(t) {{\n{setup}let view = t.view;\n{body}\n}}\n");
    run_tests(&source(), &[("tests/it.rhai", text.as_str())], &find).remove(0)
}

/// Runs a test of a ruleset on a board.
fn holds_on(map: &Map, body: &str) {
    let result = run(map, body);
    assert!(result.is_passed(), "{body}\n{}", result.problems.render());
}

fn holds(body: &str) {
    holds_on(&row(), body);
}

/// What is said of a mistake in the second line of a test.
fn complaint(line: &str) -> String {
    let result = run(&row(), line);
    assert!(!result.is_passed(), "{line}");
    let text = result.problems.render();
    assert!(text.starts_with("tests/it.rhai:4:"), "{text}");
    text
}

#[test]
fn without_a_table_every_step_costs_one() {
    holds(
        r#"let reach = view.reach(view.cell("a1"), #{ points: 3 });
        t.expect(reach.cells == view.set_of(["b1", "c1", "d1"].map(|name| view.cell(name))), "three hexes, without the one it starts from");
        t.expect(reach.cost(view.cell("d1")) == 3 && reach.cost(view.cell("e1")) == (), "the costs");
        t.expect(reach.cost(view.cell("a1")) == 0 && reach.points_left(view.cell("a1")) == 3, "where it starts");
        t.expect(reach.points_left(view.cell("c1")) == 1 && reach.points_left(view.cell("f1")) == (), "what is left");"#,
    );
}

#[test]
fn entering_costs_what_the_terrain_says_and_what_is_left_out_is_closed() {
    holds(
        r#"let reach = view.reach(view.cell("a1"), #{ points: 9, terrain: #{ land: 1, wood: 3 } });
        t.expect(reach.cost(view.cell("b1")) == 3 && reach.cost(view.cell("c1")) == 4, "wood, then land");
        t.expect(reach.cost(view.cell("e1")) == 6 && reach.cost(view.cell("f1")) == (), "no water");
        let back = view.reach(view.cell("b1"), #{ points: 1, terrain: #{ land: 1, wood: 3 } });
        t.expect(view.cell("a1") in back.cells, "leaving a wood costs nothing");"#,
    );
}

#[test]
fn climbing_costs_by_the_level_up_and_down() {
    holds(
        r#"let reach = view.reach(view.cell("d1"), #{ points: 20, uphill: 2, downhill: 1 });
        t.expect(reach.cost(view.cell("e1")) == 7, "three levels up");
        t.expect(reach.cost(view.cell("f1")) == 11, "and three down");
        t.expect(reach.cost(view.cell("c1")) == 3 && reach.cost(view.cell("b1")) == 5, "one up and one down");"#,
    );
}

#[test]
fn edges_cost_by_their_number_or_once_for_a_flag_in_both_directions() {
    holds(
        r#"let reach = view.reach(view.cell("a1"), #{ points: 20, edge: #{ river: 2, wall: 5 } });
        t.expect(reach.cost(view.cell("b1")) == 5, "a river of two");
        t.expect(reach.cost(view.cell("d1")) == 7 && reach.cost(view.cell("e1")) == 13, "a wall");
        let back = view.reach(view.cell("b1"), #{ points: 20, edge: #{ river: 2 } });
        t.expect(back.cost(view.cell("a1")) == 5 && back.cost(view.cell("e1")) == 3, "the river backwards, the wall for nothing");"#,
    );
}

#[test]
fn factors_are_multiplied_with_the_cost_of_the_terrain() {
    holds(
        r#"let reach = view.reach(view.cell("a1"), #{
            points: 99, terrain: #{ land: 10, wood: 15, water: 10 },
            percent: #{ terrain: #{ wood: 200 }, uphill: [150, 200], downhill: [110], elevation: [100, 100, 100, 130], edge: #{ wall: 50, river: 90 } },
        });
        t.expect(reach.cost(view.cell("b1")) == 27, "a wood that costs double, over a river: 15 x 2 x 0.9");
        t.expect(reach.cost(view.cell("c1")) == 42, "a level up: 10 x 1.5");
        t.expect(reach.cost(view.cell("d1")) == 53, "a level down: 10 x 1.1");
        t.expect(reach.cost(view.cell("e1")) == 66, "three levels up to level 3, half over the wall: 10 x 2 x 1.3 x 0.5");
        t.expect(reach.cost(view.cell("f1")) == 77, "beyond the end of a list its last number counts");
        t.expect(view.path(view.cell("a1"), view.cell("c1"), #{ percent: #{ uphill: [10] } }).len == 2, "and in paths");"#,
    );
}

#[test]
fn a_product_is_rounded_up_once_before_the_rest_is_added() {
    holds(
        r#"let reach = view.reach(view.cell("d1"), #{
            points: 99, terrain: #{ land: 3 }, uphill: 2, percent: #{ uphill: [150], elevation: [100, 100, 100, 130] },
        });
        t.expect(reach.cost(view.cell("e1")) == 12, "3 x 1.5 x 1.3 is 5.85, so 6, and 2 for each of three levels");"#,
    );
}

#[test]
fn a_factor_that_is_left_open_stands_for_a_step_that_cannot_be_made() {
    holds(
        r#"let costs = #{ points: 99, percent: #{ uphill: [150, 200, ()] } };
        t.expect(view.reach(view.cell("d1"), costs).cost(view.cell("e1")) == (), "a cliff");
        t.expect(view.reach(view.cell("f1"), costs).cost(view.cell("e1")) == (), "from either side");
        t.expect(view.reach(view.cell("e1"), costs).cost(view.cell("d1")) == 1, "down it goes");
        costs.percent = #{ elevation: [100, 100, 100, ()] };
        t.expect(view.reach(view.cell("d1"), costs).cost(view.cell("e1")) == (), "too high");"#,
    );
}

#[test]
fn blocked_cells_are_not_entered() {
    holds(
        r#"let reach = view.reach(view.cell("a1"), #{ points: 9, blocked: view.set_of([view.cell("c1")]) });
        t.expect(reach.cells == view.set_of([view.cell("b1")]), "as far as the blocked hex");"#,
    );
}

#[test]
fn movement_ends_where_it_has_to_stop_but_may_begin_there() {
    holds(
        r#"let zone = view.set_of([view.cell("a1"), view.cell("c1")]);
        let reach = view.reach(view.cell("a1"), #{ points: 9, stop_in: zone });
        t.expect(reach.cells == view.set_of([view.cell("b1"), view.cell("c1")]), "into the zone and no farther");
        t.expect(view.reach(view.cell("c1"), #{ points: 9, stop_in: zone }).cells.count == 5, "out of it");"#,
    );
}

#[test]
fn own_units_are_passed_but_nobody_stops_there() {
    holds(
        r#"let own = view.set_of([view.cell("b1"), view.cell("c1")]);
        let reach = view.reach(view.cell("a1"), #{ points: 3, no_stop: own });
        t.expect(reach.cells == view.set_of([view.cell("d1")]), "behind them");
        t.expect(reach.path(view.cell("d1")).map(|cell| cell.name) == ["b1", "c1", "d1"], "through them");
        t.expect(view.reach(view.cell("a1"), #{ points: 9, no_stop: own, stop_in: own }).cells.is_empty, "who has to stop there cannot go there");"#,
    );
}

#[test]
fn one_step_can_always_be_made_if_the_rules_say_so() {
    holds(
        r#"let costs = #{ points: 1, terrain: #{ land: 1, wood: 9 }, at_least_one: true };
        let reach = view.reach(view.cell("a1"), costs);
        t.expect(reach.cells == view.set_of([view.cell("b1")]) && reach.points_left(view.cell("b1")) == 0, "one hex, for all there is");
        costs.at_least_one = false;
        t.expect(view.reach(view.cell("a1"), costs).cells.is_empty, "else none");
        costs.at_least_one = true;
        t.expect(!(view.cell("f1") in view.reach(view.cell("e1"), costs).cells), "but not into what is closed");"#,
    );
}

#[test]
fn several_cells_reach_together() {
    holds(
        r#"let reach = view.reach(view.region("ends"), #{ points: 1 });
        t.expect(reach.cells == view.set_of([view.cell("b1"), view.cell("e1")]), "next to either");
        t.expect(view.reach(view.no_cells, #{ points: 9 }).cells.is_empty, "from nowhere to nowhere");"#,
    );
}

#[test]
fn the_cheapest_path_of_all_is_found_however_far() {
    holds(
        r#"let path = view.path(view.cell("a1"), view.cell("e1"), #{ terrain: #{ land: 1, wood: 1 } });
        t.expect(path.map(|cell| cell.name) == ["b1", "c1", "d1", "e1"], "without the first cell");
        t.expect(view.path(view.cell("a1"), view.cell("f1"), #{ terrain: #{ land: 1, wood: 1 } }) == (), "no way over water");
        t.expect(view.path(view.cell("a1"), view.cell("a1"), #{}).is_empty, "nothing to do");"#,
    );
}

#[test]
fn edges_are_read_and_set() {
    holds(
        r#"t.expect(view.cell("b1").edge_to(view.cell("a1")).river == 2, "from either side");
        t.expect(view.cell("d1").edge_to(view.cell("e1")).wall, "a flag");
        t.expect(view.cell("a1").edge_to(view.cell("c1")) == (), "only neighbours have one");
        t.plays("bridge");
        let edge = t.view.cell("a1").edge_to(t.view.cell("b1"));
        t.expect(edge.river == 0 && edge.wall, "as it was set");"#,
    );
    assert!(complaint(r#"view.cell("a1").edge_to(view.cell("b1")).depth"#).contains("depth"));
    let text = complaint(r#"let edge = view.cell("a1").edge_to(view.cell("b1")); edge.river = 1;"#);
    assert!(text.contains("view"), "{text}");
}

#[test]
fn cells_are_found_by_terrain_property_region_and_test() {
    holds(
        r#"t.expect(view.terrain("wood") == view.set_of([view.cell("b1")]), "the wood");
        t.expect(view.terrain("land").count == 4, "what the map does not name is the first terrain");
        t.expect(view.regions == ["west", "ends"] && view.cell("a1").regions == ["west", "ends"] && view.cell("c1").regions == [], "regions");
        t.expect(view.cells.higher_than(0) == view.set_of([view.cell("c1"), view.cell("e1")]), "by height");
        t.expect(view.cells.higher_than(1) == view.set_of([view.cell("e1")]) && view.region("west").higher_than(0).is_empty, "of the set");
        t.expect(view.cells.filter(|cell| cell.elevation > 0) == view.set_of([view.cell("c1"), view.cell("e1")]), "by a test");
        t.expect(view.cells.having("holder", view.seats[0]).is_empty && view.cells.having("holder", ()).count == 6, "nobody's");
        t.plays("take");
        t.expect(t.view.cells.having("holder", t.view.seats[0]) == t.view.set_of([t.view.cell("c1")]), "held");"#,
    );
}

#[test]
fn pieces_are_found_by_their_cells_oldest_first() {
    holds(
        r#"t.setup(#{ c1: "red army", a1: ["blue army", "red army"], f1: "red army" });
        // Then:
        let found = view.region("west").pieces;
        t.expect(found.len == 2 && found.all(|piece| piece.cell.name == "a1") && found[0].id < found[1].id, "two on a1");
        t.expect(view.no_cells.pieces.is_empty, "none on none");"#,
    );
}

#[test]
fn what_hides_is_seen_and_what_lies_behind_it_is_not() {
    holds(
        r#"let names = |cells| { let found = []; for cell in cells { found.push(cell.name); } found.join(" ") };
        t.expect(names.call(view.sight(view.cell("a1"), 3, #{})) == "a1 b1 c1 d1", "nothing hides anything");
        t.expect(names.call(view.sight(view.cell("a1"), 5, #{ opaque: ["wood"] })) == "a1 b1", "the wood hides");
        t.expect(names.call(view.sight(view.cell("b1"), 1, #{ opaque: ["wood"] })) == "a1 b1 c1", "not from within");
        t.expect(names.call(view.sight(view.cell("a1"), 5, #{ rise: 0 })) == "a1 b1 c1", "a level more than that of a1");
        t.expect(names.call(view.sight(view.cell("c1"), 5, #{ rise: 1 })) == "a1 b1 c1 d1 e1", "two more than that of c1");
        t.expect(names.call(view.sight(view.cell("c1"), 5, #{ rise: 2 })) == "a1 b1 c1 d1 e1 f1", "no more than that");
        t.expect(names.call(view.sight(view.cell("a1"), 5, #{ blocking: view.set_of([view.cell("d1")]) })) == "a1 b1 c1 d1", "a wall");
        t.expect(names.call(view.sight(view.region("ends"), 1, #{})) == "a1 b1 e1 f1", "from both ends");
        t.expect(names.call(view.sight(view.cell("a1"), 2, #{ plus: -9, least: 1 })) == "a1 b1", "so far at the least");"#,
    );
}

#[test]
fn each_piece_sees_as_far_as_its_property_says() {
    holds(
        r#"t.setup(#{ a1: ["red army sees=0", "red army sees=2"], f1: "red army" });
        // Then:
        let seats = view.seats;
        t.expect(view.sight(seats[0].cells, "sees", #{}).count == 5, "two from a1, one from f1");
        t.expect(view.sight(seats[0].cells, "sees", #{ plus: -1 }).count == 3, "one less");
        t.expect(view.sight(seats[1].cells, "sees", #{}).is_empty, "nobody sees nothing");"#,
    );
    for (call, said) in [
        ("view.sight(view.cell(\"a1\"), 2, 3)", "what limits sight is a map"),
        ("view.sight(view.cell(\"a1\"), 2, #{ depth: 3 })", "sight has no key \"depth\""),
        ("view.sight(view.cell(\"a1\"), 2, #{ opaque: [\"lawn\"] })", "no terrain \"lawn\""),
        (
            "view.sight(view.cell(\"a1\"), 2, #{ opaque: \"wood\" })",
            "list of names of terrains",
        ),
        ("view.sight(view.cell(\"a1\"), 2, #{ blocking: 1 })", "set of cells"),
        ("view.sight(view.cell(\"a1\"), 2, #{ rise: \"high\" })", "number of levels"),
        ("view.sight(view.cells, \"look\", #{})", "pieces have no property \"look\""),
    ] {
        let text = complaint(&format!("{call};"));
        assert!(text.contains(said), "{call}: {text}");
    }
}

#[test]
fn points_on_lines_and_squares_reach_as_hexes_do() {
    let mut graph = Map::new("board", "Board", Topology::Graph);
    graph.cells = ["a", "b", "c", "d"]
        .iter()
        .zip([0, 1000, 2000, 3000])
        .map(|(name, x)| MapCell::new(*name, x, 0))
        .collect();
    graph.lines = vec![MapLine::new(["a", "b", "c", "d"])];
    holds_on(
        &graph,
        r#"t.expect(view.reach(view.cell("a"), #{ points: 2 }).path(view.cell("c")).map(|cell| cell.name) == ["b", "c"], "along the line");"#,
    );
    for (diagonals, count) in [(false, 4), (true, 8)] {
        let topology = Topology::Square {
            width: 5,
            height: 5,
            diagonals,
        };
        holds_on(
            &Map::new("board", "Board", topology),
            &format!(r#"t.expect(view.reach(view.cell("c3"), #{{ points: 1 }}).cells.count == {count}, "its neighbours");"#),
        );
    }
}

#[test]
fn wrong_costs_are_told_with_their_place() {
    for (costs, said) in [
        ("#{ terrain: #{ land: 1 } }", "`reach` needs `points`"),
        ("#{ points: -1 }", "whole number from 0"),
        ("#{ points: \"many\" }", "whole number from 0"),
        ("#{ points: 3, terrian: #{ land: 1 } }", "costs have no key \"terrian\""),
        ("#{ points: 3, terrain: #{ lawn: 1 } }", "there is no terrain \"lawn\""),
        ("#{ points: 3, terrain: 2 }", "map of costs by name"),
        ("#{ points: 3, edge: #{ rivers: 1 } }", "edges have no property \"rivers\""),
        ("#{ points: 3, blocked: [view.cell(\"b1\")] }", "set of cells"),
        ("#{ points: 3, at_least_one: 1 }", "true or false"),
        ("#{ points: 3, percent: #{ slope: [150] } }", "`percent` has no key \"slope\""),
        (
            "#{ points: 3, percent: #{ uphill: 150 } }",
            "`uphill` of `percent` is a list of numbers by level",
        ),
        ("#{ points: 3, percent: #{ downhill: [-5] } }", "whole number from 0 to 10000"),
        ("3", "costs are a map"),
    ] {
        let text = complaint(&format!("view.reach(view.cell(\"a1\"), {costs});"));
        assert!(text.contains(said), "{costs}: {text}");
    }
    assert!(complaint("view.terrain(\"lawn\");").contains("there is no terrain \"lawn\""));
    assert!(complaint("view.set_of([1]);").contains("a list of cells"));
    assert!(complaint("view.cells.having(\"owner\", 1);").contains("owner"));
    assert!(complaint("view.cells.filter(|cell| 1);").contains("true or false"));
}

#[test]
fn what_a_map_says_of_edges_is_checked_as_of_cells() {
    let mut map = row();
    map.edges[0].properties = [("rivers".to_owned(), "2".to_owned())].into();
    let board = Arc::new(Board::from_map(&map).unwrap());
    let faults = Setup::default().build(&board, source().declarations()).unwrap_err();
    assert!(matches!(faults[0].item, SetupItem::MapEdge(_)), "{faults:?}");
    assert!(faults[0].to_string().contains("river, wall"), "{}", faults[0]);
}

/// Rules under a shroud: red sees one hex far, and what was never seen is water on the map and land to those who have not seen it.
const SHROUDED: &str = r#"
fn ruleset() {
    #{
        shroud: true,
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "army" }],
        terrains: [#{ name: "land" }, #{ name: "wood" }, #{ name: "water" }],
        properties: [
            #{ of: "edge", name: "river", integer: 0, min: 0, max: 9 },
            #{ of: "edge", name: "wall", flag: false },
        ],
        actions: [#{ name: "wait" }],
    }
}
fn do_wait(turn, picked) {}
fn visible(view) { view.no_cells | view.cell("d1") | view.cell("e1") }
"#;

#[test]
fn what_was_never_seen_reads_as_plain_ground_and_is_walked_over_unless_it_is_kept_out() {
    let board = Arc::new(Board::from_map(&row()).unwrap());
    let sources = Sources::of(Layer::new("rules").with("rules.rhai", SHROUDED));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let find = |id: &str| (id == "standard").then(|| TestScenario::plain(Arc::clone(&board), Setup::default()));
    let text = r#"
    /// 1 A test.
    fn test_it(t) {
        let seen = t.seen_by("red");
        let water = seen.cell_at(5, 0);
        t.expect(water.terrain == "land" && water.elevation == 0 && !water.is_explored, "f1 was never seen");
        t.expect(seen.explored_cells.count == 2 && seen.visible_cells == seen.explored_cells, "two hexes are");
        let costs = #{ points: 9, terrain: #{ land: 1 } };
        t.expect(water in seen.reach(seen.cell_at(3, 0), costs).cells, "one would walk over it");
        costs.blocked = seen.cells - seen.explored_cells;
        t.expect(seen.reach(seen.cell_at(3, 0), costs).cells.count == 1, "but not where it is kept out");
        t.expect(t.view.visible_cells == t.view.cells && t.view.explored_cells == t.view.cells, "the whole match hides nothing");
    }
    "#;
    let result = run_tests(&Arc::new(source), &[("tests/it.rhai", text)], &find).remove(0);
    assert!(result.is_passed(), "{}", result.problems.render());
}
