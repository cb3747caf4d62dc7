//! What the newest events show and sound like: looks, moving pieces, the cells of the last action, dice, and sounds.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::history_view::moves;
use super::requests::{Pending, Requests};
use crate::board::Travels;
use crate::settings::Motion;
use crate::sound::{Cue, cues_of};
use boardwright_model::{Action, CellId, Draw, Effect, Looks, Pick, SeatId, State};
use boardwright_protocol::{Command, ContestPart, SeatEvent};

/// The most pieces that move at once between two positions; more of them would be a blur.
const MOST_MOVING: usize = 8;

/// What events leave behind for eye and ear.
#[derive(Debug, Default)]
pub(crate) struct EventDisplay {
    pub(crate) looks: Arc<Looks>,
    looks_for: Option<(u64, Option<SeatId>)>,
    pub(crate) travels: Travels,
    /// The cells of the last action, by how many events stood after it.
    last_cells: BTreeMap<usize, Vec<CellId>>,
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
        self.last_cells.get(&at).map_or(&[], Vec::as_slice)
    }

    pub(super) fn on_event(&mut self, event: &SeatEvent, now: f64, motion: Motion) {
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
        self.last_cells.split_off(&event.at);
        let mut cells = cells_of_event(event);
        // An answer is about the cells of what it answers.
        if cells.is_empty() && event.entry.contest == Some(ContestPart::Answer) {
            cells = self.last_cells(event.at.saturating_sub(1)).to_vec();
        }
        self.last_cells.insert(event.at, cells);
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
            self.last_cells.entry(at).or_insert_with(|| cells_of_moves(&moves));
        }
        let speed = motion.speed().filter(|_| moves.len() <= MOST_MOVING);
        self.travels = speed.map_or_else(Travels::default, |speed| Travels::start(&moves, now, speed));
    }
}

/// The cells an event is about: where its piece went, or what appeared.
fn cells_of_event(event: &SeatEvent) -> Vec<CellId> {
    let picks = || event.action.iter().flat_map(|action| &action.picks);
    let mut mover = picks().find_map(|pick| match pick {
        Pick::Piece(piece) => Some(*piece),
        _ => None,
    });
    let mut cells: Vec<CellId> = Vec::new();
    for effect in &event.effects {
        match effect {
            Effect::Move { piece, from, to, .. } if to.cell().is_some() && mover.is_none_or(|mover| mover == *piece) => {
                mover = Some(*piece);
                if cells.is_empty() {
                    cells.extend(from.cell());
                }
                cells.extend(to.cell());
            }
            Effect::Spawn(piece) if mover.is_none() && cells.is_empty() => cells.extend(piece.place.cell()),
            _ => {}
        }
    }
    if cells.is_empty() {
        cells.extend(picks().flat_map(cells_of_pick));
    }
    cells
}

/// The cells that moving pieces come from and go to, or on which something appears.
fn cells_of_moves(moves: &[Effect]) -> Vec<CellId> {
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
