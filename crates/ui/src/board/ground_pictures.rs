//! The ground of a grid whose cells are small on the screen, as pictures of squares of it. A frame paints one rectangle a square, however many
//! cells are in sight, and a stroke paints those squares again that it has changed.

use std::sync::Arc;

use egui::{Color32, ColorImage, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2, vec2};

use super::canvas::Canvas;
use super::chunks::{Look, cells_key};
use super::ground::{GRAIN, PAPER, WoodShade, gap_of};
use super::layer::Layer;
use boardwright_model::CellId;

/// How many units a square has from side to side.
const SIDE: f32 = 16.0;
/// How many pixels a unit takes in pictures.
const DENSITIES: [u8; 4] = [4, 8, 16, 24];
/// How many of them at least a pixel of the screen has, so that rims are where they are in a drawing.
const SHARP: f32 = 1.4;
/// Around each picture, so that its rim is as smooth as the rest.
const MARGIN: usize = 1;
/// In how many steps gaps come up.
const GAP_STEPS: f32 = 8.0;
/// How far a cell reaches beyond its sides, in pixels: no pixel between two cells is left out.
const OVERLAP: f32 = 1e-3;

/// How fine the pictures are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    /// Pixels a unit.
    density: u8,
    /// How much of what lies below is seen between cells, in eighths.
    gap: u8,
}

impl Detail {
    /// What is fine enough for the screen; `None` where cells are so large that they are drawn one by one.
    pub(super) fn of(canvas: &Canvas<'_>) -> Option<Self> {
        let zoom = canvas.camera.zoom();
        let on_screen = canvas.pixels(zoom);
        let density = DENSITIES.into_iter().find(|density| f32::from(*density) >= SHARP * on_screen)?;
        // The gap of a cell and that of its neighbour, on one row of pixels.
        let share = 2.0 * gap_of(canvas, false) * f32::from(density) / zoom;
        let gap = (share.min(1.0) * GAP_STEPS).round() as u8;
        Some(Self { density, gap })
    }
}

/// A square of the board.
struct Square {
    /// In the drawing.
    rect: Rect,
    /// In pixels, without the margin.
    size: [usize; 2],
    /// The cells that reach into it.
    cells: Vec<CellId>,
    /// What it shows, and what tells that apart from something else.
    picture: Option<(u64, TextureHandle)>,
}

/// All squares of a board; those that were in sight have pictures.
#[derive(Default)]
pub(super) struct GroundPictures {
    key: Option<(Look, Detail)>,
    squares: Vec<Square>,
    layer: Layer,
}

impl std::fmt::Debug for GroundPictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GroundPictures")
            .field("squares", &self.squares.len())
            .finish_non_exhaustive()
    }
}

impl GroundPictures {
    /// Paints again what has changed of what is in sight.
    pub(super) fn update(&mut self, canvas: &Canvas<'_>, look: &Look, detail: Detail) {
        if self.key.as_ref().is_none_or(|(known, of)| (known, of) != (look, &detail)) {
            self.squares = squares(canvas, detail.density);
            self.key = Some((look.clone(), detail));
        }
        let seen = canvas.camera.seen();
        let mut layer = Layer::default();
        for square in self.squares.iter_mut().filter(|square| square.rect.intersects(seen)) {
            let key = cells_key(canvas, &square.cells);
            let texture = match &mut square.picture {
                Some((known, texture)) if *known == key => texture.id(),
                Some((known, texture)) => {
                    *known = key;
                    texture.set(
                        painted(canvas, &square.cells, square.rect, square.size, detail),
                        TextureOptions::LINEAR,
                    );
                    texture.id()
                }
                None => {
                    let image = painted(canvas, &square.cells, square.rect, square.size, detail);
                    let texture = canvas.context.load_texture("ground", image, TextureOptions::LINEAR);
                    let id = texture.id();
                    square.picture = Some((key, texture));
                    id
                }
            };
            let whole = vec2((square.size[0] + 2 * MARGIN) as f32, (square.size[1] + 2 * MARGIN) as f32);
            let rim = Vec2::splat(MARGIN as f32) / whole;
            let within = Rect::from_min_max(rim.to_pos2(), (Vec2::splat(1.0) - rim).to_pos2());
            let place = Rect::from_min_max(canvas.at(square.rect.min), canvas.at(square.rect.max));
            layer.add(Shape::image(texture, place, within, Color32::WHITE));
        }
        self.layer = layer;
    }

    pub(super) fn paint(&self, painter: &egui::Painter) {
        self.layer.paint(painter);
    }
}

/// The squares of a board from left to right and from top to bottom.
fn squares(canvas: &Canvas<'_>, density: u8) -> Vec<Square> {
    let geometry = canvas.geometry;
    let cells = geometry.cells.iter().filter(|shape| !shape.is_point());
    let bounds = cells.map(|shape| shape.bounds).fold(Rect::NOTHING, Rect::union);
    if !bounds.is_positive() {
        return Vec::new();
    }
    let density = f32::from(density);
    let count = |length: f32| (length / SIDE).ceil().max(1.0) as usize;
    let (columns, rows) = (count(bounds.width()), count(bounds.height()));
    let mut squares = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let from = bounds.min + vec2(column as f32, row as f32) * SIDE;
            let size = (bounds.max - from).min(Vec2::splat(SIDE)) * density;
            let size = [size.x.ceil().max(1.0) as usize, size.y.ceil().max(1.0) as usize];
            squares.push(Square {
                rect: Rect::from_min_size(from, vec2(size[0] as f32, size[1] as f32) / density),
                size,
                cells: Vec::new(),
                picture: None,
            });
        }
    }
    let rim = 2.0 / density;
    for (index, shape) in geometry.cells.iter().enumerate().filter(|(_, shape)| !shape.is_point()) {
        let around = shape.bounds.expand(rim).translate(-bounds.min.to_vec2());
        let place = |at: f32, count: usize| ((at / SIDE).max(0.0) as usize).min(count - 1);
        for row in place(around.top(), rows)..=place(around.bottom(), rows) {
            for column in place(around.left(), columns)..=place(around.right(), columns) {
                if let Some(square) = squares.get_mut(row * columns + column) {
                    square.cells.push(CellId::from_index(index));
                }
            }
        }
    }
    squares
}

/// What a cell is painted with.
struct Ground {
    colour: Color32,
    /// Which of the woods it is cut from, where it has no colour of its own.
    wood: Option<usize>,
    wash: Color32,
}

/// The picture of a square with its margin.
fn painted(canvas: &Canvas<'_>, cells: &[CellId], rect: Rect, size: [usize; 2], detail: Detail) -> ColorImage {
    let [width, height] = size.map(|side| side + 2 * MARGIN);
    let density = f32::from(detail.density);
    // Where a point of the drawing is among the middles of the pixels.
    let pixel = |point: Pos2| ((point - rect.min) * density + Vec2::splat(MARGIN as f32 - 0.5)).to_pos2();
    // By pixel, the position of its cell in the list and one more; 0 where there is none.
    let mut owners = vec![0_u16; width * height];
    let mut corners = Vec::new();
    for (owner, cell) in (1..=u16::MAX).zip(cells) {
        let Some(shape) = canvas.shape(*cell) else { continue };
        for (outline, _) in canvas.geometry.polygons(shape) {
            corners.clear();
            corners.extend(outline.iter().map(|corner| pixel(*corner)));
            fill(&mut owners, width, &corners, owner);
        }
    }
    let grounds: Vec<Ground> = cells.iter().map(|cell| ground_of(canvas, *cell)).collect();
    let paper = canvas.textures.paper_image();
    let at = |index: usize, from: f32| (index as f32 + 0.5 - MARGIN as f32) / density + from;
    let columns: Vec<f32> = (0..width).map(|index| at(index, rect.min.x)).collect();
    let rows: Vec<f32> = (0..height).map(|index| at(index, rect.min.y)).collect();
    let paper_columns: Vec<usize> = columns.iter().map(|x| mirrored(x / PAPER, paper.width())).collect();
    let wood = Woods::of(canvas, &grounds, &columns, &rows);
    let keep = 255 - (f32::from(detail.gap) / GAP_STEPS * 255.0) as u8;
    let mut pixels = vec![Color32::TRANSPARENT; width * height];
    for (row, y) in rows.iter().enumerate() {
        let paper_row = mirrored(y / PAPER, paper.height()) * paper.width();
        let first = row * width;
        for (column, paper_column) in paper_columns.iter().enumerate() {
            let index = first + column;
            let owner = owners.get(index).copied().unwrap_or(0);
            let Some(ground) = usize::from(owner).checked_sub(1).and_then(|owner| grounds.get(owner)) else {
                continue;
            };
            let mut colour = if let (Some(shade), Some(wood)) = (ground.wood, &wood) {
                wood.at(shade, column, row, ground.colour)
            } else {
                let grain = paper.pixels.get(paper_row + paper_column).copied().unwrap_or(Color32::WHITE);
                multiplied(ground.colour, grain)
            };
            if ground.wash != Color32::TRANSPARENT {
                colour = colour.blend(ground.wash);
            }
            let is_last = |other: usize| owners.get(other).is_some_and(|other| *other != owner);
            if keep < 255 && (is_last(index + 1) || is_last(index + width)) {
                colour = colour.gamma_multiply_u8(keep);
            }
            if let Some(pixel) = pixels.get_mut(index) {
                *pixel = colour;
            }
        }
    }
    ColorImage::new([width, height], pixels)
}

fn ground_of(canvas: &Canvas<'_>, cell: CellId) -> Ground {
    if let Some(colour) = canvas.ground(cell) {
        return Ground {
            colour,
            wood: None,
            wash: Color32::TRANSPARENT,
        };
    }
    let shade = WoodShade::of(canvas, cell);
    Ground {
        colour: shade.tint(),
        wood: Some(shade.index()),
        wash: canvas.wash_of(cell),
    }
}

/// The wood of tiles that are cut from different boards, by pixel.
struct Woods {
    image: Arc<ColorImage>,
    /// By wood, where in the picture each column and each row of pixels is.
    places: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Woods {
    fn of(canvas: &Canvas<'_>, grounds: &[Ground], columns: &[f32], rows: &[f32]) -> Option<Self> {
        if grounds.iter().all(|ground| ground.wood.is_none()) {
            return None;
        }
        let image = canvas.textures.wood_image(canvas.palette);
        let places = WoodShade::ALL.map(|shade| {
            let place = |at: &f32, side: usize| mirrored(at / GRAIN + shade.slip(), side);
            let columns = columns.iter().map(|x| place(x, image.width())).collect();
            (columns, rows.iter().map(|y| place(y, image.height()) * image.width()).collect())
        });
        Some(Self {
            image,
            places: places.into(),
        })
    }

    fn at(&self, shade: usize, column: usize, row: usize, tint: Color32) -> Color32 {
        let place = self
            .places
            .get(shade)
            .and_then(|(columns, rows)| Some(columns.get(column)? + rows.get(row)?));
        let grain = place.and_then(|place| self.image.pixels.get(place));
        grain.map_or(tint, |grain| multiplied(tint, *grain))
    }
}

/// The pixel of a picture that is laid side by side with its own mirror image.
fn mirrored(share: f32, side: usize) -> usize {
    let at = (share * side as f32).floor() as i64;
    let side = side.max(1) as i64;
    let within = at.rem_euclid(2 * side);
    let mirrored = if within < side { within } else { 2 * side - 1 - within };
    mirrored as usize
}

fn multiplied(one: Color32, other: Color32) -> Color32 {
    let part = |one: u8, other: u8| ((u16::from(one) * u16::from(other) + 127) / 255) as u8;
    Color32::from_rgba_premultiplied(
        part(one.r(), other.r()),
        part(one.g(), other.g()),
        part(one.b(), other.b()),
        part(one.a(), other.a()),
    )
}

/// Gives the pixels whose middles lie in a convex polygon to an owner.
fn fill(owners: &mut [u16], width: usize, corners: &[Pos2], owner: u16) {
    let bounds = Rect::from_points(corners);
    let from = (bounds.top().ceil().max(0.0)) as usize;
    let rows = owners.len() / width.max(1);
    for row in from..rows {
        let y = row as f32;
        if y > bounds.bottom() {
            break;
        }
        let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            if (a.y <= y) != (b.y <= y) {
                let x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
                (left, right) = (left.min(x), right.max(x));
            }
        }
        let from = (left - OVERLAP).ceil().clamp(0.0, width as f32) as usize;
        let to = (right + OVERLAP).ceil().clamp(0.0, width as f32) as usize;
        if let Some(span) = owners.get_mut(row * width + from..(row * width + to).max(row * width + from)) {
            span.fill(owner);
        }
    }
}
