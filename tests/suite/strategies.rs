//! Strategies that rulesets bring: what they are asked, what they may see, and that one that fails costs its own decision only.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::command_line::run;
use super::common::Bundled;
use boardwright::content::read_settings;
use boardwright::model::{Board, Map, Setup, State, Topology, Visibility};
use boardwright::players::{Budget, Choice, Decision, Player, PlayerError, PlayerSpec, WithFallback};
use boardwright::rules::{Generator, Luck, Rules, RulesSource, Settings, Transaction, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// Two sides put markers onto a board of four by four, hold cards that the other does not see, and answer with a number now and then.
const RULES: &str = r#"
    const TRICK = 7;

    fn ruleset() {
        #{
            seats: [#{ name: "light" }, #{ name: "dark" }],
            kinds: [#{ name: "marker" }, #{ name: "ace" }],
            zones: [#{ name: "hand", each: "seat", seen_by: "owner" }],
            phases: [#{ name: "placing" }],
            properties: [#{ of: "match", name: "bid", integer: 0 }],
            actions: [
                #{ name: "put", rule: "2", picks: [#{ name: "place", pick: "cell" }] },
                #{ name: "bid", rule: "3", answers: true, picks: [#{ name: "coins", pick: "number" }] },
            ],
            endings: [#{ when: "no_actions", then: "loses", rule: "3", reason: "there is no place left" }],
        }
    }

    /// 1 Each side holds an ace.
    fn start(turn) { for seat in turn.seats { turn.create_in("hand", seat, "ace"); } }

    /// 2 A marker goes onto an empty square.
    fn put_place(view) { view.empty }

    /// 2 On the corner the player says how much it is worth.
    fn do_put(turn, picked) {
        turn.create("marker", turn.seat, picked.place);
        if picked.place.name == "a1" { turn.ask(turn.seat, "bid", #{ most: 9 }); } else { turn.end_turn(); }
    }

    /// 3 One to nine coins.
    fn bid_coins(view) { 1..=view.question.most }

    /// 3 They are noted.
    fn do_bid(turn, picked) { turn.bid = picked.coins; turn.end_turn(); }
"#;

struct Table {
    rules: Box<dyn Rules>,
    state: Arc<State>,
}

fn source_of(strategy: &str, settings: &[(&str, &str)]) -> ScriptSource {
    let layer = Layer::new("rulesets/markers")
        .with("rules.rhai", RULES)
        .with("strategies/tried.rhai", strategy);
    let source = ScriptSource::new(Arc::new(Sources::of(layer)), Limits::default());
    let source = source.unwrap_or_else(|problems| panic!("{}", problems.render()));
    source.with_settings([("tried".to_owned(), Settings::read(settings.iter().copied()))].into())
}

impl Table {
    fn of(source: &ScriptSource) -> Self {
        let topology = Topology::Square {
            width: 4,
            height: 4,
            diagonals: false,
        };
        let board = Arc::new(Board::from_map(&Map::new("field", "The field", topology)).unwrap());
        let state = Setup::default().build(&board, source.declarations()).unwrap();
        let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
        let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
        flow::begin(&*rules, &mut transaction).unwrap();
        transaction.forget();
        let state = transaction.into_parts().0;
        Self { rules, state }
    }

    fn new(strategy: &str) -> Self {
        Self::of(&source_of(strategy, &[("patience", "3"), ("worth", "1"), ("worth.b2", "50")]))
    }

    fn view(&self) -> Arc<State> {
        let seat = self.state.acting().first();
        self.state.project(&Visibility::new(seat, None))
    }

    fn choose(&self, player: &str) -> Result<Choice, PlayerError> {
        let spec: PlayerSpec = player.parse().unwrap();
        self.ask(&mut *spec.build(1).unwrap())
    }

    fn ask(&self, player: &mut dyn Player) -> Result<Choice, PlayerError> {
        let seat = self.state.acting().first().unwrap();
        player.choose(
            Decision {
                rules: &*self.rules,
                state: &self.view(),
                seat,
                budget: &Budget::unlimited(),
            },
            &mut |_| {},
        )
    }

    fn written(&self, choice: &Choice) -> String {
        self.rules.notation(&self.state, &choice.action)
    }

    fn plays(&mut self, action: &str) {
        let legal = flow::legal(&*self.rules, &self.state, self.state.acting().first().unwrap()).unwrap();
        let found = legal.into_iter().find(|legal| self.rules.notation(&self.state, legal) == action);
        let mut transaction = Transaction::new(Arc::clone(&self.state), Luck::Roll(Generator::new(1)));
        flow::perform(&*self.rules, &mut transaction, &found.unwrap()).unwrap();
        self.state = transaction.into_parts().0;
    }
}

/// What a strategy chooses at the beginning.
fn chosen(strategy: &str) -> String {
    let table = Table::new(strategy);
    table.written(&table.choose("tried").unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn a_phase_has_its_function_and_a_question_another() {
    let mut table = Table::new(
        r#"
        fn decide_placing(view, agent) { agent.action("put", #{ place: view.cell("a1") }) }
        fn answer_bid(view, agent) { #{ coins: min(view.question.most, TRICK) } }
        fn decide(view, agent) { throw "nobody asks me"; }
        "#,
    );
    assert_eq!(table.written(&table.choose("tried").unwrap()), "put a1");
    table.plays("put a1");
    assert_eq!(
        table.written(&table.choose("tried").unwrap()),
        "bid 7",
        "with a constant of the rules"
    );
}

#[test]
fn without_a_function_of_its_own_the_general_one_decides() {
    assert_eq!(chosen(r#"fn decide(view, agent) { agent.legal("put")[5] }"#), "put b2");
}

#[test]
fn what_is_left_open_the_evaluation_decides() {
    let by_worth = r#"fn evaluate(view, agent) { agent.total("worth", view.seat.cells) }"#;
    assert_eq!(chosen(by_worth), "put b2");
    assert_eq!(chosen(&format!("{by_worth} fn decide_placing(view, agent) {{ () }}")), "put b2");
    let table = Table::new(by_worth);
    let choice = table.choose("tried").unwrap();
    assert_eq!((choice.evaluation, choice.nodes), (None, 16));
    assert_eq!(choice.thoughts.first().and_then(|best| best.number), Some(50));
}

#[test]
fn an_action_can_be_tried_before_it_is_chosen() {
    let strategy = r#"
        fn decide(view, agent) {
            let action = agent.action("put", #{ place: view.cell("c3") });
            let after = agent.after(view, action);
            if view.cell("c3") in after.seat.cells && !(view.cell("c3") in view.seat.cells) && after.turn_of != view.seat { action }
        }
    "#;
    assert_eq!(chosen(strategy), "put c3");
}

#[test]
fn parameters_come_from_the_file_and_others_from_the_word_of_the_player() {
    let strategy =
        r#"fn decide(view, agent) { agent.action("put", #{ place: view.cell_at(agent.patience, agent.value_of("worth", "a1")) }) }"#;
    let table = Table::new(strategy);
    assert_eq!(table.written(&table.choose("tried").unwrap()), "put d2");
    assert_eq!(table.written(&table.choose("tried+patience=0").unwrap()), "put a2");
    assert_eq!(table.written(&table.choose("tried+patience=0+worth.a1=3").unwrap()), "put a4");
    let unknown = table.choose("tried+patiense=0").unwrap_err().to_string();
    assert!(
        unknown.contains("strategy `tried` has no parameter `patiense`: it has patience, worth"),
        "{unknown}"
    );
}

#[test]
fn a_strategy_sees_what_its_seat_sees() {
    let strategy = r#"
        fn decide(view, agent) {
            let theirs = view.zone("hand", view.seat.next);
            let after = agent.after(view, agent.action("put", #{ place: view.cell("d4") }));
            let seen = theirs.len() + after.zone("hand", view.seat.next).len();
            agent.action("put", #{ place: view.cell_at(seen, view.zone("hand", view.seat).len()) })
        }
    "#;
    // Nothing of the other hand, and one card of its own.
    assert_eq!(chosen(strategy), "put a2");
}

#[test]
fn its_luck_is_its_own_and_comes_again_with_the_seed() {
    let table = Table::new("fn decide(view, agent) { agent.any(agent.legal()) }");
    let by = |seed| {
        let mut player = "tried".parse::<PlayerSpec>().unwrap().build(seed).unwrap();
        let chosen: Vec<String> = (0..8).map(|_| table.written(&table.ask(&mut *player).unwrap())).collect();
        chosen
    };
    assert_eq!(by(1), by(1));
    assert_ne!(by(1), by(2));
    assert!(by(1).windows(2).any(|two| two[0] != two[1]));
}

#[test]
fn a_strategy_that_fails_costs_its_own_decision_only_and_is_told_with_its_line() {
    let put = r#"agent.action("put", #{ place: view.cell("a1") })"#;
    for (body, code) in [
        ("loop { }".to_owned(), "budget-operations"),
        ("endless(view)".to_owned(), "budget-depth"),
        ("let all = []; loop { all.push(view.cells); }".to_owned(), "budget"),
        ("throw \"I give up\";".to_owned(), "thrown"),
        ("view.nothing_like_this".to_owned(), "error"),
        ("view.bid = 3; ()".to_owned(), "error"),
        (
            "view.create(\"marker\", view.seat, view.cell(\"a1\"))".to_owned(),
            "this hook only looks",
        ),
        ("17".to_owned(), "return-type"),
        ("#{ place: view.cell(\"a1\") }".to_owned(), "return-type"),
        ("()".to_owned(), "return-type"),
        ("agent.action(\"put\")".to_owned(), "the pick `place`"),
        ("agent.action(\"putt\")".to_owned(), "there is no action \"putt\""),
        ("agent.action(\"put\", #{ place: 3 })".to_owned(), "a cell as its pick `place`"),
        ("agent.action(\"bid\", #{ coins: 3 })".to_owned(), "illegal-action"),
        (format!("agent.after(agent.after(view, {put}), {put}); ()"), "error"),
        ("for again in 0..1000000 { agent.legal(); }".to_owned(), "budget"),
        ("agent.stubbornness".to_owned(), "the strategy has no parameter \"stubbornness\""),
    ] {
        let table = Table::new(&format!(
            "fn endless(view) {{ endless(view) }}\nfn decide(view, agent) {{\n{body}\n}}"
        ));
        let begun = Instant::now();
        let player = "tried".parse::<PlayerSpec>().unwrap().build(1).unwrap();
        let choice = table.ask(&mut WithFallback::new(player, 1)).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20), "{body}");
        let told = choice
            .instead_of
            .as_ref()
            .unwrap_or_else(|| panic!("{body} was let through"))
            .to_string();
        assert!(told.contains(code), "{body}: {told}");
        assert!(told.starts_with("tried: rulesets/markers/strategies/tried.rhai:"), "{told}");
        flow::check(&*table.rules, &table.state, &choice.action).unwrap();
        assert!(table.written(&choice).starts_with("put "));
    }
}

#[test]
fn one_that_fails_is_stood_in_for_where_there_are_too_many_actions_to_list() {
    let strategy = "fn decide(view, agent) { throw \"too much for me\"; }";
    let rules = RULES
        .replace("1..=view.question.most", "1..=1000000000")
        .replace("integer: 0", "integer: 0, min: 0");
    let layer = Layer::new("rulesets/markers")
        .with("rules.rhai", rules)
        .with("strategies/tried.rhai", strategy);
    let source = ScriptSource::new(Arc::new(Sources::of(layer)), Limits::default()).unwrap();
    let mut table = Table::of(&source);
    table.plays("put a1");
    let player = "tried".parse::<PlayerSpec>().unwrap().build(1).unwrap();
    let choice = table.ask(&mut WithFallback::new(player, 1)).unwrap();
    assert!(choice.instead_of.unwrap().to_string().contains("too much for me"));
    flow::check(&*table.rules, &table.state, &choice.action).unwrap();
}

#[test]
fn a_strategy_with_mistakes_leaves_the_rules_playable() {
    let source = source_of("fn decide(view, agent) { agent.action( }", &[]);
    let told = source.check_strategies().render();
    assert!(told.contains("rulesets/markers/strategies/tried.rhai:1:"), "{told}");
    let table = Table::of(&source);
    let error = table.choose("tried").unwrap_err().to_string();
    assert!(error.starts_with("tried: rulesets/markers/strategies/tried.rhai:1:"), "{error}");
    assert!(table.choose("random").is_ok());
    assert_eq!(
        table.choose("bold").unwrap_err().to_string(),
        "bold: error[no-such-thing]: there is no strategy `bold`"
    );
}

#[test]
fn mistakes_of_strategies_are_told_before_they_play() {
    let strategy = "
        fn decide_plcing(view, agent) { agent.action(\"put\", #{ place: best(view) }) }
        fn answer_bid(view, agent) { #{ coins: agent.patiens + agent.value_of(\"worht\", \"a1\") } }
    ";
    let found = source_of(strategy, &[("patience", "3"), ("worth", "1")]).check_strategies();
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    for part in [
        "tried.rhai:2:9: warning[unknown-hook]: `decide_plcing` is no hook, and nothing calls it",
        "error[unknown-function]: there is no function `best`",
        "tried.rhai:3:54: error[missing-value]: the parameter `patiens` has no value",
        "error[missing-value]: the parameter `worht` has no value",
        "tried.xml: warning[unused]: the strategy `tried` does not use the parameter `patience`",
    ] {
        assert!(told.iter().any(|one| one.contains(part)), "{part}\n{}", told.join("\n"));
    }
}

#[test]
fn a_mod_changes_single_functions_of_a_strategy() {
    let base = Layer::new("rulesets/markers").with("rules.rhai", RULES).with(
        "strategies/tried.rhai",
        r#"fn decide(view, agent) { agent.action("put", #{ place: view.cell(favourite(agent)) }) } fn favourite(agent) { "b2" }"#,
    );
    let above = Layer::new("rulesets/more").with(
        "strategies/tried.rhai",
        r#"fn favourite(agent) { if base::favourite(agent) == "b2" { "d" + agent.row } else { "a1" } }"#,
    );
    let settings = [
        (
            "strategies/tried.xml",
            r#"<parameters format="1"><parameter name="row" value="1"/><parameter name="calm" value="yes"/></parameters>"#,
        ),
        (
            "strategies/tried.xml",
            r#"<parameters format="1"><parameter name="row" value="4"/></parameters>"#,
        ),
    ];
    let sources = Sources::of(base.with(settings[0].0, settings[0].1)).with_layer(above.with(settings[1].0, settings[1].1));
    let settings = read_settings(&sources).unwrap();
    assert_eq!(settings["tried"].iter().count(), 2);
    let source = ScriptSource::new(Arc::new(sources), Limits::default())
        .unwrap()
        .with_settings(settings);
    let table = Table::of(&source);
    assert_eq!(table.written(&table.choose("tried").unwrap()), "put d4");
}

#[test]
fn parameters_that_are_no_whole_numbers_are_told() {
    let text = "<parameters format=\"1\">\n<parameter name=\"worth\" of=\"a1\" value=\"1.25\"/>\n</parameters>";
    let layer = Layer::new("rulesets/markers").with("strategies/tried.xml", text);
    let told = read_settings(&Sources::of(layer)).unwrap_err().to_string();
    assert!(told.contains("tried.xml:2:") && told.contains("write 125 for 1.25"), "{told}");
}

/// Every strategy that is bundled, on every scenario of its ruleset; of those that differ in their seats alone, on one.
#[test]
fn bundled_strategies_decide_for_themselves_in_every_scenario() {
    let mut asked = 0;
    for (ruleset, scenarios) in super::common::bundled() {
        let mut played = Vec::new();
        for scenario in scenarios {
            let bundled = Bundled::read(&ruleset, &scenario);
            let of = &bundled.scenario;
            let begins = (of.map.clone(), of.setup.pieces.clone(), of.overlay.clone());
            if !played.contains(&begins) {
                asked += play_through(&ruleset, &bundled);
                played.push(begins);
            }
        }
    }
    assert!(asked > 1_000, "{asked}");
}

/// Plays a scenario with the strategies of its ruleset in turn; gives how many decisions there were. They decide the same whether somebody
/// watches or not, and who watches is told what was weighed, the best first, and the chosen action among it.
fn play_through(ruleset: &str, bundled: &Bundled) -> usize {
    const MOST: usize = 250;
    let scenario = &bundled.scenario.title;
    let settings = read_settings(&super::common::sources(ruleset)).unwrap();
    let names = bundled.source.strategies();
    if names.is_empty() {
        return 0;
    }
    let source = ScriptSource::new(Arc::clone(bundled.source.sources()), Limits::default()).unwrap();
    let source = source.with_settings(settings);
    let found = source.check_strategies();
    assert!(found.is_empty(), "{}", found.render());
    let start = bundled.setup();
    let rules = source.rules(&bundled.board, start.declarations(), start.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(start), Luck::Roll(Generator::new(3)));
    flow::begin(&*rules, &mut transaction).unwrap();
    let player = |(index, name): (usize, &String)| name.parse::<PlayerSpec>().unwrap().build(index as u64).unwrap();
    let seats = transaction.state().declarations().seats.len();
    let [mut players, mut watched] =
        [0, 1].map(|_| -> Vec<Box<dyn Player>> { names.iter().cycle().take(seats).enumerate().map(player).collect() });
    let while_watched = Budget {
        is_watched: true,
        ..Budget::unlimited()
    };
    let (mut asked, mut told) = (0, 0);
    while let Some(seat) = transaction.state().acting().first().filter(|_| asked < MOST) {
        let sight = Visibility::new(Some(seat), rules.visible(transaction.state(), Some(seat)).unwrap());
        let view = transaction.state().project(&sight);
        let choice = players[seat.index()].choose(
            Decision {
                rules: &*rules,
                state: &view,
                seat,
                budget: &Budget::unlimited(),
            },
            &mut |_| {},
        );
        let choice = choice.unwrap_or_else(|error| panic!("{ruleset}/{scenario}: {error}"));
        let same = watched[seat.index()]
            .choose(
                Decision {
                    rules: &*rules,
                    state: &view,
                    seat,
                    budget: &while_watched,
                },
                &mut |_| {},
            )
            .unwrap();
        let notation = rules.notation(&view, &choice.action);
        assert_eq!((&same.action, choice.thoughts.len()), (&choice.action, 0), "{notation}");
        let weighed: Vec<_> = same.thoughts.iter().filter(|thought| thought.action.is_some()).collect();
        assert!(weighed.is_sorted_by_key(|thought| std::cmp::Reverse(thought.number)), "{weighed:?}");
        if !weighed.is_empty() && notation != "done" {
            let is_told = weighed.iter().any(|thought| thought.action.as_ref() == Some(&choice.action));
            assert!(
                is_told,
                "{}: {notation} is not among {weighed:?}",
                names[seat.index() % names.len()]
            );
            told += 1;
        }
        flow::perform(&*rules, &mut transaction, &choice.action).unwrap_or_else(|rejection| panic!("{rejection}"));
        asked += 1;
    }
    assert!(told * 3 > asked, "{ruleset}/{scenario}: weighed in {told} of {asked} decisions");
    asked
}

#[test]
fn strategies_play_in_the_arena_and_are_listed() {
    let ended = run(&[
        "arena",
        "conquest",
        "--line-up",
        "standard,random,random",
        "--matches",
        "3",
        "--seed",
        "2",
    ])
    .with(0);
    assert!(ended.out.contains("standard  won 3 of 3 matches"), "{}", ended.out);
    assert!(!ended.out.contains("in its place"), "{}", ended.out);
    let described = run(&["describe", "conquest"]).with(0).out;
    assert!(described.contains("strategies: marshal, standard"), "{described}");
    let refused = run(&["arena", "conquest", "--players", "standerd,random"]).with(2);
    assert!(
        refused.err.contains("there is no player `standerd`; did you mean `standard`?"),
        "{}",
        refused.err
    );
}
