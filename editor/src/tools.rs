//! The tools, and what is chosen for them.

use boardwright_model::Pose;
use boardwright_ui::keys::Act;
use boardwright_ui::theme::Icon;

use crate::edge_tool::{self, EdgeBrush};
use crate::file::OpenFile;

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    #[default]
    Hand,
    Brush,
    Line,
    Rectangle,
    Fill,
    Replace,
    Dropper,
    Hole,
    Height,
    Region,
    Edge,
    Select,
    Piece,
    Point,
    Outline,
    Link,
}

impl Tool {
    /// All tools in the order in which they are shown, with their signs and keys.
    pub(crate) const ALL: [(Self, Icon, Act); 16] = [
        (Self::Hand, Icon::Hand, Act::ToolHand),
        (Self::Select, Icon::Select, Act::ToolSelect),
        (Self::Brush, Icon::Brush, Act::ToolBrush),
        (Self::Line, Icon::Line, Act::ToolLine),
        (Self::Rectangle, Icon::Rectangle, Act::ToolRectangle),
        (Self::Fill, Icon::Bucket, Act::ToolFill),
        (Self::Replace, Icon::Replace, Act::ToolReplace),
        (Self::Dropper, Icon::Dropper, Act::ToolDropper),
        (Self::Hole, Icon::Hole, Act::ToolHole),
        (Self::Height, Icon::Height, Act::ToolHeight),
        (Self::Region, Icon::Region, Act::ToolRegion),
        (Self::Edge, Icon::Edge, Act::ToolEdge),
        (Self::Piece, Icon::Pawn, Act::ToolPiece),
        (Self::Point, Icon::Point, Act::ToolPoint),
        (Self::Outline, Icon::Pencil, Act::ToolOutline),
        (Self::Link, Icon::Link, Act::ToolLink),
    ];

    /// Whether it works on a file.
    pub(crate) fn fits(self, file: &OpenFile) -> bool {
        let (is_map, is_graph) = (file.is_map(), file.is_graph());
        let has_terrains = !file.drawn.state.declarations().terrains.is_empty();
        match self {
            Self::Hand | Self::Select => true,
            Self::Brush | Self::Fill | Self::Replace | Self::Dropper => is_map && has_terrains,
            Self::Line | Self::Rectangle => is_map && has_terrains && !is_graph,
            Self::Hole | Self::Height => is_map && !is_graph,
            Self::Region => is_map,
            Self::Edge => is_map && edge_tool::has_properties(file),
            Self::Point | Self::Outline | Self::Link => is_map && is_graph,
            Self::Piece => !is_map,
        }
    }

    /// Whether it paints terrain.
    pub(crate) fn paints_terrain(self) -> bool {
        matches!(self, Self::Brush | Self::Line | Self::Rectangle | Self::Fill | Self::Replace)
    }

    /// Whether its size can be chosen.
    pub(crate) fn has_size(self) -> bool {
        matches!(self, Self::Brush | Self::Line | Self::Hole | Self::Height | Self::Region)
    }
}

/// How the height tool changes cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum HeightMode {
    #[default]
    Raise,
    Lower,
    Set,
}

/// Which list the panel on the right shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    #[default]
    Properties,
    Picture,
    Regions,
    Triggers,
    Problems,
    History,
    Statistics,
}

/// What is chosen for the tools: it is the same for all files.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a layer that is shown or hidden by itself")]
pub(crate) struct Choices {
    /// The tool in hand.
    pub(crate) tool: Tool,
    /// The size of the brush: 1 is one cell.
    pub(crate) size: u32,
    /// The terrain that is painted, by name; none for the default one.
    pub(crate) terrain: Option<String>,
    /// How strokes are repeated elsewhere on the board.
    pub(crate) symmetry: usize,
    /// What the height tool does.
    pub(crate) height_mode: HeightMode,
    /// The height that it sets.
    pub(crate) height: i16,
    /// What edges are given.
    pub(crate) edge_brush: EdgeBrush,
    /// The kind of piece that is placed, by name.
    pub(crate) kind: Option<String>,
    /// Whose piece it is, by the name of the seat.
    pub(crate) owner: Option<String>,
    /// The pose in which a shaped piece is placed, by its position among all.
    pub(crate) pose: usize,
    /// Whether an outline becomes one more part of the selected area, and not a new area.
    pub(crate) adds_part: bool,
    /// What the panel on the right shows.
    pub(crate) side: Side,
    /// Whether names of cells are shown.
    pub(crate) shows_names: bool,
    /// Whether regions are shown.
    pub(crate) shows_regions: bool,
    /// Whether heights are shown.
    pub(crate) shows_heights: bool,
    /// Whether problems are marked on the board.
    pub(crate) shows_problems: bool,
}

impl Choices {
    /// Turns the piece in hand, or mirrors it.
    pub(crate) fn turn_pose(&mut self, mirrors: bool) {
        let pose = Pose::ALL.get(self.pose).copied().unwrap_or(Pose::UPRIGHT);
        let new = if mirrors { pose.mirrored() } else { pose.turned() };
        self.pose = new.index();
    }
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            tool: Tool::default(),
            size: 1,
            terrain: None,
            symmetry: 0,
            height_mode: HeightMode::default(),
            height: 1,
            edge_brush: EdgeBrush::default(),
            kind: None,
            owner: None,
            pose: 0,
            adds_part: false,
            side: Side::default(),
            shows_names: false,
            shows_regions: true,
            shows_heights: true,
            shows_problems: true,
        }
    }
}

/// The largest brush.
pub(crate) const MOST_SIZE: u32 = 12;
