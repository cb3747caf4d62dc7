//! What is wrong with strategies, or probably not meant so.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Limits, Program, hooks};
use super::{compile_strategy, names};
use boardwright_model::Declarations;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_rules::Settings;
use boardwright_ruleset::{FunctionSymbol, Hooks, STRATEGIES_FOLDER, Sources, SymbolTable, did_you_mean};

/// Functions of an agent that take the name of a parameter first.
const BY_NAME: [&str; 2] = ["value_of", "total"];
/// What an agent has that is no parameter.
const OWN: [&str; 1] = ["is_watched"];

/// Looks all strategies over. What is found in the rules below them is left to whoever looks those over.
pub(crate) fn check(sources: &Sources, limits: &Limits, declarations: &Declarations, settings: &BTreeMap<String, Settings>) -> Diagnostics {
    let mut found = Diagnostics::new();
    let none = SymbolTable::default();
    let hooks = hooks::of(hooks::STRATEGY_HOOKS, declarations, &none);
    for name in names(sources) {
        let none = Settings::default();
        match compile_strategy(sources, &name, limits, None) {
            Some(Ok(program)) => {
                let own = |one: &Diagnostic| one.place.as_ref().is_some_and(is_of_strategy);
                found.extend(program.lint(&hooks, Some(declarations)).into_iter().filter(own));
                parameters(&program, &name, settings.get(&name).unwrap_or(&none), &mut found);
                decides(&program, &hooks, &name, &mut found);
            }
            Some(Err(problems)) => found.extend(problems),
            None => {}
        }
    }
    for name in settings.keys().filter(|name| !names(sources).contains(*name)) {
        let message = format!("there are parameters for a strategy `{name}`, but no script {name}.rhai beside them");
        let place = file_of(sources, &format!("{name}.xml"));
        found.push(Diagnostic::warning(Code::Unused, message).at(place));
    }
    found.sort();
    found
}

fn is_of_strategy(place: &Location) -> bool {
    place.file.contains(&format!("/{STRATEGIES_FOLDER}"))
}

fn file_of(sources: &Sources, file: &str) -> Option<Location> {
    let path = format!("{STRATEGIES_FOLDER}{file}");
    let home = sources.layers.iter().rev().find(|layer| layer.files.contains_key(&path))?;
    Some(Location::file(home.place_of(&path)))
}

/// The functions that stand in files of strategies.
fn own(program: &Program) -> impl Iterator<Item = &FunctionSymbol> {
    program
        .outline()
        .functions
        .iter()
        .filter(|function| is_of_strategy(&function.place))
}

/// A strategy that never decides anything is none.
fn decides(program: &Program, own_hooks: &Hooks, name: &str, found: &mut Diagnostics) {
    if own(program).any(|function| own_hooks.find(&function.name).is_some() && function.params.len() == 2) {
        return;
    }
    let known: Vec<&str> = hooks::STRATEGY_HOOKS.iter().map(|hook| hook.name).collect();
    let message = format!("the strategy `{name}` has none of the functions that decide: {}", known.join(", "));
    let first = own(program).next().map(|function| function.place.clone());
    found.push(Diagnostic::warning(Code::MissingHook, message).at(first));
}

/// Parameters that are used and have no value, and those that have one and are not used.
fn parameters(program: &Program, name: &str, settings: &Settings, found: &mut Diagnostics) {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut is_all = false;
    for function in own(program) {
        // An agent is passed on under whatever name; the standard name is enough to say something of.
        for (object, property, place) in &function.body.properties {
            if object == "agent" && !OWN.contains(&property.as_str()) {
                used.insert(property);
                report(property, place, settings, found);
            }
        }
        for call in function.body.calls.iter().filter(|call| BY_NAME.contains(&call.name.as_str())) {
            match &call.text {
                Some(text) => {
                    used.insert(text);
                    report(text, &call.place, settings, found);
                }
                None => is_all = true,
            }
        }
    }
    let plain = |name: &str| name.split('.').next().unwrap_or(name).to_owned();
    let mut unused: Vec<String> = settings.iter().map(|(known, _)| plain(known)).collect();
    unused.dedup();
    for known in unused.into_iter().filter(|known| !is_all && !used.contains(known.as_str())) {
        let message = format!("the strategy `{name}` does not use the parameter `{known}`");
        let place = own(program).next().and_then(|function| function.place.file.strip_suffix(".rhai"));
        let place = place.map(|file| Location::file(format!("{file}.xml")));
        found.push(Diagnostic::warning(Code::Unused, message).at(place));
    }
}

fn report(name: &str, place: &Location, settings: &Settings, found: &mut Diagnostics) {
    if settings.value(name).is_some() {
        return;
    }
    let help = did_you_mean(name, settings.iter().map(|(known, _)| known));
    let help = help.unwrap_or_else(|| format!("write `<parameter name=\"{name}\" value=\"..\"/>` into the XML file beside the script"));
    let message = format!("the parameter `{name}` has no value");
    found.push(Diagnostic::error(Code::MissingValue, message).at(place.clone()).with_help(help));
}
