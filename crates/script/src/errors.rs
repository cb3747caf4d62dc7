//! Errors of the engine as messages for the authors of scripts.

use rhai::{Dynamic, EvalAltResult, Position};

use super::limits::{CALL_LEVELS, LIST_ITEMS, MAP_KEYS, STRING_BYTES};
use super::meter::Stop;
use super::parse::split_base_name;
use super::value::{Complaint, DEPTH, depth};
use boardwright_model::Refusal;
use boardwright_model::diagnostic::{Code, Diagnostic};

/// The name of a function as its author knows it.
pub(super) fn readable(function: &str) -> String {
    if function.starts_with("anon$") {
        return "a closure".to_owned();
    }
    if let Some((_, name)) = split_base_name(function) {
        return format!("base::{name}");
    }
    function.split_once('#').map_or(function, |(name, _)| name).to_owned()
}

/// The sort of an error of the engine, what it says, and what was thrown. `knows` tells whether there is any function of a name.
pub(super) fn explain(error: EvalAltResult, knows: &dyn Fn(&str) -> bool) -> (Code, String, Option<Dynamic>) {
    use EvalAltResult as E;

    let (code, message) = match error {
        E::ErrorTerminated(token, _) => match token.try_cast::<Stop>() {
            Some(stop) => stop_text(stop),
            None => (Code::Script, "the call was ended".into()),
        },
        E::ErrorRuntime(value, _) => return thrown(value),
        E::ErrorParsing(kind, _) => (Code::Syntax, kind.to_string()),
        E::ErrorFunctionNotFound(signature, _) => {
            let known = signature.split([' ', '(']).next().unwrap_or_default();
            let (name, given) = (readable(known), with_script_types(&readable(&signature)));
            if knows(known) {
                let message = format!("there is a function `{name}`, but not for these arguments: {given}");
                (Code::WrongArguments, message)
            } else {
                (Code::UnknownFunction, format!("there is no function `{name}`"))
            }
        }
        E::ErrorVariableNotFound(name, _) => (
            Code::UnknownVariable,
            format!("there is no variable or constant `{}`", readable(&name)),
        ),
        E::ErrorUnboundThis(_) => (Code::UnknownVariable, "there is no `this` here".into()),
        E::ErrorMismatchDataType(wanted, found, _) if wanted.is_empty() => {
            (Code::WrongType, format!("a {} is of no use here", with_script_types(&found)))
        }
        E::ErrorMismatchDataType(wanted, found, _) => (
            Code::WrongType,
            with_script_types(&format!("{wanted} is expected here, not {found}")),
        ),
        E::ErrorMismatchOutputType(wanted, found, _) => (
            Code::ReturnType,
            with_script_types(&format!("{wanted} is to be returned, not {found}")),
        ),
        E::ErrorIndexingType(name, _) => (Code::WrongType, format!("there is no such indexing: {}", with_script_types(&name))),
        E::ErrorDotExpr(message, _) => (Code::WrongType, property_text(&message)),
        E::ErrorFor(_) => (Code::WrongType, "`for` needs a list, a range or the like".into()),
        E::ErrorArrayBounds(len, index, _) => (Code::IndexOutOfRange, format!("a list of {len} items has no item {index}")),
        E::ErrorStringBounds(len, index, _) => (
            Code::IndexOutOfRange,
            format!("a text of {len} characters has no character {index}"),
        ),
        E::ErrorBitFieldBounds(_, index, _) => (Code::IndexOutOfRange, format!("a number has no bit {index}")),
        E::ErrorPropertyNotFound(name, _) => (Code::MissingKey, format!("there is no key `{name}`")),
        E::ErrorIndexNotFound(key, _) => (Code::MissingKey, format!("there is no key `{key}`")),
        E::ErrorNonPureMethodCallOnConstant(name, _) => (Code::ConstantMutation, format!("`{name}` would change a constant")),
        E::ErrorAssignmentToConstant(name, _) => (Code::ConstantMutation, format!("`{name}` is a constant")),
        E::ErrorArithmetic(message, _) => (Code::Arithmetic, message),
        E::ErrorStackOverflow(_) => stop_text(Stop::Levels(CALL_LEVELS)),
        E::ErrorTooManyOperations(_) => (Code::BudgetOperations, "the call takes too many steps".into()),
        E::ErrorTooManyVariables(_) => (Code::BudgetSize, "the function has too many variables".into()),
        E::ErrorDataTooLarge(what, _) => (
            Code::BudgetSize,
            format!(
                "something has grown too large ({}): a text has at most {STRING_BYTES} letters, a list {LIST_ITEMS} items, a map {MAP_KEYS} \
                 keys, with all that is in them",
                what.to_lowercase()
            ),
        ),
        E::ErrorTooManyModules(_) => (Code::Import, "too many imports".into()),
        E::ErrorModuleNotFound(name, _) => (Code::Import, format!("`{name}` is not imported here")),
        E::ErrorDataRace(what, _) => {
            let what = what.to_lowercase();
            (
                Code::Script,
                format!("a closure uses what is being worked on ({what}); give the closure a copy: `let copy = ..;`"),
            )
        }
        error => (Code::Script, without_position(error)),
    };
    (code, message, None)
}

/// What is wrong with a property, where the engine says that it knows no way to read it or to change it.
fn property_text(message: &str) -> String {
    let told = || {
        let (start, rest) = message.split_once("property '")?;
        let (name, rest) = rest.split_once("' - a ")?;
        let (_, rest) = rest.split_once(" is not registered for type '")?;
        let owner = with_script_types(rest.split_once('\'')?.0);
        Some(match start {
            "No writable " => format!("`{name}` of a {owner} cannot be changed"),
            _ => format!("a {owner} has no `{name}`"),
        })
    };
    told().unwrap_or_else(|| match message {
        "" => "there is no such property".to_owned(),
        message => message.to_owned(),
    })
}

/// A text in which the engine names types, with the names that the reference has for them.
pub(super) fn with_script_types(text: &str) -> String {
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
pub(super) fn stop_text(stop: Stop) -> (Code, String) {
    match stop {
        Stop::Operations(most) => {
            let most = thousands(most);
            (Code::BudgetOperations, format!("the call takes more than {most} steps"))
        }
        Stop::Time(most) => (Code::BudgetTime, format!("the call takes longer than {} ms", most.as_millis())),
        Stop::Request => (Code::BudgetRequest, "the rules take too long for one request".to_owned()),
        Stop::Levels(most) => (Code::BudgetDepth, format!("calls are nested deeper than {most}")),
        Stop::Stack => (Code::BudgetDepth, "calls or values are nested too deep".to_owned()),
        Stop::Data => (Code::BudgetSize, "the call makes too much data".to_owned()),
        Stop::Interrupted => (Code::Interrupted, "the call was stopped".to_owned()),
    }
}

fn thrown(value: Dynamic) -> (Code, String, Option<Dynamic>) {
    let value = value.flatten();
    if let Some(stop) = value.clone().try_cast::<Stop>() {
        let (code, message) = stop_text(stop);
        return (code, message, None);
    }
    if let Some(complaint) = value.read_lock::<Complaint>() {
        return (Code::WrongArguments, complaint.0.to_string(), None);
    }
    let fault = value.read_lock::<Diagnostic>().map(|fault| fault.clone());
    if let Some(fault) = fault {
        return (fault.code, fault.message, None);
    }
    if let Some(message) = value.read_lock::<Refusal>().map(|refusal| refusal.to_string()) {
        return (Code::Refused, message, Some(value));
    }
    let text: String = match (value.as_immutable_string_ref(), value.as_int()) {
        (Ok(text), _) => text.chars().take(200).collect(),
        (_, Ok(number)) => number.to_string(),
        _ if value.is_unit() => "a script gave up".to_owned(),
        _ => format!("a script threw a {}", with_script_types(value.type_name())),
    };
    (Code::Thrown, text, Some(value).filter(|value| depth(value, DEPTH) <= DEPTH))
}

fn without_position(mut error: EvalAltResult) -> String {
    error.set_position(Position::NONE);
    error.to_string()
}
