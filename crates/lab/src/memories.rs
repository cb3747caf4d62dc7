//! What the seats of a match remember of what they have seen, as they do in a session.

use std::sync::Arc;

use boardwright_host::Match;
use boardwright_model::{SeatId, State, Touched, Visibility};

/// The views of all seats, which keep what was seen. There are none where nothing is hidden.
pub(super) struct Memories(Vec<Arc<State>>);

impl Memories {
    /// Those of a match: what its seats see now.
    pub(super) fn of(playing: &Match) -> Self {
        let state = playing.state();
        if !state.may_hide() {
            return Self(Vec::new());
        }
        let seats = state.declarations().all_seats();
        // What cannot be followed is looked at without a memory.
        let views: Option<Vec<_>> = seats.iter().map(|seat| first_view(playing, seat)).collect();
        Self(views.unwrap_or_default())
    }

    pub(super) fn is_needed(&self) -> bool {
        !self.0.is_empty()
    }

    /// What a seat sees and remembers.
    pub(super) fn view(&self, playing: &Match, seat: SeatId) -> Result<Arc<State>, String> {
        match self.0.get(seat.index()) {
            Some(view) => Ok(Arc::clone(view)),
            None => playing.view(Some(seat)).map_err(|error| error.to_string()),
        }
    }

    /// Follows the last event of a match, which led on from a state.
    pub(super) fn follow(&mut self, before: &State, playing: &Match) -> Result<(), String> {
        let Some(event) = playing.journal().last() else { return Ok(()) };
        let state = playing.state();
        for (index, view) in self.0.iter_mut().enumerate() {
            let seat = SeatId::from_index(index);
            let earlier = Visibility::new(Some(seat), view.visible_cells().cloned());
            let sight = playing.sight(Some(seat)).map_err(|error| error.to_string())?;
            let seen = Arc::make_mut(view);
            let updated = seen.update_view((before, &earlier), (state, &sight), &event.effects, Touched::ByEffects);
            updated.map_err(|error| format!("the view of {}: {error}", seat.index()))?;
            if !state.declarations().has_fog {
                seen.adopt_history(state);
            }
        }
        Ok(())
    }
}

fn first_view(playing: &Match, seat: SeatId) -> Option<Arc<State>> {
    let state = playing.state();
    let sight = playing.sight(Some(seat)).ok()?;
    let mut view = state.unseen_view();
    view.update_view((state, &sight), (state, &sight), &[], Touched::Everything).ok()?;
    if !state.declarations().has_fog {
        view.adopt_history(state);
    }
    Some(Arc::new(view))
}
