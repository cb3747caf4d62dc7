//! Columns that line up.

/// Rows of cells, of which the first column stands left and the others right.
#[derive(Debug, Default)]
pub(super) struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    pub(super) fn row<const N: usize>(&mut self, cells: [impl Into<String>; N]) {
        self.rows.push(cells.map(Into::into).to_vec());
    }

    /// A row of as many cells as there are.
    pub(super) fn long_row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = move |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate();
            let padded = cells.map(|(index, (cell, width))| {
                if index == 0 {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line)
    }
}

/// A part of a whole in percent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// A number with its sign.
pub(super) fn signed(number: f64) -> String {
    format!("{number:+.0}").replace('-', "\u{2212}")
}

/// A probability, as small ones are written.
pub(super) fn probability(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut columns = Columns::default();
        columns.row(["name", "points"]);
        columns.row(["a long name", "7"]);
        assert_eq!(columns.lines().collect::<Vec<_>>(), ["name         points", "a long name       7"]);
        assert_eq!(
            (signed(12.3), signed(-4.6), percent(0.5)),
            ("+12".to_owned(), "\u{2212}5".to_owned(), "50.0 %".to_owned())
        );
        assert_eq!(
            (probability(0.0004), probability(0.25)),
            ("p < 0.001".to_owned(), "p = 0.250".to_owned())
        );
    }
}
