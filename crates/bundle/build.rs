//! Packs the content folders of the repository into one compressed archive, which the library holds.
//!
//! It runs again when anything in these folders changes, so that no program carries older rules than its sources.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

/// The folders that are packed, as they lie in a content folder.
const PARTS: [&str; 3] = ["maps", "rulesets", "scripts"];
/// The file that says what the folder is, to people and to catalogs.
const NOTE: (&str, &str) = (
    "bundled.txt",
    "Boardwright unpacked these files. An update replaces them: to change a ruleset, change a copy of it (boardwright new).\n",
);
/// The file that makes a folder a ruleset.
const MANIFEST_FILE: &str = "ruleset.xml";

/// What was packed.
#[derive(Default)]
struct Packed {
    rulesets: Vec<String>,
    files: usize,
    bytes: u64,
}

fn main() -> io::Result<()> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other(name));
    let root = variable("CARGO_MANIFEST_DIR")?.join("../..");
    let mut archive = tar::Builder::new(Vec::new());
    // The same files make the same bytes, whenever and by whomever they were checked out.
    archive.mode(tar::HeaderMode::Deterministic);
    let mut packed = Packed::default();
    for part in PARTS {
        let folder = root.join(part);
        print_to_cargo(&format!("rerun-if-changed={}", folder.display()))?;
        pack(&folder, part, &mut archive, &mut packed)?;
    }
    let (name, text) = NOTE;
    let mut header = tar::Header::new_gnu();
    header.set_mode(0o644);
    header.set_size(text.len() as u64);
    archive.append_data(&mut header, name, text.as_bytes())?;
    packed.files += 1;
    packed.bytes += text.len() as u64;
    let bytes = archive.into_inner()?;
    let mut compressed = GzBuilder::new().write(Vec::new(), Compression::best());
    compressed.write_all(&bytes)?;
    fs::write(variable("OUT_DIR")?.join("content.tar.gz"), compressed.finish()?)?;
    let hash: String = blake3::hash(&bytes).to_hex().chars().take(16).collect();
    for (name, value) in [
        ("HASH", hash),
        ("RULESETS", packed.rulesets.join(",")),
        ("FILES", packed.files.to_string()),
        ("BYTES", packed.bytes.to_string()),
    ] {
        print_to_cargo(&format!("rustc-env=BOARDWRIGHT_BUNDLE_{name}={value}"))?;
    }
    Ok(())
}

fn print_to_cargo(text: &str) -> io::Result<()> {
    writeln!(io::stdout(), "cargo::{text}")
}

/// Packs the files of a folder, sorted by name. Hidden files and the copies that text editors keep are left out.
fn pack(folder: &Path, name: &str, archive: &mut tar::Builder<Vec<u8>>, packed: &mut Packed) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let file = entry.file_name().to_string_lossy().into_owned();
        if file.starts_with(['.', '#']) || file.ends_with(['~', '#']) {
            continue;
        }
        let (path, inner) = (entry.path(), format!("{name}/{file}"));
        if path.is_dir() {
            pack(&path, &inner, archive, packed)?;
            continue;
        }
        if file == MANIFEST_FILE {
            packed.rulesets.extend(name.strip_prefix("rulesets/").map(str::to_owned));
        }
        packed.files += 1;
        packed.bytes += fs::metadata(&path)?.len();
        archive.append_path_with_name(&path, &inner)?;
    }
    Ok(())
}
