//! What holds for every mask.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::Stage;

/// A mask of rows of digits; `.` stands for none.
fn drawn(rows: &[&str]) -> Mask {
    let areas: Vec<u16> = rows.concat().chars().map(|digit| digit.to_digit(10).unwrap_or(0) as u16).collect();
    let count = usize::from(areas.iter().copied().max().unwrap_or(0));
    let colours = (0..count).map(distinct_colour).collect();
    Mask::new(rows[0].len() as u32, rows.len() as u32, areas, colours).unwrap()
}

/// A picture of rows of letters with these colours.
fn picture(rows: &[&str], colours: &[(char, [u8; 4])]) -> Picture {
    let colour = |letter: char| {
        colours
            .iter()
            .find(|(known, _)| *known == letter)
            .map(|(_, colour)| *colour)
            .unwrap()
    };
    Picture::new(rows[0].len() as u32, rows.len() as u32, rows.concat().chars().map(colour).collect()).unwrap()
}

fn traced(mask: &Mask) -> Borders {
    Borders::trace(mask, &mut Progress::silent()).unwrap()
}

/// Random masks of up to four areas, from noise to blocks.
fn masks() -> impl Strategy<Value = Mask> {
    (2..13_u32, 2..13_u32, 1..5_u32, prop::collection::vec(0..5_u16, 256)).prop_map(|(width, height, block, values)| {
        let place = |x: u32, y: u32| values[((y / block) * 16 + x / block) as usize];
        let areas = (0..height).flat_map(|y| (0..width).map(move |x| place(x, y))).collect();
        Mask::new(width, height, areas, (0..4).map(distinct_colour).collect()).unwrap()
    })
}

fn redrawn(mask: &Mask, outlines: Vec<Vec<Vec<HalfPixels>>>) -> Mask {
    let areas: Vec<_> = mask.colours().iter().copied().zip(outlines).collect();
    draw_mask(mask.width(), mask.height(), &areas).unwrap()
}

fn sides(outlines: &[Vec<Vec<HalfPixels>>]) -> Vec<(usize, HalfPixels, HalfPixels)> {
    let mut sides = Vec::new();
    for (area, outline) in outlines.iter().enumerate() {
        for polygon in outline {
            for (a, b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
                sides.push((area, *a, *b));
            }
        }
    }
    sides
}

/// Whether two stretches cross at a point that is an end of neither.
fn cross(a: HalfPixels, b: HalfPixels, c: HalfPixels, d: HalfPixels) -> bool {
    let side = |a: HalfPixels, b: HalfPixels, p: HalfPixels| {
        (i64::from(b.0 - a.0) * i64::from(p.1 - a.1) - i64::from(b.1 - a.1) * i64::from(p.0 - a.0)).signum()
    };
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn outlines_without_tolerance_give_the_mask_back(mask in masks()) {
        prop_assert_eq!(redrawn(&mask, traced(&mask).outlines(0.0)), mask);
    }

    #[test]
    fn with_a_tolerance_only_pixels_near_a_border_change(mask in masks(), tolerance in 0.0..4.0_f64) {
        let again = redrawn(&mask, traced(&mask).outlines(tolerance));
        let reach = tolerance.ceil() as i32 + 1;
        for y in 0..mask.height() as i32 {
            for x in 0..mask.width() as i32 {
                let is_near = || (-reach..=reach).any(|dy| (-reach..=reach).any(|dx| mask.area(x + dx, y + dy) != mask.area(x, y)));
                prop_assert!(again.area(x, y) == mask.area(x, y) || is_near(), "pixel {x}, {y}");
            }
        }
    }

    #[test]
    fn borders_are_shared_exactly_and_never_cross(mask in masks(), tolerance in 0.0..9.0_f64) {
        let outlines = traced(&mask).outlines(tolerance);
        let all = sides(&outlines);
        let mut directed: BTreeMap<(HalfPixels, HalfPixels), usize> = BTreeMap::new();
        for (area, a, b) in &all {
            prop_assert!(a != b);
            prop_assert_eq!(directed.insert((*a, *b), *area), None, "a side is there once");
        }
        for (place, (_, a, b)) in all.iter().enumerate() {
            for (_, c, d) in all.iter().skip(place + 1) {
                prop_assert!(!cross(*a, *b, *c, *d), "{a:?} {b:?} crosses {c:?} {d:?}");
            }
        }
        // Areas that touch along a border share sides, and only those do.
        let sharing: BTreeSet<(u16, u16)> = all
            .iter()
            .filter_map(|(area, a, b)| Some((*area, *directed.get(&(*b, *a))?)))
            .filter(|(one, other)| one < other)
            .map(|(one, other)| (one as u16 + 1, other as u16 + 1))
            .collect();
        let touching: BTreeSet<(u16, u16)> = traced(&mask).touching(1).into_iter().map(|touch| (touch.a, touch.b)).collect();
        prop_assert_eq!(sharing, touching);
        for polygon in outlines.iter().flatten() {
            prop_assert!(polygon.len() >= 3 && borders::twice_area(polygon) != 0, "{polygon:?}");
        }
    }

    #[test]
    fn neighbours_are_those_that_a_scan_of_all_pixels_finds(mask in masks(), least in 1..6_u32) {
        let mut lengths: BTreeMap<(u16, u16), u32> = BTreeMap::new();
        for y in 0..mask.height() as i32 {
            for x in 0..mask.width() as i32 {
                for other in [mask.area(x + 1, y), mask.area(x, y + 1)] {
                    let area = mask.area(x, y);
                    if area != other && area != 0 && other != 0 {
                        *lengths.entry((area.min(other), area.max(other))).or_default() += 1;
                    }
                }
            }
        }
        let expected: Vec<Touch> = lengths.into_iter().map(|((a, b), length)| Touch { a, b, length }).filter(|touch| touch.length >= least).collect();
        prop_assert_eq!(traced(&mask).touching(least), expected);
    }

    #[test]
    fn each_area_has_as_many_parts_as_a_flood_finds(mask in masks()) {
        let mut copy = mask.clone();
        let (parts, specks) = parts::mend(&mut copy, 1, Specks::Keep, &mut Progress::silent()).unwrap();
        prop_assert!(specks.is_empty() && copy == mask);
        let (width, height) = (mask.width() as i32, mask.height() as i32);
        let mut seen = BTreeSet::new();
        let mut found: Vec<(u16, u32)> = Vec::new();
        for start in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let area = mask.area(start.0, start.1);
            let (mut waiting, mut count) = (vec![start], 0);
            while let Some((x, y)) = waiting.pop() {
                let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
                if is_inside && mask.area(x, y) == area && seen.insert((x, y)) {
                    count += 1;
                    waiting.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
                }
            }
            if count > 0 && area != 0 {
                found.push((area, count));
            }
        }
        found.sort_by_key(|(area, count)| (*area, std::cmp::Reverse(*count)));
        prop_assert_eq!(parts.iter().map(|part| (part.area, part.pixels)).collect::<Vec<_>>(), found);
        let outlines = traced(&mask).outlines(0.0);
        let outer = outlines.iter().map(|outline| outline.iter().filter(|polygon| borders::twice_area(polygon) < 0).count());
        prop_assert_eq!(outer.sum::<usize>(), parts.len());
    }

    #[test]
    fn no_speck_is_left_over(mask in masks(), least in 2..9_u32, drops: bool) {
        let mut copy = mask;
        let specks = if drops { Specks::Drop } else { Specks::Join };
        let (parts, _) = parts::mend(&mut copy, least, specks, &mut Progress::silent()).unwrap();
        let whole = copy.width() * copy.height();
        prop_assert!(parts.iter().all(|part| part.pixels >= least || part.pixels == whole), "{parts:?}");
    }

    #[test]
    fn the_pivot_of_an_area_lies_inside_it(mask in masks()) {
        for (area, outline) in (1..).zip(traced(&mask).outlines(0.0)) {
            if let Some((at, away)) = pivot(&outline, 0.25) {
                prop_assert!(away > 0.0 && holds(&outline, at), "area {area}: {at:?} {away}");
            }
        }
    }

    #[test]
    fn any_picture_is_read_or_refused(pixels in prop::collection::vec(prop::array::uniform4(prop_oneof![Just(0_u8), Just(255), any::<u8>()]), 64)) {
        let picture = Picture::new(8, 8, pixels).unwrap();
        if let Ok(found) = find_areas(&picture, &FindOptions { least_part: 3, ..FindOptions::default() }, &mut Progress::silent()) {
            let borders = Borders::trace(&found.mask, &mut Progress::silent()).unwrap();
            AreaPlan::new("m", "M", &found, &borders, 1.0, 1, &mut Progress::silent()).unwrap().build();
        }
    }
}

#[test]
fn an_area_has_its_islands_and_holes_and_the_lake_in_it() {
    let mask = drawn(&[
        "..........",
        ".11111.11.",
        ".12221.11.",
        ".12.21....",
        ".12221.33.",
        ".11111.33.",
        "..........",
    ]);
    let outlines = traced(&mask).outlines(0.0);
    let counts: Vec<_> = outlines.iter().map(Vec::len).collect();
    assert_eq!(counts, [3, 2, 1], "a part, an island and a hole; a ring and a hole; a part");
    let parts = parts_of_outline(&outlines[0]);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn soft_edges_go_to_the_nearer_of_the_colours_beside_them() {
    let (red, blue, sea) = ([200, 0, 0, 255], [0, 0, 200, 255], [255, 255, 255, 255]);
    let between = [
        ('r', red),
        ('b', blue),
        ('.', sea),
        ('x', [150, 0, 50, 255]),
        ('y', [60, 0, 140, 255]),
        ('p', [230, 130, 130, 255]),
    ];
    let rows = [
        "............",
        ".rrrrpp.....",
        ".rrrrxybbbb.",
        ".rrrrxybbbb.",
        ".rrrrxybbbb.",
        ".rrrrxybbbb.",
        ".rrrrxybbbb.",
        "............",
    ];
    let found = find_areas(
        &picture(&rows, &between),
        &FindOptions {
            least_part: 2,
            ..FindOptions::default()
        },
        &mut Progress::silent(),
    )
    .unwrap();
    assert_eq!(found.mask.colours().len(), 2, "colours in between are no areas");
    assert_eq!(found.between, 12);
    let (left, right) = (found.mask.area(2, 3), found.mask.area(8, 3));
    assert_eq!(
        (found.mask.area(5, 3), found.mask.area(6, 3)),
        (left, right),
        "x is nearer to red, y to blue"
    );
    assert_eq!(found.nothing, [Colour([255, 255, 255])]);
}

#[test]
fn lines_between_areas_are_shared_out_and_the_sea_is_left_alone() {
    let colours = [
        ('r', [200, 0, 0, 255]),
        ('b', [0, 0, 200, 255]),
        ('.', [255, 255, 255, 255]),
        ('#', [0, 0, 0, 255]),
    ];
    let rows = [
        "............",
        ".####.......",
        ".#rrrr#bbbb.",
        ".#rrrr#bbbb.",
        ".#rrrr#bbbb.",
        ".#rrrr#bbbb.",
        "............",
    ];
    let options = FindOptions {
        colours: ColourOptions {
            lines: vec![Colour([0, 0, 0])],
            ..ColourOptions::default()
        },
        ..FindOptions::default()
    };
    let found = find_areas(&picture(&rows, &colours), &options, &mut Progress::silent()).unwrap();
    assert_eq!(Borders::trace(&found.mask, &mut Progress::silent()).unwrap().touching(4).len(), 1);
    assert_eq!((found.mask.area(1, 3), found.mask.area(0, 3)), (found.mask.area(3, 3), 0));
}

#[test]
fn specks_are_told_and_joined_or_dropped() {
    let colours = [('r', [200, 0, 0, 255]), ('b', [0, 0, 200, 255]), ('.', [255, 255, 255, 255])];
    let rows = [
        "..........",
        ".rrrrrbbb.",
        ".rrbrrbbb.",
        ".rr.rrbbb.",
        ".rrrrrbbb.",
        "..........",
        ".......r..",
    ];
    let found = |specks| {
        let options = FindOptions {
            least_part: 3,
            specks,
            colours: ColourOptions {
                keys: vec![Colour([200, 0, 0]), Colour([0, 0, 200])],
                ..ColourOptions::default()
            },
        };
        find_areas(&picture(&rows, &colours), &options, &mut Progress::silent()).unwrap()
    };
    let joined = found(Specks::Join);
    assert_eq!((joined.parts.len(), joined.specks.len()), (2, 3), "{:?}", joined.specks);
    assert_eq!(
        joined.specks.iter().map(|speck| speck.part.at).collect::<Vec<_>>(),
        [(3, 2), (3, 3), (7, 6)]
    );
    assert_eq!(joined.mask.area(3, 2), joined.mask.area(2, 2));
    assert_eq!(found(Specks::Drop).mask.area(7, 6), 0);
    assert_eq!(found(Specks::Keep).parts.len(), 4);
}

#[test]
fn given_colours_come_first_and_transparent_pixels_are_nothing() {
    let colours = [('r', [200, 0, 0, 255]), ('b', [0, 0, 200, 255]), ('.', [9, 9, 9, 0])];
    let rows = [
        "...........",
        ".rrrrrrrr..",
        ".rrrrrrrr..",
        ".rrrrrrrr..",
        ".rrrrrrbb..",
        ".rrrrrrbb..",
        "...........",
    ];
    let options = FindOptions {
        colours: ColourOptions {
            keys: vec![Colour([0, 0, 200]), Colour([1, 2, 3])],
            ..ColourOptions::default()
        },
        least_part: 2,
        ..FindOptions::default()
    };
    let found = find_areas(&picture(&rows, &colours), &options, &mut Progress::silent()).unwrap();
    assert_eq!(found.mask.colours(), [Colour([0, 0, 200]), Colour([1, 2, 3]), Colour([200, 0, 0])]);
    let borders = Borders::trace(&found.mask, &mut Progress::silent()).unwrap();
    let mut plan = AreaPlan::new("m", "M", &found, &borders, 1.0, 1, &mut Progress::silent()).unwrap();
    let names = read_names("colour,name,x,y\n#0000c8,Blue,7,4\n#010203,Lost,,\n#c80000,Red,0,0", "n.csv").unwrap();
    let messages: Vec<_> = plan.name(&names, "n.csv").iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "n.csv:3:1: warning[unknown-name]: the mask has no area of the colour #010203 for \"Lost\"",
            "n.csv:4:1: warning[unknown-name]: the pivot of \"Red\" lies outside the area: another was chosen",
        ]
    );
    plan.part(0, 2);
    let links = read_links("from,to\nBlue,Red\nBlue,Lost", "l.csv").unwrap();
    assert_eq!(plan.link(&links, "l.csv").len(), 1);
    let map = plan.build();
    assert_eq!(map.cells.iter().map(|cell| cell.name.as_str()).collect::<Vec<_>>(), ["Blue", "Red"]);
    assert_eq!((map.lines.len(), map.cells[0].x), (1, 15 * plan.scale));
    assert!(boardwright_model::Board::from_map(&map).is_ok() && map.doubts().is_empty());
}

#[test]
fn a_picture_of_one_colour_and_a_photograph_are_refused() {
    let refused = |picture: &Picture| match find_areas(picture, &FindOptions::default(), &mut Progress::silent()) {
        Err(ImportError::Wrong(found)) => found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => format!("{other:?}"),
    };
    assert!(refused(&picture(&["....", "...."], &[('.', [7, 7, 7, 255])])).contains("no area"));
    // Blocks of four by four pixels.
    let block = |place: u32| place % 240 / 4 + place / 240 / 4 * 60;
    let colour = |place: u32| [(block(place) % 256) as u8, (block(place) / 256) as u8, 77, 255];
    let many = Picture::new(240, 1_000, (0..240_000).map(colour).collect()).unwrap();
    assert!(refused(&many).contains("more than 4000 colours"), "{}", refused(&many));
}

#[test]
fn an_import_stops_when_it_is_told_to() {
    let colours = [('r', [200, 0, 0, 255]), ('.', [255, 255, 255, 255])];
    let picture = picture(&[".....", ".rrr.", ".rrr.", ".rrr.", "....."], &colours);
    for last in [Stage::Colours, Stage::Parts] {
        let mut progress = Progress::new(|stage, _| {
            if stage == last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let options = FindOptions {
            colours: ColourOptions {
                keys: vec![Colour([200, 0, 0])],
                ..ColourOptions::default()
            },
            ..FindOptions::default()
        };
        let found = find_areas(&picture, &options, &mut progress);
        assert!(matches!(found, Err(ImportError::Stopped)), "{last:?}");
    }
}

/// The map that `art/amber-isles` gives; `BLESS=1` writes it.
#[test]
fn the_amber_isles_come_out_as_they_are_shipped() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let art = root.join("art/amber-isles");
    let text = |name: &str| std::fs::read_to_string(art.join(name)).unwrap();
    let (mask, drawing) = (
        Picture::read(&art.join("mask.png")).unwrap(),
        Picture::read(&art.join("drawing.png")).unwrap(),
    );
    drawing.check_size("drawing.png", &mask, "mask.png").unwrap();
    let (names, links) = (
        read_names(&text("names.csv"), "names.csv").unwrap(),
        read_links(&text("links.csv"), "links.csv").unwrap(),
    );
    let colours = ColourOptions {
        keys: names.areas.iter().filter_map(NamedArea::colour).collect(),
        nothing: names.nothing.iter().filter_map(|key| Colour::parse(key)).collect(),
        lines: Vec::new(),
    };
    let options = FindOptions {
        colours,
        ..FindOptions::default()
    };
    let mut progress = Progress::silent();
    let found = find_areas(&mask, &options, &mut progress).unwrap();
    let borders = Borders::trace(&found.mask, &mut progress).unwrap();
    let mut plan = AreaPlan::new("amber-isles", "The Amber Isles", &found, &borders, 1.0, 4, &mut progress).unwrap();
    assert!(plan.name(&names, "names.csv").is_empty() && plan.link(&links, "links.csv").is_empty());
    let map = plan.build();
    assert!(map.doubts().is_empty());
    let printed = boardwright_content::print_map(&map);
    let shipped = root.join("maps/conquest/amber-isles.map.xml");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&shipped, &printed).unwrap();
    }
    assert!(std::fs::read_to_string(&shipped).unwrap() == printed, "BLESS=1 writes the map");
}

/// A mask of the size of a large poster, with sixty areas: bounds on work that do not depend on the machine.
#[test]
fn a_large_mask_has_few_points_where_they_are_not_needed() {
    let (width, height) = (2_000_u32, 1_000_u32);
    let place = |x: u32, y: u32| {
        let wave = (f64::from(x) / 17.0).sin() * 9.0 + (f64::from(y) / 23.0).cos() * 11.0;
        let (column, row) = ((f64::from(x) + wave) / 200.0, (f64::from(y) + wave) / 170.0);
        (column.clamp(0.0, 9.0) as u16) + (row.clamp(0.0, 5.0) as u16) * 10 + 1
    };
    let areas = (0..height).flat_map(|y| (0..width).map(move |x| place(x, y))).collect();
    let mask = Mask::new(width, height, areas, (0..60).map(distinct_colour).collect()).unwrap();
    let borders = traced(&mask);
    let count = |tolerance| borders.outlines(tolerance).iter().flatten().map(Vec::len).sum::<usize>();
    let (fine, coarse) = (count(0.5), count(4.0));
    assert!(
        fine < borders.point_count() && coarse * 2 < fine,
        "{} {fine} {coarse}",
        borders.point_count()
    );
}
