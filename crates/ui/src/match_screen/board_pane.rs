//! The board in the match screen, what lies over it, and the buttons in its corner.

use egui::{Align2, Area, FontId, Id, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::ScreenContext;
use super::replay::present_sign_ui;
use crate::board::{Art, BoardReply, BoardView, Clicks, Marks, Scene};
use crate::command::{UiCommand, button_ui};
use crate::keys::{Act, button_of};
use crate::match_controller::{MatchController, board_marks, ghost};
use crate::panels;
use crate::theme::{Icon, Palette, card, lay_out, size, space, veil};
use boardwright_model::{CellId, Fingerprint};
use boardwright_protocol::Description;

/// How long the pointer rests on a cell before its text is shown, in seconds.
const REST: f64 = 0.4;
/// The height of a button beside the board, in points, and how much of it is seen where it lies over the board.
const ZOOM_BUTTON: f32 = 28.0;
const PALE: f32 = 0.4;

/// The board, its pictures, and where it is.
#[derive(Debug)]
pub(super) struct BoardPane {
    pub(super) view: BoardView,
    art: Art,
    art_of: Option<Fingerprint>,
    pub(super) hovered: Option<CellId>,
    /// The cell that a click would choose.
    pub(super) aimed: Option<CellId>,
    /// The cell that the pointer is on, and since when.
    rests_on: Option<(CellId, f64)>,
    pub(super) rect: Rect,
}

impl Default for BoardPane {
    fn default() -> Self {
        Self {
            view: BoardView::default(),
            art: Art::default(),
            art_of: None,
            hovered: None,
            aimed: None,
            rests_on: None,
            rect: Rect::NOTHING,
        }
    }
}

impl BoardPane {
    pub(super) fn zoom(&mut self, factor: f32) {
        self.view.zoom(factor);
    }

    pub(super) fn load_art(&mut self, ui: &Ui, description: &Description) {
        if self.art_of != Some(description.fingerprint) {
            self.art_of = Some(description.fingerprint);
            self.art = Art::new(ui.ctx(), &description.art);
        }
    }

    /// The board as the match shows it now.
    pub(super) fn scene<'a>(&'a self, controller: &'a MatchController, context: ScreenContext<'a>, marks: &'a Marks) -> Scene<'a> {
        scene(&self.art, controller, context, marks)
    }

    /// Shows the board in all the room there is. `shows_present` is whether the present stands in for the past position.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        controller: &MatchController,
        context: ScreenContext<'_>,
        shows_present: bool,
        commands: &mut Vec<UiCommand>,
    ) {
        let present = controller.present().filter(|_| shows_present);
        let mut marks = board_marks(controller);
        if present.is_some() {
            marks = Marks {
                differing: marks.differing,
                ..Marks::default()
            };
        } else {
            marks.ghost = ghost(controller, self.aimed);
        }
        let mut scene = scene(&self.art, controller, context, &marks);
        if let Some((state, looks)) = present {
            (scene.state, scene.looks, scene.clicks, scene.takes_wheel) = (state, looks, Clicks::Ignored, false);
        }
        let reply = self.view.ui(ui, &scene);
        self.rect = reply.response.rect;
        cell_text_ui(ui, &self.view, &mut self.rests_on, &scene, &reply);
        if (self.hovered, self.aimed) != (reply.hovered, reply.aimed) {
            // What the action would bring about is drawn in the next frame.
            (self.hovered, self.aimed) = (reply.hovered, reply.aimed);
            ui.ctx().request_repaint();
        }
        if present.is_some() {
            present_sign_ui(ui, self.rect);
        } else {
            commands.extend(reply.commands.into_iter().map(UiCommand::from));
        }
        let board = self.view.board_rect().unwrap_or(Rect::NOTHING);
        zoom_buttons_ui(ui, self.rect, board.intersect(self.rect), commands);
    }

    /// What lies over the board: dice, and pieces to choose among.
    pub(super) fn overlays_ui(&self, ui: &Ui, controller: &MatchController, context: ScreenContext<'_>, commands: &mut Vec<UiCommand>) {
        let cells = controller.display().last_cells(controller.mirror().at());
        let places: Vec<_> = cells.iter().filter_map(|cell| self.view.place_of(*cell)).collect();
        panels::dice_ui(ui, self.rect, &controller.display().draws, &places, &controller.display().sentence);
        if let Some((cell, pieces)) = &controller.choice().candidates
            && let Some(place) = self.view.place_of(*cell)
        {
            let marks = Marks::default();
            let scene = self.scene(controller, context, &marks);
            let above = place - vec2(0.0, 26.0);
            panels::piece_chooser_ui(ui, &scene, (*cell, pieces), above, self.view.has_focus(), commands);
        }
    }
}

fn scene<'a>(art: &'a Art, controller: &'a MatchController, context: ScreenContext<'a>, marks: &'a Marks) -> Scene<'a> {
    Scene {
        state: context.state,
        looks: &controller.display().looks,
        art,
        marks,
        travels: &controller.display().travels,
        washes: None,
        title: &context.description.scenario_title,
        clicks: match (controller.awaits_rules(), controller.may_choose()) {
            (true, _) => Clicks::Queued,
            (false, true) => Clicks::Taken,
            (false, false) => Clicks::Ignored,
        },
        shows_names: context.settings.shows_names,
        takes_wheel: controller.picker().is_some_and(|picker| picker.placement().is_some()),
    }
}

/// The buttons that change how the board is seen, in a corner of the room it has: side by side where there is more room below the board than
/// beside it, and paler where they lie over it.
fn zoom_buttons_ui(ui: &Ui, within: Rect, board: Rect, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    let (beside, below) = (within.right() - board.right(), within.bottom() - board.bottom());
    let covers = beside.max(below) < ZOOM_BUTTON + 2.0 * space::XS;
    let area = Area::new(Id::unique("board corner")).pivot(Align2::RIGHT_BOTTOM);
    let place = within.right_bottom() - Vec2::splat(space::XS);
    let is_near = ui
        .ctx()
        .pointer_latest_pos()
        .is_some_and(|pointer| pointer.distance(place) < 4.0 * ZOOM_BUTTON);
    area.fixed_pos(place).show(ui.ctx(), |ui| {
        if covers && !is_near {
            ui.multiply_opacity(PALE);
        }
        card(palette.surface, palette.line, 8, (1, 1)).show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            // As large as the buttons are: a layout that fills what there is would keep the height of buttons that stood in a column before.
            let mut buttons = |ui: &mut Ui| {
                for (icon, act, command) in [
                    (Icon::ZoomIn, Act::Larger, UiCommand::ZoomBoard(1.25)),
                    (Icon::ZoomOut, Act::Smaller, UiCommand::ZoomBoard(0.8)),
                    (Icon::Fit, Act::Whole, UiCommand::FitBoard),
                ] {
                    button_ui(ui, button_of(icon, act).height(ZOOM_BUTTON), command, commands);
                }
            };
            if below > beside {
                ui.horizontal(&mut buttons);
            } else {
                ui.vertical(&mut buttons);
            }
        });
    });
}

/// The text of the cell on which the pointer rests, beside the pointer; of one with the focus beside that.
fn cell_text_ui(ui: &Ui, view: &BoardView, rests_on: &mut Option<(CellId, f64)>, scene: &Scene<'_>, reply: &BoardReply) {
    let now = ui.input(|input| input.time);
    let Some(cell) = reply.hovered.filter(|_| scene.marks.held.is_none() && !reply.response.dragged()) else {
        *rests_on = None;
        return;
    };
    let since = match *rests_on {
        Some((known, since)) if known == cell => since,
        _ => now,
    };
    *rests_on = Some((cell, since));
    if now - since < REST {
        ui.ctx().request_repaint_after_secs((REST - (now - since)) as f32);
        return;
    }
    let pointer = ui.ctx().pointer_latest_pos().filter(|_| reply.response.contains_pointer());
    if let Some(place) = pointer.or_else(|| view.place_of(cell)) {
        paint_text_beside(ui, reply.response.rect, place, &scene.short_cell_text(cell));
    }
}

/// Draws a short text beside a point, so that it stays within a rectangle.
fn paint_text_beside(ui: &Ui, within: Rect, place: Pos2, text: &str) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let galley = lay_out(ui, text, FontId::proportional(size::SMALL));
    let size = galley.size() + vec2(14.0, 6.0);
    let mut corner = place + vec2(16.0, 14.0);
    if corner.x + size.x > within.right() {
        corner.x = place.x - 10.0 - size.x;
    }
    if corner.y + size.y > within.bottom() {
        corner.y = place.y - 10.0 - size.y;
    }
    let rect = Rect::from_min_size(corner.max(within.min), size);
    painter.rect(
        rect,
        6,
        veil(palette.surface, 0.94),
        Stroke::new(1.0, palette.line),
        StrokeKind::Outside,
    );
    painter.galley(rect.min + vec2(7.0, 3.0), galley, palette.text);
}
