//! Comparisons in scripts, and what is known of the types of their sides without running them.

use std::collections::BTreeMap;

use rhai::Expr;

use super::locked::variable_of;
use boardwright_model::diagnostic::Location;
use boardwright_ruleset::{Comparison, Operand, Sort};

/// Operators that compare two values.
const COMPARING: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
/// Words behind a point that give a number.
const NUMBERS: [&str; 1] = ["len"];
/// Words behind a point that give true or false.
const TRUTHS: [&str; 6] = ["is_empty", "contains", "some", "all", "starts_with", "ends_with"];

/// The comparisons of a function while it is read.
#[derive(Default)]
pub(super) struct Comparisons {
    /// What its variables are given; None where that is not known.
    variables: BTreeMap<String, Vec<Option<Side>>>,
    found: Vec<(String, [Side; 2], Option<String>, Location)>,
}

#[derive(Clone)]
enum Side {
    Variable(String),
    Known(Operand),
}

impl Comparisons {
    /// Whether an operator compares.
    pub(super) fn compares(operator: &str) -> bool {
        COMPARING.contains(&operator)
    }

    /// Notes that a variable gets a value.
    pub(super) fn assign(&mut self, variable: &str, value: &Expr) {
        let variable = variable_of(variable).unwrap_or(variable);
        self.variables.entry(variable.to_owned()).or_default().push(side(value));
    }

    /// Notes that a variable gets a value of which nothing is known.
    pub(super) fn unknown(&mut self, variable: &str) {
        let variable = variable_of(variable).unwrap_or(variable);
        self.variables.entry(variable.to_owned()).or_default().push(None);
    }

    /// Notes a comparison.
    pub(super) fn add(&mut self, operator: &str, left: &Expr, right: &Expr, place: Location) {
        if let (Some(first), Some(second)) = (side(left), side(right)) {
            let text = [left, right].into_iter().find_map(|side| match side {
                Expr::StringConstant(text, _) => Some(text.to_string()),
                _ => None,
            });
            self.found.push((operator.to_owned(), [first, second], text, place));
        }
    }

    /// The comparisons of which something is known on both sides.
    pub(super) fn known(self) -> Vec<Comparison> {
        let known = |side: &Side| match side {
            Side::Known(operand) => Some(operand.clone()),
            Side::Variable(name) => self.sort_of(name).map(Operand::Value),
        };
        let comparison = |(operator, [left, right], text, place): &(String, [Side; 2], Option<String>, Location)| {
            Some(Comparison {
                operator: operator.clone(),
                sides: [known(left)?, known(right)?],
                text: text.clone(),
                place: place.clone(),
            })
        };
        self.found.iter().filter_map(comparison).collect()
    }

    /// The type of a variable that is only given values of one type.
    fn sort_of(&self, variable: &str) -> Option<Sort> {
        let mut sorts = self.variables.get(variable)?.iter().map(|given| match given {
            Some(Side::Known(Operand::Value(sort))) => Some(*sort),
            _ => None,
        });
        let first = sorts.next()??;
        sorts.all(|sort| sort == Some(first)).then_some(first)
    }
}

fn side(expression: &Expr) -> Option<Side> {
    match expression {
        Expr::Variable(parts, ..) if parts.2.is_empty() => Some(Side::Variable(variable_of(&parts.1).unwrap_or(&parts.1).to_owned())),
        Expr::Dot(sides, ..) => match property(&sides.lhs, &sides.rhs) {
            Some(property) => Some(Side::Known(property)),
            None => sort_of(expression).map(|sort| Side::Known(Operand::Value(sort))),
        },
        _ => sort_of(expression).map(|sort| Side::Known(Operand::Value(sort))),
    }
}

/// The last property of a chain, and what it is read from: `gold` of `seat` in `turn.seat.gold`.
fn property(object: &Expr, rest: &Expr) -> Option<Operand> {
    let object = match object {
        Expr::Variable(parts, ..) => variable_of(&parts.1).unwrap_or(&parts.1),
        Expr::Property(property, _) => property.2.as_str(),
        _ => return None,
    };
    match rest {
        Expr::Property(property, _) => Some(Operand::Property {
            object: object.to_owned(),
            name: property.2.to_string(),
        }),
        Expr::Dot(sides, ..) => property(&sides.lhs, &sides.rhs),
        _ => None,
    }
}

/// The type of the value of an expression, where the expression alone shows it.
fn sort_of(expression: &Expr) -> Option<Sort> {
    Some(match expression {
        Expr::IntegerConstant(..) => Sort::Number,
        Expr::StringConstant(..) | Expr::InterpolatedString(..) => Sort::Text,
        Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Sort::Truth,
        Expr::Array(..) => Sort::List,
        Expr::Map(..) => Sort::Map,
        Expr::Dot(sides, ..) => return word(&sides.rhs),
        Expr::FnCall(call, _) if call.is_operator_call() => match (&*call.name, call.args.as_slice()) {
            ("!", _) => Sort::Truth,
            (name, [_, _]) if Comparisons::compares(name) => Sort::Truth,
            ("-" | "*" | "/" | "%" | "**" | "+", [left, right]) => {
                let left = sort_of(left).filter(|left| *left == Sort::Number)?;
                return (sort_of(right)? == left).then_some(left);
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// The type of what the last word of a chain gives.
fn word(rest: &Expr) -> Option<Sort> {
    match rest {
        Expr::Dot(sides, ..) => word(&sides.rhs),
        Expr::MethodCall(call, _) if NUMBERS.contains(&call.name.as_str()) => Some(Sort::Number),
        Expr::MethodCall(call, _) if TRUTHS.contains(&call.name.as_str()) => Some(Sort::Truth),
        _ => None,
    }
}
