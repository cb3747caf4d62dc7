//! What the panel asks for, carried out on the script of the scenario as a step of its history.

use boardwright_editing::{Step, StepKind, script};
use boardwright_triggers::{Choices, FORMS, Part, Sentence, Trigger, TriggerScript};
use boardwright_ui::text;

use super::{choices_of, script_of, trigger_at};
use crate::file::OpenFile;

/// A change of the script.
#[derive(Debug)]
pub(crate) enum Change {
    /// A new trigger that begins with a sentence.
    Add(Sentence),
    /// Another trigger in the place of that in a part.
    Set(usize, Box<Trigger>),
    /// The same trigger again, behind that in a part.
    Duplicate(usize),
    /// The trigger in a part goes.
    Remove(usize),
    /// The trigger in a part comes to a place among the triggers.
    Move(usize, usize),
    /// The whole script, as it was written by hand, and whether that goes on with the step before.
    Script(String, bool),
}

/// Makes a change, and shows the trigger that it is about.
pub(crate) fn apply(file: &mut OpenFile, change: Change) {
    let mut script = (*script_of(file)).clone();
    let mut open = None;
    let (kind, goes_on) = match change {
        Change::Script(_, goes_on) => (StepKind::Script, goes_on),
        _ => (StepKind::Triggers, false),
    };
    match change {
        Change::Add(when) => {
            let name = free_name(&script, &text!("trigger-new-name"), None);
            let Ok(trigger) = Trigger::new(&name, when, Vec::new(), Vec::new(), false) else {
                return;
            };
            open = Some(script.push(trigger));
        }
        Change::Set(part, trigger) => {
            let name = free_name(&script, trigger.name(), Some(part));
            script.replace(part, trigger.renamed(&name));
            open = file.triggers.open;
        }
        Change::Duplicate(part) => {
            let Some(trigger) = trigger_at(&script, part).cloned() else {
                return;
            };
            let name = free_name(&script, trigger.name(), None);
            open = Some(script.insert_behind(part, trigger.renamed(&name)));
        }
        Change::Remove(part) => script.remove(part),
        Change::Move(part, place) => open = Some(script.move_to(part, place)),
        Change::Script(text, _) => script = TriggerScript::read(&text),
    }
    let ordinal = open.and_then(|open| script.triggers().position(|(part, _)| part == open));
    let Some(scenario) = file.document.draft().scenario() else { return };
    let path = file.document.path();
    let edits = script::write(scenario, &script.print(), |name| path.with_file_name(name).exists());
    let step = Step::new(kind, edits);
    if goes_on {
        file.go_on(step);
    } else {
        file.apply(step);
    }
    // What was put between two parts may have become one with them.
    let script = script_of(file);
    file.triggers.open = ordinal.and_then(|ordinal| script.triggers().nth(ordinal)).map(|(part, _)| part);
    file.triggers.stop_pointing();
}

/// A name that no other trigger has: with a number behind it where it is taken.
fn free_name(script: &TriggerScript, name: &str, own: Option<usize>) -> String {
    let others = || script.triggers().filter(|(part, _)| Some(*part) != own);
    let is_taken = |name: &str| others().any(|(_, trigger)| trigger.name() == name);
    if !is_taken(name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let numbers = (2_usize..).map(|number| format!("{stem} {number}"));
    numbers.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}

/// A change that adds a trigger with the first sentence that can be offered.
pub(super) fn first(file: &mut OpenFile) -> Option<Change> {
    let choices: &Choices = &choices_of(file);
    let mut forms = FORMS.iter().filter(|form| form.part == Part::When);
    forms.find_map(|form| choices.first(form)).map(Change::Add)
}
