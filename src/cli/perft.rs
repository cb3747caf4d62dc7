//! `perft`: counting the ways in which play can go on.

use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::choice::ChoiceArguments;
use super::content::Content;
use super::output::{Out, spinner};
use super::{Exit, Failure, failed};
use boardwright_host::Match;
use boardwright_model::diagnostic::Code;
use boardwright_model::{Policy, Rejection, Seed};
use boardwright_rules::Generator;
use boardwright_rules::perft::{self, PerftLuck};

#[derive(Clone, Debug, Args)]
pub(super) struct PerftArguments {
    #[command(flatten)]
    choice: ChoiceArguments,
    /// How many actions ahead to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Count for each first action by itself
    #[arg(long)]
    divide: bool,
    /// What a draw of luck counts as: each of its results, or the one that the seed brings
    #[arg(long, value_enum, default_value = "each")]
    luck: CountedLuck,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CountedLuck {
    /// An action counts once for each state that its draws may lead to
    Each,
    /// An action counts once, with what follows from --seed
    Seed,
}

#[derive(Serialize)]
struct AtDepth {
    depth: u32,
    count: u64,
    milliseconds: u64,
}

#[derive(Serialize)]
struct Branch {
    action: String,
    count: u64,
}

pub(super) fn run(content: &Content, arguments: &PerftArguments, out: &mut Out) -> Result<Exit, Failure> {
    let prepared = arguments.choice.prepare(content)?;
    let start = prepared.start;
    let seed = arguments.choice.how.seed.unwrap_or(Seed::Number(0));
    let playing = Match::begin(prepared.source, start, seed, Policy::default()).map_err(failed)?;
    let luck = match arguments.luck {
        CountedLuck::Each => PerftLuck::Each,
        CountedLuck::Seed => PerftLuck::Seed(Generator::new(seed)),
    };
    if arguments.divide {
        let bar = spinner(format!("depth {}", arguments.depth));
        let branches = perft::divide(playing.rules(), playing.state(), arguments.depth, &luck).map_err(uncountable);
        bar.finish_and_clear();
        let branches: Vec<Branch> = branches?.into_iter().map(|(action, count)| Branch { action, count }).collect();
        if arguments.json {
            out.json(&branches)?;
        } else {
            for branch in &branches {
                out.line(format!("{} {}", branch.action, branch.count))?;
            }
            out.line(format!("total {}", branches.iter().map(|branch| branch.count).sum::<u64>()))?;
        }
        return Ok(Exit::Fine);
    }
    let mut counts = Vec::new();
    for depth in 1..=arguments.depth {
        let bar = spinner(format!("depth {depth}"));
        let begun = Instant::now();
        let count = perft::perft_with(playing.rules(), Arc::clone(playing.state()), depth, &luck).map_err(uncountable);
        bar.finish_and_clear();
        let count = count?;
        if !arguments.json {
            out.line(format!("{depth} {count}"))?;
            out.flush()?;
        }
        counts.push(AtDepth {
            depth,
            count,
            milliseconds: begun.elapsed().as_millis() as u64,
        });
    }
    if arguments.json {
        out.json(&counts)?;
    }
    Ok(Exit::Fine)
}

/// Why it could not be counted, and what can be done where luck has too many results.
fn uncountable(rejection: Rejection) -> Failure {
    if rejection.fault().is_some_and(|fault| fault.code == Code::TooManyResults) {
        failed(format!("{rejection}; --luck seed counts one of them"))
    } else {
        failed(rejection)
    }
}
