//! The words rules are written in, one file a topic. Each has a summary and an example that a test runs; the reference in
//! docs/script-api.md is made from them.

mod agent;
pub(crate) mod call_context;
pub(crate) mod cell_sets;
pub(crate) mod convert;
pub(crate) mod drop_patterns;
pub(crate) mod entities;
mod grounds;
pub(crate) mod handles;
mod imports;
pub(crate) mod looks;
mod map_making;
pub(crate) mod move_patterns;
pub(crate) mod movement;
pub(crate) mod outcomes;
mod pattern_views;
pub(crate) mod placement_patterns;
mod sight;
mod step_costs;
mod test_cases;
pub(crate) mod turn;
mod vectors;
pub(crate) mod view;

use rhai::{Engine, Module, exported_module};

use super::SharedModule;

/// Modules that all engines of a thread share: they hold no more than functions, and a thread with many matches has many engines.
type SharedModules = Vec<SharedModule>;

thread_local! {
    static TOPICS: SharedModules = shared(topics());
    static TEST_TOPICS: SharedModules = shared(test_topics());
    static STRATEGY_TOPICS: SharedModules = shared(strategy_topics());
}

fn shared(topics: Vec<(&str, Module)>) -> SharedModules {
    topics.into_iter().map(|(_, module)| module.into()).collect()
}

fn register_modules(engine: &mut Engine, modules: &SharedModules) {
    for module in modules {
        engine.register_global_module(module.clone());
    }
}

/// The topics of the reference, in its order, each with its module.
pub(crate) fn topics() -> Vec<(&'static str, Module)> {
    vec![
        ("View", exported_module!(view::views)),
        ("Turn", exported_module!(turn::turn)),
        ("Pieces", exported_module!(entities::pieces)),
        ("Cells", exported_module!(entities::cells_of_board)),
        ("Seats", exported_module!(entities::seats)),
        ("Cell sets", exported_module!(cell_sets::sets)),
        ("Shapes", exported_module!(cell_sets::shapes)),
        ("Movement", exported_module!(movement::movement)),
        ("Sight", exported_module!(sight::sight)),
        ("Vectors and lines", exported_module!(vectors::vectors)),
        ("Options and questions", exported_module!(entities::named_values)),
        ("Move patterns", exported_module!(move_patterns::motions)),
        ("Drop patterns", exported_module!(drop_patterns::drops)),
        ("Placement patterns", exported_module!(placement_patterns::placements)),
        ("Pattern views", exported_module!(pattern_views::pattern_views)),
        ("Map making", exported_module!(map_making::map_making)),
        ("Files of other programs", exported_module!(imports::imports)),
        ("Domains of picks", exported_module!(move_patterns::domains)),
        ("Outcomes", exported_module!(outcomes::outcomes)),
    ]
}

/// The topics of the reference that only tests know.
pub(crate) fn test_topics() -> Vec<(&'static str, Module)> {
    vec![("Ruleset tests", exported_module!(test_cases::test_cases))]
}

/// The topics of the reference that only strategies know.
pub(crate) fn strategy_topics() -> Vec<(&'static str, Module)> {
    vec![
        ("Strategies", exported_module!(agent::agents)),
        ("Actions", exported_module!(agent::actions)),
        ("Contests and odds", exported_module!(agent::odds)),
    ]
}

/// Teaches an engine the words of strategies.
pub(crate) fn register_strategies(engine: &mut Engine) {
    engine
        .register_type_with_name::<super::strategies::Agent>("Agent")
        .register_type_with_name::<super::strategies::ScriptAction>("Action")
        .register_type_with_name::<super::strategies::Expectation>("Odds");
    STRATEGY_TOPICS.with(|modules| register_modules(engine, modules));
}

/// Teaches an engine the words of tests.
pub(crate) fn register_tests(engine: &mut Engine) {
    engine.register_type_with_name::<super::testing::TestCase>("Test");
    TEST_TOPICS.with(|modules| register_modules(engine, modules));
}

/// Teaches an engine all words.
pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<handles::View>("View")
        .register_type_with_name::<handles::Piece>("Piece")
        .register_type_with_name::<handles::Cell>("Cell")
        .register_type_with_name::<handles::Cells>("Cells")
        .register_type_with_name::<handles::Seat>("Seat")
        .register_type_with_name::<handles::Options>("Options")
        .register_type_with_name::<handles::Question>("Question")
        .register_type_with_name::<handles::Shape>("Shape")
        .register_type_with_name::<handles::Reach>("Reach")
        .register_type_with_name::<handles::Edge>("Edge")
        .register_type_with_name::<handles::Vector>("Vector")
        .register_type_with_name::<handles::Document>("Document")
        .register_type_with_name::<handles::Element>("Element")
        .register_type_with_name::<handles::Elements>("Elements")
        .register_type_with_name::<handles::Draft>("Draft")
        .register_type_with_name::<handles::PatternView>("PatternView")
        .register_type_with_name::<handles::PatternSeat>("PatternSeat")
        .register_type_with_name::<handles::PatternTurnName>("PatternTurnName")
        .register_type_with_name::<handles::PatternCells>("PatternCells")
        .register_type_with_name::<placement_patterns::PlacementPattern>("PlacementPattern")
        .register_type_with_name::<drop_patterns::DropPattern>("DropPattern")
        .register_type_with_name::<move_patterns::MotionPattern>("Motion")
        .register_type_with_name::<move_patterns::EnclosurePattern>("EnclosurePattern")
        .register_type_with_name::<convert::Numbers>("Numbers")
        .register_type_with_name::<convert::SomeOf>("SomeOf")
        .register_type_with_name::<outcomes::EndOfMatch>("EndOfMatch");
    TOPICS.with(|modules| register_modules(engine, modules));
    entities::register_comparisons_with_texts(engine);
    engine.register_iterator::<handles::Cells>();
    engine.register_iterator::<handles::Elements>();
}
