//! `metrics`: what random play shows about rules.

use clap::Args;
use minijinja::value::Serde;
use minijinja::{Value, context};

use super::choice::ChoiceArguments;
use super::content::Content;
use super::output::{Out, progress};
use super::template::render;
use super::{Exit, Failure, failed};
use boardwright_lab::{MetricsSettings, measure};
use boardwright_model::Seed;
use boardwright_rules::RulesSource;

#[derive(Clone, Debug, Args)]
pub(super) struct MetricsArguments {
    #[command(flatten)]
    choice: ChoiceArguments,
    /// How many random matches to play
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    matches: u32,
    /// The most actions of a match; one that goes on has no end
    #[arg(long, default_value_t = 5_000)]
    most_actions: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(content: &Content, arguments: &MetricsArguments, out: &mut Out) -> Result<Exit, Failure> {
    let prepared = arguments.choice.prepare(content)?;
    let start = &prepared.start;
    let rules = prepared.source.rules(start.board(), start.declarations(), start.options());
    let rules = rules.map_err(failed)?;
    let settings = MetricsSettings {
        matches: arguments.matches,
        seed: arguments.choice.how.seed.map_or(0, Seed::fold),
        most_actions: arguments.most_actions,
    };
    let bar = progress(arguments.matches as usize, "random matches");
    let metrics = measure(&*rules, start, settings, &mut |played| bar.set_position(u64::from(played)));
    bar.finish_and_clear();
    let metrics = metrics.map_err(failed)?;
    if arguments.json {
        out.json(&metrics)?;
        return Ok(Exit::Fine);
    }
    let declared = &prepared.start.declarations().seats;
    let values = context! { declared => Serde(declared), ..Value::from(Serde(&metrics)) };
    out.text(&render("metrics.txt", include_str!("templates/metrics.txt"), values)?)?;
    Ok(Exit::Fine)
}
