//! Scenarios that name cells of a map by names that these do not have any more.

use std::path::{Path, PathBuf};

use boardwright_content::Catalog;
use boardwright_editing::Renames;
use boardwright_model::Scenario;
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton};
use egui::Ui;

use crate::banner::{banner_ui, banners_ui, message_ui};
use crate::editor::Ask;
use crate::file::OpenFile;

/// Scenarios that name cells of a map by names that these do not have any more. They are changed if that is wanted.
#[derive(Debug)]
pub(crate) struct RenameOffer {
    /// What was done to the names when this was found.
    key: (usize, usize),
    /// What is called otherwise.
    pub(crate) renames: Renames,
    /// The scenarios: their files and titles.
    pub(crate) scenarios: Vec<(PathBuf, String)>,
}

/// Looks for scenarios on a map that name its cells by old names, if more cells were renamed since that was done last.
pub(crate) fn look(files: &mut [OpenFile], current: usize, catalog: &Catalog) {
    let Some(file) = files.get(current).filter(|file| file.is_map() && !file.gesture.is_stroke()) else {
        return;
    };
    let key = file.renames_key();
    let is_known = match &file.rename_offer {
        Some(offer) => offer.key == key,
        None => key.1 == 0,
    };
    if is_known {
        return;
    }
    let renames = file.renames();
    let mut scenarios = Vec::new();
    if !renames.is_empty() {
        for (path, scenario) in on_map(file, files, catalog) {
            if !renames.edits(&scenario).is_empty() || renames.are_in_script(&scenario) {
                scenarios.push((path, scenario.title));
            }
        }
    }
    if let Some(file) = files.get_mut(current) {
        file.rename_offer = Some(RenameOffer { key, renames, scenarios });
    }
}

/// The scenarios on a map, as they are drawn where they are open.
pub(crate) fn on_map(file: &OpenFile, files: &[OpenFile], catalog: &Catalog) -> Vec<(PathBuf, Scenario)> {
    let id = file.document.draft().id();
    let is_it = |path: &Path| absolute(path) == file.document.path();
    let mut found = Vec::new();
    for ruleset in catalog.rulesets.values() {
        let chain = catalog.chain(&ruleset.id).unwrap_or_default();
        let map = chain.iter().find_map(|home| home.maps.get(id));
        if !map.is_some_and(|map| is_it(&map.path)) {
            continue;
        }
        for entry in ruleset.scenarios.values() {
            let path = absolute(&entry.path);
            let open = files.iter().find(|file| file.document.path() == path);
            let scenario = match open.and_then(|file| file.document.draft().scenario()) {
                Some(scenario) => Some(scenario.clone()),
                None => catalog.scenario(&ruleset.id, &entry.id).ok().map(|document| document.scenario),
            };
            found.extend(scenario.filter(|scenario| scenario.map == id).map(|scenario| (path, scenario)));
        }
    }
    found
}

/// A path from the root of the file system, as those of open files are.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Shows the offer of a map, if scenarios are concerned.
pub(crate) fn rename_offer_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    let Some(offer) = file.rename_offer.as_ref().filter(|offer| !offer.scenarios.is_empty()) else {
        return;
    };
    let titles: Vec<&str> = offer.scenarios.iter().map(|(_, title)| title.as_str()).collect();
    let message = text!("renamed-cells", count = titles.len(), titles = titles.join(", "));
    banners_ui(ui, "editor-renames", |ui| {
        let buttons = |ui: &mut Ui| {
            if ui.add(IconButton::text(text!("renamed-leave")).height(28.0)).clicked() {
                asks.push(Ask::LeaveNames);
            }
            let rename = IconButton::text(text!("renamed-follow")).kind(ButtonKind::Primary).height(28.0);
            if ui.add(rename).on_hover_text(text!("renamed-hint")).clicked() {
                asks.push(Ask::RenameInScenarios);
            }
        };
        banner_ui(ui, |ui| message_ui(ui, Icon::Pawn, message), buttons, |_| {});
    });
}
