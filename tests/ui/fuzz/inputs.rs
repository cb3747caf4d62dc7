//! What somebody without a plan does.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, pos2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::{AWAY, Fuzz};

/// How long a match may take to begin.
const LONGEST_BEGINNING: Duration = Duration::from_secs(30);

/// What leads from the launcher, or from a screen over it, to a match, in the languages that somebody may have chosen.
const WAYS_BACK: [&str; 4] = ["Back to the launcher", "Start match", "Zpět na úvodní obrazovku", "Začít partii"];

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
    pub(super) fn does_something(&mut self) {
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
            // A dialog, a menu or a panel may be in the way.
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
        let words = [
            "Play",
            "Choose ",
            "Reinforce: ",
            "Attack: ",
            "Place armies: ",
            "Move in: ",
            "Fortify: ",
            "Done",
            "End ",
            "Draw",
        ];
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
    pub(super) fn changes_rules(&mut self) {
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
    pub(super) fn comes_back(&mut self) {
        if self.mirror().is_some() {
            self.away = 0;
            return;
        }
        self.away += 1;
        if !self.away.is_multiple_of(AWAY) {
            return;
        }
        // Rules are looked through and matches begun on other threads, which take their time on a busy machine.
        let begun = Instant::now();
        while self.mirror().is_none() && begun.elapsed() < LONGEST_BEGINNING {
            self.notes("starts a match".to_owned());
            self.window.harness.key_press(Key::Escape);
            self.window.harness.step();
            let mut is_found = false;
            for label in WAYS_BACK {
                if let Some(button) = self.window.harness.query_by_label(label) {
                    button.click();
                    is_found = true;
                }
            }
            if !is_found {
                // Another screen or a dialog is in the way, which later inputs may leave.
                self.notes("finds no way back".to_owned());
                return;
            }
            for _ in 0..60 {
                self.window.harness.step();
                sleep(Duration::from_millis(20));
            }
        }
    }
}
