//! Names in scripts and maps that lead nowhere: terrains, regions, pictures, rules of the book.

use std::collections::BTreeSet;

use boardwright_client::MatchChoice;
use boardwright_content::{Catalog, HELP_FOLDER, MAPS, RULESETS};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_protocol::HelpPage;
use boardwright_rules::RulesSource as _;
use boardwright_ruleset::{Layer, did_you_mean, literals};
use boardwright_script::ScriptSource;

use crate::rule_book::{help_pages, pictures};

/// Everything in a ruleset and its maps that names something which is not there.
pub(super) fn check(catalog: &Catalog, id: &str, source: &ScriptSource) -> Diagnostics {
    let mut found = Diagnostics::new();
    let declarations = source.declarations();
    let mut regions = BTreeSet::new();
    let mut has_maps = false;
    let chain = catalog.chain(id).unwrap_or_default();
    for home in &chain {
        for (name, entry) in &home.maps {
            let Ok(document) = catalog.map(&home.id, name) else { continue };
            has_maps = true;
            regions.extend(document.map.regions.iter().map(|region| region.name.clone()));
            if home.id == id {
                let text = std::fs::read_to_string(&entry.path).unwrap_or_default();
                let file = entry.path.file_name().unwrap_or_default().to_string_lossy();
                let file = format!("{MAPS}/{id}/{file}");
                let mut known: Vec<String> = declarations.terrains.iter().map(|terrain| terrain.name.to_string()).collect();
                let mut unknown = terrains(&known, &file, &text);
                if !unknown.is_empty() {
                    known.extend(terrains_of_scenarios(catalog, id, name));
                    unknown = terrains(&known, &file, &text);
                }
                found.extend(unknown);
            }
        }
    }
    let folder = format!("{RULESETS}/{id}");
    let is_own = |place: &Location| place.file.starts_with(&format!("{folder}/"));
    if has_maps {
        for (name, place) in source.named_regions().iter().filter(|(_, place)| is_own(place)) {
            if !regions.contains(name) {
                let known = regions.iter().map(String::as_str);
                let all = || match regions.len() {
                    0 => "no map has regions: write `<region name=\"..\" cells=\"..\"/>` into the map".to_owned(),
                    _ => format!("there are {}", regions.iter().take(12).cloned().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("no map has a region `{name}`");
                let cure = did_you_mean(name, known).unwrap_or_else(all);
                found.push(Diagnostic::warning(Code::UnknownName, message).at(place.clone()).with_help(cure));
            }
        }
    }
    named_pictures(source, &folder, &mut found);
    named_declarations(source, &folder, &mut found);
    book(source, &folder, &mut found);
    found
}

/// The terrains that the scripts of scenarios on a map declare.
fn terrains_of_scenarios(catalog: &Catalog, id: &str, map: &str) -> Vec<String> {
    let scenarios = catalog.scenarios(id).into_values().filter(|scenario| scenario.map == map);
    let prepared = scenarios.filter_map(|scenario| {
        let choice = MatchChoice {
            ruleset: id.to_owned(),
            scenario: Some(scenario.id.clone()),
            ..MatchChoice::default()
        };
        crate::prepare(catalog, &choice).ok()
    });
    let names = |prepared: crate::Prepared| {
        let declared = prepared.start.declarations().terrains.iter();
        declared.map(|terrain| terrain.name.to_string()).collect::<Vec<_>>()
    };
    prepared.flat_map(names).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The terrains that a map names and nobody declares.
fn terrains(known: &[String], file: &str, text: &str) -> Diagnostics {
    const ATTRIBUTE: &str = "terrain=\"";
    let mut found = Diagnostics::new();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut reported = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices(ATTRIBUTE) {
            let Some(name) = line.get(at + ATTRIBUTE.len()..).and_then(|rest| rest.split('"').next()) else {
                continue;
            };
            if known.contains(&name) || !reported.insert(name) {
                continue;
            }
            let column = line.get(..at + ATTRIBUTE.len()).unwrap_or_default().chars().count() + 1;
            let place = Location {
                source_line: Some(line.to_owned()),
                ..Location::at(file, index as u32 + 1, column as u32)
            };
            let cure = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| match known.as_slice() {
                [] => format!("declare it in `ruleset()`: `terrains: [#{{ name: {name:?}, colour: \"#608040\" }}]`"),
                known => format!(
                    "the ruleset declares {}; without one of them a cell has the first",
                    known.join(", ")
                ),
            });
            let message = format!("the ruleset declares no terrain `{name}`");
            found.push(Diagnostic::error(Code::UnknownName, message).at(place).with_help(cure));
        }
    }
    found
}

/// Names of pictures that stand in scripts as texts.
fn named_pictures(source: &ScriptSource, folder: &str, found: &mut Diagnostics) {
    let art = pictures(source.sources());
    let own = source.sources().layers.iter().filter(|layer| layer.id == folder);
    for (path, text) in own.flat_map(Layer::rules) {
        let place_of = |line, column| Location::at(format!("{folder}/{path}"), line, column);
        for literal in literals(text) {
            let [name] = literal.parts.as_slice() else { continue };
            if name.len() > ENDING.len() && name.ends_with(ENDING) && !name.contains(char::is_whitespace) && !art.contains_key(name) {
                let place = Location {
                    source_line: text.lines().nth(literal.line as usize - 1).map(str::to_owned),
                    ..place_of(literal.line, literal.column)
                };
                found.push(missing_picture(name, art.keys().map(String::as_str), folder).at(place));
            }
        }
    }
}

/// Names of kinds, actions and picks that stand in scripts, also in hooks that are seldom called.
fn named_declarations(source: &ScriptSource, folder: &str, found: &mut Diagnostics) {
    let declarations = source.declarations();
    let picks: BTreeSet<&str> = declarations
        .actions
        .iter()
        .flat_map(|action| &action.picks)
        .map(|pick| &*pick.name)
        .collect();
    let own = source.sources().layers.iter().filter(|layer| layer.id == folder);
    for (path, text) in own.flat_map(Layer::rules) {
        let lines: Vec<&str> = text.lines().collect();
        let mut report = |line: u32, column: u32, message: String, cure: String| {
            let place = Location {
                source_line: lines.get(line as usize - 1).map(|line| (*line).to_owned()),
                ..Location::at(format!("{folder}/{path}"), line, column)
            };
            found.push(Diagnostic::error(Code::UnknownName, message).at(place).with_help(cure));
        };
        for literal in literals(text) {
            let [name] = literal.parts.as_slice() else { continue };
            let line = lines.get(literal.line as usize - 1).copied().unwrap_or_default();
            let before: String = line.chars().take(literal.column as usize - 1).collect();
            if before.ends_with(".create(") && declarations.find_kind(name).is_none() {
                let kinds = || declarations.kinds.iter().map(|kind| &*kind.name);
                let cure = did_you_mean(name, kinds()).unwrap_or_else(|| format!("there are {}", kinds().collect::<Vec<_>>().join(", ")));
                report(literal.line, literal.column, format!("the ruleset declares no kind `{name}`"), cure);
            }
            if is_asked(&before) {
                let answers = || {
                    declarations
                        .actions
                        .iter()
                        .filter(|action| action.answers_decision)
                        .map(|action| &*action.name)
                };
                if !answers().any(|action| action == name) {
                    let cure = did_you_mean(name, answers()).unwrap_or_else(|| "declare it as an action with `answers: true`".to_owned());
                    report(literal.line, literal.column, format!("no action `{name}` answers a question"), cure);
                }
            }
        }
        for (index, line) in lines.iter().enumerate() {
            for (column, name) in picks_in(line).filter(|(_, name)| !picks.contains(name)) {
                let cure = did_you_mean(name, picks.iter().copied()).unwrap_or_else(|| match picks.len() {
                    0 => "no action of the ruleset has picks".to_owned(),
                    _ => format!("there are {}", picks.iter().copied().collect::<Vec<_>>().join(", ")),
                });
                report(index as u32 + 1, column as u32, format!("no action has a pick `{name}`"), cure);
            }
        }
    }
}

/// Whether the second argument of `ask` follows.
fn is_asked(before: &str) -> bool {
    const ASK: &str = ".ask(";
    let Some(arguments) = before.rfind(ASK).and_then(|at| before.get(at + ASK.len()..)) else {
        return false;
    };
    let first = arguments.trim_end();
    first.ends_with(',') && first.matches(',').count() == 1 && !first.contains('(')
}

/// The names of picks that a line reads out of `picked`, each with its column. What is called, and what lists have too, is no pick.
fn picks_in(line: &str) -> impl Iterator<Item = (usize, &str)> {
    const PICKED: &str = "picked.";
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let code = if line.trim_start().starts_with("//") { "" } else { line };
    code.match_indices(PICKED).filter_map(move |(at, _)| {
        let (before, rest) = (code.get(..at)?, code.get(at + PICKED.len()..)?);
        let name = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
        let is_called = rest.get(name.len()..)?.starts_with('(');
        let is_pick = !before.ends_with(|c| is_part(c) || c == '.') && !is_called && !name.is_empty() && name != "len";
        is_pick.then(|| (before.chars().count() + PICKED.len() + 1, name))
    })
}

const ENDING: &str = ".svg";

/// Where the name of a picture is put together, as `${kind}.svg`.
pub(super) fn place_of_pictures(source: &ScriptSource, folder: &str) -> Option<Location> {
    let own = source.sources().layers.iter().filter(|layer| layer.id == folder);
    own.flat_map(Layer::rules).find_map(|(path, text)| {
        let found = literals(text).into_iter().find(|literal| {
            let ends = literal.parts.last().is_some_and(|part| part.ends_with(ENDING));
            ends && literal.parts.len() > 1
        })?;
        Some(Location::at(format!("{folder}/{path}"), found.line, found.column))
    })
}

/// Where a function of scripts begins, by its name.
pub(super) fn place_of_function(source: &ScriptSource, name: &str) -> Option<Location> {
    let start = format!("fn {name}(");
    source.sources().layers.iter().rev().find_map(|layer| {
        layer.rules().find_map(|(path, text)| {
            let line = text.lines().position(|line| line.starts_with(&start))?;
            Some(Location::at(layer.place_of(path), line as u32 + 1, 1))
        })
    })
}

/// A picture that no file is.
pub(super) fn missing_picture<'a>(name: &str, known: impl Iterator<Item = &'a str>, folder: &str) -> Diagnostic {
    let cure = did_you_mean(name, known).unwrap_or_else(|| format!("put the file at {folder}/art/{name}"));
    Diagnostic::warning(Code::File, format!("there is no picture `{name}`")).with_help(cure)
}

/// The pages of a rule book, as far as they number rules.
struct NumberedPages(Vec<HelpPage>);

impl NumberedPages {
    /// Whether a line begins with the number of a rule.
    fn has(&self, number: &str) -> bool {
        let is_number_of = |line: &str| {
            let title = line.trim_start_matches(['#', '*', ' ', '-', '|']);
            title.strip_prefix(number).is_some_and(|rest| {
                let goes_on = rest.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
                !rest.starts_with(|c: char| c.is_alphanumeric()) && !goes_on
            })
        };
        self.0.iter().any(|page| page.text.lines().any(is_number_of))
    }

    /// Whether a rule is found, or belongs to a chapter that is not written yet or has no numbers in it, which is its author's business.
    fn covers(&self, number: &str) -> bool {
        let Some((chapter, _)) = number.rsplit_once('.') else { return true };
        self.has(number) || !(1..10).any(|number| self.has(&format!("{chapter}.{number}")))
    }
}

/// Rules that are cited and are missing in their chapter of the book.
fn book(source: &ScriptSource, folder: &str, found: &mut Diagnostics) {
    let pages = NumberedPages(help_pages(source.sources()));
    let of_comments = source.cited_rules().iter().map(|rule| (&rule.number, &rule.place));
    let of_calls = source.named_rules().iter().map(|(number, place)| (number, place));
    let mut reported = BTreeSet::new();
    for (number, place) in of_comments.chain(of_calls) {
        let own = place.file.starts_with(&format!("{folder}/"));
        if own && !pages.covers(number) && reported.insert(number) {
            let message = format!("no page of the rule book has a rule {number}");
            let cure = format!("write a heading `## {number} ..` on a page in {folder}/{HELP_FOLDER}, or cite a rule that is there");
            found.push(Diagnostic::warning(Code::UnknownName, message).at(place.clone()).with_help(cure));
        }
    }
}
