//! A map of areas as a mask with its configuration, for other programs.

use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Board, CellId};

use crate::areas::{HalfPixels, MOST_AREAS, distinct_colour, draw_mask, parts_of_outline, pivot, scale_of};
use crate::{AreaConfig, Colour, ConfiguredArea, Picture};

/// The colour of no area.
const NOTHING: [u8; 4] = [255, 255, 255, 255];

/// How large a mask is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskSize {
    /// The areas fill it, and its longer side has so many pixels: 16 to [`crate::MOST_SIDE`].
    LongerSide(u32),
    /// It has the size of the drawing that the map was imported with, and lies over it.
    OfDrawing {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
}

/// The mask of a board of areas and its configuration.
///
/// # Errors
/// The board has no areas, they do not lie within the drawing, or the mask would be too large.
pub fn mask_of_map(board: &Board, size: MaskSize) -> Result<(Picture, AreaConfig), Diagnostic> {
    let wrong = |message: &str| Diagnostic::error(Code::BadValue, message);
    let cells: Vec<CellId> = board.cells().filter(|cell| !board.outline(*cell).is_empty()).collect();
    if board.topology().size().is_some() || cells.is_empty() || cells.len() > MOST_AREAS {
        return Err(wrong("the map has no areas").with_help("only areas of a free graph make a mask"));
    }
    let bounds = board.bounds();
    let (least, most) = (bounds.min, bounds.max);
    let (width, height, origin, scale) = match size {
        MaskSize::LongerSide(longer_side) => {
            let (across, down) = (f64::from(most.0) - f64::from(least.0), f64::from(most.1) - f64::from(least.1));
            // A pixel of nothing is left around all.
            let scale = f64::from(longer_side.clamp(16, crate::MOST_SIDE) - 4) / across.max(down).max(1.0);
            let (width, height) = ((across * scale).ceil() as u32 + 4, (down * scale).ceil() as u32 + 4);
            let origin = (f64::from(least.0) - 2.0 / scale, f64::from(least.1) - 2.0 / scale);
            (width, height, origin, scale)
        }
        MaskSize::OfDrawing { width, height } => {
            let pixel = 2 * scale_of(width, height);
            let side = |pixels: u32| i64::from(pixels) * i64::from(pixel);
            let lies_within = least.0 >= 0 && least.1 >= 0 && i64::from(most.0) <= side(width) && i64::from(most.1) <= side(height);
            if !lies_within {
                let message = format!("the areas do not lie within a drawing of {width} × {height} pixels");
                return Err(wrong(&message).with_help("give the drawing that the map was imported with, or the size of the mask"));
            }
            (width, height, (0.0, 0.0), 1.0 / f64::from(pixel))
        }
    };
    let half = |(x, y): (i32, i32)| -> HalfPixels {
        let part = |value: i32, origin: f64| ((f64::from(value) - origin) * scale * 2.0).round() as i32;
        (part(x, origin.0), part(y, origin.1))
    };
    let areas: Vec<(Colour, Vec<Vec<HalfPixels>>)> = cells
        .iter()
        .enumerate()
        .map(|(number, cell)| {
            let outline = board.outline(*cell);
            let polygons = outline.iter().map(|polygon| polygon.iter().map(|point| half(*point)).collect());
            (distinct_colour(number), polygons.collect())
        })
        .collect();
    let mask = draw_mask(width, height, &areas).ok_or_else(|| wrong("the mask would have no pixels"))?;
    let pixel = |area: &u16| match usize::from(*area).checked_sub(1).and_then(|place| areas.get(place)) {
        Some((Colour([red, green, blue]), _)) => [*red, *green, *blue, 255],
        None => NOTHING,
    };
    let picture = Picture::new(width, height, mask.areas().iter().map(pixel).collect());
    let picture = picture.ok_or_else(|| wrong("the mask would have too many pixels"))?;
    let configured = cells.iter().enumerate().map(|(number, cell)| {
        let (x, y) = half(board.position(*cell));
        let outline = areas.get(number).map(|(_, outline)| outline.as_slice()).unwrap_or_default();
        let neighbours = board.neighbours(*cell).iter();
        let mut neighbours: Vec<usize> = neighbours.filter_map(|other| cells.iter().position(|cell| cell == other)).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        ConfiguredArea {
            id: number.to_string(),
            name: board.cell_name(*cell).to_owned(),
            colour: distinct_colour(number),
            pivots: pivots(outline, (x, y)),
            neighbours,
        }
    });
    let config = AreaConfig {
        areas: configured.collect(),
    };
    Ok((picture, config))
}

/// A pixel in each part of an area, the first where the label is.
fn pivots(outline: &[Vec<HalfPixels>], label: HalfPixels) -> Vec<(i32, i32)> {
    let pixel = |(x, y): HalfPixels| (x / 2, y / 2);
    let mut pivots = vec![pixel(label)];
    for part in parts_of_outline(outline) {
        if !crate::areas::holds(&part, label) {
            pivots.extend(pivot(&part, 1.0).map(|(at, _)| pixel(at)));
        }
    }
    pivots
}
