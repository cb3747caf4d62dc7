//! The words and marks of a script, without its comments and the letters of its texts. Unlike the engine's own reading it goes on after
//! mistakes, which it is there to explain.

/// A word or a mark of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'s> {
    /// What is written; for a text only its first mark.
    pub(super) text: &'s str,
    pub(super) sort: Sort,
    /// The line, from 1.
    pub(super) line: usize,
    /// The column in characters, from 1.
    pub(super) column: usize,
    /// How far the line is indented.
    pub(super) indent: usize,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
    /// The offset behind it.
    pub(super) end: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A name, a word of the language or a number.
    Word,
    /// A bracket that opens; `#{` and `${` are one.
    Open,
    /// A bracket that closes.
    Close,
    /// A text in double quotes or back ticks.
    Text,
    /// A doc comment.
    Doc,
    /// Any other mark.
    Mark,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && self.sort != Sort::Text
    }
}

/// The tokens of a script.
pub(super) fn tokens(script: &str) -> Vec<Token<'_>> {
    let mut reader = Reader {
        script,
        at: 0,
        line: 1,
        start_of_line: 0,
        found: Vec::new(),
    };
    reader.code(false);
    reader.found
}

struct Reader<'s> {
    script: &'s str,
    at: usize,
    line: usize,
    start_of_line: usize,
    found: Vec<Token<'s>>,
}

/// Marks of several letters that are one.
const LONG_MARKS: [&str; 22] = [
    "===", "!==", "..=", "**=", "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "=>", "::", "..", "++",
    "--",
];

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        self.script.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on by so many bytes.
    fn skip(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.script.len());
        let gone = self.script.get(self.at..end).unwrap_or_default();
        for (offset, _) in gone.match_indices('\n') {
            self.line += 1;
            self.start_of_line = self.at + offset + 1;
        }
        self.at = end;
    }

    fn take(&mut self, bytes: usize, sort: Sort) {
        let end = self.at + bytes;
        let before = self.script.get(self.start_of_line..self.at).unwrap_or_default();
        let indent = before.chars().take_while(|letter| letter.is_whitespace()).count();
        let token = Token {
            text: self.script.get(self.at..end).unwrap_or_default(),
            sort,
            line: self.line,
            column: before.chars().count() + 1,
            indent,
            is_first: indent == before.chars().count(),
            end,
        };
        self.found.push(token);
        self.skip(bytes);
    }

    /// Code; inside a text up to the brace that closes it.
    fn code(&mut self, is_inside: bool) {
        let mut depth = 0_usize;
        while let Some(letter) = self.peek() {
            let rest = self.rest();
            if rest.starts_with("///") && !rest.starts_with("////") {
                self.take(3, Sort::Doc);
                self.skip(self.rest().find('\n').unwrap_or(self.rest().len()));
            } else if rest.starts_with("//") {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.comment();
            } else if letter == '"' || letter == '`' {
                self.text(letter);
            } else if rest.starts_with("#{") {
                depth += 1;
                self.take(2, Sort::Open);
            } else if matches!(letter, '(' | '[' | '{') {
                depth += usize::from(letter == '{');
                self.take(1, Sort::Open);
            } else if matches!(letter, ')' | ']' | '}') {
                if letter == '}' && is_inside && depth == 0 {
                    return;
                }
                depth = depth.saturating_sub(usize::from(letter == '}'));
                self.take(1, Sort::Close);
            } else if letter.is_whitespace() {
                self.skip(letter.len_utf8());
            } else if letter.is_alphanumeric() || letter == '_' {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                self.take(rest.find(|c| !is_part(c)).unwrap_or(rest.len()), Sort::Word);
            } else {
                let long = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark));
                self.take(long.map_or(letter.len_utf8(), |mark| mark.len()), Sort::Mark);
            }
        }
    }

    fn comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.skip(2);
            } else if rest.starts_with("*/") {
                depth = depth.saturating_sub(1);
                self.skip(2);
                if depth == 0 {
                    return;
                }
            } else if let Some(letter) = self.peek() {
                self.skip(letter.len_utf8());
            } else {
                return;
            }
        }
    }

    /// A text: one in double quotes ends with its line, whatever happens.
    fn text(&mut self, quote: char) {
        self.take(1, Sort::Text);
        while let Some(letter) = self.peek() {
            if letter == '\\' && quote == '"' {
                self.skip(1);
                let escaped = self.peek().map_or(0, char::len_utf8);
                self.skip(escaped);
            } else if quote == '`' && self.rest().starts_with("``") {
                self.skip(2);
            } else if letter == quote {
                self.skip(1);
                break;
            } else if letter == '\n' && quote == '"' {
                break;
            } else if quote == '`' && self.rest().starts_with("${") {
                self.take(2, Sort::Open);
                self.code(true);
                if self.peek() == Some('}') {
                    self.take(1, Sort::Close);
                }
            } else {
                self.skip(letter.len_utf8());
            }
        }
        let end = self.at;
        if let Some(text) = self
            .found
            .iter_mut()
            .rev()
            .find(|token| token.sort == Sort::Text && token.end <= end)
        {
            text.end = end;
        }
    }
}
