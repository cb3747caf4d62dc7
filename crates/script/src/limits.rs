//! How much a call of a script may use.
//!
//! The defaults bound the memory of a call. Strings are shared when they are copied and tables are never copied, so what a script
//! can multiply is lists and maps. The values one call holds at the same time are at most the call levels times the variables and
//! pending values of a function: 32 × (28 + 12) = 1,280. The heaviest value (2,000 empty lists in a list, 500 empty maps in a map)
//! takes some 150 kB and 32 kB of text. Together that is 230 MB, and no script reaches it within the time it has.

use std::time::Duration;

/// Steps of evaluation a call may take: about 100 ns each.
pub const OPERATIONS: u64 = 2_000_000;
/// Time a call may take.
pub const WALL: Duration = Duration::from_millis(250);
/// Calls of script functions inside each other.
pub const CALL_LEVELS: usize = 32;
/// Native stack a call may use, in bytes. A last guard: threads have at least 2 MiB.
pub const STACK_BYTES: usize = 900 << 10;
/// Nesting of expressions at the top level of a file.
pub const EXPRESSION_DEPTH: usize = 64;
/// Nesting of expressions and blocks inside functions.
pub const FUNCTION_EXPRESSION_DEPTH: usize = 48;
/// Bytes of text in one value.
pub const STRING_BYTES: usize = 32 << 10;
/// Items of a list, those of lists inside it included.
pub const LIST_ITEMS: usize = 2_000;
/// Keys of a map, those of maps inside it included.
pub const MAP_KEYS: usize = 500;
/// Functions in one file.
pub const FUNCTIONS: usize = 1_000;
/// Imports of a program.
pub const MODULES: usize = 100;
/// Variables and parameters in a function at the same time.
pub const VARIABLES: usize = 28;
/// Arguments of a call.
pub const ARGUMENTS: usize = 10;
/// Values an expression holds while it works out the next: arguments, lists in the making, lists being looped over.
pub const PENDING: usize = 12;
/// Bytes of data natives may make for one call, all together.
pub const NATIVE_BYTES: usize = 64 << 20;
/// Lines a call may print.
pub const LOG_LINES: usize = 200;
/// Bytes of a printed line.
pub const LOG_LINE_BYTES: usize = 500;

/// How much a call of a script may use. Every limit is explicit, so debug and release builds agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// See [`OPERATIONS`].
    pub operations: u64,
    /// See [`WALL`].
    pub wall: Duration,
    /// See [`CALL_LEVELS`].
    pub call_levels: usize,
    /// See [`STACK_BYTES`].
    pub stack_bytes: usize,
    /// See [`EXPRESSION_DEPTH`].
    pub expression_depth: usize,
    /// See [`FUNCTION_EXPRESSION_DEPTH`].
    pub function_expression_depth: usize,
    /// See [`STRING_BYTES`].
    pub string_bytes: usize,
    /// See [`LIST_ITEMS`].
    pub list_items: usize,
    /// See [`MAP_KEYS`].
    pub map_keys: usize,
    /// See [`FUNCTIONS`].
    pub functions: usize,
    /// See [`MODULES`].
    pub modules: usize,
    /// See [`VARIABLES`].
    pub variables: usize,
    /// See [`ARGUMENTS`].
    pub arguments: usize,
    /// See [`PENDING`].
    pub pending: usize,
    /// See [`NATIVE_BYTES`].
    pub native_bytes: usize,
    /// See [`LOG_LINES`].
    pub log_lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            operations: OPERATIONS,
            wall: WALL,
            call_levels: CALL_LEVELS,
            stack_bytes: STACK_BYTES,
            expression_depth: EXPRESSION_DEPTH,
            function_expression_depth: FUNCTION_EXPRESSION_DEPTH,
            string_bytes: STRING_BYTES,
            list_items: LIST_ITEMS,
            map_keys: MAP_KEYS,
            functions: FUNCTIONS,
            modules: MODULES,
            variables: VARIABLES,
            arguments: ARGUMENTS,
            pending: PENDING,
            native_bytes: NATIVE_BYTES,
            log_lines: LOG_LINES,
        }
    }
}

impl Limits {
    /// The same with other steps and another time.
    #[must_use]
    pub const fn with_budget(mut self, operations: u64, wall: Duration) -> Self {
        self.operations = operations;
        self.wall = wall;
        self
    }
}
