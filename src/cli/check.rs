//! `check`: mistakes in all content.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::content::{Content, entries, usage, with_paths};
use super::output::{Out, counted, progress};
use super::{Exit, Failure};
use boardwright_client::MatchChoice;
use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{
    Catalog, MANIFEST_FILE, MAP_ENDING, MOST_SAVE_BYTES, RULESETS, SCENARIO_ENDING, ScenarioDocument, check_document,
};
use boardwright_local::{BeginError, check_beginning, check_tutorial, examine, prepare, untranslated};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location, Severity};

#[derive(Clone, Debug, Args)]
pub(super) struct CheckArguments {
    /// Rulesets by id, or files and folders; without any everything in the content folders
    #[arg(value_name = "PATH|ID")]
    what: Vec<String>,
    /// List what the rulesets say that is not said in a language, such as cs
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Checked<'a> {
    errors: usize,
    warnings: usize,
    notes: usize,
    diagnostics: &'a Diagnostics,
}

/// What was found, and what was looked at.
#[derive(Default)]
struct Totals {
    found: Diagnostics,
    rulesets: usize,
    files: usize,
}

impl Totals {
    fn ruleset(&mut self, catalog: &Catalog, id: &str) {
        self.rulesets += 1;
        let mut found = examine(catalog, id).found;
        if !found.has_errors() {
            found.extend(check_tutorial(catalog, id));
        }
        self.found.extend(with_paths(&found, catalog));
    }

    fn all<'a>(&mut self, catalog: &Catalog, ids: impl ExactSizeIterator<Item = &'a String>) {
        self.found.extend(with_paths(&catalog.diagnostics, catalog));
        let bar = progress(ids.len(), "");
        for id in ids {
            bar.set_message(id.clone());
            self.ruleset(catalog, id);
            bar.inc(1);
        }
        bar.finish_and_clear();
    }

    fn untranslated(&mut self, catalog: &Catalog, id: &str, language: Option<&str>) {
        if let Some(language) = language {
            self.found.extend(with_paths(&untranslated(catalog, id, language), catalog));
        }
    }

    fn looked_at(&self) -> String {
        match (self.rulesets, self.files) {
            (rulesets, 0) => counted(rulesets, "ruleset"),
            (0, files) => counted(files, "file"),
            (rulesets, files) => format!("{} and {}", counted(rulesets, "ruleset"), counted(files, "file")),
        }
    }
}

pub(super) fn run(content: &Content, arguments: &CheckArguments, out: &mut Out) -> Result<Exit, Failure> {
    let mut totals = Totals::default();
    let language = arguments.language.as_deref();
    if arguments.what.is_empty() {
        let (catalog, own) = content.catalog_and_own()?;
        totals.all(&catalog, own.iter());
        for id in &own {
            totals.untranslated(&catalog, id, language);
        }
    }
    for what in &arguments.what {
        let path = Path::new(what);
        if path.exists() {
            check_path(content, path, &mut totals)?;
            continue;
        }
        if what.contains(std::path::MAIN_SEPARATOR) || what.contains('.') {
            return Err(Failure::Usage(format!("there is no file or folder {what}")));
        }
        let catalog = content.catalog()?;
        let known = catalog.ruleset(what);
        known.map_err(|found| Failure::Usage(format!("{} (and no file or folder of that name)", usage(&found))))?;
        totals.ruleset(&catalog, what);
        totals.untranslated(&catalog, what, language);
    }
    totals.found.sort();
    report(&totals, arguments.json, out)
}

fn report(totals: &Totals, as_json: bool, out: &mut Out) -> Result<Exit, Failure> {
    let found = &totals.found;
    let count = |severity| found.count(severity);
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if as_json {
        out.json(&Checked {
            errors,
            warnings,
            notes: count(Severity::Note),
            diagnostics: found,
        })?;
    } else {
        for one in found {
            out.line(one.render())?;
        }
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        out.line(format!("{errors}, {warnings} in {}", totals.looked_at()))?;
    }
    Ok(if errors > 0 { Exit::Findings } else { Exit::Fine })
}

fn check_path(content: &Content, path: &Path, totals: &mut Totals) -> Result<(), Failure> {
    let name = path.display().to_string();
    if path.is_file() {
        return check_file(content, path, &name, totals);
    }
    if path.join(MANIFEST_FILE).is_file() {
        let catalog = Catalog::scan(&roots_with(content, root_of(path))?);
        let folder = path.canonicalize()?;
        let id = folder.file_name().unwrap_or_default().to_string_lossy();
        totals.ruleset(&catalog, &id);
        return Ok(());
    }
    if path.join(RULESETS).is_dir() {
        let catalog = Catalog::scan(&[path.to_path_buf()]);
        totals.all(&catalog, catalog.rulesets.keys());
        return Ok(());
    }
    let is_document = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(MAP_ENDING) || name.ends_with(SCENARIO_ENDING)
    };
    let documents: Vec<PathBuf> = entries(path)?.into_iter().filter(is_document).collect();
    if documents.is_empty() {
        return Err(Failure::Usage(format!("{name} holds no ruleset, map or scenario")));
    }
    documents
        .iter()
        .try_for_each(|file| check_file(content, file, &file.display().to_string(), totals))
}

/// The content folder of a ruleset's folder, or of a folder of maps.
fn root_of(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    Some(folder.parent()?.parent()?.to_path_buf())
}

fn roots_with(content: &Content, root: Option<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let mut roots: Vec<PathBuf> = root.into_iter().collect();
    roots.extend(content.roots()?);
    Ok(roots)
}

fn check_file(content: &Content, path: &Path, name: &str, totals: &mut Totals) -> Result<(), Failure> {
    if !name.ends_with(".xml") {
        return match path.ancestors().skip(1).find(|folder| folder.join(MANIFEST_FILE).is_file()) {
            Some(folder) => check_path(content, folder, totals),
            None => Err(Failure::Usage(format!("{name} is no document and no part of a ruleset"))),
        };
    }
    totals.files += 1;
    let source = match Source::open_up_to(path, name, MOST_SAVE_BYTES) {
        Ok(source) => source,
        Err(found) => {
            totals.found.extend(found);
            return Ok(());
        }
    };
    let found = check_document(&source);
    let is_sound = !found.has_errors();
    totals.found.extend(found);
    if is_sound && name.ends_with(SCENARIO_ENDING) {
        totals.found.extend(check_scenario(content, path, &source)?);
    }
    Ok(())
}

/// With its ruleset at hand the pieces and options of a scenario are checked too.
fn check_scenario(content: &Content, path: &Path, source: &Source) -> Result<Diagnostics, Failure> {
    let scenario = match ScenarioDocument::read(source) {
        Ok(document) => document.scenario,
        Err(found) => return Ok(found),
    };
    let catalog = Catalog::scan(&roots_with(content, path.parent().and_then(root_of))?);
    let choice = MatchChoice {
        ruleset: scenario.ruleset,
        scenario: Some(scenario.id),
        ..MatchChoice::default()
    };
    let place = || Location::file(source.file());
    Ok(match prepare(&catalog, &choice) {
        Ok(prepared) => check_beginning(&prepared, place()).into_iter().collect(),
        Err(BeginError::Content(found)) => with_paths(&found, &catalog),
        Err(error) => Diagnostic::error(Code::BadValue, error.to_string()).at(place()).into(),
    })
}
