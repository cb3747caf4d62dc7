//! An action that goes on until what it began is decided, or the player stops it.

use super::{Awaited, Desk};
use boardwright_client::RepeatedAction;
use boardwright_protocol::{Command, Reply};
use boardwright_model::{ActionId, Pick, SeatId};
use crate::picking::Picking;

/// How long the dice of one round are to be seen before the next, in seconds.
const PAUSE: f64 = 0.7;

/// What is carried out again and again.
#[derive(Clone, Debug)]
pub(super) struct Repeated {
    again: RepeatedAction,
    /// When it goes on, once that is known.
    due: Option<f64>,
    /// The position it was carried out at last.
    at: usize,
    asks: bool,
}

impl Desk {
    /// The action that goes on by itself, unless others at this window are to answer first.
    pub fn goes_on_with(&self) -> Option<ActionId> {
        let action = self.again.as_ref()?.again.action();
        let answers = self.acting_here().is_some_and(|seat| seat != action.seat);
        (!answers).then_some(action.action)
    }

    /// Whether an action may go on until what it begins is decided.
    pub fn may_go_on_with(&self, action: ActionId) -> bool {
        let declared = self.mirror().frame().and_then(|frame| frame.action(action));
        declared.is_some_and(|declared| declared.begins_contest)
    }

    /// Plays what is chosen with one more pick, again and again.
    pub fn pick_again(&mut self, action: ActionId, pick: Pick) {
        self.choose(|picking| _ = picking.pick(action, pick));
        let whole = self.picking.as_ref().and_then(Picking::sole);
        if let Some(action) = whole.filter(|whole| whole.action == action) {
            let at = self.mirror().at();
            self.play(action.clone());
            if self.to_confirm.is_none() {
                self.again = Some(Repeated {
                    again: RepeatedAction::new(action),
                    due: None,
                    at,
                    asks: false,
                });
            }
        }
    }

    /// Nothing goes on any more.
    pub fn stop_again(&mut self) {
        self.again = None;
    }

    /// Something is chosen or played: what goes on ends, unless it was for others to do.
    pub(super) fn stop_again_by(&mut self, seat: Option<SeatId>) {
        self.again
            .take_if(|repeated| seat.is_none_or(|seat| seat == repeated.again.action().seat));
    }

    /// Goes on, when it is time and the same seat may act. What is asked of others is waited for; what is asked of the seat itself ends it.
    pub(super) fn go_on_again(&mut self, now: f64) {
        let Some(mut repeated) = self.again.take() else { return };
        let mirror = self.mirror();
        let (at, is_newest) = (mirror.at(), mirror.at() == mirror.length());
        let Some(state) = self.state().filter(|_| is_newest && at >= repeated.at) else {
            return;
        };
        let (acting, asks) = (state.acting(), state.sequence().decision().is_some());
        let seat = repeated.again.action().seat;
        let (is_own, is_over) = (acting.contains(seat), acting.is_empty());
        if is_over || (is_own && asks) || (!is_own && !asks) {
            return;
        }
        if is_own && at > repeated.at && self.submitting.is_none() && !repeated.asks {
            let due = *repeated.due.get_or_insert(now + PAUSE);
            if now >= due && !self.travels.is_under_way(now) {
                repeated.asks = true;
                self.request(repeated.again.question(), Awaited::Again);
            }
        }
        self.again = Some(repeated);
    }

    /// Plays it once more if it can be; else it is over.
    pub(super) fn take_again(&mut self, reply: &Reply) {
        let Some(repeated) = self.again.take() else { return };
        let next = match reply {
            Reply::Domain { domain, .. } => repeated.again.next(domain.as_ref()),
            _ => None,
        };
        let Some(action) = next else { return };
        let at = self.mirror().at();
        let submit = Command::Submit {
            action,
            at,
            drop_later: false,
        };
        self.played_to = None;
        self.submitting = self.request(submit, Awaited::Submit);
        self.again = Some(Repeated {
            due: None,
            at,
            asks: false,
            ..repeated
        });
    }
}
