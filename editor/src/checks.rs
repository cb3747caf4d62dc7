//! What is wrong with a draft, or may be, and where.

use std::sync::Arc;

use boardwright_content::{Catalog, MAPS, SCENARIO_ENDING};
use boardwright_editing::{Draft, Finding, Step, Where, findings};
use boardwright_local::{check_player, check_start};
use boardwright_model::diagnostic::{Code, Diagnostic, Location, Severity};
use boardwright_model::{Board, CellId, Declarations, Map, Scenario};
use boardwright_rules::RulesSource;
use boardwright_ruleset::Layer;
use boardwright_script::{Limits, ScriptSource};
use boardwright_triggers::TriggerScript;
use boardwright_ui::text;
use boardwright_ui::texts::localized;
use boardwright_ui::theme::{Icon, Palette};
use egui::Color32;

use crate::file::OpenFile;

/// What was found in a draft.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// Everything that is wrong with it, or may be.
    pub(crate) findings: Vec<Finding>,
    /// The rules with the script of the scenario laid over them, if it has one and it compiles.
    pub(crate) source: Option<Arc<ScriptSource>>,
}

/// Everything that is wrong with a draft, or may be, but for what rules say when a match of it begins. Without a ruleset only what needs none is looked
/// at.
///
/// # Errors
/// If there is no map that a scenario could be looked through on.
pub(crate) fn findings(draft: &Draft, ruleset: &KnownRules, map: Option<&Map>, catalog: &Catalog) -> Result<Looked, Diagnostic> {
    let declarations = ruleset.declarations.as_ref();
    let scenario = match draft {
        Draft::Map(map) => {
            let mut findings = findings::of_map(map, declarations);
            if let Some(source) = &ruleset.source {
                findings.extend(unused_regions(map, &ruleset.id, source, catalog));
            }
            return Ok(Looked { findings, source: None });
        }
        Draft::Scenario(scenario) => scenario,
    };
    let missing = || Diagnostic::error(Code::Document, text!("edit-no-map", map = scenario.map.as_str()));
    let board = map.and_then(|map| Board::from_map(map).ok()).ok_or_else(missing)?;
    let mut found = declarations.map_or_else(Vec::new, |declarations| {
        findings::of_scenario(scenario, &Arc::new(board), declarations)
    });
    let source = of_script(scenario, catalog, &mut found);
    Ok(Looked { findings: found, source })
}

/// What is known of the rules that a draft is for.
#[derive(Clone, Debug)]
pub(crate) struct KnownRules {
    /// The id of the ruleset.
    pub(crate) id: String,
    /// What it declares.
    pub(crate) declarations: Option<Arc<Declarations>>,
    /// Its rules, if they compile.
    pub(crate) source: Option<Arc<ScriptSource>>,
}

/// The regions of a map that neither its ruleset nor a scenario on it names.
fn unused_regions(map: &Map, ruleset: &str, source: &ScriptSource, catalog: &Catalog) -> Vec<Finding> {
    let layers = &source.sources().layers;
    let rules = || layers.iter().flat_map(Layer::scripts).map(|(_, text)| &**text);
    let found = findings::unused_regions(map, rules());
    if found.is_empty() {
        return found;
    }
    let on_map = catalog.scenarios(ruleset).into_values().filter(|entry| entry.map == map.id);
    let read = on_map.filter_map(|entry| catalog.scenario(ruleset, &entry.id).ok()?.scenario.overlay);
    let overlays: Vec<String> = read.map(|(_, text)| text).collect();
    findings::unused_regions(map, rules().chain(overlays.iter().map(String::as_str)))
}

/// What is wrong with the script of a scenario, laid over its ruleset; and the rules so laid.
fn of_script(scenario: &Scenario, catalog: &Catalog, findings: &mut Vec<Finding>) -> Option<Arc<ScriptSource>> {
    let (file, text) = scenario.overlay.as_ref()?;
    let layer = Layer::new(format!("{MAPS}/{}", scenario.ruleset)).with(file, text.as_str());
    let sources = catalog.sources(&scenario.ruleset, Some(layer)).ok()?;
    let (found, source) = match ScriptSource::new(Arc::new(sources), Limits::default()) {
        Ok(source) => (source.findings().clone(), Some(Arc::new(source))),
        Err(found) => (found, None),
    };
    let script = TriggerScript::read(text);
    let in_script = found.into_iter().map(|found| finding_at(found, scenario, &script));
    findings.extend(in_script.filter(|found| matches!(found.subject, Where::Script(_))));
    source
}

/// A finding in a part of the script of a scenario, or in other files, of which the whole scenario suffers.
fn finding_at(diagnostic: Diagnostic, scenario: &Scenario, script: &TriggerScript) -> Finding {
    let file = scenario.overlay.as_ref().map(|(file, _)| file.as_str());
    let is_here = file.is_some() && diagnostic.file().rsplit('/').next() == file;
    let line = usize::try_from(diagnostic.line()).unwrap_or(0).saturating_sub(1);
    let part = script.part_at(line).filter(|_| is_here);
    Finding {
        diagnostic,
        subject: part.map_or(Where::Whole, |(part, _)| Where::Script(part)),
        fix: None,
    }
}

/// What keeps a match of a scenario in which nothing else is wrong from beginning: the rules by themselves, a player that is none, a hook that
/// fails. It may take seconds; when `is_wanted` says no, nothing is found.
pub(crate) fn of_beginning(
    scenario: &Scenario,
    board: &Arc<Board>,
    source: &Arc<ScriptSource>,
    is_wanted: &dyn Fn() -> bool,
) -> Vec<Finding> {
    let (file, text) = scenario.overlay.as_ref().map_or(("", ""), |(file, text)| (file, text));
    let script = TriggerScript::read(text);
    let is_elsewhere = |found: &&Diagnostic| file.is_empty() || found.file().rsplit('/').next() != Some(file);
    let errors = source.findings().iter().filter(|found| found.severity == Severity::Error);
    let mut found: Vec<Finding> = errors
        .filter(is_elsewhere)
        .map(|found| finding_at(found.clone(), scenario, &script))
        .collect();
    for (index, (_, player)) in scenario.players.iter().enumerate() {
        let wrong = check_player(source, player);
        found.extend(wrong.map(|diagnostic| Finding {
            diagnostic,
            subject: Where::Player(index),
            fix: None,
        }));
    }
    if found.is_empty()
        && let Ok(start) = scenario.setup.build(board, RulesSource::declarations(&**source))
    {
        let place = Location::file(format!("{}{SCENARIO_ENDING}", scenario.id));
        let fault = check_start(source, &start, place, is_wanted);
        found.extend(fault.map(|fault| finding_at(fault, scenario, &script)));
    }
    found
}

/// Where a finding stands that is about another file, such as a rule: file and line.
pub(crate) fn place_elsewhere(finding: &Finding) -> Option<String> {
    let place = finding.diagnostic.place.as_ref()?;
    (finding.subject == Where::Whole && place.line > 0).then(|| format!("{}:{}", place.file, place.line))
}

/// What is told of a finding.
pub(crate) fn message(finding: &Finding) -> String {
    localized(&finding.diagnostic.message)
}

/// Whether the file cannot be played with it.
pub(crate) fn is_error(finding: &Finding) -> bool {
    finding.diagnostic.severity == Severity::Error
}

/// Whether it is only a hint.
pub(crate) fn is_hint(finding: &Finding) -> bool {
    finding.diagnostic.severity == Severity::Note
}

/// Its sign and colour.
pub(crate) fn sign(finding: &Finding, palette: &Palette) -> (Icon, Color32) {
    match finding.diagnostic.severity {
        Severity::Error => (Icon::Error, palette.danger),
        Severity::Warning => (Icon::Warning, palette.warning),
        Severity::Note => (Icon::Note, palette.muted),
    }
}

/// What would mend it: what that is called, and the step.
pub(crate) fn fixes(finding: &Finding) -> Option<(String, Step)> {
    finding.fix.as_ref().map(|fix| (localized(&fix.label), fix.step.clone()))
}

/// The cells that it is about.
pub(crate) fn cells_of(finding: &Finding, file: &OpenFile) -> Vec<CellId> {
    let scenario = file.document.draft().scenario();
    finding.subject.cells(&file.drawn.map, scenario, file.drawn.board())
}

/// The first cell that it is about.
pub(crate) fn cell_of(finding: &Finding, file: &OpenFile) -> Option<CellId> {
    cells_of(finding, file).first().copied()
}
