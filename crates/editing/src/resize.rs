//! Larger and smaller grids.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::{Map, MapCell, Offset, Orientation, Scenario, SetupPiece, SetupPlace, SetupTarget, SetupValue, Topology};

use super::lattice::place_name;
use super::paint::{forget_names, rename_everywhere};
use super::{Edit, Place, Splice, Step, StepKind};

/// Which part of a grid stays where it is when rows and columns come or go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Of the new columns so many thousandths come left of the old ones: 0, 500 or 1000.
    pub across: u16,
    /// Of the new rows so many thousandths come above the old ones: 0, 500 or 1000.
    pub down: u16,
}

impl Anchor {
    /// The upper left corner stays.
    pub const TOP_LEFT: Self = Self { across: 0, down: 0 };
    /// The middle stays.
    pub const MIDDLE: Self = Self { across: 500, down: 500 };

    /// How far the old cells move.
    fn shift(self, old: (u16, u16), new: (u16, u16)) -> Place {
        let part = |old: u16, new: u16, share: u16| (i32::from(new) - i32::from(old)) * i32::from(share) / 1000;
        (part(old.0, new.0, self.across), part(old.1, new.1, self.down))
    }
}

/// A grid of another size.
#[derive(Clone, Debug)]
pub struct Resized {
    /// The step that makes it so. What is cut off comes back when it is undone.
    pub step: Step,
    /// The new names of cells that are called after their places and have moved; scenarios that name them have to follow,
    /// see [`rename_in_scenario`].
    pub names: BTreeMap<String, String>,
    /// The names of the cells that are cut off.
    pub cut_off: BTreeSet<String>,
}

const fn sized(topology: Topology, (width, height): (u16, u16)) -> Topology {
    match topology {
        Topology::Hex { orientation, offset, .. } => Topology::Hex {
            width,
            height,
            orientation,
            offset,
        },
        Topology::Square { diagonals, .. } => Topology::Square { width, height, diagonals },
        Topology::Graph => Topology::Graph,
    }
}

/// Shoves the other rows or columns of hexes if the cells move by an odd number of them, so that neighbours stay neighbours.
const fn with_shove(topology: Topology, (across, down): Place) -> Topology {
    let Topology::Hex {
        width,
        height,
        orientation,
        offset,
    } = topology
    else {
        return topology;
    };
    let moved = match orientation {
        Orientation::Pointy => down,
        Orientation::Flat => across,
    };
    let offset = match (offset, moved & 1 == 1) {
        (Offset::Odd, true) | (Offset::Even, false) => Offset::Even,
        (Offset::Even, true) | (Offset::Odd, false) => Offset::Odd,
    };
    Topology::Hex {
        width,
        height,
        orientation,
        offset,
    }
}

/// Gives a grid another size. `None` for free graphs, and where nothing would change.
pub fn resize(map: &Map, size: (u16, u16), anchor: Anchor) -> Option<Resized> {
    let old_size = map.topology.size()?;
    if size == old_size || size.0 == 0 || size.1 == 0 {
        return None;
    }
    let (dx, dy) = anchor.shift(old_size, size);
    let is_inside = |(x, y): Place| (0..i32::from(size.0)).contains(&x) && (0..i32::from(size.1)).contains(&y);
    let (mut names, mut cut_off) = (BTreeMap::new(), BTreeSet::new());
    for place in (0..i32::from(old_size.1)).flat_map(|y| (0..i32::from(old_size.0)).map(move |x| (x, y))) {
        let (name, to) = (place_name(map, place), (place.0 + dx, place.1 + dy));
        if !is_inside(to) {
            cut_off.insert(name);
            continue;
        }
        let is_called_after_place = Topology::default_name(place.0, place.1).as_deref() == Some(&name);
        let new = Topology::default_name(to.0, to.1).filter(|new| is_called_after_place && *new != name);
        names.extend(new.map(|new| (name, new)));
    }
    // First what is cut off goes out of the lists, then the lists get the new names.
    let mut after = map.clone();
    let mut edits = forget_names(map, &cut_off);
    for edit in edits.clone() {
        let mut draft = super::Draft::Map(after);
        drop(edit.apply(&mut draft));
        let super::Draft::Map(changed) = draft else { return None };
        after = changed;
    }
    edits.extend(rename_everywhere(&after, &names));
    edits.push(Edit::Topology(with_shove(sized(map.topology, size), (dx, dy))));
    let mut cells: BTreeMap<Place, Option<MapCell>> = map.cells.iter().map(|cell| ((cell.x, cell.y), None)).collect();
    for cell in &map.cells {
        let to = (cell.x + dx, cell.y + dy);
        if is_inside(to) {
            cells.insert(to, Some(cell.clone()));
        }
    }
    edits.push(Edit::Cells(cells.into_iter().collect()));
    Some(Resized {
        step: Step::new(StepKind::Resize, edits),
        names,
        cut_off,
    })
}

/// Gives a scenario the new names of cells, and takes out what stands on cells that are gone.
pub fn rename_in_scenario(scenario: &Scenario, names: &BTreeMap<String, String>, gone: &BTreeSet<String>) -> Vec<Edit> {
    let new_name = |name: &String| names.get(name).unwrap_or(name).clone();
    let setup = &scenario.setup;
    let piece = |piece: &SetupPiece| {
        let place = match &piece.place {
            SetupPlace::Cell(cell) | SetupPlace::Side(cell, _) | SetupPlace::Posed(cell, _) if gone.contains(cell) => return None,
            SetupPlace::Cell(cell) => SetupPlace::Cell(new_name(cell)),
            SetupPlace::Side(cell, side) => SetupPlace::Side(new_name(cell), side.clone()),
            SetupPlace::Posed(cell, pose) => SetupPlace::Posed(new_name(cell), pose.clone()),
            other @ (SetupPlace::Off | SetupPlace::Zone(..) | SetupPlace::Aboard(_)) => other.clone(),
        };
        Some(SetupPiece { place, ..piece.clone() })
    };
    let value = |value: &SetupValue| {
        let target = match &value.target {
            SetupTarget::Cell(cell) if gone.contains(cell) => return None,
            SetupTarget::Edge(a, b) if gone.contains(a) || gone.contains(b) => return None,
            SetupTarget::Cell(cell) => SetupTarget::Cell(new_name(cell)),
            SetupTarget::Edge(a, b) => SetupTarget::Edge(new_name(a), new_name(b)),
            other @ (SetupTarget::Match | SetupTarget::Seat(_)) => other.clone(),
        };
        Some(SetupValue { target, ..value.clone() })
    };
    let mut edits = Vec::new();
    for (index, old) in setup.pieces.iter().enumerate().rev() {
        match piece(old) {
            Some(new) if new == *old => {}
            Some(new) => edits.push(Edit::Pieces(Splice::replace(index, new))),
            None => edits.push(Edit::Pieces(Splice::remove(index))),
        }
    }
    for (index, old) in setup.values.iter().enumerate().rev() {
        match value(old) {
            Some(new) if new == *old => {}
            Some(new) => edits.push(Edit::Values(Splice::replace(index, new))),
            None => edits.push(Edit::Values(Splice::remove(index))),
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;
    use boardwright_model::{Board, MapEdge, MapRegion};

    #[test]
    fn a_grid_grows_on_every_side_and_its_cells_keep_their_neighbours() {
        let topology = Topology::Hex {
            width: 3,
            height: 3,
            orientation: Orientation::Pointy,
            offset: Offset::Odd,
        };
        let mut map = Map::new("m", "M", topology);
        map.cells = vec![
            MapCell::new("gate", 1, 1),
            MapCell {
                elevation: 2,
                ..MapCell::new("", 2, 2)
            },
        ];
        map.regions.push(MapRegion {
            name: "r".to_owned(),
            cells: ["a1", "gate", "c3"].map(str::to_owned).to_vec(),
        });
        let edge = |a: &str, b: &str| MapEdge {
            a: a.to_owned(),
            b: b.to_owned(),
            properties: [("river".to_owned(), "yes".to_owned())].into(),
        };
        map.edges = vec![edge("a2", "gate"), edge("a1", "a2")];
        let before = Draft::Map(map.clone());
        let mut draft = before.clone();
        let grown = resize(&map, (5, 4), Anchor { across: 500, down: 1000 }).unwrap();
        let undo = grown.step.apply(&mut draft);
        let new = draft.map().unwrap();
        assert_eq!(new.regions[0].cells.join(" "), "b2 gate d4");
        assert!(Board::from_map(new).is_ok(), "{:?}", Board::from_map(new));
        let cut = resize(new, (2, 2), Anchor::TOP_LEFT).unwrap();
        drop(cut.step.clone().apply(&mut draft));
        assert_eq!(draft.map().unwrap().regions[0].cells.join(" "), "b2");
        assert!(cut.cut_off.contains("gate") && Board::from_map(draft.map().unwrap()).is_ok());
        let mut draft = before.clone();
        drop(
            resize(&map, (5, 4), Anchor { across: 500, down: 1000 })
                .unwrap()
                .step
                .apply(&mut draft),
        );
        drop(undo.apply(&mut draft));
        assert_eq!(draft, before);
    }
}
