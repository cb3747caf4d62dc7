//! The dice of the last action, drawn over the board.

use egui::{Align2, Area, Color32, FontId, Id, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::theme::{Palette, bold, card, ink_on, mix, remark, space, veil};
use boardwright_model::{Draw, DrawKind};

/// The most throws that are shown.
const MOST_THROWS: usize = 3;
/// The side of a die, in points.
const SIDE: f32 = 30.0;

/// The room below for the text of the cell under the pointer.
const BELOW: f32 = 36.0;

/// Shows the dice among some draws in the lower left of a rectangle.
pub(crate) fn dice_ui(ui: &Ui, within: Rect, draws: &[Draw]) {
    let throws: Vec<&Draw> = draws.iter().filter(|draw| matches!(draw.kind, DrawKind::Dice { .. })).collect();
    if throws.is_empty() {
        return;
    }
    let palette = Palette::of(ui.visuals());
    Area::new(Id::unique("dice"))
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(within.left_bottom() + vec2(space::M, -space::M - BELOW))
        .interactable(false)
        .show(ui.ctx(), |ui| {
            card(veil(palette.surface, 0.94), palette.line, 10, (10, 8)).show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
                for draw in throws.iter().rev().take(MOST_THROWS).rev() {
                    throw_ui(ui, draw);
                }
            });
        });
}

fn throw_ui(ui: &mut Ui, draw: &Draw) {
    let DrawKind::Dice { sides, .. } = &draw.kind else {
        return;
    };
    let faces: Vec<String> = draw.result.iter().map(ToString::to_string).collect();
    ui.label(remark(&*draw.purpose));
    ui.horizontal(|ui| {
        for face in draw.result.iter() {
            let (rect, _) = ui.allocate_exact_size(vec2(SIDE, SIDE), Sense::hover());
            paint_die(ui, rect, *face, u64::from(*sides));
        }
        let (_, said) = ui.allocate_exact_size(vec2(1.0, SIDE), Sense::hover());
        said.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{}: {}", draw.purpose, faces.join(", "))));
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
