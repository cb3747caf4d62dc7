//! Standing orders: what a match goes on with for people, by `standing_action`.

use std::fs;
use std::sync::{Arc, Mutex};

use crate::hidden_things::Tapped;
use boardwright::client::{Connection, MatchChoice};
use boardwright::content::Catalog;
use boardwright::local::LocalMatch;
use boardwright::model::Piece;
use boardwright::protocol::{Command, Reply};

/// Walkers on a row of cells, each of which can be told how far to go, a cell a turn.
const WALKERS: &str = r#"
/// 1 Walkers go along a row, one cell a turn.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "walker" }],
        properties: [
            #{ of: "piece", name: "goal", integer: 0, min: 0, max: 99, secret: true },
            #{ of: "piece", name: "walked", flag: false },
        ],
        phases: [#{ name: "opening", automatic: true }, #{ name: "walk" }],
        actions: [
            #{ name: "send", rule: "1", phases: ["walk"], aside: true, picks: [
                #{ name: "walker", pick: "piece" }, #{ name: "goal", pick: "number" },
            ] },
            #{ name: "step", rule: "1", phases: ["walk"], picks: [#{ name: "walker", pick: "piece" }, #{ name: "to", pick: "cell" }] },
            #{ name: "done", rule: "1", phases: ["walk"], ends_turn: true },
        ],
    }
}

/// 1 They begin at both ends.
fn start(turn) {
    turn.create("walker", turn.seats[0], turn.cell("a1"));
    turn.create("walker", turn.seats[1], turn.cell("h1"));
}

/// 1 In each turn they can walk again.
fn enter_opening(turn) {
    for walker in turn.pieces_of(turn.seat) { walker.walked = false; }
}

/// 1 A walker is sent as far as its goal says.
fn send_walker(view) { view.pieces_of(view.seat) }
fn send_goal(view, picked) { numbers(0, 99) }
fn do_send(turn, picked) { picked.walker.goal = picked.goal; }

/// 1 It steps to the next cell.
fn step_walker(view) { view.pieces_of(view.seat).filter(|walker| !walker.walked) }
fn step_to(view, picked) { picked.walker.cell.neighbours & view.empty }
fn do_step(turn, picked) {
    turn.move_piece(picked.walker, picked.to);
    picked.walker.walked = true;
}

/// 1 The end of the turn.
fn do_done(turn, picked) { }

/// 1 Who has been sent goes on.
fn standing_action(view) {
    for walker in view.pieces_of(view.seat) {
        if walker.goal > 0 && !walker.walked && walker.cell.column < walker.goal {
            return #{ action: "step", walker: walker, to: view.cell_at(walker.cell.column + 1, 0) };
        }
    }
}
"#;

/// A match of two people with these rules, and what is said to them, line by line.
fn begin(rules: &str) -> (tempfile::TempDir, Connection, Arc<Mutex<Vec<String>>>) {
    let content = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "rulesets/walkers/ruleset.xml",
            r#"<ruleset format="1" id="walkers" title="Walkers" version="0.1.0" licence="MIT" seats="2"><description>Walkers.</description></ruleset>"#,
        ),
        ("rulesets/walkers/rules.rhai", rules),
        (
            "maps/walkers/row.map.xml",
            r#"<map format="1" id="row" title="Row"><square width="8" height="1" diagonals="no"/></map>"#,
        ),
        (
            "maps/walkers/standard.scenario.xml",
            r#"<scenario format="1" id="standard" title="Walkers" ruleset="walkers" map="row" seats="red blue"/>"#,
        ),
    ] {
        let path = content.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let catalog = Catalog::scan(&[content.path().to_owned()]);
    let choice = MatchChoice {
        ruleset: "walkers".to_owned(),
        players: ["red", "blue"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..MatchChoice::default()
    };
    let playing = LocalMatch::begin(&catalog, &choice).unwrap();
    let lines = Arc::default();
    let tapped = Tapped {
        link: playing.connect(None),
        lines: Arc::clone(&lines),
    };
    let client = Connection::open(Box::new(tapped)).unwrap();
    (content, client, lines)
}

/// Asks for something, and waits for what follows from it: a second answer comes after that.
fn ask(client: &mut Connection, command: Command) -> Reply {
    let reply = client.ask(command).unwrap();
    client.ask(Command::Describe).unwrap();
    reply
}

fn play(client: &mut Connection, text: &str) {
    let command = Command::Play {
        text: text.to_owned(),
        seat: None,
        at: None,
    };
    let reply = ask(client, command);
    assert!(matches!(reply, Reply::Done { .. }), "{text}: {reply:?}");
}

/// Where the walkers stand.
fn places(client: &Connection) -> Vec<String> {
    let state = client.mirror().main_view().unwrap();
    let name = |piece: &Piece| state.board().cell_name(piece.place.cell().unwrap()).to_string();
    state.pieces().map(name).collect()
}

#[test]
fn orders_are_carried_out_at_once_and_in_each_turn_of_their_seat() {
    let (_content, mut client, _) = begin(WALKERS);
    play(&mut client, "send a1 3");
    assert_eq!(places(&client), ["b1", "h1"]);
    play(&mut client, "done");
    assert_eq!(places(&client), ["b1", "h1"], "not in the turn of another");
    play(&mut client, "done");
    assert_eq!(places(&client), ["c1", "h1"]);
    assert_eq!(client.mirror().length(), 6, "begun, sent, a step, both done, a step");
}

#[test]
fn what_is_undone_is_not_carried_out_again_before_something_is_played() {
    let (_content, mut client, _) = begin(WALKERS);
    play(&mut client, "send a1 3");
    ask(&mut client, Command::Undo);
    assert_eq!(
        (places(&client), client.mirror().at()),
        (vec!["a1".to_owned(), "h1".to_owned()], 1),
        "with what they came from"
    );
    ask(&mut client, Command::Redo);
    assert_eq!((places(&client), client.mirror().at()), (vec!["b1".to_owned(), "h1".to_owned()], 3));
    play(&mut client, "done");
    play(&mut client, "done");
    assert_eq!(places(&client), ["c1", "h1"]);
    ask(&mut client, Command::Undo);
    assert_eq!(
        (places(&client), client.mirror().at()),
        (vec!["b1".to_owned(), "h1".to_owned()], 4),
        "before the turn that began with them"
    );
    ask(&mut client, Command::Undo);
    ask(&mut client, Command::Undo);
    play(&mut client, "send a1 0");
    assert_eq!(places(&client), ["a1", "h1"]);
}

#[test]
fn a_test_of_a_ruleset_sees_them_carried_out() {
    let cases = "/// 1 Who is sent goes.\nfn test_sent(t) { t.scenario(\"standard\"); t.plays(\"send a1 3\"); t.expect_at(\"b1\", \"red walker goal=3 walked=yes\"); }";
    let (content, ..) = begin(WALKERS);
    let folder = content.path().join("rulesets/walkers/tests");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rules.rhai"), cases).unwrap();
    crate::command_line::run_in(content.path(), &["test", "walkers"], "")
        .with(0)
        .says("1 test passed");
}

#[test]
fn orders_without_end_and_orders_that_are_refused_wait_and_the_match_goes_on() {
    let endless = "fn standing_action(view) { #{ action: \"send\", walker: view.pieces_of(view.seat)[0], goal: 1 } }";
    let refused = "fn standing_action(view) { #{ action: \"step\", walker: view.pieces_of(view.seat)[0], to: view.cell(\"h1\") } }";
    for (hook, length, says) in [(endless, 501, "500 actions in a row"), (refused, 1, "cannot be carried out")] {
        let rules = format!("{}{hook}", WALKERS.split("/// 1 Who has been sent").next().unwrap());
        let (_content, mut client, lines) = begin(&rules);
        client.ask(Command::Describe).unwrap();
        assert_eq!(client.mirror().length(), length, "{says}");
        let said = lines.lock().unwrap().join("\n");
        assert!(said.contains(says), "{said}");
        play(&mut client, "step a1 b1");
        assert_eq!(places(&client)[0], "b1");
    }
}

#[test]
fn what_is_no_action_is_a_fault_that_names_the_hook() {
    let rules = format!(
        "{}fn standing_action(view) {{ #{{ action: \"fly\" }} }}",
        WALKERS.split("/// 1 Who has been sent").next().unwrap()
    );
    let (_content, mut client, _) = begin(&rules);
    let Reply::Problems { problems } = ask(&mut client, Command::Problems) else {
        panic!()
    };
    assert!(
        problems.iter().any(|problem| problem.to_string().contains("standing_action")),
        "{problems:?}"
    );
    play(&mut client, "step a1 b1");
}
