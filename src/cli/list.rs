//! `list`: the rulesets there are.

use clap::Args;
use serde::Serialize;

use super::content::{Content, shown};
use super::output::Out;
use super::{Exit, Failure};

#[derive(Clone, Debug, Args)]
pub(super) struct ListArguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    title: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    builds_on: Option<&'a str>,
    scenarios: Vec<&'a str>,
    folder: String,
    is_bundled: bool,
}

pub(super) fn run(content: &Content, arguments: &ListArguments, out: &mut Out) -> Result<Exit, Failure> {
    let catalog = content.catalog()?;
    let all: Vec<Listed<'_>> = catalog
        .rulesets
        .values()
        .map(|entry| Listed {
            id: &entry.id,
            title: entry.title(),
            description: entry.manifest.as_ref().map_or("", |manifest| &manifest.description),
            builds_on: entry.manifest.as_ref().and_then(|manifest| manifest.builds_on.as_deref()),
            scenarios: catalog.scenarios(&entry.id).into_keys().collect(),
            folder: shown(&entry.folder),
            is_bundled: content.is_bundled(entry),
        })
        .collect();
    if arguments.json {
        out.json(&all)?;
        return Ok(Exit::Fine);
    }
    let widest = all.iter().map(|one| one.id.chars().count()).max().unwrap_or(0);
    for one in &all {
        out.line(format!("{:widest$}  {}: {}", one.id, one.title, one.description))?;
        let place = if one.is_bundled { "bundled" } else { &one.folder };
        out.line(format!("{:widest$}  {}; {place}", "", one.scenarios.join(", ")))?;
    }
    Ok(Exit::Fine)
}
