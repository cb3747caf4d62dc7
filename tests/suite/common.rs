//! Bundled rulesets, read from their files, for tests of all kinds.
#![allow(dead_code, unreachable_pub, reason = "each test and bench takes in this file and uses some of it")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "tests fail by panicking"
)]

use std::path::PathBuf;
use std::sync::Arc;

use boardwright::content::Catalog;
use boardwright::model::{Board, Map, Scenario, State, Topology};
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

/// A map of one row of squares, `a1` to `h1` where it is eight long.
pub fn row_of(width: u16) -> Map {
    let topology = Topology::Square {
        width,
        height: 1,
        diagonals: false,
    };
    Map::new("row", "Row", topology)
}

impl Bundled {
    /// Reads a ruleset and a scenario.
    pub fn read(ruleset: &str, scenario: &str) -> Self {
        Self::with(ruleset, scenario, sources(ruleset))
    }

    /// Reads a ruleset of those that are there to be measured, and a scenario.
    pub fn measured(ruleset: &str, scenario: &str) -> Self {
        let catalog = Catalog::scan(&[root().join("benches")]);
        let sources = catalog.sources(ruleset, None);
        let sources = sources.unwrap_or_else(|problems| panic!("{}", problems.render()));
        Self::of(&catalog, ruleset, scenario, sources)
    }

    /// A scenario under sources of one's own.
    pub fn with(ruleset: &str, scenario: &str, sources: Sources) -> Self {
        Self::of(&catalog(), ruleset, scenario, sources)
    }

    fn of(catalog: &Catalog, ruleset: &str, scenario: &str, sources: Sources) -> Self {
        let opened = catalog.open(ruleset, Some(scenario));
        let opened = opened.unwrap_or_else(|problems| panic!("{}", problems.render()));
        let sources = match &opened.scenario.scenario.overlay {
            Some((file, text)) => sources.with_layer(Layer::new(format!("maps/{ruleset}")).with(file.clone(), text.clone())),
            None => sources,
        };
        let source = ScriptSource::new(Arc::new(sources), Limits::default());
        Self {
            source: Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render()))),
            board: opened.board,
            scenario: opened.scenario.scenario,
        }
    }

    /// The state before the match begins.
    pub fn setup(&self) -> State {
        self.scenario.setup.build(&self.board, self.source.declarations()).unwrap()
    }

    /// Rules for the scenario.
    pub fn rules(&self) -> Box<dyn Rules> {
        let start = self.setup();
        self.source
            .rules(&self.board, start.declarations(), start.options())
            .unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// The state in which a match stands when it has begun, and rules for it.
    pub fn begin(&self, seed: u64) -> (Box<dyn Rules>, Arc<State>) {
        let rules = self.rules();
        let mut transaction = Transaction::new(Arc::new(self.setup()), Luck::Roll(Generator::new(seed)));
        flow::begin_scenario(&*rules, &mut transaction).unwrap_or_else(|rejection| panic!("{rejection}"));
        let (state, ..) = transaction.into_parts();
        (rules, state)
    }
}

/// All that is bundled.
pub fn catalog() -> Catalog {
    Catalog::scan(&[root()])
}

/// The scripts of a bundled ruleset, on those of the rulesets it builds on.
pub fn sources(ruleset: &str) -> Sources {
    let sources = catalog().sources(ruleset, None);
    sources.unwrap_or_else(|problems| panic!("{}", problems.render()))
}

/// The bundled rulesets, each with the scenarios it can be played on.
pub fn bundled() -> Vec<(String, Vec<String>)> {
    let catalog = catalog();
    let scenarios = |ruleset: &str| catalog.scenarios(ruleset).keys().map(ToString::to_string).collect();
    let all = catalog.rulesets.keys().map(|ruleset| (ruleset.clone(), scenarios(ruleset)));
    all.collect()
}
