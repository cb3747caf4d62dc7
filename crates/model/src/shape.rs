//! Shapes laid on square grids: polyominoes, templates, blasts.

use std::fmt;

use thiserror::Error;

use super::Pose;

const LARGEST: usize = 255;

/// A set of squares relative to an anchor, columns to the right and rows downwards.
///
/// The anchor of a normal shape is the upper left corner of its box, whether the shape covers that square or not.
/// [`corners`](Self::corners) and [`edge_neighbours`](Self::edge_neighbours) keep the anchor of the shape they were made
/// from, so that sets of anchors can be compared.
///
/// ```
/// use boardwright_model::Shape;
///
/// let shape = Shape::parse(["X.", "XX"])?;
/// assert_eq!(shape.orientations().len(), 4);
/// assert_eq!(shape.rotated().to_string(), "XX\nX.");
/// # Ok::<(), boardwright_model::ShapeFault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// Column and row of each square, row by row.
    offsets: Vec<(i16, i16)>,
}

/// Why a text shows no shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what each is; rows count from 1")]
pub enum ShapeFault {
    #[error("the shape has no squares")]
    Empty,
    #[error("row {row} of the shape has {letter:?}; only X (a square) and . (none) are known")]
    UnknownLetter { row: usize, letter: char },
    #[error("the shape has more than {LARGEST} columns or rows")]
    TooLarge,
}

impl Shape {
    /// The shape of the given squares (column, row), moved so that the smallest column and row are 0.
    ///
    /// # Errors
    ///
    /// [`ShapeFault::Empty`] without squares, [`ShapeFault::TooLarge`] if they lie further apart than 255.
    pub fn new(squares: impl IntoIterator<Item = (i16, i16)>) -> Result<Self, ShapeFault> {
        let shape = Self::relative(squares.into_iter().collect());
        let (Some((left, right)), Some((top, bottom))) = (shape.columns(), shape.rows()) else {
            return Err(ShapeFault::Empty);
        };
        if usize::from(left.abs_diff(right)) >= LARGEST || usize::from(top.abs_diff(bottom)) >= LARGEST {
            return Err(ShapeFault::TooLarge);
        }
        Ok(shape.normalised())
    }

    /// The shape drawn in rows of `X` for a square and `.` for none.
    ///
    /// # Errors
    ///
    /// See [`ShapeFault`].
    pub fn parse<T: AsRef<str>>(rows: impl IntoIterator<Item = T>) -> Result<Self, ShapeFault> {
        let mut squares = Vec::new();
        for (y, row) in rows.into_iter().enumerate() {
            for (x, letter) in row.as_ref().chars().enumerate() {
                if x.max(y) >= LARGEST {
                    return Err(ShapeFault::TooLarge);
                }
                match letter {
                    'X' => squares.push((x as i16, y as i16)),
                    '.' => {}
                    letter => return Err(ShapeFault::UnknownLetter { row: y + 1, letter }),
                }
            }
        }
        Self::new(squares)
    }

    /// Column and row of each square relative to the anchor, row by row.
    pub fn offsets(&self) -> &[(i16, i16)] {
        &self.offsets
    }

    /// The number of squares.
    pub fn count(&self) -> usize {
        self.offsets.len()
    }

    /// Columns from the first square to the last.
    pub fn width(&self) -> u16 {
        self.columns().map_or(0, |(left, right)| left.abs_diff(right) + 1)
    }

    /// Rows from the first square to the last.
    pub fn height(&self) -> u16 {
        self.rows().map_or(0, |(top, bottom)| top.abs_diff(bottom) + 1)
    }

    /// The shape turned a quarter clockwise.
    #[must_use]
    pub fn rotated(&self) -> Self {
        Self::relative(self.offsets.iter().map(|&(x, y)| (-y, x)).collect()).normalised()
    }

    /// The shape with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self::relative(self.offsets.iter().map(|&(x, y)| (-x, y)).collect()).normalised()
    }

    /// The shape mirrored and turned as a pose says.
    #[must_use]
    pub fn in_pose(&self, pose: Pose) -> Self {
        let start = if pose.is_mirrored() { self.mirrored() } else { self.normalised() };
        (0..pose.quarters()).fold(start, |shape, _| shape.rotated())
    }

    /// The shape with its first square as the anchor: the left one of its upper row. An anchor that is part of the shape is
    /// a cell of the board wherever the shape lies.
    #[must_use]
    pub fn rooted(&self) -> Self {
        self.anchored_at(self.offsets.first().copied().unwrap_or_default())
    }

    /// The different shapes that turning and mirroring give, at most eight: the shape itself first, then its turns
    /// clockwise, then its mirror image and that one's turns.
    pub fn orientations(&self) -> Vec<Self> {
        let mut orientations: Vec<Self> = Vec::with_capacity(8);
        for mut shape in [self.normalised(), self.mirrored()] {
            for _ in 0..4 {
                let next = shape.rotated();
                if !orientations.contains(&shape) {
                    orientations.push(shape);
                }
                shape = next;
            }
        }
        orientations
    }

    /// The squares that share a side with the shape and are not part of it.
    #[must_use]
    pub fn edge_neighbours(&self) -> Self {
        self.beside(&[(0, -1), (1, 0), (0, 1), (-1, 0)], &[])
    }

    /// The squares that share a corner with the shape, but no side, and are not part of it.
    #[must_use]
    pub fn corners(&self) -> Self {
        self.beside(&[(1, -1), (1, 1), (-1, 1), (-1, -1)], &self.edge_neighbours().offsets)
    }

    pub(super) fn columns(&self) -> Option<(i16, i16)> {
        let columns = || self.offsets.iter().map(|&(x, _)| x);
        columns().min().zip(columns().max())
    }

    pub(super) fn rows(&self) -> Option<(i16, i16)> {
        let ends = self.offsets.first().zip(self.offsets.last());
        ends.map(|((_, top), (_, bottom))| (*top, *bottom))
    }

    /// The squares at one of the offsets from a square of the shape, that are neither of the shape nor excluded.
    fn beside(&self, offsets: &[(i16, i16)], excluded: &[(i16, i16)]) -> Self {
        let squares = self.offsets.iter();
        let beside = squares.flat_map(|&(x, y)| offsets.iter().map(move |&(dx, dy)| (x + dx, y + dy)));
        let is_free = |square: &(i16, i16)| !self.offsets.contains(square) && !excluded.contains(square);
        Self::relative(beside.filter(is_free).collect())
    }

    /// A shape that keeps its anchor.
    fn relative(mut offsets: Vec<(i16, i16)>) -> Self {
        offsets.sort_unstable_by_key(|&(x, y)| (y, x));
        offsets.dedup();
        Self { offsets }
    }

    /// The same squares, the anchor at the upper left.
    fn normalised(&self) -> Self {
        self.anchored_at((self.columns().map_or(0, |(left, _)| left), self.rows().map_or(0, |(top, _)| top)))
    }

    /// The same squares with the anchor at a column and row.
    fn anchored_at(&self, (left, top): (i16, i16)) -> Self {
        let offsets = self.offsets.iter();
        let moved = offsets.map(|&(x, y)| (x.saturating_sub(left), y.saturating_sub(top)));
        Self { offsets: moved.collect() }
    }
}

/// Rows of `X` and `.`, as [`Shape::parse`] reads them.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.normalised();
        for y in 0..self.height() as i16 {
            if y > 0 {
                writeln!(f)?;
            }
            for x in 0..self.width() as i16 {
                f.write_str(if shape.offsets.contains(&(x, y)) { "X" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::parse(text.lines()).unwrap()
    }

    #[test]
    fn pentominoes_have_their_known_numbers_of_orientations() {
        let counts =
            ["XXXXX", ".X.\nXXX\n.X.", "XX.\n.X.\n.XX", ".XX\nXX.\n.X.", "XXX\nX..\nX.."].map(|text| shape(text).orientations().len());
        assert_eq!(counts, [2, 1, 4, 8, 4]);
    }

    #[test]
    fn corners_and_sides_of_a_bent_shape() {
        let bent = shape("X.\nXX");
        assert_eq!(
            bent.edge_neighbours().offsets(),
            [(0, -1), (-1, 0), (1, 0), (-1, 1), (2, 1), (0, 2), (1, 2)]
        );
        assert_eq!(bent.corners().offsets(), [(-1, -1), (1, -1), (2, 0), (-1, 2), (2, 2)]);
    }

    #[test]
    fn empty_and_wrong_texts_are_refused() {
        assert_eq!(Shape::parse(["..", ""]), Err(ShapeFault::Empty));
        assert_eq!(Shape::parse(["X", "XO"]), Err(ShapeFault::UnknownLetter { row: 2, letter: 'O' }));
        assert_eq!(Shape::parse(["X".repeat(256)]), Err(ShapeFault::TooLarge));
        assert_eq!(Shape::new([(i16::MIN, 0), (i16::MAX, 0)]), Err(ShapeFault::TooLarge));
        assert_eq!(Shape::new([(i16::MIN, i16::MAX)]), shape_of_one());
    }

    fn shape_of_one() -> Result<Shape, ShapeFault> {
        Shape::parse(["X"])
    }

    proptest! {
        #[test]
        fn turning_four_times_and_mirroring_twice_change_nothing(squares in prop::collection::vec((0..6_i16, 0..6_i16), 1..9)) {
            let shape = Shape::new(squares).unwrap();
            prop_assert_eq!(shape.rotated().rotated().rotated().rotated(), shape.clone());
            prop_assert_eq!(shape.mirrored().mirrored(), shape.clone());
            let text = shape.to_string();
            prop_assert_eq!(Shape::parse(text.lines()).unwrap(), shape.clone());
            let orientations = shape.orientations();
            prop_assert_eq!(8 % orientations.len(), 0);
            for turned in orientations {
                prop_assert_eq!(turned.count(), shape.count());
                prop_assert_eq!((turned.columns().unwrap().0, turned.rows().unwrap().0), (0, 0));
            }
        }

        #[test]
        fn corners_and_sides_touch_the_shape_as_they_should(squares in prop::collection::vec((0..6_i16, 0..6_i16), 1..9)) {
            let shape = Shape::new(squares).unwrap();
            let (corners, sides) = (shape.corners(), shape.edge_neighbours());
            let touches = |(x, y): (i16, i16), far: u16| shape.offsets().iter().any(|&(to_x, to_y)| {
                let (dx, dy) = (x.abs_diff(to_x), y.abs_diff(to_y));
                dx.max(dy) == 1 && dx + dy == far
            });
            for square in (-2..8).flat_map(|y| (-2..8).map(move |x| (x, y))) {
                let is_part = shape.offsets().contains(&square);
                let is_side = !is_part && touches(square, 1);
                prop_assert_eq!(sides.offsets().contains(&square), is_side);
                prop_assert_eq!(corners.offsets().contains(&square), !is_part && !is_side && touches(square, 2));
            }
        }
    }
}
