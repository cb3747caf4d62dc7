//! What the newest events show and sound like: looks, moving pieces, the cells of the last action, dice, and sounds.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::history_view::moves;
use super::requests::{Pending, Requests};
use crate::board::{LastAction, PreviewedPiece, Travels};
use crate::settings::Motion;
use crate::sound::{Cue, cues_of};
use boardwright_model::{Action, CellId, Draw, Effect, Looks, Pick, Place, SeatId, State, Target};
use boardwright_protocol::{Command, ContestPart, SeatEvent};

/// The most pieces that move at once between two positions; more of them would be a blur.
const MOST_MOVING: usize = 8;

/// The most changed cells that are marked as the place of an action.
const MOST_CHANGED: usize = 12;

/// What events leave behind for eye and ear.
#[derive(Debug, Default)]
pub(crate) struct EventDisplay {
    pub(crate) looks: Arc<Looks>,
    looks_for: Option<(u64, Option<SeatId>)>,
    pub(crate) travels: Travels,
    /// Who acted in an event, if anyone, and where; by how many events are applied after it.
    actions: BTreeMap<usize, (Option<SeatId>, LastAction)>,
    /// The draws of the newest event, and how many events stood after it.
    pub(crate) draws: Vec<Draw>,
    draws_at: usize,
    /// What the newest event came to, in a sentence of the rules.
    pub(crate) sentence: Arc<str>,
    pub(crate) cues: Vec<Cue>,
    /// How many events stood after the one that was last heard: it arrives once for each view.
    heard_at: usize,
}

impl EventDisplay {
    /// Lets the looks be requested again.
    pub(super) fn invalidate_looks(&mut self) {
        self.looks_for = None;
    }

    /// Requests the looks of a state as a seat sees it, unless they are those requested last.
    pub(super) fn ask_looks(&mut self, digest: u64, seat: Option<SeatId>, requests: &mut Requests) {
        if self.looks_for != Some((digest, seat)) {
            self.looks_for = Some((digest, seat));
            requests.send(Command::Looks { seat }, Pending::Looks);
        }
    }

    /// The cells of the last action, if so many events stand.
    pub(crate) fn last_cells(&self, at: usize) -> &[CellId] {
        self.actions.get(&at).map_or(&[], |(_, action)| action.cells.as_slice())
    }

    /// The action before a position, and of each other seat the newest one since `own` acted last; newest first.
    pub(super) fn last_actions(&self, at: usize, own: Option<SeatId>) -> Vec<LastAction> {
        let mut seats: Vec<Option<SeatId>> = Vec::new();
        let mut found = Vec::new();
        for (number, (seat, action)) in self.actions.range(..=at).rev() {
            let is_newest = *number == at;
            if !is_newest && *seat == own {
                break;
            }
            if !seats.contains(seat) && (is_newest || seat.is_some()) {
                seats.push(*seat);
                found.push(action.clone());
            }
        }
        found.retain(|action: &LastAction| !action.cells.is_empty());
        found
    }

    /// An event has arrived, which `state` is the position after, as far as it is seen here.
    pub(super) fn on_event(&mut self, event: &SeatEvent, state: Option<&State>, now: f64, motion: Motion) {
        // Of several viewers here, some may know more of luck than others.
        if self.draws_at != event.at || !event.draws.is_empty() {
            self.draws.clone_from(&event.draws);
            self.draws_at = event.at;
            self.sentence = Arc::clone(&event.entry.sentence);
        }
        if self.heard_at != event.at {
            let cues = cues_of(event);
            if !cues.is_empty() {
                self.heard_at = event.at;
            }
            self.cues.extend(cues);
        }
        let known = self.actions.split_off(&event.at).remove(&event.at);
        let mut action = last_action(event, state);
        // An answer is about the cells of what it answers.
        if action.cells.is_empty() && event.entry.contest == Some(ContestPart::Answer) {
            action.cells = self.last_cells(event.at.saturating_sub(1)).to_vec();
        }
        action.removed = removed_pieces(event.happened(), state, &self.looks);
        // It arrives once for each viewer, some of whom may see less of it.
        let known = known.filter(|(_, known)| action.cells.is_empty() && !known.cells.is_empty());
        self.actions.insert(event.at, known.unwrap_or((event.entry.seat, action)));
        if let Some(speed) = motion.speed() {
            self.travels = Travels::start(&event.effects, now, speed);
        }
    }

    /// Another position is shown as a whole.
    pub(super) fn on_view(&mut self, at: usize) {
        if at != self.draws_at {
            self.draws.clear();
            self.heard_at = 0;
        }
    }

    /// The match has gone from one position to another otherwise than by an event.
    pub(super) fn on_jump(&mut self, (before_at, before): (usize, &State), (at, state): (usize, &State), now: f64, motion: Motion) {
        let moves = moves(before, state);
        if before_at != at && !moves.is_empty() {
            self.cues.push(Cue::Move);
        }
        if before_at + 1 == at {
            self.actions.entry(at).or_insert_with(|| (None, action_of_moves(&moves, state)));
        }
        let speed = motion.speed().filter(|_| moves.len() <= MOST_MOVING);
        self.travels = speed.map_or_else(Travels::default, |speed| Travels::start(&moves, now, speed));
    }
}

/// Where an event took place: where its piece went, what appeared, what was picked, or else what has changed.
fn last_action(event: &SeatEvent, state: Option<&State>) -> LastAction {
    let picks = || event.action.iter().flat_map(|action| &action.picks);
    let mut mover = picks().find_map(|pick| match pick {
        Pick::Piece(piece) => Some(*piece),
        _ => None,
    });
    let mut cells: Vec<CellId> = Vec::new();
    for effect in event.happened() {
        match effect {
            Effect::Move { piece, from, to, .. } if to.cell().is_some() && mover.is_none_or(|mover| mover == *piece) => {
                if let Some(area) = covered(state, effect) {
                    return LastAction::area(area);
                }
                mover = Some(*piece);
                if cells.is_empty() {
                    cells.extend(from.cell());
                }
                cells.extend(to.cell());
            }
            Effect::Spawn(piece) if mover.is_none() && cells.is_empty() => {
                if let Some(area) = covered(state, effect) {
                    return LastAction::area(area);
                }
                cells.extend(piece.place.cell());
            }
            _ => {}
        }
    }
    if !cells.is_empty() {
        return LastAction::way(cells);
    }
    cells.extend(picks().flat_map(cells_of_pick));
    if !cells.is_empty() {
        return LastAction::way(cells);
    }
    // Without anything picked it is only told where it is a few cells.
    cells.extend(event.happened().iter().filter_map(|effect| changed_cell(effect, state)));
    cells.sort_unstable();
    cells.dedup();
    if event.entry.seat.is_none() || cells.len() > MOST_CHANGED {
        cells.clear();
    }
    LastAction::area(cells)
}

/// The pieces that effects take off the board, as they looked; none if they are many.
fn removed_pieces(effects: &[Effect], state: Option<&State>, looks: &Looks) -> Vec<PreviewedPiece> {
    let removed = |effect: &Effect| {
        let (piece, from) = match effect {
            Effect::Unspawn { piece, .. } => ((**piece).clone(), piece.place),
            Effect::Move { piece, from, to, .. } if to.cell().is_none() => (state?.piece(*piece)?.clone(), *from),
            _ => return None,
        };
        let Place::Cell(cell) = from else { return None };
        let look = looks.pieces.get(&piece.id).cloned();
        Some(PreviewedPiece { piece, cell, look })
    };
    let found: Vec<PreviewedPiece> = effects.iter().filter_map(removed).collect();
    if found.len() > MOST_CHANGED { Vec::new() } else { found }
}

/// The cells that a piece with a shape covers after an effect.
fn covered(state: Option<&State>, effect: &Effect) -> Option<Vec<CellId>> {
    let (piece, place) = match effect {
        Effect::Move { piece, to, .. } => (*piece, *to),
        Effect::Spawn(piece) => (piece.id, piece.place),
        _ => return None,
    };
    let piece = state?.piece(piece).filter(|_| matches!(place, Place::Posed(..)))?;
    Some(state?.cells_of(piece).to_vec())
}

/// The cell on which an effect has changed something that is seen.
fn changed_cell(effect: &Effect, state: Option<&State>) -> Option<CellId> {
    let cell_of = |piece| state?.piece(piece)?.place.cell();
    match effect {
        Effect::Terrain { cell, .. }
        | Effect::Set {
            target: Target::Cell(cell),
            ..
        } => Some(*cell),
        Effect::Owner { piece, .. }
        | Effect::Set {
            target: Target::Piece(piece),
            ..
        } => cell_of(*piece),
        Effect::Unspawn { piece, .. } => piece.place.cell(),
        _ => None,
    }
}

/// Where moving pieces come from and go to, or what they cover, or on which cells something appears.
fn action_of_moves(moves: &[Effect], state: &State) -> LastAction {
    if let Some(area) = moves.iter().find_map(|effect| covered(Some(state), effect)) {
        return LastAction::area(area);
    }
    let between = moves.iter().find_map(|effect| match effect {
        Effect::Move { from, to, .. } => Some(vec![from.cell()?, to.cell()?]),
        _ => None,
    });
    between.map_or_else(
        || {
            let appears = moves.iter().filter_map(|effect| match effect {
                Effect::Move { to, .. } => to.cell(),
                Effect::Spawn(piece) => piece.place.cell(),
                _ => None,
            });
            LastAction::area(appears.collect())
        },
        LastAction::way,
    )
}

fn cells_of_pick(pick: &Pick) -> Vec<CellId> {
    match pick {
        Pick::Cell(cell) => vec![*cell],
        Pick::Cells(cells) => cells.clone(),
        Pick::Path(path) => path.to_vec(),
        _ => Vec::new(),
    }
}

/// The cells of an action that was not played yet.
pub(super) fn cells_of_action(state: &State, action: &Action) -> Vec<CellId> {
    let cells = |pick: &Pick| match pick {
        Pick::Piece(piece) => state.piece(*piece).and_then(|piece| piece.place.cell()).into_iter().collect(),
        Pick::Pieces(pieces) => pieces.iter().filter_map(|piece| state.piece(*piece)?.place.cell()).collect(),
        other => cells_of_pick(other),
    };
    action.picks.iter().flat_map(cells).collect()
}
