//! A mask out of an SVG drawing: its filled paths become areas. Borders are then those of the mask, so that areas side by side share them.

use std::collections::BTreeMap;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use resvg::tiny_skia::{Color, FillRule as SkiaFillRule, Paint, Pixmap, Shader, Transform};
use resvg::usvg::{self, FillRule, Group, Node, Options, Tree};

use crate::areas::{MOST_AREAS, Mask, distinct_colour};

/// The most bytes of an SVG drawing that are read.
pub const MOST_SVG_BYTES: usize = 16 << 20;
/// The most pixels that are painted, for all paths together.
const MOST_PAINTED: f64 = 4e9;
/// The most paths.
const MOST_PATHS: usize = 50_000;

/// A mask made of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgMask {
    /// The mask.
    pub mask: Mask,
    /// The ids of the areas, from area 1 on: of the path, or of the nearest group around it that has one.
    pub ids: Vec<String>,
    /// What could not be carried over.
    pub left_out: Diagnostics,
}

/// Draws the paths of an SVG drawing as a mask whose longer side has so many pixels. Paths with the same id, or in a group with it, are parts of
/// one area; of two that overlap the upper one counts. Gaps of at most `gap` pixels between two areas are closed.
///
/// # Errors
/// The drawing cannot be read, has no filled path, or is too large.
pub fn draw_svg_mask(text: &[u8], file: &str, longer_side: u32, gap: u32) -> Result<SvgMask, Diagnostic> {
    let wrong = |code, message: String| Diagnostic::error(code, message).at(Location::file(file));
    if text.len() > MOST_SVG_BYTES {
        return Err(wrong(
            Code::SourceLimit,
            format!("the drawing has {} bytes, more than the {MOST_SVG_BYTES} that are read", text.len()),
        ));
    }
    // The tree is checked for its depth first: the reader of drawings goes down it by recursion.
    let mut left_out = Diagnostics::new();
    if let Ok(text) = std::str::from_utf8(text) {
        let document = crate::foreign_xml::parse(text, file)?;
        // The reader drops what it has no font or no picture for.
        for node in document.descendants() {
            let what = match node.tag_name().name() {
                "text" => "the text was left out: names come from ids or a table",
                "image" => "the picture was left out",
                _ => continue,
            };
            let place = document.text_pos_at(node.range().start);
            let found = Diagnostic::warning(Code::BadValue, what).at(Location::at(file, place.row, place.col));
            left_out.push(found);
        }
    }
    let options = Options {
        // Nothing outside the drawing is read.
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_data(text, &options).map_err(|error| wrong(Code::Syntax, format!("the drawing cannot be read: {error}")))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = longer_side.clamp(16, crate::MOST_SIDE) as f32 / width.max(height).max(f32::MIN_POSITIVE);
    let (columns, rows) = (((width * scale).round() as u32).max(1), ((height * scale).round() as u32).max(1));
    if u64::from(columns) * u64::from(rows) > crate::MOST_PIXELS {
        return Err(wrong(
            Code::SourceLimit,
            format!(
                "the mask would have {columns} x {rows} pixels, more than {} altogether",
                crate::MOST_PIXELS
            ),
        ));
    }
    let pixmap = Pixmap::new(columns, rows).ok_or_else(|| wrong(Code::BadValue, "the drawing has no size".to_owned()))?;
    let mut painter = Painter {
        file,
        pixmap,
        scale,
        ids: Vec::new(),
        areas: BTreeMap::new(),
        painted: 0.0,
        paths: 0,
        left_out,
    };
    painter.paint(tree.root(), "")?;
    if painter.ids.is_empty() {
        return Err(wrong(Code::MissingValue, "the drawing has no filled path".to_owned()));
    }
    let number = |pixel: &resvg::tiny_skia::PremultipliedColorU8| {
        let number = u16::from(pixel.red()) << 8 | u16::from(pixel.green());
        if pixel.alpha() == 255 && usize::from(number) <= painter.ids.len() {
            number
        } else {
            0
        }
    };
    let mut areas: Vec<u16> = painter.pixmap.pixels().iter().map(number).collect();
    close_gaps(&mut areas, columns as usize, gap as usize);
    let colours = (0..painter.ids.len()).map(distinct_colour).collect();
    let mask = Mask::new(columns, rows, areas, colours).ok_or_else(|| wrong(Code::BadValue, "the drawing has no size".to_owned()))?;
    Ok(SvgMask {
        mask,
        ids: painter.ids,
        left_out: painter.left_out,
    })
}

struct Painter<'a> {
    file: &'a str,
    pixmap: Pixmap,
    scale: f32,
    ids: Vec<String>,
    areas: BTreeMap<String, u16>,
    painted: f64,
    paths: usize,
    left_out: Diagnostics,
}

impl Painter<'_> {
    fn report(&mut self, message: String) {
        self.left_out
            .push(Diagnostic::warning(Code::BadValue, message).at(Location::file(self.file)));
    }

    fn paint(&mut self, group: &Group, around: &str) -> Result<(), Diagnostic> {
        for node in group.children() {
            let id = if node.id().is_empty() { around } else { node.id() };
            match node {
                Node::Group(group) => {
                    // A group alone under the root is a layer, and names no area.
                    self.paint(group, id)?;
                }
                Node::Path(path) => self.path(path, id)?,
                // Told already, with their places.
                Node::Image(_) | Node::Text(_) => {}
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &usvg::Path, id: &str) -> Result<(), Diagnostic> {
        self.paths += 1;
        let (id, Some(fill)) = (id, path.fill().filter(|_| path.is_visible())) else {
            self.report(format!("the path {id:?} was left out: it has no filling"));
            return Ok(());
        };
        if path.data().points().len() < 3 {
            self.report(format!("the line {id:?} was left out: it has no inside"));
            return Ok(());
        }
        let bounds = path.abs_bounding_box();
        let area = f64::from(bounds.width() * self.scale) * f64::from(bounds.height() * self.scale);
        let whole = f64::from(self.pixmap.width()) * f64::from(self.pixmap.height());
        self.painted += area.min(whole);
        if self.painted > MOST_PAINTED || self.paths > MOST_PATHS {
            let message = "the drawing has too many paths, or too large ones";
            return Err(Diagnostic::error(Code::SourceLimit, message).at(Location::file(self.file)));
        }
        let id = if id.is_empty() {
            format!("area-{}", self.ids.len() + 1)
        } else {
            id.to_owned()
        };
        let number = if let Some(number) = self.areas.get(&id) {
            *number
        } else {
            if self.ids.len() >= MOST_AREAS {
                let message = format!("the drawing has more than {MOST_AREAS} areas");
                return Err(Diagnostic::error(Code::SourceLimit, message).at(Location::file(self.file)));
            }
            self.ids.push(id.clone());
            self.areas.insert(id, self.ids.len() as u16);
            self.ids.len() as u16
        };
        let [high, low] = number.to_be_bytes();
        let paint = Paint {
            shader: Shader::SolidColor(Color::from_rgba8(high, low, 0, 255)),
            anti_alias: false,
            ..Paint::default()
        };
        let rule = match fill.rule() {
            FillRule::NonZero => SkiaFillRule::Winding,
            FillRule::EvenOdd => SkiaFillRule::EvenOdd,
        };
        let transform = path.abs_transform().post_concat(Transform::from_scale(self.scale, self.scale));
        self.pixmap.fill_path(path.data(), &paint, rule, transform, None);
        Ok(())
    }
}

/// Shares out what is empty between two different areas, in rows and then in columns, if it is narrow enough.
fn close_gaps(areas: &mut [u16], width: usize, gap: usize) {
    if gap == 0 || width == 0 {
        return;
    }
    let height = areas.len() / width;
    let mut close = |start: usize, step: usize, count: usize| {
        let mut before: Option<(usize, u16)> = None;
        for place in 0..count {
            let area = areas.get(start + place * step).copied().unwrap_or(0);
            if area == 0 {
                continue;
            }
            if let Some((from, other)) = before
                && other != area
                && place - from > 1
                && place - from - 1 <= gap
            {
                for empty in from + 1..place {
                    let nearer = if (empty - from) * 2 <= place - from { other } else { area };
                    if let Some(slot) = areas.get_mut(start + empty * step) {
                        *slot = nearer;
                    }
                }
            }
            before = Some((place, area));
        }
    };
    for row in 0..height {
        close(row * width, 1, width);
    }
    for column in 0..width {
        close(column, width, height);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Progress;
    use crate::areas::Borders;

    fn mask(text: &str) -> SvgMask {
        draw_svg_mask(text.as_bytes(), "d.svg", 200, 3).unwrap()
    }

    #[test]
    fn paths_become_areas_and_neighbours_share_their_border() {
        let drawn = mask(
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'>
               <rect id='west' width='40' height='50'/><path id='east' d='M41 0 H100 V50 H41 Z'/>
               <g id='isles'><circle cx='70' cy='25' r='5'/><circle cx='85' cy='25' r='5'/></g>
               <path id='road' d='M0 0 L100 50' fill='none' stroke='red'/><text y='9'>Hello</text>
               <image width='9' height='9' href='data:image/png;base64,AA=='/><line x2='9' y2='9' stroke='red'/></svg>",
        );
        assert_eq!(drawn.ids, ["west", "east", "isles"]);
        assert_eq!((drawn.mask.width(), drawn.mask.height()), (200, 100));
        assert_eq!(
            (
                drawn.mask.area(2, 50),
                drawn.mask.area(150, 10),
                drawn.mask.area(140, 50),
                drawn.mask.area(170, 50)
            ),
            (1, 2, 3, 3)
        );
        let borders = Borders::trace(&drawn.mask, &mut Progress::silent()).unwrap();
        let touching: Vec<_> = borders.touching(1).into_iter().map(|touch| (touch.a, touch.b)).collect();
        assert_eq!(touching, [(1, 2), (2, 3)], "the gap of a unit between west and east is closed");
        let messages = drawn.left_out.render();
        for told in [
            "the path \"road\" was left out",
            "d.svg:4:",
            "the text was left out",
            "the picture was left out",
            "d.svg:5:",
            "it has no inside",
        ] {
            assert!(messages.contains(told), "{told}: {messages}");
        }
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        let refused = |text: &str| draw_svg_mask(text.as_bytes(), "d.svg", 200, 3).unwrap_err().to_string();
        assert!(refused("").starts_with("d.svg"), "{}", refused(""));
        assert!(refused("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>").contains("no filled path"));
        let deep = format!("<svg xmlns='http://www.w3.org/2000/svg'>{}", "<g>".repeat(100_000));
        assert!(refused(&deep).contains("levels"));
    }

    proptest! {
        #[test]
        fn any_drawing_is_read_or_refused(text in "(<g id='a'>|<path d='M0 0 L9 9 L0 9Z'/>|<rect width='5' height='1e9'/>|</g>|[a-z<>]){0,12}") {
            drop(draw_svg_mask(format!("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>{text}</svg>").as_bytes(), "d.svg", 64, 2));
        }
    }
}
