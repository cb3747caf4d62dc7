//! Where content lies, and walking through its folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_ruleset::{Layer, SourceLimits};

use super::read_file::read_text;

/// The environment variable that names content folders, separated as in `PATH`.
pub const CONTENT_VARIABLE: &str = "BOARDWRIGHT_CONTENT";
/// The folder of rulesets in a content folder.
pub const RULESETS: &str = "rulesets";
/// The folder of maps and scenarios in a content folder, by ruleset.
pub const MAPS: &str = "maps";
/// The folder of scripts shared by rulesets in a content folder.
pub const LIBRARY: &str = "scripts";

/// The file in a content folder that the program unpacked: it says what the folder is.
pub const BUNDLE_NOTE: &str = "bundled.txt";

/// Files with these endings belong to the sources of a ruleset: rules, strategies, parameters, help, drawings, texts.
const SOURCE_ENDINGS: [&str; 6] = [".rhai", ".xml", ".md", ".svg", ".ftl", ".txt"];
/// Definitions of the script interface for editors: generated, and no scripts.
pub(super) const DEFINITION_ENDING: &str = ".d.rhai";
const MOST_DEPTH: usize = 8;
const MOST_ENTRIES: usize = 5_000;

/// The folders in which content is looked for, best first.
///
/// Those given on the command line, or else those in [`CONTENT_VARIABLE`]; where neither says anything, the current folder, the
/// folder of the program with what is installed beside it, and the folder of the user's own content.
pub fn content_roots(given: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = given.to_vec();
    if roots.is_empty()
        && let Some(variable) = std::env::var_os(CONTENT_VARIABLE)
    {
        roots = std::env::split_paths(&variable)
            .filter(|path| !path.as_os_str().is_empty())
            .collect();
    }
    if roots.is_empty() {
        roots.push(PathBuf::from("."));
        if let Some(folder) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
            roots.push(folder.to_path_buf());
            roots.extend(folder.parent().map(|above| above.join("share").join("boardwright")));
        }
        roots.extend(user_content());
    }
    let mut seen = Vec::new();
    roots.retain(|root| {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let is_new = !seen.contains(&real);
        seen.push(real);
        is_new
    });
    roots
}

/// The folder of the user's own content: what the editor makes unless told otherwise.
pub fn user_content() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "boardwright").map(|folders| folders.data_dir().to_path_buf())
}

/// What a walk through a folder found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Files by their path inside the folder, with `/` between folders.
    pub(super) files: BTreeMap<String, PathBuf>,
    /// What could not be read.
    pub(super) diagnostics: Diagnostics,
}

/// The entries of a folder by name, but for hidden files and the copies that editors keep. A folder that is not there has none.
pub(super) fn entries(folder: &Path, name: &str, diagnostics: &mut Diagnostics) -> BTreeMap<String, PathBuf> {
    let mut entries = BTreeMap::new();
    let mut tell = |found: Diagnostic| diagnostics.push(found.at(Location::file(name)));
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                tell(Diagnostic::error(Code::File, format!("the folder cannot be read: {error}")));
            }
            return entries;
        }
    };
    for entry in listed {
        match entry.map(|entry| (entry.file_name().into_string(), entry.path())) {
            Ok((Ok(file), _)) if is_ignored(&file) => {}
            Ok((Ok(file), path)) => drop(entries.insert(file, path)),
            Ok((Err(file), _)) => {
                let message = format!("the name of {} is not UTF-8, so it is left out", file.display());
                tell(Diagnostic::warning(Code::File, message));
            }
            Err(error) => {
                tell(Diagnostic::error(
                    Code::File,
                    format!("the folder cannot be read to its end: {error}"),
                ));
                break;
            }
        }
    }
    entries
}

/// Hidden files, and what editors and this program put beside a file while they write it.
pub(super) fn is_ignored(file: &str) -> bool {
    file.starts_with(['.', '#']) || file.ends_with(['~', '#'])
}

/// Every file below a folder. Links are followed as long as they stay inside; what leads out, or round in a ring, is told.
pub(super) fn walk(folder: &Path, name: &str) -> Found {
    let mut found = Found::default();
    let Ok(inside) = fs::canonicalize(folder) else { return found };
    let mut count = 0;
    let mut open = vec![(String::new(), folder.to_path_buf(), vec![inside.clone()])];
    while let Some((prefix, folder, above)) = open.pop() {
        for (file, path) in entries(&folder, &join(name, prefix.trim_end_matches('/')), &mut found.diagnostics) {
            count += 1;
            let relative = format!("{prefix}{file}");
            let place = Location::file(join(name, &relative));
            let mut tell = |message: String| found.diagnostics.push(Diagnostic::error(Code::File, message).at(place.clone()));
            if count > MOST_ENTRIES {
                tell(format!("there are more than {MOST_ENTRIES} files; this and the rest are left out"));
                return found;
            }
            let real = match fs::canonicalize(&path) {
                Ok(real) => real,
                Err(error) => {
                    tell(format!("the file cannot be read: {error}"));
                    continue;
                }
            };
            if !real.starts_with(&inside) {
                tell("the link leads out of its folder, so it is not followed".to_owned());
            } else if above.contains(&real) {
                tell("the link leads back to a folder it lies in, so it is not followed".to_owned());
            } else if real.is_dir() {
                if above.len() == MOST_DEPTH {
                    tell(format!("folders are nested more than {MOST_DEPTH} deep; this one is left out"));
                    continue;
                }
                let above = above.iter().cloned().chain([real]).collect();
                open.push((format!("{relative}/"), path, above));
            } else {
                found.files.insert(relative, path);
            }
        }
    }
    found
}

pub(super) fn join(folder: &str, file: &str) -> String {
    if file.is_empty() {
        folder.to_owned()
    } else {
        format!("{folder}/{file}")
    }
}

/// Reads the sources below a folder as a layer. `id` is how their places are written.
pub(super) fn read_layer(folder: &Path, id: &str) -> (Layer, Diagnostics) {
    let found = walk(folder, id);
    let mut diagnostics = found.diagnostics;
    let mut layer = Layer::new(id);
    for (relative, path) in found.files {
        if !SOURCE_ENDINGS.iter().any(|ending| relative.ends_with(ending)) || relative.ends_with(DEFINITION_ENDING) {
            continue;
        }
        match read_source(&path, &join(id, &relative)) {
            Ok(text) => drop(layer.files.insert(relative, text)),
            Err(error) => diagnostics.push(error),
        }
    }
    (layer, diagnostics)
}

pub(super) fn read_source(path: &Path, name: &str) -> Result<Arc<str>, Diagnostic> {
    read_text(path, name, SourceLimits::default().file_bytes).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_holds_texts_and_leaves_out_what_editors_keep() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for name in ["a.rhai", "help/b.md", "strategies/c.xml", "art/d.svg"] {
            write(name, b"\xef\xbb\xbftext");
        }
        for name in [".a.rhai.swp", "a.rhai~", "art/d.png", "api.d.rhai", ".git/x.rhai", "#a.rhai#"] {
            write(name, b"other");
        }
        let (layer, diagnostics) = read_layer(folder.path(), "rulesets/x");
        assert_eq!(
            layer.files.keys().collect::<Vec<_>>(),
            ["a.rhai", "art/d.svg", "help/b.md", "strategies/c.xml"]
        );
        assert!(
            layer.files.values().all(|text| &**text == "text") && diagnostics.is_empty(),
            "{diagnostics}"
        );
    }

    #[test]
    fn what_cannot_be_read_is_told_and_the_rest_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("good.rhai"), "1").unwrap();
        fs::write(folder.path().join("latin.rhai"), b"// \xe4").unwrap();
        fs::write(folder.path().join("large.md"), vec![b'x'; (1 << 20) + 1]).unwrap();
        let (layer, diagnostics) = read_layer(folder.path(), "r");
        assert_eq!(layer.files.len(), 1);
        let messages: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "r/large.md: error[file]: the file has 1048577 bytes, more than the 1048576 that are read",
                "r/latin.rhai: error[file]: the file is not UTF-8: byte 4 is wrong",
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_and_in_rings_are_not_followed() {
        use std::os::unix::fs::symlink;

        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.rhai"), "1").unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        fs::write(folder.path().join("a.rhai"), "1").unwrap();
        symlink(folder.path(), folder.path().join("sub/ring")).unwrap();
        symlink(outside.path().join("secret.rhai"), folder.path().join("b.rhai")).unwrap();
        symlink(outside.path(), folder.path().join("c")).unwrap();
        symlink(folder.path().join("gone.rhai"), folder.path().join("d.rhai")).unwrap();
        symlink(folder.path().join("a.rhai"), folder.path().join("e.rhai")).unwrap();
        let (layer, diagnostics) = read_layer(folder.path(), "r");
        assert_eq!(layer.files.keys().collect::<Vec<_>>(), ["a.rhai", "e.rhai"]);
        let messages = diagnostics.to_string();
        for part in [
            "r/b.rhai: error[file]: the link leads out",
            "r/c: ",
            "r/d.rhai: ",
            "r/sub/ring: error[file]: the link leads back",
        ] {
            assert!(messages.contains(part), "{messages}");
        }
    }
}
