//! A board as a small picture, for cards and lists: the ground, lines and points of a map, and the pieces on it. It is an SVG, so it
//! is drawn once, at the size in which it is shown, however large the board.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::board::Geometry;
use super::theme::{LIGHT, mix, seat_colour};
use boardwright_model::{CellId, Looks, Piece, State};

/// The longer side of the picture, in units of its own.
const LONGER: f32 = 480.0;
const MARGIN: f32 = 4.0;

/// Draws a position as SVG. `art` are the pictures of the ruleset by file name.
pub fn thumbnail(state: &State, looks: &Looks, art: &BTreeMap<String, String>) -> String {
    let geometry = Geometry::of(state.board());
    let bounds = geometry.bounds;
    let scale = (LONGER - 2.0 * MARGIN) / bounds.width().max(bounds.height()).max(f32::EPSILON);
    let (width, height) = (bounds.width() * scale + 2.0 * MARGIN, bounds.height() * scale + 2.0 * MARGIN);
    let drawing = Drawing {
        state,
        looks,
        art,
        geometry: &geometry,
        scale,
        left: width / 2.0 - bounds.center().x * scale,
        top: height / 2.0 - bounds.center().y * scale,
    };
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\">");
    drawing.draw(&mut svg);
    svg.push_str("</svg>");
    svg
}

struct Drawing<'a> {
    state: &'a State,
    looks: &'a Looks,
    art: &'a BTreeMap<String, String>,
    geometry: &'a Geometry,
    scale: f32,
    left: f32,
    top: f32,
}

fn hex(colour: egui::Color32) -> u32 {
    u32::from(colour.r()) << 16 | u32::from(colour.g()) << 8 | u32::from(colour.b())
}

impl Drawing<'_> {
    fn at(&self, point: egui::Pos2) -> (f32, f32) {
        (point.x * self.scale + self.left, point.y * self.scale + self.top)
    }

    fn draw(&self, svg: &mut String) {
        let [light, dark] = LIGHT.wood.map(hex);
        let line = hex(LIGHT.engraving[0]);
        let fill = self.looks.board.fill;
        let ground = if self.geometry.has_areas { fill } else { fill.or(Some(light)) };
        if let Some(ground) = ground {
            let (left, top) = self.at(self.geometry.bounds.min);
            let (right, bottom) = self.at(self.geometry.bounds.max);
            let (width, height, edge) = (right - left, bottom - top, fill.unwrap_or(dark));
            let _ = write!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\" fill=\"#{ground:06x}\" stroke=\"#{edge:06x}\" stroke-width=\"3\"/>"
            );
        }
        self.grounds(svg);
        for points in &self.geometry.lines {
            svg.push_str("<polyline points=\"");
            for point in points {
                let (x, y) = self.at(*point);
                let _ = write!(svg, "{x:.1},{y:.1} ");
            }
            let width = (self.scale * 0.05).clamp(1.0, 4.0);
            let _ = write!(
                svg,
                "\" fill=\"none\" stroke=\"#{line:06x}\" stroke-opacity=\"0.8\" stroke-width=\"{width:.1}\"/>"
            );
        }
        for cell in self.state.board().cells() {
            let Some(shape) = self.geometry.cell(cell).filter(|shape| shape.is_point()) else {
                continue;
            };
            let (x, y) = self.at(shape.middle);
            let radius = (self.scale * shape.room * 0.2).clamp(1.2, 8.0);
            let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#{line:06x}\"/>");
        }
        self.pieces(svg);
    }

    /// The cells with an outline, all of one colour in one path.
    fn grounds(&self, svg: &mut String) {
        let mut paths: BTreeMap<u32, String> = BTreeMap::new();
        for cell in self.state.board().cells() {
            let Some(shape) = self.geometry.cell(cell) else {
                continue;
            };
            for (part, _) in self.geometry.polygons(shape) {
                let path = paths.entry(self.ground(cell)).or_default();
                for (index, corner) in part.iter().enumerate() {
                    let (x, y) = self.at(*corner);
                    let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
                }
                path.push('Z');
            }
        }
        let line = hex(LIGHT.engraving[0]);
        let width = (self.scale * 0.03).clamp(0.3, 1.6);
        for (colour, path) in paths {
            let _ = write!(
                svg,
                "<path d=\"{path}\" fill=\"#{colour:06x}\" stroke=\"#{line:06x}\" stroke-opacity=\"0.45\" stroke-width=\"{width:.2}\"/>"
            );
        }
    }

    fn ground(&self, cell: CellId) -> u32 {
        let look = self.looks.cells.get(&cell).and_then(|look| look.fill);
        let declarations = self.state.declarations();
        let terrain = (declarations.terrains.len() > 1 || self.geometry.has_areas)
            .then(|| self.state.terrain(cell))
            .flatten();
        let declared = terrain.and_then(|terrain| declarations.terrains.get(terrain.index()));
        look.or(declared.map(|terrain| terrain.colour)).unwrap_or_else(|| {
            let (column, row) = self.state.board().coordinates(cell).unwrap_or_default();
            let shades = [hex(LIGHT.wood[0]), hex(mix(LIGHT.wood[0], LIGHT.wood[1], 0.45))];
            shades[(column + row).rem_euclid(2) as usize]
        })
    }

    fn pieces(&self, svg: &mut String) {
        // Each picture is put down once and used as often as there are pieces.
        let mut pictures: BTreeMap<&str, usize> = BTreeMap::new();
        for piece in self.state.pieces() {
            let Some((cell, shape)) = piece.place.cell().and_then(|cell| Some((cell, self.geometry.cell(cell)?))) else {
                continue;
            };
            // Of several in a cell the one on top is enough.
            if self.state.pieces_at(cell).last() != Some(&piece.id) {
                continue;
            }
            let (x, y) = self.at(shape.middle);
            let radius = shape.room * 0.8 * self.scale;
            let look = self.looks.pieces.get(&piece.id);
            let icon = look.and_then(|look| self.art.get_key_value(look.icon.as_deref()?));
            let Some((name, picture)) = icon else {
                let (colour, width) = (self.colour(piece), (radius * 0.12).clamp(0.6, 3.0));
                let _ = write!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#{colour:06x}\" stroke=\"#000\" stroke-opacity=\"0.45\" stroke-width=\"{width:.1}\"/>"
                );
                continue;
            };
            let count = pictures.len();
            let number = *pictures.entry(name).or_insert_with(|| {
                let _ = write!(
                    svg,
                    "<defs><image id=\"p{count}\" width=\"100\" height=\"100\" href=\"data:image/svg+xml;base64,{}\"/></defs>",
                    STANDARD.encode(picture)
                );
                count
            });
            let (left, top, scale) = (x - radius, y - radius, radius / 50.0);
            let _ = write!(
                svg,
                "<use href=\"#p{number}\" transform=\"translate({left:.1} {top:.1}) scale({scale:.4})\"/>"
            );
        }
    }

    fn colour(&self, piece: &Piece) -> u32 {
        let fill = self.looks.pieces.get(&piece.id).and_then(|look| look.fill);
        let owner = || piece.owner.map(|seat| hex(seat_colour(self.state.declarations(), seat)));
        fill.or_else(owner).unwrap_or(0xD8_CF_BE)
    }
}
