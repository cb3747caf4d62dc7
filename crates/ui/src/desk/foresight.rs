//! What the action that is being chosen would bring about: asked of the rules when the choice, or the pointer, comes to another action.

use super::{Awaited, Desk};
use boardwright_protocol::{Command, Preview};
use boardwright_model::{Action, ActionId, CellId, Pick, PieceId};
use crate::board::Foreseen;
use crate::picking::Picking;

/// An action that was asked about.
#[derive(Debug)]
pub(super) struct Foresight {
    /// The choice it belongs to, and the action.
    of: (u64, Action),
    /// The request that is not answered yet.
    request: Option<u64>,
    seen: Option<Foreseen>,
}

impl Desk {
    /// Sees to it that it is known what the action would bring about that is chosen, or that a click under the pointer or the number that
    /// is being chosen would complete.
    pub fn foresee(&mut self, hovered: Option<CellId>, number: Option<(ActionId, Pick)>) {
        let Some(action) = self.foreseeable(hovered, number) else {
            self.foresight = None;
            return;
        };
        let of = (self.choice, action);
        if self.foresight.as_ref().is_some_and(|foresight| foresight.of == of) {
            return;
        }
        let preview = Command::Preview { action: of.1.clone() };
        let request = self.request(preview, Awaited::Preview);
        self.foresight = Some(Foresight { of, request, seen: None });
    }

    fn foreseeable(&self, hovered: Option<CellId>, number: Option<(ActionId, Pick)>) -> Option<Action> {
        let picking = self.picking.as_ref().filter(|_| self.may_choose())?;
        let pieces = |cell: CellId| -> Vec<PieceId> { self.state().map_or_else(Vec::new, |state| state.pieces_at(cell).to_vec()) };
        let ahead = hovered.and_then(|cell| picking.ahead(cell, &pieces(cell)));
        let with_number = || number.and_then(|(action, pick)| picking.with(action, pick));
        ahead
            .or_else(with_number)
            .or_else(|| Some(picking).filter(|picking| picking.has_picked()).and_then(Picking::sole))
    }

    pub(super) fn take_preview(&mut self, id: u64, preview: Option<&Preview>) {
        let seen = preview
            .zip(self.state())
            .and_then(|(preview, state)| Foreseen::of(state, &preview.effects, &preview.looks, &self.looks));
        if let Some(foresight) = self.foresight.as_mut().filter(|foresight| foresight.request == Some(id)) {
            foresight.request = None;
            foresight.seen = seen.filter(|seen| !seen.is_empty());
        }
    }

    /// What the action would bring about that is chosen or pointed at, if anything of it is seen on the board.
    pub fn foreseen(&self) -> Option<&Foreseen> {
        let foresight = self.foresight.as_ref().filter(|foresight| foresight.of.0 == self.choice)?;
        foresight.seen.as_ref().filter(|_| self.may_choose())
    }
}
