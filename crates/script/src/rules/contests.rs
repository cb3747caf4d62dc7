//! Contests as scripts say them.

use std::sync::Arc;

use super::ScriptRules;
use crate::contests::{self, ContestHooks};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{ActionId, ContestDeclaration, Pick, Rejection, SeatId, Sides, State, Value};
use boardwright_rules::{Clash, Contests, Round, Transaction};

impl ScriptRules {
    fn contest(&self, contest: usize) -> Result<(&ContestDeclaration, &ContestHooks), Rejection> {
        let found = self
            .declarations
            .contests
            .get(contest)
            .zip(self.hooks.contests.get(contest).and_then(Option::as_ref));
        found.ok_or_else(|| Diagnostic::error(Code::NoSuchThing, "there is no such contest").into())
    }
}

impl Contests for ScriptRules {
    fn contest_of(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Option<(usize, Sides)>, Rejection> {
        let Some(hook) = self.hooks_of(action).and_then(|hooks| hooks.contest.as_ref()) else {
            return Ok(None);
        };
        let picked = self.picked(state, action, picked);
        let value = self.read(state, Some(seat), hook, (self.view(), picked))?;
        if value.is_unit() {
            return Ok(None);
        }
        contests::read_begun(state, &value)
            .map(Some)
            .map_err(|expected| self.expected_result(hook, &expected))
    }

    fn round(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<Option<Round>, Rejection> {
        let (declared, hooks) = self.contest(contest)?;
        let Some(course) = &hooks.course else {
            // The one throw depends on all that the contest begins with.
            let named = declared.parameters.iter().zip(sides);
            let mut round: Round = named
                .map(|(parameter, value)| (Arc::clone(&parameter.name), value.clone()))
                .collect();
            round.sort();
            return Ok(Some(round));
        };
        let sides = contests::sides_to_script(&self.context, state, declared, sides);
        let value = self.read(state, None, &course.round, (self.view(), sides))?;
        if value.is_unit() {
            return Ok(None);
        }
        contests::read_round(&value)
            .map(Some)
            .ok_or_else(|| self.wrong_result(&course.round, &value))
    }

    fn clash(&self, transaction: &mut Transaction, contest: usize, round: &Round) -> Result<Clash, Rejection> {
        let (declared, hooks) = self.contest(contest)?;
        let round = contests::round_to_script(&self.context, transaction.state(), round);
        let seat = transaction.state().sequence().mark.seat;
        let call = || hooks.clash.call(&self.program, (self.view(), round));
        let value = self.context.act(transaction, seat, call)?;
        let clash = contests::read_clash(&value, declared);
        let clash = clash.filter(|clash| clash.result.is_some() || hooks.course.is_some());
        clash.ok_or_else(|| {
            let words = declared.results.join(", ");
            let expected = match hooks.course {
                Some(_) => format!("a map of numbers, and of a `result` if it decides the contest: one of {words}"),
                None => format!("a map with a `result`: one of {words}"),
            };
            self.unexpected_result(&hooks.clash, &expected, &value)
        })
    }

    fn result(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<usize, Rejection> {
        let (declared, hooks) = self.contest(contest)?;
        let Some(course) = &hooks.course else {
            let message = format!("the contest {} is one throw: before it there is no result", declared.name);
            return Err(Rejection::at_fault(Code::Contest, message));
        };
        let sides = contests::sides_to_script(&self.context, state, declared, sides);
        let value = self.read(state, None, &course.result, (self.view(), sides))?;
        let index = value
            .as_immutable_string_ref()
            .ok()
            .and_then(|word| declared.results.iter().position(|result| **result == **word));
        index.ok_or_else(|| self.unexpected_result(&course.result, &format!("one of {}", declared.results.join(", ")), &value))
    }
}
