//! Variables that a closure uses while a word works on them.
//!
//! In `view.seats.all(|seat| may_go(view, seat))` the engine lends `view` out for as long as the words behind it run, and refuses the
//! closure what is lent out. So the variable at the front of such a chain is read by value instead, under a name that [`lent_name`] makes of
//! its own and that the resolver of variables knows.

use std::ops::ControlFlow;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use super::table::CHANGES;

/// How the names begin by which variables are read by value.
const LENT: &str = "value__";

/// The name by which the value of a variable is read.
pub(crate) fn lent_name(name: &str) -> String {
    format!("{LENT}{name}")
}

/// The variable that a name made by [`lent_name`] stands for.
pub(crate) fn variable_of(name: &str) -> Option<&str> {
    name.strip_prefix(LENT)
}

/// Where variables stand at the front of chains that hand on a closure which uses the same variable.
pub(crate) fn locked(ast: &AST) -> Vec<(Position, String)> {
    let mut found = Vec::new();
    let mut assigned = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(parts))) => assigned.push(parts.1.lhs.start_position()),
            Some(ASTNode::Expr(Expr::Dot(sides, ..) | Expr::Index(sides, ..))) => {
                if let Expr::Variable(parts, _, position) = &sides.lhs
                    && parts.2.is_empty()
                    && !assigned.contains(position)
                    && !changes(&sides.rhs)
                    && captures(&sides.rhs, &parts.1)
                {
                    found.push((*position, parts.1.to_string()));
                }
            }
            _ => {}
        }
        true
    });
    found
}

/// Whether the words of a chain change what they work on.
fn changes(rest: &Expr) -> bool {
    match rest {
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => changes(&sides.lhs) || changes(&sides.rhs),
        Expr::MethodCall(call, _) => CHANGES.iter().any(|(word, _)| *word == call.name.as_str()),
        _ => false,
    }
}

/// Whether a closure in an expression uses a variable.
fn captures(expression: &Expr, variable: &str) -> bool {
    let mut found = ControlFlow::Continue(());
    expression.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Share(captured))) = path.last()
            && captured.iter().any(|(name, _)| name.name == variable)
        {
            found = ControlFlow::Break(());
        }
        found.is_continue()
    });
    found.is_break()
}
