//! Strategies: computer players written for a ruleset, `strategies/NAME.rhai`.
//!
//! A strategy is a program of its own, laid over the rules: it can call whatever the rules define, and what it defines again counts for
//! itself alone. It is handed what its seat sees and an [`Agent`](agent::Agent), and gives back an action.

mod agent;
mod check;
mod debugger;
mod display;
mod heat_map;

pub(super) use check::check;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use agent::{Agent, AgentMoment, Expectation, ScriptAction};
use debugger::Tracker;
use rhai::{Dynamic, Map};

use super::api::call_context::SharedContext;
use super::api::handles::View;
use super::api::{self, convert};
use super::console::compile_line;
use super::hooks::{self, BoundHook, Hook};
use super::rules::ScriptRules;
use super::{Limits, Program, compile};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location, Severity};
use boardwright_model::{ActionId, Declarations, Rejection, State, Value};
use boardwright_rules::odds::{Book, Expected};
use boardwright_rules::{Advice, Consultation, Request, RequestKind, Settings, Strategies, no_strategy};
use boardwright_ruleset::{Layer, SCRIPT_ENDING, STRATEGIES_FOLDER, Sources};

/// The names of the strategies of all layers, sorted.
pub(super) fn names(sources: &Sources) -> Vec<String> {
    let layers = sources.layers.iter();
    let paths = layers.flat_map(|layer| layer.scripts().map(|(path, _)| path));
    let mut names: Vec<String> = paths
        .filter_map(|path| path.strip_prefix(STRATEGIES_FOLDER)?.strip_suffix(SCRIPT_ENDING))
        .filter(|name| !name.contains('/'))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The sources of a strategy: those of the rules, and on top of them its file in each layer that has one, so that a mod can change single
/// functions of a strategy of what it builds on. `None` if there is no such strategy.
fn sources_of(sources: &Sources, name: &str) -> Option<Sources> {
    let path = format!("{STRATEGIES_FOLDER}{name}{SCRIPT_ENDING}");
    let folder = STRATEGIES_FOLDER.trim_end_matches('/');
    let own = sources.layers.iter().filter_map(|layer| {
        // The folder becomes part of the name of the layer: in a file of the folder it would not count as one of its scripts.
        let text = layer.files.get(&path)?;
        Some(Layer::new(layer.place_of(folder)).with(format!("{name}{SCRIPT_ENDING}"), text.clone()))
    });
    let own: Vec<Layer> = own.collect();
    (!own.is_empty()).then(|| Sources {
        layers: sources.layers.iter().cloned().chain(own).collect(),
        library: sources.library.clone(),
    })
}

/// Compiles a strategy, to be debugged if there is a tracker. `None` if there is none of that name.
fn compile_strategy(sources: &Sources, name: &str, limits: &Limits, tracker: Option<&Tracker>) -> Option<Result<Program, Diagnostics>> {
    let sources = sources_of(sources, name)?;
    let compiled = compile(&sources, limits, &|sandbox| {
        api::register(&mut sandbox.engine);
        api::register_strategies(&mut sandbox.engine);
        if let Some(tracker) = tracker {
            tracker.register(sandbox);
        }
    });
    Some(compiled.map(|program| Program {
        is_tracked: tracker.is_some(),
        ..program
    }))
}

/// The functions of a strategy that decide.
struct Strategy {
    program: Program,
    /// What tracks it line by line. Strategies that nobody debugs run without, and at full speed.
    tracker: Option<Tracker>,
    /// For each phase.
    decide_in: Vec<Option<BoundHook>>,
    /// For each action that answers a question.
    answer: Vec<Option<BoundHook>>,
    decide: Option<BoundHook>,
    evaluate: Option<BoundHook>,
    evaluate_cells: Option<BoundHook>,
}

impl Strategy {
    fn new(program: Program, tracker: Option<Tracker>, declarations: &Declarations) -> Self {
        let (phases, actions) = (declarations.phases.iter(), declarations.actions.iter());
        let find = |hook: &'static Hook| hook.find(&program, &[]);
        Self {
            decide_in: phases.map(|phase| hooks::DECIDE_IN_PHASE.find(&program, &[&phase.name])).collect(),
            answer: actions.map(|action| hooks::ANSWER.find(&program, &[&action.name])).collect(),
            decide: find(&hooks::DECIDE),
            evaluate: find(&hooks::EVALUATE),
            evaluate_cells: find(&hooks::EVALUATE_CELLS),
            tracker,
            program,
        }
    }

    /// The function that is asked in a state, and the action it is about if it answers a question.
    fn hook(&self, state: &State) -> Option<(&BoundHook, Option<ActionId>)> {
        let question = state.sequence().decision().map(|question| question.action);
        let own = match question {
            Some(action) => self.answer.get(action.index()),
            None => self.decide_in.get(state.sequence().phase.index()),
        };
        match own.and_then(Option::as_ref) {
            Some(own) => Some((own, question)),
            None => self.decide.as_ref().map(|general| (general, None)),
        }
    }
}

/// What came of compiling strategies, by name and whether they are debugged.
type CompiledStrategies = BTreeMap<(String, bool), Result<Rc<Strategy>, Diagnostic>>;

/// The strategies of rules, compiled when they are first asked; and what they share. Belongs to one thread.
pub(super) struct ScriptStrategies {
    origin: Origin,
    declarations: Arc<Declarations>,
    context: SharedContext,
    known: RefCell<CompiledStrategies>,
    shared: Rc<Shared>,
}

/// What strategies think with: rules of their own to try actions with, and odds that were worked out.
pub(crate) struct Shared {
    make: Box<dyn Fn() -> Result<ScriptRules, Diagnostic>>,
    rules: OnceCell<Result<Rc<ScriptRules>, Diagnostic>>,
    books: RefCell<BTreeMap<usize, Book>>,
}

impl Shared {
    /// The rules that actions are tried with.
    pub(crate) fn rules(&self) -> Result<&Rc<ScriptRules>, Diagnostic> {
        self.rules
            .get_or_init(|| (self.make)().map(Rc::new))
            .as_ref()
            .map_err(Diagnostic::clone)
    }

    /// What may be expected of a contest, and how many places had to be worked out for it.
    pub(crate) fn expect(&self, state: &Arc<State>, contest: usize, sides: &[Value]) -> Result<(Arc<Expected>, usize), Rejection> {
        let rules = self.rules()?;
        let mut books = self.books.borrow_mut();
        let book = books.entry(contest).or_insert_with(|| Book::new(contest));
        let before = book.len();
        // However large the contest is: all that is asked for it counts together. Operations decide, so that a strategy decides the same on
        // every machine.
        let _request = Request::begin(&**rules, RequestKind::Replay);
        let found = book.expect(&**rules, state, sides)?;
        Ok((found, book.len() - before))
    }
}

/// What strategies are compiled from.
pub(super) struct Origin {
    pub(super) sources: Arc<Sources>,
    pub(super) limits: Limits,
    pub(super) settings: Arc<BTreeMap<String, Settings>>,
}

impl ScriptStrategies {
    /// The strategies of rules for matches on a board. `make` makes rules that actions are tried with.
    pub(super) fn new(
        origin: Origin,
        declarations: &Arc<Declarations>,
        context: &SharedContext,
        make: Box<dyn Fn() -> Result<ScriptRules, Diagnostic>>,
    ) -> Self {
        Self {
            origin,
            declarations: Arc::clone(declarations),
            context: Rc::clone(context),
            known: RefCell::default(),
            shared: Rc::new(Shared {
                make,
                rules: OnceCell::new(),
                books: RefCell::default(),
            }),
        }
    }

    fn strategy(&self, asked: &Consultation<'_>) -> Result<Rc<Strategy>, Diagnostic> {
        let key = (asked.strategy.to_owned(), asked.debugger.is_some());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let tracker = key.1.then(Tracker::default);
        let made = match compile_strategy(&self.origin.sources, asked.strategy, &self.origin.limits, tracker.as_ref()) {
            None => return Err(no_strategy(asked.strategy)),
            Some(Ok(program)) => Ok(Rc::new(Strategy::new(program, tracker, &self.declarations))),
            Some(Err(problems)) => Err(first_fault(&problems)),
        };
        self.known.borrow_mut().insert(key, made.clone());
        made
    }

    /// Compiles a line of a script on top of the rules.
    pub(super) fn compile_line(&self, line: &str) -> Result<Program, Diagnostic> {
        compile_line(&self.origin.sources, &self.origin.limits, line)
    }

    /// Calls a function of a strategy.
    fn call(&self, strategy: &Strategy, hook: &BoundHook, asked: &Consultation<'_>) -> Result<(Dynamic, Agent), Rejection> {
        let settings = match self.origin.settings.get(asked.strategy) {
            Some(own) if asked.settings.is_empty() => own.clone(),
            Some(own) => {
                own.check(asked.strategy, asked.settings)?;
                own.with(asked.settings)
            }
            None => asked.settings.clone(),
        };
        let program = &strategy.program;
        let agent = Agent::new(&self.context, &self.shared, &program.meter, settings, asked);
        let view = View::new(&self.context);
        program.meter.set_budget(asked.operations, asked.wall);
        let run = || hook.call(program, (view, agent.clone()));
        let result = self
            .context
            .look(asked.state, Some(asked.seat), || match (&strategy.tracker, &asked.debugger) {
                (Some(tracker), Some(debugger)) => tracker.during(program, debugger, hook.name(), &agent, run),
                _ => run(),
            });
        agent.forget();
        Ok((result?, agent))
    }

    /// The action that a function gave back: one made by a word, or for a question its picks.
    fn read(
        &self,
        program: &Program,
        hook: &BoundHook,
        answers: Option<ActionId>,
        asked: &Consultation<'_>,
        value: &Dynamic,
    ) -> Result<Option<boardwright_model::Action>, Diagnostic> {
        if value.is_unit() {
            return Ok(None);
        }
        if let Some(chosen) = value.read_lock::<ScriptAction>() {
            return Ok(Some(chosen.action.clone()));
        }
        let Some(action) = answers else {
            return Err(hook.unexpected_result(program, "an action, made by agent.action(..), or ()", value));
        };
        let picks = value
            .read_lock::<Map>()
            .ok_or_else(|| hook.unexpected_result(program, "an action, a map of its picks, or ()", value))?;
        let read = convert::action_of(&self.declarations, asked.seat, action, &picks);
        read.map(Some).map_err(|wrong| hook.expected_result(program, &wrong))
    }
}

impl Strategies for ScriptStrategies {
    fn consult(&self, asked: &Consultation<'_>) -> Result<Advice, Rejection> {
        let strategy = self.strategy(asked)?;
        let Some((hook, answers)) = strategy.hook(asked.state) else {
            if strategy.evaluate.is_some() {
                return Ok(Advice {
                    action: None,
                    by: Diagnostic::error(Code::IllegalAction, ""),
                    remarks: Vec::new(),
                    operations: 0,
                });
            }
            return Err(missing(&strategy, asked.state).into());
        };
        let (value, agent) = self.call(&strategy, hook, asked)?;
        let action = self.read(&strategy.program, hook, answers, asked, &value)?;
        if action.is_none() && strategy.evaluate.is_none() {
            let what = "an action: there is no function evaluate(view, agent) that the choice could be left to";
            return Err(hook.expected_result(&strategy.program, what).into());
        }
        Ok(Advice {
            action,
            by: hook.fault(&strategy.program, Code::IllegalAction, String::new(), None),
            remarks: agent.remarks(),
            operations: strategy.program.meter().operations(),
        })
    }

    fn evaluate(&self, asked: &Consultation<'_>) -> Result<Option<i64>, Rejection> {
        let strategy = self.strategy(asked)?;
        let Some(hook) = &strategy.evaluate else { return Ok(None) };
        let (value, _) = self.call(&strategy, hook, asked)?;
        value
            .as_int()
            .map(Some)
            .map_err(|_| hook.wrong_result(&strategy.program, &value).into())
    }

    fn evaluate_cells(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection> {
        self.heat_map(asked)
    }
}

/// What is said of a strategy without a function for a state.
fn missing(strategy: &Strategy, state: &State) -> Diagnostic {
    let declarations = state.declarations();
    let question = state
        .sequence()
        .decision()
        .and_then(|question| declarations.action(question.action));
    let phase = declarations.phases.get(state.sequence().phase.index());
    let own = match (question, phase) {
        (Some(question), _) => hooks::ANSWER.signature_for(&[&question.name]),
        (None, Some(phase)) => hooks::DECIDE_IN_PHASE.signature_for(&[&phase.name]),
        (None, None) => hooks::DECIDE.signature(),
    };
    let (decide, evaluate) = (hooks::DECIDE.signature(), hooks::EVALUATE.signature());
    let message = format!("the strategy has no function {own}, no {decide} and no {evaluate}");
    let first = strategy.program.functions().into_iter().max_by_key(|function| function.layer);
    Diagnostic::error(Code::MissingHook, message).at(first.map(|function| Location::file(&function.place.file)))
}

/// The first error of sources that do not compile.
fn first_fault(problems: &Diagnostics) -> Diagnostic {
    let first = problems
        .iter()
        .find(|one| one.severity == Severity::Error)
        .or_else(|| problems.iter().next());
    first.map_or_else(
        || Diagnostic::error(Code::DoesNotCompile, "the strategy does not compile"),
        |one| Diagnostic::error(one.code, one.message.clone()).at(one.place.clone()),
    )
}
