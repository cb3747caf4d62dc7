//! Areas with holes: each hole is joined to the polygon around it by a cut, so that the whole can be divided into triangles.

use egui::Pos2;

use super::polygon::triangles;

/// Corners and the triangles between them, which count the corners from 0.
pub(super) type Fill = (Vec<Pos2>, Vec<[u32; 3]>);

/// What is filled of an area with holes: each polygon but for the polygons inside it, which are holes; those in holes are filled again. Nothing
/// where no polygon lies in another.
pub(super) fn fills(polygons: &[Fill]) -> Vec<Fill> {
    if polygons.len() < 2 {
        return Vec::new();
    }
    let polygons: Vec<&Vec<Pos2>> = polygons.iter().map(|(corners, _)| corners).collect();
    let around: Vec<Vec<usize>> = (0..polygons.len()).map(|place| around(&polygons, place)).collect();
    if around.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let depth = |place: usize| around.get(place).map_or(0, Vec::len);
    let mut found = Vec::new();
    for (place, corners) in polygons.iter().enumerate().filter(|(place, _)| depth(*place) % 2 == 0) {
        let is_hole = |(other, _): &(usize, &&Vec<Pos2>)| {
            depth(*other) == depth(place) + 1 && around.get(*other).is_some_and(|around| around.contains(&place))
        };
        let mut holes: Vec<&Vec<Pos2>> = polygons.iter().enumerate().filter(is_hole).map(|(_, hole)| *hole).collect();
        // From the right to the left, so that cuts do not run through holes that come later.
        holes.sort_by(|a, b| right_end(b).1.total_cmp(&right_end(a).1));
        let mut joined = (*corners).clone();
        for (index, hole) in holes.iter().enumerate() {
            let later = holes.get(index + 1..).unwrap_or_default();
            joined = cut(joined, hole, later);
        }
        let cut_up = triangles(&joined);
        found.push((joined, cut_up));
    }
    found
}

/// The polygons around one.
fn around(polygons: &[&Vec<Pos2>], place: usize) -> Vec<usize> {
    let Some(polygon) = polygons.get(place) else { return Vec::new() };
    // Polygons may share corners, but not all of them: most of the corners tell.
    let holds = |other: &[Pos2]| polygon.iter().filter(|corner| is_inside(other, **corner)).count() * 2 > polygon.len();
    let others = polygons.iter().enumerate().filter(|(other, _)| *other != place);
    others.filter(|(_, other)| holds(other)).map(|(other, _)| other).collect()
}

fn is_inside(polygon: &[Pos2], point: Pos2) -> bool {
    let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed = sides.filter(|(a, b)| (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x);
    crossed.count() % 2 == 1
}

/// The corner furthest to the right, and how far that is.
fn right_end(polygon: &[Pos2]) -> (usize, f32) {
    let ends = polygon.iter().map(|corner| corner.x).enumerate();
    ends.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, f32::NEG_INFINITY))
}

fn area(polygon: &[Pos2]) -> f32 {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum()
}

/// Joins a hole to the polygon around it, by the shortest cut that crosses nothing.
fn cut(polygon: Vec<Pos2>, hole: &[Pos2], later: &[&Vec<Pos2>]) -> Vec<Pos2> {
    let (start, _) = right_end(hole);
    let Some(from) = hole.get(start).copied() else { return polygon };
    let mut order: Vec<usize> = (0..polygon.len()).collect();
    let away = |place: &usize| polygon.get(*place).map_or(f32::INFINITY, |corner| corner.distance_sq(from));
    order.sort_by(|a, b| away(a).total_cmp(&away(b)));
    let is_free = |place: &usize| {
        let Some(to) = polygon.get(*place).copied() else { return false };
        let all = [polygon.as_slice(), hole]
            .into_iter()
            .chain(later.iter().map(|hole| hole.as_slice()));
        let mut sides = all.flat_map(|corners| corners.iter().zip(corners.iter().cycle().skip(1)));
        !sides.any(|(a, b)| crosses(from, to, *a, *b))
    };
    let Some(end) = order.iter().copied().find(is_free).or(order.first().copied()) else {
        return polygon;
    };
    // Round the hole the other way than round the polygon.
    let mut inner: Vec<Pos2> = hole.iter().cycle().skip(start).take(hole.len() + 1).copied().collect();
    if (area(hole) > 0.0) == (area(&polygon) > 0.0) {
        inner.reverse();
    }
    let head = polygon.iter().take(end + 1);
    let tail = polygon.iter().skip(end);
    head.chain(&inner).chain(tail).copied().collect()
}

/// Whether two stretches cross within both.
fn crosses(a: Pos2, b: Pos2, c: Pos2, d: Pos2) -> bool {
    let side = |a: Pos2, b: Pos2, point: Pos2| (b - a).x * (point - a).y - (b - a).y * (point - a).x;
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    fn square(low: f32, high: f32) -> Vec<Pos2> {
        [(low, low), (high, low), (high, high), (low, high)]
            .map(|(x, y)| pos2(x, y))
            .to_vec()
    }

    fn covered(fills: &[Fill]) -> f32 {
        let triangle =
            |corners: &[Pos2], [a, b, c]: &[u32; 3]| area(&[corners[*a as usize], corners[*b as usize], corners[*c as usize]]).abs() / 2.0;
        fills
            .iter()
            .flat_map(|(corners, triangles)| triangles.iter().map(|one| triangle(corners, one)))
            .sum()
    }

    #[test]
    fn parts_side_by_side_have_no_holes() {
        assert!(fills(&[(square(0.0, 1.0), Vec::new()), (square(2.0, 3.0), Vec::new())]).is_empty());
    }

    #[test]
    fn holes_are_left_out_and_islands_in_them_filled() {
        let mut far = square(20.0, 22.0);
        far.reverse();
        let mut holes = [square(1.0, 4.0), square(6.0, 9.0)].to_vec();
        holes[1].reverse();
        let polygons = [square(0.0, 10.0), holes[0].clone(), holes[1].clone(), far, square(2.0, 3.0)];
        let fills = fills(&polygons.map(|corners| (corners, Vec::new())));
        assert_eq!(fills.len(), 3);
        assert!(
            (covered(&fills) - (100.0 - 9.0 - 9.0 + 4.0 + 1.0)).abs() < 1e-3,
            "{}",
            covered(&fills)
        );
    }
}
