//! The content of the content folders, for the window.

use std::path::PathBuf;
use std::sync::Arc;

use super::content::{Content, RulesetCard, SaveCard, ScenarioCard, Shelf};
use crate::client::local::{BeginError, LocalMatch, MatchChoice, prepare, problems};
use crate::client::messages::Problem;
use crate::client::{Link, Wake};
use crate::io::{Catalog, RulesetEntry, ScenarioEntry};

/// The content of some folders.
#[derive(Clone, Debug)]
pub struct Bookcase {
    roots: Vec<PathBuf>,
}

impl Bookcase {
    /// The content of some folders, best first.
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots }
    }

    fn card(catalog: &Catalog, entry: &RulesetEntry) -> RulesetCard {
        let manifest = entry.manifest.as_ref();
        let picture = manifest.and_then(|manifest| manifest.picture.as_ref());
        let picture = picture.and_then(|picture| std::fs::read_to_string(entry.folder.join(picture)).ok());
        let mut found = problems(&entry.all_diagnostics().cloned().collect());
        let usual = catalog.default_scenario(&entry.id);
        let others = catalog.scenarios(&entry.id);
        let is_usual = |scenario: &&ScenarioEntry| usual.is_some_and(|usual| usual.id == scenario.id);
        let scenarios = usual
            .into_iter()
            .chain(others.values().copied().filter(|scenario| !is_usual(scenario)))
            .filter(|scenario| !scenario.diagnostics.has_errors())
            .map(|scenario| ScenarioCard {
                id: scenario.id.clone(),
                title: scenario.title.clone(),
                line: scenario.description.clone(),
                players: scenario.players.clone(),
            })
            .collect();
        let (mut seats, mut options) = (Vec::new(), Vec::new());
        if found.iter().all(|problem| problem.severity != "error") {
            let usual = MatchChoice {
                ruleset: entry.id.clone(),
                ..MatchChoice::default()
            };
            match prepare(catalog, &usual) {
                Ok(prepared) => {
                    let frame = prepared.start.frame();
                    seats.clone_from(&frame.seats);
                    options.clone_from(&frame.options);
                    // The form begins with what the scenario sets.
                    for (declared, value) in options.iter_mut().zip(prepared.start.options().iter()) {
                        declared.default.clone_from(value);
                    }
                    found.extend(problems(prepared.source.findings()));
                }
                Err(error) => found.extend(told(error)),
            }
        }
        RulesetCard {
            id: entry.id.clone(),
            title: entry.title().to_owned(),
            line: manifest.map(|manifest| manifest.description.clone()).unwrap_or_default(),
            picture: picture.map(Arc::from),
            seat_range: manifest.map(|manifest| manifest.seats),
            minutes: manifest.and_then(|manifest| manifest.minutes),
            seats,
            options,
            scenarios,
            strategies: Vec::new(),
            problems: found,
        }
    }
}

/// What kept a match from beginning, as problems to be shown.
fn told(error: BeginError) -> Vec<Problem> {
    let message = error.to_string();
    match error {
        BeginError::Content(found) => problems(&found),
        BeginError::Choice(_) | BeginError::Session(_) => vec![Problem {
            severity: "error".to_owned(),
            code: "begin".to_owned(),
            message,
            file: String::new(),
            line: 0,
            column: 0,
            source_line: None,
            help: None,
        }],
    }
}

impl Content for Bookcase {
    fn shelf(&self) -> Shelf {
        let catalog = Catalog::scan(&self.roots);
        let mut rulesets: Vec<_> = catalog.rulesets.values().map(|entry| Self::card(&catalog, entry)).collect();
        rulesets.sort_by_key(|card| card.title.to_lowercase());
        Shelf {
            rulesets,
            problems: problems(&catalog.diagnostics),
        }
    }

    fn saves(&self) -> Vec<SaveCard> {
        Vec::new()
    }

    fn begin(&self, choice: &MatchChoice, wake: Wake) -> Result<Box<dyn Link>, Vec<Problem>> {
        let catalog = Catalog::scan(&self.roots);
        let begun = LocalMatch::begin(&catalog, choice).map_err(told)?;
        Ok(Box::new(begun.connect(Some(wake))))
    }

    fn take_up(&self, file: &str, _wake: Wake) -> Result<Box<dyn Link>, Vec<Problem>> {
        let _ = file;
        Err(Vec::new())
    }
}
