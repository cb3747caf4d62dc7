//! The board, what lies over it, and what is done on it.

use std::sync::Arc;

use egui::{Frame, Margin, Ui};

use super::MatchScreen;
use boardwright_protocol::Description;
use boardwright_model::State;
use crate::panels;
use crate::board::{Clicks, Dropped, Marks, Scene};
use crate::keys::{Act, key_of};
use crate::settings::Settings;
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, size, space, veil};
use crate::wish::{Turn, Wish};

impl MatchScreen {
    pub(super) fn scene<'a>(
        &'a self,
        state: &'a Arc<State>,
        marks: &'a Marks,
        description: &'a Description,
        settings: &Settings,
    ) -> Scene<'a> {
        Scene {
            state,
            looks: self.desk.looks(),
            art: &self.art,
            marks,
            travels: self.desk.travels(),
            title: &description.scenario_title,
            clicks: match (self.awaits_rules(), self.desk.may_choose()) {
                (true, _) => Clicks::Kept,
                (false, true) => Clicks::Taken,
                (false, false) => Clicks::Ignored,
            },
            shows_names: settings.shows_names,
            takes_wheel: self.desk.picking().is_some_and(|picking| picking.laying().is_some()),
        }
    }

    /// What lies over the board: dice, pieces to choose among, odds.
    pub(super) fn over_board_ui(
        &mut self,
        ui: &Ui,
        within: egui::Rect,
        state: &Arc<State>,
        description: &Description,
        settings: &Settings,
        wishes: &mut Vec<Wish>,
    ) {
        panels::dice_ui(ui, within, self.desk.draws());
        let marks = Marks::default();
        let scene = self.scene(state, &marks, description, settings);
        if let Some((cell, pieces)) = self.desk.fan()
            && let Some(place) = self.board.place_of(within, cell)
        {
            let above = place - egui::vec2(0.0, 26.0);
            panels::fan_ui(ui, &scene, (cell, pieces), above, self.board.has_focus(), wishes);
        }
        if self.odds.is_open() {
            let odds = self.desk.odds();
            self.odds.ui(ui, within, odds.as_deref(), self.desk.awaits_odds(), state);
        }
    }
    pub(super) fn board_ui(
        &mut self,
        ui: &mut Ui,
        state: &Arc<State>,
        description: &Description,
        settings: &Settings,
        wishes: &mut Vec<Wish>,
    ) -> egui::Rect {
        let now = self.desk.present().filter(|_| self.replay.shows_present);
        let now = now.map(|(state, looks)| (Arc::clone(state), Arc::clone(looks)));
        let marks = match now {
            Some(_) => Marks {
                differing: self.desk.marks().differing,
                ..Marks::default()
            },
            None => Marks {
                ghost: self.desk.ghost(self.hovered),
                ..self.desk.marks()
            },
        };
        let mut board = std::mem::take(&mut self.board);
        let mut scene = self.scene(state, &marks, description, settings);
        if let Some((state, looks)) = &now {
            (scene.state, scene.looks, scene.clicks) = (state, looks, Clicks::Ignored);
        }
        let reply = board.ui(ui, &scene);
        let within = reply.response.rect;
        if let Some(cell) = reply.hovered {
            status_ui(ui, within, &scene.cell_text(cell));
        }
        if self.hovered != reply.hovered {
            // What would come of it is drawn in the next frame.
            self.hovered = reply.hovered;
            ui.ctx().request_repaint();
        }
        if reply.is_turned {
            let lays = self.desk.picking().is_some_and(|picking| picking.laying().is_some());
            let mirrors = ui.input(|input| input.modifiers.shift);
            wishes.push(match (lays, mirrors) {
                (true, true) => Wish::Turn(Turn::Mirror),
                (true, false) => Wish::Turn(Turn::On),
                (false, _) => Wish::StepBack,
            });
        }
        for _ in 0..reply.notches.unsigned_abs() {
            wishes.push(Wish::Turn(if reply.notches < 0 { Turn::On } else { Turn::Back }));
        }
        if now.is_some() {
            panels::present_sign_ui(ui, within);
        }
        self.board = board;
        if now.is_none() {
            wishes.extend(reply.lifted.map(Wish::Lift));
            match reply.dropped {
                Some(Dropped::On(cell)) => wishes.push(Wish::DropOn(cell)),
                Some(Dropped::Early { from, to }) => wishes.push(Wish::Drag(from, to)),
                Some(Dropped::Beside) | None => {}
            }
            wishes.extend(reply.clicked.map(|click| Wish::Click(click.cell, click.is_double)));
        }
        if reply.clicked.is_some() || reply.dropped.is_some() {
            ui.ctx().request_repaint();
        }
        within
    }

    /// The buttons in the corner of the board that change how it is seen.
    pub(super) fn corner_ui(ui: &Ui, within: egui::Rect, wishes: &mut Vec<Wish>) {
        let palette = Palette::of(ui.visuals());
        egui::Area::new(egui::Id::unique("board corner"))
            .pivot(egui::Align2::RIGHT_BOTTOM)
            .fixed_pos(within.right_bottom() - egui::vec2(space::M, space::M))
            .show(ui.ctx(), |ui| {
                Frame::NONE
                    .fill(palette.surface)
                    .corner_radius(egui::CornerRadius::same(10))
                    .stroke(egui::Stroke::new(1.0, palette.line))
                    .inner_margin(Margin::same(2))
                    .show(ui, |ui| {
                        ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
                        for (icon, label, act, wish) in [
                            (Icon::ZoomIn, text!("board-larger"), Act::Larger, Wish::Zoom(1.25)),
                            (Icon::ZoomOut, text!("board-smaller"), Act::Smaller, Wish::Zoom(0.8)),
                            (Icon::Fit, text!("board-whole"), Act::Whole, Wish::Fit),
                        ] {
                            if ui.add(IconButton::icon(icon, label).hint(key_of(act)).height(30.0)).clicked() {
                                wishes.push(wish);
                            }
                        }
                    });
            });
    }
}

/// The words for the cell under the pointer, in the lower left of the board.
fn status_ui(ui: &Ui, within: egui::Rect, text: &str) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let galley = painter.layout_no_wrap(text.to_owned(), egui::FontId::proportional(size::SMALL), palette.text);
    let corner = within.left_bottom() + egui::vec2(space::M, -space::M - galley.size().y - 8.0);
    let rect = egui::Rect::from_min_size(corner, galley.size() + egui::vec2(16.0, 8.0));
    painter.rect_filled(rect, egui::CornerRadius::same(8), veil(palette.surface, 0.92));
    painter.galley(corner + egui::vec2(8.0, 4.0), galley, palette.text);
}
