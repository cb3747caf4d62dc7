//! The functions of a strategy that the engine looks for by name.

use super::super::hooks::{Hook, hook};

/// Every function that decides, in the order in which they are looked for.
pub(crate) const STRATEGY_HOOKS: &[Hook] = &[
    hook(
        "answer_ACTION",
        "(view, mind)",
        "a map of the picks, an action, or `()`",
        "Answers the question that asks for this action; `view.question` says what it is about.",
    ),
    hook(
        "decide_PHASE",
        "(view, mind)",
        "an action, or `()`",
        "Chooses an action in this phase. It is asked anew for every action.",
    ),
    hook(
        "decide",
        "(view, mind)",
        "an action, or `()`",
        "The same, for all phases and questions that have no function of their own.",
    ),
    hook(
        "evaluate",
        "(view, mind)",
        "a number",
        "How good a state is for `view.seat`: more is better. Asked where the others are missing or give back `()`: each action that may be \
         taken is tried, those with luck in them several times, and the one after which this says most is chosen.",
    ),
    hook(
        "evaluate_cells",
        "(view, mind)",
        "a list of pairs: a cell or a set of cells, and a number",
        "What cells are worth to `view.seat`, for whoever looks at the strategy: a map of these is drawn over the board. It decides nothing. \
         Where a cell is named several times, the numbers are added up. Without it: what `evaluate` says, less what it would say without \
         what stands on the cell.",
    ),
];
