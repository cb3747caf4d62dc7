//! What other programs do to the file that is open.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use boardwright_editing::{Document, Draft, Edit};
use boardwright_ui::text;

/// How often the disk is asked, in seconds: rarely, until something is seen there.
const RARELY: f64 = 1.0;
const SOON: f64 = 0.25;

/// When a file was written, and how long it is; `None` if it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// Notices when the file or its script is written, and waits until that is done.
#[derive(Debug, Default)]
pub(crate) struct OutsideWatch {
    /// What was told last, the file before its script.
    told: Option<[Stamp; 2]>,
    /// What was seen last, if it is something else.
    pending: Option<[Stamp; 2]>,
    next_look: f64,
}

impl OutsideWatch {
    /// Whether the file or its script may say something else since this was told last. `now` is the time of the window, in seconds.
    pub(crate) fn has_changed(&mut self, document: &Document, now: f64) -> bool {
        if now < self.next_look {
            return false;
        }
        let script = document.draft().overlay().map(|(file, _)| document.path().with_file_name(file));
        let stamps = [stamp(document.path()), script.and_then(|script| stamp(&script))];
        let is_known = self.told == Some(stamps);
        // Who writes it may not be done.
        let is_quiet = self.pending == Some(stamps);
        self.pending = (!is_known).then_some(stamps);
        self.next_look = now + if is_known { RARELY } else { SOON };
        if is_known || !is_quiet {
            return false;
        }
        self.told = Some(stamps);
        true
    }

    /// Whether it is time to look.
    pub(crate) fn is_due(&self, now: f64) -> bool {
        now >= self.next_look
    }

    /// When it wants to look again.
    pub(crate) fn due_in(&self, now: f64) -> Duration {
        Duration::from_secs_f64((self.next_look - now).clamp(0.0, RARELY))
    }
}

fn stamp(path: &Path) -> Stamp {
    let file = fs::metadata(path).ok()?;
    Some((file.modified().ok()?, file.len()))
}

/// The script of a scenario, if that is all that edits changed.
pub(crate) fn changed_file(draft: &Draft, edits: &[Edit]) -> Option<String> {
    let are_of_script = edits.iter().all(|edit| matches!(edit, Edit::Script(_)));
    draft.overlay().filter(|_| are_of_script).map(|(file, _)| file.to_owned())
}

/// What edits are about, in a few words.
pub(crate) fn edits_text(edits: &[Edit]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for edit in edits {
        let part = match edit {
            Edit::Id(_) => text!("conflict-id"),
            Edit::Title(_) => text!("conflict-of-title"),
            Edit::Topology(_) => text!("conflict-topology"),
            Edit::Terrain(cells) => text!("outside-cells", count = cells.len()),
            Edit::Cells(cells) => text!("outside-cells", count = cells.len()),
            Edit::Points(points) => text!("outside-points", count = points.remove.max(points.insert.len())),
            Edit::Lines(lines) => text!("outside-lines", count = lines.remove.max(lines.insert.len())),
            Edit::Regions(_) | Edit::RegionCells(..) => text!("side-regions"),
            Edit::Edges(edges) => text!("outside-edges", count = edges.remove.max(edges.insert.len())),
            Edit::Description(_) => text!("conflict-description"),
            Edit::Ruleset(_) => text!("conflict-ruleset"),
            Edit::Map(_) => text!("conflict-map"),
            Edit::Overlay(_) | Edit::Script(_) => text!("conflict-overlay"),
            Edit::Seats(_) => text!("conflict-seats"),
            Edit::Players(_) => text!("outside-players"),
            Edit::Options(_) => text!("outside-options"),
            Edit::Pieces(pieces) => text!("outside-pieces", count = pieces.remove.max(pieces.insert.len())),
            Edit::Values(_) => text!("outside-values"),
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.join(", ")
}
