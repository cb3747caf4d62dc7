//! The content folders of a command.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::{Failure, io_failure};
use boardwright_bundle::UnpackError;
use boardwright_content::{CONTENT_VARIABLE, Catalog, MANIFEST_FILE, RULESETS, RulesetEntry, content_roots, user_content};
#[cfg(feature = "gui")]
use boardwright_model::diagnostic::Code;
use boardwright_model::diagnostic::{Diagnostic, Diagnostics};
use tempfile::TempDir;

/// The folder in that of the user's own content into which the bundled content is unpacked.
const BUNDLED: &str = "bundled";

/// Where a command looks for rulesets, maps and scripts: in the folders that are named or found, and last in what the program
/// brings inside itself.
#[derive(Debug)]
pub(super) struct Content {
    given: Vec<PathBuf>,
    bundled: OnceCell<Result<Option<PathBuf>, String>>,
    /// Holds the bundled content while the program runs, where the folder of the user's own content cannot be written.
    temporary: OnceCell<TempDir>,
}

impl Content {
    pub(super) fn new(given: Vec<PathBuf>) -> Self {
        Self {
            given,
            bundled: OnceCell::new(),
            temporary: OnceCell::new(),
        }
    }

    /// Whether the folders are named: on the command line, or in the environment.
    pub(super) fn is_given(&self) -> bool {
        !self.given.is_empty() || std::env::var_os(CONTENT_VARIABLE).is_some_and(|value| !value.is_empty())
    }

    /// The folders that are named or found, best first.
    pub(super) fn folders(&self) -> Result<Vec<PathBuf>, Failure> {
        match self.given.iter().find(|folder| !folder.is_dir()) {
            Some(file) if file.exists() => Err(Failure::Usage(format!("{} is no folder: --content takes one", file.display()))),
            Some(missing) => Err(Failure::Usage(format!("the content folder {} is not there", missing.display()))),
            None => Ok(content_roots(&self.given)),
        }
    }

    /// The content folders, best first.
    pub(super) fn roots(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut roots = self.folders()?;
        roots.extend(self.bundled(&roots));
        Ok(roots)
    }

    /// Where the bundled content is unpacked. It is unpacked when it is needed first; where the folders before have all of its
    /// rulesets, as in a checkout of the repository, it never is.
    pub(super) fn bundled(&self, folders: &[PathBuf]) -> Option<PathBuf> {
        let is_there = |id: &str| {
            folders
                .iter()
                .any(|root| root.join(RULESETS).join(id).join(MANIFEST_FILE).is_file())
        };
        let unpacked = self.bundled.get_or_init(|| {
            if boardwright_bundle::rulesets().all(is_there) {
                return Ok(None);
            }
            let unpacked = unpack_bundle().or_else(|problem| {
                tracing::warn!("{problem}; until then the bundled rulesets are unpacked for this run alone");
                self.unpack_for_this_run().ok_or(problem)
            });
            unpacked.map(Some)
        });
        unpacked.clone().ok().flatten()
    }

    /// The bundled content in a temporary folder, which goes when the program ends.
    fn unpack_for_this_run(&self) -> Option<PathBuf> {
        let folder = TempDir::with_prefix("boardwright-").ok()?;
        let unpacked = boardwright_bundle::unpack(&folder.path().join(BUNDLED)).ok()?;
        self.temporary.set(folder).ok()?;
        Some(unpacked)
    }

    /// Why the bundled content could not be unpacked.
    #[cfg(feature = "gui")]
    pub(super) fn bundle_problem(&self) -> Option<Diagnostic> {
        let text = self.bundled.get()?.as_ref().err()?;
        Some(Diagnostic::warning(Code::File, text.as_str()))
    }

    /// Whether a ruleset is one that the program brought, and none of the person's own.
    pub(super) fn is_bundled(&self, entry: &RulesetEntry) -> bool {
        let bundled = self.bundled.get().and_then(|unpacked| unpacked.as_ref().ok()?.as_ref());
        bundled.is_some_and(|folder| entry.folder.starts_with(folder))
    }

    /// Everything in the content folders.
    pub(super) fn catalog(&self) -> Result<Catalog, Failure> {
        let catalog = Catalog::scan(&self.roots()?);
        if catalog.rulesets.is_empty() {
            return Err(self.no_ruleset()?);
        }
        Ok(catalog)
    }

    /// Everything there is, and the ids of the rulesets in the folders that are named or found: those somebody works on.
    pub(super) fn catalog_and_own(&self) -> Result<(Catalog, Vec<String>), Failure> {
        let catalog = self.catalog()?;
        let own = catalog.rulesets.values().filter(|entry| !self.is_bundled(entry));
        let own: Vec<String> = own.map(|entry| entry.id.clone()).collect();
        if own.is_empty() {
            return Err(self.no_ruleset()?);
        }
        Ok((catalog, own))
    }

    fn no_ruleset(&self) -> Result<Failure, Failure> {
        let looked: Vec<String> = self.folders()?.iter().map(|root| root.display().to_string()).collect();
        Ok(Failure::Usage(format!(
            "no ruleset of your own was found in {}; `boardwright new ID` makes one here, --content names another folder that has rulesets/, \
             and a bundled ruleset is named by its id",
            looked.join(", ")
        )))
    }

    /// The catalogue, in which there is this ruleset and, if one is named, this scenario.
    pub(super) fn catalog_with(&self, ruleset: &str, scenario: Option<&str>) -> Result<Catalog, Failure> {
        checked(self.catalog()?, ruleset, scenario)
    }

    /// The same with nothing but this ruleset and those it builds on, where they are there: sooner read than all there is.
    pub(super) fn catalog_of(&self, ruleset: &str, scenario: Option<&str>) -> Result<Catalog, Failure> {
        let one = Catalog::scan_one(&self.roots()?, ruleset);
        checked(one.map_or_else(|| self.catalog(), Ok)?, ruleset, scenario)
    }
}

/// A catalogue, if there is this ruleset in it and, if one is named, this scenario.
fn checked(catalog: Catalog, ruleset: &str, scenario: Option<&str>) -> Result<Catalog, Failure> {
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

/// Unpacks the bundled content, or says why that was not possible and what helps.
fn unpack_bundle() -> Result<PathBuf, String> {
    let folder = user_content().ok_or("the bundled rulesets are missing: no home folder is known to unpack them into; set HOME")?;
    let message = |error: UnpackError| format!("{error}; {}", error.help());
    boardwright_bundle::unpack(&folder.join(BUNDLED)).map_err(message)
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
