//! The cells of a grid as a map lists them: by row and column, only those about which something is said.

use boardwright_model::{Map, MapCell};

use super::Place;

/// The order in which maps list the cells of a grid.
const fn key((column, row): Place) -> Place {
    (row, column)
}

const fn key_of(cell: &MapCell) -> Place {
    (cell.y, cell.x)
}

/// Where a cell is listed, or would be.
pub(crate) fn position(cells: &[MapCell], place: Place) -> Result<usize, usize> {
    cells.binary_search_by_key(&key(place), key_of)
}

/// What a map says of a cell of its grid.
pub(crate) fn find(map: &Map, place: Place) -> Option<&MapCell> {
    map.cells.get(position(&map.cells, place).ok()?)
}

/// What a map says of a cell of its grid, or a cell of which nothing is said.
pub(crate) fn entry(map: &Map, place: Place) -> MapCell {
    find(map, place).cloned().unwrap_or_else(|| MapCell::new("", place.0, place.1))
}

/// Drops entries that say nothing; whether the others stand in their order, each once.
pub(crate) fn normalize(cells: &mut Vec<MapCell>) -> bool {
    cells.retain(|cell| !cell.is_bare());
    cells.is_sorted_by(|one, other| key_of(one) < key_of(other))
}

/// Changes by row and column, the last one of each place.
fn sorted<T>(mut changes: Vec<(Place, T)>) -> Vec<(Place, T)> {
    changes.reverse();
    changes.sort_by_key(|(place, _)| key(*place));
    changes.dedup_by_key(|(place, _)| *place);
    changes
}

/// Sets what is said of cells; gives what was said of them.
pub(crate) fn set_cells(cells: &mut Vec<MapCell>, changes: Vec<(Place, Option<MapCell>)>) -> Vec<(Place, Option<MapCell>)> {
    let mut new = Vec::new();
    let mut has_gaps = false;
    let changes = sorted(changes).into_iter().map(|(place, change)| {
        let change = change.map(|cell| MapCell {
            x: place.0,
            y: place.1,
            ..cell
        });
        let change = change.filter(|cell| !cell.is_bare());
        let old = position(cells, place).ok().and_then(|at| cells.get_mut(at));
        match (old, change) {
            (Some(slot), Some(cell)) => (place, Some(std::mem::replace(slot, cell))),
            (Some(slot), None) => {
                has_gaps = true;
                // What stays in its place says nothing, and is dropped below.
                (place, Some(std::mem::replace(slot, MapCell::new("", place.0, place.1))))
            }
            (None, change) => {
                new.extend(change);
                (place, None)
            }
        }
    });
    let old = changes.collect();
    fit(cells, new, has_gaps);
    old
}

/// Sets the terrain of cells; gives what it was.
pub(crate) fn set_terrain(cells: &mut Vec<MapCell>, changes: Vec<(Place, Option<String>)>) -> Vec<(Place, Option<String>)> {
    let mut new = Vec::new();
    let mut has_gaps = false;
    let changes = sorted(changes).into_iter().map(|(place, terrain)| {
        if let Some(cell) = position(cells, place).ok().and_then(|at| cells.get_mut(at)) {
            let old = std::mem::replace(&mut cell.terrain, terrain);
            has_gaps |= cell.is_bare();
            return (place, old);
        }
        if terrain.is_some() {
            new.push(MapCell {
                terrain,
                ..MapCell::new("", place.0, place.1)
            });
        }
        (place, None)
    });
    let old = changes.collect();
    fit(cells, new, has_gaps);
    old
}

/// Drops entries that say nothing any more, and merges new ones in, which are in order.
fn fit(cells: &mut Vec<MapCell>, new: Vec<MapCell>, has_gaps: bool) {
    if has_gaps {
        cells.retain(|cell| !cell.is_bare());
    }
    let Some(first) = new.first().map(key_of) else { return };
    let at = cells.partition_point(|cell| key_of(cell) < first);
    let mut behind = cells.split_off(at).into_iter().peekable();
    cells.reserve(behind.len() + new.len());
    for cell in new {
        while let Some(before) = behind.next_if(|other| key_of(other) < key_of(&cell)) {
            cells.push(before);
        }
        cells.push(cell);
    }
    cells.extend(behind);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<MapCell> {
        let grass = |place: &str| MapCell {
            terrain: Some("grass".to_owned()),
            ..MapCell::new("", place[..1].parse().unwrap(), place[1..].parse().unwrap())
        };
        text.split_whitespace().map(grass).collect()
    }

    #[test]
    fn cells_stay_in_order_and_those_that_say_nothing_are_not_listed() {
        let mut list = cells("10 30 02");
        let old = set_terrain(
            &mut list,
            vec![
                ((2, 0), Some("wood".to_owned())),
                ((0, 0), Some("wood".to_owned())),
                ((3, 0), None),
                ((2, 0), Some("sand".to_owned())),
            ],
        );
        let places: Vec<_> = list
            .iter()
            .map(|cell| (cell.x, cell.y, cell.terrain.as_deref().unwrap_or("-")))
            .collect();
        assert_eq!(places, [(0, 0, "wood"), (1, 0, "grass"), (2, 0, "sand"), (0, 2, "grass")]);
        drop(set_terrain(&mut list, old));
        assert_eq!(list, cells("10 30 02"));
    }
}
