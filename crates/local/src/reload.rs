//! The reload: the rules of a running match read again from their files, on request or whenever a file changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::saves::{self, SourceArchive};
use crate::{ruleset_info_of, sound};
use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{Catalog, FolderWatch, MANIFEST_FILE, MAPS, Manifest, ScenarioDocument, WatchSettings, read_texts};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{
    AuthoredProperties, Map, MapCell, Scenario, Sentence, Setup, SetupFault, SetupItem, State, Value, rule_number, sentence,
};
use boardwright_rules::{MakeRules, RulesSource};
use boardwright_ruleset::{Layer, SCRIPT_ENDING, Sources};
use boardwright_script::ScriptSource;
use boardwright_server::{MatchInfo, NewRules, NewScenario, ReloadRules, SessionHandle};

/// Reads the rules of a match again from their files. A scenario that is not in the catalogue keeps its overlay.
///
/// The map and the scenario are read with them. `begun` is the state that the match began with.
pub(super) fn reload(catalog: Catalog, info: MatchInfo, scenario: Scenario, begun: &State, archive: SourceArchive) -> ReloadRules {
    let mut files = ScenarioFiles {
        map: info.map.clone(),
        setup: scenario.setup.clone(),
        options: begun.options().to_vec(),
        options_read: None,
    };
    Box::new(move |in_force| {
        let as_problems = Vec::<Diagnostic>::from;
        let is_there = catalog.scenarios(&info.ruleset).contains_key(scenario.id.as_str());
        let read = is_there.then(|| catalog.scenario(&info.ruleset, &scenario.id)).transpose();
        let read = read.map_err(as_problems)?;
        let overlay = read.as_ref().map_or(&scenario, |read| &read.scenario).overlay.clone();
        let overlay = overlay.map(|(file, text)| Layer::new(format!("{MAPS}/{}", scenario.ruleset)).with(file, text));
        let sources = catalog.sources(&info.ruleset, overlay).map_err(as_problems)?;
        let documents: Diagnostics = manifest_faults(&sources).into_iter().chain(read_texts(&sources).1).collect();
        if documents.has_errors() {
            return Err(as_problems(documents));
        }
        let known = saves::sources_of(&archive, &in_force).unwrap_or_default();
        let (known, texts) = texts_of_both(&known, &sources);
        let (mut changes, missing) = (changes(&known, &texts), gone(&known, &texts));
        let (source, program) = sound(&sources)
            .map_err(|found| as_problems(found.into_iter().chain(missing.iter().map(|file| note_of_gone(file))).collect()))?;
        saves::add_to(&archive, &source);
        let info = MatchInfo {
            ruleset_info: Arc::new(ruleset_info_of(&source)),
            ..info.clone()
        };
        let changed = read
            .map(|read| files.read_again(&catalog, &info.ruleset, read, &source))
            .transpose();
        let changed = changed.map_err(as_problems)?.flatten();
        if changed.is_some() {
            changes.push(sentence!("the map or the scenario changed").into());
        }
        let source = Arc::new(source);
        let compiled = Arc::clone(&source);
        let make: MakeRules = Box::new(move |board, declarations, options| compiled.rules_of(program, board, declarations, options));
        let new = NewRules {
            problems: source.findings().iter().cloned().chain(source.check_strategies()).collect(),
            source,
            changes,
            gone: missing,
            info: Some(info),
            scenario: changed,
        };
        Ok((new, Some(make)))
    })
}

/// The map and the scenario as they were read last.
struct ScenarioFiles {
    map: Map,
    setup: Setup,
    options: Vec<Value>,
    /// The options of the scenario as they were read last, if that was in this process: a saved match knows only those in force.
    options_read: Option<Vec<(String, String)>>,
}

impl ScenarioFiles {
    /// How a match would begin by the files as they are now; nothing if they say what they said.
    ///
    /// # Errors
    /// What is wrong with them.
    fn read_again(
        &mut self,
        catalog: &Catalog,
        ruleset: &str,
        read: ScenarioDocument,
        source: &ScriptSource,
    ) -> Result<Option<NewScenario>, Diagnostics> {
        let document = catalog.map(ruleset, &read.scenario.map)?;
        let mut setup = read.scenario.setup.clone();
        // A saved match knows all options in force, and the file those that it sets.
        let has_other_options = self
            .options_read
            .replace(setup.options.clone())
            .is_some_and(|before| before != setup.options);
        let plain = |setup: &Setup| Setup {
            options: Vec::new(),
            ..setup.clone()
        };
        if document.map == self.map && plain(&setup) == plain(&self.setup) && !has_other_options {
            return Ok(None);
        }
        let board = Arc::new(document.board()?);
        let mut left_out = self.differences(&document.map);
        if setup.seats != self.setup.seats {
            left_out.push(sentence!("the scenario has other seats: they take part when a match begins"));
            setup.seats.clone_from(&self.setup.seats);
        }
        if has_other_options {
            left_out.push(sentence!("the scenario has other options: they hold when a match begins"));
        }
        let declarations = RulesSource::declarations(source);
        let own = declarations.options.iter().zip(&self.options);
        let played = Setup {
            options: own.map(|(option, value)| (option.name.to_string(), value.to_string())).collect(),
            ..setup.clone()
        };
        let start = played.build(&board, declarations).map_err(|faults| {
            let at = |fault| match fault {
                SetupFault {
                    item: SetupItem::MapCell(cell),
                    ..
                } => {
                    let found = read.positions.diagnostic(&fault);
                    document.positions.at_cell(&document.map, &board, cell, found)
                }
                fault => read.positions.diagnostic(&fault),
            };
            faults.into_iter().map(at).collect::<Diagnostics>()
        })?;
        (self.map, self.setup) = (document.map, read.scenario.setup);
        Ok(Some(NewScenario { start, left_out }))
    }

    /// What of a changed map takes hold only when a match begins: all but terrains and properties.
    fn differences(&self, map: &Map) -> Vec<Sentence> {
        let mut left_out = Vec::new();
        if map.regions != self.map.regions {
            left_out.push(sentence!("the map has other regions: they hold when a match begins"));
        }
        let shape = |map: &Map| {
            let plain = |cell: &MapCell| MapCell {
                terrain: None,
                properties: AuthoredProperties::default(),
                ..cell.clone()
            };
            let is_plain = |cell: &MapCell| *cell != MapCell::new("", cell.x, cell.y);
            let mut cells: Vec<MapCell> = map.cells.iter().map(plain).filter(is_plain).collect();
            cells.sort_by_key(|cell| (cell.y, cell.x));
            (map.topology, cells, map.lines.clone())
        };
        if shape(map) != shape(&self.map) {
            left_out.push(sentence!(
                "the map has other cells, lines or heights: they are there when a match begins"
            ));
        }
        left_out
    }
}

/// What is wrong with the manifests among the sources. They take no part in a match, but nobody could begin the next one.
fn manifest_faults(sources: &Sources) -> Diagnostics {
    let layers = sources.layers.iter();
    let manifests = layers.filter_map(|layer| Some((layer.place_of(MANIFEST_FILE), layer.files.get(MANIFEST_FILE)?)));
    let found = manifests.filter_map(|(place, text)| Manifest::read(&Source::new(place, text)).err());
    found.flatten().collect()
}

/// Texts by the places of their files.
type Texts = BTreeMap<String, Arc<str>>;

/// The texts of old and new sources. Where there are as many layers, those of the old ones have the places of the new ones: the rules of a match may be
/// read from a copy of its ruleset. Of a copy only the scripts count, for its title and the id in its texts are others.
fn texts_of_both(old: &Sources, new: &Sources) -> (Texts, Texts) {
    let mut pairs = old.layers.iter().zip(&new.layers);
    let is_copy =
        old.layers.len() == new.layers.len() && pairs.any(|(old, new)| old.place_of(MANIFEST_FILE) != new.place_of(MANIFEST_FILE));
    let texts = |sources: &Sources, places: &Sources| -> Texts {
        let layers = sources
            .layers
            .iter()
            .zip(&places.layers)
            .chain([(&sources.library, &places.library)]);
        let files = layers.flat_map(|(layer, of)| layer.files.iter().map(|(path, text)| (of.place_of(path), Arc::clone(text))));
        files.filter(|(place, _)| !is_copy || place.ends_with(SCRIPT_ENDING)).collect()
    };
    let places = if old.layers.len() == new.layers.len() { new } else { old };
    (texts(old, places), texts(new, new))
}

/// The files that are there no more: where something is missing it may have stood in them.
fn gone(old: &Texts, new: &Texts) -> Vec<String> {
    old.keys().filter(|path| !new.contains_key(*path)).cloned().collect()
}

fn note_of_gone(path: &str) -> Diagnostic {
    Diagnostic::note(Code::File, "the file is gone, and with it what stood in it").at(Location::file(path))
}

/// What changed, for players: the rules by their numbers where the comments of changed functions name them, or those of the functions of any
/// file that use a changed constant; and the file where something in it belongs to no number.
fn changes(old: &Texts, new: &Texts) -> Vec<String> {
    let scripts = new.iter().filter(|(path, _)| path.ends_with(SCRIPT_ENDING));
    let all: Vec<Part<'_>> = scripts.flat_map(|(_, text)| parts(text).into_values()).collect();
    let changed = new.iter().flat_map(|(path, text)| match old.get(path) {
        None => vec![sentence!("{file} is new", file = path)],
        Some(before) if before != text && path.ends_with(SCRIPT_ENDING) => {
            let (numbers, is_all) = changed_rules(before, text, &all);
            let rules = numbers
                .into_iter()
                .map(|number| sentence!("Rule {number} changed", number = number));
            let rest = (!is_all).then(|| sentence!("{file} changed", file = path));
            rules.chain(rest).collect()
        }
        Some(before) if before != text => vec![sentence!("{file} changed", file = path)],
        Some(_) => Vec::new(),
    });
    let removed = old.keys().filter(|path| !new.contains_key(*path));
    let removed = removed.map(|path| sentence!("{file} is gone", file = path));
    let mut changes = Vec::new();
    for change in changed.chain(removed).map(String::from) {
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes
}

/// The numbers of the rules whose functions changed in a script, or use a constant that did; and whether that tells all that changed. `all` has
/// the parts of all scripts.
fn changed_rules(old: &str, new: &str, all: &[Part<'_>]) -> (BTreeSet<String>, bool) {
    let (old, new) = (parts(old), parts(new));
    let is_changed = |name: &&str| old.get(*name).map(|part| &part.text) != new.get(*name).map(|part| &part.text);
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let (mut numbers, mut is_all) = (BTreeSet::new(), true);
    for name in names.into_iter().filter(is_changed) {
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let uses = |part: &Part<'_>, constant: &str| part.text.lines().filter(is_code).flat_map(words).any(|word| word == constant);
        let changes: BTreeSet<String> = if let Some(constant) = name.strip_prefix(CONSTANT) {
            let users = all.iter().filter(|part| !part.is_constant && uses(part, constant));
            users.filter_map(|user| user.rule.map(str::to_owned)).collect()
        } else {
            let part = new.get(name).or_else(|| old.get(name));
            part.and_then(|part| part.rule).map(str::to_owned).into_iter().collect()
        };
        is_all &= !changes.is_empty();
        numbers.extend(changes);
    }
    (numbers, is_all)
}

/// Before the name of a constant among the parts of a script.
const CONSTANT: &str = "const ";

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

/// A function of a script with the comment before it, or what stands before the first one.
#[derive(Default)]
struct Part<'a> {
    /// The number of the rule that its comment begins with.
    rule: Option<&'a str>,
    /// Its lines without blank ones at their ends.
    text: String,
    is_constant: bool,
}

/// The functions and constants of a script by name; what stands outside of them is without a name.
fn parts(script: &str) -> BTreeMap<&str, Part<'_>> {
    let (mut parts, mut comment) = (BTreeMap::<&str, Part<'_>>::new(), Vec::new());
    let mut name = "";
    for line in script.lines().map(str::trim_end) {
        if line.starts_with("///") {
            comment.push(line);
            continue;
        }
        let code = line.strip_prefix("private ").unwrap_or(line);
        if let Some(begun) = code.strip_prefix("fn ") {
            name = begun.split(['(', ' ']).next().unwrap_or_default();
            let first = comment.first().map_or("", |line| line.trim_start_matches('/').trim_start());
            parts.entry(name).or_default().rule = first.split_whitespace().next().and_then(rule_number);
        }
        if name.is_empty() && code.starts_with(CONSTANT) {
            let end = code.find([':', '=', ';']).unwrap_or(code.len());
            name = code.get(..end).unwrap_or(code).trim_end();
            parts.entry(name).or_default().is_constant = true;
        }
        let part = parts.entry(name).or_default();
        for line in comment.drain(..).chain(Some(line)).filter(|line| !line.is_empty()) {
            part.text.push_str(line);
            part.text.push('\n');
        }
        if line == "}" || (part.is_constant && line.ends_with(';')) {
            name = "";
        }
    }
    parts
}

/// Watches folders, or says why that cannot be.
pub(super) fn watched(folders: &[PathBuf]) -> Option<FolderWatch> {
    let watch = FolderWatch::new(folders, WatchSettings::default());
    watch.inspect_err(|error| tracing::warn!("{error}")).ok()
}

/// Tells again and again whether files have changed, until nobody listens any more.
pub(super) fn notify_changes(watch: &mut FolderWatch, mut tell: impl FnMut(bool) -> bool) {
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
    if let Err(error) = watching.spawn(move || notify_changes(&mut watch, reload)) {
        tracing::warn!("changes of files are not watched: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "const A = 1;\n\n/// 3.1 A piece jumps.\nfn jump(view) {\n    1\n}\n\n/// 3.2 Again.\nfn again() {\n    2\n}\n\nfn helper() {\n    3\n}\n";

    fn changed(from: &str, to: &str) -> Vec<String> {
        let sources = |text: String| Sources::of(Layer::new("rulesets/race").with("rules.rhai", text));
        changes(&sources(SCRIPT.to_owned()), &sources(SCRIPT.replace(from, to)))
    }

    fn changes(old: &Sources, new: &Sources) -> Vec<String> {
        let (old, new) = texts_of_both(old, new);
        super::changes(&old, &new)
    }

    #[test]
    fn a_change_is_told_by_the_rules_it_changes() {
        assert_eq!(changed("    1\n", "    7\n"), ["Rule 3.1 changed"]);
        assert_eq!(changed("    1\n", "    7\n\n"), ["Rule 3.1 changed"]);
        assert_eq!(changed("A piece", "Any piece"), ["Rule 3.1 changed"]);
        assert_eq!(
            changed("fn again() {\n    2\n}\n", "fn again() {\n    5\n}\n"),
            ["Rule 3.2 changed"]
        );
        assert_eq!(changed("/// 3.2 Again.\nfn again() {\n    2\n}\n", ""), ["Rule 3.2 changed"]);
    }

    #[test]
    fn a_constant_is_told_by_the_rules_that_use_it() {
        let script = "const FAR = #{\n    red: 1,\n};\nconst UNUSED = 1;\n\n/// 4 Flight.\nfn fly() {\n    FAR.red\n}\n\n/// 5 Rest.\nfn rest() {\n    AFAR\n}\n";
        let sources = |text: &str| Sources::of(Layer::new("rulesets/race").with("rules.rhai", text));
        let changed = |from: &str, to: &str| changes(&sources(script), &sources(&script.replace(from, to)));
        assert_eq!(changed("red: 1", "red: 2"), ["Rule 4 changed"]);
        assert_eq!(changed("UNUSED = 1", "UNUSED = 2"), ["rulesets/race/rules.rhai changed"]);
    }

    #[test]
    fn a_constant_is_told_by_the_rules_of_other_files_that_use_it() {
        let sources = |bonus: &str| {
            let layer = Layer::new("rulesets/race").with("tables.rhai", format!("const BONUS = {bonus};\n"));
            Sources::of(layer.with("rules.rhai", SCRIPT.replace("    2\n", "    BONUS\n")))
        };
        assert_eq!(changes(&sources("5"), &sources("9")), ["Rule 3.2 changed"]);
    }

    #[test]
    fn a_change_without_a_number_hides_none_that_has_one() {
        let old = Sources::of(Layer::new("rulesets/race").with("rules.rhai", SCRIPT));
        let new = SCRIPT.replace("    1\n", "    7\n").replace("    3\n", "    4\n");
        let new = Sources::of(Layer::new("rulesets/race").with("rules.rhai", new));
        assert_eq!(changes(&old, &new), ["Rule 3.1 changed", "rulesets/race/rules.rhai changed"]);
    }

    #[test]
    fn what_no_number_names_is_told_by_its_file() {
        for (from, to) in [("A = 1", "A = 2"), ("    3\n", "    4\n")] {
            assert_eq!(changed(from, to), ["rulesets/race/rules.rhai changed"]);
        }
    }
}
