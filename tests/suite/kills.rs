//! The program is killed: whatever it has answered is kept, and can be gone on with.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use boardwright::local::{SavedMatch, interrupted_autosaves};
use serde_json::{Value, json};

use crate::common::root;

/// The engine, at work in a folder of its own.
struct Engine {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Engine {
    fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .arg("engine")
            .args(arguments)
            .current_dir(root())
            .env("XDG_DATA_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    fn write(&mut self, requests: &[Value]) {
        let input = self.child.stdin.as_mut().unwrap();
        let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
        input.write_all(lines.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    fn answer(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine is gone");
            let value: Value = serde_json::from_str(&line).unwrap();
            if value.get("reply").is_some() {
                return value;
            }
        }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn saves(home: &Path) -> PathBuf {
    home.join("boardwright/saves")
}

/// A match as fast as it can be played: actions, then edits, of which there is no end.
fn requests(count: usize) -> Vec<Value> {
    let moves = ["a4-a5", "e6-e5", "a5-a4", "e5-e6", "a4-a5"];
    let request = |number: usize| match moves.get(number) {
        Some(text) => json!({"id": number, "do": "play", "text": text}),
        None => json!({"id": number, "do": "edit", "text": format!("dice {}", number % 6 + 1)}),
    };
    (0..count).map(request).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn nothing_that_was_answered_is_lost_when_the_program_is_killed() {
    for answered in [1, 2, 3, 5, 8, 13, 21, 55, 89, 144] {
        let home = tempfile::tempdir().unwrap();
        let mut engine = Engine::start(home.path(), &["sixteen-soldiers"]);
        engine.write(&requests(250));
        for _ in 0..answered {
            let answer = engine.answer();
            assert!(answer["reply"] == "done" || answer["reply"] == "edited", "{answer}");
        }
        engine.kill();
        let found = interrupted_autosaves(&saves(home.path()));
        assert_eq!(found.len(), 1, "after {answered} answers");
        let opened = SavedMatch::open(&found[0]).unwrap_or_else(|found| panic!("{}", found.render()));
        let kept = opened.save.journal.position() - 1;
        assert!(kept >= answered, "{kept} of {answered} answers are kept");
        opened.verify().unwrap();
        let left = files(found[0].parent().unwrap());
        assert_eq!(left.len(), 2, "the autosave and its lock: {left:?}");
    }
}

#[test]
fn a_match_that_was_cut_off_is_told_of_and_gone_on_with_in_the_same_file() {
    let home = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(home.path(), &["sixteen-soldiers"]);
    engine.write(&requests(3));
    for _ in 0..3 {
        engine.answer();
    }
    engine.kill();
    let play = || {
        let ended = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["play", "--text", "tic-tac-toe"])
            .current_dir(root())
            .env("XDG_DATA_HOME", home.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(ended.stderr).unwrap()
    };
    let file = interrupted_autosaves(&saves(home.path())).remove(0);
    let command = format!("boardwright play --text --load {}", file.display());
    let told = play();
    assert!(told.contains("closed unexpectedly") && told.contains(&command), "{told}");
    let told = play();
    assert!(!told.contains("closed unexpectedly"), "{told}");

    let mut engine = Engine::start(home.path(), &["--load", file.to_str().unwrap()]);
    engine.write(&[json!({"id": 1, "do": "view"}), json!({"id": 2, "do": "play", "text": "e5-e6"})]);
    assert_eq!(engine.answer()["at"], 4);
    assert_eq!(engine.answer()["reply"], "done");
    engine.write(&[json!({"id": 3, "do": "quit"})]);
    assert_eq!(engine.answer()["reply"], "done");
    assert!(engine.child.wait().unwrap().success());
    assert_eq!(files(file.parent().unwrap()).len(), 1, "nothing but the autosave is left");
    let opened = SavedMatch::open(&file).unwrap_or_else(|found| panic!("{}", found.render()));
    assert_eq!(opened.save.journal.position(), 5);
    assert!(interrupted_autosaves(&saves(home.path())).is_empty());
}

#[test]
fn half_a_save_that_a_kill_has_left_is_cleared_away() {
    let home = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(home.path(), &["tic-tac-toe"]);
    engine.write(&[json!({"id": 1, "do": "play", "text": "b2"})]);
    engine.answer();
    engine.kill();
    let folder = saves(home.path()).join("automatic");
    let lock = files(&folder).into_iter().find(|name| name.ends_with(".running")).unwrap();
    let half = folder.join(format!(".{}.xyz.new", lock.trim_end_matches(".running")));
    std::fs::write(&half, "<save").unwrap();
    let other = folder.join("notes.new");
    std::fs::write(&other, "mine").unwrap();
    assert_eq!(interrupted_autosaves(&saves(home.path())).len(), 1);
    assert_eq!((half.exists(), other.exists()), (false, true));
}

#[test]
fn without_an_autosave_nothing_is_written() {
    let home = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(home.path(), &["tic-tac-toe", "--no-autosave"]);
    engine.write(&[json!({"id": 1, "do": "play", "text": "b2"})]);
    assert_eq!(engine.answer()["reply"], "done");
    engine.kill();
    assert!(!saves(home.path()).exists());
}
