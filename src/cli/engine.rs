//! `engine`: the protocol on standard input and output.

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;

use clap::Args;

use super::choice::{ChoiceArguments, HowArguments, PolicyArguments, begin_failure};
use super::content::Content;
use super::{Exit, Failure, play, saved};
use boardwright_local::{LocalMatch, autosave_file, finish_autosaves, saves_folder};
use boardwright_server::{Claim, serve_lines};

#[derive(Clone, Debug, Args)]
pub(super) struct EngineArguments {
    /// The ruleset and, after a slash, the scenario; without one the standard scenario
    #[arg(value_name = "ID[/SCENARIO]", required_unless_present = "load", conflicts_with = "load")]
    id: Option<String>,
    #[command(flatten)]
    how: HowArguments,
    /// Go on with a saved match, or with one that was cut off
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    #[command(flatten)]
    policy: PolicyArguments,
    /// Put changed files of the ruleset in force while the match runs
    #[arg(long, conflicts_with = "rated")]
    watch: bool,
    /// Do not keep the match while it runs: if the program is killed, it is lost
    #[arg(long)]
    no_autosave: bool,
}

pub(super) fn run(content: &Content, arguments: &EngineArguments) -> Result<Exit, Failure> {
    play::print_crashes();
    let playing = if let Some(file) = &arguments.load {
        let saved = play::open_to_resume(&arguments.how, file)?;
        let mut choice = play::resumed(&arguments.how, file, &saved)?;
        choice.watches = arguments.watch;
        choice.autosave = choice.autosave.filter(|_| !arguments.no_autosave);
        print_autosave(choice.autosave.as_ref());
        let catalog = saved::any_catalog(content)?;
        LocalMatch::resume(&catalog, saved, &choice).map_err(|error| begin_failure(error, &catalog))?
    } else {
        let id = arguments.id.clone().unwrap_or_default();
        let how = arguments.how.clone();
        let (catalog, mut choice) = ChoiceArguments { id, how }.choose(content)?;
        arguments.policy.put_into(&mut choice, arguments.watch);
        let scenario = choice.scenario.as_deref().unwrap_or("standard");
        let copy = || autosave_file(&saves_folder(), &choice.ruleset, scenario);
        choice.autosave = (!arguments.no_autosave).then(copy);
        print_autosave(choice.autosave.as_ref());
        LocalMatch::begin(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?
    };
    let output = BufWriter::new(io::stdout());
    serve_lines(playing.session(), Claim::AllPeople, io::stdin().lock(), output)?;
    playing.session().wait();
    finish_autosaves(play::LAST_AUTOSAVES);
    Ok(Exit::Fine)
}

/// Says where the match is kept, to whoever runs the engine.
fn print_autosave(copy: Option<&PathBuf>) {
    if let Some(copy) = copy {
        drop(writeln!(io::stderr(), "the match is kept in {}", copy.display()));
    }
}
