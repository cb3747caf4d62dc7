//! The dice of the last action, drawn over the board beside the cells that they were rolled for.

use egui::{Align2, Area, Color32, FontId, Grid, Id, Label, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::texts::capitalized;
use crate::theme::{Palette, bold, card, ink_on, mix, remark, space, strong, veil};
use boardwright_model::{Draw, DrawKind};

/// The most throws that are shown.
const MOST_THROWS: usize = 3;
/// The side of a die, in points.
const SIDE: f32 = 24.0;

/// The room below for the text of the cell under the pointer.
const BELOW: f32 = 36.0;
/// How far the dice are from the middles of the cells, and the height and width they need, in points.
const AWAY: f32 = 34.0;
const HEIGHT: f32 = 110.0;
const WIDEST: f32 = 210.0;
/// How much is seen of them while the pointer is on them: what lies below is meant then.
const PALE: f32 = 0.12;
/// Cells farther apart than this have no place between them that would be near to both.
const FAR: f32 = 280.0;

/// Shows the dice among some draws, the highest first, beside the places of the cells that they are about; with what came of it in a sentence.
pub(crate) fn dice_ui(ui: &Ui, within: Rect, draws: &[Draw], places: &[Pos2], sentence: &str) {
    let throws: Vec<&Draw> = draws.iter().filter(|draw| matches!(draw.kind, DrawKind::Dice { .. })).collect();
    if throws.is_empty() {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let (pivot, place) = beside(places, within);
    let id = Id::unique("dice");
    let area = Area::new(id)
        .pivot(pivot)
        .fixed_pos(place)
        .constrain_to(within.shrink(space::S))
        .interactable(false);
    let last = ui.ctx().memory(|memory| memory.area_rect(id));
    let pointer = ui.ctx().pointer_latest_pos();
    let is_in_the_way = last.zip(pointer).is_some_and(|(last, pointer)| last.contains(pointer));
    area.show(ui.ctx(), |ui| {
        if is_in_the_way {
            ui.multiply_opacity(PALE);
        }
        card(veil(palette.surface, 0.94), palette.line, 10, (10, 8)).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
            Grid::new("throws").show(ui, |ui| {
                for draw in throws.iter().rev().take(MOST_THROWS).rev() {
                    throw_ui(ui, draw);
                    ui.end_row();
                }
            });
            if !sentence.is_empty() {
                ui.set_max_width(WIDEST);
                ui.add(Label::new(strong(sentence)).wrap());
            }
        });
    });
}

/// Where the dice are: above the cells, or below them where there is no room; beside the last one where they are far apart. In the lower left
/// where no cell is known.
fn beside(places: &[Pos2], within: Rect) -> (Align2, Pos2) {
    let all = Rect::from_points(places);
    let about = match places.last() {
        None => return (Align2::LEFT_BOTTOM, within.left_bottom() + vec2(space::M, -space::M - BELOW)),
        Some(last) if all.size().max_elem() > FAR => Rect::from_center_size(*last, vec2(0.0, 0.0)),
        Some(_) => all,
    };
    let about = about.expand(AWAY);
    if about.top() - within.top() > HEIGHT {
        (Align2::CENTER_BOTTOM, about.center_top())
    } else {
        (Align2::CENTER_TOP, about.center_bottom())
    }
}

fn throw_ui(ui: &mut Ui, draw: &Draw) {
    let DrawKind::Dice { sides, .. } = &draw.kind else {
        return;
    };
    let mut sorted = draw.result.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let faces: Vec<String> = sorted.iter().map(ToString::to_string).collect();
    ui.label(remark(capitalized(&draw.purpose)));
    ui.horizontal(|ui| {
        for face in &sorted {
            let (rect, _) = ui.allocate_exact_size(vec2(SIDE, SIDE), Sense::hover());
            paint_die(ui, rect, *face, u64::from(*sides));
        }
        let (_, response) = ui.allocate_exact_size(vec2(1.0, SIDE), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{}: {}", draw.purpose, faces.join(", "))));
    });
}

/// A die with pips, or with a number if it is no cube.
fn paint_die(ui: &Ui, rect: Rect, face: u32, sides: u64) {
    let ivory = Color32::from_rgb(0xF7, 0xF1, 0xE3);
    let painter = ui.painter();
    painter.rect_filled(rect.translate(vec2(0.0, 1.5)), 6, veil(Color32::BLACK, 0.35));
    let rim = Stroke::new(1.0, mix(ivory, Color32::BLACK, 0.35));
    painter.rect(rect.shrink(1.0), 6, ivory, rim, StrokeKind::Inside);
    let ink = ink_on(ivory);
    if sides != 6 {
        let font = FontId::new(SIDE * 0.5, bold());
        painter.text(rect.center(), Align2::CENTER_CENTER, face.to_string(), font, ink);
        return;
    }
    for (x, y) in pips(face) {
        let place = rect.center() + vec2(f32::from(*x), f32::from(*y)) * SIDE * 0.26;
        painter.circle_filled(place, SIDE * 0.085, ink);
    }
}

fn pips(face: u32) -> &'static [(i8, i8)] {
    match face {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6 => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn the_dice_are_beside_the_cells_and_within_the_board() {
        let within = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 600.0));
        let (pivot, place) = beside(&[pos2(500.0, 400.0), pos2(560.0, 420.0)], within);
        assert_eq!((pivot, place), (Align2::CENTER_BOTTOM, pos2(530.0, 400.0 - AWAY)));
        let (pivot, place) = beside(&[pos2(500.0, 60.0)], within);
        assert_eq!((pivot, place), (Align2::CENTER_TOP, pos2(500.0, 60.0 + AWAY)));
        let (_, place) = beside(&[pos2(50.0, 400.0), pos2(950.0, 400.0)], within);
        assert!((place.x - 950.0).abs() < 1.0, "beside what was attacked");
        assert_eq!(beside(&[], within).0, Align2::LEFT_BOTTOM);
    }
}
