//! What authors and players wait for, measured through the whole program: a changed rule that comes into force, the first answer of
//! `boardwright engine`, the move of a computer player after a second. Figures stand in docs/performance.md.
//!
//!     cargo bench --bench waits [reload] [compile] [trial] [engine] [search] [playouts]
//!
//! What counts work is given per second of processor time of its own thread, so that a busy machine does not show in it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench that cannot run has to stop, and tells figures"
)]

#[path = "../tests/suite/common.rs"]
mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright::client::Connection;
use boardwright::client::MatchChoice;
use boardwright::content::{Catalog, WatchSettings};
use boardwright::local::LocalMatch;
use boardwright::model::State;
use boardwright::players::{AlphaBeta, Budget, Decision, Level, Player};
use boardwright::protocol::{Command as Request, FromHost, Notice, Reply};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, RulesSource, Transaction, playout};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use boardwright_fixtures::copy_folder;
use common::Bundled;

const RULESET: &str = "sixteen-soldiers";

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let all: [(&str, fn()); 6] = [
        ("reload", reload),
        ("compile", compile),
        ("trial", trial),
        ("engine", engine),
        ("search", search),
        ("playouts", playouts),
    ];
    for (name, measure) in all {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            measure();
        }
    }
}

/// From the write of a ruleset's file of 2,000 lines to the notice that its rules are in force in a running match.
fn reload() {
    const ROUNDS: usize = 41;
    let (folder, rules) = copy_of_ruleset();
    let long = lengthened(&fs::read_to_string(&rules).unwrap());
    fs::write(&rules, &long).unwrap();
    let choice = MatchChoice {
        ruleset: RULESET.to_owned(),
        watches: true,
        ..MatchChoice::default()
    };
    let running = LocalMatch::begin(&Catalog::scan(&[folder.path().to_path_buf()]), &choice).unwrap_or_else(|error| panic!("{error}"));
    let mut client = Connection::open(Box::new(running.connect(None))).unwrap();
    client.settle().unwrap();
    let waits = (0..ROUNDS).map(|round| {
        fs::write(&rules, format!("{long}\n// {round}\n")).unwrap();
        let written = Instant::now();
        loop {
            match client.poll(Some(Duration::from_secs(10))).unwrap() {
                Some(FromHost::Notice(Notice::Reloaded { .. })) => return written.elapsed(),
                Some(_) => {}
                None => panic!("no reload"),
            }
        }
    });
    let middle = median(waits.collect());
    let quiet = WatchSettings::default().quiet;
    println!(
        "reload of {} lines, from the file's write to the notice: median {:.1} ms, of which {} ms are the wait for quiet: {:.1} ms beyond it",
        long.lines().count(),
        milliseconds(middle),
        quiet.as_millis(),
        milliseconds(middle.saturating_sub(quiet))
    );
}

/// The ruleset with functions added until it has 2,000 lines.
fn lengthened(text: &str) -> String {
    let mut long = text.to_owned();
    let mut number = 0;
    while long.lines().count() < 2_000 {
        number += 1;
        long += &format!("\n/// 9 A helper.\nfn helper_{number}(view) {{\n    let own = view.seat.cells;\n    own.count\n}}\n");
    }
    long
}

/// A folder with a copy of the ruleset and its maps, and the file of its rules.
fn copy_of_ruleset() -> (tempfile::TempDir, PathBuf) {
    let content = tempfile::tempdir().unwrap();
    for part in ["rulesets", "maps"] {
        copy_folder(&common::root().join(part).join(RULESET), &content.path().join(part).join(RULESET)).unwrap();
    }
    copy_folder(&common::root().join("scripts"), &content.path().join("scripts")).unwrap();
    let rules = content.path().join("rulesets").join(RULESET).join("rules.rhai");
    (content, rules)
}

/// How long a thread takes to make rules of sources that another one has compiled already, for the largest ruleset and for one of 2,000 lines.
fn compile() {
    const ROUNDS: usize = 41;
    let lengthened = {
        let text = fs::read_to_string(common::root().join("rulesets").join(RULESET).join("rules.rhai")).unwrap();
        let layer = Layer::new(format!("rulesets/{RULESET}")).with("rules.rhai", lengthened(&text));
        Bundled::with(RULESET, "standard", Sources::of(layer))
    };
    for (name, bundled) in [("conquest", Bundled::read("conquest", "war")), ("2,000 lines", lengthened)] {
        let setup = bundled.setup();
        let measure = |run: &mut dyn FnMut()| {
            let times = (0..ROUNDS).map(|_| {
                let begun = Instant::now();
                run();
                begun.elapsed()
            });
            milliseconds(median(times.collect()))
        };
        let sources = Arc::clone(bundled.source.sources());
        let source = measure(&mut || drop(ScriptSource::new(Arc::clone(&sources), Limits::default()).unwrap()));
        let declarations = bundled.source.declarations();
        let rules = measure(&mut || drop(bundled.source.rules(&bundled.board, declarations, setup.options()).unwrap()));
        println!("compile, {name}: median {source:.1} ms with declarations and lints, {rules:.1} ms once more on another thread");
    }
}

/// How long a healthy match takes to answer `view` while hostile rules are tried on it, time after time.
fn trial() {
    const ROUNDS: usize = 20;
    let (folder, rules) = copy_of_ruleset();
    let healthy = fs::read_to_string(&rules).unwrap();
    let choice = MatchChoice {
        ruleset: RULESET.to_owned(),
        watches: true,
        ..MatchChoice::default()
    };
    let running = LocalMatch::begin(&Catalog::scan(&[folder.path().to_path_buf()]), &choice).unwrap_or_else(|error| panic!("{error}"));
    let mut client = Connection::open(Box::new(running.connect(None))).unwrap();
    client.settle().unwrap();
    for (name, hook) in [
        ("a loop", "fn migrate(turn) { loop { } }"),
        ("a loop of a native", "fn migrate(turn) { loop { turn.cells.neighbours; } }"),
        (
            "long looks",
            "fn look_cell(view, cell) { let n = 0; while n < 300000 { n += 1; } () }",
        ),
    ] {
        let mut waits = Vec::new();
        let (mut tried, mut longest) = (0, Duration::ZERO);
        for round in 0..ROUNDS {
            fs::write(&rules, format!("{healthy}\n/// 9 Hostile.\n{hook}\n// {round}\n")).unwrap();
            let written = Instant::now();
            while written.elapsed() < Duration::from_millis(500) {
                let asked = Instant::now();
                let reply = client.ask(Request::View { seat: None }).unwrap();
                assert!(matches!(reply, Reply::View(_)), "no view");
                waits.push(asked.elapsed());
                longest = longest.max(asked.elapsed());
                std::thread::sleep(Duration::from_millis(1));
            }
            tried += 1;
        }
        println!(
            "view while rules with {name} are tried {tried} times: median {:.2} ms, longest {:.1} ms of {} answers",
            milliseconds(median(waits.clone())),
            milliseconds(longest),
            waits.len()
        );
    }
}

/// From the start of the process to its first line.
fn engine() {
    const ROUNDS: usize = 21;
    let waits = (0..ROUNDS).map(|_| {
        let begun = Instant::now();
        let mut engine = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["engine", RULESET])
            .current_dir(common::root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = engine.stdin.take().unwrap();
        input.write_all(b"{\"id\":1,\"do\":\"legal\"}\n").unwrap();
        let answered = BufReader::new(engine.stdout.take().unwrap())
            .lines()
            .map(Result::unwrap)
            .any(|line| line.starts_with("{\"id\":1,"));
        let waited = begun.elapsed();
        assert!(answered, "no answer");
        drop(input);
        engine.wait().unwrap();
        waited
    });
    println!(
        "engine, from its start to its first answer: median {:.1} ms",
        milliseconds(median(waits.collect()))
    );
}

/// How deep the search of the strongest level comes in a second of play, and what it does in a second of processor time.
fn search() {
    let (rules, start) = Bundled::read(RULESET, "standard").begin(1);
    let mut transaction = Transaction::new(Arc::clone(&start), Luck::Forbidden);
    let mut generator = Generator::new(3);
    playout(&*rules, &mut transaction, &mut generator, 20, &mut PlayoutBuffers::default()).unwrap_or_else(|error| panic!("{error}"));
    let (later, ..) = transaction.into_parts();
    for (name, state) in [("from the start", &start), ("after 20 random actions", &later)] {
        let seat = state.acting().first().unwrap();
        let mut player = AlphaBeta::new(Level::HIGHEST, 1);
        let begun = processor_time();
        let choice = player.choose(
            Decision {
                rules: &*rules,
                state,
                seat,
                budget: &Budget::time(Duration::from_secs(1)),
            },
            &mut |_| {},
        );
        let spent = processor_time().saturating_sub(begun);
        let choice = choice.unwrap_or_else(|error| panic!("{error}"));
        println!(
            "alpha-beta {name}, one second: depth {}, {} actions tried, {:.0} a second of processor time",
            choice.depth,
            choice.nodes,
            choice.nodes as f64 / spent.as_secs_f64()
        );
    }
}

/// Random play to the end, in the path that search uses.
fn playouts() {
    const MATCHES: usize = 10_000;
    let (rules, start) = Bundled::read(RULESET, "standard").begin(1);
    let (mut generator, mut room, mut played) = (Generator::new(9), PlayoutBuffers::default(), 0);
    let begun = processor_time();
    for _ in 0..MATCHES {
        let mut transaction = Transaction::new(Arc::new(State::clone(&start)), Luck::Forbidden);
        played += playout(&*rules, &mut transaction, &mut generator, 5_000, &mut room).unwrap_or_else(|error| panic!("{error}"));
    }
    let spent = processor_time().saturating_sub(begun).as_secs_f64();
    println!(
        "random play to the end: {MATCHES} matches of {:.0} actions, {:.0} actions a second of processor time",
        played as f64 / MATCHES as f64,
        played as f64 / spent
    );
}

/// How long this thread has been on a processor. Linux tells; elsewhere the clock has to do.
fn processor_time() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap(),
        Duration::from_nanos,
    )
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
