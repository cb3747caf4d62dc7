//! The tray: pieces that have a shape and were not placed yet, of all who have any.

use egui::{Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};

use super::piece_button::{paint_shape, piece_colour, size_of};
use super::zones::{Picking, ZoneContents, has_shapes, zones};
use crate::action_picker::ActionPicker;
use crate::board::Scene;
use crate::command::{ChoiceCommand, UiCommand};
use crate::theme::{Palette, from_right_ui, remark, space, strong, veil};
use boardwright_model::{PieceId, Pose, SeatId, Shape};

/// The sides of a square of one's own pieces, in points: the largest one with which everything is in sight is taken, or else the least.
const SQUARES: [f32; 8] = [32.0, 29.0, 26.0, 24.0, 22.0, 20.0, 18.0, 17.0];
const LEAST_SQUARE: f32 = 16.0;
/// The side of a square of others' pieces, as a share of that of one's own.
const OTHERS: f32 = 0.55;
/// What is left free around a shape on each side, as a share of a square.
const MARGIN: f32 = 0.32;
/// The height of the line above the pieces of a zone, in points.
const HEADING: f32 = 24.0;

/// The tray, which remembers how large its pieces are, so that they do not grow as it empties.
#[derive(Debug, Default)]
pub(crate) struct Tray {
    room: Vec2,
    square: Option<f32>,
}

/// What the tray shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrayContents<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) picker: Option<&'a ActionPicker>,
    /// The seat whose pieces are shown large.
    pub(crate) own: Option<SeatId>,
}

impl Tray {
    /// Shows the tray in all the room there is.
    pub(crate) fn ui(&mut self, ui: &mut Ui, contents: TrayContents<'_>, commands: &mut Vec<UiCommand>) {
        let TrayContents { scene, picker, own } = contents;
        let picking = Picking::of(picker);
        let mut shown = zones(scene.state, &picking, own);
        shown.retain(|contents| has_shapes(scene.state, contents.zone));
        // Where nobody at the window has any, all are alike.
        let is_large = |contents: &ZoneContents<'_>| contents.is_own || own.is_none();
        let room = ui.available_size();
        // A bar that appears when there is much to be rolled takes some of the width.
        let width = room.x - space::M;
        let height = |square: f32| -> f32 {
            let heights = shown.iter().map(|contents| {
                let square = if is_large(contents) { square } else { square * OTHERS };
                HEADING + space::S + flow(&sizes(scene, contents, square), width).1
            });
            heights.sum()
        };
        let fitting = SQUARES.into_iter().find(|square| height(*square) <= room.y);
        let fitting = fitting.unwrap_or(LEAST_SQUARE);
        if self.room != room {
            (self.room, self.square) = (room, None);
        }
        let square = self.square.map_or(fitting, |known| known.min(fitting));
        self.square = Some(square);
        let area = ScrollArea::vertical().id_salt("tray").auto_shrink(false).min_scrolled_height(0.0);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
            for contents in &shown {
                let square = if is_large(contents) { square } else { square * OTHERS };
                zone_ui(ui, scene, contents, (square, width), &picking, commands);
            }
        });
    }
}

/// The pieces of a zone with its name above them.
fn zone_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    contents: &ZoneContents<'_>,
    (square, width): (f32, f32),
    picking: &Picking,
    commands: &mut Vec<UiCommand>,
) {
    ui.allocate_ui(vec2(width, HEADING), |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = space::S;
            let first = contents.zone.pieces().first().and_then(|piece| scene.state.piece(*piece));
            if let Some(first) = first {
                let (sign, _) = ui.allocate_exact_size(Vec2::splat(12.0), Sense::hover());
                ui.painter().rect_filled(sign, 3, piece_colour(ui, scene, first));
            }
            let title = contents.title(scene.state.declarations());
            let count = contents.zone.count();
            let name = ui.label(if contents.is_own { strong(&title) } else { remark(&title) });
            name.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}: {count}")));
            from_right_ui(ui, |ui| ui.label(remark(count.to_string())));
        });
    });
    let (places, height) = flow(&sizes(scene, contents, square), width);
    let (field, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    // What fits nowhere is pale; while others act, nobody knows what will.
    let is_pale = contents.has_offered && picking.is_choosing;
    for (piece, place) in contents.zone.pieces().iter().zip(places) {
        let place = place.translate(field.min.to_vec2());
        piece_ui(ui, scene, *piece, (place, square, is_pale), picking, commands);
    }
    ui.add_space(space::XS);
}

fn piece_ui(
    ui: &Ui,
    scene: &Scene<'_>,
    id: PieceId,
    (place, square, is_pale): (Rect, f32, bool),
    picking: &Picking,
    commands: &mut Vec<UiCommand>,
) {
    let palette = Palette::of(ui.visuals());
    let (Some(piece), Some(shape)) = (scene.state.piece(id), shape_of(scene, id, picking.pose_of(id))) else {
        return;
    };
    let (is_offered, is_picked) = (picking.can_be_clicked(scene, id), picking.is_picked(id));
    let sense = if is_offered { Sense::click_and_drag() } else { Sense::hover() };
    let response = ui.interact(place, ui.scope_id().with(("tray", id)), sense);
    let label = scene.piece_text(id);
    response.widget_info(|| WidgetInfo::selected(Role::Button, is_offered, is_picked, &label));
    if !ui.is_rect_visible(place) {
        return;
    }
    if is_picked {
        ui.painter().rect(
            place,
            6,
            veil(palette.accent, 0.22),
            Stroke::new(1.5, palette.accent),
            StrokeKind::Inside,
        );
    } else if is_offered && (response.hovered() || response.has_focus()) {
        let edge = Stroke::new(1.0, palette.accent);
        ui.painter().rect(place, 6, veil(palette.accent, 0.1), edge, StrokeKind::Inside);
    }
    let opacity = if is_pale && !is_offered { 0.3 } else { 1.0 };
    let side = square.min((place.size() / size_of(shape)).min_elem());
    let corner = place.center() - size_of(shape) * side / 2.0;
    paint_shape(
        ui.painter(),
        corner,
        shape,
        side,
        (piece_colour(ui, scene, piece), opacity),
        piece.owner,
    );
    // Dragged, it goes to the board.
    let is_taken = response.drag_started() && !is_picked;
    if response.on_hover_text(label).clicked() || is_taken {
        commands.push(ChoiceCommand::PickPiece(id).into());
    }
}

/// The shape of a piece in a pose; upright, if it has none.
fn shape_of<'a>(scene: &'a Scene<'_>, piece: PieceId, pose: Option<Pose>) -> Option<&'a Shape> {
    let kind = scene.state.declarations().kind(scene.state.piece(piece)?.kind)?;
    Some(kind.figure.as_ref()?.lying(pose.unwrap_or(Pose::UPRIGHT)))
}

/// How much room each piece of a zone takes; as much as upright, so that nothing moves while it is turned.
fn sizes(scene: &Scene<'_>, contents: &ZoneContents<'_>, square: f32) -> Vec<Vec2> {
    let size = |piece: &PieceId| shape_of(scene, *piece, None).map_or(Vec2::splat(1.0), size_of);
    let pieces = contents.zone.pieces().iter();
    pieces.map(|piece| (size(piece) + Vec2::splat(2.0 * MARGIN)) * square).collect()
}

/// Lays rectangles side by side in rows of a width, each in the middle of its row's height; how high all rows are together.
fn flow(sizes: &[Vec2], width: f32) -> (Vec<Rect>, f32) {
    let mut places: Vec<Rect> = Vec::new();
    let (mut x, mut top, mut row_height, mut row_start) = (0.0, 0.0, 0.0_f32, 0);
    let centre = |row: &mut [Rect], height: f32| {
        for place in row {
            *place = place.translate(vec2(0.0, (height - place.height()) / 2.0));
        }
    };
    for size in sizes {
        if x > 0.0 && x + size.x > width {
            centre(places.get_mut(row_start..).unwrap_or_default(), row_height);
            (x, top, row_start) = (0.0, top + row_height, places.len());
            row_height = 0.0;
        }
        places.push(Rect::from_min_size(egui::pos2(x, top), *size));
        x += size.x;
        row_height = row_height.max(size.y);
    }
    centre(places.get_mut(row_start..).unwrap_or_default(), row_height);
    (places, top + row_height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_lie_side_by_side_and_none_on_another() {
        let sizes = [
            vec2(30.0, 10.0),
            vec2(20.0, 30.0),
            vec2(60.0, 10.0),
            vec2(10.0, 10.0),
            vec2(500.0, 8.0),
        ];
        let (places, height) = flow(&sizes, 80.0);
        assert_eq!(places.iter().map(Rect::size).collect::<Vec<_>>(), sizes);
        for (index, place) in places.iter().enumerate() {
            assert!(place.bottom() <= height && place.top() >= 0.0);
            assert!(place.right() <= 80.0 || place.left() == 0.0, "{place:?}");
            for other in &places[index + 1..] {
                assert!(!place.shrink(0.1).intersects(*other), "{place:?} {other:?}");
            }
        }
        assert!((height - (30.0 + 10.0 + 8.0)).abs() < 0.01, "{height}");
    }
}
