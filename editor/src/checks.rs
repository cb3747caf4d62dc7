//! What is wrong with a draft, or may be, and where.

use std::sync::Arc;

use boardwright_editing::{Draft, Finding, Step, findings};
use boardwright_model::diagnostic::{Code, Diagnostic, Severity};
use boardwright_model::{Board, CellId, Declarations, Map};
use boardwright_ui::text;
use boardwright_ui::texts::localized;
use boardwright_ui::theme::{Icon, Palette};
use egui::Color32;

use crate::file::OpenFile;

/// Everything that is wrong with a draft, or may be. Without declarations only what needs none is looked at.
///
/// # Errors
/// If there is no map that a scenario could be looked through on.
pub(crate) fn findings(draft: &Draft, declarations: Option<&Arc<Declarations>>, map: Option<&Map>) -> Result<Vec<Finding>, Diagnostic> {
    let scenario = match draft {
        Draft::Map(map) => return Ok(findings::of_map(map, declarations)),
        Draft::Scenario(scenario) => scenario,
    };
    let missing = || Diagnostic::error(Code::Document, text!("edit-no-map", map = scenario.map.as_str()));
    let board = map.and_then(|map| Board::from_map(map).ok()).ok_or_else(missing)?;
    Ok(declarations.map_or_else(Vec::new, |declarations| {
        findings::of_scenario(scenario, &Arc::new(board), declarations)
    }))
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
