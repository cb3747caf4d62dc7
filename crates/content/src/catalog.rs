//! What there is to play: rulesets with their maps and scenarios, each with what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use boardwright_localization::{MessageCatalog, Phrase};
use boardwright_model::Scenario;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_ruleset::Layer;

use super::folders::{self, BUNDLE_NOTE, LIBRARY, MAPS, RULESETS};
use super::manifest::{MANIFEST_FILE, Manifest};
use super::map_document::{MAP_ENDING, MapDocument};
use super::parameters::Parameters;
use super::scenario_document::{SCENARIO_ENDING, ScenarioDocument};
use super::texts_document::{TEXTS_FOLDER, read_texts_of};
use super::tutorial_document::{TUTORIAL_FILE, TutorialDocument};
use super::xml::{Document as _, Source, did_you_mean, is_id, place_of};

/// The scenario that is played unless another is named.
pub const STANDARD_SCENARIO: &str = "standard";

/// The folder of strategies in that of a ruleset: scripts, and parameters beside them.
pub const STRATEGIES: &str = "strategies";

/// Everything found in the content folders. A broken entry does not hide the others.
///
/// Files are named as in the content folder, `rulesets/example/ruleset.xml`, whichever content folder they lie in;
/// [`Catalog::path_of`] leads to the file itself.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The content folders, best first.
    pub roots: Vec<PathBuf>,
    /// The rulesets by id.
    pub rulesets: BTreeMap<String, RulesetEntry>,
    /// What is wrong outside of the entries.
    pub diagnostics: Diagnostics,
}

/// A ruleset of a catalogue.
#[derive(Clone, Debug)]
pub struct RulesetEntry {
    /// Its id, the name of its folder.
    pub id: String,
    /// Its manifest; `None` if that is broken.
    pub manifest: Option<Manifest>,
    /// Its folder.
    pub folder: PathBuf,
    /// What is wrong with its manifest and folder. Scripts are not looked at.
    pub diagnostics: Diagnostics,
    /// Its own scenarios by id.
    pub scenarios: BTreeMap<String, ScenarioEntry>,
    /// Its own maps by id.
    pub maps: BTreeMap<String, MapEntry>,
    /// Its own texts in other languages, by language.
    pub texts: BTreeMap<String, Vec<Phrase>>,
    /// Its own tutorial, if it has one.
    pub tutorial: Option<TutorialDocument>,
}

impl RulesetEntry {
    /// The title for players, or the id where the manifest is broken.
    pub fn title(&self) -> &str {
        self.manifest.as_ref().map_or(&self.id, |manifest| &manifest.title)
    }

    /// Everything that is wrong with it, its maps and its scenarios.
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let maps = self.maps.values().flat_map(|map| &map.diagnostics);
        let scenarios = self.scenarios.values().flat_map(|scenario| &scenario.diagnostics);
        self.diagnostics.iter().chain(maps).chain(scenarios)
    }
}

/// A scenario of a catalogue.
#[derive(Clone, Debug)]
pub struct ScenarioEntry {
    /// Its id, the name of its file without the ending.
    pub id: String,
    /// Its title for players; the id where the file is broken.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// The id of its map; empty where the file is broken.
    pub map: String,
    /// The names of its seats and the default players.
    pub players: Vec<(String, String)>,
    /// The options that it sets.
    pub options: Vec<(String, String)>,
    /// Its file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
}

impl ScenarioEntry {
    /// How its file is named in diagnostics. It lies in the folder of its ruleset, which a mod may build on.
    pub fn file_name(&self) -> String {
        let folder = self.path.parent().and_then(Path::file_name).unwrap_or_default();
        let file = self.path.file_name().unwrap_or_default();
        format!("{MAPS}/{}/{}", folder.to_string_lossy(), file.to_string_lossy())
    }
}

/// A map of a catalogue.
#[derive(Clone, Debug)]
pub struct MapEntry {
    /// Its id, the name of its file without the ending.
    pub id: String,
    /// Its title for players; the id where the file is broken.
    pub title: String,
    /// Its file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
}

impl Catalog {
    /// Looks through content folders. Where two have a ruleset, map or scenario of the same name, the first counts. Of what the
    /// program brought ([`BUNDLE_NOTE`]), a ruleset that does not count takes its maps with it: they may be of another version.
    pub fn scan(roots: &[PathBuf]) -> Self {
        let mut catalog = Self {
            roots: roots.to_vec(),
            ..Self::default()
        };
        for root in roots {
            let rulesets = folders::entries(&root.join(RULESETS), RULESETS, &mut catalog.diagnostics);
            for (id, folder) in rulesets.into_iter().filter(|(_, folder)| folder.is_dir()) {
                catalog.rulesets.entry(id.clone()).or_insert_with(|| read_entry(id, folder));
            }
        }
        for root in roots {
            let maps = folders::entries(&root.join(MAPS), MAPS, &mut catalog.diagnostics);
            for (id, folder) in maps.into_iter().filter(|(_, folder)| folder.is_dir()) {
                let name = folders::join(MAPS, &id);
                if let Some(entry) = catalog.rulesets.get_mut(&id) {
                    add_maps(entry, root, &folder);
                    continue;
                }
                let found = Diagnostic::warning(
                    Code::UnknownName,
                    format!("the folder holds maps of `{id}`, but there is no such ruleset"),
                );
                let help = did_you_mean(&id, catalog.rulesets.keys().map(String::as_str));
                let found = help.into_iter().fold(found, Diagnostic::with_help);
                catalog.diagnostics.push(found.at(Location::file(name)));
            }
        }
        catalog.check_chains();
        catalog
    }

    /// Looks through content folders for one ruleset and those it builds on: as in [`Catalog::scan`], but all others are left out, which takes
    /// as long as there is content. `None` if one of them is not there or its manifest is broken.
    pub fn scan_one(roots: &[PathBuf], id: &str) -> Option<Self> {
        let mut catalog = Self {
            roots: roots.to_vec(),
            ..Self::default()
        };
        let mut next = Some(id.to_owned());
        while let Some(id) = next.filter(|id| !catalog.rulesets.contains_key(id)) {
            let mut folders = roots.iter().map(|root| root.join(RULESETS).join(&id)).filter(|_| is_id(&id));
            let mut entry = read_entry(id.clone(), folders.find(|folder| folder.is_dir())?);
            for root in roots {
                let folder = root.join(MAPS).join(&id);
                if folder.is_dir() {
                    add_maps(&mut entry, root, &folder);
                }
            }
            let below = entry.manifest.as_ref()?.builds_on.clone();
            catalog.rulesets.insert(id, entry);
            next = below;
        }
        catalog.chain(id).is_ok().then_some(catalog)
    }

    /// Tells rulesets that build on something that is not there, or on themselves.
    fn check_chains(&mut self) {
        let faults: Vec<_> = self
            .rulesets
            .keys()
            .filter_map(|id| Some((id.clone(), self.chain(id).err()?)))
            .collect();
        for (id, found) in faults {
            if let Some(entry) = self.rulesets.get_mut(&id).filter(|entry| entry.manifest.is_some()) {
                entry.diagnostics.extend(found);
            }
        }
    }

    /// What the texts of a ruleset, and of those it builds on, become in a language. Nothing where its chain is broken.
    pub fn message_catalog(&self, id: &str, language: &str) -> MessageCatalog {
        let chain = self.chain(id).unwrap_or_default();
        let phrases = chain.iter().rev().filter_map(|entry| entry.texts.get(language));
        MessageCatalog::new(language, phrases.flatten())
    }

    /// Everything that is wrong, with the catalogue and with its entries.
    pub fn all_diagnostics(&self) -> Diagnostics {
        let entries = self.rulesets.values().flat_map(RulesetEntry::all_diagnostics);
        let mut all: Diagnostics = self.diagnostics.iter().chain(entries).cloned().collect();
        all.sort();
        all
    }

    /// The ruleset of an id.
    ///
    /// # Errors
    /// There is none; with what was probably meant.
    pub fn ruleset(&self, id: &str) -> Result<&RulesetEntry, Diagnostics> {
        self.rulesets
            .get(id)
            .ok_or_else(|| unknown("ruleset", id, self.rulesets.keys()).into())
    }

    /// A ruleset and those it builds on, itself first.
    ///
    /// # Errors
    /// One of them is not there or has a broken manifest, or they build on each other in a ring.
    pub fn chain(&self, id: &str) -> Result<Vec<&RulesetEntry>, Diagnostics> {
        let mut last = self.ruleset(id)?;
        let mut chain = vec![last];
        loop {
            let manifest = last.manifest.as_ref().ok_or_else(|| last.diagnostics.clone())?;
            let Some(below) = &manifest.builds_on else { return Ok(chain) };
            let at = |found: Diagnostic| found.at(place_in_manifest(&last.folder, &last.id, None, "builds_on"));
            if chain.iter().any(|entry| entry.id == *below) {
                let ring: Vec<_> = chain.iter().map(|entry| &entry.id).chain([below]).map(String::as_str).collect();
                let message = format!("the ruleset builds on itself: {}", ring.join(" -> "));
                return Err(at(Diagnostic::error(Code::BadValue, message)).into());
            }
            let known = || at(unknown("ruleset", below, self.rulesets.keys()));
            last = self.rulesets.get(below).ok_or_else(known)?;
            chain.push(last);
        }
    }

    /// The map or scenario of an id of a ruleset or of one it builds on, and where it is found.
    fn find<'c, T: 'c>(
        &'c self,
        ruleset: &str,
        what: &str,
        id: &str,
        entries: impl Fn(&'c RulesetEntry) -> &'c BTreeMap<String, T>,
    ) -> Result<(&'c RulesetEntry, &'c T), Diagnostics> {
        let chain = self.chain(ruleset)?;
        let found = chain.iter().find_map(|home| Some((*home, entries(home).get(id)?)));
        found.ok_or_else(|| unknown(what, id, chain.iter().flat_map(|home| entries(home).keys())).into())
    }

    /// The scenarios that can be played with a ruleset: its own, and those of the rulesets it builds on.
    pub fn scenarios(&self, ruleset: &str) -> BTreeMap<&str, &ScenarioEntry> {
        let chain = self.chain(ruleset).unwrap_or_default();
        let all = chain.iter().rev().flat_map(|entry| &entry.scenarios);
        all.map(|(id, entry)| (id.as_str(), entry)).collect()
    }

    /// The scenario that is played unless another is named: `standard`, or else the first.
    pub fn default_scenario(&self, ruleset: &str) -> Option<&ScenarioEntry> {
        let scenarios = self.scenarios(ruleset);
        let standard = scenarios.get(STANDARD_SCENARIO).copied();
        standard.or_else(|| scenarios.values().next().copied())
    }

    /// The shared scripts of all content folders.
    pub fn library(&self) -> (Layer, Diagnostics) {
        let mut library = Layer::new(LIBRARY);
        let mut diagnostics = Diagnostics::new();
        for root in &self.roots {
            let (layer, found) = folders::read_layer(&root.join(LIBRARY), LIBRARY);
            diagnostics.extend(found);
            let mut files = layer.files;
            files.retain(|path, _| path.ends_with(boardwright_ruleset::SCRIPT_ENDING));
            for (path, text) in files {
                library.files.entry(path).or_insert(text);
            }
        }
        (library, diagnostics)
    }

    /// Reads a map of a ruleset, or of one it builds on.
    ///
    /// # Errors
    /// There is no such map, or something is wrong with its file. What is wrong with the map itself is told by
    /// [`MapDocument::board`].
    pub fn map(&self, ruleset: &str, id: &str) -> Result<MapDocument, Diagnostics> {
        let (home, entry) = self.find(ruleset, "map", id, |home| &home.maps)?;
        read_map(&entry.path, &home.id, id)
    }

    /// Reads a scenario of a ruleset, or of one it builds on, with its overlay.
    ///
    /// # Errors
    /// There is no such scenario, or something is wrong with its files.
    pub fn scenario(&self, ruleset: &str, id: &str) -> Result<ScenarioDocument, Diagnostics> {
        let (home, entry) = self.find(ruleset, "scenario", id, |home| &home.scenarios)?;
        read_scenario(&entry.path, &home.id, id)
    }

    /// Reads the parameters of a strategy of a ruleset, `strategies/<name>.xml`; without that file there are none. Of a mod and what
    /// it builds on, those of the mod count.
    ///
    /// # Errors
    /// Something is wrong with the file.
    pub fn parameters(&self, ruleset: &str, strategy: &str) -> Result<Parameters, Diagnostics> {
        let file = format!("{strategy}.xml");
        let chain = self.chain(ruleset)?;
        let is_there = |home: &&&RulesetEntry| super::is_inner_path(strategy) && home.folder.join(STRATEGIES).join(&file).is_file();
        let Some(home) = chain.iter().find(is_there) else {
            return Ok(Parameters::default());
        };
        let name = format!("{RULESETS}/{}/{STRATEGIES}/{file}", home.id);
        Parameters::read(&Source::open(&home.folder.join(STRATEGIES).join(&file), name)?)
    }

    /// The file behind the name that a diagnostic gives.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        let mut paths = self.roots.iter().map(|root| root.join(name));
        paths.find(|path| path.exists())
    }
}

fn unknown<'a>(what: &str, id: &str, known: impl Iterator<Item = &'a String>) -> Diagnostic {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let all = || Some(format!("there are: {}", known.get(..20).unwrap_or(&known).join(", "))).filter(|_| !known.is_empty());
    Diagnostic {
        help: did_you_mean(id, known.iter().copied()).or_else(all),
        ..Diagnostic::error(Code::UnknownName, format!("there is no {what} `{id}`"))
    }
}

fn manifest_name(id: &str) -> String {
    format!("{RULESETS}/{id}/{MANIFEST_FILE}")
}

fn read_entry(id: String, folder: PathBuf) -> RulesetEntry {
    let name = manifest_name(&id);
    let read = Source::open(&folder.join(MANIFEST_FILE), name.as_str()).and_then(|source| Manifest::read(&source));
    let (manifest, mut diagnostics) = match read {
        Ok(manifest) => (Some(manifest), Diagnostics::new()),
        Err(found) => (None, found),
    };
    if !is_id(&id) {
        let message = format!("the folder `{id}` is not named with small letters, digits and hyphens");
        diagnostics.push(Diagnostic::error(Code::BadValue, message).at(Location::file(&name)));
    }
    if let Some(manifest) = manifest.as_ref().filter(|manifest| manifest.id != id) {
        let message = format!("the ruleset says its id is `{}`, but its folder is `{id}`", manifest.id);
        let place = place_in_manifest(&folder, &id, None, "id");
        let help = format!("write `id=\"{id}\"`, or rename the folder");
        diagnostics.push(Diagnostic::error(Code::BadValue, message).at(place).with_help(help));
    }
    if let Some(picture) = manifest.as_ref().and_then(|manifest| manifest.picture.as_ref())
        && !folder.join(picture).is_file()
    {
        let message = format!("the picture `{picture}` is not there");
        let place = place_in_manifest(&folder, &id, Some("picture"), "file");
        diagnostics.push(Diagnostic::warning(Code::File, message).at(place));
    }
    let strategies = folder.join(STRATEGIES);
    let name = format!("{RULESETS}/{id}/{STRATEGIES}");
    for (file, path) in folders::entries(&strategies, &name, &mut diagnostics) {
        if path.extension().is_some_and(|ending| ending == "xml") {
            let read = Source::open(&path, folders::join(&name, &file)).and_then(|source| Parameters::read(&source));
            diagnostics.extend(read.err().unwrap_or_default());
        }
    }
    let name = format!("{RULESETS}/{id}/{TEXTS_FOLDER}");
    let mut texts = BTreeMap::new();
    for (file, path) in folders::entries(&folder.join(TEXTS_FOLDER), name.trim_end_matches('/'), &mut diagnostics) {
        let Some(language) = file.strip_suffix(".xml") else { continue };
        let read = Source::open(&path, format!("{name}{file}")).and_then(|source| read_texts_of(&source, language));
        match read {
            Ok(document) => drop(texts.insert(language.to_owned(), document.phrases)),
            Err(found) => diagnostics.extend(found),
        }
    }
    let file = folder.join(TUTORIAL_FILE);
    let tutorial = file.is_file().then(|| {
        let source = Source::open(&file, format!("{RULESETS}/{id}/{TUTORIAL_FILE}"))?;
        TutorialDocument::read(&source)
    });
    let tutorial = tutorial.and_then(|read| read.map_err(|found| diagnostics.extend(found)).ok());
    RulesetEntry {
        id,
        manifest,
        folder,
        diagnostics,
        scenarios: BTreeMap::new(),
        maps: BTreeMap::new(),
        texts,
        tutorial,
    }
}

/// Adds the maps and scenarios of a content folder to their ruleset, if they count.
fn add_maps(entry: &mut RulesetEntry, root: &Path, folder: &Path) {
    let is_shadowed = || !entry.folder.starts_with(root) && root.join(RULESETS).join(&entry.id).is_dir();
    if root.join(BUNDLE_NOTE).is_file() && is_shadowed() {
        return;
    }
    let name = folders::join(MAPS, &entry.id);
    read_maps(entry, folder, &name);
}

/// Adds the maps and scenarios of a folder to their ruleset.
fn read_maps(entry: &mut RulesetEntry, folder: &Path, name: &str) {
    for (file, path) in folders::entries(folder, name, &mut entry.diagnostics) {
        if let Some(id) = file.strip_suffix(MAP_ENDING) {
            if entry.maps.contains_key(id) {
                continue;
            }
            let read = read_map(&path, &entry.id, id).and_then(|document| document.board().map(|_| document));
            let (title, diagnostics) = match read {
                Ok(document) => (document.map.title.clone(), document.doubts()),
                Err(found) => (id.to_owned(), found),
            };
            let map = MapEntry {
                id: id.to_owned(),
                title,
                path,
                diagnostics,
            };
            entry.maps.insert(id.to_owned(), map);
        } else if let Some(id) = file.strip_suffix(SCENARIO_ENDING) {
            if entry.scenarios.contains_key(id) {
                continue;
            }
            let (scenario, diagnostics) = match read_scenario(&path, &entry.id, id) {
                Ok(document) => (document.scenario, Diagnostics::new()),
                Err(found) => (Scenario::default(), found),
            };
            let scenario = ScenarioEntry {
                id: id.to_owned(),
                title: if scenario.title.is_empty() { id.to_owned() } else { scenario.title },
                description: scenario.description,
                map: scenario.map,
                players: scenario.players,
                options: scenario.setup.options,
                path,
                diagnostics,
            };
            entry.scenarios.insert(id.to_owned(), scenario);
        }
    }
}

/// Where a value of a manifest is written. The file is read again: what is wrong is found after reading, and seldom.
fn place_in_manifest(folder: &Path, id: &str, child: Option<&str>, attribute: &str) -> Location {
    let name = manifest_name(id);
    Source::open(&folder.join(MANIFEST_FILE), name.as_str())
        .map_or_else(|_| Location::file(name), |source| place_of(&source, child, attribute))
}

/// Checks that a document says of itself what its path does, `is`, and else says where that is from, `why`.
fn check_name(source: &Source, (what, attribute): (&str, &str), written: &str, is: &str, why: &str) -> Result<(), Diagnostics> {
    if written == is {
        return Ok(());
    }
    let message = format!("the {what} says its {attribute} is `{written}`, but {why} `{is}`");
    let place = place_of(source, None, attribute);
    let help = format!("write `{attribute}=\"{is}\"`, or move the file");
    Err(Diagnostic::error(Code::BadValue, message).at(place).with_help(help).into())
}

fn read_map(path: &Path, ruleset: &str, id: &str) -> Result<MapDocument, Diagnostics> {
    let source = Source::open(path, format!("{MAPS}/{ruleset}/{id}{MAP_ENDING}"))?;
    let document = MapDocument::read(&source)?;
    check_name(&source, ("map", "id"), &document.map.id, id, "its file is named")?;
    Ok(document)
}

fn read_scenario(path: &Path, ruleset: &str, id: &str) -> Result<ScenarioDocument, Diagnostics> {
    let folder = format!("{MAPS}/{ruleset}");
    let source = Source::open(path, format!("{folder}/{id}{SCENARIO_ENDING}"))?;
    let mut document = ScenarioDocument::read(&source)?;
    let scenario = &mut document.scenario;
    check_name(&source, ("scenario", "id"), &scenario.id, id, "its file is named")?;
    let why = "it lies in the folder of";
    check_name(&source, ("scenario", "ruleset"), &scenario.ruleset, ruleset, why)?;
    if let Some((file, text)) = &mut scenario.overlay {
        *text = folders::read_source(&path.with_file_name(&file), &format!("{folder}/{file}"))?.to_string();
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_that_is_read_alone_is_as_it_is_among_all_others() {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let roots = [project];
        let all = Catalog::scan(&roots);
        assert!(all.rulesets.len() > 5);
        for id in all.rulesets.keys() {
            let one = Catalog::scan_one(&roots, id).unwrap();
            let chain = all.chain(id).unwrap();
            assert_eq!(one.rulesets.len(), chain.len());
            for entry in chain {
                assert_eq!(format!("{entry:?}"), format!("{:?}", one.rulesets[&entry.id]));
            }
        }
        assert!(Catalog::scan_one(&roots, "no-such-ruleset").is_none());
        assert!(Catalog::scan_one(&roots, "../rulesets/cornered").is_none());
    }
}
