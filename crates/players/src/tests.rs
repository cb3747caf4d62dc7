//! Computer players at play, on the two fixtures.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;
use boardwright_fixtures::Race;
use boardwright_fixtures::{Rows, Skirmish};
use boardwright_model::{Action, Evaluation, SeatId, State};
use boardwright_rules::{Generator, Luck, Rules, Transaction, flow};

const RED: SeatId = SeatId(0);

fn plain() -> SearchSettings {
    SearchSettings {
        table_mb: 4,
        is_selective: false,
    }
}

fn small() -> SearchSettings {
    SearchSettings {
        table_mb: 4,
        ..SearchSettings::default()
    }
}

fn strongest(settings: SearchSettings, seed: u64) -> AlphaBeta {
    AlphaBeta::with_settings(Level::HIGHEST, settings, seed)
}

/// What a player chooses for the seat to act.
pub(crate) fn choose(player: &mut dyn Player, rules: &dyn Rules, state: &Arc<State>, budget: &Budget) -> Choice {
    choose_and_tell(player, rules, state, budget, &mut |_| {})
}

pub(crate) fn choose_and_tell(
    player: &mut dyn Player,
    rules: &dyn Rules,
    state: &Arc<State>,
    budget: &Budget,
    report: &mut dyn FnMut(&Thinking),
) -> Choice {
    let seat = state.acting().first().unwrap();
    let decision = Decision {
        rules,
        state,
        seat,
        budget,
    };
    player.choose(decision, report).unwrap()
}

/// Stops a player that would go on for an hour as soon as it tells how far it has come. It does nothing more then.
pub(crate) fn stops_at_the_next_node(player: &mut dyn Player) {
    let rules = Skirmish::new(8, 8, false).unwrap();
    let state = rules.full().unwrap();
    let budget = Budget::time(Duration::from_hours(1));
    let mut told = Vec::new();
    let choice = choose_and_tell(player, &rules, &state, &budget, &mut |news| {
        budget.interrupt.stop();
        told.push(news.nodes);
    });
    assert_eq!(told.len(), 1);
    // What is told counts the nodes that are claimed but not used yet.
    assert!(choice.nodes <= told[0], "{} after {told:?}", choice.nodes);
    flow::check(&rules, &state, &choice.action).unwrap();
}

/// The state after a line of actions, given as the rules write them.
fn after(rules: &dyn Rules, state: &Arc<State>, actions: &[Action]) -> Arc<State> {
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
    for action in actions {
        flow::perform(rules, &mut transaction, action).unwrap();
    }
    transaction.forget();
    transaction.into_parts().0
}

/// The state after some random actions; `None` if the match ends before.
fn wander(rules: &dyn Rules, start: &Arc<State>, seed: u64, count: u32) -> Option<Arc<State>> {
    let mut generator = Generator::new(seed);
    let mut transaction = Transaction::new(Arc::clone(start), Luck::Forbidden);
    for _ in 0..count {
        let legal = flow::legal(rules, transaction.state(), transaction.state().acting().first()?).unwrap();
        let action = &legal[generator.below(legal.len() as u32) as usize];
        flow::perform_legal(rules, &mut transaction, action).unwrap();
    }
    transaction.state().acting().first()?;
    transaction.forget();
    Some(transaction.into_parts().0)
}

/// Plain minimax without any cleverness.
fn minimax(rules: &dyn Rules, transaction: &mut Transaction, seat: SeatId, ahead: i32, depth: u32) -> i32 {
    if let Some(outcome) = transaction.state().outcome() {
        return value::of_outcome(outcome, seat, ahead);
    }
    if depth == 0 {
        return value::of_points(value::of_state(rules, transaction.state(), seat).unwrap());
    }
    let acting = transaction.state().acting().first().unwrap();
    let values = flow::legal(rules, transaction.state(), acting).unwrap().into_iter().map(|action| {
        let mark = transaction.mark();
        flow::perform_legal(rules, transaction, &action).unwrap();
        let value = minimax(rules, transaction, seat, ahead + 1, depth - 1);
        transaction.rollback(mark);
        value
    });
    if acting == seat { values.max() } else { values.min() }.unwrap()
}

fn positions(rules: &dyn Rules, start: &Arc<State>, most: u32, count: usize) -> Vec<Arc<State>> {
    let walks = (0..).map(|seed| wander(rules, start, seed, 2 + seed as u32 % most));
    walks.flatten().take(count).collect()
}

fn equals_minimax(rules: &dyn Rules, states: &[Arc<State>]) {
    for (index, state) in states.iter().enumerate() {
        let seat = state.acting().first().unwrap();
        if flow::legal(rules, state, seat).unwrap().len() == 1 {
            continue;
        }
        for depth in 1..=4 {
            let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
            let expected = minimax(rules, &mut transaction, seat, 0, depth);
            let choice = choose(&mut strongest(plain(), 1), rules, state, &Budget::depth(depth));
            assert_eq!(
                choice.evaluation,
                Some(Evaluation::of_score(i64::from(expected))),
                "position {index} at depth {depth}"
            );
            let mut transaction = Transaction::new(after(rules, state, &choice.line[..1]), Luck::Forbidden);
            let kept = minimax(rules, &mut transaction, seat, 1, choice.depth - 1);
            assert_eq!(kept, expected, "the action chosen in position {index} at depth {depth}");
        }
    }
}

#[test]
fn the_score_is_that_of_plain_minimax() {
    let skirmish = Skirmish::new(4, 5, false).unwrap();
    equals_minimax(&skirmish, &positions(&skirmish, &skirmish.full().unwrap(), 30, 50));
    let rows = Rows::new(4, 3, 3);
    equals_minimax(&rows, &positions(&rows, &rows.begun("").unwrap(), 5, 25));
}

#[test]
fn a_seat_that_acts_several_times_in_a_row_is_not_taken_for_the_other() {
    let rules = Skirmish::new(4, 5, true).unwrap();
    equals_minimax(&rules, &positions(&rules, &rules.full().unwrap(), 30, 50));
}

#[test]
fn positions_that_are_about_to_repeat_or_to_run_out_of_time_are_judged_right() {
    let rules = Skirmish::new(3, 3, false).unwrap();
    let start = rules.begun("b.. ... ..r").unwrap();
    let states: Vec<_> = (0..2_000)
        .filter_map(|seed| wander(&rules, &start, seed, 24 + seed as u32 % 15))
        .collect();
    assert!(states.len() > 50, "{}", states.len());
    equals_minimax(&rules, &states);
}

#[test]
fn a_win_with_one_action_is_found() {
    let rules = Rows::new(3, 3, 3);
    let state = rules.begun("rr. bb. ...").unwrap();
    let choice = choose(&mut strongest(small(), 1), &rules, &state, &Budget::unlimited());
    assert_eq!(rules.notation(&state, &choice.action), "place c1");
    assert_eq!((choice.evaluation, choice.depth), (Some(Evaluation::WinsIn(1)), 1));
}

#[test]
fn a_win_with_three_actions_is_found_and_its_line_leads_there() {
    let rules = Rows::new(3, 3, 3);
    let state = rules.begun("r.. .b. b.r").unwrap();
    let choice = choose(&mut strongest(small(), 1), &rules, &state, &Budget::unlimited());
    assert_eq!(rules.notation(&state, &choice.action), "place c1");
    assert_eq!((choice.evaluation, choice.line.len()), (Some(Evaluation::WinsIn(3)), 3));
    assert_eq!(after(&rules, &state, &choice.line).outcome().unwrap().sole_winner(), Some(RED));
}

#[test]
fn a_loss_with_two_actions_is_avoided() {
    let rules = Rows::new(3, 3, 3);
    let state = rules.begun("bb. r.. ..r").unwrap();
    for depth in 2..5 {
        let choice = choose(&mut strongest(small(), 1), &rules, &state, &Budget::depth(depth));
        assert_eq!(rules.notation(&state, &choice.action), "place c1");
    }
}

#[test]
fn an_empty_small_board_is_known_to_be_a_draw() {
    let rules = Rows::new(3, 3, 3);
    let choice = choose(&mut strongest(plain(), 1), &rules, &rules.begun("").unwrap(), &Budget::unlimited());
    assert_eq!(
        (choice.evaluation, choice.depth),
        (Some(Evaluation::Points(0)), 9),
        "the search ends when there is nothing left to look at"
    );
}

#[test]
fn a_lost_match_is_drawn_out() {
    let rules = Rows::new(3, 3, 3);
    let state = rules.begun("b.b .r. b.r").unwrap();
    let choice = choose(&mut strongest(small(), 1), &rules, &state, &Budget::unlimited());
    assert_eq!(choice.evaluation, Some(Evaluation::LosesIn(2)));
}

#[test]
fn what_is_taken_back_at_once_is_seen_beyond_the_depth() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    // Red may take a stone from either side, and is taken in turn.
    let state = rules.begun("..... rb.br ..... ..... ....b").unwrap();
    let greedy = choose(&mut strongest(plain(), 1), &rules, &state, &Budget::depth(1));
    let wary = choose(&mut strongest(small(), 1), &rules, &state, &Budget::depth(1));
    assert_eq!(
        (greedy.evaluation, wary.evaluation),
        (Some(Evaluation::Points(0)), Some(Evaluation::Points(-1)))
    );
}

#[test]
fn the_same_seed_and_budget_give_the_same_choice() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    for budget in [Budget::nodes(5_000), Budget::depth(4)] {
        let choice = |seed| choose(&mut strongest(small(), seed), &rules, &state, &budget);
        let (one, two) = (choice(3), choice(3));
        assert_eq!(
            (one.line, one.evaluation, one.depth, one.nodes),
            (two.line, two.evaluation, two.depth, two.nodes)
        );
    }
    let low = |seed| AlphaBeta::with_settings(Level::LOWEST, small(), seed);
    let chosen: Vec<Action> = (0..20)
        .map(|seed| choose(&mut low(seed), &rules, &state, &Budget::unlimited()).action)
        .collect();
    assert!(chosen.iter().any(|action| *action != chosen[0]), "seeds make no difference");
    assert_eq!(choose(&mut low(5), &rules, &state, &Budget::unlimited()).action, chosen[5]);
}

#[test]
fn a_budget_in_nodes_is_kept_exactly() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    for nodes in [1, 10, 100, 1_000] {
        assert_eq!(
            choose(&mut strongest(small(), 1), &rules, &state, &Budget::nodes(nodes)).nodes,
            nodes
        );
    }
}

#[test]
fn without_any_budget_a_legal_action_is_chosen() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    let stopped = Budget::unlimited();
    stopped.interrupt.stop();
    for budget in [Budget::time(Duration::ZERO), Budget::nodes(0), Budget::depth(0), stopped] {
        let choice = choose(&mut strongest(small(), 1), &rules, &state, &budget);
        flow::check(&rules, &state, &choice.action).unwrap();
        assert_eq!((choice.depth, choice.nodes), (0, 0));
    }
}

#[test]
fn an_interrupt_stops_it_at_the_next_node() {
    stops_at_the_next_node(&mut strongest(SearchSettings::default(), 1));
}

#[test]
fn a_limit_of_time_ends_it() {
    let rules = Skirmish::new(8, 8, false).unwrap();
    let state = rules.full().unwrap();
    let begun = Instant::now();
    choose(&mut strongest(small(), 1), &rules, &state, &Budget::time(Duration::from_millis(60)));
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn progress_is_reported_depth_by_depth() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let state = rules.full().unwrap();
    let mut reports = Vec::new();
    let choice = choose_and_tell(&mut strongest(small(), 1), &rules, &state, &Budget::depth(5), &mut |news| {
        reports.push(news.clone());
    });
    assert_eq!(reports.iter().map(|news| news.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let last = reports.last().unwrap();
    assert_eq!((&last.line, last.evaluation), (&choice.line, choice.evaluation));
    assert!(last.line.len() >= 5);
    after(&rules, &state, &last.line);
}

#[test]
fn luck_and_secrets_are_declined_in_words() {
    let rules = Race::default();
    let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(1)));
    flow::begin(&rules, &mut transaction).unwrap();
    let error = strongest(small(), 1)
        .choose(
            Decision {
                rules: &rules,
                state: transaction.state(),
                seat: RED,
                budget: &Budget::depth(1),
            },
            &mut |_| {},
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "search:9 cannot play here: it has to see everything, and these rules may hide something"
    );
}

#[test]
fn higher_levels_beat_lower_ones() {
    let rules = Skirmish::new(5, 5, false).unwrap();
    let mut points = 0;
    for seed in 0..10 {
        let strong = RED.index() ^ (seed as usize % 2);
        let mut players = [Level::LOWEST, Level::LOWEST].map(|level| AlphaBeta::with_settings(level, small(), seed));
        players[strong] = AlphaBeta::with_settings(Level::new(6).unwrap(), small(), seed);
        let mut state = rules.full().unwrap();
        while let Some(seat) = state.acting().first() {
            let choice = choose(&mut players[seat.index()], &rules, &state, &Budget::nodes(1_000));
            state = after(&rules, &state, &[choice.action]);
        }
        points += match state.outcome().unwrap().sole_winner() {
            Some(winner) if winner.index() == strong => 1,
            Some(_) => -1,
            None => 0,
        };
    }
    assert!(points >= 6, "{points} of 10");
}
