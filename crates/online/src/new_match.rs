//! The form for a new match.

use boardwright_model::TimeControl;
use boardwright_network::{CreateMatch, MatchPolicy, RulesetSummary, ScenarioSummary};
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, heading_ui, remark_ui, segments_ui, space};
use egui::{ComboBox, TextEdit, Ui};

/// What a new match is to be.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a box of the form")]
pub(crate) struct NewMatch {
    ruleset: String,
    scenario: String,
    /// Whether people sit at all seats; otherwise the players of the scenario do.
    is_of_people: bool,
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

impl Default for NewMatch {
    fn default() -> Self {
        Self {
            ruleset: String::new(),
            scenario: String::new(),
            is_of_people: true,
            is_private: false,
            is_casual: false,
            clock: None,
            has_substitutes: false,
            is_verifiable: false,
            password: String::new(),
        }
    }
}

impl NewMatch {
    /// Shows the form; gives the match that is to be created. `may_create` is whether that can be done now.
    pub(crate) fn ui(&mut self, ui: &mut Ui, rulesets: &[RulesetSummary], may_create: bool) -> Option<CreateMatch> {
        let (ruleset, scenario) = self.chosen(rulesets)?;
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
        let has_computers = scenario.players.iter().any(|(_, player)| player != "human");
        if has_computers {
            let choices = [(true, text!("online-people")), (false, text!("online-as-scenario"))];
            segments_ui(ui, &text!("online-players"), &mut self.is_of_people, &choices);
        }
        let create = IconButton::text(text!("online-create")).kind(ButtonKind::Primary).height(36.0);
        let is_clicked = ui.add_enabled(may_create, create).clicked();
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
        is_clicked.then(|| self.wanted(&scenario))
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

    fn wanted(&self, scenario: &ScenarioSummary) -> CreateMatch {
        let seats = scenario.players.iter().filter(|_| self.is_of_people);
        CreateMatch {
            ruleset: self.ruleset.clone(),
            scenario: Some(self.scenario.clone()),
            players: seats.map(|(seat, _)| (seat.clone(), "human".to_owned())).collect(),
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

fn clock_text(clock: Option<TimeControl>) -> String {
    clock.map_or_else(|| text!("online-no-clock"), |clock| clock.to_string())
}
