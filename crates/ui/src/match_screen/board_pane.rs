//! The board in the match screen, what lies over it, and the buttons in its corner.

use egui::{Align2, Area, FontId, Id, Rect, Ui, Vec2, vec2};

use super::ScreenContext;
use super::replay::present_sign_ui;
use crate::board::{Art, BoardView, Clicks, Marks, Scene};
use crate::command::{UiCommand, button_ui};
use crate::keys::{Act, button_of};
use crate::match_controller::{MatchController, board_marks, ghost};
use crate::panels;
use crate::theme::{Icon, Palette, card, lay_out, size, space, veil};
use boardwright_model::{CellId, Fingerprint};
use boardwright_protocol::Description;

/// The board, its pictures, and where it is.
#[derive(Debug)]
pub(super) struct BoardPane {
    pub(super) view: BoardView,
    art: Art,
    art_of: Option<Fingerprint>,
    pub(super) hovered: Option<CellId>,
    pub(super) rect: Rect,
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
        let cells = controller.display.last_cells(controller.mirror().at());
        let places: Vec<_> = cells.iter().filter_map(|cell| self.view.place_of(*cell)).collect();
        panels::dice_ui(ui, self.rect, &controller.display.draws, &places, &controller.display.sentence);
        if let Some((cell, pieces)) = &controller.choice.candidates
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
        looks: &controller.display.looks,
        art,
        marks,
        travels: &controller.display.travels,
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
            card(palette.surface, palette.line, 10, (2, 2)).show(ui, |ui| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                for (icon, act, command) in [
                    (Icon::ZoomIn, Act::Larger, UiCommand::ZoomBoard(1.25)),
                    (Icon::ZoomOut, Act::Smaller, UiCommand::ZoomBoard(0.8)),
                    (Icon::Fit, Act::Whole, UiCommand::FitBoard),
                ] {
                    button_ui(ui, button_of(icon, act).height(30.0), command, commands);
                }
            });
        });
}

/// The text of the cell under the pointer, in the lower left of the board.
fn cell_text_ui(ui: &Ui, within: Rect, text: &str) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let galley = lay_out(ui, text, FontId::proportional(size::SMALL));
    let corner = within.left_bottom() + vec2(space::M, -space::M - galley.size().y - 8.0);
    let rect = Rect::from_min_size(corner, galley.size() + vec2(16.0, 8.0));
    painter.rect_filled(rect, 8, veil(palette.surface, 0.92));
    painter.galley(corner + vec2(8.0, 4.0), galley, palette.text);
}
