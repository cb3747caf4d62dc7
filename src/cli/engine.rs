//! `engine`: the protocol on standard input and output.

use std::io::{self, BufWriter};

use clap::Args;

use super::choice::{ChoiceArguments, begin_failure};
use super::content::Content;
use super::{Exit, Failure};
use boardwright_local::LocalMatch;
use boardwright_server::{Claim, serve_lines};

#[derive(Clone, Debug, Args)]
pub(super) struct EngineArguments {
    #[command(flatten)]
    choice: ChoiceArguments,
    /// Nothing is taken back or changed by hand, rules stay as they are, and nobody helps
    #[arg(long, conflicts_with = "watch")]
    rated: bool,
    /// Put changed files of the ruleset in force while the match runs
    #[arg(long)]
    watch: bool,
}

pub(super) fn run(content: &Content, arguments: &EngineArguments) -> Result<Exit, Failure> {
    let (catalog, mut choice) = arguments.choice.choose(content)?;
    choice.play_by(arguments.rated, arguments.watch);
    let playing = LocalMatch::begin(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
    let output = BufWriter::new(io::stdout());
    serve_lines(playing.session(), Claim::AllPeople, io::stdin().lock(), output)?;
    Ok(Exit::Fine)
}
