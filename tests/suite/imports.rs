//! Maps out of pictures and other files, and pictures of maps, as people ask for them.

use std::fs;
use std::path::Path;

use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{MapDocument, print_map};
use boardwright::import::{Picture, encode_png};

use crate::command_line::{Ended, root, run_in};
use crate::golden;

fn run(folder: &Path, line: &str) -> Ended {
    run_in(folder, &line.split_whitespace().collect::<Vec<_>>(), "")
}

fn map_in(path: &Path) -> boardwright::model::Map {
    let text = fs::read_to_string(path).unwrap();
    MapDocument::read(&Source::new(path.display().to_string(), &text)).unwrap().map
}

#[test]
fn the_amber_isles_are_what_their_pictures_give() {
    let folder = tempfile::tempdir().unwrap();
    let art = root().join("art/amber-isles");
    let named = |name: &str| art.join(name).display().to_string();
    let map = folder.path().join("amber-isles.map.xml").display().to_string();
    let arguments = [
        "import",
        "picture",
        &named("drawing.png"),
        &named("mask.png"),
        "--names",
        &named("names.csv"),
        "--links",
        &named("links.csv"),
        "--title",
        "The Amber Isles",
        "--output",
        &map,
    ];
    run_in(folder.path(), &arguments, "").with(0).says("38 colours").says("38 cells");
    golden::compare("maps/conquest/amber-isles.map.xml", &fs::read_to_string(&map).unwrap());
}

#[test]
fn a_configuration_of_a_map_gives_the_same_areas_again() {
    let folder = tempfile::tempdir().unwrap();
    let map = root().join("maps/conquest/amber-isles.map.xml");
    let path = map.display().to_string();
    let drawing = root().join("art/amber-isles/drawing.png").display().to_string();
    run(
        folder.path(),
        &format!("export config {path} --output isles.xml --mask mask.png --drawing {drawing}"),
    )
    .with(0);
    run(
        folder.path(),
        &format!("import picture {drawing} mask.png --config isles.xml --output again.map.xml"),
    )
    .with(0)
    .says("38 cells");
    let (before, after) = (map_in(&map), map_in(&folder.path().join("again.map.xml")));
    let names = |map: &boardwright::model::Map| {
        map.cells
            .iter()
            .map(|cell| (cell.name.clone(), cell.outline.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&after), names(&before));
    let lines = |map: &boardwright::model::Map| {
        let mut lines: Vec<_> = map.lines.iter().map(|line| line.cells.clone()).collect();
        for line in &mut lines {
            line.sort();
        }
        lines.sort();
        lines
    };
    assert_eq!(lines(&after), lines(&before));
}

#[test]
fn pictures_of_maps_of_every_topology_are_drawn_without_a_display() {
    let folder = tempfile::tempdir().unwrap();
    let content = root().display().to_string();
    for (what, text) in [
        ("conquest/amber-isles", "Emberhold"),
        ("conquest/war", "Alberta"),
        ("sixteen-soldiers/standard", "<circle"),
        ("river-crossing/standard", "a1"),
        ("cornered/standard", "a1"),
        ("tic-tac-toe/standard", "a1"),
    ] {
        run(folder.path(), &format!("export svg {what} --output board.svg --content {content}")).with(0);
        let svg = fs::read_to_string(folder.path().join("board.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains(text), "{what}");
    }
    run(
        folder.path(),
        &format!("export png tic-tac-toe/standard --scale 20 --output board.png --content {content}"),
    )
    .with(0);
    let png = Picture::read(&folder.path().join("board.png")).unwrap();
    assert!(png.width() > 100 && png.pixels().iter().any(|pixel| *pixel != png.pixels()[0]));
    run(
        folder.path(),
        &format!("export svg nothing/standard --output board.svg --content {content}"),
    )
    .with(2);
    run(
        folder.path(),
        &format!("export svg tic-tac-toe --scale 0 --output board.svg --content {content}"),
    )
    .with(2);
}

#[test]
fn other_sources_become_maps_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("codes.csv", "m;m;w\nm;-;.\n");
    write("legend.csv", "code,terrain\nm,meadow\nw,wood\n");
    run(
        folder.path(),
        "import table codes.csv --legend legend.csv --grid hex-flat-even --output field.map.xml",
    )
    .with(0)
    .says("5 cells");
    run(folder.path(), "check field.map.xml").with(0);
    let map = map_in(&folder.path().join("field.map.xml"));
    assert!(print_map(&map).contains("offset=\"even\"") && map.title == "field");

    write(
        "land.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='50'><rect id='a' width='40' height='50'/><rect id='b' x='40' width='50' height='50'/></svg>",
    );
    write("names.csv", "id,name,x,y\na,West,10,10\nb,East,,\nc,Lost,,\n");
    run(folder.path(), "import svg land.svg --names names.csv --output land.map.xml")
        .with(0)
        .says("2 cells, 1 line")
        .says("names.csv:4:1: warning");
    run(folder.path(), "check land.map.xml").with(0);

    write(
        "camp.tmx",
        "<map orientation='orthogonal' width='2' height='1' tilewidth='8' tileheight='8'><tileset firstgid='1' name='g'/>
         <layer name='L'><data encoding='csv'>1,1</data></layer>
         <objectgroup><object id='1' name='scout' gid='1' x='8' y='8' width='8' height='8'/></objectgroup></map>",
    );
    run(folder.path(), "import tiled camp.tmx --output camp.map.xml")
        .with(0)
        .says("1 piece left out");
    run(
        folder.path(),
        "import tiled camp.tmx --output camp.map.xml --scenario camp.scenario.xml --ruleset skirmish",
    )
    .with(0)
    .says("1 piece");
    assert!(
        fs::read_to_string(folder.path().join("camp.scenario.xml"))
            .unwrap()
            .contains("at=\"b1\"")
    );
}

#[test]
fn wrong_files_are_refused_with_place_and_reason_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str, width: u32| {
        let picture = Picture::new(width, 20, vec![[200, 0, 0, 255]; width as usize * 20]).unwrap();
        fs::write(folder.path().join(name), encode_png(&picture).unwrap()).unwrap();
    };
    picture("wide.png", 30);
    picture("narrow.png", 20);
    fs::write(folder.path().join("text.png"), "no picture").unwrap();
    fs::File::create(folder.path().join("huge.png"))
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    let import = |pictures: &str| run(folder.path(), &format!("import picture {pictures} --output m.map.xml"));
    import("wide.png narrow.png")
        .with(1)
        .complains("narrow.png: error[bad-value]: the mask has 20 x 20 pixels, but the drawing wide.png has 30 x 20");
    import("wide.png text.png")
        .with(1)
        .complains("text.png: error[file]: this is no picture that can be read");
    import("huge.png wide.png")
        .with(1)
        .complains("huge.png: error[file]: the file has 104857600 bytes");
    import("lost.png wide.png")
        .with(1)
        .complains("lost.png: error[file]: the file is not there");
    import("wide.png wide.png")
        .with(1)
        .complains("wide.png: error[bad-value]: the mask has no area");
    import("wide.png wide.png --names huge.png").with(1).complains("huge.png");
    let drawing = root().join("art/amber-isles/drawing.png").display().to_string();
    import(&format!("{drawing} {drawing}"))
        .with(1)
        .complains("drawing.png: error[bad-value]:")
        .complains("this looks like the drawing and not like its mask");
    let squares = root().join("maps/cornered").read_dir().unwrap();
    let squares = squares
        .map(|file| file.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with(".map.xml"));
    let squares = squares.unwrap().display().to_string();
    run(folder.path(), &format!("export config {squares} --output c.xml --mask c.png"))
        .with(1)
        .complains(".map.xml: error[bad-value]: the map has no areas");
    run(folder.path(), "import picture wide.png wide.png --output Map.xml")
        .with(2)
        .complains(".map.xml");
    run(folder.path(), "import tiled text.png --output m.map.xml")
        .with(1)
        .complains("text.png:1:");
    run(folder.path(), "import svg text.png --output m.map.xml")
        .with(1)
        .complains("text.png");
    assert!(!folder.path().join("m.map.xml").exists());
}

#[test]
fn whatever_lies_where_a_source_should_be_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let picture = encode_png(&Picture::new(4, 4, vec![[200, 0, 0, 255]; 16]).unwrap()).unwrap();
    write("good.png", &picture);
    write("good.csv", b"wood,hill\n");
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::File::create(folder.path().join("huge")).unwrap().set_len(100 << 20).unwrap();
    write("empty", b"");
    write("binary", b"\x00\x01\xff\xfe\x7fELF\x80\x81");
    write("cut.png", &picture[..picture.len() / 2]);
    write("cut.tmx", b"<map version='1.10' orientation='orthogonal' width='2'");
    write("cut.tmj", b"{\"type\":\"map\",\"width\":2,");
    write("cut.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0");
    write("cut.csv", b"wood,hill\nwood");
    write("cut.xml", b"<map><area");
    let sources = [
        ("import picture {} good.png", "cut.png"),
        ("import picture good.png {}", "cut.png"),
        ("import picture good.png good.png --names {}", "cut.csv"),
        ("import picture good.png good.png --links {}", "cut.csv"),
        ("import picture good.png good.png --config {}", "cut.xml"),
        ("import tiled {}", "cut.tmx"),
        ("import tiled {}", "cut.tmj"),
        ("import svg {}", "cut.svg"),
        ("import table {}", "cut.csv"),
        ("import table good.csv --legend {}", "cut.csv"),
    ];
    for (line, cut) in sources {
        for wrong in ["lost", "folder", "huge", "empty", "binary", cut] {
            let line = line.replace("{}", wrong);
            let ended = run(folder.path(), &format!("{line} --output m.map.xml"));
            let told = format!("{}{}", ended.out, ended.err);
            assert!(
                ended.code == 1 && told.contains("error") && !told.contains("panicked"),
                "{line}: {} {told}",
                ended.code
            );
            assert!(!folder.path().join("m.map.xml").exists(), "{line}");
        }
    }
}

#[test]
fn pictures_of_pieces_and_ground_are_in_exports_once_each() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "export svg river-crossing --output r.svg").with(0);
    let svg = fs::read_to_string(folder.path().join("r.svg")).unwrap();
    let (images, uses) = (svg.matches("<image ").count(), svg.matches("<use ").count());
    assert!(images > 4 && uses > 2 * images, "{images} {uses}");
    run(folder.path(), "export png river-crossing --output pieces.png").with(0);
    run(folder.path(), "export png river-crossing --no-pieces --output none.png").with(0);
    let read = |name: &str| Picture::read(&folder.path().join(name)).unwrap();
    let (pieces, none) = (read("pieces.png"), read("none.png"));
    let unlike = pieces
        .pixels()
        .iter()
        .zip(none.pixels())
        .filter(|(one, other)| one != other)
        .count();
    // Guards, horses and guns of both sides, each some thousand pixels.
    assert!(unlike > 20_000, "{unlike}");
}
