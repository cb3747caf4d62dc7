//! A piece with a shape that is with the pointer: it hangs there by its middle, and snaps to the nearest place where it fits.

use std::collections::BTreeSet;

use egui::{Pos2, Vec2, vec2};

use super::geometry::Geometry;
use boardwright_model::{Board, CellId, PieceId, Shape};

/// From how far a piece snaps to a place where it fits, in squares.
const SNAP: f32 = 1.6;

/// A piece that is about to be placed, in the pose in which it is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPiece {
    /// The piece.
    pub piece: PieceId,
    /// Its squares.
    pub shape: Shape,
    /// The cells on which its first square may lie.
    pub fits: BTreeSet<CellId>,
}

impl HeldPiece {
    /// The cell of its first square when the pointer is at a point of the drawing: where it fits, if that is near, else where it hangs. None if
    /// it would lie beside the board.
    pub(super) fn aim(&self, board: &Board, geometry: &Geometry, pointer: Pos2) -> Option<CellId> {
        let first = pointer - self.middle();
        let away = |cell: &CellId| geometry.middle(*cell).distance(first);
        let nearest = self.fits.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)));
        if let Some(cell) = nearest.filter(|cell| away(cell) <= SNAP) {
            return Some(cell);
        }
        let near = board.cells().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        (away(&near) <= 1.0).then_some(near)
    }

    /// The cells it covers when its first square lies on one, as far as they are on the board.
    pub fn cells(&self, board: &Board, first: CellId) -> Vec<CellId> {
        let Some((column, row)) = board.coordinates(first) else {
            return vec![first];
        };
        let offsets = self.shape.offsets().iter();
        offsets
            .filter_map(|(x, y)| board.cell_at(column + i32::from(*x), row + i32::from(*y)))
            .collect()
    }

    /// All cells that it covers somewhere where it fits.
    pub(super) fn reach(&self, board: &Board) -> BTreeSet<CellId> {
        self.fits.iter().flat_map(|cell| self.cells(board, *cell)).collect()
    }

    /// How far its middle lies from the middle of its first square, in squares.
    fn middle(&self) -> Vec2 {
        let offsets = self.shape.offsets().iter();
        let bounds = offsets.fold(egui::Rect::NOTHING, |bounds, (x, y)| {
            bounds.union(egui::Rect::from_pos(egui::pos2(f32::from(*x), f32::from(*y))))
        });
        if bounds.is_finite() {
            bounds.center().to_vec2()
        } else {
            vec2(0.0, 0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use boardwright_model::{Map, Topology};

    use super::*;

    fn board() -> Board {
        let topology = Topology::Square {
            width: 8,
            height: 8,
            diagonals: true,
        };
        Board::from_map(&Map::new("squares", "Squares", topology)).unwrap()
    }

    /// Three squares in a row, which fit at two places.
    fn held(board: &Board) -> HeldPiece {
        HeldPiece {
            piece: PieceId(0),
            shape: Shape::parse(["XXX"]).unwrap(),
            fits: ["a1", "e5"].iter().filter_map(|name| board.find_cell(name)).collect(),
        }
    }

    fn aimed<'a>(board: &'a Board, at: &str, by: Vec2) -> Option<&'a str> {
        let geometry = Geometry::of(board);
        let pointer = geometry.middle(board.find_cell(at).unwrap()) + by;
        held(board).aim(board, &geometry, pointer).map(|cell| board.cell_name(cell))
    }

    #[test]
    fn a_piece_hangs_by_its_middle_and_snaps_to_where_it_fits() {
        let board = board();
        assert_eq!(aimed(&board, "f5", Vec2::ZERO), Some("e5"));
        assert_eq!(aimed(&board, "g6", Vec2::ZERO), Some("e5"));
        assert_eq!(aimed(&board, "a1", vec2(-0.3, -0.3)), Some("a1"));
    }

    #[test]
    fn far_from_where_it_fits_it_hangs_where_the_pointer_is() {
        let board = board();
        assert_eq!(aimed(&board, "c8", vec2(0.2, 0.1)), Some("b8"));
        assert_eq!(aimed(&board, "a8", vec2(-3.0, 0.0)), None);
    }

    #[test]
    fn what_reaches_over_the_rim_is_left_out() {
        let board = board();
        let held = held(&board);
        let cells = |name: &str| held.cells(&board, board.find_cell(name).unwrap()).len();
        assert_eq!((cells("f1"), cells("g1"), cells("h1")), (3, 2, 1));
        assert_eq!(held.reach(&board).len(), 6);
    }
}
