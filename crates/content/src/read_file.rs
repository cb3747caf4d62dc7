//! Reading files that may be missing, unreadable, endless or something else than a file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use boardwright_model::{Sentence, sentence};

/// The bytes of a file, but for files larger than `most`. Pipes and devices are not opened: they might never end. `name` is how
/// diagnostics call the file.
///
/// # Errors
/// Everything that keeps the file from being read.
pub fn read_bytes(path: &Path, name: &str, most: usize) -> Result<Vec<u8>, Diagnostic> {
    let wrong = |message: Sentence| Diagnostic::error(Code::File, message).at(Location::file(name));
    let too_large = |bytes: u64| wrong(sentence!("the file has {bytes} bytes, more than the {most} that are read"));
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound if path.ends_with(super::MANIFEST_FILE) => wrong(sentence!("the file is not there"))
            .with_help("each folder in rulesets/ is a ruleset and has this file; `boardwright new` copies one"),
        io::ErrorKind::NotFound => wrong(sentence!("the file is not there")),
        _ => wrong(sentence!("the file cannot be read: {why}", why = io_error_text(&error))).with_help("check its permissions"),
    };
    let known = fs::metadata(path).map_err(failed)?;
    if !known.is_file() {
        return Err(wrong(sentence!("this is not a file")));
    }
    if known.len() > most as u64 {
        return Err(too_large(known.len()));
    }
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::with_capacity(known.len() as usize);
    // The file may have grown since.
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > most {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// The text of a file, without a byte order mark. `name` is how diagnostics call the file.
///
/// # Errors
/// Everything that keeps the file from being read, also bytes that are not UTF-8.
pub fn read_text(path: &Path, name: &str, most: usize) -> Result<String, Diagnostic> {
    let text = String::from_utf8(read_bytes(path, name, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        let found = Diagnostic::error(Code::File, sentence!("the file is not UTF-8: byte {at} is wrong"));
        found.at(Location::file(name)).with_help("save it as UTF-8")
    })?;
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
        io::ErrorKind::InvalidFilename => sentence!("the name is too long, or has letters that names cannot have"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => sentence!("the disk is full"),
        io::ErrorKind::WouldBlock => sentence!("another program has it open"),
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
