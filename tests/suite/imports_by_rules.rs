//! Files of other programs that a ruleset reads: the game board and the table of ship types of another program for trajectory.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use boardwright::import::read_foreign_document;
use boardwright::model::diagnostic::{Code, Severity};
use boardwright::model::{Board, Offset, Orientation, SetupPiece, SetupPlace, Topology};
use boardwright::rules::RulesSource;
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Imported, Limits, ScriptSource};

use crate::command_line::{Ended, copied, root, run_in};
use crate::common::sources;

fn fixture(name: &str) -> Vec<u8> {
    fs::read(root().join("tests/imports").join(name)).unwrap()
}

fn board_text() -> String {
    String::from_utf8(fixture("game-board.xml")).unwrap()
}

fn source_of(sources: Sources) -> ScriptSource {
    ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|found| panic!("{}", found.render()))
}

fn import(source: &ScriptSource, bytes: &[u8], file: &str) -> Result<Imported, Vec<String>> {
    let imported = read_foreign_document(bytes, file, None).and_then(|document| source.import(document));
    imported.map_err(|found| found.iter().map(ToString::to_string).collect())
}

fn imported(bytes: &[u8], file: &str) -> Imported {
    import(&source_of(sources("trajectory")), bytes, file).unwrap_or_else(|found| panic!("{}", found.join("\n")))
}

fn warnings(imported: &Imported) -> Vec<String> {
    imported.left_out.iter().map(ToString::to_string).collect()
}

fn shown(piece: &SetupPiece) -> String {
    let place = match &piece.place {
        SetupPlace::Cell(cell) => format!("at {cell}"),
        SetupPlace::Side(cell, side) => format!("at {cell} {side}"),
        SetupPlace::Aboard(carrier) => format!("aboard {carrier}"),
        other => format!("{other:?}"),
    };
    let values: Vec<String> = piece.values.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    format!(
        "{} {} {place}{}",
        piece.owner.as_deref().unwrap_or("-"),
        piece.kind,
        values.concat()
    )
}

#[test]
fn every_arrow_of_gravity_points_at_its_body() {
    let map = imported(&fixture("game-board.xml"), "board.xml").map.unwrap();
    assert_eq!(
        map.topology,
        Topology::Hex {
            width: 10,
            height: 10,
            orientation: Orientation::Pointy,
            offset: Offset::Odd
        }
    );
    let board = Board::from_map(&map).unwrap();
    let pulled = |body: &str| {
        let body = board.find_cell(body).unwrap();
        let pulls = board.cells().filter_map(|cell| {
            let pull = board.authored_properties(cell).get("pull")?;
            board.step(cell, board.find_direction(pull)?)
        });
        pulls.filter(|to| *to == body).count()
    };
    assert_eq!((pulled("Terra"), pulled("Luna")), (6, 6));
    // The file has 0.5 and 0.3 sides of a hex.
    let radius = |body: &str| board.authored_properties(board.find_cell(body).unwrap())["radius"].clone();
    assert_eq!((&*radius("Terra"), &*radius("Luna")), ("289", "173"));
    let arrows = map.cells.iter().filter(|cell| cell.properties.contains_key("pull"));
    assert_eq!(arrows.count(), 12);
    let weak = map.cells.iter().filter(|cell| cell.terrain.as_deref() == Some("weak_gravity"));
    assert!(
        weak.count() == 6
            && map
                .cells
                .iter()
                .any(|cell| (cell.x, cell.y, cell.terrain.as_deref()) == (0, 0, Some("asteroids")))
    );
}

#[test]
fn what_stands_flies_and_is_carried_on_a_board_becomes_pieces() {
    let imported = imported(&fixture("game-board.xml"), "board.xml");
    let scenario = imported.scenario.as_ref().unwrap();
    let pieces: Vec<String> = scenario.setup.pieces.iter().map(shown).collect();
    assert_eq!(
        pieces,
        [
            "- base at Terra ne",
            "red corvette at Terra ne",
            "red transport at Terra sw",
            "red transport at g5 fuel=10 last=f5",
            "red orbital_base aboard OrbitalTransport",
            "red corvette at e6 last=f5",
            "red torpedo aboard OrbitalCorvette age=0",
            "red orbital_base at g7 last=g6",
            "red mine at i4 age=1 last=h4",
        ]
    );
    assert_eq!(
        (&*scenario.title, &scenario.setup.seats[..]),
        ("EarthSystem", &["red".to_owned()][..])
    );
    let map = imported.map.as_ref().unwrap();
    let board = Arc::new(Board::from_map(map).unwrap());
    let source = source_of(sources("trajectory"));
    scenario.setup.build(&board, source.declarations()).unwrap();
    assert_eq!(
        warnings(&imported),
        [
            "board.xml:7:76: warning[unknown-key]: `type` of `<planetoid>` is left out",
            "board.xml:19:77: warning[unknown-key]: `type` of `<planetoid>` is left out",
            "board.xml:26:85: warning[bad-value]: the ship stands on the side sw all the same, where it is written",
            "board.xml:34:31: warning[bad-value]: pieces have no names for people: this one is OrbitalTransport",
            "board.xml:38:3: warning[bad-value]: it carries 20 tons, and a corvette holds 5",
        ]
    );
}

#[test]
fn a_board_is_read_in_the_encoding_that_it_declares() {
    let text = board_text().replace("name=\"EarthSystem\"", "name=\"Soustava Země\"");
    let bytes: Vec<u8> = text.chars().map(|letter| if letter == 'ě' { 0xec } else { letter as u8 }).collect();
    assert_eq!(imported(&bytes, "board.xml").map.unwrap().title, "Soustava Země");
    let undeclared = text.replace(" encoding=\"windows-1250\"", "");
    assert_eq!(imported(undeclared.as_bytes(), "board.xml").map.unwrap().title, "Soustava Země");
}

#[test]
fn all_faults_of_a_board_are_told_with_line_and_column() {
    let text = board_text()
        .replace("orientation=\"SE\" weak", "orientation=\"S\" weak")
        .replace("x=\"9\" y=\"4\"", "x=\"19\" y=\"4\"")
        .replace(
            "id=\"TerranTransport\" name=\"TerranTransport\" type=\"transport\"",
            "id=\"Mine\" name=\"T\" type=\"balloon\"",
        )
        .replace("<mine id=\"Mine\" x=\"8\"", "<mine id=\"Mine\"")
        .replace("<asteroids id=\"a-00-00\" x=\"0\"", "<asteroids id=\"a-00-00\" x=\"zero\"")
        .replace(
            "<base id=\"OrbitalBase\" name=\"OrbitalBase\" x=\"6\" y=\"6\" lastX=\"6\" lastY=\"5\" type=\"orbital\" player=\"0\"",
            "<base id=\"OrbitalBase\" name=\"OrbitalBase\" x=\"6\" y=\"6\" lastX=\"6\" lastY=\"5\" type=\"orbital\" player=\"7\"",
        );
    let source = source_of(sources("trajectory"));
    let found = import(&source, text.as_bytes(), "board.xml").unwrap_err();
    let errors: Vec<_> = found.into_iter().filter(|one| one.contains(": error[")).collect();
    let expected = [
        (
            "board.xml:4:39",
            "`orientation`: expected one of the words that are known, found \"S\"",
        ),
        ("board.xml:8:25", "19 is not on the board: it has 0 to 9"),
        ("board.xml:13:27", "`x`: expected a whole number, found \"zero\""),
        (
            "board.xml:26:32",
            "`type`: expected one of the words that are known, found \"balloon\"",
        ),
        ("board.xml:41:92", "there is no player 7"),
        ("board.xml:42:3", "`<mine>` has no `x`"),
        ("board.xml:42:9", "two have the `id` \"Mine\": the other one is in line 26"),
    ];
    for (place, said) in expected {
        assert!(
            errors.iter().any(|error| error.starts_with(place) && error.contains(said)),
            "{place} {said}\n{}",
            errors.join("\n")
        );
    }
    assert_eq!(errors.len(), expected.len(), "{}", errors.join("\n"));
}

/// What is wrong with a file, without the warnings.
fn errors(bytes: &[u8], file: &str) -> Vec<String> {
    let found = import(&source_of(sources("trajectory")), bytes, file).unwrap_err();
    found.into_iter().filter(|one| one.contains(": error[")).collect()
}

/// The board with its last line, and others before it.
fn board_with(lines: &str) -> String {
    board_text().replace("</gameBoard>", &format!("{lines}</gameBoard>"))
}

#[test]
fn a_hex_that_is_described_twice_and_an_unknown_element_are_faults() {
    let board = board_with("<nebula id=\"n\"/>\n<asteroids id=\"a\" x=\"0\" y=\"0\"/>\n<asteroids id=\"b\" x=\"5\" y=\"5\"/>\n");
    assert_eq!(
        errors(board.as_bytes(), "board.xml"),
        [
            "board.xml:43:1: error[bad-value]: <nebula> is nothing that stands on a board: that is gravity, asteroids, planetoid, ship, base, mine, \
             torpedo, nuke",
            "board.xml:44:1: error[bad-value]: this hex is described twice: <asteroids> stands there already",
            "board.xml:45:1: error[bad-value]: this hex is described twice: <planetoid> stands there already",
        ]
    );
}

#[test]
fn a_planetoid_without_gravity_and_an_arrow_that_points_at_none_are_faults() {
    let board = board_text()
        .replace("<gravity id=\"g-06-05\" x=\"6\" y=\"5\" orientation=\"W\"/>", "")
        .replace("x=\"5\" y=\"4\" orientation=\"SE\"", "x=\"5\" y=\"4\" orientation=\"NW\"");
    assert_eq!(
        errors(board.as_bytes(), "board.xml"),
        [
            "board.xml:16:37: error[bad-value]: there is no planetoid where this arrow points",
            "board.xml:19:3: error[bad-value]: the hexes around a planetoid have gravity, and these have none: 6/5",
        ]
    );
}

#[test]
fn bases_and_ordnance_in_the_wrong_place_are_faults() {
    let board = board_with(
        "<base id=\"Lost\" type=\"planetary\" x=\"2\" y=\"2\" player=\"0\"/>\n<ship id=\"Far\" type=\"corvette\" x=\"2\" y=\"12\" lastX=\"-1\" player=\"0\"/>\n\
         <torpedo id=\"Old\" x=\"3\" y=\"3\" turnsLeft=\"9\" player=\"0\"/>\n",
    )
    .replace("<torpedo id=\"Torpedo\"/>", "<torpedo/><rocket/>")
    .replace("type=\"planetary\" player=\"-1\"", "type=\"orbital\" player=\"-1\"");
    let errors = errors(board.as_bytes(), "board.xml");
    assert_eq!(
        errors,
        [
            "board.xml:21:51: error[bad-value]: an orbital base does not stand on a planetoid",
            "board.xml:39:5: error[missing-value]: `<torpedo>` has no `id`",
            "board.xml:39:15: error[bad-value]: <rocket> is nothing that a ship carries: that is mine, torpedo, nuke, base",
            "board.xml:43:17: error[bad-value]: a planetary base stands inside of a side of a planetoid",
            "board.xml:44:38: error[bad-value]: 12 is not on the board: it has 0 to 9",
            "board.xml:44:45: error[bad-value]: -1 is not on the board: it has 0 to 9",
            "board.xml:45:31: error[bad-value]: ordnance has 1 to 5 turns left, not 9",
        ]
    );
}

#[test]
fn what_a_planetoid_lacks_is_told_in_one_run() {
    let board = board_with("<planetoid id=\"Two\" name=\"Terra\" x=\"1\" y=\"8\" radius=\"-0.3\"/>\n<planetoid id=\"Three\" x=\"2\"/>\n");
    assert_eq!(
        errors(board.as_bytes(), "board.xml"),
        [
            "board.xml:43:21: error[bad-value]: two planetoids are called Terra",
            "board.xml:43:46: error[bad-value]: the radius of a planetoid is above 0",
            "board.xml:44:1: error[missing-value]: `<planetoid>` has no `name`",
            "board.xml:44:1: error[missing-value]: `<planetoid>` has no `radius`",
            "board.xml:44:1: error[missing-value]: `<planetoid>` has no `y`",
        ]
    );
}

#[test]
fn all_faults_of_a_table_of_ship_types_are_told_with_line_and_column() {
    let table = "name;combat;warship;feul;cargo;image;cost\nscout;1;false;30;0;;15\nMine;1;false;30;0;;15\n";
    let found = import(&source_of(sources("trajectory")), table.as_bytes(), "s.csv").unwrap_err();
    assert_eq!(
        found,
        [
            "s.csv:1:1: error[bad-value]: there is no column fuel: a table of types of ships has name, combat, warship, fuel, cargo, cost",
            "s.csv:1:21: warning[unknown-key]: the column `feul` is left out",
            "s.csv:1:32: warning[unknown-key]: the column `image` is left out",
            "s.csv:3:1: error[bad-value]: Mine is no type of ship",
        ]
    );
    let rows = "scout;1;maybe;30;;;15\nScout;-1;false;x;0;;15\n42;1;no;1;1;;1\n;1;no;1;1;;2000000\n";
    let table = format!("name;combat;warship;fuel;cargo;image;cost\n{rows}");
    assert_eq!(
        errors(table.as_bytes(), "s.csv"),
        [
            "s.csv:2:1: error[missing-value]: the row has no `cargo`",
            "s.csv:2:9: error[bad-value]: `warship`: expected true or false, found \"maybe\"",
            "s.csv:3:1: error[bad-value]: this is the same type as scout: small letters and blanks do not tell them apart",
            "s.csv:3:7: error[bad-value]: combat is 0 to 999, not -1",
            "s.csv:3:16: error[bad-value]: `fuel`: expected a whole number, found \"x\"",
            "s.csv:4:1: error[bad-value]: a type of ship has a name of letters",
            "s.csv:5:1: error[missing-value]: the row has no `name`",
            "s.csv:5:12: error[bad-value]: cost is 0 to 99999, not 2000000",
        ]
    );
    assert_eq!(
        errors(b"name;combat;warship;fuel;cargo;cost\n", "s.csv"),
        ["s.csv:1:1: error[bad-value]: there is no type of ship in the table"]
    );
}

#[test]
fn a_document_that_is_broken_or_no_board_is_refused_with_its_place() {
    let source = source_of(sources("trajectory"));
    let first = |text: &str| {
        let found = import(&source, text.as_bytes(), "board.xml").unwrap_err();
        found.into_iter().find(|one| one.contains(": error[")).unwrap()
    };
    let broken = board_text().replace("</planetoid>", "");
    assert!(first(&broken).starts_with("board.xml:43:"), "{}", first(&broken));
    assert_eq!(
        first("<map>\n</map>"),
        "board.xml:1:1: error[bad-value]: this is no game board: the root of one is a <gameBoard>"
    );
    let sideways = board_text().replace("NE>", "N>");
    assert!(first(&sideways).starts_with("board.xml:20:5: error[bad-value]: <N> is no side of a hex"));
    assert!(first(&board_text().replace("Terra\"", "Tellus\"")).contains("a race begins and ends at a body with a base"));
}

#[test]
fn a_table_of_ship_types_becomes_a_mod_with_the_table_of_the_ruleset() {
    let table = String::from_utf8(fixture("ship-types.csv")).unwrap();
    let made = imported(table.as_bytes(), "ShipTypes.csv");
    assert_eq!(
        warnings(&made),
        ["ShipTypes.csv:1:32: warning[unknown-key]: the column `image` is left out"]
    );
    let line = "    corvette: #{ combat: 2, armed: true, fuel: 20, cargo: 5, price: 40, fires_disabled: false, carries_bases: false },";
    assert!(
        made.scripts["ships.rhai"].lines().any(|one| one == line),
        "{}",
        made.scripts["ships.rhai"]
    );

    let more = format!("{table}scout;1;false;30;0;;;;15\n");
    let made = imported(more.as_bytes(), "ShipTypes.csv");
    let layer = Layer::new("other-ships").with("ships.rhai", &*made.scripts["ships.rhai"]);
    let modded = source_of(sources("trajectory").with_layer(layer));
    assert!(modded.declarations().find_kind("scout").is_some() && modded.declarations().find_kind("liner").is_some());

    let wrong = table.replace(";20;", ";much;") + "corvette;2;true;20;5;;;;40\n42;1;true;1;1;;;;1\n";
    let source = source_of(sources("trajectory"));
    let found = import(&source, wrong.as_bytes(), "ShipTypes.csv").unwrap_err();
    for said in [
        "ShipTypes.csv:2:17: error[bad-value]: `fuel`: expected a whole number, found \"much\"",
        "ShipTypes.csv:3:1: error[duplicate-name]: two have the `name` \"corvette\": the other one is in line 2",
        "ShipTypes.csv:4:1: error[bad-value]: a type of ship has a name of letters",
    ] {
        assert!(found.iter().any(|one| one == said), "{said}\n{}", found.join("\n"));
    }
}

/// Rules that read files in a way.
fn reading(hook: &str) -> ScriptSource {
    let rules = format!(
        "/// 1 Nothing happens.
        fn ruleset() {{ #{{ seats: [#{{ name: \"one\" }}], kinds: [#{{ name: \"man\" }}], actions: [#{{ name: \"pass\", ends_turn: true }}] }} }}
        /// 2 Nothing is done.
        fn do_pass(turn, picked) {{}}
        fn import_file(document, draft) {{ {hook} }}"
    );
    source_of(Sources::of(Layer::new("fixture").with("rules.rhai", rules)))
}

#[test]
fn a_hook_that_never_ends_or_makes_too_much_is_stopped() {
    let code = |hook: &str| {
        let document = read_foreign_document(b"<a><b/></a>", "a.xml", None).unwrap();
        let found = reading(hook).import(document).unwrap_err();
        found.iter().next().unwrap().code
    };
    let is_stopped = |hook: &str| {
        let code = code(hook);
        code.text().starts_with("budget") || code == Code::WrongArguments
    };
    assert!(is_stopped("let n = 0; while n >= 0 { n += 1; }"));
    assert!(is_stopped(
        "let line = \"x\"; for n in 0..14 { line += line; } while true { draft.add_line(\"a.rhai\", line); }"
    ));
    assert!(is_stopped(
        "draft.set_map(document.root, #{ topology: \"square\", width: 9, height: 9 });
        while true { draft.add_cell(document.root, #{ x: 1, y: 1, name: \"here\" }); }"
    ));
    let faults = "for n in 0..5000 { draft.fault(document.root, `${n}`); }";
    let document = read_foreign_document(b"<a><b/></a>", "a.xml", None).unwrap();
    assert_eq!(reading(faults).import(document).unwrap_err().count(Severity::Error), 100);
}

#[test]
fn what_a_hook_gives_is_checked_against_the_declarations() {
    let said = |hook: &str| import(&reading(hook), b"<a>\n<b x='3'/></a>", "a.xml").unwrap_err().join("\n");
    let map = "draft.set_map(document.root, #{ topology: \"square\", width: 2, height: 2 }); for b in document.root.children";
    assert!(
        said(&format!("{map} {{ draft.add_piece(b, #{{ kind: \"giant\", at: [0, 0] }}); }}"))
            .contains("a.xml:2:1: error[bad-value]: there is no kind")
    );
    assert!(
        said(&format!("{map} {{ draft.add_piece(b, #{{ kind: \"man\", at: [5, 0] }}); }}")).contains("there is no cell in column 5, row 0")
    );
    assert!(
        said(&format!("{map} {{ draft.add_piece(b, #{{ kind: \"man\" }}); }}")).contains("`<b>` does not say `at` of what is made of it")
    );
    assert!(said(&format!("{map} {{ draft.add_cell(b, #{{ x: 0, y: 0, wet: true }}); }}")).contains("add_cell has no key `wet`"));
    assert!(said("draft.set_map(document.root, #{ topology: \"square\", width: 0, height: 2 });").contains("0 by 2 cells"));
    assert!(said("draft.set_map(document.root, #{ topology: \"cube\", width: 1, height: 2 });").contains("no grid"));
}

#[test]
fn the_example_of_the_guide_reads_the_board_that_it_speaks_of() {
    let page = fs::read_to_string(root().join("docs/authors/importing.md")).unwrap();
    let example = page.split("```rhai\n").nth(1).unwrap().split("```").next().unwrap();
    let board = example.split('`').nth(1).unwrap();
    let layer = Layer::new("guide").with("rules.rhai", example);
    let made = import(&source_of(Sources::of(layer)), board.as_bytes(), "world.xml").unwrap_or_else(|found| panic!("{}", found.join("\n")));
    assert_eq!(made.map.unwrap().cells[0].name, "Millbrook");
    let pieces: Vec<String> = made.scenario.unwrap().setup.pieces.iter().map(shown).collect();
    assert!(
        pieces == ["red army at d6"] && made.left_out.is_empty(),
        "{pieces:?}\n{}",
        made.left_out
    );
}

fn run(folder: &Path, line: &str, typed: &str) -> Ended {
    run_in(folder, &line.split_whitespace().collect::<Vec<_>>(), typed)
}

#[test]
fn a_board_that_was_imported_is_checked_and_played() {
    let content = copied(&["trajectory"]);
    let folder = content.path();
    fs::write(folder.join("board.xml"), fixture("game-board.xml")).unwrap();
    run(
        folder,
        "import trajectory board.xml -o maps/trajectory/earth.map.xml --scenario maps/trajectory/earth.scenario.xml",
        "",
    )
    .with(0)
    .says("board.xml:19:77: warning")
    .says("100 cells")
    .says("9 pieces");
    run(
        folder,
        "check --content . maps/trajectory/earth.map.xml maps/trajectory/earth.scenario.xml",
        "",
    )
    .with(0);
    let played = run(folder, "play --content . trajectory/earth --text", "done\ndone\nquit\n");
    played.with(0).says("EarthSystem");
    // It has one harbour, and no Sun.
    for strategy in ["pilot", "skipper"] {
        let line = format!("arena --content . trajectory/earth --line-up {strategy} --option days=10 --matches 1");
        let arena = run(folder, &line, "").with(0).says(strategy);
        assert!(!arena.out.contains("in its place"), "{}", arena.out);
    }
}

#[test]
fn a_mod_of_a_table_is_checked_and_played() {
    let content = copied(&["trajectory"]);
    let folder = content.path();
    fs::write(folder.join("ShipTypes.csv"), fixture("ship-types.csv")).unwrap();
    run(
        folder,
        "import trajectory ShipTypes.csv --mod rulesets/other-ships --title Others",
        "",
    )
    .with(0)
    .says("is a mod of trajectory");
    run(folder, "check --content . other-ships", "").with(0);
    run(folder, "resolve --content . other-ships", "")
        .with(0)
        .says("rulesets/other-ships/ships.rhai");
    run(folder, "import trajectory ShipTypes.csv --mod rulesets/other-ships", "")
        .with(2)
        .complains("is there already");
}

#[test]
fn wrong_files_and_rulesets_are_refused_and_nothing_is_written() {
    let content = copied(&["trajectory", "tic-tac-toe"]);
    let folder = content.path();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("binary.xml", b"\x7fELF\x01\x00\x00");
    write("empty.xml", b"");
    write("cut.xml", b"<gameBoard");
    write("letters.csv", b"name;combat\ncorv\xe9;2\n");
    write("board.xml", &fixture("game-board.xml"));
    write("ships.csv", &fixture("ship-types.csv"));
    fs::File::create(folder.join("huge.xml")).unwrap().set_len(100 << 20).unwrap();
    for (file, said) in [
        ("binary.xml", "binary.xml:1:6: error[file]: the file is no text"),
        ("empty.xml", "empty.xml: error[file]: the file is empty"),
        ("cut.xml", "cut.xml:1:"),
        ("letters.csv", "letters.csv:2:5: error[file]: the file is not UTF-8"),
        ("huge.xml", "huge.xml: error[file]: the file has 104857600 bytes"),
        ("lost.xml", "lost.xml: error[file]: the file is not there"),
    ] {
        run(folder, &format!("import trajectory {file} -o m.map.xml"), "")
            .with(1)
            .complains(said);
    }
    for (line, said) in [
        ("import trajectory board.xml", "say where to write it, --output ID.map.xml"),
        ("import trajectory ships.csv -o m.map.xml", "say where to write a mod, --mod FOLDER"),
        ("import trajectory board.xml --mod m", "is a map, and no table"),
        ("import trajectory board.xml -o Map.xml", "expected a name such as"),
        (
            "import tic-tac-toe board.xml -o m.map.xml",
            "tic-tac-toe reads no files of other programs",
        ),
        ("import trajectroy board.xml -o m.map.xml", "trajectory"),
        ("import tilde board.xml -o m.map.xml", "did you mean `tiled`?"),
        ("import trajectory", "<FILE>"),
    ] {
        run(folder, line, "").with(2).complains(said);
    }
    assert!(!folder.join("m.map.xml").exists() && !folder.join("m").exists());
}
