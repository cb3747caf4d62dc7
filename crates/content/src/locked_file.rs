//! Files that one program at a time has open.

use std::fs::{File, TryLockError};
use std::ops::Deref;

/// A file that is locked until this is dropped.
///
/// A program that is just being started shares the open files of the one that starts it, and their locks, until it runs. So it is not enough to close
/// the file: the lock is released first, for everyone who shares it.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Locks a file.
    ///
    /// # Errors
    /// If somebody else has locked it, or where files cannot be locked.
    pub fn new(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(Self(file))
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing the file does it where this cannot.
        drop(self.0.unlock());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_ends_although_somebody_shares_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let locked = LockedFile::new(File::create(&path).unwrap()).unwrap();
        // As a program has it that is being started.
        let shared = locked.try_clone().unwrap();
        let again = || LockedFile::new(File::open(&path).unwrap());
        assert!(matches!(again(), Err(TryLockError::WouldBlock)));
        drop(locked);
        assert!(again().is_ok());
        drop(shared);
    }
}
