//! The checksum of a document, kept in an attribute of its outermost element.
//!
//! It is taken over the text as it stands, without the digits of the checksum itself, so any changed letter shows. Only how lines
//! end does not count: mail and version control change that.

use std::ops::Range;

/// The attribute.
pub(super) const CHECKSUM: &str = "checksum";
const BEFORE: &str = " checksum=\"";
/// Hexadecimal digits of a BLAKE3 hash.
const DIGITS: usize = 64;
/// The attribute stands near the beginning.
const WITHIN: usize = 4_096;

/// What stands in place of the digits until they are known.
pub(super) const PLACEHOLDER: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The digits of the checksum in a text.
fn digits(text: &str) -> Option<Range<usize>> {
    let start = text.find(BEFORE).filter(|&start| start < WITHIN)? + BEFORE.len();
    let range = start..start + DIGITS;
    let digits = text.get(range.clone())?;
    let is_sound = digits.bytes().all(|digit| digit.is_ascii_hexdigit()) && text.get(range.end..)?.starts_with('"');
    is_sound.then_some(range)
}

/// Whether a text has a checksum.
pub(super) fn is_there(text: &str) -> bool {
    digits(text).is_some()
}

fn hash(text: &str, digits: &Range<usize>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [text.get(..digits.start), text.get(digits.end..)] {
        for line in part.unwrap_or_default().split_inclusive('\n') {
            match line.strip_suffix("\r\n") {
                Some(line) => hasher.update(line.as_bytes()).update(b"\n"),
                None => hasher.update(line.as_bytes()),
            };
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// Puts the checksum in the place of the [`PLACEHOLDER`].
pub(super) fn seal(mut text: String) -> String {
    if let Some(digits) = digits(&text) {
        let hash = hash(&text, &digits);
        text.replace_range(digits, &hash);
    }
    text
}

/// Whether a text is as it was when it was sealed; `None` if it has no checksum.
pub(super) fn is_intact(text: &str) -> Option<bool> {
    let range = digits(text)?;
    Some(text.get(range.clone()) == Some(hash(text, &range).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_letter_shows_but_ends_of_lines_do_not() {
        let sealed = seal(format!("<a checksum=\"{PLACEHOLDER}\"\n b=\"c\"/>\n"));
        assert_eq!(is_intact(&sealed), Some(true));
        assert_eq!(is_intact(&sealed.replace('\n', "\r\n")), Some(true));
        for index in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[index] ^= 1;
            if let Ok(text) = String::from_utf8(bytes) {
                assert_ne!(is_intact(&text), Some(true), "{index}");
            }
        }
        assert_eq!(is_intact("<a/>"), None);
    }
}
