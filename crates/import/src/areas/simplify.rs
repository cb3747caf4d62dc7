//! Lines with fewer points. Lines that met at their ends only still do so, and nothing changes sides.
//!
//! Each line is simplified by itself (Douglas and Peucker). Then points come back wherever that made two lines meet, or left a point of a line
//! on the wrong side of another (Saalfeld 1999). The lines as they were meet nowhere, so that this ends.

use std::collections::HashMap;

use super::borders::HalfPixels;

/// The side of the squares in which segments and points are looked up, in half pixels.
const SQUARE: i32 = 64;

/// A line of a border.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) points: Vec<HalfPixels>,
    /// Whether the last point is followed by the first.
    pub(super) is_closed: bool,
}

impl Line {
    /// A point; after the last one of a closed line come those from the first on.
    pub(super) fn point(&self, index: usize) -> Option<HalfPixels> {
        let count = self.points.len();
        let index = if self.is_closed && index >= count { index - count } else { index };
        self.points.get(index).copied()
    }

    /// The index of the last point, which for a closed line is the first once more.
    const fn last(&self) -> usize {
        if self.is_closed {
            self.points.len()
        } else {
            self.points.len().saturating_sub(1)
        }
    }

    fn ends_where_it_begins(&self) -> bool {
        self.is_closed || self.points.first() == self.points.last()
    }
}

/// A stretch of a line that became straight: from a point of the line to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    line: usize,
    from: usize,
    to: usize,
}

/// Which points of each line are kept, in order, so that no point left out is further than `tolerance` half pixels from the line. Of a closed
/// line the first one is also the last.
pub(super) fn simplified(lines: &[&Line], tolerance: f64) -> Vec<Vec<usize>> {
    let mut kept: Vec<Vec<usize>> = lines.iter().map(|line| kept_of(line, tolerance.max(0.0))).collect();
    loop {
        let mut wrong = meeting(lines, &kept);
        wrong.extend(changing_sides(lines, &kept));
        wrong.sort_unstable_by_key(|segment| (segment.line, segment.from));
        wrong.dedup();
        let mut is_mended = false;
        for segment in wrong {
            let Some((line, kept)) = lines.get(segment.line).zip(kept.get_mut(segment.line)) else {
                continue;
            };
            if let Some((index, _)) = furthest(line, segment.from, segment.to)
                && let Err(place) = kept.binary_search(&index)
            {
                kept.insert(place, index);
                is_mended = true;
            }
        }
        if !is_mended {
            return kept;
        }
    }
}

fn kept_of(line: &Line, tolerance: f64) -> Vec<usize> {
    let last = line.last();
    let mut kept = vec![0, last];
    if line.ends_where_it_begins() {
        // A line that comes back needs two more corners, so that it has something inside.
        let second = furthest(line, 0, last).map(|(index, _)| index);
        let third = second.and_then(|second| {
            let halves = [(0, second), (second, last)].into_iter();
            halves
                .filter_map(|(from, to)| furthest(line, from, to))
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        });
        kept.extend(second);
        kept.extend(third.map(|(index, _)| index));
        kept.sort_unstable();
        kept.dedup();
    }
    let mut stretches: Vec<(usize, usize)> = kept.iter().copied().zip(kept.iter().copied().skip(1)).collect();
    while let Some((from, to)) = stretches.pop() {
        if let Some((index, away)) = furthest(line, from, to)
            && away > tolerance
        {
            kept.push(index);
            stretches.extend([(from, index), (index, to)]);
        }
    }
    kept.sort_unstable();
    kept
}

/// The point between two of a line that is furthest from the straight stretch between them, and how far it is.
fn furthest(line: &Line, from: usize, to: usize) -> Option<(usize, f64)> {
    let (start, end) = (line.point(from)?, line.point(to)?);
    let mut found: Option<(usize, f64)> = None;
    for index in from + 1..to {
        let away = distance(line.point(index)?, start, end);
        if found.is_none_or(|(_, most)| away > most) {
            found = Some((index, away));
        }
    }
    found
}

/// How far a point is from a stretch.
fn distance(point: HalfPixels, start: HalfPixels, end: HalfPixels) -> f64 {
    let (px, py) = (f64::from(point.0 - start.0), f64::from(point.1 - start.1));
    let (sx, sy) = (f64::from(end.0 - start.0), f64::from(end.1 - start.1));
    let length = sx * sx + sy * sy;
    let along = if length > 0.0 {
        ((px * sx + py * sy) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (px - along * sx).hypot(py - along * sy)
}

fn segments(kept: &[Vec<usize>]) -> impl Iterator<Item = Segment> + '_ {
    kept.iter().enumerate().flat_map(|(line, kept)| {
        let pairs = kept.iter().zip(kept.iter().skip(1));
        pairs.map(move |(from, to)| Segment {
            line,
            from: *from,
            to: *to,
        })
    })
}

/// The squares that the box around two points touches.
fn squares(a: HalfPixels, b: HalfPixels) -> impl Iterator<Item = (i32, i32)> {
    let columns = a.0.min(b.0).div_euclid(SQUARE)..=a.0.max(b.0).div_euclid(SQUARE);
    let rows = a.1.min(b.1).div_euclid(SQUARE)..=a.1.max(b.1).div_euclid(SQUARE);
    rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
}

/// The squares that a stretch passes through, and some beside them.
fn squares_along(a: HalfPixels, b: HalfPixels) -> Vec<(i32, i32)> {
    let steps = ((a.0 - b.0).abs().max((a.1 - b.1).abs()) / SQUARE + 1).max(1);
    let at = |step: i32| {
        let part = |from: i32, to: i32| from + ((i64::from(to) - i64::from(from)) * i64::from(step) / i64::from(steps)) as i32;
        (part(a.0, b.0), part(a.1, b.1))
    };
    // Each step is rounded by less than a half pixel: the box around it is made larger by one.
    let mut found: Vec<(i32, i32)> = (0..steps)
        .flat_map(|step| {
            let (from, to) = (at(step), at(step + 1));
            let low = (from.0.min(to.0) - 1, from.1.min(to.1) - 1);
            squares(low, (from.0.max(to.0) + 1, from.1.max(to.1) + 1))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The stretches that meet others elsewhere than at an end that they share, and can be divided.
fn meeting(lines: &[&Line], kept: &[Vec<usize>]) -> Vec<Segment> {
    let ends = |segment: &Segment| {
        let line = lines.get(segment.line)?;
        Some((line.point(segment.from)?, line.point(segment.to)?))
    };
    let all: Vec<(Segment, (HalfPixels, HalfPixels))> = segments(kept).filter_map(|segment| Some((segment, ends(&segment)?))).collect();
    let mut by_square: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
    for (index, (_, (a, b))) in all.iter().enumerate() {
        for square in squares_along(*a, *b) {
            by_square.entry(square).or_default().push(index);
        }
    }
    let can_be_divided = |segment: &Segment| segment.to > segment.from + 1;
    let mut wrong = Vec::new();
    for inside in by_square.values() {
        for (place, one) in inside.iter().enumerate() {
            let Some((first, (a, b))) = all.get(*one) else { continue };
            for other in inside.iter().skip(place + 1) {
                let Some((second, (c, d))) = all.get(*other) else { continue };
                if (can_be_divided(first) || can_be_divided(second)) && meet((*a, *b), (*c, *d)) {
                    wrong.extend([first, second].into_iter().filter(|segment| can_be_divided(segment)));
                }
            }
        }
    }
    wrong
}

/// On which side of the line from a to b a point lies: the sign tells.
fn side(a: HalfPixels, b: HalfPixels, point: HalfPixels) -> i64 {
    let part = |one: i32, other: i32| i64::from(other) - i64::from(one);
    part(a.0, b.0) * part(a.1, point.1) - part(a.1, b.1) * part(a.0, point.0)
}

/// Whether two stretches have a point in common that is not an end of both.
fn meet((a, b): (HalfPixels, HalfPixels), (c, d): (HalfPixels, HalfPixels)) -> bool {
    let overlaps = |a: i32, b: i32, c: i32, d: i32| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
    if !overlaps(a.0, b.0, c.0, d.0) || !overlaps(a.1, b.1, c.1, d.1) {
        return false;
    }
    // An end that both share is no meeting, unless they go on in the same direction.
    for (shared, one, end, other) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if shared == end {
            let dot =
                i64::from(one.0 - shared.0) * i64::from(other.0 - shared.0) + i64::from(one.1 - shared.1) * i64::from(other.1 - shared.1);
            return one == other || (side(shared, one, other) == 0 && dot > 0);
        }
    }
    let (first, second) = (side(a, b, c).signum(), side(a, b, d).signum());
    let (third, fourth) = (side(c, d, a).signum(), side(c, d, b).signum());
    first * second <= 0 && third * fourth <= 0
}

/// The stretches that passed over a point which is kept: between a stretch and what was there before it lies the point of another line, or of
/// the line itself.
fn changing_sides(lines: &[&Line], kept: &[Vec<usize>]) -> Vec<Segment> {
    let mut points: HashMap<(i32, i32), Vec<HalfPixels>> = HashMap::new();
    for (line, kept) in lines.iter().zip(kept) {
        for point in kept.iter().filter_map(|index| line.point(*index)) {
            points
                .entry((point.0.div_euclid(SQUARE), point.1.div_euclid(SQUARE)))
                .or_default()
                .push(point);
        }
    }
    let passed = |segment: &Segment| {
        let Some(line) = lines.get(segment.line) else { return false };
        let before: Vec<HalfPixels> = (segment.from..=segment.to).filter_map(|index| line.point(index)).collect();
        let (low, high) = before
            .iter()
            .fold(((i32::MAX, i32::MAX), (i32::MIN, i32::MIN)), |(low, high), point| {
                ((low.0.min(point.0), low.1.min(point.1)), (high.0.max(point.0), high.1.max(point.1)))
            });
        let ends = [before.first().copied(), before.last().copied()];
        squares(low, high).filter_map(|square| points.get(&square)).flatten().any(|point| {
            let is_in_box = (low.0..=high.0).contains(&point.0) && (low.1..=high.1).contains(&point.1);
            is_in_box && !ends.contains(&Some(*point)) && is_inside(&before, *point)
        })
    };
    segments(kept)
        .filter(|segment| segment.to > segment.from + 1 && passed(segment))
        .collect()
}

/// Whether a point lies within a polygon.
pub(super) fn is_inside(polygon: &[HalfPixels], point: HalfPixels) -> bool {
    let mut is_inside = false;
    let next = polygon.iter().cycle().skip(1);
    for (a, b) in polygon.iter().zip(next) {
        if (a.1 > point.1) != (b.1 > point.1) {
            let (low, high) = if a.1 < b.1 { (*a, *b) } else { (*b, *a) };
            is_inside ^= side(low, high, point) > 0;
        }
    }
    is_inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[HalfPixels]) -> Line {
        Line {
            points: points.to_vec(),
            is_closed: false,
        }
    }

    #[test]
    fn a_line_keeps_what_is_further_away_than_the_tolerance() {
        let bent = line(&[(0, 0), (10, 1), (20, 0), (30, 9), (40, 0)]);
        assert_eq!(simplified(&[&bent], 2.0), [[0, 2, 3, 4]]);
        assert_eq!(simplified(&[&bent], 20.0), [[0, 4]]);
        assert_eq!(simplified(&[&bent], 0.0), [[0, 1, 2, 3, 4]]);
    }

    #[test]
    fn two_lines_between_the_same_ends_stay_apart() {
        let (upper, lower) = (line(&[(0, 0), (10, -3), (20, 0)]), line(&[(0, 0), (10, 3), (20, 0)]));
        let kept = simplified(&[&upper, &lower], 50.0);
        assert!(kept.iter().any(|kept| kept.len() == 3), "{kept:?}");
    }

    #[test]
    fn an_island_in_a_bay_stays_outside_the_coast() {
        let coast = line(&[(0, 0), (10, 0), (10, 20), (30, 20), (30, 0), (40, 0)]);
        let island = Line {
            points: vec![(18, 8), (22, 8), (22, 12), (18, 12)],
            is_closed: true,
        };
        let kept = simplified(&[&coast, &island], 100.0);
        let outline: Vec<HalfPixels> = kept[0].iter().filter_map(|index| coast.point(*index)).collect();
        assert!(is_inside(&[&outline[..], &[(40, -50), (0, -50)]].concat(), (20, -1)));
        assert!(
            !is_inside(&[&outline[..], &[(40, -50), (0, -50)]].concat(), (18, 8)) || outline.len() > 2,
            "{outline:?}"
        );
        assert!(outline.contains(&(10, 20)) || outline.contains(&(30, 20)), "{outline:?}");
    }

    #[test]
    fn a_ring_keeps_three_corners_however_large_the_tolerance() {
        let ring = Line {
            points: vec![(0, 0), (4, 0), (8, 0), (8, 8), (0, 8)],
            is_closed: true,
        };
        let kept = simplified(&[&ring], 1000.0);
        assert_eq!(kept[0].len(), 4, "the first is also the last: {kept:?}");
    }
}
