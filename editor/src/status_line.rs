//! The line below the board: the cell under the pointer, what is selected, and what is shown of the board.

use boardwright_model::RegionId;
use boardwright_ui::keys::{Act, key_of};
use boardwright_ui::text;
use boardwright_ui::theme::{Icon, IconButton, Palette, from_right_ui, icon_ui, remark, space};
use egui::Ui;

use crate::file::OpenFile;
use crate::tools::Choices;

/// Shows the line.
pub(crate) fn status_line_ui(ui: &mut Ui, file: &mut OpenFile, choices: &mut Choices) {
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let under = file.gesture.hovered.map(|cell| cell_text(file, cell));
        ui.label(remark(under.unwrap_or_else(|| file.status())));
        if !file.selection.cells().is_empty() {
            ui.add_space(space::M);
            ui.label(remark(text!("status-selected", count = file.selection.cells().len())));
        }
        if let Some(fault) = file.document.log_fault() {
            ui.add_space(space::M);
            let danger = Palette::of(ui.visuals()).danger;
            icon_ui(ui, Icon::Error, 16.0, danger);
            let hint = text!("history-no-log", reason = boardwright_ui::texts::localized(fault));
            ui.label(remark(text!("status-not-kept")).color(danger)).on_hover_text(hint);
        }
        from_right_ui(ui, |ui| {
            let small = |icon, label: String| IconButton::icon(icon, label).height(26.0);
            if ui.add(small(Icon::Fit, text!("board-whole")).hint(key_of(Act::Whole))).clicked() {
                file.view.fit();
            }
            if ui
                .add(small(Icon::ZoomIn, text!("board-larger")).hint(key_of(Act::Larger)))
                .clicked()
            {
                file.view.zoom(1.25);
            }
            if ui
                .add(small(Icon::ZoomOut, text!("board-smaller")).hint(key_of(Act::Smaller)))
                .clicked()
            {
                file.view.zoom(0.8);
            }
            ui.label(remark(text!("status-zoom", points = f64::from(file.view.unit().round()))));
            ui.add_space(space::S);
            let layers = [
                (Icon::Warning, text!("layer-problems"), String::new(), &mut choices.shows_problems),
                (
                    Icon::Height,
                    text!("layer-heights"),
                    key_of(Act::ShowHeights),
                    &mut choices.shows_heights,
                ),
                (
                    Icon::Region,
                    text!("layer-regions"),
                    key_of(Act::ShowRegions),
                    &mut choices.shows_regions,
                ),
                (
                    Icon::Grid,
                    text!("layer-coordinates"),
                    key_of(Act::ShowGrid),
                    &mut choices.shows_names,
                ),
            ];
            for (icon, label, key, shown) in layers {
                let button = small(icon, label).selected(*shown);
                let button = if key.is_empty() { button } else { button.hint(key) };
                if ui.add(button).clicked() {
                    *shown = !*shown;
                }
            }
        });
    });
}

/// A cell in a few words: its name, terrain, height and regions.
pub(crate) fn cell_text(file: &OpenFile, cell: boardwright_model::CellId) -> String {
    let (board, state) = (file.drawn.board(), &file.drawn.state);
    let mut parts = vec![board.cell_title(cell).to_owned()];
    let terrain = state
        .terrain(cell)
        .and_then(|terrain| state.declarations().terrains.get(terrain.index()));
    parts.extend(terrain.map(|terrain| terrain.title.to_string()));
    let height = board.elevation(cell);
    if height != 0 {
        parts.push(text!("status-height", height = height));
    }
    for index in 0..board.region_count() {
        let region = RegionId::from_index(index);
        if board.region(region).contains(cell) {
            parts.push(board.region_name(region).to_owned());
        }
    }
    for piece in state.pieces_at(cell).iter().filter_map(|piece| state.piece(*piece)) {
        parts.extend(state.declarations().kind(piece.kind).map(|kind| kind.title.to_string()));
    }
    parts.join(", ")
}
