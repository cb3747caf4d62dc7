//! How much a call of a script may use.
//!
//! The defaults bound the memory of a call. Strings are shared when they are copied and tables are never copied, so what a script
//! can multiply is lists and maps. The values one call holds at the same time are at most the call levels times the variables and
//! pending values of a function: 32 × (28 + 12) = 1,280. The heaviest value (2,000 empty lists in a list, 500 empty maps in a map)
//! takes some 150 kB and 32 kB of text. Together that is 230 MB, and no script reaches it within the time it has.

use std::time::Duration;

/// Steps of evaluation a call may take: about 100 ns each.
pub const OPERATIONS: u64 = 2_000_000;
/// Time a call may take: about twice of what [`OPERATIONS`] take.
pub const WALL: Duration = Duration::from_millis(250);
/// Steps of evaluation that all calls of one request may take together: about a second.
pub const REQUEST_OPERATIONS: u64 = 10_000_000;
/// Time that all calls of one request may take together.
pub const REQUEST_WALL: Duration = Duration::from_secs(1);
/// Calls of script functions inside each other.
pub const CALL_LEVELS: usize = 32;
/// Bytes of text in one value.
pub const STRING_BYTES: usize = 32 << 10;
/// Items of a list, those of lists inside it included.
pub const LIST_ITEMS: usize = 2_000;
/// Keys of a map, those of maps inside it included.
pub const MAP_KEYS: usize = 2_000;
/// Bytes that the texts and lists in the looks of one view may take together.
pub const LOOKS_BYTES: usize = 8 << 20;
/// Marks that `marks_ACTION` may make, those that others replace included.
pub const MARKS_MADE: usize = 50_000;
/// Bytes of a printed line.
pub const LOG_LINE_BYTES: usize = 500;

/// How much a call of a script may use. Every limit is explicit, so debug and release builds agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// See [`OPERATIONS`].
    pub operations: u64,
    /// See [`WALL`].
    pub wall: Duration,
    /// See [`REQUEST_OPERATIONS`].
    pub request_operations: u64,
    /// See [`REQUEST_WALL`].
    pub request_wall: Duration,
    /// See [`CALL_LEVELS`].
    pub call_levels: usize,
    /// Native stack a call may use, in bytes. A last guard: threads have at least 2 MiB.
    pub stack_bytes: usize,
    /// Nesting of expressions at the top level of a file.
    pub expression_depth: usize,
    /// Nesting of expressions and blocks inside functions.
    pub function_expression_depth: usize,
    /// See [`STRING_BYTES`].
    pub string_bytes: usize,
    /// See [`LIST_ITEMS`].
    pub list_items: usize,
    /// See [`MAP_KEYS`].
    pub map_keys: usize,
    /// Functions in one file.
    pub functions: usize,
    /// Imports of a program.
    pub modules: usize,
    /// Variables and parameters in a function at the same time.
    pub variables: usize,
    /// Arguments of a call.
    pub arguments: usize,
    /// Values an expression holds while it works out the next: arguments, lists in the making, lists being looped over.
    pub pending: usize,
    /// Bytes of data natives may make for one call, all together.
    pub native_bytes: usize,
    /// Lines a call may print.
    pub log_lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            operations: OPERATIONS,
            wall: WALL,
            request_operations: REQUEST_OPERATIONS,
            request_wall: REQUEST_WALL,
            call_levels: CALL_LEVELS,
            stack_bytes: 900 << 10,
            expression_depth: 64,
            function_expression_depth: 48,
            string_bytes: STRING_BYTES,
            list_items: LIST_ITEMS,
            map_keys: MAP_KEYS,
            functions: 1_000,
            modules: 100,
            variables: 28,
            arguments: 10,
            pending: 12,
            native_bytes: 64 << 20,
            log_lines: 200,
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
