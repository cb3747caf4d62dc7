//! The script of a scenario, and the triggers in it.

use boardwright_model::Scenario;
use boardwright_ruleset::SCRIPT_ENDING;
use boardwright_triggers::TriggerScript;

use super::Edit;
use super::merge::script_difference;

/// The script of a scenario with its triggers; an empty one where there is none.
pub fn read(scenario: &Scenario) -> TriggerScript {
    let text = scenario.overlay.as_ref().map(|(_, text)| text.as_str());
    TriggerScript::read(text.unwrap_or_default())
}

/// The edits that give a scenario a script: one that has none gets a file, whose name is not among those that are taken.
pub fn write(scenario: &Scenario, text: &str, is_taken: impl Fn(&str) -> bool) -> Vec<Edit> {
    if let Some((_, before)) = &scenario.overlay {
        return script_difference(before, text).into_iter().collect();
    }
    if text.is_empty() {
        return Vec::new();
    }
    let numbers = std::iter::once(String::new()).chain((2..).map(|number: u64| format!("-{number}")));
    let mut names = numbers.map(|number| format!("{}{number}{SCRIPT_ENDING}", scenario.id));
    let free = names.find(|name| !is_taken(name)).unwrap_or_default();
    vec![Edit::Overlay(Some((free, text.to_owned())))]
}
