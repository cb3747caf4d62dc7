//! `migrate`: documents of older formats.

use std::path::{Path, PathBuf};

use clap::Args;

use super::content::entries;
use super::output::{Out, counted, progress};
use super::{Exit, Failure};
use boardwright_content::xml::Source;
use boardwright_content::{BACKUPS, MOST_SAVE_BYTES, migrate_document, write_atomic};
use boardwright_model::diagnostic::Diagnostics;

#[derive(Clone, Debug, Args)]
pub(super) struct MigrateArguments {
    /// A document, or a folder with documents in it
    path: PathBuf,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &MigrateArguments, out: &mut Out) -> Result<Exit, Failure> {
    let path = &arguments.path;
    if !path.exists() {
        return Err(Failure::Usage(format!("{} is not there", path.display())));
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    if files.is_empty() {
        return Err(Failure::Usage(format!("{} holds no documents", path.display())));
    }
    // Everything is read before anything is written.
    let mut found = Diagnostics::new();
    let mut changed: Vec<(&PathBuf, String)> = Vec::new();
    let bar = progress(files.len(), "");
    for file in &files {
        bar.inc(1);
        let read = Source::open_up_to(file, file.display().to_string(), MOST_SAVE_BYTES).and_then(|source| migrate_document(&source));
        match read {
            Ok(Some(text)) => changed.push((file, text)),
            Ok(None) => {}
            Err(wrong) => found.extend(wrong),
        }
    }
    bar.finish_and_clear();
    if !found.is_empty() {
        out.line(found.render())?;
        out.line("nothing was changed")?;
        return Ok(Exit::Findings);
    }
    for (file, text) in &changed {
        if !arguments.dry_run {
            write_atomic(file, text.as_bytes(), BACKUPS).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
        }
        out.line(format!("{}: brought to the current format", file.display()))?;
    }
    let rest = files.len() - changed.len();
    out.line(format!("{} had the current format already", counted(rest, "document")))?;
    Ok(Exit::Fine)
}

/// Every XML file below a folder, hidden ones and backups left out.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in entries(path)? {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || entry.is_symlink() || name == "target" {
            continue;
        }
        if entry.is_dir() || name.ends_with(".xml") {
            collect(&entry, files)?;
        }
    }
    Ok(())
}
