//! Documents as their users have them: edited, undone, killed, merged.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs, io};

use boardwright_content::xml::Source;
use boardwright_model::{CellId, CellSet, Map, MapLine, Scenario, SetupPiece, SetupPlace, SetupTarget, Topology};
use proptest::prelude::*;

use super::paint::Height;
use super::points::Alignment;
use super::resize::{Anchor, resize};
use super::selection::Clip;
use super::*;

/// Every shipped map and scenario.
fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let mut files = Vec::new();
    for ruleset in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(ruleset.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "xml") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 20);
    files
}

/// A copy of a file in a folder of its own.
fn copy(path: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(path.file_name().unwrap());
    fs::copy(path, &copy).unwrap();
    (folder, copy)
}

/// A file with a text, open.
fn opened(text: &str) -> (tempfile::TempDir, Document) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.map.xml");
    fs::write(&path, text).unwrap();
    let document = open(&path);
    (folder, document)
}

fn open(path: &Path) -> Document {
    Document::open(path).unwrap().document
}

fn title(text: &str) -> Step {
    Step::one(StepKind::Title, Edit::Title(text.to_owned()))
}

/// Numbers drawn from one.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count.max(1)
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn cells(&mut self, lattice: &Lattice) -> CellSet {
        let all: Vec<CellId> = lattice.board().cells().collect();
        let (a, b) = (self.one_of(&all), self.one_of(&all));
        match self.below(4) {
            0 => paint::line(lattice, a, b, 1),
            1 => paint::rectangle(lattice, a, b, self.below(2) == 0),
            _ => {
                let size = self.below(3) as u32 + 1;
                paint::brush(lattice, a, size)
            }
        }
    }

    fn points(&mut self, map: &Map) -> BTreeSet<usize> {
        (0..=self.below(3)).map(|_| self.below(map.cells.len())).collect()
    }
}

const NAMES: [&str; 6] = ["gate", "The Gate, north", "it's \"so\"", "a<b & c>d", "x", "Ústí nad Labem"];
const VALUES: [Option<&str>; 4] = [Some("yes"), Some("3"), Some(" a & 'b' "), None];

fn grid_edits(map: &Map, dice: &mut Dice) -> Vec<Edit> {
    let Ok(lattice) = Lattice::of(map) else { return Vec::new() };
    let cells = dice.cells(&lattice);
    let cell = cells.first().unwrap();
    let others = dice.cells(&lattice);
    let other = others.first().unwrap();
    let region = dice.below(map.regions.len());
    match dice.below(18) {
        0..=3 => paint::terrain(
            map,
            &lattice,
            &cells,
            dice.one_of(&[Some("clear"), Some("wood"), Some("deep water"), None]),
        ),
        4 => paint::elevation(map, &lattice, &cells, Height::By(dice.below(3) as i16 - 1)),
        5 => paint::make_holes(map, &lattice, &cells),
        6 => paint::fill_holes(map, &lattice, &cells),
        7 => paint::property(map, &lattice, &cells, dice.one_of(&NAMES), dice.one_of(&VALUES)),
        8 => paint::name_cell(map, &lattice, cell, dice.one_of(&NAMES)),
        9 => paint::new_region(map, &lattice, dice.one_of(&NAMES), &cells),
        10 => paint::add_to_region(map, &lattice, region, &cells),
        11 => paint::take_from_region(map, &lattice, region, &cells),
        12 => paint::rename_region(map, region, dice.one_of(&NAMES)),
        13 => {
            let Some(neighbour) = lattice.board().neighbours(cell).first() else {
                return Vec::new();
            };
            let ends = [cell, *neighbour].map(|cell| lattice.name(map, cell));
            paint::edge_property(map, [&ends[0], &ends[1]], dice.one_of(&NAMES), dice.one_of(&VALUES))
        }
        14 => {
            let (width, height) = map.topology.size().unwrap();
            let size = (width + 2 - dice.below(5) as u16, height + 2 - dice.below(5) as u16);
            let anchor = Anchor {
                across: dice.one_of(&[0, 500, 1000]),
                down: dice.one_of(&[0, 500, 1000]),
            };
            resize(map, size, anchor).map_or_else(Vec::new, |resized| resized.step.edits)
        }
        15 => selection::move_cells(map, &lattice, &cells, cell, other),
        16 => match Clip::copy(map, &lattice, &cells) {
            Some(clip) => clip.turned().paste(map, &lattice, other),
            None => Vec::new(),
        },
        _ => selection::clear(map, &lattice, &cells),
    }
}

fn graph_edits(map: &Map, dice: &mut Dice) -> Vec<Edit> {
    let some = dice.points(map);
    let (a, b) = (dice.below(map.cells.len()), dice.below(map.cells.len()));
    let by = (dice.below(900) as i32 - 450, dice.below(900) as i32 - 450);
    let corners: Vec<_> = map.cells.iter().flat_map(|cell| &cell.outline).flatten().copied().collect();
    match dice.below(12) {
        0 => points::add_point(map, dice.one_of(&NAMES), by),
        1 => points::move_points(map, &some, by),
        2 => points::align_points(map, &some, dice.one_of(&[Alignment::Row, Alignment::SpreadAcross])),
        3 => points::snap_points(map, &some, 400),
        4 => points::remove_points(map, &some),
        5 => points::rename_point(map, a, dice.one_of(&NAMES)),
        6 => points::draw_line(map, Some(dice.one_of(&NAMES)), &[a, b]),
        7 | 8 => points::toggle_link(map, a, b),
        9 if !corners.is_empty() => outlines::move_corner(map, dice.one_of(&corners), by),
        10 if !corners.is_empty() => outlines::remove_corner(map, dice.one_of(&corners)),
        _ => vec![Edit::Lines(Splice::insert(
            0,
            MapLine::new(map.cells.iter().take(2).map(|cell| cell.name.clone())),
        ))],
    }
}

fn scenario_edits(scenario: &Scenario, dice: &mut Dice) -> Vec<Edit> {
    let count = scenario.setup.pieces.len();
    let some: BTreeSet<usize> = (0..=dice.below(3)).map(|_| dice.below(count)).collect();
    let cell = dice.one_of(&["a1", "b2", "The Gate, north"]);
    match dice.below(15) {
        0..=2 => {
            let place = match dice.below(5) {
                0 => SetupPlace::Off,
                1 => SetupPlace::Zone("hand".to_owned(), Some("red".to_owned())),
                2 => SetupPlace::Posed(cell.to_owned(), "90".to_owned()),
                _ => SetupPlace::Cell(cell.to_owned()),
            };
            let piece = match scenario.setup.pieces.first() {
                Some(first) if dice.below(2) == 0 => first.clone(),
                _ => SetupPiece::default(),
            };
            let kind = if piece.kind.is_empty() {
                "king".to_owned()
            } else {
                piece.kind.clone()
            };
            setup::add_piece(scenario, SetupPiece { kind, place, ..piece })
        }
        3 => setup::remove_pieces(scenario, &some),
        4 | 5 => setup::move_pieces(scenario, &some, cell),
        6 => setup::piece_property(scenario, &some, dice.one_of(&NAMES), dice.one_of(&VALUES)),
        7 => setup::give_pieces(scenario, &some, dice.one_of(&[Some("red"), Some("blue"), None])),
        8 => setup::option(scenario, dice.one_of(&NAMES), dice.one_of(&VALUES)),
        9 => setup::player(
            scenario,
            dice.one_of(&["red", "blue", "teal"]),
            dice.one_of(&[Some("human"), Some("mcts:3"), None]),
        ),
        10 => setup::seats(scenario, &["red", "blue", "green"].map(str::to_owned)[..dice.below(4)]),
        11 => {
            let target = match dice.below(4) {
                0 => SetupTarget::Match,
                1 => SetupTarget::Seat("red".to_owned()),
                2 => SetupTarget::Cell(cell.to_owned()),
                _ => SetupTarget::Edge("a1".to_owned(), cell.to_owned()),
            };
            setup::property(scenario, &target, dice.one_of(&NAMES), dice.one_of(&VALUES))
        }
        12 => vec![Edit::Overlay(
            dice.one_of(&[None, Some("rules.rhai")])
                .map(|file| (file.to_owned(), "// By hand.\n".to_owned())),
        )],
        13 => {
            let text = dice.one_of(&["// By hand.\n\nfn helper() { 1 }\n", "", "fn helper() { 1 }", "\n\n// By hand.\r\n"]);
            script::write(scenario, text, |_| false)
        }
        _ => vec![Edit::Description(
            dice.one_of(&["", "One.", "Two  blanks & a <tag>.", "First.\n\nSecond."]).to_owned(),
        )],
    }
}

fn random_step(draft: &Draft, dice: &mut Dice) -> Step {
    if dice.below(12) == 0 {
        return title(dice.one_of(&NAMES));
    }
    let edits = match draft {
        Draft::Map(map) if map.topology == Topology::Graph => graph_edits(map, dice),
        Draft::Map(map) => grid_edits(map, dice),
        Draft::Scenario(scenario) => scenario_edits(scenario, dice),
    };
    Step::new(StepKind::Other, edits)
}

#[test]
fn every_shipped_file_is_written_back_to_the_byte() {
    for path in shipped() {
        let before = fs::read_to_string(&path).unwrap();
        let (_folder, copy) = copy(&path);
        let mut document = open(&copy);
        assert_eq!(document.text().unwrap(), before);
        document.save().unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), before);
        document.apply(title("Another"));
        let text = document.text().unwrap();
        let changed = text.lines().zip(before.lines()).filter(|(new, old)| new != old).count();
        assert_eq!((changed, text.lines().count()), (1, before.lines().count()), "{}", path.display());
        document.undo();
        assert!(!document.is_changed());
        document.save().unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), before);
    }
}

/// What the text of a file alone says of a draft.
fn without_script(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    if let Draft::Scenario(scenario) = &mut draft
        && let Some((_, text)) = &mut scenario.overlay
    {
        text.clear();
    }
    draft
}

fn check_steps(path: &Path, seed: u64, count: usize) -> Result<(), TestCaseError> {
    let before = fs::read_to_string(path).unwrap();
    let (_folder, copy) = copy(path);
    let mut document = open(&copy);
    let mut dice = Dice(seed);
    for made in 1..=count {
        match dice.below(8) {
            0 => drop(document.undo()),
            1 => drop(document.redo()),
            2 if document.may_undo() => document.extend(random_step(&document.draft().clone(), &mut dice).edits),
            _ => document.apply(random_step(&document.draft().clone(), &mut dice)),
        }
        // What is written reads back as what was drawn.
        if made % 3 == 0 {
            let text = document.text();
            prop_assert!(text.is_ok(), "{}", text.unwrap_err());
            let read = Draft::read(&Source::new("again", &text.unwrap())).unwrap();
            prop_assert_eq!(&read, &without_script(document.draft()));
        }
    }
    // The program is killed, and the file opened again.
    let (draft, position, is_changed) = (document.draft().clone(), document.position(), document.is_changed());
    drop(document);
    let again = Document::open(&copy).unwrap();
    prop_assert_eq!(again.document.draft(), &draft);
    prop_assert_eq!(again.document.position(), position);
    prop_assert_eq!(again.recovered.is_some(), is_changed);
    let mut document = again.document;
    while document.redo().is_some() {}
    while document.undo().is_some() {}
    prop_assert_eq!(document.text().unwrap(), before.clone());
    prop_assert_eq!(
        Draft::read(&Source::new("before", &before)).unwrap(),
        without_script(document.draft())
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_steps_undone_give_the_file_back_to_the_byte(file in 0..1000_usize, seed: u64, count in 1..25_usize) {
        let files = shipped();
        check_steps(&files[file % files.len()], seed, count)?;
    }
}

const TEXT: &str = "<!-- by hand -->\n<map format='1' id='a' title='A'>\n  <square width='4' height='3' diagonals='no'/>\n  <cell at='a1' terrain='wood'/> <!-- here -->\n  <region name='r' cells='a1 b1'/>\n</map>\n";

#[test]
fn work_that_was_not_saved_is_there_again_with_its_history() {
    let (_folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    document.apply(title("B"));
    document.save().unwrap();
    document.apply(title("C"));
    document.apply(title("D"));
    document.undo();
    drop(document);
    let again = Document::open(&path).unwrap();
    assert_eq!(
        again.recovered,
        Some(Recovered {
            changes: 3,
            conflicts: Vec::new()
        })
    );
    let mut document = again.document;
    assert_eq!(
        (document.draft().title(), document.position(), document.is_changed()),
        ("C", 2, true)
    );
    assert_eq!(document.redo(), Some(StepKind::Title));
    document.go_to(1);
    assert!(!document.is_changed(), "this is what was saved");
    document.go_to(0);
    assert_eq!((document.draft().title(), document.is_changed()), ("A", true));
    document.discard();
    let again = Document::open(&path).unwrap();
    assert_eq!(
        (again.document.draft().title(), again.document.position(), again.recovered),
        ("B", 0, None)
    );
}

#[test]
fn a_program_that_ends_while_it_saves_loses_nothing() {
    let (folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    document.apply(title("B"));
    let text = document.text().unwrap();
    drop(document);
    // The file was written, and nothing else.
    fs::write(&path, &text).unwrap();
    let again = Document::open(&path).unwrap();
    assert_eq!(
        (again.document.draft().title(), again.document.is_changed(), again.recovered),
        ("B", false, None)
    );
    drop(again.document);
    // The text beside it was written too, and the log not.
    fs::write(folder.path().join(".a.map.xml.base"), &text).unwrap();
    let again = Document::open(&path).unwrap();
    assert_eq!((again.document.draft().title(), again.document.is_changed()), ("B", false));
}

#[test]
fn conflicts_are_solved_one_after_the_other() {
    let read = |text: &str| Draft::read(&Source::new("a", text)).unwrap();
    let lines =
        "<region name='r' cells='a1 b1'/>\n<region name='s' cells='c1'/>\n<edge between='a1 b1'><property name='p' value='1'/></edge>";
    let base = TEXT.replace("<region name='r' cells='a1 b1'/>", lines);
    let (ours, theirs) = (
        base.replace("'1'/>", "'2'/>").replace("'A'", "'B'"),
        base.replace("'1'/>", "'3'/>").replace("'A'", "'C'"),
    );
    let merged = merge(&read(&base), &read(&ours), &read(&theirs));
    assert_eq!((merged.conflicts.len(), &merged.draft), (2, &read(&ours)));
    let mut draft = merged.draft;
    for conflict in &merged.conflicts {
        drop(conflict.take_theirs(&draft).apply(&mut draft));
    }
    assert_eq!(draft, read(&theirs));
}

#[test]
fn a_file_that_another_program_changed_can_be_written_over() {
    let (folder, mut document) = opened(TEXT);
    document.apply(title("B"));
    fs::write(document.path(), "no map").unwrap();
    assert!(matches!(document.save(), Err(SaveError::ChangedOutside(_))));
    document.save_over().unwrap();
    assert_eq!(fs::read_to_string(document.path()).unwrap(), TEXT.replace("'A'", "'B'"));
    assert_eq!(fs::read_to_string(folder.path().join("a.map.xml.1~")).unwrap(), "no map");
}

#[test]
fn a_log_that_grows_too_large_begins_again_and_loses_nothing() {
    let (_folder, mut document) = opened(TEXT);
    document.apply(title("1"));
    document.limit_log(4 << 10);
    let log = edit_log::log_path(document.path());
    let mut sizes = Vec::new();
    for number in 2..=200 {
        document.apply(title(&number.to_string()));
        assert_eq!(document.log_fault(), None);
        sizes.push(fs::metadata(&log).unwrap().len());
    }
    assert!(sizes.iter().all(|size| *size <= 5 << 10), "{sizes:?}");
    assert!(sizes.windows(2).any(|pair| pair[1] < pair[0]), "it has begun again");
    // What is undone beyond its beginning is noted, too; and what is made again, and added to.
    document.go_to(3);
    assert!(Document::open(document.path()).unwrap().is_open_elsewhere);
    document.redo();
    document.extend(title("4 and more").edits);
    document.undo();
    document.redo();
    let path = document.path().to_owned();
    drop(document);
    let again = Document::open(&path).unwrap();
    assert_eq!(again.document.draft().title(), "4 and more");
    assert!(again.recovered.is_some() && again.set_aside.is_none());
}

#[test]
fn work_of_another_window_that_is_gone_is_recovered_or_set_aside_and_told() {
    let (_folder, mut one) = opened(TEXT);
    let path = one.path().to_owned();
    one.apply(title("B"));
    let Opened {
        document: mut other,
        is_open_elsewhere,
        ..
    } = Document::open(&path).unwrap();
    assert!(is_open_elsewhere);
    assert!(!other.may_be_recovered(), "the first is still there");
    drop(one);
    assert!(other.may_be_recovered());
    assert_eq!(open(&path).draft().title(), "B");
    // It is changed before anybody has looked.
    other.apply(title("C"));
    assert!(!other.may_be_recovered());
    let aside = other.take_set_aside().unwrap();
    assert!(fs::read_to_string(aside).unwrap().contains("\"B\""));
    assert_eq!(other.take_set_aside(), None);
}

#[test]
fn a_log_that_cannot_be_used_is_set_aside_and_told() {
    let (folder, document) = opened(TEXT);
    let path = document.path().to_owned();
    drop(document);
    fs::write(edit_log::log_path(&path), "no log\n").unwrap();
    let found = Document::open(&path).unwrap();
    assert_eq!(found.set_aside, None, "there was nothing in it");
    drop(found);
    let mut document = open(&path);
    document.apply(title("B"));
    drop(document);
    fs::write(&path, TEXT.replace("'A'", "'C'")).unwrap();
    fs::write(folder.path().join(".a.map.xml.base"), "<another/>").unwrap();
    let found = Document::open(&path).unwrap();
    let aside = found.set_aside.unwrap();
    assert!(aside.is_file() && found.recovered.is_none(), "{}", aside.display());
    // The next one takes nothing away from the first.
    let mut document = found.document;
    document.apply(title("D"));
    drop(document);
    fs::write(&path, TEXT.replace("'A'", "'E'")).unwrap();
    fs::write(folder.path().join(".a.map.xml.base"), "<another/>").unwrap();
    let second = Document::open(&path).unwrap().set_aside.unwrap();
    assert!(second != aside && second.is_file() && aside.is_file(), "{}", second.display());
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_history_is_kept_elsewhere_where_nothing_may_be_written_beside_the_file() {
    let (folder, document) = opened(TEXT);
    let path = document.path().to_owned();
    drop(document);
    let kept = tempfile::tempdir().unwrap();
    let place = kept.path().join("maps/x/a.map.xml");
    let mut document = Document::open_with_history(&path, &place).unwrap().document;
    assert!(names(kept.path()).is_empty(), "nothing was changed");
    document.apply(title("B"));
    document.apply(title("C"));
    assert_eq!(document.log_fault(), None);
    drop(document);
    assert_eq!(names(folder.path()), ["a.map.xml"]);
    assert_eq!(names(place.parent().unwrap()), [".a.map.xml.base", ".a.map.xml.edits"]);
    // Another file of this name, as an update of the program brings it.
    let other = folder.path().join("b");
    fs::create_dir(&other).unwrap();
    let path = other.join("a.map.xml");
    fs::write(&path, TEXT.replace("<map", "<!-- new --><map")).unwrap();
    let again = Document::open_with_history(&path, &place).unwrap();
    assert!(again.set_aside.is_none() && again.recovered.is_some());
    let mut document = again.document;
    assert_eq!((document.draft().title(), document.log_fault()), ("C", None));
    document.undo();
    assert_eq!(document.draft().title(), "B");
    document.discard();
    assert!(names(place.parent().unwrap()).is_empty());
    assert_eq!(names(&other), ["a.map.xml"]);
}

#[test]
fn a_copy_takes_the_drawing_and_its_history_along() {
    let (folder, document) = opened(TEXT);
    let path = document.path().to_owned();
    drop(document);
    let kept = tempfile::tempdir().unwrap();
    let place = kept.path().join("a.map.xml");
    let mut document = Document::open_with_history(&path, &place).unwrap().document;
    document.apply(title("B"));
    document.apply(title("C"));
    document.apply(title("D"));
    document.undo();
    assert!(document.save_copy(&path, Vec::new()).is_err(), "a file is there");
    assert!(document.is_changed() && document.path() == path);
    let copy = folder.path().join("a-copy.map.xml");
    document.save_copy(&copy, vec![Edit::Id("a-copy".to_owned())]).unwrap();
    assert_eq!((document.log_fault(), document.path()), (None, copy.as_path()));
    assert!(!document.is_changed() && document.may_redo());
    let saved = fs::read_to_string(&copy).unwrap();
    assert_eq!(document.text().unwrap(), saved);
    assert!(saved.contains("a-copy") && saved.contains("'C'"), "{saved}");
    assert!(names(kept.path()).is_empty(), "it moved");
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
    document.undo();
    drop(document);
    // What was changed since is recovered, and steps from before the copy are undone and made again.
    let again = Document::open(&copy).unwrap();
    assert_eq!(again.recovered.map(|recovered| recovered.changes), Some(1));
    let mut document = again.document;
    assert_eq!((document.draft().title(), document.draft().id()), ("B", "a-copy"));
    document.go_to(3);
    assert_eq!(document.draft().title(), "D");
    document.go_to(0);
    assert_eq!((document.draft().title(), document.draft().id()), ("A", "a-copy"));
    assert_eq!(open(&path).draft().title(), "A");
}

#[test]
fn a_copy_of_what_was_not_changed_keeps_what_is_done_next() {
    let (folder, mut document) = opened(TEXT);
    let copy = folder.path().join("a-copy.map.xml");
    document.save_copy(&copy, vec![Edit::Id("a-copy".to_owned())]).unwrap();
    document.apply(title("B"));
    assert_eq!(document.log_fault(), None);
    drop(document);
    let again = Document::open(&copy).unwrap();
    let mut document = again.document;
    assert_eq!((document.draft().title(), document.position()), ("B", 1));
    document.undo();
    assert_eq!(document.text().unwrap(), fs::read_to_string(&copy).unwrap());
}

#[test]
fn a_copy_of_a_scenario_has_its_script_unless_another_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.scenario.xml");
    let scenario = Scenario {
        id: "a".to_owned(),
        title: "A".to_owned(),
        ruleset: "r".to_owned(),
        map: "m".to_owned(),
        overlay: Some(("a.rhai".to_owned(), "fn a() {}".to_owned())),
        ..Scenario::default()
    };
    let mut document = Document::create(&path, &Draft::Scenario(scenario)).unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("a.rhai"), "fn b() {}").unwrap();
    let copy = own.join("a.scenario.xml");
    assert!(document.save_copy(&copy, Vec::new()).is_err());
    assert_eq!(names(&own), ["a.rhai"]);
    let overlay = Edit::Overlay(Some(("c.rhai".to_owned(), "fn a() {}".to_owned())));
    document.save_copy(&copy, vec![overlay]).unwrap();
    assert_eq!(fs::read_to_string(own.join("c.rhai")).unwrap(), "fn a() {}");
    drop(document);
    assert_eq!(open(&copy).draft().overlay(), Some(("c.rhai", "fn a() {}")));
}

#[test]
fn a_file_that_is_open_elsewhere_keeps_its_log() {
    let (_folder, mut document) = opened(TEXT);
    document.apply(title("B"));
    let mut other = Document::open(document.path()).unwrap();
    assert!(other.is_open_elsewhere && other.recovered.is_none());
    other.document.apply(title("C"));
    assert!(other.document.log_fault().is_some());
    document.apply(title("D"));
    let path = document.path().to_owned();
    drop(document);
    other.document.apply(title("E"));
    assert_eq!(other.document.log_fault(), None, "now it has the log");
    drop(other);
    let again = Document::open(&path).unwrap();
    assert_eq!((again.document.draft().title(), again.document.position()), ("E", 0));
    assert!(again.recovered.is_some());
}

#[test]
fn a_byte_order_mark_stays() {
    let (_folder, mut document) = opened(&format!("\u{feff}{TEXT}"));
    document.apply(title("B"));
    document.save().unwrap();
    assert!(fs::read_to_string(document.path()).unwrap().starts_with("\u{feff}<!-- by hand"));
}

#[test]
fn a_log_that_leads_nowhere_is_set_aside() {
    let (folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    document.apply(title("B"));
    drop(document);
    fs::remove_file(folder.path().join(".a.map.xml.base")).unwrap();
    fs::write(&path, TEXT.replace("'A'", "'X'")).unwrap();
    assert_eq!(open(&path).draft().title(), "X");
    assert!(folder.path().join(".a.map.xml.edits~").is_file());
}

/// A log with one step that is not saved, and its file.
fn with_log() -> (tempfile::TempDir, std::path::PathBuf, std::path::PathBuf) {
    let (folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    document.apply(title("B"));
    drop(document);
    let log = folder.path().join(".a.map.xml.edits");
    (folder, path, log)
}

#[test]
fn a_log_that_is_broken_binary_or_huge_keeps_no_file_from_being_opened() {
    let whole = || {
        let (_folder, _, log) = with_log();
        fs::read(log).unwrap()
    };
    // Cut off within its last line, and behind its first one.
    let sound = whole();
    let first = sound.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for kept in [sound.len() - 1, first] {
        let (_folder, path, log) = with_log();
        fs::write(&log, &sound[..kept]).unwrap();
        let opened = Document::open(&path).unwrap();
        assert_eq!((opened.document.draft().title(), opened.recovered), ("A", None));
    }
    for broken in [&b""[..], b"\xff\x00\n\xfe", b"{}\n"] {
        let (_folder, path, log) = with_log();
        fs::write(&log, broken).unwrap();
        let mut document = Document::open(&path).unwrap().document;
        assert_eq!(document.draft().title(), "A");
        document.apply(title("C"));
        assert_eq!(document.log_fault(), None);
        drop(document);
        assert_eq!(open(&path).draft().title(), "C");
    }
    for bytes in [100 << 20, 300 << 20] {
        let (_folder, path, log) = with_log();
        fs::OpenOptions::new().write(true).open(&log).unwrap().set_len(bytes).unwrap();
        let opened = Document::open(&path).unwrap();
        // Up to some size what is sound at the beginning counts; beyond that it is set aside, and nothing is thrown away.
        let (title, aside) = (opened.document.draft().title(), opened.set_aside);
        assert!(
            (title == "B" && aside.is_none()) || (title == "A" && aside.is_some_and(|aside| aside.is_file())),
            "{bytes}: {title}"
        );
    }
}

#[test]
fn a_log_of_a_newer_program_is_set_aside_whole() {
    let (_folder, path, log) = with_log();
    let json = br#"{"someday":{"edits":[]}}"#;
    let mut lines = fs::read(&log).unwrap();
    lines.extend(boardwright_content::text_checksum(json).into_bytes());
    lines.push(b' ');
    lines.extend(json);
    lines.push(b'\n');
    fs::write(&log, &lines).unwrap();
    let opened = Document::open(&path).unwrap();
    assert_eq!(opened.document.draft().title(), "A");
    assert_eq!(fs::read(opened.set_aside.unwrap()).unwrap(), lines);
}

#[test]
fn a_folder_in_place_of_a_log_keeps_no_file_from_being_opened() {
    let (_folder, path, log) = with_log();
    fs::remove_file(&log).unwrap();
    fs::create_dir(&log).unwrap();
    let mut document = Document::open(&path).unwrap().document;
    document.apply(title("C"));
    assert!(document.log_fault().is_some());
    document.save().unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("'C'"));
}

#[test]
fn changes_from_outside_are_merged_and_contradictions_told() {
    let (_folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    let map = document.draft().map().unwrap();
    let lattice = Lattice::of(map).unwrap();
    let at = |place| CellSet::from_cells(12, lattice.cell_at(place));
    let mut edits = paint::terrain(map, &lattice, &at((0, 0)), Some("hill"));
    edits.extend(paint::terrain(map, &lattice, &at((3, 2)), Some("wood")));
    edits.extend(paint::add_to_region(map, &lattice, 0, &at((3, 0))));
    document.apply(Step::new(StepKind::Paint, edits));
    let theirs = TEXT
        .replace("'wood'", "'marsh' elevation='2'")
        .replace("a1 b1", "b1 c1")
        .replace("by hand", "by another hand");
    fs::write(&path, &theirs).unwrap();
    let Err(SaveError::ChangedOutside(source)) = document.save() else {
        panic!("it may not be overwritten");
    };
    let conflicts = document.merge_outside(&source).unwrap().conflicts;
    let map = document.draft().map().unwrap();
    assert_eq!(map.regions[0].cells, ["b1", "d1", "c1"]);
    let expected: Vec<_> = conflicts
        .iter()
        .map(|conflict| (&conflict.subject, &*conflict.ours, &*conflict.theirs))
        .collect();
    assert_eq!(expected, [(&ConflictSubject::Cell((0, 0)), "hill", "marsh, 2")]);
    let step = conflicts[0].take_theirs(document.draft());
    document.apply(step);
    document.save().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let expected = theirs
        .replace("<!-- here -->\n", "<!-- here -->\n  <cell at=\"d3\" terrain=\"wood\"/>\n")
        .replace("b1 c1", "b1 d1 c1");
    assert_eq!(text, expected);
    // Before the merge everything was ours.
    document.go_to(1);
    assert_eq!(document.draft().map().unwrap().cells[0].terrain.as_deref(), Some("hill"));
    drop(document);
    assert_eq!(open(&path).position(), 1);
}

#[test]
fn a_file_that_was_changed_while_it_was_closed_is_merged_with_what_was_not_saved() {
    let (_folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    document.apply(title("B"));
    drop(document);
    fs::write(&path, TEXT.replace("'r'", "'north'")).unwrap();
    let again = Document::open(&path).unwrap();
    assert!(again.recovered.unwrap().conflicts.is_empty());
    let map = again.document.draft().map().unwrap();
    assert_eq!((&*map.title, &*map.regions[0].name), ("B", "north"));
    drop(again.document);
    let again = Document::open(&path).unwrap();
    assert_eq!(again.document.draft().title(), "B");
    assert_eq!(again.document.text().unwrap(), TEXT.replace("'r'", "'north'").replace("'A'", "'B'"));
}

#[test]
fn what_is_no_map_is_refused_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.map.xml");
    let twice = "<map format='1' id='a' title='A'>\n<square width='2' height='1' diagonals='no'/>\n<cell at='a1' name='x'/>\n<cell at='a1' name='y'/></map>";
    for (text, expected) in [
        ("<map", "error[document]"),
        ("\u{0}\u{1}binary", "error["),
        ("<map format='9' id='a' title='A'><graph/></map>", "error[version]"),
        (twice, "a.map.xml:4:1: error[duplicate-name]"),
    ] {
        fs::write(&path, text).unwrap();
        let found = Document::open(&path).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
    let refused = |path: &Path| Document::open(path).unwrap_err().to_string();
    for name in ["a.map.xml", "a.scenario.xml"] {
        let path = folder.path().join(name);
        fs::write(&path, b"<map \xff\xfe").unwrap();
        assert!(refused(&path).contains(":1:6: error[document]: the byte 0xff is not UTF-8"));
        fs::File::create(&path).unwrap().set_len(100 << 20).unwrap();
        assert!(refused(&path).contains("the file has 104857600 bytes"), "{}", refused(&path));
        fs::remove_file(&path).unwrap();
        assert!(refused(&path).contains("the file is not there"), "{}", refused(&path));
        fs::create_dir(&path).unwrap();
        assert!(refused(&path).contains("this is not a file"), "{}", refused(&path));
        assert!(refused(&path).contains(name));
        fs::remove_dir(&path).unwrap();
    }
    fs::write(&path, "<scenario format='9' id='a' title='A'/>").unwrap();
    let scenario = folder.path().join("a.scenario.xml");
    fs::rename(&path, &scenario).unwrap();
    assert!(refused(&scenario).contains("error[version]"), "{}", refused(&scenario));
    fs::rename(&scenario, &path).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(Document::create(&path, &Draft::Scenario(Scenario::default())).is_err());
}

#[test]
fn a_file_that_was_deleted_outside_is_written_again() {
    let (_folder, mut document) = opened(TEXT);
    document.apply(title("B"));
    fs::remove_file(document.path()).unwrap();
    assert!(document.changed_outside().is_err());
    document.apply(title("C"));
    document.save().unwrap();
    assert_eq!(fs::read_to_string(document.path()).unwrap(), TEXT.replace("'A'", "'C'"));
}

#[test]
fn a_file_that_was_made_read_only_stays_and_so_does_the_work() {
    let (_folder, mut document) = opened(TEXT);
    let path = document.path().to_owned();
    let may_write = fs::metadata(&path).unwrap().permissions();
    let mut may_read = may_write.clone();
    may_read.set_readonly(true);
    fs::set_permissions(&path, may_read).unwrap();
    document.apply(title("B"));
    assert!(matches!(document.save(), Err(SaveError::ReadOnly(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
    drop(document);
    let mut again = open(&path);
    assert_eq!((again.draft().title(), again.is_changed()), ("B", true));
    fs::set_permissions(&path, may_write).unwrap();
    again.save().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT.replace("'A'", "'B'"));
}

/// Names the file to a process that a test starts of itself.
const DRAWN: &str = "BOARDWRIGHT_TEST_DRAWS";

/// The file that this process is to draw, if a test has started it.
fn drawn_here() -> Option<PathBuf> {
    env::var_os(DRAWN).map(PathBuf::from)
}

/// This program, to run one of its tests.
fn one_test(name: &str) -> Vec<std::ffi::OsString> {
    let name = format!("document_tests::{name}");
    let program = env::current_exe().unwrap().into_os_string();
    [program]
        .into_iter()
        .chain([name.as_str(), "--exact", "--nocapture"].map(Into::into))
        .collect()
}

/// Reads what a process writes until a line says so; gives what follows.
fn await_line(child: &mut Child, awaited: &str) -> impl Iterator<Item = io::Result<String>> + use<> {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(
        lines.any(|line| line.unwrap().contains(awaited)),
        "it ended before it said {awaited}"
    );
    lines
}

#[test]
fn a_program_that_is_killed_while_it_draws_loses_nothing() {
    if let Some(path) = drawn_here() {
        let mut document = open(&path);
        for number in 1_u64.. {
            document.apply(title(&number.to_string()));
            println!("drawn {number};");
        }
    }
    let (_folder, document) = opened(TEXT);
    let path = document.path().to_owned();
    drop(document);
    let command = one_test("a_program_that_is_killed_while_it_draws_loses_nothing");
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .env(DRAWN, &path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Whoever reads no longer would end it otherwise.
    let _rest = await_line(&mut child, "drawn 300;");
    child.kill().unwrap();
    child.wait().unwrap();
    let Opened {
        mut document, recovered, ..
    } = Document::open(&path).unwrap();
    let steps = document.position();
    assert!(steps >= 300, "{steps}");
    assert_eq!(recovered.unwrap().changes, steps);
    for number in (1..=steps).rev() {
        assert_eq!(document.draft().title(), number.to_string());
        document.undo();
    }
    assert_eq!((document.may_undo(), document.text().unwrap()), (false, TEXT.to_owned()));
}

/// Files may grow to 32 KiB in the process that draws: as on a full disk, a part is written and then no more.
#[cfg(unix)]
#[test]
fn on_a_full_disk_the_file_stays_and_the_loss_that_threatens_is_told() {
    if let Some(path) = drawn_here() {
        let mut document = open(&path);
        let long = "x".repeat(4 << 10);
        let is_full = (1..100).any(|number| {
            document.apply(title(&format!("{number} {long}")));
            document.log_fault().is_some()
        });
        assert!(is_full);
        document.apply(title(&long.repeat(16)));
        assert!(matches!(document.save(), Err(SaveError::Write(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
        // What fits is saved, and all steps can still be undone.
        document.apply(title("B"));
        document.save().unwrap();
        document.go_to(0);
        assert_eq!(document.text().unwrap(), TEXT);
        println!("all is well;");
        return;
    }
    let (_folder, document) = opened(TEXT);
    let path = document.path().to_owned();
    drop(document);
    let command = one_test("on_a_full_disk_the_file_stays_and_the_loss_that_threatens_is_told");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
        .args(command)
        .env(DRAWN, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    await_line(&mut child, "all is well;").for_each(drop);
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT.replace("'A'", "'B'"));
}

const SCENARIO: &str =
    "<!-- by hand -->\n<scenario format=\"1\" id=\"a\" title=\"A\" ruleset=\"r\" map=\"m\">\n  <overlay file=\"a.rhai\"/>\n</scenario>\n";
const SCRIPT: &str = "// By hand.\n\n/// Trigger: Dawn\nfn on_round_dawn(turn) {\n    turn.note(\"Dawn.\");\n}\n";

/// A scenario with a script beside it.
fn scripted() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.scenario.xml");
    fs::write(&path, SCENARIO).unwrap();
    fs::write(folder.path().join("a.rhai"), SCRIPT).unwrap();
    (folder, path)
}

fn with_script(document: &Document, text: &str) -> Step {
    let scenario = document.draft().scenario().unwrap();
    Step::new(StepKind::Triggers, script::write(scenario, text, |_| false))
}

#[test]
fn a_script_is_written_with_its_scenario_and_undone_to_the_byte() {
    let (folder, path) = scripted();
    let script = folder.path().join("a.rhai");
    let mut document = open(&path);
    assert_eq!(document.draft().overlay(), Some(("a.rhai", SCRIPT)));
    let step = with_script(&document, &SCRIPT.replace("Dawn.", "Dusk."));
    document.apply(step);
    assert_eq!(fs::read_to_string(&script).unwrap(), SCRIPT, "it is not saved yet");
    document.save().unwrap();
    assert_eq!(fs::read_to_string(&script).unwrap(), SCRIPT.replace("Dawn.", "Dusk."));
    assert_eq!(fs::read_to_string(&path).unwrap(), SCENARIO);
    document.undo();
    assert!(document.is_changed());
    document.save().unwrap();
    assert_eq!(fs::read_to_string(&script).unwrap(), SCRIPT);
}

#[test]
fn a_scenario_without_a_script_gets_one_that_is_free() {
    let (folder, path) = scripted();
    let text = SCENARIO.replace("  <overlay file=\"a.rhai\"/>\n", "");
    fs::write(&path, &text).unwrap();
    let mut document = open(&path);
    let edits = script::write(document.draft().scenario().unwrap(), SCRIPT, |name| {
        folder.path().join(name).exists()
    });
    document.apply(Step::new(StepKind::Triggers, edits));
    document.save().unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("<overlay file=\"a-2.rhai\"/>"));
    assert_eq!(fs::read_to_string(folder.path().join("a-2.rhai")).unwrap(), SCRIPT);
    drop(document);
    assert_eq!(open(&path).draft().overlay(), Some(("a-2.rhai", SCRIPT)));
}

#[test]
fn changes_of_a_script_that_were_not_saved_are_there_again() {
    let (_folder, path) = scripted();
    let mut document = open(&path);
    for text in [
        SCRIPT.replace("Dawn.", "Dusk."),
        String::new(),
        SCRIPT.replace("// By hand.", "// By two hands."),
    ] {
        let step = with_script(&document, &text);
        document.apply(step);
    }
    document.undo();
    drop(document);
    let again = Document::open(&path).unwrap();
    assert!(again.recovered.is_some());
    let mut document = again.document;
    assert_eq!(document.draft().overlay(), Some(("a.rhai", "")));
    document.redo();
    assert_eq!(
        document.draft().overlay(),
        Some(("a.rhai", &*SCRIPT.replace("// By hand.", "// By two hands.")))
    );
    document.go_to(0);
    assert_eq!(document.draft().overlay(), Some(("a.rhai", SCRIPT)));
    assert!(!document.is_changed());
}

#[test]
fn lines_that_another_program_changed_in_a_script_are_merged() {
    let (folder, path) = scripted();
    let mut document = open(&path);
    let step = with_script(&document, &SCRIPT.replace("Dawn.", "Dusk."));
    document.apply(step);
    fs::write(folder.path().join("a.rhai"), SCRIPT.replace("By hand", "By another hand")).unwrap();
    let Err(SaveError::ChangedOutside(theirs)) = document.save() else {
        panic!("it may not be overwritten");
    };
    assert_eq!(document.merge_outside(&theirs).unwrap().conflicts, []);
    let both = SCRIPT.replace("Dawn.", "Dusk.").replace("By hand", "By another hand");
    assert_eq!(document.draft().overlay(), Some(("a.rhai", &*both)));
    document.save().unwrap();
    // The same line on both sides: what is here stands, and the other is told.
    let step = with_script(&document, &both.replace("Dusk.", "Noon."));
    document.apply(step);
    fs::write(folder.path().join("a.rhai"), both.replace("Dusk.", "Night.")).unwrap();
    let theirs = document.changed_outside().unwrap().unwrap();
    let conflicts = document.merge_outside(&theirs).unwrap().conflicts;
    assert_eq!(conflicts.len(), 1);
    assert_eq!(document.draft().overlay(), Some(("a.rhai", &*both.replace("Dusk.", "Noon."))));
    let step = conflicts[0].take_theirs(document.draft());
    document.apply(step);
    assert_eq!(document.draft().overlay(), Some(("a.rhai", &*both.replace("Dusk.", "Night."))));
}
