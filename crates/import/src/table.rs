//! Tables as text, as spreadsheets write them, with a first line that names the columns.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use csv::{ReaderBuilder, StringRecord, Trim};

/// The most lines of a table.
const MOST_ROWS: usize = 100_000;

/// A table and the names of its columns.
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<(u32, StringRecord)>,
}

/// A line of a table.
pub(crate) struct Row<'a> {
    columns: &'a [String],
    record: &'a StringRecord,
    /// From 1.
    pub(crate) line: u32,
}

impl Table {
    /// Reads a table with some of the known columns.
    pub(crate) fn read(text: &str, file: &str, known: &[&str]) -> Result<Self, Diagnostics> {
        let mut found = Diagnostics::new();
        let mut rows = read_rows(text, file)?.into_iter();
        let columns = rows.next().map(|(_, record)| record).unwrap_or_default();
        let columns: Vec<String> = columns.iter().map(str::to_lowercase).collect();
        for (place, column) in columns.iter().enumerate() {
            let wrong = |code, message: String| Diagnostic::error(code, message).at(Location::at(file, 1, 1));
            if !known.contains(&column.as_str()) {
                let help = format!("the columns are {}", known.join(", "));
                found.push(wrong(Code::UnknownKey, format!("the table has an unknown column {column:?}")).with_help(help));
            } else if columns.iter().take(place).any(|other| other == column) {
                found.push(wrong(Code::DuplicateName, format!("the table has two columns `{column}`")));
            }
        }
        if found.has_errors() {
            return Err(found);
        }
        let is_filled = |(_, record): &(u32, StringRecord)| record.iter().any(|field| !field.is_empty());
        Ok(Self {
            columns,
            rows: rows.filter(is_filled).collect(),
        })
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, record)| Row {
            columns: &self.columns,
            record,
            line: *line,
        })
    }
}

impl Row<'_> {
    /// The field in a column; empty where there is none.
    pub(crate) fn field(&self, column: &str) -> &str {
        let place = self.columns.iter().position(|known| known == column);
        place.and_then(|place| self.record.get(place)).unwrap_or("")
    }
}

/// What divides the fields of a table: the mark that its first line has most of.
pub(crate) fn delimiter_of(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or("");
    let count = |mark: u8| first.bytes().filter(|byte| *byte == mark).count();
    let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(|mark| (count(*mark), *mark == b','));
    delimiter.unwrap_or(b',')
}

/// The lines of a table, each with its number, from 1. What divides fields is found out from the first line.
pub(crate) fn read_rows(text: &str, file: &str) -> Result<Vec<(u32, StringRecord)>, Diagnostics> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .delimiter(delimiter_of(text))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    let breaks: Vec<usize> = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| *byte == b'\n')
        .map(|(place, _)| place)
        .collect();
    for record in reader.into_records() {
        let record = record.map_err(|error| Diagnostic::error(Code::Syntax, error.to_string()).at(Location::file(file)));
        let record = record.map_err(|found| Diagnostics::from_iter([found]))?;
        // The reader begins a line before the end of the one before it where that has two characters.
        let start = record.position().map_or(0, csv::Position::byte) as usize;
        let ends = text.bytes().skip(start).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let line = breaks.partition_point(|place| *place < start + ends) as u32 + 1;
        if rows.len() >= MOST_ROWS {
            let message = format!("the table has more than {MOST_ROWS} lines");
            return Err([Diagnostic::error(Code::SourceLimit, message).at(Location::at(file, line, 1))]
                .into_iter()
                .collect());
        }
        rows.push((line, record));
    }
    Ok(rows)
}
