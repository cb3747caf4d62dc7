//! From the syntax tree of a function to lowered code.
//!
//! The operations of the engine are counted as it counts them: one for each statement, for each expression, for a variable in front of a chain
//! or as the first argument, and for each call. So a hook has the same budget whichever way it runs.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{ASTFlags, Dynamic, Expr, FnCallExpr, FnPtr, ImmutableString, Position, Stmt, StmtBlock};

use super::super::symbols::each_statement_of;
use super::super::table::CHANGES;
use super::Lowered;
use super::code::{
    AssignIn, Block, Body, Call, Chain, Closure, Each, EachWord, For, Link, MapLiteral, Native, Node, Operator, Slot, Step, Switch, Verb,
    Word, WordCall,
};
use super::natives::chooser;
use super::value::Value;
use crate::Program;

/// How the names begin under which closures know values: see [`super::super::locked`].
const VALUE: &str = "value__";
/// Words that the engine runs itself, or that print.
const OF_THE_ENGINE: [&str; 12] = [
    "call",
    "curry",
    "debug",
    "eval",
    "Fn",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "print",
    "type_of",
    "to_debug",
    "this",
];

/// What one function becomes while it is read.
struct Lowering<'a> {
    program: &'a Program,
    lowered: &'a Lowered,
    /// The variables in sight, the nearest last.
    variables: Vec<Variable>,
    /// The most variables there are at the same time.
    most: usize,
    slots: Slot,
}

#[derive(Clone)]
struct Variable {
    name: ImmutableString,
    slot: Slot,
    is_constant: bool,
}

/// What is worked out, with its operations.
type Counted = (Node, u32);

/// Lowers a function of the scripts. None if it is not covered.
pub(super) fn lower(program: &Program, lowered: &Lowered, name: &str, parameters: usize) -> Option<Body> {
    let function = program.module.get_script_fn(name, parameters)?;
    let mut lowering = Lowering {
        program,
        lowered,
        variables: Vec::new(),
        most: 0,
        slots: 0,
    };
    for parameter in &function.params {
        lowering.declare(parameter, false);
    }
    let mut statements = Vec::new();
    each_statement_of(function, |statement| statements.push(statement.clone()));
    let block = lowering.statements(statements.iter());
    let is_covered = !matches!(block.0.first(), Some(Step { node: Node::Abandon, .. })) && lowering.most <= program.limits.variables;
    is_covered.then_some(Body {
        name: name.into(),
        slots: lowering.slots,
        block,
    })
}

/// The line of a position; 0 where there is none.
fn line_of(position: Position) -> u32 {
    position.line().map_or(0, |line| u32::try_from(line).unwrap_or(0))
}

fn is_literal(expression: &Expr) -> bool {
    expression.get_literal_value(None).is_some()
}

/// A map of entries as they are written. No two keys are the same.
fn literal_of(entries: Vec<(ImmutableString, Node)>) -> MapLiteral {
    let mut keys: Vec<ImmutableString> = entries.iter().map(|(key, _)| key.clone()).collect();
    keys.sort_unstable();
    let place = |key: &ImmutableString| keys.binary_search(key).unwrap_or_default();
    let values = entries.into_iter().map(|(key, node)| (place(&key), node)).collect();
    MapLiteral {
        values,
        keys: Rc::new(keys),
    }
}

/// Whether an argument is the same whenever it is worked out in a chain.
fn is_plain(node: &Node) -> bool {
    match node {
        Node::Constant(_) | Node::Local(_) => true,
        Node::Not(inside) | Node::Negate(inside) => is_plain(inside),
        Node::Binary(_, sides) => sides.iter().all(is_plain),
        _ => false,
    }
}

impl Lowering<'_> {
    fn declare(&mut self, name: &str, is_constant: bool) -> Slot {
        let slot = self.slots;
        self.slots += 1;
        self.variables.push(Variable {
            name: name.into(),
            slot,
            is_constant,
        });
        self.most = self.most.max(self.variables.len());
        slot
    }

    /// The variable that a name stands for, if it is one.
    fn find(&self, name: &str) -> Option<&Variable> {
        let find = |name: &str| self.variables.iter().rev().find(|variable| variable.name == name);
        std::iter::successors(Some(name), |name| name.strip_prefix(VALUE)).find_map(find)
    }

    fn block(&mut self, block: &StmtBlock) -> Block {
        self.statements(block.statements().iter())
    }

    fn statements<'s>(&mut self, statements: impl Iterator<Item = &'s Stmt>) -> Block {
        let outside = self.variables.len();
        let steps = statements.map(|statement| self.statement(statement)).collect();
        self.variables.truncate(outside);
        Block(steps)
    }

    fn statement(&mut self, statement: &Stmt) -> Step {
        let (node, operations) = self.statement_node(statement).unwrap_or((Node::Abandon, 0));
        Step {
            operations: operations + 1,
            line: line_of(statement.position()),
            node,
        }
    }

    /// A statement, with its operations but for the one of each statement.
    fn statement_node(&mut self, statement: &Stmt) -> Option<Counted> {
        Some(match statement {
            Stmt::Noop(_) | Stmt::Share(_) => (Node::Constant(Value::Unit), 0),
            Stmt::Expr(expression) => self.expression(expression)?,
            Stmt::FnCall(call, _) => self.call(call)?,
            Stmt::Block(block) => (Node::Block(self.block(block)), 0),
            Stmt::If(flow, _) => {
                let (condition, operations) = self.expression(&flow.expr)?;
                let branches = (self.block(&flow.body), self.block(&flow.branch));
                (Node::If(Box::new((condition, branches.0, branches.1))), operations)
            }
            Stmt::Switch(parts, position) => {
                let (value, cases) = &**parts;
                let (value, operations) = self.expression(value)?;
                let mut steps = Vec::new();
                for case in &cases.expressions {
                    if !matches!(case.lhs, Expr::BoolConstant(true, _)) {
                        return None;
                    }
                    let (node, operations) = self.expression(&case.rhs)?;
                    let line = line_of(case.rhs.position());
                    steps.push(Step { operations, line, node });
                }
                let switch = Switch {
                    value,
                    cases: steps.into(),
                    chooser: chooser(self.program, cases, *position)?,
                    known: RefCell::default(),
                };
                (Node::Switch(Box::new(switch)), operations)
            }
            Stmt::While(flow, _) if flow.body.is_empty() => return None,
            Stmt::While(flow, _) if matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _)) => {
                (Node::Loop(self.block(&flow.body)), 0)
            }
            Stmt::While(flow, _) => {
                let (node, operations) = self.expression(&flow.expr)?;
                let line = line_of(flow.expr.position());
                let condition = Step { operations, line, node };
                (Node::While(Box::new((condition, self.block(&flow.body)))), 0)
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                let (over, operations) = match self.steps(&flow.expr) {
                    Some(steps) => steps,
                    None => self.expression(&flow.expr)?,
                };
                if flow.body.is_empty() {
                    return None;
                }
                let outside = self.variables.len();
                let counter = counter.as_ref().map(|counter| self.declare(&counter.name, false));
                let item = self.declare(&item.name, false);
                let block = self.block(&flow.body);
                self.variables.truncate(outside);
                let parts = For {
                    over,
                    item,
                    counter,
                    block,
                };
                (Node::For(Box::new(parts)), operations)
            }
            Stmt::Var(parts, options, _) => {
                let (name, value, _) = &**parts;
                let (value, operations) = self.expression(value)?;
                let slot = self.declare(&name.name, options.intersects(ASTFlags::CONSTANT));
                (Node::Let(slot, Box::new(value)), operations)
            }
            Stmt::Assignment(parts) => {
                let (operation, sides) = &**parts;
                let operator = match operation.get_op_assignment_info() {
                    Some((.., operator)) => Some(Operator::of(operator)?),
                    None => None,
                };
                let (value, operations) = self.expression(&sides.rhs)?;
                if let Expr::Variable(name, ..) = &sides.lhs {
                    let slot = self.find(&name.1).filter(|variable| !variable.is_constant)?.slot;
                    return Some((Node::Assign(slot, operator, Box::new(value)), operations + 1));
                }
                let (chain, of_chain) = self.chain(&sides.lhs)?;
                if !self.is_changeable(&chain.base) {
                    return None;
                }
                (Node::AssignIn(Box::new(AssignIn { value, operator, chain })), operations + of_chain)
            }
            Stmt::Return(_, options, _) if options.intersects(ASTFlags::BREAK) => return None,
            Stmt::Return(value, ..) => match value {
                Some(value) => {
                    let (value, operations) = self.expression(value)?;
                    (Node::Return(Some(Box::new(value))), operations)
                }
                None => (Node::Return(None), 0),
            },
            Stmt::BreakLoop(value, options, _) => match value {
                _ if !options.intersects(ASTFlags::BREAK) => (Node::Continue, 0),
                Some(value) => {
                    let (value, operations) = self.expression(value)?;
                    (Node::Break(Some(Box::new(value))), operations)
                }
                None => (Node::Break(None), 0),
            },
            _ => return None,
        })
    }

    /// The call `range(from, to, step)` of the engine, with its operations.
    fn steps(&mut self, expression: &Expr) -> Option<Counted> {
        let Expr::FnCall(call, _) = expression else { return None };
        let [from, to, step] = call.args.as_slice() else { return None };
        let is_own = self.program.module.get_script_fn("range", 3).is_some();
        if call.name != "range" || is_own || call.is_qualified() || call.capture_parent_scope {
            return None;
        }
        let (from, of_from) = self.argument(from)?;
        let (to, of_to) = self.argument(to)?;
        let (step, of_step) = self.argument(step)?;
        // The expression, and the call.
        Some((Node::Steps(Box::new([from, to, step])), of_from + of_to + of_step + 2))
    }

    /// Whether a variable may be changed in place.
    fn is_changeable(&self, base: &Node) -> bool {
        let Node::Local(slot) = base else { return false };
        self.variables
            .iter()
            .any(|variable| variable.slot == *slot && !variable.is_constant)
    }

    /// An expression with its operations.
    fn expression(&mut self, expression: &Expr) -> Option<Counted> {
        let (node, operations) = self.inside(expression)?;
        Some((node, operations + 1))
    }

    /// An argument: constant lists and maps are there at once.
    fn argument(&mut self, expression: &Expr) -> Option<Counted> {
        if !is_literal(expression) {
            return self.expression(expression);
        }
        let (node, _) = self.inside(expression)?;
        Some((node, 1))
    }

    /// An expression with its operations but for the one of each expression.
    fn inside(&mut self, expression: &Expr) -> Option<Counted> {
        Some(match expression {
            Expr::Unit(_) => (Node::Constant(Value::Unit), 0),
            Expr::BoolConstant(truth, _) => (Node::Constant(Value::Bool(*truth)), 0),
            Expr::IntegerConstant(number, _) => (Node::Constant(Value::Int(*number)), 0),
            Expr::CharConstant(character, _) => (Node::Constant(Value::Char(*character)), 0),
            Expr::StringConstant(text, _) => (Node::Constant(Value::Text(text.clone())), 0),
            Expr::Variable(parts, ..) => (self.variable(&parts.1)?, 0),
            Expr::InterpolatedString(parts, _) => {
                let (parts, operations) = self.all(parts.iter())?;
                (Node::Text(parts), operations)
            }
            Expr::Array(items, _) => {
                let (items, operations) = self.all(items.iter())?;
                (Node::List(items), operations)
            }
            Expr::Map(parts, _) => {
                let mut entries = Vec::new();
                let mut sum = 0;
                for (key, value) in &parts.0 {
                    let (value, operations) = self.expression(value)?;
                    sum += operations;
                    entries.push((key.name.clone(), value));
                }
                (Node::Map(Box::new(literal_of(entries))), sum)
            }
            Expr::And(operands, _) => {
                let (first, rest, operations) = self.operands(operands)?;
                (Node::And(first, rest), operations)
            }
            Expr::Or(operands, _) => {
                let (first, rest, operations) = self.operands(operands)?;
                (Node::Or(first, rest), operations)
            }
            Expr::Coalesce(operands, _) => {
                let (first, rest, operations) = self.operands(operands)?;
                (Node::Coalesce(first, rest), operations)
            }
            Expr::Stmt(block) => match block.statements() {
                [Stmt::If(..) | Stmt::Expr(_) | Stmt::FnCall(..)] => {
                    let step = self.statement(block.statements().first()?);
                    (step.node, step.operations)
                }
                _ => (Node::Block(self.block(block)), 0),
            },
            Expr::FnCall(call, _) => self.call(call)?,
            Expr::Dot(..) | Expr::Index(..) => self.read_chain(expression)?,
            _ => return None,
        })
    }

    fn all<'s>(&mut self, expressions: impl Iterator<Item = &'s Expr>) -> Option<(Box<[Node]>, u32)> {
        let mut sum = 0;
        let mut nodes = Vec::new();
        for expression in expressions {
            let (node, operations) = self.expression(expression)?;
            sum += operations;
            nodes.push(node);
        }
        Some((nodes.into(), sum))
    }

    fn operands(&mut self, operands: &[Expr]) -> Option<(Box<Node>, Box<[Step]>, u32)> {
        let (first, rest) = operands.split_first()?;
        let (first, operations) = self.expression(first)?;
        let mut steps = Vec::new();
        for operand in rest {
            let (node, operations) = self.expression(operand)?;
            let line = line_of(operand.position());
            steps.push(Step { operations, line, node });
        }
        Some((Box::new(first), steps.into(), operations))
    }

    fn variable(&self, name: &str) -> Option<Node> {
        if let Some(variable) = self.find(name) {
            return Some(Node::Local(variable.slot));
        }
        let constant = self.program.constants.find(name.trim_start_matches(VALUE))?;
        if constant.is_fnptr() {
            return None;
        }
        Some(Node::Constant(Lowered::constant(&constant)))
    }

    fn call(&mut self, call: &FnCallExpr) -> Option<Counted> {
        if call.is_qualified() || call.capture_parent_scope {
            return None;
        }
        let name = call.name.as_str();
        if call.is_operator_call() {
            return match call.args.as_slice() {
                [operand] => {
                    let (operand, operations) = self.argument(operand)?;
                    let operand = Box::new(operand);
                    match name {
                        "!" => Some((Node::Not(operand), operations)),
                        "-" => Some((Node::Negate(operand), operations)),
                        _ => None,
                    }
                }
                [left, right] => {
                    let operator = Operator::of(name)?;
                    let (left, of_left) = self.argument(left)?;
                    let (right, of_right) = self.argument(right)?;
                    Some((Node::Binary(operator, Box::new([left, right])), of_left + of_right))
                }
                _ => None,
            };
        }
        if OF_THE_ENGINE.contains(&name) {
            return None;
        }
        let mut sum = 0;
        let mut arguments = Vec::new();
        let is_first_last = matches!(call.args.first(), Some(Expr::Variable(..)));
        for argument in &call.args {
            let (argument, operations) = self.argument(argument)?;
            sum += operations;
            arguments.push(argument);
        }
        if let Some(function) = self.program.module.get_script_fn(name, arguments.len()) {
            let is_empty = {
                let mut count = 0;
                each_statement_of(function, |_| count += 1);
                count == 0
            };
            if is_empty {
                return None;
            }
            let parts = Call {
                function: self.lowered.callee(name, arguments.len()),
                is_first_last: is_first_last && !arguments.iter().all(is_plain),
                arguments: arguments.into(),
            };
            return Some((Node::Call(Box::new(parts)), sum + 1));
        }
        if is_first_last && is_changing(name, arguments.len()) {
            return None;
        }
        let mut arguments = arguments.into_iter();
        let object = arguments.next();
        let parts = WordCall {
            word: Word {
                name: name.into(),
                verb: Verb::of(name),
                is_method: false,
                links: 0,
                native: Native::default(),
            },
            object,
            arguments: arguments.collect(),
        };
        Some((Node::Word(Box::new(parts)), sum))
    }

    /// A chain that is read: nested where that comes to the same.
    fn read_chain(&mut self, expression: &Expr) -> Option<Counted> {
        let (chain, operations) = self.chain(expression)?;
        let changes = match chain.links.last() {
            Some(Link::Word(word, from, to)) => is_changing(&word.name, to - from + 1),
            _ => false,
        };
        let with_arguments = chain.links.iter().filter(|link| match link {
            Link::Property(_) => false,
            Link::Index(_) => true,
            Link::Each(each) => each.first.is_some(),
            Link::Word(_, from, to) => from != to,
        });
        let is_nested = with_arguments.count() <= 1 || chain.arguments.iter().all(is_plain);
        if changes || !is_nested {
            // What is changed in place has to be a variable that may be, or nobody's.
            if changes && matches!(chain.base, Node::Local(_)) && !self.is_changeable(&chain.base) {
                return None;
            }
            return Some((Node::Chain(Box::new(chain)), operations));
        }
        Some((nested(chain), operations))
    }

    /// The parts of a chain with its operations, but for the one of the expression itself.
    fn chain(&mut self, expression: &Expr) -> Option<(Chain, u32)> {
        let (sides, flags) = match expression {
            Expr::Dot(sides, flags, _) | Expr::Index(sides, flags, _) => (sides, *flags),
            _ => return None,
        };
        let mut operations = 0;
        let mut arguments = Vec::new();
        let mut links = Vec::new();
        let mut parent = (matches!(expression, Expr::Index(..)), flags);
        let mut rest = &sides.rhs;
        let is_short = match rest {
            Expr::Property(..) if !parent.0 => true,
            Expr::MethodCall(call, _) if !parent.0 => call.args.is_empty(),
            _ => parent.0 && is_literal(rest),
        };
        loop {
            let (is_index, flags) = parent;
            if flags.intersects(ASTFlags::NEGATED) {
                return None;
            }
            if !is_short {
                operations += 1;
            }
            match rest {
                Expr::Dot(inner, inner_flags, _) | Expr::Index(inner, inner_flags, _) if !flags.intersects(ASTFlags::BREAK) => {
                    operations += self.link(&inner.lhs, is_index, &mut links, &mut arguments)?;
                    parent = (matches!(rest, Expr::Index(..)), *inner_flags);
                    rest = &inner.rhs;
                }
                last => {
                    let of_link = self.link(last, is_index, &mut links, &mut arguments)?;
                    operations += if is_short { 0 } else { of_link };
                    break;
                }
            }
        }
        let before = links.len().saturating_sub(1);
        match links.last_mut() {
            Some(Link::Word(word, ..)) => word.links = before,
            Some(Link::Each(each)) => each.links = before,
            _ => {}
        }
        let (base, of_base) = self.expression(&sides.lhs)?;
        let chain = Chain {
            arguments: arguments.into(),
            base,
            links: links.into(),
        };
        Some((chain, operations + of_base))
    }

    /// One link of a chain, with the operations of its arguments.
    fn link(&mut self, expression: &Expr, is_index: bool, links: &mut Vec<Link>, arguments: &mut Vec<Node>) -> Option<u32> {
        if is_index {
            let (index, operations) = self.expression(expression)?;
            links.push(Link::Index(arguments.len()));
            arguments.push(index);
            return Some(operations);
        }
        match expression {
            Expr::Property(parts, _) => {
                links.push(Link::Property(self.lowered.property(self.program, &parts.2)));
                Some(0)
            }
            Expr::MethodCall(call, _) => {
                let name = call.name.as_str();
                let is_own = self.program.module.get_script_fn(name, call.args.len()).is_some();
                if OF_THE_ENGINE.contains(&name) || is_own {
                    return None;
                }
                if let Some(word) = EachWord::of(name, call.args.len())
                    && let [closure, rest @ ..] = call.args.as_slice()
                    && self.is_closure(closure)
                {
                    let (closure, mut sum) = self.closure(closure, if word == EachWord::Reduce { 2 } else { 1 })?;
                    let first = match rest.first() {
                        Some(first) => {
                            let (first, operations) = self.argument(first)?;
                            sum += operations;
                            arguments.push(first);
                            Some(arguments.len() - 1)
                        }
                        None => None,
                    };
                    links.push(Link::Each(Each {
                        word,
                        closure,
                        links: 0,
                        first,
                    }));
                    return Some(sum);
                }
                let (from, mut sum) = (arguments.len(), 0);
                for argument in &call.args {
                    let (argument, operations) = self.argument(argument)?;
                    sum += operations;
                    arguments.push(argument);
                }
                let word = Word {
                    name: name.into(),
                    verb: Verb::of(name),
                    is_method: true,
                    links: 0,
                    native: Native::default(),
                };
                links.push(Link::Word(word, from, arguments.len()));
                Some(sum)
            }
            _ => None,
        }
    }

    /// Whether an argument is a closure or a function of the scripts.
    fn is_closure(&self, expression: &Expr) -> bool {
        match expression {
            Expr::DynamicConstant(value, _) => value.is_fnptr(),
            Expr::Stmt(block) => matches!(block.statements(), [Stmt::Share(_), Stmt::Expr(last)] if is_curry(last)),
            Expr::Variable(parts, ..) => {
                let is_function = |value: Dynamic| value.is_fnptr();
                self.find(&parts.1).is_none() && self.program.constants.find(&parts.1).is_some_and(is_function)
            }
            _ => false,
        }
    }

    /// A closure, with the operations of making it.
    fn closure(&mut self, expression: &Expr, parameters: usize) -> Option<(Closure, u32)> {
        match expression {
            Expr::DynamicConstant(value, _) => Some((self.anonymous(value, &[], parameters)?, 1)),
            Expr::Variable(parts, ..) => {
                let found = self.program.constants.find(&parts.1)?;
                let name = found.read_lock::<FnPtr>()?.fn_name().to_owned();
                self.program.module.get_script_fn(&*name, parameters)?;
                Some((Closure::Function(self.lowered.callee(&name, parameters)), 1))
            }
            Expr::Stmt(block) => {
                let [Stmt::Share(_), Stmt::Expr(last)] = block.statements() else {
                    return None;
                };
                let Expr::FnCall(curry, _) = &**last else { return None };
                let (pointer, captured) = curry.args.split_first()?;
                let Expr::DynamicConstant(value, _) = pointer else { return None };
                let names: Option<Vec<&ImmutableString>> = captured
                    .iter()
                    .map(|variable| match variable {
                        Expr::Variable(parts, ..) => Some(&parts.1),
                        _ => None,
                    })
                    .collect();
                let closure = self.anonymous(value, &names?, parameters)?;
                // The block, the sharing, the statement and the call, the function in it and each variable.
                Some((closure, 5 + captured.len() as u32))
            }
            _ => None,
        }
    }

    fn anonymous(&mut self, pointer: &Dynamic, captured: &[&ImmutableString], parameters: usize) -> Option<Closure> {
        let pointer = pointer.read_lock::<FnPtr>()?;
        if pointer.is_curried() {
            return None;
        }
        let function = self.program.module.get_script_fn(pointer.fn_name(), captured.len() + parameters)?;
        let outside = self.variables.len();
        for name in captured {
            // What is no variable is a constant, which the closure finds as everyone does.
            if let Some(variable) = self.find(name).cloned() {
                self.variables.push(Variable {
                    name: (*name).clone(),
                    ..variable
                });
            }
        }
        let own: Box<[Slot]> = function
            .params
            .iter()
            .skip(captured.len())
            .map(|name| self.declare(name, false))
            .collect();
        let mut statements = Vec::new();
        each_statement_of(function, |statement| statements.push(statement.clone()));
        let block = if statements.is_empty() {
            None
        } else {
            Some(self.statements(statements.iter()))
        };
        self.variables.truncate(outside);
        Some(Closure::Inline {
            parameters: own,
            block: block?,
        })
    }
}

/// Whether a word with so many arguments, the object among them, may change what it works on.
fn is_changing(name: &str, arguments: usize) -> bool {
    CHANGES.contains(&(name, arguments))
}

fn is_curry(expression: &Expr) -> bool {
    matches!(expression, Expr::FnCall(call, _) if call.name == "curry")
}

/// A chain as nodes in nodes.
fn nested(chain: Chain) -> Node {
    let mut arguments: Vec<Option<Node>> = chain.arguments.into_iter().map(Some).collect();
    let mut take = |index: usize| arguments.get_mut(index).and_then(Option::take).unwrap_or(Node::Abandon);
    chain.links.into_iter().fold(chain.base, |object, link| match link {
        Link::Property(property) => Node::Get(Box::new((object, property))),
        Link::Index(index) => Node::Index(Box::new([object, take(index)])),
        Link::Word(word, from, to) => Node::Word(Box::new(WordCall {
            word,
            object: Some(object),
            arguments: (from..to).map(&mut take).collect(),
        })),
        Link::Each(each) => {
            let first = each.first.map(&mut take);
            Node::Each(Box::new((each, object, first)))
        }
    })
}
