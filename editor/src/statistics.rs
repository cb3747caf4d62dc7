//! Numbers: cells by terrain and by region; of a scenario what each seat has.

use std::collections::BTreeMap;

use boardwright_model::{Declarations, Scope, SeatId, Value};
use boardwright_ui::text;
use boardwright_ui::theme::{Icon, Palette, heading_ui, remark_ui, rgb, seat_colour, seat_mark_ui, space, strong};
use egui::{Grid, Sense, Ui, vec2};

use crate::file::OpenFile;

/// Shows the numbers.
pub fn statistics_ui(ui: &mut Ui, file: &OpenFile) {
    heading_ui(ui, Icon::Chart, &text!("side-statistics"));
    let declarations = file.drawn.state.declarations();
    if !file.is_map() {
        balance_ui(ui, file, declarations);
    }
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
                ui.weak(text!("statistics-share", count = count, percent = f64::from((share * 100.0).round())));
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
fn balance_ui(ui: &mut Ui, file: &OpenFile, declarations: &Declarations) {
    let state = &file.drawn.state;
    let mut kinds: BTreeMap<usize, BTreeMap<Option<SeatId>, usize>> = BTreeMap::new();
    let mut sums: BTreeMap<usize, BTreeMap<Option<SeatId>, i64>> = BTreeMap::new();
    for piece in state.pieces() {
        *kinds.entry(piece.kind.index()).or_default().entry(piece.owner).or_default() += 1;
        for (property, _) in declarations.properties_of(Scope::Piece) {
            if let Some(Value::Integer(number)) = state.value(boardwright_model::Target::Piece(piece.id), property) {
                *sums.entry(property.index()).or_default().entry(piece.owner).or_default() += number;
            }
        }
    }
    ui.label(strong(text!("statistics-balance")));
    let seats: Vec<SeatId> = declarations.all_seats().iter().filter(|seat| declarations.seats.len() <= 8 || state.in_play(*seat) > 0).collect();
    egui::ScrollArea::horizontal().id_salt("balance").show(ui, |ui| {
        Grid::new("balance").striped(true).spacing([space::M, 4.0]).show(ui, |ui| {
            ui.label("");
            for seat in &seats {
                let mark = ui.scope(|ui| seat_mark_ui(ui, seat_colour(declarations, *seat), seat.index(), 18.0));
                let title = declarations.seats.get(seat.index()).map_or("", |seat| &seat.title);
                mark.response.on_hover_text(title);
            }
            ui.weak(text!("palette-nobody"));
            ui.end_row();
            let mut row = |ui: &mut Ui, title: &str, value: &dyn Fn(Option<SeatId>) -> i64| {
                ui.label(title);
                for seat in seats.iter().map(|seat| Some(*seat)).chain([None]) {
                    let value = value(seat);
                    ui.label(if value == 0 { "–".to_owned() } else { value.to_string() });
                }
                ui.end_row();
            };
            for (kind, counts) in &kinds {
                let title = declarations.kinds.get(*kind).map_or("", |kind| &kind.title);
                row(ui, title, &|seat| counts.get(&seat).map_or(0, |count| *count as i64));
            }
            for (property, sums) in &sums {
                let title = declarations.properties.get(*property).map_or("", |property| &property.title);
                row(ui, &text!("statistics-sum", title = title), &|seat| sums.get(&seat).copied().unwrap_or(0));
            }
        });
    });
    ui.add_space(space::S);
}
