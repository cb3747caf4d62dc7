//! Playing an action: the request on its way, the question before something that no slip should do, and an action that is repeated until
//! what it began is decided.

use super::requests::{Pending, Requests};
use boardwright_client::RepeatedAction;
use boardwright_model::{Action, SeatId};
use boardwright_protocol::{Command, Reply};

/// How long the dice of one round are shown before the next, in seconds.
const REPEAT_PAUSE: f64 = 0.7;

/// An action that is repeated.
#[derive(Clone, Debug)]
pub(super) struct Repetition {
    again: RepeatedAction,
    /// When it is played once more, once that is known.
    due: Option<f64>,
    /// The position at which it was played last.
    at: usize,
    is_asking: bool,
}

/// What the player confirms before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ToConfirm {
    /// An action beside the play.
    Action(Action),
    /// Resigning the match for a seat.
    Resign(SeatId),
    /// Agreeing on a draw where all people sit here.
    Draw(SeatId),
}

impl ToConfirm {
    /// The seat that does it.
    pub(crate) fn seat(&self) -> SeatId {
        match self {
            Self::Action(action) => action.seat,
            Self::Resign(seat) | Self::Draw(seat) => *seat,
        }
    }
}

/// The actions that are sent to the host.
#[derive(Debug, Default)]
pub(crate) struct Submission {
    /// The request that is not answered yet. Until then the choice belongs to a position that may be gone.
    request: Option<u64>,
    /// How many events stood after the newest action from here.
    pub(super) accepted_at: Option<usize>,
    /// The turn in which it was sent.
    pub(super) turn: Option<u32>,
    /// What is not done until the player has confirmed it.
    pub(crate) to_confirm: Option<ToConfirm>,
    pub(super) repetition: Option<Repetition>,
}

impl Submission {
    pub(super) fn is_pending(&self) -> bool {
        self.request.is_some()
    }

    /// Sends an action. Where it is played in the past, it takes the place of what came later.
    pub(super) fn submit(&mut self, action: Action, requests: &mut Requests) {
        let at = requests.mirror().at();
        self.turn = requests.mirror().main_view().map(|state| state.sequence().mark.turn);
        self.accepted_at = None;
        let submit = Command::Submit { action, at };
        self.request = requests.send(submit, Pending::Submit);
    }

    /// A submitted action was carried out, after which so many events stand, or it was not.
    pub(super) fn complete(&mut self, id: u64, accepted_at: Option<usize>) {
        self.request.take_if(|request| *request == id);
        match accepted_at {
            Some(_) => self.accepted_at = accepted_at,
            None => self.repetition = None,
        }
    }

    pub(super) fn repeated(&self) -> Option<&Action> {
        self.repetition.as_ref().map(|repetition| repetition.again.action())
    }

    /// Repeats an action that has just been submitted at a position.
    pub(super) fn repeat(&mut self, action: Action, at: usize) {
        self.repetition = Some(Repetition {
            again: RepeatedAction::new(action),
            due: None,
            at,
            is_asking: false,
        });
    }

    /// Something is chosen or played for a seat, or for all: this ends the repetition, unless it was for another seat to act.
    pub(super) fn interrupt(&mut self, seat: Option<SeatId>) {
        self.repetition
            .take_if(|repetition| seat.is_none_or(|seat| seat == repetition.again.action().seat));
    }

    /// Asks whether the repeated action can be played once more, when it is time and its seat is to act. Decisions of other seats are
    /// waited for; one of the seat itself ends the repetition.
    pub(super) fn go_on(&mut self, requests: &mut Requests, now: f64, are_pieces_moving: bool) {
        let Some(mut repetition) = self.repetition.take() else { return };
        let mirror = requests.mirror();
        let at = mirror.at();
        let is_newest = at == mirror.length() && at >= repetition.at;
        let Some(state) = mirror.main_view().filter(|_| is_newest) else {
            return;
        };
        let (acting, asks) = (state.acting(), state.sequence().decision().is_some());
        let is_own = acting.contains(repetition.again.action().seat);
        if acting.is_empty() || is_own == asks {
            return;
        }
        if is_own && at > repetition.at && self.request.is_none() && !repetition.is_asking {
            let due = *repetition.due.get_or_insert(now + REPEAT_PAUSE);
            if now >= due && !are_pieces_moving {
                repetition.is_asking = true;
                requests.send(repetition.again.question(), Pending::Repeat);
            }
        }
        self.repetition = Some(repetition);
    }

    /// Plays the repeated action once more, if the rules allow it.
    pub(super) fn handle_repeat(&mut self, reply: Option<Reply>, requests: &mut Requests) {
        let Some(repetition) = self.repetition.take() else { return };
        let Some(Reply::Domain { domain, .. }) = reply else { return };
        if let Some(action) = repetition.again.next(domain.as_ref()) {
            let at = requests.mirror().at();
            self.submit(action, requests);
            self.repetition = Some(Repetition {
                due: None,
                at,
                is_asking: false,
                ..repetition
            });
        }
    }
}
