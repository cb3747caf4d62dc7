//! Looking ahead, compared with the same worked out in the plainest way.

use std::sync::Arc;

use super::*;
use crate::tests::choose;
use boardwright_fixtures::Race;
use boardwright_fixtures::{Harvest, Rows, Skirmish};
use boardwright_model::{ActionId, Evaluation, SeatId, State, Visibility};
use boardwright_rules::{Enumeration, Generator, Luck, Rules, Transaction, flow};

fn max_n_player(opponents: OpponentModel, seed: u64) -> MaxN {
    MaxN::new(Level::HIGHEST, opponents, seed)
}

/// What a state is value for each seat if each does what is best for itself, by the definition.
fn max_n(rules: &dyn Rules, state: &Arc<State>, ahead: i32, depth: u32) -> Vec<i64> {
    let seats = || (0..state.declarations().seats.len()).map(SeatId::from_index);
    if let Some(outcome) = state.outcome() {
        return seats().map(|seat| i64::from(value::of_outcome(outcome, seat, ahead))).collect();
    }
    if depth == 0 {
        return seats()
            .map(|seat| i64::from(value::of_points(value::of_state(rules, state, seat).unwrap())))
            .collect();
    }
    let acting = state.acting().first().unwrap();
    let mut best: Option<Vec<i64>> = None;
    for action in flow::legal(rules, state, acting).unwrap() {
        let values = max_n(rules, &after(rules, state, &action), ahead + 1, depth - 1);
        if best.as_ref().is_none_or(|best| values[acting.index()] > best[acting.index()]) {
            best = Some(values);
        }
    }
    best.unwrap()
}

/// What a state is value for a seat if all others are against it, by the definition.
fn paranoid(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, ahead: i32, depth: u32) -> i64 {
    if let Some(outcome) = state.outcome() {
        return i64::from(value::of_outcome(outcome, seat, ahead));
    }
    if depth == 0 {
        return i64::from(value::of_points(value::of_state(rules, state, seat).unwrap()));
    }
    let acting = state.acting().first().unwrap();
    let legal = flow::legal(rules, state, acting).unwrap();
    let values = legal
        .iter()
        .map(|action| paranoid(rules, &after(rules, state, action), seat, ahead + 1, depth - 1));
    if acting == seat { values.max() } else { values.min() }.unwrap()
}

fn after(rules: &dyn Rules, state: &Arc<State>, action: &boardwright_model::Action) -> Arc<State> {
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
    flow::perform(rules, &mut transaction, action).unwrap();
    transaction.forget();
    transaction.into_parts().0
}

fn wander(rules: &dyn Rules, start: &Arc<State>, seed: u64, count: u32) -> Arc<State> {
    let mut generator = Generator::new(seed);
    let mut state = Arc::clone(start);
    for _ in 0..count {
        let legal = flow::legal(rules, &state, state.acting().first().unwrap()).unwrap();
        state = after(rules, &state, &legal[generator.below(legal.len() as u32) as usize]);
    }
    state
}

#[test]
fn each_for_itself_is_max_n() {
    for seats in [2, 3, 4] {
        let rules = Harvest::new(seats, 3, 3).unwrap();
        for seed in 0..6 {
            let state = wander(&rules, &rules.begun().unwrap(), seed, 3 + seed as u32 % 4);
            let seat = state.acting().first().unwrap();
            for depth in 1..=3 {
                let choice = choose(
                    &mut max_n_player(OpponentModel::SelfInterested, seed),
                    &rules,
                    &state,
                    &Budget::depth(depth),
                );
                let expected = max_n(&rules, &state, 0, depth)[seat.index()];
                assert_eq!(
                    choice.evaluation,
                    Some(Evaluation::of_score(expected)),
                    "{seats} seats, seed {seed}, depth {depth}"
                );
            }
        }
    }
}

#[test]
fn all_against_one_is_paranoid() {
    for seats in [3, 4] {
        let rules = Harvest::new(seats, 3, 3).unwrap();
        for seed in 0..6 {
            let state = wander(&rules, &rules.begun().unwrap(), seed, 3 + seed as u32 % 4);
            let seat = state.acting().first().unwrap();
            for depth in 1..=3 {
                let choice = choose(
                    &mut max_n_player(OpponentModel::Paranoid, seed),
                    &rules,
                    &state,
                    &Budget::depth(depth),
                );
                assert_eq!(
                    choice.evaluation,
                    Some(Evaluation::of_score(paranoid(&rules, &state, seat, 0, depth))),
                    "{seats} seats, seed {seed}, depth {depth}"
                );
            }
        }
    }
}

#[test]
fn between_two_seats_it_is_minimax_whoever_acts_how_often() {
    let rules = Skirmish::new(4, 4, true).unwrap();
    for seed in 0..8 {
        let state = wander(&rules, &rules.full().unwrap(), seed, 4);
        let seat = state.acting().first().unwrap();
        if flow::legal(&rules, &state, seat).unwrap().len() < 2 {
            continue;
        }
        let choice = choose(&mut max_n_player(OpponentModel::BySeats, seed), &rules, &state, &Budget::depth(3));
        let expected = Evaluation::of_score(paranoid(&rules, &state, seat, 0, 3));
        assert_eq!(choice.evaluation, Some(expected), "seed {seed}");
    }
}

/// What is to be expected for a seat through luck, by the definition: every result of every draw, weighed.
fn expected(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, ahead: i32, depth: u32) -> f64 {
    if let Some(outcome) = state.outcome() {
        return f64::from(value::of_outcome(outcome, seat, ahead));
    }
    if depth == 0 {
        return f64::from(value::of_points(value::of_state(rules, state, seat).unwrap()));
    }
    let acting = state.acting().first().unwrap();
    let legal = flow::legal(rules, state, acting).unwrap();
    let values = legal.iter().filter_map(|action| {
        let mut enumeration = Enumeration::default();
        let mut sum = 0.0;
        loop {
            let mut transaction = Transaction::new(Arc::clone(state), Luck::Enumerate(enumeration));
            flow::perform(rules, &mut transaction, action).ok()?;
            transaction.forget();
            let (next, _, _, luck) = transaction.into_parts();
            let Luck::Enumerate(used) = luck else { unreachable!() };
            enumeration = used;
            let part = enumeration
                .probability()
                .iter()
                .fold(1.0, |part, (weight, of)| part * *weight as f64 / *of as f64);
            sum += part * expected(rules, &next, seat, ahead + 1, depth - 1);
            if !enumeration.advance() {
                return Some(sum);
            }
        }
    });
    let values: Vec<f64> = values.collect();
    let most = if acting == seat { f64::max } else { f64::min };
    values.into_iter().reduce(most).unwrap()
}

#[test]
fn through_luck_it_expects_the_mean_of_all_results() {
    let rules = Race::default();
    let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(3)));
    flow::begin(&rules, &mut transaction).unwrap();
    let run = |seat| boardwright_model::Action {
        seat: SeatId(seat),
        action: ActionId(0),
        picks: boardwright_model::Picks::new(),
    };
    for seat in [0, 1, 0, 1] {
        flow::perform(&rules, &mut transaction, &run(seat)).unwrap();
    }
    let state = transaction.state();
    let seat = SeatId(0);
    // All cards are alike, so every state behind the view is the same, and so is its value.
    let view = state.project(&Visibility::new(Some(seat), None));
    for depth in 1..=3 {
        let choice = choose(&mut max_n_player(OpponentModel::BySeats, 1), &rules, &view, &Budget::depth(depth));
        let expected = expected(&rules, state, seat, 0, depth);
        let Some(Evaluation::Points(points)) = choice.evaluation else {
            panic!("depth {depth}: {:?}", choice.evaluation)
        };
        assert!((points as f64 - expected).abs() < 10.0, "depth {depth}: {points} and {expected}");
    }
}

#[test]
fn the_same_seed_gives_the_same_choice_and_a_budget_in_nodes_is_kept() {
    let rules = Harvest::new(3, 4, 4).unwrap();
    let state = rules.begun().unwrap();
    for opponents in [OpponentModel::SelfInterested, OpponentModel::Paranoid] {
        for nodes in [1, 50, 3_000] {
            let choice = |seed| choose(&mut max_n_player(opponents, seed), &rules, &state, &Budget::nodes(nodes));
            let (one, two) = (choice(4), choice(4));
            assert_eq!((&one.line, one.evaluation, one.nodes), (&two.line, two.evaluation, two.nodes));
            assert_eq!(one.nodes, nodes);
            flow::check(&rules, &state, &one.action).unwrap();
        }
    }
}

#[test]
fn search_plays_by_whatever_suits_the_rules() {
    let search = |level| AutoPlayer::new(Level::new(level).unwrap(), 1);
    let rows = Rows::new(3, 3, 3);
    let state = rows.begun("rr. bb. ...").unwrap();
    assert_eq!(
        choose(&mut search(5), &rows, &state, &Budget::of_level()).evaluation,
        Some(Evaluation::WinsIn(1))
    );
    let harvest = Harvest::new(4, 4, 4).unwrap();
    let state = harvest.begun().unwrap();
    let choice = choose(&mut search(5), &harvest, &state, &Budget::of_level());
    assert!(choice.depth >= 1 && choice.instead_of.is_none());
    flow::check(&harvest, &state, &choice.action).unwrap();
}

#[test]
fn looking_ahead_wins_among_three_more_often_than_its_share() {
    let rules = Harvest::new(3, 4, 4).unwrap();
    for opponents in [OpponentModel::SelfInterested, OpponentModel::Paranoid] {
        let mut won = 0;
        for seed in 0..12 {
            let mut state = rules.begun().unwrap();
            let mut player = max_n_player(opponents, seed);
            let mut random = Random::new(seed);
            let own = SeatId(seed as u8 % 3);
            while let Some(seat) = state.acting().first() {
                let player: &mut dyn Player = if seat == own { &mut player } else { &mut random };
                let choice = choose(player, &rules, &state, &Budget::nodes(300));
                state = after(&rules, &state, &choice.action);
            }
            won += i32::from(state.outcome().unwrap().places[own.index()] == 1);
        }
        assert!(won >= 9, "{opponents:?} won {won} of 12");
    }
}
