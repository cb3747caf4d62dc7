//! Words for texts and characters, and the texts of other values.

use rhai::{Array, Dynamic, Engine, INT, ImmutableString, NativeCallContext};

use super::limits::Limits;
use super::meter::{Stop, pay};
use super::value::{Answer, debug_of, text_of};

/// How many bytes of text are put together in the time of an operation.
const BYTES_OF_OPERATION: usize = 128;
/// How many bytes are looked through to be split in the time of an operation: each part becomes a value of its own.
const BYTES_SPLIT: usize = 8;

/// The position of an item counted from the start, or from the end if it is negative. `None` if there is no such item.
pub(crate) fn position(index: INT, len: usize) -> Option<usize> {
    let position = if index < 0 {
        INT::try_from(len).ok()?.checked_add(index)?
    } else {
        index
    };
    usize::try_from(position).ok().filter(|&position| position < len)
}

/// A count of items as scripts know it.
pub(crate) fn count(len: usize) -> INT {
    INT::try_from(len).unwrap_or(INT::MAX)
}

fn part(text: &str, start: INT, len: INT) -> ImmutableString {
    let all = text.chars().count();
    let start = if start < 0 {
        all.saturating_sub(usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX))
    } else {
        start as usize
    };
    text.chars()
        .skip(start)
        .take(usize::try_from(len).unwrap_or(0))
        .collect::<String>()
        .into()
}

/// A text that was put together, once it is paid for.
fn paid(context: &NativeCallContext<'_>, text: ImmutableString) -> Answer<ImmutableString> {
    pay(context, text.len() / BYTES_OF_OPERATION)?;
    Ok(text)
}

fn bounded(text: String, longest: usize) -> Answer<ImmutableString> {
    if text.len() > longest {
        Err(Stop::Data.error())
    } else {
        Ok(text.into())
    }
}

pub(crate) fn register(engine: &mut Engine, limits: &Limits) {
    let longest = limits.string_bytes;
    for name in ["to_string", "print"] {
        engine.register_fn(name, move |context: NativeCallContext<'_>, value: Dynamic| {
            paid(&context, text_of(&context, &value, longest))
        });
    }
    for name in ["to_debug", "debug"] {
        engine.register_fn(name, move |context: NativeCallContext<'_>, value: Dynamic| {
            paid(&context, debug_of(&context, &value, longest))
        });
    }

    engine.register_fn("+", move |context: NativeCallContext<'_>, text: &str, other: Dynamic| {
        paid(&context, bounded(format!("{text}{}", text_of(&context, &other, longest)), longest)?)
    });
    engine.register_fn("+", move |context: NativeCallContext<'_>, other: Dynamic, text: &str| {
        paid(&context, bounded(format!("{}{text}", text_of(&context, &other, longest)), longest)?)
    });

    engine.register_fn("len", |text: &str| count(text.chars().count()));
    engine.register_get("len", |text: &mut ImmutableString| count(text.chars().count()));
    engine.register_fn("is_empty", |text: &str| text.is_empty());
    engine.register_get("is_empty", |text: &mut ImmutableString| text.is_empty());
    engine.register_fn("contains", |text: &str, other: &str| text.contains(other));
    engine.register_fn("contains", |text: &str, other: char| text.contains(other));
    engine.register_fn("starts_with", |text: &str, other: &str| text.starts_with(other));
    engine.register_fn("ends_with", |text: &str, other: &str| text.ends_with(other));
    engine.register_fn("index_of", |text: &str, other: &str| {
        text.split_once(other).map_or(-1, |(before, _)| count(before.chars().count()))
    });
    engine.register_fn("to_upper", |text: &str| text.to_uppercase());
    engine.register_fn("to_lower", |text: &str| text.to_lowercase());
    engine.register_fn("trim", |text: &str| ImmutableString::from(text.trim()));
    engine.register_fn("sub_string", part);
    engine.register_fn("sub_string", |text: &str, start: INT| part(text, start, INT::MAX));
    engine.register_fn("split", |context: NativeCallContext<'_>, text: &str, by: &str| -> Answer<Array> {
        pay(&context, text.len() / BYTES_SPLIT)?;
        Ok(text.split(by).map(|part| Dynamic::from(ImmutableString::from(part))).collect())
    });
    engine.register_fn("split", |context: NativeCallContext<'_>, text: &str| -> Answer<Array> {
        pay(&context, text.len() / BYTES_SPLIT)?;
        Ok(text
            .split_whitespace()
            .map(|part| Dynamic::from(ImmutableString::from(part)))
            .collect())
    });
    engine.register_fn(
        "replace",
        move |context: NativeCallContext<'_>, text: &str, from: &str, to: &str| {
            pay(&context, text.len() / BYTES_OF_OPERATION)?;
            let growth = text.matches(from).count().saturating_mul(to.len());
            if growth > longest {
                Err(Stop::Data.error())
            } else {
                bounded(text.replace(from, to), longest)
            }
        },
    );
    engine.register_fn("repeat", move |context: NativeCallContext<'_>, text: &str, times: INT| {
        let times = usize::try_from(times).unwrap_or(0);
        pay(&context, text.len().saturating_mul(times).min(longest) / BYTES_OF_OPERATION)?;
        if text.len().saturating_mul(times) > longest {
            Err(Stop::Data.error())
        } else {
            Ok(ImmutableString::from(text.repeat(times)))
        }
    });
    engine.register_fn("pad_start", move |text: &str, width: INT| padded(text, width, longest, true));
    engine.register_fn("pad_end", move |text: &str, width: INT| padded(text, width, longest, false));
}

fn padded(text: &str, width: INT, longest: usize, start: bool) -> Answer<ImmutableString> {
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(text.chars().count());
    if missing > longest {
        return Err(Stop::Data.error());
    }
    let space = " ".repeat(missing);
    bounded(
        if start {
            format!("{space}{text}")
        } else {
            format!("{text}{space}")
        },
        longest,
    )
}
