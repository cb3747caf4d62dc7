//! The tokens of seats that somebody has taken on servers, kept for coming back: a file for each seat, which nobody else on the machine may read.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use boardwright_client::{KeepSecret, LuckSecret};
use tempfile::NamedTempFile;

/// What the name of a file begins with in which a player's part in the luck of a match is kept; that of a token never does.
const LUCK: &str = ".luck-";

/// Keeps a secret nowhere but in memory: for a player without a folder.
pub fn kept_nowhere() -> KeepSecret {
    Box::new(|_| {})
}

/// The tokens of the seats in one match, in a folder `SERVER/MATCH`.
#[derive(Clone, Debug)]
pub struct KeptTokens(PathBuf);

impl KeptTokens {
    /// Those of a match on a server, in the folder of all tokens of somebody.
    pub fn of(folder: &Path, server: &str, id: &str) -> Self {
        Self(folder.join(file_name(server)).join(file_name(id)))
    }

    /// The ids of the matches on a server of which tokens are kept. A folder that cannot be read has none.
    pub fn matches(folder: &Path, server: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(folder.join(file_name(server))) else {
            return Vec::new();
        };
        let mut ids: Vec<String> = entries.flatten().filter_map(|entry| text_of(entry.file_name().to_str()?)).collect();
        ids.sort();
        ids
    }

    /// Forgets all tokens of the match.
    ///
    /// # Errors
    /// If the folder cannot be deleted.
    pub fn forget(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Keeps the token of a seat.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, seat: &str, token: &str) -> io::Result<()> {
        make_private_folder(&self.0)?;
        // Such a file is made for its owner alone to read.
        let mut file = NamedTempFile::new_in(&self.0)?;
        writeln!(file, "{token}")?;
        file.as_file().sync_all()?;
        file.persist(self.0.join(file_name(seat)))?;
        Ok(())
    }

    /// Keeps what a player has of the luck of the match at a seat.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_luck(&self, seat: &str, luck: &LuckSecret) -> io::Result<()> {
        make_private_folder(&self.0)?;
        let mut file = NamedTempFile::new_in(&self.0)?;
        serde_json::to_writer(&mut file, luck)?;
        file.as_file().sync_all()?;
        file.persist(self.0.join(format!("{LUCK}{}", file_name(seat))))?;
        Ok(())
    }

    /// What the player has of the luck of the match, at all seats or at one, each with what keeps it. A file that cannot be read is left out: the player takes no part
    /// any more then.
    pub fn luck(&self, seat: Option<&str>) -> Vec<(LuckSecret, KeepSecret)> {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let seats = files.filter_map(|file| text_of(file.file_name().to_str()?.strip_prefix(LUCK)?));
        let wanted = seats.filter(|found| seat.is_none_or(|seat| seat == found));
        let read = |seat: String| -> Option<(LuckSecret, KeepSecret)> {
            let text = fs::read(self.0.join(format!("{LUCK}{}", file_name(&seat)))).ok()?;
            let kept = self.clone();
            let keep = move |luck: &LuckSecret| {
                if let Err(error) = kept.keep_luck(&seat, luck) {
                    tracing::warn!("how far numbers of luck were given cannot be kept: {error}");
                }
            };
            Some((serde_json::from_slice(&text).ok()?, Box::new(keep)))
        };
        wanted.filter_map(read).collect()
    }

    /// The tokens that are kept: of all seats, or of one.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn find(&self, seat: Option<&str>) -> io::Result<Vec<String>> {
        let files = match seat {
            Some(seat) => vec![self.0.join(file_name(seat))],
            None => match fs::read_dir(&self.0) {
                Ok(files) => files.map(|file| Ok(file?.path())).collect::<io::Result<Vec<_>>>()?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(error),
            },
        };
        let mut tokens = Vec::new();
        for file in files.iter().filter(|file| is_kept(file)) {
            match fs::read_to_string(file) {
                Ok(token) => tokens.push(token.trim().to_owned()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(tokens)
    }
}

/// Whether a file is one that was kept, and not on its way to become one.
fn is_kept(file: &Path) -> bool {
    file.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b"."))
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A text as the name of a file: whatever is no letter, digit or hyphen stands there as its number.
fn file_name(text: &str) -> String {
    let letter = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' => letter.to_string(),
        other => format!("%{:x}_", u32::from(other)),
    };
    text.chars().map(letter).collect()
}

/// The text that has a name as a file.
fn text_of(name: &str) -> Option<String> {
    let mut parts = name.split('%');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (number, rest) = part.split_once('_')?;
        text.push(char::from_u32(u32::from_str_radix(number, 16).ok()?)?);
        text.push_str(rest);
    }
    Some(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_its_seat_and_read_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptTokens::of(folder.path(), "http", "1");
        assert_eq!(kept.find(None).unwrap(), Vec::<String>::new());
        assert_eq!(kept.find(Some("red")).unwrap(), Vec::<String>::new());
        kept.keep("red", "1").unwrap();
        kept.keep("Žlutý/..", "2").unwrap();
        kept.keep("red", "3").unwrap();
        let mut all = kept.find(None).unwrap();
        all.sort();
        assert_eq!(all, ["2", "3"]);
        assert_eq!(kept.find(Some("red")).unwrap(), ["3"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&kept.0), mode(&kept.0.join("red"))), (0o700, 0o600));
        }
    }

    #[test]
    fn different_texts_are_different_files_and_none_leads_elsewhere() {
        let names = ["a", "A", "a:1", "a%3a_1", "../a", "", "a b"].map(file_name);
        for (index, name) in names.iter().enumerate() {
            assert!(!name.contains(['/', '\\', ':', '.']), "{name}");
            assert!(!names[..index].contains(name), "{name}");
        }
    }

    #[test]
    fn matches_are_listed_by_the_server_they_are_on() {
        let folder = tempfile::tempdir().unwrap();
        let server = "http://localhost:7474";
        for id in ["b2", "a1"] {
            KeptTokens::of(folder.path(), server, id).keep("red", "1").unwrap();
        }
        KeptTokens::of(folder.path(), "http://elsewhere", "c3").keep("red", "1").unwrap();
        assert_eq!(KeptTokens::matches(folder.path(), server), ["a1", "b2"]);
        KeptTokens::of(folder.path(), server, "a1").forget().unwrap();
        KeptTokens::of(folder.path(), server, "a1").forget().unwrap();
        assert_eq!(KeptTokens::matches(folder.path(), server), ["b2"]);
        for text in ["a:1", "Žlutý/..", "", "a b"] {
            assert_eq!(text_of(&file_name(text)).as_deref(), Some(text));
        }
        assert_eq!(text_of("a%zz_"), None);
    }
}
