//! The words rules are written in, one file a topic. Each has a summary and an example that a test runs; the reference in
//! docs/script-api.md is made from them.

mod any;
pub(crate) mod convert;
pub(crate) mod handles;
pub(crate) mod layings;
pub(crate) mod looks;
mod minds;
pub(crate) mod motions;
pub(crate) mod outcomes;
mod sets;
pub(crate) mod stage;
mod things;
mod trials;
mod turn;
mod view;

use rhai::{Engine, Module, exported_module};

/// The topics of the reference, in its order, each with its module.
pub(crate) fn topics() -> Vec<(&'static str, Module)> {
    vec![
        ("Looking at a match", exported_module!(view::views)),
        ("Changing a match", exported_module!(turn::turn)),
        ("Pieces", exported_module!(things::pieces)),
        ("Cells", exported_module!(things::cells_of_board)),
        ("Seats", exported_module!(things::seats)),
        ("Sets of cells", exported_module!(sets::sets)),
        ("Shapes", exported_module!(sets::shapes)),
        ("Options and questions", exported_module!(things::named_values)),
        ("Move patterns", exported_module!(motions::motions)),
        ("Laying patterns", exported_module!(layings::layings)),
        ("Views for patterns", exported_module!(any::any_views)),
        ("Domains of picks", exported_module!(motions::domains)),
        ("Ends of matches", exported_module!(outcomes::outcomes)),
    ]
}

/// The topics of the reference that only tests know.
pub(crate) fn test_topics() -> Vec<(&'static str, Module)> {
    vec![("Tests of rulesets", exported_module!(trials::trials))]
}

/// The topics of the reference that only strategies know.
pub(crate) fn strategy_topics() -> Vec<(&'static str, Module)> {
    vec![
        ("Strategies", exported_module!(minds::minds)),
        ("Actions that strategies choose", exported_module!(minds::deeds)),
        ("What may be expected of a contest", exported_module!(minds::expectations)),
    ]
}

/// Teaches an engine the words of strategies.
pub(crate) fn register_strategies(engine: &mut Engine) {
    engine
        .register_type_with_name::<super::strategies::Mind>("Mind")
        .register_type_with_name::<super::strategies::Deed>("Action")
        .register_type_with_name::<super::strategies::Expectation>("Odds");
    for (_, module) in strategy_topics() {
        engine.register_global_module(module.into());
    }
}

/// Teaches an engine the words of tests.
pub(crate) fn register_tests(engine: &mut Engine) {
    engine.register_type_with_name::<super::trial::Trial>("Test");
    for (_, module) in test_topics() {
        engine.register_global_module(module.into());
    }
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
        .register_type_with_name::<handles::AnyView>("AnyView")
        .register_type_with_name::<handles::AnySeat>("AnySeat")
        .register_type_with_name::<handles::AnyName>("AnyName")
        .register_type_with_name::<handles::AnyCells>("AnyCells")
        .register_type_with_name::<layings::LayingWords>("Laying")
        .register_type_with_name::<motions::MotionWords>("Motion")
        .register_type_with_name::<convert::Numbers>("Numbers")
        .register_type_with_name::<convert::SomeOf>("SomeOf")
        .register_type_with_name::<outcomes::EndOfMatch>("EndOfMatch");
    for (_, module) in topics() {
        engine.register_global_module(module.into());
    }
    engine.register_iterator::<handles::Cells>();
}

impl IntoIterator for handles::Cells {
    type Item = handles::Cell;
    type IntoIter = std::vec::IntoIter<handles::Cell>;

    fn into_iter(self) -> Self::IntoIter {
        let cells: Vec<handles::Cell> = self.set.iter().map(|id| convert::cell(&self.stage, id)).collect();
        cells.into_iter()
    }
}
