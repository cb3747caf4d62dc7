//! The board in the match screen, what lies over it, and the buttons in its corner.

use std::collections::BTreeSet;

use egui::text::LayoutJob;
use egui::{Align2, Area, FontId, Id, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};

use super::ScreenContext;
use super::replay::present_sign_ui;
use crate::board::{Art, BoardReply, BoardView, Clicks, Marks, Scene};
use crate::command::{UiCommand, button_ui};
use crate::keys::{Act, button_of};
use crate::match_controller::{MatchController, board_marks, ghost};
use crate::panels;
use crate::theme::{Icon, Palette, card, size, space, veil};
use boardwright_model::{CellId, Fingerprint};
use boardwright_protocol::Description;

/// How long the pointer rests on a cell before its text is shown, in seconds: longer than a player needs to aim.
const REST: f64 = 0.8;
/// How far a text stays away from what it is about, in points.
const APART: f32 = 8.0;
/// How wide a text on the board is at most, in points.
const MOST_TEXT: f32 = 280.0;
/// The height of a button beside the board, in points, and how much of it is seen where it lies over the board.
const ZOOM_BUTTON: f32 = 28.0;
const PALE: f32 = 0.4;

/// The board, its pictures, and where it is.
#[derive(Debug)]
pub(super) struct BoardPane {
    pub(super) view: BoardView,
    art: Art,
    art_of: Option<Fingerprint>,
    /// What was pointed out last, and brought into sight for that.
    pointed_out: BTreeSet<CellId>,
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
            pointed_out: BTreeSet::new(),
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

    /// Shows the board in all the room there is. `shows_present` is whether the present stands in for the past position; `remark` is what
    /// is told beside a cell.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        controller: &MatchController,
        context: ScreenContext<'_>,
        (shows_present, remark): (bool, Option<&(CellId, String)>),
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
        if self.pointed_out != marks.pointed_out && self.view.show(&marks.pointed_out) {
            self.pointed_out.clone_from(&marks.pointed_out);
        }
        let reply = self.view.ui(ui, &scene);
        self.rect = reply.response.rect;
        match remark {
            Some((cell, text)) => remark_ui(ui, &self.view, &scene, self.rect, *cell, text),
            None => cell_text_ui(ui, &self.view, &mut self.rests_on, &scene, &reply),
        }
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
        if let (Some((cell, pieces)), Some(picker)) = (&controller.choice().candidates, controller.picker())
            && let Some(place) = self.view.place_of(*cell)
        {
            let marks = Marks::default();
            let scene = self.scene(controller, context, &marks);
            panels::piece_chooser_ui(
                ui,
                &scene,
                picker,
                (*cell, pieces),
                (place, self.view.room_of(*cell)),
                self.view.has_focus(),
                commands,
            );
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
        translator: Some(controller.translator()),
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

/// The text of the cell on which the pointer rests, or that has the focus, beside it.
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
    let edge = Stroke::new(1.0, Palette::of(ui.visuals()).line);
    text_beside_ui(ui, view, scene, reply.response.rect, cell, &scene.short_cell_text(cell), edge);
}

/// Where a text of a size is to stand beside a cell: within a rectangle, and on as few pieces and cells that can be
/// chosen as there can be.
fn place_beside(view: &BoardView, scene: &Scene<'_>, within: Rect, cell: CellId, size: Vec2) -> Option<Rect> {
    let middle = view.place_of(cell)?;
    let disc = |cell: CellId| {
        let side = 2.0 * view.room_of(cell);
        view.place_of(cell).map(|middle| Rect::from_center_size(middle, Vec2::splat(side)))
    };
    let state = scene.state;
    let taken = view
        .visible()
        .into_iter()
        .filter(|other| *other == cell || !state.pieces_at(*other).is_empty() || scene.marks.can_be_clicked(*other));
    let taken: Vec<Rect> = taken.filter_map(disc).collect();
    let away = Vec2::splat(view.room_of(cell) + APART) + size / 2.0;
    let step = 2.0 * view.room_of(cell) + APART;
    let sides = [vec2(0.0, away.y), vec2(0.0, -away.y), vec2(away.x, 0.0), vec2(-away.x, 0.0)];
    // Somewhat farther away there may be room where beside it is none.
    let farther = sides.map(|side| side + side.normalized() * step);
    let slants = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)].map(|(right, down)| vec2(away.x * right, away.y * down));
    let places = sides.into_iter().chain(slants).chain(farther).map(|aside| {
        let rect = Rect::from_center_size(middle + aside, size);
        let inside = rect.min.max(within.min).min(within.max - size).max(within.min);
        Rect::from_min_size(inside, size)
    });
    let hidden = |place: &Rect| -> f32 {
        let both = taken.iter().map(|disc| place.intersect(*disc));
        both.filter(Rect::is_positive).map(|both| both.area()).sum()
    };
    places.min_by(|a, b| hidden(a).total_cmp(&hidden(b)))
}

/// Shows a short text beside a cell.
fn text_beside_ui(ui: &Ui, view: &BoardView, scene: &Scene<'_>, within: Rect, cell: CellId, text: &str, edge: Stroke) -> Option<Rect> {
    let palette = Palette::of(ui.visuals());
    let mut job = LayoutJob::simple(
        text.to_owned(),
        FontId::proportional(size::SMALL),
        palette.text,
        MOST_TEXT.min(within.width() - 20.0),
    );
    job.halign = egui::Align::LEFT;
    let galley = ui.painter().layout_job(job);
    let rect = place_beside(view, scene, within, cell, galley.size() + vec2(14.0, 6.0))?;
    let painter = ui.painter_at(within);
    painter.rect(rect, 6, veil(palette.surface, 0.96), edge, StrokeKind::Outside);
    painter.galley(rect.min + vec2(7.0, 3.0), galley, palette.text);
    Some(rect)
}

/// Shows beside a cell that was clicked why nothing was chosen there.
fn remark_ui(ui: &Ui, view: &BoardView, scene: &Scene<'_>, within: Rect, cell: CellId, text: &str) {
    let edge = Stroke::new(1.5, Palette::of(ui.visuals()).warning);
    if let Some(rect) = text_beside_ui(ui, view, scene, within, cell, text, edge) {
        let response = ui.interact(rect, Id::unique("remark on the board"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, text));
    }
}
