//! Words for lists. What only looks at a list works on constant tables as well.

use std::cmp::Ordering;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, ImmutableString, NativeCallContext, Position, Variant};

use super::limits::Limits;
use super::meter::{LEAST_WORK, Meter, Stop};
use super::texts::{count, position};
use super::value::{Answer, Items, equal, order, same, text_of, wrong};

/// Calls a function of a script with one item. What it returns never shares anything with the script.
pub(crate) fn call(context: &NativeCallContext<'_>, function: &FnPtr, item: &Dynamic) -> Answer<Dynamic> {
    Ok(function.call_raw(context, None, [item.clone()])?.flatten())
}

/// Calls a function of a script that answers yes or no.
pub(crate) fn ask(context: &NativeCallContext<'_>, function: &FnPtr, item: &Dynamic) -> Answer<bool> {
    call(context, function, item)?
        .as_bool()
        .map_err(|found| wrong(format!("the function has to answer true or false, not {found}")))
}

/// Says which of two values comes first.
type Compare<'a> = dyn FnMut(&Dynamic, &Dynamic) -> Answer<Ordering> + 'a;

/// What natives that look through lists share.
#[derive(Clone)]
pub(crate) struct Seek {
    meter: Rc<Meter>,
    items: usize,
    longest: usize,
    /// The word that looks.
    word: &'static str,
}

/// Items that a word goes through, each an operation; the word is noted for all of them when this is dropped.
struct Passage<'a> {
    seek: &'a Seek,
    items: u64,
}

impl Passage<'_> {
    fn step(&mut self) -> Answer<()> {
        self.items += 1;
        self.seek.meter.work(1)
    }
}

impl Drop for Passage<'_> {
    fn drop(&mut self) {
        if self.items >= LEAST_WORK {
            self.seek.meter.note_word(self.seek.word, self.items);
        }
    }
}

/// How many items are copied or compared in the time of an operation.
const COPIED_BY_OPERATION: usize = 8;
/// How many bytes of text are put together in the time of an operation.
const BYTES_OF_OPERATION: usize = 128;

impl Seek {
    pub(crate) fn new(meter: &Rc<Meter>, limits: &Limits) -> Self {
        Self {
            meter: meter.clone(),
            items: limits.list_items,
            longest: limits.string_bytes,
            word: "",
        }
    }

    /// The same for a word.
    pub(crate) fn of(&self, word: &'static str) -> Self {
        Self { word, ..self.clone() }
    }

    fn passage(&self) -> Passage<'_> {
        Passage { seek: self, items: 0 }
    }

    /// Pays for items that are copied or compared natively.
    pub(crate) fn pay(&self, items: usize) -> Answer<()> {
        self.pay_operations(items / COPIED_BY_OPERATION)
    }

    fn pay_operations(&self, operations: usize) -> Answer<()> {
        let operations = operations as u64;
        if operations < LEAST_WORK {
            return Ok(());
        }
        self.meter.note_word(self.word, operations);
        self.meter.work(operations)
    }

    /// The first position at which a test holds.
    fn first(&self, list: &[Dynamic], mut test: impl FnMut(&Dynamic) -> Answer<bool>) -> Answer<Option<usize>> {
        let mut passage = self.passage();
        for (index, item) in list.iter().enumerate() {
            passage.step()?;
            if test(item)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    pub(crate) fn index_of(&self, context: &NativeCallContext<'_>, list: &[Dynamic], value: &Dynamic) -> Answer<Option<usize>> {
        self.first(list, |item| same(context, item, value))
    }

    fn filter(&self, context: &NativeCallContext<'_>, list: &[Dynamic], function: &FnPtr) -> Answer<Array> {
        let (mut kept, mut passage) = (Array::new(), self.passage());
        for item in list {
            passage.step()?;
            if ask(context, function, item)? {
                kept.push(item.clone());
            }
        }
        Ok(kept)
    }

    fn map(&self, context: &NativeCallContext<'_>, list: &[Dynamic], function: &FnPtr) -> Answer<Array> {
        let (mut made, mut passage) = (Array::new(), self.passage());
        let mut sizes = 0;
        for item in list {
            passage.step()?;
            let value = call(context, function, item)?;
            // The engine looks at the whole only when it is done, so what it would refuse is refused here as it grows.
            sizes += 1 + weight(&value);
            if sizes > self.items {
                return Err(Stop::Data.error());
            }
            made.push(value);
        }
        Ok(made)
    }

    fn reduce(&self, context: &NativeCallContext<'_>, list: &[Dynamic], function: &FnPtr, first: Dynamic) -> Answer<Dynamic> {
        let (mut result, mut passage) = (first, self.passage());
        for item in list {
            passage.step()?;
            result = function.call_raw(context, None, [result, item.clone()])?.flatten();
        }
        Ok(result)
    }

    fn sum(&self, list: &[Dynamic]) -> Answer<INT> {
        self.pay(list.len())?;
        list.iter().try_fold(0, |sum: INT, item| {
            let number = item
                .as_int()
                .map_err(|found| wrong(format!("only numbers can be added up, not {found}")))?;
            sum.checked_add(number)
                .ok_or_else(|| EvalAltResult::ErrorArithmetic("the sum is too large".to_owned(), Position::NONE).into())
        })
    }

    fn extreme(&self, list: &[Dynamic], wanted: Ordering) -> Answer<Dynamic> {
        self.pay(list.len())?;
        let mut items = list.iter();
        let Some(mut best) = items.next() else { return Ok(Dynamic::UNIT) };
        for item in items {
            if order(item, best)? == wanted {
                best = item;
            }
        }
        Ok(best.clone())
    }

    fn join(&self, context: &NativeCallContext<'_>, list: &[Dynamic], by: &ImmutableString) -> Answer<ImmutableString> {
        let mut out = String::new();
        for (index, item) in list.iter().enumerate() {
            if index > 0 {
                out.push_str(by);
            }
            out.push_str(&text_of(context, item, self.longest));
            if out.len() > self.longest {
                return Err(Stop::Data.error());
            }
        }
        self.pay_operations(list.len() / COPIED_BY_OPERATION + out.len() / BYTES_OF_OPERATION)?;
        Ok(out.into())
    }

    /// A stable merge sort. Unlike the sort of the standard library it ends with any comparison, however broken.
    fn sort(&self, list: &[Dynamic], compare: &mut Compare<'_>) -> Answer<Array> {
        Self::merge_sort(&mut self.passage(), list, compare)
    }

    fn merge_sort(passage: &mut Passage<'_>, list: &[Dynamic], compare: &mut Compare<'_>) -> Answer<Array> {
        if list.len() < 2 {
            return Ok(list.to_vec());
        }
        let (left, right) = list.split_at(list.len() / 2);
        let left = Self::merge_sort(passage, left, compare)?;
        let right = Self::merge_sort(passage, right, compare)?;
        let mut merged = Array::with_capacity(list.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            passage.step()?;
            let next = if compare(a, b)? == Ordering::Greater {
                right.next()
            } else {
                left.next()
            };
            merged.extend(next);
        }
        merged.extend(left);
        merged.extend(right);
        Ok(merged)
    }

    fn sort_by(&self, context: &NativeCallContext<'_>, list: &[Dynamic], function: &FnPtr) -> Answer<Array> {
        let (mut keys, mut passage) = (Array::new(), self.passage());
        for item in list {
            passage.step()?;
            keys.push(call(context, function, item)?);
        }
        drop(passage);
        let places: Array = (0..count(list.len())).map(Dynamic::from).collect();
        let at = |index: &Dynamic| index.as_int().ok().and_then(|index| usize::try_from(index).ok());
        let key = |index: &Dynamic| at(index).and_then(|index| keys.get(index)).unwrap_or(&Dynamic::UNIT);
        let sorted = self.sort(&places, &mut |a, b| order(key(a), key(b)))?;
        Ok(sorted.iter().filter_map(|index| list.get(at(index)?).cloned()).collect())
    }
}

/// Items inside a value, as the engine counts them: those of lists and maps in it.
fn weight(value: &Dynamic) -> usize {
    if let Some(list) = value.read_lock::<Array>() {
        return list.iter().map(|item| 1 + weight(item)).sum();
    }
    value
        .read_lock::<rhai::Map>()
        .map_or(0, |map| map.values().map(|item| 1 + weight(item)).sum())
}

/// The words that only look, for a type whose items `items` shows.
struct Looking<'a, T> {
    engine: &'a mut Engine,
    seek: &'a Seek,
    items: fn(&T) -> &[Dynamic],
}

impl<T: Variant + Clone> Looking<'_, T> {
    /// Registers a word that takes nothing.
    fn plain<R: Variant + Clone>(&mut self, name: &'static str, look: impl Fn(&Seek, &[Dynamic]) -> Answer<R> + 'static) {
        let (seek, items) = (self.seek.of(name), self.items);
        self.engine.register_fn(name, move |list: &mut T| look(&seek, items(list)));
    }

    /// Registers a word that takes something, mostly a function.
    fn with<A: Variant + Clone, R: Variant + Clone>(
        &mut self,
        name: &'static str,
        look: impl Fn(&Seek, &NativeCallContext<'_>, &[Dynamic], &A) -> Answer<R> + 'static,
    ) {
        let (seek, items) = (self.seek.of(name), self.items);
        self.engine
            .register_fn(name, move |context: NativeCallContext<'_>, list: &mut T, argument: A| {
                look(&seek, &context, items(list), &argument)
            });
    }
}

/// Registers the words that only look, for a type whose items `items` shows.
pub(crate) fn register_looking<T: Variant + Clone>(engine: &mut Engine, seek: &Seek, items: fn(&T) -> &[Dynamic]) {
    engine.register_fn("len", move |list: &mut T| count(items(list).len()));
    engine.register_get("len", move |list: &mut T| count(items(list).len()));
    engine.register_fn("is_empty", move |list: &mut T| items(list).is_empty());
    engine.register_get("is_empty", move |list: &mut T| items(list).is_empty());
    engine.register_fn("first", move |list: &mut T| items(list).first().cloned().unwrap_or(Dynamic::UNIT));
    engine.register_fn("last", move |list: &mut T| items(list).last().cloned().unwrap_or(Dynamic::UNIT));
    let seeker = seek.of("part");
    engine.register_fn("part", move |list: &mut T, start: INT, len: INT| -> Answer<Array> {
        let (start, len) = (usize::try_from(start).unwrap_or(0), usize::try_from(len).unwrap_or(0));
        let part: Array = items(list).iter().skip(start).take(len).cloned().collect();
        seeker.pay(part.len())?;
        Ok(part)
    });
    let seeker = seek.of("reduce");
    engine.register_fn(
        "reduce",
        move |context: NativeCallContext<'_>, list: &mut T, join: FnPtr, first: Dynamic| seeker.reduce(&context, items(list), &join, first),
    );

    let mut looking = Looking { engine, seek, items };
    looking.plain("sum", Seek::sum);
    looking.plain("min", |seek, list| seek.extreme(list, Ordering::Less));
    looking.plain("max", |seek, list| seek.extreme(list, Ordering::Greater));
    looking.plain("sorted", |seek, list| seek.sort(list, &mut order));
    looking.with("sorted_by", Seek::sort_by);
    looking.with("filter", Seek::filter);
    looking.with("map", Seek::map);
    looking.with("join", Seek::join);
    looking.with("contains", |seek, context, list, value: &Dynamic| {
        Ok(seek.index_of(context, list, value)?.is_some())
    });
    looking.with("index_of", |seek, context, list, value: &Dynamic| {
        Ok(seek.index_of(context, list, value)?.map_or(-1, count))
    });
    looking.with("index_of", |seek, context, list, test: &FnPtr| {
        Ok(seek.first(list, |item| ask(context, test, item))?.map_or(-1, count))
    });
    looking.with("find", |seek, context, list, test: &FnPtr| {
        let found = seek.first(list, |item| ask(context, test, item))?;
        Ok(found.and_then(|index| list.get(index).cloned()).unwrap_or(Dynamic::UNIT))
    });
    looking.with("some", |seek, context, list, test: &FnPtr| {
        Ok(seek.first(list, |item| ask(context, test, item))?.is_some())
    });
    looking.with("all", |seek, context, list, test: &FnPtr| {
        Ok(seek.first(list, |item| Ok(!ask(context, test, item)?))?.is_none())
    });
    looking.with("count", |seek, context, list, test: &FnPtr| {
        Ok(count(seek.filter(context, list, test)?.len()))
    });
}

pub(crate) fn register(engine: &mut Engine, meter: &Rc<Meter>, limits: &Limits) {
    let seek = Seek::new(meter, limits);
    register_looking::<Array>(engine, &seek, |list| list);

    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Array, b: Array| {
        equal(&context, Items::List(a), Items::List(&b))
    });
    engine.register_fn("!=", |context: NativeCallContext<'_>, a: &mut Array, b: Array| -> Answer<bool> {
        Ok(!equal(&context, Items::List(a), Items::List(&b))?)
    });
    let joiner = seek.of("+");
    engine.register_fn("+", move |a: Array, b: Array| -> Answer<Array> {
        joiner.pay(a.len() + b.len())?;
        Ok(a.into_iter().chain(b).collect())
    });
    engine.register_fn("push", |list: &mut Array, value: Dynamic| list.push(value));
    let joiner = seek.of("append");
    engine.register_fn("append", move |list: &mut Array, other: Array| -> Answer<()> {
        joiner.pay(other.len())?;
        list.extend(other);
        Ok(())
    });
    engine.register_fn("insert", |list: &mut Array, index: INT, value: Dynamic| {
        let at = if index < 0 {
            position(index, list.len()).unwrap_or(0)
        } else {
            (index as usize).min(list.len())
        };
        list.insert(at, value);
    });
    engine.register_fn("pop", |list: &mut Array| list.pop().unwrap_or(Dynamic::UNIT));
    engine.register_fn(
        "shift",
        |list: &mut Array| if list.is_empty() { Dynamic::UNIT } else { list.remove(0) },
    );
    engine.register_fn("remove", |list: &mut Array, index: INT| {
        position(index, list.len()).map_or(Dynamic::UNIT, |index| list.remove(index))
    });
    engine.register_fn("clear", |list: &mut Array| list.clear());
    engine.register_fn("truncate", |list: &mut Array, len: INT| {
        list.truncate(usize::try_from(len).unwrap_or(0));
    });
    let turner = seek.of("reverse");
    engine.register_fn("reverse", move |list: &mut Array| -> Answer<()> {
        turner.pay(list.len())?;
        list.reverse();
        Ok(())
    });
    let sorter = seek.of("sort");
    engine.register_fn("sort", move |list: &mut Array| -> Answer<()> {
        *list = sorter.sort(list, &mut order)?;
        Ok(())
    });
    let sorter = seek.of("sort");
    engine.register_fn(
        "sort",
        move |context: NativeCallContext<'_>, list: &mut Array, compare: FnPtr| -> Answer<()> {
            *list = sorter.sort(list, &mut |a, b| {
                let answer = compare.call_raw(&context, None, [a.clone(), b.clone()])?.flatten();
                answer
                    .as_int()
                    .map(|number| number.cmp(&0))
                    .map_err(|found| wrong(format!("the function has to answer a number, not {found}")))
            })?;
            Ok(())
        },
    );
    let seek = seek.of("dedup");
    engine.register_fn("dedup", move |context: NativeCallContext<'_>, list: &mut Array| -> Answer<()> {
        let mut kept = Array::with_capacity(list.len());
        for item in list.drain(..) {
            if seek.index_of(&context, &kept, &item)?.is_none() {
                kept.push(item);
            }
        }
        *list = kept;
        Ok(())
    });
}
