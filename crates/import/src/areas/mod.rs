//! Areas from pictures, step by step, so that a window can show each of them:
//!
//! 1. [`find_areas`] reads a mask: areas by colour, soft edges snapped, specks mended;
//! 2. [`Borders::trace`] follows the borders between them, once for both sides;
//! 3. [`Borders::outlines`] simplifies them with any tolerance, as often as one likes;
//! 4. [`Borders::touching`] proposes neighbours, [`pivot`] where labels and pieces go;
//! 5. [`AreaPlan::build`] makes a map of all that, names, links and regions.
//!
//! ```
//! use boardwright_import::areas::{AreaPlan, Borders, FindOptions, find_areas};
//! use boardwright_import::{Picture, Progress};
//!
//! // Two areas side by side in the sea.
//! let colour = |x: u32| if x < 4 || x >= 16 { [0, 0, 90, 255] } else if x < 10 { [200, 0, 0, 255] } else { [0, 200, 0, 255] };
//! let picture = Picture::new(20, 12, (0..240).map(|place| if (24..216).contains(&place) { colour(place % 20) } else { [0, 0, 90, 255] }).collect());
//! let mut progress = Progress::silent();
//! let found = find_areas(&picture.unwrap(), &FindOptions::default(), &mut progress)?;
//! let borders = Borders::trace(&found.mask, &mut progress)?;
//! assert_eq!(borders.touching(1).len(), 1);
//! let mut plan = AreaPlan::new("two", "Two areas", &found, &borders, 1.0, 1, &mut progress)?;
//! plan.areas[0].name = "West".to_owned();
//! let map = plan.build();
//! assert_eq!(map.cells.len(), 2);
//! # Ok::<(), boardwright_import::ImportError>(())
//! ```

mod borders;
mod colours;
mod mask;
mod names;
mod parts;
mod pivot;
mod plan;
mod raster;
mod simplify;

pub use borders::{Borders, HalfPixels, Touch};
pub use colours::{ColourOptions, MOST_AREAS};
pub use mask::Mask;
pub use names::{AreaNames, Link, NamedArea, read_links, read_names};
pub use parts::{Part, Speck, Specks};
pub use pivot::{holds, parts_of_outline, pivot};
pub(crate) use plan::scale_of;
pub use plan::{AreaPlan, PlannedArea};
pub use raster::{distinct_colour, draw_mask};

use crate::{Colour, ImportError, Picture, Progress};
use boardwright_model::diagnostic::{Code, Diagnostic};

/// How areas are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindOptions {
    /// What colours mean.
    pub colours: ColourOptions,
    /// Parts with fewer pixels are specks.
    pub least_part: u32,
    /// What becomes of specks.
    pub specks: Specks,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            colours: ColourOptions::default(),
            least_part: 12,
            specks: Specks::Join,
        }
    }
}

/// The areas of a mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundAreas {
    /// Which area each pixel belongs to.
    pub mask: Mask,
    /// The parts of the areas, by area and then the largest first.
    pub parts: Vec<Part>,
    /// The parts that were too small, with what became of them.
    pub specks: Vec<Speck>,
    /// The colours that stand for no area.
    pub nothing: Vec<Colour>,
    /// How many pixels had a colour in between, as at soft edges, and were given to an area beside them.
    pub between: usize,
}

/// More parts than this for each colour, and in all, are no areas but the shades of a drawing.
const MOST_PARTS_EACH: usize = 20;
const MOST_PARTS_OF_FEW: usize = 200;

/// Finds the areas of a mask by their colours.
///
/// # Errors
/// It was stopped, or the picture is no mask: it has one colour only, too many that fill a place, or colours in very many small parts, as a
/// drawing has.
pub fn find_areas(picture: &Picture, options: &FindOptions, progress: &mut Progress<'_>) -> Result<FoundAreas, ImportError> {
    let (mut mask, nothing, between) = colours::mask_of(picture, &options.colours, progress)?;
    let (parts, specks) = parts::mend(&mut mask, options.least_part, options.specks, progress)?;
    let colours = mask.colours().len();
    if parts.len() > MOST_PARTS_OF_FEW.max(colours * MOST_PARTS_EACH) {
        let message = format!(
            "{colours} colours are in {} parts: this looks like the drawing and not like its mask",
            parts.len()
        );
        let cure = "in a mask each area is filled with one colour; where areas do have so many parts, let a larger `--least-part` join the small ones";
        let wrong = Diagnostic::error(Code::BadValue, message).with_help(cure);
        return Err(wrong.into());
    }
    Ok(FoundAreas {
        mask,
        parts,
        specks,
        nothing,
        between,
    })
}

#[cfg(test)]
mod tests;
