//! What each viewer sees of a match, and remembers of it: followed event by event, and back again.
//!
//! A view follows from the journal and is never saved: a match that is taken up again walks through its journal once. What led a view
//! from each position to the next is kept, so that undo and redo cost what they change.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::visibility_log::{Shown, Viewer, knows_picks};
use boardwright_host::Event;
use boardwright_model::{CellSet, Effect, State, Touched, ViewUpdate, Visibility};

/// The views of all viewers at one position of the journal.
#[derive(Debug)]
pub(super) struct SeatViews {
    /// The position of the journal at which something could first be hidden.
    first: usize,
    views: BTreeMap<Viewer, SeatView>,
}

#[derive(Debug)]
struct SeatView {
    state: Arc<State>,
    /// What led from each position to the next; those behind `at` are undone.
    steps: Vec<Step>,
    at: usize,
}

#[derive(Debug)]
enum Step {
    Effects(Vec<Effect>),
    /// A change of rules, before and after.
    Whole(Arc<State>, Arc<State>),
    /// A view that was made again because it did not fit: there is no way back over it.
    Lost,
}

/// A state of the match with what is seen of it.
pub(super) type Seen<'a> = (&'a Arc<State>, &'a dyn Fn(Viewer) -> Visibility);

impl SeatViews {
    /// The views of viewers who know of a state only what nothing hides.
    pub(super) fn begin(state: &Arc<State>, position: usize, viewers: impl Iterator<Item = Viewer>) -> Self {
        let view = |viewer: Viewer| {
            let nothing = CellSet::empty(state.board().cell_count());
            let state = state.project(&Visibility::new(viewer, state.declarations().has_fog.then_some(nothing)));
            let (steps, at) = (Vec::new(), 0);
            (viewer, SeatView { state, steps, at })
        };
        Self {
            first: position,
            views: viewers.map(view).collect(),
        }
    }

    /// The view of a viewer.
    pub(super) fn view(&self, viewer: Viewer) -> Option<&Arc<State>> {
        self.views.get(&viewer).map(|view| &view.state)
    }

    /// Follows an event that led from one state to another; what was undone is left behind. Returns what each viewer is sent.
    pub(super) fn follow(&mut self, before: &Arc<State>, after: Seen<'_>, event: &Event) -> Vec<Shown> {
        let followed = self.views.iter_mut();
        followed.map(|(viewer, view)| view.follow(*viewer, before, after, event)).collect()
    }

    /// Follows a change of rules: views are made again where another thing is hidden under them.
    pub(super) fn follow_reload(&mut self, before: &Arc<State>, (after, sight_of): Seen<'_>, event: &Event) {
        let hides = |state: &State| (state.declarations().has_fog, state.declarations().has_shroud);
        for (viewer, view) in &mut self.views {
            let sight = sight_of(*viewer);
            let mut changed = State::clone(&view.state);
            let earlier = view.sight(*viewer);
            let is_like_before = hides(before) == hides(after)
                && changed
                    .update_view((before, &earlier), (after, &sight), &event.effects, Touched::Everything)
                    .is_ok();
            if !is_like_before {
                let remembers_all = hides(before) == (false, false);
                changed = renewed(after, &sight, remembers_all);
            }
            adopt_history(&mut changed, after);
            view.push(Step::Whole(Arc::clone(&view.state), Arc::new(changed)));
        }
    }

    /// Goes to a position of the journal, if everything on the way there is known.
    pub(super) fn go_to(&mut self, position: usize, state: &State) -> bool {
        let Some(at) = position.checked_sub(self.first) else {
            return false;
        };
        self.views.values_mut().all(|view| view.go_to(at, state))
    }
}

impl SeatView {
    /// What the viewer sees now.
    fn sight(&self, viewer: Viewer) -> Visibility {
        Visibility::new(viewer, self.state.visible_cells().cloned())
    }

    fn follow(&mut self, viewer: Viewer, before: &State, (after, sight_of): Seen<'_>, event: &Event) -> Shown {
        let (earlier, sight) = (self.sight(viewer), sight_of(viewer));
        // Nobody else holds it, as a rule: then nothing is copied.
        let state = Arc::make_mut(&mut self.state);
        let updated = state.update_view((before, &earlier), (after, &sight), &event.effects, Touched::ByEffects);
        let (step, shown) = match updated {
            Ok(ViewUpdate { effects, is_whole, .. }) => {
                adopt_history(state, after);
                (Step::Effects(effects.clone()), (Some(effects), is_whole))
            }
            Err(error) => {
                tracing::warn!("the view of {viewer:?}: {error}");
                self.state = Arc::new(renewed(after, &sight, false));
                (Step::Lost, (None, false))
            }
        };
        self.steps.truncate(self.at);
        self.steps.push(step);
        self.at += 1;
        let (effects, sees_all) = shown;
        Shown {
            viewer,
            is_whole: sees_all && event.action().is_none_or(|action| earlier.sees_picks(before, action)),
            knows_picks: event.action().is_none_or(|action| knows_picks(&self.state, action)),
            effects,
        }
    }

    fn push(&mut self, step: Step) {
        if let Step::Whole(_, after) = &step {
            self.state = Arc::clone(after);
        }
        self.steps.truncate(self.at);
        self.steps.push(step);
        self.at += 1;
    }

    fn go_to(&mut self, at: usize, state: &State) -> bool {
        if at > self.steps.len() {
            return false;
        }
        while self.at != at {
            let is_back = self.at > at;
            let Some(step) = self.steps.get(if is_back { self.at - 1 } else { self.at }) else {
                return false;
            };
            match step {
                Step::Lost => return false,
                Step::Whole(before, after) => self.state = Arc::clone(if is_back { before } else { after }),
                Step::Effects(effects) => {
                    let view = Arc::make_mut(&mut self.state);
                    let led = if is_back {
                        effects.iter().rev().try_for_each(|effect| view.apply(effect.inverse()))
                    } else {
                        effects.iter().try_for_each(|effect| view.apply(effect))
                    };
                    if let Err(error) = led {
                        tracing::warn!("a view that cannot be gone back or forth in: {error}");
                        return false;
                    }
                }
            }
            self.at = if is_back { self.at - 1 } else { self.at + 1 };
        }
        adopt_history(Arc::make_mut(&mut self.state), state);
        true
    }
}

/// The view of someone who has seen nothing before, or everything up to now.
fn renewed(state: &Arc<State>, sight: &Visibility, remembers_all: bool) -> State {
    let mut view = state.unseen_view();
    let all = Visibility::new(sight.seat(), None);
    for seen in remembers_all.then_some(&all).into_iter().chain([sight]) {
        if let Err(error) = view.update_view((state, seen), (state, seen), &[], Touched::Everything) {
            tracing::warn!("a new view: {error}");
        }
    }
    view
}

/// Repetition is counted in the positions as they were, unless fog hides them.
fn adopt_history(view: &mut State, state: &State) {
    if !state.declarations().has_fog {
        view.adopt_history(state);
    }
}
