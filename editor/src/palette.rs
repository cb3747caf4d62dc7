//! What the tool in hand works with: terrains and their brush on maps, kinds of pieces on scenarios.

use boardwright_editing::points::Alignment;
use boardwright_model::{Declarations, Pose, SeatId};
use boardwright_ui::keys::{Act, key_of, key_of_which};
use boardwright_ui::text;
use boardwright_ui::theme::{
    Icon, IconButton, MenuRow, Palette, heading_ui, ink_on, remark_ui, rgb, seat_colour, seat_mark_ui, segments_ui, space,
};
use egui::{
    Align2, ComboBox, DragValue, FontId, Rect, Role, ScrollArea, Sense, Slider, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::editor::Ask;
use crate::file::OpenFile;
use crate::paint;
use crate::piece_tools::Dragged;
use crate::tools::{Choices, HeightMode, MOST_SIZE, Tool};

/// The height of a swatch, in points.
const SWATCH: f32 = 30.0;
/// How many buttons stand side by side.
const IN_A_ROW: usize = 3;

/// Shows what the tool works with.
pub(crate) fn palette_ui(ui: &mut Ui, file: &OpenFile, choices: &mut Choices, asks: &mut Vec<Ask>) {
    ScrollArea::vertical()
        .id_salt("palette")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            if file.is_map() {
                map_ui(ui, file, choices, asks);
            } else {
                pieces_ui(ui, file, choices);
                crate::zones::zones_ui(ui, file, choices, asks);
            }
            selection_ui(ui, file, asks);
        });
}

fn map_ui(ui: &mut Ui, file: &OpenFile, choices: &mut Choices, asks: &mut Vec<Ask>) {
    let declarations = file.drawn.state.declarations();
    if choices.tool.has_size() && !file.is_graph() {
        heading_ui(ui, Icon::Brush, &text!("palette-brush"));
        let size = Slider::new(&mut choices.size, 1..=MOST_SIZE).show_value(true);
        let keys = format!("{} {}", key_of(Act::BrushSmaller), key_of(Act::BrushLarger));
        ui.spacing_mut().slider_width = (ui.available_width() - 60.0).max(60.0);
        let slider = ui.add(size).on_hover_text(text!("palette-size-hint", keys = keys));
        slider.accessible_name(text!("palette-size"));
        ui.add_space(space::XS);
    }
    if choices.tool == Tool::Height {
        heading_ui(ui, Icon::Height, &text!("tool-height"));
        let modes = [
            (HeightMode::Raise, text!("height-raise")),
            (HeightMode::Lower, text!("height-lower")),
            (HeightMode::Set, text!("height-set")),
        ];
        segments_ui(ui, &text!("tool-height"), &mut choices.height_mode, &modes);
        ui.horizontal(|ui| {
            let label = ui.label(text!("height-step"));
            ui.add(DragValue::new(&mut choices.height).range(-99..=99)).labelled_by(label.id);
        });
        ui.add_space(space::XS);
    }
    if choices.tool == Tool::Outline {
        heading_ui(ui, Icon::Pencil, &text!("tool-outline"));
        let kinds = [(false, text!("outline-new")), (true, text!("outline-part"))];
        segments_ui(ui, &text!("tool-outline"), &mut choices.adds_part, &kinds);
        remark_ui(ui, text!("outline-hint"));
        ui.add_space(space::XS);
    }
    if choices.tool == Tool::Edge {
        crate::edge_tool::edge_brush_ui(ui, file, &mut choices.edge_brush);
    }
    symmetry_ui(ui, file, choices);
    if declarations.terrains.is_empty() {
        remark_ui(ui, text!("palette-no-terrain"));
    } else {
        heading_ui(ui, Icon::Layers, &text!("palette-terrain"));
        terrains_ui(ui, declarations, choices);
        remark_ui(ui, text!("palette-dropper-hint"));
    }
    ui.add_space(space::S);
    if !file.is_graph() && ui.add(MenuRow::new(Icon::Resize, text!("edit-resize"))).clicked() {
        asks.push(Ask::Resize);
    }
    if !file.is_graph() && file.ruleset.generates_maps() && ui.add(MenuRow::new(Icon::Dice, text!("edit-random"))).clicked() {
        asks.push(Ask::Randomize);
    }
}

fn symmetry_ui(ui: &mut Ui, file: &OpenFile, choices: &mut Choices) {
    let names = paint::symmetries(file);
    if names.len() < 2 {
        return;
    }
    heading_ui(ui, Icon::Mirror, &text!("palette-symmetry"));
    choices.symmetry = choices.symmetry.min(names.len() - 1);
    let shown = names.get(choices.symmetry).cloned().unwrap_or_default();
    let label = format!("{}: {shown}", text!("palette-symmetry"));
    let combo = ComboBox::from_id_salt("symmetry")
        .width(ui.available_width() - 8.0)
        .selected_text(shown);
    let combo = combo.show_ui(ui, |ui| {
        for (index, name) in names.iter().enumerate() {
            ui.selectable_value(&mut choices.symmetry, index, name);
        }
    });
    combo.response.clone().accessible_name(label);
    combo
        .response
        .on_hover_text(text!("palette-symmetry-hint", key = key_of(Act::Symmetry)));
    ui.add_space(space::S);
}

/// The terrains as swatches in their colours; the first is the default one.
fn terrains_ui(ui: &mut Ui, declarations: &Declarations, choices: &mut Choices) {
    let palette = Palette::of(ui.visuals());
    ui.spacing_mut().item_spacing.y = 4.0;
    for (index, terrain) in declarations.terrains.iter().enumerate() {
        let name = (index > 0).then(|| terrain.name.to_string());
        let is_chosen = choices.terrain == name;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), SWATCH), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, text!("palette-swatch", title = &*terrain.title)));
        if response.clicked() {
            choices.terrain = name;
            if !choices.tool.paints_terrain() {
                choices.tool = Tool::Brush;
            }
        }
        let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
        let colour = rgb(terrain.colour);
        let painter = ui.painter();
        painter.rect_filled(rect, 7, colour);
        let edge = if is_chosen {
            Stroke::new(3.0, palette.accent)
        } else {
            Stroke::new(1.0 + over, palette.line)
        };
        painter.rect_stroke(rect, 7, edge, StrokeKind::Inside);
        let ink = ink_on(colour);
        painter.text(
            pos2(rect.left() + 10.0, rect.center().y),
            Align2::LEFT_CENTER,
            &*terrain.title,
            FontId::proportional(14.0),
            ink,
        );
        if index < 6 {
            let key = key_of_which(Act::Swatch, index);
            painter.text(
                pos2(rect.right() - 10.0, rect.center().y),
                Align2::RIGHT_CENTER,
                key,
                FontId::proportional(12.0),
                ink,
            );
        }
    }
}

/// Chooses the n-th swatch.
pub(crate) fn choose(file: &OpenFile, choices: &mut Choices, which: usize) {
    let declarations = file.drawn.state.declarations();
    if !file.is_map() {
        if let Some(kind) = declarations.kinds.get(which) {
            choices.kind = Some(kind.name.to_string());
            choices.tool = Tool::Piece;
        }
        return;
    }
    if let Some(terrain) = declarations.terrains.get(which) {
        choices.terrain = (which > 0).then(|| terrain.name.to_string());
        if !choices.tool.paints_terrain() {
            choices.tool = Tool::Brush;
        }
    }
}

fn pieces_ui(ui: &mut Ui, file: &OpenFile, choices: &mut Choices) {
    let declarations = file.drawn.state.declarations();
    let palette = Palette::of(ui.visuals());
    heading_ui(ui, Icon::Person, &text!("palette-owner"));
    ui.spacing_mut().item_spacing.y = 3.0;
    let seats = declarations.seats.iter().enumerate();
    let owners = std::iter::once((None, text!("palette-nobody"), None))
        .chain(seats.map(|(index, seat)| (Some(seat.name.to_string()), seat.title.to_string(), Some(SeatId::from_index(index)))));
    for (name, title, seat) in owners {
        let is_chosen = choices.owner == name;
        ui.horizontal(|ui| {
            if let Some(seat) = seat {
                seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 20.0);
            } else {
                ui.allocate_exact_size(Vec2::splat(20.0), Sense::hover());
            }
            let button = IconButton::text(title.clone())
                .kind(boardwright_ui::theme::ButtonKind::Quiet)
                .selected(is_chosen)
                .height(26.0);
            let response = ui.add(button);
            response.clone().accessible_name(text!("palette-owner-hint", title = title));
            if response.clicked() {
                choices.owner = name;
            }
        });
    }
    ui.add_space(space::S);
    let chosen = choices.kind.as_deref().and_then(|kind| declarations.find_kind(kind));
    let has_shape = chosen
        .and_then(|kind| declarations.kind(kind))
        .is_some_and(|kind| kind.figure.is_some());
    if has_shape {
        ui.horizontal(|ui| {
            ui.label(text!("palette-pose"));
            let turn = IconButton::icon(Icon::Turn, text!("pose-turn"));
            if ui.add(turn).clicked() {
                choices.turn_pose(false);
            }
            if ui.add(IconButton::icon(Icon::Mirror, text!("pose-mirror"))).clicked() {
                choices.turn_pose(true);
            }
            ui.weak(Pose::ALL.get(choices.pose).map_or("", |pose| pose.word()));
        });
    }
    heading_ui(ui, Icon::Pawn, &text!("palette-kinds"));
    if declarations.kinds.is_empty() {
        remark_ui(ui, text!("palette-no-kinds"));
    }
    let owner = choices.owner.as_deref().and_then(|owner| declarations.find_seat(owner));
    let ink = owner.map_or(palette.muted, |seat| seat_colour(declarations, seat));
    for kind in &declarations.kinds {
        let is_chosen = choices.kind.as_deref() == Some(&*kind.name) && choices.tool == Tool::Piece;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 34.0), Sense::click_and_drag());
        response.dnd_set_drag_payload(Dragged::Kind(kind.name.to_string()));
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, text!("palette-kind", title = &*kind.title)));
        if response.clicked() {
            choices.kind = Some(kind.name.to_string());
            choices.tool = Tool::Piece;
        }
        let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
        let painter = ui.painter();
        let fill = boardwright_ui::theme::mix(palette.surface, palette.raised, over.max(f32::from(u8::from(is_chosen))));
        let edge = if is_chosen {
            Stroke::new(2.0, palette.accent)
        } else {
            Stroke::new(1.0, palette.line)
        };
        painter.rect(rect, 7, fill, edge, StrokeKind::Inside);
        let disc = Rect::from_center_size(pos2(rect.left() + 19.0, rect.center().y), Vec2::splat(24.0));
        painter.circle_filled(disc.center(), 12.0, ink);
        painter.text(
            disc.center(),
            Align2::CENTER_CENTER,
            &*kind.glyph,
            FontId::proportional(13.0),
            ink_on(ink),
        );
        painter.text(
            pos2(rect.left() + 38.0, rect.center().y),
            Align2::LEFT_CENTER,
            &*kind.title,
            FontId::proportional(14.0),
            palette.text,
        );
    }
    remark_ui(ui, text!("palette-pieces-hint"));
}

/// What is done with what is selected.
fn selection_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    let (has_cells, has_pieces) = (
        !file.selection.cells().is_empty() && file.is_map(),
        !file.selection.pieces().is_empty(),
    );
    if !has_cells && !has_pieces {
        return;
    }
    ui.add_space(space::S);
    heading_ui(ui, Icon::Select, &text!("palette-selection"));
    let mut rows = Vec::new();
    if has_cells {
        rows.extend([
            (Icon::Layers, Act::CopyCells, Ask::Copy),
            (Icon::Compare, Act::CutCells, Ask::Cut),
            (Icon::Save, Act::PasteCells, Ask::Paste),
            (Icon::Turn, Act::TurnCells, Ask::Turn),
            (Icon::Mirror, Act::MirrorCells, Ask::Mirror),
        ]);
    }
    rows.push((Icon::Trash, Act::DeleteDrawn, Ask::Delete));
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        ui.horizontal(|ui| {
            for (icon, act, ask) in rows.by_ref().take(IN_A_ROW) {
                if ui.add(boardwright_ui::keys::button_of(icon, act)).clicked() {
                    asks.push(ask);
                }
            }
        });
    }
    if has_cells && file.is_graph() && file.selection.cells().len() > 1 {
        align_ui(ui, asks);
    }
}

/// What brings the selected points into line.
fn align_ui(ui: &mut Ui, asks: &mut Vec<Ask>) {
    ui.add_space(space::XS);
    let rows = [
        (text!("align-column"), Ask::Align(Alignment::Column)),
        (text!("align-row"), Ask::Align(Alignment::Row)),
        (text!("align-across"), Ask::Align(Alignment::SpreadAcross)),
        (text!("align-down"), Ask::Align(Alignment::SpreadDown)),
        (text!("align-grid"), Ask::Snap),
    ];
    for (label, ask) in rows {
        if ui.add(MenuRow::new(Icon::Grid, label)).clicked() {
            asks.push(ask);
        }
    }
}
