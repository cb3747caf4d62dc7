use super::super::{Limits, ScriptSource};
use super::*;
use boardwright_model::{Map, Setup, Topology};
use boardwright_rules::{Luck, RulesSource, conformance, flow, perft};
use boardwright_ruleset::{Layer, Sources};

fn tic_tac_toe() -> (Box<dyn Rules>, Arc<State>) {
    let text = include_str!("../../../../rulesets/tic-tac-toe/rules.rhai");
    let sources = Sources::of(Layer::new("tic-tac-toe").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let map = Map::new(
        "board",
        "Board",
        Topology::Square {
            width: 3,
            height: 3,
            diagonals: true,
        },
    );
    let board = Arc::new(Board::from_map(&map).unwrap());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), Luck::Forbidden);
    flow::begin(&*rules, &mut transaction).unwrap();
    (rules, transaction.into_parts().0)
}

#[test]
fn a_ruleset_of_scripts_holds_to_everything_and_has_the_known_counts() {
    let (rules, start) = tic_tac_toe();
    assert_eq!(perft::perft(&*rules, Arc::clone(&start), 5).unwrap(), 15_120);
    assert_eq!(perft::perft(&*rules, Arc::clone(&start), 6).unwrap(), 54_720);
    for seed in 0..20 {
        assert!(conformance::random_match(&*rules, &start, seed, 20).unwrap().is_over);
    }
}

#[test]
fn rules_of_the_same_sources_share_a_program_and_no_interrupt() {
    let text = "fn ruleset() { #{ seats: [#{ name: \"red\" }], actions: [#{ name: \"wait\", rule: \"1\", picks: [#{ name: \"cell\", pick: \"cell\" }] }] } }
        fn wait_cell(view) { let count = 0; for number in 0..1000 { count += number; } view.cells }
        fn do_wait(turn, picked) { turn.end(); }";
    let sources = Sources::of(Layer::new("a").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let map = Map::new(
        "board",
        "Board",
        Topology::Square {
            width: 2,
            height: 2,
            diagonals: true,
        },
    );
    let board = Arc::new(Board::from_map(&map).unwrap());
    let state = Arc::new(Setup::default().build(&board, source.declarations()).unwrap());
    let make = || source.rules(&board, source.declarations(), state.options()).unwrap();
    let program = |rules: &dyn Rules| std::ptr::from_ref(rules.request_budget().unwrap()).cast::<()>();
    let (first, second) = (make(), make());
    assert_eq!(program(&*first), program(&*second));

    let domain = |rules: &dyn Rules| rules.domain(&state, SeatId(0), ActionId(0), &[]);
    let stop = first.stop_flag().unwrap();
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(domain(&*first).unwrap_err().fault().unwrap().code, Code::Interrupted);
    assert!(domain(&*second).is_ok());
    stop.store(false, std::sync::atomic::Ordering::Relaxed);
    assert!(domain(&*first).is_ok());

    let budget = first.request_budget().unwrap();
    budget.begin(RequestKind::Whole);
    assert_ne!(
        program(&*first),
        program(&*make()),
        "a request that is going on would pay for others"
    );
    budget.end();
}
