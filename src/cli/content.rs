//! The content folders of a command.

use std::path::{Path, PathBuf};

use super::{Failure, io_failure};
use boardwright_content::{Catalog, content_roots};
use boardwright_model::diagnostic::{Diagnostic, Diagnostics};

/// Where a command looks for rulesets, maps and scripts.
#[derive(Clone, Debug)]
pub(super) struct Content {
    given: Vec<PathBuf>,
}

impl Content {
    pub(super) fn new(given: Vec<PathBuf>) -> Self {
        Self { given }
    }

    /// These folders, and others behind them.
    pub(super) fn and(&self, more: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            given: self.given.iter().cloned().chain(more).collect(),
        }
    }

    /// The content folders, best first.
    pub(super) fn roots(&self) -> Result<Vec<PathBuf>, Failure> {
        match self.given.iter().find(|folder| !folder.is_dir()) {
            Some(file) if file.exists() => Err(Failure::Usage(format!("{} is no folder: --content takes one", file.display()))),
            Some(missing) => Err(Failure::Usage(format!("the content folder {} is not there", missing.display()))),
            None => Ok(content_roots(&self.given)),
        }
    }

    /// Everything in the content folders.
    pub(super) fn catalog(&self) -> Result<Catalog, Failure> {
        let roots = self.roots()?;
        let catalog = Catalog::scan(&roots);
        if catalog.rulesets.is_empty() {
            let looked: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
            return Err(Failure::Usage(format!(
                "no ruleset was found in {}; name a folder that has rulesets/ with --content",
                looked.join(", ")
            )));
        }
        Ok(catalog)
    }

    /// The catalogue, in which there is this ruleset and, if one is named, this scenario.
    pub(super) fn catalog_with(&self, ruleset: &str, scenario: Option<&str>) -> Result<Catalog, Failure> {
        let catalog = self.catalog()?;
        catalog.ruleset(ruleset).map_err(|found| usage(&found))?;
        if let Some(scenario) = scenario
            && catalog.chain(ruleset).is_ok()
            && !catalog.scenarios(ruleset).contains_key(scenario)
        {
            let found = catalog.scenario(ruleset, scenario).err().unwrap_or_default();
            return Err(usage(&found));
        }
        Ok(catalog)
    }
}

/// A name that stands for nothing, as wrong usage.
pub(super) fn usage(found: &Diagnostics) -> Failure {
    let say = |one: &Diagnostic| match &one.help {
        Some(help) => format!("{}; {help}", one.message),
        None => one.message.clone(),
    };
    Failure::Usage(found.iter().map(say).collect::<Vec<_>>().join("\n"))
}

/// Diagnostics with the files named so that they can be opened from here.
pub(super) fn with_paths(found: &Diagnostics, catalog: &Catalog) -> Diagnostics {
    let place = |mut one: Diagnostic| {
        if let Some(place) = &mut one.place
            && let Some(path) = catalog.path_of(&place.file)
        {
            place.file = shown(&path);
        }
        one
    };
    found.iter().cloned().map(place).collect()
}

/// What is in a folder, in order.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let read = std::fs::read_dir(folder).map_err(|error| io_failure(folder, "cannot be read", &error))?;
    let mut entries: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    Ok(entries)
}

/// A path as it is shown: from here, without saying so.
pub(super) fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

pub(super) fn split_id(id: &str) -> (String, Option<String>) {
    match id.split_once('/') {
        Some((ruleset, scenario)) => (ruleset.to_owned(), Some(scenario.to_owned())),
        None => (id.to_owned(), None),
    }
}
