//! What all calls of one request may take together. The limits here count operations, so that the same happens on every machine.

use std::sync::Arc;
use std::time::Duration;

use boardwright::host::{HostError, Match, verify};
use boardwright::model::diagnostic::{Code, Diagnostic};
use boardwright::model::{Action, Board, Map, Policy, Rejection, SeatId, Setup, State, Topology};
use boardwright::rules::{Request, RequestKind, Rules, RulesSource, check_budget, flow, looks};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// A turn of five phases. Each of the automatic ones takes some 3,000 operations.
const RULES: &str = r##"
    /// 1 Two seats.
    fn ruleset() {
        #{
            seats: [#{ name: "red", colour: "#ff0000" }, #{ name: "blue", colour: "#0000ff" }],
            kinds: [#{ name: "mark" }],
            phases: [
                #{ name: "play" },
                #{ name: "one", automatic: true }, #{ name: "two", automatic: true }, #{ name: "three", automatic: true },
            ],
            actions: [#{ name: "put", picks: [#{ name: "place", pick: "cell" }] }, #{ name: "wait" }],
        }
    }

    fn put_place(view) { view.empty }
    fn do_put(turn, picked) { turn.create("mark", turn.seat, picked.place); turn.next_phase(); }
    fn do_wait(turn, picked) { }
    fn may_wait(view) { work(10); true }

    fn work(times) { let n = 0; while n < times { n += 1; } }
    fn enter_one(turn) { work(1000); }
    fn enter_two(turn) { work(1000); }
    fn enter_three(turn) { work(2000); }

    fn look_cell(view, cell) { work(300); () }
"##;

fn source(request_operations: u64) -> ScriptSource {
    let sources = Sources::of(Layer::new("rulesets/slow").with("rules.rhai", RULES));
    let limits = Limits {
        request_operations,
        request_wall: Duration::from_mins(5),
        wall: Duration::from_mins(1),
        ..Limits::default()
    };
    ScriptSource::new(Arc::new(sources), limits).unwrap_or_else(|problems| panic!("{}", problems.render()))
}

fn start(source: &ScriptSource) -> State {
    start_on(source, 6)
}

fn start_on(source: &ScriptSource, size: u16) -> State {
    let topology = Topology::Square {
        width: size,
        height: size,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("field", "The field", topology)).unwrap());
    Setup::default().build(&board, source.declarations()).unwrap()
}

fn begun(request_operations: u64) -> Match {
    let source = source(request_operations);
    let start = start(&source);
    Match::begin(Arc::new(source), start, 1, Policy::default()).unwrap()
}

fn first_put(playing: &Match) -> Action {
    let legal = flow::legal(playing.rules(), playing.state(), SeatId(0)).unwrap();
    legal.into_iter().find(|action| !action.picks.is_empty()).unwrap()
}

fn fault(error: HostError) -> Diagnostic {
    match error {
        HostError::Rejected(Rejection::Fault(fault)) => *fault,
        other => panic!("{other}"),
    }
}

#[test]
fn an_action_whose_phases_take_too_long_together_is_refused_and_changes_nothing() {
    let mut playing = begun(20_000);
    let action = first_put(&playing);
    let (digest, at) = (playing.state().digest(), playing.journal().position());
    let wrong = fault(playing.submit(&action, at).unwrap_err());
    assert_eq!((wrong.code, &*wrong.hook), (Code::BudgetRequest, "enter_three"), "{wrong}");
    assert!(wrong.line() > 0, "{wrong}");
    assert!(wrong.message.contains("`enter_three`, called once"), "{wrong}");
    assert!(wrong.message.contains("5 calls of hooks took 20,0"), "{wrong}");
    assert_eq!((playing.state().digest(), playing.journal().position()), (digest, at));
    // The next request has a budget of its own.
    let legal = flow::legal(playing.rules(), playing.state(), SeatId(0)).unwrap();
    assert_eq!(legal.len(), 37);
    let wait = legal.iter().find(|action| action.picks.is_empty()).unwrap();
    playing.submit(wait, at).unwrap();
}

#[test]
fn requests_inside_a_request_count_together() {
    let playing = begun(30_000);
    let (rules, state) = (playing.rules(), playing.state());
    let ask = |rules: &dyn Rules| flow::legal(rules, state, SeatId(0));
    for _ in 0..1_000 {
        ask(rules).unwrap();
    }
    let request = Request::begin(rules, RequestKind::Whole);
    let failed = (0..1_000).find_map(|_| ask(rules).err()).unwrap();
    let Rejection::Fault(failed) = failed else { panic!("{failed}") };
    assert_eq!((failed.code, &*failed.hook), (Code::BudgetRequest, "may_wait"));
    // What cannot be listed is not left out: nothing is listed, and what is asked next fails in the same words.
    let rest = flow::available(rules, state, SeatId(0)).unwrap_err();
    assert_eq!(rest, Rejection::Fault(failed));
    let whole = Request::begin(rules, RequestKind::Whole);
    ask(rules).unwrap();
    drop(whole);
    ask(rules).unwrap_err();
    drop(request);
    ask(rules).unwrap();
}

#[test]
fn a_whole_request_inside_another_leaves_it_half_of_its_budget() {
    let playing = begun(30_000);
    let (rules, state) = (playing.rules(), playing.state());
    let asked = || (0..1_000_000).find(|_| flow::legal(rules, state, SeatId(0)).is_err()).unwrap();
    let outer = Request::begin(rules, RequestKind::Whole);
    let inner = Request::begin(rules, RequestKind::Whole);
    let of_inner: u32 = asked();
    drop(inner);
    let of_outer = asked();
    drop(outer);
    assert!(
        of_outer > of_inner / 3 && of_outer < of_inner * 2 / 3,
        "{of_inner} questions inside, then {of_outer}"
    );
}

/// What the host does between two calls is part of a request.
#[test]
fn the_time_of_the_host_counts() {
    let text = RULES.to_owned();
    let sources = Sources::of(Layer::new("rulesets/slow").with("rules.rhai", text));
    let limits = Limits {
        request_wall: Duration::from_millis(200),
        ..Limits::default()
    };
    let source = ScriptSource::new(Arc::new(sources), limits).unwrap();
    let start = start(&source);
    let rules = source.rules(start.board(), source.declarations(), start.options()).unwrap();
    let begun = std::time::Instant::now();
    {
        let _request = Request::begin(&*rules, RequestKind::Whole);
        check_budget(&*rules).unwrap();
        let mut sum = 0_u64;
        let spent = loop {
            sum = (0..1_000).fold(sum, |sum, number| std::hint::black_box(sum.wrapping_mul(31).wrapping_add(number)));
            if let Err(spent) = check_budget(&*rules) {
                break spent;
            }
            assert!(begun.elapsed() < Duration::from_mins(5), "the time of the host does not count");
        };
        assert!(boardwright::rules::is_spent(&spent), "{spent}");
    }
    check_budget(&*rules).unwrap();
}

#[test]
fn in_a_search_each_step_has_a_budget_and_those_that_fail_share_one() {
    let playing = begun(15_000);
    let (rules, state) = (playing.rules(), playing.state());
    let search = Request::begin(rules, RequestKind::Search);
    for _ in 0..1_000 {
        flow::legal(rules, state, SeatId(0)).unwrap();
    }
    // 36 cells take some 30,000 operations.
    looks(rules, state, Some(SeatId(0))).unwrap_err();
    let spent = flow::legal(rules, state, SeatId(0)).unwrap_err();
    assert!(matches!(spent, Rejection::Fault(fault) if fault.code == Code::BudgetRequest));
    drop(search);
    flow::legal(rules, state, SeatId(0)).unwrap();
}

#[test]
fn what_was_accepted_is_accepted_again() {
    let mut playing = begun(30_000);
    let action = first_put(&playing);
    playing.submit(&action, playing.journal().position()).unwrap();
    let again = source(30_000);
    let setup = start(&again);
    let verified = verify(setup.clone(), playing.journal(), &[Arc::new(again)], Some(playing.seed())).unwrap();
    assert_eq!(verified.repeated, 2);
    // Operations are what counts: under a smaller budget the same rules do not come as far.
    let smaller: Vec<Arc<dyn RulesSource>> = vec![Arc::new(source(10_000))];
    let difference = verify(setup, playing.journal(), &smaller, Some(playing.seed())).unwrap_err();
    assert!(difference.what.contains("budget-request"), "{difference}");
}

#[test]
fn a_call_that_is_stopped_says_how_much_it_may_take_and_which_word_took_it() {
    let stopped = |body: &str| {
        let text = RULES.replace("fn do_wait(turn, picked) { }", &format!("fn do_wait(turn, picked) {{ {body} }}"));
        let sources = Sources::of(Layer::new("rulesets/slow").with("rules.rhai", text));
        let limits = Limits {
            wall: Duration::from_mins(1),
            ..Limits::default()
        };
        let source = ScriptSource::new(Arc::new(sources), limits.with_budget(50_000, Duration::from_mins(1))).unwrap();
        let start = start_on(&source, 40);
        let mut playing = Match::begin(Arc::new(source), start, 1, Policy::default()).unwrap();
        let legal = flow::legal(playing.rules(), playing.state(), SeatId(0)).unwrap();
        let wait = legal.iter().find(|action| action.picks.is_empty()).unwrap();
        let fault = fault(playing.submit(wait, playing.journal().position()).unwrap_err());
        (fault.code, fault.message)
    };
    let told = |code, message: &str| (code, message.to_owned());
    assert_eq!(
        stopped("loop { }"),
        told(Code::BudgetOperations, "the call takes more than 50,000 steps")
    );
    assert_eq!(
        stopped("loop { turn.distances(turn.cells, turn.cells); }"),
        told(
            Code::BudgetOperations,
            "the call takes more than 50,000 steps, most of them in `distances`"
        )
    );
    for (word, used) in [("sorted", "l.sorted()"), ("contains", "l.contains(-1)"), ("join", "l.join(\",\")")] {
        let (code, message) = stopped(&format!("let l = []; for i in 0..1500 {{ l.push(1500 - i); }} loop {{ {used}; }}"));
        assert_eq!(code, Code::BudgetOperations, "{message}");
        assert!(message.ends_with(&format!("most of them in `{word}`")), "{message}");
    }
    assert_eq!(
        stopped("again(); } fn again() { again();"),
        told(Code::BudgetDepth, "calls are nested deeper than 32")
    );
}
