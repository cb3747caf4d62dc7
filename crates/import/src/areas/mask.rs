//! A mask: which area each pixel belongs to.

use crate::Colour;

/// Which area each pixel belongs to, row by row. 0 stands for none; areas count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    width: u32,
    height: u32,
    areas: Vec<u16>,
    colours: Vec<Colour>,
}

impl Mask {
    /// A mask of areas of these colours, the first being that of area 1. `None` if the size is not that of the pixels, or a pixel names an
    /// area without a colour.
    pub fn new(width: u32, height: u32, areas: Vec<u16>, colours: Vec<Colour>) -> Option<Self> {
        let is_whole = u64::from(width) * u64::from(height) == areas.len() as u64 && !areas.is_empty();
        let is_known = areas.iter().all(|area| usize::from(*area) <= colours.len());
        (is_whole && is_known && colours.len() < usize::from(u16::MAX)).then_some(Self {
            width,
            height,
            areas,
            colours,
        })
    }

    /// Pixels a row.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The area of each pixel, row by row.
    pub fn areas(&self) -> &[u16] {
        &self.areas
    }

    /// The colour of each area, from area 1 on.
    pub fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// The area of a pixel; 0 outside the picture.
    pub fn area(&self, x: i32, y: i32) -> u16 {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
            return 0;
        };
        if x >= self.width || y >= self.height {
            return 0;
        }
        self.areas.get((y * self.width + x) as usize).copied().unwrap_or(0)
    }

    pub(super) fn areas_mut(&mut self) -> &mut [u16] {
        &mut self.areas
    }
}
