//! `new`: a ruleset as a copy of another one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::content::{Content, shown, usage};
use super::output::Out;
use super::{Exit, Failure};
use boardwright_content::xml::is_id;
use boardwright_content::{
    Catalog, HELP_FOLDER, MANIFEST_FILE, MAPS, RULESETS, RulesetEntry, SCENARIO_ENDING, TEXTS_FOLDER, io_error_text,
};
use boardwright_model::diagnostic::Diagnostics;

#[derive(Clone, Debug, Args)]
pub(super) struct NewArguments {
    /// The id of the new ruleset: small letters, digits and hyphens
    id: String,
    /// The ruleset to copy
    #[arg(long)]
    from: String,
    /// The content folder to put it in; without it the first of the content folders
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(super) fn run(content: &Content, arguments: &NewArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (id, from) = (&arguments.id, &arguments.from);
    let catalog = content.catalog()?;
    let entry = catalog.ruleset(from).map_err(|found| usage(&found))?;
    if !is_id(id) {
        return Err(Failure::Usage(format!(
            "`{id}` is no id: ids are at most 64 small letters, digits and single hyphens between them"
        )));
    }
    if let Ok(known) = catalog.ruleset(id) {
        return Err(Failure::Usage(format!(
            "there is a ruleset `{id}` already, in {}",
            shown(&known.folder)
        )));
    }
    let root = arguments.into.as_ref().or(catalog.roots.first()).cloned().unwrap_or_default();
    let (rules, maps) = (root.join(RULESETS).join(id), root.join(MAPS).join(id));
    if let Some(there) = [&rules, &maps].into_iter().find(|folder| folder.exists()) {
        return Err(Failure::Usage(format!("{} is there already", shown(there))));
    }
    let mut old_maps = catalog.roots.iter().map(|root| root.join(MAPS).join(from));
    let old_maps = old_maps.find(|folder| folder.is_dir());
    copy(&entry.folder, old_maps.as_deref(), (&rules, &maps), (from, id))
        .map_err(|error| Failure::Failed(format!("{} was not made: {}", shown(&rules), io_error_text(&error))))?;
    out.line(format!("{} is a copy of {from}", shown(&rules)))?;
    if old_maps.is_some() {
        out.line(format!("{} holds its maps and scenarios", shown(&maps)))?;
    }
    let is_found = catalog.roots.iter().any(|known| same_folder(known, &root));
    // A mod needs what it is laid over, which is looked for where it was found.
    let is_mod = entry.manifest.as_ref().is_some_and(|manifest| manifest.builds_on.is_some());
    let others = catalog.roots.iter().filter(|known| is_mod && known.is_dir());
    let roots: Vec<PathBuf> = others.chain([&root]).cloned().collect();
    let elsewhere = if is_found {
        String::new()
    } else {
        roots.iter().map(|root| format!(" --content {}", root.display())).collect()
    };
    let catalog = Catalog::scan(&roots);
    let found: Diagnostics = catalog
        .rulesets
        .get(id)
        .into_iter()
        .flat_map(RulesetEntry::all_diagnostics)
        .cloned()
        .collect();
    for one in &found {
        out.line(one.to_string())?;
    }
    let (before, exit) = if found.has_errors() {
        ("mend that, then ", Exit::Findings)
    } else {
        ("", Exit::Fine)
    };
    out.line(format!("{before}play it with: boardwright play {id}{elsewhere}"))?;
    Ok(exit)
}

fn same_folder(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// Copies both folders beside where they are to be, and then puts both in place, or none.
fn copy(rules: &Path, maps: Option<&Path>, (to_rules, to_maps): (&Path, &Path), ids: (&str, &str)) -> io::Result<()> {
    let (new_rules, new_maps) = (beside(to_rules), beside(to_maps));
    let copied = (|| {
        copy_folder(rules, &new_rules, ids)?;
        if let Some(maps) = maps {
            copy_folder(maps, &new_maps, ids)?;
            fs::rename(&new_maps, to_maps)?;
        }
        fs::rename(&new_rules, to_rules)
    })();
    if copied.is_err() {
        drop(fs::remove_dir_all(&new_rules));
        drop(fs::remove_dir_all(&new_maps));
        if maps.is_some() && !to_rules.exists() {
            drop(fs::remove_dir_all(to_maps));
        }
    }
    copied
}

/// A hidden folder beside a folder.
fn beside(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{}", std::process::id()))
}

fn copy_folder(from: &Path, to: &Path, ids: (&str, &str)) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            // What the copy says will soon be something else.
            let is_translation = entry.file_name() == TEXTS_FOLDER.trim_end_matches('/') || from.ends_with(HELP_FOLDER);
            if !is_translation {
                copy_folder(&path, &target, ids)?;
            }
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == MANIFEST_FILE {
            let text = with_id(&fs::read_to_string(&path)?, "id", ids);
            fs::write(target, with_title(&text, ids.1))?;
        } else if name.ends_with(SCENARIO_ENDING) {
            fs::write(target, with_id(&fs::read_to_string(&path)?, "ruleset", ids))?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// The text of a document with the id in its first such attribute replaced. Comments and layout stay.
fn with_id(text: &str, attribute: &str, (from, to): (&str, &str)) -> String {
    let before = format!(" {attribute}=\"{from}\"");
    text.replacen(&before, &format!(" {attribute}=\"{to}\""), 1)
}

/// The text of a manifest with a title made from the id, so that nobody takes the copy for the original.
fn with_title(text: &str, id: &str) -> String {
    let before = " title=\"";
    let titled = text.split_once(before).and_then(|(head, tail)| {
        let (_, rest) = tail.split_once('"')?;
        Some(format!("{head}{before}{}\"{rest}", title_of(id)))
    });
    titled.unwrap_or_else(|| text.to_owned())
}

/// `drop-four` as a title: `Drop Four`.
fn title_of(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    id.split('-').map(word).collect::<Vec<_>>().join(" ")
}
