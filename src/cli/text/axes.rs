//! Labels at the edges of a board, where the names of its cells are made of a column and a row.

use std::collections::BTreeMap;

use crate::model::{Board, CellId};

/// The label of each column and of each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Axes {
    pub(super) columns: BTreeMap<i32, String>,
    pub(super) rows: BTreeMap<i32, String>,
}

impl Axes {
    /// The labels, if every name is letters for its column and a number for its row; `place` gives column and row of a cell.
    pub(super) fn of(board: &Board, place: impl Fn(CellId) -> (i32, i32)) -> Option<Self> {
        let mut axes = Self::default();
        for cell in board.cells() {
            let name = board.cell_name(cell);
            let (letters, number) = name.split_at(name.find(|letter: char| letter.is_ascii_digit())?);
            let is_plain =
                !letters.is_empty() && letters.chars().all(char::is_alphabetic) && number.bytes().all(|byte| byte.is_ascii_digit());
            let (column, row) = place(cell);
            let column = axes.columns.entry(column).or_insert_with(|| letters.to_owned());
            let row = axes.rows.entry(row).or_insert_with(|| number.to_owned());
            if !is_plain || column != letters || row != number {
                return None;
            }
        }
        Some(axes)
    }

    /// The width of the widest row label.
    pub(super) fn row_width(&self) -> i32 {
        self.rows.values().map(|label| label.chars().count()).max().unwrap_or(0) as i32
    }
}
