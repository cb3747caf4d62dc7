//! Reading how matches end.

use std::sync::Arc;

use super::{Item, Reader};
use crate::keys::endings;
use boardwright_model::{Declarations, Ending, EndingCondition, EndingResult, Limit, Scope};

impl Reader<'_> {
    pub(super) fn ending(&mut self, item: &mut Item, frame: &Declarations) -> Option<Ending> {
        let when = self.name(item, endings::WHEN);
        let then = self.name(item, endings::THEN);
        let rule = self.text(item, endings::RULE).unwrap_or_else(|| Arc::from(""));
        let reason = self
            .text(item, endings::REASON)
            .unwrap_or_else(|| Arc::from(when.replace('_', " ")));
        let condition = match &*when {
            "no_pieces" => Some(EndingCondition::NoPieces),
            "no_actions" => Some(EndingCondition::NoActions),
            "nobody_can_act" => Some(EndingCondition::NobodyCanAct),
            "repetition" => {
                let times = self
                    .integer(item, endings::TIMES)
                    .and_then(|times| u32::try_from(times).ok())
                    .filter(|times| *times >= 2);
                if times.is_none() {
                    self.complain("a repetition needs times: 2 or more");
                }
                times.map(|times| EndingCondition::Repetition { times })
            }
            "reached" => self.reached(item, frame),
            _ => {
                self.within(endings::WHEN.name, |reader| {
                    reader.complain(format!(
                        "{when:?} is none of no_pieces, no_actions, nobody_can_act, repetition, reached"
                    ));
                });
                None
            }
        };
        let result = match &*then {
            "loses" => Some(EndingResult::Loses),
            "wins" => Some(EndingResult::Wins),
            "draw" => Some(EndingResult::Draw),
            "ranking" => Some(EndingResult::Ranking),
            _ => {
                self.within(endings::THEN.name, |reader| {
                    reader.complain(format!("{then:?} is none of loses, wins, draw, ranking"));
                });
                None
            }
        };
        Some(Ending {
            condition: condition?,
            result: result?,
            rule,
            reason,
        })
    }

    fn reached(&mut self, item: &mut Item, frame: &Declarations) -> Option<EndingCondition> {
        let name = self.name(item, endings::PROPERTY);
        let property = frame.find_property(Scope::Match, &name);
        if property.is_none() {
            self.within(endings::PROPERTY.name, |reader| {
                reader.complain(format!("there is no match property {name:?}"));
            });
        }
        let limit = match item.take(endings::LIMIT) {
            Some(value) if value.is_int() => value.as_int().ok().map(Limit::Number),
            Some(value) => {
                let option = value.as_immutable_string_ref().ok().and_then(|name| frame.find_option(&name));
                option.map(Limit::Option)
            }
            None => None,
        };
        if limit.is_none() {
            self.within(endings::LIMIT.name, |reader| {
                reader.complain("expected a whole number or the name of an option");
            });
        }
        Some(EndingCondition::Reached {
            property: property?,
            limit: limit?,
        })
    }
}
