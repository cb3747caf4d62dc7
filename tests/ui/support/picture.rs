//! Pictures of windows: compared with those that were looked at and approved, and kept small.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::Path;

use color_quant::NeuQuant;

/// The side of the squares in which pictures are compared, in pixels.
const BLOCK: usize = 16;
/// How far the mean colour difference of a square may go, of 255. Fewer colours in the file take some of it.
const TOLERANCE: f32 = 14.0;

/// A picture without transparency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue.
    pub pixels: Vec<[u8; 3]>,
    /// What is different at other times, such as the fingerprint of rules: it is not compared.
    pub unsteady: Vec<egui::Rect>,
}

impl Picture {
    pub fn black(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            pixels: vec![[0; 3]; width * height],
            unsteady: Vec::new(),
        }
    }

    /// Lays a colour over a pixel; it is premultiplied, its parts from 0 to 255.
    pub(super) fn blend(&mut self, x: usize, y: usize, [red, green, blue, alpha]: [f32; 4]) {
        let pixel = &mut self.pixels[y * self.width + x];
        let keep = 1.0 - (alpha / 255.0).clamp(0.0, 1.0);
        for (old, new) in pixel.iter_mut().zip([red, green, blue]) {
            *old = (f32::from(*old) * keep + new).round().clamp(0.0, 255.0) as u8;
        }
    }

    /// The picture without a part.
    fn without(mut self, part: egui::Rect) -> Self {
        for y in part.top() as usize..(part.bottom() as usize).min(self.height) {
            for x in part.left() as usize..(part.right() as usize).min(self.width) {
                self.pixels[y * self.width + x] = [128; 3];
            }
        }
        self
    }

    /// Keeps the part of it that lies left of a line.
    pub fn cut_at(&mut self, width: usize) {
        let rows = self.pixels.chunks(self.width).flat_map(|row| row.iter().take(width).copied());
        self.pixels = rows.collect();
        self.width = self.width.min(width);
    }

    /// Writes it, with 256 colours if they are enough for what is small and coloured as well.
    pub fn write(&self, path: &Path) {
        let (palette, indices) = self.in_few_colours();
        let reduced = Self {
            pixels: indices.iter().map(|index| palette[usize::from(*index)]).collect(),
            ..Self::black(self.width, self.height)
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = BufWriter::new(File::create(path).unwrap());
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let bytes = if self.blocks_beyond(&reduced, TOLERANCE * 0.7).is_empty() {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(palette.concat());
            indices
        } else {
            encoder.set_color(png::ColorType::Rgb);
            self.pixels.concat()
        };
        encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
    }

    /// Colours, and for each pixel the index of the one nearest to it.
    fn in_few_colours(&self) -> (Vec<[u8; 3]>, Vec<u8>) {
        let with_alpha = |[red, green, blue]: &[u8; 3]| [*red, *green, *blue, 255];
        let bytes: Vec<u8> = self.pixels.iter().flat_map(with_alpha).collect();
        let colours = NeuQuant::new(3, 256, &bytes);
        let palette = colours
            .color_map_rgb()
            .chunks_exact(3)
            .map(|rgb| [rgb[0], rgb[1], rgb[2]])
            .collect();
        (palette, bytes.chunks_exact(4).map(|pixel| colours.index_of(pixel) as u8).collect())
    }

    /// Reads a picture that was written here.
    pub fn read(path: &Path) -> Option<Self> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path).ok()?));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let pixels = bytes[..info.buffer_size()]
            .chunks_exact(3)
            .map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect();
        Some(Self {
            width: info.width as usize,
            height: info.height as usize,
            pixels,
            unsteady: Vec::new(),
        })
    }

    /// Where it differs visibly from another picture, in words; empty if nowhere.
    pub fn differences(&self, other: &Self) -> String {
        if (self.width, self.height) != (other.width, other.height) {
            return format!("{} x {} instead of {} x {}", self.width, self.height, other.width, other.height);
        }
        let steady = |picture: &Self| self.unsteady.iter().copied().fold(picture.clone(), Self::without);
        let mut found = String::new();
        for (left, top, difference) in steady(self).blocks_beyond(&steady(other), TOLERANCE) {
            let _ = writeln!(found, "around {left}, {top}: {difference:.1} of 255");
        }
        found
    }

    /// The squares in which it differs from another picture by more than so much: where, and by how much.
    pub fn blocks_beyond(&self, other: &Self, tolerance: f32) -> Vec<(usize, usize, f32)> {
        let tops = (0..self.height).step_by(BLOCK);
        let places = tops.flat_map(|top| (0..self.width).step_by(BLOCK).map(move |left| (left, top)));
        let blocks = places.map(|(left, top)| (left, top, self.block(other, left, top)));
        blocks.filter(|(.., difference)| *difference > tolerance).collect()
    }

    fn block(&self, other: &Self, left: usize, top: usize) -> f32 {
        let (mut sum, mut count) = (0_u32, 0_u32);
        for y in top..(top + BLOCK).min(self.height) {
            for x in left..(left + BLOCK).min(self.width) {
                let index = y * self.width + x;
                let parts = self.pixels[index].iter().zip(other.pixels[index]);
                sum += parts.map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
                count += 3;
            }
        }
        sum as f32 / count.max(1) as f32
    }

    /// Compares it with the approved picture of that name in `docs/pictures`, or with `BLESS` set makes it the approved one.
    pub fn is_as_approved(&self, name: &str) {
        let path = super::project().join("docs/pictures").join(format!("{name}.png"));
        if std::env::var_os("BLESS").is_some() {
            self.write(&path);
            return;
        }
        let approved = Self::read(&path);
        let differences = approved.map_or_else(|| "there is no such picture".to_owned(), |approved| self.differences(&approved));
        if !differences.is_empty() {
            let seen = std::env::temp_dir().join(format!("boardwright-{name}.png"));
            self.write(&seen);
            panic!(
                "docs/pictures/{name}.png is not what is seen; that is in {}. If it is better: BLESS=1 cargo test --test ui pictures\n{differences}",
                seen.display()
            );
        }
    }
}
