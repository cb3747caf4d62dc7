//! Rhai: any text as the only script of a ruleset compiles, or is refused with diagnostics.
#![no_main]

use std::sync::Arc;
use std::time::Duration;

use boardwright_ruleset::{Layer, Sources};
use boardwright_script::{Limits, ScriptSource};
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: {
        // Otherwise the order in which Rhai hashes differs from run to run, and no seed repeats one.
        let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    },
    |text: &str| {
        let sources = Sources::of(Layer::new("fuzz").with("rules.rhai", text));
        let limits = Limits::default().with_budget(50_000, Duration::from_secs(5));
        match ScriptSource::new(Arc::new(sources), limits) {
            Ok(source) => drop(source.check_strategies()),
            Err(found) => assert!(found.has_errors(), "refused without an error"),
        }
    }
);
