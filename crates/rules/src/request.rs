//! The budget of a request: what all the calls of rules may take together that one request causes.
//!
//! A call of a hook has a budget of its own; how many calls follow from one action or one question does not depend on any of them. So rules
//! that run scripts count their calls by requests. The functions of [`flow`](super::flow) are requests by themselves where nobody begins a
//! larger one, so that no caller can forget to.

use std::fmt;
use std::ops::Deref;

use super::Rules;
use boardwright_model::Rejection;
use boardwright_model::diagnostic::{Code, Diagnostic};

/// On whose budget the calls of a request count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// On the budget of the request it is part of; on one of its own where there is none, or where that is a search.
    Step,
    /// On a budget of its own.
    Whole,
    /// On a budget of its own, where the speed of the machine may not decide, as for what was accepted once and is run again: operations count
    /// as ever, and time only where it is many times what it may be.
    Replay,
    /// On none: a search of a computer player has its own budget. Each [step](Self::Step) in it has one, and those that fail for it, with
    /// the calls that do, share one.
    Search,
}

/// What counts the calls of rules by requests. Requests lie inside each other: the one that began last ends first. Use [`Request`], which
/// ends by itself.
pub trait RequestBudget {
    /// Begins a request.
    fn begin(&self, kind: RequestKind);

    /// Ends the request that began last.
    fn end(&self);

    /// Why nothing else can be asked in the request that began last; `None` while something of its budget is left.
    fn spent(&self) -> Option<Diagnostic>;
}

/// Checks that something is left of the budget of a request. Whoever works long on what rules have answered, such as on each of many actions,
/// asks now and then.
///
/// # Errors
/// With [`Code::BudgetRequest`], if nothing is left.
pub fn check_budget(rules: &dyn Rules) -> Result<(), Rejection> {
    let spent = rules.request_budget().and_then(RequestBudget::spent);
    spent.map_or(Ok(()), |spent| Err(spent.into()))
}

/// A request that lasts until it is dropped. When its budget is spent, whatever else it asks of the rules fails with
/// [`Code::BudgetRequest`].
#[must_use = "the request ends when this is dropped"]
pub struct Request<R>(R)
where
    R: Deref,
    R::Target: Rules;

impl<R> Request<R>
where
    R: Deref,
    R::Target: Rules,
{
    /// Begins a request to rules.
    pub fn begin(rules: R, kind: RequestKind) -> Self {
        if let Some(budget) = rules.request_budget() {
            budget.begin(kind);
        }
        Self(rules)
    }
}

impl<R> Drop for Request<R>
where
    R: Deref,
    R::Target: Rules,
{
    fn drop(&mut self) {
        if let Some(budget) = self.0.request_budget() {
            budget.end();
        }
    }
}

impl<R> fmt::Debug for Request<R>
where
    R: Deref,
    R::Target: Rules,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Request")
    }
}

/// Whether something failed because the budget of the request is spent: then nothing else that it asks can be answered either.
pub fn is_spent(rejection: &Rejection) -> bool {
    matches!(rejection, Rejection::Fault(fault) if fault.code == Code::BudgetRequest)
}
