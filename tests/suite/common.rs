//! Bundled rulesets, read from their files, for tests of all kinds.
#![allow(dead_code, unreachable_pub, reason = "each test and bench takes in this file and uses some of it")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "tests fail by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardwright::io::xml::Source;
use boardwright::io::{MapDocument, ScenarioDocument};
use boardwright::model::{Board, Scenario, State};
use boardwright::rules::{Generator, Luck, Rules, RulesSource, Transaction, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// The root of the project.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A bundled ruleset with one of its scenarios.
pub struct Bundled {
    pub source: Arc<ScriptSource>,
    pub board: Arc<Board>,
    pub scenario: Scenario,
}

impl Bundled {
    /// Reads a ruleset and a scenario.
    pub fn read(ruleset: &str, scenario: &str) -> Self {
        Self::with(ruleset, scenario, sources(ruleset))
    }

    /// A scenario under sources of one's own.
    pub fn with(ruleset: &str, scenario: &str, sources: Sources) -> Self {
        let folder = root().join("maps").join(ruleset);
        let source = ScriptSource::new(Arc::new(sources), Limits::default());
        let source = source.unwrap_or_else(|problems| panic!("{}", problems.render()));
        let text = fs::read_to_string(folder.join(format!("{scenario}.scenario.xml"))).unwrap();
        let scenario = ScenarioDocument::read(&Source::new("scenario.xml", &text))
            .unwrap_or_else(|problems| panic!("{}", problems.render()))
            .scenario;
        let text = fs::read_to_string(folder.join(format!("{}.map.xml", scenario.map))).unwrap();
        let map = MapDocument::read(&Source::new("map.xml", &text))
            .unwrap_or_else(|problems| panic!("{}", problems.render()))
            .map;
        let board = Arc::new(Board::from_map(&map).unwrap());
        Self {
            source: Arc::new(source),
            board,
            scenario,
        }
    }

    /// The state before the match begins.
    pub fn setup(&self) -> State {
        self.scenario.setup.build(&self.board, self.source.frame()).unwrap()
    }

    /// Rules for the scenario.
    pub fn rules(&self) -> Box<dyn Rules> {
        self.source
            .rules(&self.board, self.source.frame(), self.setup().options())
            .unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// The state in which a match stands when it has begun, and rules for it.
    pub fn begin(&self, seed: u64) -> (Box<dyn Rules>, Arc<State>) {
        let rules = self.rules();
        let mut transaction = Transaction::new(Arc::new(self.setup()), Luck::Roll(Generator::new(seed)));
        flow::begin(&*rules, &mut transaction).unwrap_or_else(|rejection| panic!("{rejection}"));
        let (state, ..) = transaction.into_parts();
        (rules, state)
    }
}

/// The scripts of a bundled ruleset.
pub fn sources(ruleset: &str) -> Sources {
    Sources::of(scripts(Layer::new(ruleset), &root().join("rulesets").join(ruleset)))
}

fn scripts(mut layer: Layer, folder: &Path) -> Layer {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rhai") {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            layer = layer.with(name, fs::read_to_string(&path).unwrap());
        }
    }
    layer
}
