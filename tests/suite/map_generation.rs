//! Random maps: the hooks of rulesets, and the command that writes what they draw.

use std::sync::Arc;

use crate::common::sources;
use boardwright::model::diagnostic::Code;
use boardwright::model::{Board, CellId, Map, Setup, Topology};
use boardwright::rules::RulesSource;
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

fn crossing() -> ScriptSource {
    ScriptSource::new(Arc::new(sources("river-crossing")), Limits::default()).unwrap_or_else(|found| panic!("{}", found.render()))
}

fn generated(source: &ScriptSource, seed: u64, options: &[(&str, &str)]) -> Map {
    let options: Vec<(String, String)> = options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    source
        .generate_map(seed, &options)
        .unwrap_or_else(|found| panic!("{}", found.render()))
}

fn cells_of(map: &Map, terrain: &str) -> usize {
    map.cells.iter().filter(|cell| cell.terrain.as_deref() == Some(terrain)).count()
}

#[test]
fn the_same_seed_gives_the_same_map_and_others_give_others() {
    let source = crossing();
    let first = generated(&source, 7, &[]);
    assert_eq!(generated(&source, 7, &[]), first);
    assert_ne!(generated(&source, 8, &[]), first);
}

#[test]
fn a_random_valley_has_what_its_rules_say() {
    let source = crossing();
    for seed in 0..12 {
        let map = generated(&source, seed, &[("towns", "6"), ("bridges", "4")]);
        let board = Arc::new(Board::from_map(&map).unwrap_or_else(|faults| panic!("{faults:?}")));
        let start = Setup::default()
            .build(&board, source.declarations())
            .unwrap_or_else(|faults| panic!("{faults:?}"));
        let edges = |property: &str| {
            map.edges
                .iter()
                .filter(|edge| edge.properties.get(property).is_some_and(|value| value == "yes"))
                .count()
        };
        assert_eq!((cells_of(&map, "town"), edges("bridge")), (6, 4), "seed {seed}");
        let north = board.region(board.find_region("north").unwrap());
        let town = source.declarations().find_terrain("town");
        let towns: Vec<CellId> = board.cells().filter(|cell| start.terrain(*cell) == town).collect();
        assert!(towns.iter().all(|cell| north.contains(*cell)), "seed {seed}");
        assert!(
            towns.iter().all(|a| !board.neighbours(*a).iter().any(|b| towns.contains(b))),
            "towns are neighbours, seed {seed}"
        );
        // No edge leads from bank to bank but over the river or a bridge.
        let crossing = board
            .cells()
            .filter(|cell| north.contains(*cell))
            .flat_map(|cell| board.neighbours(cell).iter().map(move |other| (cell, *other)));
        let banks = crossing.filter(|(_, other)| !north.contains(*other)).count();
        assert_eq!(banks, edges("river") + edges("bridge"), "seed {seed}");
        for terrain in ["wood", "hill", "marsh"] {
            let count = |is_north: bool| {
                let id = source.declarations().find_terrain(terrain);
                board
                    .cells()
                    .filter(|cell| north.contains(*cell) == is_north && start.terrain(*cell) == id)
                    .count()
            };
            assert_eq!(count(true), count(false), "{terrain}, seed {seed}");
        }
    }
}

const RULES: &str = r#"
/// 1 Nothing happens.
fn ruleset() {
    #{
        seats: [#{ name: "one" }],
        terrains: [#{ name: "land" }, #{ name: "sea" }],
        properties: [#{ of: "cell", name: "gain", integer: 0 }, #{ of: "edge", name: "wall", flag: false }],
        map_options: [#{ name: "width", integer: 4, min: 2, max: 900 }, #{ name: "has_sea", flag: true }],
        actions: [#{ name: "pass", ends_turn: true }],
    }
}

/// 2 Nothing is done.
fn do_pass(turn, picked) {}

fn map_grid(view) { #{ topology: "square", width: view.options.width, height: 3, diagonals: true } }

fn generate_map(turn) {
    if turn.options.has_sea { turn.set_terrain(turn.cell("b2"), "sea"); }
    let corner = turn.cell("a1");
    corner.gain = 3;
    let edge = corner.edge_to(turn.cell("b1"));
    edge.wall = true;
    turn.set_elevation(turn.cell("a2"), -1);
    turn.set_name(turn.cell("a3"), "Port");
    turn.leave_out(turn.cell("b3"));
    turn.set_region("coast", [turn.cell("a1"), turn.cell("a3"), turn.cell("b3")]);
}
"#;

fn source_of(text: &str) -> ScriptSource {
    let sources = Sources::of(Layer::new("fixture").with("rules.rhai", text));
    ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|found| panic!("{}", found.render()))
}

#[test]
fn whatever_is_drawn_is_on_the_map() {
    let source = source_of(RULES);
    assert!(
        source.generates_maps() && source.findings().is_empty(),
        "{}",
        source.findings().render()
    );
    let map = generated(&source, 1, &[("width", "5")]);
    assert_eq!(
        map.topology,
        Topology::Square {
            width: 5,
            height: 3,
            diagonals: true
        }
    );
    let board = Board::from_map(&map).unwrap();
    let cell = |name: &str| board.find_cell(name).unwrap();
    assert_eq!(cells_of(&map, "sea"), 1);
    assert_eq!(
        (board.elevation(cell("a2")), board.find_cell("b3"), board.find_cell("a3")),
        (-1, None, None)
    );
    assert_eq!(
        board.region(board.find_region("coast").unwrap()).iter().collect::<Vec<_>>(),
        [cell("a1"), cell("Port")]
    );
    assert_eq!(map.edges[0].properties.get("wall").map(String::as_str), Some("yes"));
    assert_eq!(cells_of(&generated(&source, 1, &[("has_sea", "no")]), "sea"), 0);
}

#[test]
fn what_cannot_be_generated_is_told() {
    let refused = |source: &ScriptSource, options: &[(&str, &str)]| {
        let options: Vec<(String, String)> = options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let found = source
            .generate_map(1, &options)
            .err()
            .unwrap_or_else(|| panic!("{options:?} gives a map"));
        found.iter().next().unwrap().clone()
    };
    let source = source_of(RULES);
    assert_eq!(refused(&source, &[("widht", "5")]).code, Code::BadValue);
    assert_eq!(refused(&source, &[("width", "1")]).code, Code::BadValue);
    let fault = |text: String| refused(&source_of(&text), &[]).code;
    assert_eq!(fault(RULES.replace("topology: \"square\"", "topology: \"cube\"")), Code::ReturnType);
    assert_eq!(fault(RULES.replace("height: 3", "height: 60000")), Code::BadValue);
    let endless = RULES.replace("turn.leave_out(turn.cell(\"b3\"));", "let n = 0; while n >= 0 { n += 1; }");
    let code = fault(endless);
    assert!(code.text().starts_with("budget"), "{code:?}");
    assert_eq!(
        refused(
            &source_of(
                &RULES
                    .replace("fn map_grid", "fn grid_of_map")
                    .replace("fn generate_map", "fn map_drawn")
            ),
            &[]
        )
        .code,
        Code::MissingHook
    );
}
