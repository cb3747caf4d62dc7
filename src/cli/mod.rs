//! The command line: one file a command.
//!
//! Exit codes: 0 all is well, 1 something was found or an expectation was lost, 2 the command cannot be carried out as it was
//! given. What programs may want to read is printed as JSON with `--json`. Nothing is left half done after an error.

#[cfg(all(feature = "server", unix))]
mod admin;
mod arena;
mod check;
mod choice;
mod content;
mod describe;
mod docs;
#[cfg(feature = "gui")]
mod edit;
mod engine;
mod export;
mod generate;
mod import;
#[cfg(feature = "server")]
mod join;
mod list;
#[cfg(feature = "server")]
mod load;
mod metrics;
mod migrate;
mod new;
mod odds;
mod output;
mod paths;
mod perft;
mod play;
mod profile;
mod ranking;
mod resolve;
mod saved;
#[cfg(feature = "server")]
mod serve;
mod table;
mod template;
mod test;
mod text;

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use content::Content;
use output::Out;

use boardwright_content::io_error_text;
use boardwright_local::log_panics;

/// An engine for turn-based board and strategy games whose rules are scripts.
#[derive(Debug, Parser)]
#[command(name = "boardwright", version, about, max_term_width = 110)]
struct Arguments {
    /// A folder with rulesets/, maps/ and scripts/; may be given several times. Without it those in
    /// `BOARDWRIGHT_CONTENT` are used, or else the current folder, that of the program, and your own. What the program brings
    /// inside itself comes last.
    #[arg(long, global = true, value_name = "FOLDER")]
    content: Vec<PathBuf>,
    /// Say more about what is done, on standard error. Twice for all of it.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a match, in a window or in the terminal
    Play(play::PlayArguments),
    /// Open a map or a scenario in the editor
    #[cfg(feature = "gui")]
    Edit(edit::EditArguments),
    /// Run a match for a program: the protocol on standard input and output, one JSON value a line
    Engine(engine::EngineArguments),
    /// Run a server for matches over the network
    #[cfg(feature = "server")]
    Serve(serve::ServeArguments),
    /// Say something to a server that runs on this machine: list, watch and pause matches, kick, ban, save, load, ..
    #[cfg(all(feature = "server", unix))]
    Admin(admin::AdminArguments),
    /// Play a match on a server in the terminal, or list those that wait for players
    #[cfg(feature = "server")]
    Join(join::JoinArguments),
    /// Measure how fast a server answers, and how many matches and spectators it carries
    #[cfg(feature = "server")]
    Load(load::LoadArguments),
    /// Look for mistakes in rulesets, maps, scenarios and strategies
    Check(check::CheckArguments),
    /// Run the worked examples of rulesets: their tests/
    Test(test::TestArguments),
    /// Count the ways in which play can go on, to test rules
    Perft(perft::PerftArguments),
    /// Let computer players play one another, and rate them
    Arena(Box<arena::ArenaArguments>),
    /// Say what random play shows about a ruleset: choices, length, draws, the advantage of seats, speed
    Metrics(metrics::MetricsArguments),
    /// Say where the time of a ruleset's scripts goes: by hook, function, line and word of the script API
    Profile(profile::ProfileArguments),
    /// Work out how a contest of a ruleset ends, such as a battle, from its own rules
    Odds(odds::OddsArguments),
    /// Show what a ruleset is made of, with mods applied, and where each part comes from
    Resolve(resolve::ResolveArguments),
    /// Begin a ruleset as a copy of another one, with its maps
    New(new::NewArguments),
    /// Draw a random map, as a ruleset generates it
    Generate(generate::GenerateArguments),
    /// List the rulesets there are, with what they are about
    List(list::ListArguments),
    /// Say where rulesets, maps and saved matches are looked for
    Paths,
    /// Show what a ruleset declares: scenarios, seats, options, actions
    Describe(describe::DescribeArguments),
    /// Print the reference of what scripts may say, or the rule book of a ruleset
    Docs(docs::DocsArguments),
    /// Step through a saved match
    Replay(saved::ReplayArguments),
    /// Run a saved match again and compare
    Verify(saved::VerifyArguments),
    /// Make a map out of a picture, a drawing, or a file of another program that a ruleset can read
    Import(Box<import::ImportArguments>),
    /// Draw a map or a scenario as SVG or PNG, or write the mask of a map of areas
    Export(export::ExportArguments),
    /// Bring maps, scenarios, manifests and saves of older formats to the current one
    Migrate(migrate::MigrateArguments),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// All is well.
    Fine,
    /// Something was found, or an expectation was lost.
    Findings,
}

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// It cannot be carried out as it was given.
    #[error("{0}")]
    Usage(String),
    /// It was carried out, and failed.
    #[error("{0}")]
    Failed(String),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads the arguments of the process and carries out the command.
pub fn run() -> ExitCode {
    let arguments = match parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are asked for and go to standard output; the rest is wrong usage.
            if error.use_stderr() {
                drop(io::stderr().write_all(in_plain_words(&error).as_bytes()));
            } else {
                drop(error.print());
            }
            return ExitCode::from(error.exit_code().clamp(0, 2) as u8);
        }
    };
    // A server says in its config file how it logs.
    #[cfg(feature = "server")]
    let is_server = matches!(arguments.command, Some(Command::Serve(_)));
    #[cfg(not(feature = "server"))]
    let is_server = false;
    if !is_server {
        log_to_stderr(arguments.verbose);
    }
    log_panics();
    let mut out = Out::new();
    let result = carry_out(arguments, &mut out).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    match result {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::Findings) => ExitCode::from(1),
        // Whoever read our output has seen enough.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            drop(out.flush());
            drop(writeln!(io::stderr(), "error: {failure}"));
            ExitCode::from(if matches!(failure, Failure::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn parse() -> Result<Arguments, clap::Error> {
    let arguments = odds::globals_first(std::env::args_os().collect());
    let matches = negative_numbers_are_values(Arguments::command()).try_get_matches_from(arguments)?;
    Arguments::from_arg_matches(&matches)
}

/// `--matches -1` is a wrong number of matches, not an option that nobody knows.
fn negative_numbers_are_values(command: clap::Command) -> clap::Command {
    let takes = |argument: clap::Arg| {
        let has_value = argument.get_action().takes_values();
        argument.allow_negative_numbers(has_value)
    };
    command.mut_args(takes).mut_subcommands(negative_numbers_are_values)
}

/// What is wrong with the arguments, without words that only programmers know.
fn in_plain_words(error: &clap::Error) -> String {
    let text = error.render();
    let text = if io::stderr().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    [
        ("invalid digit found in string", "it is no whole number"),
        ("cannot parse integer from empty string", "it is no whole number"),
        ("number too large to fit in target type", "it is too large"),
        ("number too small to fit in target type", "it is too small"),
    ]
    .iter()
    .fold(text, |text, (theirs, ours)| text.replace(theirs, ours))
}

/// What was tried and failed.
fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// What cannot be carried out as it was given.
fn wrong_usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

/// A failure of reading or writing, with what it was about.
fn io_failure(path: &std::path::Path, what: &str, error: &io::Error) -> Failure {
    Failure::Failed(format!("{} {what}: {}", path.display(), io_error_text(error)))
}

fn carry_out(arguments: Arguments, out: &mut Out) -> Result<Exit, Failure> {
    let content = Content::new(arguments.content);
    #[cfg(feature = "server")]
    let verbose = arguments.verbose;
    match arguments.command {
        None => play::launcher(&content),
        Some(Command::Play(arguments)) => play::run(&content, &arguments, out),
        #[cfg(feature = "gui")]
        Some(Command::Edit(arguments)) => edit::run(&content, arguments),
        Some(Command::Engine(arguments)) => engine::run(&content, &arguments),
        #[cfg(feature = "server")]
        Some(Command::Serve(arguments)) => serve::run(&content, &arguments, verbose, out),
        #[cfg(all(feature = "server", unix))]
        Some(Command::Admin(arguments)) => admin::run(&arguments, out),
        #[cfg(feature = "server")]
        Some(Command::Join(arguments)) => join::run(&arguments, out),
        #[cfg(feature = "server")]
        Some(Command::Load(arguments)) => load::run(&content, &arguments, out),
        Some(Command::Check(arguments)) => check::run(&content, &arguments, out),
        Some(Command::Test(arguments)) => test::run(&content, &arguments, out),
        Some(Command::Perft(arguments)) => perft::run(&content, &arguments, out),
        Some(Command::Arena(arguments)) => arena::run(&content, &arguments, out),
        Some(Command::Metrics(arguments)) => metrics::run(&content, &arguments, out),
        Some(Command::Profile(arguments)) => profile::run(&content, &arguments, out),
        Some(Command::Odds(arguments)) => odds::run(&content, &arguments, out),
        Some(Command::Resolve(arguments)) => resolve::run(&content, &arguments, out),
        Some(Command::New(arguments)) => new::run(&content, &arguments, out),
        Some(Command::Generate(arguments)) => generate::run(&content, &arguments, out),
        Some(Command::List(arguments)) => list::run(&content, &arguments, out),
        Some(Command::Paths) => paths::run(&content, out),
        Some(Command::Describe(arguments)) => describe::run(&content, &arguments, out),
        Some(Command::Docs(arguments)) => docs::run(&content, &arguments, out),
        Some(Command::Replay(arguments)) => saved::replay(&content, &arguments, out),
        Some(Command::Verify(arguments)) => saved::verify(&arguments, out),
        Some(Command::Import(arguments)) => import::run(&content, &arguments, out),
        Some(Command::Export(arguments)) => export::run(&content, &arguments, out),
        Some(Command::Migrate(arguments)) => migrate::run(&arguments, out),
    }
}

fn log_to_stderr(verbose: u8) {
    let level = match verbose {
        0 => tracing::Level::WARN,
        1 => tracing::Level::INFO,
        _ => tracing::Level::DEBUG,
    };
    // What the libraries of the window find strange about the display helps nobody who plays.
    let display = if verbose == 0 { tracing::Level::ERROR } else { level };
    let filter = Targets::new().with_default(level).with_target("winit", display);
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // Only tests that run commands in one process set it twice.
    drop(subscriber.without_time().finish().with(filter).try_init());
}
