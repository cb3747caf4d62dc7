//! `describe`: what a ruleset declares.

use clap::Args;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::choice::content_failure;
use super::content::{Content, shown, split_id, usage};
use super::output::Out;
use super::template::render;
use super::{Exit, Failure, wrong_usage};
use boardwright_local::rules_of;
use boardwright_model::{Declarations, OptionDeclaration};
use boardwright_rules::RulesSource;

#[derive(Clone, Debug, Args)]
pub(super) struct DescribeArguments {
    /// The ruleset
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Described<'a> {
    id: &'a str,
    title: &'a str,
    version: String,
    licence: &'a str,
    builds_on: Option<&'a str>,
    description: &'a str,
    authors: &'a [String],
    scenarios: Vec<DescribedScenario<'a>>,
    strategies: Vec<String>,
    fingerprint: String,
    declarations: &'a Declarations,
}

#[derive(Serialize)]
struct DescribedScenario<'a> {
    id: &'a str,
    title: &'a str,
    description: &'a str,
    map: &'a str,
    players: &'a [(String, String)],
}

pub(super) fn run(content: &Content, arguments: &DescribeArguments, out: &mut Out) -> Result<Exit, Failure> {
    if let (ruleset, Some(_)) = split_id(&arguments.id) {
        let message = format!("a ruleset is described as a whole, with all its scenarios: `boardwright describe {ruleset}`");
        return Err(wrong_usage(message));
    }
    let catalog = content.catalog_with(&arguments.id, None)?;
    let entry = catalog.ruleset(&arguments.id).map_err(|found| usage(&found))?;
    let source = rules_of(&catalog, &arguments.id).map_err(|found| content_failure(&found, &catalog))?;
    let scenarios = catalog.scenarios(&arguments.id).into_values().map(|scenario| DescribedScenario {
        id: &scenario.id,
        title: &scenario.title,
        description: &scenario.description,
        map: &scenario.map,
        players: &scenario.players,
    });
    let manifest = entry.manifest.as_ref();
    let described = Described {
        id: &entry.id,
        title: entry.title(),
        version: manifest.map(|manifest| manifest.version.to_string()).unwrap_or_default(),
        licence: manifest.map_or("", |manifest| &manifest.licence),
        builds_on: manifest.and_then(|manifest| manifest.builds_on.as_deref()),
        description: manifest.map_or("", |manifest| &manifest.description),
        authors: manifest.map_or(&[], |manifest| &manifest.authors),
        scenarios: scenarios.collect(),
        strategies: source.strategies(),
        fingerprint: source.fingerprint().to_string(),
        declarations: source.declarations(),
    };
    if arguments.json {
        out.json(&described)?;
        return Ok(Exit::Fine);
    }
    let option = |option: &OptionDeclaration| {
        let default = option.default.to_string();
        context! { kind => option.value_type.describe(), default, ..Value::from(Serde(option)) }
    };
    let values = context! {
        plays_like => manifest.map(|manifest| manifest.plays_like.clone()).unwrap_or_default(),
        minutes => manifest.and_then(|manifest| manifest.minutes),
        folder => shown(&entry.folder),
        options => described.declarations.options.iter().map(option).collect::<Vec<_>>(),
        ..Value::from(Serde(&described))
    };
    out.text(&render("describe.txt", include_str!("templates/describe.txt"), values)?)?;
    Ok(Exit::Fine)
}
