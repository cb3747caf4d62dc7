//! Following a strategy line by line, by the debugging interface of the engine.
//!
//! The engine tells of every node of the syntax tree before it is worked out. A decision is halted at lines: a line is come to where a
//! node of it is met that is the first of this line in the running call, so that a call inside the line does not count on its way
//! back, and another turn of a loop does.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use rhai::debugger::{DebuggerCommand, DebuggerEvent};
use rhai::{ASTNode, Caches, Dynamic, Engine, EvalContext, Position, Stmt};

use super::super::errors::readable;
use super::super::fault::Fault;
use super::super::lines::LineMap;
use super::super::meter::Meter;
use super::super::symbols::each_statement;
use super::super::value::Answer;
use super::super::{Program, Sandbox};
use super::Agent;
use super::display::{shown, sort_of};
use boardwright_model::{BreakPoint, PauseCause, StackFrame, Variable, WatchResult};
use boardwright_rules::{Pause, PauseReasons, Resume, StrategyDebugger};

/// The steps that working out a watched expression may take.
const WATCH_OPERATIONS: u64 = 100_000;
/// The time it may take: several of them are worked out one after the other, and who stops the player waits for one.
const WATCH_WALL: Duration = Duration::from_millis(15);
/// The longest text of a value, in bytes.
const VALUE_BYTES: usize = 400;
/// The longest text of an argument of a call, in bytes.
const ARGUMENT_BYTES: usize = 80;

/// The lines of a running call that it came to, each with the column of the node by which it did.
type LinesOfCall = BTreeMap<usize, usize>;

/// The decision that is followed.
struct Followed {
    follower: Arc<dyn StrategyDebugger>,
    hook: Rc<str>,
    agent: Agent,
    calls: Vec<LinesOfCall>,
}

#[derive(Default)]
struct Inner {
    lines: RefCell<LineMap>,
    meter: RefCell<Option<Rc<Meter>>>,
    followed: RefCell<Option<Followed>>,
    /// Whether a watched expression is being worked out.
    is_aside: Cell<bool>,
}

/// Follows the decisions of one compiled strategy.
#[derive(Clone, Default)]
pub(super) struct Tracker(Rc<Inner>);

/// Why a decision halts.
struct Why {
    cause: PauseCause,
    hits: Option<u64>,
    problem: Option<String>,
}

/// Where a decision is, and who follows it.
struct Here {
    follower: Arc<dyn StrategyDebugger>,
    hook: Rc<str>,
    agent: Agent,
    depth: usize,
}

impl Tracker {
    /// Has the engine of a strategy tell of every node.
    pub(super) fn register(&self, sandbox: &mut Sandbox) {
        self.0.meter.replace(Some(Rc::clone(&sandbox.meter)));
        let inner = Rc::clone(&self.0);
        #[expect(
            deprecated,
            reason = "not deprecated, but marked so because it may change; the version of rhai is pinned"
        )]
        sandbox.engine.register_debugger(
            |_, debugger| debugger,
            move |mut context, event, _: ASTNode<'_>, _, position| {
                if !matches!(
                    event,
                    DebuggerEvent::FunctionExitWithValue(_) | DebuggerEvent::FunctionExitWithError(_)
                ) {
                    inner.come_to(&mut context, position)?;
                }
                // Where to halt is decided here, so every node has to be told of.
                Ok(DebuggerCommand::StepInto)
            },
        );
    }

    /// Learns which line of which file a position is in.
    pub(super) fn take_lines(&self, program: &Program) {
        self.0.lines.replace(program.lines.clone());
    }

    /// Runs a function of the strategy and follows it.
    pub(super) fn during<R>(&self, follower: &Arc<dyn StrategyDebugger>, hook: &str, agent: &Agent, run: impl FnOnce() -> R) -> R {
        let outer = self.0.followed.replace(Some(Followed {
            follower: Arc::clone(follower),
            hook: Rc::from(hook),
            agent: agent.clone(),
            calls: Vec::new(),
        }));
        let result = run();
        self.0.followed.replace(outer);
        result
    }
}

impl Inner {
    fn come_to(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, position: Position) -> Answer<()> {
        let (Some(line), Some(column)) = (position.line(), position.position()) else {
            return Ok(());
        };
        if self.is_aside.get() {
            return Ok(());
        }
        let depth = context.debugger().map_or(0, |debugger| debugger.call_stack().len());
        let Some(here) = self.arrives(depth, line, column)? else {
            return Ok(());
        };
        let place = self
            .lines
            .borrow()
            .find(line)
            .map(|(source, line)| (source.name.clone(), line as u32));
        let Some((file, line)) = place else { return Ok(()) };
        let reasons = here.follower.halts_at(&file, line, here.depth + 1);
        if reasons == PauseReasons::default() {
            return Ok(());
        }
        let resume = match self.why(context, &here, reasons) {
            None => Resume::Go,
            Some(why) => loop {
                let halt = self.halt(context, &here, &why, position);
                match here.follower.halt(halt) {
                    Resume::Look => {}
                    resume => break resume,
                }
            },
        };
        let meter = self.meter.borrow();
        let Some(meter) = meter.as_deref() else { return Ok(()) };
        if resume == Resume::End { Err(meter.give_up()) } else { Ok(()) }
    }

    /// Notes a node, and says where the decision is if it comes to a line with it.
    fn arrives(&self, depth: usize, line: usize, column: usize) -> Answer<Option<Here>> {
        let mut followed = self.followed.borrow_mut();
        let Some(followed) = followed.as_mut() else { return Ok(None) };
        if followed.follower.is_over() {
            let meter = self.meter.borrow();
            return meter.as_deref().map_or(Ok(None), |meter| Err(meter.give_up()));
        }
        followed.calls.resize_with(depth + 1, LinesOfCall::new);
        let Some(lines) = followed.calls.last_mut() else { return Ok(None) };
        if *lines.entry(line).or_insert(column) != column {
            return Ok(None);
        }
        Ok(Some(Here {
            follower: Arc::clone(&followed.follower),
            hook: Rc::clone(&followed.hook),
            agent: followed.agent.clone(),
            depth,
        }))
    }

    /// Why a decision halts, of what it may have to halt for: at the first break point whose condition holds, or can not be worked out.
    fn why(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, here: &Here, reasons: PauseReasons) -> Option<Why> {
        for point in reasons.points {
            let problem = match self.holds(context, here, &point) {
                Ok(false) => continue,
                Ok(true) => None,
                Err(problem) => Some(problem),
            };
            return Some(Why {
                cause: PauseCause::BreakPoint,
                hits: Some(here.follower.hits(&point)),
                problem,
            });
        }
        let cause = reasons.cause?;
        Some(Why {
            cause,
            hits: None,
            problem: None,
        })
    }

    /// Whether the condition of a break point holds, or why it can not be worked out.
    fn holds(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, here: &Here, point: &BreakPoint) -> Result<bool, String> {
        let Some(condition) = &point.condition else { return Ok(true) };
        let value = self.aside(context, here, condition)?;
        let shown = || {
            format!(
                "it is neither true nor false, but {}",
                shown(context.engine(), &value, ARGUMENT_BYTES)
            )
        };
        value.as_bool().map_err(|_| shown())
    }

    /// What is to be seen where a decision halts.
    fn halt(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, here: &Here, why: &Why, position: Position) -> Pause {
        let engine = context.engine();
        let mut variables: Vec<Variable> = Vec::new();
        // The newest first, which hides earlier ones of the same name.
        for (name, _, value) in context.scope().iter_raw() {
            if variables.iter().all(|variable| variable.name != name) {
                variables.push(Variable {
                    name: name.to_owned(),
                    sort: sort_of(engine, value),
                    value: shown(engine, value, VALUE_BYTES),
                });
            }
        }
        let watches = here.follower.watches();
        let watches = watches.iter().map(|expression| self.watched(context, here, expression));
        let watches = watches.collect();
        let lines = self.lines.borrow();
        Pause {
            cause: why.cause,
            hits: why.hits,
            problem: why.problem.clone(),
            stack: stack(&lines, context, &here.hook, position),
            source_line: lines.place(position).and_then(|place| place.source_line),
            variables,
            watches,
            remarks: here.agent.remarks(),
        }
    }

    /// Works an expression out on a copy of what the decision has, so that it changes nothing.
    fn aside(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, here: &Here, expression: &str) -> Result<Dynamic, String> {
        let meter = self.meter.borrow().clone();
        self.is_aside.set(true);
        let worked_out = catch_unwind(AssertUnwindSafe(|| {
            here.agent.quietly(|| match &meter {
                Some(meter) => meter.aside(WATCH_OPERATIONS, WATCH_WALL, || worked_out(context, meter, expression)),
                None => Err(String::new()),
            })
        }));
        self.is_aside.set(false);
        worked_out.unwrap_or_else(|_| Err("it can not be worked out".to_owned()))
    }

    fn watched(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, here: &Here, expression: &str) -> WatchResult {
        let (value, problem) = match self.aside(context, here, expression) {
            Ok(value) => (Some(shown(context.engine(), &value, VALUE_BYTES)), None),
            Err(problem) => (None, Some(problem)),
        };
        WatchResult {
            expression: expression.to_owned(),
            value,
            problem,
        }
    }
}

/// The value of an expression, or why it has none.
fn worked_out(context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, meter: &Meter, expression: &str) -> Result<Dynamic, String> {
    let engine: &Engine = context.engine();
    let read = engine
        .compile_expression(expression)
        .map_err(|wrong| wrong.err_type().to_string())?;
    let mut statements: Vec<Stmt> = Vec::new();
    each_statement(&read, |statement| statements.push(statement.clone()));
    let mut scope = context.scope().clone();
    let mut global = context.global_runtime_state_mut().clone();
    #[expect(deprecated, reason = "the engine is called low level, and its version is pinned")]
    let value = engine.eval_statements_raw(&mut global, &mut Caches::new(), &mut scope, &statements);
    match (value, meter.stopped()) {
        (Ok(value), None) => Ok(value.flatten()),
        (_, Some(_)) => Err("it takes too long".to_owned()),
        (Err(error), None) => Err(Fault::from_engine("", *error, &LineMap::default(), &|_| false).message),
    }
}

/// The calls that have not come back, the innermost first.
fn stack(lines: &LineMap, context: &EvalContext<'_, '_, '_, '_, '_, '_>, hook: &str, position: Position) -> Vec<StackFrame> {
    let calls = context.debugger().map(rhai::debugger::Debugger::call_stack).unwrap_or_default();
    let call = |function: String, at: Position, arguments: Vec<String>| {
        let (file, line) = lines.spot(at).map_or_else(Default::default, |place| (place.file, place.line));
        StackFrame {
            function,
            file,
            line,
            arguments,
        }
    };
    // Each call is at the place where it called the next one.
    let mut at = position;
    let mut stack = Vec::with_capacity(calls.len() + 1);
    for inner in calls.iter().rev() {
        let arguments = inner.args.iter().map(|value| shown(context.engine(), value, ARGUMENT_BYTES));
        stack.push(call(readable(&inner.fn_name), at, arguments.collect()));
        at = inner.pos;
    }
    stack.push(call(hook.to_owned(), at, Vec::new()));
    stack
}
