//! The guides for authors. A block of Rhai with `ruleset()` in full is a ruleset; the blocks after it are each laid over it. All are played
//! at random, and on the page about it they come into force in the middle of a match.

use std::sync::Arc;

use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{Manifest, MapDocument, ScenarioDocument, TextsDocument};
use boardwright::host::Match;
use boardwright::model::Policy;
use boardwright::model::diagnostic::Diagnostics;
use boardwright::model::{Board, Map, MapRegion, Setup, State, Topology};
use boardwright::rules::{Generator, Luck, Rules, RulesSource, Transaction, conformance, flow, looks};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource, TestScenario, run_tests};

use super::page::{Block, blocks, pages};

const GUIDES: &str = "docs/authors";
/// Pages that are followed step by step, in a folder of their own.
const FOLLOWED: [&str; 2] = ["docs/authors/first-ruleset.md", "docs/authors/hex-war-game.md"];
const RELOADS: &str = "docs/authors/hot-reload.md";

/// Eight by eight squares with regions in the middle and at the edges.
fn board() -> Arc<Board> {
    let topology = Topology::Square {
        width: 8,
        height: 8,
        diagonals: true,
    };
    let mut map = Map::new("board", "Board", topology);
    let columns = || ('a'..='h').map(String::from);
    let row = |number: u8| columns().map(move |column| format!("{column}{number}"));
    let column = |name: char| (1..=8).map(move |number| format!("{name}{number}"));
    let regions: [(&str, Vec<String>); 6] = [
        ("centre", ["d4", "e4", "d5", "e5"].map(str::to_owned).to_vec()),
        ("middle", row(4).chain(row(5)).collect()),
        ("north", row(1).collect()),
        ("south", row(8).collect()),
        ("west", column('a').collect()),
        ("east", column('h').collect()),
    ];
    map.regions = regions
        .map(|(name, cells)| MapRegion {
            name: name.to_owned(),
            cells,
        })
        .to_vec();
    Arc::new(Board::from_map(&map).unwrap())
}

/// A block alone, or laid over another.
fn compile(block: &Block, below: Option<&Block>) -> ScriptSource {
    let layer = |block: &Block| Layer::new(block.place()).with("rules.rhai", block.text.as_str());
    let sources = match below {
        None => Sources::of(layer(block)),
        Some(below) => Sources::of(layer(below)).with_layer(layer(block)),
    };
    ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(fail)
}

/// The blocks of Rhai of a page, each with the ruleset it is laid over.
fn layered(page: &str) -> Vec<(Block, Option<Block>)> {
    let mut below: Option<Block> = None;
    let mut found = Vec::new();
    for block in blocks(page).into_iter().filter(|block| block.is("rhai")) {
        if block.text.contains("fn ruleset()") && !block.text.contains("base::ruleset()") {
            below = Some(block.clone());
            found.push((block, None));
        } else {
            assert!(
                below.is_some(),
                "{}: there is no ruleset that this could be laid over",
                block.place()
            );
            found.push((block, below.clone()));
        }
    }
    found
}

fn rules_for(source: &ScriptSource, state: &State) -> Box<dyn Rules> {
    source
        .rules(state.board(), source.declarations(), state.options())
        .unwrap_or_else(|fault| panic!("{fault}"))
}

fn play(block: &Block, below: Option<&Block>) {
    let source = compile(block, below);
    let state = Setup::default().build(&board(), source.declarations()).unwrap();
    let rules = rules_for(&source, &state);
    let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
    flow::begin(&*rules, &mut transaction).unwrap_or_else(|rejection| panic!("{}: {rejection}", block.place()));
    let (start, ..) = transaction.into_parts();
    let mut ended = 0;
    for seed in 0..3 {
        let playout = conformance::random_match(&*rules, &start, seed, 1_000);
        let playout = playout.unwrap_or_else(|breach| panic!("{}: {breach}", block.place()));
        looks(&*rules, &playout.end, None).unwrap_or_else(|rejection| panic!("{}: {rejection}", block.place()));
        assert!(!playout.actions.is_empty());
        ended += usize::from(playout.is_over);
    }
    assert!(ended > 0, "{}: no match came to its end", block.place());
}

#[test]
fn every_ruleset_and_layer_in_the_guides_compiles_and_plays() {
    let mut played = 0;
    for page in pages(GUIDES).iter().filter(|page| !FOLLOWED.contains(&page.as_str())) {
        for (block, below) in layered(page)
            .into_iter()
            .filter(|(block, _)| !block.says("refused") && !block.says("test"))
        {
            play(&block, below.as_ref());
            played += 1;
        }
    }
    assert!(played >= 12, "only {played} blocks were found");
}

#[test]
fn reloads_are_taken_and_refused_as_the_page_says() {
    let (mut taken, mut refused) = (0, 0);
    for (block, below) in layered(RELOADS) {
        let Some(below) = below else { continue };
        let source = compile(&below, None);
        let state = Setup::default().build(&board(), source.declarations()).unwrap();
        let mut one = Match::begin(Arc::new(source), state, 1, Policy::default()).unwrap();
        act(&mut one);
        act(&mut one);
        let changed = compile(&block, Some(&below));
        match (one.reload(Arc::new(changed), Vec::new()), block.says("refused")) {
            (Ok(_), false) => taken += 1,
            (Err(_), true) => refused += 1,
            (Ok(_), true) => panic!("{}: this reload was not refused", block.place()),
            (Err(error), false) => panic!("{}: {error}", block.place()),
        }
        // What the page says of `migrate`: markers that were there before count.
        if let Some(points) = one.state().declarations().find_property(boardwright::model::Scope::Seat, "points") {
            let target = boardwright::model::Target::Seat(boardwright::model::SeatId::from_index(0));
            let value = one.state().value(target, points).and_then(boardwright::model::Value::as_integer);
            assert_eq!(value, Some(2));
        }
        act(&mut one);
    }
    assert!(taken >= 3 && refused >= 2, "{taken} taken, {refused} refused");
}

/// Whoever is to act does the first thing there is.
fn act(one: &mut Match) {
    let seat = one.state().acting().first().unwrap();
    let action = flow::legal(one.rules(), one.state(), seat).unwrap().remove(0);
    one.submit(&action, one.journal().position())
        .unwrap_or_else(|error| panic!("{error}"));
}

#[allow(clippy::needless_pass_by_value, reason = "it is what an error hands over")]
fn fail<T>(problems: Diagnostics) -> T {
    panic!("{}", problems.render())
}

#[test]
fn maps_scenarios_and_manifests_in_the_guides_are_read() {
    let mut maps = Vec::new();
    let mut scenarios = Vec::new();
    for block in pages(GUIDES).iter().flat_map(|page| blocks(page)).filter(|block| block.is("xml")) {
        let source = Source::new(block.place(), &block.text);
        if block.text.contains("<map ") {
            let map = MapDocument::read(&source).unwrap_or_else(fail);
            drop(map.board().unwrap_or_else(fail));
            maps.push(map.map);
        } else if block.text.contains("<scenario ") {
            scenarios.push((block.clone(), ScenarioDocument::read(&source).unwrap_or_else(fail).scenario));
        } else if block.text.contains("<texts ") {
            drop(TextsDocument::read(&source).unwrap_or_else(fail));
        } else {
            drop(Manifest::read(&source).unwrap_or_else(fail));
        }
    }
    assert!(maps.len() >= 3 && !scenarios.is_empty());
    // The scenario of the guide stands on a map of the guide, under the rules of the page about declarations.
    let (declarations, _) = layered("docs/authors/declarations.md").remove(0);
    let source = compile(&declarations, None);
    for (block, scenario) in scenarios.iter().filter(|(_, scenario)| scenario.ruleset == "valley") {
        let map = maps.iter().find(|map| map.id == scenario.map).unwrap();
        let board = Arc::new(Board::from_map(map).unwrap());
        let built = scenario.setup.build(&board, source.declarations());
        built.unwrap_or_else(|faults| panic!("{}: {faults:?}", block.place()));
    }
}

#[test]
fn the_tests_in_the_guide_pass_and_can_fail() {
    let mut passed = 0;
    for (block, below) in layered("docs/authors/testing.md")
        .into_iter()
        .filter(|(block, _)| block.says("test"))
    {
        let below = below.unwrap();
        let run = |rules: &Block| {
            let source = Arc::new(compile(rules, None));
            let find = |id: &str| (id == "standard").then(|| TestScenario::plain(board(), Setup::default()));
            run_tests(&source, &[("tests/guide.rhai", block.text.as_str())], &find)
        };
        for result in run(&below) {
            assert!(
                result.is_passed(),
                "{}: {}\n{}",
                block.place(),
                result.name,
                result.problems.render()
            );
            passed += 1;
        }
        let mut wrong = below.clone();
        wrong.text = wrong.text.replace(">= 5", ">= 4");
        assert_ne!(wrong.text, below.text);
        assert!(
            run(&wrong).iter().any(|result| !result.is_passed()),
            "{}: a wrong rule passes",
            block.place()
        );
    }
    assert!(passed >= 4, "{passed} tests");
}
