//! Pieces off the board: hands, decks, reserves.

use egui::{RichText, Ui};

use crate::model::{PieceId, State, ZoneId};
use crate::ui::board::Scene;
use crate::ui::picking::Picking;
use crate::ui::theme::{IconButton, Palette, size};
use crate::ui::wish::Wish;

/// Shows the zones that hold anything; pieces that may be picked are buttons.
pub fn zones_ui(ui: &mut Ui, scene: &Scene<'_>, picking: Option<&Picking>, wishes: &mut Vec<Wish>) {
    let state: &State = scene.state;
    let palette = Palette::of(ui.visuals());
    let offered = picking.map(Picking::pieces).unwrap_or_default();
    for (index, declared) in state.frame().zones.iter().enumerate() {
        let Some(zone) = state.zone(ZoneId::from_index(index)).filter(|zone| zone.count() > 0) else {
            continue;
        };
        ui.horizontal_wrapped(|ui| {
            let owner = declared.owner.map(|seat| format!("{}, ", state.frame().seat_title(seat)));
            let name = format!("{}{}: {}", owner.unwrap_or_default(), declared.title, zone.count());
            ui.label(RichText::new(name).size(size::SMALL).color(palette.muted));
            for piece in zone.pieces() {
                zone_piece_ui(ui, scene, *piece, offered.contains(piece), wishes);
            }
        });
    }
}

fn zone_piece_ui(ui: &mut Ui, scene: &Scene<'_>, piece: PieceId, is_offered: bool, wishes: &mut Vec<Wish>) {
    let label = scene.piece_text(piece);
    if ui.add_enabled(is_offered, IconButton::text(label).height(28.0)).clicked() {
        wishes.push(Wish::PickPiece(piece));
    }
}
