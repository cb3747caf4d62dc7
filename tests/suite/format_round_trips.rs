//! What is written reads back, whatever it is; and nothing that is read makes a reader panic.

use std::path::Path;

use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{MapDocument, Parameters, ScenarioDocument, check_document, print_map, print_scenario};
use boardwright::model::{
    Map, MapCell, MapEdge, MapLine, MapRegion, MomentPiece, MomentTerrain, MomentValue, MomentZone, Offset, Orientation, Scenario, Setup,
    SetupMoment, SetupPiece, SetupPlace, SetupTarget, SetupValue, Topology, Value,
};
use proptest::prelude::*;

fn text(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(name)).unwrap()
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z<&\"'äß]([ -:<-~ä]{0,6}[a-zA-Z0-9>&])?"
}

fn properties() -> impl Strategy<Value = std::collections::BTreeMap<String, String>> {
    prop::collection::btree_map(name(), "[ -~\t\n\r]{0,6}", 0..3)
}

fn topology() -> impl Strategy<Value = Topology> {
    let size = || 1..8_u16;
    prop_oneof![
        (size(), size(), any::<(bool, bool)>()).prop_map(|(width, height, (pointy, odd))| Topology::Hex {
            width,
            height,
            orientation: if pointy { Orientation::Pointy } else { Orientation::Flat },
            offset: if odd { Offset::Odd } else { Offset::Even },
        }),
        (size(), size(), any::<bool>()).prop_map(|(width, height, diagonals)| Topology::Square { width, height, diagonals }),
        Just(Topology::Graph),
    ]
}

fn outline() -> impl Strategy<Value = Vec<Vec<(i32, i32)>>> {
    prop::collection::vec(prop::collection::vec(any::<(i32, i32)>(), 1..4), 0..3)
}

fn cell() -> impl Strategy<Value = MapCell> {
    let terrain = prop_oneof![Just(None), Just(Some("grass".to_owned())), name().prop_map(Some)];
    let rare = prop_oneof![4 => Just(false), 1 => Just(true)];
    (
        name(),
        rare.clone(),
        rare.clone(),
        (-1..8_i32, -1..8_i32),
        terrain,
        any::<i16>(),
        outline(),
        rare,
        properties(),
    )
        .prop_map(
            |(name, is_named, is_special, (x, y), terrain, elevation, outline, absent, properties)| MapCell {
                title: String::new(),
                name: if is_named { name } else { String::new() },
                x,
                y,
                terrain,
                elevation: if is_special { elevation } else { 0 },
                outline: if is_special { outline } else { Vec::new() },
                absent,
                properties: if is_special {
                    properties
                } else {
                    std::collections::BTreeMap::default()
                },
            },
        )
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(name(), 1..5)
}

/// Any map that a file can hold, right or wrong.
fn map() -> impl Strategy<Value = Map> {
    let cells = prop::collection::vec(cell(), 0..30);
    let lines = prop::collection::vec((prop::option::of(name()), names()), 0..3);
    let regions = prop::collection::vec((name(), prop::collection::vec(name(), 0..40)), 0..3);
    let edges = prop::collection::vec((name(), name(), properties()), 0..3);
    (topology(), name(), cells, lines, regions, edges).prop_map(|(topology, title, mut cells, lines, regions, edges)| {
        if topology == Topology::Graph {
            for (index, cell) in cells.iter_mut().enumerate() {
                cell.name = format!("{}{index}", cell.name.trim());
            }
        } else {
            cells.sort_by_key(|cell| (cell.y, cell.x));
            cells.dedup_by_key(|cell| (cell.y, cell.x));
        }
        Map {
            id: "m".into(),
            title,
            topology,
            cells,
            lines: lines.into_iter().map(|(name, cells)| MapLine { name, cells }).collect(),
            regions: regions.into_iter().map(|(name, cells)| MapRegion { name, cells }).collect(),
            edges: edges.into_iter().map(|(a, b, properties)| MapEdge { a, b, properties }).collect(),
        }
    })
}

fn pair() -> impl Strategy<Value = (String, String)> {
    (name(), "[ -~\t\n\r]{0,6}")
}

fn unique(list: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut seen = std::collections::BTreeSet::new();
    list.into_iter().filter(|(name, _)| seen.insert(name.clone())).collect()
}

fn piece() -> impl Strategy<Value = SetupPiece> {
    let place = prop_oneof![
        1 => Just(SetupPlace::Off),
        4 => name().prop_map(SetupPlace::Cell),
        1 => (name(), name()).prop_map(|(cell, side)| SetupPlace::Side(cell, side)),
        1 => (name(), name()).prop_map(|(cell, pose)| SetupPlace::Posed(cell, pose)),
        1 => (name(), prop::option::of(name())).prop_map(|(zone, owner)| SetupPlace::Zone(zone, owner)),
        1 => name().prop_map(SetupPlace::Aboard),
    ];
    let own_name = prop_oneof![5 => Just(None), 1 => name().prop_map(Some)];
    let kind = prop_oneof![Just("scout".to_owned()), name()];
    let values = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(pair(), 0..3).prop_map(unique)];
    let owner = prop::option::of(Just("red".to_owned()));
    (kind, own_name, owner, place, values).prop_map(|(kind, name, owner, place, values)| SetupPiece {
        kind,
        name,
        owner,
        place,
        values,
    })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let target = prop_oneof![
        Just(SetupTarget::Match),
        name().prop_map(SetupTarget::Seat),
        name().prop_map(SetupTarget::Cell),
        (name(), name()).prop_map(|(a, b)| SetupTarget::Edge(a, b)),
    ];
    let values = prop::collection::vec((target, pair()), 0..4);
    let pairs = || prop::collection::vec(pair(), 0..3).prop_map(unique);
    let players = prop::collection::vec((name(), name()), 0..3).prop_map(unique);
    let seats = prop_oneof![Just(Vec::new()), names()];
    let pieces = prop::collection::vec(piece(), 0..20);
    let values = (values, prop::option::of(moment()));
    (name(), "[ -~\n\t]{0,40}", seats, players, pairs(), pieces, values, any::<bool>()).prop_map(
        |(title, description, seats, players, options, pieces, (values, moment), has_overlay)| Scenario {
            id: "s".into(),
            title,
            description,
            ruleset: "r".into(),
            map: "m".into(),
            players,
            setup: Setup {
                seats,
                options,
                pieces,
                values: values
                    .into_iter()
                    .map(|(target, (name, value))| SetupValue { target, name, value })
                    .collect(),
                moment: moment.map(Box::new),
            },
            overlay: has_overlay.then(|| ("x.rhai".into(), String::new())),
        },
    )
}

fn moment() -> impl Strategy<Value = SetupMoment> {
    let terrain = (name(), names()).prop_map(|(terrain, cells)| MomentTerrain { terrain, cells });
    let numbers = prop::collection::vec(any::<u16>().prop_map(u32::from), 0..5);
    let zone = (name(), prop::option::of(name()), numbers).prop_map(|(zone, owner, pieces)| MomentZone { zone, owner, pieces });
    let piece = (0..50_u32, prop_oneof![Just(Vec::new()), names()]);
    let piece = piece.prop_map(|(piece, shown_to)| MomentPiece { piece, shown_to });
    let list = prop::collection::vec(any::<i64>().prop_map(Value::Integer), 0..3).prop_map(|list| Value::List(list.into()));
    let value = (prop::option::of(0..50_u32), name(), list).prop_map(|(piece, name, value)| MomentValue {
        piece,
        name,
        value,
        ..MomentValue::default()
    });
    let lists = (
        prop::collection::vec(terrain, 0..3),
        prop::collection::vec(zone, 0..3),
        prop::collection::vec(piece, 0..3),
        prop::collection::vec(value, 0..3),
    );
    (
        1..99_u32,
        prop::option::of(name()),
        name(),
        prop_oneof![Just(Vec::new()), names()],
        lists,
    )
        .prop_map(|(round, seat, phase, out, (terrains, zones, pieces, values))| SetupMoment {
            round,
            turn: round,
            turn_name: seat.clone(),
            first: seat.clone(),
            seat,
            phase,
            closed: out.clone(),
            out,
            terrains,
            zones,
            pieces,
            values,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_map_reads_back_as_it_was_written(map in map()) {
        let text = print_map(&map);
        let read = MapDocument::read(&Source::new("f", &text)).map(|read| read.map);
        prop_assert_eq!(read.map_err(|found| format!("{found}\n{text}")), Ok(map));
    }

    #[test]
    fn any_scenario_reads_back_as_it_was_written(scenario in scenario()) {
        let text = print_scenario(&scenario);
        let read = ScenarioDocument::read(&Source::new("f", &text)).map(|read| read.scenario);
        prop_assert_eq!(read.map_err(|found| format!("{found}\n{text}")), Ok(scenario));
    }

    #[test]
    fn any_parameters_read_back(parameters in properties()) {
        // Numbers that are not whole are refused.
        prop_assume!(parameters.values().all(|value| value.parse::<f64>().is_err() || value.parse::<i64>().is_ok()));
        // Every other one may have no word but its own and one more.
        let with_words = parameters.iter().step_by(2).filter(|(name, value)| !name.contains('.') && value.chars().all(char::is_alphanumeric));
        let words = with_words.map(|(name, value)| (name.clone(), vec![value.clone(), "another".to_owned()]));
        let written = Parameters { words: words.filter(|(_, words)| !words[0].is_empty()).collect(), values: parameters };
        prop_assert_eq!(Parameters::read(&Source::new("f", &written.print())), Ok(written));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(source) = Source::from_bytes("f", &bytes) {
            drop(check_document(&source));
        }
    }

    /// Documents with parts cut out, doubled, swapped with other parts, and strange characters put in.
    #[test]
    fn no_mutilated_document_makes_a_reader_panic(
        which in 0..5_usize,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..12_usize), 1..12),
    ) {
        let names = ["v1-hex.map.xml", "v1-areas.map.xml", "v1.scenario.xml", "v1.ruleset.xml", "v1.parameters.xml"];
        let mut text: Vec<char> = text(names[which]).chars().collect();
        for (from, to, what) in cuts {
            let (from, to) = (from.index(text.len().max(1)).min(text.len()), to.index(text.len().max(1)).min(text.len()));
            let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 40));
            let part: Vec<char> = text[from..to].to_vec();
            let put = ["<", ">", "&", "\"", "'", "</", "/>", "<!--", "<![CDATA[", "\u{0}é", "9999999999999999999"].get(what).copied();
            match put {
                Some(put) => drop(text.splice(from..to.min(from + 1), put.chars())),
                None if part.len().is_multiple_of(2) => drop(text.drain(from..to)),
                None => drop(text.splice(to..to, part)),
            }
        }
        let text: String = text.into_iter().collect();
        // Every fault lies inside the text.
        let lines = text.lines().count() as u32 + 1;
        let found = check_document(&Source::new("f", &text));
        prop_assert!(found.iter().all(|one| one.place.as_ref().is_some_and(|place| place.line <= lines)), "{}", found);
    }
}
