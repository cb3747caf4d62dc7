//! `boardwright-editor [FILE]`: opens a map or a scenario in a window.

use std::io::{Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use boardwright::content::content_roots;
use boardwright_editor::Editor;

const USAGE: &str = "usage: boardwright-editor [--content FOLDER]... [FILE]";

fn main() -> ExitCode {
    let (mut given, mut file) = (Vec::new(), None);
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--content" {
            match arguments.next() {
                Some(folder) => given.push(PathBuf::from(folder)),
                None => return wrong("--content needs a folder"),
            }
        } else if file.is_none() && !argument.to_string_lossy().starts_with('-') {
            file = Some(PathBuf::from(argument));
        } else {
            return wrong(&format!("{} is too much", argument.to_string_lossy()));
        }
    }
    let opened = eframe::run_native(
        "boardwright-editor",
        boardwright::ui::window_options("Boardwright editor"),
        Box::new(move |creation| Ok(Box::new(Editor::new(&creation.egui_ctx, &content_roots(&given), file)))),
    );
    match opened {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(stderr(), "error: the window could not be opened: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn wrong(what: &str) -> ExitCode {
    drop(writeln!(stderr(), "error: {what}\n{USAGE}"));
    ExitCode::from(2)
}
