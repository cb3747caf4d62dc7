//! How seats are distinguished: by the colours their ruleset declares, or by ones that are distinct with every common kind of colour
//! blindness, and by patterns besides.

use std::cell::{Cell, RefCell};

use egui::ecolor::Hsva;
use egui::{Color32, ColorImage, Context, Id, Mesh, Pos2, TextureHandle, TextureId, TextureOptions, Vec2, pos2};
use serde::{Deserialize, Serialize};

use super::{Palette, rgb};
use boardwright_model::{Declarations, SeatDeclaration, SeatId};

/// Seat colours that are distinct with every common kind of colour blindness: Paul Tol's bright scheme, and a dark grey. The hues that seats
/// are named by are among them, so that a seat called Red stays red.
pub const SEAT_COLOURS: [u32; 8] = [
    0xEE_66_77, 0x44_77_AA, 0x22_88_33, 0xCC_BB_44, 0xAA_33_77, 0x66_CC_EE, 0xBB_BB_BB, 0x55_55_55,
];

/// Which colours seats have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatColours {
    /// Those that the ruleset declares.
    #[default]
    Declared,
    /// Those of [`SEAT_COLOURS`], each seat the one that is most like its own.
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
    /// The declared colours that safe ones were last found for, and these.
    static SAFE: RefCell<(Vec<u32>, Vec<u32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
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
    /// The colour of one of the seats of a match: the declared one, or one of [`SEAT_COLOURS`] where none is declared or the player wants
    /// those.
    pub fn seat(seats: &[SeatDeclaration], index: usize) -> Color32 {
        let declared = seats.get(index).map_or(0, |seat| seat.colour);
        let colour = match seat_style().colours {
            SeatColours::Declared if declared != 0 => declared,
            SeatColours::Declared => listed(index),
            SeatColours::Safe => SAFE.with_borrow_mut(|(of, safe)| {
                if !of.iter().copied().eq(seats.iter().map(|seat| seat.colour)) {
                    *of = seats.iter().map(|seat| seat.colour).collect();
                    *safe = safe_colours(of);
                }
                safe.get(index).copied().unwrap_or_else(|| listed(index))
            }),
        };
        rgb(colour & 0x00FF_FFFF)
    }
}

/// A colour of the list, again from its beginning where that is used up.
fn listed(index: usize) -> u32 {
    SEAT_COLOURS.get(index % SEAT_COLOURS.len()).copied().unwrap_or_default()
}

/// A safe colour for each declared one: the two that are most alike belong together, then the most alike of the others, and so on. Seats that
/// declare none get what is left.
fn safe_colours(declared: &[u32]) -> Vec<u32> {
    let mut pairs = Vec::new();
    for (seat, of) in declared.iter().enumerate().filter(|(_, of)| **of != 0) {
        for (place, safe) in SEAT_COLOURS.iter().enumerate() {
            pairs.push((unlikeness(*of, *safe), seat, place));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut chosen: Vec<Option<usize>> = vec![None; declared.len()];
    let mut is_free = [true; SEAT_COLOURS.len()];
    for (_, seat, place) in pairs {
        if let (Some(choice @ None), Some(free @ true)) = (chosen.get_mut(seat), is_free.get_mut(place)) {
            (*choice, *free) = (Some(place), false);
        }
    }
    let mut left = (0..SEAT_COLOURS.len()).filter(|place| is_free.get(*place) == Some(&true));
    let of = |(seat, place): (usize, Option<usize>)| listed(place.or_else(|| left.next()).unwrap_or(seat));
    chosen.into_iter().enumerate().map(of).collect()
}

/// How far two colours are apart, above all in their hue.
fn unlikeness(one: u32, other: u32) -> f32 {
    let part = |colour: u32, shift: u32| ((colour >> shift) & 0xFF) as f32 / 255.0;
    // As the colours are written, which is nearer to how they are seen than the amounts of light.
    let [one, other] = [one, other].map(|colour| Hsva::from_rgb([part(colour, 16), part(colour, 8), part(colour, 0)]));
    let hue = |colour: Hsva| Vec2::angled(colour.h * std::f32::consts::TAU) * colour.s.sqrt();
    (hue(one) - hue(other)).length() + (one.v - other.v).abs() * 0.3
}

/// The colour of a seat that is declared.
pub fn seat_colour(declarations: &Declarations, seat: SeatId) -> Color32 {
    Palette::seat(&declarations.seats, seat.index())
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
    fn a_seat_has_the_safe_colour_that_is_most_like_its_own() {
        let [red, blue, green, yellow, purple, cyan, light, dark] = SEAT_COLOURS;
        let war = [0xB8_40_2F, 0x2F_5F_9E, 0x4A_7D_3A, 0xC7_9A_1E, 0x7A_4A_92, 0x2B_85_85];
        assert_eq!(safe_colours(&war), [red, blue, green, yellow, purple, cyan]);
        let corners = [0x3F_74_B8, 0xE0_B1_3C, 0xBF_4A_3F, 0x4F_91_58];
        assert_eq!(safe_colours(&corners), [blue, yellow, red, green]);
        assert_eq!(
            safe_colours(&[0xC0_10_10, 0, 0xF0_F0_F0, 0x20_20_20, 0]),
            [red, blue, light, dark, green]
        );
        let many = [0xB8_40_2F; 9];
        assert!(safe_colours(&many)[..8].iter().all(|colour| SEAT_COLOURS.contains(colour)));
    }

    #[test]
    fn safe_colours_are_shown_to_those_who_want_them() {
        let seat = |colour| SeatDeclaration {
            name: "seat".into(),
            title: "Seat".into(),
            colour,
        };
        let seats = [seat(0xB8_40_2F), seat(0)];
        let shown = || [0, 1].map(|index| Palette::seat(&seats, index));
        let declared = shown();
        set_seat_style(SeatStyle {
            colours: SeatColours::Safe,
            has_patterns: true,
        });
        let safe = shown();
        set_seat_style(SeatStyle::default());
        assert_eq!(declared, [rgb(0xB8_40_2F), rgb(SEAT_COLOURS[1])]);
        assert_eq!(safe, [rgb(SEAT_COLOURS[0]), rgb(SEAT_COLOURS[1])]);
    }
}
