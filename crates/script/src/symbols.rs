//! Reading what scripts do out of their syntax trees, and refusing what the sandbox does not allow.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, FnPtr, Ident, Module, Position, ScriptFuncDef, Shared, Stmt, StmtBlock};

use super::comparisons::Comparisons;
use super::limits::Limits;
use super::lines::LineMap;
use super::locked::variable_of;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::rule_number;
use boardwright_ruleset::{BodySymbols, CallSite, LostCall, SCRIPT_ENDING};

/// What scripts are read by.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) lines: &'a LineMap,
    pub(crate) limits: &'a Limits,
    /// Natives that take closures.
    pub(crate) takers: &'a BTreeSet<String>,
}

/// Functions of scripts, with the numbers of their parameters.
pub(crate) type Signatures = BTreeSet<(String, usize)>;

/// What each function and closure does, with its name and the line it starts in. Looks for what is not allowed on the way.
pub(crate) fn read_bodies<'a>(
    rules: Rules<'_>,
    scripts: &Signatures,
    asts: impl IntoIterator<Item = &'a AST>,
    problems: &mut Diagnostics,
) -> Vec<(String, usize, Body)> {
    let mut reader = Reader::new(rules, scripts, problems);
    let mut bodies = Vec::new();
    for ast in asts {
        for (_, _, name, _, function) in ast.shared_lib().iter_script_fn_info() {
            let line = function.body.start_position().line().unwrap_or(0);
            bodies.push((name.to_owned(), line, reader.function(function)));
        }
    }
    let captures = reader.captures;
    for (name, _, body) in &mut bodies {
        let Some(captured) = captures.get(name) else { continue };
        for change in body.changes.iter().filter(|change| captured.contains(&change.name)) {
            if change.is_inside {
                let message = format!(
                    "a closure changes what is in `{}`, which belongs to the function around it",
                    change.name
                );
                let help = "let the closure return a value, or use a loop";
                problems.push(Diagnostic::error(Code::Forbidden, message).at(change.place.clone()).with_help(help));
            }
            body.outline.shared.push((change.name.clone(), change.place.clone()));
        }
    }
    bodies
}

/// What the value of a constant is made of.
pub(crate) fn read_constant(rules: Rules<'_>, scripts: &Signatures, value: &Expr, problems: &mut Diagnostics) -> BodySymbols {
    let mut reader = Reader::new(rules, scripts, problems);
    reader.expression(value, None);
    reader.finish().outline
}

/// A walk through scripts.
struct Reader<'a> {
    rules: Rules<'a>,
    scripts: &'a Signatures,
    /// What is not allowed.
    problems: &'a mut Diagnostics,
    /// The variables each closure takes from around it.
    captures: BTreeMap<String, BTreeSet<String>>,
    /// The parameters of the closure being read. Those that are not written down are variables from around it.
    inside: Vec<String>,
    body: BodySymbols,
    changes: Vec<Change>,
    comparisons: Comparisons,
}

/// An assignment.
pub(crate) struct Change {
    name: String,
    place: Location,
    /// Whether it changes something in the variable rather than the variable.
    is_inside: bool,
}

/// What a function does, and what it changes.
pub(crate) struct Body {
    pub(crate) outline: BodySymbols,
    changes: Vec<Change>,
}

impl<'a> Reader<'a> {
    fn new(rules: Rules<'a>, scripts: &'a Signatures, problems: &'a mut Diagnostics) -> Self {
        Self {
            rules,
            scripts,
            problems,
            captures: BTreeMap::new(),
            inside: Vec::new(),
            body: BodySymbols::default(),
            changes: Vec::new(),
            comparisons: Comparisons::default(),
        }
    }

    /// Reads a function.
    fn function(&mut self, function: &Shared<ScriptFuncDef>) -> Body {
        let is_closure = function.name.starts_with("anon$");
        let params = function.params.iter().map(ToString::to_string);
        for param in &function.params {
            self.comparisons.unknown(param);
        }
        let start = self.place(function.body.start_position());
        let written = function.params.iter().filter(|_| !is_closure);
        self.body.variables.extend(written.map(|param| (param.to_string(), start.clone())));
        self.inside = if is_closure { params.collect() } else { Vec::new() };
        let mut pending = 0;
        let mut count = 0;
        each_statement_of(function, |_| count += 1);
        each_statement_of(function, |statement| {
            count -= 1;
            pending = pending.max(self.statement(statement, count == 0));
        });
        if pending > self.rules.limits.pending {
            let message = format!(
                "`{}` holds {pending} values at once in one expression, more than {}",
                function.name, self.rules.limits.pending
            );
            let help = "keep steps of it in variables";
            self.problem(Code::TooComplex, message, function.body.start_position(), help);
        }
        self.finish()
    }

    fn finish(&mut self) -> Body {
        self.body.comparisons = std::mem::take(&mut self.comparisons).known();
        Body {
            outline: std::mem::take(&mut self.body),
            changes: std::mem::take(&mut self.changes),
        }
    }

    fn place(&self, position: Position) -> Location {
        self.rules.lines.spot(position).unwrap_or_else(|| Location::file(""))
    }

    fn problem(&mut self, code: Code, message: impl Into<String>, position: Position, help: &str) {
        self.problems.push(
            Diagnostic::error(code, message)
                .at(self.rules.lines.place(position))
                .with_help(help),
        );
    }

    /// How many values are held at once at most while a block runs.
    fn block(&mut self, block: &StmtBlock, is_value: bool) -> usize {
        let last = block.len().saturating_sub(1);
        let statements = block.iter().enumerate();
        statements
            .map(|(index, statement)| self.statement(statement, is_value && index == last))
            .max()
            .unwrap_or(0)
    }

    /// Reads a statement; `is_value` says that its value is that of the block, and that something may take it.
    fn statement(&mut self, statement: &Stmt, is_value: bool) -> usize {
        if !is_value {
            self.lost(statement);
        }
        match statement {
            Stmt::If(flow, _) => {
                let condition = self.expression(&flow.expr, None);
                let (body, branch) = (self.block(&flow.body, is_value), self.block(&flow.branch, is_value));
                condition.max(body).max(branch)
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                let condition = self.expression(&flow.expr, None);
                condition.max(self.block(&flow.body, false))
            }
            Stmt::TryCatch(flow, _) => {
                if let Expr::Variable(caught, ..) = &flow.expr {
                    self.comparisons.unknown(&caught.1);
                }
                let body = self.block(&flow.body, is_value);
                body.max(self.block(&flow.branch, is_value))
            }
            Stmt::Switch(parts, _) => {
                let (value, cases) = &**parts;
                let mut pending = self.expression(value, None);
                for case in &cases.expressions {
                    pending = pending
                        .max(1 + self.expression(&case.lhs, None))
                        .max(1 + self.expression(&case.rhs, None));
                }
                pending
            }
            Stmt::For(parts, _) => {
                self.variable(&parts.0);
                self.comparisons.unknown(&parts.0.name);
                let list = self.expression(&parts.2.expr, None);
                list.max(1 + self.block(&parts.2.body, false))
            }
            Stmt::Var(parts, ..) => {
                self.variable(&parts.0);
                self.comparisons.assign(&parts.0.name, &parts.1);
                self.expression(&parts.1, None)
            }
            Stmt::Assignment(parts) => {
                let (_, sides) = &**parts;
                if let Some((name, position)) = root(&sides.lhs) {
                    let is_inside = !matches!(sides.lhs, Expr::Variable(..));
                    let place = self.place(position);
                    if matches!(sides.lhs, Expr::Index(..)) {
                        self.body.changed.push(name.clone());
                    }
                    self.changes.push(Change { name, place, is_inside });
                }
                if let Expr::Variable(changed, ..) = &sides.lhs {
                    self.comparisons.assign(&changed.1, &sides.rhs);
                }
                let reads = self.body.reads.len();
                let left = self.expression(&sides.lhs, None);
                if matches!(sides.lhs, Expr::Variable(..)) && !parts.0.is_op_assignment() {
                    self.body.reads.truncate(reads);
                }
                self.expression(&sides.rhs, None) + left
            }
            Stmt::FnCall(call, position) => self.call(call, *position, false),
            Stmt::Block(block) => self.block(block, is_value),
            Stmt::Expr(expression) => self.expression(expression, None),
            Stmt::BreakLoop(value, ..) | Stmt::Return(value, ..) => value.as_ref().map_or(0, |value| self.expression(value, None)),
            Stmt::Import(_, position) => {
                self.problem(
                    Code::Forbidden,
                    "an import inside a function",
                    *position,
                    "imports stand at the top of a file",
                );
                0
            }
            Stmt::Export(_, position) => {
                self.problem(
                    Code::Forbidden,
                    "`export` has no use here",
                    *position,
                    "constants and functions are seen without it",
                );
                0
            }
            _ => 0,
        }
    }

    /// Notes a call whose value nothing takes.
    fn lost(&mut self, statement: &Stmt) {
        let (call, position, is_method) = match statement {
            Stmt::FnCall(call, position) => (&**call, *position, false),
            Stmt::Expr(expression) => match last_call(expression) {
                Some(found) => found,
                None => return,
            },
            _ => return,
        };
        let variable = |argument: &Expr| match argument {
            Expr::Variable(parts, ..) => Some(variable_of(&parts.1).unwrap_or(&parts.1).to_owned()),
            _ => None,
        };
        if call.namespace.is_empty() {
            let place = self.place(position);
            self.body.lost.push(LostCall {
                name: call.name.to_string(),
                variables: call.args.iter().map(variable).collect(),
                is_method,
                place,
            });
        }
    }

    fn variable(&mut self, name: &Ident) {
        let place = self.place(name.pos);
        self.body.variables.push((name.name.to_string(), place));
    }

    fn list<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>) -> usize {
        1 + items.into_iter().map(|item| self.expression(item, None)).max().unwrap_or(0)
    }

    /// Reads an expression; as an argument with the name of the call, and how many it has.
    fn expression(&mut self, expression: &Expr, argument_of: Option<(&str, usize)>) -> usize {
        match expression {
            Expr::IntegerConstant(number, position) => {
                let place = self.place(*position);
                self.body.numbers.push((*number, place));
                1
            }
            Expr::Variable(parts, short, position) => {
                let (index, name, namespace, _) = &**parts;
                if !namespace.is_empty() {
                    let place = self.place(*position);
                    self.body.names.push((format!("{namespace}::{name}"), place));
                } else if index.is_none() && short.is_none() && !self.is_inside(name) && variable_of(name).is_none() {
                    let place = self.place(*position);
                    self.body.names.push((name.to_string(), place));
                } else {
                    let place = self.place(*position);
                    self.body.reads.push((variable_of(name).unwrap_or(name).to_owned(), place));
                }
                1
            }
            Expr::InterpolatedString(items, _) | Expr::Array(items, _) => self.list(items.iter()),
            Expr::Map(entries, _) => {
                for (_, value) in entries.0.iter().filter(|(key, _)| key.name == RULE_KEY) {
                    self.rule(value);
                }
                self.list(entries.0.iter().map(|(_, value)| value))
            }
            Expr::And(items, _) | Expr::Or(items, _) | Expr::Coalesce(items, _) => self.list(items.iter()) - 1,
            Expr::FnCall(call, position) => self.call(call, *position, false),
            Expr::MethodCall(call, position) => self.call(call, *position, true),
            Expr::Dot(sides, ..) | Expr::Index(sides, ..) => {
                self.property(&sides.lhs, &sides.rhs);
                if let (Expr::Variable(parts, ..), Expr::MethodCall(call, _)) = (&sides.lhs, &sides.rhs)
                    && OF_LISTS.contains(&call.name.as_str())
                {
                    self.body.changed.push(parts.1.to_string());
                }
                self.expression(&sides.lhs, None) + self.expression(&sides.rhs, None)
            }
            Expr::Stmt(block) => {
                if let Some(Stmt::Share(captured)) = block.iter().next() {
                    for (name, _) in captured.iter() {
                        self.comparisons.unknown(&name.name);
                    }
                    // What has no index is a constant, or the name of a function, or itself taken from around a closure.
                    let takes = |(name, index): &&(Ident, _)| Option::is_some(index) || self.is_inside(&name.name);
                    if let Some((name, _)) = captured.iter().find(takes) {
                        self.capturing(argument_of, &name.name, name.pos);
                    }
                }
                self.block(block, true)
            }
            Expr::ThisPtr(position) => {
                self.problem(
                    Code::Forbidden,
                    "`this` has no use here",
                    *position,
                    "give the function the value as an argument",
                );
                1
            }
            Expr::Property(..) => 0,
            _ => 1,
        }
    }

    /// Notes `variable.name`, also at the beginning of a longer chain.
    fn property(&mut self, object: &Expr, rest: &Expr) {
        let name = match rest {
            Expr::Dot(sides, ..) | Expr::Index(sides, ..) => &sides.lhs,
            name => name,
        };
        if let (Expr::Variable(parts, ..), Expr::Property(property, position)) = (object, name) {
            let place = self.place(*position);
            let variable = variable_of(&parts.1).unwrap_or(&parts.1);
            self.body.properties.push((variable.to_owned(), property.2.to_string(), place));
        }
    }

    /// A closure that uses variables from around it may only be handed to a native that calls it on the spot: kept, it could hold
    /// itself, and the memory would never be given back.
    fn capturing(&mut self, argument_of: Option<(&str, usize)>, variable: &str, position: Position) {
        let allowed = argument_of
            .is_some_and(|(name, arguments)| self.rules.takers.contains(name) && !self.scripts.contains(&(name.to_owned(), arguments)));
        if !allowed {
            let message = format!("a closure that uses `{variable}` from around it is kept or passed on");
            let help = "such a closure can only be an argument of a function like `filter` or `map`; use a loop or a named function";
            self.problem(Code::Forbidden, message, position, help);
        }
    }

    fn call(&mut self, call: &FnCallExpr, position: Position, is_method: bool) -> usize {
        let name = if call.namespace.is_empty() {
            call.name.to_string()
        } else {
            format!("{}::{}", call.namespace, call.name)
        };
        if call.capture_parent_scope {
            self.problem(
                Code::Forbidden,
                format!("`{name}!(..)` lends all variables"),
                position,
                "pass what the function needs as arguments",
            );
        }
        if call.args.len() > self.rules.limits.arguments {
            let message = format!(
                "`{name}` is called with {} arguments, more than {}",
                call.args.len(),
                self.rules.limits.arguments
            );
            self.problem(Code::TooComplex, message, position, "pass a map");
        }
        if call.name == "curry" {
            self.closure(call);
        } else if !call.is_operator_call() {
            let place = self.place(position);
            let arguments = call.args.len() + usize::from(is_method);
            self.body.calls.push(CallSite {
                name,
                arguments,
                is_method,
                text: call.args.first().and_then(|argument| match argument {
                    Expr::StringConstant(text, _) => Some(text.to_string()),
                    _ => None,
                }),
                place,
            });
        }
        if let [left, right] = call.args.as_slice()
            && call.is_operator_call()
            && Comparisons::compares(&call.name)
        {
            self.comparisons.add(&call.name, left, right, self.place(position));
        }
        let cites = CITING.iter().find(|(citing, _)| *citing == call.name);
        if let Some(value) = cites.and_then(|(_, argument)| call.args.get(*argument)) {
            self.rule(value);
        }
        let mut pending = call.args.len();
        for (before, argument) in call.args.iter().enumerate() {
            pending = pending.max(before + self.expression(argument, Some((&call.name, call.args.len()))));
        }
        pending
    }

    /// Notes a text that is the number of a rule.
    fn rule(&mut self, value: &Expr) {
        if let Expr::StringConstant(text, position) = value
            && let Some(number) = rule_number(text)
        {
            let place = self.place(*position);
            self.body.rules.push((number.to_owned(), place));
        }
    }

    /// Whether a name is a parameter of the closure being read.
    fn is_inside(&self, name: &str) -> bool {
        self.inside.iter().any(|param| param == name)
    }

    /// Notes which variables a closure takes from around it.
    fn closure(&mut self, call: &FnCallExpr) {
        let [Expr::DynamicConstant(pointer, _), captured @ ..] = call.args.as_slice() else {
            return;
        };
        let Some(pointer) = pointer.read_lock::<FnPtr>() else { return };
        let names: Vec<_> = captured
            .iter()
            .filter_map(|variable| match variable {
                Expr::Variable(parts, short, _) if parts.0.is_some() || short.is_some() || self.is_inside(&parts.1) => {
                    Some(parts.1.to_string())
                }
                _ => None,
            })
            .collect();
        self.captures.entry(pointer.fn_name().to_owned()).or_default().extend(names);
    }
}

/// The call at the end of a chain of words, or a call alone.
fn last_call(expression: &Expr) -> Option<(&FnCallExpr, Position, bool)> {
    match expression {
        Expr::FnCall(call, position) if !call.is_operator_call() => Some((call, *position, false)),
        Expr::MethodCall(call, position) => Some((call, *position, true)),
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => last_call(&sides.rhs).filter(|(.., is_method)| *is_method),
        _ => None,
    }
}

/// Visits the statements of a program, and not those inside of them.
pub(crate) fn each_statement(ast: &AST, mut visit: impl FnMut(&Stmt)) {
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path {
            visit(statement);
        }
        true
    });
}

/// The same for a function: the only way to its statements is a program that has no other.
pub(crate) fn each_statement_of(function: &Shared<ScriptFuncDef>, visit: impl FnMut(&Stmt)) {
    let mut module = Module::new();
    module.set_script_fn(function.clone());
    each_statement(&AST::new([], module), visit);
}

/// The variable that an assignment changes.
fn root(target: &Expr) -> Option<(String, Position)> {
    match target {
        Expr::Variable(parts, _, position) => Some((parts.1.to_string(), *position)),
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => root(&sides.lhs),
        _ => None,
    }
}

/// Words that take the number of a rule, and which of their arguments it is.
const CITING: [(&str, usize); 5] = [("refuse", 0), ("rule", 0), ("draw", 0), ("win", 1), ("ranking", 1)];
/// The key under which declarations have it.
const RULE_KEY: &str = "rule";

/// Words that change a list, and are words of nothing else.
const OF_LISTS: [&str; 9] = ["push", "append", "insert", "pop", "shift", "truncate", "reverse", "sort", "dedup"];

/// Words by which lists and maps grow.
const GROWING: [&str; 4] = ["push", "append", "insert", "set"];

/// The variables of a file in whose insides something may grow: `list[0] = ..`, `map.a.b += ..`, `map.list.push(..)`. The engine
/// looks at the size of what is put in, but not at what it is put into.
pub(crate) fn grown_inside(ast: &AST) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let chain = match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(parts))) if !matches!(parts.1.lhs, Expr::Variable(..)) => Some(&parts.1.lhs),
            Some(ASTNode::Expr(chain @ (Expr::Dot(sides, ..) | Expr::Index(sides, ..)))) if grows(&sides.rhs) => Some(*chain),
            _ => None,
        };
        names.extend(chain.and_then(root).map(|(name, _)| name));
        true
    });
    names
}

/// Whether the rest of a chain leads further inside and ends in a word by which something grows.
fn grows(rest: &Expr) -> bool {
    match rest {
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => match &sides.rhs {
            Expr::MethodCall(call, _) => GROWING.contains(&call.name.as_str()),
            further => grows(further),
        },
        _ => false,
    }
}

/// What stands at the top level of a file.
#[derive(Default)]
pub(crate) struct TopLevel {
    pub(crate) constants: Vec<(String, Expr, Position)>,
    pub(crate) imports: Vec<Import>,
}

/// `import "path" as alias;`
#[derive(Clone)]
pub(crate) struct Import {
    /// The path without the ending of scripts.
    pub(crate) path: String,
    pub(crate) alias: String,
    pub(crate) position: Position,
}

/// Reads the top level of a file.
pub(crate) fn top_level(ast: &AST, lines: &LineMap, problems: &mut Diagnostics) -> TopLevel {
    let mut found = TopLevel::default();
    let mut problem = |code, message: &str, position, help: &str| {
        problems.push(Diagnostic::error(code, message).at(lines.place(position)).with_help(help));
    };
    for statement in ast.statements() {
        match statement {
            Stmt::Noop(_) => {}
            Stmt::Var(parts, flags, _) if flags.contains(ASTFlags::CONSTANT) => {
                found.constants.push((parts.0.name.to_string(), parts.1.clone(), parts.0.pos));
            }
            Stmt::Var(parts, ..) => {
                problem(
                    Code::TopLevelStatement,
                    "a variable outside of functions",
                    parts.0.pos,
                    "use `const`; what changes belongs to the match",
                );
            }
            Stmt::Import(parts, position) => match &parts.0 {
                Expr::StringConstant(path, _) if !parts.1.name.is_empty() => {
                    let path = path.strip_suffix(SCRIPT_ENDING).unwrap_or(path).to_owned();
                    found.imports.push(Import {
                        path,
                        alias: parts.1.name.to_string(),
                        position: *position,
                    });
                }
                _ => problem(
                    Code::Import,
                    "an import without a fixed path and a name",
                    *position,
                    "write `import \"path\" as name;`",
                ),
            },
            Stmt::Export(_, position) => {
                problem(
                    Code::Forbidden,
                    "`export` has no use here",
                    *position,
                    "constants and functions are seen without it",
                );
            }
            other => problem(
                Code::TopLevelStatement,
                "a statement outside of functions",
                other.position(),
                "at the top level of a file stand constants, imports and functions",
            ),
        }
    }
    found
}
