//! Numbers: cells by terrain and by region; of a scenario what each seat has.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_editing::statistics::{Balance, Starts};
use boardwright_model::{Declarations, Scenario, Scope};
use boardwright_ui::text;
use boardwright_ui::theme::{Icon, Palette, heading_ui, remark_ui, rgb, seat_colour, seat_mark_ui, space, strong};
use egui::{Grid, Sense, Ui, vec2};

use crate::file::OpenFile;

/// Distances are measured on boards of at most so many cells: it takes a look at each for each seat.
const MOST_MEASURED: usize = 10_000;

/// Shows the numbers.
pub(crate) fn statistics_ui(ui: &mut Ui, file: &OpenFile) {
    heading_ui(ui, Icon::Chart, &text!("side-statistics"));
    let declarations = file.drawn.state.declarations();
    if let Some(scenario) = file.document.draft().scenario() {
        balance_ui(ui, file, scenario, declarations);
    }
    starts_ui(ui, file, declarations);
    terrains_ui(ui, file, declarations);
    regions_ui(ui, file);
}

fn terrains_ui(ui: &mut Ui, file: &OpenFile, declarations: &Declarations) {
    let (board, state) = (file.drawn.board(), &file.drawn.state);
    let all = board.all().count();
    let mut counts = vec![0_usize; declarations.terrains.len()];
    for cell in board.cells() {
        if let Some(count) = state.terrain(cell).and_then(|terrain| counts.get_mut(terrain.index())) {
            *count += 1;
        }
    }
    remark_ui(ui, file.status());
    ui.add_space(space::XS);
    let palette = Palette::of(ui.visuals());
    for (terrain, count) in declarations.terrains.iter().zip(counts) {
        let share = count as f32 / all.max(1) as f32;
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            ui.painter().rect_filled(rect, 3, rgb(terrain.colour));
            ui.label(&*terrain.title);
            boardwright_ui::theme::from_right_ui(ui, |ui| {
                ui.weak(text!(
                    "statistics-share",
                    count = count,
                    percent = f64::from((share * 100.0).round())
                ));
            });
        });
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
        ui.painter().rect_filled(rect, 2, palette.raised);
        let filled = egui::Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
        ui.painter().rect_filled(filled, 2, rgb(terrain.colour));
    }
}

fn regions_ui(ui: &mut Ui, file: &OpenFile) {
    let board = file.drawn.board();
    if board.region_count() == 0 {
        return;
    }
    ui.add_space(space::S);
    heading_ui(ui, Icon::Region, &text!("side-regions"));
    for index in 0..board.region_count() {
        let region = boardwright_model::RegionId::from_index(index);
        ui.horizontal(|ui| {
            ui.label(board.region_name(region));
            boardwright_ui::theme::from_right_ui(ui, |ui| ui.weak(board.region(region).count().to_string()));
        });
    }
}

/// What each seat has: pieces by kind, and the sums of whole-number properties.
fn balance_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, declarations: &Declarations) {
    let balance = Balance::of(scenario, Some(declarations));
    let owners: Vec<Option<String>> = balance.pieces.keys().cloned().collect();
    if owners.is_empty() {
        return;
    }
    let kinds: BTreeSet<&String> = balance.pieces.values().flat_map(BTreeMap::keys).collect();
    let sums: BTreeSet<&String> = balance.sums.values().flat_map(BTreeMap::keys).collect();
    ui.label(strong(text!("statistics-balance")));
    egui::ScrollArea::horizontal().id_salt("balance").show(ui, |ui| {
        Grid::new("balance").striped(true).spacing([space::M, 4.0]).show(ui, |ui| {
            ui.label("");
            for owner in &owners {
                owner_ui(ui, file, owner.as_deref());
            }
            ui.end_row();
            let row = |ui: &mut Ui, title: &str, value: &dyn Fn(&Option<String>) -> i64| {
                ui.label(title);
                for owner in &owners {
                    let value = value(owner);
                    ui.label(if value == 0 { "–".to_owned() } else { value.to_string() });
                }
                ui.end_row();
            };
            for kind in kinds {
                let known = declarations.find_kind(kind).and_then(|kind| declarations.kind(kind));
                let title = known.map_or(kind.as_str(), |kind| &kind.title);
                row(ui, title, &|owner| {
                    let count = balance.pieces.get(owner).and_then(|kinds| kinds.get(kind));
                    count.map_or(0, |count| *count as i64)
                });
            }
            for name in sums {
                let property = declarations
                    .find_property(Scope::Piece, name)
                    .and_then(|id| declarations.property(id));
                let title = property.map_or(name.as_str(), |property| &property.title);
                row(ui, &text!("statistics-sum", title = title), &|owner| {
                    balance.sums.get(owner).and_then(|sums| sums.get(name)).copied().unwrap_or(0)
                });
            }
        });
    });
    ui.add_space(space::S);
}

/// The sign of a seat by its name.
fn owner_ui(ui: &mut Ui, file: &OpenFile, owner: Option<&str>) {
    let declarations = &file.ruleset.declarations;
    let Some(seat) = owner.and_then(|owner| declarations.find_seat(owner)) else {
        ui.weak(text!("palette-nobody"));
        return;
    };
    let mark = ui.scope(|ui| seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 18.0));
    let title = declarations.seats.get(seat.index()).map_or("", |seat| &seat.title);
    mark.response.on_hover_text(title);
}

/// How far the seats begin from each other, and how much of the board is nearest to each.
fn starts_ui(ui: &mut Ui, file: &OpenFile, declarations: &Declarations) {
    let board = file.drawn.board();
    if board.cell_count() > MOST_MEASURED {
        return;
    }
    let starts = match file.document.draft().scenario() {
        Some(scenario) => Starts::of_scenario(board, scenario),
        None => Starts::of_map(board, declarations),
    };
    if starts.seats.len() < 2 {
        return;
    }
    ui.label(strong(text!("statistics-starts")));
    Grid::new("starts").striped(true).spacing([space::M, 4.0]).show(ui, |ui| {
        ui.label("");
        ui.weak(text!("statistics-to-next")).on_hover_text(text!("statistics-to-next-hint"));
        ui.weak(text!("statistics-nearest")).on_hover_text(text!("statistics-nearest-hint"));
        ui.end_row();
        for ((seat, distance), nearest) in starts.seats.iter().zip(starts.to_next()).zip(&starts.nearest) {
            owner_ui(ui, file, Some(seat));
            ui.label(distance.map_or_else(|| "–".to_owned(), |distance| distance.to_string()));
            ui.label(nearest.to_string());
            ui.end_row();
        }
    });
    ui.add_space(space::S);
}
