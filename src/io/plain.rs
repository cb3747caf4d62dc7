//! What the system says about files, in plain words.

use std::io::{Error, ErrorKind};

/// Why something was not done with a file or folder: without the numbers and words of the system, wherever there are better ones.
pub fn plain(error: &Error) -> String {
    let known = match error.kind() {
        ErrorKind::NotFound => "the folder is not there",
        ErrorKind::PermissionDenied => "you may not do that there",
        ErrorKind::ReadOnlyFilesystem => "nothing can be written there",
        ErrorKind::AlreadyExists => "there is a file or folder of that name",
        ErrorKind::NotADirectory => "a part of the path is a file and not a folder",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::InvalidFilename => "the name is too long, or has letters that names can not have",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full",
        ErrorKind::InvalidData => "it is not UTF-8 text",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let told = error.to_string();
    match told.split_once(" (os error ") {
        Some((words, _)) => words.to_owned(),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_system_are_left_out() {
        for number in 1..130 {
            let text = plain(&Error::from_raw_os_error(number));
            assert!(!text.contains("os error") && !text.is_empty(), "{number}: {text}");
        }
        assert_eq!(plain(&Error::from(ErrorKind::NotFound)), "the folder is not there");
    }
}
