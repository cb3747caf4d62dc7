//! Lines of the protocol, in both directions: reading one never panics, and writing what was read and reading that again changes nothing.
#![no_main]

use std::fmt::Debug;

use boardwright::client::messages::{FromHost, Request};
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

fuzz_target!(|line: &[u8]| {
    round_trip::<Request>(line);
    round_trip::<FromHost>(line);
});

fn round_trip<T: Serialize + DeserializeOwned + Debug + PartialEq>(line: &[u8]) {
    let Ok(message) = serde_json::from_slice::<T>(line) else { return };
    let written = serde_json::to_string(&message).expect("what was read can be written");
    assert_eq!(serde_json::from_str::<T>(&written).ok().as_ref(), Some(&message), "{written}");
}
