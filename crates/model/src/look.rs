//! How things look, as the rules say: data for whoever draws.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Action, CellId, Declarations, EdgeId, Pick, PieceId, SeatId};

/// How cells and pieces look, and the lines of the panel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looks {
    /// The position they belong to.
    pub position: u64,
    /// What the board lies on.
    #[serde(default, skip_serializing_if = "BoardLook::is_plain")]
    pub board: BoardLook,
    /// Cells that look different from their terrain.
    #[serde(default, with = "pairs")]
    pub cells: BTreeMap<CellId, CellLook>,
    /// Edges that are drawn.
    #[serde(default, with = "pairs", skip_serializing_if = "BTreeMap::is_empty")]
    pub edges: BTreeMap<EdgeId, EdgeLook>,
    /// Pieces that look different from their kind's glyph in their seat's colour.
    #[serde(default, with = "pairs")]
    pub pieces: BTreeMap<PieceId, PieceLook>,
    /// What stands beside the board.
    #[serde(default)]
    pub panel: Vec<PanelSection>,
    /// What the seat that looks has left to do in its turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_to_do: Vec<PanelLine>,
}

/// Lines that stand together beside the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelSection {
    /// The heading. Empty for the lines before the first one.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub title: Arc<str>,
    /// The lines.
    pub lines: Vec<PanelLine>,
}

/// A line of text beside the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelLine {
    /// The seat that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// What the value is. Empty for how a seat stands.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub label: Arc<str>,
    /// The value.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub value: Arc<str>,
    /// The cell that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellId>,
    /// What can be done about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<PanelAction>,
}

/// An action that is offered beside a line. The rules say whether it is legal when it is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelAction {
    /// The words on its button.
    pub title: Arc<str>,
    /// The action.
    pub action: Action,
}

impl PanelLine {
    /// The line as a text: the heading and the value, those that there are.
    pub fn text(&self, declarations: &Declarations) -> String {
        match (self.heading(declarations), &*self.value) {
            (heading, "") => heading,
            (heading, value) if heading.is_empty() => value.to_owned(),
            (heading, value) => format!("{heading}: {value}"),
        }
    }

    /// The title of the seat, if it is about one, and the label.
    pub fn heading(&self, declarations: &Declarations) -> String {
        let title = self.seat.map(|seat| declarations.seat_title(seat)).unwrap_or_default();
        let parts = [&*title, &*self.label];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// How the ground looks that the board lies on: the frame of its tiles, the wood between its points, the sea around its areas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardLook {
    /// The colour, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<u32>,
    /// A picture from the art that is laid over all of it, again and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<Arc<str>>,
    /// Cells that bear a dot, such as those from which one may go on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marked: Vec<CellId>,
    /// The colour of the dots, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<u32>,
}

impl BoardLook {
    /// Whether the rules say nothing of it.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// How a cell looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellLook {
    /// The colour, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<u32>,
    /// A picture from the art that is laid over the whole ground, again and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<Arc<str>>,
    /// A picture from the art.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<Arc<str>>,
    /// The direction the picture faces, in degrees clockwise from up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<i32>,
    /// Pictures from the art over the first one, the lowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<Arc<str>>,
    /// One or two characters, large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glyph: Option<Arc<str>>,
    /// A short text below the middle: a name, a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Arc<str>>,
    /// A short text at its corner: a number, a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub badge: Option<Arc<str>>,
    /// The colour of a line within its rim, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<u32>,
}

/// How the edge between two cells looks: a river, a wall, a road.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeLook {
    /// The colour, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<u32>,
    /// The width in hundredths of the distance between two cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<i32>,
    /// Whether the line is broken into dashes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dashed: bool,
}

/// How a piece looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceLook {
    /// A picture from the art.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<Arc<str>>,
    /// One or two characters instead of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glyph: Option<Arc<str>>,
    /// The colour, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<u32>,
    /// A short text at its corner: a number, a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub badge: Option<Arc<str>>,
    /// The direction it faces, in degrees clockwise from up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<i32>,
    /// The colour of a line around it, `0xRRGGBB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<u32>,
    /// Pictures from the art over it, the lowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<Arc<str>>,
    /// Arrows from it to cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vectors: Vec<Arrow>,
}

/// An arrow from a piece to a cell, or between two cells on its behalf: where it heads, what it aims at, where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// Where it ends.
    pub to: CellId,
    /// Where it begins; at the piece without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<CellId>,
    /// A line without a head.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub headless: bool,
    /// Fainter than the rest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub faint: bool,
    /// A broken line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dashed: bool,
    /// The colour, `0xRRGGBB`; that of the piece's seat without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<u32>,
    /// A short text at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Arc<str>>,
}

impl Arrow {
    /// A plain arrow from the piece.
    pub fn to(cell: CellId) -> Self {
        Self {
            to: cell,
            from: None,
            headless: false,
            faint: false,
            dashed: false,
            fill: None,
            label: None,
        }
    }
}

/// What stands beside something that may be picked: what it costs, how it differs from the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PickMark {
    /// What may be picked.
    pub pick: Pick,
    /// What it is called, instead of the word itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Arc<str>>,
    /// A short text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Arc<str>>,
    /// Whether it is offered more faintly than the rest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub faint: bool,
}

/// Maps as lists of pairs: ids are numbers, and the keys of a JSON object would be texts.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(map: &BTreeMap<K, V>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Vec::deserialize(deserializer).map(|pairs: Vec<(K, V)>| pairs.into_iter().collect())
    }
}
