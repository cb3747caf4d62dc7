//! How a match is to be played: scenario, seats, options.

use std::time::Duration;

use egui::{ComboBox, RichText, Ui};

use super::options::option_ui;
use crate::client::local::MatchChoice;
use crate::model::Value;
use crate::ui::content::{RulesetCard, ScenarioCard};
use crate::ui::panels::player_ui;
use crate::ui::players::Choice;
use crate::ui::texts::text;
use crate::ui::theme::{Icon, Palette, heading_ui, seat_mark_ui, size, space, strong};

/// How long computer players wait before they act, so that people can follow.
const PACE: Duration = Duration::from_millis(500);

/// What is filled in for a ruleset.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    ruleset: String,
    scenario: usize,
    players: Vec<Choice>,
    options: Vec<Value>,
}

impl Form {
    /// The form as it begins: the usual scenario, players and options.
    pub fn of(card: &RulesetCard) -> Self {
        let mut form = Self {
            ruleset: card.id.clone(),
            scenario: 0,
            players: Vec::new(),
            options: card.options.iter().map(|option| option.default.clone()).collect(),
        };
        form.seat_players(card);
        form
    }

    /// The id of the ruleset.
    pub fn ruleset(&self) -> &str {
        &self.ruleset
    }

    fn chosen<'a>(&self, card: &'a RulesetCard) -> Option<&'a ScenarioCard> {
        card.scenarios.get(self.scenario).or(card.scenarios.first())
    }

    /// Puts the usual players of the scenario on the seats: where it names none, a person on the first and computers on the
    /// others.
    fn seat_players(&mut self, card: &RulesetCard) {
        let usual = self.chosen(card).map(|scenario| scenario.players.as_slice()).unwrap_or_default();
        let player = |(index, seat): (usize, &crate::model::SeatDeclaration)| {
            let named = usual.iter().find(|(name, _)| **name == *seat.name);
            let fallback = if index == 0 { "human" } else { "search" };
            Choice::read(named.map_or(fallback, |(_, player)| player))
        };
        self.players = card.seats.iter().enumerate().map(player).collect();
    }

    /// The match that is asked for.
    pub fn choice(&self, card: &RulesetCard) -> MatchChoice {
        let seats = card.seats.iter().map(|seat| seat.name.to_string());
        let names = card.options.iter().map(|option| option.name.to_string());
        MatchChoice {
            ruleset: self.ruleset.clone(),
            scenario: self.chosen(card).map(|scenario| scenario.id.clone()),
            players: seats.zip(self.players.iter().map(Choice::text)).collect(),
            options: names.zip(self.options.iter().map(Value::to_string)).collect(),
            pace: PACE,
            watches: true,
            ..MatchChoice::default()
        }
    }

    /// Shows the form.
    pub fn ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        let palette = Palette::of(ui.visuals());
        if let Some(chosen) = self.chosen(card) {
            ui.add_space(space::S);
            heading_ui(ui, Icon::Open, &text!("form-scenario"));
            let mut picked = self.scenario;
            if card.scenarios.len() > 1 {
                let combo = ComboBox::from_id_salt("scenario")
                    .selected_text(&chosen.title)
                    .width(ui.available_width())
                    .show_ui(ui, |ui| {
                        for (index, scenario) in card.scenarios.iter().enumerate() {
                            ui.selectable_value(&mut picked, index, &scenario.title);
                        }
                    });
                combo.response.accessible_name(text!("form-scenario"));
            } else {
                ui.label(strong(&chosen.title));
            }
            if !chosen.line.is_empty() {
                ui.label(RichText::new(&chosen.line).size(size::SMALL).color(palette.muted));
            }
            if picked != self.scenario {
                self.scenario = picked;
                self.seat_players(card);
            }
        }
        if !card.seats.is_empty() {
            ui.add_space(space::M);
            heading_ui(ui, Icon::Person, &text!("form-seats"));
            for (index, (seat, choice)) in card.seats.iter().zip(&mut self.players).enumerate() {
                ui.horizontal(|ui| {
                    seat_mark_ui(ui, Palette::seat(seat.colour, index), index, 22.0);
                    ui.add_sized(
                        [64.0, 22.0],
                        egui::Label::new(strong(&*seat.title)).truncate().halign(egui::Align::Min),
                    );
                    player_ui(ui, &seat.title, choice, &card.strategies, ("form", card.id.as_str(), index));
                });
            }
        }
        if !card.options.is_empty() {
            ui.add_space(space::M);
            heading_ui(ui, Icon::Gear, &text!("form-options"));
            for (declared, value) in card.options.iter().zip(&mut self.options) {
                option_ui(ui, declared, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{OptionDeclaration, SeatDeclaration, ValueType};

    fn card() -> RulesetCard {
        let seat = |name: &str| SeatDeclaration {
            name: name.into(),
            title: name.to_uppercase().into(),
            colour: 0,
        };
        RulesetCard {
            id: "race".into(),
            seats: vec![seat("red"), seat("blue")],
            scenarios: vec![
                ScenarioCard {
                    id: "standard".into(),
                    ..ScenarioCard::default()
                },
                ScenarioCard {
                    id: "duel".into(),
                    players: vec![("blue".into(), "human".into()), ("red".into(), "search:7".into())],
                    ..ScenarioCard::default()
                },
            ],
            options: vec![OptionDeclaration {
                name: "draw_after".into(),
                title: "Draw after".into(),
                help: "".into(),
                value_type: ValueType::Integer { min: 1, max: 500 },
                default: Value::Integer(60),
            }],
            ..RulesetCard::default()
        }
    }

    #[test]
    fn the_form_begins_with_a_person_against_the_computer_unless_the_scenario_says_otherwise() {
        let card = card();
        let mut form = Form::of(&card);
        let players = |form: &Form| -> Vec<String> {
            form.choice(&card)
                .players
                .into_iter()
                .map(|(seat, player)| format!("{seat}={player}"))
                .collect()
        };
        assert_eq!(players(&form), ["red=human", "blue=search:4"]);
        assert_eq!(form.choice(&card).options, [("draw_after".to_owned(), "60".to_owned())]);
        form.scenario = 1;
        form.seat_players(&card);
        assert_eq!(players(&form), ["red=search:7", "blue=human"]);
    }

    #[test]
    fn a_scenario_that_is_gone_falls_back_to_the_first() {
        let mut form = Form::of(&card());
        form.scenario = 9;
        assert_eq!(form.choice(&card()).scenario.as_deref(), Some("standard"));
    }
}
