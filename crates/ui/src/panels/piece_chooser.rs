//! Several pieces of a cell side by side, when a click could mean any of them.

use egui::{Align2, Area, Id, Order, Pos2, Ui, vec2};

use super::button_ui;
use crate::board::Scene;
use crate::command::{ChoiceCommand, MatchCommand, UiCommand};
use crate::texts::text;
use crate::theme::{Icon, IconButton, Palette, card, space};
use boardwright_model::{CellId, PieceId};

/// Shows the pieces of a cell above a point of the screen. The first one takes the focus from the board.
pub(crate) fn piece_chooser_ui(
    ui: &Ui,
    scene: &Scene<'_>,
    (cell, pieces): (CellId, &[PieceId]),
    at: Pos2,
    mut takes_focus: bool,
    commands: &mut Vec<UiCommand>,
) {
    let palette = Palette::of(ui.visuals());
    Area::new(Id::unique("fan"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(at)
        .constrain_to(ui.ctx().content_rect().shrink(space::S))
        .show(ui.ctx(), |ui| {
            let frame = card(palette.surface, palette.accent, 12, (6, 6)).shadow(ui.visuals().popup_shadow);
            frame.show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
                    for piece in pieces {
                        let Some(button) = super::piece_button::piece_button_ui(ui, scene, *piece) else {
                            continue;
                        };
                        if std::mem::take(&mut takes_focus) {
                            button.request_focus();
                        }
                        if button.clicked() {
                            commands.push(ChoiceCommand::PickOneOf(cell, *piece).into());
                        }
                    }
                    let close = IconButton::icon(Icon::Close, text!("piece-chooser-close")).height(28.0);
                    button_ui(ui, close, MatchCommand::ClosePieceChooser, commands);
                });
            });
        });
}
