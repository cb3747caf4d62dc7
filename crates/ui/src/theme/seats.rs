//! How seats are distinguished: by the colours their ruleset declares, or by ones that are distinct with every common kind of colour
//! blindness, and by patterns besides.

use std::cell::Cell;

use egui::{Color32, ColorImage, Context, Id, Mesh, Pos2, TextureHandle, TextureId, TextureOptions, Vec2, pos2};
use serde::{Deserialize, Serialize};

use super::{Palette, rgb};
use boardwright_model::{Declarations, SeatId};

/// Seat colours that are distinct with every common kind of colour blindness (Okabe and Ito).
pub const SEAT_COLOURS: [u32; 8] = [
    0xD5_5E_00, 0x00_72_B2, 0x00_9E_73, 0xCC_79_A7, 0xE6_9F_00, 0x56_B4_E9, 0x8A_6F_3C, 0x55_55_55,
];

/// Which colours seats have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatColours {
    /// Those that the ruleset declares.
    #[default]
    Declared,
    /// Those of [`SEAT_COLOURS`].
    Safe,
}

/// How seats are distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeatStyle {
    /// Their colours.
    pub colours: SeatColours,
    /// Whether each has a pattern besides.
    pub has_patterns: bool,
}

thread_local! {
    static IN_FORCE: Cell<SeatStyle> = const { Cell::new(SeatStyle { colours: SeatColours::Declared, has_patterns: false }) };
}

/// Sets how seats are distinguished on this thread, as the window does at the beginning of each frame.
pub fn set_seat_style(style: SeatStyle) {
    IN_FORCE.set(style);
}

/// How seats are distinguished on this thread.
pub fn seat_style() -> SeatStyle {
    IN_FORCE.get()
}

impl Palette {
    /// The colour of a seat: the declared one, or one of the list where none is declared or the player wants those.
    pub fn seat(declared: u32, index: usize) -> Color32 {
        let colour = if declared == 0 || seat_style().colours == SeatColours::Safe {
            SEAT_COLOURS.get(index % SEAT_COLOURS.len()).copied().unwrap_or(0x55_55_55)
        } else {
            declared
        };
        rgb(colour & 0x00FF_FFFF)
    }
}

/// The colour of a seat that is declared.
pub fn seat_colour(declarations: &Declarations, seat: SeatId) -> Color32 {
    let declared = declarations.seats.get(seat.index()).map_or(0, |declared| declared.colour);
    Palette::seat(declared, seat.index())
}

/// In pixels.
const SIDE: usize = 48;
/// The side of a pattern's tile on the screen, in points.
const TILE: f32 = 9.0;

/// The texture of the pattern of a seat: white on nothing, laid side by side with itself.
pub fn seat_pattern(context: &Context, index: usize) -> TextureId {
    let index = index % SEAT_COLOURS.len();
    let id = Id::unique("seat pattern").with(index);
    if let Some(known) = context.data(|data| data.get_temp::<TextureHandle>(id)) {
        return known.id();
    }
    let pixel = |place: usize| {
        let at = |place: usize| (place as f32 + 0.5) / SIDE as f32;
        Color32::from_white_alpha((inked(index, at(place % SIDE), at(place / SIDE)) * 255.0) as u8)
    };
    let image = ColorImage::new([SIDE, SIDE], (0..SIDE * SIDE).map(pixel).collect());
    let texture = context.load_texture(format!("seat pattern {index}"), image, TextureOptions::LINEAR_REPEAT);
    let made = texture.id();
    context.data_mut(|data| data.insert_temp(id, texture));
    made
}

/// How much of a place in a tile is inked, 0 to 1. Places go from 0 to 1 in both directions.
fn inked(index: usize, x: f32, y: f32) -> f32 {
    // How far a place is from the nearest whole number: every pattern repeats itself that way.
    let off = |value: f32| (value - value.round()).abs();
    let edge = |distance: f32, limit: f32| ((limit - distance) * 12.0 + 0.5).clamp(0.0, 1.0);
    let line = |value: f32| edge(off(value), 0.17);
    let dot = |x: f32, y: f32, limit: f32| edge(off(x).hypot(off(y)), limit);
    match index {
        0 => line(x + y),
        1 => dot(x, y, 0.3),
        2 => line(y),
        3 => line(x).max(line(y)),
        4 => line(x - y),
        5 => line(x),
        6 => line(x + y).max(line(x - y)),
        _ => dot(x, y, 0.2).max(dot(x + 0.5, y + 0.5, 0.2)),
    }
}

/// Adds a disc with the pattern of a seat to a mesh that has its texture.
pub fn add_patterned_disc(mesh: &mut Mesh, middle: Pos2, radius: f32, tint: Color32) {
    const CORNERS: u32 = 28;
    let first = mesh.vertices.len() as u32;
    let mut add = |offset: Vec2| {
        mesh.vertices.push(egui::epaint::Vertex {
            pos: middle + offset,
            uv: pos2(offset.x / TILE, offset.y / TILE),
            color: tint,
        });
    };
    add(Vec2::ZERO);
    for corner in 0..CORNERS {
        add(Vec2::angled(corner as f32 / CORNERS as f32 * std::f32::consts::TAU) * radius);
    }
    for corner in 0..CORNERS {
        mesh.add_triangle(first, first + 1 + corner, first + 1 + (corner + 1) % CORNERS);
    }
}

/// Where in its pattern a point of the screen lies, when the pattern hangs on another point.
pub fn place_in_pattern(point: Pos2, hangs_on: Pos2) -> Pos2 {
    ((point - hangs_on) / TILE).to_pos2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_of_two_seats_differ() {
        let drawn = |index: usize| -> Vec<bool> {
            let places = (0..400).map(|place| ((place % 20) as f32 / 20.0, (place / 20) as f32 / 20.0));
            places.map(|(x, y)| inked(index, x, y) > 0.5).collect()
        };
        for a in 0..SEAT_COLOURS.len() {
            let share = drawn(a).iter().filter(|inked| **inked).count();
            assert!((40..330).contains(&share), "pattern {a} inks {share} of 400");
            for b in 0..a {
                let differing = drawn(a).iter().zip(drawn(b)).filter(|(a, b)| **a != *b).count();
                assert!(differing > 40, "patterns {a} and {b} differ in {differing} of 400");
            }
        }
    }

    #[test]
    fn safe_colours_are_those_of_the_list_whatever_is_declared() {
        let declared = Palette::seat(0x12_34_56, 1);
        set_seat_style(SeatStyle {
            colours: SeatColours::Safe,
            has_patterns: true,
        });
        let safe = Palette::seat(0x12_34_56, 1);
        set_seat_style(SeatStyle::default());
        assert_eq!((declared, safe), (rgb(0x12_34_56), rgb(SEAT_COLOURS[1])));
    }
}
