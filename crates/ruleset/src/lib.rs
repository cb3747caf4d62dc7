//! A ruleset as a value: its sources, their fingerprint, and what is wrong with them. Nothing here runs a script.

mod cited;
mod diagnostic;
mod hooks;
mod lint;
mod literals;
mod nearest;
mod outline;
mod phrases;
mod sources;

pub use cited::{CitedRule, rule_number};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Place, Severity};
pub use hooks::{Hook, Hooks};
pub use lint::{LINES_OF_A_FUNCTION, lint};
pub use literals::{Literal, literals};
pub use nearest::{did_you_mean, nearest};
pub use outline::{Allow, BodySymbols, CallSite, ConstantSymbol, FunctionSymbol, KeySymbol, SymbolTable};
pub use phrases::{Phrase, MessageCatalog, Phrases, Piece, TemplateFault, counts_in, example_of, pieces};
pub use sources::{Layer, OTHER_PROGRAMS, SCRIPT_ENDING, STRATEGIES_FOLDER, SourceLimits, Sources};
