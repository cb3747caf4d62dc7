//! Making a scenario of a running match: one that begins where the match stands.

use std::fs;
use std::path::{Path, PathBuf};

use super::saves::players_of;
use boardwright_client::content::ScenarioExport;
use boardwright_content::xml::is_id;
use boardwright_content::{MAPS, SCENARIO_ENDING, io_error_text, save_scenario, user_content};
use boardwright_model::{Scenario, Sentence, sentence};
use boardwright_server::{NotSaved, Record, SaveMatch};

/// Writes scenarios. `content` is the content folder into which those go that are given a name and no folder.
pub(super) fn exporter(mut scenario: Scenario, content: Option<PathBuf>, export: Option<ScenarioExport>) -> SaveMatch {
    Box::new(move |record| {
        let in_content = || Some(content.clone().or_else(user_content)?.join(MAPS).join(&record.info.ruleset));
        let folder = export.as_ref().and_then(|export| export.folder.clone());
        let path = path_of(record, folder.or_else(in_content))?;
        if let (Some((_, text)), Some(script)) = (&mut scenario.overlay, export.as_ref().and_then(|export| export.script.as_ref())) {
            let read = fs::read_to_string(script);
            *text = read.map_err(|error| sentence!("{path}: {error}", path = script.display(), error = io_error_text(&error)))?;
        }
        if path.is_file() && !record.overwrite {
            return Err(NotSaved::WouldOverwrite(sentence!("{path} is there", path = path.display())));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let id = name.strip_suffix(SCENARIO_ENDING).unwrap_or(&name).to_owned();
        if !is_id(&id) {
            return Err(sentence!("{id:?} is no name of a scenario: small letters, digits and hyphens").into());
        }
        let made = scenario_of(record, &scenario, id)?;
        save_scenario(&path, &made).map_err(|error| sentence!("{error}: {help}", help = error.help()))?;
        Ok(path.display().to_string())
    })
}

/// The scenario that begins where a match stands. Its history and the luck to come are not in it.
///
/// # Errors
/// If the match is over, waits for an answer, or has something that a scenario cannot hold.
pub fn scenario_of(record: &Record<'_>, scenario: &Scenario, id: String) -> Result<Scenario, Sentence> {
    let state = record.playing.state();
    let setup = scenario.setup.at_moment(state);
    let setup = setup.map_err(|error| sentence!("no scenario can be made of this moment: {error}"))?;
    let round = state.sequence().mark.round;
    Ok(Scenario {
        id,
        title: sentence!("{title}, round {round}", title = record.info.scenario_title).into(),
        description: scenario.description.clone(),
        ruleset: record.info.ruleset.clone(),
        map: scenario.map.clone(),
        players: players_of(record),
        setup,
        overlay: scenario.overlay.clone(),
    })
}

fn path_of(record: &Record<'_>, folder: Option<PathBuf>) -> Result<PathBuf, Sentence> {
    let folder = || folder.ok_or_else(|| sentence!("there is no folder for content: name a file"));
    let ended = |name: &str| {
        let name = name.strip_suffix(SCENARIO_ENDING).unwrap_or(name);
        format!("{name}{SCENARIO_ENDING}")
    };
    match record.file.map(str::trim) {
        None => {
            let (folder, round) = (folder()?, record.playing.state().sequence().mark.round);
            let name = format!("{}-round-{round}", record.info.scenario);
            let mut names = std::iter::once(name.clone()).chain((2..1_000).map(|number: u32| format!("{name}-{number}")));
            let free = names.find(|name| !folder.join(ended(name)).exists());
            Ok(folder.join(ended(&free.unwrap_or(name))))
        }
        Some("" | "-") => Err(sentence!("a scenario needs the name of a file")),
        Some(file) if file.contains(std::path::is_separator) => Ok(PathBuf::from(ended(file))),
        Some(file) => Ok(folder()?.join(ended(file))),
    }
    .inspect(|path| tracing::debug!("a scenario goes to {}", Path::display(path)))
}
