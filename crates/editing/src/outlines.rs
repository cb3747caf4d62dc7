//! Outlines of areas. A corner that several areas share stays shared, whatever is done with it.

use boardwright_model::{Map, MapCell};

use super::points::Point;
use super::{Edit, Splice};

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
pub fn add_corner(map: &Map, side: (Point, Point), at: Point) -> Vec<Edit> {
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

/// Gives an area one more part, of at least three corners. A point becomes an area by its first.
pub fn add_part(map: &Map, index: usize, corners: &[Point]) -> Vec<Edit> {
    let Some(old) = map.cells.get(index).filter(|_| corners.len() > 2) else {
        return Vec::new();
    };
    let mut new = old.clone();
    new.outline.push(corners.to_vec());
    vec![Edit::Points(Splice::replace(index, new))]
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
    let mut sides: std::collections::BTreeMap<(Point, Point), Vec<usize>> = std::collections::BTreeMap::new();
    for (index, cell) in map.cells.iter().enumerate() {
        for part in &cell.outline {
            for (one, other) in part.iter().zip(part.iter().cycle().skip(1)) {
                let owners = sides.entry((*one.min(other), *one.max(other))).or_default();
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
    let pairs: std::collections::BTreeSet<(usize, usize)> = sides.values().flat_map(pair).collect();
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
}
