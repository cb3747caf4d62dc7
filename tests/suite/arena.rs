//! The arena and what it leaves behind, as people start it.

use std::path::Path;

use super::command_line::{Ended, root, run, run_in};

const BOT: &str = "exec:python3 docs/strategy-authors/bot.py 3";

fn arena(arguments: &[&str]) -> Ended {
    run(&[&["arena"], arguments].concat())
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// The lines of results without what differs from run to run: the times.
fn essence(path: &Path) -> Vec<serde_json::Value> {
    let mut lines: Vec<serde_json::Value> = lines(path).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in lines.iter_mut().filter_map(serde_json::Value::as_object_mut) {
        line.remove("microseconds");
    }
    for seat in lines
        .iter_mut()
        .filter_map(|line| line.get_mut("seats")?.as_array_mut())
        .flatten()
        .filter_map(serde_json::Value::as_object_mut)
    {
        seat.remove("microseconds");
    }
    lines.sort_by_key(|line| line.get("number").and_then(serde_json::Value::as_u64));
    lines
}

#[test]
fn the_stronger_player_is_rated_higher() {
    let arguments = ["tic-tac-toe", "--players", "random,search:3", "--matches", "30", "--seed", "4"];
    let ended = arena(&arguments).with(0);
    assert!(ended.out.contains("tic-tac-toe/standard: 30 matches"), "{}", ended.out);
    let table: Vec<&str> = ended.out.lines().take(3).collect();
    assert!(table[0].starts_with("player") && table[0].contains("95 %"));
    assert!(table[1].starts_with("search:3") && table[2].starts_with("random"), "{}", ended.out);
    let json = arena(&[&arguments[..], &["--json"]].concat()).with(0).out;
    let standing: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(standing["matches"], 30);
    assert!(standing["players"][1]["rating"]["low"].as_f64().unwrap() > standing["players"][0]["rating"]["high"].as_f64().unwrap());
    assert!(standing["pairs"][0]["p"].as_f64().unwrap() < 0.01);
}

#[test]
fn an_arena_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, torn) = (folder.path().join("whole.jsonl"), folder.path().join("torn.jsonl"));
    let play = |file: &Path| {
        let file = file.to_str().unwrap();
        arena(&[
            "sixteen-soldiers",
            "--players",
            "random,greedy",
            "--matches",
            "12",
            "--results",
            file,
        ])
        .with(0)
    };
    let table = play(&whole).out;
    assert_eq!(lines(&whole).len(), 13);
    // Killed after the fifth match, in the middle of writing the sixth.
    let text = lines(&whole);
    std::fs::write(&torn, format!("{}\n{}", text[..6].join("\n"), &text[6][..20])).unwrap();
    play(&torn);
    assert_eq!(essence(&whole), essence(&torn));
    assert_eq!(lines(&torn)[..6], text[..6], "what was played stays as it was");
    // Nothing is left to play, and the table is the same but for nothing.
    assert_eq!(play(&whole).out, table);
    let other = arena(&[
        "sixteen-soldiers",
        "--players",
        "random,greedy",
        "--matches",
        "14",
        "--results",
        whole.to_str().unwrap(),
    ]);
    other
        .with(2)
        .complains("the results of another arena: its numbers of matches differ");
}

#[test]
fn parts_played_apart_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let plan = ["tic-tac-toe", "--players", "random,greedy,search:1", "--matches", "8"];
    let play = |more: &[&str]| arena(&[&plan[..], more].concat());
    play(&["--results", &path("whole")]).with(0);
    for part in ["1/3", "2/3", "3/3"] {
        play(&["--shard", part, "--results", &path(&part.replace('/', "-"))]).with(0);
    }
    play(&["--shard", "1/3"]).with(2).complains("--results");
    let parts = ["1-3", "2-3", "3-3"].map(path);
    let merged = arena(&["merge", &parts[0], &parts[1], &parts[2], "--results", &path("merged"), "--json"]).with(0);
    assert_eq!(essence(Path::new(&path("merged"))), essence(Path::new(&path("whole"))));
    let standing: serde_json::Value = serde_json::from_str(&merged.out).unwrap();
    assert_eq!(
        (standing["matches"].as_u64(), standing["pairs"].as_array().map(Vec::len)),
        (Some(24), Some(3))
    );
    arena(&["merge", &path("nowhere")]).with(1).complains("nowhere");
}

#[test]
fn kept_matches_verify_and_the_spreadsheet_has_a_line_for_each_seat() {
    let folder = tempfile::tempdir().unwrap();
    let (kept, csv) = (folder.path().join("kept"), folder.path().join("matches.csv"));
    let arguments = [
        "sixteen-soldiers",
        "--players",
        "greedy,random",
        "--matches",
        "4",
        "--option",
        "draw_after=20",
        "--keep",
        kept.to_str().unwrap(),
        "--csv",
        csv.to_str().unwrap(),
    ];
    arena(&arguments).with(0);
    let csv = lines(&csv);
    assert_eq!(csv.len(), 1 + 4 * 2);
    assert!(csv[0].starts_with("number,group,scenario,seed,actions,reason,"));
    let mut files: Vec<_> = std::fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 4);
    assert!(files[0].ends_with("sixteen-soldiers-standard-000001.save.xml"), "{files:?}");
    for file in &files {
        run(&["verify", file.to_str().unwrap()])
            .with(0)
            .says("run again with the same result");
    }
}

#[test]
fn a_program_in_python_plays_without_a_mishap() {
    let ended = arena(&[
        "tic-tac-toe",
        "sixteen-soldiers",
        "--players",
        &format!("{BOT},random"),
        "--matches",
        "4",
        "--json",
    ])
    .with(0);
    let standing: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(standing["matches"], 8);
    assert_eq!(
        (
            standing["players"][0]["player"].as_str(),
            standing["players"][0]["replaced"].as_u64()
        ),
        (Some(BOT), Some(0))
    );
    assert!(standing["players"][0]["points"].as_f64().unwrap() > 0.4, "{}", ended.out);
}

#[test]
fn a_program_in_python_sits_at_a_seat_of_a_match() {
    let seat = format!("noughts={BOT}");
    let lines = ["mark b2", "quit"].join("\n");
    let ended = run_in(&root(), &["play", "--text", "tic-tac-toe", "--seat", &seat], &(lines + "\n"));
    ended.with(0).says("mark b2");
}

#[test]
fn what_can_not_be_played_is_wrong_usage() {
    arena(&["tic-tac-toe", "--players", "human,random"])
        .with(2)
        .complains("people cannot play");
    arena(&["tic-tac-toe", "--players", "search:12"])
        .with(2)
        .complains("levels go from 1 to 9");
    arena(&["tic-tac-toe", "--players", "random,random"])
        .with(2)
        .complains("named twice");
    arena(&["nowhere", "--players", "random"]).with(2).complains("nowhere");
    arena(&["tic-tac-toe"]).with(2).complains("--players");
    arena(&["tic-tac-toe", "--players", "random", "--shard", "3/2", "--results", "x"])
        .with(2)
        .complains("3/2");
}

#[test]
fn the_help_of_the_arena_names_every_player() {
    let help = arena(&["--help"]).with(0).out;
    for word in [
        "random",
        "greedy",
        "search:LEVEL",
        "mcts:LEVEL",
        "maxn:LEVEL",
        "paranoid:LEVEL",
        "expectimax:LEVEL",
        "exec:COMMAND",
    ] {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
}

#[test]
fn random_play_says_what_a_ruleset_is_like() {
    let ended = run(&["metrics", "tic-tac-toe", "--matches", "10"]).with(0);
    ended
        .says("actions to choose from")
        .says("points by seat: crosses")
        .says("for a second of work");
    let json = run(&["metrics", "tic-tac-toe", "--matches", "10", "--json"]).with(0).out;
    let metrics: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (metrics["matches"].as_u64(), metrics["branching"]["greatest"].as_u64()),
        (Some(10), Some(9))
    );
    assert!(metrics["length"]["least"].as_u64() >= Some(5) && metrics["length"]["greatest"].as_u64() <= Some(9));
}

#[test]
fn a_sweep_plays_every_value_with_the_same_luck_and_leaves_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, html) = (folder.path().join("sweep.csv"), folder.path().join("sweep.html"));
    let arguments = [
        "conquest",
        "--line-up",
        "standard,random,random",
        "--param",
        "standard.min_probability_attack=60..100:40",
        "--matches",
        "3",
        "--csv",
        csv.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ];
    let ended = arena(&arguments).with(0);
    let line = |value: &str| {
        let name = format!("standard+min_probability_attack={value}");
        let line = ended
            .out
            .lines()
            .find(|line| line.starts_with(&name) && line.matches('%').count() == 3);
        line.unwrap_or_else(|| panic!("{}", ended.out)).to_owned()
    };
    assert!(line("60").contains("100.0 %"), "{}", ended.out);
    assert!(line("100").contains("p = "), "{}", ended.out);
    let rows = lines(&csv);
    assert_eq!(rows.len(), 1 + 2 * 3 * 3);
    // The same luck for both.
    let seeds = |value: &str| {
        let own = rows.iter().filter(|row| row.contains(&format!("={value},")));
        own.map(|row| row.split(',').nth(3).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(seeds("60"), seeds("100"));
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg") && page.contains("standard+min_probability_attack=100"));
    let refused = arena(&["conquest", "--line-up", "standard,random,random", "--param", "marshal.army=1,2"]).with(2);
    assert!(refused.err.contains("no line-up has a strategy `marshal`"), "{}", refused.err);
}
