//! XML documents: reading, checking and rewriting never panics, and what is written reads back as the same text.
#![no_main]

use boardwright_content::xml::Source;
use boardwright_content::{DocumentKind, check_document, rewrite_document};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = Source::from_bytes("fuzz.xml", bytes) {
        check_document(&source);
        if let Ok(kind) = DocumentKind::of(&source)
            && let Ok(written) = rewrite_document(&source, kind)
        {
            let again = rewrite_document(&Source::new("written.xml", &written), kind);
            assert_eq!(again.as_ref(), Ok(&written), "{kind:?}");
        }
    }
});
