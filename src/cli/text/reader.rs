//! Reading what a person types: with completion in a terminal, plainly from a pipe.

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal};

use rustyline::completion::{Completer, Pair};
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

/// Where lines come from.
pub(super) enum Reader {
    Terminal(Box<Editor<Words, DefaultHistory>>),
    Pipe,
}

impl Reader {
    /// Standard input: with an editor if a person types there.
    pub(super) fn new() -> Self {
        let stdin = io::stdin();
        if !stdin.is_terminal() || !io::stdout().is_terminal() {
            return Self::Pipe;
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .build();
        match Editor::with_config(config) {
            Ok(mut editor) => {
                editor.set_helper(Some(Words::default()));
                Self::Terminal(Box::new(editor))
            }
            Err(error) => {
                tracing::warn!("lines are read without completion: {error}");
                Self::Pipe
            }
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// Sets what can be completed: whole lines.
    pub(super) fn offer(&mut self, lines: Vec<String>) {
        if let Self::Terminal(editor) = self
            && let Some(words) = editor.helper_mut()
        {
            words.lines = lines;
        }
    }

    /// The next line; `None` at the end.
    pub(super) fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self {
            Self::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
            Self::Pipe => {
                let mut bytes = Vec::new();
                if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
                    return Ok(None);
                }
                Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned()))
            }
        }
    }
}

/// Completes a word of one of some lines.
#[derive(Default)]
pub(super) struct Words {
    lines: Vec<String>,
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

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = candidates(&self.lines, line.get(..position).unwrap_or_default());
        let pair = |word: String| Pair {
            replacement: word.clone(),
            display: word,
        };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Validator for Words {}

impl Helper for Words {}

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
}
