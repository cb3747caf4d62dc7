//! The board widget: one for hexes, squares, points on lines, and areas. It draws a [`Scene`], emits what was clicked, and can be
//! panned and zoomed. Every cell in sight is a node that can be focused and read out.
//!
//! What changes only with the state and the camera is kept as triangles (`layer`); marks, moving pieces and cursors are drawn
//! in each frame. Only cells in sight are drawn; the ground of grids that are drawn on, where cells are small, as pictures (`ground_pictures`). Input is in `pointer` and `cursor` (keyboard), drawing in free functions over a `Canvas`,
//! which none of them writes to.

mod action_preview;
mod area_names;
mod art;
mod borders;
mod camera;
mod canvas;
mod cell_names;
mod chunks;
mod cursor;
mod fog;
mod geometry;
mod ground;
mod ground_pictures;
mod heat_map;
mod held;
mod holes;
mod layer;
mod links;
mod marks;
mod minimap;
mod pieces;
mod pointer;
mod polygon;
mod scene;
mod textures;
mod tiles;
mod travel;
mod widget;
mod wood;

pub use action_preview::{ActionPreview, PreviewedPiece};
pub use art::{Art, picture_uri};
pub use geometry::Geometry;
pub use heat_map::heat_colour;
pub use held::HeldPiece;
pub use layer::baked;
pub use scene::{Annotation, Clicks, LastAction, Marks, Scene};
pub use tiles::Ghost;
pub use travel::Travels;
pub use widget::{BoardReply, BoardView, Viewpoint};
