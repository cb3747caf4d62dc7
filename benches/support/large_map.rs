//! The map on which the editor is measured.

use boardwright::model::{Map, MapCell, Offset, Orientation, Topology};

/// Cells on each side.
const SIDE: u16 = 200;

/// A map of 200 by 200 hexes, each with a terrain and every fourth raised.
pub(crate) fn large_map() -> Map {
    let topology = Topology::Hex {
        width: SIDE,
        height: SIDE,
        orientation: Orientation::Pointy,
        offset: Offset::Odd,
    };
    let mut map = Map::new("large", "Large", topology);
    let places = (0..i32::from(SIDE)).flat_map(|y| (0..i32::from(SIDE)).map(move |x| (x, y)));
    map.cells = places
        .map(|(x, y)| MapCell {
            terrain: Some(["clear", "wood", "hill", "marsh"][((x / 3 + y / 5) % 4) as usize].to_owned()),
            elevation: i16::from((x + y) % 4 == 0),
            ..MapCell::new("", x, y)
        })
        .collect();
    map
}
