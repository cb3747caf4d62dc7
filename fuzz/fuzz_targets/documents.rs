//! XML documents: reading, checking and rewriting never panics, and what is written reads back as the same text.
#![no_main]

use boardwright::io::xml::Source;
use boardwright::io::{DocumentKind, check_document, rewrite_document};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.xml", bytes) else { return };
    check_document(&source);
    let Ok(kind) = DocumentKind::of(&source) else { return };
    let Ok(written) = rewrite_document(&source, kind) else { return };
    assert_eq!(rewrite_document(&Source::new("written.xml", &written), kind), Ok(written.clone()), "{kind:?}");
});
