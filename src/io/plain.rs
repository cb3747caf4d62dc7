//! What the system says about files, in plain words.

use std::io::{Error, ErrorKind};

use crate::rules::sentence;

/// Why something was not done with a file or folder: without the numbers and words of the system, wherever there are better ones.
pub fn plain(error: &Error) -> String {
    let known = match error.kind() {
        ErrorKind::NotFound => sentence!("the folder is not there"),
        ErrorKind::PermissionDenied => sentence!("you may not do that there"),
        ErrorKind::ReadOnlyFilesystem => sentence!("nothing can be written there"),
        ErrorKind::AlreadyExists => sentence!("there is a file or folder of that name"),
        ErrorKind::NotADirectory => sentence!("a part of the path is a file and not a folder"),
        ErrorKind::IsADirectory => sentence!("it is a folder"),
        ErrorKind::InvalidFilename => sentence!("the name is too long, or has letters that names can not have"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => sentence!("the disk is full"),
        ErrorKind::InvalidData => sentence!("it is not UTF-8 text"),
        _ => {
            let told = error.to_string();
            let words = told.split_once(" (os error ").map(|(words, _)| words);
            return words.map_or_else(|| told.clone(), str::to_owned);
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
            let text = plain(&Error::from_raw_os_error(number));
            assert!(!text.contains("os error") && !text.is_empty(), "{number}: {text}");
        }
        assert_eq!(plain(&Error::from(ErrorKind::NotFound)), "the folder is not there");
    }
}
