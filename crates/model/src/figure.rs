//! The shape of a sort of piece, in all its poses.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Pose, Shape};

/// A shape that pieces have, made ready to be laid in any pose. In texts it is the rows of the [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    shape: Shape,
    /// By pose, the shape as it lies then, with its first square as the anchor.
    lying: [Shape; 8],
    /// By pose, the first one in which the shape lies the same.
    same: [Pose; 8],
}

impl Figure {
    /// A figure of a shape.
    pub fn new(shape: Shape) -> Self {
        let lying = Pose::ALL.map(|pose| shape.in_pose(pose).rooted());
        let first = |pose: Pose| {
            let mut poses = Pose::ALL.into_iter().zip(&lying);
            let same = poses.find(|(_, other)| Some(*other) == lying.get(pose.index()));
            same.map_or(pose, |(first, _)| first)
        };
        let same = Pose::ALL.map(first);
        Self { shape, lying, same }
    }

    /// The shape as it was drawn.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The shape as it lies in a pose. Its anchor is its first square, row by row: the left one of its upper row.
    pub fn lying(&self, pose: Pose) -> &Shape {
        self.lying.get(pose.index()).unwrap_or(&self.shape)
    }

    /// The first pose in which it lies as in this one: of poses that look alike, this is the one that actions name.
    pub fn proper(&self, pose: Pose) -> Pose {
        self.same.get(pose.index()).copied().unwrap_or(pose)
    }

    /// The poses that look different from one another, in rising order.
    pub fn poses(&self) -> impl Iterator<Item = Pose> {
        Pose::ALL.into_iter().filter(|pose| self.proper(*pose) == *pose)
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.shape.to_string().lines())
    }
}

impl<'de> Deserialize<'de> for Figure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = Vec::<String>::deserialize(deserializer)?;
        Shape::parse(rows).map(Self::new).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str) -> Figure {
        Figure::new(Shape::parse(text.lines()).unwrap())
    }

    fn poses(text: &str) -> String {
        figure(text).poses().map(Pose::word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn poses_that_look_alike_are_one() {
        assert_eq!(poses("XX\nXX"), "0");
        assert_eq!(poses("XXX"), "0 90");
        assert_eq!(poses("X.\nXX"), "0 90 180 270");
        assert_eq!(poses("XX.\n.XX"), "0 90 m0 m90");
        assert_eq!(poses("X..\nXXX"), "0 90 180 270 m0 m90 m180 m270");
        assert_eq!(figure("XXX").proper("m270".parse().unwrap()).word(), "90");
    }

    #[test]
    fn a_figure_lies_on_its_first_square() {
        let figure = figure("X..\nXXX");
        assert_eq!(figure.lying(Pose::UPRIGHT).offsets(), [(0, 0), (0, 1), (1, 1), (2, 1)]);
        let mirrored = figure.lying(Pose::UPRIGHT.mirrored());
        assert_eq!(mirrored.to_string(), "..X\nXXX");
        assert_eq!(mirrored.offsets(), [(0, 0), (-2, 1), (-1, 1), (0, 1)]);
    }

    #[test]
    fn the_poses_of_a_figure_are_the_orientations_of_its_shape() {
        for text in ["X", "XX\nX.", ".XX\nXX.\n.X.", "XX.\n.X.\n.XX", "XXXXX"] {
            let figure = figure(text);
            let mut lying: Vec<String> = figure.poses().map(|pose| figure.lying(pose).to_string()).collect();
            let mut orientations: Vec<String> = figure.shape().orientations().iter().map(Shape::to_string).collect();
            lying.sort();
            orientations.sort();
            assert_eq!(lying, orientations);
        }
    }

    #[test]
    fn the_text_of_a_figure_is_its_rows() {
        let figure = figure("X..\nXXX");
        let text = serde_json::to_string(&figure).unwrap();
        assert_eq!(text, r#"["X..","XXX"]"#);
        assert_eq!(serde_json::from_str::<Figure>(&text).unwrap(), figure);
        assert!(serde_json::from_str::<Figure>(r#"["..."]"#).is_err());
    }
}
