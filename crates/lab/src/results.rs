//! The file in which an arena keeps what it has played: the plan in the first line, then a line for each match, as JSON.
//!
//! A line is written when its match has ended. Whatever interrupts the arena, what was played stays; a last line that was not finished
//! is dropped when the file is taken up again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Plan, Record};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    arena: u32,
    plan: Plan,
}

impl Head {
    fn of(plan: &Plan) -> Self {
        Self {
            arena: VERSION,
            plan: plan.clone(),
        }
    }
}

const VERSION: u32 = 1;

/// Results that cannot be kept, or were not kept by an arena of this plan.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// Reading or writing failed.
    #[error("{path}: {error}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        #[source]
        error: io::Error,
    },
    /// It holds something else.
    #[error("{path}:{line}: these are no results of an arena: {what}", path = .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// It holds the results of another plan.
    #[error("{path} holds the results of another arena: its {what} differ", path = .path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// Two files have different results of one match.
    #[error("{path}: match {number} ended otherwise in another file", path = .path.display())]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The match.
        number: u64,
    },
}

/// The results of an arena, open to take more.
#[derive(Debug)]
pub struct ResultsFile {
    path: PathBuf,
    file: File,
    records: BTreeMap<u64, Record>,
}

impl ResultsFile {
    /// Opens the results of a plan, and begins them if the file is not there or empty.
    ///
    /// # Errors
    /// If the file cannot be read or written, or holds something else.
    pub fn open(path: &Path, plan: &Plan) -> Result<Self, ResultsError> {
        let io = io_error(path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        let text = std::fs::read_to_string(path).map_err(io)?;
        let whole = whole_lines(&text);
        if whole.len() < text.len() {
            file.set_len(whole.len() as u64).map_err(io)?;
        }
        let records = if whole.is_empty() {
            write_line(&mut file, &Head::of(plan)).map_err(io)?;
            BTreeMap::new()
        } else {
            let (known, records) = read(path, whole)?;
            check_plan(path, plan, &known)?;
            records
        };
        Ok(Self {
            path: path.to_owned(),
            file,
            records,
        })
    }

    /// The matches played so far, by number.
    pub fn records(&self) -> &BTreeMap<u64, Record> {
        &self.records
    }

    /// Adds a match.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, record: Record) -> Result<(), ResultsError> {
        write_line(&mut self.file, &record).map_err(io_error(&self.path))?;
        self.records.insert(record.number, record);
        Ok(())
    }
}

/// Puts the results of several files together, which have to be of one plan.
///
/// # Errors
/// If a file cannot be read, is no results, or contradicts another.
pub fn merge(paths: &[PathBuf]) -> Result<(Plan, BTreeMap<u64, Record>), ResultsError> {
    let mut merged: Option<(Plan, BTreeMap<u64, Record>)> = None;
    for path in paths {
        let text = std::fs::read_to_string(path).map_err(io_error(path))?;
        let (plan, records) = read(path, whole_lines(&text))?;
        let Some((known, all)) = &mut merged else {
            merged = Some((plan, records));
            continue;
        };
        check_plan(path, known, &plan)?;
        for (number, record) in records {
            if all.get(&number).is_some_and(|other| essence(other) != essence(&record)) {
                return Err(ResultsError::Contradiction {
                    path: path.clone(),
                    number,
                });
            }
            all.insert(number, record);
        }
    }
    merged.ok_or_else(|| ResultsError::Other {
        path: PathBuf::new(),
        line: 0,
        what: "no file is named".to_owned(),
    })
}

/// What is the same each time a match of a plan is played.
fn essence(record: &Record) -> (u64, u32, Vec<u8>) {
    let places = record.seats.iter().map(|seat| seat.place);
    (record.seed, record.actions, places.collect())
}

/// A text without a last line that has no end: it was being written when the arena was killed.
fn whole_lines(text: &str) -> &str {
    text.rfind('\n').and_then(|end| text.get(..=end)).unwrap_or_default()
}

/// Writes results into a new file, in the order of the plan.
///
/// # Errors
/// If it cannot be written.
pub fn write_merged(path: &Path, plan: &Plan, records: &BTreeMap<u64, Record>) -> Result<(), ResultsError> {
    let io = io_error(path);
    let mut file = io::BufWriter::new(File::create(path).map_err(io)?);
    write_line(&mut file, &Head::of(plan)).map_err(io)?;
    for record in records.values() {
        write_line(&mut file, record).map_err(io)?;
    }
    file.flush().map_err(io)
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> ResultsError + Copy {
    move |error| ResultsError::Io {
        path: path.to_owned(),
        error,
    }
}

fn write_line(file: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)?;
    file.flush()
}

fn read(path: &Path, text: &str) -> Result<(Plan, BTreeMap<u64, Record>), ResultsError> {
    let other = |line: usize, what: String| ResultsError::Other {
        path: path.to_owned(),
        line,
        what,
    };
    let mut lines = text.lines().enumerate();
    let Some((_, first)) = lines.next() else {
        return Err(other(1, "the file is empty".to_owned()));
    };
    let head: Head = serde_json::from_str(first).map_err(|error| other(1, error.to_string()))?;
    if head.arena != VERSION {
        return Err(other(
            1,
            format!("they are of version {}, this program knows {VERSION}", head.arena),
        ));
    }
    let mut records = BTreeMap::new();
    for (index, line) in lines {
        let record: Record = serde_json::from_str(line).map_err(|error| other(index + 1, error.to_string()))?;
        records.insert(record.number, record);
    }
    Ok((head.plan, records))
}

fn check_plan(path: &Path, plan: &Plan, known: &Plan) -> Result<(), ResultsError> {
    let differences = [
        ("scenarios or rules", plan.scenarios != known.scenarios),
        ("players", plan.players != known.players),
        ("numbers of matches", plan.matches != known.matches),
        ("seeds", plan.seed != known.seed),
        ("limits of thinking", plan.allowance != known.allowance),
    ];
    let Some((what, _)) = differences.into_iter().find(|(_, differs)| *differs) else {
        return Ok(());
    };
    Err(ResultsError::Plan {
        path: path.to_owned(),
        what,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allowance, PlannedScenario};

    fn plan() -> Plan {
        Plan {
            scenarios: vec![PlannedScenario {
                id: "some/standard".to_owned(),
                rules: "abc".to_owned(),
                seats: vec!["red".to_owned(), "blue".to_owned()],
                options: Vec::new(),
            }],
            players: vec!["random".parse().unwrap(), "greedy".parse().unwrap()],
            matches: 6,
            tables: Vec::new(),
            seed: 1,
            allowance: Allowance::default(),
        }
    }

    fn record(number: usize) -> Record {
        let job = &plan().match_jobs().unwrap()[number];
        let mut record = Record::before(job);
        record.seats[0].place = 2;
        record
    }

    #[test]
    fn results_are_taken_up_again_and_a_torn_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let mut results = ResultsFile::open(&path, &plan()).unwrap();
        results.push(record(0)).unwrap();
        results.push(record(1)).unwrap();
        drop(results);
        // Killed in the middle of a line.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut results = ResultsFile::open(&path, &plan()).unwrap();
        assert_eq!(results.records().keys().copied().collect::<Vec<_>>(), [0]);
        results.push(record(1)).unwrap();
        results.push(record(4)).unwrap();
        drop(results);
        let results = ResultsFile::open(&path, &plan()).unwrap();
        assert_eq!(
            results.records().values().cloned().collect::<Vec<_>>(),
            [record(0), record(1), record(4)]
        );
    }

    #[test]
    fn a_file_of_another_plan_or_of_something_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        drop(ResultsFile::open(&path, &plan()).unwrap());
        let before = std::fs::read_to_string(&path).unwrap();
        let other = Plan { seed: 2, ..plan() };
        let error = ResultsFile::open(&path, &other).unwrap_err();
        assert!(error.to_string().ends_with("its seeds differ"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
        std::fs::write(&path, "dear diary\n").unwrap();
        assert!(matches!(
            ResultsFile::open(&path, &plan()),
            Err(ResultsError::Other { line: 1, .. })
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "dear diary\n");
    }

    #[test]
    fn parts_are_put_together_once_each() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, numbers: &[usize]| {
            let path = folder.path().join(name);
            let mut results = ResultsFile::open(&path, &plan()).unwrap();
            for number in numbers {
                results.push(record(*number)).unwrap();
            }
            path
        };
        let paths = [file("a", &[0, 1]), file("b", &[2, 3, 1]), file("c", &[])];
        let (known, records) = merge(&paths).unwrap();
        assert_eq!((known, records.len()), (plan(), 4));
        let whole = folder.path().join("whole");
        write_merged(&whole, &plan(), &records).unwrap();
        assert_eq!(merge(&[whole]).unwrap().1, records);
        // The same match with another result.
        let path = file("d", &[5]);
        let mut text = std::fs::read_to_string(&path).unwrap();
        let mut other = record(0);
        other.actions = 99;
        text.push_str(&serde_json::to_string(&other).unwrap());
        text.push('\n');
        std::fs::write(&path, text).unwrap();
        assert!(matches!(
            merge(&[paths[0].clone(), path]),
            Err(ResultsError::Contradiction { number: 0, .. })
        ));
    }
}
