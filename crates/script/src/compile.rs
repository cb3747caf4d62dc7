//! From sources to a program: read every file, lay the layers over each other, work the constants out.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rhai::{Engine, EvalAltResult, FnPtr, Position};

use super::SharedModule;
use super::call::Program;
use super::constants::{Constants, Cycle, RULES, Room};
use super::engine::{Sandbox, new_engine};
use super::errors::readable;
use super::fault::Fault;
use super::limits::Limits;
use super::lines::LineMap;
use super::look_over;
use super::lowered::Lowered;
use super::merge::Merge;
use super::parse::{Parsed, Parser};
use super::resolver::{Library, Used};
use super::symbols::Rules;
use super::table::{keys_of, register_keys};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_ruleset::{Allow, SourceLimits, Sources, SymbolTable};

/// Characters that change the direction of text, so that it reads other than it runs.
const HIDDEN: [char; 9] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Compiles the rules of sources. `register` adds the natives that the rules may call.
///
/// # Errors
/// Everything that is wrong, of all files. Without errors there may still be lints: see [`lint`](boardwright_ruleset::lint).
pub fn compile(sources: &Sources, limits: &Limits, register: &dyn Fn(&mut Sandbox)) -> Result<Program, Diagnostics> {
    catch_unwind(AssertUnwindSafe(|| compile_inside(sources, limits, register)))
        .unwrap_or_else(|payload| Err(Fault::panic("compile", &*payload).diagnostic.in_hook("").into()))
}

fn compile_inside(sources: &Sources, limits: &Limits, register: &dyn Fn(&mut Sandbox)) -> Result<Program, Diagnostics> {
    let mut problems = sources.check(&SourceLimits::default());
    if problems.has_errors() {
        problems.sort();
        return Err(problems);
    }
    let mut sandbox = new_engine(limits);
    register(&mut sandbox);
    let Sandbox { mut engine, meter } = sandbox;
    let lines = line_map(sources);
    look_for_hidden_text(&lines, &mut problems);

    let constants = Rc::new(Constants::new(limits));
    let (resolver, clock, deepest) = (constants.clone(), meter.clone(), limits.call_levels);
    // What ends a call while operations are counted loses its place on the way out of functions; an error of a variable keeps it. One
    // more level than calls may have lets it come before the engine's own.
    engine.set_max_call_levels(deepest + 1);
    #[expect(
        deprecated,
        reason = "not deprecated, but marked so because it may change; the version of rhai is pinned"
    )]
    engine.on_var(move |name, index, context| {
        clock.stop_here(context.call_level(), deepest)?;
        resolver.resolve(name, index, &context)
    });
    let parser = Parser::new(&mut engine);

    let mut layers: Vec<Vec<Parsed>> = sources.layers.iter().map(|_| Vec::new()).collect();
    for source in lines.sources() {
        if let Some(layer) = source.layer.and_then(|layer| layers.get_mut(layer)) {
            layer.extend(parser.read(&engine, source, &lines, &mut problems));
        }
    }
    let takers = takers(&engine);
    let rules = Rules {
        lines: &lines,
        limits,
        takers: &takers,
    };
    let mut library = Library {
        rules,
        parser: &parser,
        constants: &constants,
        used: Used::default(),
    };
    meter.enter();
    for parsed in layers.iter().flatten() {
        for import in &parsed.top.imports {
            library.import(&mut engine, import, &mut problems);
        }
    }
    meter.leave();

    let mut merge = Merge {
        layers: &layers,
        rules,
        problems: &mut problems,
    };
    let merged = merge.run();
    let used = library.used;
    if problems.has_errors() {
        return Err(shown(problems, &lines));
    }

    let module: SharedModule = merged.module.into();
    constants.watch(parser.grown_inside());
    let room = Room {
        definitions: merged.definitions,
        aliases: merged.aliases,
        ..Room::new(&module, merged.functions_in_force)
    };
    constants.add(RULES, room);
    meter.enter();
    let failed = constants.work_out_all(&engine, RULES);
    meter.leave();
    for (constant, position, error) in failed {
        problems.push(fault_of(&constant, position, *error, &lines));
    }
    if problems.has_errors() {
        return Err(shown(problems, &lines));
    }
    let values = constants.values(RULES);
    register_keys(&mut engine, keys_of(values.values()));
    constants.seal();
    let outline = SymbolTable {
        functions: merged.functions,
        constants: merged.constants,
        natives: natives(&engine),
        library: used.functions,
        library_constants: used.constant_names,
        allows: allows(&lines),
    };
    let in_tables = look_over::constants(&values, &outline, &lines);
    Ok(Program {
        in_tables,
        engine,
        meter,
        module,
        lines,
        outline,
        fingerprint: sources.fingerprint(),
        scope_cache: Cell::default(),
        constants,
        limits: *limits,
        lowered: Lowered::default(),
        is_tracked: false,
        hooks: RefCell::default(),
    })
}

/// Sorted, with the text of every line that is told of.
fn shown(mut problems: Diagnostics, lines: &LineMap) -> Diagnostics {
    problems.sort();
    let told = problems.into_iter().map(|mut problem| {
        if let Some(place) = problem.place.as_mut().filter(|place| place.source_line.is_none()) {
            lines.show(place);
        }
        problem
    });
    told.collect()
}

fn line_map(sources: &Sources) -> LineMap {
    let mut lines = LineMap::default();
    for (index, layer) in sources.layers.iter().enumerate() {
        for (path, text) in layer.rules() {
            lines.add(layer.place_of(path), path, Some(index), text);
        }
    }
    for (path, text) in sources.library.scripts() {
        lines.add(sources.library.place_of(path), path, None, text);
    }
    lines
}

fn look_for_hidden_text(lines: &LineMap, problems: &mut Diagnostics) {
    for source in lines.sources() {
        for (index, line) in source.text.lines().enumerate() {
            if let Some(column) = line.chars().position(|c| HIDDEN.contains(&c)) {
                let place = Location::at(&source.name, index as u32 + 1, column as u32 + 1);
                let message = "a character that turns the direction of text: the line does not run as it reads";
                problems.push(Diagnostic::error(Code::HiddenText, message).at(place));
            }
        }
    }
}

fn allows(lines: &LineMap) -> Vec<Allow> {
    let mut found = Vec::new();
    let own = lines.sources().iter().filter(|source| source.layer.is_some());
    for source in own.filter(|source| source.text.contains("allow(")) {
        let texts: Vec<_> = source.text.lines().collect();
        for (index, text) in texts.iter().enumerate() {
            let Some((code, reason)) = Allow::read(text) else { continue };
            let covered = texts.iter().skip(index).position(|text| {
                let text = text.trim_start();
                !(text.is_empty() || text.starts_with("//"))
            });
            found.push(Allow {
                code: code.to_owned(),
                reason: reason.to_owned(),
                place: Location {
                    source_line: Some((*text).to_owned()),
                    ..Location::at(&source.name, index as u32 + 1, 1)
                },
                line: (index + covered.unwrap_or(0)) as u32 + 1,
            });
        }
    }
    found
}

/// The natives by name, with the numbers of arguments they take.
fn natives(engine: &Engine) -> BTreeMap<String, BTreeSet<usize>> {
    let mut natives: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (name, arguments) in engine.collect_fn_metadata(None, |info| Some((info.metadata.name.to_string(), info.metadata.num_params)), true)
    {
        natives.entry(name).or_default().insert(arguments);
    }
    for (name, arguments) in [("call", 1..=12), ("type_of", 1..=1), ("print", 1..=1), ("debug", 1..=1)] {
        natives.entry(name.to_owned()).or_default().extend(arguments);
    }
    natives
}

/// The natives that take a closure.
fn takers(engine: &Engine) -> BTreeSet<String> {
    let closure = std::any::TypeId::of::<FnPtr>();
    let takes = |info: rhai::FuncInfo<'_>| info.metadata.param_types.contains(&closure).then(|| info.metadata.name.to_string());
    engine.collect_fn_metadata(None, takes, true).into_iter().collect()
}

/// An error of the engine while the constant `name` at `position` was worked out.
pub(crate) fn fault_of(name: &str, position: Position, error: EvalAltResult, lines: &LineMap) -> Diagnostic {
    let fault = Fault::from_engine(name, error, lines, None);
    if let Some(cycle) = fault.thrown().and_then(|value| value.clone().try_cast::<Cycle>()) {
        let cure = "write one of the constants that need each other as a plain value";
        let found = Diagnostic::error(Code::ConstantCycle, readable_names(&cycle.0));
        return found.at(lines.place(position)).with_help(cure);
    }
    let mut diagnostic = fault.with_help_line(&format!("while the value of `{}` was worked out", readable(name)));
    if diagnostic.place.is_none() {
        diagnostic.place = lines.place(position);
    }
    diagnostic
}

fn readable_names(message: &str) -> String {
    message.split('`').map(readable).collect::<Vec<_>>().join("`")
}
