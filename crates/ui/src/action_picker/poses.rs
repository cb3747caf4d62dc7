//! Pieces that have a shape: how they are rotated and mirrored before they are placed.

use std::collections::BTreeSet;

use super::attempt::{Attempt, Spot};
use super::{ActionPicker, DomainQuery, Reply};
use boardwright_model::{CellId, Domain, Pick, PieceId, Pose};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub piece: PieceId,
    pub pose: Pose,
    /// The cell of its first square, once it is picked.
    pub cell: Option<CellId>,
}

impl ActionPicker {
    /// Picks a pose wherever one is asked for: the one in which pieces are held, or the next that fits. `proper` says which pose stands
    /// for several in which a piece lies the same. Also lays a piece that was turned where it lay before.
    pub fn settle_poses(&mut self, proper: impl Fn(PieceId, Pose) -> Pose) {
        let pose = self.pose;
        let mut taken = None;
        let mut attempts = std::mem::take(&mut self.attempts);
        for attempt in &mut attempts {
            let (Some(Domain::Poses(poses)), Some(Pick::Piece(piece))) = (self.domain(attempt), attempt.picks.last().cloned()) else {
                continue;
            };
            let wanted = turns(pose).find(|turned| poses.contains(&proper(piece, *turned)));
            if let Some(held) = wanted.or_else(|| poses.first().copied()) {
                taken = Some(held);
                attempt.take(Pick::Pose(proper(piece, held)));
            }
        }
        self.attempts = attempts;
        self.pose = taken.unwrap_or(self.pose);
        let is_known = self.placement().is_some() && self.considered().any(|attempt| self.domain(attempt).is_some());
        if let Some(cell) = self.held.take_if(|_| is_known) {
            self.go_on(Spot::Cell(cell), &[]);
        }
    }

    /// The piece that is about to be placed, if one is picked that has a pose.
    pub fn placement(&self) -> Option<Placement> {
        self.considered().find_map(|attempt| {
            let place = attempt.picks.iter().position(|pick| matches!(pick, Pick::Pose(_)))?;
            let (piece, pose, cell) = match attempt.picks.get(place.checked_sub(1)?..)? {
                [Pick::Piece(piece), Pick::Pose(pose), Pick::Cell(cell), ..] => (*piece, *pose, Some(*cell)),
                [Pick::Piece(piece), Pick::Pose(pose), ..] => (*piece, *pose, None),
                _ => return None,
            };
            Some(Placement { piece, pose, cell })
        })
    }

    /// The cells on which the first square of the piece that is about to be placed may lie, whether or not one is picked.
    pub fn fitting_cells(&self) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            let Some(place) = attempt.picks.iter().position(|pick| matches!(pick, Pick::Pose(_))) else {
                continue;
            };
            let query = DomainQuery {
                action: attempt.offered.action,
                picks: attempt.picks.iter().take(place + 1).cloned().collect(),
            };
            if let Some(Reply::Open(Domain::Cells(cells), ..)) = self.replies.get(&query) {
                found.extend(cells.iter());
            }
        }
        found
    }

    /// Rotates or mirrors the piece that is about to be placed until it fits somewhere; false if it fits in no other
    /// way.
    pub fn change_pose(&mut self, change: impl Fn(Pose) -> Pose, proper: impl Fn(PieceId, Pose) -> Pose) -> bool {
        let Some(placement) = self.placement() else {
            return false;
        };
        let mut attempts = self.attempts.clone();
        for attempt in &mut attempts {
            back_to_pose(attempt);
        }
        let fitting = |pose: Pose| {
            let fits = |attempt: &Attempt| matches!(self.domain(attempt), Some(Domain::Poses(poses)) if poses.contains(&pose));
            attempts.iter().any(fits)
        };
        let mut raw = self.pose;
        for _ in 0..4 {
            raw = change(raw);
            let pose = proper(placement.piece, raw);
            if pose != placement.pose && fitting(pose) {
                self.attempts = attempts;
                self.pose = raw;
                self.held = placement.cell.or(self.held);
                return true;
            }
        }
        false
    }
}

fn back_to_pose(attempt: &mut Attempt) {
    if let Some(place) = attempt.picks.iter().position(|pick| matches!(pick, Pick::Pose(_))) {
        attempt.picks.truncate(place);
        attempt.trail.retain(|(_, picks)| *picks < place);
        attempt.part = None;
    }
}

/// A pose, then what it becomes by turning, then the same mirrored.
fn turns(pose: Pose) -> impl Iterator<Item = Pose> {
    let quarters = |first: Pose| [first, first.turned(), first.turned().turned(), first.turned_back()];
    quarters(pose).into_iter().chain(quarters(pose.mirrored()))
}
