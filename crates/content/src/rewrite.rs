//! Maps and scenarios written over the text they were read from: what says the same stays as it stands there, comments, order and layout
//! included, and what differs changes its own lines alone.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Map, MapCell, Scenario, SetupPiece, SetupPlace, Topology, sentence};

use super::align::{align, pair_between, pairs_by_key};
use super::map_document::{MapDocument, describe_cell};
use super::scenario_document::{PieceGroup, ScenarioDocument};
use super::terrain_rows::{HOLE, NOTHING, new_code};
use super::xml::{Document, Element, Source, Tag, current_tree, keep_comments, lists, print_fields, rewrite};

/// As many cells may come to a map without rows of terrain, each with an element of its own; with more of them it gets rows.
const MOST_WITHOUT_ROWS: usize = 8;

const MAP_ORDER: [&str; 9] = ["hex", "square", "graph", "legend", "terrain", "cell", "line", "region", "edge"];
const SCENARIO_ORDER: [&str; 6] = ["description", "player", "option", "pieces", "property", "overlay"];

/// The text of a map that differs from an earlier text of it only where it says something else. Cells of a grid about which nothing is said
/// need not be listed in the map, and count as if they were not.
///
/// # Errors
/// Everything that keeps the new text from being read again as the same map.
pub fn rewrite_map(source: &Source, map: &Map) -> Result<String, Diagnostics> {
    let old = MapDocument::read(source).map(|document| document.map).ok();
    let (old, new) = (old.as_ref().map(normalized), &*normalized(map));
    if old.as_deref() == Some(new) {
        return Ok(source.text().to_owned());
    }
    let reads_back = |text: &str| {
        let read = MapDocument::read(&Source::new(source.file(), text))?;
        Ok(*normalized(&read.map) == *new)
    };
    let is_grid = |map: &Map| map.topology.size().is_some();
    let patched = old.filter(|old| is_grid(old) == is_grid(new)).and_then(|old| {
        let root = current_tree::<MapDocument>(source)?;
        let (old, new) = if is_grid(new) {
            GridText::of(&root)?.tags(&old, new)
        } else {
            (map_tag(&old), map_tag(new))
        };
        rewrite(source.text(), &root, &old, &new, &MAP_ORDER)
    });
    written(source, patched, || super::print_map(map), reads_back)
}

/// The text of a scenario that differs from an earlier text of it only where it says something else. The text of its overlay is a file of
/// its own, and does not count.
///
/// # Errors
/// Everything that keeps the new text from being read again as the same scenario.
pub fn rewrite_scenario(source: &Source, scenario: &Scenario) -> Result<String, Diagnostics> {
    let old = ScenarioDocument::read(source).map(|document| document.scenario).ok();
    let mut new = scenario.clone();
    if let Some((_, text)) = &mut new.overlay {
        text.clear();
    }
    if old.as_ref() == Some(&new) {
        return Ok(source.text().to_owned());
    }
    let reads_back = |text: &str| Ok(ScenarioDocument::read(&Source::new(source.file(), text))?.scenario == new);
    let patched = old.and_then(|old| {
        let root = current_tree::<ScenarioDocument>(source)?;
        let (old, new) = scenario_tags(&root, &old, &new)?;
        rewrite(source.text(), &root, &old, &new, &SCENARIO_ORDER)
    });
    written(source, patched, || super::print_scenario(scenario), reads_back)
}

/// The changed text, or else the text written again with the comments of the old one, whichever reads back first.
fn written(
    source: &Source,
    patched: Option<String>,
    print: impl FnOnce() -> String,
    reads_back: impl Fn(&str) -> Result<bool, Diagnostics>,
) -> Result<String, Diagnostics> {
    if let Some(text) = patched.filter(|text| reads_back(text).unwrap_or(false)) {
        return Ok(text);
    }
    let text = keep_comments(source.text(), &print());
    if reads_back(&text)? {
        return Ok(text);
    }
    let message = sentence!("what would be written would read as something else");
    Err(Diagnostic::error(Code::Document, message).at(Location::file(source.file())).into())
}

/// The map without cells about which nothing is said, those of a grid in the order of rows and columns.
fn normalized(map: &Map) -> Cow<'_, Map> {
    let key = |cell: &MapCell| (cell.y, cell.x);
    let is_normal = |cells: &[MapCell]| cells.is_sorted_by_key(key) && !cells.iter().any(MapCell::is_bare);
    if map.topology.size().is_none() || is_normal(&map.cells) {
        return Cow::Borrowed(map);
    }
    let mut map = map.clone();
    map.cells.retain(|cell| !cell.is_bare());
    map.cells.sort_by_key(key);
    Cow::Owned(map)
}

fn map_tag(map: &Map) -> Tag {
    let mut document = MapDocument::from(map.clone());
    print_fields(Tag::new(MapDocument::NAME), |fields| document.describe(fields))
}

/// Adds elements where they are printed.
fn add(tag: &mut Tag, children: Vec<Tag>, order: &[&str]) {
    tag.children.extend(children);
    tag.children.sort_by_key(|child| order.iter().position(|name| *name == child.group));
}

/// How a text says what the cells of a grid are.
struct GridText {
    /// The codes with what they stand for.
    legend: Option<Vec<(String, String)>>,
    rows: Option<Vec<Vec<String>>>,
    cells: Vec<CellText>,
}

/// An element of a cell.
#[derive(Clone, Copy)]
struct CellText {
    place: (i32, i32),
    says_terrain: bool,
    says_absent: bool,
}

impl GridText {
    /// How a map says it.
    fn of(root: &Element<'_>) -> Option<Self> {
        let codes = |legend: &Element<'_>| -> Option<Vec<(String, String)>> {
            let codes = legend.children.iter();
            codes
                .map(|code| Some((code.get("text")?.to_owned(), code.get("terrain")?.to_owned())))
                .collect()
        };
        let row = |row: &Element<'_>| row.text.split_whitespace().map(str::to_owned).collect();
        let cell = |cell: &Element<'_>| {
            let number = |name: &str| cell.get(name)?.trim().parse().ok();
            let place = match cell.get("at") {
                Some(at) => Topology::parse_default_name(at),
                None => number("column").zip(number("row")),
            };
            Some(CellText {
                place: place?,
                says_terrain: cell.attribute("terrain").is_some(),
                says_absent: cell.get("absent").is_some_and(|value| value.trim() == "yes"),
            })
        };
        Some(Self {
            legend: match root.first("legend") {
                Some(legend) => Some(codes(legend)?),
                None => None,
            },
            rows: root.first("terrain").map(|rows| rows.children.iter().map(row).collect()),
            cells: root.all("cell").map(cell).collect::<Option<_>>()?,
        })
    }

    /// What the text says, and what it is to say in the same way.
    fn tags(&self, old: &Map, new: &Map) -> (Tag, Tag) {
        let without_cells = |map: &Map| Map {
            cells: Vec::new(),
            id: map.id.clone(),
            title: map.title.clone(),
            topology: map.topology,
            lines: map.lines.clone(),
            regions: map.regions.clone(),
            edges: map.edges.clone(),
        };
        let [mut old_tag, mut new_tag] = [old, new].map(|map| map_tag(&without_cells(map)));
        let old_rows = self.rows.as_ref().map(|rows| rows_tag(rows, false));
        let legend = self.legend.as_ref().map(|legend| legend_tag(legend));
        let old_cells = self.cells.iter().map(|text| {
            let mut cell = entry(old, text.place);
            cell.terrain = cell.terrain.filter(|_| text.says_terrain);
            cell_tag(cell)
        });
        add(
            &mut old_tag,
            legend.into_iter().chain(old_rows).chain(old_cells).collect(),
            &MAP_ORDER,
        );
        add(&mut new_tag, self.new_children(old, new), &MAP_ORDER);
        (old_tag, new_tag)
    }

    fn new_children<'m>(&self, old: &Map, new: &'m Map) -> Vec<Tag> {
        let texts: BTreeMap<(i32, i32), CellText> = self.cells.iter().map(|text| (text.place, *text)).collect();
        let (width, height) = new.topology.size().unwrap_or((0, 0));
        let (columns, rows) = (0..i32::from(width), 0..i32::from(height));
        let is_inside = |(x, y): (i32, i32)| columns.contains(&x) && rows.contains(&y);
        // What a row could say of a cell that has no element.
        let is_plain = |cell: &&MapCell| cell.is_only_ground() && !texts.contains_key(&(cell.x, cell.y));
        let has_rows = self.rows.is_some() || new.cells.iter().filter(is_plain).nth(MOST_WITHOUT_ROWS).is_some();
        let says_terrain = |place: &(i32, i32)| texts.get(place).is_some_and(|text| text.says_terrain);
        let says_absent = |place: &(i32, i32)| texts.get(place).is_some_and(|text| text.says_absent);
        // What the row says of a cell: nothing, that it is a hole, or its terrain.
        let in_row = |cell: &'m MapCell| {
            let place = (cell.x, cell.y);
            if !has_rows || !is_inside(place) {
                return RowSays::Nothing;
            }
            match &cell.terrain {
                None if cell.absent && !says_absent(&place) && cell.is_only_ground() => RowSays::Hole,
                Some(terrain) if !cell.absent && !says_terrain(&place) => RowSays::Terrain(terrain),
                _ => RowSays::Nothing,
            }
        };

        let mut children = Vec::new();
        let mut kept = Vec::new();
        let element_of = |cell: &'m MapCell| match in_row(cell) {
            RowSays::Nothing => Some(cell.clone()),
            RowSays::Hole => None,
            RowSays::Terrain(_) => (!cell.is_only_ground()).then(|| MapCell {
                terrain: None,
                ..cell.clone()
            }),
        };
        for text in &self.cells {
            let place = text.place;
            let old_is_bare = find(old, place).is_none_or(|cell| cell.is_only_ground() && !cell.absent);
            let was_bare = old_is_bare && !text.says_terrain;
            let cell = find(new, place).map_or_else(|| Some(entry(new, place)).filter(|_| was_bare), element_of);
            // An element that says nothing is left as it is.
            let cell = cell.or_else(|| was_bare.then(|| MapCell::new("", place.0, place.1)));
            let is_taken = find(new, place).is_some_and(|cell| matches!(in_row(cell), RowSays::Hole));
            kept.extend(cell.filter(|_| !is_taken));
        }
        let added = new
            .cells
            .iter()
            .filter(|cell| !texts.contains_key(&(cell.x, cell.y)))
            .filter_map(element_of);
        let key = |cell: &MapCell| (cell.y, cell.x);
        let is_sorted = kept.is_sorted_by_key(key);
        kept.extend(added);
        if is_sorted {
            kept.sort_by_key(key);
        }

        if has_rows {
            let (legend, rows) = self.new_rows(new, (width, height), in_row);
            children.extend(legend);
            children.push(rows);
        } else if let Some(legend) = &self.legend {
            children.push(legend_tag(legend));
        }
        children.extend(kept.into_iter().map(cell_tag));
        children
    }

    fn new_rows<'m>(&self, map: &'m Map, (width, height): (u16, u16), in_row: impl Fn(&'m MapCell) -> RowSays<'m>) -> (Option<Tag>, Tag) {
        let mut legend = self.legend.clone().unwrap_or_default();
        let meaning: BTreeMap<&str, &str> = self.legend.iter().flatten().map(|(code, terrain)| (&**code, &**terrain)).collect();
        let mut codes: BTreeMap<String, String> = BTreeMap::new();
        for (code, terrain) in &legend {
            codes.entry(terrain.clone()).or_insert_with(|| code.clone());
        }
        let says: BTreeMap<(i32, i32), RowSays<'_>> = map.cells.iter().map(|cell| ((cell.x, cell.y), in_row(cell))).collect();
        let mut taken: BTreeSet<String> = [NOTHING, HOLE].into_iter().map(str::to_owned).collect();
        taken.extend(legend.iter().map(|(code, _)| code.clone()));
        let terrains: BTreeSet<&str> = says.values().filter_map(RowSays::terrain).collect();
        for terrain in terrains {
            if !codes.contains_key(terrain) {
                let code = new_code(terrain, &taken);
                taken.insert(code.clone());
                legend.push((code.clone(), terrain.to_owned()));
                codes.insert(terrain.to_owned(), code);
            }
        }
        let old_code = |x: i32, y: i32| self.rows.as_ref()?.get(y as usize)?.get(x as usize);
        let code = |x: i32, y: i32| match says.get(&(x, y)) {
            None | Some(RowSays::Nothing) => NOTHING.to_owned(),
            Some(RowSays::Hole) => HOLE.to_owned(),
            Some(RowSays::Terrain(terrain)) => {
                let same = old_code(x, y).filter(|code| meaning.get(code.as_str()) == Some(terrain));
                same.or_else(|| codes.get(*terrain)).cloned().unwrap_or_default()
            }
        };
        let rows = (0..i32::from(height)).map(|y| (0..i32::from(width)).map(|x| code(x, y)).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        let legend = (!legend.is_empty() || self.legend.is_some()).then(|| legend_tag(&legend));
        (legend, rows_tag(&rows, self.rows.is_none()))
    }
}

/// What a row of terrain says of a cell.
enum RowSays<'m> {
    Nothing,
    Hole,
    Terrain(&'m str),
}

impl<'m> RowSays<'m> {
    const fn terrain(&self) -> Option<&'m str> {
        match self {
            Self::Terrain(terrain) => Some(terrain),
            Self::Nothing | Self::Hole => None,
        }
    }
}

fn find(map: &Map, (x, y): (i32, i32)) -> Option<&MapCell> {
    let at = map.cells.binary_search_by_key(&(y, x), |cell| (cell.y, cell.x)).ok()?;
    map.cells.get(at)
}

fn entry(map: &Map, place: (i32, i32)) -> MapCell {
    find(map, place).cloned().unwrap_or_else(|| MapCell::new("", place.0, place.1))
}

fn cell_tag(mut cell: MapCell) -> Tag {
    print_fields(Tag::new("cell"), |fields| describe_cell(fields, &mut cell, true))
}

fn legend_tag(legend: &[(String, String)]) -> Tag {
    let code = |(text, terrain): &(String, String)| Tag {
        attributes: vec![("text", text.clone(), false), ("terrain", terrain.clone(), false)],
        ..Tag::new("code")
    };
    Tag {
        children: legend.iter().map(code).collect(),
        ..Tag::new("legend")
    }
}

/// Rows of codes, in columns of the same width if they are to be seen so.
fn rows_tag(rows: &[Vec<String>], in_columns: bool) -> Tag {
    let wide = rows.iter().flatten().map(|code| code.chars().count()).max().unwrap_or(1);
    let row = |codes: &Vec<String>| {
        let words = if in_columns {
            let padded: Vec<String> = codes.iter().map(|code| format!("{code:wide$}")).collect();
            padded.join(" ").trim_end().to_owned()
        } else {
            codes.join(" ")
        };
        Tag {
            words: Some(words),
            ..Tag::new("row")
        }
    };
    Tag {
        children: rows.iter().map(row).collect(),
        ..Tag::new("terrain")
    }
}

/// What a scenario says, and what it is to say: pieces that share an element go on sharing it.
fn scenario_tags(root: &Element<'_>, old: &Scenario, new: &Scenario) -> Option<(Tag, Tag)> {
    let without_pieces = |scenario: &Scenario| {
        let mut document = ScenarioDocument::from(scenario.clone());
        document.scenario.setup.pieces.clear();
        print_fields(Tag::new(ScenarioDocument::NAME), |fields| document.describe(fields))
    };
    // For each element of the text how many pieces it holds, and whether it may hold several.
    let mut sizes = Vec::new();
    for child in &root.children {
        match &*child.name {
            "piece" => sizes.push((1, false)),
            "pieces" => sizes.push((lists::split(child.get("at")?).len(), true)),
            _ => {}
        }
    }
    let mut rest = old.setup.pieces.as_slice();
    let mut old_groups = Vec::new();
    let mut group_of = Vec::new();
    for (index, (size, is_several)) in sizes.iter().enumerate() {
        let (group, further) = rest.split_at_checked(*size)?;
        rest = further;
        old_groups.push(group_tag(group, *is_several));
        group_of.extend(group.iter().map(|_| index));
    }
    if !rest.is_empty() {
        return None;
    }
    let pieces = &new.setup.pieces;
    let is_open = |group: Option<usize>| group.is_none_or(|group| sizes.get(group).is_some_and(|(_, is_several)| *is_several));
    let mut groups: Vec<(Option<usize>, Vec<SetupPiece>)> = Vec::new();
    let old_keys: Vec<_> = old.setup.pieces.iter().map(piece_key).collect();
    let new_keys: Vec<_> = pieces.iter().map(piece_key).collect();
    let mut places = align(&old_keys, &new_keys);
    // Of what changed, first those of the same kind at the same place, then those between the same others.
    let key = |pieces: &[SetupPiece], at: usize| pieces.get(at).map(|piece| (piece.kind.clone(), format!("{:?}", piece.place)));
    pair_between(&mut places, old_keys.len(), |was, is| {
        pairs_by_key((was, is), |at| key(&old.setup.pieces, at), |at| key(pieces, at))
    });
    pair_between(&mut places, old_keys.len(), |was, is| {
        let is_alike = was.len() == is.len();
        is.clone().zip(was.clone()).filter(|_| is_alike).collect()
    });
    let homes: Vec<Option<usize>> = places.into_iter().map(|place| group_of.get(place?).copied()).collect();
    for (piece, home) in pieces.iter().zip(homes) {
        if let Some((group, members)) = groups.last_mut() {
            let is_alike = members.last().is_some_and(|last| may_share(last, piece));
            // A new piece joins the pieces before it, and those after it join it.
            let is_same = *group == home || (home.is_none() && is_open(*group)) || (group.is_none() && is_open(home));
            if is_alike && is_same && (home.is_none() || group.is_none() || is_open(home)) {
                *group = group.or(home);
                members.push(piece.clone());
                continue;
            }
        }
        groups.push((home, vec![piece.clone()]));
    }
    let new_groups = groups.iter().map(|(group, members)| {
        let is_several = members.len() > 1 || group.is_some_and(|group| is_open(Some(group)));
        group_tag(members, is_several)
    });
    let (mut old_tag, mut new_tag) = (without_pieces(old), without_pieces(new));
    add(&mut old_tag, old_groups, &SCENARIO_ORDER);
    add(&mut new_tag, new_groups.collect(), &SCENARIO_ORDER);
    Some((old_tag, new_tag))
}

/// What tells pieces apart, in an order.
fn piece_key(piece: &SetupPiece) -> (&str, Option<&str>, String, &[(String, String)]) {
    let (name, place) = (&piece.name, &piece.place);
    (&piece.kind, piece.owner.as_deref(), format!("{name:?} {place:?}"), &piece.values)
}

/// Whether two pieces may stand in one element.
fn may_share(one: &SetupPiece, other: &SetupPiece) -> bool {
    let is_on_cell = |piece: &SetupPiece| piece.name.is_none() && matches!(piece.place, SetupPlace::Cell(_));
    is_on_cell(one) && is_on_cell(other) && one.kind == other.kind && one.owner == other.owner && one.values == other.values
}

fn group_tag(pieces: &[SetupPiece], is_several: bool) -> Tag {
    let on_cells = pieces
        .iter()
        .all(|piece| piece.name.is_none() && matches!(piece.place, SetupPlace::Cell(_)));
    let mut group = match pieces {
        [piece] if !is_several || !on_cells => PieceGroup::of_one(piece),
        pieces => PieceGroup::of(pieces),
    };
    let name = group.element();
    print_fields(Tag::of_group(name, "pieces"), |fields| group.describe(name, fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> (Source, Map) {
        let source = Source::new("m", text);
        let map = MapDocument::read(&source).unwrap().map;
        (source, map)
    }

    /// The lines that differ, old and new.
    fn diff<'a>(old: &'a str, new: &'a str) -> Vec<(&'a str, &'a str)> {
        let lines = old.lines().zip(new.lines());
        lines.filter(|(old, new)| old != new).collect()
    }

    const VALLEY: &str = "<map format='1' id='m' title='M'>\n  <hex width='4' height='2' orientation='pointy' offset='odd'/>\n  <legend>\n    <code text='c' terrain='clear'/>\n    <!-- trees -->\n    <code text='wd' terrain='wood'/>\n  </legend>\n  <terrain>\n    <row>c  wd c  c</row>\n    <row>c  .  -  c</row>\n  </terrain>\n  <cell at='a1' elevation='1'/>\n</map>\n";

    #[test]
    fn a_cell_of_a_row_changes_its_row_alone() {
        let (source, mut map) = map(VALLEY);
        assert_eq!(rewrite_map(&source, &map).unwrap(), VALLEY);
        map.cells[2].terrain = Some("wood".to_owned());
        let text = rewrite_map(&source, &map).unwrap();
        assert_eq!(diff(VALLEY, &text), [("    <row>c  wd c  c</row>", "    <row>c  wd wd c</row>")]);
        map.cells[1].terrain = None;
        map.cells[0].elevation = 0;
        let text = rewrite_map(&source, &map).unwrap();
        assert!(text.contains("<row>c  .  wd c</row>\n") && !text.contains("<cell"), "{text}");
        map.cells[3].terrain = Some("marsh".to_owned());
        let text = rewrite_map(&source, &map).unwrap();
        assert!(
            text.contains("terrain='wood'/>\n    <code text=\"m\" terrain=\"marsh\"/>\n  </legend>") && text.contains("wd m</row>"),
            "{text}"
        );
    }

    #[test]
    fn a_map_without_rows_gets_them_when_much_is_painted() {
        let text = "<map format='1' id='m' title='M'>\n  <square width='4' height='4' diagonals='no'/>\n  <!-- start -->\n  <cell at='a1' terrain='wood'/>\n</map>\n";
        let (source, mut map) = map(text);
        let paint = |map: &mut Map, count| {
            map.cells.truncate(1);
            map.cells.extend((1..=count).map(|index| MapCell {
                terrain: Some("clear".to_owned()),
                ..MapCell::new("", index % 4, index / 4)
            }));
        };
        paint(&mut map, 1);
        let few = rewrite_map(&source, &map).unwrap();
        assert_eq!(few, text.replace("'wood'/>\n", "'wood'/>\n  <cell at=\"b1\" terrain=\"clear\"/>\n"));
        paint(&mut map, 9);
        let many = rewrite_map(&source, &map).unwrap();
        assert!(
            many.contains("<!-- start -->\n  <cell at='a1' terrain='wood'/>\n</map>") && many.contains("<row>. c c c</row>"),
            "{many}"
        );
    }

    fn scenario(text: &str) -> (Source, Scenario) {
        let source = Source::new("s", text);
        let scenario = ScenarioDocument::read(&source).unwrap().scenario;
        (source, scenario)
    }

    #[test]
    fn a_piece_that_moves_changes_one_name() {
        let text = "<scenario format='1' id='s' title='S' ruleset='r' map='m'>\n  <pieces kind='k' owner='red' at='a1 b1\n    c1'/>\n  <piece kind='k' owner='red' at='d1'/>\n  <pieces kind='l' at='e1'/> <!-- alone -->\n</scenario>\n";
        let (source, mut scenario) = scenario(text);
        assert_eq!(rewrite_scenario(&source, &scenario).unwrap(), text);
        let pieces = &mut scenario.setup.pieces;
        pieces[1].place = SetupPlace::Cell("x1".to_owned());
        assert_eq!(rewrite_scenario(&source, &scenario).unwrap(), text.replace("b1", "x1"));
        scenario.setup.pieces[4].owner = Some("blue".to_owned());
        let more = rewrite_scenario(&source, &scenario).unwrap();
        assert_eq!(more, text.replace("b1", "x1").replace("'l' at", "'l' owner=\"blue\" at"));
        scenario.setup.pieces.remove(3);
        let less = rewrite_scenario(&source, &scenario).unwrap();
        assert_eq!(less, more.replace("  <piece kind='k' owner='red' at='d1'/>\n", ""));
        let again = SetupPiece {
            kind: "l".to_owned(),
            owner: Some("blue".to_owned()),
            place: SetupPlace::Cell("f1".to_owned()),
            ..SetupPiece::default()
        };
        scenario.setup.pieces.push(again);
        assert_eq!(rewrite_scenario(&source, &scenario).unwrap(), less.replace("'e1'", "'e1 f1'"));
    }
}
