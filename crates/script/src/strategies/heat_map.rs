//! What a strategy thinks of single cells, for whoever looks at it.

use std::sync::Arc;

use super::ScriptStrategies;
use crate::api::convert;
use boardwright_model::Rejection;
use boardwright_rules::{Consultation, Luck, Strategies as _, Transaction};

impl ScriptStrategies {
    /// The value of each cell by a strategy; none for cells it gives no value. Without `evaluate_cells` the value of a cell is the difference
    /// between `evaluate` of the match and of the match without what is on the cell.
    pub(super) fn heat_map(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection> {
        let strategy = self.strategy(asked)?;
        let Some(hook) = &strategy.evaluate_cells else {
            return self.without_each(asked);
        };
        let (value, _) = self.call(&strategy, hook, asked)?;
        let values = convert::cell_values(asked.state.board().cell_count(), &value);
        values.ok_or_else(|| hook.wrong_result(&strategy.program, &value).into())
    }

    /// The value of the match less its value without what is on a cell. Where the operations do not last for all cells, the last have none.
    fn without_each(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection> {
        let board = Arc::clone(asked.state.board());
        let mut values = vec![None; board.cell_count()];
        let Some(whole) = self.evaluate(asked)? else { return Ok(values) };
        let strategy = self.strategy(asked)?;
        let mut left = asked.operations;
        for (cell, number) in board.cells().zip(&mut values) {
            let pieces = asked.state.pieces_at(cell);
            left = left.saturating_sub(strategy.program.meter().operations());
            if pieces.is_empty() || left == 0 {
                continue;
            }
            let mut trial = Transaction::new(Arc::clone(asked.state), Luck::Forbidden);
            pieces.iter().try_for_each(|piece| trial.remove(*piece))?;
            let (state, ..) = trial.into_parts();
            let without = Consultation {
                state: &state,
                operations: left,
                ..asked.clone()
            };
            // A strategy may well stumble over a match that cannot be.
            *number = self.evaluate(&without).ok().flatten().map(|without| whole.saturating_sub(without));
        }
        Ok(values)
    }
}
