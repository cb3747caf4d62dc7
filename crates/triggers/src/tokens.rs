//! Tokens of the scripts that triggers are written in, and of the templates that they are read by.

/// A token. A script with anything else in it is no trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A whole number without its sign.
    Number(u64),
    /// A text, without its quotes and escapes.
    Text(String),
    /// One or two characters: `==`, `(`.
    Sign(&'static str),
    /// A hole of a template: `$region`.
    Hole(String),
}

/// Longer ones first: `>=` is not `>` and `=`.
const SIGNS: [&str; 24] = [
    "==", "!=", ">=", "<=", "&&", "||", "+=", "-=", "(", ")", "{", "}", ".", ",", ";", "=", ">", "<", "+", "-", "!", "&", "%", "|",
];

/// The tokens of a text; none if something else stands in it, such as a comment.
pub(crate) fn tokens(text: &str) -> Option<Vec<Token>> {
    Some(placed_tokens(text).ok()?.0)
}

/// The tokens of a text, and where in it each begins.
///
/// # Errors
/// Where something else stands in it.
pub(crate) fn placed_tokens(text: &str) -> Result<(Vec<Token>, Vec<usize>), usize> {
    let mut rest = text.trim_start();
    let (mut found, mut places) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let place = text.len() - rest.len();
        let (token, after) = first_token(rest).ok_or(place)?;
        found.push(token);
        places.push(place);
        rest = after.trim_start();
    }
    Ok((found, places))
}

/// The token that a text begins with, and what stands behind it.
fn first_token(rest: &str) -> Option<(Token, &str)> {
    let first = rest.chars().next()?;
    Some(if is_word_start(first) {
        let (word, after) = word(rest);
        (Token::Word(word.to_owned()), after)
    } else if first == '$' {
        let (word, after) = word(rest.get(1..)?);
        (Token::Hole(word.to_owned()), after)
    } else if first.is_ascii_digit() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        // `1_000`, `0xff` and `3rd` are no numbers that are printed.
        if after.starts_with(is_word_start) {
            return None;
        }
        (Token::Number(digits.parse().ok()?), after)
    } else if first == '"' {
        let (text, after) = quoted(rest.get(1..)?)?;
        (Token::Text(text), after)
    } else if rest.starts_with("//") || rest.starts_with("/*") {
        return None;
    } else {
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(*sign))?;
        (Token::Sign(sign), rest.get(sign.len()..)?)
    })
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at(end)
}

/// The text up to the closing quote, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut read = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((read, text.get(at + 1..)?)),
            // A line that ends within a text is continued in ways of its own.
            '\n' | '\r' => return None,
            '\\' => match characters.next()?.1 {
                'n' => read.push('\n'),
                'r' => read.push('\r'),
                't' => read.push('\t'),
                '"' => read.push('"'),
                '\\' => read.push('\\'),
                'u' => read.push(unescaped(&mut characters, 4)?),
                'U' => read.push(unescaped(&mut characters, 8)?),
                _ => return None,
            },
            c => read.push(c),
        }
    }
    None
}

fn unescaped(characters: &mut std::str::CharIndices<'_>, digits: u32) -> Option<char> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + characters.next()?.1.to_digit(16)?;
    }
    char::from_u32(code)
}

/// A text as a script has it.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if is_hidden(c) && u32::from(c) <= 0xffff => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that are not seen, or turn the direction of text, which scripts may not contain.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_it_was_quoted() {
        for text in ["", "The \"ford\"", "a\\b\nc\td\r", "\u{202e}x\u{7}", "Řeka 🐎"] {
            assert_eq!(tokens(&quote(text)), Some(vec![Token::Text(text.to_owned())]));
        }
    }

    #[test]
    fn what_triggers_do_not_contain_has_no_tokens() {
        for text in ["a // b", "/* a */", "`a`", "1_000", "0xff", "'a'", "\"open", "a @ b", "\"\\q\""] {
            assert_eq!(tokens(text), None, "{text}");
        }
    }
}
