//! Looking back: the present behind a past position, what differs from it, and the course of the match.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::requests::{Pending, Requests};
use boardwright_client::Mirror;
use boardwright_model::{CellId, Effect, Looks, Piece, Place, SeatId, State};
use boardwright_protocol::{Command, Reply, Statistics};

/// The present while a past position is shown, and what was shown last.
#[derive(Debug, Default)]
pub(crate) struct HistoryView {
    /// The newest state as each viewer known here sees it.
    present: BTreeMap<Option<SeatId>, Arc<State>>,
    looks: Arc<Looks>,
    /// The position and state at the end of the last update.
    shown: Option<(usize, Arc<State>)>,
    is_comparing: bool,
    /// The cells that differ from the present, and the digest for which they were computed.
    differing: Option<(u64, BTreeSet<CellId>)>,
}

impl HistoryView {
    /// Notes what is shown now, and returns what was shown before.
    pub(super) fn update(&mut self, mirror: &Mirror, looks: &Arc<Looks>) -> Option<(usize, Arc<State>)> {
        let state = mirror.main_view()?;
        if mirror.at() == mirror.length() {
            self.present = mirror.views().map(|(viewer, state)| (viewer, Arc::clone(state))).collect();
            self.looks = Arc::clone(looks);
        }
        let before = self.shown.replace((mirror.at(), Arc::clone(state)));
        self.compare(mirror, state);
        before
    }

    /// The newest state, as who looks now sees it, and how it looks.
    pub(super) fn present(&self, mirror: &Mirror) -> Option<(&Arc<State>, &Arc<Looks>)> {
        Some((self.present.get(&mirror.main_viewer())?, &self.looks))
    }

    /// Whether a past position is shown and the present is known.
    pub(super) fn can_compare(&self, mirror: &Mirror) -> bool {
        mirror.at() < mirror.length() && self.present(mirror).is_some()
    }

    pub(crate) fn set_comparing(&mut self, is_comparing: bool) {
        self.is_comparing = is_comparing;
        self.differing = None;
    }

    fn compare(&mut self, mirror: &Mirror, state: &Arc<State>) {
        let present = self.present(mirror).filter(|_| self.is_comparing && self.can_compare(mirror));
        let Some((present, _)) = present else {
            self.differing = None;
            return;
        };
        let digest = state.digest();
        if self.differing.as_ref().is_none_or(|(known, _)| *known != digest) {
            self.differing = Some((digest, differing(state, present)));
        }
    }

    /// The cells that differ from the present, where they are to be highlighted.
    pub(crate) fn differing(&self) -> BTreeSet<CellId> {
        self.differing.as_ref().map(|(_, cells)| cells.clone()).unwrap_or_default()
    }
}

/// The course of the match, requested when it has gone on or the rules have changed.
#[derive(Debug, Default)]
pub(super) struct StatisticsQuery {
    found: Option<Arc<Statistics>>,
    wanted: Option<(usize, u64)>,
}

impl StatisticsQuery {
    pub(super) fn ask(&mut self, rules_version: u64, requests: &mut Requests) -> Option<&Arc<Statistics>> {
        let wanted = Some((requests.mirror().length(), rules_version));
        if self.wanted != wanted {
            self.wanted = wanted;
            let seat = requests.mirror().main_viewer();
            requests.send(Command::Statistics { seat }, Pending::Statistics);
        }
        self.found.as_ref()
    }

    pub(super) fn handle(&mut self, reply: Option<Reply>) {
        self.found = None;
        if let Some(Reply::Statistics(statistics)) = reply {
            self.found = Some(Arc::from(statistics));
        }
    }
}

/// How the pieces come from one state to another: straight from place to place.
pub(super) fn moves(before: &State, after: &State) -> Vec<Effect> {
    let moved = |piece: &Piece| match before.piece(piece.id) {
        Some(known) if known.place == piece.place => None,
        Some(known) => Some(Effect::Move {
            piece: piece.id,
            from: known.place,
            from_index: 0,
            to: piece.place,
            to_index: 0,
        }),
        None => Some(Effect::Spawn(Box::new(piece.clone()))),
    };
    after.pieces().filter_map(moved).collect()
}

/// The cells on which two states of a board differ: in their terrain, or in what stands there.
fn differing(a: &State, b: &State) -> BTreeSet<CellId> {
    let look = |piece: &Piece| {
        (
            piece.kind,
            piece.owner,
            matches!(piece.place, Place::Side(..)),
            piece.values.clone(),
        )
    };
    let pieces_on = |state: &State, cell: CellId| -> Vec<_> {
        let pieces = state.pieces_at(cell).iter().filter_map(|piece| state.piece(*piece));
        pieces.map(look).collect()
    };
    let cells = a.board().cells();
    cells
        .filter(|cell| a.terrain(*cell) != b.terrain(*cell) || pieces_on(a, *cell) != pieces_on(b, *cell))
        .collect()
}
