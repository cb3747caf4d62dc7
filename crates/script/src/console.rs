//! The edit command `run`: a line of a script, run against a match.

use rhai::Dynamic;

use super::api::handles::View;
use super::fault::Fault;
use super::{Limits, Program, compile_rules};
use boardwright_model::Rejection;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::diagnostic::{Diagnostics, Severity};
use boardwright_ruleset::{Layer, Sources};

/// The function that a line becomes.
const FUNCTION: &str = "line_by_hand";

/// Compiles a line on top of the rules.
pub(super) fn compile_line(sources: &Sources, limits: &Limits, line: &str) -> Result<Program, Diagnostic> {
    let layer = Layer::new("by hand").with("line.rhai", format!("fn {FUNCTION}(turn) {{\nlet view = turn;\n{line}\n}}"));
    compile_rules(&sources.clone().with_layer(layer), limits).map_err(|problems| first(&problems))
}

fn first(problems: &Diagnostics) -> Diagnostic {
    let error = problems.iter().find(|one| one.severity == Severity::Error);
    error.map_or_else(
        || Diagnostic::error(Code::DoesNotCompile, "the line does not compile"),
        |one| Diagnostic::error(one.code, one.message.clone()),
    )
}

/// Runs a compiled line; gives what it printed, and what it came to.
pub(super) fn run_line(program: &Program, view: View) -> Result<String, Rejection> {
    let value: Result<Dynamic, Box<Fault>> = program.call(FUNCTION, (view,));
    let mut lines = program.meter().take_log();
    let value = value?;
    if !value.is_unit() {
        lines.push(value.to_string());
    }
    Ok(lines.join("\n"))
}
