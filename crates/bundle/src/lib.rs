//! The rulesets, maps and shared scripts that the program brings inside itself.
//!
//! They are packed when this crate is built and lie in the program as one archive of half a megabyte. [`unpack`] writes them
//! into a folder, because authors and their tools work with files. That folder is named after a hash of its content: an updated
//! program unpacks its own and removes that of the version before.
//!
//! It promises that what it unpacks is what was packed, under a hash of it. It names no other crate of this workspace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/content.tar.gz"));
/// What the folder of this version is called.
const HASH: &str = env!("BOARDWRIGHT_BUNDLE_HASH");
const RULESETS: &str = env!("BOARDWRIGHT_BUNDLE_RULESETS");
/// The number of files, and their bytes together, in decimal.
const FILES: &str = env!("BOARDWRIGHT_BUNDLE_FILES");
const BYTES: &str = env!("BOARDWRIGHT_BUNDLE_BYTES");

/// The bundled content could not be unpacked.
#[derive(Debug, thiserror::Error)]
#[error("the bundled rulesets could not be unpacked into {folder}: {source}", folder = .folder.display())]
pub struct UnpackError {
    /// The folder that was to hold them.
    pub folder: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl UnpackError {
    /// What the person at the screen can do about it.
    pub fn help(&self) -> &'static str {
        match self.source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full: make room, then start again",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "that folder may not be written: change its permissions, set XDG_DATA_HOME to another one, or name a folder with rulesets"
            }
            _ => "set XDG_DATA_HOME to another folder, or name a folder with rulesets",
        }
    }
}

/// The ids of the bundled rulesets, sorted.
pub fn rulesets() -> impl Iterator<Item = &'static str> {
    RULESETS.split(',')
}

/// Unpacks the bundled content into a folder of its own inside `folder`, unless it is there already, and removes what earlier
/// versions of the program unpacked there. Gives that folder, which is a content folder with `rulesets/`, `maps/` and `scripts/`.
///
/// Nobody finds it half unpacked: it is written beside its place and then renamed. One in which files are missing or were changed
/// in length is put aside, and unpacked again.
///
/// # Errors
/// `folder` cannot be written, or the disk is full.
pub fn unpack(folder: &Path) -> Result<PathBuf, UnpackError> {
    let place = folder.join(HASH);
    if is_whole(&place) {
        return Ok(place);
    }
    match unpack_beside(folder, &place) {
        // Another process that was started at the same time may have been quicker.
        Err(source) if !is_whole(&place) => {
            let folder = folder.to_path_buf();
            Err(UnpackError { folder, source })
        }
        _ => {
            remove_others(folder);
            Ok(place)
        }
    }
}

fn unpack_beside(folder: &Path, place: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let beside = tempfile::Builder::new().prefix(".unpacking-").tempdir_in(folder)?;
    let new = beside.path().join(HASH);
    let mut archive = tar::Archive::new(GzDecoder::new(ARCHIVE));
    archive.set_preserve_mtime(false);
    archive.unpack(&new)?;
    if place.exists() {
        let aside = (1..).map(|number| folder.join(format!("{HASH}.changed-{number}")));
        if let Some(aside) = aside.into_iter().find(|aside| !aside.exists()) {
            fs::rename(place, &aside)?;
            tracing::warn!("bundled files were changed or lost; what was there is in {}", aside.display());
        }
    }
    fs::rename(&new, place)
}

/// Whether a folder holds as many files and bytes as were packed.
fn is_whole(place: &Path) -> bool {
    let mut found = (0_usize, 0_u64);
    count(place, &mut found).is_ok() && FILES.parse() == Ok(found.0) && BYTES.parse() == Ok(found.1)
}

fn count(folder: &Path, found: &mut (usize, u64)) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            count(&entry.path(), found)?;
        } else {
            found.0 += 1;
            found.1 += metadata.len();
        }
    }
    Ok(())
}

/// Removes what earlier versions unpacked, and what was left half done.
fn remove_others(folder: &Path) {
    let is_hash = |name: &str| name.len() == HASH.len() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| *name != HASH) else {
            continue;
        };
        if (is_hash(name) || name.starts_with(".unpacking-"))
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            tracing::info!("{} is left there: {error}", entry.path().display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_unpacked_are_the_files_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let place = unpack(&folder.path().join("not/there/yet")).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert_eq!(names(&place), ["bundled.txt", "maps", "rulesets", "scripts"]);
        assert!(rulesets().any(|id| id == "tic-tac-toe"));
        for id in rulesets() {
            let file = format!("rulesets/{id}/ruleset.xml");
            assert_eq!(fs::read(place.join(&file)).unwrap(), fs::read(root.join(&file)).unwrap());
            assert!(
                names(&place.join("maps")).contains(&id.to_owned()) || id == "sixteen-captains",
                "{id}"
            );
        }
    }

    #[test]
    fn it_is_unpacked_once_and_takes_the_place_of_the_version_before() {
        let folder = tempfile::tempdir().unwrap();
        for other in ["0123456789abcdef/rulesets", ".unpacking-x", "notes"] {
            fs::create_dir_all(folder.path().join(other)).unwrap();
        }
        let place = unpack(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [HASH, "notes"]);
        // A file of the same length stays as it is: nothing is written a second time.
        let file = place.join("rulesets/tic-tac-toe/ruleset.xml");
        let text = fs::read_to_string(&file).unwrap().to_uppercase();
        fs::write(&file, &text).unwrap();
        assert_eq!(unpack(folder.path()).unwrap(), place);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }

    #[test]
    fn a_damaged_one_is_put_aside_and_unpacked_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = unpack(folder.path()).unwrap();
        fs::remove_file(place.join("rulesets/tic-tac-toe/ruleset.xml")).unwrap();
        fs::write(place.join("maps/mine.xml"), "kept").unwrap();
        assert_eq!(unpack(folder.path()).unwrap(), place);
        assert!(is_whole(&place));
        let aside = folder.path().join(format!("{HASH}.changed-1/maps/mine.xml"));
        assert_eq!(fs::read_to_string(aside).unwrap(), "kept");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told_with_what_helps() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = unpack(&file.join("bundled")).unwrap_err();
        assert!(error.to_string().contains("could not be unpacked into"), "{error}");
        assert!(error.help().contains("XDG_DATA_HOME"));
        let full = UnpackError {
            folder: file,
            source: io::ErrorKind::StorageFull.into(),
        };
        assert!(full.help().contains("make room"));
    }
}
