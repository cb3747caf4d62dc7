//! The panel of triggers: the script of a scenario as a list of "when … if … then …", which is changed there and shown as script beside it.

mod change;
mod panel;
mod sentence_list;
mod slots;
mod trigger_card;

use std::sync::Arc;

use boardwright_model::{Board, CellId, CellSet, RegionId};
use boardwright_triggers::{Choices, FieldKind, FieldValue, Part, ScriptPart, Sentence, SlotPath, Trigger, TriggerScript};

use crate::file::OpenFile;

pub(crate) use change::{Change, apply};
pub(crate) use panel::triggers_ui;

/// What the panel knows of the script of an open scenario.
#[derive(Debug, Default)]
pub(crate) struct TriggersPane {
    /// The script as it was read last, and the revision of the document that it was read from.
    read: Option<(u64, Arc<TriggerScript>)>,
    /// What fields can be chosen from, and the board for which that was found out.
    choices: Option<(Arc<Board>, Arc<Choices>)>,
    /// The part that is shown with all that is in it.
    open: Option<usize>,
    /// The field that waits for a cell to be clicked on the board, and of which part.
    pointing: Option<Pointing>,
    /// Whether the whole script is shown instead of the list.
    shows_script: bool,
}

/// A field that waits for a cell to be clicked.
#[derive(Clone, Debug)]
struct Pointing {
    part: usize,
    place: SlotPath,
    kind: FieldKind,
}

impl TriggersPane {
    /// Whether a click on the board is for a field.
    pub(crate) fn is_pointing(&self) -> bool {
        self.pointing.is_some()
    }

    /// The board is as it was before a field waited for a click.
    pub(crate) fn stop_pointing(&mut self) {
        self.pointing = None;
    }
}

/// The script of a file with its triggers, as it is now.
fn script_of(file: &mut OpenFile) -> Arc<TriggerScript> {
    let revision = file.document.revision();
    if let Some((of, script)) = &file.triggers.read
        && *of == revision
    {
        return Arc::clone(script);
    }
    let text = file.document.draft().overlay().map_or("", |(_, text)| text);
    let script = Arc::new(TriggerScript::read(text));
    file.triggers.read = Some((revision, Arc::clone(&script)));
    script
}

/// What the fields of triggers can be chosen from on the board of a file.
fn choices_of(file: &mut OpenFile) -> Arc<Choices> {
    let board = file.drawn.board();
    if let Some((of, choices)) = &file.triggers.choices
        && Arc::ptr_eq(of, board)
    {
        return Arc::clone(choices);
    }
    let choices = Arc::new(Choices::of(board, &file.ruleset.declarations));
    file.triggers.choices = Some((Arc::clone(board), Arc::clone(&choices)));
    choices
}

/// Shows a part of the script of a file: a trigger with all that is in it, what else there is as script.
pub(crate) fn show(file: &mut OpenFile, part: usize) {
    let script = script_of(file);
    let is_trigger = trigger_at(&script, part).is_some();
    file.triggers.open = is_trigger.then_some(part);
    file.triggers.shows_script = !is_trigger;
}

/// The trigger in a part of a script, if there is one.
fn trigger_at(script: &TriggerScript, part: usize) -> Option<&Trigger> {
    match script.parts().get(part) {
        Some(ScriptPart::Trigger(trigger, _)) => Some(trigger),
        Some(ScriptPart::Unread(..) | ScriptPart::Script(_)) | None => None,
    }
}

/// The cells and regions that the trigger which is shown names, to be marked on the board; all regions while one is to be clicked.
pub(crate) fn named_cells(file: &mut OpenFile) -> Vec<CellSet> {
    let board = Arc::clone(file.drawn.board());
    let region = |index: usize| board.region(RegionId::from_index(index)).clone();
    if file
        .triggers
        .pointing
        .as_ref()
        .is_some_and(|pointing| pointing.kind == FieldKind::Region)
    {
        return (0..board.region_count()).map(region).collect();
    }
    let script = script_of(file);
    let Some(trigger) = file.triggers.open.and_then(|part| trigger_at(&script, part)) else {
        return Vec::new();
    };
    let cells_of = |kind: FieldKind, name: &str| match kind {
        FieldKind::Region => (0..board.region_count())
            .find(|index| board.region_name(RegionId::from_index(*index)) == name)
            .map(region),
        FieldKind::Cell => board.find_cell(name).map(|cell| CellSet::from_cells(board.cell_count(), [cell])),
        _ => None,
    };
    let mut found = Vec::new();
    let parts = [Part::When, Part::If, Part::Then].into_iter();
    let mut ahead: Vec<&Sentence> = parts.flat_map(|part| trigger.sentences(part)).collect();
    while let Some(sentence) = ahead.pop() {
        for (field, value) in sentence.form().fields.iter().zip(sentence.values()) {
            match value {
                FieldValue::Name(name) => found.extend(cells_of(field.kind, name)),
                FieldValue::Computed(computed) => ahead.push(computed),
                _ => {}
            }
        }
    }
    found
}

/// Fills in the field that waits for a cell: with the cell, or with the smallest region in which it lies.
pub(crate) fn point(file: &mut OpenFile, cell: CellId) -> Option<Change> {
    let pointing = file.triggers.pointing.take()?;
    let board = Arc::clone(file.drawn.board());
    let name = match pointing.kind {
        FieldKind::Region => {
            let regions = (0..board.region_count()).map(RegionId::from_index);
            let around = regions.filter(|region| board.region(*region).contains(cell));
            let smallest = around.min_by_key(|region| board.region(*region).count());
            let Some(region) = smallest else {
                // It waits for a cell that lies in one.
                file.triggers.pointing = Some(pointing);
                return None;
            };
            board.region_name(region).to_owned()
        }
        _ => board.cell_name(cell).to_owned(),
    };
    let script = script_of(file);
    let changed = trigger_at(&script, pointing.part)?.with_value(&pointing.place, FieldValue::Name(name))?;
    Some(Change::Set(pointing.part, Box::new(changed)))
}
