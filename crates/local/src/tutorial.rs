//! The tutorial of a ruleset: played through once, so that what is wrong in it is found and its texts of actions become actions.

use std::sync::Arc;

use crate::{BeginError, prepare};
use boardwright_client::MatchChoice;
use boardwright_client::content::{PACE, Tutorial, TutorialStep, TutorialTask, TutorialTaskKind};
use boardwright_content::xml::did_you_mean;
use boardwright_content::{Catalog, RULESETS, TUTORIAL_FILE, TutorialDocument, TutorialStep as WrittenStep};
use boardwright_host::{HostError, Match};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location, Severity};
use boardwright_model::{Action, ManualEdit, Policy, Rejection, SeatId, State};
use boardwright_rules::{RulesSource, read_action};

/// The seed of the luck of every tutorial, so that it is the same each time.
const SEED: u64 = 1;

/// What is wrong with the tutorial of a ruleset, if it has one. The ruleset can be played without it, so these are warnings.
pub fn check_tutorial(catalog: &Catalog, id: &str) -> Diagnostics {
    let has_tutorial = catalog.rulesets.get(id).is_some_and(|entry| entry.tutorial.is_some());
    let found = has_tutorial.then(|| tutorial(catalog, id).err()).flatten().unwrap_or_default();
    let as_warning = |found| Diagnostic {
        severity: Severity::Warning,
        ..found
    };
    Vec::<Diagnostic>::from(found).into_iter().map(as_warning).collect()
}

/// The tutorial of a ruleset with the match that it is played in. Its texts are in the language they are written in.
///
/// # Errors
/// There is none, its scenario cannot be begun, or a step cannot be played.
pub fn tutorial(catalog: &Catalog, id: &str) -> Result<(MatchChoice, Tutorial), Diagnostics> {
    let entry = catalog.ruleset(id)?;
    let file = || Location::file(format!("{RULESETS}/{id}/{TUTORIAL_FILE}"));
    let Some(written) = &entry.tutorial else {
        let found = Diagnostic::error(Code::File, format!("the ruleset `{id}` has no tutorial"));
        return Err(found.at(file()).into());
    };
    let at_file = |message: String| Diagnostics::from(Diagnostic::error(Code::BadValue, message).at(file()));
    let choice = MatchChoice {
        ruleset: id.to_owned(),
        scenario: Some(written.scenario.clone()),
        seed: Some(SEED.into()),
        pace: PACE,
        policy: Some(Policy::default()),
        ..MatchChoice::default()
    };
    let prepared = prepare(catalog, &choice).map_err(|error| match error {
        BeginError::Content(found) => found,
        other => at_file(other.to_string()),
    })?;
    // Everybody sits at the screen: the others do what the tutorial says.
    let seats = &prepared.start.declarations().seats;
    let choice = MatchChoice {
        players: seats.iter().map(|seat| (seat.name.to_string(), "human".to_owned())).collect(),
        ..choice
    };
    let Some(seat) = seats.iter().position(|seat| *seat.name == *written.seat) else {
        let names = seats.iter().map(|seat| &*seat.name);
        let found = Diagnostic::error(Code::UnknownName, format!("the scenario has no seat `{}`", written.seat));
        let found = did_you_mean(&written.seat, names).into_iter().fold(found, Diagnostic::with_help);
        return Err(found.at(file()).into());
    };
    let source: Arc<dyn RulesSource> = prepared.source as Arc<dyn RulesSource>;
    let playing = Match::begin(source, prepared.start, SEED, Policy::default()).map_err(|error| at_file(error.to_string()))?;
    let steps = play(playing, SeatId::from_index(seat), written)?;
    let tutorial = Tutorial {
        seat: SeatId::from_index(seat),
        steps,
    };
    Ok((choice, tutorial))
}

/// Plays a tutorial to its end.
fn play(mut playing: Match, seat: SeatId, written: &TutorialDocument) -> Result<Vec<TutorialStep>, Diagnostics> {
    let mut steps = Vec::new();
    for (step, place) in written.steps.iter().zip(&written.places) {
        steps.push(play_step(&mut playing, seat, step).map_err(|found| found.at(place.clone()))?);
    }
    Ok(steps)
}

fn play_step(playing: &mut Match, seat: SeatId, written: &WrittenStep) -> Result<TutorialStep, Diagnostic> {
    let mut cells = Vec::new();
    for name in &written.show {
        let board = playing.state().board();
        let found = || {
            let names = board.cells().map(|cell| board.cell_name(cell));
            let found = Diagnostic::error(Code::UnknownName, format!("there is no cell `{name}`"));
            did_you_mean(name, names).into_iter().fold(found, Diagnostic::with_help)
        };
        cells.push(board.find_cell(name).ok_or_else(found)?);
    }
    let mut tasks = Vec::new();
    let mut add = |kind, after| tasks.push(TutorialTask { kind, after });
    for edit in &written.edits {
        let refused = |error: &dyn std::fmt::Display| Diagnostic::error(Code::ManualEdit, format!("`{edit}`: {error}"));
        let command = ManualEdit::read(edit, playing.state()).map_err(|error| refused(&error))?;
        playing.apply_edit(edit, &command).map_err(|error| refused(&error))?;
        add(TutorialTaskKind::Edit(edit.clone()), playing.journal().position());
    }
    if let Some(text) = &written.play {
        let action = play_action(playing, Some(seat), text)?;
        add(TutorialTaskKind::Play(action), playing.journal().position());
    }
    for text in &written.answers {
        let action = play_action(playing, None, text)?;
        add(TutorialTaskKind::Answer(action), playing.journal().position());
    }
    if written.is_free {
        if !playing.state().acting().contains(seat) {
            return Err(Diagnostic::error(Code::Refused, "it is not for the player who learns to act here"));
        }
        add(TutorialTaskKind::PlayAny, playing.journal().position() + 1);
    }
    Ok(TutorialStep {
        text: written.text.clone(),
        cells,
        tasks,
    })
}

/// Plays an action that is written as text; without a seat for whoever is to act.
fn play_action(playing: &mut Match, seat: Option<SeatId>, text: &str) -> Result<Action, Diagnostic> {
    let acting = playing.state().acting();
    let seat = seat.or_else(|| acting.iter().next());
    let Some(seat) = seat.filter(|seat| acting.contains(*seat)) else {
        let message = format!("`{text}` cannot be played: {}", acting_text(playing.state()));
        return Err(Diagnostic::error(Code::Refused, message));
    };
    let refused = |error: HostError| match error {
        HostError::Rejected(Rejection::Fault(fault)) => *fault,
        other => Diagnostic::error(Code::Refused, format!("`{text}` cannot be played: {other}")),
    };
    let view = playing.view(Some(seat)).map_err(refused)?;
    let read = read_action(playing.rules(), &view, seat, text);
    let action = read.map_err(|rejection| refused(HostError::Rejected(rejection)))?;
    playing.submit(&action, playing.journal().position()).map_err(refused)?;
    Ok(action)
}

/// Whose turn it is, for a message.
fn acting_text(state: &State) -> String {
    let seats = state.acting();
    let names = seats.iter().filter_map(|seat| state.declarations().seats.get(seat.index()));
    let names: Vec<&str> = names.map(|seat| &*seat.name).collect();
    match names.join(", ") {
        none if none.is_empty() => "the match is over".to_owned(),
        names => format!("{names} is to act"),
    }
}
