//! The odds of an action before it is played.

use super::Terminal;
use crate::cli::Failure;
use crate::cli::table::columns;
use boardwright_model::Pick;
use boardwright_protocol::{ChanceReport, Command, LegalAction, OddsReport, Reply};

impl Terminal<'_> {
    /// Tells the odds of the contest that an action begins, as far as its words say what is picked.
    pub(super) fn odds(&mut self, typed: Option<&str>) -> Result<(), Failure> {
        let Some(typed) = typed else {
            return self.print("The odds of what? Write an action behind it, as far as you have chosen it.");
        };
        let legal = self.legal()?;
        let Some(command) = asked(&legal, typed) else {
            return self.print(format!("{typed} cannot be done now; `moves` lists what can."));
        };
        match self.connection.ask(command)? {
            Reply::Odds { odds: None } if self.declarations().contests.is_empty() => {
                self.print("This ruleset declares no contests, so no action has odds.")
            }
            Reply::Odds { odds: None } => self.print("No contest begins with that action, or not before more of it is chosen."),
            Reply::Odds { odds: Some(odds) } => {
                let text = self.odds_text(&odds);
                self.print(text.trim_end())
            }
            other => self.show_reply(&other),
        }
    }

    fn odds_text(&self, odds: &OddsReport) -> String {
        let declarations = self.declarations();
        let index = declarations.find_contest(&odds.contest);
        let Some(contest) = index.and_then(|index| declarations.contests.get(index)) else {
            return String::new();
        };
        let sides = contest.parameters.iter().zip(&odds.sides);
        let sides: Vec<String> = sides.map(|(side, value)| format!("{} {value}", side.title)).collect();
        let results = contest.results.iter().zip(&odds.results);
        let rows: String = results
            .map(|(result, chance)| format!("{result}\t{}\n", chance_text(chance)))
            .collect();
        let mut text = format!("{}: {}\n{}", contest.title, sides.join(", "), columns(&rows));
        for ((side, value), mean) in contest.parameters.iter().zip(&odds.sides).zip(&odds.means) {
            if let (Some(begun), Some(mean)) = (value.as_integer(), mean) {
                // What is used up is told with how much of it there is.
                let of = if begun > 0 {
                    format!(" left on average of {begun}")
                } else {
                    " on average".to_owned()
                };
                text.push_str(&format!("{}: {mean:.2}{of}\n", side.title));
            }
        }
        if let Some(samples) = odds.samples {
            text.push_str(&format!("Fought {samples} times.\n"));
        }
        text
    }
}

/// What is asked of the host: the action that the words begin, with the picks that all actions of these words have in common.
fn asked(legal: &[LegalAction], typed: &str) -> Option<Command> {
    let words = typed.to_lowercase();
    let is_whole = |legal: &&LegalAction| legal.notation.to_lowercase() == words || legal.text.to_lowercase() == words;
    let begins = |legal: &&LegalAction| legal.text.to_lowercase().starts_with(&format!("{words} "));
    let first = legal.iter().find(is_whole).or_else(|| legal.iter().find(begins))?;
    let mut picks: Vec<Pick> = first.action.picks.to_vec();
    if !is_whole(&first) {
        for other in legal
            .iter()
            .filter(begins)
            .filter(|other| other.action.action == first.action.action)
        {
            let common = picks.iter().zip(&other.action.picks).take_while(|(one, other)| one == other);
            picks.truncate(common.count());
        }
    }
    Some(Command::Odds {
        seat: first.action.seat,
        action: first.action.action,
        picks,
    })
}

fn chance_text(chance: &ChanceReport) -> String {
    const SHORT: usize = 20;
    match (&chance.fraction, chance.error) {
        (_, Some(error)) => format!("{:.3} ± {error:.3}", chance.chance),
        (Some(fraction), None) if fraction.len() <= SHORT => format!("{:.4}\t{fraction}", chance.chance),
        _ => format!("{:.4}", chance.chance),
    }
}
