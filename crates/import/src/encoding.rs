//! The text of a file in the encoding that it declares.

use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use encoding_rs::{DecoderResult, Encoding, UTF_8};

/// An XML declaration stands in so many first bytes.
const DECLARATION_BYTES: usize = 256;

/// Decodes a file: by its byte order mark, the encoding that is told, that of its XML declaration, or else as UTF-8.
pub(crate) fn decode(bytes: &[u8], file: &str, told: Option<&str>) -> Result<String, Diagnostic> {
    let wrong = |message: String| Diagnostic::error(Code::File, message).at(Location::file(file));
    if bytes.is_empty() {
        return Err(wrong("the file is empty".to_owned()));
    }
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let declared = declared_encoding(bytes);
    let encoding = match (marked, told, &declared) {
        (Some(marked), _, _) => marked,
        (None, Some(label), _) => find(label).ok_or_else(|| wrong(format!("there is no encoding {label:?}")))?,
        (None, None, Some(label)) => find(label).ok_or_else(|| {
            let found = Diagnostic::error(Code::File, format!("the document declares an unknown encoding {label:?}"));
            found.at(Location::at(file, 1, 1))
        })?,
        (None, None, None) => UTF_8,
    };
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let length = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
    let mut text = String::with_capacity(length.unwrap_or(bytes.len()));
    let (result, _) = decoder.decode_to_string_without_replacement(bytes, &mut text, true);
    let place = |text: &str| {
        let before = text.rsplit('\n').next().unwrap_or("");
        let line = text.bytes().filter(|byte| *byte == b'\n').count();
        Location::at(file, line as u32 + 1, before.chars().count() as u32 + 1)
    };
    if let Some(before) = text.find('\0').and_then(|zero| text.get(..zero)) {
        let message = "the file is no text: it has a byte 0";
        return Err(Diagnostic::error(Code::File, message).at(place(before)));
    }
    if result != DecoderResult::InputEmpty {
        let message = format!("the file is not {}", encoding.name());
        let help = "declare the encoding that it is in, or name it with --encoding";
        return Err(Diagnostic::error(Code::File, message).at(place(&text)).with_help(help));
    }
    Ok(text)
}

fn find(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
}

/// The encoding that an XML declaration names.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let start: String = bytes.iter().take(DECLARATION_BYTES).map(|byte| char::from(*byte)).collect();
    let (declaration, _) = start.strip_prefix("<?xml")?.split_once("?>")?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    value.get(1..)?.split(quote).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], told: Option<&str>) -> Result<String, String> {
        decode(bytes, "f.xml", told).map_err(|found| found.to_string())
    }

    #[test]
    fn a_file_is_read_in_the_encoding_that_it_declares() {
        let declared = b"<?xml version=\"1.0\" encoding='windows-1250'?>\n<a b=\"\x8e\xedla\"/>";
        assert!(decoded(declared, None).unwrap().ends_with("<a b=\"Žíla\"/>"));
        assert_eq!(decoded("Žíla".as_bytes(), None).unwrap(), "Žíla");
        assert_eq!(decoded(b"\x8e\xedla", Some("windows-1250")).unwrap(), "Žíla");
        assert_eq!(decoded(b"\xff\xfea\0\xed\0", None).unwrap(), "aí");
        assert_eq!(decoded(b"\xef\xbb\xbfa", None).unwrap(), "a");
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        assert_eq!(decoded(b"", None).unwrap_err(), "f.xml: error[file]: the file is empty");
        assert_eq!(
            decoded(b"ab\nc\0d", None).unwrap_err(),
            "f.xml:2:2: error[file]: the file is no text: it has a byte 0"
        );
        assert_eq!(
            decoded("é\né\u{fe}".as_bytes().split_last().unwrap().1, None).unwrap_err(),
            "f.xml:2:2: error[file]: the file is not UTF-8"
        );
        assert_eq!(
            decoded(b"<?xml version='1.0' encoding='klingon'?><a/>", None).unwrap_err(),
            "f.xml:1:1: error[file]: the document declares an unknown encoding \"klingon\""
        );
        assert_eq!(
            decoded(b"a", Some("x-9")).unwrap_err(),
            "f.xml: error[file]: there is no encoding \"x-9\""
        );
    }
}
