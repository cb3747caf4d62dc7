//! `metrics`: what random play shows about rules.

use clap::Args;

use super::choice::ChoiceArguments;
use super::content::Content;
use super::output::{Out, progress};
use super::table::{Columns, percent, probability};
use super::{Exit, Failure};
use boardwright_lab::{Metrics, MetricsSettings, Spread, measure};
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
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let rules = prepared.source.rules(start.board(), start.declarations(), start.options());
    let rules = rules.map_err(|fault| failed(&fault))?;
    let settings = MetricsSettings {
        matches: arguments.matches,
        seed: arguments.choice.how.seed.map_or(0, Seed::fold),
        most_actions: arguments.most_actions,
    };
    let bar = progress(arguments.matches as usize, "random matches");
    let metrics = measure(&*rules, start, settings, &mut |played| bar.set_position(u64::from(played)));
    bar.finish_and_clear();
    let metrics = metrics.map_err(|rejection| failed(&rejection))?;
    if arguments.json {
        out.json(&metrics)?;
        return Ok(Exit::Fine);
    }
    show(&prepared.start.declarations().seats, &metrics, out)?;
    Ok(Exit::Fine)
}

fn show(seats: &[boardwright_model::SeatDeclaration], metrics: &Metrics, out: &mut Out) -> Result<(), Failure> {
    let mut columns = Columns::default();
    columns.row([
        format!("{} random matches", metrics.matches),
        "least".into(),
        "mean".into(),
        "median".into(),
        "most".into(),
    ]);
    let mut spread = |name: &str, spread: &Spread| {
        let Spread {
            least,
            mean,
            median,
            greatest,
        } = spread;
        columns.row([
            name.to_owned(),
            least.to_string(),
            format!("{mean:.1}"),
            median.to_string(),
            greatest.to_string(),
        ]);
    };
    spread("actions to choose from", &metrics.branching);
    spread("actions of a match", &metrics.length);
    spread("rounds of a match", &metrics.rounds);
    for line in columns.lines() {
        out.line(line)?;
    }
    out.line(format!(
        "drawn {}, without an end {}",
        percent(metrics.drawn),
        percent(metrics.endless)
    ))?;
    let shares = seats.iter().zip(&metrics.seats);
    let shares: Vec<String> = shares.map(|(seat, points)| format!("{} {}", seat.name, percent(*points))).collect();
    let p = metrics.p.map_or_else(String::new, |p| format!(" ({})", probability(p)));
    out.line(format!("points by seat: {}{p}", shares.join(", ")))?;
    let mut endings: Vec<_> = metrics.endings.iter().collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (reason, count) in endings {
        out.line(format!("ended {count} times: {reason}"))?;
    }
    out.line(format!(
        "{:.0} actions and {:.0} matches for a second of work on one core",
        metrics.actions_per_second, metrics.matches_per_second
    ))?;
    Ok(())
}
