//! Random clicks, keys, drags, words and changes of rules, in matches against computer players. Nothing may panic, no request may break
//! down in the host, and what the window knows has to be what the host knows.
//!
//! What is done follows from a seed. `BOARDWRIGHT_FUZZ_SEED` sets another one, and `BOARDWRIGHT_FUZZ_MINUTES` goes on with new seeds for
//! so long in each of the rulesets.

use std::collections::VecDeque;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{panicking, sleep};
use std::time::{Duration, Instant};

use boardwright::client::Mirror;
use boardwright::client::local::MatchChoice;
use boardwright::client::messages::ViewSnapshot;
use boardwright::model::{SeatId, State};
use boardwright::ui::match_screen::MatchScreen;
use boardwright::ui::{App, Beginning};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::tap::{Tap, TappedContent};
use crate::support::{Opening, Window, own_content};

/// How many inputs a seed brings.
const INPUTS: usize = 200;
/// After how many of them window and host are compared.
const COMPARED_EVERY: usize = 20;
/// After how many of them a rule is changed.
const RULES_EVERY: usize = 80;
/// After how many inputs away from a match another one is begun.
const AWAY: usize = 40;
/// How often a comparison may find the window still asking for what it is missing.
const PATIENCE: usize = 200;
/// How many inputs are told when something went wrong.
const TOLD: usize = 40;

/// What comes next, from a seed (splitmix64).
struct Luck(u64);

impl Luck {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.below(all.len())).copied()
    }

    fn share(&mut self) -> f32 {
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

/// Keys with a meaning somewhere, and a few without.
const KEYS: [(Modifiers, Key); 45] = [
    (Modifiers::NONE, Key::Enter),
    (Modifiers::NONE, Key::Escape),
    (Modifiers::NONE, Key::Space),
    (Modifiers::NONE, Key::Tab),
    (Modifiers::SHIFT, Key::Tab),
    (Modifiers::NONE, Key::ArrowLeft),
    (Modifiers::NONE, Key::ArrowRight),
    (Modifiers::NONE, Key::ArrowUp),
    (Modifiers::NONE, Key::ArrowDown),
    (Modifiers::SHIFT, Key::ArrowLeft),
    (Modifiers::SHIFT, Key::ArrowDown),
    (Modifiers::NONE, Key::N),
    (Modifiers::SHIFT, Key::N),
    (Modifiers::NONE, Key::R),
    (Modifiers::SHIFT, Key::R),
    (Modifiers::NONE, Key::F),
    (Modifiers::NONE, Key::H),
    (Modifiers::NONE, Key::C),
    (Modifiers::NONE, Key::Home),
    (Modifiers::NONE, Key::End),
    (Modifiers::NONE, Key::PageUp),
    (Modifiers::NONE, Key::PageDown),
    (Modifiers::NONE, Key::Backspace),
    (Modifiers::NONE, Key::Delete),
    (Modifiers::NONE, Key::OpenBracket),
    (Modifiers::NONE, Key::CloseBracket),
    (Modifiers::NONE, Key::Num0),
    (Modifiers::NONE, Key::Plus),
    (Modifiers::NONE, Key::Minus),
    (Modifiers::NONE, Key::Questionmark),
    (Modifiers::NONE, Key::F1),
    (Modifiers::NONE, Key::F4),
    (Modifiers::NONE, Key::G),
    (Modifiers::COMMAND, Key::Z),
    (Modifiers::COMMAND, Key::Z),
    (Modifiers::COMMAND, Key::Y),
    (Modifiers::COMMAND, Key::S),
    (Modifiers::COMMAND, Key::O),
    (Modifiers::COMMAND, Key::Plus),
    (Modifiers::COMMAND, Key::Minus),
    (Modifiers::COMMAND, Key::A),
    (Modifiers::COMMAND, Key::X),
    (Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z),
    (Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S),
    (Modifiers::NONE, Key::F11),
];

const WORDS: [&str; 6] = ["a", "12", "Ž", "\u{1F9ED}", "}{", "fn f() { 1 }"];

impl Fuzz {
    fn new(ruleset: &str, players: &[(&str, &str)], seed: u64) -> Self {
        let (content, saves, tap) = (own_content(), tempfile::tempdir().unwrap(), Tap::default());
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            players: players
                .iter()
                .map(|(seat, player)| ((*seat).to_owned(), (*player).to_owned()))
                .collect(),
            seed: Some(seed),
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
        let opening = Opening::new(content.path(), Beginning::Match(choice)).sized(size);
        let window = opening
            .with(|settings| settings.plays_at_once = seed.is_multiple_of(2))
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

    fn mirror(&self) -> Option<&Mirror> {
        let app: &App = self.window.harness.state().as_ref()?;
        Some(app.running()?.desk().mirror())
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
            app.is_some_and(|app| app.running().is_some_and(|running| running.desk().state().is_some()))
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
        assert!(self.compared > 0, "nothing was ever compared");
        assert!(self.seen.events > 0, "nothing was ever played");
    }

    fn sees(&mut self) {
        let app = self.window.harness.state().as_ref();
        let Some(desk) = app.and_then(App::running).map(MatchScreen::desk) else {
            return;
        };
        let (at, length, first) = (desk.mirror().at(), desk.mirror().length(), desk.first());
        self.seen = Seen {
            events: self.seen.events.max(length.saturating_sub(first)),
            taken_back: self.seen.taken_back.max(length.saturating_sub(at)),
            reloads: self.seen.reloads.max(desk.changes.len()),
        };
    }

    fn does_something(&mut self) {
        match self.luck.below(100) {
            0..30 => self.clicks_something_offered(),
            30..56 => self.plays_something(),
            56..72 => self.clicks_any_control(),
            72..75 => {
                let at = self.any_place();
                self.clicks(at, "somewhere");
            }
            75..90 => {
                if let Some((modifiers, key)) = self.luck.one_of(&KEYS) {
                    self.notes(format!("key {modifiers:?} {key:?}"));
                    self.window.harness.key_press_modifiers(modifiers, key);
                }
            }
            90..95 => self.drags(),
            95..98 => self.turns_wheel(),
            _ => {
                if let Some(word) = self.luck.one_of(&WORDS) {
                    self.notes(format!("writes {word:?}"));
                    self.window.harness.event(Event::Text(word.to_owned()));
                }
            }
        }
    }

    fn any_place(&mut self) -> Pos2 {
        let whole = self.window.harness.ctx.content_rect().size();
        pos2(self.luck.share() * whole.x, self.luck.share() * whole.y)
    }

    /// The places of what is in sight, with its words.
    fn things(&self, is_wanted: impl Fn(Role, &str) -> bool) -> Vec<(Pos2, String)> {
        let whole = self.window.harness.ctx.content_rect();
        let nodes = self.window.harness.query_all_by_label_contains("");
        let things = nodes.filter_map(|node| {
            let (role, label) = (node.accesskit_node().role(), node.accesskit_node().label()?);
            let middle = node.rect().center();
            (is_wanted(role, &label) && whole.contains(middle)).then_some((middle, label))
        });
        things.collect()
    }

    fn clicks_one_of(&mut self, things: &[(Pos2, String)]) {
        match things.get(self.luck.below(things.len())).cloned() {
            Some((at, label)) => self.clicks(at, &label),
            None => self.notes("finds nothing to click".to_owned()),
        }
    }

    fn clicks_something_offered(&mut self) {
        let things = self.things(|_, label| label.contains("can be ") || label.contains(", chosen"));
        if things.is_empty() {
            // A dialog, a menu or a drawer may be in the way.
            self.notes("key Escape, as nothing is offered".to_owned());
            self.window.harness.key_press(Key::Escape);
        } else {
            self.clicks_one_of(&things);
        }
    }

    /// Goes on with a choice as somebody does who wants to play: by what is offered, and then by a button or Enter.
    fn plays_something(&mut self) {
        for _ in 0..=self.luck.below(3) {
            self.clicks_something_offered();
            self.window.harness.run_steps(2);
        }
        let words = ["Play", "Take ", "Drop them", "Done", "End ", "Draw"];
        let things = self.things(|role, label| role == Role::Button && words.iter().any(|word| label.starts_with(word)));
        if things.is_empty() || self.luck.below(2) == 0 {
            self.notes("key Enter".to_owned());
            self.window.harness.key_press(Key::Enter);
        } else {
            self.clicks_one_of(&things);
        }
    }

    fn clicks_any_control(&mut self) {
        let controls = [
            Role::Button,
            Role::CheckBox,
            Role::RadioButton,
            Role::Slider,
            Role::TextInput,
            Role::ComboBox,
            Role::Link,
        ];
        // Cells are buttons as well, and there are hundreds of them.
        let things = self.things(|role, label| controls.contains(&role) && !label.contains(", "));
        self.clicks_one_of(&things);
    }

    fn clicks(&mut self, at: Pos2, label: &str) {
        let is_other = self.luck.below(25) == 0;
        let button = if is_other {
            PointerButton::Secondary
        } else {
            PointerButton::Primary
        };
        let times = if self.luck.below(12) == 0 { 2 } else { 1 };
        self.notes(format!("clicks {times} times with {button:?} at {at:?}: {label}"));
        self.window.harness.hover_at(at);
        for _ in 0..times {
            for pressed in [true, false] {
                self.window.harness.event(Event::PointerButton {
                    pos: at,
                    button,
                    pressed,
                    modifiers: Modifiers::NONE,
                });
            }
        }
    }

    fn drags(&mut self) {
        let offered = self.things(|_, label| label.contains("can be "));
        let end = |fuzz: &mut Self| match offered.get(fuzz.luck.below(offered.len())) {
            Some((at, _)) if fuzz.luck.below(3) > 0 => *at,
            _ => fuzz.any_place(),
        };
        let (from, to) = (end(self), end(self));
        self.notes(format!("drags from {from:?} to {to:?}"));
        self.window.harness.hover_at(from);
        self.window.harness.step();
        self.window.harness.drag_at(from);
        self.window.harness.step();
        for share in [0.2, 0.6, 1.0] {
            self.window.harness.hover_at(from + (to - from) * share);
            self.window.harness.step();
        }
        self.window.harness.drop_at(to);
    }

    fn turns_wheel(&mut self) {
        let (at, up) = (self.any_place(), self.luck.below(2) == 0);
        self.notes(format!("turns the wheel at {at:?}"));
        self.window.harness.hover_at(at);
        self.window.harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: Vec2::new(0.0, if up { 90.0 } else { -90.0 }),
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
    }

    /// Changes a file of the rules: into other words for the same, into something broken, or back.
    fn changes_rules(&mut self) {
        let place = self.luck.below(self.rules.len());
        let (path, text) = self.rules[place].clone();
        let (what, changed) = match self.luck.below(4) {
            0 => ("breaks", format!("{text}\nfn broken( {{\n")),
            1 => ("renames things in", text.replace("title: \"", "title: \"New ")),
            2 => ("adds a line to", format!("{text}\n// {}\n", self.luck.next())),
            _ => ("mends", text),
        };
        let shown = path.strip_prefix(self.content.path()).unwrap_or(&path).display().to_string();
        self.notes(format!("{what} {shown}"));
        fs::write(path, changed).unwrap();
        self.has_changed_rules = true;
    }

    /// Begins a match again if there has been none for a while.
    fn comes_back(&mut self) {
        if self.mirror().is_some() {
            self.away = 0;
            return;
        }
        self.away += 1;
        if self.away.is_multiple_of(AWAY) {
            self.notes("starts a match".to_owned());
            self.window.harness.key_press(Key::Escape);
            self.window.harness.step();
            if let Some(start) = self.window.harness.query_by_label("Start the match") {
                start.click();
            }
        }
    }

    /// Compares what the window knows of the match with what the host knows, for each view that the window has.
    fn compares(&mut self) {
        let viewers: Vec<_> = self
            .mirror()
            .into_iter()
            .flat_map(Mirror::views)
            .map(|(viewer, _)| viewer)
            .collect();
        for viewer in viewers {
            let mut found = String::new();
            let is_same = (0..PATIENCE).any(|_| match self.difference(viewer) {
                None => true,
                Some(text) => {
                    found = text;
                    self.window.harness.step();
                    sleep(Duration::from_millis(10));
                    false
                }
            });
            assert!(is_same, "as {viewer:?} sees it: {found}");
            self.compared += 1;
        }
        if let Some(mirror) = self.mirror().filter(|_| !self.has_changed_rules) {
            assert_eq!(mirror.asked_anew(), 0, "a view was led on to what the host did not mean");
        }
    }

    /// In what the window differs from the host just now; none also where the window no longer has that view.
    fn difference(&mut self, viewer: Option<SeatId>) -> Option<String> {
        self.tap.asks(viewer);
        let begun = Instant::now();
        while !self.tap.is_answered() {
            if self.mirror().is_none() || begun.elapsed() > Duration::from_secs(20) {
                break;
            }
            self.window.harness.step();
            sleep(Duration::from_millis(1));
        }
        // The line is held: nothing reaches the window in between.
        let known = self.mirror().map(|mirror| known(mirror, viewer));
        let answered = self.tap.is_answered();
        let snapshot = self.tap.lets_go();
        match (known, snapshot) {
            (None | Some(None), _) => None,
            (Some(Some(_)), None) if answered => Some("the host does not show it".to_owned()),
            (Some(Some(_)), None) => Some("the host does not answer".to_owned()),
            (Some(Some(known)), Some(snapshot)) => compared(&known, &snapshot),
        }
    }
}

/// What a window knows of a match as a viewer sees it.
struct Known {
    state: Arc<State>,
    at: usize,
    length: usize,
    players: Vec<String>,
    is_paused: bool,
}

fn known(mirror: &Mirror, viewer: Option<SeatId>) -> Option<Known> {
    let state = mirror
        .views()
        .find(|(seat, _)| *seat == viewer)
        .map(|(_, state)| Arc::clone(state))?;
    Some(Known {
        state,
        at: mirror.at(),
        length: mirror.length(),
        players: mirror.players().to_vec(),
        is_paused: mirror.is_paused(),
    })
}

fn compared(known: &Known, host: &ViewSnapshot) -> Option<String> {
    let mut found = String::new();
    if known.state.position() != host.position {
        _ = write!(found, "the positions differ; ");
    }
    if known.state.parts() != host.state {
        _ = write!(found, "the states differ: {:?} is not {:?}; ", known.state.parts(), host.state);
    }
    if known.state.digest_from_scratch() != known.state.digest() {
        _ = write!(found, "the digest is not that of what is there; ");
    }
    if (known.at, known.length) != (host.at, host.length) {
        let (at, length) = (known.at, known.length);
        _ = write!(found, "at {at} of {length}, the host at {} of {}; ", host.at, host.length);
    }
    if (&known.players, known.is_paused) != (&host.players, host.paused) {
        _ = write!(found, "the players differ: {:?} and {:?}; ", known.players, host.players);
    }
    (!found.is_empty()).then_some(found)
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Plays with one seed, or with one after the other while there is time.
#[allow(clippy::print_stderr, reason = "a long run tells what it has seen")]
fn fuzzes(ruleset: &str, players: &[(&str, &str)]) {
    let mut seed = number("BOARDWRIGHT_FUZZ_SEED").unwrap_or(1);
    let until = Instant::now() + Duration::from_secs(60 * number("BOARDWRIGHT_FUZZ_MINUTES").unwrap_or(0));
    loop {
        let mut fuzz = Fuzz::new(ruleset, players, seed);
        fuzz.plays(INPUTS);
        eprintln!("{}: {:?}, compared {} times", fuzz.record.title, fuzz.seen, fuzz.compared);
        seed += 1;
        if Instant::now() >= until {
            return;
        }
    }
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
