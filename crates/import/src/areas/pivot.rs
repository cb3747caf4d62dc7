//! Where a label or a piece has the most room in an area.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::borders::HalfPixels;
use super::simplify::is_inside;

/// How many squares are looked at for a pivot, at most.
const MOST_SQUARES: usize = 20_000;

/// A square that may hold the pivot.
#[derive(Clone, Copy, Debug)]
struct Square {
    middle: (f64, f64),
    half: f64,
    /// How far its middle is from the nearest border; below 0 outside the area.
    away: f64,
}

impl Square {
    fn new(outline: &[Vec<HalfPixels>], middle: (f64, f64), half: f64) -> Self {
        let away = signed_distance(outline, middle);
        Self { middle, half, away }
    }

    /// The most that a point of it can be away from the nearest border.
    fn best(&self) -> f64 {
        self.away + self.half * std::f64::consts::SQRT_2
    }
}

impl PartialEq for Square {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Square {}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Square {
    fn cmp(&self, other: &Self) -> Ordering {
        self.best().total_cmp(&other.best())
    }
}

/// The pole of inaccessibility of an area: the point inside that is furthest from its borders, to within `precision` half pixels, and how far it
/// is. `None` for an area without points.
pub fn pivot(outline: &[Vec<HalfPixels>], precision: f64) -> Option<(HalfPixels, f64)> {
    let points = || outline.iter().flatten();
    let (left, right) = (points().map(|point| point.0).min()?, points().map(|point| point.0).max()?);
    let (top, bottom) = (points().map(|point| point.1).min()?, points().map(|point| point.1).max()?);
    let size = f64::from((right - left).min(bottom - top)).max(1.0);
    let half = size / 2.0;
    let mut waiting = BinaryHeap::new();
    let across = |from: i32, to: i32| {
        let count = (f64::from(to - from) / size).ceil().clamp(1.0, 1000.0) as u32;
        (0..count).map(move |step| f64::from(from) + (f64::from(step) + 0.5) * size)
    };
    for y in across(top, bottom) {
        for x in across(left, right) {
            waiting.push(Square::new(outline, (x, y), half));
        }
    }
    let mut found = waiting.iter().copied().max_by(|a, b| a.away.total_cmp(&b.away))?;
    let mut looked = 0;
    while let Some(square) = waiting.pop() {
        if square.best() - found.away <= precision || looked > MOST_SQUARES {
            break;
        }
        looked += 1;
        let half = square.half / 2.0;
        for (dx, dy) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
            let part = Square::new(outline, (square.middle.0 + dx, square.middle.1 + dy), half);
            if part.away > found.away {
                found = part;
            }
            waiting.push(part);
        }
    }
    // Of the whole points around it the one with most room: in narrow areas the nearest one may lie on the border.
    let near = |middle: f64| [middle.floor() as i32, middle.ceil() as i32];
    let corners = near(found.middle.1).into_iter().flat_map(|y| near(found.middle.0).map(|x| (x, y)));
    let room = |(x, y): (i32, i32)| signed_distance(outline, (f64::from(x), f64::from(y)));
    let at = corners.max_by(|a, b| room(*a).total_cmp(&room(*b)))?;
    Some((at, found.away))
}

/// Whether a point lies in an area: within an odd number of its polygons.
pub fn holds(outline: &[Vec<HalfPixels>], point: HalfPixels) -> bool {
    outline.iter().filter(|polygon| is_inside(polygon, point)).count() % 2 == 1
}

/// The parts of an area, each with its holes: a polygon that lies in none of the others, or in a hole, with those right inside it.
pub fn parts_of_outline(outline: &[Vec<HalfPixels>]) -> Vec<Vec<Vec<HalfPixels>>> {
    let is_within = |polygon: &[HalfPixels], other: &[HalfPixels]| {
        // Polygons may share corners, but not all of them: most of the corners tell.
        let inside = polygon.iter().filter(|point| is_inside(other, **point)).count();
        inside * 2 > polygon.len()
    };
    let around = |place: usize| {
        let polygon = outline.get(place).map(Vec::as_slice).unwrap_or_default();
        let others = outline.iter().enumerate().filter(move |(other, _)| *other != place);
        others
            .filter(|(_, other)| is_within(polygon, other))
            .map(|(other, _)| other)
            .collect::<Vec<usize>>()
    };
    let around: Vec<Vec<usize>> = (0..outline.len()).map(around).collect();
    let depth = |place: usize| around.get(place).map_or(0, Vec::len);
    let outer = (0..outline.len()).filter(|place| depth(*place) % 2 == 0);
    let part = |place: usize| {
        let is_hole = |other: &usize| depth(*other) == depth(place) + 1 && around.get(*other).is_some_and(|around| around.contains(&place));
        let holes = (0..outline.len()).filter(is_hole);
        [place]
            .into_iter()
            .chain(holes)
            .filter_map(|place| outline.get(place).cloned())
            .collect()
    };
    outer.map(part).collect()
}

/// How far a point is from the nearest border; below 0 outside.
fn signed_distance(outline: &[Vec<HalfPixels>], (x, y): (f64, f64)) -> f64 {
    let (mut is_inside, mut nearest) = (false, f64::INFINITY);
    for polygon in outline {
        let next = polygon.iter().cycle().skip(1);
        for (a, b) in polygon.iter().zip(next) {
            let (ax, ay, bx, by) = (f64::from(a.0), f64::from(a.1), f64::from(b.0), f64::from(b.1));
            if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                is_inside = !is_inside;
            }
            let (sx, sy) = (bx - ax, by - ay);
            let length = sx * sx + sy * sy;
            let along = if length > 0.0 {
                (((x - ax) * sx + (y - ay) * sy) / length).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let (dx, dy) = (x - ax - along * sx, y - ay - along * sy);
            nearest = nearest.min(dx * dx + dy * dy);
        }
    }
    let away = nearest.sqrt();
    if is_inside { away } else { -away }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pivot_lies_in_the_widest_part_and_not_in_a_hole() {
        let bar = vec![(0, 0), (100, 0), (100, 10), (0, 10)];
        let island = vec![(200, 0), (240, 0), (240, 40), (200, 40)];
        let (at, away) = pivot(&[bar, island.clone()], 0.5).unwrap();
        assert!((at.0 - 220).abs() <= 1 && (at.1 - 20).abs() <= 1 && away > 19.0, "{at:?} {away}");
        let hole = vec![(212, 12), (228, 12), (228, 28), (212, 28)];
        let (at, away) = pivot(&[island, hole.clone()], 0.5).unwrap();
        assert!(
            away > 5.0 && !(212..=228).contains(&at.0) || !(212..=228).contains(&at.1),
            "{at:?} {away}"
        );
        assert_eq!(pivot(&[], 1.0), None);
    }

    #[test]
    fn parts_have_their_own_holes_and_islands_in_them_are_parts() {
        let square = |low: i32, high: i32| vec![(low, low), (high, low), (high, high), (low, high)];
        let outline = [square(0, 100), square(200, 230), square(10, 90), square(40, 60), square(210, 220)];
        let parts: Vec<Vec<i32>> = parts_of_outline(&outline)
            .iter()
            .map(|part| part.iter().map(|polygon| polygon[0].0).collect())
            .collect();
        assert_eq!(parts, [vec![0, 10], vec![200, 210], vec![40]]);
        assert!(holds(&outline, (5, 5)) && !holds(&outline, (30, 30)) && holds(&outline, (50, 50)));
    }
}
