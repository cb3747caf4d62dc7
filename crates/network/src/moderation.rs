//! Who may not come to a server, and which matches its operators have paused: kept in a file, so that it outlives the program, or in the store that several
//! servers share.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use boardwright_store::{MatchId, Store, checked_name, name_key};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// Whoever is banned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Banned {
    /// Whoever comes from an address of a range.
    Addresses(IpNet),
    /// Whoever has a name; names that differ in case only are the same.
    Name(String),
}

impl std::fmt::Display for Banned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Addresses(range) if range.prefix_len() == range.max_prefix_len() => write!(f, "address {}", range.addr()),
            Self::Addresses(range) => write!(f, "address {range}"),
            Self::Name(name) => write!(f, "name {name}"),
        }
    }
}

impl Banned {
    /// Reads an address, such as `192.0.2.7`, or a range of them, such as `2001:db8::/64`.
    ///
    /// # Errors
    /// What to write instead.
    pub fn addresses(text: &str) -> Result<Self, String> {
        let range = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
        let range = range.ok_or_else(|| format!("`{text}` is no address: write one like 192.0.2.7, or a range like 192.0.2.0/24"))?;
        Ok(Self::Addresses(range.trunc()))
    }

    /// Reads the name of a player.
    ///
    /// # Errors
    /// If it is no name.
    pub fn name(text: &str) -> Result<Self, String> {
        checked_name(text).map(Self::Name).map_err(|wrong| wrong.to_string())
    }
}

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// Ranges of addresses, and why.
    #[serde(default)]
    addresses: BTreeMap<IpNet, String>,
    /// Names, and why.
    #[serde(default)]
    names: BTreeMap<String, String>,
    /// The ids of paused matches.
    #[serde(default)]
    paused: BTreeSet<String>,
}

/// Bans and paused matches.
#[derive(Debug, Default)]
pub struct Moderation {
    keeper: Keeper,
    record: Mutex<Record>,
}

/// Where they are kept.
#[derive(Default)]
enum Keeper {
    /// Nowhere: they are forgotten when the program ends.
    #[default]
    Nobody,
    File(PathBuf),
    Nodes(Arc<dyn Store>),
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nobody => f.write_str("Nobody"),
            Self::File(file) => write!(f, "File({})", file.display()),
            Self::Nodes(_) => f.write_str("Nodes"),
        }
    }
}

impl Moderation {
    /// What a file says; nothing if there is none yet.
    ///
    /// # Errors
    /// If it cannot be read: a server without its bans does not start.
    pub fn open(file: &Path) -> io::Result<Self> {
        let record = match fs::read_to_string(file) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", file.display())))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Record::default(),
            Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", file.display()))),
        };
        Ok(Self {
            keeper: Keeper::File(file.to_owned()),
            record: Mutex::new(record),
        })
    }

    /// What all nodes that share a store have in common; as [`Default`] if it is shared by none. Blocks.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn shared(store: Arc<dyn Store>) -> io::Result<Self> {
        let moderation = Self {
            keeper: Keeper::Nodes(store),
            record: Mutex::default(),
        };
        moderation.read_again()?;
        Ok(moderation)
    }

    /// Takes note of what other nodes have changed; the matches that they have paused or let go on. Blocks.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read_again(&self) -> io::Result<Vec<String>> {
        let Keeper::Nodes(store) = &self.keeper else {
            return Ok(Vec::new());
        };
        let mut record = self.record();
        let read = match store.cluster() {
            Some(cluster) => record_of(&cluster.notes().map_err(io::Error::other)?)?,
            None => return Ok(Vec::new()),
        };
        let changed = record.paused.symmetric_difference(&read.paused).cloned().collect();
        *record = read;
        Ok(changed)
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a change that holds when it is kept.
    fn change<T>(&self, change: impl Fn(&mut Record) -> T) -> io::Result<T> {
        let mut record = self.record();
        let mut changed = record.clone();
        let mut value = change(&mut changed);
        match &self.keeper {
            Keeper::File(file) if changed != *record => write(file, &changed)?,
            Keeper::Nobody | Keeper::File(_) => {}
            Keeper::Nodes(store) => {
                let Some(cluster) = store.cluster() else { return Ok(value) };
                let mut read = Ok(());
                // What is known here may be old.
                let kept = cluster.change_notes(&mut |notes| match record_of(notes) {
                    Ok(newest) => {
                        changed = newest;
                        value = change(&mut changed);
                        serde_json::to_string(&changed).ok()
                    }
                    Err(error) => {
                        read = Err(error);
                        None
                    }
                });
                kept.map_err(io::Error::other)?;
                read?;
            }
        }
        *record = changed;
        Ok(value)
    }

    /// Bans somebody. Another reason replaces an earlier one.
    ///
    /// # Errors
    /// If it cannot be written; then nothing has changed.
    pub fn ban(&self, banned: &Banned, reason: &str) -> io::Result<()> {
        let reason = reason.trim().to_owned();
        self.change(|record| match banned {
            Banned::Addresses(range) => drop(record.addresses.insert(*range, reason.clone())),
            Banned::Name(name) => drop(record.names.insert(name.clone(), reason.clone())),
        })
    }

    /// Lifts a ban; whether there was one.
    ///
    /// # Errors
    /// If it cannot be written; then nothing has changed.
    pub fn unban(&self, banned: &Banned) -> io::Result<bool> {
        self.change(|record| match banned {
            Banned::Addresses(range) => record.addresses.remove(range).is_some(),
            Banned::Name(name) => {
                let before = record.names.len();
                record.names.retain(|known, _| name_key(known) != name_key(name));
                record.names.len() < before
            }
        })
    }

    /// Pauses a match or lets it go on; whether that is a change.
    ///
    /// # Errors
    /// If it cannot be written; then nothing has changed.
    pub fn pause(&self, id: MatchId, is_paused: bool) -> io::Result<bool> {
        self.change(|record| {
            if is_paused {
                record.paused.insert(id.to_string())
            } else {
                record.paused.remove(&id.to_string())
            }
        })
    }

    /// Whether a match is paused.
    pub fn is_paused(&self, id: MatchId) -> bool {
        let record = self.record();
        !record.paused.is_empty() && record.paused.contains(&id.to_string())
    }

    /// All bans, with their reasons.
    pub fn bans(&self) -> Vec<(Banned, String)> {
        let record = self.record();
        let addresses = record.addresses.iter().map(|(range, why)| (Banned::Addresses(*range), why.clone()));
        let names = record.names.iter().map(|(name, why)| (Banned::Name(name.clone()), why.clone()));
        addresses.chain(names).collect()
    }

    /// Why nobody comes from an address, if it is banned.
    pub fn ban_of_address(&self, address: IpAddr) -> Option<String> {
        let record = self.record();
        let mut ranges = record.addresses.iter();
        ranges.find(|(range, _)| range.contains(&address)).map(|(_, why)| why.clone())
    }

    /// Why nobody has a name, if it is banned.
    pub fn ban_of_name(&self, name: &str) -> Option<String> {
        let record = self.record();
        let key = name_key(name);
        let mut names = record.names.iter();
        names.find(|(known, _)| name_key(known) == key).map(|(_, why)| why.clone())
    }
}

/// What somebody is told who is banned.
pub(super) fn banned_text(reason: &str) -> String {
    match reason {
        "" => "you are banned from this server".to_owned(),
        reason => format!("you are banned from this server: {reason}"),
    }
}

/// What nodes have in common.
fn record_of(notes: &str) -> io::Result<Record> {
    if notes.is_empty() {
        return Ok(Record::default());
    }
    serde_json::from_str(notes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Replaces the file in one step; its owner alone reads it.
fn write(file: &Path, record: &Record) -> io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut new, record)?;
    writeln!(new)?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn bans_of_addresses_and_names_hold_after_a_restart_until_they_are_lifted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("moderation.json");
        let (range, name) = (Banned::addresses("192.0.2.77/24").unwrap(), Banned::name("Mallory").unwrap());
        let moderation = Moderation::open(&file).unwrap();
        moderation.ban(&range, "floods").unwrap();
        moderation.ban(&name, "").unwrap();
        let moderation = Moderation::open(&file).unwrap();
        assert_eq!(moderation.ban_of_address(address("192.0.2.3")), Some("floods".to_owned()));
        assert_eq!(moderation.ban_of_address(address("192.0.3.3")), None);
        assert_eq!(moderation.ban_of_name("mALLORY"), Some(String::new()));
        assert_eq!(moderation.ban_of_name("Mallor"), None);
        let told: Vec<String> = moderation.bans().iter().map(|(banned, _)| banned.to_string()).collect();
        assert_eq!(told, ["address 192.0.2.0/24", "name Mallory"]);
        assert!(moderation.unban(&Banned::name("mallory").unwrap()).unwrap());
        assert!(moderation.unban(&range).unwrap());
        assert!(!moderation.unban(&range).unwrap());
        assert_eq!(Moderation::open(&file).unwrap().bans(), []);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_and_not_a_server_without_bans() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("moderation.json");
        fs::write(&file, "{\"addresses\": [").unwrap();
        let told = Moderation::open(&file).unwrap_err().to_string();
        assert!(told.contains("moderation.json"), "{told}");
    }

    #[test]
    fn what_is_no_address_is_refused_with_what_to_write() {
        for text in ["", "example.org", "192.0.2.7/33", "192.0.2"] {
            assert!(Banned::addresses(text).unwrap_err().contains("192.0.2.0/24"), "{text}");
        }
    }
}
