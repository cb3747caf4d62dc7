//! Triggers as they are printed, played: each sort of sentence does what it says.

use std::sync::Arc;

use boardwright::model::diagnostic::Code;
use boardwright::model::{Action, Board, Effect, MapCell, MapRegion, Pick, Rejection, Scope, Setup, State, Target, ZoneId};
use boardwright::rules::{Generator, Luck, Rules, RulesSource, Transaction, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use boardwright::triggers::{Choices, Comparison, FORMS, FaultKind, FieldValue, Form, Part, Sentence, Trigger, TriggerScript};

use crate::common::row_of;

/// Two sides on a row of eight cells, with something of every sort that sentences speak of.
const RULES: &str = r#"
/// 1 Two sides with a walker each.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "walker" }, #{ name: "wall" }],
        terrains: [#{ name: "land" }, #{ name: "water" }],
        zones: [#{ name: "reserve", each: "seat" }],
        properties: [
            #{ of: "match", name: "tension", integer: 0, min: -99, max: 99 },
            #{ of: "match", name: "weather", text: "fair" },
            #{ of: "seat", name: "gold", integer: 0, min: -99, max: 99 },
            #{ of: "seat", name: "rank", text: "none" },
            #{ of: "piece", name: "strength", integer: 3, min: -99, max: 99 },
            #{ of: "piece", name: "order", text: "none" },
            #{ of: "cell", name: "held", text: "none" },
        ],
        actions: [
            #{ name: "go", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "buy" }, #{ name: "spend" }, #{ name: "hit" }, #{ name: "cede" },
            #{ name: "wait", ends_turn: true },
        ],
    }
}

/// 1.1 They stand at the two ends.
fn start(turn) {
    turn.create("walker", turn.seats[0], turn.cell("a1"));
    turn.create("walker", turn.seats[1], turn.cell("h1"));
}

/// 2 A walker goes anywhere, and strikes what stands there.
fn go_cell(view) { view.cells - view.seat.cells }

/// 2.1 The others leave the board.
fn do_go(turn, picked) {
    for other in turn.pieces_at(picked.cell) { turn.remove(other); }
    turn.move_piece(turn.pieces_of(turn.seat)[0], picked.cell);
}

/// 3 Whoever buys holds the ford.
fn do_buy(turn, picked) {
    turn.seat.gold += 3;
    turn.tension += 1;
    for cell in turn.region("ford") { cell.held = turn.seat.name; }
}

/// 3.1 Spending calms.
fn do_spend(turn, picked) {
    turn.seat.gold -= 2;
    turn.tension -= 1;
}

/// 4 A walker is hit,
fn do_hit(turn, picked) {
    let other = turn.pieces_of(turn.seat.next)[0];
    other.strength -= 1;
}

/// 4.1 or changes sides.
fn do_cede(turn, picked) { turn.give(turn.pieces_of(turn.seat)[0], turn.seat.next); }

/// 5 A side may wait.
fn do_wait(turn, picked) {}
"#;

fn name(text: &str) -> FieldValue {
    FieldValue::Name(text.into())
}

fn seat(text: &str) -> FieldValue {
    FieldValue::Seat(Some(text.into()))
}

fn number(number: i64) -> FieldValue {
    FieldValue::Number(number)
}

fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.into())
}

fn sentence(id: &str, values: Vec<FieldValue>) -> Sentence {
    let form = Form::find(id).unwrap_or_else(|| panic!("there is no form {id}"));
    let told = format!("{id} does not take {values:?}");
    Sentence::new(form, values).expect(&told)
}

fn board() -> Arc<Board> {
    let mut map = row_of(8);
    let region = |name: &str, cells: &[&str]| MapRegion {
        name: name.into(),
        cells: cells.iter().map(|cell| (*cell).into()).collect(),
    };
    map.regions = vec![region("ford", &["d1", "e1"]), region("gate", &["d1"])];
    map.cells = vec![MapCell {
        x: 3,
        terrain: Some("water".into()),
        ..MapCell::default()
    }];
    Arc::new(Board::from_map(&map).unwrap())
}

struct Playing {
    rules: Box<dyn Rules>,
    transaction: Transaction,
}

impl Playing {
    fn begin(trigger: &Trigger) -> Self {
        let mut script = TriggerScript::default();
        script.push(trigger.clone());
        let layer = Layer::new("scenario").with("triggers.rhai", script.print());
        let sources = Sources::of(Layer::new("fixture").with("rules.rhai", RULES)).with_layer(layer);
        let source = ScriptSource::new(Arc::new(sources), Limits::default());
        let source = source.unwrap_or_else(|problems| panic!("{}\n{}", script.print(), problems.render()));
        let found = source.findings().iter().find(|found| found.code != Code::LongFunction);
        assert!(found.is_none(), "{}\n{found:?}", script.print());
        let board = board();
        let choices = Choices::of(&board, source.declarations());
        let mut faults = choices.faults(trigger);
        faults.retain(|fault| fault.kind != FaultKind::Empty);
        assert_eq!(faults, [], "{}", script.print());
        let state = Setup::default().build(&board, source.declarations()).unwrap();
        let rules = source.rules(&board, state.declarations(), state.options()).unwrap();
        let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
        flow::begin(&*rules, &mut transaction).unwrap_or_else(|rejection| panic!("{}\n{rejection}", script.print()));
        Self { rules, transaction }
    }

    fn state(&self) -> &State {
        self.transaction.state()
    }

    fn plays(&mut self, play: &str) -> Result<(), Rejection> {
        let (name, cell) = play.split_once(' ').unwrap_or((play, ""));
        let action = self.state().declarations().find_action(name).unwrap();
        let seat = self.state().acting().first().unwrap();
        let picks = self.state().board().find_cell(cell).map(Pick::Cell).into_iter().collect();
        flow::perform(&*self.rules, &mut self.transaction, &Action { seat, action, picks })
    }

    fn notes(&self) -> Vec<&str> {
        let note = |effect: &'_ Effect| matches!(effect, Effect::Note { .. });
        let notes = self.transaction.effects().iter().filter(|effect| note(effect));
        notes
            .filter_map(|effect| {
                if let Effect::Note { text, .. } = effect {
                    Some(&**text)
                } else {
                    None
                }
            })
            .collect()
    }
}

/// Red goes to the ford and buys, spends and hits; blue takes the ford and cedes it.
const PLAY: [&str; 10] = ["go d1", "go g1", "buy", "hit", "spend", "wait", "go d1", "wait", "cede", "wait"];

/// How often a trigger happens in the play.
fn times(when: Sentence, conditions: Vec<Sentence>, once: bool) -> usize {
    let told = sentence("note", vec![text("it happened")]);
    let trigger = Trigger::new("It \"happens\"", when, conditions, vec![told], once).unwrap();
    let mut playing = Playing::begin(&trigger);
    for play in PLAY {
        playing
            .plays(play)
            .unwrap_or_else(|rejection| panic!("{play}: {rejection}\n{}", trigger.print()));
    }
    playing.notes().iter().filter(|note| **note == "it happened").count()
}

#[test]
fn what_happens_is_heard_as_often_as_it_happens() {
    let expected: Vec<(&str, Vec<FieldValue>, usize)> = vec![
        ("match_begins", vec![], 1),
        ("round_begins", vec![number(2)], 1),
        ("every_rounds", vec![number(2)], 2),
        ("any_round", vec![], 4),
        ("seat_turn", vec![seat("red")], 4),
        ("turn_number", vec![number(4)], 1),
        ("any_turn", vec![], 7),
        ("action_done", vec![name("buy")], 1),
        ("any_action", vec![], 10),
        ("enters_region", vec![name("ford")], 2),
        ("enters_cell", vec![name("g1")], 1),
        ("enters", vec![], 5),
        ("leaves_region", vec![name("ford")], 1),
        ("leaves_cell", vec![name("a1")], 1),
        ("leaves", vec![], 4),
        ("created", vec![], 2),
        ("removed", vec![], 1),
        ("given", vec![], 1),
        ("match_rises", vec![name("tension"), number(1)], 1),
        ("match_falls", vec![name("tension"), number(0)], 1),
        ("seat_rises", vec![name("gold"), seat("red"), number(3)], 1),
        ("seat_falls", vec![name("gold"), seat("red"), number(1)], 1),
        ("piece_falls", vec![name("strength"), number(2)], 1),
        ("owns_region", vec![seat("red"), name("gate")], 8),
        ("region_has", vec![name("ford"), name("held"), text("red")], 8),
        ("is_destroyed", vec![seat("red")], 2),
        ("settled", vec![], 11),
    ];
    let forms: Vec<&str> = FORMS.iter().filter(|form| form.part == Part::When).map(|form| form.id).collect();
    assert_eq!(forms, expected.iter().map(|(id, ..)| *id).collect::<Vec<_>>());
    for (id, values, count) in expected {
        assert_eq!(times(sentence(id, values.clone()), vec![], false), count, "{id}");
        assert_eq!(times(sentence(id, values), vec![], true), 1, "{id} once");
    }
}

#[test]
fn what_has_to_hold_besides_is_asked() {
    let when = |id: &str| sentence(id, vec![]);
    let compared = |comparison| FieldValue::Comparison(comparison);
    let expected: Vec<(&str, Vec<FieldValue>, &str, usize)> = vec![
        ("is_kind", vec![name("walker")], "enters", 5),
        ("is_owned", vec![seat("red")], "enters", 2),
        ("has_owner", vec![], "enters", 5),
        ("has_no_owner", vec![], "enters", 0),
        ("was_owned", vec![seat("blue")], "given", 1),
        (
            "piece_number",
            vec![name("strength"), compared(Comparison::AtLeast), number(3)],
            "enters",
            4,
        ),
        ("on_terrain", vec![name("water")], "enters", 2),
        ("did_it", vec![seat("blue")], "any_action", 4),
        ("is_turn", vec![seat("red")], "enters", 3),
        ("round_from", vec![number(2)], "enters", 1),
        ("round_to", vec![number(1)], "enters", 4),
        (
            "seat_number",
            vec![name("gold"), seat("red"), compared(Comparison::Equal), number(1)],
            "enters",
            1,
        ),
        (
            "match_number",
            vec![name("tension"), compared(Comparison::Less), number(1)],
            "enters",
            5,
        ),
        ("match_word", vec![name("weather"), text("fair")], "enters", 5),
        ("stands_in", vec![seat("red"), name("ford")], "enters", 2),
        ("stands_not_in", vec![seat("red"), name("ford")], "enters", 3),
        ("region_free", vec![name("ford")], "enters", 2),
        ("cell_free", vec![name("a1")], "enters", 3),
        ("cell_taken", vec![name("a1")], "enters", 2),
    ];
    let forms: Vec<&str> = FORMS.iter().filter(|form| form.part == Part::If).map(|form| form.id).collect();
    assert_eq!(forms, expected.iter().map(|(id, ..)| *id).collect::<Vec<_>>());
    for (id, values, happens, count) in expected {
        assert_eq!(times(when(happens), vec![sentence(id, values)], false), count, "{id}");
    }
}

/// The value of a property as text: `gold of red`, `tension`, `strength of the piece on g1`.
fn value(state: &State, name: &str) -> String {
    let declarations = state.declarations();
    let on = |cell: &str| state.pieces_at(state.board().find_cell(cell).unwrap())[0];
    let (property, scope, target) = match name.split_once(" of ") {
        None => (name, Scope::Match, Target::Match),
        Some((property, owner)) => match declarations.find_seat(owner) {
            Some(seat) => (property, Scope::Seat, Target::Seat(seat)),
            None => (property, Scope::Piece, Target::Piece(on(owner))),
        },
    };
    let property = declarations.find_property(scope, property).unwrap();
    state.value(target, property).unwrap().to_string()
}

/// Who has what on a cell: `red walker`.
fn at(state: &State, cell: &str) -> String {
    let pieces = state.pieces_at(state.board().find_cell(cell).unwrap()).iter();
    let declarations = state.declarations();
    let said = pieces.filter_map(|id| state.piece(*id)).map(|piece| {
        let owner = piece.owner.map_or("no one's", |seat| &declarations.seats[seat.index()].name);
        format!("{owner} {}", declarations.kinds[piece.kind.index()].name)
    });
    said.collect::<Vec<_>>().join(", ")
}

fn terrain(state: &State, cell: &str) -> String {
    let terrain = state.terrain(state.board().find_cell(cell).unwrap()).unwrap();
    state.declarations().terrains[terrain.index()].name.to_string()
}

/// What is to be seen after a consequence.
type Seen = fn(&Playing) -> String;

#[test]
fn what_is_to_be_done_is_done() {
    let blue_wait = FieldValue::Seat(Some("red".into()));
    let expected: Vec<(&str, Vec<FieldValue>, Seen, &str)> = vec![
        (
            "create",
            vec![name("wall"), seat("blue"), name("b1")],
            |it| at(it.state(), "b1"),
            "blue wall",
        ),
        (
            "create_unowned",
            vec![name("wall"), name("b1")],
            |it| at(it.state(), "b1"),
            "no one's wall",
        ),
        (
            "create_in_region",
            vec![name("wall"), seat("red"), name("ford")],
            |it| format!("{}; {}", at(it.state(), "d1"), at(it.state(), "e1")),
            "red walker; red wall",
        ),
        (
            "create_in_zone",
            vec![name("wall"), seat("red"), name("reserve")],
            |it| {
                [0, 1]
                    .map(|zone| it.state().zone(ZoneId(zone)).unwrap().pieces().len())
                    .iter()
                    .map(ToString::to_string)
                    .collect()
            },
            "10",
        ),
        ("remove", vec![], |it| at(it.state(), "g1"), ""),
        ("remove_region", vec![seat("red"), name("ford")], |it| at(it.state(), "d1"), ""),
        ("remove_at", vec![name("d1")], |it| at(it.state(), "d1"), ""),
        ("move", vec![name("f1")], |it| at(it.state(), "f1"), "blue walker"),
        ("give", vec![seat("red")], |it| at(it.state(), "g1"), "red walker"),
        (
            "give_region",
            vec![name("ford"), seat("blue")],
            |it| at(it.state(), "d1"),
            "blue walker",
        ),
        (
            "note_to",
            vec![blue_wait, text("psst \\ \"now\"")],
            |it| it.notes().join(";"),
            "psst \\ \"now\"",
        ),
        ("note", vec![text("now")], |it| it.notes().join(";"), "now"),
        (
            "add_seat",
            vec![number(5), name("gold"), seat("red")],
            |it| value(it.state(), "gold of red"),
            "6",
        ),
        (
            "set_seat",
            vec![name("gold"), seat("red"), number(-7)],
            |it| value(it.state(), "gold of red"),
            "-7",
        ),
        (
            "say_seat",
            vec![name("rank"), seat("red"), text("king")],
            |it| value(it.state(), "rank of red"),
            "king",
        ),
        (
            "add_piece",
            vec![number(-2), name("strength")],
            |it| value(it.state(), "strength of g1"),
            "1",
        ),
        (
            "set_piece",
            vec![name("strength"), number(9)],
            |it| value(it.state(), "strength of g1"),
            "9",
        ),
        (
            "say_piece",
            vec![name("order"), text("hold")],
            |it| value(it.state(), "order of g1"),
            "hold",
        ),
        (
            "add_match",
            vec![number(5), name("tension")],
            |it| value(it.state(), "tension"),
            "5",
        ),
        (
            "set_match",
            vec![name("tension"), number(8)],
            |it| value(it.state(), "tension"),
            "8",
        ),
        (
            "say_match",
            vec![name("weather"), text("rain")],
            |it| value(it.state(), "weather"),
            "rain",
        ),
        (
            "set_terrain",
            vec![name("a1"), name("water")],
            |it| terrain(it.state(), "a1"),
            "water",
        ),
        (
            "set_region_terrain",
            vec![name("ford"), name("water")],
            |it| terrain(it.state(), "e1"),
            "water",
        ),
        (
            "eliminate",
            vec![seat("blue")],
            |it| it.state().eliminated().iter().map(|seat| seat.0.to_string()).collect(),
            "1",
        ),
        ("end_turn", vec![], |it| it.state().sequence().mark.turn.to_string(), "4"),
        (
            "refuse",
            vec![text("not now")],
            |it| it.state().sequence().mark.turn.to_string(),
            "3",
        ),
        (
            "win",
            vec![seat("red"), text("victory")],
            |it| it.state().outcome().map_or_else(String::new, |over| over.reason.to_string()),
            "victory",
        ),
        (
            "draw",
            vec![text("peace")],
            |it| it.state().outcome().map_or_else(String::new, |over| over.reason.to_string()),
            "peace",
        ),
    ];
    let forms: Vec<&str> = FORMS.iter().filter(|form| form.part == Part::Then).map(|form| form.id).collect();
    assert_eq!(forms, expected.iter().map(|(id, ..)| *id).collect::<Vec<_>>());
    for (id, values, seen, after) in expected {
        // Of a piece, when blue comes to g1; else when red waits.
        let of_piece = !Form::offered(Part::Then, Form::find("any_turn").unwrap()).any(|form| form.id == id);
        let when = if of_piece {
            sentence("enters_cell", vec![name("g1")])
        } else {
            sentence("action_done", vec![name("hit")])
        };
        let trigger = Trigger::new("Then", when, vec![], vec![sentence(id, values)], false).unwrap();
        let mut playing = Playing::begin(&trigger);
        let plays = if of_piece {
            &PLAY[..2]
        } else {
            &["go d1", "go g1", "buy", "spend", "hit"]
        };
        for play in plays {
            let played = playing.plays(play);
            match played {
                Err(Rejection::Refused(refusal)) if id == "refuse" && *play == "hit" => assert_eq!(&*refusal.reason, "not now"),
                played => played.unwrap_or_else(|rejection| panic!("{id}, {play}: {rejection}\n{}", trigger.print())),
            }
        }
        assert_eq!(seen(&playing), after, "{id}\n{}", trigger.print());
    }
}

#[test]
fn every_sentence_that_can_be_chosen_compiles_and_plays() {
    let sources = Sources::of(Layer::new("fixture").with("rules.rhai", RULES));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap();
    let choices = Choices::of(&board(), source.declarations());
    for when in FORMS.iter().filter(|form| form.part == Part::When) {
        let first = |part: Part| {
            Form::offered(part, when)
                .filter(|form| form.id != "refuse")
                .map(|form| choices.first(form).unwrap())
                .collect::<Vec<_>>()
        };
        let conditions = first(Part::If);
        let trigger = Trigger::new(when.id, choices.first(when).unwrap(), conditions, first(Part::Then), true).unwrap();
        let mut script = TriggerScript::default();
        script.push(trigger.clone());
        assert_eq!(
            TriggerScript::read(&script.print())
                .triggers()
                .map(|(_, read)| read.clone())
                .collect::<Vec<_>>(),
            std::slice::from_ref(&trigger)
        );
        Playing::begin(&trigger);
    }
}

/// A form with its values, what happens, how the play goes, and what the tension of the match is then.
type Computed = (&'static str, Vec<FieldValue>, Sentence, &'static [&'static str], &'static str);

#[test]
fn what_is_computed_is_so_when_it_is_done() {
    let enters = || sentence("enters", vec![]);
    let bought = || sentence("action_done", vec![name("buy")]);
    let numbers: Vec<Computed> = vec![
        ("round", vec![], enters(), &["go d1", "go g1", "buy", "wait", "go b1"], "2"),
        ("pieces_in_region", vec![name("ford")], enters(), &["go d1", "go g1"], "1"),
        (
            "own_in_region",
            vec![name("ford"), seat("blue")],
            enters(),
            &["go d1", "go e1"],
            "1",
        ),
        ("pieces_of", vec![seat("blue")], enters(), &["go h1"], "0"),
        ("seat_value", vec![name("gold"), seat("red")], bought(), &["buy"], "3"),
        ("piece_value", vec![name("strength")], enters(), &["go d1"], "3"),
        ("match_value", vec![name("tension")], bought(), &["buy"], "1"),
    ];
    let mut forms: Vec<&str> = numbers.iter().map(|(id, ..)| *id).chain(["dice"]).collect();
    forms.sort_unstable();
    let mut all: Vec<&str> = FORMS.iter().filter(|form| form.part == Part::Number).map(|form| form.id).collect();
    all.sort_unstable();
    assert_eq!(forms, all);
    let playing = |when: Sentence, then: Sentence, plays: &[&str]| {
        let trigger = Trigger::new("Computed", when, vec![], vec![then], false).unwrap();
        let mut playing = Playing::begin(&trigger);
        for play in plays {
            playing
                .plays(play)
                .unwrap_or_else(|rejection| panic!("{play}: {rejection}\n{}", trigger.print()));
        }
        playing
    };
    let computed = |id: &str, values: Vec<FieldValue>| FieldValue::Computed(Box::new(sentence(id, values)));
    for (id, values, when, plays, expected) in numbers {
        let set = sentence("set_match", vec![name("tension"), computed(id, values)]);
        assert_eq!(value(playing(when, set, plays).state(), "tension"), expected, "{id}");
    }
    let rolled = sentence("set_match", vec![name("tension"), computed("dice", vec![text("10d6")])]);
    let rolled: i64 = value(playing(enters(), rolled, &["go d1"]).state(), "tension").parse().unwrap();
    assert!((10..=60).contains(&rolled), "{rolled}");
    // Who gets the gold.
    let seats: Vec<(&str, Sentence, &[&str], &str)> = vec![
        ("next_seat", bought(), &["buy"], "gold of blue"),
        (
            "owner",
            sentence("enters_cell", vec![name("g1")]),
            &["go d1", "go g1"],
            "gold of blue",
        ),
        ("former_owner", sentence("given", vec![]), &["cede"], "gold of red"),
        ("actor", sentence("action_done", vec![name("go")]), &["go d1"], "gold of red"),
    ];
    assert_eq!(seats.len(), FORMS.iter().filter(|form| form.part == Part::Seat).count());
    for (id, when, plays, richer) in seats {
        let add = sentence("add_seat", vec![number(5), name("gold"), computed(id, vec![])]);
        assert_eq!(value(playing(when, add, plays).state(), richer), "5", "{id}");
    }
}

#[test]
fn a_trigger_that_is_off_does_not_happen() {
    let told = sentence("note", vec![text("it happened")]);
    let trigger = Trigger::new("Off", sentence("any_action", vec![]), vec![], vec![told], false).unwrap();
    for (off, expected) in [(false, 1), (true, 0)] {
        let mut playing = Playing::begin(&trigger.clone().with_comment("Why.\nHow.").switched_off(off));
        playing.plays("buy").unwrap();
        assert_eq!(playing.notes().len(), expected);
    }
}

#[test]
fn a_fault_at_run_time_names_the_trigger() {
    let add = sentence(
        "set_seat",
        vec![
            name("gold"),
            seat("red"),
            FieldValue::Computed(Box::new(sentence("dice", vec![text("99d6")]))),
        ],
    );
    let trigger = Trigger::new("Too much gold", sentence("any_action", vec![]), vec![], vec![add], false).unwrap();
    let rejection = Playing::begin(&trigger).plays("buy").unwrap_err();
    let fault = rejection.fault().unwrap();
    assert_eq!(fault.hook, "on_action_too_much_gold: Too much gold", "{fault}");
    assert_eq!(fault.line(), 3);
}
