//! The tests of a ruleset: worked examples in its `tests/` folder, each run in a match of its own.
//!
//! A test is a function `test_...(t)` whose doc comment is a sentence from the rules. `t` sets up a match, plays, and expects;
//! its words stand in `docs/script-api.md`.

mod context;
mod looks;
mod pieces;
mod steps;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use context::{Failure, Scenarios, TestContext};
pub(crate) use context::{TestCase, fail};
pub(crate) use steps::OddsFound;

use super::{Fault, Limits, Program, ScriptSource, api, compile, limits};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location, Severity};
use boardwright_model::{Board, Setup};
use boardwright_ruleset::{FunctionSymbol, Hook, Hooks, Layer, Sources};

/// Time one test may take, the rules it calls included.
const TEST_WALL: Duration = Duration::from_secs(10);
/// The scenario that tests are played on unless they name another.
pub(crate) const USUAL_SCENARIO: &str = "standard";
/// How the names of tests begin.
const PREFIX: &str = "test_";

/// How one test of a ruleset went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// The file, as it was handed over.
    pub file: String,
    /// The name of the function; empty if the file as a whole cannot be used.
    pub name: String,
    /// Its doc comment: a sentence from the rules.
    pub about: String,
    /// Where the function is.
    pub place: Option<Location>,
    /// Why it failed; empty if it passed.
    pub problems: Diagnostics,
    /// What it printed.
    pub printed: Vec<String>,
}

impl TestResult {
    /// Whether the test passed.
    pub fn is_passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// A scenario that tests are played on.
#[derive(Clone, Debug)]
pub struct TestScenario {
    /// The board.
    pub board: Arc<Board>,
    /// What stands on it.
    pub setup: Setup,
    /// The rules with what the scenario lays over them; `None` if it lays nothing over them.
    pub source: Option<Arc<ScriptSource>>,
}

impl TestScenario {
    /// A scenario that lays nothing over the rules.
    pub fn plain(board: Arc<Board>, setup: Setup) -> Self {
        Self {
            board,
            setup,
            source: None,
        }
    }
}

/// Looks scenarios of a ruleset up by their ids.
pub type FindScenario<'a> = dyn Fn(&str) -> Option<TestScenario> + 'a;

/// Runs tests of a ruleset, each `(path, text)` of a file, in the order of files and lines.
pub fn run_tests(source: &Arc<ScriptSource>, tests: &[(&str, &str)], scenarios: &FindScenario<'_>) -> Vec<TestResult> {
    let known: Scenarios = Rc::new(RefCell::new(BTreeMap::new()));
    let mut runner = Runner { source, known, scenarios };
    tests.iter().flat_map(|(path, text)| runner.file(path, text)).collect()
}

/// Reads tests of a ruleset without running them.
pub fn check_tests(source: &ScriptSource, tests: &[(&str, &str)]) -> Diagnostics {
    let looked_over = |program: &Program| -> Diagnostics {
        let names = program.functions().into_iter().map(|function| function.name.clone());
        let hooks: Hooks = names
            .filter(|name| name.starts_with(PREFIX))
            .map(|name| Hook { name, ..Hook::default() })
            .collect();
        // How a test is written is its author's business; what cannot run is not.
        let found = program.lint(&hooks, None).into_iter();
        let errors = found.filter(|one| one.severity == Severity::Error);
        errors.chain(misnamed(program)).collect()
    };
    let found = tests.iter().map(|(path, text)| match compiled(source, path, text) {
        Ok(program) => looked_over(&program),
        Err(found) => found,
    });
    found.flatten().collect()
}

/// A file of tests as a program of its own.
fn compiled(source: &ScriptSource, path: &str, text: &str) -> Result<Program, Diagnostics> {
    // The last folder becomes the layer: a file in `tests/` of a layer would not count as one of its rules.
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let sources = Sources {
        layers: vec![Layer::new(folder).with(file, text)],
        library: source.sources().library.clone(),
    };
    let limits = Limits::default().with_budget(limits::OPERATIONS, TEST_WALL);
    compile(&sources, &limits, &|sandbox| {
        api::register(&mut sandbox.engine);
        api::register_tests(&mut sandbox.engine);
    })
}

/// Functions with one parameter that nothing calls and whose names do not begin as those of tests do.
fn misnamed(program: &Program) -> impl Iterator<Item = Diagnostic> {
    let functions = program.functions();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for function in &functions {
        let body = &function.body;
        let called = body.calls.iter().map(|call| &call.name);
        used.extend(called.chain(body.names.iter().map(|(name, _)| name)).cloned());
    }
    let misnamed = move |function: &&FunctionSymbol| {
        function.params.len() == 1 && !function.name.starts_with(PREFIX) && !used.contains(&function.name)
    };
    let found = functions.into_iter().filter(misnamed).map(|function| {
        let message = format!("nothing calls `{}`, and it is no test", function.name);
        let found = Diagnostic::warning(Code::Unused, message).at(function.place.clone());
        found.with_help(format!("the names of tests begin with `{PREFIX}`"))
    });
    found.collect::<Vec<_>>().into_iter()
}

struct Runner<'a> {
    source: &'a Arc<ScriptSource>,
    known: Scenarios,
    scenarios: &'a FindScenario<'a>,
}

impl Runner<'_> {
    fn file(&mut self, path: &str, text: &str) -> Vec<TestResult> {
        let whole = |problems: Diagnostics| TestResult {
            file: path.to_owned(),
            name: String::new(),
            about: String::new(),
            place: Some(Location::file(path)),
            problems,
            printed: Vec::new(),
        };
        let one = |message: &str| Diagnostic::error(Code::Expectation, message).at(Some(Location::file(path)));
        let program = match compiled(self.source, path, text) {
            Ok(program) => program,
            Err(problems) => return vec![whole(problems)],
        };
        let mut tests: Vec<FunctionSymbol> = program
            .functions()
            .into_iter()
            .filter(|one| one.name.starts_with(PREFIX))
            .cloned()
            .collect();
        tests.sort_by(|a, b| a.place.cmp(&b.place));
        if tests.is_empty() {
            let mut problems: Diagnostics = misnamed(&program).collect();
            problems.push(one("there is no function test_...(t) in this file"));
            return vec![whole(problems)];
        }
        let misnamed: Diagnostics = misnamed(&program).collect();
        let tests = tests.iter().map(|test| self.test(path, &program, test));
        tests.chain((!misnamed.is_empty()).then(|| whole(misnamed))).collect()
    }

    fn test(&mut self, path: &str, program: &Program, test: &FunctionSymbol) -> TestResult {
        let mut problems = Diagnostics::default();
        let about = test.doc.join(" ").trim().to_owned();
        let at = |message: &str| Diagnostic::error(Code::Expectation, message).at(Some(test.place.clone()));
        if about.is_empty() {
            problems.push(at("a test says in a doc comment (///) which sentence of the rules it shows"));
        }
        if test.params.len() == 1 {
            problems.extend(self.run(program, test));
        } else {
            problems.push(at("a test has one parameter: t"));
        }
        TestResult {
            file: path.to_owned(),
            name: test.name.clone(),
            about,
            place: Some(test.place.clone()),
            problems,
            printed: program.meter().take_log(),
        }
    }

    /// Runs a test; once more for each scenario that it asks for and that was not looked up before.
    fn run(&mut self, program: &Program, test: &FunctionSymbol) -> Vec<Diagnostic> {
        loop {
            drop(program.meter().take_log());
            let context = Rc::new(RefCell::new(TestContext::new(self.source, &self.known)));
            let result = program.call(&test.name, (TestCase(Rc::clone(&context)),));
            let wanted = context.borrow_mut().wanted.take();
            if let Some(wanted) = wanted {
                let found = (self.scenarios)(&wanted);
                self.known.borrow_mut().insert(wanted, found);
                continue;
            }
            let failed = result.err().map(|fault| explain(&fault));
            // An expectation may fail because something else was drawn than its author thought.
            let tells_luck = failed.as_ref().is_none_or(|failed| failed.code == Code::Expectation);
            let unused = context.borrow().unused_luck().filter(|_| tells_luck);
            let unused = unused.map(|message| Diagnostic::error(Code::Expectation, message).at(Some(test.place.clone())));
            return failed.into_iter().chain(unused).collect();
        }
    }
}

/// The diagnostic of a test that did not come to its end.
fn explain(fault: &Fault) -> Diagnostic {
    let mut diagnostic = fault.with_calls();
    if let Some(failure) = fault.thrown().and_then(|value| value.clone().try_cast::<Failure>()) {
        diagnostic.code = Code::Expectation;
        diagnostic.message = failure.message;
        diagnostic.help = failure.help;
    }
    diagnostic
}

#[cfg(test)]
mod tests;
