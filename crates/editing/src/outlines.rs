//! Outlines of areas. A corner that several areas share stays shared, whatever is done with it.

use boardwright_model::{Map, MapCell, MapLine};

use super::paint::free_name;
use super::points::{Point, joined};
use super::{Edit, Splice};

/// A side of an outline: the corners at its ends.
pub type Side = (Point, Point);

/// How far a corner may lie from the straight line of a side to lie on it, in thousandths: places are rounded.
const TOLERANCE: f64 = 2.0;

/// The corners of the outlines near a point, nearest first, each once.
pub fn corners_near(map: &Map, (x, y): Point, radius: i32) -> Vec<Point> {
    let away = |corner: &Point| {
        let (dx, dy) = (i64::from(corner.0) - i64::from(x), i64::from(corner.1) - i64::from(y));
        dx * dx + dy * dy
    };
    let most = i64::from(radius) * i64::from(radius);
    let corners = map.cells.iter().flat_map(|cell| &cell.outline).flatten().copied();
    let mut near: Vec<Point> = corners.filter(|corner| away(corner) <= most).collect();
    near.sort_by_key(|corner| (away(corner), *corner));
    near.dedup();
    near
}

/// The sides of a part, the last one back to its first corner.
fn sides(part: &[Point]) -> impl Iterator<Item = Side> + '_ {
    part.iter().copied().zip(part.iter().copied().cycle().skip(1))
}

/// The point of a side nearest to a point, and how far it is away.
fn foot((a, b): Side, at: Point) -> (Point, f64) {
    let [ax, ay, bx, by, x, y] = [a.0, a.1, b.0, b.1, at.0, at.1].map(f64::from);
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 {
        (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (foot_x, foot_y) = (ax + share * dx, ay + share * dy);
    ((foot_x.round() as i32, foot_y.round() as i32), (foot_x - x).hypot(foot_y - y))
}

/// The side of an outline nearest to a point, and the point on it, if one is near.
pub fn side_near(map: &Map, at: Point, radius: i32) -> Option<(Side, Point)> {
    let all = map.cells.iter().flat_map(|cell| &cell.outline).flat_map(|part| sides(part));
    let near = all.map(|side| (side, foot(side, at)));
    let nearest = near.min_by(|(_, (_, one)), (_, (_, other))| one.total_cmp(other));
    nearest
        .filter(|(_, (_, away))| *away <= f64::from(radius))
        .map(|(side, (foot, _))| (side, foot))
}

/// A part with those of some points as corners that lie on its sides.
fn with_points_on_sides(part: &[Point], points: &[Point]) -> Vec<Point> {
    let mut all = Vec::with_capacity(part.len());
    for side in sides(part) {
        let is_on = |point: &&Point| !part.contains(point) && foot(side, **point).1 <= TOLERANCE;
        let mut on: Vec<Point> = points.iter().filter(is_on).copied().collect();
        let away = |point: &Point| {
            let (dx, dy) = (i64::from(point.0) - i64::from(side.0.0), i64::from(point.1) - i64::from(side.0.1));
            dx * dx + dy * dy
        };
        on.sort_by_key(away);
        on.dedup();
        all.push(side.0);
        all.extend(on);
    }
    all
}

/// The corners along the border of an area from one point of it to another, both left out, the shorter way round. Nothing where no border
/// has both points.
pub fn along_border(map: &Map, from: Point, to: Point) -> Vec<Point> {
    let parts = map.cells.iter().flat_map(|cell| &cell.outline);
    let ways = parts.filter_map(|part| {
        let part = with_points_on_sides(part, &[from, to]);
        let first = part.iter().position(|corner| *corner == from)?;
        let last = part.iter().position(|corner| *corner == to)?;
        let count = part.len();
        let walk = |from: usize, to: usize| {
            let steps = (to + count - from) % count;
            (0..=steps)
                .filter_map(|step| part.get((from + step) % count).copied())
                .collect::<Vec<Point>>()
        };
        let (there, mut back) = (walk(first, last), walk(last, first));
        back.reverse();
        Some(if length(&there) <= length(&back) { there } else { back })
    });
    let shortest = ways.min_by(|one, other| length(one).total_cmp(&length(other)));
    let between = |way: Vec<Point>| way.get(1..way.len().saturating_sub(1)).unwrap_or_default().to_vec();
    shortest.map(between).unwrap_or_default()
}

fn length(way: &[Point]) -> f64 {
    let step = |pair: &[Point]| match *pair {
        [(ax, ay), (bx, by)] => f64::from(bx - ax).hypot(f64::from(by - ay)),
        _ => 0.0,
    };
    way.windows(2).map(step).sum()
}

/// Whether a point lies within a part.
pub fn is_inside(part: &[Point], (x, y): Point) -> bool {
    let (x, y) = (f64::from(x), f64::from(y) + 0.5);
    let is_left_of = |((ax, ay), (bx, by)): &Side| {
        let [ax, ay, bx, by] = [*ax, *ay, *bx, *by].map(f64::from);
        (ay < y) != (by < y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
    };
    sides(part).filter(is_left_of).count() % 2 == 1
}

/// A point within a part, where its name can stand: its centre of gravity, or else the middle of the widest stretch of the part beside it.
pub fn middle_of(part: &[Point]) -> Point {
    let (mut twice_area, mut x, mut y) = (0.0, 0.0, 0.0);
    for ((ax, ay), (bx, by)) in sides(part) {
        let [ax, ay, bx, by] = [ax, ay, bx, by].map(f64::from);
        let cross = ax * by - bx * ay;
        twice_area += cross;
        x += (ax + bx) * cross;
        y += (ay + by) * cross;
    }
    let first = part.first().copied().unwrap_or_default();
    if twice_area == 0.0 {
        return first;
    }
    // Half a thousandth beside whole ones, so that no corner lies on it.
    let (x, y) = (x / (3.0 * twice_area), (y / (3.0 * twice_area)).floor() + 0.5);
    let crossing = |((ax, ay), (bx, by)): Side| {
        let [ax, ay, bx, by] = [ax, ay, bx, by].map(f64::from);
        ((ay < y) != (by < y)).then(|| ax + (y - ay) / (by - ay) * (bx - ax))
    };
    let mut crossings: Vec<f64> = sides(part).filter_map(crossing).collect();
    crossings.sort_by(f64::total_cmp);
    let stretches = || {
        crossings.chunks_exact(2).filter_map(|pair| match *pair {
            [from, to] => Some((from, to)),
            _ => None,
        })
    };
    let is_inside = stretches().any(|(from, to)| (from..=to).contains(&x));
    let widest = stretches().max_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0)));
    let x = widest.filter(|_| !is_inside).map_or(x, |(from, to)| f64::midpoint(from, to));
    (x.round() as i32, y.floor() as i32)
}

/// Draws a part of at least three corners, of an area by its position in the list, or else of a new one. Borders become shared: corners on
/// sides of other areas become corners of these too, and the other way round. Areas that it touches become its neighbours.
pub fn draw_part(map: &Map, area: Option<usize>, name: &str, corners: &[Point]) -> Vec<Edit> {
    if corners.len() < 3 {
        return Vec::new();
    }
    let mut new = map.clone();
    let others: Vec<Point> = map.cells.iter().flat_map(|cell| cell.outline.iter().flatten()).copied().collect();
    let part = with_points_on_sides(corners, &others);
    for other in new.cells.iter_mut().flat_map(|cell| &mut cell.outline) {
        *other = with_points_on_sides(other, &part);
    }
    let index = area.filter(|area| *area < map.cells.len()).unwrap_or(map.cells.len());
    if let Some(cell) = new.cells.get_mut(index) {
        cell.outline.push(part);
    } else {
        let (x, y) = middle_of(&part);
        let mut cell = MapCell::new(free_name(name, |name| map.cells.iter().any(|cell| cell.name == name)), x, y);
        cell.outline.push(part);
        new.cells.push(cell);
    }
    let mut edits = Vec::new();
    for (at, cell) in new.cells.iter().enumerate() {
        match map.cells.get(at) {
            Some(old) if old == cell => {}
            Some(_) => edits.push(Edit::Points(Splice::replace(at, cell.clone()))),
            None => edits.push(Edit::Points(Splice::insert(at, cell.clone()))),
        }
    }
    let beside = touching(&new).into_iter().filter(|pair| pair.0 == index || pair.1 == index);
    let links = beside.filter_map(|(a, b)| {
        let (a, b) = (new.cells.get(a)?, new.cells.get(b)?);
        joined(map, &a.name, &b.name)
            .is_none()
            .then(|| MapLine::new([a.name.clone(), b.name.clone()]))
    });
    let links: Vec<MapLine> = links.collect();
    if !links.is_empty() {
        edits.push(Edit::Lines(Splice {
            at: map.lines.len(),
            remove: 0,
            insert: links,
        }));
    }
    edits
}

fn change(map: &Map, mut change: impl FnMut(&mut MapCell)) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, old) in map.cells.iter().enumerate() {
        let mut new = old.clone();
        change(&mut new);
        if new != *old {
            edits.push(Edit::Points(Splice::replace(index, new)));
        }
    }
    edits
}

/// Moves a corner, of all areas that have it.
pub fn move_corner(map: &Map, from: Point, to: Point) -> Vec<Edit> {
    change(map, |cell| {
        for corner in cell.outline.iter_mut().flatten().filter(|corner| **corner == from) {
            *corner = to;
        }
    })
}

/// Puts a corner onto a side between two corners, of all areas that have that side.
pub fn add_corner(map: &Map, side: Side, at: Point) -> Vec<Edit> {
    change(map, |cell| {
        for part in &mut cell.outline {
            let count = part.len();
            let is_side = |index: &usize| {
                let ends = (part.get(*index).copied(), part.get((index + 1) % count.max(1)).copied());
                ends == (Some(side.0), Some(side.1)) || ends == (Some(side.1), Some(side.0))
            };
            if let Some(index) = (0..count).find(is_side) {
                part.insert(index + 1, at);
            }
        }
    })
}

/// Takes a corner out, of all areas that have it. A part that has three corners keeps them.
pub fn remove_corner(map: &Map, at: Point) -> Vec<Edit> {
    let is_needed = |part: &Vec<Point>| part.contains(&at) && part.len() <= 3;
    if map.cells.iter().flat_map(|cell| &cell.outline).any(is_needed) {
        return Vec::new();
    }
    change(map, |cell| {
        for part in &mut cell.outline {
            part.retain(|corner| *corner != at);
        }
    })
}

/// Takes a part of an area away.
pub fn remove_part(map: &Map, index: usize, part: usize) -> Vec<Edit> {
    let Some(old) = map.cells.get(index).filter(|cell| part < cell.outline.len()) else {
        return Vec::new();
    };
    let mut new = old.clone();
    new.outline.remove(part);
    vec![Edit::Points(Splice::replace(index, new))]
}

/// Areas that share a side, each pair once, by their positions in the list: those that may be meant to be neighbours.
pub fn touching(map: &Map) -> Vec<(usize, usize)> {
    let mut by_side: std::collections::BTreeMap<Side, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, cell) in map.cells.iter().enumerate() {
        for part in &cell.outline {
            for (one, other) in sides(part) {
                let owners = by_side.entry((one.min(other), one.max(other))).or_default();
                if owners.last() != Some(&index) {
                    owners.push(index);
                }
            }
        }
    }
    let pair = |owners: &Vec<usize>| {
        owners
            .iter()
            .flat_map(|&a| owners.iter().filter(move |b| a < **b).map(move |b| (a, *b)))
            .collect::<Vec<_>>()
    };
    let pairs: std::collections::BTreeSet<(usize, usize)> = by_side.values().flat_map(pair).collect();
    pairs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Step, StepKind};
    use boardwright_model::Topology;

    #[test]
    fn a_shared_border_stays_shared() {
        let mut map = Map::new("m", "M", Topology::Graph);
        let area = |name: &str, x: i32| MapCell {
            outline: vec![vec![(x, 0), (x + 10, 0), (x + 10, 10), (x, 10)]],
            ..MapCell::new(name, x + 5, 5)
        };
        map.cells = vec![area("a", 0), area("b", 10)];
        assert_eq!(touching(&map), [(0, 1)]);
        let mut draft = Draft::Map(map);
        let apply = |edits: Vec<Edit>, draft: &mut Draft| drop(Step::new(StepKind::Outline, edits).apply(draft));
        let edits = add_corner(draft.map().unwrap(), ((10, 0), (10, 10)), (12, 5));
        apply(edits, &mut draft);
        let edits = move_corner(draft.map().unwrap(), (10, 0), (11, -2));
        apply(edits, &mut draft);
        let cells = &draft.map().unwrap().cells;
        assert_eq!(cells[0].outline[0], [(0, 0), (11, -2), (12, 5), (10, 10), (0, 10)]);
        assert_eq!(cells[1].outline[0], [(11, -2), (20, 0), (20, 10), (10, 10), (12, 5)]);
        assert_eq!(corners_near(draft.map().unwrap(), (12, 4), 3), [(12, 5)]);
        let edits = remove_corner(draft.map().unwrap(), (12, 5));
        apply(edits, &mut draft);
        assert_eq!(touching(draft.map().unwrap()), [(0, 1)]);
    }
    #[test]
    fn an_area_drawn_beside_another_shares_its_border_and_is_its_neighbour() {
        let mut map = Map::new("m", "M", Topology::Graph);
        let square = vec![(0, 0), (100, 0), (100, 100), (0, 100)];
        map.cells = vec![MapCell {
            outline: vec![square],
            ..MapCell::new("west", 50, 50)
        }];
        // From the middle of the eastern border over its lower corner: the border is followed.
        let on_side = side_near(&map, (104, 40), 10).unwrap();
        assert_eq!(on_side, (((100, 0), (100, 100)), (100, 40)));
        assert_eq!(along_border(&map, (100, 40), (50, 100)), [(100, 100)]);
        assert_eq!(side_near(&map, (150, 40), 10), None);
        let corners = [(100, 40), (100, 100), (50, 100), (50, 200), (200, 40)];
        let mut draft = Draft::Map(map);
        let edits = draw_part(draft.map().unwrap(), None, "area", &corners);
        let undo = Step::new(StepKind::Outline, edits).apply(&mut draft);
        let map = draft.map().unwrap();
        assert_eq!(
            map.cells[0].outline[0],
            [(0, 0), (100, 0), (100, 40), (100, 100), (50, 100), (0, 100)]
        );
        assert_eq!((&*map.cells[1].name, &map.cells[1].outline[0][..]), ("area", &corners[..]));
        assert_eq!(map.lines[0].cells, ["west", "area"]);
        assert_eq!(touching(map), [(0, 1)]);
        let edits = draw_part(map, Some(1), "area", &[(300, 0), (400, 0), (300, 100)]);
        drop(Step::new(StepKind::Outline, edits).apply(&mut draft));
        let map = draft.map().unwrap();
        assert_eq!((map.cells.len(), map.cells[1].outline.len(), map.lines.len()), (2, 2, 1));
        drop(undo.apply(&mut draft));
        assert_eq!(draft.map().unwrap().cells[0].outline[0].len(), 4);
    }

    #[test]
    fn the_middle_of_a_part_lies_in_it() {
        assert_eq!(middle_of(&[(0, 0), (10, 0), (10, 10), (0, 10)]), (5, 5));
        // A bay opens where the centre of gravity is.
        let (x, y) = middle_of(&[(0, 0), (100, 0), (100, 10), (10, 10), (10, 90), (100, 90), (100, 100), (0, 100)]);
        assert!((0..=10).contains(&x) && (0..=100).contains(&y), "{x},{y}");
    }
}
