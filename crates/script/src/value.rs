//! What every sort of value in scripts has in common: items, equality, order and text.

use std::cmp::Ordering;
use std::fmt::{Display, Write as _};
use std::ops::RangeInclusive;

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, INT, ImmutableString, Map, NativeCallContext, Position};

use super::errors::{article, type_words};
use super::meter::{Stop, pay};
use super::table::Table;

/// The result of a native.
pub(crate) type Answer<T> = Result<T, Box<EvalAltResult>>;

/// Lists in lists and maps in maps deeper than this are neither compared nor shown, and leave the script neither as results nor as
/// tables: whatever works through them takes stack for every level.
pub(crate) const DEPTH: usize = 24;
/// No more values than this are compared with each other at once: tables hold each other many times over.
const COMPARISONS: usize = 100_000;
/// How many values are compared in the time of an operation.
const COMPARED_BY_OPERATION: usize = 4;

/// What a native says about its arguments, as a value that can be told from what scripts throw.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    pub(crate) message: ImmutableString,
    /// What to do about it.
    pub(crate) cure: Option<ImmutableString>,
}

/// An error that a native raises about its arguments.
#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
pub(crate) fn wrong(message: impl Into<ImmutableString>) -> Box<EvalAltResult> {
    wrong_with(message, None::<&str>)
}

/// The same with what to do about it.
#[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
pub(crate) fn wrong_with(message: impl Into<ImmutableString>, cure: Option<impl Into<ImmutableString>>) -> Box<EvalAltResult> {
    let complaint = Complaint {
        message: message.into(),
        cure: cure.map(Into::into),
    };
    EvalAltResult::ErrorRuntime(Dynamic::from(complaint), Position::NONE).into()
}

/// A whole number within a range, both ends included.
pub(crate) fn whole_number<N>(what: impl Display, value: &Dynamic, allowed: RangeInclusive<N>) -> Answer<N>
where
    N: TryFrom<INT> + PartialOrd + Display,
{
    let number = value.as_int().ok().and_then(|number| N::try_from(number).ok());
    number.filter(|number| allowed.contains(number)).ok_or_else(|| {
        let (least, most) = allowed.into_inner();
        wrong(format!("{what} is a whole number from {least} to {most}, not {value:?}"))
    })
}

/// A value as it is told of where it is not what was expected: with its type.
pub(crate) fn described(value: &Dynamic) -> String {
    if value.is_unit() {
        return "nothing, `()`".to_owned();
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        let shown: String = text.chars().take(40).collect();
        return format!("the text {shown:?}");
    }
    if let Ok(number) = value.as_int() {
        return format!("the number {number}");
    }
    if let Ok(truth) = value.as_bool() {
        return truth.to_string();
    }
    let items = with_items(value, |items| match items {
        Items::List(list) => format!("a list of {}", list.len()),
        Items::Map(map) => format!(
            "a map with {}",
            map.keys().take(4).map(ToString::to_string).collect::<Vec<_>>().join(", ")
        ),
    });
    items.unwrap_or_else(|| article(&type_words(value.type_name())))
}

/// The items of a list or a map, constant or not.
#[derive(Clone, Copy)]
pub(crate) enum Items<'a> {
    List(&'a [Dynamic]),
    Map(&'a Map),
}

/// Looks into a list or map without copying it. Other values have no items.
pub(crate) fn with_items<R>(value: &Dynamic, look: impl FnOnce(Items<'_>) -> R) -> Option<R> {
    if let Some(list) = value.read_lock::<Array>() {
        return Some(look(Items::List(&list)));
    }
    if let Some(map) = value.read_lock::<Map>() {
        return Some(look(Items::Map(&map)));
    }
    value.read_lock::<Table>().map(|table| look(table.items()))
}

/// How deep lists and maps are nested: 0 for other values, 1 for lists and maps of such. No deeper than one past `most` is looked.
pub(crate) fn depth(value: &Dynamic, most: usize) -> usize {
    if let Some(table) = value.read_lock::<Table>() {
        return table.depth();
    }
    let inside = with_items(value, |items| most.checked_sub(1).map_or(0, |most| depth_inside(items, most)));
    inside.map_or(0, |inside| inside + 1)
}

/// How deep lists and maps are nested inside of a list or a map.
pub(crate) fn depth_inside(items: Items<'_>, most: usize) -> usize {
    let deepest = match items {
        Items::List(list) => list.iter().map(|item| depth(item, most)).max(),
        Items::Map(map) => map.values().map(|item| depth(item, most)).max(),
    };
    deepest.unwrap_or(0)
}

/// Takes the items and keys in a value from those that may be. `None` if there are more.
pub(crate) fn weigh(value: &Dynamic, items: &mut usize, keys: &mut usize) -> Option<()> {
    if let Some(list) = value.read_lock::<Array>() {
        *items = items.checked_sub(list.len())?;
        return list.iter().try_for_each(|item| weigh(item, items, keys));
    }
    if let Some(map) = value.read_lock::<Map>() {
        *keys = keys.checked_sub(map.len())?;
        return map.values().try_for_each(|item| weigh(item, items, keys));
    }
    Some(())
}

/// Whether two values are equal. Values of unlike types are not, except that constant lists and maps equal such that are not.
pub(crate) fn same(context: &NativeCallContext<'_>, a: &Dynamic, b: &Dynamic) -> Answer<bool> {
    let mut left = COMPARISONS;
    let found = same_to(context, a, b, DEPTH, &mut left);
    pay(context, (COMPARISONS - left) / COMPARED_BY_OPERATION)?;
    found
}

fn same_to(context: &NativeCallContext<'_>, a: &Dynamic, b: &Dynamic, depth: usize, left: &mut usize) -> Answer<bool> {
    *left = left.checked_sub(1).ok_or_else(|| Stop::Data.error())?;
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Ok(a == b);
    }
    if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        return Ok(*a == *b);
    }
    if let Some(Some(equal)) = with_items(a, |a| with_items(b, |b| same_items(context, a, b, depth, left))) {
        return equal;
    }
    if a.type_id() != b.type_id() {
        return Ok(false);
    }
    if a.is_unit() {
        return Ok(true);
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return Ok(a == b);
    }
    match context.call_native_fn_raw("==", true, &mut [&mut a.clone(), &mut b.clone()]) {
        Ok(equal) => Ok(equal.as_bool().unwrap_or(false)),
        Err(error) if matches!(*error, EvalAltResult::ErrorFunctionNotFound(..)) => Ok(false),
        Err(error) => Err(error),
    }
}

pub(crate) fn same_items(context: &NativeCallContext<'_>, a: Items<'_>, b: Items<'_>, depth: usize, left: &mut usize) -> Answer<bool> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Stop::Stack.error());
    };
    match (a, b) {
        (Items::List(a), Items::List(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .try_fold(true, |equal, (a, b)| Ok(equal && same_to(context, a, b, depth, left)?)),
        (Items::Map(a), Items::Map(b)) if a.len() == b.len() => a.iter().zip(b).try_fold(true, |equal, ((k, a), (l, b))| {
            Ok(equal && k == l && same_to(context, a, b, depth, left)?)
        }),
        _ => Ok(false),
    }
}

/// Whether the items of two lists or maps are equal.
pub(crate) fn equal(context: &NativeCallContext<'_>, a: Items<'_>, b: Items<'_>) -> Answer<bool> {
    let mut left = COMPARISONS;
    let found = same_items(context, a, b, DEPTH, &mut left);
    pay(context, (COMPARISONS - left) / COMPARED_BY_OPERATION)?;
    found
}

/// The order of two values by which lists are sorted: numbers, texts, characters and truth among themselves.
pub(crate) fn order(a: &Dynamic, b: &Dynamic) -> Answer<Ordering> {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Ok(a.cmp(&b));
    }
    if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        return Ok(a.as_str().cmp(b.as_str()));
    }
    if let (Ok(a), Ok(b)) = (a.as_char(), b.as_char()) {
        return Ok(a.cmp(&b));
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return Ok(a.cmp(&b));
    }
    Err(wrong(format!("{} and {} have no order", a.type_name(), b.type_name())))
}

/// The text of a value, as `print` and interpolated strings show it. Cut after `longest` bytes.
pub(crate) fn text_of(context: &NativeCallContext<'_>, value: &Dynamic, longest: usize) -> ImmutableString {
    match value.as_immutable_string_ref() {
        Ok(text) => text.clone(),
        Err(_) => debug_of(context, value, longest),
    }
}

/// The text of a value for people who look for a mistake: texts in quotes.
pub(crate) fn debug_of(context: &NativeCallContext<'_>, value: &Dynamic, longest: usize) -> ImmutableString {
    let mut out = String::new();
    show_with(value, &mut out, DEPTH, longest, &|value, out| show_one(context, value, out));
    out.truncate(out.floor_char_boundary(longest));
    out.into()
}

/// Writes a value that may hold others; `one` writes those that do not. Ends soon after so many bytes.
pub(super) fn show_with(value: &Dynamic, out: &mut String, depth: usize, longest: usize, one: &dyn Fn(&Dynamic, &mut String)) {
    if depth == 0 || out.len() >= longest {
        out.push('…');
        return;
    }
    let items = with_items(value, |items| match items {
        Items::List(list) => {
            out.push('[');
            for (index, item) in list.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                show_with(item, out, depth - 1, longest, one);
                if out.len() >= longest {
                    break;
                }
            }
            out.push(']');
        }
        Items::Map(map) => {
            out.push_str("#{");
            for (index, (key, item)) in map.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { " " });
                out.push_str(key);
                out.push_str(": ");
                show_with(item, out, depth - 1, longest, one);
                if out.len() >= longest {
                    break;
                }
            }
            out.push_str(if map.is_empty() { "}" } else { " }" });
        }
    });
    if items.is_none() {
        one(value, out);
    }
}

/// Writes a text, a number, true, false or nothing. False if it is another value.
pub(super) fn show_plain(value: &Dynamic, out: &mut String) -> bool {
    // Writing into a `String` cannot fail, so the results are dropped.
    if let Ok(text) = value.as_immutable_string_ref() {
        let _ = write!(out, "{:?}", text.as_str());
    } else if let Ok(number) = value.as_int() {
        let _ = write!(out, "{number}");
    } else if let Ok(truth) = value.as_bool() {
        let _ = write!(out, "{truth}");
    } else if value.is_unit() {
        out.push_str("()");
    } else {
        return false;
    }
    true
}

fn show_one(context: &NativeCallContext<'_>, value: &Dynamic, out: &mut String) {
    if show_plain(value, out) {
        return;
    }
    if let Ok(character) = value.as_char() {
        out.push(character);
    } else if let Some(function) = value.read_lock::<FnPtr>() {
        out.push_str(if function.is_anonymous() { "function" } else { function.fn_name() });
    } else {
        let name = context.engine().map_type_name(value.type_name());
        let own = (name != value.type_name()).then(|| context.call_native_fn_raw("to_string", true, &mut [&mut value.clone()]));
        match own.and_then(Result::ok).and_then(|text| text.into_immutable_string().ok()) {
            Some(text) => out.push_str(&text),
            None => out.push_str(name),
        }
    }
}
