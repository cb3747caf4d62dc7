//! Reading how matches end.

use std::sync::Arc;

use super::{Item, Reader};
use boardwright_model::{Declarations, Ending, EndingCondition, EndingResult, KindId, Limit, Scope};

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
    Row,
    Enters,
    Fills,
    Connects,
    Full,
    NoActions,
    NobodyCanAct,
    Repetition,
    Reached,
}

const CONDITIONS: [(Condition, &str); 10] = [
    (Condition::NoPieces, "no_pieces"),
    (Condition::Row, "row"),
    (Condition::Enters, "enters"),
    (Condition::Fills, "fills"),
    (Condition::Connects, "connects"),
    (Condition::Full, "full"),
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
            Some(Condition::NoPieces) => Some(EndingCondition::NoPieces {
                kind: self.kind_of(item, declarations),
            }),
            Some(Condition::Row) => {
                let is_given = item.has("length");
                let given = self.integer(item, "length");
                let length = given.and_then(|length| u16::try_from(length).ok()).filter(|length| *length >= 2);
                // What is no number at all was told already.
                if length.is_none() && (given.is_some() || !is_given) {
                    self.complain(format!("a row needs length: 2 to {}", u16::MAX));
                }
                length.map(|length| EndingCondition::Row { length })
            }
            Some(Condition::Enters) => Some(EndingCondition::Enters {
                region: self.needed(item, "region"),
                kind: self.kind_of(item, declarations),
            }),
            Some(Condition::Fills) => Some(EndingCondition::Fills {
                region: self.needed(item, "region"),
            }),
            Some(Condition::Connects) => {
                let is_list = item.get("regions").is_none_or(rhai::Dynamic::is_array);
                let regions = self.words(item, "regions");
                if regions.len() < 2 && is_list {
                    self.complain("a connection needs regions: a list of two or more");
                }
                Some(EndingCondition::Connects { regions })
            }
            Some(Condition::Full) => Some(EndingCondition::Full),
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
        for key in ["kind", "length", "region", "regions", "times", "property", "limit"] {
            if condition.is_some() && item.take(key).is_some() {
                self.complain_at(key, format!("the key does not go with {when:?}: take it away"));
            }
        }
        let result = self.meaning("then", &then, &RESULTS);
        let seat = self.text(item, "seat").and_then(|name| {
            let seat = declarations.find_seat(&name);
            if seat.is_none() {
                let known: Vec<&str> = declarations.seats.iter().map(|seat| &*seat.name).collect();
                self.unknown_at("seat", format!("there is no seat {name:?}"), &name, &known);
            }
            seat
        });
        if seat.is_some() && condition.as_ref().is_some_and(|condition| !condition.is_of_seat()) {
            self.complain_at("seat", format!("{when} is about no seat: leave the key out"));
        }
        let (condition, result) = (condition?, result?);
        if matches!(result, EndingResult::Loses | EndingResult::Wins) && !condition.is_of_seat() {
            self.complain_at(
                "then",
                format!("{when} is about no seat that could win or lose: \"draw\" or \"ranking\" fit"),
            );
        }
        Some(Ending {
            condition,
            seat,
            result,
            rule,
            reason,
        })
    }

    /// The kind of piece that an ending is about, if it names one.
    fn kind_of(&mut self, item: &mut Item, declarations: &Declarations) -> Option<KindId> {
        let name = self.text(item, "kind")?;
        let kind = declarations.find_kind(&name);
        if kind.is_none() {
            let known: Vec<&str> = declarations.kinds.iter().map(|kind| &*kind.name).collect();
            self.unknown_at("kind", format!("there is no kind {name:?}"), &name, &known);
        }
        kind
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
