//! Why a click chose nothing: asked of the rules for each action that could have been meant, and told where it was clicked.

use super::requests::{Pending, Requests};
use crate::action_picker::DomainQuery;
use crate::texts::sentence;
use boardwright_model::{CellId, Refusal, RefusalCode, SeatId};
use boardwright_protocol::Command;

/// How long a remark stays beside its cell, in seconds.
const STAY: f64 = 4.0;

/// A remark beside a cell that was clicked.
#[derive(Clone, Debug, PartialEq)]
struct Remark {
    cell: CellId,
    text: String,
    /// Until when it is shown, once it is.
    until: Option<f64>,
}

/// The questions about one click, and what is told about the newest one.
#[derive(Debug, Default)]
pub(crate) struct Explanation {
    /// Counts clicks; an answer about an earlier one is dropped.
    number: u64,
    cell: Option<CellId>,
    /// How many answers are still to come.
    missing: usize,
    /// The best reason among the answers so far.
    found: Option<Refusal>,
    remark: Option<Remark>,
}

impl Explanation {
    /// Asks the rules why a click on a cell means none of some actions.
    pub(super) fn ask(&mut self, cell: CellId, seat: SeatId, queries: Vec<DomainQuery>, requests: &mut Requests) {
        *self = Self {
            number: self.number + 1,
            cell: Some(cell),
            missing: queries.len(),
            ..Self::default()
        };
        for query in queries {
            let (action, picks) = (query.action, query.picks.to_vec());
            requests.send(Command::Domain { seat, action, picks }, Pending::Explanation(self.number));
        }
    }

    /// Takes an answer: a refusal, or nothing. Returns the best reason when all answers are there.
    pub(super) fn handle(&mut self, number: u64, refusal: Option<Refusal>) -> Option<Refusal> {
        if number != self.number {
            return None;
        }
        // What a ruleset says itself tells more than that something is not offered.
        let weight = |refusal: &Refusal| refusal.code != RefusalCode::NotOffered;
        if let Some(refusal) = refusal
            && self.found.as_ref().is_none_or(|found| weight(&refusal) && !weight(found))
        {
            self.found = Some(refusal);
        }
        self.missing = self.missing.saturating_sub(1);
        let found = self.found.take_if(|_| self.missing == 0)?;
        if let Some(cell) = self.cell {
            self.tell(cell, sentence(&found.reason));
        }
        Some(found)
    }

    /// Tells something about a click on a cell; it takes the place of what was told before.
    pub(super) fn tell(&mut self, cell: CellId, text: String) {
        self.remark = Some(Remark { cell, text, until: None });
    }

    /// Something else was clicked or played: what was told is no longer needed.
    pub(super) fn withdraw(&mut self) {
        *self = Self {
            number: self.number + 1,
            ..Self::default()
        };
    }

    /// What is told now beside which cell, and for how long still, in seconds. Its time begins when it is shown first.
    pub(crate) fn remark(&mut self, now: f64) -> Option<(CellId, &str, f64)> {
        let until = *self.remark.as_mut()?.until.get_or_insert(now + STAY);
        if until <= now {
            self.remark = None;
        }
        self.remark.as_ref().map(|remark| (remark.cell, remark.text.as_str(), until - now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: RefusalCode, reason: &str) -> Refusal {
        Refusal {
            code,
            rule: "".into(),
            reason: reason.into(),
        }
    }

    fn asked(missing: usize) -> Explanation {
        Explanation {
            number: 1,
            cell: Some(CellId(3)),
            missing,
            ..Explanation::default()
        }
    }

    #[test]
    fn the_reason_of_the_rules_comes_before_that_something_is_not_offered() {
        let mut explanation = asked(3);
        assert_eq!(
            explanation.handle(1, Some(refusal(RefusalCode::NotOffered, "c3 cannot be picked"))),
            None
        );
        assert_eq!(explanation.handle(1, Some(refusal(RefusalCode::Rule, "c3 is taken"))), None);
        let found = explanation.handle(1, Some(refusal(RefusalCode::Rule, "c3 is far")));
        assert_eq!(found.map(|found| found.reason.to_string()).as_deref(), Some("c3 is taken"));
        assert_eq!(explanation.remark(5.0), Some((CellId(3), "C3 is taken.", STAY)));
        assert_eq!(explanation.remark(5.0 + STAY), None);
    }

    #[test]
    fn answers_about_an_earlier_click_are_dropped() {
        let mut explanation = asked(1);
        explanation.withdraw();
        assert_eq!(explanation.handle(1, Some(refusal(RefusalCode::Rule, "c3 is taken"))), None);
        assert_eq!(explanation.remark(0.0), None);
    }
}
