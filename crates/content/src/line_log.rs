//! Logs that grow by a line of JSON for each change, each with a checksum: a line that was cut off, and what follows it, does not count.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::read_bytes;
use super::write_file::sync_folder;

/// Hexadecimal digits of a checksum.
const DIGITS: usize = 16;
/// The most bytes that are read of a log.
pub(super) const MOST_LOG_BYTES: usize = 256 << 20;

/// A short checksum that tells texts apart: 16 hexadecimal digits.
pub fn text_checksum(text: &[u8]) -> String {
    blake3::hash(text).to_hex().chars().take(DIGITS).collect()
}

/// The line of a log that says a value.
pub(super) fn checked_line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(value)?;
    let mut line = text_checksum(&json).into_bytes();
    line.push(b' ');
    line.extend(json);
    line.push(b'\n');
    Ok(line)
}

/// The value that a line says, given without its end; `None` if it is damaged.
pub(super) fn read_line<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let (digits, json) = line.split_at_checked(DIGITS)?;
    let json = json.strip_prefix(b" ")?;
    (text_checksum(json).as_bytes() == digits).then(|| serde_json::from_slice(json).ok())?
}

/// A log of values in one file.
#[derive(Debug)]
pub struct LineLog<T> {
    file: File,
    bytes: u64,
    values: PhantomData<fn(&T)>,
}

impl<T: Serialize + DeserializeOwned> LineLog<T> {
    /// Begins a log. What is there of an earlier one is gone.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn begin(path: &Path) -> io::Result<Self> {
        drop(fs::remove_file(path));
        let file = OpenOptions::new().append(true).create_new(true).open(path)?;
        sync_folder(path.parent().unwrap_or(Path::new(".")));
        Ok(Self {
            file,
            bytes: 0,
            values: PhantomData,
        })
    }

    /// Opens a log to go on with it, and gives what is in it. What is damaged is cut off. `None` where there is no log.
    ///
    /// # Errors
    /// If the file cannot be read and written.
    pub fn open(path: &Path) -> io::Result<Option<(Self, Vec<T>)>> {
        if !path.is_file() {
            return Ok(None);
        }
        let name = path.display().to_string();
        let bytes = read_bytes(path, &name, MOST_LOG_BYTES).map_err(|found| io::Error::other(found.message))?;
        let mut values = Vec::new();
        let mut sound = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(value) = line.strip_suffix(b"\n").and_then(read_line) else {
                break;
            };
            values.push(value);
            sound += line.len() as u64;
        }
        let file = OpenOptions::new().append(true).open(path)?;
        if sound < bytes.len() as u64 {
            file.set_len(sound)?;
        }
        let log = Self {
            file,
            bytes: sound,
            values: PhantomData,
        };
        Ok(Some((log, values)))
    }

    /// Adds a value. It is with the system then, so that it is there when this program is killed.
    ///
    /// # Errors
    /// If it cannot be written; the log is as it was.
    pub fn append(&mut self, value: &T) -> io::Result<()> {
        let line = checked_line(value)?;
        if let Err(error) = self.file.write_all(&line) {
            // A part of the line may stand there.
            self.file.set_len(self.bytes)?;
            return Err(error);
        }
        self.bytes += line.len() as u64;
        Ok(())
    }

    /// How many bytes it has.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_goes_on_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        assert!(LineLog::<String>::open(&path).unwrap().is_none());
        let mut log = LineLog::begin(&path).unwrap();
        for text in ["one", "two", "three"] {
            log.append(&text.to_owned()).unwrap();
        }
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 2]).unwrap();
        let (mut log, values) = LineLog::<String>::open(&path).unwrap().unwrap();
        assert_eq!(values, ["one", "two"]);
        log.append(&"four".to_owned()).unwrap();
        let (log, values) = LineLog::<String>::open(&path).unwrap().unwrap();
        assert_eq!(values, ["one", "two", "four"]);
        assert_eq!(log.bytes(), fs::metadata(&path).unwrap().len());
    }
}
