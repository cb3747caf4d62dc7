//! `test`: the worked examples of rulesets.

use std::cell::RefCell;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::content::{Content, usage, with_paths};
use super::output::{Out, counted, progress};
use super::{Exit, Failure};
use boardwright_content::{Catalog, RULESETS};
use boardwright_local::rules_of;
use boardwright_model::diagnostic::Diagnostics;
use boardwright_ruleset::Layer;
use boardwright_script::{Limits, ScriptSource, TestResult, TestScenario, run_tests};

#[derive(Clone, Debug, Args)]
pub(super) struct TestArguments {
    /// Rulesets by id; without any all in the content folders
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Only tests whose name or file holds this word
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The tests of a ruleset.
#[derive(Serialize)]
struct Tested {
    ruleset: String,
    passed: usize,
    tests: Vec<One>,
    /// What keeps the tests from being run.
    problems: Diagnostics,
}

#[derive(Serialize)]
struct One {
    name: String,
    about: String,
    file: String,
    is_passed: bool,
    problems: Diagnostics,
    printed: Vec<String>,
}

pub(super) fn run(content: &Content, arguments: &TestArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (catalog, ids) = if arguments.ids.is_empty() {
        content.catalog_and_own()?
    } else {
        (content.catalog()?, arguments.ids.clone())
    };
    for id in &ids {
        catalog.ruleset(id).map_err(|found| usage(&found))?;
    }
    let bar = progress(ids.len(), "");
    let mut all = Vec::new();
    for id in &ids {
        bar.set_message(id.clone());
        all.push(test(&catalog, id, arguments.only.as_deref()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ran: usize = all.iter().map(|tested| tested.tests.len()).sum();
    if let Some(word) = arguments.only.as_ref().filter(|_| ran == 0) {
        return Err(Failure::Usage(format!("no test has `{word}` in its name or file")));
    }
    let is_well = all
        .iter()
        .all(|tested| tested.passed == tested.tests.len() && !tested.problems.has_errors());
    if arguments.json {
        out.json(&all)?;
    } else {
        all.iter().try_for_each(|tested| print(tested, out))?;
    }
    Ok(if is_well { Exit::Fine } else { Exit::Findings })
}

fn test(catalog: &Catalog, id: &str, only: Option<&str>) -> Tested {
    let mut tested = Tested {
        ruleset: id.to_owned(),
        passed: 0,
        tests: Vec::new(),
        problems: Diagnostics::new(),
    };
    let source = match rules_of(catalog, id) {
        Ok(source) => Arc::new(source),
        Err(found) => {
            tested.problems = with_paths(&found, catalog);
            return tested;
        }
    };
    // Its own tests, not those of what it builds on, which are about other rules.
    let folder = format!("{RULESETS}/{id}");
    let own = source.sources().layers.iter().rev().find(|layer| layer.id == folder);
    let files: Vec<(String, &str)> = own.into_iter().flat_map(Layer::tests).collect();
    let texts: Vec<(&str, &str)> = files.iter().map(|(place, text)| (place.as_str(), *text)).collect();
    // A scenario that is there and cannot be opened says what is wrong with it or its map.
    let broken = RefCell::new(Diagnostics::new());
    let find = |scenario: &str| {
        let is_there = catalog.scenarios(id).contains_key(scenario);
        let opened = catalog.open(id, Some(scenario)).map_err(|found| {
            if is_there {
                broken.borrow_mut().extend(found);
            }
        });
        let opened = opened.ok()?;
        let has_overlay = opened.scenario.scenario.overlay.is_some();
        let compiled = has_overlay.then(|| ScriptSource::new(Arc::new(opened.sources), Limits::default()));
        Some(TestScenario {
            board: opened.board,
            setup: opened.scenario.scenario.setup,
            source: compiled.transpose().ok()?.map(Arc::new),
        })
    };
    let is_wanted = |result: &TestResult| {
        only.is_none_or(|word| result.name.contains(word) || result.file.contains(word)) || (result.name.is_empty() && !result.is_passed())
    };
    let results = run_tests(&source, &texts, &find);
    if broken.borrow().has_errors() {
        tested.problems = with_paths(&broken.borrow(), catalog);
        return tested;
    }
    for result in results.into_iter().filter(is_wanted) {
        tested.passed += usize::from(result.is_passed());
        tested.tests.push(One {
            is_passed: result.is_passed(),
            problems: with_paths(&result.problems, catalog),
            name: result.name,
            about: result.about,
            file: result.file,
            printed: result.printed,
        });
    }
    tested
}

fn print(tested: &Tested, out: &mut Out) -> Result<(), Failure> {
    for one in &tested.tests {
        for line in &one.printed {
            out.line(format!("{}: {line}", one.name))?;
        }
        if !one.is_passed {
            // A file that cannot be read has no test with a name.
            let what = if one.name.is_empty() { &one.file } else { &one.name };
            let colon = if one.about.is_empty() { "" } else { ": " };
            out.line(format!("{}: {what}{colon}{}", tested.ruleset, one.about))?;
            out.line(format!("{}\n", one.problems.render()))?;
        }
    }
    if tested.problems.has_errors() {
        out.line(tested.problems.render())?;
        out.line(format!("{}: its tests cannot be run", tested.ruleset))?;
        return Ok(());
    }
    let failed = tested.tests.len() - tested.passed;
    let passed = counted(tested.passed, "test");
    out.line(match (tested.tests.len(), failed) {
        (0, _) => format!("{}: no tests", tested.ruleset),
        (_, 0) => format!("{}: {passed} passed", tested.ruleset),
        _ => format!("{}: {passed} passed, {failed} failed", tested.ruleset),
    })?;
    Ok(())
}
