//! A script with triggers in it, part by part.

use std::collections::BTreeSet;

use super::trigger::{MARK, Trigger};

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptPart {
    /// A trigger, with its text as it stands in the script.
    Trigger(Box<Trigger>, String),
    /// Anything else, as it stands there.
    Script(String),
}

impl ScriptPart {
    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Trigger(_, text) | Self::Script(text) => text,
        }
    }
}

/// A script as its triggers and what stands between them. What is not changed keeps its text, byte for byte.
///
/// ```
/// use boardwright_triggers::TriggerScript;
///
/// let text = "// The winter.\n\n/// Trigger: Snow\nfn on_round_snow(turn) {\n    if turn.round == 5 {\n        turn.note(\"It snows.\");\n    }\n}\n";
/// let script = TriggerScript::read(text);
/// let (_, snow) = script.triggers().next().unwrap();
/// assert_eq!(snow.when().form().text, "round {number} begins");
/// assert_eq!(script.print(), text);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriggerScript {
    parts: Vec<ScriptPart>,
}

impl TriggerScript {
    /// Reads a script. What is no trigger, or no longer in the form of one, is kept as it is.
    pub fn read(text: &str) -> Self {
        let (mut parts, mut kept, mut end) = (Vec::new(), 0, 0);
        for start in line_starts(text) {
            if start < end || !text.get(start..).is_some_and(|rest| rest.starts_with(MARK)) {
                continue;
            }
            let Some((found, length)) = trigger_at(text.get(start..).unwrap_or_default()) else {
                continue;
            };
            end = start + length;
            let slice = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default().to_owned();
            if kept < start {
                parts.push(ScriptPart::Script(slice(kept..start)));
            }
            parts.push(ScriptPart::Trigger(Box::new(found), slice(start..end)));
            kept = end;
        }
        if kept < text.len() {
            parts.push(ScriptPart::Script(text.get(kept..).unwrap_or_default().to_owned()));
        }
        Self { parts }
    }

    /// The text of the script.
    pub fn print(&self) -> String {
        self.parts.iter().map(ScriptPart::text).collect()
    }

    /// Its parts, in order.
    pub fn parts(&self) -> &[ScriptPart] {
        &self.parts
    }

    /// Its triggers, in order, each with the index of its part.
    pub fn triggers(&self) -> impl Iterator<Item = (usize, &Trigger)> {
        let parts = self.parts.iter().enumerate();
        parts.filter_map(|(index, part)| match part {
            ScriptPart::Trigger(trigger, _) => Some((index, &**trigger)),
            ScriptPart::Script(_) => None,
        })
    }

    /// Adds a trigger at the end.
    pub fn push(&mut self, trigger: Trigger) {
        let gap = match self.parts.last().map(ScriptPart::text) {
            None => "",
            Some(last) if last.ends_with("\n\n") => "",
            Some(last) if last.ends_with('\n') => "\n",
            Some(_) => "\n\n",
        };
        if !gap.is_empty() {
            self.parts.push(ScriptPart::Script(gap.to_owned()));
        }
        let text = self.printed(&trigger, None);
        self.parts.push(ScriptPart::Trigger(Box::new(trigger), text));
    }

    /// Puts another trigger in the place of one. A part that is no trigger stays.
    pub fn replace(&mut self, index: usize, trigger: Trigger) {
        let Some(ScriptPart::Trigger(before, before_text)) = self.parts.get(index) else {
            return;
        };
        if **before == trigger {
            return;
        }
        let ends_line = before_text.ends_with('\n');
        let mut text = self.printed(&trigger, Some(index));
        if !ends_line {
            text.truncate(text.trim_end().len());
        }
        if let Some(part) = self.parts.get_mut(index) {
            *part = ScriptPart::Trigger(Box::new(trigger), text);
        }
    }

    /// Takes a trigger away, and the blank line behind it. A part that is no trigger stays.
    pub fn remove(&mut self, index: usize) {
        if !matches!(self.parts.get(index), Some(ScriptPart::Trigger(..))) {
            return;
        }
        self.parts.remove(index);
        if let Some(ScriptPart::Script(text)) = self.parts.get_mut(index)
            && let Some(rest) = text.strip_prefix('\n')
        {
            *text = rest.to_owned();
            if text.is_empty() {
                self.parts.remove(index);
            }
        }
    }

    /// Lets a trigger change places with the one before it, if there is one.
    pub fn move_up(&mut self, index: usize) {
        let before = self.triggers().map(|(at, _)| at).take_while(|at| *at < index).last();
        if let Some(before) = before.filter(|_| matches!(self.parts.get(index), Some(ScriptPart::Trigger(..)))) {
            self.parts.swap(before, index);
        }
    }

    /// The text of a trigger under the name of a function that no other part has.
    fn printed(&self, trigger: &Trigger, own: Option<usize>) -> String {
        let others = self.parts.iter().enumerate().filter(|(index, _)| Some(*index) != own);
        let taken: BTreeSet<&str> = others.flat_map(|(_, part)| functions(part.text())).collect();
        let name = trigger.function();
        let mut names = std::iter::once(name.clone()).chain((2..).map(|number: u64| format!("{name}_{number}")));
        let free = names.find(|name| !taken.contains(name.as_str()));
        trigger.print_as(&free.unwrap_or(name))
    }
}

/// The names of functions that a text defines, as far as lines tell.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let named = line.strip_prefix("private ").unwrap_or(line).strip_prefix("fn ")?;
        named.split(['(', ' ']).next()
    })
}

/// The trigger that a text begins with, and how long it is with the end of its line.
fn trigger_at(text: &str) -> Option<(Trigger, usize)> {
    let function = text.find('\n')? + 1;
    let length = function + end_of_braces(text.get(function..)?)?;
    let rest = text.get(length..)?;
    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
    if !rest.get(..line)?.trim().is_empty() {
        return None;
    }
    Some((Trigger::read(text.get(..length)?)?, length + line))
}

/// Where the braces that a text opens are closed again.
fn end_of_braces(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in Code::of(text) {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Where lines begin that stand outside of functions, texts and comments.
fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut depth = 0_usize;
    for (at, c) in Code::of(text) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\n' if depth == 0 => starts.push(at + 1),
            _ => {}
        }
    }
    starts
}

/// The characters of a script that stand in no text and in no comment. The end of a line that a comment takes belongs to the code.
struct Code<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Code<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on behind a text that ends with a quote.
    fn skip_quoted(&mut self, quote: char) {
        let mut is_escaped = false;
        for (at, c) in self.rest().char_indices().skip(1) {
            if !is_escaped && c == quote {
                self.at += at + c.len_utf8();
                return;
            }
            is_escaped = !is_escaped && c == '\\' && quote != '`';
        }
        self.at = self.text.len();
    }

    /// Goes on behind a comment, which may hold others.
    fn skip_block(&mut self) {
        let (mut depth, start) = (0_usize, self.at);
        while let Some(c) = self.rest().chars().next() {
            if self.rest().starts_with("/*") {
                (depth, self.at) = (depth + 1, self.at + 2);
            } else if self.rest().starts_with("*/") {
                (depth, self.at) = (depth.saturating_sub(1), self.at + 2);
            } else {
                self.at += c.len_utf8();
            }
            if depth == 0 && self.at > start {
                return;
            }
        }
    }
}

impl Iterator for Code<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let c = self.rest().chars().next()?;
            match c {
                '"' | '`' => self.skip_quoted(c),
                // A character such as '{' or '\''.
                '\'' if self.rest().chars().nth(1) == Some('\\') || self.rest().chars().nth(2) == Some('\'') => self.skip_quoted('\''),
                '/' if self.rest().starts_with("//") => {
                    let length = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += length;
                }
                '/' if self.rest().starts_with("/*") => self.skip_block(),
                c => {
                    let at = self.at;
                    self.at += c.len_utf8();
                    return Some((at, c));
                }
            }
        }
    }
}
