//! Where the parts of a scenario stand in its file, and what is said of faults there.

use crate::model::{SetupFault, SetupFaultKind, SetupItem};
use crate::ruleset::{Code, Diagnostic};

use super::xml::{Position, Source, Spot};

/// Where the parts of a scenario stand in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioPositions {
    pub(super) source: Source,
    pub(super) root: Spot,
    pub(super) ruleset: Spot,
    pub(super) map: Spot,
    pub(super) seats: Vec<Spot>,
    pub(super) players: Vec<PlayerSpots>,
    pub(super) options: Vec<Spot>,
    pub(super) pieces: Vec<PieceSpots>,
    pub(super) values: Vec<ValueSpots>,
    pub(super) overlay: Option<Spot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayerSpots {
    pub(super) seat: Spot,
    pub(super) plays: Spot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceSpots {
    pub(super) element: Spot,
    pub(super) kind: Spot,
    pub(super) owner: Spot,
    pub(super) place: Spot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueSpots {
    pub(super) of: Spot,
    pub(super) name: Spot,
    pub(super) value: Spot,
}

/// A part of a scenario that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioPart {
    /// The whole.
    Whole,
    /// The name of the ruleset.
    Ruleset,
    /// The name of the map.
    Map,
    /// The seat of an entry of `players`.
    Seat(usize),
    /// The player of an entry of `players`.
    Player(usize),
    /// The file of the overlay.
    Overlay,
    /// An option, piece or value of the setup.
    Item(SetupItem),
}

impl ScenarioPositions {
    /// Line and column of a part of the setup. What stands in the map is not here: then the scenario as a whole.
    pub fn locate(&self, item: SetupItem) -> Position {
        self.source.position(self.spot(ScenarioPart::Item(item)))
    }

    /// A diagnostic about a part of the scenario.
    pub fn at(&self, part: ScenarioPart, found: Diagnostic) -> Diagnostic {
        found.at(self.source.place(self.spot(part)))
    }

    fn spot(&self, part: ScenarioPart) -> Spot {
        let player = |index: usize| self.players.get(index);
        let spot = match part {
            ScenarioPart::Whole | ScenarioPart::Item(SetupItem::MapCell(_)) => None,
            ScenarioPart::Ruleset => Some(self.ruleset),
            ScenarioPart::Map => Some(self.map),
            ScenarioPart::Seat(index) => player(index).map(|player| player.seat),
            ScenarioPart::Player(index) => player(index).map(|player| player.plays),
            ScenarioPart::Overlay => self.overlay,
            ScenarioPart::Item(SetupItem::Seat(index)) => self.seats.get(index).copied(),
            ScenarioPart::Item(SetupItem::Option(index)) => self.options.get(index).copied(),
            ScenarioPart::Item(SetupItem::Piece(index)) => self.pieces.get(index).map(|piece| piece.element),
            ScenarioPart::Item(SetupItem::Value(index)) => self.values.get(index).map(|value| value.of),
        };
        spot.unwrap_or(self.root)
    }

    /// What an author is told of a fault of the setup. Faults of the map's own properties stand at the map's name; use
    /// [`MapPositions::at_cell`](super::MapPositions::at_cell) to show them in the map.
    pub fn diagnostic(&self, fault: &SetupFault) -> Diagnostic {
        let code = match &fault.kind {
            SetupFaultKind::Unknown { .. } => Code::UnknownName,
            SetupFaultKind::Twice(_) | SetupFaultKind::SeatTwice(_) => Code::DuplicateName,
            SetupFaultKind::Value { .. } | SetupFaultKind::DoesNotLie(_) | SetupFaultKind::TooMany => Code::BadValue,
        };
        Diagnostic::error(code, fault.to_string()).at(self.source.place(self.spot_of(fault)))
    }

    /// The attribute that a fault is about, as nearly as it is known.
    fn spot_of(&self, fault: &SetupFault) -> Spot {
        let what = match &fault.kind {
            SetupFaultKind::Unknown { what, .. } => *what,
            _ => "",
        };
        match fault.item {
            SetupItem::Piece(index) => self.pieces.get(index).map(|piece| match what {
                "kind" => piece.kind,
                "seat" => piece.owner,
                "cell" | "zone" | "direction" | "pose" => piece.place,
                _ if matches!(fault.kind, SetupFaultKind::DoesNotLie(_)) => piece.place,
                _ => piece.element,
            }),
            SetupItem::Value(index) => self.values.get(index).map(|value| match (&fault.kind, what) {
                (SetupFaultKind::Value { .. }, _) => value.value,
                (_, "property") => value.name,
                _ => value.of,
            }),
            SetupItem::MapCell(_) => Some(self.map),
            SetupItem::Seat(_) | SetupItem::Option(_) => None,
        }
        .unwrap_or_else(|| self.spot(ScenarioPart::Item(fault.item)))
    }
}
