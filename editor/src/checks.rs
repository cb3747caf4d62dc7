//! What is wrong with a draft, or may be, and where.

use std::sync::Arc;

use boardwright_content::{Catalog, MAPS};
use boardwright_editing::{Draft, Finding, Step, Where, findings};
use boardwright_model::diagnostic::{Code, Diagnostic, Severity};
use boardwright_model::{Board, CellId, Declarations, Map, Scenario};
use boardwright_ruleset::Layer;
use boardwright_script::{Limits, ScriptSource};
use boardwright_triggers::TriggerScript;
use boardwright_ui::text;
use boardwright_ui::texts::localized;
use boardwright_ui::theme::{Icon, Palette};
use egui::Color32;

use crate::file::OpenFile;

/// Everything that is wrong with a draft, or may be. Without declarations only what needs none is looked at.
///
/// # Errors
/// If there is no map that a scenario could be looked through on.
pub(crate) fn findings(
    draft: &Draft,
    declarations: Option<&Arc<Declarations>>,
    map: Option<&Map>,
    catalog: &Catalog,
) -> Result<Vec<Finding>, Diagnostic> {
    let scenario = match draft {
        Draft::Map(map) => return Ok(findings::of_map(map, declarations)),
        Draft::Scenario(scenario) => scenario,
    };
    let missing = || Diagnostic::error(Code::Document, text!("edit-no-map", map = scenario.map.as_str()));
    let board = map.and_then(|map| Board::from_map(map).ok()).ok_or_else(missing)?;
    let mut found = declarations.map_or_else(Vec::new, |declarations| {
        findings::of_scenario(scenario, &Arc::new(board), declarations)
    });
    found.extend(of_script(scenario, catalog));
    Ok(found)
}

/// What is wrong with the script of a scenario, laid over its ruleset.
fn of_script(scenario: &Scenario, catalog: &Catalog) -> Vec<Finding> {
    let Some((file, text)) = &scenario.overlay else { return Vec::new() };
    let layer = Layer::new(format!("{MAPS}/{}", scenario.ruleset)).with(file, text.as_str());
    let Ok(sources) = catalog.sources(&scenario.ruleset, Some(layer)) else {
        return Vec::new();
    };
    let found = match ScriptSource::new(Arc::new(sources), Limits::default()) {
        Ok(source) => source.findings().iter().cloned().collect::<Vec<_>>(),
        Err(found) => found.into_iter().collect(),
    };
    let script = TriggerScript::read(text);
    let is_here = |found: &Diagnostic| found.file().rsplit('/').next() == Some(file);
    let finding = |diagnostic: Diagnostic| {
        let line = usize::try_from(diagnostic.line()).unwrap_or(0).saturating_sub(1);
        let (part, _) = script.part_at(line)?;
        Some(Finding {
            diagnostic,
            subject: Where::Script(part),
            fix: None,
        })
    };
    found.into_iter().filter(is_here).filter_map(finding).collect()
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
