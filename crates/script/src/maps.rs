//! Words for maps.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map, NativeCallContext};

use super::meter::pay;
use super::texts::count;
use super::value::{Answer, Items, equal};

pub(crate) fn register(engine: &mut Engine) {
    engine.register_fn("len", |map: &mut Map| count(map.len()));
    engine.register_fn("is_empty", |map: &mut Map| map.is_empty());
    engine.register_fn("contains", |map: &mut Map, key: &str| map.contains_key(key));
    engine.register_fn("keys", |context: NativeCallContext<'_>, map: &mut Map| -> Answer<Array> {
        pay(&context, map.len() / 4)?;
        Ok(map.keys().map(|key| Dynamic::from(ImmutableString::from(key.as_str()))).collect())
    });
    engine.register_fn("values", |context: NativeCallContext<'_>, map: &mut Map| -> Answer<Array> {
        pay(&context, map.len() / 4)?;
        Ok(map.values().cloned().collect())
    });
    engine.register_fn("get", |map: &mut Map, key: &str| map.get(key).cloned().unwrap_or(Dynamic::UNIT));
    engine.register_fn("get", |map: &mut Map, key: &str, default: Dynamic| {
        map.get(key).cloned().unwrap_or(default)
    });
    engine.register_fn("set", |map: &mut Map, key: &str, value: Dynamic| {
        map.insert(key.into(), value);
    });
    engine.register_fn("remove", |map: &mut Map, key: &str| map.remove(key).unwrap_or(Dynamic::UNIT));
    engine.register_fn("clear", |map: &mut Map| map.clear());
    engine.register_fn("+", |context: NativeCallContext<'_>, a: Map, b: Map| -> Answer<Map> {
        pay(&context, a.len() + b.len())?;
        Ok(a.into_iter().chain(b).collect())
    });
    engine.register_fn("+=", |context: NativeCallContext<'_>, a: &mut Map, b: Map| -> Answer<()> {
        pay(&context, b.len())?;
        a.extend(b);
        Ok(())
    });
    engine.register_fn("==", |context: NativeCallContext<'_>, a: &mut Map, b: Map| {
        equal(&context, Items::Map(a), Items::Map(&b))
    });
    engine.register_fn("!=", |context: NativeCallContext<'_>, a: &mut Map, b: Map| -> Answer<bool> {
        Ok(!equal(&context, Items::Map(a), Items::Map(&b))?)
    });
}
