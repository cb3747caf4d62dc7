//! `paths`: where things are looked for, best first.

use std::path::Path;

use super::content::Content;
use super::output::{Out, counted};
use super::{Exit, Failure};
use boardwright_content::Catalog;
use boardwright_local::saves_folder;

pub(super) fn run(content: &Content, out: &mut Out) -> Result<Exit, Failure> {
    let folders = content.folders()?;
    let bundled = content.bundled(&folders);
    let is_named = if content.is_given() { "named" } else { "looked for in" };
    out.line("Rulesets, maps and scripts, the first counts:")?;
    for folder in &folders {
        out.line(format!("  {}  ({is_named}; {})", absolute(folder), what_is_in(folder)))?;
    }
    match &bundled {
        Some(folder) => out.line(format!("  {}  (bundled; {})", absolute(folder), what_is_in(folder)))?,
        None => out.line("  The bundled rulesets are not unpacked: the folders above have them all, or there is no place for them.")?,
    }
    out.line("Saved matches:")?;
    let saves = saves_folder();
    let is_there = if saves.is_dir() { "" } else { "  (made when it is needed)" };
    out.line(format!("  {}{is_there}", absolute(&saves)))?;
    Ok(Exit::Fine)
}

fn absolute(folder: &Path) -> String {
    std::path::absolute(folder)
        .unwrap_or_else(|_| folder.to_path_buf())
        .display()
        .to_string()
}

fn what_is_in(folder: &Path) -> String {
    if !folder.is_dir() {
        return "not there".to_owned();
    }
    match Catalog::scan(&[folder.to_path_buf()]).rulesets.len() {
        0 => "no rulesets".to_owned(),
        rulesets => counted(rulesets, "ruleset"),
    }
}
