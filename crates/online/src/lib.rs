//! The screen of the window on which matches on servers are found, created and joined.
//!
//! It is a [`Screen`] that the window is handed, as it is handed the editor: the window knows of no server. What asks a server runs on threads of its
//! own, and a match that begins is shown by the window, which is given a link to it.
//!
//! It promises that the window never waits for a server, that a seat that was taken is never lost to its player while the token can be kept, and that
//! whatever a server says no to is shown with the server's own reason.
//!
//! - `screen`: what is shown
//! - `server`: what is asked of a server, and what it has answered
//! - `match_card`: a match in the list
//! - `new_match`: the form for a new match

mod match_card;
mod new_match;
mod screen;
mod server;

use std::path::PathBuf;

use boardwright_ui::{Screen, ScreenFactory};

/// Makes the screen. The tokens of the seats that are taken are kept in a folder; without one they are forgotten with the window.
pub fn factory(tokens: Option<PathBuf>) -> ScreenFactory {
    Box::new(move |context| -> Box<dyn Screen> { Box::new(screen::OnlineScreen::new(context, tokens.clone())) })
}
