//! Pieces that are off the board: in the zones of a ruleset, such as hands and decks, and out of play.

use std::collections::BTreeSet;

use boardwright_model::{Declarations, SetupPiece, SetupPlace};
use boardwright_ui::text;
use boardwright_ui::theme::{
    ButtonKind, Icon, IconButton, Palette, from_right_ui, heading_ui, remark_ui, seat_colour, space, strong, veil,
};
use egui::{Align, Frame, Label, Layout, Sense, Stroke, StrokeKind, Ui};

use crate::editor::Ask;
use crate::file::OpenFile;
use crate::piece_tools::Dragged;
use crate::tools::Choices;

/// The places off the board, with their titles: the zones of those who take part, and out of play.
pub(crate) fn places(declarations: &Declarations) -> Vec<(SetupPlace, String)> {
    let zones = declarations.zones.iter().map(|zone| {
        let owner = zone.owner.and_then(|seat| declarations.seats.get(seat.index()));
        let title = owner.map_or_else(|| zone.title.to_string(), |seat| format!("{} ({})", zone.title, seat.title));
        let place = SetupPlace::Zone(zone.name.to_string(), owner.map(|seat| seat.name.to_string()));
        (place, title)
    });
    zones.chain([(SetupPlace::Off, text!("piece-off"))]).collect()
}

/// Shows the places off the board with what lies there. Pieces are dragged there and from there.
pub(crate) fn zones_ui(ui: &mut Ui, file: &OpenFile, choices: &Choices, asks: &mut Vec<Ask>) {
    let Some(scenario) = file.document.draft().scenario() else { return };
    let declarations = file.drawn.state.declarations();
    if declarations.kinds.is_empty() {
        return;
    }
    ui.add_space(space::S);
    heading_ui(ui, Icon::Layers, &text!("zones-off-board"));
    for (place, title) in places(declarations) {
        let pieces = scenario.setup.pieces.iter().enumerate();
        let there: Vec<(usize, &SetupPiece)> = pieces.filter(|(_, piece)| piece.place == place).collect();
        zone_ui(ui, file, choices, &title, &place, &there, asks);
    }
    remark_ui(ui, text!("zones-hint"));
}

fn zone_ui(
    ui: &mut Ui,
    file: &OpenFile,
    choices: &Choices,
    title: &str,
    place: &SetupPlace,
    there: &[(usize, &SetupPiece)],
    asks: &mut Vec<Ask>,
) {
    let palette = Palette::of(ui.visuals());
    let area = Frame::NONE.inner_margin(4.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            from_right_ui(ui, |ui| {
                let add = IconButton::icon(Icon::Plus, text!("zone-add", zone = title)).height(24.0);
                let kind = choices.kind.clone();
                if ui.add_enabled(kind.is_some(), add).clicked() {
                    asks.push(Ask::AddPiece(Box::new(SetupPiece {
                        kind: kind.unwrap_or_default(),
                        name: None,
                        owner: choices.owner.clone(),
                        place: place.clone(),
                        values: Vec::new(),
                    })));
                }
                ui.weak(there.len().to_string());
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(strong(title)).truncate())
                });
            });
        });
        // Alike pieces that follow each other share a row.
        for alike in there.chunk_by(|(_, one), (_, other)| one.kind == other.kind && one.owner == other.owner) {
            pieces_ui(ui, file, title, alike, asks);
        }
    });
    let response = area.response.interact(Sense::hover());
    let carried = response.dnd_hover_payload::<Dragged>();
    if carried.is_some() {
        let painter = ui.painter();
        painter.rect(
            response.rect,
            6,
            veil(palette.accent, 0.15),
            Stroke::new(1.5, palette.accent),
            StrokeKind::Inside,
        );
    }
    let Some(dragged) = response.dnd_release_payload::<Dragged>() else {
        return;
    };
    match &*dragged {
        Dragged::Kind(kind) => asks.push(Ask::AddPiece(Box::new(SetupPiece {
            kind: kind.clone(),
            name: None,
            owner: choices.owner.clone(),
            place: place.clone(),
            values: Vec::new(),
        }))),
        Dragged::Piece(index) => asks.push(Ask::PlacePieces([*index].into(), place.clone())),
        Dragged::Selected => asks.push(Ask::PlacePieces(file.selection.pieces().clone(), place.clone())),
    }
}

/// Alike pieces in a row: a click selects them, a drag takes the last one.
fn pieces_ui(ui: &mut Ui, file: &OpenFile, zone: &str, alike: &[(usize, &SetupPiece)], asks: &mut Vec<Ask>) {
    let (Some((_, first)), Some((last, _))) = (alike.first(), alike.last()) else {
        return;
    };
    let declarations = &file.ruleset.declarations;
    let kind = declarations.find_kind(&first.kind).and_then(|kind| declarations.kind(kind));
    let title = kind.map_or(first.kind.as_str(), |kind| &kind.title);
    let owner = first.owner.as_deref().and_then(|owner| declarations.find_seat(owner));
    let all: BTreeSet<usize> = alike.iter().map(|(index, _)| *index).collect();
    let shown = if all.len() > 1 {
        format!("{} × {title}", all.len())
    } else {
        title.to_owned()
    };
    ui.horizontal(|ui| {
        let ink = owner.map_or(Palette::of(ui.visuals()).muted, |seat| seat_colour(declarations, seat));
        let (spot, _) = ui.allocate_exact_size(egui::Vec2::splat(12.0), Sense::hover());
        ui.painter().circle_filled(spot.center(), 5.0, ink);
        let button = IconButton::text(shown)
            .kind(ButtonKind::Quiet)
            .selected(!file.selection.pieces().is_disjoint(&all))
            .height(24.0);
        let response = ui.add(button);
        response
            .clone()
            .accessible_name(text!("zone-pieces", zone = zone, title = title, count = all.len()));
        let response = response.interact(Sense::click_and_drag());
        response.dnd_set_drag_payload(Dragged::Piece(*last));
        if response.clicked() {
            asks.push(Ask::SelectPieces(all));
        }
    });
}
