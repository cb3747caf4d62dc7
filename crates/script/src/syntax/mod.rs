//! Mistakes in the syntax of a script, in words of its author.

mod brackets;
mod tokens;

use rhai::{LexError, ParseError, ParseErrorType};

use self::brackets::{Unpaired, partner, unpaired, unpaired_brackets};
use self::tokens::{Sort, Token, tokens};
use super::lines::{LineMap, Source};
use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use boardwright_ruleset::foreign_word;

/// A mistake in the syntax of a file.
pub(crate) fn mistake(error: &ParseError, source: &Source, lines: &LineMap) -> Diagnostic {
    let at = lines.place(error.position());
    let position = error.position();
    let line = position.line().map_or(0, |line| line.saturating_sub(source.before));
    let column = position.position().unwrap_or(0);
    let all = tokens(&source.text);
    let told = Told { source, lines, all: &all };
    if let Some(found) = told.number(line, column) {
        return found;
    }
    let kind = error.err_type();
    let sought = [Told::keyword, Told::reserved, Told::bare_map];
    if let Some(found) = sought.into_iter().find_map(|seek| seek(&told, kind, line, column)) {
        return found;
    }
    if let (ParseErrorType::BadInput(LexError::UnexpectedInput(_)), Some(one @ Unpaired::Close(_))) = (kind, unpaired(&all))
        && let Some(found) = told.bracket(one, kind)
    {
        return found;
    }
    if let ParseErrorType::BadInput(input) = kind
        && let Some(found) = Told::input(input, at.clone())
    {
        return found;
    }
    if let Some(found) = told.foreign(line, column) {
        return found;
    }
    let is_nested = *kind == ParseErrorType::WrongFnDefinition && unpaired_brackets(&all).is_none();
    if let Some(found) = unpaired(&all).filter(|_| !is_nested).and_then(|one| told.bracket(one, kind)) {
        return found;
    }
    let (message, cure) = words(kind);
    let place = match kind {
        ParseErrorType::MissingToken(token, _) if matches!(token.as_str(), ";" | ",") => told.behind(line, column).or(at),
        _ => at,
    };
    Diagnostic::error(Code::Syntax, message).at(place).with_help(cure)
}

/// A script whose mistake is told.
struct Told<'s> {
    source: &'s Source,
    lines: &'s LineMap,
    all: &'s [Token<'s>],
}

impl Told<'_> {
    fn place(&self, line: usize, column: usize) -> Location {
        let mut place = Location::at(&self.source.name, line as u32, column as u32);
        self.lines.show(&mut place);
        place
    }

    fn at(&self, token: &Token<'_>, message: impl Into<String>, cure: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Code::Syntax, message)
            .at(self.place(token.line, token.column))
            .with_help(cure)
    }

    /// The place right behind the last token before a place.
    fn behind(&self, line: usize, column: usize) -> Option<Location> {
        let before = self.all.iter().rev().find(|token| (token.line, token.column) < (line, column))?;
        let text = self.source.text.get(..before.end)?;
        let last = text.lines().next_back()?;
        Some(self.place(text.lines().count(), last.chars().count() + 1))
    }

    /// A word of another language in the place of `fn`.
    fn keyword(&self, kind: &ParseErrorType, line: usize, column: usize) -> Option<Diagnostic> {
        let is_doc = *kind == ParseErrorType::WrongDocComment;
        let mut behind = self.all.iter().filter(|token| (token.line, token.column) >= (line, column));
        let next = behind.find(|token| token.sort != Sort::Doc).filter(|_| is_doc)?;
        let cure = LANGUAGE_WORDS.contains(&next.text).then(|| foreign_word(next.text))??;
        Some(self.at(next, format!("`{}` is no word of the language", next.text), cure))
    }

    /// A word of the language in the place of the name of a property.
    fn reserved(&self, kind: &ParseErrorType, line: usize, column: usize) -> Option<Diagnostic> {
        if *kind != ParseErrorType::PropertyExpected {
            return None;
        }
        let here = |token: &&Token<'_>| token.sort == Sort::Word && (token.line, token.column) == (line, column);
        let word = self.all.iter().find(here)?;
        let message = format!("`{}` is a word of the language and cannot be a name", word.text);
        let cure = "choose another name; a key of this name is read with brackets and quotes, as in `map[\"key\"]`";
        Some(self.at(word, message, cure))
    }

    /// A map that is written as a block.
    fn bare_map(&self, kind: &ParseErrorType, line: usize, column: usize) -> Option<Diagnostic> {
        let at = self.all.iter().position(|token| (token.line, token.column) == (line, column))?;
        let [open, key] = self.all.get(at.checked_sub(2)?..at)? else {
            return None;
        };
        let is_it = matches!(kind, ParseErrorType::MissingToken(..)) && self.all.get(at)?.is(":") && key.sort == Sort::Word && open.is("{");
        is_it.then(|| {
            self.at(
                open,
                "`{` begins a block of statements, not a map",
                "a map is written `#{ key: value }`",
            )
        })
    }

    /// A number with a point.
    fn number(&self, line: usize, column: usize) -> Option<Diagnostic> {
        let number = fraction_at(self.source.line(line)?, column)?;
        let message = format!("`{number}` is no whole number, and there are no others");
        let found = Diagnostic::error(Code::Syntax, message).at(self.place(line, column));
        Some(found.with_help("count in a smaller unit: tenths, or percent"))
    }

    /// Letters that make no word.
    fn input(input: &LexError, at: Option<Location>) -> Option<Diagnostic> {
        let (message, cure) = match input {
            LexError::MalformedChar(text) => {
                let message = format!("single quotes hold one letter, not '{text}'");
                (message, format!("texts stand in double quotes: write \"{text}\""))
            }
            LexError::UnterminatedString => {
                let message = "the text that begins here is not closed".to_owned();
                (
                    message,
                    "write \" at its end; a text over several lines stands between back ticks".to_owned(),
                )
            }
            LexError::MalformedEscapeSequence(text) => {
                let message = format!("`{text}` stands for nothing in a text");
                (message, "for a backslash itself write \\\\".to_owned())
            }
            LexError::MalformedNumber(text) => (
                format!("`{text}` is no number"),
                "write whole numbers such as 12, -3 or 1_000; names begin with a letter".to_owned(),
            ),
            LexError::UnexpectedInput(text) if matches!(text.as_str(), "," | ";" | ")" | "]" | "}") => (
                format!("a value is missing before `{text}`"),
                "write the value, or take what asks for one away".to_owned(),
            ),
            LexError::UnexpectedInput(text) => (
                format!("`{text}` is no mark of the language"),
                "outside of texts and comments stand names, numbers, operators and brackets".to_owned(),
            ),
            LexError::ImproperSymbol(text, _) => return improper(text, at),
            _ => return None,
        };
        Some(Diagnostic::error(Code::Syntax, message).at(at).with_help(cure))
    }

    /// A word or a sign of another language, on the line of the mistake or before it.
    fn foreign(&self, line: usize, column: usize) -> Option<Diagnostic> {
        let near = |token: &&Token<'_>| token.line <= line && token.line + 1 >= line && (token.line, token.column) <= (line, column);
        let near: Vec<&Token<'_>> = self.all.iter().filter(near).collect();
        for (index, token) in near.iter().enumerate().rev() {
            let next = self
                .all
                .iter()
                .find(|other| (other.line, other.column) > (token.line, token.column));
            let before = index.checked_sub(1).and_then(|before| near.get(before));
            let is_name = before.is_some_and(|before| before.is(".") || before.is("let") || before.is("fn"))
                || next.is_some_and(|next| next.is(":") || next.is("=") || next.is("."));
            if token.sort == Sort::Word
                && !is_name
                && LANGUAGE_WORDS.contains(&token.text)
                && let Some(cure) = foreign_word(token.text)
            {
                return Some(self.at(token, format!("`{}` is no word of the language", token.text), cure));
            }
            if token.is("mut") && before.is_some_and(|before| before.is("let")) {
                return Some(self.at(
                    token,
                    "`mut` is no word of the language",
                    "every variable can be given another value: write `let name = ..`",
                ));
            }
            if token.is("for") && next.is_some_and(|next| next.is("(")) {
                return Some(self.at(
                    token,
                    "`for` has no brackets, and no condition and step",
                    "it goes through a range, a list or cells: `for number in 0..2 { .. }`",
                ));
            }
            if token.is("=>") && self.is_condition(token) {
                return Some(self.at(token, "`=>` compares nothing", "write `>=` for at least"));
            }
            if token.is("=") && self.is_condition(token) {
                return Some(self.at(
                    token,
                    "`=` gives a value to a variable and cannot be a condition",
                    "write `==` to compare",
                ));
            }
            if token.is("?") && !next.is_some_and(|next| next.is(".") || next.is("[") || next.is("?")) {
                return Some(self.at(
                    token,
                    "there is no `? :` here",
                    "write `if a { b } else { c }`, which has a value as well",
                ));
            }
        }
        None
    }

    /// Whether a `=` stands behind `if` or `while` on its line, before the brace.
    fn is_condition(&self, equals: &Token<'_>) -> bool {
        let line = self
            .all
            .iter()
            .filter(|token| token.line == equals.line && token.column < equals.column);
        let mut inside = false;
        for token in line {
            inside = match token.text {
                "if" | "while" => true,
                "{" | ";" | "let" => false,
                _ => inside,
            };
        }
        inside
    }

    fn bracket(&self, one: Unpaired<'_>, kind: &ParseErrorType) -> Option<Diagnostic> {
        Some(match one {
            Unpaired::Open(open, shows) => {
                let close = partner(open.text);
                let shows = match shows {
                    Some(token) if token.line == open.line => format!("before column {}", token.column),
                    Some(token) => format!("before line {}", token.line),
                    None => "before the end of the file".to_owned(),
                };
                self.at(
                    &open,
                    format!("`{}` is opened here and not closed", open.text),
                    format!("write `{close}` {shows}"),
                )
            }
            Unpaired::Close(close) => {
                // The engine may have stumbled over something else before.
                let is_it = !matches!(kind, ParseErrorType::AssignmentToInvalidLHS(_));
                if !is_it {
                    return None;
                }
                let message = format!("`{}` closes nothing", close.text);
                self.at(&close, message, "take it away, or open its bracket before it")
            }
        })
    }
}

/// Words of other languages that can stand where the language has a word of its own.
const LANGUAGE_WORDS: [&str; 17] = [
    "and", "or", "not", "elif", "elseif", "elsif", "then", "end", "begin", "def", "func", "function", "foreach", "unless", "null", "var",
    "is",
];

/// What a mistake is, and its cure.
fn words(kind: &ParseErrorType) -> (String, String) {
    use ParseErrorType as E;

    let (message, cure): (String, &str) = match kind {
        E::UnexpectedEOF => (
            "the file ends in the middle of something".into(),
            "see whether the last function is written to its end",
        ),
        E::MissingToken(token, _) if token == ";" => (
            "`;` is missing here, or an operator".into(),
            "each statement but the last of a block ends with `;`",
        ),
        E::MissingToken(token, _) if token == "," => (
            "`,` is missing here".into(),
            "items, entries and arguments have commas between them",
        ),
        E::MissingToken(token, _) if token == "{" => (
            "`{` is missing here".into(),
            "what belongs to `if`, `else`, `for`, `while` and `fn` stands in braces, even if it is one statement",
        ),
        E::MissingToken(token, _) if token == ":" => (
            "`:` is missing here".into(),
            "a map has `key: value`, with commas between the entries",
        ),
        E::MissingToken(token, what) => {
            let cure = format!("write `{token}` {what}");
            return (format!("`{token}` is missing here"), cure);
        }
        E::MissingSymbol(what) => (in_small(what), "compare with the example of the word in the reference"),
        E::AssignmentToInvalidLHS(_) => (
            "only a variable, or something in it, can be given a value".into(),
            "keep what a function returned in a variable first: `let store = store_of(seat); store.seeds += 1;`",
        ),
        E::AssignmentToConstant(name) if name.is_empty() => (
            "a value that is written here cannot be given another".into(),
            "left of `=` stands a variable, or a property of something",
        ),
        E::AssignmentToConstant(name) => (
            format!("`{name}` is a constant and cannot be given a value"),
            "what changes is a variable (`let`), or a property of the match, a seat, a cell or a piece",
        ),
        E::Reserved(word) if word == "#" => (
            "`#` begins no comment".into(),
            "comments are written with `//`, and maps `#{ key: value }`",
        ),
        E::Reserved(word) => match foreign_word(word) {
            Some(cure) => return (format!("`{word}` is no word that rules can use"), cure),
            None => (
                format!("`{word}` is a word that the language keeps for itself"),
                "choose another name",
            ),
        },
        E::ForbiddenVariable(name) => (format!("a variable cannot be called `{name}`"), "choose another name"),
        E::MismatchedType(wanted, _) if wanted.contains("iterable") => (
            "`for` needs something to go through, not one value".into(),
            "write a list, cells or a range: `for number in 0..4 { .. }`",
        ),
        E::MismatchedType(wanted, found) => {
            let message = format!(
                "{} is expected here, not {}",
                super::errors::type_words(wanted),
                super::errors::type_words(found)
            );
            (
                message,
                "a condition is true or false: compare with `==`, `!=`, `<`, `>`, `<=` or `>=`",
            )
        }
        E::ExprExpected(what) => (
            format!("a value is missing here (of {what})"),
            "an operator needs something on both sides, and a list something between its commas",
        ),
        E::DuplicatedProperty(key) => (format!("the key `{key}` stands twice in this map"), "take one of them away"),
        E::DuplicatedVariable(name) => (format!("the name `{name}` stands twice here"), "choose another name"),
        E::FnDuplicatedDefinition(name, _) => (
            format!("the function `{name}` is defined twice with the same number of parameters"),
            "rename one of them, or take it away",
        ),
        E::FnDuplicatedParam(name, parameter) => (
            format!("`{name}` has two parameters `{parameter}`"),
            "give one of them another name",
        ),
        E::FnMissingName => ("a function needs a name".into(), "write `fn name(parameters) { .. }`"),
        E::FnMissingParams(name) => (
            format!("the parameters of `{name}` are missing"),
            "write `fn name(a, b) { .. }`, or `fn name() { .. }`",
        ),
        E::FnMissingBody(name) => (format!("what `{name}` does is missing"), "write it in braces behind the parameters"),
        E::WrongFnDefinition => (
            "a function inside of another".into(),
            "functions stand outside of all others; a closure is written `|a| ..`",
        ),
        E::WrongDocComment => (
            "a comment with `///` that belongs to no function".into(),
            "such comments stand right before a function; others are written with `//`",
        ),
        E::LoopBreak => ("`break` or `continue` outside of a loop".into(), "a function is left with `return`"),
        E::PropertyExpected => (
            "the name of a key or a property is missing here".into(),
            "write it behind the point, or before the colon",
        ),
        E::VariableExpected => (
            "the name of a variable is missing here".into(),
            "names begin with a letter and have no marks in them",
        ),
        E::ExprTooDeep => ("this expression is nested too deep".into(), "keep parts of it in variables"),
        E::TooManyFunctions => ("there are too many functions".into(), "take away what nothing calls"),
        E::LiteralTooLarge(..) => ("a text or a list that is written here is too long".into(), "split it"),
        E::WrongSwitchDefaultCase => ("`_` has to be the last case".into(), "move it to the end"),
        E::UnknownOperator(operator) => match foreign_word(operator) {
            Some(cure) => return (format!("`{operator}` is no operator here"), cure),
            None => (format!("`{operator}` is no operator"), "the operators stand in the reference"),
        },
        E::BadInput(input) => match input {
            LexError::MalformedIdentifier(name) => (
                format!("`{name}` is no name"),
                "names begin with a letter and have no marks in them",
            ),
            other => (in_small(&other.to_string()), "compare with the examples of the reference"),
        },
        other => (in_small(&other.to_string()), "compare with the examples of the reference"),
    };
    (message, cure.to_owned())
}

/// A sentence of the engine as a part of one of ours.
fn in_small(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut letters = sentence.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The number with a point that stands around a column of a line, from 1.
fn fraction_at(line: &str, column: usize) -> Option<String> {
    let is_part = |c: &char| c.is_ascii_digit() || *c == '.' || *c == '_';
    let chars: Vec<char> = line.chars().collect();
    let (before, rest) = chars.split_at_checked(column.checked_sub(1)?)?;
    let start = before.len() - before.iter().rev().take_while(|c| is_part(c)).count();
    let end = before.len() + rest.iter().take_while(|c| is_part(c)).count();
    let number: String = chars.get(start..end)?.iter().collect();
    let is_inside_name = start > 0 && chars.get(start - 1).is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']'));
    let has_digit = number.contains(|c: char| c.is_ascii_digit());
    (has_digit && number.matches('.').count() == 1 && !is_inside_name).then_some(number)
}

/// A mark of another language.
fn improper(mark: &str, at: Option<Location>) -> Option<Diagnostic> {
    let cure = foreign_word(mark)?;
    let message = format!("`{mark}` is no operator here");
    Some(Diagnostic::error(Code::Syntax, message).at(at).with_help(cure))
}
