//! A scenario made of any moment of a match begins where the match stood.

use std::sync::Arc;

use crate::common::{Bundled, bundled, catalog};
use boardwright::client::{Connection, MatchChoice};
use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{Catalog, ScenarioDocument, print_scenario};
use boardwright::host::Match;
use boardwright::local::LocalMatch;
use boardwright::model::{MomentError, Policy};
use boardwright::protocol::{Command, Reply};
use boardwright::rules::{Generator, RulesSource, random_action};

/// Plays some random actions; fewer where the match ends.
fn play(playing: &mut Match, actions: usize, generator: &mut Generator) {
    for _ in 0..actions {
        let Some(seat) = playing.state().acting().first().filter(|_| playing.state().outcome().is_none()) else {
            break;
        };
        let action = random_action(playing.rules(), playing.state(), seat, generator).unwrap().unwrap();
        playing.submit(&action, playing.journal().position()).unwrap();
    }
}

#[test]
fn a_scenario_of_a_moment_begins_at_the_very_state_whatever_the_ruleset() {
    let catalog = catalog();
    let mut made = 0;
    for (ruleset, scenarios) in bundled() {
        for scenario in scenarios
            .into_iter()
            .filter(|scenario| ["standard", "race", "duo"].contains(&scenario.as_str()))
        {
            let opened = catalog.open(&ruleset, Some(&scenario)).unwrap();
            let bundled = Bundled::with(
                &opened.scenario.scenario.ruleset,
                &scenario,
                catalog.sources(&ruleset, None).unwrap(),
            );
            let source: Arc<dyn RulesSource> = bundled.source.clone();
            let mut playing = Match::begin(Arc::clone(&source), bundled.setup(), 7, Policy::default()).unwrap();
            let mut generator = Generator::new(3);
            for actions in [0, 1, 4] {
                play(&mut playing, actions, &mut generator);
                let setup = match bundled.scenario.setup.at_moment(playing.state()) {
                    Ok(setup) => setup,
                    Err(MomentError::Question | MomentError::Over) => continue,
                    Err(error) => panic!("{ruleset}/{scenario} after {actions} actions: {error}"),
                };
                let written = boardwright::model::Scenario {
                    setup,
                    ..bundled.scenario.clone()
                };
                let text = print_scenario(&written);
                let read = ScenarioDocument::read(&Source::new("moment", &text))
                    .unwrap_or_else(|found| panic!("{found}\n{text}"))
                    .scenario;
                let start = read
                    .setup
                    .build(&bundled.board, source.declarations())
                    .unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
                assert_eq!(
                    start.digest_without_history(),
                    playing.state().digest_without_history(),
                    "{ruleset}/{scenario}\n{text}"
                );
                let mut begun = Match::begin(Arc::clone(&source), start, 8, Policy::default()).unwrap();
                assert_eq!(
                    begun.state().digest_without_history(),
                    playing.state().digest_without_history(),
                    "{ruleset}/{scenario}"
                );
                play(&mut begun, 2, &mut generator);
                let verified = boardwright::host::verify(
                    read.setup.build(&bundled.board, source.declarations()).unwrap(),
                    begun.journal(),
                    &[Arc::clone(&source)],
                    Some(begun.seed()),
                );
                assert!(
                    verified.is_ok(),
                    "{ruleset}/{scenario}: {:?}",
                    verified.err().map(|error| error.to_string())
                );
                made += 1;
            }
        }
    }
    assert!(made > 10, "only {made} moments became scenarios");
}

#[test]
fn a_scenario_that_a_client_asks_for_is_found_checked_and_begun() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = catalog();
    let choice = MatchChoice {
        ruleset: "sixteen-soldiers".into(),
        saves: Some(folder.path().join("saves")),
        players: vec![("red".into(), "human".into()), ("blue".into(), "human".into())],
        ..MatchChoice::default()
    };
    let running = LocalMatch::begin(&catalog, &choice).unwrap_or_else(|error| panic!("{error}"));
    let mut client = Connection::open(Box::new(running.connect(None))).unwrap();
    let Reply::Legal { actions, .. } = client.ask(Command::Legal { seat: None }).unwrap() else {
        panic!("nothing is legal")
    };
    let played = client
        .ask(Command::Play {
            text: actions[0].text.clone(),
            seat: None,
            at: None,
        })
        .unwrap();
    assert!(matches!(played, Reply::Done { .. }), "{played:?}");
    let export = |file: &str, overwrite| Command::ExportScenario {
        file: Some(file.into()),
        overwrite,
    };
    let reply = client.ask(export("ambush", false)).unwrap();
    let Reply::Exported { file, left_out } = reply else {
        panic!("{reply:?}")
    };
    assert!(file.ends_with("ambush.scenario.xml") && left_out.len() >= 2, "{file} {left_out:?}");
    assert!(
        matches!(client.ask(export("ambush", false)).unwrap(), Reply::Refused(_)),
        "it was written over"
    );
    assert!(matches!(client.ask(export("ambush", true)).unwrap(), Reply::Exported { .. }));
    assert!(matches!(client.ask(export("Not A Name", false)).unwrap(), Reply::Error { .. }));
    let catalog = Catalog::scan(&[crate::common::root(), folder.path().to_path_buf()]);
    assert!(!catalog.all_diagnostics().has_errors(), "{}", catalog.all_diagnostics().render());
    let choice = MatchChoice {
        scenario: Some("ambush".into()),
        ..choice
    };
    let again = LocalMatch::begin(&catalog, &choice).unwrap_or_else(|error| panic!("{error}"));
    let mut other = Connection::open(Box::new(again.connect(None))).unwrap();
    let digest = |client: &mut Connection| {
        drop(client.ask(Command::View { seat: None }).unwrap());
        client.mirror().view(None).unwrap().digest_without_history()
    };
    assert_eq!(digest(&mut other), digest(&mut client));
}
