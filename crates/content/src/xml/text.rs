//! Character data: references, blanks, and what may not stand in XML.

use std::borrow::Cow;

use boardwright_model::diagnostic::Code;
use quick_xml::escape::{partial_escape, resolve_xml_entity};
use quick_xml::events::BytesRef;

use super::{Faults, Spot};

/// The longest reference looked for between `&` and `;`.
const LONGEST_REFERENCE: usize = 64;

/// Whether XML can hold the character at all.
pub(super) const fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
}

const fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

/// What the reference between `&` and `;` stands for.
pub(super) fn resolve(reference: &str) -> Result<char, String> {
    let named = resolve_xml_entity(reference).and_then(|text| text.chars().next());
    match named.map_or_else(|| BytesRef::new(reference).resolve_char_ref(), |letter| Ok(Some(letter))) {
        Ok(Some(letter)) if is_allowed(letter) => Ok(letter),
        Ok(None) => Err(format!(
            "`&{reference};` is unknown: only amp, lt, gt, quot, apos and numbers may stand between `&` and `;`"
        )),
        Ok(Some(_)) | Err(_) => Err(format!("`&{reference};` is no character that XML can hold")),
    }
}

pub(super) const LONE_AMPERSAND: &str = "a lone `&`";
pub(super) const WRITE_AMP: &str = "write `&amp;`";

/// The value of an attribute: references resolved, and every blank as written turned into a space.
pub(super) fn attribute_value<'a>(raw: &'a str, spot: Spot, faults: &mut Faults) -> Cow<'a, str> {
    if let Some(at) = raw.find('<') {
        let help = Some("write `&lt;`".to_owned());
        faults.error_with_help(spot.plus(at), Code::Document, "a `<` in the value of an attribute", help);
    }
    if !raw.contains(['&', '\t', '\n', '\r']) {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, special)) = rest.find(['&', '\t', '\n', '\r']).map(|at| rest.split_at(at)) {
        value.push_str(before);
        let spot = spot.plus(raw.len() - special.len());
        let mut length = 1;
        if special.starts_with('&') {
            let end = special.bytes().take(LONGEST_REFERENCE).position(|byte| byte == b';');
            if let Some(reference) = end.and_then(|end| special.get(1..end)) {
                length += reference.len() + 1;
                match resolve(reference) {
                    Ok(letter) => value.push(letter),
                    Err(message) => faults.error(spot, Code::Document, message),
                }
            } else {
                faults.error_with_help(spot, Code::Document, LONE_AMPERSAND, Some(WRITE_AMP.to_owned()));
            }
        } else {
            length += usize::from(special.starts_with("\r\n"));
            value.push(' ');
        }
        rest = special.get(length..).unwrap_or_default();
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// Puts the text of an element together. Blanks as written may be laid out freely: a run of them counts as one space, or as
/// the gap between two paragraphs if there is an empty line in it; at both ends they do not count. References and `CDATA` count as
/// they stand.
#[derive(Debug, Default)]
pub(super) struct TextBuilder {
    pub(super) text: String,
    /// The line ends in the run of blanks that is not yet written; `None` without such a run.
    gap: Option<usize>,
    /// Whether anything was written, be it an empty `CDATA`.
    is_begun: bool,
}

impl TextBuilder {
    pub(super) fn push_raw(&mut self, raw: &str) {
        for letter in raw.chars() {
            if is_blank(letter) {
                *self.gap.get_or_insert(0) += usize::from(letter == '\n');
            } else {
                self.close_gap();
                self.text.push(letter);
            }
        }
    }

    pub(super) fn push_exact(&mut self, text: &str) {
        self.close_gap();
        self.text.push_str(text);
    }

    fn close_gap(&mut self) {
        let gap = self.gap.take();
        if self.is_begun
            && let Some(line_ends) = gap
        {
            self.text.push_str(if line_ends >= 2 { "\n\n" } else { " " });
        }
        self.is_begun = true;
    }
}

/// A value as it stands between double quotes.
pub(super) fn escape_attribute(value: &str) -> String {
    let text = partial_escape(value).replace('"', "&quot;");
    text.replace('\t', "&#9;").replace('\n', "&#10;")
}

/// A text as it stands between tags, so that [`TextBuilder`] gives exactly the same back.
pub(super) fn escape_text(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    let mut was_blank = true;
    let mut letters = content.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            // A single space between two other letters may stand as it is.
            ' ' if was_blank || letters.peek().is_none_or(|&next| is_blank(next)) => push_number(&mut text, letter),
            '\t' | '\n' | '\r' => push_number(&mut text, letter),
            _ => text.push(letter),
        }
        was_blank = is_blank(letter);
    }
    text
}

fn push_number(text: &mut String, letter: char) {
    text.push_str(&format!("&#{};", u32::from(letter)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_as_written_do_not_count_but_those_meant_do() {
        let mut builder = TextBuilder::default();
        builder.push_raw("\n  Two rows\n  of three.\n\n  Then");
        builder.push_exact("  ");
        builder.push_raw(" more\n");
        assert_eq!(builder.text, "Two rows of three.\n\nThen   more");
        assert_eq!(escape_text(" a  b c\n"), "&#32;a&#32;&#32;b c&#10;");
    }

    #[test]
    fn references_outside_xml_are_refused() {
        assert_eq!(resolve("#x41"), Ok('A'));
        assert_eq!(resolve("#65"), Ok('A'));
        for wrong in ["#0", "#xd800", "#", "#x", "#+5", "nbsp", "", "#11", "#99999999999"] {
            assert!(resolve(wrong).is_err(), "{wrong}");
        }
    }
}
