//! `generate`: a random map, as a ruleset draws it.

use std::path::PathBuf;

use clap::Args;

use super::content::{Content, shown, usage};
use super::output::Out;
use super::{Exit, Failure};
use boardwright_content::xml::is_id;
use boardwright_content::{MAP_ENDING, print_map, save_map};
use boardwright_local::rules_of;
use boardwright_model::Seed;

#[derive(Clone, Debug, Args)]
pub(super) struct GenerateArguments {
    /// The ruleset whose `generate_map` draws the map
    ruleset: String,
    /// The seed: the same seed and options give the same map. Without it one is drawn, and told
    #[arg(long)]
    seed: Option<u64>,
    /// What is to be otherwise than declared, as in `towns=7`; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// The file to write; the id of the map is its name. Without it the map is printed
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The title of the map
    #[arg(long)]
    title: Option<String>,
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is no NAME=VALUE"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(super) fn run(content: &Content, arguments: &GenerateArguments, out: &mut Out) -> Result<Exit, Failure> {
    let catalog = content.catalog()?;
    let entry = catalog.ruleset(&arguments.ruleset).map_err(|found| usage(&found))?;
    let source = rules_of(&catalog, &entry.id).map_err(|found| Failure::Failed(found.render()))?;
    let seed = arguments.seed.unwrap_or_else(drawn_seed);
    let map = source.generate_map(Seed::from(seed), &arguments.options);
    let mut map = map.map_err(|found| Failure::Failed(found.render()))?;
    map.title = arguments.title.clone().unwrap_or_else(|| format!("{}, seed {seed}", entry.title()));
    let Some(path) = &arguments.output else {
        out.text(&print_map(&map))?;
        return Ok(Exit::Fine);
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = name.strip_suffix(MAP_ENDING).unwrap_or_default();
    if !is_id(id) {
        return Err(Failure::Usage(format!(
            "{} is no name of a map: ID{MAP_ENDING}, with an id of small letters, digits and hyphens",
            shown(path)
        )));
    }
    id.clone_into(&mut map.id);
    save_map(path, &map).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
    out.line(format!("The map is in {}, of seed {seed}.", shown(path)))?;
    Ok(Exit::Fine)
}

/// A seed that can be told, of the time.
fn drawn_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| since.as_millis() as u64 % 1_000_000)
}
