//! The protocol as lines of text, one JSON value a line: reading requests, writing messages.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

use boardwright_protocol::{Answer, FromHost, Reply, Request};

/// The most bytes of a request.
pub const MOST_BYTES: u64 = 1 << 20;
/// How requests are written, for who types them.
const FORM: &str = r#"a request is a line such as {"id": 1, "do": "describe"}; to play yourself: boardwright play ID --text"#;

/// A message as a line.
///
/// # Errors
/// If JSON has no form for it.
pub fn message_line(message: &FromHost) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Writes a message.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_message(output: &mut impl Write, message: &FromHost) -> io::Result<()> {
    output.write_all(&message_line(message)?)
}

/// Reads the next request, or makes the answer to a line that is none; blank lines are skipped. None at the end of the input.
///
/// # Errors
/// If nothing can be read.
pub(super) fn read_request(input: &mut impl BufRead) -> io::Result<Option<Result<Request, Answer>>> {
    let mut line = Vec::new();
    while line.iter().all(u8::is_ascii_whitespace) {
        line.clear();
        if input.by_ref().take(MOST_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
    }
    if line.last() != Some(&b'\n') && line.len() as u64 > MOST_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(Some(parse(&line)))
}

/// Reads a request from a line of at most 1 MiB, or makes the answer to what is none: with its id if that can be read, else with 0.
///
/// # Errors
/// The answer, if the line is no request.
pub fn parse(line: &[u8]) -> Result<Request, Answer> {
    let error = |id, message: String| Answer {
        id,
        reply: Reply::Error { message },
    };
    if line.len() as u64 > MOST_BYTES {
        return Err(error(0, format!("a line has at most {MOST_BYTES} bytes")));
    }
    let line = line.trim_ascii_end();
    let value: Value =
        serde_json::from_slice(line).map_err(|wrong| error(0, format!("this is no JSON value: {}; {FORM}", json_error_text(&wrong))))?;
    let id = value.get("id").and_then(Value::as_u64).unwrap_or(0);
    serde_json::from_value(value).map_err(|wrong| error(id, format!("this is no request: {}", json_error_text(&wrong))))
}

/// The known word that was probably meant.
fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.map(|known| (strsim::damerau_levenshtein(word, known), known));
    let near = near.filter(|(distance, known)| *distance <= 2 && *distance * 2 < known.len());
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// What is unknown and what is known, where `wrong` says that in terms of Rust.
fn unknown_text(wrong: &str) -> Option<String> {
    let (unknown, known) = wrong.split_once(", expected ")?;
    let known = known.trim_start_matches("one of ");
    if let Some(unknown) = unknown.strip_prefix("unknown field ") {
        return Some(format!("there is no field {unknown}; there are {known}"));
    }
    let unknown = unknown.strip_prefix("unknown variant ")?;
    let meant = nearest(unknown.trim_matches('`'), known.split('`').skip(1).step_by(2));
    let meant = meant.map_or_else(String::new, |meant| format!(", did you mean `{meant}`"));
    Some(format!("{unknown} is unknown{meant}; known are {known}"))
}

/// What is wrong with a line, in terms of JSON instead of Rust.
fn json_error_text(wrong: &serde_json::Error) -> String {
    let wrong = wrong.to_string();
    if let Some(text) = unknown_text(&wrong) {
        return text;
    }
    [
        ("EOF while parsing", "it ends inside"),
        ("expected struct Request", "expected an object with `id` and `do`"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u32", "expected a whole number from 0"),
        ("expected u64", "expected a whole number from 0"),
        ("expected usize", "expected a whole number from 0"),
        ("expected i64", "expected a whole number"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected an object"),
        ("invalid type: sequence", "invalid type: list"),
        ("invalid type: map", "invalid type: object"),
        ("line 1 column", "letter"),
    ]
    .into_iter()
    .fold(wrong, |text, (old, new)| text.replace(old, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(line: &str) -> (u64, String) {
        match parse(line.as_bytes()) {
            Err(Answer {
                id,
                reply: Reply::Error { message },
            }) => (id, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_unknown_is_told_in_plain_words_with_what_is_known() {
        let (id, message) = error_of(r#"{"id": 9, "do": "dance"}"#);
        assert_eq!(id, 9);
        assert!(
            message.starts_with("this is no request: `dance` is unknown; known are `hello`, `describe`, "),
            "{message}"
        );
        let (_, message) = error_of(r#"{"id": 1, "do": "describes"}"#);
        assert!(
            message.starts_with("this is no request: `describes` is unknown, did you mean `describe`; known are `"),
            "{message}"
        );
        let (_, message) = error_of("help");
        assert!(message.ends_with("to play yourself: boardwright play ID --text"), "{message}");
        let (_, message) = error_of(r#"{"id": 1, "do": "step", "kind": "sideways"}"#);
        assert!(
            message.starts_with("this is no request: `sideways` is unknown; known are `"),
            "{message}"
        );
        let (_, message) = error_of(r#"{"id": 1, "do": "domain", "seat": 0, "action": 0, "picks": [{"cel": 1}]}"#);
        assert!(
            message.starts_with("this is no request: `cel` is unknown, did you mean `cell`; known are `"),
            "{message}"
        );
    }

    #[test]
    fn other_faults_of_a_line_are_told_in_terms_of_json() {
        assert_eq!(error_of(r#"{"id": 2}"#), (2, "this is no request: missing field `do`".to_owned()));
        assert_eq!(
            error_of(r#"{"id": 3, "do": "pace", "milliseconds": "slow"}"#),
            (
                3,
                "this is no request: invalid type: string \"slow\", expected a whole number from 0".to_owned()
            )
        );
        assert_eq!(error_of("{").0, 0);
    }
}
