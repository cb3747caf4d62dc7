//! Random clicks, keys, drags, words and changes of rules, in matches against computer players. Nothing may panic, no request may break
//! down in the host, and what the window knows has to be what the host knows.
//!
//! What is done follows from a seed. `BOARDWRIGHT_FUZZ_SEED` sets another one, and `BOARDWRIGHT_FUZZ_MINUTES` goes on with new seeds for
//! so long in each of the rulesets.

mod compared;
mod inputs;

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{panicking, sleep};
use std::time::{Duration, Instant};

use boardwright::client::MatchChoice;
use boardwright::client::Mirror;
use boardwright::ui::match_screen::MatchScreen;
use boardwright::ui::{App, StartScreen};
use egui::{Key, Modifiers, vec2};

use self::compared::{compared, known};
use crate::support::tap::{Tap, TappedContent};
use crate::support::{Opening, Window, own_content};

/// How many inputs a seed brings.
const INPUTS: usize = 200;
/// After how many of them window and host are compared.
const COMPARED_EVERY: usize = 20;
/// After how many of them a rule is changed.
const RULES_EVERY: usize = 80;
/// After how many inputs away from a match another one is begun.
const AWAY: usize = 15;
/// How often a comparison may find the window still asking for what it is missing.
const PATIENCE: usize = 200;
/// How many inputs are told when something went wrong.
const TOLD: usize = 40;

/// What comes next, from a seed (splitmix64).
pub(crate) struct Luck(u64);

impl Luck {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.below(all.len())).copied()
    }

    pub(crate) fn share(&mut self) -> f32 {
        self.below(10_000) as f32 / 10_000.0
    }
}

/// The inputs so far: told when the test fails.
struct Record {
    title: String,
    inputs: VecDeque<String>,
    count: usize,
}

impl Drop for Record {
    #[allow(clippy::print_stderr, reason = "tests say what led to a failure")]
    fn drop(&mut self) {
        if panicking() {
            let inputs: Vec<_> = self.inputs.iter().map(String::as_str).collect();
            eprintln!(
                "{}, after {} inputs, the last of them:\n{}",
                self.title,
                self.count,
                inputs.join("\n")
            );
        }
    }
}

/// A window, and somebody without a plan in front of it.
struct Fuzz {
    window: Window,
    tap: Tap,
    luck: Luck,
    record: Record,
    content: tempfile::TempDir,
    _saves: tempfile::TempDir,
    rules: Vec<(PathBuf, String)>,
    away: usize,
    compared: usize,
    has_changed_rules: bool,
    /// The most that was ever seen of the match.
    seen: Seen,
}

/// The most events that a match had, that were taken back, and the changes of rules that came into force.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    events: usize,
    taken_back: usize,
    reloads: usize,
}

impl Fuzz {
    fn new(ruleset: &str, players: &[(&str, &str)], seed: u64) -> Self {
        let (content, saves, tap) = (own_content(), tempfile::tempdir().unwrap(), Tap::default());
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            players: players
                .iter()
                .map(|(seat, player)| ((*seat).to_owned(), (*player).to_owned()))
                .collect(),
            seed: Some(seed.into()),
            watches: true,
            ..MatchChoice::default()
        };
        let folder = content.path().join("rulesets").join(ruleset);
        let scripts = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut rules: Vec<_> = scripts
            .filter(|path| path.extension().is_some_and(|ending| ending == "rhai"))
            .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
            .collect();
        rules.sort();
        let mut luck = Luck(seed);
        let size = [vec2(1280.0, 860.0), vec2(760.0, 520.0), vec2(1000.0, 700.0)][luck.below(3)];
        let tapped = TappedContent::new(content.path(), saves.path(), tap.clone());
        let opening = Opening::new(content.path(), StartScreen::Match(choice)).sized(size);
        let window = opening
            .with(|settings| settings.confirm_moves = seed.is_multiple_of(2))
            .open_with(Arc::new(tapped));
        Self {
            window,
            tap,
            luck,
            record: Record {
                title: format!("{ruleset} with the seed {seed}"),
                inputs: VecDeque::new(),
                count: 0,
            },
            content,
            _saves: saves,
            rules,
            away: 0,
            compared: 0,
            has_changed_rules: false,
            seen: Seen::default(),
        }
    }

    /// What the window knows of its match. None also of one that the editor tries out: no tap is on its line.
    fn mirror(&self) -> Option<&Mirror> {
        let app: &App = self.window.harness.state().as_ref().filter(|app| !app.is_trial())?;
        Some(app.running()?.controller().mirror())
    }

    fn notes(&mut self, input: String) {
        self.record.count += 1;
        self.record.inputs.push_back(input);
        if self.record.inputs.len() > TOLD {
            self.record.inputs.pop_front();
        }
    }

    /// Plays until so many inputs were made.
    fn plays(&mut self, inputs: usize) {
        self.window.waits_until("the match has begun", |window| {
            let app = window.harness.state().as_ref();
            app.is_some_and(|app| app.running().is_some_and(|running| running.controller().state().is_some()))
        });
        for count in 1..=inputs {
            self.does_something();
            for _ in 0..=self.luck.below(2) {
                self.window.harness.step();
            }
            if self.luck.below(4) == 0 {
                // The threads of host, players and watcher want their share.
                sleep(Duration::from_millis(3));
            }
            if count % RULES_EVERY == 0 {
                self.changes_rules();
            }
            if count % COMPARED_EVERY == 0 {
                self.compares();
            }
            self.comes_back();
            self.sees();
            let breakdowns = self.tap.breakdowns();
            assert!(breakdowns.is_empty(), "{breakdowns:?}");
        }
    }

    fn sees(&mut self) {
        let app = self.window.harness.state().as_ref();
        let Some(controller) = app.and_then(App::running).map(MatchScreen::controller) else {
            return;
        };
        let (at, length, first) = (controller.mirror().at(), controller.mirror().length(), controller.first());
        self.seen = Seen {
            events: self.seen.events.max(length.saturating_sub(first)),
            taken_back: self.seen.taken_back.max(length.saturating_sub(at)),
            reloads: self.seen.reloads.max(controller.rule_changes().len()),
        };
    }
}

pub(crate) fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Plays with one seed, or with one after the other while there is time.
#[allow(clippy::print_stderr, reason = "a long run tells what it has seen")]
fn fuzzes(ruleset: &str, players: &[(&str, &str)]) {
    const MOST_SEEDS: u64 = 8;
    let first = number("BOARDWRIGHT_FUZZ_SEED").unwrap_or(1);
    let mut seed = first;
    let until = Instant::now() + Duration::from_secs(60 * number("BOARDWRIGHT_FUZZ_MINUTES").unwrap_or(0));
    let (mut compared, mut events) = (0, 0);
    loop {
        let mut fuzz = Fuzz::new(ruleset, players, seed);
        fuzz.plays(INPUTS);
        eprintln!("{}: {:?}, compared {} times", fuzz.record.title, fuzz.seen, fuzz.compared);
        // A seed may lead out of the match and stay away, but not all of them.
        (compared, events) = (compared + fuzz.compared, events + fuzz.seen.events);
        seed += 1;
        // Where luck had it that nothing was played, the next seeds are tried as well.
        let has_played = compared > 0 && events > 0;
        if Instant::now() >= until && (has_played || seed > first + MOST_SEEDS) {
            break;
        }
    }
    assert!(compared > 0, "nothing was ever compared");
    assert!(events > 0, "nothing was ever played");
}

#[test]
fn nothing_anybody_does_breaks_a_match_on_points() {
    fuzzes("sixteen-soldiers", &[("blue", "search:1")]);
}

#[test]
fn nothing_anybody_does_breaks_a_match_on_squares() {
    fuzzes("tic-tac-toe", &[("noughts", "random")]);
}

#[test]
fn nothing_anybody_does_breaks_a_match_with_hands_and_dice() {
    fuzzes("conquest", &[("red", "human"), ("blue", "random")]);
}

#[test]
fn nothing_anybody_does_breaks_a_match_of_shapes() {
    fuzzes("cornered", &[("yellow", "random"), ("green", "greedy")]);
}

#[test]
fn a_window_that_differs_from_its_host_is_found_out() {
    let mut fuzz = Fuzz::new("tic-tac-toe", &[], 1);
    fuzz.window.sees("a1, empty, can be chosen");
    assert_eq!(fuzz.difference(None), None);
    let before = fuzz.mirror().and_then(|mirror| known(mirror, None)).unwrap();
    fuzz.window.clicks("a1, empty, can be chosen").presses(Modifiers::NONE, Key::Enter);
    fuzz.window.sees("mark a1");
    fuzz.tap.asks(None);
    fuzz.window.waits_until("the host tells", |_| fuzz.tap.is_answered());
    let host = fuzz.tap.lets_go().unwrap();
    let found = compared(&before, &host).unwrap();
    for part in ["the positions differ", "the states differ", "at 1 of 1, the host at 2 of 2"] {
        assert!(found.contains(part), "{part} is not in {found}");
    }
}
