//! `docs`: the references of the script API and of documents, and the rule books of rulesets.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::choice::content_failure;
use super::content::Content;
use super::output::Out;
use super::{Exit, Failure};
use boardwright_content::{document_formats, write_atomic};
use boardwright_local::help_pages;
use boardwright_script::reference;

#[derive(Clone, Debug, Args)]
pub(super) struct DocsArguments {
    /// A ruleset, for its rule book; without it the reference of what scripts may say
    id: Option<String>,
    /// The form of the reference; markdown if nothing is said
    #[arg(long, value_enum, conflicts_with = "id")]
    form: Option<Form>,
    /// Write it into a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The form of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Markdown,
    /// Definitions for text editors
    Definitions,
    /// The elements and attributes of XML documents
    Documents,
}

pub(super) fn run(content: &Content, arguments: &DocsArguments, out: &mut Out) -> Result<Exit, Failure> {
    let text = if let Some(id) = &arguments.id {
        let catalog = content.catalog_with(id, None)?;
        let sources = catalog.sources(id, None);
        let pages = help_pages(&sources.map_err(|found| content_failure(&found, &catalog))?);
        if pages.is_empty() {
            return Err(Failure::Failed(format!("the ruleset {id} brings no rule book")));
        }
        pages
            .into_iter()
            .map(|page| page.text.trim_end().to_owned())
            .collect::<Vec<_>>()
            .join("\n\n")
            + "\n"
    } else {
        match arguments.form.unwrap_or(Form::Markdown) {
            Form::Markdown => reference().markdown,
            Form::Definitions => reference().definitions,
            Form::Documents => document_formats().map(|format| format.outline()).join("\n"),
        }
    };
    match &arguments.out {
        None => out.text(&text)?,
        Some(file) => {
            if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
                return Err(Failure::Usage(format!("the folder {} is not there", folder.display())));
            }
            write_atomic(file, text.as_bytes(), 0).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
            out.line(format!("{} is written", file.display()))?;
        }
    }
    Ok(Exit::Fine)
}
