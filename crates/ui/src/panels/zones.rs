//! What lies off the board, by zones: which of them are shown large, and what may be picked in them.

use std::collections::BTreeSet;

use crate::action_picker::ActionPicker;
use crate::board::{Clicks, Scene};
use boardwright_model::{Declarations, PieceId, Pose, SeatId, State, Zone, ZoneDeclaration, ZoneId};

/// A zone that holds anything.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZoneContents<'a> {
    pub(super) declared: &'a ZoneDeclaration,
    pub(super) zone: &'a Zone,
    /// Whether it is of the player at the window, or has something that may be picked.
    pub(super) is_own: bool,
    /// Whether it has something that may be picked.
    pub(super) has_offered: bool,
}

impl ZoneContents<'_> {
    /// Its name, with its owner's.
    pub(super) fn title(&self, declarations: &Declarations) -> String {
        match self.declared.owner {
            Some(seat) => format!("{}, {}", declarations.seat_title(seat), self.declared.title),
            None => self.declared.title.to_string(),
        }
    }

    /// Its name, how much is in it, and what, if it is not much.
    pub(super) fn text(&self, scene: &Scene<'_>) -> String {
        let name = format!("{}: {}", self.title(scene.state.declarations()), self.zone.count());
        let seen: Vec<String> = self.zone.pieces().iter().map(|piece| scene.piece_text(*piece)).collect();
        if seen.is_empty() || seen.len() > MOST_LISTED {
            name
        } else {
            format!("{name} ({})", seen.join(", "))
        }
    }
}

/// The most pieces of a zone that are listed.
const MOST_LISTED: usize = 6;

/// What may be picked off the board, and what is picked.
#[derive(Clone, Debug, Default)]
pub(super) struct Picking {
    pub(super) is_choosing: bool,
    offered: BTreeSet<PieceId>,
    picked: BTreeSet<PieceId>,
    pose: Option<Pose>,
}

impl Picking {
    pub(super) fn of(picker: Option<&ActionPicker>) -> Self {
        let Some(picker) = picker else { return Self::default() };
        let mut offered = picker.pieces();
        // Another piece can be taken in place of what was picked, as on the board.
        if picker.has_picked() {
            offered.extend(picker.first_pieces());
        }
        Self {
            is_choosing: picker.is_settled(),
            offered,
            picked: picker.picked_pieces(),
            pose: picker.placement().map(|placement| placement.pose),
        }
    }

    pub(super) fn is_picked(&self, piece: PieceId) -> bool {
        self.picked.contains(&piece)
    }

    pub(super) fn is_offered(&self, piece: PieceId) -> bool {
        self.offered.contains(&piece) || self.is_picked(piece)
    }

    /// Whether a click on a piece does something: until the rules have answered it waits, whatever it is on.
    pub(super) fn can_be_clicked(&self, scene: &Scene<'_>, piece: PieceId) -> bool {
        self.is_offered(piece) || scene.clicks == Clicks::Queued
    }

    /// How a piece is turned that is about to be placed.
    pub(super) fn pose_of(&self, piece: PieceId) -> Option<Pose> {
        self.pose.filter(|_| self.is_picked(piece))
    }
}

/// The zones that hold anything: first what is of the seat `own` or may be picked, then that of others.
pub(super) fn zones<'a>(state: &'a State, picking: &Picking, own: Option<SeatId>) -> Vec<ZoneContents<'a>> {
    let mut found = Vec::new();
    for (index, declared) in state.declarations().zones.iter().enumerate() {
        let Some(zone) = state.zone(ZoneId::from_index(index)).filter(|zone| zone.count() > 0) else {
            continue;
        };
        let has_offered = zone.pieces().iter().any(|piece| picking.is_offered(*piece));
        let has_own = || {
            zone.pieces()
                .iter()
                .any(|piece| state.piece(*piece).is_some_and(|piece| own.is_some() && piece.owner == own))
        };
        let is_own = has_offered || (own.is_some() && declared.owner == own) || (declared.owner.is_none() && has_own());
        found.push(ZoneContents {
            declared,
            zone,
            is_own,
            has_offered,
        });
    }
    let owner = |contents: &ZoneContents<'_>| {
        let of_piece = || state.piece(*contents.zone.pieces().first()?)?.owner;
        contents.declared.owner.or_else(of_piece).map_or(usize::MAX, SeatId::index)
    };
    // Not by what may be picked: where a player has two colours, they would change places with every turn.
    found.sort_by_key(|contents| (!contents.is_own, owner(contents)));
    found
}

/// The piece off the board that a key picks, in the order in which pieces are shown: of those that may be picked the one behind the picked one, or
/// before it.
pub(crate) fn next_piece(state: &State, picker: Option<&ActionPicker>, own: Option<SeatId>, is_back: bool) -> Option<PieceId> {
    let picking = Picking::of(picker);
    let shown = zones(state, &picking, own);
    let shown = shown.iter().flat_map(|contents| contents.zone.pieces());
    let offered: Vec<PieceId> = shown.copied().filter(|piece| picking.is_offered(*piece)).collect();
    let at = offered.iter().position(|piece| picking.is_picked(*piece));
    let next = match (at, is_back) {
        (None, false) => 0,
        (None, true) => offered.len().checked_sub(1)?,
        (Some(at), false) => at + 1,
        (Some(at), true) => at + offered.len() - 1,
    };
    let next = offered.get(next.checked_rem(offered.len())?)?;
    Some(*next).filter(|piece| !picking.is_picked(*piece))
}

/// Whether a zone holds pieces that have a shape.
pub(super) fn has_shapes(state: &State, zone: &Zone) -> bool {
    let mut kinds = zone
        .pieces()
        .iter()
        .filter_map(|piece| state.declarations().kind(state.piece(*piece)?.kind));
    kinds.any(|kind| kind.figure.is_some())
}
