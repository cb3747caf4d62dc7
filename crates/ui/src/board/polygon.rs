//! Polygons cut into triangles, which is what can be drawn.

use egui::{Pos2, Shape, Stroke};

/// The cosine of the angle from which on a line turns back on itself.
const TURNS_BACK: f32 = -0.9;
/// The same from which on the corner of a wide line is seen.
const TURNS: f32 = 0.85;

/// The triangles of a simple polygon, as positions in its list of corners; by cutting off ears. A polygon that crosses itself
/// gives triangles that cover about as much.
pub(super) fn triangles(corners: &[Pos2]) -> Vec<[u32; 3]> {
    let mut rest: Vec<u32> = (0..corners.len() as u32).collect();
    let at = |index: u32| corners.get(index as usize).copied().unwrap_or_default();
    if area(corners) < 0.0 {
        rest.reverse();
    }
    let mut found = Vec::with_capacity(rest.len());
    while rest.len() > 3 {
        let count = rest.len();
        let corner = |place: usize| rest.get(place % count).copied().unwrap_or_default();
        let is_ear = |place: &usize| {
            let triple @ [a, b, c] = [corner(place + count - 1), corner(*place), corner(place + 1)];
            // Where a polygon touches itself, several corners are at one point.
            let corners = triple.map(at);
            let is_outside = |other: &u32| corners.contains(&at(*other)) || !is_within(at(*other), corners);
            cross(at(a), at(b), at(c)) > 0.0 && rest.iter().all(is_outside)
        };
        // A polygon without ears crosses itself: cut anywhere, so that it ends.
        let ear = (0..count).find(is_ear).unwrap_or(0);
        found.push([corner(ear + count - 1), corner(ear), corner(ear + 1)]);
        rest.remove(ear);
    }
    if let [a, b, c] = rest[..] {
        found.push([a, b, c]);
    }
    found
}

/// Twice the area, positive where the corners run clockwise on the screen.
fn area(corners: &[Pos2]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum()
}

fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn is_within(point: Pos2, [a, b, c]: [Pos2; 3]) -> bool {
    cross(a, b, point) >= 0.0 && cross(b, c, point) >= 0.0 && cross(c, a, point) >= 0.0
}

/// The outline of a polygon. Where it turns back on itself, as at the tip of a headland, the line ends and another begins: the corner of a
/// single line would stick out far beyond it.
pub(super) fn outline(corners: Vec<Pos2>, stroke: Stroke) -> Vec<Shape> {
    outline_in_pieces(corners, stroke, TURNS_BACK).0
}

/// The same with round corners, for wide lines of one solid colour.
pub(super) fn round_outline(corners: Vec<Pos2>, stroke: Stroke) -> Vec<Shape> {
    let (mut shapes, ends) = outline_in_pieces(corners, stroke, TURNS);
    let knob = |end: Pos2| Shape::circle_filled(end, stroke.width / 2.0, stroke.color);
    shapes.extend(ends.into_iter().map(knob));
    shapes
}

/// The lines of an outline that ends wherever it turns by more than the angle with this cosine, and the corners where it does.
fn outline_in_pieces(mut corners: Vec<Pos2>, stroke: Stroke, least_cosine: f32) -> (Vec<Shape>, Vec<Pos2>) {
    corners.dedup();
    let at = |index: usize| corners.get(index % corners.len().max(1)).copied().unwrap_or_default();
    let is_tip = |index: &usize| {
        let (before, here, after) = (at(index + corners.len() - 1), at(*index), at(index + 1));
        (here - before).normalized().dot((after - here).normalized()) < least_cosine
    };
    let tips: Vec<usize> = (0..corners.len()).filter(is_tip).collect();
    let Some(first) = tips.first() else {
        return (vec![Shape::closed_line(corners, stroke)], Vec::new());
    };
    let ends = tips.iter().skip(1).copied().chain([first + corners.len()]);
    let pieces = tips.iter().zip(ends).map(|(from, to)| (*from..=to).map(at).collect());
    let lines = pieces.map(|line: Vec<Pos2>| Shape::line(line, stroke)).collect();
    (lines, tips.iter().map(|tip| at(*tip)).collect())
}

/// How far a point is from the nearest side of a polygon.
pub(super) fn distance_to_side(corners: &[Pos2], point: Pos2) -> f32 {
    let next = corners.iter().cycle().skip(1);
    let to_side = |(a, b): (&Pos2, &Pos2)| {
        let side = *b - *a;
        let along = if side.length_sq() > 0.0 {
            ((point - *a).dot(side) / side.length_sq()).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (point - (*a + side * along)).length()
    };
    corners.iter().zip(next).map(to_side).fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    fn covered(corners: &[Pos2]) -> f32 {
        triangles(corners)
            .iter()
            .map(|triangle| area(&triangle.map(|index| corners[index as usize])).abs())
            .sum()
    }

    #[test]
    fn triangles_cover_a_hollow_polygon_exactly_once() {
        let bay = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)].map(|(x, y)| pos2(x, y));
        assert_eq!(triangles(&bay).len(), 3);
        assert!((covered(&bay) - area(&bay).abs()).abs() < 1e-4);
        let mut mirrored = bay;
        mirrored.reverse();
        assert!((covered(&mirrored) - area(&bay).abs()).abs() < 1e-4);
    }

    #[test]
    fn an_outline_is_cut_at_its_tips_and_goes_all_the_way_round() {
        let stroke = Stroke::new(1.0, egui::Color32::BLACK);
        let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)].map(|(x, y)| pos2(x, y));
        assert!(matches!(outline(square.to_vec(), stroke)[..], [Shape::Path(_)]));
        // A needle to the right, with its tip at the third corner.
        let needle = [(0.0, 0.0), (1.0, 0.0), (9.0, 0.001), (1.0, 0.002), (0.0, 1.0)].map(|(x, y)| pos2(x, y));
        let lines = outline(needle.to_vec(), stroke);
        let [Shape::Path(path)] = &lines[..] else { panic!("{lines:?}") };
        assert!(!path.closed);
        assert_eq!(path.points.len(), needle.len() + 1);
        assert_eq!((path.points[0], path.points[needle.len()]), (needle[2], needle[2]));
        assert!(lines[0].visual_bounding_rect().right() < 10.0);
    }

    #[test]
    fn polygons_that_cross_themselves_or_have_no_corners_end() {
        let bow = [(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)].map(|(x, y)| pos2(x, y));
        assert_eq!(triangles(&bow).len(), 2);
        assert!(triangles(&[]).is_empty());
        assert!(triangles(&[pos2(1.0, 1.0); 2]).is_empty());
    }
}
