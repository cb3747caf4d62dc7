//! Writing files so that a crash, a full disk or a fault of this program costs no one their work.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use boardwright_model::diagnostic::Diagnostics;
use boardwright_model::{Map, MapCell, Scenario, Sentence, sentence};

use super::map_document::{MapDocument, print_map};
use super::rewrite::{rewrite_map, rewrite_scenario};
use super::scenario_document::{ScenarioDocument, print_scenario};
use super::xml::{Document as _, Source};

/// How many earlier versions of a file are kept beside it unless told otherwise.
pub const BACKUPS: usize = 3;

/// A file that was not written. The file as it was before is untouched.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system refused.
    #[error("{path} is not saved: {step}", path = path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What could not be done.
        step: Sentence,
        /// What the system said.
        source: io::Error,
    },
    /// There is a folder, a device or something else that is no file.
    #[error("{path} is not saved: it is not a file", path = .0.display())]
    NotAFile(PathBuf),
    /// It has become larger than files of its kind may be.
    #[error("{path} is not saved: it would have {bytes} bytes, and the most that is read again is {most}", path = path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How many bytes it would have.
        bytes: usize,
        /// How many it may have.
        most: usize,
    },
    /// What would be written could not be read again, or would read as something else; with what is wrong with the text.
    #[error("{path} is not saved: it could not be opened again", path = .0.display())]
    Unreadable(PathBuf, Diagnostics),
}

impl WriteError {
    /// What the person at the screen can do about it.
    pub fn help(&self) -> Sentence {
        match self {
            Self::Failed { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => sentence!("the disk is full: make room, then save again"),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    sentence!("you may not write there: choose another folder, or change its permissions")
                }
                _ => sentence!(
                    "{why}; choose another name or folder, or try again",
                    why = super::io_error_text(source)
                ),
            },
            Self::NotAFile(_) => sentence!("choose another name"),
            Self::TooLarge { .. } => sentence!("undo some of what was done, or save earlier in such a match"),
            Self::Unreadable(_, found) => found.iter().next().map_or_else(
                || sentence!("some of it would be lost: please report this"),
                |first| sentence!("{what}; change that, then save again", what = first.message),
            ),
        }
    }
}

/// Replaces a file as a whole: whoever reads it at any moment, even after a power cut, finds the old bytes or the new ones.
///
/// The old bytes stay beside it as `name.1~`, those before as `name.2~`, up to `backups`. Nothing is written if the file holds
/// these bytes already. Folders that are missing are made. A link stays a link, its target is replaced.
///
/// # Errors
/// Everything that keeps the file from being written; the old file is untouched then.
pub fn write_atomic(path: &Path, bytes: &[u8], backups: usize) -> Result<(), WriteError> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let failed = |step| {
        move |source| WriteError::Failed {
            path: path.clone(),
            step,
            source,
        }
    };
    let old = fs::symlink_metadata(path).ok();
    if path.file_name().is_none() || old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(WriteError::NotAFile(path.clone()));
    }
    if old.as_ref().is_some_and(|old| old.len() == bytes.len() as u64) && fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(failed(sentence!("the folder could not be made")))?;
    let new = write_beside(path, folder, bytes, old.as_ref()).map_err(failed(sentence!("the new text could not be written")))?;
    if old.is_some() && backups > 0 {
        keep(path, backups).map_err(failed(sentence!("the old file could not be kept as a backup")))?;
    }
    let not_replaced = failed(sentence!("the new file could not take the place of the old one"));
    new.persist(path).map_err(|kept| not_replaced(kept.error))?;
    sync_folder(folder);
    Ok(())
}

/// Writes a new file beside the old one, with its permissions. It is removed again unless it takes the old one's place.
fn write_beside(path: &Path, folder: &Path, bytes: &[u8], old: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    // Hidden, so that no catalogue and no watch takes it for content.
    let name = format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).suffix(".new");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(bytes)?;
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    Ok(new)
}

/// The backup of a file: 1 is the latest.
pub fn backup_path(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{number}~"));
    path.with_file_name(name)
}

/// Moves each backup one further and keeps the present file as the first. The file itself stays where it is.
fn keep(path: &Path, backups: usize) -> io::Result<()> {
    let if_there = |done: io::Result<()>| match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    };
    for number in (1..backups).rev() {
        if_there(fs::rename(backup_path(path, number), backup_path(path, number + 1)))?;
    }
    let latest = backup_path(path, 1);
    if_there(fs::remove_file(&latest))?;
    // A second name costs nothing; where the file system has none, a copy does.
    fs::hard_link(path, &latest).or_else(|_| fs::copy(path, &latest).map(drop))
}

/// Makes the new name last. Not every system can, and the file is whole either way.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        drop(folder.sync_all());
    }
}

/// Writes the text of a document, if it can be read again.
///
/// # Errors
/// As [`write_atomic`], and [`WriteError::Unreadable`] if `reads_back` tells so.
pub fn write_document(path: &Path, text: &str, reads_back: impl FnOnce(&Source) -> Result<bool, Diagnostics>) -> Result<(), WriteError> {
    let source = Source::new(path.display().to_string(), text);
    match reads_back(&source) {
        Ok(true) => write_atomic(path, text.as_bytes(), BACKUPS),
        read => Err(WriteError::Unreadable(path.to_path_buf(), read.err().unwrap_or_default())),
    }
}

/// The text of a document over that of the file that it takes the place of, if there is one.
fn over(
    path: &Path,
    print: impl FnOnce() -> String,
    rewrite: impl FnOnce(&Source) -> Result<String, Diagnostics>,
) -> Result<String, WriteError> {
    match Source::open(path, path.display().to_string()) {
        Ok(old) => rewrite(&old).map_err(|found| WriteError::Unreadable(path.to_path_buf(), found)),
        Err(_) => Ok(print()),
    }
}

/// Writes a map. It may be wrong as a map, but nothing of it may be lost; lines of the file that say the same stay as they are.
///
/// # Errors
/// As [`write_document`].
pub fn save_map(path: &Path, map: &Map) -> Result<(), WriteError> {
    // Files list the cells of a grid by row and column.
    let sorted = |map: &Map| {
        let mut map = map.clone();
        if map.topology.size().is_some() {
            map.cells.retain(|cell| *cell != MapCell::new("", cell.x, cell.y));
            map.cells.sort_by_key(|cell| (cell.y, cell.x));
        }
        map
    };
    let text = over(path, || print_map(map), |old| rewrite_map(old, map))?;
    write_document(path, &text, |source| Ok(sorted(&MapDocument::read(source)?.map) == sorted(map)))
}

/// Writes a scenario, and its overlay beside it. Lines of the file that say the same stay as they are.
///
/// # Errors
/// As [`write_document`].
pub fn save_scenario(path: &Path, scenario: &Scenario) -> Result<(), WriteError> {
    if let Some((file, text)) = &scenario.overlay {
        if !super::is_inner_path(file) || file.contains('/') {
            return Err(WriteError::NotAFile(path.with_file_name(file)));
        }
        write_atomic(&path.with_file_name(file), text.as_bytes(), BACKUPS)?;
    }
    let text = over(path, || print_scenario(scenario), |old| rewrite_scenario(old, scenario))?;
    write_document(path, &text, |source| {
        let mut read = ScenarioDocument::read(source)?.scenario;
        if let (Some((_, read)), Some((_, text))) = (&mut read.overlay, &scenario.overlay) {
            read.clone_from(text);
        }
        Ok(read == *scenario)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{MapRegion, Topology};

    #[test]
    fn comments_of_an_author_stay_when_a_map_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.map.xml");
        let text = "<!-- by hand -->\n<map format='1' id='a' title='A'><square width='3' height='3' diagonals='no'/>\n<!-- the gate --><cell at='b2' name='gate'/></map>";
        fs::write(&path, text).unwrap();
        let mut map = MapDocument::read(&super::super::xml::Source::new("a", text)).unwrap().map;
        map.title = "B".to_owned();
        save_map(&path, &map).unwrap();
        let saved = fs::read_to_string(&path).unwrap();
        assert!(saved == text.replace("'A'", "'B'"), "{saved}");
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_three_versions_before_are_kept_latest_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/folder/a.xml");
        for text in ["1", "2", "2", "3", "4", "5"] {
            write_atomic(&path, text.as_bytes(), BACKUPS).unwrap();
        }
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        let kept: Vec<_> = (1..=3).map(|number| read(&backup_path(&path, number))).collect();
        assert_eq!(
            (read(&path).as_str(), kept),
            ("5", vec!["4".to_owned(), "3".to_owned(), "2".to_owned()])
        );
        assert_eq!(files(path.parent().unwrap()), ["a.xml", "a.xml.1~", "a.xml.2~", "a.xml.3~"]);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a.xml")).unwrap();
        fs::write(folder.path().join("b"), "old").unwrap();
        let error = write_atomic(&folder.path().join("a.xml"), b"new", 3).unwrap_err();
        assert!(
            matches!(error, WriteError::NotAFile(_)) && error.to_string().contains("a.xml"),
            "{error}"
        );
        // A file where a folder is needed.
        let error = write_atomic(&folder.path().join("b/c.xml"), b"new", 3).unwrap_err();
        assert!(error.to_string().ends_with("the folder could not be made"), "{error}");
        // A backup that cannot be moved away: a folder stands in its place.
        fs::create_dir(folder.path().join("b.1~")).unwrap();
        let error = write_atomic(&folder.path().join("b"), b"new", 1).unwrap_err();
        assert!(error.to_string().ends_with("could not be kept as a backup"), "{error}");
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"old");
        assert_eq!(files(folder.path()), ["a.xml", "b", "b.1~"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("real.xml"), folder.path().join("link.xml"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_atomic(&link, b"new", 0).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn what_would_not_read_back_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.map.xml");
        let mut map = Map::new("a", "A", Topology::Graph);
        save_map(&path, &map).unwrap();
        let before = fs::read(&path).unwrap();
        map.title = "bell \u{7}".to_owned();
        let error = save_map(&path, &map).unwrap_err();
        assert!(error.help().text().contains("U+0007"), "{}", error.help());
        map.title = "A".to_owned();
        map.regions = vec![MapRegion {
            name: "r".to_owned(),
            cells: vec!["a;b".to_owned(), "c".to_owned()],
        }];
        assert!(matches!(save_map(&path, &map), Err(WriteError::Unreadable(..))));
        assert_eq!((fs::read(&path).unwrap(), files(folder.path()).len()), (before, 1));
    }
}
