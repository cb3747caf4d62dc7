//! How a match is to be played: scenario, seats, options.

use egui::text::{LayoutJob, TextWrapping};
use egui::{CollapsingHeader, ComboBox, FontId, Label, Rect, Role, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use super::card::picture_ui;
use super::options::option_ui;
use super::recent::Recent;
use crate::panels::player_ui;
use crate::players::{Choice, EASY_LEVEL, NAMED_LEVELS, level_title};
use crate::texts::text;
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, from_right_ui, heading_ui, label_in_ui, lay_out, remark, remark_ui, seat_mark_ui, size, space,
    strong, veil,
};
use boardwright_client::MatchChoice;
use boardwright_client::content::{PACE, RulesetCard, ScenarioCard};
use boardwright_model::{Seed, Value};

/// The width of the labels before the choices, in points.
const LABELS: f32 = 96.0;
/// The height of a line with a choice, in points.
const LINE: f32 = 32.0;
/// The side of the picture of a scenario, and of that in the list of scenarios, in points.
const PICTURE: f32 = 60.0;
const SMALL_PICTURE: f32 = 34.0;

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
    /// The form as it begins: the default scenario, players and options.
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

    /// The form as it was when a match of the ruleset was begun last.
    pub(super) fn again(card: &RulesetCard, last: Option<&Recent>) -> Self {
        let mut form = Self::of(card);
        let Some(choice) = last.and_then(|last| last.choice(card)) else {
            return form;
        };
        let known = card
            .scenarios
            .iter()
            .position(|scenario| Some(&scenario.id) == choice.scenario.as_ref());
        form.scenario = known.unwrap_or(form.scenario);
        form.begin_scenario(card);
        let seats = card.seats_of(form.chosen(card)).iter();
        for (seat, player) in seats.zip(&mut form.players) {
            if let Some((_, named)) = choice.players.iter().find(|(name, _)| **name == *seat.name) {
                *player = Choice::read(named);
            }
        }
        for (declared, value) in card.options.iter().zip(&mut form.options) {
            let set = choice.options.iter().find(|(name, _)| **name == *declared.name);
            if let Some(set) = set.and_then(|(_, set)| declared.value_type.parse(set).ok()) {
                *value = set;
            }
        }
        form
    }

    /// Puts a person on one seat and computers on the others, and sets the options of the scenario. The person takes the first seat
    /// that the scenario gives to one, and the computers are those that it names, or else easy ones.
    fn begin_scenario(&mut self, card: &RulesetCard) {
        let default = self.chosen(card).map(|scenario| scenario.players.as_slice()).unwrap_or_default();
        let named = |seat: &boardwright_model::SeatDeclaration| {
            let named = default.iter().find(|(name, _)| **name == *seat.name);
            named.map(|(_, player)| Choice::read(player))
        };
        let seats = card.seats_of(self.chosen(card));
        let persons = seats.iter().position(|seat| named(seat).is_some_and(|player| player.is_person()));
        let person = persons.unwrap_or(0);
        let player = |(index, seat)| match named(seat).filter(|player| !player.is_person()) {
            _ if index == person => Choice::read("human"),
            Some(computer) => computer,
            None => Choice::computer(EASY_LEVEL),
        };
        self.players = seats.iter().enumerate().map(player).collect();
        self.options = self.default_options(card);
    }

    /// Fills in another scenario. What was chosen otherwise than the one before has it stays chosen: options, and players where the seats are the same.
    fn choose_scenario(&mut self, card: &RulesetCard, index: usize) {
        let seats = card.seats_of(self.chosen(card));
        let (before, mut default) = (self.clone(), self.clone());
        default.begin_scenario(card);
        self.scenario = index;
        self.begin_scenario(card);
        let chosen = before.options.into_iter().zip(default.options);
        for (value, (chosen, _)) in self
            .options
            .iter_mut()
            .zip(chosen)
            .filter(|(_, (chosen, default))| chosen != default)
        {
            *value = chosen;
        }
        if before.players != default.players && card.seats_of(self.chosen(card)) == seats {
            self.players = before.players;
        }
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

    /// Shows who plays: the seat of the person at this screen, and how well the computers play.
    pub(super) fn players_ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        let seats = card.seats_of(self.chosen(card));
        if seats.is_empty() {
            return;
        }
        let computer = self.players.iter().find(|player| !player.is_person()).cloned();
        let person = self.person();
        let title = self.person_title(card);
        let mut wanted = person;
        line_ui(ui, text!("form-you"), |ui| {
            if let Person::At(index) = person {
                seat_mark_ui(ui, Palette::seat(seats, index), index, 22.0);
            }
            let list = ComboBox::from_id_salt("you play").truncate().width(ui.available_width());
            let list = list.selected_text(&title).show_ui(ui, |ui| {
                for (index, seat) in seats.iter().enumerate() {
                    ui.selectable_value(&mut wanted, Person::At(index), &*seat.title);
                }
                ui.selectable_value(&mut wanted, Person::Everywhere, text!("form-you-all"));
                ui.selectable_value(&mut wanted, Person::Nowhere, text!("form-you-none"));
            });
            let about = text!("form-you");
            list.response.accessible_name(text!("form-choice", about = about, chosen = title));
        });
        if wanted != person {
            let computer = computer.clone().unwrap_or_else(|| Choice::computer(EASY_LEVEL));
            self.put_person(wanted, &computer);
        }
        if let Some(computer) = computer {
            self.computers_ui(ui, card, &computer);
        }
        CollapsingHeader::new(text!("form-each-seat")).id_salt("each seat").show(ui, |ui| {
            for (index, (seat, choice)) in seats.iter().zip(&mut self.players).enumerate() {
                ui.horizontal(|ui| {
                    seat_mark_ui(ui, Palette::seat(seats, index), index, 22.0);
                    label_in_ui(ui, vec2(62.0, 30.0), Label::new(strong(&*seat.title)).truncate());
                    player_ui(ui, &seat.title, choice, &card.strategies, ("form", card.id.as_str(), index));
                });
            }
        });
    }

    /// One choice for all computers; `first` is the first of them.
    fn computers_ui(&mut self, ui: &mut Ui, card: &RulesetCard, first: &Choice) {
        let are_alike = self.are_alike(first);
        let title = self.computers_title(first);
        let mut wanted = None;
        line_ui(ui, text!("form-computers"), |ui| {
            let list = ComboBox::from_id_salt("computers").truncate().width(ui.available_width());
            let list = list.selected_text(&title).height(420.0).show_ui(ui, |ui| {
                let levels = NAMED_LEVELS.map(|level| (level_title(level), Choice::computer(level)));
                let strategies = card.strategies.iter().map(|name| Choice::read(name));
                let strategies = strategies.map(|strategy| (strategy.title(), strategy));
                for (title, choice) in levels.into_iter().chain(strategies) {
                    let is_chosen = are_alike && choice == *first;
                    if ui.selectable_label(is_chosen, title).clicked() {
                        wanted = Some(choice);
                    }
                }
            });
            let about = text!("form-computers");
            list.response.accessible_name(text!("form-choice", about = about, chosen = title));
        });
        if let Some(wanted) = wanted {
            let computers = self.players.iter_mut().filter(|player| !player.is_person());
            computers.for_each(|player| player.clone_from(&wanted));
        }
    }

    /// Whether all computers are like `first`.
    fn are_alike(&self, first: &Choice) -> bool {
        self.players.iter().all(|player| player.is_person() || player == first)
    }

    fn computers_title(&self, first: &Choice) -> String {
        match first.level.filter(|_| first.word == Choice::computer(EASY_LEVEL).word) {
            _ if !self.are_alike(first) => text!("form-computers-differ"),
            Some(level) => level_title(level),
            None => first.title(),
        }
    }

    /// The seats of people: "Red", "All seats".
    fn person_title(&self, card: &RulesetCard) -> String {
        let seats = card.seats_of(self.chosen(card));
        match self.person() {
            Person::At(index) => seats.get(index).map_or_else(String::new, |seat| seat.title.to_string()),
            Person::Everywhere => text!("form-you-all"),
            Person::Nowhere => text!("form-you-none"),
            Person::AtSome => text!("form-you-several"),
        }
    }

    /// Who plays, in a line or two: "You play: Red", "Computers: Easy (2)".
    pub(super) fn players_text(&self, card: &RulesetCard) -> String {
        let line = |about: String, chosen: String| text!("form-choice", about = about, chosen = chosen);
        let person = line(text!("form-you"), self.person_title(card));
        let computer = self.players.iter().find(|player| !player.is_person());
        let computers = computer.map(|first| line(text!("form-computers"), self.computers_title(first)));
        [person].into_iter().chain(computers).collect::<Vec<_>>().join("\n")
    }

    /// Where people sit.
    fn person(&self) -> Person {
        let mut people = self.players.iter().enumerate().filter(|(_, player)| player.is_person());
        match (people.next(), people.next()) {
            (None, _) => Person::Nowhere,
            (Some((index, _)), None) => Person::At(index),
            _ if self.players.iter().all(Choice::is_person) => Person::Everywhere,
            _ => Person::AtSome,
        }
    }

    /// Seats the person somewhere else; a computer like `computer` takes each seat that is left.
    fn put_person(&mut self, person: Person, computer: &Choice) {
        for (index, player) in self.players.iter_mut().enumerate() {
            let is_person = match person {
                Person::At(seat) => seat == index,
                Person::Everywhere => true,
                Person::Nowhere => false,
                Person::AtSome => player.is_person(),
            };
            if is_person {
                *player = Choice::read("human");
            } else if player.is_person() {
                player.clone_from(computer);
            }
        }
    }

    /// Shows what else can be chosen: the scenario, its options, the seed.
    pub(super) fn ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        if card.scenarios.is_empty() {
            return;
        }
        self.scenarios_ui(ui, card);
        if !card.options.is_empty() {
            ui.add_space(space::M);
            self.options_ui(ui, card);
        }
        ui.add_space(space::S);
        self.seed_ui(ui);
    }

    fn scenarios_ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        heading_ui(ui, Icon::Folder, &text!("form-scenario"));
        let Some(chosen) = self.chosen(card) else { return };
        let mut picked = self.scenario;
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(PICTURE, PICTURE), Sense::hover());
            picture_ui(ui, chosen.picture.as_ref(), &chosen.title, rect, 6);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = space::XS;
                if let [_] = card.scenarios[..] {
                    ui.add(Label::new(strong(&chosen.title)).wrap());
                } else {
                    let list = ComboBox::from_id_salt("scenario").truncate().width(ui.available_width());
                    let list = list.selected_text(&chosen.title).height(420.0).show_ui(ui, |ui| {
                        for (index, scenario) in card.scenarios.iter().enumerate() {
                            let seats = card.seats_of(Some(scenario)).len();
                            if scenario_ui(ui, scenario, seats, index == self.scenario) {
                                picked = index;
                                ui.close();
                            }
                        }
                    });
                    let name = text!("form-scenario-one", title = &*chosen.title);
                    list.response.accessible_name(name);
                }
                remark_ui(ui, text!("facts-seats", count = card.seats_of(Some(chosen)).len()));
            });
        });
        if !chosen.line.is_empty() {
            remark_ui(ui, &chosen.line);
        }
        if picked != self.scenario {
            self.choose_scenario(card, picked);
        }
    }

    fn options_ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        let default = self.default_options(card);
        ui.horizontal(|ui| {
            heading_ui(ui, Icon::Gear, &text!("form-options"));
            let button = IconButton::text(text!("form-default-options")).kind(ButtonKind::Quiet).height(26.0);
            if self.options != default && from_right_ui(ui, |ui| ui.add(button)).clicked() {
                self.options.clone_from(&default);
            }
        });
        for ((declared, value), default) in card.options.iter().zip(&mut self.options).zip(&default) {
            option_ui(ui, (declared, &card.localizer), default, value);
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

/// Where people sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Person {
    At(usize),
    Everywhere,
    Nowhere,
    /// At several seats, but not at all.
    AtSome,
}

/// A line with a label and a choice.
fn line_ui(ui: &mut Ui, label: String, choice: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(LINE);
        label_in_ui(ui, vec2(LABELS, LINE), Label::new(strong(label)).truncate());
        choice(ui);
    });
}

/// Shows a scenario in a list, with its picture and the number of its seats; true if it was clicked.
fn scenario_ui(ui: &mut Ui, scenario: &ScenarioCard, seats: usize, is_chosen: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width().max(220.0), SMALL_PICTURE + 8.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, &scenario.title));
    if is_chosen || response.hovered() || response.has_focus() {
        ui.painter()
            .rect_filled(rect, 8, veil(palette.accent, if is_chosen { 0.22 } else { 0.12 }));
    }
    let side = vec2(SMALL_PICTURE, SMALL_PICTURE);
    let picture = Rect::from_min_size(rect.min + vec2(4.0, 4.0), side);
    picture_ui(ui, scenario.picture.as_ref(), &scenario.title, picture, 4);
    let (left, width) = (picture.right() + space::S, rect.right() - picture.right() - 2.0 * space::S);
    let mut job = LayoutJob::simple_singleline(scenario.title.clone(), FontId::proportional(size::BODY), palette.text);
    job.wrap = TextWrapping::truncate_at_width(width);
    let painter = ui.painter();
    painter.galley(pos2(left, rect.top() + 3.0), painter.layout_job(job), palette.text);
    let seats = lay_out(ui, &text!("facts-seats", count = seats), FontId::proportional(size::SMALL));
    painter.galley(pos2(left, rect.bottom() - 4.0 - seats.size().y), seats, palette.muted);
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
        assert_eq!(players(&form), ["red=human", "blue=search:2"]);
        assert_eq!(form.choice(&card).options, [("draw_after".to_owned(), "60".to_owned())]);
        form.scenario = 1;
        form.begin_scenario(&card);
        assert_eq!(players(&form), ["red=search:7", "blue=human"]);
    }

    #[test]
    fn another_scenario_keeps_what_was_chosen() {
        let mut card = card();
        card.scenarios[1].options = vec![Value::Integer(90)];
        let mut form = Form::of(&card);
        form.choose_scenario(&card, 1);
        assert_eq!(
            form.options,
            [Value::Integer(90)],
            "nothing was chosen: it is as the scenario has it"
        );
        assert_eq!(form.players[0].text(), "search:7");
        form.choose_scenario(&card, 0);
        assert_eq!(form, Form::of(&card));
        form.options = vec![Value::Integer(7)];
        form.players[1] = Choice::computer(9);
        form.choose_scenario(&card, 1);
        assert_eq!(
            (form.options.as_slice(), form.players[1].text().as_str()),
            ([Value::Integer(7)].as_slice(), "search:9")
        );
        card.scenarios[0].seats = vec![card.seats[0].clone()];
        form.choose_scenario(&card, 0);
        assert_eq!((form.options.as_slice(), form.players.len()), ([Value::Integer(7)].as_slice(), 1));
    }

    #[test]
    fn a_scenario_for_people_alone_is_a_match_against_the_computer_too() {
        let mut card = card();
        card.scenarios[0].players = vec![("red".into(), "human".into()), ("blue".into(), "human".into())];
        let mut form = Form::of(&card);
        assert_eq!(form.players, [Choice::read("human"), Choice::computer(EASY_LEVEL)]);
        form.put_person(Person::At(1), &Choice::computer(6));
        assert_eq!((form.person(), form.players[0].text().as_str()), (Person::At(1), "search:6"));
        form.put_person(Person::Everywhere, &Choice::computer(6));
        assert_eq!(form.person(), Person::Everywhere);
    }

    #[test]
    fn the_form_begins_as_the_last_match_did() {
        let card = card();
        let mut form = Form::of(&card);
        form.scenario = 1;
        form.begin_scenario(&card);
        form.players = vec![Choice::read("greedy"), Choice::computer(9)];
        form.options = vec![Value::Integer(7)];
        let last = Recent::of(&form.choice(&card));
        assert_eq!(Form::again(&card, Some(&last)), form);
        assert_eq!(Form::again(&card, None), Form::of(&card));
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
        assert_eq!(form.choice(&card).players[2], ("green".to_owned(), "search:2".to_owned()));
    }

    #[test]
    fn a_scenario_that_is_gone_falls_back_to_the_first() {
        let mut form = Form::of(&card());
        form.scenario = 9;
        assert_eq!(form.choice(&card()).scenario.as_deref(), Some("standard"));
    }
}
