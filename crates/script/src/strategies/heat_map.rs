//! What a strategy thinks of single cells, for whoever looks at it.

use std::sync::Arc;

use rhai::Dynamic;

use super::ScriptStrategies;
use crate::api::convert;
use boardwright_model::{CellSet, Rejection, State};
use boardwright_rules::{Consultation, Luck, Strategies as _, Transaction};

impl ScriptStrategies {
    /// What a strategy thinks each cell is worth; nothing for cells it does not speak of. One that has no word for it is asked what it would
    /// think of the match without what stands on a cell: the difference is what the cell is worth.
    pub(super) fn heat_map(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection> {
        let strategy = self.strategy(asked)?;
        let Some(hook) = &strategy.evaluate_cells else {
            return self.without_each(asked);
        };
        let (value, _) = self.call(&strategy, hook, asked)?;
        let pairs: Option<Vec<_>> = convert::list_of(&value, |item| pair(asked.state, item));
        let pairs = pairs.ok_or_else(|| hook.wrong_result(&strategy.program))?;
        let mut worths = vec![None; asked.state.board().cell_count()];
        for (cells, worth) in pairs {
            for cell in &cells {
                if let Some(known) = worths.get_mut(cell.index()) {
                    *known = Some(known.unwrap_or(0_i64).saturating_add(worth));
                }
            }
        }
        Ok(worths)
    }

    /// What the match is worth with all that stands there, less what it is worth without what stands on a cell. Where the steps do not
    /// last for all cells, the last are left out.
    fn without_each(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection> {
        let board = Arc::clone(asked.state.board());
        let mut worths = vec![None; board.cell_count()];
        let Some(whole) = self.evaluate(asked)? else { return Ok(worths) };
        let strategy = self.strategy(asked)?;
        let mut left = asked.operations;
        for (cell, worth) in board.cells().zip(&mut worths) {
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
            *worth = self.evaluate(&without).ok().flatten().map(|without| whole.saturating_sub(without));
        }
        Ok(worths)
    }
}

/// Cells, and what each of them is worth.
fn pair(state: &State, value: &Dynamic) -> Option<(CellSet, i64)> {
    let [cells, worth] = <[Dynamic; 2]>::try_from(convert::list_items(value)?).ok()?;
    let count = state.board().cell_count();
    let cells = match convert::cell_id(&cells) {
        Some(cell) => CellSet::from_cells(count, [cell]),
        None => convert::cell_set(count, &cells)?,
    };
    Some((cells, worth.as_int().ok()?))
}
