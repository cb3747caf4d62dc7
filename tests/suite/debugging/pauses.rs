//! Where a strategy that is debugged pauses, what is to be seen there, and how it goes on.

use boardwright::protocol::{Command, PauseCause, PauseReport, StepKind};

use super::{Debugged, FILE, LIGHT, STRATEGY, WEIGHING, values};
use crate::command_line::{copied, run_in};

#[test]
fn it_pauses_at_a_break_point_and_shows_line_calls_and_variables() {
    let mut debugged = Debugged::of(STRATEGY);
    debugged.follows(false, false).breaks_at(&[13]).begins();
    let report = debugged.pauses();
    assert_eq!(
        (report.cause, report.file.as_str(), report.line),
        (PauseCause::BreakPoint, FILE, 13)
    );
    assert_eq!(report.source_line.as_deref().map(str::trim), Some("result"));
    assert_eq!((report.seat, report.player.as_str()), (LIGHT, "tried"));
    assert_eq!(values(&report), ["number result = 2", "number number = 1"]);
    let calls: Vec<(&str, u32, &[String])> = report
        .stack
        .iter()
        .map(|call| (call.function.as_str(), call.line, call.arguments.as_slice()))
        .collect();
    assert_eq!(calls, [("twice", 13, ["1".to_owned()].as_slice()), ("decide", 4, [].as_slice())]);
    // The loop comes by twice more; nothing has happened meanwhile.
    assert_eq!(debugged.client.mirror().at(), 1);
    assert_eq!(debugged.steps(StepKind::Continue), 13);
    assert_eq!(debugged.steps(StepKind::Continue), 13);
    assert_eq!(values(&debugged.pauses())[1], "number number = 3");
    assert!(debugged.ends().starts_with("put "));
    assert_eq!(debugged.client.mirror().paused_strategy(), None);
}

#[test]
fn under_a_condition_it_pauses_where_that_holds_and_counts_how_often() {
    let mut debugged = Debugged::of(STRATEGY);
    debugged.follows(false, false).breaks_if(13, "number >= 2 && result > 0").begins();
    let report = debugged.pauses();
    assert_eq!(
        (report.cause, report.hits, report.problem.clone()),
        (PauseCause::BreakPoint, Some(1), None)
    );
    assert_eq!(values(&report), ["number result = 4", "number number = 2"]);
    assert_eq!(debugged.steps(StepKind::Continue), 13);
    let report = debugged.pauses();
    assert_eq!((report.hits, values(&report)[1].as_str()), (Some(2), "number number = 3"));
    // A step ends at the line all the same.
    debugged.breaks_if(12, "false").says(Command::Step { kind: StepKind::Over });
    assert_eq!((debugged.pauses().cause, debugged.pauses().hits), (PauseCause::Step, None));
    assert!(debugged.ends().starts_with("put "));
}

#[test]
fn a_condition_is_worked_out_aside_and_one_that_cannot_be_pauses_and_says_so() {
    let plain = Debugged::of(STRATEGY).follows(false, false).begins().ends();
    let mut debugged = Debugged::of(STRATEGY);
    // It uses the luck of the strategy: on a copy.
    debugged.follows(false, false).breaks_if(6, "agent.any([1, 2, 3]) > 5").begins();
    assert_eq!(debugged.ends(), plain);
    for (condition, problem) in [
        ("nobody > 3", "nobody"),
        ("sum", "it is neither true nor false, but 12"),
        ("sum >", ""),
        ("while true { }", ""),
    ] {
        let mut debugged = Debugged::of(STRATEGY);
        debugged.follows(false, false).breaks_if(6, condition).begins();
        let report = debugged.pauses();
        assert_eq!((report.cause, report.line), (PauseCause::BreakPoint, 6), "{condition}");
        let told = report.problem.unwrap_or_default();
        assert!(!told.is_empty() && told.contains(problem), "{condition}: {told}");
        assert_eq!(debugged.ends(), plain, "{condition}");
    }
}

#[test]
fn things_of_the_match_are_shown_by_their_names() {
    let mut debugged = Debugged::of(STRATEGY);
    debugged.follows(false, false).breaks_at(&[8]).begins();
    let report = debugged.pauses();
    let shown = values(&report);
    assert!(shown[0].starts_with("Cell place = "), "{shown:?}");
    assert_eq!(
        shown[1..],
        [
            "number sum = 12",
            "Agent agent = what light thinks with",
            "View view = what light sees in round 1"
        ]
    );
    let said: Vec<(&str, Option<i64>)> = report.thoughts.iter().map(|one| (one.text.as_str(), one.number)).collect();
    assert_eq!(said, [("sum", Some(12))]);
    let report = debugged.shows_watches(&["view.seat", "view.zone(\"hand\", view.seat)", "agent.legal()[0]", "#{ a: [1, 2] }"]);
    let watched: Vec<Option<String>> = report.watches.into_iter().map(|one| one.value).collect();
    let expected = ["light", "[light ace hand]", "put a1", "#{ a: [1, 2] }"];
    assert_eq!(watched.len(), 4);
    for (found, expected) in watched.into_iter().zip(expected) {
        let found = found.unwrap();
        let same = found == expected || (expected.starts_with("[light ace") && found.starts_with("[light ace"));
        assert!(same, "{found} is not {expected}");
    }
}

#[test]
fn it_steps_into_calls_over_them_and_out_of_them() {
    use StepKind::{Into, Out, Over};

    let mut debugged = Debugged::of(STRATEGY);
    debugged.follows(true, false).begins();
    let report = debugged.pauses();
    assert_eq!((report.cause, report.line), (PauseCause::Before, 2));
    let walk = [
        (Over, 3),
        (Over, 4),
        // The same line again is another turn of the loop.
        (Over, 4),
        (Into, 11),
        (Into, 12),
        (Into, 13),
        // Back in the loop, whose line is come to again in its next turn.
        (Over, 4),
        (Into, 11),
        (Out, 6),
        (Over, 7),
        (Over, 8),
    ];
    for (at, (kind, line)) in walk.into_iter().enumerate() {
        assert_eq!(debugged.steps(kind), line, "step {at}");
    }
    assert_eq!(debugged.pauses().cause, PauseCause::Step);
    debugged.says(Command::Step { kind: StepKind::Over });
    assert!(debugged.ends().starts_with("put "), "a step ends with the decision");
}

#[test]
fn it_pauses_before_a_decision_and_when_it_has_decided() {
    let mut debugged = Debugged::of(STRATEGY);
    debugged.follows(true, true).begins();
    assert_eq!(debugged.pauses().cause, PauseCause::Before);
    debugged.says(Command::Step { kind: StepKind::Continue });
    let report = debugged.pauses();
    assert_eq!((report.cause, report.line), (PauseCause::After, 1));
    let chosen = report.chosen.clone().unwrap();
    assert_eq!(debugged.client.mirror().at(), 1, "it is not carried out yet");
    assert_eq!(debugged.ends(), chosen);
}

#[test]
fn watched_expressions_are_worked_out_in_the_call_that_has_paused_and_change_nothing() {
    let plain = Debugged::of(STRATEGY).follows(false, false).begins().ends();
    let mut debugged = Debugged::of(STRATEGY);
    debugged
        .follows(false, false)
        .breaks_at(&[6])
        .watches(&[
            "sum * TRICK",
            "twice(sum)",
            "nobody",
            "agent.any([1, 2, 3])",
            "agent.note(\"nothing\")",
        ])
        .begins();
    let report = debugged.pauses();
    let of = |report: &PauseReport, index: usize| {
        let watched = &report.watches[index];
        (
            watched.value.clone().unwrap_or_default(),
            watched.problem.clone().unwrap_or_default(),
        )
    };
    assert_eq!(of(&report, 0).0, "84");
    assert_eq!(of(&report, 1).0, "24");
    assert!(of(&report, 2).1.contains("nobody"), "{:?}", of(&report, 2));
    assert!(report.thoughts.is_empty(), "what a watch notes is nothing the strategy said");
    // Others are worked out where it has paused; what cannot be read or never ends is said.
    let report = debugged.shows_watches(&["sum +", "while true { }", "forever(1)"]);
    assert!(of(&report, 0).0.is_empty() && !of(&report, 0).1.is_empty());
    assert!(!of(&report, 1).1.is_empty() && of(&report, 2).1.contains("forever"), "{report:?}");
    assert_eq!(of(&debugged.shows_watches(&["sum"]), 0).0, "12");
    assert_eq!(debugged.ends(), plain, "the luck of the strategy is what it was");
}

#[test]
fn a_watched_expression_that_never_ends_is_given_up_and_the_decision_goes_on() {
    let strategy = format!("{STRATEGY}\nfn forever(n) {{ let i = 0; while n > 0 {{ i += 1; }} i }}");
    let mut debugged = Debugged::of(&strategy);
    debugged.follows(false, false).breaks_at(&[6]).watches(&["forever(1)"]).begins();
    let problem = debugged.pauses().watches[0].problem.clone();
    assert_eq!(problem.as_deref(), Some("it takes too long"));
    assert!(debugged.ends().starts_with("put "));
}

#[test]
fn what_it_weighs_is_told_while_it_weighs_it() {
    let mut debugged = Debugged::of(WEIGHING);
    debugged.follows(false, true).breaks_at(&[3]).begins();
    assert_eq!(debugged.pauses().evaluated.as_deref(), Some("put a1"));
    debugged.steps(StepKind::Continue);
    let report = debugged.pauses();
    assert_eq!(report.evaluated.as_deref(), Some("put b1"));
    let weighed: Vec<(&str, Option<i64>, bool)> = report
        .thoughts
        .iter()
        .map(|one| (one.text.as_str(), one.number, one.weighed))
        .collect();
    assert_eq!(weighed, [("put a1", Some(1), true)]);
    debugged.breaks_at(&[]).says(Command::Step { kind: StepKind::Continue });
    let report = debugged.pauses();
    assert_eq!(
        (report.cause, report.chosen.as_deref(), report.thoughts.len()),
        (PauseCause::After, Some("put b2"), 16)
    );
    assert_eq!(debugged.ends(), "put b2");
}

#[test]
fn a_strategy_that_decides_by_itself_says_what_it_weighed() {
    let strategy = "fn decide(view, agent) {
    for action in agent.legal() {
        agent.weigh(action, action.place.column);
    }
    agent.legal()[0]
}
";
    let mut debugged = Debugged::of(strategy);
    debugged.follows(false, false).breaks_at(&[5]).begins();
    let thoughts = debugged.pauses().thoughts;
    let last = thoughts.last().unwrap();
    assert_eq!(
        (thoughts.len(), last.weighed, last.text.as_str(), last.number),
        (16, true, "put d4", thoughts[0].number.map(|first| first + 3))
    );
    assert_eq!(debugged.ends(), "put a1");
}

#[test]
fn a_strategy_at_work_is_paused_when_that_is_asked() {
    let strategy = "fn decide(view, agent) {\n    let i = 0;\n    while i < 1500000 {\n        i += 1;\n    }\n    agent.legal()[0]\n}\n";
    let mut debugged = Debugged::of(strategy);
    debugged.follows(false, false).begins().says(Command::DebugPause);
    let report = debugged.pauses();
    assert_eq!(
        (report.cause, (2..=6).contains(&report.line)),
        (PauseCause::Asked, true),
        "{report:?}"
    );
}

#[test]
fn it_shows_what_its_seat_sees_and_no_more() {
    let mut debugged = Debugged::of(STRATEGY);
    debugged
        .follows(true, false)
        .watches(&[
            "view.zone(\"hand\", view.seat).len()",
            "view.zone(\"hand\", view.seat.next).len()",
            "agent.after(view, agent.legal()[0]).zone(\"hand\", view.seat.next).len()",
        ])
        .begins();
    let seen: Vec<Option<String>> = debugged.pauses().watches.into_iter().map(|one| one.value).collect();
    assert_eq!(seen, ["1", "0", "0"].map(|count| Some(count.to_owned())));
}

#[test]
fn at_the_terminal_a_strategy_is_debugged_with_words() {
    let content = copied(&["tic-tac-toe"]);
    let strategies = content.path().join("rulesets/tic-tac-toe/strategies");
    std::fs::create_dir_all(&strategies).unwrap();
    let script = "fn decide(view, agent) {\n    let wanted = view.empty.first;\n    agent.action(\"mark\", #{ square: wanted })\n}\n";
    std::fs::write(strategies.join("first.rhai"), script).unwrap();
    let words = [
        "attach noughts before",
        "inspect view.empty.count",
        "inspect",
        "step",
        "b2",
        "step",
        "break first.rhai:3",
        "continue",
        "attach noughts off",
        "b1",
        "quit",
    ];
    run_in(
        content.path(),
        &["play", "--text", "tic-tac-toe", "--seat", "noughts=first"],
        &(words.join("\n") + "\n"),
    )
    .with(0)
    .says("no strategy has paused")
    .says("Noughts, played by first, has paused (a decision begins): rulesets/tic-tac-toe/strategies/first.rhai:2")
    .says("     2 |     let wanted = view.empty.first;")
    .says("  view.empty.count = 8")
    .says("has paused (a step): rulesets/tic-tac-toe/strategies/first.rhai:3")
    .says("  wanted = a1")
    .says("Noughts mark a1")
    .says("Noughts mark c1");
}
