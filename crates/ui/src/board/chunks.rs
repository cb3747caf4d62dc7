//! The ground of a grid that is drawn on. A stroke draws again what it has changed, and no more: squares of cells, or pictures of them where cells
//! are small.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use egui::{Color32, Painter};

use super::camera::Camera;
use super::canvas::Canvas;
use super::ground::{edges_layer, fills_layer, is_edged, signs_layer, slab_layer};
use super::ground_pictures::{Detail, GroundPictures};
use super::layer::{Layer, Same};
use super::pieces::pieces_layer;
use crate::theme::{SeatStyle, seat_style};
use boardwright_model::{Board, CellId, Declarations, Looks};

/// How many cells a chunk has from side to side.
const SIDE: i32 = 16;

/// What cells look like wherever they are on the screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    board: Same<Board>,
    declarations: Same<Declarations>,
    looks: Same<Looks>,
    is_dark: bool,
    seats: SeatStyle,
}

/// Everything that all chunks depend on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    look: Look,
    camera: Camera,
    pixels_per_point: f32,
    art: u64,
    shows_names: bool,
}

/// What single chunks depend on, and the pieces.
#[derive(Clone, Debug, PartialEq)]
struct Contents {
    digest: u64,
    washes: Option<Same<[Color32]>>,
}

#[derive(Debug)]
struct Chunk {
    cells: Vec<CellId>,
    /// What tells its cells apart from others.
    key: u64,
    fills: Layer,
    edges: Layer,
}

/// The chunks in sight with what lies below and above them.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    key: Option<Key>,
    contents: Option<Contents>,
    slab: Layer,
    /// Where cells are large enough to be drawn one by one.
    grounds: Vec<Chunk>,
    /// Where they are not, and how fine it is then.
    pictures: GroundPictures,
    detail: Option<Detail>,
    signs: Layer,
    /// What tells the pieces apart from others.
    pieces: u64,
}

impl Chunks {
    /// Draws again what has changed. Returns the pieces if they have.
    pub(super) fn update(&mut self, canvas: &Canvas<'_>) -> Option<Layer> {
        let (context, scene) = (canvas.context, canvas.scene);
        let key = Key {
            look: Look {
                board: Same(Arc::clone(scene.state.board())),
                declarations: Same(Arc::clone(scene.state.declarations())),
                looks: Same(Arc::clone(scene.looks)),
                is_dark: canvas.palette.is_dark(),
                seats: seat_style(),
            },
            camera: *canvas.camera,
            pixels_per_point: context.pixels_per_point(),
            art: scene.art.version(),
            shows_names: canvas.shows_names(),
        };
        let contents = Contents {
            digest: scene.state.digest(),
            washes: scene.washes.map(|washes| Same(Arc::clone(washes))),
        };
        let is_new = self.key.as_ref() != Some(&key);
        if !is_new && self.contents.as_ref() == Some(&contents) {
            return None;
        }
        let pieces = pieces_key(canvas);
        let changed = is_new || pieces != self.pieces;
        let visible = if changed {
            canvas.geometry.visible(canvas.camera.seen())
        } else {
            Vec::new()
        };
        if is_new {
            let is_edged = is_edged(visible.len());
            self.detail = Detail::of(canvas).filter(|_| !is_edged);
            self.slab = slab_layer(canvas, is_edged).baked(context);
            self.signs = signs_layer(canvas, &visible, self.detail.is_some()).baked(context);
            self.grounds = if self.detail.is_none() {
                self.pictures = GroundPictures::default();
                chunks(canvas, &visible)
            } else {
                Vec::new()
            };
        } else {
            let count: usize = self.grounds.iter().map(|chunk| chunk.cells.len()).sum();
            for chunk in &mut self.grounds {
                if chunk.key != cells_key(canvas, &chunk.cells) {
                    *chunk = Chunk::new(canvas, std::mem::take(&mut chunk.cells), is_edged(count));
                }
            }
        }
        if let Some(detail) = self.detail {
            self.pictures.update(canvas, &key.look, detail);
        }
        let has_waited = scene.art.has_waited();
        self.pieces = pieces;
        self.key = (!has_waited).then_some(key);
        self.contents = Some(contents);
        changed.then(|| pieces_layer(canvas, &visible).baked(context))
    }

    pub(super) fn paint(&self, painter: &Painter) {
        self.slab.paint(painter);
        if self.detail.is_some() {
            self.pictures.paint(painter);
        }
        for chunk in &self.grounds {
            chunk.fills.paint(painter);
        }
        for chunk in &self.grounds {
            chunk.edges.paint(painter);
        }
        self.signs.paint(painter);
    }
}

/// The cells in sight by squares.
fn chunks(canvas: &Canvas<'_>, visible: &[CellId]) -> Vec<Chunk> {
    let is_edged = is_edged(visible.len());
    let mut chunks: BTreeMap<(i32, i32), Vec<CellId>> = BTreeMap::new();
    for cell in visible {
        let (column, row) = canvas.board().coordinates(*cell).unwrap_or_default();
        chunks.entry((row / SIDE, column / SIDE)).or_default().push(*cell);
    }
    chunks.into_values().map(|cells| Chunk::new(canvas, cells, is_edged)).collect()
}

impl Chunk {
    fn new(canvas: &Canvas<'_>, cells: Vec<CellId>, is_edged: bool) -> Self {
        let edges = if is_edged { edges_layer(canvas, &cells) } else { Layer::default() };
        Self {
            key: cells_key(canvas, &cells),
            fills: fills_layer(canvas, &cells, is_edged).baked(canvas.context),
            edges: edges.baked(canvas.context),
            cells,
        }
    }
}

/// What tells the terrains of cells, and what is laid over them, apart from others.
pub(super) fn cells_key(canvas: &Canvas<'_>, cells: &[CellId]) -> u64 {
    let state = canvas.scene.state;
    cells.iter().fold(0xCBF2_9CE4_8422_2325, |key: u64, cell| {
        let terrain = state.terrain(*cell).map_or(0, |terrain| terrain.index() as u64 + 1);
        let wash = u64::from(u32::from_le_bytes(canvas.wash_of(*cell).to_array()));
        (key ^ terrain ^ (wash << 32)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// What tells where which pieces stand apart from other positions.
fn pieces_key(canvas: &Canvas<'_>) -> u64 {
    let state = canvas.scene.state;
    let mut hasher = DefaultHasher::new();
    for piece in state.pieces() {
        state.likeness(piece).hash(&mut hasher);
    }
    hasher.finish()
}
