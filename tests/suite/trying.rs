//! What players and authors may be told of a match before they decide: the odds of what an action begins, and the values of cells for a
//! strategy.

use std::sync::Arc;
use std::time::Duration;

use crate::common::Bundled;
use boardwright::content::read_settings;
use boardwright::host::Match;
use boardwright::model::Rejection;
use boardwright::model::{ActionId, CellId, Pick, SeatId, State, Value};
use boardwright::model::{ManualEdit, Policy};
use boardwright::rules::odds::{ContestQuery, Effort, Method, Rounds, odds, odds_within};
use boardwright::rules::{Consultation, Rules, RulesSource, Settings};
use boardwright::ruleset::Layer;
use boardwright::script::{Limits, ScriptSource};

/// A war in which red may attack, with twelve armies in Alaska.
fn war(bundled: &Bundled) -> Match {
    let source: Arc<dyn RulesSource> = bundled.source.clone();
    let mut playing = Match::begin(source, bundled.setup(), 5, Policy::default()).unwrap();
    for text in ["turn red", "set red.reserve = 0", "phase attack", "set Alaska.armies = 12"] {
        let command = ManualEdit::read(text, playing.state()).unwrap();
        playing.apply_edit(text, &command).unwrap();
    }
    playing
}

fn action(state: &State, name: &str) -> ActionId {
    state.declarations().find_action(name).unwrap()
}

fn cell(state: &State, name: &str) -> CellId {
    state.board().find_cell(name).unwrap()
}

fn picks(state: &State, names: &[&str]) -> Vec<Pick> {
    names.iter().map(|name| Pick::Cell(cell(state, name))).collect()
}

#[test]
fn an_attack_tells_its_battle_as_soon_as_it_is_known_on_which_area() {
    let bundled = Bundled::read("conquest", "war");
    let playing = war(&bundled);
    let (rules, state) = (playing.rules(), playing.state());
    let begun = |name: &str, names: &[&str]| {
        rules
            .contests()
            .unwrap()
            .contest_of(state, SeatId(0), action(state, name), &picks(state, names))
            .unwrap()
    };
    assert_eq!(begun("attack", &[]), None);
    assert_eq!(begun("attack", &["Alaska"]), None);
    let defenders = state.piece_at(cell(state, "Kamchatka")).unwrap().values[0].clone();
    let sides = vec![Value::Integer(11), defenders];
    assert_eq!(begun("attack", &["Alaska", "Kamchatka"]), Some((0, sides)));
    assert_eq!(begun("fortify", &["Alaska"]), None);
}

#[test]
fn a_mod_that_changes_the_sides_of_the_dice_changes_the_odds_of_the_attack() {
    let sources = crate::common::sources("conquest");
    let coins = Layer::new("rulesets/coins").with("coins.rhai", "const SIDES = 2;\n");
    let chance = |sources| {
        let bundled = Bundled::with("conquest", "war", sources);
        let playing = war(&bundled);
        let (rules, state) = (playing.rules(), playing.state());
        let picked = picks(state, &["Alaska", "Kamchatka"]);
        let (contest, sides) = rules
            .contests()
            .unwrap()
            .contest_of(state, SeatId(0), action(state, "attack"), &picked)
            .unwrap()
            .unwrap();
        let query = ContestQuery {
            contest,
            sides: &sides,
            rounds: None,
        };
        odds(rules.contests().unwrap(), state, &query, 1).unwrap().results[0].value
    };
    let (dice, coins) = (chance(sources.clone()), chance(sources.with_layer(coins)));
    assert!(dice > coins + 0.1, "{dice} {coins}");
}

#[test]
fn what_a_contest_hook_gives_back_is_checked() {
    for (body, told) in [
        ("#{ duel: #{} }", "there is none called duel"),
        ("#{ battle: #{ riders: 3 } }", "it has none called riders"),
        ("#{ battle: #{ attackers: \"many\" } }", "attackers: "),
        ("#{ battle: #{ attackers: -3 } }", "-3 is outside 0 to 1000"),
        ("7", "() or a map such as"),
    ] {
        let layer = Layer::new("rulesets/wrong").with("wrong.rhai", format!("fn contest_attack(view, picked) {{ {body} }}\n"));
        let bundled = Bundled::with("conquest", "war", crate::common::sources("conquest").with_layer(layer));
        let playing = war(&bundled);
        let state = playing.state();
        let answer = playing
            .rules()
            .contests()
            .unwrap()
            .contest_of(state, SeatId(0), action(state, "attack"), &[]);
        let Err(Rejection::Fault(fault)) = answer else {
            panic!("{body}: {answer:?}")
        };
        assert!(fault.message.contains(told), "{body}: {fault}");
        assert!(fault.file().ends_with("wrong.rhai"), "{fault}");
    }
    // What is not said stands as it usually does.
    let layer = Layer::new("rulesets/short").with("short.rhai", "fn contest_attack(view, picked) { #{ battle: #{ attackers: 9 } } }\n");
    let bundled = Bundled::with("conquest", "war", crate::common::sources("conquest").with_layer(layer));
    let playing = war(&bundled);
    let begun = playing
        .rules()
        .contests()
        .unwrap()
        .contest_of(playing.state(), SeatId(0), action(playing.state(), "attack"), &[]);
    assert_eq!(begun.unwrap(), Some((0, vec![Value::Integer(9), Value::Integer(2)])));
}

#[test]
fn odds_that_somebody_waits_for_are_sampled_where_they_are_too_large_and_say_how_often() {
    let bundled = Bundled::read("conquest", "war");
    let (rules, state) = bundled.begin(1);
    let sides = [Value::Integer(95), Value::Integer(95)];
    let query = ContestQuery {
        contest: 0,
        sides: &sides,
        rounds: None,
    };
    let exact = odds(rules.contests().unwrap(), &state, &query, 1).unwrap();
    assert_eq!(exact.method, Method::Exact);
    let mut asked = Vec::new();
    let mut effort = Effort {
        counts: &mut || false,
        rounds: &mut || false,
        samples: &mut |fought| {
            asked.push(fought);
            fought < 300
        },
    };
    let sampled = odds_within(&mut Rounds::default(), rules.contests().unwrap(), &state, &query, 1, &mut effort).unwrap();
    assert_eq!(sampled.method, Method::Sampled(300));
    assert_eq!((asked.first(), asked.last()), (Some(&1), Some(&300)));
    let (found, truth) = (&sampled.results[0], exact.results[0].value);
    assert!(found.exact.is_none() && (0.03..0.07).contains(&found.error), "{found:?}");
    assert!((found.value - truth).abs() < 2.0 * found.error, "{found:?} {truth}");
}

/// A war with strategies that have their parameters.
fn war_of_strategies() -> (Box<dyn Rules>, Arc<State>) {
    let bundled = Bundled::read("conquest", "war");
    let (_, state) = bundled.begin(1);
    let settings = read_settings(&crate::common::sources("conquest")).unwrap();
    let source = ScriptSource::new(Arc::clone(bundled.source.sources()), Limits::default()).unwrap();
    let rules = source
        .with_settings(settings)
        .rules(&bundled.board, state.declarations(), state.options());
    (rules.unwrap(), state)
}

fn values_of(rules: &dyn Rules, state: &Arc<State>, strategy: &str, seat: u8) -> Vec<Option<i64>> {
    let asked = Consultation {
        strategy,
        settings: &Settings::default(),
        state,
        seat: SeatId(seat),
        seed: 1,
        operations: 5_000_000,
        wall: Duration::from_secs(20),
        is_watched: false,
        debugger: None,
    };
    rules
        .strategies()
        .unwrap()
        .evaluate_cells(&asked)
        .unwrap_or_else(|rejection| panic!("{rejection}"))
}

#[test]
fn a_strategy_gives_each_area_a_value_for_a_seat() {
    let (rules, state) = war_of_strategies();
    let own = state.owned_by(SeatId(0)).unwrap();
    let cells = values_of(&*rules, &state, "standard", 0);
    assert_eq!(cells.iter().flatten().count(), state.board().cell_count());
    assert!(cells.iter().flatten().all(|value| *value >= 80), "{cells:?}");
    // Red holds all of South America: the region adds to the value of each of its areas.
    let brazil = cells[cell(&state, "Brazil").index()].unwrap();
    let japan = cells[cell(&state, "Japan").index()].unwrap();
    assert!(own.contains(cell(&state, "Brazil")) && brazil >= japan + 200, "{brazil} {japan}");
    assert_ne!(cells, values_of(&*rules, &state, "standard", 1));
}

#[test]
fn a_strategy_without_a_word_for_cells_is_asked_what_it_would_think_without_what_stands_there() {
    let (rules, state) = war_of_strategies();
    let cells = values_of(&*rules, &state, "marshal", 0);
    let own = state.owned_by(SeatId(0)).unwrap();
    let of = |name: &str| cells[cell(&state, name).index()].unwrap();
    // To lose what one has is worse than nothing; that an enemy loses something is no loss.
    assert!(own.iter().all(|cell| cells[cell.index()].unwrap() > 0), "{cells:?}");
    assert!(of("Brazil") > of("Japan") && of("Japan") <= 0, "{} {}", of("Brazil"), of("Japan"));
}

#[test]
fn cells_named_several_times_add_up_and_what_is_no_pair_is_told_with_its_place() {
    let tried = |body: &str| {
        let strategy = format!("fn evaluate(view, agent) {{ 0 }}\nfn evaluate_cells(view, agent) {{ {body} }}\n");
        let layer = Layer::new("rulesets/tried").with("strategies/tried.rhai", strategy);
        let bundled = Bundled::with("conquest", "war", crate::common::sources("conquest").with_layer(layer));
        let (rules, state) = bundled.begin(1);
        let asked = Consultation {
            strategy: "tried",
            settings: &Settings::default(),
            state: &state,
            seat: SeatId(0),
            seed: 1,
            operations: 100_000,
            wall: Duration::from_secs(5),
            is_watched: false,
            debugger: None,
        };
        let found = rules.strategies().unwrap().evaluate_cells(&asked);
        found.map(|cells| (cells[cell(&state, "Alaska").index()], cells[cell(&state, "Japan").index()]))
    };
    let found = tried("[[view.region(\"north_america\"), 5], [view.cell(\"Alaska\"), -2]]").unwrap();
    assert_eq!(found, (Some(3), None));
    for wrong in ["7", "[view.cell(\"Alaska\")]", "[[view.cell(\"Alaska\"), \"much\"]]"] {
        let Err(Rejection::Fault(fault)) = tried(wrong) else {
            panic!("{wrong}")
        };
        assert!(
            fault.message.contains("a list of pairs") && fault.file().ends_with("tried.rhai"),
            "{fault}"
        );
    }
}
