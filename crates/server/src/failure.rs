//! How a request fails: each reason becomes the reply that says so.

use boardwright_host::{HostError, ReloadError};
use boardwright_model::{Refusal, RefusalCode, Rejection, Sentence};
use boardwright_players::{PlayerError, SpecError};
use boardwright_protocol::Reply;

/// Why a request was not carried out, as the reply to it.
pub(super) struct Failure(Box<Reply>);

/// The reply to a request, or why there is none.
pub(super) type Answered = Result<Reply, Failure>;

pub(super) fn refused(code: RefusalCode, reason: Sentence) -> Failure {
    Refusal::new(code, reason).into()
}

/// A request that makes no sense here.
pub(super) fn error(message: impl Into<String>) -> Failure {
    Reply::Error { message: message.into() }.into()
}

/// Checks that something holds, which a request needs.
pub(super) fn ensure(holds: bool, otherwise: impl FnOnce() -> Failure) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

impl From<Reply> for Failure {
    fn from(reply: Reply) -> Self {
        Self(Box::new(reply))
    }
}

impl From<Failure> for Reply {
    fn from(failure: Failure) -> Self {
        *failure.0
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Reply::Refused(refusal).into()
    }
}

impl From<SpecError> for Failure {
    fn from(wrong: SpecError) -> Self {
        error(wrong.to_string())
    }
}

impl From<PlayerError> for Failure {
    fn from(wrong: PlayerError) -> Self {
        match wrong {
            PlayerError::Rejected(rejection) => rejection.into(),
            wrong => error(wrong.to_string()),
        }
    }
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Refused(refusal) => refusal.into(),
            Rejection::Fault(fault) => Reply::Fault(fault).into(),
        }
    }
}

impl From<HostError> for Failure {
    fn from(wrong: HostError) -> Self {
        match wrong {
            HostError::Rejected(rejection) => rejection.into(),
            HostError::Damaged { .. }
            | HostError::NoRules(_)
            | HostError::NoSuchPosition { .. }
            | HostError::NoSuchVariation { .. }
            | HostError::AwaitsNumbers
            | HostError::Luck(_) => error(wrong.to_string()),
        }
    }
}

impl From<ReloadError> for Failure {
    fn from(wrong: ReloadError) -> Self {
        match wrong {
            ReloadError::Fault(fault) => Reply::Fault(fault).into(),
            ReloadError::Lost(_) | ReloadError::Policy => error(wrong.to_string()),
        }
    }
}
