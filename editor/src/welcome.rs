//! What the editor shows while no file is open: what was open last, what there is, and how something new is begun.

use std::path::PathBuf;

use boardwright_content::Catalog;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, MenuRow, Palette, card, heading_ui, remark, size, space, strong, title};
use boardwright_ui::{EditRequest, text};
use egui::{ScrollArea, Ui};

use crate::editor::Ask;
use crate::file::file_name;

/// Shows the ways to begin.
pub(crate) fn welcome_ui(ui: &mut Ui, catalog: &Catalog, recent: &[PathBuf], asks: &mut Vec<Ask>) {
    let width = 620.0_f32.min(ui.available_width() - 2.0 * space::XL);
    let margin = (ui.available_width() - width) / 2.0;
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.add_space(margin);
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.add_space(space::XL);
                ui.label(title(text!("welcome-title"), size::SCREEN));
                ui.label(remark(text!("welcome-line")));
                ui.add_space(space::M);
                ui.horizontal_wrapped(|ui| {
                    let new = [
                        (
                            Icon::Map,
                            text!("edit-new-map"),
                            EditRequest::NewMap(String::new()),
                            ButtonKind::Primary,
                        ),
                        (
                            Icon::Pawn,
                            text!("edit-new-scenario"),
                            EditRequest::NewScenario(String::new()),
                            ButtonKind::Plain,
                        ),
                    ];
                    for (icon, label, request, kind) in new {
                        if ui.add(IconButton::with_text(icon, label).kind(kind).height(40.0)).clicked() {
                            asks.push(Ask::New(request));
                        }
                    }
                });
                if !recent.is_empty() {
                    ui.add_space(space::L);
                    heading_ui(ui, Icon::Clock, &text!("welcome-recent"));
                    for path in recent {
                        let row = ui.add(MenuRow::new(Icon::Open, file_name(path)));
                        if row.clicked() {
                            asks.push(Ask::OpenPath(path.clone()));
                        }
                        row.on_hover_text(path.display().to_string());
                    }
                }
                ui.add_space(space::L);
                heading_ui(ui, Icon::Folder, &text!("welcome-all"));
                files_ui(ui, catalog, "", asks);
                ui.add_space(space::XL);
            });
        });
    });
}

/// Shows the maps and scenarios of a catalog whose titles or files hold what is searched.
pub(crate) fn files_ui(ui: &mut Ui, catalog: &Catalog, search: &str, asks: &mut Vec<Ask>) {
    let palette = Palette::of(ui.visuals());
    let search = search.trim().to_lowercase();
    for ruleset in catalog.rulesets.values() {
        let maps = ruleset.maps.values().map(|map| (Icon::Map, &map.title, &map.path));
        let scenarios = ruleset
            .scenarios
            .values()
            .map(|scenario| (Icon::Pawn, &scenario.title, &scenario.path));
        let fits = |title: &str| {
            [title, ruleset.title(), &ruleset.id]
                .iter()
                .any(|text| text.to_lowercase().contains(&search))
        };
        let found: Vec<_> = maps.chain(scenarios).filter(|(_, title, _)| fits(title)).collect();
        if found.is_empty() {
            continue;
        }
        card(palette.surface, palette.line, 10, (12, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(strong(ruleset.title()));
            ui.horizontal_wrapped(|ui| {
                for (icon, title, path) in found {
                    let button = IconButton::with_text(icon, title.as_str()).kind(ButtonKind::Quiet).height(30.0);
                    if ui.add(button.hint(path.display().to_string())).clicked() {
                        asks.push(Ask::OpenPath(path.clone()));
                    }
                }
            });
        });
    }
}
