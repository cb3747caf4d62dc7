//! Looking back: how pieces come from one moment to another, and what differs from the present.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Desk, Manner};
use boardwright_model::{CellId, Effect, Looks, Piece, Place, SeatId, State};
use crate::board::Travels;
use crate::sound::Cue;

/// The most pieces that travel between two moments; more of them would only be a flurry.
const MOST_TRAVELLERS: usize = 8;

/// The present, while it is looked back at what was, and what was shown last.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// The newest state as each viewer known here sees it.
    present: BTreeMap<Option<SeatId>, Arc<State>>,
    looks: Arc<Looks>,
    /// The state at the end of the last look at what arrived, and the number of events that stood.
    shown: Option<(usize, Arc<State>)>,
    /// Whether cells that differ from the present are lit, and which do.
    is_compared: bool,
    differing: Option<(u64, BTreeSet<CellId>)>,
}

impl Desk {
    /// Takes note of what is shown now. `jumped` is whether it did not come about by an event.
    pub(super) fn note_state(&mut self, jumped: bool, now: f64, manner: Manner) {
        let Some(state) = self.state().cloned() else {
            return;
        };
        let (at, length) = (self.mirror().at(), self.mirror().length());
        if at == length {
            self.past.present = self.mirror().views().map(|(viewer, state)| (viewer, Arc::clone(state))).collect();
            self.past.looks = Arc::clone(&self.looks);
        }
        let before = self.past.shown.replace((at, Arc::clone(&state)));
        if let (true, Some((then, before))) = (jumped, before) {
            self.travels = Travels::default();
            let moves = moves(&before, &state);
            if then != at && !moves.is_empty() {
                self.cues.push(Cue::Move);
            }
            if then + 1 == at && !self.last.contains_key(&at) {
                self.last.insert(at, cells(&moves));
            }
            if let Some(speed) = manner.motion.speed().filter(|_| moves.len() <= MOST_TRAVELLERS) {
                self.travels = Travels::start(&moves, now, speed);
            }
        }
        self.compare(&state);
    }

    /// Whether the present is known, to compare with what is looked back at.
    pub fn can_compare(&self) -> bool {
        self.mirror().at() < self.mirror().length() && self.present().is_some()
    }

    /// The newest state, as it is seen by who looks now, and how it looks.
    pub fn present(&self) -> Option<(&Arc<State>, &Arc<Looks>)> {
        let state = self.past.present.get(&self.mirror().main_viewer())?;
        Some((state, &self.past.looks))
    }

    /// Lights the cells that differ from the present, or no longer does.
    pub fn set_compared(&mut self, is_compared: bool) {
        self.past.is_compared = is_compared;
        self.past.differing = None;
    }

    fn compare(&mut self, state: &Arc<State>) {
        if !self.past.is_compared || !self.can_compare() {
            self.past.differing = None;
            return;
        }
        let digest = state.digest();
        if self.past.differing.as_ref().is_none_or(|(known, _)| *known != digest) {
            let cells = self.present().map_or_else(BTreeSet::new, |(present, _)| differing(state, present));
            self.past.differing = Some((digest, cells));
        }
    }

    /// The cells that differ from the present, where they are to be lit.
    pub(super) fn differing(&self) -> BTreeSet<CellId> {
        self.past.differing.as_ref().map(|(_, cells)| cells.clone()).unwrap_or_default()
    }
}

/// How the pieces come from one state to another: straight from place to place.
fn moves(before: &State, after: &State) -> Vec<Effect> {
    let mut found = Vec::new();
    for piece in after.pieces() {
        let effect = match before.piece(piece.id) {
            Some(known) if known.place == piece.place => continue,
            Some(known) => Effect::Move {
                piece: piece.id,
                from: known.place,
                from_index: 0,
                to: piece.place,
                to_index: 0,
            },
            None => Effect::Spawn(Box::new(piece.clone())),
        };
        found.push(effect);
    }
    found
}

/// The cells that the movers come from and go to, or on which something appears.
fn cells(moves: &[Effect]) -> Vec<CellId> {
    let between = moves.iter().find_map(|effect| match effect {
        Effect::Move { from, to, .. } => Some(vec![from.cell()?, to.cell()?]),
        _ => None,
    });
    between.unwrap_or_else(|| {
        let appears = moves.iter().filter_map(|effect| match effect {
            Effect::Move { to, .. } => to.cell(),
            Effect::Spawn(piece) => piece.place.cell(),
            _ => None,
        });
        appears.collect()
    })
}

/// The cells on which two states of a board differ: in their ground, or in what stands there.
fn differing(a: &State, b: &State) -> BTreeSet<CellId> {
    let look = |piece: &Piece| {
        (
            piece.kind,
            piece.owner,
            matches!(piece.place, Place::Side(..)),
            piece.values.clone(),
        )
    };
    let standing = |state: &State, cell: CellId| -> Vec<_> {
        let pieces = state.pieces_at(cell).iter().filter_map(|piece| state.piece(*piece));
        pieces.map(look).collect()
    };
    let cells = a.board().cells();
    cells
        .filter(|cell| a.terrain(*cell) != b.terrain(*cell) || standing(a, *cell) != standing(b, *cell))
        .collect()
}
