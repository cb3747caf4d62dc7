//! Pictures of boards for rule books: SVG, and PNG drawn from it, without a display.

mod png;
mod svg;

pub use png::{MOST_EXPORT_PIXELS, draw_png};
pub use svg::{BoardPicture, PictureOptions, draw_svg};
