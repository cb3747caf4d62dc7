//! A ruleset as a value: its sources, their fingerprint, and what is wrong with them. Nothing here runs a script.
//!
//! It promises that the same sources have the same fingerprint on every machine. It names no engine of scripts and no file.

mod cited;
mod foreign;
mod hooks;
mod lint;
mod literals;
mod nearest;
mod outline;
mod sources;

pub use cited::CitedRule;
pub use foreign::foreign_word;
pub use hooks::{Hook, Hooks};
pub use lint::{LINES_OF_A_FUNCTION, lint};
pub use literals::{Literal, literals};
pub use nearest::{did_you_mean, nearest};
pub use outline::{
    Allow, BodySymbols, CallSite, Comparison, ConstantSymbol, FunctionSymbol, KeySymbol, LostCall, Operand, Sort, SymbolTable,
};
pub use sources::{Layer, OTHER_PROGRAMS, SCRIPT_ENDING, STRATEGIES_FOLDER, SourceLimits, Sources};
