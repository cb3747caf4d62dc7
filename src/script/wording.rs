//! What the engine says, in words for the authors of scripts.

use rhai::{Dynamic, EvalAltResult, Position};

use super::fault::FaultKind;
use super::limits::{LIST_ITEMS, MAP_KEYS, STRING_BYTES};
use super::meter::Stop;
use super::parse::split_base_name;
use super::value::{Complaint, DEPTH, depth};
use crate::rules::Refusal;

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
pub(super) fn explain(error: EvalAltResult, knows: &dyn Fn(&str) -> bool) -> (FaultKind, String, Option<Dynamic>) {
    use EvalAltResult as E;
    use FaultKind as K;

    let (kind, message) = match error {
        E::ErrorTerminated(token, _) => match token.try_cast::<Stop>() {
            Some(stop) => stop_words(stop),
            None => (K::Other, "the call was ended".into()),
        },
        E::ErrorRuntime(value, _) => return thrown(value),
        E::ErrorParsing(kind, _) => (K::Parse, kind.to_string()),
        E::ErrorFunctionNotFound(signature, _) => {
            let name = signature.split([' ', '(']).next().unwrap_or_default().to_owned();
            if knows(&name) {
                (
                    K::WrongArguments,
                    format!(
                        "there is a function `{}`, but not for these arguments: {}",
                        readable(&name),
                        in_words(&readable(&signature))
                    ),
                )
            } else {
                (K::UnknownFunction, format!("there is no function `{}`", readable(&name)))
            }
        }
        E::ErrorVariableNotFound(name, _) => (
            K::UnknownVariable,
            format!("there is no variable or constant `{}`", readable(&name)),
        ),
        E::ErrorUnboundThis(_) => (K::UnknownVariable, "there is no `this` here".into()),
        E::ErrorMismatchDataType(wanted, found, _) if wanted.is_empty() => {
            (K::WrongType, format!("a {} is of no use here", in_words(&found)))
        }
        E::ErrorMismatchDataType(wanted, found, _) => (K::WrongType, in_words(&format!("{wanted} is expected here, not {found}"))),
        E::ErrorMismatchOutputType(wanted, found, _) => (K::ReturnType, in_words(&format!("{wanted} is to be returned, not {found}"))),
        E::ErrorIndexingType(name, _) => (K::WrongType, format!("there is no such indexing: {}", in_words(&name))),
        E::ErrorDotExpr(message, _) => (K::WrongType, property_words(&message)),
        E::ErrorFor(_) => (K::WrongType, "`for` needs a list, a range or the like".into()),
        E::ErrorArrayBounds(len, index, _) => (K::IndexOutOfRange, format!("a list of {len} items has no item {index}")),
        E::ErrorStringBounds(len, index, _) => (K::IndexOutOfRange, format!("a text of {len} characters has no character {index}")),
        E::ErrorBitFieldBounds(_, index, _) => (K::IndexOutOfRange, format!("a number has no bit {index}")),
        E::ErrorPropertyNotFound(name, _) => (K::MissingKey, format!("there is no key `{name}`")),
        E::ErrorIndexNotFound(key, _) => (K::MissingKey, format!("there is no key `{key}`")),
        E::ErrorNonPureMethodCallOnConstant(name, _) => (K::ConstantMutation, format!("`{name}` would change a constant")),
        E::ErrorAssignmentToConstant(name, _) => (K::ConstantMutation, format!("`{name}` is a constant")),
        E::ErrorArithmetic(message, _) => (K::Arithmetic, message),
        E::ErrorStackOverflow(_) => (K::BudgetDepth, "calls are nested too deep".into()),
        E::ErrorTooManyOperations(_) => (K::BudgetOperations, "the call takes too many steps".into()),
        E::ErrorTooManyVariables(_) => (K::BudgetSize, "the function has too many variables".into()),
        E::ErrorDataTooLarge(what, _) => (
            K::BudgetSize,
            format!(
                "something has grown too large ({}): a text has at most {STRING_BYTES} letters, a list {LIST_ITEMS} items, a map {MAP_KEYS} \
                 keys, with all that is in them",
                what.to_lowercase()
            ),
        ),
        E::ErrorTooManyModules(_) => (K::Import, "too many imports".into()),
        E::ErrorModuleNotFound(name, _) => (K::Import, format!("`{name}` is not imported here")),
        E::ErrorDataRace(what, _) => {
            let what = what.to_lowercase();
            (
                K::Other,
                format!("a closure uses what is being worked on ({what}); give the closure a copy: `let copy = ..;`"),
            )
        }
        E::ErrorSystem(..)
        | E::ErrorVariableExists(..)
        | E::ErrorForbiddenVariable(..)
        | E::ErrorInFunctionCall(..)
        | E::ErrorInModule(..)
        | E::ErrorCustomSyntax(..)
        | E::LoopBreak(..)
        | E::Return(..)
        | E::Exit(..)
        | _ => (K::Other, without_position(error)),
    };
    (kind, message, None)
}

/// What is wrong with a property, where the engine says that it knows no way to read it or to change it.
fn property_words(message: &str) -> String {
    let told = || {
        let (start, rest) = message.split_once("property '")?;
        let (name, rest) = rest.split_once("' - a ")?;
        let (_, rest) = rest.split_once(" is not registered for type '")?;
        let owner = in_words(rest.split_once('\'')?.0);
        Some(match start {
            "No writable " => format!("`{name}` of a {owner} can not be changed"),
            _ => format!("a {owner} has no `{name}`"),
        })
    };
    let none = || {
        if message.is_empty() {
            "there is no such property".to_owned()
        } else {
            message.to_owned()
        }
    };
    told().unwrap_or_else(none)
}

/// A text in which the engine names types, with the names that the reference has for them.
pub(super) fn in_words(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c| !is_part(c)) {
        let name = piece.trim_end_matches(|c| !is_part(c));
        words.push_str(match name {
            "i64" => "number",
            "string" => "text",
            "array" => "list",
            other => other,
        });
        words.push_str(piece.get(name.len()..).unwrap_or_default());
    }
    words
}

/// Why a call had to stop, in words.
pub(super) fn stop_words(stop: Stop) -> (FaultKind, String) {
    let (kind, message) = match stop {
        Stop::Operations => (FaultKind::BudgetOperations, "the call takes too many steps"),
        Stop::Time => (FaultKind::BudgetTime, "the call takes too long"),
        Stop::Stack => (FaultKind::BudgetDepth, "calls or values are nested too deep"),
        Stop::Data => (FaultKind::BudgetSize, "the call makes too much data"),
        Stop::Interrupted => (FaultKind::Interrupted, "the call was stopped"),
    };
    (kind, message.to_owned())
}

fn thrown(value: Dynamic) -> (FaultKind, String, Option<Dynamic>) {
    let value = value.flatten();
    if let Some(stop) = value.clone().try_cast::<Stop>() {
        let (kind, message) = stop_words(stop);
        return (kind, message, None);
    }
    if let Some(complaint) = value.read_lock::<Complaint>() {
        return (FaultKind::WrongArguments, complaint.0.to_string(), None);
    }
    if let Some(message) = value.read_lock::<Refusal>().map(|refusal| refusal.to_string()) {
        return (FaultKind::Refused, message, Some(value));
    }
    let text: String = match value.as_immutable_string_ref() {
        Ok(text) => text.chars().take(200).collect(),
        Err(_) if value.is_unit() => "a script gave up".to_owned(),
        Err(_) => match value.as_int() {
            Ok(number) => number.to_string(),
            Err(_) => format!("a script threw a {}", in_words(value.type_name())),
        },
    };
    let value = if depth(&value, DEPTH) > DEPTH { None } else { Some(value) };
    (FaultKind::Thrown, text, value)
}

fn without_position(mut error: EvalAltResult) -> String {
    error.set_position(Position::NONE);
    error.to_string()
}
