//! Between people at one screen, of whom each sees what the others may not: the match is covered until the next one is there.

use std::collections::BTreeSet;

use egui::{CentralPanel, Frame, Label, Ui};

use crate::command::AppCommand;
use crate::keys::{self, Act};
use crate::match_controller::MatchController;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, card, remark, seat_colour, seat_mark_ui, size, space, title};
use boardwright_model::{SeatId, State};

/// Whose side the screen shows.
#[derive(Debug, Default)]
pub(super) struct HandOver {
    /// The seat that was shown last.
    shown: Option<SeatId>,
    /// Whether people have said that they may see everything of each other in this match.
    is_off: bool,
}

impl HandOver {
    /// The seat whose player has to come to the screen first, if the match is to be covered until then.
    pub(super) fn awaited(&mut self, controller: &MatchController, state: &State) -> Option<SeatId> {
        let mirror = controller.mirror();
        let viewer = mirror.main_viewer()?;
        if self.shown == Some(viewer) {
            return None;
        }
        let is_person = |seat: &SeatId| mirror.players().get(seat.index()).is_some_and(|player| player == "human");
        let people = mirror.seats().iter().filter(is_person);
        // As long as all see the same, nobody has anything to hide.
        let positions: BTreeSet<u64> = people.filter_map(|seat| Some(mirror.view(Some(seat))?.position())).collect();
        // In a tutorial one person plays all seats.
        if self.is_off || positions.len() < 2 || state.outcome().is_some() || controller.lesson().is_some() {
            self.shown = Some(viewer);
            return None;
        }
        Some(viewer)
    }

    /// Covers the match until the player of a seat is there.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, seat: SeatId, for_app: &mut Vec<AppCommand>) {
        let declarations = state.declarations();
        let name = declarations.seat_title(seat).to_string();
        let palette = Palette::of(ui.visuals());
        CentralPanel::no_frame().frame(Frame::NONE.fill(palette.ground)).show(ui, |ui| {
            ui.add_space(ui.available_height() * 0.3);
            ui.vertical_centered(|ui| {
                ui.set_max_width(420.0);
                card(palette.surface, palette.line, 12, (28, 24)).show(ui, |ui| {
                    seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 48.0);
                    ui.add_space(space::S);
                    ui.label(title(text!("hand-over-turn", seat = name.as_str()), size::TITLE));
                    ui.add(Label::new(remark(text!("hand-over-hint", seat = name.as_str()))).wrap());
                    ui.add_space(space::M);
                    let show = IconButton::with_text(Icon::Eye, text!("hand-over-show", seat = name.as_str()));
                    let is_clicked = ui.add(show.kind(ButtonKind::Primary).height(40.0)).clicked();
                    let is_pressed = keys::pressed(ui, Act::Play);
                    if is_clicked || is_pressed {
                        self.shown = Some(seat);
                    }
                    ui.add_space(space::XS);
                    if ui.add(IconButton::text(text!("hand-over-off")).kind(ButtonKind::Quiet)).clicked() {
                        self.is_off = true;
                    }
                    let leave = IconButton::with_text(Icon::Back, text!("match-leave")).kind(ButtonKind::Quiet);
                    if ui.add(leave).clicked() {
                        for_app.push(AppCommand::Leave);
                    }
                });
            });
        });
    }
}
