//! Blocks of commands: what stands behind `$` is run with the program built for this test, what stands behind `>` is typed into it,
//! and the rest is what it prints. `...` stands for any text.
//!
//! Commands of a block that is marked `findings` find something wrong. Commands of a block that is marked `window` or `later` are not run: they open a window, or take long. Of them, as of all others, it is checked that the
//! program has such a command.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::page::{Block, blocks};
use crate::common::root;

const PROGRAM: &str = "boardwright";

/// A command of a block.
struct Run {
    arguments: Vec<String>,
    typed: String,
    printed: String,
}

fn runs(block: &Block) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            runs.push(Run {
                arguments: command.split_whitespace().map(str::to_owned).collect(),
                typed: String::new(),
                printed: String::new(),
            });
            continue;
        }
        let last = runs
            .last_mut()
            .unwrap_or_else(|| panic!("{}: begins without a command", block.place()));
        if let Some(typed) = line.strip_prefix("> ") {
            last.typed += typed;
            last.typed.push('\n');
            last.printed += "...\n";
        } else {
            last.printed += line;
            last.printed.push('\n');
        }
    }
    runs
}

/// Runs the commands of a block in a folder. Gives how many were run.
pub(crate) fn follow(block: &Block, folder: &Path) -> usize {
    let mut count = 0;
    for run in runs(block) {
        if run.arguments.first().is_none_or(|program| program != PROGRAM) {
            continue;
        }
        if block.says("window") || block.says("later") {
            let help = run.arguments.iter().skip(1).take(1).map(String::as_str).chain(["--help"]);
            let (printed, code) = execute(help, "", folder);
            assert_eq!(code, Some(0), "{}: {}\n{printed}", block.place(), run.arguments.join(" "));
            continue;
        }
        let (printed, code) = execute(run.arguments.iter().skip(1).map(String::as_str), &run.typed, folder);
        let command = run.arguments.join(" ");
        let wanted = i32::from(block.says("findings"));
        assert_eq!(code, Some(wanted), "{}: {command}\n{printed}", block.place());
        assert!(
            matches(&run.printed, &printed),
            "{}: {command} printed\n{printed}\nwhere the page says\n{}",
            block.place(),
            run.printed
        );
        count += 1;
    }
    count
}

/// Runs the program; gives what it printed and its exit code.
pub(crate) fn execute<'a>(arguments: impl Iterator<Item = &'a str>, typed: &str, folder: &Path) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("BOARDWRIGHT_CONTENT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has ended does not listen any more.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (format!("{}{}", text(&output.stdout), text(&output.stderr)), output.status.code())
}

/// Whether a text is what a page says, `...` being any text.
fn matches(expected: &str, printed: &str) -> bool {
    let tidy = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let (expected, printed) = (tidy(expected), tidy(printed));
    let expected = expected.trim_end();
    let mut rest = printed.trim_end();
    let parts: Vec<&str> = expected.split("...").collect();
    for (index, part) in parts.iter().enumerate() {
        let part = part.trim_matches('\n');
        let found = if index == 0 {
            rest.starts_with(part).then_some(0)
        } else if index + 1 == parts.len() {
            rest.ends_with(part).then(|| rest.len() - part.len())
        } else {
            rest.find(part)
        };
        match found {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    parts.len() > 1 || rest.is_empty()
}

#[test]
fn the_commands_of_the_pages_run() {
    let mut count = 0;
    for page in [
        "README.md",
        "docs/authors/mods.md",
        "docs/authors/testing.md",
        "docs/players/playing.md",
    ] {
        for block in blocks(page).iter().filter(|block| block.is("console")) {
            count += follow(block, &root());
        }
    }
    assert!(count >= 6, "only {count} commands were run");
}

#[test]
fn dots_stand_for_any_text() {
    assert!(matches("a\n...\nd", "a\nb\nc\nd\n"));
    assert!(matches("...7\n...\n", "1 7\n2 49"));
    assert!(matches("...", ""));
    assert!(!matches("a\n...\nd", "a\nb\nc"));
    assert!(!matches("a", "a\nb"));
    assert!(!matches("...49\n...7\n...", "1 7\n2 49"));
}

#[test]
fn the_page_for_players_has_every_word_of_the_terminal() {
    let typed = "help\nquit\n";
    let (printed, code) = execute(["play", "tic-tac-toe", "--text"].into_iter(), typed, &root());
    assert_eq!(code, Some(0), "{printed}");
    let page = std::fs::read_to_string(root().join("docs/players/playing.md")).unwrap();
    let rows = page
        .split("## In the terminal")
        .nth(1)
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("| `"));
    let described: Vec<String> = rows
        .flat_map(|row| row.split('|').nth(1).unwrap().split(", "))
        .map(|form| form.trim().trim_matches('`').to_owned())
        .collect();
    assert!(described.len() > 10);
    for form in &described {
        assert!(printed.contains(form.as_str()), "the terminal knows no `{form}`:\n{printed}");
    }
    let listed = printed
        .lines()
        .skip_while(|line| !line.trim_start().starts_with(described[0].as_str()));
    let listed: Vec<&str> = listed.take_while(|line| line.starts_with("  ")).collect();
    assert_eq!(
        listed.len(),
        described.len(),
        "the terminal lists other words than the page:\n{printed}"
    );
}
