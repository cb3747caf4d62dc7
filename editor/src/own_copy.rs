//! Files that belong to the program, and copies of them in the content of the user.

use std::path::{Path, PathBuf};

use boardwright_content::{Catalog, MAP_ENDING, SCENARIO_ENDING};
use boardwright_editing::{Document, Draft, Edit};
use boardwright_ui::text;

use crate::file::{OpenFile, file_name};
use crate::rename_offer::{absolute, on_map};

/// The most letters that a copy takes over of an id, so that there is room for what tells it apart.
const MOST_KEPT: usize = 52;
/// The most copies of one file.
const MOST_COPIES: usize = 10_000;

/// What the program brings, in which nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The content folder.
    pub folder: PathBuf,
    /// The folder of the user's own in which the histories of its files are kept. It is made when there is one.
    pub histories: PathBuf,
}

impl Bundled {
    /// Whether it has a file.
    pub(crate) fn has(&self, path: &Path) -> bool {
        path.starts_with(&self.folder)
    }

    /// Beside which path the history of a file is kept, if it is one of these: by its path inside the content folder, which stays the same when the
    /// program is updated.
    pub(crate) fn history_of(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(&self.folder).ok().map(|inside| self.histories.join(inside))
    }
}

/// A copy to be made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OwnCopy {
    /// The file.
    pub(crate) from: PathBuf,
    /// Where the copy is to lie.
    pub(crate) to: PathBuf,
    /// Its id.
    id: String,
    /// The id of the map of a scenario, if that is copied too.
    map: Option<String>,
}

impl OwnCopy {
    /// What the copy of a document says otherwise.
    pub(crate) fn edits(&self, document: &Document) -> Vec<Edit> {
        let draft = document.draft();
        let mut edits = vec![
            Edit::Id(self.id.clone()),
            Edit::Title(text!("new-copy-title", title = draft.title())),
        ];
        edits.extend(self.map.clone().map(Edit::Map));
        if let Some((file, script)) = draft.overlay()
            && self.to.with_file_name(file).exists()
        {
            edits.push(Edit::Overlay(Some((format!("{}.rhai", self.id), script.to_owned()))));
        }
        edits
    }
}

/// The files that are copied with one that belongs to the program, the map first: of a map the scenarios on it, of a scenario its map.
pub(crate) fn copies(
    file: &OpenFile,
    files: &[OpenFile],
    catalog: &Catalog,
    bundled: &Bundled,
    root_for: impl Fn(&str) -> PathBuf,
) -> Vec<OwnCopy> {
    let path = file.document.path().to_path_buf();
    let (map, scenarios) = match file.document.draft() {
        Draft::Map(_) => {
            let on_it = on_map(file, files, catalog).into_iter().map(|(path, _)| path);
            (Some(path), on_it.filter(|path| bundled.has(path)).collect())
        }
        Draft::Scenario(scenario) => {
            let chain = catalog.chain(&file.ruleset.id).unwrap_or_default();
            let map = chain.iter().find_map(|home| home.maps.get(&scenario.map));
            let map = map.map(|map| absolute(&map.path)).filter(|path| bundled.has(path));
            (map, vec![path])
        }
    };
    let target = |from: &Path, number: usize| {
        let name = file_name(from);
        let ending = if name.ends_with(MAP_ENDING) { MAP_ENDING } else { SCENARIO_ENDING };
        let kept: String = name.trim_end_matches(ending).chars().take(MOST_KEPT).collect();
        let id = match number {
            1 => format!("{}-copy", kept.trim_end_matches('-')),
            _ => format!("{}-copy-{number}", kept.trim_end_matches('-')),
        };
        let ruleset = from.parent().map(file_name).unwrap_or_default();
        let inside = format!("{}/{ruleset}/{id}{ending}", boardwright_content::MAPS);
        (id, absolute(&root_for(&ruleset).join(&inside)), inside)
    };
    let all: Vec<&PathBuf> = map.iter().chain(&scenarios).collect();
    let is_free = |number: &usize| {
        all.iter().all(|from| {
            let (_, to, inside) = target(from, *number);
            !to.exists() && catalog.path_of(&inside).is_none()
        })
    };
    let Some(number) = (1..=MOST_COPIES).find(is_free) else {
        return Vec::new();
    };
    let map_id = map.as_deref().map(|map| target(map, number).0);
    let copy = |from: &PathBuf| {
        let (id, to, _) = target(from, number);
        let is_map = Some(from) == map.as_ref();
        OwnCopy {
            from: from.clone(),
            to,
            id,
            map: map_id.clone().filter(|_| !is_map),
        }
    };
    all.iter().map(|from| copy(from)).collect()
}
