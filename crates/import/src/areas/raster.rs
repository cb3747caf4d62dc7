//! From outlines back to pixels.

use super::{HalfPixels, Mask};
use crate::Colour;

/// The mask of areas with these outlines and colours, area 1 first: a pixel belongs to the area that holds its middle.
///
/// `None` if the picture would have no pixels.
pub fn draw_mask(width: u32, height: u32, areas: &[(Colour, Vec<Vec<HalfPixels>>)]) -> Option<Mask> {
    let mut pixels = vec![0_u16; width as usize * height as usize];
    for (number, (_, outline)) in (1..).zip(areas) {
        let points = || outline.iter().flatten();
        let (Some(top), Some(bottom)) = (points().map(|point| point.1).min(), points().map(|point| point.1).max()) else {
            continue;
        };
        let first = (top / 2).clamp(0, height as i32);
        let last = (bottom / 2 + 1).clamp(0, height as i32);
        for y in first..last {
            let crossings = crossings(outline, y * 2 + 1);
            let start = y as usize * width as usize;
            let row = pixels.get_mut(start..start + width as usize).unwrap_or_default();
            let (pairs, _) = crossings.as_chunks::<2>();
            for [from, to] in pairs {
                // The first pixel whose middle is not left of the border.
                let place = |x: f64| ((x - 1.0) / 2.0).ceil().clamp(0.0, f64::from(width)) as usize;
                row.get_mut(place(*from)..place(*to)).unwrap_or_default().fill(number);
            }
        }
    }
    Mask::new(width, height, pixels, areas.iter().map(|(colour, _)| *colour).collect())
}

/// Where the sides of polygons cross a row, from left to right.
fn crossings(outline: &[Vec<HalfPixels>], y: i32) -> Vec<f64> {
    let mut found = Vec::new();
    for polygon in outline {
        let next = polygon.iter().cycle().skip(1);
        for (a, b) in polygon.iter().zip(next) {
            if (a.1 > y) != (b.1 > y) {
                let along = f64::from(y - a.1) / f64::from(b.1 - a.1);
                found.push(f64::from(a.0) + along * f64::from(b.0 - a.0));
            }
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

/// A colour for each of [`MOST_AREAS`](super::MOST_AREAS) areas, that none of the others has.
pub fn distinct_colour(number: usize) -> Colour {
    // Steps that are prime to 256 visit every value before they repeat; blue tells the rounds apart.
    let (round, number) = (number as u32 / 256, number as u32 % 256 + 1);
    Colour([
        (number * 97 % 256) as u8,
        (number * 59 % 256) as u8,
        (40 + round * 13).min(250) as u8,
    ])
}
