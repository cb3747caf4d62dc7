//! `describe`: what a ruleset declares.

use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::choice::content_failure;
use super::content::Content;
use super::output::Out;
use super::{Exit, Failure};
use boardwright_content::RulesetEntry;
use boardwright_model::Declarations;
use boardwright_rules::RulesSource;
use boardwright_script::{Limits, ScriptSource};

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
    frame: &'a Declarations,
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
    let catalog = content.catalog_with(&arguments.id, None)?;
    let entry = catalog.ruleset(&arguments.id).map_err(|found| super::content::usage(&found))?;
    let compiled = catalog
        .sources(&arguments.id, None)
        .and_then(|sources| ScriptSource::new(Arc::new(sources), Limits::default()));
    let source = compiled.map_err(|found| content_failure(&found, &catalog))?;
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
        frame: source.declarations(),
    };
    if arguments.json {
        out.json(&described)?;
    } else {
        print(&described, entry, out)?;
    }
    Ok(Exit::Fine)
}

fn print(described: &Described<'_>, entry: &RulesetEntry, out: &mut Out) -> Result<(), Failure> {
    out.line(format!("{} ({} {})", described.title, described.id, described.version))?;
    if !described.description.is_empty() {
        out.line(described.description)?;
    }
    let mut fact = |label: &str, text: &str| {
        if text.is_empty() {
            Ok(())
        } else {
            out.line(format!("{label}: {text}"))
        }
    };
    fact("builds on", described.builds_on.unwrap_or_default())?;
    fact("by", &described.authors.join(", "))?;
    fact("licence", described.licence)?;
    if let Some(manifest) = &entry.manifest {
        fact("plays like", &manifest.plays_like.join(", "))?;
        fact("minutes", &manifest.minutes.map(|minutes| minutes.to_string()).unwrap_or_default())?;
    }
    fact("folder", &super::content::shown(&entry.folder))?;
    fact("strategies", &described.strategies.join(", "))?;
    let frame = described.frame;
    let words = |names: &mut dyn Iterator<Item = (&str, &str)>| -> String {
        let texts: Vec<String> = names
            .map(|(name, title)| {
                if name.eq_ignore_ascii_case(title) {
                    name.to_owned()
                } else {
                    format!("{name} ({title})")
                }
            })
            .collect();
        texts.join(", ")
    };
    fact("seats", &words(&mut frame.seats.iter().map(|seat| (&*seat.name, &*seat.title))))?;
    fact("kinds", &words(&mut frame.kinds.iter().map(|kind| (&*kind.name, &*kind.title))))?;
    fact(
        "phases",
        &words(&mut frame.phases.iter().map(|phase| (&*phase.name, &*phase.title))),
    )?;
    fact(
        "terrains",
        &words(&mut frame.terrains.iter().map(|terrain| (&*terrain.name, &*terrain.title))),
    )?;
    out.line("\nscenarios:")?;
    for scenario in &described.scenarios {
        out.line(format!("  {}/{}  {}", described.id, scenario.id, scenario.title))?;
        if !scenario.description.is_empty() {
            out.line(format!("      {}", scenario.description))?;
        }
    }
    out.line("\nactions:")?;
    for action in &frame.actions {
        let picks: Vec<&str> = action.picks.iter().map(|pick| &*pick.name).collect();
        let rule = if action.rule.is_empty() {
            String::new()
        } else {
            format!("  rule {}", action.rule)
        };
        out.line(format!("  {} {}{rule}", action.name, picks.join(" ")).trim_end())?;
    }
    if !frame.options.is_empty() {
        out.line("\noptions:")?;
    }
    for option in &frame.options {
        let kind = option.value_type.describe();
        out.line(format!("  {}={}  {} ({kind})", option.name, option.default, option.title))?;
        if !option.help.is_empty() {
            out.line(format!("      {}", option.help))?;
        }
    }
    Ok(())
}
