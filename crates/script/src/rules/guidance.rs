//! What scripts tell computer players.

use std::sync::Arc;

use rhai::Map;

use super::ScriptRules;
use crate::api::convert;
use boardwright_model::{Action, ActionId, Rejection, SeatId, State};
use boardwright_rules::{Guidance, PlayoutWeights, Rules, Transaction};

impl Guidance for ScriptRules {
    fn value(&self, state: &Arc<State>, seat: SeatId) -> Result<Option<i64>, Rejection> {
        let Some(hook) = &self.hooks.value else { return Ok(None) };
        let value = self.read(state, Some(seat), hook, (self.view(),))?;
        value.as_int().map(Some).map_err(|_| self.wrong_result(hook, &value))
    }

    fn prior_of(&self, state: &Arc<State>, action: &Action) -> Result<Option<i32>, Rejection> {
        let Some(hook) = self.hooks_of(action.action).and_then(|hooks| hooks.prior.as_ref()) else {
            return Ok(None);
        };
        let picked = self.picked(state, action.action, &action.picks);
        let value = self.read(state, Some(action.seat), hook, (self.view(), picked))?;
        if value.is_unit() {
            return Ok(None);
        }
        let prior = value.as_int().map_err(|_| self.wrong_result(hook, &value))?;
        Ok(Some(prior.clamp(-2_000, 2_000) as i32))
    }

    fn candidates(&self, state: &Arc<State>, seat: SeatId, action: ActionId, out: &mut Vec<Action>) -> Result<(), Rejection> {
        let Some(hook) = self.hooks_of(action).and_then(|hooks| hooks.candidates.as_ref()) else {
            return Ok(());
        };
        let value = self.read(state, Some(seat), hook, (self.view(),))?;
        let wrong = || self.wrong_result(hook, &value);
        for item in &convert::list_items(&value).ok_or_else(wrong)? {
            let picked = item.read_lock::<Map>().ok_or_else(wrong)?;
            out.push(self.action_of(seat, action, &picked).ok_or_else(wrong)?);
        }
        Ok(())
    }

    fn looks_at_each(&self, action: ActionId) -> bool {
        self.hooks_of(action)
            .is_some_and(|hooks| hooks.prior.is_some() || hooks.candidates.is_some())
    }

    fn playout_weights(&self, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<Option<PlayoutWeights>, Rejection> {
        let Some(hook) = self.hooks_of(action).and_then(|hooks| hooks.playout_weights.as_ref()) else {
            return Ok(self.pattern(action).and_then(|pattern| pattern.playout_weights(state, seat)));
        };
        let value = self.read(state, Some(seat), hook, (self.view(),))?;
        convert::to_playout_weights(state, &value)
            .map(Some)
            .ok_or_else(|| self.wrong_result(hook, &value))
    }

    fn determinize(&self, transaction: &mut Transaction, seat: SeatId) -> Result<bool, Rejection> {
        let Some(hook) = &self.hooks.determinize else { return Ok(false) };
        let call = || hook.call(self.program(), (self.view(),));
        drop(self.context.act(transaction, Some(seat), call)?);
        Ok(true)
    }
}
