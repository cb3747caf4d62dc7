//! What is probably not meant so in the values of scripts: constants, declarations and comparisons.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Dynamic;

use super::lines::LineMap;
use super::value::{Items, described, with_items};
use boardwright_model::Declarations;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{PickKind, Scope, ValueType};
use boardwright_ruleset::{BodySymbols, CallSite, Comparison, FunctionSymbol, Operand, Sort, SymbolTable, did_you_mean};

/// Tables with more values are not looked through: they were not written by hand.
const MOST_VALUES: usize = 2_000;
/// Fewer records than this say nothing of what is common.
const FEWEST: usize = 3;

/// Looks through the constants of rules for values that are of another type than those beside them, and for misspelt keys.
pub(super) fn constants(values: &BTreeMap<String, Dynamic>, symbols: &SymbolTable, lines: &LineMap) -> Diagnostics {
    let mut found = Diagnostics::new();
    for constant in &symbols.constants {
        let Some(value) = values.get(&constant.name) else { continue };
        let mut tables = Tables {
            name: &constant.name,
            place: &constant.place,
            lines,
            way: Vec::new(),
            left: MOST_VALUES,
            found: &mut found,
        };
        tables.look(value);
    }
    found
}

struct Tables<'a> {
    name: &'a str,
    place: &'a Location,
    lines: &'a LineMap,
    way: Vec<String>,
    left: usize,
    found: &'a mut Diagnostics,
}

fn sort_of(value: &Dynamic) -> Option<Sort> {
    if value.is_int() {
        return Some(Sort::Number);
    }
    if value.is_string() {
        return Some(Sort::Text);
    }
    if value.is_bool() {
        return Some(Sort::Truth);
    }
    with_items(value, |items| match items {
        Items::List(_) => Sort::List,
        Items::Map(_) => Sort::Map,
    })
}

fn is_written_number(value: &Dynamic) -> bool {
    value.as_immutable_string_ref().is_ok_and(|text| text.trim().parse::<i64>().is_ok())
}

/// The items of a table with their keys or positions.
fn entries(value: &Dynamic) -> Vec<(String, Dynamic)> {
    let read = |items: Items<'_>| match items {
        Items::List(list) => list
            .iter()
            .enumerate()
            .map(|(index, item)| (index.to_string(), item.clone()))
            .collect(),
        Items::Map(map) => map.iter().map(|(key, item)| (key.to_string(), item.clone())).collect(),
    };
    with_items(value, read).unwrap_or_default()
}

impl Tables<'_> {
    fn warn(&mut self, way: &[&str], message: &str, cure: &str) {
        let depth = self.way.len();
        self.way.extend(way.iter().map(|key| (*key).to_owned()));
        let place = self.lines.locate(self.place, &self.way).unwrap_or_else(|| self.place.clone());
        let path = format!("{}.{}", self.name, self.way.join("."));
        self.way.truncate(depth);
        let found = Diagnostic::warning(Code::MixedTable, format!("`{path}`: {message}"));
        self.found.push(found.at(place).with_help(cure));
    }

    fn look(&mut self, value: &Dynamic) {
        let entries = entries(value);
        let Some(left) = self.left.checked_sub(entries.len()) else { return };
        self.left = left;
        self.written_numbers(&entries);
        self.records(&entries);
        for (key, item) in &entries {
            self.way.push(key.clone());
            self.look(item);
            self.way.pop();
        }
    }

    /// A number in quotes beside numbers.
    fn written_numbers(&mut self, entries: &[(String, Dynamic)]) {
        let numbers = entries.iter().filter(|(_, item)| item.is_int()).count();
        for (key, item) in entries {
            if numbers > 0 && is_written_number(item) {
                let message = format!("{} stands beside numbers", described(item));
                self.warn(&[key], &message, "write it without quotes: a text and a number are never equal");
            }
        }
    }

    /// Maps beside each other that have the same keys, all but one.
    fn records(&mut self, entries: &[(String, Dynamic)]) {
        if entries.len() < FEWEST || !entries.iter().all(|(_, item)| sort_of(item) == Some(Sort::Map)) {
            return;
        }
        let records: Vec<(&str, BTreeMap<String, Dynamic>)> = entries
            .iter()
            .map(|(key, item)| (key.as_str(), self::entries(item).into_iter().collect()))
            .collect();
        let keys: BTreeSet<&String> = records.iter().flat_map(|(_, record)| record.keys()).collect();
        for key in &keys {
            let having: Vec<(&str, &Dynamic)> = records
                .iter()
                .filter_map(|(name, record)| Some((*name, record.get(*key)?)))
                .collect();
            if having.len() == 1 {
                let Some((name, _)) = having.first() else { continue };
                self.misspelt(name, key, &records, &keys);
                continue;
            }
            let mut sorts: BTreeMap<Option<Sort>, Vec<(&str, &Dynamic)>> = BTreeMap::new();
            for (name, item) in &having {
                sorts.entry(sort_of(item)).or_default().push((name, item));
            }
            let odd = sorts.values().find(|same| same.len() == 1).and_then(|same| same.first());
            if let (2, Some((name, item))) = (sorts.len(), odd)
                && having.len() >= FEWEST
                && !item.is_unit()
                && sort_of(item).is_some()
                && !is_written_number(item)
            {
                let message = format!("{} is of another type than in the other entries", described(item));
                self.warn(&[name, key], &message, "see whether it should be like the others");
            } else if let Some((name, item)) = having.iter().find(|(_, item)| is_written_number(item))
                && having.iter().any(|(_, item)| item.is_int())
            {
                let beside_numbers = records
                    .iter()
                    .any(|(other, record)| other == name && record.values().any(Dynamic::is_int));
                // Beside numbers of its own record it is told there.
                if !beside_numbers {
                    let message = format!("{} stands where the other entries have numbers", described(item));
                    self.warn(
                        &[name, key],
                        &message,
                        "write it without quotes: a text and a number are never equal",
                    );
                }
            }
        }
    }

    /// A key that only one entry has, and that is nearly one which all others have.
    fn misspelt(&mut self, name: &str, key: &str, records: &[(&str, BTreeMap<String, Dynamic>)], keys: &BTreeSet<&String>) {
        let own = records.iter().find(|(other, _)| *other == name).map(|(_, record)| record);
        let lacks = |other: &&&String| own.is_some_and(|own| !own.contains_key(**other));
        let is_common = |other: &&&String| records.iter().filter(|(_, record)| record.contains_key(**other)).count() + 1 == records.len();
        let candidates = keys.iter().filter(lacks).filter(is_common).map(|other| other.as_str());
        if let Some(cure) = did_you_mean(key, candidates) {
            self.warn(&[name, key], &format!("no other entry has the key `{key}`"), &cure);
        }
    }
}

/// Words that end a turn.
const ENDS: [&str; 4] = ["end_turn", "end_turn_to", "next_phase", "end_match"];

/// Whether any turn can come to its end. `place` is where the actions are declared.
pub(super) fn endless_turn(declarations: &Declarations, symbols: &SymbolTable, place: Option<Location>) -> Option<Diagnostic> {
    let mut actions = declarations.actions.iter();
    let calls = || symbols.functions.iter().flat_map(|function| &function.body.calls);
    let ends = actions.any(|action| action.ends_turn) || calls().any(|call| ENDS.contains(&call.name.as_str()));
    if ends || declarations.seats.len() < 2 {
        return None;
    }
    let message = "no action ends a turn: the seat that begins acts for ever";
    let cure = "declare `ends_turn: true` with an action, or call `turn.end_turn()` or `turn.next_phase()` in what is done";
    Some(Diagnostic::warning(Code::EndlessTurn, message).at(place).with_help(cure))
}

/// What a drop pattern can say of the cells that may be picked.
const OF_DROPS: [&str; 4] = ["region", "terrain", "cells_where", "shift"];
/// What an `outcome` does that only looks for rows of seats, and for a full board.
const OF_ROWS: [&str; 3] = ["has_row", "win", "draw"];
/// What it reads for that, of which variable.
const READ_FOR_ROWS: [(&str, &str); 3] = [("view", "seats"), ("view", "empty"), ("seat", "cells")];

/// Hooks that say what can be declared: the engine runs that natively, many times faster. Only what is surely the same is told.
pub(super) fn declarable(declarations: &Declarations, symbols: &SymbolTable, lines: &LineMap) -> Diagnostics {
    let function = |name: &str| symbols.in_force().find(|function| function.name == name);
    let doubt =
        |place: &Location, message: String, cure: String| Diagnostic::warning(Code::Declarable, message).at(place.clone()).with_help(cure);
    let mut found = Diagnostics::new();
    if let Some(outcome) = function("outcome") {
        let calls = |name: &str| outcome.body.calls.iter().find(|call| call.name == name);
        let only_looks = outcome.body.calls.iter().all(|call| OF_ROWS.contains(&call.name.as_str()));
        let is_read = |(object, name, _): &(String, String, Location)| READ_FOR_ROWS.contains(&(object.as_str(), name.as_str()));
        if let (Some(row), Some(_)) = (calls("has_row"), calls("win"))
            && only_looks
            && outcome.body.properties.iter().all(is_read)
        {
            let message = "a row that ends the match can be declared, and is then found without a script".to_owned();
            let cure = "add `#{ when: \"row\", length: .., then: \"wins\" }` to `endings`, `#{ when: \"full\", then: \"draw\" }` for a full board, and take them away here";
            found.push(doubt(&row.place, message, cure.to_owned()));
        }
    }
    for action in &declarations.actions {
        let [pick] = action.picks.as_slice() else { continue };
        if pick.kind != PickKind::Cell || function(&format!("pattern_{}", action.name)).is_some() {
            continue;
        }
        let cells = function(&format!("{}_{}", action.name, pick.name));
        let done = function(&format!("do_{}", action.name));
        let (Some(cells), Some(done)) = (cells, done) else { continue };
        let is_plain = |body: &BodySymbols, params: &[String]| {
            let is_param = |(name, _): &(String, Location)| params.contains(name);
            body.changed.is_empty() && body.comparisons.is_empty() && body.names.is_empty() && body.variables.iter().all(is_param)
        };
        let is_said = cells.body.calls.iter().all(|call| OF_DROPS.contains(&call.name.as_str()));
        let ([call], [turn, picked]) = (done.body.calls.as_slice(), done.params.as_slice()) else {
            continue;
        };
        let Some(kind) = call.text.as_deref().filter(|_| is_said && call.is_method && call.name == "create") else {
            continue;
        };
        // The piece of the seat to act, on the cell that was picked, and nothing else.
        let mut place = call.place.clone();
        lines.show(&mut place);
        let line = place.source_line.as_deref().unwrap_or_default();
        let creates = line.contains(&format!("{turn}.create(\"{kind}\", {turn}.seat, {picked}.{})", pick.name));
        if creates && is_plain(&done.body, &done.params) && is_plain(&cells.body, &cells.params) {
            let message = format!(
                "`{}` only puts a piece on the cell that was picked, which can be declared",
                done.name
            );
            let cure = format!(
                "write `fn pattern_{}(view) {{ [drop({kind:?}).on(..)] }}` in place of `{}` and `{}`",
                action.name, cells.name, done.name
            );
            found.push(doubt(&done.place, message, cure));
        }
    }
    found.extend(tracks(declarations, symbols, lines));
    found
}

/// Actions with a piece as their only pick whose piece goes to a cell of a circuit: both what may be picked and what is done find that cell by a
/// name that is counted around, as in `` view.cell(`t${(first + gone) % TRACK}`) ``.
fn tracks(declarations: &Declarations, symbols: &SymbolTable, lines: &LineMap) -> Diagnostics {
    let function = |name: &str| symbols.in_force().find(|function| function.name == name);
    let is_counted = |call: &CallSite| {
        let mut place = call.place.clone();
        lines.show(&mut place);
        let line = place.source_line.unwrap_or_default();
        let name = line
            .split_once("cell(`")
            .map_or("", |(_, name)| name.split('`').next().unwrap_or_default());
        call.name == "cell" && name.matches("${").count() == 1 && name.contains('%')
    };
    let counts = |function: &&FunctionSymbol| function.body.calls.iter().any(is_counted);
    let found = declarations.actions.iter().filter_map(|action| {
        let [pick] = action.picks.as_slice() else { return None };
        if pick.kind != PickKind::Piece || function(&format!("pattern_{}", action.name)).is_some() {
            return None;
        }
        let pieces = reached(symbols, function(&format!("{}_{}", action.name, pick.name))?);
        let done = function(&format!("do_{}", action.name))?;
        let carried_out = reached(symbols, done);
        let moves = |function: &&FunctionSymbol| function.body.calls.iter().any(|call| call.name == "move_piece");
        let is_it = pieces.iter().any(counts) && carried_out.iter().any(counts) && carried_out.iter().any(moves);
        is_it.then(|| {
            let message = format!("`{}` moves a piece along a track, which can be declared", done.name);
            let cure = format!(
                "write `fn pattern_{}(view) {{ [advance_along(track, \"property\")] }}` in place of `{}_{}`: `picked.way[-1]` is the cell it comes to",
                action.name, action.name, pick.name
            );
            Diagnostic::warning(Code::Declarable, message).at(done.place.clone()).with_help(cure)
        })
    });
    found.collect()
}

/// A function with those that it calls, and that these call.
fn reached<'s>(symbols: &'s SymbolTable, first: &'s FunctionSymbol) -> Vec<&'s FunctionSymbol> {
    let mut found = vec![first];
    let mut looked_at = 0;
    while let Some(function) = found.get(looked_at) {
        let called: Vec<_> = function.body.calls.iter().map(|call| call.name.as_str()).collect();
        let new = symbols.in_force().filter(|other| called.contains(&other.name.as_str()));
        let new: Vec<_> = new.filter(|other| found.iter().all(|known| known.name != other.name)).collect();
        found.extend(new);
        looked_at += 1;
    }
    found
}

/// Comparisons whose sides have different types, so that they always come out the same.
pub(super) fn comparisons(declarations: Option<&Declarations>, symbols: &SymbolTable) -> Diagnostics {
    let functions = symbols.in_force().map(|function| &function.body);
    let bodies = functions.chain(symbols.constants.iter().map(|constant| &constant.body));
    let all = bodies.flat_map(|body: &BodySymbols| &body.comparisons);
    all.filter_map(|one| mixed_comparison(declarations, one)).collect()
}

fn mixed_comparison(declarations: Option<&Declarations>, comparison: &Comparison) -> Option<Diagnostic> {
    let sort = |side: &Operand| match side {
        Operand::Value(sort) => Some(*sort),
        Operand::Property { object, name } => declared_sort(declarations?, object, name),
    };
    let [left, right] = &comparison.sides;
    let (left, right) = (sort(left)?, sort(right)?);
    if left == right {
        return None;
    }
    let always = if comparison.operator == "!=" { "true" } else { "false" };
    let message = format!(
        "{} and {} are compared, so that `{}` is always {always}",
        sort_text(left),
        sort_text(right),
        comparison.operator
    );
    let number = comparison.text.as_ref().filter(|text| text.trim().parse::<i64>().is_ok());
    let cure = match number {
        Some(number) if left == Sort::Number || right == Sort::Number => format!("write the number without quotes: `{}`", number.trim()),
        _ => "compare values of the same type: `print(value)` shows what each side is".to_owned(),
    };
    let found = Diagnostic::warning(Code::MixedComparison, message);
    Some(found.at(comparison.place.clone()).with_help(cure))
}

const fn sort_text(sort: Sort) -> &'static str {
    match sort {
        Sort::Number => "a number",
        Sort::Text => "a text",
        Sort::Truth => "true or false",
        Sort::List => "a list",
        Sort::Map => "a map",
    }
}

/// The type of a declared property of what scripts call by its usual name.
fn declared_sort(declarations: &Declarations, object: &str, name: &str) -> Option<Sort> {
    let scope = match object {
        "view" | "turn" => Scope::Match,
        "seat" | "turn_of" | "owner" => Scope::Seat,
        "piece" => Scope::Piece,
        "cell" => Scope::Cell,
        "edge" => Scope::Edge,
        "options" => {
            let option = declarations.options.iter().find(|option| &*option.name == name)?;
            return sort_of_type(&option.value_type);
        }
        _ => return None,
    };
    let mut properties = declarations.properties.iter();
    let declared = properties.find(|property| property.scope == scope && &*property.name == name)?;
    sort_of_type(&declared.value_type)
}

const fn sort_of_type(value_type: &ValueType) -> Option<Sort> {
    match value_type {
        ValueType::Integer { .. } => Some(Sort::Number),
        ValueType::Flag => Some(Sort::Truth),
        ValueType::Text | ValueType::Choice { .. } => Some(Sort::Text),
        ValueType::List | ValueType::Subset { .. } => Some(Sort::List),
        ValueType::Cell | ValueType::Piece | ValueType::Seat | ValueType::Kind => None,
    }
}
