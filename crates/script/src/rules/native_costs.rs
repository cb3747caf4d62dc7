//! Every native that goes through cells, pieces or items costs its script more where there are more of them.

use std::collections::BTreeSet;

use super::super::{Limits, ScriptSource, compile_rules, reference};
use super::*;
use boardwright_model::{Map as BoardMap, MapCell, MapRegion, Setup, SetupPiece, SetupPlace, Topology};
use boardwright_rules::RulesSource;
use boardwright_ruleset::{Layer, Sources};

/// Words that do something at once, however large the match is: they read a value or look a name up, or go through no more than the seats,
/// turns or poses that there are.
const CONSTANT: &[&str] = &[
    "[]",
    "is_explored",
    "is_visible",
    "seat",
    "seats",
    "seat_named",
    "seats_left",
    "turn_of",
    "round",
    "turn_number",
    "turn_name",
    "turns_left",
    "phase",
    "options",
    "question",
    "times_stood",
    "cell",
    "cell_at",
    "piece_at",
    "zone_count",
    "distance",
    "id",
    "kind",
    "owner",
    "side",
    "carrier",
    "pose",
    "poses",
    "shape_in",
    "is_off",
    "name",
    "column",
    "row",
    "elevation",
    "step",
    "edge_to",
    "title",
    "next",
    "pieces_in_play",
    "is_out",
    "is_empty",
    "first",
    "contains",
    "cost",
    "points_left",
    "turns",
    "vector",
    "length",
    "turned",
    "passes",
    "+",
    "*",
    "!=",
];

/// Words that cost more in a larger match: what is there before they are used, and how. `few` and `many` of them are compared.
const GROWING: &[(&str, &str, &str)] = &[
    ("cells", "", "view.cells"),
    ("cells", "let p = view.piece_at(view.cell(\"a1\"));", "p.cells"),
    ("cells", "let s = view.seats[0];", "s.cells"),
    ("cells", "let e = view.cell(\"a1\").edge_to(view.cell(\"b1\"));", "e.cells"),
    ("cells", "let r = view.reach(view.cell(\"a1\"), #{ points: 1 });", "r.cells"),
    ("empty", "", "view.empty"),
    ("occupied", "", "view.occupied"),
    ("no_cells", "", "view.no_cells"),
    ("visible_cells", "", "view.visible_cells"),
    ("explored_cells", "", "view.explored_cells"),
    ("cells_where", "", "view.cells_where(\"strength\", 2)"),
    ("region", "", "view.region(\"all\")"),
    ("regions", "", "view.regions"),
    ("regions", "let c = view.cell(\"a1\");", "c.regions"),
    ("terrain", "", "view.terrain(\"land\")"),
    (
        "set_of",
        "let l = []; for c in view.region(\"block\") { l.push(c); }",
        "view.set_of(l)",
    ),
    ("pieces", "", "view.pieces"),
    ("pieces", "let a = view.cells;", "a.pieces"),
    ("pieces", "let a = view.set_of([view.cell(\"a1\")]);", "a.pieces"),
    ("pieces_at", "let c = view.cell(\"a1\");", "view.pieces_at(c)"),
    ("pieces_of", "let s = view.seats[0];", "view.pieces_of(s)"),
    ("cargo", "let p = view.piece_at(view.cell(\"a1\"));", "p.cargo"),
    (
        "crossed",
        "let a = view.cell(\"a1\"); let b = view.region(\"far\").first;",
        "view.crossed(a, b)",
    ),
    (
        "crossed_cells",
        "let a = view.cell(\"a1\"); let b = view.region(\"far\").first;",
        "view.crossed_cells(a, b)",
    ),
    (
        "middles",
        "let a = view.cell(\"a1\"); let b = view.region(\"far\").first;",
        "view.middles(a, b)",
    ),
    ("zone", "", "view.zone(\"deck\")"),
    ("zone", "let s = view.seats[0];", "view.zone(\"hand\", s)"),
    ("distances", "let a = view.region(\"block\");", "view.distances(a, a)"),
    (
        "takes_back",
        "let p = view.piece_at(view.cell(\"a1\")); let l = []; for c in view.region(\"block\") { l.push(c); }",
        "view.takes_back(p, l)",
    ),
    ("neighbours", "let c = view.cell(\"a1\");", "c.neighbours"),
    ("neighbours", "let a = view.cells;", "a.neighbours"),
    ("count", "let a = view.cells;", "a.count"),
    ("|", "let a = view.cells;", "a | a"),
    ("|", "let a = view.cells; let c = view.cell(\"a1\");", "a | c"),
    ("&", "let a = view.cells;", "a & a"),
    ("-", "let a = view.cells;", "a - a"),
    ("-", "let a = view.cells; let c = view.cell(\"a1\");", "a - c"),
    ("==", "let a = view.cells;", "a == a"),
    ("is_within", "let a = view.cells;", "a.is_within(a)"),
    ("at_least", "let a = view.cells;", "a.at_least(\"strength\", 1)"),
    (
        "at_least",
        "let a = view.set_of([view.cell(\"a1\")]);",
        "a.at_least(\"strength\", 1)",
    ),
    ("higher_than", "let a = view.cells;", "a.higher_than(0)"),
    ("having", "let a = view.cells;", "a.having(\"mark\", 1)"),
    ("sum", "let a = view.cells;", "a.sum(\"strength\")"),
    ("sum", "let a = view.set_of([view.cell(\"a1\")]);", "a.sum(\"strength\")"),
    ("most", "let a = view.cells;", "a.most(\"strength\")"),
    ("filter", "let a = view.region(\"block\");", "a.filter(|cell| true)"),
    ("map", "let a = view.region(\"block\");", "a.map(|cell| 1)"),
    ("shift", "let a = view.cells;", "a.shift(\"n\")"),
    ("dilate", "let a = view.set_of([view.cell(\"a1\")]);", "a.dilate(100)"),
    ("sides", "let a = view.cells;", "a.sides"),
    ("corners", "let a = view.cells;", "a.corners"),
    ("with_sides_in", "let a = view.cells;", "a.with_sides_in(a, 2)"),
    ("flood", "let a = view.cells;", "a.flood(a)"),
    ("flood", "let a = view.cells;", "view.set_of([view.cell(\"a1\")]).flood(a, 100)"),
    ("components", "let a = view.cells;", "a.components"),
    ("has_row", "let a = view.cells;", "a.has_row(1000)"),
    ("in_rows", "let a = view.cells;", "a.in_rows(1000)"),
    (
        "fits",
        "let f = view.zone(\"hand\", view.seats[0])[0].shape_in(\"0\"); let a = view.cells;",
        "f.fits(a)",
    ),
    (
        "touches",
        "let f = view.zone(\"hand\", view.seats[0])[0].shape_in(\"0\"); let a = view.cells;",
        "f.touches(a)",
    ),
    ("reach", "let c = view.cell(\"a1\");", "view.reach(c, #{ points: 60 })"),
    ("reach", "let a = view.region(\"block\");", "view.reach(a, #{ points: 9 })"),
    (
        "in_turns",
        "let r = view.reach(view.cell(\"a1\"), #{ points: 1, each_turn: 60 });",
        "r.in_turns(1)",
    ),
    ("sight", "let c = view.cell(\"a1\");", "view.sight(c, 60, #{})"),
    ("sight", "let a = view.region(\"block\");", "view.sight(a, 3, #{})"),
    ("sight", "let a = view.region(\"block\");", "view.sight(a, \"strength\", #{})"),
    (
        "cheapest",
        "let r = view.reach(view.cell(\"a1\"), #{ points: 9 }); let a = view.cells;",
        "r.cheapest(a, 2)",
    ),
    (
        "path",
        "let r = view.reach(view.cell(\"a1\"), #{ points: 1000 }); let c = view.region(\"far\").first;",
        "r.path(c)",
    ),
    (
        "path",
        "let c = view.cell(\"a1\"); let d = view.region(\"far\").first;",
        "view.path(c, d, #{})",
    ),
];

/// The same for lists, maps and texts, which hold `N` items or letters.
const OF_LANGUAGE: &[(&str, &str)] = &[
    ("", "l.contains(-1)"),
    ("", "l.index_of(-1)"),
    ("", "l.index_of(|x| x < 0)"),
    ("", "l.find(|x| x < 0)"),
    ("", "l.some(|x| x < 0)"),
    ("", "l.all(|x| x >= 0)"),
    ("", "l.count(|x| x < 0)"),
    ("", "l.filter(|x| x < 0)"),
    ("", "l.map(|x| x)"),
    ("", "l.reduce(|sum, x| sum, 0)"),
    ("", "l.sum()"),
    ("", "l.min()"),
    ("", "l.max()"),
    ("", "l.sorted()"),
    ("", "l.sorted_by(|x| x)"),
    ("", "l.sort()"),
    ("", "l.dedup()"),
    ("", "l.reverse()"),
    ("", "l.join(\",\")"),
    ("", "l.part(0, 900)"),
    ("", "l == l"),
    ("", "l != l"),
    ("let o = [];", "o.append(l)"),
    ("let o = [];", "o + l"),
    ("", "l.to_string()"),
    ("", "m.keys()"),
    ("", "m.values()"),
    ("", "m + m"),
    ("", "m == m"),
    ("", "t.split(\",\")"),
    ("", "t.replace(\"a\", \"b\")"),
    ("", "t.repeat(2)"),
    ("", "t + l"),
];

const DECLARED: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "mark" }, #{ name: "tile", shape: ["XX", "X."] }],
        terrains: [#{ name: "land" }],
        zones: [#{ name: "deck" }, #{ name: "hand", each: "seat" }],
        properties: [
            #{ of: "piece", name: "strength", integer: 2, min: 0, max: 9 },
            #{ of: "cell", name: "mark", integer: 0, min: 0, max: 9 },
        ],
        actions: [#{ name: "wait" }],
    }
}
fn do_wait(turn, picked) { }
"#;

/// A match on a square board: `size` cells a side, and as many pieces on its first cell, on its last row and in each zone.
fn begun(script: &str, size: u16) -> (ScriptRules, Arc<State>) {
    let topology = Topology::Square {
        width: size,
        height: size,
        diagonals: false,
    };
    let mut map = BoardMap::new("board", "Board", topology);
    let plain = Board::from_map(&map).unwrap();
    let names: Vec<String> = plain.cells().map(|cell| plain.cell_name(cell).to_owned()).collect();
    let (count, side) = (names.len(), usize::from(size));
    let mut region = |name: &str, cells: &[String]| {
        map.regions.push(MapRegion {
            name: name.to_owned(),
            cells: cells.to_vec(),
        });
    };
    region("all", &names);
    region("block", &names[..(side * 5).min(count)]);
    region("far", &names[count - 1..]);
    for number in 0..side {
        region(&format!("of {number}"), &names[..1]);
    }
    let board = Arc::new(Board::from_map(&map).unwrap());
    let sources = Arc::new(Sources::of(Layer::new("rules").with("rules.rhai", format!("{DECLARED}{script}"))));
    let limits = Limits::default();
    let source = ScriptSource::new(Arc::clone(&sources), limits).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let piece = |kind: &str, place: SetupPlace| SetupPiece {
        kind: kind.to_owned(),
        owner: Some("red".to_owned()),
        place,
        ..SetupPiece::default()
    };
    let mut setup = Setup::default();
    for number in 0..side {
        setup.pieces.extend([
            piece("mark", SetupPlace::Cell(names[0].clone())),
            piece("mark", SetupPlace::Cell(names[count - 1 - number].clone())),
            piece("tile", SetupPlace::Zone("hand".to_owned(), Some("red".to_owned()))),
            SetupPiece {
                owner: None,
                ..piece("mark", SetupPlace::Zone("deck".to_owned(), None))
            },
        ]);
    }
    let state = setup.build(&board, source.declarations()).unwrap();
    let program = compile_rules(&sources, &limits).unwrap_or_else(|problems| panic!("{}", problems.render()));
    program.meter().set_budget(50_000_000, std::time::Duration::from_mins(5));
    let rules = ScriptRules::new(program.into(), source.fingerprint(), &board, source.declarations(), &[]).unwrap();
    (rules, Arc::new(state))
}

/// The operations of a function of the script that looks at a match.
fn operations(rules: &ScriptRules, state: &Arc<State>, function: &str) -> u64 {
    let call = || rules.program.call(function, (rules.view(),));
    let result = rules.context.look(state, Some(SeatId(0)), call);
    drop(result.unwrap_or_else(|fault| panic!("{function}: {fault}")));
    rules.program.meter().operations()
}

#[test]
fn natives_cost_more_in_a_larger_match() {
    let functions = GROWING.iter().enumerate().map(|(number, (_, before, used))| {
        format!("fn base_{number}(view) {{ {before} }}\nfn used_{number}(view) {{ {before} {used}; }}\n")
    });
    let script: String = functions.collect();
    let matches = [4, 200].map(|size| begun(&script, size));
    let mut wrong = Vec::new();
    for (number, (_, before, used)) in GROWING.iter().enumerate() {
        let [few, many] = [0, 1].map(|index| {
            let (rules, state) = &matches[index];
            operations(rules, state, &format!("used_{number}")) - operations(rules, state, &format!("base_{number}"))
        });
        if many <= few {
            wrong.push(format!("{before} {used}: {few} operations in a small match, {many} in a large one"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn natives_of_lists_maps_and_texts_cost_more_with_more_in_them() {
    const MADE: &str =
        "let l = []; let m = #{}; let t = \"\"; for i in 0..N { l.push(i); if i < 400 { m[`k${i}`] = i; } t += \"abcdefghij,klmnop\"; }";
    let functions = OF_LANGUAGE.iter().enumerate().flat_map(|(number, (before, used))| {
        [("few", "4"), ("many", "900")].map(|(name, count)| {
            let made = MADE.replace('N', count);
            format!("fn base_{name}_{number}(view) {{ {made} {before} }}\nfn used_{name}_{number}(view) {{ {made} {before} {used}; }}\n")
        })
    });
    let (rules, state) = begun(&functions.collect::<String>(), 4);
    let mut wrong = Vec::new();
    for (number, (_, used)) in OF_LANGUAGE.iter().enumerate() {
        let [few, many] = ["few", "many"].map(|name| {
            let both = ["used", "base"].map(|what| operations(&rules, &state, &format!("{what}_{name}_{number}")));
            both[0] - both[1]
        });
        if many <= few {
            wrong.push(format!("{used}: {few} operations of few, {many} of many"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// On a graph too large for a table of distances each is a search.
#[test]
fn distances_without_a_table_are_paid_for() {
    let cost = |count: u16| {
        let mut map = BoardMap::new("line", "Line", Topology::Graph);
        map.cells = (0..count).map(|x| MapCell::new(format!("p{x}"), i32::from(x) * 1_000, 0)).collect();
        let board = Arc::new(Board::from_map(&map).unwrap());
        let sources = Arc::new(Sources::of(Layer::new("rules").with(
            "rules.rhai",
            format!("{DECLARED} fn far(view) {{ view.distance(view.cell(\"p0\"), view.cell(\"p1\")); }}"),
        )));
        let source = ScriptSource::new(Arc::clone(&sources), Limits::default()).unwrap();
        let state = Arc::new(Setup::default().build(&board, source.declarations()).unwrap());
        let program = compile_rules(&sources, &Limits::default()).unwrap();
        let rules = ScriptRules::new(program.into(), source.fingerprint(), &board, source.declarations(), &[]).unwrap();
        (board.has_distances(), operations(&rules, &state, "far"))
    };
    let (few, many) = (cost(4), cost(3_000));
    assert_eq!((few.0, many.0), (true, false));
    assert!(many.1 > few.1 + 500, "{few:?} {many:?}");
}

/// Whoever adds a word says which it is.
#[test]
fn every_word_that_looks_is_judged() {
    let judged: BTreeSet<&str> = GROWING.iter().map(|(word, ..)| *word).chain(CONSTANT.iter().copied()).collect();
    let looking = [
        "View",
        "Pieces",
        "Cells",
        "Seats",
        "Cell sets",
        "Shapes",
        "Movement",
        "Vectors and lines",
        "Options and questions",
    ];
    let topics = reference::topics()
        .into_iter()
        .filter(|topic| looking.contains(&topic.title.as_str()));
    let words: Vec<_> = topics.flat_map(|topic| topic.words).collect();
    assert!(words.len() > 80, "{}", words.len());
    let missing: Vec<&str> = words
        .iter()
        .map(|word| word.name.as_str())
        .filter(|name| !judged.contains(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}: say whether they cost more in a larger match");
}
