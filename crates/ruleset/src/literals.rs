//! The texts that stand in scripts, read without compiling them.

/// A text in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Its letters, in parts between which the script fills something in; one part where it fills in nothing.
    pub parts: Vec<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Literal {
    /// The whole text with something in each place that the script fills in.
    pub fn filled(&self, with: &str) -> String {
        self.parts.join(with)
    }
}

/// Every text of a script, in order. What is not well formed ends where it ends.
pub fn literals(script: &str) -> Vec<Literal> {
    let mut reader = Reader {
        rest: script.chars().peekable(),
        line: 1,
        column: 0,
        found: Vec::new(),
    };
    reader.code(false);
    reader.found.sort_by_key(|literal| (literal.line, literal.column));
    reader.found
}

struct Reader<'s> {
    rest: std::iter::Peekable<std::str::Chars<'s>>,
    line: u32,
    column: u32,
    found: Vec<Literal>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next()?;
        if letter == '\n' {
            self.line += 1;
            self.column = 0;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    fn next_is(&mut self, letter: char) -> bool {
        self.rest.peek() == Some(&letter)
    }

    /// Code, up to the brace that closes it where it stands inside a text.
    fn code(&mut self, is_inner: bool) {
        let mut depth = 0usize;
        while let Some(letter) = self.next() {
            match letter {
                '/' if self.next_is('/') => while self.rest.peek().is_some_and(|letter| *letter != '\n') && self.next().is_some() {},
                '/' if self.next_is('*') => self.comment(),
                '"' => self.text('"'),
                '`' => self.text('`'),
                '\'' => {
                    if self.next() == Some('\\') {
                        self.next();
                    }
                    self.next();
                }
                '{' => depth += 1,
                '}' if is_inner && depth == 0 => return,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn comment(&mut self) {
        while let Some(letter) = self.next() {
            if letter == '*' && self.next_is('/') {
                self.next();
                return;
            }
        }
    }

    fn text(&mut self, quote: char) {
        let (line, column) = (self.line, self.column);
        let mut parts = vec![String::new()];
        while let Some(letter) = self.next() {
            let escaped = match letter {
                '\\' if quote == '"' => match self.next() {
                    Some('n') => Some('\n'),
                    Some('t') => Some('\t'),
                    other => other,
                },
                '`' if quote == '`' && self.next_is('`') => self.next(),
                letter if letter == quote => break,
                '$' if quote == '`' && self.next_is('{') => {
                    self.next();
                    self.code(true);
                    parts.push(String::new());
                    None
                }
                letter => Some(letter),
            };
            if let (Some(part), Some(letter)) = (parts.last_mut(), escaped) {
                part.push(letter);
            }
        }
        self.found.push(Literal { parts, line, column });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_with_their_places_and_what_is_filled_in() {
        let script =
            "// \"no\"\nlet a = \"two \\\"words\\\"\"; /* \"no\" */\nf('\"', `${n} of ${if x { \"inner\" } else { `y ${z}` }} left`)";
        let found: Vec<_> = literals(script)
            .into_iter()
            .map(|literal| format!("{}:{} {}", literal.line, literal.column, literal.filled("{}")))
            .collect();
        assert_eq!(found, ["2:9 two \"words\"", "3:8 {} of {} left", "3:26 inner", "3:43 y {}"]);
    }

    #[test]
    fn a_text_that_never_ends_ends_with_the_script() {
        assert_eq!(literals("`a ${ \"b")[0].parts, ["a ", ""]);
        assert!(literals("/* never").is_empty());
    }
}
