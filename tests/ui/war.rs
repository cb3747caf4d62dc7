//! A war on areas, as its players meet it: numbers by the wheel, attacks by dragging, dice, and cards.

use std::time::Duration;

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::{Opening, Window, of_people, project};

/// In the middle of a war, with people in all seats.
fn war() -> Window {
    war_of("human")
}

/// The same with others at the seats but red's.
fn war_of(others: &str) -> Window {
    paced_war_of(others, Duration::ZERO)
}

/// The same with a pause before each action of a computer.
fn paced_war_of(others: &str, pace: Duration) -> Window {
    let players = ["red", "blue", "green"].map(|seat| (seat.to_owned(), if seat == "red" { "human" } else { others }.to_owned()));
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: players.to_vec(),
        // With which Red begins.
        seed: Some(2.into()),
        pace,
        ..of_people("conquest")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.sees("Alaska, North America, red garrison 6");
    window
}

fn place(window: &mut Window, label: &str) -> Pos2 {
    window.rect_of_containing(label).center()
}

/// With all armies of the first turn in Alaska, and ready to attack.
fn ready_to_attack() -> Window {
    ready_in(war())
}

fn ready_in(mut window: Window) -> Window {
    window.clicks_containing("Alaska, ").clicks_containing("Reinforce: ");
    window.sees("Alaska, North America, red garrison 17");
    window.clicks("Done").sees("Attack");
    window
}

/// The armies that stand in an area.
fn armies(window: &Window, area: &str) -> usize {
    let labels = window.labels();
    let said = labels
        .lines()
        .find(|label| label.starts_with(area))
        .unwrap_or_else(|| panic!("{labels}"));
    let garrison = said.split("garrison ").nth(1).unwrap_or_else(|| panic!("{said}"));
    garrison
        .split(|letter: char| !letter.is_ascii_digit())
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn an_attack_goes_on_until_the_area_is_taken() {
    let mut window = ready_in(war_of("standard"));
    let (from, to) = (place(&mut window, "Alaska, "), place(&mut window, "Kamchatka, "));
    window.drags(from, to).sees("Attack: 3").clicks("Attack until decided");
    window.waits_until("it goes on", |window| window.shows("Attack: repeating until decided"));
    // Seventeen against five: it is taken by the dice of this seed, and how many move in is asked as always.
    window.waits_until("it is decided", |window| window.shows("How many armies move in?"));
    assert!(!window.shows("repeating until decided"), "{}", window.labels());
    assert!(window.labels().contains("Kamchatka, Asia, red garrison"), "{}", window.labels());
}

#[test]
fn an_attack_that_goes_on_is_stopped() {
    let mut window = ready_in(war_of("standard"));
    let (from, to) = (place(&mut window, "Alaska, "), place(&mut window, "Kamchatka, "));
    window.drags(from, to).sees("Attack: 3").presses(Modifiers::SHIFT, Key::Enter);
    window.waits_until("a round was fought", |window| {
        armies(window, "Alaska, ") + armies(window, "Kamchatka, ") == 20
    });
    window
        .presses(Modifiers::NONE, Key::Escape)
        .no_longer_sees("Attack: repeating until decided");
    for _ in 0..20 {
        window.harness.step();
    }
    assert_eq!(
        armies(&window, "Alaska, ") + armies(&window, "Kamchatka, "),
        20,
        "{}",
        window.labels()
    );
}

#[test]
fn others_at_the_window_answer_while_an_attack_goes_on() {
    let mut window = ready_to_attack();
    let (from, to) = (place(&mut window, "Alaska, "), place(&mut window, "Kamchatka, "));
    window.drags(from, to).sees("Attack: 3").clicks("Attack until decided");
    for left in [20, 18] {
        window.sees("Defend: 2").clicks("Defend: 2");
        window.waits_until("a round was fought", |window| {
            armies(window, "Alaska, ") + armies(window, "Kamchatka, ") == left
        });
    }
}

#[test]
fn what_is_clicked_while_a_computer_defends_is_chosen_when_it_has() {
    // However long the clicks take: those that come later than the defence are taken at once.
    let mut window = ready_in(paced_war_of("standard", Duration::from_secs(1)));
    let (from, to) = (place(&mut window, "Alaska, "), place(&mut window, "Kamchatka, "));
    window
        .drags(from, to)
        .sees("Attack: 3")
        .clicks("Attack: 3")
        .no_longer_sees("Attack: 3");
    clicks_at(&mut window, from);
    clicks_at(&mut window, to);
    window.sees("the defence: ").sees("Attack: 3");
}

#[test]
fn what_is_to_be_done_is_chosen_by_number() {
    let mut window = war();
    window.sees("Reinforce").sees("Trade cards");
    window.presses(Modifiers::NONE, Key::Num2).sees("Choose a card to trade");
    window
        .presses(Modifiers::NONE, Key::Num2)
        .presses(Modifiers::NONE, Key::Num1)
        .sees("Choose an area to reinforce");
}

#[test]
fn players_talk_in_a_panel_that_a_key_opens() {
    let mut window = war();
    window.presses(Modifiers::NONE, Key::S).sees("No messages yet.").settles();
    window.harness.event(egui::Event::Text("shall we?".to_owned()));
    window.harness.step();
    window
        .presses(Modifiers::NONE, Key::Enter)
        .sees("Red: shall we?")
        .no_longer_sees("No messages yet.");
    window
        .presses(Modifiers::NONE, Key::Escape)
        .clicks("Close chat")
        .no_longer_sees("Red: shall we?");
    window.presses(Modifiers::NONE, Key::S).sees("Red: shall we?");
}

#[test]
fn a_number_is_chosen_by_the_wheel() {
    let mut window = war();
    window.clicks_containing("Alaska, ").sees("Reinforce: 11");
    let at = place(&mut window, "Number");
    window.turns_wheel(at, -130.0).sees("Reinforce: 8");
    window.turns_wheel(at, 60.0).sees("Reinforce: 9");
    window.clicks("Reinforce: 9");
    window.sees("Alaska, North America, red garrison 15");
}

#[test]
fn a_number_is_chosen_by_keys() {
    let mut window = war();
    window.clicks_containing("Alaska, ").sees("Reinforce: 11");
    window
        .presses(Modifiers::NONE, Key::OpenBracket)
        .presses(Modifiers::NONE, Key::OpenBracket)
        .presses(Modifiers::NONE, Key::CloseBracket)
        .sees("Reinforce: 10");
}

#[test]
fn an_attack_is_dragged_from_area_to_area_and_its_dice_are_shown() {
    let mut window = ready_to_attack();
    let (from, to) = (place(&mut window, "Alaska, "), place(&mut window, "Kamchatka, "));
    window.drags(from, to).sees("Alaska, North America, red garrison 17, chosen");
    window.sees("Kamchatka, Asia, green garrison 5, chosen").clicks("Attack: 3");
    window.clicks("Defend: 2");
    let thrown = |window: &Window, purpose: &str| -> Option<Vec<u32>> {
        let labels = window.labels();
        let said = labels.lines().find_map(|label| label.strip_prefix(purpose)?.strip_prefix(": "));
        said.map(|faces| faces.split(", ").map(|face| face.parse().unwrap()).collect())
    };
    window.waits_until("the dice are shown", |window| thrown(window, "the attack").is_some());
    let (attack, defence) = (thrown(&window, "the attack").unwrap(), thrown(&window, "the defence").unwrap());
    assert_eq!((attack.len(), defence.len()), (3, 2));
    assert!(attack.iter().chain(&defence).all(|face| (1..=6).contains(face)));
    // The dice decide, so what was shown has to fit what was lost.
    let sorted = |mut dice: Vec<u32>| {
        dice.sort_unstable_by(|a, b| b.cmp(a));
        dice
    };
    let (attack, defence) = (sorted(attack), sorted(defence));
    let lost = attack.iter().zip(&defence).filter(|(attack, defence)| attack <= defence).count();
    window.sees(&format!("Alaska, North America, red garrison {}", 17 - lost));
    window.sees(&format!("Kamchatka, Asia, green garrison {}", 3 + lost));
}

/// The cards on the screen that have a name, from left to right.
fn cards(window: &Window, name: &str) -> Vec<Pos2> {
    let cards = window.harness.query_all_by_label_contains(name);
    let buttons = cards.filter(|card| card.accesskit_node().role() == egui::accesskit::Role::Button);
    let mut places: Vec<Pos2> = buttons.map(|card| card.rect().center()).collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    places
}

fn clicks_at(window: &mut Window, at: Pos2) {
    window.harness.hover_at(at);
    window.harness.step();
    window.harness.drag_at(at);
    window.harness.step();
    window.harness.drop_at(at);
    window.settles();
}

#[test]
fn three_cards_are_traded_by_clicks_and_one_is_taken_back_in_between() {
    let mut window = war();
    window.sees("wild card").clicks_containing("Alaska, ").sees("Reinforce: 11");
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees("Reinforce: 11");
    let (plain, wild) = (cards(&window, "infantry"), cards(&window, "wild card"));
    assert_eq!((plain.len(), wild.len()), (2, 1), "{}", window.labels());
    clicks_at(&mut window, wild[0]);
    clicks_at(&mut window, plain[0]);
    clicks_at(&mut window, plain[0]);
    clicks_at(&mut window, plain[1]);
    assert!(!window.shows("1. Red: "), "two cards are no set");
    clicks_at(&mut window, plain[0]);
    window.sees("1. Red: ").sees("Traded cards: 3");
    window.clicks_containing("Alaska, ").sees("Reinforce: 15");
}

#[test]
fn cards_are_traded_by_keys_alone() {
    let mut window = war();
    window.sees("wild card");
    for step in 0..3 {
        let card = if step < 2 {
            window.harness.query_by_label(["infantry Alberta", "infantry India"][step])
        } else {
            window.harness.query_by_label("wild card")
        };
        card.unwrap().focus();
        window.harness.step();
        window.presses(Modifiers::NONE, Key::Space).settles();
    }
    window.sees("Traded cards: 3");
}
