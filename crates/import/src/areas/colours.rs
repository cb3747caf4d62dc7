//! From colours to areas: which colours stand for one, and what the pixels between them belong to.

use std::collections::{BTreeMap, HashMap};

use boardwright_model::diagnostic::{Code, Diagnostic};

use super::Mask;
use crate::progress::Stage;
use crate::{Colour, ImportError, Picture, Progress};

/// The most areas of a mask.
pub const MOST_AREAS: usize = 4_000;
/// A colour that stands for an area fills this many pixels whose eight neighbours have it too. Blends at soft edges do not.
const LEAST_SOLID: u32 = 4;
/// How far colours may differ that a lossy format made out of one, as the square of a distance.
const LOSSY: u32 = 24 * 24;
/// Pixels less opaque than this belong to no area.
const OPAQUE: u8 = 128;
const UNKNOWN: u16 = u16::MAX;

/// What colours of a mask mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColourOptions {
    /// The colours of areas, where they are known: area 1 has the first one. Further colours that fill some place follow.
    pub keys: Vec<Colour>,
    /// The colours of no area, such as that of the sea. Without one it is the colour that most of the picture's rim has and that is none of
    /// `keys`.
    pub nothing: Vec<Colour>,
    /// The colours of lines between areas, whose pixels are shared out among the areas beside them.
    pub lines: Vec<Colour>,
}

/// A colour of the mask and its pixels.
#[derive(Clone, Copy, Default)]
struct Count {
    solid: u32,
    rim: u32,
}

/// The mask of a picture, the colours that were taken for none of an area, and how many pixels were of a colour in between.
pub(super) fn mask_of(
    picture: &Picture,
    options: &ColourOptions,
    progress: &mut Progress<'_>,
) -> Result<(Mask, Vec<Colour>, usize), ImportError> {
    let (colours, indices) = indexed(picture, progress)?;
    let counts = counted(picture, colours.len(), &indices, progress)?;
    let nothing = nothing_of(options, &colours, &counts);
    let (keys, areas_of) = keys(picture, options, &nothing, &colours, &counts)?;
    let mut areas = Vec::with_capacity(indices.len());
    for index in &indices {
        let area = if *index == TRANSPARENT {
            0
        } else {
            areas_of.get(*index as usize).copied().unwrap_or(0)
        };
        areas.push(area);
    }
    progress.at(Stage::Colours, 60, 100)?;
    let between = snap(picture, options, &keys, &nothing, &mut areas, progress)?;
    let (width, height) = (picture.width(), picture.height());
    let mask = Mask::new(width, height, areas, keys);
    let mask = mask.ok_or_else(|| Diagnostic::error(Code::BadValue, "the mask has no pixels"))?;
    progress.at(Stage::Colours, 1, 1)?;
    Ok((mask, nothing, between))
}

/// The index of pixels of no colour.
const TRANSPARENT: u32 = u32::MAX;

/// The colours there are, and which one each pixel has.
fn indexed(picture: &Picture, progress: &mut Progress<'_>) -> Result<(Vec<Colour>, Vec<u32>), ImportError> {
    let mut known: HashMap<Colour, u32> = HashMap::new();
    let mut colours = Vec::new();
    let mut indices = Vec::with_capacity(picture.pixels().len());
    let mut last = (Colour::default(), TRANSPARENT);
    let width = picture.width() as usize;
    let height = picture.height() as usize;
    for (y, row) in picture.pixels().chunks(width).enumerate() {
        progress.at(Stage::Colours, y * 30 / height, 100)?;
        for [red, green, blue, opacity] in row.iter().copied() {
            if opacity < OPAQUE {
                indices.push(TRANSPARENT);
                continue;
            }
            let colour = Colour([red, green, blue]);
            if last.1 == TRANSPARENT || last.0 != colour {
                let index = *known.entry(colour).or_insert_with(|| {
                    colours.push(colour);
                    colours.len() as u32 - 1
                });
                last = (colour, index);
            }
            indices.push(last.1);
        }
    }
    Ok((colours, indices))
}

/// How many pixels of each colour lie inside a place of it, and how many on the rim of the picture.
fn counted(picture: &Picture, colours: usize, indices: &[u32], progress: &mut Progress<'_>) -> Result<Vec<Count>, ImportError> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut counts = vec![Count::default(); colours];
    let row = |y: usize| indices.get(y * width..(y + 1) * width).unwrap_or_default();
    for y in 0..height {
        progress.at(Stage::Colours, 30 + y * 20 / height, 100)?;
        let (above, here, below) = (row(y.wrapping_sub(1).min(height)), row(y), row(y + 1));
        let is_outer = y == 0 || y + 1 == height;
        if is_outer {
            for index in here {
                if let Some(count) = counts.get_mut(*index as usize) {
                    count.rim += 1;
                }
            }
        } else {
            for index in [here.first(), here.last()].into_iter().flatten() {
                if let Some(count) = counts.get_mut(*index as usize) {
                    count.rim += 1;
                }
            }
            let triples = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
            for ((above, here), below) in triples {
                if let [index, ..] = here
                    && above == here
                    && below == here
                    && here.iter().all(|other| other == index)
                    && let Some(count) = counts.get_mut(*index as usize)
                {
                    count.solid += 1;
                }
            }
        }
    }
    Ok(counts)
}

/// The colours of no area.
fn nothing_of(options: &ColourOptions, colours: &[Colour], counts: &[Count]) -> Vec<Colour> {
    if !options.nothing.is_empty() {
        return options.nothing.clone();
    }
    let known = colours.iter().zip(counts);
    let around = known.filter(|(colour, count)| count.rim > 0 && !options.keys.contains(colour) && !options.lines.contains(colour));
    let most = around.max_by_key(|(colour, count)| (count.rim, **colour));
    most.map(|(colour, _)| *colour).into_iter().collect()
}

/// The colours of the areas, and the area of each colour of the picture: [`UNKNOWN`] for what lies in between.
fn keys(
    picture: &Picture,
    options: &ColourOptions,
    nothing: &[Colour],
    colours: &[Colour],
    counts: &[Count],
) -> Result<(Vec<Colour>, Vec<u16>), ImportError> {
    let mut keys = options.keys.clone();
    let mut areas_of = vec![UNKNOWN; colours.len()];
    let apart = if picture.is_lossy() { LOSSY } else { 0 };
    let mut found: Vec<(usize, Colour, u32)> = Vec::new();
    for (index, (colour, count)) in colours.iter().zip(counts).enumerate() {
        found.push((index, *colour, count.solid));
    }
    // The fullest first, so that what a lossy format made of a colour comes after it.
    found.sort_by_key(|(index, _, solid)| (std::cmp::Reverse(*solid), *index));
    for (index, colour, solid) in found {
        let is_near = |other: &Colour| colour.distance(*other) <= apart;
        let area = if options.lines.iter().any(is_near) {
            UNKNOWN
        } else if nothing.iter().any(is_near) {
            0
        } else if let Some(place) = keys.iter().position(is_near) {
            place as u16 + 1
        } else if solid >= LEAST_SOLID {
            keys.push(colour);
            keys.len() as u16
        } else {
            UNKNOWN
        };
        if let Some(slot) = areas_of.get_mut(index) {
            *slot = area;
        }
        if keys.len() > MOST_AREAS {
            let message = format!("the mask has more than {MOST_AREAS} colours that fill a place");
            let help = "a mask has one plain colour for each area; is this the drawing?";
            return Err(Diagnostic::error(Code::BadValue, message).with_help(help).into());
        }
    }
    if keys.is_empty() {
        let message = "the mask has no area: all of it has the colour of its rim";
        return Err(Diagnostic::error(Code::BadValue, message).into());
    }
    Ok((keys, areas_of))
}

/// Gives pixels of a colour in between to the area beside them whose colour is nearest, from the known ones outwards; pixels of lines to the
/// area that most of their neighbours belong to. The number of pixels.
fn snap(
    picture: &Picture,
    options: &ColourOptions,
    keys: &[Colour],
    nothing: &[Colour],
    areas: &mut [u16],
    progress: &mut Progress<'_>,
) -> Result<usize, ImportError> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let around = |place: usize| {
        let (x, y) = (place % width, place / width);
        let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
        rows.flat_map(move |row| (x.saturating_sub(1)..=(x + 1).min(width - 1)).map(move |column| row * width + column))
    };
    let colour_of = |area: u16| match area {
        0 => nothing.first().copied(),
        area => keys.get(usize::from(area) - 1).copied(),
    };
    let mut waiting: Vec<usize> = (0..areas.len()).filter(|place| areas.get(*place) == Some(&UNKNOWN)).collect();
    let count = waiting.len();
    let mut left = count;
    // Those that have a known neighbour, and so on: each wave sees only what was known before it.
    waiting.retain(|place| around(*place).any(|other| areas.get(other).is_some_and(|area| *area != UNKNOWN)));
    let mut is_queued = vec![false; if count == 0 { 0 } else { areas.len() }];
    while !waiting.is_empty() {
        progress.at(Stage::Colours, 60 + (count - left) * 40 / count.max(1), 100)?;
        let mut settled = Vec::with_capacity(waiting.len());
        for place in &waiting {
            let Some([red, green, blue, _]) = picture.pixels().get(*place).copied() else {
                continue;
            };
            let colour = Colour([red, green, blue]);
            let is_line = options.lines.contains(&colour);
            let mut beside: BTreeMap<u16, u32> = BTreeMap::new();
            for area in around(*place)
                .filter_map(|other| areas.get(other).copied())
                .filter(|area| *area != UNKNOWN)
            {
                *beside.entry(area).or_default() += 1;
            }
            let away = |area: u16| colour_of(area).map_or(u32::MAX, |other| other.distance(colour));
            let best = beside.into_iter().min_by_key(|(area, number)| {
                let distance = if is_line { 0 } else { away(*area) };
                // A line is shared out among areas; the sea beside it gets none of it.
                (is_line && *area == 0, distance, std::cmp::Reverse(*number), *area)
            });
            settled.extend(best.map(|(area, _)| (*place, area)));
        }
        left = left.saturating_sub(settled.len());
        let mut next = Vec::new();
        for (place, area) in &settled {
            if let Some(slot) = areas.get_mut(*place) {
                *slot = *area;
            }
        }
        for (place, _) in settled {
            for other in around(place) {
                if areas.get(other) == Some(&UNKNOWN)
                    && let Some(slot) = is_queued.get_mut(other)
                    && !std::mem::replace(slot, true)
                {
                    next.push(other);
                }
            }
        }
        waiting = next;
    }
    // Where nothing is known at all, there is nothing.
    for area in areas.iter_mut().filter(|area| **area == UNKNOWN) {
        *area = 0;
    }
    Ok(count)
}
