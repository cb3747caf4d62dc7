//! Odds from the rules themselves agree with what can be worked out without them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{Bundled, sources};
use boardwright::model::{Board, Map, Setup, State, Topology, Value};
use boardwright::rules::odds::{Book, ContestQuery, Effort, Method, Odds, Rounds, odds, odds_within};
use boardwright::rules::{Rules, RulesSource};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// The losses of attacker and defender in one roll, with how many of all results bring them: every face of every die in turn.
fn one_roll(attackers: usize, defenders: usize, sides: u32) -> BTreeMap<(i64, i64), u64> {
    let dice = attackers + defenders;
    let mut counts = BTreeMap::new();
    for mut number in 0..u64::from(sides).pow(dice as u32) {
        let mut faces = Vec::new();
        for _ in 0..dice {
            faces.push(number % u64::from(sides));
            number /= u64::from(sides);
        }
        let (attack, defence) = faces.split_at_mut(attackers);
        attack.sort_unstable_by(|a, b| b.cmp(a));
        defence.sort_unstable_by(|a, b| b.cmp(a));
        let won = attack
            .iter()
            .zip(defence.iter())
            .filter(|(attack, defence)| attack > defence)
            .count() as i64;
        let pairs = attackers.min(defenders) as i64;
        *counts.entry((pairs - won, won)).or_insert(0) += 1;
    }
    counts
}

/// The chance to win each battle up to a size, and the armies that are then left on average: by the plain recursion.
struct Independent {
    won: Vec<Vec<f64>>,
    left: Vec<Vec<f64>>,
}

impl Independent {
    fn new(most: usize, sides: u32) -> Self {
        let rolls: Vec<Vec<BTreeMap<(i64, i64), u64>>> = (0..=3)
            .map(|attackers| (0..=2).map(|defenders| one_roll(attackers, defenders, sides)).collect())
            .collect();
        let mut table = Self {
            won: vec![vec![0.0; most + 1]; most + 1],
            left: vec![vec![0.0; most + 1]; most + 1],
        };
        for a in 0..=most {
            for d in 0..=most {
                if d == 0 {
                    (table.won[a][d], table.left[a][d]) = (1.0, a as f64);
                } else if a > 0 {
                    let roll = &rolls[a.min(3)][d.min(2)];
                    let all: u64 = roll.values().sum();
                    for ((own, other), count) in roll {
                        let share = *count as f64 / all as f64;
                        let (a, d) = (a - *own as usize, d - *other as usize);
                        let (won, left) = (table.won[a][d], table.left[a][d]);
                        let at = (a + *own as usize, d + *other as usize);
                        table.won[at.0][at.1] += share * won;
                        table.left[at.0][at.1] += share * left;
                    }
                }
            }
        }
        table
    }
}

fn conquest() -> (Box<dyn Rules>, Arc<State>) {
    let bundled = Bundled::read("conquest", "standard");
    (bundled.rules(), Arc::new(bundled.setup()))
}

fn battle(attackers: i64, defenders: i64) -> [Value; 2] {
    [Value::Integer(attackers), Value::Integer(defenders)]
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-12, "{what}: {found} found, {expected} expected");
}

#[test]
fn all_battles_up_to_thirty_against_thirty_agree_with_the_plain_recursion() {
    let (rules, state) = conquest();
    let independent = Independent::new(30, 6);
    let (mut rounds, mut book) = (Rounds::default(), Book::new(0));
    for attackers in 1..=30 {
        for defenders in 1..=30 {
            let sides = battle(attackers, defenders);
            let what = format!("{attackers} against {defenders}");
            let (a, d) = (attackers as usize, defenders as usize);
            let query = ContestQuery {
                contest: 0,
                sides: &sides,
                rounds: None,
            };
            let mut effort = Effort {
                counts: &mut || true,
                rounds: &mut || true,
                samples: &mut |_| true,
            };
            let found = odds_within(&mut rounds, rules.contests().unwrap(), &state, &query, 1, &mut effort).unwrap();
            assert_eq!(found.method, Method::Exact);
            close(found.results[0].value, independent.won[a][d], &what);
            close(found.results[1].value, 1.0 - independent.won[a][d], &what);
            let whole: f64 = found.ends.iter().map(|end| end.chance.value).sum();
            close(whole, 1.0, &what);
            let left = independent.left[a][d] / independent.won[a][d];
            assert!((found.mean(0, Some(0)).unwrap() - left).abs() < 1e-10, "{what}: {left} left");
            let expected = book.expect(rules.contests().unwrap(), &state, &sides).unwrap();
            close(expected.chances[0], independent.won[a][d], &what);
            assert!((expected.mean(0, 0).unwrap() - left).abs() < 1e-10, "{what}");
        }
    }
    assert_eq!(rounds.len(), 6, "one to three dice against one or two");
}

#[test]
fn odds_in_decimals_are_those_in_fractions() {
    let (rules, state) = conquest();
    let (contests, sides) = (rules.contests().unwrap(), battle(95, 95));
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: None,
    };
    let mut known = Rounds::default();
    let mut found = |goes_on_counting: bool| {
        let mut effort = Effort {
            counts: &mut || goes_on_counting,
            rounds: &mut || true,
            samples: &mut |_| true,
        };
        odds_within(&mut known, contests, &state, &query, 1, &mut effort).unwrap()
    };
    let (exact, rounded) = (found(true), found(false));
    assert_eq!((exact.method, rounded.method), (Method::Exact, Method::Rounded));
    for (rounded, exact) in rounded.results.iter().zip(&exact.results) {
        assert!(
            (rounded.value - exact.value).abs() <= rounded.error + 1e-12,
            "{rounded:?} {exact:?}"
        );
        assert!(rounded.exact.is_none() && rounded.error < 1e-6, "{rounded:?}");
    }
    let (rounded, exact) = (rounded.mean(0, None).unwrap(), exact.mean(0, None).unwrap());
    assert!((rounded - exact).abs() < 1e-4, "{rounded} {exact}");
}

#[test]
fn one_roll_has_the_known_fractions() {
    let (rules, state) = conquest();
    let sides = battle(3, 2);
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: Some(1),
    };
    let found = odds(rules.contests().unwrap(), &state, &query, 1).unwrap();
    let ends: Vec<(Vec<Value>, String)> = found
        .ends
        .iter()
        .map(|end| (end.sides.clone(), end.chance.exact.as_ref().unwrap().to_string()))
        .collect();
    let end = |a, d, fraction: &str| (battle(a, d).to_vec(), fraction.to_owned());
    assert_eq!(ends, [end(1, 2, "2275/7776"), end(2, 1, "2611/7776"), end(3, 0, "1445/3888")]);
    let none = ContestQuery { rounds: Some(0), ..query };
    assert_eq!(odds(rules.contests().unwrap(), &state, &none, 1).unwrap().ends.len(), 1);
}

/// The table of the document that conquest was made from was sampled; ours lies within its error.
#[test]
fn the_sampled_table_of_the_document_is_near() {
    let (rules, state) = conquest();
    let mut book = Book::new(0);
    let mut chance = |a, d| book.expect(rules.contests().unwrap(), &state, &battle(a, d)).unwrap().chances[0];
    for (a, d, sampled) in [
        (1, 1, 0.419),
        (2, 2, 0.363),
        (3, 2, 0.656),
        (4, 3, 0.644),
        (5, 5, 0.510),
        (7, 9, 0.355),
        (9, 4, 0.930),
        (10, 10, 0.565),
    ] {
        let found = chance(a, d);
        assert!(
            (found - sampled).abs() < 0.012,
            "{a} against {d}: {found}, in the document {sampled}"
        );
    }
    let large = chance(100, 100);
    assert!(
        (0.80..0.86).contains(&large),
        "near 85 % for a hundred each, as the document says: {large}"
    );
}

#[test]
fn a_mod_that_changes_the_dice_changes_the_odds() {
    let larger = sources("conquest").with_layer(Layer::new("eights").with("dice.rhai", "const SIDES = 8;\n"));
    let bundled = Bundled::with("conquest", "standard", larger);
    let (rules, state) = (bundled.rules(), Arc::new(bundled.setup()));
    let (eights, sixes) = (Independent::new(5, 8), Independent::new(5, 6));
    let found = Book::new(0).expect(rules.contests().unwrap(), &state, &battle(5, 4)).unwrap();
    close(found.chances[0], eights.won[5][4], "with dice of eight");
    assert!((eights.won[5][4] - sixes.won[5][4]).abs() > 0.02);
}

const CONTEST: &str = r#"
/// 1 A match that is all contest.
fn ruleset() {
    #{
        seats: [#{ name: "red" }],
        actions: [#{ name: "pass" }],
        contests: [#{ name: "duel", results: ["won", "lost"], parameters: [
            #{ name: "strength", integer: 3 }, #{ name: "enemy", integer: 3 }, #{ name: "is_uphill", flag: false },
        ] }],
    }
}
fn do_pass(turn, picked) {}
fn result_duel(view, sides) { if sides.enemy <= 0 { "won" } else { "lost" } }
"#;

/// A ruleset with one contest, whose hooks are given.
fn contest(hooks: &str) -> (Box<dyn Rules>, Arc<State>) {
    contest_of(CONTEST, hooks)
}

fn contest_of(declared: &str, hooks: &str) -> (Box<dyn Rules>, Arc<State>) {
    let text = format!("{declared}{hooks}");
    let source = ScriptSource::new(
        Arc::new(Sources::of(Layer::new("duel").with("rules.rhai", text))),
        Limits::default(),
    );
    let source = source.unwrap_or_else(|problems| panic!("{}", problems.render()));
    let size = Topology::Square {
        width: 1,
        height: 1,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("m", "M", size)).unwrap());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    (
        source.rules(&board, state.declarations(), state.options()).unwrap(),
        Arc::new(state),
    )
}

fn duel(rules: &dyn Rules, state: &Arc<State>, strength: i64, enemy: i64, is_uphill: bool) -> Odds {
    let sides = [Value::Integer(strength), Value::Integer(enemy), Value::Flag(is_uphill)];
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: None,
    };
    odds(rules.contests().unwrap(), state, &query, 7).unwrap()
}

#[test]
fn rounds_that_change_nothing_are_waited_for() {
    // A six wounds the enemy, a one oneself; uphill only a one counts against two.
    let (rules, state) = contest(
        r#"
fn round_duel(view, sides) { if sides.strength > 0 && sides.enemy > 0 { #{ is_uphill: sides.is_uphill } } }
fn clash_duel(turn, round) {
    let face = turn.roll("1d6", "the duel");
    if face == 6 { #{ enemy: -1 } } else if face == 1 || (round.is_uphill && face == 2) { #{ strength: -1 } } else { #{} }
}"#,
    );
    let even = duel(&*rules, &state, 1, 1, false);
    assert_eq!(
        (even.method, even.results[0].exact.as_ref().unwrap().to_string()),
        (Method::Exact, "1/2".to_owned())
    );
    let uphill = duel(&*rules, &state, 1, 1, true);
    assert_eq!(uphill.results[0].exact.as_ref().unwrap().to_string(), "1/3");
    // The first to two of two, each round one in three: 1/9 + 2 * 2/27.
    assert_eq!(
        duel(&*rules, &state, 2, 2, true).results[0].exact.as_ref().unwrap().to_string(),
        "7/27"
    );
}

#[test]
fn what_can_come_back_is_worked_out_in_decimals() {
    // The ruin of the gambler: a chance of one half each way, until one has nothing.
    let (rules, state) = contest(
        r#"
fn round_duel(view, sides) { if sides.strength > 0 && sides.enemy > 0 { #{} } }
fn clash_duel(turn, round) { if turn.roll("1d2", "the duel") == 1 { #{ enemy: -1, strength: 1 } } else { #{ enemy: 1, strength: -1 } } }"#,
    );
    let found = duel(&*rules, &state, 1, 3, false);
    assert_eq!(found.method, Method::Rounded);
    let chance = &found.results[0];
    assert!(chance.exact.is_none() && (0.0..1e-8).contains(&chance.error), "{chance:?}");
    assert!((chance.value - 0.25).abs() <= chance.error + 1e-12, "{chance:?}");
}

#[test]
fn too_many_results_are_sampled() {
    let (rules, state) = contest(
        r#"
fn round_duel(view, sides) { if sides.strength > 0 && sides.enemy > 0 { #{} } }
fn clash_duel(turn, round) { if turn.roll("20d6", "the duel") > 70 { #{ enemy: -1 } } else { #{ strength: -1 } } }"#,
    );
    let found = duel(&*rules, &state, 1, 1, false);
    assert!(matches!(found.method, Method::Sampled(_)));
    // The sum of twenty dice lies above its mean as often as below it; it is 70 in about one of nineteen rolls.
    assert!((found.results[0].value - 0.474).abs() < 0.02, "{:?}", found.results[0]);
}

#[test]
fn a_contest_that_never_ends_is_a_fault() {
    let (rules, state) = contest(
        r#"
fn round_duel(view, sides) { #{} }
fn clash_duel(turn, round) { turn.roll("1d6", "the duel"); #{} }"#,
    );
    let sides = [Value::Integer(1), Value::Integer(1), Value::Flag(false)];
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: None,
    };
    let error = odds(rules.contests().unwrap(), &state, &query, 1).unwrap_err();
    assert!(error.to_string().contains("never ends"), "{error}");
}

/// Both sides may be as strong as they like, but no more than two fight at once.
const TWO_AT_ONCE: &str = r#"
fn round_duel(view, sides) {
    if sides.strength > 0 && sides.enemy > 0 { #{ dice: min(sides.strength, 2) } }
}
fn clash_duel(turn, round) {
    let won = turn.roll_each(`${round.dice}d6`, "the duel").count(|face| face > 3);
    #{ enemy: -won, strength: won - round.dice }
}
"#;

fn counted(up_to: &str) -> String {
    let whole = r#"#{ name: "strength", integer: 3 }"#;
    CONTEST.replace(whole, &whole.replace(" }", &format!(", counts_up_to: {up_to} }}")))
}

#[test]
fn what_counts_makes_no_difference_to_the_odds() {
    let (plain, state) = contest_of(CONTEST, TWO_AT_ONCE);
    let (with_limit, limited) = contest_of(&counted("2"), TWO_AT_ONCE);
    for (strength, enemy) in [(1, 1), (2, 5), (9, 4), (30, 30)] {
        let (expected, found) = (
            duel(&*plain, &state, strength, enemy, false),
            duel(&*with_limit, &limited, strength, enemy, false),
        );
        assert_eq!(expected, found, "{strength} against {enemy}");
    }
}

#[test]
fn what_counts_and_is_left_out_is_a_fault() {
    let (rules, state) = contest_of(&counted("1"), TWO_AT_ONCE);
    let sides = [Value::Integer(4), Value::Integer(2), Value::Flag(false)];
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: None,
    };
    let wrong = odds(rules.contests().unwrap(), &state, &query, 1).unwrap_err();
    assert!(
        wrong
            .to_string()
            .contains("the contest duel depends on more of a number than its `counts_up_to` says"),
        "{wrong}"
    );
}

/// As soon as its fractions would have too many digits it is worked out in decimals, and what fights at once is asked for a few times only.
#[test]
fn a_battle_of_hundreds_is_worked_out_in_decimals() {
    let (rules, state) = conquest();
    let sides = battle(250, 250);
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: None,
    };
    let mut rounds = Rounds::default();
    let mut effort = Effort {
        counts: &mut || false,
        rounds: &mut || true,
        samples: &mut |_| true,
    };
    let found = odds_within(&mut rounds, rules.contests().unwrap(), &state, &query, 1, &mut effort).unwrap();
    assert_eq!((found.method, rounds.len()), (Method::Rounded, 6));
    let independent = Independent::new(250, 6);
    let (chance, expected) = (&found.results[0], independent.won[250][250]);
    assert!((chance.value - expected).abs() <= chance.error + 1e-9, "{chance:?} {expected}");
    assert!(chance.error < 1e-6, "{chance:?}");
}
