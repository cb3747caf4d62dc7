//! The program itself: its window on a display of its own, played by synthetic clicks and keys.
//!
//! Where to click is read off a twin of the window, which has the same size and is driven by labels; what came of the clicks is
//! read from the title of the window and from the file the program saves. It needs `Xvfb` and `xdotool`, and is skipped with a
//! message where they are not installed.
#![allow(clippy::print_stderr, reason = "tests say why they are skipped")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Opening, REAL_SIZE, Window, of_people, own_content};
use boardwright::content::{Save, SaveSummary};
use boardwright::local::interrupted_autosaves;
use boardwright::ui::{EditRequest, StartScreen};
use egui::{Key, Modifiers, Pos2};

/// How long the program may take for anything.
const PATIENCE: Duration = Duration::from_mins(1);

/// A display that nobody sees.
struct Display {
    process: Child,
    name: String,
}

impl Display {
    /// Starts a display; none where that cannot be done.
    fn start() -> Option<Self> {
        for tool in ["Xvfb", "xdotool"] {
            let is_there = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join(tool).is_file());
            if !is_there {
                eprintln!("skipped: {tool} is not installed; `./check.sh packages` installs it");
                return None;
            }
        }
        // The server writes the number of the display it took to its standard output.
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x820x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = process.stdout.take().unwrap();
        let mut number = String::new();
        BufReader::new(output).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Some(Self {
            process,
            name: format!(":{}", number.trim()),
        })
    }

    fn does(&self, words: &[&str]) -> String {
        let done = Command::new("xdotool").args(words).env("DISPLAY", &self.name).output().unwrap();
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The program, running in its window.
struct Program {
    display: Display,
    process: Child,
    window: String,
    home: tempfile::TempDir,
}

impl Program {
    fn start(content: &Path, words: &[&str]) -> Option<Self> {
        let display = Display::start()?;
        let home = tempfile::tempdir().unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .arg("--content")
            .arg(content)
            .args(words)
            .env("DISPLAY", &display.name)
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("HOME", home.path())
            .env("XDG_DATA_HOME", home.path().join("data"))
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env("XDG_CACHE_HOME", home.path().join("cache"))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .spawn()
            .unwrap();
        let mut program = Self {
            display,
            process,
            window: String::new(),
            home,
        };
        program.waits("the window opens", |program| {
            let found = program.display.does(&["search", "--onlyvisible", "--name", "."]);
            found.lines().last().unwrap_or_default().clone_into(&mut program.window);
            !program.window.is_empty()
        });
        // There is no window manager that would give the window the keys.
        program.display.does(&["windowfocus", &program.window]);
        Some(program)
    }

    fn waits(&mut self, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < PATIENCE, "in vain: {what}; the title is `{}`", self.title());
            assert!(self.process.try_wait().unwrap().is_none(), "the program has ended before {what}");
            sleep(Duration::from_millis(50));
        }
    }

    fn title(&self) -> String {
        self.display.does(&["getwindowname", &self.window])
    }

    /// Whether the title says something within a time.
    fn says(&self, part: &str, patience: Duration) -> bool {
        let begun = Instant::now();
        loop {
            if self.title().contains(part) {
                return true;
            }
            if begun.elapsed() > patience {
                return false;
            }
            sleep(Duration::from_millis(30));
        }
    }

    /// Clicks a cell, which plays, until the title says what comes then.
    ///
    /// A click means nothing before the rules have said what can be picked, and two clicks within one frame are one. Neither is seen from
    /// outside, and on a busy machine a frame takes long: so the choice is made again, and more slowly each time.
    fn plays(&mut self, cell: Pos2, next: &str) {
        let begun = Instant::now();
        for round in 1.. {
            let pause = Duration::from_millis(200 * round);
            self.clicks(cell);
            if self.says(next, 3 * pause) {
                return;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "in vain: the title says `{next}`; it is `{}`",
                self.title()
            );
            assert!(self.process.try_wait().unwrap().is_none(), "the program has ended before `{next}`");
            self.presses("Escape");
            sleep(pause);
        }
    }

    fn waits_for_title(&mut self, part: &str) -> &mut Self {
        self.waits(&format!("the title says `{part}`"), |program| program.title().contains(part));
        self
    }

    fn clicks(&self, place: Pos2) {
        let [x, y] = [place.x, place.y].map(|part| part.round().to_string());
        self.display.does(&["mousemove", "--window", &self.window, &x, &y]);
        sleep(Duration::from_millis(150));
        self.display.does(&["click", "1"]);
        sleep(Duration::from_millis(250));
    }

    /// Drags with the first button over places one after the other.
    fn drags(&self, places: &[Pos2]) {
        for (step, place) in places.iter().enumerate() {
            let [x, y] = [place.x, place.y].map(|part| part.round().to_string());
            self.display.does(&["mousemove", "--window", &self.window, &x, &y]);
            sleep(Duration::from_millis(150));
            if step == 0 {
                self.display.does(&["mousedown", "1"]);
                sleep(Duration::from_millis(150));
            }
        }
        self.display.does(&["mouseup", "1"]);
        sleep(Duration::from_millis(250));
    }

    fn writes(&self, text: &str) {
        self.display.does(&["type", "--delay", "60", text]);
        sleep(Duration::from_millis(250));
    }

    /// Does something again and again, more slowly each time, until it is seen that it has been done. It has to be something that may be
    /// done twice: how far the program has come with what was done before is not seen from outside.
    fn does_until(&mut self, what: &str, mut does: impl FnMut(&Self), mut holds: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        for round in 1.. {
            does(self);
            let pause = Instant::now();
            while pause.elapsed() < Duration::from_millis(700 * round) {
                if holds(self) {
                    return;
                }
                sleep(Duration::from_millis(50));
            }
            assert!(begun.elapsed() < PATIENCE, "in vain: {what}; the title is `{}`", self.title());
            assert!(self.process.try_wait().unwrap().is_none(), "the program has ended before {what}");
        }
    }

    fn presses(&self, keys: &str) {
        self.display.does(&["key", keys]);
        sleep(Duration::from_millis(250));
    }

    fn saves(&self) -> Vec<PathBuf> {
        let folder = self.home.path().join("data/boardwright/saves");
        let files = fs::read_dir(folder).map(|files| files.map(|file| file.unwrap().path()).collect::<Vec<_>>());
        let mut files = files.unwrap_or_default();
        files.retain(|file| file.to_string_lossy().ends_with(".save.xml"));
        files.sort();
        files
    }

    /// Saves by the key for it, and reads the notation of everything played.
    fn saves_and_reads(&mut self) -> Vec<String> {
        // Two saves of one second have one name.
        self.saves().iter().for_each(|file| fs::remove_file(file).unwrap());
        self.presses("ctrl+s");
        self.waits("the match is saved", |program| !program.saves().is_empty());
        let newest = self.saves().pop().unwrap();
        let save = Save::open(&newest, "the save").unwrap();
        let events = save.journal.events().iter().filter(|event| event.action().is_some());
        events.map(|event| event.notation.to_string()).collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A window of the same size as the real one, which says where things are.
fn twin(content: &Path, ruleset: &str) -> Window {
    Opening::new(content, StartScreen::Match(of_people(ruleset)))
        .sized(REAL_SIZE)
        .open()
}

#[test]
fn a_match_is_played_to_its_end_in_the_real_window() {
    let content = own_content();
    let Some(mut program) = Program::start(content.path(), &["play", "tic-tac-toe"]) else {
        return;
    };
    let mut twin = twin(content.path(), "tic-tac-toe");
    program.waits_for_title("Crosses to move");
    for (turn, cell) in ["b2", "a1", "a3", "c1", "c3", "b1"].into_iter().enumerate() {
        let place = twin.clicks_at(&format!("{cell}, empty, can be chosen"));
        let next = match turn {
            5 => "Noughts won",
            turn if turn % 2 == 0 => "Noughts to move",
            _ => "Crosses to move",
        };
        program.plays(place, next);
    }
    let played = program.saves_and_reads();
    assert_eq!(played, ["mark b2", "mark a1", "mark a3", "mark c1", "mark c3", "mark b1"]);
}

#[test]
fn the_computer_answers_keys_undo_and_a_changed_rule_takes_force_in_the_real_window() {
    let content = own_content();
    let words = ["play", "sixteen-soldiers", "--seat", "blue=search:1", "--seed", "1"];
    let Some(mut program) = Program::start(content.path(), &words) else {
        return;
    };
    let mut twin = twin(content.path(), "sixteen-soldiers");
    program.waits_for_title("Red to move");
    let from = twin.clicks_at("c4, red soldier, can be picked");
    let to = twin.clicks_at("c5, empty, can be chosen");
    let (mut played, mut round) = (Vec::new(), 0);
    program.waits("the computer has answered", |program| {
        // As in `plays`: again and more slowly until it has been played. The title says the same before and after.
        if played.is_empty() {
            let pause = Duration::from_millis(200 * round);
            program.presses("Escape");
            program.clicks(from);
            sleep(pause);
            program.clicks(to);
            sleep(pause);
            round += 1;
        }
        played = program.saves_and_reads();
        played.len() == 2
    });
    assert_eq!(played[0], "c4-c5");

    program.presses("ctrl+z");
    program.presses("ctrl+y");
    program.waits_for_title("Red to move");
    assert_eq!(program.saves_and_reads(), played);

    let rules = content.path().join("rulesets/sixteen-soldiers/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("title: \"Red\"", "title: \"Crimson\"")).unwrap();
    program.waits_for_title("Crimson to move");
    fs::write(&rules, text.replace("fn plain_step() {", "fn plain_step( {")).unwrap();
    sleep(Duration::from_secs(1));
    assert!(program.title().contains("Crimson to move"), "{}", program.title());
    program.presses("ctrl+z");
    fs::write(&rules, &text).unwrap();
    program.presses("ctrl+y");
    program.waits_for_title("Red to move");
}

#[test]
fn a_match_outlives_the_killing_of_the_program() {
    let content = own_content();
    let Some(mut program) = Program::start(content.path(), &["play", "tic-tac-toe"]) else {
        return;
    };
    let mut twin = twin(content.path(), "tic-tac-toe");
    program.waits_for_title("Crosses to move");
    program.clicks(twin.clicks_at("b2, empty, can be chosen"));
    program.waits_for_title("Noughts to move");
    let saves = program.home.path().join("data/boardwright/saves");
    let has_copy = || fs::read_dir(saves.join("automatic")).is_ok_and(|files| files.count() > 1);
    program.waits("the match is auto-saved", |_| has_copy());
    assert!(interrupted_autosaves(&saves).is_empty(), "it is running");

    program.process.kill().unwrap();
    program.process.wait().unwrap();
    let copies = interrupted_autosaves(&saves);
    assert_eq!(copies.len(), 1);
    let summary = SaveSummary::open(&copies[0], "the copy").unwrap();
    assert_eq!((summary.actions, summary.is_finished), (1, false));
}

#[test]
fn a_map_and_a_scenario_are_drawn_and_played_in_the_real_window() {
    let content = own_content();
    let valley = "maps/river-crossing/valley.map.xml";
    let path = |file: &str| content.path().join("maps/river-crossing").join(file);
    let Some(mut program) = Program::start(content.path(), &["edit", content.path().join(valley).to_str().unwrap()]) else {
        return;
    };
    // The twin draws the same in files of its own.
    let twins = own_content();
    let request = EditRequest::File(twins.path().join(valley));
    let mut twin = Opening::new(twins.path(), StartScreen::Editor(request)).sized(REAL_SIZE).open();
    twin.sees("File The valley");
    let file_says = |file: PathBuf, part: &str| fs::read_to_string(file).is_ok_and(|text| text.contains(part));

    let makes = |program: &mut Program, keys: &str, title: &str, file: PathBuf| {
        let does = |program: &Program| {
            program.presses("Escape");
            program.presses(keys);
            program.writes(title);
            program.presses("Return");
        };
        program.does_until(&format!("{title} is made"), does, |_| file.is_file());
    };
    makes(&mut program, "ctrl+n", "Marches", path("marches.map.xml"));
    twin.presses(Modifiers::COMMAND, Key::N)
        .writes_field("Title", "Marches")
        .presses(Modifiers::NONE, Key::Enter);
    twin.sees("File Marches");

    let wood = twin.rect_of("Terrain Wood").center();
    let [from, to] = ["c3", "g3"].map(|cell| twin.rect_of_containing(&format!("{cell}, Clear")).center());
    let paints = |program: &Program| {
        program.clicks(wood);
        program.drags(&[from, from + (to - from) * 0.5, to]);
        program.presses("ctrl+s");
    };
    twin.clicks("Terrain Wood")
        .drags(from, to)
        .presses(Modifiers::COMMAND, Key::S)
        .no_longer_sees("not saved");
    let drawn = fs::read_to_string(twins.path().join("maps/river-crossing/marches.map.xml")).unwrap();
    assert!(drawn.contains("wood"), "{drawn}");
    program.does_until("the wood is in the file", paints, |_| file_says(path("marches.map.xml"), &drawn));

    makes(&mut program, "ctrl+shift+n", "Skirmish", path("skirmish.scenario.xml"));
    twin.presses(Modifiers::COMMAND | Modifiers::SHIFT, Key::N)
        .writes_field("Title", "Skirmish")
        .presses(Modifiers::NONE, Key::Enter);
    twin.sees("File Skirmish").sees("Pieces of Red");
    for (owner, cell) in [("red", "c9"), ("blue", "m2")] {
        let seat = twin
            .rect_of(&format!("Pieces of {}", if owner == "red" { "Red" } else { "Blue" }))
            .center();
        let kind = twin.rect_of("Piece Guard").center();
        let place = twin.rect_of_containing(&format!("{cell}, Clear")).center();
        let puts = |program: &Program| {
            program.clicks(seat);
            program.clicks(kind);
            program.clicks(place);
            program.presses("ctrl+s");
        };
        let line = format!("owner=\"{owner}\" at=\"{cell}");
        program.does_until("the piece is in the file", puts, |_| {
            file_says(path("skirmish.scenario.xml"), &line)
        });
        twin.clicks(&format!("Pieces of {}", if owner == "red" { "Red" } else { "Blue" }));
        twin.clicks("Piece Guard")
            .clicks_place(place, Modifiers::NONE)
            .sees(&format!("{cell}, Clear, {owner} guard"));
    }

    // F5 goes back and forth, and one that is pressed again may come late: the match is there when it stays.
    let is_match = |program: &Program| program.title().contains("Red to move");
    program.waits("a match of it begins", |program| {
        if !is_match(program) {
            program.presses("F5");
            program.says("Red to move", Duration::from_secs(3));
        }
        (0..10).all(|_| {
            sleep(Duration::from_millis(150));
            is_match(program)
        })
    });
    twin.presses(Modifiers::NONE, Key::F5).sees("c9, Clear, red guard, can be picked");
    let start = twin.clicks_at("c9, Clear, red guard, can be picked");
    let end = twin.clicks_at("c8, Clear, empty, can be chosen");
    let mut played = Vec::new();
    let mut round = 0;
    program.waits("the unit has moved", |program| {
        // As in `plays`: again and more slowly until it has been played. The title says the same before and after.
        program.presses("Escape");
        program.clicks(start);
        sleep(Duration::from_millis(200 * round));
        program.clicks(end);
        sleep(Duration::from_millis(200 * round));
        round += 1;
        played = program.saves_and_reads();
        !played.is_empty()
    });
    assert!(played[0].contains("c8"), "{played:?}");
}
