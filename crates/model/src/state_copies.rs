//! Copies of states for search, which makes one for every simulation and on several threads at once.

use std::sync::Arc;

use super::{State, Value};

impl State {
    /// Becomes equal to another state, in the room that this one takes. What both share already is left as it is, so it costs what
    /// differs.
    pub fn copy_from(&mut self, other: &Self) {
        // Every part is named, so that none is forgotten.
        let Self {
            digests,
            board,
            declarations,
            options,
            pieces,
            stacks,
            occupied,
            owned,
            worded,
            in_play,
            zones,
            terrains,
            match_values,
            seat_values,
            cell_values,
            edge_values,
            eliminated,
            sequence,
            outcome,
            history,
            sight,
        } = self;
        digests.clone_from(&other.digests);
        share(board, &other.board);
        share(declarations, &other.declarations);
        share(options, &other.options);
        pieces.truncate(other.pieces.len());
        for (own, other) in pieces.iter_mut().zip(&other.pieces) {
            match (&mut *own, other) {
                (Some(own), Some(other)) => share(own, other),
                (None, None) => {}
                _ => own.clone_from(other),
            }
        }
        pieces.extend(other.pieces.iter().skip(pieces.len()).cloned());
        stacks.copy_from(&other.stacks);
        occupied.clone_from(&other.occupied);
        owned.clone_from(&other.owned);
        worded.clone_from(&other.worded);
        in_play.clone_from(&other.in_play);
        zones.clone_from(&other.zones);
        share(terrains, &other.terrains);
        match_values.clone_from(&other.match_values);
        seat_values.clone_from(&other.seat_values);
        share_all(cell_values, &other.cell_values);
        share(edge_values, &other.edge_values);
        *eliminated = other.eliminated;
        sequence.clone_from(&other.sequence);
        outcome.clone_from(&other.outcome);
        history.clone_from(&other.history);
        sight.clone_from(&other.sight);
    }

    /// A copy that shares nothing that changes in play. Threads that each copy and change one of their own do not wait for the counts of
    /// what they would share.
    #[must_use]
    pub fn unshared(&self) -> Self {
        let mut copy = self.clone();
        for piece in copy.pieces.iter_mut().flatten() {
            let own = Arc::make_mut(piece);
            own.values.iter_mut().for_each(unshare);
        }
        copy.stacks = copy.stacks.unshared();
        copy.match_values.iter_mut().for_each(unshare);
        copy.seat_values.iter_mut().flatten().for_each(unshare);
        for values in &mut copy.cell_values {
            *values = values.iter().cloned().collect();
            Arc::make_mut(values).iter_mut().for_each(unshare);
        }
        copy
    }
}

pub(super) fn share<T: ?Sized>(own: &mut Arc<T>, other: &Arc<T>) {
    if !Arc::ptr_eq(own, other) {
        own.clone_from(other);
    }
}

pub(super) fn share_all<T: ?Sized>(own: &mut Vec<Arc<T>>, other: &[Arc<T>]) {
    own.truncate(other.len());
    own.iter_mut().zip(other).for_each(|(own, other)| share(own, other));
    own.extend(other.iter().skip(own.len()).cloned());
}

fn unshare(value: &mut Value) {
    match value {
        Value::Text(text) => *text = Arc::from(&**text),
        Value::List(values) => {
            *values = values.iter().cloned().collect();
            Arc::make_mut(values).iter_mut().for_each(unshare);
        }
        _ => {}
    }
}
