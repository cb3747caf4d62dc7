use proptest::prelude::*;

use super::*;

const SQUARES: &str = r#"<?xml version="1.0"?>
<map orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="ground"><tile id="0" class="meadow"/><tile id="1"><properties><property name="terrain" value="wood"/></properties></tile></tileset>
 <tileset firstgid="10" source="more.tsx"/>
 <layer id="1" name="Ground" width="3" height="2"><data encoding="csv">
1,1,2147483650,
1,12,0
</data></layer>
 <imagelayer name="Clouds"/>
 <group name="above">
  <layer name="Hills" width="3" height="2"><data encoding="base64" compression="zlib">DATA</data></layer>
  <objectgroup name="Things">
   <object id="1" name="north" x="1" y="1" width="46" height="14"/>
   <object id="2" name="Camp" x="8" y="24"><point/></object>
   <object id="3" gid="2" x="16" y="16" width="16" height="16"><properties><property name="kind" value="scout"/><property name="owner" value="red"/><property name="strength" type="int" value="3"/></properties></object>
   <object id="4" name="road" x="0" y="0"><polyline points="0,0 9,9"/></object>
   <object id="5" name="lake" x="200" y="200" width="3" height="3"/>
   <object id="6" name="who" class="spawn" x="3" y="3"><point/></object>
  </objectgroup>
 </group>
</map>"#;

fn options() -> TiledOptions {
    TiledOptions {
        id: "t".to_owned(),
        title: "T".to_owned(),
        legend: [("more-2".to_owned(), "sand".to_owned())].into(),
    }
}

fn no_file(name: &str) -> Result<String, Diagnostic> {
    Err(Diagnostic::error(Code::File, format!("{name} is not there")))
}

fn import(text: &str) -> TiledImport {
    read_tiled(text, "t.tmx", &options(), &no_file).unwrap()
}

fn packed(tiles: &[u32]) -> String {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    for tile in tiles {
        packer.write_all(&tile.to_le_bytes()).unwrap();
    }
    base64::engine::general_purpose::STANDARD.encode(packer.finish().unwrap())
}

#[test]
fn layers_become_terrain_and_objects_regions_names_and_pieces() {
    let read = import(&SQUARES.replace("DATA", &packed(&[0, 2, 0, 0, 0, 0])));
    let terrain: Vec<_> = read
        .map
        .cells
        .iter()
        .map(|cell| (cell.x, cell.y, cell.terrain.clone().unwrap_or_default()))
        .collect();
    let expected = [
        (0, 0, "meadow"),
        (1, 0, "wood"),
        (2, 0, "wood"),
        (0, 1, "meadow"),
        (1, 1, "sand"),
        (2, 1, ""),
    ];
    assert_eq!(terrain, expected.map(|(x, y, terrain)| (x, y, terrain.to_owned())));
    assert!(read.map.cells[5].absent);
    assert_eq!(read.map.cells[3].name, "Camp");
    assert_eq!(
        (read.map.regions[0].name.as_str(), read.map.regions[0].cells.join(" ")),
        ("north", "a1 b1 c1".to_owned())
    );
    assert_eq!(read.pieces.len(), 1);
    assert_eq!(
        (read.pieces[0].kind.as_str(), read.pieces[0].owner.as_deref()),
        ("scout", Some("red"))
    );
    assert_eq!(
        (read.pieces[0].place.clone(), read.pieces[0].values.len()),
        (SetupPlace::Cell("b1".to_owned()), 1)
    );
    assert!(boardwright_model::Board::from_map(&read.map).is_ok());
    let messages: Vec<_> = read.left_out.iter().map(ToString::to_string).collect();
    let expected = [
        "t.tmx:4:1: warning[file]: the tileset more.tsx was not read, so that its tiles are called more-0 and so on: more.tsx is not there",
        "t.tmx:5:1: warning[bad-value]: layer \"Ground\" has tiles that are flipped or turned, which a terrain is not: column 3, row 1",
        "t.tmx:9:1: warning[bad-value]: layer \"Clouds\" is a picture: it was left out",
        "t.tmx:16:1: warning[bad-value]: object 4 (\"road\") of layer \"Things\" is a line: it was left out",
        "t.tmx:17:1: warning[bad-value]: object 5 (\"lake\") of layer \"Things\" holds the middle of no cell: it was left out",
        "t.tmx:18:1: warning[bad-value]: object 6 (\"who\") of layer \"Things\" is of the class \"spawn\", which is none of region, name, piece: it was left out",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn json_says_the_same_as_xml() {
    let json = r#"{"orientation":"hexagonal","staggeraxis":"x","staggerindex":"even","hexsidelength":8,"width":2,"height":2,"tilewidth":16,"tileheight":14,
        "tilesets":[{"firstgid":1,"name":"g","tiles":[{"id":0,"type":"sea"}]}],
        "layers":[{"type":"tilelayer","name":"L","data":[1,1,2,1]},
            {"type":"objectgroup","name":"O","objects":[{"id":7,"name":"Bay","point":true,"x":20,"y":21},{"id":8,"name":"all","x":0,"y":0,"width":90,"height":90}]}]}"#;
    let read = import(json);
    let hex = Topology::Hex {
        width: 2,
        height: 2,
        orientation: Orientation::Flat,
        offset: Offset::Even,
    };
    assert_eq!(read.map.topology, hex);
    assert_eq!(read.map.cells[2].terrain.as_deref(), Some("g-1"));
    assert_eq!(read.map.cells[3].name, "Bay", "odd columns are not shifted");
    assert_eq!(read.map.regions[0].cells.len(), 4);
    assert!(read.left_out.is_empty(), "{}", read.left_out.render());
    let xml = r#"<map orientation="hexagonal" staggeraxis="x" staggerindex="even" hexsidelength="8" width="2" height="2" tilewidth="16" tileheight="14">
        <tileset firstgid="1" name="g"><tile id="0" type="sea"/></tileset><layer name="L"><data><tile gid="1"/><tile gid="1"/><tile gid="2"/><tile gid="1"/></data></layer>
        <objectgroup name="O"><object id="7" name="Bay" x="20" y="21"><point/></object><object id="8" name="all" x="0" y="0" width="90" height="90"/></objectgroup></map>"#;
    assert_eq!(import(xml).map, read.map);
}

#[test]
fn neighbours_of_a_staggered_map_are_those_that_share_a_side() {
    for (axis, index) in [("y", "odd"), ("y", "even"), ("x", "odd"), ("x", "even")] {
        let text = format!(
            "<map orientation='staggered' staggeraxis='{axis}' staggerindex='{index}' width='4' height='4' tilewidth='2' tileheight='2'>
             <tileset firstgid='1' name='g'/><layer name='L'><data encoding='csv'>{}</data></layer></map>",
            (1..=16).map(|number| number.to_string()).collect::<Vec<_>>().join(",")
        );
        let map = import(&text).map;
        let board = boardwright_model::Board::from_map(&map).unwrap();
        assert_eq!(board.cells().count(), 16);
        let middle = |number: usize| {
            let (column, row) = ((number % 4) as i32, (number / 4) as i32);
            let shifted = |place: usize| i32::from((place % 2 == 1) == (index == "odd"));
            // Across in whole tiles where rows are shifted, down where columns are.
            if axis == "y" {
                (column * 2 + shifted(number / 4), row)
            } else {
                (column, row * 2 + shifted(number % 4))
            }
        };
        let number = |cell: boardwright_model::CellId| {
            let name = board.base_terrain_name(cell).unwrap();
            name.strip_prefix("g-").unwrap().parse::<usize>().unwrap()
        };
        for cell in board.cells() {
            let (x, y) = middle(number(cell));
            let beside = board.cells().filter(|other| {
                let (to_x, to_y) = middle(number(*other));
                (x - to_x).abs() == 1 && (y - to_y).abs() == 1
            });
            let mut neighbours: Vec<_> = board.neighbours(cell).to_vec();
            neighbours.sort_unstable();
            assert_eq!(neighbours, beside.collect::<Vec<_>>(), "{axis} {index} {}", number(cell));
        }
    }
}

#[test]
fn what_makes_no_board_is_refused() {
    let refused = |text: &str| match read_tiled(text, "t.tmx", &options(), &no_file) {
        Err(ImportError::Wrong(found)) => found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        other => panic!("{other:?}"),
    };
    assert!(refused("<map width='100000' height='100000'/>").contains("100000 x 100000 tiles"));
    assert!(refused("<map infinite='1' width='2' height='2'/>").contains("t.tmx:1:1: error[bad-value]: the map is infinite"));
    assert!(refused("<tileset/>").contains("no map of Tiled"));
    assert!(refused("{\n\"width\": -1}").starts_with("t.tmx:2:"));
    assert!(refused("<map width='2' height='2' orientation='oblique'/>").contains("oblique"));
    assert!(refused("<map width='2' height='2'/>").contains("no layer has a tile"));
    // A layer that unpacks to far more than it has tiles.
    let bomb = packed(&vec![0; 4_000_000]);
    let text = format!("<map width='2' height='2'><layer name='L'><data encoding='base64' compression='zlib'>{bomb}</data></layer></map>");
    assert!(refused(&text).contains("no layer has a tile"));
}

proptest! {
    #[test]
    fn damaged_files_are_read_or_refused(cut in 0..SQUARES.len(), length in 0..40_usize, put in "[<>/\"a-z0-9 ]{0,6}") {
        let text = SQUARES.replace("DATA", "eJxjYGBgAAAABAAB");
        let (start, end) = (text.floor_char_boundary(cut.min(text.len())), text.floor_char_boundary((cut + length).min(text.len())));
        drop(read_tiled(&format!("{}{put}{}", &text[..start], &text[end..]), "t.tmx", &options(), &no_file));
    }
}
