//! The content of a board as bytes, for fingerprints.

use super::{AuthoredProperties, Board, CellId, Topology};

/// Changes whenever the bytes of an unchanged board would.
const VERSION: &str = "board 1";

impl Board {
    /// Hands everything the board is made of, in a fixed order, to a hash function piece by piece.
    ///
    /// Boards that are equal give the same bytes on every platform, others give others. The title and the id of the map are not part of it.
    pub fn feed(&self, sink: &mut impl FnMut(&[u8])) {
        let mut feed = Feed { sink };
        feed.text(VERSION);
        match self.topology {
            Topology::Hex {
                width,
                height,
                orientation,
                offset,
            } => {
                feed.text("hex");
                feed.numbers([width.into(), height.into(), orientation as i64, offset as i64]);
            }
            Topology::Square { width, height, diagonals } => {
                feed.text("square");
                feed.numbers([width.into(), height.into(), diagonals.into()]);
            }
            Topology::Graph => feed.text("graph"),
        }
        feed.count(self.all.count());
        for cell in self.cells() {
            let (x, y) = self.position(cell);
            feed.text(self.cell_name(cell));
            feed.numbers([cell.0.into(), x.into(), y.into(), self.elevation(cell).into()]);
            feed.text(self.base_terrain_name(cell).unwrap_or_default());
            feed.numbers([self.base_terrain_name(cell).is_some().into()]);
        }
        feed.count(self.outlines.len());
        for (cell, outline) in &self.outlines {
            feed.numbers([cell.0.into()]);
            feed.count(outline.len());
            for part in outline {
                feed.count(part.len());
                for &(x, y) in part {
                    feed.numbers([x.into(), y.into()]);
                }
            }
        }
        feed.count(self.cell_properties.len());
        for (cell, properties) in &self.cell_properties {
            feed.numbers([cell.0.into()]);
            feed.properties(properties);
        }
        feed.count(self.lines.len());
        for line in &self.lines {
            feed.text(&line.name);
            feed.cells(line.cells.iter().copied());
        }
        feed.count(self.regions.len());
        for region in &self.regions {
            feed.text(&region.name);
            feed.cells(region.cells.iter());
        }
        feed.count(self.edge_properties.len());
        for (edge, properties) in &self.edge_properties {
            feed.numbers([edge.0.into()]);
            feed.properties(properties);
        }
    }
}

/// Writes values so that none can be taken for another: numbers in eight bytes, texts and lists after their length.
struct Feed<'a, S> {
    sink: &'a mut S,
}

impl<S: FnMut(&[u8])> Feed<'_, S> {
    fn numbers<const N: usize>(&mut self, numbers: [i64; N]) {
        for number in numbers {
            (self.sink)(&number.to_le_bytes());
        }
    }

    fn count(&mut self, count: usize) {
        self.numbers([count as i64]);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        (self.sink)(text.as_bytes());
    }

    fn cells(&mut self, cells: impl ExactSizeIterator<Item = CellId>) {
        self.count(cells.len());
        for cell in cells {
            self.numbers([cell.0.into()]);
        }
    }

    fn properties(&mut self, properties: &AuthoredProperties) {
        self.count(properties.len());
        for (name, value) in properties {
            self.text(name);
            self.text(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Map, MapCell, MapEdge, MapLine, MapRegion, Orientation};
    use super::*;
    use crate::model::Offset;

    fn bytes(map: &Map) -> Vec<u8> {
        let mut bytes = Vec::new();
        Board::from_map(map).unwrap().feed(&mut |piece| bytes.extend_from_slice(piece));
        bytes
    }

    #[test]
    fn every_change_of_content_changes_the_bytes_and_the_title_does_not() {
        let mut map = Map::new("map", "Map", Topology::Graph);
        map.cells = vec![MapCell::new("a", 0, 0), MapCell::new("b", 1000, 0), MapCell::new("c", 2000, 0)];
        map.lines = vec![MapLine::new(["a", "b", "c"])];
        let changes: [fn(&mut Map); 13] = [
            |map| {
                map.cells[1].name = "d".into();
                map.lines = vec![MapLine::new(["a", "d", "c"])];
            },
            |map| map.cells[1].x += 1,
            |map| map.cells[1].terrain = Some("wood".into()),
            |map| map.cells[1].terrain = Some(String::new()),
            |map| map.cells[1].elevation = -1,
            |map| map.cells[1].outline = vec![vec![(0, 0), (1, 0), (0, 1)]],
            |map| drop(map.cells[1].properties.insert("price".into(), "3".into())),
            |map| map.lines = vec![MapLine::new(["a", "b"]), MapLine::new(["b", "c"])],
            |map| map.lines[0].name = Some("main".into()),
            |map| {
                map.regions = vec![MapRegion {
                    name: "west".into(),
                    cells: vec!["a".into()],
                }];
            },
            |map| {
                map.regions = vec![MapRegion {
                    name: "west".into(),
                    cells: vec![],
                }];
            },
            |map| {
                map.edges = vec![MapEdge {
                    a: "a".into(),
                    b: "b".into(),
                    properties: [("bridge".into(), "true".into())].into(),
                }];
            },
            |map| {
                map.cells.pop();
                map.lines = vec![MapLine::new(["a", "b"])];
            },
        ];
        let changed = |change: fn(&mut Map)| {
            let mut map = map.clone();
            change(&mut map);
            let mut refreshed = map.clone();
            // A board made a second time from equal input feeds the same bytes.
            refreshed.title = "Another title".into();
            refreshed.id = "other".into();
            assert_eq!(bytes(&map), bytes(&refreshed));
            bytes(&map)
        };
        let mut all: Vec<_> = changes.into_iter().map(changed).chain([bytes(&map)]).collect();
        for (width, orientation, offset) in [
            (2, Orientation::Flat, Offset::Odd),
            (2, Orientation::Flat, Offset::Even),
            (2, Orientation::Pointy, Offset::Odd),
            (3, Orientation::Flat, Offset::Odd),
        ] {
            all.push(bytes(&Map::new(
                "map",
                "Map",
                Topology::Hex {
                    width,
                    height: 2,
                    orientation,
                    offset,
                },
            )));
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn holes_count() {
        let mut map = Map::new(
            "map",
            "Map",
            Topology::Square {
                width: 3,
                height: 3,
                diagonals: false,
            },
        );
        let whole = bytes(&map);
        map.cells.push(MapCell::hole(1, 1));
        assert_ne!(bytes(&map), whole);
        assert!(!Board::from_map(&map).unwrap().contains(CellId(4)));
    }
}
