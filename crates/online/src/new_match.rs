//! The form for a new match.

use boardwright_localization::Localizer;
use boardwright_model::{OptionDeclaration, TimeControl, Value};
use boardwright_network::{CreateMatch, MatchPolicy, RulesetSummary, ScenarioSummary};
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, Palette, heading_ui, remark_ui, seat_mark_ui, segments_ui, space, strong};
use boardwright_ui::{PlayerChoice, option_ui, player_ui, text};
use egui::{CollapsingHeader, ComboBox, Label, TextEdit, Ui};

/// What a new match is to be.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a box of the form")]
pub(crate) struct NewMatch {
    ruleset: String,
    scenario: String,
    /// What the players and options below are for.
    filled_for: (String, String),
    /// Who plays each seat of the scenario.
    players: Vec<PlayerChoice>,
    /// The values of the ruleset's options.
    options: Vec<Value>,
    is_private: bool,
    is_casual: bool,
    clock: Option<TimeControl>,
    has_substitutes: bool,
    /// Whether its luck can be verified.
    is_verifiable: bool,
    password: String,
}

/// The clocks to choose from.
const CLOCKS: [&str; 7] = ["3m+2s", "5m+3s", "10m", "30m+20s", "90s/turn", "1d/turn", "3d/turn"];
/// After how many seconds a computer plays for somebody who is gone, where that is chosen.
const SUBSTITUTE_AFTER: u64 = 120;

impl NewMatch {
    /// Shows the button below the form; gives the match that is to be created. `may_create` is whether that can be done now.
    pub(crate) fn create_ui(&mut self, ui: &mut Ui, rulesets: &[RulesetSummary], may_create: bool) -> Option<CreateMatch> {
        let (ruleset, scenario) = self.chosen(rulesets)?;
        let create = IconButton::text(text!("online-create")).kind(ButtonKind::Primary).height(36.0);
        ui.add_enabled(may_create, create).clicked().then(|| self.wanted(ruleset, scenario))
    }

    /// Shows the form.
    pub(crate) fn ui(&mut self, ui: &mut Ui, rulesets: &[RulesetSummary]) {
        let Some((ruleset, scenario)) = self.chosen(rulesets) else { return };
        let scenario = scenario.clone();
        heading_ui(ui, Icon::Plus, &text!("online-new"));
        let width = ui.available_width() - 8.0;
        let label = ui.label(text!("online-ruleset")).id;
        let list = ComboBox::from_id_salt("online ruleset").width(width).truncate();
        let list = list.selected_text(&ruleset.title).show_ui(ui, |ui| {
            for offered in rulesets {
                ui.selectable_value(&mut self.ruleset, offered.id.clone(), &offered.title);
            }
        });
        list.response.labelled_by(label);
        let label = ui.label(text!("online-scenario")).id;
        let list = ComboBox::from_id_salt("online scenario").width(width).truncate();
        let list = list.selected_text(&scenario.title).show_ui(ui, |ui| {
            for offered in &ruleset.scenarios {
                ui.selectable_value(&mut self.scenario, offered.id.clone(), &offered.title);
            }
        });
        list.response.labelled_by(label);
        remark_ui(ui, scenario.description.as_str());
        ui.add_space(space::XS);
        self.fill(ruleset, &scenario);
        self.players_ui(ui, ruleset, &scenario);
        self.options_ui(ui, ruleset, &scenario);
        ui.add_space(space::XS);
        ui.checkbox(&mut self.is_private, text!("online-private"))
            .on_hover_text(text!("online-private-hint"));
        ui.checkbox(&mut self.is_casual, text!("online-casual-match"))
            .on_hover_text(text!("online-casual-hint"));
        ui.checkbox(&mut self.is_verifiable, text!("online-verifiable"))
            .on_hover_text(text!("online-verifiable-hint"));
        ui.checkbox(&mut self.has_substitutes, text!("online-substitutes"))
            .on_hover_text(text!("online-substitutes-hint"));
        ui.horizontal(|ui| {
            let label = ui.label(text!("online-clock")).id;
            let list = ComboBox::from_id_salt("online clock").width(ui.available_width() - 8.0);
            let list = list.selected_text(clock_text(self.clock)).show_ui(ui, |ui| {
                let all = CLOCKS.iter().filter_map(|clock| clock.parse().ok()).map(Some);
                for clock in std::iter::once(None).chain(all) {
                    ui.selectable_value(&mut self.clock, clock, clock_text(clock));
                }
            });
            list.response.labelled_by(label).on_hover_text(text!("online-clock-hint"));
        });
        ui.horizontal(|ui| {
            let label = ui.label(text!("online-password-new")).id;
            let width = ui.available_width() - 8.0;
            ui.add(TextEdit::singleline(&mut self.password).password(true).desired_width(width))
                .labelled_by(label);
        });
    }

    /// Seats people and sets the options of the scenario, whenever another one is chosen.
    fn fill(&mut self, ruleset: &RulesetSummary, scenario: &ScenarioSummary) {
        let chosen = (ruleset.id.clone(), scenario.id.clone());
        if self.filled_for != chosen {
            self.filled_for = chosen;
            self.players = vec![PlayerChoice::person(); scenario.players.len()];
            self.options = defaults(ruleset, scenario);
        }
    }

    fn players_ui(&mut self, ui: &mut Ui, ruleset: &RulesetSummary, scenario: &ScenarioSummary) {
        let of_scenario = || scenario.players.iter().map(|(_, player)| PlayerChoice::read(player));
        if of_scenario().any(|player| !player.is_person()) {
            let people = vec![PlayerChoice::person(); scenario.players.len()];
            let mut chosen = self.players.clone();
            let choices = [
                (people, text!("online-people")),
                (of_scenario().collect(), text!("online-as-scenario")),
            ];
            segments_ui(ui, &text!("online-players"), &mut chosen, &choices);
            self.players = chosen;
        }
        CollapsingHeader::new(text!("form-each-seat"))
            .id_salt("online seats")
            .show(ui, |ui| {
                for (index, ((seat, _), player)) in scenario.players.iter().zip(&mut self.players).enumerate() {
                    let declared = ruleset.seats.iter().position(|declared| *declared.name == **seat);
                    let title = declared
                        .and_then(|place| ruleset.seats.get(place))
                        .map_or(seat.as_str(), |declared| &declared.title);
                    ui.horizontal(|ui| {
                        let place = declared.unwrap_or(index);
                        seat_mark_ui(ui, Palette::seat(&ruleset.seats, place), place, 22.0);
                        ui.add(Label::new(strong(title)).truncate());
                    });
                    player_ui(ui, title, player, &ruleset.strategies, ("online-seat", index));
                    ui.add_space(space::XS);
                }
            });
    }

    fn options_ui(&mut self, ui: &mut Ui, ruleset: &RulesetSummary, scenario: &ScenarioSummary) {
        if ruleset.options.is_empty() {
            return;
        }
        let defaults = defaults(ruleset, scenario);
        let localizer = Localizer::default();
        CollapsingHeader::new(text!("form-options"))
            .id_salt("online options")
            .show(ui, |ui| {
                for ((declared, value), default) in ruleset.options.iter().zip(&mut self.options).zip(&defaults) {
                    option_ui(ui, (declared, &localizer), default, value);
                }
            });
    }

    /// The ruleset and the scenario; the first if what was chosen is not there.
    fn chosen<'r>(&mut self, rulesets: &'r [RulesetSummary]) -> Option<(&'r RulesetSummary, &'r ScenarioSummary)> {
        let playable = || rulesets.iter().filter(|ruleset| !ruleset.scenarios.is_empty());
        let ruleset = playable()
            .find(|ruleset| ruleset.id == self.ruleset)
            .or_else(|| playable().next())?;
        let standard = || ruleset.scenarios.iter().find(|scenario| scenario.id == "standard");
        let named = ruleset.scenarios.iter().find(|scenario| scenario.id == self.scenario);
        let scenario = named.or_else(standard).or_else(|| ruleset.scenarios.first())?;
        self.ruleset.clone_from(&ruleset.id);
        self.scenario.clone_from(&scenario.id);
        Some((ruleset, scenario))
    }

    fn wanted(&self, ruleset: &RulesetSummary, scenario: &ScenarioSummary) -> CreateMatch {
        let seats = scenario.players.iter().zip(&self.players);
        let options = ruleset.options.iter().zip(&self.options).zip(defaults(ruleset, scenario));
        let options = options.filter(|((_, value), default)| *value != default);
        CreateMatch {
            ruleset: self.ruleset.clone(),
            scenario: Some(self.scenario.clone()),
            players: seats.map(|((seat, _), player)| (seat.clone(), player.text())).collect(),
            options: options
                .map(|((option, value), _)| (option.name.to_string(), value.to_string()))
                .collect(),
            private: self.is_private,
            password: (!self.password.is_empty()).then(|| self.password.clone()),
            policy: if self.is_casual { MatchPolicy::Casual } else { MatchPolicy::Rated },
            clock: self.clock,
            substitute_after: self.has_substitutes.then_some(SUBSTITUTE_AFTER),
            verifiable: self.is_verifiable,
            ..CreateMatch::default()
        }
    }

    /// The password that is asked for.
    pub(crate) fn password(&self) -> Option<String> {
        (!self.password.is_empty()).then(|| self.password.clone())
    }
}

/// The values that the options of a ruleset have in a scenario.
fn defaults(ruleset: &RulesetSummary, scenario: &ScenarioSummary) -> Vec<Value> {
    let options = ruleset.options.iter();
    let value = |option: &OptionDeclaration| {
        let set = scenario.options.iter().find(|(name, _)| *name == *option.name);
        let set = set.and_then(|(_, value)| option.value_type.parse(value).ok());
        set.unwrap_or_else(|| option.default.clone())
    };
    options.map(value).collect()
}

fn clock_text(clock: Option<TimeControl>) -> String {
    clock.map_or_else(|| text!("online-no-clock"), |clock| clock.to_string())
}
