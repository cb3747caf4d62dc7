//! What can go wrong in the host besides refusals and faults of the rules.

use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{EffectError, Fingerprint, Lost, LuckFault, Rejection};

/// Why the host did not do something. The match stands as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum HostError {
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error("event {event} of the journal does not fit: {error}")]
    Damaged { event: usize, error: EffectError },
    #[error("the rules {rules} of the journal are not at hand", rules = .0.short())]
    NoRules(Fingerprint),
    #[error("there is no position {asked} in a journal of {length} events")]
    NoSuchPosition { asked: usize, length: usize },
    #[error("there is no variation {asked}, there are {count}", asked = .asked + 1)]
    NoSuchVariation { asked: usize, count: usize },
    #[error("luck is drawn for this, and the numbers that it is to follow from are not given")]
    AwaitsNumbers,
    #[error("the luck of the match cannot be verified: {0}")]
    Luck(#[from] LuckFault),
}

/// Why changed rules were not taken over. The old ones stay in force.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ReloadError {
    #[error("{}", list(.0))]
    Lost(Vec<Lost>),
    #[error("the rules of this match cannot be changed while it runs")]
    Policy,
    #[error("the changed rules fail on the running match: {0}")]
    Fault(Box<Diagnostic>),
}

fn list(lost: &[Lost]) -> String {
    lost.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl From<Diagnostic> for ReloadError {
    fn from(fault: Diagnostic) -> Self {
        Self::Fault(Box::new(fault))
    }
}

impl From<Rejection> for ReloadError {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Fault(fault) => Self::Fault(fault),
            Rejection::Refused(refusal) => Self::Fault(Box::new(Diagnostic::error(Code::Migrate, refusal.to_string()))),
        }
    }
}
