//! The engine that rules run in: what it knows, and above all what it does not.

use std::rc::Rc;

use rhai::packages::{ArithmeticPackage, BasicFnPackage, BasicIteratorPackage, BasicMathPackage, LogicPackage, Package};
use rhai::{Dynamic, Engine};

use super::SharedModule;
use super::limits::Limits;
use super::meter::Meter;
use super::{lists, maps, table, texts};
use boardwright_model::Refusal;

/// Words of the language that rules cannot use. `eval` runs text; `Fn` and `curry` make calls that no lint can follow; the others
/// ask about things that rules have no business with.
pub(crate) const DISABLED: [&str; 6] = ["eval", "Fn", "curry", "is_shared", "is_def_var", "is_def_fn"];

thread_local! {
    /// The packages that rules need, which all engines of a thread share.
    static PACKAGES: [SharedModule; 5] = [
        ArithmeticPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicMathPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicFnPackage::new().as_shared_module(),
    ];
}

/// An engine and the meter of the calls made in it.
pub struct Sandbox {
    /// The engine. Natives are registered here.
    pub engine: Engine,
    /// What running calls use.
    pub meter: Rc<Meter>,
}

/// A new engine with every limit set and only the packages that rules need: whole numbers, truth, text, lists, maps, ranges,
/// constant tables. There are no files, clocks, threads, luck, floats, `eval` or shared state.
///
/// `print` and `debug` go to [`Meter::take_log`].
pub fn new_engine(limits: &Limits) -> Sandbox {
    let mut engine = Engine::new_raw();
    let meter = Rc::new(Meter::new(limits));

    engine.set_max_strings_interned(1_000);
    engine
        // Operations are counted by the meter: the engine's own count forgets those of closures called by natives.
        .set_max_operations(0)
        .set_max_call_levels(limits.call_levels)
        .set_max_expr_depths(limits.expression_depth, limits.function_expression_depth)
        .set_max_string_size(limits.string_bytes)
        .set_max_array_size(limits.list_items)
        .set_max_map_size(limits.map_keys)
        .set_max_functions(limits.functions)
        .set_max_modules(limits.modules)
        .set_max_variables(limits.variables)
        .set_fail_on_invalid_map_property(true)
        .set_allow_looping(true)
        .set_allow_shadowing(true)
        .set_allow_anonymous_fn(true)
        .set_allow_statement_expression(true)
        .set_allow_if_expression(true)
        .set_allow_switch_expression(true)
        .set_allow_loop_expressions(true)
        // Names are checked after all files are read, where constants of other files are known.
        .set_strict_variables(false)
        .set_fast_operators(true);
    for symbol in DISABLED {
        engine.disable_symbol(symbol);
    }

    // Where natives find the meter of the call that they work for.
    engine.set_default_tag(Dynamic::from(meter.clone()));
    let clock = meter.clone();
    engine.on_progress(move |_| clock.tick().map(Dynamic::from));
    let log = meter.clone();
    engine.on_print(move |text| log.print(text));
    let log = meter.clone();
    engine.on_debug(move |text, _, _| log.print(text));

    PACKAGES.with(|packages| {
        for package in packages {
            engine.register_global_module(package.clone());
        }
    });
    texts::register(&mut engine, limits);
    lists::register(&mut engine, &meter, limits);
    maps::register(&mut engine);
    table::register(&mut engine, &meter, limits);
    engine.register_type_with_name::<Refusal>("refusal");
    engine.register_fn("refuse", |rule: &str, reason: &str| Refusal::by_rule(rule, reason));
    Sandbox { engine, meter }
}
