//! Contests as scripts say them.

use std::sync::Arc;

use super::ScriptRules;
use crate::contests::{self, ContestHooks};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{ActionId, ContestDeclaration, Pick, Rejection, SeatId, Sides, State, Value};
use boardwright_rules::{Changes, Contests, Round, Transaction};

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
        let (declared, ContestHooks { round: hook, .. }) = self.contest(contest)?;
        let sides = contests::sides_to_script(&self.context, state, declared, sides);
        let value = self.read(state, None, hook, (self.view(), sides))?;
        if value.is_unit() {
            return Ok(None);
        }
        contests::read_round(&value).map(Some).ok_or_else(|| self.wrong_result(hook))
    }

    fn clash(&self, transaction: &mut Transaction, contest: usize, round: &Round) -> Result<Changes, Rejection> {
        let (declared, ContestHooks { clash: hook, .. }) = self.contest(contest)?;
        let round = contests::round_to_script(&self.context, transaction.state(), round);
        let seat = transaction.state().sequence().mark.seat;
        let call = || hook.call(&self.program, (self.view(), round));
        let value = self.context.act(transaction, seat, call)?;
        contests::read_changes(&value, declared).ok_or_else(|| self.wrong_result(hook))
    }

    fn result(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<usize, Rejection> {
        let (declared, ContestHooks { result: hook, .. }) = self.contest(contest)?;
        let sides = contests::sides_to_script(&self.context, state, declared, sides);
        let value = self.read(state, None, hook, (self.view(), sides))?;
        let word = value.into_immutable_string().unwrap_or_default();
        let index = declared.results.iter().position(|result| **result == *word);
        index.ok_or_else(|| self.expected_result(hook, &format!("one of {}", declared.results.join(", "))))
    }
}
