//! Matches of tic-tac-toe on a server, between two windows.

use std::path::Path;
use std::sync::Arc;

use crate::support::{Opening, Window, project};
use boardwright::content::Catalog;
use boardwright::ui::StartScreen;
use boardwright_network::{Limits, Lobby, serve};
use boardwright_store::SqliteStore;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A server on a port of its own, for as long as it lives.
struct Server {
    _runtime: Runtime,
    address: String,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
        let lobby = Arc::new(Lobby::new(Arc::new(store), Catalog::scan(&[project()]), 2, 100).unwrap());
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        runtime.spawn(serve(listener, lobby, Limits::default(), std::future::pending()));
        Self {
            _runtime: runtime,
            address,
            _folder: folder,
        }
    }
}

/// A window that is connected to a server, and the tokens of which are kept in a folder.
fn connected(server: &Server, tokens: &Path, name: &str) -> Window {
    let opening = Opening::new(&project(), StartScreen::Launcher);
    let mut window = opening.online(tokens).open();
    window.sees("Play online").clicks("Play online").sees("Your name");
    window.writes("Address", &server.address).writes("Your name", name);
    window.clicks("Connect").sees("Waiting for players");
    window
}

/// Ada's window, with the form of a new match of Tic-Tac-Toe.
fn with_form(server: &Server, tokens: &Path) -> Window {
    let mut ada = connected(server, tokens, "Ada");
    ada.clicks_field("Game")
        .clicks_field("Tic-Tac-Toe")
        .sees("An empty board. Crosses begin.");
    ada
}

#[test]
fn two_windows_find_each_other_on_a_server_play_and_come_back() {
    let server = Server::start();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut ada = connected(&server, folders[0].path(), "Ada");
    ada.sees("No match waits for players. Create one.");
    ada.clicks_field("Game")
        .clicks_field("Tic-Tac-Toe")
        .sees("An empty board. Crosses begin.");
    ada.clicks("Create and take a seat")
        .sees("Send this link to others")
        .sees("crosses: Ada");
    let mut bob = connected(&server, folders[1].path(), "Bob");
    bob.sees("crosses: Ada").harness.remove_cursor();
    let address = bob.rect_of("Address");
    let mut picture = bob.picture();
    // The port is another one each time.
    picture.unsteady.push(address);
    picture.is_as_approved("online");
    bob.clicks("Play noughts");
    bob.sees("Round 1");
    ada.sees("Round 1").sees("Which square?");
    ada.clicks("b2, empty").sees("b2, Crosses");
    bob.sees("b2, Crosses");
    bob.clicks("a1, empty").sees("a1, Noughts");
    ada.sees("a1, Noughts");
    // Whoever leaves finds the match in the list, and comes back with a click.
    bob.clicks("Back to the launcher")
        .sees("Your matches")
        .clicks("Continue")
        .sees("a1, Noughts");
    // A window of its own without the tokens is a spectator.
    let elsewhere = tempfile::tempdir().unwrap();
    let mut cecil = connected(&server, elsewhere.path(), "Cecil");
    cecil.sees("Being played").clicks("Watch").sees("a1, Noughts");
}

#[test]
fn what_a_server_says_no_to_is_shown_with_its_reason() {
    let server = Server::start();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut ada = with_form(&server, folders[0].path());
    ada.writes("Password (optional)", "sesame")
        .clicks("Create and take a seat")
        .sees("crosses: Ada");
    let mut bob = connected(&server, folders[1].path(), "Ada");
    bob.clicks("Play noughts").sees("asks for a password");
    bob.writes("Password of a match", "sesame")
        .clicks("Play noughts")
        .sees("there is a player called Ada in this match already");
    bob.writes("Your name", "Bob").clicks("Play noughts").sees("Round 1");
    ada.sees("Round 1");
    // A server that is not there.
    bob.clicks("Back to the launcher").sees("Your matches");
    bob.writes("Address", "127.0.0.1:1")
        .presses(Modifiers::NONE, Key::Enter)
        .sees("cannot be reached");
}

#[test]
fn a_match_with_a_clock_shows_who_plays_what_time_is_left_and_what_is_offered() {
    let server = Server::start();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut ada = with_form(&server, folders[0].path());
    ada.clicks_field("Clock").clicks_field("1d/turn");
    ada.clicks("Create and take a seat").sees("crosses: Ada");
    let mut bob = connected(&server, folders[1].path(), "Bob");
    bob.sees("1d/turn").clicks("Play noughts").sees("Round 1");
    ada.sees("Round 1").sees("Bob").sees("Ada").sees("1d 00:00 left");
    // Nobody here seats players or pauses them, and a rated match has no undo.
    for label in ["Player of Crosses", "Swap seats", "Save"] {
        assert!(!ada.shows(label), "{label}");
    }
    assert!(ada.harness.get_by_label("Undo").accesskit_node().is_disabled());
    ada.harness.remove_cursor();
    let running = ada.rect_of_containing("23:5");
    let latency = ada.sees(" ms").rect_of_containing(" ms");
    let mut picture = ada.picture();
    picture.unsteady.extend([running, latency].map(|rect| rect.expand(8.0)));
    picture.is_as_approved("online-match");
    ada.clicks("More tools").sees("Edit position");
    assert!(ada.harness.get_by_label("Edit position").accesskit_node().is_disabled());
    ada.clicks("Offer a draw").sees("You offer a draw");
    bob.sees("Crosses offers a draw")
        .clicks("Decline")
        .no_longer_sees("Crosses offers a draw");
    ada.sees("Noughts: no draw").no_longer_sees("You offer a draw");
    bob.clicks("More tools").clicks("Offer a draw");
    ada.sees("Noughts offers a draw").clicks("Accept").sees("Draw");
    bob.sees("Draw").sees("New match");
    // Neither is this match undone, nor does a guest begin the next one.
    assert!(bob.harness.get_by_label("Undo").accesskit_node().is_disabled());
    assert!(!bob.shows("Rematch"), "{}", bob.labels());
}

#[test]
fn whoever_waits_may_leave() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let mut ada = connected(&server, folder.path(), "Ada");
    ada.clicks_field("Game")
        .clicks_field("Tic-Tac-Toe")
        .sees("An empty board. Crosses begin.");
    ada.clicks("Create and take a seat").sees("crosses: Ada").clicks("Leave");
    ada.sees("crosses: free").no_longer_sees("Your matches");
    // From a field Escape leads out of it first.
    ada.presses(Modifiers::NONE, Key::Escape).sees("Start match");
}
