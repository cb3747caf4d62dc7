//! What each viewer may know of each event.
//!
//! Where nothing can be hidden there is one view, that of onlookers, and everyone may know everything. Elsewhere an event is
//! known to a viewer as a whole when every one of its effects was sent as it is; of other events the viewer learns what its
//! view shows, its own actions with their dice, and the notes addressed to it.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::client::messages::HistoryEntry;
use crate::host::Event;
use crate::model::{Action, Draw, DrawKind, Effect, Frame, SeatId, SeatSet, Sight, State};
use crate::rules::sentence;

/// Who looks: a seat, or onlookers.
pub(super) type Viewer = Option<SeatId>;

/// Who saw an event whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    seats: SeatSet,
    onlookers: bool,
}

/// Who saw each event of the journal whole.
#[derive(Debug, Default)]
pub(super) struct Chronicle {
    events: Vec<Seen>,
}

impl Chronicle {
    /// Notes who saw an event whole; later events are forgotten.
    pub(super) fn note(&mut self, event: usize, whole: impl Iterator<Item = Viewer>) {
        self.events.truncate(event);
        let mut seen = Seen::default();
        for viewer in whole {
            match viewer {
                Some(seat) => seen.seats = seen.seats.with(seat),
                None => seen.onlookers = true,
            }
        }
        self.events.push(seen);
    }

    /// Whether a viewer saw an event whole.
    pub(super) fn is_whole(&self, event: usize, viewer: Viewer) -> bool {
        let seen = self.events.get(event).copied().unwrap_or_default();
        viewer.map_or(seen.onlookers, |seat| seen.seats.contains(seat))
    }
}

/// An event as a viewer is sent it.
pub(super) struct Shown {
    pub(super) viewer: Viewer,
    /// The effects; `None` if the whole view has to be sent.
    pub(super) effects: Option<Vec<Effect>>,
    pub(super) is_whole: bool,
}

/// What a viewer is sent of an event that led from one state to another.
pub(super) fn show(before: (&State, &Sight), after: (&State, &Sight), event: &Event) -> Shown {
    let effects = State::project_effects(before.0, after.0, &event.effects, (before.1, after.1));
    Shown {
        viewer: after.1.seat(),
        is_whole: effects.as_ref().is_some_and(|effects| *effects == event.effects),
        effects,
    }
}

/// The action, where the viewer may know it.
pub(super) fn shown_action(event: &Event, viewer: Viewer, is_whole: bool) -> Option<Action> {
    let is_own = |action: &&Action| is_whole || Some(action.seat) == viewer;
    event.action().filter(is_own).cloned()
}

/// Whether the words and dice of an event are for a viewer who did not see all that came of it: those of an action of its own, and of one that the
/// rules declare to be open.
fn may_know(frame: &Frame, event: &Event, viewer: Viewer) -> bool {
    event.action().is_some_and(|action| {
        let is_open = frame.action(action.action).is_some_and(|declared| declared.is_open);
        is_open || Some(action.seat) == viewer
    })
}

/// The draws, as far as the viewer may know them: all of an event seen whole, the dice of an action that it may know of.
pub(super) fn shown_draws(frame: &Frame, event: &Event, viewer: Viewer, is_whole: bool) -> Vec<Draw> {
    let may_know = may_know(frame, event, viewer);
    let is_shown = |draw: &&Draw| is_whole || (may_know && matches!(draw.kind, DrawKind::Dice { .. }));
    event.draws.iter().filter(is_shown).cloned().collect()
}

/// An event in readable form, as far as the viewer may know it.
pub(super) fn entry(frame: &Frame, index: usize, event: &Event, viewer: Viewer, is_whole: bool) -> HistoryEntry {
    let seat = event.action().map(|action| action.seat);
    let may_know = is_whole || seat.is_none() || may_know(frame, event, viewer);
    let mut remarks: Vec<String> = shown_draws(frame, event, viewer, is_whole).iter().filter_map(draw_text).collect();
    for effect in &event.effects {
        if let Effect::Note { to, text } = effect
            && viewer.map_or(*to == frame.all_seats(), |seat| to.contains(seat))
        {
            remarks.push(text.to_string());
        }
    }
    HistoryEntry {
        event: index,
        round: event.round,
        seat,
        notation: if may_know {
            Arc::clone(&event.notation)
        } else {
            hidden_words(frame, event)
        },
        remarks,
        by_hand: event.is_by_hand(),
    }
}

/// What stands for an action that the viewer may not know. Which question it answers everybody knows, for everybody sees who is asked what.
fn hidden_words(frame: &Frame, event: &Event) -> Arc<str> {
    let answered = event
        .action()
        .and_then(|action| frame.action(action.action))
        .filter(|declared| declared.answers_decision);
    let words = match answered {
        None => sentence!("(unseen)"),
        Some(declared) => sentence!("{action} (unseen)", action = declared.title),
    };
    words.into()
}

/// A draw in words. Orders of shuffled things say nothing to people.
fn draw_text(draw: &Draw) -> Option<String> {
    let mut text = draw.purpose.to_string();
    match &draw.kind {
        DrawKind::Dice { .. } => {
            for (index, face) in draw.result.iter().enumerate() {
                let _ = write!(text, "{}{face}", if index == 0 { ": " } else { ", " });
            }
        }
        DrawKind::Shuffle { .. } => return Some(sentence!("{purpose}: shuffled", purpose = draw.purpose).into()),
        DrawKind::Choose { .. } => return None,
    }
    Some(text)
}
