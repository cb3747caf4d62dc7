//! Standard output, and how long things take.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::time::Duration;

use anstream::adapter::strip_str;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustyline::ExternalPrinter;
use serde::Serialize;

use super::Failure;

/// Standard output. Errors of writing come back to the command, a closed pipe ends it quietly.
pub(super) struct Out {
    stream: BufWriter<Stdout>,
    /// Whether colours are shown: in a terminal, and `NO_COLOR` is not set.
    has_colour: bool,
    /// What prints instead, above a line that is being typed, and what it is to print.
    printer: Option<(Box<dyn ExternalPrinter + Send>, String)>,
}

impl Out {
    pub(super) fn new() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self {
            stream: BufWriter::new(stdout),
            has_colour: is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            printer: None,
        }
    }

    /// Prints through something else from now on.
    pub(super) fn print_with(&mut self, printer: Option<Box<dyn ExternalPrinter + Send>>) -> io::Result<()> {
        self.flush()?;
        self.printer = printer.map(|printer| (printer, String::new()));
        Ok(())
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.text(text.as_ref())?;
        self.text("\n")
    }

    /// Writes a text as it is, but without its colours where there are none.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        if !self.has_colour && text.contains('\x1b') {
            return self.text(&strip_str(text).to_string());
        }
        if let Some((_, waiting)) = &mut self.printer {
            waiting.push_str(text);
            return Ok(());
        }
        self.stream.write_all(text.as_bytes())
    }

    /// Writes a value as JSON, readable for people as well.
    pub(super) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
        Ok(self.line(text)?)
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        if let Some((printer, waiting)) = &mut self.printer
            && !waiting.is_empty()
        {
            printer.print(std::mem::take(waiting)).map_err(io::Error::other)?;
        }
        self.stream.flush()
    }
}

/// Shows on standard error that something goes on; nothing where that is no terminal.
pub(super) fn spinner(text: impl Into<String>) -> ProgressBar {
    let bar = bar(None, "{spinner} {msg} {elapsed}", text);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Shows on standard error how many of some things are done; nothing where that is no terminal.
pub(super) fn progress(count: usize, text: impl Into<String>) -> ProgressBar {
    bar(Some(count as u64), "{bar:30} {pos}/{len} {msg}", text)
}

/// The same with how long it takes and will take.
pub(super) fn estimate(count: usize, text: impl Into<String>) -> ProgressBar {
    let bar = bar(Some(count as u64), "{bar:30} {pos}/{len} {msg}, {elapsed} gone, {eta} to go", text);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn bar(count: Option<u64>, template: &str, text: impl Into<String>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(count, ProgressDrawTarget::stderr()).with_message(text.into());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A number with its thing, in the plural where it is not one.
pub(super) fn counted(number: usize, thing: &str) -> String {
    if number == 1 {
        format!("1 {thing}")
    } else {
        format!("{number} {thing}s")
    }
}

/// Names between commas, or that there are none.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
