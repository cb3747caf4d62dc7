//! Points and lines of free graphs: put, moved, aligned, joined.

use std::collections::BTreeSet;

use boardwright_model::{Map, MapCell, MapLine};

use super::paint::{forget_names, free_name, rename_everywhere};
use super::{Edit, Splice};

/// A point of the drawing, in thousandths of a unit.
pub type Point = (i32, i32);

/// Puts a point. Its name is the given one, with a number if that is taken.
pub fn add_point(map: &Map, name: &str, (x, y): Point) -> Vec<Edit> {
    let name = free_name(name, |name| map.cells.iter().any(|cell| cell.name == name));
    vec![Edit::Points(Splice::insert(map.cells.len(), MapCell::new(name, x, y)))]
}

/// Moves points and areas with their outlines, given by their positions in the list. Corners that other areas share with them stay shared.
pub fn move_points(map: &Map, points: &BTreeSet<usize>, (dx, dy): (i32, i32)) -> Vec<Edit> {
    let moved = |(x, y): Point| (x.saturating_add(dx), y.saturating_add(dy));
    let held = points.iter().filter_map(|&index| map.cells.get(index));
    let corners: BTreeSet<Point> = held.flat_map(|cell| cell.outline.iter().flatten()).copied().collect();
    let mut edits = Vec::new();
    for (index, old) in map.cells.iter().enumerate() {
        let mut new = old.clone();
        if points.contains(&index) {
            (new.x, new.y) = moved((new.x, new.y));
        }
        for corner in new.outline.iter_mut().flatten().filter(|corner| corners.contains(corner)) {
            *corner = moved(*corner);
        }
        if new != *old {
            edits.push(Edit::Points(Splice::replace(index, new)));
        }
    }
    edits
}

/// Moves where the name and the pieces of a cell are drawn, and nothing else of it.
pub fn move_label(map: &Map, cell: usize, to: Point) -> Vec<Edit> {
    change(map, &[cell].into(), |cell| (cell.x, cell.y) = to)
}

fn change(map: &Map, points: &BTreeSet<usize>, mut change: impl FnMut(&mut MapCell)) -> Vec<Edit> {
    let mut edits = Vec::new();
    for &index in points {
        let Some(old) = map.cells.get(index) else { continue };
        let mut new = old.clone();
        change(&mut new);
        if new != *old {
            edits.push(Edit::Points(Splice::replace(index, new)));
        }
    }
    edits
}

/// Which way points are brought into line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Below each other.
    Column,
    /// Beside each other.
    Row,
    /// Beside each other at equal distances, the outermost staying where they are.
    SpreadAcross,
    /// Below each other at equal distances, the outermost staying where they are.
    SpreadDown,
}

/// Brings points into line.
pub fn align_points(map: &Map, points: &BTreeSet<usize>, alignment: Alignment) -> Vec<Edit> {
    let there: Vec<(usize, Point)> = points
        .iter()
        .filter_map(|&at| map.cells.get(at).map(|cell| (at, (cell.x, cell.y))))
        .collect();
    let is_across = matches!(alignment, Alignment::Column | Alignment::SpreadAcross);
    let along = |(x, y): Point| if is_across { x } else { y };
    let mut order: Vec<(usize, i32)> = there.iter().map(|(at, point)| (*at, along(*point))).collect();
    order.sort_by_key(|(_, along)| *along);
    let (Some(&(_, first)), Some(&(_, last))) = (order.first(), order.last()) else {
        return Vec::new();
    };
    let is_spread = matches!(alignment, Alignment::SpreadAcross | Alignment::SpreadDown);
    let mean = order.iter().map(|(_, along)| i64::from(*along)).sum::<i64>() / order.len() as i64;
    let gaps = (order.len() as i64 - 1).max(1);
    let mut edits = Vec::new();
    for (number, (index, _)) in order.into_iter().enumerate() {
        let to = if is_spread {
            i64::from(first) + (i64::from(last) - i64::from(first)) * number as i64 / gaps
        } else {
            mean
        };
        edits.extend(change(map, &[index].into(), |cell| {
            if is_across {
                cell.x = to as i32;
            } else {
                cell.y = to as i32;
            }
        }));
    }
    edits
}

/// Puts points onto the nearest crossing of a grid of lines so far apart.
pub fn snap_points(map: &Map, points: &BTreeSet<usize>, apart: i32) -> Vec<Edit> {
    change(map, points, |cell| (cell.x, cell.y) = snapped((cell.x, cell.y), apart))
}

/// The nearest crossing of a grid of lines so far apart.
pub fn snapped((x, y): Point, apart: i32) -> Point {
    let apart = apart.max(1);
    let snap = |at: i32| at.saturating_add(apart / 2).div_euclid(apart).saturating_mul(apart);
    (snap(x), snap(y))
}

/// Takes points out, with what lines, regions and edges say of them.
pub fn remove_points(map: &Map, points: &BTreeSet<usize>) -> Vec<Edit> {
    let names = points
        .iter()
        .filter_map(|&at| map.cells.get(at))
        .map(|cell| cell.name.clone())
        .collect();
    let mut edits = forget_names(map, &names);
    let there = points.iter().rev().filter(|at| **at < map.cells.len());
    edits.extend(there.map(|at| Edit::Points(Splice::remove(*at))));
    edits
}

/// Gives a point another name, also in lines, regions and edges. Nothing where another one has it.
pub fn rename_point(map: &Map, index: usize, name: &str) -> Vec<Edit> {
    let is_taken = map.cells.iter().any(|cell| cell.name == name);
    let Some(old) = map.cells.get(index).filter(|_| !is_taken && !name.is_empty()) else {
        return Vec::new();
    };
    let mut edits = rename_everywhere(map, &[(old.name.clone(), name.to_owned())].into());
    edits.extend(change(map, &[index].into(), |cell| name.clone_into(&mut cell.name)));
    edits
}

/// Draws a line through points, in the order given. Nothing with fewer than two, and where it would join two that another line joins already.
pub fn draw_line(map: &Map, name: Option<&str>, points: &[usize]) -> Vec<Edit> {
    let cells: Vec<String> = points
        .iter()
        .filter_map(|&at| map.cells.get(at))
        .map(|cell| cell.name.clone())
        .collect();
    let is_joined_already = cells.windows(2).any(|pair| match pair {
        [a, b] => a == b || joined(map, a, b).is_some(),
        _ => false,
    });
    if cells.len() < 2 || is_joined_already {
        return Vec::new();
    }
    let is_taken = |name: &str| map.lines.iter().any(|line| line.name.as_deref() == Some(name));
    let name = name.map(|name| free_name(name, is_taken));
    vec![Edit::Lines(Splice::insert(map.lines.len(), MapLine { name, cells }))]
}

/// The line that joins two cells, by its position in the list.
pub fn joined(map: &Map, a: &str, b: &str) -> Option<usize> {
    let is_pair = |pair: &[String]| matches!(pair, [one, other] if (one == a && other == b) || (one == b && other == a));
    map.lines.iter().position(|line| line.cells.windows(2).any(is_pair))
}

/// Makes two cells neighbours if they are none, and takes the link away if they are: a longer line is cut there.
pub fn toggle_link(map: &Map, a: usize, b: usize) -> Vec<Edit> {
    let (Some(one), Some(other)) = (map.cells.get(a), map.cells.get(b)) else {
        return Vec::new();
    };
    let Some(index) = joined(map, &one.name, &other.name) else {
        return draw_line(map, None, &[a, b]);
    };
    let Some(line) = map.lines.get(index) else { return Vec::new() };
    let ends = [&one.name, &other.name];
    let cut = line.cells.windows(2).position(|pair| pair.iter().all(|name| ends.contains(&name)));
    let Some((before, after)) = cut.and_then(|cut| line.cells.split_at_checked(cut + 1)) else {
        return Vec::new();
    };
    let parts = [before, after].into_iter().filter(|part| part.len() > 1).enumerate();
    let part = |(number, cells): (usize, &[String])| MapLine {
        name: line.name.clone().filter(|_| number == 0),
        cells: cells.to_vec(),
    };
    let mut edits = vec![Edit::Lines(Splice {
        at: index,
        remove: 1,
        insert: parts.map(part).collect(),
    })];
    let is_it = |edge: &boardwright_model::MapEdge| ends.contains(&&edge.a) && ends.contains(&&edge.b);
    if let Some(edge) = map.edges.iter().position(is_it) {
        edits.push(Edit::Edges(Splice::remove(edge)));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Step, StepKind};
    use boardwright_model::{Board, Topology};

    #[test]
    fn points_are_put_joined_aligned_and_taken_out() {
        let mut draft = Draft::Map(Map::new("m", "M", Topology::Graph));
        let mut apply = |edits: &dyn Fn(&Map) -> Vec<Edit>| {
            let edits = edits(draft.map().unwrap());
            assert!(!edits.is_empty());
            drop(Step::new(StepKind::Points, edits).apply(&mut draft));
        };
        for at in [(0, 40), (1030, 0), (2100, -30), (2900, 10)] {
            apply(&|map| add_point(map, "p", at));
        }
        let all: BTreeSet<usize> = (0..4).collect();
        apply(&|map| draw_line(map, Some("row"), &[0, 1, 2, 3]));
        apply(&|map| align_points(map, &all, Alignment::Row));
        apply(&|map| snap_points(map, &all, 500));
        apply(&|map| toggle_link(map, 1, 2));
        apply(&|map| rename_point(map, 0, "west"));
        let map = draft.map().unwrap();
        let points: Vec<_> = map.cells.iter().map(|cell| (&*cell.name, cell.x, cell.y)).collect();
        assert_eq!(points, [("west", 0, 0), ("p2", 1000, 0), ("p3", 2000, 0), ("p4", 3000, 0)]);
        let lines: Vec<_> = map.lines.iter().map(|line| line.cells.join(" ")).collect();
        assert_eq!(lines, ["west p2", "p3 p4"]);
        assert!(Board::from_map(map).is_ok() && draw_line(map, None, &[1, 0]).is_empty());
        let edits = remove_points(map, &[0].into());
        drop(Step::new(StepKind::Points, edits).apply(&mut draft));
        assert_eq!((draft.map().unwrap().cells.len(), draft.map().unwrap().lines.len()), (3, 1));
    }
    #[test]
    fn an_area_that_is_moved_keeps_its_shared_border() {
        let mut map = Map::new("m", "M", Topology::Graph);
        let area = |name: &str, x: i32| MapCell {
            outline: vec![vec![(x, 0), (x + 10, 0), (x + 10, 10), (x, 10)]],
            ..MapCell::new(name, x + 5, 5)
        };
        map.cells = vec![area("a", 0), area("b", 10)];
        let mut draft = Draft::Map(map);
        let edits = move_points(draft.map().unwrap(), &[1].into(), (2, 3));
        drop(Step::new(StepKind::Points, edits).apply(&mut draft));
        let cells = &draft.map().unwrap().cells;
        assert_eq!(cells[0].outline[0], [(0, 0), (12, 3), (12, 13), (0, 10)]);
        assert_eq!(cells[1].outline[0], [(12, 3), (22, 3), (22, 13), (12, 13)]);
        assert_eq!(((cells[0].x, cells[0].y), (cells[1].x, cells[1].y)), ((5, 5), (17, 8)));
    }
}
