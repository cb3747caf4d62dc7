//! Logs that grow by a line of JSON for each change, each with a checksum: a line that was cut off, and what follows it, does not count.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::locked_file::LockedFile;
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
    serde_json::from_slice(sound_json(line)?).ok()
}

/// What a line says, as it was written; `None` if it is damaged.
fn sound_json(line: &[u8]) -> Option<&[u8]> {
    let (digits, json) = line.split_at_checked(DIGITS)?;
    let json = json.strip_prefix(b" ")?;
    (text_checksum(json).as_bytes() == digits).then_some(json)
}

/// The lines of a log as they were read. What a line says is read from its JSON when it is asked for: logs may be long, and most of what they say is
/// never needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedLines {
    bytes: Vec<u8>,
    /// Where in the bytes the JSON of each line is.
    lines: Vec<Range<usize>>,
}

impl LoggedLines {
    /// How many lines there are.
    pub const fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The JSON of a line, counted from 0; empty if there is no such line.
    pub fn json(&self, index: usize) -> &[u8] {
        let place = self.lines.get(index).cloned();
        place.and_then(|place| self.bytes.get(place)).unwrap_or_default()
    }

    /// What a line says, counted from 0; `None` if it is no such value.
    pub fn read<T: DeserializeOwned>(&self, index: usize) -> Option<T> {
        serde_json::from_slice(self.json(index)).ok()
    }
}

/// A log of values in one file, which is locked: nobody else can open it meanwhile.
#[derive(Debug)]
pub struct LineLog<T> {
    file: LockedFile,
    bytes: u64,
    values: PhantomData<fn(&T)>,
}

impl<T: Serialize + DeserializeOwned> LineLog<T> {
    /// Begins a log.
    ///
    /// # Errors
    /// If the file cannot be made. [`io::ErrorKind::WouldBlock`] if somebody has it open, [`io::ErrorKind::AlreadyExists`] if there is something
    /// in it.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let file = LockedFile::new(OpenOptions::new().append(true).create(true).open(path)?)?;
        if file.metadata()?.len() > 0 {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
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
    /// If the file cannot be read and written. [`io::ErrorKind::WouldBlock`] if somebody has it open.
    pub fn open(path: &Path) -> io::Result<Option<(Self, LoggedLines)>> {
        if !path.is_file() {
            return Ok(None);
        }
        let file = LockedFile::new(OpenOptions::new().read(true).append(true).open(path)?)?;
        let mut bytes = Vec::new();
        (&*file).take(MOST_LOG_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > MOST_LOG_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut lines = Vec::new();
        let mut sound = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(json) = line.strip_suffix(b"\n").and_then(sound_json) else {
                break;
            };
            sound += line.len();
            lines.push(sound - 1 - json.len()..sound - 1);
        }
        if sound < bytes.len() {
            file.set_len(sound as u64)?;
        }
        let log = Self {
            file,
            bytes: sound as u64,
            values: PhantomData,
        };
        Ok(Some((log, LoggedLines { bytes, lines })))
    }

    /// Adds a value. It is with the system then, so that it is there when this program is killed.
    ///
    /// # Errors
    /// If it cannot be written; the log is as it was.
    pub fn append(&mut self, value: &T) -> io::Result<()> {
        let line = checked_line(value)?;
        if let Err(error) = (&*self.file).write_all(&line) {
            // A part of the line may stand there.
            self.file.set_len(self.bytes)?;
            return Err(error);
        }
        self.bytes += line.len() as u64;
        Ok(())
    }

    /// Takes everything out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.bytes = 0;
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

    fn texts(lines: &LoggedLines) -> Vec<String> {
        (0..lines.len()).filter_map(|line| lines.read(line)).collect()
    }

    #[test]
    fn a_log_goes_on_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        assert!(LineLog::<String>::open(&path).unwrap().is_none());
        let mut log = LineLog::begin(&path).unwrap();
        for text in ["one", "two", "three"] {
            log.append(&text.to_owned()).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 2]).unwrap();
        drop(log);
        let (mut log, lines) = LineLog::<String>::open(&path).unwrap().unwrap();
        assert_eq!(texts(&lines), ["one", "two"]);
        log.append(&"four".to_owned()).unwrap();
        let taken = LineLog::<String>::open(&path).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::WouldBlock, "{taken}");
        assert_eq!(LineLog::<String>::begin(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        drop(log);
        let (log, lines) = LineLog::<String>::open(&path).unwrap().unwrap();
        assert_eq!(texts(&lines), ["one", "two", "four"]);
        assert_eq!((lines.json(3), lines.read::<u8>(0)), (&b""[..], None));
        assert_eq!(log.bytes(), std::fs::metadata(&path).unwrap().len());
    }
}
