//! The reload: the rules of a running match read again from their files, on request or whenever a file changes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::saves::{self, SourceArchive};
use crate::{sound, told_by};
use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{Catalog, FolderWatch, MANIFEST_FILE, MAPS, Manifest, WatchSettings, read_texts};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Place};
use boardwright_model::{Scenario, sentence};
use boardwright_rules::MakeRules;
use boardwright_ruleset::{Layer, Sources};
use boardwright_server::{MatchInfo, NewRules, ReloadRules, SessionHandle};

/// Reads the rules of a match again from their files. A scenario that is not in the catalogue keeps its overlay.
pub(super) fn reload(catalog: Catalog, info: MatchInfo, scenario: Scenario, mut known: Sources, archive: SourceArchive) -> ReloadRules {
    Box::new(move || {
        let as_problems = Vec::<Diagnostic>::from;
        let is_there = catalog.scenarios(&info.ruleset).contains_key(scenario.id.as_str());
        let overlay = if is_there {
            catalog.scenario(&info.ruleset, &scenario.id).map_err(as_problems)?.scenario.overlay
        } else {
            scenario.overlay.clone()
        };
        let overlay = overlay.map(|(file, text)| Layer::new(format!("{MAPS}/{}", scenario.ruleset)).with(file, text));
        let sources = catalog.sources(&info.ruleset, overlay).map_err(as_problems)?;
        let documents: Diagnostics = manifest_faults(&sources).into_iter().chain(read_texts(&sources).1).collect();
        if documents.has_errors() {
            return Err(as_problems(documents));
        }
        let (changes, missing) = (changes(&known, &sources), gone(&known, &sources));
        let (source, program) = sound(&sources)
            .map_err(|found| as_problems(found.into_iter().chain(missing.iter().map(|file| note_of_gone(file))).collect()))?;
        saves::add_to(&archive, &source);
        let info = told_by(&source, info.clone());
        known = sources;
        let source = Arc::new(source);
        let compiled = Arc::clone(&source);
        let make: MakeRules = Box::new(move |board, declarations, options| compiled.rules_of(program, board, declarations, options));
        let new = NewRules {
            problems: source.findings().iter().cloned().chain(source.check_strategies()).collect(),
            source,
            changes,
            gone: missing,
            info: Some(info),
        };
        Ok((new, Some(make)))
    })
}

/// What is wrong with the manifests among the sources. They take no part in a match, but nobody could begin the next one.
fn manifest_faults(sources: &Sources) -> Diagnostics {
    let layers = sources.layers.iter();
    let manifests = layers.filter_map(|layer| Some((layer.place_of(MANIFEST_FILE), layer.files.get(MANIFEST_FILE)?)));
    let found = manifests.filter_map(|(place, text)| Manifest::read(&Source::new(place, text)).err());
    found.flatten().collect()
}

fn texts(sources: &Sources) -> BTreeMap<String, Arc<str>> {
    let layers = sources.layers.iter().chain([&sources.library]);
    let files = layers.flat_map(|layer| layer.files.iter().map(|(path, text)| (layer.place_of(path), Arc::clone(text))));
    files.collect()
}

/// The files that are there no more: where something is missing it may have stood in them.
fn gone(old: &Sources, new: &Sources) -> Vec<String> {
    let new = texts(new);
    texts(old).into_keys().filter(|path| !new.contains_key(path)).collect()
}

fn note_of_gone(path: &str) -> Diagnostic {
    Diagnostic::note(Code::File, "the file is gone, and with it what stood in it").at(Place::file(path))
}

fn changes(old: &Sources, new: &Sources) -> Vec<String> {
    let (old, new) = (texts(old), texts(new));
    let changed = new.iter().filter_map(|(path, text)| match old.get(path) {
        None => Some(sentence!("{file} is new", file = path)),
        Some(before) if before != text => Some(sentence!("{file} changed", file = path)),
        Some(_) => None,
    });
    let removed = old.keys().filter(|path| !new.contains_key(*path));
    let removed = removed.map(|path| sentence!("{file} is gone", file = path));
    changed.chain(removed).map(String::from).collect()
}

/// Watches folders, or says why that cannot be.
pub(super) fn watched(folders: &[PathBuf]) -> Option<FolderWatch> {
    let watch = FolderWatch::new(folders, WatchSettings::default());
    watch.inspect_err(|error| tracing::warn!("{error}")).ok()
}

/// Tells again and again whether files have changed, until nobody listens any more.
pub(super) fn tell_changes(watch: &mut FolderWatch, mut tell: impl FnMut(bool) -> bool) {
    const LOOK: Duration = Duration::from_millis(500);
    while tell(!watch.wait(LOOK).is_empty()) {}
}

/// Reloads whenever files change, until the session has ended.
pub(super) fn watch(folders: &[PathBuf], session: &SessionHandle) {
    let Some(mut watch) = watched(folders) else { return };
    let session = session.clone();
    let reload = move |has_changed| {
        if has_changed {
            session.reload(Instant::now());
        }
        session.is_running()
    };
    let watching = thread::Builder::new().name("reload".to_owned());
    if let Err(error) = watching.spawn(move || tell_changes(&mut watch, reload)) {
        tracing::warn!("changes of files are not watched: {error}");
    }
}
