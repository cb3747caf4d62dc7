//! Natives that lowered code calls by way of the engine.
//!
//! Each call becomes a small statement, made once, that is run with the values as its variables. So it does what the engine does, errors
//! included; what it costs more than the call it stands for is taken from the count.

use rhai::{Caches, Dynamic, Expr, INT, Position, Scope, Stmt, SwitchCasesCollection};
use smallvec::SmallVec;

use super::code::{Exit, Native, Operator, Property, Run, Snippet, Switch, Word};
use super::machine::{Arguments, Machine};
use super::value::Value;
use crate::Program;

/// A `switch` keeps the cases of no more values.
const MOST_KNOWN: usize = 32;

/// The names of the values in a statement.
const NAMES: [&str; 8] = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"];

fn snippet(program: &Program, values: usize, text: &str) -> Option<Snippet> {
    let mut scope = Scope::new();
    for name in NAMES.get(..values)? {
        scope.push_dynamic(*name, Dynamic::UNIT);
    }
    let ast = program.engine.compile_with_scope(&scope, text).ok()?;
    Some(Snippet {
        statements: ast.statements().into(),
        operations: 0,
    })
}

/// A statement that gives the number of the case that the value of its variable leads to.
pub(super) fn chooser(program: &Program, cases: &SwitchCasesCollection, position: Position) -> Option<Snippet> {
    let made = snippet(program, 1, "switch a0 { 0 => 0 }")?;
    let Some(Stmt::Switch(parts, _)) = made.statements.first() else {
        return None;
    };
    let mut numbered = cases.clone();
    for (number, case) in numbered.expressions.iter_mut().enumerate() {
        case.rhs = Expr::IntegerConstant(INT::try_from(number).ok()?, position);
    }
    let value = parts.0.clone();
    Some(Snippet {
        statements: [Stmt::Switch(Box::new((value, numbered)), position)].into(),
        operations: 0,
    })
}

impl Machine<'_> {
    /// The case of a `switch` that a value leads to.
    pub(super) fn case(&mut self, switch: &Switch, value: &Value) -> Run<Option<usize>> {
        let is_known = |(known, _): &&(Value, Option<usize>)| match (known, value) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            _ => false,
        };
        if let Some((_, case)) = switch.known.borrow().iter().find(is_known) {
            return Ok(*case);
        }
        let before = self.operations;
        let found = self.run_snippet(&switch.chooser, SmallVec::from_iter([value.clone()]))?;
        self.operations = before;
        let case = match found {
            Value::Int(number) => usize::try_from(number).ok(),
            _ => None,
        };
        let mut known = switch.known.borrow_mut();
        if known.len() < MOST_KNOWN && matches!(value, Value::Int(_) | Value::Text(_)) {
            known.push((value.clone(), case));
        }
        Ok(case)
    }

    /// Runs the statement of a native.
    fn native(&mut self, native: &Native, values: SmallVec<[Value; 4]>, make: impl FnOnce(usize) -> (String, u64)) -> Run {
        let count = values.len();
        let made = native.made.get_or_init(|| {
            let (text, operations) = make(count);
            snippet(self.program, count, &text).map(|made| Snippet { operations, ..made })
        });
        self.run_snippet(made.as_ref().ok_or(Exit::Abandon)?, values)
    }

    fn run_snippet(&mut self, made: &Snippet, values: SmallVec<[Value; 4]>) -> Run {
        // A function among the values may read `view.seat`. No native does but `view.seat` itself, which is a word here.
        self.reads_seat |= !values.iter().all(Value::holds_no_function);
        let mut scope = Scope::new();
        for (name, value) in NAMES.iter().zip(values) {
            scope.push_dynamic(*name, value.into_dynamic(&self.context));
        }
        self.settle();
        let program = self.program;
        let engine = self.memory.engine.get_or_insert_with(|| {
            let mut global = program.engine.new_global_runtime_state();
            global.lib.push(program.module.clone());
            global.level = 1;
            Box::new((global, Caches::new()))
        });
        let (global, caches) = &mut **engine;
        #[expect(deprecated, reason = "the engine calls it low level, and its version is pinned")]
        let result = program.engine.eval_statements_raw(global, caches, &mut scope, &made.statements);
        self.operations = self.meter.operations().saturating_sub(made.operations);
        if self.meter.stopped().is_some() {
            return Err(Exit::Abandon);
        }
        let value = result.map_err(|_| Exit::Abandon)?.flatten();
        Ok(Value::of(&self.context, &value))
    }

    /// A word.
    pub(super) fn native_word(&mut self, word: &Word, object: Value, arguments: Arguments) -> Run {
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        values.push(object);
        values.extend(arguments);
        self.native(&word.native, values, |count| {
            let others = NAMES.get(1..count).unwrap_or_default().join(", ");
            if word.is_method {
                let more = if count > 1 { count as u64 } else { 0 };
                (format!("a0.{}({others})", word.name), 3 + more)
            } else {
                let all = NAMES.get(..count).unwrap_or_default().join(", ");
                (format!("{}({all})", word.name), 2 + count as u64)
            }
        })
    }

    /// A native that takes nothing.
    pub(super) fn native_call(&mut self, word: &Word) -> Run {
        self.native(&word.native, SmallVec::new(), |_| (format!("{}()", word.name), 2))
    }

    /// A property that is a native.
    pub(super) fn native_get(&mut self, object: Value, property: &Property) -> Run {
        let values = SmallVec::from_iter([object]);
        self.native(&property.get, values, |_| (format!("a0.{}", property.name), 3))
    }

    /// A property that is set.
    pub(super) fn native_set(&mut self, object: Value, property: &Property, value: Value) -> Run<()> {
        let values = SmallVec::from_iter([object, value]);
        let run = self.native(&property.set, values, |_| (format!("a0.{} = a1", property.name), 3));
        run.map(drop)
    }

    /// An operator.
    pub(super) fn native_operator(&mut self, operator: Operator, left: Value, right: Value) -> Run {
        let values = SmallVec::from_iter([left, right]);
        let lowered = self.lowered;
        let native = lowered.operators.get(operator as usize).ok_or(Exit::Abandon)?;
        self.native(native, values, |_| (format!("a0 {} a1", operator.text()), 4))
    }
}
