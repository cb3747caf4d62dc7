//! Errors of the engine as messages for the authors of scripts.

use rhai::{Dynamic, EvalAltResult, Position};

use super::call::Program;
use super::limits::{CALL_LEVELS, LIST_ITEMS, MAP_KEYS, STRING_BYTES};
use super::locked::variable_of;
use super::meter::Stop;
use super::parse::split_base_name;
use super::table::FIXED;
use super::value::{Complaint, DEPTH, depth};
use super::vocabulary::{forms, meant};
use boardwright_model::Refusal;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_ruleset::did_you_mean;

/// The name of a function or a variable as its author knows it.
pub(super) fn readable(function: &str) -> String {
    if function.starts_with("anon$") {
        return "a closure".to_owned();
    }
    if let Some((_, name)) = split_base_name(function) {
        return format!("base::{name}");
    }
    let name = variable_of(function).unwrap_or(function);
    name.split_once('#').map_or(name, |(name, _)| name).to_owned()
}

/// The cure for changing a constant.
const OWN_COPY: &str = "change a copy: `let own = NAME.copy();`";
/// The cure for what comes of a value that is not there.
const CHECK_NOTHING: &str = "`()` stands for nothing: look whether there is something first, with `if value != () { .. }`";

/// The cure for using what a pattern is made of as if it were a value of one state.
const OF_PATTERN: &str = "a pattern is made once, for all states: what it is made of is only handed to words of patterns, and what depends on one \
                          state is asked in a hook that gets its `view`";

/// An error of the engine, explained.
pub(super) struct Explained {
    pub(super) code: Code,
    /// One sentence without a full stop.
    pub(super) message: String,
    /// What to do about it.
    pub(super) cure: Option<String>,
    /// What the script threw.
    pub(super) thrown: Option<Dynamic>,
}

impl Explained {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            cure: None,
            thrown: None,
        }
    }

    fn with(self, cure: impl Into<String>) -> Self {
        Self {
            cure: Some(cure.into()),
            ..self
        }
    }

    fn with_perhaps(self, cure: Option<String>) -> Self {
        Self { cure, ..self }
    }
}

/// Explains an error of the engine. `program` is the one it happened in, where there is one yet.
pub(super) fn explain(error: EvalAltResult, program: Option<&Program>) -> Explained {
    use EvalAltResult as E;

    match error {
        E::ErrorTerminated(token, _) => match token.try_cast::<Stop>() {
            Some(stop) => stopped(stop),
            None => Explained::new(Code::Script, "the call was ended"),
        },
        E::ErrorRuntime(value, _) => thrown(value),
        E::ErrorParsing(kind, _) => Explained::new(Code::Syntax, kind.to_string()),
        E::ErrorFunctionNotFound(signature, _) => no_function(&signature, program),
        E::ErrorVariableNotFound(name, _) => no_variable(&readable(&name), program),
        E::ErrorUnboundThis(_) => {
            Explained::new(Code::UnknownVariable, "there is no `this` here").with("give the function the value as an argument")
        }
        E::ErrorMismatchDataType(wanted, found, _) if wanted.is_empty() => {
            let found = type_words(&found);
            of_nothing(Explained::new(Code::WrongType, format!("{} is of no use here", article(&found))), &found)
        }
        E::ErrorMismatchDataType(wanted, found, _) => {
            let (wanted, found) = (type_words(&wanted), type_words(&found));
            let message = format!("{} is expected here, not {}", article(&wanted), article(&found));
            let cure = match wanted.as_str() {
                "bool" => Some("a condition is true or false: compare with `==`, `!=`, `<`, `>`, `<=` or `>=`"),
                _ => None,
            };
            let told = Explained::new(Code::WrongType, message).with_perhaps(cure.map(str::to_owned));
            of_nothing(told, &found)
        }
        E::ErrorMismatchOutputType(wanted, found, _) => {
            let (wanted, found) = (type_words(&wanted), type_words(&found));
            let message = format!("{} is to be returned, not {}", article(&wanted), article(&found));
            Explained::new(Code::ReturnType, message).with("the value of a function is its last expression, without a `;`, or that of `return`")
        }
        E::ErrorIndexingType(name, _) if name == FIXED => {
            Explained::new(Code::ConstantMutation, "an item of a constant cannot be changed").with(OWN_COPY)
        }
        E::ErrorIndexingType(name, _) => no_index(&name),
        E::ErrorDotExpr(message, _) => no_property(&message),
        E::ErrorFor(_) => Explained::new(Code::WrongType, "`for` needs something to go through: a list, cells, a range or a text's letters")
            .with("a range is written `0..8`; a number alone is none"),
        E::ErrorArrayBounds(len, index, _) => bounds("list", "item", len, index),
        E::ErrorStringBounds(len, index, _) => bounds("text", "letter", len, index),
        E::ErrorBitFieldBounds(_, index, _) => {
            Explained::new(Code::IndexOutOfRange, format!("a number has no bit {index}")).with("`[..]` takes an item out of a list or a map")
        }
        E::ErrorPropertyNotFound(name, _) => no_key(&name),
        E::ErrorIndexNotFound(key, _) => no_key(&key.to_string()),
        E::ErrorNonPureMethodCallOnConstant(name, _) => {
            let name = name.strip_prefix("set$").unwrap_or(&name).to_owned();
            let what = if name.starts_with("index$") { "this".to_owned() } else { format!("`{name}`") };
            Explained::new(Code::ConstantMutation, format!("{what} would change a constant")).with(OWN_COPY)
        }
        E::ErrorAssignmentToConstant(name, _) => {
            let name = readable(&name);
            Explained::new(Code::ConstantMutation, format!("`{name}` is a constant"))
                .with("what changes is a variable (`let`), or a property of the match, a seat, a cell or a piece")
        }
        E::ErrorArithmetic(message, _) => arithmetic(&message),
        E::ErrorStackOverflow(_) => stopped(Stop::Levels(CALL_LEVELS)),
        E::ErrorTooManyOperations(_) => Explained::new(Code::BudgetOperations, "the call takes too many steps"),
        E::ErrorTooManyVariables(_) => Explained::new(Code::BudgetSize, "the function has too many variables").with("split it"),
        E::ErrorDataTooLarge(what, _) => Explained::new(
            Code::BudgetSize,
            format!(
                "something has grown too large ({}): a text has at most {STRING_BYTES} letters, a list {LIST_ITEMS} items, a map {MAP_KEYS} \
                 keys, with all that is in them",
                what.to_lowercase()
            ),
        )
        .with("see whether a loop adds to it without end"),
        E::ErrorTooManyModules(_) => Explained::new(Code::Import, "too many imports"),
        E::ErrorModuleNotFound(name, _) => {
            Explained::new(Code::Import, format!("`{name}` is not imported here")).with(format!("write `import \"{name}\" as {name};` at the top of the file"))
        }
        E::ErrorDataRace(..) => Explained::new(Code::Script, "a closure uses the list that the word before it is changing")
            .with("give the closure a copy: `let copy = list;` before, and `copy` in the closure"),
        error => Explained::new(Code::Script, without_position(error)),
    }
}

/// A complaint about a value that is nothing comes of its not having been looked for.
fn of_nothing(told: Explained, found: &str) -> Explained {
    if found == "()" { told.with(CHECK_NOTHING) } else { told }
}

fn no_function(signature: &str, program: Option<&Program>) -> Explained {
    let (raw, arguments) = signature.split_once(" (").unwrap_or((signature, ")"));
    let raw = raw.trim_end();
    let name = readable(raw);
    let arguments: Vec<String> = split_types(arguments.strip_suffix(')').unwrap_or(arguments));
    let nothing = arguments.iter().any(|argument| argument == "()");
    let of_pattern = arguments.iter().any(|argument| argument.starts_with("Pattern"));
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let told = match arguments.as_slice() {
            [left, right] => format!("`{name}` does not go with {} and {}", article(left), article(right)),
            [only] => format!("`{name}` does not go with {}", article(only)),
            _ => format!("`{name}` does not go with these values"),
        };
        let texts = name == "+" && arguments.iter().any(|argument| argument == "text");
        let cure = if nothing {
            Some(CHECK_NOTHING)
        } else if of_pattern {
            Some(OF_PATTERN)
        } else if texts {
            Some("a text with values in it is written `..${value}..` between back ticks")
        } else {
            Some("see what each side is: `print(value)` shows it in the console")
        };
        return Explained::new(Code::WrongArguments, told).with_perhaps(cure.map(str::to_owned));
    }
    let own: Vec<String> = program.map_or_else(Vec::new, |program| program.forms_of(raw));
    let own = (!own.is_empty()).then(|| own.join(" or "));
    if let Some(known) = own.or_else(|| forms(&name)) {
        let message = format!("`{name}` does not take these values: {}", given(&arguments));
        let told = Explained::new(Code::WrongArguments, message).with(format!("it is written {known}"));
        return if nothing { told.with(CHECK_NOTHING) } else { told };
    }
    if program.is_some_and(|program| program.knows(raw)) {
        let told = Explained::new(
            Code::WrongArguments,
            format!("`{name}` does not take these values: {}", given(&arguments)),
        );
        return if nothing { told.with(CHECK_NOTHING) } else { told };
    }
    let owner = arguments.first().map_or("", String::as_str);
    let cure = boardwright_ruleset::foreign_word(&name).or_else(|| meant(owner, &name, []));
    Explained::new(Code::UnknownFunction, format!("there is no function `{name}`")).with_perhaps(cure)
}

fn given(arguments: &[String]) -> String {
    if arguments.is_empty() {
        "none".to_owned()
    } else {
        arguments.join(", ")
    }
}

/// The types of a signature.
fn split_types(arguments: &str) -> Vec<String> {
    let parts = arguments.split(", ").filter(|part| !part.is_empty());
    parts.map(type_words).collect()
}

fn no_variable(name: &str, program: Option<&Program>) -> Explained {
    let told = Explained::new(Code::UnknownVariable, format!("there is no variable or constant `{name}`"));
    let known = program.map(|program| program.outline().constants.iter().map(|one| one.name.as_str()).collect::<Vec<_>>());
    let cure = boardwright_ruleset::foreign_word(name).or_else(|| did_you_mean(name, known.unwrap_or_default()));
    told.with_perhaps(cure)
}

fn bounds(what: &str, item: &str, len: usize, index: rhai::INT) -> Explained {
    let message = format!("a {what} of {len} {item}s has no {item} {index}");
    let cure = if len == 0 {
        format!("look first whether there is any: `if !{what}.is_empty() {{ .. }}`")
    } else {
        format!("positions go from 0 to {}, and from the end from -1 to -{len}", len - 1)
    };
    Explained::new(Code::IndexOutOfRange, message).with(cure)
}

fn no_key(key: &str) -> Explained {
    Explained::new(Code::MissingKey, format!("there is no key `{key}`")).with(format!(
        "where a key may be missing, write `.get(\"{key}\")`, which gives `()`, or `.get(\"{key}\", default)`"
    ))
}

fn arithmetic(message: &str) -> Explained {
    const LIMITS: &str = "numbers go from about -9 x 10^18 to 9 x 10^18: see whether a loop multiplies or adds without end, or bound the value with \
                          `min(value, limit)`";
    // The engine says what it worked out behind a colon: `Addition overflow: 1 + 2`.
    let (what, worked_out) = message.split_once(": ").unwrap_or((message, ""));
    let what = what.to_lowercase();
    let divides_by_zero = what.contains("zero") && (worked_out.is_empty() || worked_out.ends_with(" 0"));
    let calculation = if worked_out.is_empty() {
        "the calculation".to_owned()
    } else {
        format!("`{worked_out}`")
    };
    if divides_by_zero {
        return Explained::new(Code::Arithmetic, format!("{calculation} divides by zero"))
            .with("look first whether the number behind `/` or `%` is 0");
    }
    if what.contains("overflow") {
        return Explained::new(Code::Arithmetic, format!("{calculation} is too large for a number")).with(LIMITS);
    }
    Explained::new(Code::Arithmetic, message.to_owned()).with(LIMITS)
}

/// Why `value[..]` has no meaning: the engine says `View [number]`, or with what was to be put there.
fn no_index(text: &str) -> Explained {
    let (owner, rest) = text.split_once(" [").unwrap_or((text, ""));
    let owner = type_words(owner);
    if owner == "()" {
        return Explained::new(Code::WrongType, "there is nothing here that `[..]` could look into").with(CHECK_NOTHING);
    }
    let index = type_words(rest.split(']').next().unwrap_or_default());
    let message = format!("{} is not looked into with `[..]` and {}", article(&owner), article(&index));
    Explained::new(Code::WrongType, message)
        .with("a list takes a number between the brackets, a map a text; anything else has properties: `value.name`")
}

/// What is wrong with a property, where the engine says that it knows no way to read it or to change it.
fn no_property(message: &str) -> Explained {
    let parts = || {
        let (start, rest) = message.split_once("property '")?;
        let (name, rest) = rest.split_once("' - a ")?;
        let (_, rest) = rest.split_once(" is not registered for type '")?;
        Some((start == "No writable ", name, type_words(rest.split_once('\'')?.0)))
    };
    let Some((writes, name, owner)) = parts() else {
        return Explained::new(
            Code::WrongType,
            if message.is_empty() { "there is no such property" } else { message },
        );
    };
    if owner == "()" {
        let message = format!(
            "there is nothing here whose `{name}` could be {}",
            if writes { "changed" } else { "read" }
        );
        return Explained::new(Code::WrongType, message).with(CHECK_NOTHING);
    }
    if writes && owner == "table" {
        return Explained::new(
            Code::ConstantMutation,
            format!("`{name}` is part of a constant and cannot be changed"),
        )
        .with(OWN_COPY);
    }
    let near = meant(&owner, name, []);
    if writes {
        let message = format!("`{name}` of {} cannot be changed", article(&owner));
        let cure = near
            .unwrap_or_else(|| "what changes is declared in `ruleset()` as a property, or changed by a word such as `move_to`".to_owned());
        return Explained::new(Code::WrongType, message).with(cure);
    }
    let cure =
        near.or_else(|| (owner == "text" || owner == "number").then(|| format!("a {owner} has no properties but those of the reference")));
    Explained::new(Code::WrongType, format!("{} has no `{name}`", article(&owner))).with_perhaps(cure)
}

/// The name of a type as the reference has it.
pub(super) fn type_words(name: &str) -> String {
    let name = name.trim();
    match name {
        "i64" | "INT" => "number".to_owned(),
        "&str | ImmutableString | String" | "string" | "String" | "ImmutableString" | "&str" | "text" => "text".to_owned(),
        "array" | "Array" => "list".to_owned(),
        "Fn" | "FnPtr" => "closure".to_owned(),
        "char" => "character".to_owned(),
        "range" | "range=" => "range".to_owned(),
        "a boolean expression" | "boolean" => "bool".to_owned(),
        other if other.starts_with("range") => "range".to_owned(),
        other if other.contains("::") => other.rsplit("::").next().unwrap_or(other).trim_end_matches('>').to_owned(),
        other => with_script_types(other),
    }
}

/// A type in a sentence.
pub(super) fn article(type_name: &str) -> String {
    match type_name {
        "()" => "nothing, `()`,".to_owned(),
        "Cells" | "cells" => "cells".to_owned(),
        "bool" => "true or false".to_owned(),
        "table" => "a constant list or map".to_owned(),
        other if other.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) => format!("an {other}"),
        other => format!("a {other}"),
    }
}

/// A text in which the engine names types, with the names that the reference has for them.
pub(super) fn with_script_types(text: &str) -> String {
    let text = text.replace("&str | ImmutableString | String", "text");
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c| !is_part(c)) {
        let name = piece.trim_end_matches(|c| !is_part(c));
        out.push_str(match name {
            "i64" => "number",
            "string" => "text",
            "array" => "list",
            other => other,
        });
        out.push_str(piece.get(name.len()..).unwrap_or_default());
    }
    out
}

/// A number with commas between thousands.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Why a call had to stop, in words.
pub(super) fn stopped(stop: Stop) -> Explained {
    const ENDLESS: &str = "see whether each loop comes to its end, and what is worked out again and again";
    const RECURSION: &str = "a function that calls itself needs a case in which it does not, or a loop in its place";
    let (code, message, cure) = match stop {
        Stop::Operations(most) => {
            let message = format!("the call takes more than {} steps", thousands(most));
            (Code::BudgetOperations, message, ENDLESS)
        }
        Stop::Time(most) => {
            let message = format!("the call takes longer than {} ms", most.as_millis());
            (Code::BudgetTime, message, ENDLESS)
        }
        Stop::Request => {
            let message = "the rules take too long for one request".to_owned();
            (
                Code::BudgetRequest,
                message,
                "see which hooks are called again and again, and what each of them works out",
            )
        }
        Stop::Levels(most) => (Code::BudgetDepth, format!("calls are nested deeper than {most}"), RECURSION),
        Stop::Stack => (Code::BudgetDepth, "calls or values are nested too deep".to_owned(), RECURSION),
        Stop::Data => {
            let message = "the call makes too much data".to_owned();
            (Code::BudgetSize, message, "see whether a loop adds to a list or a text without end")
        }
        Stop::Interrupted => return Explained::new(Code::Interrupted, "the call was stopped"),
    };
    Explained::new(code, message).with(cure)
}

fn thrown(value: Dynamic) -> Explained {
    let value = value.flatten();
    if let Some(stop) = value.clone().try_cast::<Stop>() {
        return stopped(stop);
    }
    if let Some(complaint) = value.read_lock::<Complaint>() {
        let told = Explained::new(Code::WrongArguments, complaint.message.to_string());
        return told.with_perhaps(complaint.cure.as_ref().map(ToString::to_string));
    }
    let fault = value.read_lock::<Diagnostic>().map(|fault| fault.clone());
    if let Some(fault) = fault {
        return Explained::new(fault.code, fault.message).with_perhaps(fault.help);
    }
    if let Some(message) = value.read_lock::<Refusal>().map(|refusal| refusal.to_string()) {
        return Explained {
            thrown: Some(value),
            ..Explained::new(Code::Refused, message)
        };
    }
    let text: String = match (value.as_immutable_string_ref(), value.as_int()) {
        (Ok(text), _) => text.chars().take(200).collect(),
        (_, Ok(number)) => number.to_string(),
        _ if value.is_unit() => "a script gave up".to_owned(),
        _ => format!("a script threw {}", article(&type_words(value.type_name()))),
    };
    Explained {
        thrown: Some(value).filter(|value| depth(value, DEPTH) <= DEPTH),
        ..Explained::new(Code::Thrown, text)
    }
}

fn without_position(mut error: EvalAltResult) -> String {
    error.set_position(Position::NONE);
    error.to_string()
}
