//! Which viewer was shown which entry of the journal.
//!
//! Where nothing can be hidden there is one view, that of spectators, and everyone may know everything. Elsewhere a viewer has
//! seen an event whole if it saw all that was picked and all effects were sent to it unchanged. Of other events it learns what its view shows, its own actions
//! with their dice, and the notes addressed to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use boardwright_host::{Cause, Event};
use boardwright_model::{Action, CellId, CellSight, Declarations, Draw, DrawKind, Effect, Pick, SeatId, State, sentence};
use boardwright_protocol::{ContestPart, EntryCause, EventRemark, HistoryEntry, PlainAction, PlainPart, TurnRemark};
use boardwright_rules::{NotationPart, plain_picks};

/// Who looks: a seat, or spectators.
pub(super) type Viewer = Option<SeatId>;

/// What each viewer may be told of each event.
#[derive(Debug, Default)]
pub(super) struct VisibilityLog(Vec<Told>);

#[derive(Debug, Default)]
struct Told {
    /// Who saw the event whole.
    whole: BTreeSet<Viewer>,
    /// Who has not seen the cells that were picked, so that their names are not known.
    strangers: BTreeSet<Viewer>,
}

/// How much of an event a viewer may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disclosure {
    /// Whether it saw the event whole.
    pub(super) is_whole: bool,
    /// Whether it knows the cells that were picked.
    pub(super) knows_picks: bool,
}

impl VisibilityLog {
    /// Records that everyone saw an event whole; later events are forgotten.
    pub(super) fn record_for_all(&mut self, event: usize, viewers: impl Iterator<Item = Viewer>) {
        self.0.truncate(event);
        self.0.push(Told {
            whole: viewers.collect(),
            strangers: BTreeSet::new(),
        });
    }

    /// Records what viewers were shown of an event; later events are forgotten.
    pub(super) fn record(&mut self, event: usize, shown: &[Shown]) {
        let viewers = |which: &dyn Fn(&Shown) -> bool| shown.iter().filter(|shown| which(shown)).map(|shown| shown.viewer).collect();
        self.0.truncate(event);
        self.0.push(Told {
            whole: viewers(&|shown| shown.is_whole),
            strangers: viewers(&|shown| !shown.knows_picks),
        });
    }

    pub(super) fn known(&self, event: usize, viewer: Viewer) -> Disclosure {
        let shown = self.0.get(event);
        Disclosure {
            is_whole: shown.is_some_and(|shown| shown.whole.contains(&viewer)),
            knows_picks: shown.is_some_and(|shown| !shown.strangers.contains(&viewer)),
        }
    }
}

pub(super) struct Shown {
    pub(super) viewer: Viewer,
    /// The effects; `None` if the whole view has to be sent.
    pub(super) effects: Option<Vec<Effect>>,
    pub(super) is_whole: bool,
    pub(super) knows_picks: bool,
}

impl Shown {
    pub(super) fn known(&self) -> Disclosure {
        Disclosure {
            is_whole: self.is_whole,
            knows_picks: self.knows_picks,
        }
    }
}

/// Whether a view knows all cells that an action picks.
pub(super) fn knows_picks(view: &State, action: &Action) -> bool {
    let is_known = |cell: CellId| view.cell_sight(cell) != CellSight::Unexplored;
    action.picks.iter().all(|pick| match pick {
        Pick::Cell(cell) => is_known(*cell),
        Pick::Cells(cells) => cells.iter().all(|cell| is_known(*cell)),
        Pick::Path(path) => path.iter().all(|cell| is_known(*cell)),
        Pick::Piece(_) | Pick::Pieces(_) | Pick::Seat(_) | Pick::Number(_) | Pick::Choice(_) | Pick::Pose(_) | Pick::Text(_) => true,
    })
}

pub(super) fn shown_action(event: &Event, viewer: Viewer, is_whole: bool) -> Option<Action> {
    let is_own = |action: &&Action| is_whole || Some(action.seat) == viewer;
    event.action().filter(is_own).cloned()
}

/// Whether a viewer may know the notation and dice of an event that it did not see whole: its own action, or one declared open, as far
/// as it knows the cells.
fn may_know(declarations: &Declarations, event: &Event, viewer: Viewer, known: Disclosure) -> bool {
    let is_named = known.knows_picks || !declarations.has_shroud;
    is_named
        && event.action().is_some_and(|action| {
            let is_open = declarations.action(action.action).is_some_and(|declared| declared.is_open);
            is_open || Some(action.seat) == viewer
        })
}

/// The draws that the viewer may know: all of an event seen whole, else the dice of an action it may know.
pub(super) fn shown_draws(declarations: &Declarations, event: &Event, viewer: Viewer, known: Disclosure) -> Vec<Draw> {
    let may_know = may_know(declarations, event, viewer, known);
    let is_shown = |draw: &&Draw| known.is_whole || (may_know && matches!(draw.kind, DrawKind::Dice { .. }));
    event.draws.iter().filter(is_shown).cloned().collect()
}

/// An event in readable form, as far as the viewer may know it.
pub(super) fn history_entry(declarations: &Declarations, index: usize, event: &Event, viewer: Viewer, known: Disclosure) -> HistoryEntry {
    let may_know = known.is_whole || event.action().is_none() || may_know(declarations, event, viewer, known);
    let (mut remarks, mut next_turn) = (Vec::new(), Vec::new());
    for draw in shown_draws(declarations, event, viewer, known) {
        match (draw_text(&draw), draw.next_turn) {
            (Some(text), None) => remarks.push(EventRemark { text, cell: None }),
            (Some(text), Some(seat)) => next_turn.push(TurnRemark { seat, text }),
            (None, _) => {}
        }
    }
    for effect in &event.effects {
        if let Effect::Note { to, text, cell } = effect
            && viewer.map_or(*to == declarations.all_seats(), |seat| to.contains(seat))
        {
            let (text, cell) = (text.to_string(), *cell);
            remarks.push(EventRemark { text, cell });
        }
    }
    HistoryEntry {
        event: index,
        round: event.round,
        seat: event.seat(),
        cause: match &event.cause {
            _ if event.is_of_seats() => EntryCause::Action,
            _ if event.is_manual_edit() => EntryCause::Edit,
            _ => EntryCause::Host,
        },
        notation: match &event.cause {
            _ if !may_know => hidden_notation(declarations, event),
            // Who saw all that it changed may know what it was.
            Cause::Debug { what } if known.is_whole && !event.effects.is_empty() => Arc::from(what.as_str()),
            _ => Arc::clone(&event.notation),
        },
        plain: event
            .action()
            .filter(|_| may_know)
            .and_then(|action| plain_action(declarations, action, &event.notation)),
        sentence: if may_know { Arc::clone(&event.sentence) } else { Arc::default() },
        contest: event
            .action()
            .filter(|_| may_know)
            .and_then(|action| contest_part(declarations, action)),
        cell: event
            .action()
            .filter(|_| may_know)
            .and_then(|action| action.picks.iter().rev().find_map(cell_of)),
        remarks,
        next_turn,
    }
}

/// The cell that a pick ends at.
fn cell_of(pick: &Pick) -> Option<CellId> {
    match pick {
        Pick::Cell(cell) => Some(*cell),
        Pick::Path(cells) => cells.last().copied(),
        _ => None,
    }
}

/// An action by its parts, if its notation is the plain one.
fn plain_action(declarations: &Declarations, action: &Action, notation: &str) -> Option<PlainAction> {
    let part = |part: NotationPart<'_>| match part {
        NotationPart::Text(text) => PlainPart::Text(text.to_owned()),
        NotationPart::Piece(piece) => PlainPart::Piece(piece),
    };
    let picks = plain_picks(declarations.action(action.action)?, action, notation)?;
    Some(PlainAction {
        action: action.action,
        picks: picks.into_iter().map(part).collect(),
    })
}

/// The part of an action in a contest, if it begins one or answers what is asked in one.
fn contest_part(declarations: &Declarations, action: &Action) -> Option<ContestPart> {
    let declared = declarations.action(action.action).filter(|declared| declared.begins_contest)?;
    let cell = |pick: &Pick| if let Pick::Cell(cell) = pick { Some(*cell) } else { None };
    let cells: Vec<CellId> = action.picks.iter().filter_map(cell).collect();
    if declared.answers_decision {
        Some(ContestPart::Answer)
    } else {
        (!cells.is_empty()).then_some(ContestPart::Over(cells))
    }
}

/// The notation of an action that the viewer may not know. Everybody sees which decision it answers, so that is named.
fn hidden_notation(declarations: &Declarations, event: &Event) -> Arc<str> {
    let answered = event
        .action()
        .and_then(|action| declarations.action(action.action))
        .filter(|declared| declared.answers_decision);
    // Whether it was declined is no more to be known than the answer.
    let asked = answered.and_then(|declared| declarations.action(declarations.find_action(declared.instead_of.as_deref()?)?));
    match asked.or(answered) {
        None => sentence!("(unseen)"),
        Some(declared) => sentence!("{action} (unseen)", action = declared.title),
    }
    .into()
}

/// A draw as text; a choice has none, for its order says nothing to people.
fn draw_text(draw: &Draw) -> Option<String> {
    let faces: Vec<String> = draw.result.iter().map(ToString::to_string).collect();
    match &draw.kind {
        DrawKind::Dice { .. } if faces.is_empty() => Some(draw.purpose.to_string()),
        DrawKind::Dice { .. } => Some(format!("{}: {}", draw.purpose, faces.join(", "))),
        DrawKind::Shuffle { .. } => Some(sentence!("{purpose}: shuffled", purpose = draw.purpose).into()),
        DrawKind::Choose { .. } => None,
    }
}
