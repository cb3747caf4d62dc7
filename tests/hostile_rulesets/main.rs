//! Whole rulesets that try to harm the program: each is run by the program itself, in a process of its own, and its time and memory are
//! taken from outside. The program has to say what is wrong, in time, and to go on.
//!
//! `HOSTILE=NAME` runs those attacks only whose name has that in it, and `HOSTILE_PROGRAM=FILE` runs another build of the program.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly and tell figures"
)]

mod attacks;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use attacks::{Attack, Way};
use serde_json::Value;

/// When a program is taken to hang that does not answer: on a machine that does much besides, answers take long.
const MOST_TIME: Duration = Duration::from_mins(3);
/// The most time of the processor that an attack may take, however slow the build is.
const MOST_WORK: Duration = Duration::from_secs(20);
/// The most memory of the program, in kilobytes.
const MOST_MEMORY: u64 = 1 << 20;

/// What a ruleset made the program do.
#[derive(Debug, Default)]
struct Outcome {
    /// The codes of all that was said to be wrong.
    codes: Vec<String>,
    /// The longest time until an answer came.
    longest: Duration,
    /// All that was said, for a test that fails.
    said: String,
    peak_kb: u64,
    /// The time of the processor that it took.
    work: Duration,
}

/// A process that is killed where it hangs, and whose memory is watched.
struct Watched {
    child: Child,
    peak: Arc<AtomicU64>,
    work: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl Watched {
    fn start(command: &mut Command) -> Self {
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let [peak, work] = [Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0))];
        let is_over = Arc::new(AtomicBool::new(false));
        let watched = Self {
            child,
            peak: Arc::clone(&peak),
            work: Arc::clone(&work),
            is_over: Arc::clone(&is_over),
        };
        let id = watched.child.id();
        thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                peak.fetch_max(peak_kb(id).unwrap_or(0), Ordering::Relaxed);
                work.fetch_max(work_milliseconds(id).unwrap_or(0), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(5));
            }
        });
        watched
    }

    fn work(&self) -> Duration {
        let now = work_milliseconds(self.child.id()).unwrap_or(0);
        Duration::from_millis(self.work.load(Ordering::Relaxed).max(now))
    }

    fn peak_kb(&self) -> u64 {
        self.peak.load(Ordering::Relaxed).max(peak_kb(self.child.id()).unwrap_or(0))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The most memory that a process has had at once. `None` where the system does not tell.
fn peak_kb(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The time of the processor that a process has taken. `None` where the system does not tell.
fn work_milliseconds(id: u32) -> Option<u64> {
    const MILLISECONDS_OF_TICK: u64 = 10;
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11..13)?.iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some(ticks * MILLISECONDS_OF_TICK)
}

fn write_ruleset(folder: &Path, attack: &Attack) {
    let (rules, maps) = (folder.join("rulesets/attack"), folder.join("maps/attack"));
    fs::create_dir_all(&rules).unwrap();
    fs::create_dir_all(&maps).unwrap();
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let (width, height) = attack.board;
    let write = |path: &Path, text: String| fs::write(path, text).unwrap();
    write(
        &rules.join("ruleset.xml"),
        format!(
            "{head}<ruleset format=\"1\" id=\"attack\" title=\"Attack\" version=\"0.1.0\" licence=\"MIT\" seats=\"2\" minutes=\"2\" engine_min=\"0.1\">\
             <description>Two sides mark cells.</description><author>Nobody</author></ruleset>\n"
        ),
    );
    write(&rules.join("rules.rhai"), attack.script());
    write(
        &maps.join("board.map.xml"),
        format!(
            "{head}<map format=\"1\" id=\"board\" title=\"Board\"><square width=\"{width}\" height=\"{height}\" diagonals=\"no\"/></map>\n"
        ),
    );
    write(
        &maps.join("standard.scenario.xml"),
        format!("{head}<scenario format=\"1\" id=\"standard\" title=\"Standard\" ruleset=\"attack\" map=\"board\"/>\n"),
    );
}

fn program(content: &Path) -> Command {
    let own = env!("CARGO_BIN_EXE_boardwright").into();
    let mut command = Command::new(std::env::var_os("HOSTILE_PROGRAM").unwrap_or(own));
    command
        .current_dir(content)
        .env("HOME", content)
        .env("XDG_DATA_HOME", content.join("data"));
    command
}

/// Every code that JSON values name.
fn codes_of(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let is_error = fields.get("severity").is_some_and(|severity| severity == "error");
            if let Some(code) = fields.get("code").and_then(Value::as_str).filter(|_| is_error) {
                out.push(code.to_owned());
            }
            fields.values().for_each(|value| codes_of(value, out));
        }
        Value::Array(items) => items.iter().for_each(|value| codes_of(value, out)),
        _ => {}
    }
}

/// Runs a command to its end.
fn run(command: &mut Command) -> (Outcome, String) {
    let begun = Instant::now();
    let mut watched = Watched::start(command);
    drop(watched.child.stdin.take());
    let (mut out, mut err) = (watched.child.stdout.take().unwrap(), watched.child.stderr.take().unwrap());
    let reader = thread::spawn(move || {
        let mut text = String::new();
        drop(out.read_to_string(&mut text));
        text
    });
    let errors = thread::spawn(move || {
        let mut text = String::new();
        drop(err.read_to_string(&mut text));
        text
    });
    while watched.child.try_wait().unwrap().is_none() && begun.elapsed() < MOST_TIME {
        thread::sleep(Duration::from_millis(5));
    }
    let longest = begun.elapsed();
    let (peak_kb, work) = (watched.peak_kb(), watched.work());
    drop(watched);
    let (text, errors) = (reader.join().unwrap(), errors.join().unwrap());
    let outcome = Outcome {
        longest,
        said: format!("{text}{errors}"),
        peak_kb,
        work,
        ..Outcome::default()
    };
    (outcome, text)
}

fn check(content: &Path) -> Outcome {
    let (mut outcome, text) = run(program(content).args(["check", "attack", "--json", "--content", "."]));
    if let Ok(value) = serde_json::from_str(&text) {
        codes_of(&value, &mut outcome.codes);
    }
    outcome
}

fn arena(content: &Path) -> Outcome {
    let arguments = [
        "arena",
        "attack",
        "--players",
        "greedy,random",
        "--matches",
        "2",
        "--jobs",
        "1",
        "--content",
        ".",
    ];
    let (mut outcome, _) = run(program(content).args(arguments));
    outcome.codes = codes_in_text(&outcome.said);
    outcome
}

/// The codes in what is written for people: `error[CODE]`.
fn codes_in_text(text: &str) -> Vec<String> {
    let found = text.split("error[").skip(1).filter_map(|rest| rest.split_once(']'));
    found.map(|(code, _)| code.to_owned()).collect()
}

fn engine(content: &Path, asked: &[&str]) -> Outcome {
    let mut outcome = Outcome::default();
    let mut watched = Watched::start(program(content).args(["engine", "attack", "--content", "."]));
    let mut input = watched.child.stdin.take().unwrap();
    let output = BufReader::new(watched.child.stdout.take().unwrap());
    let mut errors = watched.child.stderr.take().unwrap();
    let (to, lines) = std::sync::mpsc::channel();
    thread::spawn(move || {
        for line in output.split(b'\n').map_while(Result::ok) {
            if to.send(line).is_err() {
                return;
            }
        }
    });
    // After the attack the program still answers, and knows its match.
    let asked = asked.iter().copied().chain([r#""do":"view""#]);
    for (id, request) in asked.enumerate() {
        let is_hint = request.contains("\"hint\"");
        let mut answered = None;
        let begun = Instant::now();
        drop(writeln!(input, "{{\"id\":{id},{request}}}"));
        let answer = loop {
            let Ok(line) = lines.recv_timeout(MOST_TIME.saturating_sub(begun.elapsed())) else {
                drop(watched.child.kill());
                drop(errors.read_to_string(&mut outcome.said));
                outcome.longest = begun.elapsed();
                outcome.said.push_str(&format!("\nno answer to {request}"));
                return outcome;
            };
            let value: Value = serde_json::from_slice(&line).unwrap();
            codes_of(&value, &mut outcome.codes);
            let text = String::from_utf8_lossy(&line);
            outcome.said.push_str(&text.chars().take(400).collect::<String>());
            outcome.said.push('\n');
            if value.get("reply").is_some() && value["id"] == id {
                answered = Some(value.clone());
            }
            // A hint comes later, or why there is none.
            let is_told = !is_hint || value["notice"] == "hint" || value["notice"] == "message" || value["reply"] == "error";
            if let Some(answer) = answered.take_if(|_| is_told) {
                break answer;
            }
        };
        outcome.longest = outcome.longest.max(begun.elapsed());
        if request.contains("\"view\"") && answer["reply"] != "view" {
            outcome.codes.push("no view".to_owned());
        }
    }
    (outcome.peak_kb, outcome.work) = (watched.peak_kb(), watched.work());
    outcome
}

fn run_all(attacks: &[Attack]) {
    let only = std::env::var("HOSTILE").unwrap_or_default();
    let mut failed = Vec::new();
    for attack in attacks.iter().filter(|attack| attack.name.contains(&only)) {
        let folder = tempfile::tempdir().unwrap();
        write_ruleset(folder.path(), attack);
        let outcome = match attack.way {
            Way::Check => check(folder.path()),
            Way::Engine => engine(folder.path(), attack.asked),
            Way::Arena => arena(folder.path()),
        };
        let (milliseconds, megabytes) = (outcome.longest.as_millis(), outcome.peak_kb >> 10);
        let work = outcome.work.as_millis();
        println!(
            "{:28} {milliseconds:6} ms, at work {work:6} ms {megabytes:5} MB  {}",
            attack.name,
            outcome.codes.join(" ")
        );
        let is_named = |code: &String| attack.codes.contains(&code.as_str());
        let is_told = outcome.codes.iter().any(is_named) || (outcome.codes.is_empty() && attack.codes.contains(&"done"));
        if !is_told || !outcome.codes.iter().all(is_named) {
            failed.push(format!(
                "{}: expected {:?}, found {:?}\n{}",
                attack.name, attack.codes, outcome.codes, outcome.said
            ));
        }
        if outcome.longest >= MOST_TIME {
            failed.push(format!("{}: no answer after {:?}\n{}", attack.name, outcome.longest, outcome.said));
        }
        if outcome.work > MOST_WORK {
            failed.push(format!("{}: {:?} of the processor", attack.name, outcome.work));
        }
        if outcome.peak_kb > MOST_MEMORY {
            failed.push(format!("{}: {megabytes} MB", attack.name));
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn a_match_that_cannot_begin_says_why() {
    run_all(&attacks::beginnings());
}

#[test]
fn lists_without_end_are_refused() {
    run_all(&attacks::lists());
}

#[test]
fn looks_without_measure_are_refused() {
    run_all(&attacks::looks());
}

#[test]
fn words_that_take_long_are_paid_for() {
    run_all(&attacks::words());
}

#[test]
fn values_that_grow_have_a_limit() {
    run_all(&attacks::values());
}

#[test]
fn hints_come_to_an_end() {
    run_all(&attacks::hints());
}

#[test]
fn an_arena_says_which_match_failed_and_goes_on() {
    run_all(&attacks::arenas());
}

#[test]
fn there_are_forty_kinds_of_attack() {
    let all = [
        attacks::beginnings(),
        attacks::lists(),
        attacks::looks(),
        attacks::words(),
        attacks::values(),
        attacks::hints(),
        attacks::arenas(),
    ];
    let mut names: Vec<&str> = all.iter().flatten().map(|attack| attack.name).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 40, "{names:?}");
}
