//! The player at play, on the fixtures.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::Budget;
use crate::tests::{choose, stops_at_the_next_node};
use crate::{Greedy, Random};
use boardwright_fixtures::{Harvest, Race, Rows, Skirmish};
use boardwright_model::{Action, Evaluation, Outcome, Visibility};
use boardwright_rules::{Luck, Transaction};

fn player(seed: u64) -> MonteCarlo {
    let settings = MonteCarloSettings {
        memory_mb: 64,
        playout_actions: Some(8),
        ..MonteCarloSettings::default()
    };
    MonteCarlo::with_settings(Level::HIGHEST, settings, seed)
}

fn notation(rules: &dyn Rules, state: &Arc<State>, seed: u64, simulations: u64) -> String {
    let choice = choose(&mut player(seed), rules, state, &Budget::simulations(simulations));
    rules.notation(state, &choice.action)
}

fn after(rules: &dyn Rules, state: &Arc<State>, actions: &[Action]) -> Arc<State> {
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
    for action in actions {
        flow::perform(rules, &mut transaction, action).unwrap();
    }
    transaction.forget();
    transaction.into_parts().0
}

/// Plays a match on what seats see; gives how it ended.
fn play(rules: &dyn Rules, start: Arc<State>, seed: u64, players: &mut [&mut dyn Player], budget: &Budget) -> Outcome {
    let mut transaction = Transaction::new(start, Luck::Roll(Generator::new(seed)));
    if transaction.state().acting().is_empty() {
        flow::begin(rules, &mut transaction).unwrap();
    }
    while let Some(seat) = transaction.state().acting().first() {
        let sight = Visibility::new(Some(seat), rules.visible(transaction.state(), Some(seat)).unwrap());
        let view = transaction.state().project(&sight);
        let choice = players[seat.index()]
            .choose(
                Decision {
                    rules,
                    state: &view,
                    seat,
                    budget,
                },
                &mut |_| {},
            )
            .unwrap();
        drop(view);
        if flow::perform(rules, &mut transaction, &choice.action).is_err() {
            let legal = flow::legal(rules, transaction.state(), seat).unwrap();
            flow::perform(rules, &mut transaction, &legal[0]).unwrap();
        }
    }
    transaction.state().outcome().unwrap().clone()
}

#[test]
fn a_win_is_taken_and_a_loss_warded_off() {
    let rules = Rows::new(3, 3, 3);
    for seed in 0..5 {
        assert_eq!(notation(&rules, &rules.begun("rr. bb. ...").unwrap(), seed, 300), "place c1");
        assert_eq!(notation(&rules, &rules.begun("bb. r.. ..r").unwrap(), seed, 600), "place c1");
    }
}

#[test]
fn a_double_threat_is_found() {
    let rules = Rows::new(3, 3, 3);
    let state = rules.begun("r.. .b. b.r").unwrap();
    assert_eq!(notation(&rules, &state, 1, 2_000), "place c1");
}

#[test]
fn with_one_thread_the_same_seed_gives_the_same_choices_through_a_match() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let play = |seed| {
        let (mut one, mut other) = (player(seed), player(seed + 1));
        let mut state = rules.full().unwrap();
        let mut reports = Vec::new();
        for turn in 0..10 {
            if state.acting().is_empty() {
                break;
            }
            let player = if turn % 2 == 0 { &mut one } else { &mut other };
            let choice = choose(player, &rules, &state, &Budget::simulations(120));
            state = after(&rules, &state, std::slice::from_ref(&choice.action));
            reports.push((choice.action, choice.evaluation, choice.nodes, choice.line));
        }
        reports
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(8), "seeds make no difference");
}

#[test]
fn budgets_in_simulations_and_nodes_are_kept() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    for simulations in [1, 10, 500] {
        let mut player = player(1);
        let choice = choose(&mut player, &rules, &state, &Budget::simulations(simulations));
        // It may stop sooner only when it is decided.
        assert!(player.tree_visits() <= simulations as u32 && player.tree_visits() > simulations as u32 / 3);
        flow::check(&rules, &state, &choice.action).unwrap();
    }
    for nodes in [0, 1, 1_000] {
        let choice = choose(&mut player(1), &rules, &state, &Budget::nodes(nodes));
        assert_eq!(choice.nodes, nodes);
        flow::check(&rules, &state, &choice.action).unwrap();
    }
}

#[test]
fn an_interrupt_stops_it_at_the_next_node() {
    stops_at_the_next_node(&mut player(1));
}

#[test]
fn the_tree_is_used_again_in_the_next_turn() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    let mut player = player(1);
    let choice = choose(&mut player, &rules, &state, &Budget::simulations(1_500));
    let next = after(&rules, &state, &choice.line[..2]);
    choose(&mut player, &rules, &next, &Budget::simulations(1));
    assert!(player.tree_visits() > 30, "{}", player.tree_visits());
    let elsewhere = after(&rules, &rules.begun("r.... .b... ..... ..... ....b").unwrap(), &[]);
    choose(&mut player, &rules, &elsewhere, &Budget::simulations(1));
    assert_eq!(player.tree_visits(), 1);
}

#[test]
fn memory_is_bounded_by_the_setting() {
    let rules = Skirmish::new(8, 8, false).unwrap();
    let state = rules.full().unwrap();
    let settings = MonteCarloSettings {
        memory_mb: 1,
        playout_actions: Some(1),
        ..MonteCarloSettings::default()
    };
    let mut player = MonteCarlo::with_settings(Level::HIGHEST, settings, 1);
    let choice = choose(&mut player, &rules, &state, &Budget::simulations(6_000));
    // What is added at once when the limit is not yet reached may go a little beyond it.
    assert!(player.tree_bytes() < (1 << 20) + (16 << 10), "{}", player.tree_bytes());
    assert!(
        player.tree_bytes() > 900 << 10,
        "{}: the limit was not reached",
        player.tree_bytes()
    );
    flow::check(&rules, &state, &choice.action).unwrap();
}

#[test]
fn several_threads_share_one_tree() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    let source: Arc<dyn RulesSource> = Arc::new(rules.clone());
    let mut player = player(1).on_threads(3, &source);
    for _ in 0..3 {
        let choice = choose(&mut player, &rules, &state, &Budget::simulations(900));
        flow::check(&rules, &state, &choice.action).unwrap();
    }
    // The same state again: the tree is that of all three choices.
    assert!(player.tree_visits() > 1_000, "{}", player.tree_visits());
    assert!(Arc::strong_count(&state) == 1, "the state is given back");
}

#[test]
fn it_beats_the_greedy_player() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let mut points = 0;
    for seed in 0..10 {
        let (mut own, mut greedy) = (player(seed), Greedy::new(seed));
        let is_first = seed % 2 == 0;
        let mut players: [&mut dyn Player; 2] = [&mut own, &mut greedy];
        if !is_first {
            players.reverse();
        }
        let outcome = play(&rules, rules.full().unwrap(), seed, &mut players, &Budget::simulations(80));
        points += match outcome.sole_winner() {
            Some(winner) if (winner == SeatId(0)) == is_first => 1,
            Some(_) => -1,
            None => 0,
        };
    }
    assert!(points >= 5, "{points} of 10");
}

#[test]
fn a_wide_choice_is_narrowed_and_still_found() {
    let rules = Rows::new(15, 15, 5);
    let rows = "............... ............... ............... ............... ............... ....rrrr....... .....bbb.......";
    let state = rules.begun(rows).unwrap();
    let choice = choose(&mut player(1), &rules, &state, &Budget::simulations(1_000));
    let notation = rules.notation(&state, &choice.action);
    assert!(["place d6", "place i6"].contains(&notation.as_str()), "{notation}");
}

#[test]
fn among_many_seats_it_wins_more_than_its_share() {
    let rules = Harvest::new(4, 5, 4).unwrap();
    let mut won = 0;
    for seed in 0..12 {
        let own = seed as usize % 4;
        let mut others: Vec<Random> = (0..3).map(|other| Random::new(seed * 10 + other)).collect();
        let mut strong = player(seed);
        let mut players: Vec<&mut dyn Player> = others.iter_mut().map(|player| player as &mut dyn Player).collect();
        players.insert(own, &mut strong);
        let outcome = play(&rules, rules.begun().unwrap(), seed, &mut players, &Budget::simulations(150));
        won += i32::from(outcome.places[own] == 1);
    }
    assert!(won >= 9, "{won} of 12");
}

#[test]
fn with_dice_and_hidden_cards_it_beats_the_random_player() {
    let rules = Race::default();
    let mut won = 0;
    for seed in 0..40 {
        let (mut own, mut random) = (player(seed), Random::new(seed));
        let is_first = seed % 2 == 0;
        let mut players: [&mut dyn Player; 2] = [&mut own, &mut random];
        if !is_first {
            players.reverse();
        }
        let outcome = play(&rules, Race::start().unwrap(), seed, &mut players, &Budget::simulations(200));
        won += i32::from(outcome.sole_winner() == Some(SeatId(u8::from(!is_first))));
    }
    assert!(won >= 27, "{won} of 40");
}

#[test]
fn progress_is_reported_while_it_thinks() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    let mut reports = Vec::new();
    let seat = state.acting().first().unwrap();
    let budget = Budget::time(Duration::from_millis(500));
    player(1)
        .choose(
            Decision {
                rules: &rules,
                state: &state,
                seat,
                budget: &budget,
            },
            &mut |news| reports.push(news.clone()),
        )
        .unwrap();
    assert!(!reports.is_empty());
    assert!(reports.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
    assert!(
        reports
            .iter()
            .all(|news| !news.line.is_empty() && matches!(news.evaluation, Some(Evaluation::Chance(..=1_000))))
    );
}
