//! A dice game in a script between two seats, as every kind of computer player plays it: luck that is drawn inside an action reaches
//! players that have to see it coming.

use std::sync::Arc;

use boardwright::model::diagnostic::Code;
use boardwright::model::{Board, Map, Scope, SeatId, Setup, State, Target, Topology, Value};
use boardwright::players::{Budget, Choice, Decision, PlayerSpec};
use boardwright::rules::perft::{self, PerftLuck};
use boardwright::rules::{Generator, Luck, Rules, RulesSource, Transaction, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// A race to twenty points. A bold turn brings six with a good roll and none with a bad one, a safe turn brings one, an idle one takes one.
const RULES: &str = r#"
    const GOAL = 20;

    fn ruleset() {
        #{
            seats: [#{ name: "red" }, #{ name: "blue" }],
            kinds: [#{ name: "pawn" }],
            properties: [#{ of: "seat", name: "points", integer: 0, min: -100, max: 100 }],
            actions: [
                #{ name: "bold", rule: "1", ends_turn: true },
                #{ name: "safe", rule: "2", ends_turn: true },
                #{ name: "idle", rule: "3", ends_turn: true },
            ],
        }
    }

    /// 1 A good roll brings six points.
    fn do_bold(turn, picked) { if turn.roll("DICE", "bold turn") >= GOOD { turn.seat.points += 6; } }

    /// 2 One point for sure.
    fn do_safe(turn, picked) { turn.seat.points += 1; }

    /// 3 A point is lost, whatever is rolled.
    fn do_idle(turn, picked) { turn.roll("DICE", "idle turn"); turn.seat.points -= 1; }

    /// 4 Who has twenty points wins.
    fn outcome(view) {
        for seat in view.seats {
            if seat.points >= GOAL { return win(seat, "4", "twenty points"); }
        }
    }

    /// 5 The lead.
    fn value(view) { view.seat.points - view.seat.next.points }
"#;

/// Dice, and the least sum that is good: half of the rolls are. The results of the first are few enough to try each of them; those of the
/// second are far too many, and players have to sample them.
const DICE: [(&str, u32); 2] = [("1d6", 4), ("15d9", 75)];

/// Every computer player that needs nothing from the ruleset.
const PLAYERS: [&str; 7] = ["random", "greedy", "search:9", "maxn:9", "paranoid:9", "expectimax:9", "mcts:9"];

/// A race with a die before each turn: a runner goes as many fields as were rolled, and with a six another sets out.
const RACE: &str = r#"
    fn ruleset() {
        #{
            seats: [#{ name: "red" }, #{ name: "blue" }],
            kinds: [#{ name: "pawn" }],
            properties: [
                #{ of: "seat", name: "first", integer: 0, min: 0, max: 99 },
                #{ of: "seat", name: "second", integer: 0, min: 0, max: 99 },
                #{ of: "match", name: "rolled", integer: 0, min: 0, max: 12 },
            ],
            actions: [
                #{ name: "run", rule: "1", ends_turn: true },
                #{ name: "start_second", rule: "2", ends_turn: true },
                #{ name: "run_second", rule: "3", ends_turn: true },
            ],
        }
    }
    fn enter_play(turn) { turn.rolled = turn.roll("2d3", "the turn"); }
    fn do_run(turn, picked) { turn.seat.first += turn.rolled; }
    fn may_start_second(view) { view.rolled == 6 && view.seat.second == 0 }
    fn do_start_second(turn, picked) { turn.seat.second = 1; }
    fn may_run_second(view) { view.seat.second > 0 }
    fn do_run_second(turn, picked) { turn.seat.second += turn.rolled; }
    fn outcome(view) { for seat in view.seats { if seat.first >= 9 { return win(seat, "4", "far enough"); } } }
"#;

/// The same race, counted without the engine.
fn race(seats: [(u32, u32); 2], rolled: u32, depth: u32) -> u64 {
    let [(first, second), other] = seats;
    let mut ways = vec![(first + rolled, second)];
    if rolled == 6 && second == 0 {
        ways.push((first, 1));
    }
    if second > 0 {
        ways.push((first, second + rolled));
    }
    if depth == 1 {
        return ways.len() as u64;
    }
    let goes_on = ways.into_iter().filter(|(first, _)| *first < 9);
    goes_on
        .map(|moved| (2..=6).map(|next| race([other, moved], next, depth - 1)).sum::<u64>())
        .sum()
}

#[test]
fn perft_counts_each_result_of_the_dice_once() {
    let (rules, start) = begun_with(RACE);
    let rolled = match start.value(Target::Match, start.declarations().find_property(Scope::Match, "rolled").unwrap()) {
        Some(Value::Integer(rolled)) => *rolled as u32,
        other => panic!("{other:?}"),
    };
    for depth in 1..=5 {
        let found = perft::perft(&*rules, Arc::clone(&start), depth).unwrap();
        assert_eq!(found, race([(0, 0), (0, 0)], rolled, depth), "depth {depth}");
    }
    let luck = PerftLuck::Seed(Generator::new(7));
    let one = perft::perft_with(&*rules, Arc::clone(&start), 4, &luck).unwrap();
    assert!(one >= 1 && one < perft::perft(&*rules, Arc::clone(&start), 4).unwrap());
    assert_eq!(one, perft::perft_with(&*rules, Arc::clone(&start), 4, &luck).unwrap());
    let divided = perft::divide(&*rules, &start, 4, &PerftLuck::Each).unwrap();
    assert_eq!(
        divided.iter().map(|(_, count)| count).sum::<u64>(),
        race([(0, 0), (0, 0)], rolled, 4)
    );
}

#[test]
fn perft_says_where_luck_has_too_many_results() {
    let (rules, start) = begun_with(
        &RACE
            .replace("2d3", "30d6")
            .replace("max: 12", "max: 999")
            .replace("max: 99 ", "max: 999 ")
            .replace(">= 9 ", ">= 999 "),
    );
    let told = perft::perft(&*rules, start, 2).unwrap_err().fault().unwrap().clone();
    assert_eq!(told.code, Code::TooManyResults);
    assert_eq!(told.message, "run: luck has too many results to count each of them");
}

fn begun((dice, good): (&str, u32), red: i64, blue: i64) -> (Box<dyn Rules>, Arc<State>) {
    begun_by(&RULES.replace("DICE", dice).replace("GOOD", &good.to_string()), red, blue)
}

fn begun_by(text: &str, red: i64, blue: i64) -> (Box<dyn Rules>, Arc<State>) {
    let points = format!("fn start(turn) {{ turn.seats[0].points = {red}; turn.seats[1].points = {blue}; }}");
    begun_with(&format!("{text}{points}"))
}

fn begun_with(text: &str) -> (Box<dyn Rules>, Arc<State>) {
    begun_by_luck(text, Luck::Roll(Generator::new(1)))
}

fn begun_by_luck(text: &str, luck: Luck) -> (Box<dyn Rules>, Arc<State>) {
    let sources = Sources::of(Layer::new("dice").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let topology = Topology::Square {
        width: 1,
        height: 1,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("table", "The table", topology)).unwrap());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), luck);
    flow::begin(&*rules, &mut transaction).unwrap();
    transaction.forget();
    (rules, transaction.into_parts().0)
}

fn choose(player: &str, rules: &dyn Rules, state: &Arc<State>, seed: u64) -> Choice {
    let mut built = player.parse::<PlayerSpec>().unwrap().build(seed).unwrap();
    let budget = match player {
        "mcts:9" => Budget::simulations(600),
        _ => Budget::nodes(3_000),
    };
    let choice = built.choose(
        Decision {
            rules,
            state,
            seat: state.acting().first().unwrap(),
            budget: &budget,
        },
        &mut |_| {},
    );
    choice.unwrap_or_else(|error| panic!("{player}: {error}"))
}

#[test]
fn every_player_plays_a_scripted_dice_game_without_another_in_its_place() {
    for dice in DICE {
        for player in PLAYERS {
            let (rules, state) = begun(dice, 0, 0);
            let mut transaction = Transaction::new(state, Luck::Roll(Generator::new(5)));
            for _ in 0..6 {
                let choice = choose(player, &*rules, transaction.state(), 1);
                assert_eq!(choice.instead_of, None, "{player}, {dice:?}");
                flow::perform(&*rules, &mut transaction, &choice.action).unwrap();
                if transaction.state().outcome().is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn players_that_judge_take_the_risk_that_pays() {
    for dice in DICE {
        let (rules, state) = begun(dice, 2, 2);
        for player in PLAYERS.iter().filter(|player| **player != "random") {
            let choice = choose(player, &*rules, &state, 1);
            assert_eq!(rules.notation(&state, &choice.action), "bold", "{player}, {dice:?}");
        }
    }
}

#[test]
fn players_that_judge_take_the_win_that_is_sure() {
    for dice in DICE {
        let (rules, state) = begun(dice, 19, 14);
        for player in PLAYERS.iter().filter(|player| **player != "random") {
            let choice = choose(player, &*rules, &state, 1);
            assert_eq!(rules.notation(&state, &choice.action), "safe", "{player}, {dice:?}");
        }
    }
}

#[test]
fn players_that_look_ahead_risk_all_when_the_other_is_about_to_win() {
    for dice in DICE {
        let (rules, state) = begun(dice, 14, 19);
        for player in ["search:9", "maxn:9", "paranoid:9", "expectimax:9", "mcts:9"] {
            assert_eq!(state.acting().first(), Some(SeatId(0)));
            let choice = choose(player, &*rules, &state, 1);
            assert_eq!(rules.notation(&state, &choice.action), "bold", "{player}, {dice:?}");
        }
    }
}

/// What a bold turn does in the rules above.
const BOLD: &str = r#"if turn.roll("DICE", "bold turn") >= GOOD { turn.seat.points += 6; }"#;

#[test]
fn too_many_results_behind_one_of_few_are_sampled_as_well() {
    let twice = r#"if turn.roll("1d2", "coin") == 2 && turn.roll("15d9", "bold turn") >= 75 { turn.seat.points += 12; }"#;
    assert!(RULES.contains(BOLD));
    let text = RULES.replace(BOLD, twice).replace("DICE", "1d6");
    let (rules, state) = begun_by(&text, 2, 2);
    for player in ["search:9", "maxn:9", "paranoid:9", "expectimax:9"] {
        let choice = choose(player, &*rules, &state, 1);
        assert_eq!(choice.instead_of, None, "{player}");
        assert_eq!(rules.notation(&state, &choice.action), "bold", "{player}");
    }
}

#[test]
fn a_draw_that_failed_is_a_fault_whatever_the_script_makes_of_it() {
    let swallowed = r#"let sum = 6; try { sum = turn.roll("1d6", "bold turn"); } catch { } if sum == 6 { turn.seat.points += 6; }"#;
    let refused = r#"try { turn.roll("1d6", "bold turn"); } catch { refuse("1", "no luck"); }"#;
    let thrown = r#"try { turn.roll("1d6", "bold turn"); } catch { throw "no luck"; }"#;
    assert!(RULES.contains(BOLD));
    for bold in [swallowed, refused, thrown] {
        let text = RULES.replace(BOLD, bold).replace("DICE", "1d6");
        let (rules, state) = begun_by(&text, 0, 0);
        let actions = flow::legal(&*rules, &state, SeatId(0)).unwrap();
        let action = actions.iter().find(|action| rules.notation(&state, action) == "bold").unwrap();
        for (luck, code) in [
            (Luck::Forbidden, Code::LuckForbidden),
            (Luck::Replay([vec![7]].into()), Code::LuckRecord),
            (Luck::Replay([].into()), Code::LuckRecord),
        ] {
            let mut transaction = Transaction::new(Arc::clone(&state), luck);
            let fault = flow::perform(&*rules, &mut transaction, action).unwrap_err().fault().cloned();
            assert_eq!(fault.map(|fault| (fault.code, fault.line() > 0)), Some((code, true)), "{bold}");
            assert_eq!(**transaction.state(), *state, "{bold}");
        }
        let choice = choose("search:9", &*rules, &state, 1);
        assert_eq!(choice.instead_of, None, "{bold}");
    }
}

/// Who throws no six cannot act, and is passed over.
const SIXES: &str = r#"
    fn ruleset() {
        #{
            seats: [#{ name: "red" }, #{ name: "blue" }],
            kinds: [#{ name: "pawn" }],
            properties: [#{ of: "match", name: "die", integer: 0, min: 0, max: 6 }],
            phases: [#{ name: "throw", automatic: true }, #{ name: "play" }],
            actions: [#{ name: "run", rule: "2", ends_turn: true }],
            idle: "passes",
            endings: [#{ when: "nobody_can_act", then: "draw", rule: "3", reason: "nobody throws a six" }],
        }
    }

    /// 1 The throw.
    fn enter_throw(turn) { THROW }

    /// 2 Only with a six.
    fn may_run(view) { view.die == 6 }
    fn do_run(turn, picked) { }
"#;

/// What follows the first action of [`SIXES`]: the turn that the match has come to, and whether it is over.
fn after_the_first_six(throw: &str, throws: impl IntoIterator<Item = u32>) -> (u32, bool) {
    let text = SIXES.replace("THROW", throw);
    let (rules, state) = begun_by_luck(&text, Luck::Replay([vec![6]].into()));
    let run = flow::legal(&*rules, &state, SeatId(0)).unwrap().remove(0);
    let luck = Luck::Replay(throws.into_iter().map(|throw| vec![throw]).collect());
    let mut transaction = Transaction::new(state, luck);
    flow::perform(&*rules, &mut transaction, &run).unwrap();
    let state = transaction.state();
    (state.sequence().mark.turn, state.outcome().is_some())
}

#[test]
fn seats_whose_throws_help_nobody_are_passed_over_until_one_does() {
    let each = r#"turn.die = turn.roll("1d6", "the turn");"#;
    assert_eq!(after_the_first_six(each, [1, 2, 3, 4, 5, 6]), (7, false));
    // Where only the first turn has a throw no other will ever help.
    let once = r#"turn.die = if turn.die == 0 { turn.roll("1d6", "the match") } else { 1 };"#;
    assert_eq!(after_the_first_six(once, []), (3, true));
    // Where no throw ever helps the match ends too.
    assert_eq!(after_the_first_six(each, std::iter::repeat_n(1, 500)), (501, true));
}
