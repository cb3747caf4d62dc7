//! The documents: every fault at its line and column, and every version still read.
//!
//! `tests/formats/` holds documents of every version, kept for ever, each with what it is read as (`.json`). A change of what they are read as
//! is blessed by running this with `BLESS=1`.

use std::path::{Path, PathBuf};

use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{Manifest, MapDocument, Parameters, ScenarioDocument, TextsDocument, TutorialDocument, check_document};
use boardwright::model::diagnostic::Diagnostics;
use boardwright::model::{MapPlace, SetupFault, SetupFaultKind, SetupItem};

/// What is wrong with a text, by its outermost element; a map is made into a board as well.
fn read(text: &str) -> Result<serde_json::Value, Diagnostics> {
    let source = Source::new("f", text);
    let name = text.split('<').filter_map(|part| part.split([' ', '>', '/', '\n']).next());
    match name
        .into_iter()
        .find(|name| ["map", "scenario", "ruleset", "parameters", "texts", "tutorial"].contains(name))
    {
        Some("scenario") => ScenarioDocument::read(&source).map(|read| serde_json::to_value(read.scenario).unwrap()),
        Some("ruleset") => Manifest::read(&source).map(|read| serde_json::to_value(read).unwrap()),
        Some("parameters") => Parameters::read(&source).map(|read| serde_json::to_value(read).unwrap()),
        Some("texts") => TextsDocument::read(&source).map(|read| serde_json::to_value((read.language, read.phrases)).unwrap()),
        Some("tutorial") => TutorialDocument::read(&source).map(|read| serde_json::to_value(read.print()).unwrap()),
        _ => MapDocument::read(&source).and_then(|read| {
            read.board()?;
            Ok(serde_json::to_value(read.map).unwrap())
        }),
    }
}

fn faults(text: &str) -> Vec<String> {
    let Err(found) = read(text) else { panic!("no fault in {text}") };
    let lines = found.iter().map(|one| {
        let help = one.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{}{help}", one.to_string().replacen("f:", "", 1).replacen("error", "", 1))
    });
    lines.collect()
}

/// Each text with everything that is wrong with it.
const WRONG: &[(&str, &[&str])] = &[
    // Form.
    (
        "",
        &["1:1: [document]: the document is empty | the page of formats shows what stands in it: `boardwright docs`"],
    ),
    (
        "  \n<!-- map -->",
        &["1:1: [document]: the document is empty | the page of formats shows what stands in it: `boardwright docs`"],
    ),
    // It is told once, however much of it there is.
    (
        "&amp;&amp; map &amp;",
        &[
            "1:1: [document]: this is text and no XML document | see whether another file was meant; `boardwright docs --form documents` has the elements of each document",
        ],
    ),
    (
        "map",
        &[
            "1:1: [document]: this is text and no XML document | see whether another file was meant; `boardwright docs --form documents` has the elements of each document",
        ],
    ),
    (
        "<map",
        &[
            "1:1: [document]: tag not closed: `>` not found before end of input | see that each quote is closed, each tag ends with `>`, and each comment with `-->`",
        ],
    ),
    (
        "<map format='1'>\n  <graph>",
        &[
            "1:1: [document]: `<map>` is never closed | write `</map>` where it ends",
            "2:3: [document]: `<graph>` is never closed | write `</graph>` where it ends",
        ],
    ),
    (
        "<map format='1'>\n <graph>\n</map>",
        &[
            "3:1: [document]: `</map>` closes nothing here: `<graph>` of line 2 is still open | write `</graph>` before it, or end the tag of line 2 with `/>`",
        ],
    ),
    (
        "<map format='1'></map></map>",
        &["1:23: [document]: `</map>` closes nothing | take it out, or open `<map>` before it"],
    ),
    (
        "<map format='1'/>\n<map/>",
        &["2:1: [document]: a document has one outermost element only | move it before `</map>`"],
    ),
    (
        "<map format='1'><!-- never closed",
        &[
            "1:17: [document]: comment not closed: `-->` not found before end of input | see that each quote is closed, each tag ends with `>`, and each comment with `-->`",
        ],
    ),
    (
        "<parameters format='1'><!-- a -- b --></parameters>",
        &["1:24: [document]: a comment may not contain `--` | write one `-`, or blanks between them"],
    ),
    (
        "<parameters format=1/>",
        &[
            "1:1: [missing-value]: `<parameters>` lacks the attribute `format` | write <parameters format=\"1\" ..>",
            "1:20: [document]: the value of an attribute must stand between quotes | write `name=\"value\"`",
        ],
    ),
    (
        "<parameters format/>",
        &[
            "1:1: [missing-value]: `<parameters>` lacks the attribute `format` | write <parameters format=\"1\" ..>",
            "1:19: [document]: `=` and a value are missing behind the name of an attribute | write `name=\"value\"`",
        ],
    ),
    (
        "<parameters format='1'\n  format='1'/>",
        &["2:3: [duplicate-name]: `format` is given twice | leave one out"],
    ),
    (
        "<parameters format='1'><parameter name='a'value='b'/></parameters>",
        &["1:43: [document]: a blank is missing before `value` | write ` value`"],
    ),
    (
        "<parameters format='1'><parameter name='a' value='&copy; &#0; a&b <'/></parameters>",
        &[
            "1:51: [document]: `&copy;` is unknown: only amp, lt, gt, quot, apos and numbers may stand between `&` and `;`",
            "1:58: [document]: `&#0;` is no character that XML can hold",
            "1:64: [document]: a lone `&` | write `&amp;`",
            "1:67: [document]: a `<` in the value of an attribute | write `&lt;`",
        ],
    ),
    (
        "<?xml version='1.0'?>\n<!DOCTYPE map [<!ENTITY a 'aaaa'>]>\n<parameters format='1'/>",
        &[
            "2:1: [document]: document types and entities of their own are not allowed | leave it out: documents are checked by this program",
        ],
    ),
    (
        "<?php x?><parameters format='1'/>",
        &["1:1: [document]: processing instructions are not allowed | leave it out"],
    ),
    (
        "<?xml version='1.0' encoding='latin-1'?><parameters format='1'/>",
        &[
            "1:1: [document]: the encoding is said to be latin-1, but documents are UTF-8 | save the file as UTF-8 and write encoding=\"UTF-8\"",
        ],
    ),
    (
        "<?xml version='1.1'?><parameters format='1'/>",
        &["1:1: [document]: XML 1.1 is not read, only XML 1.0 | write `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`, or leave it out"],
    ),
    (
        " <?xml version='1.0'?><parameters format='1'/>",
        &["1:2: [document]: `<?xml ..?>` may only stand at the very start | move it there, or leave it out"],
    ),
    (
        "<parameters format='1'>\n\u{1}</parameters>",
        &[
            "2:1: [document]: the character U+0001 may not stand in XML | take it out: text editors may not show it",
            "2:1: [document]: there may be no text in `<parameters>`",
        ],
    ),
    // Versions.
    (
        "<map format='2' new='x'><new/></map>",
        &["1:14: [version]: the document is of format 2; this program reads formats up to 1 | a newer program wrote it: update this one"],
    ),
    (
        "<map format='0'/>",
        &["1:14: [bad-value]: `format`: expected a whole number from 1, found \"0\""],
    ),
    (
        "<maps format='1'/>",
        &["1:1: [document]: the document is a `<maps>`, not a `<map>`"],
    ),
    // Shape.
    (
        "<map format='1' id='m' titel='M'>\n  <graph/>\n  <cell name='ä' x='0' y='0'/> <cel name='b'/>\n</map>",
        &[
            "1:1: [missing-value]: `<map>` lacks the attribute `title`",
            "1:24: [unknown-key]: `<map>` has no attribute `titel` | did you mean `title`?",
            "3:32: [unknown-key]: there is no element `<cel>` in `<map>` | did you mean `cell`?",
        ],
    ),
    (
        "<map format='1' id='m' title='M'><graph/><property name='a' value='b'/><cell name='a' x='0' y='0'><line cells='a b'/>text</cell></map>",
        &[
            "1:42: [document]: `<property>` may not stand in `<map>` | it belongs into `<cell>` or `<edge>`",
            "1:99: [document]: `<line>` may not stand in `<cell>` | it belongs into `<map>`",
            "1:118: [document]: there may be no text in `<cell>`",
        ],
    ),
    (
        "<map format='1' id='My Map' title=' M'><square width='0' height='x' diagonals='maybe'/></map>",
        &[
            "1:21: [bad-value]: `id`: expected small letters, digits and hyphens, found \"My Map\"",
            "1:36: [bad-value]: `title`: \" M\" begins or ends with a blank",
            "1:55: [bad-value]: `width`: 0 is outside 1 to 10000 | write a number in this range",
            "1:66: [bad-value]: `height`: expected a whole number, found \"x\" | write a number from 1 to 10000",
            "1:80: [bad-value]: `diagonals`: expected one of yes, no, found \"maybe\"",
        ],
    ),
    (
        "<map format='1' id='m' title='M'><hex width='2' height='2' orientation='pointed' offset='odd'/></map>",
        &["1:73: [bad-value]: `orientation`: expected one of pointy, flat, found \"pointed\" | did you mean `pointy`?"],
    ),
    // Maps.
    (
        "<map format='1' id='m' title='M'/>",
        &["1:1: [missing-value]: the map has no topology | say how its cells lie: `<hex ..>`, `<square ..>` or `<graph/>`"],
    ),
    (
        "<map format='1' id='m' title='M'><graph/><square width='1' height='1' diagonals='no'/><graph/></map>",
        &[
            "1:42: [duplicate-name]: the map has a `<graph>` already",
            "1:87: [duplicate-name]: there may be one `<graph>` only; the first is in line 1",
        ],
    ),
    (
        "<map format='1' id='m' title='M'>\n<square width='3' height='2' diagonals='no'/>\n<legend><code text='g' terrain='grass'/><code text='g' terrain='x'/><code text='-' terrain='y'/></legend>\n<terrain>\n <row>g g h</row>\n <row>g g</row><row/>\n</terrain></map>",
        &[
            "3:53: [duplicate-name]: the code `g` is given twice; the first is in line 3",
            "3:81: [bad-value]: `-` stands for a hole already",
            "4:1: [bad-value]: there are 3 rows, but the height is 2 | write 2 rows, or `height=\"3\"`",
            "5:11: [unknown-name]: the legend has no code `h`",
            "6:2: [bad-value]: row 2 has 2 codes, but the width is 3 | write 3 codes with blanks between them, or `width=\"2\"`",
            "6:16: [missing-value]: `<row>` is empty",
        ],
    ),
    (
        "<map format='1' id='m' title='M'><square width='2' height='2' diagonals='no'/>\n<cell x='1' y='1'/>\n<cell at='B1'/>\n<cell at='a1' row='0'/>\n<cell row='1'/></map>",
        &[
            "2:1: [missing-value]: `<cell>` lacks the attribute `column` | or say `at`, for instance at=\"c12\"",
            "2:1: [missing-value]: `<cell>` lacks the attribute `row` | or say `at`, for instance at=\"c12\"",
            "2:7: [unknown-key]: a cell of a grid has no attribute `x` | it has `at` or `column` and `row`",
            "2:13: [unknown-key]: a cell of a grid has no attribute `y` | it has `at` or `column` and `row`",
            "3:11: [bad-value]: `at`: expected letters and a number such as c12, found \"B1\"",
            "4:15: [duplicate-name]: `row` says once more what `at` says",
            "5:1: [missing-value]: `<cell>` lacks the attribute `column` | or say `at`, for instance at=\"c12\"",
        ],
    ),
    (
        "<map format='1' id='m' title='M'><graph/>\n<cell at='a1'/>\n<cell name='b' x='1' y='1.5'><outline>0,0 1;1 2,2</outline><property name='p' value='1'/><property name='p' value='2'/></cell>\n<edge between='a b c'/><line cells=''/></map>",
        &[
            "2:1: [missing-value]: `<cell>` lacks the attribute `x`",
            "2:1: [missing-value]: `<cell>` lacks the attribute `y`",
            "2:7: [unknown-key]: a cell of a free graph has no attribute `at` | it has `x` and `y`",
            "3:25: [bad-value]: `y`: expected a whole number, found \"1.5\"",
            "3:43: [bad-value]: expected a point such as 1500,-200, found \"1;1\"",
            "3:106: [duplicate-name]: the property `p` is given twice; the first is in line 3",
            "4:16: [bad-value]: `between`: expected two cells, found 3",
            "4:37: [bad-value]: `cells`: the list is empty",
        ],
    ),
    (
        "<map format='1' id='m' title='M'><graph/>\n<cell name='a' x='0' y='0'><outline>0,0 1;1 2,2</outline><property name='p' value='1'/><property name='p' value='2'/></cell></map>",
        &[
            "2:41: [bad-value]: expected a point such as 1500,-200, found \"1;1\"",
            "2:104: [duplicate-name]: the property `p` is given twice; the first is in line 2",
        ],
    ),
    (
        "<map format='1' id='m' title='M'><graph/><cell name='a' x='0' y='0'/>\n<cell name='a' x='1' y='0'/>\n<line cells='a b'/>\n<region name='r' cells='a a'/></map>",
        &[
            "2:1: [duplicate-name]: there are two cells \"a\"",
            "3:1: [unknown-name]: line \"line1\" runs through an unknown cell \"b\"",
            "4:1: [duplicate-name]: region \"r\" names cell \"a\" twice",
        ],
    ),
    // Scenarios.
    (
        "<scenario format='1' id='s' title='S' ruleset='r' map='m'>\n<piece kind='k'/>\n<piece kind='k' at='a1' zone='z'/>\n<piece kind='k' at='a1' zone_owner='x'/>\n<piece kind='k' off='no'/>\n<pieces owner='o' at=''/>\n<player seat='a' plays='human'/><player seat='a' plays='human'/>\n<property of='place:a' name='n' value='v'/>\n<option name='o'/>\n<overlay file='../x.rhai'/>\n</scenario>",
        &[
            "2:1: [missing-value]: the piece has no place: say `at`, `zone`, `aboard` or `off`",
            "3:1: [duplicate-name]: the piece has several places: at, zone",
            "4:25: [bad-value]: `zone_owner` stands with `zone` only",
            "5:22: [bad-value]: `off` may only say yes; otherwise say where the piece is",
            "6:1: [missing-value]: `<pieces>` lacks the attribute `kind`",
            "6:23: [bad-value]: `at`: the list is empty",
            "7:47: [duplicate-name]: the player of seat `a` is given twice; the first is in line 7",
            "8:15: [bad-value]: `of`: expected match, seat:NAME, cell:NAME or edge:NAME-NAME, found \"place:a\"",
            "9:1: [missing-value]: `<option>` lacks the attribute `value`",
            "10:16: [bad-value]: `file`: expected the name of a script beside the scenario, found \"../x.rhai\"",
        ],
    ),
    // Manifests.
    (
        "<ruleset format='1' id='r' title='R' version='one' licence='MIT' seats='6-2' engine_min='99.1'><picture file='/etc/passwd'/></ruleset>",
        &[
            "1:1: [missing-value]: `<ruleset>` lacks `<description>`",
            "1:47: [bad-value]: `version`: expected a version such as 0.1.0, found \"one\"",
            "1:73: [bad-value]: `seats`: expected a number such as 2 or a range such as 2-6, at most 32, found \"6-2\"",
            "1:111: [bad-value]: `file`: \"/etc/passwd\" does not lie inside the folder of the ruleset",
        ],
    ),
    (
        "<ruleset format='1' id='r' title='R' version='1' licence='MIT' seats='2' engine_min='99.1'><description>d</description></ruleset>",
        &["1:86: [version]: the ruleset needs version 99.1.0 of this program, which is 0.1.0"],
    ),
    // Parameters.
    (
        "<parameters format='1'>\n <parameter name='a' value='c' words='a b'/>\n <parameter name='d' of='e' value='a' words='a b'/>\n <parameter name='f' value='a' words='a b'/>\n <parameter name='f' of='g' value='h'/>\n</parameters>",
        &[
            "2:29: [bad-value]: `c` is none of the words a, b",
            "3:19: [bad-value]: `words` hold for every value of a parameter: write them where it stands without `of`",
            "5:2: [bad-value]: `h` is none of the words a, b",
        ],
    ),
    (
        "<parameters format='1'>\n <parameter name='a' value='1'/>\n <parameter name='a' value='2'/>\n</parameters>",
        &["3:19: [duplicate-name]: the parameter `a` is given twice; the first is in line 2"],
    ),
];

#[test]
fn each_wrong_document_tells_all_that_is_wrong_with_line_and_column() {
    let mut differing = Vec::new();
    for (text, expected) in WRONG {
        let found = faults(text);
        if found != *expected {
            differing.push(format!("{text}\n  expected {expected:#?}\n  found {found:#?}"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
    assert!(WRONG.len() >= 20);
}

#[test]
fn depth_elements_attributes_and_bytes_have_limits() {
    let deep = format!("<map format='1'>{}{}</map>", "<a>".repeat(100), "</a>".repeat(100));
    assert!(faults(&deep)[0].contains("elements are nested more than 32 deep"));
    let many = format!("<map format='1'>{}</map>", "<a/>".repeat(400_001));
    assert!(faults(&many).iter().any(|fault| fault.contains("more than 400000 elements")));
    let wide = format!(
        "<parameters format='1' {}/>",
        (0..100).map(|index| format!("a{index}=''")).collect::<Vec<_>>().join(" ")
    );
    assert!(
        faults(&wide)
            .iter()
            .any(|fault| fault.contains("an element has at most 64 attributes"))
    );
    let long = tempfile::NamedTempFile::new().unwrap();
    long.as_file().set_len((16 << 20) + 1).unwrap();
    assert!(
        Source::open(long.path(), "f")
            .unwrap_err()
            .to_string()
            .contains("more than the 16777216")
    );
    // Of very many faults the first are told, and the number of the rest.
    let found = faults(&format!("<map format='1'>{}</map>", "<a/>".repeat(1_000)));
    assert_eq!(
        (found.len(), found.last().map(String::as_str)),
        (201, Some(" [document]: and 803 more faults that are not listed"))
    );
}

#[test]
fn faults_of_maps_and_setups_lead_to_their_place_in_the_file() {
    let map = MapDocument::read(&Source::new("f", &text("v1-areas.map.xml"))).unwrap();
    let at = |place| map.positions.locate(place).to_string();
    let places = [MapPlace::Topology, MapPlace::Cell(1), MapPlace::Line(1), MapPlace::Region(0)];
    assert_eq!(places.map(at), ["2:3", "9:3", "12:3", "13:3"]);

    let scenario = ScenarioDocument::read(&Source::new("f", &text("v1.scenario.xml"))).unwrap();
    let items = [SetupItem::Option(0), SetupItem::Piece(1), SetupItem::Piece(3), SetupItem::Value(2)];
    assert_eq!(
        items.map(|item| scenario.positions.locate(item).to_string()),
        ["10:3", "11:3", "12:3", "19:17"]
    );
    let unknown = |item, what| {
        let kind = SetupFaultKind::Unknown {
            what,
            name: "x".into(),
            known: "y".into(),
        };
        let place = scenario.positions.diagnostic(&SetupFault { item, kind }).place.unwrap();
        format!("{}:{}", place.line, place.column)
    };
    let told = [
        unknown(SetupItem::Piece(2), "cell"),
        unknown(SetupItem::Piece(1), "kind"),
        unknown(SetupItem::Piece(4), "direction"),
        unknown(SetupItem::Piece(0), "seat"),
        unknown(SetupItem::Value(1), "property"),
    ];
    assert_eq!(told, ["11:48", "11:17", "13:26", "11:31", "18:35"]);
}

// Golden files ---------------------------------------------------------------------------------------------------------------

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

#[test]
fn documents_of_every_version_are_read_as_ever() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        // Saves are tested with the matches they hold.
        let is_save = path.to_str().unwrap().contains(".save.");
        if is_save || path.extension().is_none_or(|ending| ending != "xml") {
            continue;
        }
        let found = read(&std::fs::read_to_string(&path).unwrap()).unwrap_or_else(|found| panic!("{}: {found}", path.display()));
        let found = serde_json::to_string_pretty(&found).unwrap() + "\n";
        let golden = path.with_extension("json");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &found).unwrap();
        }
        assert_eq!(found, std::fs::read_to_string(&golden).unwrap_or_default(), "{}", path.display());
        seen += 1;
    }
    assert!(seen >= 5);
}

// The pages ------------------------------------------------------------------------------------------------------------------

/// The blocks of XML in a page that are whole documents.
fn documents_of(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```xml\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter(|block| block.contains(" format=\""))
}

#[test]
fn every_document_shown_in_the_pages_is_sound() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut seen = 0;
    for folder in [docs.clone(), docs.join("authors")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "md") {
                continue;
            }
            for document in documents_of(&std::fs::read_to_string(&path).unwrap()) {
                let found = check_document(&Source::new(path.display().to_string(), document));
                assert!(found.is_empty(), "{}\n{document}", found.render());
                seen += 1;
            }
        }
    }
    assert!(seen >= 6, "{seen}");
}
