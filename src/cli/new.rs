//! `new`: a ruleset as a copy of another one.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::content::{Content, shown, usage};
use super::output::Out;
use super::{Exit, Failure};
use boardwright_content::xml::is_id;
use boardwright_content::{
    Catalog, HELP_FOLDER, MAPS, Manifest, RULESETS, RulesetCopy, RulesetEntry, TUTORIAL_FILE, content_roots, io_error_text,
};
use boardwright_model::diagnostic::Diagnostics;
use boardwright_ruleset::Layer;

#[derive(Clone, Debug, Args)]
pub(super) struct NewArguments {
    /// The id of the new ruleset: small letters, digits and hyphens
    id: String,
    /// The ruleset to copy; without it the smallest one
    #[arg(long)]
    from: Option<String>,
    /// The content folder to put it in; without it the first of the content folders
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Its title for players; without it one made from the id
    #[arg(long)]
    title: Option<String>,
    /// What it is, in a few sentences; without it what is said of the other one
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Who makes it; may be given several times. Without it those of the other one
    #[arg(long = "author", value_name = "NAME")]
    authors: Vec<String>,
    /// Leave out what is told about the other ruleset: its rule book, the picture of its card, its description. The pictures that
    /// its rules name are copied, since the copy names them too
    #[arg(long)]
    blank: bool,
}

pub(super) fn run(content: &Content, arguments: &NewArguments, out: &mut Out) -> Result<Exit, Failure> {
    let id = &arguments.id;
    let catalog = content.catalog()?;
    let smallest = || smallest(&catalog).ok_or_else(|| Failure::Usage("there is no ruleset to copy".to_owned()));
    let from = &match &arguments.from {
        Some(from) => from.clone(),
        None => smallest()?,
    };
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
    let Some(manifest) = &entry.manifest else {
        return Err(Failure::Failed(format!("{from} cannot be copied\n{}", entry.diagnostics.render())));
    };
    let folders = content.folders()?;
    let root = arguments.into.as_ref().or(folders.first()).cloned().unwrap_or_default();
    let (rules, maps) = (root.join(RULESETS).join(id), root.join(MAPS).join(id));
    if let Some(there) = [&rules, &maps].into_iter().find(|folder| folder.exists()) {
        return Err(Failure::Usage(format!("{} is there already", shown(there))));
    }
    let mut old_maps = catalog.roots.iter().map(|root| root.join(MAPS).join(from));
    let old_maps = old_maps.find(|folder| folder.is_dir());
    let copy = RulesetCopy {
        ids: (from, id),
        title: &manifest.title,
        manifest: manifest_of_copy(manifest, arguments),
        left_out: left_out(manifest, arguments.blank),
        // What the copy says will soon be something else, so that no translation fits.
        has_translations: false,
    };
    copy.make(&entry.folder, old_maps.as_deref(), (&rules, &maps))
        .map_err(|error| Failure::Failed(format!("{} was not made: {}", shown(&rules), io_error_text(&error))))?;
    out.line(format!("{} is a copy of {from}", shown(&rules)))?;
    if old_maps.is_some() {
        out.line(format!("{} holds its maps and scenarios", shown(&maps)))?;
    }
    // Without being told where to look.
    let is_found = content_roots(&[]).iter().any(|known| same_folder(known, &root));
    // A mod needs what it is laid over, which is looked for where it was found.
    let is_mod = manifest.builds_on.is_some();
    let others = folders.iter().filter(|known| is_mod && known.is_dir());
    let roots: Vec<PathBuf> = others.chain([&root]).cloned().collect();
    let elsewhere = if is_found {
        String::new()
    } else {
        roots.iter().map(|root| format!(" --content {}", root.display())).collect()
    };
    let bundled = content.bundled(&folders);
    let catalog = Catalog::scan(&roots.into_iter().chain(bundled).collect::<Vec<_>>());
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

/// The ruleset with the fewest lines of rules that builds on no other: what is quickest to read, and to replace.
fn smallest(catalog: &Catalog) -> Option<String> {
    let length = |entry: &RulesetEntry| {
        let sources = catalog.sources(&entry.id, None).ok()?;
        let scripts = sources.layers.iter().flat_map(Layer::scripts);
        Some(scripts.map(|(_, text)| text.lines().count()).sum::<usize>())
    };
    let own = catalog.rulesets.values();
    let own = own.filter(|entry| entry.manifest.as_ref().is_some_and(|manifest| manifest.builds_on.is_none()));
    let lengths = own.filter_map(|entry| Some((length(entry)?, &entry.id)));
    lengths.min().map(|(_, id)| id.clone())
}

fn same_folder(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// What the manifest of a copy says. Its title is another one, so that nobody takes the copy for the original.
fn manifest_of_copy(of: &Manifest, arguments: &NewArguments) -> Manifest {
    let mut manifest = of.clone();
    manifest.id.clone_from(&arguments.id);
    manifest.title = arguments.title.clone().unwrap_or_else(|| title_of(&arguments.id));
    if arguments.blank {
        manifest.description = format!("{}: a ruleset that is being written.", manifest.title);
        manifest.picture = None;
        manifest.minutes = None;
        manifest.plays_like.clear();
    }
    if let Some(description) = &arguments.description {
        manifest.description.clone_from(description);
    }
    if !arguments.authors.is_empty() {
        manifest.authors.clone_from(&arguments.authors);
    }
    manifest
}

/// The files and folders of a ruleset, by their path in its folder, that are not copied.
fn left_out(manifest: &Manifest, is_blank: bool) -> Vec<PathBuf> {
    // What the copy does will soon be something else, so that no tutorial fits.
    let mut left_out = vec![PathBuf::from(TUTORIAL_FILE)];
    if is_blank {
        left_out.push(PathBuf::from(HELP_FOLDER));
        left_out.extend(manifest.picture.as_ref().map(PathBuf::from));
    }
    left_out
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
