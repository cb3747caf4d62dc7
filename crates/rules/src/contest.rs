//! What rules say about contests, in values that need no scripts.

use std::sync::Arc;

use boardwright_model::diagnostic::Code;
use boardwright_model::{Fault, Sides, Value};

/// What the luck of one round depends on, by name, sorted. Rounds that are alike have the same chances, whatever the sides stand at.
pub type Round = Vec<(Arc<str>, Value)>;

/// What a round changes: by how much each parameter goes up, in the order of their declaration.
pub type Changes = Vec<i64>;

/// The sides after a round.
///
/// # Errors
/// If something changes that is no number, or a number overflows.
pub fn after(sides: &[Value], changes: &[i64]) -> Result<Sides, Fault> {
    let step = |(value, change): (&Value, &i64)| match (value, change) {
        (value, 0) => Ok(value.clone()),
        (Value::Integer(number), change) => number
            .checked_add(*change)
            .map(Value::Integer)
            .ok_or_else(|| Fault::new(Code::Contest, "a side of the contest grows beyond all numbers")),
        _ => Err(Fault::new(Code::Contest, "only numbers of a contest can change")),
    };
    sides.iter().zip(changes).map(step).collect()
}
