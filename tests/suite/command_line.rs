//! The program as people start it: what it prints and how it ends.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use boardwright_fixtures::copy_folder;

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    #[track_caller]
    pub(crate) fn with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.out.contains(text), "{text:?} is not in\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn says_times(self, text: &str, times: usize) -> Self {
        assert_eq!(self.out.matches(text).count(), times, "{text:?} in\n{}", self.out);
        self
    }

    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{text:?} is not in\n{}", self.err);
        self
    }
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Where the program keeps matches in tests: not in the folder of whoever runs them.
pub(crate) fn data_home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("data")
}

pub(crate) fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Ended {
    run_with(folder, &data_home(), &[], arguments, input)
}

/// Runs the program in a folder, with a place for its data and further variables of the environment, and with these lines typed.
pub(crate) fn run_with(folder: &Path, data: &Path, variables: &[(&str, &Path)], arguments: &[&str], input: &str) -> Ended {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("BOARDWRIGHT_CONTENT")
        .env("XDG_DATA_HOME", data)
        .envs(variables.iter().copied())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read its input.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn run(arguments: &[&str]) -> Ended {
    run_in(&root(), arguments, "")
}

pub(crate) fn plays(arguments: &[&str], lines: &[&str]) -> Ended {
    run_in(&root(), &[&["play", "--text"], arguments].concat(), &(lines.join("\n") + "\n"))
}

/// Content of its own: copies of the bundled folders of a ruleset.
pub(crate) fn copied(rulesets: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for ruleset in rulesets {
        for part in ["rulesets", "maps"] {
            copy_folder(&root().join(part).join(ruleset), &folder.path().join(part).join(ruleset)).unwrap();
        }
    }
    folder
}

pub(crate) fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from:?} is not in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

// Wrong usage -----------------------------------------------------------------------------------------------------------------

#[test]
fn wrong_ids_seats_players_and_options_are_wrong_usage() {
    for (arguments, said) in [
        (&["play", "tic-tac-tow", "--text"][..], "tic-tac-toe"),
        (&["play", "tic-tac-toe/nowhere", "--text"], "there is no scenario `nowhere`"),
        (
            &["play", "tic-tac-toe", "--text", "--seat", "green=random"],
            "there is no seat `green`",
        ),
        (
            &["play", "conquest/two", "--text", "--seat", "green=random"],
            "the seat `green` does not take part in this scenario",
        ),
        (&["play", "tic-tac-toe", "--text", "--seat", "crosses"], "--seat NAME=PLAYER"),
        (
            &["play", "tic-tac-toe", "--text", "--seat", "crosses=search:99"],
            "levels go from 1 to 9",
        ),
        (
            &["play", "tic-tac-toe", "--text", "--option", "size=3"],
            "there is no option `size`",
        ),
        (
            &["play", "sixteen-soldiers", "--text", "--option", "draw_after=0"],
            "0 is outside 1 to 500",
        ),
        (&["play", "sixteen-soldiers", "--text", "--option", "draw_aftr=9"], "draw_after"),
        (
            &["play", "sixteen-soldiers", "--text", "--option", "must_capture=perhaps"],
            "yes or no",
        ),
        (
            &["play", "tic-tac-toe", "--text", "--seat", "crosses=serch:3"],
            "there is no player `serch`: did you mean `search`?",
        ),
        (
            &[
                "play",
                "tic-tac-toe",
                "--text",
                "--seat",
                "crosses=random",
                "--seat",
                "crosses=greedy",
            ],
            "crosses is given twice, as `random` and as `greedy`",
        ),
        (
            &["play", "--text", "--load", "tests/formats/v1.save.xml", "--seed", "3"],
            "leave out --option and --seed",
        ),
        (
            &["play", "--load", "tests/formats/v1.save.xml", "--seat", "crosses=random"],
            "leave out --seat",
        ),
        (&["play", "--text"], "sixteen-soldiers"),
        (
            &["play", "--text", "--load", "tests/formats/v1.save.xml", "--option", "draw_after=9"],
            "a saved match keeps its options",
        ),
        (&["play", "tic-tac-toe", "--text", "--pace", "70000"], "70000 is not in "),
        (
            &["play", "--text", "--load", "nothing.save.xml"],
            "there is no file nothing.save.xml",
        ),
        (&["perft", "tic-tac-toe"], "DEPTH"),
        (&["perft", "tic-tac-toe", "deep"], "invalid value"),
        (&["perft", "tic-tac-toe", "0"], "0 is not in 1.."),
        (&["describe", "nothing"], "there is no ruleset `nothing`"),
        (&["describe", "conquest/lesson"], "`boardwright describe conquest`"),
        (&["check", "nothing"], "no file or folder of that name"),
        (&["check", "maps/nothing"], "there is no file or folder maps/nothing"),
        (
            &["check", "nothing.map.xml", "--content", "src"],
            "there is no file or folder nothing.map.xml",
        ),
        (&["check", "Cargo.toml"], "no part of a ruleset"),
        (&["verify", "nothing.save.xml"], "there is no file"),
        (&["verify", "maps"], "maps is a folder, not a saved match"),
        (&["migrate", "nothing"], "is not there"),
        (
            &["new", "tic-tac-toe", "--from", "sixteen-soldiers"],
            "there is a ruleset `tic-tac-toe` already",
        ),
        (&["new", "Not An Id", "--from", "tic-tac-toe"], "is no id"),
        (&["frobnicate"], "frobnicate"),
        (
            &["describe", "tic-tac-toe", "--content", "/nowhere/at/all"],
            "the content folder /nowhere/at/all is not there",
        ),
    ] {
        let ended = run(arguments);
        assert!(ended.code == 2 && ended.err.contains(said), "{arguments:?}: {ended:#?}");
        assert!(ended.out.is_empty(), "{arguments:?} printed {}", ended.out);
    }
}

#[test]
fn tests_on_a_broken_map_name_the_map() {
    let content = copied(&["tic-tac-toe"]);
    let map = content.path().join("maps/tic-tac-toe/board.map.xml");
    edit(&map, "<map ", "<chart ");
    let ended = run_in(content.path(), &["test", "tic-tac-toe"], "").with(1);
    assert!(!ended.out.contains("there is no scenario"), "{}", ended.out);
    ended
        .says("maps/tic-tac-toe/board.map.xml:")
        .says("`<chart>` is never closed")
        .says("its tests cannot be run");
}

#[test]
fn a_folder_without_rulesets_is_said_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().to_str().unwrap();
    run(&["check", "--content", content])
        .with(2)
        .complains("no ruleset of your own was found")
        .complains("--content");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(["docs"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn every_command_explains_itself() {
    let listed = run(&["--help"]).with(0).out;
    for command in [
        "play", "engine", "check", "test", "perft", "resolve", "new", "list", "paths", "describe", "docs", "replay", "verify", "migrate",
    ] {
        assert!(listed.contains(&format!("  {command} ")), "{command} is not listed:\n{listed}");
        run(&[command, "--help"]).with(0).says("Usage: boardwright");
    }
    run(&["--version"]).with(0).says(env!("CARGO_PKG_VERSION"));
}

// Content ---------------------------------------------------------------------------------------------------------------------

#[test]
fn what_is_checked_is_counted_and_told_as_json() {
    // All that is shipped is checked where the commands of the pages run.
    let small = ["tic-tac-toe", "sixteen-soldiers"];
    run(&[&["check"][..], &small].concat()).with(0).says("0 errors");
    let json: serde_json::Value = serde_json::from_str(&run(&[&["check", "--json"][..], &small].concat()).with(0).out).unwrap();
    assert_eq!(json["errors"], 0);
}

#[test]
fn a_function_that_an_action_lacks_is_missed_where_the_action_is_declared() {
    let content = copied(&["sixteen-soldiers", "tic-tac-toe"]);
    edit(
        &content.path().join("rulesets/tic-tac-toe/rules.rhai"),
        "fn pattern_mark(",
        "fn pattern_mrk(",
    );
    run_in(content.path(), &["check", "tic-tac-toe"], "")
        .with(1)
        .says("rulesets/tic-tac-toe/rules.rhai:15:13: error[missing-hook]: action mark needs a function do_mark(turn, picked)")
        .says("did you mean `pattern_mark`?");
    run_in(content.path(), &["play", "tic-tac-toe", "--text"], "")
        .with(1)
        .complains("rules.rhai:15:13: error[missing-hook]");
    // Of several actions it is the right one, and everything that it lacks is told.
    let declared = "                #{ name: \"way\", pick: \"path\", prompt: \"Where to?\" },\n            ] },\n";
    edit(
        &content.path().join("rulesets/sixteen-soldiers/rules.rhai"),
        declared,
        &format!("{declared}            #{{ name: \"pass\", picks: [#{{ name: \"why\", pick: \"text\" }}] }},\n"),
    );
    run_in(content.path(), &["check", "sixteen-soldiers"], "")
        .with(1)
        .says("rules.rhai:34:13: error[missing-hook]: action pass needs a function do_pass(turn, picked)")
        .says("rules.rhai:34:13: error[missing-hook]: action pass needs a function pass_why(view) or pass_why(view, picked)");
}

#[test]
fn a_folder_that_is_no_ruleset_and_a_ruleset_without_maps_are_told() {
    let content = copied(&["tic-tac-toe"]);
    fs::create_dir(content.path().join("rulesets/notes")).unwrap();
    fs::remove_dir_all(content.path().join("maps/tic-tac-toe")).unwrap();
    run_in(content.path(), &["check"], "")
        .with(1)
        .says("rulesets/notes/ruleset.xml: error[file]: the file is not there")
        .says("each folder in rulesets/ is a ruleset")
        .says("rulesets/tic-tac-toe/ruleset.xml: warning[missing-value]: the ruleset has no scenario");
    run_in(content.path(), &["describe", "notes"], "")
        .with(1)
        .complains("the ruleset cannot be used");
    let nowhere = content.path().join("not/there.md");
    run(&["docs", "--out", nowhere.to_str().unwrap()]).with(2).complains("is not there");
    assert!(!nowhere.parent().unwrap().exists());
}

#[test]
fn mistakes_are_found_with_file_line_and_column() {
    let content = copied(&["tic-tac-toe"]);
    edit(&content.path().join("rulesets/tic-tac-toe/rules.rhai"), "fn ", "fnn ");
    edit(
        &content.path().join("maps/tic-tac-toe/board.map.xml"),
        "<map ",
        "<map colour=\"red\" ",
    );
    let ended = run_in(content.path(), &["check"], "").with(1);
    let lines: Vec<&str> = ended.out.lines().collect();
    let is_place = |line: &&&str, file: &str| {
        let Some(rest) = line.strip_prefix(file) else { return false };
        let parts: Vec<&str> = rest.splitn(4, ':').collect();
        parts.len() == 4 && parts[1].parse::<u32>().is_ok() && parts[2].parse::<u32>().is_ok() && parts[3].starts_with(" error[")
    };
    for file in ["rulesets/tic-tac-toe/rules.rhai", "maps/tic-tac-toe/board.map.xml"] {
        assert!(lines.iter().any(|line| is_place(&line, file)), "{file} is not in\n{}", ended.out);
    }
    // Files and folders may be named as well.
    for path in [
        "maps/tic-tac-toe/board.map.xml",
        "rulesets/tic-tac-toe",
        "rulesets/tic-tac-toe/rules.rhai",
        ".",
    ] {
        run_in(content.path(), &["check", path], "").with(1);
    }
    let json = run_in(content.path(), &["check", "--json"], "").with(1).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["errors"].as_u64().unwrap() >= 2, "{json}");
    run_in(content.path(), &["play", "tic-tac-toe", "--text"], "")
        .with(1)
        .complains("board.map.xml:2:6");
}

#[test]
fn worked_examples_run_and_a_lost_one_is_told_with_its_line() {
    run(&["test", "tic-tac-toe", "sixteen-captains"])
        .with(0)
        .says("tic-tac-toe: ")
        .says("sixteen-captains: ")
        .says(" passed");
    let content = copied(&["tic-tac-toe"]);
    let file = content.path().join("rulesets/tic-tac-toe/tests/lost.rhai");
    fs::write(
        &file,
        "/// 2 A mark stays where it was put.\nfn test_lost(t) {\n    t.expect_nothing_of_the_kind();\n}\n",
    )
    .unwrap();
    let ended = run_in(content.path(), &["test", "tic-tac-toe"], "")
        .with(1)
        .says("test_lost: 2 A mark stays")
        .says("1 failed");
    assert!(ended.out.contains("rulesets/tic-tac-toe/tests/lost.rhai:3:"), "{}", ended.out);
    let json = run_in(content.path(), &["test", "--only", "lost", "--json"], "").with(1).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["tests"][0]["is_passed"], false);
    run_in(content.path(), &["test", "--only", "nonsense"], "")
        .with(2)
        .complains("no test has `nonsense`");
}

#[test]
fn a_profile_says_what_the_engine_runs_and_because_of_which_line() {
    let content = copied(&["tic-tac-toe"]);
    let file = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let follow = "    turn.follow(picked.square);\n";
    let rules = fs::read_to_string(&file).unwrap() + "\n/// 2 A mark stays.\nfn do_mark(turn, picked) {\n" + follow + "}\n";
    fs::write(&file, &rules).unwrap();
    let hook = || {
        let json = run_in(
            content.path(),
            &["profile", "tic-tac-toe", "--matches", "3", "--seed", "1", "--json"],
            "",
        )
        .with(0)
        .out;
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let hooks = report["hooks"].as_array().unwrap().clone();
        hooks.into_iter().find(|hook| hook["name"] == "do_mark").unwrap()
    };
    let lowered = hook();
    assert!(lowered["calls"].as_u64() >= Some(15), "five marks a match at the least: {lowered}");
    assert_eq!((&lowered["by_engine"], &lowered["left_at"]), (&0.into(), &serde_json::Value::Null));
    let line = 1 + rules.lines().position(|line| line.trim() == follow.trim()).unwrap();
    fs::write(&file, rules.replace(follow, &format!("{follow}    print(\"marked\");\n"))).unwrap();
    let by_engine = hook();
    assert_eq!(by_engine["by_engine"], by_engine["calls"]);
    assert_eq!(by_engine["left_at"], format!("rulesets/tic-tac-toe/rules.rhai:{}", line + 1));
    run_in(content.path(), &["profile", "tic-tac-toe", "--matches", "1"], "")
        .with(0)
        .says(&format!("the engine, because of rulesets/tic-tac-toe/rules.rhai:{}", line + 1));
}

#[test]
fn perft_counts_and_divides() {
    run(&["perft", "tic-tac-toe", "2", "--luck", "seed"]).with(0).says("1 9\n2 72\n");
    run(&["perft", "tic-tac-toe", "4"]).with(0).says("1 9\n2 72\n3 504\n4 3024\n");
    let ended = run(&["perft", "tic-tac-toe", "3", "--divide"]).with(0);
    assert_eq!(ended.out.lines().count(), 10);
    let json: serde_json::Value = serde_json::from_str(&run(&["perft", "tic-tac-toe", "2", "--json"]).with(0).out).unwrap();
    assert_eq!(json[1]["count"], 72);
}

#[test]
fn the_odds_of_a_combat_table_are_its_printed_chances() {
    run(&["odds", "river-crossing", "--table"])
        .with(0)
        .says("Odds                          1:2    1:1    3:2    2:1    3:1    4:1    5:1\n")
        .says("the defender retreats       0.167  0.167  0.333  0.333  0.333  0.167  0.167\n");
    let one = run(&["odds", "river-crossing", "--odds", "3:1", "--content", "."]).with(0);
    assert!(!one.out.contains("on average") && one.out.lines().count() == 7, "{}", one.out);
    one.says("the defender is eliminated  0.166666666667  1/6\n");
    run(&["odds", "river-crossing", "--odds", "3:1", "--content", "nowhere"])
        .with(2)
        .complains("the content folder nowhere is not there");
}

#[test]
fn many_strengths_are_told_in_groups() {
    let many = run(&["odds", "conquest", "--attackers", "1000", "--defenders", "1000"]).with(0);
    assert!(many.out.lines().count() < 50, "{}", many.out);
    assert!(many.out.starts_with("Battle: attackers 1000, defenders 1000 ("), "{}", many.out);
}

#[test]
fn a_ruleset_is_described_and_resolved() {
    run(&["describe", "sixteen-soldiers"])
        .with(0)
        .says("sixteen-soldiers/standard")
        .says("draw_after=60")
        .says("move soldier way  rule 2.1");
    let json: serde_json::Value = serde_json::from_str(&run(&["describe", "tic-tac-toe", "--json"]).with(0).out).unwrap();
    assert_eq!(json["declarations"]["seats"][0]["name"], "crosses");
    run(&["resolve", "sixteen-soldiers"])
        .with(0)
        .says("rulesets/sixteen-soldiers/rules.rhai:");
    // Of a mod it is told which layer each part comes from, key by key where tables are joined.
    let json: serde_json::Value = serde_json::from_str(&run(&["resolve", "sixteen-captains", "--json"]).with(0).out).unwrap();
    assert_eq!(
        json["layers"],
        serde_json::json!(["rulesets/sixteen-soldiers", "rulesets/sixteen-captains"])
    );
    let part = |name: &str| {
        json["parts"]
            .as_array()
            .unwrap()
            .iter()
            .find(|part| part["name"] == name)
            .unwrap()
            .clone()
    };
    let (table, move_hook) = (part("VALUE"), part("do_move(turn, picked)"));
    let keys: Vec<_> = table["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| key["name"].as_str().unwrap())
        .collect();
    assert_eq!(keys, ["captain", "scale", "share", "soldiers", "gone", "nearness", "longest_way"]);
    assert!(
        table["keys"][0]["place"]
            .as_str()
            .unwrap()
            .starts_with("rulesets/sixteen-captains/")
    );
    assert!(
        table["keys"][2]["place"]
            .as_str()
            .unwrap()
            .starts_with("rulesets/sixteen-soldiers/")
    );
    assert!(table["joins"][0].as_str().unwrap().starts_with("rulesets/sixteen-soldiers/") && table["replaces"] == serde_json::json!([]));
    assert_eq!(move_hook["replaces"], serde_json::json!([]));
    assert_eq!(part("value(view)")["replaces"].as_array().unwrap().len(), 1);
    let json: serde_json::Value = serde_json::from_str(&run(&["resolve", "tic-tac-toe/standard", "--json"]).with(0).out).unwrap();
    assert!(json["parts"].as_array().unwrap().iter().any(|part| part["name"] == "ruleset()"));
}

#[test]
fn a_new_ruleset_is_a_copy_that_checks_and_plays() {
    let content = copied(&["tic-tac-toe"]);
    let folder = content.path();
    run_in(folder, &["new", "my-rows", "--from", "tic-tac-toe"], "")
        .with(0)
        .says("boardwright play my-rows");
    run_in(folder, &["check", "my-rows"], "").with(0);
    run_in(folder, &["play", "my-rows", "--text"], "a1\nquit\n")
        .with(0)
        .says("Crosses mark a1");
    let manifest = fs::read_to_string(folder.join("rulesets/my-rows/ruleset.xml")).unwrap();
    assert!(manifest.contains("id=\"my-rows\" title=\"My Rows\""), "{manifest}");
    // Put elsewhere, it is played as the last line says.
    let elsewhere = tempfile::tempdir().unwrap();
    let into = elsewhere.path().to_str().unwrap();
    let told = run_in(folder, &["new", "far-rows", "--from", "tic-tac-toe", "--into", into], "")
        .with(0)
        .out;
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("play it with: boardwright "))
        .unwrap();
    let arguments: Vec<&str> = line.split(' ').chain(["--text"]).collect();
    run_in(folder, &arguments, "a1\nquit\n")
        .with(0)
        .says("Far Rows")
        .says("Crosses mark a1");
    // A mistake in its tests is told with its place.
    fs::write(folder.join("rulesets/my-rows/tests/more.rhai"), "/// 1\nfn test_more(t) {").unwrap();
    run_in(folder, &["check", "my-rows"], "")
        .with(1)
        .says("rulesets/my-rows/tests/more.rhai:2:");
    run_in(folder, &["test", "my-rows"], "")
        .with(1)
        .says("my-rows: rulesets/my-rows/tests/more.rhai");
    // Nothing is overwritten, and nothing half made stays behind.
    run_in(folder, &["new", "my-rows", "--from", "tic-tac-toe"], "").with(2);
    fs::create_dir_all(folder.join("maps/third")).unwrap();
    run_in(folder, &["new", "third", "--from", "tic-tac-toe"], "")
        .with(2)
        .complains("maps/third is there already");
    assert!(!folder.join("rulesets/third").exists());
    for part in ["rulesets", "maps"] {
        let hidden = fs::read_dir(folder.join(part)).unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with('.')
        });
        assert_eq!(hidden.count(), 0);
    }
}

#[test]
fn a_copy_of_a_mod_is_played_with_what_it_is_laid_over() {
    let content = copied(&["sixteen-soldiers", "sixteen-captains"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let into = elsewhere.path().to_str().unwrap();
    let arguments = ["new", "my-captains", "--from", "sixteen-captains", "--into", into];
    let told = run_in(content.path(), &arguments, "").with(0).out;
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("play it with: boardwright "))
        .unwrap();
    let arguments: Vec<&str> = line.split(' ').chain(["--text"]).collect();
    run_in(content.path(), &arguments, "quit\n").with(0).says("My Captains");
}

#[test]
fn arguments_that_would_do_nothing_are_refused() {
    run(&["docs", "tic-tac-toe", "--form", "definitions"]).with(2);
    run(&["arena", "tic-tac-toe", "--players", "random,greedy", "--param", "x.y=1"]).with(2);
}

#[test]
fn a_match_is_saved_into_a_folder_and_then_in_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let input = format!("a1\nsave {path}\nb2\nsave\nquit\n");
    run_in(&root(), &["play", "tic-tac-toe", "--text", "--seat", "noughts=human"], &input).with(0);
    let saved: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    let saves: Vec<&PathBuf> = saved
        .iter()
        .filter(|file| file.display().to_string().ends_with(".save.xml"))
        .collect();
    let [save] = saves[..] else { panic!("{saved:?}") };
    let file = save.to_str().unwrap();
    run_in(&root(), &["play", "--text", "--load", file], "c3\nsave\nquit\n")
        .with(0)
        .says(&format!("Saved in {file}"));
}

#[test]
fn documents_of_the_current_format_stay_as_they_are() {
    let content = copied(&["tic-tac-toe"]);
    let map = content.path().join("maps/tic-tac-toe/board.map.xml");
    let before = fs::read_to_string(&map).unwrap();
    run_in(content.path(), &["migrate", "."], "")
        .with(0)
        .says("had the current format already");
    assert_eq!(fs::read_to_string(&map).unwrap(), before);
    fs::write(&map, "<map").unwrap();
    run_in(content.path(), &["migrate", "maps"], "").with(1).says("nothing was changed");
}

#[test]
fn a_damaged_document_of_the_current_format_is_not_taken_for_a_sound_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.save.xml");
    let text = fs::read_to_string(root().join("tests/formats/v1.save.xml")).unwrap();
    fs::write(&file, &text).unwrap();
    run_in(folder.path(), &["migrate", "."], "").with(0);
    let at = text.len() / 2;
    let other = if text.as_bytes()[at] == b'x' { "y" } else { "x" };
    fs::write(&file, [&text[..at], other, &text[at + 1..]].concat()).unwrap();
    run_in(folder.path(), &["migrate", "."], "")
        .with(1)
        .says("a.save.xml: error[document]: the file is damaged or was changed by hand")
        .says("nothing was changed");
}

#[test]
fn the_reference_and_rule_books_are_printed() {
    let reference = run(&["docs"]).with(0).out;
    assert_eq!(reference, fs::read_to_string(root().join("docs/script-api.md")).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("words.d.rhai");
    run(&["docs", "--form", "definitions", "--out", file.to_str().unwrap()]).with(0);
    assert!(file.is_file());
}
