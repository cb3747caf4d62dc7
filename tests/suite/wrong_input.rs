//! What is wrong in a command is told before anything is done, in words that people know, with the exit code of wrong usage.

use std::process::{Command, Stdio};

use crate::common::root;

/// Runs the program; gives its exit code and what it says on standard error.
fn run(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(arguments)
        .current_dir(root())
        .env_remove("BOARDWRIGHT_CONTENT")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

const ARENA: [&str; 4] = ["arena", "tic-tac-toe", "--matches", "2"];

#[test]
fn wrong_numbers_are_told_as_what_they_are() {
    for (arguments, said) in [
        (
            &["arena", "tic-tac-toe", "--players", "random", "--matches", "-3"][..],
            "-3 is not in 1..=",
        ),
        (
            &["arena", "tic-tac-toe", "--players", "random", "--matches", "0"],
            "0 is not in 1..=",
        ),
        (&["metrics", "tic-tac-toe", "--matches", "-1"], "-1 is not in 1..="),
        (&["metrics", "tic-tac-toe", "--seed", "x"], "a seed is a whole number"),
        (&["perft", "tic-tac-toe", "-1"], "-1 is not in 1..="),
        (&["perft", "tic-tac-toe", "three"], "it is no whole number"),
        (
            &["play", "tic-tac-toe", "--text", "--seed", "99999999999999999999"],
            "a seed is a whole number",
        ),
        (&["odds", "conquest", "--attackers", "-1"], "-1 is outside 0 to 1000"),
    ] {
        let (code, told) = run(arguments);
        assert_eq!(code, 2, "{arguments:?}: {told}");
        assert!(told.contains(said), "{arguments:?}: {told}");
        assert!(!told.contains("invalid digit") && !told.contains("target type"), "{told}");
    }
}

#[test]
fn players_that_can_not_be_made_and_files_that_can_not_be_written_are_told_before_play() {
    let told = |more: &[&str]| run(&[&ARENA[..], more].concat());
    let (code, said) = told(&["--players", "random,wizard"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("wizard") && !said.contains("played"), "{said}");
    for option in ["--csv", "--html", "--keep"] {
        let (code, said) = told(&["--players", "random,greedy", option, "/dev/null/no/place"]);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("/dev/null/no/place cannot be"), "{said}");
    }
}

#[test]
fn what_is_neither_file_nor_folder_is_named() {
    for command in ["check", "migrate"] {
        let (code, said) = run(&[command, "/dev/null"]);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("/dev/null cannot be read"), "{said}");
    }
    let file = root().join("Cargo.toml").display().to_string();
    let (code, said) = run(&["--content", &file, "describe", "tic-tac-toe"]);
    assert_eq!(code, 2);
    assert!(said.contains("is no folder"), "{said}");
}

/// Who reads may stop reading: then the program ends, without a word.
#[test]
fn a_pipe_that_is_closed_ends_a_command_quietly() {
    for arguments in [&["docs"][..], &["describe", "conquest"], &["resolve", "sixteen-soldiers"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(arguments)
            .current_dir(root())
            .env_remove("BOARDWRIGHT_CONTENT")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(0), &b""[..]),
            "{arguments:?}"
        );
    }
}
