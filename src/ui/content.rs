//! What the window plays: rulesets to choose from, and the way to begin or take up a match. Whoever starts the window provides it.

use std::sync::Arc;

use super::texts::text;
use crate::client::local::MatchChoice;
use crate::client::messages::Problem;
use crate::client::{Link, Wake};
use crate::io::SeatRange;
use crate::model::{OptionDeclaration, SeatDeclaration};

/// Where rulesets and matches come from. Its functions are called on threads of their own: they may take their time.
pub trait Content: Send + Sync {
    /// Everything there is to play.
    fn shelf(&self) -> Shelf;

    /// The saved matches, the newest first.
    fn saves(&self) -> Vec<SaveCard>;

    /// Begins a match. `wake` is to be called whenever something arrives on the link.
    ///
    /// # Errors
    /// What is wrong with the rules, the scenario or the choice.
    fn begin(&self, choice: &MatchChoice, wake: Wake) -> Result<Box<dyn Link>, Vec<Problem>>;

    /// Takes up a saved match.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn take_up(&self, file: &str, wake: Wake) -> Result<Box<dyn Link>, Vec<Problem>>;
}

/// Everything there is to play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shelf {
    /// The rulesets, by title.
    pub rulesets: Vec<RulesetCard>,
    /// What is wrong outside of them.
    pub problems: Vec<Problem>,
}

/// A ruleset as the launcher shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetCard {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is, in a few sentences.
    pub line: String,
    /// Its picture, as SVG.
    pub picture: Option<Arc<str>>,
    /// How many may take part; none if the manifest cannot be read.
    pub seat_range: Option<SeatRange>,
    /// About how long a match takes.
    pub minutes: Option<u32>,
    /// Its seats.
    pub seats: Vec<SeatDeclaration>,
    /// What may be set before a match.
    pub options: Vec<OptionDeclaration>,
    /// Its scenarios, the usual one first.
    pub scenarios: Vec<ScenarioCard>,
    /// Names of its own strategies, which may sit at seats like other computer players.
    pub strategies: Vec<String>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl RulesetCard {
    /// How many seats it has, and how long it takes: "2 seats, about 30 minutes".
    pub fn facts(&self) -> String {
        let Some(range) = self.seat_range else {
            return text!("facts-unreadable");
        };
        let seats = if range.least == range.most {
            text!("facts-seats", count = range.most)
        } else {
            text!("facts-seats-between", least = range.least, most = range.most)
        };
        let minutes = self.minutes.map(|minutes| text!("facts-minutes", count = minutes));
        [seats].into_iter().chain(minutes).collect::<Vec<_>>().join(", ")
    }

    /// Whether a match can be begun.
    pub fn is_playable(&self) -> bool {
        !self.scenarios.is_empty() && self.problems.iter().all(|problem| problem.severity != "error")
    }
}

/// A scenario as the launcher shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioCard {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub line: String,
    /// Who usually sits at each seat, by the name of the seat.
    pub players: Vec<(String, String)>,
}

/// A saved match as the launcher shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveCard {
    /// Its file.
    pub file: String,
    /// What is played.
    pub title: String,
    /// When it was saved and how far it had come.
    pub line: String,
    /// Whether the match had ended.
    pub is_finished: bool,
}
