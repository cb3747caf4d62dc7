//! Listeners: hooks that are told of what happened, of every layer, and answer with changes of their own.

use std::sync::Arc;

use boardwright::model::diagnostic::Code;
use boardwright::model::{Action, Board, Effect, Pick, Rejection, Scope, Setup, State, Target, Value};
use boardwright::rules::{Generator, Luck, Rules, RulesSource, Transaction, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

use crate::common::row_of;

/// Two sides step and strike on a row of eight cells.
const RULES: &str = r#"
/// 1 Two sides with a walker each.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "walker" }, #{ name: "wall" }],
        properties: [#{ of: "seat", name: "gold", integer: 0, min: 0, max: 99 }, #{ of: "match", name: "weather", text: "fair" }],
        actions: [
            #{ name: "go", ends_turn: true, picks: [#{ name: "piece", pick: "piece" }, #{ name: "cell", pick: "cell" }] },
            #{ name: "buy", picks: [#{ name: "gold", pick: "number" }] },
        ],
    }
}

/// 1.1 They stand at the two ends.
fn start(turn) {
    turn.create("walker", turn.seats[0], turn.cell("a1"));
    turn.create("walker", turn.seats[1], turn.cell("h1"));
}

/// 2 Any walker of one's own
fn go_piece(view) { view.pieces_of(view.seat) }

/// 2.1 goes anywhere.
fn go_cell(view, picked) { view.cells - picked.piece.cell }

/// 2.2 It strikes what stands there.
fn do_go(turn, picked) {
    let other = turn.piece_at(picked.cell);
    if other != () { turn.remove(other); }
    turn.move_piece(picked.piece, picked.cell);
}

/// 3 Gold is free.
fn buy_gold(view) { numbers(1, 10) }

/// 3.1 It is added.
fn do_buy(turn, picked) { turn.seat.gold += picked.gold; }
"#;

struct Playing {
    rules: Box<dyn Rules>,
    transaction: Transaction,
}

impl Playing {
    /// A match under the rules with layers over them, as far as it comes to begin.
    fn begin(layers: &[&str]) -> Result<Self, Rejection> {
        let layer = |sources: Sources, (index, text): (usize, &&str)| {
            let name = format!("layer-{index}");
            sources.with_layer(Layer::new(name).with("layer.rhai", *text))
        };
        let sources = layers
            .iter()
            .enumerate()
            .fold(Sources::of(Layer::new("fixture").with("rules.rhai", RULES)), layer);
        let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
        assert!(source.findings().is_empty(), "{}", source.findings().render());
        let mut map = row_of(8);
        map.regions = vec![boardwright::model::MapRegion {
            name: "ford".into(),
            cells: vec!["d1".into(), "e1".into()],
        }];
        let board = Arc::new(Board::from_map(&map).unwrap());
        let state = Setup::default().build(&board, source.declarations()).unwrap();
        let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
        let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
        flow::begin(&*rules, &mut transaction)?;
        Ok(Self { rules, transaction })
    }

    fn of(layers: &[&str]) -> Self {
        Self::begin(layers).unwrap_or_else(|rejection| panic!("{rejection}"))
    }

    fn state(&self) -> &State {
        self.transaction.state()
    }

    fn plays(&mut self, name: &str, picks: Vec<Pick>) -> Result<(), Rejection> {
        let action = self.state().declarations().find_action(name).unwrap();
        let seat = self.state().acting().first().unwrap();
        flow::perform(
            &*self.rules,
            &mut self.transaction,
            &Action {
                seat,
                action,
                picks: picks.into(),
            },
        )
    }

    /// The first walker of the seat on turn goes to a cell.
    fn goes(&mut self, cell: &str) -> Result<(), Rejection> {
        let seat = self.state().acting().first();
        let piece = self
            .state()
            .pieces()
            .find(|piece| piece.owner == seat && !piece.place.is_off())
            .unwrap()
            .id;
        let cell = self.state().board().find_cell(cell).unwrap();
        self.plays("go", vec![Pick::Piece(piece), Pick::Cell(cell)])
    }

    /// What was told so far, in order.
    fn notes(&self) -> Vec<String> {
        let note = |effect: &Effect| match effect {
            Effect::Note { text, .. } => Some(text.to_string()),
            _ => None,
        };
        self.transaction.effects().iter().filter_map(note).collect()
    }

    fn gold(&self, seat: &str) -> Value {
        let declarations = self.state().declarations();
        let gold = declarations.find_property(Scope::Seat, "gold").unwrap();
        self.state()
            .value(Target::Seat(declarations.find_seat(seat).unwrap()), gold)
            .unwrap()
            .clone()
    }
}

/// Notes whatever happens.
const DIARY: &str = r#"
fn on_begin(turn) { turn.note("begin"); }
fn on_round(turn) { turn.note(`round ${turn.round}`); }
fn on_turn(turn) { turn.note(`turn of ${turn.seat.name}`); }
fn on_action(turn, done) { turn.note(`${done.seat.name} did ${done.action} with ${done.picked.keys().len()} picks`); }
fn on_enter(turn, piece, cell) { turn.note(`${piece.kind} enters ${cell.name}`); }
fn on_leave(turn, piece, cell) { turn.note(`${piece.kind} leaves ${cell.name}`); }
fn on_create(turn, piece) { turn.note(`${piece.kind} created`); }
fn on_remove(turn, piece) { turn.note(`${piece.kind} of ${piece.owner.name} removed`); }
fn on_give(turn, piece, before) { turn.note(`given by ${before.name} to ${piece.owner.name}`); }
fn on_change(turn, changed) { turn.note(`${changed.name} of ${changed.of.name} from ${changed.before} to ${changed.after}`); }
fn on_eliminate(turn, seat) { turn.note(`${seat.name} is out`); }
fn on_settle(turn) { turn.note("settled"); }
"#;

#[test]
fn listeners_are_told_of_everything_in_the_order_in_which_it_happened() {
    let mut playing = Playing::of(&[DIARY]);
    assert_eq!(
        playing.notes(),
        [
            "begin",
            "walker created",
            "walker enters a1",
            "walker created",
            "walker enters h1",
            "round 1",
            "turn of red",
            "settled"
        ]
    );
    playing.transaction.forget();
    playing.plays("buy", vec![Pick::Number(3)]).unwrap();
    playing.goes("h1").unwrap();
    assert_eq!(
        playing.notes(),
        [
            "red did buy with 1 picks",
            "gold of red from 0 to 3",
            "settled",
            "red did go with 2 picks",
            "walker leaves h1",
            "walker of blue removed",
            "walker leaves a1",
            "walker enters h1",
            "turn of blue",
            "settled",
        ]
    );
}

#[test]
fn a_piece_given_and_a_seat_put_out_are_told() {
    let mut playing = Playing::of(&[
        DIARY,
        r"fn on_action_treason(turn, done) { turn.give(turn.pieces[1], turn.seats[0]); turn.eliminate(turn.seats[1]); }",
    ]);
    playing.transaction.forget();
    playing.plays("buy", vec![Pick::Number(1)]).unwrap();
    let notes = playing.notes();
    assert!(
        notes.contains(&"given by blue to red".to_owned()) && notes.contains(&"blue is out".to_owned()),
        "{notes:?}"
    );
}

#[test]
fn the_listeners_of_all_layers_are_called_from_the_bottom_up_and_as_they_stand() {
    let below = "fn on_turn_second(turn) { turn.note(\"below 1\"); }\nfn on_turn(turn) { turn.note(\"below 2\"); }\n";
    let above = "fn on_turn(turn) { turn.note(\"above 1\"); }\nfn on_turn_second(turn) { turn.note(\"above 2\"); }\n";
    assert_eq!(Playing::of(&[below, above]).notes(), ["below 1", "below 2", "above 1", "above 2"]);
}

#[test]
fn what_a_listener_changes_is_told_and_is_undone_with_the_action() {
    let mut playing = Playing::of(&[r#"
fn on_enter_the_ford(turn, piece, cell) {
    if turn.region("ford").contains(cell) { turn.create("wall", turn.cell("b1")); }
}
fn on_create_wall(turn, piece) {
    if piece.kind == "wall" { turn.seats[0].gold = 7; }
}
fn on_change_gold(turn, changed) {
    if changed.name == "gold" && changed.before < 5 && changed.after >= 5 { turn.end_match(win(turn.seats[0], "", "rich")); }
}
"#]);
    let before = playing.state().digest();
    let mark = playing.transaction.mark();
    playing.goes("d1").unwrap();
    assert_eq!(playing.gold("red"), Value::Integer(7));
    assert_eq!(&*playing.state().outcome().unwrap().reason, "rich");
    playing.transaction.rollback(mark);
    assert_eq!(playing.state().digest(), before);
}

#[test]
fn a_listener_may_refuse_the_action_and_end_the_turn() {
    let mut playing = Playing::of(&[r#"
fn on_enter(turn, piece, cell) {
    if cell.name == "d1" { throw refuse("9", "the ford is closed"); }
}
fn on_change(turn, changed) { turn.end_turn(); }
"#]);
    let before = playing.state().digest();
    assert!(matches!(playing.goes("d1"), Err(Rejection::Refused(refusal)) if &*refusal.rule == "9"));
    assert_eq!(playing.state().digest(), before);
    playing.plays("buy", vec![Pick::Number(1)]).unwrap();
    assert_eq!(playing.state().sequence().mark.turn, 2);
}

#[test]
fn once_holds_once_in_a_match_and_is_part_of_its_state() {
    let mut playing = Playing::of(&[
        "fn on_turn(turn) { if turn.round > 1 && turn.once(\"winter\") { turn.weather = \"winter\"; turn.note(\"winter\"); } }",
    ]);
    assert!(playing.state().declarations().find_property(Scope::Match, "happened").is_some());
    for cell in ["b1", "g1", "c1", "f1", "b1"] {
        playing.goes(cell).unwrap();
    }
    assert_eq!(playing.notes(), ["winter"]);
    assert!(
        Playing::of(&[])
            .state()
            .declarations()
            .find_property(Scope::Match, "happened")
            .is_none()
    );
}

#[test]
fn listeners_that_answer_each_other_without_end_are_at_fault() {
    let endless = "fn on_change(turn, changed) { turn.weather = if changed.after == \"rain\" { \"fair\" } else { \"rain\" }; }\nfn on_turn(turn) { turn.weather = \"rain\"; }";
    let Err(Rejection::Fault(fault)) = Playing::begin(&[endless]) else {
        panic!("it ended")
    };
    assert!([Code::EndlessPhases, Code::BudgetRequest].contains(&fault.code), "{fault}");
}

#[test]
fn a_misspelt_listener_is_found() {
    let sources = Sources::of(Layer::new("fixture").with("rules.rhai", RULES));
    let sources = sources.with_layer(Layer::new("over").with(
        "over.rhai",
        "fn on_entr_the_ford(turn, piece, cell) { turn.note(\"x\"); }\nfn on_turn(turn, round) { turn.note(\"y\"); }",
    ));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap();
    let found = source.findings().render();
    assert!(
        found.contains("`on_entr_the_ford` is no hook") && found.contains("did you mean `on_enter`?"),
        "{found}"
    );
    assert!(found.contains("the engine gives the hook `on_turn` 1 argument, not 2"), "{found}");
}
