//! Rules of servers, kept by clients so that they need not be sent again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use boardwright_content::{MOST_UNPACKED, unpack_sources};
use boardwright_local::compile_rules;
use boardwright_model::Fingerprint;
use boardwright_rules::RulesSource;

use super::remote_link::{RemoteError, RemoteLobby};

/// The most rules that are kept on disk; those that were not used for the longest time go first.
const MOST_KEPT: usize = 64;
const EXTENSION: &str = "rules";

/// A folder with rules of servers, each in a file named by its fingerprint.
#[derive(Clone, Debug)]
pub struct KeptRules {
    folder: PathBuf,
}

impl KeptRules {
    /// The rules in a folder, which need not be there yet.
    pub fn of(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Those beside the tokens of the seats that somebody has taken.
    pub fn of_player(seats: &Path) -> Self {
        Self::of(seats.join("rules"))
    }

    fn file(&self, fingerprint: Fingerprint) -> PathBuf {
        self.folder.join(format!("{fingerprint}.{EXTENSION}"))
    }

    /// Kept rules, packed.
    fn find(&self, fingerprint: Fingerprint) -> Option<Vec<u8>> {
        let path = self.file(fingerprint);
        let packed = fs::read(&path).ok()?;
        // Only to know later what was used last.
        drop(
            fs::File::options()
                .append(true)
                .open(&path)
                .and_then(|file| file.set_modified(SystemTime::now())),
        );
        Some(packed)
    }

    fn keep(&self, fingerprint: Fingerprint, packed: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        io::Write::write_all(&mut file, packed)?;
        file.persist(self.file(fingerprint)).map_err(|error| error.error)?;
        self.clear()
    }

    /// Deletes what was not used for the longest time, if there is too much.
    fn clear(&self) -> io::Result<()> {
        let is_kept = |path: &Path| path.extension().is_some_and(|extension| extension == EXTENSION);
        let mut files: Vec<(SystemTime, PathBuf)> = fs::read_dir(&self.folder)?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
            })
            .filter(|(_, path)| is_kept(path))
            .collect();
        files.sort();
        let superfluous = files.len().saturating_sub(MOST_KEPT);
        files.iter().take(superfluous).try_for_each(|(_, path)| fs::remove_file(path))
    }
}

/// The rules of a fingerprint: kept ones, or those that the server sends. They count only if they have that fingerprint, whatever lies in the folder.
///
/// # Errors
/// If the server cannot be reached, does not know them, or sends others.
pub(super) fn fetch_rules(
    lobby: &RemoteLobby,
    kept: Option<&KeptRules>,
    fingerprint: Fingerprint,
) -> Result<Arc<dyn RulesSource>, RemoteError> {
    if let Some(known) = kept
        .and_then(|kept| kept.find(fingerprint))
        .and_then(|packed| compiled(&packed, fingerprint).ok())
    {
        return Ok(known);
    }
    let packed = lobby.packed_rules(fingerprint)?;
    let rules = compiled(&packed, fingerprint).map_err(RemoteError::Refused)?;
    if let Some(Err(error)) = kept.map(|kept| kept.keep(fingerprint, &packed)) {
        tracing::warn!("the rules of the match cannot be kept: {error}");
    }
    Ok(rules)
}

fn compiled(packed: &[u8], fingerprint: Fingerprint) -> Result<Arc<dyn RulesSource>, String> {
    let sources = unpack_sources(packed, &mut { MOST_UNPACKED })?;
    let rules = compile_rules(sources).map_err(|_| "the rules that the server sent do not compile".to_owned())?;
    if rules.fingerprint() == fingerprint {
        Ok(rules)
    } else {
        Err("the server sent other rules than it plays by".to_owned())
    }
}
