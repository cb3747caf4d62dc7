//! The parts of areas: pixels of an area that hang together by their sides. Specks are joined to what lies around them, or dropped.

use std::collections::BTreeMap;

use super::Mask;
use crate::progress::Stage;
use crate::{ImportError, Progress};

/// How often specks are looked for: one that was joined to another speck is joined again.
const MOST_ROUNDS: usize = 32;

/// What becomes of parts that are too small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specks {
    /// They belong to the larger part that they touch most.
    #[default]
    Join,
    /// Those of areas belong to none; holes are filled as with `Join`.
    Drop,
    /// They stay.
    Keep,
}

/// A part of an area, or of what belongs to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The area; 0 for what belongs to none.
    pub area: u16,
    /// How many pixels it has.
    pub pixels: u32,
    /// Its first pixel, by rows.
    pub at: (u32, u32),
}

/// A part that was too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speck {
    /// What it was.
    pub part: Part,
    /// The area to which it belongs now; 0 for none.
    pub now: u16,
}

/// Parts with the part of each pixel.
struct Parts {
    parts: Vec<Part>,
    of_pixels: Vec<u32>,
}

/// Joins or drops the parts with fewer pixels than `least`, and gives those that remain, by area and then the largest first.
pub(super) fn mend(
    mask: &mut Mask,
    least: u32,
    specks: Specks,
    progress: &mut Progress<'_>,
) -> Result<(Vec<Part>, Vec<Speck>), ImportError> {
    let mut mended = Vec::new();
    let mut found = Parts::of(mask, progress)?;
    for _ in 0..MOST_ROUNDS {
        if specks == Specks::Keep {
            break;
        }
        let changes = found.changes(mask, least, specks);
        if changes.is_empty() {
            break;
        }
        for (area, part) in mask.areas_mut().iter_mut().zip(&found.of_pixels) {
            if let Some(now) = changes.get(part) {
                *area = *now;
            }
        }
        let changed = changes
            .iter()
            .filter_map(|(part, now)| Some((*found.parts.get(*part as usize)?, *now)));
        mended.extend(changed.map(|(part, now)| Speck { part, now }));
        found = Parts::of(mask, progress)?;
    }
    progress.at(Stage::Parts, 1, 1)?;
    let mut parts: Vec<Part> = found.parts.into_iter().filter(|part| part.area != 0).collect();
    parts.sort_by_key(|part| (part.area, std::cmp::Reverse(part.pixels), part.at.1, part.at.0));
    Ok((parts, mended))
}

impl Parts {
    /// Runs of pixels, joined with those of the row above (union-find).
    fn of(mask: &Mask, progress: &mut Progress<'_>) -> Result<Self, ImportError> {
        let (width, height) = (mask.width() as usize, mask.height() as usize);
        // The part of each run, and for each part the one that it was joined with.
        let mut joined: Vec<u32> = Vec::new();
        let mut of_pixels: Vec<u32> = Vec::with_capacity(width * height);
        let mut above: Vec<u32> = Vec::new();
        let mut row_above: &[u16] = &[];
        for (y, row) in mask.areas().chunks(width).enumerate() {
            progress.at(Stage::Parts, y, height)?;
            let mut parts: Vec<u32> = Vec::with_capacity(width);
            let mut before: Option<(u16, u32)> = None;
            for (x, area) in row.iter().copied().enumerate() {
                let over = row_above.get(x).filter(|other| **other == area).and_then(|_| above.get(x).copied());
                let left = before.filter(|(other, _)| *other == area).map(|(_, part)| part);
                let part = match (left, over) {
                    (Some(left), Some(over)) => union(&mut joined, left, over),
                    (Some(part), None) | (None, Some(part)) => part,
                    (None, None) => {
                        joined.push(joined.len() as u32);
                        joined.len() as u32 - 1
                    }
                };
                parts.push(part);
                before = Some((area, part));
            }
            of_pixels.extend_from_slice(&parts);
            above = parts;
            row_above = row;
        }
        // Numbered in the order of their first pixels.
        let mut numbers: Vec<Option<u32>> = vec![None; joined.len()];
        let mut parts: Vec<Part> = Vec::new();
        for (place, part) in of_pixels.iter_mut().enumerate() {
            let root = root(&mut joined, *part);
            let number = numbers.get(root as usize).copied().flatten().unwrap_or_else(|| {
                parts.push(Part {
                    area: mask.areas().get(place).copied().unwrap_or(0),
                    pixels: 0,
                    at: ((place % width) as u32, (place / width) as u32),
                });
                let number = parts.len() as u32 - 1;
                if let Some(slot) = numbers.get_mut(root as usize) {
                    *slot = Some(number);
                }
                number
            });
            if let Some(known) = parts.get_mut(number as usize) {
                known.pixels += 1;
            }
            *part = number;
        }
        Ok(Self { parts, of_pixels })
    }

    /// To what the specks change. Each looks only at larger parts, so that two never change places.
    fn changes(&self, mask: &Mask, least: u32, specks: Specks) -> BTreeMap<u32, u16> {
        let is_speck = |part: &Part| part.pixels < least;
        if !self.parts.iter().any(is_speck) {
            return BTreeMap::new();
        }
        let width = mask.width() as usize;
        let order = |number: u32| self.parts.get(number as usize).map(|part| (part.pixels, std::cmp::Reverse(number)));
        let mut touching: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut touch = |one: u32, other: u32| {
            for (speck, other) in [(one, other), (other, one)] {
                if self.parts.get(speck as usize).is_some_and(is_speck) && order(speck) < order(other) {
                    *touching.entry((speck, other)).or_default() += 1;
                }
            }
        };
        for (y, row) in self.of_pixels.chunks(width).enumerate() {
            let below = self.of_pixels.get((y + 1) * width..(y + 2) * width).unwrap_or_default();
            for (one, other) in row.iter().zip(row.iter().skip(1)).chain(row.iter().zip(below)) {
                if one != other {
                    touch(*one, *other);
                }
            }
        }
        let mut best: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for ((speck, other), length) in touching {
            let known = best.entry(speck).or_insert((length, other));
            if length > known.0 {
                *known = (length, other);
            }
        }
        let now = |(speck, (_, other)): (u32, (u32, u32))| {
            let part = self.parts.get(speck as usize)?;
            let joined = self.parts.get(other as usize)?.area;
            let now = if specks == Specks::Drop && part.area != 0 { 0 } else { joined };
            (now != part.area).then_some((speck, now))
        };
        best.into_iter().filter_map(now).collect()
    }
}

fn root(joined: &mut [u32], mut part: u32) -> u32 {
    while let Some(up) = joined.get(part as usize).copied().filter(|up| *up != part) {
        let above = joined.get(up as usize).copied().unwrap_or(up);
        if let Some(slot) = joined.get_mut(part as usize) {
            *slot = above;
        }
        part = up;
    }
    part
}

fn union(joined: &mut [u32], one: u32, other: u32) -> u32 {
    let (one, other) = (root(joined, one), root(joined, other));
    let (low, high) = (one.min(other), one.max(other));
    if let Some(slot) = joined.get_mut(high as usize) {
        *slot = low;
    }
    low
}
