//! Reading what a person types: with completion in a terminal, plainly from a pipe.
//!
//! A thread reads one line each time it is asked to, so that the table can tell what happens while somebody types.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, ExternalPrinter, Helper};

use boardwright_model::{State, complete_edit};
use boardwright_script::line_completions;

/// A line of a pipe that was there sooner than this was written beforehand, and waits for its turn.
const BEFOREHAND: Duration = Duration::from_millis(250);
/// What stands in front of an edit command.
const EDIT: &str = "edit ";
/// The most lines that wait for their turn.
const MOST_HELD: usize = 256;

/// Prints above the line that is being typed.
pub(super) type Printer = Box<dyn ExternalPrinter + Send>;

/// What was heard.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    Line(String),
    /// There is nothing more to come, or the person has had enough.
    End,
}

/// Where lines come from.
pub(super) struct LineReader {
    is_terminal: bool,
    prompts: Sender<String>,
    lines: Receiver<io::Result<(Input, Duration)>>,
    offered: Arc<Mutex<Offered>>,
    /// Whether a line is being read.
    is_asked: bool,
    /// What was heard before its turn.
    held: VecDeque<Input>,
}

impl LineReader {
    /// Standard input: with an editor if a person types there, and a printer for what is told meanwhile.
    pub(super) fn new() -> io::Result<(Self, Option<Printer>)> {
        let (prompts, asked) = mpsc::channel::<String>();
        let (heard, lines) = mpsc::channel();
        let (made, printer) = mpsc::channel();
        let offered = Arc::new(Mutex::new(Offered::default()));
        let known = LineCompleter {
            offered: Arc::clone(&offered),
        };
        // It is not waited for at the end: it may never hear anything more.
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            let mut editor = editor(known);
            let printer = editor.as_mut().and_then(|editor| editor.create_external_printer().ok());
            if made
                .send((editor.is_some(), printer.map(|printer| Box::new(printer) as Printer)))
                .is_err()
            {
                return;
            }
            for prompt in asked {
                let begun = Instant::now();
                let line = match &mut editor {
                    Some(editor) => edited(editor, &prompt),
                    None => piped(),
                };
                if heard.send(line.map(|line| (line, begun.elapsed()))).is_err() {
                    return;
                }
            }
        })?;
        let (is_terminal, printer) = printer.recv().map_err(io::Error::other)?;
        let reader = Self {
            is_terminal,
            prompts,
            lines,
            offered,
            is_asked: false,
            held: VecDeque::new(),
        };
        Ok((reader, printer))
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Sets what can be completed: whole lines, and edit commands.
    pub(super) fn offer(&mut self, lines: Vec<String>, state: Option<Arc<State>>) {
        *self.offered.lock().unwrap_or_else(PoisonError::into_inner) = Offered { lines, state };
    }

    fn ask(&mut self, prompt: &str) {
        if !self.is_asked {
            // A thread that is gone is told of by the lines that do not come.
            self.is_asked = self.prompts.send(prompt.to_owned()).is_ok();
        }
    }

    /// The next line, if there is one within some time.
    pub(super) fn next_line(&mut self, prompt: &str, most: Duration) -> io::Result<Option<Input>> {
        if let Some(held) = self.held.pop_front() {
            return Ok(Some(held));
        }
        self.ask(prompt);
        let line = match self.lines.recv_timeout(most) {
            Ok(line) => line.map(|(heard, _)| heard),
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Input::End),
        };
        self.is_asked = false;
        line.map(Some)
    }

    /// A line that was typed while it was nobody's turn to type, if it is one to be taken `at_once`. Others wait for their turn: where the
    /// person `plays_along`, from a pipe all that was written beforehand, so that a file of lines is a match like one that was typed.
    pub(super) fn early_line(&mut self, prompt: &str, plays_along: bool, at_once: impl Fn(&str) -> bool) -> io::Result<Option<Input>> {
        if self.held.len() >= MOST_HELD || self.held.contains(&Input::End) {
            return Ok(None);
        }
        self.ask(prompt);
        let Ok(line) = self.lines.try_recv() else { return Ok(None) };
        self.is_asked = false;
        let (heard, took) = line?;
        let is_immediate = match &heard {
            _ if self.is_terminal => true,
            Input::Line(line) => (!plays_along || took >= BEFOREHAND) && at_once(line),
            Input::End => false,
        };
        if is_immediate {
            return Ok(Some(heard));
        }
        self.held.push_back(heard);
        Ok(None)
    }
}

/// An editor for lines, if a person types at a terminal.
fn editor(words: LineCompleter) -> Option<Editor<LineCompleter, DefaultHistory>> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(true)
        .build();
    match Editor::with_config(config) {
        Ok(mut editor) => {
            editor.set_helper(Some(words));
            Some(editor)
        }
        Err(error) => {
            tracing::warn!("lines are read without completion: {error}");
            None
        }
    }
}

fn edited(editor: &mut Editor<LineCompleter, DefaultHistory>, prompt: &str) -> io::Result<Input> {
    match editor.readline(prompt) {
        Ok(line) => Ok(Input::Line(line)),
        Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(Input::End),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn piped() -> io::Result<Input> {
    let mut bytes = Vec::new();
    if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Input::End);
    }
    Ok(Input::Line(
        String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned(),
    ))
}

/// What can be completed.
#[derive(Default)]
struct Offered {
    lines: Vec<String>,
    state: Option<Arc<State>>,
}

/// Completes a word of one of some lines.
#[derive(Default)]
pub(super) struct LineCompleter {
    offered: Arc<Mutex<Offered>>,
}

/// The completions of an edit command; none if it is another line.
fn edit_completions(state: &State, typed: &str) -> Option<(usize, Vec<Pair>)> {
    let edit = typed.strip_prefix(EDIT)?;
    let completion = complete_edit(edit, state, line_completions());
    let pair = |word: String| Pair {
        replacement: format!("{word}{}", completion.then),
        display: word,
    };
    Some((EDIT.len() + completion.start, completion.words.into_iter().map(pair).collect()))
}

/// The words that can stand at the cursor: each line that begins like what is typed, up to its next blank.
fn candidates(lines: &[String], typed: &str) -> (usize, Vec<String>) {
    let start = typed.rfind(' ').map_or(0, |blank| blank + 1);
    let mut words: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| line.starts_with(typed)) {
        let rest = line.get(start..).unwrap_or_default();
        let word = rest.split(' ').next().unwrap_or_default().to_owned();
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    (start, words)
}

impl Completer for LineCompleter {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        let typed = line.get(..position).unwrap_or_default();
        if let Some(found) = offered.state.as_ref().and_then(|state| edit_completions(state, typed)) {
            return Ok(found);
        }
        let (start, words) = candidates(&offered.lines, typed);
        let pair = |word: String| Pair {
            replacement: word.clone(),
            display: word,
        };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for LineCompleter {
    type Hint = String;
}

impl Highlighter for LineCompleter {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Validator for LineCompleter {}

impl Helper for LineCompleter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completion_goes_word_by_word() {
        let lines: Vec<String> = ["move c3 c4", "move c3 d4", "move e3 e4", "moves"].map(str::to_owned).into();
        assert_eq!(candidates(&lines, "mo"), (0, vec!["move".to_owned(), "moves".to_owned()]));
        assert_eq!(candidates(&lines, "move "), (5, vec!["c3".to_owned(), "e3".to_owned()]));
        assert_eq!(candidates(&lines, "move c3 "), (8, vec!["c4".to_owned(), "d4".to_owned()]));
        assert_eq!(candidates(&lines, "quit").1, Vec::<String>::new());
    }

    #[test]
    fn edit_commands_are_completed_from_the_match() {
        let state = boardwright_fixtures::Race::start().unwrap();
        let replacements = |typed: &str| {
            let (start, pairs) = edit_completions(&state, typed).unwrap();
            (start, pairs.into_iter().map(|pair| pair.replacement).collect::<Vec<_>>())
        };
        assert_eq!(replacements("edit tu"), (5, vec!["turn ".to_owned()]));
        assert_eq!(replacements("edit turn b"), (10, vec!["blue".to_owned()]));
        assert!(edit_completions(&state, "moves").is_none());
    }
}
