//! The sandbox in which rules run. The only crate that names rhai.
//!
//! [`compile`] makes a [`Program`] of [`Sources`](boardwright_ruleset::Sources); [`Program::call`] runs one of its functions and always comes
//! back: with a value, or with a [`Fault`] that says what went wrong in which line.
//!
//! It promises that a call ends within its budget, whatever the script does, and that no script reads a file, a clock or a random number past the rules.
//! Sources come to it in memory: it opens no file of a ruleset, and names no session.

#[allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::unnecessary_box_returns,
    clippy::wildcard_imports,
    reason = "what the engine's macros make of the modules, and the forms they ask for"
)]
mod api;
mod call;
mod comparisons;
mod compile;
mod console;
mod constants;
mod contests;
mod declare;
mod engine;
mod errors;
mod fault;
mod hooks;
mod importing;
mod keys;
pub mod limits;
mod lines;
mod lists;
mod locate;
mod locked;
mod look_over;
mod lowered;
mod map_generation;
mod maps;
mod merge;
mod meter;
mod parse;
mod patterns;
mod profile;
pub mod reference;
mod request_meter;
mod resolver;
mod rules;
mod source;
#[allow(unreachable_pub, reason = "what words of scripts take is as public as the words")]
mod strategies;
mod symbols;
mod syntax;
mod table;
mod testing;
mod texts;
#[cfg(not(target_family = "wasm"))]
mod thread_clock;
mod value;
mod vocabulary;
mod work_clock;

pub use call::Program;
pub use compile::compile;
pub use engine::{Sandbox, new_engine};
pub use fault::{Fault, TraceStep};
pub use importing::Imported;
pub use limits::Limits;
pub use lowered::{Comparison, begin_comparing, end_comparing};
pub use meter::{Interrupt, Meter};
pub use profile::{Profile, ProfiledFunction, ProfiledHook, ProfiledLine, ProfiledWord, begin_profiling, end_profiling};
pub use reference::{Reference, line_completions, reference};
pub use rules::ScriptRules;
pub use source::{ScriptSource, compile_rules};
pub use testing::{FindScenario, TestResult, TestScenario, check_tests, run_tests};

/// A module of functions, shared by everything that calls them.
type SharedModule = rhai::Shared<rhai::Module>;
