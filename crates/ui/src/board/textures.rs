//! Textures that are made by code: ground, pieces without a picture, marks. Each is made when it is first needed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Color32, ColorImage, Context, ImageData, TextureHandle, TextureId, TextureOptions};

use super::wood;
use crate::theme::{Palette, mix, veil};

/// The side of a mark, in pixels. It is drawn smaller and larger than this.
const MARK_SIDE: usize = 96;
/// In pixels.
const PIECE_SIDES: [u32; 7] = [16, 24, 32, 48, 80, 128, 208];
const PAPER_SIDE: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Wood { is_dark: bool },
    Paper,
    Disc([u8; 4], u32),
    Shadow,
    Ring,
    Dot,
}

#[derive(Default)]
pub(super) struct Textures {
    made: RefCell<BTreeMap<Name, TextureHandle>>,
    /// Pictures of which single pixels are asked for.
    images: RefCell<BTreeMap<Name, Arc<ColorImage>>>,
}

impl std::fmt::Debug for Textures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Textures")
            .field("made", &self.made.borrow().len())
            .finish_non_exhaustive()
    }
}

impl Textures {
    fn get(&self, context: &Context, name: Name, options: TextureOptions, draw: impl FnOnce() -> ImageData) -> TextureId {
        let mut made = self.made.borrow_mut();
        let texture = made
            .entry(name)
            .or_insert_with(|| context.load_texture(format!("{name:?}"), draw(), options));
        texture.id()
    }

    fn image(&self, name: Name, draw: impl FnOnce() -> ColorImage) -> Arc<ColorImage> {
        let mut images = self.images.borrow_mut();
        Arc::clone(images.entry(name).or_insert_with(|| Arc::new(draw())))
    }

    pub(super) fn wood(&self, context: &Context, palette: &Palette) -> TextureId {
        let is_dark = palette.is_dark();
        self.get(context, Name::Wood { is_dark }, TextureOptions::LINEAR_MIRRORED_REPEAT, || {
            self.wood_image(palette).into()
        })
    }

    /// What [`wood`](Self::wood) shows.
    pub(super) fn wood_image(&self, palette: &Palette) -> Arc<ColorImage> {
        let is_dark = palette.is_dark();
        self.image(Name::Wood { is_dark }, || wood::image(palette))
    }

    /// Nearly white, a little uneven: it is multiplied with the colour of the ground.
    pub(super) fn paper(&self, context: &Context) -> TextureId {
        self.get(context, Name::Paper, TextureOptions::LINEAR_MIRRORED_REPEAT, || {
            self.paper_image().into()
        })
    }

    /// What [`paper`](Self::paper) shows.
    pub(super) fn paper_image(&self) -> Arc<ColorImage> {
        let pixel = |index: usize| {
            let mixed = (index as u32).wrapping_mul(0x9E37_79B1) ^ 0x2545_F491;
            let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0x5BD1_E995);
            Color32::from_gray(255 - ((mixed >> 24) as u8 / 16))
        };
        let pixels = (0..PAPER_SIDE * PAPER_SIDE).map(pixel);
        self.image(Name::Paper, || ColorImage::new([PAPER_SIDE, PAPER_SIDE], pixels.collect()))
    }

    /// A turned disc of a colour, about as large as it is drawn: lit from above left, with a rim and an inner ring.
    pub(super) fn disc(&self, context: &Context, colour: Color32, side_pixels: f32) -> TextureId {
        let side = PIECE_SIDES.iter().copied().find(|side| *side as f32 >= side_pixels).unwrap_or(208);
        self.get(context, Name::Disc(colour.to_array(), side), TextureOptions::LINEAR, || {
            drawn(side as usize, |x, y, blur| turned_disc(colour, x, y, blur)).into()
        })
    }

    /// A mark of which every pixel is computed from its place.
    fn mark(&self, context: &Context, name: Name, colour: impl Fn(f32, f32, f32) -> Color32) -> TextureId {
        self.get(context, name, TextureOptions::LINEAR, || drawn(MARK_SIDE, colour).into())
    }

    pub(super) fn shadow(&self, context: &Context) -> TextureId {
        self.mark(context, Name::Shadow, |x, y, _| {
            let share = 1.0 - ((x.hypot(y) - 0.62) / 0.38).clamp(0.0, 1.0);
            veil(Color32::BLACK, share * share * (3.0 - 2.0 * share))
        })
    }

    /// A white ring with a dark halo, to be tinted. The ring runs at [`RING`] of the half side.
    pub(super) fn ring(&self, context: &Context) -> TextureId {
        self.mark(context, Name::Ring, |x, y, blur| {
            let off = (x.hypot(y) - RING).abs();
            let (ring, halo) = (inside(off, 0.036, blur), inside(off, 0.09, blur));
            laid_over(veil(Color32::WHITE, ring), veil(Color32::BLACK, 0.28 * halo))
        })
    }

    pub(super) fn dot(&self, context: &Context) -> TextureId {
        self.mark(context, Name::Dot, |x, y, blur| {
            let far = x.hypot(y);
            let (dot, halo) = (inside(far, 0.78, blur), inside(far, 0.94, blur));
            laid_over(veil(Color32::WHITE, dot), veil(Color32::BLACK, 0.34 * halo))
        })
    }
}

/// Where in its texture the ring runs: a share of the half side.
pub(super) const RING: f32 = 0.88;

/// A picture whose pixels are computed from their place, -1 to 1 in both directions, and the size of a pixel in it.
fn drawn(side: usize, colour: impl Fn(f32, f32, f32) -> Color32) -> ColorImage {
    let at = |index: usize| (index as f32 + 0.5) / side as f32 * 2.0 - 1.0;
    let blur = 2.0 / side as f32;
    let pixels = (0..side * side).map(|index| colour(at(index % side), at(index / side), blur));
    ColorImage::new([side, side], pixels.collect())
}

/// How much of a pixel lies within a distance: 1 inside, 0 outside, between them on the rim.
fn inside(distance: f32, limit: f32, blur: f32) -> f32 {
    ((limit - distance) / blur + 0.5).clamp(0.0, 1.0)
}

/// One premultiplied colour over another.
fn laid_over(upper: Color32, lower: Color32) -> Color32 {
    let keep = 1.0 - f32::from(upper.a()) / 255.0;
    let part = |upper: u8, lower: u8| (f32::from(upper) + f32::from(lower) * keep).round().min(255.0) as u8;
    Color32::from_rgba_premultiplied(
        part(upper.r(), lower.r()),
        part(upper.g(), lower.g()),
        part(upper.b(), lower.b()),
        part(upper.a(), lower.a()),
    )
}

fn turned_disc(colour: Color32, x: f32, y: f32, blur: f32) -> Color32 {
    let far = x.hypot(y);
    let light = (-(x * 0.6 + y * 0.8) * 0.5 + 0.5).clamp(0.0, 1.0);
    let rim = mix(mix(colour, Color32::BLACK, 0.26), mix(colour, Color32::WHITE, 0.16), light);
    let lit = (1.0 - (x + 0.3).hypot(y + 0.36) / 1.3).clamp(0.0, 1.0);
    let mut shade = mix(rim, mix(colour, Color32::WHITE, 0.34), lit);
    let ring = inside((far - 0.78).abs(), 0.024, blur);
    shade = mix(shade, mix(colour, Color32::WHITE, 0.32), ring);
    let edge = 1.0 - inside(far, 0.92, blur);
    shade = mix(shade, mix(colour, Color32::BLACK, 0.45), edge);
    veil(shade, inside(far, 0.985, blur))
}
