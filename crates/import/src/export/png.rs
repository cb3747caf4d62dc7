//! An SVG picture as pixels.

use std::sync::Arc;

use boardwright_model::diagnostic::{Code, Diagnostic};
use epaint_default_fonts::{HACK_REGULAR, NOTO_EMOJI_REGULAR};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::svg::FONT;

/// The font of the window's texts; the others have signs that it lacks.
const TEXT: &[u8] = include_bytes!("../../../../art/fonts/NotoSans-Regular.ttf");
/// The most pixels of a picture.
pub const MOST_EXPORT_PIXELS: u64 = 100_000_000;

/// Draws an SVG picture as PNG, `scale` pixels for each of its own. Texts are drawn with the program's own fonts, so that they look the same on
/// every machine.
///
/// # Errors
/// The picture cannot be read, or would be too large.
pub fn draw_png(svg: &str, scale: f32) -> Result<Vec<u8>, Diagnostic> {
    let wrong = |message: String| Diagnostic::error(Code::BadValue, message);
    let mut fonts = fontdb::Database::new();
    for font in [TEXT, HACK_REGULAR, NOTO_EMOJI_REGULAR] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(FONT);
    let options = Options {
        font_family: FONT.to_owned(),
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| wrong(format!("the picture cannot be drawn: {error}")))?;
    let size = tree.size();
    let (width, height) = ((size.width() * scale).ceil(), (size.height() * scale).ceil());
    let is_possible = width >= 1.0 && height >= 1.0 && f64::from(width) * f64::from(height) <= MOST_EXPORT_PIXELS as f64;
    let pixmap = if is_possible {
        Pixmap::new(width as u32, height as u32)
    } else {
        None
    };
    let Some(mut pixmap) = pixmap else {
        let message = format!("the picture would have {width} x {height} pixels; at most {MOST_EXPORT_PIXELS} are drawn");
        return Err(wrong(message).with_help("choose another scale"));
    };
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap
        .encode_png()
        .map_err(|error| wrong(format!("the picture cannot be written: {error}")))
}
