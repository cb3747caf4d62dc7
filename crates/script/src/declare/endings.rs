//! Reading how matches end.

use std::sync::Arc;

use super::{Item, Reader};
use boardwright_model::{Declarations, Ending, EndingCondition, EndingResult, Limit, Scope};

const RESULTS: [(EndingResult, &str); 4] = [
    (EndingResult::Loses, "loses"),
    (EndingResult::Wins, "wins"),
    (EndingResult::Draw, "draw"),
    (EndingResult::Ranking, "ranking"),
];

/// The word of a condition, before what belongs to it is read.
#[derive(Clone, Copy)]
enum Condition {
    NoPieces,
    NoActions,
    NobodyCanAct,
    Repetition,
    Reached,
}

const CONDITIONS: [(Condition, &str); 5] = [
    (Condition::NoPieces, "no_pieces"),
    (Condition::NoActions, "no_actions"),
    (Condition::NobodyCanAct, "nobody_can_act"),
    (Condition::Repetition, "repetition"),
    (Condition::Reached, "reached"),
];

impl Reader<'_> {
    pub(super) fn ending(&mut self, item: &mut Item, declarations: &Declarations) -> Option<Ending> {
        let (when, then) = (self.needed(item, "when"), self.needed(item, "then"));
        let rule = self.text(item, "rule").unwrap_or_default();
        let reason = self.text(item, "reason").unwrap_or_else(|| Arc::from(when.replace('_', " ")));
        let condition = match self.meaning("when", &when, &CONDITIONS) {
            Some(Condition::NoPieces) => Some(EndingCondition::NoPieces),
            Some(Condition::NoActions) => Some(EndingCondition::NoActions),
            Some(Condition::NobodyCanAct) => Some(EndingCondition::NobodyCanAct),
            Some(Condition::Repetition) => {
                let times = self.integer(item, "times").and_then(|times| u32::try_from(times).ok());
                let times = times.filter(|times| *times >= 2);
                if times.is_none() {
                    self.complain("a repetition needs times: 2 or more");
                }
                times.map(|times| EndingCondition::Repetition { times })
            }
            Some(Condition::Reached) => self.reached(item, declarations),
            None => None,
        };
        let result = self.meaning("then", &then, &RESULTS);
        Some(Ending {
            condition: condition?,
            result: result?,
            rule,
            reason,
        })
    }

    fn reached(&mut self, item: &mut Item, declarations: &Declarations) -> Option<EndingCondition> {
        let name = self.needed(item, "property");
        let property = declarations.find_property(Scope::Match, &name);
        if property.is_none() {
            self.complain_at("property", format!("there is no match property {name:?}"));
        }
        let limit = item.take("limit").and_then(|value| match value.as_immutable_string_ref() {
            Ok(name) => declarations.find_option(&name).map(Limit::Option),
            Err(_) => value.as_int().ok().map(Limit::Number),
        });
        if limit.is_none() {
            self.complain_at("limit", "expected a whole number or the name of an option");
        }
        Some(EndingCondition::Reached {
            property: property?,
            limit: limit?,
        })
    }
}
