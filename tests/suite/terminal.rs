//! Playing at the terminal: what is said there, and matches that are saved and taken up.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::command_line::{Ended, edit, plays, root, run, run_in};

#[test]
fn a_match_is_played_through_a_pipe_to_its_result() {
    let lines = ["mark a1", "b1", "mark b2", "c1", "c3", "quit"];
    let ended = plays(&["tic-tac-toe"], &lines).with(0);
    assert!(!ended.out.contains('\x1b'), "no colours in a pipe");
    ended
        .says("Three in a row")
        .says("to move.")
        .says("Crosses won: three in a row (rule ");
}

#[test]
fn the_board_of_points_is_drawn_with_its_lines() {
    plays(&["sixteen-soldiers"], &["quit"])
        .with(0)
        .says("5  +---+---+---+---+\n   | \\ | / | \\ | / |\n4  R---R---R---R---R\n")
        .says("9  B-------B-------B\n     \\     |     /\n8      B---B---B\n")
        .says("Red: 16 soldiers");
}

#[test]
fn what_is_still_to_be_picked_is_asked_for_with_what_may_be_picked() {
    plays(&["sixteen-soldiers"], &["move c4", "c5", "history"])
        .with(0)
        .says("Where to?\n  c5\n")
        .says("   1  Red c4-c5\n");
    // A pick that is not possible leaves the question open; an empty line ends it.
    plays(&["sixteen-soldiers"], &["move", "b4", "e9", "", "board"])
        .with(0)
        .says("Which soldier?\n  a4  b4  c4  d4  e4\n")
        .says("Where to?\n  a5  b5  c5\n")
        .says("Not possible: e9 is taken (rule 2.1).")
        .says("Action cancelled.");
}

#[test]
fn a_refusal_says_why_and_changes_nothing() {
    let ended = plays(&["tic-tac-toe"], &["a1", "a1", "history"]).with(0);
    assert!(ended.out.contains("Not possible: "), "{}", ended.out);
    assert!(!ended.out.contains("   2  "), "{}", ended.out);
}

#[test]
fn another_action_keeps_what_was_taken_back_as_a_variation() {
    let lines = [
        "a1",
        "b1",
        "go 0",
        "c1",
        "branch",
        "history",
        "undo",
        "branch",
        "history",
        "variation 1",
        "history",
        "variation 1 delete",
        "history",
    ];
    plays(&["tic-tac-toe"], &lines)
        .with(0)
        .says("2 later undone")
        .says("There is nothing to undo.")
        .says("   1  Crosses mark c1\nVariation 1 after 0: Crosses mark a1, Noughts mark b1\n")
        .says("Now variation 2: Crosses mark c1\n")
        .says("   2  Noughts mark b1\nVariation 1 after 0: Crosses mark c1\n   0  the match begins");
    plays(&["tic-tac-toe"], &["variation 1", "variation x"])
        .with(0)
        .says("there is no variation 1, there are 0")
        .says("which variation? Write its number");
    plays(&["tic-tac-toe"], &["a1", "b1", "undo", "redo", "go 1"])
        .with(0)
        .says("Undone: Noughts mark b1\n")
        .says("Noughts mark b1\n\n   a b c\n1  X O .")
        .says("Crosses mark a1\n\n   a b c\n1  X . .");
}

#[test]
fn names_of_several_words_are_offered_and_read_as_a_whole() {
    let people = ["--seat", "blue=human", "--seat", "green=human"];
    let arguments = [&["conquest/standard", "--seed", "1"], people.as_slice()].concat();
    let ended = plays(&arguments, &["claim", "Western Europe", "claim Western Europe", "history"]).with(0);
    let asked = ended
        .out
        .split("Which free area?")
        .nth(1)
        .unwrap_or_else(|| panic!("{}", ended.out));
    let offered = asked.split("\n\n").next().unwrap();
    assert!(
        offered.contains("  Western Europe") && !offered.contains("  Western\n"),
        "{offered}"
    );
    // What is taken is called by its whole name.
    assert!(!ended.out.contains("\"Western\""), "{}", ended.out);
    let told = ended.out.rsplit("\n   1  ").next().unwrap();
    assert!(told.lines().next().unwrap().contains("Western Europe"), "{}", ended.out);
}

#[test]
fn what_can_not_be_moved_is_no_question_and_looking_something_up_ends_none() {
    let ended = plays(&["sixteen-soldiers"], &["move c6", "move c1", "move a5"]).with(0);
    assert!(!ended.out.contains("Where to?"), "{}", ended.out);
    assert_eq!(ended.out.matches("Not possible: ").count(), 3, "{}", ended.out);
    ended.says("c1");
    plays(&["sixteen-soldiers"], &["move c4", "help", "moves", "board", "c5", "history"])
        .with(0)
        .says("   1  Red c4-c5\n");
}

#[test]
fn a_computer_answers_and_players_change_seats_in_the_middle() {
    plays(
        &["tic-tac-toe", "--seat", "noughts=random", "--seed", "7"],
        &["b2", "seat noughts=human", "history"],
    )
    .with(0)
    .says("Crosses human, Noughts random")
    .says("   1  Crosses mark b2\n   2  Noughts ");
    let ended = plays(&["tic-tac-toe", "--seat", "crosses=random", "--seat", "noughts=random"], &[]);
    assert!(ended.out.contains(" won: ") || ended.out.contains("drawn"), "{}", ended.out);
}

#[test]
fn the_odds_of_an_attack_are_told_before_it_and_while_it_is_picked() {
    let lines = [
        "edit turn red",
        "edit set red.reserve = 0",
        "edit phase attack",
        "edit set Alaska.armies = 4",
        "edit set Kamchatka.armies = 2",
        "odds attack Alaska Kamchatka",
        "odds",
        "odds fly",
        "odds done",
    ];
    plays(&["conquest/war", "--seed", "5"], &lines)
        .with(0)
        .says("Battle: Attackers 3, Defenders 2\nwin   0.656")
        .says("Attackers: 1.59 left on average of 3")
        .says("The odds of what?")
        .says("fly cannot be done now")
        .says("No contest begins with that action");
    let lines = [&lines[..5], &["attack Alaska", "odds", "Kamchatka", "odds", "3", "history"]].concat();
    let picked = plays(&["conquest/war", "--seed", "5"], &lines).with(0);
    assert_eq!(picked.out.matches("win   0.656").count(), 2, "{}", picked.out);
    picked.says("Alaska > Kamchatka with 3");
}

#[test]
fn help_lists_the_commands_and_unknown_words_are_no_actions() {
    plays(&["tic-tac-toe"], &["help", "fly", "go back", "seat green=human"])
        .with(0)
        .says("hint [PLAYER]")
        .says("Not possible: \"fly\"")
        .says("write the number of an action".replacen('w', "W", 1).as_str())
        .says("there is no seat green; there are crosses, noughts");
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let play = || {
        plays(
            &["tic-tac-toe", "--seat", "crosses=random", "--seat", "noughts=random", "--seed", "5"],
            &[],
        )
        .out
    };
    let first = play();
    assert_eq!(first, play());
    // Computers wait until somebody looks: the terminal tells of their first action as of all others.
    let told: Vec<&str> = first.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    let marks = first.lines().filter(|line| line.starts_with(['1', '2', '3'])).flat_map(str::chars);
    let marks = marks.filter(|sign| ['X', 'O'].contains(sign)).count();
    assert!(told.len() == marks && told.iter().all(|line| line.contains(" mark ")), "{first}");
}

#[test]
fn the_first_throw_is_told_before_anybody_acts() {
    let played = plays(&["dice-race", "--content", "benches", "--seed", "3"], &[]).with(0);
    played.says("the match begins\nRed: the turn: 4\n\n");
}

#[test]
fn without_a_display_the_window_points_to_the_terminal() {
    run(&["play", "tic-tac-toe"]).with(2).complains("--text");
    run(&[]).with(2).complains("--text");
}

// Saved matches ---------------------------------------------------------------------------------------------------------------

#[test]
fn a_match_is_not_saved_into_a_folder_that_is_not_there_or_over_one() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, there) = (folder.path().join("mistyped/evening"), folder.path().join("evening.save.xml"));
    fs::create_dir(&there).unwrap();
    plays(
        &["tic-tac-toe"],
        &[&format!("save {}", missing.display()), &format!("save {}", there.display())],
    )
    .with(0)
    .says("mistyped is not there")
    .says("it is not a file");
    assert!(!folder.path().join("mistyped").exists());
}

#[test]
fn a_saved_match_is_taken_up_replayed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.save.xml");
    let name = file.to_str().unwrap();
    let save = format!("save {name}");
    plays(&["sixteen-soldiers", "--seed", "3"], &["c4-c5", "c6xc4", "c3xc5", &save])
        .with(0)
        .says(&format!("Saved in {name}."));
    plays(&["--load", name], &["history", "quit"])
        .with(0)
        .says("   3  Red c3xc5\n")
        .says("Red: 15 soldiers");
    run(&["replay", name, "--to", "1"]).with(0).says("Red c4-c5\n").says("Blue to move");
    run(&["replay", name, "--to", "9"]).with(2).complains("has 3 actions");
    run_in(&root(), &["replay", name], "\n\n\nundo\nquit\n")
        .with(0)
        .says("Before the first of 3 actions; Round 1, Red to move.")
        .says("Red c4-c5\n\n9  B")
        .says("Action 1 of 3; Round 1, Blue to move.")
        .says("Blue: 15 soldiers")
        .says("Action 3 of 3; Round 2, Blue to move.");
    // At the end and behind it, back again, and what does not belong to looking.
    run_in(&root(), &["replay", name], "go 3\n\nredo\nundo\nredo\ngo 4\nc8-c7\ndrop\nquit\n")
        .with(0)
        .says("That was the last action.")
        .says("Red c3xc5\n\n9  B")
        .says("The match has 3 actions, and there is no action 4.")
        .says("only looked at");
    run(&["verify", name]).with(0).says("4 events run again with the same result");
    let json: serde_json::Value = serde_json::from_str(&run(&["verify", name, "--json"]).with(0).out).unwrap();
    assert_eq!((json["is_same"].as_bool(), json["repeated"].as_u64()), (Some(true), Some(4)));
    edit(&file, "notation=\"c4-c5\"", "notation=\"c4-d5\"");
    run(&["verify", name]).with(1).complains("checksum");
}

// Saying something while others play -------------------------------------------------------------------------------------------

/// Computers play each other slowly; what is written comes later than what could have been written beforehand.
fn while_computers_play(lines: &[&str]) -> (Ended, Duration) {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args([
            "play",
            "tic-tac-toe",
            "--text",
            "--pace",
            "4000",
            "--seat",
            "crosses=random",
            "--seat",
            "noughts=random",
        ])
        .current_dir(root())
        .env_remove("BOARDWRIGHT_CONTENT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        std::thread::sleep(Duration::from_millis(1_500));
        writeln!(input, "{line}").unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let ended = Ended {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    (ended, begun.elapsed())
}

#[test]
fn while_computers_play_each_other_they_can_be_stopped_and_left() {
    // A whole match takes at least five actions, and so sixteen seconds.
    let (ended, took) = while_computers_play(&["quit"]);
    ended.with(0);
    assert!(took < Duration::from_secs(12), "{took:?}");
    let (ended, _) = while_computers_play(&["pause", "history", "quit"]);
    let ended = ended.with(0).says("to move.");
    assert!(!ended.out.contains("   2  "), "{}", ended.out);
}

/// What a terminal shows of a match in which some keys are pressed, each a little after the one before.
#[cfg(target_os = "linux")]
fn at_a_terminal(arguments: &[&str], keys: &[&str], home: &Path) -> String {
    let script = r#"
import os, pty, select, sys, time
program, keys = sys.argv[1:-1], sys.argv[-1].split("|")
child, terminal = pty.fork()
if child == 0:
    os.execv(program[0], program)
shown, begun = b"", time.time()
while time.time() - begun < 40:
    if keys and shown and time.time() - last > 1.0:
        os.write(terminal, keys.pop(0).encode().decode("unicode_escape").encode())
        last = time.time()
    if not select.select([terminal], [], [], 0.1)[0]:
        continue
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown, last = shown + part, time.time()
else:
    os.kill(child, 9)
sys.stdout.buffer.write(shown)
"#;
    let output = Command::new("python3")
        .args(["-c", script, env!("CARGO_BIN_EXE_boardwright")])
        .args(arguments)
        .arg(keys.join("|"))
        .current_dir(root())
        .env("XDG_DATA_HOME", home)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .env_remove("BOARDWRIGHT_CONTENT")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_that_is_interrupted_at_the_terminal_is_kept_and_it_is_said_where() {
    let home = tempfile::tempdir().unwrap();
    let shown = at_a_terminal(&["play", "tic-tac-toe", "--text"], &["b2\\r", "\\x03"], home.path());
    let (_, file) = shown.rsplit_once("--load ").unwrap_or_else(|| panic!("{shown}"));
    plays(&["--load", file.trim()], &["history", "quit"])
        .with(0)
        .says("   1  Crosses mark b2\n");
    // Also while a computer thinks: what is typed then acts at once.
    let pace = ["play", "tic-tac-toe", "--text", "--pace", "30000", "--seat", "noughts=random"];
    let shown = at_a_terminal(&pace, &["b2\\r", "undo\\r", "quit\\r"], home.path());
    assert!(shown.contains("Undone: Crosses mark b2"), "{shown}");
}

/// A war with a person at red's seat and others at the others.
fn war(others: &str, lines: &[&str]) -> Ended {
    let seats = ["red=human".to_owned(), format!("blue={others}"), format!("green={others}")];
    let mut arguments = vec!["conquest/war", "--seed", "2"];
    for seat in &seats {
        arguments.extend(["--seat", seat.as_str()]);
    }
    plays(&arguments, lines).with(0)
}

#[test]
fn an_attack_goes_on_until_the_area_is_taken() {
    let begins = ["moves", "Alaska + 11", "done", "again Alaska > Kamchatka with 3"];
    let ended = war("standard", &begins)
        .says("  Alaska + 1..11")
        .says("Red: Hand: Infantry #42 (Alberta)");
    let rounds = ended.out.matches("Red Alaska > Kamchatka with 3").count();
    // Five defenders lose two a round at most.
    assert!(rounds >= 3, "{}", ended.out);
    let last = ended.out.rsplit("Red Alaska > Kamchatka").next().unwrap();
    assert!(last.contains("Red to move: Move in."), "{last}");
    // Nothing is drawn between the rounds.
    let between = ended.out.split("Red Alaska > Kamchatka with 3").nth(1).unwrap();
    assert!(!between.contains("Last attack"), "{between}");
    // Others at the terminal defend themselves, and any line stops it.
    let lines = [&begins[1..], &["defend with 2", "defend with 2", "board"]].concat();
    let people = war("human", &lines);
    assert_eq!(people.out.matches("Red Alaska > Kamchatka with 3").count(), 3, "{}", people.out);
    people.says("Repeating has stopped.");
    // What begins no contest is done once.
    war("human", &["again Alaska + 1"]).says("It is done once");
}

#[test]
fn players_talk_at_the_terminal() {
    let lines = ["say good luck", "say Blue: shall we?", "say bleu: shall we?", "history"];
    let ended = war("human", &lines)
        .says("Red: good luck\n")
        .says("Red to Blue alone: shall we?\n")
        .says("there is no seat bleu; there are red, blue, green.");
    assert!(!ended.out.contains("   1  "), "{}", ended.out);
}

#[test]
fn a_break_point_has_a_condition_and_says_how_often_it_was_come_to() {
    let lines = [
        "pause",
        "seat red=standard",
        "attach red",
        "break standard.rhai:1 if",
        "break standard.rhai:2 if worth > most",
        "break",
        "break standard.rhai:2",
        "break",
    ];
    war("human", &lines)
        .says("break where?")
        .says("standard.rhai:2 if worth > most\n")
        .says("There are no break points");
}
