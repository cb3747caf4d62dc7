//! `resolve`: what a ruleset is made of, with mods applied.

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use super::choice::content_failure;
use super::content::{Content, split_id};
use super::output::Out;
use super::{Exit, Failure};
use boardwright_model::diagnostic::Diagnostics;
use boardwright_ruleset::{ConstantSymbol, FunctionSymbol, Layer};
use boardwright_script::{Limits, compile_rules};

#[derive(Clone, Debug, Args)]
pub(super) struct ResolveArguments {
    /// The ruleset and, after a slash, a scenario whose overlay is laid on top
    #[arg(value_name = "ID[/SCENARIO]")]
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A function or constant in force.
#[derive(Serialize)]
struct Part {
    /// `function` or `constant`.
    what: &'static str,
    /// Its name with its parameters.
    name: String,
    /// The first line of its documentation.
    summary: String,
    /// Where it stands: `file:line:column`.
    place: String,
    /// What it replaces, nearest first.
    replaces: Vec<String>,
    /// The maps of lower layers that it is joined with key by key, nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    joins: Vec<String>,
    /// The keys of what was joined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<Key>,
}

/// A key of a map that several layers make up.
#[derive(Serialize)]
struct Key {
    name: String,
    /// Where it stands.
    place: String,
    /// What it replaces, nearest first.
    replaces: Vec<String>,
    /// Whether it is taken away there.
    is_gone: bool,
}

#[derive(Serialize)]
struct Resolved {
    layers: Vec<String>,
    fingerprint: String,
    parts: Vec<Part>,
}

pub(super) fn run(content: &Content, arguments: &ResolveArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (ruleset, scenario) = split_id(&arguments.id);
    let catalog = content.catalog_with(&ruleset, scenario.as_deref())?;
    let compile = || {
        let document = scenario.map(|scenario| catalog.scenario(&ruleset, &scenario)).transpose()?;
        let overlay = document.and_then(|document| {
            let (file, text) = document.scenario.overlay?;
            Some(Layer::new(format!("maps/{}", document.scenario.ruleset)).with(file, text))
        });
        let sources = catalog.sources(&ruleset, overlay)?;
        Ok((compile_rules(&sources, &Limits::default())?, sources))
    };
    let (program, sources) = compile().map_err(|found: Diagnostics| content_failure(&found, &catalog))?;
    let outline = program.outline();
    let resolved = Resolved {
        layers: sources.layers.iter().map(|layer| layer.id.clone()).collect(),
        fingerprint: program.fingerprint().to_string(),
        parts: parts(outline),
    };
    if arguments.json {
        out.json(&resolved)?;
        return Ok(Exit::Fine);
    }
    out.line(format!("layers, from the bottom: {}", resolved.layers.join(", ")))?;
    out.line(format!("fingerprint: {}\n", resolved.fingerprint))?;
    let width = resolved.parts.iter().map(|part| part.name.len()).max().unwrap_or(0).min(50);
    let below = |how: &str, places: &[String], out: &mut Out| {
        let mut places = places.iter();
        places.try_for_each(|place| out.line(format!("{:width$}    {how} {place}", "")))
    };
    for part in &resolved.parts {
        out.line(format!("{:width$}  {}", part.name, part.place))?;
        below("replaces", &part.replaces, out)?;
        below("joined with", &part.joins, out)?;
        for key in &part.keys {
            let gone = if key.is_gone { ", taken away" } else { "" };
            out.line(format!("{:width$}  {}{gone}", format!("  {}", key.name), key.place))?;
            below("replaces", &key.replaces, out)?;
        }
    }
    Ok(Exit::Fine)
}

fn parts(outline: &boardwright_ruleset::SymbolTable) -> Vec<Part> {
    let signature = |function: &FunctionSymbol| format!("{}({})", function.name, function.params.join(", "));
    let mut parts = Vec::new();
    let mut constants: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for constant in &outline.constants {
        constants.entry(&constant.name).or_default().push(constant);
    }
    for (name, mut all) in constants {
        all.sort_by_key(|constant| std::cmp::Reverse(constant.layer));
        // Maps are joined as far down as there are maps; what lies below those is replaced.
        let maps = all.iter().take_while(|constant| constant.keys.is_some()).count().max(1);
        let (joined, replaced) = all.split_at(maps);
        let place = |constant: &&ConstantSymbol| constant.place.to_string();
        parts.push(Part {
            what: "constant",
            name: name.to_owned(),
            summary: String::new(),
            place: joined.first().map(place).unwrap_or_default(),
            replaces: replaced.iter().map(place).collect(),
            joins: joined.iter().skip(1).map(place).collect(),
            keys: if joined.len() > 1 { keys(joined) } else { Vec::new() },
        });
    }
    for function in outline.in_force() {
        let same =
            |other: &&FunctionSymbol| other.is_replaced && other.name == function.name && other.params.len() == function.params.len();
        let mut replaced: Vec<&FunctionSymbol> = outline.functions.iter().filter(same).collect();
        replaced.sort_by_key(|other| std::cmp::Reverse(other.layer));
        parts.push(Part {
            what: "function",
            name: signature(function),
            summary: function.doc.first().map(|line| line.trim().to_owned()).unwrap_or_default(),
            place: function.place.to_string(),
            replaces: replaced.iter().map(|other| other.place.to_string()).collect(),
            joins: Vec::new(),
            keys: Vec::new(),
        });
    }
    parts
}

/// The keys of maps that are joined, those of the highest layer first.
fn keys(joined: &[&ConstantSymbol]) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for found in joined.iter().filter_map(|constant| constant.keys.as_ref()).flatten() {
        match keys.iter_mut().find(|key| key.name == found.name) {
            Some(key) => key.replaces.push(found.place.to_string()),
            None => keys.push(Key {
                name: found.name.clone(),
                place: found.place.to_string(),
                replaces: Vec::new(),
                is_gone: found.takes_away,
            }),
        }
    }
    keys
}
