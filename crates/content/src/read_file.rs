//! Reading files that may be missing, unreadable, endless or something else than a file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use boardwright_model::diagnostic::{Code, Diagnostic, Place};
use boardwright_model::sentence;

/// A file or folder that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is none.
    #[error("{} is not there", .0.display())]
    Missing(PathBuf),
    /// The system refused.
    #[error("{} cannot be read", .0.display())]
    Failed(PathBuf, #[source] io::Error),
    /// Neither a file nor a link to one.
    #[error("{} is not a file", .0.display())]
    NotAFile(PathBuf),
    /// More bytes than allowed.
    #[error("{} has {bytes} bytes, more than the {most} that are read", path.display())]
    TooLarge {
        /// What was read.
        path: PathBuf,
        /// Its bytes, or as many as were read before reading was given up.
        bytes: u64,
        /// How many are allowed.
        most: usize,
    },
    /// A script or other text that is not UTF-8, and how many bytes stand before the first that is wrong.
    #[error("{} is not UTF-8 (byte {})", .0.display(), .1)]
    NotText(PathBuf, usize),
}

impl ReadError {
    /// What an author is told, with the name the file has in the sources.
    pub fn diagnostic(&self, file: &str) -> Diagnostic {
        let (message, help) = match self {
            Self::Missing(path) if path.ends_with(super::MANIFEST_FILE) => (
                sentence!("the file is not there"),
                Some("each folder in rulesets/ is a ruleset and has this file; `boardwright new` copies one"),
            ),
            Self::Missing(_) => (sentence!("the file is not there"), None),
            Self::Failed(_, source) => (
                sentence!("the file cannot be read: {why}", why = io_error_text(source)),
                Some("check its permissions"),
            ),
            Self::NotAFile(_) => (sentence!("this is not a file"), None),
            Self::TooLarge { bytes, most, .. } => (sentence!("the file has {bytes} bytes, more than the {most} that are read"), None),
            Self::NotText(_, at) => (
                sentence!("the file is not UTF-8: byte {at} is wrong", at = at + 1),
                Some("save it as UTF-8"),
            ),
        };
        Diagnostic {
            help: help.map(str::to_owned),
            ..Diagnostic::error(Code::File, message).at(Place::file(file))
        }
    }

    /// Wraps what the system said about a path.
    fn of(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing(path),
            _ => Self::Failed(path, source),
        }
    }
}

/// The bytes of a file, but for files larger than `most`. Pipes and devices are not opened: they might never end.
///
/// # Errors
/// Everything that keeps the file from being read.
pub fn read_bytes(path: &Path, most: usize) -> Result<Vec<u8>, ReadError> {
    let known = fs::metadata(path).map_err(|error| ReadError::of(path, error))?;
    if !known.is_file() {
        return Err(ReadError::NotAFile(path.to_path_buf()));
    }
    let too_large = |bytes| ReadError::TooLarge {
        path: path.to_path_buf(),
        bytes,
        most,
    };
    if known.len() > most as u64 {
        return Err(too_large(known.len()));
    }
    let file = File::open(path).map_err(|error| ReadError::of(path, error))?;
    let mut bytes = Vec::with_capacity(known.len() as usize);
    // The file may have grown since.
    let read = file.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| ReadError::of(path, error))?;
    if bytes.len() > most {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// Everything that keeps the file from being read, also bytes that are not UTF-8.
pub fn read_text(path: &Path, most: usize) -> Result<String, ReadError> {
    let text = String::from_utf8(read_bytes(path, most)?);
    let text = text.map_err(|error| ReadError::NotText(path.to_path_buf(), error.utf8_error().valid_up_to()))?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

/// The text of an error of the system about a file or folder, without its number.
pub fn io_error_text(error: &io::Error) -> String {
    let known = match error.kind() {
        io::ErrorKind::NotFound => sentence!("the folder is not there"),
        io::ErrorKind::PermissionDenied => sentence!("you may not do that there"),
        io::ErrorKind::ReadOnlyFilesystem => sentence!("nothing can be written there"),
        io::ErrorKind::AlreadyExists => sentence!("there is a file or folder of that name"),
        io::ErrorKind::NotADirectory => sentence!("a part of the path is a file and not a folder"),
        io::ErrorKind::IsADirectory => sentence!("it is a folder"),
        io::ErrorKind::InvalidFilename => sentence!("the name is too long, or has letters that names can not have"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => sentence!("the disk is full"),
        io::ErrorKind::InvalidData => sentence!("it is not UTF-8 text"),
        _ => {
            let text = error.to_string();
            let without_number = text.split_once(" (os error ").map(|(text, _)| text.to_owned());
            return without_number.unwrap_or(text);
        }
    };
    known.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_system_are_left_out() {
        for number in 1..130 {
            let text = io_error_text(&io::Error::from_raw_os_error(number));
            assert!(!text.contains("os error") && !text.is_empty(), "{number}: {text}");
        }
        assert_eq!(io_error_text(&io::Error::from(io::ErrorKind::NotFound)), "the folder is not there");
    }
}
