//! Names of areas, each where it lies best: close to its middle, beside what stands there, and on no other name. Where there is little room
//! they are shortened; none is left out.

use egui::{Align2, Color32, FontId, Pos2, Rect, Vec2, pos2, vec2};

use super::canvas::Canvas;
use super::geometry::CellShape;
use super::ground::sea;
use super::layer::Layer;
use crate::theme::{ink_on, veil};
use boardwright_model::CellId;

/// From this zoom on names of areas are shown: below it, areas are smaller than a line of text.
const LEAST_ZOOM: f32 = 11.0;
/// The sizes of the letters, in points, and their size as a part of the zoom.
const LETTERS: std::ops::RangeInclusive<f32> = 11.0..=17.0;
const LETTER_SHARE: f32 = 0.27;
/// The gap between what stands in an area and its name, in points of the screen.
const GAP: f32 = 1.5;
/// What a name keeps clear of others beside it, and above and below it.
const APART: Vec2 = vec2(4.0, 2.0);
/// So large a part of a name may lie on other names and on pieces, as long as it finds a better place in a shorter form.
const MOST_HIDDEN: f32 = 0.1;
/// What it costs a name to lie on other things, on other areas, and for each side that is less usual.
const COSTS: [f32; 3] = [20.0, 2.0, 0.1];
/// What it costs a name to be written in two lines, and to be shortened.
const BROKEN: f32 = 0.15;
const SHORTENED: f32 = 1.5;
/// Words with more letters are shortened, to so many.
const LONG_WORD: usize = 7;
const SHORT_WORD: usize = 5;

/// How far a name that lies aslant of its middle is away from it, as a part of how far one beside it is.
const ASLANT: f32 = 0.85;
/// How far the rings reach that mark what stands in an area, as a part of how far that does.
const RING: f32 = 1.16;

/// How far a point without a piece reaches, as a part of how far a piece would.
const POINT: f32 = 0.3;

/// A name to be placed, in points of the screen.
struct Wanted {
    middle: Pos2,
    radius: f32,
    size: f32,
    /// The ways to write it: how large each is, and what it costs.
    forms: Vec<(Vec2, f32)>,
}

/// Where a name lies: in which of its forms, and the rectangle around it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placed {
    form: usize,
    around: Rect,
}

impl Wanted {
    /// All places beside the middle, the most usual first, with what each costs by itself.
    fn places(&self) -> impl Iterator<Item = (Placed, f32)> + '_ {
        let [.., unusual] = COSTS;
        self.forms.iter().enumerate().flat_map(move |(form, (size, form_cost))| {
            let (x, y) = (self.radius + GAP + size.x / 2.0, self.radius + GAP + size.y / 2.0);
            let sides = [vec2(0.0, y), vec2(0.0, -y), vec2(x, 0.0), vec2(-x, 0.0)];
            // Aslant it comes nearer in both directions.
            let corners =
                [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)].map(|(right, down)| vec2(x * ASLANT * right, y * ASLANT * down));
            sides.into_iter().chain(corners).enumerate().map(move |(side, away)| {
                let around = Rect::from_center_size(self.middle + away, *size);
                (Placed { form, around }, form_cost + side as f32 * unusual)
            })
        })
    }
}

/// Finds a place for each name; small areas choose first, for they have the least room. One that finds none lies where least of it is hidden.
/// `is_foreign` says whether a point lies on another area or beside the board.
fn arrange(wanted: &[Wanted], is_foreign: &dyn Fn(usize, Pos2) -> bool) -> Vec<Option<Placed>> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let size = |index: &usize| wanted.get(*index).map_or(0.0, |one| one.size);
    order.sort_by(|one, other| size(one).total_cmp(&size(other)));
    let disc = |one: &Wanted| Rect::from_center_size(one.middle, Vec2::splat(2.0 * one.radius));
    let mut taken: Vec<Rect> = wanted.iter().map(disc).collect();
    let mut found = vec![None; wanted.len()];
    let [on_others, on_areas, ..] = COSTS;
    for index in order {
        let Some(one) = wanted.get(index) else { continue };
        let hidden_of = |place: &Placed| {
            let both = taken.iter().map(|other| place.around.intersect(*other));
            let hidden: f32 = both.filter(Rect::is_positive).map(|both| both.area()).sum();
            hidden / place.around.area().max(1.0)
        };
        let with_cost = |(place, own_cost): (Placed, f32)| {
            let hidden = hidden_of(&place);
            let foreign = || foreign_part(place.around, |point| is_foreign(index, point));
            (hidden <= MOST_HIDDEN).then(|| (own_cost + hidden * on_others + foreign() * on_areas, place))
        };
        let best = one.places().filter_map(with_cost).min_by(|a, b| a.0.total_cmp(&b.0));
        // No place is good: what counts then is that most of the name can be read.
        let least_hidden = || {
            let places = one
                .places()
                .map(|(place, own_cost)| (own_cost + hidden_of(&place) * on_others, place));
            places.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        if let (Some((_, place)), Some(own)) = (best.or_else(least_hidden), found.get_mut(index)) {
            taken.push(place.around.expand2(APART));
            *own = Some(place);
        }
    }
    found
}

/// How large a part of a rectangle lies on something, by a few points in it.
fn foreign_part(around: Rect, is_foreign: impl Fn(Pos2) -> bool) -> f32 {
    let shares = [0.02, 0.26, 0.5, 0.74, 0.98];
    let points = shares
        .iter()
        .flat_map(|x| [0.2, 0.8].map(|y| around.min + vec2(*x, y) * around.size()));
    points.filter(|point| is_foreign(*point)).count() as f32 / 10.0
}

/// A name broken at the space that lies nearest to its middle.
fn in_two_lines(name: &str) -> Option<[&str; 2]> {
    let spaces = name.match_indices(' ').map(|(index, _)| index);
    let at = spaces.min_by_key(|index| index.abs_diff(name.len() / 2))?;
    let (first, rest) = name.split_at_checked(at)?;
    Some([first, rest.trim_start()])
}

/// A name with its words shortened as on maps: the first of several to its letter, long ones to their beginning. None if it is short.
fn shortened(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
    let cut = |word: &str, length: usize| -> String { word.chars().take(length).chain(['.']).collect() };
    let long = |word: &str| word.chars().count() > LONG_WORD;
    let word = |(index, word): (usize, &&str)| match *word {
        word if index == 0 && words.len() > 1 && word.chars().count() > 2 => cut(word, 1),
        word if long(word) => cut(word, SHORT_WORD),
        word => word.to_owned(),
    };
    let short = words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ");
    (short != name).then_some(short)
}

/// The ways to write a name, as lines with what they cost: in one line and in two, and shortened.
fn forms(name: &str) -> Vec<(Vec<String>, f32)> {
    let mut forms = vec![(vec![name.to_owned()], 0.0)];
    let in_lines = |name: &str| in_two_lines(name).map(|lines| lines.map(str::to_owned).to_vec());
    forms.extend(in_lines(name).map(|lines| (lines, BROKEN)));
    if let Some(short) = shortened(name) {
        let broken = in_lines(&short);
        forms.push((vec![short], SHORTENED));
        forms.extend(broken.map(|lines| (lines, SHORTENED + BROKEN)));
    }
    forms
}

/// The names of areas, where the board has areas and names are shown.
pub(super) fn area_names_layer(canvas: &Canvas<'_>, visible: &[CellId]) -> Layer {
    let mut layer = Layer::default();
    if canvas.geometry.has_areas && canvas.shows_names() {
        draw_area_names(canvas, &mut layer, visible);
    }
    layer
}

fn draw_area_names(canvas: &Canvas<'_>, layer: &mut Layer, visible: &[CellId]) {
    let zoom = canvas.camera.zoom();
    if zoom < LEAST_ZOOM {
        return;
    }
    let font = FontId::proportional((zoom * LETTER_SHARE).clamp(*LETTERS.start(), *LETTERS.end()));
    let areas: Vec<CellId> = visible
        .iter()
        .copied()
        .filter(|cell| canvas.shape(*cell).is_some() && canvas.scene.is_explored(*cell))
        .collect();
    let wanted: Vec<Wanted> = areas.iter().map(|cell| wanted(canvas, *cell, &font)).collect();
    let is_foreign = |index: usize, point: Pos2| {
        let hit = area_at(canvas, point);
        !canvas.geometry.bounds.contains(canvas.camera.to_drawing(point)) || (hit.is_some() && hit != areas.get(index).copied())
    };
    for (cell, placed) in areas.iter().zip(arrange(&wanted, &is_foreign)) {
        let Some(placed) = placed else { continue };
        let is_at_sea = foreign_part(placed.around, |point| area_at(canvas, point).is_none()) > 0.5;
        let ground = canvas.shaded_ground(*cell).filter(|_| !is_at_sea);
        let colour = ink_on(ground.unwrap_or_else(|| sea(canvas)));
        let Some((lines, _)) = forms(canvas.board().cell_title(*cell)).into_iter().nth(placed.form) else {
            continue;
        };
        let step = placed.around.height() / lines.len() as f32;
        for (index, line) in lines.iter().enumerate() {
            let middle = pos2(placed.around.center().x, placed.around.top() + step * (index as f32 + 0.5));
            name_with_halo(layer, middle, line, &font, colour);
        }
    }
}

fn area_at(canvas: &Canvas<'_>, point: Pos2) -> Option<CellId> {
    canvas.scene.cell_at(canvas.camera.to_drawing(point))
}

fn wanted(canvas: &Canvas<'_>, cell: CellId, font: &FontId) -> Wanted {
    let size = |lines: &[String]| {
        let sizes = lines.iter().map(|line| canvas.text_size(line, font));
        sizes.fold(Vec2::ZERO, |all, one| vec2(all.x.max(one.x), all.y + one.y * 0.86))
    };
    let forms = forms(canvas.board().cell_title(cell)).into_iter();
    let is_free_point = canvas.shape(cell).is_some_and(CellShape::is_point) && canvas.scene.state.pieces_at(cell).is_empty();
    Wanted {
        middle: canvas.middle(cell),
        radius: canvas.piece_radius(cell) * if is_free_point { POINT } else { RING },
        size: canvas.shape(cell).map_or(0.0, |shape| shape.bounds.area()),
        forms: forms.map(|(lines, cost)| (size(&lines), cost)).collect(),
    }
}

/// A halo keeps names apart from whatever lies there: they reach out of small areas.
fn name_with_halo(layer: &mut Layer, middle: Pos2, text: &str, font: &FontId, colour: Color32) {
    let halo = veil(ink_on(colour), 0.55);
    for away in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
        layer.text(middle + away, Align2::CENTER_CENTER, text, font.clone(), halo);
    }
    layer.text(middle, Align2::CENTER_CENTER, text, font.clone(), veil(colour, 0.95));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name of 60 points beside a disc of 10, at a place.
    fn wanted(x: f32, y: f32) -> Wanted {
        Wanted {
            middle: pos2(x, y),
            radius: 10.0,
            size: 100.0,
            forms: vec![(vec2(60.0, 10.0), 0.0), (vec2(30.0, 20.0), BROKEN)],
        }
    }

    fn arranged(wanted: &[Wanted]) -> Vec<Option<Placed>> {
        arrange(wanted, &|_, _| false)
    }

    #[test]
    fn a_name_with_room_lies_below_in_one_line() {
        let found = arranged(&[wanted(0.0, 0.0)]);
        let placed = found[0].unwrap();
        assert_eq!((placed.form, placed.around.center().x), (0, 0.0));
        assert!(placed.around.top() > 10.0, "{placed:?}");
    }

    #[test]
    fn names_side_by_side_give_way_to_one_another() {
        let all: Vec<Wanted> = (0..5).map(|index| wanted(index as f32 * 34.0, 0.0)).collect();
        let found: Vec<Rect> = arranged(&all).into_iter().flatten().map(|placed| placed.around).collect();
        assert!(found.len() >= 4, "{found:?}");
        for (index, one) in found.iter().enumerate() {
            for other in &found[index + 1..] {
                let both = one.intersect(*other);
                assert!(
                    !both.is_positive() || both.area() <= MOST_HIDDEN * one.area(),
                    "{one:?} lies on {other:?}"
                );
            }
        }
    }

    #[test]
    fn a_name_lies_rather_on_its_own_area_or_the_sea_than_on_another_area() {
        let found = arrange(&[wanted(0.0, 0.0)], &|_, point| point.y > 5.0);
        assert!(found[0].unwrap().around.bottom() < 5.0);
    }

    #[test]
    fn a_name_without_any_room_lies_where_least_of_it_is_hidden() {
        let mut all: Vec<Wanted> = [
            (0.0, 0.0),
            (0.0, 17.0),
            (0.0, -17.0),
            (40.0, 0.0),
            (-40.0, 0.0),
            (22.0, 17.0),
            (-22.0, 17.0),
        ]
        .map(|(x, y)| wanted(x, y))
        .into();
        all[0].size = 1_000.0;
        all[0].forms.truncate(1);
        let found = arranged(&all);
        let others = found[1..].iter().flatten().map(|other| other.around);
        let discs = all
            .iter()
            .map(|one| Rect::from_center_size(one.middle, Vec2::splat(2.0 * one.radius)));
        let own = found[0].unwrap().around;
        let hidden: f32 = others
            .chain(discs)
            .map(|other| own.intersect(other))
            .filter(Rect::is_positive)
            .map(|both| both.area())
            .sum();
        assert!(hidden < own.area(), "{own:?}");
    }

    #[test]
    fn names_are_shortened_as_on_maps() {
        let short = [
            "Western United States",
            "Great Britain",
            "Kamchatka",
            "Siam",
            "New Guinea",
            "Severozápadní teritorium",
        ]
        .map(shortened);
        let short = short.map(Option::unwrap_or_default);
        assert_eq!(short, ["W. United States", "G. Britain", "Kamch.", "", "N. Guinea", "S. terit."]);
    }

    #[test]
    fn a_name_is_shortened_before_it_is_hidden() {
        let mut all = vec![
            wanted(0.0, 0.0),
            wanted(0.0, 26.0),
            wanted(0.0, -26.0),
            wanted(44.0, 0.0),
            wanted(-44.0, 0.0),
        ];
        all[0].size = 1_000.0;
        all[0].forms.push((vec2(12.0, 6.0), SHORTENED));
        let placed = arranged(&all)[0].unwrap();
        assert_eq!(placed.form, 2, "{placed:?}");
    }

    #[test]
    fn names_are_broken_where_both_lines_are_nearly_as_long() {
        assert_eq!(in_two_lines("Western United States"), Some(["Western", "United States"]));
        assert_eq!(in_two_lines("Siam"), None);
    }
}
