//! The prior over placements: a linear model over features of the cells under a piece, beside it and at its corners.

use std::sync::{Arc, LazyLock};

use super::CellsOf;
use super::cells::Place as SetPlace;
use boardwright_model::{Action, Board, CellId, CellSet, Declarations, KindId, Pick, Pose, Shape, State};

/// Which cells of a placement a feature looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// Those that it covers.
    Covered,
    /// Those beside it.
    Sides,
    /// Those at its corners.
    Corners,
}

/// A feature of placements with its weight, in hundredths: a placement with a hundred more is e times as likely to be the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A weight for each cell of a set.
    Cells(Around, CellsOf, i32),
    /// A weight for pieces of so many squares.
    Size(usize, i32),
}

/// The shapes of all kinds in all poses, with the cells around them, as steps on a grid with a margin.
#[derive(Clone, Debug)]
pub(super) struct Outlines {
    size: usize,
    places: Box<[u32]>,
    by_kind: Vec<[Outline; 8]>,
}

#[derive(Clone, Debug, Default)]
struct Outline {
    squares: usize,
    covered: Box<[isize]>,
    sides: Box<[isize]>,
    corners: Box<[isize]>,
}

impl Outlines {
    /// Those of the kinds that are declared, on a board of squares. `None` on other boards.
    pub(super) fn new(board: &Board, declarations: &Declarations) -> Option<Self> {
        let figures = || declarations.kinds.iter().filter_map(|kind| kind.figure.as_ref());
        let reach = figures().map(|figure| figure.shape().width().max(figure.shape().height()));
        let (width, mut outlines) = Self::on(board, usize::from(reach.max()?) + 1)?;
        let of_kind = declarations.kinds.iter().map(|kind| match &kind.figure {
            Some(figure) => Pose::ALL.map(|pose| Outline::new(figure.lying(pose), width)),
            None => Default::default(),
        });
        outlines.by_kind.extend(of_kind);
        Some(outlines)
    }

    /// None yet, on a board of squares, and the width of the grid.
    fn on(board: &Board, margin: usize) -> Option<(usize, Self)> {
        let (columns, rows) = board.square_size()?;
        let width = columns + 2 * margin;
        let place = |cell: usize| ((cell / columns + margin) * width + cell % columns + margin) as u32;
        let outlines = Self {
            size: width * (rows + 2 * margin),
            places: (0..board.cell_count()).map(place).collect(),
            by_kind: Vec::new(),
        };
        Some((width, outlines))
    }

    fn place(&self, cell: CellId) -> Option<usize> {
        self.places.get(cell.index()).map(|place| *place as usize)
    }
}

impl Outline {
    fn new(shape: &Shape, width: usize) -> Self {
        let steps = |shape: &Shape| -> Box<[isize]> {
            let offsets = shape.offsets().iter();
            offsets.map(|&(x, y)| isize::from(y) * width as isize + isize::from(x)).collect()
        };
        Self {
            squares: shape.count(),
            covered: steps(shape),
            sides: steps(&shape.edge_neighbours()),
            corners: steps(&shape.corners()),
        }
    }
}

/// The prior over placements in one state.
#[derive(Clone, Debug)]
pub struct Prior {
    outlines: Arc<Outlines>,
    /// The weight of each cell that is covered, lies beside, or at a corner.
    covered: Vec<i32>,
    sides: Vec<i32>,
    corners: Vec<i32>,
    sizes: Vec<i32>,
}

impl Prior {
    pub(super) fn new<'a>(outlines: &Arc<Outlines>, features: impl IntoIterator<Item = (Around, &'a CellSet, i32)>, sizes: &[i32]) -> Self {
        let none = vec![0; outlines.size];
        let mut prior = Self {
            outlines: Arc::clone(outlines),
            covered: none.clone(),
            sides: none.clone(),
            corners: none,
            sizes: sizes.to_vec(),
        };
        for (around, set, points) in features {
            let sums = match around {
                Around::Covered => &mut prior.covered,
                Around::Sides => &mut prior.sides,
                Around::Corners => &mut prior.corners,
            };
            for cell in set {
                if let Some(sum) = outlines.place(cell).and_then(|place| sums.get_mut(place)) {
                    *sum = sum.saturating_add(points);
                }
            }
        }
        prior
    }

    /// The logit of an action, in hundredths; 0 for one that places nothing.
    pub fn of(&self, state: &State, action: &Action) -> i32 {
        let [Pick::Piece(piece), Pick::Pose(pose), Pick::Cell(cell)] = action.picks.as_slice() else {
            return 0;
        };
        let kind = state.piece(*piece).map(|piece| piece.kind);
        kind.map_or(0, |kind| self.of_placement(kind, *pose, *cell))
    }

    pub(super) fn of_placement(&self, kind: KindId, pose: Pose, cell: CellId) -> i32 {
        let outline = self.outlines.by_kind.get(kind.index()).and_then(|poses| poses.get(pose.index()));
        let Some((outline, place)) = outline.zip(self.outlines.place(cell)) else {
            return 0;
        };
        let sum = |sums: &[i32], steps: &[isize]| -> i32 {
            let at = |step: &isize| sums.get(place.wrapping_add_signed(*step)).copied().unwrap_or(0);
            steps.iter().map(at).sum()
        };
        let of_size = self.sizes.get(outline.squares).copied().unwrap_or(0);
        of_size + sum(&self.covered, &outline.covered) + sum(&self.sides, &outline.sides) + sum(&self.corners, &outline.corners)
    }

    /// The probability of each of some actions relative to the likeliest one, above 0 and up to 1: their softmax before it is divided by
    /// its sum.
    pub fn likelihoods(logits: &[i32]) -> Vec<f32> {
        let most = logits.iter().copied().max().unwrap_or(0);
        let likelihood = |own: &i32| {
            let behind = usize::try_from(i64::from(most) - i64::from(*own)).unwrap_or(usize::MAX);
            LIKELIHOODS.get(behind).copied().unwrap_or(LEAST as f32)
        };
        logits.iter().map(likelihood).collect()
    }
}

/// No action is less likely than this next to the likeliest one.
const LEAST: f64 = 1e-9;

/// By distance to the likeliest action in hundredths, the probability relative to it: powers of e to the -0.01, multiplied up so that
/// they are the same on every machine.
static LIKELIHOODS: LazyLock<Box<[f32]>> = LazyLock::new(|| {
    const STEP: f64 = 0.990_049_833_749_168;
    let powers = std::iter::successors(Some(1.0), |power| Some(power * STEP));
    powers.take_while(|power| *power >= LEAST).map(|power| power as f32).collect()
});

/// A feature whose set has a place in the list of those worked out.
pub(super) type PlacedFeature = (Around, SetPlace, i32);

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Map, Topology};

    #[test]
    fn a_placement_has_the_weights_of_the_cells_under_it_beside_it_and_at_its_corners() {
        let board = Board::from_map(&Map::new(
            "map",
            "Map",
            Topology::Square {
                width: 6,
                height: 5,
                diagonals: false,
            },
        ))
        .unwrap();
        let (width, mut outlines) = Outlines::on(&board, 3).unwrap();
        let shape = Shape::parse("XX\nX.".lines()).unwrap().rooted();
        outlines.by_kind.push(Pose::ALL.map(|_| Outline::new(&shape, width)));
        let outlines = Arc::new(outlines);
        let cells = |names: &str| CellSet::from_cells(board.cell_count(), names.split(' ').map(|name| board.find_cell(name).unwrap()));
        let covered = cells("b2 c2 e5");
        let beside = cells("a2 d2 c3 b4 e5");
        let corners = cells("a1 d1 a4 c4 d3 e5");
        let features = [
            (Around::Covered, &covered, 100),
            (Around::Sides, &beside, 10),
            (Around::Corners, &corners, 1),
        ];
        let prior = Prior::new(&outlines, features, &[0, 0, 0, 1_000]);
        let at = |name: &str| prior.of_placement(KindId(0), Pose::UPRIGHT, board.find_cell(name).unwrap());
        // Covers b2, c2 and b3; beside it lie a2, d2, c3, b4 and others, at its corners a1, d1, d3, a4 and c4.
        assert_eq!(at("b2"), 1_000 + 200 + 40 + 5);
        // At the edge what would lie outside counts for nothing.
        assert_eq!(at("e5"), 1_000 + 100);
        assert_eq!(prior.of_placement(KindId(7), Pose::UPRIGHT, CellId(0)), 0);
    }

    #[test]
    fn a_hundred_more_are_e_times_as_likely() {
        let likelihoods = Prior::likelihoods(&[250, 150, -3_000]);
        assert!((likelihoods[0] - 1.0).abs() < 1e-6);
        assert!((likelihoods[0] / likelihoods[1] - std::f32::consts::E).abs() < 1e-3);
        assert!(likelihoods[2] < 1e-8);
        assert!(Prior::likelihoods(&[]).is_empty());
        let far = Prior::likelihoods(&[i32::MIN, i32::MAX]);
        assert!(far[0] > 0.0 && far[0] < 1e-8 && far[1] > 0.999);
    }
}
