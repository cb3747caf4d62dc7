//! A match of what is drawn: the drawing is laid over the content in a folder of its own, so that no file has to be saved for it.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use boardwright_client::MatchChoice;
use boardwright_client::content::{Content as _, PACE};
use boardwright_content::Catalog;
use boardwright_editing::Draft;
use boardwright_local::ContentLibrary;
use boardwright_model::{Map, Scenario};
use boardwright_triggers::TriggerScript;
use boardwright_ui::{StartMatch, text};

use crate::file::{OpenFile, path_for};

/// The id of the scenario that is made for a map without one.
const TRIAL: &str = "trial";

/// Begins a match of a file as it is drawn now. A map is played in a scenario that uses it, or else with everything as the ruleset has it.
///
/// # Errors
/// What keeps the drawing from being written for it.
pub(crate) fn start(
    catalog: &Catalog,
    roots: &[PathBuf],
    file: &OpenFile,
    map_of: &dyn Fn(&str, &str) -> Option<Arc<Map>>,
) -> Result<StartMatch, String> {
    let ruleset = file.ruleset.id.clone();
    let scenario = match file.document.draft() {
        Draft::Scenario(scenario) => scenario.clone(),
        Draft::Map(map) => scenario_of(catalog, &ruleset, map),
    };
    let map = match file.document.draft() {
        Draft::Map(map) => map.clone(),
        Draft::Scenario(scenario) => {
            let map = map_of(&ruleset, &scenario.map).ok_or_else(|| text!("edit-no-map", map = scenario.map.as_str()))?;
            Map::clone(&map)
        }
    };
    let folder = std::env::temp_dir().join(format!("boardwright-trial-{}", std::process::id()));
    let failed = |error: std::io::Error| error.to_string();
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    let map_path = path_for(&folder, &ruleset, &map.id, true);
    fs::create_dir_all(map_path.parent().unwrap_or(&folder)).map_err(failed)?;
    fs::write(&map_path, Draft::Map(map).print()).map_err(failed)?;
    if let Some((overlay, text)) = &scenario.overlay {
        // That a trigger happens is told where it is tried out.
        let script = TriggerScript::read(text);
        let told = script.announcing(|trigger| text!("trigger-happens", name = trigger.name()));
        fs::write(map_path.with_file_name(overlay), told).map_err(failed)?;
    }
    let scenario_path = path_for(&folder, &ruleset, &scenario.id, false);
    fs::write(&scenario_path, Draft::Scenario(scenario.clone()).print()).map_err(failed)?;

    let mut folders = vec![folder];
    folders.extend(roots.iter().cloned());
    let choice = MatchChoice {
        ruleset,
        scenario: Some(scenario.id),
        pace: PACE,
        ..MatchChoice::default()
    };
    Ok(Box::new(move |wake| ContentLibrary::new(folders).begin(&choice, wake)))
}

/// A scenario that a map is played in: one that uses it, the usual one first; else one in which people sit at all seats.
fn scenario_of(catalog: &Catalog, ruleset: &str, map: &Map) -> Scenario {
    let scenarios = catalog.scenarios(ruleset);
    let usual = catalog.default_scenario(ruleset);
    let mut on_map = usual
        .into_iter()
        .chain(scenarios.values().copied())
        .filter(|scenario| scenario.map == map.id);
    let found = on_map.next().and_then(|entry| catalog.scenario(ruleset, &entry.id).ok());
    found.map_or_else(
        || Scenario {
            id: TRIAL.to_owned(),
            title: map.title.clone(),
            ruleset: ruleset.to_owned(),
            map: map.id.clone(),
            ..Scenario::default()
        },
        |document| document.scenario,
    )
}
