//! Saving, opening, deleting, and the automatic copies.

use std::fs;
use std::path::{Path, PathBuf};

use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, vec2};

use crate::support::{Opening, REAL_SIZE, Window, of_people, project};

/// A window with a match of two people and a folder of saves.
fn match_with(saves: &Path) -> Window {
    Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe")))
        .keeping(saves)
        .open()
}

fn launcher_with(saves: &Path) -> Window {
    let mut window = Opening::new(&project(), StartScreen::Launcher).keeping(saves).open();
    window.sees("Start match");
    window
}

fn marks(window: &mut Window, square: &str) {
    window.clicks(&format!("{square}, empty, can be chosen"));
    window.presses(Modifiers::NONE, Key::Enter).sees(&format!("{square}, "));
    window.no_longer_sees(&format!("{square}, empty"));
}

/// Saves a match with two marks under a name and leaves it.
fn saved_match(saves: &Path, name: &str) -> PathBuf {
    let mut window = match_with(saves);
    marks(&mut window, "a1");
    marks(&mut window, "b2");
    // The Enter that plays a mark is taken before the dialog is there: it would save under the name that is proposed.
    window
        .settles()
        .presses(Modifiers::COMMAND | Modifiers::SHIFT, Key::S)
        .sees("Save match as");
    window.writes("Name", name).clicks("Save match");
    window.sees(&format!("Saved as {name}.save.xml."));
    saves.join(format!("{name}.save.xml"))
}

fn copies(saves: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(saves.join("automatic")).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.to_str().unwrap().ends_with(".save.xml"));
    found
}

#[test]
fn a_match_is_saved_under_a_name_and_opened_from_the_list() {
    let saves = tempfile::tempdir().unwrap();
    let file = saved_match(saves.path(), "evening");
    assert!(file.is_file());
    let mut window = launcher_with(saves.path());
    window.presses(Modifiers::COMMAND, Key::O).sees("Saved matches");
    window.sees("Crosses: Person · Noughts: Person · 2 actions");
    window.clicks("Open").sees("a1, crosses mark").sees("b2, noughts mark");
}

#[test]
fn saving_again_goes_to_the_same_file_and_another_name_that_is_taken_is_asked_about() {
    let saves = tempfile::tempdir().unwrap();
    let other = saved_match(saves.path(), "other");
    let before = fs::read(&other).unwrap();
    let mut window = match_with(saves.path());
    marks(&mut window, "c3");
    window.presses(Modifiers::COMMAND, Key::S).sees("Saved as tic-tac-toe-standard-");
    let count = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().path().is_file()).count()
    };
    assert_eq!(count(saves.path()), 2);
    marks(&mut window, "c1");
    window.presses(Modifiers::COMMAND, Key::S);
    // The version before stays beside it as a backup.
    window.waits_until("it was saved elsewhere", |_| count(saves.path()) == 3);
    window.presses(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    window.writes("Name", "other").clicks("Save match");
    window.sees("A match with this name already exists.");
    assert_eq!(fs::read(&other).unwrap(), before);
    window.clicks("Replace").sees("Saved as other.save.xml.");
    assert_ne!(fs::read(&other).unwrap(), before);
}

#[test]
fn a_saved_match_is_deleted_only_after_asking() {
    let saves = tempfile::tempdir().unwrap();
    let file = saved_match(saves.path(), "evening");
    let mut window = launcher_with(saves.path());
    window.presses(Modifiers::COMMAND, Key::O).sees("2 actions");
    window
        .clicks("Delete")
        .sees("Delete evening.save.xml?")
        .clicks("Cancel")
        .no_longer_sees("Delete evening.save.xml?");
    assert!(file.is_file());
    window.clicks("Delete").clicks("Delete").sees("No saved matches yet.");
    assert!(!file.exists());
}

#[test]
fn a_broken_or_newer_save_is_explained_and_the_running_match_goes_on() {
    let saves = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(saved_match(saves.path(), "good")).unwrap();
    fs::write(saves.path().join("cut.save.xml"), &good[..good.len() / 2]).unwrap();
    fs::write(saves.path().join("cut.save.xml.1~"), &good).unwrap();
    let newer = good.replacen("format=\"1\"", "format=\"9\"", 1);
    fs::write(saves.path().join("newer.save.xml"), newer).unwrap();
    let mut window = match_with(saves.path());
    marks(&mut window, "c3");
    window.presses(Modifiers::COMMAND, Key::O);
    window.sees("cut, Can't be opened: the file is damaged or was changed by hand");
    window.sees("newer, Can't be opened: the document is of format 9; this program reads formats up to 1");
    // By its path it is tried all the same, and told in full.
    let path = saves.path().join("cut.save.xml");
    window.writes("Path to a file", &path.display().to_string()).clicks("Open file");
    window.sees("open an earlier version").clicks("Close");
    window.sees("c3, crosses mark, last action");
    marks(&mut window, "a1");
}

#[test]
fn a_file_that_is_no_save_and_one_that_is_not_there_are_told() {
    let saves = tempfile::tempdir().unwrap();
    let mut window = launcher_with(saves.path());
    window.presses(Modifiers::COMMAND, Key::O).sees("No saved matches yet.");
    window.writes("Path to a file", "/nowhere/at-all.save.xml").clicks("Open file");
    window.sees("/nowhere/at-all.save.xml");
    let other = project().join("Cargo.toml");
    window.writes("Path to a file", &other.display().to_string()).clicks("Open file");
    window.sees("Cargo.toml:1");
}

#[test]
fn a_match_that_is_left_can_be_continued_although_nobody_saved_it() {
    let saves = tempfile::tempdir().unwrap();
    let mut window = match_with(saves.path());
    marks(&mut window, "a1");
    // The form beside it takes room as soon as the rulesets are read; only then does the button stay where it is.
    window.clicks("Back to the launcher").sees("Start match");
    window.clicks("Continue").sees("a1, crosses mark");
    marks(&mut window, "b2");
    window.clicks("Back to the launcher").sees("2 actions");
    assert_eq!(copies(saves.path()).len(), 1, "it is kept on in the same copy");
}

#[test]
fn a_match_whose_program_was_killed_is_offered_at_the_next_start() {
    let saves = tempfile::tempdir().unwrap();
    let mut window = match_with(saves.path());
    marks(&mut window, "a1");
    window.waits_until("there is no copy", |_| !copies(saves.path()).is_empty());
    drop(window);
    let lock = format!("{}.running", copies(saves.path())[0].display());
    let mut window = launcher_with(saves.path());
    window.waits_until("the match is still running", |_| !Path::new(&lock).exists());
    drop(window);
    // What a killed program leaves: a lock that nobody holds.
    fs::write(&lock, "").unwrap();
    let mut window = launcher_with(saves.path());
    window.sees("Boardwright closed unexpectedly during this match");
    window.clicks("Resume").sees("a1, crosses mark");
    window.clicks("Back to the launcher").sees("Continue");
    window.no_longer_sees("Boardwright closed unexpectedly");
}

#[test]
fn a_match_that_was_cut_off_may_be_left_alone() {
    let saves = tempfile::tempdir().unwrap();
    saved_match(saves.path(), "evening");
    fs::create_dir_all(saves.path().join("automatic")).unwrap();
    let copy = saves.path().join("automatic/copy.save.xml");
    fs::copy(saves.path().join("evening.save.xml"), &copy).unwrap();
    fs::write(format!("{}.running", copy.display()), "").unwrap();
    let mut window = launcher_with(saves.path());
    window.clicks("Not now").no_longer_sees("Boardwright closed unexpectedly");
    assert!(copy.exists());
}

#[test]
fn a_match_that_has_ended_is_watched_from_its_beginning() {
    let saves = tempfile::tempdir().unwrap();
    let mut window = match_with(saves.path());
    for square in ["a1", "b1", "a2", "b2", "a3"] {
        marks(&mut window, square);
    }
    window.sees("Crosses won").clicks("Back to the launcher");
    window.sees("Watch again").sees("ended after 5 actions");
    window.clicks_containing("Watch Tic-Tac-Toe");
    window.sees("Looking back: 0 of 5").sees("a1, empty");
}

#[test]
fn beside_a_drawer_the_card_to_continue_and_the_games_keep_their_room() {
    let saves = tempfile::tempdir().unwrap();
    saved_match(saves.path(), "a long evening in late autumn");
    for (size, key) in [(REAL_SIZE, Key::F1), (REAL_SIZE, Key::F4), (vec2(1000.0, 640.0), Key::F1)] {
        let opening = Opening::new(&project(), StartScreen::Launcher).keeping(saves.path());
        let mut window = opening.sized(size).open();
        window.sees("Tic-Tac-Toe, 2 seats");
        window.presses(Modifiers::NONE, key).settles();
        let whole = window.harness.ctx.content_rect();
        let told = window.rect_of_containing("2 actions");
        assert!(told.width() > 80.0 && told.height() < 70.0, "{size}: {told:?}");
        for label in ["Continue", "Start match"] {
            let rect = window.rect_of(label);
            assert!(whole.contains_rect(rect), "{size}: {label} {rect:?}");
        }
        let game = window.rect_of_containing(" seats, about");
        assert!(
            game.width() >= 240.0 && game.right() <= size.x && game.top() < size.y,
            "{size}: {game:?}"
        );
    }
}

#[test]
fn the_title_of_the_match_to_continue_is_whole_in_a_small_window() {
    let saves = tempfile::tempdir().unwrap();
    saved_match(saves.path(), "a long evening in late autumn");
    let widths = [vec2(1000.0, 640.0), vec2(1900.0, 900.0)].map(|size| {
        let opening = Opening::new(&project(), StartScreen::Launcher).keeping(saves.path());
        let mut window = opening.sized(size).open();
        window.sees("Start match");
        window.rect_of_containing("Tic-Tac-Toe: ").width()
    });
    assert!((widths[0] - widths[1]).abs() < 1.0, "{widths:?}");
}

#[test]
fn an_opened_match_shows_its_newest_action_in_the_history() {
    let saves = tempfile::tempdir().unwrap();
    let mut window = match_with(saves.path());
    for cell in ["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3"] {
        marks(&mut window, cell);
    }
    window.settles().presses(Modifiers::COMMAND, Key::S).sees("Saved as ");
    let opening = Opening::new(&project(), StartScreen::Launcher).keeping(saves.path());
    let mut window = opening.sized(vec2(760.0, 520.0)).open();
    window.clicks("Continue").sees("8. Noughts: mark a3").settles();
    let (heading, newest) = (window.rect_of("History"), window.rect_of("8. Noughts: mark a3"));
    assert!(
        newest.top() > heading.bottom() && newest.bottom() <= 520.0,
        "{heading:?} {newest:?}"
    );
}
