//! Debugging a strategy line by line, by the debugging interface of the engine.
//!
//! The engine tells of every node of the syntax tree before it is worked out. A decision is paused at lines: a line is come to where a
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
use super::super::locked::variable_of;
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

/// The decision that is debugged.
struct Debugged {
    decision: Rc<Decision>,
    calls: Vec<LinesOfCall>,
}

/// A decision, and who debugs it.
struct Decision {
    debugger: Arc<dyn StrategyDebugger>,
    hook: Box<str>,
    agent: Agent,
    /// Which line of which file a position is in.
    lines: LineMap,
    meter: Rc<Meter>,
}

#[derive(Default)]
struct Inner {
    debugged: RefCell<Option<Debugged>>,
    /// Whether a watched expression is being worked out.
    is_aside: Cell<bool>,
}

/// Tracks the decisions of one compiled strategy.
#[derive(Clone, Default)]
pub(super) struct Tracker(Rc<Inner>);

/// Why a decision pauses.
struct Why {
    cause: PauseCause,
    hits: Option<u64>,
    problem: Option<String>,
}

impl Tracker {
    /// Has the engine of a strategy tell of every node.
    pub(super) fn register(&self, sandbox: &mut Sandbox) {
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
                // Where to pause is decided here, so every node has to be told of.
                Ok(DebuggerCommand::StepInto)
            },
        );
    }

    /// Runs a function of the strategy and tracks it.
    pub(super) fn during<R>(
        &self,
        program: &Program,
        debugger: &Arc<dyn StrategyDebugger>,
        hook: &str,
        agent: &Agent,
        run: impl FnOnce() -> R,
    ) -> R {
        let decision = Rc::new(Decision {
            debugger: Arc::clone(debugger),
            hook: hook.into(),
            agent: agent.clone(),
            lines: program.lines.clone(),
            meter: Rc::clone(&program.meter),
        });
        let calls = Vec::new();
        let outer = self.0.debugged.replace(Some(Debugged { decision, calls }));
        let result = run();
        self.0.debugged.replace(outer);
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
        let Some(decision) = self.arrives(depth, line, column)? else {
            return Ok(());
        };
        let Some((source, line)) = decision.lines.find(line) else {
            return Ok(());
        };
        let reasons = decision.debugger.pauses_at(&source.name, line as u32, depth + 1);
        if reasons == PauseReasons::default() {
            return Ok(());
        }
        let Some(why) = self.why(context, &decision, reasons) else {
            return Ok(());
        };
        loop {
            let pause = self.pause(context, &decision, &why, position);
            match decision.debugger.pause(pause) {
                Resume::Look => {}
                Resume::End => return Err(decision.meter.give_up()),
                Resume::Go => return Ok(()),
            }
        }
    }

    /// Notes a node, and hands over the decision if it comes to a line with it.
    fn arrives(&self, depth: usize, line: usize, column: usize) -> Answer<Option<Rc<Decision>>> {
        let mut debugged = self.debugged.borrow_mut();
        let Some(debugged) = debugged.as_mut() else { return Ok(None) };
        if debugged.decision.debugger.is_over() {
            return Err(debugged.decision.meter.give_up());
        }
        debugged.calls.resize_with(depth + 1, LinesOfCall::new);
        let Some(lines) = debugged.calls.last_mut() else { return Ok(None) };
        let arrives = *lines.entry(line).or_insert(column) == column;
        Ok(arrives.then(|| Rc::clone(&debugged.decision)))
    }

    /// Why a decision pauses, of what it may have to pause for: at the first break point whose condition holds, or cannot be worked out.
    fn why(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, decision: &Decision, reasons: PauseReasons) -> Option<Why> {
        for point in reasons.points {
            let problem = match self.holds(context, decision, &point) {
                Ok(false) => continue,
                Ok(true) => None,
                Err(problem) => Some(problem),
            };
            return Some(Why {
                cause: PauseCause::BreakPoint,
                hits: Some(decision.debugger.hits(&point)),
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

    /// Whether the condition of a break point holds, or why it cannot be worked out.
    fn holds(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, decision: &Decision, point: &BreakPoint) -> Result<bool, String> {
        let Some(condition) = &point.condition else { return Ok(true) };
        let value = self.aside(context, decision, condition)?;
        value.as_bool().map_err(|_| {
            let shown = shown(context.engine(), &value, ARGUMENT_BYTES);
            format!("it is neither true nor false, but {shown}")
        })
    }

    /// What is to be seen where a decision pauses.
    fn pause(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, decision: &Decision, why: &Why, position: Position) -> Pause {
        let engine = context.engine();
        let mut variables: Vec<Variable> = Vec::new();
        // The newest first, which hides earlier ones of the same name.
        for (name, _, value) in context.scope().iter_raw() {
            let name = variable_of(name).unwrap_or(name);
            if variables.iter().all(|variable| variable.name != name) {
                variables.push(Variable {
                    name: name.to_owned(),
                    sort: sort_of(engine, value),
                    value: shown(engine, value, VALUE_BYTES),
                });
            }
        }
        let watches = decision.debugger.watches();
        let watches = watches.iter().map(|expression| self.watched(context, decision, expression));
        let watches = watches.collect();
        Pause {
            cause: why.cause,
            hits: why.hits,
            problem: why.problem.clone(),
            stack: stack(decision, context, position),
            source_line: decision.lines.place(position).and_then(|place| place.source_line),
            variables,
            watches,
            remarks: decision.agent.remarks(),
        }
    }

    /// Works an expression out on a copy of what the decision has, so that it changes nothing.
    fn aside(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, decision: &Decision, expression: &str) -> Result<Dynamic, String> {
        let meter = &decision.meter;
        self.is_aside.set(true);
        let worked_out = catch_unwind(AssertUnwindSafe(|| {
            let work_out = || worked_out(context, meter, expression);
            decision.agent.quietly(|| meter.aside(WATCH_OPERATIONS, WATCH_WALL, work_out))
        }));
        self.is_aside.set(false);
        worked_out.unwrap_or_else(|_| Err("it cannot be worked out".to_owned()))
    }

    fn watched(&self, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, decision: &Decision, expression: &str) -> WatchResult {
        let value = self.aside(context, decision, expression);
        let value = value.map(|value| shown(context.engine(), &value, VALUE_BYTES));
        WatchResult {
            expression: expression.to_owned(),
            problem: value.as_ref().err().cloned(),
            value: value.ok(),
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
        (Err(error), None) => Err(Fault::from_engine("", *error, &LineMap::default(), None).diagnostic.message),
    }
}

/// The calls that have not come back, the innermost first.
fn stack(decision: &Decision, context: &EvalContext<'_, '_, '_, '_, '_, '_>, position: Position) -> Vec<StackFrame> {
    let calls = context.debugger().map(rhai::debugger::Debugger::call_stack).unwrap_or_default();
    let call = |function: String, at: Position, arguments: Vec<String>| {
        let (file, line) = decision
            .lines
            .spot(at)
            .map_or_else(Default::default, |place| (place.file, place.line));
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
    stack.push(call(decision.hook.to_string(), at, Vec::new()));
    stack
}
