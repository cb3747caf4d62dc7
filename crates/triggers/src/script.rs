//! A script with triggers in it, part by part.

use std::collections::BTreeSet;

use super::tokens::quote;
use super::trigger::{MARK, Trigger};
use super::unread::{Unread, UnreadReason};

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptPart {
    /// A trigger, with its text as it stands in the script.
    Trigger(Box<Trigger>, String),
    /// A function that is marked as a trigger and not in the form of one, as it stands there.
    Unread(Unread, String),
    /// Anything else, as it stands there.
    Script(String),
}

impl ScriptPart {
    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Trigger(_, text) | Self::Unread(_, text) | Self::Script(text) => text,
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
        let slice = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default().to_owned();
        for start in line_starts(text) {
            let rest = text.get(start..).unwrap_or_default();
            let is_off = rest
                .strip_prefix("//")
                .is_some_and(|line| line.strip_prefix(' ').unwrap_or(line).starts_with(MARK));
            if start < end || !(is_off || rest.starts_with(MARK)) {
                continue;
            }
            let (found, length) = if is_off { off_trigger_at(rest) } else { trigger_at(rest) };
            end = start + length;
            if kept < start {
                parts.push(ScriptPart::Script(slice(kept..start)));
            }
            parts.push(match found {
                Ok(found) => ScriptPart::Trigger(Box::new(found), slice(start..end)),
                Err(why) => ScriptPart::Unread(why, slice(start..end)),
            });
            kept = end;
        }
        if kept < text.len() {
            parts.push(ScriptPart::Script(slice(kept..text.len())));
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
            ScriptPart::Unread(..) | ScriptPart::Script(_) => None,
        })
    }

    /// Adds a trigger at the end, and gives the index of its part.
    pub fn push(&mut self, trigger: Trigger) -> usize {
        self.insert(self.parts.len(), trigger)
    }

    /// Adds a trigger behind another part, and gives the index of its own.
    pub fn insert_behind(&mut self, index: usize, trigger: Trigger) -> usize {
        self.insert(index.saturating_add(1).min(self.parts.len()), trigger)
    }

    fn insert(&mut self, at: usize, trigger: Trigger) -> usize {
        let before: String = self.parts.get(..at).unwrap_or_default().iter().map(ScriptPart::text).collect();
        let gap = match before {
            before if before.is_empty() || before.ends_with("\n\n") => "",
            before if before.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let text = self.printed(&trigger, None);
        let gap = (!gap.is_empty()).then(|| ScriptPart::Script(gap.to_owned()));
        let own = at + usize::from(gap.is_some());
        let added = gap.into_iter().chain([ScriptPart::Trigger(Box::new(trigger), text)]);
        self.parts.splice(at..at, added);
        own
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

    /// Moves a trigger to a place among the triggers, counted from 0; what stands between them stays. Gives the index of its part.
    pub fn move_to(&mut self, index: usize, place: usize) -> usize {
        let places: Vec<usize> = self.triggers().map(|(at, _)| at).collect();
        let Some(from) = places.iter().position(|at| *at == index) else {
            return index;
        };
        let to = place.min(places.len() - 1);
        let steps: Vec<usize> = if from < to {
            (from..to).collect()
        } else {
            (to..from).rev().collect()
        };
        for step in steps {
            if let (Some(one), Some(other)) = (places.get(step), places.get(step + 1)) {
                self.parts.swap(*one, *other);
            }
        }
        let last = self.parts.len().saturating_sub(1);
        for part in self.parts.iter_mut().take(last) {
            if let ScriptPart::Trigger(_, text) = part
                && !text.ends_with('\n')
            {
                text.push('\n');
            }
        }
        places.get(to).copied().unwrap_or(index)
    }

    /// The text of the script with a message to everybody before what each trigger does. All lines stay where they are.
    pub fn announcing(&self, message: impl Fn(&Trigger) -> String) -> String {
        let announced = |part: &ScriptPart| match part {
            ScriptPart::Trigger(trigger, text) if !trigger.is_off() => {
                let mut braces = Code::of(text).filter(|(_, c)| *c == '{').map(|(at, _)| at + 1);
                let body = braces.nth(usize::from(trigger.has_tests()))?;
                let (before, behind) = text.split_at_checked(body)?;
                Some(format!("{before}turn.note({});{behind}", quote(&message(trigger))))
            }
            _ => None,
        };
        let texts = self
            .parts
            .iter()
            .map(|part| announced(part).unwrap_or_else(|| part.text().to_owned()));
        texts.collect()
    }

    /// In which part a line is, counted from 0, and which line of that part it is.
    pub fn part_at(&self, line: usize) -> Option<(usize, usize)> {
        let mut first = 0;
        for (index, part) in self.parts.iter().enumerate() {
            let next = first + part.text().matches('\n').count();
            if line < next || (line == next && !part.text().ends_with('\n')) {
                return Some((index, line - first));
            }
            first = next;
        }
        None
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
        let line = line.strip_prefix("//").unwrap_or(line).trim_start();
        let named = line.strip_prefix("private ").unwrap_or(line).strip_prefix("fn ")?;
        named.split(['(', ' ']).next()
    })
}

/// The trigger that a text begins with, or why it is none, and how long it is with the end of its line.
fn trigger_at(text: &str) -> (Result<Trigger, Unread>, usize) {
    let unread = |reason| Unread { line: 0, reason };
    let first = text.find('\n').map_or(text.len(), |end| end + 1);
    let behind = text.get(first..).unwrap_or_default();
    // Of two marks the second one is that of the function.
    let head = behind.split('{').next().unwrap_or_default();
    if head.lines().any(|line| line.starts_with(MARK)) {
        return (Err(unread(UnreadReason::Function)), first);
    }
    let Some(end) = end_of_braces(behind) else {
        return (Err(unread(UnreadReason::Function)), first);
    };
    let length = first + end;
    let rest = text.get(length..).unwrap_or_default();
    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
    if !rest.get(..line).unwrap_or_default().trim().is_empty() {
        return (Err(unread(UnreadReason::Unknown)), length + line);
    }
    (Trigger::read(text.get(..length).unwrap_or_default()), length + line)
}

/// The same of a trigger that is off, each line of which is a comment.
fn off_trigger_at(text: &str) -> (Result<Trigger, Unread>, usize) {
    let lines: Vec<&str> = text.split_inclusive('\n').take_while(|line| line.starts_with("//")).collect();
    let uncommented = lines.iter().filter_map(|line| line.strip_prefix("//"));
    let uncommented: String = uncommented.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let (found, length) = trigger_at(&uncommented);
    let read = uncommented.get(..length).unwrap_or_default();
    let count = read.split_inclusive('\n').count();
    let length = lines.iter().take(count).map(|line| line.len()).sum();
    (found.map(|trigger| trigger.switched_off(true)), length)
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
