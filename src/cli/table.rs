//! Columns that line up, and numbers as they stand in them.

/// Lines of cells between tabs, lined up: the first column to the left and the others to the right.
pub(super) fn columns(text: &str) -> String {
    let width = |cell: &str| cell.chars().count();
    let mut widths: Vec<usize> = Vec::new();
    for line in text.lines() {
        for (column, cell) in line.split('\t').enumerate() {
            match widths.get_mut(column) {
                Some(known) => *known = width(cell).max(*known),
                None => widths.push(width(cell)),
            }
        }
    }
    let line = |line: &str| {
        let cells = line.split('\t').zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    text.lines().map(line).collect()
}

/// A number with so many decimals.
pub(super) fn decimals(number: f64, digits: usize) -> String {
    format!("{number:.digits$}")
}

/// A part of a whole in percent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// A number with its sign.
pub(super) fn signed(number: f64, digits: Option<usize>) -> String {
    format!("{number:+.*}", digits.unwrap_or(0)).replace('-', "\u{2212}")
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
        assert_eq!(
            columns("name\tpoints\na long name\t7\n"),
            "name         points\na long name       7\n"
        );
        assert_eq!(
            (signed(12.3, None), signed(-4.56, Some(1)), percent(0.5)),
            ("+12".to_owned(), "\u{2212}4.6".to_owned(), "50.0 %".to_owned())
        );
        assert_eq!(
            (probability(0.0004), probability(0.25)),
            ("p < 0.001".to_owned(), "p = 0.250".to_owned())
        );
    }
}
