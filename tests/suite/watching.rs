//! Changes of files are told, once each, whatever an editor does to write them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
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
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("rules/strategies")).unwrap();
        fs::write(folder.path().join("rules/a.rhai"), "1").unwrap();
        let settings = WatchSettings {
            polls,
            poll_interval: Duration::from_millis(100),
            ..WatchSettings::default()
        };
        let watch = FolderWatch::new(&[folder.path().join("rules")], settings).unwrap();
        Self { folder, watch }
    }

    fn path(&self, name: &str) -> PathBuf {
        std::path::absolute(self.folder.path().join(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Waits until a change of this file or folder is told.
    fn expect(&self, name: &str) {
        let path = self.path(name);
        while !self
            .watch
            .changes()
            .recv_timeout(LONG)
            .unwrap_or_else(|_| panic!("no change of {name}"))
            .contains(&path)
        {}
    }

    fn expect_quiet(&self) {
        match self.watch.changes().recv_timeout(QUIET) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("{other:?}"),
        }
    }

    fn settle(&self) {
        while self.watch.changes().recv_timeout(QUIET).is_ok() {}
    }
}

#[test]
fn a_saved_file_is_told_once_and_reading_it_tells_nothing() {
    let fixture = Fixture::new(false);
    fixture.write("rules/a.rhai", "2");
    let told = fixture.watch.changes().recv_timeout(LONG).unwrap();
    assert_eq!(told, [fixture.path("rules/a.rhai")]);
    assert_eq!(fs::read_to_string(fixture.path("rules/a.rhai")).unwrap(), "2");
    fixture.expect_quiet();
}

#[test]
fn what_editors_keep_beside_a_file_is_no_change() {
    let fixture = Fixture::new(false);
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
    let fixture = Fixture::new(false);
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
    let fixture = Fixture::new(false);
    fs::create_dir(fixture.path("rules/help")).unwrap();
    fixture.expect("rules/help");
    fixture.settle();
    fixture.write("rules/help/a.md", "x");
    fixture.expect("rules/help/a.md");
}

#[test]
fn a_folder_that_is_deleted_and_made_again_is_watched_again() {
    let fixture = Fixture::new(false);
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
    let fixture = Fixture::new(false);
    fixture.watch.set_folders(vec![fixture.path("maps")]);
    fs::create_dir(fixture.path("maps")).unwrap();
    fixture.expect("maps");
    fixture.settle();
    fixture.write("maps/b.map.xml", "<map/>");
    fixture.expect("maps/b.map.xml");
    fixture.write("rules/a.rhai", "no longer watched");
    fixture.settle_without(Path::new("rules"));
}

impl Fixture {
    fn settle_without(&self, folder: &Path) {
        let folder = self.folder.path().join(folder);
        while let Ok(told) = self.watch.changes().recv_timeout(QUIET) {
            assert!(told.iter().all(|path| !path.starts_with(&folder)), "{told:?}");
        }
    }
}

#[test]
fn polling_tells_the_same() {
    let fixture = Fixture::new(true);
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
