//! Opens the window.

use std::sync::Arc;

use egui::{IconData, ViewportBuilder};

use super::app::{App, StartScreen};
use super::screen::Screens;
use super::settings::Settings;
use super::sound::system_speaker;
use boardwright_client::content::Content;

/// The window could not be opened, or broke down.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// There is no screen.
    #[error("there is no display to open a window on")]
    NoDisplay,
    /// The window could not be made.
    #[error("the window could not be opened: {}", message_text(&.0.to_string()))]
    Window(#[from] eframe::Error),
}

/// What a library says, without the place in its own source at which it says so.
fn message_text(message: &str) -> &str {
    let behind_place = message.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    behind_place.map_or(message, |(_, text)| text)
}

/// Opens the window and runs it until it is closed. Must be called on the main thread.
///
/// # Errors
/// If there is no display, or the window cannot be made.
pub fn run(content: Arc<dyn Content>, beginning: StartScreen, screens: Screens) -> Result<(), UiError> {
    if !has_display() {
        return Err(UiError::NoDisplay);
    }
    content.read_ahead();
    let make = move |creation: &eframe::CreationContext<'_>| -> Box<dyn eframe::App> {
        let app = App::new(&creation.egui_ctx, content, beginning, Settings::default());
        let mut app = app.as_stored(creation.storage).with_speaker(system_speaker());
        if let Some(editor) = screens.editor {
            app = app.with_editor(editor);
        }
        if let Some(online) = screens.online {
            app = app.with_online(online);
        }
        Box::new(app)
    };
    eframe::run_native(
        "boardwright",
        window_options("Boardwright"),
        Box::new(move |creation| Ok(make(creation))),
    )?;
    Ok(())
}

/// Whether there is a screen to open a window on.
pub(super) fn has_display() -> bool {
    if cfg!(any(target_os = "windows", target_os = "macos")) {
        return true;
    }
    ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// How the windows of the program look.
fn window_options(title: &str) -> eframe::NativeOptions {
    let viewport = ViewportBuilder::default()
        .with_title(title)
        .with_app_id("boardwright")
        .with_inner_size([1280.0, 820.0])
        .with_min_inner_size([760.0, 520.0])
        .with_icon(Arc::new(IconData::default()));
    eframe::NativeOptions {
        viewport,
        multisampling: 4,
        centered: true,
        ..eframe::NativeOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_the_source_of_libraries_are_left_out() {
        let message = "winit EventLoopError: os error at /somewhere/linux/mod.rs:788: Failed to open connection to X server";
        assert_eq!(message_text(message), "Failed to open connection to X server");
        assert_eq!(message_text("no such thing: really"), "no such thing: really");
    }
}
