//! Variables that a closure uses while a word works on them.
//!
//! In `view.seats.all(|seat| may_go(view, seat))` the closure shares `view` with the function around it, the engine lends `view` out for as
//! long as the words behind it run, and then refuses the closure what is lent out. So such a closure takes the value of the variable in
//! place of the variable: inside of it the variable gets a name of its own, which nobody shares and which the resolver of variables knows.
//! A closure in that closure adds to the name once more.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, FnPtr, Position, Stmt};

use super::symbols::each_statement_of;
use super::table::CHANGES;

/// How the names begin under which closures know values.
const VALUE: &str = "value__";

/// The variable whose value has a name.
pub(crate) fn variable_of(name: &str) -> Option<&str> {
    let rest = name.strip_prefix(VALUE)?;
    Some(variable_of(rest).unwrap_or(rest))
}

/// The names under which the value of a name may be found, the nearest first.
pub(crate) fn origins(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(name.strip_prefix(VALUE), |name| name.strip_prefix(VALUE))
}

/// A function or a closure, as far as it matters here.
#[derive(Default)]
struct Body {
    variables: Vec<(String, Position)>,
    /// Variables that it makes or assigns to.
    own: BTreeSet<String>,
    /// The closures in it.
    closures: Vec<String>,
    /// Variables at the front of chains, with the closures that these chains hand on.
    fronts: Vec<(String, Vec<String>)>,
}

/// The places of names that have to be others, with these.
pub(crate) fn names_of_values(ast: &AST) -> Vec<(Position, String)> {
    let (mut bodies, mut captured) = (BTreeMap::new(), BTreeMap::new());
    for (index, (_, _, name, _, function)) in ast.shared_lib().iter_script_fn_info().enumerate() {
        let mut body = Body::default();
        each_statement_of(function, |statement| {
            statement.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
                body.visit(path.last(), &mut captured);
                true
            });
        });
        let is_closure = name.starts_with("anon$");
        let key = if is_closure { name.to_owned() } else { format!("{index}") };
        bodies.insert(key, body);
    }
    let closures = Closures { bodies, captured };
    let mut found = BTreeMap::new();
    for body in closures.bodies.values() {
        for (variable, handed) in &body.fronts {
            for closure in handed {
                if closures.takes(closure, variable) && closures.may_have_value(closure, variable) {
                    closures.rename(closure, variable, 1, &mut found);
                }
            }
        }
    }
    found.into_iter().map(|(position, (_, name))| (position, name)).collect()
}

impl Body {
    fn visit(&mut self, node: Option<&ASTNode<'_>>, captured: &mut BTreeMap<String, BTreeSet<String>>) {
        match node {
            Some(ASTNode::Stmt(Stmt::Var(parts, ..))) => drop(self.own.insert(parts.0.name.to_string())),
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => drop(self.own.insert(parts.0.name.to_string())),
            Some(ASTNode::Stmt(Stmt::Assignment(parts))) => self.own.extend(front(&parts.1.lhs)),
            Some(ASTNode::Expr(Expr::Variable(parts, _, position))) if parts.2.is_empty() => {
                self.variables.push((parts.1.to_string(), *position));
            }
            Some(ASTNode::Expr(Expr::FnCall(call, _))) if call.name == "curry" => {
                if let Some((name, names)) = closure(&call.args) {
                    self.closures.push(name.clone());
                    captured.entry(name).or_default().extend(names);
                }
            }
            Some(ASTNode::Expr(chain @ (Expr::Dot(sides, ..) | Expr::Index(sides, ..)))) => {
                if let Some(name) = front(chain).filter(|_| !changes(&sides.rhs)) {
                    let mut handed = Vec::new();
                    sides.rhs.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
                        if let Some(ASTNode::Expr(Expr::FnCall(call, _))) = path.last()
                            && call.name == "curry"
                        {
                            handed.extend(closure(&call.args).map(|(name, _)| name));
                        }
                        true
                    });
                    if !handed.is_empty() {
                        self.fronts.push((name, handed));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The name of a closure and of the variables it takes from around it.
fn closure(arguments: &[Expr]) -> Option<(String, Vec<String>)> {
    let [Expr::DynamicConstant(pointer, _), captured @ ..] = arguments else {
        return None;
    };
    let name = pointer.read_lock::<FnPtr>()?.fn_name().to_owned();
    let names = captured.iter().filter_map(|variable| match variable {
        Expr::Variable(parts, ..) => Some(parts.1.to_string()),
        _ => None,
    });
    Some((name, names.collect()))
}

/// The variable at the front of a chain.
fn front(chain: &Expr) -> Option<String> {
    match chain {
        Expr::Variable(parts, ..) if parts.2.is_empty() => Some(parts.1.to_string()),
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => front(&sides.lhs),
        _ => None,
    }
}

/// Whether the words of a chain change what they work on.
fn changes(rest: &Expr) -> bool {
    match rest {
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => changes(&sides.lhs) || changes(&sides.rhs),
        Expr::MethodCall(call, _) => CHANGES.iter().any(|(word, _)| *word == call.name.as_str()),
        _ => false,
    }
}

struct Closures {
    bodies: BTreeMap<String, Body>,
    captured: BTreeMap<String, BTreeSet<String>>,
}

impl Closures {
    fn takes(&self, closure: &str, variable: &str) -> bool {
        self.captured.get(closure).is_some_and(|captured| captured.contains(variable))
    }

    /// The closures in a closure that take a variable as well.
    fn inside<'a>(&'a self, closure: &str, variable: &'a str) -> impl Iterator<Item = &'a String> {
        let inside = self.bodies.get(closure).map(|body| body.closures.as_slice()).unwrap_or_default();
        inside.iter().filter(move |inner| self.takes(inner, variable))
    }

    /// Whether a closure only looks at a variable, so that its value will do.
    fn may_have_value(&self, closure: &str, variable: &str) -> bool {
        let looks = self.bodies.get(closure).is_some_and(|body| !body.own.contains(variable));
        looks && self.inside(closure, variable).all(|inner| self.may_have_value(inner, variable))
    }

    /// Names a variable again in a closure and in those inside of it. A place in several closures belongs to the innermost.
    fn rename(&self, closure: &str, variable: &str, depth: usize, found: &mut BTreeMap<Position, (usize, String)>) {
        let name = format!("{}{variable}", VALUE.repeat(depth));
        let variables = self.bodies.get(closure).map(|body| body.variables.as_slice()).unwrap_or_default();
        for (_, position) in variables.iter().filter(|(other, _)| other == variable) {
            let known = found.entry(*position).or_insert((0, String::new()));
            if known.0 < depth {
                *known = (depth, name.clone());
            }
        }
        for inner in self.inside(closure, variable) {
            self.rename(inner, variable, depth + 1, found);
        }
    }
}
