//! Arguments that say what is to be played.

use boardwright_model::{Policy, Seed, UndoPolicy};
use clap::{Args, ValueEnum};

use super::Failure;
use super::content::{Content, split_id, with_paths};
use boardwright_client::MatchChoice;
use boardwright_content::Catalog;
use boardwright_local::{BeginError, Prepared, prepare};
use boardwright_model::diagnostic::Diagnostics;

/// What is to be played.
#[derive(Clone, Debug, Args)]
pub(super) struct ChoiceArguments {
    /// The ruleset and, after a slash, the scenario; without one the standard scenario
    #[arg(value_name = "ID[/SCENARIO]")]
    pub(super) id: String,
    #[command(flatten)]
    pub(super) how: HowArguments,
}

/// How it is to be played.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct HowArguments {
    /// Who plays a seat: NAME=human, random, greedy, a strategy of the ruleset, search:LEVEL, mcts:LEVEL, maxn:LEVEL, paranoid:LEVEL or expectimax:LEVEL, with levels
    /// from 1 to 9; behind @ stands how many nodes or simulations a choice may take, or how long, as in mcts:9@7000 and mcts:9@500ms. The others play as the scenario says
    #[arg(long = "seat", value_name = "NAME=PLAYER[:LEVEL]")]
    pub(super) seats: Vec<String>,
    /// Sets an option of the ruleset; `describe` lists them
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(super) options: Vec<String>,
    /// The seed of all luck, so that a match can be played again; without it one nobody knows
    #[arg(long)]
    pub(super) seed: Option<Seed>,
}

pub(super) fn pairs(texts: &[String], form: &str) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(Failure::Usage(format!("`{text}` is not of the form {form}")));
        };
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        if let Some((_, other)) = pairs.iter().find(|(known, _)| *known == name) {
            return Err(Failure::Usage(format!("{name} is given twice, as `{other}` and as `{value}`")));
        }
        pairs.push((name, value));
    }
    Ok(pairs)
}

/// Who plays which seat.
pub(super) fn seats(texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    pairs(texts, "--seat NAME=PLAYER")
}

/// How far actions may be undone.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Undo {
    /// To the start, also what was rolled and seen
    Free,
    /// A player's own actions of the turn, up to a roll or what was seen for the first time
    OwnTurn,
    /// Not at all
    Never,
}

/// What is allowed in a match that begins, beside its rules.
#[derive(Clone, Debug, Args)]
pub(super) struct PolicyArguments {
    /// No undo, no edits, no hints, no changes of rules
    #[arg(long, conflicts_with = "load")]
    rated: bool,
    /// How far actions can be undone [default: own-turn in fog, else free]
    #[arg(long, value_name = "HOW FAR", conflicts_with_all = ["load", "rated"])]
    undo: Option<Undo>,
}

impl PolicyArguments {
    /// Puts it into a choice. `watches` is whether changed files are put in force where the match is not rated.
    pub(super) fn put_into(&self, choice: &mut MatchChoice, watches: bool) {
        choice.play_by(self.rated, watches);
        let undo = self.undo.map(|undo| match undo {
            Undo::Free => UndoPolicy::Free,
            Undo::OwnTurn => UndoPolicy::OwnTurn,
            Undo::Never => UndoPolicy::Never,
        });
        choice.policy = choice.policy.or(undo.map(|undo| Policy { undo, ..Policy::default() }));
    }
}

/// The values of options.
pub(super) fn options(texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    pairs(texts, "--option NAME=VALUE")
}

impl ChoiceArguments {
    /// The choice, and the catalogue it is made from.
    pub(super) fn choose(&self, content: &Content) -> Result<(Catalog, MatchChoice), Failure> {
        let (ruleset, scenario) = split_id(&self.id);
        let catalog = content.catalog_of(&ruleset, scenario.as_deref())?;
        let choice = MatchChoice {
            ruleset,
            scenario,
            players: seats(&self.how.seats)?,
            options: options(&self.how.options)?,
            seed: self.how.seed,
            ..MatchChoice::default()
        };
        Ok((catalog, choice))
    }

    /// Everything opened and compiled, without a session.
    pub(super) fn prepare(&self, content: &Content) -> Result<Prepared, Failure> {
        let (catalog, choice) = self.choose(content)?;
        prepare(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))
    }
}

/// Content with mistakes, where no match was meant to begin.
pub(super) fn content_failure(found: &Diagnostics, catalog: &Catalog) -> Failure {
    Failure::Failed(format!("the ruleset cannot be used\n{}", with_paths(found, catalog).render()))
}

/// A match that could not begin: a wrong choice is wrong usage, content with mistakes is not.
pub(super) fn begin_failure(error: BeginError, catalog: &Catalog) -> Failure {
    match error {
        BeginError::Choice(text) => Failure::Usage(text),
        BeginError::Content(found) => Failure::Failed(format!("the match cannot begin\n{}", with_paths(&found, catalog).render())),
        BeginError::Session(error) => Failure::Failed(format!("the match cannot begin: {error}")),
    }
}
