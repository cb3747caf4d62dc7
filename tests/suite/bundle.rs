//! The program away from its repository: in an empty folder, with a home of its own.

use std::fs;
use std::path::Path;

use super::command_line::{Ended, run_with};

/// Runs the program in the folder `work` of a home, with these lines typed.
fn at_home(home: &Path, arguments: &[&str], input: &str) -> Ended {
    let work = home.join("work");
    fs::create_dir_all(&work).unwrap();
    run_with(&work, &home.join("data"), &[("HOME", home)], arguments, input)
}

#[test]
fn in_an_empty_folder_everything_bundled_is_listed_and_played() {
    let home = tempfile::tempdir().unwrap();
    let listed = at_home(home.path(), &["list"], "").with(0).says("bundled");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets")).unwrap() {
        let id = entry.unwrap().file_name().into_string().unwrap();
        assert!(listed.out.contains(&id), "{id} is not in\n{}", listed.out);
    }
    at_home(home.path(), &["play", "--text", "tic-tac-toe"], "mark b2\nquit\n")
        .with(0)
        .says("Crosses mark b2");
    at_home(home.path(), &["paths"], "").with(0).says("data/boardwright/bundled/");
    // It is one folder, whatever was run.
    assert_eq!(fs::read_dir(home.path().join("data/boardwright/bundled")).unwrap().count(), 1);
}

#[test]
fn a_copy_of_a_bundled_ruleset_comes_before_it_and_alone_is_checked() {
    let home = tempfile::tempdir().unwrap();
    at_home(home.path(), &["check"], "")
        .with(2)
        .complains("no ruleset of your own was found in");
    let arguments = ["new", "my-rows", "--title", "Rows & Rows", "--author", "Ada", "--blank"];
    at_home(home.path(), &arguments, "")
        .with(0)
        .says("rulesets/my-rows is a copy of tic-tac-toe")
        .says("play it with: boardwright play my-rows");
    let copy = home.path().join("work/rulesets/my-rows");
    let manifest = fs::read_to_string(copy.join("ruleset.xml")).unwrap();
    assert!(
        manifest.contains("title=\"Rows &amp; Rows\"") && manifest.contains("<author>Ada</author>"),
        "{manifest}"
    );
    for left_out in ["Noughts and crosses", "card.svg", "smallest"] {
        assert!(!manifest.contains(left_out), "{manifest}");
    }
    assert!(!copy.join("help").exists() && !copy.join("art/card.svg").exists() && copy.join("art/cross.svg").exists());
    at_home(home.path(), &["check"], "").with(0).says("0 errors").says("in 1 ruleset");
    // A folder with the same ruleset takes the place of the bundled one, with its own maps.
    let changed = home.path().join("work/rulesets/tic-tac-toe");
    fs::rename(&copy, &changed).unwrap();
    fs::rename(home.path().join("work/maps/my-rows"), home.path().join("work/maps/tic-tac-toe")).unwrap();
    at_home(home.path(), &["list"], "").with(0).says("rulesets/tic-tac-toe\n");
    fs::remove_dir_all(home.path().join("work/maps/tic-tac-toe")).unwrap();
    at_home(home.path(), &["check"], "").says("the ruleset has no scenario");
}

#[test]
fn a_mod_finds_the_bundled_ruleset_it_is_laid_over() {
    let home = tempfile::tempdir().unwrap();
    at_home(home.path(), &["new", "my-captains", "--from", "sixteen-captains"], "").with(0);
    at_home(home.path(), &["play", "--text", "my-captains"], "quit\n")
        .with(0)
        .says("My Captains");
}

#[test]
fn where_the_bundle_cannot_be_kept_it_is_said_why_and_what_helps_and_played_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("data"), "a file where a folder is needed").unwrap();
    at_home(home.path(), &["play", "--text", "tic-tac-toe"], "mark b2\nquit\n")
        .with(0)
        .says("Crosses mark b2")
        .complains("the bundled rulesets could not be unpacked into")
        .complains("XDG_DATA_HOME");
}
