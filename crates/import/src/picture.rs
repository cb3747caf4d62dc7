//! Pictures as they are read: PNG and JPEG, within bounds.

use std::fmt;
use std::io::Cursor;
use std::path::Path;

use boardwright_content::read_bytes;
use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use image::{ImageError, ImageFormat, ImageReader, Limits};

/// The most bytes of a picture's file that are read.
pub const MOST_PICTURE_BYTES: usize = 64 << 20;
/// The most pixels a side.
pub const MOST_SIDE: u32 = 16_384;
/// The most pixels altogether.
pub const MOST_PIXELS: u64 = 40_000_000;
/// What decoding may allocate at once.
const MOST_ALLOCATED: u64 = 512 << 20;

/// A colour without transparency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// The colour of a text such as `#a0c3ff` or `a0c3ff`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Self([red, green, blue]))
    }

    /// The square of the distance to another colour, 0 to 195,075.
    pub fn distance(self, other: Self) -> u32 {
        let parts = self.0.iter().zip(other.0);
        parts.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The pixels of a picture, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    /// Red, green, blue, opacity.
    pixels: Vec<[u8; 4]>,
    is_lossy: bool,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}

impl Picture {
    /// A picture of pixels (red, green, blue, opacity), row by row. `None` if there are none, or not as many as the size says.
    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Option<Self> {
        let is_whole = u64::from(width) * u64::from(height) == pixels.len() as u64 && !pixels.is_empty();
        (is_whole && is_within_bounds(width, height)).then_some(Self {
            width,
            height,
            pixels,
            is_lossy: false,
        })
    }

    /// The picture in a file, PNG or JPEG by what is in it.
    ///
    /// # Errors
    /// The file cannot be read, is no picture, is damaged, or is larger than [`MOST_PICTURE_BYTES`], [`MOST_SIDE`] or [`MOST_PIXELS`].
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        let name = path.display().to_string();
        Self::decode(&read_bytes(path, &name, MOST_PICTURE_BYTES)?, &name)
    }

    /// The picture in the bytes of a file, which diagnostics call `name`.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn decode(bytes: &[u8], name: &str) -> Result<Self, Diagnostic> {
        let wrong = |message: String| Diagnostic::error(Code::File, message).at(Location::file(name));
        let format = image::guess_format(bytes).ok();
        let Some(format @ (ImageFormat::Png | ImageFormat::Jpeg)) = format else {
            return Err(wrong("this is no picture that can be read".to_owned()).with_help("save it as PNG, or a drawing as JPEG"));
        };
        let failed = |error: ImageError| wrong(format!("the picture cannot be read: {error}"));
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_ALLOCATED);
        let reader = || {
            let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
            reader.limits(limits.clone());
            reader
        };
        // The size stands at the beginning: nothing is unpacked for a picture that is too large.
        let (width, height) = reader().into_dimensions().map_err(failed)?;
        if !is_within_bounds(width, height) {
            let message =
                format!("the picture has {width} x {height} pixels; at most {MOST_SIDE} a side and {MOST_PIXELS} altogether are read");
            return Err(wrong(message).with_help("make it smaller: an area needs some tens of pixels"));
        }
        let image = reader().decode().map_err(failed)?.into_rgba8();
        let (width, height) = image.dimensions();
        let (pixels, _) = image.as_raw().as_chunks::<4>();
        let picture = Self::new(width, height, pixels.to_vec());
        let mut picture = picture.ok_or_else(|| wrong("the picture has no pixels".to_owned()))?;
        picture.is_lossy = format == ImageFormat::Jpeg;
        Ok(picture)
    }

    /// Pixels a row.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Red, green, blue and opacity of the pixels, row by row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// Whether its colours are only nearly those that were saved, as in a JPEG.
    pub const fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// Refuses a drawing whose mask has another size. `name` and `mask_name` are how diagnostics call the files.
    ///
    /// # Errors
    /// The sizes differ.
    pub fn check_size(&self, name: &str, mask: &Self, mask_name: &str) -> Result<(), Diagnostic> {
        if (self.width, self.height) == (mask.width, mask.height) {
            return Ok(());
        }
        let message = format!(
            "the mask has {} x {} pixels, but the drawing {name} has {} x {}",
            mask.width, mask.height, self.width, self.height
        );
        let found = Diagnostic::error(Code::BadValue, message).at(Location::file(mask_name));
        Err(found.with_help("a mask is painted over its drawing and has the same size"))
    }
}

fn is_within_bounds(width: u32, height: u32) -> bool {
    let is_side = |side| (1..=MOST_SIDE).contains(&side);
    is_side(width) && is_side(height) && u64::from(width) * u64::from(height) <= MOST_PIXELS
}

/// The bytes of a PNG of these pixels.
///
/// # Errors
/// Encoding fails, which it does only for want of memory.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    image::write_buffer_with_format(
        &mut Cursor::new(&mut bytes),
        picture.pixels.as_flattened(),
        picture.width,
        picture.height,
        image::ExtendedColorType::Rgba8,
        ImageFormat::Png,
    )?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn small() -> Picture {
        Picture::new(
            3,
            2,
            vec![[1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 0], [0; 4], [255; 4], [9, 9, 9, 9]],
        )
        .unwrap()
    }

    #[test]
    fn a_png_comes_back_as_it_was_written() {
        let bytes = encode_png(&small()).unwrap();
        assert_eq!(Picture::decode(&bytes, "p.png").unwrap(), small());
    }

    #[test]
    fn what_is_no_picture_is_refused_with_its_name() {
        for bytes in [&b"GIF89a"[..], b"<svg/>", b"", &[0; 100]] {
            let found = Picture::decode(bytes, "mask.gif").unwrap_err();
            assert_eq!(found.to_string(), "mask.gif: error[file]: this is no picture that can be read");
        }
    }

    #[test]
    fn a_picture_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked() {
        let mut bytes = encode_png(&small()).unwrap();
        // The sizes in the header, and its checksum.
        bytes[16..24].copy_from_slice(&[0, 0, 60, 0, 0, 0, 60, 0]);
        let sum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.to_be_bytes());
        let found = Picture::decode(&bytes, "bomb.png").unwrap_err();
        assert!(found.message.contains("15360 x 15360 pixels"), "{found}");
        bytes[16..20].copy_from_slice(&[0x7f, 0, 0, 0]);
        let sum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.to_be_bytes());
        assert!(Picture::decode(&bytes, "bomb.png").is_err());
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let mut sum = !0_u32;
        for byte in bytes {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
            }
        }
        !sum
    }

    #[test]
    fn a_file_that_is_too_large_or_cut_off_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large.png");
        std::fs::File::create(&large).unwrap().set_len(100 << 20).unwrap();
        let found = Picture::read(&large).unwrap_err();
        assert!(found.message.contains("104857600 bytes, more than the"), "{found}");
        let bytes = encode_png(&small()).unwrap();
        for length in 0..bytes.len() - 12 {
            assert!(Picture::decode(&bytes[..length], "cut.png").is_err(), "{length} bytes");
        }
    }

    #[test]
    fn colours_are_written_with_six_digits() {
        assert_eq!(
            Colour::parse("#a0C3ff").map(|colour| colour.to_string()).as_deref(),
            Some("#a0c3ff")
        );
        for wrong in ["", "#fff", "#+12345", "red", "#a0c3ffff", "äöü"] {
            assert_eq!(Colour::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn damaged_pictures_are_read_or_refused(position in 0_usize..200, value: u8, cut in 0_usize..200) {
            let mut bytes = encode_png(&small()).unwrap();
            let length = bytes.len();
            bytes[position % length] = value;
            bytes.truncate(length - cut % length);
            drop(Picture::decode(&bytes, "damaged.png"));
        }
    }
}
