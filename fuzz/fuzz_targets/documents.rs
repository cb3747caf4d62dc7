//! XML documents: reading, checking and rewriting never panics, and what is written reads back as the same text.
#![no_main]

use boardwright_content::xml::Source;
use boardwright_content::{check_document, document_format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = Source::from_bytes("fuzz.xml", bytes) {
        check_document(&source);
        if let Ok(format) = document_format(&source)
            && let Ok(written) = (format.rewrite)(&source)
        {
            let again = (format.rewrite)(&Source::new("written.xml", &written));
            assert_eq!(again.as_ref(), Ok(&written), "{}", format.name);
        }
    }
});
