//! The wood of the board, drawn by code.

use egui::{ColorImage, lerp};

use crate::theme::{Palette, mix};

/// In pixels.
const SIDE: usize = 512;

/// Planed wood with its grain running from left to right.
pub(super) fn image(palette: &Palette) -> ColorImage {
    let [light, dark] = palette.wood;
    let at = |index: usize| index as f32 / SIDE as f32;
    let pixels = (0..SIDE * SIDE).map(|index| mix(light, dark, grain(at(index % SIDE), at(index / SIDE))));
    ColorImage::new([SIDE, SIDE], pixels.collect())
}

/// How dark the wood is at a place, 0 to 1: long waves of the year rings, fine fibres, and a few pores.
fn grain(x: f32, y: f32) -> f32 {
    let bend = noise(x * 1.6, y * 2.2, 3) * 0.35 + noise(x * 5.0, y * 6.0, 5) * 0.05;
    let rings = ((y * 7.0 + bend * 6.0) * std::f32::consts::TAU).sin() * 0.5 + 0.5;
    let fibre = noise(x * 9.0, y * 190.0, 11);
    let fine = noise(x * 40.0, y * 460.0, 17);
    let pore = if noise(x * 26.0, y * 240.0, 29) > 0.86 { 0.16 } else { 0.0 };
    (0.10 + rings.powf(1.6) * 0.30 + fibre * 0.26 + fine * 0.12 + pore).clamp(0.0, 1.0)
}

/// Smooth noise between 0 and 1.
fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let smooth = |share: f32| share * share * (3.0 - 2.0 * share);
    let (across, down) = (smooth(x - left), smooth(y - top));
    let (column, row) = (left as i32 as u32, top as i32 as u32);
    let next = column.wrapping_add(1);
    let along = |row: u32| lerp(hash(column, row, seed)..=hash(next, row, seed), across);
    lerp(along(row)..=along(row.wrapping_add(1)), down)
}

fn hash(x: u32, y: u32, seed: u32) -> f32 {
    let mut mixed = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    mixed = (mixed ^ (mixed >> 12)).wrapping_mul(0x297A_2D39);
    (mixed ^ (mixed >> 15)) as f32 / u32::MAX as f32
}
