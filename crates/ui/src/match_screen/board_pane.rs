//! The board in the match screen, what lies over it, and the buttons in its corner.

use egui::{Align2, Area, CornerRadius, FontId, Frame, Id, Margin, Rect, Stroke, Ui, Vec2, vec2};

use super::ScreenContext;
use super::replay::present_sign_ui;
use crate::board::{Art, BoardView, Clicks, Marks, Scene};
use crate::command::UiCommand;
use crate::keys::{Act, key_of};
use crate::match_controller::{MatchController, board_marks, ghost};
use crate::panels;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, size, space, veil};
use boardwright_model::{CellId, Fingerprint};
use boardwright_protocol::Description;

/// The board, its pictures, and where it is.
#[derive(Debug)]
pub(super) struct BoardPane {
    view: BoardView,
    art: Art,
    art_of: Option<Fingerprint>,
    hovered: Option<CellId>,
    rect: Rect,
}

impl Default for BoardPane {
    fn default() -> Self {
        Self {
            view: BoardView::default(),
            art: Art::default(),
            art_of: None,
            hovered: None,
            rect: Rect::NOTHING,
        }
    }
}

impl BoardPane {
    pub(super) fn has_focus(&self) -> bool {
        self.view.has_focus()
    }

    pub(super) fn hovered(&self) -> Option<CellId> {
        self.hovered
    }

    pub(super) fn rect(&self) -> Rect {
        self.rect
    }

    pub(super) fn fit(&mut self) {
        self.view.fit();
    }

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
            marks.ghost = ghost(controller, self.hovered);
        }
        let mut scene = scene(&self.art, controller, context, &marks);
        if let Some((state, looks)) = present {
            (scene.state, scene.looks, scene.clicks, scene.takes_wheel) = (state, looks, Clicks::Ignored, false);
        }
        let reply = self.view.ui(ui, &scene);
        self.rect = reply.response.rect;
        if let Some(cell) = reply.hovered {
            cell_text_ui(ui, self.rect, &scene.cell_text(cell));
        }
        if self.hovered != reply.hovered {
            // What the action would bring about is drawn in the next frame.
            self.hovered = reply.hovered;
            ui.ctx().request_repaint();
        }
        if present.is_some() {
            present_sign_ui(ui, self.rect);
        } else {
            commands.extend(reply.commands.into_iter().map(UiCommand::from));
        }
        zoom_buttons_ui(ui, self.rect, commands);
    }

    /// What lies over the board: dice, and pieces to choose among.
    pub(super) fn overlays_ui(&self, ui: &Ui, controller: &MatchController, context: ScreenContext<'_>, commands: &mut Vec<UiCommand>) {
        panels::dice_ui(ui, self.rect, controller.draws());
        if let Some((cell, pieces)) = controller.candidates()
            && let Some(place) = self.view.place_of(cell)
        {
            let marks = Marks::default();
            let scene = self.scene(controller, context, &marks);
            let above = place - vec2(0.0, 26.0);
            panels::piece_chooser_ui(ui, &scene, (cell, pieces), above, self.has_focus(), commands);
        }
    }
}

fn scene<'a>(art: &'a Art, controller: &'a MatchController, context: ScreenContext<'a>, marks: &'a Marks) -> Scene<'a> {
    Scene {
        state: context.state,
        looks: controller.looks(),
        art,
        marks,
        travels: controller.travels(),
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

/// The buttons in the corner of the board that change how it is seen.
fn zoom_buttons_ui(ui: &Ui, within: Rect, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    Area::new(Id::unique("board corner"))
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(within.right_bottom() - vec2(space::M, space::M))
        .show(ui.ctx(), |ui| {
            Frame::NONE
                .fill(palette.surface)
                .corner_radius(CornerRadius::same(10))
                .stroke(Stroke::new(1.0, palette.line))
                .inner_margin(Margin::same(2))
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing = Vec2::ZERO;
                    for (icon, label, act, command) in [
                        (Icon::ZoomIn, text!("board-larger"), Act::Larger, UiCommand::ZoomBoard(1.25)),
                        (Icon::ZoomOut, text!("board-smaller"), Act::Smaller, UiCommand::ZoomBoard(0.8)),
                        (Icon::Fit, text!("board-whole"), Act::Whole, UiCommand::FitBoard),
                    ] {
                        if ui.add(IconButton::icon(icon, label).hint(key_of(act)).height(30.0)).clicked() {
                            commands.push(command);
                        }
                    }
                });
        });
}

/// The text of the cell under the pointer, in the lower left of the board.
fn cell_text_ui(ui: &Ui, within: Rect, text: &str) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(size::SMALL), palette.text);
    let corner = within.left_bottom() + vec2(space::M, -space::M - galley.size().y - 8.0);
    let rect = Rect::from_min_size(corner, galley.size() + vec2(16.0, 8.0));
    painter.rect_filled(rect, CornerRadius::same(8), veil(palette.surface, 0.92));
    painter.galley(corner + vec2(8.0, 4.0), galley, palette.text);
}
