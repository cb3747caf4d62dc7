//! Scripts that try to harm the program they run in. Each has to end within its budget with the fault its first line names, and
//! leave the program in use.
//!
//! `tests/hostile/*.rhai` begin with `// expect: CODE ..`: the codes of the faults or diagnostics that are right, or `done` if the
//! script may come to its end. A second line `// repeat N: TEXT` puts N times the text in place of `@@`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly and tell figures"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use boardwright::model::diagnostic::Code;
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::limits::OPERATIONS;
use boardwright::script::{Fault, Limits, Program, begin_comparing, compile, end_comparing};

const GOOD: &str = "fn good() { let sum = 0; for n in [40, 2] { sum += n; } sum }";

/// Memory the whole process may have had at its peak, in kB.
const MEMORY_KB: u64 = 256 << 10;
/// Time beyond the budget that a loaded machine may need to come back from a script.
const GRACE: Duration = Duration::from_secs(10);

fn library() -> Layer {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/library");
    read(&folder)
        .into_iter()
        .fold(Layer::new("library"), |layer, (name, text)| layer.with(name, text))
}

fn read(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            files.insert(
                path.file_name().unwrap().to_string_lossy().into_owned(),
                std::fs::read_to_string(&path).unwrap(),
            );
        }
    }
    files
}

/// The codes that are right, and the script.
fn prepare(text: &str) -> (Vec<String>, String) {
    let first = text.lines().next().unwrap_or_default();
    let codes = first
        .strip_prefix("// expect: ")
        .unwrap_or_else(|| panic!("no expectation: {first}"));
    let codes = codes.split_whitespace().map(str::to_owned).collect();
    let repeat = text
        .lines()
        .nth(1)
        .and_then(|line| line.strip_prefix("// repeat ")?.split_once(": "));
    let script = match repeat {
        Some((count, unit)) => {
            let (head, body) = text.split_at(text.match_indices('\n').nth(1).unwrap().0);
            assert!(body.contains("@@"), "{head}");
            body.replace("@@", &unit.repeat(count.parse().unwrap()))
        }
        None => text.to_owned(),
    };
    (codes, script)
}

fn good(program: &Program) {
    assert_eq!(program.call_as::<i64>("good", ()).unwrap_or_else(|fault| panic!("{fault}")), 42);
}

/// How a script ends: its code and what is said about it.
fn run(script: &str, limits: &Limits) -> (String, String) {
    let layer = Layer::new("hostile").with("attack.rhai", script).with("good.rhai", GOOD);
    match compile(&Sources::of(layer).with_library(library()), limits, &|_| {}) {
        Err(found) => {
            let first = found.iter().next().unwrap();
            (first.code.text().to_owned(), first.render())
        }
        Ok(program) => {
            good(&program);
            // Twice: the second time finds what the first left behind.
            let _ = program.call("attack", ());
            let end = match program.call_as::<i64>("attack", ()) {
                Ok(value) => ("done".to_owned(), value.to_string()),
                Err(fault) => (fault.diagnostic.code.to_string(), render(&fault)),
            };
            good(&program);
            end
        }
    }
}

fn render(fault: &Fault) -> String {
    fault.with_calls().render()
}

/// What lowered code comes to where it comes to an end is what the engine comes to.
#[test]
fn lowered_code_and_the_engine_end_alike() {
    let limits = Limits::default().with_budget(OPERATIONS, Duration::from_millis(1500));
    let scripts = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile"));
    begin_comparing();
    for text in scripts.values() {
        run(&prepare(text).1, &limits);
    }
    let comparison = end_comparing();
    let runs: u64 = comparison.runs.values().map(|(lowered, _)| lowered).sum();
    assert!(runs > 100, "{runs} runs in lowered form");
    assert!(comparison.differences.is_empty(), "{:#?}", comparison.differences);
}

/// The most memory the process had at once so far, in kB. `None` where the system does not tell.
fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn hostile_scripts_end_with_the_fault_that_is_named_and_harm_nothing() {
    let only = std::env::var("HOSTILE").unwrap_or_default();
    // More time than usual, so that a loaded machine changes nothing; the clock has a test of its own.
    let limits = Limits::default().with_budget(OPERATIONS, Duration::from_millis(1500));
    let mut failed = Vec::new();
    let scripts = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile"));
    assert!(scripts.len() >= 45, "{} scripts", scripts.len());
    for (name, text) in scripts.iter().filter(|(name, _)| name.contains(&only)) {
        let (codes, script) = prepare(text);
        let (before, start) = (peak_kb(), Instant::now());
        let (code, said) = run(&script, &limits);
        let took = start.elapsed();
        let peak = peak_kb();
        let grown = peak.unwrap_or(0).saturating_sub(before.unwrap_or(0));
        println!(
            "{name:32} {code:20} {:6} ms {:8} kB more, {:8} kB",
            took.as_millis(),
            grown,
            peak.unwrap_or(0)
        );
        // On a slow machine the clock may come before another budget.
        let is_late = code == "budget-time" && codes.iter().any(|code| code.starts_with("budget-"));
        if !(codes.contains(&code) || is_late) {
            failed.push(format!("{name}: expected {codes:?}, found {code}\n{said}"));
        }
        // Two calls. What other programs take of the machine meanwhile is not counted by the budget, but by this clock.
        if took > limits.wall * 4 + GRACE {
            failed.push(format!("{name}: took {took:?}"));
        }
        if peak.is_some_and(|peak| peak > MEMORY_KB) && before.is_some_and(|before| before <= MEMORY_KB) {
            failed.push(format!("{name}: {peak:?} kB"));
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// The clock stops most scripts long before they have what they may have. Without it, what they can hold at once is still bounded.
#[test]
fn memory_is_bounded_without_a_clock() {
    let limits = Limits::default().with_budget(50_000_000, Duration::from_mins(1));
    for (name, text) in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")) {
        if name.starts_with("growth-levels") {
            let (code, _) = run(&prepare(&text).1, &limits);
            println!("{name:32} {code:20} {:8} kB", peak_kb().unwrap_or(0));
            assert!(code.starts_with("budget-"), "{name}: {code}");
        }
    }
    assert!(peak_kb().is_none_or(|peak| peak < MEMORY_KB), "{:?} kB", peak_kb());
}

#[test]
fn the_clock_ends_what_operations_do_not() {
    let wall = Duration::from_millis(50);
    let limits = Limits::default().with_budget(u64::MAX, wall);
    let heavy = "fn attack() { let l = []; for i in 0..900 { l.push([i]); } loop { let m = l; m.reverse(); m.index_of([-1]); } }";
    for script in [
        heavy,
        "fn attack() { loop { } }",
        "fn attack() { loop { try { loop { } } catch { } } }",
    ] {
        let layer = Layer::new("hostile").with("attack.rhai", script).with("good.rhai", GOOD);
        let program = compile(&Sources::of(layer), &limits, &|_| {}).unwrap();
        let start = Instant::now();
        let fault = program.call("attack", ()).unwrap_err();
        let took = start.elapsed();
        assert_eq!(fault.diagnostic.code, Code::BudgetTime);
        assert!(took < wall + GRACE, "{took:?}");
        good(&program);
    }
}

#[test]
fn an_interrupt_stops_a_loop() {
    let forever = "fn forever() { let l = [1, 2]; loop { l = l.map(|x| x); } }";
    let layer = Layer::new("hostile").with("attack.rhai", forever).with("good.rhai", GOOD);
    let limits = Limits::default().with_budget(u64::MAX, Duration::from_mins(1));
    let program = compile(&Sources::of(layer), &limits, &|_| {}).unwrap();
    let interrupt = program.meter().interrupt();
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        interrupt.raise();
    });
    let fault = program.call("forever", ()).unwrap_err();
    raiser.join().unwrap();
    assert_eq!(fault.diagnostic.code, Code::Interrupted);
    program.meter().interrupt().clear();
    good(&program);
}
