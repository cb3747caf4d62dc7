//! A window under test: driven by the labels of what is seen in it, without a display.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test and bench takes in these files and uses some of them"
)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "tests fail by panicking"
)]

pub mod farm;
pub mod ford;
pub mod harbour;
mod painter;
mod picture;
pub mod stage;
mod store;
pub mod tap;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright::client::MatchChoice;
use boardwright::client::content::Content;
use boardwright::local::ContentLibrary;
use boardwright::ui::sound::{Silence, Speaker};
use boardwright::ui::{App, Language, Motion, Settings, StartScreen, theme};
use boardwright_editor::Bundled;
use boardwright_fixtures::copy_folder;
use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

pub use painter::{Painter, SharedPainter};
pub use picture::Picture;
pub use store::Store;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_mins(3);

/// For how many frames something has to stay where it is before it is clicked.
const FRAMES_OF_REST: usize = 3;

/// The size in which the real window opens.
pub const REAL_SIZE: Vec2 = vec2(1280.0, 820.0);

/// The root of the project.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A key is pressed.
pub fn pressed(key: Key) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

/// The content of the project in a folder of its own, where it can be changed.
pub fn own_content() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["rulesets", "maps", "scripts"] {
        if project().join(name).is_dir() {
            copy_folder(&project().join(name), &folder.path().join(name)).unwrap();
        }
    }
    folder
}

/// A match of people, whose rules are watched.
pub fn of_people(ruleset: &str) -> MatchChoice {
    MatchChoice {
        ruleset: ruleset.to_owned(),
        watches: true,
        seed: Some(1.into()),
        ..MatchChoice::default()
    }
}

/// What a window under test begins with.
pub struct Opening {
    pub root: PathBuf,
    pub beginning: StartScreen,
    pub settings: Settings,
    pub size: Vec2,
    pub saves: Option<PathBuf>,
    pub store: Option<Store>,
    pub speaker: Box<dyn Speaker>,
    /// The folder of tokens of a window that plays on servers.
    pub tokens: Option<PathBuf>,
    /// What belongs to the program.
    pub bundled: Option<Bundled>,
}

impl Opening {
    /// A window in which nothing travels, so that every picture stands still.
    pub fn new(root: &Path, beginning: StartScreen) -> Self {
        Self {
            root: root.to_owned(),
            beginning,
            settings: Settings {
                motion: Motion::Off,
                // What people may not see of each other is another test's subject.
                hands_over: false,
                theme: egui::ThemePreference::Dark,
                language: Some(Language::English),
                ..Settings::default()
            },
            size: vec2(1280.0, 900.0),
            saves: None,
            store: None,
            speaker: Box::new(Silence),
            tokens: None,
            bundled: None,
        }
    }

    /// With content that belongs to the program, in which nothing is written.
    pub fn with_bundled(mut self, bundled: Bundled) -> Self {
        self.bundled = Some(bundled);
        self
    }

    /// The content folders, best first.
    fn roots(&self) -> Vec<PathBuf> {
        let bundled = self.bundled.iter().map(|bundled| bundled.folder.clone());
        std::iter::once(self.root.clone()).chain(bundled).collect()
    }

    pub fn sized(mut self, size: Vec2) -> Self {
        self.size = size;
        self
    }

    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// With a folder in which matches are saved and kept.
    pub fn keeping(mut self, saves: &Path) -> Self {
        self.saves = Some(saves.to_owned());
        self
    }

    /// With a screen for matches on servers, which keeps tokens in a folder.
    pub fn online(mut self, tokens: &Path) -> Self {
        self.tokens = Some(tokens.to_owned());
        self
    }

    /// With somebody who hears its sounds.
    pub fn heard_by(mut self, speaker: impl Speaker + 'static) -> Self {
        self.speaker = Box::new(speaker);
        self
    }

    /// With what an earlier window has kept.
    pub fn after(mut self, store: Store) -> Self {
        self.store = Some(store);
        self
    }

    pub fn open(self) -> Window {
        let bundled = self.bundled.as_ref().map(|bundled| bundled.folder.clone());
        let content_library = ContentLibrary::new(self.roots())
            .with_bundled(bundled, None)
            .with_pictures(boardwright::ui::thumbnail);
        let content = Arc::new(match &self.saves {
            Some(saves) => content_library.with_saves(saves.clone()),
            None => content_library,
        });
        self.open_with(content)
    }

    /// The same with content of another sort.
    pub fn open_with(self, content: Arc<dyn Content>) -> Window {
        let roots = self.roots();
        let (beginning, settings, store) = (self.beginning, self.settings, self.store);
        let (bundled, tokens) = (self.bundled, self.tokens);
        let (kept, mut speaker) = (store.clone(), Some(self.speaker));
        let draw = move |ui: &mut egui::Ui, app: &mut Option<App>| {
            let storage = store.as_ref().map(|store| store as &dyn eframe::Storage);
            let new = || {
                let app = App::new(ui.ctx(), Arc::clone(&content), beginning.clone(), settings).as_stored(storage);
                let app = app.with_speaker(speaker.take().unwrap_or_else(|| Box::new(Silence)));
                let app = app.with_editor(boardwright_editor::factory(roots.clone(), bundled.clone()));
                match &tokens {
                    Some(tokens) => app.with_online(boardwright_online::factory(Some(tokens.clone()))),
                    None => app,
                }
            };
            let app = app.get_or_insert_with(new);
            // The harness leaves a margin that no real window has.
            let whole = ui.ctx().content_rect();
            ui.scope_builder(egui::UiBuilder::new().max_rect(whole), |ui| {
                ui.set_clip_rect(whole);
                app.draw(ui);
            });
        };
        let painter = SharedPainter::default();
        let harness = Harness::builder()
            .with_size(self.size)
            .with_step_dt(1.0 / 60.0)
            .with_context_setup(move |context| {
                if let Some(store) = &kept {
                    store.restore(context);
                }
                theme::install(context);
            })
            .renderer(painter.clone())
            .build_ui_state(draw, None);
        Window { harness, painter }
    }
}

/// A window under test.
pub struct Window {
    pub harness: Harness<'static, Option<App>>,
    painter: SharedPainter,
}

/// What is read out of something. What is only read has its text as its value.
fn text_of(node: &egui_kittest::Node<'_>) -> Option<String> {
    node.accesskit_node().label().or_else(|| node.value())
}

impl Window {
    pub fn open(root: &Path, beginning: StartScreen) -> Self {
        Opening::new(root, beginning).open()
    }

    /// The launcher with the form of sixteen-soldiers, whichever ruleset is the first.
    pub fn launcher() -> Self {
        let mut window = Self::open(&project(), StartScreen::Launcher);
        window
            .sees("Start match")
            .clicks_containing("Sixteen Soldiers, 2 seats")
            .sees("Capturing is compulsory");
        window
    }

    pub fn of_people(root: &Path) -> Self {
        Self::of_rules(root, "sixteen-soldiers")
    }

    pub fn of_rules(root: &Path, ruleset: &str) -> Self {
        Self::open(root, StartScreen::Match(of_people(ruleset)))
    }

    /// Ends the program; what it keeps.
    pub fn closes(mut self) -> Store {
        let context = self.harness.ctx.clone();
        Store::of(self.harness.state_mut().as_mut().unwrap(), &context)
    }

    /// Waits until something holds.
    pub fn waits_until(&mut self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        loop {
            self.harness.step();
            if holds(self) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{what}; there is\n{}", self.labels());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The labels of everything there is, for failing tests.
    pub fn labels(&self) -> String {
        let nodes = self.harness.query_all_by_label_contains("");
        nodes.filter_map(|node| text_of(&node)).collect::<Vec<_>>().join("\n")
    }

    pub fn shows(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    /// Waits for something whose label contains a text.
    pub fn sees(&mut self, label: &str) -> &mut Self {
        self.waits_until(&format!("no `{label}` is seen"), |window| window.shows(label));
        self
    }

    pub fn no_longer_sees(&mut self, label: &str) -> &mut Self {
        self.waits_until(&format!("`{label}` is still seen"), |window| !window.shows(label));
        self
    }

    /// Waits until something is there and has come to rest: what other threads bring in may still push it aside.
    fn rests(&mut self, label: &str, place: impl Fn(&Self) -> Option<Rect>) -> Rect {
        let mut places = VecDeque::from([None; FRAMES_OF_REST]);
        self.waits_until(&format!("nothing that rests is labelled `{label}`"), |window| {
            places.push_back(place(window));
            places.pop_front();
            places[0].is_some() && places.iter().all(|at| *at == places[0])
        });
        places[0].unwrap()
    }

    /// What has a label; or, where nothing has exactly that one, what begins with it and says more: a cell tells what an action would
    /// bring about there as soon as the pointer happens to lie over it.
    fn named<'a>(&'a self, label: &'a str) -> Option<egui_kittest::Node<'a>> {
        let says_more = |node: &egui_kittest::Node<'_>| {
            let said = node.accesskit_node().label();
            said.is_some_and(|said| said.strip_prefix(label).is_some_and(|rest| rest.starts_with(", ")))
        };
        let longer = || self.harness.query_all_by_label_contains(label).find(says_more);
        self.harness.query_by_label(label).or_else(longer)
    }

    /// Where something is, by its label, when it is there.
    pub fn rect_of(&mut self, label: &str) -> Rect {
        self.rests(label, |window| window.named(label).map(|node| node.rect()))
    }

    /// Where the first thing is whose label contains a text.
    pub fn rect_of_containing(&mut self, label: &str) -> Rect {
        self.rests(label, |window| {
            let mut found = window.harness.query_all_by_label_contains(label);
            found.next().map(|node| node.rect())
        })
    }

    /// Clicks something by its exact label, when it is there. Returns where.
    pub fn clicks_at(&mut self, label: &str) -> Pos2 {
        let place = self.rect_of(label).center();
        self.named(label).unwrap().click();
        self.harness.step();
        self.harness.step();
        place
    }

    /// Clicks something by its exact label, when it is there.
    pub fn clicks(&mut self, label: &str) -> &mut Self {
        self.clicks_at(label);
        self
    }

    /// Clicks the first thing whose label contains a text, when it is there.
    pub fn clicks_containing(&mut self, label: &str) -> &mut Self {
        // What lies below the edge of a list is rolled to first, as people do.
        let rect = self.rect_of_containing(label);
        if !self.harness.ctx.content_rect().contains_rect(rect) {
            self.harness.query_all_by_label_contains(label).next().unwrap().scroll_to_me();
            self.harness.run_steps(30);
            self.rect_of_containing(label);
        }
        self.harness.query_all_by_label_contains(label).next().unwrap().click();
        self.harness.step();
        self.harness.step();
        self
    }

    /// Writes into a field in place of what stands there.
    pub fn writes(&mut self, label: &str, text: &str) -> &mut Self {
        self.clicks(label).presses(Modifiers::COMMAND, Key::A);
        self.harness.get_by_label(label).type_text(text);
        self.harness.step();
        self
    }

    pub fn presses(&mut self, modifiers: Modifiers, key: Key) -> &mut Self {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.step();
        self
    }

    /// One long frame, in which all of these arrive. Of events that are queued each has a frame of its own.
    pub fn long_frame(&mut self, events: impl IntoIterator<Item = Event>) -> &mut Self {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
        self
    }

    /// Drags with the first button from one place to another, with a stop between.
    pub fn drags(&mut self, from: Pos2, to: Pos2) -> &mut Self {
        self.begins_to_drag(from, to).drops_at(to)
    }

    /// Presses the first button at one place and moves to another, with a stop between.
    pub fn begins_to_drag(&mut self, from: Pos2, to: Pos2) -> &mut Self {
        self.harness.hover_at(from);
        self.harness.step();
        self.harness.drag_at(from);
        self.harness.step();
        for share in [0.3, 0.6, 1.0] {
            self.harness.hover_at(from + (to - from) * share);
            self.settles();
        }
        self
    }

    /// Lets the first button go at a place.
    pub fn drops_at(&mut self, at: Pos2) -> &mut Self {
        self.harness.hover_at(at);
        self.settles();
        self.harness.drop_at(at);
        self.harness.step();
        self
    }

    /// Turns the wheel over a place by so many points, up if they are more than none.
    pub fn turns_wheel(&mut self, at: Pos2, points: f32) -> &mut Self {
        self.harness.hover_at(at);
        self.harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, points),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        self.harness.run_steps(40);
        self
    }

    /// Clicks a place with the other button.
    pub fn clicks_with_other_button(&mut self, at: Pos2, modifiers: Modifiers) -> &mut Self {
        self.harness.hover_at(at);
        self.harness.step();
        for pressed in [true, false] {
            let event = Event::PointerButton {
                pos: at,
                button: PointerButton::Secondary,
                pressed,
                modifiers,
            };
            self.harness.event_modifiers(event, modifiers);
            self.harness.step();
        }
        self.settles()
    }

    /// Clicks a place with the first button while keys are held.
    pub fn clicks_place(&mut self, at: Pos2, modifiers: Modifiers) -> &mut Self {
        self.harness.hover_at(at);
        self.harness.step();
        for pressed in [true, false] {
            let event = Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers,
            };
            self.harness.event_modifiers(event, modifiers);
            self.harness.step();
        }
        self.harness.step();
        self
    }

    /// Clicks the field of a label, which is named like the text in front of it; the topmost one where there are several.
    pub fn clicks_field(&mut self, label: &str) -> &mut Self {
        self.sees(label).settles();
        // What lies below the edge of a list is rolled to first, as people do.
        self.field(label).scroll_to_me();
        self.harness.run_steps(30);
        self.field(label).click();
        self.harness.step();
        self.harness.step();
        self
    }

    fn field<'a>(&'a self, label: &'a str) -> egui_kittest::Node<'a> {
        let is_field = |node: &egui_kittest::Node<'_>| node.accesskit_node().role() != egui::accesskit::Role::Label;
        let mut fields = self.harness.query_all_by_label(label).filter(is_field);
        fields
            .next_back()
            .unwrap_or_else(|| panic!("no field is labelled `{label}`; there is\n{}", self.labels()))
    }

    /// Writes into the field of a label in place of what stands there.
    pub fn writes_field(&mut self, label: &str, text: &str) -> &mut Self {
        self.clicks_field(label).presses(Modifiers::COMMAND, Key::A);
        self.field(label).type_text(text);
        self.harness.step();
        self
    }

    /// How many things have labels that contain a text.
    pub fn counts(&self, label: &str) -> usize {
        self.harness.query_all_by_label_contains(label).count()
    }

    /// Lets frames go by until nothing changes any more on its own.
    pub fn settles(&mut self) -> &mut Self {
        for _ in 0..12 {
            self.harness.step();
        }
        self
    }

    /// Whether something that was asked is not answered yet.
    pub fn awaits_answers(&self) -> bool {
        let running = self.harness.state().as_ref().and_then(|app| app.running());
        running.is_some_and(|running| running.controller().awaits_answers())
    }

    /// What is seen when the host has answered everything.
    pub fn picture(&mut self) -> Picture {
        // What is answered may lead to the next question.
        while self.settles().awaits_answers() {
            self.waits_until("the host has not answered everything", |window| !window.awaits_answers());
        }
        let output = self.harness.output();
        let size = self.harness.ctx.content_rect().size();
        let primitives = self.harness.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let mut picture = self.painter.borrow().paint(&primitives, size, output.pixels_per_point);
        // The fingerprint of rules changes with every change of them.
        let is_fingerprint = |label: &str| label.len() == 8 && label.bytes().all(|byte| byte.is_ascii_hexdigit());
        let nodes = self.harness.query_all_by_label_contains("");
        let fingerprints = nodes.filter(|node| text_of(node).is_some_and(|text| is_fingerprint(&text)));
        picture.unsteady = fingerprints.map(|node| node.rect()).collect();
        picture
    }
}
