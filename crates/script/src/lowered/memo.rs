//! Results of functions that only look, kept while the state is the same.
//!
//! Where nothing may be changed, what a function gives depends on its arguments, on the state and, if it asks that, on whose view it is. So what a function
//! was asked before is not worked out again: one that finds a zone of control, say, and is called for each unit. The operations that it took are
//! counted each time, and it is worked out again where it might come to the limit of calls in each other.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use super::machine::Arguments;
use super::value::Value;
use crate::api::call_context::{CallContext, SharedContext};
use boardwright_model::SeatId;

/// A call of fewer operations is as quickly repeated as found.
pub(super) const LEAST: u64 = 16;
/// So many results are kept of one state.
const MOST: usize = 64;
/// After so many calls a function is no longer looked up if fewer than one in so many was found.
const TRIED: u32 = 64;
const ONE_IN: u32 = 4;

/// The results of one state.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The match, held so that no other comes to lie in its place.
    context: Weak<CallContext>,
    digest: u64,
    results: Vec<Known>,
}

/// What a function was asked, and what it gave.
#[derive(Debug)]
struct Known {
    function: usize,
    seat: Option<SeatId>,
    arguments: Arguments,
    found: Found,
}

/// What a function gave.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) value: Value,
    pub(super) operations: u64,
    /// How many calls in each other it took, its own among them.
    pub(super) levels: usize,
    /// Whether it may depend on `view.seat`.
    pub(super) reads_seat: bool,
}

/// A question to a function.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) context: &'a SharedContext,
    /// The digest of the state.
    pub(super) digest: u64,
    pub(super) seat: Option<SeatId>,
    pub(super) function: usize,
    pub(super) arguments: &'a [Value],
}

impl Question<'_> {
    /// Whether it can be told whether the same was asked before.
    pub(super) fn is_comparable(self) -> bool {
        self.arguments.iter().all(is_comparable)
    }
}

impl Memo {
    /// What was found when the same was asked.
    pub(super) fn recall(&self, question: Question<'_>) -> Option<&Found> {
        if !self.is_of(question) {
            return None;
        }
        let is_it = |known: &&Known| {
            known.function == question.function
                && (known.seat == question.seat || !known.found.reads_seat)
                && known.arguments.len() == question.arguments.len()
                && known.arguments.iter().zip(question.arguments).all(|(a, b)| is_same(a, b))
        };
        self.results.iter().rev().find(is_it).map(|known| &known.found)
    }

    /// Keeps what was found.
    pub(super) fn keep(&mut self, question: Question<'_>, found: Found) {
        if !self.is_of(question) {
            self.results.clear();
            self.context = Rc::downgrade(question.context);
            self.digest = question.digest;
        } else if self.results.len() >= MOST {
            self.results.clear();
        }
        self.results.push(Known {
            function: question.function,
            seat: question.seat,
            arguments: question.arguments.iter().cloned().collect(),
            found,
        });
    }

    fn is_of(&self, question: Question<'_>) -> bool {
        self.digest == question.digest && std::ptr::eq(self.context.as_ptr(), Rc::as_ptr(question.context))
    }
}

/// How often a function was looked up, and found.
#[derive(Debug, Default)]
pub(super) struct Recalls(Cell<(u32, u32)>);

impl Recalls {
    pub(super) fn are_worthwhile(&self) -> bool {
        let (tried, found) = self.0.get();
        tried < TRIED || found.saturating_mul(ONE_IN) >= tried
    }

    pub(super) fn note(&self, is_found: bool) {
        let (tried, found) = self.0.get();
        // Old calls count less and less.
        let (tried, found) = if tried >= TRIED * TRIED {
            (tried / 2, found / 2)
        } else {
            (tried, found)
        };
        self.0.set((tried + 1, found + u32::from(is_found)));
    }
}

fn is_comparable(value: &Value) -> bool {
    matches!(
        value,
        Value::Unit
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::View
            | Value::Seat(_)
            | Value::Piece(_)
            | Value::Cell(_)
            | Value::Table(_)
    )
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Unit, Value::Unit) | (Value::View, Value::View) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Seat(a), Value::Seat(b)) => a == b,
        (Value::Piece(a), Value::Piece(b)) => a == b,
        (Value::Cell(a), Value::Cell(b)) => a == b,
        // Tables with the same items are looked up in vain.
        (Value::Table(a), Value::Table(b)) => a.is(b),
        _ => false,
    }
}
