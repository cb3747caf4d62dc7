//! Which cells a view shows as they are, and which as they were last seen.

use serde::{Deserialize, Serialize};

use super::{CellId, CellSet, ExploredCell, State};

/// What a view knows of the cells. Only views in rulesets with fog have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    /// The cells that are in sight.
    pub(super) visible: CellSet,
    /// The cells that were ever seen; `None` where the map is known from the beginning.
    pub(super) explored: Option<CellSet>,
}

/// A change of sight. `explored` comes before `gained`: a cell is explored once, when it is first seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SightChange {
    /// The cells that came into sight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gained: Vec<CellId>,
    /// The cells that went out of sight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<CellId>,
    /// The cells that were seen for the first time, with what the map says of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explored: Vec<ExploredCell>,
}

impl SightChange {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How much a view knows of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellSight {
    /// It was never seen: what is on it is withheld.
    Unexplored,
    /// It was seen, and is shown as it was then; where the map is known from the beginning also a cell that was never seen.
    Remembered,
    /// It is in sight.
    Visible,
}

impl State {
    /// Makes a state that has seen nothing yet. With a shroud it has not explored anything either.
    pub(super) fn begin_sight(&mut self, has_shroud: bool) {
        let nothing = CellSet::empty(self.board.cell_count());
        self.sight = Some(Box::new(Sight {
            explored: has_shroud.then(|| nothing.clone()),
            visible: nothing,
        }));
    }

    /// How much is known of a cell. All of every cell, but in views in rulesets with fog.
    pub fn cell_sight(&self, cell: CellId) -> CellSight {
        match self.sight.as_deref() {
            None => CellSight::Visible,
            Some(sight) if sight.visible.contains(cell) => CellSight::Visible,
            Some(Sight {
                explored: Some(explored), ..
            }) if !explored.contains(cell) => CellSight::Unexplored,
            Some(_) => CellSight::Remembered,
        }
    }

    /// The cells in sight; `None` if nothing limits it.
    pub fn visible_cells(&self) -> Option<&CellSet> {
        self.sight.as_deref().map(|sight| &sight.visible)
    }

    /// The cells that were ever seen; `None` if all are known.
    pub fn explored_cells(&self) -> Option<&CellSet> {
        self.sight.as_deref()?.explored.as_ref()
    }
}
