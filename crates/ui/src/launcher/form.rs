//! How a match is to be played: scenario, seats, options.

use egui::{CollapsingHeader, Label, Role, Sense, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, vec2};

use super::card::picture_ui;
use super::options::option_ui;
use crate::panels::player_ui;
use crate::players::Choice;
use crate::texts::text;
use crate::theme::{
    self, ButtonKind, Icon, IconButton, Palette, from_right_ui, heading_ui, icon_ui, label_in_ui, remark, seat_mark_ui, space, strong, veil,
};
use boardwright_client::MatchChoice;
use boardwright_client::content::{PACE, RulesetCard, ScenarioCard};
use boardwright_model::{Seed, Value};

/// What is filled in for a ruleset.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Form {
    pub(super) ruleset: String,
    scenario: usize,
    players: Vec<Choice>,
    options: Vec<Value>,
    /// The seed of all luck as it is written; empty for one nobody knows.
    seed: String,
    is_rated: bool,
}

impl Form {
    /// The form as it begins: the usual scenario, players and options.
    pub(crate) fn of(card: &RulesetCard) -> Self {
        let mut form = Self {
            ruleset: card.id.clone(),
            ..Self::default()
        };
        form.begin_scenario(card);
        form
    }

    /// Fits what is filled in to a card that was read again.
    pub(crate) fn fit(&mut self, card: &RulesetCard) {
        let fits = |value: &Value, declared: &boardwright_model::OptionDeclaration| declared.value_type.check(value).is_ok();
        let options_fit = self.options.len() == card.options.len() && self.options.iter().zip(&card.options).all(|(a, b)| fits(a, b));
        if self.players.len() != card.seats_of(self.chosen(card)).len() || !options_fit || self.scenario >= card.scenarios.len() {
            *self = Self::of(card);
        }
    }

    fn chosen<'a>(&self, card: &'a RulesetCard) -> Option<&'a ScenarioCard> {
        card.scenarios.get(self.scenario).or(card.scenarios.first())
    }

    /// Puts the usual players of the scenario on the seats, and its options. Where it names no players, a person sits on the first
    /// seat and computers on the others.
    fn begin_scenario(&mut self, card: &RulesetCard) {
        let default = self.chosen(card).map(|scenario| scenario.players.as_slice()).unwrap_or_default();
        let player = |(index, seat): (usize, &boardwright_model::SeatDeclaration)| {
            let named = default.iter().find(|(name, _)| **name == *seat.name);
            let fallback = if index == 0 { "human" } else { "search" };
            Choice::read(named.map_or(fallback, |(_, player)| player))
        };
        self.players = card.seats_of(self.chosen(card)).iter().enumerate().map(player).collect();
        self.options = self.default_options(card);
    }

    /// The options as the scenario sets them.
    fn default_options(&self, card: &RulesetCard) -> Vec<Value> {
        let set = self.chosen(card).map(|scenario| scenario.options.as_slice()).unwrap_or_default();
        let declared = card.options.iter().enumerate();
        declared
            .map(|(index, option)| set.get(index).unwrap_or(&option.default).clone())
            .collect()
    }

    pub(crate) fn choice(&self, card: &RulesetCard) -> MatchChoice {
        let seats = card.seats_of(self.chosen(card)).iter().map(|seat| seat.name.to_string());
        let names = card.options.iter().map(|option| option.name.to_string());
        let mut choice = MatchChoice {
            ruleset: self.ruleset.clone(),
            scenario: self.chosen(card).map(|scenario| scenario.id.clone()),
            players: seats.zip(self.players.iter().map(Choice::text)).collect(),
            options: names.zip(self.options.iter().map(Value::to_string)).collect(),
            seed: self.seed.trim().parse().ok(),
            pace: PACE,
            ..MatchChoice::default()
        };
        choice.play_by(self.is_rated, true);
        choice
    }

    pub(crate) fn ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        if card.scenarios.is_empty() {
            return;
        }
        self.scenarios_ui(ui, card);
        let seats = card.seats_of(self.chosen(card));
        if !seats.is_empty() {
            ui.add_space(space::M);
            heading_ui(ui, Icon::Person, &text!("form-seats"));
            for (index, (seat, choice)) in seats.iter().zip(&mut self.players).enumerate() {
                ui.horizontal(|ui| {
                    seat_mark_ui(ui, Palette::seat(seat.colour, index), index, 22.0);
                    label_in_ui(ui, vec2(76.0, 30.0), Label::new(strong(&*seat.title)).truncate());
                    player_ui(ui, &seat.title, choice, &card.strategies, ("form", card.id.as_str(), index));
                });
            }
        }
        if !card.options.is_empty() {
            ui.add_space(space::M);
            self.options_ui(ui, card);
        }
        ui.add_space(space::S);
        self.seed_ui(ui);
    }

    fn scenarios_ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        heading_ui(ui, Icon::Folder, &text!("form-scenario"));
        let mut picked = self.scenario;
        for (index, scenario) in card.scenarios.iter().enumerate() {
            let is_chosen = index == self.scenario && card.scenarios.len() > 1;
            if scenario_ui(ui, scenario, card.seats_of(Some(scenario)).len(), is_chosen) {
                picked = index;
            }
        }
        if picked != self.scenario {
            self.scenario = picked;
            self.begin_scenario(card);
        }
    }

    fn options_ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        let default = self.default_options(card);
        ui.horizontal(|ui| {
            heading_ui(ui, Icon::Gear, &text!("form-options"));
            let button = IconButton::text(text!("form-usual-options")).kind(ButtonKind::Quiet).height(26.0);
            if self.options != default && from_right_ui(ui, |ui| ui.add(button)).clicked() {
                self.options.clone_from(&default);
            }
        });
        for ((declared, value), default) in card.options.iter().zip(&mut self.options).zip(&default) {
            option_ui(ui, (declared, &card.phrases), default, value);
        }
    }

    fn seed_ui(&mut self, ui: &mut Ui) {
        let palette = Palette::of(ui.visuals());
        CollapsingHeader::new(text!("form-more")).id_salt("form more").show(ui, |ui| {
            ui.label(text!("form-seed"));
            let field = TextEdit::singleline(&mut self.seed)
                .hint_text(text!("form-seed-any"))
                .desired_width(160.0);
            ui.add(field).accessible_name(text!("form-seed"));
            let is_number = self.seed.trim().is_empty() || self.seed.trim().parse::<Seed>().is_ok();
            ui.label(if is_number {
                remark(text!("form-seed-help"))
            } else {
                remark(text!("form-seed-wrong")).color(palette.danger)
            });
            ui.checkbox(&mut self.is_rated, text!("match-rated"));
            ui.label(remark(text!("match-rated-line")));
        });
    }
}

/// Shows a scenario with its picture and the number of its seats; true if it was clicked.
fn scenario_ui(ui: &mut Ui, scenario: &ScenarioCard, seats: usize, is_chosen: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let fill = if is_chosen { veil(palette.accent, 0.16) } else { palette.raised };
    let edge = if is_chosen { palette.accent } else { palette.line };
    let shown = theme::card(fill, edge, 10, (8, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(64.0, 64.0), Sense::hover());
            picture_ui(ui, scenario.picture.as_ref(), &scenario.title, rect, 6);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.add(Label::new(strong(&scenario.title)).selectable(false));
                if seats > 0 {
                    ui.horizontal(|ui| {
                        icon_ui(ui, Icon::Person, 14.0, palette.muted);
                        ui.add(Label::new(remark(text!("facts-seats", count = seats))).selectable(false));
                    });
                }
                if !scenario.line.is_empty() {
                    ui.add(Label::new(remark(&scenario.line)).selectable(false));
                }
            });
        });
    });
    let response = ui.interact(shown.response.rect, ui.scope_id().with(("scenario", &scenario.id)), Sense::click());
    let label = text!("form-scenario-one", title = &*scenario.title);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, &label));
    if response.has_focus() || response.hovered() {
        let edge = Stroke::new(1.5, palette.accent);
        ui.painter().rect_stroke(response.rect, 10, edge, StrokeKind::Inside);
    }
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{OptionDeclaration, SeatDeclaration, ValueType};

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
        form.begin_scenario(&card);
        assert_eq!(players(&form), ["red=search:7", "blue=human"]);
    }

    #[test]
    fn the_seats_are_those_of_the_chosen_scenario() {
        let mut card = card();
        let seat = |name: &str| SeatDeclaration {
            name: name.into(),
            title: name.into(),
            colour: 0,
        };
        card.scenarios[1].seats = vec![seat("red"), seat("blue"), seat("green")];
        let mut form = Form::of(&card);
        assert_eq!(form.choice(&card).players.len(), 2);
        form.scenario = 1;
        form.begin_scenario(&card);
        assert_eq!(form.choice(&card).players[2], ("green".to_owned(), "search:4".to_owned()));
    }

    #[test]
    fn a_scenario_that_is_gone_falls_back_to_the_first() {
        let mut form = Form::of(&card());
        form.scenario = 9;
        assert_eq!(form.choice(&card()).scenario.as_deref(), Some("standard"));
    }
}
