//! Lines of the protocol, in both directions: reading one never panics, and writing what was read and reading that again changes nothing.
#![no_main]

use std::fmt::Debug;

use boardwright_protocol::{FromHost, Request};
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

fuzz_target!(|line: &[u8]| {
    round_trip::<Request>(line);
    round_trip::<FromHost>(line);
});

fn round_trip<T: Serialize + DeserializeOwned + Debug + PartialEq>(line: &[u8]) {
    if let Ok(message) = serde_json::from_slice::<T>(line) {
        let again = serde_json::to_string(&message).and_then(|written| serde_json::from_str(&written));
        assert_eq!(again.ok(), Some(message));
    }
}
