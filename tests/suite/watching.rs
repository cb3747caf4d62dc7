//! Changes of files are told, once each, whatever an editor does to write them.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use boardwright::content::{FolderWatch, WatchSettings, write_atomic};

const LONG: Duration = Duration::from_secs(20);
const QUIET: Duration = Duration::from_millis(400);

struct Fixture {
    folder: tempfile::TempDir,
    watch: FolderWatch,
}

impl Fixture {
    fn new(polls: bool) -> Self {
        Self::watching("rules", polls)
    }

    fn watching(watched: &str, polls: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("rules/strategies")).unwrap();
        fs::write(folder.path().join("rules/a.rhai"), "1").unwrap();
        let settings = WatchSettings {
            polls,
            poll_interval: Duration::from_millis(100),
            ..WatchSettings::default()
        };
        let watch = FolderWatch::new(&[folder.path().join(watched)], settings).unwrap();
        Self { folder, watch }
    }

    fn path(&self, name: &str) -> PathBuf {
        std::path::absolute(self.folder.path().join(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Waits until a change of this file or folder is told.
    fn expect(&mut self, name: &str) {
        let path = self.path(name);
        loop {
            let told = self.watch.wait(LONG);
            assert!(!told.is_empty(), "no change of {name}");
            if told.contains(&path) {
                return;
            }
        }
    }

    fn expect_quiet(&mut self) {
        let told = self.watch.wait(QUIET);
        assert!(told.is_empty(), "{told:?}");
    }

    fn settle(&mut self) {
        while !self.watch.wait(QUIET).is_empty() {}
    }
}

#[test]
fn a_saved_file_is_told_once_and_reading_it_tells_nothing() {
    let mut fixture = Fixture::new(false);
    fixture.write("rules/a.rhai", "2");
    let told = fixture.watch.wait(LONG);
    assert_eq!(told.into_iter().collect::<Vec<_>>(), [fixture.path("rules/a.rhai")]);
    assert_eq!(fs::read_to_string(fixture.path("rules/a.rhai")).unwrap(), "2");
    fixture.expect_quiet();
}

#[test]
fn what_editors_keep_beside_a_file_is_no_change() {
    let mut fixture = Fixture::new(false);
    for name in [
        "rules/.a.rhai.swp",
        "rules/a.rhai~",
        "rules/#a.rhai#",
        "rules/4913",
        "rules/a.rhai.1~",
        "rules/notes.tmp",
    ] {
        fixture.write(name, "x");
    }
    fixture.expect_quiet();
}

#[test]
fn editors_that_write_by_renaming_are_understood() {
    let mut fixture = Fixture::new(false);
    // As vim does it: the old file aside, the new one in its place.
    fs::rename(fixture.path("rules/a.rhai"), fixture.path("rules/a.rhai~")).unwrap();
    fixture.write("rules/a.rhai", "2");
    fixture.expect("rules/a.rhai");
    fixture.settle();
    // As this program does it.
    write_atomic(&fixture.path("rules/a.rhai"), b"3", 3).unwrap();
    fixture.expect("rules/a.rhai");
    fixture.settle();
    fs::remove_file(fixture.path("rules/a.rhai")).unwrap();
    fixture.expect("rules/a.rhai");
}

#[test]
fn new_folders_are_watched_too() {
    let mut fixture = Fixture::new(false);
    fs::create_dir(fixture.path("rules/help")).unwrap();
    fixture.expect("rules/help");
    fixture.settle();
    fixture.write("rules/help/a.md", "x");
    fixture.expect("rules/help/a.md");
}

#[test]
fn a_folder_that_is_deleted_and_made_again_is_watched_again() {
    let mut fixture = Fixture::new(false);
    fs::remove_dir_all(fixture.path("rules")).unwrap();
    fixture.expect("rules");
    fixture.settle();
    // Another folder takes its name, as when a version control system changes branches.
    fs::create_dir(fixture.path("other")).unwrap();
    fixture.write("other/a.rhai", "2");
    fs::rename(fixture.path("other"), fixture.path("rules")).unwrap();
    fixture.expect("rules");
    fixture.settle();
    fixture.write("rules/a.rhai", "3");
    fixture.expect("rules/a.rhai");
}

#[test]
fn a_folder_that_comes_later_is_watched_from_then_on() {
    let mut fixture = Fixture::watching("maps", false);
    fs::create_dir(fixture.path("maps")).unwrap();
    fixture.expect("maps");
    fixture.settle();
    fixture.write("maps/b.map.xml", "<map/>");
    fixture.expect("maps/b.map.xml");
    fixture.settle();
    fixture.write("rules/a.rhai", "not watched");
    fixture.expect_quiet();
}

#[test]
fn polling_tells_the_same() {
    let mut fixture = Fixture::new(true);
    fixture.settle();
    fixture.write("rules/a.rhai", "2");
    fixture.expect("rules/a.rhai");
    fixture.settle();
    fs::remove_dir_all(fixture.path("rules")).unwrap();
    fixture.expect("rules");
    fixture.settle();
    fs::create_dir(fixture.path("rules")).unwrap();
    fixture.expect("rules");
    fixture.settle();
    fixture.write("rules/b.rhai", "2");
    fixture.expect("rules/b.rhai");
}
