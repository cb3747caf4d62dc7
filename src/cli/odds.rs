//! `odds`: how a contest of a ruleset ends, worked out from its rules.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::choice::{ChoiceArguments, HowArguments};
use super::content::Content;
use super::output::{Out, listed, spinner};
use super::table::columns;
use super::{Exit, Failure, failed, wrong_usage};
use boardwright_model::{ContestDeclaration, Sides, State, Value, ValueType};
use boardwright_rules::odds::{Book, Chance, ContestQuery, Effort, End, Method, Odds, Rounds, odds_within};
use boardwright_rules::{Contests, RulesSource};

/// The largest table, each way.
const MOST_ROWS: i64 = 500;
/// More ends than this are told in groups.
const MOST_ENDS: usize = 40;
/// So many groups.
const GROUPS: usize = 20;
/// How long odds are worked out in fractions, how long in decimals after that, and how long all of it may take.
const COUNTING: Duration = Duration::from_millis(500);
const ROUNDING: Duration = Duration::from_millis(1_600);
const PATIENCE: Duration = Duration::from_millis(1_900);
/// A fraction with more letters than this is only shown when it is asked for.
const SHORT: usize = 40;

#[derive(Clone, Debug, Args)]
pub(super) struct OddsArguments {
    /// The ruleset and, after a slash, the scenario; without one the standard scenario
    #[arg(value_name = "ID[/SCENARIO]")]
    id: String,
    /// What the contest begins with, by the names the ruleset gives it: --attackers 10 --defenders 10. And: --contest NAME where there
    /// are several, --rounds N to break it off, --table for all numbers up to these, or for each value of a condition, --fractions, --option
    /// NAME=VALUE, --json, and --seed N for what has to be sampled. Without any, what there is to be asked
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "--NAME VALUE")]
    rest: Vec<String>,
}

/// The arguments of the program, those that every command takes in front. Behind the ID of `odds` stand names that the ruleset
/// gives, so that the parser of arguments takes all of them for such.
pub(super) fn globals_first(arguments: Vec<OsString>) -> Vec<OsString> {
    let is = |argument: &OsString, names: &[&str]| names.iter().any(|name| argument == name);
    let mut command = 1;
    while arguments
        .get(command)
        .is_some_and(|argument| argument.as_encoded_bytes().starts_with(b"-"))
    {
        let takes_value = arguments.get(command).is_some_and(|argument| is(argument, &["--content"]));
        command += if takes_value { 2 } else { 1 };
    }
    if arguments.get(command).is_none_or(|name| name != "odds") {
        return arguments;
    }
    let mut behind = arguments.into_iter();
    let mut sorted: Vec<OsString> = behind.by_ref().take(command).collect();
    let mut own: Vec<OsString> = behind.by_ref().take(1).collect();
    let mut others = Vec::new();
    while let Some(argument) = behind.next() {
        let bytes = argument.as_encoded_bytes();
        if is(&argument, &["--help", "-h"]) {
            own.push(argument);
        } else if is(&argument, &["--content"]) {
            sorted.push(argument);
            sorted.extend(behind.next());
        } else if is(&argument, &["--verbose", "-v", "-vv"]) || bytes.starts_with(b"--content=") {
            sorted.push(argument);
        } else {
            others.push(argument);
        }
    }
    sorted.into_iter().chain(own).chain(others).collect()
}

/// What was asked beside the sides.
#[derive(Default)]
struct Asked {
    contest: Option<String>,
    rounds: Option<u32>,
    seed: u64,
    is_table: bool,
    is_json: bool,
    has_fractions: bool,
    options: Vec<String>,
    sides: Vec<(String, String)>,
}

impl Asked {
    fn read(words: &[String]) -> Result<Self, Failure> {
        let mut asked = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(word) = word.strip_prefix("--") else {
                return Err(Failure::Usage(format!("`{word}` is not of the form --NAME VALUE")));
            };
            let (name, given) = word
                .split_once('=')
                .map_or((word, None), |(name, value)| (name, Some(value.to_owned())));
            match name {
                "table" => asked.is_table = true,
                "json" => asked.is_json = true,
                "fractions" => asked.has_fractions = true,
                _ => {
                    let value = given.or_else(|| words.next().cloned());
                    let value = value.ok_or_else(|| Failure::Usage(format!("--{name} needs a value")))?;
                    asked.take(name, value)?;
                }
            }
        }
        Ok(asked)
    }

    fn take(&mut self, name: &str, value: String) -> Result<(), Failure> {
        let wrong = |what: &str| Failure::Usage(format!("--{name} needs {what}, not `{value}`"));
        match name {
            "contest" => self.contest = Some(value),
            "rounds" => self.rounds = Some(value.parse().map_err(|_| wrong("a number of rounds"))?),
            "seed" => self.seed = value.parse().map_err(|_| wrong("a number"))?,
            "option" => self.options.push(value),
            _ => self.sides.push((name.to_owned(), value)),
        }
        Ok(())
    }
}

pub(super) fn run(content: &Content, arguments: &OddsArguments, out: &mut Out) -> Result<Exit, Failure> {
    let asked = Asked::read(&arguments.rest)?;
    let choice = ChoiceArguments {
        id: arguments.id.clone(),
        how: HowArguments {
            options: asked.options.clone(),
            ..HowArguments::default()
        },
    };
    let prepared = choice.prepare(content)?;
    let state = Arc::new(prepared.start);
    let rules = prepared.source.rules(state.board(), state.declarations(), state.options());
    let rules = rules.map_err(failed)?;
    let contests = &state.declarations().contests;
    let index = match &asked.contest {
        Some(name) => state.declarations().find_contest(name),
        None => (!contests.is_empty()).then_some(0),
    };
    let Some((index, contest)) = index.and_then(|index| Some((index, contests.get(index)?))) else {
        let known = listed(contests.iter().map(|contest| &*contest.name));
        return Err(Failure::Usage(format!("the ruleset has no such contest; declared: {known}")));
    };
    if asked.sides.is_empty() && !asked.is_table {
        describe(contest, out)?;
        return Ok(Exit::Fine);
    }
    let played = rules.contests().ok_or_else(|| failed("the rules do not say how a contest goes"))?;
    let mut sides = contest.default_sides();
    for (name, text) in &asked.sides {
        let (place, value) = contest.read(name, text).map_err(wrong_usage)?;
        put(&mut sides, place, value);
    }
    let bar = spinner(&*contest.title);
    let result = if asked.is_table {
        table(played, &state, (index, contest), &sides, asked.is_json, out)
    } else {
        let query = ContestQuery {
            contest: index,
            sides: &sides,
            rounds: asked.rounds,
        };
        let begun = Instant::now();
        let mut effort = Effort {
            counts: &mut || begun.elapsed() < COUNTING,
            rounds: &mut || begun.elapsed() < ROUNDING,
            samples: &mut |_| begun.elapsed() < PATIENCE,
        };
        let found = odds_within(&mut Rounds::default(), played, &state, &query, asked.seed, &mut effort).map_err(failed);
        bar.finish_and_clear();
        found.and_then(|found| show(contest, &sides, &found, &asked, out))
    };
    bar.finish_and_clear();
    result.map(|()| Exit::Fine)
}

fn put(sides: &mut Sides, place: usize, value: Value) {
    if let Some(side) = sides.get_mut(place) {
        *side = value;
    }
}

/// What there is to be asked.
fn describe(contest: &ContestDeclaration, out: &mut Out) -> Result<(), Failure> {
    out.line(format!("{} ends as {}.", contest.title, contest.results.join(" or ")))?;
    for parameter in &contest.parameters {
        let kind = parameter.value_type.describe();
        out.line(format!("  --{} {kind}; default {}. {}", parameter.name, parameter.default, parameter.help).trim_end())?;
    }
    Ok(())
}

fn sides_text(contest: &ContestDeclaration, sides: &[Value]) -> String {
    let named = contest.parameters.iter().zip(sides);
    let texts: Vec<String> = named.map(|(parameter, value)| format!("{} {value}", parameter.name)).collect();
    texts.join(", ")
}

/// A chance as a decimal, with its error where it was sampled.
fn chance_text(chance: &Chance) -> String {
    match &chance.exact {
        Some(_) => format!("{:.12}", chance.value),
        None if chance.error < 1e-5 => format!("{:.6}", chance.value),
        None => format!("{:.4} ± {:.4}", chance.value, chance.error),
    }
}

fn fraction_text(chance: &Chance, shows_all: bool) -> String {
    let text = chance.exact.as_ref().map(ToString::to_string).unwrap_or_default();
    if shows_all || text.len() <= SHORT { text } else { String::new() }
}

#[derive(Serialize)]
struct Shown<'a> {
    contest: &'a str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<u32>,
    results: Vec<ShownChance>,
    ends: Vec<ShownEnd>,
}

#[derive(Serialize)]
struct ShownChance {
    result: String,
    chance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
}

#[derive(Serialize)]
struct ShownEnd {
    sides: BTreeMap<String, Value>,
    #[serde(flatten)]
    chance: ShownChance,
}

fn shown(contest: &ContestDeclaration, result: usize, chance: &Chance) -> ShownChance {
    ShownChance {
        result: contest.results.get(result).map_or_else(String::new, ToString::to_string),
        chance: chance.value,
        fraction: chance.exact.as_ref().map(ToString::to_string),
        error: (chance.error != 0.0).then_some(chance.error),
    }
}

fn show(contest: &ContestDeclaration, sides: &[Value], found: &Odds, asked: &Asked, out: &mut Out) -> Result<(), Failure> {
    if asked.is_json {
        let names = || contest.parameters.iter().map(|parameter| parameter.name.to_string());
        let ends = found.ends.iter().map(|end| ShownEnd {
            sides: names().zip(end.sides.clone()).collect(),
            chance: shown(contest, end.result, &end.chance),
        });
        let results = found.results.iter().enumerate();
        let (method, samples) = match found.method {
            Method::Exact => ("exact", None),
            Method::Rounded => ("rounded", None),
            Method::Sampled(samples) => ("sampled", Some(samples)),
        };
        return out.json(&Shown {
            contest: &contest.name,
            method,
            samples,
            results: results.map(|(index, chance)| shown(contest, index, chance)).collect(),
            ends: ends.collect(),
        });
    }
    let how = match found.method {
        Method::Exact => "every result of the dice counted".to_owned(),
        Method::Rounded => "every result of the dice counted, in decimals".to_owned(),
        Method::Sampled(samples) => format!("sampled: fought {samples} times, 95 of 100 times no further away than said"),
    };
    out.line(format!("{}: {} ({how})", contest.title, sides_text(contest, sides)))?;
    let line = |what: &str, chance: &Chance| {
        let fraction = fraction_text(chance, asked.has_fractions);
        format!("{what}\t{}\t{fraction}\n", chance_text(chance))
    };
    let results = contest.results.iter().zip(&found.results);
    out.text(&columns(&results.map(|(result, chance)| line(result, chance)).collect::<String>()))?;
    for (index, parameter) in contest.parameters.iter().enumerate() {
        let begins = sides.get(index).and_then(Value::as_integer);
        let changes = sides.get(index).is_some_and(|begins| found.changes(index, begins));
        if let (true, Some(begins), Some(mean)) = (changes, begins, found.mean(index, None)) {
            let (title, lost) = (&parameter.title, begins as f64 - mean);
            out.line(format!("{title} on average: {mean:.4} left, {lost:.4} lost"))?;
        }
    }
    if found.ends.len() > MOST_ENDS {
        out.text(&columns(&groups(contest, &found.ends)))?;
        out.line(format!("{} ends in groups: --json has each of them", found.ends.len()))?;
        return Ok(());
    }
    // In a contest of one throw the results say it all.
    if found.ends.iter().any(|end| end.sides != sides) {
        let ends = found.ends.iter().map(|end| line(&sides_text(contest, &end.sides), &end.chance));
        out.text(&columns(&ends.collect::<String>()))?;
    }
    Ok(())
}

/// Many ends, told together with their neighbours of the same result.
fn groups(contest: &ContestDeclaration, ends: &[End]) -> String {
    let size = ends.len().div_ceil(GROUPS);
    let mut text = String::new();
    for of_result in ends.chunk_by(|a, b| a.result == b.result) {
        for group in of_result.chunks(size) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else {
                continue;
            };
            let chance: f64 = group.iter().map(|end| end.chance.value).sum();
            let mut what = sides_text(contest, &first.sides);
            if first.sides != last.sides {
                what.push_str(&format!(" to {}", sides_text(contest, &last.sides)));
            }
            text.push_str(&format!("{what}\t{chance:.6}\n"));
        }
    }
    text
}

/// The values of a parameter by which a table is made.
fn values(contest: &ContestDeclaration, place: usize) -> Vec<Value> {
    match contest.parameters.get(place).map(|parameter| &parameter.value_type) {
        Some(ValueType::Choice { words }) => words.iter().cloned().map(Value::Text).collect(),
        Some(ValueType::Flag) => vec![Value::Flag(false), Value::Flag(true)],
        Some(ValueType::Integer { min, max }) => (*min..=(*max).min(min.saturating_add(MOST_ROWS - 1))).map(Value::Integer).collect(),
        _ => Vec::new(),
    }
}

/// The chance of each result, for each value of the first parameter.
fn table_of_results(
    contests: &dyn Contests,
    state: &Arc<State>,
    (index, contest): (usize, &ContestDeclaration),
    sides: &Sides,
    is_json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let mut book = Book::new(index);
    let mut found = Vec::new();
    for value in values(contest, 0) {
        let mut place = sides.clone();
        put(&mut place, 0, value.clone());
        let expected = book.expect(contests, state, &place).map_err(failed)?;
        let chances: BTreeMap<String, f64> = contest
            .results
            .iter()
            .map(ToString::to_string)
            .zip(expected.chances.clone())
            .collect();
        found.push((value, chances));
    }
    if is_json {
        #[derive(Serialize)]
        struct Column {
            value: String,
            chances: BTreeMap<String, f64>,
        }
        let columns = found.into_iter().map(|(value, chances)| Column {
            value: value.to_string(),
            chances,
        });
        return out.json(&columns.collect::<Vec<_>>());
    }
    let title = contest.parameters.first().map_or("", |parameter| &*parameter.title);
    let heads: String = found.iter().map(|(value, _)| format!("\t{value}")).collect();
    let row = |result: &Arc<str>| {
        let chances = found.iter().filter_map(|(_, chances)| chances.get(&**result));
        format!("{result}{}\n", chances.map(|chance| format!("\t{chance:.3}")).collect::<String>())
    };
    let rows: String = contest.results.iter().map(row).collect();
    out.text(&columns(&format!("{title}{heads}\n{rows}")))?;
    Ok(())
}

#[derive(Serialize)]
struct Cell {
    row: i64,
    column: i64,
    chances: Vec<f64>,
    left: Option<f64>,
}

/// The first result for all numbers of the first two sides, and what is then left of the first side; the chance of each result by the first
/// parameter where there are not two numbers.
fn table(
    contests: &dyn Contests,
    state: &Arc<State>,
    (index, contest): (usize, &ContestDeclaration),
    sides: &Sides,
    is_json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let parameters = contest.parameters.iter().enumerate();
    let numbers = parameters.filter(|(_, one)| matches!(one.value_type, ValueType::Integer { .. }));
    let mut numbers = numbers.map(|(place, _)| place);
    let (Some(down), Some(across)) = (numbers.next(), numbers.next()) else {
        return table_of_results(contests, state, (index, contest), sides, is_json, out);
    };
    let most = |place: usize| sides.get(place).and_then(Value::as_integer).unwrap_or(0).clamp(0, MOST_ROWS);
    let mut book = Book::new(index);
    let mut cells = Vec::new();
    for row in 1..=most(down) {
        for column in 1..=most(across) {
            let mut place = sides.clone();
            put(&mut place, down, Value::Integer(row));
            put(&mut place, across, Value::Integer(column));
            let found = book.expect(contests, state, &place).map_err(failed)?;
            cells.push(Cell {
                row,
                column,
                chances: found.chances.clone(),
                left: found.mean(down, 0),
            });
        }
    }
    if is_json {
        return out.json(&cells);
    }
    let title = |place: usize| contest.parameters.get(place).map_or("", |parameter| &parameter.title);
    let first = contest.results.first().map_or("", |result| result);
    let chance: fn(&Cell) -> String = |cell| format!("{:.3}", cell.chances.first().copied().unwrap_or(0.0));
    let left: fn(&Cell) -> String = |cell| cell.left.map_or_else(|| "-".to_owned(), |left| format!("{left:.2}"));
    let grids = [
        (format!("{first}: {} down, {} across", title(down), title(across)), chance),
        (format!("{} left on average when it is {first}", title(down)), left),
    ];
    let heads: String = (1..=most(across)).map(|column| format!("\t{column}")).collect();
    for (heading, text) in grids {
        let row = |row: i64| {
            let of_row = cells.iter().filter(|cell| cell.row == row).map(|cell| format!("\t{}", text(cell)));
            format!("{row}{}\n", of_row.collect::<String>())
        };
        let rows: String = (1..=most(down)).map(row).collect();
        out.line(heading)?;
        out.text(&columns(&format!("{heads}\n{rows}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from).collect();
        let sorted: Vec<String> = globals_first(arguments)
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        sorted.join(" ")
    }

    #[test]
    fn what_every_command_takes_is_taken_behind_the_sides_too() {
        assert_eq!(
            sorted("b odds x --attack 10 --content y -v --defence 3 --content=z"),
            "b --content y -v --content=z odds x --attack 10 --defence 3"
        );
        assert_eq!(sorted("b --content odds odds x --help"), "b --content odds odds --help x");
        assert_eq!(sorted("b perft odds 3 --content y"), "b perft odds 3 --content y");
        assert_eq!(sorted("b --version"), "b --version");
    }
}
