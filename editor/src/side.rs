//! The panel on the right: what is selected, regions, problems, history, numbers.

use boardwright_editing::{Edit, Splice, Step, StepKind};
use boardwright_model::MapRegion;
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, Palette, card, from_right_ui, heading_ui, remark_ui, space};
use egui::{Color32, Id, Label, Rect, RichText, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2};

use crate::editor::Ask;
use crate::file::OpenFile;
use crate::tools::{Choices, Side, Tool};

/// Colours of regions on the board, one after the other.
const COLOURS: [Color32; 8] = [
    Color32::from_rgb(0xE0, 0x5A, 0x47),
    Color32::from_rgb(0x3F, 0x8F, 0xD9),
    Color32::from_rgb(0xE8, 0xB0, 0x3A),
    Color32::from_rgb(0x6A, 0xB0, 0x4C),
    Color32::from_rgb(0x9B, 0x5F, 0xC0),
    Color32::from_rgb(0x2F, 0xB0, 0xA6),
    Color32::from_rgb(0xE0, 0x7F, 0xB0),
    Color32::from_rgb(0x9A, 0x7B, 0x55),
];

/// The colour of a region on the board.
pub(crate) fn region_colour(index: usize) -> Color32 {
    COLOURS.get(index % COLOURS.len()).copied().unwrap_or(Color32::GRAY)
}

/// Shows the panel.
pub(crate) fn side_ui(ui: &mut Ui, file: &mut OpenFile, choices: &mut Choices, asks: &mut Vec<Ask>) {
    let problems = file.findings.len();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let scenario = !file.is_map();
        let tabs = [
            (Side::Properties, Icon::Gear, text!("side-properties"), true),
            (Side::Picture, Icon::Layers, text!("side-picture"), file.picture.is_some()),
            (Side::Regions, Icon::Region, text!("side-regions"), !scenario),
            (Side::Triggers, Icon::Trigger, text!("side-triggers"), scenario),
            (Side::Problems, Icon::Warning, text!("side-problems", count = problems), true),
            (Side::History, Icon::History, text!("side-history"), true),
            (Side::Statistics, Icon::Chart, text!("side-statistics"), true),
        ];
        if tabs.iter().any(|(side, .., is_shown)| *side == choices.side && !is_shown) {
            choices.side = Side::Properties;
        }
        for (side, icon, label, is_shown) in tabs {
            if !is_shown {
                continue;
            }
            let tab = ui.add(IconButton::icon(icon, label).height(34.0).selected(choices.side == side));
            if tab.clicked() {
                choices.side = side;
            }
            if side == Side::Problems && problems > 0 {
                let palette = Palette::of(ui.visuals());
                let spot = tab.rect.right_top() + vec2(-6.0, 6.0);
                let is_error = file.findings.iter().any(crate::checks::is_error);
                ui.painter()
                    .circle_filled(spot, 4.5, if is_error { palette.danger } else { palette.warning });
            }
        }
    });
    ui.add_space(space::S);
    ScrollArea::vertical()
        .id_salt("side")
        .auto_shrink([false, false])
        .show(ui, |ui| match choices.side {
            Side::Properties => crate::properties::properties_ui(ui, file, asks),
            Side::Picture => crate::picture::picture_ui(ui, file, asks),
            Side::Regions => regions_ui(ui, file, choices, asks),
            Side::Triggers => crate::triggers::triggers_ui(ui, file, asks),
            Side::Problems => problems_ui(ui, file, asks),
            Side::History => history_ui(ui, file, asks),
            Side::Statistics => crate::statistics::statistics_ui(ui, file),
        });
}

fn regions_ui(ui: &mut Ui, file: &mut OpenFile, choices: &mut Choices, asks: &mut Vec<Ask>) {
    heading_ui(ui, Icon::Region, &text!("side-regions"));
    let Some(map) = file.map() else { return };
    let regions: Vec<(String, usize)> = map.regions.iter().map(|region| (region.name.clone(), region.cells.len())).collect();
    let mut chosen = file.region;
    for (index, (name, count)) in regions.iter().enumerate() {
        let is_chosen = file.region == Some(index);
        ui.horizontal(|ui| {
            let (spot, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
            ui.painter().rect_filled(spot, 4, region_colour(index));
            if is_chosen {
                let label = ui.label(text!("cell-name")).id;
                if let Some(new) = crate::values::text_ui(ui, Id::unique("region name").with(index), name, label) {
                    asks.push(Ask::Apply(renamed(map, index, &new)));
                }
                let delete = IconButton::icon(Icon::Trash, text!("region-delete", name = name.as_str())).height(26.0);
                if ui.add(delete).clicked() {
                    asks.push(Ask::Apply(Step::one(StepKind::Region, Edit::Regions(Splice::remove(index)))));
                }
            } else {
                let button = IconButton::text(name.as_str()).kind(ButtonKind::Quiet).height(28.0);
                let label = text!("region-cells", name = name.as_str(), count = *count);
                let response = ui.add(button.hint(label));
                if response.clicked() {
                    chosen = Some(index);
                    choices.tool = Tool::Region;
                    choices.shows_regions = true;
                }
                from_right_ui(ui, |ui| ui.weak(count.to_string()));
            }
        });
        if is_chosen {
            remark_ui(ui, text!("region-paint-hint"));
        }
    }
    file.region = chosen;
    if regions.is_empty() {
        remark_ui(ui, text!("region-none"));
    }
    ui.add_space(space::S);
    let label = if file.selection.cells().is_empty() {
        text!("region-new")
    } else {
        text!("region-of-selection")
    };
    if ui.add(IconButton::with_text(Icon::Plus, label)).clicked() {
        let board = file.drawn.board();
        let cells = file
            .selection
            .cells()
            .iter()
            .map(|cell| board.cell_name(*cell).to_owned())
            .collect();
        let name = free_name(&regions);
        let region = MapRegion { name, cells };
        file.region = Some(regions.len());
        choices.tool = Tool::Region;
        asks.push(Ask::Apply(Step::one(
            StepKind::Region,
            Edit::Regions(Splice::insert(regions.len(), region)),
        )));
    }
}

fn free_name(regions: &[(String, usize)]) -> String {
    let is_free = |name: &String| regions.iter().all(|(known, _)| known != name);
    (regions.len() + 1..=2 * regions.len() + 1)
        .map(|number| text!("region-name", number = number))
        .find(is_free)
        .unwrap_or_default()
}

fn renamed(map: &boardwright_model::Map, index: usize, name: &str) -> Step {
    let region = map.regions.get(index).cloned().unwrap_or_default();
    let named = MapRegion {
        name: name.trim().to_owned(),
        ..region
    };
    Step::one(StepKind::Region, Edit::Regions(Splice::replace(index, named)))
}

fn problems_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    heading_ui(ui, Icon::Warning, &text!("side-problems", count = file.findings.len()));
    if let Some(missing) = &file.missing {
        boardwright_ui::problem_ui(ui, missing);
    } else if file.findings.is_empty() {
        remark_ui(ui, text!("problems-drawn-none"));
        return;
    }
    let palette = Palette::of(ui.visuals());
    for (index, finding) in file.findings.iter().enumerate().take(100) {
        let is_chosen = file.finding == Some(index);
        let (icon, colour) = crate::checks::sign(finding, palette);
        let edge = if is_chosen { palette.accent } else { palette.line };
        card(palette.raised, edge, 8, (8, 6)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let message = crate::checks::message(finding);
            let row = ui.horizontal_top(|ui| {
                boardwright_ui::theme::icon_ui(ui, icon, 16.0, colour);
                ui.vertical(|ui| {
                    ui.add(Label::new(&message).wrap().selectable(false));
                    if let Some(place) = crate::checks::place_elsewhere(finding) {
                        remark_ui(ui, place);
                    }
                });
            });
            let click = ui.interact(row.response.rect, Id::unique("finding").with(index), Sense::click());
            click.widget_info(|| WidgetInfo::labeled(Role::Button, true, &message));
            if click.clicked() {
                asks.push(Ask::Finding(index));
            }
            if let Some((mend, step)) = crate::checks::fixes(finding)
                && ui.add(IconButton::with_text(Icon::Check, mend).height(26.0)).clicked()
            {
                asks.push(Ask::Apply(step));
            }
        });
        ui.add_space(2.0);
    }
}

/// How many steps of the history are listed around the present one.
const LISTED: usize = 200;

fn history_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    heading_ui(ui, Icon::History, &text!("side-history"));
    let palette = Palette::of(ui.visuals());
    let (steps, position) = (file.document.steps(), file.document.position());
    let first = position.saturating_sub(LISTED);
    let listed: Vec<(usize, StepKind)> = steps.enumerate().skip(first).take(2 * LISTED).collect();
    ui.spacing_mut().item_spacing.y = 1.0;
    // The list is rolled to the present step when that becomes another one; then it stays where it is rolled to.
    let shown_id = Id::unique("history shown").with(file.document.path());
    let shown: Option<usize> = ui.data_mut(|data| data.get_temp(shown_id));
    ui.data_mut(|data| data.insert_temp(shown_id, position));
    let mut row = |ui: &mut Ui, number: usize, label: String| {
        let is_now = number == position;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_now, &label));
        let over = response.hovered() || response.has_focus();
        let fill = if is_now {
            boardwright_ui::theme::veil(palette.accent, 0.25)
        } else if over {
            palette.raised
        } else {
            Color32::TRANSPARENT
        };
        ui.painter().rect_filled(rect, 6, fill);
        let ink = if number > position { palette.muted } else { palette.text };
        let at = egui::pos2(rect.left() + 8.0, rect.center().y);
        ui.painter()
            .text(at, egui::Align2::LEFT_CENTER, label, egui::FontId::proportional(14.0), ink);
        if number > position {
            let line = Rect::from_x_y_ranges(rect.left() + 2.0..=rect.left() + 3.0, rect.y_range());
            ui.painter().rect(line, 0, palette.line, Stroke::NONE, egui::StrokeKind::Inside);
        }
        if response.clicked() {
            asks.push(Ask::GoTo(number));
        }
        if is_now && shown != Some(position) {
            response.scroll_to_me(None);
        }
    };
    row(
        ui,
        first,
        if first == 0 {
            text!("history-drawn-beginning")
        } else {
            text!("history-drawn-earlier")
        },
    );
    for (index, kind) in listed {
        row(ui, index + 1, text!("history-step", number = index + 1, what = step_text(kind)));
    }
    if let Some(fault) = file.document.log_fault() {
        ui.add_space(space::S);
        ui.label(RichText::new(text!("history-no-log", reason = boardwright_ui::texts::localized(fault))).color(palette.danger));
    }
}

/// What a step did.
fn step_text(kind: StepKind) -> String {
    match kind {
        StepKind::Paint => text!("step-paint"),
        StepKind::Fill => text!("step-fill"),
        StepKind::Line => text!("step-line"),
        StepKind::Rectangle => text!("step-rectangle"),
        StepKind::Replace => text!("step-replace"),
        StepKind::Holes => text!("step-holes"),
        StepKind::Elevation => text!("step-elevation"),
        StepKind::Property => text!("step-property"),
        StepKind::Name => text!("step-name"),
        StepKind::Region => text!("step-region"),
        StepKind::Points => text!("step-points"),
        StepKind::Lines => text!("step-lines"),
        StepKind::Outline => text!("step-outline"),
        StepKind::Cut => text!("step-cut"),
        StepKind::Paste => text!("step-paste"),
        StepKind::Move => text!("step-move"),
        StepKind::Turn => text!("step-turn"),
        StepKind::Mirror => text!("step-mirror"),
        StepKind::Resize => text!("step-resize"),
        StepKind::Title => text!("step-title"),
        StepKind::Seats => text!("step-seats"),
        StepKind::Players => text!("step-players"),
        StepKind::Options => text!("step-options"),
        StepKind::Pieces => text!("step-pieces"),
        StepKind::Triggers => text!("step-triggers"),
        StepKind::Script => text!("step-script"),
        StepKind::Mend => text!("step-mend"),
        StepKind::Generate => text!("step-generate"),
        StepKind::Import => text!("step-import"),
        StepKind::Merge => text!("step-merge"),
        StepKind::Other => text!("step-other"),
    }
}
