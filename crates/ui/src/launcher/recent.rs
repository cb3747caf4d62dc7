//! What was begun lately, so that it can be begun again with one click.

use std::collections::BTreeMap;

use egui::Ui;
use serde::{Deserialize, Serialize};

use crate::command::AppCommand;
use crate::players::Choice;
use crate::texts::text;
use crate::theme::{Icon, IconButton, size, space, title};
use boardwright_client::MatchChoice;
use boardwright_client::content::{PACE, RulesetCard, RulesetIndex};
use boardwright_model::Policy;

const MOST: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Recent {
    ruleset: String,
    scenario: Option<String>,
    players: Vec<(String, String)>,
    options: Vec<(String, String)>,
    is_rated: bool,
}

impl Recent {
    /// The choice that a match was begun with.
    pub(crate) fn of(choice: &MatchChoice) -> Self {
        Self {
            ruleset: choice.ruleset.clone(),
            scenario: choice.scenario.clone(),
            players: choice.players.clone(),
            options: choice.options.clone(),
            is_rated: choice.policy.is_some_and(Policy::is_rated),
        }
    }

    /// The choice to begin the same again; none if ruleset, scenario or an option are not there any more.
    pub(super) fn choice(&self, card: &RulesetCard) -> Option<MatchChoice> {
        let scenario = match &self.scenario {
            Some(id) => Some(card.scenarios.iter().find(|scenario| scenario.id == *id)?),
            None => None,
        };
        let seats = card.seats_of(scenario);
        let has_seats = self.players.iter().all(|(name, _)| seats.iter().any(|seat| *seat.name == **name));
        let has_options = self.options.iter().all(|(name, value)| {
            let mut options = card.options.iter();
            options.any(|option| *option.name == **name && option.value_type.parse(value).is_ok())
        });
        (card.is_playable() && has_seats && has_options).then(|| {
            let mut choice = MatchChoice {
                ruleset: self.ruleset.clone(),
                scenario: self.scenario.clone(),
                players: self.players.clone(),
                options: self.options.clone(),
                pace: PACE,
                ..MatchChoice::default()
            };
            choice.play_by(self.is_rated, true);
            choice
        })
    }
}

/// What was begun lately, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Recents {
    list: Vec<Recent>,
    /// The last match of each ruleset.
    last: BTreeMap<String, Recent>,
}

impl Recents {
    pub(crate) fn note(&mut self, choice: &MatchChoice) {
        let recent = Recent::of(choice);
        self.last.insert(recent.ruleset.clone(), recent.clone());
        self.list.retain(|known| *known != recent);
        self.list.insert(0, recent);
        self.list.truncate(MOST);
    }

    /// How a ruleset was played last.
    pub(super) fn last_of(&self, ruleset: &str) -> Option<&Recent> {
        self.last.get(ruleset)
    }

    /// The ruleset that was played last.
    pub(crate) fn ruleset(&self) -> Option<&str> {
        self.list.first().map(|recent| recent.ruleset.as_str())
    }
}

/// Shows what was begun lately, as far as it can be begun again.
pub(super) fn recents_ui(ui: &mut Ui, recents: &Recents, shelf: Option<&RulesetIndex>, is_busy: bool, commands: &mut Vec<AppCommand>) {
    let found = recents.list.iter().filter_map(|recent| {
        let card = shelf?.find(&recent.ruleset)?;
        Some((card, recent.choice(card)?))
    });
    let found: Vec<(&RulesetCard, MatchChoice)> = found.collect();
    if found.is_empty() {
        return;
    }
    let room = ui.available_width();
    ui.add_space(space::L);
    ui.label(title(text!("launcher-again"), size::TITLE));
    ui.vertical(|ui| {
        for (card, choice) in found {
            let label = text!(
                "launcher-again-one",
                title = title_of(card, &choice),
                players = players_text(card, &choice)
            );
            let button = IconButton::with_text(Icon::Again, label).height(28.0).at_most(room);
            let shown = ui.add_enabled(!is_busy, button);
            let shown = if choice.policy.is_some_and(Policy::is_rated) {
                shown.on_hover_text(text!("match-rated-line"))
            } else {
                shown
            };
            if shown.clicked() {
                commands.push(AppCommand::Begin(choice));
            }
        }
    });
}

/// The title of a ruleset, with that of the scenario where there are several.
fn title_of(card: &RulesetCard, choice: &MatchChoice) -> String {
    let mut scenarios = card.scenarios.iter();
    let scenario = scenarios.find(|scenario| card.scenarios.len() > 1 && Some(&scenario.id) == choice.scenario.as_ref());
    let titles = [Some(&card.title), scenario.map(|scenario| &scenario.title)].into_iter().flatten();
    titles.cloned().collect::<Vec<_>>().join(", ")
}

/// Who plays, each once: "Person – 3 × Computer: standard".
fn players_text(card: &RulesetCard, choice: &MatchChoice) -> String {
    let scenario = card
        .scenarios
        .iter()
        .find(|scenario| Some(&scenario.id) == choice.scenario.as_ref());
    let mut counted: Vec<(String, usize)> = Vec::new();
    for seat in card.seats_of(scenario) {
        let chosen = choice.players.iter().find(|(name, _)| *name == *seat.name);
        let title = chosen.map_or_else(Choice::person, |(_, player)| Choice::read(player)).title();
        match counted.iter_mut().find(|(known, _)| *known == title) {
            Some((_, count)) => *count += 1,
            None => counted.push((title, 1)),
        }
    }
    let texts = counted.into_iter().map(|(title, count)| match count {
        1 => title,
        _ => format!("{count} × {title}"),
    });
    texts.collect::<Vec<_>>().join(" – ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_client::content::ScenarioCard;
    use boardwright_model::SeatDeclaration;

    fn choice(player: &str) -> MatchChoice {
        MatchChoice {
            ruleset: "race".to_owned(),
            scenario: Some("standard".to_owned()),
            players: vec![("red".to_owned(), player.to_owned())],
            ..MatchChoice::default()
        }
    }

    #[test]
    fn a_rated_match_is_begun_again_as_a_rated_one() {
        let mut rated = choice("greedy");
        rated.play_by(true, true);
        let again = Recent::of(&rated);
        assert!(again.is_rated);
        assert_ne!(again, Recent::of(&choice("greedy")), "a match that is not rated is another");
        let read: Recent = serde_json::from_value(serde_json::json!({"ruleset": "race"})).unwrap();
        assert!(!read.is_rated, "what was noted before there were rated matches");
    }

    #[test]
    fn the_same_match_is_noted_once_and_only_the_newest_are_kept() {
        let mut recents = Recents::default();
        for level in [1, 2, 3, 4, 5, 4] {
            recents.note(&choice(&format!("search:{level}")));
        }
        let players: Vec<&str> = recents.list.iter().map(|recent| recent.players[0].1.as_str()).collect();
        assert_eq!(players, ["search:4", "search:5", "search:3", "search:2"]);
    }

    #[test]
    fn what_is_not_there_any_more_is_not_offered_again() {
        let recent = Recent::of(&choice("human"));
        let mut card = RulesetCard {
            seats: vec![SeatDeclaration {
                name: "red".into(),
                title: "Red".into(),
                colour: 0,
            }],
            scenarios: vec![ScenarioCard {
                id: "standard".to_owned(),
                ..ScenarioCard::default()
            }],
            ..RulesetCard::default()
        };
        assert!(recent.choice(&card).is_some());
        card.seats.clear();
        assert!(recent.choice(&card).is_none());
    }
}
