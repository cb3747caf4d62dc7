//! Runs lowered code.

use std::rc::Rc;

use rhai::{Caches, GlobalRuntimeState, INT, ImmutableString, Position};
use smallvec::SmallVec;

use super::code::{
    AssignIn, Block, Body, Call, Callee, Chain, Closure, Each, EachWord, Exit, For, Link, Node, Operator, Property, Run, Step, WordCall,
    position,
};
use super::memo::{Found, LEAST, Question};
use super::value::{Entries, List, Value, Weight};
use super::{Lowered, Names};
use crate::Program;
use crate::api::call_context::SharedContext;
use crate::meter::Meter;
use crate::profile::{self, Frame};
use crate::table::{LoweredTable, Table};
use crate::value::Items;
use boardwright_model::CellId;
use boardwright_model::diagnostic::Location;

/// Calls of functions in each other are left to the engine beyond this. It counts two levels for each.
const DEEPEST: usize = 14;
/// Between two looks at the clock lie about this many operations.
const LOOK_EVERY: u64 = 512;

/// What is kept between two calls: room.
#[derive(Default)]
pub(super) struct Memory {
    stack: Vec<Value>,
    /// What the engine keeps between the natives that it calls.
    pub(super) engine: Option<Box<(GlobalRuntimeState, Caches)>>,
}

/// What lies behind the object of a word in its chain, to which the engine hands it back.
#[derive(Clone, Copy, Debug, Default)]
struct Behind {
    operations: u32,
    is_declared: bool,
}

impl Behind {
    fn property(self, object: &Value, property: &Property) -> Self {
        match object {
            Value::Map(_) => self,
            _ => Self {
                operations: self.operations + 2,
                is_declared: self.is_declared || super::words::is_declared(object, property),
            },
        }
    }

    fn item(self, object: &Value) -> Self {
        match object {
            Value::List(_) | Value::Map(_) => self,
            _ => Self {
                operations: self.operations + 1,
                ..self
            },
        }
    }
}

/// Whether words may change a value, as far as the engine knows.
fn is_changeable(value: &Value) -> bool {
    !matches!(
        value,
        Value::Text(_) | Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Unit | Value::Range(_)
    )
}

/// The arguments of a native.
pub(super) type Arguments = SmallVec<[Value; 3]>;

/// Runs a function of a program, if it can: else the engine has to.
pub(in super::super) fn run(program: &Program, callee: &Callee, context: &SharedContext, inputs: &[Value]) -> Option<Value> {
    let lowered = &program.lowered;
    let Some(body) = lowered.body(program, callee) else {
        profile::note_abandoned(&callee.name, || program.place_of(&callee.name));
        return None;
    };
    let memory = lowered.machine.take().unwrap_or_default();
    let mut machine = Machine {
        program,
        lowered,
        meter: &program.meter,
        names: context.names(),
        memory,
        base: 0,
        depth: 0,
        operations: program.meter.operations(),
        next_look: LOOK_EVERY,
        line: 0,
        frames: profile::is_profiling().then(Vec::new),
        carried: Value::Unit,
        deepest: 0,
        moment: Moment::Unknown,
        reads_seat: false,
        context: Rc::clone(context),
    };
    machine.memory.stack.clear();
    machine.memory.stack.extend_from_slice(inputs);
    let result = machine.enter(body, inputs.len()).ok();
    machine.settle();
    let found = result.filter(|_| program.meter.is_within());
    if found.is_none() {
        profile::note_abandoned(&body.name, || place(program, machine.line));
        machine.memory.engine = None;
    }
    let Machine { mut memory, .. } = machine;
    memory.stack.clear();
    lowered.machine.set(Some(memory));
    found
}

/// The place of a line of a program.
fn place(program: &Program, line: u32) -> Option<Location> {
    let line = u16::try_from(line).ok().filter(|line| *line > 0)?;
    program.lines.place(Position::new(line, 1))
}

/// A call under way.
pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) lowered: &'p Lowered,
    pub(super) meter: &'p Meter,
    pub(super) context: SharedContext,
    pub(super) names: Rc<Names>,
    pub(super) memory: Box<Memory>,
    /// Where the variables of the running function begin.
    base: usize,
    depth: usize,
    pub(super) operations: u64,
    next_look: u64,
    /// The line of the step that runs.
    line: u32,
    /// The functions that run, while the thread is profiled.
    frames: Option<Vec<Frame>>,
    /// What a `return` or a `break` takes with it on its way.
    carried: Value,
    /// How many functions have run in each other since this was last set back.
    deepest: usize,
    moment: Moment,
    /// Whether `view.seat` was read since this was last set back.
    pub(super) reads_seat: bool,
}

/// What is known of the state that a call works with.
#[derive(Clone, Copy, Debug)]
enum Moment {
    Unknown,
    /// It cannot change: its digest.
    Fixed(u64),
    /// It may be changed.
    Fluid,
}

impl Machine<'_> {
    /// Counts operations.
    #[inline]
    pub(super) fn count(&mut self, operations: u32) -> Run<()> {
        self.operations += u64::from(operations);
        if self.operations >= self.next_look { self.look() } else { Ok(()) }
    }

    /// Counts the operations of a native whose work grows with the board: a few are covered by that of the call.
    pub(super) fn pay(&mut self, operations: usize) -> Run<()> {
        if operations as u64 >= crate::meter::LEAST_WORK {
            self.count(u32::try_from(operations).unwrap_or(u32::MAX))
        } else {
            Ok(())
        }
    }

    #[inline(never)]
    fn look(&mut self) -> Run<()> {
        self.next_look = self.operations + LOOK_EVERY;
        self.settle();
        if self.meter.may_go_on() { Ok(()) } else { Err(Exit::Abandon) }
    }

    /// Tells the meter what was counted.
    pub(super) fn settle(&self) {
        self.meter.set_operations(self.operations);
    }

    /// Runs a function whose arguments lie on top of the stack.
    fn enter(&mut self, body: &Body, arguments: usize) -> Run {
        if self.depth >= DEEPEST || self.meter.is_stack_low() {
            return Err(Exit::Abandon);
        }
        let outside = self.base;
        self.base = self.memory.stack.len() - arguments;
        self.memory.stack.resize_with(self.base + body.slots, || Value::Unit);
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let line = self.line;
        if let Some(frames) = &mut self.frames {
            profile::enter_function(&body.name);
            frames.push(Frame {
                function: body.name.clone(),
                line,
            });
        }
        let result = self.block(&body.block);
        if self.frames.is_some() {
            self.sample(None);
            self.frames.as_mut().map(Vec::pop);
        }
        if !matches!(result, Err(Exit::Abandon)) {
            self.line = line;
        }
        self.depth -= 1;
        self.memory.stack.truncate(self.base);
        self.base = outside;
        match result {
            Err(Exit::Return) => Ok(self.carried()),
            other => other,
        }
    }

    /// What came with a `return` or a `break`.
    fn carried(&mut self) -> Value {
        std::mem::replace(&mut self.carried, Value::Unit)
    }

    /// The value of a node that is there already, in its place.
    #[inline]
    fn at_hand<'a>(&'a self, node: &'a Node) -> Option<&'a Value> {
        match node {
            Node::Constant(value) => Some(value),
            Node::Local(slot) => self.memory.stack.get(self.base + slot),
            _ => None,
        }
    }

    /// What an operator makes of two whole numbers that are at hand.
    #[inline]
    fn of_numbers(&self, operator: Operator, sides: &[Node; 2]) -> Option<Run> {
        match (self.at_hand(&sides[0])?, self.at_hand(&sides[1])?) {
            (Value::Int(a), Value::Int(b)) => Some(super::words::numbers(operator, *a, *b).ok_or(Exit::Abandon)),
            _ => None,
        }
    }

    /// The value of a variable.
    #[inline]
    fn local(&self, slot: usize) -> Value {
        self.memory.stack.get(self.base + slot).cloned().unwrap_or(Value::Unit)
    }

    #[inline]
    fn set_local(&mut self, slot: usize, value: Value) {
        if let Some(variable) = self.memory.stack.get_mut(self.base + slot) {
            *variable = value;
        }
    }

    fn block(&mut self, block: &Block) -> Run {
        let mut last = Value::Unit;
        for step in &block.0 {
            last = self.step(step)?;
        }
        Ok(last)
    }

    #[inline]
    fn step(&mut self, step: &Step) -> Run {
        self.count(step.operations)?;
        if self.frames.is_some() {
            self.sample(None);
        }
        self.line = step.line;
        self.eval(&step.node)
    }

    /// Notes where the time since the last look has gone, for a profile.
    #[inline(never)]
    pub(super) fn sample(&mut self, word: Option<&str>) {
        let Some(frames) = &mut self.frames else { return };
        if let Some(frame) = frames.last_mut().filter(|_| self.line > 0) {
            frame.line = self.line;
        }
        let program = self.program;
        profile::look(frames, |line| place(program, line), word);
    }

    /// Whether the thread is profiled.
    pub(super) fn is_profiled(&self) -> bool {
        self.frames.is_some()
    }

    fn truth(&mut self, node: &Node) -> Run<bool> {
        match self.eval(node)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(Exit::Abandon),
        }
    }

    fn truth_of(&mut self, step: &Step) -> Run<bool> {
        self.count(step.operations)?;
        self.truth(&step.node)
    }

    /// Works a node out.
    pub(super) fn eval(&mut self, node: &Node) -> Run {
        match node {
            Node::Abandon => Err(Exit::Abandon),
            Node::Constant(value) => Ok(value.clone()),
            Node::Local(slot) => Ok(self.local(*slot)),
            Node::Block(block) => self.block(block),
            Node::Not(operand) => Ok(Value::Bool(!self.truth(operand)?)),
            Node::Binary(operator, sides) => {
                if let Some(found) = self.of_numbers(*operator, sides) {
                    return found;
                }
                let [left, right] = &**sides;
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                self.binary(*operator, left, right)
            }
            Node::And(first, rest) => {
                let mut truth = self.truth(first)?;
                for step in rest {
                    if !truth {
                        break;
                    }
                    truth = self.truth_of(step)?;
                }
                Ok(Value::Bool(truth))
            }
            Node::Or(first, rest) => {
                let mut truth = self.truth(first)?;
                for step in rest {
                    if truth {
                        break;
                    }
                    truth = self.truth_of(step)?;
                }
                Ok(Value::Bool(truth))
            }
            Node::If(parts) => {
                let (condition, then, otherwise) = &**parts;
                if self.truth(condition)? {
                    self.block(then)
                } else {
                    self.block(otherwise)
                }
            }
            Node::Get(parts) => {
                let (object, property) = &**parts;
                if let Some(Value::Map(map)) = self.at_hand(object)
                    && self.frames.is_none()
                {
                    let found = property.value_in(map).cloned();
                    self.count(1)?;
                    return found.ok_or(Exit::Abandon);
                }
                let object = self.eval(object)?;
                self.get(&object, property)
            }
            Node::Index(sides) => {
                let [object, index] = &**sides;
                if let (Some(Value::List(list)), Some(Value::Int(index))) = (self.at_hand(object), self.at_hand(index)) {
                    let found = position(*index, list.items().len()).and_then(|at| list.items().get(at)).cloned();
                    self.count(1)?;
                    return found.ok_or(Exit::Abandon);
                }
                let index = self.eval(index)?;
                let object = self.eval(object)?;
                self.index(&object, &index)
            }
            Node::Let(slot, value) => {
                let value = self.eval(value)?;
                self.set_local(*slot, value);
                Ok(Value::Unit)
            }
            Node::Call(call) => self.call(call),
            Node::Word(call) => self.word_call(call),
            Node::Each(parts) => self.each_call(parts),
            other => self.eval_further(other),
        }
    }

    #[inline(never)]
    fn word_call(&mut self, call: &WordCall) -> Run {
        let Some(object) = &call.object else {
            return self.native_call(&call.word);
        };
        let mut arguments = Arguments::new();
        for argument in &call.arguments {
            arguments.push(self.eval(argument)?);
        }
        if call.word.links == 0 {
            let object = self.eval(object)?;
            return self.word(&call.word, object, arguments);
        }
        let (object, behind) = self.eval_behind(object, call.word.links)?;
        let is_method = call.word.is_method && is_changeable(&object);
        let result = self.word(&call.word, object, arguments)?;
        self.hand_back(behind, is_method)?;
        Ok(result)
    }

    #[inline(never)]
    fn each_call(&mut self, parts: &(Each, Node, Option<Node>)) -> Run {
        let (each, object, first) = parts;
        let first = first.as_ref().map(|first| self.eval(first)).transpose()?;
        let (object, behind) = self.eval_behind(object, each.links)?;
        let result = self.each(each, object, first)?;
        // Words with a closure leave what they look at as it was.
        self.count(behind.operations)?;
        Ok(result)
    }

    /// Works out what a word behind so many links of a chain works on.
    fn eval_behind(&mut self, node: &Node, links: usize) -> Run<(Value, Behind)> {
        let Some(links) = links.checked_sub(1) else {
            return Ok((self.eval(node)?, Behind::default()));
        };
        match node {
            Node::Get(parts) => {
                let (object, property) = &**parts;
                let (object, behind) = self.eval_behind(object, links)?;
                let value = self.get(&object, property)?;
                Ok((value, behind.property(&object, property)))
            }
            Node::Index(sides) => {
                let [object, index] = &**sides;
                let index = self.eval(index)?;
                let (object, behind) = self.eval_behind(object, links)?;
                let value = self.index(&object, &index)?;
                Ok((value, behind.item(&object)))
            }
            Node::Word(call) => {
                let Some(object) = &call.object else { return Err(Exit::Abandon) };
                let mut arguments = Arguments::new();
                for argument in &call.arguments {
                    arguments.push(self.eval(argument)?);
                }
                let (object, behind) = self.eval_behind(object, links)?;
                Ok((self.word(&call.word, object, arguments)?, behind))
            }
            Node::Each(parts) => {
                let (each, object, first) = &**parts;
                let first = first.as_ref().map(|first| self.eval(first)).transpose()?;
                let (object, behind) = self.eval_behind(object, links)?;
                Ok((self.each(each, object, first)?, behind))
            }
            _ => Ok((self.eval(node)?, Behind::default())),
        }
    }

    /// Counts how the engine hands back what a word has worked on, in case that it was changed.
    fn hand_back(&mut self, behind: Behind, is_method: bool) -> Run<()> {
        if !is_method {
            return Ok(());
        }
        // Declared properties can be handed back only where something may be changed.
        if behind.is_declared && !self.context.is_acting() {
            return Err(Exit::Abandon);
        }
        self.count(behind.operations)
    }

    #[inline(never)]
    fn negative(&mut self, operand: &Node) -> Run {
        match self.eval(operand)? {
            Value::Int(number) => number.checked_neg().map(Value::Int).ok_or(Exit::Abandon),
            other => self.negated(&other),
        }
    }

    #[inline(never)]
    fn coalesce(&mut self, first: &Node, rest: &[Step]) -> Run {
        let mut value = self.eval(first)?;
        for step in rest {
            if !matches!(value, Value::Unit) {
                break;
            }
            value = self.step(step)?;
        }
        Ok(value)
    }

    /// The nodes that are worked out less often.
    #[inline(never)]
    fn eval_further(&mut self, node: &Node) -> Run {
        match node {
            Node::Negate(operand) => self.negative(operand),
            Node::Coalesce(first, rest) => self.coalesce(first, rest),
            Node::Assign(slot, operator, value) => {
                let mut value = self.eval(value)?;
                if let Some(operator) = operator {
                    let old = self.take_local(*slot);
                    value = self.changed_by(*operator, old, value)?;
                }
                self.set_local(*slot, value);
                Ok(Value::Unit)
            }
            Node::AssignIn(parts) => self.assign_in(parts),
            Node::Chain(chain) => self.chain(chain),
            Node::Text(parts) => self.text(parts),
            Node::List(items) => {
                let mut list = List::default();
                for item in items {
                    list.push(self.eval(item)?);
                }
                self.sized(Value::List(Rc::new(list)))
            }
            Node::Map(literal) => {
                let mut values = vec![Value::Unit; literal.keys.len()];
                for (place, node) in &literal.values {
                    let value = self.eval(node)?;
                    if let Some(own) = values.get_mut(*place) {
                        *own = value;
                    }
                }
                self.sized(Value::Map(Rc::new(Entries::of(Rc::clone(&literal.keys), values))))
            }
            Node::Switch(switch) => {
                let value = self.eval(&switch.value)?;
                let case = self.case(switch, &value)?;
                match case.and_then(|case| switch.cases.get(case)) {
                    Some(step) => self.step(step),
                    None => Ok(Value::Unit),
                }
            }
            Node::While(parts) => {
                let (condition, block) = &**parts;
                while self.truth_of(condition)? {
                    match self.block(block) {
                        Ok(_) | Err(Exit::Continue) => {}
                        Err(Exit::Break) => return Ok(self.carried()),
                        Err(exit) => return Err(exit),
                    }
                }
                Ok(Value::Unit)
            }
            Node::Loop(block) => loop {
                match self.block(block) {
                    Ok(_) | Err(Exit::Continue) => {}
                    Err(Exit::Break) => return Ok(self.carried()),
                    Err(exit) => return Err(exit),
                }
            },
            Node::For(parts) => self.over(parts),
            Node::Return(value) => {
                self.carried = self.maybe(value.as_deref())?;
                Err(Exit::Return)
            }
            Node::Break(value) => {
                self.carried = self.maybe(value.as_deref())?;
                Err(Exit::Break)
            }
            Node::Continue => Err(Exit::Continue),
            _ => Err(Exit::Abandon),
        }
    }

    fn maybe(&mut self, node: Option<&Node>) -> Run {
        node.map_or(Ok(Value::Unit), |node| self.eval(node))
    }

    #[inline(never)]
    fn call(&mut self, call: &Call) -> Run {
        let callee = self.lowered.function(call.function).ok_or(Exit::Abandon)?;
        let body = self.lowered.body(self.program, &callee).ok_or(Exit::Abandon)?;
        let count = call.arguments.len();
        match call.arguments.split_first() {
            Some((first, rest)) if call.is_first_last && !rest.is_empty() => {
                let mut values = Arguments::new();
                for argument in rest {
                    values.push(self.eval(argument)?);
                }
                let first = self.eval(first)?;
                self.memory.stack.push(first);
                self.memory.stack.extend(values);
            }
            _ => {
                for argument in &call.arguments {
                    let value = self.eval(argument)?;
                    self.memory.stack.push(value);
                }
            }
        }
        if callee.recalls.are_worthwhile()
            && let Some(digest) = self.digest()
        {
            return self.recall_or_enter(digest, call.function, &callee, body, count);
        }
        self.enter(body, count)
    }

    /// The digest of the state, where nothing can change it.
    fn digest(&mut self) -> Option<u64> {
        if let Moment::Unknown = self.moment {
            let digest = self.context.read(|state| Ok(state.digest()));
            let fixed = digest.ok().filter(|_| !self.context.is_acting());
            self.moment = fixed.map_or(Moment::Fluid, Moment::Fixed);
        }
        match self.moment {
            Moment::Fixed(digest) => Some(digest),
            Moment::Unknown | Moment::Fluid => None,
        }
    }

    /// What a function gave when it was asked the same before; else runs it. Its arguments lie on top of the stack.
    fn recall_or_enter(&mut self, digest: u64, function: usize, callee: &Callee, body: &Body, count: usize) -> Run {
        let from = self.memory.stack.len() - count;
        let question = Question {
            context: &self.context,
            digest,
            seat: self.context.seat(),
            function,
            arguments: self.memory.stack.get(from..).unwrap_or_default(),
        };
        if !question.is_comparable() {
            callee.recalls.note(false);
            return self.enter(body, count);
        }
        let found = self.lowered.memo.borrow().recall(question).cloned();
        let found = found.filter(|found| self.depth + found.levels <= DEEPEST);
        callee.recalls.note(found.is_some());
        if let Some(found) = found {
            self.memory.stack.truncate(from);
            self.reads_seat |= found.reads_seat;
            self.count(u32::try_from(found.operations).unwrap_or(u32::MAX))?;
            return Ok(found.value);
        }
        let arguments: Arguments = question.arguments.iter().cloned().collect();
        let before = self.operations;
        let outside = std::mem::replace(&mut self.deepest, self.depth);
        let read_before = std::mem::take(&mut self.reads_seat);
        let value = self.enter(body, count);
        let reads_seat = self.reads_seat;
        self.reads_seat |= read_before;
        let value = value?;
        let levels = self.deepest - self.depth;
        self.deepest = self.deepest.max(outside);
        let operations = self.operations.saturating_sub(before);
        if operations >= LEAST {
            let question = Question {
                context: &self.context,
                digest,
                seat: self.context.seat(),
                function,
                arguments: &arguments,
            };
            let found = Found {
                value: value.clone(),
                operations,
                levels,
                reads_seat,
            };
            self.lowered.memo.borrow_mut().keep(question, found);
        }
        Ok(value)
    }

    /// A text that is put together of values.
    fn text(&mut self, parts: &[Node]) -> Run {
        let mut out = String::new();
        for part in parts {
            let value = self.eval(part)?;
            self.show(&value, &mut out)?;
            if out.len() > self.program.limits.string_bytes {
                return Err(Exit::Abandon);
            }
        }
        Ok(Value::text(out))
    }

    /// Writes a value as interpolated texts show it.
    fn show(&mut self, value: &Value, out: &mut String) -> Run<()> {
        use std::fmt::Write as _;
        match value {
            Value::Text(text) => {
                out.push_str(text);
                return Ok(());
            }
            Value::Int(number) => drop(write!(out, "{number}")),
            Value::Bool(truth) => drop(write!(out, "{truth}")),
            Value::Unit => out.push_str("()"),
            Value::Char(character) => out.push(*character),
            _ => return Err(Exit::Abandon),
        }
        self.count(1)
    }

    /// The numbers of a range with a step: none where the step leads away from the end.
    fn steps(&mut self, [from, to, step]: &[Node; 3]) -> Run<impl Iterator<Item = INT> + use<>> {
        let values = (self.eval(from)?, self.eval(to)?, self.eval(step)?);
        let (Value::Int(from), Value::Int(to), Value::Int(step)) = values else {
            return Err(Exit::Abandon);
        };
        if step == 0 {
            return Err(Exit::Abandon);
        }
        let is_before_end = move |number: &INT| if step > 0 { *number < to } else { *number > to };
        let numbers = std::iter::successors(Some(from), move |number| number.checked_add(step));
        // The engine leaves out the number behind which there is none.
        Ok(numbers.take_while(move |number| is_before_end(number) && number.checked_add(step).is_some()))
    }

    fn over(&mut self, parts: &For) -> Run {
        let mut count: INT = 0;
        let mut result = Value::Unit;
        let mut turn = |machine: &mut Self, value: Value| -> Run<bool> {
            if let Some(counter) = parts.counter {
                machine.set_local(counter, Value::Int(count));
            }
            count = count.checked_add(1).ok_or(Exit::Abandon)?;
            machine.set_local(parts.item, value);
            match machine.block(&parts.block) {
                Ok(_) | Err(Exit::Continue) => Ok(true),
                Err(Exit::Break) => {
                    result = machine.carried();
                    Ok(false)
                }
                Err(exit) => Err(exit),
            }
        };
        if let Node::Steps(steps) = &parts.over {
            for number in self.steps(steps)? {
                if !turn(self, Value::Int(number))? {
                    break;
                }
            }
            return Ok(result);
        }
        match self.eval(&parts.over)? {
            Value::Range(range) => {
                let mut number = range.start;
                let end = range.end().ok_or(Exit::Abandon)?;
                while number < end && turn(self, Value::Int(number))? {
                    number += 1;
                }
            }
            Value::Cells(cells) => {
                for cell in cells.iter() {
                    if !turn(self, Value::Cell(cell))? {
                        break;
                    }
                }
            }
            Value::List(list) => {
                for item in list.items() {
                    if !turn(self, item.clone())? {
                        break;
                    }
                }
            }
            Value::Table(table) => match table.lowered() {
                Some(LoweredTable::List(list)) => {
                    for item in list {
                        if !turn(self, item.clone())? {
                            break;
                        }
                    }
                }
                _ => {
                    for value in table {
                        let value = Value::of(&self.context, &value);
                        if !turn(self, value)? {
                            break;
                        }
                    }
                }
            },
            _ => return Err(Exit::Abandon),
        }
        Ok(result)
    }

    /// Calls a closure with a value.
    fn call_closure(&mut self, closure: &Closure, values: [Option<Value>; 2]) -> Run {
        // The operation of the call.
        self.count(1)?;
        match closure {
            Closure::Inline { parameters, block } => {
                if self.depth >= DEEPEST {
                    return Err(Exit::Abandon);
                }
                for (slot, value) in parameters.iter().zip(values.into_iter().flatten()) {
                    self.set_local(*slot, value);
                }
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
                let result = self.block(block);
                self.depth -= 1;
                match result {
                    Err(Exit::Return) => Ok(self.carried()),
                    other => other,
                }
            }
            Closure::Function(number) => {
                let callee = self.lowered.function(*number).ok_or(Exit::Abandon)?;
                let body = self.lowered.body(self.program, &callee).ok_or(Exit::Abandon)?;
                let outside = self.memory.stack.len();
                self.memory.stack.extend(values.into_iter().flatten());
                let count = self.memory.stack.len() - outside;
                self.enter(body, count)
            }
        }
    }

    fn ask(&mut self, closure: &Closure, value: Value) -> Run<bool> {
        match self.call_closure(closure, [Some(value), None])? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(Exit::Abandon),
        }
    }

    /// A word that takes a closure.
    fn each(&mut self, each: &Each, object: Value, first: Option<Value>) -> Run {
        self.count(1)?;
        if self.is_profiled() {
            self.sample(None);
        }
        match object {
            Value::Cells(cells) if each.word == EachWord::Filter => {
                let mut kept = (*cells).clone();
                for cell in cells.iter() {
                    if !self.ask(&each.closure, Value::Cell(cell))? {
                        kept.remove(cell);
                    }
                }
                Ok(Value::cells(kept))
            }
            Value::Cells(cells) if each.word == EachWord::Map => {
                let cells: Vec<Value> = cells.iter().map(Value::Cell).collect();
                self.each_of(each, &cells, first)
            }
            Value::List(list) => self.each_of(each, list.items(), first),
            Value::Table(table) => {
                if let Some(LoweredTable::List(items)) = table.lowered() {
                    return self.each_of(each, items, first);
                }
                let Items::List(list) = table.items() else {
                    return Err(Exit::Abandon);
                };
                let items: Vec<Value> = list.iter().map(|item| Value::of(&self.context, item)).collect();
                self.each_of(each, &items, first)
            }
            _ => Err(Exit::Abandon),
        }
    }

    fn each_of(&mut self, each: &Each, list: &[Value], first: Option<Value>) -> Run {
        match each.word {
            EachWord::All => Ok(Value::Bool(self.first(each, list, false)?.is_none())),
            EachWord::Some => Ok(Value::Bool(self.first(each, list, true)?.is_some())),
            EachWord::Find => {
                let found = self.first(each, list, true)?;
                Ok(found.and_then(|index| list.get(index).cloned()).unwrap_or(Value::Unit))
            }
            EachWord::IndexOf => Ok(self.first(each, list, true)?.map_or(Value::Int(-1), Value::count)),
            EachWord::Filter => {
                let kept = self.kept(each, list)?;
                self.sized(Value::list(kept))
            }
            EachWord::Count => Ok(Value::count(self.kept(each, list)?.len())),
            EachWord::Map => {
                let mut made = List::default();
                for item in list {
                    self.count(1)?;
                    made.push(self.call_closure(&each.closure, [Some(item.clone()), None])?);
                }
                self.sized(Value::List(Rc::new(made)))
            }
            EachWord::Reduce => {
                let mut result = first.ok_or(Exit::Abandon)?;
                for item in list {
                    self.count(1)?;
                    result = self.call_closure(&each.closure, [Some(result), Some(item.clone())])?;
                }
                Ok(result)
            }
            EachWord::SortedBy => {
                let mut keyed = Vec::with_capacity(list.len());
                for item in list {
                    self.count(1)?;
                    keyed.push((self.call_closure(&each.closure, [Some(item.clone()), None])?, item.clone()));
                }
                let sorted = self.merge_sort(keyed)?;
                self.sized(Value::list(sorted.into_iter().map(|(_, item)| item)))
            }
        }
    }

    /// The position of the first item for which a test answers so.
    fn first(&mut self, each: &Each, list: &[Value], wanted: bool) -> Run<Option<usize>> {
        for (index, item) in list.iter().enumerate() {
            self.count(1)?;
            if self.ask(&each.closure, item.clone())? == wanted {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    fn kept(&mut self, each: &Each, list: &[Value]) -> Run<Vec<Value>> {
        let mut kept = Vec::new();
        for item in list {
            self.count(1)?;
            if self.ask(&each.closure, item.clone())? {
                kept.push(item.clone());
            }
        }
        Ok(kept)
    }

    /// Sorts pairs by the first of them as the words for lists do, with the same operations.
    pub(super) fn merge_sort<T>(&mut self, mut list: Vec<(Value, T)>) -> Run<Vec<(Value, T)>> {
        if list.len() < 2 {
            return Ok(list);
        }
        let right = list.split_off(list.len() / 2);
        let left = self.merge_sort(list)?;
        let right = self.merge_sort(right)?;
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            self.count(1)?;
            let next = if super::words::order(&a.0, &b.0)? == std::cmp::Ordering::Greater {
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

    /// A value that was made, unless it is larger than the engine lets values be.
    pub(super) fn sized(&self, value: Value) -> Run {
        if self.fits(value.weight()) { Ok(value) } else { Err(Exit::Abandon) }
    }

    fn fits(&self, weight: Weight) -> bool {
        let limits = &self.program.limits;
        weight.items <= limits.list_items && weight.keys <= limits.map_keys && weight.bytes <= limits.string_bytes
    }

    /// An item of a list or a table, or what stands under a key.
    fn index(&mut self, object: &Value, index: &Value) -> Run {
        self.count(if matches!(object, Value::List(_) | Value::Map(_)) { 1 } else { 2 })?;
        match (object, index) {
            (Value::List(list), Value::Int(index)) => {
                let at = position(*index, list.items().len());
                at.and_then(|at| list.items().get(at)).cloned().ok_or(Exit::Abandon)
            }
            (Value::Map(map), Value::Text(key)) => map.get(key).cloned().ok_or(Exit::Abandon),
            (Value::Table(table), Value::Int(index)) => {
                if let Some(LoweredTable::List(items)) = table.lowered() {
                    let found = position(*index, items.len()).and_then(|at| items.get(at));
                    return found.cloned().ok_or(Exit::Abandon);
                }
                let list = table.as_list().ok_or(Exit::Abandon)?;
                let item = position(*index, list.len()).and_then(|at| list.get(at)).ok_or(Exit::Abandon)?;
                Ok(Value::of(&self.context, item))
            }
            (Value::Table(table), Value::Text(key)) => self.entry(table, key),
            (Value::Seat(_) | Value::Piece(_) | Value::Cell(_) | Value::View, Value::Text(name)) => self.declared(object, name),
            _ => Err(Exit::Abandon),
        }
    }

    /// What stands under a key of a table.
    pub(super) fn entry(&self, table: &Table, key: &str) -> Run {
        if let Some(LoweredTable::Map(map)) = table.lowered() {
            return map.get(key).cloned().ok_or(Exit::Abandon);
        }
        let value = table.as_map().and_then(|map| map.get(key)).ok_or(Exit::Abandon)?;
        Ok(Value::of(&self.context, value))
    }

    /// A chain whose arguments come first.
    fn chain(&mut self, chain: &Chain) -> Run {
        let arguments = self.arguments(chain)?;
        let Node::Local(slot) = chain.base else {
            let mut base = self.eval(&chain.base)?;
            return Ok(self.follow(&mut base, &chain.links, &arguments)?.0);
        };
        // The value is taken out meanwhile, so that it is changed in place.
        let mut base = self.take_local(slot);
        let result = self.follow(&mut base, &chain.links, &arguments);
        let fits = self.fits(base.weight());
        self.set_local(slot, base);
        let (result, _) = result?;
        if fits { Ok(result) } else { Err(Exit::Abandon) }
    }

    fn take_local(&mut self, slot: usize) -> Value {
        let variable = self.memory.stack.get_mut(self.base + slot);
        variable.map_or(Value::Unit, |variable| std::mem::replace(variable, Value::Unit))
    }

    fn arguments(&mut self, chain: &Chain) -> Run<SmallVec<[Value; 4]>> {
        let mut arguments = SmallVec::new();
        for argument in &chain.arguments {
            arguments.push(self.eval(argument)?);
        }
        Ok(arguments)
    }

    /// Follows a chain from a value, which its words may change. Says also whether the engine takes it for changed.
    fn follow(&mut self, value: &mut Value, links: &[Link], arguments: &[Value]) -> Run<(Value, bool)> {
        let Some((link, rest)) = links.split_first() else {
            return Ok((value.clone(), false));
        };
        match link {
            Link::Word(word, from, to) => {
                let own: Arguments = arguments.get(*from..*to).unwrap_or_default().iter().cloned().collect();
                let mut is_changed = is_changeable(value);
                let mut result = match self.change(value, word, &own) {
                    Some(result) => {
                        self.count(1)?;
                        let result = result?;
                        if !self.fits(value.weight()) {
                            return Err(Exit::Abandon);
                        }
                        result
                    }
                    None => self.word(word, value.clone(), own)?,
                };
                if !rest.is_empty() {
                    (result, is_changed) = self.follow(&mut result, rest, arguments)?;
                }
                Ok((result, is_changed))
            }
            Link::Each(each) => {
                let first = each.first.and_then(|first| arguments.get(first)).cloned();
                let mut result = self.each(each, value.clone(), first)?;
                if rest.is_empty() {
                    return Ok((result, true));
                }
                self.follow(&mut result, rest, arguments)
            }
            Link::Index(at) => {
                let index = arguments.get(*at).cloned().ok_or(Exit::Abandon)?;
                self.within(value, &index, |machine, item| machine.follow(item, rest, arguments))
            }
            Link::Property(property) => match value {
                Value::Map(_) => {
                    let key = Value::Text(property.name.clone());
                    self.within(value, &key, |machine, item| machine.follow(item, rest, arguments))
                }
                object => {
                    let mut found = self.get(object, property)?;
                    let (result, is_changed) = self.follow(&mut found, rest, arguments)?;
                    if is_changed {
                        self.hand_back_to(&object.clone(), property, found)?;
                    }
                    Ok((result, is_changed))
                }
            },
        }
    }

    /// Hands what was read of a property, and may have been changed, back to it.
    fn hand_back_to(&mut self, object: &Value, property: &Property, value: Value) -> Run<()> {
        if !super::words::is_declared(object, property) {
            return self.count(2);
        }
        if !self.context.is_acting() {
            return Err(Exit::Abandon);
        }
        self.set(object, property, value)
    }

    /// Works with an item of a list or map in its place, or with a copy of what a table holds. `work` says whether the engine takes the item
    /// for changed.
    fn within<R>(
        &mut self,
        value: &mut Value,
        index: &Value,
        work: impl FnOnce(&mut Self, &mut Value) -> Run<(R, bool)>,
    ) -> Run<(R, bool)> {
        match (&mut *value, index) {
            (Value::List(list), Value::Int(index)) => {
                self.count(1)?;
                let at = position(*index, list.items().len()).ok_or(Exit::Abandon)?;
                Rc::make_mut(list).change(at, |item| work(self, item)).ok_or(Exit::Abandon)?
            }
            (Value::Map(map), Value::Text(key)) => {
                self.count(1)?;
                Rc::make_mut(map).change(key, |item| work(self, item)).ok_or(Exit::Abandon)?
            }
            _ => {
                let mut item = self.index(value, index)?;
                let before = item.weight();
                let result = work(self, &mut item)?;
                // Tables are not changed in place.
                if item.weight() != before {
                    return Err(Exit::Abandon);
                }
                if result.1 {
                    self.count(1)?;
                }
                Ok(result)
            }
        }
    }

    /// An assignment to a part of a variable.
    fn assign_in(&mut self, parts: &AssignIn) -> Run {
        let new = self.eval(&parts.value)?;
        let arguments = self.arguments(&parts.chain)?;
        let Node::Local(slot) = parts.chain.base else {
            return Err(Exit::Abandon);
        };
        let mut base = self.take_local(slot);
        let result = self.assign_at(&mut base, &parts.chain.links, &arguments, parts.operator, new);
        let fits = self.fits(base.weight());
        self.set_local(slot, base);
        result?;
        if fits { Ok(Value::Unit) } else { Err(Exit::Abandon) }
    }

    fn assign_at(&mut self, target: &mut Value, links: &[Link], arguments: &[Value], operator: Option<Operator>, new: Value) -> Run<()> {
        let Some((link, rest)) = links.split_first() else {
            return Err(Exit::Abandon);
        };
        let is_last = rest.is_empty();
        let key = match link {
            Link::Property(property) => Value::Text(property.name.clone()),
            Link::Index(at) => arguments.get(*at).cloned().ok_or(Exit::Abandon)?,
            Link::Word(..) | Link::Each(_) => return Err(Exit::Abandon),
        };
        match (&mut *target, link) {
            (Value::Map(map), _) if is_last => {
                self.count(1)?;
                let Value::Text(key) = key else { return Err(Exit::Abandon) };
                let new = match operator {
                    None => new,
                    Some(operator) => {
                        let old = map.get(&key).cloned().ok_or(Exit::Abandon)?;
                        self.changed_by(operator, old, new)?
                    }
                };
                Rc::make_mut(map).insert(key, new);
                Ok(())
            }
            (Value::List(_) | Value::Map(_), _) => {
                let assign = |machine: &mut Self, item: &mut Value| {
                    if is_last {
                        *item = match operator {
                            None => new,
                            Some(operator) => {
                                let old = std::mem::replace(item, Value::Unit);
                                machine.changed_by(operator, old, new)?
                            }
                        };
                    } else {
                        machine.assign_at(item, rest, arguments, operator, new)?;
                    }
                    Ok(((), true))
                };
                self.within(target, &key, assign).map(drop)
            }
            (object, Link::Property(property)) if is_last => {
                let object = object.clone();
                let new = match operator {
                    None => new,
                    Some(operator) => {
                        let old = self.get(&object, property)?;
                        self.changed_by(operator, old, new)?
                    }
                };
                self.set(&object, property, new)
            }
            (object, Link::Property(property)) => {
                let mut found = self.get(object, property)?;
                self.assign_at(&mut found, rest, arguments, operator, new)?;
                self.hand_back_to(&object.clone(), property, found)
            }
            (Value::Table(_), Link::Index(_)) if !is_last => {
                let mut found = self.index(target, &key)?;
                if matches!(found, Value::Table(_) | Value::List(_) | Value::Map(_)) {
                    return Err(Exit::Abandon);
                }
                self.assign_at(&mut found, rest, arguments, operator, new)?;
                self.count(1)
            }
            _ => Err(Exit::Abandon),
        }
    }

    /// What a variable becomes by an operator in front of `=`.
    fn changed_by(&mut self, operator: Operator, old: Value, new: Value) -> Run {
        if matches!(old, Value::Map(_) | Value::Table(_)) {
            return Err(Exit::Abandon);
        }
        let old = match old {
            Value::List(list) if operator == Operator::Add => return self.longer(list, new),
            other => other,
        };
        if !super::words::is_built_in(&old, &new) {
            // The engine looks for the operator with `=` first.
            self.count(1)?;
        }
        self.binary(operator, old, new)
    }

    /// A list with the items of another behind its own, or with anything else as its last item.
    fn longer(&mut self, mut list: Rc<List>, new: Value) -> Run {
        let own = Rc::make_mut(&mut list);
        match new {
            Value::List(other) => other.items().iter().for_each(|item| own.push(item.clone())),
            item => own.push(item),
        }
        self.sized(Value::List(list))
    }

    /// The cell that a value is.
    pub(super) fn cell(value: Option<&Value>) -> Run<CellId> {
        match value {
            Some(Value::Cell(cell)) => Ok(*cell),
            _ => Err(Exit::Abandon),
        }
    }

    /// A text with a limit to its length.
    pub(super) fn joined(&self, left: &str, right: &str) -> Run {
        if left.len() + right.len() > self.program.limits.string_bytes {
            return Err(Exit::Abandon);
        }
        let mut out = String::with_capacity(left.len() + right.len());
        out.push_str(left);
        out.push_str(right);
        Ok(Value::Text(ImmutableString::from(out)))
    }
}
