//! What rules say about contests, in values that need no scripts.

use std::sync::Arc;

use super::Transaction;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{ActionId, Pick, Rejection, SeatId, Sides, State, Value};

/// What the luck of one round depends on, by name, sorted. Rounds that are alike have the same chances, whatever the sides stand at.
pub type Round = Vec<(Arc<str>, Value)>;

/// By how much a round changes each parameter, in the order of their declaration.
pub type Changes = Vec<i64>;

/// What a round comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clash {
    /// What it changes.
    pub changes: Changes,
    /// The result by which it ends the contest, as an index into the declared ones; `None` if the sides decide whether it goes on.
    pub result: Option<usize>,
}

/// Where a contest has come to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stand {
    /// What its sides stand at.
    pub sides: Sides,
    /// The result by which a round has ended it.
    pub result: Option<usize>,
}

impl Stand {
    /// The beginning of a contest.
    pub fn new(sides: &[Value]) -> Self {
        Self {
            sides: sides.to_vec(),
            result: None,
        }
    }

    /// Where it has come to after a round.
    ///
    /// # Errors
    /// If something changes that is no number, or a number overflows.
    pub fn after(&self, clash: &Clash) -> Result<Self, Diagnostic> {
        let step = |(value, change): (&Value, &i64)| match (value, change) {
            (value, 0) => Ok(value.clone()),
            (Value::Integer(number), change) => {
                let sum = number.checked_add(*change).map(Value::Integer);
                sum.ok_or_else(|| Diagnostic::error(Code::Contest, "a side of the contest grows beyond all numbers"))
            }
            _ => Err(Diagnostic::error(Code::Contest, "only numbers of a contest can change")),
        };
        Ok(Self {
            sides: self.sides.iter().zip(&clash.changes).map(step).collect::<Result<_, _>>()?,
            result: clash.result,
        })
    }
}

/// Rules whose contests can be looked at apart from a match, for their odds. A contest is named by its index among those declared.
#[expect(
    clippy::missing_errors_doc,
    reason = "they fail if there is no such contest, or the rules are at fault"
)]
pub trait Contests {
    /// The contest that an action begins, as far as it was picked: its index, and what its sides stand at. `None` if it begins none, or that
    /// is not known yet.
    fn contest_of(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Option<(usize, Sides)>, Rejection>;

    /// What the next round of a contest depends on, given what its sides stand at; `None` when it is over.
    fn round(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<Option<Round>, Rejection>;

    /// Draws for one round of a contest, and says what it comes to.
    fn clash(&self, transaction: &mut Transaction, contest: usize, round: &Round) -> Result<Clash, Rejection>;

    /// The result that the sides of a contest stand for, as an index into the declared ones.
    fn result(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<usize, Rejection>;
}
