//! A compiled program and calls of its functions.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rhai::{Caches, Dynamic, Engine, EvalAltResult, FuncArgs, GlobalRuntimeState, ImmutableString, Position, Scope, Stmt};
use smallvec::SmallVec;

use super::SharedModule;
use super::api::call_context::SharedContext;
use super::constants::Constants;
use super::errors::{article, thousands, type_words};
use super::fault::Fault;
use super::limits::Limits;
use super::lines::LineMap;
use super::look_over;
use super::lowered::{self, Callee, Inputs, Lowered, Setting, Tally, Value as LoweredValue, is_comparing};
use super::meter::Meter;
use super::profile;
use super::request_meter::Spent;
use super::symbols::each_statement_of;
use super::value::{DEPTH, depth, described};
use super::vocabulary::forms;
use boardwright_model::diagnostic::{Code, Diagnostics, Location};
use boardwright_model::{Declarations, Fingerprint};
use boardwright_ruleset::{FunctionSymbol, Hooks, SymbolTable, lint};

/// What the engine keeps between two calls: where it found which function.
pub(super) struct ScopeCache {
    global: GlobalRuntimeState,
    caches: Caches,
}

/// A function that is called from outside.
///
/// Its statements are run as they are, not by a call of the engine: what ends a call (a budget, too large a value) takes on the place it
/// was called from, and outside there is none.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Box<str>,
    pub(super) params: Box<[ImmutableString]>,
    statements: Box<[Stmt]>,
    start: Position,
    used: Cell<Used>,
    /// Its lowered form, and how that went.
    lowered: Rc<Callee>,
    tally: Cell<Tally>,
}

/// What the calls of a function took in one request.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    request: u64,
    calls: u64,
    operations: u64,
}

/// Compiled rules. Belongs to the thread that compiled it.
pub struct Program {
    pub(super) engine: Engine,
    pub(super) meter: Rc<Meter>,
    pub(super) module: SharedModule,
    pub(super) lines: LineMap,
    /// What is probably not meant so in its constants.
    pub(super) in_tables: Diagnostics,
    pub(super) outline: SymbolTable,
    pub(super) fingerprint: Fingerprint,
    pub(super) scope_cache: Cell<Option<Box<ScopeCache>>>,
    /// Its constants.
    pub(super) constants: Rc<Constants>,
    pub(super) limits: Limits,
    /// Its functions in lowered form.
    pub(super) lowered: Lowered,
    /// Whether the engine runs everything: a debugger follows it from line to line.
    pub(super) is_tracked: bool,
    /// The hooks, to tell which of them took most of a request.
    pub(super) hooks: RefCell<Vec<Rc<Function>>>,
}

impl Program {
    /// The functions in force, by name and number of parameters.
    pub fn functions(&self) -> Vec<&FunctionSymbol> {
        let mut functions: Vec<_> = self.outline.in_force().collect();
        functions.sort_by(|a, b| (&a.name, a.params.len()).cmp(&(&b.name, b.params.len())));
        functions
    }

    /// Where the function of a name that is in force begins; of several, the one with the fewest parameters.
    pub(super) fn place_of(&self, name: &str) -> Option<Location> {
        let named = self.outline.in_force().filter(|function| function.name == name);
        let first = named.min_by_key(|function| function.params.len());
        first.map(|function| function.place.clone())
    }

    /// The name of the trigger that a function is, as its comment says it.
    pub(super) fn trigger_of(&self, name: &str) -> Option<String> {
        let functions = self.functions();
        let found = functions.into_iter().find(|function| function.name == name)?;
        let named = found.doc.first()?.trim().strip_prefix("Trigger: ")?;
        Some(named.trim().to_owned())
    }

    /// What is in the scripts.
    pub fn outline(&self) -> &SymbolTable {
        &self.outline
    }

    /// What is probably not meant so in the scripts: [`lint`] with the lines it is about.
    ///
    /// `declarations` tell of which types properties are, where they are known.
    pub fn lint(&self, hooks: &Hooks, declarations: Option<&Declarations>) -> Diagnostics {
        let compared = look_over::comparisons(declarations, &self.outline);
        let declarable = declarations.map_or_else(Diagnostics::new, |declared| {
            look_over::declarable(declared, &self.outline, &self.lines)
        });
        let others = self.in_tables.iter().cloned().chain(compared).chain(declarable).collect();
        let found = lint(&self.outline, hooks, &forms, &others).into_iter().map(|mut diagnostic| {
            if let Some(place) = &mut diagnostic.place {
                self.lines.show(place);
            }
            diagnostic
        });
        found.collect()
    }

    /// The fingerprint of the sources.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// What calls use and print.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Calls a function of the scripts.
    ///
    /// Whatever the function does, the call ends within its budget, and the program can be called again.
    ///
    /// # Errors
    /// Whatever goes wrong in the script, a refusal included.
    pub fn call(&self, name: &str, arguments: impl FuncArgs) -> Result<Dynamic, Box<Fault>> {
        let mut values = Values::new();
        arguments.parse(&mut values);
        let function = self.function(name, values.len()).ok_or_else(|| {
            let message = format!("there is no function `{name}` with {} parameters", values.len());
            Fault::new(Code::UnknownFunction, name, message)
        })?;
        self.run_with(&function, &mut values)
    }

    /// Calls a function that has to return a value of a type.
    ///
    /// # Errors
    /// As [`Program::call`], and [`Code::ReturnType`].
    pub fn call_as<T: rhai::Variant + Clone>(&self, name: &str, arguments: impl FuncArgs) -> Result<T, Box<Fault>> {
        let value = self.call(name, arguments)?;
        value.try_cast_result::<T>().map_err(|value| {
            let wanted = type_words(self.engine.map_type_name(std::any::type_name::<T>()));
            let message = format!("`{name}` has to return {}, not {}", article(&wanted), described(&value));
            Fault::new(Code::ReturnType, name, message).at(self.place_of(name)).into()
        })
    }

    /// Calls a function of this program, as [`Program::call`] does.
    pub(super) fn run(&self, function: &Function, arguments: impl FuncArgs) -> Result<Dynamic, Box<Fault>> {
        let mut values = Values::new();
        arguments.parse(&mut values);
        self.run_with(function, &mut values)
    }

    /// Calls a function in a context with values as lowered code has them, and gives one: for hooks that are asked at every action, where making
    /// handles of the engine and reading them would cost as much as the hook.
    pub(super) fn run_in(&self, function: &Function, context: &SharedContext, inputs: Inputs) -> Result<LoweredValue, Box<Fault>> {
        let dynamics = |inputs: Inputs| inputs.into_iter().map(|value| value.into_dynamic(context)).collect();
        let result = if is_comparing() || profile::is_profiling() || self.meter.request.spent().is_some() {
            self.run_with(function, &mut dynamics(inputs))
        } else {
            if self.may_run_lowered(function) && !context.is_drawing() {
                let savepoint = context.savepoint();
                if let Some(value) = self.run_lowered_in(function, context, &inputs) {
                    return Ok(value);
                }
                context.restore(savepoint);
            }
            self.run_by_engine(function, &mut dynamics(inputs))
        };
        result.map(|value| LoweredValue::of(context, &value))
    }

    fn run_with(&self, function: &Function, values: &mut Values) -> Result<Dynamic, Box<Fault>> {
        if let Some(spent) = self.meter.request.spent() {
            return Err(self.spent(function, &spent, None).into());
        }
        if is_comparing() {
            return self.run_both(function, values);
        }
        if profile::is_profiling() {
            return self.run_profiled(function, values);
        }
        self.run_either(function, values).0
    }

    /// Runs a function; says also whether the engine did.
    fn run_either(&self, function: &Function, values: &mut Values) -> (Result<Dynamic, Box<Fault>>, bool) {
        match self.run_lowered(function, values) {
            Some(value) => (Ok(value), false),
            None => (self.run_by_engine(function, values), true),
        }
    }

    #[cold]
    fn run_profiled(&self, function: &Function, values: &mut Values) -> Result<Dynamic, Box<Fault>> {
        profile::enter_hook();
        let begun = std::time::Instant::now();
        let (result, is_by_engine) = self.run_either(function, values);
        profile::leave_hook(&function.name, begun.elapsed(), is_by_engine);
        result
    }

    fn run_by_engine(&self, function: &Function, values: &mut Values) -> Result<Dynamic, Box<Fault>> {
        let name = &*function.name;
        let mut cache = self.scope_cache.take().unwrap_or_else(|| Box::new(self.new_scope_cache()));
        self.meter.enter();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut scope = Scope::new();
            scope.extend(function.params.iter().cloned().zip(values.drain(..)));
            #[expect(deprecated, reason = "the engine calls it low level, and its version is pinned")]
            self.engine
                .eval_statements_raw(&mut cache.global, &mut cache.caches, &mut scope, &function.statements)
        }));
        self.meter.leave();
        self.note_use(function);
        let fault = match (result, self.meter.stopped()) {
            (Ok(Ok(value)), None) => {
                self.scope_cache.set(Some(cache));
                let value = value.flatten();
                if depth(&value, DEPTH) <= DEPTH {
                    return Ok(value);
                }
                Fault::new(Code::BudgetDepth, name, "what the function returns is nested too deep")
            }
            (Ok(Ok(_)), Some(stop)) => Fault::stopped(name, stop, self.meter.heaviest().as_deref()),
            (Ok(Err(error)), None) => self.fault_of(name, *error),
            (Ok(Err(error)), Some(stop)) => {
                let word = self.meter.heaviest();
                self.fault_of(name, *error).because_of(stop, word.as_deref()).at_recursion()
            }
            (Err(payload), _) => Fault::panic(name, &*payload),
        };
        Err(match (fault.diagnostic.code, self.meter.request.spent()) {
            (Code::BudgetRequest, Some(spent)) => self.spent(function, &spent, fault.diagnostic.place),
            _ => fault,
        }
        .or_at(|| self.lines.place(function.start))
        .into())
    }

    /// Runs a function in lowered form. Nothing if the engine has to run it: then all is as before.
    fn run_lowered(&self, function: &Function, values: &[Dynamic]) -> Option<Dynamic> {
        if !self.may_run_lowered(function) {
            return None;
        }
        let setting = Setting::of(self, values)?;
        let context = Rc::clone(&setting.context);
        let inputs: Inputs = values.iter().map(|value| LoweredValue::of(&context, value)).collect();
        let found = self.run_lowered_in(function, &context, &inputs);
        if found.is_none() {
            setting.restore();
        }
        found.map(|value| value.into_dynamic(&context))
    }

    fn may_run_lowered(&self, function: &Function) -> bool {
        !self.is_tracked && self.meter.is_outermost() && function.tally.get().is_worthwhile()
    }

    /// The same in a context, which is left to be restored.
    fn run_lowered_in(&self, function: &Function, context: &SharedContext, inputs: &[LoweredValue]) -> Option<LoweredValue> {
        self.meter.enter();
        let run = || lowered::run(self, &function.lowered, context, inputs);
        let found = catch_unwind(AssertUnwindSafe(run)).unwrap_or(None);
        let found = found.filter(|value| self.meter.stopped().is_none() && value.depth(DEPTH) <= DEPTH);
        let mut tally = function.tally.get();
        tally.note(found.is_none());
        function.tally.set(tally);
        if found.is_some() {
            self.meter.leave();
            self.note_use(function);
        } else {
            self.meter.abandon();
        }
        found
    }

    /// Runs a function in both ways and notes where they differ: in what it gives, what it changes, what it draws, how many operations it takes.
    fn run_both(&self, function: &Function, values: &mut Values) -> Result<Dynamic, Box<Fault>> {
        let setting = Setting::of(self, values);
        let told = |value: &Dynamic| lowered::told(setting.as_ref(), value, self.meter.operations());
        let lowered = self.run_lowered(function, values).map(|value| told(&value));
        if let (Some(_), Some(begun)) = (&lowered, &setting) {
            begun.clone().restore();
        }
        let result = self.run_by_engine(function, values);
        let by_engine = match &result {
            Ok(value) => told(value),
            Err(fault) => format!("{fault:?}"),
        };
        lowered::note_comparison(&function.name, lowered, &by_engine);
        result
    }

    /// Counts what a call of a hook took, for [`Program::spent`].
    fn note_use(&self, function: &Function) {
        let request = self.meter.request.number();
        let mut used = function.used.get();
        if used.request != request {
            used = Used {
                request,
                ..Used::default()
            };
        }
        used.calls += 1;
        used.operations = used.operations.saturating_add(self.meter.operations());
        function.used.set(used);
    }

    /// The fault of a call for which the budget of its request has nothing left.
    fn spent(&self, function: &Function, spent: &Spent, place: Option<Location>) -> Fault {
        let make = || {
            let request = self.meter.request.number();
            let hooks = self.hooks.borrow();
            let uses = hooks.iter().map(|hook| (hook, hook.used.get()));
            let most = uses
                .filter(|(_, used)| used.request == request)
                .max_by_key(|(_, used)| used.operations);
            let took = if self.meter.request.is_out_of_operations(spent) {
                format!("{} steps", thousands(spent.operations))
            } else {
                format!("{} ms", spent.time.as_millis())
            };
            let calls = if spent.calls == 1 { "call of a hook" } else { "calls of hooks" };
            let mut message = format!(
                "the rules take too long for one request: {} {calls} took {took} together",
                thousands(spent.calls)
            );
            if let Some((hook, used)) = most {
                let times = if used.calls == 1 {
                    "called once".to_owned()
                } else {
                    format!("called {} times", thousands(used.calls))
                };
                message.push_str(&format!(", most of them `{}`, {times}", hook.name));
            }
            Fault::new(Code::BudgetRequest, &*function.name, message)
                .at(place)
                .or_at(|| self.lines.place(function.start))
        };
        self.meter.request.fault(make)
    }

    fn fault_of(&self, name: &str, error: EvalAltResult) -> Fault {
        Fault::from_engine(name, error, &self.lines, Some(self))
    }

    /// The function of a name with so many parameters.
    pub(super) fn function(&self, name: &str, parameters: usize) -> Option<Rc<Function>> {
        let function = self.module.get_script_fn(name, parameters)?;
        let mut statements = Vec::new();
        each_statement_of(function, |statement| statements.push(statement.clone()));
        Some(Rc::new(Function {
            name: name.into(),
            params: function.params.iter().cloned().collect(),
            statements: statements.into(),
            start: function.body.start_position(),
            used: Cell::default(),
            lowered: self.lowered.function_of(name, parameters),
            tally: Cell::default(),
        }))
    }

    /// The same for a hook, which is called again and again.
    pub(super) fn hook(&self, name: &str, parameters: usize) -> Option<Rc<Function>> {
        self.hook_of(name, parameters, name)
    }

    /// The same for a function that is called by another name in messages than in the program.
    pub(super) fn hook_of(&self, name: &str, parameters: usize, shown: &str) -> Option<Rc<Function>> {
        let wanted = self.module.get_script_fn(name, parameters)?.body.start_position();
        let is_it = |known: &&Rc<Function>| known.start == wanted && known.params.len() == parameters && *known.name == *shown;
        if let Some(known) = self.hooks.borrow().iter().find(is_it) {
            return Some(Rc::clone(known));
        }
        let mut function = Rc::into_inner(self.function(name, parameters)?)?;
        function.name = shown.into();
        let function = Rc::new(function);
        self.hooks.borrow_mut().push(Rc::clone(&function));
        Some(function)
    }

    fn new_scope_cache(&self) -> ScopeCache {
        let mut global = self.engine.new_global_runtime_state();
        global.lib.push(self.module.clone());
        // What is called from outside is the first of the nested calls.
        global.level = 1;
        ScopeCache {
            global,
            caches: Caches::new(),
        }
    }

    /// How the functions of scripts of a name are written.
    pub(super) fn forms_of(&self, name: &str) -> Vec<String> {
        let functions = self.outline.in_force().filter(|function| function.name == name);
        functions
            .map(|function| format!("`{name}({})`", function.params.join(", ")))
            .collect()
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.outline.natives.contains_key(name) || self.outline.in_force().any(|function| function.name == name)
    }
}

/// The arguments of a call.
type Values = SmallVec<[Dynamic; 4]>;
