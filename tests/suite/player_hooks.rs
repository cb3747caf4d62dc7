//! Guidance for computer players, as scripts write it.

use std::sync::Arc;

use boardwright::model::Rejection;
use boardwright::model::{Board, CellId, Map, Pick, SeatId, Setup, State, Topology, Visibility};
use boardwright::players::{Budget, Decision, Greedy, Level, MonteCarlo, MonteCarloSettings, Player, PlayerError, PlayerSpec};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Rules, RulesSource, Transaction, determinize, draw_action, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// Two sides put markers onto a board of four by four, and hold cards that the other does not see.
const RULES: &str = r#"
    fn ruleset() {
        #{
            seats: [#{ name: "light" }, #{ name: "dark" }],
            kinds: [#{ name: "marker" }, #{ name: "ace" }, #{ name: "two" }],
            zones: [#{ name: "hand", each: "seat", seen_by: "owner" }],
            actions: [#{ name: "put", rule: "2", ends_turn: true, picks: [#{ name: "place", pick: "cell" }] }],
            endings: [#{ when: "no_actions", then: "loses", rule: "3", reason: "there is no place left" }],
        }
    }

    /// 1 Each side holds an ace and a two.
    fn start(turn) {
        for seat in turn.seats {
            turn.create_in("hand", seat, "ace");
            turn.create_in("hand", seat, "two");
        }
    }

    /// 2 A marker goes onto an empty square.
    fn put_place(view) { view.empty }

    /// 2 A marker goes onto an empty square.
    fn do_put(turn, picked) { turn.create("marker", turn.seat, picked.place); }
"#;

/// Asks a hook of rules.
type Ask<'a> = &'a dyn Fn(&dyn Rules, &Arc<State>) -> Result<(), Rejection>;

/// Rules with more of them, and a match begun under these.
fn begun(more: &str) -> (Box<dyn Rules>, Arc<State>) {
    let sources = Sources::of(Layer::new("markers").with("rules.rhai", format!("{RULES}{more}")));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let topology = Topology::Square {
        width: 4,
        height: 4,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("field", "The field", topology)).unwrap());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), Luck::Forbidden);
    flow::begin(&*rules, &mut transaction).unwrap();
    transaction.forget();
    (rules, transaction.into_parts().0)
}

fn places(rules: &dyn Rules, state: &Arc<State>) -> Vec<CellId> {
    let actions = flow::candidates(rules, state, SeatId(0)).unwrap();
    let cell = |pick: &Pick| if let Pick::Cell(cell) = pick { *cell } else { panic!("{pick:?}") };
    actions.iter().map(|action| cell(&action.picks[0])).collect()
}

#[test]
fn players_search_the_candidates() {
    let (rules, state) = begun(r#"fn candidates_put(view) { ["b2", "c3"].map(|name| #{ place: view.cell(name) }) }"#);
    assert_eq!(places(&*rules, &state), [CellId(5), CellId(10)]);
    let choice = Greedy::new(1)
        .choose(
            Decision {
                rules: &*rules,
                state: &state,
                seat: SeatId(0),
                budget: &Budget::unlimited(),
            },
            &mut |_| {},
        )
        .unwrap();
    assert!(
        places(&*rules, &state)
            .iter()
            .any(|cell| choice.action.picks[0] == Pick::Cell(*cell))
    );
    assert_eq!(flow::legal(&*rules, &state, SeatId(0)).unwrap().len(), 16, "all of it stays legal");
}

#[test]
fn without_candidates_they_search_all_legal_actions() {
    let (rules, state) = begun("fn candidates_put(view) { [] }");
    assert_eq!(places(&*rules, &state).len(), 16);
}

#[test]
fn a_candidate_that_is_not_legal_is_a_fault_that_names_it() {
    let (rules, state) = begun(r#"fn candidates_put(view) { [#{ place: view.cell("b2") }] }"#);
    let mut transaction = Transaction::new(Arc::clone(&state), Luck::Forbidden);
    for action in &flow::legal(&*rules, &state, SeatId(0)).unwrap()[5..6] {
        flow::perform(&*rules, &mut transaction, action).unwrap();
    }
    let error = flow::candidates(&*rules, transaction.state(), SeatId(1)).unwrap_err();
    let Rejection::Fault(fault) = error else { panic!("{error}") };
    assert_eq!(fault.code.text(), "illegal-candidate");
    assert!(fault.message.contains("put b2"), "{fault}");
    let seat = SeatId(1);
    let told = Greedy::new(1).choose(
        Decision {
            rules: &*rules,
            state: transaction.state(),
            seat,
            budget: &Budget::unlimited(),
        },
        &mut |_| {},
    );
    assert!(matches!(told, Err(PlayerError::Rejected(_))));
}

#[test]
fn what_a_hook_gives_back_has_to_be_of_its_sort() {
    let fault = |more: &str, ask: Ask<'_>| {
        let (rules, state) = begun(more);
        let Err(Rejection::Fault(fault)) = ask(&*rules, &state) else {
            panic!("{more}: no fault")
        };
        (fault.code.to_string(), fault.hook.clone())
    };
    let action = boardwright::model::ActionId(0);
    let candidates =
        |rules: &dyn Rules, state: &Arc<State>| rules.guidance().candidates(state, SeatId(0), action, &mut Vec::new()).map(drop);
    let weights = |rules: &dyn Rules, state: &Arc<State>| rules.guidance().playout_weights(state, SeatId(0), action).map(drop);
    for (more, ask) in [
        ("fn candidates_put(view) { 3 }", &candidates as Ask<'_>),
        ("fn candidates_put(view) { [#{ square: 1 }] }", &candidates),
        ("fn playout_weights_put(view) { [[view.empty, -1]] }", &weights),
        ("fn playout_weights_put(view) { [view.empty] }", &weights),
    ] {
        assert_eq!(fault(more, ask).0, "return-type", "{more}");
    }
}

#[test]
fn playout_weights_make_some_places_likelier() {
    let (rules, state) = begun(r#"fn playout_weights_put(view) { [[[view.cell("a1")], 14]] }"#);
    let (mut generator, mut room) = (Generator::new(1), PlayoutBuffers::default());
    let mut corner = 0;
    for _ in 0..1_000 {
        let action = draw_action(&*rules, &state, &mut generator, &mut room).unwrap().unwrap();
        corner += i32::from(action.picks[0] == Pick::Cell(CellId(0)));
    }
    // A weight of 15 of 30: 500 of 1,000, with a standard deviation of 16.
    assert!((430..570).contains(&corner), "{corner}");
}

#[test]
fn a_prior_for_one_action_goes_before_the_common_one() {
    let (rules, state) = begun("fn prior(view, picked) { 7 } fn prior_put(view, picked) { -3 }");
    let action = &flow::legal(&*rules, &state, SeatId(0)).unwrap()[0];
    assert_eq!(rules.guidance().prior_of(&state, action).unwrap(), Some(-3));
    let (rules, state) = begun("fn prior(view, picked) { 3000 }");
    assert_eq!(rules.guidance().prior_of(&state, action).unwrap(), Some(2_000), "more says no more");
    let (rules, state) = begun("fn prior(view, picked) { 7 }");
    assert_eq!(rules.guidance().prior_of(&state, action).unwrap(), Some(7));
}

#[test]
fn what_is_hidden_is_determinized_by_the_script_and_by_nobody_else() {
    let view = |state: &Arc<State>| state.project(&Visibility::new(Some(SeatId(0)), None));
    let (rules, state) = begun("");
    assert_eq!(
        determinize(&*rules, &view(&state), SeatId(0), &mut Generator::new(1)).unwrap(),
        None
    );
    let (rules, state) = begun(
        r#"fn determinize(turn) {
            let other = turn.seat.next;
            while turn.zone("hand", other).len < turn.zone_count("hand", other) {
                turn.create_in("hand", other, if turn.roll("1d2", "a card") == 1 { "ace" } else { "two" });
            }
        }"#,
    );
    let cards = |state: &State| -> Vec<u16> {
        let owned = state.declarations().find_zone("hand", Some(SeatId(1))).unwrap();
        let pieces = state.zone(owned).unwrap().pieces().iter();
        pieces.map(|id| state.piece(*id).unwrap().kind.0).collect()
    };
    assert!(cards(&view(&state)).is_empty());
    let mut seen: Vec<Vec<u16>> = (0..40)
        .map(|seed| {
            cards(
                &determinize(&*rules, &view(&state), SeatId(0), &mut Generator::new(seed))
                    .unwrap()
                    .unwrap(),
            )
        })
        .collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen, [vec![1, 1], vec![1, 2], vec![2, 1], vec![2, 2]]);
}

#[test]
fn a_monte_carlo_player_plays_with_all_hooks_at_once() {
    let (rules, state) = begun(
        r#"
        fn value(view) { if view.piece_at(view.cell("b2")) == () { 0 } else { 100 * (if view.piece_at(view.cell("b2")).owner == view.seat { 1 } else { -1 }) } }
        fn prior_put(view, picked) { if picked.place.name == "b2" { 50 } else { 0 } }
        fn playout_weights_put(view) { [[[view.cell("b2")], 30]] }
        fn determinize(turn) {
            for seat in turn.seats {
                while turn.zone("hand", seat).len < turn.zone_count("hand", seat) { turn.create_in("hand", seat, "ace"); }
            }
        }
        "#,
    );
    let settings = MonteCarloSettings {
        memory_mb: 16,
        ..MonteCarloSettings::default()
    };
    let view = state.project(&Visibility::new(Some(SeatId(0)), None));
    let mut player = MonteCarlo::with_settings(Level::HIGHEST, settings, 1);
    let choice = player
        .choose(
            Decision {
                rules: &*rules,
                state: &view,
                seat: SeatId(0),
                budget: &Budget::simulations(150),
            },
            &mut |_| {},
        )
        .unwrap();
    assert_eq!(flow::plain_notation(&state, &choice.action), "put b2");
}

/// The choice of each player that looks ahead.
fn choices(rules: &dyn Rules, state: &Arc<State>) -> Vec<String> {
    let specs = ["greedy", "maxn:9", "mcts:9"];
    let choose = |spec: &&str| {
        let mut player = spec.parse::<PlayerSpec>().unwrap().build(1).unwrap();
        let budget = Budget {
            nodes: Some(200),
            simulations: Some(60),
            ..Budget::default()
        };
        let choice = player
            .choose(
                Decision {
                    rules,
                    state,
                    seat: SeatId(0),
                    budget: &budget,
                },
                &mut |_| {},
            )
            .unwrap();
        flow::plain_notation(state, &choice.action)
    };
    specs.iter().map(choose).collect()
}

#[test]
fn what_is_held_back_is_chosen_where_all_others_are_held_back_or_lose() {
    // b2 has the highest value by far, and is not chosen.
    let value = "fn value(view) { let piece = view.piece_at(view.cell(\"b2\")); if piece == () { 0 } else if piece.owner == view.seat { 100 } else { -100 } }";
    let held_back = "fn prior(view, picked) { if picked.place.name == \"b2\" { -1000 } else { 0 } }";
    let (rules, state) = begun(&format!("{value} {held_back}"));
    assert!(choices(&*rules, &state).iter().all(|choice| choice != "put b2"));
    let (rules, state) = begun(&format!("{value} fn prior(view, picked) {{ -1500 }}"));
    assert_eq!(choices(&*rules, &state)[0], "put b2", "where all are held back none is");
    let lost = "fn outcome(view) { let at = view.piece_at(view.cell(\"b2\")); if at == () && !view.occupied.is_empty { win(view.seats[1], \"4\", \"b2 is empty\") } }";
    let (rules, state) = begun(&format!("{lost} {held_back}"));
    assert_eq!(choices(&*rules, &state)[..2], ["put b2", "put b2"], "all others lose at once");
}

#[test]
fn of_equal_values_the_likeliest_is_chosen() {
    let (rules, state) = begun("fn value(view) { 0 } fn prior(view, picked) { if picked.place.name == \"c3\" { 200 } else { 0 } }");
    let chosen = choices(&*rules, &state);
    assert_eq!(chosen[..2], ["put c3", "put c3"], "{chosen:?}");
}
