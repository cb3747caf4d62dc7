//! Maps out of pictures, drawings and the files of other programs, and pictures of maps.
//!
//! - [`areas`] makes a map of areas of a mask: a picture in which each area has a colour of its own.
//! - [`read_area_config`] and [`print_area_config`] know the XML configuration that goes with such a mask in other programs.
//! - [`draw_svg_mask`] makes a mask of the paths of an SVG drawing.
//! - [`read_tiled`] reads maps of the Tiled editor, [`read_terrain_table`] a table of terrain codes.
//! - [`read_foreign_document`] reads XML and tables of any other program into a tree, of which a ruleset makes a map.
//! - [`export`] draws any board as SVG or PNG.
//!
//! Nothing here shows a window or plays a match. Readers refuse what is broken or too large with a [`Diagnostic`]
//! that says where; what cannot be carried over comes back as warnings beside the result.
//!
//! [`Diagnostic`]: boardwright_model::diagnostic::Diagnostic

mod area_config;
pub mod areas;
mod encoding;
mod error;
pub mod export;
mod foreign_document;
mod foreign_xml;
mod map_mask;
mod picture;
mod progress;
mod svg_mask;
mod table;
mod terrain_table;
mod tiled;

pub use area_config::{AreaConfig, ConfiguredArea, print_area_config, read_area_config};
pub use error::ImportError;
pub use foreign_document::{MOST_FOREIGN_BYTES, read_foreign_document};
pub use map_mask::{MaskSize, mask_of_map};
pub use picture::{Colour, MOST_PICTURE_BYTES, MOST_PIXELS, MOST_SIDE, Picture, encode_png};
pub use progress::{Progress, Stage};
pub use svg_mask::{MOST_SVG_BYTES, SvgMask, draw_svg_mask};
pub use terrain_table::{read_legend, read_terrain_table};
pub use tiled::{TiledImport, TiledOptions, read_tiled};
